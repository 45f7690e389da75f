//! `gen-crds`: reads the types and writes the CRDs of every channel.

use crate::baseline::{self, Baseline, NewFindings};
use crate::costs::{self, Costs};
use crate::findings::{say_as, shown};
use crate::folder::here;
use crate::outcome::Outcome;
use crate::rustc_json::{self, Unit};
use crate::warned::without_seen;
use crate::{examples, interrupted, released_version, stale};
use crd_channels_diagnostics::report::{self, Format, counted};
use crd_channels_diagnostics::terminal::{self, Stopwatch};
use crd_channels_diagnostics::{Code, Diagnostic, Severity, Sink, Sources, once_each};
use crd_channels_files::{Applied, Change, Disk, Plan, diff};
use crd_channels_generator::pipeline::build::{self, Built, Order};
use crd_channels_generator::pipeline::memory::{self, Memory};
use crd_channels_generator::pipeline::{self, Setup, is_told_by_compiling, publish, watch};
use crd_channels_projection::bundle::{layout, sizes};
use crd_channels_projection::channel::config::{Bundle, Channel, FOLDER};
use crd_channels_released::bundles;
use crd_channels_workspace as workspace;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};

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

/// Returns what would keep the kinds of a workspace without bundles from becoming the first one. Only the packages that compare
/// bundles know, and they depend on this one.
pub type FirstBundle = fn(&Built, &Setup, &Path) -> Vec<Diagnostic>;

/// The maximum number of lines of a diff that `--check` shows.
const SHORT_DIFF: usize = 12;

/// The name of the written files in messages about an interrupted run.
pub const CRDS: &str = "the generated files";

/// Runs the command in the current folder's workspace.
#[must_use]
pub fn run(request: &Request, first_bundle: FirstBundle) -> Outcome {
    if request.watch {
        return stay(request, first_bundle);
    }
    once(request, first_bundle)
}

fn once(request: &Request, first_bundle: FirstBundle) -> Outcome {
    let sources = Sources::default();
    let mut sink = Sink::default();
    let mut known = Known::default();
    let outcome = generate(request, first_bundle, &sources, &mut known, &mut sink);
    let diagnostics = once_each(new_ones(sink, request, &known, &sources));
    if request.rustc_json && known.units.is_empty() {
        // cargo's messages belong to a package, and no package could be read.
        say(&diagnostics, &sources, Format::Human);
    } else if request.rustc_json {
        print!(
            "{}",
            rustc_json::write(&diagnostics, &sources, &known.units)
        );
    } else if request.cost && request.format == Format::Json {
        let mut whole = costs::json(known.costs.as_deref());
        whole["findings"] = report::json(&diagnostics, &sources);
        println!("{whole}");
    } else {
        say(&diagnostics, &sources, request.format);
    }
    // Code with unresolved paths usually does not compile.
    let compiles =
        |finding: &&Diagnostic| !matches!(finding.code, Code::MissingSchema | Code::UnresolvedPath);
    if diagnostics
        .iter()
        .filter(compiles)
        .any(is_told_by_compiling)
    {
        help!(
            "`crd-channels prove --record` takes values that cannot be read from source from the compiled types"
        );
    }
    // The baseline is written last, which may fail.
    outcome.max(Outcome::of(&diagnostics))
}

/// The facts about the workspace that a run has found.
#[derive(Default)]
struct Known {
    /// The packages that messages to editors belong to.
    units: Vec<Unit>,
    /// The workspace's root.
    root: Option<PathBuf>,
    /// The known warnings.
    baseline: Baseline,
    /// The costs of rules, if requested in a format for programs.
    costs: Option<Vec<Costs>>,
}

/// Returns the findings of a run without the known warnings; without any warnings if they are to be recorded.
fn new_ones(sink: Sink, request: &Request, known: &Known, sources: &Sources) -> Vec<Diagnostic> {
    let errors = sink.has_errors();
    let mut findings = sink.into_diagnostics();
    if let Some(root) = &known.root {
        findings = without_seen(findings, root);
    }
    let path = baseline::display_path();
    if let (true, false, Some(root)) = (request.write_baseline, errors, &known.root) {
        let baseline = Baseline::of(&findings, sources);
        match baseline.write(root) {
            Ok(()) => {
                let known = once_each(std::mem::take(&mut findings)).len();
                let known = known_ones(known);
                status(&format!("{path}: {known} from now on"), request);
            }
            Err(finding) => findings.push(*finding),
        }
        return findings;
    }
    let whole = !errors && request.channels.is_empty();
    let NewFindings { findings, known } = known.baseline.apply(findings, whole, sources);
    let known = once_each(known).len();
    if known > 0 && request.format == Format::Human && !request.rustc_json {
        note!("{} and not shown, see `{path}`", known_ones(known));
    }
    findings
}

/// Formats `1 warning is known`.
fn known_ones(number: usize) -> String {
    let are = if number == 1 { "is" } else { "are" };
    format!("{} {are} known", counted(number, "warning"))
}

/// Runs after every edit in the workspace until interrupted.
fn stay(request: &Request, first_bundle: FirstBundle) -> Outcome {
    let root = std::env::current_dir().map(|folder| workspace::find_root(&folder));
    let Ok(Ok(root)) = root else {
        return once(request, first_bundle);
    };
    let mut seen = watch::look(&root);
    loop {
        let start = Instant::now();
        once(request, first_bundle);
        note!(
            "took {} ms; waiting for the next edit",
            start.elapsed().as_millis()
        );
        seen = watch::wait(&root, seen);
    }
}

/// Performs one run. Everything is built before anything is written. `known` is filled as soon as facts are found.
fn generate(
    request: &Request,
    first_bundle: FirstBundle,
    sources: &Sources,
    known: &mut Known,
    sink: &mut Sink,
) -> Outcome {
    let began = SystemTime::now();
    let mut watch = Stopwatch::start();
    let Some(here) = here() else {
        return Outcome::CouldNotRun;
    };
    let root = match workspace::find_root(&here) {
        Ok(root) => root,
        Err(finding) => return could_not_run(*finding, sink),
    };
    // Before anything is read, since an interrupted release changes manifests, too.
    let elsewhere = request.output.iter().map(|given| here.join(given));
    for folder in [here.clone(), root.clone()].into_iter().chain(elsewhere) {
        if let Err(finding) = interrupted::recover_at(&folder) {
            return could_not_run(*finding, sink);
        }
    }
    let setup = pipeline::setup_as(&root, &request.packages, &Disk, sources, sink);
    let Some(setup) = setup else {
        return Outcome::CouldNotRun;
    };
    let members = counted(setup.workspace.members.len(), "package");
    watch.lap(format_args!(
        "read the configuration and the manifests of {members}"
    ));
    known.units = rustc_json::units(&setup.workspace);
    remind(&setup.config.bundle);
    let state = setup.workspace.target_dir.join("crd-channels");
    known.root = Some(root.clone());
    if !request.write_baseline {
        match Baseline::read(&root) {
            Ok(baseline) => known.baseline = baseline,
            Err(finding) => return could_not_run(*finding, sink),
        }
    }
    // The configured folder is part of the workspace, so paths are relative to the workspace; any other folder is a tree of its
    // own.
    let (base, folder) = match &request.output {
        Some(given) => (here.join(given), Path::new("")),
        None => (root.clone(), Path::new(&*setup.config.bundle.output)),
    };
    let output = base.join(folder);
    let Some(channels) = publish::channels(&setup, &request.channels, sink) else {
        return Outcome::CouldNotRun;
    };
    let order = Order {
        setup: &setup,
        channels: &channels,
        measure: request.sizes,
        key: memory::key(&setup, &channels, &output),
        began,
    };
    // A run that verifies or measures makes everything anew.
    let may_remember = !(request.check || request.diff || request.sizes || request.cost);
    let memory = may_remember.then(|| Memory::recall(&state)).flatten();
    let memory = memory.filter(|memory| memory.key == order.key);
    let remembered = memory.as_ref().map(|memory| memory.sources.len());
    watch.lap(format_args!("{}", told_of_memory(remembered, may_remember)));
    let built = memory.and_then(|memory| build::again(order, memory, &output, sources, sink));
    let read = built.as_ref().map(Built::shares);
    let mut built = built.unwrap_or_else(|| {
        if remembered.is_some() {
            watch.lap(format_args!(
                "what changed concerns all kinds, so all are read again"
            ));
        }
        build::build_all(order, sources, sink)
    });
    watch.lap(format_args!("{}", told_of_kinds(&built)));
    if request.sizes {
        for channel in &channels {
            print_line(&size_table(&channel.name, &built), request);
        }
    }
    if request.cost {
        let costs = costs::of(&built, &channels);
        if request.format != Format::Json {
            print_line(costs::table(&costs).trim_end(), request);
        }
        known.costs = Some(costs);
    }
    if sink.has_errors() {
        return Outcome::Findings;
    }
    if (request.sizes || request.cost) && !request.check && !request.diff {
        return Outcome::Clean;
    }
    // The comparison of versions is not kept between runs, so it is made again. Once there is a bundle, the comparison with it
    // reports what is new.
    let differences = match has_bundles(&root) {
        true => Vec::new(),
        false => first_bundle(&built, &setup, &root),
    };
    let remembers = may_remember && differences.is_empty();
    differences
        .into_iter()
        .for_each(|finding| sink.push(finding));
    watch.lap(format_args!("compared with released bundles"));
    let texts = built.take_texts(&channels);
    let kept: BTreeSet<String> = built
        .unchanged_files()
        .map(|file| file.path.clone())
        .collect();
    let names: Vec<&str> = channels.iter().map(|channel| &*channel.name).collect();
    let crds = examples::Crds {
        texts: &texts,
        kept: &kept,
        output: &output,
        channels: &names,
        memory: may_remember.then_some(examples::Memory {
            state: &state,
            key: order.key,
        }),
    };
    let page = examples::check(&setup, crds, sources, sink);
    watch.lap(format_args!("validated the examples"));
    if sink.has_errors() {
        return Outcome::Findings;
    }
    // In another folder, CRDs need not match a released bundle.
    if request.output.is_none() {
        let made = released_version::GeneratedCrds {
            texts: &texts,
            kept: &kept,
            channels: &names,
        };
        if let Some(finding) = released_version::refusal(&setup, made, &Disk) {
            sink.push(finding);
            return Outcome::Findings;
        }
    }
    let texts = texts.into_iter();
    let texts = texts.map(|(path, text)| (below(folder, &path), text));
    // Another folder only receives CRDs.
    let others = built.constants.take().into_iter().chain(page);
    let texts = texts.chain(others.filter(|_| request.output.is_none()));
    let as_it_was = kept.iter().map(|path| below(folder, path));
    let plan = plan(base, folder, &channels, texts.collect()).keeping(as_it_was.collect());
    watch.lap(format_args!("checked the version"));
    let ended = if request.check || request.diff {
        plan.compare(&Disk)
            .map(|changes| report_changes(&changes, request, sources, sink))
    } else {
        interrupted::apply(&plan).map(|applied| {
            report_applied(&applied, read, request);
            if let Some(memory) = built.into_memory(&output).filter(|_| remembers) {
                memory.keep(&state);
            }
            Outcome::Clean
        })
    };
    watch.lap(format_args!("compared the files in {}", output.display()));
    match ended {
        Ok(outcome) => outcome,
        Err(finding) => could_not_run(*finding, sink),
    }
}

/// Whether the workspace has a released bundle.
#[must_use]
pub fn has_bundles(root: &Path) -> bool {
    !bundles::all(&root.join(FOLDER), &Disk).is_empty()
}

/// Describes the memory that a run starts with.
fn told_of_memory(remembered: Option<usize>, may_remember: bool) -> String {
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
fn told_of_kinds(built: &Built) -> String {
    let (read, all) = built.shares();
    let names = built.made.iter().filter_map(|(_, made)| made.files.first());
    let names: BTreeSet<&str> = names
        .filter_map(|file| Path::new(&file.path).file_stem()?.to_str())
        .collect();
    let names = Vec::from_iter(names).join(", ");
    let separator = if names.is_empty() { "" } else { ": " };
    format!("read {read} of {}{separator}{names}", counted(all, "kind"))
}

/// Returns the plan that writes files below `base` and removes stale generated ones from the folders of channels.
fn plan(
    base: PathBuf,
    folder: &Path,
    channels: &[&Channel],
    files: BTreeMap<String, String>,
) -> Plan {
    let owned = channels.iter().map(|channel| below(folder, &channel.name));
    Plan::new(CRDS, base, files, owned.collect()).recognising(layout::is_generated)
}

/// Returns the generated files that differ from the types. `None`, with an error in `sink`, if types cannot be read.
#[must_use]
pub fn stale_files(
    root: &Path,
    setup: &Setup,
    sources: &Sources,
    sink: &mut Sink,
) -> Option<Vec<Change>> {
    let channels = publish::channels(setup, &[], sink)?;
    let folder = Path::new(&*setup.config.bundle.output);
    let order = Order {
        setup,
        channels: &channels,
        measure: false,
        key: memory::key(setup, &channels, &root.join(folder)),
        began: SystemTime::now(),
    };
    let mut built = build::build_all(order, sources, sink);
    if sink.has_errors() {
        return None;
    }
    let texts = built.take_texts(&channels).into_iter();
    let texts = texts.map(|(path, text)| (below(folder, &path), text));
    let files = texts.chain(built.constants.take()).collect();
    match plan(root.to_path_buf(), folder, &channels, files).compare(&Disk) {
        Ok(changes) => Some(changes),
        Err(finding) => {
            sink.push(*finding);
            None
        }
    }
}

/// Prints a reminder of the pending kinds.
fn remind(bundle: &Bundle) {
    let names: Vec<&str> = bundle.pending.iter().map(|path| &*path.value).collect();
    if !names.is_empty() {
        note!(
            "left out until they can be generated, `pending` in `{FOLDER}/bundle.toml`: {}",
            names.join(", ")
        );
    }
}

/// Formats the sizes of one channel's CRDs as a table.
fn size_table(channel: &str, built: &Built) -> String {
    let files = built.made.iter().flat_map(|(_, made)| &made.files);
    let files = files.filter(|file| *file.channel == *channel);
    let sizes: Vec<_> = files.filter_map(|file| file.size.clone()).collect();
    sizes::table(channel, &sizes)
}

fn could_not_run(finding: Diagnostic, sink: &mut Sink) -> Outcome {
    sink.push(finding);
    Outcome::CouldNotRun
}

/// Returns a path below the output folder, with `/`.
fn below(output: &Path, path: &str) -> String {
    let output: Vec<&str> = output.iter().filter_map(|part| part.to_str()).collect();
    if output.is_empty() {
        path.to_owned()
    } else {
        format!("{}/{path}", output.join("/"))
    }
}

/// Returns a file of the plan as the user would name it: relative to the current folder, or to the workspace if no folder was
/// given.
fn named_by_user(path: &str, request: &Request) -> String {
    match &request.output {
        Some(folder) => folder.join(path).display().to_string(),
        None => path.to_owned(),
    }
}

/// Prints a line for people; to stderr if stdout has findings for programs.
fn print_line(line: &str, request: &Request) {
    match request.format {
        Format::Human if !request.rustc_json => println!("{line}"),
        Format::Human | Format::Json | Format::Github | Format::Sarif => eprintln!("{line}"),
    }
}

/// The same for messages about progress.
fn status(line: &str, request: &Request) {
    if !terminal::is_quiet() {
        print_line(line, request);
    }
}

/// Prints the changed files, and how many of all kinds were read if not all were.
fn report_applied(applied: &Applied, read: Option<(usize, usize)>, request: &Request) {
    if terminal::is_quiet() {
        return;
    }
    let Applied {
        created,
        replaced,
        removed,
        unchanged,
        recovered: _,
    } = applied;
    for (done, paths) in [
        ("created", created),
        ("changed", replaced),
        ("removed", removed),
    ] {
        for path in paths {
            print_line(&format!("{done} {}", named_by_user(path, request)), request);
        }
    }
    let written = created.len() + replaced.len();
    let read = read.map_or_else(String::new, |(read, all)| {
        format!("; {read} of {} read", counted(all, "kind"))
    });
    print_line(
        &format!(
            "{} written, {unchanged} unchanged{read}",
            counted(written, "file")
        ),
        request,
    );
}

/// Prints which files differ from the types, and the command that updates them.
fn report_changes(
    changes: &[Change],
    request: &Request,
    sources: &Sources,
    sink: &mut Sink,
) -> Outcome {
    // In an editor, files are stale all the time.
    let is_for_programs = request.format != Format::Human && !request.rustc_json;
    for change in changes {
        let shown = named_by_user(&change.path, request);
        if request.check && is_for_programs {
            sink.push(stale::finding(change, &shown, sources));
        }
        let difference = diff(change, (!request.diff).then_some(SHORT_DIFF));
        print_line(&format!("{}: {shown}", stale::state(change)), request);
        let difference = difference.trim_end();
        if !difference.is_empty() {
            print_line(difference, request);
        }
    }
    if changes.is_empty() {
        return Outcome::Clean;
    }
    if !is_for_programs {
        help!("run `crd-channels gen-crds`");
    }
    if request.check {
        Outcome::Findings
    } else {
        Outcome::Clean
    }
}

/// Prints findings, for people with their number.
pub fn say(diagnostics: &[Diagnostic], sources: &Sources, format: Format) {
    say_as(diagnostics, sources, format);
    let summary = report::summary(&shown(diagnostics)).filter(|_| format == Format::Human);
    if let Some(summary) = summary {
        let errors = diagnostics
            .iter()
            .any(|diagnostic| diagnostic.severity() == Severity::Error);
        eprintln!(
            "{summary}{}",
            if errors { "; nothing was written" } else { "" }
        );
    }
}
