//! Chooses the bundles of a run of `pin`: bundles of the lock to update, or one from a source.

use super::{Format, Names, Request, no_lock};
use crate::consumer::access::Access;
use crate::consumer::folders::{are_apart, overlap};
use crate::consumer::lock::{self, Lock};
use crate::consumer::one;
use crate::consumer::origin::{self, Origin, Place};
use crate::consumer::pinned::{Choice, Part, Pinned};
use crate::consumer::source::{LocatedBundle, Source};
use crate::oci::address;
use crate::release::history::History;
use crd_channels_diagnostics::{Code, Diagnostic, nearest};
use crd_channels_files::Disk;
use crd_channels_released::folder::Verified;
use crd_channels_released::manifest::Channel;
use crd_channels_signature::Key;
use semver::VersionReq;
use std::collections::BTreeSet;
use std::path::{Component, Path};

/// A chosen bundle.
pub(crate) struct Chosen {
    /// The entry that it replaces.
    pub(super) before: Option<Pinned>,
    /// The new entry.
    pub(super) after: Pinned,
    /// The bundle itself.
    pub(crate) bundle: Verified,
    /// The bundles that it follows, or the errors in them.
    pub(crate) chain: Result<History, Vec<Diagnostic>>,
}

/// Chooses the bundles that a request is about.
pub(super) fn chosen(
    request: &Request,
    lock: &Lock,
    access: &Access,
) -> Result<Vec<Chosen>, Vec<Diagnostic>> {
    let from = from(request).map_err(one)?;
    let Some(names) = &request.update else {
        let origin = from.ok_or_else(no_lock)?;
        return choose(request, origin, None, lock, access).map(|chosen| vec![chosen]);
    };
    if lock.bundles.is_empty() {
        return Err(no_lock());
    }
    let wanted: Vec<&Pinned> = match names {
        Names::All => lock.bundles.iter().collect(),
        Names::One(name) => vec![named_in(lock, name)?],
    };
    if wanted.len() > 1 && request.is_about_one() {
        let help = format!(
            "name one, as in `--update {}`",
            known(lock).join("` or `--update ")
        );
        let message = format!("`{}` has several bundles", lock::FILE);
        return Err(vec![
            Diagnostic::new(Code::LockMissing, None, message).with_help(help),
        ]);
    }
    // An archive has no other bundle, so there is nothing to choose.
    let stays = from.is_none() && !request.changes_the_entry();
    let is_final = |pinned: &&Pinned| stays && matches!(pinned.source.place, Place::Archive(_));
    let (archives, wanted): (Vec<&Pinned>, Vec<&Pinned>) = wanted.into_iter().partition(is_final);
    for pinned in archives {
        let message = format!(
            "`{}` comes from the archive `{}`, which has only {}",
            pinned.name,
            pinned.source.display_name(),
            pinned.version
        );
        let command = request.typed_with_archive(pinned);
        let help = format!("name the archive of another bundle: `{command}`");
        if wanted.is_empty() {
            let finding = Diagnostic::new(Code::BundleMissing, None, message);
            return Err(vec![finding.with_help(help)]);
        }
        if request.format == Format::Human {
            note!("{message}; {help}");
        }
    }
    let all = wanted.into_iter().map(|pinned| {
        let origin = match &from {
            Some(from) => from.clone(),
            None => Origin {
                path: match &request.path {
                    Some(path) => inside(path).map_err(one)?,
                    None => pinned.source.path.clone(),
                },
                revision: request.revision.clone().or(pinned.source.revision.clone()),
                ..pinned.source.clone().followed()
            },
        };
        choose(request, origin, Some(pinned), lock, access)
    });
    all.collect()
}

/// Returns the requested source.
pub(super) fn from(request: &Request) -> Result<Option<Origin>, Box<Diagnostic>> {
    let revision = request.revision.as_deref();
    let Some(from) = request.from.as_deref() else {
        return Ok(None);
    };
    let mut origin = origin::parse(from, revision).map_err(|message| {
        let finding = Diagnostic::new(Code::BundleMissing, None, message);
        Box::new(finding.with_help(match from.starts_with(address::SCHEME) {
            true => address::FORM,
            false => "name a revision after `#` or with `--revision`",
        }))
    })?;
    if let Some(path) = &request.path {
        origin.path = inside(path)?;
    }
    Ok(Some(origin))
}

/// Returns the requested folder inside a source.
fn inside(path: &str) -> Result<Option<String>, Box<Diagnostic>> {
    origin::inside(path).map_err(|message| {
        let finding = Diagnostic::new(Code::BundleMissing, None, message);
        let help = "name it as it is called from the top of the source, such as `--path api`";
        Box::new(finding.with_help(help))
    })
}

/// Removes a bundle from a lock. Returns both.
pub(super) fn without_bundle(
    lock: Option<Lock>,
    name: &str,
) -> Result<(Lock, Pinned), Vec<Diagnostic>> {
    let mut lock = lock.ok_or_else(no_lock)?;
    let gone = named_in(&lock, name)?.clone();
    lock.bundles.retain(|pinned| pinned.name != name);
    Ok((lock, gone))
}

impl Request {
    /// Whether the request changes more of an entry than its bundle.
    fn changes_the_entry(&self) -> bool {
        let texts = [&self.path, &self.channel, &self.key];
        let is_about_files = self.folder.is_some() || self.with.is_some();
        is_about_files || texts.iter().any(|text| text.is_some())
    }

    /// Whether the request has an option that applies to only one bundle.
    pub(super) fn is_about_one(&self) -> bool {
        let Self {
            from,
            revision,
            path,
            name,
            channel,
            version,
            folder,
            key,
            ..
        } = self;
        let texts = [revision, path, name, channel, version, key];
        texts.iter().any(|text| text.is_some()) || from.is_some() || folder.is_some()
    }
}

/// Chooses the newest bundle of a source, to replace `update` if given.
pub(super) fn choose(
    request: &Request,
    origin: Origin,
    update: Option<&Pinned>,
    lock: &Lock,
    access: &Access,
) -> Result<Chosen, Vec<Diagnostic>> {
    let asked = request.version.as_deref();
    let asked = asked.or(update.map(|pinned| pinned.requirement.as_str()));
    let (requirement, admitted) = requirement(asked.unwrap_or("*"))?;
    let source = Source::open(origin, access).map_err(one)?;
    let found = source.newest(&admitted, Some(&|path| request.typed_with_path(path)))?;
    let chain = chain(&found);
    let channel = request.channel.as_deref();
    let channel = channel.or(update.map(|pinned| pinned.channel.as_str()));
    let channel = channel_of(&found.bundle, channel.unwrap_or("stable"))?;
    let before = match update {
        Some(update) => Some(update),
        None => replaced(request, lock, &found.bundle, channel)?,
    };
    let key = key(request, before, access).map_err(one)?;
    if let Some(key) = &key {
        found.signed(key, access).map_err(one)?;
    }
    let name = match (&request.name, before) {
        (Some(name), _) => name.clone(),
        (None, Some(before)) => before.name.clone(),
        (None, None) => found.bundle.manifest.annotation_prefix.clone(),
    };
    if !is_plain(&name) {
        let message = format!("`{name}` is not a valid name in `{}`", lock::FILE);
        let finding = Diagnostic::new(Code::LockInvalid, None, message);
        return Err(vec![finding.with_help(
            "name the bundle with letters, digits, `-` and `.`: `--name NAME`",
        )]);
    }
    let choice = Choice {
        folder: folder(request, lock, before, &name, &access.here)?,
        with: match (&request.with, before) {
            (Some(with), _) => with.clone(),
            (None, Some(before)) => before.with.clone(),
            (None, None) => BTreeSet::from([Part::Components]),
        },
        name,
        requirement,
        key: key.map(|key| key.to_string()),
    };
    let after = Pinned::of(&found.bundle, channel, choice, found.origin.clone());
    if after.part("crds").next().is_none() {
        let name = &channel.name;
        let message = format!("the channel `{name}` of {} has no CRDs", after.version);
        let channels = found.bundle.manifest.channels.iter();
        let full = channels.filter(|channel| {
            let crds = format!("{}/crds/", channel.name);
            channel.files.keys().any(|path| path.starts_with(&crds))
        });
        let full: Vec<&str> = full.map(|channel| &*channel.name).collect();
        let finding = Diagnostic::new(Code::ChannelMissing, None, message);
        return Err(vec![finding.with_help(match full.as_slice() {
            [] => "choose another bundle with `--version`".to_owned(),
            [first, ..] => format!("choose a channel that has some: `--channel {first}`"),
        })]);
    }
    if let Some(path) = after.unlike(&found.bundle) {
        let message = format!(
            "`{path}` of {} names another bundle or channel",
            after.version
        );
        let finding = Diagnostic::new(Code::BundleInvalid, None, message);
        return Err(vec![finding.with_help("ask its publisher")]);
    }
    if let Some(path) = after.odd_file() {
        let version = &after.version;
        let message = format!("{version} has the file `{path}`, which does not belong in a bundle");
        let finding = Diagnostic::new(Code::BundleInvalid, None, message);
        return Err(vec![finding.with_help("ask its publisher")]);
    }
    let LocatedBundle { bundle, .. } = found;
    Ok(Chosen {
        before: before.cloned(),
        after,
        bundle,
        chain,
    })
}

/// Returns the requested key, or else the lock's.
fn key(
    request: &Request,
    before: Option<&Pinned>,
    access: &Access,
) -> Result<Option<Key>, Box<Diagnostic>> {
    let known = before.and_then(|before| before.key.as_deref());
    match (&request.key, known) {
        (Some(given), _) => Key::from_argument(given, &access.here, &Disk).map(Some),
        (None, Some(known)) => Key::parse(known).map(Some),
        (None, None) => Ok(None),
    }
}

/// Returns the chain that ends with a bundle; empty if its source only has that bundle.
fn chain(found: &LocatedBundle) -> Result<History, Vec<Diagnostic>> {
    match found.among() {
        Some((folder, files)) => History::chain(folder, &found.bundle.manifest.version, files),
        None => Ok(History::default()),
    }
}

/// Returns the entry of the lock that a bundle replaces: the one with its name, or else the one with its CRDs.
fn replaced<'l>(
    request: &Request,
    lock: &'l Lock,
    bundle: &Verified,
    channel: &Channel,
) -> Result<Option<&'l Pinned>, Vec<Diagnostic>> {
    if let Some(name) = &request.name {
        return Ok(lock.get(name));
    }
    let known = lock.bundles.iter();
    let like: Vec<&Pinned> = known
        .filter(|pinned| pinned.shares_a_crd(channel))
        .collect();
    match like.as_slice() {
        [one] => Ok(Some(one)),
        [] => match lock.get(&bundle.manifest.annotation_prefix) {
            None => Ok(None),
            Some(other) => {
                let message = format!(
                    "`{}` is already pinned to a different bundle, which has none of these CRDs",
                    other.name
                );
                Err(vec![
                    Diagnostic::new(Code::LockMissing, None, message).with_help(
                        "give this one a name: `--name NAME`; `--update` chooses the pinned one again",
                    ),
                ])
            }
        },
        several => {
            let names: Vec<&str> = several.iter().map(|pinned| &*pinned.name).collect();
            let message = format!("`{}` contains these CRDs several times", lock::FILE);
            let help = format!("choose one: `--name {}`", names.join("` or `--name "));
            Err(vec![
                Diagnostic::new(Code::LockMissing, None, message).with_help(help),
            ])
        }
    }
}

/// Returns the folder to write a bundle into; each bundle has its own.
fn folder(
    request: &Request,
    lock: &Lock,
    before: Option<&Pinned>,
    name: &str,
    here: &Path,
) -> Result<String, Vec<Diagnostic>> {
    let others = || lock.bundles.iter().filter(|other| other.name != name);
    let taken = |folder: &str| {
        others().find(|other| overlap(&here.join(folder), &here.join(&other.folder)))
    };
    let is_apart = |folder: &String| {
        let folders = others().map(|other| here.join(&other.folder));
        folders
            .into_iter()
            .all(|other| are_apart(&here.join(folder), &other, here))
    };
    let own = || own_folders(name).find(is_apart).unwrap_or_default();
    let failed = |message: String, help: String| {
        vec![Diagnostic::new(Code::WriteFailed, None, message).with_help(help)]
    };
    let folder = match (&request.folder, before) {
        (Some(folder), _) => with_slashes(folder).ok_or_else(|| {
            let message = format!("`{}` cannot be a folder for CRDs", folder.display());
            failed(
                message,
                "name a folder of their own, such as `crds`".to_owned(),
            )
        })?,
        (None, Some(before)) => before.folder.clone(),
        (None, None) => own(),
    };
    match taken(&folder) {
        None => Ok(folder),
        Some(other) => Err(failed(
            format!(
                "`{folder}` is in use: files of `{}` are in `{}`",
                other.name, other.folder
            ),
            format!("name another folder, such as `--folder {}`", own()),
        )),
    }
}

/// The default folders of a bundle, in order of preference.
fn own_folders(name: &str) -> impl Iterator<Item = String> {
    let first = [lock::FOLDER.to_owned(), format!("{}-{name}", lock::FOLDER)];
    let further = (2..).map(move |number| format!("{}-{name}-{number}", lock::FOLDER));
    first.into_iter().chain(further)
}

/// Whether a name can also be a file name.
fn is_plain(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    name.bytes().all(plain) && !name.trim_matches('.').is_empty()
}

/// Returns a path with `/` as separator on every platform.
fn with_slashes(folder: &Path) -> Option<String> {
    let mut names = Vec::new();
    let own = folder.components().next_back();
    own.filter(|own| matches!(own, Component::Normal(_) | Component::CurDir))?;
    for part in folder.components() {
        match part {
            Component::CurDir => {}
            Component::Prefix(_) => return folder.to_str().map(str::to_owned),
            Component::RootDir => names.push(""),
            Component::ParentDir => names.push(".."),
            Component::Normal(name) => names.push(name.to_str()?),
        }
    }
    Some(if names.is_empty() {
        ".".to_owned()
    } else {
        names.join("/")
    })
}

fn known(lock: &Lock) -> Vec<&str> {
    lock.bundles.iter().map(|pinned| &*pinned.name).collect()
}

fn named_in<'l>(lock: &'l Lock, name: &str) -> Result<&'l Pinned, Vec<Diagnostic>> {
    lock.get(name).ok_or_else(|| {
        let message = format!("`{}` has no bundle named `{name}`", lock::FILE);
        let help = format!("available: {}", known(lock).join(", "));
        vec![Diagnostic::new(Code::LockMissing, None, message).with_help(help)]
    })
}

/// Parses a requirement; returns it with the text to record. `v0.2.1` means exactly that bundle.
fn requirement(text: &str) -> Result<(String, VersionReq), Vec<Diagnostic>> {
    let exact = text.strip_prefix('v').map(|version| format!("={version}"));
    let written = exact.unwrap_or_else(|| text.to_owned());
    match VersionReq::parse(&written) {
        Ok(requirement) => Ok((written, requirement)),
        Err(error) => {
            let message = format!("`{text}` is not a version requirement: {error}");
            let finding = Diagnostic::new(Code::BundleMissing, None, message);
            Err(vec![finding.with_help(
                "write it as in a manifest of cargo: `^0.2`, `~0.2.1`, `>=0.2, <0.5`, or one bundle: `v0.2.1`",
            )])
        }
    }
}

/// Finds a channel by its name or its annotation.
fn channel_of<'b>(bundle: &'b Verified, name: &str) -> Result<&'b Channel, Vec<Diagnostic>> {
    let channels = &bundle.manifest.channels;
    let by_name = channels.iter().find(|channel| channel.name == name);
    let by_annotation = || channels.iter().find(|channel| channel.annotation == name);
    by_name.or_else(by_annotation).ok_or_else(|| {
        let names = || channels.iter().map(|channel| channel.name.as_str());
        let help = match nearest(name, names()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("available: {}", names().collect::<Vec<_>>().join(", ")),
        };
        let version = &bundle.manifest.version;
        let message = format!("the bundle {version} has no channel `{name}`");
        vec![Diagnostic::new(Code::ChannelMissing, None, message).with_help(help)]
    })
}
