//! Finds the Rust source of a change. Published CRDs do not have it; the types do, by kind, version and path.

use super::lifecycle::Key;
use crd_channels_compat::{Finding, property_path};
use crd_channels_diagnostics::{Sources, Span};
use crd_channels_projection::channel::Kind;
use crd_channels_projection::channel::places::{
    SourceLocation, declaring, holder, locate, locate_condition, locate_value,
};
use crd_channels_schema::draft::{Draft, Type};

/// The released types.
#[derive(Clone, Copy)]
pub struct Tree<'a> {
    /// Their kinds.
    pub kinds: &'a [Kind],
    /// The texts that their spans point into.
    pub sources: &'a Sources,
}

/// A type that a tombstone is on.
#[derive(Clone, Copy)]
pub struct Holder<'a> {
    /// Its name.
    pub name: &'a str,
    /// The span of its name.
    pub span: Span,
}

impl<'a> Tree<'a> {
    /// Whether its kinds are read from CRDs, so that advice must not name attributes.
    #[must_use]
    pub fn is_of_crds(self) -> bool {
        self.kinds.iter().any(|kind| kind.crds.is_some())
    }

    /// Whether a version of a finding's kind has the path.
    #[must_use]
    pub fn has_path(self, finding: &Finding) -> bool {
        let mut drafts = self.of_kind(finding);
        drafts.any(|draft| locate(draft, &finding.path).exact)
    }

    /// Sets the span of each finding that has a place in these types.
    pub fn place(self, findings: &mut [Finding]) {
        for finding in findings {
            finding.origin = self.span(finding).or(finding.origin);
        }
    }

    /// Returns the span of a version, or that of its kind if the version is gone.
    #[must_use]
    pub fn version(self, key: &Key) -> Option<Span> {
        let kinds = self.kinds.iter();
        let mut kinds = kinds.filter(|kind| (&kind.group, &kind.kind) == (&key.group, &key.kind));
        let drafts = &kinds.next()?.versions;
        let same = drafts.iter().find(|draft| draft.version == key.version);
        Some(same.or(drafts.first())?.span)
    }

    /// Returns the type of this workspace to which a finding's tombstone belongs.
    #[must_use]
    pub fn holder(self, finding: &Finding) -> Option<Holder<'a>> {
        let path = &*finding.path;
        let of_type = |ty: &'a Type| Some((&ty.name, ty.span?));
        let holders = self.drafts(finding).flat_map(|draft| {
            let enums = declaring(draft, path).map(|of| (&of.name, of.span));
            enums
                .into_iter()
                .chain(holder(draft, path).and_then(of_type))
        });
        let mut holders = holders.map(|(name, span)| Holder { name, span });
        holders.find(|holder| {
            let file = self.sources.get(holder.span.file);
            file.is_some_and(|file| !file.foreign)
        })
    }

    fn span(self, finding: &Finding) -> Option<Span> {
        let drafts = || self.drafts(finding);
        if !is_in_objects(finding) {
            return Some(drafts().next()?.span);
        }
        let member = finding.change.member.as_deref();
        let values = |name| drafts().find_map(|draft| locate_value(draft, &finding.path, name));
        if let Some(value) = member.and_then(values) {
            return Some(value);
        }
        let reason = member.unwrap_or_default();
        let conditions =
            || drafts().filter_map(|draft| locate_condition(draft, &finding.path, reason));
        let known = conditions()
            .find(|place| place.exact)
            .or(conditions().next());
        if let Some(place) = known.filter(|_| !is_of_tombstone(finding)) {
            return Some(place.span);
        }
        let mut path = finding.path.clone();
        if let (true, Some(name)) = (is_of_tombstone(finding), member) {
            path = property_path(&path, name);
        }
        let mut places: Vec<SourceLocation> = drafts().map(|draft| locate(draft, &path)).collect();
        if is_of_other_version(finding) {
            let all = self.of_kind(finding);
            places.extend(all.map(|draft| locate(draft, &path)));
        }
        // A part that is missing in one version may exist in another.
        let exact = places.iter().find(|place| place.exact);
        let holder = || self.holder(finding).filter(|_| is_of_tombstone(finding));
        match exact {
            Some(place) => Some(place.span),
            None => holder().map_or_else(|| Some(places.first()?.span), |holder| Some(holder.span)),
        }
    }

    fn of_kind(self, finding: &Finding) -> impl Iterator<Item = &'a Draft> {
        let of = (&*finding.group, &*finding.kind);
        let kinds = self.kinds.iter();
        let kinds = kinds.filter(move |kind| (&*kind.group, &*kind.kind) == of);
        kinds.flat_map(|kind| &kind.versions)
    }

    /// Returns the versions that a finding is about; all versions of its kind if it names none or a missing one.
    fn drafts(self, finding: &Finding) -> impl Iterator<Item = &'a Draft> {
        let drafts: Vec<&Draft> = self.of_kind(finding).collect();
        let version = match finding.path.strip_prefix("spec.versions[") {
            Some(rest) => rest.split(']').next().unwrap_or_default().to_owned(),
            None => finding.version.to_string(),
        };
        let there = drafts.iter().any(|draft| *draft.version == *version);
        let drafts = drafts.into_iter();
        drafts.filter(move |draft| !there || *draft.version == *version)
    }
}

/// Whether the finding is about something that one version lacks and another has.
fn is_of_other_version(finding: &Finding) -> bool {
    ["versions-differ-in-properties", "property-in-one-version"].contains(&finding.record.id)
}

/// Whether the path leads into objects rather than into the CRD.
fn is_in_objects(finding: &Finding) -> bool {
    let of_version = !finding.version.is_empty() && !finding.path.starts_with("spec.versions[");
    of_version || is_of_tombstone(finding)
}

/// Whether the finding is about a name in objects that has, or should have, a tombstone.
fn is_of_tombstone(finding: &Finding) -> bool {
    let whole = finding.path == "." && finding.change.member.is_none();
    finding.record.id.starts_with("tombstone-")
        && !whole
        && !finding.path.starts_with("spec.versions[")
}
