//! The files that a release writes: those of the bundle, the list of bundles, and the files of the tree that have its version.

use super::candidate::{CheckedCandidate, Source};
use super::channel_crds::stamped;
use super::output::Output;
use super::{Request, versions};
use crate::release::changelog;
use crate::release::contents::Contents;
use crd_channels_diagnostics::Diagnostic;
use crd_channels_files::Disk;
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_projection::channel::config::FOLDER;
use crd_channels_released::folder::ATTRIBUTES;
use crd_channels_released::manifest::{self, Manifest};
use crd_channels_signature as signature;
use std::collections::BTreeMap;
use std::path::Path;

/// A checked release.
#[derive(Clone, Copy)]
pub struct ReleaseFiles<'a> {
    /// The arguments.
    pub request: &'a Request,
    /// The current folder, which the path of the key is relative to.
    pub here: &'a Path,
    /// The types.
    pub source: Source<'a>,
    /// The place of generated files.
    pub output: &'a Output<'a>,
    /// The checked candidate.
    pub checked: &'a CheckedCandidate<'a>,
    /// The version of the tree before the release.
    pub tree: &'a BundleVersion,
}

impl ReleaseFiles<'_> {
    /// Returns all files by path below the workspace. `entry` is the bundle's entry in the list of bundles.
    ///
    /// # Errors
    /// As [`signature::sign`] and [`versions::set`]; `unreadable-file` if a file to change cannot be read.
    pub fn all(
        self,
        contents: Contents,
        manifest: &Manifest,
        entry: &str,
    ) -> Result<BTreeMap<String, String>, Box<Diagnostic>> {
        let Output { root, setup } = *self.output;
        let next = &self.checked.choice.tree;
        let stamp = stamped(self.source.stamp, next);
        let crds = self.source.under(next);
        let mut files = self.output.with_constants(&crds, self.source.kinds, &stamp);
        files.extend(self.bundle(contents, manifest)?);
        let log = format!("{FOLDER}/{}", changelog::FILE);
        let old = versions::read_text(root, &log, &Disk)?;
        files.insert(log, changelog::with_entry(old.as_deref(), entry));
        let (name, text) = ATTRIBUTES;
        let attributes = format!("{FOLDER}/{name}");
        if versions::read_text(root, &attributes, &Disk)?.is_none() {
            files.insert(attributes, text.to_owned());
        }
        if next != self.tree {
            files.extend(versions::set(setup, root, next, &Disk)?);
        }
        Ok(files)
    }

    /// Returns the files of the bundle: its contents, the manifest, and the signature if the release is signed.
    fn bundle(
        self,
        contents: Contents,
        manifest: &Manifest,
    ) -> Result<BTreeMap<String, String>, Box<Diagnostic>> {
        let version = &self.checked.choice.version;
        let mut files = contents.files;
        let (text, _) = manifest.to_text();
        if let Some(key) = &self.request.sign {
            let key = self.here.join(key);
            let signed = signature::sign(&text, version, &manifest.annotation_prefix, &key)?;
            files.insert(signature::FILE.to_owned(), signed);
        }
        files.insert(manifest::FILE.to_owned(), text);
        let files = files.into_iter();
        let files = files.map(|(path, text)| (format!("{FOLDER}/{version}/{path}"), text));
        Ok(files.collect())
    }
}
