//! Which parts of a schema an expression reads, found by working out what each of its nodes may be.

use super::value::{Shared, Value, any, union};
use crate::check::removed::{Place, Removed, Step};
use crate::schema::Schema;
use crd_channels_cel::ast::{Binary, Expression, Kind, Literal, Name};
use crd_channels_cel::macros::{Macro, macro_called};
use crd_channels_cel::unescape;
use std::ops::Range;

/// What an expression reads that the projected schema no longer has, in the order in which it is written: fields that are
/// gone, and members of enums that are gone and that a value is compared with. Each place is told once; what lies below
/// a removed field is not told again.
///
/// `full` and `projected` are the same node, the one whose rule it is: `self` and `oldSelf`.
#[must_use]
pub fn removed_reads(expression: &Expression, full: &Schema, projected: &Schema) -> Vec<Removed> {
    let itself = Place::root(full, projected, "self");
    let old = Value::place(itself.clone());
    let mut reader = Reader {
        // With `optionalOldSelf` the old value is an optional; the same names are read either way.
        variables: vec![
            ("oldSelf", union(&old, &Value::optional(old.clone()))),
            ("self", Value::place(itself)),
        ],
        removed: Vec::new(),
    };
    reader.read(expression);
    let mut removed = reader.removed;
    removed.sort_by(|a, b| (a.offset, a.kind, &a.path).cmp(&(b.offset, b.kind, &b.path)));
    removed.dedup();
    removed
}

/// How many variables belong to no macro.
const GLOBALS: usize = 2;

struct Reader<'a> {
    /// The variables in reach, the innermost last.
    variables: Vec<(&'a str, Shared<'a>)>,
    removed: Vec<Removed>,
}

impl<'a> Reader<'a> {
    /// What an expression may be; notes what it reads.
    fn read(&mut self, expression: &'a Expression) -> Shared<'a> {
        match &expression.kind {
            Kind::Literal(literal) => Value::constant(literal, expression.range.clone()),
            Kind::Identifier { name, rooted } => self.variable(&name.text, *rooted),
            Kind::Select {
                operand,
                field,
                optional,
            } => {
                let operand = self.read(operand);
                let name = unescape(&field.text);
                let found = match name {
                    Some(name) => self.field(&operand, &name, &field.range),
                    None => Value::unknown(),
                };
                in_optional(found, *optional)
            }
            Kind::Index {
                operand,
                index,
                optional,
            } => {
                let operand = self.read(operand);
                let found = self.element(&operand, index);
                in_optional(found, *optional)
            }
            Kind::Call {
                target: Some(target),
                function,
                arguments,
            } => self.member_call(target, function, arguments),
            Kind::Call {
                target: None,
                function,
                arguments,
            } => self.global_call(function, arguments),
            Kind::Binary {
                operator,
                left,
                right,
            } => {
                let left = self.read(left);
                let right = self.read(right);
                self.binary(*operator, &left, &right)
            }
            Kind::Conditional {
                condition,
                then,
                otherwise,
            } => {
                self.read(condition);
                let then = self.read(then);
                let otherwise = self.read(otherwise);
                self.alike(&then, &otherwise)
            }
            Kind::List(elements) => {
                let items: Vec<_> = elements
                    .iter()
                    .map(|element| self.maybe(&element.value, element.optional))
                    .collect();
                Value::list(self.all_alike(items))
            }
            Kind::Map(entries) => {
                let (keys, values): (Vec<_>, Vec<_>) = entries
                    .iter()
                    .map(|entry| {
                        let key = self.read(&entry.key);
                        (key, self.maybe(&entry.value, entry.optional))
                    })
                    .unzip();
                let keys = self.all_alike(keys);
                Value::map(keys, self.all_alike(values))
            }
            Kind::Unary { .. } | Kind::Logic { .. } | Kind::Message { .. } => {
                for child in expression.kind.children() {
                    self.read(child);
                }
                Value::unknown()
            }
        }
    }

    fn variable(&self, name: &str, rooted: bool) -> Shared<'a> {
        let skipped = if rooted {
            self.variables.len().saturating_sub(GLOBALS)
        } else {
            0
        };
        self.variables
            .iter()
            .rev()
            .skip(skipped)
            .find(|(known, _)| *known == name)
            .map_or_else(Value::unknown, |(_, value)| value.clone())
    }

    /// An element or entry with a `?` before it stands for what is in the optional.
    fn maybe(&mut self, expression: &'a Expression, optional: bool) -> Shared<'a> {
        let value = self.read(expression);
        if optional { value.unwrapped() } else { value }
    }

    /// The field of that name of an object, or the entry of that key of a map.
    fn field(&mut self, operand: &Shared<'a>, name: &str, at: &Range<usize>) -> Shared<'a> {
        let mut found = vec![operand.values()];
        for place in &operand.places {
            match place.property(name, at.clone()) {
                Step::To(place) => found.push(Value::place(place)),
                Step::Removed(removed) => self.removed.push(removed),
                Step::Nowhere => self.removed.extend(place.named_key(name, at.clone())),
            }
        }
        if let Some(inner) = operand.inner() {
            found.push(Value::optional(self.field(&inner, name, at)));
        }
        any(found)
    }

    /// `operand[index]`
    fn element(&mut self, operand: &Shared<'a>, index: &'a Expression) -> Shared<'a> {
        let key = self.read(index);
        if let Kind::Literal(Literal::String(name)) = &index.kind {
            return self.field(operand, name, &index.range);
        }
        self.compare(&key, &operand.keys());
        let direct = union(&operand.items(), &operand.values());
        match operand.inner() {
            Some(inner) => {
                let within = union(&inner.items(), &inner.values());
                union(&direct, &Value::optional(within))
            }
            None => direct,
        }
    }

    fn binary(&mut self, operator: Binary, left: &Shared<'a>, right: &Shared<'a>) -> Shared<'a> {
        match operator {
            Binary::Equal | Binary::NotEqual => self.compare(left, right),
            // A number is a bound here, and names nothing.
            Binary::Less | Binary::LessEqual | Binary::Greater | Binary::GreaterEqual
                if left.is_text() || right.is_text() =>
            {
                self.compare(left, right);
            }
            Binary::Less | Binary::LessEqual | Binary::Greater | Binary::GreaterEqual => {}
            Binary::In => {
                self.compare(left, &right.items());
                self.compare(left, &right.keys());
            }
            Binary::Add => return Value::list(self.alike(&left.items(), &right.items())),
            Binary::Subtract | Binary::Multiply | Binary::Divide | Binary::Modulo => {}
        }
        Value::unknown()
    }

    /// Either of two values. What stands for the same thing is of the same kind, as if it were compared.
    fn alike(&mut self, one: &Shared<'a>, other: &Shared<'a>) -> Shared<'a> {
        self.compare(one, other);
        union(one, other)
    }

    /// The same for any number of values.
    fn all_alike(&mut self, values: Vec<Shared<'a>>) -> Shared<'a> {
        let all = any(values);
        self.compare(&all, &all);
        all
    }

    /// Notes the removed members of enums that stand in a pattern by themselves: `'^(A|B)$'` names two.
    fn matches(&mut self, value: &Shared<'a>, pattern: &Shared<'a>) {
        for place in &value.places {
            self.removed
                .extend(pattern.constants.values().filter_map(|constant| {
                    place.lost_member(|member| constant.spells(member), constant.range.clone())
                }));
        }
    }

    /// Notes the removed members of enums in a test whether two values are the same.
    fn compare(&mut self, one: &Shared<'a>, other: &Shared<'a>) {
        for (value, constants) in [(one, &other.constants), (other, &one.constants)] {
            for place in &value.places {
                self.removed
                    .extend(constants.values().filter_map(|constant| {
                        place.compared(|member| constant.equals(member), constant.range.clone())
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

    fn global_call(&mut self, function: &Name, arguments: &'a [Expression]) -> Shared<'a> {
        let values: Vec<_> = arguments.iter().map(|value| self.read(value)).collect();
        match (&*function.text, values.as_slice()) {
            // Text made of text is the same text.
            ("dyn" | "string", [value]) => value.clone(),
            ("matches", [value, pattern]) => {
                self.matches(value, pattern);
                Value::unknown()
            }
            _ => Value::unknown(),
        }
    }

    fn member_call(
        &mut self,
        target: &'a Expression,
        function: &Name,
        arguments: &'a [Expression],
    ) -> Shared<'a> {
        if let Kind::Identifier { name, .. } = &target.kind
            && !self
                .variables
                .iter()
                .any(|(known, _)| **known == *name.text)
        {
            return self.library_call(&name.text, function, arguments);
        }
        let target = self.read(target);
        if let Some(result) = self.macro_call(&target, function, arguments) {
            return result;
        }
        let values: Vec<_> = arguments.iter().map(|value| self.read(value)).collect();
        match (&*function.text, values.as_slice()) {
            ("first" | "last", []) => Value::optional(target.items()),
            ("distinct" | "sort", []) | ("slice", [_, _]) => Value::list(target.items()),
            ("flatten", []) => Value::list(flattened(&target.items(), 1)),
            ("flatten", [_]) => Value::list(flattened(&target.items(), u8::MAX)),
            ("value", []) => target.unwrapped(),
            ("orValue", [other]) => self.alike(&target.unwrapped(), other),
            ("or", [other]) => self.alike(&target, other),
            ("indexOf" | "lastIndexOf", [sought, ..]) => {
                self.compare(sought, &target.items());
                self.compare(sought, &target);
                Value::unknown()
            }
            ("matches", [pattern]) => {
                self.matches(&target, pattern);
                Value::unknown()
            }
            ("contains" | "startsWith" | "endsWith", [sought]) => {
                self.compare(&target, sought);
                Value::unknown()
            }
            // What is made of a value is looked at as if it were the value.
            ("trim" | "lowerAscii" | "upperAscii" | "reverse", []) => target,
            ("replace", [sought, by, ..]) => {
                self.compare(&target, sought);
                self.alike(&target, by)
            }
            ("substring" | "charAt", _) => target,
            ("split", [separator, ..]) => {
                self.compare(&target, separator);
                Value::list(target)
            }
            ("join", _) | ("min" | "max", []) => target.items(),
            ("format", [values]) => values.items(),
            _ => Value::unknown(),
        }
    }

    /// A function of a library, such as `sets.contains`.
    fn library_call(
        &mut self,
        library: &str,
        function: &Name,
        arguments: &'a [Expression],
    ) -> Shared<'a> {
        let values: Vec<_> = arguments.iter().map(|value| self.read(value)).collect();
        match (library, &*function.text, values.as_slice()) {
            ("sets", "contains" | "equivalent" | "intersects", [one, other]) => {
                self.compare(&one.items(), &other.items());
                Value::unknown()
            }
            ("optional", "of" | "ofNonZeroValue", [value]) => Value::optional(value.clone()),
            _ => Value::unknown(),
        }
    }

    /// A macro that names a variable or two. `None` if the call is none.
    fn macro_call(
        &mut self,
        target: &Shared<'a>,
        function: &Name,
        arguments: &'a [Expression],
    ) -> Option<Shared<'a>> {
        let row = macro_called(&function.text, true, arguments.len())?;
        let (names, bodies) = arguments.split_at_checked(row.variables)?;
        let first = target.items();
        let element = union(&first, &target.keys());
        let values = match (row.expands_to, row.variables) {
            (Macro::OptMap | Macro::OptFlatMap, _) => vec![target.unwrapped()],
            (Macro::SortBy, _) => vec![first.clone()],
            (_, 1) => vec![element.clone()],
            _ => vec![target.keys(), union(&first, &target.values())],
        };
        let result = self.bound(names, values, bodies)?;
        Some(match row.expands_to {
            Macro::Has | Macro::All | Macro::Exists | Macro::ExistsOne => Value::unknown(),
            Macro::Filter => Value::list(element),
            Macro::SortBy => Value::list(first),
            Macro::Map => Value::list(result),
            Macro::TransformMap => Value::map(target.keys(), result),
            Macro::OptMap => Value::optional(result),
            Macro::TransformMapEntry | Macro::OptFlatMap => result,
        })
    }

    /// Reads the bodies of a macro with its variables bound; what the last one may be. `None` if a variable is not a name.
    fn bound(
        &mut self,
        variables: &'a [Expression],
        values: Vec<Shared<'a>>,
        bodies: &'a [Expression],
    ) -> Option<Shared<'a>> {
        let outer = self.variables.len();
        for (variable, value) in variables.iter().zip(values) {
            let Kind::Identifier {
                name,
                rooted: false,
            } = &variable.kind
            else {
                self.variables.truncate(outer);
                return None;
            };
            self.variables.push((&name.text, value));
        }
        let results: Vec<_> = bodies.iter().map(|body| self.read(body)).collect();
        self.variables.truncate(outer);
        results.last().cloned()
    }
}

fn in_optional<'a>(value: Shared<'a>, optional: bool) -> Shared<'a> {
    if optional && value.inner().is_none() {
        return Value::optional(value);
    }
    value
}

/// The elements of elements that are lists, so many levels down, and with them the elements themselves.
fn flattened<'a>(items: &Shared<'a>, levels: u8) -> Shared<'a> {
    let mut all = items.clone();
    let mut level = items.items();
    for _ in 0..levels {
        if level.places.is_empty() && !level.is_list() && level.constants.is_empty() {
            break;
        }
        all = union(&all, &level);
        level = level.items();
    }
    all
}
