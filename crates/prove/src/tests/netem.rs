//! Shares as netem(8) takes them.

use super::*;

#[test]
fn shares_are_written_as_netem_prints_them_back() {
    let line = Candidate::line(20e6, 100.0);
    let written = |kind: Mechanism, share: f64| line.with(kind, &[share, 4.0]).keys().pop().unwrap().literal();
    assert_eq!(written(Mechanism::Loss, 0.001_321_082_7), "\"0.132 %\"");
    assert_eq!(written(Mechanism::Loss, 0.5), "\"50.0 %\"");
    assert_eq!(written(Mechanism::Bursts, 0.013_210_827), "{ p = \"0.330 %\", r = \"25.0 %\" }");
    assert_eq!(written(Mechanism::Loss, 0.0), "\"0.000100 %\"");
    assert!(Fit::default().holds());
}
