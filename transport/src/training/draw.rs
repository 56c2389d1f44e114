use crate::indigo::expert::PACKET_BYTES;
use crate::network::{Hosts, Link, Service};
use rand::RngExt;
use rand::rngs::StdRng;
use serde::{Deserialize, Serialize};

/// A training link with its hosts and flows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainingLink {
    /// The link.
    pub link: Link,
    /// The hosts at both ends of the link.
    pub hosts: Hosts,
    /// The number of flows that share the link.
    pub flows: usize,
    /// The time between the starts of two flows.
    pub stagger_s: f64,
    /// The length of the run.
    pub duration_s: f64,
}

/// A run lasts as long as its link needs for this many packets, within these limits.
const PACKETS: f64 = 40_000.0;
const SHORTEST_S: f64 = 5.0;
const LONGEST_S: f64 = 15.0;

fn log_uniform(rng: &mut StdRng, least: f64, greatest: f64) -> f64 {
    least * (greatest / least).powf(rng.random::<f64>())
}

/// Draws hosts whose wake-ups, timers and ACKs differ from the defaults. A busy machine delays a
/// program by 10 ms or more.
#[must_use]
pub fn drawn_hosts(rng: &mut StdRng) -> Hosts {
    Hosts {
        ack_threshold: [1, 1, 3, 9][rng.random_range(0..4)],
        max_ack_delay_ms: rng.random_range(5.0..25.0),
        wake_up_ms: log_uniform(rng, 0.02, 10.0),
        timer_tick_ms: if rng.random::<f64>() < 0.8 { 1.0 } else { 0.0 },
    }
}

/// Adds hosts, flows and a duration to a link.
#[must_use]
pub fn with_flows(rng: &mut StdRng, link: Link) -> TrainingLink {
    let packets_per_s = link.rate_mbps * 1e6 / 8.0 / PACKET_BYTES;
    let duration_s = (PACKETS / packets_per_s).clamp(SHORTEST_S, LONGEST_S);
    let flows = [1, 1, 1, 2, 2, 3][rng.random_range(0..6)];
    TrainingLink {
        link,
        hosts: drawn_hosts(rng),
        flows,
        stagger_s: rng.random_range(0.0..duration_s / 4.0),
        duration_s,
    }
}

/// Draws a link: 2 to 220 Mbit/s and 5 to 110 ms one way, some with a short queue, loss, Poisson service or delayed ACKs.
#[must_use]
pub fn drawn(rng: &mut StdRng) -> TrainingLink {
    let mut link = Link::new(log_uniform(rng, 2.0, 220.0), log_uniform(rng, 5.0, 110.0));
    if rng.random::<f64>() < 0.5 {
        let bdps = log_uniform(rng, 0.5, 6.0);
        link.queue_bytes = Some((link.bdp_bytes() * bdps).max(20.0 * PACKET_BYTES) as u64);
    }
    if rng.random::<f64>() < 0.2 {
        link.loss = log_uniform(rng, 1e-4, 1e-2);
    }
    if rng.random::<f64>() < 0.15 {
        link.service = Service::Poisson;
    }
    if rng.random::<f64>() < 0.25 {
        link.ack_hold_ms = rng.random_range(1.0..8.0);
    }
    with_flows(rng, link)
}
