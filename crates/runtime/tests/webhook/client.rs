//! A client as an API server is one: it trusts what the `caBundle` says, and speaks one version of HTTP.

use http::{Method, Request, StatusCode};
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::{http1, http2};
use hyper_util::rt::{TokioExecutor, TokioIo};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use std::error::Error;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

pub enum Client {
    One(http1::SendRequest<Full<Bytes>>),
    Two(http2::SendRequest<Full<Bytes>>),
}

impl Client {
    pub async fn connect(address: SocketAddr, trusted: &str, protocol: &str) -> Result<Self> {
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from_pem_slice(trusted.as_bytes())?)?;
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_root_certificates(roots)
            .with_no_client_auth();
        config.alpn_protocols = vec![protocol.as_bytes().to_vec()];
        let stream = TcpStream::connect(address).await?;
        let name = ServerName::try_from(address.ip().to_string())?;
        let stream = TlsConnector::from(Arc::new(config))
            .connect(name, stream)
            .await?;
        let stream = TokioIo::new(stream);
        if protocol == "h2" {
            let (send, connection) = http2::handshake(TokioExecutor::new(), stream).await?;
            tokio::spawn(connection);
            return Ok(Self::Two(send));
        }
        let (send, connection) = http1::handshake(stream).await?;
        tokio::spawn(connection);
        Ok(Self::One(send))
    }

    pub async fn send(
        &mut self,
        method: Method,
        path: &str,
        body: Vec<u8>,
    ) -> Result<(StatusCode, Vec<u8>)> {
        let request = Request::builder()
            .method(method)
            .uri(format!("https://127.0.0.1{path}"));
        let request = request.body(Full::from(body))?;
        let response: http::Response<Incoming> = match self {
            Self::One(send) => send.send_request(request).await?,
            Self::Two(send) => send.send_request(request).await?,
        };
        let status = response.status();
        Ok((
            status,
            response.into_body().collect().await?.to_bytes().to_vec(),
        ))
    }
}
