use super::{HEADER_BYTES, Nanos, SECOND, nanos};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// How the bottleneck spaces packets (F. Yan, thesis, section 3.5: isochronous or memoryless).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Service {
    /// Every packet takes its size divided by the rate.
    #[default]
    Constant,
    /// Service times are exponential with the same mean.
    Poisson,
}

/// A link with the five parameters of Pantheon's emulators, plus a return path that delays ACKs,
/// and a varying rate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Link {
    /// Rate of the bottleneck, including IP headers.
    pub rate_mbps: f64,
    /// Propagation delay in each direction.
    pub one_way_delay_ms: f64,
    /// Capacity of the drop-tail queue in bytes; `None` is unlimited.
    #[serde(default)]
    pub queue_bytes: Option<u64>,
    /// Probability that a data packet is lost before the queue.
    #[serde(default)]
    pub loss: f64,
    /// How the link spaces the packets that it sends.
    #[serde(default)]
    pub service: Service,
    /// If not 0, the return path delivers only at multiples of this interval, like Wi-Fi and cable
    /// modems.
    #[serde(default)]
    pub ack_hold_ms: f64,
    /// If not 0, the rate changes each second, by up to this share above or below `rate_mbps`.
    #[serde(default)]
    pub wandering: f64,
}

impl Link {
    /// Returns a link without loss and with an unlimited queue.
    #[must_use]
    pub fn new(rate_mbps: f64, one_way_delay_ms: f64) -> Self {
        Self {
            rate_mbps,
            one_way_delay_ms,
            queue_bytes: None,
            loss: 0.0,
            service: Service::Constant,
            ack_hold_ms: 0.0,
            wandering: 0.0,
        }
    }

    /// Returns the propagation delay of both directions plus the mean delay of an ACK on the return path.
    #[must_use]
    pub fn base_rtt_s(&self) -> f64 {
        (2.0 * self.one_way_delay_ms + self.ack_hold_ms / 2.0) / 1e3
    }

    /// Returns the bytes that the bottleneck sends in a base RTT.
    #[must_use]
    pub fn bdp_bytes(&self) -> f64 {
        self.rate_mbps * 1e6 / 8.0 * self.base_rtt_s()
    }

    /// Checks the parameters. The error is one line.
    ///
    /// # Errors
    /// A parameter is out of range.
    pub fn check(&self) -> anyhow::Result<()> {
        anyhow::ensure!(
            self.rate_mbps > 0.0 && self.rate_mbps <= 1000.0,
            "rate_mbps is {}; use more than 0 and at most 1000",
            self.rate_mbps
        );
        anyhow::ensure!(
            (0.0..=2000.0).contains(&self.one_way_delay_ms),
            "one_way_delay_ms is {}; use 0 to 2000",
            self.one_way_delay_ms
        );
        anyhow::ensure!(
            (0.0..1.0).contains(&self.loss),
            "loss is {}; use a probability from 0 up to, not including, 1",
            self.loss
        );
        anyhow::ensure!(
            (0.0..=1000.0).contains(&self.ack_hold_ms),
            "ack_hold_ms is {}; use 0 to 1000",
            self.ack_hold_ms
        );
        anyhow::ensure!(
            (0.0..1.0).contains(&self.wandering),
            "wandering is {}; use a share from 0 up to, not including, 1",
            self.wandering
        );
        Ok(())
    }
}

/// The state of a link. Packets must be passed in the order of time.
pub struct Bottleneck {
    link: Link,
    rng: StdRng,
    /// The current rate, and the second for which it was drawn.
    rate_mbps: f64,
    rate_second: Option<u64>,
    /// The time when each packet in the queue will have been sent, and its size in bytes.
    queue: VecDeque<(Nanos, u64)>,
    queued_bytes: u64,
    free_at: Nanos,
    last_return: Nanos,
}

impl Bottleneck {
    /// Returns a link with an empty queue. `seed` determines loss, Poisson service and a changing rate.
    #[must_use]
    pub fn new(link: Link, seed: u64) -> Self {
        Self {
            link,
            rng: StdRng::seed_from_u64(seed),
            rate_mbps: link.rate_mbps,
            rate_second: None,
            queue: VecDeque::new(),
            queued_bytes: 0,
            free_at: 0,
            last_return: 0,
        }
    }

    /// Returns the time when a datagram of `payload` bytes arrives at the receiver; `None` if the link drops it.
    pub fn forward(&mut self, now: Nanos, payload: usize) -> Option<Nanos> {
        while let Some(&(sent, bytes)) = self.queue.front() {
            if sent > now {
                break;
            }
            self.queued_bytes -= bytes;
            self.queue.pop_front();
        }
        if self.link.loss > 0.0 && self.rng.random::<f64>() < self.link.loss {
            return None;
        }
        let bytes = payload as u64 + HEADER_BYTES;
        if let Some(limit) = self.link.queue_bytes
            && self.queued_bytes + bytes > limit
        {
            return None;
        }
        self.change_rate(now);
        let mean_s = bytes as f64 * 8.0 / (self.rate_mbps * 1e6);
        let service_s = match self.link.service {
            Service::Constant => mean_s,
            // 1 - u is never 0.
            Service::Poisson => -mean_s * (1.0 - self.rng.random::<f64>()).ln(),
        };
        self.free_at = self.free_at.max(now) + nanos(service_s);
        self.queued_bytes += bytes;
        self.queue.push_back((self.free_at, bytes));
        Some(self.free_at + nanos(self.link.one_way_delay_ms / 1e3))
    }

    /// Draws the rate of a second when the first packet of this second arrives.
    fn change_rate(&mut self, now: Nanos) {
        let second = now / SECOND;
        if self.link.wandering > 0.0 && self.rate_second != Some(second) {
            self.rate_second = Some(second);
            let change = self.link.wandering * (2.0 * self.rng.random::<f64>() - 1.0);
            self.rate_mbps = self.link.rate_mbps * (1.0 + change);
        }
    }

    /// Returns the time when a datagram from the receiver arrives at the sender.
    pub fn backward(&mut self, now: Nanos) -> Nanos {
        let arrival = now + nanos(self.link.one_way_delay_ms / 1e3);
        let hold = nanos(self.link.ack_hold_ms / 1e3);
        let released = if hold == 0 { arrival } else { arrival.div_ceil(hold) * hold };
        self.last_return = self.last_return.max(released);
        self.last_return
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sends_at_the_rate_and_drops_at_the_tail() {
        // 1472 + 28 bytes at 12 Mbit/s take 1 ms.
        let link = Link { queue_bytes: Some(3000), ..Link::new(12.0, 10.0) };
        let mut bottleneck = Bottleneck::new(link, 1);
        let arrivals: Vec<_> = (0..3).map(|_| bottleneck.forward(0, 1472)).collect();
        assert_eq!(arrivals, [Some(11_000_000), Some(12_000_000), None]);
        assert_eq!(bottleneck.forward(1_000_000, 1472), Some(13_000_000));
    }

    #[test]
    fn holds_acks_to_multiples_of_the_interval() {
        let link = Link { ack_hold_ms: 4.0, ..Link::new(12.0, 10.0) };
        let mut bottleneck = Bottleneck::new(link, 1);
        assert_eq!(bottleneck.backward(0), 12_000_000);
        assert_eq!(bottleneck.backward(3_000_000), 16_000_000);
        assert_eq!(bottleneck.backward(6_000_000), 16_000_000);
    }

    #[test]
    fn loses_and_spaces_packets_as_often_as_asked() {
        let link = Link { loss: 0.1, service: Service::Poisson, ..Link::new(12.0, 0.0) };
        let mut bottleneck = Bottleneck::new(link, 7);
        let arrivals: Vec<_> = (0..20_000).filter_map(|_| bottleneck.forward(0, 1472)).collect();
        // 20,000 draws at 0.1: the standard deviation of the share is 0.0021.
        assert!((arrivals.len() as f64 / 20_000.0 - 0.9).abs() < 0.01);
        let mean_ms = *arrivals.last().unwrap() as f64 / 1e6 / arrivals.len() as f64;
        assert!((mean_ms - 1.0).abs() < 0.03, "{mean_ms}");
    }
}
