//! Groups differences by cause, so that one cause in a hundred places is one line.

use super::difference_text::DifferenceText;
use super::differences::Difference;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The number of causes of one kind from which they are grouped into one.
const MANY: usize = 5;

/// A difference, with all places where it occurs.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Cause {
    /// The difference in words.
    pub what: String,
    /// Whether it only affects text for people.
    pub prose: bool,
    /// The CRD, version and path of each; at least one.
    pub places: Vec<String>,
}

/// The distance between two sets of CRDs; the smaller, the closer.
#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub struct Distance {
    /// The number of places where an API server's behavior differs.
    pub meaning: usize,
    /// The number of places where only text for people differs.
    pub prose: usize,
}

/// Groups the differences of CRDs: first those that change behavior, the most frequent first.
#[must_use]
pub fn causes<'n>(differences: impl IntoIterator<Item = (&'n str, Difference)>) -> Vec<Cause> {
    type ByText = BTreeMap<String, Vec<String>>;
    let mut by_cause: BTreeMap<(bool, Option<&'static str>), ByText> = BTreeMap::new();
    for (crd, difference) in differences {
        let Difference {
            version,
            path,
            what: DifferenceText { text, many, prose },
        } = difference;
        let words = [crd, &version, &path];
        let words = words.into_iter().filter(|word| !word.is_empty());
        let place = words.collect::<Vec<_>>().join(" ");
        let of_kind = by_cause.entry((prose, many)).or_default();
        of_kind.entry(text).or_default().push(place);
    }
    let mut causes = Vec::new();
    for ((prose, many), of_kind) in by_cause {
        let cause = |what, places| Cause {
            what,
            prose,
            places,
        };
        match many {
            Some(many) if of_kind.len() >= MANY => {
                let what = format!("{} {many}", of_kind.len());
                causes.push(cause(what, of_kind.into_values().flatten().collect()));
            }
            _ => causes.extend(
                of_kind
                    .into_iter()
                    .map(|(what, places)| cause(what, places)),
            ),
        }
    }
    causes.sort_by(|one, other| {
        let order = |cause: &Cause| (cause.prose, Reverse(cause.places.len()));
        order(one)
            .cmp(&order(other))
            .then_with(|| one.what.cmp(&other.what))
    });
    causes
}

/// Returns the distance that these causes add up to.
#[must_use]
pub fn distance(causes: &[Cause]) -> Distance {
    let places = |prose| {
        let of_kind = causes.iter().filter(|cause| cause.prose == prose);
        of_kind.map(|cause| cause.places.len()).sum()
    };
    Distance {
        meaning: places(false),
        prose: places(true),
    }
}

impl Cause {
    /// Returns one line: the difference, its first place, and the number of other places.
    #[must_use]
    pub fn line(&self) -> String {
        let Self {
            what,
            prose: _,
            places,
        } = self;
        let first = places.first().map_or("", String::as_str);
        match places.len() {
            0 | 1 => format!("{what}: {first}"),
            2 => format!("{what}: {first} and one more place"),
            all => format!("{what}: {first} and {} more places", all - 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::difference_text::DifferenceText;
    use super::super::differences::Difference;
    use super::{Distance, causes, distance};

    #[test]
    fn one_cause_is_one_line() {
        let difference = |path: &str, text: &str, prose| Difference {
            version: "v1".to_owned(),
            path: path.to_owned(),
            what: DifferenceText {
                prose,
                ..DifferenceText::meaning(text)
            },
        };
        let whole = Difference {
            version: String::new(),
            path: String::new(),
            what: DifferenceText::meaning("`scope: Cluster` is new"),
        };
        let found = causes([
            ("a.b.c", difference(".x", "`description` is removed", true)),
            ("a.b.c", difference(".y", "`description` is removed", true)),
            ("a.b.c", difference(".z", "`description` is removed", true)),
            ("a.b.c", whole),
            (
                "a.b.c",
                difference(".x", "`nullable: true` is removed", false),
            ),
            (
                "d.b.c",
                difference(".x[]", "`nullable: true` is removed", false),
            ),
        ]);
        let lines: Vec<String> = found.iter().map(super::Cause::line).collect();
        assert_eq!(
            lines,
            [
                "`nullable: true` is removed: a.b.c v1 .x and one more place",
                "`scope: Cluster` is new: a.b.c",
                "`description` is removed: a.b.c v1 .x and 2 more places",
            ]
        );
        let expected = Distance {
            meaning: 3,
            prose: 3,
        };
        assert_eq!(distance(&found), expected);
    }

    #[test]
    fn many_causes_of_a_kind_are_one_line() {
        let lines = |fields: &[&str]| -> Vec<String> {
            let all = fields.iter().map(|field| {
                let what = DifferenceText::meaning(format!("the field `{field}` is new"));
                let difference = Difference {
                    version: "v1".to_owned(),
                    path: format!(".{field}"),
                    what: what.of_many("fields are new"),
                };
                ("a.b.c", difference)
            });
            causes(all).iter().map(super::Cause::line).collect()
        };
        assert_eq!(lines(&["a", "b", "c", "d"]).len(), 4);
        assert_eq!(
            lines(&["a", "b", "c", "d", "e", "e"]),
            ["5 fields are new: a.b.c v1 .a and 5 more places"]
        );
    }
}
