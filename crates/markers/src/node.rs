//! Reads the attributes of a node as plain values, and visits all nodes of a type.

use crate::crd::Crd;
use crate::entries::{Entry, Value, entries, missing};
use crate::error::{Error, ErrorKind, Extent};
use crate::grammar::{Attribute as Grammar, Key, Site, Target, targets};
use crate::item::items;
use crate::marks;
use crate::suggest::alternatives;
use crate::tables::ATTRIBUTES;
use crate::{Item, RESERVED_FEATURE};
use syn::ext::IdentExt;
use syn::{Attribute, Data, DataUnion, DeriveInput, Field, Fields, LitStr, Meta, MetaList};

/// The condition on a node, or on one of its attributes: it exists only if the feature is on (or off).
///
/// Texts and spans are parameters, as for all attributes that outlive their tokens: syn's types, or those that a reader
/// converts them to.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct Gate<T = String, S = Extent> {
    /// The feature; `unnamed` if none is named.
    pub feature: T,
    /// `true` for `#[experimental]`, `false` for `#[not_experimental]`.
    pub on: bool,
    /// The attribute, `#` to `]`.
    pub span: S,
}

/// Content that depends on a gate.
#[derive(Clone)]
pub struct Conditional {
    /// The gate.
    pub gate: Gate,
    /// Lines of its doc comment.
    pub docs: Vec<LitStr>,
    /// `schemars(..)`, `validate(..)`, `garde(..)`, `x_kube(..)`, `kube(..)`, in source order, validated.
    pub contents: Vec<MetaList>,
}

/// A reserved name: a serialized name that was used and must not be used again.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Tombstone<T = LitStr, S = Extent> {
    /// The name.
    pub name: T,
    /// The bundle that removed it.
    pub removed: T,
    /// Why it was removed.
    pub reason: T,
    /// The attribute, `#` to `]`.
    pub span: S,
}

/// Our attributes on one node.
#[derive(Clone, Default)]
pub struct NodeAttrs {
    /// The gate of the node itself.
    pub gate: Option<Gate>,
    /// The gate of the status of a kind, `kube(status)`.
    pub status_gate: Option<Gate>,
    /// The conditional content, in source order.
    pub conditionals: Vec<Conditional>,
    /// Tombstones, in source order.
    pub tombstones: Vec<Tombstone>,
    /// `#[crd(..)]`, merged.
    pub crd: Crd,
    /// The first of our attributes, if there is one.
    pub first: Option<Extent>,
}

/// Reads our attributes among those of one node. Invalid ones are reported and left out.
pub fn read_node(attrs: &[Attribute], site: Site, errors: &mut Vec<Error>) -> NodeAttrs {
    let mut node = NodeAttrs::default();
    let mut crd = Vec::new();
    for attr in attrs {
        let grammar = ATTRIBUTES
            .iter()
            .find(|grammar| attr.path().is_ident(grammar.name));
        let Some(grammar) = grammar else {
            continue;
        };
        let extent = Extent::of(attr);
        node.first.get_or_insert(extent);
        if !is_allowed(grammar, site, extent, errors) {
            continue;
        }
        let before = errors.len();
        let within = format!("#[{}(..)]", grammar.name);
        let inside = arguments(attr, grammar, extent, errors);
        let mut fresh = Vec::new();
        let into = if grammar.repeats {
            &mut fresh
        } else {
            &mut crd
        };
        entries(inside, &within, grammar.keys, site, into, errors);
        let whole = errors.len() == before;
        match grammar.name {
            "tombstone" => {
                if whole {
                    missing(&fresh, &within, grammar.keys, extent, errors);
                }
                if let Some(tombstone) = tombstone(fresh, extent) {
                    add_tombstone(tombstone, &mut node.tombstones, errors);
                }
            }
            "experimental" | "not_experimental" => {
                let on = grammar.name == "experimental";
                let status = status_key(&fresh);
                let conditional = conditional(fresh, on, extent);
                if let Some(key) = status.filter(|_| whole) {
                    gate_status(key, &conditional.gate, attrs, &mut node.status_gate, errors);
                }
                if !whole {
                    // Passing on partly invalid content would only cause further errors.
                } else if !conditional.docs.is_empty() || !conditional.contents.is_empty() {
                    node.conditionals.push(conditional);
                } else {
                    set_gate(conditional.gate, grammar, site, &mut node.gate, errors);
                }
            }
            _ => {}
        }
    }
    node.crd = marks::crd(crd, errors);
    node
}

/// Whether the attribute, or any of its keys, is allowed there.
fn is_allowed(grammar: &Grammar, site: Site, extent: Extent, errors: &mut Vec<Error>) -> bool {
    let keys = grammar.keys.keys;
    if grammar.bare.contains(&site.target) || keys.iter().any(|key| key.fits(site)) {
        return true;
    }
    let (root, free): (Vec<&Key>, Vec<&Key>) = keys.iter().partition(|key| key.root);
    let anywhere: Vec<Target> = free.iter().flat_map(|key| key.at).copied().collect();
    let mut at: Vec<String> = Vec::new();
    // If an attribute is allowed on all types, types of kinds need no mention.
    if !root.is_empty() && !Target::TYPES.iter().all(|target| anywhere.contains(target)) {
        at.push(targets(Target::TYPES, true));
    }
    if !anywhere.is_empty() {
        at.push(targets(&anywhere, false));
    }
    let message = format!("`{}` is not allowed on {}", grammar.name, site.target);
    let help = format!("it is allowed on {}", alternatives(&at));
    errors.push(Error::new(ErrorKind::Invalid, extent, message).with_help(help));
    false
}

/// Parses the items in an attribute's parentheses.
pub(crate) fn arguments(
    attr: &Attribute,
    grammar: &Grammar,
    extent: Extent,
    errors: &mut Vec<Error>,
) -> Vec<Item> {
    let name = grammar.name;
    let bare = !grammar.bare.is_empty();
    let keys = grammar.keys.keys;
    let example: Vec<String> = keys
        .iter()
        .filter(|key| key.required)
        .map(ToString::to_string)
        .collect();
    let example = match (keys.first(), example.is_empty()) {
        (Some(first), true) => first.to_string(),
        _ => example.join(", "),
    };
    let (message, help) = match &attr.meta {
        Meta::List(list) if list.tokens.is_empty() => {
            let help = if bare {
                format!("write `#[{name}]`")
            } else {
                format!("write `#[{name}({example})]`")
            };
            (format!("`#[{name}()]` has no effect"), help)
        }
        Meta::List(list) => return items(list, errors),
        Meta::Path(_) if bare => return Vec::new(),
        Meta::Path(_) => (
            format!("`#[{name}]` has no effect"),
            format!("write `#[{name}({example})]`"),
        ),
        Meta::NameValue(_) => (
            format!("`#[{name}]` takes keys in parentheses"),
            format!("write `#[{name}({example})]`"),
        ),
    };
    errors.push(Error::new(ErrorKind::Invalid, extent, message).with_help(help));
    Vec::new()
}

/// The text of `#[doc = ".."]`, without the leading space of a comment.
pub(crate) fn doc_line(attr: &Attribute) -> Option<String> {
    let text = crate::entries::text_value(&attr.meta.require_name_value().ok()?.value)?.value();
    Some(text.strip_prefix(' ').unwrap_or(&text).to_owned())
}

/// A text among entries.
fn text_entry(entries: &[Entry], name: &str) -> Option<LitStr> {
    entries.iter().find_map(|entry| match &entry.value {
        Value::Text(text) if entry.key.name == name => Some(text.clone()),
        _ => None,
    })
}

fn tombstone(entries: Vec<Entry>, extent: Extent) -> Option<Tombstone> {
    Some(Tombstone {
        name: text_entry(&entries, "name")?,
        removed: text_entry(&entries, "removed")?,
        reason: text_entry(&entries, "reason")?,
        span: extent,
    })
}

/// Adds a tombstone, unless the name has one already.
fn add_tombstone(tombstone: Tombstone, tombstones: &mut Vec<Tombstone>, errors: &mut Vec<Error>) {
    let name = tombstone.name.value();
    if tombstones.iter().any(|known| known.name.value() == name) {
        let message = format!("`{name}` has two tombstones");
        errors.push(
            Error::new(ErrorKind::Invalid, tombstone.span, message).with_help("keep the older one"),
        );
    } else {
        tombstones.push(tombstone);
    }
}

fn conditional(entries: Vec<Entry>, on: bool, extent: Extent) -> Conditional {
    let mut conditional = Conditional {
        gate: Gate {
            feature: RESERVED_FEATURE.to_owned(),
            on,
            span: extent,
        },
        docs: Vec::new(),
        contents: Vec::new(),
    };
    for Entry { key, item, value } in entries {
        match (key.name, item, value) {
            ("feature", _, Value::Text(text)) => conditional.gate.feature = text.value(),
            ("doc", _, Value::Text(text)) => conditional.docs.push(text),
            (_, Item::List(list), _) => conditional.contents.push(list),
            _ => {}
        }
    }
    conditional
}

/// The key `status` of `kube(..)` among the entries of a gate.
fn status_key(entries: &[Entry]) -> Option<Extent> {
    let lists = entries.iter().filter_map(|entry| match &entry.value {
        Value::List(keys) if entry.key.name == "kube" => Some(keys),
        _ => None,
    });
    let mut keys = lists.flatten();
    let status = keys.find(|key| key.key.name == "status")?;
    Some(status.extent())
}

/// Sets the gate of the status, if the kind has one and the gate is the first. `attrs` are all attributes of the kind.
fn gate_status(
    key: Extent,
    gate: &Gate,
    attrs: &[Attribute],
    slot: &mut Option<Gate>,
    errors: &mut Vec<Error>,
) {
    let kube = attrs.iter().filter(|attr| attr.path().is_ident("kube"));
    let lists = kube.filter_map(|attr| attr.meta.require_list().ok());
    let mut keys = lists.flat_map(|list| items(list, &mut Vec::new()));
    if !keys.any(|key| key.name().as_deref() == Some("status")) {
        let message = "`kube(status)` gates the status of the kind, which has none";
        let help = "add `status = \"..\"` to `#[kube(..)]`";
        errors.push(Error::new(ErrorKind::Invalid, key, message).with_help(help));
    } else if slot.is_some() {
        let message = "this is the second gate of the status";
        errors.push(Error::new(ErrorKind::TwoGates, key, message).with_help("keep one"));
    } else {
        *slot = Some(gate.clone());
    }
}

/// Sets the gate of the node, if it is allowed there and is the first.
fn set_gate(
    gate: Gate,
    grammar: &Grammar,
    site: Site,
    slot: &mut Option<Gate>,
    errors: &mut Vec<Error>,
) {
    let name = grammar.name;
    if !grammar.bare.contains(&site.target) {
        errors.push(
            Error::new(
                ErrorKind::Invalid,
                gate.span,
                format!("`#[{name}]` is not allowed on {}", site.target),
            )
            .with_help(format!(
                "gate the type or the variant, or name the gated keywords: `#[{name}(schemars(..))]`"
            )),
        );
    } else if slot.is_some() {
        errors.push(
            Error::new(
                ErrorKind::TwoGates,
                gate.span,
                format!("this is the second gate of one node: {}", site.target),
            )
            .with_help("keep one; if both are meant, move the node into a type of its own and gate that by the other"),
        );
    } else {
        *slot = Some(gate);
    }
}

/// Whether a type is the type of a kind, with `#[kube(..)]`.
#[must_use]
pub fn is_root(attrs: &[Attribute]) -> bool {
    attrs.iter().any(|attr| attr.path().is_ident("kube"))
}

/// The site of a type's own attributes.
#[must_use]
pub fn type_site(input: &DeriveInput) -> Site {
    let target = match &input.data {
        Data::Struct(data) => match data.fields {
            Fields::Named(_) => Target::Struct,
            Fields::Unnamed(_) | Fields::Unit => Target::Tuple,
        },
        Data::Enum(_) => Target::Enum,
        Data::Union(_) => Target::Tuple,
    };
    Site {
        target,
        root: is_root(&input.attrs),
    }
}

/// The site of a field's attributes.
#[must_use]
pub fn field_site(field: &Field, in_variant: bool) -> Site {
    let target = match (&field.ident, in_variant) {
        (None, _) => Target::TupleField,
        (Some(_), true) => Target::VariantField,
        (Some(_), false) => Target::Field,
    };
    Site {
        target,
        root: false,
    }
}

/// The site of a variant's attributes.
pub const VARIANT_SITE: Site = Site {
    target: Target::Variant,
    root: false,
};

/// Reads our attributes on a type, its variants and its fields, in source order. Each node has its name in Rust, such as
/// `timeouts` or `Path.value`; that of the type is empty.
#[must_use]
pub fn read_type(input: &DeriveInput, errors: &mut Vec<Error>) -> Vec<(String, NodeAttrs)> {
    let of_type = read_node(&input.attrs, type_site(input), errors);
    let mut nodes = vec![(String::new(), of_type)];
    match &input.data {
        Data::Struct(data) => read_fields(&data.fields, None, &mut nodes, errors),
        Data::Enum(data) => {
            for variant in &data.variants {
                let name = variant.ident.unraw().to_string();
                let of_variant = read_node(&variant.attrs, VARIANT_SITE, errors);
                nodes.push((name.clone(), of_variant));
                read_fields(&variant.fields, Some(&name), &mut nodes, errors);
            }
        }
        Data::Union(data) => errors.push(union_error(data)),
    }
    nodes
}

fn read_fields(
    fields: &Fields,
    variant: Option<&str>,
    nodes: &mut Vec<(String, NodeAttrs)>,
    errors: &mut Vec<Error>,
) {
    for (number, field) in fields.iter().enumerate() {
        let own = match &field.ident {
            Some(name) => name.unraw().to_string(),
            None => number.to_string(),
        };
        let name = match variant {
            Some(variant) => format!("{variant}.{own}"),
            None => own,
        };
        let site = field_site(field, variant.is_some());
        nodes.push((name, read_node(&field.attrs, site, errors)));
    }
}

/// The error for a union.
#[must_use]
pub fn union_error(union: &DataUnion) -> Error {
    Error::new(
        ErrorKind::Invalid,
        Extent::of(&union.union_token),
        "a union cannot be part of an API",
    )
    .with_help("write an enum")
}
