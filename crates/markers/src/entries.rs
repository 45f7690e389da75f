//! Converts items to entries: validates each item against the allowed keys.

use crate::error::{Error, ErrorKind, Extent};
use crate::grammar::{Form, Key, Keys, Others, Site, targets};
use crate::item::{Item, items, syntax};
use crate::lints;
use crate::suggest::{alternatives, nearest};
use proc_macro2::{TokenStream, TokenTree};
use std::fmt::Write;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Expr, ExprLit, Lit, LitStr, MetaList, Path, Token};

/// A key with its value, both valid.
#[derive(Clone)]
pub struct Entry {
    /// The key.
    pub key: &'static Key,
    /// The item in the source.
    pub item: Item,
    /// The value.
    pub value: Value,
}

/// The value of a key, by its form.
#[derive(Clone)]
pub enum Value {
    /// No value, or one that another reader parses.
    None,
    /// The value of a flag.
    Bool(bool),
    /// A text.
    Text(LitStr),
    /// A whole number.
    Int(i32),
    /// A path.
    Path(Path),
    /// An expression.
    Expr(Expr),
    /// The entries in parentheses.
    List(Vec<Entry>),
    /// Two texts.
    Pair(LitStr, LitStr),
    /// Several texts.
    Texts(Vec<LitStr>),
    /// Texts, each with tokens.
    Pairs(Vec<(LitStr, TokenStream)>),
    /// Codes of lints, each with its extent.
    Lints(Vec<(&'static str, Extent)>),
}

impl Entry {
    /// The extent of the whole entry.
    #[must_use]
    pub fn extent(&self) -> Extent {
        Extent::of(&self.item)
    }
}

/// Reads the items in one pair of parentheses. `within` names the parentheses in messages: `#[crd(..)]`, `length(..)`. If
/// attributes are merged, `into` has the entries of earlier ones, so that repeated keys are found.
pub fn entries(
    items: Vec<Item>,
    within: &str,
    keys: &'static Keys,
    site: Site,
    into: &mut Vec<Entry>,
    errors: &mut Vec<Error>,
) {
    for item in items {
        let Some(key) = key_of(&item, within, keys, site, errors) else {
            continue;
        };
        if !key.many && into.iter().any(|entry| entry.key.name == key.name) {
            errors.push(
                Error::new(
                    ErrorKind::Invalid,
                    Extent::of(&item),
                    format!("duplicate `{}` in `{within}`", key.name),
                )
                .with_help("keep one"),
            );
            continue;
        }
        if let Some(value) = value(&item, key, site, errors) {
            into.push(Entry { key, item, value });
        }
    }
}

/// Reports missing required keys.
pub fn missing(
    entries: &[Entry],
    within: &str,
    keys: &'static Keys,
    at: Extent,
    errors: &mut Vec<Error>,
) {
    for key in keys.keys.iter().filter(|key| key.required) {
        if !entries.iter().any(|entry| entry.key.name == key.name) {
            errors.push(
                Error::new(
                    ErrorKind::Invalid,
                    at,
                    format!("`{within}` lacks `{}`", key.name),
                )
                .with_help(format!("add `{key}`")),
            );
        }
    }
}

/// The key of an item. Keys that are not allowed there are reported.
fn key_of(
    item: &Item,
    within: &str,
    keys: &'static Keys,
    site: Site,
    errors: &mut Vec<Error>,
) -> Option<&'static Key> {
    let fitting = || keys.keys.iter().filter(|key| key.fits(site));
    let all = || {
        let shown: Vec<String> = fitting().map(|key| format!("`{key}`")).collect();
        match shown.as_slice() {
            [] => format!("`{within}` takes no key here"),
            _ => format!("it takes {}", alternatives(&shown)),
        }
    };
    let (Some(path), Some(name)) = (item.path(), item.name()) else {
        let help = match (item, fitting().next()) {
            (Item::Literal(Lit::Str(text)), Some(key)) if matches!(key.form, Form::Text(_)) => {
                format!("write `{} = \"{}\"`", key.name, text.value())
            }
            _ => all(),
        };
        let message = format!("`{within}` takes keys, not literals");
        errors.push(Error::new(ErrorKind::Invalid, Extent::of(item), message).with_help(help));
        return None;
    };
    if matches!(item, Item::Not(..)) {
        let message = format!("`!{name}` has no meaning in `{within}`");
        errors.push(Error::new(ErrorKind::Invalid, Extent::of(item), message).with_help(all()));
        return None;
    }
    if let Some(key) = keys.keys.iter().find(|key| key.name == name) {
        if key.fits(site) {
            return Some(key);
        }
        let message = if key.root && !site.root && key.at.contains(&site.target) {
            format!("`{name}` is not allowed on a type without `#[kube(..)]`")
        } else {
            format!("`{name}` is not allowed on {}", site.target)
        };
        let mut help = format!("it is allowed on {}", targets(key.at, key.root));
        if let Some(otherwise) = key.otherwise {
            let _ = write!(help, "; {otherwise}");
        }
        errors.push(Error::new(ErrorKind::Invalid, Extent::of(item), message).with_help(help));
        return None;
    }
    if let Some(refused) = keys.refused.iter().find(|refused| refused.name == name) {
        let message = format!("`{name}` is not allowed in `{within}`: {}", refused.why);
        errors.push(
            Error::new(ErrorKind::GateContent, Extent::of(item), message).with_help(refused.help),
        );
        return None;
    }
    if keys.others == Others::Refuse {
        let help = match nearest(&name, fitting().map(|key| key.name)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => all(),
        };
        let message = format!("`{within}` has no key `{name}`");
        errors.push(Error::new(ErrorKind::Unknown, Extent::of(path), message).with_help(help));
    }
    None
}

/// The value of an item, if it has the key's form.
fn value(item: &Item, key: &'static Key, site: Site, errors: &mut Vec<Error>) -> Option<Value> {
    let found = match (key.form, item) {
        (Form::Any, _) | (Form::Word | Form::Elsewhere(_) | Form::WordOrText, Item::Word(_)) => {
            Some(Value::None)
        }
        (Form::Flag, Item::Word(_)) => Some(Value::Bool(true)),
        (Form::Flag, Item::Value(_, _, value)) => flag(value).map(Value::Bool),
        (Form::Text(check), Item::Value(_, _, value)) => match text_value(value) {
            None => None,
            Some(text) => match check.check(key.name, &text.value()) {
                Ok(()) => Some(Value::Text(text)),
                Err((message, help)) => {
                    let error = Error::new(ErrorKind::Invalid, Extent::of(&text), message);
                    errors.push(error.with_help(help));
                    return None;
                }
            },
        },
        (Form::WordOrText | Form::JsonOrList(_), Item::Value(_, _, value)) => {
            text_value(value).map(Value::Text)
        }
        (Form::Int, Item::Value(_, _, value)) => int(value).map(Value::Int),
        (Form::Path, Item::Value(_, _, value)) => path(value).map(Value::Path),
        (Form::Expr | Form::ExprOrList(_) | Form::ArgOrList(_), Item::Value(_, _, value)) => {
            Some(Value::Expr(value.clone()))
        }
        (Form::List(keys) | Form::JsonOrList(keys) | Form::ExprOrList(keys), Item::List(list)) => {
            return Some(Value::List(nested(list, key, keys, site, errors)));
        }
        (Form::Pair, Item::List(list)) => pair(list),
        (Form::Texts, Item::List(list)) => texts(list, key, errors),
        (Form::Arg, Item::List(list)) => return arg(list, errors),
        (Form::ArgOrList(keys), Item::List(list)) if looks_like_list(list) => {
            return Some(Value::List(nested(list, key, keys, site, errors)));
        }
        (Form::ArgOrList(_), Item::List(list)) => return arg(list, errors),
        (Form::Lints, Item::List(list)) => {
            return Some(Value::Lints(lints::read_allowed(list, key, errors)));
        }
        (Form::Pairs(names), Item::List(list)) => {
            return Some(Value::Pairs(pairs(list, key, names, errors)));
        }
        _ => None,
    };
    if found.is_none() {
        let message = format!("`{}` {}", key.name, wants(key.form));
        errors.push(
            Error::new(ErrorKind::Invalid, Extent::of(item), message)
                .with_help(format!("write `{key}`")),
        );
    }
    found
}

/// Describes the form, for an item that has another one.
fn wants(form: Form) -> &'static str {
    match form {
        Form::Any | Form::Word => "takes no value",
        Form::Elsewhere(why) => why,
        Form::Flag => "is `true` or `false`",
        Form::Text(_) => "takes a string",
        Form::WordOrText => "takes a string or no value",
        Form::Int => "takes a whole number of 32 bits",
        Form::Path => "takes a path",
        Form::Expr => "takes a value",
        Form::List(_) => "takes keys in parentheses",
        Form::ExprOrList(_) => "takes a value, or keys in parentheses",
        Form::JsonOrList(_) => "takes keys in parentheses, or a string of JSON",
        Form::Texts => "takes strings in parentheses",
        Form::Pair => "takes two strings in parentheses",
        Form::Arg | Form::ArgOrList(_) => "takes a value in parentheses",
        Form::Pairs(_) => "takes strings with values in parentheses",
        Form::Lints => "takes codes of lints and a reason in parentheses",
    }
}

fn nested(
    list: &MetaList,
    key: &'static Key,
    keys: &'static Keys,
    site: Site,
    errors: &mut Vec<Error>,
) -> Vec<Entry> {
    let within = format!("{}(..)", key.name);
    let before = errors.len();
    let mut found = Vec::new();
    let inside = items(list, errors);
    entries(inside, &within, keys, site, &mut found, errors);
    // An invalid required key has been reported already.
    if errors.len() == before {
        missing(&found, &within, keys, Extent::of(list), errors);
    }
    found
}

/// Strips the invisible groups that `macro_rules!` puts around a value.
#[must_use]
pub fn without_groups(mut value: &Expr) -> &Expr {
    while let Expr::Group(group) = value {
        value = &group.expr;
    }
    value
}

pub(crate) fn text_value(value: &Expr) -> Option<LitStr> {
    match without_groups(value) {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => Some(text.clone()),
        _ => None,
    }
}

fn flag(value: &Expr) -> Option<bool> {
    match without_groups(value) {
        Expr::Lit(ExprLit {
            lit: Lit::Bool(flag),
            ..
        }) => Some(flag.value),
        other => text_value(other)?.value().parse().ok(),
    }
}

fn int(value: &Expr) -> Option<i32> {
    match without_groups(value) {
        Expr::Lit(ExprLit {
            lit: Lit::Int(int), ..
        }) => int.base10_parse().ok(),
        other => text_value(other)?.value().parse().ok(),
    }
}

fn path(value: &Expr) -> Option<Path> {
    match without_groups(value) {
        Expr::Path(path) if path.qself.is_none() => Some(path.path.clone()),
        other => text_value(other)?.parse().ok(),
    }
}

fn pair(list: &MetaList) -> Option<Value> {
    list.parse_args_with(|input: ParseStream<'_>| {
        let name = input.parse()?;
        input.parse::<Token![,]>()?;
        let value = input.parse()?;
        input.parse::<Option<Token![,]>>()?;
        Ok(Value::Pair(name, value))
    })
    .ok()
}

/// One or more texts, none of them empty or repeated.
fn texts(list: &MetaList, key: &'static Key, errors: &mut Vec<Error>) -> Option<Value> {
    let parser = Punctuated::<LitStr, Token![,]>::parse_terminated;
    let mut found: Vec<LitStr> = Vec::new();
    for text in list.parse_args_with(parser).ok()? {
        let value = text.value();
        let wrong = if value.is_empty() {
            Some((
                format!("`{}` has an empty string", key.name),
                "write a name",
            ))
        } else if found.iter().any(|known| known.value() == value) {
            let within = format!("{}(..)", key.name);
            Some((format!("duplicate `{value}` in `{within}`"), "keep one"))
        } else {
            None
        };
        match wrong {
            Some((message, help)) => {
                let error = Error::new(ErrorKind::Invalid, Extent::of(&text), message);
                errors.push(error.with_help(help));
            }
            None => found.push(text),
        }
    }
    (!found.is_empty()).then_some(Value::Texts(found))
}

fn arg(list: &MetaList, errors: &mut Vec<Error>) -> Option<Value> {
    list.parse_args_with(Expr::parse)
        .map_err(|error| errors.push(syntax(&error)))
        .ok()
        .map(Value::Expr)
}

/// Whether the parentheses contain keys (`a = b`, `a, b`) rather than one expression.
fn looks_like_list(list: &MetaList) -> bool {
    let second = list.tokens.clone().into_iter().nth(1);
    let third = list.tokens.clone().into_iter().nth(2);
    let is = |token: &Option<TokenTree>, c: char| matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == c);
    is(&second, ',') || (is(&second, '=') && !is(&third, '='))
}

fn pairs(
    list: &MetaList,
    key: &'static Key,
    names: &[&str],
    errors: &mut Vec<Error>,
) -> Vec<(LitStr, TokenStream)> {
    let mut found: Vec<(LitStr, TokenStream)> = Vec::new();
    let result = list.parse_args_with(|input: ParseStream<'_>| {
        while !input.is_empty() {
            let name: LitStr = input.parse()?;
            input.parse::<Token![=]>()?;
            let mut value = TokenStream::new();
            while !input.is_empty() && !input.peek(Token![,]) {
                value.extend([input.parse::<TokenTree>()?]);
            }
            if value.is_empty() {
                return Err(input.error("expected a value"));
            }
            input.parse::<Option<Token![,]>>()?;
            found.push((name, value));
        }
        Ok(())
    });
    if let Err(error) = result {
        errors.push(syntax(&error));
    }
    let mut seen: Vec<String> = Vec::new();
    found.retain(|(name, _)| {
        let text = name.value();
        let at = Extent::of(name);
        let within = format!("{}(..)", key.name);
        if seen.contains(&text) {
            let message = format!("duplicate `{text}` in `{within}`");
            errors.push(Error::new(ErrorKind::Invalid, at, message).with_help("keep one"));
            return false;
        }
        seen.push(text.clone());
        if names.is_empty() || names.contains(&text.as_str()) {
            return true;
        }
        let message = format!("`{text}` cannot differ between channels: it is not a validation");
        let help = match nearest(&text, names.iter().copied()) {
            Some(near) => format!("did you mean `\"{near}\"`?"),
            None => {
                let shown: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                format!("only {} may differ", alternatives(&shown))
            }
        };
        errors.push(Error::new(ErrorKind::GateContent, at, message).with_help(help));
        false
    });
    found
}
