//! Expressions in the body of a hand-written schema.

use super::body::{AskedType, Body, Part, literal};
use super::functions::schema_of;
use super::records::{instance_type, is_group, is_left_out, is_map_field, is_record, keyword_of};
use crate::types::path_segments::{first_segment, last_two_segments};
use crate::types::{Concrete, Fit, Scope, TraitKey};
use crate::values::{Named, Run, Value, pair, stop};
use crd_channels_diagnostics::{Span, Text};
use crd_channels_schema::draft::Literal;
use crd_channels_source::tree::{Expr, ExprKind, FnDef, JsonNode, Path, Token, Ty};
use crd_channels_source::{CalledMacro, ModuleId, Resolved};
use serde_json::Value as Json;
use std::collections::BTreeSet;

impl Body<'_, '_> {
    /// Reads an expression.
    pub(super) fn part(&mut self, expr: &Expr) -> Run<Part> {
        // The limits are those of the reading.
        self.reading.deeper(expr.span, |_| Ok(()))?;
        let span = expr.span;
        match &expr.kind {
            ExprKind::Path(path) => {
                if let Some(at) = self.local(path) {
                    return self.value_at(at, span);
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
                let value = match self.part(tail)? {
                    Part::Alias(place) => self.value_at(place, span)?,
                    value => value,
                };
                self.leave(outer);
                Ok(value)
            }
            _ => self.value(expr),
        }
    }

    /// Reads an expression of the language of values.
    fn value(&mut self, expr: &Expr) -> Run<Part> {
        Ok(match self.reading.read(expr, &self.env, None)? {
            Value::Json(json) => plain(json),
            value => Part::Value(value),
        })
    }

    /// The full path of what an expression of the source does not define.
    fn known_path(&self, path: &Path) -> Option<Text> {
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

    /// The items of `[a, b].into()`, `vec![a, b].into_iter().collect()`, `Map::from([a, b])` and the like.
    fn items_of(&self, expr: &Expr) -> Option<Vec<Expr>> {
        match &expr.kind {
            ExprKind::Method {
                receiver,
                name,
                args,
                ..
            } if matches!(&**name, "into" | "into_iter" | "collect") && args.is_empty() => {
                self.check_method(name, expr.span).ok()?;
                self.items_of(receiver)
            }
            ExprKind::Call(function, args) => match (&function.kind, &args[..]) {
                (ExprKind::Path(path), [items]) => {
                    let known = self.known_path(path)?;
                    let (of, name) = last_two_segments(&known);
                    let makes = matches!(
                        (of, name),
                        ("IntoIterator", "into_iter")
                            | (
                                "Map" | "BTreeMap" | "Set" | "BTreeSet",
                                "from" | "from_iter"
                            )
                    );
                    self.items_of(items).filter(|_| makes)
                }
                _ => None,
            },
            ExprKind::Array(items) => Some(items.clone()),
            ExprKind::Macro(path, tokens) => {
                let graph = self.reading.reader.graph;
                match graph.called_macro(self.env.scope.module, path, tokens) {
                    CalledMacro::Named(name) if &*name == "std::vec" => {
                        graph.macro_expressions(tokens).map(|items| items.to_vec())
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Returns true for `Default::default()` and `T::default()`.
    fn is_default(&self, expr: &Expr) -> bool {
        let ExprKind::Call(function, args) = &expr.kind else {
            return false;
        };
        let ExprKind::Path(path) = &function.kind else {
            return false;
        };
        let known = self.known_path(path);
        args.is_empty()
            && known.is_some_and(|path| {
                &*path == "std::default::Default::default"
                    || path.strip_suffix("::default").is_some_and(is_record)
            })
    }

    fn list(&mut self, items: &[Expr], span: Span) -> Run<Part> {
        let mut parts = Vec::with_capacity(items.len());
        let mut values = Vec::with_capacity(items.len());
        for item in items {
            let part = self.part(item)?;
            if let Part::Value(value) = &part {
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
    fn pairs(&mut self, items: &[Expr]) -> Run<Literal<AskedType>> {
        let mut object = Vec::with_capacity(items.len());
        for item in items {
            let (key, value) = pair(item)?;
            let name = self.text(key)?;
            let part = self.part(value)?;
            set(&mut object, name, self.literal_of(part, value.span)?);
        }
        Ok(Literal::Object(object))
    }

    /// Reads a key.
    pub(super) fn text(&mut self, key: &Expr) -> Run<Text> {
        match self.part(key)? {
            Part::Value(Value::Text(text)) => Ok(text),
            _ => stop(key.span, "this key is not a string"),
        }
    }

    fn macro_part(&mut self, whole: &Expr, path: &Path, tokens: &[Token]) -> Run<Part> {
        let graph = self.reading.reader.graph;
        let called = graph.called_macro(self.env.scope.module, path, tokens);
        match called {
            CalledMacro::Named(name)
                if matches!(&*name, "serde_json::json" | "schemars::json_schema") =>
            {
                match graph.macro_json(tokens) {
                    Some(node) => self.node(&node).map(Part::Json),
                    None => stop(whole.span, "this is not JSON that can be read"),
                }
            }
            CalledMacro::Named(name) if &*name == "std::vec" => {
                match graph.macro_expressions(tokens) {
                    Some(items) => self.list(&items, whole.span),
                    None => stop(whole.span, "the input of `vec!` is not read"),
                }
            }
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
                    let key = self.text(key)?;
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

    fn call(&mut self, whole: &Expr, function: &Expr, args: &[Expr]) -> Run<Part> {
        let span = whole.span;
        match (&function.kind, args) {
            // `<T as JsonSchema>::json_schema(generator)`
            (ExprKind::Qualified(own, of, last), [generator])
                if &*last.name == "json_schema" && self.is_generator(generator) =>
            {
                let key = of.as_ref().map(|of| {
                    let module = self.env.scope.module;
                    self.reading.reader.trait_key(module, of)
                });
                match key {
                    None => self.check_method("json_schema", span)?,
                    Some(Some(TraitKey::Known(path))) if &*path == "schemars::JsonSchema" => {}
                    Some(_) => return stop(span, "which `json_schema` this calls is not known"),
                }
                let own = self.reading.reader.typed(own, &self.env.scope)?;
                self.schema_of_type(own, span)
            }
            // `T::json_schema(generator)`
            (ExprKind::Path(path), [generator])
                if path.segments.len() > 1
                    && path
                        .segments
                        .last()
                        .is_some_and(|last| &*last.name == "json_schema")
                    && self.is_generator(generator) =>
            {
                self.check_method("json_schema", span)?;
                let mut owner = path.clone();
                owner.segments.pop();
                let own = self.reading.reader.typed(&owner.into(), &self.env.scope)?;
                self.schema_of_type(own, span)
            }
            (ExprKind::Path(path), _) => match self.known_path(path) {
                Some(known) => self.known_call(whole, (path, &known), args),
                None => self.own_call(whole, path, args),
            },
            _ => self.value(whole),
        }
    }

    /// Calls a function of schemars, serde_json or std.
    fn known_call(
        &mut self,
        whole: &Expr,
        (path, known): (&Path, &str),
        args: &[Expr],
    ) -> Run<Part> {
        let (of, name) = last_two_segments(known);
        let is_ours = matches!(first_segment(known), "std" | "serde_json" | "schemars");
        match (of, name, args) {
            _ if !is_ours => self.value(whole),
            ("Option", "Some", [value]) => Ok(match self.part(value)? {
                Part::Value(value) => Part::Value(Value::some(value)),
                part => part,
            }),
            ("Box", "new", [value]) | ("SingleOrVec", "Single" | "Vec" | "from", [value]) => {
                self.part(value)
            }
            ("Schema", "Object" | "Bool" | "from" | "try_from", [value])
            | ("Value", "Array" | "Object" | "String" | "Bool" | "from", [value]) => {
                let part = self.part(value)?;
                self.converted(part, value.span)
            }
            ("serde_json" | "value", "to_value", [value]) => {
                let part = self.part(value)?;
                self.literal_of(part, value.span).map(Part::Json)
            }
            ("serde_json", "from_value", [value]) if !self.names_own_type(path) => {
                match self.part(value)? {
                    Part::Json(json) => Ok(Part::Json(json)),
                    _ => stop(value.span, "only JSON is read here"),
                }
            }
            ("serde_json", "from_str", [text]) if !self.names_own_type(path) => {
                match serde_json::from_str(&self.text(text)?) {
                    Ok(json) => Ok(plain(json)),
                    Err(_) => stop(text.span, "this is not JSON"),
                }
            }
            ("Map" | "Schema", "default" | "new", []) => {
                Ok(Part::Json(Literal::Object(Vec::new())))
            }
            (_, "default", []) if known.strip_suffix("::default").is_some_and(is_record) => {
                Ok(Part::Record(Literal::Object(Vec::new())))
            }
            _ => self.value(whole),
        }
    }

    /// Returns true if the type arguments of a path name anything but `Value` and `Schema`.
    fn names_own_type(&self, path: &Path) -> bool {
        let last = path.segments.last();
        last.is_some_and(|last| last.args.iter().any(|ty| !self.is_json_type(ty)))
    }

    /// Returns true for a type of schemars or serde_json.
    pub(super) fn is_json_type(&self, ty: &Ty) -> bool {
        let ty = self.reading.reader.typed(ty, &self.env.scope);
        ty.is_ok_and(|ty| {
            let path = ty.peel_references().external_path();
            path.is_some_and(|path| matches!(first_segment(path), "schemars" | "serde_json"))
        })
    }

    /// Converts what schemars and serde_json convert: JSON, and values whose JSON is the conversion.
    fn converted(&mut self, part: Part, span: Span) -> Run<Part> {
        match part {
            Part::Json(json) | Part::Record(json) => Ok(Part::Json(json)),
            Part::Value(value) if is_plain(&value) => self.reading.json(&value, span).map(plain),
            _ => stop(span, "what this is converted into is not known"),
        }
    }

    /// Calls a function of the source that returns a schema; any other is one of the language of values.
    fn own_call(&mut self, whole: &Expr, path: &Path, args: &[Expr]) -> Run<Part> {
        let named = self.reading.named(path, &self.env, None)?;
        let Named::Function(module, def, scope) = named else {
            return self.value(whole);
        };
        if !args.iter().any(|arg| self.is_generator(arg)) && !self.returns_schema(module, &def) {
            return self.value(whole);
        }
        if let Some(schema) = self.reading.reader.function_override(module, &def.name) {
            return Ok(plain(schema.clone()));
        }
        let mut parts = Vec::with_capacity(args.len());
        for (arg, ty) in args.iter().zip(&def.param_types) {
            let ty = match ty {
                Some(ty) => self.reading.reader.typed(ty, &scope)?,
                None => {
                    return stop(
                        whole.span,
                        format!("how `{}` is called is not read", def.name),
                    );
                }
            };
            parts.push(match (self.is_generator(arg), &ty) {
                (true, _) => Part::Generator,
                (false, Concrete::External(path, _))
                    if matches!(first_segment(path), "schemars" | "serde_json") =>
                {
                    match self.part(arg)? {
                        part @ (Part::Json(_) | Part::Record(_)) => part,
                        _ => return stop(arg.span, "this argument is not read"),
                    }
                }
                (false, ty) => Part::Value(self.reading.read(arg, &self.env, Some(ty))?),
            });
        }
        let schema = schema_of(self.reading, (module, &def), &scope, parts, whole.span)?;
        Ok(Part::Json(schema))
    }

    fn returns_schema(&self, module: ModuleId, def: &FnDef) -> bool {
        let Some(returns) = &def.returns else {
            return false;
        };
        let returns = self.reading.reader.typed(returns, &Scope::module(module));
        returns.is_ok_and(|ty| {
            let path = ty.external_path();
            path.is_some_and(|path| first_segment(path) == "schemars")
        })
    }

    fn method(
        &mut self,
        whole: &Expr,
        (receiver, name): (&Expr, &str),
        types: &[Ty],
        args: &[Expr],
    ) -> Run<Part> {
        let span = whole.span;
        match (name, types, args) {
            ("subschema_for", [ty], []) if self.is_generator(receiver) => {
                let ty = self.reading.reader.typed(ty, &self.env.scope)?;
                self.schema_of_type(ty, span)
            }
            ("into" | "try_into" | "clone" | "to_value" | "into_object", _, []) => {
                self.check_method(name, span)?;
                match (name, self.part(receiver)?) {
                    ("clone", part @ (Part::Json(_) | Part::Record(_))) => Ok(part),
                    ("clone", Part::Value(value)) if is_plain(&value) => Ok(Part::Value(value)),
                    ("into_object", Part::Json(json)) => Ok(Part::Record(json)),
                    // A text may become a key.
                    ("into", Part::Value(Value::Text(text))) => Ok(Part::Value(Value::Text(text))),
                    ("to_value", Part::Json(json)) => Ok(Part::Json(json)),
                    ("into" | "try_into", part) => self.converted(part, span),
                    _ => stop(span, format!("the method `{name}` is not read")),
                }
            }
            ("unwrap", _, []) | ("expect", _, [_]) if self.is_conversion(receiver) => {
                self.check_method(name, span)?;
                self.part(receiver)
            }
            _ => self.value(whole),
        }
    }

    /// Returns true for `Schema::try_from(..)`, `serde_json::from_value(..)`, `json.try_into()` and the like.
    fn is_conversion(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Method { name, .. } => &**name == "try_into",
            ExprKind::Call(function, _) => match &function.kind {
                ExprKind::Path(path) => self.known_path(path).is_some_and(|path| {
                    matches!(
                        last_two_segments(&path),
                        ("Schema", "try_from") | (_, "from_value" | "from_str" | "to_value")
                    )
                }),
                _ => false,
            },
            _ => false,
        }
    }

    /// Returns true for schemars' generator.
    pub(super) fn is_generator(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Path(path) => {
                let local = self.position(path).and_then(|local| self.locals.get(local));
                matches!(local, Some((_, Part::Generator)))
            }
            ExprKind::Borrow(inner) | ExprKind::Unary('*', inner) => self.is_generator(inner),
            _ => false,
        }
    }

    /// The schema of a type, which is left open.
    fn schema_of_type(&self, ty: Concrete, span: Span) -> Run<Part> {
        if ty.is_open() {
            return stop(span, "the type of this schema is not known");
        }
        if let Concrete::Def(_) = &ty {
            let inherent = self.reading.reader.inherent_blocks(&ty, "json_schema");
            let of = TraitKey::Known("schemars::JsonSchema".into());
            let module = self.env.scope.module;
            let fit = self.reading.reader.implements(&ty, &of, module, 0);
            if !inherent.is_empty() || fit == Fit::Maybe {
                return stop(span, "which `json_schema` this calls is not known");
            }
        }
        Ok(Part::Json(Literal::Schema((ty, span), Vec::new())))
    }
}

/// A JSON value.
pub(super) fn plain(json: Json) -> Part {
    Part::Json(literal(json))
}

/// Returns true for values of std whose conversion to JSON is what serde writes.
fn is_plain(value: &Value) -> bool {
    match value {
        Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Text(_) => true,
        Value::Option(None) => true,
        Value::Option(Some(inner)) => is_plain(inner),
        Value::List(items) => items.iter().all(is_plain),
        _ => false,
    }
}

/// An array; one without types in it is a value.
fn array(items: Vec<Literal<AskedType>>) -> Literal<AskedType> {
    let plain = items.iter().map(|item| match item {
        Literal::Value(value) => Some(value.clone()),
        _ => None,
    });
    match plain.collect::<Option<_>>() {
        Some(values) => Literal::Value(Json::Array(values)),
        None => Literal::Array(items),
    }
}

/// Sets a key of an object, replacing one of the same name.
pub(super) fn set<T>(entries: &mut Vec<(Text, T)>, key: Text, value: T) {
    match entries.iter_mut().find(|(known, _)| *known == key) {
        Some((_, known)) => *known = value,
        None => entries.push((key, value)),
    }
}

/// The names of a set, in order; `None` if one is not a text.
fn sorted(names: Part) -> Option<Literal<AskedType>> {
    let Part::Value(Value::List(names)) = names else {
        return None;
    };
    let names: BTreeSet<Text> = names.iter().map(Value::text).collect::<Option<_>>()?;
    let names = names.iter().map(|name| Json::String(name.to_string()));
    Some(Literal::Value(Json::Array(names.collect())))
}
