//! dualpi2's parameters: for the kernel module, and as arguments of tc from iproute2 6.17 on.
//!
//! The lab creates the qdisc by its name, which every tc accepts, and the module sets the parameters, because the
//! installed tc may be older than the qdisc.

use super::{decimal, us};
use crate::{DualPi2, Step};

/// Types of attributes (TCA_DUALPI2_* in include/uapi/linux/pkt_sched.h).
mod attribute {
    pub const LIMIT: u32 = 1;
    pub const MEMORY_LIMIT: u32 = 2;
    pub const TARGET: u32 = 3;
    pub const TUPDATE: u32 = 4;
    pub const ALPHA: u32 = 5;
    pub const BETA: u32 = 6;
    pub const STEP_PACKETS: u32 = 7;
    pub const STEP_US: u32 = 8;
    pub const COUPLING: u32 = 10;
    pub const DROP_OVERLOAD: u32 = 11;
    pub const DROP_EARLY: u32 = 12;
    pub const PROTECTION: u32 = 13;
    pub const ECN_MASK: u32 = 14;
}

/// Disables dualpi2's own memory limit.
const UNLIMITED_MEMORY: u32 = u32::MAX;

/// ECN masks for ECT(1) only, or any ECT (enum tc_dualpi2_ecn_mask).
const ECN_MASKS: [u32; 2] = [1, 3];

/// Formats type, length in bytes and value of each attribute, as the module takes them.
pub fn attributes(told: &DualPi2, packets: u32) -> String {
    use attribute::*;
    let micros = |ns: u64| (ns / 1000) as u32;
    let step = match told.step {
        Step::Time(ns) => (STEP_US, 4, micros(ns)),
        Step::Packets(packets) => (STEP_PACKETS, 4, packets),
    };
    let all = [
        (LIMIT, 4, packets),
        (MEMORY_LIMIT, 4, UNLIMITED_MEMORY),
        (TARGET, 4, micros(told.target)),
        (TUPDATE, 4, micros(told.interval)),
        (ALPHA, 4, told.alpha),
        (BETA, 4, told.beta),
        step,
        (COUPLING, 1, told.coupling.into()),
        (DROP_OVERLOAD, 1, told.drops.into()),
        (DROP_EARLY, 1, told.early.into()),
        (PROTECTION, 1, told.protection.into()),
        (ECN_MASK, 1, ECN_MASKS[usize::from(told.any_ect)]),
    ];
    all.map(|(kind, width, value)| format!("{kind}:{width}:{value}")).join(" ")
}

/// Formats the arguments of `tc qdisc`. tc rounds gains down to 1/256 Hz, which they already are.
pub fn words(told: &DualPi2, packets: u32) -> String {
    let step = match told.step {
        Step::Time(ns) => us(ns),
        Step::Packets(packets) => format!("{packets}p"),
    };
    let gain = |value: u32| decimal(f64::from(value) / 256.0);
    format!(
        "dualpi2 limit {packets} memlimit {UNLIMITED_MEMORY} target {} tupdate {} alpha {} beta {} step_thresh {step} \
         coupling_factor {} classic_protection {}% {} {} {}",
        us(told.target),
        us(told.interval),
        gain(told.alpha),
        gain(told.beta),
        told.coupling,
        told.protection,
        if told.drops { "drop_on_overload" } else { "overflow" },
        if told.early { "drop_enqueue" } else { "drop_dequeue" },
        if told.any_ect { "any_ect" } else { "l4s_ect" },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Defaults of the kernel (dualpi2_reset_default() in net/sched/sch_dualpi2.c).
    const DEFAULTS: DualPi2 = DualPi2 {
        target: 15_000_000,
        interval: 16_000_000,
        alpha: 41,
        beta: 819,
        step: Step::Time(1_000_000),
        coupling: 2,
        protection: 10,
        drops: true,
        early: false,
        any_ect: false,
    };

    #[test]
    fn tc_words_and_netlink_attributes_have_every_parameter() {
        assert_eq!(
            words(&DEFAULTS, 100),
            "dualpi2 limit 100 memlimit 4294967295 target 15000us tupdate 16000us alpha 0.16015625 beta 3.19921875 \
             step_thresh 1000us coupling_factor 2 classic_protection 10% drop_on_overload drop_dequeue l4s_ect"
        );
        let told = DualPi2 { step: Step::Packets(9), any_ect: true, ..DEFAULTS };
        assert_eq!(
            attributes(&told, 100),
            "1:4:100 2:4:4294967295 3:4:15000 4:4:16000 5:4:41 6:4:819 7:4:9 10:1:2 11:1:1 12:1:0 13:1:10 14:1:3"
        );
        assert!(words(&told, 100).contains(" step_thresh 9p "));
    }
}
