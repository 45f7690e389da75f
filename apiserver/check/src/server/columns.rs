//! `additionalPrinterColumns`.

use super::findings::Findings;
use crate::document::model::Column;
use crate::finding::Reason;
use crate::registry::Rule;
use crd_channels_validation::path::Path;

const TYPES: [&str; 5] = ["boolean", "date", "integer", "number", "string"];
const FORMATS: [&str; 8] = [
    "byte",
    "date",
    "date-time",
    "double",
    "float",
    "int32",
    "int64",
    "password",
];

pub(super) fn validate(columns: &[Column<'_>], path: Path<'_>, found: &mut Findings) {
    for (index, column) in columns.iter().enumerate() {
        one(column, path.index(index), found);
    }
}

fn one(column: &Column<'_>, at: Path<'_>, found: &mut Findings) {
    let Column {
        name,
        ty,
        format,
        json_path,
        description: _,
        priority: _,
    } = column;
    let mut refuse = |reason, field, message: String| {
        found.refuse(Rule::PrinterColumn, reason, at.child(field), message);
    };
    if name.is_empty() {
        refuse(Reason::Required, "name", "a column has no name".to_owned());
    }
    if ty.is_empty() {
        refuse(
            Reason::Required,
            "type",
            format!("the column `{name}` has no type"),
        );
    } else if !TYPES.contains(ty) {
        refuse(
            Reason::Invalid,
            "type",
            format!("`{ty}` is not a type of a column"),
        );
    }
    if !format.is_empty() && !FORMATS.contains(format) {
        refuse(
            Reason::Invalid,
            "format",
            format!("`{format}` is not a format of a column"),
        );
    }
    // The server's internal name of the field.
    if json_path.is_empty() {
        refuse(
            Reason::Required,
            "JSONPath",
            format!("the column `{name}` has no path"),
        );
    } else if !json_path.starts_with('.') {
        refuse(
            Reason::Invalid,
            "JSONPath",
            format!("`{json_path}` does not begin with a dot"),
        );
    }
}
