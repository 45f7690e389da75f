//! Changes a CRD in one random place: `differences` lists that place, or nothing if the server treats both CRDs alike.

#[path = "../../../../apiserver/check/tests/shared/cases.rs"]
#[allow(
    dead_code,
    reason = "the tests of `check` and the task that records use it"
)]
mod cases;
mod changed;
mod meaning;

use super::drawn::Dice;
use crate::schemas::differences::differences;
use crate::{Difference, Field, Part, Published, schema_differences};
use cases::Cases;
use changed::{Changed, change};
use meaning::meaning;
use serde_json::Value;

const RECORD: &str = include_str!("../../../../apiserver/check/tests/record/crds.jsonl");

/// The place of a change, in the terms of `differences`.
#[derive(Debug)]
enum Place {
    /// A field outside of schemas; fields with this prefix before a dot belong to it.
    Field(String),
    /// A version was added or removed.
    Version,
    /// A keyword at a node of a schema.
    Keyword(String, String),
}

/// The place of a JSON pointer.
fn place(pointer: &[String]) -> Place {
    let steps: Vec<&str> = pointer.iter().map(String::as_str).collect();
    match steps.as_slice() {
        ["metadata", part @ ("annotations" | "labels"), name, ..] => {
            Place::Field(format!("metadata.{part}.{name}"))
        }
        ["metadata", part, ..] => Place::Field(format!("metadata.{part}")),
        // Other names are derived from it.
        ["spec", "names", "kind"] => Place::Field("names.".to_owned()),
        ["spec", "names", rest @ ..] => {
            let name = rest.first().copied().unwrap_or_default();
            Place::Field(format!("names.{name}"))
        }
        ["spec", "versions", _] | ["spec", "versions", _, "name"] => Place::Version,
        [
            "spec",
            "versions",
            _,
            "schema",
            "openAPIV3Schema",
            rest @ ..,
        ] if !rest.is_empty() => keyword(rest),
        ["spec", "versions", _, "additionalPrinterColumns"] => Place::Field("order of ".to_owned()),
        ["spec", "versions", _, "additionalPrinterColumns", ..] => {
            Place::Field("column ".to_owned())
        }
        ["spec", "versions", _, field, ..] => Place::Field((*field).to_owned()),
        ["spec", field, ..] => Place::Field((*field).to_owned()),
        steps => Place::Field(steps.join(".")),
    }
}

fn keyword(mut steps: &[&str]) -> Place {
    use crate::schemas::pair::{Segment, push};
    let mut path = String::new();
    loop {
        let segment = match steps {
            ["properties", name, _, ..] => Segment::Property(*name),
            ["items", _, ..] => Segment::Items,
            ["additionalProperties", _, ..] => Segment::Values,
            [keyword, ..] => {
                let path = if path.is_empty() {
                    ".".to_owned()
                } else {
                    path
                };
                return Place::Keyword(path, (*keyword).to_owned());
            }
            [] => panic!("no keyword"),
        };
        push(&mut path, segment);
        steps = match segment {
            Segment::Property(_) => &steps[2..],
            _ => &steps[1..],
        };
    }
}

/// Whether an unknown field is at a pointer or below it.
fn is_below(path: &str, pointer: &[String]) -> bool {
    let mut written = String::new();
    for step in pointer {
        match step.parse::<usize>() {
            Ok(index) => written.push_str(&format!("[{index}]")),
            Err(_) => written.push_str(&format!(".{step}")),
        }
    }
    format!(".{path}").starts_with(&written) || written.starts_with(&format!(".{path}"))
}

/// Whether a difference is at a place.
fn is_at(difference: &Difference<'_>, place: &Place, changed: &Changed) -> bool {
    match (&difference.part, place) {
        (Part::Field(key, ..), _)
            if changed
                .unknown
                .as_ref()
                .is_some_and(|name| key.ends_with(name)) =>
        {
            true
        }
        (Part::Field(key, ..), Place::Field(name)) => {
            let is_removed = name == "order of " && key.starts_with("column ");
            key.starts_with(name) || is_removed || is_below(key, &changed.pointer)
        }
        (Part::Field(key, ..), _) => is_below(key, &changed.pointer),
        (Part::VersionAdded | Part::VersionRemoved, Place::Version) => true,
        (Part::Schemas(old, new), Place::Keyword(path, keyword)) => {
            let mut found: Vec<(String, Field)> = Vec::new();
            schema_differences(old, new, &mut |path, _, fields| {
                found.extend(fields.iter().map(|field| (path.to_owned(), *field)));
                true
            });
            !found.is_empty()
                && found.iter().all(|(at, field)| {
                    // Removing these removes only the additional constraints on them.
                    let of_objects = ["apiVersion", "kind", "metadata"];
                    let is_of_object = at
                        .split('.')
                        .next()
                        .is_some_and(|it| of_objects.contains(&it));
                    // Without the extension its branches have an effect.
                    let is_branch = keyword == "x-kubernetes-int-or-string"
                        && matches!(field, Field::AnyOf | Field::AllOf);
                    (at == path && (is_branch || field.keywords().contains(&keyword.as_str())))
                        || (path == "." && keyword == "properties" && is_of_object)
                })
        }
        _ => false,
    }
}

#[test]
fn one_change_anywhere_is_listed_where_it_is() {
    let mut cases = Cases::default();
    let lines = RECORD.lines().skip(1);
    let crds: Vec<(Value, Published)> = lines
        .filter_map(|line| cases.crd(&serde_json::from_str(line).unwrap()).ok())
        .filter_map(|crd| {
            let read = Published::read(&crd).ok()??;
            Some((crd, read))
        })
        .collect();
    let mut dice = Dice(0x1234_5678_9abc_def1);
    let (mut unreadable, mut same, mut listed, mut folded) = (0, 0, 0, 0);
    let mut wrong = Vec::new();
    let rounds = std::env::var("COMPAT_CHANGES").map_or(5, |rounds| rounds.parse().unwrap());
    for _ in 0..rounds {
        for (crd, old) in &crds {
            let mut document = crd.clone();
            let Some(changed) = change(&mut dice, &mut document) else {
                continue;
            };
            let Ok(Some(new)) = Published::read(&document) else {
                unreadable += 1;
                continue;
            };
            let found = differences(old, &new);
            let place = place(&changed.pointer);
            let is_same = meaning(crd) == meaning(&document);
            // Junctors that repeat the schema are not a difference.
            let is_folded = changed
                .pointer
                .iter()
                .any(|step| step == "anyOf" || step == "allOf");
            if !is_same && is_folded && found.is_empty() {
                folded += 1;
                continue;
            }
            let right = match is_same {
                true => found.is_empty(),
                false => {
                    !found.is_empty() && found.iter().all(|found| is_at(found, &place, &changed))
                }
            };
            if is_same {
                same += 1
            } else {
                listed += 1
            }
            if !right {
                wrong.push(format!(
                    "{changed:?} is {} but {place:?} {found:?}",
                    if is_same { "the same" } else { "another" }
                ));
            }
        }
    }
    println!(
        "{} CRDs; {listed} changes listed, {same} of no meaning, {folded} in junctors of no effect, {unreadable} unreadable, {} wrong",
        crds.len(),
        wrong.len()
    );
    let count = wrong.len();
    wrong.sort();
    wrong.dedup();
    wrong.truncate(25);
    assert_eq!(count, 0, "{}", wrong.join("\n"));
    assert!(
        crds.len() > 500 && listed > 60 * rounds && same > 20 * rounds,
        "too few"
    );
}
