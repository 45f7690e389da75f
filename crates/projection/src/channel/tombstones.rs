//! Reserved names that are used again.

use super::condition_lists::condition_lists;
use super::config::Tombstones;
use super::kinds::Kind;
use super::walk;
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Span};
use crd_channels_schema::draft::{Content, Enum, Shape, Tagging, Tombstone, Type};
use crd_channels_schema::marks::{Conditions, Declaring};
use std::collections::HashSet;
use std::sync::Arc;

/// Reports kinds, versions, types, fields and variants with reserved names.
pub fn check(kinds: &[Kind], gone: &Tombstones, sink: &mut Sink) {
    for kind in kinds {
        for draft in &kind.versions {
            for tombstone in &gone.kinds {
                if tombstone.group == kind.group && tombstone.kind.value == kind.kind {
                    let what = format!("the kind `{}` of `{}`", kind.kind, kind.group);
                    let tombstone = (tombstone.kind.span, &*tombstone.removed, &*tombstone.reason);
                    sink.push(in_use(draft.span, &what, tombstone));
                }
            }
            for tombstone in &gone.versions {
                let kind_is = tombstone.group == kind.group && tombstone.kind == kind.kind;
                if kind_is && tombstone.version.value == draft.version {
                    let what = format!("the version `{}` of `{}`", draft.version, kind.kind);
                    let tombstone = (
                        tombstone.version.span,
                        &*tombstone.removed,
                        &*tombstone.reason,
                    );
                    sink.push(in_use(draft.span, &what, tombstone));
                }
            }
        }
    }
    for ty in walk::types(kinds.iter().flat_map(|kind| &kind.versions)) {
        let bare = ty.name.split('<').next().unwrap_or_default();
        for tombstone in &gone.types {
            if let Some(span) = ty.span.filter(|_| *tombstone.name.value == *bare) {
                let tombstone = (tombstone.name.span, &*tombstone.removed, &*tombstone.reason);
                sink.push(in_use(span, &format!("the type `{bare}`"), tombstone));
            }
        }
        if !ty.tombstones.is_empty() {
            let of_type = names(ty);
            let names = of_type.iter().map(|(name, span)| (*name, span.or(ty.span)));
            check_names(&ty.name, &ty.tombstones, names.collect(), sink);
        }
    }
    conditions(kinds, sink);
}

/// Reports names that a type reserves and uses.
fn check_names(
    ty: &str,
    tombstones: &[Tombstone],
    names: Vec<(&str, Option<Span>)>,
    sink: &mut Sink,
) {
    for tombstone in tombstones {
        if let Some((_, span)) = names.iter().find(|(name, _)| **name == *tombstone.name) {
            let what = format!("the name `{}` in `{ty}`", tombstone.name);
            let span = span.unwrap_or(tombstone.span);
            let tombstone = (tombstone.span, &*tombstone.removed, &*tombstone.reason);
            sink.push(in_use(span, &what, tombstone));
        }
    }
}

/// Reports condition types and reasons with reserved names, once for each enum.
fn conditions(kinds: &[Kind], sink: &mut Sink) {
    let mut told = HashSet::new();
    let drafts = kinds.iter().flat_map(|kind| &kind.versions);
    for Conditions {
        declared_by, types, ..
    } in drafts.flat_map(condition_lists).map(|list| list.conditions)
    {
        if told.insert(declared_by.span) {
            let names = types.iter().map(|of| (&*of.name, Some(of.span)));
            check_names(
                &declared_by.name,
                &declared_by.tombstones,
                names.collect(),
                sink,
            );
        }
        for reasons in types.iter().map(|of| &of.reasons) {
            let Declaring {
                name,
                span,
                tombstones,
            } = &reasons.declared_by;
            if told.insert(*span) {
                let names = reasons.all.iter();
                let names =
                    names.filter_map(|reason| Some((reason.name.as_deref()?, Some(reason.span))));
                check_names(name, tombstones, names.collect(), sink);
            }
        }
    }
}

fn in_use(span: Span, what: &str, (tombstone, removed, reason): (Span, &str, &str)) -> Diagnostic {
    Diagnostic::new(
        Code::TombstoneInUse,
        span,
        format!("{what} was removed in {removed} and is reserved: {reason}"),
    )
    .with_label(tombstone, "the tombstone")
    .with_help("choose another name; stored objects may still have the old meaning")
}

/// Returns the names that a type serializes in one object, or as its values.
fn names(ty: &Type) -> Vec<(&str, Option<Span>)> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    let mut open = vec![ty];
    while let Some(ty) = open.pop() {
        let members = walk::members(ty);
        let (tag, inline) = match &ty.shape {
            Shape::Enum(Enum { tagging, .. }) => tagged(tagging),
            _ => (Vec::new(), true),
        };
        found.extend(tag.into_iter().map(|name| (name, None)));
        found.extend(members.variants.iter().map(|v| (&*v.name, Some(v.span))));
        for (variant, field) in members.fields {
            let named = match (variant, &ty.shape) {
                (Some(variant), _) => inline && matches!(variant.content, Content::Struct(_)),
                (None, shape) => matches!(shape, Shape::Struct(_)),
            };
            if named && !field.flatten {
                found.push((&*field.name, Some(field.span)));
            } else if named && seen.insert(Arc::as_ptr(&field.ty)) {
                open.extend(walk::named_types(&field.ty).into_iter().map(|ty| &**ty));
            }
        }
    }
    found
}

/// Returns the keys that an enum itself writes, and whether the fields of its variants are next to them.
fn tagged(tagging: &Tagging) -> (Vec<&str>, bool) {
    match tagging {
        Tagging::External => (Vec::new(), false),
        Tagging::Internal { tag } => (vec![tag], true),
        Tagging::Adjacent { tag, content } => (vec![tag, content], false),
        Tagging::Untagged => (Vec::new(), true),
    }
}

#[cfg(test)]
mod tests {
    use super::super::builders::*;
    use super::super::config::{KindTombstone, Tombstones, TypeTombstone, VersionTombstone};
    use super::check;
    use crd_channels_diagnostics::Spanned;
    use crd_channels_schema::draft::{Content, Field, Struct, Tagging, Type, Variant};
    use std::sync::Arc;

    #[test]
    fn serialized_names_stay_dead() {
        let case = |ty: Arc<Type>, expected: bool| {
            let kinds = [kind(vec![gateway(vec![field("x", list(ty.clone()))])])];
            let ((), found) = findings(|sink| check(&kinds, &Tombstones::default(), sink));
            let message = format!(
                "tombstone-in-use: the name `old` in `{}` was removed in v0.2.0 and is reserved: too vague",
                ty.name
            );
            let expected = if expected { vec![message] } else { vec![] };
            assert_eq!(found, expected);
        };
        let renamed = Field {
            rust_name: "old".into(),
            ..text("new")
        };
        case(with_tombstone(&object("T", vec![text("old")]), "old"), true);
        case(
            with_tombstone(&object("T", vec![text("old").gated(gate("A"))]), "old"),
            true,
        );
        case(with_tombstone(&object("T", vec![renamed]), "old"), false);
        let flat = Field {
            flatten: true,
            ..field("old", object("Flat", vec![text("a")]))
        };
        case(
            with_tombstone(&object("T", vec![flat.clone()]), "old"),
            false,
        );
        let flat = Field {
            ty: object("Flat", vec![text("old")]),
            ..flat
        };
        case(with_tombstone(&object("T", vec![flat]), "old"), true);
        case(
            with_tombstone(&values("E", vec![variant("old")]), "old"),
            true,
        );
        case(
            with_tombstone(&values("E", vec![variant("Old")]), "old"),
            false,
        );
        let with = |tagging| {
            let carrying = Variant {
                content: Content::Struct(Struct {
                    fields: vec![text("old")],
                    deny_unknown: false,
                }),
                ..variant("V")
            };
            with_tombstone(&choice("E", tagging, vec![carrying]), "old")
        };
        let tag = || "type".into();
        let content = "old".into();
        case(with(Tagging::Internal { tag: tag() }), true);
        case(with(Tagging::External), false);
        case(
            with(Tagging::Adjacent {
                tag: tag(),
                content,
            }),
            true,
        );
    }

    #[test]
    fn kinds_versions_and_types_stay_dead() {
        let placed = |value: &str| Spanned {
            value: value.into(),
            span: somewhere(),
        };
        let gone = |group: &str, kind: &str, version: &str, ty: &str| Tombstones {
            kinds: vec![KindTombstone {
                group: group.into(),
                kind: placed(kind),
                removed: "v1.0.0".into(),
                reason: "r".into(),
            }],
            versions: vec![VersionTombstone {
                group: "example.com".into(),
                kind: "Gateway".into(),
                version: placed(version),
                removed: "v1.0.0".into(),
                reason: "r".into(),
            }],
            types: vec![TypeTombstone {
                name: placed(ty),
                removed: "v1.0.0".into(),
                reason: "r".into(),
            }],
            fields: Vec::new(),
        };
        let case = |gone: Tombstones, expected: &[&str]| {
            let kinds = [kind(vec![gateway(vec![field(
                "x",
                object("Listener<Text>", vec![]),
            )])])];
            let ((), found) = findings(|sink| check(&kinds, &gone, sink));
            let rest = "was removed in v1.0.0 and is reserved: r";
            let expected: Vec<_> = expected
                .iter()
                .map(|what| format!("tombstone-in-use: {what} {rest}"))
                .collect();
            assert_eq!(found, expected);
        };
        case(gone("example.com", "Route", "v1beta1", "Listeners"), &[]);
        case(gone("other.com", "Gateway", "v1beta1", "Listeners"), &[]);
        case(
            gone("example.com", "Gateway", "v2", "T"),
            &["the kind `Gateway` of `example.com`"],
        );
        case(
            gone("example.com", "X", "v1", "T"),
            &["the version `v1` of `Gateway`"],
        );
        case(
            gone("example.com", "X", "v2", "Listener"),
            &["the type `Listener`"],
        );
    }
}
