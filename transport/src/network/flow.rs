use super::{Nanos, seconds};
use quinn_proto::congestion::ControllerFactory;
use serde::Serialize;
use std::sync::Arc;

/// A flow that always has data to send.
#[derive(Clone)]
pub struct Flow {
    /// The start of the flow.
    pub start_s: f64,
    /// Makes the congestion controller of the flow.
    pub controller: Arc<dyn ControllerFactory + Send + Sync>,
}

/// The results of a flow: the link's delivery of its packets.
#[derive(Clone, Copy, Debug, Serialize, PartialEq)]
pub struct FlowResult {
    /// The rate of IP bytes delivered between the flow's start and the end of the run.
    pub throughput_mbps: f64,
    /// The rate of IP bytes delivered from the start of the last flow on, while all flows share the
    /// link.
    pub shared_mbps: f64,
    /// The 95th percentile of the packets' one-way delays.
    pub delay_p95_ms: f64,
    /// The mean of the packets' one-way delays.
    pub delay_mean_ms: f64,
    /// The share of packets that the link dropped.
    pub loss: f64,
}

/// Counts the packets of a flow.
pub struct Meter {
    end: Nanos,
    shared_from: Nanos,
    shared_bytes: u64,
    delays_ms: Vec<f32>,
    bytes: u64,
    lost: u64,
}

impl Meter {
    /// Returns a meter that counts arrivals before `end`. All flows run from `shared_from` on.
    pub fn until(end: Nanos, shared_from: Nanos) -> Self {
        Self { end, shared_from, shared_bytes: 0, delays_ms: Vec::new(), bytes: 0, lost: 0 }
    }

    /// Counts a packet of `bytes`, sent at `sent`; `arrival` is `None` if it was dropped.
    pub fn record(&mut self, sent: Nanos, arrival: Option<Nanos>, bytes: u64) {
        match arrival {
            // The packet is still on its way at the end of the run.
            Some(arrival) if arrival >= self.end => {}
            Some(arrival) => {
                self.bytes += bytes;
                if arrival >= self.shared_from {
                    self.shared_bytes += bytes;
                }
                self.delays_ms.push((seconds(arrival - sent) * 1e3) as f32);
            }
            None => self.lost += 1,
        }
    }

    /// Returns the flow's results over `duration_s`. Without a packet, the throughput is 0 and the delays are NaN.
    pub fn finish(mut self, duration_s: f64) -> FlowResult {
        let packets = self.delays_ms.len();
        let delay_p95_ms = if packets == 0 {
            f64::NAN
        } else {
            let rank = (packets * 95).div_ceil(100) - 1;
            f64::from(*self.delays_ms.select_nth_unstable_by(rank, f32::total_cmp).1)
        };
        FlowResult {
            throughput_mbps: self.bytes as f64 * 8.0 / 1e6 / duration_s,
            shared_mbps: self.shared_bytes as f64 * 8.0 / 1e6 / seconds(self.end.saturating_sub(self.shared_from)),
            delay_p95_ms,
            delay_mean_ms: self.delays_ms.iter().map(|&delay| f64::from(delay)).sum::<f64>() / packets as f64,
            loss: self.lost as f64 / (packets as u64 + self.lost).max(1) as f64,
        }
    }
}
