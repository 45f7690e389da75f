//! Sets of CRDs as arguments: a folder or file, the working tree, a revision of it.

use super::chain::Chain;
use super::release::components;
use super::{Outcome, manifest as stated, named};
use crate::consumer::one;
use crate::git::{self, Revision};
use crate::release::places::Tree;
use crd_channels_compat::read::{self, NamedChannel};
use crd_channels_compat::{Finding, Published, Set};
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Sources, Span, Text};
use crd_channels_files::{Disk, Read};
use crd_channels_generator::pipeline::{self, Setup};
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_projection::channel::{Kind, config};
use crd_channels_released::manifest::{self, Manifest};
use crd_channels_released::{bundles, folder};
use crd_channels_workspace as workspace;
use std::fmt;
use std::path::{Path, PathBuf};

/// The origin of a set.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Name {
    /// CRDs on the disk.
    Path(PathBuf),
    /// The types of the working tree.
    WorkingTree,
    /// The types of a revision.
    Revision(String),
}

/// A set, and the texts that its spans point into.
pub struct Side {
    /// The origin of the set.
    pub name: Name,
    /// Its CRDs.
    pub set: Set,
    /// The parts that could not be read.
    pub note: Option<String>,
    /// The kinds that the CRDs are made from; empty for CRDs on disk.
    kinds: Vec<Kind>,
    sources: Sources,
    /// The folder, if the set is a released bundle.
    bundle: Option<PathBuf>,
}

/// Why a set cannot be read.
pub struct Unread {
    /// The reason, in one line.
    pub message: String,
    /// The outcome of a command.
    pub outcome: Outcome,
    /// Diagnostics with more details.
    pub findings: Vec<Diagnostic>,
    /// The texts that spans point into.
    pub sources: Sources,
}

impl From<String> for Unread {
    fn from(message: String) -> Self {
        Self::after(Vec::new(), message)
    }
}

impl Unread {
    fn after(findings: Vec<Diagnostic>, message: String) -> Self {
        Self {
            message,
            outcome: Outcome::CouldNotRun,
            findings,
            sources: Sources::default(),
        }
    }
}

/// The argument for the working tree.
const HERE: &str = ".";

/// The maximum number of bundles to name in a message.
const MOST_NAMED: usize = 5;

/// The prefix of an argument that names a revision.
const GIT: &str = "git:";

impl Name {
    /// Parses an argument.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        match text.strip_prefix(GIT) {
            Some(revision) => Self::Revision(revision.to_owned()),
            None if text == HERE => Self::WorkingTree,
            None => Self::Path(PathBuf::from(text)),
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(path) => write!(f, "`{}`", path.display()),
            Self::WorkingTree => f.write_str("the working tree"),
            Self::Revision(revision) => write!(f, "`{GIT}{revision}`"),
        }
    }
}

impl Side {
    /// Reads a set. Types are read with the features that a build of `built` turns on. File numbers start at `first`, to
    /// distinguish the spans of two sides.
    ///
    /// # Errors
    /// Returns why the set cannot be read.
    pub fn read(name: &str, built: &[String], first: u32) -> Result<Self, Unread> {
        let name = Name::parse(name);
        let sources = Sources::numbered_from(first);
        let (PublishedCrds { set, kinds, note }, bundle) = match read(&name, built, &sources) {
            Ok(read) => read,
            Err(unread) => return Err(Unread { sources, ..unread }),
        };
        let note = note.map(|why| {
            format!("the components of {name} cannot be read, so they are not compared: {why}")
        });
        Ok(Self {
            name,
            set,
            note,
            kinds,
            sources,
            bundle,
        })
    }

    /// Returns the bundles that the set follows; `None` for CRDs of unknown origin.
    ///
    /// # Errors
    /// Returns why they are unknown, in one line.
    pub fn chain(&self) -> Result<Option<Chain>, String> {
        let chain = match (&self.name, &self.bundle) {
            (Name::Path(_), None) => return Ok(None),
            (Name::Path(_), Some(folder)) => Chain::before(folder, &Disk),
            (Name::WorkingTree, _) => self.followed(&Origin::at_hand().map_err(in_a_line)?),
            (Name::Revision(revision), _) => {
                self.followed(&Origin::of(revision).map_err(in_a_line)?)
            }
        };
        chain.map_err(|findings| {
            let why = findings.first().map_or("", |finding| &*finding.message);
            format!(
                "bundles before {} cannot be read, so their contents are not considered: {why}",
                self.name
            )
        })
    }

    /// Returns the bundles that the types follow.
    fn followed(&self, origin: &Origin) -> Result<Option<Chain>, Vec<Diagnostic>> {
        let version = self.set.bundle_version();
        let Some(version) = version.and_then(|version| version.parse().ok()) else {
            return Ok(None);
        };
        let folder = origin.root().join(config::FOLDER);
        Chain::up_to(&folder, &version, origin.files())
    }

    /// Sets the spans of findings to places in the types.
    pub fn locate(&self, findings: &mut [Finding]) {
        let tree = Tree {
            kinds: &self.kinds,
            sources: &self.sources,
        };
        tree.place(findings);
    }

    /// Formats a span as `file:line`, if it is in one of this side's files.
    #[must_use]
    pub fn place(&self, span: Span) -> Option<String> {
        let file = self.sources.get(span.file)?;
        let place = format!("{}:{}", file.shown, file.line(span.start)?);
        Some(match &self.name {
            Name::Revision(_) => format!("{place} of {}", self.name),
            _ => place,
        })
    }

    /// Returns the texts that its spans point into, if they are files of the working tree.
    #[must_use]
    pub fn files_on_disk(&self) -> Option<&Sources> {
        (self.name == Name::WorkingTree).then_some(&self.sources)
    }

    /// Returns the text of `channels/waivers.toml` that belongs to the types; for CRDs on disk, that of the working tree.
    ///
    /// # Errors
    /// Fails if the file exists but cannot be read.
    pub fn waivers(&self) -> Result<Option<String>, Unread> {
        let origin = match &self.name {
            Name::Revision(revision) => Origin::of(revision)?,
            Name::WorkingTree => Origin::at_hand()?,
            Name::Path(_) => match root_here() {
                Some(root) => Origin::WorkingTree(root),
                None => return Ok(None),
            },
        };
        let files = origin.files();
        let path = origin.root().join(config::FOLDER).join("waivers.toml");
        if !files.is_file(&path) {
            return Ok(None);
        }
        let told = |error: &dyn fmt::Display| format!("the waivers of {}: {error}", self.name);
        let bytes = files.read(&path).map_err(|error| told(&error))?;
        let text = String::from_utf8(bytes).map_err(|error| told(&error))?;
        Ok(Some(text))
    }
}

fn in_a_line(unread: Unread) -> String {
    unread.message
}

/// Reads the set that a name stands for, and its folder if it is a released bundle.
fn read(
    name: &Name,
    built: &[String],
    sources: &Sources,
) -> Result<(PublishedCrds, Option<PathBuf>), Unread> {
    let origin = match name {
        Name::Path(path) => {
            let (set, bundle) = on_disk(path)?;
            let made = PublishedCrds {
                set,
                ..PublishedCrds::default()
            };
            return Ok((made, bundle));
        }
        Name::WorkingTree => Origin::at_hand()?,
        Name::Revision(revision) => Origin::of(revision)?,
    };
    Ok((made(name, &origin, built, sources)?, None))
}

/// Returns the workspace around the current folder. CRDs on disk do not need one.
fn root_here() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    workspace::find_root(&here).ok()
}

/// The place that types are read from.
enum Origin {
    WorkingTree(PathBuf),
    Revision(Box<Revision>),
}

impl Origin {
    fn at_hand() -> Result<Self, Unread> {
        let here = std::env::current_dir().map_err(|error| error.to_string())?;
        match workspace::find_root(&here) {
            Ok(root) => Ok(Self::WorkingTree(root)),
            Err(finding) => Err(Unread::after(
                one(finding),
                "there is no working tree".to_owned(),
            )),
        }
    }

    fn of(revision: &str) -> Result<Self, Unread> {
        let Self::WorkingTree(root) = Self::at_hand()? else {
            return Err("there is no working tree".to_owned().into());
        };
        git::revision(&root, revision)
            .map(|revision| Self::Revision(Box::new(revision)))
            .map_err(|finding| {
                let last = format!("`{GIT}{revision}` cannot be read");
                Unread::after(one(finding), last)
            })
    }

    fn root(&self) -> &Path {
        match self {
            Self::WorkingTree(root) => root,
            Self::Revision(revision) => &revision.root,
        }
    }

    fn files(&self) -> &dyn Read {
        match self {
            Self::WorkingTree(_) => &Disk,
            Self::Revision(revision) => &**revision,
        }
    }
}

/// The CRDs that types are published as.
#[derive(Default)]
struct PublishedCrds {
    set: Set,
    kinds: Vec<Kind>,
    /// Why the components cannot be read.
    note: Option<String>,
}

/// Makes the CRDs that `gen-crds` would write.
fn made(
    name: &Name,
    origin: &Origin,
    built: &[String],
    sources: &Sources,
) -> Result<PublishedCrds, Unread> {
    let mut sink = Sink::default();
    let made = projected(origin, built, sources, &mut sink);
    if sink.has_errors() {
        let (sink, last) = match origin {
            Origin::WorkingTree(_) => (
                sink,
                "the working tree has errors; `crd-channels gen-crds` reports the same".to_owned(),
            ),
            Origin::Revision(revision) => (
                of_the_past(sink, revision),
                format!("the types of {name} cannot be read"),
            ),
        };
        return Err(Unread::after(sink.into_diagnostics(), last));
    }
    let made = made.ok_or_else(|| format!("{name} cannot be read"))?;
    if made.set.channels.is_empty() {
        return Err(format!("{name} has no kinds").into());
    }
    Ok(made)
}

/// Replaces the help of cargo's errors, which cannot be fixed in a revision.
fn of_the_past(sink: Sink, revision: &Revision) -> Sink {
    let mut told = Sink::default();
    for finding in sink.into_diagnostics() {
        if finding.code != Code::CargoFailed {
            told.push(finding);
            continue;
        }
        let submodules: Vec<&str> = revision.submodules().collect();
        told.push(finding.with_help(match submodules.as_slice() {
            [] => "give cargo access to the registry if a dependency is missing, or name another revision".to_owned(),
            paths => format!(
                "the files of submodules are not read, and `{}` is one: name CRDs that were generated where the types need it",
                paths.join("`, `")
            ),
        }));
    }
    told
}

fn projected(
    origin: &Origin,
    built: &[String],
    sources: &Sources,
    sink: &mut Sink,
) -> Option<PublishedCrds> {
    let files = origin.files();
    let setup = pipeline::setup_as(origin.root(), built, files, sources, sink)?;
    let kinds = pipeline::read(&setup, files, sources, sink);
    let mut set = of_kinds(&setup, &kinds, sink);
    // The CRDs have no stamps yet, but components may have some. Without a version there is no bundle.
    let stamp = pipeline::stamp(&setup, pipeline::groups(&kinds), &mut Sink::default());
    let prefix = stamp.map(|stamp| stamp.prefix).unwrap_or_default();
    let mut note = None;
    match components::read(&setup.config.bundle, origin.root(), files) {
        Ok(read) => set.components = Some(components::compared(&read, &prefix)),
        Err(why) => note = Some(why),
    }
    Some(PublishedCrds { set, kinds, note })
}

/// Returns the set that kinds are published as.
pub fn of_kinds(setup: &Setup, kinds: &[Kind], sink: &mut Sink) -> Set {
    let channels = pipeline::project(setup, kinds, sink);
    let mut set = Set {
        by_folder: true,
        kubernetes: Some(setup.config.bundle.kubernetes.minor),
        tombstones: Some(stated::tombstones(setup, kinds)),
        ..Set::default()
    };
    let configured = setup.config.channels.iter();
    let known: Vec<NamedChannel<'_>> = configured
        .map(|channel| NamedChannel {
            name: &channel.name,
            annotation: &channel.annotation.value,
            bare: channel.features.is_empty(),
        })
        .collect();
    let promises = read::promises(&known);
    for projected in channels {
        let promise = promises.get(&projected.channel).copied();
        let name = Text::from(projected.channel);
        for crd in projected.crds {
            let published = Published::new(crd);
            // Duplicate names were reported for the kinds.
            let _ = set.insert_into(&name, promise, published);
        }
    }
    set
}

/// Reads CRDs from disk: a released bundle, which is verified and returned with its folder, or a folder or a file. `v0.1.0` is
/// the bundle of that version below `channels/`, unless a file has that name.
fn on_disk(path: &Path) -> Result<(Set, Option<PathBuf>), Unread> {
    if !path.exists() {
        let folder = root_here().map(|root| root.join(config::FOLDER));
        let released = folder.map(|folder| bundles::all(&folder, &Disk));
        let released = released.unwrap_or_default();
        let version: Option<BundleVersion> = path.to_str().and_then(|name| name.parse().ok());
        let asked = released
            .iter()
            .find(|it| Some(&it.version) == version.as_ref());
        if let Some(bundle) = asked {
            return on_disk(&bundle.folder);
        }
        let mut message = format!("`{}`: no such bundle, file or folder", path.display());
        let versions = released.iter().rev().map(|it| it.version.to_string());
        let names: Vec<String> = versions.collect();
        if !names.is_empty() {
            message.push_str(&format!("; bundles: {}", named(&names, MOST_NAMED)));
        }
        return Err(message.into());
    }
    let manifest = Disk.read(&path.join(manifest::FILE));
    if !manifest.is_ok_and(|bytes| Manifest::is_ours(&bytes)) {
        return Ok((read::set(path, &Disk)?, None));
    }
    match folder::verify(path, &Disk) {
        Ok(bundle) => Ok((read::bundle(&bundle)?, Some(path.to_path_buf()))),
        Err(findings) => Err(Unread {
            outcome: Outcome::of(&findings),
            ..Unread::after(findings, format!("`{}` cannot be compared", path.display()))
        }),
    }
}
