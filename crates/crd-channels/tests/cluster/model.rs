//! A model of an API server behind a `kubectl` that passes on its calls: a script writes each call into a folder, and a thread of
//! the test answers. Objects are stored in a version, as in etcd, which no client sees.

use super::support::Workspace;
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Passes a call on, and waits for its answer.
const KUBECTL: &str = r#"#!/bin/sh
call=$(mktemp -d "$CALLS/new.XXXXXX") || exit 99
for argument in "$@"; do printf '%s\n' "$argument" | tr '\n' ' ' >> "$call/arguments"; echo >> "$call/arguments"; done
cat > "$call/input"
mv "$call" "$CALLS/call.$$"
call="$CALLS/call.$$"
waited=0
while [ ! -e "$call/code" ]; do sleep 0.02; waited=$((waited + 1)); [ "$waited" -lt 3000 ] || exit 98; done
cat "$call/printed"
cat "$call/error" >&2
code=$(cat "$call/code")
mv "$call" "$CALLS/done.$$" && rm -r "$CALLS/done.$$"
exit "$code"
"#;

/// An object in etcd.
#[derive(Clone, Debug)]
pub struct Stored {
    /// The version of its bytes.
    pub version: String,
    /// The number of its last write.
    pub revision: u64,
    /// What clients see, without its version.
    pub object: Value,
}

/// What goes wrong with a call.
#[derive(Clone, Debug)]
pub struct Fault {
    /// The call has a word that begins so.
    pub at: &'static str,
    /// How many such calls pass before.
    pub after: usize,
    /// The error, as `kubectl` prints it.
    pub error: &'static str,
}

/// A change by others, just before the nth call that has a word that begins so.
pub type Other = (&'static str, usize, fn(&mut Server));

#[derive(Default)]
pub struct Server {
    pub crds: BTreeMap<String, Value>,
    /// Objects of CRDs by plural, namespace and name.
    pub objects: BTreeMap<(String, String, String), Stored>,
    /// Other objects by kind and name.
    pub others: BTreeMap<(String, String), Value>,
    pub revision: u64,
    /// The most objects of a page.
    pub page: usize,
    /// Whether tokens of lists have a form that clients do not know.
    pub has_own_tokens: bool,
    /// The version that a server writes in which did not see the last change of a CRD, and how many calls it answers.
    pub behind: Option<(&'static str, usize)>,
    pub faults: Vec<Fault>,
    pub changes: VecDeque<Other>,
    /// Every call, as it was typed.
    pub calls: Vec<String>,
}

/// The server, and the folder that `kubectl` writes into.
pub struct Cluster {
    pub server: Arc<Mutex<Server>>,
    folder: PathBuf,
}

impl Cluster {
    /// Starts a server for a workspace.
    pub fn start(workspace: &Workspace) -> Self {
        let folder = workspace.path("kubectl-calls");
        fs::create_dir_all(&folder).unwrap();
        workspace.write("bin/kubectl", KUBECTL);
        let script = workspace.path("bin/kubectl");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
        }
        let server = Arc::new(Mutex::new(Server {
            page: 2,
            revision: 100,
            ..Server::default()
        }));
        let (known, calls) = (Arc::downgrade(&server), folder.clone());
        std::thread::spawn(move || {
            while let Some(server) = known.upgrade() {
                answer_all(&server, &calls);
                drop(server);
                std::thread::sleep(Duration::from_millis(3));
            }
        });
        Self { server, folder }
    }

    pub fn lock(&self) -> MutexGuard<'_, Server> {
        self.server.lock().unwrap()
    }

    /// Lets a command use this `kubectl`.
    pub fn serve<'c>(
        &self,
        command: &'c mut std::process::Command,
    ) -> &'c mut std::process::Command {
        let bin = self.folder.with_file_name("bin");
        let path = std::env::var("PATH").unwrap();
        command
            .env("PATH", format!("{}:{path}", bin.display()))
            .env("CALLS", &self.folder)
    }
}

fn answer_all(server: &Mutex<Server>, calls: &Path) {
    for entry in fs::read_dir(calls).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_call = entry.file_name().to_str().unwrap().starts_with("call.");
        if !is_call || path.join("code").exists() {
            continue;
        }
        // `kubectl` takes a call that is answered away, possibly just before this line.
        let Ok(arguments) = fs::read_to_string(path.join("arguments")) else {
            continue;
        };
        let input = fs::read_to_string(path.join("input")).unwrap_or_default();
        let arguments: Vec<&str> = arguments.lines().map(str::trim_end).collect();
        let answer = std::panic::AssertUnwindSafe(|| {
            let mut server = server.lock().unwrap_or_else(PoisonError::into_inner);
            server.answer(&arguments, &input)
        });
        // The test sees a command that fails, and a poisoned lock.
        let answer = std::panic::catch_unwind(answer);
        let (printed, error) =
            answer.unwrap_or_else(|_| (String::new(), "the model panicked\n".to_owned()));
        // A killed `kubectl` leaves no folder.
        let _ = fs::write(path.join("printed"), printed);
        let _ = fs::write(path.join("error"), &error);
        let _ = fs::write(
            path.join("code.new"),
            if error.is_empty() { "0" } else { "1" },
        );
        let _ = fs::rename(path.join("code.new"), path.join("code"));
    }
}

type Answer = Result<String, String>;

fn not_found(what: &str) -> String {
    format!("Error from server (NotFound): {what} not found\n")
}

fn text<'v>(value: &'v Value, pointer: &str) -> &'v str {
    value
        .pointer(pointer)
        .and_then(Value::as_str)
        .unwrap_or_default()
}

/// Returns an object after a JSON patch; `None` if a test of it fails.
fn patched(object: &Value, patch: &Value) -> Option<Value> {
    let mut object = object.clone();
    for step in patch.as_array().into_iter().flatten() {
        let path = text(step, "/path");
        let place = object.pointer_mut(path)?;
        match text(step, "/op") {
            "test" if *place == step["value"] => {}
            "test" => return None,
            "replace" => *place = step["value"].clone(),
            "remove" => {
                let (list, at) = path.rsplit_once('/').unwrap();
                let list = object.pointer_mut(list)?.as_array_mut()?;
                list.remove(at.parse().unwrap());
            }
            other => panic!("{other}"),
        }
    }
    Some(object)
}

/// Sets what servers set.
fn with_default(crd: &mut Value) {
    if crd["spec"]["conversion"].is_null() {
        crd["spec"]["conversion"] = json!({"strategy": "None"});
    }
}

fn storage(crd: &Value) -> &str {
    let mut versions = crd["spec"]["versions"].as_array().unwrap().iter();
    versions.find(|it| it["storage"] == true).unwrap()["name"]
        .as_str()
        .unwrap()
}

impl Server {
    /// Adds an object of a CRD, stored in a version in which a client wrote it.
    pub fn add(&mut self, plural: &str, name: &str, version: &str, spec: Value) {
        self.revision += 1;
        let managed = json!([{"manager": "kubectl", "operation": "Update", "apiVersion": format!("example.com/{version}")}]);
        let object = json!({"metadata": {"name": name, "namespace": "default", "managedFields": managed}, "spec": spec});
        let stored = Stored {
            version: version.to_owned(),
            revision: self.revision,
            object,
        };
        let key = (plural.to_owned(), "default".to_owned(), name.to_owned());
        self.objects.insert(key, stored);
    }

    /// Installs a CRD, as it is.
    pub fn install(&mut self, mut crd: Value) {
        let name = text(&crd, "/metadata/name").to_owned();
        self.revision += 1;
        let before = self.crds.remove(&name).unwrap_or_default();
        let mut stored: Vec<Value> = before["status"]["storedVersions"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        let now = Value::from(storage(&crd));
        stored.retain(|it| *it != now);
        stored.push(now);
        let served = |it: &Value| {
            crd["spec"]["versions"]
                .as_array()
                .unwrap()
                .iter()
                .any(|version| version["name"] == *it)
        };
        assert!(
            stored.iter().all(served),
            "a stored version is gone: {stored:?}"
        );
        let generation = before["metadata"]["generation"]
            .as_u64()
            .unwrap_or_default()
            + 1;
        crd["metadata"]["generation"] = generation.into();
        crd["metadata"]["uid"] = "1".into();
        with_default(&mut crd);
        crd["metadata"]["resourceVersion"] = self.revision.to_string().into();
        crd["metadata"]["managedFields"] =
            json!([{"manager": "helm", "fieldsV1": {"f:spec": {"f:versions": {}}}}]);
        crd["status"] = json!({"storedVersions": stored, "conditions": [
            {"type": "NamesAccepted", "status": "True"},
            {"type": "Established", "status": "True"},
        ]});
        self.crds.insert(name, crd);
    }

    /// The versions in which objects are stored.
    pub fn stored_versions(&self) -> BTreeSet<&str> {
        self.objects.values().map(|it| &*it.version).collect()
    }

    fn crd_of(&self, plural: &str) -> Option<&Value> {
        self.crds
            .values()
            .find(|crd| text(crd, "/spec/names/plural") == plural)
    }

    fn answer(&mut self, arguments: &[&str], input: &str) -> (String, String) {
        self.calls.push(arguments.join(" "));
        let is_at = |begin: &str| arguments.iter().any(|it| it.starts_with(begin));
        if let Some(at) = self.changes.iter().position(|(begin, ..)| is_at(begin)) {
            match self.changes[at].1 {
                0 => {
                    let (.., change) = self.changes.remove(at).unwrap();
                    change(self);
                }
                _ => self.changes[at].1 -= 1,
            }
        }
        if let Some(at) = self.faults.iter().position(|it| is_at(it.at)) {
            match self.faults[at].after {
                0 => return (String::new(), format!("{}\n", self.faults.remove(at).error)),
                _ => self.faults[at].after -= 1,
            }
        }
        let words: Vec<&str> = arguments
            .iter()
            .copied()
            .filter(|it| !it.starts_with("--"))
            .collect();
        // A killed command leaves a part of what it would have passed.
        if words.len() == 1 && serde_json::from_str::<Value>(input).is_err() {
            return (
                String::new(),
                "error: unexpected end of JSON input\n".to_owned(),
            );
        }
        let answer = match words.as_slice() {
            ["get", path] if is_at("--raw") => self.raw(path),
            ["get"] => self.get(input),
            ["patch"] => {
                let patch = arguments.iter().find_map(|it| it.strip_prefix("--patch="));
                let patch: Value = serde_json::from_str(patch.unwrap()).unwrap();
                return self.patch_all(input, &patch);
            }
            ["patch", _, name] => self.patch_crd(name, arguments),
            ["apply"] => self.apply(input, is_at("--dry-run=server")),
            other => panic!("{other:?}"),
        };
        match answer {
            Ok(printed) => (printed, String::new()),
            Err(error) => (String::new(), error),
        }
    }

    fn raw(&mut self, path: &str) -> Answer {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let parts: Vec<&str> = path.trim_start_matches('/').split('/').collect();
        match parts.as_slice() {
            [
                "apis",
                "apiextensions.k8s.io",
                "v1",
                "customresourcedefinitions",
                name,
            ] => {
                let crd = self.crds.get(*name).map(Value::to_string);
                crd.ok_or_else(|| not_found(name))
            }
            ["apis", "admissionregistration.k8s.io", "v1", plural] => {
                let all = self.others.iter();
                let items = all.filter(|((kind, _), _)| {
                    kind.to_lowercase() + "s" == *plural
                        || kind.to_lowercase().replace("policy", "policies") == *plural
                });
                let items: Vec<&Value> = items.map(|(_, object)| object).collect();
                Ok(json!({"items": items}).to_string())
            }
            ["apis", group, _] => Ok(self.discovery(group)),
            ["apis", group, version, plural] => self.list(group, version, plural, query),
            ["apis", _, _, "namespaces", namespace, plural, name] => {
                let key = [*plural, *namespace, *name].map(str::to_owned);
                let found = self.objects.get(&key.clone().into());
                let found = found.map(|stored| stored.object.to_string());
                found.ok_or_else(|| not_found(name))
            }
            other => panic!("{other:?}"),
        }
    }

    /// The version that the server which answers writes in.
    fn written(&mut self, crd: &Value) -> String {
        match &mut self.behind {
            Some((version, left)) if *left > 0 => {
                *left -= 1;
                (*version).to_owned()
            }
            _ => storage(crd).to_owned(),
        }
    }

    fn discovery(&mut self, group: &str) -> String {
        let crds: Vec<Value> = self.crds.values().cloned().collect();
        let resources: Vec<Value> = crds
            .iter()
            .map(|crd| {
                let version = self.written(crd);
                let text = format!("{group}/{version}/{}", text(crd, "/spec/names/kind"));
                let hash = STANDARD.encode(&Sha256::digest(text)[..8]);
                json!({"name": crd["spec"]["names"]["plural"], "storageVersionHash": hash})
            })
            .collect();
        json!({"resources": resources}).to_string()
    }

    /// Lists objects from the name in the token on.
    fn list(&self, group: &str, version: &str, plural: &str, query: &str) -> Answer {
        let crd = self.crd_of(plural).ok_or_else(|| not_found(plural))?;
        let versions = crd["spec"]["versions"].as_array().unwrap();
        let is_served = versions
            .iter()
            .any(|it| it["name"] == version && it["served"] == true);
        if !is_served {
            return Err(not_found(version));
        }
        let mut query = query.split('&');
        let token = query.find_map(|it| it.strip_prefix("continue="));
        let from = token.map(|token| match URL_SAFE_NO_PAD.decode(token) {
            Ok(bytes) if !self.has_own_tokens => {
                let place: Value = serde_json::from_slice(&bytes).unwrap();
                place["start"].as_str().unwrap().to_owned()
            }
            _ => token.trim_start_matches("from-").to_owned(),
        });
        let from = from.unwrap_or_default();
        let own = self.objects.iter();
        let own = own.filter(|((known, _, name), _)| known == plural && *name >= from);
        let mut own: Vec<_> = own.collect();
        let token = |name: &str| match self.has_own_tokens {
            true => format!("from-{name}"),
            false => {
                let place = json!({"v": "meta.k8s.io/v1", "rv": 100, "start": name});
                URL_SAFE_NO_PAD.encode(place.to_string())
            }
        };
        let next = own.get(self.page).map(|((.., name), _)| token(name));
        own.truncate(self.page);
        let items = own.into_iter().map(|(_, stored)| {
            let mut object = stored.object.clone();
            object["apiVersion"] = format!("{group}/{version}").into();
            object["kind"] = crd["spec"]["names"]["kind"].clone();
            object["metadata"]["resourceVersion"] = stored.revision.to_string().into();
            object
        });
        let items: Vec<Value> = items.collect();
        Ok(json!({"items": items, "metadata": {"continue": next.unwrap_or_default()}}).to_string())
    }

    /// Writes what is changed, or stored in another version than the server writes in. The patch is empty, or a JSON patch.
    fn patch_all(&mut self, input: &str, patch: &Value) -> (String, String) {
        let list: Value = serde_json::from_str(input).unwrap();
        let (mut printed, mut errors) = (String::new(), String::new());
        for item in list["items"].as_array().unwrap() {
            let kind = text(item, "/kind");
            let crd = self
                .crds
                .values()
                .find(|it| text(it, "/spec/names/kind") == kind)
                .unwrap()
                .clone();
            let plural = text(&crd, "/spec/names/plural").to_owned();
            let version = self.written(&crd);
            let (namespace, name) = (
                text(item, "/metadata/namespace"),
                text(item, "/metadata/name"),
            );
            self.revision += 1;
            let revision = self.revision;
            let key = (plural, namespace.to_owned(), name.to_owned());
            let Some(stored) = self.objects.get_mut(&key) else {
                errors.push_str(&not_found(name));
                continue;
            };
            if stored.object["spec"]["invalid"] == true {
                errors.push_str(&format!(
                    "Error from server (Invalid): {kind} \"{name}\" is invalid\n"
                ));
                continue;
            }
            let Some(patched) = patched(&stored.object, patch) else {
                errors.push_str("Error from server (Invalid): the server rejected our request due to an error in our request\n");
                continue;
            };
            if stored.version != version || stored.object != patched {
                stored.object = patched;
                stored.version = version;
                stored.revision = revision;
            }
            printed.push_str(&format!("{namespace} {name} {}\n", stored.revision));
        }
        (printed, errors)
    }

    /// Sets the stored versions. A server would lose objects that are stored in another version.
    fn patch_crd(&mut self, name: &str, arguments: &[&str]) -> Answer {
        let patch = arguments
            .iter()
            .find_map(|it| it.strip_prefix("--patch="))
            .unwrap();
        let patch: Value = serde_json::from_str(patch).unwrap();
        let crd = self.crds.get_mut(name).ok_or_else(|| not_found(name))?;
        if arguments.contains(&"--type=json") {
            *crd = patched(crd, &patch).ok_or("error: a test failed\n")?;
            with_default(crd);
            return Ok("patched\n".to_owned());
        }
        assert!(arguments.contains(&"--subresource=status"), "{arguments:?}");
        if patch["metadata"]["resourceVersion"] != crd["metadata"]["resourceVersion"] {
            return Err("Error from server (Conflict): the object has been modified\n".to_owned());
        }
        let stored = patch["status"]["storedVersions"].clone();
        crd["status"]["storedVersions"] = stored.clone();
        if patch["status"]["conditions"].is_array() {
            crd["status"]["conditions"] = patch["status"]["conditions"].clone();
        }
        let lost: Vec<&str> = self.stored_versions().into_iter().collect();
        let lost: Vec<&&str> = lost
            .iter()
            .filter(|it| !stored.as_array().unwrap().contains(&Value::from(**it)))
            .collect();
        assert!(lost.is_empty(), "objects are stored in {lost:?}");
        Ok("patched\n".to_owned())
    }

    fn get(&self, input: &str) -> Answer {
        let wanted: Value = serde_json::from_str(input).unwrap();
        let key = (
            text(&wanted, "/kind").to_owned(),
            text(&wanted, "/metadata/name").to_owned(),
        );
        let found = self.others.get(&key).map(Value::to_string);
        found.ok_or_else(|| not_found(&key.1))
    }

    /// What others added to a CRD stays.
    fn apply(&mut self, input: &str, is_dry: bool) -> Answer {
        let mut object: Value = serde_json::from_str(input).unwrap();
        let (kind, name) = (
            text(&object, "/kind").to_owned(),
            text(&object, "/metadata/name").to_owned(),
        );
        let version = object["metadata"]["annotations"]["example.com/bundle-version"].as_str();
        let live = self.crds.get(&name);
        let installed = live
            .and_then(|it| it["metadata"]["annotations"]["example.com/bundle-version"].as_str());
        let is_older = kind == "CustomResourceDefinition"
            && (version < installed || version == Some("v0.0.0"));
        if self.others.contains_key(&(
            "ValidatingAdmissionPolicyBinding".to_owned(),
            "safe-upgrades.example.com".to_owned(),
        )) && is_older
        {
            return Err("Error from server (Forbidden): ValidatingAdmissionPolicy 'safe-upgrades.example.com' denied request: older\n".to_owned());
        }
        if let Some(categories) = live.and_then(|it| it.pointer("/spec/names/categories")) {
            object["spec"]["names"]["categories"] = categories.clone();
        }
        if !is_dry && kind == "CustomResourceDefinition" {
            self.install(object);
            return Ok(self.crds[&name].to_string());
        }
        if kind == "CustomResourceDefinition" {
            with_default(&mut object);
        }
        let printed = object.to_string();
        if !is_dry {
            self.others.insert((kind, name), object);
        }
        Ok(printed)
    }
}
