//! Lists, sets and maps of parts.

use super::body::{AskedType, Body, Part};
use crate::types::path_segments::last_two_segments;
use crate::values::{Run, Value, pair, stop};
use crd_channels_diagnostics::{Span, Text};
use crd_channels_schema::draft::Literal;
use crd_channels_source::tree::{Expr, ExprKind};
use serde_json::Value as Json;
use std::collections::BTreeSet;

impl Body<'_, '_> {
    /// The items of `[a, b].into()`, `vec![a, b].into_iter().collect()`, `Map::from([a, b])` and the like.
    pub(super) fn items_of(&self, expr: &Expr) -> Option<Vec<Expr>> {
        match &expr.kind {
            ExprKind::Method {
                receiver,
                name,
                args,
                ..
            } => {
                let keeps = match (&**name, &args[..]) {
                    ("into" | "into_iter" | "collect", []) => true,
                    ("map", [map]) => self.is_to_owned(map),
                    _ => false,
                };
                if !keeps {
                    return None;
                }
                self.check_method(name, expr.span).ok()?;
                self.items_of(receiver)
            }
            ExprKind::Call(..) => {
                let (path, [items]) = expr.call()? else {
                    return None;
                };
                let known = self.known_path(path)?;
                let makes = matches!(
                    last_two_segments(&known),
                    ("IntoIterator", "into_iter")
                        | ("IntoIter", "new")
                        | (
                            "Map" | "BTreeMap" | "Set" | "BTreeSet",
                            "from" | "from_iter"
                        )
                );
                self.items_of(items).filter(|_| makes)
            }
            ExprKind::Array(items) => Some(items.clone()),
            ExprKind::Macro(path, tokens) => {
                let graph = self.reading.reader.graph;
                match graph.called_macro(self.env.scope.module, path).as_deref() {
                    Some("std::vec") => graph.macro_expressions(tokens).map(|items| items.to_vec()),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Whether a function is `ToOwned::to_owned`, which changes no text.
    fn is_to_owned(&self, function: &Expr) -> bool {
        let known = function.path().and_then(|path| self.known_path(path));
        known.is_some_and(|known| &*known == "std::borrow::ToOwned::to_owned")
    }

    pub(super) fn list(&mut self, items: &[Expr], span: Span) -> Run<Part> {
        let mut parts = Vec::with_capacity(items.len());
        let mut values = Vec::with_capacity(items.len());
        for item in items {
            let part = self.part(item)?;
            if let Part::Value(value) = &part {
                // Another item may decide its type.
                if value.has_float() {
                    return stop(item.span, "the type of this float is not written");
                }
                values.push(value.clone());
            }
            parts.push(part);
        }
        if values.len() == parts.len() {
            return Ok(Part::Value(Value::List(values)));
        }
        let parts = parts.into_iter().map(|part| self.literal_of(part, span));
        Ok(Part::Json(array(parts.collect::<Run<_>>()?)))
    }

    /// Reads pairs of keys and values as a map.
    pub(super) fn pairs(&mut self, items: &[Expr]) -> Run<Literal<AskedType>> {
        let mut object = Vec::with_capacity(items.len());
        for item in items {
            let (key, value) = pair(item)?;
            let name = self.read_key(key)?;
            let part = self.part(value)?;
            set(&mut object, name, self.literal_of(part, value.span)?);
        }
        Ok(Literal::Object(object))
    }
}

/// An array; one without types in it is a value.
pub(super) fn array(items: Vec<Literal<AskedType>>) -> Literal<AskedType> {
    let plain = items.iter().map(|item| match item {
        Literal::Value(value) => Some(value.clone()),
        _ => None,
    });
    match plain.collect::<Option<_>>() {
        Some(values) => Literal::Value(Json::Array(values)),
        None => Literal::Array(items),
    }
}

/// The names of a set, in order; `None` if one is not a text.
pub(super) fn sorted(names: Part) -> Option<Literal<AskedType>> {
    let Part::Value(Value::List(names)) = names else {
        return None;
    };
    let names: BTreeSet<Text> = names.iter().map(Value::text).collect::<Option<_>>()?;
    let names = names.iter().map(|name| Json::String(name.to_string()));
    Some(Literal::Value(Json::Array(names.collect())))
}

/// Sets a key of an object, replacing one of the same name.
pub(super) fn set<T>(entries: &mut Vec<(Text, T)>, key: Text, value: T) {
    match entries.iter_mut().find(|(known, _)| *known == key) {
        Some((_, known)) => *known = value,
        None => entries.push((key, value)),
    }
}
