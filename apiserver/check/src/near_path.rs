//! The field that a path which leads nowhere most likely meant.

use super::document::model::Schema;
use super::json_path::{JsonPath, Segment};
use crd_channels_diagnostics::nearest;

/// Returns help that names the path with the nearest names of fields, or with the `spec` or `status` that it lacks; `None` if
/// that does not lead to a field either.
pub(crate) fn did_you_mean(path: &str, schema: &Schema<'_>) -> Option<String> {
    let below = |parent| format!(".{parent}.{}", path.trim_start_matches('.'));
    let near = corrected(path, schema)
        .or_else(|| corrected(&below("spec"), schema))
        .or_else(|| corrected(&below("status"), schema))?;
    Some(format!("did you mean `{near}`?"))
}

/// Replaces each name that leads nowhere by the nearest one.
fn corrected(path: &str, schema: &Schema<'_>) -> Option<String> {
    let mut corrected = String::new();
    let mut copied = 0;
    let mut node = schema;
    for segment in &JsonPath::parse(path).segments {
        let name = match segment {
            Segment::Names(names) => match names.as_slice() {
                [name] => name,
                _ => return None,
            },
            Segment::Children | Segment::Child | Segment::Filter(_) => {
                node = node.item().or(node.values())?;
                continue;
            }
            Segment::Descendants => return None,
        };
        let known = node.properties.get(&name.text).or(node.values());
        node = match known {
            Some(known) => known,
            // A name in quotes is not replaced, since the nearest one may need others.
            None if path.get(name.range.clone()) != Some(&name.text) => return None,
            None => {
                let names = node.properties.iter().map(|(name, _)| &**name);
                let near = nearest(&name.text, names)?;
                corrected.push_str(path.get(copied..name.range.start)?);
                corrected.push_str(near);
                copied = name.range.end;
                node.properties.get(near)?
            }
        };
    }
    corrected.push_str(path.get(copied..)?);
    Some(corrected)
}
