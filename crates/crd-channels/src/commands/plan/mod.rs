//! `plan`: says what an update of pinned bundles does to objects, and the commands that carry it out.

mod cluster;
mod new_crds;
mod report;

use super::cluster::Kubectl;
use super::object_update::{self, UpdateCrds, UpdateValidator};
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
    /// The CRDs before, if not those of the lock; as for `validate --crds`.
    pub before: Option<String>,
    /// The CRDs to change to, in place of an update of the lock.
    pub after: Option<String>,
    /// The cluster whose objects are compared too, with the CRDs that it has.
    pub cluster: Option<Kubectl>,
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
    /// What is compared, in a few words each.
    titles: Vec<String>,
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

/// The document that `--format json` prints in a folder.
#[must_use]
pub fn document(request: &Request, here: &Path) -> Value {
    let sources = Sources::default();
    let planned = plan(request, here, &sources);
    report::json(&planned.as_ref().map_err(Vec::as_slice), &sources)
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
    let (inputs, unread) = inputs(&request.paths);
    let has_objects = !inputs.is_empty() || !unread.is_empty() || request.cluster.is_some();
    let (updates, sets) = match &request.after {
        Some(after) => (Vec::new(), vec![of_crds(request, after, here, sources)?]),
        None => {
            let updates = pin::updates(&pin, here, sources)?;
            let sets = updates.iter().filter(|_| has_objects);
            let sets: Result<_, Vec<Diagnostic>> = sets
                .map(|update| of_bundles(request, update, here))
                .collect();
            (updates, sets?)
        }
    };
    let mut planned = Planned::default();
    if let Some(after) = &request.after {
        let before = match (&request.before, &request.cluster) {
            (Some(before), _) => before,
            (None, Some(_)) => "what the cluster has",
            (None, None) => "bundle.lock",
        };
        planned.titles.push(format!("{before} to {after}"));
    }
    let has_way = updates
        .iter()
        .any(|(_, update)| update.migration(&pin).is_some());
    let sets = match &request.cluster {
        Some(kubectl) => cluster::as_installed(kubectl, sets, &mut planned.notes)?,
        None => sets,
    };
    for set in &sets {
        if request.after.is_some() {
            planned.obstacles.extend(new_crds::refused(set));
            planned.notes.extend(set.after.notes());
        } else if request.cluster.is_some() && !has_way {
            planned.obstacles.extend(new_crds::changed(set));
        }
    }
    let validators: Vec<UpdateValidator> = sets.into_iter().map(UpdateValidator::new).collect();
    let validate = |object: &Value| object_update::validate(&validators, object, false);
    planned.objects = validate_all(&inputs, unread, &validate, sources);
    if let Some(kubectl) = &request.cluster {
        let stored = |object: &Value| object_update::validate(&validators, object, true);
        let found = cluster::validated(kubectl, &validators, &stored)?;
        planned.objects.files.extend(found);
    }
    planned
        .notes
        .extend(object_update::not_compared(&validators, &planned.objects));
    let without_objects = planned.objects.objects().next().is_none();
    if without_objects && request.after.is_some() {
        let harm = validators
            .iter()
            .map(|update| new_crds::harm(&update.before.crds, &update.after.crds));
        planned.obstacles.extend(new_crds::unasked(harm.collect()));
    }
    for (_, update) in updates {
        planned.add(update, &pin, without_objects);
    }
    Ok(planned)
}

/// The CRDs of two sources of any origin.
fn of_crds(
    request: &Request,
    after: &str,
    here: &Path,
    sources: &Sources,
) -> Result<UpdateCrds, Vec<Diagnostic>> {
    let lookup = Lookup {
        here,
        channel: request.channel.as_deref(),
        offline: request.offline,
    };
    let named = |name: &str| {
        let mut found = lookup.named(name)?;
        match found.missing.take() {
            Some(missing) => Err(vec![missing]),
            None => Ok(found),
        }
    };
    let before = match &request.before {
        Some(before) => vec![named(before)?],
        None if request.cluster.is_some() => Vec::new(),
        None => lookup.pinned(sources)?.ok_or_else(pin::no_lock)?,
    };
    Ok(UpdateCrds {
        name: after.to_owned(),
        before: Crds::of(before),
        after: Crds::of(vec![named(after)?]),
        between: Vec::new(),
    })
}

/// The CRDs that are pinned, those of the chosen bundle, and those of the bundles on the way.
fn of_bundles(
    request: &Request,
    (chosen, update): &(Chosen, PinUpdate),
    here: &Path,
) -> Result<UpdateCrds, Vec<Diagnostic>> {
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
    Ok(UpdateCrds {
        name: update.after.name.clone(),
        before: Crds::of(before),
        after: of_bundle(&chosen.bundle)?,
        between: between?,
    })
}

impl Planned {
    /// Adds an update, without or with objects that tell what it harms.
    fn add(&mut self, update: PinUpdate, pin: &pin::Request, without_objects: bool) {
        if update.is_none() {
            self.updates.push(update);
            return;
        }
        self.obstacles.extend(update.obstacles(pin));
        let steps = update.steps(pin);
        match update.migration(pin) {
            // Who follows the commands below needs nothing else.
            Some(way) if !steps.is_empty() => self.notes.push(way.message),
            way => self.obstacles.extend(way),
        }
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
                    let help = "no object of the bundle was named: name yours, or add `--cluster` for those of a cluster";
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
        self.steps.extend(steps);
        self.updates.push(update);
    }
}
