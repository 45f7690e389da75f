//! The annotations that keep what a version cannot represent.

use super::super::Unconvertible;
use super::Lost;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The maximum size of all annotations of an object that an API server accepts, in bytes.
const LARGEST: usize = 256 * 1024;

/// The largest number of characters of an annotation's name after the slash.
const LONGEST: usize = 63;

/// The version of the format. Raise it with any change to [`Lost`].
pub(crate) const FORMAT: u32 = 2;

/// The oldest format that is read. It lacks unions and hidden elements of lists.
const OLDEST: u32 = 1;

/// The kept parts of an object, by the name of the version that they come from.
#[derive(Debug, Default)]
pub(crate) struct Annotations {
    pub(crate) versions: BTreeMap<String, Lost>,
    /// The annotations that this program cannot read.
    unread: Map<String, Value>,
    /// Whether one of these is of a later program.
    is_later: bool,
}

/// The text of one annotation.
#[derive(Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
struct Annotation {
    format: u32,
    versions: BTreeMap<String, Lost>,
}

/// The name of the annotations; those of most parts have a suffix.
pub(crate) fn name(group: &str) -> String {
    format!("{group}/conversion-kept")
}

/// What is kept by this name beside what is kept of a version: the parts that were refused there, for a program that knows more.
/// No version has such a name, so other programs leave it alone.
pub(crate) fn later(version: &str) -> String {
    format!("{version}.later")
}

/// The name of the annotation of a part. Each part has its own, so that a server-side apply of another version removes the
/// parts of the fields that its manager no longer applies, and leaves the others alone.
fn name_of_part(group: &str, version: &str, path: &[String]) -> String {
    let readable = format!("conversion-kept.{version}.{}", path.join("."));
    let is_plain =
        |name: &String| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric());
    match readable.len() <= LONGEST && !path.is_empty() && path.iter().all(is_plain) {
        true => format!("{group}/{readable}"),
        false => {
            let whole = format!("{version}\0{}", path.join("\0"));
            format!("{group}/conversion-kept.{:016x}", fnv(&whole))
        }
    }
}

/// FNV-1a: the same on every machine and in every build.
fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Removes the kept parts from an object. Invalid annotations never make an object unreadable.
pub(crate) fn take(object: &mut Value, group: &str) -> Annotations {
    let mut kept = Annotations::default();
    let metadata = object.get_mut("metadata").and_then(Value::as_object_mut);
    let Some(metadata) = metadata else {
        return kept;
    };
    let Some(Value::Object(annotations)) = metadata.get_mut("annotations") else {
        return kept;
    };
    let (whole, part) = (name(group), format!("{}.", name(group)));
    let names = annotations.keys();
    let own: Vec<String> = names
        .filter(|name| **name == whole || name.starts_with(&part))
        .cloned()
        .collect();
    for name in &own {
        let Some(written) = annotations.remove(name) else {
            continue;
        };
        let text = written.as_str().unwrap_or_default();
        let read = serde_json::from_str(text).ok();
        let read = read.filter(|read: &Annotation| (OLDEST..=FORMAT).contains(&read.format));
        match read {
            Some(read) => {
                for (version, lost) in read.versions {
                    let other = kept.versions.remove(&version);
                    let both = Lost::both(other, Some(lost));
                    kept.versions.extend(both.map(|both| (version, both)));
                }
            }
            None => {
                kept.is_later |= is_later(text);
                kept.unread.insert(name.clone(), written);
            }
        }
    }
    if !own.is_empty() && annotations.is_empty() {
        metadata.remove("annotations");
    }
    kept
}

/// Whether a text is an annotation in a later format.
fn is_later(text: &str) -> bool {
    #[derive(Deserialize)]
    struct Format {
        format: u32,
    }
    serde_json::from_str(text).is_ok_and(|Format { format }| format > FORMAT)
}

/// Adds the kept parts to an object. Unreadable annotations stay, unless they have the name of one that is added.
///
/// # Errors
/// The parts are too large for annotations, or nested too deeply, or an annotation of a later program may say more of them.
pub(crate) fn store(
    kept: Annotations,
    object: &mut Value,
    group: &str,
) -> Result<(), Unconvertible> {
    let failed = |reason: String| Unconvertible::new(reason).at("metadata");
    let mut added = kept.unread;
    if kept.is_later && !kept.versions.is_empty() {
        let later: Vec<&str> = added.keys().map(String::as_str).collect();
        let reason = format!(
            "the annotation `{}` is of a later program, which has to convert the object",
            later.join("`, `")
        );
        return Err(failed(reason));
    }
    // Parts whose names are the same share an annotation.
    let mut own: BTreeMap<String, BTreeMap<String, Lost>> = BTreeMap::new();
    for (version, lost) in kept.versions {
        for (path, lost) in lost.split() {
            let versions = own.entry(name_of_part(group, &version, &path)).or_default();
            let both = Lost::both(versions.remove(&version), Some(lost));
            versions.extend(both.map(|both| (version.clone(), both)));
        }
    }
    for (name, versions) in own {
        let annotation = Annotation {
            format: FORMAT,
            versions,
        };
        added.insert(name, text(&annotation).map_err(failed)?.into());
    }
    if added.is_empty() {
        return Ok(());
    }
    let Value::Object(fields) = object else {
        return Err(failed("the object is not a map".to_owned()));
    };
    let metadata = fields.entry("metadata").or_insert(Value::Null);
    if metadata.is_null() {
        *metadata = Map::new().into();
    }
    let metadata = metadata.as_object_mut();
    let metadata = metadata.ok_or_else(|| failed("it is not a map".to_owned()))?;
    let annotations = metadata.entry("annotations").or_insert(Value::Null);
    if annotations.is_null() {
        *annotations = Map::new().into();
    }
    let annotations = annotations.as_object_mut();
    let annotations =
        annotations.ok_or_else(|| failed("its annotations are not a map".to_owned()))?;
    annotations.extend(added);
    let size = |(name, value): (&String, &Value)| name.len() + value.as_str().map_or(0, str::len);
    let size: usize = annotations.iter().map(size).sum();
    if size > LARGEST {
        return Err(failed(format!(
            "the annotations would have {size} bytes with the fields that the version lacks; an API server accepts at most {LARGEST}"
        )));
    }
    Ok(())
}

fn text(annotation: &Annotation) -> Result<String, String> {
    let text = serde_json::to_string(annotation).map_err(|error| error.to_string())?;
    if serde_json::from_str::<Annotation>(&text).ok().as_ref() != Some(annotation) {
        let reason = "the fields that the version lacks are nested too deeply for an annotation";
        return Err(reason.to_owned());
    }
    Ok(text)
}

impl Lost {
    /// The parts that have an annotation each, with their paths.
    fn split(self) -> Vec<(Vec<String>, Self)> {
        let below = |fields: BTreeMap<String, Self>| {
            let parts = fields.into_iter().flat_map(|(name, lost)| {
                lost.split().into_iter().map(move |(mut path, lost)| {
                    path.insert(0, name.clone());
                    (path, Self::Fields([(name.clone(), lost)].into()))
                })
            });
            parts.collect::<Vec<_>>()
        };
        match self {
            Self::Fields(fields) => below(fields),
            Self::Members(unions, fields) => {
                let unions = unions.into_iter().map(|union| {
                    let path = vec![union.members().collect::<Vec<_>>().join(", ")];
                    (path, Self::Members(vec![union], BTreeMap::new()))
                });
                unions.chain(below(fields)).collect()
            }
            other => vec![(Vec::new(), other)],
        }
    }

    /// Parts of the same object together. The first are preferred.
    pub(crate) fn both(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        match (one, other) {
            (Some(one), Some(other)) => Some(one.and(other)),
            (one, other) => one.or(other),
        }
    }

    fn and(self, other: Self) -> Self {
        let merge = |mut all: BTreeMap<String, Self>, more: BTreeMap<String, Self>| {
            for (name, lost) in more {
                let lost = match all.remove(&name) {
                    Some(one) => one.and(lost),
                    None => lost,
                };
                all.insert(name, lost);
            }
            all
        };
        match (self, other) {
            (Self::Fields(all), Self::Fields(more)) => Self::Fields(merge(all, more)),
            (Self::Keyed(all), Self::Keyed(more)) => Self::Keyed(merge(all, more)),
            (Self::Members(unions, all), Self::Fields(more))
            | (Self::Fields(all), Self::Members(unions, more)) => {
                Self::Members(unions, merge(all, more))
            }
            (Self::Members(mut unions, all), Self::Members(others, more)) => {
                unions.extend(others);
                Self::Members(unions, merge(all, more))
            }
            (Self::Items(mut items), Self::Items(more)) => {
                items.extend(more);
                Self::Items(items)
            }
            (one, _) => one,
        }
    }
}

/// An annotation that somebody else might write: its parts are made from the object and from random bytes.
#[cfg(feature = "round-trip")]
pub(crate) fn forged(version: &str, object: &Value, bytes: &[u8]) -> String {
    let text: String = bytes.iter().map(|byte| char::from(*byte)).collect();
    let choose = |index: usize| bytes.get(index).copied().unwrap_or_default();
    let was = match choose(1) % 3 {
        0 => Value::Null,
        1 => Value::from(choose(2)),
        _ => object.clone(),
    };
    let value = serde_json::json!({ "value": { "was": was } });
    let fields = serde_json::json!({ "fields": { "metadata": value, "kind": value, "spec": value, "status": value } });
    let lost = match choose(0) % 4 {
        0 => return text,
        1 => serde_json::json!({ "format": FORMAT, "versions": { version: value } }),
        2 => {
            serde_json::json!({ "format": FORMAT, "versions": { version: { "items": [[0, { "was": was }]] } } })
        }
        _ => serde_json::json!({ "format": OLDEST, "versions": { version: fields } }),
    };
    lost.to_string()
}

#[cfg(test)]
mod tests {
    use super::{Annotations, LONGEST, Lost, name_of_part, store, take};
    use serde_json::{Value, json};
    use std::collections::BTreeSet;

    #[test]
    fn each_part_has_a_name_of_its_own_that_servers_accept() {
        let long = "x".repeat(LONGEST - "conversion-kept.v1.a.".len());
        let more = format!("{long}x");
        let paths: [&[&str]; 13] = [
            &[],
            &["a", ""],
            &["", "a"],
            &["a"],
            &["a", "b"],
            &["ab"],
            &["a.b"],
            &["a", "ö"],
            &["a", "-"],
            &["a", &long],
            &["a", &more],
            &["ab", &more],
            &["a", "b", &more],
        ];
        let mut names = BTreeSet::new();
        for version in ["v1", "v1beta1", "v1.later"] {
            for path in paths {
                let path: Vec<String> = path.iter().map(|name| (*name).to_owned()).collect();
                let name = name_of_part("g", version, &path);
                let own = name.trim_start_matches("g/");
                let is_inner = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '-';
                let is_valid = own.len() <= LONGEST
                    && own.chars().all(is_inner)
                    && own.ends_with(|c: char| c.is_ascii_alphanumeric());
                assert!(is_valid, "{name}");
                assert!(names.insert(name), "{version} {path:?}");
            }
        }
        let named = name_of_part("g", "v1", &["a".to_owned(), long.clone()]);
        assert_eq!(named, format!("g/conversion-kept.v1.a.{long}"));
    }

    /// So that a server-side apply takes away what is kept of the fields that its manager no longer applies, and only that.
    #[test]
    fn each_union_and_each_field_beside_it_has_its_annotation() {
        let value = json!({ "value": { "was": 1 } });
        let union = json!({ "shown": [{}], "members": { "a": { "was": 1 }, "b": {} } });
        let members = json!({ "members": [[union], { "x": value, "y": value }] });
        let lost = json!({ "fields": { "spec": members } });
        let lost = serde_json::from_value::<Lost>(lost).ok();
        let annotations = Annotations {
            versions: lost
                .map(|lost| ("v1".to_owned(), lost))
                .into_iter()
                .collect(),
            ..Annotations::default()
        };
        let mut object = json!({});
        assert_eq!(store(annotations, &mut object, "g"), Ok(()));
        let annotations = object["metadata"]["annotations"].as_object();
        let names: Vec<&String> = annotations
            .into_iter()
            .flatten()
            .map(|(name, _)| name)
            .collect();
        assert_eq!(names.len(), 3, "{names:?}");
        for own in ["g/conversion-kept.v1.spec.x", "g/conversion-kept.v1.spec.y"] {
            assert!(names.iter().any(|name| *name == own), "{names:?}");
        }
    }

    #[test]
    fn parts_whose_names_are_the_same_are_all_kept() {
        let value = json!({ "value": { "was": 1 } });
        let lost = |text: Value| serde_json::from_value::<Lost>(text).ok();
        let of = |version: &str, text: Value| Some((version.to_owned(), lost(text)?));
        let kept = [
            of(
                "v1",
                json!({ "fields": { "later": { "fields": { "x": value } } } }),
            ),
            of("v1.later", json!({ "fields": { "x": value } })),
        ];
        let versions: std::collections::BTreeMap<_, _> = kept.into_iter().flatten().collect();
        assert_eq!(versions.len(), 2);
        let mut object = json!({});
        let annotations = Annotations {
            versions: versions.clone(),
            ..Annotations::default()
        };
        assert_eq!(store(annotations, &mut object, "g"), Ok(()));
        assert_eq!(take(&mut object, "g").versions, versions);
        // What has no annotations of ours stays as it is.
        let mut other = json!({ "metadata": { "annotations": {} } });
        assert!(take(&mut other, "g").versions.is_empty());
        assert_eq!(other, json!({ "metadata": { "annotations": {} } }));
    }
}
