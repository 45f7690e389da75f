//! Two releases of a program convert objects of random kinds that nobody edits: the former one does not know some of the fields.

use super::super::count;
use super::{Dice, Field, Node, VERSIONS, built, drawn, kinds};
use crd_channels_runtime::conversion::{Kind, round_trip};
use crd_channels_runtime::validation::Validator;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use serde_json::Value;

/// What a former release knew of it. It knows the elements of lists without keys as they are: of these it may show others.
fn former(node: &Node, dice: &mut Dice) -> Node {
    match node {
        Node::Object(all) => Node::Object(fields(all, dice)),
        Node::Union(all) => Node::Union(fields(all, dice)),
        Node::OneOf(all) => Node::OneOf(fields(all, dice)),
        Node::Enum(all) => Node::Enum(known(all, dice)),
        Node::Tagged(all) => {
            let mut known = known(all, dice);
            for variant in &mut known {
                variant.fields = fields(&variant.fields, dice);
            }
            Node::Tagged(known)
        }
        Node::Keyed(most, all) => Node::Keyed(*most, fields(all, dice)),
        Node::Map(node) => Node::Map(Box::new(former(node, dice))),
        Node::Hiding {
            most,
            fields: all,
            there,
            is_keyed: true,
        } => Node::Hiding {
            most: *most,
            fields: fields(all, dice),
            there: *there,
            is_keyed: true,
        },
        other => other.clone(),
    }
}

/// Some of the values or variants, and the first, which stands for the others.
fn known<T: Clone>(all: &[T], dice: &mut Dice) -> Vec<T> {
    let known = all.iter().enumerate();
    let known = known.filter(|(index, _)| *index == 0 || dice.below(3) > 0);
    known.map(|(_, one)| one.clone()).collect()
}

fn fields(all: &[Field], dice: &mut Dice) -> Vec<Field> {
    let known = all.iter().filter(|field| {
        let is_named = |name: &str| field.names.iter().flatten().any(|own| own == name);
        let is_old = field.is_required || ["name", "hidden", "first"].into_iter().any(is_named);
        is_old || dice.below(3) > 0
    });
    let known: Vec<Field> = known.cloned().collect();
    let known = known.into_iter().map(|field| Field {
        node: former(&field.node, dice),
        ..field
    });
    known.collect()
}

fn bare(mut object: Value) -> Value {
    object["metadata"] = Value::Null;
    object["apiVersion"] = Value::Null;
    object
}

#[test]
fn nothing_is_lost_while_two_releases_convert_what_nobody_edits() {
    let mut runner = TestRunner::deterministic();
    let (mut converted, mut refused) = (0_u32, 0_u32);
    for number in 0..kinds() {
        let spec = drawn(number);
        let mut dice = Dice(number + 1);
        let (old, _) = built(former(&spec, &mut dice));
        let (new, crd) = built(spec);
        let document = serde_json::to_value(&crd).unwrap();
        let releases: [&Kind; 2] = [&old, &new];
        for (stored, own) in VERSIONS.into_iter().enumerate() {
            let validator = Validator::new(&document, own).unwrap();
            let objects = round_trip::objects(&crd, own).unwrap();
            for _ in 0..count(5) {
                let written = objects.new_tree(&mut runner).unwrap().current();
                if !validator.create(&written).violations.is_empty() {
                    continue;
                }
                let mut story = String::new();
                let mut write = |object: &Value, version: usize, reads: usize, writes: usize| {
                    let other = VERSIONS[version];
                    let shown = releases[reads]
                        .convert(object.clone(), own, other)
                        .ok()?
                        .object;
                    let now = releases[writes]
                        .convert(shown.clone(), other, own)
                        .ok()?
                        .object;
                    story.push_str(&format!(
                        "- {other}, {reads} reads, {writes} writes\n  saw {shown}\n  now {now}\n"
                    ));
                    Some(now)
                };
                let mut now = written.clone();
                for _ in 0..1 + dice.below(4) {
                    let version = (stored + 1 + usize::from(dice.below(2) == 0)) % 3;
                    let [reads, writes] = [(); 2].map(|()| usize::from(dice.below(2) == 0));
                    match write(&now, version, reads, writes) {
                        Some(next) => (now, converted) = (next, converted + 1),
                        None => refused += 1,
                    }
                }
                // Once the newer release has written it through the other versions, it is as it was.
                for other in [1, 2, 1] {
                    now = write(&now, (stored + other) % 3, 1, 1).unwrap_or(now);
                }
                assert_eq!(
                    bare(now),
                    bare(written),
                    "kind {number}, stored in {own}\n{story}"
                );
            }
        }
    }
    println!("{converted} conversions, {refused} refused");
    assert!(converted > 20 * refused, "{converted} {refused}");
}
