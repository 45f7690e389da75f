//! Sets from disk: a folder with a folder for each channel, a folder of files, or one file.

use super::set::{Published, Set};
use super::verdict::Channel;
use crate::bundle::documents;
use crate::bundle::manifest::{self, Manifest};
use crate::files::Read;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use std::path::{Path, PathBuf};

/// Reads a set. Documents of other kinds are not of interest.
///
/// # Errors
/// When a file cannot be read or understood, when a channel has two different CRDs of one name, when there is none at
/// all; in one line.
pub fn set(path: &Path, files: &dyn Read) -> Result<Set, String> {
    let mut set = Set::default();
    if files.is_file(path) {
        set.insert_flat(published(&[path.to_path_buf()], files)?)?;
    } else {
        let entries = files
            .list(path)
            .map_err(|error| format!("`{}`: {error}", path.display()))?;
        for entry in &entries {
            let name = entry.file_name().and_then(|name| name.to_str());
            let channel = name.and_then(Channel::named);
            if let Some(channel) = channel.filter(|_| !files.is_file(entry)) {
                set.by_folder = true;
                // A released bundle has its CRDs a second time in the file that installs all of them.
                let crds = entry.join("crds");
                let of_bundle = files.list(&crds).is_ok();
                let folder = if of_bundle { &crds } else { entry };
                let paths = documents::below(folder, files);
                for published in published(&paths, files)? {
                    set.insert(channel, published)?;
                }
            }
        }
        if !set.by_folder {
            let paths = documents::below(path, files);
            set.insert_flat(published(&paths, files)?)?;
        }
    }
    let manifest = path.join(manifest::FILE);
    if files.is_file(&manifest) {
        let told = |error: String| format!("`{}`: {error}", manifest.display());
        let bytes = files
            .read(&manifest)
            .map_err(|error| told(error.to_string()))?;
        // Other tools have files of that name, too.
        if let Some(manifest) = Manifest::parse_ours(&bytes) {
            let manifest = manifest.map_err(|finding| told(finding.message))?;
            set.tombstones = Some(manifest.tombstones);
        }
    }
    if set.channels.is_empty() {
        return Err(format!(
            "`{}`: no CustomResourceDefinition here",
            path.display()
        ));
    }
    Ok(set)
}

fn published(paths: &[PathBuf], files: &dyn Read) -> Result<Vec<Published>, String> {
    let read: Vec<Result<Vec<Published>, String>> = paths
        .par_iter()
        .map(|path| {
            let told = |error: String| format!("`{}`: {error}", path.display());
            let bytes = files.read(path).map_err(|error| told(error.to_string()))?;
            let text = String::from_utf8(bytes).map_err(|error| told(error.to_string()))?;
            texts(&text).map_err(told)
        })
        .collect();
    let mut all = Vec::new();
    for published in read {
        all.extend(published?);
    }
    Ok(all)
}

/// The CRDs in a text.
///
/// # Errors
/// What is not understood, in one line.
pub fn texts(text: &str) -> Result<Vec<Published>, String> {
    let mut all = Vec::new();
    for document in documents::parse(text)? {
        all.extend(Published::read(&document)?);
    }
    Ok(all)
}
