use super::{Nanos, SECOND};
use bytes::{Bytes, BytesMut};
use quinn_proto::{
    ClientConfig, Connection, ConnectionHandle, DatagramEvent, Dir, Endpoint, EndpointConfig, Event, ServerConfig,
    StreamEvent, StreamId,
};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The number of bytes that are added to the stream at once. All chunks share one buffer.
const CHUNK: usize = 1 << 20;
static ZEROS: [u8; CHUNK] = [0; CHUNK];

/// One end of a connection. When woken, it handles arrived datagrams and due timers, and returns datagrams to send.
pub struct Host {
    endpoint: Endpoint,
    connection: Option<(ConnectionHandle, Connection)>,
    /// The real instant that represents virtual time 0.
    epoch: Instant,
    peer: SocketAddr,
    inbox: Vec<BytesMut>,
    buffer: Vec<u8>,
    stream: Option<StreamId>,
    failure: Option<String>,
}

impl Host {
    /// Returns the sender of a flow, which connects when it is first woken.
    pub fn sender(epoch: Instant, seed: [u8; 32], now: Nanos, config: ClientConfig) -> anyhow::Result<Self> {
        let mut host = Self::new(epoch, seed, None);
        let connection = host.endpoint.connect(epoch + Duration::from_nanos(now), config, host.peer, "transport")?;
        host.connection = Some(connection);
        Ok(host)
    }

    /// Returns the receiver of a flow.
    pub fn receiver(epoch: Instant, seed: [u8; 32], config: Arc<ServerConfig>) -> Self {
        Self::new(epoch, seed, Some(config))
    }

    fn new(epoch: Instant, seed: [u8; 32], server: Option<Arc<ServerConfig>>) -> Self {
        let mut config = EndpointConfig::default();
        config.rng_seed(Some(seed));
        Self {
            endpoint: Endpoint::new(Arc::new(config), server, true, None),
            connection: None,
            epoch,
            peer: SocketAddr::from((Ipv4Addr::LOCALHOST, 4433)),
            inbox: Vec::new(),
            buffer: Vec::new(),
            stream: None,
            failure: None,
        }
    }

    /// Adds a datagram to the socket's buffer, which the host reads when it is woken.
    pub fn deliver(&mut self, datagram: BytesMut) {
        self.inbox.push(datagram);
    }

    /// Returns the time of the connection's next timer.
    pub fn next_timeout(&mut self) -> Option<Nanos> {
        let due = self.connection.as_mut()?.1.poll_timeout()?;
        Some(due.saturating_duration_since(self.epoch).as_nanos() as Nanos)
    }

    /// Returns the reason why the connection ended, if it ended.
    pub fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    /// Handles everything that is due at `now`, and returns the datagrams to send.
    pub fn wake(&mut self, now: Nanos, outbox: &mut Vec<BytesMut>) {
        let instant = self.epoch + Duration::from_nanos(now);
        for datagram in std::mem::take(&mut self.inbox) {
            self.receive(instant, datagram, outbox);
        }
        let Some((handle, connection)) = self.connection.as_mut() else {
            return;
        };
        if connection.poll_timeout().is_some_and(|due| due <= instant) {
            connection.handle_timeout(instant);
        }
        while let Some(event) = connection.poll_endpoint_events() {
            if let Some(answer) = self.endpoint.handle_event(*handle, event) {
                connection.handle_event(answer);
            }
        }
        self.run_application();
        let Some((_, connection)) = self.connection.as_mut() else {
            return;
        };
        self.buffer.clear();
        while connection.poll_transmit(instant, 1, &mut self.buffer).is_some() {
            outbox.push(BytesMut::from(&self.buffer[..]));
            self.buffer.clear();
        }
    }

    fn receive(&mut self, instant: Instant, datagram: BytesMut, outbox: &mut Vec<BytesMut>) {
        self.buffer.clear();
        match self.endpoint.handle(instant, self.peer, None, None, datagram, &mut self.buffer) {
            Some(DatagramEvent::NewConnection(incoming)) => {
                match self.endpoint.accept(incoming, instant, &mut self.buffer, None) {
                    Ok(accepted) => self.connection = Some(accepted),
                    Err(error) => self.failure = Some(error.cause.to_string()),
                }
            }
            Some(DatagramEvent::ConnectionEvent(_, event)) => {
                if let Some((_, connection)) = self.connection.as_mut() {
                    connection.handle_event(event);
                }
            }
            Some(DatagramEvent::Response(transmit)) => outbox.push(BytesMut::from(&self.buffer[..transmit.size])),
            None => {}
        }
    }

    /// Sends without end, or reads all available data.
    fn run_application(&mut self) {
        let Some((_, connection)) = self.connection.as_mut() else {
            return;
        };
        while let Some(event) = connection.poll() {
            match event {
                Event::Connected if connection.side().is_client() => self.stream = connection.streams().open(Dir::Uni),
                Event::Stream(StreamEvent::Opened { dir: Dir::Uni }) => {
                    self.stream = connection.streams().accept(Dir::Uni);
                }
                Event::ConnectionLost { reason } => self.failure = Some(reason.to_string()),
                _ => {}
            }
        }
        let Some(stream) = self.stream else {
            return;
        };
        if connection.side().is_client() {
            let mut sender = connection.send_stream(stream);
            while sender.write_chunks(&mut [Bytes::from_static(&ZEROS)]).is_ok_and(|written| written.bytes > 0) {}
        } else if let Ok(mut chunks) = connection.recv_stream(stream).read(false) {
            while let Ok(Some(_)) = chunks.next(usize::MAX) {}
            let _ = chunks.finalize();
        }
    }
}

/// Rounds a timer up to the next tick, as the event loop of tokio does.
pub fn next_tick(due: Nanos, tick_ms: f64) -> Nanos {
    let tick = (tick_ms * SECOND as f64 / 1e3) as Nanos;
    if tick == 0 { due } else { due.div_ceil(tick) * tick }
}
