//! Files as users have them, with the evidence read from each.

mod capture;
mod flent;
mod growth;
mod hosts;
mod import;
mod options;
mod views;
