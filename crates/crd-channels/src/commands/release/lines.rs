//! What git's tags tell of a release: bundles of other lines, and whether the bundle's own tag is free.

use super::Request;
use super::tags::Tags;
use crate::git::VersionTag;
use crate::release::choice::{Choice, RequestedVersion, choose};
use crate::release::elsewhere::{Tagged, concerns, refusals};
use crate::release::history::History;
use crd_channels_diagnostics::Diagnostic;
use crd_channels_projection::bundle::version::BundleVersion;
use std::path::Path;

/// What the tags mean for the release.
#[derive(Debug)]
pub struct TagReport {
    /// What is in the way.
    pub faults: Vec<Diagnostic>,
    /// What is to be said besides.
    pub notes: Vec<String>,
    /// The tag that the bundle is to have; none where something else has it.
    pub tag: Option<String>,
    /// The latest final bundle that has a tag, where the tree does not have it.
    pub latest: Option<BundleVersion>,
}

/// The bundles of other lines.
struct Others<'a> {
    tags: &'a Tags,
    /// The tags of versions that the tree does not have.
    all: Vec<VersionTag>,
}

/// Reads the tags of the repository around the workspace, on whatever branch they are. `tree` is the version of the tree.
///
/// # Errors
/// `git-failed`
pub fn read_tags(
    root: &Path,
    request: &Request,
    (choice, tree): (&Choice, &BundleVersion),
    history: &History,
) -> Result<TagReport, Box<Diagnostic>> {
    let tags = Tags::discover(root)?;
    let bundles = || history.bundles.keys();
    let own = tags.of_project(bundles());
    let mut notes: Vec<String> = untagged(history, &own).into_iter().collect();
    // The commit of a tag tells whether it is this project's; another line may put something else before the version.
    let mut all = tags.all().to_vec();
    all.retain(|tag| !history.bundles.contains_key(&tag.version));
    let others = Others { tags: &tags, all };
    let found = others.concerning(choice, &request.asked)?;
    let patch = choose(&RequestedVersion::Patch, tree, bundles()).ok();
    let patch = match patch.filter(|patch| patch.version != choice.version) {
        Some(patch)
            if others
                .concerning(&patch, &RequestedVersion::Patch)?
                .is_empty() =>
        {
            Some(patch.version)
        }
        _ => None,
    };
    let own = format!("{}{}", tags.form(bundles().rev())?, choice.version);
    let occupied = match found.iter().any(|other| other.tag == own) {
        true => None,
        false => others.occupied(&own)?,
    };
    let is_free = occupied.is_none();
    notes.extend(occupied);
    if tags.repository.has_remotes()? {
        notes.push(
            "taken versions were read from the tags of this clone; `git fetch --tags` fetches those of others"
                .to_owned(),
        );
    }
    Ok(TagReport {
        faults: refusals(choice, &found, patch.as_ref()),
        notes,
        tag: is_free.then_some(own),
        latest: others.latest()?,
    })
}

impl Others<'_> {
    /// Those that a release has to answer to, the oldest first.
    fn concerning(
        &self,
        choice: &Choice,
        asked: &RequestedVersion,
    ) -> Result<Vec<Tagged>, Box<Diagnostic>> {
        let mut found: Vec<Tagged> = Vec::new();
        for tag in &self.all {
            // A snapshot promises nothing, so it may leave out what others released.
            let concerns = match asked {
                RequestedVersion::Snapshot(_) => tag.version == choice.version,
                _ => concerns(choice, &tag.version),
            };
            let is_known = found.iter().any(|other| other.version == tag.version);
            if concerns && !is_known {
                found.extend(self.tags.bundle(tag)?);
            }
        }
        found.reverse();
        Ok(found)
    }

    /// The latest final one.
    fn latest(&self) -> Result<Option<BundleVersion>, Box<Diagnostic>> {
        for tag in self.all.iter().filter(|tag| tag.version.is_final()) {
            if let Some(tagged) = self.tags.bundle(tag)? {
                return Ok(Some(tagged.version));
            }
        }
        Ok(None)
    }

    /// What is to be said where a tag is there and names something else than the bundle that it is called like.
    fn occupied(&self, name: &str) -> Result<Option<String>, Box<Diagnostic>> {
        let Some(tag) = self.all.iter().find(|tag| tag.name == name) else {
            return Ok(None);
        };
        let what = match self.tags.repository.tagged(name)? {
            Some(_) => "a commit without this bundle",
            None => "no commit",
        };
        Ok(Some(format!(
            "the tag `{name}` already exists and names {what}; give the bundle another tag, such as `crds-{}`",
            tag.version
        )))
    }
}

/// Where bundles have tags, and the latest does not, somebody may have stopped between two steps.
fn untagged(history: &History, tags: &[VersionTag]) -> Option<String> {
    let is_tagged = |version: &&BundleVersion| tags.iter().any(|tag| tag.version == **version);
    let mut finals = history.bundles.keys().filter(|version| version.is_final());
    let last = finals.next_back()?;
    let others = finals.any(|version| is_tagged(&version));
    (others && !is_tagged(&last)).then(|| {
        format!("{last} has no tag in this clone: if it is released, tag the commit that made it")
    })
}
