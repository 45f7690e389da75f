//! `T::default()`: derived, or an `impl Default` whose body is in the language.

use super::constructors::later;
use super::reading::{Env, MAX_ITEMS, Reading, Run, stop};
use super::{Adt, Value, not_constant};
use crate::types::kinds::{is_list, is_map, is_pointer, is_set};
use crate::types::numbers::IntType;
use crate::types::path_segments::{first_segment, last_segment};
use crate::types::{Concrete, Fit, Instance, Scope, derives};
use crd_channels_diagnostics::Span;
use crd_channels_source::tree::Body;
use crd_channels_source::{Derive, Derived};
use serde_json::json;
use std::sync::Arc;

impl Reading<'_> {
    /// `T::default()`
    ///
    /// # Errors
    ///
    /// `not-constant` if the type's `Default` is not in the language.
    pub(crate) fn default_of(&mut self, ty: &Concrete, span: Span) -> Run {
        self.deeper(span, |reading| reading.default_value(ty, span))
    }

    fn default_value(&mut self, ty: &Concrete, span: Span) -> Run {
        let unknown = || stop(span, format!("the default of `{ty}` is not read"));
        match ty {
            Concrete::Tuple(items) if items.is_empty() => Ok(Value::Unit),
            Concrete::Tuple(items) => {
                let items = items.iter().map(|item| self.default_of(item, span));
                Ok(Value::List(items.collect::<Run<_>>()?))
            }
            Concrete::Array(item, length) if *length <= MAX_ITEMS => {
                let item = self.default_of(item, span)?;
                let length = usize::try_from(*length).unwrap_or_default();
                Ok(Value::List(vec![item; length]))
            }
            Concrete::External(path, args) => match (known_default(path), args.first()) {
                (Some(value), _) => Ok(value),
                (None, Some(inner)) if is_pointer(path) => self.default_of(inner, span),
                _ => unknown(),
            },
            Concrete::Ref(inner, false) if inner.external_name() == Some("str") => {
                Ok(Value::Text("".into()))
            }
            Concrete::Def(instance) => self.default_of_def(instance, ty, span),
            _ => unknown(),
        }
    }

    fn default_of_def(&mut self, instance: &Arc<Instance>, ty: &Concrete, span: Span) -> Run {
        if let Some(value) = self.reader.member_override(instance, "default") {
            return Ok(value);
        }
        if derives(&self.reader, instance, Derive::Default) {
            return self.derived_default(instance, span);
        }
        let blocks = self.reader.default_blocks(ty);
        let name = &instance.ty.def.name;
        if let [block] = &blocks[..]
            && block.fit == Fit::Yes
            && let Some(def) = block.function("default")
        {
            let scope = block.scope();
            let scope = Scope {
                module: self.reader.graph.inside(block.module, def),
                ..scope
            };
            return self.read(&def.body, &Env::new(scope), Some(ty));
        }
        let derived = self.reader.graph.derive_of(&instance.ty, Derive::Default);
        let finding = match (&blocks[..], derived) {
            ([], Derived::No) => not_constant(span, format!("`{ty}` has no `Default`")).with_help(
                format!(
                    "write `#[derive(Default)]` on `{name}`, or name a function: `#[serde(default = \"..\")]`"
                ),
            ),
            _ => *not_constant(span, format!("the default of `{ty}` is not read")),
        };
        Err(Box::new(finding.with_label(
            instance.ty.def.span,
            format!("`{name}` is defined here"),
        )))
    }

    fn derived_default(&mut self, instance: &Arc<Instance>, span: Span) -> Run {
        let scope = Scope::of_definition(instance);
        let (variant, fields) = match &instance.ty.def.body {
            Body::Struct(_, fields) => (None, &fields[..]),
            Body::Enum(variants) => {
                let marked = variants.iter().position(|variant| variant.attrs.default);
                if marked.is_none() {
                    let name = &instance.ty.def.name;
                    return stop(
                        span,
                        format!("no variant of `{name}` is marked `#[default]`"),
                    );
                }
                (marked, &[][..])
            }
        };
        let mut values = Vec::with_capacity(fields.len());
        for field in fields {
            let ty = self.reader.typed(&field.ty, &scope)?;
            if ty.is_blank() {
                self.reader.concrete(&field.ty, &scope)?;
            }
            values.push((field.name.clone(), later(self.default_of(&ty, span))?));
        }
        Ok(Value::Adt(Adt {
            of: Arc::clone(instance),
            variant,
            fields: Arc::new(values),
        }))
    }
}

/// Returns the default of a type known by name that needs no other type's.
fn known_default(path: &str) -> Option<Value> {
    if IntType::from_name(path).is_some() {
        return Some(Value::Int(0));
    }
    if is_list(path) || is_set(path) {
        return Some(Value::List(Vec::new()));
    }
    if is_map(path) {
        return Some(Value::Map(Vec::new()));
    }
    let json = |json| Some(Value::Json(json));
    match (first_segment(path), last_segment(path)) {
        ("bool", _) => Some(Value::Bool(false)),
        ("char", _) => Some(Value::Char('\0')),
        ("f32" | "f64", _) => Some(Value::Float(0.0)),
        ("std", "String" | "PathBuf") => Some(Value::Text("".into())),
        ("std", "Option") => Some(Value::Option(None)),
        ("std", "Duration") => json(json!({ "secs": 0, "nanos": 0 })),
        ("std", "PhantomData") => Some(Value::Unit),
        ("serde_json", "Value") => json(json!(null)),
        ("uuid", "Uuid") => json(json!("00000000-0000-0000-0000-000000000000")),
        _ => None,
    }
}
