//! A model of an API server behind a `kubectl` that passes on its calls: a script sends each call to a thread of the test, which
//! answers. Objects are stored in a version, as in etcd, which no client sees.

use crate::support::Workspace;
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Passes a call on: the number of arguments, the arguments, the bytes of the input and the input. Prints the answer, which begins
/// with the code.
const KUBECTL: &str = r#"#!/bin/bash
LC_ALL=C
input=$(cat; echo x)
input=${input%x}
exec 3<>"/dev/tcp/127.0.0.1/$MODEL" || exit 99
{ echo "$#"; printf '%s\0' "$@"; echo "${#input}"; printf %s "$input"; } >&3
read -r code <&3 || exit 98
if [ "$code" = 0 ]; then cat <&3; else cat <&3 >&2; fi
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

/// The server, and what a command needs to reach it.
pub struct Cluster {
    pub server: Arc<Mutex<Server>>,
    /// The folder of the `kubectl`.
    bin: PathBuf,
    port: u16,
}

impl Cluster {
    /// Starts a server for a workspace.
    pub fn start(workspace: &Workspace) -> Self {
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
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let known = Arc::downgrade(&server);
        std::thread::spawn(move || {
            for caller in listener.incoming() {
                let Some(server) = known.upgrade() else {
                    return;
                };
                // A killed `kubectl` asks for nothing more.
                let _ = caller.and_then(|caller| answer(&server, caller));
            }
        });
        let bin = workspace.path("bin");
        Self { server, bin, port }
    }

    pub fn lock(&self) -> MutexGuard<'_, Server> {
        self.server.lock().unwrap()
    }

    /// Lets a command use this `kubectl`.
    pub fn serve<'c>(
        &self,
        command: &'c mut std::process::Command,
    ) -> &'c mut std::process::Command {
        let path = std::env::var("PATH").unwrap();
        command
            .env("PATH", format!("{}:{path}", self.bin.display()))
            .env("MODEL", self.port.to_string())
    }
}

/// Answers one call once it has come as a whole.
fn answer(server: &Mutex<Server>, mut caller: TcpStream) -> std::io::Result<()> {
    let mut reader = BufReader::new(caller.try_clone()?);
    let mut part = |end: u8| -> std::io::Result<String> {
        let mut bytes = Vec::new();
        reader.read_until(end, &mut bytes)?;
        match bytes.pop() {
            Some(last) if last == end => String::from_utf8(bytes).map_err(std::io::Error::other),
            _ => Err(std::io::ErrorKind::UnexpectedEof.into()),
        }
    };
    let count: usize = part(b'\n')?.parse().unwrap();
    let arguments = (0..count).map(|_| part(0));
    let arguments: Vec<String> = arguments.collect::<Result<_, _>>()?;
    let mut input = vec![0; part(b'\n')?.parse().unwrap()];
    reader.read_exact(&mut input)?;
    let arguments: Vec<&str> = arguments
        .iter()
        .map(|argument| argument.trim_end())
        .collect();
    let input = String::from_utf8_lossy(&input);
    let answered = std::panic::AssertUnwindSafe(|| {
        let mut server = server.lock().unwrap_or_else(PoisonError::into_inner);
        server.answer(&arguments, &input)
    });
    // The test sees a command that fails, and a poisoned lock.
    let answered = std::panic::catch_unwind(answered);
    let (printed, error) =
        answered.unwrap_or_else(|_| (String::new(), "the model panicked\n".to_owned()));
    match error.is_empty() {
        true => write!(caller, "0\n{printed}"),
        false => write!(caller, "1\n{error}"),
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
