//! Versions of a kind that are the same: nothing has to be compared to know that they do not differ.

use crd_channels_diagnostics::Diagnostic;
use crd_channels_generator::pipeline::Setup;
use crd_channels_generator::pipeline::build::Built;
use crd_channels_schema::Version;
use serde_json::Value;
use std::path::Path;

/// Returns no differences if the schemas of all versions without a conversion are the same apart from their descriptions, and
/// `None` otherwise. Only stable channels promise that versions agree.
#[must_use]
pub fn none_differ(built: &Built, setup: &Setup, _: &Path) -> Option<Vec<Diagnostic>> {
    let channels = || setup.config.channels.iter();
    let is_stable = |name: &str| {
        let mut named = channels().filter(|channel| *channel.name == *name);
        named.any(|channel| channel.features.is_empty())
    };
    let mut files = built.made.iter().flat_map(|(_, made)| &made.files);
    let agree = files.all(|file| match &file.versions {
        Some(crd) if is_stable(&file.channel) => {
            let mut schemas = crd.versions.iter().map(schema);
            let first = schemas.next();
            schemas.all(|schema| first.as_ref() == Some(&schema))
        }
        _ => true,
    });
    agree.then(Vec::new)
}

/// Returns a schema without its descriptions.
fn schema(version: &Version) -> Option<Value> {
    let mut schema = serde_json::to_value(version.schema.as_deref()?).ok()?;
    drop_descriptions(&mut schema);
    Some(schema)
}

fn drop_descriptions(value: &mut Value) {
    match value {
        Value::Object(entries) => {
            // A property of that name has a schema.
            entries.retain(|key, value| key != "description" || !value.is_string());
            entries.values_mut().for_each(drop_descriptions);
        }
        Value::Array(items) => items.iter_mut().for_each(drop_descriptions),
        _ => {}
    }
}
