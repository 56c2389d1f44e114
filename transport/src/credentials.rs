//! Keys and transport settings, shared by virtual time and UDP.

use crate::network::Hosts;
use anyhow::Context;
use quinn_proto::congestion::ControllerFactory;
use quinn_proto::crypto::rustls::{QuicClientConfig, QuicServerConfig};
use quinn_proto::{AckFrequencyConfig, ClientConfig, ServerConfig, TransportConfig, VarInt};
use rcgen::{CertificateParams, KeyPair, PKCS_ED25519, SerialNumber};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, WebPkiSupportedAlgorithms};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::{DigitallySignedStruct, SignatureScheme};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// The acknowledgments that the sender requests from the receiver (QUIC ACK frequency).
#[derive(Clone, Copy)]
pub struct Acknowledgments {
    /// The number of packets that the receiver need not acknowledge immediately.
    pub threshold: u32,
    /// The maximum delay of an ACK.
    pub max_delay: Duration,
}

impl From<Hosts> for Acknowledgments {
    fn from(hosts: Hosts) -> Self {
        Self { threshold: hosts.ack_threshold, max_delay: Duration::from_secs_f64(hosts.max_ack_delay_ms / 1e3) }
    }
}

/// A self-signed certificate. Ed25519 and a fixed serial number make handshakes equally long in every run.
pub struct Credentials {
    certificate: CertificateDer<'static>,
    key: Vec<u8>,
}

impl Credentials {
    /// Returns the certificate of this process.
    ///
    /// # Errors
    /// The certificate cannot be made.
    pub fn shared() -> anyhow::Result<&'static Self> {
        static SHARED: OnceLock<Credentials> = OnceLock::new();
        if let Some(shared) = SHARED.get() {
            return Ok(shared);
        }
        let made = Self::make().context("could not make a certificate")?;
        Ok(SHARED.get_or_init(|| made))
    }

    fn make() -> anyhow::Result<Self> {
        let key = KeyPair::generate_for(&PKCS_ED25519)?;
        let mut params = CertificateParams::new(vec!["transport".into()])?;
        params.serial_number = Some(SerialNumber::from(1));
        let certificate = params.self_signed(&key)?;
        Ok(Self { certificate: certificate.der().clone(), key: key.serialize_der() })
    }

    /// Returns the settings of a receiver. Flow control never limits the sender.
    ///
    /// # Errors
    /// rustls refuses the certificate.
    pub fn server(&self) -> anyhow::Result<Arc<ServerConfig>> {
        let key = PrivateKeyDer::try_from(self.key.clone()).map_err(anyhow::Error::msg)?;
        let tls = rustls::ServerConfig::builder_with_provider(provider())
            .with_protocol_versions(&[&rustls::version::TLS13])?
            .with_no_client_auth()
            .with_single_cert(vec![self.certificate.clone()], key)?;
        let mut config = ServerConfig::with_crypto(Arc::new(QuicServerConfig::try_from(tls)?));
        config.transport_config(Arc::new(transport()));
        Ok(Arc::new(config))
    }

    /// Returns the settings of a sender.
    ///
    /// # Errors
    /// rustls refuses the settings.
    pub fn client(
        &self,
        controller: Arc<dyn ControllerFactory + Send + Sync>,
        acknowledgments: Acknowledgments,
    ) -> anyhow::Result<ClientConfig> {
        let tls = rustls::ClientConfig::builder_with_provider(provider())
            .with_protocol_versions(&[&rustls::version::TLS13])?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(AnyCertificate(provider().signature_verification_algorithms)))
            .with_no_client_auth();
        let mut frequency = AckFrequencyConfig::default();
        frequency
            .ack_eliciting_threshold(VarInt::from_u32(acknowledgments.threshold))
            .max_ack_delay(Some(acknowledgments.max_delay));
        let mut transport = transport();
        transport.congestion_controller_factory(controller).ack_frequency_config(Some(frequency));
        let mut config = ClientConfig::new(Arc::new(QuicClientConfig::try_from(tls)?));
        config.transport_config(Arc::new(transport));
        Ok(config)
    }
}

fn transport() -> TransportConfig {
    let mut transport = TransportConfig::default();
    transport
        .receive_window(VarInt::MAX)
        .stream_receive_window(VarInt::MAX)
        .send_window(1 << 30)
        .max_idle_timeout(Some(VarInt::from_u32(60_000).into()))
        // With offload, `Controller::on_sent` counts the bytes of a batch more than once.
        .enable_segmentation_offload(false);
    transport
}

fn provider() -> Arc<CryptoProvider> {
    static PROVIDER: OnceLock<Arc<CryptoProvider>> = OnceLock::new();
    PROVIDER.get_or_init(|| Arc::new(rustls::crypto::ring::default_provider())).clone()
}

/// Accepts any certificate: both ends belong to the experiment, and no data is secret.
#[derive(Debug)]
struct AnyCertificate(WebPkiSupportedAlgorithms);

impl ServerCertVerifier for AnyCertificate {
    fn verify_server_cert(
        &self,
        _end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        rustls::crypto::verify_tls12_signature(message, certificate, signature, &self.0)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        rustls::crypto::verify_tls13_signature(message, certificate, signature, &self.0)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.supported_schemes()
    }
}
