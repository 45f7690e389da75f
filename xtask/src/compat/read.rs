//! Sets from disk: a folder with a folder for each channel, a folder of files, or one file.

use super::set::{Published, Set};
use super::verdict::Channel;
use crate::Text;
use crate::bundle::documents;
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
            if channel.is_none() && files.is_file(&entry.join("kustomization.yaml")) {
                others(
                    &mut set,
                    &Text::from(name.unwrap_or_default()),
                    entry,
                    files,
                )?;
            }
            if let Some(channel) = channel.filter(|_| !files.is_file(entry)) {
                set.by_folder = true;
                let paths = documents::below(entry, files);
                for published in published(&paths, files)? {
                    set.insert(channel, published)?;
                }
            }
        }
        if !set.by_folder {
            let paths = documents::below(path, files);
            set.insert_flat(published(&paths, files)?)?;
            set.others.clear();
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

/// A folder beside the channels' is a further one where its CRDs say so.
fn others(set: &mut Set, name: &Text, folder: &Path, files: &dyn Read) -> Result<(), String> {
    let all = published(&documents::below(folder, files), files).unwrap_or_default();
    let says = |published: &Published| {
        let channel = published.annotation("/channel");
        channel.is_some_and(|(_, channel)| channel == name)
    };
    if all.iter().all(says) {
        for published in all {
            set.insert_other(name, published)?;
        }
    }
    Ok(())
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
