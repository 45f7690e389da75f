//! Clients that write all the time, each its own objects, in every version that is served, and notice when a server tells them
//! something that was never written.

use super::model::{Known, State, Write};
use super::project::{GROUP, KINDS, Kind};
use crate::objects::dice::Dice;
use crd_channels_envtest::http::{Answer, Api};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const PAUSE: Duration = Duration::from_millis(8);

/// The managers of fields; everybody else changes nothing in the objects.
pub(super) const MANAGERS: [&str; 2] = ["manifests", "clients"];

/// How long manifests may take until they are applied in another version.
const PATIENCE: Duration = Duration::from_secs(60);

/// The most complaints of a writer.
const MOST_COMPLAINTS: usize = 5;

/// What writers are told.
#[derive(Default)]
pub(super) struct Orders {
    pub(super) is_over: AtomicBool,
    /// Whether the first objects are all created.
    pub(super) begun: Mutex<usize>,
    /// The version of a kind that is written from now on.
    pub(super) versions: Mutex<BTreeMap<String, String>>,
    /// How many writers applied all manifests of a kind in a version.
    pub(super) applied: Mutex<BTreeMap<(String, String), usize>>,
}

/// Locks, whether or not another thread panicked.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Who writes an object after it is created.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum By {
    Manifests,
    /// Clients that do not apply.
    Clients,
    /// It stays as it was created, so that only a migration rewrites it.
    None,
}

/// An object that a writer writes.
pub(super) struct Object {
    written_by: By,
    pub(super) kind: &'static Kind,
    pub(super) name: String,
    pub(super) known: Known,
}

/// A client.
pub(super) struct Writer {
    api: Api,
    dice: Dice,
    /// Counts writes, so that each is different.
    writes: usize,
    pub(super) objects: Vec<Object>,
    /// The versions that it writes in, where it is told so.
    versions: BTreeMap<String, String>,
    pub(super) complaints: Vec<String>,
    pub(super) confirmed: usize,
    pub(super) unconfirmed: usize,
    /// What the server said last when it did not answer.
    silence: String,
}

/// How a server answers a write.
enum Reply {
    Done(Value),
    /// There is no such object.
    Absent,
    /// There is one already.
    Exists,
    /// It was not done, and that says nothing about the object.
    NotDone,
    /// It is not known whether it was done.
    Silence(String),
    Refused(String),
}

fn reply(sent: Result<Answer, crd_channels_envtest::Failure>) -> Reply {
    let answer = match sent {
        Ok(answer) => answer,
        Err(failure) => return Reply::Silence(failure.to_string()),
    };
    let body = answer.json();
    match answer.status {
        200 | 201 => Reply::Done(body),
        404 if body["details"]["name"].is_string() => Reply::Absent,
        409 if body["reason"] == "AlreadyExists" => Reply::Exists,
        // The version is not served, the object changed, or the server is busy.
        404 | 409 | 429 => Reply::NotDone,
        500.. => Reply::Silence(answer.text),
        status => Reply::Refused(format!("{status} {}", answer.text)),
    }
}

impl Writer {
    /// A client with so many objects of every kind and version.
    pub(super) fn new(api: Api, number: usize, objects: usize, seed: &str) -> Self {
        let mut own = Vec::new();
        for kind in &KINDS {
            for version in kind.versions.iter().take(2) {
                own.extend((0..objects).map(|at| Object {
                    written_by: match at % 3 {
                        0 => By::Manifests,
                        1 => By::Clients,
                        _ => By::None,
                    },
                    kind,
                    name: format!("{}-{version}-{number}-{at}", kind.plural),
                    known: Known::default(),
                }));
            }
        }
        Self {
            api,
            dice: Dice::new(&format!("{seed} {number}")),
            writes: 0,
            objects: own,
            versions: BTreeMap::new(),
            complaints: Vec::new(),
            confirmed: 0,
            unconfirmed: 0,
            silence: String::new(),
        }
    }

    /// Creates all objects, then writes until it is over.
    pub(super) fn work(mut self, orders: &Orders) -> Self {
        for at in 0..self.objects.len() {
            let version = self.objects.get(at).and_then(|object| {
                let mut own = object.kind.versions.iter();
                own.find(|it| object.name.contains(&format!("-{it}-")))
            });
            let spec = self.spec();
            self.write(at, version.copied().unwrap_or("v1"), Write::Create(spec));
        }
        *lock(&orders.begun) += 1;
        while !orders.is_over.load(Ordering::Relaxed) {
            self.follow(orders);
            let at = self.dice.roll(self.objects.len());
            self.write_somehow(at);
            thread::sleep(PAUSE);
        }
        self
    }

    /// Applies all manifests of a kind in another version if it is told so.
    fn follow(&mut self, orders: &Orders) {
        let told = lock(&orders.versions).clone();
        for (kind, version) in told {
            if self.versions.get(&kind) == Some(&version) {
                continue;
            }
            self.versions.insert(kind.clone(), version.clone());
            let start = Instant::now();
            for at in 0..self.objects.len() {
                let is_own = |object: &Object| {
                    object.written_by == By::Manifests
                        && object.kind.name == kind
                        && object.known.may_exist()
                };
                while self.objects.get(at).is_some_and(is_own) {
                    let fields = self.manifest();
                    if self.write(at, &version, Write::Apply(fields)) {
                        break;
                    }
                    if start.elapsed() > PATIENCE {
                        let silence = self.silence.clone();
                        self.complain(at, &format!("cannot be applied in {version}: {silence}"));
                        break;
                    }
                    thread::sleep(PAUSE * 10);
                }
            }
            *lock(&orders.applied).entry((kind, version)).or_default() += 1;
        }
    }

    fn write_somehow(&mut self, at: usize) {
        let Some(object) = self.objects.get(at) else {
            return;
        };
        let (kind, exists, by) = (object.kind, object.known.may_exist(), object.written_by);
        let version = self.dice.pick(kind.versions).copied().unwrap_or("v1");
        let told = self.versions.get(kind.name).cloned();
        let version = &*told.unwrap_or_else(|| version.to_owned());
        let write = match self.dice.roll(10) {
            _ if by == By::None => {
                self.read(at, version);
                return;
            }
            0 => Write::Create(self.spec()),
            1 if exists => Write::Delete,
            2..=4 if exists => Write::Resize(self.next()),
            5 | 6 if exists => match self.read(at, version) {
                Some(spec) => Write::Replace(spec),
                None => return,
            },
            _ if by == By::Manifests => Write::Apply(self.manifest()),
            _ => Write::Create(self.spec()),
        };
        self.write(at, version, write);
    }

    fn next(&mut self) -> usize {
        self.writes += 1;
        self.writes
    }

    /// A new specification.
    fn spec(&mut self) -> Value {
        let mut spec = json!({"host": format!("created-{}", self.next()), "size": 0});
        if self.dice.chance(1, 3) {
            spec["timeout"] = "1s".into();
        }
        spec
    }

    /// The fields of a manifest.
    fn manifest(&mut self) -> Value {
        let open = self.dice.chance(1, 2);
        json!({"host": format!("applied-{}", self.next()), "doors": [{"name": "main", "open": open}]})
    }

    /// Reads an object before it is replaced, and returns what replaces it.
    fn read(&mut self, at: usize, version: &str) -> Option<Value> {
        let object = self.objects.get_mut(at)?;
        let sent = self.api.get(&object.kind.path(version, &object.name));
        let state: State = match reply(sent) {
            Reply::Done(found) => Some(found["spec"].clone()),
            Reply::Absent => None,
            _ => return None,
        };
        if !object.known.see(&state) {
            self.complain(at, &format!("is read in {version} as {state:?}"));
        }
        let mut spec = state?;
        spec["host"] = format!("replaced-{}", self.next()).into();
        Some(spec)
    }

    fn complain(&mut self, at: usize, what: &str) {
        if let Some(object) = self.objects.get(at)
            && self.complaints.len() < MOST_COMPLAINTS
        {
            let complaint = format!("{} {what}, known: {:?}", object.name, object.known);
            self.complaints.push(complaint);
        }
    }

    /// Sends a write, and notes what it means. Returns whether the server confirmed it.
    fn write(&mut self, at: usize, version: &str, write: Write) -> bool {
        let Some(object) = self.objects.get(at) else {
            return false;
        };
        let reply = reply(send(self.api, object, version, &write));
        let Some(object) = self.objects.get_mut(at) else {
            return false;
        };
        let known = &mut object.known;
        let (mut is_done, mut wrong) = (false, String::new());
        match reply {
            Reply::Done(body) => {
                is_done = true;
                self.confirmed += 1;
                let is_possible = known.confirm(&write);
                let is_seen =
                    matches!(write, Write::Delete) || known.see(&Some(body["spec"].clone()));
                if !is_possible || !is_seen {
                    wrong = format!("after {write:?} in {version} is {}", body["spec"]);
                }
            }
            Reply::Absent if !known.see(&None) => {
                wrong = format!("is not there for {write:?} in {version}");
            }
            Reply::Exists if !known.see_any() => {
                wrong = format!("is there for {write:?} in {version}");
            }
            Reply::Silence(said) => {
                self.unconfirmed += 1;
                self.silence = said;
                known.doubt(&write);
            }
            Reply::Refused(why) => wrong = format!("is refused {write:?} in {version}: {why}"),
            Reply::Absent | Reply::Exists | Reply::NotDone => {}
        }
        if !wrong.is_empty() {
            self.complain(at, &wrong);
        }
        is_done
    }
}

fn send(
    api: Api,
    object: &Object,
    version: &str,
    write: &Write,
) -> Result<Answer, crd_channels_envtest::Failure> {
    let (kind, name) = (object.kind, &object.name);
    let path = kind.path(version, name);
    let [applier, client] = MANAGERS.map(|manager| format!("?fieldManager={manager}"));
    let whole = |spec: &Value| {
        json!({
            "apiVersion": format!("{GROUP}/{version}"),
            "kind": kind.name,
            "metadata": {"name": name, "annotations": {(format!("{GROUP}/experimental")): "allowed"}},
            "spec": spec,
        })
    };
    match write {
        Write::Create(spec) => {
            api.post(&format!("{}{client}", kind.path(version, "")), &whole(spec))
        }
        Write::Apply(fields) => api.send(
            "PATCH",
            &format!("{path}{applier}&force=true"),
            &[("Content-Type", "application/apply-patch+yaml")],
            &whole(fields).to_string(),
        ),
        Write::Resize(size) => {
            api.patch(&format!("{path}{client}"), &json!({"spec": {"size": size}}))
        }
        Write::Replace(spec) => {
            let read = api.get(&path)?;
            if read.status != 200 {
                return Ok(read);
            }
            let mut object = read.json();
            object["spec"] = spec.clone();
            api.put(&format!("{path}{client}"), &object)
        }
        Write::Delete => api.delete(&path),
    }
}
