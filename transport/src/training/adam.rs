/// The Adam optimizer (Kingma and Ba, 2015) with its usual constants.
pub struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
    updates: i32,
}

const MEAN_DECAY: f32 = 0.9;
const SQUARE_DECAY: f32 = 0.999;
const EPSILON: f32 = 1e-8;
/// The maximum norm of a gradient. Longer gradients are scaled down to it.
const LONGEST: f32 = 1.0;

impl Adam {
    /// Creates the optimizer of `length` parameters.
    pub fn new(length: usize) -> Self {
        Self { mean: vec![0.0; length], square: vec![0.0; length], updates: 0 }
    }

    /// Moves the parameters down the gradient.
    pub fn update(&mut self, parameters: &mut [f32], gradient: &[f32], rate: f32) {
        self.updates += 1;
        let length = gradient.iter().map(|value| value * value).sum::<f32>().sqrt();
        let scale = if length > LONGEST { LONGEST / length } else { 1.0 };
        let mean_share = 1.0 - MEAN_DECAY.powi(self.updates);
        let square_share = 1.0 - SQUARE_DECAY.powi(self.updates);
        for (index, parameter) in parameters.iter_mut().enumerate() {
            let slope = gradient[index] * scale;
            let mean = &mut self.mean[index];
            let square = &mut self.square[index];
            *mean += (1.0 - MEAN_DECAY) * (slope - *mean);
            *square += (1.0 - SQUARE_DECAY) * (slope * slope - *square);
            *parameter -= rate * (*mean / mean_share) / ((*square / square_share).sqrt() + EPSILON);
        }
    }
}
