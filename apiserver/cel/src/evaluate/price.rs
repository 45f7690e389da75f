//! The costs of calls in an evaluation.

use super::meter::Sizes;
use super::{Answer, Val};
use crate::cost::{PATTERN, READ, Range, with_text};
use crate::functions::{Cost, Overload};
use crate::library::formats::longest_pattern;
use crate::minors::NEWEST;

/// The cost of a call that makes a list.
const MADE: u64 = 11;

/// Numbers from here on do not fit.
const HUGE: f64 = 9_223_372_036_854_775_808.0;

const ONE: Range = Range::exactly(1);

/// The cost of a call without its arguments. `is_resolved` means that types determine the overload: functions of servers' own
/// libraries cost the same without that, others then cost 1.
pub(super) fn price(row: &Overload, given: &[Val], answer: &Answer, is_resolved: bool) -> Range {
    let sizes = Sizes { given, answer };
    let (cost, by_name) = priced(row, &sizes);
    if by_name || is_resolved {
        cost
    } else {
        cost.or(ONE)
    }
}

/// The cost, and whether it depends only on the name of the function.
fn priced(row: &Overload, sizes: &Sizes<'_>) -> (Range, bool) {
    let (first, second) = (sizes.size_of_argument(0), sizes.size_of_argument(1));
    let shorter = Range {
        min: first.min.min(second.min),
        max: first.max.min(second.max),
    };
    match row.cost_in(NEWEST) {
        Cost::One | Cost::AddList | Cost::IndexList | Cost::IndexMap => (ONE, true),
        Cost::Check | Cost::Selector => (ONE.or(Range::UNKNOWN), true),
        Cost::Logic | Cost::Conditional => (Range::exactly(0), true),
        Cost::Equal => match sizes.given.first() {
            Some(left) if left.is_of_library() => (ONE, true),
            _ => (shorter.scaled(READ), true),
        },
        Cost::Compare => (
            shorter.scaled(READ),
            row.name == crate::operators::NOT_EQUAL,
        ),
        Cost::InList => (second, false),
        Cost::AddText => (first.plus(second).scaled(READ), false),
        Cost::Affix => (second.scaled(READ), false),
        Cost::ReadTarget | Cost::ToBytes | Cost::ToText | Cost::Quote => {
            (first.scaled(READ), false)
        }
        Cost::KeepTarget | Cost::ReadArgument | Cost::KeepArgument => (first.scaled(READ), true),
        Cost::ReadArgumentTwice | Cost::Replace | Cost::Split => {
            (first.times(Range::exactly(2)).scaled(READ), true)
        }
        Cost::Join => {
            let size = sizes.of_answer().times(Range::exactly(2));
            (size.scaled(READ), true)
        }
        Cost::ReadElements | Cost::Includes => (sizes.given.first().map_or(ONE, traversal), true),
        Cost::Find => (searched(first, second), true),
        Cost::Matches => (searched(first, second), false),
        Cost::Contains => (first.scaled(READ).times(second.scaled(READ)), false),
        Cost::ContainsIp(is_text) => {
            let cost = first.plus(first).scaled(READ);
            (with_text(cost, second, is_text), true)
        }
        Cost::ContainsCidr(is_text) => {
            let cost = first.plus(first).scaled(READ);
            let cost = cost.plus(first.scaled(READ)).plus(ONE);
            (with_text(cost, second, is_text), true)
        }
        Cost::Validate => {
            let pattern = match sizes.given.first() {
                Some(Val::Format(name)) => longest_pattern(name),
                _ => 0,
            };
            (searched(second, Range::exactly(pattern)), true)
        }
        Cost::Slice | Cost::Range | Cost::Reverse => (made(sizes.of_answer(), 1.0), false),
        Cost::Flatten => {
            let depth = match sizes.given.get(1) {
                Some(Val::Int(depth)) => *depth as f64,
                _ => 1.0,
            };
            let is_counted = (0.0..HUGE).contains(&(first.max as f64 * depth));
            let cost = match (is_counted, depth < 0.0) {
                (true, _) => made(first, depth),
                // A number that is too large becomes another large one.
                (false, false) => Range::exactly(HUGE as u64).or(Range::exactly(u64::MAX)),
                (false, true) => Range::UNKNOWN,
            };
            (cost, false)
        }
        Cost::Distinct | Cost::Sort(_) => (made_of_pairs(sizes.given.first()), false),
        Cost::SortBy(_) => (made_of_pairs(sizes.given.get(1)), false),
        Cost::Sets(times) => {
            let pairs = first.times(second);
            (pairs.times(Range::exactly(times.into())).plus(ONE), false)
        }
    }
}

fn searched(text: Range, pattern: Range) -> Range {
    text.plus(ONE).scaled(READ).times(pattern.scaled(PATTERN))
}

/// Servers truncate here.
fn made(size: Range, factor: f64) -> Range {
    let scaled = |size: u64| (size as f64 * factor) as u64;
    let cost = Range {
        min: scaled(size.min),
        max: scaled(size.max),
    };
    cost.plus(Range::exactly(MADE))
}

/// Each item is compared with each other.
fn made_of_pairs(list: Option<&Val>) -> Range {
    let Some(Ok(items)) = list.map(Val::in_any_order) else {
        return Range::UNKNOWN;
    };
    let factor = match items.first() {
        Some(Val::String(_) | Val::Bytes(_)) => 2.0 + READ,
        _ => 2.0,
    };
    let count = u64::try_from(items.len()).unwrap_or(u64::MAX);
    made(Range::exactly(count.saturating_mul(count)), factor)
}

/// The cost of reading everything in a value. Servers truncate.
fn traversal(value: &Val) -> Range {
    let read = |bytes: usize| Range::exactly((bytes as f64 * READ) as u64);
    match value {
        Val::String(text) => read(text.len()),
        Val::Bytes(bytes) => read(bytes.len()),
        Val::List(items) | Val::Unordered(items) | Val::Shuffled(items) => {
            let costs = items.iter().map(traversal);
            costs.fold(Range::exactly(0), Range::plus)
        }
        Val::Map(entries) => {
            let costs = entries
                .iter()
                .map(|(key, value)| traversal(key).plus(traversal(value)));
            costs.fold(Range::exactly(0), Range::plus)
        }
        Val::Opaque | Val::Object(_) => Range::UNKNOWN,
        _ => ONE,
    }
}
