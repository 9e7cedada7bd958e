//! Set-up of a namespace, and the values that its kernel must show afterwards.

use crate::Polling;
use evidence::headers::Ip;
use wire::{Course, Inside, Step, Tool};

/// How a link's line is emulated.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Dialect {
    /// The module's qdisc `line` (`kernel/module/line.c`).
    #[default]
    Laboratory,
    /// netem and tbf, an approximation for every Linux: a tbf has a bucket, and tc counts delays in whole us.
    Linux,
}

/// Set-up of one namespace, in the order of the fields, except that `settings` come after `bridge`.
#[derive(Debug, Default)]
pub struct Furnishing {
    /// The namespace.
    pub namespace: String,
    /// How lines are emulated.
    pub dialect: Dialect,
    /// Settings under /proc/sys.
    pub sysctls: Vec<(String, String)>,
    /// Settings under /proc/sys to make after the devices exist.
    pub settings: Vec<(String, String)>,
    /// Files that tools read: path and content.
    pub files: Vec<(String, String)>,
    /// Lines for `ip`.
    pub ip: Vec<String>,
    /// Devices that `ip` cannot create, each with the index of the line of `ip` before which it is created.
    pub between: Vec<(usize, Step)>,
    /// Arguments of `wg`.
    pub wg: Vec<String>,
    /// Lines for `bridge`.
    pub bridge: Vec<String>,
    /// Devices and their offloads: TSO, GSO, GRO.
    pub offloads: Vec<(String, [bool; 3])>,
    /// Devices that Linux polls by a timer, set once their offloads are final.
    pub polled: Vec<(String, Polling)>,
    /// Lines for `tc`.
    pub tc: Vec<String>,
    /// Lines for `nft`.
    pub nft: Vec<String>,
    /// Commands for the kernel module.
    pub module: Vec<String>,
    /// Traces that lines follow, set once the lines exist.
    pub courses: Vec<Course>,
    /// Commands for FreeBSD's stack.
    pub freebsd: Vec<String>,
    /// Ports on which UDP carries ESP, with the IP version under it.
    pub esp_in_udp: Vec<(u16, Ip)>,
    /// Values that `tc -json qdisc show` must then print.
    pub shown: Vec<Shown>,
}

/// A number that `tc -json qdisc show` must print, and its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Shown {
    /// The device.
    pub device: String,
    /// Kind of its qdisc.
    pub kind: &'static str,
    /// JSON pointer into the qdisc.
    pub pointer: &'static str,
    /// Requested value.
    pub asked: f64,
    /// Granularity with which tc sets or shows it.
    pub grain: f64,
}

impl Furnishing {
    /// Returns an empty set-up.
    pub fn new(namespace: &str, dialect: Dialect) -> Furnishing {
        Furnishing { namespace: namespace.into(), dialect, ..Furnishing::default() }
    }

    /// Converts it for the agent.
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

    /// Requires a device's qdisc to show a number, within one half.
    pub fn show(&mut self, device: &str, kind: &'static str, pointer: &'static str, asked: f64) {
        self.show_within(device, kind, pointer, asked, 0.5);
    }

    /// Requires a device's qdisc to show a number, within a granularity.
    pub fn show_within(&mut self, device: &str, kind: &'static str, pointer: &'static str, asked: f64, grain: f64) {
        self.shown.push(Shown { device: device.into(), kind, pointer, asked, grain });
    }
}
