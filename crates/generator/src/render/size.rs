//! How large a schema becomes: types that hold each other twice double at every level, and writing them out never ends.

use super::context::Context;
use super::{Convention, Renderer, worth_keeping};
use crate::diag::{Code, Sink};
use crate::schema::draft::{Content, Field, Literal, Shape, Type, WellKnown};
use serde_json::Value;
use std::sync::Arc;

/// No node takes less than 15 bytes, and etcd takes 1.5 MiB at once: what has more nodes no server holds.
const MOST_NODES: u64 = 100_000;

impl Renderer<'_> {
    /// Whether the schema of a type can be written out; reported where it cannot.
    pub(super) fn fits(&self, root: &Arc<Type>, context: &mut Context<'_>) -> bool {
        if self.nodes(root) <= MOST_NODES {
            return true;
        }
        // The innermost type that is too large by itself says most about the reason.
        let mut ty = root;
        let mut open = self.below(root);
        while let Some(inner) = open.into_iter().max_by_key(|inner| self.nodes(inner)) {
            if self.nodes(inner) <= MOST_NODES {
                break;
            }
            ty = inner;
            open = self.below(inner);
        }
        let place = ty.span.or(context.span);
        let message = format!(
            "`{}` comes to {} nodes where it is written out, and no API server holds more than {MOST_NODES}",
            ty.name,
            self.nodes(ty)
        );
        let Context { sink, .. } = context;
        Context::new(sink, place).report(
            Code::SchemaTooLarge,
            message,
            "types that hold each other several times double at each level: end them with \
             `#[schemars(with = \"serde_json::Value\", extend(\"x-kubernetes-preserve-unknown-fields\" = true))]`",
        );
        false
    }

    /// How many nodes a type is written out to, about. Types in each other are counted as often as they stand there.
    fn nodes(&self, ty: &Arc<Type>) -> u64 {
        if worth_keeping(ty) {
            // Nothing is found while counting.
            let mut unheard = Sink::default();
            self.cache
                .sizes
                .get_or(self.key(ty), ty, &mut unheard, |_| self.count(ty))
        } else {
            self.count(ty)
        }
    }

    fn count(&self, ty: &Arc<Type>) -> u64 {
        let own = match &ty.shape {
            Shape::Option(_) | Shape::Newtype(_) => 0,
            Shape::Struct(body) => body.fields.iter().map(defaults).sum::<u64>() + 1,
            Shape::Literal(literal) => entries(literal),
            _ => 1,
        };
        let below = self.below(ty).into_iter().map(|inner| self.nodes(inner));
        below.fold(own, u64::saturating_add)
    }

    /// The types that are written out inside a type, each as often as that is.
    fn below<'t>(&self, ty: &'t Type) -> Vec<&'t Arc<Type>> {
        if self.convention == Convention::Kubernetes && ty.well_known == Some(WellKnown::ObjectMeta)
        {
            return Vec::new();
        }
        let of = |fields: &'t [Field]| {
            let kept = fields
                .iter()
                .filter(|field| self.selection.keeps(field.gate.as_ref()));
            kept.map(|field| self.type_itself(field))
                .collect::<Vec<_>>()
        };
        match &ty.shape {
            Shape::Any | Shape::Unit | Shape::Scalar(_) | Shape::IntegerEnum(_) => Vec::new(),
            Shape::Option(inner) | Shape::List { items: inner, .. } => vec![inner],
            Shape::Map { key: _, value } => vec![value],
            Shape::Struct(body) => of(&body.fields),
            Shape::Newtype(field) => of(std::slice::from_ref(field)),
            Shape::Tuple(fields) => of(fields),
            Shape::Enum(def) => {
                let variants = def.variants.iter();
                let kept = variants.filter(|variant| self.selection.keeps(variant.gate.as_ref()));
                let inside = kept.flat_map(|variant| match &variant.content {
                    Content::Unit => Vec::new(),
                    Content::Newtype(field) => of(std::slice::from_ref(field)),
                    Content::Tuple(fields) => of(fields),
                    Content::Struct(body) => of(&body.fields),
                    Content::With(ty) => vec![ty],
                });
                inside.collect()
            }
            Shape::Literal(literal) => types(literal),
        }
    }
}

/// The nodes of a field's default.
fn defaults(field: &Field) -> u64 {
    field.default.as_ref().map_or(0, values)
}

fn values(value: &Value) -> u64 {
    match value {
        Value::Array(items) => items.iter().map(values).sum::<u64>() + 1,
        Value::Object(entries) => entries.values().map(values).sum::<u64>() + 1,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 1,
    }
}

/// The nodes of a hand-written schema, without those of the types in it.
fn entries(literal: &Literal) -> u64 {
    match literal {
        Literal::Value(value) => values(value),
        Literal::Array(items) => items.iter().map(entries).sum::<u64>() + 1,
        Literal::Object(members) => {
            members.iter().map(|(_, value)| entries(value)).sum::<u64>() + 1
        }
        Literal::Schema(_, edits) => {
            let values = edits.iter().filter_map(|(_, edit)| edit.value());
            values.map(entries).sum()
        }
    }
}

/// The types in a hand-written schema.
fn types(literal: &Literal) -> Vec<&Arc<Type>> {
    match literal {
        Literal::Value(_) => Vec::new(),
        Literal::Array(items) => items.iter().flat_map(types).collect(),
        Literal::Object(entries) => entries.iter().flat_map(|(_, value)| types(value)).collect(),
        Literal::Schema(ty, edits) => {
            let values = edits.iter().filter_map(|(_, edit)| edit.value());
            std::iter::once(ty).chain(values.flat_map(types)).collect()
        }
    }
}
