//! Real hosts: scripts on this machine, and over a real sshd between network namespaces.

mod collect;
mod containers;
mod lies;
mod path;
mod probe;
mod run;
mod transport;
