//! Reads a released bundle from disk or from a git tree as a whole, and verifies it before use.

use super::digest::Digest;
use super::install;
use super::manifest::{self, CHECKED_OUT, Manifest, RESTORE, failed};
use crd_channels_diagnostics::{Code, Diagnostic};
use crd_channels_files::{DEEPEST_FOLDER, Read, is_aside, shown_path, with_unix_line_ends};
use std::collections::BTreeMap;
use std::path::Path;

/// The file below `channels/` that keeps git from converting the line endings of bundles, and its text.
pub const ATTRIBUTES: (&str, &str) = (
    ".gitattributes",
    "# Bundles are verified to the byte, so git must not convert their line endings.\nv*/** -text\n",
);

/// A bundle that is exactly as released.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Verified {
    /// Its manifest, which has a correct digest of its own.
    pub manifest: Manifest,
    /// The bytes of every file except the manifest, by path inside the folder, with `/`.
    pub files: BTreeMap<String, Vec<u8>>,
}

/// Reads the bundle in a folder and verifies it. The returned bundle was read once and is exactly what was released:
///
/// - the manifest has a known format, no unknown fields, and the digest that it states;
/// - every file that it lists exists with the stated digest, and there are no other files except a signature and the files that
///   an archive adds, which must be exactly those that the bundle generates;
/// - no path in it leads out of the folder.
///
/// Only its digest can tell whether the manifest is the released one: compare it with a digest recorded elsewhere (in a lock,
/// or in the manifest of the bundle that names this one as its baseline).
///
/// # Errors
/// Returns everything that is wrong, at least one of: `bundle-newer`, `bundle-invalid` or `bundle-tampered`.
pub fn verify(folder: &Path, files: &dyn Read) -> Result<Verified, Vec<Diagnostic>> {
    let one = |finding: Box<Diagnostic>| vec![*finding];
    let bytes = files.read(&folder.join(manifest::FILE)).map_err(|error| {
        let message = format!(
            "`{}` of `{}` cannot be read: {error}",
            manifest::FILE,
            shown_path(folder)
        );
        one(failed(
            Code::BundleInvalid,
            message,
            "name the folder of a released bundle, such as `channels/v0.1.0`",
        ))
    })?;
    let manifest = Manifest::parse(&bytes).map_err(|mut finding| {
        finding.message = format!("bundle `{}`: {}", shown_path(folder), finding.message);
        one(finding)
    })?;
    let mut faults = Vec::new();
    let mut there = Vec::new();
    list_files(folder, "", files, 0, &mut there, &mut faults);
    let mut read = BTreeMap::new();
    for (path, digest) in manifest.files() {
        match files.read(&folder.join(path)) {
            Ok(bytes) if Digest::of(&bytes) == *digest => {
                read.insert(path.to_owned(), bytes);
            }
            Ok(bytes) if Digest::of(&with_unix_line_ends(&bytes)) == *digest => {
                let message =
                    format!("`{path}` has Windows line endings (CRLF), but was released with LF");
                faults.push(*failed(Code::BundleTampered, message, CHECKED_OUT));
            }
            Ok(_) => faults.push(tampered(format!("`{path}` was changed"))),
            Err(error) => faults.push(tampered(format!("`{path}` cannot be read: {error}"))),
        }
    }
    let listed: BTreeMap<&str, &Digest> = manifest.files().collect();
    let is_derived = |path: &str| {
        let derived = install::texts(&manifest, &read).remove(path);
        derived.is_some_and(|derived| {
            files
                .read(&folder.join(path))
                .is_ok_and(|bytes| bytes == derived)
        })
    };
    for path in there {
        let of_bundle = [manifest::FILE, manifest::SIGNATURE].contains(&path.as_str());
        if is_aside(path.rsplit('/').next().unwrap_or(&path)) {
            let message = format!("`{path}` was left by an interrupted run");
            faults.push(*failed(Code::BundleTampered, message, "remove the file"));
        } else if !of_bundle && !listed.contains_key(path.as_str()) && !is_derived(&path) {
            faults.push(tampered(format!("`{path}` is not part of the bundle")));
        }
    }
    if faults.is_empty() {
        return Ok(Verified {
            manifest,
            files: read,
        });
    }
    let name = |mut finding: Diagnostic| {
        finding.message = format!("bundle {}: {}", manifest.version, finding.message);
        finding
    };
    Err(faults.into_iter().map(name).collect())
}

fn tampered(message: String) -> Diagnostic {
    *failed(Code::BundleTampered, message, RESTORE)
}

/// Lists the paths of all files in a folder and its subfolders.
fn list_files(
    root: &Path,
    inside: &str,
    files: &dyn Read,
    depth: usize,
    found: &mut Vec<String>,
    faults: &mut Vec<Diagnostic>,
) {
    let entries = match files.list(&root.join(inside)) {
        Ok(entries) if depth < DEEPEST_FOLDER => entries,
        Ok(_) => {
            faults.push(tampered(format!("`{inside}` is not part of the bundle")));
            return;
        }
        Err(error) => {
            faults.push(tampered(format!("`{inside}` cannot be listed: {error}")));
            return;
        }
    };
    for entry in entries {
        let name = entry.file_name().unwrap_or_default().to_string_lossy();
        let path = match inside {
            "" => name.into_owned(),
            inside => format!("{inside}/{name}"),
        };
        if files.is_file(&entry) {
            found.push(path);
        } else {
            list_files(root, &path, files, depth + 1, found, faults);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

    use super::verify;
    use crate::fixture::{CRD, manifest};
    use crate::manifest;
    use crd_channels_diagnostics::Code;
    use crd_channels_files::Memory;
    use crd_channels_projection::bundle::version::BundleVersion;
    use std::path::Path;

    fn folder() -> Memory {
        let files = [
            (manifest::FILE, manifest().to_text().0),
            (CRD, "crd".to_owned()),
            ("chart/Chart.yaml", "chart".to_owned()),
        ];
        let files = files.map(|(path, text)| (Path::new("b").join(path), text.into_bytes()));
        Memory(files.into_iter().collect())
    }

    #[test]
    fn what_was_released_is_verified_and_read() {
        let verified = verify(Path::new("b"), &folder()).unwrap();
        assert_eq!(verified.manifest.version, BundleVersion::new(0, 1, 0));
        assert_eq!(verified.files[CRD], b"crd");
        assert_eq!(verified.files.len(), 2);
    }

    /// An unpacked archive can be pinned.
    #[test]
    fn what_an_archive_adds_may_stay() {
        let mut folder = folder();
        let install = Path::new("b/stable/install.yaml");
        folder.0.insert(install.to_owned(), b"crd".to_vec());
        let verified = verify(Path::new("b"), &folder).unwrap();
        assert_eq!(verified.files.len(), 2);
        for bytes in [&b"crd\n"[..], b""] {
            folder.0.insert(install.to_owned(), bytes.to_vec());
            let found = verify(Path::new("b"), &folder).unwrap_err();
            let expected = "bundle v0.1.0: `stable/install.yaml` is not part of the bundle";
            assert_eq!(found[0].message, expected);
        }
    }

    #[test]
    fn whatever_else_is_there_is_said() {
        let check = |edit: &dyn Fn(&mut Memory), expected: &[&str]| {
            let mut folder = folder();
            edit(&mut folder);
            let found = verify(Path::new("b"), &folder).unwrap_err();
            assert!(
                found
                    .iter()
                    .all(|finding| finding.code == Code::BundleTampered)
            );
            let messages: Vec<&str> = found.iter().map(|finding| &*finding.message).collect();
            assert_eq!(messages, expected);
        };
        let at = |path: &str| Path::new("b").join(path);
        check(
            &|folder| {
                folder.0.insert(at(CRD), b"other".to_vec());
                folder.0.remove(&at("chart/Chart.yaml"));
                folder.0.insert(at("stable/crds/more.yaml"), Vec::new());
                folder.0.insert(at("install.yaml"), b"crd".to_vec());
            },
            &[
                "bundle v0.1.0: `stable/crds/example.com_routes.yaml` was changed",
                "bundle v0.1.0: `chart/Chart.yaml` cannot be read: entity not found",
                "bundle v0.1.0: `install.yaml` is not part of the bundle",
                "bundle v0.1.0: `stable/crds/more.yaml` is not part of the bundle",
            ],
        );
        let none = verify(Path::new("nowhere"), &folder()).unwrap_err();
        assert_eq!(none[0].code, Code::BundleInvalid);
    }
}
