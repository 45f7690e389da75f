//! `#[crd(..)]`, with spans in the file.

use super::reader::{Reader, text_of};
use crate::attrs::CrdAttrs;
use crate::lower_syn;
use crate::tree;
use crd_channels_diagnostics::{Span, Spanned, Text};
use crd_channels_markers::{Convert, Extent, NodeAttrs};
use syn::LitStr;

impl Convert for Reader<'_> {
    type Text = Spanned<Text>;
    type Expr = tree::Expr;
    type Path = tree::Path;
    type Span = Span;

    fn text(&self, literal: &LitStr) -> Spanned<Text> {
        Spanned {
            value: text_of(literal),
            span: self.place(Extent::of(literal)),
        }
    }

    fn expr(&self, expr: &syn::Expr) -> tree::Expr {
        lower_syn::expr(self.file, expr)
    }

    fn path(&self, path: &syn::Path) -> tree::Path {
        lower_syn::path(self.file, path)
    }

    fn span(&self, extent: Extent) -> Span {
        self.place(extent)
    }
}

/// The `#[crd(..)]` of a node, unless it is empty.
pub(super) fn crd(node: &NodeAttrs, reader: &Reader<'_>) -> Option<Box<Spanned<CrdAttrs>>> {
    let span = reader.place(node.first?);
    let value = node.crd.convert(reader);
    (value != CrdAttrs::default()).then(|| Box::new(Spanned { value, span }))
}
