//! Renders a change as a unified diff.

use super::plan::Change;
use similar::TextDiff;

/// Lines of context around a difference.
const CONTEXT: usize = 3;

/// Renders a change as a unified diff, with `/dev/null` for a missing side. With a limit, the lines beyond it are counted in a
/// last line `… N more lines`.
#[must_use]
pub fn diff(change: &Change, limit: Option<usize>) -> String {
    let Change {
        path,
        kind: _,
        old,
        new,
    } = change;
    let name = |side: &str, text: &Option<String>| match text {
        Some(_) => format!("{side}/{path}"),
        None => "/dev/null".to_owned(),
    };
    let lines = TextDiff::from_lines(
        old.as_deref().unwrap_or_default(),
        new.as_deref().unwrap_or_default(),
    );
    let whole = lines
        .unified_diff()
        .context_radius(CONTEXT)
        .header(&name("a", old), &name("b", new))
        .to_string();
    let Some(limit) = limit else {
        return whole;
    };
    let more = whole.lines().count().saturating_sub(limit);
    if more == 0 {
        return whole;
    }
    let mut shown: String = whole.split_inclusive('\n').take(limit).collect();
    let plural = if more == 1 { "" } else { "s" };
    shown.push_str(&format!("… {more} more line{plural}\n"));
    shown
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::super::plan::{Change, ChangeKind};
    use super::diff;

    fn check(old: Option<&str>, new: Option<&str>, limit: Option<usize>, expected: &str) {
        let change = Change {
            path: "generated/stable/x.yaml".to_owned(),
            kind: ChangeKind::Differs,
            old: old.map(str::to_owned),
            new: new.map(str::to_owned),
        };
        assert_eq!(diff(&change, limit), expected);
    }

    #[test]
    fn shows_what_differs() {
        check(
            Some("a\nb\nc\n"),
            Some("a\nB\nc\n"),
            None,
            "--- a/generated/stable/x.yaml\n+++ b/generated/stable/x.yaml\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n",
        );
        check(
            None,
            Some("a\n"),
            None,
            "--- /dev/null\n+++ b/generated/stable/x.yaml\n@@ -0,0 +1 @@\n+a\n",
        );
        check(
            Some("a\n"),
            None,
            None,
            "--- a/generated/stable/x.yaml\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n",
        );
        check(
            Some("a"),
            Some("a\n"),
            None,
            "--- a/generated/stable/x.yaml\n+++ b/generated/stable/x.yaml\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n",
        );
    }

    #[test]
    fn counts_what_is_beyond_the_limit() {
        let head = "--- /dev/null\n+++ b/generated/stable/x.yaml\n@@ -0,0 +1,3 @@\n";
        let new = Some("a\nb\nc\n");
        check(None, new, Some(6), &format!("{head}+a\n+b\n+c\n"));
        check(
            None,
            new,
            Some(5),
            &format!("{head}+a\n+b\n… 1 more line\n"),
        );
        check(None, new, Some(4), &format!("{head}+a\n… 2 more lines\n"));
    }
}
