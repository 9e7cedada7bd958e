//! Congestion controls of a kernel, read from its configuration and from modules' sources.

/// Returns the kernel's own congestion controls from its configuration, named as for TCP_CONGESTION, in alphabetical
/// order.
pub(super) fn configured(config: &str) -> Vec<String> {
    let option = |line: &str| Some(line.strip_prefix("CONFIG_TCP_CONG_")?.strip_suffix("=y")?.to_ascii_lowercase());
    let mut names: Vec<String> = config.lines().filter_map(option).filter(|name| name != "advanced").collect();
    // This control's option has another name (net/ipv4/Kconfig), and Reno has no option.
    names.iter_mut().filter(|name| *name == "hstcp").for_each(|name| *name = "highspeed".into());
    names.push("reno".into());
    names.sort();
    names
}

/// Returns the names in the `tcp_congestion_ops` that a C file defines.
pub(super) fn registered(source: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (start, _) in source.match_indices("struct tcp_congestion_ops") {
        let after = &source[start..];
        // In a definition, a brace comes before the semicolon; a declaration or a parameter has no brace.
        let Some(open) = after.find(['{', ';', ')']).filter(|at| after[*at..].starts_with('{')) else { continue };
        let body = &after[open..];
        let body = &body[..body.find("};").unwrap_or(body.len())];
        names.extend(name_in(body));
    }
    names
}

/// Returns the text in `.name = "…"`.
fn name_in(body: &str) -> Option<String> {
    let value = body.match_indices(".name").find_map(|(at, name)| {
        body[at + name.len()..].trim_start().strip_prefix('=')?.trim_start().strip_prefix('"')
    })?;
    Some(value.split('"').next()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_become_names() {
        let config = "CONFIG_TCP_CONG_ADVANCED=y\nCONFIG_TCP_CONG_HSTCP=y\n# CONFIG_TCP_CONG_LP is not set\nCONFIG_TCP_CONG_BBR=y\n";
        assert_eq!(configured(config), ["bbr", "highspeed", "reno"]);
    }

    #[test]
    fn modules_register_by_name() {
        let source = "\
static void init(struct tcp_congestion_ops *ops) { }
static struct tcp_congestion_ops one __read_mostly = {
	.init\t\t= init,
	.name\t\t= \"one\",
	.owner\t\t= THIS_MODULE,
};
static struct tcp_congestion_ops two = { .flags = 0, .name=\"two\" };
struct other { char *name; } other = { .name = \"other\" };
";
        assert_eq!(registered(source), ["one", "two"]);
        assert_eq!(registered("extern struct tcp_congestion_ops tcp_reno;"), [""; 0]);
    }
}
