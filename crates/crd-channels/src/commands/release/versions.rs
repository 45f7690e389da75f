//! Sets the next version in the files that contain the tree's version.

use crate::release::manifests;
use crate::release::publishing::{self, Manifests};
use crd_channels_diagnostics::{Code, Diagnostic};
use crd_channels_files::{Read, slashed};
use crd_channels_generator::pipeline::Setup;
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_projection::channel::config::FOLDER;
use crd_channels_workspace::{Package, PackageId};
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
    let mut edit = VersionEdit {
        setup,
        root,
        files,
        next: next.semantic(),
        texts: BTreeMap::new(),
        packages: BTreeSet::new(),
    };
    if setup.config.bundle.version.is_some() {
        edit.set_in_configuration()?;
    } else {
        edit.set_in_manifests()?;
        edit.set_in_requirements()?;
        edit.set_in_lock()?;
    }
    Ok(edit.texts)
}

/// The change of a version in all files that have it.
struct VersionEdit<'a> {
    setup: &'a Setup,
    root: &'a Path,
    files: &'a dyn Read,
    next: &'a semver::Version,
    /// The changed texts, by path below the workspace.
    texts: BTreeMap<String, String>,
    /// The names of the packages that have the version.
    packages: BTreeSet<&'a str>,
}

impl<'a> VersionEdit<'a> {
    fn set_in_configuration(&mut self) -> Result<(), Box<Diagnostic>> {
        let path = format!("{FOLDER}/bundle.toml");
        let old = self.text_of(&path)?;
        self.change(path, old, manifests::bundle)
    }

    /// Changes the manifests of the packages with types, and the one of the workspace if one of them inherits its version.
    fn set_in_manifests(&mut self) -> Result<(), Box<Diagnostic>> {
        let mut inherits = false;
        for package in self.packages(&self.setup.packages) {
            let path = manifest_of(package, self.setup)?;
            let old = self.text_of(&path)?.ok_or_else(|| without_version(&path))?;
            match manifests::package(&old, &self.next.to_string()) {
                Some(new) => {
                    self.packages.insert(package.name.as_str());
                    self.texts.insert(path, new);
                }
                None => inherits = true,
            }
        }
        if inherits {
            self.set_in_workspace()?;
        }
        Ok(())
    }

    fn set_in_workspace(&mut self) -> Result<(), Box<Diagnostic>> {
        let old = self.changed_text("Cargo.toml")?;
        self.change("Cargo.toml".to_owned(), old, manifests::workspace)?;
        for package in self.packages(&self.setup.workspace.members) {
            let manifest = self.text_of(&manifest_of(package, self.setup)?)?;
            // Members without a version of their own inherit the shared one.
            let has_own = |text: String| manifests::package(&text, &self.next.to_string());
            if manifest.is_some_and(|text| has_own(text).is_none()) {
                self.packages.insert(package.name.as_str());
            }
        }
        Ok(())
    }

    /// Changes the requirements of workspace members on each other.
    fn set_in_requirements(&mut self) -> Result<(), Box<Diagnostic>> {
        let names: Vec<&str> = self.packages.iter().copied().collect();
        let mut paths = vec!["Cargo.toml".to_owned()];
        for package in self.packages(&self.setup.workspace.members) {
            paths.push(manifest_of(package, self.setup)?);
        }
        for path in paths {
            let old = self.changed_text(&path)?;
            let new = old.as_ref();
            let new = new.and_then(|old| manifests::requirements(old, &names, self.next));
            if new.is_some() && new != old {
                self.texts.extend(new.map(|new| (path, new)));
            }
        }
        Ok(())
    }

    fn set_in_lock(&mut self) -> Result<(), Box<Diagnostic>> {
        let Some(old) = self.text_of("Cargo.lock")? else {
            return Ok(());
        };
        let names: Vec<&str> = self.packages.iter().copied().collect();
        let lock = |old: &str, version: &str| manifests::lock(old, &names, version);
        self.change("Cargo.lock".to_owned(), Some(old), lock)
    }

    /// Changes the version in a file, which must have it.
    fn change(
        &mut self,
        path: String,
        old: Option<String>,
        with_version: impl Fn(&str, &str) -> Option<String>,
    ) -> Result<(), Box<Diagnostic>> {
        let version = self.next.to_string();
        let new = old.and_then(|old| with_version(&old, &version));
        let new = new.ok_or_else(|| without_version(&path))?;
        self.texts.insert(path, new);
        Ok(())
    }

    /// Returns a file's text as changed so far.
    fn changed_text(&self, path: &str) -> Result<Option<String>, Box<Diagnostic>> {
        match self.texts.get(path) {
            Some(changed) => Ok(Some(changed.clone())),
            None => self.text_of(path),
        }
    }

    fn text_of(&self, path: &str) -> Result<Option<String>, Box<Diagnostic>> {
        read_text(self.root, path, self.files)
    }

    fn packages(&self, ids: &'a [PackageId]) -> Vec<&'a Package> {
        let packages = ids.iter();
        packages
            .filter_map(|id| self.setup.workspace.package(*id))
            .collect()
    }
}

/// Returns the packages to publish to a registry under the bundle's version, after those that they depend on, and notes about
/// those that cargo cannot publish.
///
/// # Errors
/// As [`read_text`].
pub fn published(
    setup: &Setup,
    root: &Path,
    files: &dyn Read,
) -> Result<(Vec<String>, Vec<String>), Box<Diagnostic>> {
    let mut published: Vec<(String, BTreeSet<String>)> = Vec::new();
    let mut notes = Vec::new();
    if setup.config.bundle.version.is_some() {
        return Ok((Vec::new(), notes));
    }
    let shared = read_text(root, "Cargo.toml", files)?.unwrap_or_default();
    let packages = || setup.workspace.packages.iter();
    let local = |name: &str| {
        let package = packages().find(|package| package.local && package.name == name)?;
        let bytes = files.read(&package.root.join("Cargo.toml")).ok()?;
        String::from_utf8(bytes).ok()
    };
    let manifests = Manifests {
        shared: &shared,
        local: &local,
    };
    for id in &setup.packages {
        let Some(package) = setup.workspace.package(*id) else {
            continue;
        };
        let own = read_text(root, &manifest_of(package, setup)?, files)?;
        let Some(own) = own.filter(|own| manifests::is_published(own, &shared)) else {
            continue;
        };
        let name = &package.name;
        match publishing::obstacle(&own, manifests) {
            Some(why) => notes.push(format!(
                "`cargo publish --package {name}` cannot work: {why}"
            )),
            None => {
                let needed = publishing::local_dependencies(&own, &shared);
                published.push((name.clone(), needed));
            }
        }
    }
    // A registry accepts a package only after those that it depends on.
    let mut ordered: Vec<String> = Vec::new();
    while !published.is_empty() {
        let left: BTreeSet<String> = published.iter().map(|(name, _)| name.clone()).collect();
        let is_next = |it: &(String, BTreeSet<String>)| {
            it.1.iter()
                .all(|needed| *needed == it.0 || !left.contains(needed))
        };
        let next = published.iter().position(is_next).unwrap_or_default();
        ordered.push(published.remove(next).0);
    }
    Ok((ordered, notes))
}

/// Returns the path of a package's manifest below the workspace.
fn manifest_of(package: &Package, setup: &Setup) -> Result<String, Box<Diagnostic>> {
    let below = package.root.strip_prefix(&setup.workspace.root);
    let below = below.map_err(|_| without_version(&format!("{}/Cargo.toml", package.name)))?;
    Ok(slashed(&below.join("Cargo.toml")))
}

/// Returns a file's text; `None` if there is no file.
pub fn read_text(
    root: &Path,
    path: &str,
    files: &dyn Read,
) -> Result<Option<String>, Box<Diagnostic>> {
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
