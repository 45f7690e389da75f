//! The `Ready` condition with a severity: the reasons of its proposal, and invariants of any updates.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

#[path = "../../../oracle/tests/random/dice.rs"]
#[allow(dead_code, reason = "some of it is for other tests")]
mod dice;

use crd_channels_runtime::conditions::ready::{
    Finding, READY, Retry, Severity, SeverityCondition, set,
};
use crd_channels_runtime::conditions::{ConditionType, Polarity, Reason, Status, Transition};
use dice::Dice;
use k8s_openapi::jiff::Timestamp;
use serde_json::{Value, json};

const NOW: Timestamp = Timestamp::constant(1_795_370_460, 0);

/// Returns the condition of a new resource after a finding.
fn first(finding: &Finding<'_>) -> SeverityCondition {
    let mut conditions = Vec::new();
    assert!(set(
        &mut conditions,
        READY,
        finding,
        3,
        NOW,
        Transition::OfAnything
    ));
    conditions.remove(0)
}

/// The table of the proposal, "The Reason field", and its section on the meaning of a severity for `Ready`.
#[test]
fn reasons() {
    for (finding, status, severity, reason, message, retry) in [
        (
            Finding::reconciling("m"),
            "False",
            Some("Info"),
            "Reconciling",
            "m",
            Retry::Soon,
        ),
        (
            Finding::waiting_for_owner("m"),
            "False",
            Some("Warning"),
            "WaitingForOwner",
            "m",
            Retry::Slowly,
        ),
        (
            Finding::deleting("m"),
            "False",
            Some("Info"),
            "Deleting",
            "m",
            Retry::Soon,
        ),
        (
            Finding::succeeded("m"),
            "True",
            None,
            "Succeeded",
            "m",
            Retry::WhenChanged,
        ),
        (
            Finding::failed("InternalServerError", "m", Retry::Soon),
            "False",
            Some("Warning"),
            "InternalServerError",
            "m",
            Retry::Soon,
        ),
        (
            Finding::failed("InvalidTemplate", "m", Retry::WhenChanged),
            "False",
            Some("Error"),
            "InvalidTemplate",
            "m",
            Retry::WhenChanged,
        ),
        (
            Finding::failed("quota exceeded (cpu)", "m", Retry::Slowly),
            "False",
            Some("Warning"),
            "QuotaExceededCpu",
            "quota exceeded (cpu): m",
            Retry::Slowly,
        ),
        (
            Finding::failed("404", "", Retry::Slowly),
            "False",
            Some("Warning"),
            "Code404",
            "404",
            Retry::Slowly,
        ),
        (
            Finding::failed("", "m", Retry::Slowly),
            "False",
            Some("Warning"),
            "Unknown",
            "m",
            Retry::Slowly,
        ),
        (
            Finding::unknown(Reason::UNKNOWN, "m"),
            "Unknown",
            None,
            "Unknown",
            "m",
            Retry::Soon,
        ),
    ] {
        let mut expected = json!({
            "type": "Ready", "status": status, "reason": reason, "message": message, "observedGeneration": 3,
            "lastTransitionTime": NOW,
        });
        if let Some(severity) = severity {
            expected["severity"] = severity.into();
        }
        assert_eq!(json!(first(&finding)), expected);
        assert_eq!(finding.retry, retry, "{reason}");
    }
    let long = "ä".repeat(40_000);
    let cut = first(&Finding::reconciling(&*long)).condition.message;
    assert_eq!(
        cut.chars().count(),
        32_768,
        "a server refuses longer messages"
    );
}

#[test]
fn the_worst_finding_is_shown() {
    let error = Finding::failed("A", "", Retry::WhenChanged);
    let warning = Finding::failed("B", "", Retry::Slowly);
    let other = Finding::failed("C", "", Retry::Soon);
    let (info, deleting) = (Finding::reconciling(""), Finding::deleting(""));
    let (succeeded, unknown) = (
        Finding::succeeded(""),
        Finding::unknown(Reason::UNKNOWN, ""),
    );
    for (findings, reason, retry) in [
        (vec![&info, &warning, &error], "A", Retry::WhenChanged),
        (vec![&warning, &info], "B", Retry::Soon),
        (vec![&warning, &other], "B", Retry::Soon),
        (vec![&other, &warning], "C", Retry::Soon),
        (vec![&info, &deleting], "Deleting", Retry::Soon),
        (vec![&deleting, &warning], "B", Retry::Soon),
        (vec![&unknown, &info], "Reconciling", Retry::Soon),
        (vec![&succeeded, &unknown], "Unknown", Retry::Soon),
        (
            vec![&succeeded, &succeeded],
            "Succeeded",
            Retry::WhenChanged,
        ),
        (vec![], "Pending", Retry::Soon),
    ] {
        let worst = Finding::worst(findings.into_iter().cloned());
        assert_eq!((worst.reason.as_str(), worst.retry), (reason, retry));
    }
}

#[test]
fn readers_take_what_they_have_never_seen() {
    let written = json!({
        "type": "Ready", "status": "Maybe", "severity": "Fatal", "reason": "R", "lastTransitionTime": NOW, "phase": 1,
    });
    let read: SeverityCondition = serde_json::from_value(written).unwrap();
    assert_eq!(read.severity, Some(Severity::Other("Fatal".to_owned())));
    assert_eq!(Status::of(&read.condition), Status::Unknown);
    assert_eq!(
        json!(read)["severity"],
        "Fatal",
        "it stays as it was written"
    );
    for none in [json!(""), Value::Null] {
        let written =
            json!({"type": "Ready", "status": "True", "severity": none, "lastTransitionTime": NOW});
        let read: SeverityCondition = serde_json::from_value(written).unwrap();
        assert_eq!(read.severity, None);
        assert_eq!(json!(read).get("severity"), None);
    }
}

/// This repository's API has this condition in a status: its type reads what we write, and writes the same.
#[test]
fn it_is_the_condition_of_an_api() {
    for finding in [
        Finding::succeeded("It is."),
        Finding::waiting_for_owner("It is not there."),
        Finding::failed("InvalidTemplate", "", Retry::WhenChanged),
        Finding::unknown(Reason::UNKNOWN, ""),
    ] {
        let ours = json!(first(&finding));
        let theirs: api_types::conditions::SeverityCondition =
            serde_json::from_value(ours.clone()).unwrap();
        assert_eq!(json!(theirs), ours);
        let back: SeverityCondition = serde_json::from_value(json!(theirs)).unwrap();
        assert_eq!(back, first(&finding));
    }
}

/// Any order of updates keeps the requirements of both sources.
#[test]
fn any_updates_keep_the_rules() {
    const TYPES: [ConditionType; 3] = [
        READY,
        ConditionType::positive("example.com/Issued"),
        ConditionType::negative("example.com/Throttled"),
    ];
    let at = |second| Timestamp::from_second(second).unwrap();
    let mut seen = (0, 0);
    for seed in 0..2000u64 {
        let mut dice = Dice::new(seed);
        let transition = dice.pick(&[Transition::OfAnything, Transition::OfStatus]);
        let mut conditions: Vec<SeverityCondition> = Vec::new();
        for now in 1..16 {
            let before = conditions.clone();
            let of = dice.pick(&TYPES);
            let finding = finding(&mut dice);
            let generation = 1 + i64::try_from(dice.roll(4)).unwrap();
            let changed = set(
                &mut conditions,
                of,
                &finding,
                generation,
                at(now),
                transition,
            );
            assert_eq!(changed, conditions != before, "seed {seed}");
            let find = |all: &[SeverityCondition]| {
                let mut all = all.iter();
                all.find(|one| one.condition.type_ == of.name).cloned()
            };
            let is_late = find(&before)
                .is_some_and(|old| old.condition.observed_generation > Some(generation));
            let now_there = find(&conditions).unwrap();
            if is_late {
                assert_eq!(
                    find(&before),
                    Some(now_there),
                    "seed {seed}: it is out of date"
                );
            } else {
                let said = &now_there.condition;
                assert_eq!(Status::of(said), finding.status);
                assert_eq!(
                    (&*said.reason, &*said.message),
                    (finding.reason.as_str(), &*finding.message)
                );
                let severity = shown_severity(of, &finding);
                assert_eq!(now_there.severity, severity, "seed {seed}");
            }
            for one in &conditions {
                let condition = &one.condition;
                let of = TYPES
                    .into_iter()
                    .find(|of| of.name == condition.type_)
                    .unwrap();
                let status = Status::of(condition);
                let healthy = match of.polarity {
                    Polarity::Positive => Status::True,
                    Polarity::Negative => Status::False,
                };
                if status == Status::Unknown || status == healthy {
                    assert_eq!(one.severity, None, "seed {seed}: {condition:?}");
                    seen.0 += 1;
                } else {
                    seen.1 += usize::from(one.severity.is_some());
                }
                assert!(!condition.reason.is_empty());
                let old = before
                    .iter()
                    .find(|old| old.condition.type_ == condition.type_);
                let Some(old) = old else {
                    assert_eq!(condition.last_transition_time.0, at(now));
                    continue;
                };
                assert!(
                    condition.observed_generation.unwrap()
                        >= old.condition.observed_generation.unwrap()
                );
                let same_status = condition.status == old.condition.status;
                let same = same_status
                    && condition.reason == old.condition.reason
                    && condition.message == old.condition.message
                    && one.severity == old.severity;
                let keeps = match transition {
                    Transition::OfStatus => same_status,
                    Transition::OfAnything => same,
                };
                let expected = match keeps {
                    true => old.condition.last_transition_time.0,
                    false => at(now),
                };
                assert_eq!(
                    condition.last_transition_time.0, expected,
                    "seed {seed}: {transition:?}"
                );
            }
            let types = |conditions: &[SeverityCondition]| -> Vec<String> {
                conditions
                    .iter()
                    .map(|one| one.condition.type_.clone())
                    .collect()
            };
            assert!(
                types(&conditions).starts_with(&types(&before)),
                "the order stays"
            );
        }
    }
    assert!(
        seen.0 > 1000 && seen.1 > 1000,
        "both sides of the rule were seen: {seen:?}"
    );
}

/// The severity that the proposal requires.
fn shown_severity(of: ConditionType, finding: &Finding<'_>) -> Option<Severity> {
    let severity = finding.severity.clone();
    match (of.polarity, finding.status) {
        (Polarity::Positive, Status::False) | (Polarity::Negative, Status::True) => severity,
        _ => None,
    }
}

fn finding(dice: &mut Dice) -> Finding<'static> {
    let message = dice.pick(&["", "a", "b"]);
    let retry = dice.pick(&[Retry::WhenChanged, Retry::Slowly, Retry::Soon]);
    match dice.roll(7) {
        0 => Finding::reconciling(message),
        1 => Finding::waiting_for_owner(message),
        2 => Finding::deleting(message),
        3 => Finding::succeeded(message),
        4 => Finding::unknown(Reason::UNKNOWN, message),
        // Something that is never meant: a severity with any status.
        5 => Finding {
            status: dice.pick(&[Status::True, Status::False, Status::Unknown]),
            ..Finding::failed("Odd", message, retry)
        },
        _ => Finding::failed(dice.pick(&["", "not found", "Throttled"]), message, retry),
    }
}
