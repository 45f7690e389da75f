//! The possible values of a part of an expression, as far as the schema determines them.

use crate::removed::{NodePair, spells};
use crd_channels_cel::ast::Literal;
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

/// The maximum nesting of lists, maps and optionals made by an expression; deeper values are unknown. A value can be all three
/// at once, so the work is exponential in the depth.
const MAX_DEPTH: u8 = 6;

/// A value shared by all that read it.
pub(super) type Shared<'a> = Rc<Value<'a>>;

/// The set of possible values. If nothing is set, the value is unknown, and reading it has no effect.
#[derive(Clone, Debug, Default)]
pub(super) struct Value<'a> {
    /// Nodes of the schema.
    pub(super) pairs: Vec<NodePair<'a>>,
    /// Constants of the expression, by offset.
    pub(super) constants: BTreeMap<usize, Constant<'a>>,
    /// The elements of a list that the expression makes.
    items: Option<Shared<'a>>,
    /// The keys and values of a map that the expression makes.
    entries: Option<(Shared<'a>, Shared<'a>)>,
    /// The value in an optional.
    inner: Option<Shared<'a>>,
    /// The number of levels below.
    depth: u8,
}

/// A constant and its span.
#[derive(Clone, Debug)]
pub(super) struct Constant<'a> {
    literal: &'a Literal,
    pub(super) range: Range<usize>,
}

impl<'a> Value<'a> {
    pub(super) fn unknown() -> Shared<'a> {
        Rc::default()
    }

    pub(super) fn pair(pair: NodePair<'a>) -> Shared<'a> {
        Self::pairs(vec![pair])
    }

    fn pairs(pairs: Vec<NodePair<'a>>) -> Shared<'a> {
        Rc::new(Self {
            pairs,
            ..Self::default()
        })
    }

    pub(super) fn constant(literal: &'a Literal, range: Range<usize>) -> Shared<'a> {
        Rc::new(Self {
            constants: BTreeMap::from([(range.start, Constant { literal, range })]),
            ..Self::default()
        })
    }

    pub(super) fn list(items: Shared<'a>) -> Shared<'a> {
        one_level_deeper(items.depth, |depth| Self {
            items: Some(items),
            depth,
            ..Self::default()
        })
    }

    pub(super) fn map(keys: Shared<'a>, values: Shared<'a>) -> Shared<'a> {
        one_level_deeper(keys.depth.max(values.depth), |depth| Self {
            entries: Some((keys, values)),
            depth,
            ..Self::default()
        })
    }

    pub(super) fn optional(inner: Shared<'a>) -> Shared<'a> {
        one_level_deeper(inner.depth, |depth| Self {
            inner: Some(inner),
            depth,
            ..Self::default()
        })
    }

    /// The elements, if it may be a list.
    pub(super) fn items(&self) -> Shared<'a> {
        let pairs = self.pairs.iter().filter_map(NodePair::items).collect();
        with_pairs(pairs, self.items.as_ref())
    }

    /// The keys, if it may be a map. Keys of a map of the schema are any text, unless they have gates.
    pub(super) fn keys(&self) -> Shared<'a> {
        let pairs = self.pairs.iter().filter_map(NodePair::keys).collect();
        with_pairs(pairs, self.entries.as_ref().map(|(keys, _)| keys))
    }

    /// The values, if it may be a map.
    pub(super) fn values(&self) -> Shared<'a> {
        let pairs = self.pairs.iter().filter_map(NodePair::values).collect();
        with_pairs(pairs, self.entries.as_ref().map(|(_, values)| values))
    }

    /// The value in the optional, if it may be one.
    pub(super) fn inner(&self) -> Option<Shared<'a>> {
        self.inner.clone()
    }

    /// The value, without its optional if it is in one.
    pub(super) fn unwrapped(self: &Rc<Self>) -> Shared<'a> {
        match &self.inner {
            Some(inner) => inner.clone(),
            None => self.clone(),
        }
    }

    /// Whether it may be a text constant of the expression.
    pub(super) fn is_text(&self) -> bool {
        let mut constants = self.constants.values();
        constants.any(|constant| matches!(constant.literal, Literal::String(_)))
    }

    /// Whether the expression itself makes it a list.
    pub(super) fn is_list(&self) -> bool {
        self.items.is_some()
    }

    /// Whether the expression itself makes it a map.
    pub(super) fn is_map(&self) -> bool {
        self.entries.is_some()
    }
}

/// Combines the values of the schema with those that the expression makes.
fn with_pairs<'a>(pairs: Vec<NodePair<'a>>, made: Option<&Shared<'a>>) -> Shared<'a> {
    match made {
        Some(made) if pairs.is_empty() => made.clone(),
        Some(made) => union(&Value::pairs(pairs), made),
        None => Value::pairs(pairs),
    }
}

/// Adds a level; beyond the limit the value is unknown.
fn one_level_deeper<'a>(depth: u8, make: impl FnOnce(u8) -> Value<'a>) -> Shared<'a> {
    if depth >= MAX_DEPTH {
        return Value::unknown();
    }
    Rc::new(make(depth + 1))
}

/// Either of two values.
pub(super) fn union<'a>(one: &Shared<'a>, other: &Shared<'a>) -> Shared<'a> {
    if Rc::ptr_eq(one, other) {
        return one.clone();
    }
    let mut both = Value::clone(one);
    add(&mut both, other);
    Rc::new(both)
}

/// Any of several values.
pub(super) fn any<'a>(values: impl IntoIterator<Item = Shared<'a>>) -> Shared<'a> {
    let mut all = Value::default();
    for value in values {
        add(&mut all, &value);
    }
    Rc::new(all)
}

fn add<'a>(all: &mut Value<'a>, more: &Value<'a>) {
    let Value {
        pairs,
        constants,
        items,
        entries,
        inner,
        depth,
    } = more;
    for pair in pairs {
        if !all.pairs.iter().any(|known| known.is(pair)) {
            all.pairs.push(pair.clone());
        }
    }
    for (at, constant) in constants {
        all.constants.insert(*at, constant.clone());
    }
    join(&mut all.items, items.as_ref());
    join(&mut all.inner, inner.as_ref());
    all.entries = match (all.entries.take(), entries) {
        (Some((keys, values)), Some((more_keys, more_values))) => {
            Some((union(&keys, more_keys), union(&values, more_values)))
        }
        (known, more) => known.or_else(|| more.clone()),
    };
    all.depth = all.depth.max(*depth);
}

fn join<'a>(known: &mut Option<Shared<'a>>, more: Option<&Shared<'a>>) {
    *known = match (known.take(), more) {
        (Some(known), Some(more)) => Some(union(&known, more)),
        (known, more) => known.or_else(|| more.cloned()),
    };
}

impl Constant<'_> {
    /// Whether a value of the schema is a piece of the constant, as a pattern.
    pub(super) fn spells(&self, value: &serde_json::Value) -> bool {
        match (self.literal, value.as_str()) {
            (Literal::String(pattern), Some(text)) => spells(pattern, text),
            _ => false,
        }
    }

    /// Whether a value of the schema equals the constant.
    pub(super) fn equals(&self, value: &serde_json::Value) -> bool {
        match self.literal {
            Literal::String(text) => value.as_str() == Some(text),
            Literal::Bool(flag) => value.as_bool() == Some(*flag),
            Literal::Int(number) => {
                value.as_i64() == Some(*number) || is_double(value, *number as f64)
            }
            Literal::Uint(number) => value.as_u64() == Some(*number),
            Literal::Double(number) => is_double(value, *number),
            Literal::Null => value.is_null(),
            Literal::Bytes(_) => false,
        }
    }
}

/// Whether a value is a number that equals this one.
fn is_double(value: &serde_json::Value, number: f64) -> bool {
    value.as_f64() == Some(number)
}
