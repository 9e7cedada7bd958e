//! The laboratory of a run: the parts that decide the recorded bytes, and the parts that only explain them.

use base16ct::lower::encode_string as hex;
use evidence::plain;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::path::PathBuf;

/// Content of `environment.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Environment {
    pub goodput: String,
    /// Guest kernels, in the order in which the plan's trials first use them.
    pub kernels: Vec<Kernel>,
    /// SHA-256 of the agent.
    pub agent: String,
    /// SHA-256 of the code between a plan and its recordings.
    #[serde(default = "unknown")]
    pub recorder: String,
    /// Versions of the programs that set up the guest's network, with the SHA-256 of their files.
    pub tools: Vec<(String, String)>,
    /// Kernel, processor and cores of the host.
    pub host: Vec<(String, String)>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kernel {
    /// Name that the trials use.
    pub name: String,
    pub version: String,
    /// Origin of its source.
    pub source: String,
    /// The user's patches, configuration and modules, in the order applied.
    pub additions: Vec<Addition>,
    /// Hash of all inputs of its build.
    pub hash: String,
    /// SHA-256 of its configuration.
    pub config: String,
    /// SHA-256 of the kernel itself.
    pub binary: String,
}

impl Kernel {
    /// Describes the kernel in words: "7.3.4 (Debian linux-source-7.3 7.3.4-1), whose bbr is BBRv1". The BBR version
    /// comes from its samples.
    fn in_words(&self, has_bbr: bool, version: Option<f64>) -> String {
        let name = if self.name == self.version { String::new() } else { format!("{}, Linux ", self.name) };
        let addition = |added: &Addition| {
            let file = added.path.file_name().unwrap_or_default().to_string_lossy();
            format!(", with its {} {}, SHA-256 {}", added.kind.name(), plain::line(&file), short(&added.sha256))
        };
        let additions: String = self.additions.iter().map(addition).collect();
        // No release of Linux has another BBR.
        let is_release = self.additions.is_empty() && self.source.starts_with("Debian ");
        let bbr = match (has_bbr, version, is_release) {
            (false, ..) => String::new(),
            (true, Some(version), _) => format!(", whose bbr is BBRv{version}"),
            (true, None, true) => ", whose bbr is BBRv1".into(),
            (true, None, false) => ", whose bbr is that of its source: BBRv1 unless that has another".into(),
        };
        format!("{name}{} ({}{additions}){bbr}", self.version, self.source)
    }

    /// Returns its title in a list, with the name unless that is the version.
    fn title(&self) -> String {
        let name = if self.name == self.version { "" } else { &self.name };
        format!("guest kernel {name}").trim_end().to_owned()
    }

    fn rows(&self) -> Vec<(String, String)> {
        let added = self.additions.iter().map(|Addition { kind, path, sha256 }| {
            (format!("its {}", kind.name()), format!("{}, SHA-256 {}", path.display(), short(sha256)))
        });
        let own = [
            ("its source", self.source.clone()),
            ("its inputs, SHA-256", self.hash.clone()),
            ("its configuration, SHA-256", self.config.clone()),
            ("its binary, SHA-256", self.binary.clone()),
        ];
        let own = own.into_iter().map(|(name, value)| (name.to_owned(), value));
        [(self.title(), self.version.clone())].into_iter().chain(added).chain(own).collect()
    }
}

/// An addition as `kernel.json` keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Addition {
    pub kind: AdditionKind,
    /// File or folder, as given.
    pub path: PathBuf,
    /// SHA-256 over names and contents, in hex.
    pub sha256: String,
}

/// Kinds of additions, named like the options of `goodput kernel add`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AdditionKind {
    Patch,
    Config,
    /// A folder of C files.
    Module,
    /// A patch to FreeBSD's tree.
    #[serde(rename = "freebsd-patch")]
    FreeBsdPatch,
}

impl AdditionKind {
    pub const fn name(self) -> &'static str {
        match self {
            AdditionKind::Patch => "patch",
            AdditionKind::Config => "config",
            AdditionKind::Module => "module",
            AdditionKind::FreeBsdPatch => "freebsd-patch",
        }
    }
}

/// Value for a run that does not record it.
fn unknown() -> String {
    "unknown".into()
}

impl Environment {
    /// Returns the environment with only one of the kernels.
    pub fn only(&self, kernel: &str) -> Environment {
        let kernels = self.kernels.iter().filter(|own| own.name == kernel).cloned().collect();
        Environment { kernels, ..self.clone() }
    }

    /// Returns the version of a kernel whose name differs from it, if the kernels have several versions.
    pub fn version_behind(&self, name: &str) -> Option<&str> {
        let named = self.kernels.iter().find(|kernel| kernel.name == name && kernel.name != kernel.version)?;
        let several = self.kernels.iter().any(|other| other.version != named.version);
        several.then_some(named.version.as_str())
    }

    /// Returns the parts that decide the bytes of recordings.
    fn parts(&self) -> Vec<Part<'_>> {
        let kernels = self.kernels.iter().enumerate().map(|(number, kernel)| Part {
            key: format!("guest kernel {number}"),
            what: kernel.title(),
            identity: &kernel.binary,
            told: format!("{} {}", kernel.version, short(&kernel.binary)),
        });
        let tools = self.tools.iter().map(|(name, version)| Part::plain(name, version));
        let (recorder, agent) = (Part::plain("recording code", &self.recorder), Part::plain("agent", &self.agent));
        [recorder].into_iter().chain(kernels).chain([agent]).chain(tools).collect()
    }

    /// Lists the parts that differ, then and now: reasons why trials may record other bytes. Compares kernels in
    /// order, by content and not by name. Empty if nothing differs.
    pub fn differences(&self, other: &Environment) -> Vec<String> {
        let (before, now) = (self.parts(), other.parts());
        let come = now.iter().filter(|part| find(&before, &part.key).is_none());
        let difference = |part: &Part| {
            let [then, now] = [&before, &now].map(|parts| find(parts, &part.key));
            let same = then.map(|part| part.identity) == now.map(|part| part.identity);
            let [then, now] = [then, now].map(|part| part.map_or("none", |part| part.told.as_str()));
            (!same).then(|| plain::line(&format!("{}: {then} then, {now} now", part.what)).into_owned())
        };
        before.iter().chain(come).filter_map(difference).collect()
    }

    /// Hashes everything that decides the recorded bytes; hexadecimal.
    pub fn fingerprint(&self) -> String {
        let parts: Vec<&str> = self.parts().iter().map(|part| part.identity).collect();
        hex(&Sha256::digest(parts.join("\n")))
    }

    /// Describes the guest kernels that ran, and their BBR if a flow uses it, in the version that its samples show.
    pub fn kernels_in_words(&self, has_bbr: bool, version: impl Fn(&str) -> Option<f64>) -> Vec<String> {
        self.kernels.iter().map(|kernel| kernel.in_words(has_bbr, version(&kernel.name))).collect()
    }

    /// Returns name and value of each part, for the report.
    pub fn rows(&self) -> Vec<(String, String)> {
        let row = |(name, value): (&str, &String)| (name.to_owned(), value.clone());
        let kernels = self.kernels.iter().flat_map(Kernel::rows);
        let ours = [("agent, SHA-256", &self.agent), ("recording code, SHA-256", &self.recorder)].map(row);
        let others = self.tools.iter().chain(&self.host).cloned();
        [row(("goodput", &self.goodput))].into_iter().chain(kernels).chain(ours).chain(others).collect()
    }
}

/// A part of the laboratory that decides the recorded bytes.
struct Part<'e> {
    /// Key of the part, the same in every laboratory.
    key: String,
    /// Name of the part for people.
    what: String,
    identity: &'e str,
    /// Value of the part in a message.
    told: String,
}

impl Part<'_> {
    fn plain<'e>(what: &str, identity: &'e str) -> Part<'e> {
        Part { key: what.to_owned(), what: what.to_owned(), identity, told: short(identity).to_owned() }
    }
}

fn find<'p, 'e>(parts: &'p [Part<'e>], key: &str) -> Option<&'p Part<'e>> {
    parts.iter().find(|part| part.key == key)
}

fn short(text: &str) -> &str {
    // The value may not be a hash: anyone can write the file.
    text.get(..12).filter(|_| text.len() == 64).unwrap_or(text)
}

/// Returns a laboratory with these kernels, given by name and binary.
#[cfg(any(test, feature = "fixture"))]
pub fn sample(kernels: &[(&str, &str)]) -> Environment {
    let kernel = |(name, binary): &(&str, &str)| Kernel {
        name: (*name).into(),
        version: "7.3.4".into(),
        source: "apt".into(),
        additions: vec![Addition { kind: AdditionKind::Patch, path: "cubic.patch".into(), sha256: "f".repeat(64) }],
        hash: "a".into(),
        config: "b".into(),
        binary: (*binary).into(),
    };
    Environment {
        goodput: "0".into(),
        kernels: kernels.iter().map(kernel).collect(),
        agent: "d".into(),
        recorder: "e".into(),
        tools: vec![("ip".into(), "6.1".into())],
        host: vec![("host kernel".into(), "6.18".into())],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_are_compared_in_their_order_whatever_they_are_called() {
        let two = sample(&[("before", "b"), ("after", "a")]);
        assert_eq!(two.differences(&sample(&[("old", "b"), ("new", "a")])), [""; 0]);
        let mut newer = sample(&[("before", "b"), ("after", "x")]);
        newer.kernels[1].version = "7.4.0".into();
        newer.tools[0].1 = "6.2\nhint: evil".into();
        let told = ["guest kernel after: 7.3.4 a then, 7.4.0 x now", r"ip: 6.1 then, 6.2\nhint: evil now"];
        assert_eq!(two.differences(&newer), told);
        newer.agent = format!("a{}a", "é".repeat(31));
        assert!(two.differences(&newer).contains(&format!("agent: d then, {} now", newer.agent)));
        let one = two.only("before");
        assert_eq!(one.differences(&two), ["guest kernel after: none then, 7.3.4 a now"]);
        assert_eq!(two.differences(&one), ["guest kernel after: 7.3.4 a then, none now"]);
    }

    #[test]
    fn a_patched_kernel_names_its_patch() {
        assert_eq!(
            sample(&[("after", "x")]).kernels_in_words(false, |_| None),
            ["after, Linux 7.3.4 (apt, with its patch cubic.patch, SHA-256 ffffffffffff)"]
        );
    }

    #[test]
    fn a_fingerprint_is_of_binaries_and_not_of_names() {
        let print = |kernels: &[(&str, &str)]| sample(kernels).fingerprint();
        assert_eq!(print(&[("before", "b"), ("after", "a")]), print(&[("old", "b"), ("new", "a")]));
        assert_ne!(print(&[("before", "b"), ("after", "a")]), print(&[("before", "b")]));
        assert_eq!(sample(&[("x", "a"), ("y", "b")]).only("y"), sample(&[("y", "b")]));
    }

    #[test]
    fn a_version_is_told_where_names_hide_a_difference() {
        let mut both = sample(&[("before", "b"), ("7.3.4", "a")]);
        assert_eq!(both.version_behind("before"), None, "all are of one version");
        both.kernels[0].version = "6.12.95".into();
        let versions = ["before", "7.3.4", "cubic"].map(|name| both.version_behind(name));
        assert_eq!(versions, [Some("6.12.95"), None, None]);
    }

    #[test]
    fn every_kernel_has_its_rows() {
        let rows = sample(&[("7.3.4", "c"), ("after", "a")]).rows();
        let of = |name: &str| rows.iter().filter(|row| row.0 == name).map(|row| row.1.as_str()).collect::<Vec<_>>();
        assert_eq!((of("guest kernel"), of("guest kernel after")), (vec!["7.3.4"], vec!["7.3.4"]));
        assert_eq!(of("its binary, SHA-256"), ["c", "a"]);
        assert_eq!(of("its patch"), ["cubic.patch, SHA-256 ffffffffffff"; 2]);
    }
}
