use quinn_proto::RttEstimator;
use quinn_proto::congestion::{Controller, ControllerFactory};
use std::any::Any;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A flow keeps about 1/DELTA packets in the queue (Arun and Balakrishnan, NSDI 2018, section 2).
const DELTA: f64 = 0.5;
/// The time window over which the minimum RTT is measured.
const MIN_RTT_WINDOW: Duration = Duration::from_secs(10);
const INITIAL_WINDOW: f64 = 10.0;
const MIN_WINDOW: f64 = 2.0;

/// Makes Copa controllers. They always use Copa's default mode, and never switch to the mode that
/// competes with queue-filling flows.
#[derive(Default)]
pub struct CopaConfig;

impl ControllerFactory for CopaConfig {
    fn build(self: Arc<Self>, now: Instant, current_mtu: u16) -> Box<dyn Controller> {
        Box::new(Copa {
            mtu: f64::from(current_mtu),
            window: INITIAL_WINDOW,
            smoothed_rtt: Duration::ZERO,
            standing: Minimum::default(),
            least: Minimum::default(),
            is_starting: true,
            velocity: 1.0,
            is_up: true,
            rtts_in_direction: 0,
            window_at_rtt: INITIAL_WINDOW,
            rtt_ends: now,
        })
    }
}

#[derive(Clone)]
struct Copa {
    mtu: f64,
    /// Congestion window in packets.
    window: f64,
    smoothed_rtt: Duration,
    /// The minimum RTT of the last half RTT.
    standing: Minimum,
    /// The minimum RTT of the last 10 s.
    least: Minimum,
    is_starting: bool,
    velocity: f64,
    is_up: bool,
    rtts_in_direction: u32,
    window_at_rtt: f64,
    rtt_ends: Instant,
}

impl Copa {
    /// Ends an RTT. Once the window has grown, or shrunk, for three RTTs in a row, the velocity doubles
    /// per RTT (Copa paper, section 2.2).
    fn end_rtt(&mut self, now: Instant) {
        let is_up = self.window > self.window_at_rtt;
        self.rtts_in_direction = if is_up == self.is_up { self.rtts_in_direction + 1 } else { 0 };
        self.velocity = if self.rtts_in_direction == 0 {
            1.0
        } else if self.rtts_in_direction >= 3 {
            self.velocity * 2.0
        } else {
            self.velocity
        };
        self.is_up = is_up;
        self.window_at_rtt = self.window;
        self.rtt_ends = now + self.smoothed_rtt;
    }
}

impl Controller for Copa {
    fn on_ack(&mut self, now: Instant, sent: Instant, bytes: u64, app_limited: bool, rtt: &RttEstimator) {
        let sample = now.saturating_duration_since(sent);
        self.smoothed_rtt = rtt.get();
        let standing = self.standing.update(now, sample, self.smoothed_rtt / 2);
        let least = self.least.update(now, sample, MIN_RTT_WINDOW);
        if app_limited {
            return;
        }
        let queuing_s = (standing - least).as_secs_f64();
        let is_below_target = self.window * DELTA * queuing_s <= standing.as_secs_f64();
        let acked = bytes as f64 / self.mtu;
        if self.is_starting && is_below_target {
            self.window += acked;
            return;
        }
        self.is_starting = false;
        if now >= self.rtt_ends {
            self.end_rtt(now);
        }
        if is_below_target != self.is_up {
            self.velocity = 1.0;
        }
        // The window grows by at most its own size per RTT.
        let change = (self.velocity / (DELTA * self.window)).min(1.0) * acked;
        self.window = if is_below_target { self.window + change } else { (self.window - change).max(MIN_WINDOW) };
    }

    /// The default mode ignores losses.
    fn on_congestion_event(&mut self, _now: Instant, _sent: Instant, _persistent: bool, _lost_bytes: u64) {}

    fn on_mtu_update(&mut self, new_mtu: u16) {
        self.mtu = f64::from(new_mtu);
    }

    fn window(&self) -> u64 {
        (self.window * self.mtu) as u64
    }

    fn clone_box(&self) -> Box<dyn Controller> {
        Box::new(self.clone())
    }

    fn initial_window(&self) -> u64 {
        (INITIAL_WINDOW * self.mtu) as u64
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}

/// The minimum of the samples in a time window. The candidates are sorted, oldest and smallest first.
#[derive(Clone, Default)]
struct Minimum(VecDeque<(Instant, Duration)>);

impl Minimum {
    fn update(&mut self, now: Instant, sample: Duration, window: Duration) -> Duration {
        while self.0.back().is_some_and(|&(_, value)| value >= sample) {
            self.0.pop_back();
        }
        self.0.push_back((now, sample));
        while self.0.len() > 1 && self.0.front().is_some_and(|&(time, _)| now - time > window) {
            self.0.pop_front();
        }
        self.0.front().map_or(sample, |&(_, value)| value)
    }
}
