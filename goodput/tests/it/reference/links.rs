//! Links of documents lead to headings that exist.

use super::*;

/// Links to headings resolve, in the same document or in another.
#[test]
fn links_to_headings_lead_to_them() {
    let mut links = 0;
    for document in documents() {
        let text = fs::read_to_string(&document).expect("a document");
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let Some((file, anchor)) = target.split_once('#').filter(|(file, _)| !file.contains("://")) else {
                continue;
            };
            let other = document.parent().expect("a folder").join(file);
            let other = if file.is_empty() { text.clone() } else { fs::read_to_string(other).unwrap_or_default() };
            let is_there = anchors(&other).contains(anchor);
            assert!(is_there, "{}: nothing is headed {target}", document.display());
            links += 1;
        }
    }
    assert!(links > 50, "{links} links found: documents read otherwise than this test expects");
}

/// All of them in the top folder and under docs/.
fn documents() -> Vec<PathBuf> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let inside = ["docs", "docs/decisions", "docs/explanation", "docs/how-to", "docs/reference", "docs/tutorial"];
    let folders = [vec![top.clone()], inside.map(|folder| top.join(folder)).to_vec()].concat();
    let files = folders.iter().flat_map(|folder| fs::read_dir(folder).expect("a folder"));
    let files = files.map(|file| file.expect("a file").path());
    files.filter(|path| path.extension().is_some_and(|ending| ending == "md")).collect()
}
