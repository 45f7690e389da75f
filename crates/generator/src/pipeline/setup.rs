//! The input of a run: workspace, configuration, overrides.

use super::recorded::{self, Entry};
use super::{constants, packages, stated};
use crate::lower::Overrides;
use crd_channels_diagnostics::{Sink, Sources, Text};
use crd_channels_files::Read;
use crd_channels_projection::channel::config::Config;
use crd_channels_projection::channel::{self, Stamp};
use crd_channels_workspace::{Package, PackageId, Workspace};
use std::collections::BTreeSet;
use std::path::Path;

/// The workspace and the configuration of the bundle.
#[derive(Clone)]
pub struct Setup {
    /// The workspace.
    pub workspace: Workspace,
    /// The configuration below `channels/`.
    pub config: Config,
    /// The packages whose types are read.
    pub packages: Vec<PackageId>,
    /// Schemas and values that replace source.
    pub overrides: Overrides,
    /// The records of the compiled types, which are part of the overrides.
    pub recorded: Vec<Entry>,
}

impl Setup {
    /// Uses records that may not hold any more, with a warning about each, where they cannot be asked for again: in another
    /// revision, or while source is edited.
    pub fn keep_stale_records(&mut self, sink: &mut Sink) {
        for entry in &mut self.recorded {
            entry.warning().into_iter().for_each(|it| sink.push(it));
            entry.stale = None;
        }
        self.overrides.records = recorded::records(&self.recorded);
    }
}

/// Reads the configuration and the workspace at `root`. Returns `None` if something that everything else needs is missing.
pub fn setup(root: &Path, files: &dyn Read, sources: &Sources, sink: &mut Sink) -> Option<Setup> {
    setup_as(root, &[], files, sources, sink)
}

/// Does the same with the features that a build of these packages enables, or those of the configured packages if there are
/// none.
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

/// Does the same with a given configuration.
pub(crate) fn configured(
    root: &Path,
    mut config: Config,
    built: &[String],
    files: &dyn Read,
    sources: &Sources,
    sink: &mut Sink,
) -> Option<Setup> {
    config.bundle.build(built);
    if config.is_of_crds() {
        return Some(setup_of_crds(root, config));
    }
    constants::guard(&config.bundle, root, files, sink);
    let (workspace, packages) = match packages::load(root, &config, files, sink) {
        Ok(loaded) => loaded,
        Err(finding) => {
            sink.push(*finding);
            return None;
        }
    };
    let recorded = recorded::read_records(&workspace, root, files, sources, sink);
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

/// Returns the input of a run whose source is CRDs, which needs no cargo.
#[must_use]
pub fn setup_of_crds(root: &Path, config: Config) -> Setup {
    Setup {
        workspace: Workspace {
            root: root.to_path_buf(),
            ..Workspace::default()
        },
        config,
        packages: Vec::new(),
        overrides: Overrides::default(),
        recorded: Vec::new(),
    }
}

/// Returns the stamp of the CRDs of kinds in these groups.
pub fn stamp(setup: &Setup, groups: BTreeSet<Text>, sink: &mut Sink) -> Option<Stamp> {
    channel::stamp(&setup.config.bundle, &packages_of(setup), &groups, sink)
}

/// Returns the bundle version of the working tree.
pub fn version(setup: &Setup, sink: &mut Sink) -> Option<Text> {
    channel::version(&setup.config.bundle, &packages_of(setup), sink)
}

fn packages_of(setup: &Setup) -> Vec<&Package> {
    let packages = setup.packages.iter();
    packages
        .filter_map(|id| setup.workspace.package(*id))
        .collect()
}
