//! The command line of the crate; transport/README.md describes it.

use anyhow::Context;
use clap::{Parser, Subcommand};
use sammy_transport::controllers::{self, Factory};
use sammy_transport::evaluation::{Candidate, LinkSet, Results, Trial, compare, difference, emulators, scores};
use sammy_transport::indigo::{IndigoConfig, Model, Provenance};
use sammy_transport::live;
use sammy_transport::network::{Flow, Hosts, Link, Scenario, run};
use sammy_transport::training;
use serde::Serialize;
use std::collections::BTreeMap;
use std::net::{Ipv6Addr, SocketAddr};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

#[derive(Parser)]
#[command(version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Receive over UDP, and print a line of JSON per connection.
    Receive {
        /// UDP port.
        #[arg(long)]
        port: u16,
        /// Address to listen at; all addresses of the machine by default.
        #[arg(long, default_value_t = SocketAddr::from((Ipv6Addr::UNSPECIFIED, 0)).ip())]
        address: std::net::IpAddr,
        /// End after this many connections.
        #[arg(long, default_value_t = usize::MAX, hide_default_value = true)]
        connections: usize,
    },
    /// Send over UDP to a receiver, and print a line of JSON.
    Send {
        /// Address and port of the receiver.
        to: SocketAddr,
        #[command(flatten)]
        controller: ControllerChoice,
        /// How long to send.
        #[arg(long, default_value_t = 30.0)]
        seconds: f64,
    },
    /// Run flows over one link in virtual time, and print a line of JSON per flow.
    Simulate {
        #[command(flatten)]
        controller: ControllerChoice,
        /// Rate of the link.
        #[arg(long, default_value_t = 12.0)]
        rate_mbps: f64,
        /// Propagation delay in each direction.
        #[arg(long, default_value_t = 20.0)]
        one_way_delay_ms: f64,
        /// Capacity of the queue; unlimited by default.
        #[arg(long)]
        queue_bytes: Option<u64>,
        /// Probability that a packet is lost.
        #[arg(long, default_value_t = 0.0)]
        loss: f64,
        /// Number of flows.
        #[arg(long, default_value_t = 1)]
        flows: usize,
        /// Time between the starts of flows.
        #[arg(long, default_value_t = 0.0)]
        stagger_s: f64,
        /// How long to run.
        #[arg(long, default_value_t = 30.0)]
        seconds: f64,
        /// Seed of loss and wake-ups.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Train Indigo in virtual time, and write its model.
    Train(Train),
    /// Run controllers on a set of links in virtual time, and print a JSON object with the score of each.
    Evaluate(Evaluate),
}

#[derive(clap::Args)]
struct Evaluate {
    /// The links.
    #[arg(long)]
    links: LinkSet,
    /// Controllers, with commas; `indigo=FILE` is Indigo with another model, under that file's name.
    #[arg(long, value_delimiter = ',', default_value = "indigo,copa,bbr,cubic,reno")]
    controllers: Vec<String>,
    /// How long each run is; all of it counts.
    #[arg(long, default_value_t = 8.0)]
    seconds: f64,
    /// CSV file for all runs; controllers that are in it already are not run again.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Score only links with this propagation delay.
    #[arg(long)]
    one_way_delay_ms: Option<f64>,
    /// Print only the difference of the mean power of two controllers, and its 95% interval.
    #[arg(long, num_args = 2, value_names = ["ONE", "OTHER"])]
    difference: Vec<String>,
}

impl Evaluate {
    fn run(&self) -> anyhow::Result<()> {
        duration(self.seconds)?;
        let candidates = self.controllers.iter().map(|name| candidate(name)).collect::<anyhow::Result<Vec<_>>>()?;
        let links = self.links.links();
        let mut results = Results::open(self.out.as_deref(), &format!("{:?}", self.links), self.seconds)?;
        for candidate in &candidates {
            if results.has(&candidate.name) {
                continue;
            }
            let done = AtomicUsize::new(0);
            let trials = compare(&links, candidate, self.seconds, || {
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                if done.is_multiple_of(30) {
                    eprintln!("{}: {done} of {} links", candidate.name, links.len());
                }
            })?;
            results.add(trials)?;
        }
        let is_chosen =
            |trial: &&Trial| self.one_way_delay_ms.is_none_or(|delay_ms| trial.one_way_delay_ms == delay_ms);
        let chosen: Vec<Trial> = results.trials().iter().filter(is_chosen).cloned().collect();
        if let [one, other] = &self.difference[..] {
            let found = difference(&chosen, one, other);
            return print(&found.with_context(|| format!("no runs of {one} and {other} on the same links"))?);
        }
        println!("{}", serde_json::to_string_pretty(&scores(&chosen))?);
        Ok(())
    }
}

fn candidate(name: &str) -> anyhow::Result<Candidate> {
    let (controller, model) = match name.split_once('=') {
        Some((controller, file)) => (controller, PathBuf::from(file)),
        None => (name, Model::default_path()),
    };
    let name = match name.split_once('=') {
        Some(_) => model.file_stem().map_or_else(|| name.into(), |stem| stem.to_string_lossy().into_owned()),
        None => name.into(),
    };
    let factory = ControllerChoice { controller: controller.into(), model }.factory()?;
    Ok(Candidate { name, factory })
}

#[derive(clap::Args)]
struct Train {
    /// Where to write the model.
    #[arg(long)]
    out: PathBuf,
    /// Seed of links, weights and order.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of rounds: in each, the network drives new links, and then learns.
    #[arg(long, default_value_t = 12)]
    rounds: usize,
    /// Links in a round.
    #[arg(long, default_value_t = 24)]
    links: usize,
    /// JSON file with a list of calibrated links, from which half of the training links are drawn;
    /// `paths` draws from emulators with the mean rates and delays of the link set `paths`
    #[arg(long)]
    calibrated: Option<PathBuf>,
    /// Commit of the repository, for the model's provenance.
    #[arg(long, default_value = "unknown", hide = true)]
    commit: String,
}

#[derive(clap::Args)]
struct ControllerChoice {
    /// Congestion controller: cubic, reno, bbr, copa, vivace or indigo.
    #[arg(long)]
    controller: String,
    /// Indigo's model; the one in models/ by default.
    #[arg(long, default_value_os_t = Model::default_path(), hide_default_value = true)]
    model: PathBuf,
}

impl ControllerChoice {
    fn factory(&self) -> anyhow::Result<Factory> {
        if self.controller == "indigo" {
            let network = Arc::new(Model::read(&self.model)?.network);
            return Ok(Arc::new(IndigoConfig { network, labeler: None }));
        }
        controllers::factory(&self.controller).with_context(|| {
            format!("unknown controller '{}'; known: {}, indigo", self.controller, controllers::NAMES.join(", "))
        })
    }
}

impl Train {
    fn run(&self) -> anyhow::Result<()> {
        anyhow::ensure!(self.rounds > 0 && self.links > 0, "--rounds and --links are at least 1");
        let calibrated = match &self.calibrated {
            None => Vec::new(),
            Some(path) if path.as_os_str() == "paths" => emulators(),
            Some(path) => read_links(path)?,
        };
        let data = if calibrated.is_empty() {
            "arbitrary links".into()
        } else {
            format!("half arbitrary links, half of {} calibrated ones", calibrated.len())
        };
        let options = training::Options { seed: self.seed, rounds: self.rounds, links: self.links, calibrated };
        let started = Instant::now();
        let (network, last) = training::train(&options, |round| {
            eprintln!(
                "round {} of {}: {} decisions, loss {:.3}, {:.1}% as the expert, {:.0} s",
                round.round,
                self.rounds,
                round.steps,
                round.loss,
                100.0 * round.agreement,
                started.elapsed().as_secs_f64()
            );
        })?;
        let command = format!(
            "npm run transport -- train --seed {} --rounds {} --links {}{}",
            self.seed,
            self.rounds,
            self.links,
            self.calibrated.as_ref().map_or_else(String::new, |path| format!(" --calibrated {}", path.display()))
        );
        let figures = BTreeMap::from([
            ("decisions".into(), last.steps as f64),
            ("loss".into(), last.loss),
            ("agreement".into(), last.agreement),
        ]);
        let provenance = Provenance { command, commit: self.commit.clone(), seed: self.seed, data, figures };
        Model { provenance, network }.write(&self.out)
    }
}

fn read_links(path: &std::path::Path) -> anyhow::Result<Vec<Link>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let links: Vec<Link> = serde_json::from_str(&text).with_context(|| {
        format!("{} is not a JSON list of links {{rate_mbps, one_way_delay_ms, ...}}", path.display())
    })?;
    for (index, link) in links.iter().enumerate() {
        link.check().with_context(|| format!("link {index} of {}", path.display()))?;
    }
    anyhow::ensure!(!links.is_empty(), "{} has no links", path.display());
    Ok(links)
}

fn duration(seconds: f64) -> anyhow::Result<Duration> {
    anyhow::ensure!(seconds > 0.0 && seconds <= 86_400.0, "--seconds is {seconds}; use more than 0 and at most 86400");
    Ok(Duration::from_secs_f64(seconds))
}

fn print(line: &impl Serialize) -> anyhow::Result<()> {
    println!("{}", serde_json::to_string(line)?);
    Ok(())
}

fn execute(command: Command) -> anyhow::Result<()> {
    let runtime = || tokio::runtime::Builder::new_current_thread().enable_all().build();
    match command {
        Command::Train(train) => train.run(),
        Command::Evaluate(evaluate) => evaluate.run(),
        Command::Receive { port, address, connections } => {
            runtime()?.block_on(live::receive(SocketAddr::from((address, port)), connections, |received| {
                let _ = print(received);
            }))
        }
        Command::Send { to, controller, seconds } => {
            let sending = live::send(to, &controller.controller, controller.factory()?, duration(seconds)?);
            print(&runtime()?.block_on(sending)?)
        }
        Command::Simulate {
            controller,
            rate_mbps,
            one_way_delay_ms,
            queue_bytes,
            loss,
            flows,
            stagger_s,
            seconds,
            seed,
        } => {
            duration(seconds)?;
            let factory = controller.factory()?;
            let scenario = Scenario {
                link: Link { queue_bytes, loss, ..Link::new(rate_mbps, one_way_delay_ms) },
                hosts: Hosts::default(),
                flows: (0..flows)
                    .map(|index| Flow { start_s: index as f64 * stagger_s, controller: Arc::clone(&factory) })
                    .collect(),
                duration_s: seconds,
                seed,
            };
            for flow in run(&scenario)? {
                print(&flow)?;
            }
            Ok(())
        }
    }
}

fn main() -> ExitCode {
    match execute(Arguments::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("transport: {error:#}");
            ExitCode::FAILURE
        }
    }
}
