//! Compares controllers on links outside Indigo's training data, by the rules of PROTOCOL.md.

mod compare;
mod links;
mod results;
mod score;

pub use compare::{Candidate, compare};
pub use links::{LinkSet, TestLink, emulators};
pub use results::Results;
pub use score::{Difference, Score, Trial, difference, scores};
