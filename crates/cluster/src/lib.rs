//! One run over many machines.
//!
//! `shard` says which trials are whose, `part` is the file that a machine writes, `gather` joins parts, `slurm` starts them.

#![forbid(unsafe_code)]

pub mod gather;
pub mod part;
pub mod record;
pub mod scratch;
pub mod shard;
pub mod slurm;
