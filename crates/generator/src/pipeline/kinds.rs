//! Reads the kinds of packages from their source.

use super::constants::WithConstants;
use super::setup::Setup;
use super::{refused, stated};
use crate::lower;
use crd_channels_crd_folders::CrdFolders;
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Sources, Text};
use crd_channels_files::Read;
use crd_channels_projection::channel::config::{Bundle, Config};
use crd_channels_projection::channel::{self, Kind};
use crd_channels_source::{Cfgs, Graph, UndeclaredFile};
use crd_channels_workspace::kubernetes_versions;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// The maximum number of packages to name; further ones are only counted.
const MOST_NAMED: usize = 10;

/// Reads the kinds that the packages define, or those of the folders of CRDs.
pub fn read_kinds(
    setup: &Setup,
    files: &dyn Read,
    sources: &Sources,
    sink: &mut Sink,
) -> Vec<Kind> {
    read_kinds_and_files(setup, files, sources, sink).0
}

/// Does the same, and returns the files that were read.
pub fn read_kinds_and_files(
    setup: &Setup,
    files: &dyn Read,
    sources: &Sources,
    sink: &mut Sink,
) -> (Vec<Kind>, Vec<PathBuf>) {
    if setup.config.is_of_crds() {
        let CrdFolders { kinds, files, .. } = crd_folders(setup, files, sources, sink);
        return (kinds, files);
    }
    let files = WithConstants::new(&setup.config.bundle, &setup.workspace.root, files);
    let Some(graph) = graph(setup, &files, sources, sink) else {
        return (Vec::new(), Vec::new());
    };
    let kinds = kinds(setup, &graph, sink);
    let read = graph.files_read().into_keys().collect();
    (kinds, read)
}

/// Reads the folders of CRDs.
pub(super) fn crd_folders(
    setup: &Setup,
    files: &dyn Read,
    sources: &Sources,
    sink: &mut Sink,
) -> CrdFolders {
    let root = &setup.workspace.root;
    crd_channels_crd_folders::read(&setup.config, root, files, sources, sink)
}

/// Returns the graph of the packages' source, of which nothing is read yet. Returns `None` if the configuration of packages has
/// errors.
pub fn graph<'a>(
    setup: &'a Setup,
    files: &'a dyn Read,
    sources: &'a Sources,
    sink: &mut Sink,
) -> Option<Graph<'a>> {
    let bundle = &setup.config.bundle;
    let cfgs = cfgs(bundle);
    if let Err(message) = cfgs.check_target() {
        sink.push(Diagnostic::new(
            Code::ConfigInvalid,
            bundle.target.span,
            message,
        ));
        return None;
    }
    let stated = setup.overrides.schemas.keys();
    let stated = stated.chain(setup.overrides.values.keys()).cloned();
    let excluded = bundle.left_out().map(|path| path.value.clone());
    let graph = Graph::new(&setup.workspace, files, sources, cfgs);
    Some(graph.with_stated(stated).without(excluded))
}

/// Returns the values that decide `cfg`s in the packages' source.
pub fn cfgs(bundle: &Bundle) -> Cfgs {
    let mut custom = bundle.cfgs.clone();
    // k8s-openapi's build script reads the same variable if no feature chooses its version.
    if let Ok(version) = std::env::var("K8S_OPENAPI_ENABLED_VERSION") {
        custom.insert(("k8s_openapi_enabled_version".into(), Some(version.into())));
    }
    Cfgs {
        target: bundle.target.value.clone(),
        custom,
    }
}

/// Reads all kinds of the packages completely.
pub fn kinds(setup: &Setup, graph: &Graph<'_>, sink: &mut Sink) -> Vec<Kind> {
    let Setup {
        workspace,
        config,
        packages,
        overrides,
        recorded: _,
    } = setup;
    graph.load(packages, sink);
    exclusions(config, graph, sink);
    refused::report(workspace, graph, graph.refused(), sink);
    let (mut drafts, idle) = lower::drafts_of(graph, &graph.kinds(), overrides, sink);
    stated::kinds(config, &mut drafts, sink);
    stated::idle(config, idle, sink);
    sink.append(graph.take_findings());
    if drafts.is_empty() && !sink.has_errors() {
        sink.push(no_kinds(setup, graph));
    }
    let kinds = channel::group(drafts, sink);
    let before = sink.diagnostics().len();
    channel::check(&kinds, config, sink);
    let read = graph.files_read();
    let read = read.keys().map(PathBuf::as_path).collect();
    undeclared(graph.undeclared(&read), &kinds, before, sink);
    kinds
}

/// Returns the kinds for what does not depend on what source does not tell, such as their names and versions. Reports nothing.
#[must_use]
pub fn kinds_with_holes(setup: &Setup, graph: &Graph<'_>) -> Vec<Kind> {
    let mut unsaid = Sink::default();
    let types = graph.kinds();
    let (drafts, _) = lower::drafts_with_holes(graph, &types, &setup.overrides, &mut unsaid);
    channel::group(drafts.into_iter().flatten().collect(), &mut unsaid)
}

/// Reports files with kinds that no `mod` item names. If one has the storage version that a kind lacks, the finding about the
/// kind, which is among those after `before`, says so.
fn undeclared(files: Vec<UndeclaredFile>, kinds: &[Kind], before: usize, sink: &mut Sink) {
    for mut finding in sink.take_after(before) {
        let lacking = kinds.iter().find(|kind| {
            finding.code == Code::NoStorageVersion
                && kind
                    .versions
                    .iter()
                    .any(|draft| Some(draft.span) == finding.span)
        });
        let file = lacking.and_then(|kind| files.iter().find(|of| of.kinds.contains(&kind.kind)));
        if let (Some(file), Some(kind)) = (file, lacking) {
            let has = format!("`{}` has a version of `{}`", file.shown, kind.kind);
            finding.help = Some(format!("{has}: {}", declaration(file)));
        }
        sink.push(finding);
    }
    for file in files {
        let kinds = file.kinds.join("`, `");
        let message = format!("no `mod` item names `{}`, which has `{kinds}`", file.shown);
        let help = format!("{}, or remove the file", declaration(&file));
        sink.push(Diagnostic::new(Code::UndeclaredModule, file.span, message).with_help(help));
    }
}

/// Says which line declares a file.
fn declaration(file: &UndeclaredFile) -> String {
    let line = format!("`pub mod {};`", file.module);
    match &file.parent {
        Some(parent) => format!("add {line} to `{parent}`"),
        None => format!("add {line} to the module above it"),
    }
}

/// `nothing-to-do`
pub fn no_kinds(setup: &Setup, graph: &Graph<'_>) -> Diagnostic {
    let names: Vec<&str> = setup
        .packages
        .iter()
        .filter_map(|id| Some(setup.workspace.package(*id)?.name.as_str()))
        .collect();
    let idle = graph.idle_exclusions();
    let mut left_out = setup.config.bundle.left_out();
    if left_out.any(|path| !idle.contains(&path.value)) {
        let message = format!("every kind in `{}` is left out", names.join("`, `"));
        let help =
            "remove kinds to generate from `exclude` and `pending` in `channels/bundle.toml`";
        return Diagnostic::new(Code::NothingToDo, None, message).with_help(help);
    }
    let message = match &names[..] {
        [] => "no member of the workspace derives `CustomResource`".to_owned(),
        names if names.len() > MOST_NAMED => {
            format!(
                "no type derives `CustomResource` in {} packages",
                names.len()
            )
        }
        names => format!(
            "no type derives `CustomResource` in `{}`",
            names.join("`, `")
        ),
    };
    let help =
        "name the packages that define kinds: `packages = [\"..\"]` in `channels/bundle.toml`";
    Diagnostic::new(Code::NothingToDo, None, message).with_help(help)
}

/// Reports exclusions that match nothing.
pub fn exclusions(config: &Config, graph: &Graph<'_>, sink: &mut Sink) {
    let idle = graph.idle_exclusions();
    let named = config.bundle.left_out();
    for path in named.filter(|path| idle.contains(&path.value)) {
        let message = format!("`{}` is neither a kind nor a module with one", path.value);
        let finding = Diagnostic::new(Code::ConfigInvalid, path.span, message);
        sink.push(finding.with_help(
            "write the path starting with the crate's name, as in `exclude = [\"my_crate::v1::old\"]`",
        ));
    }
}

/// Returns the groups of kinds.
pub fn groups(kinds: &[Kind]) -> BTreeSet<Text> {
    kinds.iter().map(|kind| kind.group.clone()).collect()
}

/// Returns the Kubernetes version of k8s-openapi if no feature chooses one.
#[must_use]
pub fn kubernetes(setup: &Setup) -> Option<String> {
    let mut packages = setup.workspace.packages.iter();
    let open = packages.find(|package| {
        let mut versions = kubernetes_versions(&package.features);
        package.name == "k8s-openapi" && package.built && versions.next().is_none()
    })?;
    let cfgs = cfgs(&setup.config.bundle);
    let stated = cfgs.kubernetes().map(|version| version.to_string());
    stated.or_else(|| open.kubernetes.clone())
}
