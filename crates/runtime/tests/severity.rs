//! The `Ready` condition with a severity: the reasons of its proposal, and invariants of any updates.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

#[path = "../../../oracle/tests/random/dice.rs"]
#[allow(dead_code, reason = "some of it is for other tests")]
mod dice;

use crd_channels_runtime::conditions::severity::{
    Outcome, READY, Retry, Severity, SeverityCondition, SeverityWriter,
};
use crd_channels_runtime::conditions::{
    AnyCondition, ConditionType, Polarity, Reason, Status, Transition,
};
use crd_channels_runtime::install::Embedded;
use crd_channels_runtime::validation::Validator;
use dice::Dice;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use k8s_openapi::jiff::Timestamp;
use serde_json::{Value, json};

const NOW: Timestamp = Timestamp::constant(1_795_370_460, 0);

/// Returns the condition of a new resource after an outcome.
fn first(outcome: &Outcome<'_>) -> SeverityCondition {
    let mut conditions = Vec::new();
    let writer = SeverityWriter::for_list(&mut conditions, 3);
    assert!(writer.at(NOW).set(READY, outcome));
    conditions.remove(0)
}

#[derive(Default)]
struct Certificate {
    metadata: ObjectMeta,
    status: Option<CertificateStatus>,
}

#[derive(Default)]
struct CertificateStatus {
    conditions: Vec<SeverityCondition>,
}

crd_channels_runtime::has_conditions!(Certificate, SeverityCondition);

#[test]
fn a_writer_takes_the_generation_from_the_object() {
    let mut certificate = Certificate::default();
    for generation in [3, 4] {
        certificate.metadata.generation = Some(generation);
        let mut writer = SeverityWriter::new(&mut certificate);
        assert!(writer.set(READY, &Outcome::succeeded("")));
        let ready = READY.find(&certificate).unwrap();
        assert_eq!(ready.observed_generation(), Some(generation));
    }
}

/// The table of the proposal, "The Reason field", and its section on the meaning of a severity for `Ready`.
#[test]
fn reasons() {
    for (outcome, status, severity, reason, message, retry) in [
        (
            Outcome::reconciling("m"),
            "False",
            Some("Info"),
            "Reconciling",
            "m",
            Retry::Soon,
        ),
        (
            Outcome::waiting_for_owner("m"),
            "False",
            Some("Warning"),
            "WaitingForOwner",
            "m",
            Retry::Slowly,
        ),
        (
            Outcome::deleting("m"),
            "False",
            Some("Info"),
            "Deleting",
            "m",
            Retry::Soon,
        ),
        (
            Outcome::succeeded("m"),
            "True",
            None,
            "Succeeded",
            "m",
            Retry::WhenChanged,
        ),
        (
            Outcome::failed("InternalServerError", "m", Retry::Soon),
            "False",
            Some("Warning"),
            "InternalServerError",
            "m",
            Retry::Soon,
        ),
        (
            Outcome::failed("InvalidTemplate", "m", Retry::WhenChanged),
            "False",
            Some("Error"),
            "InvalidTemplate",
            "m",
            Retry::WhenChanged,
        ),
        (
            Outcome::failed("quota exceeded (cpu)", "m", Retry::Slowly),
            "False",
            Some("Warning"),
            "QuotaExceededCpu",
            "quota exceeded (cpu): m",
            Retry::Slowly,
        ),
        (
            Outcome::failed("404", "", Retry::Slowly),
            "False",
            Some("Warning"),
            "Code404",
            "404",
            Retry::Slowly,
        ),
        (
            Outcome::failed("", "m", Retry::Slowly),
            "False",
            Some("Warning"),
            "Unknown",
            "m",
            Retry::Slowly,
        ),
        (
            Outcome::unknown(Reason::UNKNOWN, "m"),
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
        assert_eq!(json!(first(&outcome)), expected);
        assert_eq!(outcome.retry(), retry, "{reason}");
    }
    let long = "ä".repeat(40_000);
    let cut = first(&Outcome::reconciling(&*long)).condition.message;
    assert_eq!(
        cut.chars().count(),
        32_768,
        "a server refuses longer messages"
    );
}

#[test]
fn the_worst_outcome_is_shown() {
    let error = Outcome::failed("A", "", Retry::WhenChanged);
    let warning = Outcome::failed("B", "", Retry::Slowly);
    let other = Outcome::failed("C", "", Retry::Soon);
    let (info, deleting) = (Outcome::reconciling(""), Outcome::deleting(""));
    let (succeeded, unknown) = (
        Outcome::succeeded(""),
        Outcome::unknown(Reason::UNKNOWN, ""),
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
        let worst = Outcome::worst(findings.into_iter().cloned());
        assert_eq!((worst.reason().as_str(), worst.retry()), (reason, retry));
    }
}

#[test]
fn readers_take_what_they_have_never_seen() {
    let written = json!({
        "type": "Ready", "status": "Maybe", "severity": "Fatal", "reason": "R", "lastTransitionTime": NOW, "phase": 1,
    });
    let read: SeverityCondition = serde_json::from_value(written).unwrap();
    let severity = read.severity.as_ref().unwrap();
    assert_eq!((severity.known(), severity.as_str()), (None, "Fatal"));
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
    for outcome in [
        Outcome::succeeded("It is."),
        Outcome::waiting_for_owner("It is not there."),
        Outcome::failed("InvalidTemplate", "", Retry::WhenChanged),
        Outcome::unknown(Reason::UNKNOWN, ""),
    ] {
        let ours = json!(first(&outcome));
        let theirs: api_types::conditions::SeverityCondition =
            serde_json::from_value(ours.clone()).unwrap();
        assert_eq!(json!(theirs), ours);
        let back: SeverityCondition = serde_json::from_value(json!(theirs)).unwrap();
        assert_eq!(back, first(&outcome));
    }
}

/// The CRD of this repository's API accepts what we write, of both polarities, and nothing that the proposal forbids.
#[test]
fn an_api_accepts_what_is_written() {
    const CRD: &str =
        include_str!("../../../generated/stable/edge.crd-channels.dev_externalcertificates.yaml");
    let embedded = Embedded::parse(&[CRD]).unwrap();
    let crd = json!(embedded.crds()[0]);
    let schema = "/spec/versions/0/schema/openAPIV3Schema/properties/status";
    let mut crd_of_status = crd.clone();
    // Only the status is judged, as an update of the subresource would do.
    let mut status = crd.pointer(schema).unwrap().clone();
    status["type"] = "object".into();
    crd_of_status["spec"]["versions"][0]["schema"]["openAPIV3Schema"] =
        json!({"type": "object", "properties": {"status": status}});
    if let Some(version) = crd_of_status["spec"]["versions"][0].as_object_mut() {
        version.remove("subresources");
    }
    let validator = Validator::new(&crd_of_status, "v1").unwrap();
    let is_accepted = |conditions: &[SeverityCondition]| {
        let object = json!({
            "apiVersion": "edge.crd-channels.dev/v1", "kind": "ExternalCertificate", "metadata": {"name": "a"},
            "status": {"conditions": conditions},
        });
        validator.create(&object).violations.is_empty()
    };
    let throttled = ConditionType::negative("example.com/Throttled");
    for outcome in [
        Outcome::succeeded("It is."),
        Outcome::waiting_for_owner("It is not there."),
        Outcome::failed("InvalidTemplate", "", Retry::WhenChanged),
        Outcome::unknown(Reason::UNKNOWN, ""),
    ] {
        let mut conditions = Vec::new();
        for of in [READY, throttled] {
            SeverityWriter::for_list(&mut conditions, 1).set(of, &outcome);
        }
        assert!(is_accepted(&conditions), "{conditions:?}");
        for at in 0..2 {
            let mut wrong = conditions.clone();
            wrong[at].severity = Some(Severity::Error.into());
            let forbidden = match outcome.severity() {
                Some(_) => false,
                // No rule can know the polarity of a type that it does not name.
                None => at == 0 || outcome == Outcome::unknown(Reason::UNKNOWN, ""),
            };
            assert_eq!(is_accepted(&wrong), !forbidden, "{wrong:?}");
        }
    }
}

/// A controller that tries again says `Reconciling` first and then the same failure, each time.
#[test]
fn trying_again_changes_nothing_within_a_generation() {
    let mut conditions = Vec::new();
    let mut set = |generation, now, outcome: &Outcome<'_>| {
        let writer = SeverityWriter::for_list(&mut conditions, generation);
        let now = Timestamp::from_second(now).unwrap();
        writer.at(now).set(READY, outcome)
    };
    let failed = Outcome::failed("InternalServerError", "", Retry::Soon);
    let waiting = Outcome::waiting_for_owner("");
    let (reconciling, unknown) = (
        Outcome::reconciling(""),
        Outcome::unknown(Reason::UNKNOWN, ""),
    );
    assert!(set(1, 1, &reconciling));
    assert!(set(1, 2, &failed));
    for now in 3..9 {
        assert!(!set(1, now, &reconciling));
        assert!(!set(1, now, &unknown));
        assert!(!set(1, now, &failed));
    }
    assert!(set(2, 9, &reconciling), "the user has changed something");
    assert!(set(2, 10, &waiting));
    assert!(set(2, 11, &reconciling), "the owner is there");
    let succeeded = Outcome::succeeded("");
    assert!(set(2, 12, &succeeded));
    assert!(!set(2, 13, &Outcome::deleting("")));
    assert!(set(2, 14, &failed), "a result replaces a result");
    assert!(set(2, 15, &succeeded));
    assert!(set(3, 16, &unknown));
    assert!(set(3, 17, &reconciling));
    assert!(set(3, 18, &unknown), "anything is more than `Reconciling`");
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
        let chosen = dice.pick(&[
            None,
            Some(Transition::OfAnything),
            Some(Transition::OfStatus),
        ]);
        let transition = chosen.unwrap_or(Transition::OfAnything);
        let mut conditions: Vec<SeverityCondition> = Vec::new();
        for now in 1..16 {
            let before = conditions.clone();
            let of = dice.pick(&TYPES);
            let outcome = outcome(&mut dice);
            let [observed, current] = [(); 2].map(|()| 1 + i64::try_from(dice.roll(4)).unwrap());
            let writer = SeverityWriter::for_list(&mut conditions, current);
            let mut writer = writer.observed_generation(observed).at(at(now));
            if let Some(chosen) = chosen {
                writer = writer.transition(chosen);
            }
            let changed = writer.set(of, &outcome);
            assert_eq!(changed, conditions != before, "seed {seed}");
            let (old, one) = (of.find(&before), of.find(&conditions).unwrap());
            let there = old.and_then(|old| old.condition.observed_generation);
            let is_later = there > Some(observed) && there <= Some(current);
            if is_later {
                assert_eq!(old, Some(one), "seed {seed}: it was observed later");
            } else if there != Some(observed) || changed {
                assert_eq!(one.reason(), outcome.reason().as_str());
                assert_eq!(one.message(), outcome.message());
                assert_eq!(one.severity(), outcome.severity(), "seed {seed}");
                assert_eq!(one.observed_generation(), Some(observed));
            }
            for one in &conditions {
                let of = TYPES.into_iter().find(|of| of.name() == one.type_());
                let healthy = match of.unwrap().polarity() {
                    Polarity::Positive => Status::True,
                    Polarity::Negative => Status::False,
                };
                let is_failure = one.status() != Status::Unknown && one.status() != healthy;
                assert_eq!(one.severity().is_some(), is_failure, "seed {seed}: {one:?}");
                seen.0 += usize::from(!is_failure);
                seen.1 += usize::from(is_failure);
                assert!(!one.reason().is_empty());
                let mut before = before.iter();
                let Some(old) = before.find(|old| old.type_() == one.type_()) else {
                    assert_eq!(one.condition.last_transition_time.0, at(now));
                    continue;
                };
                let same_status = one.status() == old.status();
                let same = same_status
                    && one.reason() == old.reason()
                    && one.message() == old.message()
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
                    one.condition.last_transition_time.0, expected,
                    "seed {seed}"
                );
            }
        }
    }
    assert!(seen.0 > 10_000 && seen.1 > 10_000, "{seen:?}");
}

fn outcome(dice: &mut Dice) -> Outcome<'static> {
    let message = dice.pick(&["", "a", "b"]);
    let retry = dice.pick(&[Retry::WhenChanged, Retry::Slowly, Retry::Soon]);
    match dice.roll(6) {
        0 => Outcome::reconciling(message),
        1 => Outcome::waiting_for_owner(message),
        2 => Outcome::deleting(message),
        3 => Outcome::succeeded(message),
        4 => Outcome::unknown(Reason::UNKNOWN, message),
        _ => Outcome::failed(dice.pick(&["", "not found", "Throttled"]), message, retry),
    }
}
