//! Attributes whose names are close to ours.

use crate::tables::ATTRIBUTES;

/// Names on nearly every item, which are skipped at once.
const FOREIGN: [&str; 8] = [
    "doc", "derive", "serde", "schemars", "kube", "x_kube", "validate", "cfg_attr",
];

/// Returns our attribute that a name is one or two typos away from. Returns `None` for our own names, and for names far from
/// all of ours, which belong to other crates.
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
            // Other names are often close to a short one: `crd` must match exactly, apart from case and a plural `s`.
            let most = attribute.name.len() / 4;
            let is_plural = bare.strip_suffix('s') == Some(attribute.name);
            // The difference in length is a lower bound of the distance, and faster to compute.
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
