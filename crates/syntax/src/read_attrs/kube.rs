//! `#[kube(..)]`, which turns a type into the type of a kind.

use super::facets as documentation;
use super::json::{columns_from_json, scale_from_json};
use super::layer::{Layer, doc_line};
use super::reader::{Reader, text_of};
use crate::attrs::{KubeAttrs, SchemaMode};
use crate::known::macros::is_built_in;
use crate::lower_syn::{expr, lines, path};
use crate::tree::Expr;
use crd_channels_diagnostics::{Code, Spanned, Text};
use crd_channels_markers::{Convert, Entry, Extent, Value};
use crd_channels_schema::draft::{Conditional, Deprecation, KindFacets};
use crd_channels_schema::{Column, Scale};
use syn::{ExprLit, Lit, LitStr, Meta, MetaNameValue, Path};

/// The unconditional attributes. The caller adds the conditional ones.
pub(super) fn kube(written: &Layer, reader: &mut Reader<'_>) -> Option<KubeAttrs> {
    let first = written.first_kube?;
    let mut attrs = KubeAttrs {
        span: reader.place(first),
        group: None,
        version: None,
        kind: None,
        singular: None,
        plural: None,
        namespaced: false,
        root: None,
        status: None,
        status_gate: None,
        annotations: Vec::new(),
        labels: Vec::new(),
        storage: true,
        served: true,
        schema: SchemaMode::Derived,
        no_spec: false,
        more_doc: None,
        root_macros: Vec::new(),
        facets: Conditional {
            always: facets(&written.kube, reader),
            when: Vec::new(),
        },
    };
    let derives = |entry: &Entry| entry.key.name == "derive";
    let helps = written.kube.iter().any(derives);
    let mut docs = Vec::new();
    for entry in &written.kube {
        match (entry.key.name, &entry.value) {
            ("attr", Value::Text(attribute)) => match root_attribute(attribute, helps, reader) {
                Some(RootAttribute::Doc(line)) => docs.push(line),
                Some(RootAttribute::Macro(name)) => attrs.root_macros.push(name),
                None => {}
            },
            ("group", Value::Text(name)) => attrs.group = Some(reader.text(name)),
            ("version", Value::Text(name)) => attrs.version = Some(reader.text(name)),
            ("kind", Value::Text(name)) => attrs.kind = Some(reader.text(name)),
            ("singular", Value::Text(name)) => attrs.singular = Some(reader.text(name)),
            ("plural", Value::Text(name)) => attrs.plural = Some(reader.text(name)),
            ("root" | "struct", Value::Text(name)) => attrs.root = Some(reader.text(name)),
            ("namespaced", Value::Bool(flag)) => attrs.namespaced = *flag,
            ("storage", Value::Bool(flag)) => attrs.storage = *flag,
            ("served", Value::Bool(flag)) => attrs.served = *flag,
            ("no_spec", Value::Bool(flag)) => attrs.no_spec = *flag,
            ("status", Value::Path(status)) => attrs.status = Some(path(reader.file, status)),
            ("annotation", Value::Pair(name, value)) => {
                attrs.annotations.push((text_of(name), text_of(value)));
            }
            ("label", Value::Pair(name, value)) => {
                attrs.labels.push((text_of(name), text_of(value)))
            }
            ("schema", Value::Text(mode)) => {
                attrs.schema = match mode.value().as_str() {
                    "manual" => SchemaMode::Manual,
                    "disabled" => SchemaMode::Disabled,
                    _ => SchemaMode::Derived,
                };
            }
            // `cel`, `derive` and `crates` only affect Rust's root type. The others are facets.
            _ => {}
        }
    }
    attrs.more_doc = documentation::doc(&docs);
    Some(attrs)
}

/// Attributes of the root type that do not affect its schema.
const HARMLESS: [&str; 9] = [
    "allow",
    "automatically_derived",
    "deny",
    "deprecated",
    "expect",
    "forbid",
    "must_use",
    "non_exhaustive",
    "warn",
];

/// What an attribute of the root type may change.
enum RootAttribute {
    /// A line of its documentation.
    Doc(String),
    /// The name of an attribute that a derive declares, or of a macro.
    Macro(crate::tree::Path),
}

/// Reads an attribute of the root type; `None` if it changes nothing, or cannot be read. `helps` if the root type has derives of
/// its own.
fn root_attribute(
    attribute: &LitStr,
    helps: bool,
    reader: &mut Reader<'_>,
) -> Option<RootAttribute> {
    let meta = attribute.parse::<Meta>();
    if let Ok(Meta::NameValue(MetaNameValue { path, value, .. })) = &meta
        && path.is_ident("doc")
        && let syn::Expr::Lit(ExprLit {
            lit: Lit::Str(line),
            ..
        }) = value
    {
        return Some(RootAttribute::Doc(doc_line(line, lines(line).to_string())));
    }
    let harmless = |path: &Path| {
        let hidden = path.is_ident("doc") && matches!(meta, Ok(Meta::List(_)));
        hidden || HARMLESS.iter().any(|name| path.is_ident(name))
    };
    let is_derived = |path: &Path| {
        let name = path.get_ident().map(ToString::to_string);
        helps && name.is_some_and(|name| !is_built_in(&name))
    };
    match &meta {
        Ok(meta) if harmless(meta.path()) => return None,
        Ok(meta) if is_derived(meta.path()) => {
            return Some(RootAttribute::Macro(path(reader.file, meta.path())));
        }
        _ => {}
    }
    reader.find(
        Code::InvalidAttribute,
        Extent::of(attribute),
        "the effect of this attribute on the schema of the root type is not known",
        "write documentation as `doc = \"..\"`, rules as `validation = ..`; other attributes belong on the type itself",
    );
    None
}

/// The keys that may be conditional.
pub(super) fn facets(entries: &[Entry], reader: &mut Reader<'_>) -> KindFacets<Expr> {
    let mut facets = KindFacets::default();
    for entry in entries {
        match (entry.key.name, &entry.value) {
            ("shortname", Value::Text(name)) => facets.short_names.push(reader.text(name)),
            ("category", Value::Text(name)) => facets.categories.push(reader.text(name)),
            ("selectable", Value::Text(path)) => {
                facets.selectable_fields.push(reader.text(path));
            }
            ("printcolumn", value) => facets.columns.extend(columns(entry, value, reader)),
            ("deprecated", value) => {
                facets.deprecated = Some(Deprecation {
                    warning: match value {
                        Value::Text(warning) => Some(text_of(warning)),
                        _ => None,
                    },
                    span: reader.place(entry.extent()),
                });
            }
            ("scale", value) => facets.scale = scale(entry, value, reader),
            ("validation" | "rule", Value::Expr(rule)) => {
                facets.rules.push(expr(reader.file, rule))
            }
            ("doc", Value::Text(doc)) => facets.doc = Some(text_of(doc)),
            _ => {}
        }
    }
    facets
}

fn columns(entry: &Entry, value: &Value, reader: &mut Reader<'_>) -> Vec<Spanned<Column>> {
    let columns = match value {
        Value::Text(json) => columns_from_json(json, reader),
        Value::List(list) => column(list).into_iter().collect(),
        _ => Vec::new(),
    };
    let span = reader.place(entry.extent());
    let columns = columns.into_iter();
    columns.map(|value| Spanned { value, span }).collect()
}

fn column(list: &[Entry]) -> Option<Column> {
    Some(Column {
        name: find(list, "name")?,
        ty: find(list, "type_")?,
        json_path: find(list, "json_path")?,
        description: find(list, "description"),
        format: find(list, "format"),
        priority: list.iter().find_map(|entry| match entry.value {
            Value::Int(priority) => Some(priority),
            _ => None,
        }),
    })
}

fn scale(entry: &Entry, value: &Value, reader: &mut Reader<'_>) -> Option<Spanned<Scale>> {
    let value = match value {
        Value::Text(json) => scale_from_json(json, reader)?,
        Value::List(list) => Scale {
            spec_replicas_path: find(list, "spec_replicas_path")?,
            status_replicas_path: find(list, "status_replicas_path")?,
            label_selector_path: find(list, "label_selector_path"),
        },
        _ => return None,
    };
    Some(Spanned {
        value,
        span: reader.place(entry.extent()),
    })
}

fn find(entries: &[Entry], name: &str) -> Option<Text> {
    entries.iter().find_map(|entry| match &entry.value {
        Value::Text(found) if entry.key.name == name => Some(text_of(found)),
        _ => None,
    })
}
