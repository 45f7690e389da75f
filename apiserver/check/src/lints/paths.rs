//! Follows the JSON path of a column in a schema.

use super::regret::is_open;
use crate::document::model::{Additional, Schema};
use crate::json_path::{JsonPath, Segment};
use crd_channels_validation::schema::is_meta;

/// The end of a path.
pub(super) enum Target<'s, 'a> {
    /// A node of the schema.
    Node(&'s Schema<'a>),
    /// A field that the schema does not have.
    Nowhere,
    /// Unknown: metadata, preserved unknown fields, a path to many places or one that does not parse.
    Unknown,
}

/// Follows a path from the root of a schema.
pub(super) fn follow<'s, 'a>(path: &str, schema: &'s Schema<'a>) -> Target<'s, 'a> {
    let JsonPath { segments, is_whole } = JsonPath::parse(path);
    if !is_whole || segments.is_empty() || !path.starts_with(['.', '[']) {
        return Target::Unknown;
    }
    let mut node = schema;
    for (depth, segment) in segments.iter().enumerate() {
        // `None` for items.
        let name = match segment {
            Segment::Descendants => return Target::Unknown,
            Segment::Names(names) => match names.as_slice() {
                [name] if is_plain(path.get(name.range.clone())) => Some(&*name.text),
                _ => return Target::Unknown,
            },
            Segment::Children | Segment::Child | Segment::Filter(_) => None,
        };
        let below_meta = depth == 0 && name.is_some_and(is_meta);
        if below_meta || is_open(node) {
            return Target::Unknown;
        }
        let child = match name {
            Some(name) => node.properties.get(name),
            None => node.item(),
        };
        node = match (child, &node.additional_properties) {
            (Some(child), _) => child,
            (None, Some(Additional::Schema(values))) => values,
            (None, Some(Additional::Allowed(_))) => return Target::Unknown,
            // `.*` of an object with fields is any of them.
            (None, None) if name.is_none() && node.properties.is_present() => {
                return Target::Unknown;
            }
            (None, None) => return Target::Nowhere,
        };
    }
    Target::Node(node)
}

/// Whether a path selects more than one value, as far as that is certain: a filter usually selects one.
pub(super) fn selects_several(path: &str, schema: &Schema<'_>) -> bool {
    let JsonPath { segments, is_whole } = JsonPath::parse(path);
    let mut node = Some(schema);
    let is_several = segments.iter().any(|segment| {
        let above = node.take();
        match segment {
            Segment::Descendants => false,
            Segment::Names(names) => {
                let [name] = names.as_slice() else {
                    return true;
                };
                node = above.and_then(|above| above.properties.get(&name.text).or(above.values()));
                false
            }
            Segment::Child | Segment::Filter(_) => {
                node = above.and_then(Schema::item);
                false
            }
            Segment::Children => above.and_then(|above| above.max_items) != Some(1),
        }
    });
    is_whole && is_several
}

/// Whether all implementations of paths agree on a name as written.
fn is_plain(written: Option<&str>) -> bool {
    let written = written.unwrap_or_default();
    let is_common = |c: char| c.is_alphanumeric() || "_-*/$@\\.".contains(c);
    written.starts_with(['\'', '"']) || written.chars().all(is_common)
}
