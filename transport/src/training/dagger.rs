use super::adam::Adam;
use super::backpropagation::accumulate;
use super::draw::{TrainingLink, drawn, with_flows};
use crate::indigo::expert::ideal_window;
use crate::indigo::lstm::{Memory, PARAMETERS};
use crate::indigo::{IndigoConfig, Labeler, Lstm, Step};
use crate::network::{Flow, Link, Scenario, run};
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// The settings of the training.
#[derive(Clone, Debug)]
pub struct Options {
    /// The seed that determines the links, the initial weights and the order of the data.
    pub seed: u64,
    /// The number of rounds. In each, the network controls all links of the round.
    pub rounds: usize,
    /// The number of links in a round.
    pub links: usize,
    /// Calibrated links. If there are any, half of each round's links are drawn from them.
    pub calibrated: Vec<Link>,
}

/// The number of passes over all data after each round.
const EPOCHS: usize = 3;
/// The number of passes over all data after the last round.
const LAST_EPOCHS: usize = 10;
/// The number of sequences learned in parallel.
const BATCH: usize = 8;
/// The number of steps between two updates.
const CHUNK: usize = 50;
const RATE: f32 = 3e-3;
const LAST_RATE: f32 = 2e-4;

/// The progress after a round, or the final result.
#[derive(Clone, Copy, Debug)]
pub struct Round {
    /// The round, from 1.
    pub round: usize,
    /// The number of labeled decisions so far.
    pub steps: usize,
    /// The mean cross-entropy of the last pass.
    pub loss: f64,
    /// The share of the decisions for which the network's most likely action is the expert's.
    pub agreement: f64,
}

/// Trains a network, and calls `report` after each round.
///
/// # Errors
/// A link is invalid.
pub fn train(options: &Options, mut report: impl FnMut(Round)) -> anyhow::Result<(Lstm, Round)> {
    let mut rng = StdRng::seed_from_u64(options.seed);
    let mut network = Lstm::random(options.seed);
    let mut adam = Adam::new(PARAMETERS);
    let mut data: Vec<Vec<Step>> = Vec::new();
    let mut last = Round { round: 0, steps: 0, loss: f64::NAN, agreement: 0.0 };
    for round in 1..=options.rounds {
        let links: Vec<TrainingLink> = (0..options.links).map(|index| choose(&mut rng, options, index)).collect();
        // An untrained network needs help from the expert to reach different states.
        let expert_share = if round == 1 { 0.5 } else { 0.0 };
        data.extend(roll_out(&network, &links, expert_share, &mut rng)?);
        let epochs = if round == options.rounds { LAST_EPOCHS } else { EPOCHS };
        for epoch in 0..epochs {
            let fraction = ((round - 1) as f32 + (epoch + 1) as f32 / epochs as f32) / options.rounds as f32;
            let rate = RATE * (LAST_RATE / RATE).powf(fraction);
            let (loss, agreement) = learn(&mut network, &mut adam, &mut data, rate, &mut rng);
            last = Round { round, steps: data.iter().map(Vec::len).sum(), loss, agreement };
        }
        report(last);
    }
    Ok((network, last))
}

fn choose(rng: &mut StdRng, options: &Options, index: usize) -> TrainingLink {
    if options.calibrated.is_empty() || index.is_multiple_of(2) {
        return drawn(rng);
    }
    let link = options.calibrated[rng.random_range(0..options.calibrated.len())];
    with_flows(rng, link)
}

/// Runs each link once, on all cores, and returns a sequence of labeled decisions for each flow.
fn roll_out(
    network: &Lstm,
    links: &[TrainingLink],
    expert_share: f64,
    rng: &mut StdRng,
) -> anyhow::Result<Vec<Vec<Step>>> {
    let seeds: Vec<u64> = links.iter().map(|_| rng.random()).collect();
    let network = Arc::new(network.clone());
    let results = in_parallel(links.len(), |index| run_training(&network, &links[index], expert_share, seeds[index]));
    let mut sequences = Vec::new();
    for result in results {
        sequences.extend(result?);
    }
    Ok(sequences)
}

fn run_training(
    network: &Arc<Lstm>,
    training: &TrainingLink,
    expert_share: f64,
    seed: u64,
) -> anyhow::Result<Vec<Vec<Step>>> {
    let ideal = |flows| ideal_window(&training.link, &training.hosts, flows);
    let labelers: Vec<_> = (0..training.flows)
        .map(|index| {
            // Each later flow changes the ideal window.
            let ideal_windows = (index..training.flows)
                .map(|later| (Duration::from_secs_f64((later - index) as f64 * training.stagger_s), ideal(later + 1)))
                .collect();
            let rng = StdRng::seed_from_u64(seed ^ index as u64);
            Arc::new(Mutex::new(Labeler { ideal_windows, expert_share, rng, steps: Vec::new() }))
        })
        .collect();
    let flows = labelers.iter().enumerate().map(|(index, labeler)| Flow {
        start_s: index as f64 * training.stagger_s,
        controller: Arc::new(IndigoConfig { network: Arc::clone(network), labeler: Some(Arc::clone(labeler)) }),
    });
    let scenario = Scenario {
        link: training.link,
        hosts: training.hosts,
        flows: flows.collect(),
        duration_s: training.duration_s,
        seed,
    };
    run(&scenario)?;
    let take = |labeler: &Arc<Mutex<Labeler>>| {
        std::mem::take(&mut labeler.lock().unwrap_or_else(PoisonError::into_inner).steps)
    };
    Ok(labelers.iter().map(take).collect())
}

/// Runs one pass over all sequences, on only one core because an update takes only 3 ms. Returns
/// the mean loss and the share of decisions that agree with the expert's.
fn learn(network: &mut Lstm, adam: &mut Adam, data: &mut [Vec<Step>], rate: f32, rng: &mut StdRng) -> (f64, f64) {
    data.shuffle(rng);
    let (mut loss, mut agreed, mut steps) = (0.0, 0, 0);
    for batch in data.chunks(BATCH) {
        let mut memories = vec![Memory::default(); batch.len()];
        let longest = batch.iter().map(Vec::len).max().unwrap_or(0);
        for start in (0..longest).step_by(CHUNK) {
            let parts: Vec<&[Step]> =
                batch.iter().map(|steps| &steps[start.min(steps.len())..(start + CHUNK).min(steps.len())]).collect();
            let count: usize = parts.iter().map(|part| part.len()).sum();
            let mut sum = vec![0.0; PARAMETERS];
            for (part, memory) in parts.into_iter().zip(&mut memories) {
                let mut gradient = vec![0.0; PARAMETERS];
                let (part_loss, part_agreed) = accumulate(network, memory, part, &mut gradient);
                loss += part_loss;
                agreed += part_agreed;
                for (total, value) in sum.iter_mut().zip(gradient) {
                    *total += value / count as f32;
                }
            }
            steps += count;
            adam.update(network.parameters_mut(), &sum, rate);
        }
    }
    (loss / steps as f64, agreed as f64 / steps as f64)
}

/// Returns the results of `work` for each index below `count`, in the order of the indices,
/// computed on all cores.
pub fn in_parallel<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let workers = thread::available_parallelism().map_or(1, usize::from).min(count.max(1));
    let next = std::sync::atomic::AtomicUsize::new(0);
    let mut results: Vec<Option<T>> = (0..count).map(|_| None).collect();
    let slots: Vec<_> = results.iter_mut().map(Mutex::new).collect();
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    let Some(slot) = slots.get(index) else {
                        return;
                    };
                    let result = work(index);
                    **slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
                }
            });
        }
    });
    drop(slots);
    results.into_iter().flatten().collect()
}
