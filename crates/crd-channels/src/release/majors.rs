//! Checks that a major bundle has a new API version that is GA.

use crd_channels_compat::{Channel, Set, is_ga};
use crd_channels_diagnostics::{Code, Diagnostic};
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_schema::Version;
use std::collections::BTreeSet;

/// Returns why a bundle may not be a major one. `breaking` names a change that a minor bundle may not carry either.
pub(super) fn unfinished(
    version: &BundleVersion,
    old: Option<&Set>,
    new: &Set,
    breaking: Option<&str>,
) -> Option<Diagnostic> {
    let minor = |or: &str| match breaking {
        None => format!("release a minor bundle, or {or}"),
        Some(breaking) => {
            format!("{or}; or undo what a minor bundle may not carry, such as {breaking}")
        }
    };
    let came = old.map(|old| new_versions(old, new));
    if came.as_ref().is_some_and(BTreeSet::is_empty) {
        return Some(rejection(
            format!("{version} is a major bundle without a new API version in the stable channel"),
            &minor("add the GA version that the major is for, such as `v2`, to the stable channel"),
        ));
    }
    if !has_ga_version(new) {
        return Some(rejection(
            format!(
                "{version} is a major bundle, and no kind of the stable channel has a GA version such as `v1`"
            ),
            &minor("give a version of a kind a GA name such as `v1`"),
        ));
    }
    let came = came?;
    if came.iter().any(|(_, version)| is_ga(version)) {
        return None;
    }
    let came = came
        .iter()
        .map(|(kind, version)| format!("`{version}` of `{kind}`"));
    let came: Vec<String> = came.collect();
    Some(rejection(
        format!(
            "{version} is a major bundle, and its new API versions in the stable channel are not GA: {}",
            came.join(", ")
        ),
        &minor("give the version that the major is for a GA name such as `v2`"),
    ))
}

/// Whether the set has what a major bundle requires.
pub(super) fn is_finished(old: Option<&Set>, new: &Set) -> bool {
    let came = old.map(|old| new_versions(old, new));
    has_ga_version(new) && came.is_none_or(|came| came.iter().any(|(_, version)| is_ga(version)))
}

/// Returns the versions that the stable channel newly serves, each after its kind.
fn new_versions<'s>(old: &Set, new: &'s Set) -> BTreeSet<(&'s str, &'s str)> {
    let all = |set: &'s Set| {
        let crds = set.channel(Channel::Stable).into_iter();
        crds.flat_map(|crds| crds.values()).flat_map(|published| {
            let versions = published.crd.versions.iter();
            versions.map(|version| (&published.crd, version))
        })
    };
    let was = |name: &str, version: &str| {
        let crds = old.channel(Channel::Stable);
        let crd = crds.and_then(|crds| crds.get(name));
        let is_it = |known: &Version| known.served && *known.name == *version;
        crd.is_some_and(|crd| crd.crd.versions.iter().any(is_it))
    };
    let served = all(new).filter(|(_, version)| version.served);
    let came = served.filter(|(crd, version)| !was(&crd.name(), &version.name));
    came.map(|(crd, version)| (&*crd.names.kind, &*version.name))
        .collect()
}

/// Whether a kind of the stable channel serves a version that is neither alpha nor beta.
fn has_ga_version(set: &Set) -> bool {
    let crds = set.channel(Channel::Stable).into_iter();
    let mut versions = crds
        .flat_map(|crds| crds.values())
        .flat_map(|published| &published.crd.versions);
    versions.any(|version| version.served && is_ga(&version.name))
}

fn rejection(message: String, help: &str) -> Diagnostic {
    Diagnostic::new(Code::ReleaseRefused, None, message).with_help(help)
}
