use crate::network::{Hosts, Link};
use crate::training::drawn;
use clap::ValueEnum;
use rand::SeedableRng;
use rand::rngs::StdRng;
use serde::Serialize;

/// A link to be tried, with one flow.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TestLink {
    /// The link.
    pub link: Link,
    /// Its hosts.
    pub hosts: Hosts,
}

/// Sets of links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LinkSet {
    /// 40 links for choosing what to train; not held out.
    Development,
    /// The thesis's 210 (section 3.7.3): 5, 10, 20, ... 200 Mbit/s by 10, 20, ... 100 ms, unlimited queues, no loss.
    Grid,
    /// 210 links drawn as in training, by a seed of their own: short queues, loss, Poisson service, held ACKs.
    Drawn,
}

const DEVELOPMENT_SEED: u64 = 3_001;
const DRAWN_SEED: u64 = 7_001;

impl LinkSet {
    /// The links, the same in every call.
    #[must_use]
    pub fn links(self) -> Vec<TestLink> {
        match self {
            Self::Development => drawn_links(DEVELOPMENT_SEED, 40),
            Self::Drawn => drawn_links(DRAWN_SEED, 210),
            Self::Grid => {
                let rates = std::iter::once(5).chain((10..=200).step_by(10));
                rates
                    .flat_map(|rate| (10..=100).step_by(10).map(move |delay| (rate, delay)))
                    .map(|(rate, delay)| TestLink {
                        link: Link::new(f64::from(rate), f64::from(delay)),
                        hosts: Hosts::default(),
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
            TestLink { link: training.link, hosts: training.hosts }
        })
        .collect()
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
