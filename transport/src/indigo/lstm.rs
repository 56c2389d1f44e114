//! A neural network with one layer of long short-term memory (LSTM) and a linear output, in 32-bit
//! floats.

use super::action::ACTIONS;
use super::state::INPUTS;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// The number of hidden units (F. Yan, thesis, section 3.7.1).
pub const HIDDEN: usize = 32;
/// The input, forget, cell and output gates of each unit, in this order.
pub const GATES: usize = 4 * HIDDEN;
/// The rows of the gates' weights: the inputs, then the previous outputs of the hidden layer.
pub const ROWS: usize = INPUTS + HIDDEN;

const GATE_BIASES: usize = ROWS * GATES;
const OUTPUT: usize = GATE_BIASES + GATES;
const OUTPUT_BIASES: usize = OUTPUT + HIDDEN * ACTIONS;
/// The number of parameters.
pub const PARAMETERS: usize = OUTPUT_BIASES + ACTIONS;

/// The network's parameters in one vector: gate weights by row, gate biases, output weights by unit, output biases.
#[derive(Clone, Debug, PartialEq)]
pub struct Lstm {
    parameters: Vec<f32>,
}

/// The state of the network between steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Memory {
    /// The units' previous outputs.
    pub hidden: [f32; HIDDEN],
    /// The units' cells.
    pub cell: [f32; HIDDEN],
}

impl Default for Memory {
    fn default() -> Self {
        Self { hidden: [0.0; HIDDEN], cell: [0.0; HIDDEN] }
    }
}

/// The intermediate values of one step, for computing its derivative.
#[derive(Clone)]
pub struct Activation {
    /// The inputs, then the previous outputs of the hidden layer.
    pub row: [f32; ROWS],
    /// The gates after their activation functions.
    pub gates: [f32; GATES],
    /// The cells before this step.
    pub cell_before: [f32; HIDDEN],
    /// The hyperbolic tangent of the cells after this step.
    pub cell_tanh: [f32; HIDDEN],
    /// The hidden layer's outputs.
    pub hidden: [f32; HIDDEN],
    /// The outputs: a logit for each action.
    pub logits: [f32; ACTIONS],
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

impl Lstm {
    /// Returns a network with random weights, uniform within 1/sqrt(32), and forget biases of 1.
    #[must_use]
    pub fn random(seed: u64) -> Self {
        let mut rng = StdRng::seed_from_u64(seed);
        let bound = 1.0 / (HIDDEN as f32).sqrt();
        let mut parameters: Vec<f32> = (0..PARAMETERS).map(|_| (rng.random::<f32>() * 2.0 - 1.0) * bound).collect();
        parameters[GATE_BIASES + HIDDEN..GATE_BIASES + 2 * HIDDEN].fill(1.0);
        Self { parameters }
    }

    /// Returns a network with these parameters; `None` if their number is not `PARAMETERS`, or one is not finite.
    #[must_use]
    pub fn from_parameters(parameters: Vec<f32>) -> Option<Self> {
        let fits = parameters.len() == PARAMETERS && parameters.iter().all(|value| value.is_finite());
        fits.then_some(Self { parameters })
    }

    /// Returns all parameters.
    #[must_use]
    pub fn parameters(&self) -> &[f32] {
        &self.parameters
    }

    /// Returns all parameters, mutable.
    pub fn parameters_mut(&mut self) -> &mut [f32] {
        &mut self.parameters
    }

    /// Runs a step, and returns a logit for each action.
    pub fn step(&self, memory: &mut Memory, inputs: &[f32; INPUTS]) -> [f32; ACTIONS] {
        self.activate(memory, inputs).logits
    }

    /// Runs a step, and returns all intermediate values.
    pub fn activate(&self, memory: &mut Memory, inputs: &[f32; INPUTS]) -> Activation {
        let mut row = [0.0; ROWS];
        row[..INPUTS].copy_from_slice(inputs);
        row[INPUTS..].copy_from_slice(&memory.hidden);
        let mut gates = [0.0; GATES];
        gates.copy_from_slice(&self.parameters[GATE_BIASES..OUTPUT]);
        for (value, weights) in row.iter().zip(self.parameters[..GATE_BIASES].chunks_exact(GATES)) {
            for (gate, weight) in gates.iter_mut().zip(weights) {
                *gate += value * weight;
            }
        }
        let cell_before = memory.cell;
        let mut cell_tanh = [0.0; HIDDEN];
        for unit in 0..HIDDEN {
            let input = sigmoid(gates[unit]);
            let forget = sigmoid(gates[HIDDEN + unit]);
            let candidate = gates[2 * HIDDEN + unit].tanh();
            let output = sigmoid(gates[3 * HIDDEN + unit]);
            memory.cell[unit] = forget * cell_before[unit] + input * candidate;
            cell_tanh[unit] = memory.cell[unit].tanh();
            memory.hidden[unit] = output * cell_tanh[unit];
            gates[unit] = input;
            gates[HIDDEN + unit] = forget;
            gates[2 * HIDDEN + unit] = candidate;
            gates[3 * HIDDEN + unit] = output;
        }
        let mut logits = [0.0; ACTIONS];
        logits.copy_from_slice(&self.parameters[OUTPUT_BIASES..]);
        for (value, weights) in memory.hidden.iter().zip(self.output_weights().chunks_exact(ACTIONS)) {
            for (logit, weight) in logits.iter_mut().zip(weights) {
                *logit += value * weight;
            }
        }
        Activation { row, gates, cell_before, cell_tanh, hidden: memory.hidden, logits }
    }

    /// Returns the weights of the gates, one row for each input and unit.
    #[must_use]
    pub fn gate_weights(&self) -> &[f32] {
        &self.parameters[..GATE_BIASES]
    }

    /// Returns the weights of the output, one row for each unit.
    #[must_use]
    pub fn output_weights(&self) -> &[f32] {
        &self.parameters[OUTPUT..OUTPUT_BIASES]
    }
}

/// Splits a gradient into gate weights, gate biases, output weights and output biases.
pub fn parts(gradient: &mut [f32]) -> (&mut [f32], &mut [f32], &mut [f32], &mut [f32]) {
    let (gate_weights, rest) = gradient.split_at_mut(GATE_BIASES);
    let (gate_biases, rest) = rest.split_at_mut(GATES);
    let (output_weights, output_biases) = rest.split_at_mut(HIDDEN * ACTIONS);
    (gate_weights, gate_biases, output_weights, output_biases)
}

/// Returns the probability of each action.
#[must_use]
pub fn softmax(logits: &[f32; ACTIONS]) -> [f32; ACTIONS] {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let powers = logits.map(|logit| (logit - most).exp());
    let sum: f32 = powers.iter().sum();
    powers.map(|power| power / sum)
}
