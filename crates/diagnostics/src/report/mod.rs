//! Renders diagnostics, sorted by location, in one of four formats for people or programs.

mod location;
mod human;
mod machine;

pub use machine::{Annotation, Region, github, json_finding, sarif};

use super::{Diagnostic, Severity, Span};
use crate::Sources;
use location::{Finding, Location};
use serde_json::{Value, json};
use std::ops::Range;

/// The version of the JSON format of findings, raised when a key is removed or changes its meaning.
pub const FORMAT: u64 = 1;

/// The output format of findings.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Format {
    /// For people: the line with the span, like rustc.
    #[default]
    Human,
    /// One JSON object: `{"format": 1, "findings": [..]}`.
    Json,
    /// GitHub's workflow commands, which become annotations of a pull request.
    Github,
    /// SARIF 2.1.0.
    Sarif,
}

impl Format {
    /// Every format by the name that `--format` takes.
    pub const NAMES: [(&'static str, Format); 4] = [
        ("human", Format::Human),
        ("json", Format::Json),
        ("github", Format::Github),
        ("sarif", Format::Sarif),
    ];

    /// Whether programs read it, so that nothing else may be on stdout.
    #[must_use]
    pub fn is_for_programs(self) -> bool {
        self != Self::Human
    }
}

/// Writes findings, sorted by location. `color` only affects the format for people.
#[must_use]
pub fn write(diagnostics: &[Diagnostic], sources: &Sources, format: Format, color: bool) -> String {
    let sorted = sorted(diagnostics, sources);
    let annotations = || sorted.iter().map(machine::annotation).collect::<Vec<_>>();
    match format {
        Format::Human => human::write(&sorted, sources, color),
        Format::Json => {
            let findings = machine::json(&sorted, sources);
            format!("{}\n", json!({"format": FORMAT, "findings": findings}))
        }
        Format::Github => github(&annotations()),
        Format::Sarif => sarif(&annotations()),
    }
}

/// Findings, sorted by location, for use in a larger JSON object.
#[must_use]
pub fn json(diagnostics: &[Diagnostic], sources: &Sources) -> Value {
    machine::json(&sorted(diagnostics, sources), sources)
}

/// A span in JSON: the file, lines and columns.
#[must_use]
pub fn json_place(span: Span, sources: &Sources) -> Option<Value> {
    Location::of_span(span, sources).map(|place| machine::json_place(&place))
}

/// Sorts findings by location.
#[must_use]
pub fn in_order<'d>(diagnostics: &'d [Diagnostic], sources: &Sources) -> Vec<&'d Diagnostic> {
    let sorted = sorted(diagnostics, sources).into_iter();
    sorted.map(|finding| finding.diagnostic).collect()
}

fn sorted<'d>(diagnostics: &'d [Diagnostic], sources: &Sources) -> Vec<Finding<'d>> {
    let mut sorted: Vec<Finding<'_>> = diagnostics
        .iter()
        .map(|diagnostic| Finding {
            diagnostic,
            place: diagnostic
                .span
                .and_then(|span| Location::of_span(span, sources)),
        })
        .collect();
    sorted.sort_by(|left, right| left.key().cmp(&right.key()));
    sorted
}

/// The lines and columns of a span in its file, and its bytes.
#[must_use]
pub fn region_of(span: Span, sources: &Sources) -> Option<(Region, Range<usize>)> {
    let place = Location::of_span(span, sources)?;
    Some((machine::region(&place), place.bytes))
}

/// A summary such as `3 errors, 1 warning`; `None` if both counts are zero.
#[must_use]
pub fn summary(diagnostics: &[Diagnostic]) -> Option<String> {
    let count = |severity| {
        diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.severity() == severity)
            .count()
    };
    let parts: Vec<String> = [
        ("error", count(Severity::Error)),
        ("warning", count(Severity::Warning)),
    ]
    .into_iter()
    .filter(|(_, number)| *number > 0)
    .map(|(name, number)| counted(number, name))
    .collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// A count with its noun: `1 error`, `2 errors`.
#[must_use]
pub fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::{Format, counted, write};
    use crate::{Code, Diagnostic, Sources, Span};
    use std::time::Instant;

    #[test]
    fn one_is_one() {
        assert_eq!(counted(1, "error"), "1 error");
        assert_eq!(counted(0, "error"), "0 errors");
    }

    /// A lone `\r` is shown as `␍`.
    #[test]
    fn line_ends_of_windows_are_not_shown() {
        let shown = |end: &str, last: &str| {
            let sources = Sources::default();
            let file = sources.add("a.yaml", format!("a: 1{end}b: 2{last}"));
            let start = 4 + u32::try_from(end.len()).unwrap_or_default();
            let spans = [0, start].map(|start| Span {
                file,
                start,
                end: start + 1,
            });
            let finding = |span| {
                let finding = Diagnostic::new(Code::ObjectInvalid, Some(span), "no");
                finding.with_label(span, "here")
            };
            let findings = spans.map(finding);
            write(&findings, &sources, Format::Human, false)
        };
        assert_eq!(shown("\r\n", "\r\n"), shown("\n", "\n"));
        assert_eq!(shown("\r\n", ""), shown("\n", "\n"));
    }

    /// 16 times as many findings in 16 times as long a file take about 16 times as long, not 256 times. Other processes may
    /// double that more than once.
    #[test]
    fn findings_of_one_file_take_linear_time() {
        for separator in ["\n", " "] {
            for format in [Format::Human, Format::Json, Format::Sarif] {
                let taken = |number: u32| {
                    let sources = Sources::default();
                    let text = format!("word{separator}").repeat(number as usize * 8);
                    let file = sources.add("words.yaml", text);
                    let findings = (0..number).map(|nth| {
                        let start = nth * 40;
                        let end = start + 4;
                        let span = Span { file, start, end };
                        Diagnostic::new(Code::ObjectInvalid, Some(span), "wrong")
                    });
                    let findings: Vec<Diagnostic> = findings.collect();
                    let start = Instant::now();
                    let written = write(&findings, &sources, format, false);
                    assert!(written.len() < number as usize * 1000, "{}", written.len());
                    start.elapsed()
                };
                taken(50);
                let few = (0..3).map(|_| taken(250)).min();
                let many = (0..2).map(|_| taken(4000)).min();
                let (few, many) = few.zip(many).unwrap_or_default();
                assert!(many < few * 128, "{format:?} {few:?} {many:?}");
            }
        }
    }
}
