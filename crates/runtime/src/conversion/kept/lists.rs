//! Lists that are no maps. Their elements keep what belongs to them as long as they are unchanged, wherever they are.

use super::present;
use super::shapes::KnownShape;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, HashSet};

/// The largest product of two lengths for which the best alignment of two lists is looked for.
const COMPARED: usize = 1_000_000;

/// An element of a list that a round trip changes or hides.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub(in super::super) struct LostItem {
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    was: Option<Value>,
    /// `None` if the round trip hides the element.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    shown: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    defaulted: Option<Value>,
    /// The number of equal elements before what is shown. For a hidden element, before the one that it follows.
    #[serde(skip_serializing_if = "is_zero")]
    nth: usize,
    /// The visible element that a hidden one follows, as it is shown.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    after: Option<Value>,
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl LostItem {
    /// Whether only a program whose schema has all fields of what is shown can tell if it is there; others show less of it. If
    /// the list, `partial`, lacks fields that are restored later, whether it is not there yet.
    pub(super) fn is_for_later(
        &self,
        partial: Option<&HashSet<String>>,
        shape: KnownShape<'_>,
    ) -> bool {
        self.shown.as_ref().is_some_and(|shown| {
            let is_missing = partial.is_some_and(|now| !now.contains(&shown.to_string()));
            is_missing || shape.prunes(shown)
        })
    }
}

/// The values of an element's keys, as JSON; `None` if it lacks one.
pub(super) fn element_key(element: &Value, keys: &[String]) -> Option<String> {
    let values: Option<Vec<&Value>> = keys.iter().map(|key| element.get(key)).collect();
    serde_json::to_string(&values?).ok()
}

/// The elements by their keys. Of those with the same key, which the schema refuses, the first is the known one.
pub(super) fn by_key<'v>(list: &'v [Value], keys: &[String]) -> BTreeMap<String, &'v Value> {
    let keyed = list
        .iter()
        .rev()
        .filter_map(|now| Some((element_key(now, keys)?, now)));
    keyed.collect()
}

/// Compares a list with its round trip. `alone` is the round trip of each element as the only one. Each part has the index of the element: in the round trip, or in the list if it is
/// hidden there.
pub(super) fn lost(
    was: &[Value],
    shown: &[Value],
    defaulted: Option<&[Value]>,
    alone: &dyn Fn() -> Option<Vec<Vec<Value>>>,
) -> Vec<(usize, LostItem)> {
    let defaulted = defaulted.filter(|defaulted| defaulted.len() == shown.len());
    let ordinals = ordinals(shown);
    let mut items = Vec::new();
    let mut before: Option<usize> = None;
    let nth = |index: usize| ordinals.get(index).copied().unwrap_or_default();
    for pair in aligned(was, shown, alone) {
        match pair {
            (Some(old), Some(new)) => {
                before = Some(new);
                let (Some(was), Some(shown)) = (was.get(old), shown.get(new)) else {
                    continue;
                };
                if was == shown {
                    continue;
                }
                let defaulted = defaulted.and_then(|defaulted| defaulted.get(new));
                let item = LostItem {
                    was: Some(was.clone()),
                    shown: Some(shown.clone()),
                    defaulted: defaulted.filter(|defaulted| *defaulted != shown).cloned(),
                    nth: nth(new),
                    after: None,
                };
                items.push((new, item));
            }
            (Some(old), None) => {
                let item = LostItem {
                    was: was.get(old).cloned(),
                    after: before.and_then(|before| shown.get(before).cloned()),
                    nth: before.map(nth).unwrap_or_default(),
                    ..LostItem::default()
                };
                items.push((old, item));
            }
            (None, Some(new)) => {
                let item = LostItem {
                    shown: shown.get(new).cloned(),
                    nth: nth(new),
                    ..LostItem::default()
                };
                items.push((new, item));
            }
            (None, None) => {}
        }
    }
    items
}

/// For each element, the number of equal ones before it.
fn ordinals(elements: &[Value]) -> Vec<usize> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let numbered = elements.iter().map(|element| {
        let count = seen.entry(element.to_string()).or_default();
        *count += 1;
        *count - 1
    });
    numbered.collect()
}

/// Pairs the elements of a list with those of its round trip, in order.
fn aligned(
    was: &[Value],
    shown: &[Value],
    alone: &dyn Fn() -> Option<Vec<Vec<Value>>>,
) -> Vec<Pair> {
    if was.len() == shown.len() {
        return (0..was.len())
            .map(|index| (Some(index), Some(index)))
            .collect();
    }
    if let Some(alone) = alone()
        && alone.iter().flatten().eq(shown)
    {
        return one_by_one(&alone);
    }
    most_alike(was, shown)
}

/// The index of an element, and of what is shown of it.
type Pair = (Option<usize>, Option<usize>);

/// Pairs each element with what its own round trip shows.
fn one_by_one(alone: &[Vec<Value>]) -> Vec<Pair> {
    let mut pairs = Vec::new();
    let mut next = 0;
    for (index, shown) in alone.iter().enumerate() {
        let own = next..next + shown.len();
        next = own.end;
        let mut own = own.map(Some);
        pairs.push((Some(index), own.next().flatten()));
        pairs.extend(own.map(|shown| (None, shown)));
    }
    pairs
}

/// Pairs the elements that look alike.
fn most_alike(was: &[Value], shown: &[Value]) -> Vec<Pair> {
    let (rows, columns) = (was.len(), shown.len());
    let mut pairs = Vec::with_capacity(rows.max(columns));
    if rows.saturating_mul(columns) > COMPARED {
        // Only a function of the author can drop elements of such a list. What is equal at both ends stays.
        let same = was
            .iter()
            .zip(shown)
            .take_while(|(was, shown)| was == shown);
        let start = same.count();
        pairs.extend((0..start).map(|index| (Some(index), Some(index))));
        pairs.extend((start..rows).map(|index| (Some(index), None)));
        pairs.extend((start..columns).map(|index| (None, Some(index))));
        return pairs;
    }
    // The best alignment of the rest of both lists, from their ends.
    let width = columns + 1;
    let mut best = vec![0_u32; (rows + 1) * width];
    let at = |best: &[u32], row: usize, column: usize| {
        best.get(row * width + column).copied().unwrap_or_default()
    };
    for row in (0..rows).rev() {
        for column in (0..columns).rev() {
            let alike = likeness(was.get(row), shown.get(column));
            let paired = alike + at(&best, row + 1, column + 1);
            let skipped = at(&best, row + 1, column).max(at(&best, row, column + 1));
            if let Some(place) = best.get_mut(row * width + column) {
                *place = paired.max(skipped);
            }
        }
    }
    let (mut row, mut column) = (0, 0);
    while row < rows {
        let alike = likeness(was.get(row), shown.get(column));
        let here = at(&best, row, column);
        if alike > 0 && here == alike + at(&best, row + 1, column + 1) {
            pairs.push((Some(row), Some(column)));
            (row, column) = (row + 1, column + 1);
        } else if here == at(&best, row + 1, column) {
            pairs.push((Some(row), None));
            row += 1;
        } else {
            pairs.push((None, Some(column)));
            column += 1;
        }
    }
    pairs.extend((column..columns).map(|column| (None, Some(column))));
    pairs
}

/// How much an element of a round trip looks like an element before; 0 if nothing says that they are the same.
fn likeness(was: Option<&Value>, shown: Option<&Value>) -> u32 {
    match (was, shown) {
        (Some(was), Some(shown)) if was == shown => 64,
        (Some(Value::Object(was)), Some(Value::Object(shown))) => {
            let equal = shown
                .iter()
                .filter(|(name, value)| was.get(*name) == Some(value));
            u32::try_from(equal.count().min(32)).unwrap_or_default()
        }
        _ => 0,
    }
}

/// Restores elements wherever the same element is now, and hidden ones after the element that they followed.
pub(super) fn put_back(items: &[(usize, LostItem)], list: &mut Vec<Value>) {
    let mut places: HashMap<String, Vec<usize>> = HashMap::new();
    for (index, now) in list.iter().enumerate() {
        places.entry(now.to_string()).or_default().push(index);
    }
    let place = |value: &Value, nth: usize| -> Option<usize> {
        places.get(&value.to_string())?.get(nth).copied()
    };
    let mut restored: Vec<Option<Value>> = list.iter().cloned().map(Some).collect();
    let mut taken = vec![false; restored.len()];
    let mut hidden: Vec<(usize, &Value)> = Vec::new();
    for (index, item) in items {
        let Some(shown) = &item.shown else {
            let after = match &item.after {
                None => Some(0),
                Some(after) => place(after, item.nth).map(|before| before + 1),
            };
            let after = after.unwrap_or((*index).min(list.len()));
            hidden.extend(item.was.as_ref().map(|was| (after, was)));
            continue;
        };
        let defaulted = item.defaulted.as_ref();
        let found = place(shown, item.nth).or_else(|| place(defaulted?, item.nth));
        let Some(found) = found else { continue };
        let (Some(slot), Some(taken)) = (restored.get_mut(found), taken.get_mut(found)) else {
            continue;
        };
        if !std::mem::replace(taken, true) {
            slot.clone_from(&item.was);
        }
    }
    hidden.sort_by_key(|(after, _)| *after);
    let mut hidden = hidden.into_iter().peekable();
    list.clear();
    for (index, value) in restored.into_iter().enumerate() {
        while let Some((_, was)) = hidden.next_if(|(after, _)| *after <= index) {
            list.push(was.clone());
        }
        list.extend(value);
    }
    list.extend(hidden.map(|(_, was)| was.clone()));
}

#[cfg(test)]
mod tests {
    use super::{COMPARED, Pair, likeness, lost, most_alike, put_back};
    use serde_json::{Value, json};

    /// The most that elements from these on can look alike in any alignment.
    fn most(was: &[Value], shown: &[Value]) -> u32 {
        let ([first, was_rest @ ..], [other, shown_rest @ ..]) = (was, shown) else {
            return 0;
        };
        let paired = likeness(Some(first), Some(other)) + most(was_rest, shown_rest);
        paired.max(most(was_rest, shown)).max(most(was, shown_rest))
    }

    #[test]
    fn what_is_equal_looks_more_alike_than_what_shares_fields() {
        let one = json!({ "a": 1, "b": 1 });
        let like = |other: Value| likeness(Some(&one), Some(&other));
        let (same, shares) = (like(one.clone()), like(json!({ "a": 1, "b": 2 })));
        assert!(same > shares && shares > 0, "{same} {shares}");
        assert_eq!(like(json!({ "a": 2, "c": 1 })), 0);
        assert_eq!(like(json!("text")), 0);
    }

    #[test]
    fn no_other_alignment_looks_more_alike() {
        // All lists of up to four of these.
        let elements = [
            json!({ "a": 1 }),
            json!({ "a": 1, "b": 1 }),
            json!({ "a": 2, "b": 1 }),
            json!("text"),
        ];
        let lists =
            (0..5_u32).flat_map(|length| (0..4_usize.pow(length)).map(move |n| (length, n)));
        let lists = lists.map(|(length, n)| -> Vec<Value> {
            let digits = (0..length).map(|place| n / 4_usize.pow(place) % 4);
            digits
                .filter_map(|digit| elements.get(digit).cloned())
                .collect()
        });
        let lists: Vec<_> = lists.collect();
        for was in &lists {
            for shown in lists.iter().step_by(7) {
                let pairs = most_alike(was, shown);
                let of = |side: fn(&Pair) -> Option<usize>| pairs.iter().filter_map(side);
                assert!(of(|pair| pair.0).eq(0..was.len()), "{was:?} {shown:?}");
                assert!(of(|pair| pair.1).eq(0..shown.len()), "{was:?} {shown:?}");
                let alike = pairs.iter().map(|(one, other)| {
                    let (one, other) = (
                        one.and_then(|one| was.get(one)),
                        other.and_then(|other| shown.get(other)),
                    );
                    likeness(one, other)
                });
                let alike: Vec<(&Pair, u32)> = pairs.iter().zip(alike).collect();
                let sum: u32 = alike.iter().map(|(_, alike)| alike).sum();
                assert_eq!(sum, most(was, shown), "{was:?} {shown:?}");
                let is_alone = |pair: &Pair| pair.0.is_none() || pair.1.is_none();
                let is_clear = alike
                    .iter()
                    .all(|(pair, alike)| is_alone(pair) == (*alike == 0));
                assert!(is_clear, "only what is alike is paired: {was:?} {shown:?}");
            }
        }
    }

    /// What becomes of an element: it is hidden, changed, doubled, or as it was.
    fn shown(element: &Value) -> Vec<Value> {
        match element.as_str() {
            Some("hidden") => Vec::new(),
            Some("changed" | "also") => vec![json!("c")],
            Some("doubled") => vec![json!("c"), json!("d")],
            _ => vec![element.clone()],
        }
    }

    #[test]
    fn what_is_lost_of_a_list_is_what_it_takes_to_have_it_back() {
        let elements = ["hidden", "changed", "also", "doubled", "c"].map(Value::from);
        let lists =
            (0..6_u32).flat_map(|length| (0..5_usize.pow(length)).map(move |n| (length, n)));
        for (length, n) in lists {
            let digits = (0..length).map(|place| n / 5_usize.pow(place) % 5);
            let was: Vec<Value> = digits
                .filter_map(|digit| elements.get(digit).cloned())
                .collect();
            let alone: Vec<Vec<Value>> = was.iter().map(shown).collect();
            let mut list: Vec<Value> = alone.iter().flatten().cloned().collect();
            let items = lost(&was, &list, None, &|| Some(alone.clone()));
            let visible = list.clone();
            put_back(&items, &mut list);
            assert_eq!(list, was, "{visible:?} {items:?}");
        }
    }

    #[test]
    fn hidden_elements_follow_the_ones_that_they_followed() {
        let list = |text: &str| -> Vec<Value> { text.split(' ').map(Value::from).collect() };
        let items = lost(&list("a A b B c"), &list("a b c"), None, &|| None);
        for (now, expected) in [
            ("a b c", "a A b B c"),
            ("c b a", "c b B a A"),
            ("b a", "b B a A"),
            ("x b", "x A b B"),
        ] {
            let mut list = list(now);
            put_back(&items, &mut list);
            let found: Vec<&str> = list.iter().filter_map(Value::as_str).collect();
            assert_eq!(found.join(" "), expected);
        }
    }

    /// A server adds a default to each element, unless it sees others.
    #[test]
    fn elements_with_defaults_are_the_same_ones() {
        let was = ["a", "b"].map(|name| json!({ "name": name, "x": 1 }));
        let shown = ["a", "b"].map(|name| json!({ "name": name }));
        let defaulted = ["a", "b"].map(|name| json!({ "name": name, "y": 5 }));
        let items = lost(&was, &shown, Some(&defaulted), &|| None);
        for visible in [shown.to_vec(), defaulted.to_vec()] {
            let mut list = visible;
            put_back(&items, &mut list);
            assert_eq!(list, was);
        }
        let others = lost(&was, &shown, Some(&defaulted[1..]), &|| None);
        assert!(others.iter().all(|(_, item)| item.defaulted.is_none()));
    }

    #[test]
    fn lists_are_aligned_up_to_a_size() {
        let was: Vec<Value> = (0..=COMPARED).map(Value::from).collect();
        let last = was.len() - 1;
        let pair = |was: &[Value], index: usize| {
            let shown = was.get(index).cloned();
            let pairs = most_alike(was, shown.as_slice());
            assert!(pairs.iter().filter_map(|pair| pair.0).eq(0..was.len()));
            assert!(pairs.iter().filter_map(|pair| pair.1).eq(0..1));
            pairs.contains(&(Some(index), Some(0)))
        };
        assert!(pair(was.get(1..).unwrap_or_default(), last - 1));
        assert!(!pair(&was, last));
        assert!(pair(&was, 0), "what is equal at the start stays");
    }
}
