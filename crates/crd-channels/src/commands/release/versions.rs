//! Sets the next version in the files that contain the tree's version.

use crate::release::manifests;
use crd_channels_diagnostics::{Code, Diagnostic};
use crd_channels_files::{Read, slashed};
use crd_channels_generator::pipeline::Setup;
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_projection::channel::config::FOLDER;
use crd_channels_workspace::Package;
use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::path::Path;

/// Returns the changed texts, by path below the workspace.
///
/// # Errors
/// `release-version` if no file has the version in a form that can be changed.
pub fn set(
    setup: &Setup,
    root: &Path,
    next: &BundleVersion,
    files: &dyn Read,
) -> Result<BTreeMap<String, String>, Box<Diagnostic>> {
    let version = next.semantic().to_string();
    let read = |path: &str| text(root, path, files);
    let mut texts = BTreeMap::new();
    if setup.config.bundle.version.is_some() {
        let path = format!("{FOLDER}/bundle.toml");
        let new = read(&path)?.and_then(|old| manifests::bundle(&old, &version));
        texts.insert(path.clone(), new.ok_or_else(|| without_version(&path))?);
        return Ok(texts);
    }
    let mut named = BTreeSet::new();
    let mut shared = false;
    for id in &setup.packages {
        let Some(package) = setup.workspace.package(*id) else {
            continue;
        };
        let path = manifest_of(package, setup)?;
        let old = read(&path)?.ok_or_else(|| without_version(&path))?;
        match manifests::package(&old, &version) {
            Some(new) => {
                named.insert(package.name.as_str());
                texts.insert(path, new);
            }
            None => shared = true,
        }
    }
    if shared {
        let path = "Cargo.toml";
        let old = texts.get(path).cloned();
        let old = match old {
            Some(old) => Some(old),
            None => read(path)?,
        };
        let new = old.and_then(|old| manifests::workspace(&old, &version));
        texts.insert(path.to_owned(), new.ok_or_else(|| without_version(path))?);
        for id in &setup.workspace.members {
            let Some(package) = setup.workspace.package(*id) else {
                continue;
            };
            let manifest = read(&manifest_of(package, setup)?)?;
            // Members without a version of their own inherit the shared one.
            if manifest.is_some_and(|text| manifests::package(&text, &version).is_none()) {
                named.insert(package.name.as_str());
            }
        }
    }
    let names: Vec<&str> = named.into_iter().collect();
    let members = setup.workspace.members.iter();
    let members = members.filter_map(|id| setup.workspace.package(*id));
    let mut paths = vec!["Cargo.toml".to_owned()];
    for package in members {
        paths.push(manifest_of(package, setup)?);
    }
    for path in paths {
        let known = match texts.get(&path) {
            Some(known) => Some(known.clone()),
            None => read(&path)?,
        };
        let new = known.as_ref();
        let new = new.and_then(|old| manifests::requirements(old, &names, next.semantic()));
        if new.is_some() && new != known {
            texts.extend(new.map(|new| (path, new)));
        }
    }
    if let Some(old) = read("Cargo.lock")? {
        let new = manifests::lock(&old, &names, &version);
        texts.insert(
            "Cargo.lock".to_owned(),
            new.ok_or_else(|| without_version("Cargo.lock"))?,
        );
    }
    Ok(texts)
}

/// Returns the packages that are published to a registry under the bundle's version.
///
/// # Errors
/// As [`text`].
pub fn published(
    setup: &Setup,
    root: &Path,
    files: &dyn Read,
) -> Result<Vec<String>, Box<Diagnostic>> {
    let mut published = Vec::new();
    if setup.config.bundle.version.is_some() {
        return Ok(published);
    }
    let shared = text(root, "Cargo.toml", files)?.unwrap_or_default();
    for id in &setup.packages {
        let Some(package) = setup.workspace.package(*id) else {
            continue;
        };
        let own = text(root, &manifest_of(package, setup)?, files)?;
        if own.is_some_and(|own| manifests::is_published(&own, &shared)) {
            published.push(package.name.clone());
        }
    }
    Ok(published)
}

/// Returns the path of a package's manifest below the workspace.
fn manifest_of(package: &Package, setup: &Setup) -> Result<String, Box<Diagnostic>> {
    let below = package.root.strip_prefix(&setup.workspace.root);
    let below = below.map_err(|_| without_version(&format!("{}/Cargo.toml", package.name)))?;
    Ok(slashed(&below.join("Cargo.toml")))
}

/// Returns a file's text; `None` if there is no file.
pub fn text(root: &Path, path: &str, files: &dyn Read) -> Result<Option<String>, Box<Diagnostic>> {
    let unreadable = |why: String| {
        let message = format!("`{path}` cannot be read: {why}");
        Box::new(
            Diagnostic::new(Code::UnreadableFile, None, message)
                .with_help("make the file readable"),
        )
    };
    match files.read(&root.join(path)) {
        Ok(bytes) => String::from_utf8(bytes)
            .map(Some)
            .map_err(|error| unreadable(error.to_string())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unreadable(error.to_string())),
    }
}

fn without_version(path: &str) -> Box<Diagnostic> {
    let message = format!("`{path}` does not contain the version as plain text");
    Box::new(
        Diagnostic::new(Code::ReleaseVersion, None, message)
            .with_help("write `version = \"..\"` into `channels/bundle.toml`"),
    )
}
