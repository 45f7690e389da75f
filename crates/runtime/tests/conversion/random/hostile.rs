//! Annotations that no conversion of the object wrote: of other objects and kinds, of later programs, cut off, damaged.

use super::super::count;
use super::{Dice, VERSIONS, Wanted, drawn, kinds};
use crd_channels_runtime::conversion::{Kind, round_trip};
use crd_channels_runtime::validation::Validator;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use serde_json::{Map, Value, json};

const NAME: &str = "example.com/conversion-kept";

/// Where the annotations come from.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Origin {
    OtherObject,
    OtherKind,
    /// One in a format that this program does not know, among those of another object.
    LaterProgram,
    CutOff,
    /// A part is replaced by something else.
    Damaged,
    /// It says that it is of another version.
    Renamed,
    Deep,
    Large,
}

const ORIGINS: [Origin; 8] = [
    Origin::OtherObject,
    Origin::OtherKind,
    Origin::LaterProgram,
    Origin::CutOff,
    Origin::Damaged,
    Origin::Renamed,
    Origin::Deep,
    Origin::Large,
];

type Annotations = Map<String, Value>;

fn annotations(object: &Value) -> Annotations {
    let all = object["metadata"]["annotations"].as_object();
    all.cloned().unwrap_or_default()
}

fn is_kept(name: &str) -> bool {
    name.starts_with(NAME)
}

fn index(dice: &mut Dice, length: usize) -> usize {
    usize::try_from(dice.below(length.max(1).try_into().unwrap())).unwrap()
}

/// Replaces one value somewhere in it.
fn damage(value: &mut Value, object: &Value, dice: &mut Dice) {
    let below: Vec<&mut Value> = match value {
        Value::Object(fields) => fields.values_mut().collect(),
        Value::Array(items) => items.iter_mut().collect(),
        _ => Vec::new(),
    };
    let length = below.len();
    let chosen = below.into_iter().nth(index(dice, length));
    if let (Some(below), 1..) = (chosen, dice.below(8)) {
        return damage(below, object, dice);
    }
    let others = [
        Value::Null,
        json!(-1),
        json!(2.5),
        json!("no such text"),
        json!([]),
        json!([[u64::MAX, {}]]),
        json!({}),
        json!({ "was": object["spec"] }),
        json!({ "value": { "was": { "metadata": 1 } } }),
        json!({ "gone": [u64::MAX, { "name": "x" }] }),
        json!({ "fields": { "kind": { "value": { "was": "Other" } } } }),
    ];
    *value = others[index(dice, others.len())].clone();
}

/// Annotations of this origin, made of honest ones.
fn hostile(origin: Origin, honest: &Annotations, object: &Value, dice: &mut Dice) -> Annotations {
    let mut all = honest.clone();
    for (name, text) in all.iter_mut().filter(|(name, _)| is_kept(name)) {
        let honest = text.as_str().unwrap().to_owned();
        *text = match origin {
            Origin::CutOff => {
                let mut end = index(dice, honest.len());
                while !honest.is_char_boundary(end) {
                    end -= 1;
                }
                honest[..end].into()
            }
            Origin::Damaged => {
                let mut read: Value = serde_json::from_str(&honest).unwrap();
                damage(&mut read, object, dice);
                read.to_string().into()
            }
            Origin::Renamed => {
                let own = VERSIONS
                    .iter()
                    .find(|own| name.contains(&format!("\"{own}\"")));
                let own = own.copied().unwrap_or(VERSIONS[index(dice, 3)]);
                let other = VERSIONS[index(dice, 3)];
                honest
                    .replace(&format!("\"{own}\""), &format!("\"{other}\""))
                    .into()
            }
            _ => continue,
        };
    }
    let added = match origin {
        Origin::LaterProgram => r#"{"format":9,"versions":{"v1":{"anything":[]}}}"#.to_owned(),
        Origin::Deep => format!(
            r#"{{"format":2,"versions":{{"v1":{{"fields":{{"spec":{{"value":{{"was":{}1{}}}}}}}}}}}}}"#,
            "[".repeat(100_000),
            "]".repeat(100_000)
        ),
        Origin::Large => {
            json!({ "format": 2, "versions": { "v1": { "items": (0..2_000).map(|index| {
            json!([index, { "was": object["spec"], "shown": index }])
        }).collect::<Vec<_>>() } } })
            .to_string()
        }
        _ => return all,
    };
    all.insert(NAME.to_owned(), added.into());
    all
}

/// The object without its annotations.
fn bare(object: &Value) -> Value {
    let mut object = object.clone();
    object["metadata"]["annotations"] = Value::Null;
    object
}

/// Whether a value has all that another has. What is restored may be more.
fn has(value: &Value, other: &Value) -> bool {
    match (value, other) {
        (Value::Object(value), Value::Object(other)) => {
            let mut fields = other.iter();
            fields.all(|(name, other)| value.get(name).is_some_and(|value| has(value, other)))
        }
        (Value::Array(value), Value::Array(other)) => {
            let mut rest = value.iter();
            other
                .iter()
                .all(|other| rest.any(|value| has(value, other)))
        }
        _ => value == other,
    }
}

struct Tried<'a> {
    kind: &'a Kind,
    validators: &'a [Validator],
    hostile: usize,
    restored: usize,
}

impl Tried<'_> {
    fn convert(&self, object: &Value, from: usize, to: usize) -> Result<Value, String> {
        let converted = self
            .kind
            .convert(object.clone(), VERSIONS[from], VERSIONS[to]);
        converted
            .map(|converted| converted.object)
            .map_err(|error| error.to_string())
    }

    fn faults(&self, object: &Value, version: usize) -> Vec<String> {
        let violations = self.validators[version].create(object).violations;
        violations.iter().map(ToString::to_string).collect()
    }

    /// What is wrong with an object that has such annotations.
    fn is_right(
        &mut self,
        origin: Origin,
        object: &Value,
        hostile: Annotations,
        [from, to]: [usize; 2],
    ) -> Result<(), String> {
        let plain = self.convert(&bare(object), from, to)?;
        let mut attacked = object.clone();
        attacked["metadata"]["annotations"] = Value::Object(hostile.clone());
        self.hostile += 1;
        let converted = match self.convert(&attacked, from, to) {
            Ok(converted) => converted,
            // What would be overwritten, or not fit, is said.
            Err(why) if origin == Origin::LaterProgram => {
                let is_said = why.contains("is of a later program");
                return if is_said { Ok(()) } else { Err(why) };
            }
            Err(why) if why.contains("an API server accepts at most") => {
                let is_large = matches!(origin, Origin::Large | Origin::Deep | Origin::Damaged);
                return if is_large { Ok(()) } else { Err(why) };
            }
            Err(why) => return Err(why),
        };
        self.restored += usize::from(bare(&converted) != bare(&plain));
        let faults = self.faults(&converted, to);
        if self.faults(&plain, to).is_empty() && !faults.is_empty() {
            return Err(format!("a server refuses it now: {faults:?}"));
        }
        for name in ["apiVersion", "kind"] {
            if converted[name] != plain[name] {
                return Err(format!("`{name}` differs"));
            }
        }
        if bare(&converted)["metadata"] != bare(&plain)["metadata"] {
            return Err("`metadata` differs".to_owned());
        }
        if origin == Origin::LaterProgram && annotations(&converted).get(NAME) != hostile.get(NAME)
        {
            return Err("what the later program wrote is not as it was".to_owned());
        }
        let is_honest = matches!(
            origin,
            Origin::OtherObject | Origin::OtherKind | Origin::LaterProgram | Origin::CutOff
        );
        if is_honest && self.faults(object, from).is_empty() {
            let back = match self.convert(&converted, to, from) {
                Err(why) if why.contains("is of a later program") => return Ok(()),
                back => back?,
            };
            if !has(&bare(&back), &bare(object)) {
                return Err(format!("what stands in it is lost: {:#}", bare(&back)));
            }
        }
        Ok(())
    }
}

#[test]
fn what_others_wrote_into_annotations_costs_nothing_that_stands_in_the_object() {
    let mut runner = TestRunner::deterministic();
    let (mut hostile_ones, mut restored) = (0, 0);
    let wanted = Wanted {
        longest: 4,
        is_unbounded: true,
    };
    let mut of_another: Vec<Annotations> = vec![Annotations::new()];
    for number in 0..kinds(5) {
        let (kind, crd) = drawn(number, wanted);
        let document = serde_json::to_value(&crd).unwrap();
        let validators = VERSIONS.map(|version| Validator::new(&document, version).unwrap());
        let objects = VERSIONS.map(|version| round_trip::objects(&crd, version).unwrap());
        let mut dice = Dice(number);
        let mut tried = Tried {
            kind: &kind,
            validators: &validators,
            hostile: 0,
            restored: 0,
        };
        let mut own = Vec::new();
        for _ in 0..count(5) {
            for (from, to) in [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)] {
                let mut draw =
                    |version: usize| objects[version].new_tree(&mut runner).unwrap().current();
                let (object, other) = (draw(from), draw(to));
                let (other, at) = match dice.below(3) {
                    // Also those of the object itself, with another version's content in between.
                    0 => (tried.convert(&object, from, to).unwrap_or(other), to),
                    _ => (other, to),
                };
                let Ok(honest) = tried.convert(&other, at, from) else {
                    continue;
                };
                let honest = annotations(&honest);
                own.push(honest.clone());
                for origin in ORIGINS {
                    let source = match origin {
                        Origin::OtherKind => &of_another[index(&mut dice, of_another.len())],
                        _ => &honest,
                    };
                    let annotations = hostile(origin, source, &object, &mut dice);
                    let wrong = tried.is_right(origin, &object, annotations.clone(), [from, to]);
                    wrong.unwrap_or_else(|why| {
                        let text = serde_json::to_string_pretty(&annotations).unwrap();
                        let text: String = text.chars().take(4_000).collect();
                        panic!(
                            "kind {number}, {origin:?}, {} to {}: {why}\n{object:#}\n{text}",
                            VERSIONS[from], VERSIONS[to]
                        )
                    });
                }
            }
        }
        (hostile_ones, restored) = (hostile_ones + tried.hostile, restored + tried.restored);
        of_another = own;
    }
    assert!(
        restored * 20 > hostile_ones,
        "{restored} of {hostile_ones} change anything"
    );
}
