//! Types that are the same version of the same kind: all but one of them are to be excluded.

use crate::diag::{Code, Diagnostic, Span};
use crate::source::Graph;
use std::collections::{BTreeMap, BTreeSet};

/// A type's place, and its full path.
type Found = (Span, String);

/// The full paths of the types that stand in the way, sorted.
#[must_use]
pub fn in_the_way(graph: &Graph<'_>, findings: &[Diagnostic]) -> Vec<String> {
    let paths: BTreeMap<Span, String> = graph
        .kinds()
        .into_iter()
        .map(|ty| {
            let name = graph.name_of(&ty);
            (ty.def.span, format!("{}::{}", name.module, name.name))
        })
        .collect();
    let found = |span: Span| Some((span, paths.get(&span)?.clone()));
    let mut twins: BTreeMap<Span, BTreeSet<Found>> = BTreeMap::new();
    for finding in findings {
        let first = finding.labels.first().map(|label| label.span);
        if finding.code == Code::DuplicateVersion
            && let Some(first) = first
        {
            let of_version = twins.entry(first).or_default();
            of_version.extend(
                [finding.span, Some(first)]
                    .into_iter()
                    .flatten()
                    .filter_map(found),
            );
        }
    }
    let mut excluded = BTreeSet::new();
    for (first, of_version) in twins {
        // What is called experimental gives way; else the first that was read stays.
        let stable = of_version.iter().find(|(_, path)| !is_experimental(path));
        let first_stays = of_version
            .iter()
            .find(|(span, path)| *span == first && !is_experimental(path));
        let Some((kept, _)) = first_stays.or(stable).or(of_version.first()) else {
            continue;
        };
        let others = of_version.iter().filter(|(span, _)| span != kept);
        excluded.extend(others.map(|(_, path)| path.clone()));
    }
    excluded.into_iter().collect()
}

fn is_experimental(path: &str) -> bool {
    path.split("::").any(|name| name.contains("experimental"))
}
