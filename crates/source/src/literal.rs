//! Maps the value of a string literal to its spans: plain text, escapes, several lines.

use crate::Graph;
use crd_channels_diagnostics::{Piece, Span};

impl Graph<'_> {
    /// The spans of a literal's value. If its parts cannot be mapped, it has the span of the whole literal.
    pub fn pieces(&self, literal: Span, value: &str) -> Vec<Piece> {
        let written = self.source_text(literal);
        let runs = written.and_then(|written| runs(&written, value));
        let whole = || {
            vec![Piece {
                len: value.len(),
                span: literal,
            }]
        };
        runs.map_or_else(whole, |runs| {
            let placed = runs.into_iter().map(|(len, from, to)| Piece {
                len,
                span: Span {
                    start: literal.start.saturating_add(from),
                    end: literal.start.saturating_add(to),
                    ..literal
                },
            });
            placed.collect()
        })
    }
}

/// A number of bytes of the value, and the byte range in its literal.
type Run = (usize, u32, u32);

/// The runs of a string literal; `None` if it is not a literal with this value.
fn runs(literal: &str, value: &str) -> Option<Vec<Run>> {
    let (mut at, inside, is_raw) = inside(literal)?;
    let mut left = inside;
    let mut value = value;
    let mut runs: Vec<Run> = Vec::new();
    while let Some(first) = left.chars().next() {
        let (character, written) = match first {
            '\\' if !is_raw => escape(left)?,
            '\r' if left.starts_with("\r\n") && value.starts_with('\n') => (Some('\n'), 2),
            first => (Some(first), first.len_utf8()),
        };
        let (_, behind) = left.split_at_checked(written)?;
        left = behind;
        let end = at.checked_add(u32::try_from(written).ok()?)?;
        if let Some(character) = character {
            value = value.strip_prefix(character)?;
            let len = character.len_utf8();
            match runs.last_mut() {
                Some((before, from, to))
                    if *to == at && len == written && is_plain(*before, *from, *to) =>
                {
                    *before += len;
                    *to = end;
                }
                _ => runs.push((len, at, end)),
            }
        }
        at = end;
    }
    value.is_empty().then_some(runs)
}

/// Whether a run has no escapes.
fn is_plain(len: usize, from: u32, to: u32) -> bool {
    to.checked_sub(from)
        .is_some_and(|written| written as usize == len)
}

/// The start and the text between the quotes of a literal, and whether the literal is raw.
fn inside(literal: &str) -> Option<(u32, &str, bool)> {
    let (hashes, is_raw) = match literal.strip_prefix('r') {
        Some(rest) => (rest.len() - rest.trim_start_matches('#').len(), true),
        None => (0, false),
    };
    let start = usize::from(is_raw) + hashes + 1;
    let end = literal.len().checked_sub(hashes + 1)?;
    let is_quoted = literal.get(..start)?.ends_with('"') && literal.get(end..)?.starts_with('"');
    let text = literal.get(start..end).filter(|_| is_quoted)?;
    Some((u32::try_from(start).ok()?, text, is_raw))
}

/// The character of an escape, and the escape's length. A line continuation has no character.
fn escape(text: &str) -> Option<(Option<char>, usize)> {
    let after = text.strip_prefix('\\')?;
    let simple = |character| Some((Some(character), 2));
    match after.chars().next()? {
        'n' => simple('\n'),
        'r' => simple('\r'),
        't' => simple('\t'),
        '0' => simple('\0'),
        quoted @ ('\\' | '\'' | '"') => simple(quoted),
        'x' => Some((Some(coded(after.get(1..3)?)?), 4)),
        'u' => {
            let (digits, _) = after.strip_prefix("u{")?.split_once('}')?;
            let written = digits.len() + 4;
            Some((Some(coded(&digits.replace('_', ""))?), written))
        }
        '\n' | '\r' => {
            let next = after.trim_start_matches([' ', '\t', '\n', '\r']);
            Some((None, text.len() - next.len()))
        }
        _ => None,
    }
}

/// The character with this code in hexadecimal digits.
fn coded(digits: &str) -> Option<char> {
    char::from_u32(u32::from_str_radix(digits, 16).ok()?)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
mod tests {
    use super::{is_plain, runs};
    use proptest::prelude::*;

    /// The source of each run, after checking that the runs yield syn's value.
    fn written(literal: &str) -> Vec<String> {
        let value = syn::parse_str::<syn::LitStr>(literal).unwrap().value();
        let runs = runs(literal, &value).unwrap_or_else(|| panic!("{literal}"));
        let mut told = String::new();
        let mut left = &*value;
        let mut shown = Vec::new();
        for (len, from, to) in runs {
            let source = &literal[from as usize..to as usize];
            let (text, rest) = left.split_at(len);
            left = rest;
            if is_plain(len, from, to) {
                assert_eq!(source, text, "{literal}");
                told.push_str(source);
            } else {
                let alone: syn::LitStr = syn::parse_str(&format!("\"{source}\"")).unwrap();
                assert_eq!(alone.value(), text, "{literal}");
                told.push_str(&alone.value());
            }
            shown.push(source.to_owned());
        }
        assert_eq!(told, value, "{literal}");
        shown
    }

    #[test]
    fn literals_fall_into_what_is_written_as_it_is_and_escapes() {
        for (literal, expected) in [
            (r#""self.a""#, &["self.a"][..]),
            (r#""""#, &[]),
            (r###"r##"a "#b" \d"##"###, &[r##"a "#b" \d"##]),
            (r#""a\"b\\""#, &["a", r#"\""#, "b", r"\\"]),
            (r#""\x41\u{1F_600}é""#, &[r"\x41", r"\u{1F_600}", "é"]),
            ("\"a &&\\\n   b\"", &["a &&", "b"]),
            ("\"a &&\\\r\n\tb\"", &["a &&", "b"]),
            ("\"a\r\nb\"", &["a", "\r\n", "b"]),
            ("r\"a\nb\"", &["a\nb"]),
        ] {
            assert_eq!(written(literal), expected, "{literal}");
        }
    }

    #[test]
    fn what_has_another_value_has_no_runs() {
        for (literal, value) in [
            ("\"a\"", "b"),
            ("\"a\"", "ab"),
            ("\"ab\"", "a"),
            ("1", "1"),
            ("'a'", "a"),
            ("\"", ""),
            ("r#", ""),
            ("made!(\"a\")", "a"),
            ("\"\\q\"", "q"),
        ] {
            assert_eq!(runs(literal, value), None, "{literal}");
        }
    }

    proptest! {
        #[test]
        fn runs_make_the_value_that_syn_reads(
            parts in prop::collection::vec(prop_oneof![
                "[ a-z.&(){}'é😀\\n]{0,4}",
                Just("\\\"".to_owned()),
                Just("\\\\".to_owned()),
                Just("\\n".to_owned()),
                Just("\\0".to_owned()),
                Just("\\x7f".to_owned()),
                Just("\\u{e9}".to_owned()),
                Just("\r\n".to_owned()),
                Just("\\\n  \t".to_owned()),
                Just("\\\r\n ".to_owned()),
            ], 0..12),
            hashes in 1_usize..4,
        ) {
            let text = parts.concat();
            written(&format!("\"{text}\""));
            let hashes = "#".repeat(hashes);
            written(&format!("r{hashes}\"{text}\"{hashes}"));
        }
    }
}
