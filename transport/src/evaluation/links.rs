use crate::network::{Hosts, Link};
use crate::training::drawn;
use clap::ValueEnum;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde::Serialize;

/// A link to evaluate, with one flow.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TestLink {
    /// The link.
    pub link: Link,
    /// The hosts at both ends of the link.
    pub hosts: Hosts,
    /// Whether an unrelated CUBIC flow shares the link.
    pub has_cross_traffic: bool,
}

/// Sets of links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LinkSet {
    /// 40 links for tuning the training. Results on these links are not an evaluation.
    Development,
    /// The 21 × 10 links of F. Yan's thesis (section 3.7.3): 5, 10, 20, ... 200 Mbit/s by 10, 20, ... 100 ms, unlimited
    /// queues, no loss.
    Grid,
    /// 70 links drawn as in training but with a different seed: short queues, loss, Poisson
    /// service, delayed ACKs.
    Drawn,
    /// 24 paths. Three quarters have properties that an emulator with five parameters cannot
    /// represent: a varying rate, delayed ACKs, or cross traffic.
    Paths,
}

const DEVELOPMENT_SEED: u64 = 3_001;
const DRAWN_SEED: u64 = 7_001;
const PATHS_SEED: u64 = 8_001;

impl LinkSet {
    /// Returns the links, the same in every call.
    #[must_use]
    pub fn links(self) -> Vec<TestLink> {
        match self {
            Self::Development => drawn_links(DEVELOPMENT_SEED, 40),
            Self::Drawn => drawn_links(DRAWN_SEED, 70),
            Self::Paths => paths(),
            Self::Grid => {
                let rates = std::iter::once(5).chain((10..=200).step_by(10));
                rates
                    .flat_map(|rate| (10..=100).step_by(10).map(move |delay| (rate, delay)))
                    .map(|(rate, delay)| TestLink {
                        link: Link::new(f64::from(rate), f64::from(delay)),
                        hosts: Hosts::default(),
                        has_cross_traffic: false,
                    })
                    .collect()
            }
        }
    }
}

fn drawn_links(seed: u64, count: usize) -> Vec<TestLink> {
    let mut rng = StdRng::seed_from_u64(seed);
    (0..count)
        .map(|_| {
            let training = drawn(&mut rng);
            TestLink { link: training.link, hosts: training.hosts, has_cross_traffic: false }
        })
        .collect()
}

fn paths() -> Vec<TestLink> {
    let mut rng = StdRng::seed_from_u64(PATHS_SEED);
    (0..24)
        .map(|index| {
            let mut link = Link::new(6.0 * 4f64.powf(rng.random::<f64>()), rng.random_range(10.0..60.0));
            link.queue_bytes = Some((link.bdp_bytes() * rng.random_range(1.0..4.0)).max(30_000.0) as u64);
            match index % 4 {
                0 => link.wandering = 0.3,
                1 => link.ack_hold_ms = rng.random_range(6.0..14.0),
                2 => link.loss = rng.random_range(0.0..0.01),
                _ => {}
            }
            TestLink { link, hosts: Hosts::default(), has_cross_traffic: index % 4 == 3 }
        })
        .collect()
}

/// Returns five-parameter emulators of `paths`, with each path's mean rate (half of it if another
/// flow is present) and mean delay. They stand in for emulators that are fitted to measurements.
#[must_use]
pub fn emulators() -> Vec<Link> {
    let emulator = |path: TestLink| Link {
        rate_mbps: path.link.rate_mbps / if path.has_cross_traffic { 2.0 } else { 1.0 },
        one_way_delay_ms: path.link.one_way_delay_ms + path.link.ack_hold_ms / 4.0,
        ack_hold_ms: 0.0,
        wandering: 0.0,
        ..path.link
    };
    paths().into_iter().map(emulator).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn has_the_thesis_210_links() {
        let links = LinkSet::Grid.links();
        assert_eq!(links.len(), 210);
        assert_eq!((links[0].link.rate_mbps, links[0].link.one_way_delay_ms), (5.0, 10.0));
        assert_eq!((links[209].link.rate_mbps, links[209].link.one_way_delay_ms), (200.0, 100.0));
    }
}
