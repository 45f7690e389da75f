//! Descriptions as doc comments.

use crate::merged::Each;

/// Whether a doc comment with this text is read back as this text.
pub(crate) fn is_comment(text: &str) -> bool {
    let first = text
        .chars()
        .next()
        .is_some_and(|c| !c.is_whitespace() && c != '#');
    let last = text.chars().next_back().is_some_and(|c| !c.is_whitespace());
    let lines = |line: &str| {
        let trimmed = line.trim_start();
        // Those that begin with a marker of Go would be reported.
        !line.ends_with(char::is_whitespace)
            && !trimmed.starts_with('+')
            && !trimmed.starts_with('<')
            && !trimmed.contains('\r')
    };
    first && last && text.split('\n').all(lines)
}

/// The lines that both channels begin with, and those that follow in one of them (`true`: in the experimental one).
pub(crate) fn split(texts: &Each<Option<String>>) -> (Option<String>, Vec<(bool, String)>) {
    let lines = |text: &Option<String>| -> Vec<String> {
        text.iter()
            .flat_map(|text| text.split('\n'))
            .map(str::to_owned)
            .collect()
    };
    let [stable, experimental] = [lines(&texts[0]), lines(&texts[1])];
    let mut common = stable
        .iter()
        .zip(&experimental)
        .take_while(|(a, b)| a == b)
        .count();
    // An empty line at the end of what is common would not be kept.
    while common > 0 && stable[common - 1].trim().is_empty() {
        common -= 1;
    }
    let joined = |lines: &[String]| (!lines.is_empty()).then(|| lines.join("\n"));
    let only = [
        (false, joined(&stable[common..])),
        (true, joined(&experimental[common..])),
    ];
    let only = only
        .into_iter()
        .filter_map(|(is, lines)| Some((is, lines?)));
    (joined(&stable[..common]), only.collect())
}
