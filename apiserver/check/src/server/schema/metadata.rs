//! `apiVersion`, `kind` and `metadata`, which belong to the server.

use super::super::findings::Findings;
use crate::document::model::Schema;
use crate::finding::Reason;
use crate::registry::Rule;
use crd_channels_validation::path::Path;

pub(super) fn validate(schema: &Schema<'_>, is_root: bool, at: Path<'_>, found: &mut Findings) {
    if !is_root && !schema.embedded_resource {
        return;
    }
    let properties = at.child("properties");
    for (name, wanted) in [
        ("kind", "string"),
        ("apiVersion", "string"),
        ("metadata", "object"),
    ] {
        let Some(property) = schema.properties.get(name) else {
            continue;
        };
        let path = properties.key(name);
        if property.ty != wanted {
            let message = format!("`{name}` must be of type `{wanted}`");
            let path = path.child("type");
            found.refuse(Rule::MetadataSchema, Reason::Invalid, path, message);
        }
        if name == "metadata" && is_root && !is_bare(property) {
            let message = "`metadata` restricts more than `name` and `generateName`";
            found.refuse(Rule::MetadataSchema, Reason::Forbidden, path, message);
        }
    }
}

/// Whether it has only the type and the schemas of names.
fn is_bare(metadata: &Schema<'_>) -> bool {
    let mut rest = metadata.clone();
    rest.ty = "";
    // Defaults and references are validated separately.
    rest.default = None;
    rest.reference = None;
    let only_names = rest
        .properties
        .iter()
        .all(|(name, _)| matches!(*name, "name" | "generateName"));
    if only_names {
        rest.properties = Default::default();
    }
    // Here the server distinguishes an empty list from an absent one.
    let present =
        rest.required.is_present() || rest.list_map_keys.is_present() || rest.rules.is_present();
    if rest.item().is_none() {
        rest.items = None;
    }
    rest == Schema::default() && !present
}
