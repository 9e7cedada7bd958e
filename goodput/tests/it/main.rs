//! Everything that needs no guest: experiments and their errors, diagnosis, advice, comparisons, docs, the tree itself.

mod advise;
mod apply;
mod card;
mod cases;
mod compare;
mod congestion;
mod diagnose;
mod docs;
mod ending;
mod errors;
mod experiment;
mod field;
mod hostile;
mod keys;
mod layers;
mod manual;
mod mcp;
mod prove;
mod reference;
mod remedy;
mod schema;
mod skip;
mod suites;
mod suspicion;
mod tidy;
mod walls;
