//! `goodput bisect` finds the commit, of eight, that broke CUBIC. The history is made on top of the source that the guest
//! kernel was built from, which the user's cache of kernels still has; its kernels go into a cache of their own.

use crate::kernel_cache::{KernelCache, fed, git, newest_series, shared};
use crate::schema::conforming;
use lab::kernel;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const EXPERIMENT: &str = r#"
title = "CUBIC over a lossy line"

[path]
rate   = "100 Mbit/s"
rtt    = "20 ms"
buffer = "1 BDP"
loss   = { every = 1000 }

[[flows]]
congestion = "cubic"
duration   = "10 s"

[[expect]]
measure  = "goodput"
at-least = "15 Mbit/s"
"#;

const CUBIC: &str = "net/ipv4/tcp_cubic.c";
const BROKEN_LINE: &str = "ca->cnt = max(ca->cnt, 2U);";

/// Number of the commit of the eight that breaks the experiment, from 1.
const PLANTED: usize = 6;

/// A git tree whose commits differ in one file.
struct History {
    folder: tempfile::TempDir,
    commits: Vec<String>,
}

impl History {
    fn git(&self, arguments: &[&str], input: &str) -> String {
        let mut git = Command::new("git");
        git.arg("-C").arg(self.folder.path()).args(["-c", "user.name=a", "-c", "user.email=a@b"]).args(arguments);
        git.env("GIT_INDEX_FILE", self.folder.path().join("index"));
        fed(&mut git, input)
    }

    fn on(tree: &str, objects: &Path) -> History {
        let mut history = History { folder: tempfile::tempdir().unwrap(), commits: vec![] };
        history.git(&["init", "-q"], "");
        let alternates = history.folder.path().join(".git/objects/info/alternates");
        fs::write(alternates, format!("{}\n", objects.display())).unwrap();
        history.git(&["read-tree", tree], "");
        let source = history.git(&["cat-file", "blob", &format!("{tree}:{CUBIC}")], "");
        assert!(source.contains(BROKEN_LINE), "{CUBIC} has another line: adapt the test");
        for number in 0..=8 {
            let mut text = format!("{source}\n/* commit {number} */\n");
            if number >= PLANTED {
                text = text.replace(BROKEN_LINE, "ca->cnt = max(ca->cnt, 20000U);");
            }
            let blob = history.git(&["hash-object", "-w", "--stdin"], &text);
            history.git(&["update-index", "--add", "--cacheinfo", &format!("100644,{blob},{CUBIC}")], "");
            let tree = history.git(&["write-tree"], "");
            let mut commit = vec!["commit-tree".to_owned(), tree];
            commit.extend(history.commits.last().map(|parent| format!("-p{parent}")));
            let commit: Vec<&str> = commit.iter().map(String::as_str).collect();
            let commit = history.git(&commit, &format!("commit {number}"));
            history.commits.push(commit);
        }
        history.git(&["update-ref", "refs/heads/main", &history.commits[8]], "");
        history
    }
}

/// The source of the newest kernel: its tree, and where git has its objects.
fn source() -> (String, PathBuf) {
    let store = shared("sources/git");
    let version = kernel::find(None).unwrap().version;
    let git = |arguments: &[&str]| git(&store, arguments);
    let trees = git(&["for-each-ref", "--format=%(objectname)", "refs/sources"]);
    let [major, minor, patch] = version.split('.').collect::<Vec<_>>().try_into().unwrap();
    let head = format!("VERSION = {major}\nPATCHLEVEL = {minor}\nSUBLEVEL = {patch}\n");
    let tree = trees.lines().find(|tree| git(&["cat-file", "blob", &format!("{tree}:Makefile")]).contains(&head));
    let tree = tree.expect("the source of the newest kernel is in the cache, unless `goodput kernel clean` was run");
    (tree.to_owned(), store.join("objects"))
}

#[test]
fn a_planted_commit_is_found_among_eight() {
    let (tree, objects) = source();
    let history = History::on(&tree, &objects);
    let cache = KernelCache::with_tree(&[], &newest_series());
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("cubic.toml"), EXPERIMENT).unwrap();
    let bisect = |good: &str, bad: &str| {
        cache
            .goodput()
            .args(["bisect", "cubic.toml", "--json", "--good", good, "--bad", bad, "--tree"])
            .arg(history.folder.path())
            .current_dir(folder.path())
            .output()
            .unwrap()
    };
    let output = bisect(&history.commits[0], "main");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    let found = conforming("bisect", &output.stdout);
    assert_eq!(found["first_bad"], serde_json::json!([history.commits[PLANTED]]), "{said}");
    let steps = found["steps"].as_array().unwrap();
    assert!((4..=5).contains(&steps.len()), "the two ends and a search among eight: {said}");
    let bad = steps.iter().find(|step| step["commit"] == history.commits[PLANTED]).unwrap();
    assert_eq!((bad["mark"].as_str(), bad["subject"].as_str()), (Some("bad"), Some("commit 6")));
    assert!(bad["said"][0].as_str().unwrap().contains("at least 15.0 Mbit/s: FAILED"), "{bad}");

    let swapped = bisect("main", &history.commits[0]);
    assert_eq!(swapped.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&swapped.stderr).contains("is not an ancestor of"));
    let both_good = bisect(&history.commits[0], &history.commits[1]);
    assert_eq!(both_good.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&both_good.stderr).contains("was given as bad but is good"));
}
