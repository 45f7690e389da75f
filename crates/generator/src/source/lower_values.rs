//! Constants, functions and `impl` blocks: the items that hold values.

#![expect(
    clippy::collapsible_match,
    reason = "an arm says what the member is, the condition below it whether it is there"
)]

use super::lower_items::Lowering;
use super::lower_syn::{block, bounds, expr, generics, name, parameter, path, ty};
use super::readable::is_readable;
use super::tree::{ConstDef, FnDef, ImplDef, Item, MacroUse};
use crate::Text;
use crate::diag::Span;
use std::sync::Arc;

impl Lowering<'_> {
    pub(super) fn constant(
        &self,
        ident: &syn::Ident,
        ty: &syn::Type,
        value: &syn::Expr,
        macros: Vec<MacroUse>,
    ) -> Item {
        Item::Const(Arc::new(self.constant_def(ident, ty, value, macros)))
    }

    fn constant_def(
        &self,
        ident: &syn::Ident,
        of: &syn::Type,
        value: &syn::Expr,
        macros: Vec<MacroUse>,
    ) -> ConstDef {
        ConstDef {
            name: name(ident),
            span: self.span(ident.span()),
            ty: ty(self.file, of),
            value: expr(self.file, value),
            macros,
        }
    }

    /// The items in the block that is a constant's value.
    pub(super) fn items_in(&mut self, constant: &Text, value: &mut syn::Expr) {
        if let syn::Expr::Block(block) = value {
            self.inside(constant, &mut block.block);
        }
    }

    pub(super) fn function(
        &mut self,
        signature: &syn::Signature,
        body: &mut syn::Block,
        macros: Vec<MacroUse>,
    ) -> FnDef {
        self.statements(body);
        let name = name(&signature.ident);
        FnDef {
            inside: self.inside(&name, body),
            name,
            span: self.span(signature.ident.span()),
            generics: generics(&signature.generics),
            params: signature
                .inputs
                .iter()
                .map(|input| match input {
                    syn::FnArg::Receiver(_) => Text::from("self"),
                    syn::FnArg::Typed(typed) => parameter(&typed.pat),
                })
                .collect(),
            param_types: signature
                .inputs
                .iter()
                .map(|input| match input {
                    syn::FnArg::Receiver(_) => None,
                    syn::FnArg::Typed(typed) => Some(ty(self.file, &typed.ty)),
                })
                .collect(),
            returns: match &signature.output {
                syn::ReturnType::Default => None,
                syn::ReturnType::Type(_, returned) => Some(ty(self.file, returned)),
            },
            body: block(self.file, body),
            macros,
        }
    }

    /// Constants of any impl; functions of inherent ones and of the traits whose bodies are read.
    pub(super) fn implementation(&mut self, mut item: syn::ItemImpl) -> Option<Item> {
        if item.modifiers.polarity.is_some() {
            return None;
        }
        let of = item.trait_.as_ref().map(|(of, _)| of);
        let last = of.and_then(|of| of.segments.last());
        let is = |name: &str| last.is_some_and(|last| last.ident == name);
        let read =
            is("JsonSchema") || is("JsonSchemaAs") || is("Default") || is("From") || is("FromStr");
        // Of these only what writes, with a value as `self`.
        let writes = match (is("Serialize"), is("Display")) {
            (true, _) => Some("serialize"),
            (_, true) => Some("fmt"),
            _ => None,
        };
        let noted = read || writes.is_some();
        if !self.present(&mut item.attrs, read, Text::default) {
            return None;
        }
        let marks = item.trait_.is_some() && item.items.is_empty();
        let (mut fns, mut consts, mut types) = (Vec::new(), Vec::new(), Vec::new());
        for member in &mut item.items {
            match member {
                syn::ImplItem::Fn(member) => {
                    // Of other traits' functions only those that take nothing: they may give defaults.
                    let read = read || item.trait_.is_none() || member.sig.inputs.is_empty();
                    let wanted = read && is_readable(&member.sig);
                    if !self.present(&mut member.attrs, false, || name(&member.sig.ident)) {
                        continue;
                    }
                    if wanted || writes.is_some_and(|name| member.sig.ident == name) {
                        let macros = self.macros(&member.attrs);
                        fns.push(self.function(&member.sig, &mut member.block, macros));
                    } else {
                        self.inside(&name(&member.sig.ident), &mut member.block);
                    }
                }
                syn::ImplItem::Const(member) => {
                    if self.present(&mut member.attrs, false, || name(&member.ident)) {
                        let macros = self.macros(&member.attrs);
                        consts.push(self.constant_def(
                            &member.ident,
                            &member.ty,
                            &member.expr,
                            macros,
                        ));
                    }
                }
                syn::ImplItem::Type(member) => {
                    if self.present(&mut member.attrs, false, || name(&member.ident)) {
                        types.push((name(&member.ident), ty(self.file, &member.ty)));
                    }
                }
                _ => {}
            }
        }
        if !noted && !marks && fns.is_empty() && consts.is_empty() && types.is_empty() {
            return None;
        }
        let for_ = ty(self.file, &item.self_ty);
        let start = self.span(item.impl_token.span);
        Some(Item::Impl(Arc::new(ImplDef {
            generics: generics(&item.generics),
            bounds: bounds(self.file, &item.generics),
            of: item.trait_.as_ref().map(|(of, _)| path(self.file, of)),
            span: Span {
                end: for_.span.end,
                ..start
            },
            for_,
            fns,
            consts,
            types,
            macros: self.macros(&item.attrs),
        })))
    }
}
