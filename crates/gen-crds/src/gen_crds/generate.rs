//! One run: builds the CRDs, validates them, and writes the files or compares them.

use super::output_folder::OutputFolder;
use super::past;
use super::results::{print_line, report_applied, report_changes, size_table};
use super::{PageFiles, Request, WholeProgram, needs_recording};
use crate::costs::{self, Costs};
use crate::current_folder::here;
use crate::known_warnings::KnownWarnings;
use crate::outcome::Outcome;
use crate::rustc_json::{self, Unit};
use crate::{examples, interrupted, released_version};
use crd_channels_check::of_unknown_minor;
use crd_channels_diagnostics::report::{Format, counted};
use crd_channels_diagnostics::terminal::{self, Stopwatch};
use crd_channels_diagnostics::{Diagnostic, Sink, Sources};
use crd_channels_files::{Disk, Plan};
use crd_channels_generator::pipeline::build::{self, Built, Order};
use crd_channels_generator::pipeline::memory::{self, Memory};
use crd_channels_generator::pipeline::{self, Setup, publish};
use crd_channels_projection::channel::config::{Bundle, Channel, FOLDER};
use crd_channels_workspace as workspace;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The facts about the workspace that a run has found.
#[derive(Default)]
pub struct RunFacts {
    /// The packages that messages to editors belong to.
    pub units: Vec<Unit>,
    /// The workspace's root.
    pub root: Option<PathBuf>,
    /// The known warnings.
    pub known_warnings: KnownWarnings,
    /// The costs of rules, if requested.
    pub costs: Option<Vec<Costs>>,
}

/// The input of a run.
struct Run<'a> {
    request: &'a Request,
    sources: &'a Sources,
    root: &'a Path,
    setup: &'a Setup,
    channels: &'a [&'a Channel],
    output: OutputFolder,
    /// The folder of the memory between runs.
    state: PathBuf,
    watch: Stopwatch,
}

/// The CRDs of a run, with paths below the output folder.
struct Crds {
    /// The texts of those that were built.
    texts: BTreeMap<String, String>,
    /// The paths of those that are unchanged since an earlier run.
    kept: BTreeSet<String>,
}

/// Performs one run. Everything is built before anything is written. `facts` is filled as soon as facts are found.
///
/// # Errors
/// Returns the outcome of a run that ends early.
pub fn generate(
    request: &Request,
    whole: WholeProgram,
    sources: &Sources,
    facts: &mut RunFacts,
    sink: &mut Sink,
) -> Result<Outcome, Outcome> {
    let began = SystemTime::now();
    let mut watch = Stopwatch::start();
    let here = here().ok_or(Outcome::CouldNotRun)?;
    let root = found(workspace::find_root(&here), sink)?;
    recover(request, &here, &root, sink)?;
    let mut setup = pipeline::setup_as(&root, &request.packages, &Disk, sources, sink)
        .ok_or(Outcome::CouldNotRun)?;
    if request.watch {
        setup.keep_stale_records(sink);
    }
    let members = counted(setup.workspace.members.len(), "package");
    watch.lap(format_args!(
        "read the configuration and the manifests of {members}"
    ));
    facts.units = rustc_json::units(&setup.workspace);
    facts.root = Some(root.clone());
    if !request.write_baseline {
        facts.known_warnings = found(KnownWarnings::read(&root), sink)?;
    }
    let channels =
        publish::channels(&setup, &request.channels, sink).ok_or(Outcome::CouldNotRun)?;
    let output = OutputFolder::requested(request, &here, &setup, &root);
    let order = Order {
        setup: &setup,
        channels: &channels,
        measure: request.sizes,
        key: memory::key(&setup, &channels, &output.path(), &past(&root)),
        began,
    };
    let run = Run {
        request,
        sources,
        root: &root,
        setup: &setup,
        channels: &channels,
        output,
        state: setup.workspace.target_dir.join("crd-channels"),
        watch,
    };
    run.perform(order, whole, facts, sink)
}

impl Run<'_> {
    fn perform(
        mut self,
        order: Order<'_>,
        whole: WholeProgram,
        facts: &mut RunFacts,
        sink: &mut Sink,
    ) -> Result<Outcome, Outcome> {
        let (mut built, shares) = self.build(order, sink);
        let measures = (self.request.sizes || self.request.cost) && !self.compares();
        let differences = match measures || sink.has_errors() {
            true => Vec::new(),
            // Nothing may be printed before: the whole program would print it again.
            false => self.compare_versions(&built, whole, sink)?,
        };
        remind_of_pending(&self.setup.config.bundle);
        remind_of_others(&built.others);
        remind_of_unknown_minor(&self.setup.config.bundle);
        self.show_sizes_and_costs(&built, facts);
        // What is to be recorded first is written afterwards.
        if sink.has_errors() || self.request.record && needs_recording(sink) {
            return Err(Outcome::Findings);
        }
        if measures {
            return Ok(Outcome::Clean);
        }
        let crds = Crds {
            texts: built.take_texts(self.channels),
            kept: built
                .unchanged_files()
                .map(|file| file.path.clone())
                .collect(),
        };
        let page = self.validate(&crds, order.key, sink)?;
        let PageFiles { files, gone } = self.reference_pages(whole, sink)?;
        let constants = built.constants.take();
        let others = constants.into_iter().chain(page).chain(files);
        let plan = self.plan(crds, others).removing(gone);
        self.watch.lap(format_args!("checked the version"));
        let ended = if self.compares() {
            let changes = plan.compare(&Disk);
            changes.map(|changes| report_changes(&changes, self.request, self.sources, sink))
        } else {
            interrupted::apply(&plan).map(|applied| {
                report_applied(&applied, shares, self.request);
                self.remember(built, &differences);
                Outcome::Clean
            })
        };
        let output = self.output.path();
        self.watch
            .lap(format_args!("compared the files in {}", output.display()));
        found(ended, sink)
    }

    /// Whether the run only compares files with those on disk.
    fn compares(&self) -> bool {
        self.request.check || self.request.diff
    }

    /// Whether the run may use the memory of the last one. A run that verifies or measures makes everything anew.
    fn may_remember(&self) -> bool {
        !(self.compares()
            || self.request.sizes
            || self.request.cost
            || self.setup.config.is_of_crds())
    }

    /// Builds the kinds: those that changed since the last run if its memory can be used, otherwise all. In the first case, also
    /// returns how many kinds were read of how many.
    fn build(&mut self, order: Order<'_>, sink: &mut Sink) -> (Built, Option<(usize, usize)>) {
        let may_remember = self.may_remember();
        let memory = may_remember
            .then(|| Memory::recall(&self.state))
            .flatten()
            .filter(|memory| memory.key == order.key);
        let remembered = memory.as_ref().map(|memory| memory.sources.len());
        self.watch
            .lap(format_args!("{}", use_of_memory(remembered, may_remember)));
        let output = self.output.path();
        let changed =
            memory.and_then(|memory| build::again(order, memory, &output, self.sources, sink));
        let shares = changed.as_ref().map(Built::shares);
        let built = changed.unwrap_or_else(|| {
            if remembered.is_some() {
                self.watch.lap(format_args!(
                    "what changed concerns all kinds, so all are read again"
                ));
            }
            build::build_all(order, self.sources, sink)
        });
        self.watch.lap(format_args!("{}", kinds_read(&built)));
        (built, shares)
    }

    /// Prints sizes and costs if they are requested for people.
    fn show_sizes_and_costs(&self, built: &Built, facts: &mut RunFacts) {
        if self.request.sizes {
            for channel in self.channels {
                print_line(&size_table(&channel.name, built), self.request);
            }
        }
        if self.request.cost {
            let costs = costs::rule_costs(built, self.channels);
            if self.request.format != Format::Json {
                print_line(costs::table(&costs).trim_end(), self.request);
            }
            facts.costs = Some(costs);
        }
    }

    /// Keeps the memory for the next run, or says why that will read everything again.
    fn remember(&self, built: Built, differences: &[Diagnostic]) {
        if !self.may_remember() {
            return;
        }
        let unkept = built.unkept.unwrap_or("a file that was written is gone");
        match built.into_memory(&self.output.path(), differences, self.root, self.sources) {
            Some(memory) => memory.keep(&self.state),
            None => terminal::detail(format_args!(
                "the next run reads everything again: {unkept}"
            )),
        }
    }

    /// Compares the versions of kinds with each other and with the last bundle.
    fn compare_versions(
        &mut self,
        built: &Built,
        whole: WholeProgram,
        sink: &mut Sink,
    ) -> Result<Vec<Diagnostic>, Outcome> {
        if self.pages_folder().is_some() && whole.pages.is_none() {
            return Err(Outcome::NotCompared);
        }
        let differences =
            (whole.versions_differ)(built, self.setup, self.root).ok_or(Outcome::NotCompared)?;
        differences
            .iter()
            .for_each(|finding| sink.push(finding.clone()));
        self.watch
            .lap(format_args!("compared with released bundles"));
        Ok(differences)
    }

    /// Validates the examples, and the CRDs if their version is released. Returns the page of the examples, if one is configured.
    fn validate(
        &mut self,
        crds: &Crds,
        key: u64,
        sink: &mut Sink,
    ) -> Result<Option<(String, String)>, Outcome> {
        let channels: Vec<&str> = self.channels.iter().map(|channel| &*channel.name).collect();
        let state = &self.state;
        let with_examples = examples::Crds {
            texts: &crds.texts,
            kept: &crds.kept,
            output: &self.output.path(),
            channels: &channels,
            memory: self
                .may_remember()
                .then_some(examples::Memory { state, key }),
        };
        let page = examples::check(self.setup, with_examples, self.sources, sink);
        self.watch.lap(format_args!("validated the examples"));
        if sink.has_errors() {
            return Err(Outcome::Findings);
        }
        // In another folder, CRDs need not match a released bundle.
        if self.request.output.is_none() {
            let generated = released_version::GeneratedCrds {
                texts: &crds.texts,
                kept: &crds.kept,
                channels: &channels,
            };
            if let Some(finding) = released_version::rejection(self.setup, generated, &Disk) {
                sink.push(finding);
                return Err(Outcome::Findings);
            }
        }
        Ok(page)
    }

    /// The folder of the pages, if this run writes all that is generated.
    fn pages_folder(&self) -> Option<&str> {
        let folder = self.setup.config.bundle.reference_pages.as_deref();
        folder.filter(|_| self.request.output.is_none() && self.request.channels.is_empty())
    }

    /// Makes the pages that the configuration asks for.
    fn reference_pages(
        &mut self,
        whole: WholeProgram,
        sink: &mut Sink,
    ) -> Result<PageFiles, Outcome> {
        let (Some(folder), Some(pages)) = (self.pages_folder(), whole.pages) else {
            return Ok(PageFiles::default());
        };
        let made = pages(self.root, folder).map_err(|findings| {
            findings.into_iter().for_each(|finding| sink.push(finding));
            Outcome::CouldNotRun
        })?;
        self.watch.lap(format_args!("made the reference pages"));
        Ok(made)
    }

    /// Returns the plan that writes CRDs and other files.
    fn plan(&self, crds: Crds, others: impl Iterator<Item = (String, String)>) -> Plan {
        let mut files = self.output.texts_in_base(crds.texts);
        // Another folder only receives CRDs.
        if self.request.output.is_none() {
            files.extend(others);
        }
        let kept = crds.kept.iter().map(|path| self.output.path_in_base(path));
        self.output
            .plan(self.channels, files)
            .keeping(kept.collect())
    }
}

/// Recovers what interrupted runs left in the folders of this one. Nothing is read before, since an interrupted release changes
/// manifests, too.
fn recover(request: &Request, here: &Path, root: &Path, sink: &mut Sink) -> Result<(), Outcome> {
    let output = request.output.iter().map(|given| here.join(given));
    let folders = [here.to_path_buf(), root.to_path_buf()].into_iter();
    for folder in folders.chain(output) {
        found(interrupted::recover_at(&folder), sink)?;
    }
    Ok(())
}

/// Returns the value; an error is reported and ends the run.
fn found<T>(result: Result<T, Box<Diagnostic>>, sink: &mut Sink) -> Result<T, Outcome> {
    result.map_err(|finding| {
        sink.push(*finding);
        Outcome::CouldNotRun
    })
}

/// Prints a reminder of the pending kinds.
fn remind_of_pending(bundle: &Bundle) {
    let names: Vec<&str> = bundle.pending.iter().map(|path| &*path.value).collect();
    if !names.is_empty() {
        note!(
            "left out until they can be generated, `pending` in `{FOLDER}/bundle.toml`: {}",
            names.join(", ")
        );
    }
}

/// Names the objects beside the CRDs that are the bundle's source, which are not part of it.
fn remind_of_others(others: &[String]) {
    if !others.is_empty() {
        note!(
            "not published, since a bundle takes objects that are no CRDs from `components`: {}",
            others.join(", ")
        );
    }
}

/// Says that the configured Kubernetes is not one whose servers are known.
pub fn remind_of_unknown_minor(bundle: &Bundle) {
    let version = bundle.kubernetes;
    if let Some(unknown) = of_unknown_minor(version, version.of_major_1()) {
        note!("{unknown}");
    }
}

/// Describes the memory that a run starts with.
fn use_of_memory(remembered: Option<usize>, may_remember: bool) -> String {
    match remembered {
        Some(files) => format!(
            "the last run left a memory of {}",
            counted(files, "source file")
        ),
        None if may_remember => "no run left a memory that fits this one".to_owned(),
        None => "nothing is taken from the memory of the last run".to_owned(),
    }
}

/// Describes which kinds were read.
fn kinds_read(built: &Built) -> String {
    let (read, all) = built.shares();
    let names = built.made.iter().filter_map(|(_, made)| made.files.first());
    let names: BTreeSet<&str> = names
        .filter_map(|file| Path::new(&file.path).file_stem()?.to_str())
        .collect();
    let names = Vec::from_iter(names).join(", ");
    let separator = if names.is_empty() { "" } else { ": " };
    format!("read {read} of {}{separator}{names}", counted(all, "kind"))
}
