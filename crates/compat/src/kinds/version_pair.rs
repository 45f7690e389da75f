//! A kind in two bundles, version by version.

use crate::findings::Change;
use crate::findings::verdict::Need;
use crd_channels_projection::channel::{ApiVersion, Stability};
use crd_channels_schema::{Crd, Version};

/// A kind in two bundles, by its versions.
#[derive(Clone, Copy)]
pub(crate) struct Versions<'a> {
    pub(crate) old: &'a Crd,
    pub(crate) new: &'a Crd,
    /// The kind in every earlier bundle that has it, oldest first.
    pub(crate) past: &'a [&'a Crd],
    /// Whether all earlier bundles are known.
    pub(crate) whole_past: bool,
    /// The experimental CRD of a stable kind in the new bundle.
    pub(crate) tried: Option<&'a Crd>,
    /// The same in the old bundle.
    pub(crate) tried_before: Option<&'a Crd>,
    /// Whether what is new in the stable channel must have been experimental.
    pub(crate) tried_first: bool,
    /// The stable CRD of an experimental kind in the old bundle.
    pub(crate) stable_before: Option<&'a Crd>,
}

pub(super) type Changes<'a> = Vec<(&'a Version, Change)>;

/// The version of that name.
pub(crate) fn version_named<'a>(crd: &'a Crd, name: &str) -> Option<&'a Version> {
    crd.versions.iter().find(|version| *version.name == *name)
}

impl<'a> Versions<'a> {
    pub(super) fn added(self) -> impl Iterator<Item = &'a Version> {
        let old = self.old;
        let versions = self.new.versions.iter();
        versions.filter(move |version| version_named(old, &version.name).is_none())
    }

    pub(super) fn gone(self) -> impl Iterator<Item = &'a Version> {
        let versions = self.old.versions.iter();
        versions.filter(move |version| version_named(self.new, &version.name).is_none())
    }

    /// Whether a removed version went back to the experimental channel without being deprecated first.
    pub(super) fn is_demoted(self, gone: &Version) -> bool {
        let is_there = |tried| version_named(tried, &gone.name).is_some();
        gone.served && !gone.deprecated && self.tried.is_some_and(is_there)
    }

    /// A version in every earlier bundle that has it, latest first.
    pub(super) fn past(self, name: &'a str) -> impl Iterator<Item = &'a Version> + Clone {
        let past = self.past.iter().rev();
        past.filter_map(move |crd| version_named(crd, name))
    }

    /// Whether the users of a version were warned of its removal: it was deprecated in the last bundle that served it, or in a
    /// later one. If no bundle served it, that needs no warning, provided
    /// that all earlier bundles are known.
    pub(super) fn had_warning(self, name: &'a str) -> bool {
        let mut past = self.past(name);
        let last = past.find(|version| version.served || version.deprecated);
        last.map_or(self.whole_past, |version| version.deprecated)
    }

    /// What the loss of a part of a version needs. What only the experimental channel had may go in any minor.
    pub(super) fn loss(self, of: &Version, has_part: impl Fn(&Version) -> bool) -> Need {
        let stable = self
            .stable_before
            .and_then(|crd| version_named(crd, &of.name));
        match stable {
            Some(stable) if !has_part(stable) => Need::MINOR,
            _ => Need::VERSION,
        }
    }

    pub(super) fn both(self) -> impl Iterator<Item = (&'a Version, &'a Version)> {
        let new = self.new;
        let versions = self.old.versions.iter();
        versions.filter_map(move |old| Some((old, version_named(new, &old.name)?)))
    }
}

pub(super) fn changed<'a>(
    versions: Versions<'a>,
    decide: impl Fn(&'a Version, &'a Version) -> Option<Change>,
) -> Changes<'a> {
    let both = versions.both();
    both.filter_map(|(old, new)| Some((new, decide(old, new)?)))
        .collect()
}

/// Whether a version is neither alpha nor beta: `v1`, `v2`.
#[must_use]
pub fn is_ga(name: &str) -> bool {
    let number = name.strip_prefix('v').unwrap_or("");
    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether all versions of a kind are alpha, which promise nothing: `v1alpha1`.
#[must_use]
pub fn is_alpha_only(crd: &Crd) -> bool {
    let stability = |name: &str| ApiVersion::parse(name).map(|it| it.stability);
    let mut versions = crd.versions.iter();
    versions.all(|version| stability(&version.name) == Some(Stability::Alpha))
}
