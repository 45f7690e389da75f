//! The output of `validate`: for people, for services that show findings, and for those that show tests.

use super::files::ObjectResult;
use super::verdict::Fate;
use super::{Request, Validated, say, say_as};
use crate::commands::costs::display_field;
use crate::commands::{list_names, shown};
use crd_channels_diagnostics::report::{self, counted};
use crd_channels_diagnostics::{Diagnostic, Sources, terminal};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The format of the output.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Format {
    /// A format of findings.
    Findings(report::Format),
    /// JUnit's XML, with a test case for each object.
    Junit,
    /// The Test Anything Protocol, with a test for each object.
    Tap,
}

impl Default for Format {
    fn default() -> Self {
        Self::Findings(report::Format::Human)
    }
}

impl Format {
    /// All of them by the names that `--format` takes.
    pub const NAMES: [(&'static str, Self); 6] = {
        let [human, json, github, sarif] = report::Format::NAMES;
        [
            Self::named(human),
            Self::named(json),
            Self::named(github),
            Self::named(sarif),
            ("junit", Self::Junit),
            ("tap", Self::Tap),
        ]
    };

    const fn named((name, format): (&'static str, report::Format)) -> (&'static str, Self) {
        (name, Self::Findings(format))
    }
}

/// The version of the JSON format, raised when a key is removed or changes its meaning.
const FORMAT: u64 = 1;

/// The maximum number of skipped kinds that the summary names.
const MOST_NAMED: usize = 4;

/// Prints the result, with all findings in it.
pub(crate) fn write(
    validated: &Validated,
    findings: &[Diagnostic],
    sources: &Sources,
    request: &Request,
) {
    match request.format {
        Format::Findings(report::Format::Json) => println!("{}", json(validated, sources)),
        Format::Findings(report::Format::Human) => {
            let color = terminal::is_colored(&std::io::stdout());
            // Warnings that decide the exit code are shown in any case.
            let shown = if request.warnings_as_errors {
                findings.into()
            } else {
                shown(findings)
            };
            print!(
                "{}",
                report::write(&shown, sources, report::Format::Human, color)
            );
        }
        Format::Findings(format) => say_as(findings, sources, format),
        Format::Junit => print!("{}", junit(validated, sources)),
        Format::Tap => print!("{}", tap(validated, sources)),
    }
    if matches!(request.format, Format::Junit | Format::Tap) {
        say(&validated.unread, sources);
    }
    if !validated.files.is_empty() {
        note!("{}", summary(validated));
    }
}

/// What became of the objects, in one line.
fn summary(validated: &Validated) -> String {
    let count = |fate| {
        validated
            .objects()
            .filter(|object| object.fate == fate)
            .count()
    };
    let mut said = vec![format!("{} valid", counted(count(Fate::Valid), "object"))];
    let mut say = |number: usize, what: &str| {
        if number > 0 {
            said.push(format!("{number} {what}"));
        }
    };
    say(count(Fate::Invalid), "invalid");
    say(count(Fate::Unknown), "not known to be valid");
    said.extend(passed_over(validated));
    said.join(", ")
}

/// What was skipped, each part in a few words.
pub(crate) fn passed_over(validated: &Validated) -> Vec<String> {
    let mut said = Vec::new();
    let skipped = skipped(validated);
    let names: Vec<String> = skipped.keys().cloned().collect();
    let without_crd: usize = skipped.values().sum();
    if without_crd > 0 {
        let names = list_names(&names, MOST_NAMED);
        said.push(format!("{without_crd} without a CRD skipped ({names})"));
    }
    let others = untyped(validated);
    if others > 0 {
        let documents = counted(others, "document");
        said.push(format!(
            "{documents} without `apiVersion` and `kind` skipped"
        ));
    }
    said
}

/// How many objects were skipped, by API version and kind.
fn skipped(validated: &Validated) -> BTreeMap<String, usize> {
    let mut all = BTreeMap::new();
    for (kind, count) in validated.files.iter().flat_map(|file| &file.skipped) {
        *all.entry(kind.clone()).or_default() += count;
    }
    all
}

/// How many documents have neither `apiVersion` nor `kind`.
fn untyped(validated: &Validated) -> usize {
    validated.files.iter().map(|file| file.others).sum()
}

/// The result as one JSON document.
pub(crate) fn json(validated: &Validated, sources: &Sources) -> Value {
    let objects = validated.objects().map(|object| {
        let accept = (object.fate != Fate::Unknown).then_some(object.fate == Fate::Valid);
        let mut document = identity(Some(object));
        document["accept"] = json!(accept);
        document
    });
    let found = validated.objects().flat_map(|object| {
        let findings = object.findings.iter();
        findings.map(move |found| {
            let field = display_field(&found.field);
            finding(
                &found.diagnostic,
                Some(object),
                Some(field),
                found.reason,
                sources,
            )
        })
    });
    let unread = validated.unread.iter();
    let unread = unread.map(|it| finding(it, None, None, None, sources));
    json!({
        "format": FORMAT,
        "objects": objects.collect::<Vec<_>>(),
        "skipped": skipped(validated),
        "untyped": untyped(validated),
        "findings": found.chain(unread).collect::<Vec<_>>(),
    })
}

/// The keys that say which object is meant.
fn identity(object: Option<&ObjectResult>) -> Value {
    let api_version = object.map(|object| &*object.api_version);
    let parts = api_version.map(|it| it.split_once('/').unwrap_or(("", it)));
    json!({
        "file": object.map(|object| &object.file),
        "group": parts.map(|(group, _)| group),
        "version": parts.map(|(_, version)| version),
        "kind": object.map(|object| &object.kind),
        "namespace": object.and_then(|object| object.namespace.as_ref()),
        "name": object.and_then(|object| object.name.as_ref()),
    })
}

fn finding(
    diagnostic: &Diagnostic,
    object: Option<&ObjectResult>,
    field: Option<&str>,
    reason: Option<&str>,
    sources: &Sources,
) -> Value {
    let mut document = report::json(std::slice::from_ref(diagnostic), sources)[0].take();
    if let (Some(keys), Value::Object(more)) = (document.as_object_mut(), identity(object)) {
        keys.extend(more);
        keys.insert("field".to_owned(), json!(field));
        keys.insert("reason".to_owned(), json!(reason));
    }
    document
}

/// The findings of an object as text, each with its place; errors come first.
pub(crate) fn lines(object: &ObjectResult, sources: &Sources) -> Vec<String> {
    let findings = object.findings.iter().map(|finding| &finding.diagnostic);
    let mut findings: Vec<&Diagnostic> = findings.collect();
    findings.sort_by_key(|finding| finding.severity());
    let lines = findings.into_iter().map(|finding| {
        let place = finding
            .span
            .and_then(|span| report::region_of(span, sources));
        let place = place.map(|(region, _)| format!("{}:{}", region.line, region.column));
        let place = place.map_or_else(String::new, |place| format!(":{place}"));
        let help = finding.help.as_deref();
        let help = help.map_or_else(String::new, |help| format!(" ({help})"));
        format!("{}{place}: {}{help}", object.file, finding.message)
    });
    lines.collect()
}

/// Writes a test suite for each file.
fn junit(validated: &Validated, sources: &Sources) -> String {
    let mut written = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    for file in validated
        .files
        .iter()
        .filter(|file| !file.objects.is_empty())
    {
        let name = file.objects.first().map_or("", |object| &object.file);
        let failed = file
            .objects
            .iter()
            .filter(|it| it.fate == Fate::Invalid)
            .count();
        let unknown = file
            .objects
            .iter()
            .filter(|it| it.fate == Fate::Unknown)
            .count();
        written.push_str(&format!(
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{failed}\" errors=\"0\" skipped=\"{unknown}\">\n",
            xml(name),
            file.objects.len()
        ));
        for object in &file.objects {
            let (title, class) = (xml(&object.title()), xml(&object.api_version));
            written.push_str(&format!(
                "    <testcase name=\"{title}\" classname=\"{class}\""
            ));
            let all = lines(object, sources);
            let (first, text) = (all.first().map_or("", |it| it), all.join("\n"));
            let child = match object.fate {
                Fate::Invalid => format!(
                    "<failure message=\"{}\">{}</failure>",
                    xml(first),
                    xml(&text)
                ),
                Fate::Unknown => format!("<skipped message=\"{}\"/>", xml(first)),
                _ if all.is_empty() => String::new(),
                _ => format!("<system-out>{}</system-out>", xml(&text)),
            };
            match child.is_empty() {
                true => written.push_str("/>\n"),
                false => written.push_str(&format!(">\n      {child}\n    </testcase>\n")),
            }
        }
        written.push_str("  </testsuite>\n");
    }
    for unread in &validated.unread {
        let why = xml(&unread.message);
        written.push_str(&format!(
            "  <testsuite name=\"{why}\" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\">\n    <testcase name=\"read\">\n      <error message=\"{why}\"/>\n    </testcase>\n  </testsuite>\n"
        ));
    }
    written.push_str("</testsuites>\n");
    written
}

/// Escapes a text for XML, which has no way to write most control characters.
fn xml(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' => escaped.push_str("&#10;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Writes a test for each object.
fn tap(validated: &Validated, sources: &Sources) -> String {
    let mut written = format!("TAP version 13\n1..{}\n", validated.objects().count());
    for (nth, object) in validated.objects().enumerate() {
        let number = nth + 1;
        // A `#` would begin a directive.
        let title = format!("{}: {}", object.file, object.title());
        let title = title.replace('\\', "\\\\").replace('#', "\\#");
        let title = title.replace(char::is_control, " ");
        let (ok, directive) = match object.fate {
            Fate::Invalid => ("not ok", ""),
            Fate::Unknown => ("ok", " # SKIP a rule was not evaluated"),
            _ => ("ok", ""),
        };
        written.push_str(&format!("{ok} {number} - {title}{directive}\n"));
        for line in lines(object, sources) {
            written.push_str(&format!("# {}\n", line.replace('\n', " ")));
        }
    }
    for unread in &validated.unread {
        let why = unread.message.replace(char::is_control, " ");
        written.push_str(&format!("Bail out! {why}\n"));
    }
    written
}
