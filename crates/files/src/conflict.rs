//! Finds what git leaves in a file that it cannot merge.

use std::ops::Range;

/// Returns the range of the first line of a conflict, without its end; `None` if there is none.
#[must_use]
pub fn conflict(text: &str) -> Option<Range<usize>> {
    let mut start = None;
    let mut parted = false;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end_matches(['\n', '\r']);
        if bare == "<<<<<<<" || bare.starts_with("<<<<<<< ") {
            start = Some(at..at + bare.len());
            parted = false;
        } else if bare == "=======" {
            parted = start.is_some();
        } else if parted && (bare == ">>>>>>>" || bare.starts_with(">>>>>>> ")) {
            return start;
        }
        at += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::conflict;

    #[test]
    fn a_conflict_has_three_lines_in_order() {
        for (text, expected) in [
            ("a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> x\n", Some(2..14)),
            (
                "<<<<<<< HEAD\r\n||||||| base\r\n=======\r\n>>>>>>> x\r\n",
                Some(0..12),
            ),
            ("<<<<<<<\n=======\n>>>>>>>", Some(0..7)),
            ("<<<<<<< a\n<<<<<<< b\n=======\n>>>>>>> b\n", Some(10..19)),
            ("<<<<<<< HEAD\n>>>>>>> x\n=======\n", None),
            ("=======\n>>>>>>> x\n", None),
            ("# <<<<<<< HEAD\n=======\n>>>>>>> x\n", None),
            ("", None),
        ] {
            assert_eq!(conflict(text), expected, "{text}");
        }
    }
}
