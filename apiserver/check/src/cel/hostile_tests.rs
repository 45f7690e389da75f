//! Sequences of random words: if one parses, reading it is safe, and if not, the error has a position.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

use super::{parse, removed_reads};
use crate::sample::schema;

#[test]
fn any_words_in_any_order_do_no_harm() {
    const WORDS: [&str; 48] = [
        "self",
        "oldSelf",
        "x",
        "y",
        ".",
        ".?",
        "[",
        "[?",
        "]",
        "(",
        ")",
        "{",
        "}",
        ",",
        ":",
        "?",
        "==",
        "!=",
        "in",
        "&&",
        "||",
        "!",
        "-",
        "+",
        "*",
        "1",
        "1u",
        "0x",
        "1e5",
        ".5",
        "'A'",
        "'''",
        "\"",
        "b'\\xff'",
        "r'\\'",
        "true",
        "null",
        ".all(x,",
        ".map(x,",
        ".filter(x,",
        ".exists(i, x,",
        "has(",
        "sets.contains(",
        "é",
        "\\",
        "// c\n",
        "\u{0}",
        "`",
    ];
    let full = schema(
        r#"{"type": "object", "properties": {"x": {"type": "string", "enum": ["A", "B"]}, "y": {"type": "array",
            "items": {"type": "object", "properties": {"x": {"type": "string"}}}}}}"#,
    );
    let projected = schema(r#"{"type": "object"}"#);
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state >> 33).unwrap()
    };
    let mut parsed = 0;
    for _ in 0..60_000 {
        let length = next() % 12 + 1;
        let text: String = (0..length).map(|_| WORDS[next() % WORDS.len()]).collect();
        match parse(&text) {
            Ok(expression) => {
                parsed += 1;
                for removed in removed_reads(&expression, &full, &projected) {
                    assert!(
                        text.is_char_boundary(removed.offset)
                            && text.is_char_boundary(removed.offset + removed.len)
                    );
                }
            }
            Err(error) => assert!(text.is_char_boundary(error.offset), "{text:?} {error:?}"),
        }
    }
    assert!(parsed > 500, "{parsed}");
}
