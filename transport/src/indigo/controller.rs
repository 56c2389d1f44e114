use super::action::Action;
use super::labeler::Labeler;
use super::lstm::{Lstm, Memory};
use super::state::State;
use quinn_proto::RttEstimator;
use quinn_proto::congestion::{Controller, ControllerFactory};
use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The minimum interval between decisions (F. Yan, thesis, section 3.7.1).
const INTERVAL: Duration = Duration::from_millis(10);
const INITIAL_WINDOW: f64 = 10.0;
/// After this many consecutive holds without a queue, and after at least one RTT, the window grows.
/// The reason is that a correct window and a too small one can look the same, so the network may
/// have learned to hold in both cases.
const HOLDS_BEFORE_ESCAPE: u32 = 10;

/// Makes Indigo controllers.
pub struct IndigoConfig {
    /// The trained network.
    pub network: Arc<Lstm>,
    /// Only in training: decides instead of the network, and records the decisions.
    pub labeler: Option<Arc<Mutex<Labeler>>>,
}

impl ControllerFactory for IndigoConfig {
    fn build(self: Arc<Self>, now: Instant, current_mtu: u16) -> Box<dyn Controller> {
        Box::new(Indigo {
            config: self,
            started: now,
            mtu: current_mtu,
            window: INITIAL_WINDOW,
            state: State::default(),
            memory: Memory::default(),
            last: Action::HOLD,
            decided: now,
            holds: 0,
            holding_since: now,
        })
    }
}

#[derive(Clone)]
struct Indigo {
    config: Arc<IndigoConfig>,
    started: Instant,
    mtu: u16,
    /// Congestion window in packets.
    window: f64,
    state: State,
    memory: Memory,
    last: Action,
    decided: Instant,
    /// Consecutive decisions that held the window without a queue.
    holds: u32,
    holding_since: Instant,
}

impl Indigo {
    fn decide(&mut self, now: Instant) -> Action {
        let inputs = self.state.inputs(self.window, f64::from(self.mtu), self.last);
        let logits = self.config.network.step(&mut self.memory, &inputs);
        if let Some(labeler) = &self.config.labeler {
            let mut labeler = labeler.lock().unwrap_or_else(PoisonError::into_inner);
            return labeler.decide(now - self.started, self.window, inputs, &logits);
        }
        let likeliest = Action::all().fold(
            Action::HOLD,
            |best, action| {
                if logits[action.0] > logits[best.0] { action } else { best }
            },
        );
        self.escape(now, likeliest)
    }

    fn escape(&mut self, now: Instant, action: Action) -> Action {
        let surplus = self.state.surplus(self.window, f64::from(self.mtu));
        let is_queue_empty = surplus < 1.0 + self.window / 50.0 && self.state.relative_standing_queue() < 0.05;
        if action != Action::HOLD || !is_queue_empty {
            self.holds = 0;
            self.holding_since = now;
            return action;
        }
        self.holds += 1;
        let is_a_whole_rtt = (now - self.holding_since).as_secs_f64() > self.state.min_rtt_s();
        if self.holds < HOLDS_BEFORE_ESCAPE || !is_a_whole_rtt {
            return action;
        }
        self.holds = 0;
        self.holding_since = now;
        Action::MORE
    }
}

impl Controller for Indigo {
    fn on_ack(&mut self, now: Instant, sent: Instant, bytes: u64, _app_limited: bool, _rtt: &RttEstimator) {
        self.state.on_ack(now, sent, bytes);
    }

    fn on_end_acks(&mut self, now: Instant, in_flight: u64, app_limited: bool, _largest: Option<u64>) {
        self.state.on_end_acks(now, in_flight);
        // If the sender has too little data, its rate is that of the application, not of the link.
        if app_limited || now.saturating_duration_since(self.decided) < INTERVAL {
            return;
        }
        self.decided = now;
        self.last = self.decide(now);
        self.window = self.last.apply(self.window);
    }

    /// Ignores losses, because they are visible in the delivery rate.
    fn on_congestion_event(&mut self, _now: Instant, _sent: Instant, _persistent: bool, _lost_bytes: u64) {}

    fn on_mtu_update(&mut self, new_mtu: u16) {
        self.mtu = new_mtu;
    }

    fn window(&self) -> u64 {
        (self.window * f64::from(self.mtu)) as u64
    }

    fn clone_box(&self) -> Box<dyn Controller> {
        Box::new(self.clone())
    }

    fn initial_window(&self) -> u64 {
        (INITIAL_WINDOW * f64::from(self.mtu)) as u64
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}
