//! The laboratory itself: physics with bounds from arithmetic, the same bytes twice, and failures. Each test boots the
//! real guest kernel; `goodput kernel add` builds it.

mod apply;
mod bbr;
mod bisect;
mod broken;
mod cache;
mod compare;
mod congestion;
mod determinism;
mod dualpi2;
mod environments;
mod examples;
mod freebsd;
mod full;
mod hosts;
mod install;
mod ipv6;
mod kernel_cache;
mod kernels;
mod lines;
mod measures;
mod modules;
mod multipath;
mod named;
mod nat;
mod physics;
mod prove;
mod queues;
mod real_hosts;
mod recipes;
mod relay;
mod schema;
mod shards;
#[path = "../it/skip.rs"]
mod skip;
mod slurm;
mod stages;
mod studies;
mod study;
mod support;
mod topology;
mod traces;
mod traffic;
mod tunnels;
mod waits;
mod walls;
