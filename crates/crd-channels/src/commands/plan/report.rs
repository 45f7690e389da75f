//! The output of `plan`: the same facts for people, as Markdown, and for programs.

use super::{Planned, Verdict};
use crate::commands::pin::PinUpdate;
use crate::commands::pin_changes::Changes;
use crate::commands::shown;
use crate::commands::validate::files::ObjectResult;
use crate::commands::validate::report::{self as objects, lines};
use crate::commands::validate::verdict::Fate;
use crd_channels_compat::report::Format;
use crd_channels_diagnostics::program::as_typed;
use crd_channels_diagnostics::report::{self, counted};
use crd_channels_diagnostics::{Diagnostic, Severity, Sources, terminal};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// The version of the JSON format, raised when a key is removed or changes its meaning.
const FORMAT: u64 = 1;

impl Verdict {
    fn name(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Warnings => "safe with warnings",
            Self::NotSafe => "not safe",
        }
    }
}

/// Writes a plan.
pub(super) fn text(planned: &Planned, format: Format, sources: &Sources) -> String {
    match format {
        Format::Json => format!("{}\n", json(&Ok(planned), sources)),
        Format::Human => human(planned, sources),
        Format::Markdown => markdown(planned, sources),
    }
}

fn human(planned: &Planned, sources: &Sources) -> String {
    let mut text = String::new();
    for title in titles(planned) {
        let _ = writeln!(text, "{title}");
    }
    text.push('\n');
    let color = terminal::is_colored(&std::io::stdout());
    let findings: Vec<Diagnostic> = planned.findings().cloned().collect();
    text.push_str(&report::write(
        &shown(&findings),
        sources,
        report::Format::Human,
        color,
    ));
    for note in &planned.notes {
        let _ = writeln!(text, "note: {}", as_typed(note));
    }
    let _ = writeln!(text, "{}", as_typed(&summary(planned)));
    if !planned.steps.is_empty() {
        text.push_str(match planned.verdict() {
            Verdict::NotSafe => "when the errors are resolved:\n",
            _ => "to carry it out:\n",
        });
    }
    for step in &planned.steps {
        let _ = writeln!(text, "  {step}");
    }
    text
}

fn markdown(planned: &Planned, sources: &Sources) -> String {
    let mut text = String::new();
    for title in titles(planned) {
        let _ = writeln!(text, "### {title}");
    }
    let _ = writeln!(text, "\n**{}**\n", summary(planned));
    let of_objects = planned.objects.objects();
    let found = of_objects.flat_map(|object| lines(object, sources));
    let others = planned.obstacles.iter().chain(&planned.objects.unread);
    let others = others.map(|finding| match &finding.help {
        // The steps stand below.
        Some(help) => format!(
            "{}: {}",
            finding.message,
            help.lines().next().unwrap_or_default()
        ),
        None => finding.message.clone(),
    });
    for line in others.chain(found).chain(planned.notes.iter().cloned()) {
        let _ = writeln!(text, "- {}", escaped(&line));
    }
    if !planned.steps.is_empty() {
        let _ = writeln!(text, "\n```sh\n{}\n```", planned.steps.join("\n"));
    }
    text
}

/// Escapes what Markdown and GitHub take for more than text: names and values are other people's.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '@' => escaped.push_str("&#64;"),
            '#' => escaped.push_str("&#35;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '!' | '|' | '~' => escaped.extend(['\\', c]),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

/// What is compared, a line each.
fn titles(planned: &Planned) -> impl Iterator<Item = String> {
    let updates = planned.updates.iter().map(title);
    planned.titles.iter().cloned().chain(updates)
}

/// An update in a few words.
fn title(update: &PinUpdate) -> String {
    let after = &update.after;
    let mut title = format!("{}: ", after.name);
    if update.is_none() {
        let _ = write!(
            title,
            "{} {} stays, no other bundle fits `{}`",
            after.version, after.channel, after.requirement
        );
        return title;
    }
    if let Some(before) = &update.before {
        let _ = write!(title, "{} {} to ", before.version, before.channel);
    }
    let _ = write!(title, "{} {}", after.version, after.channel);
    let over: Vec<String> = update.over.iter().map(ToString::to_string).collect();
    if !over.is_empty() {
        let _ = write!(title, ", over {}", over.join(", "));
    }
    title
}

/// What an update means for an object.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Effect {
    /// It is rejected, or loses something.
    Harmed,
    /// It is stored otherwise, or in a deprecated version.
    Warned,
    /// A server rejects it before and after.
    Rejected,
    None,
}

fn effect(object: &ObjectResult) -> Effect {
    let mut findings = object.findings.iter();
    match findings.any(|finding| finding.diagnostic.severity() == Severity::Error) {
        true => Effect::Harmed,
        false if !object.findings.is_empty() => Effect::Warned,
        false if object.fate == Fate::Invalid => Effect::Rejected,
        false => Effect::None,
    }
}

/// The verdict, and how many objects are concerned.
fn summary(planned: &Planned) -> String {
    let count = |wanted| {
        let objects = planned.objects.objects();
        objects.filter(|object| effect(object) == wanted).count()
    };
    let all = planned.objects.objects().count();
    let mut parts = Vec::new();
    for (number, what) in [
        (count(Effect::Harmed), "rejected or incomplete after it"),
        (count(Effect::Warned), "with warnings"),
        (
            count(Effect::Rejected),
            "rejected already, as `crd-channels validate` says",
        ),
    ] {
        if number > 0 {
            parts.push(format!("{number} {what}"));
        }
    }
    let objects = match (all, parts.is_empty()) {
        (0, _) => "no object of the bundles was compared".to_owned(),
        (_, true) => format!("nothing changes for {}", counted(all, "object")),
        (_, false) => format!("of {}, {}", counted(all, "object"), parts.join(", ")),
    };
    let mut parts = vec![objects];
    parts.extend(objects::passed_over(&planned.objects));
    format!("{}: {}", planned.verdict().name(), parts.join(", "))
}

/// The plan as one JSON document, or why there is none.
pub(super) fn json(planned: &Result<&Planned, &[Diagnostic]>, sources: &Sources) -> Value {
    let none = Planned::default();
    let (planned, failed) = match planned {
        Ok(planned) => (*planned, &[][..]),
        Err(findings) => (&none, *findings),
    };
    let of_objects = objects::json(&planned.objects, sources);
    let mut findings: Vec<Value> = Vec::new();
    for list in [
        report::json(&planned.obstacles, sources),
        of_objects["findings"].clone(),
        report::json(failed, sources),
    ] {
        if let Value::Array(list) = list {
            findings.extend(list);
        }
    }
    let updates = planned.updates.iter().map(|update| {
        json!({
            "name": update.after.name,
            "before": update.before.as_ref().map(|it| bundle(&it.version, &it.channel)),
            "after": bundle(&update.after.version, &update.after.channel),
            "over": update.over,
            "changes": update.changes.as_ref().map(Changes::json),
        })
    });
    json!({
        "format": FORMAT,
        "verdict": failed.is_empty().then(|| planned.verdict().name()),
        "bundles": updates.collect::<Vec<_>>(),
        "objects": of_objects["objects"],
        "skipped": of_objects["skipped"],
        "untyped": of_objects["untyped"],
        "findings": findings,
        "notes": planned.notes,
        "steps": planned.steps,
    })
}

fn bundle(version: &impl ToString, channel: &str) -> Value {
    json!({ "version": version.to_string(), "channel": channel })
}
