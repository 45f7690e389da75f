//! A bundle as files to attach to a release: an archive, a file for each channel that installs it, what the bundle was made
//! from, what is in it, and the digests of these.

mod provenance;
mod spdx;

use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_released::digest::Digest;
use crd_channels_released::folder::Verified;
use crd_channels_released::{install, manifest};
use crd_channels_signature as signature;
use flate2::{Compression, GzBuilder};
use std::collections::BTreeMap;
use std::io;
use tar::{Builder, EntryType, Header};

/// A bundle that is to be attached to a release.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// What it is called, as its chart.
    pub name: &'a str,
    /// The bundle.
    pub bundle: &'a Verified,
    /// Its signature, where it has one.
    pub signature: Option<&'a [u8]>,
}

impl Subject<'_> {
    fn version(&self) -> &BundleVersion {
        &self.bundle.manifest.version
    }

    /// What every file's name begins with.
    fn stem(&self) -> String {
        format!("{}-{}", self.name, self.version())
    }

    /// The name of the file with the digests of all others, as `sha256sum --check` reads it. Those of several versions
    /// may lie in one folder.
    #[must_use]
    pub fn sums(&self) -> String {
        format!("{}.sha256", self.stem())
    }

    /// Every file of the archive, by path inside the bundle's folder.
    fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = self.bundle.files.clone();
        files.extend(install::texts(&self.bundle.manifest, &self.bundle.files));
        let (text, _) = self.bundle.manifest.to_text();
        files.insert(manifest::FILE.to_owned(), text.into_bytes());
        if let Some(signature) = self.signature {
            files.insert(signature::FILE.to_owned(), signature.to_vec());
        }
        files
    }
}

/// The files, by name. The same bundle gives the same bytes, whenever and wherever: nothing of them knows a time, a user or
/// a machine.
///
/// # Errors
/// What cannot be packed.
pub fn files(subject: Subject<'_>) -> io::Result<BTreeMap<String, Vec<u8>>> {
    let (stem, content) = (subject.stem(), subject.files());
    let packed = packed(&subject.version().to_string(), &content)?;
    let mut files = installing(subject, &content);
    files.insert(format!("{stem}.tar.gz"), packed);
    let made = provenance::statement(subject, &files, &content);
    let list = spdx::document(subject, &stem, &content);
    files.insert(format!("{stem}.provenance.json"), text(&made));
    files.insert(format!("{stem}.spdx.json"), text(&list));
    let sums = files
        .iter()
        .map(|(name, bytes)| format!("{}  {name}\n", Digest::of(bytes).hex()));
    let sums: String = sums.collect();
    files.insert(subject.sums(), sums.into_bytes());
    Ok(files)
}

/// What installs a channel for those who have no more than a link, by name.
fn installing(
    subject: Subject<'_>,
    content: &BTreeMap<String, Vec<u8>>,
) -> BTreeMap<String, Vec<u8>> {
    let channels = subject.bundle.manifest.channels.iter();
    let files = channels.filter_map(|channel| {
        let name = format!("{}-{}-install.yaml", subject.stem(), channel.name);
        let text = content.get(&install::path(&channel.name))?;
        Some((name, text.clone()))
    });
    files.collect()
}

fn text(value: &serde_json::Value) -> Vec<u8> {
    format!("{value:#}\n").into_bytes()
}

/// A compressed archive with one folder.
fn packed(folder: &str, content: &BTreeMap<String, Vec<u8>>) -> io::Result<Vec<u8>> {
    let packer = GzBuilder::new().write(Vec::new(), Compression::best());
    let mut archive = Builder::new(packer);
    for (path, bytes) in content {
        let mut header = Header::new_gnu();
        header.set_entry_type(EntryType::Regular);
        header.set_mode(0o644);
        header.set_size(bytes.len() as u64);
        header.set_mtime(0);
        header.set_uid(0);
        header.set_gid(0);
        archive.append_data(&mut header, format!("{folder}/{path}"), bytes.as_slice())?;
    }
    archive.into_inner()?.finish()
}

#[cfg(test)]
mod tests;
