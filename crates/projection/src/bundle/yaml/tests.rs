//! Everything that is written is read back unchanged by independent readers.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod hostile;
mod implicit;

use super::to_string;
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Reads with both readers and compares; a plain text must not have an implicit type.
fn check(value: &Value) -> Result<(), String> {
    let yaml = to_string(value).unwrap();
    let saphyr: Value =
        serde_saphyr::from_str(&yaml).map_err(|e| format!("serde-saphyr: {e}\n{yaml:?}"))?;
    if saphyr != *value {
        return Err(format!("serde-saphyr read {saphyr:?}\nfrom {yaml:?}"));
    }
    let libyaml: Value =
        serde_yaml::from_str(&yaml).map_err(|e| format!("serde_yaml: {e}\n{yaml:?}"))?;
    if libyaml != *value {
        return Err(format!("serde_yaml read {libyaml:?}\nfrom {yaml:?}"));
    }
    texts(value, &mut |text| {
        let alone = to_string(text).unwrap();
        let written = alone
            .strip_prefix("---\n")
            .unwrap()
            .strip_suffix('\n')
            .unwrap();
        if written.starts_with(['"', '\'']) || !implicit::is_implicit(written) {
            return Ok(());
        }
        Err(format!("{written:?} is plain, and not a text in YAML 1.1"))
    })
}

fn texts(value: &Value, see: &mut impl FnMut(&str) -> Result<(), String>) -> Result<(), String> {
    match value {
        Value::String(text) => see(text),
        Value::Array(values) => values.iter().try_for_each(|value| texts(value, see)),
        Value::Object(map) => map.iter().try_for_each(|(key, value)| {
            see(key)?;
            texts(value, see)
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => Ok(()),
    }
}

/// Returns an object with the text in every possible position.
fn everywhere(text: &str) -> Value {
    json!({
        "value": text,
        "list": [text, {"in": text, text: "first"}, [text, [text]], text],
        text: {"under": text, text: [text]},
        "last": text,
    })
}

#[test]
fn hostile_texts_come_back() {
    let mut wrong = Vec::new();
    let all = hostile::all();
    assert!(all.len() > 250, "{}", all.len());
    for text in &all {
        if let Err(reason) = check(&everywhere(text)).and_then(|()| check(&json!(text))) {
            wrong.push(format!("{text:?}: {reason}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_recogniser_knows_what_it_must() {
    for text in hostile::IMPLICIT {
        assert!(implicit::is_implicit(text), "{text:?}");
    }
    for text in [
        "a",
        "v1",
        "1.2.3",
        "yesterday",
        "1h",
        "12:99",
        ".spec.replicas",
        "0x",
        "2001-1",
        "e3",
    ] {
        assert!(!implicit::is_implicit(text), "{text:?}");
    }
}

fn fragment() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[ -~]{0,8}",
        2 => "[a-c \\n\\t:#'\"\\\\-]{0,12}",
        2 => "[0-9+.:_eExXobTZ -]{0,8}",
        1 => "\\PC{0,4}",
        1 => vec(any::<char>(), 0..4).prop_map(String::from_iter),
        1 => "[\\x00-\\x20\\x7f-\\xa0\u{2028}\u{2029}\u{feff}\u{ffff}]{0,3}",
        1 => proptest::sample::select(hostile::all()),
    ]
}

fn text() -> impl Strategy<Value = String> {
    vec(fragment(), 0..4).prop_map(|fragments| fragments.concat())
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        6 => text().prop_map(Value::from),
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => any::<u64>().prop_map(Value::from),
        1 => any::<i32>().prop_map(|eighths| Value::from(f64::from(eighths) / 8.0)),
    ];
    leaf.prop_recursive(5, 24, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            btree_map(text(), inner, 0..4).prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn any_value_comes_back(value in value()) {
        prop_assert_eq!(check(&value), Ok(()));
    }

    #[test]
    fn floats_come_back(float in any::<f64>().prop_filter("finite", |float| float.is_finite())) {
        let yaml = to_string(&float).unwrap();
        prop_assert_eq!(serde_yaml::from_str::<f64>(&yaml).unwrap(), float);
        prop_assert_eq!(serde_saphyr::from_str::<f64>(&yaml).unwrap(), float);
        let written = yaml.trim_start_matches("---\n").trim_end();
        prop_assert!(implicit::is_implicit(written), "{}", written);
    }
}

fn written(value: &Value, expected: &str) {
    assert_eq!(to_string(value).unwrap(), expected);
}

#[test]
fn layout_is_that_of_controller_gen() {
    written(
        &json!({
            "a": [{"b": 1, "c": [1, [2, 3], {}]}, [], "x"],
            "d": {"e": {}, "f": [], "g": {"h": null}},
            "i": 1.0,
            "j": true,
        }),
        "---\na:\n- b: 1\n  c:\n  - 1\n  - - 2\n    - 3\n  - {}\n- []\n- x\nd:\n  e: {}\n  f: []\n  g:\n    h: null\ni: 1.0\nj: true\n",
    );
}

#[test]
fn texts_take_the_simplest_form_that_is_safe() {
    for (text, expected) in [
        ("plain text", "plain text"),
        (
            "self.a == 'b' && has(self.c)",
            "self.a == 'b' && has(self.c)",
        ),
        ("!has(self.a)", "'!has(self.a)'"),
        (".spec.replicas", ".spec.replicas"),
        ("a: b", "'a: b'"),
        ("it's # a", "'it''s # a'"),
        ("true", "\"true\""),
        ("v1.2.3", "v1.2.3"),
        ("0.1.0", "\"0.1.0\""),
        ("a\tb", "\"a\\tb\""),
        ("\u{85}", "\"\\x85\""),
        ("\u{2028}", "\"\\u2028\""),
        ("a\nb", "|-\n  a\n  b"),
        ("a\n\nb\n", "|\n  a\n\n  b\n"),
        ("a\n\n\n", "|+\n  a\n\n\n"),
        ("a \nb", "\"a \\nb\""),
        (" a\nb", "\" a\\nb\""),
        ("\na", "\"\\na\""),
        ("a\n\tb", "|-\n  a\n  \tb"),
    ] {
        let expected = expected.trim_end_matches('\n');
        let lines = text.len() - text.trim_end_matches('\n').len();
        let blank = "\n".repeat(lines.saturating_sub(1));
        written(
            &json!({ "k": text }),
            &format!("---\nk: {expected}{blank}\n"),
        );
    }
}

#[test]
fn a_long_key_is_introduced() {
    let key = "k".repeat(2_000);
    written(
        &json!({ &key: {"a": 1} }),
        &format!("---\n? {key}\n:\n  a: 1\n"),
    );
    for value in [json!({"a": "b\nc"}), json!(["x"]), json!([]), json!("t")] {
        assert_eq!(check(&json!({ &key: value })), Ok(()));
    }
}

#[test]
fn numbers_are_numbers_to_every_reader() {
    for (float, expected) in [
        (0.0, "0.0"),
        (-1.5, "-1.5"),
        (1e300, "1.0e+300"),
        (1.5e-7, "1.5e-7"),
    ] {
        written(&json!(float), &format!("---\n{expected}\n"));
    }
    written(&json!(u64::MAX), "---\n18446744073709551615\n");
}

#[test]
fn variants_are_maps_of_one_entry() {
    #[derive(serde::Serialize)]
    enum Variants {
        Unit,
        Newtype(Vec<u8>),
        Tuple(u8, &'static str),
        Struct { a: u8, b: Option<u8> },
    }
    use Variants::{Newtype, Struct, Tuple, Unit};
    let values = [
        Unit,
        Newtype(vec![1, 2]),
        Tuple(1, "n"),
        Struct { a: 1, b: None },
    ];
    let yaml = to_string(&values).unwrap();
    let expected = "---\n- Unit\n- Newtype:\n  - 1\n  - 2\n- Tuple:\n  - 1\n  - \"n\"\n- Struct:\n    a: 1\n    b: null\n";
    assert_eq!(yaml, expected);
}

#[test]
fn keys_that_are_no_text_are_refused() {
    let map = std::collections::BTreeMap::from([(1, 2)]);
    assert_eq!(
        to_string(&map).unwrap_err().to_string(),
        "a key must be a string"
    );
}

#[test]
fn nesting_has_an_end() {
    let deep = |levels| (0..levels).fold(json!(1), |value, _| json!([value]));
    let deepest = deep(super::MAX_DEPTH);
    let yaml = to_string(&deepest).unwrap();
    assert_eq!(serde_yaml::from_str::<Value>(&yaml).unwrap(), deepest);
    assert_eq!(
        serde_json::from_str::<Value>(&deepest.to_string()).unwrap(),
        deepest
    );
    let too_deep = deep(super::MAX_DEPTH + 1);
    serde_json::from_str::<Value>(&too_deep.to_string()).unwrap_err();
    to_string(&too_deep).unwrap_err();
}
