//! The size of a type with all its uses written out. Types that contain each other twice double at every level, so that writing
//! them, or a default of them, would never end.

use super::types::Task;
use crd_channels_diagnostics::{Code, Diagnostic, Span};
use crd_channels_projection::channel::walk;
use crd_channels_schema::draft::{Literal, Shape, Type};
use serde_json::Value;

/// The maximum number of nodes. Each takes at least 15 bytes and etcd accepts 1.5 MiB per request, so no server stores more.
const MOST_NODES: u64 = 100_000;

impl Task<'_> {
    /// Sets the size of a type. If it is too large, reports that at the innermost type and returns `None`.
    pub(super) fn sized(&mut self, mut ty: Type, at: Span) -> Option<Type> {
        ty.nodes = nodes(&ty);
        if ty.nodes <= MOST_NODES {
            return Some(ty);
        }
        self.too_large = true;
        let message = format!(
            "`{}` has {} nodes when it is expanded, and API servers hold at most {MOST_NODES}",
            ty.name, ty.nodes
        );
        let finding = Diagnostic::new(Code::SchemaTooLarge, ty.span.unwrap_or(at), message);
        self.report(finding.with_help(
            "types that contain each other several times double at each level: end them with \
             `#[schemars(with = \"serde_json::Value\", extend(\"x-kubernetes-preserve-unknown-fields\" = true))]`",
        ));
        None
    }
}

/// Returns about how many nodes a type is written out to, including gated ones. A type is counted once for each use.
pub(super) fn nodes(ty: &Type) -> u64 {
    let own = match &ty.shape {
        Shape::Option(_) | Shape::Newtype(_) => 0,
        Shape::Literal(literal) => entries(literal).saturating_add(1),
        _ => 1,
    };
    let types = match &ty.shape {
        Shape::Map { key: _, value } => value.nodes,
        _ => sum(walk::used(ty).iter().map(|ty| ty.nodes)),
    };
    let fields = walk::members(ty).fields.into_iter();
    let defaults = fields.filter_map(|(_, field)| field.default.as_ref());
    sum([own, types].into_iter().chain(defaults.map(values)))
}

fn sum(all: impl Iterator<Item = u64>) -> u64 {
    all.fold(0, u64::saturating_add)
}

fn values(value: &Value) -> u64 {
    match value {
        Value::Array(items) => sum(items.iter().map(values)).saturating_add(1),
        Value::Object(entries) => sum(entries.values().map(values)).saturating_add(1),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 1,
    }
}

/// Returns the number of nodes of a hand-written schema, without those of its types.
fn entries(literal: &Literal) -> u64 {
    match literal {
        Literal::Value(value) => values(value),
        Literal::Array(items) => sum(items.iter().map(entries)),
        Literal::Object(members) => sum(members.iter().map(|(_, value)| entries(value))),
        Literal::Schema(_, edits) => sum(edits
            .iter()
            .filter_map(|(_, edit)| edit.value())
            .map(entries)),
    }
}
