//! What Kubernetes' own client code does not say: why a header is malformed, and the other rule for transitions.

#![allow(clippy::unwrap_used, reason = "tests")]

use crd_channels_runtime::conditions::{Observation, Transition, set};
use crd_channels_runtime::warnings::{Malformed, parse, parse_value};
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
