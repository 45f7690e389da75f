//! Where a path of names leads in a schema.

use super::super::model::Schema;
use crate::check::field_path::segments;

/// What a path names and where it ends.
pub(in super::super) struct Lead<'s, 'a> {
    pub(in super::super) names: Vec<String>,
    /// The path as the server writes it behind that of the node.
    pub(in super::super) written: String,
    /// Absent where it ends in a map whose values have no schema.
    pub(in super::super) to: Option<&'s Schema<'a>>,
}

/// Follows a path through properties and the values of maps. None where it cannot be resolved.
pub(in super::super) fn lead<'s, 'a>(path: &str, schema: &'s Schema<'a>) -> Option<Lead<'s, 'a>> {
    let mut to = Some(schema);
    let mut names = Vec::new();
    let mut written = String::new();
    for name in segments(path).ok()?.into_iter().map(|segment| segment.name) {
        let node = to?;
        to = if !node.properties.is_empty() {
            let dot = if names.is_empty() { "" } else { "." };
            written.push_str(&format!("{dot}{name}"));
            Some(node.properties.get(&name)?)
        } else if node.additional_properties.is_some() {
            written.push_str(&format!("[{name}]"));
            node.values()
        } else {
            return None;
        };
        names.push(name);
    }
    Some(Lead { names, written, to })
}
