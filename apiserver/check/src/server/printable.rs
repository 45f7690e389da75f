//! Printable characters by Go's definition: letters, marks, numbers, punctuation, symbols and the ASCII space.

use regex::Regex;
use std::sync::LazyLock;

static PRINTABLE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^[\p{L}\p{M}\p{N}\p{P}\p{S}]$").ok());

pub(super) fn is_printable(c: char) -> bool {
    if c.is_ascii() {
        return (' '..='~').contains(&c);
    }
    let regex = PRINTABLE.as_ref();
    regex.is_none_or(|regex| regex.is_match(c.encode_utf8(&mut [0; 4])))
}

#[cfg(test)]
mod tests {
    use super::is_printable;

    #[test]
    fn spaces_and_controls_cannot_be_printed() {
        for c in ['a', ' ', '"', '\\', 'é', '😀', '\u{301}', '€'] {
            assert!(is_printable(c), "{c:?}");
        }
        for c in [
            '\n', '\t', '\u{a0}', '\u{200d}', '\u{7f}', '\u{2028}', '\u{e000}',
        ] {
            assert!(!is_printable(c), "{c:?}");
        }
    }
}
