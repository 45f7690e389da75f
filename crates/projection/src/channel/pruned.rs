//! Reports fields whose type is Kubernetes' own metadata, all of which a server prunes under some conventions.

use super::{Kind, walk};
use crate::render::Convention;
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Sources};
use crd_channels_schema::draft::{Field, Shape, Type, WellKnown};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Reports the fields of a kind that lose their metadata.
pub fn check(kind: &Kind, convention: Convention, sources: &Sources, sink: &mut Sink) {
    if !convention.choices().prunes_metadata {
        return;
    }
    let mut seen = BTreeSet::new();
    let roots = kind.versions.iter().filter_map(|draft| draft.root.as_ref());
    // The type of a dependency cannot be changed, but the field that uses it.
    let mut open: Vec<(&Arc<Type>, Option<&Field>)> = roots.map(|root| (root, None)).collect();
    while let Some((ty, user)) = open.pop() {
        let file = ty.span.and_then(|span| sources.get(span.file));
        let user = user.filter(|_| file.is_some_and(|file| file.foreign));
        if !seen.insert((Arc::as_ptr(ty), user.map(|field| field.span))) {
            continue;
        }
        for (_, field) in walk::members(ty).fields {
            let marks = field.facets.always.marks.as_ref();
            if marks.is_some_and(|marks| !marks.metadata.is_empty()) {
                continue;
            }
            let place = user.unwrap_or(field);
            let inner = walk::named_types(&field.ty);
            if !field.flatten && inner.iter().any(|ty| is_metadata(ty)) {
                let message = format!(
                    "a server prunes everything in `{}`: `ObjectMeta` is an object without fields in the schema",
                    field.name
                );
                sink.push(
                    Diagnostic::new(Code::PrunedMetadata, place.span, message).with_help(format!(
                        "write `#[crd(embedded_metadata)]` on `{}`",
                        place.rust_name
                    )),
                );
            }
            open.extend(inner.into_iter().map(|ty| (ty, Some(place))));
        }
    }
}

/// Whether a type is Kubernetes' metadata, or a newtype of it.
fn is_metadata(ty: &Type) -> bool {
    let known = Some(WellKnown::ObjectMeta);
    match &ty.shape {
        Shape::Newtype(only) => only.ty.well_known == known,
        _ => ty.well_known == known,
    }
}
