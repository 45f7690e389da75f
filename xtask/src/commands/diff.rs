//! `diff OLD NEW`: what changed between two sets of CRDs, and which bump may carry it.

use super::Outcome;
use super::sets::Side;
use crate::compat::report::{self, Format};
use crate::compat::{Bump, compare, waivers};
use std::path::PathBuf;

/// What was asked for.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The old set.
    pub old: String,
    /// The new set.
    pub new: String,
    /// How the report is written.
    pub format: Format,
    /// The highest bump that is not a finding.
    pub against: Option<Bump>,
    /// Instead of `channels/waivers.toml`.
    pub waivers: Option<PathBuf>,
    /// The packages whose build decides features; empty means as configured.
    pub packages: Vec<String>,
}

/// Compares two sets.
#[must_use]
pub fn run(request: &Request) -> Outcome {
    match differ(request) {
        Ok(outcome) => outcome,
        Err(message) => {
            eprintln!("error: {message}");
            Outcome::CouldNotRun
        }
    }
}

/// What the places of the new side's files are numbered from.
const NEW: u32 = 1 << 31;

fn differ(request: &Request) -> Result<Outcome, String> {
    let (old, new) = rayon::join(
        || Side::read(&request.old, &request.packages, 0),
        || Side::read(&request.new, &request.packages, NEW),
    );
    let (old, new) = (old?, new?);
    let mut report = compare(&old.set, &new.set);
    if let Some(text) = waivers_for(request, &new)? {
        let waivers = waivers::parse(&text).map_err(|error| format!("waivers: {error}"))?;
        waivers::apply(&waivers, new.set.bundle_version().as_deref(), &mut report);
    }
    let place = |span| new.place(span).or_else(|| old.place(span));
    match request.format {
        Format::Human => print!("{}", report::human(&report, place)),
        Format::Json => println!("{:#}", report::json(&report)),
        Format::Markdown => print!("{}", report::markdown(&report)),
    }
    let Some(against) = request.against.filter(|against| report.bump() > *against) else {
        return Ok(Outcome::Clean);
    };
    eprintln!("error: a {} bundle may not carry this", asked(against));
    Ok(Outcome::Findings)
}

fn asked(bump: Bump) -> &'static str {
    match bump {
        Bump::None | Bump::Patch => "patch",
        Bump::Minor => "minor",
        Bump::NewApiVersion | Bump::Never => "major",
    }
}

fn waivers_for(request: &Request, new: &Side) -> Result<Option<String>, String> {
    let Some(path) = &request.waivers else {
        return new.waivers();
    };
    let text = std::fs::read_to_string(path);
    text.map(Some)
        .map_err(|error| format!("`{}`: {error}", path.display()))
}
