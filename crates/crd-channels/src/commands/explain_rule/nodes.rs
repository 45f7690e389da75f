//! The nodes of a schema that validate values, with the lists and maps above each.

use crd_channels_check::FieldPath;
use serde_json::Value;

/// A node of a schema.
#[derive(Clone, Debug, Default)]
pub(super) struct SchemaNode {
    /// Its field path, such as `spec.rules[]`; empty for the root.
    pub(super) field: String,
    /// Its path, as servers write it.
    pub(super) at: FieldPath,
    /// The same path as a JSON pointer.
    pub(super) pointer: String,
    /// The bounds of the lists and maps above it, which make it occur more than once.
    pub(super) above: Vec<String>,
}

/// Returns the root of a schema at a path and all nodes below it, parents before children.
pub(super) fn nodes(schema: &Value, at: FieldPath) -> Vec<SchemaNode> {
    let mut found = Vec::new();
    let root = SchemaNode {
        at,
        ..SchemaNode::default()
    };
    collect(schema, root, &mut found);
    found
}

fn collect(schema: &Value, node: SchemaNode, found: &mut Vec<SchemaNode>) {
    found.push(node.clone());
    let properties = schema.get("properties").and_then(Value::as_object);
    for (name, property) in properties.into_iter().flatten() {
        let field = match node.field.as_str() {
            "" => name.clone(),
            field => format!("{field}.{name}"),
        };
        let below = SchemaNode {
            field,
            at: node.at.clone().child("properties").key(name.as_str()),
            pointer: format!("{}/properties/{}", node.pointer, escaped(name)),
            above: node.above.clone(),
        };
        collect(property, below, found);
    }
    for (keyword, bound) in [
        ("items", "maxItems"),
        ("additionalProperties", "maxProperties"),
    ] {
        if let Some(element) = schema.get(keyword).filter(|element| element.is_object()) {
            let mut above = node.above.clone();
            above.push(repeated(&node.field, bound, schema.get(bound)));
            let below = SchemaNode {
                field: format!("{}[]", node.field),
                at: node.at.clone().child(keyword),
                pointer: format!("{}/{keyword}", node.pointer),
                above,
            };
            collect(element, below, found);
        }
    }
}

fn repeated(field: &str, keyword: &str, bound: Option<&Value>) -> String {
    match bound {
        Some(bound) => format!("`{field}` has `{keyword}: {bound}`"),
        None => {
            format!("`{field}` has no `{keyword}`, so only the size of a request bounds it")
        }
    }
}

/// Escapes a name for a JSON pointer.
fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
