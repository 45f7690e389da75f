//! Finds the gate that removed a node, by the node's span.

use crate::channel::walk;
use crd_channels_diagnostics::{Span, Text};
use crd_channels_schema::draft::{Draft, Gate, Shape, Type};
use std::collections::HashMap;

/// The gates of one version, by the items that they are on.
#[derive(Default)]
pub struct Gatekeepers<'d> {
    nodes: HashMap<Span, &'d Gate>,
    /// Members of enums, by the span of the type or of a field of that type.
    values: HashMap<(Span, Text), &'d Gate>,
}

impl<'d> Gatekeepers<'d> {
    /// Collects the gates of a version.
    pub fn of_version(draft: &'d Draft) -> Self {
        let mut all = Self::default();
        for ty in walk::gated_types([draft]) {
            all.add(ty);
        }
        all
    }

    fn add(&mut self, ty: &'d Type) {
        let members = walk::members(ty);
        if let Some(span) = ty.span {
            self.add_values(span, ty);
        }
        for variant in &members.variants {
            if let Some(gate) = &variant.gate {
                self.nodes.entry(variant.span).or_insert(gate);
            }
        }
        for (variant, field) in &members.fields {
            let outer = variant.and_then(|variant| variant.gate.as_ref());
            let gate = field.gate.as_ref().or(outer);
            if let Some(gate) = gate {
                self.nodes.entry(field.span).or_insert(gate);
            }
            let types = walk::types_of(field).flat_map(walk::named_types);
            for used in types {
                self.add_values(field.span, used);
                let flat = walk::members(used).fields;
                if let Some(gate) = gate.filter(|_| field.flatten) {
                    for (_, inner) in flat {
                        self.nodes.entry(inner.span).or_insert(gate);
                    }
                }
            }
        }
    }

    /// Adds the gated members of an enum, for a node at `span` of that type.
    fn add_values(&mut self, span: Span, ty: &'d Type) {
        let mut ty = ty;
        // A newtype has the schema of its field. Chains are short; the bound guards against cycles.
        for _ in 0..16 {
            match &ty.shape {
                Shape::Newtype(field) => ty = &field.ty,
                Shape::Enum(def) => {
                    for variant in &def.variants {
                        if let Some(gate) = &variant.gate {
                            self.values
                                .entry((span, variant.name.clone()))
                                .or_insert(gate);
                        }
                    }
                    return;
                }
                Shape::IntegerEnum(variants) => {
                    for variant in variants {
                        if let Some(gate) = &variant.gate {
                            let name = variant.value.to_string().into();
                            self.values.entry((span, name)).or_insert(gate);
                        }
                    }
                    return;
                }
                _ => return,
            }
        }
    }

    /// Returns the gate on the field or variant at that span.
    pub fn node(&self, span: Option<Span>) -> Option<&'d Gate> {
        self.nodes.get(&span?).copied()
    }

    /// Returns the gate on the enum member of that name, for the node at that span.
    pub fn value(&self, span: Option<Span>, name: &str) -> Option<&'d Gate> {
        self.values.get(&(span?, name.into())).copied()
    }

    /// Returns the gate whose attribute is at that span.
    pub fn gate_at(&self, attribute: Span) -> Option<&'d Gate> {
        let mut all = self.nodes.values().chain(self.values.values());
        all.find(|gate| gate.span == attribute).copied()
    }
}
