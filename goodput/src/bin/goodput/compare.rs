//! `compare`.

use crate::Failure;
use clap::Args;
use goodput::compare;
use std::io::Write;

#[derive(Args)]
pub struct Arguments {
    /// What is compared against: RUN, RUN:POINT such as runs/x:cubic, FILE of iperf3's, or FILE:N for its Nth listing.
    a: String,
    /// What is compared with it.
    b: String,
    /// Compare this measure; may be given several times [default: what the kinds of the flows are compared by].
    #[arg(long = "measure", value_name = "NAME")]
    measures: Vec<String>,
    /// The relative difference that counts as none, in per cent.
    #[arg(long, value_name = "PER CENT", default_value_t = goodput::stats::MARGIN * 100.0, value_parser = margin)]
    margin: f64,
    /// Compare runs over different paths.
    #[arg(long)]
    force: bool,
    /// Print the comparisons as JSON.
    #[arg(long)]
    json: bool,
}

fn margin(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.trim().trim_end_matches('%').trim().parse().ok();
    number.filter(|n| *n > 0.0 && *n <= 50.0).ok_or_else(|| "a number above 0 and up to 50 is accepted".into())
}

pub fn execute(arguments: Arguments) -> Result<u8, Failure> {
    let Arguments { a, b, measures, margin, force, json } = arguments;
    let answer = compare::compare(&compare::Request { sides: [a, b], measures, margin: margin / 100.0, force })?;
    if json {
        out!("{}", serde_json::to_string_pretty(&answer)?);
    } else {
        answer.sentences.iter().for_each(|sentence| out!("{sentence}"));
        if !answer.differences.is_empty() {
            out!("They differ in\n  {}", answer.differences.join("\n  "));
        }
        answer.caveats.iter().for_each(|caveat| out!("Caveat: {caveat}"));
    }
    Ok(answer.exit_code())
}
