//! Prepares a release: all decisions and files are made in memory before anything is written.

use super::candidate::{CheckedCandidate, Source};
use super::channel_crds::stamped;
use super::next_steps::Publication;
use super::output::Output;
use super::release_files::ReleaseFiles;
use super::tag_report::{TagReport, read_tags};
use super::tags::{self, Tags};
use super::{
    Request, components, graduation_notes, next_steps, or_report, rejection, tree_checks,
    uncommitted_changes, versions,
};
use crate::commands::archive;
use crate::commands::gen_crds::remind_of_unknown_minor;
use crate::commands::manifest as stated;
use crate::git::{self, Destination};
use crate::release::changelog;
use crate::release::contents::Component;
use crate::release::history::History;
use crate::release::other_lines;
use crate::release::version_choice::{Choice, choose};
use crd_channels_compat::Report;
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Sources, Text};
use crd_channels_files::{Disk, Plan};
use crd_channels_generator::pipeline::{self, Setup};
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_projection::channel::{self, Stamp};
use crd_channels_released::manifest::{self, Manifest};
use crd_channels_workspace as workspace;
use std::path::{Path, PathBuf};

/// A release, ready to be written unless errors were reported.
#[derive(Debug)]
pub struct Prepared {
    /// The version and the bundles that it follows.
    pub choice: Choice,
    /// The files to write.
    pub plan: Plan,
    /// The folder of generated files.
    pub generated: String,
    /// The workspace's root.
    pub root: PathBuf,
    /// The folder of the reference pages below it.
    pub reference_pages: Option<Text>,
    /// Its entry in the list of bundles.
    pub entry: String,
    /// Additional notes.
    pub notes: Vec<String>,
    /// The steps that a person takes next.
    pub next_steps: Vec<String>,
    /// The changes since the baseline; empty for a first bundle.
    pub report: Report,
}

/// The tree to release.
struct Tree<'a> {
    request: &'a Request,
    here: &'a Path,
    source: Source<'a>,
    /// The files that the kinds were read from.
    read: &'a [PathBuf],
    output: Output<'a>,
    history: &'a History,
    /// The version of the tree before the release.
    version: &'a BundleVersion,
    /// The tags of the git repository around the tree, which tell of other bundles; `None` if there is none.
    tags: Option<Tags>,
}

/// Reads, validates and builds. `None` if too little could be read to validate anything.
pub fn prepare(
    request: &Request,
    here: &Path,
    sources: &Sources,
    sink: &mut Sink,
) -> Option<Prepared> {
    let root = or_report(workspace::find_root(here), sink)?;
    let setup = pipeline::setup(&root, &Disk, sources, sink)?;
    remind_of_unknown_minor(&setup.config.bundle);
    let mut notes = Vec::new();
    let tags = match check_git(request, here, &root, &mut notes, sink) {
        true => Some(or_report(Tags::discover(&root), sink)?),
        false => None,
    };
    let history = read_history(&root, tags.as_ref(), sink)?;
    let (kinds, read) = pipeline::read_kinds_and_files(&setup, &Disk, sources, sink);
    if tags.is_some() {
        untracked(&setup, &root, sink);
    }
    let stamp = pipeline::stamp(&setup, pipeline::groups(&kinds), sink)?;
    let version = tree_version(&stamp, sink)?;
    let tree = Tree {
        request,
        here,
        source: Source {
            setup: &setup,
            kinds: &kinds,
            stamp: &stamp,
            sources,
        },
        read: &read,
        output: Output {
            root: &root,
            setup: &setup,
        },
        history: &history,
        version: &version,
        tags,
    };
    let choice = tree.check(&mut notes, sink)?;
    tree.release(choice, notes, sink)
}

impl Tree<'_> {
    /// Chooses the version and checks the tree. `None` if there is nothing to check further.
    fn check(&self, notes: &mut Vec<String>, sink: &mut Sink) -> Option<Choice> {
        let Source {
            setup,
            kinds,
            stamp,
            ..
        } = self.source;
        let bundles = self.history.bundles.keys();
        let choice = choose(&self.request.asked, self.version, bundles);
        // The checks that apply to a bundle apply to the one to be made.
        let version = choice
            .as_ref()
            .map_or(self.version, |choice| &choice.version);
        channel::check_stamp(
            &stamped(stamp, version),
            kinds,
            &setup.config.channels,
            sink,
        );
        let crds = tree_checks::checked_crds(self.source, self.output.root, notes, sink)?;
        let has_errors = sink.has_errors();
        tree_checks::reject_warnings(sink);
        let choice = or_report(choice.map_err(|finding| self.with_way_out(finding)), sink);
        if has_errors && kinds.is_empty() {
            return None;
        }
        tree_checks::check_files(self.source, &self.output, &crds, sink);
        choice
    }

    /// Returns the error about an impossible version with another help, if a bundle of the tree's line that git knows is not here.
    fn with_way_out(&self, finding: Box<Diagnostic>) -> Box<Diagnostic> {
        let tags = self.tags.as_ref();
        match tags.map(|tags| tags.latest_missing(self.version, self.history)) {
            Some(Ok(Some(missing))) => Box::new(other_lines::missing(&missing)),
            _ => finding,
        }
    }

    /// Validates the bundle against the earlier ones and makes its files.
    fn release(&self, choice: Choice, mut notes: Vec<String>, sink: &mut Sink) -> Option<Prepared> {
        let (choice, tag, destination) = self.check_tags(choice, &mut notes, sink)?;
        let components = self.components(sink)?;
        let checked = self.check_candidate(choice, &components, sink)?;
        let contents = or_report(checked.contents(&components), sink)?;
        notes.extend(contents.notes.iter().cloned());
        notes.extend(checked.report.notes.iter().cloned());
        let Source {
            setup,
            kinds,
            sources,
            ..
        } = self.source;
        if !sink.has_errors() {
            notes.extend(graduation_notes::notes(setup, kinds, sources));
        }
        let manifest = Manifest {
            sources: self.source_files(sink)?,
            ..checked.manifest(&contents, self.history)
        };
        let choice = &checked.choice;
        let entry = changelog::entry(
            &choice.version,
            choice.baseline.as_ref(),
            &checked.notes_report(),
            &manifest.tombstones,
            &checked.migrations,
        );
        let files = ReleaseFiles {
            request: self.request,
            here: self.here,
            source: self.source,
            output: &self.output,
            checked: &checked,
            tree: self.version,
        };
        let files = or_report(files.all(contents, &manifest, &entry), sink)?;
        if !sink.has_errors() {
            tree_checks::check_that_they_compile(setup, &mut notes, sink);
        }
        let published = versions::published(setup, self.output.root, &Disk);
        let (published, unpublished) = or_report(published, sink)?;
        notes.extend(unpublished);
        let publication = Publication {
            choice,
            tag: tag.as_deref(),
            destination: destination.as_ref(),
            published: &published,
        };
        notes.extend(publication.notes());
        let next_steps = publication.steps();
        let if_interrupted = next_steps::interrupted(&next_steps, &choice.version, self.request);
        Some(Prepared {
            plan: self
                .output
                .plan(format!("bundle {}", choice.version), files)
                .leaving(if_interrupted),
            generated: setup.config.bundle.output.to_string(),
            root: self.output.root.to_path_buf(),
            reference_pages: setup.config.bundle.reference_pages.clone(),
            next_steps,
            report: checked.report,
            choice: checked.choice,
            entry,
            notes,
        })
    }

    /// Considers the bundles of other lines. Returns the choice, which may follow one of them, the bundle's tag unless it is
    /// taken, and where the bundle is pushed to; `None` if other lines prevent the release, since it is then unknown which bundles to compare with.
    fn check_tags(
        &self,
        choice: Choice,
        notes: &mut Vec<String>,
        sink: &mut Sink,
    ) -> Option<(Choice, Option<String>, Option<Destination>)> {
        let Some(tags) = &self.tags else {
            let tag = choice.version.to_string();
            return Some((choice, Some(tag), None));
        };
        let report = self.tag_report(tags, &choice, sink)?;
        notes.extend(report.notes);
        if !report.faults.is_empty() {
            report.faults.into_iter().for_each(|fault| sink.push(fault));
            return None;
        }
        let choice = Choice {
            latest: choice.latest.max(report.latest),
            ..choice
        };
        Some((choice, report.tag, Some(report.destination)))
    }

    fn tag_report(&self, tags: &Tags, choice: &Choice, sink: &mut Sink) -> Option<TagReport> {
        let versions = (choice, self.version);
        or_report(read_tags(tags, self.request, versions, self.history), sink)
    }

    fn components(&self, sink: &mut Sink) -> Option<Vec<Component>> {
        let config = &self.source.setup.config;
        let read = components::read_components(config, self.output.root, &Disk).map_err(|why| {
            let finding = rejection(why, "write objects as for `kubectl apply`");
            Box::new(finding)
        });
        or_report(read, sink)
    }

    fn check_candidate(
        &self,
        choice: Choice,
        components: &[Component],
        sink: &mut Sink,
    ) -> Option<CheckedCandidate<'_>> {
        let chosen = choice.version.clone();
        let compared = components::compared(
            components,
            &self.source.setup.config,
            &self.source.stamp.prefix,
        );
        let checked = self.source.check_candidate(
            choice,
            &self.request.asked,
            self.history,
            (self.output.root, compared),
            sink,
        )?;
        // A snapshot's version may have been raised because of its changes.
        if let Some(tags) = self
            .tags
            .as_ref()
            .filter(|_| checked.choice.version != chosen)
        {
            let report = self.tag_report(tags, &checked.choice, sink)?;
            report.faults.into_iter().for_each(|fault| sink.push(fault));
        }
        Some(checked)
    }

    /// Returns the source files that the manifest lists.
    fn source_files(&self, sink: &mut Sink) -> Option<Vec<manifest::Source>> {
        let files = stated::sources(self.source.setup, self.read, &Disk).map_err(|why| {
            let help = "move every file of the types into its package";
            Box::new(rejection(why, help))
        });
        or_report(files, sink)
    }
}

/// Reports folders of CRDs of which git has nothing, so that the source of the bundle could not be read again.
fn untracked(setup: &Setup, root: &Path, sink: &mut Sink) {
    let folders = setup
        .config
        .channels
        .iter()
        .filter_map(|channel| channel.crds.as_ref());
    for folder in folders.filter(|folder| !git::is_tracked(root, &folder.value)) {
        let message = format!("git has none of the CRDs in `{}`", folder.value);
        let finding = Diagnostic::new(Code::UncleanTree, folder.span, message);
        sink.push(finding.with_help(
            "commit the folder; if git ignores it, let your generator write the CRDs elsewhere",
        ));
    }
}

/// Reports uncommitted changes, and an archive that would become one. Returns whether the tree is in a git repository.
fn check_git(
    request: &Request,
    here: &Path,
    root: &Path,
    notes: &mut Vec<String>,
    sink: &mut Sink,
) -> bool {
    match git::changes(root) {
        Ok(Some(changes)) => {
            let findings = uncommitted_changes::rejections(root, &changes).into_iter();
            findings.for_each(|finding| sink.push(finding));
            let output = request.archive.as_ref();
            let rejection = output.and_then(|output| archive::folder_rejection(root, here, output));
            rejection.into_iter().for_each(|finding| sink.push(finding));
            return true;
        }
        Ok(None) => notes.push(
            "this is not a git repository, so uncommitted changes are not detected".to_owned(),
        ),
        Err(finding) => sink.push(*finding),
    }
    false
}

/// Reads the released bundles, all of which have to be those of their tags: whatever is compared with another bundle has
/// another past.
fn read_history(root: &Path, tags: Option<&Tags>, sink: &mut Sink) -> Option<History> {
    let read = tags::history(root, None, tags);
    read.map_err(|findings| findings.into_iter().for_each(|finding| sink.push(finding)))
        .ok()
}

fn tree_version(stamp: &Stamp, sink: &mut Sink) -> Option<BundleVersion> {
    let version = stamp.version.parse();
    let version = version.map_err(|error| {
        let help = "give the tree a version such as `0.4.0-dev`";
        Box::new(rejection(error, help))
    });
    or_report(version, sink)
}
