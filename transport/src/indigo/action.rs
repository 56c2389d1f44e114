/// The number of actions.
pub const ACTIONS: usize = 5;

const MIN_WINDOW: f64 = 2.0;
/// The maximum window in packets. 1 Gbit/s × 200 ms is 16,900 packets of 1480 bytes.
const MAX_WINDOW: f64 = 20_000.0;

/// A change of the congestion window: halve, subtract 10 packets, hold, add 10 packets, double.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Action(pub usize);

impl Action {
    /// Keeps the window.
    pub const HOLD: Self = Self(2);
    /// Adds 10 packets.
    pub const MORE: Self = Self(3);

    /// Returns all actions.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..ACTIONS).map(Self)
    }

    /// Returns the window after the action, in packets.
    #[must_use]
    pub fn apply(self, window: f64) -> f64 {
        let changed = match self.0 {
            0 => window / 2.0,
            1 => window - 10.0,
            3 => window + 10.0,
            4 => window * 2.0,
            _ => window,
        };
        changed.clamp(MIN_WINDOW, MAX_WINDOW)
    }

    /// Returns the action as a number from -1 (halve) to 1 (double).
    #[must_use]
    pub fn as_input(self) -> f32 {
        (self.0 as f32 - 2.0) / 2.0
    }
}
