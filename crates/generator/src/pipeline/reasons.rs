//! Finds the gate that makes an expression exceed its cost budget in a channel.

use crd_channels_check::{self as check, Document, FieldPath, Finding, PathElement, Rule};
use crd_channels_diagnostics::Span;
use crd_channels_projection::channel::config::Channel;
use crd_channels_projection::channel::{GatedBound, Kind, gate_of_field, gated_bounds};
use crd_channels_schema::Crd;
use crd_channels_schema::draft::Draft;

/// The reason for a finding in one channel.
pub(super) struct Reason {
    /// The reason, to be appended to the message.
    pub(super) message: String,
    /// The gate's attribute, and its effect.
    pub(super) label: (Span, String),
}

/// A CRD being validated.
#[derive(Clone, Copy)]
pub(super) struct CheckedCrd<'a> {
    pub(super) crd: &'a Crd,
    pub(super) kind: &'a Kind,
    pub(super) channel: &'a Channel,
    /// The oldest minor to validate it for.
    pub(super) minor: u32,
}

/// A bound of a node that affects the cost of a rule, or could.
struct Candidate {
    /// The path of the node, as servers write it.
    node: FieldPath,
    keyword: &'static str,
}

impl<'a> CheckedCrd<'a> {
    /// Returns the gate that causes a finding, if the finding is about an expression's cost and a gate causes it.
    pub(super) fn reason(self, finding: &Finding) -> Option<Reason> {
        let field = finding.field.as_ref()?;
        if finding.rule != Rule::RuleCost {
            return None;
        }
        let draft = self.draft(field)?;
        let bound = finding.bound.as_ref().map(|bound| Candidate {
            node: bound.field.clone(),
            keyword: bound.keyword,
        });
        let above = lists_above(field);
        let mut bounds = bound.iter().chain(&above);
        let by_bound = bounds.find_map(|candidate| self.of_bound(draft, candidate, finding));
        by_bound.or_else(|| self.of_field(draft, &bound.as_ref()?.node))
    }

    fn draft(self, field: &FieldPath) -> Option<&'a Draft> {
        let version = check::version_of(field, self.crd)?;
        let mut drafts = self.kind.versions.iter();
        drafts.find(|draft| draft.version == version.name)
    }

    /// Returns a bound that the channel lacks or has because of a gate, if the expression is cheap enough otherwise.
    fn of_bound(self, draft: &Draft, of: &Candidate, finding: &Finding) -> Option<Reason> {
        let at = check::trail(self.crd, &of.node).place?;
        let levels = check::levels_below_property(&of.node);
        let gated = gated_bounds(draft, at, levels, of.keyword);
        let (keyword, place) = (of.keyword, of.node.in_objects());
        let told = |bound: &GatedBound<'_>| {
            let (holds, channel) = (bound.holds(&self.channel.features), &self.channel.name);
            let (with, gated) = (bound.condition(), bound.gated);
            let otherwise = if holds { bound.always? } else { gated };
            if !self.fits_with(of, otherwise, finding) {
                return None;
            }
            let message = if holds {
                format!(
                    "in channel `{channel}`, {with}, `{keyword}` of `{place}` is {gated} instead of {otherwise}"
                )
            } else {
                format!(
                    "channel `{channel}` does not have `{keyword}: {gated}` of `{place}`, which is only available {with}"
                )
            };
            let label = format!("`{keyword}: {gated}` is only available {with}");
            Some(Reason {
                message,
                label: (bound.span(), label),
            })
        };
        gated.iter().find_map(told)
    }

    /// Returns a gate on the field without a bound, or on a parent of it.
    fn of_field(self, draft: &Draft, node: &FieldPath) -> Option<Reason> {
        let mut ways = above(node.elements());
        ways.find_map(|way| {
            let [.., PathElement::Key(_)] = way else {
                return None;
            };
            let way = FieldPath::from_iter(way.iter().cloned());
            let place = check::trail(self.crd, &way).place?;
            let (with, span) = gate_of_field(draft, place)?;
            let (channel, place) = (&self.channel.name, way.in_objects());
            Some(Reason {
                message: format!(
                    "channel `{channel}` has `{place}`, which is only available {with}"
                ),
                label: (span, format!("it is only available {with}")),
            })
        })
    }

    /// Returns true if a server would not report the finding with another bound.
    fn fits_with(self, of: &Candidate, most: u64, finding: &Finding) -> bool {
        let crd = check::with_bound(self.crd, &of.node, of.keyword, most);
        let findings = Document::of_typed_crd(&crd, &crd.name()).validate(self.minor);
        let same = |other: &Finding| other.rule == finding.rule && other.field == finding.field;
        !findings.iter().any(same)
    }
}

/// Returns the lists and maps above the node of a rule, innermost first.
fn lists_above(field: &FieldPath) -> Vec<Candidate> {
    let candidates = above(field.elements()).filter_map(|path| {
        let (last, node) = path.split_last()?;
        let keyword = match last {
            PathElement::Child(name) if name == "items" => "maxItems",
            PathElement::Child(name) if name == "additionalProperties" => "maxProperties",
            _ => return None,
        };
        let node = node.iter().cloned().collect();
        Some(Candidate { node, keyword })
    });
    candidates.collect()
}

/// Returns a path and those above it, innermost first.
fn above(path: &[PathElement]) -> impl Iterator<Item = &[PathElement]> {
    (0..=path.len()).rev().filter_map(|end| path.get(..end))
}
