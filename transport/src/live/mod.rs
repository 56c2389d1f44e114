//! The QUIC transport over UDP: a sender and a receiver for real links.

use crate::controllers::{Factory, RttMeter};
use crate::credentials::Credentials;
use crate::network::Hosts;
use anyhow::Context;
use bytes::Bytes;
use quinn::{Connection, ConnectionError, Endpoint, EndpointConfig, TokioRuntime, VarInt};
use serde::Serialize;
use std::net::{SocketAddr, UdpSocket};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::time::{sleep, timeout};

/// The timeout of the receiver's first response.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
const CHUNK: usize = 1 << 20;
static ZEROS: [u8; CHUNK] = [0; CHUNK];

/// The result of a sender, printed as one line of JSON.
#[derive(Debug, Serialize)]
pub struct Sent {
    /// The congestion controller.
    pub controller: String,
    /// The duration of sending.
    pub seconds: f64,
    /// The rate of sent UDP payload, including retransmissions.
    pub sent_mbps: f64,
    /// The 95th percentile of the packets' RTTs.
    pub rtt_p95_ms: f64,
    /// The number of packets declared lost.
    pub lost_packets: u64,
}

/// The result of a receiver for a connection, printed as one line of JSON.
#[derive(Debug, Serialize)]
pub struct Received {
    /// The sender's address.
    pub peer: SocketAddr,
    /// The time from the end of the handshake to the end of the connection.
    pub seconds: f64,
    /// The number of stream bytes received.
    pub bytes: u64,
    /// The rate of all received datagrams, including IP headers.
    pub throughput_mbps: f64,
}

/// Sends for `duration` at the rate that the controller allows.
///
/// # Errors
/// No receiver responds, or the connection ends early.
pub async fn send(to: SocketAddr, name: &str, controller: Factory, duration: Duration) -> anyhow::Result<Sent> {
    let meter = RttMeter::default();
    let config = Credentials::shared()?.client(meter.around(controller), Hosts::default().into())?;
    let any = if to.is_ipv4() { "0.0.0.0:0" } else { "[::]:0" };
    let endpoint = Endpoint::client(any.parse()?)?;
    let connection = timeout(CONNECT_TIMEOUT, endpoint.connect_with(config, to, "transport")?)
        .await
        .ok()
        .and_then(Result::ok)
        .with_context(|| {
            format!("no receiver answers at {to}; start one with `transport receive --port {}`", to.port())
        })?;
    let started = Instant::now();
    let mut stream = connection.open_uni().await?;
    let writing = async move {
        loop {
            if let Err(error) = stream.write_chunk(Bytes::from_static(&ZEROS)).await {
                return error;
            }
        }
    };
    tokio::select! {
        error = writing => anyhow::bail!("the connection to {to} ended early: {error}"),
        () = sleep(duration) => {}
    }
    let stats = connection.stats();
    let seconds = started.elapsed().as_secs_f64();
    connection.close(VarInt::from_u32(0), b"done");
    // On a congested path, the last packet may be lost. The receiver's idle timeout then ends the connection.
    let _ = timeout(Duration::from_secs(3), endpoint.wait_idle()).await;
    Ok(Sent {
        controller: name.into(),
        seconds,
        sent_mbps: stats.udp_tx.bytes as f64 * 8.0 / 1e6 / seconds,
        rtt_p95_ms: meter.p95_ms(),
        lost_packets: stats.path.lost_packets,
    })
}

/// Receives from any number of senders until `connections` of them have ended. Calls `report` at the end of each.
///
/// # Errors
/// The address is in use, or does not belong to this machine.
pub async fn receive(at: SocketAddr, connections: usize, report: impl Fn(&Received)) -> anyhow::Result<()> {
    let socket = UdpSocket::bind(at).with_context(|| format!("cannot listen at {at}"))?;
    let server = Arc::unwrap_or_clone(Credentials::shared()?.server()?);
    let endpoint = Endpoint::new(EndpointConfig::default(), Some(server), socket, Arc::new(TokioRuntime))?;
    let (ended, mut results) = tokio::sync::mpsc::unbounded_channel();
    let mut left = connections;
    while left > 0 {
        tokio::select! {
            Some(incoming) = endpoint.accept() => {
                let ended = ended.clone();
                tokio::spawn(async move {
                    // A failed handshake does not count as a connection.
                    if let Ok(connection) = incoming.await {
                        let _ = ended.send(drain(connection).await);
                    }
                });
            }
            Some(result) = results.recv() => {
                report(&result);
                left -= 1;
            }
        }
    }
    endpoint.wait_idle().await;
    Ok(())
}

async fn drain(connection: Connection) -> Received {
    let started = Instant::now();
    let mut bytes = 0;
    let mut last = started;
    if let Ok(mut stream) = connection.accept_uni().await {
        while let Ok(Some(chunk)) = stream.read_chunk(usize::MAX, false).await {
            bytes += chunk.bytes.len() as u64;
            last = Instant::now();
        }
    }
    let reason = connection.closed().await;
    // If the message that ends a connection was lost, use the arrival time of its last byte.
    let seconds = match reason {
        ConnectionError::TimedOut => last - started,
        _ => started.elapsed(),
    }
    .as_secs_f64();
    let received = connection.stats().udp_rx;
    let ip_bytes = received.bytes + received.datagrams * crate::network::HEADER_BYTES;
    Received {
        peer: connection.remote_address(),
        seconds,
        bytes,
        throughput_mbps: ip_bytes as f64 * 8.0 / 1e6 / seconds.max(1e-9),
    }
}
