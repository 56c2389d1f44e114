use quinn_proto::RttEstimator;
use quinn_proto::congestion::{Controller, ControllerFactory};
use std::any::Any;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The exponent of the rate in PCC Vivace's latency-aware utility (Dong et al., NSDI 2018, section
/// 3). Rates are in Mbit/s. The authors' implementation (PCC-Uspace) has the same constants.
const EXPONENT: f64 = 0.9;
/// The price of a growing RTT.
const RTT_PRICE: f64 = 900.0;
/// The price of loss.
const LOSS_PRICE: f64 = 11.35;
/// A slope of the RTT below this value counts as noise.
const LEAST_RTT_GRADIENT: f64 = 0.01;
/// With a loss above this share, the slope of the RTT is ignored: a full queue cannot grow, and the
/// slope then depends on which packets are dropped.
const FULL_QUEUE_LOSS: f64 = 0.05;
/// One trial of a pair is this share of the rate above it, and the other as much below it (Vivace paper, section 4).
const PROBE: f64 = 0.05;
/// The change of the rate in Mbit/s for a utility gradient of 1 per Mbit/s.
const STEP: f64 = 1.0;
/// The initial limit of a change, as a share of the rate.
const BOUNDARY: f64 = 0.05;
/// The increase of this limit each time it is reached.
const BOUNDARY_STEP: f64 = 0.1;
const MIN_RATE_MBPS: f64 = 0.1;
const INITIAL_WINDOW: f64 = 10.0;
const MIN_WINDOW: f64 = 4.0;
/// A monitor interval with fewer packets has no meaningful slope.
const MIN_INTERVAL_PACKETS: f64 = 10.0;

/// Makes Vivace controllers. Quinn paces by the window, so a rate is set as a window: the rate times the smoothed RTT.
#[derive(Default)]
pub struct VivaceConfig;

impl ControllerFactory for VivaceConfig {
    fn build(self: Arc<Self>, _now: Instant, current_mtu: u16) -> Box<dyn Controller> {
        Box::new(Vivace {
            mtu: f64::from(current_mtu),
            smoothed_rtt: None,
            ascent: Ascent::new(0.0),
            intervals: VecDeque::new(),
        })
    }
}

#[derive(Clone)]
struct Vivace {
    mtu: f64,
    /// The smoothed RTT; `None` before the first ACK.
    smoothed_rtt: Option<Duration>,
    ascent: Ascent,
    /// Monitor intervals that have packets in flight. The last interval is still being sent.
    intervals: VecDeque<Interval>,
}

/// A monitor interval: the packets sent in about one RTT at one rate.
#[derive(Clone)]
struct Interval {
    trial: Trial,
    rate_mbps: f64,
    start: Instant,
    end: Option<Instant>,
    sent: u64,
    acked: u64,
    lost: u64,
    /// For each packet, the time since the start of the interval at which it was sent, and its RTT,
    /// both in s.
    rtts: Vec<(f64, f64)>,
}

impl Interval {
    fn has(&self, sent: Instant) -> bool {
        self.start <= sent && self.end.is_none_or(|end| sent < end)
    }

    fn utility(&self, end: Instant) -> f64 {
        let duration_s = (end - self.start).as_secs_f64();
        let rate_mbps = self.sent as f64 * 8e-6 / duration_s;
        utility(rate_mbps, rtt_gradient(&self.rtts, duration_s), self.lost as f64 / self.sent as f64)
    }
}

impl Vivace {
    /// Learns from the completed intervals: those whose packets have all been acknowledged or
    /// declared lost, or are overdue.
    fn learn(&mut self, now: Instant) {
        while let Some(interval) = self.intervals.front() {
            let Some(end) = interval.end else { return };
            let patience = 2 * self.smoothed_rtt.unwrap_or_default();
            if interval.acked + interval.lost < interval.sent && now < end + patience {
                return;
            }
            self.ascent.learn(interval.trial, interval.utility(end));
            self.intervals.pop_front();
        }
    }

    fn interval_of(&mut self, sent: Instant) -> Option<&mut Interval> {
        self.intervals.iter_mut().rev().find(|interval| interval.has(sent))
    }
}

impl Controller for Vivace {
    fn on_sent(&mut self, now: Instant, bytes: u64, _last_packet_number: u64) {
        let Some(rtt) = self.smoothed_rtt else { return };
        let least_bytes = MIN_INTERVAL_PACKETS * self.mtu;
        if let Some(last) = self.intervals.back_mut()
            && now >= last.start + rtt
            && last.sent as f64 >= least_bytes
        {
            last.end = Some(now);
        }
        if self.intervals.back().is_none_or(|last| last.end.is_some()) {
            let (trial, rate_mbps) = self.ascent.next();
            self.intervals.push_back(Interval {
                trial,
                rate_mbps,
                start: now,
                end: None,
                sent: 0,
                acked: 0,
                lost: 0,
                rtts: Vec::new(),
            });
        }
        if let Some(last) = self.intervals.back_mut() {
            last.sent += bytes;
        }
    }

    fn on_ack(&mut self, now: Instant, sent: Instant, bytes: u64, _app_limited: bool, rtt: &RttEstimator) {
        let sample = now.saturating_duration_since(sent);
        if self.smoothed_rtt.is_none() {
            // The estimator includes this sample only after this call, so set the values from the
            // sample itself.
            self.ascent = Ascent::new(INITIAL_WINDOW * self.mtu * 8e-6 / sample.as_secs_f64());
            self.smoothed_rtt = Some(sample);
        } else {
            self.smoothed_rtt = Some(rtt.get());
        }
        if let Some(interval) = self.interval_of(sent) {
            interval.acked += bytes;
            interval.rtts.push(((sent - interval.start).as_secs_f64(), sample.as_secs_f64()));
        }
        self.learn(now);
    }

    fn on_congestion_event(&mut self, now: Instant, sent: Instant, _persistent: bool, lost_bytes: u64) {
        if let Some(interval) = self.interval_of(sent) {
            interval.lost += lost_bytes;
        }
        self.learn(now);
    }

    fn on_mtu_update(&mut self, new_mtu: u16) {
        self.mtu = f64::from(new_mtu);
    }

    fn window(&self) -> u64 {
        let (Some(rtt), Some(interval)) = (self.smoothed_rtt, self.intervals.back()) else {
            return self.initial_window();
        };
        let bytes = interval.rate_mbps * 1e6 / 8.0 * rtt.as_secs_f64();
        bytes.max(MIN_WINDOW * self.mtu) as u64
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

/// Returns the utility of a rate in Mbit/s, given the RTT's growth in seconds per second and the
/// share of lost bytes.
fn utility(rate_mbps: f64, rtt_gradient: f64, loss: f64) -> f64 {
    let is_noise = rtt_gradient.abs() < LEAST_RTT_GRADIENT || loss > FULL_QUEUE_LOSS;
    let gradient = if is_noise { 0.0 } else { rtt_gradient };
    rate_mbps.powf(EXPONENT) - RTT_PRICE * rate_mbps * gradient - LOSS_PRICE * rate_mbps * loss
}

/// The purpose of an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Trial {
    /// Sends at the next rate of the slow start.
    Start,
    Up,
    Down,
    /// Keeps the current rate while earlier intervals have no result yet.
    Wait,
}

/// Gradient ascent on the utility (Vivace paper, section 4). The slow start doubles the rate until the
/// utility falls. After that, pairs of trials around the rate determine the gradient.
#[derive(Clone)]
struct Ascent {
    rate_mbps: f64,
    /// The utility of the slow start's last rate; `None` after the slow start.
    starting: Option<f64>,
    planned: VecDeque<Trial>,
    up: Option<f64>,
    down: Option<f64>,
    /// The number of consecutive changes in the same direction, not counting the first.
    streak: u32,
    is_up: bool,
    /// The number of times that the boundary was increased.
    widened: u32,
}

impl Ascent {
    fn new(rate_mbps: f64) -> Self {
        Self {
            rate_mbps,
            starting: Some(f64::NEG_INFINITY),
            planned: VecDeque::from([Trial::Start]),
            up: None,
            down: None,
            streak: 0,
            is_up: true,
            widened: 0,
        }
    }

    fn next(&mut self) -> (Trial, f64) {
        let trial = self.planned.pop_front().unwrap_or(Trial::Wait);
        let share = match trial {
            Trial::Up => 1.0 + PROBE,
            Trial::Down => 1.0 - PROBE,
            Trial::Start | Trial::Wait => 1.0,
        };
        (trial, self.rate_mbps * share)
    }

    fn learn(&mut self, trial: Trial, utility: f64) {
        match (trial, self.starting) {
            (Trial::Start, Some(before)) if utility > before => {
                self.starting = Some(utility);
                self.rate_mbps *= 2.0;
                self.planned.push_back(Trial::Start);
            }
            (Trial::Start, _) => {
                self.starting = None;
                self.rate_mbps = (self.rate_mbps / 2.0).max(MIN_RATE_MBPS);
                self.probe();
            }
            (Trial::Up, _) => self.up = Some(utility),
            (Trial::Down, _) => self.down = Some(utility),
            (Trial::Wait, _) => {}
        }
        if let (Some(up), Some(down)) = (self.up, self.down) {
            self.step((up - down) / (2.0 * PROBE * self.rate_mbps));
            self.probe();
        }
    }

    /// Plans a pair of trials. The trial in the direction of the last change comes first.
    fn probe(&mut self) {
        (self.up, self.down) = (None, None);
        let pair = if self.is_up { [Trial::Up, Trial::Down] } else { [Trial::Down, Trial::Up] };
        self.planned.extend(pair);
    }

    /// Changes the rate along the gradient. The change is amplified while the direction stays the
    /// same, and limited by the boundary (Vivace paper, section 4).
    fn step(&mut self, gradient: f64) {
        if gradient == 0.0 {
            // A zero gradient neither confirms nor reverses the direction.
            (self.streak, self.widened) = (0, 0);
            return;
        }
        let is_up = gradient > 0.0;
        if is_up == self.is_up {
            self.streak += 1;
        } else {
            (self.streak, self.widened) = (0, 0);
        }
        self.is_up = is_up;
        let amplifier = if self.streak <= 3 { self.streak.max(1) } else { 2 * self.streak - 3 };
        let share = STEP * f64::from(amplifier) * gradient.abs() / self.rate_mbps;
        let boundary = BOUNDARY + BOUNDARY_STEP * f64::from(self.widened);
        if share > boundary {
            self.widened += 1;
        } else {
            self.widened = ((share - BOUNDARY) / BOUNDARY_STEP).ceil().max(0.0) as u32;
        }
        let change = share.min(boundary) * if is_up { 1.0 } else { -1.0 };
        self.rate_mbps = (self.rate_mbps * (1.0 + change)).max(MIN_RATE_MBPS);
    }
}

/// Returns the growth of the RTT in an interval, in seconds per second. The paper uses a
/// regression, which mistakes bursts for a growing queue, and quinn sends bursts of up to ten
/// packets. Therefore this function compares the minimum RTTs of the two halves, which do not
/// depend on bursts.
fn rtt_gradient(rtts: &[(f64, f64)], duration_s: f64) -> f64 {
    let middle_s = duration_s / 2.0;
    let least = |is_late: bool| {
        let half = rtts.iter().filter(|(sent_s, _)| (*sent_s >= middle_s) == is_late);
        half.map(|&(_, rtt_s)| rtt_s).fold(f64::INFINITY, f64::min)
    };
    let growth = (least(true) - least(false)) / middle_s;
    if growth.is_finite() { growth } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_a_growing_rtt_and_loss() {
        // Computed by hand: 10^0.9 = 7.943; 900 · 10 · 0.02 = 180; 11.35 · 10 · 0.04 = 4.54.
        assert!((utility(10.0, 0.0, 0.0) - 7.943).abs() < 1e-3);
        assert!((utility(10.0, 0.02, 0.04) - (7.943 - 180.0 - 4.54)).abs() < 1e-3);
        // A slope of 0.009 counts as noise, and so does any slope of an overflowing queue.
        assert_eq!(utility(10.0, 0.009, 0.0), utility(10.0, 0.0, 0.0));
        assert_eq!(utility(10.0, 0.5, 0.06), utility(10.0, 0.0, 0.06));
    }

    #[test]
    fn takes_the_growth_of_the_least_rtt() {
        // Two bursts of two packets; the second burst waits 2 ms longer in the queue. Each half takes 20 ms.
        let rtts = [(0.0, 0.040), (0.001, 0.048), (0.025, 0.042), (0.026, 0.050)];
        assert!((rtt_gradient(&rtts, 0.04) - 0.1).abs() < 1e-9);
        assert_eq!(rtt_gradient(&rtts[..2], 0.04), 0.0);
    }

    #[test]
    fn grows_by_a_boundary_that_widens_while_the_direction_stays() {
        let mut ascent = Ascent::new(100.0);
        let rates = [1000.0, 1000.0, 1000.0, -1000.0].map(|gradient| {
            ascent.step(gradient);
            ascent.rate_mbps
        });
        // By hand: each change reaches the boundary, 5%, 15%, 25%, and again 5% when the direction changes.
        let expected = [105.0, 105.0 * 1.15, 105.0 * 1.15 * 1.25, 105.0 * 1.15 * 1.25 * 0.95];
        for (rate, by_hand) in rates.iter().zip(expected) {
            assert!((rate - by_hand).abs() < 1e-9, "{rates:?}");
        }
    }

    #[test]
    fn amplifies_a_small_gradient_while_the_direction_stays() {
        let mut ascent = Ascent::new(1000.0);
        let changes = [1.0; 6].map(|gradient| {
            let before = ascent.rate_mbps;
            ascent.step(gradient);
            ascent.rate_mbps - before
        });
        // By hand: change n in one direction is amplified by n, and from the fourth on by 2n - 3: 5, 7 and 9.
        for (change, by_hand) in changes.iter().zip([1.0, 2.0, 3.0, 5.0, 7.0, 9.0]) {
            assert!((change - by_hand).abs() < 1e-9, "{changes:?}");
        }
    }

    #[test]
    fn begins_anew_when_the_direction_changes() {
        let mut ascent = Ascent::new(1000.0);
        let changes = [1.0, 1.0, 1.0, -1.0, -1.0, -1.0, -1.0, 0.0, -1.0].map(|gradient| {
            let before = ascent.rate_mbps;
            ascent.step(gradient);
            ascent.rate_mbps - before
        });
        // By hand: a reversal resets the streak to 0. The amplifiers of streaks 0, 1, 2 and 3 are 1, 1, 2 and 3.
        for (change, by_hand) in changes.iter().zip([1.0, 2.0, 3.0, -1.0, -1.0, -2.0, -3.0, 0.0, -1.0]) {
            assert!((change - by_hand).abs() < 1e-9, "{changes:?}");
        }
    }

    #[test]
    fn narrows_the_boundary_to_the_least_that_allows_the_change() {
        let mut ascent = Ascent::new(100.0);
        // These gradients far exceed the boundaries of 5%, 15% and 25%, so the boundary becomes 35%.
        for _ in 0..3 {
            ascent.step(1000.0);
        }
        assert_eq!(ascent.widened, 3);
        // Computed by hand: the fourth change has an amplifier of 5 and requests 12% of the rate. The smallest boundary
        // that allows it is 5% + 1 · 10%.
        let before = ascent.rate_mbps;
        ascent.step(0.12 * before / 5.0);
        assert_eq!(ascent.widened, 1);
        assert!((ascent.rate_mbps / before - 1.12).abs() < 1e-9);
        // The fifth change requests more than 15%, and is limited to 15%.
        let before = ascent.rate_mbps;
        ascent.step(before);
        assert!((ascent.rate_mbps / before - 1.15).abs() < 1e-9);
    }

    #[test]
    fn takes_the_gradient_of_a_pair_of_trials() {
        for (rate, by_hand) in [(100.0, 100.0 + 0.5679), (10.0, 10.5)] {
            let mut ascent = Ascent::new(rate);
            // The slow start ends immediately.
            ascent.starting = Some(f64::INFINITY);
            ascent.learn(Trial::Start, 0.0);
            ascent.rate_mbps = rate;
            for trial in [Trial::Up, Trial::Down] {
                let share = if trial == Trial::Up { 1.05 } else { 0.95 };
                ascent.learn(trial, utility(share * rate, 0.0, 0.0));
            }
            // Computed by hand: (105^0.9 - 95^0.9) / 10 = (65.9281 - 60.2492) / 10 = 0.5679. At 10 Mbit/s it is 0.715,
            // which exceeds the boundary of 5%.
            assert!((ascent.rate_mbps - by_hand).abs() < 1e-3, "{}", ascent.rate_mbps);
        }
    }

    /// Simulates trials on a link. The excess over its rate increases the RTT or, with a full queue, the loss.
    fn rates_on(link_mbps: f64, queue_is_full: bool, trials: usize) -> Vec<f64> {
        let mut ascent = Ascent::new(2.0);
        (0..trials)
            .map(|_| {
                let (trial, rate) = ascent.next();
                let excess = (rate / link_mbps - 1.0).max(0.0);
                let outcome = if queue_is_full {
                    utility(rate, 0.0, excess / (1.0 + excess))
                } else {
                    utility(rate, excess, 0.0)
                };
                ascent.learn(trial, outcome);
                rate
            })
            .collect()
    }

    #[test]
    fn doubles_until_the_utility_falls_and_finds_the_rate_of_the_link() {
        for is_full in [false, true] {
            let rates = rates_on(20.0, is_full, 300);
            assert_eq!(rates[..5], [2.0, 4.0, 8.0, 16.0, 32.0], "{is_full}");
            let settled = &rates[100..];
            let mean = settled.iter().sum::<f64>() / settled.len() as f64;
            assert!((mean - 20.0).abs() < 2.0, "{is_full}: {mean}");
        }
    }
}
