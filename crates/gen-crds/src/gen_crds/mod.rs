//! `gen-crds`: reads the types and writes the CRDs of every channel.

mod generate;
mod new_findings;
mod output_folder;
mod results;
mod same_versions;
mod stale_files;

pub use generate::remind_of_unknown_minor;
pub use output_folder::CRDS;
pub use stale_files::stale_files;

use crate::costs;
use crate::current_folder::root;
use crate::findings::{blocking, say, say_with_summary};
use crate::outcome::Outcome;
use crate::{recording, rustc_json, watch};
use crd_channels_diagnostics::report::{self, Format, counted};
use crd_channels_diagnostics::{Code, Diagnostic, Severity, Sink, Sources, once_each};
use crd_channels_files::{Disk, Read};
use crd_channels_generator::pipeline::build::Built;
use crd_channels_generator::pipeline::{
    self, Setup, is_found_by_compiling, is_recordable, recorded,
};
use crd_channels_projection::channel::config::FOLDER;
use crd_channels_proof::Options;
use crd_channels_released::bundles;
use crd_channels_workspace as workspace;
use generate::{RunFacts, generate};
use new_findings::new_findings;
use same_versions::none_differ;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The arguments of `gen-crds`.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Write nothing; report stale files.
    pub check: bool,
    /// Write nothing; show everything that would change.
    pub diff: bool,
    /// Write nothing; show the size of every CRD.
    pub sizes: bool,
    /// Write nothing; show the cost of every rule.
    pub cost: bool,
    /// Keep running, and write again after every edit.
    pub watch: bool,
    /// Compile the types if source does not tell everything, and record what they tell.
    pub record: bool,
    /// Record the warnings of this run as known.
    pub write_baseline: bool,
    /// The channels to generate; empty means all.
    pub channels: Vec<String>,
    /// The packages whose build decides which features are on; empty means as configured.
    pub packages: Vec<String>,
    /// The output folder instead of the configured one, relative to the current folder.
    pub output: Option<PathBuf>,
    /// The format of the findings.
    pub format: Format,
    /// Write findings as part of cargo's messages, whatever the format.
    pub rustc_json: bool,
}

/// What only the whole program can do, which depends on this package.
#[derive(Clone, Copy)]
pub struct WholeProgram {
    /// How versions of a kind are compared.
    pub versions_differ: VersionsDiffer,
    /// How the pages that `reference-pages` asks for are made; `None` if that is for the whole program.
    pub pages: Option<Pages>,
}

/// What a program does that has only `gen-crds`.
pub const GEN_CRDS_ALONE: WholeProgram = WholeProgram {
    versions_differ: none_differ,
    pages: None,
};

/// Returns the pages for a folder below a workspace's root, or why they cannot be made.
pub type Pages = fn(&Path, &str) -> Result<PageFiles, Vec<Diagnostic>>;

/// Pages, with paths below the root.
#[derive(Debug, Default)]
pub struct PageFiles {
    /// Their texts.
    pub files: BTreeMap<String, String>,
    /// Those of an earlier run that are not written any more.
    pub gone: BTreeSet<String>,
}

/// Returns the differences between versions of a kind that keep the kinds of a workspace from becoming a bundle; `None` if only
/// the packages that compare bundles can find them, which depend on this one.
pub type VersionsDiffer = fn(&Built, &Setup, &Path) -> Option<Vec<Diagnostic>>;

/// Runs the command in the current folder's workspace.
#[must_use]
pub fn run(request: &Request, whole: WholeProgram) -> Outcome {
    if request.watch {
        return run_after_every_edit(request, whole);
    }
    run_once(request, whole)
}

fn run_once(request: &Request, whole: WholeProgram) -> Outcome {
    let sources = Sources::default();
    let (mut sink, mut told) = (Sink::default(), Sink::default());
    let mut facts = RunFacts::default();
    let mut ended = generate(request, whole, &sources, &mut facts, &mut sink);
    if request.record
        && needs_recording(&sink)
        && ended != Err(Outcome::NotCompared)
        && record(request, &sources, &mut told).is_some()
    {
        if told.has_errors() {
            // What was recorded is no error any more, and what was not is one already.
            let mut found = sink.into_diagnostics();
            found.retain(|finding| {
                finding.code != Code::RecordStale && !is_found_by_compiling(finding)
            });
            sink = Sink::default();
            found.into_iter().for_each(|finding| sink.push(finding));
        } else {
            let again = Request {
                record: false,
                ..request.clone()
            };
            (sink, facts) = Default::default();
            ended = generate(&again, whole, &sources, &mut facts, &mut sink);
        }
    }
    let outcome = ended.unwrap_or_else(|early| early);
    if outcome == Outcome::NotCompared {
        // The whole program runs again, but does not compile again.
        say(&told.into_diagnostics(), &sources);
        return outcome;
    }
    // Both runs read the types, and both say what they warn of.
    let known = sink.diagnostics().iter();
    let known: BTreeSet<_> = known.map(|it| (it.code, it.message.clone())).collect();
    let mut told = told.into_diagnostics();
    told.retain(|finding| !known.contains(&(finding.code, finding.message.clone())));
    told.into_iter().for_each(|finding| sink.push(finding));
    let findings = once_each(new_findings(sink, request, &facts, &sources));
    print_findings(&findings, request, &facts, &sources);
    if let Some(blocking) =
        blocking(&findings).filter(|_| !request.format.is_for_programs() && !request.rustc_json)
    {
        status!("{}", crate::as_typed(&blocking));
    }
    if !request.record {
        suggest_recording(&findings);
    }
    // The known warnings are written last, which may fail.
    outcome.max(Outcome::of(&findings))
}

/// Whether the compiled types tell what a run could not find out, or what may have changed since they did.
fn needs_recording(sink: &Sink) -> bool {
    let mut findings = sink.diagnostics().iter();
    findings.any(|finding| finding.code == Code::RecordStale || is_found_by_compiling(finding))
}

/// Compiles the types and writes the records. Reports and returns `None` if that is impossible.
fn record(request: &Request, sources: &Sources, sink: &mut Sink) -> Option<()> {
    let root = root(sink)?;
    // The run before has reported what there is to say of the configuration.
    let setup = pipeline::setup_as(
        &root,
        &request.packages,
        &Disk,
        sources,
        &mut Sink::default(),
    )?;
    let options = Options {
        record: true,
        arguments: &[],
    };
    let proof = recording::prove(&root, &setup, options, sources, sink)?;
    let recorded = proof.recorded.map_or(0, |entries| entries.len());
    results::status(
        &format!("{}: {}", recorded::FILE, counted(recorded, "value")),
        request,
    );
    Some(())
}

/// Runs after every edit in the workspace until interrupted.
fn run_after_every_edit(request: &Request, whole: WholeProgram) -> Outcome {
    let root = std::env::current_dir().map(|folder| workspace::find_root(&folder));
    let Ok(Ok(root)) = root else {
        return run_once(request, whole);
    };
    let mut seen = watch::look(Some(root), Vec::new());
    loop {
        let start = Instant::now();
        let outcome = run_once(request, whole);
        if outcome == Outcome::NotCompared {
            return outcome;
        }
        note!(
            "took {} ms; waiting for the next edit",
            start.elapsed().as_millis()
        );
        seen = watch::wait(seen);
    }
}

/// Prints the findings of a run in the requested format, with the costs of rules if these are requested as JSON.
fn print_findings(findings: &[Diagnostic], request: &Request, facts: &RunFacts, sources: &Sources) {
    if request.rustc_json && facts.units.is_empty() {
        // cargo's messages belong to a package, and no package could be read.
        say_with_summary(findings, sources, Format::Human);
    } else if request.rustc_json {
        print!("{}", rustc_json::write(findings, sources, &facts.units));
    } else if request.cost && request.format == Format::Json {
        let mut whole = costs::json(facts.costs.as_deref());
        whole["findings"] = report::json(findings, sources);
        println!("{whole}");
    } else {
        say_with_summary(findings, sources, request.format);
    }
}

/// Names the command that answers what only the compiled types know.
fn suggest_recording(findings: &[Diagnostic]) {
    let told = findings.iter().filter(|finding| is_recordable(finding));
    let told: Vec<&Diagnostic> = told.collect();
    let is_unresolved = |finding: &&Diagnostic| finding.code == Code::UnresolvedPath;
    let errors = findings
        .iter()
        .filter(|finding| finding.severity() == Severity::Error);
    let has_others = errors.count() > told.len();
    match &told[..] {
        [] => {}
        told if told.iter().all(is_unresolved) && has_others => {}
        told if told.iter().all(is_unresolved) => help!(
            "if the types compile, a macro makes these names: run `crd-channels gen-crds --record`, which takes what cannot be read from source from the compiled types"
        ),
        _ => help!(
            "run `crd-channels gen-crds --record`, which takes values that cannot be read from source from the compiled types"
        ),
    }
}

/// Describes the released bundles, which never change, and the waivers: what is reported of versions that differ depends on them.
fn past(root: &Path) -> String {
    let folder = root.join(FOLDER);
    let bundles = bundles::all(&folder, &Disk).into_iter();
    let bundles: Vec<String> = bundles.map(|bundle| bundle.version.to_string()).collect();
    let waivers = Disk.read(&folder.join("waivers.toml")).unwrap_or_default();
    format!("{bundles:?} {:?}", String::from_utf8_lossy(&waivers))
}
