//! Checks every answer about the values of a schema against `apiserver/validation`, which is compared with servers.

use super::drawn::values::{accepts, decoded, only as only_of, served as read, values};
use super::drawn::{Dice, rich};
use crate::findings::verdict::Answer;
use crate::schemas::pair::Segment;
use crate::values::{Kinds, Limit, Local, inhabited, kinds, occurs, valid, without};
use crd_channels_schema::Schema;
use serde_json::Value;

#[derive(Default)]
struct Tally {
    yes: u64,
    no: u64,
    unknown: u64,
    /// `Yes`, but no value was found.
    unshown: u64,
}

impl Tally {
    /// Records an answer about the existence of a value, and the value that was found.
    fn add(&mut self, answer: Answer, found: Option<&Value>, what: &str, schema: &Value) {
        match answer {
            Answer::Yes => {
                self.yes += 1;
                self.unshown += u64::from(found.is_none());
            }
            Answer::No => {
                self.no += 1;
                assert_eq!(found, None, "{what}: {schema}");
            }
            Answer::Unknown => self.unknown += 1,
        }
    }
}

#[test]
fn what_is_said_of_values_is_true_of_those_that_servers_accept() {
    let mut dice = Dice(0x5851_f42d_4c95_7f2d);
    let mut tally = Tally::default();
    let rounds = std::env::var("COMPAT_VALUES").map_or(70, |rounds| rounds.parse().unwrap());
    for _ in 0..rounds {
        let document = rich::random(&mut dice, 2);
        let other = rich::random(&mut dice, 0);
        let schema = Schema::from_json(&document).unwrap();
        let served = read(&document);
        let mut all = values(&document, 0, &mut dice);
        all = all.iter().map(|value| decoded(&served, value)).collect();
        for value in &all {
            let accepted = accepts(&served, value);
            assert_eq!(valid(&schema, value), accepted.into(), "{document} {value}");
        }
        all.retain(|value| accepts(&served, value));
        let find = |is: &dyn Fn(&Value) -> bool| all.iter().find(|value| is(value));
        for value in all.iter().filter(|value| !value.is_array()) {
            assert!(
                kinds(&schema).meets(Kinds::of_value(value)),
                "{document} {value}"
            );
        }
        tally.add(inhabited(&schema), find(&|_| true), "inhabited", &document);
        for name in ["a", "b", "c"] {
            let has = |value: &Value| value.get(name).is_some();
            let lacks = |value: &Value| value.is_object() && !has(value);
            let there = occurs(&schema, Segment::Property(name));
            tally.add(there, find(&has), "occurs", &document);
            tally.add(without(&schema, name), find(&lacks), "without", &document);
        }
        // The limits and values of another schema.
        let other_schema = Schema::from_json(&other).unwrap();
        let bounds = other_schema.bounds.as_deref();
        for (limit, bounds) in Limit::ALL.into_iter().zip(std::iter::repeat(bounds)) {
            let Some(outside) =
                bounds.and_then(|bounds| Local::from_schema(&schema).outside(limit, bounds))
            else {
                continue;
            };
            let only = only_of(&other, limit.name());
            let only = read(&only);
            let is_outside = |value: &Value| !accepts(&only, value);
            tally.add(outside.some(), find(&is_outside), limit.name(), &document);
        }
        if !other_schema.enum_values.is_empty() {
            let rest = Local::from_schema(&schema)
                .none_of(&other_schema.enum_values)
                .some();
            let only = only_of(&other, "enum");
            let only = read(&only);
            let is_other = |value: &Value| !accepts(&only, value);
            tally.add(rest, find(&is_other), "none of", &document);
        }
    }
    println!(
        "yes {} ({} without a value), no {}, unknown {}",
        tally.yes, tally.unshown, tally.no, tally.unknown
    );
    assert!(tally.no > rounds, "only {} answers of no", tally.no);
}
