//! What an expression names that a server does not know: variables, functions, types, fields.
//!
//! The types of expressions are followed as far as they come straight from the schema. What is not known for certain is
//! not judged.

use super::functions::{Known, Style, function, functions, is_type, macro_variables};
use super::shape::{Shape, named};
use crate::diag::nearest;
use crd_channels_cel::ast::{Expression, Field, Kind, Name};
use crd_channels_cel::syntax::qualified;

/// What can be selected from the values of a node.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Selects {
    /// The fields that it declares.
    Fields,
    /// Any key: it is a map.
    Values,
    /// Nothing: it is a scalar or a list.
    Nothing,
    /// Whatever there is.
    Anything,
}

/// A node of which it is known what can be selected from its values.
pub trait Typed: Shape {
    /// What can be selected.
    fn selects(self) -> Selects;
}

/// A name that nobody knows.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Undeclared {
    /// Where, in bytes.
    pub offset: usize,
    /// What is wrong: lowercase, no full stop.
    pub message: String,
    /// What is probably meant.
    pub help: Option<String>,
}

/// The first name in an expression on a node that a server does not know. `optional_old` says that `oldSelf` is an
/// optional.
///
/// # Errors
/// Where there is such a name.
pub fn declared<S: Typed>(
    expression: &Expression,
    itself: S,
    optional_old: bool,
) -> Result<(), Undeclared> {
    let old = if optional_old {
        Value::Optional(itself)
    } else {
        Value::Node(itself)
    };
    let mut resolver = Resolver {
        variables: vec![("self", Value::Node(itself)), ("oldSelf", old)],
    };
    resolver.value(expression).map(|_| ())
}

/// What an expression gives, as far as that is known.
#[derive(Clone, Copy)]
enum Value<S> {
    Node(S),
    Optional(S),
    /// The key of a map or the index of a list.
    Key,
    Unknown,
}

type Found<S> = Result<Value<S>, Undeclared>;

/// `self` and `oldSelf`.
const GLOBALS: usize = 2;

struct Resolver<'e, S> {
    /// The variables in reach, the innermost last.
    variables: Vec<(&'e str, Value<S>)>,
}

impl<'e, S: Typed> Resolver<'e, S> {
    fn value(&mut self, expression: &'e Expression) -> Found<S> {
        if self.names_type(expression) {
            return Ok(Value::Unknown);
        }
        match &expression.kind {
            Kind::Identifier { name, rooted } => self.variable(name, *rooted),
            Kind::Select {
                operand,
                field,
                optional,
            } => {
                let operand = self.value(operand)?;
                select(operand, field, expression.at, *optional)
            }
            Kind::Index {
                operand,
                index,
                optional,
            } => {
                let operand = self.value(operand)?;
                self.value(index)?;
                Ok(element(operand, *optional))
            }
            Kind::Call {
                target: None,
                function,
                arguments,
            } => self.global(&function.text, function, expression.at, arguments),
            Kind::Call {
                target: Some(target),
                function,
                arguments,
            } => self.member(target, function, expression.at, arguments),
            Kind::Message { name, fields } => {
                message(name, fields, expression.at)?;
                for field in fields {
                    self.value(&field.value)?;
                }
                Ok(Value::Unknown)
            }
            Kind::Literal(_)
            | Kind::Unary { .. }
            | Kind::Binary { .. }
            | Kind::Logic { .. }
            | Kind::Conditional { .. }
            | Kind::List(_)
            | Kind::Map(_) => {
                for child in expression.kind.children() {
                    self.value(child)?;
                }
                Ok(Value::Unknown)
            }
        }
    }

    /// Whether an expression is the name of a type. Variables of macros go before.
    fn names_type(&self, expression: &Expression) -> bool {
        let path = matches!(
            &expression.kind,
            Kind::Select { .. } | Kind::Identifier { .. }
        );
        let Some(name) = qualified(expression).filter(|_| path) else {
            return false;
        };
        let first = name.split('.').next().unwrap_or_default();
        is_type(&name) && !self.variables.iter().any(|(known, _)| *known == first)
    }

    fn variable(&self, name: &Name, rooted: bool) -> Found<S> {
        let reach = if rooted {
            self.variables.get(..GLOBALS)
        } else {
            self.variables.get(..)
        };
        let mut reach = reach.unwrap_or_default().iter().rev();
        if let Some((_, value)) = reach.find(|(known, _)| **known == *name.text) {
            return Ok(*value);
        }
        let known = self.variables.iter().map(|(known, _)| *known);
        Err(Undeclared {
            offset: name.range.start,
            message: format!("no variable is called `{}`", name.text),
            help: nearest(&name.text, known).map(ToOwned::to_owned),
        })
    }

    fn all(&mut self, expressions: &'e [Expression]) -> Result<(), Undeclared> {
        for expression in expressions {
            self.value(expression)?;
        }
        Ok(())
    }

    /// `name(..)` or `name.space(..)`
    fn global(
        &mut self,
        name: &str,
        function_name: &Name,
        at: usize,
        arguments: &'e [Expression],
    ) -> Found<S> {
        if name == "has"
            && let [argument] = arguments
        {
            if !matches!(argument.kind, Kind::Select { .. }) {
                return Err(Undeclared {
                    offset: argument.at,
                    message: "`has(..)` takes the selection of a field".to_owned(),
                    help: Some("has(self.field)".to_owned()),
                });
            }
            return self.value(argument).map(|_| Value::Unknown);
        }
        known(name, Style::Global, arguments.len(), function_name, at)?;
        self.all(arguments)?;
        Ok(Value::Unknown)
    }

    /// `target.name(..)`
    fn member(
        &mut self,
        target: &'e Expression,
        name: &'e Name,
        at: usize,
        arguments: &'e [Expression],
    ) -> Found<S> {
        if let Some(space) = qualified(target) {
            let first = space.split('.').next().unwrap_or_default();
            let shadowed = self.variables.iter().any(|(known, _)| *known == first);
            let whole = format!("{space}.{}", name.text);
            let whole = whole.strip_prefix('.').unwrap_or(&whole);
            if !shadowed && function(whole, Style::Global, arguments.len()) != Known::Not {
                return self.global(whole, name, at, arguments);
            }
        }
        let value = self.value(target)?;
        if let Some(count) = macro_variables(&name.text, arguments.len()) {
            return self.with_variables(&name.text, count, value, arguments);
        }
        known(&name.text, Style::Member, arguments.len(), name, at)?;
        self.all(arguments)?;
        Ok(match (&*name.text, value) {
            ("distinct" | "reverse" | "sort" | "slice", Value::Node(list)) => Value::Node(list),
            ("first" | "last", Value::Node(list)) => {
                list.items().map_or(Value::Unknown, Value::Optional)
            }
            ("value" | "orValue", Value::Optional(inner)) => Value::Node(inner),
            _ => Value::Unknown,
        })
    }

    /// A macro over the elements of a value.
    fn with_variables(
        &mut self,
        name: &str,
        count: usize,
        target: Value<S>,
        arguments: &'e [Expression],
    ) -> Found<S> {
        let (variables, bodies) = arguments.split_at_checked(count).unwrap_or_default();
        let outer = self.variables.len();
        for (nth, variable) in variables.iter().enumerate() {
            let Kind::Identifier {
                name: variable,
                rooted: false,
            } = &variable.kind
            else {
                return Err(Undeclared {
                    offset: variable.at,
                    message: format!("`{name}(..)` takes a plain name for its variable"),
                    help: None,
                });
            };
            let last = nth + 1 == count;
            let element = match target {
                Value::Optional(inner) if name.starts_with("opt") => Value::Node(inner),
                // Of a map one variable is the key, of two the second is the value.
                Value::Node(node) => match (node.items(), node.values()) {
                    (Some(items), _) if last => Value::Node(items),
                    (_, Some(values)) if nth == 1 => Value::Node(values),
                    (None, None) => Value::Unknown,
                    _ => Value::Key,
                },
                Value::Optional(_) | Value::Key | Value::Unknown => Value::Unknown,
            };
            self.variables.push((&variable.text, element));
        }
        let found = self.all(bodies);
        self.variables.truncate(outer);
        found?;
        Ok(match (name, target) {
            ("filter" | "sortBy", Value::Node(node)) if node.items().is_some() => target,
            _ => Value::Unknown,
        })
    }
}

/// Whether a call is one of a function that there is.
fn known(
    name: &str,
    style: Style,
    arguments: usize,
    place: &Name,
    at: usize,
) -> Result<(), Undeclared> {
    let (message, help) = match function(name, style, arguments) {
        Known::Fits => return Ok(()),
        Known::Not => (
            format!("no function is called `{name}`"),
            nearest(name, functions(style)).map(ToOwned::to_owned),
        ),
        Known::Otherwise => {
            let form = match style {
                Style::Global => format!("`{name}(..)`"),
                Style::Member => format!("`x.{name}(..)`"),
            };
            (format!("{form} does not take {arguments} arguments"), None)
        }
    };
    Err(Undeclared {
        offset: at.max(place.range.start),
        message,
        help,
    })
}

/// `Name{field: ..}`
fn message(name: &Name, fields: &[Field], at: usize) -> Result<(), Undeclared> {
    let refuse = |offset, message| {
        Err(Undeclared {
            offset,
            message,
            help: None,
        })
    };
    if !is_type(&name.text) {
        return refuse(at, format!("no type is called `{}`", name.text));
    }
    let time = ["google.protobuf.Timestamp", "google.protobuf.Duration"];
    if !time.contains(&name.text.trim_start_matches('.')) {
        return Ok(());
    }
    let unknown = |field: &&Field| !matches!(&*field.name.text, "seconds" | "nanos");
    match fields.iter().find(unknown) {
        Some(field) => refuse(
            field.at,
            format!("no field is called `{}`", field.name.text),
        ),
        None => Ok(()),
    }
}

/// `operand.field`
fn select<S: Typed>(operand: Value<S>, field: &Name, at: usize, optional: bool) -> Found<S> {
    let refuse = |message| {
        Err(Undeclared {
            offset: at,
            message,
            help: None,
        })
    };
    let (node, optional) = match operand {
        Value::Node(node) => (node, optional),
        Value::Optional(node) => (node, true),
        Value::Key => return refuse(format!("`.{}` is read from a key", field.text)),
        Value::Unknown => return Ok(Value::Unknown),
    };
    let found = match node.selects() {
        Selects::Anything => return Ok(Value::Unknown),
        Selects::Nothing => {
            return refuse(format!("`.{}` is read from what has no fields", field.text));
        }
        Selects::Values => node.values(),
        Selects::Fields => match named(node, &field.text) {
            Some(property) => Some(property.shape),
            None => return refuse(format!("no field is called `{}`", field.text)),
        },
    };
    let wrap = if optional {
        Value::Optional
    } else {
        Value::Node
    };
    Ok(found.map_or(Value::Unknown, wrap))
}

/// `operand[index]`
fn element<S: Typed>(operand: Value<S>, optional: bool) -> Value<S> {
    let (node, optional) = match operand {
        Value::Node(node) => (node, optional),
        Value::Optional(node) => (node, true),
        Value::Key | Value::Unknown => return Value::Unknown,
    };
    match node.items().or(node.values()) {
        Some(node) if optional => Value::Optional(node),
        Some(node) => Value::Node(node),
        None => Value::Unknown,
    }
}
