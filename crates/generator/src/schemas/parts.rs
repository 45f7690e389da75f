//! Expressions in the body of a hand-written schema.

use super::body::{AskedType, Body, Part, literal};
use super::lists::{array, set, sorted};
use super::records::{instance_type, is_group, is_left_out, is_map_field, is_record, keyword_of};
use crate::types::path_segments::first_segment;
use crate::values::{Run, Value, stop};
use crd_channels_diagnostics::Text;
use crd_channels_schema::draft::Literal;
use crd_channels_source::Resolved;
use crd_channels_source::tree::{Expr, ExprKind, JsonNode, Path, Token, Ty};
use serde_json::Value as Json;

impl Body<'_, '_> {
    /// Reads an expression.
    pub(super) fn part(&mut self, expr: &Expr) -> Run<Part> {
        // The limits are those of the reading.
        self.reading.deeper(expr.span, |_| Ok(()))?;
        let span = expr.span;
        match &expr.kind {
            ExprKind::Path(path) => {
                let local = self.position(path).and_then(|local| self.locals.get(local));
                if let Some((_, part)) = local {
                    return Ok(part.clone());
                }
                match self.known_path(path).as_deref().and_then(instance_type) {
                    Some(name) => Ok(plain(Json::String(name.to_owned()))),
                    None => self.value(expr),
                }
            }
            ExprKind::Macro(path, tokens) => self.macro_part(expr, path, tokens),
            ExprKind::Call(function, args) => self.call(expr, function, args),
            ExprKind::Method {
                receiver,
                name,
                types,
                args,
            } => self.method(expr, (receiver, name), types, args),
            ExprKind::Struct { path, fields, rest } => match self.is_record_path(path) {
                true => self.record_literal(fields, rest.as_deref()),
                false => self.value(expr),
            },
            ExprKind::Array(items) => self.list(items, span),
            ExprKind::Reference(inner) => self.part(inner),
            ExprKind::Block(statements, Some(tail)) => {
                let outer = self.locals.len();
                for statement in statements {
                    self.statement(statement)?;
                }
                let value = self.part(tail)?;
                self.leave(outer);
                Ok(value)
            }
            _ => self.value(expr),
        }
    }

    /// Reads an expression of the language of values.
    pub(super) fn value(&mut self, expr: &Expr) -> Run<Part> {
        Ok(of_value(self.reading.read(expr, &self.env, None)?))
    }

    /// The full path of what an expression of the source does not define.
    pub(super) fn known_path(&self, path: &Path) -> Option<Text> {
        let graph = self.reading.reader.graph;
        match graph.resolve_value(self.env.scope.module, path) {
            Ok(Resolved::External(name)) => Some(name),
            _ => None,
        }
    }

    /// Returns true if a path names a struct of schemars 0.8.
    fn is_record_path(&self, path: &Path) -> bool {
        let graph = self.reading.reader.graph;
        match graph.resolve_type(self.env.scope.module, path) {
            Ok(Resolved::External(name)) => is_record(&name),
            _ => false,
        }
    }

    fn record_literal(&mut self, fields: &[(Text, Expr)], rest: Option<&Expr>) -> Run<Part> {
        let mut object = match rest {
            None => Vec::new(),
            Some(rest) if self.is_default(rest) => Vec::new(),
            Some(rest) => match self.part(rest)? {
                Part::Record(Literal::Object(entries)) => entries,
                _ => return stop(rest.span, "the rest of this struct is not read"),
            },
        };
        for (field, expr) in fields {
            if self.is_default(expr) {
                continue;
            }
            let value = self.field(field, expr)?;
            match value {
                None => {}
                Some(Literal::Object(entries)) if is_group(field) => {
                    for (keyword, value) in entries {
                        set(&mut object, keyword, value);
                    }
                }
                Some(value) if !is_group(field) => set(&mut object, keyword_of(field), value),
                Some(_) => return stop(expr.span, format!("the field `{field}` is not read")),
            }
        }
        Ok(Part::Record(Literal::Object(object)))
    }

    /// Reads the value of a field of such a struct; `None` if schemars leaves it out.
    pub(super) fn field(&mut self, field: &str, expr: &Expr) -> Run<Option<Literal<AskedType>>> {
        let value = match self.items_of(expr) {
            Some(items) if is_map_field(field) => self.pairs(&items)?,
            Some(items) if field == "required" => match sorted(self.list(&items, expr.span)?) {
                Some(names) => names,
                None => return stop(expr.span, "the names in this set are not read"),
            },
            _ => match self.part(expr)? {
                Part::Value(Value::Option(None)) => return Ok(None),
                Part::Value(Value::List(_)) if is_map_field(field) || field == "required" => {
                    return stop(expr.span, "the order of this set is not known");
                }
                part => self.literal_of(part, expr.span)?,
            },
        };
        Ok(Some(value).filter(|value| !is_left_out(field, value)))
    }

    /// Returns true for `Default::default()` and `T::default()`.
    pub(super) fn is_default(&self, expr: &Expr) -> bool {
        let Some((path, args)) = expr.call() else {
            return false;
        };
        let known = self.known_path(path);
        args.is_empty()
            && known.is_some_and(|path| {
                &*path == "std::default::Default::default"
                    || path.strip_suffix("::default").is_some_and(is_record)
            })
    }

    /// Reads a key.
    pub(super) fn read_key(&mut self, key: &Expr) -> Run<Text> {
        match self.part(key)? {
            Part::Value(Value::Text(text)) => Ok(text),
            _ => stop(key.span, "this key is not a string"),
        }
    }

    fn macro_part(&mut self, whole: &Expr, path: &Path, tokens: &[Token]) -> Run<Part> {
        let graph = self.reading.reader.graph;
        match graph.called_macro(self.env.scope.module, path).as_deref() {
            Some("serde_json::json" | "schemars::json_schema") => match graph.macro_json(tokens) {
                Some(node) => self.node(&node).map(Part::Json),
                None => stop(whole.span, "this is not JSON that can be read"),
            },
            Some("std::vec") => match graph.macro_expressions(tokens) {
                Some(items) => self.list(&items, whole.span),
                None => stop(whole.span, "the input of `vec!` is not read"),
            },
            _ => self.value(whole),
        }
    }

    fn node(&mut self, node: &JsonNode) -> Run<Literal<AskedType>> {
        Ok(match node {
            JsonNode::Null => Literal::Value(Json::Null),
            JsonNode::Array(items) => {
                let items = items.iter().map(|item| self.node(item));
                array(items.collect::<Run<_>>()?)
            }
            JsonNode::Object(entries) => {
                let mut object = Vec::with_capacity(entries.len());
                for (key, value) in entries {
                    let key = self.read_key(key)?;
                    set(&mut object, key, self.node(value)?);
                }
                Literal::Object(object)
            }
            JsonNode::Value(expr) => {
                let part = self.part(expr)?;
                self.literal_of(part, expr.span)?
            }
        })
    }

    /// Returns true for a type of schemars or serde_json.
    pub(super) fn is_json_type(&self, ty: &Ty) -> bool {
        let ty = self.reading.reader.typed(ty, &self.env.scope);
        ty.is_ok_and(|ty| {
            let path = ty.peel_references().external_path();
            path.is_some_and(|path| matches!(first_segment(path), "schemars" | "serde_json"))
        })
    }
}

/// What a value of the language is: JSON is a schema.
pub(super) fn of_value(value: Value) -> Part {
    match value {
        Value::Json(json) => plain(json),
        value => Part::Value(value),
    }
}

/// A JSON value.
pub(super) fn plain(json: Json) -> Part {
    Part::Json(literal(json))
}

/// Returns true for values of std whose conversion to JSON is what serde writes.
pub(super) fn is_plain(value: &Value) -> bool {
    match value {
        Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Text(_) => true,
        Value::Option(None) => true,
        Value::Option(Some(inner)) => is_plain(inner),
        Value::List(items) => items.iter().all(is_plain),
        _ => false,
    }
}
