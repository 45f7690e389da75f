//! Structs and enums.

use super::lowering::Lowering;
use crate::cfg::Report;
use crate::derives;
use crate::lower_syn::{name, ty};
use crate::read_attrs::read_type;
use crate::tree::{Item, MacroUse, TypeDef};
use crd_channels_diagnostics::{Sink, Span};
use std::sync::Arc;
use syn::Attribute;
use syn::punctuated::{Pair, Punctuated};

impl Lowering<'_> {
    pub(super) fn structure(&mut self, mut item: syn::ItemStruct, into: &mut Vec<Item>) {
        let Some(outside) = self.begin(&mut item.attrs, &item.ident) else {
            return;
        };
        self.documented(&mut item.attrs);
        let macros = self.macros_of_fields(&mut item.attrs, &mut item.fields);
        let extents = self.fields(&mut item.fields);
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
        self.definition(input, vec![extents], macros, outside, into);
    }

    pub(super) fn enumeration(&mut self, mut item: syn::ItemEnum, into: &mut Vec<Item>) {
        let Some(outside) = self.begin(&mut item.attrs, &item.ident) else {
            return;
        };
        self.documented(&mut item.attrs);
        let macros = self.macros_of_variants(&mut item.attrs, &mut item.variants);
        let mut extents = Vec::with_capacity(item.variants.len());
        for pair in std::mem::take(&mut item.variants).into_pairs() {
            let (mut variant, comma) = pair.into_tuple();
            if self.described(&mut variant.attrs) {
                extents.push(self.fields(&mut variant.fields));
                let comma = Some(comma.unwrap_or_default());
                item.variants.extend([Pair::new(variant, comma)]);
            }
        }
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
        self.definition(input, extents, macros, outside, into);
    }

    /// Begins a type, whose own diagnostics are in the sink from now on; returns those reported before. `None` if it does not
    /// exist.
    fn begin(&mut self, attrs: &mut Vec<Attribute>, ident: &syn::Ident) -> Option<Sink> {
        self.calls.clear();
        let mut outside = std::mem::take(self.sink);
        let report = match self.scope.strict {
            true => Report::IfStrict,
            false => Report::Always,
        };
        let present = self.present(attrs, report, || name(ident));
        if self.scope.strict {
            outside.append(std::mem::take(self.sink));
        }
        if present {
            return Some(outside);
        }
        *self.sink = outside;
        None
    }

    /// A struct or an enum. Diagnostics about its attributes stay with it; `outside` are those reported before.
    fn definition(
        &mut self,
        input: syn::DeriveInput,
        extents: Vec<Vec<Span>>,
        mut macros: Vec<MacroUse>,
        outside: Sink,
        into: &mut Vec<Item>,
    ) {
        let derives = derives::derives(&input.attrs);
        let derived = derives::names(&derives).into_iter();
        let derived: Vec<String> = derived.map(|name| self.resolve_rename(name)).collect();
        let def = read_type(input, extents, &derives, &derived, self.file, self.sink);
        let found = std::mem::replace(self.sink, outside);
        let Some(def) = def else {
            self.sink.append(found);
            return;
        };
        macros.append(&mut self.calls);
        let kube = def.attrs.kube.iter();
        macros.extend(
            kube.flat_map(|kube| &kube.root_macros)
                .map(|path| MacroUse {
                    path: path.clone(),
                    above: 0,
                    read_as: &[],
                    unread: None,
                    helps: true,
                    called: false,
                }),
        );
        into.push(Item::Type(Arc::new(TypeDef {
            macros,
            findings: found.into_diagnostics(),
            ..def
        })));
    }

    /// Removes disabled fields, and returns the extents of the others.
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
            if self.described(&mut field.attrs) {
                extents.push(extent);
                kept.extend([Pair::new(field, Some(comma.unwrap_or_default()))]);
            }
        }
        *list = kept;
        extents
    }

    /// The whole field with its attributes, and the following comma if there is one.
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
}
