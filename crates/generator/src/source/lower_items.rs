//! From syn's items to ours: `cfg` decided, and only what a path can lead to kept.

#![expect(
    clippy::collapsible_match,
    reason = "an arm says what the item is, the condition below it whether it is there"
)]

use super::cfg::{Hidden, Presence, Scope};
use super::educe;
use super::fragment;
use super::includes::Includes;
use super::lower_syn::{
    block, bounds, expr, generics, name, parameter, path, pattern, span, tokens, ty, uses,
};
use super::read_attrs::read_type;
use super::readable::is_readable;
use super::strum;
use super::tree::{
    AliasDef, ConstDef, Expr, ExprKind, FnDef, ImplDef, Item, MacroDef, ModDef, Path, Pattern,
    Receiver, Segment, TraitDef, UseDef,
};
use super::versioned;
use crate::Text;
use crate::diag::{FileId, Sink, Span};
use std::sync::Arc;
use syn::punctuated::{Pair, Punctuated};
use syn::{Attribute, Meta};

/// Lowers the items of one file.
pub(super) struct Lowering<'a> {
    file: FileId,
    scope: &'a Scope<'a>,
    includes: Option<&'a Includes<'a>>,
    sink: &'a mut Sink,
    hidden: Vec<Hidden>,
    /// The items inside the bodies of the functions of the current item.
    pub(super) bodies: Vec<Item>,
}

impl<'a> Lowering<'a> {
    /// Starts on a file.
    pub(super) fn new(
        file: FileId,
        scope: &'a Scope<'a>,
        includes: Option<&'a Includes<'a>>,
        sink: &'a mut Sink,
    ) -> Self {
        Self {
            file,
            scope,
            includes,
            sink,
            hidden: Vec::new(),
            bodies: Vec::new(),
        }
    }

    /// The items of a whole file, and what unknown predicates took away.
    pub(super) fn file(mut self, mut file: syn::File) -> (Vec<Item>, Vec<Hidden>) {
        let present = self.present(&mut file.attrs, true, || Text::from("*"));
        let items = if present {
            self.items(file.items)
        } else {
            Vec::new()
        };
        (items, self.hidden)
    }

    pub(super) fn items(&mut self, items: Vec<syn::Item>) -> Vec<Item> {
        let mut lowered = Vec::with_capacity(items.len());
        for item in items {
            self.item(item, &mut lowered);
            lowered.append(&mut self.bodies);
        }
        lowered
    }

    fn item(&mut self, item: syn::Item, into: &mut Vec<Item>) {
        if let Some(versions) = versioned::expanded(&item) {
            for version in versions {
                self.item(version, into);
            }
            return;
        }
        match item {
            syn::Item::Struct(item) => self.structure(item, into),
            syn::Item::Enum(item) => self.enumeration(item, into),
            syn::Item::Type(mut item) => {
                if self.present(&mut item.attrs, false, || name(&item.ident)) {
                    into.push(Item::Alias(Arc::new(AliasDef {
                        name: name(&item.ident),
                        span: self.span(item.ident.span()),
                        generics: generics(&item.generics),
                        ty: ty(self.file, &item.ty),
                    })));
                }
            }
            syn::Item::Const(mut item) => {
                if item.ident != "_" {
                    into.extend(self.constant(&mut item.attrs, &item.ident, &item.ty, &item.expr));
                }
            }
            syn::Item::Static(mut item) => {
                into.extend(self.constant(&mut item.attrs, &item.ident, &item.ty, &item.expr));
            }
            syn::Item::Fn(mut item) => {
                if is_readable(&item.sig)
                    && let Some(undecided) = self.standing(&mut item.attrs)
                {
                    let function = self.function(&item.sig, &mut item.block);
                    into.push(Item::Fn(Arc::new(or_undecided(function, undecided))));
                }
            }
            syn::Item::Trait(mut item) => {
                if self.present(&mut item.attrs, false, || name(&item.ident)) {
                    let definition = self.trait_definition(item);
                    into.push(Item::Trait(Arc::new(definition)));
                }
            }
            syn::Item::Impl(item) => into.extend(self.implementation(item)),
            syn::Item::Use(item) => self.use_item(item, into),
            syn::Item::ExternCrate(item) => into.extend(self.extern_crate(item)),
            syn::Item::Mod(item) => into.extend(self.module(item)),
            syn::Item::Macro(item) => match lazy_statics(&item) {
                Some(statics) => {
                    for mut of in statics {
                        into.extend(self.constant(&mut of.attrs, &of.ident, &of.ty, &of.expr));
                    }
                }
                None => into.extend(self.macro_item(item)),
            },
            _ => {}
        }
    }

    fn structure(&mut self, mut item: syn::ItemStruct, into: &mut Vec<Item>) {
        if !self.described(&mut item.attrs, || name(&item.ident)) {
            return;
        }
        let extents = self.fields(&mut item.fields);
        // As derives do, after what is not there has gone.
        let mut beside = fragment::beside(&item).unwrap_or_default();
        beside.extend(educe::default_of_struct(&item));
        let input = syn::DeriveInput {
            attrs: item.attrs,
            vis: item.vis,
            ident: item.ident,
            generics: item.generics,
            data: syn::Data::Struct(syn::DataStruct {
                struct_token: item.struct_token,
                fields: item.fields,
                semi_token: item.semi_token,
            }),
        };
        self.with_beside((input, vec![extents]), beside, into);
    }

    fn enumeration(&mut self, mut item: syn::ItemEnum, into: &mut Vec<Item>) {
        if !self.described(&mut item.attrs, || name(&item.ident)) {
            return;
        }
        let mut extents = Vec::with_capacity(item.variants.len());
        for pair in std::mem::take(&mut item.variants).into_pairs() {
            let (mut variant, comma) = pair.into_tuple();
            if self.described(&mut variant.attrs, || name(&variant.ident)) {
                extents.push(self.fields(&mut variant.fields));
                let comma = Some(comma.unwrap_or_default());
                item.variants.extend([Pair::new(variant, comma)]);
            }
        }
        let mut beside = strum::beside(&item);
        beside.extend(educe::default_of_enum(&item));
        let input = syn::DeriveInput {
            attrs: item.attrs,
            vis: item.vis,
            ident: item.ident,
            generics: item.generics,
            data: syn::Data::Enum(syn::DataEnum {
                enum_token: item.enum_token,
                brace_token: item.brace_token,
                variants: item.variants,
            }),
        };
        self.with_beside((input, extents), beside, into);
    }

    /// A type, and the items that its derives write beside it.
    fn with_beside(
        &mut self,
        (input, extents): (syn::DeriveInput, Vec<Vec<Span>>),
        beside: Vec<syn::Item>,
        into: &mut Vec<Item>,
    ) {
        let Some(def) = read_type(input, extents, self.file, self.sink) else {
            return;
        };
        into.push(Item::Type(Arc::new(def)));
        for item in beside {
            self.item(item, into);
        }
    }

    /// Takes away the fields that are not there, and says where the others stand.
    fn fields(&mut self, fields: &mut syn::Fields) -> Vec<Span> {
        let list = match fields {
            syn::Fields::Named(named) => &mut named.named,
            syn::Fields::Unnamed(unnamed) => &mut unnamed.unnamed,
            syn::Fields::Unit => return Vec::new(),
        };
        let mut extents = Vec::with_capacity(list.len());
        let mut kept = Punctuated::new();
        for pair in std::mem::take(list).into_pairs() {
            let (mut field, comma) = pair.into_tuple();
            let extent = self.extent(&field, comma.as_ref());
            let label = || field.ident.as_ref().map_or_else(Text::default, name);
            if self.described(&mut field.attrs, label) {
                extents.push(extent);
                kept.extend([Pair::new(field, Some(comma.unwrap_or_default()))]);
            }
        }
        *list = kept;
        extents
    }

    /// The whole field with its attributes, and the comma behind it if there is one.
    fn extent(&self, field: &syn::Field, comma: Option<&syn::Token![,]>) -> Span {
        let visibility = match &field.vis {
            syn::Visibility::Public(token) => Some(token.span),
            syn::Visibility::Restricted(restricted) => Some(restricted.pub_token.span),
            syn::Visibility::Inherited => None,
        };
        let first = field.attrs.first().map(|attr| attr.pound_token.span);
        let first = first.or(visibility);
        let first = first.or_else(|| field.ident.as_ref().map(syn::Ident::span));
        let start = match first {
            Some(first) => self.span(first),
            None => ty(self.file, &field.ty).span,
        };
        let end = match comma {
            Some(comma) => self.span(comma.span).end,
            None => ty(self.file, &field.ty).span.end,
        };
        Span { end, ..start }
    }

    fn constant(
        &mut self,
        attrs: &mut Vec<Attribute>,
        ident: &syn::Ident,
        ty: &syn::Type,
        value: &syn::Expr,
    ) -> Option<Item> {
        let undecided = self.standing(attrs)?;
        let mut constant = self.constant_def(ident, ty, value);
        constant.value = undecided.unwrap_or(constant.value);
        Some(Item::Const(Arc::new(constant)))
    }

    fn constant_def(&self, ident: &syn::Ident, of: &syn::Type, value: &syn::Expr) -> ConstDef {
        ConstDef {
            name: name(ident),
            span: self.span(ident.span()),
            ty: ty(self.file, of),
            value: expr(self.file, value),
        }
    }

    fn function(&mut self, signature: &syn::Signature, body: &mut syn::Block) -> FnDef {
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
                    syn::FnArg::Receiver(_) => Pattern::Any,
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
        }
    }

    /// What a trait gives to those that have it.
    fn trait_definition(&mut self, mut item: syn::ItemTrait) -> TraitDef {
        let (mut fns, mut consts) = (Vec::new(), Vec::new());
        let (mut required, mut const_names) = (Vec::new(), Vec::new());
        let mut receivers = Vec::new();
        for member in &mut item.items {
            match member {
                syn::TraitItem::Fn(member) => {
                    if !self.present(&mut member.attrs, false, || name(&member.sig.ident)) {
                        continue;
                    }
                    match &mut member.default {
                        Some(body) if is_readable(&member.sig) => {
                            let function = self.function(&member.sig, body);
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
                    if self.present(&mut member.attrs, false, || name(&member.ident)) {
                        const_names.push(name(&member.ident));
                        if let Some((_, value)) = &member.default {
                            consts.push(self.constant_def(&member.ident, &member.ty, value));
                        }
                    }
                }
                _ => {}
            }
        }
        let supers = item.supertraits.iter().filter_map(|bound| match bound {
            syn::TypeParamBound::Trait(bound) => Some(path(self.file, &bound.path)),
            _ => None,
        });
        TraitDef {
            name: name(&item.ident),
            generics: generics(&item.generics),
            supers: supers.collect(),
            required,
            receivers,
            fns,
            consts,
            const_names,
        }
    }

    fn implementation(&mut self, mut item: syn::ItemImpl) -> Option<Item> {
        if item.modifiers.polarity.is_some() {
            return None;
        }
        let of = item.trait_.as_ref().map(|(of, _)| of);
        let last = of.and_then(|of| of.segments.last());
        let is = |name: &str| last.is_some_and(|last| last.ident == name);
        let noted = [
            "JsonSchema",
            "Default",
            "From",
            "FromStr",
            "Serialize",
            "Display",
        ]
        .into_iter()
        .any(is);
        // Types that stand for others are looked up by their blocks, which are there or not.
        let as_one = |member: &syn::ImplItem| matches!(member, syn::ImplItem::Type(_));
        let whole = if noted || item.items.is_empty() || item.items.iter().any(as_one) {
            let there = self.present(&mut item.attrs, noted, Text::default);
            there.then_some(None)?
        } else {
            self.standing(&mut item.attrs)?
        };
        // No default and no schema comes from these, and they are long.
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
                        let function = self.function(&member.sig, &mut member.block);
                        fns.push(or_undecided(function, whole.clone().or(undecided)));
                    } else {
                        unread.push(name(&member.sig.ident));
                    }
                }
                syn::ImplItem::Const(member) => {
                    if let Some(undecided) = self.standing(&mut member.attrs) {
                        let mut of = self.constant_def(&member.ident, &member.ty, &member.expr);
                        of.value = whole.clone().or(undecided).unwrap_or(of.value);
                        consts.push(of);
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
        })))
    }

    fn use_item(&mut self, mut item: syn::ItemUse, into: &mut Vec<Item>) {
        let start = self.span(item.use_token.span);
        let place = Span {
            end: self.span(item.semi_token.span).end,
            ..start
        };
        let first = into.len();
        for (path, name) in uses(place, &item) {
            into.push(Item::Use(Arc::new(UseDef {
                path,
                name,
                private: matches!(item.vis, syn::Visibility::Inherited),
                span: place,
            })));
        }
        // One cfg stands for all names of the item, so it is asked once and told of each.
        if let Some((cfg, at)) = match self.presence(&mut item.attrs, true) {
            Presence::Present => return,
            Presence::Absent => None,
            Presence::Undecided { cfg, span } => Some((cfg, span)),
        } {
            for item in into.iter().skip(first) {
                if let Item::Use(def) = item {
                    self.hidden.push(Hidden {
                        name: def.name.clone().unwrap_or_else(|| Text::from("*")),
                        cfg: cfg.clone(),
                        span: at,
                    });
                }
            }
        }
        into.truncate(first);
    }

    /// `extern crate a as b` is `use ::a as b`.
    fn extern_crate(&mut self, mut item: syn::ItemExternCrate) -> Option<Item> {
        let bound = item.rename.as_ref().map_or(&item.ident, |(_, to)| to);
        let bound = name(bound);
        if !self.present(&mut item.attrs, true, || bound.clone()) {
            return None;
        }
        let start = self.span(item.extern_token.span);
        let own = item.ident == "self";
        Some(Item::Use(Arc::new(UseDef {
            path: Path {
                leading: !own,
                segments: vec![Segment {
                    name: if own {
                        Text::from("crate")
                    } else {
                        name(&item.ident)
                    },
                    args: Vec::new(),
                }],
                span: self.span(item.ident.span()),
            },
            name: Some(bound),
            private: matches!(item.vis, syn::Visibility::Inherited),
            span: Span {
                end: self.span(item.semi_token.span).end,
                ..start
            },
        })))
    }

    fn module(&mut self, mut item: syn::ItemMod) -> Option<Item> {
        if !self.present(&mut item.attrs, true, || name(&item.ident)) {
            return None;
        }
        Some(Item::Mod(Arc::new(ModDef {
            name: name(&item.ident),
            span: self.span(item.ident.span()),
            path: item.attrs.iter().find_map(path_value),
            macro_use: item
                .attrs
                .iter()
                .any(|attr| attr.path().is_ident("macro_use")),
            inline: item.content.map(|(_, items)| self.items(items)),
            body: false,
        })))
    }

    /// Definitions and calls keep their tokens; calls are expanded where somebody needs what they make.
    fn macro_item(&mut self, mut item: syn::ItemMacro) -> Option<Item> {
        let called = path(self.file, &item.mac.path);
        if !self.present(&mut item.attrs, false, Text::default) {
            return None;
        }
        let defined = item.ident.as_ref().map(name);
        Some(Item::Macro(Arc::new(MacroDef {
            defines: defined.is_some(),
            tokens: tokens(self.file, item.mac.tokens),
            span: Span {
                end: self.span(item.mac.delimiter.span().close()).end,
                ..called.span
            },
            name: defined.unwrap_or_else(|| called.to_string().into()),
            path: called,
        })))
    }

    /// Whether something is there. What an unknown predicate takes away is remembered under its name.
    /// The same for what has documentation that a schema shows.
    fn described(&mut self, attrs: &mut Vec<Attribute>, name: impl FnOnce() -> Text) -> bool {
        let present = self.present(attrs, true, name);
        if let Some(includes) = self.includes.filter(|_| present) {
            includes.resolve(attrs, self.file, self.sink);
        }
        present
    }

    fn present(
        &mut self,
        attrs: &mut Vec<Attribute>,
        reported: bool,
        name: impl FnOnce() -> Text,
    ) -> bool {
        match self.presence(attrs, reported) {
            Presence::Present => true,
            Presence::Absent => false,
            Presence::Undecided { cfg, span } => {
                self.hidden.push(Hidden {
                    name: name(),
                    cfg,
                    span,
                });
                false
            }
        }
    }

    /// Whether something is there that is asked for its value; where nobody decides it, it is, and asking for the value
    /// tells the cfg.
    fn standing(&mut self, attrs: &mut Vec<Attribute>) -> Option<Option<Expr>> {
        match self.presence(attrs, false) {
            Presence::Present => Some(None),
            Presence::Absent => None,
            Presence::Undecided { cfg, span } => Some(Some(Expr {
                kind: ExprKind::Undecided(cfg),
                span,
            })),
        }
    }

    pub(super) fn presence(&mut self, attrs: &mut Vec<Attribute>, reported: bool) -> Presence {
        self.scope.resolve(attrs, self.file, reported, self.sink)
    }

    pub(super) fn span(&self, place: proc_macro2::Span) -> Span {
        span(self.file, place)
    }
}

/// A function whose body is known, or the cfg that decides whether it is this one.
fn or_undecided(mut function: FnDef, undecided: Option<Expr>) -> FnDef {
    function.body = undecided.unwrap_or(function.body);
    function
}

/// One item of `lazy_static!`.
struct LazyStatic {
    attrs: Vec<Attribute>,
    ident: syn::Ident,
    ty: syn::Type,
    expr: syn::Expr,
}

impl syn::parse::Parse for LazyStatic {
    fn parse(input: syn::parse::ParseStream<'_>) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        input.parse::<syn::Visibility>()?;
        input.parse::<syn::Token![static]>()?;
        input.parse::<syn::Token![ref]>()?;
        let ident = input.parse()?;
        input.parse::<syn::Token![:]>()?;
        let ty = input.parse()?;
        input.parse::<syn::Token![=]>()?;
        let expr = input.parse()?;
        input.parse::<syn::Token![;]>()?;
        Ok(Self {
            attrs,
            ident,
            ty,
            expr,
        })
    }
}

/// The statics in a `lazy_static!`, each of which is read as a plain one.
fn lazy_statics(item: &syn::ItemMacro) -> Option<Vec<LazyStatic>> {
    let last = item.mac.path.segments.last()?;
    (last.ident == "lazy_static").then_some(())?;
    let parse = |input: syn::parse::ParseStream<'_>| {
        let mut found = Vec::new();
        while !input.is_empty() {
            found.push(input.parse()?);
        }
        Ok(found)
    };
    item.mac.parse_body_with(parse).ok()
}

/// The value of `#[path = ".."]`.
fn path_value(attr: &Attribute) -> Option<Text> {
    let Meta::NameValue(pair) = &attr.meta else {
        return None;
    };
    let syn::Expr::Lit(syn::ExprLit {
        lit: syn::Lit::Str(value),
        ..
    }) = &pair.value
    else {
        return None;
    };
    pair.path
        .is_ident("path")
        .then(|| Text::from(value.value()))
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
