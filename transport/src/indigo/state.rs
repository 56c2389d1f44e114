use super::action::Action;
use std::collections::VecDeque;
use std::time::Instant;

/// The number of inputs of the network.
pub const INPUTS: usize = 8;

/// The weight of the newest ACK in the moving averages.
const GAIN: f64 = 1.0 / 8.0;

/// The state that Indigo observes (F. Yan, thesis, section 3.7.1): moving averages of queuing delay,
/// sending rate and delivery rate, the window, and the last action. This project adds the standing
/// queue, measured by the minimum RTT within the last RTT.
#[derive(Clone, Default)]
pub struct State {
    min_rtt_s: f64,
    rtt_s: f64,
    queuing_s: f64,
    sending_rate: f64,
    delivery_rate: f64,
    delivered_bytes: u64,
    /// The ACKs of the last RTT, each with its arrival time and the total bytes delivered until
    /// then.
    acks: VecDeque<(Instant, u64)>,
    /// The RTT samples of the last RTT, in increasing order. A sample is removed when a lower one
    /// arrives.
    rtts: VecDeque<(Instant, f64)>,
    newest_sent: Option<Instant>,
}

impl State {
    /// Records the ACK of a packet of `bytes` that was sent at `sent`.
    pub fn on_ack(&mut self, now: Instant, sent: Instant, bytes: u64) {
        let rtt_s = now.saturating_duration_since(sent).as_secs_f64();
        let is_first = self.newest_sent.is_none();
        self.min_rtt_s = if is_first { rtt_s } else { self.min_rtt_s.min(rtt_s) };
        self.rtt_s = rtt_s;
        self.queuing_s += GAIN * (rtt_s - self.min_rtt_s - self.queuing_s);
        while self.rtts.back().is_some_and(|&(_, other)| other >= rtt_s) {
            self.rtts.pop_back();
        }
        self.rtts.push_back((now, rtt_s));
        self.delivered_bytes += bytes;
        self.newest_sent = self.newest_sent.max(Some(sent));
    }

    /// Updates the averages after all ACKs of a datagram. `in_flight` bytes were sent after the newest acknowledged packet.
    pub fn on_end_acks(&mut self, now: Instant, in_flight: u64) {
        let Some(sent) = self.newest_sent else {
            return;
        };
        // Find the last ACK before the packet was sent.
        while self.acks.get(1).is_some_and(|&(time, _)| time <= sent) {
            self.acks.pop_front();
        }
        while self.rtts.len() > 1 && self.rtts.front().is_some_and(|&(time, _)| time < sent) {
            self.rtts.pop_front();
        }
        if let Some(&(time, delivered)) = self.acks.front() {
            let elapsed_s = now.saturating_duration_since(time).as_secs_f64();
            if elapsed_s > 0.0 {
                let rate = (self.delivered_bytes - delivered) as f64 / elapsed_s;
                self.delivery_rate = average(self.delivery_rate, rate);
            }
        }
        if self.rtt_s > 0.0 {
            self.sending_rate = average(self.sending_rate, in_flight as f64 / self.rtt_s);
        }
        self.acks.push_back((now, self.delivered_bytes));
    }

    /// Returns the minimum RTT of the connection; 0 before the first ACK.
    #[must_use]
    pub fn min_rtt_s(&self) -> f64 {
        self.min_rtt_s
    }

    /// Returns the number of packets of the window that are in the queue, because they are not
    /// delivered within the minimum RTT.
    #[must_use]
    pub fn surplus(&self, window: f64, packet_bytes: f64) -> f64 {
        window - self.delivery_rate * self.min_rtt_s / packet_bytes
    }

    /// Returns the moving average of the RTT minus the minimum RTT, relative to the minimum.
    #[must_use]
    pub fn relative_queuing(&self) -> f64 {
        self.queuing_s / self.min_rtt_s.max(1e-6)
    }

    /// Returns the minimum RTT within the last RTT minus the overall minimum, relative to the
    /// overall minimum. This measures the standing queue, because delayed ACKs and late wake-ups do
    /// not affect a minimum.
    #[must_use]
    pub fn relative_standing_queue(&self) -> f64 {
        let standing_s = self.rtts.front().map_or(0.0, |&(_, rtt_s)| rtt_s - self.min_rtt_s);
        standing_s / self.min_rtt_s.max(1e-6)
    }

    /// Returns the network's input. Rates are relative to the window: if they were on a logarithmic
    /// scale of their own, the expert's excess of 10% over the BDP would be too small to learn.
    #[must_use]
    pub fn inputs(&self, window: f64, packet_bytes: f64, last: Action) -> [f32; INPUTS] {
        let surplus = self.surplus(window, packet_bytes);
        let sending_surplus = (self.sending_rate - self.delivery_rate) * self.min_rtt_s / packet_bytes;
        let relative = self.relative_queuing();
        let standing = self.relative_standing_queue();
        [
            (surplus / window).clamp(-2.0, 2.0),
            signed_log(surplus),
            relative / (1.0 + relative),
            standing / (1.0 + standing),
            (1.0 + self.queuing_s * 1e3).ln() / 4.0,
            (sending_surplus / window).clamp(-2.0, 2.0),
            window.log2() / 10.0,
            f64::from(last.as_input()),
        ]
        .map(|input| input as f32)
    }
}

/// Returns the updated moving average. It starts with the first sample.
fn average(value: f64, sample: f64) -> f64 {
    if value == 0.0 { sample } else { value + GAIN * (sample - value) }
}

fn signed_log(packets: f64) -> f64 {
    packets.signum() * (1.0 + packets.abs()).ln() / 4.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// Acknowledges a packet of 1000 bytes every millisecond, each 20 ms after it was sent, with 20 packets in flight.
    fn steady(packets: u64) -> State {
        let mut state = State::default();
        let start = Instant::now();
        for index in 0..packets {
            let sent = start + Duration::from_millis(index);
            let now = sent + Duration::from_millis(20);
            state.on_ack(now, sent, 1000);
            state.on_end_acks(now, 20_000);
        }
        state
    }

    #[test]
    fn sees_no_queue_where_the_window_is_the_bdp() {
        let state = steady(200);
        // 1000 packets/s for 20 ms are the 20 packets of the window.
        assert!(state.surplus(20.0, 1000.0).abs() < 0.1);
        assert!(state.relative_queuing() < 1e-6);
        let inputs = state.inputs(20.0, 1000.0, Action::HOLD);
        assert!(inputs[0].abs() < 0.01 && inputs[2].abs() < 1e-6 && inputs[5].abs() < 0.01, "{inputs:?}");
    }

    #[test]
    fn keeps_acks_of_one_rtt_only() {
        assert!(steady(10_000).acks.len() <= 22);
    }
}
