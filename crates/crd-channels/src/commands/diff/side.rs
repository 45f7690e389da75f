//! A side of a comparison: a set of CRDs from the disk, or from the types of the working tree or a revision.

use super::on_disk::on_disk;
use super::origin::{Origin, REVISION, root_here};
use super::types::{PublishedCrds, crds_of_types};
use super::unread::Unread;
use crate::commands::Outcome;
use crate::commands::bundle_chain::BundleChain;
use crate::commands::release::tags::departures;
use crate::release::places::Tree;
use crd_channels_compat::{Finding, Set};
use crd_channels_diagnostics::{Diagnostic, Sources, Span};
use crd_channels_files::{Disk, shown_path};
use crd_channels_generator::pipeline::Setup;
use crd_channels_projection::channel::{Kind, config};
use crd_channels_released::history::KindHistory;
use crd_channels_released::manifest::Feature;
use std::fmt;
use std::path::PathBuf;

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
    /// Its features, if they are recorded.
    pub features: Vec<Feature>,
    /// What it records of itself and the bundles before it, if it is a bundle.
    pub history: Vec<KindHistory>,
    /// The parts that could not be read.
    pub note: Option<String>,
    /// The workspace and the configuration of the types; `None` for CRDs on disk.
    pub setup: Option<Setup>,
    /// The kinds that the CRDs are made from; empty for CRDs on disk.
    kinds: Vec<Kind>,
    sources: Sources,
    /// The folder, if the set is a released bundle.
    pub bundle: Option<PathBuf>,
}

/// The argument for the working tree.
const HERE: &str = ".";

impl Name {
    /// Parses an argument.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        match text.strip_prefix(REVISION) {
            Some(revision) => Self::Revision(revision.to_owned()),
            None if text == HERE => Self::WorkingTree,
            None => Self::Path(PathBuf::from(text)),
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(path) => write!(f, "`{}`", shown_path(path)),
            Self::WorkingTree => f.write_str("the working tree"),
            Self::Revision(revision) => write!(f, "`{REVISION}{revision}`"),
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
        let (crds, bundle) = match read_set(&name, built, &sources) {
            Ok(read) => read,
            Err(unread) => return Err(Unread { sources, ..unread }),
        };
        let PublishedCrds {
            set,
            kinds,
            features,
            history,
            note,
            setup,
        } = crds;
        let note = note.map(|why| {
            format!("the components of {name} cannot be read, so they are not compared: {why}")
        });
        Ok(Self {
            name,
            set,
            features,
            history,
            note,
            setup,
            kinds,
            sources,
            bundle,
        })
    }

    /// Returns the bundles that the set follows; `None` for CRDs of unknown origin.
    ///
    /// # Errors
    /// Returns why they cannot be read.
    pub fn chain(&self) -> Result<Option<BundleChain>, Unread> {
        let chain = match (&self.name, &self.bundle) {
            (Name::Path(_), None) => return Ok(None),
            (Name::Path(_), Some(folder)) => BundleChain::before(folder, &Disk),
            (Name::WorkingTree, _) => self.followed(&Origin::at_hand()?),
            (Name::Revision(revision), _) => self.followed(&Origin::of_revision(revision)?),
        };
        chain.map_err(|findings| self.without_past(findings))
    }

    /// The same without those bundles before a bundle that are not beside it: it records what they say of lives.
    ///
    /// # Errors
    /// Returns why one that is there cannot be read.
    pub fn chain_at_hand(&self) -> Result<Option<BundleChain>, Unread> {
        match (&self.name, &self.bundle) {
            (Name::Path(_), Some(folder)) => {
                let chain = BundleChain::beside(folder, &Disk);
                chain.map_err(|findings| self.without_past(findings))
            }
            _ => self.chain(),
        }
    }

    fn without_past(&self, findings: Vec<Diagnostic>) -> Unread {
        Unread {
            outcome: Outcome::of_failed(&findings),
            ..Unread::after(
                findings,
                format!("the bundles before {} cannot be read", self.name),
            )
        }
    }

    /// Checks that the bundles of the working tree, which its types follow, are those of their tags.
    ///
    /// # Errors
    /// Returns those that differ or are gone.
    pub fn follows_what_was_released(&self) -> Result<(), Unread> {
        let root = root_here().filter(|_| self.name == Name::WorkingTree);
        let departures = root.map(|root| departures(&root)).unwrap_or_default();
        if departures.is_empty() {
            return Ok(());
        }
        let message = format!("the changes of {} cannot be compared", self.name);
        Err(Unread {
            outcome: Outcome::Findings,
            ..Unread::after(departures.into_values().collect(), message)
        })
    }

    /// Returns the bundles that the types follow.
    fn followed(&self, origin: &Origin) -> Result<Option<BundleChain>, Vec<Diagnostic>> {
        let version = self.set.bundle_version();
        let Some(version) = version.and_then(|version| version.parse().ok()) else {
            return Ok(None);
        };
        let folder = origin.root().join(config::FOLDER);
        BundleChain::up_to(&folder, &version, origin.files())
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

    /// Formats a span as `file#L12`, if it is in a file of the workspace.
    #[must_use]
    pub fn line(&self, span: Span) -> Option<String> {
        let file = self.sources.get(span.file).filter(|file| !file.foreign)?;
        Some(format!("{}#L{}", file.shown, file.line(span.start)?))
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
            Name::Revision(revision) => Origin::of_revision(revision)?,
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
        let unread = |error: &dyn fmt::Display| format!("the waivers of {}: {error}", self.name);
        let bytes = files.read(&path).map_err(|error| unread(&error))?;
        let text = String::from_utf8(bytes).map_err(|error| unread(&error))?;
        Ok(Some(text))
    }
}

/// Reads the set that a name stands for, and its folder if it is a released bundle.
fn read_set(
    name: &Name,
    built: &[String],
    sources: &Sources,
) -> Result<(PublishedCrds, Option<PathBuf>), Unread> {
    let origin = match name {
        Name::Path(path) => return on_disk(path),
        Name::WorkingTree => Origin::at_hand()?,
        Name::Revision(revision) => Origin::of_revision(revision)?,
    };
    Ok((crds_of_types(name, &origin, built, sources)?, None))
}
