//! Controllers side by side on links that Indigo was not trained on; PROTOCOL.md says what counts.

mod compare;
mod links;
mod results;
mod score;

pub use compare::{Candidate, compare};
pub use links::{LinkSet, TestLink, emulators};
pub use results::Results;
pub use score::{Difference, Score, Trial, difference, scores};
