//! `#[crd(..)]`: what it says of a kind, and of a schema node.

use super::reader::{Reader, text};
use crate::attrs::{CrdAttrs, LintAttr, MarkAttrs, Spanned, UnionAttr};
use crate::lower_syn::{expr, path};
use crd_channels_diagnostics::Text;
use crd_channels_markers::{self as markers, Crd, Extent, Marks};
use syn::LitStr;

/// The marks of a kind.
pub(super) fn crd(crd: &Crd, reader: &Reader<'_>) -> CrdAttrs {
    let Crd {
        conversion,
        deprecated_in,
        removed_in,
        replaced_by,
        list_kind,
        annotations,
        labels,
        spec_default,
        status_default,
        nullable: _,
        marks: _,
    } = crd;
    let value = |value: &Option<syn::Expr>| value.as_ref().map(|value| expr(reader.file, value));
    let pairs = |pairs: &[(LitStr, LitStr)]| {
        let pairs = pairs.iter().map(|(key, value)| (text(key), text(value)));
        pairs.collect()
    };
    CrdAttrs {
        conversion: spanned(conversion.as_ref(), reader),
        deprecated_in: spanned(deprecated_in.as_ref(), reader),
        removed_in: spanned(removed_in.as_ref(), reader),
        replaced_by: spanned(replaced_by.as_ref(), reader),
        list_kind: list_kind.as_ref().map(text),
        annotations: pairs(annotations),
        labels: pairs(labels),
        spec_default: value(spec_default),
        status_default: value(status_default),
    }
}

/// The marks of a schema node. `first` is the node's first attribute of ours.
pub(super) fn marks(marks: &Marks, first: Option<Extent>, reader: &Reader<'_>) -> MarkAttrs {
    let Marks {
        title,
        example,
        docs_url,
        docs_description,
        list_type,
        list_map_keys,
        map_type,
        struct_type,
        immutable,
        embedded_resource,
        embedded_metadata,
        conditions,
        unions,
        levels,
        inner,
    } = marks;
    let plain = |value: &Option<LitStr>| value.as_ref().map(text);
    let place = |extent: Option<Extent>| extent.map(|extent| reader.place(extent));
    let found = MarkAttrs {
        title: plain(title),
        example: example.as_ref().map(|value| expr(reader.file, value)),
        docs_url: plain(docs_url),
        docs_description: plain(docs_description),
        list_type: spanned(list_type.as_ref(), reader),
        list_map_keys: list_map_keys.iter().map(text).collect(),
        map_type: spanned(map_type.as_ref(), reader),
        struct_type: spanned(struct_type.as_ref(), reader),
        immutable: place(*immutable),
        embedded_resource: place(*embedded_resource),
        embedded_metadata: place(*embedded_metadata),
        conditions: conditions.as_ref().map(|of| path(reader.file, of)),
        unions: unions
            .iter()
            .map(|union| union_attr(union, reader))
            .collect(),
        levels: levels
            .iter()
            .map(|set| LintAttr {
                code: set.code,
                level: set.level,
                span: reader.place(set.extent),
            })
            .collect(),
        inner: inner
            .as_ref()
            .map(|inner| Box::new(self::marks(inner, first, reader))),
        place: None,
    };
    // A node without marks has no place either, so that it equals the default.
    let says = found != MarkAttrs::default();
    MarkAttrs {
        place: place(first).filter(|_| says),
        ..found
    }
}

fn union_attr(union: &markers::Union, reader: &Reader<'_>) -> UnionAttr {
    let markers::Union {
        count,
        fields,
        extent,
    } = union;
    UnionAttr {
        count: *count,
        fields: fields
            .iter()
            .filter_map(|field| spanned(Some(field), reader))
            .collect(),
        span: reader.place(*extent),
    }
}

fn spanned(literal: Option<&LitStr>, reader: &Reader<'_>) -> Option<Spanned<Text>> {
    literal.map(|literal| Spanned {
        value: text(literal),
        span: reader.place(Extent::of(literal)),
    })
}
