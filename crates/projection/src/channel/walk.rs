//! The graph of types that drafts refer to.

use crd_channels_diagnostics::Span;
use crd_channels_schema::draft::{
    Conditional, Content, Draft, Facets, Field, Gate, IntegerVariant, Literal, Shape, Type, Variant,
};
use crd_channels_schema::marks::Conditions;
use std::collections::HashSet;
use std::sync::Arc;

/// Returns every type that the drafts refer to, each once, in the order of their first use.
pub fn types<'d>(drafts: impl IntoIterator<Item = &'d Draft>) -> Vec<&'d Arc<Type>> {
    let roots = drafts.into_iter().filter_map(|draft| draft.root.as_ref());
    reachable(roots, |_| true)
}

/// Does the same, but skips types without gates.
pub fn gated_types<'d>(drafts: impl IntoIterator<Item = &'d Draft>) -> Vec<&'d Arc<Type>> {
    let roots = drafts.into_iter().filter_map(|draft| draft.root.as_ref());
    reachable(roots, |ty| ty.gated)
}

/// Returns every type inside a type, each once.
pub fn below(ty: &Arc<Type>) -> Vec<&Arc<Type>> {
    reachable(used(ty).into_iter(), |_| true)
}

fn reachable<'d>(
    roots: impl Iterator<Item = &'d Arc<Type>>,
    enter: impl Fn(&Type) -> bool,
) -> Vec<&'d Arc<Type>> {
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    let mut open: Vec<_> = roots.collect();
    open.reverse();
    while let Some(ty) = open.pop() {
        if enter(ty) && seen.insert(Arc::as_ptr(ty)) {
            found.push(ty);
            let mut below = used(ty);
            below.reverse();
            open.append(&mut below);
        }
    }
    found
}

/// Returns the types that a type directly refers to.
pub fn used(ty: &Type) -> Vec<&Arc<Type>> {
    match &ty.shape {
        Shape::Any | Shape::Unit | Shape::Scalar(_) | Shape::IntegerEnum(_) => Vec::new(),
        Shape::Option(inner) => vec![inner],
        Shape::List { items, .. } => vec![items],
        Shape::Map { key, value } => vec![key, value],
        Shape::Struct(_) | Shape::Newtype(_) | Shape::Tuple(_) => members(ty)
            .fields
            .iter()
            .flat_map(|(_, field)| types_of(field))
            .collect(),
        Shape::Enum(def) => {
            let mut all: Vec<_> = members(ty)
                .fields
                .iter()
                .flat_map(|(_, field)| types_of(field))
                .collect();
            for variant in &def.variants {
                if let Content::With(ty) = &variant.content {
                    all.push(ty);
                }
            }
            all
        }
        Shape::Literal(literal) => literal_types(literal),
    }
}

/// Returns the type of a field, and the one that it is declared with.
pub fn types_of(field: &Field) -> impl Iterator<Item = &Arc<Type>> {
    std::iter::once(&field.ty).chain(&field.declared)
}

/// Returns true if attributes of types with gates override the types: `extend`, a transform, an edit of the type's schema, or a
/// replaced schema.
pub fn is_written_over(draft: &Draft) -> bool {
    let says_more = |facets: &Facets| !facets.extend.is_empty() || !facets.edits.is_empty();
    gated_types([draft]).into_iter().any(|ty| {
        let members = members(ty);
        let mut all = facets(ty, &members);
        let attributes = all.any(|(_, facets)| {
            says_more(&facets.always) || facets.when.iter().any(|(_, facets)| says_more(facets))
        });
        let replaced = |(_, field): &(Option<&Variant>, &Field)| field.declared.is_some();
        attributes
            || members.fields.iter().any(replaced)
            || matches!(&ty.shape, Shape::Literal(literal) if is_edited(literal))
    })
}

fn is_edited(literal: &Literal) -> bool {
    match literal {
        Literal::Value(_) => false,
        Literal::Array(items) => items.iter().any(is_edited),
        Literal::Object(entries) => entries.iter().any(|(_, value)| is_edited(value)),
        Literal::Schema(_, edits) => !edits.is_empty(),
    }
}

/// Returns the types inside a hand-written schema.
pub fn literal_types(literal: &Literal) -> Vec<&Arc<Type>> {
    let mut found = Vec::new();
    let mut open = vec![literal];
    while let Some(literal) = open.pop() {
        match literal {
            Literal::Value(_) => {}
            Literal::Array(items) => open.extend(items),
            Literal::Object(entries) => open.extend(entries.iter().map(|(_, value)| value)),
            Literal::Schema(ty, entries) => {
                found.push(ty);
                open.extend(entries.iter().filter_map(|(_, edit)| edit.value()));
            }
        }
    }
    found
}

/// The items inside one type that may have gates.
#[derive(Default)]
pub struct Members<'t> {
    /// Its fields and those of its variants, with their variant.
    pub fields: Vec<(Option<&'t Variant>, &'t Field)>,
    /// Its variants.
    pub variants: Vec<&'t Variant>,
    /// Its variants, if they are integers.
    pub integers: Vec<&'t IntegerVariant>,
}

/// Returns the fields and variants of one type.
pub fn members(ty: &Type) -> Members<'_> {
    let mut members = Members::default();
    match &ty.shape {
        Shape::Struct(body) => members.fields.extend(body.fields.iter().map(|f| (None, f))),
        Shape::Newtype(field) => members.fields.push((None, field)),
        Shape::Tuple(fields) => members.fields.extend(fields.iter().map(|f| (None, f))),
        Shape::Enum(def) => {
            for variant in &def.variants {
                members.variants.push(variant);
                let fields = match &variant.content {
                    Content::Unit | Content::With(_) => &[],
                    Content::Newtype(field) => std::slice::from_ref(&**field),
                    Content::Tuple(fields) => fields,
                    Content::Struct(body) => &body.fields,
                };
                members
                    .fields
                    .extend(fields.iter().map(|field| (Some(variant), field)));
            }
        }
        Shape::IntegerEnum(variants) => members.integers.extend(variants),
        Shape::Any
        | Shape::Unit
        | Shape::Scalar(_)
        | Shape::Option(_)
        | Shape::List { .. }
        | Shape::Map { .. }
        | Shape::Literal(_) => {}
    }
    members
}

impl<'t> Members<'t> {
    /// Returns the gates on the members, without those of their facets.
    pub fn gates(&self) -> impl Iterator<Item = &'t Gate> {
        let fields = self
            .fields
            .iter()
            .filter_map(|(_, field)| field.gate.as_ref());
        let variants = self
            .variants
            .iter()
            .filter_map(|variant| variant.gate.as_ref());
        let integers = self
            .integers
            .iter()
            .filter_map(|variant| variant.gate.as_ref());
        fields.chain(variants).chain(integers)
    }
}

/// Returns the facets of a type and of its members, each with the span of its node.
pub fn facets<'t>(
    ty: &'t Type,
    members: &Members<'t>,
) -> impl Iterator<Item = (Option<Span>, &'t Conditional<Facets>)> {
    let own = std::iter::once((ty.span, &ty.facets));
    let fields: Vec<_> = members
        .fields
        .iter()
        .map(|(_, field)| (Some(field.span), &field.facets))
        .collect();
    let variants: Vec<_> = members
        .variants
        .iter()
        .map(|v| (Some(v.span), &v.facets))
        .collect();
    own.chain(fields).chain(variants)
}

/// Returns every gate that concerns a version: on it, on its facets, and anywhere in its types.
pub fn gates(draft: &Draft) -> Vec<&Gate> {
    let mut all: Vec<_> = draft.gate.iter().chain(&draft.status_gate).collect();
    all.extend(draft.facets.when.iter().map(|(gate, _)| gate));
    for ty in gated_types([draft]) {
        all.extend(gates_of(ty));
    }
    all
}

/// Returns every gate in one type, without those of the types it uses.
pub fn gates_of(ty: &Type) -> Vec<&Gate> {
    let members = members(ty);
    let mut all: Vec<_> = ty.gate.iter().chain(members.gates()).collect();
    for (_, facets) in facets(ty, &members) {
        all.extend(facets.when.iter().map(|(gate, _)| gate));
        let conditions = facets.always.conditions();
        all.extend(conditions.into_iter().flat_map(Conditions::gates));
    }
    all
}

/// Returns the named types inside options, lists and maps.
pub fn named_types(ty: &Arc<Type>) -> Vec<&Arc<Type>> {
    let mut found = Vec::new();
    let mut open = vec![ty];
    while let Some(ty) = open.pop() {
        match &ty.shape {
            Shape::Option(inner) | Shape::List { items: inner, .. } => open.push(inner),
            Shape::Map { key, value } => open.extend([key, value]),
            _ => found.push(ty),
        }
    }
    found
}
