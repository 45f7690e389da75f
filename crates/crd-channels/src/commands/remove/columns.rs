//! Finds columns and selectable fields whose field is removed.

use super::rejection;
use crate::commands::edited_tree::Edited;
use crd_channels_compat::{Published, Set};
use crd_channels_diagnostics::{Sink, Spanned};
use crd_channels_schema::Version;
use crd_channels_schema::draft::Draft;

/// Reports columns that the types still name but that the CRDs lack without the feature, because their field is gone.
pub fn check(wanted: &Set, edited: &Edited, feature: &str, sink: &mut Sink) {
    for draft in edited.kinds.iter().flat_map(|kind| &kind.versions) {
        for facets in draft.facets.all() {
            let columns = facets.columns.iter().map(
                |Spanned {
                     value: column,
                     span,
                 }| {
                    let has = |version: &Version| version.columns.contains(column);
                    (
                        &column.name,
                        span,
                        is_lost(draft, wanted, &edited.after, has),
                    )
                },
            );
            let fields = facets
                .selectable_fields
                .iter()
                .map(|Spanned { value: path, span }| {
                    let has = |version: &Version| version.selectable_fields.contains(path);
                    (path, span, is_lost(draft, wanted, &edited.after, has))
                });
            for (name, span, _) in columns.chain(fields).filter(|(.., lost)| *lost) {
                let why = format!(
                    "the column or selectable field `{name}` reads a field that would be removed"
                );
                let help = format!(
                    "remove it, or put it under the same gate: `#[experimental(feature = \"{feature}\", kube(..))]`"
                );
                sink.push(rejection(feature, &why, &help).at(Some(*span)));
            }
        }
    }
}

/// Whether a channel would have something that its version should lack.
fn is_lost(draft: &Draft, wanted: &Set, is: &Set, has: impl Fn(&Version) -> bool) -> bool {
    let of = |published: Option<&Published>| {
        let versions = published
            .into_iter()
            .flat_map(|published| &published.crd.versions);
        let mut same = versions.filter(|version| version.name == draft.version);
        same.any(&has)
    };
    let name = draft.crd_name();
    let mut known = is.channels.iter();
    let mut others = is.others.iter();
    known.any(|(channel, crds)| {
        let before = wanted.channels.get(channel);
        of(crds.get(&*name)) && !of(before.and_then(|crds| crds.get(&*name)))
    }) || others.any(|(channel, crds)| {
        let before = wanted.others.get(channel);
        of(crds.get(&*name)) && !of(before.and_then(|crds| crds.get(&*name)))
    })
}
