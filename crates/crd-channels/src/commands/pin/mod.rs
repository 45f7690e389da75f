//! `pin`: chooses bundles and remembers them, to the byte.

mod choice;
mod update;
mod report;

use super::format::Format;
use super::{Outcome, here, interrupted, say};
use crate::consumer::access::Access;
use crate::consumer::cache::Cache;
use crate::consumer::lock::{self, Lock};
use crate::consumer::one;
use crate::consumer::pinned::{Part, Pinned};
use choice::{chosen, without_bundle};
use crd_channels_diagnostics::{Code, Diagnostic, Sources};
use crd_channels_files::{Disk, Plan, Read};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use update::PinUpdate;

/// What was asked for.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Where bundles come from, as it was named; the lock's source where it is not said.
    pub from: Option<String>,
    /// A revision of the source.
    pub revision: Option<String>,
    /// The name in the lock; the prefix of the bundle's annotations where it is not said.
    pub name: Option<String>,
    /// The channel; the lock's where it is not said, else `stable`.
    pub channel: Option<String>,
    /// Which bundles may be chosen; the lock's where it is not said, else all.
    pub version: Option<String>,
    /// The folder that is written into; the lock's where it is not said, else `crds`.
    pub folder: Option<PathBuf>,
    /// What is written beside CRDs; as in the lock where it is not said, else components.
    pub with: Option<BTreeSet<Part>>,
    /// Which bundles of the lock to choose again.
    pub update: Option<Names>,
    /// The bundle to take out of the lock.
    pub remove: Option<String>,
    /// The public key that the bundle is signed with, or its file; the lock's where it is not said.
    pub key: Option<String>,
    /// Write nothing.
    pub dry_run: bool,
    /// Fetch nothing.
    pub offline: bool,
    /// Pin a bundle that is older than the one that is pinned.
    pub allow_downgrade: bool,
    /// Pin a bundle that takes something away from stored objects.
    pub allow_data_loss: bool,
    /// Pin a bundle that follows one that is gone or was changed.
    pub allow_broken_chain: bool,
    /// The largest update that is not refused.
    pub against: Option<Bound>,
    /// How the outcome is told.
    pub format: Format,
}

/// How far an update may go.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Bound {
    /// To another patch of the same minor version.
    Patch,
    /// To another minor of the same major version.
    Minor,
}

impl Bound {
    /// Each by the name that `--against` takes.
    pub const NAMES: [(&'static str, Self); 2] = [("patch", Self::Patch), ("minor", Self::Minor)];
}

/// Bundles of a lock.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Names {
    /// All of them.
    All,
    /// The one of that name.
    One(String),
}

/// Runs the command in the current folder.
#[must_use]
pub fn run(request: &Request) -> Outcome {
    let Some(here) = here() else {
        return Outcome::CouldNotRun;
    };
    let (pinning, findings) = pin(request, &here);
    match request.format {
        Format::Human => say(&findings, &Sources::default()),
        Format::Json => println!("{:#}", report::json(&pinning, &findings, request)),
    }
    Outcome::of(&findings)
}

/// The document for programs of a run that could not begin.
pub(super) fn failed(findings: &[Diagnostic]) -> Value {
    report::json(&Pinning::default(), findings, &Request::default())
}

/// What a run is about.
#[derive(Default)]
struct Pinning {
    /// The bundles that were chosen.
    updates: Vec<PinUpdate>,
    /// The bundle that is taken out of the lock.
    removed: Option<Pinned>,
    /// Whether the lock has several bundles.
    several: bool,
}

/// What a run in a folder may use.
pub(super) fn access(here: &Path, offline: bool) -> Access {
    Access {
        here: here.to_path_buf(),
        offline,
        cache: Cache::of_user(),
    }
}

/// The lock in a folder; none where there is none.
pub(super) fn locked(here: &Path) -> Result<Option<Lock>, Vec<Diagnostic>> {
    match Disk.read(&here.join(lock::FILE)) {
        Ok(bytes) => Lock::parse(&bytes).map(Some).map_err(one),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => {
            let message = format!("`{}` cannot be read: {error}", lock::FILE);
            let finding = Diagnostic::new(Code::LockInvalid, None, message);
            Err(vec![finding.with_help("make the file readable")])
        }
    }
}

/// The lock is missing.
pub(super) fn no_lock() -> Vec<Diagnostic> {
    let message = format!("there is no `{}` in this folder", lock::FILE);
    vec![Diagnostic::new(Code::LockMissing, None, message).with_help(
        "pin a bundle: `crd-channels pin --from SOURCE --channel stable --version '^0.2'`",
    )]
}

/// Does what was asked for, as far as nothing is in the way.
fn pin(request: &Request, here: &Path) -> (Pinning, Vec<Diagnostic>) {
    let (lock, pinning) = match planned(request, here) {
        Ok(planned) => planned,
        Err(why) => return (Pinning::default(), why),
    };
    if request.format == Format::Human {
        report::show(&pinning, request.dry_run);
    }
    let updates = pinning.updates.iter();
    let refused: Vec<Diagnostic> = updates
        .flat_map(|update| update.refusals(request))
        .collect();
    if !refused.is_empty() {
        return (pinning, refused);
    }
    if !request.dry_run
        && let Err(why) = write(&lock, here)
    {
        return (pinning, why);
    }
    if request.format == Format::Human {
        report::print_result(&pinning, request.dry_run);
    }
    (pinning, Vec::new())
}

/// The lock that there will be, and how it gets there.
fn planned(request: &Request, here: &Path) -> Result<(Lock, Pinning), Vec<Diagnostic>> {
    let known = locked(here)?;
    if let Some(name) = &request.remove {
        let (lock, gone) = without_bundle(known, name)?;
        let pinning = Pinning {
            removed: Some(gone),
            ..Pinning::default()
        };
        return Ok((lock, pinning));
    }
    let access = access(here, request.offline);
    let before = known.unwrap_or_default();
    let (mut after, mut updates) = (before.clone(), Vec::new());
    for chosen in chosen(request, &before, &access)? {
        let update = PinUpdate::to(chosen, &access)?;
        after = after.with(update.after.clone());
        updates.push(update);
    }
    let pinning = Pinning {
        updates,
        removed: None,
        several: after.bundles.len() > 1,
    };
    Ok((after, pinning))
}

/// Writes a lock where it is another one than there is.
fn write(lock: &Lock, here: &Path) -> Result<(), Vec<Diagnostic>> {
    let files = BTreeMap::from([(lock::FILE.to_owned(), lock.to_text())]);
    let plan = Plan::new(lock::FILE, here.to_path_buf(), files, Vec::new());
    interrupted::apply(&plan).map_err(one)?;
    Ok(())
}
