//! Rules beyond Kubernetes' own client code: why a header is malformed, and the other rule for transitions.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

#[path = "../../../oracle/tests/random/dice.rs"]
#[allow(dead_code, reason = "some of it is for other tests")]
mod dice;

use crd_channels_runtime::conditions::{
    ConditionType, Observation, Polarity, Reason, Status, Transition, Visit, set,
};
use crd_channels_runtime::warnings::{Malformed, parse, parse_value};
use dice::Dice;
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

#[test]
fn the_time_follows_the_rule() {
    let pending = Observation {
        type_: "Accepted",
        status: "False",
        reason: "Pending",
        message: "",
        observed_generation: 1,
    };
    let invalid = Observation {
        reason: "Invalid",
        ..pending
    };
    let newer = Observation {
        observed_generation: 2,
        ..invalid
    };
    let at = |second| Timestamp::from_second(second).unwrap();
    for (transition, seconds) in [
        (Transition::OfStatus, [1, 1, 1]),
        (Transition::OfAnything, [1, 2, 2]),
    ] {
        let mut conditions = Vec::new();
        for ((seen, now), time) in [pending, invalid, newer].iter().zip(1..).zip(seconds) {
            assert!(set(&mut conditions, seen, at(now), transition));
            assert_eq!(
                conditions[0].last_transition_time.0,
                at(time),
                "{transition:?}"
            );
            assert!(
                !set(&mut conditions, seen, at(9), transition),
                "it is set already"
            );
        }
    }
}

/// A missing negative condition is not added as unknown, but an existing one may become unknown.
#[test]
fn a_negative_condition_does_not_begin_unknown() {
    let of = ConditionType::negative("Conflicted");
    let reason = Reason::of_code("Conflict");
    let mut conditions = Vec::new();
    let mut visit = Visit::new(&mut conditions, &[of], 1, Timestamp::UNIX_EPOCH);
    visit.set(of, Status::Unknown, &reason, "");
    assert!(!visit.has_changed());
    visit.set(of, Status::True, &reason, "");
    visit.set(of, Status::Unknown, &reason, "");
    assert_eq!(Status::of(&conditions[0]), Status::Unknown, "it was there");
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
        let inner = |found: char| found.is_ascii_alphanumeric() || "_,:".contains(found);
        reason.starts_with(|first: char| first.is_ascii_alphabetic())
            && reason.chars().all(inner)
            && !reason.ends_with([',', ':'])
            && reason.len() <= 1024
    };
    let mut codes = vec![
        String::new(),
        "x:".repeat(2000),
        ":".repeat(2000),
        "9".repeat(2000),
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
        let same = Reason::new(code.clone()).is_some();
        assert_eq!(same, has_the_form(&code), "{code:?}");
        assert!(
            !same || reason.as_str() == code,
            "{code:?} is a reason as it stands"
        );
    }
}

/// Any order of updates keeps the requirements for an object's conditions.
#[test]
fn any_visits_keep_the_rules() {
    const TYPES: [ConditionType; 4] = [
        ConditionType::positive("Accepted"),
        ConditionType::positive("Programmed"),
        ConditionType::negative("Conflicted"),
        ConditionType::negative("example.com/Throttled"),
    ];
    let at = |second| Timestamp::from_second(second).unwrap();
    for seed in 0..2000u64 {
        let mut dice = Dice::new(seed);
        let mut conditions = Vec::new();
        for now in 1..12 {
            let before = conditions.clone();
            let generation = 1 + i64::try_from(dice.roll(5)).unwrap();
            let mut visit = Visit::new(&mut conditions, &TYPES, generation, at(now));
            for _ in 0..dice.roll(4) {
                let of = dice.pick(&TYPES);
                let status = dice.pick(&[Status::True, Status::False, Status::Unknown]);
                let reason = Reason::of_code(dice.pick(&["Valid", "not found", ""]));
                visit.set(of, status, &reason, "");
            }
            let changed = visit.has_changed();
            assert!(
                changed || conditions == before,
                "seed {seed}: a change went unsaid"
            );
            for of in TYPES {
                let mut found = conditions.iter().filter(|one| one.type_ == of.name);
                let (one, more) = (found.next(), found.next());
                assert!(more.is_none(), "seed {seed}: {} is there twice", of.name);
                let old = before.iter().find(|one| one.type_ == of.name);
                match (of.polarity, one) {
                    (Polarity::Positive, None) => panic!("seed {seed}: {} is missing", of.name),
                    (Polarity::Negative, Some(one)) => assert_ne!(Status::of(one), Status::False),
                    _ => {}
                }
                let Some(one) = one else { continue };
                assert!(!one.reason.is_empty() && one.observed_generation.is_some());
                let Some(old) = old else { continue };
                assert!(
                    one.observed_generation >= old.observed_generation,
                    "seed {seed}: an older generation overwrites"
                );
                let kept = one.last_transition_time == old.last_transition_time;
                assert!(
                    !kept || one.status == old.status,
                    "seed {seed}: the status changes without the time"
                );
            }
        }
    }
}
