//! Why a transfer cannot be reproduced.

/// How to measure a transfer that can be.
pub const HOW_TO_MEASURE: &str = "run `iperf3 -c HOST -t 10 -J` and a ping beside it, and give both";

/// Why a transfer cannot be reproduced, and the next step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The reason.
    pub why: String,
    /// The next step.
    pub hint: String,
}

/// Refuses a transfer.
pub fn refuse<T>(why: impl Into<String>, hint: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal { why: why.into(), hint: hint.into() })
}
