//! Where a path of names leads in a schema.

use super::super::model::Schema;
use crate::check::field_path::segments;

/// What a path names and where it ends.
pub(in super::super) struct Lead<'s, 'a> {
    pub(in super::super) names: Vec<String>,
    /// Absent where it ends in a map whose values have no schema.
    pub(in super::super) to: Option<&'s Schema<'a>>,
}

/// Follows a path through properties and the values of maps. None where it leads nowhere.
pub(in super::super) fn lead<'s, 'a>(path: &str, schema: &'s Schema<'a>) -> Option<Lead<'s, 'a>> {
    let mut to = Some(schema);
    let mut names = Vec::new();
    for name in segments(path).ok()?.into_iter().map(|segment| segment.name) {
        let node = to?;
        to = if !node.properties.is_empty() {
            Some(node.properties.get(&name)?)
        } else if node.additional_properties.is_some() {
            node.values()
        } else {
            return None;
        };
        names.push(name);
    }
    Some(Lead { names, to })
}
