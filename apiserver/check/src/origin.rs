//! Maps a field of a CRD to its place in the source.

use super::as_written;
use crd_channels_diagnostics::Span;
use crd_channels_schema::marks::LintLevel;
use crd_channels_schema::{Additional, Crd, Expression, Origin, Rule, Schema, Version};
use crd_channels_validation::path::{FieldPath, PathElement};
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
pub fn trail<'c>(crd: &'c Crd, field: &FieldPath) -> Trail<'c> {
    followed(crd, field).unwrap_or_default()
}

fn followed<'c>(crd: &'c Crd, field: &FieldPath) -> Option<Trail<'c>> {
    let written = as_written(field, crd.versions.len());
    let (nth, below) = in_version(&written).unwrap_or_default();
    let version = crd.versions.get(nth.unwrap_or_default());
    let root = version.or(crd.versions.first())?.schema.as_deref()?;
    let mut place = root.origin;
    let mut levels: Vec<&LintLevel> = root.levels.0.iter().collect();
    let mut expression = None;
    let mut node = root;
    let mut rest = below_schema(below).unwrap_or_else(|| {
        // Levels set on the type with `#[kube(..)]` are on its schema, and apply to the whole version.
        let spec = root.properties.get("spec");
        levels.extend(spec.into_iter().flat_map(|spec| &spec.levels.0));
        &[]
    });
    while let Some((segment, after)) = next_segment(rest) {
        rest = after;
        if let Some(rule) = segment.validation(node) {
            place = nearest(place, rule.origin);
            expression = rule
                .expressions()
                .find(|known| matches!(rest, [key] if key.is_child(known.key)));
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

/// The index of the version that a path in `apiextensions.k8s.io/v1` is in, and the elements below that version. The index is
/// `None` in paths that are common to all versions, and the result in paths outside of versions.
#[must_use]
pub fn in_version(written: &FieldPath) -> Option<(Option<usize>, &[PathElement])> {
    match written.elements() {
        [spec, versions, nth, below @ ..]
            if spec.is_child("spec") && versions.is_child("versions") =>
        {
            let nth = match nth {
                PathElement::Index(nth) => Some(*nth),
                PathElement::Child(_) | PathElement::Key(_) => None,
            };
            Some((nth, below))
        }
        _ => None,
    }
}

/// The elements of a path in a version that are below its schema; `None` in paths outside of the schema.
#[must_use]
pub fn below_schema(below_version: &[PathElement]) -> Option<&[PathElement]> {
    match below_version {
        [schema, root, below @ ..]
            if schema.is_child("schema") && root.is_child("openAPIV3Schema") =>
        {
            Some(below)
        }
        _ => None,
    }
}

/// The version that a field belongs to; the first one, if the field is common to all.
#[must_use]
pub fn version_of<'c>(field: &FieldPath, crd: &'c Crd) -> Option<&'c Version> {
    let nth = in_version(field).and_then(|(nth, _)| nth);
    crd.versions.get(nth.unwrap_or_default())
}

/// The number of lists or maps between the last property of a field and the node.
#[must_use]
pub fn levels_below_property(field: &FieldPath) -> usize {
    let mut upwards = field.elements().iter().rev();
    let is_property = |element: &PathElement| matches!(element, PathElement::Key(_));
    upwards.position(is_property).unwrap_or_default()
}

/// The CRD with another bound at a node: in its version, or in every version if they all have the same schema.
#[must_use]
pub fn with_bound(crd: &Crd, field: &FieldPath, keyword: &str, most: u64) -> Crd {
    let written = as_written(field, crd.versions.len());
    let below = in_version(&written).and_then(|(_, below)| below_schema(below));
    let own = in_version(field).map(|(nth, _)| nth.unwrap_or_default());
    let mut crd = crd.clone();
    for (nth, version) in crd.versions.iter_mut().enumerate() {
        let node = version.schema.as_mut().map(Arc::make_mut);
        let node = node.and_then(|root| descend(root, below.unwrap_or_default()));
        if own.is_none_or(|own| own == nth)
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

fn descend<'s>(node: &'s mut Schema, path: &[PathElement]) -> Option<&'s mut Schema> {
    match next_segment(path) {
        Some((segment, rest)) => descend(segment.child_mut(node)?, rest),
        None => Some(node),
    }
}

fn nearest(above: Origin, below: Origin) -> Origin {
    Origin(below.0.or(above.0))
}

/// A segment such as `.items` or `.properties[name]`.
struct Segment<'f> {
    keyword: &'f str,
    /// The name or the index in brackets.
    key: Option<&'f PathElement>,
}

fn next_segment(path: &[PathElement]) -> Option<(Segment<'_>, &[PathElement])> {
    let (PathElement::Child(keyword), rest) = path.split_first()? else {
        return None;
    };
    let (key, rest) = match rest {
        [
            key @ (PathElement::Key(_) | PathElement::Index(_)),
            rest @ ..,
        ] => (Some(key), rest),
        _ => (None, rest),
    };
    Some((Segment { keyword, key }, rest))
}

impl Segment<'_> {
    fn name(&self) -> Option<&str> {
        self.key?.name()
    }

    fn index(&self) -> Option<usize> {
        match self.key? {
            PathElement::Index(index) => Some(*index),
            PathElement::Child(_) | PathElement::Key(_) => None,
        }
    }

    fn validation<'s>(&self, node: &'s Schema) -> Option<&'s Rule> {
        let rule = node.rules.get(self.index()?)?;
        (self.keyword == "x-kubernetes-validations").then_some(rule)
    }

    fn child<'s>(&self, node: &'s Schema) -> Option<&'s Schema> {
        let junctors = node.junctors.as_deref();
        let branch = |branches: &'s [Schema]| branches.get(self.index()?);
        match self.keyword {
            "properties" => node.properties.get(self.name()?).map(|child| &**child),
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
        let branch = |branches: &'s mut Vec<Schema>| branches.get_mut(self.index()?);
        match self.keyword {
            "properties" => node.properties.get_mut(self.name()?).map(Arc::make_mut),
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
