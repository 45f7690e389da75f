//! All differences between two CRDs, whatever they mean for users: rules decide that, and `init --compare` lists them.

use super::normalize::with_same_object_fields;
use super::pair::SchemaPair;
use super::rules::fields::{Field, differing};
use crate::kinds::columns::{are_reordered, numbered};
use crate::kinds::versions::version_named;
use crate::set::Published;
use crd_channels_schema::{Crd, Schema, Version};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A difference between two CRDs.
#[derive(Clone, Debug)]
pub struct Difference<'a> {
    /// The API version; empty for what all versions share.
    pub version: &'a str,
    /// The part that differs.
    pub part: Part,
}

/// A part of a CRD that differs.
#[derive(Clone, Debug)]
pub enum Part {
    /// A field outside of schemas, such as `scope`, `names.shortNames`, `served` or `column Age`, with its values.
    Field(String, Option<Value>, Option<Value>),
    /// A version that only the old CRD has.
    VersionRemoved,
    /// A version that only the new CRD has.
    VersionAdded,
    /// The schemas of a version. [`schema_differences`] lists their differences.
    Schemas(Arc<Schema>, Arc<Schema>),
}

/// All differences between two CRDs. Both are in their normal form, in which equivalent parts are equal.
#[must_use]
pub fn differences<'a>(old: &'a Published, new: &'a Published) -> Vec<Difference<'a>> {
    let mut found: Vec<Difference<'a>> = unequal(&shared(old), &shared(new))
        .into_iter()
        .map(|part| Difference { version: "", part })
        .collect();
    let mut whole = |version: &'a Version, part| {
        let version = &*version.name;
        found.push(Difference { version, part });
    };
    for version in &old.crd.versions {
        match version_named(&new.crd, &version.name) {
            Some(now) => add_version(version, now, &mut whole),
            None => whole(version, Part::VersionRemoved),
        }
    }
    let added = new.crd.versions.iter();
    for version in added.filter(|version| version_named(&old.crd, &version.name).is_none()) {
        whole(version, Part::VersionAdded);
    }
    found
}

/// The parts of a version that differ.
fn add_version<'a>(old: &'a Version, new: &'a Version, add: &mut impl FnMut(&'a Version, Part)) {
    for part in unequal(&fields(old), &fields(new)) {
        add(old, part);
    }
    if are_reordered(old, new) {
        let names = |version: &Version| {
            let names = version.columns.iter().map(|column| &*column.name);
            Some(names.collect::<Vec<_>>().into())
        };
        let key = "order of columns".to_owned();
        add(old, Part::Field(key, names(old), names(new)));
    }
    match (&old.schema, &new.schema) {
        (Some(before), Some(now)) => {
            let [before, now] = with_same_object_fields([before, now]);
            if before != now && differ(&before, &now) {
                add(old, Part::Schemas(before, now));
            }
        }
        (None, None) => {}
        (before, now) => {
            let written = |schema: &Option<Arc<Schema>>| {
                let schema = schema.as_deref()?;
                serde_json::to_value(schema).ok()
            };
            let key = "schema".to_owned();
            add(old, Part::Field(key, written(before), written(now)));
        }
    }
}

/// The fields that differ between two objects.
fn unequal(old: &Map<String, Value>, new: &Map<String, Value>) -> Vec<Part> {
    let keys: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let differing = keys
        .into_iter()
        .filter(|key| old.get(*key) != new.get(*key));
    differing
        .map(|key| Part::Field(key.clone(), old.get(key).cloned(), new.get(key).cloned()))
        .collect()
}

/// The fields that all versions share, under short names. CRDs are written without what the server would default, so defaults
/// and absent fields are equal.
fn shared(published: &Published) -> Map<String, Value> {
    let crd = Crd {
        versions: Vec::new(),
        ..published.crd.clone()
    };
    let document = serde_json::to_value(&crd).unwrap_or_default();
    let mut all = Map::new();
    let mut add = |above: &str, part: &Value| {
        for (key, value) in part.as_object().into_iter().flatten() {
            all.insert(format!("{above}{key}"), value.clone());
        }
    };
    for part in ["annotations", "labels"] {
        add(&format!("metadata.{part}."), &document["metadata"][part]);
    }
    add("names.", &document["spec"]["names"]);
    add("", &document["spec"]);
    // Compared separately.
    for part in ["names", "versions"] {
        all.remove(part);
    }
    let is_set = |value: &Value| !value.is_null() && *value != Value::Bool(false);
    let unknown = published.unknown.iter().filter(|(_, value)| is_set(value));
    all.extend(unknown.map(|(path, value)| (path.clone(), value.clone())));
    all
}

/// A version without its name and its schema; columns by their names.
fn fields(version: &Version) -> Map<String, Value> {
    let columns = numbered(version).into_iter().map(|((name, nth), column)| {
        let again = match nth {
            0 => String::new(),
            nth => format!(" ({})", nth + 1),
        };
        let column = serde_json::to_value(column).unwrap_or_default();
        (format!("column {name}{again}"), column)
    });
    let version = Version {
        schema: None,
        columns: Vec::new(),
        ..version.clone()
    };
    let Ok(Value::Object(mut all)) = serde_json::to_value(&version) else {
        return Map::new();
    };
    all.remove("name");
    all.extend(columns);
    all
}

/// Whether two schemas differ in a keyword. Two spellings of a value, such as `1` and `1.0`, are equal.
fn differ(old: &Schema, new: &Schema) -> bool {
    let mut found = false;
    schema_differences(old, new, &mut |_, _, fields| {
        found |= !fields.is_empty();
        !found
    });
    found
}

/// Visits every pair of nodes of two schemas that differ, from the top: its path, both nodes, and the keywords that differ.
/// Visits the nodes below a pair if `visit` returns true.
pub fn schema_differences(
    old: &Schema,
    new: &Schema,
    visit: &mut impl FnMut(&str, [&Schema; 2], &[Field]) -> bool,
) {
    pairs(&SchemaPair::alone(old, new), &mut |node, fields| {
        visit(&node.path(), [node.old, node.new], fields)
    });
}

/// The same for the nodes of a comparison.
pub(crate) fn pairs(
    node: &SchemaPair<'_>,
    visit: &mut impl FnMut(&SchemaPair<'_>, &[Field]) -> bool,
) {
    if visit(node, &differing(node.old, node.new)) {
        for child in node.children() {
            // Equal schemas have no differences, however large they are.
            if child.old != child.new {
                pairs(&child, visit);
            }
        }
    }
}

/// The keywords of a node as written, without its properties.
#[must_use]
pub fn keywords(schema: &Schema) -> Map<String, Value> {
    let node = Schema {
        properties: BTreeMap::new(),
        ..schema.clone()
    };
    match serde_json::to_value(&node) {
        Ok(Value::Object(keywords)) => keywords,
        Ok(_) | Err(_) => Map::new(),
    }
}
