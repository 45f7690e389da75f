//! Lists inside a schema, and what statements ask of their items to take some of them out.

use super::schema_exprs::{Body, Local};
use super::schema_stmts::Place;
use super::types::Task;
use crate::Text;
use crate::eval::single;
use crate::schema::draft::Asked;
use crate::source::tree::{Expr, ExprKind, Pattern};
use serde_json::Value;

impl Task<'_> {
    /// `list.iter().position(|item| ..)`, `list.iter().enumerate().find(|(_, item)| ..).unwrap().0`: the list, and which
    /// item of it.
    pub(super) fn found(&self, expr: &Expr, body: &mut Body<'_>) -> Option<(Place, Asked)> {
        match &expr.kind {
            ExprKind::Field(inner, _) | ExprKind::Try(inner) => self.found(inner, body),
            ExprKind::Method {
                receiver,
                name,
                args,
                ..
            } => match (&**name, &args[..]) {
                ("unwrap" | "expect", _) => self.found(receiver, body),
                ("position" | "find", [test]) => {
                    let place = self.place(receiver, body)?;
                    let asked = self.asked(test, body)?;
                    Some((
                        place,
                        Asked {
                            first: true,
                            ..asked
                        },
                    ))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The item that a variable is the index of.
    pub(super) fn found_before(&self, expr: &Expr, body: &Body<'_>) -> Option<Asked> {
        let ExprKind::Path(path) = &expr.kind else {
            return None;
        };
        let name = single(path)?;
        let found = body.locals.iter().rev().find(|(local, _)| local == name);
        match found {
            Some((_, Local::Found(asked))) => Some(asked.clone()),
            _ => None,
        }
    }

    /// `|item| item["const"] == "x"`, `|(_, item)| item != "x"`
    pub(super) fn asked(&self, test: &Expr, body: &Body<'_>) -> Option<Asked> {
        let ExprKind::Closure(closure) = &test.kind else {
            return None;
        };
        let [(pattern, _)] = &closure.params[..] else {
            return None;
        };
        let condition = &closure.body;
        let item = match pattern {
            Pattern::Items(parts) => parts.last()?.name()?,
            pattern => pattern.name()?,
        };
        self.condition(condition, item, body)
    }

    fn condition(&self, condition: &Expr, item: &Text, body: &Body<'_>) -> Option<Asked> {
        match &condition.kind {
            ExprKind::Unary('!', inner) => {
                let asked = self.condition(inner, item, body)?;
                Some(Asked {
                    is: !asked.is,
                    ..asked
                })
            }
            ExprKind::Block(stmts, Some(tail)) if stmts.is_empty() => {
                self.condition(tail, item, body)
            }
            ExprKind::Binary(operator, left, right) => {
                let is = match &**operator {
                    "==" => true,
                    "!=" => false,
                    _ => return None,
                };
                let (key, other) = match (part_of(left, item), part_of(right, item)) {
                    (Some(key), None) => (key, right),
                    (None, Some(key)) => (key, left),
                    _ => return None,
                };
                Some(Asked {
                    key,
                    value: self.plain_value(other, body)?,
                    is,
                    first: false,
                })
            }
            // `item.get("const").is_some_and(|value| value == "x")`
            ExprKind::Method {
                receiver,
                name,
                args,
                ..
            } => {
                let test = match (&**name, &args[..]) {
                    ("is_some_and", [test]) => test,
                    ("map_or", [otherwise, test])
                        if self.plain_value(otherwise, body)? == Value::Bool(false) =>
                    {
                        test
                    }
                    _ => return None,
                };
                let key = part_of(receiver, item)?;
                let asked = self.asked(test, body)?;
                // What has no such keyword is not it, and nothing else either.
                (asked.key.is_none() && asked.is).then_some(Asked { key, ..asked })
            }
            _ => None,
        }
    }

    /// A value that items are held against. `None` stands for what is not there, which is no value.
    fn plain_value(&self, expr: &Expr, body: &Body<'_>) -> Option<Value> {
        let value = self.reader.eval_json(expr, body.scope, None).ok()?;
        (!value.is_null()).then_some(value)
    }
}

/// The keyword of an item that an expression looks at; none inside where it is the item itself.
fn part_of(expr: &Expr, item: &Text) -> Option<Option<Text>> {
    match &expr.kind {
        ExprKind::Path(path) => (single(path)? == item).then_some(None),
        ExprKind::Reference(inner) | ExprKind::Unary('*', inner) => part_of(inner, item),
        ExprKind::Index(base, key) => keyword(part_of(base, item)?, key),
        ExprKind::Method {
            receiver,
            name,
            args,
            ..
        } => {
            let part = part_of(receiver, item)?;
            match (&**name, &args[..]) {
                ("get", [key]) => keyword(part, key),
                (
                    "unwrap" | "expect" | "as_str" | "as_ref" | "as_deref" | "as_object" | "cloned"
                    | "clone",
                    _,
                ) => Some(part),
                ("and_then", [passed]) => is_read_as_text(passed).then_some(part),
                _ => None,
            }
        }
        _ => None,
    }
}

fn keyword(part: Option<Text>, key: &Expr) -> Option<Option<Text>> {
    match (&key.kind, part) {
        (ExprKind::Lit(crate::source::tree::Lit::Str(key)), None) => Some(Some(key.clone())),
        _ => None,
    }
}

/// `Value::as_str`, `|value| value.as_str()`
fn is_read_as_text(function: &Expr) -> bool {
    match &function.kind {
        ExprKind::Path(path) => path
            .segments
            .last()
            .is_some_and(|last| &*last.name == "as_str"),
        ExprKind::Closure(closure) => {
            let name = closure.params.first();
            let name = name.and_then(|(pattern, _)| pattern.name());
            name.is_some_and(|name| part_of(&closure.body, name) == Some(None))
        }
        _ => false,
    }
}
