//! The variant of schemars 0.8's `Schema` that a type's schema has.

use super::pending::Pending;
use crate::eval::machine::{Machine, Run, Want, stop};
use crate::eval::traits::derives::derives;
use crate::eval::values::kinds::{MapKind, SeqKind, Wrapper};
use crate::eval::values::number::IntType;
use crate::eval::values::path_segments::first_segment;
use crate::eval::values::trait_key::TraitKey;
use crate::eval::values::ty::{Concrete, Instance};
use crate::eval::values::value::Value;
use crd_channels_diagnostics::Span;
use crd_channels_source::Derive;
use crd_channels_source::tree::{Body, Style};

/// The error if a variant is unknown.
const UNKNOWN: &str = "which variant of `Schema` this is depends on a type that is not evaluated";

impl Machine<'_> {
    /// `Object` or `Bool`.
    pub(in crate::eval) fn schema_variant(
        &mut self,
        inner: &Value,
        span: Span,
    ) -> Run<&'static str> {
        match inner {
            Value::Record(_) => Ok("Object"),
            Value::Json(content) => match &**content {
                Value::Bool(_) => Ok("Bool"),
                Value::Pending(pending) => match &**pending {
                    Pending::Schema(schema) => self.variant_of_type(&schema.of, span),
                    _ => stop(span, UNKNOWN),
                },
                _ => stop(span, UNKNOWN),
            },
            _ => stop(span, UNKNOWN),
        }
    }

    fn variant_of_type(&mut self, ty: &Concrete, span: Span) -> Run<&'static str> {
        match ty {
            Concrete::Array(..) | Concrete::Slice(_) | Concrete::Tuple(_) => Ok("Object"),
            Concrete::Ref(inner, _) => self.variant_of_type(inner, span),
            Concrete::External(path, args) => match (Wrapper::named(path), args.first()) {
                (Some(_), Some(inner)) => self.variant_of_type(inner, span),
                (None, _) if &**path == "serde_json::Value" => Ok("Bool"),
                (None, _) if is_object(path) => Ok("Object"),
                _ => stop(span, UNKNOWN),
            },
            Concrete::Def(instance) if derives(&self.reader, instance, Derive::JsonSchema) => {
                derived_variant(instance).map_or_else(|| stop(span, UNKNOWN), Ok)
            }
            Concrete::Def(_) => {
                let mut blocks = self.reader.known_blocks(ty, "json_schema");
                blocks.retain(|block| {
                    let of = block.of.as_ref();
                    matches!(of, Some(TraitKey::Known(path)) if first_segment(path) == "schemars")
                });
                let [block] = &blocks[..] else {
                    return stop(span, UNKNOWN);
                };
                let generator = vec![self.generator()];
                let made = self.call_block(block, "json_schema", generator, Want::any(), span)?;
                match self.load(&made) {
                    Value::Schema(inner) => self.schema_variant(&inner, span),
                    _ => stop(span, UNKNOWN),
                }
            }
            _ => stop(span, UNKNOWN),
        }
    }
}

/// Returns true if schemars uses an object for a type of std.
fn is_object(path: &str) -> bool {
    let is_list = SeqKind::named(path).is_some_and(|kind| kind != SeqKind::Heap);
    is_list
        || MapKind::named(path).is_some()
        || IntType::from_name(path).is_some()
        || matches!(
            path,
            "bool"
                | "char"
                | "f32"
                | "f64"
                | "str"
                | "std::string::String"
                | "std::option::Option"
                | "std::time::Duration"
        )
}

/// Returns the variant of a derived schema. A type with another type's schema has that one's variant.
fn derived_variant(instance: &Instance) -> Option<&'static str> {
    let (body, attrs) = (&instance.ty.def.body, &instance.ty.def.attrs);
    let own = attrs.with.is_none() && !attrs.serde.transparent && attrs.serde.from.is_none();
    let is_object = match body {
        Body::Struct(style, _) => *style == Style::Named,
        Body::Enum(variants) => !variants.is_empty(),
    };
    (own && is_object).then_some("Object")
}
