//! Renders a draft for a selection of features to a schema, under either convention.

mod convention;
mod selection;
mod cache;
mod common;
mod context;
mod keywords;
mod marks;
mod conditions;
mod text;
mod scalars;
mod raw;
mod kube;
mod kubernetes;
#[cfg(test)]
mod tests;

pub use cache::Cache;
pub use conditions::{ChannelCondition, conditions_in, flowing};
pub use convention::{Choices, Convention};
pub use selection::{Overlay, Selection};

use context::Context;
use crd_channels_diagnostics::Sink;
use crd_channels_schema::draft::{Draft, Field, Shape, Type};
use crd_channels_schema::{Keys, Schema};
use raw::Raw;
use std::sync::Arc;

/// The message about an enum whose variants are all gated off. The channel is appended.
pub(crate) const NO_VARIANTS_LEFT: &str = "this enum has no variants left";

/// Renders types under one convention and one selection. It is cheap to create; finished schemas are kept in the [`Cache`].
#[derive(Debug)]
pub struct Renderer<'a> {
    convention: Convention,
    selection: Selection<'a>,
    selected: u32,
    /// Whether attributes and edits that override a type's schema are ignored.
    bare: bool,
    cache: &'a Cache,
}

impl<'a> Renderer<'a> {
    /// Creates a renderer that shares finished schemas through `cache`.
    #[must_use]
    pub fn new(convention: Convention, selection: Selection<'a>, cache: &'a Cache) -> Self {
        Self {
            convention,
            selection,
            selected: cache.selection_id(selection),
            bare: false,
            cache,
        }
    }

    /// Creates a renderer of the types alone, without `extend`, transforms and edits of their schemas. Its schemas are not
    /// published; they show what a gate removes below an override.
    #[must_use]
    pub fn of_types_alone(
        convention: Convention,
        selection: Selection<'a>,
        cache: &'a Cache,
    ) -> Self {
        Self {
            bare: true,
            ..Self::new(convention, selection, cache)
        }
    }

    /// Returns the schema of one version, or `None` if the draft has no root (`#[kube(schema = "disabled")]`).
    ///
    /// Leaves out nodes whose gate does not hold. Reports what cannot be expressed and returns a schema without it, so that all
    /// findings are reported at once.
    pub fn root(&self, draft: &Draft, sink: &mut Sink) -> Option<Arc<Schema>> {
        let root = draft.root.as_ref()?;
        let facets = self.selection.resolve(&draft.facets);
        let mut context = Context::new(sink, root.span.or(Some(draft.span)));
        let schema = match self.convention {
            Convention::Kube => self.kube_root(draft, root, &facets, &mut context),
            Convention::Kubernetes => self.kubernetes_root(draft, root, &facets, &mut context),
        };
        Some(Arc::new(schema))
    }

    /// Returns the finished schema of a type, without anything that its place of use adds.
    fn schema(&self, ty: &Arc<Type>, context: &mut Context<'_>) -> Arc<Schema> {
        if !worth_keeping(ty) {
            return Arc::new(self.build(ty, context));
        }
        let key = self.key(ty);
        let Context { span, depth, .. } = *context;
        self.cache.schemas.get_or(key, ty, context.sink, |sink| {
            Arc::new(self.build(ty, &mut Context { sink, span, depth }))
        })
    }

    /// Returns an owned copy, which the place of use may change.
    fn own_schema(&self, ty: &Arc<Type>, context: &mut Context<'_>) -> Schema {
        if worth_keeping(ty) && is_shared(ty) {
            Schema::clone(&self.schema(ty, context))
        } else {
            self.build(ty, context)
        }
    }

    fn build(&self, ty: &Arc<Type>, context: &mut Context<'_>) -> Schema {
        match self.convention {
            Convention::Kube => {
                let raw = self.kube_raw(ty, context);
                match context.inside(ty.span) {
                    Some(mut context) => self.finish(raw, &mut context).schema,
                    None => Schema::default(),
                }
            }
            Convention::Kubernetes => self.kubernetes(ty, context),
        }
    }

    /// Returns the type whose schema a field has; without overrides, the one that it is declared with.
    fn type_itself<'f>(&self, field: &'f Field) -> &'f Arc<Type> {
        let declared = field.declared.as_ref().filter(|_| self.bare);
        declared.unwrap_or(&field.ty)
    }

    /// Returns the keys of a map if a gate decides about them.
    fn keys(&self, key: &Arc<Type>, context: &Context<'_>) -> Keys {
        if !key.gated {
            return Keys::default();
        }
        // Findings about keys are reported where the map is rendered.
        let mut discarded = Sink::default();
        let Context { span, depth, .. } = *context;
        let mut context = Context {
            sink: &mut discarded,
            span,
            depth,
        };
        Keys(Some(self.schema(key, &mut context)))
    }

    fn key(&self, ty: &Arc<Type>) -> cache::Key {
        cache::Key {
            address: Arc::as_ptr(ty) as usize,
            selection: if ty.gated { self.selected } else { 0 },
            convention: self.convention,
            // Types without gates have the same schema either way.
            bare: self.bare && ty.gated,
        }
    }

    /// Renders a type's schema before the passes; caches it for types used in several places.
    fn raw(&self, ty: &Arc<Type>, context: &mut Context<'_>) -> Raw {
        if !(worth_keeping(ty) && is_shared(ty)) {
            return self.kube_raw(ty, context);
        }
        let key = self.key(ty);
        let Context { span, depth, .. } = *context;
        let raw = self.cache.raws.get_or(key, ty, context.sink, |sink| {
            Arc::new(self.kube_raw(ty, &mut Context { sink, span, depth }))
        });
        Raw::clone(&raw)
    }
}

/// Returns true if several places use a type. This decides only about caching, never about the result.
fn is_shared(ty: &Arc<Type>) -> bool {
    Arc::strong_count(ty) > 1
}

/// Returns true if looking a type up is cheaper than rendering it again.
fn worth_keeping(ty: &Type) -> bool {
    match ty.shape {
        Shape::Struct(_) | Shape::Enum(_) | Shape::Newtype(_) | Shape::Literal(_) => true,
        Shape::Any
        | Shape::Unit
        | Shape::Scalar(_)
        | Shape::Option(_)
        | Shape::List { .. }
        | Shape::Map { .. }
        | Shape::Tuple(_)
        | Shape::IntegerEnum(_) => false,
    }
}
