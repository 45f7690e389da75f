//! `[schemas]`, `[values]` and `[kinds]` of `channels/bundle.toml`: what is said for types that nobody can change.

use super::table::{Placed, Table};
use crate::Text;
use serde_json::Value;

/// Everything that is said in the place of source.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// `[schemas."path"]`: the schema of a type or of a function that makes one, by its full path.
    pub schemas: Vec<Override>,
    /// `[values."path"]`: the value of a constant or of a function, by its full path.
    pub values: Vec<Override>,
    /// `[kinds."plural.group"]`, `storage`: the version that is stored.
    pub storage: Vec<(Placed<Text>, Placed<Text>)>,
}

/// One of them.
#[derive(Clone, Debug)]
pub struct Override {
    /// The full path that it is for, `::` between its segments.
    pub path: Placed<Text>,
    /// What holds there.
    pub source: Source,
}

/// Where the JSON of an override stands.
#[derive(Clone, Debug)]
pub enum Source {
    /// Right here.
    Here(Value),
    /// In a file, relative to the workspace root.
    File(Placed<Text>),
}

pub(super) fn read(table: &mut Table<'_, '_>) -> Overrides {
    let schemas = table.table("schemas", |table| table.named_tables(one));
    let values = table.table("values", |table| table.named_tables(one));
    let storage = table.table("kinds", |table| {
        table.named_tables(|name, table| {
            let name = Placed {
                value: name.into(),
                span: table.span(),
            };
            let storage = table.required_text("storage")?;
            Some((name, storage))
        })
    });
    Overrides {
        schemas: schemas.unwrap_or_default(),
        values: values.unwrap_or_default(),
        storage: storage.unwrap_or_default(),
    }
}

fn one(path: &str, table: &mut Table<'_, '_>) -> Option<Override> {
    let path = Placed {
        value: path.into(),
        span: table.span(),
    };
    let (json, file) = (table.text("json"), table.text("file"));
    let source = match (json, file) {
        (None, Some(file)) => Source::File(file),
        (Some(json), None) => match serde_json::from_str(&json.value) {
            Ok(value) => Source::Here(value),
            Err(error) => {
                table.report(
                    json.span,
                    format!("`json` is no JSON: {error}"),
                    "write the text of one JSON value, as in `json = '\"text\"'`",
                );
                return None;
            }
        },
        _ => {
            table.report(
                path.span,
                format!("`{}` needs either `json` or `file`", path.value),
                "write `file = \"schemas/name.json\"`, or the JSON itself as `json = '{ .. }'`",
            );
            return None;
        }
    };
    Some(Override { path, source })
}
