//! Constants, functions and `impl` blocks: the items that contain values.

use super::lowering::{Lowering, visibility};
use super::readable::is_readable;
use crate::cfg::Report;
use crate::lower_syn::{
    block, bounds, constants, expr, generics, name, parameter, path, pattern, ty,
};
use crate::tree::{ConstDef, Expr, FnDef, ImplDef, Item, MacroUse, Pattern, TraitDef, Visibility};
use crd_channels_diagnostics::{Span, Text};
use std::sync::Arc;

impl Lowering<'_> {
    /// A constant that others see, as those of traits are.
    pub(crate) fn constant(
        &self,
        ident: &syn::Ident,
        of: &syn::Type,
        value: &syn::Expr,
        macros: Vec<MacroUse>,
    ) -> ConstDef {
        ConstDef {
            name: name(ident),
            visibility: Visibility::Public,
            span: self.span(ident.span()),
            ty: ty(self.file, of),
            value: expr(self.file, value),
            macros,
        }
    }

    /// Moves out the items in the block of `const _`; in other constants they belong to the value.
    pub(crate) fn items_in(&mut self, constant: &Text, value: &mut syn::Expr) {
        if let syn::Expr::Block(block) = value
            && &**constant == "_"
        {
            self.inside(constant, &mut block.block);
        }
    }

    /// A function that others see, as those of traits are.
    pub(crate) fn function(
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
            visibility: Visibility::Public,
            span: self.span(signature.ident.span()),
            generics: generics(&signature.generics),
            constants: constants(self.file, &signature.generics),
            bounds: bounds(self.file, &signature.generics),
            takes_self: signature.receiver().is_some(),
            patterns: signature
                .inputs
                .iter()
                .map(|input| match input {
                    syn::FnArg::Receiver(_) => Pattern::Other,
                    syn::FnArg::Typed(typed) => pattern(self.file, &typed.pat, 0),
                })
                .collect(),
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

    /// Lowers a trait to the names of its functions.
    pub(crate) fn trait_definition(&mut self, mut item: syn::ItemTrait) -> TraitDef {
        let mut functions = Vec::new();
        let mut members = item.items.iter();
        let has_unseen = members.any(|member| matches!(member, syn::TraitItem::Macro(_)));
        for member in &mut item.items {
            let syn::TraitItem::Fn(member) = member else {
                continue;
            };
            let called = name(&member.sig.ident);
            if self.present(&mut member.attrs, Report::Attributes, || called.clone()) {
                if let Some(body) = &mut member.default {
                    self.inside(&called, body);
                }
                functions.push(called);
            }
        }
        TraitDef {
            name: name(&item.ident),
            visibility: visibility(&item.vis),
            functions,
            has_unseen,
            macros: self.macros(&item.attrs),
        }
    }

    pub(crate) fn implementation(&mut self, mut item: syn::ItemImpl) -> Option<Item> {
        if item.modifiers.polarity.is_some() {
            return None;
        }
        let of = item.trait_.as_ref().map(|(of, _)| of);
        let last = of.and_then(|of| of.segments.last());
        let is = |name: &str| last.is_some_and(|last| last.ident == name);
        let noted = ["JsonSchema", "Default", "Serialize"].into_iter().any(is);
        let report = if noted {
            Report::IfStrict
        } else {
            Report::Attributes
        };
        let whole = if item.items.is_empty() {
            let there = self.present(&mut item.attrs, report, Text::default);
            there.then_some(None)?
        } else {
            self.standing_or(&mut item.attrs, report)?
        };
        // These are long, and no default or schema depends on them.
        let skipped = [
            "Deserialize",
            "Visitor",
            "DeepMerge",
            "Future",
            "Stream",
            "Drop",
        ]
        .into_iter()
        .any(is);
        let (mut fns, mut consts, mut unread) = (Vec::new(), Vec::new(), Vec::new());
        for member in &mut item.items {
            match member {
                syn::ImplItem::Fn(member) => {
                    let Some(undecided) = self.standing(&mut member.attrs) else {
                        continue;
                    };
                    if is_readable(&member.sig) && !skipped {
                        let macros = self.macros(&member.attrs);
                        let mut function = self.function(&member.sig, &mut member.block, macros);
                        if of.is_none() {
                            function.visibility = visibility(&member.vis);
                        }
                        fns.push(or_undecided(function, whole.clone().or(undecided)));
                    } else {
                        self.inside(&name(&member.sig.ident), &mut member.block);
                        unread.push(name(&member.sig.ident));
                    }
                }
                syn::ImplItem::Const(member) => {
                    if let Some(undecided) = self.standing(&mut member.attrs) {
                        let macros = self.macros(&member.attrs);
                        let mut constant =
                            self.constant(&member.ident, &member.ty, &member.expr, macros);
                        if of.is_none() {
                            constant.visibility = visibility(&member.vis);
                        }
                        let undecided = whole.clone().or(undecided);
                        constant.value = undecided.unwrap_or(constant.value);
                        consts.push(constant);
                    }
                }
                _ => {}
            }
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
            unread,
            macros: self.macros(&item.attrs),
        })))
    }
}

/// Replaces the body of a function by an unknown cfg, if there is one.
pub(crate) fn or_undecided(mut function: FnDef, undecided: Option<Expr>) -> FnDef {
    function.body = undecided.unwrap_or(function.body);
    function
}
