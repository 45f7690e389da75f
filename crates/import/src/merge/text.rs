//! Merges texts: by lines, and where both sides changed the same lines, by words.

use proc_macro2::TokenStream;
use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::ops::Range;

/// A part of the base that a side replaced: where it is there, and where the replacement is.
struct Edit {
    base: Range<usize>,
    with: Range<usize>,
}

/// Both sides of a merge, in pieces that are compared as a whole.
struct Sides<'t> {
    base: Vec<&'t str>,
    ours: Vec<&'t str>,
    theirs: Vec<&'t str>,
}

/// Merges what both sides changed; `None` if they changed the same words.
pub(super) fn merge(base: &str, ours: &str, theirs: &str) -> Option<String> {
    match () {
        () if base == theirs => Some(ours.to_owned()),
        () if is_same(ours, theirs) || is_same(base, ours) => Some(theirs.to_owned()),
        () => {
            let [base, ours, theirs] =
                [base, ours, theirs].map(|text| text.split_inclusive('\n').collect());
            Sides { base, ours, theirs }.merge(&by_words)
        }
    }
}

/// Whether texts differ in their layout at most: in blanks that are in no string and in no description.
pub(super) fn is_same(one: &str, other: &str) -> bool {
    let is_word = |word: &&str| !word.trim().is_empty();
    let words = |text| words(text).into_iter().filter(is_word);
    // Tokens have no comments, and words no blanks.
    one == other || words(one).eq(words(other)) && tokens(one) == tokens(other)
}

/// The tokens of a text, each as it is written; of a part that is no Rust alone, the part as it is.
fn tokens(text: &str) -> String {
    let tokens = text.parse::<TokenStream>();
    tokens.map_or_else(|_| text.to_owned(), |tokens| tokens.to_string())
}

/// Whether a text consists of comments other than documentation.
fn is_comment(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim_start);
    lines.all(|line| line.starts_with("//") && !line.starts_with("///"))
}

fn by_words(base: &str, ours: &str, theirs: &str) -> Option<String> {
    let [base, ours, theirs] = [base, ours, theirs].map(words);
    Sides { base, ours, theirs }.merge(&|_, _, _| None)
}

/// The words of a text, with everything between them.
fn words(text: &str) -> Vec<&str> {
    let sort = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' => 0,
        c if c.is_whitespace() => 1,
        _ => 2,
    };
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = match sort(first) {
            2 => first.len_utf8(),
            own => rest.find(|c| sort(c) != own).unwrap_or(rest.len()),
        };
        let (word, after) = rest.split_at(end);
        words.push(word);
        rest = after;
    }
    words
}

impl Sides<'_> {
    /// Takes what one side changed, and asks `both` about what both did.
    fn merge(&self, both: &dyn Fn(&str, &str, &str) -> Option<String>) -> Option<String> {
        let ours = edits(&self.base, &self.ours);
        let theirs = edits(&self.base, &self.theirs);
        let (mut left, mut right) = (ours.as_slice(), theirs.as_slice());
        let mut out = String::new();
        let mut at = 0;
        // An addition comes before a change at the same point.
        let first = |edit: &&Edit| (edit.base.start, !edit.base.is_empty());
        while let Some(edit) = [left.first(), right.first()]
            .into_iter()
            .flatten()
            .min_by_key(first)
        {
            let mut region = edit.base.clone();
            let (mut own, mut other) = (0, 0);
            loop {
                let joins = |edits: &[Edit], at: usize| {
                    edits
                        .get(at)
                        .filter(|edit| is_in(edit, &region))
                        .map(|edit| edit.base.end)
                };
                if let Some(end) = joins(left, own) {
                    own += 1;
                    region.end = region.end.max(end);
                } else if let Some(end) = joins(right, other) {
                    other += 1;
                    region.end = region.end.max(end);
                } else {
                    break;
                }
            }
            out.push_str(&self.base[at..region.start].concat());
            let base = self.base[region.clone()].concat();
            let mine = applied(&self.base, &self.ours, &left[..own], &region);
            let its = applied(&self.base, &self.theirs, &right[..other], &region);
            out.push_str(&match (own, other) {
                (_, 0) => mine,
                (0, _) => its,
                _ if is_same(&mine, &its) => its,
                // A comment of ours stays right above what it stands above.
                _ if base.is_empty() && is_comment(&mine) => its + &mine,
                _ => both(&base, &mine, &its)?,
            });
            at = region.end;
            left = &left[own..];
            right = &right[other..];
        }
        out.push_str(&self.base[at..].concat());
        Some(out)
    }
}

/// Whether an edit concerns a region: it changes a part of it, or both add something at the same point.
fn is_in(edit: &Edit, region: &Range<usize>) -> bool {
    match region.is_empty() {
        true => edit.base == *region,
        false => edit.base.start < region.end && edit.base.end > region.start,
    }
}

fn edits(base: &[&str], side: &[&str]) -> Vec<Edit> {
    let ops = capture_diff_slices(Algorithm::Patience, base, side);
    let changed = ops
        .into_iter()
        .filter(|op| !matches!(op, DiffOp::Equal { .. }));
    let mut edits: Vec<Edit> = Vec::new();
    for op in changed {
        let edit = Edit {
            base: op.old_range(),
            with: op.new_range(),
        };
        match edits.last_mut() {
            // A removal and an addition at one point are one edit.
            Some(last) if last.base.end == edit.base.start && last.with.end == edit.with.start => {
                last.base.end = edit.base.end;
                last.with.end = edit.with.end;
            }
            _ => edits.push(edit),
        }
    }
    edits
}

/// A region of the base with the edits of a side.
fn applied(base: &[&str], side: &[&str], edits: &[Edit], region: &Range<usize>) -> String {
    let mut out = String::new();
    let mut at = region.start;
    for edit in edits {
        out.push_str(&base[at..edit.base.start].concat());
        out.push_str(&side[edit.with.clone()].concat());
        at = edit.base.end;
    }
    out.push_str(&base[at..region.end].concat());
    out
}

#[cfg(test)]
mod tests {
    use super::merge;

    #[test]
    fn comments_stay_beside_what_comes() {
        let merged = merge(
            "\nstruct A\n",
            "\n// Ours.\nstruct A\n",
            "\n/// New.\nstruct A\n",
        );
        assert_eq!(merged.as_deref(), Some("\n/// New.\n// Ours.\nstruct A\n"));
        let documented = merge(
            "\nstruct A\n",
            "\n/// Ours.\nstruct A\n",
            "\n/// New.\nstruct A\n",
        );
        assert_eq!(documented, None);
    }

    #[test]
    fn what_both_sides_changed_is_merged_by_lines_and_words() {
        let rows = [
            // One side only, neighbouring lines, and the same change.
            ("a\nb\nc\n", "a\nB\nc\n", "a\nb\nc\n", Some("a\nB\nc\n")),
            ("a\nb\nc\n", "A\nb\nc\n", "a\nB\nc\n", Some("A\nB\nc\n")),
            ("a\nb\n", "a\nx\nb\n", "a\nx\nb\n", Some("a\nx\nb\n")),
            // A line of each side, in different places.
            ("a\nb\n", "a\nx\nb\n", "a\nb\ny\n", Some("a\nx\nb\ny\n")),
            ("a\nb\n", "a\nx\nb\n", "a\nB\n", Some("a\nx\nB\n")),
            // Words of one line.
            (
                "range(min = 1)\n",
                "range(min = 2)\n",
                "range(min = 1, max = 5)\n",
                Some("range(min = 2, max = 5)\n"),
            ),
            (
                "b: Option<i32>,\n",
                "b: Option<Port>,\n",
                "b: i32,\n",
                Some("b: Port,\n"),
            ),
            // The same word, and two additions at one point.
            (
                "range(min = 1)\n",
                "range(min = 2)\n",
                "range(min = 3)\n",
                None,
            ),
            ("a\nb\n", "a\nx\nb\n", "a\ny\nb\n", None),
            // What one side removed, and the other changed.
            ("a\nb\nc\n", "a\nc\n", "a\nB\nc\n", None),
            ("a\nb\nc\nd\n", "a\nd\n", "a\nb\nC\nd\n", None),
            // Blanks alone are no change.
            ("a(b)\n", "a(\n    b\n)\n", "a(c)\n", Some("a(c)\n")),
        ];
        for (base, ours, theirs, expected) in rows {
            assert_eq!(
                merge(base, ours, theirs).as_deref(),
                expected,
                "{base}{ours}{theirs}"
            );
            if base != "a(b)\n" {
                assert_eq!(
                    merge(base, theirs, ours).as_deref(),
                    expected,
                    "{base}{theirs}{ours}"
                );
            }
        }
    }
}
