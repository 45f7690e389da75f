//! Attributes that are nearly ours.

use crate::tables::ATTRIBUTES;

/// Names that stand on nearly every item and need no second look.
const FOREIGN: [&str; 8] = [
    "doc", "derive", "serde", "schemars", "kube", "x_kube", "validate", "cfg_attr",
];

/// The attribute of ours that a name is one or two slips away from. Names that are ours, and those that are far from all
/// of ours, give nothing: they are right, or somebody else's.
#[must_use]
pub fn near_miss(name: &str) -> Option<&'static str> {
    let known =
        FOREIGN.contains(&name) || ATTRIBUTES.iter().any(|attribute| attribute.name == name);
    if known {
        return None;
    }
    let bare: String = name
        .chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect();
    ATTRIBUTES
        .iter()
        .filter_map(|attribute| {
            let plain = attribute.name.replace('_', "");
            // A short name has too many neighbours of its own right: `crd` must be hit exactly, apart from case and ending.
            let most = attribute.name.len() / 4;
            let is_plural = bare.strip_suffix('s') == Some(attribute.name);
            // Each slip makes a name longer or shorter by one at most, which is sooner told than how many there are.
            let may_be = is_plural || bare.chars().count().abs_diff(plain.len()) <= most;
            let distance = may_be.then(|| strsim::damerau_levenshtein(&bare, &plain))?;
            (distance <= most || is_plural).then_some((distance, attribute.name))
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, ours)| ours)
}

#[cfg(test)]
mod tests {
    use super::near_miss;

    #[test]
    fn slips_are_found_and_foreign_names_are_left_alone() {
        for (name, ours) in [
            ("experimentl", "experimental"),
            ("experimantal", "experimental"),
            ("Experimental", "experimental"),
            ("expermental", "experimental"),
            ("experiment", "experimental"),
            ("not_experimental_", "not_experimental"),
            ("notexperimental", "not_experimental"),
            ("non_experimental", "not_experimental"),
            ("tombstones", "tombstone"),
            ("tomb_stone", "tombstone"),
            ("CRD", "crd"),
            ("crds", "crd"),
        ] {
            assert_eq!(near_miss(name), Some(ours), "{name}");
        }
        for name in [
            "experimental",
            "not_experimental",
            "tombstone",
            "crd",
            "serde",
            "schemars",
            "kube",
            "x_kube",
            "validate",
            "garde",
            "doc",
            "deprecated",
            "stable",
            "unstable",
            "cfg",
            "crud",
            "card",
            "builder",
            "repr",
            "allow",
            "non_exhaustive",
            "instrument",
        ] {
            assert_eq!(near_miss(name), None, "{name}");
        }
    }
}
