//! Congestion controllers by name.

mod copa;
mod metered;
mod vivace;

pub use copa::CopaConfig;
pub use metered::RttMeter;
pub use vivace::VivaceConfig;

use quinn_proto::congestion::{BbrConfig, ControllerFactory, CubicConfig, NewRenoConfig};
use std::sync::Arc;

/// Makes a congestion controller for each connection.
pub type Factory = Arc<dyn ControllerFactory + Send + Sync>;

/// The names that `factory` accepts. `indigo` is not among them, because it needs a model.
pub const NAMES: [&str; 5] = ["cubic", "reno", "bbr", "copa", "vivace"];

/// Returns the factory of a name; `None` if there is no such controller.
#[must_use]
pub fn factory(name: &str) -> Option<Factory> {
    Some(match name {
        "cubic" => Arc::new(CubicConfig::default()),
        "reno" => Arc::new(NewRenoConfig::default()),
        "copa" => Arc::new(CopaConfig),
        "vivace" => Arc::new(VivaceConfig),
        "bbr" => Arc::new(BbrConfig::default()),
        _ => return None,
    })
}
