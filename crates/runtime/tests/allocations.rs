//! Updates of conditions only allocate the texts that have to grow.

#![allow(clippy::unwrap_used, reason = "tests")]

use allocation_counter::{AllocationInfo, measure};
use crd_channels_runtime::conditions::ready::{self, Finding, SeverityCondition};
use crd_channels_runtime::conditions::{
    ConditionType, Observation, Reason, Status, Transition, Visit, set,
};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use k8s_openapi::jiff::Timestamp;

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
const NOW: Timestamp = Timestamp::constant(1_795_370_460, 0);
const LATER: Timestamp = Timestamp::constant(1_795_370_461, 0);
const SHORT: &str = "Not yet.";
const LONG: &str = "The authority has not answered within ten minutes, which it says it does.";

fn eight() -> Vec<Condition> {
    let mut conditions = Vec::new();
    for of in TYPES {
        let seen = Observation {
            type_: of.name,
            status: "Unknown",
            reason: "Pending",
            message: SHORT,
            observed_generation: 1,
        };
        set(&mut conditions, &seen, NOW, Transition::OfStatus);
    }
    conditions
}

fn total(of: AllocationInfo) -> (u64, u64) {
    (of.count_total, of.bytes_total)
}

#[test]
fn a_condition() {
    let seen = Observation {
        type_: TYPES[5].name,
        status: "True",
        reason: "Stored",
        message: SHORT,
        observed_generation: 2,
    };
    let long = LONG.len() as u64;
    for (what, seen, expected) in [
        ("the same length or less", seen, (0, 0)),
        (
            "a longer message",
            Observation {
                message: LONG,
                ..seen
            },
            (1, long),
        ),
        (
            "a longer reason as well",
            Observation {
                message: LONG,
                reason: "NotStoredYet",
                ..seen
            },
            (2, long + 14),
        ),
    ] {
        let mut conditions = eight();
        let mut changed = false;
        let first =
            measure(|| changed = set(&mut conditions, &seen, LATER, Transition::OfAnything));
        assert!(changed);
        let again =
            measure(|| changed = set(&mut conditions, &seen, LATER, Transition::OfAnything));
        assert!(!changed);
        println!(
            "one of eight conditions, {what}: {} allocations, {} bytes",
            first.count_total, first.bytes_total
        );
        assert_eq!(total(first), expected, "{what}");
        assert_eq!(total(again), (0, 0), "{what}: nothing changes");
    }
}

#[test]
fn a_visit() {
    let mut conditions = eight();
    let reason = Reason::new("Stored").unwrap();
    let visit = measure(|| {
        let mut visit = Visit::new(&mut conditions, &TYPES, 2, LATER);
        for of in TYPES {
            visit.set(of, Status::True, &reason, SHORT);
        }
        assert!(visit.has_changed());
    });
    println!(
        "a visit that sets eight conditions: {} allocations",
        visit.count_total
    );
    assert_eq!(total(visit), (0, 0));
}

#[test]
fn a_condition_with_a_severity() {
    let mut conditions: Vec<SeverityCondition> = Vec::new();
    for of in TYPES {
        let found = Finding::waiting_for_owner(SHORT);
        ready::set(&mut conditions, of, &found, 1, NOW, Transition::OfAnything);
    }
    for (found, expected) in [
        (Finding::reconciling(SHORT), (0, 0)),
        (Finding::succeeded(LONG), (1, LONG.len() as u64)),
        (Finding::deleting(SHORT), (0, 0)),
    ] {
        let mut changed = false;
        let update = measure(|| {
            changed = ready::set(
                &mut conditions,
                TYPES[3],
                &found,
                2,
                LATER,
                Transition::OfAnything,
            );
        });
        assert!(changed);
        println!(
            "one of eight with a severity, {}: {} allocations, {} bytes",
            found.reason, update.count_total, update.bytes_total
        );
        assert_eq!(total(update), expected, "{}", found.reason);
    }
}
