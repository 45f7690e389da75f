//! The part of one kind that affects the rest of a bundle.

use super::kinds::Kind;
use super::walk;
use crd_channels_diagnostics::Text;
use crd_channels_schema::draft::{Draft, Gate};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Returns everything of a kind that affects other kinds: its names with their gates, its versions, and the features of its
/// gates. While this key stays the same, findings about other kinds stay the same.
#[must_use]
pub fn interface_key(kind: &Kind) -> String {
    let mut key = kind.crd_name();
    for draft in &kind.versions {
        let Draft {
            group,
            version,
            kind,
            plural,
            singular,
            list_kind,
            gate,
            replaced_by,
            facets,
            ..
        } = draft;
        // Writing to a string cannot fail.
        let _ = write!(
            key,
            "|{group}/{version} {kind} {plural} {singular} {list_kind:?} {replaced_by:?} {:?}",
            gate.as_ref().map(shown)
        );
        let always = (None, &facets.always);
        let gated = facets.when.iter();
        let gated = gated.map(|(gate, facets)| (Some(shown(gate)), facets));
        for (gate, facets) in std::iter::once(always).chain(gated) {
            // Only a generated warning names a replacement.
            let deprecated = facets.deprecated.as_ref();
            let deprecated = deprecated.map(|deprecated| deprecated.warning.is_none());
            let short_names: Vec<_> = facets.short_names.iter().map(|name| &name.value).collect();
            let _ = write!(key, " {gate:?} {short_names:?} {deprecated:?}");
        }
    }
    let features: BTreeSet<&Text> = kind
        .versions
        .iter()
        .flat_map(walk::gates)
        .map(|gate| &gate.feature)
        .collect();
    let _ = write!(key, "|{features:?}");
    key
}

/// Returns a gate without its span.
fn shown(gate: &Gate) -> (&Text, bool) {
    (&gate.feature, gate.on)
}
