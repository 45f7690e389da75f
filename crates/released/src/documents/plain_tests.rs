//! The general reader is the judge: whatever is read here is what it reads.

#[path = "../../../../oracle/tests/shared/skipped.rs"]
mod skipped;

use crate::yaml::documents as general;
use crd_channels_projection::bundle::plain::documents;
use crd_channels_projection::bundle::yaml;
use proptest::prelude::*;
use serde_json::{Value, json};
use skipped::skipped;
use std::path::Path;

/// Both readers agree, or this one leaves it to the other.
fn agree(text: &str) -> bool {
    let Some(read) = documents(text) else {
        return false;
    };
    let mut judged: Vec<Value> = general(text).unwrap_or_else(|error| panic!("{error} in\n{text}"));
    judged.retain(|value| !value.is_null());
    assert_eq!(read, judged, "of\n{text}");
    true
}

#[test]
fn what_programs_write_is_read() {
    for text in [
        "",
        "\n",
        "---\n---\na: 1\n---\n",
        "# c\na:\n# c\n- b\n- c: d\n  e: f\n- - g\n  - h\n\ni:\n  - j\n",
        "a: true\nb: null\nc:\nd: -12\ne: 0\nf: {}\ng: []\nh: x y\nk: 1h30m\nl: 25%\ni: .a[*].b\nj: \\S+\n",
        "a: one\n  two\n\n  three\n\n\n  four\nb: 'it''s: a\n\n  b' \nc: \"x \\\"\\\\\\n\n  y\"\n",
        "a: |-\n  one\n    two\n\n  # three\nb: |\n  x\n\n\nc: |+\n  x\n\ni: |+\n  y\n\n\n",
        "a: \"x\\n\\\n  \\   y\\t\n  z\\\n  w \"\n",
        "'a b': 1\n\"c: d\": 2\n$ref: x\nx-y.z/w: ^[a-z]+$\n",
        "- |-\n  a\n- 'b'\n-   c:   d\n    e: f\n",
    ] {
        let text = if text.is_empty() { "\n" } else { text };
        assert!(agree(text), "left to the other: {text}");
    }
}

#[test]
fn what_takes_thought_is_left_to_the_general_reader() {
    for text in [
        "a: 1",
        "a: yes\n",
        "Y: 1\n",
        "1: a\n",
        "a: 0x1\n",
        "a: 01\n",
        "a: 1.5\n",
        "a: 1e3\n",
        "a: .5\n",
        "a: ~\n",
        "a: 2020-01-01\n",
        "a: 1_000\n",
        "a: &x b\n",
        "a: *x\n",
        "a: !!str 1\n",
        "a: {b: c}\n",
        "a: [b]\n",
        "a: >\n  b\n",
        "a: |2\n   b\n",
        "a: b # c\n",
        "a: b: c\n",
        "a: b\n  c: d\n",
        "a: 1\na: 2\n",
        "a: \"\\u0041\"\n",
        "a: 'b\n",
        "a: 'b' c\n",
        "a:\tb\n",
        "a: b\r\n",
        "? a\n",
        "<<: a\n",
        "a\n",
        "- \n",
        "-\n  a: b\n",
        "a: - b\n",
        "--- a\n",
        "...\n",
        "%YAML 1.2\n",
        " a: b\nc: d\n",
        "a:\n    b: c\n  d: e\n",
        "a: \u{85}\n",
        "a: nan\n",
        "a: .inf\n",
        "a: .NaN\n",
        "a: b\n  # c\n",
        "a: |\n  b\n    \n",
        "a: 1234567890123456789\n",
        "a: -\n",
        "a: -x\n",
        "a: @b\n",
        "a: =\n",
        "a: |\n   b\n  c\n",
        "a: |\nb: c\n",
    ] {
        assert_eq!(documents(text), None, "{text}");
    }
    let deep = |levels| {
        (0..levels)
            .map(|level| format!("{}a:\n", " ".repeat(level)))
            .collect::<String>()
    };
    assert!(documents(&deep(50)).is_some());
    assert_eq!(documents(&deep(5_000)), None);
}

#[test]
fn published_crds_are_of_the_plain_kind() {
    let mut files = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut open = vec![root.join("generated")];
    let corpus = root.join("../shared/corpus/gateway-api");
    // Of the few CRDs of our own two hold texts of several lines.
    let least = if corpus.is_dir() {
        open.push(corpus);
        90
    } else {
        skipped(&format!("CRDs of `{}`, which is absent", corpus.display()));
        75
    };
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path
                .extension()
                .is_some_and(|extension| extension == "yaml")
                && !path.ends_with("kustomization.yaml")
            {
                files.push(path);
            }
        }
    }
    let read = files
        .iter()
        .filter(|path| agree(&std::fs::read_to_string(path).unwrap()))
        .count();
    assert!(
        read * 100 >= files.len() * least,
        "{read} of {}",
        files.len()
    );
}

/// Text of the kinds that YAML has its troubles with.
fn texts() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "a", "b c", ":", ": ", "#", " #", "- ", "-", "'", "\"", "\\", "\n", "\n\n", " ", "  ", "|",
        ">", "{", "}", "[", "]", "&", "*", "!", "%", "@", "`", "~", "?", ",", "1", "0", ".5", "e3",
        "yes", "null", "true", "é", "---", "...", "=", "<<", "\t", "\u{2028}", "0x", "_",
    ]);
    prop::collection::vec(pieces, 0..6).prop_map(|pieces| pieces.concat())
}

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(|number| json!(number)),
        (-20i64..20).prop_map(|number| json!(number)),
        texts().prop_map(Value::String),
    ];
    leaf.prop_recursive(5, 40, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::Array),
            prop::collection::btree_map(texts(), inner, 0..5)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_writers_write_is_read_alike(value in values()) {
        for text in [yaml::to_string(&value).ok(), serde_yaml::to_string(&value).ok()].into_iter().flatten() {
            agree(&text);
        }
    }

    #[test]
    fn lines_of_any_kind_are_read_alike(
        lines in prop::collection::vec((0usize..5, texts(), prop::sample::select(vec!["", "a: ", "b:", "- ", "- a: ", "a: |-", "a: '", "a: \""])), 0..8)
    ) {
        let text: String = lines
            .iter()
            .map(|(indent, text, before)| format!("{}{before}{text}\n", " ".repeat(*indent)))
            .collect();
        // What is not YAML at all is left to the general reader to say.
        if documents(&text).is_some() && general(&text).is_ok() {
            agree(&text);
        } else {
            prop_assert!(documents(&text).is_none(), "taken, and no YAML:\n{}", text);
        }
    }
}
