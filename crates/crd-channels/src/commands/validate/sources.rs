//! Where CRDs come from: files, folders, archives, bundles, revisions, and what `bundle.lock` pins.

use super::crds::{Crd, CrdSource};
use crate::commands::check::files::is_template;
use crate::commands::pin::{access, locked};
use crate::consumer::access::Access;
use crate::consumer::one;
use crate::consumer::origin::{self, Place};
use crate::consumer::pinned::Pinned;
use crate::consumer::source::Source;
use crate::git::{Repository, Tree};
use crd_channels_diagnostics::{Code, Diagnostic, Sources};
use crd_channels_files::{Disk, Read, shown_path};
use crd_channels_released::documents;
use crd_channels_released::folder::{self, Verified};
use crd_channels_released::manifest::{self, Manifest};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use semver::VersionReq;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The prefix of a revision.
const REVISION: &str = "git:";

/// The channel that counts if none is named.
const STABLE: &str = "stable";

/// How CRDs are looked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lookup<'r> {
    /// The current folder.
    pub(crate) here: &'r Path,
    /// The channel whose CRDs count.
    pub(crate) channel: Option<&'r str>,
    /// Fetch nothing.
    pub(crate) offline: bool,
}

/// The files of a revision, as if it were checked out.
pub(crate) struct RevisionFiles {
    /// The files, below the top of the repository on disk.
    pub(crate) tree: Tree,
    /// The top of the repository.
    pub(crate) top: PathBuf,
    /// git reads objects while it exists.
    _repository: Repository,
}

impl RevisionFiles {
    /// Opens a revision of the repository around a folder.
    ///
    /// # Errors
    /// `git-failed`, `revision-not-found`
    pub(crate) fn open(here: &Path, revision: &str) -> Result<Self, Box<Diagnostic>> {
        let (repository, inside) = Repository::discover(here)?;
        let commit = repository.commit(revision)?;
        let depth = inside.split('/').filter(|name| !name.is_empty()).count();
        let top = here.ancestors().nth(depth).unwrap_or(here).to_path_buf();
        Ok(Self {
            tree: repository.tree(&commit, top.clone())?,
            top,
            _repository: repository,
        })
    }
}

impl Lookup<'_> {
    /// Reads the CRDs that an argument of `--crds` names.
    ///
    /// # Errors
    /// What cannot be read; the findings in a bundle; `channel-missing`
    pub(crate) fn named(self, name: &str) -> Result<CrdSource, Vec<Diagnostic>> {
        if let Some(revision) = name.strip_prefix(REVISION) {
            // As git writes a path of a revision.
            let (revision, inside) = revision.split_once(':').unwrap_or((revision, ""));
            let files = RevisionFiles::open(self.here, revision).map_err(one)?;
            let folder = files.top.join(inside);
            return self.in_folder(&folder, name, &files.tree);
        }
        let origin = origin::parse(name, None).map_err(|why| unreadable(&why))?;
        if !matches!(origin.place, Place::Folder(_)) {
            let source = Source::open(origin, &access(self.here, self.offline)).map_err(one)?;
            let newest = source.newest(&VersionReq::STAR, None)?;
            return self.of_bundle(&newest.bundle, name, None);
        }
        let folder = self.here.join(name);
        if !folder.exists() {
            let why = format!(
                "`{name}` does not exist; name a file, a folder, an archive or `git:REVISION:FOLDER` with CRDs"
            );
            return Err(unreadable(&why));
        }
        self.in_folder(&folder, name, &Disk)
    }

    /// Reads the CRDs in a folder or a file, which may be a released bundle.
    fn in_folder(
        self,
        folder: &Path,
        name: &str,
        files: &dyn Read,
    ) -> Result<CrdSource, Vec<Diagnostic>> {
        let manifest = files.read(&folder.join(manifest::FILE));
        if manifest.is_ok_and(|bytes| Manifest::is_ours(&bytes)) {
            return self.of_bundle(&folder::verify(folder, files)?, name, None);
        }
        let paths = match files.is_file(folder) {
            true => vec![folder.to_path_buf()],
            false => documents::yaml_and_json_files(folder, files),
        };
        let read = paths.par_iter().map(|path| {
            let shown = path.strip_prefix(self.here).unwrap_or(path);
            let shown = shown_path(shown);
            let text = files.read_text(path);
            let text = text.map_err(|error| format!("`{shown}` cannot be read: {error}"))?;
            if is_template(path, &text) {
                return Ok(Vec::new());
            }
            in_text(&text, &shown)
        });
        let read: Result<Vec<Vec<Crd>>, String> = read.collect();
        let crds = read.map_err(|why| unreadable(&why))?;
        let crds: Vec<Crd> = crds.into_iter().flatten().collect();
        if crds.is_empty() {
            return Err(unreadable(&format!("`{name}` has no CRDs")));
        }
        Ok(self.of_channel(crds, name))
    }

    /// Returns the CRDs of all channels of a bundle.
    pub(crate) fn of_bundle(
        self,
        bundle: &Verified,
        name: &str,
        pinned: Option<&str>,
    ) -> Result<CrdSource, Vec<Diagnostic>> {
        let Verified { manifest, files } = bundle;
        let manifest = Arc::new(manifest.clone());
        let mut crds = Vec::new();
        for channel in &manifest.channels {
            let folder = format!("{}/crds/", channel.name);
            for (path, bytes) in files.iter().filter(|(path, _)| path.starts_with(&folder)) {
                let shown = format!("{path} of {name}");
                let text = String::from_utf8_lossy(bytes);
                let found = in_text(&text, &shown).map_err(|why| unreadable(&why))?;
                crds.extend(
                    found
                        .into_iter()
                        .map(|crd| crd.of_channel(&channel.name, Some(&manifest))),
                );
            }
        }
        let own = Lookup {
            channel: self.channel.or(pinned),
            ..self
        };
        Ok(own.of_channel(crds, name))
    }

    /// Decides which channel of some CRDs counts.
    fn of_channel(self, crds: Vec<Crd>, name: &str) -> CrdSource {
        let channels: BTreeSet<&str> = crds
            .iter()
            .filter_map(|crd| crd.channel.as_deref())
            .collect();
        let only = (channels.len() == 1)
            .then(|| channels.first().copied())
            .flatten();
        let asked = self.channel.filter(|it| channels.contains(it));
        let wanted = asked.or_else(|| channels.get(STABLE).copied()).or(only);
        let missing = match self.channel {
            _ if channels.is_empty() => None,
            Some(channel) if asked.is_none() => {
                Some(format!("`{name}` has no channel `{channel}`"))
            }
            None if wanted.is_none() => Some(format!(
                "`{name}` has several channels, and none is called `{STABLE}`"
            )),
            _ => None,
        };
        let missing = missing.map(|message| {
            let names: Vec<&str> = channels.iter().copied().collect();
            let help = format!("name one with `--channel`: `{}`", names.join("`, `"));
            Diagnostic::new(Code::ChannelMissing, None, message).with_help(help)
        });
        let channel = wanted.map(str::to_owned);
        CrdSource {
            crds,
            channel,
            missing,
        }
    }

    /// Reads the CRDs of every bundle in `bundle.lock`. Returns `None` without a lock.
    ///
    /// # Errors
    /// Those of the lock, and of a bundle that is neither in its folder nor can be fetched.
    pub(crate) fn pinned(
        self,
        sources: &Sources,
    ) -> Result<Option<Vec<CrdSource>>, Vec<Diagnostic>> {
        let Some(lock) = locked(self.here, sources)? else {
            return Ok(None);
        };
        let bundles = lock.bundles.iter();
        bundles
            .map(|pinned| self.of_pinned(pinned))
            .collect::<Result<_, _>>()
            .map(Some)
    }

    /// Takes a pinned bundle from the cache or from the disk if it is there, for its manifest says more than the vendored CRDs;
    /// otherwise the vendored CRDs, and only without these fetches it.
    pub(crate) fn of_pinned(self, pinned: &Pinned) -> Result<CrdSource, Vec<Diagnostic>> {
        let name = format!("{} {}", pinned.name, pinned.version);
        let open = |access: Access| -> Result<CrdSource, Vec<Diagnostic>> {
            let bundle = access.open_pinned(pinned)?;
            self.of_bundle(&bundle, &name, Some(&pinned.channel))
        };
        let at_hand = open(access(self.here, true));
        if at_hand.is_ok()
            || self
                .channel
                .is_some_and(|channel| channel != pinned.channel)
        {
            return match at_hand {
                Err(_) if !self.offline => open(access(self.here, false)),
                known => known,
            };
        }
        let folder = self.here.join(&pinned.folder);
        let stale = pinned.stale(&folder, &Disk);
        if pinned
            .part("crds")
            .any(|(file, _)| stale.contains_key(file))
        {
            return open(access(self.here, self.offline));
        }
        let mut crds = Vec::new();
        for (file, _) in pinned.part("crds") {
            let shown = format!("{}/{file}", pinned.folder);
            let text = Disk
                .read_text(&folder.join(file))
                .map_err(|error| unreadable(&format!("`{shown}` cannot be read: {error}")))?;
            let found = in_text(&text, &shown).map_err(|why| unreadable(&why))?;
            crds.extend(
                found
                    .into_iter()
                    .map(|crd| crd.of_channel(&pinned.channel, None)),
            );
        }
        Ok(CrdSource {
            crds,
            channel: Some(pinned.channel.clone()),
            missing: None,
        })
    }
}

/// Reads the CRDs of a text.
///
/// # Errors
/// What is wrong with it, in one line.
fn in_text(text: &str, file: &str) -> Result<Vec<Crd>, String> {
    let mut crds = Vec::new();
    each_crd(text, file, |crd| crds.push(crd)).map_err(|why| format!("`{file}`: {why}"))?;
    crds.into_iter().collect()
}

/// Hands over the CRDs of a text, or why one of them cannot be read.
///
/// # Errors
/// Why the text cannot be read.
pub(crate) fn each_crd(
    text: &str,
    file: &str,
    mut deliver: impl FnMut(Result<Crd, String>),
) -> Result<(), String> {
    // Other documents need not be read.
    if !text.contains("CustomResourceDefinition") {
        return Ok(());
    }
    documents::each(text, |document| {
        if let Some(crd) = Crd::read(document, file).transpose() {
            deliver(crd);
        }
    })
}

fn unreadable(why: &str) -> Vec<Diagnostic> {
    vec![Diagnostic::new(Code::UnreadableFile, None, why)]
}
