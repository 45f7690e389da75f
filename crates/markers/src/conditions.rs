//! `#[conditions]`, `#[condition]` and `#[reason]`: an enum whose variants are condition types, and the enums of their reasons
//! (GEP-1364, "Condition polarity").

use crate::check::{condition_type, condition_word};
use crate::declared::{attribute, declaration, entry, path, text_entry, variants, wrong};
use crate::entries::Entry;
use crate::error::{Error, Extent};
use crate::node::{self, Gate};
use crate::suggest::nearest;
use syn::ext::IdentExt;
use syn::{DeriveInput, Fields, Ident, LitStr, Path, Type, Variant};

/// The status of a condition on a healthy object.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Polarity {
    /// `True`
    Positive,
    /// `False`
    Negative,
}

/// An enum of conditions.
#[derive(Clone, Default)]
pub struct Conditions {
    /// `domain = ".."`
    pub domain: Option<LitStr>,
    /// `crate = path`: the runtime.
    pub runtime: Option<Path>,
    /// The types that are declared without errors, in source order.
    pub types: Vec<Condition>,
}

/// A condition type.
#[derive(Clone)]
pub struct Condition {
    /// The serialized type, with the domain if there is one.
    pub name: String,
    /// The variant.
    pub variant: Ident,
    /// The status on a healthy object.
    pub polarity: Polarity,
    /// `optional`
    pub optional: bool,
    /// The type of its reasons.
    pub reasons: Type,
    /// The variant that replaces it, and the bundle that will remove it, if it is deprecated.
    pub replaced: Option<Replaced>,
    /// The doc comment, lines joined.
    pub docs: String,
    /// The gate on it.
    pub gate: Option<Gate>,
}

/// The replacement of a deprecated type.
#[derive(Clone)]
pub struct Replaced {
    /// `replaced_by`: the variant.
    pub by: LitStr,
    /// `until`: the bundle that will remove the type.
    pub until: LitStr,
}

/// Reads an enum of conditions. Invalid variants are reported and left out.
pub fn conditions(input: &DeriveInput, errors: &mut Vec<Error>) -> Conditions {
    let Some(variants) = variants(input, "Conditions", errors) else {
        return Conditions::default();
    };
    let before = errors.len();
    let site = node::type_site(input);
    let on_enum = attribute(&input.attrs, "conditions", site, errors);
    let domain = on_enum
        .as_deref()
        .and_then(|found| text_entry(found, "domain"));
    let mut types: Vec<Condition> = Vec::new();
    for variant in variants {
        let Some(found) = condition(variant, domain.as_ref(), errors) else {
            continue;
        };
        if types.iter().any(|known| known.name == found.name) {
            let message = format!("two variants have the condition type `{}`", found.name);
            wrong(errors, Extent::of(&variant.ident), message, "keep one");
        } else {
            types.push(found);
        }
    }
    // A variant left out for another error would be reported as missing.
    if errors.len() == before {
        check_replaced(&types, errors);
    }
    Conditions {
        domain,
        runtime: on_enum.and_then(|found| path(&found, "crate")),
        types,
    }
}

fn condition(
    variant: &Variant,
    domain: Option<&LitStr>,
    errors: &mut Vec<Error>,
) -> Option<Condition> {
    let before = errors.len();
    let ident = &variant.ident;
    let at = Extent::of(ident);
    let found = declaration(variant, "condition", "condition(positive)", errors);
    let reasons = match &variant.fields {
        Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
            fields.unnamed.first().map(|only| only.ty.clone())
        }
        _ => {
            let message = format!("`{ident}` has no reasons");
            let help = format!("write `{ident}(..)`, with an enum that derives `Reasons`");
            wrong(errors, at, message, help);
            None
        }
    };
    let found = found.filter(|found| found.is_whole)?;
    let polarity = polarity(&found.entries, ident, errors);
    let optional = entry(&found.entries, "optional");
    if let (Some(Polarity::Negative), Some(optional)) = (polarity, optional) {
        let message = "a negative condition is only present while it is true";
        wrong(errors, optional.extent(), message, "remove `optional`");
    }
    let own = found.name(ident);
    let name = match domain {
        Some(domain) => format!("{}/{}", domain.value(), own.0),
        None => own.0.clone(),
    };
    if let Err((message, help)) = condition_word(&own.0).and_then(|()| condition_type(&name)) {
        wrong(errors, own.1, message, help);
    }
    let (by, until) = (
        text_entry(&found.entries, "replaced_by"),
        text_entry(&found.entries, "until"),
    );
    let replaced = match (by, until) {
        (Some(by), Some(until)) => Some(Replaced { by, until }),
        (Some(by), None) => {
            let message = format!("`{ident}` has no removal bundle");
            let help = "add `until = \"v..\"`, the bundle that will remove it";
            wrong(errors, Extent::of(&by), message, help);
            None
        }
        (None, Some(until)) => {
            let message = format!("`{ident}` has no replacement");
            let help = "add `replaced_by = \"..\"`, the variant that replaces it";
            wrong(errors, Extent::of(&until), message, help);
            None
        }
        (None, None) => None,
    };
    (errors.len() == before).then_some(Condition {
        name,
        variant: ident.clone(),
        polarity: polarity?,
        optional: optional.is_some(),
        reasons: reasons?,
        replaced,
        docs: found.docs,
        gate: found.gate,
    })
}

fn polarity(entries: &[Entry], ident: &Ident, errors: &mut Vec<Error>) -> Option<Polarity> {
    match (entry(entries, "positive"), entry(entries, "negative")) {
        (Some(_), None) => Some(Polarity::Positive),
        (None, Some(_)) => Some(Polarity::Negative),
        (Some(first), Some(second)) => {
            let message = format!("`{ident}` has two polarities");
            let extent = Extent {
                start: first.extent().start,
                end: second.extent().end,
            };
            wrong(errors, extent, message, "keep one");
            None
        }
        (None, None) => {
            let message = format!("`{ident}` has no polarity");
            let help = "write `#[condition(positive)]` or `#[condition(negative)]`";
            wrong(errors, Extent::of(ident), message, help);
            None
        }
    }
}

/// Checks that deprecated types are replaced by other types that are not deprecated.
fn check_replaced(types: &[Condition], errors: &mut Vec<Error>) {
    for of in types {
        let Some(Replaced { by, .. }) = &of.replaced else {
            continue;
        };
        let name = by.value();
        let known = types.iter().find(|other| other.variant.unraw() == name);
        let at = Extent::of(by);
        match known {
            Some(other) if other.variant == of.variant => {
                let message = format!("`{name}` cannot replace itself");
                wrong(errors, at, message, "name the variant that replaces it");
            }
            Some(other) if other.replaced.is_some() => {
                let message = format!("`{name}` is deprecated itself");
                wrong(errors, at, message, "name the variant that replaces both");
            }
            Some(_) => {}
            None => {
                let names: Vec<String> = types
                    .iter()
                    .map(|of| of.variant.unraw().to_string())
                    .collect();
                let help = match nearest(&name, names.iter().map(String::as_str)) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "name a variant of this enum".to_owned(),
                };
                let message = format!("unknown condition `{name}`");
                wrong(errors, at, message, help);
            }
        }
    }
}
