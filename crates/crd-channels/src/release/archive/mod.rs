//! Packs a bundle into files to attach to a release: an archive, a manifest of each channel to install, provenance, a list of
//! contents, and the digests of these files.

mod provenance;
mod spdx;
pub mod artifact;

use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_released::digest::Digest;
use crd_channels_released::folder::Verified;
use crd_channels_released::{install, manifest};
use crd_channels_signature as signature;
use flate2::{Compression, GzBuilder};
use std::collections::BTreeMap;
use std::io;
use tar::{Builder, EntryType, Header};

/// A bundle to pack.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// Its name, the same as its chart's.
    pub name: &'a str,
    /// The bundle.
    pub bundle: &'a Verified,
    /// Its signature, if it is signed.
    pub signature: Option<&'a [u8]>,
}

impl Subject<'_> {
    fn version(&self) -> &BundleVersion {
        &self.bundle.manifest.version
    }

    /// The prefix of all file names.
    fn stem(&self) -> String {
        format!("{}-{}", self.name, self.version())
    }

    /// The name of the file with the digests of all others, in the format of `sha256sum --check`. Files of several versions may
    /// be in one folder.
    #[must_use]
    pub fn sums(&self) -> String {
        format!("{}.sha256", self.stem())
    }

    /// The files in the archive, by path inside the bundle's folder.
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

/// Returns the files, by name. The result is reproducible: it depends on no time, user or machine.
///
/// # Errors
/// Returns what cannot be packed.
pub fn files(subject: Subject<'_>) -> io::Result<BTreeMap<String, Vec<u8>>> {
    let (stem, content) = (subject.stem(), subject.files());
    let inside = content.iter();
    let inside = inside.map(|(path, bytes)| (format!("{}/{path}", subject.version()), bytes));
    let inside: Contents<'_> = inside.collect();
    let mut files = installing(subject, &content);
    files.insert(format!("{stem}.tar.gz"), packed(&inside, |_| false)?);
    let attached = files.iter().map(|(name, bytes)| (name.clone(), bytes));
    let made = provenance::statement(subject, attached.chain(inside));
    let list = spdx::document(subject, &stem, &content);
    files.insert(format!("{stem}.provenance.json"), json_bytes(&made));
    files.insert(format!("{stem}.spdx.json"), json_bytes(&list));
    let sums = files
        .iter()
        .map(|(name, bytes)| format!("{}  {name}\n", Digest::of(bytes).hex()));
    let sums: String = sums.collect();
    files.insert(subject.sums(), sums.into_bytes());
    Ok(files)
}

/// Returns the files that install a channel from a single URL, by name.
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

fn json_bytes(value: &serde_json::Value) -> Vec<u8> {
    format!("{value:#}\n").into_bytes()
}

/// Files by their path in an archive.
pub type Contents<'a> = BTreeMap<String, &'a Vec<u8>>;

/// Returns a compressed archive, with the same bytes on every machine.
///
/// # Errors
/// A path is too long for an archive.
pub fn packed(content: &Contents<'_>, is_program: impl Fn(&str) -> bool) -> io::Result<Vec<u8>> {
    let packer = GzBuilder::new().write(Vec::new(), Compression::best());
    let mut archive = Builder::new(packer);
    for (path, bytes) in content {
        let mut header = Header::new_gnu();
        header.set_entry_type(EntryType::Regular);
        header.set_mode(if is_program(path) { 0o755 } else { 0o644 });
        header.set_size(bytes.len() as u64);
        header.set_mtime(0);
        header.set_uid(0);
        header.set_gid(0);
        archive.append_data(&mut header, path, bytes.as_slice())?;
    }
    archive.into_inner()?.finish()
}

#[cfg(test)]
mod tests;
