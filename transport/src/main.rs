//! The command line of the crate; transport/README.md describes it.

use anyhow::Context;
use clap::{Parser, Subcommand};
use sammy_transport::controllers::{self, Factory};
use sammy_transport::live;
use sammy_transport::network::{Flow, Hosts, Link, Scenario, run};
use serde::Serialize;
use std::net::{Ipv6Addr, SocketAddr};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

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
}

#[derive(clap::Args)]
struct ControllerChoice {
    /// Congestion controller: cubic, reno or bbr.
    #[arg(long)]
    controller: String,
}

impl ControllerChoice {
    fn factory(&self) -> anyhow::Result<Factory> {
        controllers::factory(&self.controller).with_context(|| {
            format!("unknown controller '{}'; known: {}", self.controller, controllers::NAMES.join(", "))
        })
    }
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
