//! A source of bundles: a folder, or a git repository at a revision or with all its tags.

use super::access::Access;
use super::cache::Cache;
use super::location::{self, Location};
use super::one;
use super::origin::Origin;
use crate::git::{Repository, VersionTag, of_project};
use crd_channels_diagnostics::{Code, Diagnostic};
use crd_channels_files::Read;
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_released::bundles::Released;
use crd_channels_released::digest::Digest;
use crd_channels_released::folder::Verified;
use crd_channels_signature::Key;
use semver::VersionReq;
use std::path::{Path, PathBuf};

/// An open source.
pub struct Source {
    origin: Origin,
    /// The cache that keeps fetched bundles.
    cache: Option<Cache>,
    /// The folder, or the revision.
    own: Location,
    /// The repository whose tags count: only if no revision was requested.
    tagged: Option<Repository>,
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

impl LocatedBundle {
    /// Checks that the bundle is signed with a key.
    ///
    /// # Errors
    /// `bundle-unsigned`
    pub fn signed(&self, key: &Key) -> Result<(), Box<Diagnostic>> {
        key.check(&self.bundle.manifest, &self.folder, self.location.files())
    }

    /// Returns the folder that contains the bundle and others; `None` if the location is this bundle alone.
    #[must_use]
    pub fn among(&self) -> Option<(&Path, &dyn Read)> {
        let all = self.folder.parent();
        let all = all.filter(|_| !self.location.is_bundle(&self.folder));
        all.map(|all| (all, self.location.files()))
    }
}

impl Source {
    /// Opens a source. A commit in `origin` takes precedence over its revision.
    ///
    /// # Errors
    /// `bundle-missing` if the folder does not exist; `git-failed` and `revision-not-found` if git fails or lacks the revision.
    pub fn open(origin: Origin, access: &Access) -> Result<Self, Box<Diagnostic>> {
        if let Some(folder) = &origin.folder {
            let root = access.here.join(folder);
            if !root.is_dir() {
                return Err(location::missing(
                    format!("`{folder}` is not a folder"),
                    "name a folder with bundles, or a git repository as `git:PATH#REVISION` or by its URL",
                ));
            }
            let own = Location::on_disk(root);
            return Ok(Self {
                origin,
                own,
                cache: None,
                tagged: None,
            });
        }
        let name = origin.git.clone().unwrap_or_default();
        let asked = origin.commit.as_ref().or(origin.revision.as_ref());
        let wanted = asked.map_or("HEAD", String::as_str);
        let repository = access.repository(&name, wanted)?;
        let commit = repository.commit(wanted)?;
        Ok(Self {
            own: Location::in_git(&name, &repository, commit)?,
            cache: repository.is_fetched().then(|| access.cache.clone()),
            tagged: asked.is_none().then_some(repository),
            origin,
        })
    }

    /// Returns the newest bundle that matches a requirement, verified. Pre-releases count if the requirement names one.
    ///
    /// # Errors
    /// `bundle-missing` if there is none; the errors in the bundle; `bundle-tampered` if a tag and the revision have different
    /// bundles of that version.
    pub fn newest(self, requirement: &VersionReq) -> Result<LocatedBundle, Vec<Diagnostic>> {
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
                Err(self.none(requirement))
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
                Err(self.none(version))
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
        let Some(repository) = &self.tagged else {
            return Ok(None);
        };
        let own = self.own.bundles();
        let all = repository.version_tags()?;
        let mut tags = of_project(all, own.iter().map(|bundle| &bundle.version));
        tags.retain(|VersionTag { version, .. }| {
            requirement.matches(version.semantic()) && least.is_none_or(|least| version >= least)
        });
        // Nearly always the newest tag has its bundle. If not, for example for tags from before the first bundle, the others
        // are fetched at once.
        let newest = tags.first().map(|tag| tag.version.clone());
        let newest = tags.partition_point(|tag| Some(&tag.version) == newest.as_ref());
        let (newest, older) = tags.split_at(newest);
        for tags in [newest, older] {
            let names: Vec<&str> = tags.iter().map(|tag| tag.name.as_str()).collect();
            repository.get_tags(&names)?;
            for tag in tags {
                if let Some(found) = self.at_tag(repository, tag)? {
                    return Ok(Some(found));
                }
            }
        }
        Ok(None)
    }

    /// Returns the bundle that a tag is named after, if its commit has it.
    fn at_tag(
        &self,
        repository: &Repository,
        tag: &VersionTag,
    ) -> Result<Option<(Location, Released)>, Box<Diagnostic>> {
        let Some(commit) = repository.tagged(&tag.name)? else {
            return Ok(None);
        };
        let location = Location::in_git(self.origin.display_name(), repository, commit)?;
        let mut bundles = location.bundles().into_iter();
        let bundle = bundles.find(|bundle| bundle.version == tag.version);
        Ok(bundle.map(|bundle| (location.tagged(&tag.name), bundle)))
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

    /// Returns the versions of all bundles that can be chosen, oldest first.
    #[must_use]
    pub fn versions(&self) -> Vec<BundleVersion> {
        let all = self.own.bundles();
        let mut there: Vec<BundleVersion> =
            all.iter().map(|bundle| bundle.version.clone()).collect();
        if let Some(repository) = &self.tagged {
            let tags = repository.version_tags().unwrap_or_default();
            let tags = of_project(tags, all.iter().map(|bundle| &bundle.version));
            there.extend(tags.into_iter().map(|tag| tag.version));
        }
        there.sort();
        there.dedup();
        there
    }

    fn none(&self, wanted: &dyn std::fmt::Display) -> Vec<Diagnostic> {
        let there = self.versions();
        let there: Vec<String> = there.iter().map(ToString::to_string).collect();
        let help = if there.is_empty() {
            "name a source with bundles in folders such as `channels/v0.1.0`".to_owned()
        } else {
            format!("available: {}", there.join(", "))
        };
        let wanted = wanted.to_string();
        let which = match wanted.as_str() {
            "*" => String::new(),
            wanted => format!(" `{wanted}`"),
        };
        let message = format!("`{}` has no bundle{which}", self.origin.display_name());
        vec![*location::missing(message, &help)]
    }
}
