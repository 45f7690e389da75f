//! `explain CODE`: explains a diagnostic, a rule about CRDs, or a rule about changes.

use super::Outcome;
use crd_channels_check::{self as check, Rule};
use crd_channels_compat as compat;
use crd_channels_diagnostics::program::as_typed;
use crd_channels_diagnostics::{Code, nearest};

/// The entry that `explain` prints for a code.
struct Entry {
    id: &'static str,
    summary: &'static str,
    explanation: &'static str,
    help: Option<&'static str>,
}

/// Explains one code, or lists all codes.
#[must_use]
pub fn run(id: Option<&str>) -> Outcome {
    let entries = entries();
    let Some(id) = id else {
        let width = entries.iter().map(|entry| entry.id.len()).max();
        let width = width.unwrap_or(0);
        for Entry { id, summary, .. } in &entries {
            println!("{id:width$}  {summary}");
        }
        return Outcome::Clean;
    };
    let Some(entry) = entries.iter().find(|entry| entry.id == id) else {
        error!("unknown code `{id}`");
        if let Some(near) = nearest(id, entries.iter().map(|entry| entry.id)) {
            help!("did you mean `{near}`?");
        }
        return Outcome::CouldNotRun;
    };
    let explanation = as_typed(entry.explanation);
    println!("{id}\n\n{}\n\n{explanation}", entry.summary);
    if let Some(help) = entry.help {
        println!("\nhelp: {}", as_typed(help));
    }
    Outcome::Clean
}

/// Returns the codes of diagnostics, then the rules about CRDs, then the rules about changes.
fn entries() -> Vec<Entry> {
    let codes = Code::ALL.iter().map(|code| {
        let record = code.record();
        Entry {
            id: record.id,
            summary: record.summary,
            explanation: record.explanation,
            help: None,
        }
    });
    let rules = Rule::ALL.iter().map(|rule| {
        let check::Record {
            id,
            level: _,
            summary,
            explanation,
            help,
        } = rule.record();
        Entry {
            id,
            summary,
            explanation,
            help: Some(help),
        }
    });
    let changes = compat::catalogue().into_iter().map(|record| Entry {
        id: record.id,
        summary: record.summary,
        explanation: record.explanation,
        help: None,
    });
    codes.chain(rules).chain(changes).collect()
}
