//! The annotation that preserves what a version cannot represent.

use super::Unconvertible;
use super::preserved::Preserved;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The maximum size of all annotations of an object that an API server accepts, in bytes.
const LARGEST: usize = 256 * 1024;

/// The version of the format. Raise it with any change to [`Preserved`].
const FORMAT: u32 = 1;

/// The preserved parts of an object, by the name of the version that they come from.
#[derive(Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Annotation {
    format: u32,
    pub(super) versions: BTreeMap<String, Preserved>,
    /// The text of an annotation that this program cannot read, for example from a later version.
    #[serde(skip)]
    unread: Option<Value>,
}

pub(super) fn name(group: &str) -> String {
    format!("{group}/conversion-kept")
}

/// Removes the preserved parts from an object. Invalid annotations never make an object unreadable.
pub(super) fn take(object: &mut Value, group: &str) -> Annotation {
    let metadata = object.get_mut("metadata").and_then(Value::as_object_mut);
    let Some(metadata) = metadata else {
        return Annotation::default();
    };
    let annotations = metadata
        .get_mut("annotations")
        .and_then(Value::as_object_mut);
    let Some(annotations) = annotations else {
        return Annotation::default();
    };
    let Some(written) = annotations.remove(&name(group)) else {
        return Annotation::default();
    };
    if annotations.is_empty() {
        metadata.remove("annotations");
    }
    let read = written
        .as_str()
        .and_then(|text| serde_json::from_str(text).ok());
    let read = read.filter(|read: &Annotation| read.format == FORMAT);
    read.unwrap_or_else(|| Annotation {
        unread: Some(written),
        ..Annotation::default()
    })
}

/// Adds the preserved parts to an object. An unreadable annotation stays unless there is something to preserve.
///
/// # Errors
/// The parts are too large for annotations, or nested too deeply.
pub(super) fn store(
    mut kept: Annotation,
    object: &mut Value,
    group: &str,
) -> Result<(), Unconvertible> {
    let failed = |reason: String| Unconvertible::new(reason).at("metadata");
    let text = match (kept.versions.is_empty(), kept.unread.take()) {
        (true, None) => return Ok(()),
        (true, Some(unread)) => unread,
        (false, _) => {
            kept.format = FORMAT;
            let text = serde_json::to_string(&kept).map_err(|error| failed(error.to_string()))?;
            if serde_json::from_str::<Annotation>(&text).ok().as_ref() != Some(&kept) {
                let reason =
                    "the fields that the version lacks are nested too deeply for an annotation";
                return Err(failed(reason.to_owned()));
            }
            text.into()
        }
    };
    let metadata = object.get_mut("metadata").and_then(Value::as_object_mut);
    let metadata = metadata.ok_or_else(|| failed("the object has no metadata".to_owned()))?;
    let annotations = metadata.entry("annotations").or_insert(Value::Null);
    if annotations.is_null() {
        *annotations = Map::new().into();
    }
    let annotations = annotations.as_object_mut();
    let annotations =
        annotations.ok_or_else(|| failed("its annotations are not a map".to_owned()))?;
    annotations.insert(name(group), text);
    let size = |(name, value): (&String, &Value)| name.len() + value.as_str().map_or(0, str::len);
    let size: usize = annotations.iter().map(size).sum();
    if size > LARGEST {
        return Err(failed(format!(
            "the annotations would have {size} bytes with the fields that the version lacks; an API server accepts at most {LARGEST}"
        )));
    }
    Ok(())
}
