//! The laboratory itself: physics with bounds from arithmetic, the same bytes twice, and what happens when things break.
//! Each test boots the real guest kernel; `goodput kernel add` builds it.

mod bisect;
mod broken;
mod cache;
mod compare;
mod congestion;
mod determinism;
mod environments;
mod examples;
mod freebsd;
mod full;
mod hosts;
mod install;
mod kernel_cache;
mod kernels;
mod lines;
mod measures;
mod modules;
mod named;
mod physics;
mod prove;
mod queues;
mod recipes;
mod relay;
mod shards;
mod slurm;
mod stages;
mod studies;
mod study;
mod support;
mod topology;
mod traffic;
mod tunnels;
mod waits;
mod walls;
