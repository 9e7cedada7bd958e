//! `compare`.

use crate::{Failure, facts, values, width};
use base::access::AccessError;
use base::output;
use base::show;
use clap::Args;
use goodput::schema;
use results::compare;
use results::report;
use std::path::PathBuf;

#[derive(Args)]
pub struct Arguments {
    /// Baseline: RUN, RUN:POINT (runs/x:cubic), FILE, or FILE:N.
    ///
    /// FILE is saved iperf3 output, or facts; FILE:N is the Nth iperf3 run in it.
    a: String,
    /// Side to compare with the baseline, in the same form.
    b: String,
    /// Measure to compare; may be repeated [default: the primary measures of the kind of flow].
    #[arg(long = "measure", value_name = "NAME")]
    measures: Vec<String>,
    /// Differences below this are equivalent, in percent.
    #[arg(long, value_name = "PERCENT", default_value_t = base::stats::MARGIN * 100.0, value_parser = |text: &str| values::percent(text, 50.0), allow_hyphen_values = true)]
    margin: f64,
    /// Compare even if the two runs used different networks.
    #[arg(long)]
    force: bool,
    /// Write both runs as one page: the same axes, and what differs.
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
    /// Print the comparisons as JSON.
    #[arg(long)]
    json: bool,
}

pub fn execute(arguments: Arguments) -> Result<u8, Failure> {
    let Arguments { a, b, measures, margin, force, page, json } = arguments;
    let files = [&a, &b].map(PathBuf::from);
    if files.iter().all(|file| file.is_file()) && facts::stated(&files)?.0.is_some() {
        return facts::print_differences(&facts::load(&files)?, json);
    }
    let request = compare::CompareRequest { sides: [a, b], measures, margin: margin / 100.0, force };
    let answer = compare::compare(&request)?;
    if let Some(file) = page {
        let report = compare::page(&request, &answer)?.ok_or_else(|| {
            Failure(
                "--page is for two runs\n\naccepted: RUN or RUN:POINT on both sides\nhint: goodput run records runs"
                    .into(),
            )
        })?;
        output::file(&file, &report::html(&report)).map_err(AccessError::writing(&file))?;
    }
    if json {
        out!("{}", crate::as_json(&schema::COMPARE, &answer)?);
    } else {
        let say = |head, text: &str| out!("{}", show::paragraph(head, text, width()).trim_end());
        answer.sentences.iter().for_each(|sentence| say("", sentence));
        if !answer.differences.is_empty() {
            out!("They differ in");
            answer.differences.iter().for_each(|difference| say("  ", difference));
        }
        answer.caveats.iter().for_each(|caveat| say("Caveat: ", caveat));
    }
    Ok(answer.exit_code())
}
