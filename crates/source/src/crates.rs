//! The crates of a workspace: their names, and the crates that they refer to by name.

use super::ids::CrateId;
use crd_channels_diagnostics::Text;
use crd_channels_syntax::known;
use crd_channels_workspace::{PackageId, Target, Workspace};
use std::collections::{BTreeMap, BTreeSet};

/// One library or binary target.
#[derive(Debug)]
pub(super) struct CrateInfo {
    /// Its name in messages and identities, which is unique.
    pub(super) shown: Text,
    /// Its package.
    pub(super) package: PackageId,
    /// Its target.
    pub(super) target: Target,
}

/// The crate that a name refers to.
#[derive(Clone, Debug)]
pub(super) enum Extern {
    /// A crate whose source is read.
    Crate(CrateId),
    /// A crate whose source is never read.
    Known(Text),
}

/// All crates of a workspace, in the order of packages and targets.
pub(super) fn crates(workspace: &Workspace) -> Vec<CrateInfo> {
    let mut crates = Vec::new();
    for (index, package) in workspace.packages.iter().enumerate() {
        for target in &package.targets {
            crates.push(CrateInfo {
                shown: Text::from(target.name.as_str()),
                package: PackageId(index),
                target: target.clone(),
            });
        }
    }
    // Names become unique by what best distinguishes them for a reader: binary or library, then the version, and finally a
    // number.
    tell_apart(&mut crates, |info| {
        let kind = if info.target.lib { "" } else { "(bin)" };
        kind.to_owned()
    });
    tell_apart(&mut crates, |info| {
        let package = workspace.packages.get(info.package.0);
        package.map_or_else(String::new, |package| format!("@{}", package.version))
    });
    tell_apart(&mut crates, |info| {
        let package = workspace.packages.get(info.package.0);
        package.map_or_else(String::new, |package| format!("({})", package.name))
    });
    let mut seen: BTreeMap<Text, usize> = BTreeMap::new();
    for info in &mut crates {
        let times = seen.entry(info.shown.clone()).or_default();
        *times += 1;
        if *times > 1 {
            info.shown = Text::from(format!("{}#{times}", info.shown));
        }
    }
    crates
}

/// Adds a mark to every name that several crates share.
fn tell_apart(crates: &mut [CrateInfo], mark: impl Fn(&CrateInfo) -> String) {
    let mut seen = BTreeSet::new();
    let mut several = BTreeSet::new();
    for info in crates.iter() {
        if !seen.insert(info.shown.clone()) {
            several.insert(info.shown.clone());
        }
    }
    for info in crates
        .iter_mut()
        .filter(|info| several.contains(&info.shown))
    {
        info.shown = Text::from(format!("{}{}", info.shown, mark(info)));
    }
}

/// The library of the package with this name; if there are several versions, the one that kube uses.
pub(super) fn library(
    workspace: &Workspace,
    crates: &[CrateInfo],
    package: &str,
) -> Option<CrateId> {
    let name = package.replace('-', "_");
    let kube = workspace.packages.iter().find(|of| of.name == "kube-core");
    let used = kube.and_then(|kube| kube.dependencies.get(&name)).copied();
    let any = || {
        let named = workspace.packages.iter().position(|of| of.name == package);
        named.map(PackageId)
    };
    let package = used.or_else(any)?;
    let index = crates
        .iter()
        .position(|info| info.package == package && info.target.lib)?;
    Some(CrateId(u32::try_from(index).ok()?))
}

/// The crate that a package's code calls `name`: a dependency, a binary's own library, or the standard library.
pub(super) fn crate_named(
    workspace: &Workspace,
    crates: &[CrateInfo],
    from: &CrateInfo,
    name: &str,
) -> Option<Extern> {
    let library = |package: PackageId| {
        let index = crates
            .iter()
            .position(|info| info.package == package && info.target.lib)?;
        Some((CrateId(u32::try_from(index).ok()?), crates.get(index)?))
    };
    let package = workspace.packages.get(from.package.0)?;
    if let Some(&dependency) = package.dependencies.get(name) {
        let found = library(dependency);
        let to = workspace.packages.get(dependency.0)?;
        let built_in =
            known::BUILT_IN.contains(&to.name.as_str()) && !workspace.members.contains(&dependency);
        return match found {
            Some((id, _)) if !built_in => Some(Extern::Crate(id)),
            Some((_, info)) => Some(Extern::Known(Text::from(info.target.name.as_str()))),
            None => Some(Extern::Known(Text::from(to.name.replace('-', "_")))),
        };
    }
    if !from.target.lib
        && let Some((id, info)) = library(from.package)
        && info.target.name == name
    {
        return Some(Extern::Crate(id));
    }
    known::is_std(name).then(|| Extern::Known(Text::from("std")))
}
