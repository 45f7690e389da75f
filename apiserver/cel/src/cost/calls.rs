//! The costs of calls, and the sizes of their results.

use super::paths::Segment;
use super::{Estimator, LIST, NOTHING, ONE, PATTERN, READ, Range, with_text};
use crate::check::signature;
use crate::core::{Id, Kind};
use crate::functions::{Cost, Overload};
use crate::syntax::ast::Literal;
use crate::types::{Library, Type};

/// The longest pattern of a format.
const LONGEST_PATTERN: f64 = 128.0;
/// The bytes of an address.
const ADDRESS: Range = Range { min: 4, max: 16 };
const CHECK: Range = Range::exactly(350_000);

/// The cost of a call without its operands, and the size of its result, if known.
struct CallCost {
    cost: Range,
    size: Option<Range>,
    /// Whether the cost includes the operands.
    whole: bool,
}

fn priced(cost: Range) -> CallCost {
    CallCost {
        cost,
        size: None,
        whole: false,
    }
}

fn sized(cost: Range, size: Range) -> CallCost {
    CallCost {
        size: Some(size),
        ..priced(cost)
    }
}

/// The operands of a call, priced and measured.
struct Operands<'o> {
    call: Id,
    target: Option<Id>,
    arguments: &'o [Id],
    costs: Vec<Range>,
    /// Of the target, if there is one, and of the arguments.
    target_size: Range,
    sizes: Vec<Range>,
}

impl Operands<'_> {
    fn size(&self, nth: usize) -> Range {
        self.sizes.get(nth).copied().unwrap_or(Range::UNKNOWN)
    }

    fn cost(&self, nth: usize) -> Range {
        self.costs.get(nth).copied().unwrap_or(NOTHING)
    }

    fn sum(&self) -> Range {
        self.costs.iter().fold(NOTHING, |sum, cost| sum.plus(*cost))
    }
}

impl Estimator<'_> {
    #[inline(never)]
    pub(super) fn call(&mut self, id: Id, target: Option<Id>, arguments: &[Id]) -> Range {
        let checked = self.checked;
        let overloads = checked.overloads(id);
        if let ([overload], [argument]) = (overloads, arguments)
            && overload.name == "dyn"
        {
            let cost = self.cost(*argument).plus(ONE);
            self.copy_sizes(id, *argument);
            return cost;
        }
        let mut operands = Operands {
            call: id,
            target: None,
            arguments,
            costs: Vec::with_capacity(arguments.len()),
            target_size: Range::UNKNOWN,
            sizes: Vec::with_capacity(arguments.len()),
        };
        for argument in arguments {
            let cost = self.cost(*argument);
            operands.costs.push(cost);
            let size = self.size_or_unknown(*argument);
            operands.sizes.push(size);
        }
        let mut sum = NOTHING;
        if let Some(target) = target.filter(|_| is_member(overloads, arguments)) {
            sum = self.cost(target);
            operands.target = Some(target);
            operands.target_size = self.size_or_unknown(target);
        }
        sum.plus(self.union(&operands, overloads))
    }

    /// The combined cost of all overloads that match a call.
    fn union(&mut self, operands: &Operands<'_>, overloads: &[&'static Overload]) -> Range {
        let id = operands.call;
        let mut cost: Option<Range> = None;
        let mut size: Option<Range> = None;
        for overload in overloads {
            if let Some((since, _)) = overload.repriced.filter(|(since, _)| *since > self.minor) {
                let what = || signature(overload.name, &overload.takes, overload.style);
                self.changes.entry(since).or_insert_with(what);
            }
            let price = self.price(operands, overload.cost_in(self.minor));
            let whole = if price.whole {
                price.cost
            } else {
                price.cost.plus(operands.sum())
            };
            cost = Some(cost.map_or(whole, |cost| cost.or(whole)));
            size = match (size, price.size) {
                (Some(one), Some(other)) => Some(one.or(other)),
                (known, new) => known.or(new),
            };
            if let (Cost::IndexList | Cost::IndexMap, Some(operand)) =
                (overload.cost, operands.arguments.first())
            {
                size = self.elements(*operand).map(|elements| elements.value);
                let path = self.path(*operand);
                let path = self.paths.append(path, Segment::Element);
                self.set_path(id, Some(path));
            }
            if size.is_none() {
                size = self.size(id);
            }
        }
        self.set_size(id, size);
        cost.unwrap_or(NOTHING)
    }

    fn price(&mut self, operands: &Operands<'_>, cost: Cost) -> CallCost {
        let target = operands.target_size;
        let first = operands.size(0);
        match cost {
            Cost::One | Cost::IndexList | Cost::IndexMap => priced(ONE),
            Cost::Logic => {
                let (left, right) = (operands.cost(0), operands.cost(1));
                let cost = Range {
                    min: left.min,
                    max: left.plus(right).max,
                };
                CallCost {
                    whole: true,
                    ..priced(cost)
                }
            }
            Cost::Conditional => self.conditional(operands),
            Cost::Compare => priced(compared(first, operands.size(1))),
            Cost::Equal => priced(self.equal(operands)),
            Cost::InList => priced(operands.size(1).scaled(1.0)),
            Cost::AddText | Cost::AddList => self.joined(operands, cost),
            Cost::ReadTarget => priced(target.scaled(READ)),
            Cost::KeepTarget => sized(target.scaled(READ), target),
            Cost::ReadArgument => priced(first.scaled(READ)),
            Cost::KeepArgument => sized(first.scaled(READ), first),
            Cost::ReadArgumentTwice => priced(first.scaled(2.0 * READ)),
            Cost::ReadElements => priced(self.all_elements(operands, READ)),
            Cost::Includes => priced(self.all_elements(operands, 1.0)),
            Cost::Replace => sized(
                target.scaled(2.0 * READ),
                replaced(target, first, operands.size(1)),
            ),
            Cost::Split => {
                let most = match self.written_int(operands, 1) {
                    // The server treats a negative count as a huge one.
                    Some(most) => most as u64,
                    None => target.max,
                };
                sized(target.scaled(2.0 * READ), Range::up_to(most))
            }
            Cost::Join => {
                let size = self.join(operands);
                sized(size.scaled(READ), size)
            }
            Cost::Find => {
                let cost = target.plus(ONE).scaled(READ).times(first.scaled(PATTERN));
                sized(cost, Range::up_to(target.max))
            }
            Cost::ToBytes => {
                let size = Range {
                    min: first.min,
                    max: first.max.wrapping_mul(4),
                };
                sized(first.scaled(READ), size)
            }
            Cost::ToText => {
                let size = Range {
                    min: first.min / 4,
                    max: first.max,
                };
                sized(first.scaled(READ), size)
            }
            Cost::Quote => {
                let size = Range {
                    min: first.min.wrapping_add(2),
                    max: first.max.wrapping_mul(2).wrapping_add(2),
                };
                sized(first.scaled(READ), size)
            }
            Cost::Affix => priced(first.scaled(READ)),
            Cost::Matches => {
                let (text, pattern) = match operands.target {
                    Some(_) => (target, first),
                    None => (first, operands.size(1)),
                };
                priced(text.plus(ONE).scaled(READ).times(pattern.scaled(PATTERN)))
            }
            Cost::Contains => priced(target.scaled(READ).times(first.scaled(READ))),
            Cost::ContainsIp(is_text) => {
                let cost = ADDRESS.plus(ADDRESS).scaled(READ);
                priced(with_text(cost, first, is_text))
            }
            Cost::ContainsCidr(is_text) => {
                let cost = ADDRESS.plus(ADDRESS).scaled(READ);
                let cost = cost.plus(ADDRESS.scaled(READ)).plus(ONE);
                priced(with_text(cost, first, is_text))
            }
            Cost::Validate => priced(first.scaled(READ).scaled(LONGEST_PATTERN * PATTERN)),
            Cost::Check => priced(CHECK),
            Cost::Selector => {
                let requirements = first.scaled(0.5).scaled(50.0);
                priced(LIST.plus(first.scaled(READ)).plus(requirements))
            }
            Cost::Slice
            | Cost::Flatten
            | Cost::Range
            | Cost::Reverse
            | Cost::Distinct
            | Cost::Sort(_)
            | Cost::SortBy(_)
            | Cost::Sets(_) => self.of_lists(operands, cost),
        }
    }

    /// The extended functions of lists.
    fn of_lists(&mut self, operands: &Operands<'_>, cost: Cost) -> CallCost {
        let target = operands.target_size;
        let first = operands.size(0);
        let factor = |is_text| if is_text { 2.0 + READ } else { 2.0 };
        match cost {
            Cost::Slice => {
                let start = self.written_count(operands, 0).unwrap_or(0);
                let end = self.written_count(operands, 1).unwrap_or(target.max);
                made(1.0, Range::exactly(end.wrapping_sub(start)))
            }
            Cost::Flatten => {
                let depth = match operands.arguments {
                    [] => 1,
                    _ => self.written_count(operands, 0).unwrap_or(u64::MAX),
                };
                made(depth as f64, target)
            }
            Cost::Range => {
                let count = self.written_count(operands, 0).unwrap_or(u64::MAX);
                made(1.0, Range::exactly(count))
            }
            Cost::Reverse => made(1.0, target),
            Cost::Distinct => made(2.0, target.times(target)),
            Cost::Sort(is_text) => made(factor(is_text), target.times(target)),
            Cost::SortBy(is_text) => made(factor(is_text), first.times(first)),
            Cost::Sets(times) => {
                let pairs = first.times(operands.size(1));
                priced(pairs.scaled(f64::from(times)).plus(ONE))
            }
            _ => priced(ONE),
        }
    }

    fn conditional(&mut self, operands: &Operands<'_>) -> CallCost {
        let elements = match operands.arguments {
            [_, then, otherwise] => match (self.elements(*then), self.elements(*otherwise)) {
                (Some(then), Some(otherwise)) => Some(then.or(otherwise)),
                _ => None,
            },
            _ => None,
        };
        self.set_elements(operands.call, elements);
        let branches = operands.cost(1).or(operands.cost(2));
        CallCost {
            cost: operands.cost(0).plus(branches),
            size: Some(operands.size(1).or(operands.size(2))),
            whole: true,
        }
    }

    /// Values of libraries have no size, and are compared in constant time.
    fn equal(&mut self, operands: &Operands<'_>) -> Range {
        let generic = compared(operands.size(0), operands.size(1));
        let [left, right] = operands.arguments else {
            return generic;
        };
        let checked = self.checked;
        let (left, right_ty) = (checked.ty(*left), checked.ty(*right));
        match (left, right_ty) {
            (Type::Library(one), Type::Library(other)) if one == other => match one {
                Library::Empty => generic,
                Library::Format => Range { min: 1, max: 64 }.scaled(READ),
                Library::Url => {
                    let size = self.size(*right).map_or(1, |size| size.max);
                    Range { min: 1, max: size }.scaled(READ)
                }
                _ => ONE,
            },
            _ => generic,
        }
    }

    fn joined(&mut self, operands: &Operands<'_>, cost: Cost) -> CallCost {
        let size = operands.size(0).plus(operands.size(1));
        if let [left, right] = operands.arguments
            && let (Some(left), Some(right)) = (self.elements(*left), self.elements(*right))
        {
            self.set_elements(operands.call, Some(left.or(right)));
        }
        match cost {
            Cost::AddList => sized(ONE, size),
            _ => sized(size.scaled(READ), size),
        }
    }

    /// Each element is visited, and read if it is text. A target that is not a list costs `itself` for each character.
    fn all_elements(&mut self, operands: &Operands<'_>, itself: f64) -> Range {
        let target = operands.target_size;
        match self.element(operands) {
            None => target.scaled(itself),
            Some((ty, size)) => {
                let each = match ty {
                    Type::String | Type::Bytes => ONE.plus(size.scaled(READ)),
                    _ => ONE,
                };
                target.times(each)
            }
        }
    }

    /// The type and the size of the target's elements.
    fn element(&mut self, operands: &Operands<'_>) -> Option<(Type, Range)> {
        let target = operands.target?;
        let ty = match self.checked.ty(target) {
            Type::List(item) | Type::Optional(item) => (**item).clone(),
            Type::Map(entry) => entry.0.clone(),
            _ => return None,
        };
        let path = self.path(target);
        let size = path.and_then(|path| {
            let path = self.paths.copy(path, Segment::Element);
            let node = self.declared(path)?;
            self.size_of_values(node)
        });
        Some((ty, size.unwrap_or(Range::UNKNOWN)))
    }

    fn join(&mut self, operands: &Operands<'_>) -> Range {
        let count = operands.target_size;
        let texts = self.element(operands);
        let size = texts.map_or(NOTHING, |(_, size)| count.times(size));
        match operands.arguments {
            [] => size,
            _ => {
                let between = Range {
                    min: count.min.saturating_sub(1),
                    max: count.max.saturating_sub(1),
                };
                size.plus(operands.size(0).times(between))
            }
        }
    }

    fn written_int(&self, operands: &Operands<'_>, nth: usize) -> Option<i64> {
        let node = self.checked.tree().node(*operands.arguments.get(nth)?)?;
        match node.kind {
            Kind::Literal(Literal::Int(number)) => Some(number),
            _ => None,
        }
    }

    /// The same, but at least 0.
    fn written_count(&self, operands: &Operands<'_>, nth: usize) -> Option<u64> {
        let number = self.written_int(operands, nth)?;
        Some(u64::try_from(number).unwrap_or_default())
    }
}

/// Whether a call has a target. A namespace is not a target.
pub(super) fn is_member(overloads: &[&'static Overload], arguments: &[Id]) -> bool {
    overloads
        .first()
        .is_some_and(|overload| overload.takes.len() > arguments.len())
}

/// The cost of a function that returns a list.
fn made(factor: f64, size: Range) -> CallCost {
    sized(size.scaled(factor).plus(ONE).plus(LIST), size)
}

/// The shorter of two values is read completely.
fn compared(one: Range, other: Range) -> Range {
    let max = one.max.min(other.max);
    Range {
        min: max.min(1),
        max,
    }
    .scaled(READ)
}

/// The size of a text after replacing a part.
fn replaced(text: Range, old: Range, new: Range) -> Range {
    let fit = |size: u64, into: u64| (size as f64 / into as f64).ceil() as u64;
    let (most, kept_most) = if old.min == 0 {
        (text.max.saturating_add(1), text.max)
    } else if new.max <= old.min {
        (0, text.max)
    } else {
        (fit(text.max, old.min), 0)
    };
    let (least, kept_least) = if old.max == 0 {
        (text.min.saturating_add(1), text.min)
    } else if old.max <= new.min {
        (0, text.min)
    } else {
        (fit(text.min, old.max), 0)
    };
    let count = Range {
        min: least,
        max: most,
    };
    let kept = Range {
        min: kept_least,
        max: kept_most,
    };
    count.times(new).plus(kept)
}
