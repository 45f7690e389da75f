//! `plan`: says what an update of pinned bundles does to objects, and the commands that carry it out.

mod objects;
mod report;

pub use report::Format;

use super::pin::{self, Chosen, Names, PinUpdate};
use super::validate::crds::Crds;
use super::validate::sources::Lookup;
use super::validate::{Validated, inputs, validate_all};
use super::{Outcome, here};
use crd_channels_diagnostics::{Code, Diagnostic, Severity, Sources};
use objects::UpdateValidator;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The arguments of `plan`.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Files and folders with objects; `-` is standard input.
    pub paths: Vec<PathBuf>,
    /// The bundle of the lock to update; by default all of them.
    pub update: Option<String>,
    /// The source of the new bundle; by default the lock's.
    pub from: Option<String>,
    /// Which bundles may be chosen; by default as the lock says.
    pub to: Option<String>,
    /// The channel to update to; by default the lock's.
    pub channel: Option<String>,
    /// Fetch nothing.
    pub offline: bool,
    /// The format of the output.
    pub format: Format,
}

/// The answer to the question whether an update may be carried out.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Verdict {
    Safe,
    /// Somebody should read the warnings first.
    Warnings,
    NotSafe,
}

/// What the updates do.
#[derive(Default)]
struct Planned {
    updates: Vec<PinUpdate>,
    /// What keeps `pin` from updating, whatever objects there are.
    obstacles: Vec<Diagnostic>,
    /// What was found about the objects.
    objects: Validated,
    /// What should be known besides.
    notes: Vec<String>,
    /// The commands that carry out the updates, in order.
    steps: Vec<String>,
}

impl Planned {
    /// Every finding: about the updates, about the objects, about files.
    fn findings(&self) -> Vec<Diagnostic> {
        let mut findings = self.obstacles.clone();
        findings.extend(self.objects.findings());
        findings
    }

    fn verdict(&self) -> Verdict {
        let findings = self.findings();
        let is_error = |finding: &Diagnostic| finding.severity() == Severity::Error;
        match findings.iter().any(is_error) {
            true => Verdict::NotSafe,
            false if findings.is_empty() && self.notes.is_empty() => Verdict::Safe,
            false => Verdict::Warnings,
        }
    }
}

/// Prints the plan to stdout.
#[must_use]
pub fn run(request: &Request) -> Outcome {
    let Some(here) = here() else {
        return Outcome::CouldNotRun;
    };
    let sources = Sources::default();
    match plan(request, &here, &sources) {
        Ok(planned) => {
            print!("{}", report::text(&planned, request.format, &sources));
            match planned.objects.unread.is_empty() {
                true => Outcome::of(&planned.findings()),
                false => Outcome::CouldNotRun,
            }
        }
        Err(findings) => {
            match request.format {
                Format::Json => println!("{}", failed(&findings, &sources)),
                _ => super::say(&findings, &sources),
            }
            Outcome::of_failed(&findings)
        }
    }
}

/// The JSON document of a run that could not begin.
pub(crate) fn failed(findings: &[Diagnostic], sources: &Sources) -> Value {
    report::json(&Err(findings), sources)
}

fn plan(request: &Request, here: &Path, sources: &Sources) -> Result<Planned, Vec<Diagnostic>> {
    let pin = pin::Request {
        from: request.from.clone(),
        channel: request.channel.clone(),
        version: request.to.clone(),
        update: Some(request.update.clone().map_or(Names::All, Names::One)),
        dry_run: true,
        offline: request.offline,
        ..pin::Request::default()
    };
    let updates = pin::updates(&pin, here, sources)?;
    let (inputs, unread) = inputs(&request.paths);
    let objects = match inputs.is_empty() && unread.is_empty() {
        true => Validated::default(),
        false => {
            let validator = validator(request, &updates, here)?;
            let validate = |object: &Value| validator.validate(object);
            validate_all(&inputs, unread, &validate, sources)
        }
    };
    let mut planned = Planned {
        objects,
        ..Planned::default()
    };
    for (_, update) in updates {
        planned.add(update, &pin, request.paths.is_empty());
    }
    Ok(planned)
}

/// The CRDs that are pinned, and those of the chosen bundles.
fn validator(
    request: &Request,
    updates: &[(Chosen, PinUpdate)],
    here: &Path,
) -> Result<UpdateValidator, Vec<Diagnostic>> {
    let lookup = Lookup {
        here,
        channel: None,
        offline: request.offline,
    };
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for (chosen, update) in updates {
        if let Some(pinned) = &update.before {
            before.push(lookup.of_pinned(pinned)?);
        }
        let name = format!("{} {}", update.after.name, update.after.version);
        after.push(lookup.of_bundle(&chosen.bundle, &name, Some(&update.after.channel))?);
    }
    Ok(UpdateValidator::new(Crds::of(before), Crds::of(after)))
}

impl Planned {
    /// Adds an update, without or with objects that tell what it harms.
    fn add(&mut self, update: PinUpdate, pin: &pin::Request, without_objects: bool) {
        if update.is_none() {
            self.updates.push(update);
            return;
        }
        self.obstacles.extend(update.obstacles(pin));
        let lost = update.lost();
        if !lost.is_empty() {
            let what = format!(
                "stored objects that use these lose data or fail validation: {}",
                lost.join(", ")
            );
            match without_objects {
                true => {
                    let finding = Diagnostic::new(Code::PinRefused, None, what);
                    let help = "name your objects, or all of a cluster, as in `kubectl get KIND --all-namespaces --output json | crd-channels plan -`";
                    self.obstacles.push(finding.with_help(help));
                }
                false => self.notes.push(what),
            }
        }
        let written = update
            .after
            .with
            .contains(&crate::consumer::pinned::Part::Components);
        let manual = update.changes.as_ref().map(|it| it.manual_steps(written));
        let needed = manual.into_iter().flatten();
        self.notes
            .extend(needed.map(|step| format!("install and start first: {step}")));
        let carried_out = pin::Request {
            allow_data_loss: !lost.is_empty(),
            ..pin.clone()
        };
        self.steps.extend(update.steps(&carried_out));
        self.updates.push(update);
    }
}
