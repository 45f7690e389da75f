//! Walking the types of a draft: every field and variant once, with the gates that it stands under.

use crate::diag::Span;
use crate::schema::draft::{
    Content, Draft, Enum, Field, Gate, Literal, Shape, Struct, Type, Variant,
};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// What a walk comes across.
pub(super) enum Node<'a> {
    /// A struct, an enum or another type with a name, before what it is made of.
    Type(&'a Arc<Type>),
    /// A field, before its type.
    Field(&'a Field),
    /// A variant, before what it carries.
    Variant(&'a Variant),
}

/// Visits every node below the draft's root, outer nodes first. `visit` is told the gates around the node, outermost
/// first, without the node's own; it says whether to go on below the node. A type is entered once for each set of gates.
pub(super) fn walk<'a>(draft: &'a Draft, visit: &mut dyn FnMut(Node<'a>, &[&'a Gate]) -> bool) {
    let mut walk = Walk {
        visit,
        around: draft.gate.iter().collect(),
        entered: HashSet::new(),
    };
    if let Some(root) = &draft.root {
        walk.ty(root);
    }
}

/// The gate of every gated field and variant, by the place that findings point at.
pub(super) fn gates_by_place(draft: &Draft) -> HashMap<Span, &Gate> {
    let mut gates = HashMap::new();
    walk(draft, &mut |node, _| {
        let (span, gate) = match node {
            Node::Type(ty) => (ty.span, ty.gate.as_ref()),
            Node::Field(field) => (Some(field.span), field.gate.as_ref()),
            Node::Variant(variant) => (Some(variant.span), variant.gate.as_ref()),
        };
        if let (Some(span), Some(gate)) = (span, gate) {
            gates.insert(span, gate);
        }
        true
    });
    gates
}

/// A type and the gates around it: what a walk enters once.
type Entered = (*const Type, Vec<(Arc<str>, bool)>);

struct Walk<'a, 'v> {
    visit: &'v mut dyn FnMut(Node<'a>, &[&'a Gate]) -> bool,
    around: Vec<&'a Gate>,
    entered: HashSet<Entered>,
}

impl<'a> Walk<'a, '_> {
    fn ty(&mut self, ty: &'a Arc<Type>) {
        let around = self
            .around
            .iter()
            .map(|gate| (gate.feature.clone(), gate.on))
            .collect();
        if !self.entered.insert((Arc::as_ptr(ty), around))
            || !(self.visit)(Node::Type(ty), &self.around)
        {
            return;
        }
        self.under(ty.gate.as_ref(), |walk| walk.shape(&ty.shape));
    }

    fn under(&mut self, gate: Option<&'a Gate>, below: impl FnOnce(&mut Self)) {
        self.around.extend(gate);
        below(self);
        if gate.is_some() {
            self.around.pop();
        }
    }

    fn shape(&mut self, shape: &'a Shape) {
        match shape {
            Shape::Any | Shape::Unit | Shape::Scalar(_) | Shape::IntegerEnum(_) => {}
            Shape::Option(inner) | Shape::List { items: inner, .. } => self.ty(inner),
            Shape::Map { key, value } => {
                self.ty(key);
                self.ty(value);
            }
            Shape::Struct(body) => self.body(body),
            Shape::Newtype(field) => self.field(field),
            Shape::Tuple(fields) => fields.iter().for_each(|field| self.field(field)),
            Shape::Enum(Enum { variants, .. }) => {
                variants.iter().for_each(|variant| self.variant(variant))
            }
            Shape::Literal(literal) => self.literal(literal),
        }
    }

    fn body(&mut self, body: &'a Struct) {
        body.fields.iter().for_each(|field| self.field(field));
    }

    fn field(&mut self, field: &'a Field) {
        if (self.visit)(Node::Field(field), &self.around) {
            self.under(field.gate.as_ref(), |walk| walk.ty(&field.ty));
        }
    }

    fn variant(&mut self, variant: &'a Variant) {
        if !(self.visit)(Node::Variant(variant), &self.around) {
            return;
        }
        self.under(variant.gate.as_ref(), |walk| match &variant.content {
            Content::Unit => {}
            Content::Newtype(field) => walk.field(field),
            Content::Tuple(fields) => fields.iter().for_each(|field| walk.field(field)),
            Content::Struct(body) => walk.body(body),
            Content::With(ty) => walk.ty(ty),
        });
    }

    fn literal(&mut self, literal: &'a Literal) {
        match literal {
            Literal::Value(_) => {}
            Literal::Array(items) => items.iter().for_each(|item| self.literal(item)),
            Literal::Object(entries) => entries.iter().for_each(|(_, value)| self.literal(value)),
            Literal::Schema(ty, entries) => {
                self.ty(ty);
                entries.iter().for_each(|(_, value)| self.literal(value));
            }
        }
    }
}
