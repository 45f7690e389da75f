//! A source of bundles: a folder, an archive, or a git repository or a registry, at a revision or with all tags.

use super::access::{Access, unfetched};
use super::archive;
use super::artifact;
use super::cache::Cache;
use super::location::{self, Location};
use super::one;
use super::origin::{Origin, Place, is_remote};
use crate::git::{Repository, VersionTag, of_project};
use crate::oci::Registry;
use crate::oci::address;
use crd_channels_diagnostics::shell;
use crd_channels_diagnostics::{Code, Diagnostic};
use crd_channels_files::{Memory, Read};
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_projection::channel::config::FOLDER;
use crd_channels_released::bundles::Released;
use crd_channels_released::digest::Digest;
use crd_channels_released::folder::Verified;
use crd_channels_released::manifest::{self, Manifest};
use crd_channels_signature::Key;
use semver::VersionReq;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::fmt::{self, Write as _};
use std::path::{Path, PathBuf};

/// An open source.
pub struct Source {
    origin: Origin,
    /// The cache that keeps fetched bundles.
    cache: Option<Cache>,
    /// The folder, or the revision.
    own: Location,
    /// The repository whose tags count: only if no revision was requested.
    tagged: Option<Tagged>,
}

/// A repository with tags.
enum Tagged {
    Git(Box<Repository>),
    Registry(Box<Registry>),
}

/// What tags name, after they were fetched.
enum Fetched<'s> {
    Git(&'s Repository),
    Registry(&'s Registry),
}

/// A verified bundle and its location.
pub struct LocatedBundle {
    /// The bundle.
    pub bundle: Verified,
    /// The origin to record in a lock.
    pub origin: Origin,
    location: Location,
    folder: PathBuf,
}

/// A bundle that a source offers, without its files.
pub struct OfferedBundle {
    /// Its version.
    pub version: BundleVersion,
    /// The tag that has it, unless the source itself has it.
    pub tag: Option<String>,
    /// Its manifest, or what is wrong with it.
    pub manifest: Result<Manifest, Vec<Diagnostic>>,
    /// Whether a signature is beside it.
    pub is_signed: bool,
}

impl LocatedBundle {
    /// Checks that the bundle is signed with a key. If its commit has no signature, the one that the default branch has counts:
    /// bundles may be signed after they were tagged.
    ///
    /// # Errors
    /// `bundle-unsigned`
    pub fn signed(&self, key: &Key, access: &Access) -> Result<(), Box<Diagnostic>> {
        let manifest = &self.bundle.manifest;
        let has_own = self
            .location
            .files()
            .is_file(&self.folder.join(manifest::SIGNATURE));
        if !has_own
            && let Some(later) = self.on_default_branch(access)
            && let Some(bundle) = later
                .bundles()
                .iter()
                .find(|it| it.version == manifest.version)
            && later
                .files()
                .is_file(&bundle.folder.join(manifest::SIGNATURE))
        {
            // It is a signature of this manifest, wherever it is.
            return key.check(manifest, &bundle.folder, later.files());
        }
        key.check(manifest, &self.folder, self.location.files())
    }

    /// Returns what the default branch of the bundle's repository has.
    fn on_default_branch(&self, access: &Access) -> Option<Location> {
        let Place::Git(name) = &self.origin.place else {
            return None;
        };
        let repository = access.repository(name, "HEAD").ok()?;
        let commit = repository.commit("HEAD").ok()?;
        let path = self.origin.path.as_deref();
        Location::in_git(name, path, &repository, commit).ok()
    }

    /// Returns the folder that contains the bundle and others; `None` if the location is this bundle alone.
    #[must_use]
    pub fn among(&self) -> Option<(&Path, &dyn Read)> {
        let all = self.folder.parent();
        let is_alone = self.location.is_archive() || self.location.is_bundle(&self.folder);
        let all = all.filter(|_| !is_alone);
        all.map(|all| (all, self.location.files()))
    }
}

impl Source {
    /// Opens a source. A commit in `origin` takes precedence over its revision.
    ///
    /// # Errors
    /// `bundle-missing` if the folder or the archive does not exist; `bundle-invalid` if the archive is none; `git-failed` and `revision-not-found` if git fails or lacks the revision.
    pub fn open(origin: Origin, access: &Access) -> Result<Self, Box<Diagnostic>> {
        let path = origin.path.as_deref();
        match &origin.place {
            Place::Folder(folder) => {
                let root = access.here.join(folder);
                if !root.is_dir() {
                    return Err(location::missing(
                        format!("`{folder}` is not a folder"),
                        "name a folder with bundles, an archive `NAME.tar.gz`, or a git repository as `git:PATH#REVISION` or by its URL",
                    ));
                }
                Ok(Self {
                    own: Location::on_disk(root, path),
                    origin,
                    cache: None,
                    tagged: None,
                })
            }
            Place::Archive(name) => Ok(Self {
                own: archive::open(name, path, access)?,
                cache: is_remote(name).then(|| access.cache.clone()),
                tagged: None,
                origin,
            }),
            Place::Oci(name) => Self::open_in_registry(&name.clone(), origin, access),
            Place::Git(name) => {
                let asked = origin.commit.as_ref().or(origin.revision.as_ref());
                let wanted = asked.map_or("HEAD", String::as_str);
                let repository = access.repository(name, wanted)?;
                let commit = repository.commit(wanted)?;
                Ok(Self {
                    own: Location::in_git(name, path, &repository, commit)?,
                    cache: repository.is_fetched().then(|| access.cache.clone()),
                    tagged: asked.is_none().then_some(Tagged::Git(Box::new(repository))),
                    origin,
                })
            }
        }
    }

    fn open_in_registry(
        name: &str,
        origin: Origin,
        access: &Access,
    ) -> Result<Self, Box<Diagnostic>> {
        if access.offline {
            let help = "remove `--offline`: the newest bundle is chosen from the current source";
            return Err(unfetched(name, help));
        }
        let parsed = address::parse(name);
        let (address, _) = parsed.map_err(|why| location::missing(why, address::FORM))?;
        let registry = Registry::open(&address, false)?;
        let asked = origin.digest.as_ref().or(origin.revision.as_ref());
        let path = origin.path.as_deref();
        let own = match asked {
            Some(asked) => artifact::open(&registry, name, asked, path)?,
            None => Location::in_memory(PathBuf::from(name), path, Memory::default()),
        };
        let tagged = asked.is_none();
        Ok(Self {
            own,
            cache: Some(access.cache.clone()),
            tagged: tagged.then(|| Tagged::Registry(Box::new(registry))),
            origin,
        })
    }

    /// Returns the newest bundle that matches a requirement, verified. Pre-releases count if the requirement names one.
    /// `command` returns that of the user with another path inside the source, for the help.
    ///
    /// # Errors
    /// `bundle-missing` if there is none; the errors in the bundle; `bundle-tampered` if a tag and the revision have different
    /// bundles of that version.
    pub fn newest(
        self,
        requirement: &VersionReq,
        command: Option<&dyn Fn(&str) -> String>,
    ) -> Result<LocatedBundle, Vec<Diagnostic>> {
        let all = self.own.bundles();
        let mut fit = all.iter().rev();
        let own = fit.find(|bundle| requirement.matches(bundle.version.semantic()));
        let least = own.map(|own| &own.version);
        let tagged = self.newest_tag(requirement, least).map_err(one)?;
        match (own, tagged) {
            (Some(own), Some((location, bundle))) if own.version == bundle.version => {
                let digest = location.manifest(&bundle)?.digest;
                if self.own.manifest(own)?.digest == digest {
                    let own = own.clone();
                    return self.found(None, own);
                }
                let message = format!(
                    "`{}` has two different bundles {}: one at the tag `{}`, the other without the tag",
                    self.origin.display_name(),
                    own.version,
                    location.tag.as_deref().unwrap_or_default()
                );
                let finding = Diagnostic::new(Code::BundleTampered, None, message);
                Err(vec![finding.with_help(
                    "ask its publisher: a released bundle never changes. `--revision` reads only one revision",
                )])
            }
            (_, Some((location, bundle))) => self.found(Some(location), bundle),
            (Some(own), None) => {
                let own = own.clone();
                self.found(None, own)
            }
            (None, None) => {
                self.alone(&all)?;
                Err(one(self.none(requirement, &all, command)))
            }
        }
    }

    /// Returns the bundle of the given version in the folder or the revision, verified.
    ///
    /// # Errors
    /// `bundle-missing` if there is none; the errors in the bundle.
    pub fn exactly(&self, version: &BundleVersion) -> Result<Verified, Vec<Diagnostic>> {
        let all = self.own.bundles();
        match all.iter().find(|bundle| bundle.version == *version) {
            Some(found) => self.read(&self.own, found),
            None => {
                self.alone(&all)?;
                Err(one(self.none(version, &all, None)))
            }
        }
    }

    /// Returns the version of the bundle in the folder or the revision whose manifest has a digest.
    #[must_use]
    pub fn version_of(&self, manifest: &Digest) -> Option<BundleVersion> {
        let all = self.own.bundles().into_iter();
        let mut with = all.filter(|bundle| {
            let read = self.own.manifest(bundle);
            read.is_ok_and(|read| read.digest.as_ref() == Some(manifest))
        });
        with.next().map(|bundle| bundle.version)
    }

    /// Returns the newest bundle at the tag of its version, among those that match a requirement and are not older than
    /// `least`.
    fn newest_tag(
        &self,
        requirement: &VersionReq,
        least: Option<&BundleVersion>,
    ) -> Result<Option<(Location, Released)>, Box<Diagnostic>> {
        let Some(tagged) = &self.tagged else {
            return Ok(None);
        };
        let mut tags = self.tags(tagged)?;
        tags.retain(|VersionTag { version, .. }| {
            requirement.matches(version.semantic()) && least.is_none_or(|least| version >= least)
        });
        // Nearly always the newest tag has its bundle. If not, for example for tags from before the first bundle, the others
        // are fetched at once.
        let newest = tags.first().map(|tag| tag.version.clone());
        let newest = tags.partition_point(|tag| Some(&tag.version) == newest.as_ref());
        let (newest, older) = tags.split_at(newest);
        for tags in [newest, older] {
            let fetched = tagged.fetch(tags)?;
            for tag in tags {
                let Some(place) = self.offered(&fetched, tag)? else {
                    continue;
                };
                let location = self.at(&fetched, place)?;
                let mut bundles = location.bundles().into_iter();
                if let Some(bundle) = bundles.find(|bundle| bundle.version == tag.version) {
                    return Ok(Some((location.tagged(&tag.name), bundle)));
                }
            }
        }
        Ok(None)
    }

    /// Returns the tags that may belong to the bundles, newest version first. Of one version, those that are named after the
    /// folder of the bundles come first.
    fn tags(&self, tagged: &Tagged) -> Result<Vec<VersionTag>, Box<Diagnostic>> {
        let repository = match tagged {
            Tagged::Git(repository) => repository,
            Tagged::Registry(registry) => return Ok(VersionTag::bare(registry.tags()?)),
        };
        let own = self.own.bundles();
        let all = repository.version_tags()?;
        let mut tags = of_project(all, own.iter().map(|bundle| &bundle.version));
        let path = self.origin.path.as_deref().unwrap_or_default();
        let name = path.rsplit('/').next().unwrap_or(path);
        let is_of_another = |tag: &VersionTag| {
            let prefix = tag.prefix().trim_end_matches(['-', '/', '_']);
            ![path, name].contains(&prefix)
        };
        tags.sort_by_cached_key(|tag| (Reverse(tag.version.clone()), is_of_another(tag)));
        Ok(tags)
    }

    /// Returns the commit of a tag, if it has the bundle that the tag is named after; or the digest of its artifact, if that may
    /// have a bundle.
    fn offered(
        &self,
        fetched: &Fetched<'_>,
        tag: &VersionTag,
    ) -> Result<Option<String>, Box<Diagnostic>> {
        match fetched {
            Fetched::Git(repository) => self.offered_commit(repository, tag),
            Fetched::Registry(registry) => artifact::digest(registry, &tag.name),
        }
    }

    /// Returns the commit of a tag, if it has the bundle that the tag is named after.
    fn offered_commit(
        &self,
        repository: &Repository,
        tag: &VersionTag,
    ) -> Result<Option<String>, Box<Diagnostic>> {
        let Some(commit) = repository.tagged(&tag.name)? else {
            return Ok(None);
        };
        let folder = self.origin.path.as_ref();
        let folder = folder.map_or_else(String::new, |path| format!("{path}/"));
        let manifest = |below: &str| {
            repository.object_at(&commit, &format!("{folder}{below}{}", manifest::FILE))
        };
        let version = &tag.version;
        for below in [format!("{FOLDER}/{version}/"), format!("{version}/")] {
            if manifest(&below)?.is_some() {
                return Ok(Some(commit));
            }
        }
        // The folder may be the bundle itself.
        let alone = manifest("")?;
        let is_alone = alone.is_some_and(|object| self.own.is_manifest_of(&object, version));
        Ok(is_alone.then_some(commit))
    }

    /// Returns the location in another commit or artifact.
    fn at(&self, fetched: &Fetched<'_>, place: String) -> Result<Location, Box<Diagnostic>> {
        let path = self.origin.path.as_deref();
        let name = self.origin.display_name();
        match fetched {
            Fetched::Git(repository) => Location::in_git(name, path, repository, place),
            Fetched::Registry(registry) => artifact::open(registry, name, &place, path),
        }
    }

    fn read(&self, location: &Location, bundle: &Released) -> Result<Verified, Vec<Diagnostic>> {
        let bundle = location.read(bundle)?;
        if let Some(cache) = &self.cache {
            cache.keep(&bundle);
        }
        Ok(bundle)
    }

    /// Returns a bundle at the location of a tag, or at the source's own.
    fn found(
        self,
        tagged: Option<Location>,
        bundle: Released,
    ) -> Result<LocatedBundle, Vec<Diagnostic>> {
        let verified = self.read(tagged.as_ref().unwrap_or(&self.own), &bundle)?;
        let location = tagged.unwrap_or(self.own);
        Ok(LocatedBundle {
            bundle: verified,
            origin: Origin {
                tag: location.tag.clone(),
                commit: location.commit.clone(),
                digest: location.digest.clone(),
                ..self.origin
            },
            location,
            folder: bundle.folder,
        })
    }

    /// Reports the errors of a single bundle, which are more helpful than that it does not match.
    fn alone(&self, all: &[Released]) -> Result<(), Vec<Diagnostic>> {
        match all {
            [only] if self.own.is_bundle(&only.folder) => self.own.read(only).map(|_| ()),
            _ => Ok(()),
        }
    }

    /// Returns the versions of all bundles that can be chosen.
    #[must_use]
    pub fn versions(&self) -> BTreeSet<BundleVersion> {
        let own = self.own.bundles().into_iter();
        let mut there: BTreeSet<BundleVersion> = own.map(|bundle| bundle.version).collect();
        if let Some(tagged) = &self.tagged
            && let Ok(tags) = self.tags(tagged)
            && let Ok(fetched) = tagged.fetch(&tags)
        {
            there.extend(self.offered_versions(&fetched, &tags));
        }
        there
    }

    /// Returns all bundles that can be chosen, newest first.
    ///
    /// # Errors
    /// `git-failed`
    pub fn offered_bundles(&self) -> Result<Vec<OfferedBundle>, Box<Diagnostic>> {
        let describe = |location: &Location, bundle: &Released| OfferedBundle {
            version: bundle.version.clone(),
            tag: location.tag.clone(),
            manifest: location.manifest(bundle),
            is_signed: location
                .files()
                .is_file(&bundle.folder.join(manifest::SIGNATURE)),
        };
        let own = self.own.bundles();
        let mut all: Vec<_> = own.iter().map(|it| describe(&self.own, it)).collect();
        if let Some(tagged) = &self.tagged {
            let tags = self.tags(tagged)?;
            let fetched = tagged.fetch(&tags)?;
            for tag in &tags {
                if all.iter().any(|known| known.version == tag.version) {
                    continue;
                }
                if let Some(place) = self.offered(&fetched, tag)? {
                    let location = self.at(&fetched, place)?.tagged(&tag.name);
                    let bundles = location.bundles();
                    let found = bundles.iter().find(|it| it.version == tag.version);
                    all.extend(found.map(|it| describe(&location, it)));
                }
            }
        }
        all.sort_by_cached_key(|bundle| Reverse(bundle.version.clone()));
        Ok(all)
    }

    /// Returns the versions of the tags that have the bundle that they are named after.
    fn offered_versions(
        &self,
        fetched: &Fetched<'_>,
        tags: &[VersionTag],
    ) -> impl Iterator<Item = BundleVersion> {
        let offered = tags.iter();
        let offered = offered.filter(|tag| matches!(self.offered(fetched, tag), Ok(Some(_))));
        offered.map(|tag| tag.version.clone())
    }

    /// The diagnostic for a source without the wanted bundle. Names only bundles that can be pinned.
    fn none(
        &self,
        wanted: &dyn fmt::Display,
        all: &[Released],
        command: Option<&dyn Fn(&str) -> String>,
    ) -> Box<Diagnostic> {
        let (mut there, mut elsewhere) = (BTreeSet::new(), self.own.elsewhere());
        there.extend(all.iter().map(|bundle| bundle.version.clone()));
        // What cannot be read now cannot be pinned either.
        if let Some(tagged) = &self.tagged
            && let Ok(tags) = self.tags(tagged)
            && let Ok(fetched) = tagged.fetch(&tags)
        {
            there.extend(self.offered_versions(&fetched, &tags));
            if there.is_empty() && elsewhere.is_empty() {
                let newest = tags.iter().find_map(|tag| fetched.place(tag));
                let newest = newest.and_then(|place| self.at(&fetched, place).ok());
                elsewhere = newest.map_or_else(Vec::new, |newest| newest.elsewhere());
            }
        }
        if let Place::Oci(name) = &self.origin.place
            && there.is_empty()
            && elsewhere.is_empty()
        {
            return location::missing(
                format!("`{name}` has no bundles: none of its tags is the version of one"),
                "name a repository that `crd-channels archive VERSION --push oci://REGISTRY/REPOSITORY` pushed to",
            );
        }
        let named: Vec<String> = elsewhere.iter().map(|path| format!("`{path}`")).collect();
        let wanted = wanted.to_string();
        let which = match wanted.as_str() {
            "*" => String::new(),
            wanted => format!(" `{wanted}`"),
        };
        let name = self.origin.display_name();
        let place = self.origin.path.as_ref();
        let place = place.map_or_else(String::new, |path| format!(" in its folder `{path}`"));
        if !there.is_empty() {
            let there: Vec<String> = there.iter().map(ToString::to_string).collect();
            let mut help = format!("available: {}", there.join(", "));
            if !elsewhere.is_empty() {
                let _ = write!(
                    help,
                    "; other folders with bundles, for `--path`: {}",
                    named.join(", ")
                );
            }
            return location::missing(format!("`{name}` has no bundle{which}{place}"), &help);
        }
        let place = match place.is_empty() {
            true => " at its top".to_owned(),
            false => place,
        };
        let message = format!("`{name}` has no bundles{place}");
        let options: Vec<String> = elsewhere
            .iter()
            .map(|path| format!("`--path {}`", shell::word(path)))
            .collect();
        match (elsewhere.as_slice(), command) {
            ([], _) => location::missing(
                message,
                "name a source with bundles in folders such as `channels/v0.1.0`; `--path` names a folder inside it",
            ),
            ([only], Some(command)) => location::missing(
                format!("{message}, only in `{only}`"),
                &format!("run `{}`", command(only)),
            ),
            _ => location::missing(
                format!("{message}, only in {}", named.join(", ")),
                &format!("name the folder: {}", options.join(" or ")),
            ),
        }
    }
}

impl Tagged {
    fn fetch(&self, tags: &[VersionTag]) -> Result<Fetched<'_>, Box<Diagnostic>> {
        match self {
            Self::Git(repository) => {
                let names: Vec<&str> = tags.iter().map(|tag| tag.name.as_str()).collect();
                repository.get_tags(&names)?;
                Ok(Fetched::Git(repository))
            }
            Self::Registry(registry) => Ok(Fetched::Registry(registry)),
        }
    }
}

impl Fetched<'_> {
    /// Returns what a tag names, whatever is there.
    fn place(&self, tag: &VersionTag) -> Option<String> {
        match self {
            Self::Git(repository) => repository.tagged(&tag.name).ok()?,
            Self::Registry(registry) => artifact::digest(registry, &tag.name).ok()?,
        }
    }
}
