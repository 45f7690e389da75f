//! Drafts as kube-derive sees their types: it ignores gates and `#[crd(..)]`, so everything gated is present, and what only our
//! attributes set is absent.

use crd_channels_diagnostics::Text;
use crd_channels_schema::draft::{
    Conditional, Content, Draft, Enum, Facets, Field, IntegerVariant, Shape, SkippedVariant,
    Struct, Type, Variant,
};
use crd_channels_source::attrs::ContainerAttrs;
use std::collections::HashMap;
use std::sync::Arc;

/// Returns the draft as kube sees it; `attrs` are those of its type.
pub(crate) fn as_kube_sees(draft: &Draft, attrs: &ContainerAttrs) -> Draft {
    let kube = attrs.kube.as_ref();
    let pairs = |pairs: &[(Text, Text)]| pairs.iter().cloned().collect();
    let mut types = Types::default();
    Draft {
        gate: None,
        status_gate: None,
        list_kind: None,
        annotations: kube
            .map(|kube| pairs(&kube.annotations))
            .unwrap_or_default(),
        labels: kube.map(|kube| pairs(&kube.labels)).unwrap_or_default(),
        conversion: None,
        facets: Conditional {
            always: draft.facets.always.clone(),
            when: Vec::new(),
        },
        deprecated_in: None,
        removed_in: None,
        replaced_by: None,
        root: draft.root.as_ref().map(|root| types.root(root)),
        ..draft.clone()
    }
}

/// Finished types, by the address of the original type, which stays alive so that no other gets its address.
#[derive(Default)]
struct Types(HashMap<usize, (Arc<Type>, Arc<Type>)>);

impl Types {
    /// Converts the root. Its own fields have no defaults except those of `#[crd(default(..))]`.
    fn root(&mut self, root: &Arc<Type>) -> Arc<Type> {
        let root = self.ty(root);
        let mut root = Type::clone(&root);
        if let Shape::Struct(body) = &mut root.shape {
            for field in &mut body.fields {
                field.default = None;
                field.optional = matches!(field.ty.shape, Shape::Option(_));
            }
        }
        Arc::new(root)
    }

    fn ty(&mut self, ty: &Arc<Type>) -> Arc<Type> {
        let place = Arc::as_ptr(ty) as usize;
        if let Some((_, done)) = self.0.get(&place) {
            return Arc::clone(done);
        }
        let done = Arc::new(Type {
            name: ty.name.clone(),
            span: ty.span,
            gate: None,
            shape: self.shape(&ty.shape),
            well_known: ty.well_known,
            facets: facets(&ty.facets),
            tombstones: Vec::new(),
            gated: false,
            nodes: ty.nodes,
        });
        self.0.insert(place, (Arc::clone(ty), Arc::clone(&done)));
        done
    }

    fn shape(&mut self, shape: &Shape) -> Shape {
        match shape {
            Shape::Any | Shape::Unit | Shape::Scalar(_) => shape.clone(),
            Shape::Option(inner) => Shape::Option(self.ty(inner)),
            Shape::List {
                items,
                unique,
                length,
            } => Shape::List {
                items: self.ty(items),
                unique: *unique,
                length: *length,
            },
            Shape::Map { key, value } => Shape::Map {
                key: self.ty(key),
                value: self.ty(value),
            },
            Shape::Struct(body) => Shape::Struct(self.body(body)),
            Shape::Newtype(only) => Shape::Newtype(Box::new(self.field(only))),
            Shape::Tuple(fields) => Shape::Tuple(self.fields(fields)),
            Shape::Enum(Enum {
                tagging,
                variants,
                skipped,
                deny_unknown,
            }) => Shape::Enum(Enum {
                tagging: tagging.clone(),
                variants: variants
                    .iter()
                    .map(|variant| self.variant(variant))
                    .collect(),
                skipped: skipped
                    .iter()
                    .map(|variant| SkippedVariant {
                        gate: None,
                        ..variant.clone()
                    })
                    .collect(),
                deny_unknown: *deny_unknown,
            }),
            Shape::IntegerEnum(variants) => {
                let variants = variants.iter().map(|variant| IntegerVariant {
                    gate: None,
                    ..variant.clone()
                });
                Shape::IntegerEnum(variants.collect())
            }
            Shape::Literal(literal) => {
                let plain = literal.with_types(&mut |ty| Some(self.ty(ty)));
                Shape::Literal(plain.unwrap_or_else(|| literal.clone()))
            }
        }
    }

    fn body(&mut self, body: &Struct) -> Struct {
        Struct {
            fields: self.fields(&body.fields),
            deny_unknown: body.deny_unknown,
        }
    }

    fn fields(&mut self, fields: &[Field]) -> Vec<Field> {
        fields.iter().map(|field| self.field(field)).collect()
    }

    fn field(&mut self, field: &Field) -> Field {
        Field {
            gate: None,
            ty: self.ty(&field.ty),
            facets: facets(&field.facets),
            nullable: false,
            ..field.clone()
        }
    }

    fn variant(&mut self, variant: &Variant) -> Variant {
        Variant {
            gate: None,
            facets: facets(&variant.facets),
            content: match &variant.content {
                Content::Unit => Content::Unit,
                Content::Newtype(only) => Content::Newtype(Box::new(self.field(only))),
                Content::Tuple(fields) => Content::Tuple(self.fields(fields)),
                Content::Struct(body) => Content::Struct(self.body(body)),
                Content::With(ty) => Content::With(self.ty(ty)),
            },
            ..variant.clone()
        }
    }
}

fn facets(facets: &Conditional<Facets>) -> Conditional<Facets> {
    let mut always = facets.always.clone();
    always.marks = None;
    Conditional {
        always,
        when: Vec::new(),
    }
}
