//! Which certificate is served, which one is next, and which ones clients trust: plain values, decided without a cluster.
//!
//! A certificate that the controller makes is signed by itself, and API servers trust it directly, so there is no key of an
//! authority that could be stolen. It is renewed in two steps. First the next one is made, and trusted beside the one that is
//! served. Once API servers had time to learn that, it is served. Nothing but the certificates says when: rustls is asked whether
//! a client would trust one at another time.

use super::CertificateError;
use super::certificate::{Pair, certificates, provider};
use crate::pem::with_others;
use rcgen::{CertificateParams, DnType, ExtendedKeyUsagePurpose, KeyPair};
use rustls::RootCertStore;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::ServerCertVerifier;
use rustls::pki_types::{ServerName, UnixTime};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// The next certificate is made when less than this part of its lifetime is left.
const LEFT: u32 = 3;
/// A certificate is served when this part of its lifetime has passed.
const KNOWN: u32 = 90;

/// How certificates are made.
#[derive(Clone, Debug)]
pub(super) struct Policy {
    /// The names and addresses that API servers call the webhook by.
    pub(super) names: Vec<String>,
    /// How long a certificate is valid.
    pub(super) lifetime: Duration,
}

/// What the `Secret` contains.
#[derive(Clone, Eq, PartialEq)]
pub(super) struct Kept {
    /// What is served.
    pub(super) served: Pair,
    /// What is served next.
    pub(super) next: Option<Pair>,
    /// What clients trust.
    pub(super) trusted: String,
}

impl Policy {
    /// Returns what has to be kept instead, or nothing if it can stay: a certificate in place of none or of an unusable one.
    pub(super) fn repaired(
        &self,
        kept: Option<&Kept>,
        now: SystemTime,
    ) -> Result<Option<Kept>, CertificateError> {
        let is_usable =
            kept.is_some_and(|kept| self.is_trusted(&kept.served.chain, &kept.trusted, now));
        if is_usable {
            return Ok(None);
        }
        // It is served at once, so it is valid even for servers whose clocks are late.
        let served = self.make(now - self.lifetime / KNOWN)?;
        // Other replicas may still serve the former one.
        let former = kept.map_or("", |kept| &kept.served.chain);
        let trusted = match certificates(former) {
            Ok(_) => format!("{}{former}", served.chain),
            Err(_) => served.chain.clone(),
        };
        Ok(Some(Kept {
            served,
            next: None,
            trusted,
        }))
    }

    /// Returns what has to be kept instead, or nothing if it can stay: the next step of a renewal. Every client has to know
    /// `kept.trusted` before.
    pub(super) fn renewed(
        &self,
        kept: &Kept,
        now: SystemTime,
    ) -> Result<Option<Kept>, CertificateError> {
        let trusted = |pair: &Pair, at| self.is_trusted(&pair.chain, &kept.trusted, at);
        match &kept.next {
            Some(next) if trusted(next, now - self.lifetime / KNOWN) => Ok(Some(Kept {
                served: next.clone(),
                next: None,
                trusted: kept.trusted.clone(),
            })),
            Some(next) if trusted(next, now) => Ok(None),
            _ if kept.next.is_none() && trusted(&kept.served, now + self.lifetime / LEFT) => {
                Ok(None)
            }
            _ => {
                let next = self.make(now)?;
                Ok(Some(Kept {
                    served: kept.served.clone(),
                    trusted: format!("{}{}", kept.served.chain, next.chain),
                    next: Some(next),
                }))
            }
        }
    }

    /// Returns the `caBundle` for what clients trust: beside `trusted` every valid certificate of the former bundle. If the
    /// `Secret` was lost, another replica may serve one that only the bundle still has.
    pub(super) fn bundle(&self, trusted: &str, former: &str, now: SystemTime) -> String {
        with_others(trusted, former, |chain| self.is_trusted(chain, chain, now))
    }

    /// Makes a certificate that is valid from a time on.
    fn make(&self, from: SystemTime) -> Result<Pair, CertificateError> {
        let unusable = |error: rcgen::Error| CertificateError::Unusable(error.to_string());
        let is_name = |name: &&String| ServerName::try_from(name.as_str()).is_ok();
        let odd = self.names.iter().find(|name| !is_name(name));
        if let Some(odd) = odd {
            let why = format!("`{odd}` is neither a DNS name nor an IP address");
            return Err(CertificateError::Unusable(why));
        }
        let Some(first) = self.names.first() else {
            let why = "no name is given that API servers call the webhook by".to_owned();
            return Err(CertificateError::Unusable(why));
        };
        let mut params = CertificateParams::new(self.names.clone()).map_err(unusable)?;
        params.distinguished_name.push(DnType::CommonName, first);
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        params.not_before = from.into();
        params.not_after = (from + self.lifetime).into();
        let key = KeyPair::generate().map_err(unusable)?;
        let made = params.self_signed(&key).map_err(unusable)?;
        Ok(Pair {
            chain: made.pem(),
            key: key.serialize_pem(),
        })
    }

    /// Whether a client that trusts these certificates would accept a chain at a time, under each of the names.
    pub(super) fn is_trusted(&self, chain: &str, trusted: &str, at: SystemTime) -> bool {
        let Ok(at) = at.duration_since(SystemTime::UNIX_EPOCH) else {
            return false;
        };
        let accepted = || {
            let mut roots = RootCertStore::empty();
            roots.add_parsable_certificates(certificates(trusted).ok()?);
            let roots = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider());
            let client = roots.build().ok()?;
            let chain = certificates(chain).ok()?;
            let (own, others) = chain.split_first()?;
            let at = UnixTime::since_unix_epoch(at);
            let accepts = |name: &String| {
                let name = ServerName::try_from(name.as_str()).ok()?;
                client.verify_server_cert(own, others, &name, &[], at).ok()
            };
            self.names
                .iter()
                .try_for_each(|name| accepts(name).map(drop))
        };
        accepted().is_some()
    }
}
