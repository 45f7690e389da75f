//! `start-next`: sets the next `-dev` version, the second step of a release.

use super::reference::write::refresh;
use super::release::output::Output;
use super::release::tags::{Tag, Tags, tag_for};
use super::release::{channel_crds, uncommitted_changes, versions};
use super::{Outcome, interrupted, root, say_with_summary};
use crate::git;
use crate::release::version_choice::following;
use crd_channels_diagnostics::report::{Format, counted};
use crd_channels_diagnostics::{Code, Diagnostic, Severity, Sink, Sources};
use crd_channels_files::Disk;
use crd_channels_generator::pipeline;
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_projection::channel::config::FOLDER;
use crd_channels_released::bundles;

/// Runs the command in the current folder's workspace.
#[must_use]
pub fn run() -> Outcome {
    let sources = Sources::default();
    let mut sink = Sink::default();
    let done = start(&sources, &mut sink);
    let findings = sink.into_diagnostics();
    say_with_summary(&findings, &sources, Format::Human);
    match done {
        Some(done) => {
            status!("{done}");
            Outcome::of(&findings)
        }
        None => Outcome::of_failed(&findings),
    }
}

/// Sets the version. Returns a summary; `None` if nothing was changed.
fn start(sources: &Sources, sink: &mut Sink) -> Option<String> {
    let root = root(sink)?;
    let setup = pipeline::setup(&root, &Disk, sources, sink)?;
    let kinds = pipeline::read_kinds(&setup, &Disk, sources, sink);
    let stamp = pipeline::stamp(&setup, pipeline::groups(&kinds), sink)?;
    let tree = stamp.version.parse::<BundleVersion>();
    let tree = tree.map_err(|why| {
        sink.push(rejection(
            why,
            "give the tree a version such as `0.4.0-dev`",
        ))
    });
    let tree = tree.ok()?;
    let released = bundles::all(&root.join(FOLDER), &Disk);
    let released: Vec<BundleVersion> = released.into_iter().map(|bundle| bundle.version).collect();
    if !released.contains(&tree) {
        if tree.is_final() {
            let help = format!("run `crd-channels release {}` first", tree.semantic());
            sink.push(rejection(
                format!("{tree} is not released yet, so there is no next version"),
                help,
            ));
            return None;
        }
        return Some(format!(
            "the tree is at {tree}, which is not released: nothing to do"
        ));
    }
    // A bundle's tag names the commit that adds it, so that commit has to come first.
    match git::changes(&root) {
        Ok(Some(_)) if !git::committed(&root, FOLDER).contains(&tree.to_string()) => {
            let message = format!("{tree} is written but not committed");
            let finding = Diagnostic::new(Code::UncleanTree, None, message);
            sink.push(finding.with_help(uncommitted_changes::how_to_finish(&root, &tree)));
            return None;
        }
        Ok(None) => {}
        Ok(Some(_)) => {
            // The push of the release was refused, and `git fetch` got the bundle of a colleague.
            let raced = Tags::discover(&root).and_then(|tags| tags.raced());
            if let Some(finding) = raced.unwrap_or_else(|failure| Some(*failure)) {
                sink.push(finding);
                return None;
            }
            if let (Tag::ToBe(tag), false) = (tag_for(&root, &tree), tree.is_snapshot()) {
                note!("{tree} has no tag yet: run `git tag {tag}` before you commit");
            }
        }
        Err(finding) => {
            sink.push(*finding);
            return None;
        }
    }
    let next = following(&tree, released.iter());
    let stamp = channel_crds::stamped(&stamp, &next);
    let mut found = Sink::default();
    let crds = channel_crds::crds(&setup, &kinds, &stamp, sources, &mut found);
    // `gen-crds` reports the warnings.
    let errors = found.into_diagnostics().into_iter();
    let errors = errors.filter(|finding| finding.severity() == Severity::Error);
    errors.for_each(|finding| sink.push(finding));
    if sink.has_errors() {
        return None;
    }
    let output = Output {
        root: &root,
        setup: &setup,
    };
    let mut files = output.with_constants(&crds, &kinds, &stamp);
    let versions = versions::set(&setup, &root, &next, &Disk);
    files.extend(versions.map_err(|finding| sink.push(*finding)).ok()?);
    let applied = interrupted::apply(&output.plan(format!("version {next}"), files));
    let applied = applied.map_err(|finding| sink.push(*finding)).ok()?;
    // They call what the tree has by the bundle, which from now on is the one before.
    let folder = setup.config.bundle.reference_pages.as_deref();
    if let Err(findings) = refresh(&root, folder) {
        findings.into_iter().for_each(|finding| sink.push(finding));
    }
    Some(format!(
        "{} written: the tree is now at {next}\nnext steps:\n  git add --all && git commit --message 'Start {next}'",
        counted(applied.created.len() + applied.replaced.len(), "file")
    ))
}

fn rejection(message: String, help: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::ReleaseVersion, None, message).with_help(help)
}
