//! The rules that gates and tombstones keep whatever the channel: judged on the types, before anything is projected.

use super::config::{Config, Features};
use super::kinds::Kind;
use super::nodes::{Node, walk};
use crate::Text;
use crate::diag::{Code, Diagnostic, Sink, nearest};
use crate::schema::draft::{Conditional, Draft, Field, Gate, Shape, Type};
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

/// Judges every kind; findings come once, however often a type is used.
pub fn check(kinds: &[Kind], config: &Config, sink: &mut Sink) {
    let mut used: BTreeSet<Text> = BTreeSet::new();
    let mut seen: HashSet<*const Type> = HashSet::new();
    for draft in kinds.iter().flat_map(|kind| &kind.versions) {
        let mut gate = |gate: &Gate, sink: &mut Sink| {
            if config.features.has(&gate.feature) {
                used.insert(gate.feature.clone());
            } else {
                sink.push(unknown_feature(gate, &config.features));
            }
        };
        draft.gate.iter().for_each(|found| gate(found, sink));
        draft
            .facets
            .when
            .iter()
            .for_each(|(found, _)| gate(found, sink));
        gone(draft, config, sink);
        walk(draft, &mut |node, around| {
            match node {
                Node::Type(ty) => {
                    ty.gate.iter().for_each(|found| gate(found, sink));
                    gates_of(&ty.facets, &mut |found| gate(found, sink));
                    if !ty.tombstones.is_empty() && seen.insert(Arc::as_ptr(ty)) {
                        tombstones(ty, sink);
                    }
                }
                Node::Field(field) => {
                    field.gate.iter().for_each(|found| gate(found, sink));
                    gates_of(&field.facets, &mut |found| gate(found, sink));
                    gated_type(field, around, sink);
                    required(field, around, sink);
                }
                Node::Variant(variant) => {
                    variant.gate.iter().for_each(|found| gate(found, sink));
                    gates_of(&variant.facets, &mut |found| gate(found, sink));
                }
            }
            true
        });
    }
    for feature in config
        .features
        .iter()
        .filter(|feature| !used.contains(&feature.name.value))
    {
        let message = format!(
            "feature `{}` is declared and no gate names it",
            feature.name.value
        );
        sink.push(
            Diagnostic::new(Code::UnusedFeature, feature.name.span, message)
                .with_help("remove it, or write it into the gate that was meant"),
        );
    }
}

fn gates_of<T>(conditional: &Conditional<T>, found: &mut dyn FnMut(&Gate)) {
    conditional.when.iter().for_each(|(gate, _)| found(gate));
}

fn unknown_feature(gate: &Gate, features: &Features) -> Diagnostic {
    let help = match nearest(&gate.feature, features.names()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!(
            "declare it in `channels/features.toml`: `[{}]` with `summary`, `owner`, `link` and `since`",
            gate.feature
        ),
    };
    let message = format!("feature `{}` is not declared", gate.feature);
    Diagnostic::new(Code::UnknownFeature, gate.span, message).with_help(help)
}

fn same(left: &Gate, right: &Gate) -> bool {
    left.feature == right.feature && left.on == right.on
}

/// How a gate is written.
pub(super) fn written(gate: &Gate) -> String {
    let name = if gate.on {
        "experimental"
    } else {
        "not_experimental"
    };
    if &*gate.feature == super::config::UNNAMED {
        format!("#[{name}]")
    } else {
        format!("#[{name}(feature = \"{}\")]", gate.feature)
    }
}

/// A gated type may only be used where its gate holds.
fn gated_type(field: &Field, around: &[&Gate], sink: &mut Sink) {
    let ty = behind_containers(&field.ty);
    let Some(gate) = &ty.gate else {
        return;
    };
    let mut holding = around.iter().copied().chain(field.gate.iter());
    if holding.any(|other| same(other, gate)) {
        return;
    }
    let message = format!(
        "`{}` is of the gated type `{}`, and the field itself is not gated by `{}`",
        field.name, ty.name, gate.feature
    );
    sink.push(
        Diagnostic::new(Code::GatedType, field.span, message)
            .with_label(gate.span, "the type is gated here")
            .with_help(format!("write `{}` on the field too", written(gate))),
    );
}

/// The type that a field is about, without `Option`, `Vec` and the like around it.
fn behind_containers(ty: &Arc<Type>) -> &Arc<Type> {
    match &ty.shape {
        Shape::Option(inner)
        | Shape::List { items: inner, .. }
        | Shape::Map { value: inner, .. } => behind_containers(inner),
        _ => ty,
    }
}

/// A gated field may be left out, unless what it stands in is gated alike.
fn required(field: &Field, around: &[&Gate], sink: &mut Sink) {
    let Some(gate) = &field.gate else {
        return;
    };
    let optional = field.optional || field.flatten;
    if optional || around.iter().any(|other| same(other, gate)) {
        return;
    }
    let message = format!("the gated field `{}` is required", field.name);
    sink.push(
        Diagnostic::new(Code::RequiredGatedField, field.span, message)
            .with_label(gate.span, "gated here")
            .with_help("make its type an `Option`, or add `#[serde(default)]`"),
    );
}

/// A name that a tombstone keeps out of use is not used.
fn tombstones(ty: &Type, sink: &mut Sink) {
    for tombstone in &ty.tombstones {
        let used = match &ty.shape {
            Shape::Struct(body) => body
                .fields
                .iter()
                .find(|field| field.name == tombstone.name && !field.flatten)
                .map(|field| field.span),
            Shape::Enum(body) => body
                .variants
                .iter()
                .find(|variant| variant.name == tombstone.name)
                .map(|variant| variant.span),
            _ => None,
        };
        if let Some(span) = used {
            let message = format!(
                "`{}` is used again in `{}`; it was removed in {}: {}",
                tombstone.name, ty.name, tombstone.removed, tombstone.reason
            );
            sink.push(
                Diagnostic::new(Code::TombstoneInUse, span, message)
                    .with_label(tombstone.span, "kept out of use here")
                    .with_help("choose another name; objects that are stored may still carry the old meaning"),
            );
        }
    }
}

/// Kinds, versions and types that `channels/tombstones.toml` says are gone.
fn gone(draft: &Draft, config: &Config, sink: &mut Sink) {
    let mut report = |what: String, removed: &str, reason: &str, span| {
        let message = format!("{what} is used again; it was removed in {removed}: {reason}");
        sink.push(
            Diagnostic::new(Code::TombstoneInUse, draft.span, message)
                .with_label(span, "kept out of use here")
                .with_help(
                    "choose another name; objects that are stored may still carry the old meaning",
                ),
        );
    };
    for gone in &config.tombstones.kinds {
        if gone.group == draft.group && gone.kind.value == draft.kind {
            report(
                format!("kind `{}`", draft.kind),
                &gone.removed,
                &gone.reason,
                gone.kind.span,
            );
        }
    }
    for gone in &config.tombstones.versions {
        if gone.group == draft.group
            && gone.kind == draft.kind
            && gone.version.value == draft.version
        {
            let what = format!("version `{}` of `{}`", draft.version, draft.kind);
            report(what, &gone.removed, &gone.reason, gone.version.span);
        }
    }
    for gone in &config.tombstones.types {
        if gone.name.value == draft.spec_name {
            report(
                format!("type `{}`", draft.spec_name),
                &gone.removed,
                &gone.reason,
                gone.name.span,
            );
        }
    }
}
