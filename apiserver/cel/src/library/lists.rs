//! Functions of lists.

use super::{Answer, Stop, UNFIT, Val, operators, whole};
use crate::value::{any_equals, order, zero_like};
use std::cmp::Ordering;
use std::sync::Arc;

/// The maximum length of a range here, and on servers.
const LONGEST_RANGE: i64 = 100_000;
const LONGEST_RANGE_OF_SERVERS: i64 = 1_000_000;
/// Up to this length the servers' sort is stable.
const STABLE: usize = 12;

pub(crate) fn is_sorted(given: &[Val]) -> Answer {
    for pair in items(given)?.windows(2) {
        if let [one, other] = pair
            && ranked(one, other)?.is_gt()
        {
            return Ok(Val::Bool(false));
        }
    }
    Ok(Val::Bool(true))
}

pub(crate) fn min(given: &[Val]) -> Answer {
    best(in_any_order(given)?, Ordering::is_lt)
}

pub(crate) fn max(given: &[Val]) -> Answer {
    best(in_any_order(given)?, Ordering::is_gt)
}

/// The best item, the first of several.
fn best(items: &[Val], is_better: fn(Ordering) -> bool) -> Answer {
    let mut best = items.first().ok_or(Stop::Error)?;
    for item in items {
        if is_better(ranked(item, best)?) {
            best = item;
        }
    }
    Ok(best.clone())
}

pub(crate) fn sum(given: &[Val]) -> Answer {
    let mut sum = Val::Zero;
    for item in items(given)?.iter() {
        let before = match sum {
            Val::Zero => zero_like(item),
            sum => sum,
        };
        sum = operators::add(&[before, item.clone()])?;
    }
    Ok(sum)
}

pub(crate) fn index_of(given: &[Val]) -> Answer {
    let [list, item] = given else { return UNFIT };
    position(list.items()?.iter().enumerate(), item)
}

pub(crate) fn last_index_of(given: &[Val]) -> Answer {
    let [list, item] = given else { return UNFIT };
    position(list.items()?.iter().enumerate().rev(), item)
}

fn position<'v>(items: impl Iterator<Item = (usize, &'v Val)>, sought: &Val) -> Answer {
    for (at, item) in items {
        if item.equals(sought)? {
            return whole(at);
        }
    }
    Ok(Val::Int(-1))
}

/// Comparisons that are errors count as different.
pub(crate) fn includes(given: &[Val]) -> Answer {
    let [target, sought] = given else {
        return UNFIT;
    };
    let items = match target {
        Val::List(items) | Val::Unordered(items) | Val::Shuffled(items) => &**items,
        other => std::slice::from_ref(other),
    };
    let mut is_unknown = false;
    for item in items {
        match item.equals(sought) {
            Ok(true) => return Ok(Val::Bool(true)),
            Ok(false) | Err(Stop::Error) => {}
            Err(Stop::Unknown) => is_unknown = true,
        }
    }
    match is_unknown {
        true => Err(Stop::Unknown),
        false => Ok(Val::Bool(false)),
    }
}

pub(crate) fn slice(given: &[Val]) -> Answer {
    let [list, Val::Int(from), Val::Int(to)] = given else {
        return UNFIT;
    };
    let bound = |at: &i64| usize::try_from(*at).map_err(|_| Stop::Error);
    let part = list.items()?.get(bound(from)?..bound(to)?);
    part.map(|part| Val::List(part.into())).ok_or(Stop::Error)
}

pub(crate) fn flatten(given: &[Val]) -> Answer {
    let (list, depth) = match given {
        [list] => (list, 1),
        [list, Val::Int(depth)] => (list, *depth),
        _ => return UNFIT,
    };
    if depth < 0 {
        return Err(Stop::Error);
    }
    let mut flat = list.items()?.to_vec();
    for _ in 0..depth {
        if !flat.iter().any(|item| item.items().is_ok()) {
            break;
        }
        let level = flat.into_iter().flat_map(|item| match item.items() {
            Ok(items) => items.to_vec(),
            Err(_) => vec![item],
        });
        flat = level.collect();
    }
    let is_open = |item: &Val| matches!(item, Val::Opaque | Val::Shuffled(_));
    match flat.iter().any(is_open) {
        true => UNFIT,
        false => Ok(Val::list(flat)),
    }
}

pub(crate) fn range(given: &[Val]) -> Answer {
    match given {
        [Val::Int(end)] if *end < 0 || *end > LONGEST_RANGE_OF_SERVERS => Err(Stop::Error),
        [Val::Int(end)] if *end <= LONGEST_RANGE => Ok(Val::list((0..*end).map(Val::Int))),
        _ => UNFIT,
    }
}

pub(crate) fn reverse(given: &[Val]) -> Answer {
    Ok(Val::list(items(given)?.iter().rev().cloned()))
}

pub(crate) fn distinct(given: &[Val]) -> Answer {
    let items = items(given)?;
    let mut distinct: Vec<Val> = Vec::new();
    for item in items.iter() {
        let mut is_new = true;
        for known in &distinct {
            is_new &= !item.equals(known)?;
        }
        if is_new {
            distinct.push(item.clone());
        }
    }
    Ok(rearranged(given, distinct))
}

pub(crate) fn sort(given: &[Val]) -> Answer {
    let items = in_any_order(given)?;
    Ok(rearranged(given, sorted(items, items)?))
}

/// A list with the rearranged items. Servers return an empty list unchanged, so it stays a set if it is one.
fn rearranged(given: &[Val], items: Vec<Val>) -> Val {
    match given {
        [list] if items.is_empty() => list.clone(),
        _ => Val::list(items),
    }
}

/// The items sorted by their keys, which `sortBy` computes.
pub(crate) fn sort_by(given: &[Val]) -> Answer {
    let [list, keys] = given else { return UNFIT };
    Ok(Val::list(sorted(list.items()?, keys.items()?)?))
}

fn sorted(items: &[Val], keys: &[Val]) -> Result<Vec<Val>, Stop> {
    let mut places: Vec<usize> = Vec::with_capacity(items.len());
    for (at, key) in keys.iter().enumerate() {
        let mut place = places.len();
        while let Some(before) = place.checked_sub(1)
            && let Some(earlier) = places.get(before).and_then(|at| keys.get(*at))
        {
            match ranked(key, earlier)? {
                Ordering::Less => place = before,
                Ordering::Equal if keys.len() > STABLE && !alike(items, at, before, &places) => {
                    return Err(Stop::Unknown);
                }
                Ordering::Equal | Ordering::Greater => break,
            }
        }
        places.insert(place, at);
    }
    let sorted = places.into_iter().filter_map(|at| items.get(at).cloned());
    Ok(sorted.collect())
}

/// Whether an item equals the one sorted to another place, so that their order does not matter.
fn alike(items: &[Val], at: usize, sorted: usize, places: &[usize]) -> bool {
    let other = places.get(sorted).and_then(|other| items.get(*other));
    items.get(at) == other
}

/// The order of two items. Servers skip comparisons that are errors.
fn ranked(one: &Val, other: &Val) -> Result<Ordering, Stop> {
    order(one, other).map_err(|_| Stop::Unknown)
}

pub(crate) fn set_contains(given: &[Val]) -> Answer {
    let [list, part] = given else { return UNFIT };
    all_in(part.in_any_order()?, list.in_any_order()?).map(Val::Bool)
}

pub(crate) fn set_intersects(given: &[Val]) -> Answer {
    let [one, other] = given else { return UNFIT };
    let mut any = false;
    for item in one.in_any_order()?.iter() {
        any |= any_equals(other.in_any_order()?, item)?;
    }
    Ok(Val::Bool(any))
}

pub(crate) fn set_equivalent(given: &[Val]) -> Answer {
    let [one, other] = given else { return UNFIT };
    let (one, other) = (one.in_any_order()?, other.in_any_order()?);
    Ok(Val::Bool(all_in(one, other)? && all_in(other, one)?))
}

fn all_in(items: &[Val], list: &[Val]) -> Result<bool, Stop> {
    let mut all = true;
    for item in items {
        all &= any_equals(list, item)?;
    }
    Ok(all)
}

fn in_any_order(given: &[Val]) -> Result<&Arc<[Val]>, Stop> {
    match given {
        [list] => list.in_any_order(),
        _ => Err(Stop::Unknown),
    }
}

fn items(given: &[Val]) -> Result<&Arc<[Val]>, Stop> {
    match given {
        [list] => list.items(),
        _ => Err(Stop::Unknown),
    }
}
