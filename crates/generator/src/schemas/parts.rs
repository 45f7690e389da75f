//! Expressions in the body of a hand-written schema.

use super::body::{AskedType, Body, Part};
use super::functions::schema_of;
use super::records::{instance_type, is_group, is_left_out, is_record, keyword_of};
use crate::types::path_segments::{first_segment, last_two_segments};
use crate::types::{Concrete, Fit, TraitKey, single};
use crate::values::{Named, Run, Value, stop};
use crd_channels_diagnostics::{Span, Text};
use crd_channels_schema::draft::Literal;
use crd_channels_source::tree::{Expr, ExprKind, JsonNode, Path, Token, Ty};
use crd_channels_source::{CalledMacro, Resolved};
use serde_json::Value as Json;

/// The methods that return the schema, the JSON or the text that they are called on.
const TRANSPARENT: [&str; 9] = [
    "into",
    "clone",
    "to_value",
    "to_owned",
    "to_string",
    "into_object",
    "unwrap",
    "expect",
    "try_into",
];

/// The functions of schemars, serde_json and std that return their only argument, by type and name.
const WRAPPING: [(&str, &str); 18] = [
    ("Value", "Bool"),
    ("Value", "String"),
    ("IntoIterator", "into_iter"),
    ("Option", "Some"),
    ("Box", "new"),
    ("Schema", "Object"),
    ("Schema", "Bool"),
    ("Schema", "from"),
    ("Schema", "try_from"),
    ("SingleOrVec", "Single"),
    ("SingleOrVec", "Vec"),
    ("SingleOrVec", "from"),
    ("Value", "Array"),
    ("Value", "Object"),
    ("Value", "from"),
    ("serde_json", "from_value"),
    ("serde_json", "to_value"),
    ("value", "to_value"),
];

impl Body<'_, '_> {
    /// Reads an expression.
    pub(super) fn part(&mut self, expr: &Expr) -> Run<Part> {
        self.deeper(expr.span, |body| body.part_of(expr))
    }

    fn deeper<T>(&mut self, span: Span, read: impl FnOnce(&mut Self) -> Run<T>) -> Run<T> {
        // The limits are those of the reading, and the variables stay with the body.
        self.reading.deeper(span, |_| Ok(()))?;
        read(self)
    }

    fn part_of(&mut self, expr: &Expr) -> Run<Part> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Path(path) => {
                if let Some(at) = self.local(path) {
                    return self.value_at(at, span);
                }
                match self.known_path(path) {
                    Some(path) if &*path == "std::option::Option::None" => Ok(Part::Absent),
                    Some(path) => match instance_type(&path) {
                        Some(name) => Ok(plain(Json::String(name.to_owned()))),
                        None => self.value(expr),
                    },
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
            ExprKind::Struct { path, fields, rest } => match self.record(path) {
                true => self.record_literal(fields, rest.as_deref()),
                false => self.value(expr),
            },
            ExprKind::Array(items) => self.list(items),
            ExprKind::Reference(inner) | ExprKind::Borrow(inner) => self.part(inner),
            ExprKind::Block(statements, tail) => {
                let outer = self.locals.len();
                for statement in statements {
                    self.statement(statement)?;
                }
                let value = match tail {
                    Some(tail) => self.part(tail),
                    None => stop(span, "this block has no value"),
                };
                let value = match value? {
                    Part::Alias(place) => self.value_at(place, span),
                    value => Ok(value),
                };
                self.leave(outer);
                value
            }
            _ => self.value(expr),
        }
    }

    /// Reads an expression of the language of values.
    fn value(&mut self, expr: &Expr) -> Run<Part> {
        let value = self.reading.read(expr, &self.env, None)?;
        if matches!(value, Value::Option(None)) {
            return Ok(Part::Absent);
        }
        self.reading.json(&value, expr.span).map(plain)
    }

    /// The full path of what an expression of the source does not define.
    fn known_path(&self, path: &Path) -> Option<Text> {
        let meant = self.env.resolve_uses(path);
        let graph = self.reading.reader.graph;
        match graph.resolve_value(self.env.scope.module, &meant) {
            Ok(Resolved::External(name)) => Some(name),
            _ => None,
        }
    }

    /// Returns true if a path names a struct of schemars 0.8.
    fn record(&self, path: &Path) -> bool {
        let meant = self.env.resolve_uses(path);
        let graph = self.reading.reader.graph;
        match graph.resolve_type(self.env.scope.module, &meant) {
            Ok(Resolved::External(name)) => is_record(&name),
            _ => false,
        }
    }

    fn record_literal(&mut self, fields: &[(Text, Expr)], rest: Option<&Expr>) -> Run<Part> {
        let mut object = match rest {
            None => Vec::new(),
            Some(rest) if self.is_default(rest) => Vec::new(),
            Some(rest) => match self.part(rest)? {
                Part::Json(Literal::Object(entries)) => entries,
                _ => return stop(rest.span, "the rest of this struct is not read"),
            },
        };
        for (field, value) in fields {
            let span = value.span;
            let part = match self.is_default(value) {
                true => Part::Absent,
                false => self.part(value)?,
            };
            match part {
                Part::Absent => {}
                Part::Json(Literal::Object(entries)) if is_group(field) => {
                    for (keyword, value) in entries {
                        set(&mut object, keyword, value);
                    }
                }
                Part::Json(Literal::Value(value)) if is_left_out(field, &value) => {}
                Part::Json(Literal::Object(entries))
                    if entries.is_empty()
                        && is_left_out(field, &Json::Object(Default::default())) => {}
                Part::Json(value) if !is_group(field) => {
                    let value = match (&**field, value) {
                        ("required", Literal::Value(names)) => Literal::Value(sorted(names)),
                        (_, value) => value,
                    };
                    set(&mut object, keyword_of(field), value);
                }
                _ => return stop(span, format!("the field `{field}` is not read")),
            }
        }
        Ok(Part::Json(Literal::Object(object)))
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

    fn list(&mut self, items: &[Expr]) -> Run<Part> {
        if let Some(object) = self.pairs(items)? {
            return Ok(Part::Json(Literal::Object(object)));
        }
        let mut parts = Vec::with_capacity(items.len());
        for item in items {
            match self.part(item)? {
                Part::Json(part) => parts.push(part),
                _ => return stop(item.span, "this item is not read"),
            }
        }
        Ok(Part::Json(array(parts)))
    }

    /// Reads a list of pairs, which only maps are made of; `None` for other lists.
    fn pairs(&mut self, items: &[Expr]) -> Run<Option<Vec<(Text, Literal<AskedType>)>>> {
        let pair = |item: &Expr| match &item.kind {
            ExprKind::Tuple(pair) => <[Expr; 2]>::try_from(pair.clone()).ok(),
            _ => None,
        };
        let Some(pairs) = items.iter().map(pair).collect::<Option<Vec<_>>>() else {
            return Ok(None);
        };
        if pairs.is_empty() {
            return Ok(None);
        }
        let mut object = Vec::with_capacity(pairs.len());
        for [key, value] in pairs {
            let name = self.text(&key)?;
            match self.part(&value)? {
                Part::Json(value) => set(&mut object, name, value),
                _ => return stop(value.span, "this value is not read"),
            }
        }
        Ok(Some(object))
    }

    /// Reads a key.
    pub(super) fn text(&mut self, key: &Expr) -> Run<Text> {
        match self.part(key)? {
            Part::Json(Literal::Value(Json::String(text))) => Ok(text.into()),
            _ => stop(key.span, "this key is not a string"),
        }
    }

    fn macro_part(&mut self, whole: &Expr, path: &Path, tokens: &[Token]) -> Run<Part> {
        let span = whole.span;
        let graph = self.reading.reader.graph;
        let meant = self.env.resolve_uses(path);
        let CalledMacro::Named(name) = graph.called_macro(self.env.scope.module, &meant, tokens)
        else {
            return self.value(whole);
        };
        match &*name {
            "serde_json::json" | "schemars::json_schema" => match graph.macro_json(tokens) {
                Some(node) => self.node(&node).map(Part::Json),
                None => stop(span, "this is not JSON that can be read"),
            },
            "std::vec" => match graph.macro_expressions(tokens) {
                Some(items) => self.list(&items),
                None => stop(span, "the input of `vec!` is not read"),
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
                    let key = self.text(key)?;
                    set(&mut object, key, self.node(value)?);
                }
                Literal::Object(object)
            }
            JsonNode::Value(expr) => match self.part(expr)? {
                Part::Json(literal) => literal,
                Part::Absent => Literal::Value(Json::Null),
                _ => return stop(expr.span, "this value is not read"),
            },
        })
    }

    fn call(&mut self, whole: &Expr, function: &Expr, args: &[Expr]) -> Run<Part> {
        let span = whole.span;
        match (&function.kind, args) {
            // `T::json_schema(generator)`, `<T as JsonSchema>::json_schema(generator)`
            (ExprKind::Qualified(own, _, last), [generator])
                if &*last.name == "json_schema" && self.is_generator(generator) =>
            {
                let own = self.reading.reader.typed(own, &self.env.scope)?;
                self.schema_of_type(own, span)
            }
            (ExprKind::Path(path), [generator])
                if path.segments.len() > 1
                    && path
                        .segments
                        .last()
                        .is_some_and(|last| &*last.name == "json_schema")
                    && self.is_generator(generator) =>
            {
                self.schema_of_type(self.owner(path)?, span)
            }
            (ExprKind::Path(path), _) => match self.known_path(path) {
                Some(known) => self.known_call(whole, &known, args),
                None => self.own_call(whole, path, args),
            },
            _ => self.value(whole),
        }
    }

    /// The type before the last segment of a path.
    fn owner(&self, path: &Path) -> Run<Concrete> {
        let mut owner = path.clone();
        owner.segments.pop();
        let ty = Ty {
            kind: crd_channels_source::tree::TyKind::Path(owner),
            span: path.span,
        };
        self.reading.reader.typed(&ty, &self.env.scope)
    }

    fn known_call(&mut self, whole: &Expr, path: &str, args: &[Expr]) -> Run<Part> {
        let (of, name) = last_two_segments(path);
        let is_ours = matches!(first_segment(path), "std" | "serde_json" | "schemars");
        match (of, name, args) {
            (_, _, [value]) if is_ours && WRAPPING.contains(&(of, name)) => self.part(value),
            (_, "default" | "new", [])
                if matches!(of, "Map" | "BTreeMap" | "HashMap" | "IndexMap" | "Schema") =>
            {
                Ok(Part::Json(Literal::Object(Vec::new())))
            }
            (_, "default", []) if path.strip_suffix("::default").is_some_and(is_record) => {
                Ok(Part::Json(Literal::Object(Vec::new())))
            }
            ("Map" | "BTreeMap" | "HashMap" | "IndexMap", "from" | "from_iter", [items]) => {
                self.part(items)
            }
            ("serde_json", "from_str", [text]) => match serde_json::from_str(&self.text(text)?) {
                Ok(json) => Ok(plain(json)),
                Err(_) => stop(text.span, "this is not JSON"),
            },
            ("Vec" | "BTreeSet" | "Set", "new", []) => Ok(plain(Json::Array(Vec::new()))),
            ("BTreeSet", "from" | "from_iter", [items]) => self.part(items),
            _ => self.value(whole),
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
        for arg in args {
            parts.push(match self.is_generator(arg) {
                true => Part::Generator,
                false => self.part(arg)?,
            });
        }
        let schema = schema_of(self.reading, (module, &def), &scope, parts, whole.span)?;
        Ok(Part::Json(schema))
    }

    fn returns_schema(
        &self,
        module: crd_channels_source::ModuleId,
        def: &crd_channels_source::tree::FnDef,
    ) -> bool {
        let Some(returns) = &def.returns else {
            return false;
        };
        let scope = crate::types::Scope::module(module);
        let returns = self.reading.reader.typed(returns, &scope);
        returns.is_ok_and(|ty| {
            ty.external_path()
                .is_some_and(|path| first_segment(path) == "schemars")
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
            ("into_iter" | "collect", _, []) => self.part(receiver),
            (name, _, _) if TRANSPARENT.contains(&name) => match self.part(receiver)? {
                Part::Absent => stop(span, "this is `None`"),
                part => Ok(part),
            },
            _ => self.value(whole),
        }
    }

    /// Returns true for schemars' generator.
    pub(super) fn is_generator(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Path(path) => {
                let local = single(path).and_then(|name| {
                    let mut locals = self.locals.iter().rev();
                    locals.find(|(known, _)| known == name)
                });
                matches!(local, Some((_, Part::Generator)))
            }
            ExprKind::Borrow(inner) | ExprKind::Unary('*', inner) => self.is_generator(inner),
            _ => false,
        }
    }

    /// The schema of a type, which is left open; that of an `impl` in the source is its own function's.
    fn schema_of_type(&self, ty: Concrete, span: Span) -> Run<Part> {
        if ty.is_open() {
            return stop(span, "the type of this schema is not known");
        }
        if let Concrete::Def(_) = &ty {
            let inherent = self.reading.reader.inherent_blocks(&ty, "json_schema");
            if !inherent.is_empty() {
                return stop(span, "which `json_schema` this calls is not known");
            }
            let of = TraitKey::Known("schemars::JsonSchema".into());
            let module = self.env.scope.module;
            if self.reading.reader.implements(&ty, &of, module, 0) == Fit::Maybe {
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

/// JSON whose objects can be changed by key.
fn literal(json: Json) -> Literal<AskedType> {
    match json {
        Json::Object(entries) => {
            let entries = entries.into_iter();
            Literal::Object(
                entries
                    .map(|(key, value)| (key.into(), literal(value)))
                    .collect(),
            )
        }
        json => Literal::Value(json),
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

/// Sets a key of an object, replacing one of the same name.
pub(super) fn set<T>(entries: &mut Vec<(Text, T)>, key: Text, value: T) {
    match entries.iter_mut().find(|(known, _)| *known == key) {
        Some((_, known)) => *known = value,
        None => entries.push((key, value)),
    }
}

/// The names of a set, in order.
fn sorted(names: Json) -> Json {
    match names {
        Json::Array(mut names) => {
            names.sort_by(|one, other| one.as_str().cmp(&other.as_str()));
            names.dedup();
            Json::Array(names)
        }
        other => other,
    }
}
