//! The certificate of a server, which can be replaced while the server runs.

use super::CertificateError;
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use std::fmt;
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};

/// A certificate with its private key. Clones share it: one that is replaced is replaced in the server too, and new connections
/// get the new one.
#[derive(Clone)]
pub struct Certificate {
    current: Arc<RwLock<Current>>,
    files: Option<Arc<Files>>,
}

struct Current {
    pair: Pair,
    trusted: Option<String>,
    key: Arc<CertifiedKey>,
}

struct Files {
    chain: PathBuf,
    key: PathBuf,
}

/// A chain of certificates, the server's first, and its private key, in PEM.
#[derive(Clone, Eq, PartialEq)]
pub(super) struct Pair {
    pub(super) chain: String,
    pub(super) key: String,
}

impl fmt::Debug for Certificate {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without the private key.
        let chain = self.read(|current| current.pair.chain.clone());
        out.debug_struct("Certificate")
            .field("chain", &chain)
            .finish()
    }
}

impl Certificate {
    /// The certificate of two texts in PEM: a chain, the server's certificate first, and the private key.
    ///
    /// # Errors
    /// A text is not PEM, or the key is not that of the certificate.
    pub fn from_pem(chain: &str, key: &str) -> Result<Self, CertificateError> {
        let pair = Pair {
            chain: chain.to_owned(),
            key: key.to_owned(),
        };
        Self::new(pair, None)
    }

    /// The certificate of two files, such as `tls.crt` and `tls.key` of a mounted `Secret`. A [`Server`](super::Server) reads
    /// them again every ten seconds, and keeps the former certificate as long as they do not fit each other.
    ///
    /// # Errors
    /// A file cannot be read, is not PEM, or the key is not that of the certificate.
    pub fn from_files(
        chain: impl Into<PathBuf>,
        key: impl Into<PathBuf>,
    ) -> Result<Self, CertificateError> {
        let files = Files {
            chain: chain.into(),
            key: key.into(),
        };
        let mut made = Self::new(files.read()?, None)?;
        made.files = Some(Arc::new(files));
        Ok(made)
    }

    pub(super) fn new(pair: Pair, trusted: Option<String>) -> Result<Self, CertificateError> {
        let key = Arc::new(pair.certified()?);
        let current = Arc::new(RwLock::new(Current { pair, trusted, key }));
        Ok(Self {
            current,
            files: None,
        })
    }

    /// The certificates that clients have to trust, in PEM: the `caBundle` for this certificate. Known of those that
    /// [`SelfSigned`](super::SelfSigned) made.
    #[must_use]
    pub fn trusted(&self) -> Option<String> {
        self.read(|current| current.trusted.clone())
    }

    /// Reads the files again, if it was made of files, and returns whether they changed.
    ///
    /// # Errors
    /// A file cannot be read, is not PEM, or the key is not that of the certificate. The former certificate stays.
    pub fn reload(&self) -> Result<bool, CertificateError> {
        match &self.files {
            Some(files) => self.replace(files.read()?, None),
            None => Ok(false),
        }
    }

    /// Replaces the certificate, and returns whether it is another.
    pub(super) fn replace(
        &self,
        pair: Pair,
        trusted: Option<String>,
    ) -> Result<bool, CertificateError> {
        let is_same = self.read(|current| (current.pair == pair, current.trusted == trusted));
        if is_same == (true, true) {
            return Ok(false);
        }
        let key = Arc::new(pair.certified()?);
        let mut current = self.current.write().unwrap_or_else(PoisonError::into_inner);
        *current = Current { pair, trusted, key };
        Ok(!is_same.0)
    }

    pub(super) fn pair(&self) -> Pair {
        self.read(|current| current.pair.clone())
    }

    fn read<T>(&self, what: impl Fn(&Current) -> T) -> T {
        what(&self.current.read().unwrap_or_else(PoisonError::into_inner))
    }
}

impl ResolvesServerCert for Certificate {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.read(|current| Arc::clone(&current.key)))
    }
}

impl Files {
    fn read(&self) -> Result<Pair, CertificateError> {
        let read = |path: &PathBuf| {
            fs::read_to_string(path).map_err(|error| CertificateError::File(path.clone(), error))
        };
        Ok(Pair {
            chain: read(&self.chain)?,
            key: read(&self.key)?,
        })
    }
}

impl Pair {
    fn certified(&self) -> Result<CertifiedKey, CertificateError> {
        let unusable = |why: String| CertificateError::Unusable(why);
        let chain = certificates(&self.chain)?;
        if chain.is_empty() {
            return Err(unusable(
                "there is no certificate in the PEM text".to_owned(),
            ));
        }
        let key = PrivateKeyDer::from_pem_slice(self.key.as_bytes())
            .map_err(|error| unusable(format!("the private key is not PEM: {error}")))?;
        CertifiedKey::from_der(chain, key, &provider()).map_err(|error| unusable(error.to_string()))
    }
}

/// The certificates of a text in PEM.
pub(super) fn certificates(pem: &str) -> Result<Vec<CertificateDer<'static>>, CertificateError> {
    let found: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem.as_bytes()).collect();
    found.map_err(|error| CertificateError::Unusable(format!("it is not PEM: {error}")))
}

/// The cryptography of the program, or ring's.
pub(super) fn provider() -> Arc<CryptoProvider> {
    let chosen = CryptoProvider::get_default();
    chosen.map_or_else(|| Arc::new(ring::default_provider()), Arc::clone)
}
