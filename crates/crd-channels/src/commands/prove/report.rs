//! The output of `prove`.

use super::super::{say_as, shown};
use super::Request;
use crd_channels_diagnostics::report::{self, Format, counted};
use crd_channels_diagnostics::{Diagnostic, Sources};
use crd_channels_generator::pipeline::recorded::{self, Entry};
use crd_channels_proof::{Proof, documented};
use serde_json::{Value, json};

/// The version of the JSON format, raised when a key is removed or changes its meaning.
const FORMAT: u64 = 1;

/// The maximum number of places to name for a documented difference.
const NAMED: usize = 3;

/// Prints the result to stdout and findings for people to stderr.
pub(super) fn write(
    proof: Option<&Proof>,
    findings: &[Diagnostic],
    sources: &Sources,
    request: &Request,
) {
    if request.format == Format::Json {
        println!("{}", document(proof, findings, sources));
        return;
    }
    say_as(findings, sources, request.format);
    let text = proof.map(as_text).unwrap_or_default();
    if request.format.is_for_programs() {
        eprint!("{text}");
        return;
    }
    print!("{text}");
    if let Some(summary) = report::summary(&shown(findings)) {
        eprintln!("{summary}");
    }
    let open = proof.map_or(0, |proof| proof.open);
    if open > 0 && !request.record {
        help!(
            "run `crd-channels gen-crds --record`, which takes values that cannot be read from source from the compiled types"
        );
    }
}

/// Formats the result as JSON.
pub fn document(proof: Option<&Proof>, findings: &[Diagnostic], sources: &Sources) -> Value {
    json!({
        "format": FORMAT,
        "findings": report::json(findings, sources),
        "proof": proof.map(as_json),
    })
}

fn as_text(proof: &Proof) -> String {
    let meant = match proof.meant {
        0 => String::new(),
        meant => format!(", {meant} different as documented"),
    };
    let mut text = format!(
        "{} of {} equal in {}{meant}\n",
        proof.equal,
        counted(proof.facts, "fact"),
        counted(proof.kinds, "kind")
    );
    if !proof.documented.is_empty() {
        text.push_str("documented differences, rows of docs/differences.md:\n");
    }
    for (id, places) in &proof.documented {
        let what = documented::by_id(id).map_or("", |row| row.what);
        text.push_str(&format!("  {id} ({what}): {}\n", some_of(places)));
    }
    match &proof.recorded {
        Some(entries) if entries.is_empty() => text.push_str("nothing to record\n"),
        Some(entries) => {
            let number = counted(entries.len(), "place");
            text.push_str(&format!("{number} recorded in {}:\n", recorded::FILE));
            for entry in entries {
                text.push_str(&format!("  {}\n", line(entry)));
            }
        }
        None if proof.holding > 0 => {
            let number = counted(proof.holding, "record");
            text.push_str(&format!("{number} of {} still valid\n", recorded::FILE));
        }
        None => {}
    }
    text
}

fn some_of(places: &[String]) -> String {
    let named: Vec<&str> = places.iter().take(NAMED).map(String::as_str).collect();
    match places.len().saturating_sub(NAMED) {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}

fn line(entry: &Entry) -> String {
    let Entry {
        place,
        missing,
        why,
        schema,
        default,
        ..
    } = entry;
    let value = match schema.as_ref().or(default.as_ref()) {
        Some(value) => value.to_string(),
        None => "none is shown".to_owned(),
    };
    let mut short: String = value.chars().take(80).collect();
    if short.len() < value.len() {
        short.push_str("..");
    }
    format!("{place} ({missing}): {short}, for {why}")
}

fn as_json(proof: &Proof) -> Value {
    let Proof {
        kinds,
        equal,
        facts,
        meant,
        documented,
        holding,
        open,
        recorded,
    } = proof;
    json!({
        "kinds": kinds,
        "equal": equal,
        "facts": facts,
        "differentAsDocumented": meant,
        "documented": documented,
        "recordsHolding": holding,
        "open": open,
        "recorded": recorded,
    })
}
