//! `[schemas]`, `[values]` and `[kinds]` of `channels/bundle.toml`: settings for types whose source cannot be changed.

use super::table::Table;
use crd_channels_diagnostics::{Spanned, Text};
use serde_json::Value;

/// Settings that replace what the source says.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// `[schemas."path"]`: the schema of a type, or of a function that returns one, by its full path.
    pub schemas: Vec<Override>,
    /// `[values."path"]`: the value of a constant or of a function, by its full path.
    pub values: Vec<Override>,
    /// `[kinds."plural.group"]`: the settings of a kind.
    pub kinds: Vec<KindOverride>,
}

/// The settings of one kind.
#[derive(Clone, Debug)]
pub struct KindOverride {
    /// `plural.group`
    pub name: Spanned<Text>,
    /// The storage version.
    pub storage: Option<Spanned<Text>>,
    /// All short names, replacing those of the source.
    pub short_names: Option<Vec<Spanned<Text>>>,
    /// Annotations of the CRD in addition to those of the source, which they override.
    pub annotations: Vec<(Text, Text)>,
    /// Labels of the CRD, likewise.
    pub labels: Vec<(Text, Text)>,
}

/// The JSON that replaces one type, constant or function.
#[derive(Clone, Debug)]
pub struct Override {
    /// The full path of the item, separated by `::`.
    pub path: Spanned<Text>,
    /// The JSON.
    pub source: Source,
}

/// The location of an override's JSON.
#[derive(Clone, Debug)]
pub enum Source {
    /// Inline.
    Here(Value),
    /// In a file, relative to the workspace root.
    File(Spanned<Text>),
}

pub(super) fn read_overrides(table: &mut Table<'_, '_>) -> Overrides {
    let schemas = table.table("schemas", |table| table.named_tables(one));
    let values = table.table("values", |table| table.named_tables(one));
    let kinds = table.table("kinds", |table| table.named_tables(kind));
    Overrides {
        schemas: schemas.unwrap_or_default(),
        values: values.unwrap_or_default(),
        kinds: kinds.unwrap_or_default(),
    }
}

fn kind(name: &str, table: &mut Table<'_, '_>) -> Option<KindOverride> {
    let pairs = |table: &mut Table<'_, '_>, key| {
        let pairs = table.table(key, |table| table.named_texts());
        pairs.unwrap_or_default()
    };
    let said = KindOverride {
        name: Spanned {
            value: name.into(),
            span: table.span(),
        },
        storage: table.text("storage"),
        short_names: table.texts("short-names"),
        annotations: pairs(table, "annotations"),
        labels: pairs(table, "labels"),
    };
    let blank = |version: &Spanned<Text>| version.value.trim().is_empty();
    let silent = said.storage.is_none()
        && said.short_names.is_none()
        && said.annotations.is_empty()
        && said.labels.is_empty();
    if silent || said.storage.as_ref().is_some_and(blank) {
        table.report(
            said.name.span,
            format!("`{name}` has no settings"),
            "write `storage = \"v1\"`, `short-names = [..]`, `annotations = { .. }` or `labels = { .. }`",
        );
        return None;
    }
    Some(said)
}

fn one(path: &str, table: &mut Table<'_, '_>) -> Option<Override> {
    let path = Spanned {
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
                    format!("`json` is not JSON: {error}"),
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
