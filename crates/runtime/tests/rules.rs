//! Rules beyond Kubernetes' own client code: why a header is malformed, and the other rule for transitions.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

#[path = "../../../oracle/tests/random/dice.rs"]
#[allow(dead_code, reason = "some of it is for other tests")]
mod dice;

use crd_channels_runtime::conditions::{
    Condition, ConditionType, ConditionWriter, Conditions, Declared, HasConditions, Polarity,
    Reason, State, Status, StatusReason, Transition,
};
use crd_channels_runtime::warnings::{Malformed, parse, parse_value};
use dice::Dice;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use k8s_openapi::jiff::Timestamp;

#[test]
fn a_malformed_header_says_why_and_keeps_what_stands_before() {
    for (value, why) in [
        ("299 -", Malformed::Parts),
        ("2999 - \"a\"", Malformed::Code),
        ("299  \"a\"", Malformed::Agent),
        ("299 - a", Malformed::Quotes),
        ("299 - \"a", Malformed::Quotes),
        ("299 - \"\u{7}\"", Malformed::Text),
        ("299 - \"a\" \"Wed", Malformed::Date),
        ("299 - \"a\"; 299 - \"b\"", Malformed::End),
    ] {
        assert_eq!(
            parse_value(value.as_bytes()),
            (Vec::new(), Some(why)),
            "{value}"
        );
        let behind = format!("299 - \"good\", {value}");
        let (found, malformed) = parse_value(behind.as_bytes());
        assert_eq!((found.len(), malformed), (1, Some(why)), "{value}");
    }
    let values: [&[u8]; 2] = [b"299 - \"a\xff\"", b"299 - \"b\""];
    assert_eq!(
        parse(values).len(),
        1,
        "bytes that are not UTF-8 spoil their own header"
    );
}

const ACCEPTED: ConditionType = ConditionType::positive("Accepted");
const PROGRAMMED: ConditionType = ConditionType::positive("Programmed");
const CONFLICTED: ConditionType = ConditionType::negative("Conflicted");
const THROTTLED: ConditionType = ConditionType::negative("example.com/Throttled");

/// Conditions without reasons of their own.
enum Four {}

impl Conditions for Four {
    const DECLARED: &'static [Declared] = &[
        Declared::new(ACCEPTED, &[], ""),
        Declared::new(PROGRAMMED, &[], ""),
        Declared::new(CONFLICTED, &[], ""),
        Declared::new(THROTTLED, &[], ""),
    ];

    fn condition_type(&self) -> ConditionType {
        match *self {}
    }

    fn status_reason(&self) -> StatusReason<'_> {
        match *self {}
    }
}

fn condition(type_: &str, status: &str) -> Condition {
    let condition = serde_json::json!({
        "type": type_, "status": status, "reason": "", "message": "", "lastTransitionTime": at(0),
    });
    serde_json::from_value(condition).unwrap()
}

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

fn state(status: Status, reason: &str) -> State {
    State::new(status, Reason::of_code(reason), "")
}

#[test]
fn the_time_follows_the_rule() {
    let seen = [(1, "Pending"), (1, "Invalid"), (2, "Invalid")];
    for (transition, seconds) in [
        (None, [1, 1, 1]),
        (Some(Transition::OfStatus), [1, 1, 1]),
        (Some(Transition::OfAnything), [1, 2, 2]),
    ] {
        let mut conditions = Vec::new();
        for (((generation, reason), now), time) in seen.iter().zip(1..).zip(seconds) {
            let state = state(Status::False, reason);
            let mut set = |now| {
                let generation = Some(*generation);
                let mut writer = ConditionWriter::for_list::<Four>(&mut conditions, generation);
                writer.at(at(now));
                if let Some(transition) = transition {
                    writer.transition(transition);
                }
                writer.keep(PROGRAMMED).set_state(ACCEPTED, &state);
                writer.has_changed()
            };
            assert!(set(now));
            assert!(!set(9), "it is set already");
            let time = at(time);
            assert_eq!(conditions[0].last_transition_time.0, time, "{transition:?}");
        }
    }
}

#[derive(Default)]
struct Route {
    metadata: ObjectMeta,
    status: Option<RouteStatus>,
}

#[derive(Default)]
struct RouteStatus {
    conditions: Vec<Condition>,
}

crd_channels_runtime::has_conditions!(Route);

#[test]
fn a_writer_takes_the_generation_from_the_object() {
    let mut route = Route::default();
    for generation in [3, 4] {
        route.metadata.generation = Some(generation);
        let mut writer = ConditionWriter::new::<Four>(&mut route);
        writer.set_state(ACCEPTED, &state(Status::True, "Accepted"));
        assert!(writer.finish());
        let observed = route.conditions().iter().map(|one| one.observed_generation);
        assert_eq!(observed.collect::<Vec<_>>(), [Some(generation); 2]);
    }
}

/// The object was read at generation 2, and again at 4: what was observed at 3 is newer. Nobody can have observed 57.
#[test]
fn only_a_later_generation_of_the_object_keeps_a_condition() {
    for (there, stays) in [(1, false), (2, false), (3, true), (4, true), (57, false)] {
        let mut conditions = vec![
            condition("Accepted", "True"),
            condition("Conflicted", "True"),
        ];
        for condition in &mut conditions {
            condition.observed_generation = Some(there);
        }
        let mut writer = ConditionWriter::for_list::<Four>(&mut conditions, 4);
        writer.observed_generation(2);
        writer.set_state(ACCEPTED, &state(Status::False, "Invalid"));
        let _ = writer.finish();
        assert_eq!(ACCEPTED.is_true(&conditions), stays, "{there}");
        assert_eq!(CONFLICTED.is_true(&conditions), stays, "{there}");
        let accepted = ACCEPTED.find(&conditions).unwrap();
        let observed = if stays { there } else { 2 };
        assert_eq!(accepted.observed_generation, Some(observed));
    }
}

/// A missing negative condition is not added as unknown, but an existing one may become unknown.
#[test]
fn a_negative_condition_does_not_begin_unknown() {
    let mut conditions = Vec::new();
    let mut set = |status| {
        let mut writer = ConditionWriter::for_list::<Four>(&mut conditions, 1);
        writer.set_state(CONFLICTED, &state(status, "Conflict"));
        let _ = writer.finish();
        CONFLICTED.find(&conditions).map(Status::of)
    };
    assert_eq!(set(Status::Unknown), None);
    assert_eq!(set(Status::True), Some(Status::True));
    assert_eq!(set(Status::Unknown), Some(Status::Unknown), "it was there");
    assert_eq!(set(Status::False), None);
}

#[test]
fn messages_are_cut_to_what_a_server_accepts() {
    let mut conditions = Vec::new();
    for (letter, count, left) in [
        ("x", 32_768, 32_768),
        ("x", 32_769, 32_768),
        ("é", 40_000, 32_768),
    ] {
        let long = State::new(Status::True, Reason::PENDING, letter.repeat(count));
        assert_eq!(long.message.chars().count(), left);
        let mut writer = ConditionWriter::for_list::<Four>(&mut conditions, 1);
        writer.set_state(ACCEPTED, &long);
        let message = ACCEPTED.message(&conditions).unwrap();
        assert_eq!(message.chars().count(), left);
    }
    let mut by_hand = state(Status::True, "Accepted");
    by_hand.message = "x".repeat(40_000);
    let mut writer = ConditionWriter::for_list::<Four>(&mut conditions, 1);
    writer.set_state(ACCEPTED, &by_hand);
    assert_eq!(ACCEPTED.message(&conditions).unwrap().len(), 32_768);
}

#[test]
fn types_are_what_a_server_accepts() {
    let longest = "x".repeat(316);
    let too_long = "x".repeat(317);
    for (name, fits) in [
        ("Accepted", true),
        ("example.com/Throttled", true),
        ("a-b.c/x-Y_z.1", true),
        ("a", true),
        (&longest, true),
        (&too_long, false),
        ("", false),
        ("no good!", false),
        ("_Accepted", false),
        ("Accepted-", false),
        ("Example.com/Throttled", false),
        ("example..com/Throttled", false),
        ("-a/Throttled", false),
        ("a-.b/Throttled", false),
        ("a_b/Throttled", false),
        ("/Throttled", false),
        ("example.com/", false),
        ("a/b/c", false),
    ] {
        let name: &'static str = name.to_owned().leak();
        let made = std::panic::catch_unwind(|| ConditionType::positive(name));
        assert_eq!(made.is_ok(), fits, "{name}");
    }
}

/// Bytes that a server or a proxy may send, mostly those with a meaning in a header.
#[test]
fn any_bytes_are_a_safe_header() {
    const TELLING: &[u8] = b"299 - \"a\\\", =?UTF-8?q?=41?=\xff\t";
    for seed in 0..20_000u64 {
        let mut dice = Dice::new(seed);
        let length = dice.roll(60);
        let bytes: Vec<u8> = (0..length)
            .map(|_| match dice.roll(5) {
                0 => u8::try_from(dice.roll(256)).unwrap(),
                _ => dice.pick(TELLING),
            })
            .collect();
        let good: &[u8] = b"299 - \"good\"";
        let found = parse([&*bytes, good]);
        assert_eq!(found.last().unwrap().text, "good", "seed {seed}: {bytes:?}");
        let (alone, _) = parse_value(&bytes);
        assert_eq!(found.len(), alone.len() + 1, "seed {seed}: {bytes:?}");
        for warning in found {
            assert!(
                (100..1000).contains(&warning.code),
                "seed {seed}: {warning:?}"
            );
        }
    }
}

#[test]
fn every_code_makes_a_reason() {
    let letters = [
        "a", "Z", "0", "_", ",", ":", " ", "-", "ä", "\u{0}", "é", "Error",
    ];
    let has_the_form = |reason: &str| {
        reason.starts_with(|first: char| first.is_ascii_uppercase())
            && reason.chars().all(|found| found.is_ascii_alphanumeric())
            && reason.len() <= 1024
    };
    let mut codes = vec![
        String::new(),
        "x:".repeat(2000),
        ":".repeat(2000),
        "9".repeat(2000),
        "X".repeat(1024),
        "X".repeat(1025),
    ];
    for first in letters {
        for second in letters {
            for third in letters {
                codes.push(format!("{first}{second}{third}"));
            }
        }
    }
    for code in codes {
        let reason = Reason::of_code(&code);
        assert!(has_the_form(reason.as_str()), "{code:?}: {reason}");
        let same = Reason::new(code.clone());
        assert_eq!(same.is_ok(), has_the_form(&code), "{code:?}");
        assert!(
            same.is_err() || reason.as_str() == code,
            "{code:?} is a reason as it stands"
        );
    }
    let wrong = Reason::new("quota_exceeded").unwrap_err().to_string();
    assert_eq!(
        wrong,
        "`quota_exceeded` is not a reason: a capital letter, then letters and digits; write `QuotaExceeded`"
    );
    let long = Reason::new("X".repeat(1025)).unwrap_err().to_string();
    assert_eq!(long, "a reason has at most 1024 characters");
}

/// Any order of updates keeps the requirements for an object's conditions.
#[test]
fn any_updates_keep_the_rules() {
    const TYPES: [ConditionType; 4] = [ACCEPTED, PROGRAMMED, CONFLICTED, THROTTLED];
    for seed in 0..2000u64 {
        let mut dice = Dice::new(seed);
        let mut conditions = vec![condition("Ready", "True")];
        let other = conditions[0].clone();
        for now in 1..12 {
            let before = conditions.clone();
            let [observed, current] = [(); 2].map(|()| 1 + i64::try_from(dice.roll(5)).unwrap());
            let mut writer = ConditionWriter::for_list::<Four>(&mut conditions, current);
            writer.at(at(now)).observed_generation(observed);
            let mut set = Vec::new();
            for _ in 0..dice.roll(4) {
                let of = dice.pick(&TYPES);
                let status = dice.pick(&[Status::True, Status::False, Status::Unknown]);
                let state = state(status, dice.pick(&["Valid", "not found", ""]));
                writer.set_state(of, &state);
                set.retain(|(one, _)| *one != of);
                set.push((of, state));
            }
            let changed = writer.finish();
            assert!(
                changed || conditions == before,
                "seed {seed}: a change went unsaid"
            );
            assert_eq!(
                conditions[0], other,
                "seed {seed}: it belongs to another controller"
            );
            for of in TYPES {
                let find = |all: &[Condition]| {
                    let mut found = all.iter().filter(|one| one.type_ == of.name()).cloned();
                    let (one, more) = (found.next(), found.next());
                    assert_eq!(more, None, "seed {seed}: {} is there twice", of.name());
                    one
                };
                let (old, one) = (find(&before), find(&conditions));
                let is_later = |of: &Condition| {
                    of.observed_generation > Some(observed)
                        && of.observed_generation <= Some(current)
                };
                if old.as_ref().is_some_and(is_later) {
                    assert_eq!(old, one, "seed {seed}: it was observed later");
                    continue;
                }
                let said = set
                    .iter()
                    .find(|(one, _)| *one == of)
                    .map(|(_, state)| state);
                let Some(one) = one else {
                    assert_eq!(
                        of.polarity(),
                        Polarity::Negative,
                        "seed {seed}: it is missing"
                    );
                    assert!(said.is_none_or(|said| said.status != Status::True));
                    continue;
                };
                match (said, of.polarity()) {
                    (Some(said), Polarity::Positive) => assert_eq!(State::of(&one), *said),
                    (Some(said), Polarity::Negative) => {
                        assert_eq!(State::of(&one), *said);
                        assert_ne!(said.status, Status::False, "seed {seed}");
                    }
                    (None, Polarity::Positive) => {
                        assert_eq!((&*one.status, &*one.reason), ("Unknown", "Pending"));
                    }
                    (None, Polarity::Negative) => panic!("seed {seed}: {one:?} was not set"),
                }
                assert!(["True", "False", "Unknown"].contains(&&*one.status));
                assert_eq!(one.observed_generation, Some(observed));
                let kept = old.is_some_and(|old| {
                    old.last_transition_time == one.last_transition_time && old.status == one.status
                });
                assert!(
                    kept || one.last_transition_time.0 == at(now),
                    "seed {seed}: the status changes without the time"
                );
            }
        }
    }
}

/// What readers make of any status: `Unknown` for one that they do not know.
#[test]
fn readers_accept_any_status() {
    for (word, status) in [
        ("True", Status::True),
        ("False", Status::False),
        ("Unknown", Status::Unknown),
        ("", Status::Unknown),
        ("true", Status::Unknown),
        ("Maybe", Status::Unknown),
    ] {
        let condition = condition("Accepted", word);
        assert_eq!(Status::of(&condition), status, "{word:?}");
        let conditions = [condition];
        assert_eq!(ACCEPTED.is_true(&conditions[..]), status == Status::True);
        assert_eq!(ACCEPTED.is_false(&conditions[..]), status == Status::False);
    }
}
