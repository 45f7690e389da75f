//! Names of fields, types and variants in Rust's case.

use heck::{ToLowerCamelCase as _, ToSnakeCase as _, ToUpperCamelCase as _};
use std::collections::BTreeSet;

/// Words that cannot be raw identifiers.
const NEVER: [&str; 5] = ["crate", "self", "super", "Self", "_"];

/// Names of types that the files use, or that a reader takes for those of std and kube.
const TAKEN: &str = "ApiType Arc BTreeMap Box Clone Copy CustomResource Debug Default Deserialize Drop Eq Err Fn From Hash \
                     HashMap IntOrString Into Iterator JsonSchema KubeSchema ListMerge Map MapMerge Message None Ok Option Ord PartialEq PartialOrd \
                     Quantity Reason Result Rule Schema Self Send Serialize Some String StructMerge Value Vec";

/// Words that say too little alone.
const VAGUE: &str = "Action Add All Any Config Data Field Format From Group Item Key Kind Level List Metadata Method Mode Name \
                     Namespace Object Operation Operator Option Param Phase Policy Protocol Remove Set Spec State Status To \
                     Type Value";

/// The Rust name of a field, which may be a raw identifier.
pub(crate) fn field(property: &str) -> String {
    let snake = identifier(&in_ascii(property).to_snake_case(), "field_");
    match () {
        () if NEVER.contains(&&*snake) => format!("{snake}_"),
        () if is_keyword(&snake) => format!("r#{snake}"),
        () => snake,
    }
}

/// A word with spaces for what a name cannot have, so that words end there.
fn in_ascii(word: &str) -> String {
    word.replace(|c: char| !c.is_ascii(), " ")
}

fn is_keyword(name: &str) -> bool {
    // A keyword since the edition 2024, which syn takes for a name.
    name == "gen" || syn::parse_str::<syn::Ident>(name).is_err()
}

/// The name that serde gives a field of this Rust name under `rename_all = "camelCase"`.
pub(crate) fn camel_case(rust: &str) -> String {
    let rust = rust.strip_prefix("r#").unwrap_or(rust);
    let mut name = String::new();
    let mut upper = false;
    for c in rust.chars() {
        match c {
            '_' => upper = true,
            c if upper && !name.is_empty() => {
                name.push(c.to_ascii_uppercase());
                upper = false;
            }
            c => {
                name.push(c);
                upper = false;
            }
        }
    }
    name
}

/// A name in the case of types.
pub(crate) fn of_type(word: &str) -> String {
    in_type_case(word, "T")
}

/// A word in the case of types, after a prefix if it would be no name.
fn in_type_case(word: &str, prefix: &str) -> String {
    let name = identifier(&in_ascii(word).to_upper_camel_case(), prefix);
    match NEVER.contains(&&*name) {
        true => format!("{prefix}{name}"),
        false => name,
    }
}

/// The name of a kind as a type: itself, if it can be one.
pub(crate) fn of_kind(kind: &str) -> String {
    match is_type_case(kind) {
        true => kind.to_owned(),
        false => of_type(kind),
    }
}

/// The name of the elements of a list or a map with this name.
pub(crate) fn singular(name: &str) -> String {
    let cut = |end: usize| name[..name.len() - end].to_owned();
    match name {
        _ if name.len() < 4 => name.to_owned(),
        _ if name.ends_with("Series") => name.to_owned(),
        _ if name.ends_with("ies") => cut(3) + "y",
        _ if [
            "sses", "iases", "shes", "tches", "rches", "nches", "xes", "uses", "zzes",
        ]
        .iter()
        .any(|end| name.ends_with(end)) =>
        {
            cut(2)
        }
        _ if ["ss", "us", "is"].iter().any(|end| name.ends_with(end)) => name.to_owned(),
        _ if name.ends_with('s') => cut(1),
        _ => name.to_owned(),
    }
}

/// Whether a name can be a type's only word.
pub(crate) fn is_vague(name: &str) -> bool {
    name.len() < 3 || VAGUE.split(' ').any(|word| word == name)
}

/// Whether a name cannot be a type's.
pub(crate) fn is_taken(name: &str) -> bool {
    TAKEN.split(' ').any(|word| word == name)
}

/// The names of variants for these values: different ones, in the case of types.
pub(crate) fn variants(values: &[&str]) -> Vec<String> {
    let mut used = BTreeSet::new();
    let names = values.iter().map(|value| {
        let name = match *value {
            "" => "Empty".to_owned(),
            // A value in the case of types is its own name.
            value if is_type_case(value) => value.to_owned(),
            value => variant(value),
        };
        distinct(name, &mut used)
    });
    names.collect()
}

fn variant(value: &str) -> String {
    let is_digit = |at: Option<usize>| {
        let byte = at.and_then(|at| value.as_bytes().get(at));
        byte.is_some_and(u8::is_ascii_digit)
    };
    let spelt: String = value
        .char_indices()
        .flat_map(|(at, c)| {
            let word = match c {
                '+' => " Plus ",
                '-' if value.len() == 1 || value.starts_with('-') => " Minus ",
                '*' => " Star ",
                '<' => " Less ",
                '>' => " Greater ",
                '=' => " Equal ",
                '!' => " Not ",
                '%' => " Percent ",
                '&' => " And ",
                '|' => " Or ",
                // Digits on both sides of a point stay apart.
                '.' if is_digit(at.checked_sub(1)) && is_digit(Some(at + 1)) => " Dot ",
                _ => return vec![c],
            };
            word.chars().collect()
        })
        .collect();
    in_type_case(&spelt, "V")
}

/// Appends a number if a name is used already.
pub(crate) fn distinct(name: String, used: &mut BTreeSet<String>) -> String {
    let mut number = 1;
    let mut candidate = name.clone();
    while !used.insert(candidate.clone()) {
        number += 1;
        candidate = format!("{name}{number}");
    }
    candidate
}

fn is_type_case(value: &str) -> bool {
    let mut chars = value.chars();
    chars.next().is_some_and(|c| c.is_ascii_uppercase())
        && chars.all(|c| c.is_ascii_alphanumeric())
        && !NEVER.contains(&value)
}

/// A word in the case of functions and modules.
pub(crate) fn in_snake_case(word: &str) -> String {
    identifier(&in_ascii(word).to_snake_case(), "m_")
}

/// The name of a module.
pub(crate) fn module(word: &str) -> String {
    let name = in_snake_case(word);
    match is_keyword(&name) || ["reading", "root", "schemas", "shared"].contains(&&*name) {
        true => format!("{name}_"),
        false => name,
    }
}

/// A name for a feature.
pub(crate) fn feature(word: &str) -> String {
    let name: String = match is_type_case(word) {
        true => word.to_owned(),
        false => word.to_lower_camel_case().to_upper_camel_case(),
    };
    let name: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    match name.starts_with(|c: char| c.is_ascii_uppercase()) {
        true => name,
        false => format!("Feature{name}"),
    }
}

/// Keeps what an identifier may contain, after a prefix if it would not begin with a letter.
fn identifier(name: &str, prefix: &str) -> String {
    let kept: String = name
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || c == '_' {
                c
            } else {
                '_'
            }
        })
        .collect();
    match kept.starts_with(|c: char| c.is_ascii_alphabetic()) {
        true => kept,
        false => format!("{prefix}{kept}"),
    }
}
