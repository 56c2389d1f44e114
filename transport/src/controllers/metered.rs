use super::Factory;
use quinn_proto::RttEstimator;
use quinn_proto::congestion::{Controller, ControllerFactory, ControllerMetrics};
use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Measures the RTTs of packets at the sender, from sending to ACK, including the delay of the ACK.
#[derive(Clone, Default)]
pub struct RttMeter(Arc<Mutex<Vec<f32>>>);

impl RttMeter {
    /// Returns a factory for the controllers of `inner` that also records the RTT of each packet.
    #[must_use]
    pub fn around(&self, inner: Factory) -> Factory {
        Arc::new(MeteredFactory { inner, meter: self.clone() })
    }

    /// Returns the 95th percentile in milliseconds; NaN before the first ACK.
    #[must_use]
    pub fn p95_ms(&self) -> f64 {
        let mut rtts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if rtts.is_empty() {
            return f64::NAN;
        }
        let rank = (rtts.len() * 95).div_ceil(100) - 1;
        f64::from(*rtts.select_nth_unstable_by(rank, f32::total_cmp).1) * 1e3
    }

    fn record(&self, rtt_s: f32) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(rtt_s);
    }
}

struct MeteredFactory {
    inner: Factory,
    meter: RttMeter,
}

impl ControllerFactory for MeteredFactory {
    fn build(self: Arc<Self>, now: Instant, current_mtu: u16) -> Box<dyn Controller> {
        Box::new(Metered { inner: self.inner.clone().build(now, current_mtu), meter: self.meter.clone() })
    }
}

struct Metered {
    inner: Box<dyn Controller>,
    meter: RttMeter,
}

impl Controller for Metered {
    fn on_sent(&mut self, now: Instant, bytes: u64, last_packet_number: u64) {
        self.inner.on_sent(now, bytes, last_packet_number);
    }

    fn on_ack(&mut self, now: Instant, sent: Instant, bytes: u64, app_limited: bool, rtt: &RttEstimator) {
        self.meter.record(now.saturating_duration_since(sent).as_secs_f32());
        self.inner.on_ack(now, sent, bytes, app_limited, rtt);
    }

    fn on_end_acks(&mut self, now: Instant, in_flight: u64, app_limited: bool, largest: Option<u64>) {
        self.inner.on_end_acks(now, in_flight, app_limited, largest);
    }

    fn on_congestion_event(&mut self, now: Instant, sent: Instant, persistent: bool, lost_bytes: u64) {
        self.inner.on_congestion_event(now, sent, persistent, lost_bytes);
    }

    fn on_mtu_update(&mut self, new_mtu: u16) {
        self.inner.on_mtu_update(new_mtu);
    }

    fn window(&self) -> u64 {
        self.inner.window()
    }

    fn metrics(&self) -> ControllerMetrics {
        self.inner.metrics()
    }

    fn clone_box(&self) -> Box<dyn Controller> {
        Box::new(Self { inner: self.inner.clone_box(), meter: self.meter.clone() })
    }

    fn initial_window(&self) -> u64 {
        self.inner.initial_window()
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self.inner.into_any()
    }
}
