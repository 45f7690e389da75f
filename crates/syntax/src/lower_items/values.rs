//! Constants, functions and `impl` blocks: the items that contain values.

#![expect(
    clippy::collapsible_match,
    reason = "an arm says what the member is, the condition below it whether it is there"
)]

use super::lowering::Lowering;
use super::readable::is_readable;
use crate::cfg::Report;
use crate::lower_syn::{block, bounds, expr, generics, name, parameter, path, pattern, ty};
use crate::tree::{
    ConstDef, Expr, FnDef, ImplDef, Item, MacroUse, Path, Pattern, Receiver, TraitDef,
};
use crd_channels_diagnostics::{FileId, Span, Text};
use std::sync::Arc;
use syn::punctuated::Punctuated;

impl Lowering<'_> {
    pub(crate) fn constant(
        &self,
        ident: &syn::Ident,
        ty: &syn::Type,
        (value, undecided): (&syn::Expr, Option<Expr>),
        macros: Vec<MacroUse>,
    ) -> Item {
        let mut constant = self.constant_def(ident, ty, value, macros);
        constant.value = undecided.unwrap_or(constant.value);
        Item::Const(Arc::new(constant))
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

    /// Moves out the items in the block of `const _`; in other constants they belong to the value.
    pub(crate) fn items_in(&mut self, constant: &Text, value: &mut syn::Expr) {
        if let syn::Expr::Block(block) = value
            && &**constant == "_"
        {
            self.inside(constant, &mut block.block);
        }
    }

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
            span: self.span(signature.ident.span()),
            generics: generics(&signature.generics),
            bounds: bounds(self.file, &signature.generics),
            receiver: signature.receiver().map(receiver),
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

    /// Lowers a trait with its provided members.
    pub(crate) fn trait_definition(&mut self, mut item: syn::ItemTrait) -> TraitDef {
        let (mut fns, mut consts) = (Vec::new(), Vec::new());
        let (mut required, mut const_names) = (Vec::new(), Vec::new());
        let (mut receivers, mut types) = (Vec::new(), Vec::new());
        for member in &mut item.items {
            match member {
                syn::TraitItem::Fn(member) => {
                    if !self.present(&mut member.attrs, Report::Attributes, || {
                        name(&member.sig.ident)
                    }) {
                        continue;
                    }
                    match &mut member.default {
                        Some(body) if is_readable(&member.sig) => {
                            let macros = self.macros(&member.attrs);
                            let function = self.function(&member.sig, body, macros);
                            fns.push(function);
                        }
                        _ => {
                            let of = member.sig.receiver().map(receiver);
                            receivers.push((name(&member.sig.ident), of));
                            required.push(name(&member.sig.ident));
                        }
                    }
                }
                syn::TraitItem::Const(member) => {
                    if self.present(&mut member.attrs, Report::Attributes, || {
                        name(&member.ident)
                    }) {
                        const_names.push(name(&member.ident));
                        if let Some((_, value)) = &member.default {
                            let macros = self.macros(&member.attrs);
                            let constant =
                                self.constant_def(&member.ident, &member.ty, value, macros);
                            consts.push(constant);
                        }
                    }
                }
                syn::TraitItem::Type(member) => {
                    if self.present(&mut member.attrs, Report::Attributes, || {
                        name(&member.ident)
                    }) {
                        let bounds = traits(self.file, &member.bounds).collect();
                        types.push((name(&member.ident), bounds));
                    }
                }
                _ => {}
            }
        }
        let clauses = item.generics.where_clause.iter();
        let of_self = clauses
            .flat_map(|clause| &clause.predicates)
            .filter_map(|predicate| match predicate {
                syn::WherePredicate::Type(of) => match &of.bounded_ty {
                    syn::Type::Path(path) if path.path.is_ident("Self") => Some(&of.bounds),
                    _ => None,
                },
                _ => None,
            });
        let bounds = std::iter::once(&item.supertraits).chain(of_self);
        let supers = bounds.flat_map(|bounds| traits(self.file, bounds));
        TraitDef {
            name: name(&item.ident),
            generics: generics(&item.generics),
            supers: supers.collect(),
            required,
            receivers,
            fns,
            consts,
            const_names,
            types,
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
        let noted = [
            "JsonSchema",
            "JsonSchemaAs",
            "Default",
            "From",
            "FromStr",
            "Serialize",
            "Display",
        ]
        .into_iter()
        .any(is);
        // Associated types are looked up in blocks that either exist or do not.
        let as_one = |member: &syn::ImplItem| matches!(member, syn::ImplItem::Type(_));
        let report = if noted {
            Report::IfStrict
        } else {
            Report::Attributes
        };
        let whole = if item.items.is_empty() || item.items.iter().any(as_one) {
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
        let (mut fns, mut consts, mut types) = (Vec::new(), Vec::new(), Vec::new());
        let mut unread = Vec::new();
        for member in &mut item.items {
            match member {
                syn::ImplItem::Fn(member) => {
                    let Some(undecided) = self.standing(&mut member.attrs) else {
                        continue;
                    };
                    if is_readable(&member.sig) && !skipped {
                        let macros = self.macros(&member.attrs);
                        let function = self.function(&member.sig, &mut member.block, macros);
                        fns.push(or_undecided(function, whole.clone().or(undecided)));
                    } else {
                        self.inside(&name(&member.sig.ident), &mut member.block);
                        unread.push(name(&member.sig.ident));
                    }
                }
                syn::ImplItem::Const(member) => {
                    if let Some(undecided) = self.standing(&mut member.attrs) {
                        let macros = self.macros(&member.attrs);
                        let mut of =
                            self.constant_def(&member.ident, &member.ty, &member.expr, macros);
                        of.value = whole.clone().or(undecided).unwrap_or(of.value);
                        consts.push(of);
                    }
                }
                syn::ImplItem::Type(member) => {
                    if self.present(&mut member.attrs, Report::Attributes, || {
                        name(&member.ident)
                    }) {
                        types.push((name(&member.ident), ty(self.file, &member.ty)));
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
            types,
            unread,
            macros: self.macros(&item.attrs),
        })))
    }
}

/// The traits among bounds.
fn traits(
    file: FileId,
    bounds: &Punctuated<syn::TypeParamBound, syn::Token![+]>,
) -> impl Iterator<Item = Path> {
    bounds.iter().filter_map(move |bound| match bound {
        syn::TypeParamBound::Trait(bound) => Some(path(file, &bound.path)),
        _ => None,
    })
}

/// How a function takes `self`.
fn receiver(receiver: &syn::Receiver) -> Receiver {
    match &receiver.kind {
        syn::ReceiverKind::Value => Receiver::Value,
        syn::ReceiverKind::Reference(_, _, None) => Receiver::Shared,
        syn::ReceiverKind::Reference(_, _, Some(_)) => Receiver::Mutable,
        _ => Receiver::Other,
    }
}

/// Replaces the body of a function by an unknown cfg, if there is one.
pub(crate) fn or_undecided(mut function: FnDef, undecided: Option<Expr>) -> FnDef {
    function.body = undecided.unwrap_or(function.body);
    function
}
