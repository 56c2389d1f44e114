use super::links::TestLink;
use super::score::Trial;
use crate::controllers::Factory;
use crate::network::{Flow, Scenario, run};
use crate::training::in_parallel;

/// A controller to be compared.
#[derive(Clone)]
pub struct Candidate {
    /// Its name in the results.
    pub name: String,
    /// Makes it.
    pub factory: Factory,
}

/// Runs each candidate alone on each link for `duration_s`, with the same seed for all candidates of a link. `report` is called
/// after each link.
///
/// # Errors
/// A run fails.
pub fn compare(
    links: &[TestLink],
    candidates: &[Candidate],
    duration_s: f64,
    report: impl Fn(usize) + Sync,
) -> anyhow::Result<Vec<Trial>> {
    let results = in_parallel(links.len(), |index| {
        let TestLink { link, hosts } = links[index];
        let trials = candidates.iter().map(|candidate| {
            let flow = Flow { start_s: 0.0, controller: candidate.factory.clone() };
            let scenario = Scenario { link, hosts, flows: vec![flow], duration_s, seed: index as u64 };
            let result = run(&scenario)?[0];
            Ok(Trial {
                link: index,
                controller: candidate.name.clone(),
                throughput_mbps: result.throughput_mbps,
                rate_mbps: link.rate_mbps,
                delay_p95_ms: result.delay_p95_ms,
                one_way_delay_ms: link.one_way_delay_ms,
                loss: result.loss,
            })
        });
        let trials: anyhow::Result<Vec<Trial>> = trials.collect();
        report(index);
        trials
    });
    let mut trials = Vec::new();
    for result in results {
        trials.extend(result?);
    }
    Ok(trials)
}
