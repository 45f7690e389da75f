//! Objects of random kinds are written and read by clients in all versions, one after the other, and stored in any of them.
//!
//! What should be there is known by a model that has never heard of a conversion: what a client saw and sent back differently is
//! as it sent it, and everything else stays.

mod edits;
mod model;
mod rollout;

use super::random::{Dice, Field, Node, VERSIONS, Variant, built, everywhere};
use crd_channels_runtime::conversion::Kind;
use crd_channels_runtime::validation::Validator;
use edits::Client;
use model::{Merge, facts, name_of, shown, sorted, wide, with_defaults};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The maximum size of all annotations of an object that an API server accepts, in bytes.
const LARGEST: usize = 256 * 1024;

/// A field that the hub has, or only one other version.
fn names(dice: &mut Dice, index: usize, is_in_hub: bool, is_plain: bool) -> [Option<String>; 3] {
    let name = match if is_plain { 0 } else { dice.below(12) } {
        1 => format!("f.{index}"),
        2 => format!("f/{index}"),
        3 => format!("ünï~{index}"),
        4 => format!("a field with a name that is longer than an annotation may have {index}"),
        _ => format!("field{index}"),
    };
    let there = match if is_in_hub { 1 } else { dice.below(8) } {
        0 => [[false, true, false], [false, false, true]][usize::from(dice.below(2) == 0)],
        _ => [true, dice.below(3) > 0, dice.below(3) > 0],
    };
    let mut names = there.map(|there| there.then(|| name.clone()));
    if dice.below(4) == 0
        && let Some(name) = &mut names[1]
    {
        *name = format!("other{index}");
    }
    names
}

struct Drawing<'d> {
    dice: &'d mut Dice,
    /// Whether all fields are in the hub: nothing but its content tells which element of a list an element is.
    is_in_hub: bool,
}

impl Drawing<'_> {
    fn node(&mut self, depth: u64) -> Node {
        if depth == 0 {
            return self.leaf();
        }
        match self.dice.below(14) {
            0..=2 => self.leaf(),
            12 | 13 => self.tagged(depth - 1),
            3 => Node::Object(self.fields(depth - 1, false)),
            4 | 5 => Node::Union(self.members(depth - 1)),
            6 => {
                let mut members = self.members(depth - 1);
                let below = Field {
                    names: everywhere("below"),
                    is_required: false,
                    node: Node::Same(json!({ "type": "string" })),
                };
                let first = Field {
                    names: everywhere("first"),
                    is_required: false,
                    node: Node::Object(vec![below]),
                };
                members.insert(0, first);
                Node::OneOf(members)
            }
            7 | 8 => self.list(depth),
            9 => {
                let mut fields = self.fields(depth - 1, false);
                fields.push(Field {
                    names: everywhere("name"),
                    is_required: true,
                    node: Node::Same(json!({ "type": "string" })),
                });
                Node::Keyed(100, fields)
            }
            _ => Node::Map(Box::new(match self.dice.below(2) {
                0 => self.list(depth),
                _ => self.node(depth - 1),
            })),
        }
    }

    fn leaf(&mut self) -> Node {
        let dice = &mut *self.dice;
        match dice.below(if self.is_in_hub { 7 } else { 8 }) {
            7 => Node::Defaulted,
            0 | 1 => Node::Enum(
                (0..2 + dice.below(4))
                    .map(|index| {
                        let own = |dice: &mut Dice| index == 0 || dice.below(2) == 0;
                        (format!("Value{index}"), [true, own(dice), own(dice)])
                    })
                    .collect(),
            ),
            2 => Node::Same(json!({ "type": "integer", "nullable": true })),
            3 => Node::Same(json!({ "type": "boolean" })),
            4 => Node::Same(
                json!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true }),
            ),
            5 => Node::Same(json!({ "x-kubernetes-int-or-string": true })),
            _ => Node::Same(json!({ "type": "string" })),
        }
    }

    fn list(&mut self, depth: u64) -> Node {
        let mut below = Drawing {
            dice: &mut *self.dice,
            is_in_hub: true,
        };
        if below.dice.below(3) > 0 {
            return Node::List(
                100,
                Box::new(match below.dice.below(2) {
                    0 => Node::Object(below.fields(depth - 1, false)),
                    _ => below.node(depth - 1),
                }),
            );
        }
        let mut fields = below.fields(depth - 1, false);
        let there = [
            [true, false, false],
            [true, true, false],
            [true, false, true],
        ];
        let there = there[usize::try_from(self.dice.below(3)).unwrap()];
        let names = there.map(|there| there.then(|| "hidden".to_owned()));
        fields.push(Field {
            names,
            is_required: false,
            node: Node::Same(json!({ "type": "boolean" })),
        });
        let is_keyed = self.dice.below(3) == 0;
        if is_keyed {
            fields.push(Field {
                names: everywhere("name"),
                is_required: true,
                node: Node::Same(json!({ "type": "string" })),
            });
        }
        Node::Hiding {
            most: 100,
            fields,
            there,
            is_keyed,
        }
    }

    fn tagged(&mut self, depth: u64) -> Node {
        let mut variants = vec![Variant {
            name: "First".to_owned(),
            there: [true; 3],
            fields: Vec::new(),
        }];
        for number in 0..1 + self.dice.below(3) {
            let there = [true, self.dice.below(3) > 0, self.dice.below(3) > 0];
            let mut fields = self.fields(depth, true);
            for field in &mut fields {
                field.is_required = self.dice.below(2) == 0;
                for (name, there) in field.names.iter_mut().zip(there) {
                    let own = name
                        .take()
                        .or(field.is_required.then(|| "required".to_owned()));
                    *name = own
                        .filter(|_| there)
                        .map(|name| format!("{name}Of{number}"));
                }
            }
            if fields.iter().filter(|field| field.is_required).count() > 1 {
                fields.retain(|field| !field.is_required);
            }
            variants.push(Variant {
                name: format!("Variant{number}"),
                there,
                fields,
            });
        }
        Node::Tagged(variants)
    }

    fn fields(&mut self, depth: u64, is_plain: bool) -> Vec<Field> {
        let mut all = Vec::new();
        for index in 0..1 + self.dice.below(4) {
            let index = usize::try_from(index).unwrap();
            let names = names(self.dice, index, self.is_in_hub || is_plain, is_plain);
            let mut node = self.node(depth);
            if is_plain && matches!(node, Node::Defaulted) {
                node = Node::Same(json!({ "type": "boolean" }));
            }
            let is_required =
                names.iter().all(Option::is_some) && self.dice.below(4) == 0 && !is_plain;
            let field = Field {
                names,
                is_required,
                node,
            };
            if matches!(field.node, Node::List(..) | Node::Hiding { .. }) && !is_plain {
                let mut twin = field.clone();
                for name in twin.names.iter_mut().flatten() {
                    name.push_str("Twin");
                }
                all.push(twin);
            }
            all.push(field);
        }
        all
    }

    fn members(&mut self, depth: u64) -> Vec<Field> {
        let mut members = self.fields(depth, true);
        members.extend(self.fields(depth, true).into_iter().map(|mut member| {
            for name in member.names.iter_mut().flatten() {
                name.push_str("More");
            }
            member
        }));
        members
    }
}

/// The spec of the kind with this number.
fn drawn(number: u64) -> Node {
    let mut dice = Dice(number.wrapping_mul(104_729) + 7);
    let depth = 1 + dice.below(4);
    Node::Object(
        Drawing {
            dice: &mut dice,
            is_in_hub: false,
        }
        .fields(depth, false),
    )
}

/// How lives went.
#[derive(Debug, Default)]
struct Count {
    lives: usize,
    writes: usize,
    refused: usize,
    /// Lives that end because the model does not say what follows.
    set_back: usize,
    unclear: usize,
}

struct Life<'l> {
    spec: &'l Node,
    kind: &'l Kind,
    validators: &'l [Validator],
    stored_in: usize,
    stored: Value,
    model: Value,
    story: String,
}

impl Life<'_> {
    fn convert(&self, object: &Value, from: usize, to: usize) -> Result<Value, String> {
        if from == to {
            return Ok(object.clone());
        }
        let converted = self
            .kind
            .convert(object.clone(), VERSIONS[from], VERSIONS[to]);
        let converted = converted.map_err(|error| error.to_string())?;
        match converted.unrestored.is_empty() {
            true => Ok(converted.object),
            false => panic!("{:?}\n{}", converted.unrestored, self.story),
        }
    }

    fn faults(&self, object: &Value, version: usize) -> Vec<String> {
        let violations = self.validators[version].create(object).violations;
        violations.iter().map(ToString::to_string).collect()
    }

    /// What a version shows, under the names of the model; `None` if there is no room for its annotations.
    fn shown(&self, version: usize) -> Option<Value> {
        match self.convert(&self.stored, self.stored_in, version) {
            Ok(shown) => Some(wide(self.spec, &shown["spec"], version)),
            Err(error) if error.contains("an API server accepts at most") => None,
            Err(error) => panic!("{error}\n{}", self.story),
        }
    }

    /// What is stored is valid, and every version shows its part of the object.
    fn is_right(&self) {
        let faults = self.faults(&self.stored, self.stored_in);
        assert!(
            faults.is_empty(),
            "a server would refuse what is stored: {faults:?}\n{}",
            self.story
        );
        let annotations = self.stored["metadata"]["annotations"]
            .as_object()
            .into_iter()
            .flatten();
        let mut size = 0;
        for (name, text) in annotations {
            size += name.len() + text.as_str().unwrap().len();
            let (_, name) = name.split_once('/').unwrap();
            let is_inner = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
            let is_valid = name.len() <= 63
                && name.chars().all(is_inner)
                && name.ends_with(|c: char| c.is_ascii_alphanumeric());
            assert!(
                is_valid,
                "a server refuses the annotation `{name}`\n{}",
                self.story
            );
        }
        assert!(size <= LARGEST, "{size}\n{}", self.story);
        for (version, name) in VERSIONS.into_iter().enumerate() {
            // A server adds defaults to all that it shows.
            let whole = |mut value: Value| {
                with_defaults(self.spec, &mut value, version, own_name);
                sorted(self.spec, &value)
            };
            if let Some(seen) = self.shown(version) {
                let (shown, expected) =
                    (whole(seen), whole(shown(self.spec, &self.model, version)));
                assert!(
                    shown == expected,
                    "`{}` shows\n  {shown} instead of\n  {expected}\n{}",
                    name,
                    self.story
                );
            }
        }
    }

    fn facts(&self, model: &Value) -> Vec<BTreeSet<String>> {
        let of = |version| {
            let mut all = BTreeSet::new();
            facts(self.spec, &shown(self.spec, model, version), "", &mut all);
            all
        };
        (0..3).map(of).collect()
    }

    fn lead(&mut self, dice: &mut Dice, count: &mut Count) {
        count.lives += 1;
        let mut fresh = 0;
        // What is changed and set back is as if it had never been changed: the model does not tell when.
        let mut former: Vec<BTreeSet<String>> = vec![BTreeSet::new(); 3];
        // A webhook does not see writes of the stored version.
        let mut unseen: Option<(Value, Value)> = None;
        for request in 0..8 {
            let version = usize::try_from(dice.below(3)).unwrap();
            let Ok(mut saw) = self.convert(&self.stored, self.stored_in, version) else {
                count.refused += 1;
                continue;
            };
            with_defaults(self.spec, &mut saw["spec"], version, name_in);
            let mut sent = saw.clone();
            let mut client = Client {
                dice,
                version,
                fresh: &mut fresh,
            };
            match request {
                0 => sent["spec"] = client.value(self.spec),
                _ => (0..1 + client.dice.below(3))
                    .for_each(|_| client.edit(self.spec, &mut sent["spec"])),
            }
            with_defaults(self.spec, &mut sent["spec"], version, name_in);
            let is_replaced = dice.below(16) == 0;
            if is_replaced {
                sent["metadata"] = json!({ "name": "a" });
            }
            if !self.faults(&sent, version).is_empty() {
                continue;
            }
            let now = match self.convert(&sent, version, self.stored_in) {
                Ok(now) => now,
                Err(error) => {
                    assert!(
                        error.contains("an API server accepts at most"),
                        "{error}\n{}",
                        self.story
                    );
                    count.refused += 1;
                    continue;
                }
            };
            let (before, after) = (
                wide(self.spec, &saw["spec"], version),
                wide(self.spec, &sent["spec"], version),
            );
            if version != self.stored_in || is_replaced {
                unseen = None;
            }
            let mut merge = Merge {
                version,
                is_unclear: false,
            };
            let mut model = match is_replaced {
                true => after,
                false => {
                    let last = (self.model.clone(), before);
                    let (was, seen) = match version == self.stored_in {
                        true => unseen.get_or_insert(last).clone(),
                        false => last,
                    };
                    merge
                        .merged(self.spec, Some(&was), Some(&seen), Some(&after))
                        .unwrap_or_default()
                }
            };
            with_defaults(self.spec, &mut model, version, own_name);
            self.story.push_str(&format!(
                "- {}{}\n    saw  {}\n    sent {}\n  stored {} with {}\n  expected {model}\n",
                VERSIONS[version],
                if is_replaced { ", replaced" } else { "" },
                saw["spec"],
                sent["spec"],
                now["spec"],
                kept(&now),
            ));
            if merge.is_unclear {
                count.unclear += 1;
                return;
            }
            let facts = [self.facts(&self.model), self.facts(&model)];
            for (version, former) in former.iter_mut().enumerate() {
                let [was, is] = [&facts[0][version], &facts[1][version]];
                if is.difference(was).any(|fact| former.contains(fact)) && !is_replaced {
                    count.set_back += 1;
                    return;
                }
                former.extend(was.difference(is).cloned());
                if is_replaced {
                    former.clear();
                }
            }
            (self.stored, self.model) = (now, model);
            count.writes += 1;
            self.is_right();
        }
    }
}

/// The annotations of the conversion, for people.
fn kept(object: &Value) -> String {
    let annotations = object["metadata"]["annotations"]
        .as_object()
        .into_iter()
        .flatten();
    let kept = annotations.filter(|(name, _)| *name != "a/own");
    kept.map(|(name, text)| format!("\n    {name}: {text}"))
        .collect()
}

fn name_in(field: &Field, version: usize) -> Option<&String> {
    field.names[version].as_ref()
}

/// The name in the model of a field that a version has.
fn own_name(field: &Field, version: usize) -> Option<&String> {
    field.names[version].as_ref().and_then(|_| name_of(field))
}

/// How many kinds are drawn, each with a life for each version: as many as `LIVES` says.
fn kinds() -> u64 {
    std::env::var("LIVES").map_or(60, |count| count.parse().unwrap())
}

#[test]
fn nothing_is_lost_by_clients_of_all_versions_in_turn() {
    let mut count = Count::default();
    for number in 0..kinds() {
        let spec = drawn(number);
        let (kind, crd) = built(spec.clone());
        let document = serde_json::to_value(&crd).unwrap();
        let validators = VERSIONS.map(|version| Validator::new(&document, version).unwrap());
        for (stored_in, name) in VERSIONS.into_iter().enumerate() {
            let mut dice = Dice(number * 3 + u64::try_from(stored_in).unwrap());
            let mut metadata = json!({ "name": "a" });
            if dice.below(8) == 0 {
                let room = usize::try_from(dice.below(2_000)).unwrap();
                metadata["annotations"] =
                    json!({ "a/own": "x".repeat(LARGEST - room - "a/own".len()) });
            }
            let mut life = Life {
                spec: &spec,
                kind: &kind,
                validators: &validators,
                stored_in,
                stored: json!({ "apiVersion": format!("example.com/{}", name), "kind": "Thing", "metadata": metadata, "spec": {} }),
                model: json!({}),
                story: format!("kind {number}, stored in {}\n{spec:?}\n", name),
            };
            life.lead(&mut dice, &mut count);
        }
    }
    println!("{count:?}");
    assert!(count.writes > count.lives, "{count:?}");
}
