//! The folder of one bundle: the files to write into it, and those that may be removed.

use super::shown;
use crate::consumer::access::Access;
use crate::consumer::pinned::{COMPONENTS, POLICIES};
use crate::consumer::pinned::{Part, Pinned};
use crate::consumer::vendored::{Content, Stale, is_ours, prefixes};
use crd_channels_diagnostics::report::counted;
use crd_channels_diagnostics::{Code, Diagnostic};
use crd_channels_files::{Applied, Disk, Plan, Read, slashed};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The folder of one bundle.
pub(super) struct Target<'l> {
    pub(super) pinned: &'l Pinned,
    pub(super) folder: PathBuf,
    /// Its path below the root, with `/`; empty if it is the root.
    inside: String,
    pub(super) stale: BTreeMap<String, Stale>,
}

/// Returns the plan for a root, where `files` are those that differ from the lock, and `prefixes` the annotation prefixes of
/// all bundles.
pub(super) fn plan(
    root: &Path,
    targets: &[Target<'_>],
    files: BTreeMap<String, String>,
    prefixes: &BTreeSet<String>,
) -> Plan {
    let (mut kept, mut owned) = (BTreeSet::new(), Vec::new());
    for target in targets {
        let all = target.pinned.vendored().into_keys();
        kept.extend(all.map(|path| target.path_below_root(&path)));
        owned.push(target.inside.clone());
        owned.extend([COMPONENTS, POLICIES].map(|part| target.path_below_root(part)));
    }
    kept.retain(|path| !files.contains_key(path));
    let owners = owners(targets, prefixes);
    Plan::new(what(targets), root.to_path_buf(), files, owned)
        .recognising(move |path, bytes| owners.has(path, bytes))
        .keeping(kept)
}

/// The name of the written files in messages about an interrupted run.
fn what(targets: &[Target<'_>]) -> String {
    let folders: Vec<String> = targets
        .iter()
        .map(|target| match target.inside.as_str() {
            "" => "`.`".to_owned(),
            inside => format!("`{inside}`"),
        })
        .collect();
    format!("the CRDs in {}", folders.join(", "))
}

/// Returns the folders of bundles with their annotation prefixes.
fn owners(targets: &[Target<'_>], prefixes: &BTreeSet<String>) -> Owners {
    let of = |target: &Target<'_>| (target.inside.clone(), target.pinned.prefix.clone());
    Owners {
        folders: targets.iter().map(of).collect(),
        prefixes: prefixes.clone(),
    }
}

/// The owners of files: the folder of each bundle and its annotation prefix, which is empty for an old lock.
struct Owners {
    folders: Vec<(String, String)>,
    /// The annotation prefixes of all bundles of the lock, including those written elsewhere.
    prefixes: BTreeSet<String>,
}

impl Owners {
    /// Returns the nearest folder above a path.
    fn owner_of_path(&self, path: &str) -> Option<&(String, String)> {
        let above = |(inside, _): &&(String, String)| {
            let rest = path.strip_prefix(inside.as_str());
            inside.is_empty() || rest.is_some_and(|rest| rest.starts_with('/'))
        };
        let all = self.folders.iter().filter(above);
        all.max_by_key(|(inside, _)| inside.len())
    }

    /// Whether a file was written for one of the bundles. Files of other projects look alike, but have other prefixes.
    fn has(&self, path: &str, bytes: &[u8]) -> bool {
        if !is_ours(path, bytes) {
            return false;
        }
        let has_prefix = self
            .owner_of_path(path)
            .is_some_and(|(_, prefix)| !prefix.is_empty());
        let prefixes = prefixes(bytes);
        !has_prefix || prefixes.is_empty() || !prefixes.is_disjoint(&self.prefixes)
    }
}

impl<'l> Target<'l> {
    /// Compares the current files of a bundle's folder, which is `root` or below it.
    pub(super) fn compare(pinned: &'l Pinned, folder: PathBuf, root: &Path) -> Self {
        let inside = folder.strip_prefix(root).unwrap_or(&folder);
        Self {
            pinned,
            inside: slashed(inside),
            stale: pinned.stale(&folder, &Disk),
            folder,
        }
    }

    /// Returns the path below the root of a path in the bundle's folder.
    pub(super) fn path_below_root(&self, path: &str) -> String {
        match self.inside.as_str() {
            "" => path.to_owned(),
            inside => format!("{inside}/{path}"),
        }
    }

    /// Returns the changes in this folder, out of those in all folders of the root.
    pub(super) fn own(&self, applied: &Applied, beside: &[Self]) -> Applied {
        let owners = owners(beside, &BTreeSet::new());
        let own = |paths: &[String]| {
            let owner = |path: &&String| owners.owner_of_path(path).map(|(inside, _)| inside);
            let own = paths
                .iter()
                .filter(|path| owner(path) == Some(&self.inside));
            own.cloned().collect()
        };
        Applied {
            created: own(&applied.created),
            replaced: own(&applied.replaced),
            removed: own(&applied.removed),
            ..Applied::default()
        }
    }

    /// Returns the names of the CRDs directly in this folder, out of paths below the root.
    pub(super) fn crds_among<'p>(&self, paths: &'p [String], beside: &[Self]) -> Vec<&'p str> {
        let owners = owners(beside, &BTreeSet::new());
        let names = paths.iter().filter_map(|path| {
            let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
            let is_own = owners
                .owner_of_path(path)
                .is_some_and(|(inside, _)| *inside == self.inside);
            let is_crd = folder == self.inside && name.contains('_');
            (is_own && is_crd).then_some(name)
        });
        names.collect()
    }

    /// Whether one of the pinned CRDs is in the folder already, of whatever version.
    pub(super) fn has_pinned_crd(&self) -> bool {
        let mut crds = self.pinned.part("crds");
        crds.any(|(name, _)| self.stale.get(name) != Some(&Stale::Missing))
    }

    /// Adds the texts of the files that differ from the lock.
    pub(super) fn add_to(
        &self,
        files: &mut BTreeMap<String, String>,
        access: &Access,
    ) -> Result<(), Vec<Diagnostic>> {
        let pinned = self.pinned;
        let mut bundle = None;
        for (path, content) in pinned.vendored() {
            let Some(stale) = self.stale.get(&path) else {
                continue;
            };
            if *stale == Stale::Differs {
                self.may_replace(&path)?;
            }
            let text = match content {
                Content::Text(text) => text,
                Content::OfBundle(of_bundle, _) => {
                    let bundle = match &mut bundle {
                        Some(bundle) => bundle,
                        none => none.insert(access.open_pinned(pinned)?),
                    };
                    let bytes = bundle.files.get(of_bundle).cloned().unwrap_or_default();
                    String::from_utf8(bytes).map_err(|_| {
                        let message = format!("`{of_bundle}` of {} is not UTF-8", pinned.version);
                        let finding = Diagnostic::new(Code::BundleInvalid, None, message);
                        vec![finding.with_help("ask its publisher")]
                    })?
                }
            };
            files.insert(self.path_below_root(&path), text);
        }
        Ok(())
    }

    /// Refuses to replace a file that may be somebody's own. A CRD's file is recognized by its name and the CRD in it, even if
    /// modified.
    fn may_replace(&self, path: &str) -> Result<(), Vec<Diagnostic>> {
        let is_crd = self.pinned.part("crds").any(|(name, _)| name == path);
        let bytes = Disk.read(&self.folder.join(path)).unwrap_or_default();
        if is_crd && has_crd(path, &bytes) || is_ours(&self.path_below_root(path), &bytes) {
            return Ok(());
        }
        let folder = &self.pinned.folder;
        let message = format!("`{folder}/{path}` was not written by this tool");
        let finding = Diagnostic::new(Code::WriteFailed, None, message);
        Err(vec![finding.with_help(format!(
            "move it away, or do not vendor the conflicting part: `crd-channels pin --update {} --with ..`",
            self.pinned.name
        ))])
    }

    pub(super) fn about(&self, here: &Path) -> String {
        let pinned = self.pinned;
        let crds = pinned.part("crds").count();
        let others = pinned.vendored().len() - crds;
        let others = match others {
            0 => String::new(),
            others => format!(" and {}", counted(others, "other file")),
        };
        format!(
            "{}{others} of {} {} in `{}`",
            counted(crds, "CRD"),
            pinned.version,
            pinned.channel,
            shown(&self.folder, here)
        )
    }

    /// Returns a note about components that are not written, since a bundle needs both CRDs and components.
    pub(super) fn left_out(&self) -> Option<String> {
        let pinned = self.pinned;
        let left_out = !pinned.with.contains(&Part::Components);
        let count = pinned.part(COMPONENTS).filter(|_| left_out).count();
        (count > 0).then(|| {
            format!(
                "the components of {} are not written: `crd-channels pin --update {} --with components` adds them",
                pinned.version, pinned.name
            )
        })
    }
}

/// Whether a text contains the CRD that its file is named after, even with conflict markers. An empty text counts, since
/// nothing can be lost.
fn has_crd(path: &str, bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let Some((group, plural)) = path
        .strip_suffix(".yaml")
        .and_then(|name| name.split_once('_'))
    else {
        return false;
    };
    let named = format!("name: {plural}.{group}");
    let has = |wanted: &str| text.lines().any(|line| line.trim() == wanted);
    text.trim().is_empty() || has("kind: CustomResourceDefinition") && has(&named)
}
