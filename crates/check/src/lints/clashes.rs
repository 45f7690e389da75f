//! Names that two CRDs of one group both claim.

use crate::document::Document;
use crate::document::model::{Crd, DefaultedNames};
use crate::finding::Finding;
use crate::registry::Rule;
use crd_channels_validation::path::{FieldPath, Path};
use std::collections::BTreeMap;

/// A name in its set, with its claims.
type Claims<'d> = BTreeMap<(&'d str, bool, String), Vec<Claim<'d>>>;

/// A claim of one CRD to a name.
struct Claim<'d> {
    /// The index of the CRD.
    place: usize,
    crd: &'d str,
    /// The rank of the name among those of its CRD; the first ones matter most.
    rank: usize,
    field: FieldPath,
}

/// The name clashes of CRDs that are installed together: one finding for each pair, with the index of the later CRD. The same
/// CRD in several files, as in the folders of channels, counts once.
#[must_use]
pub fn name_clashes(documents: &[Document<'_>]) -> Vec<(usize, Finding)> {
    let mut claims = Claims::new();
    for (place, document) in documents.iter().enumerate() {
        if let Some(crd) = &document.crd {
            claim(place, crd, &mut claims);
        }
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
            let finding = Finding::new(Rule::NameClash, message).at(late.field.clone());
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

/// The names that a CRD claims, each once, including those that the server defaults.
fn claim<'d>(place: usize, crd: &'d Crd<'_>, claims: &mut Claims<'d>) {
    let DefaultedNames {
        names,
        singular,
        list_kind,
    } = DefaultedNames::of(&crd.spec.names);
    let spec = Path::root("spec");
    let at = spec.child("names");
    let own = |is_kind, name: &str, field: &str| (is_kind, name.to_owned(), at.child(field).into());
    let path = at.child("shortNames");
    let short =
        |(index, name): (usize, &&str)| (false, (*name).to_owned(), path.index(index).into());
    let short_names = names.short_names.iter().enumerate();
    let wanted = [
        own(false, names.plural, "plural"),
        own(true, names.kind, "kind"),
    ]
    .into_iter()
    .chain(short_names.map(short))
    .chain([
        own(false, &singular, "singular"),
        own(true, &list_kind, "listKind"),
    ])
    .filter(|(_, name, _)| !name.is_empty());
    let (group, name_of_crd) = (crd.spec.group, crd.metadata.name);
    for (rank, (is_kind, name, field)) in wanted.enumerate() {
        let claimed = claims.entry((group, is_kind, name)).or_default();
        if !claimed.iter().any(|known| known.crd == name_of_crd) {
            claimed.push(Claim {
                place,
                crd: name_of_crd,
                rank,
                field,
            });
        }
    }
}
