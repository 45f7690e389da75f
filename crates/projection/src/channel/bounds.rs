//! The gates that decide how many items, entries or characters a value may have.

use super::gates::condition;
use super::walk;
use crate::render::Selection;
use crd_channels_diagnostics::{Span, Text};
use crd_channels_schema::draft::{Conditional, Draft, Facets, Gate};
use serde_json::Value;
use std::collections::BTreeSet;

/// A bound with a gate.
#[derive(Clone, Copy, Debug)]
pub struct GatedBound<'d> {
    gate: &'d Gate,
    /// The bound while the gate holds.
    pub gated: u64,
    /// The bound without a gate.
    pub always: Option<u64>,
}

impl GatedBound<'_> {
    /// Returns the span of the gate's attribute.
    #[must_use]
    pub fn span(&self) -> Span {
        self.gate.span
    }

    /// Returns true if the gate holds with these features.
    #[must_use]
    pub fn holds(&self, features: &BTreeSet<Text>) -> bool {
        Selection::Features(features).holds(self.gate)
    }

    /// Returns the gate in words: `with the feature ..`.
    #[must_use]
    pub fn condition(&self) -> String {
        condition(self.gate)
    }
}

/// Returns the gated values of a keyword such as `maxItems` for the node at a span, or that many levels below it.
#[must_use]
pub fn gated_bounds<'d>(
    draft: &'d Draft,
    at: Span,
    levels: usize,
    keyword: &str,
) -> Vec<GatedBound<'d>> {
    let types = walk::gated_types([draft]).into_iter();
    let facets = types.flat_map(|ty| {
        let members = walk::members(ty);
        walk::facets(ty, &members).collect::<Vec<_>>()
    });
    let here = facets.filter(|(span, _)| *span == Some(at));
    here.flat_map(|(_, facets)| of_facets(facets, levels, keyword))
        .collect()
}

fn of_facets<'d>(
    facets: &'d Conditional<Facets>,
    levels: usize,
    keyword: &str,
) -> Vec<GatedBound<'d>> {
    let always = bound(&facets.always, levels, keyword);
    let gated = facets.when.iter().filter_map(|(gate, facets)| {
        Some(GatedBound {
            gate,
            gated: bound(facets, levels, keyword)?,
            always,
        })
    });
    gated.collect()
}

fn bound(facets: &Facets, levels: usize, keyword: &str) -> Option<u64> {
    match levels.checked_sub(1) {
        Some(levels) => bound(facets.inner.as_deref()?, levels, keyword),
        None => {
            let extended = facets.extend.iter().find(|(key, _)| **key == *keyword);
            let extended = extended.and_then(|(_, value)| Value::as_u64(value));
            extended.or(facets.max_length)
        }
    }
}

/// Returns the gate of the field at a span, in words (`with the feature ..`), and the span of its attribute.
#[must_use]
pub fn gate_of_field(draft: &Draft, at: Span) -> Option<(String, Span)> {
    let types = walk::gated_types([draft]).into_iter();
    let mut fields = types.flat_map(|ty| walk::members(ty).fields);
    let (_, field) = fields.find(|(_, field)| field.span == at)?;
    let gate = field.gate.as_ref()?;
    Some((condition(gate), gate.span))
}
