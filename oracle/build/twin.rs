//! One file's twin: the same text with each gate decided.
//!
//! A gated field or variant is deleted or loses its gate; the content of a conditional attribute is dropped or takes the
//! place of the attribute, where a validation keyword replaces the unconditional one of the same name. A gated status is in
//! `#[kube(..)]` already, and is deleted there.

use crate::edit::Edits;
use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::ops::Range;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, Fields, Lit, Meta, MetaList, MetaNameValue, Token};

pub struct Twin {
    pub text: String,
    /// The root types whose version is in the channel, as paths inside the file.
    pub roots: Vec<String>,
}

/// The twin of a file that will live in the module `name` of the crate.
pub fn twin_of_file(text: &str, name: &str, features_on: bool) -> syn::Result<Twin> {
    let file = syn::parse_file(text)?;
    let mut writer = Writer {
        text,
        features_on,
        edits: Edits::default(),
        roots: Vec::new(),
        module: Vec::new(),
    };
    writer.visit_file(&file);
    move_crate_paths(text.parse()?, text, name, &mut writer.edits);
    Ok(Twin {
        text: writer.edits.apply(text),
        roots: writer.roots,
    })
}

/// The effect of `#[experimental(..)]` or `#[not_experimental(..)]` in the channel.
enum Decision {
    /// The node itself is gated, and there or not.
    Node(bool),
    /// These attributes hold.
    Content(Vec<Meta>),
    /// These attributes do not apply.
    Nothing(Vec<Meta>),
}

struct Writer<'a> {
    text: &'a str,
    features_on: bool,
    edits: Edits,
    roots: Vec<String>,
    module: Vec<String>,
}

impl Writer<'_> {
    fn decide(&self, attribute: &Attribute) -> Option<Decision> {
        let on = if attribute.path().is_ident("experimental") {
            true
        } else if attribute.path().is_ident("not_experimental") {
            false
        } else {
            return None;
        };
        let holds = on == self.features_on;
        let content: Vec<Meta> = match &attribute.meta {
            Meta::List(list) => items(list.tokens.clone())
                .into_iter()
                .filter(|meta| !meta.path().is_ident("feature"))
                .collect(),
            _ => Vec::new(),
        };
        Some(match (content.is_empty(), holds) {
            (true, holds) => Decision::Node(holds),
            (false, true) => Decision::Content(content),
            (false, false) => Decision::Nothing(content),
        })
    }

    /// Rewrites a node's attributes; says whether the node stays.
    fn attributes(&mut self, attributes: &[Attribute]) -> bool {
        let mut stays = true;
        let mut content = Vec::new();
        for attribute in attributes {
            match self.decide(attribute) {
                None => continue,
                Some(Decision::Node(holds)) => stays &= holds,
                Some(Decision::Content(metas)) => content.extend(without_status(metas)),
                Some(Decision::Nothing(metas)) => {
                    if metas.iter().any(has_status) {
                        self.delete_status(attributes);
                    }
                }
            }
            self.edits.delete(range(attribute));
        }
        if let Some(end) = attributes.last().map(|attribute| range(attribute).end) {
            let text = self.unwrapped(attributes, content);
            self.edits.replace(end..end, text);
        }
        stays
    }

    /// Deletes `status = ".."` from `#[kube(..)]`.
    fn delete_status(&mut self, attributes: &[Attribute]) {
        for attribute in attributes {
            let Meta::List(list) = &attribute.meta else {
                continue;
            };
            let all = if list.path.is_ident("kube") {
                items(list.tokens.clone())
            } else {
                Vec::new()
            };
            for (index, meta) in all.iter().enumerate() {
                if meta.path().is_ident("status") {
                    let next = all.get(index + 1).map(|next| range(next).start);
                    self.remove(range(meta), next);
                }
            }
        }
    }

    /// The text of the attributes that hold, laid over the unconditional `#[schemars]` ones.
    fn unwrapped(&mut self, attributes: &[Attribute], content: Vec<Meta>) -> String {
        let mut text = String::new();
        let mut above: Vec<Meta> = Vec::new();
        for meta in content {
            match meta {
                Meta::List(list) if list.path.is_ident("schemars") => {
                    above.extend(items(list.tokens))
                }
                other => text.push_str(&format!("\n#[{}]", other.to_token_stream())),
            }
        }
        if !above.is_empty() {
            let mut merged: Vec<Meta> = Vec::new();
            for attribute in attributes
                .iter()
                .filter(|attribute| attribute.path().is_ident("schemars"))
            {
                if let Meta::List(list) = &attribute.meta {
                    merged.extend(items(list.tokens.clone()));
                    self.edits.delete(range(attribute));
                }
            }
            for meta in above {
                lay_over(&mut merged, meta);
            }
            text.push_str(&format!("\n#[schemars({})]", quote!(#(#merged),*)));
        }
        text
    }

    fn fields(&mut self, fields: &Fields) {
        let all: Vec<&syn::Field> = fields.iter().collect();
        for (index, field) in all.iter().enumerate() {
            if !self.attributes(&field.attrs) {
                let next = all.get(index + 1).map(|next| range(next).start);
                self.remove(range(field), next);
            }
        }
    }

    /// Deletes a node and the comma behind it.
    fn remove(&mut self, node: Range<usize>, next: Option<usize>) {
        let end = next.unwrap_or_else(|| {
            let behind = &self.text[node.end..];
            let comma = behind.trim_start().starts_with(',');
            node.end
                + if comma {
                    behind.find(',').map_or(0, |at| at + 1)
                } else {
                    0
                }
        });
        self.edits.delete(node.start..end);
    }

    fn item(&mut self, attributes: &[Attribute]) {
        let stays = self.attributes(attributes);
        if let (true, Some(root)) = (stays, root_name(attributes)) {
            let mut path = self.module.clone();
            path.push(root);
            self.roots.push(path.join("::"));
        }
    }
}

impl<'ast> Visit<'ast> for Writer<'_> {
    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.item(&item.attrs);
        self.fields(&item.fields);
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.item(&item.attrs);
        let all: Vec<&syn::Variant> = item.variants.iter().collect();
        for (index, variant) in all.iter().enumerate() {
            if self.attributes(&variant.attrs) {
                self.fields(&variant.fields);
            } else {
                let next = all.get(index + 1).map(|next| range(next).start);
                self.remove(range(variant), next);
            }
        }
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if matches!(item.vis, syn::Visibility::Inherited) {
            let start = item.mod_token.span().byte_range().start;
            self.edits.replace(start..start, "pub ");
        }
        self.module.push(item.ident.to_string());
        visit::visit_item_mod(self, item);
        self.module.pop();
    }
}

/// The name of the root type that kube-derive makes, where there is one.
fn root_name(attributes: &[Attribute]) -> Option<String> {
    let mut kind = None;
    let mut root = None;
    let conditional = |meta: &Meta| match meta {
        // The predicates of the fixtures hold.
        Meta::List(list) if list.path.is_ident("cfg_attr") => {
            items(list.tokens.clone()).into_iter().skip(1).collect()
        }
        meta => vec![meta.clone()],
    };
    for meta in attributes
        .iter()
        .flat_map(|attribute| conditional(&attribute.meta))
    {
        let list = match meta {
            Meta::List(list) if list.path.is_ident("kube") => list,
            _ => continue,
        };
        for meta in items(list.tokens) {
            if let Meta::NameValue(MetaNameValue {
                path,
                value: Expr::Lit(value),
                ..
            }) = meta
                && let Lit::Str(text) = value.lit
            {
                if path.is_ident("kind") {
                    kind = Some(text.value());
                } else if path.is_ident("root") {
                    root = Some(text.value());
                }
            }
        }
    }
    root.or(kind)
}

/// A keyword replaces the one of the same name; the bounds of `length` and `range` are keywords of their own.
fn lay_over(below: &mut Vec<Meta>, above: Meta) {
    let known = below.iter_mut().find(|meta| meta.path() == above.path());
    let Some(place) = known.filter(|_| !above.path().is_ident("extend")) else {
        below.push(above);
        return;
    };
    match (&mut *place, above) {
        (Meta::List(MetaList { path, tokens, .. }), Meta::List(more))
            if ["length", "range", "inner"]
                .iter()
                .any(|name| path.is_ident(name)) =>
        {
            let mut merged = items(tokens.clone());
            for meta in items(more.tokens) {
                lay_over(&mut merged, meta);
            }
            *tokens = quote!(#(#merged),*);
        }
        (place, above) => *place = above,
    }
}

/// Whether it is `kube(status)`, alone or among others.
fn has_status(meta: &Meta) -> bool {
    let Meta::List(list) = meta else {
        return false;
    };
    let is_it = |inside: &Meta| inside.path().is_ident("status");
    list.path.is_ident("kube") && items(list.tokens.clone()).iter().any(is_it)
}

/// The same without `status` in `kube(..)`.
fn without_status(metas: Vec<Meta>) -> Vec<Meta> {
    let mut left = Vec::new();
    for meta in metas {
        match &meta {
            Meta::List(list) if has_status(&meta) => {
                let mut inside = items(list.tokens.clone());
                inside.retain(|meta| !meta.path().is_ident("status"));
                if !inside.is_empty() {
                    left.push(syn::parse_quote!(kube(#(#inside),*)));
                }
            }
            _ => left.push(meta),
        }
    }
    left
}

/// The comma-separated items of an attribute.
fn items(tokens: TokenStream) -> Vec<Meta> {
    let parsed = Punctuated::<Meta, Token![,]>::parse_terminated.parse2(tokens.clone());
    match parsed {
        Ok(items) => items.into_iter().collect(),
        Err(error) => panic!("the twin writer cannot read `{tokens}`: {error}"),
    }
}

fn range(node: &impl Spanned) -> Range<usize> {
    node.span().byte_range()
}

/// `crate::` means the twin's own module, in code and in the strings of attributes.
fn move_crate_paths(tokens: TokenStream, text: &str, name: &str, edits: &mut Edits) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => move_crate_paths(group.stream(), text, name, edits),
            TokenTree::Ident(ident) if ident == "crate" => {
                let end = ident.span().byte_range().end;
                if text[end..].trim_start().starts_with("::") {
                    edits.replace(end..end, format!("::{name}"));
                }
            }
            TokenTree::Literal(literal) => {
                let at = literal.span().byte_range();
                let written = &text[at.clone()];
                if written.starts_with('"') {
                    for (inside, path) in written.match_indices("crate::") {
                        let end = at.start + inside + path.len();
                        edits.replace(end..end, format!("{name}::"));
                    }
                }
            }
            _ => {}
        }
    }
}
