//! `explain CODE`: the record of a diagnostic, or of a rule on changes, in words.

use super::Outcome;
use crate::compat;
use crate::diag::{Code, nearest};

/// A code, one sentence about it, and why it matters.
type Entry = (&'static str, &'static str, &'static str);

fn entries() -> Vec<Entry> {
    let codes = Code::ALL.iter().map(|code| {
        let record = code.record();
        (record.id, record.summary, record.explanation)
    });
    let rules = compat::catalogue().into_iter();
    codes
        .chain(rules.map(|record| (record.id, record.summary, record.explanation)))
        .collect()
}

/// Explains one code, or lists all.
#[must_use]
pub fn run(id: Option<&str>) -> Outcome {
    let entries = entries();
    let Some(id) = id else {
        let width = entries.iter().map(|(id, ..)| id.len()).max().unwrap_or(0);
        for (id, summary, _) in entries {
            println!("{id:width$}  {summary}");
        }
        return Outcome::Clean;
    };
    let Some((id, summary, explanation)) = entries.iter().find(|(known, ..)| *known == id) else {
        eprintln!("error: no code is called `{id}`");
        if let Some(near) = nearest(id, entries.iter().map(|(id, ..)| *id)) {
            eprintln!("help: did you mean `{near}`?");
        }
        return Outcome::CouldNotRun;
    };
    println!("{id}\n\n{summary}\n\n{explanation}");
    Outcome::Clean
}
