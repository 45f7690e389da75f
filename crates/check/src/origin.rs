//! Maps a field of a CRD, in a server's notation, to its place in the source.

use super::as_written;
use crd_channels_diagnostics::Span;
use crd_channels_schema::marks::LintLevel;
use crd_channels_schema::{Additional, Crd, Expression, Origin, Rule, Schema, Version};
use std::sync::Arc;

/// The source of a field.
#[derive(Clone, Debug, Default)]
pub struct Trail<'c> {
    /// The span of the field, or of the nearest ancestor that has one.
    pub place: Option<Span>,
    /// The lint levels on the path, from the root down.
    pub levels: Vec<&'c LintLevel>,
    /// The expression, if the field is one.
    pub expression: Option<Expression<'c>>,
}

/// Follows a field to its source.
#[must_use]
pub fn trail<'c>(crd: &'c Crd, field: &str) -> Trail<'c> {
    followed(crd, field).unwrap_or_default()
}

fn followed<'c>(crd: &'c Crd, field: &str) -> Option<Trail<'c>> {
    let written = as_written(field, crd.versions.len());
    let (nth, below) = match written.strip_prefix("spec.versions[") {
        Some(rest) => rest.split_once(']')?,
        None => ("0", ""),
    };
    let version = crd.versions.get(nth.parse().unwrap_or(0));
    let root = version.or(crd.versions.first())?.schema.as_deref()?;
    let mut place = root.origin;
    let mut levels: Vec<&LintLevel> = root.levels.0.iter().collect();
    let mut expression = None;
    let mut node = root;
    let mut rest = match below.strip_prefix(".schema.openAPIV3Schema") {
        Some(rest) => rest,
        None => {
            // Levels set on the type with `#[kube(..)]` are on its schema, and apply to the whole version.
            let spec = root.properties.get("spec");
            levels.extend(spec.into_iter().flat_map(|spec| &spec.levels.0));
            ""
        }
    };
    while let Some((segment, after)) = next_segment(rest) {
        rest = after;
        if let Some(rule) = segment.validation(node) {
            place = nearest(place, rule.origin);
            let key = rest.strip_prefix('.').unwrap_or_default();
            expression = rule.expressions().find(|known| known.key == key);
            break;
        }
        let Some(child) = segment.child(node) else {
            break;
        };
        place = nearest(place, child.origin);
        levels.extend(&child.levels.0);
        node = child;
    }
    Some(Trail {
        place: place.0,
        levels,
        expression,
    })
}

/// The version that a field belongs to; the first one, if the field is common to all.
#[must_use]
pub fn version_of<'c>(field: &str, crd: &'c Crd) -> Option<&'c Version> {
    let written = as_written(field, crd.versions.len());
    let nth = written.strip_prefix("spec.versions[");
    let nth = nth.and_then(|rest| rest.split_once(']')?.0.parse::<usize>().ok());
    crd.versions.get(nth.unwrap_or_default())
}

/// The place in objects of a node of a schema, as `spec.rules[]`.
#[must_use]
pub fn in_objects(field: &str, crd: &Crd) -> String {
    let written = as_written(field, crd.versions.len());
    let mut rest = below_schema(&written);
    let mut place = String::new();
    while let Some((segment, after)) = next_segment(rest) {
        rest = after;
        match segment.keyword {
            "properties" if place.is_empty() => place.push_str(segment.key),
            "properties" => place.extend([".", segment.key]),
            _ => place.push_str("[]"),
        }
    }
    place
}

/// The number of lists or maps between the last property of a field and the node.
#[must_use]
pub fn levels_below_property(field: &str) -> usize {
    let below = field.rsplit_once("].").map_or("", |(_, below)| below);
    let last = !below.contains('[') && !below.is_empty();
    below.split('.').filter(|_| last).count()
}

/// The CRD with another bound at a node: in its version, or in every version if they all have the same schema.
#[must_use]
pub fn with_bound(crd: &Crd, field: &str, keyword: &str, most: u64) -> Crd {
    let written = as_written(field, crd.versions.len());
    let own = version_of(field, crd).map(|version| version.name.clone());
    let of_all = !field.starts_with("spec.versions[");
    let mut crd = crd.clone();
    for version in &mut crd.versions {
        let node = version.schema.as_mut().map(Arc::make_mut);
        let node = node.and_then(|root| descend(root, below_schema(&written)));
        if (of_all || Some(&version.name) == own.as_ref())
            && let Some(node) = node
        {
            let bounds = node.bounds.get_or_insert_default();
            match keyword {
                "maxItems" => bounds.max_items = Some(most),
                "maxLength" => bounds.max_length = Some(most),
                "maxProperties" => bounds.max_properties = Some(most),
                _ => {}
            }
        }
    }
    crd
}

fn descend<'s>(node: &'s mut Schema, path: &str) -> Option<&'s mut Schema> {
    match next_segment(path) {
        Some((segment, rest)) => descend(segment.child_mut(node)?, rest),
        None => Some(node),
    }
}

fn below_schema(written: &str) -> &str {
    let found = written.split_once(".schema.openAPIV3Schema");
    found.map_or("", |(_, below)| below)
}

fn nearest(above: Origin, below: Origin) -> Origin {
    Origin(below.0.or(above.0))
}

/// A segment such as `.items` or `.properties[name]`.
struct Segment<'f> {
    keyword: &'f str,
    key: &'f str,
}

fn next_segment(path: &str) -> Option<(Segment<'_>, &str)> {
    let path = path.strip_prefix('.')?;
    let end = path.find(['.', '[']).unwrap_or(path.len());
    let (keyword, rest) = path.split_at(end);
    let (key, rest) = match rest.strip_prefix('[') {
        Some(inside) => inside.split_once(']')?,
        None => ("", rest),
    };
    Some((Segment { keyword, key }, rest))
}

impl Segment<'_> {
    fn validation<'s>(&self, node: &'s Schema) -> Option<&'s Rule> {
        let index: usize = self.key.parse().ok()?;
        let rule = node.rules.get(index)?;
        (self.keyword == "x-kubernetes-validations").then_some(rule)
    }

    fn child<'s>(&self, node: &'s Schema) -> Option<&'s Schema> {
        let junctors = node.junctors.as_deref();
        let branch = |branches: &'s [Schema]| branches.get(self.key.parse::<usize>().ok()?);
        match self.keyword {
            "properties" => node.properties.get(self.key).map(|child| &**child),
            "items" => node.items.as_deref(),
            "additionalProperties" => match node.additional_properties.as_ref()? {
                Additional::Schema(values) => Some(values),
                Additional::Allowed(_) => None,
            },
            "allOf" => branch(&junctors?.all_of),
            "anyOf" => branch(&junctors?.any_of),
            "oneOf" => branch(&junctors?.one_of),
            "not" => junctors?.not.as_deref(),
            _ => None,
        }
    }
    fn child_mut<'s>(&self, node: &'s mut Schema) -> Option<&'s mut Schema> {
        let junctors = node.junctors.as_deref_mut();
        let branch =
            |branches: &'s mut Vec<Schema>| branches.get_mut(self.key.parse::<usize>().ok()?);
        match self.keyword {
            "properties" => node.properties.get_mut(self.key).map(Arc::make_mut),
            "items" => node.items.as_mut().map(Arc::make_mut),
            "additionalProperties" => match node.additional_properties.as_mut()? {
                Additional::Schema(values) => Some(Arc::make_mut(values)),
                Additional::Allowed(_) => None,
            },
            "allOf" => branch(&mut junctors?.all_of),
            "anyOf" => branch(&mut junctors?.any_of),
            "oneOf" => branch(&mut junctors?.one_of),
            "not" => junctors?.not.as_deref_mut(),
            _ => None,
        }
    }
}
