//! An object, and what the server says of it.

use super::damage::{self, Damage};
use super::kinds::{Kind, LAX, Version};
use super::repair::repair;
use crate::objects::dice::Dice;
use crate::objects::valid;
use crd_channels_envtest::http::{Answer, Api};
use crd_channels_validation::path::Path;
use crd_channels_validation::schema::{Faults, JsonNode, Schema, decode_schema};
use serde_json::{Map, Value, json};

/// An object that was sent to the server, without writing it.
pub struct Trial<'k> {
    pub kind: &'k Kind,
    pub version: &'k Version,
    /// How the object differs from a valid one.
    pub what: &'static str,
    pub object: Value,
    pub action: Action,
    /// The answer of `fieldValidation=Strict`.
    pub strict: Answer,
    /// The answer of `fieldValidation=Warn`.
    pub warned: Answer,
    /// The object as it is read when it was written; null if it is refused.
    pub written: Value,
}

pub enum Action {
    Create,
    Update {
        /// The object before, as clients read it.
        stored: Value,
        /// The object before as `validate` is given it: as it was written, or as clients read it.
        previous: Value,
    },
}

impl Action {
    /// The folder of such objects.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Create => "created",
            Self::Update { .. } => "updated",
        }
    }
}

impl<'k> Trial<'k> {
    /// Draws an object and sends it.
    pub fn run(api: Api, kind: &'k Kind, number: usize, mut dice: Dice) -> Self {
        let dice = &mut dice;
        let version = dice.pick(&kind.versions).unwrap();
        let root = Path::root("openAPIV3Schema");
        let node = JsonNode::new(&version.schema, &root);
        let schema = decode_schema(&mut Faults::default(), node);
        let path = kind.path(&version.name);
        let mut object = drawn(&schema, dice);
        address(&mut object, kind, version, number);
        let object = repair(api, &path, object, dice);
        let trial = |what, object: Value, action: Action| {
            let send = |level: &str, dry_run: &str| {
                let query = format!("?fieldValidation={level}{dry_run}");
                let answer = match &action {
                    Action::Create => api.post(&format!("{path}{query}"), &object),
                    Action::Update { .. } => {
                        api.put(&format!("{path}/thing{number}{query}"), &object)
                    }
                };
                answer.unwrap()
            };
            let [strict, warned] = ["Strict", "Warn"].map(|level| send(level, "&dryRun=All"));
            let written = match warned.status < 300 {
                true => {
                    let name = send("Ignore", "").json()["metadata"]["name"].take();
                    let name = name.as_str().unwrap_or_default().to_owned();
                    api.get(&format!("{path}/{name}")).unwrap().json()
                }
                false => Value::Null,
            };
            Self {
                kind,
                version,
                what,
                object,
                action,
                strict,
                warned,
                written,
            }
        };
        let stored = match dice.roll(5) {
            0 => Some((path.clone(), object.clone())),
            1 if version.is_storage => {
                // Invalid before: servers only validate what changes. The other version has no defaults, so they are written.
                let broken = damage::draw(&schema, &object, dice).object;
                let mut broken = version.validator.create(&broken).object;
                broken["apiVersion"] = kind.api_version(LAX).into();
                Some((kind.path(LAX), broken))
            }
            _ => None,
        };
        if let Some((way, first)) = stored {
            let name = format!("thing{number}");
            let own = format!("{path}/{name}");
            let is_stored = api.post(&way, &first).unwrap().status == 201;
            let stored = api.get(&own).unwrap();
            if is_stored && stored.status == 200 {
                let stored = stored.json();
                let mut written = stored.clone();
                let metadata = written["metadata"].as_object_mut().unwrap();
                metadata.retain(|name, _| {
                    !["managedFields", "uid", "creationTimestamp", "generation"]
                        .contains(&name.as_str())
                });
                let Damage { what, object } = damage::draw(&schema, &written, dice);
                let previous = match way == path && dice.chance(1, 2) {
                    true => first,
                    false => stored.clone(),
                };
                return trial(what, object, Action::Update { stored, previous });
            }
        }
        let Damage { what, object } = match dice.chance(1, 6) {
            true => Damage {
                what: "valid",
                object,
            },
            false => damage::draw(&schema, &object, dice),
        };
        trial(what, object, Action::Create)
    }

    /// What the engine makes of the object.
    pub fn completed(&self) -> Value {
        let validator = &self.version.validator;
        match &self.action {
            Action::Create => validator.create(&self.object).object,
            Action::Update { stored, .. } => validator.update(&self.object, stored).object,
        }
    }
}

/// A value of the schema, mostly with a `spec`.
pub fn drawn(schema: &Schema<'_>, dice: &mut Dice) -> Value {
    let mut object = valid::decoded(schema, dice).unwrap_or_else(|| json!({}));
    if object.get("spec").is_none()
        && let Some(spec) = schema.properties.get("spec")
        && let Some(spec) = valid::decoded(spec, dice)
    {
        object["spec"] = spec;
    }
    object
}

/// Adds what every object has.
pub fn address(object: &mut Value, kind: &Kind, version: &Version, number: usize) {
    object["apiVersion"] = kind.api_version(&version.name).into();
    object["kind"] = kind.document["spec"]["names"]["kind"].clone();
    let mut metadata = Map::new();
    metadata.insert("name".to_owned(), format!("thing{number}").into());
    if kind.is_namespaced {
        metadata.insert("namespace".to_owned(), "default".into());
    }
    object["metadata"] = metadata.into();
}
