//! A tree that mirrors the source with other texts in some files: those are written, and everything else is a link to the
//! original, so that relative paths in files still work.

use crd_channels_files::{Disk, Read};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// The texts below a folder.
#[derive(Default)]
struct Tree<'t> {
    texts: BTreeMap<OsString, &'t str>,
    folders: BTreeMap<OsString, Tree<'t>>,
}

/// Lays the texts (by the canonical paths of their files) over the source, in `folder`. Files that are already right stay
/// untouched, so that cargo only recompiles what changed. Returns the path of each text.
///
/// The tree begins at the repository around `root`, since sources name files above their own folder, such as `../README.md`.
///
/// # Errors
/// If a file cannot be written or linked.
pub(super) fn lay(
    texts: &BTreeMap<PathBuf, String>,
    root: &Path,
    folder: &Path,
) -> io::Result<BTreeMap<PathBuf, PathBuf>> {
    let mut base = Disk.canonical(root)?;
    for path in texts.keys() {
        while !path.starts_with(&base) && base.pop() {}
    }
    let mut above = base.ancestors();
    if let Some(repository) = above.find(|folder| folder.join(".git").exists()) {
        base = repository.to_path_buf();
    }
    let mut tree = Tree::default();
    let mut places = BTreeMap::new();
    for (path, text) in texts {
        let inside = path.strip_prefix(&base).unwrap_or(path);
        let mut at = &mut tree;
        for part in inside.parent().into_iter().flat_map(Path::iter) {
            at = at.folders.entry(part.to_owned()).or_default();
        }
        if let Some(name) = inside.file_name() {
            at.texts.insert(name.to_owned(), text);
        }
        places.insert(path.clone(), folder.join(inside));
    }
    let layer = Layer {
        base: &base,
        folder,
        texts,
    };
    layer.write(&tree, &base, folder)?;
    Ok(places)
}

/// The source, the folder over it, and the texts.
struct Layer<'a> {
    base: &'a Path,
    folder: &'a Path,
    texts: &'a BTreeMap<PathBuf, String>,
}

impl Layer<'_> {
    fn write(&self, tree: &Tree<'_>, original: &Path, folder: &Path) -> io::Result<()> {
        if folder.is_symlink() {
            std::fs::remove_file(folder)?;
        }
        std::fs::create_dir_all(folder)?;
        let mut names: BTreeSet<OsString> = names(original).unwrap_or_default();
        names.extend(tree.folders.keys().chain(tree.texts.keys()).cloned());
        for name in self::names(folder)?.difference(&names) {
            remove(&folder.join(name))?;
        }
        for name in &names {
            let (from, to) = (original.join(name), folder.join(name));
            if let Some(below) = tree.folders.get(name) {
                self.write(below, &from, &to)?;
            } else if let Some(text) = tree.texts.get(name) {
                if to.is_symlink() || std::fs::read(&to).ok().as_deref() != Some(text.as_bytes()) {
                    remove(&to)?;
                    std::fs::write(&to, text)?;
                }
            } else if self.folder.starts_with(&from) {
                // The tree does not contain itself.
                remove(&to)?;
            } else {
                stand_for(&self.other(from), &to)?;
            }
        }
        Ok(())
    }

    /// The target of an entry: the original, or if the entry is a link to a folder or file with a text, its counterpart in the
    /// tree.
    fn other(&self, entry: PathBuf) -> PathBuf {
        if !entry.is_symlink() {
            return entry;
        }
        let Ok(true_name) = Disk.canonical(&entry) else {
            return entry;
        };
        let mut texts = self.texts.keys();
        match true_name.strip_prefix(self.base) {
            Ok(inside) if texts.any(|path| path.starts_with(&true_name)) => {
                self.folder.join(inside)
            }
            _ => entry,
        }
    }
}

/// Links `path` to the original.
pub(super) fn stand_for(original: &Path, path: &Path) -> io::Result<()> {
    if std::fs::read_link(path).ok().as_deref() == Some(original) {
        return Ok(());
    }
    remove(path)?;
    link(original, path)
}

fn names(folder: &Path) -> io::Result<BTreeSet<OsString>> {
    let entries = std::fs::read_dir(folder)?;
    entries.map(|entry| Ok(entry?.file_name())).collect()
}

/// Removes an entry, but never the target of a link.
fn remove(path: &Path) -> io::Result<()> {
    match path.symlink_metadata() {
        Ok(about) if about.is_dir() => std::fs::remove_dir_all(path),
        Ok(_) => std::fs::remove_file(path),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

#[cfg(unix)]
fn link(original: &Path, path: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(original, path)
}

#[cfg(windows)]
fn link(original: &Path, path: &Path) -> io::Result<()> {
    if original.is_dir() {
        std::os::windows::fs::symlink_dir(original, path)
    } else {
        std::os::windows::fs::symlink_file(original, path)
    }
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::lay;
    use std::collections::BTreeMap;
    use std::fs;

    #[test]
    fn what_is_not_replaced_is_the_original() {
        let folder =
            std::env::temp_dir().join(format!("crd-channels-overlay-{}", std::process::id()));
        let write = |path: &str, text: &str| {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("w/src/lib.rs", "one");
        write("w/src/a/b.rs", "two");
        write("w/README.md", "text");
        let folder = folder.canonicalize().unwrap();
        let lib = folder.join("w/src/lib.rs");
        std::os::unix::fs::symlink("lib.rs", folder.join("w/src/same.rs")).unwrap();
        let texts = BTreeMap::from([(lib.clone(), "other".to_owned())]);
        let root = folder.join("w");
        let overlay = root.join("target/overlay");
        let places = lay(&texts, &root, &overlay).unwrap();
        let place = &places[&lib];
        let read = |path: &str| fs::read_to_string(place.parent().unwrap().join(path)).unwrap();
        assert_eq!(read("lib.rs"), "other");
        assert_eq!(read("same.rs"), "other");
        assert_eq!(read("a/b.rs"), "two");
        assert_eq!(read("../README.md"), "text");
        assert!(!place.parent().unwrap().join("../target").exists());
        let before = fs::metadata(place).unwrap().modified().unwrap();
        fs::remove_file(folder.join("w/README.md")).unwrap();
        lay(&texts, &root, &overlay).unwrap();
        assert_eq!(fs::metadata(place).unwrap().modified().unwrap(), before);
        assert!(!place.parent().unwrap().join("../README.md").exists());
        let b = folder.join("w/src/a/b.rs");
        let texts = BTreeMap::from([(b, "three".to_owned())]);
        lay(&texts, &root, &overlay).unwrap();
        assert_eq!(read("lib.rs"), "one");
        assert_eq!(read("a/b.rs"), "three");
        assert_eq!(
            fs::read_to_string(folder.join("w/src/a/b.rs")).unwrap(),
            "two"
        );
        fs::remove_dir_all(folder).unwrap();
    }
}
