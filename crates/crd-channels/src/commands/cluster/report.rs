//! The output of `cluster-status` for people and as JSON, and progress.

use super::crd::Stamp;
use super::state::{CrdStatus, Installed, OtherStatus, SetStatus};
use super::wanted::Part;
use crd_channels_diagnostics::report::{counted, json as json_findings};
use crd_channels_diagnostics::{Diagnostic, Sources};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// The version of the JSON format, raised when a key is removed or changes its meaning.
const FORMAT: u64 = 1;

/// The most differences of an object that are shown.
const MOST_DIFFERENCES: usize = 10;

/// Notes about long work, at most one in this time.
const INTERVAL: Duration = Duration::from_secs(1);

/// Tells how far long work is.
pub(super) struct Progress(Instant);

impl Default for Progress {
    fn default() -> Self {
        Self(Instant::now())
    }
}

impl Progress {
    /// Tells it if the last note is a while ago.
    pub(super) fn tell(&mut self, text: impl FnOnce() -> String) {
        if self.0.elapsed() >= INTERVAL {
            note!("{}", text());
            self.0 = Instant::now();
        }
    }
}

/// Prints the status of a set for people.
pub(super) fn show(set: &SetStatus) {
    match &set.pinned {
        Some(stamp) => println!("{}: {} is pinned", set.name, shown(stamp)),
        None => println!("{}", set.name),
    }
    if set.mixed {
        println!("  CRDs of several bundles or channels are installed");
    }
    set.crds.iter().for_each(show_crd);
    set.others.iter().for_each(show_other);
    if set.pinned.is_some() && !set.others.iter().any(|it| it.part == Part::Policy) {
        println!("  the policies of the bundle are not pinned");
    }
}

fn shown(stamp: &Stamp) -> String {
    format!("{} {}", stamp.version, stamp.channel)
        .trim_end()
        .to_owned()
}

fn show_crd(crd: &CrdStatus) {
    let Some(installed) = &crd.installed else {
        println!("  {}: not installed", crd.name);
        return;
    };
    let Installed {
        bundle,
        owners,
        served,
        deprecated,
        storage,
        stored_versions,
        usage,
        drift,
    } = installed;
    let bundle = bundle
        .as_ref()
        .map_or_else(|| "of no bundle".to_owned(), shown);
    let owners = match owners.is_empty() {
        true => String::new(),
        false => format!(", managed by {}", owners.join(", ")),
    };
    println!("  {}: {bundle}{owners}", crd.name);
    let versions: Vec<String> = served
        .iter()
        .map(|name| match deprecated.contains(name) {
            true => format!("{name} (deprecated)"),
            false => name.clone(),
        })
        .collect();
    println!("    serves {}; writes {storage}", versions.join(", "));
    if stored_versions.len() > 1 {
        println!(
            "    objects may be stored in {}: `crd-channels cluster-migrate {}` rewrites them",
            stored_versions.join(", "),
            crd.name
        );
    }
    println!("    {}", counted(usage.objects, "object"));
    for (version, objects) in &usage.written_in {
        if deprecated.contains(version) || !served.contains(version) {
            println!("    {objects} written in {version} by some client, by their managed fields");
        }
    }
    for field in &usage.experimental {
        let feature = field.feature.as_ref().map(|name| format!(" of {name}"));
        let what = match &*field.field {
            "." => format!("in experimental {}", field.version),
            path => format!("with experimental {} {path}", field.version),
        };
        println!(
            "    {} {what}{}",
            field.objects,
            feature.unwrap_or_default()
        );
    }
    show_drift(drift);
}

fn show_other(other: &OtherStatus) {
    let state = match (other.installed, other.drift.is_empty()) {
        (false, _) => "not installed",
        (true, true) => "in place",
        (true, false) => "differs",
    };
    println!("  {}: {state}", other.object);
    show_drift(&other.drift);
}

fn show_drift(drift: &[String]) {
    for path in drift.iter().take(MOST_DIFFERENCES) {
        println!("    differs: {path}");
    }
    let more = drift.len().saturating_sub(MOST_DIFFERENCES);
    if more > 0 {
        println!("    and {more} more");
    }
}

/// Formats the status as JSON.
pub(super) fn json(sets: &[SetStatus], findings: &[Diagnostic], sources: &Sources) -> Value {
    json!({
        "format": FORMAT,
        "bundles": sets,
        "findings": json_findings(findings, sources),
    })
}
