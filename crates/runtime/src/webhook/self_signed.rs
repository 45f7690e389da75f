//! A certificate that the controller makes, keeps in a `Secret`, and renews.

use super::CertificateError;
use super::ca_bundle::write_each;
use super::certificate::{Certificate, Pair};
use super::rotation::{Kept, Policy};
use k8s_openapi::ByteString;
use k8s_openapi::api::core::v1::Secret;
use kube::Client;
use kube::api::{Api, ObjectMeta, PostParams};
use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};
use tokio::time::sleep;

/// A day is long enough for every API server to learn of the next certificate.
const LIFETIME: Duration = Duration::from_secs(90 * 24 * 60 * 60);
/// The longest and the shortest time between two looks at the `Secret`.
const LONGEST: Duration = Duration::from_secs(10 * 60);
const SHORTEST: Duration = Duration::from_secs(1);
/// How often in a lifetime it is looked at.
const LOOKS: u32 = 1_000;
/// How often a write is tried again because another replica was faster.
const ATTEMPTS: usize = 10;

/// A certificate that the controller makes. All replicas take it from one `Secret`, which the first one creates.
///
/// It is valid for 90 days. When 30 days are left, the next one is made, and API servers learn to trust it; a day later it is
/// served. No request fails in between, in whatever order the replicas do that, or if one of them ends halfway.
///
/// The controller's account needs the verbs `get`, `create` and `update` of `secrets` in the namespace, and those of
/// [`write_ca_bundle`](super::write_ca_bundle).
#[derive(Clone, Debug)]
pub struct SelfSigned {
    namespace: String,
    secret: String,
    policy: Policy,
}

impl SelfSigned {
    /// For a webhook that API servers reach by a `Service`. The `Secret` is called as the service, with `-certificate` at its end.
    #[must_use]
    pub fn for_service(namespace: &str, service: &str) -> Self {
        let name = format!("{service}.{namespace}.svc");
        Self::for_names(namespace, &format!("{service}-certificate"), [name])
    }

    /// For a webhook that API servers reach by one of these names or IP addresses.
    pub fn for_names(
        namespace: &str,
        secret: &str,
        names: impl IntoIterator<Item = String>,
    ) -> Self {
        Self {
            namespace: namespace.to_owned(),
            secret: secret.to_owned(),
            policy: Policy {
                names: names.into_iter().collect(),
                lifetime: LIFETIME,
            },
        }
    }

    /// How long a certificate is valid. At least a few minutes: the times between the steps of a renewal shrink with it.
    #[must_use]
    pub fn lifetime(mut self, lifetime: Duration) -> Self {
        self.policy.lifetime = lifetime;
        self
    }

    /// Reads the certificate, or makes it if there is none, or none that would be trusted. Writes the `caBundle` of these CRDs (see
    /// [`write_ca_bundle`](super::write_ca_bundle)) before it returns, so that it can be served at once. A CRD that is not
    /// installed yet gets it from [`Certificate::trusted`].
    ///
    /// # Errors
    /// A request fails, or a name is not one that a certificate may have.
    pub async fn certificate(
        &self,
        client: &Client,
        crds: &[String],
        field_manager: &str,
    ) -> Result<Certificate, CertificateError> {
        self.trusted_by(client, crds, field_manager, SystemTime::now())
            .await
    }

    /// The same, at a time.
    pub(super) async fn trusted_by(
        &self,
        client: &Client,
        crds: &[String],
        field_manager: &str,
        now: SystemTime,
    ) -> Result<Certificate, CertificateError> {
        for _ in 0..ATTEMPTS {
            let secret = self.read(client).await?;
            let kept = secret.as_ref().and_then(kept);
            match (self.policy.repaired(kept.as_ref(), now)?, kept) {
                (Some(repaired), _) => self.write(client, repaired, secret).await?,
                (None, Some(kept)) => {
                    self.trust(client, &kept, crds, field_manager, now).await?;
                    return Certificate::new(kept.served, Some(kept.trusted));
                }
                (None, None) => {}
            }
        }
        Err(CertificateError::Contended(self.secret.clone()))
    }

    /// Renews the certificate in time, and writes the `caBundle` of these CRDs (see [`write_ca_bundle`](super::write_ca_bundle)), as long as the future
    /// runs. What fails is said to `tracing` and tried again.
    pub async fn renew(
        &self,
        client: &Client,
        certificate: &Certificate,
        crds: &[String],
        field_manager: &str,
    ) {
        let pause = (self.policy.lifetime / LOOKS).clamp(SHORTEST, LONGEST);
        loop {
            if let Err(error) = self
                .step(client, certificate, crds, field_manager, SystemTime::now())
                .await
            {
                tracing::warn!("{error}");
            }
            sleep(pause).await;
        }
    }

    /// Does what is to be done now. Each certificate is trusted before it is served.
    pub(super) async fn step(
        &self,
        client: &Client,
        certificate: &Certificate,
        crds: &[String],
        field_manager: &str,
        now: SystemTime,
    ) -> Result<(), CertificateError> {
        for _ in 0..ATTEMPTS {
            let secret = self.read(client).await?;
            let kept = secret.as_ref().and_then(kept);
            // Somebody deleted or emptied the `Secret`, and other replicas serve what it had.
            let (kept, is_lost) = match kept {
                Some(kept) => (kept, false),
                None => (self.held(certificate), true),
            };
            let changed = match self.policy.repaired(Some(&kept), now)? {
                None if is_lost => Some(kept.clone()),
                None => {
                    self.trust(client, &kept, crds, field_manager, now).await?;
                    self.policy.renewed(&kept, now)?
                }
                repaired => repaired,
            };
            match changed {
                Some(changed) => self.write(client, changed, secret).await?,
                None => {
                    if certificate.replace(kept.served, Some(kept.trusted))? {
                        tracing::info!(secret = self.secret, "another certificate is served");
                    }
                    return Ok(());
                }
            }
        }
        Err(CertificateError::Contended(self.secret.clone()))
    }

    /// Writes what clients trust into the CRDs.
    async fn trust(
        &self,
        client: &Client,
        kept: &Kept,
        crds: &[String],
        field_manager: &str,
        now: SystemTime,
    ) -> Result<(), CertificateError> {
        write_each(client, crds, field_manager, |former| {
            let former = former.map_or(&[][..], |former| &former.0);
            let former = String::from_utf8_lossy(former);
            let bundle = self.policy.bundle(&kept.trusted, &former, now);
            ByteString(bundle.into_bytes())
        })
        .await?;
        Ok(())
    }

    fn held(&self, certificate: &Certificate) -> Kept {
        Kept {
            served: certificate.pair(),
            next: None,
            trusted: certificate.trusted().unwrap_or_default(),
        }
    }

    async fn read(&self, client: &Client) -> Result<Option<Secret>, CertificateError> {
        let api: Api<Secret> = Api::namespaced(client.clone(), &self.namespace);
        Ok(api.get_opt(&self.secret).await?)
    }

    /// Writes the `Secret`, unless somebody else did since it was read. Its labels and its type stay.
    async fn write(
        &self,
        client: &Client,
        kept: Kept,
        read: Option<Secret>,
    ) -> Result<(), CertificateError> {
        let api: Api<Secret> = Api::namespaced(client.clone(), &self.namespace);
        let is_new = read.is_none();
        let secret = Secret {
            data: Some(to_data(kept)),
            ..read.unwrap_or_else(|| Secret {
                metadata: ObjectMeta {
                    name: Some(self.secret.clone()),
                    ..ObjectMeta::default()
                },
                type_: Some("kubernetes.io/tls".to_owned()),
                ..Secret::default()
            })
        };
        let params = PostParams::default();
        let written = match is_new {
            true => api.create(&params, &secret).await,
            false => api.replace(&self.secret, &params, &secret).await,
        };
        match written {
            // Another replica was faster: what it wrote is read next.
            Err(kube::Error::Api(answer)) if answer.is_conflict() || answer.is_already_exists() => {
                Ok(())
            }
            Err(error) => Err(error.into()),
            Ok(_) => {
                tracing::info!(secret = self.secret, "the certificate is kept");
                Ok(())
            }
        }
    }
}

const SERVED: [&str; 2] = ["tls.crt", "tls.key"];
const NEXT: [&str; 2] = ["next.crt", "next.key"];
const TRUSTED: &str = "ca.crt";

/// What a `Secret` contains; `None` if there is no certificate in it.
fn kept(secret: &Secret) -> Option<Kept> {
    let text = |key: &str| {
        let bytes = secret.data.as_ref()?.get(key);
        let bytes = bytes.map(|bytes| bytes.0.as_slice());
        bytes.map(|bytes| String::from_utf8_lossy(bytes).into_owned())
    };
    let pair = |[chain, key]: [&str; 2]| {
        Some(Pair {
            chain: text(chain)?,
            key: text(key)?,
        })
    };
    Some(Kept {
        served: pair(SERVED)?,
        next: pair(NEXT),
        trusted: text(TRUSTED).unwrap_or_default(),
    })
}

fn to_data(kept: Kept) -> BTreeMap<String, ByteString> {
    let pairs = [(SERVED, Some(kept.served)), (NEXT, kept.next)];
    let pairs = pairs
        .into_iter()
        .filter_map(|(keys, pair)| Some((keys, pair?)));
    let texts = pairs.flat_map(|(keys, pair)| keys.into_iter().zip([pair.chain, pair.key]));
    let texts = texts.chain([(TRUSTED, kept.trusted)]);
    let bytes = |(key, text): (&str, String)| (key.to_owned(), ByteString(text.into_bytes()));
    texts.map(bytes).collect()
}
