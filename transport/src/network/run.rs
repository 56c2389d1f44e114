use super::flow::{Flow, FlowResult, Meter};
use super::host::{Host, next_tick};
use super::link::{Bottleneck, Link};
use super::{HEADER_BYTES, Nanos, nanos};
use crate::credentials::Credentials;
use bytes::BytesMut;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::time::Instant;

/// The delays that hosts add to those of the link.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hosts {
    /// The number of packets that the receiver need not acknowledge immediately. With 1, it
    /// acknowledges every second packet (RFC 9000).
    pub ack_threshold: u32,
    /// The maximum delay of an ACK.
    pub max_ack_delay_ms: f64,
    /// The mean of the exponential delay from a datagram's arrival, or a timer's tick, until the host runs.
    pub wake_up_ms: f64,
    /// The granularity of timers: 1 ms in tokio, which quinn uses over UDP.
    pub timer_tick_ms: f64,
}

impl Default for Hosts {
    fn default() -> Self {
        Self { ack_threshold: 1, max_ack_delay_ms: 25.0, wake_up_ms: 0.05, timer_tick_ms: 1.0 }
    }
}

/// One run: flows that share a link.
#[derive(Clone)]
pub struct Scenario {
    /// The link.
    pub link: Link,
    /// The hosts at both ends of the link.
    pub hosts: Hosts,
    /// The flows.
    pub flows: Vec<Flow>,
    /// The end of the run.
    pub duration_s: f64,
    /// The seed of loss, service times, changing rates and wake-ups.
    pub seed: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    Sender,
    Receiver,
}

/// A datagram in flight.
struct Arrival {
    time: Nanos,
    /// Breaks ties: simultaneous events happen in the order of creation.
    order: u64,
    flow: usize,
    datagram: BytesMut,
}

struct Peer {
    host: Host,
    /// The earliest time at which to wake the host.
    wake_at: Option<Nanos>,
}

struct Network<'a> {
    scenario: &'a Scenario,
    bottleneck: Bottleneck,
    rng: StdRng,
    /// Scheduled wake-ups: time, order, flow and side.
    wakes: BinaryHeap<Reverse<(Nanos, u64, usize, Side)>>,
    /// Datagrams in flight to the senders and to the receivers, each in the order of time.
    lanes: [VecDeque<Arrival>; 2],
    made: u64,
    flows: Vec<[Peer; 2]>,
    meters: Vec<Meter>,
}

impl Network<'_> {
    fn next_order(&mut self) -> u64 {
        self.made += 1;
        self.made
    }

    fn put_on_way(&mut self, time: Nanos, flow: usize, to: Side, datagram: BytesMut) {
        let order = self.next_order();
        self.lanes[to as usize].push_back(Arrival { time, order, flow, datagram });
    }

    /// Handles the next event, unless it is at `end` or later.
    fn step(&mut self, end: Nanos) -> bool {
        let ahead = |lane: &VecDeque<Arrival>| lane.front().map_or((Nanos::MAX, 0), |next| (next.time, next.order));
        let [to_sender, to_receiver] = [ahead(&self.lanes[0]), ahead(&self.lanes[1])];
        let wake = self.wakes.peek().map_or((Nanos::MAX, 0), |Reverse((time, order, ..))| (*time, *order));
        let first = to_sender.min(to_receiver).min(wake);
        if first.0 >= end {
            return false;
        }
        if first == wake {
            if let Some(Reverse((now, _, flow, side))) = self.wakes.pop() {
                self.wake(now, flow, side);
            }
        } else {
            let side = if first == to_sender { Side::Sender } else { Side::Receiver };
            if let Some(next) = self.lanes[side as usize].pop_front() {
                self.arrive(next.time, next.flow, side, next.datagram);
            }
        }
        true
    }

    fn wake_up_delay(&mut self) -> Nanos {
        nanos(-self.scenario.hosts.wake_up_ms / 1e3 * (1.0 - self.rng.random::<f64>()).ln())
    }

    fn wake_no_later_than(&mut self, time: Nanos, flow: usize, side: Side) {
        let peer = &mut self.flows[flow][side as usize];
        if peer.wake_at.is_none_or(|planned| time < planned) {
            peer.wake_at = Some(time);
            let order = self.next_order();
            self.wakes.push(Reverse((time, order, flow, side)));
        }
    }

    fn arrive(&mut self, now: Nanos, flow: usize, side: Side, datagram: BytesMut) {
        self.flows[flow][side as usize].host.deliver(datagram);
        let wake_at = now + self.wake_up_delay();
        self.wake_no_later_than(wake_at, flow, side);
    }

    fn wake(&mut self, now: Nanos, flow: usize, side: Side) {
        let peer = &mut self.flows[flow][side as usize];
        // An earlier wake-up has already handled this one.
        if peer.wake_at != Some(now) {
            return;
        }
        peer.wake_at = None;
        let mut outbox = Vec::new();
        peer.host.wake(now, &mut outbox);
        let timeout = peer.host.next_timeout();
        for datagram in outbox {
            self.send(now, flow, side, datagram);
        }
        if let Some(due) = timeout {
            let tick = next_tick(due.max(now + 1), self.scenario.hosts.timer_tick_ms);
            let wake_at = tick + self.wake_up_delay();
            self.wake_no_later_than(wake_at, flow, side);
        }
    }

    fn send(&mut self, now: Nanos, flow: usize, side: Side, datagram: BytesMut) {
        match side {
            Side::Sender => {
                let arrival = self.bottleneck.forward(now, datagram.len());
                self.meters[flow].record(now, arrival, datagram.len() as u64 + HEADER_BYTES);
                if let Some(arrival) = arrival {
                    self.put_on_way(arrival, flow, Side::Receiver, datagram);
                }
            }
            Side::Receiver => {
                let arrival = self.bottleneck.backward(now);
                self.put_on_way(arrival, flow, Side::Sender, datagram);
            }
        }
    }
}

/// Runs a scenario, and returns the results of each flow from its start to the end of the run.
///
/// # Errors
/// A parameter is out of range, or a connection ended early.
pub fn run(scenario: &Scenario) -> anyhow::Result<Vec<FlowResult>> {
    scenario.link.check()?;
    let epoch = Instant::now();
    let credentials = Credentials::shared()?;
    let mut flows = Vec::new();
    for (index, flow) in scenario.flows.iter().enumerate() {
        let mut rng = StdRng::seed_from_u64(scenario.seed.wrapping_mul(1009).wrapping_add(index as u64));
        let client = credentials.client(flow.controller.clone(), scenario.hosts.into())?;
        let sender = Host::sender(epoch, rng.random(), nanos(flow.start_s), client)?;
        let receiver = Host::receiver(epoch, rng.random(), credentials.server()?);
        flows.push([sender, receiver].map(|host| Peer { host, wake_at: None }));
    }
    let end = nanos(scenario.duration_s);
    let last_start = scenario.flows.iter().map(|flow| nanos(flow.start_s)).max().unwrap_or_default();
    let mut network = Network {
        scenario,
        bottleneck: Bottleneck::new(scenario.link, scenario.seed),
        rng: StdRng::seed_from_u64(!scenario.seed),
        wakes: BinaryHeap::new(),
        lanes: [VecDeque::new(), VecDeque::new()],
        made: 0,
        meters: flows.iter().map(|_| Meter::until(end, last_start)).collect(),
        flows,
    };
    for (index, flow) in scenario.flows.iter().enumerate() {
        network.wake_no_later_than(nanos(flow.start_s), index, Side::Sender);
    }
    while network.step(end) {}
    for [sender, receiver] in &network.flows {
        if let Some(reason) = sender.host.failure().or(receiver.host.failure()) {
            anyhow::bail!("a connection ended early: {reason}");
        }
    }
    let durations = scenario.flows.iter().map(|flow| scenario.duration_s - flow.start_s);
    Ok(network.meters.into_iter().zip(durations).map(|(meter, duration_s)| meter.finish(duration_s)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::controllers::factory;

    fn scenario(name: &str, flows: usize) -> Scenario {
        let flow = Flow { start_s: 0.0, controller: factory(name).unwrap() };
        Scenario {
            link: Link { queue_bytes: Some(150_000), loss: 1e-4, ..Link::new(12.0, 20.0) },
            hosts: Hosts::default(),
            flows: vec![flow; flows],
            duration_s: 5.0,
            seed: 3,
        }
    }

    #[test]
    fn gives_the_same_figures_for_the_same_seed() {
        assert_eq!(run(&scenario("cubic", 2)).unwrap(), run(&scenario("cubic", 2)).unwrap());
    }

    #[test]
    fn fills_the_link_and_the_queue_as_cubic_does() {
        let results = run(&scenario("cubic", 2)).unwrap();
        let sum: f64 = results.iter().map(|result| result.throughput_mbps).sum();
        assert!(sum > 11.0 && sum <= 12.0, "{results:?}");
        // A full queue of 150,000 bytes takes 100 ms at 12 Mbit/s, after 20 ms of propagation.
        assert!(results[0].delay_p95_ms > 80.0 && results[0].delay_p95_ms <= 121.0, "{results:?}");
    }

    #[test]
    fn knows_what_flows_get_while_they_share_the_link() {
        let mut staggered = scenario("reno", 2);
        staggered.flows[1].start_s = 3.0;
        let results = run(&staggered).unwrap();
        // All flows run during the whole time of the last flow, so its two rates are equal.
        // Together, the flows cannot exceed the link.
        assert_eq!(results[1].shared_mbps, results[1].throughput_mbps);
        let sum = results[0].shared_mbps + results[1].shared_mbps;
        assert!(sum > 11.0 && sum <= 12.0, "{results:?}");
    }

    #[test]
    fn fills_the_link_with_vivace_and_keeps_most_of_the_queue_empty() {
        let mut link = scenario("vivace", 1);
        (link.link.loss, link.duration_s) = (0.0, 15.0);
        let results = run(&link).unwrap();
        // The throughput is at least two thirds of the link's rate, and the mean queueing delay
        // less than half of the 100 ms of a full queue.
        assert!(results[0].throughput_mbps > 8.0 && results[0].delay_mean_ms < 70.0, "{results:?}");
    }

    #[test]
    fn refuses_a_link_without_capacity() {
        let mut stuck = scenario("reno", 1);
        stuck.link.rate_mbps = 0.0;
        assert_eq!(run(&stuck).unwrap_err().to_string(), "rate_mbps is 0; use more than 0 and at most 1000");
    }
}
