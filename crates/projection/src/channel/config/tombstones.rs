//! `channels/tombstones.toml`: removed kinds, versions and types, whose names are reserved.

use super::table::Table;
use crd_channels_diagnostics::{Spanned, Text};

/// The tombstones of a bundle.
#[derive(Clone, Debug, Default)]
pub struct Tombstones {
    /// `[[kinds]]`
    pub kinds: Vec<KindTombstone>,
    /// `[[versions]]`
    pub versions: Vec<VersionTombstone>,
    /// `[[types]]`
    pub types: Vec<TypeTombstone>,
    /// `[[fields]]`, if the bundle's source is CRDs. In Rust types, `#[tombstone]` reserves these names.
    pub fields: Vec<FieldTombstone>,
}

/// A removed kind.
#[derive(Clone, Debug)]
pub struct KindTombstone {
    /// Its group.
    pub group: Text,
    /// Its name, with the span of the tombstone.
    pub kind: Spanned<Text>,
    /// The bundle that removed it.
    pub removed: Text,
    /// The reason.
    pub reason: Text,
}

/// A removed version of a kind.
#[derive(Clone, Debug)]
pub struct VersionTombstone {
    /// Its group.
    pub group: Text,
    /// Its kind.
    pub kind: Text,
    /// Its name, with the span of the tombstone.
    pub version: Spanned<Text>,
    /// The bundle that removed it.
    pub removed: Text,
    /// The reason.
    pub reason: Text,
}

/// A removed Rust type.
#[derive(Clone, Debug)]
pub struct TypeTombstone {
    /// Its name, with the span of the tombstone.
    pub name: Spanned<Text>,
    /// The bundle that removed it.
    pub removed: Text,
    /// The reason.
    pub reason: Text,
}

/// A removed field or value of a kind.
#[derive(Clone, Debug)]
pub struct FieldTombstone {
    /// Its group.
    pub group: Text,
    /// Its kind.
    pub kind: Text,
    /// The path of the object that had it, such as `spec.rules[]`; `.` for the root.
    pub path: Spanned<Text>,
    /// Its name.
    pub name: Text,
    /// The bundle that removed it.
    pub removed: Text,
    /// The reason.
    pub reason: Text,
}

pub(super) fn read_tombstones(table: &mut Table<'_, '_>) -> Tombstones {
    // All keys are read before any is validated, so that all missing ones are reported.
    let kinds = table.tables("kinds", |table| {
        let (group, kind) = (value(table, "group"), table.required_text("kind"));
        let (removed, reason) = (value(table, "removed"), value(table, "reason"));
        Some(KindTombstone {
            group: group?,
            kind: kind?,
            removed: removed?,
            reason: reason?,
        })
    });
    let versions = table.tables("versions", |table| {
        let (group, kind) = (value(table, "group"), value(table, "kind"));
        let version = table.required_text("version");
        let (removed, reason) = (value(table, "removed"), value(table, "reason"));
        Some(VersionTombstone {
            group: group?,
            kind: kind?,
            version: version?,
            removed: removed?,
            reason: reason?,
        })
    });
    let types = table.tables("types", |table| {
        let name = table.required_text("name");
        let (removed, reason) = (value(table, "removed"), value(table, "reason"));
        Some(TypeTombstone {
            name: name?,
            removed: removed?,
            reason: reason?,
        })
    });
    let fields = table.tables("fields", |table| {
        let (group, kind) = (value(table, "group"), value(table, "kind"));
        let (path, name) = (table.required_text("path"), value(table, "name"));
        let (removed, reason) = (value(table, "removed"), value(table, "reason"));
        Some(FieldTombstone {
            group: group?,
            kind: kind?,
            path: path?,
            name: name?,
            removed: removed?,
            reason: reason?,
        })
    });
    Tombstones {
        kinds,
        versions,
        types,
        fields,
    }
}

fn value(table: &mut Table<'_, '_>, key: &'static str) -> Option<Text> {
    table.required_text(key).map(|text| text.value)
}
