//! Descriptions as doc comments.

use crate::literals;
use crate::merged::Each;
use crate::meta::{Meta, attribute};
use std::fmt::Write as _;

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

/// The description of an item, in each channel: comments, and attributes that stand below the derives.
pub(crate) fn write(
    out: &mut String,
    below: &mut String,
    indent: &str,
    texts: &[Option<String>; 2],
) {
    let [stable, experimental] = texts;
    let whole = |text: &str| Meta::from(format!("description = {}", literals::text(text)));
    if stable == experimental {
        match stable {
            Some(text) if is_comment(text) => comment(out, indent, text),
            Some(text) => attribute(below, indent, "schemars", &[whole(text)]),
            None => {}
        }
        return;
    }
    let (common, only) = split(texts);
    let mut parts = common.iter().chain(only.iter().map(|(_, lines)| lines));
    if common.is_some() && parts.all(|part| is_comment(part)) {
        common.iter().for_each(|text| comment(out, indent, text));
        for (experimental, lines) in only {
            let lines = format!("doc = {}", literals::text(&lines));
            attribute(below, indent, gate_name(experimental), &[lines.into()]);
        }
        return;
    }
    for (text, experimental) in [(stable, false), (experimental, true)] {
        if let Some(text) = text {
            let schemars = Meta::List("schemars", vec![whole(text)]);
            attribute(below, indent, gate_name(experimental), &[schemars]);
        }
    }
}

/// A description as rustdoc shows it, where nothing reads it back.
pub(crate) fn plain(out: &mut String, indent: &str, texts: &[Option<String>; 2]) {
    let Some(text) = &texts[1] else { return };
    let lines = text.trim().lines().map(|line| match line.trim_end() {
        code if code.starts_with(['#', '<']) => format!("\\{code}"),
        line => line.to_owned(),
    });
    let text = lines.collect::<Vec<_>>().join("\n");
    if !text.is_empty() {
        comment(out, indent, &text);
    }
}

fn comment(out: &mut String, indent: &str, text: &str) {
    for line in text.split('\n') {
        let space = if line.is_empty() { "" } else { " " };
        let _ = writeln!(out, "{indent}///{space}{line}");
    }
}

pub(crate) fn gate_name(experimental: bool) -> &'static str {
    match experimental {
        true => "experimental",
        false => "not_experimental",
    }
}
