//! A repository of a registry, wherever its artifacts are: in its mirrors, or where it is itself.

use super::address::{Address, is_digest};
use super::client::{Asked, Endpoint, HELP, failed};
use super::manifest::Descriptor;
use super::mirrors::{Place, Places, places};
use crd_channels_diagnostics::Code;
use crd_channels_released::digest::Digest;
use std::cell::OnceCell;
use std::env;
use std::path::PathBuf;

/// A repository of a registry.
#[derive(Debug)]
pub struct Registry {
    /// In the order in which they are asked, before the repository itself.
    mirrors: Vec<OpenedPlace>,
    own: OpenedPlace,
}

#[derive(Debug)]
struct OpenedPlace {
    place: Place,
    /// Opened when it is asked for the first time.
    endpoint: OnceCell<Asked<Endpoint>>,
}

impl From<Place> for OpenedPlace {
    fn from(place: Place) -> Self {
        Self {
            place,
            endpoint: OnceCell::new(),
        }
    }
}

impl OpenedPlace {
    fn open(&self, open: impl FnOnce(&Place) -> Asked<Endpoint>) -> Asked<&Endpoint> {
        let endpoint = self.endpoint.get_or_init(|| open(&self.place));
        endpoint.as_ref().map_err(Clone::clone)
    }
}

impl Registry {
    /// Finds the places of a repository to read it, or opens it to push into it as well. Nothing is pushed to mirrors.
    ///
    /// # Errors
    /// `registry-failed`
    pub fn open(address: &Address, pushes: bool) -> Asked<Self> {
        let variable = |name: &str| env::var_os(name).map(PathBuf::from);
        let Places { mirrors, own } =
            places(address, variable).map_err(|why| failed(address, &why, HELP))?;
        let mirrors = mirrors.into_iter().filter(|_| !pushes);
        let registry = Self {
            mirrors: mirrors.map(OpenedPlace::from).collect(),
            own: own.into(),
        };
        if pushes {
            registry.own.open(|place| Endpoint::open(place, true))?;
        }
        Ok(registry)
    }

    /// Returns all tags, in no order: those of the first place that has some.
    ///
    /// # Errors
    /// `registry-failed`
    pub fn tags(&self) -> Asked<Vec<String>> {
        let tags = |endpoint: &Endpoint| {
            let tags = endpoint.tags()?;
            Ok((!tags.is_empty()).then_some(tags))
        };
        Ok(self
            .first(|place| place.has_tags, tags)?
            .unwrap_or_default())
    }

    /// Returns the manifest or index with a tag or a digest; `None` if there is none. The digest is checked.
    ///
    /// # Errors
    /// `registry-failed`; `bundle-tampered` if the digest is that of other bytes.
    pub fn manifest(&self, reference: &str) -> Asked<Option<Vec<u8>>> {
        let is_digest = is_digest(reference);
        self.first(
            |place| {
                if is_digest {
                    place.has_digests
                } else {
                    place.has_tags
                }
            },
            |endpoint| endpoint.manifest(reference),
        )
    }

    /// Returns the content of a blob. Its digest and size are checked.
    ///
    /// # Errors
    /// `registry-failed`; `bundle-tampered` if it has another digest or size.
    pub fn blob(&self, content: &Descriptor) -> Asked<Vec<u8>> {
        let blob = |endpoint: &Endpoint| endpoint.blob(content);
        let found = self.first(|place| place.has_digests, blob)?;
        found.ok_or_else(|| {
            let why = format!("it has no blob {}", content.digest);
            failed(&self.own.place.address, &why, HELP)
        })
    }

    /// Returns the artifacts that refer to a manifest, as the first place has them that has some.
    ///
    /// # Errors
    /// `registry-failed`
    pub fn referrers(&self, subject: &Digest) -> Asked<Vec<Descriptor>> {
        let referrers = |endpoint: &Endpoint| {
            let found = endpoint.referrers(subject)?;
            Ok((!found.is_empty()).then_some(found))
        };
        let found = self.first(|place| place.has_digests, referrers)?;
        Ok(found.unwrap_or_default())
    }

    /// Pushes a blob.
    ///
    /// # Errors
    /// `registry-failed`
    pub fn push_blob(&self, bytes: &[u8]) -> Asked<()> {
        self.own()?.push_blob(bytes)
    }

    /// Pushes a manifest or an index under a tag or its digest. What it refers to must be there.
    ///
    /// # Errors
    /// `registry-failed`
    pub fn push_manifest(&self, reference: &str, media_type: &str, bytes: &[u8]) -> Asked<()> {
        self.own()?.push_manifest(reference, media_type, bytes)
    }

    /// Returns the answer of the first place that has one. What fails or is missing in a mirror may be in a later place, but what
    /// has other bytes than its digest says is an error.
    fn first<T>(
        &self,
        is_asked: impl Fn(&Place) -> bool,
        ask: impl Fn(&Endpoint) -> Asked<Option<T>>,
    ) -> Asked<Option<T>> {
        for mirror in self.mirrors.iter().filter(|it| is_asked(&it.place)) {
            match mirror.open(|place| self.open_mirror(place)).and_then(&ask) {
                Ok(None) => {}
                Err(finding) if finding.code != Code::BundleTampered => {}
                answer => return answer,
            }
        }
        ask(self.own()?)
    }

    /// Opens a mirror, and says so, since it may have other bundles than the repository itself.
    fn open_mirror(&self, mirror: &Place) -> Asked<Endpoint> {
        let opened = Endpoint::open(mirror, false);
        let own = &self.own.place.address;
        match &opened {
            Ok(_) => note!("`{own}` is read from its mirror `{}`", mirror.address),
            Err(finding) => note!("a mirror of `{own}` is passed over: {}", finding.message),
        }
        opened
    }

    fn own(&self) -> Asked<&Endpoint> {
        self.own.open(|place| Endpoint::open(place, false))
    }
}
