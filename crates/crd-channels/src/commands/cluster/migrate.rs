//! `cluster-migrate`: writes stored objects in the version that a CRD stores now, and then says so in its status.
//!
//! An empty patch makes a server write an object again if its bytes in etcd are not those that it would write: for instance if
//! they are of an older version. An object is done once an empty patch leaves its resource version as it is; its bytes are then
//! in the storage version, no matter who wrote them. Nothing is kept between runs, so a run that was killed is simply repeated.

use super::crd;
use super::kubectl::{Called, Failure, Kubectl, Reason, patiently};
use super::leaving::Migrated;
use super::pages::{self, Visitor};
use super::report::Progress;
use super::wanted::{self, Part};
use crate::commands::crd_document::CrdDocument;
use crate::commands::records::{moving, written_in};
use crate::commands::{Outcome, here, say};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use crd_channels_diagnostics::report::counted;
use crd_channels_diagnostics::{Code, Diagnostic, Sources};
use crd_channels_released::digest::Digest;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

/// How often a page is patched until nothing changes.
const ROUNDS: u32 = 10;

/// The round from which on objects are patched in groups, and the objects of a group.
const IN_GROUPS: u32 = 3;
const GROUP: usize = 10;

/// How often a request is repeated that another writer came before.
const CONFLICTS: u32 = 10;

/// The objects that may fail before a kind is given up.
const MOST_FAILURES: usize = 10;

/// How long servers have to learn of the storage version.
const PATIENCE: Duration = Duration::from_secs(300);
const SECOND: Duration = Duration::from_secs(1);

/// What `kubectl patch` prints of each object.
const PRINTED: &str = "--output=jsonpath={.metadata.namespace}{\" \"}{.metadata.name}{\" \"}{.metadata.resourceVersion}{\"\\n\"}";

/// The arguments of `cluster-migrate`.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The cluster.
    pub kubectl: Kubectl,
    /// The names of CRDs; by default those of the lock.
    pub crds: Vec<String>,
    /// How long every answer has to name the storage version before objects are rewritten.
    pub settle: Duration,
    /// Only say what would be done.
    pub dry_run: bool,
}

/// Runs the command.
#[must_use]
pub fn run(request: &Request) -> Outcome {
    let Some(here) = here() else {
        return Outcome::CouldNotRun;
    };
    let sources = Sources::default();
    let findings = match migrate(request, &here, &sources) {
        Ok(findings) => findings,
        Err(findings) => {
            say(&findings, &sources);
            return Outcome::of_failed(&findings);
        }
    };
    say(&findings, &sources);
    Outcome::of(&findings)
}

fn migrate(
    request: &Request,
    here: &Path,
    sources: &Sources,
) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
    let kubectl = &request.kubectl;
    let mut names = request.crds.clone();
    let pinned = match names.is_empty() {
        true => wanted::pinned(here, sources)?,
        false => wanted::pinned(here, sources).unwrap_or_default(),
    };
    if names.is_empty() {
        let objects = pinned.iter().flat_map(|wanted| &wanted.objects);
        let crds = objects.filter(|object| object.part == Part::Crd);
        names.extend(crds.map(wanted::Object::title));
    }
    let (mut findings, mut open) = (Vec::new(), Vec::new());
    for name in names {
        let found = patiently(|| kubectl.find(&crd::place(&name)));
        let found = found.map_err(|it| vec![it.finding(&format!("read `{name}`"))])?;
        match found.map(CrdDocument) {
            None if request.crds.is_empty() => status!("{name}: not installed"),
            None => findings.push(incomplete(&name, "it is not installed")),
            Some(crd) => {
                let crd = Migrated {
                    pinned: pinned.iter().find_map(|wanted| wanted.crd(&name)),
                    crd,
                };
                match crd.is_done(kubectl)? {
                    true => status!("{name}: all objects are stored in {}", crd.crd.storage()),
                    false => open.push(crd),
                }
            }
        }
    }
    if request.dry_run {
        for Migrated { crd, .. } in open {
            println!(
                "{}: would rewrite objects that are not stored in {}, and remove the other versions from `status.storedVersions`, which has {}",
                crd.name(),
                crd.storage(),
                crd.stored().join(", ")
            );
        }
        return Ok(findings);
    }
    if !open.is_empty() {
        settle(kubectl, &open, request.settle)?;
    }
    for crd in &open {
        findings.extend(migrated(kubectl, crd).err());
    }
    Ok(findings)
}

/// The finding for a CRD whose objects are not all rewritten.
fn incomplete(name: &str, why: &str) -> Diagnostic {
    let message = format!("`{name}` is not migrated: {why}");
    Diagnostic::new(Code::ClusterIncomplete, None, message).with_help(
        "nothing is lost: `status.storedVersions` is reduced last. Remove the cause, and run the same command again",
    )
}

/// Waits until servers have named the storage versions for a while. A server that does not know them yet would write objects in
/// an old version again. Requests reach one server at a time, so every answer in that time has to agree.
fn settle(kubectl: &Kubectl, crds: &[Migrated], settle: Duration) -> Result<(), Vec<Diagnostic>> {
    note!(
        "waiting {} s, so that every API server writes in the storage version",
        settle.as_secs()
    );
    let start = Instant::now();
    let mut since = start;
    loop {
        for Migrated { crd, .. } in crds {
            let doing = || format!("read the storage version of `{}`", crd.name());
            let knows =
                knowingly(|| stores(kubectl, crd)).map_err(|it| vec![it.finding(&doing())])?;
            if !knows && start.elapsed() > PATIENCE {
                let why = "an API server still writes objects in another version";
                return Err(vec![incomplete(crd.name(), why)]);
            }
            if !knows {
                since = Instant::now();
            }
        }
        match settle.checked_sub(since.elapsed()) {
            None | Some(Duration::ZERO) => return Ok(()),
            Some(left) => std::thread::sleep(left.min(SECOND)),
        }
    }
}

/// Repeats a call as well while the server does not know the kind, as one that started a moment ago.
fn knowingly<T>(call: impl Fn() -> Result<T, Failure>) -> Result<T, Failure> {
    patiently(|| {
        call().map_err(|failure| match failure.reason {
            Reason::NoKind => Failure {
                reason: Reason::Transient,
                ..failure
            },
            _ => failure,
        })
    })
}

/// Whether the server that answers writes objects in the CRD's storage version: it lists a hash of it.
fn stores(kubectl: &Kubectl, crd: &CrdDocument) -> Result<bool, Failure> {
    let version = crd.listed(None).unwrap_or_default();
    let collection = crd.collection(version);
    let Some((group, plural)) = collection.rsplit_once('/') else {
        return Ok(false);
    };
    let known = kubectl.get(group)?;
    let resources = known.get("resources").and_then(Value::as_array);
    let mut resources = resources.into_iter().flatten();
    let own = resources.find(|it| it.get("name").and_then(Value::as_str) == Some(plural));
    let own = own.ok_or_else(|| Failure {
        reason: Reason::NoKind,
        message: format!("the server does not serve `{plural}`"),
    })?;
    Ok(own.get("storageVersionHash").and_then(Value::as_str) == Some(&storage_hash(crd)))
}

/// The hash that servers list for a storage version.
fn storage_hash(crd: &CrdDocument) -> String {
    let text = format!("{}/{}/{}", crd.group(), crd.storage(), crd.kind());
    let digest = Digest::of(text.as_bytes());
    let digits = digest.hex().as_bytes().chunks_exact(2).take(8);
    let digits = digits.filter_map(|pair| std::str::from_utf8(pair).ok());
    let bytes = digits.filter_map(|pair| u8::from_str_radix(pair, 16).ok());
    STANDARD.encode(bytes.collect::<Vec<u8>>())
}

/// Rewrites the objects of a CRD, and reduces its stored versions.
fn migrated(kubectl: &Kubectl, migrated: &Migrated) -> Result<(), Diagnostic> {
    let crd = &migrated.crd;
    let name = crd.name();
    let storage = crd.storage();
    let Some(version) = crd.listed(None) else {
        return Err(incomplete(name, "none of its versions is served"));
    };
    let mut rewrite = Rewrite {
        kubectl,
        migrated,
        version,
        done: 0,
        rewritten: 0,
        outdated: BTreeMap::new(),
        failures: Vec::new(),
        progress: Progress::default(),
    };
    let visited = pages::visit(kubectl, &crd.collection(version), &mut rewrite);
    visited.map_err(|it| it.finding(&format!("rewrite the objects of `{name}`")))?;
    if !rewrite.failures.is_empty() {
        return Err(incomplete(name, &rewrite.failures.join("; ")));
    }
    let trimmed = trim(kubectl, crd).map_err(|it| it.finding(&format!("update `{name}`")))?;
    trimmed.map_err(|why| incomplete(name, why))?;
    let gone = crd.stored().into_iter().filter(|it| *it != storage);
    let gone = match gone.collect::<Vec<_>>().join(", ") {
        none if none.is_empty() => none,
        gone => format!("; no longer stored: {gone}"),
    };
    status!(
        "{name}: {} stored in {storage}, {} of them rewritten{gone}",
        counted(rewrite.done, "object"),
        rewrite.rewritten,
    );
    for (version, objects) in rewrite.outdated {
        note!(
            "{} of `{name}` written in {version} by some client: apply manifests in {storage} before {version} is removed{}",
            counted(objects, "object"),
            match crd.has_webhook() {
                true => ", or servers cannot convert the fields that were recorded in it",
                false => "",
            }
        );
    }
    Ok(())
}

/// Reduces the stored versions of a CRD to its storage version, unless the CRD changed since its objects were rewritten. Returns
/// why that is not possible.
fn trim(kubectl: &Kubectl, crd: &CrdDocument) -> Result<Result<(), &'static str>, Failure> {
    let place = crd::place(crd.name());
    for _ in 0..CONFLICTS {
        let now = CrdDocument(patiently(|| kubectl.get(&place))?);
        let is_same = now.generation() == crd.generation()
            && now.0.pointer("/metadata/uid") == crd.0.pointer("/metadata/uid");
        if !is_same {
            return Ok(Err("it was changed in the meantime"));
        }
        if now.stored() == [crd.storage()] {
            return Ok(Ok(()));
        }
        if !knowingly(|| stores(kubectl, crd))? {
            return Ok(Err("an API server writes objects in another version"));
        }
        let mut patch = json!({
            "metadata": {"resourceVersion": now.resource_version()},
            "status": {"storedVersions": [crd.storage()]},
        });
        if let Some(conditions) = now.conditions_after_migration() {
            patch["status"]["conditions"] = json!(conditions);
        }
        let patch = format!("--patch={patch}");
        let arguments = [
            "patch",
            crd::RESOURCE,
            crd.name(),
            "--subresource=status",
            "--type=merge",
            &patch,
        ];
        match patiently(|| kubectl.call(&arguments, "")?.succeeded()) {
            Ok(_) => return Ok(Ok(())),
            Err(failure) if failure.reason == Reason::Conflict => {}
            Err(failure) => return Err(failure),
        }
    }
    Ok(Err("others change it all the time"))
}

/// An object by its namespace, which is empty if it has none, and its name.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
struct Key {
    namespace: String,
    name: String,
}

/// Objects with the resource versions that they had last.
type Objects = BTreeMap<Key, String>;

/// What a patch does.
#[derive(Clone, Copy)]
enum Change<'p> {
    /// The server writes the object if it stores it otherwise.
    None,
    /// A JSON patch.
    Json(&'p str),
}

/// Rewrites objects page by page.
struct Rewrite<'c> {
    kubectl: &'c Kubectl,
    migrated: &'c Migrated,
    /// The version that objects are read in.
    version: &'c str,
    done: usize,
    rewritten: usize,
    /// How many objects have fields that were recorded in another version than the storage version.
    outdated: BTreeMap<String, usize>,
    failures: Vec<String>,
    progress: Progress,
}

impl Visitor for Rewrite<'_> {
    fn begin(&mut self) {
        self.done = 0;
        self.outdated.clear();
        self.failures.clear();
    }

    fn page(&mut self, items: &[Value]) -> Result<(), Failure> {
        for item in items {
            let versions = written_in(item, self.migrated.crd.group()).into_iter();
            for version in versions.filter(|it| *it != self.migrated.crd.storage()) {
                *self.outdated.entry(version.to_owned()).or_default() += 1;
            }
        }
        let before: Objects = items.iter().filter_map(key_and_version).collect();
        let mut open = before.clone();
        open.extend(self.moved(items)?);
        for round in 0..ROUNDS {
            std::thread::sleep(round * SECOND / 10);
            // The next round patches what this one changed.
            open = match round {
                ..IN_GROUPS => {
                    let patched = self.patched(&open)?;
                    if round == 0 {
                        self.rewritten += changed(&before, patched.clone()).len();
                    }
                    changed(&open, patched)
                }
                _ => self.patched_in_groups(&open)?,
            };
            if open.is_empty() {
                break;
            }
        }
        let busy = open
            .keys()
            .map(|key| format!("{} is written all the time", key.shown()));
        self.failures.extend(busy);
        if self.failures.len() >= MOST_FAILURES {
            return Err(Failure {
                reason: Reason::Other,
                message: self.failures.join("; "),
            });
        }
        self.done += before.len();
        let name = self.migrated.crd.name();
        self.progress
            .tell(|| format!("`{name}`: {} objects done", self.done));
        Ok(())
    }
}

impl Key {
    fn shown(&self) -> String {
        match self.namespace.is_empty() {
            true => format!("`{}`", self.name),
            false => format!("`{}/{}`", self.namespace, self.name),
        }
    }
}

/// The objects with other resource versions than before.
fn changed(before: &Objects, mut now: Objects) -> Objects {
    now.retain(|key, version| before.get(key) != Some(version));
    now
}

fn key_and_version(item: &Value) -> Option<(Key, String)> {
    let text = |key: &str| item.get("metadata")?.get(key)?.as_str().map(str::to_owned);
    let key = Key {
        namespace: text("namespace").unwrap_or_default(),
        name: text("name")?,
    };
    Some((key, text("resourceVersion")?))
}

impl Rewrite<'_> {
    /// The patch that moves the records of an object.
    fn moving(&self, object: &Value) -> Option<String> {
        let is_leaving = |version: &str| self.migrated.is_leaving(version);
        moving(object, &self.migrated.crd, is_leaving)
    }

    /// Moves the records of objects, and returns the resource versions of those that changed.
    fn moved(&mut self, items: &[Value]) -> Result<Objects, Failure> {
        let mut groups: BTreeMap<String, BTreeSet<Key>> = BTreeMap::new();
        for item in items {
            if let (Some(patch), Some((key, _))) = (self.moving(item), key_and_version(item)) {
                groups.entry(patch).or_default().insert(key);
            }
        }
        let mut moved = Objects::new();
        for (patch, keys) in groups {
            let keys: Vec<&Key> = keys.iter().collect();
            let done = self.patch_all(&keys, Change::Json(&patch))?;
            for key in keys.into_iter().filter(|key| !done.contains_key(key)) {
                let again = self.alone(key, |own| {
                    let item = own.kubectl.get(&own.place(key))?;
                    let Some(patch) = own.moving(&item) else {
                        return Ok(String::new());
                    };
                    let patched = own.patch(&[key], Change::Json(&patch))?.succeeded();
                    // A test of the patch fails if another writer came before.
                    patched.map_err(|failure| match failure.reason {
                        Reason::Other => Failure {
                            reason: Reason::Conflict,
                            ..failure
                        },
                        _ => failure,
                    })
                });
                moved.extend(again?);
            }
            moved.extend(done);
        }
        Ok(moved)
    }

    /// Patches objects with nothing, and returns their resource versions afterwards, without objects that are gone.
    fn patched(&mut self, objects: &Objects) -> Result<Objects, Failure> {
        let keys: Vec<&Key> = objects.keys().collect();
        let mut patched = self.patch_all(&keys, Change::None)?;
        let known: BTreeSet<Key> = patched.keys().cloned().collect();
        for key in keys.into_iter().filter(|key| !known.contains(key)) {
            let again = self.alone(key, |own| own.patch(&[key], Change::None)?.succeeded());
            patched.extend(again?);
        }
        Ok(patched)
    }

    /// Patches a few objects at a time, and again at once, so that other writers seldom come between. Returns those that changed.
    fn patched_in_groups(&mut self, objects: &Objects) -> Result<Objects, Failure> {
        let mut left = Objects::new();
        let all: Vec<(&Key, &String)> = objects.iter().collect();
        for group in all.chunks(GROUP) {
            let group = group
                .iter()
                .map(|(key, version)| ((*key).clone(), (*version).clone()));
            let first = self.patched(&group.collect())?;
            let second = self.patched(&first)?;
            left.extend(changed(&first, second));
        }
        Ok(left)
    }

    /// Patches objects together, and returns those for which that worked.
    fn patch_all(&self, keys: &[&Key], change: Change<'_>) -> Result<Objects, Failure> {
        let text = knowingly(|| {
            let called = self.patch(keys, change)?;
            match called.failure {
                Some(failure) if matches!(failure.reason, Reason::Transient | Reason::NoKind) => {
                    Err(failure)
                }
                _ => Ok(called.printed),
            }
        })?;
        Ok(printed(&text))
    }

    /// Patches an object that was not patched with the others.
    fn alone(
        &mut self,
        key: &Key,
        patch: impl Fn(&Self) -> Result<String, Failure>,
    ) -> Result<Objects, Failure> {
        let mut repeated = 0;
        loop {
            match knowingly(|| patch(self)) {
                Ok(text) => return Ok(printed(&text)),
                Err(failure) if failure.reason == Reason::NotFound => return Ok(Objects::new()),
                Err(failure) if failure.reason == Reason::Conflict && repeated < CONFLICTS => {
                    repeated += 1;
                    std::thread::sleep(repeated * SECOND / 20);
                }
                Err(failure) if failure.reason == Reason::Forbidden => return Err(failure),
                Err(failure) => {
                    let said = format!("{}: {}", key.shown(), failure.message);
                    if !self.failures.contains(&said) {
                        self.failures.push(said);
                    }
                    return Ok(Objects::new());
                }
            }
        }
    }

    /// The path of an object.
    fn place(&self, key: &Key) -> String {
        let collection = self.migrated.crd.collection(self.version);
        match (key.namespace.is_empty(), collection.rsplit_once('/')) {
            (false, Some((group, plural))) => {
                format!("{group}/namespaces/{}/{plural}/{}", key.namespace, key.name)
            }
            _ => format!("{collection}/{}", key.name),
        }
    }

    fn patch(&self, keys: &[&Key], change: Change<'_>) -> Result<Called, Failure> {
        let items = keys.iter().map(|key| {
            let mut metadata = json!({"name": key.name});
            if !key.namespace.is_empty() {
                metadata["namespace"] = key.namespace.clone().into();
            }
            json!({
                "apiVersion": format!("{}/{}", self.migrated.crd.group(), self.version),
                "kind": self.migrated.crd.kind(),
                "metadata": metadata,
            })
        });
        let list = json!({"apiVersion": "v1", "kind": "List", "items": items.collect::<Vec<_>>()});
        let (ty, patch) = match change {
            Change::None => ("--type=merge", "{}"),
            Change::Json(patch) => ("--type=json", patch),
        };
        let patch = format!("--patch={patch}");
        let arguments = ["patch", "--filename=-", ty, &patch, PRINTED];
        self.kubectl.call(&arguments, &list.to_string())
    }
}

/// Reads what `kubectl patch` printed.
fn printed(text: &str) -> Objects {
    let lines = text.lines().filter_map(|line| {
        let mut words = line.split(' ');
        let (namespace, name, version) = (words.next()?, words.next()?, words.next()?);
        let key = Key {
            namespace: namespace.to_owned(),
            name: name.to_owned(),
        };
        Some((key, version.to_owned()))
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::storage_hash;
    use crate::commands::crd_document::CrdDocument;
    use serde_json::json;

    /// The hash that a kube-apiserver 1.37 lists.
    #[test]
    fn a_storage_version_has_the_hash_of_servers() {
        let crd = CrdDocument(json!({"spec": {
            "group": "example.com",
            "names": {"kind": "Route"},
            "versions": [{"name": "v1", "storage": true}],
        }}));
        assert_eq!(storage_hash(&crd), "Vjmtpge9ZzI=");
    }
}
