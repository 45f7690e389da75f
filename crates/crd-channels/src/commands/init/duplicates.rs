//! Finds types that define the same version of the same kind: all but one have to be excluded.

use super::choice::LeftOut;
use super::survey::{KindType, Survey};
use crd_channels_diagnostics::{Code, Sources, Span};
use std::collections::{BTreeMap, BTreeSet};

/// The span of a type and its full path.
type Located = (Span, String);

const WHY: &str = "the same version of a kind that another type is";

/// Returns the types that conflict with another type.
#[must_use]
pub fn find(survey: &Survey, _: &Sources) -> Vec<LeftOut> {
    let paths: BTreeMap<Span, &KindType> =
        survey.types.iter().map(|ty| (ty.def.span, ty)).collect();
    let found = |span: Span| Some((span, paths.get(&span)?.path.clone()));
    let mut duplicates: BTreeMap<Span, BTreeSet<Located>> = BTreeMap::new();
    for finding in &survey.findings {
        let first = finding.labels.first().map(|label| label.span);
        if finding.code == Code::DuplicateVersion
            && let Some(first) = first
        {
            let of_version = duplicates.entry(first).or_default();
            of_version.extend(
                [finding.span, Some(first)]
                    .into_iter()
                    .flatten()
                    .filter_map(found),
            );
        }
    }
    let mut excluded = BTreeSet::new();
    for (first, of_version) in duplicates {
        // Prefer a type that is not named experimental; otherwise the first one that was read.
        let stable = of_version.iter().find(|(_, path)| !is_experimental(path));
        let first_stays = of_version
            .iter()
            .find(|(span, path)| *span == first && !is_experimental(path));
        let Some((kept, _)) = first_stays.or(stable).or(of_version.first()) else {
            continue;
        };
        let others = of_version.iter().filter(|(span, _)| span != kept);
        excluded.extend(others.map(|(span, _)| *span));
    }
    let excluded = excluded.into_iter().filter_map(|span| paths.get(&span));
    excluded.map(|ty| ty.left_out(WHY.to_owned())).collect()
}

fn is_experimental(path: &str) -> bool {
    path.split("::").any(|name| name.contains("experimental"))
}
