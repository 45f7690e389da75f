//! `channels/tombstones.toml`: kinds, versions and types that are gone altogether, so that no type is left to say so.

use super::table::{At, Table};
use crate::Text;

/// A kind that is gone.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct GoneKind {
    /// Its group.
    pub group: Text,
    /// Its name, with its place.
    pub kind: At<Text>,
    /// The bundle that removed it.
    pub removed: Text,
    /// Why.
    pub reason: Text,
}

/// A version of a kind that is gone.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct GoneVersion {
    /// The kind's group.
    pub group: Text,
    /// The kind.
    pub kind: Text,
    /// The version's name, with its place.
    pub version: At<Text>,
    /// The bundle that removed it.
    pub removed: Text,
    /// Why.
    pub reason: Text,
}

/// A Rust type that is gone.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct GoneType {
    /// Its name, with its place.
    pub name: At<Text>,
    /// The bundle that removed it.
    pub removed: Text,
    /// Why.
    pub reason: Text,
}

/// Everything that is gone.
#[derive(Clone, Debug, Default)]
pub struct Tombstones {
    /// `[[kinds]]`
    pub kinds: Vec<GoneKind>,
    /// `[[versions]]`
    pub versions: Vec<GoneVersion>,
    /// `[[types]]`
    pub types: Vec<GoneType>,
}

pub(super) fn read(table: &mut Table<'_>) -> Tombstones {
    fn text(table: &mut Table<'_>, key: &'static str) -> Text {
        table
            .required_text(key)
            .map(|text| text.value)
            .unwrap_or_default()
    }
    let kinds = table.tables("kinds", |table| {
        let (group, removed, reason) = (
            text(table, "group"),
            text(table, "removed"),
            text(table, "reason"),
        );
        let kind = table.required_text("kind")?;
        Some(GoneKind {
            group,
            kind,
            removed,
            reason,
        })
    });
    let versions = table.tables("versions", |table| {
        let (group, kind) = (text(table, "group"), text(table, "kind"));
        let (removed, reason) = (text(table, "removed"), text(table, "reason"));
        let version = table.required_text("version")?;
        Some(GoneVersion {
            group,
            kind,
            version,
            removed,
            reason,
        })
    });
    let types = table.tables("types", |table| {
        let (removed, reason) = (text(table, "removed"), text(table, "reason"));
        let name = table.required_text("name")?;
        Some(GoneType {
            name,
            removed,
            reason,
        })
    });
    Tombstones {
        kinds: kinds.into_iter().flatten().collect(),
        versions: versions.into_iter().flatten().collect(),
        types: types.into_iter().flatten().collect(),
    }
}
