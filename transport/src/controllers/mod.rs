//! Congestion controllers by name.

mod metered;

pub use metered::RttMeter;

use quinn_proto::congestion::{BbrConfig, ControllerFactory, CubicConfig, NewRenoConfig};
use std::sync::Arc;

/// Makes controllers for connections.
pub type Factory = Arc<dyn ControllerFactory + Send + Sync>;

/// The names that `factory` knows beside `indigo`, which needs a model.
pub const NAMES: [&str; 3] = ["cubic", "reno", "bbr"];

/// A factory by name; `None` if there is no such controller.
#[must_use]
pub fn factory(name: &str) -> Option<Factory> {
    Some(match name {
        "cubic" => Arc::new(CubicConfig::default()),
        "reno" => Arc::new(NewRenoConfig::default()),
        "bbr" => Arc::new(BbrConfig::default()),
        _ => return None,
    })
}
