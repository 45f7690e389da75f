//! The attributes on one node, with each key validated by its grammar: the unconditional layer, or the contents of one
//! conditional attribute.

use super::overlay::Listed;
use super::reader::Reader;
use super::tables::{CEL_VALIDATE, GARDE, KUBE, SCHEMARS, VALIDATE, X_KUBE};
use crate::lower_syn::lines;
use crd_channels_diagnostics::Code;
use crd_channels_markers::keys::GATED_KUBE;
use crd_channels_markers::{self as markers, Entry, Extent, Item, Keys, Site, without_groups};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprLit, Lit, LitStr, Meta, MetaList, MetaNameValue, Token};

/// The entries of one layer.
#[derive(Default)]
pub(super) struct Layer {
    /// Lines of documentation.
    pub(super) docs: Vec<String>,
    /// `#[deprecated]`
    pub(super) deprecated: bool,
    /// `#[schemars(..)]`
    pub(super) schemars: Vec<Entry>,
    /// `#[validate(..)]`
    pub(super) validate: Vec<Entry>,
    /// `#[garde(..)]`
    pub(super) garde: Vec<Entry>,
    /// `#[x_kube(..)]`
    pub(super) x_kube: Vec<Entry>,
    /// `#[kube(..)]`
    pub(super) kube: Vec<Entry>,
    /// The first `#[kube(..)]`.
    pub(super) first_kube: Option<Extent>,
}

impl Layer {
    /// The unconditional layer. `docs` are the lines of documentation, `schemars` the items of the `#[schemars(..)]`s.
    pub(super) fn always(
        attrs: &[Attribute],
        docs: Vec<Option<String>>,
        schemars: Vec<Listed>,
        site: Site,
        reader: &mut Reader<'_>,
    ) -> Self {
        let mut written = Self::default();
        let mut docs = docs.into_iter();
        let mut schemars = schemars.into_iter();
        for attr in attrs {
            let Some(ident) = attr.path().get_ident() else {
                continue;
            };
            let name = ident.to_string();
            match (name.as_str(), &attr.meta) {
                ("doc", meta) => written.doc(meta, docs.next().flatten(), reader),
                ("deprecated", _) => written.deprecated = true,
                ("schemars", Meta::List(list)) => {
                    let listed = schemars.next().unwrap_or_else(|| Listed::new(list));
                    written.schemars(listed, "#[schemars(..)]", site, reader);
                }
                ("validate" | "garde" | "x_kube" | "cel_validate" | "kube", Meta::List(list)) => {
                    if name == "kube" {
                        written.first_kube.get_or_insert(Extent::of(attr));
                    }
                    written.list(&name, list, &format!("#[{name}(..)]"), site, reader);
                }
                // kube-derive treats a bare `#[kube]` as an empty one.
                ("kube", Meta::Path(_)) => {
                    written.first_kube.get_or_insert(Extent::of(attr));
                }
                ("x_kube", Meta::Path(_)) => {}
                ("schemars" | "kube" | "x_kube", _) => reader.find(
                    Code::InvalidAttribute,
                    Extent::of(attr),
                    format!("`#[{name}]` takes keys in parentheses"),
                    format!("write `#[{name}(..)]`"),
                ),
                _ => {
                    if let Some(near) = markers::near_miss(&name) {
                        reader.find(
                            Code::UnknownAttribute,
                            Extent::of(attr.path()),
                            format!("unknown attribute `{name}`"),
                            format!("did you mean `{near}`?"),
                        );
                    }
                }
            }
        }
        written
    }

    /// The layer of a conditional attribute.
    pub(super) fn conditional(
        docs: Vec<LitStr>,
        contents: &[MetaList],
        site: Site,
        reader: &mut Reader<'_>,
    ) -> Self {
        let mut written = Self {
            docs: docs
                .iter()
                .map(|line| doc_line(line, lines(line).to_string()))
                .collect(),
            ..Self::default()
        };
        for list in contents {
            let Some(ident) = list.path.get_ident() else {
                continue;
            };
            let name = ident.to_string();
            let within = format!("{name}(..)");
            match name.as_str() {
                "schemars" => written.schemars(Listed::new(list), &within, site, reader),
                "kube" => entries(list, &within, &GATED_KUBE, site, &mut written.kube, reader),
                _ => written.list(&name, list, &within, site, reader),
            }
        }
        written
    }

    /// Reads the items of a `#[schemars(..)]`, except for `!key`, which only affects serde's keys.
    fn schemars(&mut self, listed: Listed, within: &str, site: Site, reader: &mut Reader<'_>) {
        let Listed {
            mut items,
            mut errors,
        } = listed;
        items.retain(|item| !matches!(item, Item::Not(..)));
        markers::entries(
            items,
            within,
            &SCHEMARS,
            site,
            &mut self.schemars,
            &mut errors,
        );
        reader.report(errors);
    }

    fn list(
        &mut self,
        name: &str,
        list: &MetaList,
        within: &str,
        site: Site,
        reader: &mut Reader<'_>,
    ) {
        let (keys, into): (&'static Keys, _) = match name {
            "validate" => (&VALIDATE, &mut self.validate),
            "garde" => (&GARDE, &mut self.garde),
            "x_kube" => (&X_KUBE, &mut self.x_kube),
            "cel_validate" => (&CEL_VALIDATE, &mut self.x_kube),
            "kube" => (&KUBE, &mut self.kube),
            _ => return,
        };
        entries(list, within, keys, site, into, reader);
    }

    /// Adds a line of documentation, with its text if it is a literal. `#[doc(hidden)]` and similar attributes are not
    /// documentation for users of the API.
    fn doc(&mut self, meta: &Meta, text: Option<String>, reader: &mut Reader<'_>) {
        let Meta::NameValue(pair) = meta else {
            return;
        };
        let value = &pair.value;
        // schemars strips the leading space only from literals.
        if let (Some(line), Some(text)) = (literal(meta), text) {
            self.docs.push(doc_line(line, text));
        } else if let Some(text) = joined(value, 0) {
            self.docs.push(text);
        } else {
            reader.find(
                Code::NotConstant,
                Extent::of(value),
                "documentation is read from literals only",
                "write the text as a doc comment",
            );
        }
    }
}

/// Reads the entries of a list that schemars does not read.
fn entries(
    list: &MetaList,
    within: &str,
    keys: &'static Keys,
    site: Site,
    into: &mut Vec<Entry>,
    reader: &mut Reader<'_>,
) {
    let mut errors = Vec::new();
    let items = match list.path.is_ident("validate") || list.path.is_ident("garde") {
        true => foreign(list, within, reader),
        false => markers::items(list, &mut errors),
    };
    markers::entries(items, within, keys, site, into, &mut errors);
    reader.report(errors);
}

/// The documentation of a node: one text for each `doc`, if it is a literal.
pub(super) fn docs(attrs: &[Attribute]) -> Vec<Option<String>> {
    let docs = attrs.iter().filter(|attr| attr.path().is_ident("doc"));
    docs.map(|attr| literal(&attr.meta).map(|text| lines(text).to_string()))
        .collect()
}

/// The literal of a doc comment, or of `#[doc = ".."]`.
fn literal(meta: &Meta) -> Option<&LitStr> {
    match meta {
        Meta::NameValue(MetaNameValue {
            value:
                Expr::Lit(ExprLit {
                    lit: Lit::Str(text),
                    ..
                }),
            ..
        }) => Some(text),
        _ => None,
    }
}

/// Evaluates literals, `concat!` and `stringify!`.
fn joined(value: &Expr, depth: usize) -> Option<String> {
    match without_groups(value) {
        // Generated by a macro for `$text:expr`.
        Expr::Paren(inner) if depth < 16 => joined(&inner.expr, depth + 1),
        Expr::Macro(call) if call.mac.path.segments.last()?.ident == "stringify" => {
            stringified(call.mac.tokens.clone())
        }
        Expr::Lit(ExprLit { lit, .. }) => Some(match lit {
            Lit::Str(text) => lines(text).to_string(),
            Lit::Char(character) => character.value().to_string(),
            Lit::Int(int) => int.base10_digits().to_owned(),
            Lit::Bool(value) => value.value.to_string(),
            _ => return None,
        }),
        Expr::Macro(call) if depth < 16 && call.mac.path.segments.last()?.ident == "concat" => {
            let parts = Punctuated::<Expr, Token![,]>::parse_terminated;
            let parts = call.mac.parse_body_with(parts).ok()?;
            parts.iter().map(|part| joined(part, depth + 1)).collect()
        }
        _ => None,
    }
}

/// The text of `stringify!` for one token or a path, written without spaces.
fn stringified(tokens: TokenStream) -> Option<String> {
    let mut text = String::new();
    let mut named = false;
    let mut end = None;
    for token in tokens {
        let place = token.span().byte_range();
        if end.is_some_and(|end| end != place.start) {
            return None;
        }
        end = Some(place.end);
        match token {
            TokenTree::Ident(ident) if !named => {
                named = true;
                text.push_str(&ident.to_string());
            }
            TokenTree::Literal(literal) if text.is_empty() => {
                named = true;
                text.push_str(&literal.to_string());
            }
            TokenTree::Punct(punct) if punct.as_char() == ':' => {
                named = false;
                text.push(':');
            }
            TokenTree::Group(group) if group.delimiter() == Delimiter::None && text.is_empty() => {
                named = true;
                text = stringified(group.stream())?;
            }
            _ => return None,
        }
    }
    Some(text)
}

/// Parses the items of an attribute that is not schemars' own, which schemars ignores as a whole if it cannot parse it.
fn foreign(list: &MetaList, within: &str, reader: &mut Reader<'_>) -> Vec<Item> {
    let parser = Punctuated::<Meta, Token![,]>::parse_terminated;
    match parser.parse2(list.tokens.clone()) {
        Ok(metas) => metas.into_iter().map(Item::from).collect(),
        Err(_) => {
            reader.find(
                Code::IgnoredAttribute,
                Extent::of(list),
                format!("schemars cannot parse this `{within}`, so it has no effect on the schema"),
                "write the intended keywords as `#[schemars(..)]`",
            );
            Vec::new()
        }
    }
}

/// A line, given its literal and text, without the one space that follows `///`.
pub(super) fn doc_line(line: &LitStr, text: String) -> String {
    let mut text = match text.contains("\r\n") && is_comment(line) {
        true => text.replace("\r\n", "\n"),
        false => text,
    };
    if text.starts_with(' ') {
        text.remove(0);
    }
    text
}

/// Whether a line of documentation is a comment, in which Rust reads `\r\n` as one line break, rather than a literal.
fn is_comment(line: &LitStr) -> bool {
    let text = line.span().source_text();
    text.is_none_or(|text| text.starts_with('/'))
}
