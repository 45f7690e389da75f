//! Updates of conditions only allocate the texts that have to grow.

#![allow(clippy::unwrap_used, reason = "tests")]

use allocation_counter::{AllocationInfo, measure};
use crd_channels_runtime::conditions::severity::{Outcome, SeverityWriter};
use crd_channels_runtime::conditions::{
    Condition, ConditionType, ConditionWriter, NoConditions, Reason, State, Status,
};

const TYPES: [ConditionType; 8] = [
    ConditionType::positive("Accepted"),
    ConditionType::positive("Programmed"),
    ConditionType::positive("ResolvedRefs"),
    ConditionType::positive("Ready"),
    ConditionType::positive("example.com/Issued"),
    ConditionType::positive("example.com/Stored"),
    ConditionType::positive("example.com/Renewed"),
    ConditionType::negative("example.com/Throttled"),
];
const SHORT: &str = "Not yet.";
const LONG: &str = "The authority has not answered within ten minutes, which it says it does.";

fn state(reason: &'static str, message: &str) -> State {
    State::new(Status::True, Reason::new(reason).unwrap(), message)
}

fn eight() -> Vec<Condition> {
    let mut conditions = Vec::new();
    let mut writer = ConditionWriter::for_list::<NoConditions>(&mut conditions, 1);
    for of in TYPES {
        let pending = State::new(Status::True, Reason::PENDING, SHORT);
        writer.set_state(of, &pending);
    }
    conditions
}

fn total(of: AllocationInfo) -> (u64, u64) {
    (of.count_total, of.bytes_total)
}

/// Sets one of eight conditions. The writer itself remembers the types that it has set.
fn set(conditions: &mut Vec<Condition>, state: &State) -> (bool, (u64, u64)) {
    let mut changed = false;
    let mut none = Vec::new();
    let writer = measure(|| {
        let mut writer = ConditionWriter::for_list::<NoConditions>(&mut none, 2);
        writer.keep(TYPES[5]);
    });
    let all = measure(|| {
        let mut writer = ConditionWriter::for_list::<NoConditions>(conditions, 2);
        writer.set_state(TYPES[5], state);
        changed = writer.finish();
    });
    assert_eq!(writer.count_total, 1);
    let (count, bytes) = total(all);
    (changed, (count - 1, bytes - writer.bytes_total))
}

#[test]
fn a_condition() {
    let long = LONG.len() as u64;
    for (what, seen, expected) in [
        ("the same length or less", state("Stored", SHORT), (0, 0)),
        ("a longer message", state("Stored", LONG), (1, long)),
        (
            "a longer reason as well",
            state("NotStoredYet", LONG),
            (2, long + 14),
        ),
    ] {
        let mut conditions = eight();
        let (changed, first) = set(&mut conditions, &seen);
        assert!(changed);
        println!("one of eight conditions, {what}: {first:?}");
        assert_eq!(first, expected, "{what}");
        let again = set(&mut conditions, &seen);
        assert_eq!(again, (false, (0, 0)), "{what}: nothing changes");
    }
}

#[test]
fn eight_conditions() {
    let mut conditions = eight();
    let stored = state("Stored", SHORT);
    let update = measure(|| {
        let mut writer = ConditionWriter::for_list::<NoConditions>(&mut conditions, 2);
        for of in TYPES {
            writer.set_state(of, &stored);
        }
        assert!(writer.finish());
    });
    println!("eight conditions: {} allocations", update.count_total);
    assert_eq!(update.count_total, 2, "the types that were set");
}

#[test]
fn a_condition_with_a_severity() {
    let mut conditions = Vec::new();
    for of in TYPES {
        let outcome = Outcome::waiting_for_owner(SHORT);
        SeverityWriter::for_list(&mut conditions, 1).set(of, &outcome);
    }
    for (generation, outcome, expected) in [
        (2, Outcome::reconciling(SHORT), (0, 0)),
        (3, Outcome::succeeded(LONG), (1, LONG.len() as u64)),
        (4, Outcome::deleting(SHORT), (0, 0)),
    ] {
        let mut changed = false;
        let update = measure(|| {
            let mut writer = SeverityWriter::for_list(&mut conditions, generation);
            changed = writer.set(TYPES[3], &outcome);
        });
        assert!(changed);
        println!(
            "one of eight with a severity, {}: {} allocations, {} bytes",
            outcome.reason(),
            update.count_total,
            update.bytes_total
        );
        assert_eq!(total(update), expected, "{}", outcome.reason());
    }
}
