//! Strings come back as they went in, whoever reads them.

#![allow(clippy::unwrap_used, reason = "tests")]

use super::document;
use serde_json::{Value, json};

#[test]
fn crds_look_as_controller_gen_writes_them() {
    let value = json!({
        "a": {"list": ["x", {"k": 1, "l": ["y"]}, ["p", "q"], []], "empty": {}},
        "text": "one\n\ntwo",
        "closed": "one\n",
        "on": "off",
        "number": 0.5,
        "big": 1e21,
    });
    let expected = "---\na:\n  empty: {}\n  list:\n  - x\n  - k: 1\n    l:\n    - y\n  - - p\n    - q\n  - []\nbig: 1.0e+21\n\
                    closed: 'one\n'";
    let written = document(&value).unwrap();
    let back: Value = serde_saphyr::from_str(&written).unwrap();
    assert_eq!(back, value, "{written}");
    assert!(
        written.starts_with(expected.split("closed").next().unwrap()),
        "{written}"
    );
    assert!(written.contains("'on': 'off'\n"), "{written}");
    assert!(written.contains("text: |-\n  one\n\n  two\n"), "{written}");
}
