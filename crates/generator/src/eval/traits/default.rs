//! The values of `Default::default()`.

use super::derives::derives;
use crate::eval::expressions::construct::later;
use crate::eval::machine::{Flow, Machine, Run, Want, stop};
use crate::eval::values::kinds::{MapKind, SeqKind, Wrapper};
use crate::eval::values::number::{Float, Int, IntType};
use crate::eval::values::path_segments::{first_segment, is_kube, last_segment};
use crate::eval::values::trait_key::TraitKey;
use crate::eval::values::ty::{Concrete, Instance, Scope};
use crate::eval::values::value::{Adt, Value, not_constant};
use crd_channels_diagnostics::Span;
use crd_channels_source::Derived;
use crd_channels_source::tree::Body;
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

/// The maximum length of an array whose default is written out.
const MAX_ITEMS: u64 = 65_536;

impl Machine<'_> {
    /// `T::default()`
    ///
    /// # Errors
    ///
    /// `not-constant` if the type's `Default` cannot be read.
    pub(crate) fn default_of(&mut self, ty: &Concrete, span: Span) -> Run {
        let value = self.deeper(span, |machine| machine.default_value(ty, span))?;
        self.coerce(value, ty, span)
    }

    fn default_value(&mut self, ty: &Concrete, span: Span) -> Run {
        let unknown = || stop(span, format!("the default of `{ty}` cannot be evaluated"));
        match ty {
            Concrete::Tuple(items) => {
                let mut values = Vec::with_capacity(items.len());
                for item in items {
                    values.push(self.default_of(item, span)?);
                }
                Ok(Value::Tuple(values))
            }
            Concrete::Array(item, length) if *length <= MAX_ITEMS => {
                let item = self.default_of(item, span)?;
                let length = usize::try_from(*length).unwrap_or_default();
                Ok(Value::seq(SeqKind::Array, vec![item; length]))
            }
            Concrete::External(path, args) => match known_default(path) {
                Some(value) => Ok(value),
                None if path.starts_with("schemars::") || is_kube(path) => {
                    match Self::kube_default(path) {
                        Some(value) => Ok(value),
                        None => self.record_default(path, span)?.map_or_else(unknown, Ok),
                    }
                }
                None => match Wrapper::named(path) {
                    Some(wrapper) if wrapper != Wrapper::NonZero => {
                        let inner = args.first().unwrap_or(&Concrete::Infer);
                        let inner = self.default_of(inner, span)?;
                        Ok(Value::Wrapped(wrapper, Box::new(inner)))
                    }
                    _ => unknown(),
                },
            },
            Concrete::Ref(inner, false) if inner.external_name() == Some("str") => {
                Ok(Value::str(""))
            }
            Concrete::Ref(inner, false) => match &**inner {
                Concrete::Slice(_) => Ok(Value::reference(Value::seq(SeqKind::Slice, Vec::new()))),
                _ => unknown(),
            },
            Concrete::Def(instance) => self.default_of_def(instance, ty, span),
            _ => unknown(),
        }
    }

    fn default_of_def(&mut self, instance: &Arc<Instance>, ty: &Concrete, span: Span) -> Run {
        if let Some(value) = self.reader.member_override(instance, "default") {
            return Ok(value);
        }
        if derives(&self.reader, instance, crd_channels_source::Derive::Default) {
            return self.derived_default(instance, span);
        }
        let mut blocks = self.reader.known_blocks(ty, "default");
        blocks.retain(|block| {
            let of = block.of.as_ref();
            matches!(of, Some(TraitKey::Known(path)) if first_segment(path) == "std")
        });
        match &blocks[..] {
            [block] => self.call_block(block, "default", Vec::new(), Want::of(ty), span),
            _ => {
                let name = &instance.ty.def.name;
                let default = crd_channels_source::Derive::Default;
                let derived = self.reader.graph.derive_of(&instance.ty, default);
                if blocks.is_empty() && matches!(derived, Derived::No) {
                    let finding = not_constant(span, format!("`{ty}` has no `Default`"));
                    let finding = finding
                        .with_label(instance.ty.def.span, format!("`{name}` is defined here"))
                        .with_help(format!(
                            "write `#[derive(Default)]` on `{name}`, or name a function: `#[serde(default = \"..\")]`"
                        ));
                    return Err(Flow::Stop(Box::new(finding)));
                }
                let why = format!("the default of `{ty}` cannot be evaluated");
                let definition = format!("`{}` is defined here", instance.ty.def.name);
                let finding = not_constant(span, why);
                let finding = finding.with_label(instance.ty.def.span, definition);
                Err(Flow::Stop(Box::new(finding)))
            }
        }
    }

    fn derived_default(&mut self, instance: &Arc<Instance>, span: Span) -> Run {
        let scope = Scope::of(instance);
        match &instance.ty.def.body {
            Body::Struct(_, fields) => {
                let mut values = Vec::with_capacity(fields.len());
                for field in fields {
                    let ty = self.reader.typed(&field.ty, &scope)?;
                    if ty.is_blank() {
                        self.reader.concrete(&field.ty, &scope)?;
                    }
                    let value = later(self.default_of(&ty, span))?;
                    values.push((field.name.clone(), value));
                }
                Ok(Value::Adt(Adt {
                    of: Arc::clone(instance),
                    variant: None,
                    fields: Arc::new(values),
                }))
            }
            Body::Enum(variants) => {
                let marked = variants.iter().position(|variant| variant.attrs.default);
                match marked {
                    Some(index) => Ok(Value::Adt(Adt {
                        of: Arc::clone(instance),
                        variant: Some(index),
                        fields: Arc::default(),
                    })),
                    None => {
                        let name = &instance.ty.def.name;
                        stop(
                            span,
                            format!("no variant of `{name}` is marked `#[default]`"),
                        )
                    }
                }
            }
        }
    }
}

/// Returns the default of a type known by name that needs no other type's.
fn known_default(path: &str) -> Option<Value> {
    if let Some(ty) = IntType::from_name(path) {
        return Some(Value::Int(Int::new(0, ty)));
    }
    if let Some(kind) = SeqKind::named(path) {
        return Some(Value::seq(kind, Vec::new()));
    }
    if let Some(kind) = MapKind::named(path) {
        return Some(Value::map(kind, Vec::new()));
    }
    let named = |json| Some(Value::Named(path.into(), json));
    let last = last_segment(path);
    let first = first_segment(path);
    match (first, last) {
        (_, "bool") if path == "bool" => Some(Value::Bool(false)),
        ("char", _) => Some(Value::Char('\0')),
        ("f32", _) => Some(Value::Float(Float::F32(0.0))),
        ("f64", _) => Some(Value::Float(Float::F64(0.0))),
        ("std", "String") => Some(Value::string("")),
        ("std", "Option") => Some(Value::Option(None)),
        ("std", "Duration") => Some(Value::Duration(Duration::ZERO)),
        ("std", "PathBuf" | "OsString") | ("smol_str", "SmolStr") => named(json!("")),
        ("std", "PhantomData") => Some(Value::Unit("std::marker::PhantomData")),
        ("regex", "RegexSet") => named(json!([])),
        ("schemars", "Schema") => {
            let empty = Value::json(&json!({}));
            Some(Value::Schema(Box::new(empty)))
        }
        ("serde_json", "Value") => Some(Value::json(&json!(null))),
        ("serde_json", "Number") => named(json!(0)),
        ("chrono", "DateTime") | ("jiff", "Timestamp") => named(json!("1970-01-01T00:00:00Z")),
        ("chrono", "NaiveDateTime") => named(json!("1970-01-01T00:00:00")),
        ("chrono", "NaiveDate") => named(json!("1970-01-01")),
        ("chrono", "NaiveTime") => named(json!("00:00:00")),
        ("uuid", "Uuid") => named(json!("00000000-0000-0000-0000-000000000000")),
        _ => None,
    }
}
