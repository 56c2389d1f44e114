//! Indigo (F. Yan, thesis, section 3.7): an LSTM, trained to imitate an expert, sets the congestion window.

mod action;
mod controller;
pub mod expert;
mod labeler;
pub mod lstm;
mod model;
mod state;

pub use action::{ACTIONS, Action};
pub use controller::IndigoConfig;
pub use labeler::{Labeler, Step};
pub use lstm::Lstm;
pub use model::{Model, Provenance};
pub use state::INPUTS;
