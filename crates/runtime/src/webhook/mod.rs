//! Serves conversion to API servers: over TLS, with a certificate that is renewed while the webhook serves.
//!
//! A controller that makes its own certificate keeps it in a `Secret`, from which all replicas take it, and writes the
//! `caBundle` of its CRDs:
//!
//! ```no_run
//! use crd_channels_runtime::conversion::Converter;
//! use crd_channels_runtime::webhook::{SelfSigned, Server};
//! use tokio::net::TcpListener;
//!
//! # async fn stopped() {}
//! async fn serve(client: kube::Client, converter: Converter) -> Result<(), Box<dyn std::error::Error>> {
//!     let own = SelfSigned::for_service("edge-system", "edge-webhook");
//!     let crds = ["routes.edge.example.com".to_owned()];
//!     let certificate = own.certificate(&client, &crds, "edge-operator-ca").await?;
//!     let listener = TcpListener::bind("0.0.0.0:8443").await?;
//!     tokio::select! {
//!         () = Server::new(converter, certificate.clone()).serve(listener, stopped()) => {}
//!         () = own.renew(&client, &certificate, &crds, "edge-operator-ca") => {}
//!     }
//!     Ok(())
//! }
//! ```
//!
//! With a certificate of cert-manager, whose `Secret` is mounted as files, [`Certificate::from_files`] replaces `SelfSigned`; the
//! server reads the files again when they change. In a server of one's own, [`ConversionService`] is a `tower` service.

mod ca_bundle;
mod certificate;
mod rotation;
mod self_signed;
mod server;
mod service;
#[cfg(test)]
mod tests;

pub use ca_bundle::write_ca_bundle;
pub use certificate::Certificate;
pub use self_signed::SelfSigned;
pub use server::Server;
pub use service::ConversionService;

use std::fmt;

/// Why a certificate could not be read, made, or stored.
#[derive(Debug)]
#[non_exhaustive]
pub enum CertificateError {
    /// A file cannot be read; contains its path.
    File(std::path::PathBuf, std::io::Error),
    /// The texts are not a certificate and its private key, in PEM.
    Unusable(String),
    /// A request failed.
    Client(kube::Error),
    /// Other replicas kept changing the `Secret`; contains its name.
    Contended(String),
}

impl fmt::Display for CertificateError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, error) => write!(out, "cannot read `{}`: {error}", path.display()),
            Self::Unusable(why) => write!(out, "the certificate cannot be used: {why}"),
            Self::Client(error) => write!(out, "the certificate cannot be kept: {error}"),
            Self::Contended(secret) => {
                write!(
                    out,
                    "the Secret `{secret}` was changed by others at each attempt"
                )
            }
        }
    }
}

impl std::error::Error for CertificateError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::File(_, error) => Some(error),
            Self::Client(error) => Some(error),
            Self::Unusable(_) | Self::Contended(_) => None,
        }
    }
}

impl From<kube::Error> for CertificateError {
    fn from(error: kube::Error) -> Self {
        Self::Client(error)
    }
}
