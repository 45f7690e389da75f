//! `vendor`: writes the files that the lock pins, each bundle's into its folder.

mod report;
mod target;

use super::format::Format;
use super::pin::{access, locked, no_lock};
use super::{Outcome, here, interrupted, say};
use crate::consumer::access::Access;
use crate::consumer::folders::{overlap, resolved};
use crate::consumer::lock::{self, Lock};
use crate::consumer::one;
use crate::consumer::pinned::Pinned;
use crate::consumer::vendored::{Stale, leftovers, prefixes};
use crd_channels_diagnostics::shell;
use crd_channels_diagnostics::{Code, Diagnostic, Sources};
use crd_channels_files::{Applied, ChangeKind, Disk, Plan, Read, shown_path};
use report::Vendored;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use target::Target;

/// The arguments of `vendor`.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The folder to write into instead of the lock's.
    pub folder: Option<PathBuf>,
    /// Write nothing; report files that differ from the lock.
    pub check: bool,
    /// Remove CRDs even if none of a folder stays, or if another pinned bundle has them.
    pub allow_crd_removal: bool,
    /// Fetch nothing.
    pub offline: bool,
    /// The format of the output.
    pub format: Format,
}

/// Runs the command in the current folder.
#[must_use]
pub fn run(request: &Request) -> Outcome {
    let Some(here) = here() else {
        return Outcome::CouldNotRun;
    };
    let sources = Sources::default();
    let (vendored, findings) = match vendor(request, &here, &sources) {
        Ok(vendored) => vendored,
        Err(findings) => (Vendored::default(), findings),
    };
    match request.format {
        Format::Human => {
            vendored.show(request);
            // These were already reported, one line for each file.
            let others = findings.iter();
            let others = others.filter(|finding| finding.code != Code::NotAsPinned);
            say(&others.cloned().collect::<Vec<_>>(), &sources);
        }
        Format::Json => println!("{:#}", vendored.json(request, &findings, &sources)),
    }
    Outcome::of(&findings)
}

/// The JSON document of a run that could not begin.
pub(crate) fn failed(findings: &[Diagnostic], sources: &Sources) -> Value {
    Vendored::default().json(&Request::default(), findings, sources)
}

/// Returns a diagnostic for each file that is not as it is pinned, and for each that would be applied together with the pinned
/// ones.
///
/// # Errors
/// Those of `vendor --check`.
pub(crate) fn differences(
    here: &Path,
    sources: &Sources,
) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
    let request = Request {
        check: true,
        format: Format::Json,
        ..Request::default()
    };
    vendor(&request, here, sources).map(|(_, findings)| findings)
}

/// Returns the files in the folder of a bundle that is no longer pinned and that were written for it; removes them if `remove`.
///
/// # Errors
/// `write-failed`
pub fn unvendored(
    gone: &Pinned,
    here: &Path,
    remove: bool,
) -> Result<Vec<String>, Vec<Diagnostic>> {
    let lock = Lock {
        bundles: vec![Pinned {
            with: BTreeSet::new(),
            files: BTreeMap::new(),
            ..gone.clone()
        }],
    };
    let targets = Targets::of_lock(&lock, here)?;
    let applied = match remove {
        true => {
            let request = Request {
                allow_crd_removal: true,
                ..Request::default()
            };
            targets.written(&request, &access(here, true))?
        }
        false => targets.compared()?,
    };
    let below = targets.0.keys().zip(applied);
    let removed = below.flat_map(|(root, applied)| {
        let paths = applied.removed.into_iter();
        paths.map(|path| shown(&root.join(path), here))
    });
    Ok(removed.collect())
}

/// The folders of all bundles, by the root of the plan that writes them.
struct Targets<'l>(BTreeMap<PathBuf, Vec<Target<'l>>>);

/// Writes or checks the files. Returns the result and the diagnostics about files.
fn vendor(
    request: &Request,
    here: &Path,
    sources: &Sources,
) -> Result<(Vendored, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut lock = locked(here, sources)?.ok_or_else(no_lock)?;
    if lock.is_old() && request.format == Format::Human {
        note!(
            "`{}` has an old format, in which an entry cannot be verified: `crd-channels pin --repair` writes today's",
            lock::FILE
        );
    }
    if let Some(folder) = &request.folder {
        place(&mut lock, folder, here)?;
    }
    let targets = Targets::of_lock(&lock, here)?;
    let applied = match request.check {
        true => targets.compared()?,
        false => targets.written(request, &access(here, request.offline))?,
    };
    let mut vendored = Vendored::of_targets(&targets, &applied, here);
    let mut findings = match request.check {
        true => vendored.differences(request),
        false => Vec::new(),
    };
    findings.extend(targets.strays(here));
    let (doubled, unpinned) = targets.leftovers(here);
    findings.extend(doubled);
    if lock.bundles.is_empty() && !unpinned.is_empty() {
        findings.push(emptied(&unpinned));
    }
    vendored.unpinned = unpinned;
    Ok((vendored, findings))
}

/// The diagnostic for a lock without entries beside CRDs that were vendored.
fn emptied(unpinned: &[String]) -> Diagnostic {
    let paths: Vec<String> = unpinned.iter().map(|path| shell::word(path)).collect();
    let message = format!(
        "`{}` pins no bundle, but these are CRDs of one: `{}`",
        lock::FILE,
        unpinned.join("`, `")
    );
    Diagnostic::new(Code::LockMissing, None, message).with_help(format!(
        "take `{}` from version control, or pin the bundle again: `crd-channels pin --from SOURCE`; if none is to be pinned: `rm {}`",
        lock::FILE,
        paths.join(" ")
    ))
}

/// Replaces the lock's folder with the requested one.
fn place(lock: &mut Lock, folder: &Path, here: &Path) -> Result<(), Vec<Diagnostic>> {
    match lock.bundles.as_mut_slice() {
        [only] => {
            only.folder = shown_path(folder);
            let wrong = only.contradicting_crds(&here.join(folder), &Disk);
            wrong.map_or(Ok(()), |wrong| Err(one(only.inconsistent(&wrong.why))))
        }
        _ => {
            let message = format!("`{}` has several bundles, each with its folder", lock::FILE);
            let finding = Diagnostic::new(Code::WriteFailed, None, message);
            Err(vec![finding.with_help(
                "leave out the folder; `crd-channels pin --update NAME --folder FOLDER` changes that of a bundle",
            )])
        }
    }
}

impl<'l> Targets<'l> {
    fn of_lock(lock: &'l Lock, here: &Path) -> Result<Self, Vec<Diagnostic>> {
        let mut folders: Vec<(&Pinned, PathBuf)> = Vec::new();
        for pinned in &lock.bundles {
            let folder = resolved(&here.join(&pinned.folder));
            let folder = folder.filter(|folder| !is_above(folder, here));
            let folder = folder.ok_or_else(|| {
                let message = format!("CRDs cannot be written into the folder `{}`", pinned.folder);
                let finding = Diagnostic::new(Code::WriteFailed, None, message);
                vec![finding.with_help("name a folder of their own, such as `crds`")]
            })?;
            if let Some((other, _)) = folders.iter().find(|(_, other)| overlap(other, &folder)) {
                let message = format!(
                    "`{}` of `{}` and `{}` of `{}` overlap",
                    other.folder, other.name, pinned.folder, pinned.name
                );
                let finding = Diagnostic::new(Code::WriteFailed, None, message);
                return Err(vec![finding.with_help(format!(
                    "give each bundle a folder of its own: `crd-channels pin --update {} --folder FOLDER`",
                    pinned.name
                ))]);
            }
            folders.push((pinned, folder));
        }
        let mut all: BTreeMap<PathBuf, Vec<Target<'l>>> = BTreeMap::new();
        for (pinned, folder) in folders {
            let root = root(&folder, here);
            // The journal of a run that was killed here must be settled first, or it would overwrite this run's files.
            if !all.contains_key(&root) {
                interrupted::recover_at(&root).map_err(one)?;
            }
            let target = Target::compare(pinned, folder, &root);
            all.entry(root).or_default().push(target);
        }
        Ok(Self(all))
    }

    fn all(&self) -> impl Iterator<Item = &Target<'l>> {
        self.0.values().flatten()
    }

    /// Returns the plan of each root, where `files` are those that differ from the lock.
    fn plans(&self, mut files: BTreeMap<&Path, BTreeMap<String, String>>) -> Vec<(&Path, Plan)> {
        let prefixes: BTreeSet<String> = self
            .all()
            .map(|target| target.pinned.prefix.clone())
            .collect();
        let plans = self.0.iter().map(|(root, targets)| {
            let files = files.remove(root.as_path()).unwrap_or_default();
            (
                root.as_path(),
                target::plan(root, targets, files, &prefixes),
            )
        });
        plans.collect()
    }

    /// Returns what writing would change below each root.
    fn compared(&self) -> Result<Vec<Applied>, Vec<Diagnostic>> {
        let mut all = Vec::new();
        for ((_, plan), targets) in self.plans(BTreeMap::new()).iter().zip(self.0.values()) {
            let orphans = plan.compare(&Disk).map_err(one)?.into_iter();
            let stale = |wanted: Stale| {
                let paths = targets.iter().flat_map(|target| {
                    let stale = target.stale.iter();
                    let wanted = stale.filter(move |(_, stale)| **stale == wanted);
                    wanted.map(|(path, _)| target.path_below_root(path))
                });
                paths.collect()
            };
            all.push(Applied {
                created: stale(Stale::Missing),
                replaced: stale(Stale::Differs),
                removed: orphans.map(|orphan| orphan.path).collect(),
                ..Applied::default()
            });
        }
        Ok(all)
    }

    /// Writes the files that differ from the lock. Nothing is written before all texts are available and no file is in the way.
    fn written(&self, request: &Request, access: &Access) -> Result<Vec<Applied>, Vec<Diagnostic>> {
        let mut files = BTreeMap::new();
        for (root, targets) in &self.0 {
            let mut below = BTreeMap::new();
            for target in targets {
                target.add_to(&mut below, access)?;
            }
            files.insert(root.as_path(), below);
        }
        let plans = self.plans(files);
        let mut refused = Vec::new();
        for ((_, plan), targets) in plans.iter().zip(self.0.values()) {
            let changes = plan.compare(&Disk).map_err(one)?.into_iter();
            let orphans = changes.filter(|change| change.kind == ChangeKind::Orphan);
            let orphans: Vec<String> = orphans.map(|orphan| orphan.path).collect();
            refused.extend(self.unsafe_removals(&orphans, targets, &access.here));
        }
        if !request.allow_crd_removal && !refused.is_empty() {
            return Err(refused);
        }
        let mut all = Vec::new();
        for (_, plan) in &plans {
            all.push(interrupted::apply(plan).map_err(one)?);
        }
        Ok(all)
    }

    /// Reports CRDs that are better not removed: those after which a folder has none of its CRDs, and those of another bundle.
    fn unsafe_removals(
        &self,
        orphans: &[String],
        beside: &[Target<'_>],
        here: &Path,
    ) -> Vec<Diagnostic> {
        let refused = beside.iter().flat_map(|target| {
            let removed = target.crds_among(orphans, beside);
            let paths = removed
                .iter()
                .map(|name| shown(&target.folder.join(name), here));
            let paths: Vec<String> = paths.collect();
            let folder = shown(&target.folder, here);
            let last = !removed.is_empty() && !target.has_pinned_crd();
            let all = last.then(|| {
                format!(
                    "all CRDs in `{folder}` would be removed: `{}`",
                    paths.join("`, `")
                )
            });
            let elsewhere = removed.iter().zip(&paths).filter_map(|(name, path)| {
                let mut others = self.all().filter(|other| other.folder != target.folder);
                let other = others
                    .find(|other| other.pinned.part("crds").any(|(known, _)| known == *name))?;
                let other = &other.pinned.name;
                Some(format!(
                    "`{path}` would be removed, but `{other}` has this CRD as well"
                ))
            });
            let elsewhere: Vec<String> = elsewhere.collect();
            all.into_iter().chain(elsewhere)
        });
        let help = "see whether `bundle.lock` pins what you want; `crd-channels vendor --allow-crd-removal` removes them";
        let findings = refused
            .map(|message| Diagnostic::new(Code::VendorRefused, None, message).with_help(help));
        findings.collect()
    }

    /// Reports other files that contain a pinned CRD.
    fn strays(&self, here: &Path) -> Vec<Diagnostic> {
        let known: BTreeSet<PathBuf> = self
            .all()
            .flat_map(|target| {
                let paths = target.pinned.vendored().into_keys();
                paths.map(|path| target.folder.join(path))
            })
            .collect();
        let mut found = BTreeMap::new();
        for target in self.all() {
            found.extend(target.pinned.strays(&target.folder, &known, &Disk));
        }
        let strays = found.into_iter().map(|(path, crd)| {
            let path = shown(&path, here);
            let message = format!("`{path}` also contains the CRD `{crd}`");
            Diagnostic::new(Code::StrayCrd, None, message).with_help(format!(
                "remove `{path}`, or move it out of the folder: applying the folder installs one of the two, by chance"
            ))
        });
        strays.collect()
    }
}

impl Targets<'_> {
    /// Finds CRDs of bundles in folders beside those of the pinned bundles. Returns an error for each that belongs to a pinned
    /// bundle, and the paths of the others, which may be those of a bundle that was removed from the lock.
    fn leftovers(&self, here: &Path) -> (Vec<Diagnostic>, Vec<String>) {
        let known: BTreeSet<PathBuf> = self.all().map(|target| target.folder.clone()).collect();
        let above = known.iter().filter_map(|known| known.parent());
        let mut above: BTreeSet<&Path> = above.filter(|above| above.starts_with(here)).collect();
        above.insert(here);
        let mine: BTreeSet<&str> = self.all().map(|target| &*target.pinned.prefix).collect();
        let (mut doubled, mut unpinned) = (Vec::new(), Vec::new());
        for path in above
            .into_iter()
            .flat_map(|above| leftovers(above, &known, &Disk))
        {
            let bytes = Disk.read(&path).unwrap_or_default();
            let is_mine = prefixes(&bytes)
                .iter()
                .any(|prefix| mine.contains(&**prefix));
            let path = shown(&path, here);
            if !is_mine {
                unpinned.push(path);
                continue;
            }
            let message = format!(
                "`{path}` is a CRD of a pinned bundle, which is written into another folder"
            );
            let help = format!("remove it: `rm {}`", shell::word(&path));
            doubled.push(Diagnostic::new(Code::StrayCrd, None, message).with_help(help));
        }
        (doubled, unpinned)
    }
}

/// Returns the root of a bundle's plan, where a killed run leaves its journal: the current folder if it contains the bundle's,
/// or else the bundle's own.
fn root(folder: &Path, here: &Path) -> PathBuf {
    match folder.starts_with(here) {
        true => here.to_path_buf(),
        false => folder.to_path_buf(),
    }
}

/// Whether a folder is above another one and so has other files as well.
fn is_above(folder: &Path, here: &Path) -> bool {
    folder != here && here.starts_with(folder)
}

/// Returns a path as messages show it.
fn shown(path: &Path, here: &Path) -> String {
    let path = path.strip_prefix(here).unwrap_or(path);
    match shown_path(path) {
        text if text.is_empty() => ".".to_owned(),
        text => text,
    }
}
