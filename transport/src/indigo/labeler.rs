use super::action::Action;
use super::expert;
use super::lstm::softmax;
use super::state::INPUTS;
use rand::RngExt;
use rand::rngs::StdRng;
use std::time::Duration;

/// The probability that a random halving or doubling replaces a decision, so that the network
/// learns to correct a wrong window.
const PERTURBATION: f64 = 0.003;

/// The input of the network at a decision, and the expert's action.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The network's input.
    pub inputs: [f32; INPUTS],
    /// The expert's action.
    pub expert: Action,
}

/// The labeling of one flow in training: samples the actions, and labels each resulting state with
/// the expert's action (DAgger).
pub struct Labeler {
    /// Ideal windows in packets, with the time since the flow's start from which each applies, in order.
    pub ideal_windows: Vec<(Duration, f64)>,
    /// The probability of taking the expert's action instead of the network's.
    pub expert_share: f64,
    /// The random numbers for sampling actions.
    pub rng: StdRng,
    /// The decisions so far.
    pub steps: Vec<Step>,
}

impl Labeler {
    /// Records a decision, and returns the action to take.
    pub fn decide(&mut self, elapsed: Duration, window: f64, inputs: [f32; INPUTS], logits: &[f32; 5]) -> Action {
        let ideal = self.ideal_windows.iter().take_while(|(from, _)| *from <= elapsed).last().map_or(2.0, |at| at.1);
        let expert = expert::action(window, ideal);
        self.steps.push(Step { inputs, expert });
        if self.rng.random::<f64>() < PERTURBATION {
            return Action(if self.rng.random() { 0 } else { 4 });
        }
        if self.rng.random::<f64>() < self.expert_share {
            return expert;
        }
        let mut left = self.rng.random::<f32>();
        for (action, probability) in Action::all().zip(softmax(logits)) {
            left -= probability;
            if left < 0.0 {
                return action;
            }
        }
        Action::HOLD
    }
}
