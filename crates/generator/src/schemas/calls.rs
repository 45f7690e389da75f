//! Calls in hand-written schemas.

use super::body::{Body, Part};
use super::functions::schema_of;
use super::parts::{is_plain, plain};
use super::records::is_record;
use crate::types::path_segments::{first_segment, last_two_segments};
use crate::types::{Concrete, JSON_SCHEMA};
use crate::values::{Named, Run, Value, stop};
use crd_channels_diagnostics::Span;
use crd_channels_schema::draft::Literal;
use crd_channels_source::tree::{Expr, ExprKind, Path, Ty};
use crd_channels_source::{Def, Resolved};
use serde_json::Value as Json;

impl Body<'_, '_> {
    pub(super) fn call(&mut self, whole: &Expr, function: &Expr, args: &[Expr]) -> Run<Part> {
        let span = whole.span;
        match (&function.kind, args) {
            // `<T as JsonSchema>::json_schema(generator)`
            (ExprKind::Qualified(own, of, last), [generator])
                if &*last.name == "json_schema" && self.is_generator(generator) =>
            {
                let module = self.env.scope.module;
                let known = |of| self.reading.reader.known_trait(module, of);
                let known = of.as_ref().map(known);
                let own = |body: &Self| body.reading.reader.typed(own, &body.env.scope);
                match known {
                    None => {
                        self.check_method("json_schema", span)?;
                        self.called_schema(own(self)?, span)
                    }
                    Some(Some(path)) if &*path == JSON_SCHEMA => {
                        self.implemented_schema(own(self)?, span)
                    }
                    Some(_) => stop(span, "which `json_schema` this calls is not known"),
                }
            }
            // `T::json_schema(generator)`
            (ExprKind::Path(path), [generator])
                if path.segments.len() > 1
                    && path
                        .segments
                        .last()
                        .is_some_and(|last| &*last.name == "json_schema")
                    && self.is_generator(generator)
                    && !self.is_function(path) =>
            {
                self.check_method("json_schema", span)?;
                let mut owner = path.clone();
                owner.segments.pop();
                let own = self.reading.reader.typed(&owner.into(), &self.env.scope)?;
                self.called_schema(own, span)
            }
            (ExprKind::Path(path), _) => match self.known_path(path) {
                Some(known) => self.known_call(whole, path, &known, args),
                None => self.own_call(whole, path, args),
            },
            _ => self.value(whole),
        }
    }

    /// Calls a function of schemars, serde_json or std.
    fn known_call(&mut self, whole: &Expr, path: &Path, known: &str, args: &[Expr]) -> Run<Part> {
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
                match serde_json::from_str(&self.read_key(text)?) {
                    // serde_json rounds as its feature `float_roundtrip` says.
                    Ok(json) if has_float(&json) => {
                        stop(text.span, "how floats in a text are rounded is not known")
                    }
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
    pub(super) fn names_own_type(&self, path: &Path) -> bool {
        let last = path.segments.last();
        last.is_some_and(|last| last.args.iter().any(|ty| !self.is_json_type(ty)))
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
        let named = self.reading.item_named(path, &self.env, None)?;
        let Named::Function(module, def, scope) = named else {
            return self.value(whole);
        };
        let returned = def
            .returns
            .as_ref()
            .map(|ty| self.reading.reader.typed(ty, &scope));
        let is_schema = match returned {
            Some(Ok(Concrete::External(path, _))) if first_segment(&path) == "schemars" => true,
            // What else is made of a schema is not one, whatever it is converted into.
            Some(Ok(Concrete::Def(_))) => false,
            _ => args.iter().any(|arg| self.is_generator(arg)),
        };
        if !is_schema {
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

    pub(super) fn method(
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
                self.implemented_schema(ty, span)
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
            _ => {
                let known = expr.call().and_then(|(path, _)| self.known_path(path));
                known.is_some_and(|path| {
                    matches!(
                        last_two_segments(&path),
                        ("Schema", "try_from") | (_, "from_value" | "from_str" | "to_value")
                    )
                })
            }
        }
    }

    /// Returns true for the path of a function in a module.
    fn is_function(&self, path: &Path) -> bool {
        let graph = self.reading.reader.graph;
        let named = graph.resolve_value(self.env.scope.module, path);
        matches!(named, Ok(Resolved::Def(Def::Fn(..))))
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

    /// The schema of `T::json_schema`, which an own function of the type would hide from the trait's.
    fn called_schema(&self, ty: Concrete, span: Span) -> Run<Part> {
        let reader = self.reading.reader;
        let own = reader.own_item(&ty, "json_schema", &self.env.scope, span)?;
        match own.is_none() {
            true => self.implemented_schema(ty, span),
            false => stop(span, "which `json_schema` this calls is not known"),
        }
    }

    /// The schema that a type implements, which is left open.
    fn implemented_schema(&self, ty: Concrete, span: Span) -> Run<Part> {
        if ty.is_open() {
            return stop(span, "the type of this schema is not known");
        }
        Ok(Part::Json(Literal::Schema((ty, span), Vec::new())))
    }
}

/// Returns true if any number in the JSON is not an integer.
fn has_float(json: &Json) -> bool {
    match json {
        Json::Number(number) => number.is_f64(),
        Json::Array(items) => items.iter().any(has_float),
        Json::Object(object) => object.values().any(has_float),
        _ => false,
    }
}
