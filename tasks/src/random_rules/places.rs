//! The nodes of a schema, which can have rules.

use super::dice::Dice;
use serde_json::Value;

/// A node of a schema.
pub struct SchemaNode {
    /// Its JSON pointer in the CRD.
    pub pointer: String,
    /// Its path in the server's notation.
    pub field: String,
    /// Whether it is a whole resource.
    pub is_resource: bool,
    /// Whether its values are correlatable.
    pub is_correlatable: bool,
}

impl SchemaNode {
    /// Returns the path of the node's rules in the server's notation.
    pub fn rules(&self) -> String {
        format!("{}.x-kubernetes-validations", self.field)
    }
}

/// Returns all nodes of all versions.
pub fn places(crd: &Value) -> Vec<SchemaNode> {
    let versions = crd["spec"]["versions"].as_array().unwrap();
    let mut found = Vec::new();
    for (index, version) in versions.iter().enumerate() {
        // With a single version, servers report its schema at the top level.
        let field = match versions.len() {
            1 => "spec.validation.openAPIV3Schema".to_owned(),
            _ => format!("spec.versions[{index}].schema.openAPIV3Schema"),
        };
        let root = SchemaNode {
            pointer: format!("/spec/versions/{index}/schema/openAPIV3Schema"),
            field,
            is_resource: true,
            is_correlatable: true,
        };
        walk(root, &version["schema"]["openAPIV3Schema"], &mut found);
    }
    found
}

fn walk(place: SchemaNode, schema: &Value, found: &mut Vec<SchemaNode>) {
    let below = |step: String, field: String, schema: &Value, is_correlatable| SchemaNode {
        pointer: format!("{}/{step}", place.pointer),
        field: format!("{}.{field}", place.field),
        is_resource: schema["x-kubernetes-embedded-resource"] == true,
        is_correlatable: place.is_correlatable && is_correlatable,
    };
    let mut inner = Vec::new();
    for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
        let step = name.replace('~', "~0").replace('/', "~1");
        let field = format!("properties[{name}]");
        inner.push((
            below(format!("properties/{step}"), field, schema, true),
            schema,
        ));
    }
    if let Some(values) = schema.get("additionalProperties") {
        let name = "additionalProperties".to_owned();
        inner.push((below(name.clone(), name, values, true), values));
    }
    if let Some(items) = schema.get("items") {
        let has_keys = schema["x-kubernetes-list-type"] == "map";
        let name = "items".to_owned();
        inner.push((below(name.clone(), name, items, has_keys), items));
    }
    found.push(place);
    for (place, schema) in inner {
        walk(place, schema, found);
    }
}

/// The bounds of the lists, maps and texts of a schema.
#[derive(Clone, Copy, Eq, PartialEq)]
pub enum Bounds {
    /// All have small bounds.
    Small,
    /// Small, large, or no bounds.
    Mixed,
    /// No bounds.
    None,
}

/// Sets the bounds of every node of a CRD.
pub fn bound(crd: &mut Value, bounds: Bounds, dice: &mut Dice) {
    for place in places(crd) {
        let schema = crd.pointer_mut(&place.pointer).unwrap();
        let (keyword, least, small) = match schema["type"].as_str() {
            Some("string") => ("maxLength", "minLength", 40),
            Some("array") => ("maxItems", "minItems", 6),
            Some("object") if schema.get("additionalProperties").is_some() => {
                ("maxProperties", "minProperties", 6)
            }
            _ => continue,
        };
        let least = schema[least].as_u64().unwrap_or_default();
        let small = least + 1 + u64::try_from(dice.roll(small)).unwrap();
        let most = match (bounds, dice.roll(3)) {
            (Bounds::Small, _) | (Bounds::Mixed, 0) => Some(small),
            (Bounds::Mixed, 1) => {
                Some(dice.pick(&[100, 1_000, 1_194, 121_951, 333_333, 2_000_000, 30_000_000]))
            }
            _ => None,
        };
        let fields = schema.as_object_mut().unwrap();
        match most {
            Some(most) => fields.insert(keyword.to_owned(), most.into()),
            None => fields.remove(keyword),
        };
    }
}
