//! Archives of bundles, such as those that `archive` makes: files or URLs, unpacked into memory.

use super::access::{Access, unfetched};
use super::download::download;
use super::location::{Location, missing};
use super::origin::is_remote;
use crd_channels_diagnostics::{Code, Diagnostic};
use crd_channels_files::{Disk, Memory, Read};
use flate2::read::MultiGzDecoder;
use std::collections::BTreeMap;
use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf};
use tar::Archive;

/// The largest archive, unpacked. Bundles are much smaller; a small file may unpack to any size.
const LARGEST: u64 = 512 << 20;

/// Opens the archive of that name, or the folder at a path inside it.
pub(super) fn open(
    name: &str,
    path: Option<&str>,
    access: &Access,
) -> Result<Location, Box<Diagnostic>> {
    let bytes = read_archive(name, access)?;
    let top = PathBuf::from(name);
    let files = files_in(name, &top, &bytes)?;
    Ok(Location::in_memory(top, path, files))
}

/// Returns the files of the archive that messages call `name`, below `top`.
pub(super) fn files_in(name: &str, top: &Path, bytes: &[u8]) -> Result<Memory, Box<Diagnostic>> {
    unpacked(top, bytes).map_err(|error| {
        let message = format!("`{name}` cannot be unpacked: {error}");
        let finding = Diagnostic::new(Code::BundleInvalid, None, message);
        Box::new(finding.with_help("get the archive again from where it was released"))
    })
}

fn read_archive(name: &str, access: &Access) -> Result<Vec<u8>, Box<Diagnostic>> {
    if !is_remote(name) {
        return Disk.read(&access.here.join(name)).map_err(|error| {
            missing(
                format!("`{name}` cannot be read: {error}"),
                "name an archive `NAME.tar.gz` by its path or its URL",
            )
        });
    }
    if access.offline {
        let help = "remove `--offline`, or download the archive and name the file";
        return Err(unfetched(name, help));
    }
    download(name)
}

/// Returns the regular files of an archive, below `top`. Others, such as links, belong to no bundle.
fn unpacked(top: &Path, bytes: &[u8]) -> io::Result<Memory> {
    let plain = MultiGzDecoder::new(bytes).take(LARGEST + 1);
    let mut archive = Archive::new(plain);
    let mut files = BTreeMap::new();
    let mut size = 0;
    for entry in archive.entries()? {
        let mut entry = entry?;
        if !entry.header().entry_type().is_file() {
            continue;
        }
        let path = entry.path()?.into_owned();
        if !path
            .components()
            .all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
        {
            let message = format!("the path `{}` leads out of it", path.display());
            return Err(io::Error::other(message));
        }
        let mut content = Vec::new();
        size += entry.read_to_end(&mut content)? as u64;
        if size > LARGEST {
            return Err(io::Error::other("it is too large for a bundle"));
        }
        let plain: PathBuf = path
            .components()
            .filter(|part| *part != Component::CurDir)
            .collect();
        if files.insert(top.join(plain), content).is_some() {
            let message = format!("it has two files `{}`", path.display());
            return Err(io::Error::other(message));
        }
    }
    Ok(Memory(files))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::unpacked;
    use flate2::{Compression, GzBuilder};
    use std::io::Write;
    use std::path::Path;
    use tar::{Builder, EntryType, Header};

    fn packed(entries: &[(&str, EntryType)]) -> Vec<u8> {
        let packer = GzBuilder::new().write(Vec::new(), Compression::fast());
        let mut archive = Builder::new(packer);
        for (path, kind) in entries {
            let mut header = Header::new_gnu();
            // Not through `set_path`, which refuses what others may write.
            let name = path.as_bytes();
            header
                .as_gnu_mut()
                .unwrap()
                .name
                .get_mut(..name.len())
                .unwrap()
                .copy_from_slice(name);
            header.set_entry_type(*kind);
            header.set_size(1);
            header.set_cksum();
            archive.append(&header, &b"x"[..]).unwrap();
        }
        archive.into_inner().unwrap().finish().unwrap()
    }

    #[test]
    fn only_regular_files_inside_are_unpacked() {
        let file = EntryType::Regular;
        let bytes = packed(&[("./v0.1.0/a", file), ("v0.1.0/b", EntryType::Symlink)]);
        let files = unpacked(Path::new("top"), &bytes).unwrap();
        let paths: Vec<&Path> = files.0.keys().map(std::path::PathBuf::as_path).collect();
        assert_eq!(paths, [Path::new("top/v0.1.0/a")]);
        for (entries, expected) in [
            (&[("../a", file)][..], "leads out of it"),
            (&[("a/../../b", file)], "leads out of it"),
            (&[("/a", file)], "leads out of it"),
            (&[("a", file), ("./a", file)], "two files"),
        ] {
            let error = unpacked(Path::new("top"), &packed(entries)).unwrap_err();
            assert!(error.to_string().contains(expected), "{error}");
        }
    }

    /// Neither half an archive nor something else is taken for an empty one.
    #[test]
    fn what_is_no_archive_is_an_error() {
        let bytes = packed(&[("v0.1.0/a", EntryType::Regular)]);
        let mut text = GzBuilder::new().write(Vec::new(), Compression::fast());
        text.write_all(b"<!DOCTYPE html> not found").unwrap();
        for bytes in [
            &bytes[..40],
            b"",
            b"<!DOCTYPE html>",
            &text.finish().unwrap(),
        ] {
            assert!(unpacked(Path::new("top"), bytes).is_err());
        }
    }
}
