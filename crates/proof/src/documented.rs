//! Intended differences from kube, each a row of `docs/differences.md`, and how to tell them from mistakes. This is the only
//! list: the page has the same ids.

use crate::facts::{Difference, value_at};
use crd_channels_check::{self as check, FieldPath, PathElement};
use semver::Version;
use serde_json::{Value, json};

/// A row of the page.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Row {
    /// Its id.
    pub id: &'static str,
    /// Its subject, as on the page.
    pub what: &'static str,
}

const fn row(id: &'static str, what: &'static str) -> Row {
    Row { id, what }
}

/// Every row, in the order of the page.
#[rustfmt::skip]
pub(crate) const ROWS: &[Row] = &[
    row("list-kind", "`names.listKind`"),
    row("merged-versions", "several versions of a kind"),
    row("bundle-annotations", "annotations"),
    row("no-schema", "`schema = \"disabled\"`"),
    row("deprecation-warning", "`deprecationWarning` of versions with `#[crd(deprecated_in, removed_in, replaced_by)]`"),
    row("own-attributes", "settings of `#[crd(..)]`, `#[experimental(..)]` and `#[not_experimental(..)]`"),
    row("false-keywords", "keywords without effect: `nullable: false`, `anyOf: []`, `$schema`"),
    row("tagged-enum", "tagged enums, several variants with data"),
    row("adjacent-enum", "adjacently tagged enums with different data"),
    row("variant-docs", "one property in several variants, with other documentation"),
    row("mixed-variants", "variants with and without data side by side"),
    row("integer-keys", "maps whose keys are integers, or strings with a pattern"),
    row("variant-titles", "titles of variants (`title`, or a `# Heading` in the documentation)"),
    row("too-large", "types with more than 100,000 nodes"),
    row("recursive-type", "types that contain themselves, or a type of the same name in schemas"),
    row("flattened-enums", "several flattened enums"),
    row("optional-flattened-enum", "a flattened, optional enum"),
    row("flattened-map", "a flattened map beside fields"),
    row("untagged-scalars", "untagged scalars, lists and any JSON"),
    row("nullable-branches", "alternatives of which one may be `null`"),
    row("lost-types", "optional types with alternatives or `allOf`"),
    row("alternatives", "alternatives in forms that no other row names"),
    row("any-json", "any JSON without `x-kubernetes-preserve-unknown-fields`"),
    row("flattened-rules", "rules on flattened fields"),
    row("scale-without-status", "`scale` without `status`"),
    row("unknown-formats", "formats such as `uint32`"),
    row("optional-enum-docs", "documentation of optional enums"),
    row("joined-lines", "lines of a description"),
    row("enum-null", "the enum of an optional field"),
    row("enum-docs", "the documentation of an optional enum whose variants are documented"),
    row("untagged-docs", "the documentation of an untagged variant"),
    row("optional-enum", "an optional enum with data"),
    row("optional-branches", "an untagged enum that is flattened and optional"),
    row("edited-enum", "values that a hand-written schema adds to an enum whose variants are documented"),
    row("untyped-nullable", "an optional field whose type writes no `type`"),
    row("small-integers", "integers of 8 and 16 bits"),
    row("enum-keys", "maps whose keys are an enum"),
    row("signed-non-zero", "signed integers that are not zero"),
    row("naive-time", "the format of `chrono::NaiveTime`"),
    row("validated-title", "the title of a kind with rules"),
    row("denied-fields", "`deny_unknown_fields`"),
    row("contained-key", "`contains` on a map"),
    row("phone-format", "`phone`"),
    row("empty-rules", "the rules of a type that has none"),
    row("empty-lists", "`subresources: {}`, `categories: []`, `shortNames: []`, `additionalPrinterColumns: []`"),
    row("unique-items", "sets"),
    row("nullable-int-or-string", "an optional `IntOrString` or `Quantity`"),
    row("int-or-string-branches", "the branches of `IntOrString`"),
    row("always-stored", "`storage`"),
];

/// The versions that a kind is compiled with; `None` if unknown.
#[derive(Clone, Debug, Default)]
pub struct Versions {
    /// kube
    pub kube: Option<Version>,
    /// schemars
    pub schemars: Option<Version>,
}

/// Two CRDs of the same version of a kind, with the versions of the compiled one.
pub struct Pair<'a> {
    /// The CRD read from source.
    pub read: &'a Value,
    /// The CRD of the compiled types.
    pub compiled: &'a Value,
    /// The versions of kube and schemars.
    pub versions: &'a Versions,
    /// The fields of the compiled CRD that API servers refuse.
    refused: Vec<FieldPath>,
}

impl<'a> Pair<'a> {
    /// Creates a pair.
    #[must_use]
    pub fn new(read: &'a Value, compiled: &'a Value, versions: &'a Versions) -> Self {
        let refused = check::Document::decode(compiled)
            .validate(check::NEWEST)
            .into_iter()
            .filter(check::Finding::refuses)
            .filter_map(|finding| Some(check::as_written(finding.field.as_ref()?, 1)))
            .collect();
        Self {
            read,
            compiled,
            versions,
            refused,
        }
    }

    /// Returns the row that documents a difference, if there is one.
    #[must_use]
    pub fn row(&self, difference: &Difference) -> Option<&'static Row> {
        let id = without_effect(difference)
            .or_else(|| self.older(difference))
            .or_else(|| self.refused(difference))?;
        by_id(id)
    }

    /// Returns the row of what older versions of kube and schemars write differently.
    fn older(&self, difference: &Difference) -> Option<&'static str> {
        let Difference {
            way,
            read,
            compiled,
        } = difference;
        let old_schemars = before(&self.versions.schemars, 1, 0);
        let kube = &self.versions.kube;
        let keyword = keyword(way)?;
        let (_, above) = way.elements().split_last()?;
        let node = value_at(self.read, above);
        let in_node = |key: &str| node.and_then(|node| node.get(key));
        let empty = |value: &Value| match value {
            Value::Array(items) => items.is_empty(),
            Value::Object(entries) => entries.is_empty(),
            _ => false,
        };
        match keyword {
            "description" | "title" if old_schemars && words(read) == words(compiled) => {
                Some("joined-lines")
            }
            "description" if old_schemars && in_node("enum").is_some() => Some("enum-docs"),
            "description" if before(kube, 3, 0) && read.is_none() && self.is_of_branch(above) => {
                Some("untagged-docs")
            }
            "description" if old_schemars && read.is_none() && says_branches(node) => {
                Some("optional-enum")
            }
            "x-kubernetes-preserve-unknown-fields"
                if old_schemars && compiled.is_none() && says_branches(node) =>
            {
                Some("flattened-map")
            }
            "required"
                if old_schemars
                    && read.is_none()
                    && in_node("additionalProperties").is_some()
                    && in_node("properties").is_none() =>
            {
                Some("contained-key")
            }
            "format" if old_schemars && read.is_none() && *compiled == Some(json!("phone")) => {
                Some("phone-format")
            }
            "title" if read.is_none() && is_branch(above) => Some("variant-titles"),
            "title"
                if before(kube, 1, 0)
                    && matches!(compiled, Some(Value::String(title)) if title.ends_with("_kube_validation")) =>
            {
                Some("validated-title")
            }
            "title"
                if before(kube, 4, 0)
                    && matches!((read, compiled), (Some(Value::String(read)), Some(Value::String(compiled)))
                        if compiled.strip_suffix("Validated") == Some(read)) =>
            {
                Some("validated-title")
            }
            "additionalProperties"
                if before(kube, 3, 0)
                    && read.is_none()
                    && *compiled == Some(Value::Bool(false))
                    && in_node("properties").is_some() =>
            {
                Some("denied-fields")
            }
            "enum" if self.has_flat_enums() && added_to(read.as_ref()?, compiled.as_ref()?) => {
                Some("edited-enum")
            }
            "enum" if old_schemars && !is_not(above) => {
                let mut with_null = compiled.as_ref()?.as_array()?.clone();
                with_null.push(Value::Null);
                (read.as_ref()?.as_array()? == &with_null).then_some("enum-null")
            }
            "nullable" if old_schemars && read.is_none() && in_node("type").is_none() => {
                Some("untyped-nullable")
            }
            "nullable"
                if before(kube, 3, 0)
                    && compiled.is_none()
                    && in_node("x-kubernetes-int-or-string").is_some() =>
            {
                Some("nullable-int-or-string")
            }
            "minimum" | "maximum" if old_schemars => {
                let format = in_node("format").and_then(Value::as_str)?;
                let small = ["int8", "int16", "uint8", "uint16"].contains(&format);
                let none = compiled
                    .as_ref()
                    .is_none_or(|bound| bound.as_f64() == Some(0.0));
                (small && none && read.is_some()).then_some("small-integers")
            }
            "properties" | "additionalProperties"
                if before(&self.versions.schemars, 1, 2) && self.is_map_by_names(above) =>
            {
                Some("enum-keys")
            }
            "anyOf" if before(kube, 3, 0) => {
                let mut with_none = compiled.as_ref()?.as_array()?.clone();
                with_none.push(json!({}));
                (read.as_ref()?.as_array()? == &with_none).then_some("optional-branches")
            }
            "uniqueItems" if before(kube, 0, 91) && read.is_none() => Some("unique-items"),
            "enum" if old_schemars && compiled.is_none() && is_not(above) => {
                Some("signed-non-zero")
            }
            "format"
                if old_schemars
                    && matches!(compiled, Some(Value::String(format)) if format == "partial-date-time") =>
            {
                Some("naive-time")
            }
            "subresources"
            | "categories"
            | "shortNames"
            | "additionalPrinterColumns"
            | "selectableFields"
                if before(kube, 4, 2) && read.is_none() && compiled.as_ref().is_some_and(empty) =>
            {
                Some("empty-lists")
            }
            "x-kubernetes-validations"
                if before(kube, 1, 0) && read.is_none() && compiled.as_ref().is_some_and(empty) =>
            {
                Some("empty-rules")
            }
            "storage" if before(kube, 0, 98) && *compiled == Some(Value::Bool(true)) => {
                Some("always-stored")
            }
            "type" if before(kube, 3, 0) && is_branch(above) => {
                let [owner @ .., _, _] = above else {
                    return None;
                };
                let either = value_at(self.read, owner)?.get("x-kubernetes-int-or-string");
                either.map(|_| "int-or-string-branches")
            }
            _ => None,
        }
    }

    /// Returns true for a node whose names are properties on one side, and any on the other.
    fn is_map_by_names(&self, node: &[PathElement]) -> bool {
        let says = |side: &Value, key: &str| {
            value_at(side, node).is_some_and(|node| node.get(key).is_some())
        };
        says(self.read, "properties")
            && !says(self.read, "additionalProperties")
            && says(self.compiled, "additionalProperties")
            && !says(self.compiled, "properties")
    }

    /// Returns true for a property that a branch of its owner requires alone.
    fn is_of_branch(&self, property: &[PathElement]) -> bool {
        let [owner @ .., _, PathElement::Key(name)] = property else {
            return false;
        };
        let branches = value_at(self.read, owner).and_then(|owner| owner.get("anyOf")?.as_array());
        let requires = |branch: &Value| {
            branch
                .get("required")
                .is_some_and(|all| *all == json!([name]))
        };
        branches.is_some_and(|branches| branches.iter().any(requires))
    }

    /// Returns true if schemars writes one list of an enum's values even if its variants are documented.
    fn has_flat_enums(&self) -> bool {
        let schemars = self.versions.schemars.as_ref();
        schemars.is_some_and(|version| *version < Version::new(0, 8, 11))
    }

    /// Returns the row of what kube writes and API servers refuse.
    fn refused(&self, difference: &Difference) -> Option<&'static str> {
        let here = difference.way.elements();
        self.refused.iter().find_map(|refused| {
            let node = node_of(refused);
            // A finding about `items` may be one of the node that has them.
            let above = match node {
                [above @ .., last] if holds_values(last) => Some(above),
                _ => None,
            };
            [Some(node), above].into_iter().flatten().find_map(|node| {
                let below = here.strip_prefix(node)?;
                self.documented_row(difference, node, below)
            })
        })
    }

    /// Returns the row at a node that the server refuses. Differences below a node that both CRDs have are separate ones.
    fn documented_row(
        &self,
        difference: &Difference,
        node: &[PathElement],
        below: &[PathElement],
    ) -> Option<&'static str> {
        let (read, compiled) = (value_at(self.read, node)?, value_at(self.compiled, node)?);
        let says = |value: &Value, key: &str| value.get(key).is_some();
        let one_of = |keys: &[&str]| {
            let first = below.first();
            first.is_some_and(|first| keys.iter().any(|key| first.is_child(key)))
        };
        let own_child = || {
            let (one, other) = (&difference.read, &difference.compiled);
            one_of(&["properties"]) && (one.is_none() || other.is_none())
        };
        let keeps = says(read, "x-kubernetes-preserve-unknown-fields");
        let junctors = ["allOf", "anyOf", "oneOf", "not"];
        if keeps
            && !says(compiled, "type")
            && one_of(&["x-kubernetes-preserve-unknown-fields"])
            && !junctors.iter().any(|key| says(compiled, key))
        {
            return Some("any-json");
        }
        if says(compiled, "patternProperties")
            && one_of(&["patternProperties", "additionalProperties"])
        {
            return Some("integer-keys");
        }
        if says(compiled, "properties")
            && says(compiled, "additionalProperties")
            && keeps
            && one_of(&[
                "additionalProperties",
                "x-kubernetes-preserve-unknown-fields",
            ])
        {
            return Some("flattened-map");
        }
        let shape = one_of(&["type", "x-kubernetes-int-or-string", "format"])
            || one_of(&["x-kubernetes-preserve-unknown-fields"])
            || one_of(&["required", "pattern"])
            || one_of(&junctors)
            || own_child();
        let branches = says_branches(Some(compiled));
        let (ours, theirs) = (type_of(read), type_of(compiled));
        if theirs.is_none() && branches {
            let of_items = ["items", "minItems", "maxItems"];
            let of_scalars = ["minimum", "maximum", "minLength", "maxLength", "enum"];
            let is_meant = match ours {
                Some("object") => false,
                Some("array") => shape || one_of(&of_items),
                Some(_) => shape || one_of(&of_scalars),
                None if says(read, "x-kubernetes-int-or-string") => shape || one_of(&of_scalars),
                None => keeps && shape,
            };
            if is_meant {
                return Some("untagged-scalars");
            }
        }
        let nullable = |value: &Value| value.get("nullable") == Some(&Value::Bool(true));
        if one_of(&["nullable"]) && nullable(read) && branches_of(compiled).any(nullable) {
            return Some("nullable-branches");
        }
        if one_of(&["type"]) && theirs.is_none() && nullable(read) {
            return Some("lost-types");
        }
        if shape && branches && ours.is_none() && theirs == Some("object") && says(read, "pattern")
        {
            return Some("mixed-variants");
        }
        if shape && says(compiled, "allOf") {
            return Some("flattened-enums");
        }
        if (shape || one_of(&["nullable"])) && says(compiled, "anyOf") {
            if before(&self.versions.kube, 3, 0) && says(read, "nullable") {
                return Some("optional-enum");
            }
            if shape && says(compiled, "properties") {
                return Some("optional-flattened-enum");
            }
        }
        let branches = branches || says(compiled, "allOf");
        let is_remark = matches!(
            keyword(&difference.way),
            Some("title" | "description" | "default")
        );
        // The rule of the only alternative is one of the node.
        let moves = branches_of(compiled).count() == 1
            && one_of(&["x-kubernetes-validations"])
            && difference.compiled.is_none();
        let is_of_shape = shape || one_of(&["nullable", "items", "enum"]);
        (moves || branches && !is_remark && is_of_shape).then_some("alternatives")
    }
}

/// Returns true if a version is known, and before another one.
fn before(version: &Option<Version>, major: u64, minor: u64) -> bool {
    let limit = Version::new(major, minor, 0);
    version.as_ref().is_some_and(|version| *version < limit)
}

/// Returns the row of a keyword whose value means the same as its absence.
fn without_effect(difference: &Difference) -> Option<&'static str> {
    const FLAGS: [&str; 6] = [
        "exclusiveMaximum",
        "exclusiveMinimum",
        "nullable",
        "x-kubernetes-embedded-resource",
        "x-kubernetes-int-or-string",
        "x-kubernetes-preserve-unknown-fields",
    ];
    let compiled = difference.compiled.as_ref()?;
    let has_none = match keyword(&difference.way)? {
        "allOf" | "anyOf" | "oneOf" => compiled.as_array().is_some_and(Vec::is_empty),
        "$schema" => true,
        keyword => *compiled == Value::Bool(false) && FLAGS.contains(&keyword),
    };
    (difference.read.is_none() && has_none).then_some("false-keywords")
}

/// Returns the row of a panic of kube, by its message.
#[must_use]
pub fn of_panic(words: &str) -> Option<&'static Row> {
    let id = if words.starts_with("Enum variant set") {
        "tagged-enum"
    } else if let Some((one, other)) = two_schemas(words) {
        // The message contains the schemas in Rust's `Debug` format.
        let without = |schema: &str, from: &str, to: &str| {
            let cut = schema.split_once(from).and_then(|(before, rest)| {
                let (_, after) = rest.split_once(to)?;
                Some(format!("{before}{after}"))
            });
            cut.unwrap_or_else(|| schema.to_owned())
        };
        let is_tag = |schema: &str| {
            let values = schema.split_once("enum_values: Some([String(");
            values.is_some_and(|(_, rest)| {
                rest.split_once("])")
                    .is_some_and(|(values, _)| !values.contains("), "))
            })
        };
        let undocumented = |schema: &str| without(schema, "metadata: ", ", instance_type: ");
        if undocumented(one) == undocumented(other) {
            "variant-docs"
        } else if is_tag(one) && is_tag(other) {
            "tagged-enum"
        } else {
            "adjacent-enum"
        }
    } else if words.starts_with("variant defined type") || words.contains("oneOf variant") {
        "mixed-variants"
    } else if words.contains("invalid type: boolean `true`, expected JSONSchemaProps") {
        "any-json"
    } else {
        return None;
    };
    by_id(id)
}

/// Returns the two schemas of one property that kube panics about.
fn two_schemas(words: &str) -> Option<(&str, &str)> {
    let (_, rest) = words
        .strip_prefix("Property ")?
        .split_once(" has the schema ")?;
    let (one, rest) = rest.split_once(" but was already defined as ")?;
    Some((one, rest.split_once(" in another subschema")?.0))
}

/// Returns a row by its id.
#[must_use]
pub fn by_id(id: &str) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.id == id)
}

/// Returns true if a node has branches.
fn says_branches(node: Option<&Value>) -> bool {
    let says = |key: &str| node.is_some_and(|node| node.get(key).is_some());
    says("anyOf") || says("oneOf")
}

/// Returns the type of a node.
fn type_of(node: &Value) -> Option<&str> {
    node.get("type")?.as_str()
}

/// Returns the alternatives of a node.
fn branches_of(node: &Value) -> impl Iterator<Item = &Value> {
    let lists = ["anyOf", "oneOf"].into_iter();
    let lists = lists.filter_map(|list| node.get(list)?.as_array());
    lists.flatten()
}

/// Returns the words of a text, however its lines break.
fn words(text: &Option<Value>) -> Option<Vec<&str>> {
    Some(text.as_ref()?.as_str()?.split_whitespace().collect())
}

/// Returns the keyword that a path ends in.
fn keyword(way: &FieldPath) -> Option<&str> {
    match way.elements().last()? {
        PathElement::Child(keyword) => Some(keyword),
        PathElement::Key(_) | PathElement::Index(_) => None,
    }
}

/// Returns true if a path is a branch of a junctor.
fn is_branch(way: &[PathElement]) -> bool {
    let lists = ["allOf", "anyOf", "oneOf"];
    matches!(way, [.., list, PathElement::Index(_)] if lists.iter().any(|name| list.is_child(name)))
}

/// Returns true if a path ends in `not`.
fn is_not(way: &[PathElement]) -> bool {
    way.last().is_some_and(|last| last.is_child("not"))
}

/// Returns the node of a field that a server names: the node with the first junctor along the path, else the node with the
/// keyword.
#[must_use]
pub fn node_of(refused: &FieldPath) -> &[PathElement] {
    let path = refused.elements();
    let is_junctor = |pair: &[PathElement]| {
        is_branch(pair) || pair.first().is_some_and(|keyword| keyword.is_child("not"))
    };
    if let Some(end) = path.windows(2).position(is_junctor) {
        return path.get(..end).unwrap_or(path);
    }
    match path {
        // A field that ends with a property name is a node itself.
        [.., properties, PathElement::Key(_)] if properties.is_child("properties") => path,
        [.., last] if holds_values(last) => path,
        [node @ .., _, PathElement::Key(_) | PathElement::Index(_)] | [node @ .., _] => node,
        [] => path,
    }
}

/// Returns true for the keyword of a schema of items or entries.
fn holds_values(keyword: &PathElement) -> bool {
    keyword.is_child("items") || keyword.is_child("additionalProperties")
}

/// Returns true if a list is another one with items appended.
fn added_to(read: &Value, compiled: &Value) -> bool {
    match (read.as_array(), compiled.as_array()) {
        (Some(read), Some(compiled)) => compiled.len() > read.len() && compiled.starts_with(read),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
