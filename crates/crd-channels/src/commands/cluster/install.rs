//! `cluster-install`: installs the pinned bundles, or upgrades to them, unless that would lose something.

use super::crd;
use super::drift;
use super::kubectl::{Failure, Kubectl, Reason, parsed, patiently};
use super::usage::{self, Affected, Effect, ObjectCounts, Replacement};
use super::wanted::{self, Object, Observed, Part, Wanted};
use crate::commands::crd_document::CrdDocument;
use crate::commands::{Outcome, here, list_names, say};
use crd_channels_diagnostics::report::counted;
use crd_channels_diagnostics::{Code, Diagnostic, Sources, shell};
use crd_channels_projection::bundle::version::BundleVersion;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

/// The manager of the fields that are applied.
const MANAGER: &str = "--field-manager=crd-channels";

/// How long a server has to establish a CRD, and to enforce a policy.
const PATIENCE: Duration = Duration::from_secs(60);
const POLICY_PATIENCE: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_millis(500);

/// The most fields that a message names.
const MOST_FIELDS: usize = 5;

/// The arguments of `cluster-install`.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The cluster.
    pub kubectl: Kubectl,
    /// Install a bundle that is older than the installed one.
    pub allow_downgrade: bool,
    /// Install CRDs that drop what objects have.
    pub allow_data_loss: bool,
    /// Take over fields that others manage.
    pub force_conflicts: bool,
    /// Let the server try everything without storing it.
    pub dry_run: bool,
}

/// Runs the command.
#[must_use]
pub fn run(request: &Request) -> Outcome {
    let Some(here) = here() else {
        return Outcome::CouldNotRun;
    };
    let sources = Sources::default();
    match install(request, &here, &sources) {
        Ok(()) => Outcome::Clean,
        Err(findings) => {
            say(&findings, &sources);
            Outcome::of_failed(&findings)
        }
    }
}

fn install(request: &Request, here: &Path, sources: &Sources) -> Result<(), Vec<Diagnostic>> {
    let all = wanted::pinned(here, sources)?;
    let mut steps: Vec<Step<'_>> = Vec::new();
    for wanted in &all {
        let observed = wanted.observed(&request.kubectl)?.into_iter();
        steps.extend(observed.map(|observed| Step { wanted, observed }));
    }
    let mut refused = Vec::new();
    for step in &steps {
        refused.extend(request.refusals(step)?);
    }
    // What the server refuses of a CRD that is there already is known before the first one is installed.
    if refused.is_empty() && !request.dry_run {
        let changed = steps.iter().filter(|step| {
            let is_there = step.observed.live.is_some() && !step.is_in_place();
            is_there && step.object().part == Part::Crd
        });
        refused.extend(changed.filter_map(|step| request.try_out(step.object()).err()));
    }
    if !refused.is_empty() {
        return Err(refused);
    }
    for (number, step) in steps.iter().enumerate() {
        match request.carry_out(step) {
            Err(finding) if request.dry_run => refused.push(finding),
            Err(finding) => {
                // What is not served yet is installed.
                let is_installed = finding.code == Code::ClusterIncomplete;
                let number = number + usize::from(is_installed);
                let (done, left) = steps.split_at_checked(number).unwrap_or_default();
                return Err(vec![finding, stopped(done, left)]);
            }
            Ok(()) => {}
        }
    }
    if !refused.is_empty() {
        return Err(refused);
    }
    for wanted in &all {
        for finding in wanted.left_over(&request.kubectl)? {
            let help = finding.help.unwrap_or_default();
            note!("{}; {help}", finding.message);
        }
    }
    Ok(())
}

/// An object to install.
struct Step<'w> {
    wanted: &'w Wanted,
    observed: Observed<'w>,
}

impl Step<'_> {
    fn object(&self) -> &Object {
        self.observed.object
    }

    fn is_in_place(&self) -> bool {
        self.observed.live.is_some() && self.observed.drift.is_empty()
    }

    /// The bundle that the server's CRD is of.
    fn installed(&self) -> Option<BundleVersion> {
        let live = self.observed.live.as_ref()?;
        live.stamp(self.wanted.prefix())?.bundle_version()
    }

    /// Says how to see the bundles between. `pin` knows the way from what the lock has, which is past them here.
    fn commands_for_the_way(&self) -> Option<String> {
        let (pinned, installed) = (self.wanted.pinned.as_ref()?, self.installed()?);
        // It is not that bundle, whatever it says, if it has a version more.
        if installed == pinned.version {
            return None;
        }
        let update = format!("crd-channels pin --update {}", shell::word(&pinned.name));
        let requirement = shell::word(&pinned.requirement.to_string());
        Some(format!(
            ": `{update} --version {installed} --allow-downgrade --allow-data-loss` pins what is installed, then `{update} --version {requirement}` prints the way"
        ))
    }
}

/// The fields of objects that a CRD affects, by what it does to them.
fn affected(counts: &ObjectCounts) -> BTreeMap<Effect, Vec<String>> {
    let mut by_effect: BTreeMap<Effect, Vec<String>> = BTreeMap::new();
    for (
        Affected {
            effect,
            version,
            field,
        },
        objects,
    ) in &counts.affected
    {
        let objects = counted(*objects, "object");
        let fields = by_effect.entry(*effect).or_default();
        fields.push(format!("{version} {field} in {objects}"));
    }
    by_effect
}

/// Says what stands where after a failure.
fn stopped(done: &[Step<'_>], left: &[Step<'_>]) -> Diagnostic {
    let titles = |steps: &[Step<'_>]| -> Vec<String> {
        steps.iter().map(|step| step.object().title()).collect()
    };
    let done = match done {
        [] => "nothing was installed".to_owned(),
        done => format!(
            "installed as pinned: {}",
            list_names(&titles(done), done.len())
        ),
    };
    let left = match left {
        [] => String::new(),
        left => format!(
            "; still as before: {}",
            list_names(&titles(left), left.len())
        ),
    };
    Diagnostic::new(Code::ClusterIncomplete, None, done + &left)
        .with_help("run the same command again after you removed the cause: it goes on from there")
}

impl Request {
    /// Returns why an object must not be installed.
    fn refusals(&self, step: &Step<'_>) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        let (Some(live), Part::Crd) = (&step.observed.live, step.object().part) else {
            return Ok(Vec::new());
        };
        let (name, after) = (
            step.object().title(),
            CrdDocument(step.object().document.clone()),
        );
        let mut refused = Vec::new();
        let mut refuse = |message: String, help: &str| {
            let finding = Diagnostic::new(Code::ClusterRefused, None, message);
            refused.push(finding.with_help(help));
        };
        let pinned = step.wanted.pinned.as_ref().map(|pinned| &pinned.version);
        if let (Some(pinned), Some(installed)) = (pinned, step.installed())
            && installed > *pinned
            && !self.allow_downgrade
        {
            refuse(
                format!("`{name}` is of {installed}, which is newer than {pinned}"),
                "pin a bundle that is not older, or add `--allow-downgrade`",
            );
        }
        if live.is_being_deleted() {
            refuse(
                format!("`{name}` is being deleted, with all of its objects"),
                "wait until it is gone, then run the same command again; what keeps it are finalizers",
            );
            return Ok(refused);
        }
        let stored = live.stored().into_iter();
        let lost: Vec<&str> = stored.filter(|it| after.schema(it).is_none()).collect();
        if !lost.is_empty() {
            let lacks = list_names(&lost, lost.len());
            refuse(
                format!("objects of `{name}` may be stored in {lacks}, which the pinned CRD lacks"),
                &match lost.contains(&live.storage()) {
                    true => format!(
                        "install a bundle between the two first, which stores objects in another version{}",
                        step.commands_for_the_way().unwrap_or_default()
                    ),
                    false => {
                        format!("rewrite them first: `crd-channels cluster-migrate {name}`")
                    }
                },
            );
        }
        if !self.allow_data_loss && !step.is_in_place() {
            let replacement = Replacement {
                before: live,
                after: &after,
            };
            let counts = usage::count(&self.kubectl, live, Some(replacement))?;
            let named = self.command_that_names_the_objects(step);
            for (effect, fields) in affected(&counts) {
                let fields = list_names(&fields, MOST_FIELDS);
                match effect.refusal() {
                    Some(why) => refuse(
                        format!("the pinned `{name}` {why}: {fields}"),
                        &match effect {
                            Effect::Unserved => format!(
                                "`crd-channels cluster-migrate {name}` moves what servers recorded; clients have to write another version from now on"
                            ),
                            _ => format!(
                                "`{named}` names the objects; correct them, pin another bundle or channel, or add `--allow-data-loss`"
                            ),
                        },
                    ),
                    None => note!(
                        "the pinned `{name}` changes what objects have: {fields}; `{named}` names them"
                    ),
                }
            }
        }
        Ok(refused)
    }

    /// Says which objects a CRD affects, and why.
    fn command_that_names_the_objects(&self, step: &Step<'_>) -> String {
        let options = self.kubectl.options.iter();
        let options: String = options.map(|it| format!("{} ", shell::word(it))).collect();
        let folder = step.wanted.pinned.as_ref().map(|pinned| &*pinned.folder);
        let folder = shell::word(folder.unwrap_or("."));
        format!("crd-channels plan --cluster {options}--after {folder}")
    }

    /// Lets the server try an object.
    fn try_out(&self, object: &Object) -> Result<(), Diagnostic> {
        let document = object.document.to_string();
        let live = self.apply(&document, self.force_conflicts, true);
        let live = live.map_err(|failure| not_applied(object, &failure))?;
        self.without_others(object, &live)
    }

    /// Installs an object, and waits until it takes effect.
    fn carry_out(&self, step: &Step<'_>) -> Result<(), Diagnostic> {
        let object = step.object();
        let title = object.title();
        if step.is_in_place() {
            status!("{title}: as pinned");
        } else {
            match self.apply(
                &object.document.to_string(),
                self.force_conflicts,
                self.dry_run,
            ) {
                Ok(live) if self.dry_run => {
                    self.without_others(object, &live)?;
                    println!("{title}: would be installed");
                }
                Ok(live) => {
                    self.remove_others(object, &live)?;
                    status!("{title}: installed");
                }
                Err(failure)
                    if self.dry_run
                        && matches!(failure.reason, Reason::NotFound | Reason::NoKind) =>
                {
                    println!("{title}: would be installed once its kind is");
                }
                Err(failure) => return Err(not_applied(object, &failure)),
            }
        }
        if self.dry_run {
            return Ok(());
        }
        match object.part {
            Part::Crd => self.wait_until_established(&title),
            Part::Policy if !step.is_in_place() => {
                self.wait_until_enforced(step);
                Ok(())
            }
            Part::Policy | Part::Component => Ok(()),
        }
    }

    /// Applies an object, and returns what the server has then.
    fn apply(&self, document: &str, force: bool, dry_run: bool) -> Result<Value, Failure> {
        let mut arguments = vec!["apply", "--server-side", MANAGER, "--filename=-"];
        arguments.push("--output=json");
        arguments.extend(force.then_some("--force-conflicts"));
        arguments.extend(dry_run.then_some("--dry-run=server"));
        let text = patiently(|| self.kubectl.call(&arguments, document)?.succeeded())?;
        parsed(&text, "apply")
    }

    /// What others added to a CRD, which an apply leaves.
    fn added_by_others(object: &Object, live: &Value) -> Vec<String> {
        match object.part {
            Part::Crd => drift::differences(&object.document, live),
            Part::Policy | Part::Component => Vec::new(),
        }
    }

    /// Refuses what others added, unless it is to be removed.
    fn without_others(&self, object: &Object, live: &Value) -> Result<(), Diagnostic> {
        let left = Self::added_by_others(object, live);
        if left.is_empty() || self.force_conflicts {
            return Ok(());
        }
        let (title, left) = (object.title(), list_names(&left, MOST_FIELDS));
        let message = format!("others set fields of `{title}` that the pinned CRD lacks: {left}");
        let help = "remove them there, or add `--force-conflicts`";
        Err(Diagnostic::new(Code::ClusterRefused, None, message).with_help(help))
    }

    /// Removes what others added, if that is wanted.
    fn remove_others(&self, object: &Object, live: &Value) -> Result<(), Diagnostic> {
        self.without_others(object, live)?;
        if Self::added_by_others(object, live).is_empty() {
            return Ok(());
        }
        let title = object.title();
        let at = "/spec/conversion/webhook/clientConfig";
        let mut spec = object.document.get("spec").cloned().unwrap_or_default();
        let injected = live.pointer(&format!("{at}/caBundle"));
        let place = spec.pointer_mut(at.trim_start_matches("/spec"));
        if let (Some(Value::Object(place)), Some(injected)) = (place, injected) {
            place.entry("caBundle").or_insert(injected.clone());
        }
        let version = live.pointer("/metadata/resourceVersion");
        let patch = json!([
            {"op": "test", "path": "/metadata/resourceVersion", "value": version},
            {"op": "replace", "path": "/spec", "value": spec},
        ]);
        let patch = format!("--patch={patch}");
        let arguments = [
            "patch",
            crd::RESOURCE,
            &title,
            MANAGER,
            "--type=json",
            &patch,
        ];
        let patched = patiently(|| self.kubectl.call(&arguments, "")?.succeeded());
        patched
            .map(drop)
            .map_err(|failure| not_applied(object, &failure))
    }

    fn wait_until_established(&self, name: &str) -> Result<(), Diagnostic> {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            let live = patiently(|| self.kubectl.find(&crd::place(name)));
            let live = live.map_err(|it| it.finding(&format!("read `{name}`")))?;
            let live = live.map(CrdDocument);
            let is_in_use = |live: &CrdDocument| {
                live.has_condition("Established") && live.out_of_use().is_empty()
            };
            if live.is_some_and(|live| is_in_use(&live)) {
                return Ok(());
            }
            std::thread::sleep(PAUSE);
        }
        let message = format!("the API server does not serve `{name}`");
        Err(
            Diagnostic::new(Code::ClusterIncomplete, None, message).with_help(format!(
                "`kubectl describe customresourcedefinition {name}` says why"
            )),
        )
    }

    /// Waits until the policy against older bundles is enforced: until the server refuses a CRD of version 0.
    fn wait_until_enforced(&self, step: &Step<'_>) {
        let policy = step.object();
        let mut objects = step.wanted.objects.iter();
        let tried = objects.find(|object| object.part == Part::Crd);
        let is_guard = policy.kind() == "ValidatingAdmissionPolicyBinding"
            && policy.title().contains(" safe-upgrades.");
        let Some(mut tried) = tried.filter(|_| is_guard).map(|it| it.document.clone()) else {
            return;
        };
        let key = format!("{}/bundle-version", step.wanted.prefix());
        if let Some(annotations) = tried.pointer_mut("/metadata/annotations") {
            annotations[key] = "v0.0.0".into();
        }
        let start = Instant::now();
        while start.elapsed() < POLICY_PATIENCE {
            match self.apply(&tried.to_string(), true, true) {
                Err(failure) if failure.message.contains("denied") => return,
                _ => std::thread::sleep(PAUSE),
            }
        }
        note!("it could not be seen that `{}` is enforced", policy.title());
    }
}

/// The finding for an object that the server did not take.
fn not_applied(object: &Object, failure: &Failure) -> Diagnostic {
    let title = object.title();
    // Servers quote what they refuse.
    let message = match object.kind() {
        "Secret" => "the server does not take it",
        _ => &failure.message,
    };
    let refused = |help: &str| {
        let message = format!("`{title}` cannot be installed: {message}");
        Diagnostic::new(Code::ClusterRefused, None, message).with_help(help)
    };
    match failure.reason {
        Reason::Owned => {
            refused("let that manager install it, or take its fields over with `--force-conflicts`")
        }
        Reason::Forbidden | Reason::Transient => failure.finding(&format!("install `{title}`")),
        _ => refused("remove what the message names, then run the same command again"),
    }
}
