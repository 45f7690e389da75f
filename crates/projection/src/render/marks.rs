//! Applies `#[crd(..)]`, in both conventions alike.

use super::common::schema_of;
use super::selection::Selection;
use super::{Renderer, conditions, keywords};
use crd_channels_diagnostics::Text;
use crd_channels_schema::draft::{Shape, Type};
use crd_channels_schema::marks::{Count, Marks, Member, Union};
use crd_channels_schema::path::Segment;
use crd_channels_schema::{
    Additional, DEPRECATED, JsonType, Notes, Origin, Rule, Schema, deprecation,
};
use std::collections::BTreeMap;
use std::sync::Arc;

type Properties = BTreeMap<Text, Arc<Schema>>;

/// The metadata fields that are useful inside another object.
const METADATA: [&str; 5] = ["annotations", "finalizers", "labels", "name", "namespace"];

/// Applies what needs no finished schema: texts, links, merge semantics, rules.
pub(super) fn set(node: &mut Schema, marks: &Marks) {
    let Marks {
        title,
        notes,
        merge,
        immutable,
        deprecated: _,
        embedded_resource: _,
        metadata: _,
        conditions: _,
        unions,
        levels,
        inner: _,
    } = marks;
    node.levels.0.extend(levels);
    if title.is_some() {
        node.title.clone_from(title);
    }
    if *notes != Notes::default() {
        let Notes {
            example,
            docs_url,
            docs_description,
        } = notes;
        let known = keywords::notes(node);
        known.example = example.clone().or(known.example.take());
        known.docs_url = docs_url.clone().or(known.docs_url.take());
        known.docs_description = docs_description.clone().or(known.docs_description.take());
    }
    if merge.list_type.is_some() {
        let known = keywords::merge(node);
        known.list_type = merge.list_type;
        known.list_map_keys.clone_from(&merge.list_map_keys);
    }
    if merge.map_type.is_some() {
        keywords::merge(node).map_type = merge.map_type;
    }
    if let Some(member) = immutable {
        node.rules.push(Rule {
            rule: "self == oldSelf".into(),
            message: Some(format!("`{}` cannot be changed once it is set", member.name).into()),
            origin: Origin(Some(member.span)),
            ..Rule::default()
        });
    }
    for union in unions {
        node.rules.extend(of_union(union, &node.properties));
    }
}

/// Applies what needs the node's finished schema.
pub(super) fn set_finished(node: &mut Schema, marks: &Marks, selection: Selection<'_>) {
    if let Some(conditions) = &marks.conditions {
        conditions::set(node, conditions, selection);
    }
    if let Some(instead) = &marks.deprecated {
        deprecate(node, instead);
    }
    if marks.embedded_resource {
        node.embedded_resource = true;
        node.ty = Some(JsonType::Object);
        // An API server accepts only this instead of properties.
        node.preserve_unknown_fields |= node.properties.is_empty();
    }
    for way in &marks.metadata {
        if let Some(metadata) = schema_at_path(node, way) {
            keep_metadata(metadata);
        }
    }
    if let Some(inner) = &marks.inner {
        for segment in [Segment::Items, Segment::Values] {
            if let Some(node) = schema_at_path(node, std::slice::from_ref(&segment)) {
                set(node, inner);
                set_finished(node, inner, selection);
            }
        }
    }
}

/// Says in the description that a field is deprecated, as Go's documentation does, unless it says so already.
fn deprecate(node: &mut Schema, instead: &Text) {
    let line = format!("{DEPRECATED}{instead}");
    let description = match node.description.as_deref() {
        Some(text) if deprecation(text).is_some() => return,
        Some(text) => format!("{text}\n\n{line}"),
        None => line,
    };
    node.description = Some(description.into());
}

/// Returns the schema at the end of a path, or `None` if the channel lacks it.
fn schema_at_path<'s>(schema: &'s mut Schema, way: &[Segment<Text>]) -> Option<&'s mut Schema> {
    let Some((first, rest)) = way.split_first() else {
        return Some(schema);
    };
    let next = match first {
        Segment::Property(name) => schema.properties.get_mut(name)?,
        Segment::Items => schema.items.as_mut()?,
        Segment::Values => match &mut schema.additional_properties {
            Some(Additional::Schema(values)) => values,
            Some(Additional::Allowed(_)) | None => return None,
        },
    };
    schema_at_path(Arc::make_mut(next), rest)
}

/// Adds the metadata fields that controller-gen also writes: an API server prunes what a schema does not name.
fn keep_metadata(node: &mut Schema) {
    let text = || Arc::new(schema_of(JsonType::String));
    let property = |name: &str| match name {
        "annotations" | "labels" => Schema {
            additional_properties: Some(Additional::Schema(text())),
            ..schema_of(JsonType::Object)
        },
        "finalizers" => Schema {
            items: Some(text()),
            ..schema_of(JsonType::Array)
        },
        _ => schema_of(JsonType::String),
    };
    node.properties = METADATA
        .into_iter()
        .map(|name| (name.into(), Arc::new(property(name))))
        .collect();
    node.required = Vec::new();
}

/// Returns the rule of a union for the fields that the channel has, or `None` if nothing is left to choose.
fn of_union(union: &Union, properties: &Properties) -> Option<Rule> {
    let here: Vec<&Member> = union
        .members
        .iter()
        .filter(|member| properties.contains_key(&member.name))
        .collect();
    let has = |member: &Member| format!("has(self.{})", member.escaped);
    let each = |show: &dyn Fn(&Member) -> String, between: &str| {
        let all: Vec<String> = here.iter().map(|member| show(member)).collect();
        all.join(between)
    };
    let sum = || each(&|member| format!("({} ? 1 : 0)", has(member)), " + ");
    let rule = match (union.count, here.as_slice()) {
        (_, []) | (Count::AtMostOne, [_]) => return None,
        (Count::ExactlyOne | Count::AtLeastOne, [only]) => has(only),
        (Count::ExactlyOne, _) => format!("{} == 1", sum()),
        (Count::AtMostOne, _) => format!("{} <= 1", sum()),
        (Count::AtLeastOne, _) => each(&has, " || "),
    };
    let names: Vec<String> = here
        .iter()
        .map(|member| format!("`{}`", member.name))
        .collect();
    let message = match (union.count, names.as_slice()) {
        (_, [only]) => format!("{only} must be set"),
        (Count::ExactlyOne, names) => format!("exactly one of {} must be set", names.join(", ")),
        (Count::AtMostOne, names) => format!("at most one of {} may be set", names.join(", ")),
        (Count::AtLeastOne, names) => format!("at least one of {} must be set", names.join(", ")),
    };
    Some(Rule {
        rule: rule.into(),
        message: Some(message.into()),
        origin: Origin(Some(union.span)),
        ..Rule::default()
    })
}

impl Renderer<'_> {
    /// Returns the rules that prevent the removal of an object's immutable fields, for the fields that it has.
    ///
    /// A field that is required or defaulted cannot be removed.
    pub(super) fn keep_immutable(&self, ty: &Type, properties: &Properties) -> Vec<Rule> {
        let Shape::Struct(body) = &ty.shape else {
            return Vec::new();
        };
        let fields = body
            .fields
            .iter()
            .filter(|field| field.optional && field.default.is_none())
            .filter(|field| properties.contains_key(&field.name));
        let marks = fields.filter_map(|field| field.facets.always.marks.as_ref());
        let members = marks.filter_map(|marks| marks.immutable.as_ref());
        members
            .map(
                |Member {
                     name,
                     escaped,
                     span,
                 }| Rule {
                    rule: format!("!has(oldSelf.{escaped}) || has(self.{escaped})").into(),
                    message: Some(format!("`{name}` cannot be removed once it is set").into()),
                    origin: Origin(Some(*span)),
                    ..Rule::default()
                },
            )
            .collect()
    }

    /// Returns all rules that `#[crd(..)]` generates for an object of the type, wherever its fields are.
    pub(super) fn mark_rules(&self, ty: &Type, properties: &Properties) -> Vec<Rule> {
        let mut rules = self.keep_immutable(ty, properties);
        let unions = ty
            .facets
            .always
            .marks
            .iter()
            .flat_map(|marks| &marks.unions);
        rules.extend(unions.filter_map(|union| of_union(union, properties)));
        rules
    }
}
