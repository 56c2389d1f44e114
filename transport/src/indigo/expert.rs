//! The expert that Indigo imitates, which knows the link (F. Yan, thesis, section 3.7.2).

use super::action::Action;
use crate::network::{HEADER_BYTES, Hosts, Link};

/// The size of QUIC's largest datagram on an Ethernet path, including IP and UDP headers.
pub const PACKET_BYTES: f64 = 1452.0 + HEADER_BYTES as f64;

/// The expert's window in BDPs, to which it adds some packets. A window of exactly one BDP leaves
/// no queue, and without a queue a sender cannot distinguish a correct window from a too small one.
/// Therefore the expert keeps a queue of a tenth of the BDP and 3 packets.
const BDPS: f64 = 1.1;
const EXTRA_PACKETS: f64 = 3.0;
/// The largest share of a drop-tail queue that the expert fills.
const QUEUE_SHARE: f64 = 0.7;

/// Returns the window, in packets, with which each of `flows` flows fills the link but little of its queue.
#[must_use]
pub fn ideal_window(link: &Link, hosts: &Hosts, flows: usize) -> f64 {
    let packets_per_s = link.rate_mbps * 1e6 / 8.0 / PACKET_BYTES;
    let gathering_s = f64::from(hosts.ack_threshold) / 2.0 / packets_per_s;
    let hosts_s = 2.0 * hosts.wake_up_ms / 1e3 + gathering_s.min(hosts.max_ack_delay_ms / 1e3);
    let bdp = packets_per_s * (link.base_rtt_s() + hosts_s);
    let queue = link.queue_bytes.map_or(f64::INFINITY, |bytes| bytes as f64 / PACKET_BYTES * QUEUE_SHARE);
    let share = bdp / flows as f64;
    (share * BDPS + EXTRA_PACKETS).min(share + queue / flows as f64).max(2.0)
}

/// Returns the action that brings the window closest to the ideal one, preferring to hold.
#[must_use]
pub fn action(window: f64, ideal: f64) -> Action {
    let distance = |action: Action| (action.apply(window) - ideal).abs();
    Action::all().fold(Action::HOLD, |best, action| if distance(action) < distance(best) { action } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_a_tenth_of_the_bdp_and_three_packets() {
        let hosts = Hosts { wake_up_ms: 0.0, ack_threshold: 0, ..Hosts::default() };
        // 11.84 Mbit/s are 1000 packets of 1480 bytes per second, so the BDP of 40 ms is 40: 1.1 × 40 + 3 = 47.
        let link = Link::new(11.84, 20.0);
        assert!((ideal_window(&link, &hosts, 1) - 47.0).abs() < 1e-9);
        assert!((ideal_window(&link, &hosts, 2) - 25.0).abs() < 1e-9);
        let shallow = Link { queue_bytes: Some(5 * 1480), ..link };
        assert!((ideal_window(&shallow, &hosts, 1) - 43.5).abs() < 1e-9);
    }

    #[test]
    fn moves_towards_the_ideal_window() {
        assert_eq!([100.0, 25.0, 47.0, 50.0, 60.0, 90.0].map(|window| action(window, 47.0).0), [0, 4, 2, 2, 1, 0]);
        assert_eq!(action(38.0, 47.0), Action::MORE);
    }
}
