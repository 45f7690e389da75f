//! `pin --repair`: pins again what the entries of a lock name that are not as they were written. The user's decisions are read
//! from the lock, everything else comes from the bundle.

use super::choice::{Chosen, choose, from};
use super::update::PinUpdate;
use super::{Names, Pinning, Request, no_lock};
use crate::consumer::access::Access;
use crate::consumer::lock::{self, FOLDER, Lock};
use crate::consumer::lock_merge::conflict;
use crate::consumer::one;
use crate::consumer::origin::Origin;
use crate::consumer::parts::{self, Claim, Part};
use crate::consumer::pinned::{Part as BundlePart, Pinned};
use crate::consumer::source::Source;
use crd_channels_diagnostics::shell;
use crd_channels_diagnostics::{Code, Diagnostic};
use crd_channels_files::{Disk, Read};
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_released::digest::Digest;
use semver::VersionReq;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Returns the text of the repaired lock and the entries that were pinned again.
pub(super) fn repaired(
    request: &Request,
    names: &Names,
    bytes: Option<Vec<u8>>,
    access: &Access,
) -> Result<(String, Pinning), Vec<Diagnostic>> {
    let bytes = bytes.ok_or_else(no_lock)?;
    let parts = readable(&bytes)?;
    let mut entries: BTreeMap<&str, Entry<'_>> = BTreeMap::new();
    for part in &parts {
        for claim in &part.claims {
            let entry = entries.entry(&claim.name).or_default();
            entry.claims.push(claim);
            if !entry.parts.iter().any(|known| std::ptr::eq(*known, part)) {
                entry.parts.push(part);
            }
        }
    }
    // Of two entries that a merge left with one folder, the second needs another one.
    let mut folders = BTreeSet::new();
    for entry in entries.values_mut() {
        entry.is_apart = entry
            .parts
            .first()
            .and_then(|part| part.entry.as_ref())
            .is_none_or(|entry| folders.insert(&entry.folder));
    }
    let wanted = wanted(request, names, &entries)?;
    let mut whole = Lock::default();
    for entry in entries.values() {
        whole.bundles.extend(entry.whole().cloned());
    }
    let (mut left, mut updates, mut faults) = (String::new(), Vec::new(), Vec::new());
    for (name, entry) in &entries {
        if entry.whole().is_some() {
            continue;
        }
        if !wanted.contains(name) {
            left.push_str(&entry.text());
            continue;
        }
        match entry.pinned_again(request, &whole, access) {
            Ok(update) => {
                whole = whole.with(update.after.clone());
                updates.push(update);
            }
            Err(why) => faults.extend(why),
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let pinning = Pinning {
        updates,
        removed: None,
        removed_files: Vec::new(),
        kept_files: Vec::new(),
        several: entries.len() > 1,
    };
    Ok((whole.to_text() + &left, pinning))
}

/// Returns the entries of a lock, or of what is left of it.
fn readable(bytes: &[u8]) -> Result<Vec<Part>, Vec<Diagnostic>> {
    let parts = match Lock::parse(bytes) {
        Ok(lock) => parts::of_entries(&lock.bundles),
        Err(finding) if finding.code == Code::LockNewer => return Err(one(finding)),
        Err(finding) => {
            let parts = parts::of_text(&String::from_utf8_lossy(bytes));
            if parts.iter().all(|part| part.claims.is_empty()) {
                let help = format!(
                    "it names no bundle to pin again; take it from version control: `git checkout HEAD -- {0}`, or remove `{0}` and pin again",
                    lock::FILE
                );
                return Err(vec![finding.with_help(help)]);
            }
            parts
        }
    };
    Ok(parts)
}

/// Returns the names of the entries to repair.
fn wanted<'e>(
    request: &Request,
    names: &Names,
    entries: &BTreeMap<&'e str, Entry<'_>>,
) -> Result<BTreeSet<&'e str>, Vec<Diagnostic>> {
    let refused = |code: Code, message: String, help: String| {
        Err(vec![Diagnostic::new(code, None, message).with_help(help)])
    };
    let broken = entries.iter().filter(|(_, entry)| entry.whole().is_none());
    let mut broken: BTreeSet<&str> = broken.map(|(name, _)| *name).collect();
    if let Names::One(wanted) = names {
        let Some((name, _)) = entries.get_key_value(&**wanted) else {
            let known: Vec<&str> = entries.keys().copied().collect();
            return refused(
                Code::LockMissing,
                format!("`{}` has no bundle named `{wanted}`", lock::FILE),
                format!("available: {}", known.join(", ")),
            );
        };
        broken.retain(|known| known == name);
    }
    if broken.is_empty() && request.is_about_one() {
        return refused(
            Code::PinRefused,
            format!(
                "`{}` needs no repair, so these options do not apply",
                lock::FILE
            ),
            "change an entry with `crd-channels pin --update` and these options".to_owned(),
        );
    }
    if broken.len() > 1 && request.is_about_one() {
        let known: Vec<&str> = broken.iter().copied().collect();
        return refused(
            Code::LockMissing,
            format!("several bundles of `{}` need a repair", lock::FILE),
            format!(
                "name one, as in `--repair {}`",
                known.join("` or `--repair ")
            ),
        );
    }
    Ok(broken)
}

/// What a lock says under one name.
#[derive(Default)]
struct Entry<'p> {
    parts: Vec<&'p Part>,
    claims: Vec<&'p Claim>,
    /// Whether no entry before it has its folder.
    is_apart: bool,
}

impl Entry<'_> {
    /// Returns the entry if it is as it was written, on both sides of a conflict.
    fn whole(&self) -> Option<&Pinned> {
        let (first, others) = self.parts.split_first()?;
        let whole = first.whole().filter(|_| self.is_apart)?;
        let same = |part: &&Part| part.whole() == Some(whole);
        others.iter().all(same).then_some(whole)
    }

    /// Returns its lines as they are, with those of both sides of a conflict.
    fn text(&self) -> String {
        match self.parts.as_slice() {
            [ours, theirs] => conflict(&ours.text, &theirs.text),
            parts => parts.iter().map(|part| part.text.as_str()).collect(),
        }
    }

    fn pinned_again(
        &self,
        request: &Request,
        lock: &Lock,
        access: &Access,
    ) -> Result<PinUpdate, Vec<Diagnostic>> {
        let (read, requirements) = self.settled(request)?;
        let origin = match from(request).map_err(one)? {
            Some(from) => from,
            None => Origin {
                revision: request.revision.clone().or(read.source.revision.clone()),
                ..read.source.clone()
            },
        };
        let exactly = format!("={}", read.version.semantic());
        let exact = Request {
            version: Some(request.version.clone().unwrap_or(exactly)),
            channel: Some(read.channel.clone()),
            ..request.clone()
        };
        let chosen = choose(&exact, origin.clone(), Some(&read), lock, access);
        let mut chosen = chosen.map_err(|findings| choosable(findings, request, &read.name))?;
        self.check_prefix(request, &chosen.after)?;
        let mut notes = Vec::new();
        let fitting = requirements.iter().filter(|text| {
            is_exact(request.version.as_deref()) && matches(text, &chosen.after.version)
        });
        let requirement = match fitting.collect::<Vec<_>>().as_slice() {
            [only] => (*only).clone(),
            _ => chosen.after.requirement.clone(),
        };
        let others = requirements.iter().filter(|other| **other != requirement);
        let others: Vec<&str> = others.map(String::as_str).collect();
        if !others.is_empty() {
            notes.push(format!(
                "updates of `{}` follow `{requirement}` from now on, and no longer `{}`",
                read.name,
                others.join("` or `")
            ));
        }
        chosen.after = Pinned {
            requirement,
            ..chosen.after
        }
        .sealed();
        chosen.before = self.before(origin.clone(), access);
        if chosen.before.is_none() {
            chosen.before = vendored(&chosen.after, &read.folder, access).map(|named| {
                let choose = |request: &Request| choose(request, origin, Some(&read), lock, access);
                as_vendored(named, &chosen.after, exact, choose)
            });
        }
        if chosen.before.is_none() {
            notes.push(format!(
                "what `{}` pinned before is not known, so changes cannot be shown",
                read.name
            ));
        }
        let mut update = PinUpdate::to(&chosen, access)?;
        update.repair = Some(notes);
        Ok(update)
    }

    /// Checks that a bundle is of the API that the entry is about, since a merge may have left it the source of another one.
    fn check_prefix(&self, request: &Request, chosen: &Pinned) -> Result<(), Vec<Diagnostic>> {
        let known = self.values(|claim| claim.prefix.clone());
        // An entry is named after its API, unless somebody gave it another name.
        let is_named = |prefix: &String| *prefix == chosen.name;
        let is_known = !known.iter().any(is_named) && known.contains(&chosen.prefix);
        if known.is_empty() || is_named(&chosen.prefix) || is_known {
            return Ok(());
        }
        let message = format!(
            "`{}` has a bundle of `{}`, but the entry `{}` is one of `{}`",
            chosen.source.argument(),
            chosen.prefix,
            chosen.name,
            known.join("` or `")
        );
        let open = Request {
            from: None,
            ..request.clone()
        };
        let help = format!(
            "name its source: `{} --from FROM`",
            open.typed_for(&chosen.name)
        );
        let finding = Diagnostic::new(Code::LockInconsistent, None, message);
        Err(vec![finding.with_help(help)])
    }

    /// Returns what was pinned before somebody changed the entry: our side of a conflict, or the values that its digest is of.
    fn before(&self, origin: Origin, access: &Access) -> Option<Pinned> {
        if let Some(ours) = self.parts.iter().find_map(|part| part.whole()) {
            return Some(ours.clone());
        }
        let [only] = self.parts.as_slice() else {
            return None;
        };
        let read = only.entry.as_ref()?;
        let folder = access.here.join(&read.folder);
        if read.digest.is_none() {
            let fits = read.contradictions(&folder, &Disk).is_empty();
            let wrong = access.open_pinned(read).err().unwrap_or_default();
            let is_other = |finding: &Diagnostic| finding.code == Code::LockInconsistent;
            return (fits && !wrong.iter().any(is_other)).then(|| read.clone());
        }
        let near = read.restored(&stated(read, &folder));
        near.or_else(|| {
            let source = Source::open(origin, access).ok()?;
            read.restored(&source.versions())
        })
    }

    /// Returns the decisions that the lock and the request agree on, as an entry without facts of its bundle, and the
    /// requirements in the lock.
    fn settled(&self, request: &Request) -> Result<(Pinned, Vec<String>), Vec<Diagnostic>> {
        let mut open = Open::default();
        let version = match request.version {
            Some(_) => None,
            None => {
                let mut all = self.values(|claim| Some(with_v(claim.version.as_ref()?)));
                all.sort_by_key(|text| text.parse::<BundleVersion>().ok());
                open.choose("version", all, |all| all.last().cloned())
            }
        };
        let channel = match &request.channel {
            Some(channel) => Some(channel.clone()),
            None => open.choose("channel", self.values(|claim| claim.channel.clone()), first),
        };
        let folder = match request.folder {
            Some(_) => None,
            None => open.choose("folder", self.values(|claim| claim.folder.clone()), first),
        };
        let with = match request.with {
            Some(_) => None,
            None => open.choose(
                "with",
                self.values(|claim| claim.with.as_deref().map(parts_text)),
                first,
            ),
        };
        let key = match self.values(|claim| claim.key.clone()) {
            // A bundle that has to be signed on one side has to be signed.
            keys if request.key.is_some() || keys.is_empty() => None,
            keys => open.choose("key", keys, first),
        };
        let source = match request.from {
            Some(_) => None,
            None => {
                let all = self.values(|claim| claim.source.as_ref().map(Origin::argument));
                open.choose("from", all, first)
            }
        };
        let below = |source: &Origin| source.path.clone().unwrap_or_default();
        let path = match (&request.from, &request.path) {
            (None, None) => {
                let all = self.values(|claim| claim.source.as_ref().map(below));
                open.choose("path", all, first)
            }
            _ => None,
        };
        let mut sources = self.claims.iter().filter_map(|claim| claim.source.as_ref());
        let source = source.and_then(|text| {
            let is_below =
                |source: &Origin| path.as_ref().is_none_or(|path| below(source) == *path);
            sources.find(|source| source.argument() == text && is_below(source))
        });
        let requirements = self.values(|claim| claim.requirement.clone());
        let version = version.and_then(|text| text.parse::<BundleVersion>().ok());
        if let Some(version) = &version {
            let fit = requirements.iter().filter(|text| matches(text, version));
            let fit: Vec<String> = fit.cloned().collect();
            if fit.len() > 1 {
                open.choose("requirement", fit, first);
            }
        } else if request.version.is_none() && open.keys.is_empty() {
            open.choose("version", Vec::new(), first);
        }
        let name = self.claims.first().map_or("", |claim| &*claim.name);
        open.finished(request, name)?;
        let source = match source {
            Some(source) => Some(source.clone()),
            None => from(request).map_err(one)?,
        };
        let source = source.ok_or_else(|| {
            let message = format!("`bundle.lock` does not say where `{name}` comes from");
            let finding = Diagnostic::new(Code::LockInconsistent, None, message);
            vec![finding.with_help("name its source with `--from`")]
        })?;
        let with = with.unwrap_or_default();
        let read = Pinned {
            name: name.to_owned(),
            version: version.unwrap_or(BundleVersion::new(0, 0, 0)),
            channel: channel.unwrap_or_default(),
            requirement: String::new(),
            kubernetes: String::new(),
            prefix: String::new(),
            annotation: None,
            manifest: Digest::of(b""),
            folder: folder.unwrap_or_else(|| FOLDER.to_owned()),
            with: BundlePart::ALL
                .into_iter()
                .filter(|part| with.split(',').any(|name| name == part.name()))
                .collect(),
            key,
            source,
            files: BTreeMap::new(),
            digest: None,
        };
        Ok((read, requirements))
    }

    /// Returns the different values of the claims, in their order.
    fn values(&self, of: impl Fn(&Claim) -> Option<String>) -> Vec<String> {
        let mut all = Vec::new();
        for value in self.claims.iter().filter_map(|claim| of(claim)) {
            if !all.contains(&value) {
                all.push(value);
            }
        }
        all
    }
}

/// Adds the `v` that some bots leave out.
fn with_v(version: &str) -> String {
    match version.starts_with('v') {
        true => version.to_owned(),
        false => format!("v{version}"),
    }
}

fn first(all: &[String]) -> Option<String> {
    all.first().cloned()
}

/// Whether a requested version is exactly one, or the lock's.
fn is_exact(requested: Option<&str>) -> bool {
    requested.is_none_or(|text| text.starts_with(['=', 'v']))
}

fn matches(requirement: &str, version: &BundleVersion) -> bool {
    VersionReq::parse(requirement).is_ok_and(|requirement| requirement.matches(version.semantic()))
}

/// Writes parts as the command line takes them.
fn parts_text(names: &[String]) -> String {
    match names.is_empty() {
        true => "none".to_owned(),
        false => names.join(","),
    }
}

/// Returns the versions that an entry and its vendored CRDs name.
fn stated(read: &Pinned, folder: &Path) -> BTreeSet<BundleVersion> {
    let mut versions = BTreeSet::from([read.version.clone()]);
    let tag = read.source.tag.as_deref().unwrap_or_default();
    let ends = tag.match_indices('v').filter_map(|(at, _)| tag.get(at..));
    versions.extend(ends.filter_map(|text| text.parse().ok()));
    let exact = read
        .requirement
        .strip_prefix('=')
        .map(|text| format!("v{text}"));
    versions.extend(exact.and_then(|text| text.parse().ok()));
    for path in Disk.list(folder).unwrap_or_default() {
        let stamps = Disk.read(&path).map(|bytes| read.stamps(&bytes));
        let named = stamps.unwrap_or_default().into_iter();
        versions.extend(named.filter_map(|stamp| stamp.version?.parse().ok()));
    }
    versions
}

/// Returns the version and the channel that all vendored CRDs of an entry name, unless they are those of the entry.
fn vendored(after: &Pinned, folder: &str, access: &Access) -> Option<(BundleVersion, String)> {
    let files = Disk.list(&access.here.join(folder)).unwrap_or_default();
    let stamps = files.iter().filter_map(|path| Disk.read(path).ok());
    let stamps = stamps.flat_map(|bytes| after.stamps(&bytes));
    let named = stamps.filter_map(|stamp| Some((stamp.version?.parse().ok()?, stamp.channel?)));
    let named: BTreeSet<(BundleVersion, String)> = named.collect();
    let only = (named.len() == 1).then(|| named.into_iter().next())??;
    let is_own = only.0 == after.version && only.1 == after.channel_annotation();
    (!is_own).then_some(only)
}

/// Returns the entry of the bundle that the vendored CRDs name; if there is none in the source, one whose changes are unknown.
fn as_vendored(
    (version, channel): (BundleVersion, String),
    after: &Pinned,
    exact: Request,
    choose: impl FnOnce(&Request) -> Result<Chosen, Vec<Diagnostic>>,
) -> Pinned {
    let request = Request {
        version: Some(format!("={}", version.semantic())),
        channel: Some(channel.clone()),
        ..exact
    };
    match choose(&request) {
        Ok(chosen) => Pinned {
            folder: after.folder.clone(),
            ..chosen.after
        },
        Err(_) => Pinned {
            version,
            channel,
            ..after.clone()
        },
    }
}

/// Adds to diagnostics about an option the command that has it.
fn choosable(findings: Vec<Diagnostic>, request: &Request, name: &str) -> Vec<Diagnostic> {
    let add = |finding: Diagnostic| {
        let help = finding.help.clone().unwrap_or_default();
        let folder = help.split('`').find(|text| text.starts_with("--folder "));
        let mut open = request.clone();
        match (finding.code, folder) {
            (Code::BundleMissing, _) => {
                open.version = None;
                let command = open.typed_for(name);
                finding.with_help(format!(
                    "choose a version that it has: `{command} --version VERSION`; {help}"
                ))
            }
            (Code::WriteFailed, Some(folder)) => {
                open.folder = None;
                let command = open.typed_for(name);
                finding.with_help(format!("name another folder, as in `{command} {folder}`"))
            }
            _ => finding,
        }
    };
    findings.into_iter().map(add).collect()
}

/// The decisions that the lock does not determine, and options that do.
#[derive(Default)]
struct Open {
    keys: Vec<String>,
    options: Vec<String>,
}

impl Open {
    /// Returns the only value; otherwise notes the key, with the option that takes the best one.
    fn choose(
        &mut self,
        key: &str,
        all: Vec<String>,
        best: impl Fn(&[String]) -> Option<String>,
    ) -> Option<String> {
        if let [only] = all.as_slice() {
            return Some(only.clone());
        }
        self.keys.push(match all.is_empty() {
            true => format!("no `{key}`"),
            false => format!("several values of `{key}`: `{}`", all.join("`, `")),
        });
        let option = if key == "requirement" { "version" } else { key };
        let value = best(&all).unwrap_or_else(|| option.to_uppercase());
        let value = shell::word(&value);
        self.options.push(format!("--{option} {value}"));
        None
    }

    fn finished(self, request: &Request, name: &str) -> Result<(), Vec<Diagnostic>> {
        if self.keys.is_empty() {
            return Ok(());
        }
        let message = format!(
            "the entry `{name}` of `{}` has {}",
            lock::FILE,
            self.keys.join(", and ")
        );
        let help = format!(
            "choose, for example `{} {}`",
            request.typed_for(name),
            self.options.join(" ")
        );
        let finding = Diagnostic::new(Code::LockInconsistent, None, message);
        Err(vec![finding.with_help(help)])
    }
}
