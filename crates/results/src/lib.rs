//! From measures to what people read.
//!
//! `judge` makes the verdict, `table` and `data` hold the numbers, `present` fills a report, `report` renders it as a page and
//! figures, `terminal` as text, `junit` for CI. `card` is what people forward. `suite` sets the runs of a folder side by side,
//! `compare` two runs or listings.

#![forbid(unsafe_code)]

pub mod card;
pub mod compare;
pub mod contents;
pub mod data;
pub mod judge;
pub mod junit;
pub mod report;
pub mod suite;
pub mod table;
pub mod terminal;
