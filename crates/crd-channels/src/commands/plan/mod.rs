//! `plan`: says what an update of pinned bundles does to objects, and the commands that carry it out.

mod objects;
mod report;

use super::pin::{self, Chosen, Names, PinUpdate};
use super::pin_changes::Changes;
use super::validate::crds::Crds;
use super::validate::sources::Lookup;
use super::validate::{Validated, inputs, validate_all};
use super::{Outcome, here};
use crate::consumer::pinned::Part;
use crd_channels_compat::report::Format;
use crd_channels_diagnostics::{Code, Diagnostic, Severity, Sources};
use crd_channels_released::folder::Verified;
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
    fn findings(&self) -> impl Iterator<Item = &Diagnostic> {
        self.obstacles.iter().chain(self.objects.findings())
    }

    fn verdict(&self) -> Verdict {
        // Errors come before warnings.
        match self.findings().map(Diagnostic::severity).min() {
            Some(Severity::Error) => Verdict::NotSafe,
            None if self.notes.is_empty() => Verdict::Safe,
            Some(Severity::Warning) | None => Verdict::Warnings,
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
                true => Outcome::of(&planned.findings().cloned().collect::<Vec<_>>()),
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
            let validators = updates.iter();
            let validators = validators.map(|update| validator(request, update, here));
            let validators: Vec<UpdateValidator> = validators.collect::<Result<_, _>>()?;
            let validate = |object: &Value| objects::validate(&validators, object);
            validate_all(&inputs, unread, &validate, sources)
        }
    };
    let without_objects = objects.objects().next().is_none();
    let mut planned = Planned {
        objects,
        ..Planned::default()
    };
    for (_, update) in updates {
        planned.add(update, &pin, without_objects);
    }
    Ok(planned)
}

/// The CRDs that are pinned, those of the chosen bundle, and those of the bundles on the way.
fn validator(
    request: &Request,
    (chosen, update): &(Chosen, PinUpdate),
    here: &Path,
) -> Result<UpdateValidator, Vec<Diagnostic>> {
    let lookup = Lookup {
        here,
        channel: None,
        offline: request.offline,
    };
    let channel = Some(&*update.after.channel);
    let of_bundle = |bundle: &Verified| {
        let name = format!("{} {}", update.after.name, bundle.manifest.version);
        Ok(Crds::of(vec![lookup.of_bundle(bundle, &name, channel)?]))
    };
    let before = update
        .before
        .as_ref()
        .map(|pinned| lookup.of_pinned(pinned));
    let before = before.transpose()?.into_iter().collect();
    let history = chosen.chain.as_ref().ok();
    let between = update.hops().into_iter().filter_map(|version| {
        let bundle = history?.bundles.get(&version)?;
        Some(of_bundle(bundle).map(|crds| (version.to_string(), crds)))
    });
    let between: Result<Vec<_>, Vec<Diagnostic>> = between.collect();
    let name = update.after.name.clone();
    let after = of_bundle(&chosen.bundle)?;
    Ok(UpdateValidator::new(
        name,
        Crds::of(before),
        after,
        between?,
    ))
}

impl Planned {
    /// Adds an update, without or with objects that tell what it harms.
    fn add(&mut self, update: PinUpdate, pin: &pin::Request, without_objects: bool) {
        if update.is_none() {
            self.updates.push(update);
            return;
        }
        self.obstacles.extend(update.obstacles(pin));
        let changes = update.changes.as_ref();
        for refused in changes.into_iter().flat_map(Changes::refused) {
            let message = format!(
                "API servers refuse this change of a CRD, or take it for another one: {refused}"
            );
            let finding = Diagnostic::new(Code::PinRefused, None, message);
            let help = "its objects have to be moved to the new CRD by hand; ask the publisher how";
            self.obstacles.push(finding.with_help(help));
        }
        let lost = update.lost();
        if !lost.is_empty() {
            let what = format!(
                "stored objects that use these lose data or fail validation: {}",
                lost.join(", ")
            );
            match without_objects {
                true => {
                    let finding = Diagnostic::new(Code::PinRefused, None, what);
                    let help = "no object of the bundle was named: name yours, or all of a cluster, as in `kubectl get KIND --all-namespaces --output json | crd-channels plan -`";
                    self.obstacles.push(finding.with_help(help));
                }
                false => self.notes.push(what),
            }
        }
        let mut broken = changes.map(Changes::broken_clients).unwrap_or_default();
        broken.retain(|place| !lost.contains(place));
        if !broken.is_empty() {
            self.notes.push(format!(
                "clients that read or write these may break, see `crd-channels pin --update --dry-run`: {}",
                broken.join(", ")
            ));
        }
        if let Some(before) = &update.before
            && before.kubernetes != update.after.kubernetes
        {
            self.notes.push(format!(
                "{} is for Kubernetes {} and newer, {} for {} and newer",
                update.after.version, update.after.kubernetes, before.version, before.kubernetes
            ));
        }
        let written = update.after.with.contains(&Part::Components);
        let manual = changes.map(|it| it.manual_steps(written));
        let needed = manual.into_iter().flatten();
        self.notes
            .extend(needed.map(|step| format!("install and start first: {step}")));
        self.steps.extend(update.steps(pin));
        self.updates.push(update);
    }
}
