//! The meaning of git's tags for a release: bundles of other lines, and whether the bundle's own tag is free.

use super::Request;
use super::tags::Tags;
use crate::git::{Destination, Upstream, VersionTag};
use crate::release::history::History;
use crate::release::other_lines::{Tagged, concerns, rejections};
use crate::release::version_choice::{Choice, RequestedVersion, choose};
use crd_channels_diagnostics::Diagnostic;
use crd_channels_diagnostics::report::counted;
use crd_channels_projection::bundle::version::BundleVersion;

/// What may stand before the version in the name of a tag that is free.
const PREFIXES: [&str; 3] = ["crds-", "api-", "bundle-"];

/// The findings about the tags.
#[derive(Debug)]
pub struct TagReport {
    /// The errors that prevent the release.
    pub faults: Vec<Diagnostic>,
    /// Additional notes.
    pub notes: Vec<String>,
    /// The bundle's future tag; `None` if the name is taken.
    pub tag: Option<String>,
    /// Where it is pushed to.
    pub destination: Destination,
    /// The latest final bundle that has a tag, unless the tree has it.
    pub latest: Option<BundleVersion>,
}

/// The bundles of other lines.
struct Others<'a> {
    tags: &'a Tags,
    /// The branch that this one follows.
    upstream: Option<Upstream>,
    /// The tags of versions that the tree lacks.
    all: Vec<VersionTag>,
}

/// Says what the tags of the repository around the workspace, on any branch, mean for a release. `tree` is the version of the tree.
///
/// # Errors
/// `git-failed`
pub fn read_tags(
    tags: &Tags,
    request: &Request,
    (choice, tree): (&Choice, &BundleVersion),
    history: &History,
) -> Result<TagReport, Box<Diagnostic>> {
    let bundles = || history.bundles.keys();
    let own = tags.of_project(bundles());
    let mut notes: Vec<String> = untagged(history, &own).into_iter().collect();
    // The commit of a tag decides whether it is this project's; the tags of another line may have another prefix.
    let mut all = tags.all().to_vec();
    all.retain(|tag| !history.bundles.contains_key(&tag.version));
    let others = Others {
        tags,
        upstream: tags.repository.upstream()?,
        all,
    };
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
    if let Some((why, fetch)) = tags.repository.missing_tags()? {
        notes.push(format!(
            "{why}, so tags of bundles may be missing here; `{fetch}` fetches them"
        ));
    }
    let faults = match tags.raced()? {
        Some(raced) => vec![raced],
        None => rejections(choice, &found, patch.as_ref()),
    };
    if let Some(upstream) = others.upstream.as_ref().filter(|_| faults.is_empty()) {
        let missing = tags.repository.behind(upstream)?;
        if missing > 0 {
            notes.push(format!(
                "`{}` has {} that this branch lacks, so git will reject the push: run `{}`, and release again",
                upstream.name,
                counted(missing, "commit"),
                upstream.pull
            ));
        }
    }
    Ok(TagReport {
        faults,
        destination: tags.repository.destination()?,
        notes,
        tag: is_free.then_some(own),
        latest: others.latest()?,
    })
}

impl Others<'_> {
    /// Returns the bundles that concern the release, oldest first.
    fn concerning(
        &self,
        choice: &Choice,
        asked: &RequestedVersion,
    ) -> Result<Vec<Tagged>, Box<Diagnostic>> {
        let mut found: Vec<Tagged> = Vec::new();
        for tag in &self.all {
            // A snapshot promises nothing, so it may omit the changes of other lines.
            let concerns = match asked {
                RequestedVersion::Snapshot(_) => tag.version == choice.version,
                _ => concerns(choice, &tag.version),
            };
            let is_known = found.iter().any(|other| other.version == tag.version);
            if concerns
                && !is_known
                && let Some(mut tagged) = self.tags.bundle(tag)?
            {
                tagged.pull = self.pull(tag)?;
                found.push(tagged);
            }
        }
        found.reverse();
        Ok(found)
    }

    /// Returns the command that gets the bundle of a tag, if the upstream of this branch has it.
    fn pull(&self, tag: &VersionTag) -> Result<Option<String>, Box<Diagnostic>> {
        let repository = &self.tags.repository;
        let Some(upstream) = &self.upstream else {
            return Ok(None);
        };
        let commit = repository.tagged(&tag.name)?.unwrap_or_default();
        let is_there = repository.is_part_of(&commit, &upstream.commit)?;
        Ok(is_there.then(|| upstream.pull.clone()))
    }

    /// Returns the latest final bundle.
    fn latest(&self) -> Result<Option<BundleVersion>, Box<Diagnostic>> {
        for tag in self.all.iter().filter(|tag| tag.version.is_final()) {
            if let Some(tagged) = self.tags.bundle(tag)? {
                return Ok(Some(tagged.version));
            }
        }
        Ok(None)
    }

    /// Returns a note if the tag exists but its commit lacks the bundle with that name.
    fn occupied(&self, name: &str) -> Result<Option<String>, Box<Diagnostic>> {
        let Some(tag) = self.all.iter().find(|tag| tag.name == name) else {
            return Ok(None);
        };
        let what = match self.tags.repository.tagged(name)? {
            Some(_) => "a commit without this bundle",
            None => "no commit",
        };
        let is_free = |name: &String| !self.all.iter().any(|tag| tag.name == *name);
        let prefixes = PREFIXES.iter();
        let other = prefixes.map(|prefix| format!("{prefix}{}", tag.version));
        let other = other.chain(PREFIXES.iter().map(|prefix| format!("{prefix}{name}")));
        let other = other
            .filter(is_free)
            .map(|other| format!(", such as `{other}`"));
        let other = other.take(1).collect::<String>();
        Ok(Some(format!(
            "the tag `{name}` already exists and names {what}; give the bundle another tag{other}"
        )))
    }
}

/// Returns a note if the latest bundle has no tag although others have: a release may have been left unfinished.
fn untagged(history: &History, tags: &[VersionTag]) -> Option<String> {
    let is_tagged = |version: &&BundleVersion| tags.iter().any(|tag| tag.version == **version);
    let mut finals = history.bundles.keys().filter(|version| version.is_final());
    let last = finals.next_back()?;
    let others = finals.any(|version| is_tagged(&version));
    (others && !is_tagged(&last)).then(|| {
        format!("{last} has no tag in this clone: if it is released, tag the commit that made it")
    })
}
