//! How large the annotations can become that keep what another version of a kind cannot represent.
//!
//! `crates/runtime` writes one for each lost field, with its value before the round trip, after it, and after it with defaults.
//! Sizes are those of what `serde_json` writes. Functions of the author are taken to lose nothing that both versions have.

use super::regret::is_open;
use crate::document::model::{Crd, Schema, Version};
use crate::finding::Finding;
use crate::registry::Rule;
use crd_channels_validation::path::{FieldPath, Path};
use serde_json::Value;

/// The maximum size of all annotations of an object, in bytes.
const LIMIT: u64 = 262_144;

/// What all versions share, beside the spec and the status.
const META: [&str; 3] = ["apiVersion", "kind", "metadata"];

pub(super) fn lint(crd: &Crd<'_>, found: &mut Vec<Finding>) {
    let Some(kept) = Kept::of_crd(crd) else {
        return;
    };
    let largest = kept.largest.as_ref();
    if kept.unbounded.is_empty()
        && kept.bytes > LIMIT
        && let Some((bytes, field)) = largest
    {
        let message = format!(
            "the annotations that keep what another version lacks can have {} bytes, and a server accepts {LIMIT}; `{}` takes {bytes}",
            kept.bytes,
            field.in_objects()
        );
        let mut finding = Finding::new(Rule::KeptAnnotations, message);
        finding.field = Some(field.clone());
        found.push(finding);
    }
    found.extend(kept.unbounded);
}

/// What annotations of an object may have to keep.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    /// The largest size of all of them, as far as the schemas bound them.
    pub(crate) bytes: u64,
    /// The largest one.
    largest: Option<(u64, FieldPath)>,
    /// The fields that no schema bounds.
    pub(crate) unbounded: Vec<Finding>,
}

impl Kept {
    /// `None` if no webhook converts between several versions.
    pub(crate) fn of_crd(crd: &Crd<'_>) -> Option<Self> {
        let conversion = crd.spec.conversion.as_ref()?;
        let live: Vec<(usize, &Version<'_>)> = crd
            .spec
            .versions
            .iter()
            .enumerate()
            .filter(|(_, version)| version.served == Some(true) || version.storage)
            .collect();
        if conversion.strategy != "Webhook" || live.len() < 2 {
            return None;
        }
        let mut whole = Self::default();
        let mut least = u64::MAX;
        for (index, version) in &live {
            let mut own = Self::default();
            for (_, other) in live.iter().filter(|(other, _)| other != index) {
                own = own.or(Self::lost(crd, (*index, version), other));
            }
            // An object has its own version as it is.
            least = least.min(own.bytes);
            whole.bytes = whole.bytes.saturating_add(own.bytes);
            whole.largest = whole.largest.max(own.largest);
            whole.unbounded.extend(own.unbounded);
        }
        whole.bytes = whole.bytes.saturating_sub(least);
        Some(whole)
    }

    /// What the other version cannot represent.
    fn lost(crd: &Crd<'_>, (index, version): (usize, &Version<'_>), other: &Version<'_>) -> Self {
        let (Some(own), Some(there)) = (version.schema(), other.schema()) else {
            return Self::default();
        };
        let spec = Path::root("spec");
        let (versions, group) = (spec.child("versions"), crd.spec.group);
        let (version_at, names) = (versions.index(index), [version.name, other.name]);
        let schema = version_at.child("schema");
        let mut walk = Walk {
            group,
            names,
            kept: Self::default(),
        };
        walk.fields(own, there, &[], schema.child("openAPIV3Schema"));
        walk.kept
    }

    /// What either of two other versions cannot represent; the larger one counts.
    fn or(self, other: Self) -> Self {
        let (mut larger, other) = match self.bytes >= other.bytes {
            true => (self, other),
            false => (other, self),
        };
        for finding in other.unbounded {
            if !larger
                .unbounded
                .iter()
                .any(|known| known.field == finding.field)
            {
                larger.unbounded.push(finding);
            }
        }
        larger
    }
}

/// A walk through the objects of two versions.
struct Walk<'a> {
    group: &'a str,
    /// The version, and the other one.
    names: [&'a str; 2],
    kept: Kept,
}

impl Walk<'_> {
    /// The fields of an object that both have.
    fn fields(&mut self, own: &Schema<'_>, other: &Schema<'_>, above: &[&str], at: Path<'_>) {
        let at = at.child("properties");
        for field in fields(own, other, above.is_empty()) {
            let (name, at) = (field.name, at.key(field.name));
            let path: Vec<&str> = above.iter().copied().chain([name]).collect();
            if let (false, Some(there)) = (field.is_member, field.there)
                && has_fields(field.own)
                && has_fields(there)
            {
                self.fields(field.own, there, &path, at);
                continue;
            }
            match field.lost(at) {
                Ok(0) => {}
                Ok(bytes) => {
                    let bytes = bytes.saturating_add(self.around(&path));
                    self.kept.bytes = self.kept.bytes.saturating_add(bytes);
                    let largest = Some((bytes, at.into()));
                    self.kept.largest = self.kept.largest.take().max(largest);
                }
                Err(unbounded) => self.kept.unbounded.push(unbounded.told(self.names)),
            }
        }
    }

    /// The name of the annotation of a field, and its text around what is lost there.
    fn around(&self, path: &[&str]) -> u64 {
        let [version, _] = self.names;
        let names: usize = path.iter().map(|name| name.len() + 1).sum();
        let name = self.group.len()
            + "/".len()
            + ("conversion-kept.".len() + version.len() + names).clamp(32, 63);
        let outside = r#"{"format":2,"versions":{"":}}"#.len() + version.len();
        let objects: usize = path
            .iter()
            .map(|name| r#"{"fields":{:}}"#.len() + of_key(name))
            .sum();
        count(name + outside + objects)
    }
}

/// A field of an object in one version, and in the other one.
struct Field<'a, 's> {
    name: &'a str,
    own: &'a Schema<'s>,
    there: Option<&'a Schema<'s>>,
    /// How often the value may be in what is kept if the other version lacks it.
    times: u64,
    /// Whether other fields of the object decide what becomes of it.
    is_member: bool,
}

fn fields<'a, 's>(own: &'a Schema<'s>, other: &'a Schema<'s>, is_root: bool) -> Vec<Field<'a, 's>> {
    let of_own = own
        .properties
        .iter()
        .filter(|(name, _)| !(is_root && META.contains(name)));
    // What the other version calls differently may come back in part.
    let may_be_renamed = other
        .properties
        .iter()
        .any(|(name, _)| own.properties.get(name).is_none());
    let is_required = |name: &str| own.required.iter().any(|required| *required == name);
    let mut all: Vec<Field<'a, 's>> = of_own
        .map(|(name, property)| Field {
            name,
            own: property,
            there: other.properties.get(name),
            times: match may_be_renamed {
                true => 3,
                // A required field that the other version lacks comes back with a default.
                false if is_required(name) => 2,
                false => 1,
            },
            is_member: false,
        })
        .collect();
    let counts = |rule: &str| rule.contains("has(self.");
    let is_union = !own.one_of.is_empty()
        || !own.any_of.is_empty()
        || own.rules.iter().any(|rule| counts(rule.rule));
    let nowhere = Path::root("");
    // The members of a union are lost together.
    if is_union
        && all
            .iter()
            .any(|field| !matches!(field.lost(nowhere), Ok(0)))
    {
        for field in &mut all {
            (field.is_member, field.times) = (true, 3);
        }
    }
    all
}

impl Field<'_, '_> {
    /// The size of what is lost there at most; 0 if nothing is.
    fn lost(&self, at: Path<'_>) -> Most {
        match self.there {
            Some(there) if !self.is_member => lost(self.own, there, at),
            _ => {
                let value = size(self.own, at)?.saturating_mul(self.times);
                // The names of the members that were chosen, before and after, with the values of tags.
                let choices = match self.is_member {
                    true => 2 * (count(of_key(self.name)) + 6) + 64,
                    false => 0,
                };
                let tag = match self.is_member && !self.own.enum_values.is_empty() {
                    true => 2 * size(self.own, at)?,
                    false => 0,
                };
                Ok(value.saturating_add(VALUE + choices + tag))
            }
        }
    }
}

/// `{"value":{"was":,"shown":,"defaulted":}}`
const VALUE: u64 = 40;

/// An element of a list without keys: indexes, names and separators.
const ITEM: u64 = 96;

type Most = Result<u64, Unbounded>;

/// What is lost of a value that both versions have, as a part of an annotation.
fn lost(own: &Schema<'_>, there: &Schema<'_>, at: Path<'_>) -> Most {
    if has_fields(own) && has_fields(there) {
        let mut sum = 0_u64;
        let below = at.child("properties");
        for field in fields(own, there, false) {
            let bytes = field.lost(below.key(field.name))?;
            if bytes > 0 {
                sum = sum
                    .saturating_add(bytes)
                    .saturating_add(count(of_key(field.name)) + 2);
            }
        }
        let around = count(r#"{"members":[[],{}]}"#.len());
        return Ok(if sum == 0 {
            0
        } else {
            sum.saturating_add(around)
        });
    }
    if let (Some(item), Some(item_there)) = (own.item(), there.item()) {
        let below = at.child("items");
        let of_item = lost(item, item_there, below)?;
        if of_item == 0 {
            return Ok(0);
        }
        let items = own.max_items.ok_or_else(|| Unbounded::of_schema(own, at))?;
        let keys = own.list_map_keys.as_slice();
        let of_each = match !keys.is_empty() && keys == there.list_map_keys.as_slice() {
            true => keys
                .iter()
                .try_fold(of_item.saturating_add(8), |sum, key| {
                    let key = item
                        .properties
                        .get(key)
                        .map_or(Ok(0), |key| of_map_key(key, below));
                    Ok(sum.saturating_add(key?))
                })?,
            false => size(item, below)?.saturating_mul(4).saturating_add(ITEM),
        };
        return Ok(times(items, of_each).saturating_add(VALUE));
    }
    if let (Some(values), Some(values_there)) = (own.values(), there.values()) {
        return match lost(values, values_there, at.child("additionalProperties"))? {
            0 => Ok(0),
            _ => Err(Unbounded::of_schema(own, at)),
        };
    }
    let is_plain = |schema: &Schema<'_>| {
        schema.properties.is_empty() && schema.item().is_none() && schema.values().is_none()
    };
    let has_value = |value: &&Value| {
        there.enum_values.is_empty() || there.enum_values.iter().any(|known| known == value)
    };
    let is_same = (own.ty, own.int_or_string) == (there.ty, there.int_or_string)
        && (!own.enum_values.is_empty() || there.enum_values.is_empty())
        && own.enum_values.iter().all(has_value);
    match is_same && is_plain(own) && is_plain(there) {
        true => Ok(0),
        false => Ok(size(own, at)?.saturating_mul(3).saturating_add(VALUE)),
    }
}

/// The largest JSON of a value.
fn size(schema: &Schema<'_>, at: Path<'_>) -> Most {
    let enum_values = schema
        .enum_values
        .iter()
        .map(|value| count(value.to_string().len()));
    if let Some(largest) = enum_values.max() {
        return Ok(largest);
    }
    if is_open(schema) {
        return Err(Unbounded::of_schema(schema, at));
    }
    if schema.int_or_string {
        return largest_text(schema, 6, at).map(|text| text.max(INTEGER));
    }
    let largest = match schema.ty {
        "boolean" => 5,
        "integer" if schema.format == "int32" => 11,
        "integer" => INTEGER,
        "number" => 25,
        "string" => largest_text(schema, 6, at)?,
        "array" => {
            let (Some(items), Some(item)) = (schema.max_items, schema.item()) else {
                return Err(Unbounded::of_schema(schema, at));
            };
            let item = size(item, at.child("items"))?;
            times(items, item.saturating_add(1)).saturating_add(2)
        }
        "object" if schema.values().is_none() => {
            let below = at.child("properties");
            let mut sum = 2_u64;
            for (name, property) in schema.properties.iter() {
                let value = size(property, below.key(name))?;
                sum = sum
                    .saturating_add(value)
                    .saturating_add(count(of_key(name)) + 2);
            }
            sum
        }
        _ => return Err(Unbounded::of_schema(schema, at)),
    };
    Ok(largest.max(if schema.nullable { 4 } else { 0 }))
}

/// `-9223372036854775808`
const INTEGER: u64 = 20;

/// The largest JSON of a text. A character takes up to `each` bytes: control characters are written as `\u0000`.
fn largest_text(schema: &Schema<'_>, each: u64, at: Path<'_>) -> Most {
    let of_format = match schema.format {
        "date" => Some(10),
        "date-time" => Some(35),
        "ipv4" => Some(15),
        "ip" | "ipv6" => Some(45),
        "cidr" => Some(49),
        "uuid" | "uuid3" | "uuid4" | "uuid5" => Some(36),
        _ => None,
    };
    let declared = schema.max_length.map(|length| times(length, each));
    let length = of_format.into_iter().chain(declared).min();
    length
        .map(|length| length.saturating_add(2))
        .ok_or_else(|| Unbounded::of_schema(schema, at))
}

/// The largest text of a key of a list map: JSON that is a name in JSON, so quotes and escapes are escaped again.
fn of_map_key(schema: &Schema<'_>, at: Path<'_>) -> Most {
    let again = |value: &Value| count(of_key(&value.to_string()));
    if let Some(largest) = schema.enum_values.iter().map(|value| again(value)).max() {
        return Ok(largest);
    }
    match schema.ty {
        "string" => largest_text(schema, 7, at).map(|text| text.saturating_add(3)),
        _ => size(schema, at).map(|size| size.saturating_add(1)),
    }
}

fn has_fields(schema: &Schema<'_>) -> bool {
    !schema.properties.is_empty()
}

/// The size of a name in JSON.
fn of_key(name: &str) -> usize {
    Value::from(name).to_string().len()
}

fn count(bytes: usize) -> u64 {
    u64::try_from(bytes).unwrap_or(u64::MAX)
}

fn times(number: i64, bytes: u64) -> u64 {
    u64::try_from(number)
        .unwrap_or_default()
        .saturating_mul(bytes)
}

/// A value whose size no schema bounds.
struct Unbounded {
    at: FieldPath,
    help: &'static str,
}

impl Unbounded {
    fn of_schema(schema: &Schema<'_>, at: Path<'_>) -> Self {
        let help = match schema.ty {
            _ if is_open(schema) => "declare its fields, or keep it in every version",
            "string" => "declare `maxLength`: `#[schemars(length(max = ..))]`",
            "array" => "declare `maxItems`: `#[schemars(length(max = ..))]`",
            "object" => {
                "no keyword bounds the keys of a map: make it a list map, with bounds for the list and the key"
            }
            _ => "declare what it can be",
        };
        Self {
            at: at.into(),
            help,
        }
    }

    fn told(self, [version, other]: [&str; 2]) -> Finding {
        let message = format!(
            "`{}` of `{version}` has no bound, and an annotation keeps it in `{other}`",
            self.at.in_objects()
        );
        let mut finding = Finding::new(Rule::KeptAnnotations, message);
        finding.field = Some(self.at);
        finding.with_help(self.help)
    }
}
