//! A full-throttle QUIC flow of quinn: `quinn-flow receive HOST:PORT`, and `quinn-flow send HOST:PORT cubic|reno|bbr`, which
//! writes until it is ended.
use quinn::{congestion, ClientConfig, Endpoint, ServerConfig, TransportConfig, VarInt};
use std::{error::Error, net::SocketAddr, sync::Arc};

/// What may be under way: more than any path of the lab holds.
const WINDOW_BYTES: u32 = 64 << 20;
const PIECE_BYTES: usize = 64 << 10;
const SERVER_NAME: &str = "lab";

/// Trusts any certificate: the two ends are alone on their path.
#[derive(Debug)]
struct AnyCertificate(Arc<rustls::crypto::CryptoProvider>);

impl rustls::client::danger::ServerCertVerifier for AnyCertificate {
    fn verify_server_cert(
        &self,
        _: &rustls::pki_types::CertificateDer<'_>,
        _: &[rustls::pki_types::CertificateDer<'_>],
        _: &rustls::pki_types::ServerName<'_>,
        _: &[u8],
        _: rustls::pki_types::UnixTime,
    ) -> Result<rustls::client::danger::ServerCertVerified, rustls::Error> {
        Ok(rustls::client::danger::ServerCertVerified::assertion())
    }
    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &rustls::pki_types::CertificateDer<'_>,
        signed: &rustls::DigitallySignedStruct,
    ) -> Result<rustls::client::danger::HandshakeSignatureValid, rustls::Error> {
        rustls::crypto::verify_tls12_signature(message, certificate, signed, &self.0.signature_verification_algorithms)
    }
    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &rustls::pki_types::CertificateDer<'_>,
        signed: &rustls::DigitallySignedStruct,
    ) -> Result<rustls::client::danger::HandshakeSignatureValid, rustls::Error> {
        rustls::crypto::verify_tls13_signature(message, certificate, signed, &self.0.signature_verification_algorithms)
    }
    fn supported_verify_schemes(&self) -> Vec<rustls::SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}

fn transport(congestion_control: &str) -> Result<Arc<TransportConfig>, Box<dyn Error>> {
    let mut transport = TransportConfig::default();
    transport.send_window(WINDOW_BYTES.into());
    transport.receive_window(VarInt::from_u32(WINDOW_BYTES));
    transport.stream_receive_window(VarInt::from_u32(WINDOW_BYTES));
    match congestion_control {
        "cubic" => transport.congestion_controller_factory(Arc::new(congestion::CubicConfig::default())),
        "reno" => transport.congestion_controller_factory(Arc::new(congestion::NewRenoConfig::default())),
        "bbr" => transport.congestion_controller_factory(Arc::new(congestion::BbrConfig::default())),
        other => return Err(format!("quinn has no congestion control '{other}'; it has cubic, reno, bbr").into()),
    };
    Ok(Arc::new(transport))
}

async fn receive(at: SocketAddr) -> Result<(), Box<dyn Error>> {
    let own = rcgen::generate_simple_self_signed([SERVER_NAME.to_string()])?;
    let key = rustls::pki_types::PrivatePkcs8KeyDer::from(own.signing_key.serialize_der());
    let mut config = ServerConfig::with_single_cert(vec![own.cert.into()], key.into())?;
    config.transport_config(transport("cubic")?);
    let connection = Endpoint::server(config, at)?.accept().await.ok_or("closed")?.await?;
    let mut stream = connection.accept_uni().await?;
    while stream.read_chunk(PIECE_BYTES, false).await?.is_some() {}
    Ok(())
}

async fn send(to: SocketAddr, congestion_control: &str) -> Result<(), Box<dyn Error>> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = rustls::ClientConfig::builder_with_provider(provider.clone())
        .with_protocol_versions(&[&rustls::version::TLS13])?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(AnyCertificate(provider)))
        .with_no_client_auth();
    let mut config = ClientConfig::new(Arc::new(quinn::crypto::rustls::QuicClientConfig::try_from(tls)?));
    config.transport_config(transport(congestion_control)?);
    let endpoint = Endpoint::client("0.0.0.0:0".parse()?)?;
    let connection = endpoint.connect_with(config, to, SERVER_NAME)?.await?;
    let mut stream = connection.open_uni().await?;
    let piece = vec![0; PIECE_BYTES];
    loop {
        stream.write_all(&piece).await?;
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["receive", at] => receive(at.parse()?).await,
        ["send", to, congestion_control] => send(to.parse()?, congestion_control).await,
        _ => Err("expected: receive HOST:PORT, or send HOST:PORT CONGESTION_CONTROL".into()),
    }
}
