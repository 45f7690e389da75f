//! Printer columns and field selectors.

use super::install::described;
use super::kinds::Kind;
use crate::objects::field::Field;
use crate::report::Report;
use crd_channels_envtest::Failure;
use crd_channels_schema::Column;
use serde_json::{Value, json};

const TABLE: (&str, &str) = ("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io");

/// The columns of a Table are those of the version, and their cells have the values at the paths.
pub fn columns(kind: &Kind<'_>, objects: &[Value], report: &mut Report) -> Result<(), Failure> {
    let answer = kind.api.send("GET", &kind.path(), &[TABLE], "")?;
    let table = answer.json();
    let found: Vec<&str> = array_items(&table["columnDefinitions"])
        .filter_map(|column| column["name"].as_str())
        .collect();
    let mut expected = vec!["Name"];
    expected.extend(kind.version.columns.iter().map(|column| &*column.name));
    if kind.version.columns.is_empty() {
        expected.push("Age");
    }
    let title = kind.title();
    report.check(
        format!("{title}: a Table has the printer columns"),
        expected.join(", "),
        found.join(", "),
    );
    for (index, column) in kind.version.columns.iter().enumerate() {
        let Some(field) = plain(column) else { continue };
        let cells = objects.iter().map(|object| {
            let name = object["metadata"]["name"].clone();
            let row =
                array_items(&table["rows"]).find(|row| row["object"]["metadata"]["name"] == name);
            row.map_or(Value::Null, |row| row["cells"][index + 1].clone())
        });
        let values = objects
            .iter()
            .map(|object| field.get(object).cloned().unwrap_or_default());
        // Absent values may have defaults, and values of other types have special formats.
        let comparable = |value: &Value| value.is_string() || value.is_i64() || value.is_boolean();
        let (cells, values): (Vec<Value>, Vec<Value>) = cells
            .zip(values)
            .filter(|(_, value)| comparable(value))
            .unzip();
        report.check(
            format!("{title}: column {} holds {}", column.name, column.json_path),
            json!(values),
            json!(cells),
        );
    }
    Ok(())
}

/// Returns the field of a column whose path only has names. Dates are shown as ages.
fn plain(column: &Column) -> Option<Field> {
    let simple = column
        .json_path
        .chars()
        .all(|c| c == '.' || c.is_ascii_alphanumeric());
    let metadata = column.json_path.starts_with(".metadata");
    (simple && !metadata && &*column.ty != "date").then(|| Field::parse(&column.json_path))
}

/// Selecting by each selectable field finds exactly the objects that have the value; other fields are refused.
pub fn selectors(kind: &Kind<'_>, objects: &[Value], report: &mut Report) -> Result<(), Failure> {
    let title = kind.title();
    for path in &kind.version.selectable_fields {
        let field = Field::parse(path);
        let stored = kind.api.get(&kind.path())?.json();
        let value_of = |object: &Value| match field.get(object) {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Null) | None => String::new(),
            Some(other) => other.to_string(),
        };
        let Some(wanted) = objects.first().map(|object| {
            let name = &object["metadata"]["name"];
            let stored =
                array_items(&stored["items"]).find(|item| item["metadata"]["name"] == *name);
            value_of(stored.unwrap_or(object))
        }) else {
            continue;
        };
        let names = |objects: &Value, selects: &dyn Fn(&Value) -> bool| {
            let items = array_items(&objects["items"]).filter(|item| selects(item));
            let names: Vec<&str> = items
                .filter_map(|item| item["metadata"]["name"].as_str())
                .collect();
            names.join(", ")
        };
        let selector = format!("{}={}", path.trim_start_matches('.'), escape_value(&wanted));
        let selected = kind.api.get(&format!(
            "{}?fieldSelector={}",
            kind.path(),
            percent(&selector)
        ))?;
        report.check(
            format!("{title}: {path} selects"),
            names(&stored, &|item| value_of(item) == wanted),
            names(&selected.json(), &|_| true),
        );
    }
    let answer = kind.api.get(&format!(
        "{}?fieldSelector=spec.noSuchField%3Dx",
        kind.path()
    ))?;
    let refused = described(&answer).contains("field label not supported");
    report.check(
        format!("{title}: a field that is not selectable does not select"),
        true,
        refused,
    );
    Ok(())
}

/// Escapes a value in a field selector.
fn escape_value(value: &str) -> String {
    value
        .replace('\\', "\\\\")
        .replace(',', "\\,")
        .replace('=', "\\=")
}

/// Escapes a text in a query.
fn percent(text: &str) -> String {
    let bytes = text.bytes().map(|byte| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' => {
            char::from(byte).to_string()
        }
        byte => format!("%{byte:02X}"),
    });
    bytes.collect()
}

fn array_items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::{escape_value, percent};

    #[test]
    fn selectors_survive_the_query() {
        assert_eq!(percent(&escape_value("a=b,c\\")), "a%5C%3Db%5C%2Cc%5C%5C");
        assert_eq!(percent("é-1"), "%C3%A9-1");
    }
}
