//! Prepares a release: all decisions and files are made in memory before anything is written.

use super::candidate::Source;
use super::made::{channels, crds, generated, stamped};
use super::output::Output;
use super::unclean::unclean;
use super::{Request, components, left, lines, outlook, refused, taken, versions};
use crate::commands::archive;
use crate::commands::baseline::{self, Baseline as Warnings};
use crate::commands::examples;
use crate::commands::gen_crds::CRDS;
use crate::commands::manifest as stated;
use crate::commands::released_version;
use crate::commands::warned::without_seen;
use crate::git;
use crate::release::changelog;
use crate::release::choice::{Choice, choose};
use crate::release::history::History;
use crd_channels_compat::Report;
use crd_channels_diagnostics::report::counted;
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Sources, once_each};
use crd_channels_files::{Disk, Plan};
use crd_channels_generator::pipeline;
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_projection::channel;
use crd_channels_projection::channel::config::FOLDER;
use crd_channels_released::folder::ATTRIBUTES;
use crd_channels_released::manifest::{self, Manifest};
use crd_channels_signature as signature;
use crd_channels_workspace as workspace;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A release, ready to be written unless errors were reported.
#[derive(Debug)]
pub struct Prepared {
    /// The version and the bundles that it follows.
    pub choice: Choice,
    /// The files to write.
    pub plan: Plan,
    /// Its entry in the list of bundles.
    pub entry: String,
    /// Additional notes.
    pub notes: Vec<String>,
    /// The steps that a person takes next.
    pub left: Vec<String>,
    /// The changes since the baseline; empty for a first bundle.
    pub report: Report,
}

/// Reads, validates and builds. `None` if too little could be read to validate anything.
pub fn prepare(
    request: &Request,
    here: &Path,
    sources: &Sources,
    sink: &mut Sink,
) -> Option<Prepared> {
    let root = taken(workspace::find_root(here), sink)?;
    let mut notes = Vec::new();
    let mut found = Sink::default();
    let Some(setup) = pipeline::setup(&root, &Disk, sources, &mut found) else {
        sink.append(found);
        return None;
    };
    sink.append(found);
    let mut has_git = false;
    match git::changes(&root) {
        Ok(Some(changes)) => {
            has_git = true;
            let findings = unclean(&root, &changes).into_iter();
            findings.for_each(|finding| sink.push(finding));
            let output = request.archive.as_ref();
            let refused = output.and_then(|output| archive::folder_refusal(&root, here, output));
            refused.into_iter().for_each(|finding| sink.push(finding));
        }
        Ok(None) => notes.push(
            "this is not a git repository, so uncommitted changes are not detected".to_owned(),
        ),
        Err(finding) => sink.push(*finding),
    }
    let history = match History::read(&root.join(FOLDER), &Disk) {
        Ok(history) => history,
        Err(findings) => {
            findings.into_iter().for_each(|finding| sink.push(finding));
            return None;
        }
    };
    let graph = pipeline::graph(&setup, &Disk, sources, sink)?;
    let kinds = pipeline::kinds(&setup, &graph, sink);
    let stamp = pipeline::stamp(&setup, pipeline::groups(&kinds), sink)?;
    let tree: BundleVersion = match stamp.version.parse() {
        Ok(version) => version,
        Err(error) => {
            sink.push(refused(
                error,
                "give the tree a version such as `0.4.0-dev`",
            ));
            return None;
        }
    };
    let choice = choose(&request.asked, &tree, history.bundles.keys());
    // The checks that apply to a bundle apply to the one to be made.
    let now = choice.as_ref().map_or(&tree, |choice| &choice.version);
    channel::check_stamp(&stamped(&stamp, now), &kinds, &setup.config.channels, sink);
    let source = Source {
        setup: &setup,
        kinds: &kinds,
        stamp: &stamp,
        sources,
    };
    let mut found = Sink::default();
    let now = crds(&setup, &kinds, &stamp, sources, &mut found);
    let unseen = without_seen(found.into_diagnostics(), &root);
    let known = taken(Warnings::read(&root), sink)?;
    let (found, lints) = without_known_lints(unseen, &known, sources);
    let has_errors = found.has_errors() || sink.has_errors();
    if lints > 0 {
        notes.push(format!(
            "{} in `{}`",
            counted(lints, "warning"),
            baseline::display_path()
        ));
    }
    sink.append(found);
    let warned = sink.diagnostics().iter();
    let warned = warned.filter(|finding| is_in_the_way(finding)).cloned();
    // Counts what is shown: a finding of all channels is one.
    let warned = once_each(warned.collect()).len();
    if warned > 0 {
        let are = if warned == 1 { "is" } else { "are" };
        let message = format!("{} {are} blocking the release", counted(warned, "warning"));
        sink.push(
            Diagnostic::new(Code::ReleaseRefused, None, message).with_help(
                "fix them; lints to keep can be recorded as known with `crd-channels gen-crds --write-baseline`",
            ),
        );
    }
    let choice = taken(choice, sink);
    if has_errors && kinds.is_empty() {
        return None;
    }
    let output = Output {
        root: &root,
        setup: &setup,
    };
    let texts = generated(&now);
    let crds = examples::Crds {
        texts: &texts,
        kept: &BTreeSet::new(),
        output: &root,
        channels: &channels(&setup),
        memory: None,
    };
    let page = examples::check(&setup, crds, sources, sink);
    let published = released_version::GeneratedCrds {
        texts: crds.texts,
        kept: crds.kept,
        channels: crds.channels,
    };
    match released_version::refusal(&setup, published, &Disk) {
        Some(finding) => sink.push(finding),
        None => {
            let mut now = output.with_constants(&now, &kinds, &stamp);
            now.extend(page);
            stale(&output, &now, sink);
        }
    }
    let mut choice = choice?;
    let asked = choice.version.clone();
    let mut tag = Some(asked.to_string());
    if has_git {
        let told = taken(
            lines::read_tags(&root, request, (&choice, &tree), &history),
            sink,
        )?;
        notes.extend(told.notes);
        tag = told.tag;
        choice.latest = choice.latest.max(told.latest);
        if !told.faults.is_empty() {
            // It is unknown which bundles to compare with.
            told.faults.into_iter().for_each(|fault| sink.push(fault));
            return None;
        }
    }
    let read = components::read(&setup.config.bundle, &root, &Disk);
    let components = taken(
        read.map_err(|why| Box::new(refused(why, "write objects as for `kubectl apply`"))),
        sink,
    )?;
    let besides = components::compared(&components, &stamp.prefix);
    let checked =
        source.check_candidate(choice, &request.asked, &history, (&root, besides), sink)?;
    // A snapshot's version may have been raised because of its changes.
    if has_git && checked.choice.version != asked {
        let told = taken(
            lines::read_tags(&root, request, (&checked.choice, &tree), &history),
            sink,
        )?;
        told.faults.into_iter().for_each(|fault| sink.push(fault));
    }
    let made = taken(checked.contents(&components), sink)?;
    notes.extend(made.notes.iter().cloned());
    notes.extend(checked.report.notes.iter().cloned());
    if !sink.has_errors() {
        notes.extend(outlook::notes(&setup, &kinds, sources));
    }
    let sources = match stated::sources(&setup, &graph, &Disk) {
        Ok(sources) => sources,
        Err(why) => {
            sink.push(refused(
                why,
                "move every file of the types into its package",
            ));
            return None;
        }
    };
    let manifest = Manifest {
        sources,
        ..checked.manifest(&made, &history)
    };
    let entry = changelog::entry(
        &checked.choice.version,
        checked.choice.baseline.as_ref(),
        &checked.notes_report(),
        &checked.migrations,
    );
    let left = &checked.choice.tree;
    let mut files = output.with_constants(&source.under(left), &kinds, &stamped(&stamp, left));
    let folder = format!("{FOLDER}/{}", checked.choice.version);
    for (path, text) in made.files {
        files.insert(format!("{folder}/{path}"), text);
    }
    let (text, _) = manifest.to_text();
    if let Some(key) = &request.sign {
        let version = &checked.choice.version;
        let signed = signature::sign(&text, version, &manifest.annotation_prefix, &here.join(key));
        files.insert(
            format!("{folder}/{}", signature::FILE),
            taken(signed, sink)?,
        );
    }
    files.insert(format!("{folder}/{}", manifest::FILE), text);
    let log = format!("{FOLDER}/{}", changelog::FILE);
    let old = taken(versions::text(&root, &log, &Disk), sink)?;
    files.insert(log, changelog::with_entry(old.as_deref(), &entry));
    let (name, text) = ATTRIBUTES;
    let attributes = format!("{FOLDER}/{name}");
    if taken(versions::text(&root, &attributes, &Disk), sink)?.is_none() {
        files.insert(attributes, text.to_owned());
    }
    if checked.choice.tree != tree {
        let said = versions::set(&setup, &root, &checked.choice.tree, &Disk);
        files.extend(taken(said, sink)?);
    }
    let published = taken(versions::published(&setup, &root, &Disk), sink)?;
    let left = left::steps(&checked.choice, tag.as_deref(), &published);
    Some(Prepared {
        plan: output
            .plan(format!("bundle {}", checked.choice.version), files)
            .leaving(left::interrupted(&left, &checked.choice.version, request)),
        left,
        report: checked.report,
        choice: checked.choice,
        entry,
        notes,
    })
}

/// Returns the findings without the lints that the project knows about, and the number of those. Other warnings block a release
/// even if known.
fn without_known_lints(
    found: Vec<Diagnostic>,
    known: &Warnings,
    sources: &Sources,
) -> (Sink, usize) {
    let is_lint = |finding: &Diagnostic| finding.lint.is_some();
    let (lints, others): (Vec<_>, Vec<_>) = found.into_iter().partition(is_lint);
    let left = known.apply(lints, false, sources);
    let mut sink = Sink::default();
    let all = others.into_iter().chain(left.findings);
    all.for_each(|finding| sink.push(finding));
    (sink, once_each(left.known).len())
}

/// Size warnings do not block a release: bundles are applied by servers.
fn is_in_the_way(finding: &Diagnostic) -> bool {
    finding.severity() == crd_channels_diagnostics::Severity::Warning
        && !matches!(finding.code, Code::SizeLimit | Code::SizeBudget)
}

fn stale(output: &Output<'_>, now: &BTreeMap<String, String>, sink: &mut Sink) {
    match output.plan(CRDS, now.clone()).compare(&Disk) {
        Ok(changes) if changes.is_empty() => {}
        Ok(changes) => {
            let paths: Vec<&str> = changes.iter().map(|change| change.path.as_str()).collect();
            let message = format!(
                "these files do not match the types: `{}`",
                paths.join("`, `")
            );
            let finding = Diagnostic::new(Code::StaleFiles, None, message);
            let help = "run `crd-channels gen-crds` and commit what it writes";
            sink.push(finding.with_help(help));
        }
        Err(finding) => sink.push(*finding),
    }
}
