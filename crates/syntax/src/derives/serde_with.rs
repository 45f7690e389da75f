//! The attribute macros of serde_with, which rewrite fields before any derive reads them: `serde_as`, `skip_serializing_none`,
//! `apply`. This makes the same changes to syn's item.

use super::inside;
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, ExprLit, Field, Fields, GenericArgument, Lit, LitStr, Meta, Path};
use syn::{PathArguments, Token, Type};

/// The full names of a macro in the crates that export it.
type Names = &'static [&'static str];

const SERDE_AS: Names = &["serde_with::serde_as", "serde_with_macros::serde_as"];
const SKIP_NONE: Names = &[
    "serde_with::skip_serializing_none",
    "serde_with_macros::skip_serializing_none",
];
const APPLY: Names = &["serde_with::apply", "serde_with_macros::apply"];

/// The macro with this name; `None` if serde_with has no such macro.
pub(crate) fn names_of(name: &str) -> Option<Names> {
    match name {
        "serde_as" => Some(SERDE_AS),
        "skip_serializing_none" => Some(SKIP_NONE),
        "apply" => Some(APPLY),
        _ => None,
    }
}

/// Rewrites the fields of an item like the macro on it.
///
/// # Errors
/// A message if the macro has unsupported arguments, or would reject the item.
pub(crate) fn rewrite(
    name: &str,
    attr: &Attribute,
    fields: &mut dyn Iterator<Item = &mut Fields>,
) -> Result<(), &'static str> {
    let mut fields = fields.flat_map(Fields::iter_mut);
    match name {
        "serde_as" => {
            let home = home(attr)?;
            fields.try_for_each(|field| serde_as(field, &home))
        }
        "skip_serializing_none" => fields.try_for_each(skip_none),
        _ => {
            let rules: Rules = match &attr.meta {
                Meta::List(list) => {
                    syn::parse2(list.tokens.clone()).map_err(|_| "its rules cannot be read")?
                }
                Meta::Path(_) | Meta::NameValue(_) => return Ok(()),
            };
            fields.for_each(|field| rules.apply(field));
            Ok(())
        }
    }
}

/// The path of the crate in the item: `crate = ".."`, else `::serde_with`.
fn home(attr: &Attribute) -> Result<Path, &'static str> {
    let plain = || syn::parse_quote!(::serde_with);
    if matches!(attr.meta, Meta::Path(_)) {
        return Ok(plain());
    }
    let refused = "its arguments cannot be read";
    let mut found = plain();
    for meta in inside(&attr.meta).ok_or(refused)? {
        if meta.path().is_ident("crate") {
            found = match &meta.require_name_value().map_err(|_| refused)?.value {
                Expr::Lit(ExprLit {
                    lit: Lit::Str(text),
                    ..
                }) => text.parse().map_err(|_| refused)?,
                Expr::Path(path) => path.path.clone(),
                _ => return Err(refused),
            };
        } else if !meta.path().is_ident("schemars") {
            // Without its `schemars(with = ..)` a field has no schema unless it sets one itself, so this would lose schemas.
            return Err(refused);
        }
    }
    Ok(found)
}

/// The settings of a field's `#[serde_as(..)]`s.
#[derive(Default)]
struct FieldAdapters {
    both: Option<(Type, Span)>,
    reads: Option<(Type, Span)>,
    writes: Option<(Type, Span)>,
    no_default: bool,
}

fn serde_as(field: &mut Field, home: &Path) -> Result<(), &'static str> {
    let Some(wanted) = wanted(&field.attrs)? else {
        return Ok(());
    };
    let FieldAdapters {
        both,
        reads,
        writes,
        no_default,
    } = wanted;
    if let Some((adapter, place)) = both {
        default(field, &adapter, no_default);
        let (own, adapter) = (&field.ty, replaced(adapter, home));
        let with = LitStr::new(&quote!(#home::As::<#adapter>).to_string(), place);
        let schema = LitStr::new(&quote!(#home::Schema::<#own, #adapter>).to_string(), place);
        push(field, quote_spanned!(place=> #[serde(with = #with)]));
        let stated = ["with", "serialize_with", "deserialize_with", "schema_with"];
        if !stated.iter().any(|key| has(&field.attrs, "schemars", key)) {
            push(field, quote_spanned!(place=> #[schemars(with = #schema)]));
        }
    }
    if let Some((adapter, place)) = reads {
        default(field, &adapter, no_default);
        let adapter = replaced(adapter, home);
        let text = quote!(#home::As::<#adapter>::deserialize).to_string();
        let text = LitStr::new(&text, place);
        push(
            field,
            quote_spanned!(place=> #[serde(deserialize_with = #text)]),
        );
    }
    if let Some((adapter, place)) = writes {
        let adapter = replaced(adapter, home);
        let text = quote!(#home::As::<#adapter>::serialize).to_string();
        let text = LitStr::new(&text, place);
        push(
            field,
            quote_spanned!(place=> #[serde(serialize_with = #text)]),
        );
    }
    Ok(())
}

fn wanted(attrs: &[Attribute]) -> Result<Option<FieldAdapters>, &'static str> {
    let refused = "the `serde_as` of a field cannot be read";
    let mut found = None;
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("serde_as")) {
        let list = attr.meta.require_list().map_err(|_| refused)?;
        let wanted: &mut FieldAdapters = found.get_or_insert_with(FieldAdapters::default);
        // `as` is a keyword, which cannot start a meta.
        let tokens: TokenStream = list.tokens.clone().into_iter().map(raw_as).collect();
        let metas = Punctuated::<Meta, Token![,]>::parse_terminated.parse2(tokens);
        for meta in metas.map_err(|_| refused)? {
            if meta.path().is_ident("no_default") {
                wanted.no_default = true;
                continue;
            }
            let into = match meta.path().get_ident().map(ToString::to_string).as_deref() {
                Some("r#as") => &mut wanted.both,
                Some("deserialize_as") => &mut wanted.reads,
                Some("serialize_as") => &mut wanted.writes,
                _ => return Err(refused),
            };
            *into = Some(adapter(&meta).ok_or(refused)?);
        }
    }
    Ok(found)
}

fn raw_as(token: TokenTree) -> TokenTree {
    match token {
        TokenTree::Ident(ident) if ident == "as" => {
            TokenTree::Ident(proc_macro2::Ident::new_raw("as", ident.span()))
        }
        other => other,
    }
}

/// The type of `as = "Type"` or `as = Type`, and its span.
fn adapter(meta: &Meta) -> Option<(Type, Span)> {
    match &meta.require_name_value().ok()?.value {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => Some((text.parse().ok()?, text.span())),
        other => Some((syn::parse2(other.to_token_stream()).ok()?, other.span())),
    }
}

/// An `Option` that is deserialized as one may be absent, as without the macro.
fn default(field: &mut Field, adapter: &Type, no_default: bool) {
    if !no_default
        && !has(&field.attrs, "serde", "default")
        && is_option(adapter)
        && is_option(&field.ty)
    {
        let place = field.ty.span();
        push(field, quote_spanned!(place=> #[serde(default)]));
    }
}

fn skip_none(field: &mut Field) -> Result<(), &'static str> {
    let before = field.attrs.len();
    field
        .attrs
        .retain(|attr| !attr.path().is_ident("serialize_always"));
    let always = field.attrs.len() < before;
    if is_option(&field.ty) && !always && !has(&field.attrs, "serde", "skip_serializing_if") {
        let place = field.ty.span();
        let text = LitStr::new("Option::is_none", place);
        push(
            field,
            quote_spanned!(place=> #[serde(skip_serializing_if = #text)]),
        );
    }
    Ok(())
}

fn push(field: &mut Field, attr: TokenStream) {
    // The tokens are always a valid attribute.
    field
        .attrs
        .extend(Attribute::parse_outer.parse2(attr).unwrap_or_default());
}

/// Whether an attribute of a name has a key. Its other keys may not be metas.
fn has(attrs: &[Attribute], name: &str, key: &str) -> bool {
    let attrs = attrs.iter().filter(|attr| attr.path().is_ident(name));
    attrs
        .filter_map(|attr| attr.meta.require_list().ok())
        .any(|list| {
            let mut starts = true;
            list.tokens.clone().into_iter().any(|token| match token {
                TokenTree::Ident(ident) => std::mem::replace(&mut starts, false) && ident == key,
                TokenTree::Punct(punct) => {
                    starts = punct.as_char() == ',';
                    false
                }
                TokenTree::Group(_) | TokenTree::Literal(_) => {
                    starts = false;
                    false
                }
            })
        })
}

/// Whether a type is written as an `Option`, which is all that the macros can see.
fn is_option(ty: &Type) -> bool {
    match ty {
        Type::Group(group) => is_option(&group.elem),
        Type::Paren(paren) => is_option(&paren.elem),
        Type::Path(path) => match &path.qself {
            Some(qself) => is_option(&qself.ty),
            None => {
                let names: Vec<String> = path
                    .path
                    .segments
                    .iter()
                    .map(|of| of.ident.to_string())
                    .collect();
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                match names[..] {
                    ["Option"] => path.path.leading_colon.is_none(),
                    ["std" | "core", "option", "Option"] => true,
                    _ => false,
                }
            }
        },
        _ => false,
    }
}

/// Replaces every `_` in a type by `Same`.
fn replaced(ty: Type, home: &Path) -> Type {
    let inner = |ty: Box<Type>| Box::new(replaced(*ty, home));
    match ty {
        Type::Infer(_) => syn::parse_quote!(#home::Same),
        Type::Array(mut of) => {
            of.elem = inner(of.elem);
            Type::Array(of)
        }
        Type::Group(mut of) => {
            of.elem = inner(of.elem);
            Type::Group(of)
        }
        Type::Paren(mut of) => {
            of.elem = inner(of.elem);
            Type::Paren(of)
        }
        Type::Reference(mut of) => {
            of.elem = inner(of.elem);
            Type::Reference(of)
        }
        Type::Slice(mut of) => {
            of.elem = inner(of.elem);
            Type::Slice(of)
        }
        Type::Tuple(mut of) => {
            of.elems = std::mem::take(&mut of.elems)
                .into_iter()
                .map(|ty| replaced(ty, home))
                .collect();
            // A trailing comma distinguishes a tuple of one from parentheses.
            if of.elems.len() == 1 {
                of.elems.push_punct(Token![,](Span::call_site()));
            }
            Type::Tuple(of)
        }
        Type::Path(mut of) => {
            if let Some(last) = of.path.segments.last_mut()
                && let PathArguments::AngleBracketed(args) = &mut last.arguments
            {
                for arg in &mut args.args {
                    if let GenericArgument::Type(ty) = arg {
                        *ty = replaced(ty.clone(), home);
                    }
                }
            }
            Type::Path(of)
        }
        other => other,
    }
}

/// `apply(Type => #[attribute], ..)`
struct Rules(Vec<(Type, Vec<Attribute>)>);

impl Parse for Rules {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        while input.peek2(Token![=]) && !input.peek2(Token![=>]) {
            input.parse::<Meta>()?;
            if !input.peek(Token![,]) {
                break;
            }
            input.parse::<Token![,]>()?;
        }
        let rule = |input: ParseStream<'_>| {
            let ty = input.parse()?;
            input.parse::<Token![=>]>()?;
            Ok((ty, input.call(Attribute::parse_outer)?))
        };
        let rules = input.parse_terminated(rule, Token![,])?;
        Ok(Self(rules.into_iter().collect()))
    }
}

impl Rules {
    fn apply(&self, field: &mut Field) {
        if has(&field.attrs, "serde_with", "skip_apply") {
            return;
        }
        for (pattern, attrs) in &self.0 {
            if fits(pattern, &field.ty) {
                field.attrs.extend(attrs.iter().cloned());
            }
        }
    }
}

/// Whether a type matches a pattern: names without arguments match any arguments, `_` matches everything.
fn fits(pattern: &Type, ty: &Type) -> bool {
    match (pattern, ty) {
        (Type::Group(pattern), ty) => fits(&pattern.elem, ty),
        (pattern, Type::Group(ty)) => fits(pattern, &ty.elem),
        (Type::Infer(_), _) => true,
        (Type::Array(pattern), Type::Array(ty)) => {
            let any = written(&pattern.len) == "_";
            fits(&pattern.elem, &ty.elem) && (any || written(&pattern.len) == written(&ty.len))
        }
        (Type::Paren(pattern), Type::Paren(ty)) => fits(&pattern.elem, &ty.elem),
        (Type::Slice(pattern), Type::Slice(ty)) => fits(&pattern.elem, &ty.elem),
        (Type::Reference(pattern), Type::Reference(ty)) => {
            let lifetime =
                pattern.lifetime.is_none() || written(&pattern.lifetime) == written(&ty.lifetime);
            lifetime && fits(&pattern.elem, &ty.elem)
        }
        (Type::Tuple(pattern), Type::Tuple(ty)) => {
            let pairs = pattern.elems.iter().zip(&ty.elems);
            pattern.elems.len() == ty.elems.len() && pairs.into_iter().all(|(a, b)| fits(a, b))
        }
        (Type::Path(pattern), Type::Path(ty)) => {
            written(&pattern.qself.as_ref().map(|of| &of.ty))
                == written(&ty.qself.as_ref().map(|of| &of.ty))
                && paths_fit(&pattern.path, &ty.path)
        }
        (
            Type::Ptr(_)
            | Type::FnPtr(_)
            | Type::ImplTrait(_)
            | Type::Macro(_)
            | Type::Never(_)
            | Type::TraitObject(_),
            _,
        ) => written(pattern) == written(ty),
        _ => false,
    }
}

fn paths_fit(pattern: &Path, ty: &Path) -> bool {
    let mut segments = pattern.segments.iter().zip(&ty.segments);
    pattern.leading_colon.is_some() == ty.leading_colon.is_some()
        && pattern.segments.len() == ty.segments.len()
        && segments.all(|(pattern, ty)| {
            pattern.ident == ty.ident
                && match (&pattern.arguments, &ty.arguments) {
                    (PathArguments::None, _) => true,
                    (PathArguments::AngleBracketed(pattern), PathArguments::AngleBracketed(ty)) => {
                        let mut pairs = pattern.args.iter().zip(&ty.args);
                        pattern.args.len() == ty.args.len()
                            && pairs.all(|pair| match pair {
                                (GenericArgument::Type(pattern), GenericArgument::Type(ty)) => {
                                    fits(pattern, ty)
                                }
                                (pattern, ty) => written(pattern) == written(ty),
                            })
                    }
                    (pattern, ty) => written(pattern) == written(ty),
                }
        })
}

fn written(tokens: &impl ToTokens) -> String {
    tokens.to_token_stream().to_string()
}
