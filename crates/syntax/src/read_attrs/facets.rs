//! The documentation and constraints of a schema node: docs, schemars' keys, validators, CEL rules.

use super::layer::Layer;
use super::reader::{Reader, text_of};
use crate::attrs::{FacetAttrs, With};
use crate::lower_syn::{expr, path, tokens, ty};
use crate::tree::Expr;
use crd_channels_diagnostics::{Code, Text};
use crd_channels_markers::{Entry, Extent, Value, without_groups};
use syn::Lit;

/// The facets that one layer sets on a schema node.
pub(super) fn facets(written: &Layer, reader: &mut Reader<'_>) -> FacetAttrs {
    let Layer {
        docs,
        deprecated,
        schemars,
        validate,
        garde,
        x_kube,
        kube: _,
        first_kube: _,
    } = written;
    let mut facets = FacetAttrs {
        doc: doc(docs),
        deprecated: *deprecated,
        ..FacetAttrs::default()
    };
    for entry in schemars {
        prose(entry, &mut facets, reader);
    }
    let mut validation = Validation::default();
    validation.add(schemars, Owner::Schemars, reader);
    validation.add(validate, Owner::Validate, reader);
    validation.add(garde, Owner::Garde, reader);
    validation.write(&mut facets);
    for Entry {
        key,
        item: _,
        value,
    } in x_kube
    {
        match (key.name, value) {
            ("validation" | "rule", Value::Expr(rule)) => {
                facets.rules.push(expr(reader.file, rule))
            }
            ("merge_strategy", Value::Expr(merge)) => {
                facets.merge = Some(expr(reader.file, merge));
            }
            _ => {}
        }
    }
    facets
}

/// Joins lines of documentation.
pub(super) fn doc(lines: &[String]) -> Option<Text> {
    (!lines.is_empty()).then(|| Text::from(lines.join("\n")))
}

/// `title`, `description`, `example`, `extend`.
fn prose(entry: &Entry, facets: &mut FacetAttrs, reader: &mut Reader<'_>) {
    match (entry.key.name, &entry.value) {
        ("title", Value::Expr(title)) => facets.title = Some(expr(reader.file, title)),
        ("description", Value::Expr(description)) => {
            facets.description = Some(expr(reader.file, description));
        }
        ("example", Value::Expr(example)) => {
            // schemars 0.8 takes the name of a function in quotes; schemars 1 does not.
            let called = quoted_path(example);
            facets
                .examples
                .push(expr(reader.file, called.as_ref().unwrap_or(example)));
        }
        ("extend", Value::Pairs(pairs)) => {
            for (name, value) in pairs {
                let key = text_of(name);
                let place = reader.place(Extent::of(name));
                if facets.extend.iter().any(|(known, _, _)| *known == key) {
                    reader.find(
                        Code::InvalidAttribute,
                        Extent::of(name),
                        format!("`{key}` is in two `extend(..)`"),
                        "keep one",
                    );
                } else {
                    let value = tokens(reader.file, value.clone());
                    facets.extend.push((key, value, place));
                }
            }
        }
        _ => {}
    }
}

/// A call of the function that a string names.
fn quoted_path(value: &syn::Expr) -> Option<syn::Expr> {
    let syn::Expr::Lit(syn::ExprLit {
        lit: Lit::Str(text),
        ..
    }) = without_groups(value)
    else {
        return None;
    };
    let path: syn::ExprPath = text.parse().ok()?;
    syn::parse2(quote::quote!(#path())).ok()
}

/// `with`, `schema_with`: the source of the schema.
pub(super) fn with(entries: &[Entry], reader: &mut Reader<'_>) -> Option<With> {
    let mut with = None;
    for Entry { key, item, value } in entries {
        let Value::Text(text) = value else {
            continue;
        };
        let found = match key.name {
            "with" => reader
                .parsed(text, "a type")
                .map(|found| With::Type(ty(reader.file, &found))),
            "schema_with" => reader
                .parsed(text, "a path")
                .map(|found| With::Function(path(reader.file, &found))),
            _ => continue,
        };
        if with.is_some() {
            exclusive(
                key.name,
                "another source of the schema",
                Extent::of(item),
                reader,
            );
        } else {
            with = found;
        }
    }
    with
}

/// `transform`: Rust code, kept as it is.
pub(super) fn transforms(entries: &[Entry], reader: &mut Reader<'_>) -> Vec<Expr> {
    let mut transforms = Vec::new();
    for Entry {
        key,
        item: _,
        value,
    } in entries
    {
        let ("transform", Value::Expr(value)) = (key.name, value) else {
            continue;
        };
        match without_groups(value) {
            syn::Expr::Lit(syn::ExprLit {
                lit: Lit::Str(text),
                ..
            }) => reader.find(
                Code::InvalidAttribute,
                Extent::of(text),
                "`transform` takes a function, not a string",
                format!("write `transform = {}`", text.value()),
            ),
            other => transforms.push(expr(reader.file, other)),
        }
    }
    transforms
}

/// `required`, in any of the three attributes.
pub(super) fn required(written: &Layer) -> bool {
    [&written.schemars, &written.validate, &written.garde]
        .into_iter()
        .flatten()
        .any(|entry| matches!(entry.key.name, "required" | "required_nested"))
}

fn exclusive(name: &str, other: &str, at: Extent, reader: &mut Reader<'_>) {
    reader.find(
        Code::InvalidAttribute,
        at,
        format!("`{name}` cannot be combined with {other}"),
        "keep one",
    );
}

/// The crate whose keys are read. schemars validates its own keys strictly, and uses those of the others only for keywords that
/// are still unset.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Owner {
    Schemars,
    Validate,
    Garde,
}

/// Constraints, each from the first attribute that sets it.
#[derive(Default)]
struct Validation {
    length: Option<Bounds>,
    range: Option<Bounds>,
    pattern: Option<(&'static str, Option<Expr>)>,
    format: Option<&'static str>,
    inner: Option<Box<Validation>>,
}

/// A lower and an upper bound.
#[derive(Default)]
struct Bounds {
    min: Option<Expr>,
    max: Option<Expr>,
}

impl Validation {
    fn add(&mut self, entries: &[Entry], owner: Owner, reader: &mut Reader<'_>) {
        for entry in entries {
            let name = entry.key.name;
            match (name, &entry.value) {
                ("length", Value::List(list)) => {
                    let bounds = bounds(list, owner, reader);
                    self.length.get_or_insert(bounds);
                }
                ("range", Value::List(list)) => {
                    let bounds = bounds(list, owner, reader);
                    self.range.get_or_insert(bounds);
                }
                ("pattern" | "regex" | "contains", value) => match self.pattern {
                    None => self.pattern = Some((name, pattern(name, value, reader))),
                    Some((other, _)) if owner == Owner::Schemars => {
                        exclusive(name, &format!("`{other}`"), entry.extent(), reader);
                    }
                    Some(_) => {}
                },
                ("email" | "url" | "ip" | "ipv4" | "ipv6", _) => match self.format {
                    None => self.format = Some(name),
                    Some(other) if owner == Owner::Schemars => {
                        exclusive(name, &format!("`{other}`"), entry.extent(), reader);
                    }
                    Some(_) => {}
                },
                ("inner", Value::List(list)) => {
                    self.inner.get_or_insert_default().add(list, owner, reader);
                }
                _ => {}
            }
        }
    }

    fn write(self, facets: &mut FacetAttrs) {
        let Self {
            length,
            range,
            pattern,
            format,
            inner,
        } = self;
        let length = length.unwrap_or_default();
        facets.min_length = length.min;
        facets.max_length = length.max;
        let range = range.unwrap_or_default();
        facets.minimum = range.min;
        facets.maximum = range.max;
        facets.pattern =
            pattern.and_then(|(name, value)| value.map(|value| (value, name == "contains")));
        facets.format = format.map(|name| Text::from(if name == "url" { "uri" } else { name }));
        facets.inner = inner.map(|inner| {
            let mut facets = FacetAttrs::default();
            inner.write(&mut facets);
            Box::new(facets)
        });
    }
}

/// `min`, `max`, or `equal` for both; the first one counts.
fn bounds(entries: &[Entry], owner: Owner, reader: &mut Reader<'_>) -> Bounds {
    let mut found = Bounds::default();
    let mut equal = false;
    for entry in entries {
        let Value::Expr(value) = &entry.value else {
            continue;
        };
        let Some(value) = reader.unquoted(value) else {
            continue;
        };
        let value = expr(reader.file, &value);
        let name = entry.key.name;
        let clashes = match name {
            "min" | "max" => equal,
            _ => found.min.is_some() || found.max.is_some(),
        };
        match name {
            _ if clashes => {
                if owner == Owner::Schemars {
                    let other = if equal { "`equal`" } else { "`min` or `max`" };
                    exclusive(name, other, entry.extent(), reader);
                }
            }
            "min" => found.min = Some(value),
            "max" => found.max = Some(value),
            _ => {
                equal = true;
                found.min = Some(value.clone());
                found.max = Some(value);
            }
        }
    }
    found
}

/// The expression of `pattern(..)`, `regex(..)` or `contains(..)`. A string is the pattern itself, except in
/// `regex(path = "..")` and `regex = ".."`, where it is a path.
fn pattern(name: &str, value: &Value, reader: &mut Reader<'_>) -> Option<Expr> {
    let (key, value) = match value {
        Value::Expr(value) => ("", value),
        Value::List(list) => list.iter().find_map(|entry| match &entry.value {
            Value::Expr(value) => Some((entry.key.name, value)),
            _ => None,
        })?,
        _ => return None,
    };
    if key == "path" || (name == "regex" && key.is_empty()) {
        let value = reader.unquoted(value)?;
        return Some(expr(reader.file, &value));
    }
    Some(expr(reader.file, without_groups(value)))
}
