//! Talks to a registry. Everything else works on what these functions return.

use super::address::{Address, is_digest};
use super::manifest::{Descriptor, INDEX, MANIFEST, index_tag};
use super::mirrors::Place;
use crd_channels_diagnostics::{Code, Diagnostic};
use crd_channels_released::digest::Digest;
use docker_credential::{
    CredentialRetrievalError, DockerCredential, get_credential_from_reader as credential_in,
};
use oci_client::client::{ClientConfig, ClientProtocol};
use oci_client::errors::{OciDistributionError as Error, OciErrorCode};
use oci_client::secrets::RegistryAuth;
use oci_client::{Client, Reference, RegistryOperation};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeSet;
use std::env;
use std::error;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::AsyncWrite;
use tokio::runtime::{Builder, Runtime};

/// The largest blob that is downloaded, as for archives.
const LARGEST: u64 = 128 << 20;

/// How many tags are asked for at once.
const PAGE: usize = 1000;

/// A repository of a registry, in one place.
pub(super) struct Endpoint {
    address: Address,
    client: Client,
    auth: RegistryAuth,
    runtime: Runtime,
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.address)
    }
}

pub(super) type Asked<T> = Result<T, Box<Diagnostic>>;

impl Endpoint {
    /// Opens a repository to read it, or to push into it as well, with the credentials that Docker and Podman have for it.
    ///
    /// # Errors
    /// `registry-failed`
    pub(super) fn open(place: &Place, pushes: bool) -> Asked<Self> {
        let address = &place.address;
        // Fails if there is a provider already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| failed(address, &error, HELP))?;
        let open = |protocol| {
            let config = ClientConfig {
                protocol,
                // One request less, and understood by more registries than chunks are.
                use_monolithic_push: true,
                connect_timeout: Some(Duration::from_secs(30)),
                read_timeout: Some(Duration::from_secs(60)),
                user_agent: concat!(env!("CARGO_PKG_NAME"), "/", env!("CARGO_PKG_VERSION")),
                ..ClientConfig::default()
            };
            Client::try_from(config).map_err(|error| failed(address, &cause(&error), HELP))
        };
        let mut registry = Self {
            client: open(ClientProtocol::Https)?,
            auth: credentials(&address.registry)?,
            address: address.clone(),
            runtime,
        };
        let operation = match pushes {
            true => RegistryOperation::Push,
            false => RegistryOperation::Pull,
        };
        let mut token = registry.authorize(operation);
        if matches!(token, Err(Error::RequestError(_))) && place.insecure {
            registry.client = open(ClientProtocol::Http)?;
            token = registry.authorize(operation);
        }
        let token = token.map_err(|error| registry.refused(&error))?;
        // The client would panic over a token that no header can have.
        match token.is_none_or(|token| token.bytes().all(|byte| byte.is_ascii_graphic())) {
            true => Ok(registry),
            false => Err(failed(address, &"its token is no token", HELP)),
        }
    }

    fn authorize(&self, operation: RegistryOperation) -> Result<Option<String>, Error> {
        let client = &self.client;
        let reference = self.reference("latest");
        let asked = client.auth(&reference, &self.auth, operation);
        self.runtime.block_on(asked)
    }

    /// Returns all tags, in no order.
    ///
    /// # Errors
    /// `registry-failed`
    pub(super) fn tags(&self) -> Asked<Vec<String>> {
        let mut all = BTreeSet::new();
        let mut last: Option<String> = None;
        loop {
            let reference = self.reference("latest");
            let page = self
                .client
                .list_tags(&reference, &self.auth, Some(PAGE), last.as_deref());
            let page = match self.runtime.block_on(page) {
                Ok(page) => page.tags,
                Err(error) if is_absent(&error) => Vec::new(),
                Err(error) => return Err(self.refused(&error)),
            };
            last = page.last().cloned();
            let before = all.len();
            all.extend(page);
            // A page may be shorter than was asked for, and some registries do not know pages.
            if all.len() == before {
                return Ok(all.into_iter().collect());
            }
        }
    }

    /// Returns the manifest or index with a tag or a digest; `None` if there is none. The digest is checked.
    ///
    /// # Errors
    /// `registry-failed`; `bundle-tampered` if the digest is that of other bytes.
    pub(super) fn manifest(&self, reference: &str) -> Asked<Option<Vec<u8>>> {
        let image = self.reference(reference);
        let accepted = [MANIFEST, INDEX];
        let pulled = self.client.pull_manifest_raw(&image, &self.auth, &accepted);
        let bytes = match self.runtime.block_on(pulled) {
            Ok((bytes, _)) => bytes.to_vec(),
            Err(error) if is_absent(&error) => return Ok(None),
            Err(error) => return Err(self.refused(&error)),
        };
        match is_digest(reference) && Digest::of(&bytes).to_string() != reference {
            true => Err(self.tampered(reference)),
            false => Ok(Some(bytes)),
        }
    }

    /// Returns the content of a blob; `None` if there is none. Its digest and size are checked.
    ///
    /// # Errors
    /// `registry-failed`; `bundle-tampered` if it has another digest or size.
    pub(super) fn blob(&self, content: &Descriptor) -> Asked<Option<Vec<u8>>> {
        let digest = content.digest.to_string();
        let mut bytes = Bounded {
            bytes: Vec::new(),
            most: content.size.min(LARGEST),
        };
        let image = self.reference("latest");
        let pulled = self.client.pull_blob(&image, digest.as_str(), &mut bytes);
        match self.runtime.block_on(pulled) {
            Ok(()) => {}
            Err(Error::DigestError(_)) => return Err(self.tampered(&digest)),
            Err(error) if is_absent(&error) => return Ok(None),
            Err(error) => return Err(self.refused(&error)),
        }
        let Bounded { bytes, .. } = bytes;
        match bytes.len() as u64 == content.size && Digest::of(&bytes) == content.digest {
            true => Ok(Some(bytes)),
            false => Err(self.tampered(&digest)),
        }
    }

    /// Returns the artifacts that refer to a manifest: by the API for that, or for older registries from the index in the tag
    /// that is named after the digest.
    ///
    /// # Errors
    /// `registry-failed`
    pub(super) fn referrers(&self, subject: &Digest) -> Asked<Vec<Descriptor>> {
        let Address {
            registry,
            repository,
        } = self.address.clone();
        let image = Reference::with_digest(registry, repository, subject.to_string());
        let pulled = self.client.pull_referrers(&image, None);
        let index = match self.runtime.block_on(pulled) {
            Ok(index) => serde_json::to_vec(&index).unwrap_or_default(),
            Err(Error::UnauthorizedError { url }) => {
                return Err(self.refused(&Error::UnauthorizedError { url }));
            }
            // Registries without the API have several ways to say so.
            Err(Error::ServerError { code, .. }) if code < 500 => self.fallback(subject)?,
            Err(Error::RegistryError { .. }) => self.fallback(subject)?,
            Err(error) => return Err(self.refused(&error)),
        };
        let index: Index = serde_json::from_slice(&index).unwrap_or_default();
        let known = index.manifests.into_iter();
        // Others may refer to it in ways that we do not know.
        let known = known.filter_map(|entry| serde_json::from_value(entry).ok());
        Ok(known.collect())
    }

    fn fallback(&self, subject: &Digest) -> Asked<Vec<u8>> {
        Ok(self.manifest(&index_tag(subject))?.unwrap_or_default())
    }

    /// Pushes a blob.
    ///
    /// # Errors
    /// `registry-failed`
    pub(super) fn push_blob(&self, bytes: &[u8]) -> Asked<()> {
        let image = self.reference("latest");
        let digest = Digest::of(bytes).to_string();
        let pushed = self.client.push_blob(&image, bytes.to_vec(), &digest);
        let pushed = match self.runtime.block_on(pushed) {
            // Some registries do not say where it is.
            Err(Error::RegistryNoLocationError) => {
                let there = self.client.blob_exists(&image, &digest);
                match self.runtime.block_on(there) {
                    Ok(true) => Ok(()),
                    _ => Err(Error::RegistryNoLocationError),
                }
            }
            pushed => pushed.map(drop),
        };
        pushed.map_err(|error| self.refused(&error))
    }

    /// Pushes a manifest or an index under a tag or its digest. What it refers to must be there.
    ///
    /// # Errors
    /// `registry-failed`
    pub(super) fn push_manifest(
        &self,
        reference: &str,
        media_type: &str,
        bytes: &[u8],
    ) -> Asked<()> {
        let image = self.reference(reference);
        let media_type = media_type
            .parse()
            .map_err(|error| failed(&self.address, &error, HELP))?;
        let pushed = self
            .client
            .push_manifest_raw(&image, bytes.to_vec(), media_type);
        let pushed = self.runtime.block_on(pushed);
        pushed.map(drop).map_err(|error| self.refused(&error))
    }

    /// Names a manifest for the client. A digest goes the way of tags: the client would panic after a push by digest to a
    /// registry that does not return the location, and checks less than we do.
    fn reference(&self, name: &str) -> Reference {
        let Address {
            registry,
            repository,
        } = self.address.clone();
        Reference::with_tag(registry, repository, name.to_owned())
    }

    fn refused(&self, error: &Error) -> Box<Diagnostic> {
        let why = cause(error);
        let is_denied = match error {
            Error::UnauthorizedError { .. } | Error::AuthenticationFailure(_) => true,
            Error::ServerError { code, .. } => matches!(code, 401 | 403),
            Error::RegistryError { envelope, .. } => has_code(
                envelope,
                &[OciErrorCode::Denied, OciErrorCode::Unauthorized],
            ),
            _ => false,
        };
        match is_denied {
            true => {
                let help = format!(
                    "log in with a user that may do this: `docker login {}`",
                    self.address.registry
                );
                failed(&self.address, &why, &help)
            }
            false => failed(&self.address, &why, HELP),
        }
    }

    fn tampered(&self, digest: &str) -> Box<Diagnostic> {
        let message = format!(
            "`{}` returned other bytes than those with the digest {digest}",
            self.address
        );
        let finding = Diagnostic::new(Code::BundleTampered, None, message);
        Box::new(finding.with_help("try again; if it stays, tell who runs the registry"))
    }
}

pub(super) const HELP: &str = "check the address, the network and the proxy: `HTTPS_PROXY`, `NO_PROXY`; `SSL_CERT_FILE` names certificates of your own";

pub(super) fn failed(address: &Address, error: &dyn fmt::Display, help: &str) -> Box<Diagnostic> {
    let message = format!("`{address}` cannot be used: {error}");
    Box::new(Diagnostic::new(Code::RegistryFailed, None, message).with_help(help))
}

/// Returns what went wrong. Of requests the client only says which one failed, and its causes say why.
fn cause(error: &Error) -> String {
    let mut text = error.to_string();
    let mut below = error::Error::source(error);
    while let Some(cause) = below {
        text = format!("{text}: {cause}");
        below = cause.source();
    }
    text
}

/// Whether an error only says that something does not exist.
fn is_absent(error: &Error) -> bool {
    match error {
        Error::ImageManifestNotFoundError(_) => true,
        Error::ServerError { code, .. } => *code == 404,
        Error::RegistryError { envelope, .. } => has_code(
            envelope,
            &[
                OciErrorCode::ManifestUnknown,
                OciErrorCode::NameUnknown,
                OciErrorCode::NotFound,
            ],
        ),
        _ => false,
    }
}

fn has_code(envelope: &oci_client::errors::OciEnvelope, codes: &[OciErrorCode]) -> bool {
    let mut found = envelope.errors.iter();
    found.any(|error| codes.contains(&error.code))
}

/// The part of an index that is read.
#[derive(Default, Deserialize)]
struct Index {
    #[serde(default)]
    manifests: Vec<Value>,
}

/// Takes a bounded number of bytes.
struct Bounded {
    bytes: Vec<u8>,
    most: u64,
}

impl AsyncWrite for Bounded {
    fn poll_write(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if (self.bytes.len() + bytes.len()) as u64 > self.most {
            return Poll::Ready(Err(io::Error::other("a blob is larger than it should be")));
        }
        self.bytes.extend_from_slice(bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

/// Returns the credentials for a registry from the first file that has some. `docker login` and `podman login` write them, or
/// name a helper.
fn credentials(registry: &str) -> Asked<RegistryAuth> {
    // The name under which `docker login` keeps its own registry.
    let server = match registry {
        "docker.io" | "index.docker.io" => "https://index.docker.io/v1/",
        other => other,
    };
    for file in files(|name| env::var_os(name).map(PathBuf::from)) {
        let Ok(text) = fs::read(&file) else {
            continue;
        };
        let why = match credential_in(text.as_slice(), server) {
            Ok(DockerCredential::UsernamePassword(user, password)) => {
                return Ok(RegistryAuth::Basic(user, password));
            }
            Ok(DockerCredential::IdentityToken(_)) => {
                "it has an identity token, which is not supported".to_owned()
            }
            Err(CredentialRetrievalError::NoCredentialConfigured) => continue,
            Err(CredentialRetrievalError::HelperFailure { stdout, .. })
                if stdout.contains("credentials not found") =>
            {
                continue;
            }
            Err(error) => error.to_string(),
        };
        return Err(unusable(&file, registry, &why));
    }
    Ok(RegistryAuth::Anonymous)
}

fn unusable(file: &Path, registry: &str, why: &str) -> Box<Diagnostic> {
    let message = format!(
        "the credentials for `{registry}` in `{}` cannot be used: {}",
        file.display(),
        why.trim()
    );
    let finding = Diagnostic::new(Code::RegistryFailed, None, message);
    Box::new(finding.with_help(format!(
        "log in with a name and a password or token: `docker login {registry}`"
    )))
}

/// Returns the files that may have credentials, by the environment's variables.
fn files(variable: impl Fn(&str) -> Option<PathBuf>) -> Vec<PathBuf> {
    if let Some(file) = variable("REGISTRY_AUTH_FILE") {
        return vec![file];
    }
    let home = || variable("HOME").or_else(|| variable("USERPROFILE"));
    let docker = variable("DOCKER_CONFIG").or_else(|| Some(home()?.join(".docker")));
    let docker = docker.map(|folder| folder.join("config.json"));
    let podman = variable("XDG_RUNTIME_DIR").map(|folder| folder.join("containers/auth.json"));
    docker.into_iter().chain(podman).collect()
}
