//! `pin`: chooses bundles and records them, with a digest of every file, in the lock.

mod typed;
mod choice;
mod way;
mod migration;
mod update;
mod repair;
mod list;
mod report;

use super::format::Format;
use super::{Outcome, here, interrupted, say};
use crate::consumer::access::Access;
use crate::consumer::cache::Cache;
use crate::consumer::lock::{self, Lock};
use crate::consumer::one;
use crate::consumer::pinned::{Part, Pinned};
pub(super) use choice::Chosen;
use choice::{chosen, without_bundle};
use crd_channels_diagnostics::{Code, Diagnostic, Sources, Span};
use crd_channels_files::{Disk, Plan, Read};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::ops::Range;
use std::path::{Path, PathBuf};
pub(super) use update::PinUpdate;

/// The arguments of `pin`.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The source of bundles, as the user named it; by default the lock's.
    pub from: Option<String>,
    /// A revision of the source.
    pub revision: Option<String>,
    /// The folder inside the source that has the bundles; by default the lock's, or else its top.
    pub path: Option<String>,
    /// The name in the lock; by default the prefix of the bundle's annotations.
    pub name: Option<String>,
    /// The channel; by default the lock's, or else `stable`.
    pub channel: Option<String>,
    /// The requirement that bundles must match; by default the lock's, or else any.
    pub version: Option<String>,
    /// The folder to write into; by default the lock's, or else `crds`.
    pub folder: Option<PathBuf>,
    /// The parts to write besides CRDs; by default the lock's, or else components.
    pub with: Option<BTreeSet<Part>>,
    /// The bundles of the lock to update.
    pub update: Option<Names>,
    /// The bundles of the lock to pin again if it is not as it was written.
    pub repair: Option<Names>,
    /// The bundle to remove from the lock.
    pub remove: Option<String>,
    /// Change nothing: show bundles that can be chosen.
    pub overview: Option<Overview>,
    /// Leave the files of a removed bundle where they are.
    pub keep_files: bool,
    /// The public key that the bundle must be signed with, or its file; by default the lock's.
    pub key: Option<String>,
    /// Write nothing.
    pub dry_run: bool,
    /// Fetch nothing.
    pub offline: bool,
    /// Allow a bundle that is older than the pinned one.
    pub allow_downgrade: bool,
    /// Allow a bundle that loses data of stored objects.
    pub allow_data_loss: bool,
    /// Allow a bundle that follows a missing or changed one.
    pub allow_broken_chain: bool,
    /// Allow an update that needs more than the vendored files, such as a running webhook, although it is limited.
    pub allow_manual_steps: bool,
    /// The largest update to allow.
    pub against: Option<Bound>,
    /// The format of the output.
    pub format: Format,
}

/// The bound of an update.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Bound {
    /// Only another patch of the same minor version.
    Patch,
    /// Only another minor of the same major version.
    Minor,
}

impl Bound {
    /// All bounds with the names that `--against` accepts.
    pub const NAMES: [(&'static str, Self); 2] = [("patch", Self::Patch), ("minor", Self::Minor)];
}

/// A list of bundles that can be chosen.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Overview {
    /// All bundles of a source.
    List,
    /// The newer bundles of the pinned ones.
    Outdated,
}

/// Bundles of a lock.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Names {
    /// All of them.
    All,
    /// The bundle with that name.
    One(String),
}

/// Returns the files of a bundle in the folder of a lock, and removes them if the last argument says so.
pub type Unvendor = fn(&Pinned, &Path, bool) -> Result<Vec<String>, Vec<Diagnostic>>;

/// Runs the command in the current folder. `unvendor` is [`super::vendor::unvendored`].
#[must_use]
pub fn run(request: &Request, unvendor: Unvendor) -> Outcome {
    let Some(here) = here() else {
        return Outcome::CouldNotRun;
    };
    if let Some(overview) = request.overview {
        return list::run(overview, request, &here);
    }
    let sources = Sources::default();
    let (pinning, findings) = pin(request, &here, &sources, unvendor);
    match request.format {
        Format::Human => say(&findings, &sources),
        Format::Json => println!("{:#}", report::json(&pinning, &findings, request, &sources)),
    }
    Outcome::of(&findings)
}

/// The JSON document of a run that could not begin.
pub(crate) fn failed(findings: &[Diagnostic], sources: &Sources) -> Value {
    report::json(&Pinning::default(), findings, &Request::default(), sources)
}

/// The changes of a run.
#[derive(Default)]
struct Pinning {
    /// The updates to the chosen bundles.
    updates: Vec<PinUpdate>,
    /// The bundle that is removed from the lock.
    removed: Option<Pinned>,
    /// Whether the lock has several bundles.
    several: bool,
    /// The files of the removed bundle that are removed with it.
    removed_files: Vec<String>,
    /// Its other files.
    kept_files: Vec<String>,
}

/// The access of a run in the folder `here`.
pub(super) fn access(here: &Path, offline: bool) -> Access {
    Access {
        here: here.to_path_buf(),
        offline,
        cache: Cache::of_user(),
    }
}

/// Reads the lock of a folder, and checks that `pin` wrote its entries as they are, as far as that is possible without their
/// bundles. Returns `None` if the folder has no lock.
pub(super) fn locked(here: &Path, sources: &Sources) -> Result<Option<Lock>, Vec<Diagnostic>> {
    let Some(bytes) = lock_file(here)? else {
        return Ok(None);
    };
    let lock = match Lock::parse(&bytes) {
        Ok(lock) => lock,
        Err(finding) => {
            let text = String::from_utf8_lossy(&bytes);
            let marker = lock::conflict_line(&text).filter(|_| finding.code == Code::LockConflict);
            return Err(one(Box::new(in_lock(*finding, marker, &text, sources))));
        }
    };
    let text = String::from_utf8_lossy(&bytes);
    let wrong = lock.bundles.iter().filter_map(|pinned| {
        let found = pinned.contradictions(&here.join(&pinned.folder), &Disk);
        let first = found.first()?;
        let why: Vec<&str> = found.iter().map(|found| &*found.why).collect();
        let finding = *pinned.inconsistent(&why.join("; "));
        let line = lock::line_of(&text, &pinned.name, first.key);
        Some(in_lock(finding, line, &text, sources))
    });
    let wrong: Vec<Diagnostic> = wrong.collect();
    if wrong.is_empty() {
        Ok(Some(lock))
    } else {
        Err(wrong)
    }
}

/// Reads the bytes of the lock. Returns `None` if the folder has no lock.
fn lock_file(here: &Path) -> Result<Option<Vec<u8>>, Vec<Diagnostic>> {
    match Disk.read(&here.join(lock::FILE)) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => {
            let message = format!("`{}` cannot be read: {error}", lock::FILE);
            let finding = Diagnostic::new(Code::LockInvalid, None, message);
            Err(vec![finding.with_help("make the file readable")])
        }
    }
}

/// Adds the place of a line of the lock to a diagnostic.
fn in_lock(
    finding: Diagnostic,
    line: Option<Range<usize>>,
    text: &str,
    sources: &Sources,
) -> Diagnostic {
    let file = sources.add(lock::FILE, text);
    let span = line.and_then(|line| {
        Some(Span {
            file,
            start: line.start.try_into().ok()?,
            end: line.end.try_into().ok()?,
        })
    });
    finding.at(span)
}

/// The diagnostic for a missing lock.
pub(super) fn no_lock() -> Vec<Diagnostic> {
    let message = format!("there is no `{}` in this folder", lock::FILE);
    vec![Diagnostic::new(Code::LockMissing, None, message).with_help(
        "pin a bundle: `crd-channels pin --from SOURCE --channel stable --version '^0.2'`",
    )]
}

/// Runs the command. Writes nothing if it is refused.
fn pin(
    request: &Request,
    here: &Path,
    sources: &Sources,
    unvendor: Unvendor,
) -> (Pinning, Vec<Diagnostic>) {
    let (lock, pinning) = match planned(request, here, sources, unvendor) {
        Ok(planned) => planned,
        Err(why) => return (Pinning::default(), why),
    };
    if request.format == Format::Human {
        report::show(&pinning, request);
    }
    let updates = pinning.updates.iter();
    let rejections: Vec<Diagnostic> = updates
        .flat_map(|update| update.rejections(request))
        .collect();
    if !rejections.is_empty() {
        return (pinning, rejections);
    }
    if !request.dry_run
        && let Err(why) = write(&lock, here)
    {
        return (pinning, why);
    }
    // After the lock: files that are not pinned can be found, pinned files that are missing are an error.
    if !request.dry_run
        && !pinning.removed_files.is_empty()
        && let Some(gone) = &pinning.removed
        && let Err(why) = unvendor(gone, here, true)
    {
        return (pinning, why);
    }
    if request.format == Format::Human {
        report::print_result(&pinning, request.dry_run);
    }
    (pinning, Vec::new())
}

/// Returns the new text of the lock and the changes that lead to it.
fn planned(
    request: &Request,
    here: &Path,
    sources: &Sources,
    unvendor: Unvendor,
) -> Result<(String, Pinning), Vec<Diagnostic>> {
    let access = access(here, request.offline);
    if let Some(names) = &request.repair {
        return repair::repaired(request, names, lock_file(here)?, &access);
    }
    let known = locked(here, sources)?;
    if let Some(name) = &request.remove {
        let (lock, gone) = without_bundle(known, name)?;
        let removed_files = match request.keep_files {
            true => Vec::new(),
            false => unvendor(&gone, here, false)?,
        };
        let all = gone.vendored().into_keys();
        let all = all.map(|path| format!("{}/{path}", gone.folder));
        let kept = all.filter(|path| !removed_files.contains(path) && here.join(path).is_file());
        let pinning = Pinning {
            kept_files: kept.collect(),
            removed_files,
            removed: Some(gone),
            ..Pinning::default()
        };
        return Ok((upgraded(lock, &access)?.to_text(), pinning));
    }
    let before = known.unwrap_or_default();
    fits(&before, &access)?;
    let (mut after, mut updates) = (before.clone(), Vec::new());
    for chosen in chosen(request, &before, &access)? {
        let update = PinUpdate::to(&chosen, &access)?;
        after = after.with(update.after.clone());
        updates.push(update);
    }
    let pinning = Pinning {
        updates,
        several: after.bundles.len() > 1,
        ..Pinning::default()
    };
    Ok((upgraded(after, &access)?.to_text(), pinning))
}

/// Returns the bundles that an update would choose, and what it would change. Nothing is written.
pub(super) fn updates(
    request: &Request,
    here: &Path,
    sources: &Sources,
) -> Result<Vec<(Chosen, PinUpdate)>, Vec<Diagnostic>> {
    let access = access(here, request.offline);
    let lock = locked(here, sources)?.ok_or_else(no_lock)?;
    fits(&lock, &access)?;
    let chosen = chosen(request, &lock, &access)?.into_iter();
    let updates = chosen.map(|chosen| {
        let update = PinUpdate::to(&chosen, &access)?;
        Ok((chosen, update))
    });
    updates.collect()
}

/// Refuses a lock of an old format with an entry that does not fit its bundle.
fn fits(lock: &Lock, access: &Access) -> Result<(), Vec<Diagnostic>> {
    let old = lock.bundles.iter();
    let old = old.filter(|pinned| pinned.digest.is_none());
    for pinned in old {
        let mut wrong = access.open_pinned(pinned).err().unwrap_or_default();
        // Whether the bundle is still there matters only to those who need it.
        wrong.retain(|finding| finding.code == Code::LockInconsistent);
        if !wrong.is_empty() {
            return Err(wrong);
        }
    }
    Ok(())
}

/// Returns the lock in today's format. The entries of an older one get a digest only if they fit their bundles.
fn upgraded(mut lock: Lock, access: &Access) -> Result<Lock, Vec<Diagnostic>> {
    for pinned in &mut lock.bundles {
        if pinned.digest.is_some() {
            continue;
        }
        let bundle = access.open_pinned(pinned)?;
        let channels = bundle.manifest.channels.iter();
        let mut channels = channels.filter(|channel| channel.name == pinned.channel);
        if let Some(channel) = channels.next() {
            *pinned = Pinned::of(&bundle, channel, pinned.choice(), pinned.source.clone());
        }
    }
    Ok(lock)
}

/// Writes the text of a lock if it differs from the existing file.
fn write(lock: &str, here: &Path) -> Result<(), Vec<Diagnostic>> {
    let files = BTreeMap::from([(lock::FILE.to_owned(), lock.to_owned())]);
    let plan = Plan::new(lock::FILE, here.to_path_buf(), files, Vec::new());
    interrupted::apply(&plan).map_err(one)?;
    Ok(())
}
