//! Common parts of enums of conditions and enums of reasons, whose variants are serialized as words.

use crate::declarations::DECLARATIONS;
use crate::entries::{Entry, Value, entries};
use crate::error::{Error, ErrorKind, Extent};
use crate::grammar::Site;
use crate::node::{self, Gate, VARIANT_SITE};
use syn::ext::IdentExt;
use syn::{Attribute, Data, DeriveInput, Ident, LitStr, Path, Variant};

/// The name of a constant for a CamelCase name: `TLS_MODE` for `TLSMode`.
#[must_use]
pub fn constant_name(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let mut made = String::with_capacity(name.len() + 4);
    for (place, letter) in letters.iter().enumerate() {
        let before = place.checked_sub(1).and_then(|place| letters.get(place));
        let after = letters.get(place + 1);
        let begins = letter.is_uppercase()
            && before.is_some_and(|before| {
                let ends = before.is_lowercase() || before.is_ascii_digit();
                ends || (before.is_uppercase() && after.is_some_and(|after| after.is_lowercase()))
            });
        if begins {
            made.push('_');
        }
        made.extend(letter.to_uppercase());
    }
    made
}

/// The variants of an enum, if it is one that the derives support.
pub(crate) fn variants<'i>(
    input: &'i DeriveInput,
    derive: &str,
    errors: &mut Vec<Error>,
) -> Option<impl Iterator<Item = &'i Variant> + use<'i>> {
    let at = Extent::of(&input.ident);
    let (message, help) = match &input.data {
        Data::Enum(_) if !input.generics.params.is_empty() => (
            format!("`{derive}` cannot be derived for an enum with parameters"),
            "remove the parameters",
        ),
        Data::Enum(data) if data.variants.is_empty() => (
            format!("`{derive}` cannot be derived for an enum without variants"),
            "declare a variant",
        ),
        Data::Enum(data) => return Some(data.variants.iter()),
        _ => (
            format!("`{derive}` can be derived for an enum only"),
            "write an enum",
        ),
    };
    wrong(errors, at, message, help);
    None
}

/// The attributes of a variant that is serialized as a word.
pub(crate) struct Declaration {
    pub(crate) entries: Vec<Entry>,
    /// Whether they have no errors.
    pub(crate) is_whole: bool,
    pub(crate) docs: String,
    pub(crate) gate: Option<Gate>,
}

impl Declaration {
    /// The serialized word, and the tokens that set it.
    pub(crate) fn name(&self, ident: &Ident) -> (String, Extent) {
        match text_entry(&self.entries, "name") {
            Some(name) => (name.value(), Extent::of(&name)),
            None => (ident.unraw().to_string(), Extent::of(ident)),
        }
    }
}

/// Reads a variant, which needs one of our attributes and a doc comment.
pub(crate) fn declaration(
    variant: &Variant,
    name: &'static str,
    example: &str,
    errors: &mut Vec<Error>,
) -> Option<Declaration> {
    let ident = &variant.ident;
    let at = Extent::of(ident);
    let docs = docs(&variant.attrs);
    if docs.is_empty() {
        let message = format!("`{ident}` has no documentation");
        let help = "write a doc comment: users read it in `kubectl explain`";
        wrong(errors, at, message, help);
    }
    let node = node::read_node(&variant.attrs, VARIANT_SITE, errors);
    if let Some(conditional) = node.conditionals.first() {
        let message = format!("a gate on a {name} applies to all of it");
        let help = "keep only `feature = \"..\"` in the parentheses";
        wrong(errors, conditional.gate.span, message, help);
    }
    let before = errors.len();
    let entries = attribute(&variant.attrs, name, VARIANT_SITE, errors);
    let is_whole = errors.len() == before;
    if entries.is_none() {
        let message = format!("`{ident}` has no `#[{name}(..)]`");
        wrong(errors, at, message, format!("write `#[{example}]`"));
    }
    Some(Declaration {
        entries: entries?,
        is_whole,
        docs,
        gate: node.gate,
    })
}

/// The entries of all attributes with a name; `None` if there is no such attribute.
pub(crate) fn attribute(
    attrs: &[Attribute],
    name: &str,
    site: Site,
    errors: &mut Vec<Error>,
) -> Option<Vec<Entry>> {
    let grammar = DECLARATIONS.iter().find(|grammar| grammar.name == name)?;
    let within = format!("#[{name}(..)]");
    let mut found = None;
    for attr in attrs.iter().filter(|attr| attr.path().is_ident(name)) {
        let inside = node::arguments(attr, grammar, Extent::of(attr), errors);
        let into = found.get_or_insert_with(Vec::new);
        entries(inside, &within, grammar.keys, site, into, errors);
    }
    found
}

/// The lines of a doc comment, without the leading space of each.
fn docs(attrs: &[Attribute]) -> String {
    let lines: Vec<String> = attrs
        .iter()
        .filter(|attr| attr.path().is_ident("doc"))
        .filter_map(node::doc_line)
        .collect();
    lines.join("\n").trim().to_owned()
}

pub(crate) fn entry<'e>(entries: &'e [Entry], name: &str) -> Option<&'e Entry> {
    entries.iter().find(|entry| entry.key.name == name)
}

pub(crate) fn text_entry(entries: &[Entry], name: &str) -> Option<LitStr> {
    match &entry(entries, name)?.value {
        Value::Text(text) => Some(text.clone()),
        _ => None,
    }
}

pub(crate) fn path(entries: &[Entry], name: &str) -> Option<Path> {
    match &entry(entries, name)?.value {
        Value::Path(path) => Some(path.clone()),
        _ => None,
    }
}

pub(crate) fn wrong(
    errors: &mut Vec<Error>,
    at: Extent,
    message: impl Into<String>,
    help: impl Into<String>,
) {
    errors.push(Error::new(ErrorKind::Invalid, at, message).with_help(help));
}

#[cfg(test)]
mod tests {
    use super::constant_name;

    #[test]
    fn constants_keep_the_words_of_a_name() {
        for (name, constant) in [
            ("Accepted", "ACCEPTED"),
            ("ResolvedRefs", "RESOLVED_REFS"),
            ("TLSMode", "TLS_MODE"),
            ("InvalidTLS", "INVALID_TLS"),
            ("Http2Only", "HTTP2_ONLY"),
            ("A", "A"),
        ] {
            assert_eq!(constant_name(name), constant);
        }
    }
}
