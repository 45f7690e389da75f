//! The schemas of all channels, laid over each other: what only some of them have is under a gate.

use crate::features::{Features, Part, Presence, presence};
use crate::tombstones::Fields;
use crd_channels_diagnostics::{Sink, Span, Text};
use crd_channels_schema::draft::{
    Conditional, Content, Enum, Facets, Field, Gate, Scalar, Shape, Struct, Tagging, Type, Variant,
};
use crd_channels_schema::path::{Segment, push};
use crd_channels_schema::{Additional, JsonType, Schema};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A node in each channel; `None` in channels without it.
pub(crate) type Each<'a> = [Option<&'a Schema>];

/// Makes the types of one version.
pub(crate) struct Nodes<'a, 'f> {
    /// The version.
    pub(crate) part: Part<'a>,
    pub(crate) features: &'a mut Features<'f>,
    pub(crate) tombstones: &'a mut Fields<'f>,
    pub(crate) sink: &'a mut Sink,
}

impl Nodes<'_, '_> {
    /// The gate of a field or a value.
    fn gate(&mut self, path: &str, has: &Presence, span: Span) -> Option<Gate> {
        let part = Part { path, ..self.part };
        self.features.gate(part, has, span, self.sink)
    }

    /// The gate of a keyword or a rule.
    fn gate_of_setting(&mut self, path: &str, has: &Presence, span: Span) -> Option<Gate> {
        let part = Part { path, ..self.part };
        self.features.gate_of_setting(part, has, span, self.sink)
    }

    /// Makes the type of a node. `above` is the place of what it is in.
    pub(crate) fn ty(&mut self, name: &str, path: &str, each: &Each<'_>, above: Span) -> Arc<Type> {
        let here = each.iter().flatten().find_map(|schema| schema.origin.0);
        let here = here.unwrap_or(above);
        let facets = self.facets(path, each, here);
        let shape = self.shape(path, each, here);
        let mut ty = Type::new(name, Some(here), shape);
        ty.tombstones = self.tombstones.at(self.part.group, self.part.kind, path);
        ty.gated = !facets.when.is_empty() || is_gated(&ty.shape);
        ty.facets = facets;
        Arc::new(ty)
    }

    fn shape(&mut self, path: &str, each: &Each<'_>, here: Span) -> Shape {
        let items: Vec<_> = each.iter().map(|it| it.and_then(items)).collect();
        let values: Vec<_> = each.iter().map(|it| it.and_then(values)).collect();
        let below = |segment| {
            let mut below = path.to_owned();
            push(&mut below, segment);
            below
        };
        if each
            .iter()
            .flatten()
            .any(|schema| !schema.properties.is_empty())
        {
            return Shape::Struct(self.fields(path, each, here));
        }
        if items.iter().any(Option::is_some) {
            return Shape::List {
                items: self.ty("an item", &below(Segment::Items), &items, here),
                unique: false,
                length: None,
            };
        }
        if values.iter().any(Option::is_some) {
            let key = Type::new("a key", None, Shape::Scalar(Scalar::String));
            return Shape::Map {
                key: Arc::new(key),
                value: self.ty("a value", &below(Segment::Values), &values, here),
            };
        }
        match each.iter().flatten().any(|it| !strings(it).is_empty()) {
            true => Shape::Enum(self.values(path, each, here)),
            false
                if each
                    .iter()
                    .flatten()
                    .all(|it| it.ty == Some(JsonType::String)) =>
            {
                Shape::Scalar(Scalar::String)
            }
            false => Shape::Any,
        }
    }

    fn fields(&mut self, path: &str, each: &Each<'_>, here: Span) -> Struct {
        let names = each.iter().flatten().flat_map(|it| it.properties.keys());
        let names: BTreeSet<&Text> = names.collect();
        let mut fields = Vec::with_capacity(names.len());
        for name in names {
            let of: Vec<Option<&Schema>> = each
                .iter()
                .map(|it| it.and_then(|it| it.properties.get(name).map(|it| &**it)))
                .collect();
            let mut below = path.to_owned();
            push(&mut below, Segment::Property(name));
            let span = of.iter().flatten().find_map(|it| it.origin.0);
            let span = span.unwrap_or(here);
            let has = each.iter().zip(&of);
            let has: Vec<Option<bool>> = has.map(|(it, of)| it.map(|_| of.is_some())).collect();
            let gate = self.gate(&below, &has, span);
            let requires = each
                .iter()
                .zip(&of)
                .map(|(it, of)| of.and(*it).map(|it| it.required.contains(name)));
            let requires: Vec<Option<bool>> = requires.collect();
            let mut facets = Conditional::default();
            if requires.contains(&Some(true)) {
                let required = self.gate_of_setting(&below, &requires, span);
                facets.when.extend(required.map(|gate| {
                    let extend = vec![("required".into(), Value::Bool(true))];
                    (
                        gate,
                        Facets {
                            extend,
                            ..Facets::default()
                        },
                    )
                }));
            }
            fields.push(Field {
                gate,
                facets,
                optional: true,
                ..Field::new(name.clone(), self.ty(name, &below, &of, span), span)
            });
        }
        Struct {
            fields,
            deny_unknown: false,
        }
    }

    /// The values of an enum.
    fn values(&mut self, path: &str, each: &Each<'_>, here: Span) -> Enum {
        let names = each.iter().flatten().flat_map(|it| strings(it));
        // Where a channel has no enum, the whole enum is what differs.
        let is_everywhere = is_enum_in_all(each);
        let variants = distinct(names).into_iter().map(|name| {
            let has = presence(each, |it| !is_everywhere || strings(it).contains(&name));
            let span = where_true(each, &has).unwrap_or(here);
            Variant {
                name: name.into(),
                span,
                gate: self.gate(path, &has, span),
                facets: Conditional::default(),
                untagged: false,
                content: Content::Unit,
            }
        });
        Enum {
            tagging: Tagging::External,
            variants: variants.collect(),
            deny_unknown: false,
            skipped: Vec::new(),
        }
    }

    /// The keywords in which channels differ.
    fn facets(&mut self, path: &str, each: &Each<'_>, here: Span) -> Conditional<Facets> {
        let mut facets = Conditional::default();
        let first = each.iter().flatten().next();
        if each.iter().flatten().all(|it| Some(it) == first) {
            return facets;
        }
        let rules = each.iter().flatten().flat_map(|it| &it.rules);
        for rule in distinct(rules) {
            let has = presence(each, |it| it.rules.contains(rule));
            let gate = self.gate_of_setting(path, &has, rule.origin.0.unwrap_or(here));
            facets.when.extend(gate.map(|gate| {
                let rules = vec![rule.clone()];
                (
                    gate,
                    Facets {
                        rules,
                        ..Facets::default()
                    },
                )
            }));
        }
        let keywords: Vec<Option<Map<String, Value>>> = each
            .iter()
            .map(|it| it.map(|it| own_keywords(it, each)))
            .collect();
        let places: Vec<Span> = each
            .iter()
            .map(|it| it.and_then(|it| it.origin.0).unwrap_or(here))
            .collect();
        let names = keywords.iter().flatten().flat_map(Map::keys);
        let names: BTreeSet<&String> = names.collect();
        for name in names {
            let each: Vec<Option<Option<&Value>>> = keywords
                .iter()
                .map(|it| it.as_ref().map(|it| it.get(name)))
                .collect();
            facets.when.extend(self.keyword(path, name, &each, &places));
        }
        facets
    }

    /// The gate of a keyword: of the value that only channels with a feature have, else of one that only the others have.
    fn keyword(
        &mut self,
        path: &str,
        name: &str,
        each: &[Option<Option<&Value>>],
        places: &[Span],
    ) -> Option<(Gate, Facets)> {
        let mut told: Vec<&Value> = Vec::new();
        let mut found = None;
        for (own, place) in each.iter().zip(places) {
            let Some(value) = own.flatten().filter(|value| !told.contains(value)) else {
                continue;
            };
            told.push(value);
            let has = presence(each, |it| it == Some(value));
            let Some(gate) = self.gate_of_setting(path, &has, *place) else {
                continue;
            };
            if found.is_none() || gate.on {
                found = Some((gate, facet(name, value)));
            }
        }
        found
    }
}

/// The values in the order in which they come first.
fn distinct<T: PartialEq>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut all = Vec::new();
    for value in values {
        if !all.contains(&value) {
            all.push(value);
        }
    }
    all
}

/// The place of a node in the first channel that has something there.
fn where_true(each: &Each<'_>, has: &[Option<bool>]) -> Option<Span> {
    let mut having = each.iter().zip(has).filter(|(_, has)| **has == Some(true));
    having.find_map(|(it, _)| it.and_then(|it| it.origin.0))
}

/// The facet of a keyword.
fn facet(name: &str, value: &Value) -> Facets {
    match (name, value) {
        ("description", Value::String(text)) => Facets {
            doc: Some(text.as_str().into()),
            ..Facets::default()
        },
        _ => Facets {
            extend: vec![(name.into(), value.clone())],
            ..Facets::default()
        },
    }
}

/// The values of an enum of strings.
fn strings(schema: &Schema) -> Vec<&str> {
    let strings = schema.enum_values.iter().map(Value::as_str);
    strings.collect::<Option<_>>().unwrap_or_default()
}

/// Whether all channels that have a node have strings as its values.
fn is_enum_in_all(each: &Each<'_>) -> bool {
    let mut nodes = each.iter().flatten();
    nodes.all(|it| !strings(it).is_empty())
}

/// The items of a list. Servers take `items` of other types, too, where they say nothing.
fn items(schema: &Schema) -> Option<&Schema> {
    let items = schema.items.as_deref();
    items.filter(|_| schema.ty == Some(JsonType::Array))
}

fn values(schema: &Schema) -> Option<&Schema> {
    match schema.additional_properties.as_ref()? {
        Additional::Schema(values) => Some(values),
        Additional::Allowed(_) => None,
    }
}

/// The keywords of a node, without those that have parts of their own here because all channels have them.
fn own_keywords(schema: &Schema, each: &Each<'_>) -> Map<String, Value> {
    let mut own = Schema {
        properties: BTreeMap::new(),
        required: Vec::new(),
        rules: Vec::new(),
        ..schema.clone()
    };
    let in_all = |has: fn(&Schema) -> bool| each.iter().flatten().all(|it| has(it));
    if in_all(|it| items(it).is_some()) {
        own.items = None;
    }
    if in_all(|it| values(it).is_some()) {
        own.additional_properties = None;
    }
    if is_enum_in_all(each) {
        own.enum_values = Vec::new();
    }
    match serde_json::to_value(&own) {
        Ok(Value::Object(keywords)) => keywords,
        _ => Map::new(),
    }
}

fn is_gated(shape: &Shape) -> bool {
    match shape {
        Shape::List { items, .. } => items.gated,
        Shape::Map { value, .. } => value.gated,
        Shape::Struct(body) => {
            let is = |field: &Field| {
                field.gate.is_some() || !field.facets.when.is_empty() || field.ty.gated
            };
            body.fields.iter().any(is)
        }
        Shape::Enum(of) => of.variants.iter().any(|variant| variant.gate.is_some()),
        _ => false,
    }
}
