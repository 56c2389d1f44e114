use crate::indigo::INPUTS;
use crate::indigo::Step;
use crate::indigo::lstm::{self, Activation, GATES, HIDDEN, Lstm, Memory, PARAMETERS, softmax};

/// Returns the total cross-entropy of consecutive steps, and the number of steps in which the
/// network's most likely action is the expert's. Adds the loss's gradient to `gradient`. Updates
/// `memory`, whose initial state is treated as a constant.
pub fn accumulate(network: &Lstm, memory: &mut Memory, steps: &[Step], gradient: &mut [f32]) -> (f64, usize) {
    debug_assert_eq!(gradient.len(), PARAMETERS);
    let activations: Vec<Activation> = steps.iter().map(|step| network.activate(memory, &step.inputs)).collect();
    let (gate_weights, gate_biases, output_weights, output_biases) = lstm::parts(gradient);
    let mut loss = 0.0;
    let mut agreed = 0;
    let mut d_hidden_next = [0.0_f32; HIDDEN];
    let mut d_cell_next = [0.0_f32; HIDDEN];
    for (step, activation) in steps.iter().zip(&activations).rev() {
        let Activation { row, gates, cell_before, cell_tanh, hidden, logits } = activation;
        let mut d_logits = softmax(logits);
        loss -= f64::from(d_logits[step.expert.0].max(1e-9).ln());
        agreed += usize::from(logits.iter().all(|logit| *logit <= logits[step.expert.0]));
        d_logits[step.expert.0] -= 1.0;
        let mut d_hidden = d_hidden_next;
        let width = d_logits.len();
        for (unit, weights) in network.output_weights().chunks_exact(width).enumerate() {
            for action in 0..width {
                output_weights[unit * width + action] += hidden[unit] * d_logits[action];
                d_hidden[unit] += weights[action] * d_logits[action];
            }
        }
        for (bias, d_logit) in output_biases.iter_mut().zip(d_logits) {
            *bias += d_logit;
        }
        let mut d_gates = [0.0_f32; GATES];
        for unit in 0..HIDDEN {
            let [input, forget, candidate, output] = [0, 1, 2, 3].map(|gate| gates[gate * HIDDEN + unit]);
            let d_cell = d_cell_next[unit] + d_hidden[unit] * output * (1.0 - cell_tanh[unit] * cell_tanh[unit]);
            d_gates[unit] = d_cell * candidate * input * (1.0 - input);
            d_gates[HIDDEN + unit] = d_cell * cell_before[unit] * forget * (1.0 - forget);
            d_gates[2 * HIDDEN + unit] = d_cell * input * (1.0 - candidate * candidate);
            d_gates[3 * HIDDEN + unit] = d_hidden[unit] * cell_tanh[unit] * output * (1.0 - output);
            d_cell_next[unit] = d_cell * forget;
        }
        for (value, sums) in row.iter().zip(gate_weights.chunks_exact_mut(GATES)) {
            for (sum, d_gate) in sums.iter_mut().zip(&d_gates) {
                *sum += value * d_gate;
            }
        }
        for (bias, d_gate) in gate_biases.iter_mut().zip(&d_gates) {
            *bias += d_gate;
        }
        let recurrent = &network.gate_weights()[INPUTS * GATES..];
        for (d_hidden, weights) in d_hidden_next.iter_mut().zip(recurrent.chunks_exact(GATES)) {
            *d_hidden = weights.iter().zip(&d_gates).map(|(weight, d_gate)| weight * d_gate).sum();
        }
    }
    (loss, agreed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::indigo::Action;
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn agrees_with_finite_differences() {
        let mut rng = StdRng::seed_from_u64(5);
        let steps: Vec<Step> = (0..12)
            .map(|_| Step {
                inputs: std::array::from_fn(|_| rng.random::<f32>() * 2.0 - 1.0),
                expert: Action(rng.random_range(0..5)),
            })
            .collect();
        let network = Lstm::random(9);
        let mut gradient = vec![0.0; PARAMETERS];
        accumulate(&network, &mut Memory::default(), &steps, &mut gradient);
        let loss = |index: usize, change: f32| {
            let mut moved = network.clone();
            moved.parameters_mut()[index] += change;
            accumulate(&moved, &mut Memory::default(), &steps, &mut vec![0.0; PARAMETERS]).0
        };
        for index in (0..PARAMETERS).step_by(37) {
            let measured = (loss(index, 0.01) - loss(index, -0.01)) / 0.02;
            let error = (measured - f64::from(gradient[index])).abs();
            assert!(error < 0.003 + 0.02 * measured.abs(), "{index}: {measured} and {}", gradient[index]);
        }
    }
}
