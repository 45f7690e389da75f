//! From the workspace to the texts of every channel: the whole road, one call after the other.

use super::stated;
use crate::bundle::sizes::{self, Size};
use crate::bundle::{descriptions, layout};
use crate::channel::config::Config;
use crate::channel::{self, Kind, Run};
use crate::diag::{Code, Diagnostic, Sink, nearest};
use crate::files::{Read, Sources};
use crate::lower;
use crate::render::Cache;
use crate::schema::Crd;
use crate::source::{Cfgs, Graph};
use crate::workspace::{self, Package, PackageId, Workspace};
use std::path::Path;

/// Links may lead folders back into themselves.
const DEEPEST_FOLDER: usize = 24;

/// Where the types are, and what the bundle is to be.
pub struct Setup {
    /// The workspace.
    pub workspace: Workspace,
    /// What `channels/` says.
    pub config: Config,
    /// The packages whose types are read.
    pub packages: Vec<PackageId>,
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
    let config = Config::read(files, root, sources, sink)?;
    let workspace = match workspace::load(root, &config.bundle.target.value) {
        Ok(workspace) => workspace,
        Err(finding) => {
            sink.push(*finding);
            return None;
        }
    };
    let packages = packages(&workspace, &config, files, sink);
    Some(Setup {
        workspace,
        config,
        packages,
    })
}

/// The kinds that the packages define, as their source says it.
pub fn read(setup: &Setup, files: &dyn Read, sources: &Sources, sink: &mut Sink) -> Vec<Kind> {
    let Setup {
        workspace,
        config,
        packages,
    } = setup;
    let mut custom = config.bundle.cfgs.clone();
    // k8s-openapi's build script asks the same variable where no feature chooses its version.
    if let Ok(version) = std::env::var("K8S_OPENAPI_ENABLED_VERSION") {
        custom.insert(("k8s_openapi_enabled_version".into(), Some(version.into())));
    }
    let cfgs = Cfgs {
        target: config.bundle.target.value.clone(),
        custom,
    };
    if let Err(message) = cfgs.check_target() {
        sink.push(Diagnostic::new(
            Code::ConfigInvalid,
            config.bundle.target.span,
            message,
        ));
        return Vec::new();
    }
    let overrides = stated::overrides(config, &workspace.root, files, sink);
    let graph =
        Graph::new(workspace, files, sources, cfgs).with_stated(overrides.schemas.keys().cloned());
    graph.load(packages, sink);
    let mut drafts = lower::drafts(&graph, &overrides, sink);
    stated::storage(config, &mut drafts, sink);
    sink.append(graph.take_findings());
    if drafts.is_empty() && !sink.has_errors() {
        let names: Vec<&str> = packages
            .iter()
            .filter_map(|id| Some(workspace.package(*id)?.name.as_str()))
            .collect();
        let message = match names.join("`, `").as_str() {
            "" => "no member of the workspace derives `CustomResource`".to_owned(),
            names => format!("no type derives `CustomResource` in `{names}`"),
        };
        let help =
            "name the packages that define kinds: `packages = [\"..\"]` in `channels/bundle.toml`";
        sink.push(Diagnostic::new(Code::NothingToDo, None, message).with_help(help));
    }
    let kinds = channel::group(drafts, sink);
    channel::check(&kinds, config, sink);
    kinds
}

/// The CRDs of the channels that `wanted` names, all of them when it names none.
pub fn project(
    setup: &Setup,
    kinds: &[Kind],
    wanted: &[String],
    sink: &mut Sink,
) -> Vec<Projected> {
    let config = &setup.config;
    for name in wanted {
        let names = || config.channels.iter().map(|channel| &*channel.name);
        if !names().any(|known| known == name) {
            let help = match nearest(name, names()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("there are: {}", names().collect::<Vec<_>>().join(", ")),
            };
            sink.push(
                Diagnostic::new(
                    Code::ConfigInvalid,
                    None,
                    format!("no channel is called `{name}`"),
                )
                .with_help(help),
            );
        }
    }
    if kinds.is_empty() {
        // That was reported, and without kinds there is nothing to stamp.
        return Vec::new();
    }
    let packages: Vec<&Package> = setup
        .packages
        .iter()
        .filter_map(|id| setup.workspace.package(*id))
        .collect();
    let Some(stamp) = channel::stamp(&config.bundle, &packages, kinds, sink) else {
        return Vec::new();
    };
    let cache = Cache::default();
    let run = Run {
        config,
        stamp: &stamp,
        cache: &cache,
    };
    config
        .channels
        .iter()
        .filter(|channel| wanted.is_empty() || wanted.iter().any(|name| **name == *channel.name))
        .map(|channel| Projected {
            channel: channel.name.to_string(),
            crds: channel::project(kinds, channel, run, sink),
        })
        .collect()
}

/// Leaves out descriptions as each channel's policy says.
pub fn shorten(setup: &Setup, channels: &mut [Projected], sink: &mut Sink) {
    for Projected { channel, crds } in channels {
        let Some(channel) = setup
            .config
            .channels
            .iter()
            .find(|known| *known.name == **channel)
        else {
            continue;
        };
        for crd in crds {
            let policy = channel.descriptions.of(&crd.name());
            if let Err(warning) = descriptions::apply(&policy, crd) {
                sink.push(warning);
            }
        }
    }
}

/// The files of one channel, relative to the output folder; says which of them are larger than what installs them takes.
pub fn texts(setup: &Setup, projected: &Projected, sink: &mut Sink) -> Vec<(String, String)> {
    let Projected { channel, crds } = projected;
    let mut channels = setup.config.channels.iter();
    let budget = channels
        .find(|known| *known.name == **channel)
        .and_then(|known| known.size_budget.as_ref());
    if let Some(budget) = budget {
        let warnings = sizes::over_budget(budget, channel, crds);
        warnings.into_iter().for_each(|finding| sink.push(finding));
    }
    let files = match layout::files(channel, crds) {
        Ok(files) => files,
        Err(findings) => {
            findings.into_iter().for_each(|finding| sink.push(finding));
            return Vec::new();
        }
    };
    let large: Vec<Size> = crds
        .iter()
        .zip(&files)
        .filter(|(_, (_, yaml))| sizes::could_exceed(yaml))
        .map(|(crd, (_, yaml))| Size::of(crd, yaml.len()))
        .collect();
    sizes::warnings(channel, &large)
        .into_iter()
        .for_each(|finding| sink.push(finding));
    files
}

/// The sizes of one channel's CRDs as a table.
pub fn size_table(projected: &Projected, files: &[(String, String)]) -> String {
    let sizes: Vec<Size> = projected
        .crds
        .iter()
        .zip(files)
        .map(|(crd, (_, yaml))| Size::of(crd, yaml.len()))
        .collect();
    sizes::table(&projected.channel, &sizes)
}

/// The configured packages, else every member whose sources mention the derive.
fn packages(
    workspace: &Workspace,
    config: &Config,
    files: &dyn Read,
    sink: &mut Sink,
) -> Vec<PackageId> {
    let configured = &config.bundle.packages;
    if configured.is_empty() {
        let mentions = |id: &PackageId| {
            workspace.package(*id).is_some_and(|package| {
                let folders = package
                    .targets
                    .iter()
                    .filter_map(|target| target.root.parent());
                folders
                    .into_iter()
                    .any(|folder| mentions_kinds(folder, files, 0))
            })
        };
        return workspace.members.iter().copied().filter(mentions).collect();
    }
    let mut found = Vec::new();
    for name in configured {
        match workspace.member(&name.value) {
            Some(id) => found.push(id),
            None => {
                let names = || {
                    workspace
                        .members
                        .iter()
                        .filter_map(|id| Some(workspace.package(*id)?.name.as_str()))
                };
                let help = match nearest(&name.value, names()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("members: {}", names().collect::<Vec<_>>().join(", ")),
                };
                let message = format!("package `{}` is no member of the workspace", name.value);
                sink.push(
                    Diagnostic::new(Code::PackageNotFound, name.span, message).with_help(help),
                );
            }
        }
    }
    found
}

/// Whether any source file in the folder or below names the derive. Cheaper than reading the package, and never wrong to
/// say yes.
fn mentions_kinds(folder: &Path, files: &dyn Read, depth: usize) -> bool {
    const DERIVE: &[u8] = b"CustomResource";
    if depth == DEEPEST_FOLDER {
        return false;
    }
    let entries = files.list(folder).unwrap_or_default();
    entries.iter().any(|path| {
        if !files.is_file(path) {
            return mentions_kinds(path, files, depth + 1);
        }
        let source = path.extension().is_some_and(|extension| extension == "rs");
        source
            && files
                .read(path)
                .is_ok_and(|bytes| bytes.windows(DERIVE.len()).any(|window| window == DERIVE))
    })
}
