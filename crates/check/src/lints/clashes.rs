//! Names that two CRDs of one group both want.

use super::{text, texts};
use crate::finding::Finding;
use crate::registry::Rule;
use serde_json::Value;
use std::collections::BTreeMap;

/// A name in its set, and who wants it.
type Claims<'d> = BTreeMap<(&'d str, bool, String), Vec<Claim<'d>>>;

/// What one CRD wants a name for.
struct Claim<'d> {
    /// The place of the CRD among all.
    place: usize,
    crd: &'d str,
    /// Which of its names it is; the first ones matter most.
    rank: usize,
    field: String,
}

/// What CRDs that are installed together take from each other: one finding for each pair, with the place of the CRD that
/// comes too late. The same CRD in several files, as in the folders of channels, is one.
#[must_use]
pub fn name_clashes(documents: &[&Value]) -> Vec<(usize, Finding)> {
    let mut claims = Claims::new();
    for (place, document) in documents.iter().enumerate() {
        claim(place, document, &mut claims);
    }
    let mut found = BTreeMap::new();
    for ((group, _, name), claims) in &claims {
        for (nth, late) in claims.iter().enumerate() {
            let mut earlier = claims.iter().take(nth);
            let Some(first) = earlier.find(|claim| claim.crd != late.crd) else {
                continue;
            };
            let message = format!(
                "`{}` already has the name `{name}` in the group `{group}`",
                first.crd
            );
            let finding = Finding::new(Rule::NameClash, message).at(&late.field);
            let (known, told) = found
                .entry((late.place, first.crd))
                .or_insert_with(|| (late.rank, finding.clone()));
            if late.rank < *known {
                (*known, *told) = (late.rank, finding);
            }
        }
    }
    let found = found.into_iter();
    found
        .map(|((place, _), (_, finding))| (place, finding))
        .collect()
}

/// The names that a CRD wants, each once, those that the server fills in among them.
fn claim<'d>(place: usize, document: &'d Value, claims: &mut Claims<'d>) {
    let (Some(spec), Some(metadata)) = (document.get("spec"), document.get("metadata")) else {
        return;
    };
    let Some(names) = spec.get("names") else {
        return;
    };
    let (group, crd, kind) = (
        text(spec, "group"),
        text(metadata, "name"),
        text(names, "kind"),
    );
    let or = |name: &str, default: String| match text(names, name) {
        "" => default,
        given => given.to_owned(),
    };
    let mut wanted = vec![
        (false, text(names, "plural").to_owned(), "plural".to_owned()),
        (true, kind.to_owned(), "kind".to_owned()),
    ];
    for (index, name) in texts(names, "shortNames").enumerate() {
        wanted.push((false, name.to_owned(), format!("shortNames[{index}]")));
    }
    let singular = or("singular", kind.to_lowercase());
    wanted.push((false, singular, "singular".to_owned()));
    wanted.push((
        true,
        or("listKind", format!("{kind}List")),
        "listKind".to_owned(),
    ));
    for (rank, (is_kind, name, field)) in wanted.into_iter().enumerate() {
        let claimed = claims.entry((group, is_kind, name)).or_default();
        if !claimed.iter().any(|known| known.crd == crd) {
            claimed.push(Claim {
                place,
                crd,
                rank,
                field: format!("spec.names.{field}"),
            });
        }
    }
}
