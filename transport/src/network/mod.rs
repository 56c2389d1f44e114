//! QUIC connections over an emulated link in virtual time: quinn-proto without I/O, and one queue
//! of events instead of waiting.

mod flow;
mod host;
mod link;
mod run;

pub use flow::{Flow, FlowResult};
pub use link::{Link, Service};
pub use run::{Hosts, Scenario, run};

/// Virtual time since the start of a run, in nanoseconds.
pub type Nanos = u64;

/// One second.
pub const SECOND: Nanos = 1_000_000_000;

/// The size of IPv4 and UDP headers, which the link carries in addition to QUIC's own bytes.
pub const HEADER_BYTES: u64 = 28;

/// Converts seconds to virtual time.
#[must_use]
pub fn nanos(seconds: f64) -> Nanos {
    (seconds * SECOND as f64).round().max(0.0) as Nanos
}

/// Converts virtual time to seconds.
#[must_use]
pub fn seconds(time: Nanos) -> f64 {
    time as f64 / SECOND as f64
}
