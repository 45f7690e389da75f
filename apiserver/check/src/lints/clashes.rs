//! Names that two CRDs of one group both claim.

use crate::document::Document;
use crate::document::model::{Crd, DefaultedNames};
use crate::finding::Finding;
use crate::registry::Rule;
use crd_channels_validation::path::{FieldPath, Path};
use std::collections::BTreeMap;

/// The names that a CRD claims, those that matter most first.
#[derive(Clone, Debug, Default)]
pub struct ClaimedNames {
    group: String,
    /// The name of the CRD.
    crd: String,
    /// Each with its field, and whether it is that of a kind.
    names: Vec<(bool, String, FieldPath)>,
}

/// A claim of one CRD to a name.
struct Claim<'d> {
    /// The index of the CRD.
    place: usize,
    crd: &'d str,
    /// The rank of the name among those of its CRD; the first ones matter most.
    rank: usize,
    field: &'d FieldPath,
}

/// The name clashes of CRDs that are installed together: one finding for each pair, with the index of the later CRD. The same
/// CRD in several files, as in the folders of channels, counts once.
#[must_use]
pub fn name_clashes<'d>(crds: impl Iterator<Item = &'d ClaimedNames>) -> Vec<(usize, Finding)> {
    let mut claims: BTreeMap<(&str, bool, &str), Vec<Claim<'_>>> = BTreeMap::new();
    for (place, claimed) in crds.enumerate() {
        let ClaimedNames { group, crd, names } = claimed;
        for (rank, (is_kind, name, field)) in names.iter().enumerate() {
            let claimed = claims.entry((group, *is_kind, name)).or_default();
            if !claimed.iter().any(|known| known.crd == *crd) {
                claimed.push(Claim {
                    place,
                    crd,
                    rank,
                    field,
                });
            }
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

impl Document<'_> {
    /// The names that the CRD claims, including those that the server defaults; none if it cannot be decoded.
    #[must_use]
    pub fn claimed_names(&self) -> ClaimedNames {
        self.crd.as_ref().map(claimed).unwrap_or_default()
    }
}

fn claimed(crd: &Crd<'_>) -> ClaimedNames {
    let DefaultedNames {
        names,
        singular,
        list_kind,
    } = DefaultedNames::of_names(&crd.spec.names);
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
    ]);
    ClaimedNames {
        group: crd.spec.group.to_owned(),
        crd: crd.metadata.name.to_owned(),
        names: wanted.filter(|(_, name, _)| !name.is_empty()).collect(),
    }
}
