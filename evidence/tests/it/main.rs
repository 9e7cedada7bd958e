//! Files that people have, and what is read of each.

mod capture;
mod growth;
mod hosts;
mod import;
mod options;
mod views;
