//! `pin`: chooses a bundle and remembers it, to the byte.

use super::pin_changes::Changes;
use super::{Outcome, here, say};
use crate::compat::{compare, read};
use crate::consumer::access::Access;
use crate::consumer::cache::Cache;
use crate::consumer::lock::{self, Lock};
use crate::consumer::one;
use crate::consumer::origin::{self, Origin};
use crate::consumer::source::{Found, Source};
use crate::diag::{Code, Diagnostic, nearest};
use crate::files::{Disk, Plan, Sources, digest};
use crate::released::folder::Verified;
use crate::released::manifest::Channel;
use semver::VersionReq;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// What was asked for.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Where bundles come from; the lock's source where it is not said.
    pub from: Option<String>,
    /// The revision of a git repository.
    pub revision: Option<String>,
    /// The channel; the lock's where it is not said, else `stable`.
    pub channel: Option<String>,
    /// Which bundles may be chosen; the lock's where it is not said, else all.
    pub version: Option<String>,
    /// Go on from the lock that is there.
    pub update: bool,
    /// Write nothing.
    pub dry_run: bool,
    /// Fetch nothing.
    pub offline: bool,
    /// Pin a bundle that is older than the one that is pinned.
    pub allow_downgrade: bool,
    /// Pin a bundle that takes something away from stored objects.
    pub allow_data_loss: bool,
}

/// Runs the command in the current folder.
#[must_use]
pub fn run(request: &Request) -> Outcome {
    let Some(here) = here() else {
        return Outcome::CouldNotRun;
    };
    match pin(request, &here) {
        Ok(()) => Outcome::Clean,
        Err(findings) => {
            say(&findings, &Sources::default());
            match findings
                .iter()
                .all(|finding| finding.code == Code::PinRefused)
            {
                true => Outcome::Findings,
                false => Outcome::CouldNotRun,
            }
        }
    }
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
    match std::fs::read(here.join(lock::FILE)) {
        Ok(bytes) => Lock::parse(&bytes).map(Some).map_err(one),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => {
            let message = format!("`{}` cannot be read: {error}", lock::FILE);
            let finding = Diagnostic::new(Code::LockInvalid, None, message);
            Err(vec![finding.with_help("make it a file that can be read")])
        }
    }
}

/// Says that there is no lock.
pub(super) fn no_lock() -> Vec<Diagnostic> {
    let message = format!("there is no `{}` in this folder", lock::FILE);
    vec![Diagnostic::new(Code::LockMissing, None, message).with_help(
        "pin a bundle: `crd-channels pin --from SOURCE --channel stable --version '^0.2'`",
    )]
}

fn pin(request: &Request, here: &Path) -> Result<(), Vec<Diagnostic>> {
    let known = locked(here)?;
    if request.update && known.is_none() {
        return Err(no_lock());
    }
    let before = known.as_ref().filter(|_| request.update);
    let origin = match (&request.from, before) {
        (Some(from), _) => origin::parse(from, request.revision.as_deref()),
        (None, Some(lock)) => Origin {
            tag: None,
            commit: None,
            revision: request.revision.clone().or(lock.source.revision.clone()),
            ..lock.source.clone()
        },
        (None, None) => return Err(no_lock()),
    };
    let asked = request.version.as_deref();
    let asked = asked.or(before.map(|lock| lock.requirement.as_str()));
    let (wanted, requirement) = requirement(asked.unwrap_or("*"))?;
    let access = access(here, request.offline);
    let source = Source::open(origin, &access).map_err(one)?;
    let Found { bundle, origin } = source.newest(&requirement)?;
    let channel = request.channel.as_deref();
    let channel = channel.or(before.map(|lock| lock.channel.as_str()));
    let channel = named(&bundle, channel.unwrap_or("stable"))?;
    let lock = Lock::of(&bundle, channel, &wanted, origin);
    if let Some(known) = &known {
        if known.bundle == lock.bundle && known.source.is_same_place(&lock.source) {
            let held = Lock {
                channel: lock.channel.clone(),
                files: lock.files.clone(),
                ..known.clone()
            };
            held.check(&bundle).map_err(one)?;
        }
        let update = Update {
            known,
            lock: &lock,
            bundle: &bundle,
        };
        let refused = update.refused(request, &access);
        if !refused.is_empty() {
            return Err(refused);
        }
    }
    let done = format!(
        "{} {} of {} for Kubernetes {} and newer: {} files",
        lock.bundle,
        lock.channel,
        place(&lock.source),
        lock.kubernetes,
        lock.files.len()
    );
    if known.as_ref() == Some(&lock) {
        println!("{done}, as it was");
        return Ok(());
    }
    if request.dry_run {
        println!("{done}, not written");
        return Ok(());
    }
    let files = BTreeMap::from([(lock::FILE.to_owned(), lock.to_text())]);
    let state = state(here);
    let plan = Plan::new(here.to_path_buf(), state, files, Vec::new());
    plan.apply(&Disk).map_err(one)?;
    println!("pinned {done}");
    Ok(())
}

/// Where a run keeps what it needs while it writes into a folder. That is not a workspace, so nothing of it is left there.
pub(super) fn state(here: &Path) -> PathBuf {
    let home = std::env::var_os("HOME").unwrap_or_default();
    let mut whose = home.as_encoded_bytes().to_vec();
    whose.push(0);
    whose.extend(here.as_os_str().as_encoded_bytes());
    std::env::temp_dir().join(format!("crd-channels-{:016x}", digest(&whose)))
}

/// Where a bundle was found, for people.
fn place(source: &Origin) -> String {
    let at = source.tag.as_ref().map(|tag| format!(" at its tag {tag}"));
    format!("`{}`{}", source.shown(), at.unwrap_or_default())
}

/// A requirement, and how it is remembered. `v0.2.1` is that bundle and no other.
fn requirement(text: &str) -> Result<(String, VersionReq), Vec<Diagnostic>> {
    let exact = text.strip_prefix('v').map(|version| format!("={version}"));
    let written = exact.unwrap_or_else(|| text.to_owned());
    match VersionReq::parse(&written) {
        Ok(requirement) => Ok((written, requirement)),
        Err(error) => {
            let message = format!("`{text}` says nothing about versions: {error}");
            let finding = Diagnostic::new(Code::BundleMissing, None, message);
            Err(vec![finding.with_help(
                "write it as in a manifest of cargo: `^0.2`, `~0.2.1`, `>=0.2, <0.5`, or one bundle: `v0.2.1`",
            )])
        }
    }
}

/// The channel of that name, or with that annotation.
fn named<'b>(bundle: &'b Verified, name: &str) -> Result<&'b Channel, Vec<Diagnostic>> {
    let channels = &bundle.manifest.channels;
    let by_name = channels.iter().find(|channel| channel.name == name);
    let by_annotation = || channels.iter().find(|channel| channel.annotation == name);
    by_name.or_else(by_annotation).ok_or_else(|| {
        let names = || channels.iter().map(|channel| channel.name.as_str());
        let help = match nearest(name, names()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are: {}", names().collect::<Vec<_>>().join(", ")),
        };
        let version = &bundle.manifest.version;
        let message = format!("the bundle {version} has no channel `{name}`");
        vec![Diagnostic::new(Code::BundleMissing, None, message).with_help(help)]
    })
}

/// A bundle in the place of the one that is pinned.
struct Update<'a> {
    known: &'a Lock,
    lock: &'a Lock,
    bundle: &'a Verified,
}

impl Update<'_> {
    /// Says what changes for those who use the channel, where what was pinned is still there, and what must not happen
    /// unasked.
    fn refused(&self, request: &Request, access: &Access) -> Vec<Diagnostic> {
        let (known, lock) = (self.known, self.lock);
        let mut refused = Vec::new();
        if known.channel != lock.channel {
            eprintln!(
                "note: the channel changes from `{}` to `{}`",
                known.channel, lock.channel
            );
        }
        if !request.allow_downgrade && lock.bundle < known.bundle {
            let message = format!(
                "{} is older than {}, which is pinned",
                lock.bundle, known.bundle
            );
            let finding = Diagnostic::new(Code::PinRefused, None, message);
            refused.push(finding.with_help("add `--allow-downgrade` to pin it all the same"));
        }
        let Some(changes) = self.changes(access) else {
            if !request.allow_data_loss {
                let message = format!(
                    "{} is not where it was, so the changes are not known",
                    known.bundle
                );
                let finding = Diagnostic::new(Code::PinRefused, None, message);
                refused
                    .push(finding.with_help("add `--allow-data-loss` to pin without knowing them"));
            }
            return refused;
        };
        print!("{}", changes.text());
        let lost = changes.lost();
        if !request.allow_data_loss && !lost.is_empty() {
            let message = format!("stored objects would lose or break: {}", lost.join(", "));
            let finding = Diagnostic::new(Code::PinRefused, None, message);
            refused.push(
                finding.with_help("see to these objects first, then add `--allow-data-loss`"),
            );
        }
        refused
    }

    /// The channel that was pinned beside the channel that will be.
    fn changes(&self, access: &Access) -> Option<Changes> {
        let old = access.pinned(self.known).ok()?;
        let old = read::channel(&old, &self.known.channel).ok()?;
        let new = read::channel(self.bundle, &self.lock.channel).ok()?;
        Some(Changes::of(compare(&old, &new)))
    }
}
