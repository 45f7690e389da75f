//! An object that is stored before its CRD changes, and what a server says of it before and after.

use super::super::damage;
use super::super::kinds::{Kind, LAX};
use super::super::repair::repair;
use super::super::said::{self, Said};
use super::super::trial::{address, drawn};
use crate::objects::dice::Dice;
use crd_channels_envtest::http::{Answer, Api};
use crd_channels_validation::path::Path;
use crd_channels_validation::schema::{Faults, JsonNode, decode_schema};
use serde_json::Value;
use std::collections::BTreeSet;

/// A stored object.
pub struct Stored {
    pub name: String,
    /// The version in which it is read and written.
    version: String,
    /// The object as a person has it: as it was written, or as a server returned it.
    pub manifest: Value,
    before: Facts,
}

/// What a server says of an object.
struct Facts {
    /// The object as clients read it; null if its version is not served.
    read: Value,
    /// Whether it is accepted again as it is.
    unchanged: Answer,
    /// What becomes of another one that is written in the same way.
    created: Answer,
}

/// How the server's answers differ.
#[derive(Debug, Default, Eq, PartialEq)]
pub struct Differences {
    /// The object is read or stored otherwise.
    pub value: bool,
    /// A value is gone.
    pub lost: bool,
    /// Why it is refused as it is; empty if it is not.
    pub refused: String,
    /// Another one like it is refused.
    pub refused_new: bool,
    /// Another one like it was refused before.
    pub was_refused_new: bool,
    /// Another one like it is refused as before, and for more reasons.
    pub refused_for_more: bool,
    /// There are other warnings.
    pub warned: bool,
}

impl Stored {
    /// Draws an object and stores it.
    pub fn draw(api: Api, kind: &Kind, number: usize, dice: &mut Dice) -> Option<Self> {
        let version = dice.pick(&kind.versions)?;
        let root = Path::root("openAPIV3Schema");
        let node = JsonNode::new(&version.schema, &root);
        let schema = decode_schema(&mut Faults::default(), node);
        let mut object = drawn(&schema, dice);
        address(&mut object, kind, version, number);
        let path = kind.path(&version.name);
        let object = repair(api, &path, object, dice);
        let name = format!("thing{number}");
        let (mut way, mut first) = (path.clone(), object.clone());
        if version.is_storage && dice.chance(1, 5) {
            // Invalid before: the other version accepts anything.
            let broken = damage::draw(&schema, &object, dice).object;
            first = version.validator.create(&broken).object;
            first["apiVersion"] = kind.api_version(LAX).into();
            way = kind.path(LAX);
        }
        let stored = api.post(&way, &first).unwrap();
        let read = api.get(&format!("{path}/{name}")).unwrap();
        if stored.status != 201 || read.status != 200 {
            return None;
        }
        let read = read.json();
        let manifest = match way == path && dice.chance(1, 2) {
            true => object,
            false => read,
        };
        Some(Self {
            before: Facts::of(api, kind, &version.name, &name, &manifest),
            version: version.name.clone(),
            manifest,
            name,
        })
    }

    /// Whether it was read from the server.
    pub fn is_read(&self) -> bool {
        self.manifest["metadata"]["uid"].is_string()
    }

    /// Whether the server refused it as it is even before the CRD changed.
    pub fn was_refused(&self) -> bool {
        self.before.unchanged.status >= 300
    }

    /// Asks the server again, after the CRD changed.
    pub fn differences(&self, api: Api, kind: &Kind) -> Differences {
        let own = format!("{}/{}", kind.path(&self.version), self.name);
        let before = &self.before;
        let after = Facts::of(api, kind, &self.version, &self.name, &self.manifest);
        let mut last = after.read.clone();
        if !last.is_null() {
            let written = api
                .put(&format!("{own}?fieldValidation=Ignore"), &last)
                .unwrap();
            if written.status == 200 {
                last = api.get(&own).unwrap().json();
            }
        }
        let parts = |value: &Value| {
            let mut value = value.clone();
            if let Value::Object(fields) = &mut value {
                fields.retain(|name, _| {
                    !["metadata", "apiVersion", "kind", "status"].contains(&name.as_str())
                });
            }
            value
        };
        let created = |answer: &Answer| (answer.status < 300).then(|| parts(&answer.json()));
        let is_ok = |answer: &Answer| answer.status < 300;
        let warnings = |answer: &Answer| {
            let Said { warnings, .. } = said::by_server(answer);
            warnings
        };
        let reasons = |answer: &Answer| {
            let Said {
                causes, unknown, ..
            } = said::by_server(answer);
            let causes = causes.into_iter();
            let causes = causes.map(|cause| format!("{}: {}", cause.field, cause.message));
            causes.chain(unknown).collect::<BTreeSet<String>>()
        };
        // What was read from a server is not created, as a rule.
        let both_created = created(&before.created).zip(created(&after.created));
        let both_created = both_created.filter(|_| !self.is_read());
        Differences {
            value: parts(&before.read) != parts(&last)
                || both_created.is_some_and(|(before, after)| before != after),
            lost: has_lost(&parts(&before.read), &parts(&after.read))
                || has_lost(&parts(&before.read), &parts(&last)),
            refused: match is_ok(&before.unchanged) && !is_ok(&after.unchanged) {
                true => after.unchanged.json()["message"].to_string(),
                false => String::new(),
            },
            refused_new: is_ok(&before.created) && !is_ok(&after.created),
            was_refused_new: !is_ok(&before.created),
            refused_for_more: !is_ok(&before.created)
                && !reasons(&after.created).is_subset(&reasons(&before.created)),
            warned: !warnings(&after.created).is_subset(&warnings(&before.created)),
        }
    }
}

impl Facts {
    fn of(api: Api, kind: &Kind, version: &str, name: &str, manifest: &Value) -> Self {
        let path = kind.path(version);
        let own = format!("{path}/{name}");
        let read = api.get(&own).unwrap();
        let read = match read.status {
            200 => read.json(),
            _ => Value::Null,
        };
        let mut another = manifest.clone();
        let metadata = another["metadata"].as_object_mut().unwrap();
        metadata.retain(|name, _| {
            ["name", "namespace", "labels", "annotations"].contains(&name.as_str())
        });
        another["metadata"]["name"] = format!("{name}-again").into();
        let query = "?dryRun=All&fieldValidation=Strict";
        Self {
            unchanged: api.put(&format!("{own}{query}"), &read).unwrap(),
            created: api.post(&format!("{path}{query}"), &another).unwrap(),
            read,
        }
    }
}

/// Whether a value that was there is not there any more.
fn has_lost(before: &Value, after: &Value) -> bool {
    match (before, after) {
        (Value::Object(before), Value::Object(after)) => before.iter().any(|(name, value)| {
            let after = after.get(name);
            after.is_none_or(|after| has_lost(value, after))
        }),
        (Value::Array(before), Value::Array(after)) => {
            before.len() > after.len()
                || before
                    .iter()
                    .zip(after)
                    .any(|(before, after)| has_lost(before, after))
        }
        _ => false,
    }
}
