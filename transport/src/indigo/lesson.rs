use super::action::Action;
use super::expert;
use super::lstm::softmax;
use super::state::INPUTS;
use rand::RngExt;
use rand::rngs::StdRng;
use std::time::Duration;

/// Probability that a decision is replaced by halving or doubling, so that the network sees what to do after a wrong one.
const STUMBLE: f64 = 0.003;

/// What the network saw at a decision, and what the expert would have done.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The network's input.
    pub inputs: [f32; INPUTS],
    /// The expert's action.
    pub expert: Action,
}

/// A training run of one flow: it samples the actions, and asks the expert about each state that they lead to (DAgger).
pub struct Lesson {
    /// Ideal windows in packets, each from a time since the flow's start, in the order of time.
    pub ideal_windows: Vec<(Duration, f64)>,
    /// Probability that the expert's action is taken instead of the network's.
    pub expert_share: f64,
    /// Draws the actions.
    pub rng: StdRng,
    /// The decisions so far.
    pub steps: Vec<Step>,
}

impl Lesson {
    /// Records a decision, and returns the action to take.
    pub fn decide(&mut self, elapsed: Duration, window: f64, inputs: [f32; INPUTS], logits: &[f32; 5]) -> Action {
        let ideal = self.ideal_windows.iter().take_while(|(from, _)| *from <= elapsed).last().map_or(2.0, |at| at.1);
        let expert = expert::action(window, ideal);
        self.steps.push(Step { inputs, expert });
        if self.rng.random::<f64>() < STUMBLE {
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
