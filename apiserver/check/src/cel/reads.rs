//! The parts of a schema that an expression reads, found by evaluating the possible values of each of its nodes.

use super::flow::Flow;
use super::value::{Shared, Value, any, union};
use crate::removed::{Child, NodePair, Removed};
use crd_channels_cel::ast::{Binary, Expression, Kind, Literal, Logic, Unary};
use crd_channels_cel::calls::{Comprehension, Function, Selection};
use crd_channels_cel::domain::{Domain, Indexing, interpret};
use crd_channels_cel::functions::takes_pattern;
use crd_channels_cel::macros::Macro;
use crd_channels_cel::unescape;
use crd_channels_schema::Schema;
use std::ops::Range;

/// The parts that an expression reads and that the projected schema no longer has, in source order: removed fields, and removed
/// enum members that a value is compared with. Each is reported once; parts below a removed field are not reported.
///
/// `full` and `projected` are the same node, the one with the rule: `self` and `oldSelf`.
#[must_use]
pub fn removed_reads(expression: &Expression, full: &Schema, projected: &Schema) -> Vec<Removed> {
    let itself = NodePair::root(full, projected, "self");
    let old = Value::pair(itself.clone());
    // With `optionalOldSelf` the old value is an optional, but the same names are read.
    let variables = vec![
        ("oldSelf", union(&old, &Value::optional(old.clone()))),
        ("self", Value::pair(itself)),
    ];
    let mut reader = Reader::default();
    interpret(&mut reader, expression, variables);
    let mut removed = reader.removed;
    removed.sort_by(|a, b| (a.offset, a.kind, &a.path).cmp(&(b.offset, b.kind, &b.path)));
    removed.dedup();
    removed
}

/// Evaluates the possible values of an expression, and records the reads of removed parts.
#[derive(Default)]
struct Reader {
    removed: Vec<Removed>,
}

impl<'a> Domain<'a> for Reader {
    type Value = Shared<'a>;

    fn unknown(&mut self) -> Shared<'a> {
        Value::unknown()
    }

    fn literal(&mut self, literal: &'a Literal, part: &'a Expression) -> Shared<'a> {
        Value::constant(literal, part.range.clone())
    }

    fn select(&mut self, selection: Selection<'a>, operand: Shared<'a>) -> Shared<'a> {
        let field = selection.field;
        let found = match unescape(&field.text) {
            Some(name) => self.field(&operand, &name, &field.range),
            None => Value::unknown(),
        };
        in_optional(found, selection.optional)
    }

    fn has(&mut self, selection: Selection<'a>, operand: Shared<'a>) -> Shared<'a> {
        self.select(selection, operand);
        Value::unknown()
    }

    fn index(&mut self, of: Indexing<'a>, operand: Shared<'a>, key: Shared<'a>) -> Shared<'a> {
        let found = match &of.index.kind {
            Kind::Literal(Literal::String(name)) => self.field(&operand, name, &of.index.range),
            _ => self.element(&operand, &key),
        };
        in_optional(found, of.optional)
    }

    fn unary(&mut self, _: Unary, _: Shared<'a>) -> Shared<'a> {
        Value::unknown()
    }

    fn binary(
        &mut self,
        operator: Binary,
        _: [&'a Expression; 2],
        [left, right]: [Shared<'a>; 2],
    ) -> Shared<'a> {
        match operator {
            Binary::Equal | Binary::NotEqual => self.compare(&left, &right),
            // A number is a bound here, not a name.
            Binary::Less | Binary::LessEqual | Binary::Greater | Binary::GreaterEqual
                if left.is_text() || right.is_text() =>
            {
                self.compare(&left, &right);
            }
            Binary::Less | Binary::LessEqual | Binary::Greater | Binary::GreaterEqual => {}
            Binary::In => {
                self.compare(&left, &right.items());
                self.compare(&left, &right.keys());
            }
            Binary::Add => return Value::list(self.alike(&left.items(), &right.items())),
            Binary::Subtract | Binary::Multiply | Binary::Divide | Binary::Modulo => {}
        }
        Value::unknown()
    }

    fn logic(&mut self, _: Logic, _: Vec<Shared<'a>>) -> Shared<'a> {
        Value::unknown()
    }

    fn choice(&mut self, _: Shared<'a>, then: Shared<'a>, otherwise: Shared<'a>) -> Shared<'a> {
        self.alike(&then, &otherwise)
    }

    fn list(&mut self, elements: Vec<(Shared<'a>, bool)>) -> Shared<'a> {
        let items = elements
            .into_iter()
            .map(|(value, optional)| maybe(value, optional));
        Value::list(self.all_alike(items.collect()))
    }

    fn map(&mut self, entries: Vec<(Shared<'a>, Shared<'a>, bool)>) -> Shared<'a> {
        let entries = entries.into_iter();
        let entries = entries.map(|(key, value, optional)| (key, maybe(value, optional)));
        let (keys, values) = entries.unzip();
        let keys = self.all_alike(keys);
        Value::map(keys, self.all_alike(values))
    }

    fn message(&mut self, _: Vec<Shared<'a>>) -> Shared<'a> {
        Value::unknown()
    }

    fn function(&mut self, function: &Function<'a>, given: Vec<Shared<'a>>) -> Shared<'a> {
        if let ([text, pattern, ..], true) = (given.as_slice(), takes_pattern(&function.name)) {
            self.matches(text, pattern);
            return Value::unknown();
        }
        let mut results = Vec::new();
        for row in function.rows() {
            let flow = Flow::of_call(row, &given);
            for alike in flow.alike() {
                self.compare(&alike, &alike);
            }
            results.push(flow.result(row));
        }
        any(results)
    }

    fn elements(&mut self, of: &Comprehension<'a>, target: &Shared<'a>) -> Vec<Shared<'a>> {
        let items = target.items();
        match (of.row.expands_to, of.row.variables) {
            (Macro::OptMap | Macro::OptFlatMap, _) => vec![target.unwrapped()],
            (Macro::SortBy, _) => vec![items],
            (_, 1) => vec![union(&items, &target.keys())],
            _ => vec![target.keys(), union(&items, &target.values())],
        }
    }

    fn comprehension(
        &mut self,
        of: &Comprehension<'a>,
        target: Shared<'a>,
        bodies: Vec<Shared<'a>>,
    ) -> Shared<'a> {
        let result = bodies.last().cloned().unwrap_or_else(Value::unknown);
        match of.row.expands_to {
            Macro::Has | Macro::All | Macro::Exists | Macro::ExistsOne => Value::unknown(),
            Macro::Filter => Value::list(union(&target.items(), &target.keys())),
            Macro::SortBy => Value::list(target.items()),
            Macro::Map => Value::list(result),
            Macro::TransformMap => Value::map(target.keys(), result),
            Macro::OptMap => Value::optional(result),
            Macro::TransformMapEntry | Macro::OptFlatMap => result,
        }
    }
}

impl Reader {
    /// The field of that name of an object, or the entry for that key of a map.
    fn field<'a>(&mut self, operand: &Shared<'a>, name: &str, at: &Range<usize>) -> Shared<'a> {
        let mut found = vec![operand.values()];
        for pair in &operand.pairs {
            match pair.property(name, at.clone()) {
                Child::To(pair) => found.push(Value::pair(pair)),
                Child::Removed(removed) => self.removed.push(removed),
                Child::Nowhere => self.removed.extend(pair.named_key(name, at.clone())),
            }
        }
        if let Some(inner) = operand.inner() {
            found.push(Value::optional(self.field(&inner, name, at)));
        }
        any(found)
    }

    /// `operand[key]`
    fn element<'a>(&mut self, operand: &Shared<'a>, key: &Shared<'a>) -> Shared<'a> {
        self.compare(key, &operand.keys());
        let direct = union(&operand.items(), &operand.values());
        match operand.inner() {
            Some(inner) => {
                let within = union(&inner.items(), &inner.values());
                union(&direct, &Value::optional(within))
            }
            None => direct,
        }
    }

    /// Either of two values. They are alike, as if they were compared.
    fn alike<'a>(&mut self, one: &Shared<'a>, other: &Shared<'a>) -> Shared<'a> {
        self.compare(one, other);
        union(one, other)
    }

    /// The same for any number of values.
    fn all_alike<'a>(&mut self, values: Vec<Shared<'a>>) -> Shared<'a> {
        let all = any(values);
        self.compare(&all, &all);
        all
    }

    /// Records the removed enum members that are pieces of a pattern: `'^(A|B)$'` names two.
    fn matches<'a>(&mut self, value: &Shared<'a>, pattern: &Shared<'a>) {
        for pair in &value.pairs {
            self.removed
                .extend(pattern.constants.values().filter_map(|constant| {
                    pair.removed_member(|member| constant.spells(member), constant.range.clone())
                }));
        }
    }

    /// Records the removed enum members in a comparison of two values.
    fn compare<'a>(&mut self, one: &Shared<'a>, other: &Shared<'a>) {
        for (value, constants) in [(one, &other.constants), (other, &one.constants)] {
            for pair in &value.pairs {
                self.removed
                    .extend(constants.values().filter_map(|constant| {
                        pair.compared(|member| constant.equals(member), constant.range.clone())
                    }));
            }
        }
        if one.is_list() || other.is_list() {
            self.compare(&one.items(), &other.items());
        }
        if one.is_map() || other.is_map() {
            self.compare(&one.keys(), &other.keys());
            self.compare(&one.values(), &other.values());
        }
        if let (Some(one), Some(other)) = (one.inner(), other.inner()) {
            self.compare(&one, &other);
        }
    }
}

fn in_optional<'a>(value: Shared<'a>, optional: bool) -> Shared<'a> {
    if optional && value.inner().is_none() {
        return Value::optional(value);
    }
    value
}

/// An element or entry marked with `?` is the content of its optional.
fn maybe(value: Shared<'_>, optional: bool) -> Shared<'_> {
    if optional { value.unwrapped() } else { value }
}
