//! The registry of a program that was built without the feature `oci`: there is none.

use super::address::Address;
use super::manifest::Descriptor;
use crd_channels_diagnostics::{Code, Diagnostic};
use crd_channels_released::digest::Digest;

/// A registry that cannot be opened.
#[derive(Clone, Copy, Debug)]
pub enum Registry {}

type Asked<T> = Result<T, Box<Diagnostic>>;

/// How to get a program with registries.
const INSTALL: &str = "run `cargo install --locked --git https://github.com/crd-channels/crd-channels crd-channels --features oci`";

#[expect(missing_docs, clippy::missing_errors_doc, reason = "as in `client`")]
impl Registry {
    pub fn open(address: &Address, _pushes: bool) -> Asked<Self> {
        let message =
            format!("`{address}` is in a registry, and this program was built without them");
        let finding = Diagnostic::new(Code::RegistrySupport, None, message);
        Err(Box::new(finding.with_help(INSTALL)))
    }

    pub fn tags(&self) -> Asked<Vec<String>> {
        match *self {}
    }

    pub fn manifest(&self, _reference: &str) -> Asked<Option<Vec<u8>>> {
        match *self {}
    }

    pub fn blob(&self, _content: &Descriptor) -> Asked<Vec<u8>> {
        match *self {}
    }

    pub fn referrers(&self, _subject: &Digest) -> Asked<Vec<Descriptor>> {
        match *self {}
    }

    pub fn push_blob(&self, _bytes: &[u8]) -> Asked<()> {
        match *self {}
    }

    pub fn push_manifest(&self, _reference: &str, _media_type: &str, _bytes: &[u8]) -> Asked<()> {
        match *self {}
    }
}
