//! `channels/tombstones.toml`: kinds, versions and types that are gone, whose names are never to be used again.

use super::table::Table;
use crd_channels_diagnostics::{Spanned, Text};

/// What is gone for good.
#[derive(Clone, Debug, Default)]
pub struct Tombstones {
    /// `[[kinds]]`
    pub kinds: Vec<GoneKind>,
    /// `[[versions]]`
    pub versions: Vec<GoneVersion>,
    /// `[[types]]`
    pub types: Vec<GoneType>,
}

/// A kind that is gone.
#[derive(Clone, Debug)]
pub struct GoneKind {
    /// Its group.
    pub group: Text,
    /// Its name, with the tombstone's place.
    pub kind: Spanned<Text>,
    /// The bundle that removed it.
    pub removed: Text,
    /// Why.
    pub reason: Text,
}

/// A version of a kind that is gone.
#[derive(Clone, Debug)]
pub struct GoneVersion {
    /// Its group.
    pub group: Text,
    /// Its kind.
    pub kind: Text,
    /// Its name, with the tombstone's place.
    pub version: Spanned<Text>,
    /// The bundle that removed it.
    pub removed: Text,
    /// Why.
    pub reason: Text,
}

/// A Rust type that is gone.
#[derive(Clone, Debug)]
pub struct GoneType {
    /// Its name, with the tombstone's place.
    pub name: Spanned<Text>,
    /// The bundle that removed it.
    pub removed: Text,
    /// Why.
    pub reason: Text,
}

pub(super) fn read(table: &mut Table<'_, '_>) -> Tombstones {
    // Each key is asked for before any is judged, so that all that lack are reported.
    let kinds = table.tables("kinds", |table| {
        let (group, kind) = (value(table, "group"), table.required_text("kind"));
        let (removed, reason) = (value(table, "removed"), value(table, "reason"));
        Some(GoneKind {
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
        Some(GoneVersion {
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
        Some(GoneType {
            name: name?,
            removed: removed?,
            reason: reason?,
        })
    });
    Tombstones {
        kinds,
        versions,
        types,
    }
}

fn value(table: &mut Table<'_, '_>, key: &'static str) -> Option<Text> {
    table.required_text(key).map(|text| text.value)
}
