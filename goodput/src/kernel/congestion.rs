//! The congestion controls of a kernel, from its configuration.

use super::Entry;
use std::fs;

impl Entry {
    /// Names as TCP_CONGESTION takes them, in alphabetical order; empty if the configuration cannot be read.
    pub fn congestion_controls(&self) -> Vec<String> {
        names(&fs::read_to_string(self.folder.join("config")).unwrap_or_default())
    }
}

fn names(config: &str) -> Vec<String> {
    let option = |line: &str| Some(line.strip_prefix("CONFIG_TCP_CONG_")?.strip_suffix("=y")?.to_ascii_lowercase());
    let mut names: Vec<String> = config.lines().filter_map(option).filter(|name| name != "advanced").collect();
    if names.is_empty() {
        return names;
    }
    // The kernel's option for this one is named otherwise (net/ipv4/Kconfig), and Reno has none.
    names.iter_mut().filter(|name| *name == "hstcp").for_each(|name| *name = "highspeed".into());
    names.push("reno".into());
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn options_become_names() {
        let config = "CONFIG_TCP_CONG_ADVANCED=y\nCONFIG_TCP_CONG_HSTCP=y\n# CONFIG_TCP_CONG_LP is not set\nCONFIG_TCP_CONG_BBR=y\n";
        assert_eq!(names(config), ["bbr", "highspeed", "reno"]);
        assert_eq!(names(""), [""; 0]);
    }
}
