//! What is done in a namespace, and what its kernel must then show.

use crate::plan::Polling;
use evidence::headers::Ip;
use wire::{Course, Inside, Step, Tool};

/// How the line of a link is made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Dialect {
    /// By the module's qdisc `line` (`kernel/module/line.c`).
    #[default]
    Laboratory,
    /// By netem and tbf, which come near it on every Linux: a tbf has a bucket, and tc counts delays in whole us.
    Linux,
}

/// The set-up of one namespace, in the order of the fields; `settings` come after `bridge`.
#[derive(Debug, Default)]
pub struct Furnishing {
    /// The namespace.
    pub namespace: String,
    /// How lines are made.
    pub dialect: Dialect,
    /// Settings under /proc/sys.
    pub sysctls: Vec<(String, String)>,
    /// Settings under /proc/sys that come after the devices.
    pub settings: Vec<(String, String)>,
    /// Files that tools read: path and content.
    pub files: Vec<(String, String)>,
    /// Lines for `ip`.
    pub ip: Vec<String>,
    /// Devices that `ip` does not make, and before which line for `ip` each is made.
    pub between: Vec<(usize, Step)>,
    /// Arguments of `wg`.
    pub wg: Vec<String>,
    /// Lines for `bridge`.
    pub bridge: Vec<String>,
    /// Devices and their offloads: TSO, GSO, GRO.
    pub offloads: Vec<(String, [bool; 3])>,
    /// Devices that Linux polls by a timer, once their offloads are as they stay.
    pub polled: Vec<(String, Polling)>,
    /// Lines for `tc`.
    pub tc: Vec<String>,
    /// Lines for `nft`.
    pub nft: Vec<String>,
    /// Commands for the kernel module.
    pub module: Vec<String>,
    /// What lines follow, once they are there.
    pub courses: Vec<Course>,
    /// Commands for FreeBSD's stack.
    pub freebsd: Vec<String>,
    /// Ports on which UDP carries ESP, and the IP under it.
    pub esp_in_udp: Vec<(u16, Ip)>,
    /// What `tc -json qdisc show` must then say.
    pub shown: Vec<Shown>,
}

/// A number that `tc -json qdisc show` prints, where, and what it should be.
#[derive(Debug, Clone, PartialEq)]
pub struct Shown {
    /// The device.
    pub device: String,
    /// The kind of its qdisc.
    pub kind: &'static str,
    /// A JSON pointer into the qdisc.
    pub pointer: &'static str,
    /// What was asked for.
    pub asked: f64,
    /// How coarsely tc sets or shows it.
    pub grain: f64,
}

impl Furnishing {
    /// Nothing is done yet.
    pub fn of(namespace: &str, dialect: Dialect) -> Furnishing {
        Furnishing { namespace: namespace.into(), dialect, ..Furnishing::default() }
    }

    /// For the agent.
    pub fn inside(self) -> Inside {
        let run = |tool, lines: Vec<String>| (!lines.is_empty()).then_some(Step::Run(tool, lines));
        let offloads = |(device, [tso, gso, gro]): (String, [bool; 3])| Step::Offloads { device, tso, gso, gro };
        let steps = self.files.into_iter().map(|(path, text)| Step::File(path, text));
        let mut ip = self.ip;
        let mut links = vec![];
        for (line, step) in self.between.into_iter().rev() {
            links.extend(run(Tool::Ip, ip.split_off(line)));
            links.push(step);
        }
        links.extend(run(Tool::Ip, ip));
        let steps = steps.chain(links.into_iter().rev());
        let steps = steps.chain(run(Tool::Wg, self.wg)).chain(run(Tool::Bridge, self.bridge));
        let steps = steps.chain(self.settings.into_iter().map(|(name, value)| Step::Setting(name, value)));
        let polled = |(device, polling): (String, Polling)| Step::Polled {
            device,
            gro_flush_timeout: polling.gro_flush_timeout,
            napi_defer_hard_irqs: polling.napi_defer_hard_irqs,
        };
        let steps = steps.chain(self.offloads.into_iter().map(offloads)).chain(self.polled.into_iter().map(polled));
        let steps = steps.chain(run(Tool::Tc, self.tc)).chain(run(Tool::Nft, self.nft));
        let steps = steps.chain(self.module.into_iter().map(Step::Module));
        let steps = steps.chain(self.courses.into_iter().map(Step::Course));
        let steps = steps.chain((!self.freebsd.is_empty()).then_some(Step::FreeBsd(self.freebsd)));
        let steps =
            steps.chain(self.esp_in_udp.into_iter().map(|(port, ip)| Step::EspInUdp { port, ipv6: ip == Ip::V6 }));
        Inside { namespace: self.namespace, sysctls: self.sysctls, steps: steps.collect() }
    }

    /// The qdisc of a device must show a number, to within half of one.
    pub fn show(&mut self, device: &str, kind: &'static str, pointer: &'static str, asked: f64) {
        self.show_within(device, kind, pointer, asked, 0.5);
    }

    /// The qdisc of a device must show a number, to within a grain.
    pub fn show_within(&mut self, device: &str, kind: &'static str, pointer: &'static str, asked: f64, grain: f64) {
        self.shown.push(Shown { device: device.into(), kind, pointer, asked, grain });
    }
}
