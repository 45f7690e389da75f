//! The older syntax of `printcolumn` and `scale`: a string with JSON, keys as in a CRD.

use super::reader::Reader;
use crd_channels_diagnostics::{Code, Text, nearest};
use crd_channels_markers::{Extent, alternatives};
use crd_channels_schema::{Column, Scale};
use serde_json::{Map, Value};
use syn::LitStr;

/// Parses printer columns: one, or as in kube before 4.2 several separated by commas.
pub(super) fn columns_from_json(json: &LitStr, reader: &mut Reader<'_>) -> Vec<Column> {
    let text = json.value();
    let objects = match serde_json::from_str::<Value>(&text) {
        Ok(one) => vec![one],
        Err(error) => match serde_json::from_str(&format!("[{text}]")) {
            Ok(several) => several,
            Err(_) => {
                wrong(json, &format!("this text is not JSON: {error}"), reader);
                return Vec::new();
            }
        },
    };
    let columns = objects.into_iter();
    columns
        .filter_map(|column| column_of(column, json, reader))
        .collect()
}

fn column_of(column: Value, json: &LitStr, reader: &mut Reader<'_>) -> Option<Column> {
    let keys = [
        "name",
        "type",
        "jsonPath",
        "description",
        "format",
        "priority",
    ];
    let mut object = object(column, json, &keys, reader)?;
    let priority = match object.remove("priority") {
        None | Some(Value::Null) => None,
        Some(value) => {
            let number = value.as_i64().and_then(|number| i32::try_from(number).ok());
            if number.is_none() {
                wrong(json, "`priority` takes a whole number of 32 bits", reader);
            }
            number
        }
    };
    let name = required(&mut object, "name", json, reader);
    let ty = required(&mut object, "type", json, reader);
    let json_path = required(&mut object, "jsonPath", json, reader);
    Some(Column {
        description: optional(&mut object, "description", json, reader),
        format: optional(&mut object, "format", json, reader),
        priority,
        name: name?,
        ty: ty?,
        json_path: json_path?,
    })
}

/// Parses the scale subresource.
pub(super) fn scale_from_json(json: &LitStr, reader: &mut Reader<'_>) -> Option<Scale> {
    let keys = [
        "specReplicasPath",
        "statusReplicasPath",
        "labelSelectorPath",
    ];
    let value = match serde_json::from_str(&json.value()) {
        Ok(value) => value,
        Err(error) => {
            wrong(json, &format!("this text is not JSON: {error}"), reader);
            return None;
        }
    };
    let mut object = object(value, json, &keys, reader)?;
    let spec = required(&mut object, "specReplicasPath", json, reader);
    let status = required(&mut object, "statusReplicasPath", json, reader);
    Some(Scale {
        label_selector_path: optional(&mut object, "labelSelectorPath", json, reader),
        spec_replicas_path: spec?,
        status_replicas_path: status?,
    })
}

/// The object in the string. kube ignores unknown keys.
fn object(
    value: Value,
    json: &LitStr,
    keys: &[&str],
    reader: &mut Reader<'_>,
) -> Option<Map<String, Value>> {
    let Value::Object(object) = value else {
        wrong(json, "this text is not a JSON object", reader);
        return None;
    };
    for key in object.keys().filter(|key| !keys.contains(&key.as_str())) {
        let help = match nearest(key, keys.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => {
                let shown: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
                format!("remove it: this JSON takes {}", alternatives(&shown))
            }
        };
        reader.find(
            Code::IgnoredAttribute,
            Extent::of(json),
            format!("kube ignores the unknown key `{key}` of this JSON"),
            help,
        );
    }
    Some(object)
}

fn optional(
    object: &mut Map<String, Value>,
    key: &str,
    json: &LitStr,
    reader: &mut Reader<'_>,
) -> Option<Text> {
    match object.remove(key)? {
        Value::Null => None,
        Value::String(text) => Some(Text::from(text)),
        _ => {
            wrong(json, &format!("`{key}` takes a string"), reader);
            None
        }
    }
}

fn required(
    object: &mut Map<String, Value>,
    key: &str,
    json: &LitStr,
    reader: &mut Reader<'_>,
) -> Option<Text> {
    match object.remove(key) {
        Some(Value::String(text)) => Some(Text::from(text)),
        Some(_) => {
            wrong(json, &format!("`{key}` takes a string"), reader);
            None
        }
        None => {
            wrong(json, &format!("this JSON lacks `{key}`"), reader);
            None
        }
    }
}

fn wrong(json: &LitStr, message: &str, reader: &mut Reader<'_>) {
    reader.find(
        Code::InvalidAttribute,
        Extent::of(json),
        message,
        "write keys in parentheses instead of a string: `printcolumn(..)`, `scale(..)`",
    );
}
