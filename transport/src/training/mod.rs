//! Training by imitation (DAgger): the network acts, the expert labels each state with its own
//! action, and the network learns from all labels so far.

mod adam;
mod backpropagation;
mod dagger;
mod draw;

pub use dagger::{Options, in_parallel, train};
pub use draw::{TrainingLink, drawn};
