//! The released bundles that a set of CRDs follows.

use crate::release::history::{History, Sets};
use crate::release::lifecycle::Ancestry;
use crd_channels_diagnostics::{Code, Diagnostic};
use crd_channels_files::Read;
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_released::bundles::{self, baseline};
use crd_channels_released::folder::verify;
use crd_channels_released::manifest::{Change, Manifest, SIGNATURE};
use crd_channels_signature::key_id;
use std::collections::BTreeMap;
use std::path::Path;

/// A chain of verified bundles that ends with the last one before a set of CRDs.
pub struct BundleChain {
    history: History,
    sets: Sets,
    last: BundleVersion,
    recorded: Vec<Change>,
    /// The ids of the keys that signed the bundles, by their names.
    signers: BTreeMap<String, String>,
}

/// Returns the id of the key that signed the bundle in a folder, as minisign prints it. The signature is not checked.
#[must_use]
pub fn signer(folder: &Path, files: &dyn Read) -> Option<String> {
    key_id(&files.read_text(&folder.join(SIGNATURE)).ok()?)
}

impl BundleChain {
    /// Returns the bundles before the bundle in `folder`; `None` if it is the first.
    ///
    /// # Errors
    /// Returns what is wrong with one of them.
    pub fn before(folder: &Path, files: &dyn Read) -> Result<Option<Self>, Vec<Diagnostic>> {
        let bundle = verify(folder, files)?;
        let Manifest {
            baseline, changes, ..
        } = bundle.manifest;
        match (baseline, folder.parent()) {
            (Some(last), Some(all)) => Ok(Some(Self {
                recorded: changes,
                ..Self::ending(all, last.version, files)?
            })),
            _ => Ok(None),
        }
    }

    /// Returns the bundles in `folder` that a tree at `version` follows; `None` if there are none. A tree whose version is that
    /// of a bundle follows what that bundle follows.
    ///
    /// # Errors
    /// Returns what is wrong with one of them.
    pub fn up_to(
        folder: &Path,
        version: &BundleVersion,
        files: &dyn Read,
    ) -> Result<Option<Self>, Vec<Diagnostic>> {
        let released = bundles::all(folder, files);
        if let Some(own) = released.iter().find(|bundle| bundle.version == *version) {
            return Self::before(&own.folder, files);
        }
        match baseline(&released, version) {
            Some(last) => Self::ending(folder, last.version.clone(), files).map(Some),
            None => Ok(None),
        }
    }

    fn ending(
        folder: &Path,
        last: BundleVersion,
        files: &dyn Read,
    ) -> Result<Self, Vec<Diagnostic>> {
        Self::of(History::chain(folder, &last, files)?, folder, last, files)
    }

    /// Returns the bundles before the bundle in `folder`, as far as they are beside it; `None` if none is.
    ///
    /// # Errors
    /// Returns what is wrong with one of them.
    pub fn beside(folder: &Path, files: &dyn Read) -> Result<Option<Self>, Vec<Diagnostic>> {
        let history = History::beside(folder, files)?;
        let last = history.bundles.keys().next_back().cloned();
        match (last, folder.parent()) {
            (Some(last), Some(all)) => Self::of(history, all, last, files).map(Some),
            _ => Ok(None),
        }
    }

    fn of(
        history: History,
        folder: &Path,
        last: BundleVersion,
        files: &dyn Read,
    ) -> Result<Self, Vec<Diagnostic>> {
        let sets = history.sets().map_err(|why| {
            let finding = Diagnostic::new(Code::BundleInvalid, None, why);
            vec![finding.with_help("get the bundle again from where it was released")]
        })?;
        let signers = history.bundles.keys().filter_map(|version| {
            let version = version.to_string();
            let signer = signer(&folder.join(&version), files)?;
            Some((version, signer))
        });
        Ok(Self {
            signers: signers.collect(),
            history,
            sets,
            last,
            recorded: Vec::new(),
        })
    }

    /// Returns the id of the key that signed a bundle of the chain.
    #[must_use]
    pub fn signer(&self, version: &str) -> Option<String> {
        self.signers.get(version).cloned()
    }

    /// The changes that the bundle after this chain records, if there is such a bundle.
    #[must_use]
    pub fn recorded(&self) -> &[Change] {
        &self.recorded
    }

    /// The bundles, oldest first.
    #[must_use]
    pub fn past(&self) -> Ancestry<'_> {
        Ancestry::of(&self.history, &self.sets, Some(&self.last))
    }
}
