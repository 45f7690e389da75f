//! From a draft and a selection of features to the schema of one channel, under either convention.

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
pub use conditions::flowing;
pub use convention::Convention;
pub use selection::{Overlay, Selection};

use context::Context;
use crd_channels_diagnostics::Sink;
use crd_channels_schema::draft::{Draft, Field, Shape, Type};
use crd_channels_schema::{Keys, Schema};
use raw::Raw;
use std::sync::Arc;

/// Renders types under one convention and one selection. Cheap to make; what it has finished stays in the [`Cache`].
#[derive(Debug)]
pub struct Renderer<'a> {
    convention: Convention,
    selection: Selection<'a>,
    selected: u32,
    /// Whether what attributes and edits write over a type's schema is left out.
    bare: bool,
    cache: &'a Cache,
}

impl<'a> Renderer<'a> {
    /// A renderer that shares what others have finished through `cache`.
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

    /// A renderer of what the types say by themselves: without `extend`, transforms and edits of their schemas. Nobody
    /// publishes that; it tells what a gate takes away where something else is written over it.
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

    /// The schema of one version. None when the draft has no root (`#[kube(schema = "disabled")]`).
    ///
    /// Nodes whose gate does not hold are not there. What cannot be expressed is reported, and a schema without it comes
    /// back, so that all findings come at once.
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

    /// The finished schema of a type, without anything that the place of its use adds.
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

    /// The same to be changed by the place of its use.
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

    /// The type whose schema a field has; among types alone the one that it is declared with.
    fn type_itself<'f>(&self, field: &'f Field) -> &'f Arc<Type> {
        let declared = field.declared.as_ref().filter(|_| self.bare);
        declared.unwrap_or(&field.ty)
    }

    /// What the keys of a map are, where a gate decides about them.
    fn keys(&self, key: &Arc<Type>, context: &Context<'_>) -> Keys {
        if !key.gated {
            return Keys::default();
        }
        // What is wrong with them is said where the map is looked at.
        let mut unheard = Sink::default();
        let Context { span, depth, .. } = *context;
        let mut context = Context {
            sink: &mut unheard,
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
            // Of types without gates nothing is asked that differs.
            bare: self.bare && ty.gated,
        }
    }

    /// A type's schema before anything is done to it; kept for types that several places use.
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

/// Whether several places use a type. It decides what is kept, never what comes out.
fn is_shared(ty: &Arc<Type>) -> bool {
    Arc::strong_count(ty) > 1
}

/// Whether looking a type up is cheaper than rendering it again.
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
