//! From the workspace to its kinds and their CRDs: the road that every command goes, one call after the other.

pub mod build;
pub mod memory;
pub mod proof;
pub mod packages;
pub mod publish;
pub mod constants;
mod cut;
mod reasons;
pub mod recorded;
mod said;
mod stated;
mod verdicts;
pub mod watch;

use crate::lower::{self, Overrides};
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Sources, Text};
use crd_channels_files::Read;
use crd_channels_projection::bundle::descriptions;
use crd_channels_projection::channel::config::{Bundle, Config};
use crd_channels_projection::channel::{self, Kind, Run, Stamp};
use crd_channels_projection::render::Cache;
use crd_channels_schema::Crd;
use crd_channels_source::{Cfgs, Graph};
use crd_channels_workspace::{Package, PackageId, Workspace};
use recorded::Entry;
use std::collections::BTreeSet;
use std::path::Path;

/// How many packages are named. More are counted.
const MOST_NAMED: usize = 10;

/// Where the types are, and what the bundle is to be.
#[derive(Clone)]
pub struct Setup {
    /// The workspace.
    pub workspace: Workspace,
    /// What `channels/` says.
    pub config: Config,
    /// The packages whose types are read.
    pub packages: Vec<PackageId>,
    /// What holds in the place of source.
    pub overrides: Overrides,
    /// What was recorded of the compiled types; it is part of the overrides.
    pub recorded: Vec<Entry>,
}

/// The CRDs of one channel, in the order of their names.
pub struct Projected {
    /// The channel's name.
    pub channel: String,
    /// Its CRDs.
    pub crds: Vec<Crd>,
}

/// Reads the configuration and the workspace at `root`. None when something is missing without which nothing can be read.
pub fn setup(root: &Path, files: &dyn Read, sources: &Sources, sink: &mut Sink) -> Option<Setup> {
    setup_as(root, &[], files, sources, sink)
}

/// The same, with the features that a build of these packages turns on; of none, those that the configuration names.
pub fn setup_as(
    root: &Path,
    built: &[String],
    files: &dyn Read,
    sources: &Sources,
    sink: &mut Sink,
) -> Option<Setup> {
    let config = Config::read(files, root, sources, sink)?;
    configured(root, config, built, files, sources, sink)
}

/// The same, with a configuration that was read or made already.
pub(crate) fn configured(
    root: &Path,
    mut config: Config,
    built: &[String],
    files: &dyn Read,
    sources: &Sources,
    sink: &mut Sink,
) -> Option<Setup> {
    config.bundle.build(built);
    constants::guard(&config.bundle, root, files, sink);
    let (workspace, packages) = match packages::load(root, &config, files, sink) {
        Ok(loaded) => loaded,
        Err(finding) => {
            sink.push(*finding);
            return None;
        }
    };
    let recorded = recorded::read(&workspace, root, files, sources, sink);
    let mut overrides = stated::overrides(&config, root, files, sink);
    overrides.records = recorded::records(&recorded);
    Some(Setup {
        workspace,
        config,
        packages,
        overrides,
        recorded,
    })
}

/// The kinds that the packages define, as their source says it.
pub fn read(setup: &Setup, files: &dyn Read, sources: &Sources, sink: &mut Sink) -> Vec<Kind> {
    graph(setup, files, sources, sink).map_or_else(Vec::new, |graph| kinds(setup, &graph, sink))
}

/// What the packages' source is looked up in; nothing of it is read yet. None when the configuration is wrong about it.
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

/// What decides `cfg`s in the packages' source.
pub fn cfgs(bundle: &Bundle) -> Cfgs {
    let mut custom = bundle.cfgs.clone();
    // k8s-openapi's build script asks the same variable where no feature chooses its version.
    if let Ok(version) = std::env::var("K8S_OPENAPI_ENABLED_VERSION") {
        custom.insert(("k8s_openapi_enabled_version".into(), Some(version.into())));
    }
    Cfgs {
        target: bundle.target.value.clone(),
        custom,
    }
}

/// All kinds of the packages, read whole.
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
    underived(workspace, graph, sink);
    let (mut drafts, idle) = lower::drafts_of(graph, &graph.kinds(), overrides, sink);
    stated::kinds(config, &mut drafts, sink);
    stated::idle(config, idle, sink);
    sink.append(graph.take_findings());
    if drafts.is_empty() && !sink.has_errors() {
        sink.push(no_kinds(setup, graph));
    }
    let kinds = channel::group(drafts, sink);
    channel::check(&kinds, config, sink);
    kinds
}

/// Reports attributes that rustc will not know.
fn underived(workspace: &Workspace, graph: &Graph<'_>, sink: &mut Sink) {
    const CRATE: &str = "crd-channels-derive";
    let mut told = BTreeSet::new();
    for (ty, id) in graph.without_derive() {
        let (Some((attribute, span)), Some(package)) = (&ty.def.ours, workspace.package(id)) else {
            continue;
        };
        let is_it = |id: &PackageId| workspace.package(*id).is_some_and(|it| it.name == CRATE);
        let named = package.dependencies.iter().find(|(_, id)| is_it(id));
        let (name, of) = (&package.name, &ty.def.name);
        let (message, help) = match named {
            Some((code, _)) => (
                format!("rustc does not know `#[{attribute}]`: `{of}` lacks the derive `ApiType`"),
                format!("write `#[derive({code}::ApiType)]` above `{of}`"),
            ),
            // One line fixes all of a package.
            None if !told.insert(id) => continue,
            None => (
                format!(
                    "rustc does not know `#[{attribute}]`: `{name}` does not depend on `{CRATE}`"
                ),
                format!(
                    "run `cargo add -p {name} {CRATE}`, and write `#[derive(crd_channels_derive::ApiType)]` above `{of}`"
                ),
            ),
        };
        sink.push(Diagnostic::new(Code::MissingDerive, *span, message).with_help(help));
    }
}

/// `nothing-to-do`
fn no_kinds(setup: &Setup, graph: &Graph<'_>) -> Diagnostic {
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

/// Reports what is to be left out and is not there.
fn exclusions(config: &Config, graph: &Graph<'_>, sink: &mut Sink) {
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

/// The CRDs of all channels, as they are published.
pub fn project(setup: &Setup, kinds: &[Kind], sink: &mut Sink) -> Vec<Projected> {
    if kinds.is_empty() {
        // That was reported, and without kinds there is nothing to stamp.
        return Vec::new();
    }
    let Some(stamp) = stamp(setup, groups(kinds), sink) else {
        return Vec::new();
    };
    channel::check_stamp(&stamp, kinds, &setup.config.channels, sink);
    let cache = Cache::default();
    let run = Run {
        config: &setup.config,
        stamp: &stamp,
        cache: &cache,
    };
    let channels = setup.config.channels.iter();
    let projected = channels.map(|channel| {
        let mut crds = channel::project(kinds, channel, run, sink);
        for crd in &mut crds {
            descriptions::shorten(channel, crd, sink);
        }
        Projected {
            channel: channel.name.to_string(),
            crds,
        }
    });
    projected.collect()
}

/// What every CRD of kinds in these groups carries.
pub fn stamp(setup: &Setup, groups: BTreeSet<Text>, sink: &mut Sink) -> Option<Stamp> {
    channel::stamp(&setup.config.bundle, &packages_of(setup), &groups, sink)
}

/// The version of the bundle that the working tree is.
pub fn version(setup: &Setup, sink: &mut Sink) -> Option<Text> {
    channel::version(&setup.config.bundle, &packages_of(setup), sink)
}

fn packages_of(setup: &Setup) -> Vec<&Package> {
    let packages = setup.packages.iter();
    packages
        .filter_map(|id| setup.workspace.package(*id))
        .collect()
}

/// The groups of kinds.
pub fn groups(kinds: &[Kind]) -> BTreeSet<Text> {
    kinds.iter().map(|kind| kind.group.clone()).collect()
}
