use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde::Serialize;
use std::collections::BTreeMap;

/// One run of one controller on one link.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Trial {
    /// The number of the link in its set.
    pub link: usize,
    /// The controller.
    pub controller: String,
    /// The rate at which the link delivered data.
    pub throughput_mbps: f64,
    /// The link's rate.
    pub rate_mbps: f64,
    /// 95th percentile of the packets' one-way delays.
    pub delay_p95_ms: f64,
    /// The link's propagation delay.
    pub one_way_delay_ms: f64,
    /// Share of packets that the link dropped.
    pub loss: f64,
}

impl Trial {
    /// Kleinrock's power: the binary logarithm of throughput in Mbit/s divided by the 95th
    /// percentile of one-way delay in ms. A perfect controller has 0.68 on the 210 links of F. Yan's
    /// thesis. With the natural logarithm it would have 0.47, less than Indigo's 0.53 in the thesis's
    /// Table D.1, so the thesis must use the binary logarithm.
    #[must_use]
    pub fn power(&self) -> f64 {
        (self.throughput_mbps / self.delay_p95_ms).log2()
    }
}

/// The results of a controller on a set of links.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Score {
    /// Mean power over all links.
    pub mean_power: f64,
    /// The mean difference between its power and the power of the best other controller on the same
    /// link.
    pub mean_lead: f64,
    /// The number of links on which it has the highest power.
    pub first: usize,
    /// The number of links on which at most one other controller has a higher power.
    pub among_best_two: usize,
    /// The number of links.
    pub links: usize,
    /// The mean throughput as a share of the link's rate.
    pub mean_utilization: f64,
    /// The minimum throughput as a share of the link's rate.
    pub least_utilization: f64,
    /// The mean ratio of the 95th percentile of the one-way delay to the propagation delay.
    pub mean_delay_ratio: f64,
}

/// Ranks controllers on each link by power. A run without throughput ranks last.
#[must_use]
pub fn scores(trials: &[Trial]) -> BTreeMap<String, Score> {
    let mut by_link: BTreeMap<usize, Vec<&Trial>> = BTreeMap::new();
    for trial in trials {
        by_link.entry(trial.link).or_default().push(trial);
    }
    let mut scores: BTreeMap<String, Score> = BTreeMap::new();
    for group in by_link.values() {
        for trial in group {
            let power = comparable(trial);
            let better = group.iter().filter(|other| comparable(other) > power).count();
            let score = scores
                .entry(trial.controller.clone())
                .or_insert_with(|| Score { least_utilization: f64::INFINITY, ..Score::default() });
            let others = group.iter().filter(|other| other.controller != trial.controller);
            let best_other = others.map(|other| comparable(other)).fold(f64::NEG_INFINITY, f64::max);
            score.links += 1;
            score.mean_lead += power - best_other;
            score.first += usize::from(better == 0);
            score.among_best_two += usize::from(better <= 1);
            let utilization = trial.throughput_mbps / trial.rate_mbps;
            score.mean_power += trial.power();
            score.mean_utilization += utilization;
            score.least_utilization = score.least_utilization.min(utilization);
            score.mean_delay_ratio += trial.delay_p95_ms / trial.one_way_delay_ms;
        }
    }
    for score in scores.values_mut() {
        let links = score.links as f64;
        score.mean_power /= links;
        score.mean_lead /= links;
        score.mean_utilization /= links;
        score.mean_delay_ratio /= links;
    }
    scores
}

/// A mean difference with its 95% interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// The mean.
    pub mean: f64,
    /// The 95% interval, from a bootstrap over links.
    pub ci95: [f64; 2],
}

/// Returns the power of `one` minus that of `other` on the same links; `None` if a run is missing or has no throughput.
#[must_use]
pub fn difference(trials: &[Trial], one: &str, other: &str) -> Option<Difference> {
    let powers = |name: &str| -> BTreeMap<usize, f64> {
        trials.iter().filter(|trial| trial.controller == name).map(|trial| (trial.link, trial.power())).collect()
    };
    let (one, other) = (powers(one), powers(other));
    let differences: Vec<f64> = one.iter().filter_map(|(link, power)| Some(power - other.get(link)?)).collect();
    if differences.is_empty() || differences.len() != other.len() || !differences.iter().all(|value| value.is_finite())
    {
        return None;
    }
    let count = differences.len();
    let mean = |values: &mut dyn Iterator<Item = f64>| values.sum::<f64>() / count as f64;
    let mut rng = StdRng::seed_from_u64(1);
    let mut means: Vec<f64> =
        (0..RESAMPLES).map(|_| mean(&mut (0..count).map(|_| differences[rng.random_range(0..count)]))).collect();
    means.sort_by(f64::total_cmp);
    let ci95 = [means[RESAMPLES / 40], means[RESAMPLES - RESAMPLES / 40 - 1]];
    Some(Difference { mean: mean(&mut differences.iter().copied()), ci95 })
}

const RESAMPLES: usize = 10_000;

fn comparable(trial: &Trial) -> f64 {
    let power = trial.power();
    if power.is_nan() { f64::NEG_INFINITY } else { power }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trial(controller: &str, throughput_mbps: f64, delay_p95_ms: f64) -> Trial {
        let controller = controller.into();
        Trial { link: 0, controller, throughput_mbps, rate_mbps: 10.0, delay_p95_ms, one_way_delay_ms: 10.0, loss: 0.0 }
    }

    #[test]
    fn ranks_by_throughput_over_delay() {
        let scores =
            scores(&[trial("a", 10.0, 40.0), trial("b", 8.0, 10.0), trial("c", 5.0, 10.0), trial("d", 0.0, f64::NAN)]);
        assert_eq!(scores["a"].mean_power, -2.0);
        let ranks = ["a", "b", "c", "d"].map(|name| (scores[name].first, scores[name].among_best_two));
        assert_eq!(ranks, [(0, 0), (1, 1), (0, 1), (0, 0)]);
        // Throughput over delay of b is 1.6 times that of c, and that of a is 0.3125 times that of b.
        assert!((scores["b"].mean_lead - 1.6f64.log2()).abs() < 1e-12);
        assert!((scores["a"].mean_lead - 0.3125f64.log2()).abs() < 1e-12);
    }

    #[test]
    fn gives_a_constant_difference_no_width() {
        let on = |link: usize, trial: Trial| Trial { link, ..trial };
        let trials: Vec<Trial> =
            (0..5).flat_map(|link| [on(link, trial("a", 10.0, 10.0)), on(link, trial("b", 5.0, 10.0))]).collect();
        assert_eq!(difference(&trials, "a", "b"), Some(Difference { mean: 1.0, ci95: [1.0, 1.0] }));
        assert_eq!(difference(&trials, "a", "c"), None);
    }
}
