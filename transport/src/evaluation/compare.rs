use super::links::TestLink;
use super::score::Trial;
use crate::controllers::Factory;
use crate::network::{Flow, Scenario, run};
use crate::training::in_parallel;
use quinn_proto::congestion::CubicConfig;
use std::sync::Arc;

/// A controller to compare.
#[derive(Clone)]
pub struct Candidate {
    /// The name in the results.
    pub name: String,
    /// Makes the controller.
    pub factory: Factory,
}

/// Runs a candidate on each link for `duration_s`, beside a CUBIC flow if the link has cross traffic. All candidates
/// share the seed of a link. Calls `report` after each link.
///
/// # Errors
/// A run fails.
pub fn compare(
    links: &[TestLink],
    candidate: &Candidate,
    duration_s: f64,
    report: impl Fn() + Sync,
) -> anyhow::Result<Vec<Trial>> {
    let trials = in_parallel(links.len(), |index| {
        let TestLink { link, hosts, has_cross_traffic } = links[index];
        let mut flows = vec![Flow { start_s: 0.0, controller: candidate.factory.clone() }];
        if has_cross_traffic {
            flows.push(Flow { start_s: 0.0, controller: Arc::new(CubicConfig::default()) });
        }
        let scenario = Scenario { link, hosts, flows, duration_s, seed: index as u64 };
        let result = run(&scenario)?[0];
        report();
        Ok(Trial {
            link: index,
            controller: candidate.name.clone(),
            rate_mbps: link.rate_mbps,
            one_way_delay_ms: link.one_way_delay_ms,
            throughput_mbps: result.throughput_mbps,
            delay_p95_ms: result.delay_p95_ms,
            loss: result.loss,
        })
    });
    trials.into_iter().collect()
}
