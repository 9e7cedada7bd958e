//! One page over many runs: a list with a filter, and two of their reports side by side. It needs no server.

use super::STYLE;
use evidence::counted;
use maud::{DOCTYPE, Markup, PreEscaped, html};

const SCRIPT: &str = include_str!("../../../../report/index.js");
/// Content security policy: only the reports below the page's own folder are framed.
const POLICY: &str = include_str!("../../../../report/index-policy.txt");

/// A run of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Folder from where goodput was started, as a shell's word.
    pub word: String,
    /// The run's folder and its report, relative to the page.
    pub folder: String,
    pub page: String,
    pub title: String,
    /// The first sentence of the verdict; may be empty.
    pub answer: String,
    pub trials: usize,
    pub kernels: String,
    /// Day on which the report was written.
    pub day: String,
}

pub fn index(runs: &[Listed]) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY.trim());
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { "goodput: " (counted(runs.len(), "run", "runs")) }
                link rel="icon" href="data:,";
                style { (PreEscaped(STYLE)) }
            }
            body.index {
                h1 { (counted(runs.len(), "run", "runs")) }
                form #controls hidden {
                    label { "Filter " input #filter type="search" autofocus; }
                    span.hint { "choose two to see them side by side" }
                }
                section.wide { table #runs { thead { (head()) } tbody { @for run in runs { (row(run)) } } } }
                p.key { code #chosen {} }
                section #beside {}
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    evidence::plain::text(&page.into_string()).into_owned()
}

fn head() -> Markup {
    html! { tr { th { "" } th { "experiment" } th { "answer" } th.number { "trials" } th { "kernel" } th { "day" } } }
}

fn row(run: &Listed) -> Markup {
    html! {
        tr data-page=(run.page) data-word=(run.word) {
            td { input type="checkbox" aria-label={ "compare " (run.folder) }; }
            td { a href=(run.page) { (run.title) } br; small { (run.folder) } }
            td { (run.answer) }
            td.number { (run.trials) }
            td { (run.kernels) }
            td { span.number { (run.day) } }
        }
    }
}
