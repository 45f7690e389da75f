//! A minimal API server for installations: CRDs, their versions, server-side apply by one manager, dry runs.

use http::{Method, Request, Response, StatusCode};
use kube::Client;
use kube::client::Body;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use tower::service_fn;

#[derive(Clone, Default)]
pub struct Server(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    crds: BTreeMap<String, Value>,
    version: u64,
    writes: usize,
    requests: usize,
    looks: BTreeMap<String, usize>,
    refused: BTreeSet<String>,
    never_accepted: BTreeSet<String>,
    put_before: Option<(usize, Vec<Value>)>,
    was_put: bool,
}

impl Server {
    pub fn client(&self) -> Client {
        let server = self.clone();
        let answers = move |request: Request<Body>| {
            let server = server.clone();
            async move {
                tokio::task::yield_now().await;
                let (parts, body) = request.into_parts();
                let body = body.collect_bytes().await.unwrap();
                let mut state = server.0.lock().unwrap();
                let (status, answer) =
                    state.answer(&parts.method, parts.uri.path(), parts.uri.query(), &body);
                let mut response = Response::new(Body::from(answer.to_string().into_bytes()));
                *response.status_mut() = StatusCode::from_u16(status).unwrap();
                Ok::<_, Infallible>(response)
            }
        };
        Client::new(service_fn(answers), "default")
    }

    /// Writes a CRD as another client.
    pub fn put(&self, crd: Value) {
        self.0.lock().unwrap().put(crd);
    }

    /// The same, before the given request is answered.
    pub fn put_before(&self, request: usize, crds: Vec<Value>) {
        self.0.lock().unwrap().put_before = Some((request, crds));
    }

    pub fn was_put(&self) -> bool {
        self.0.lock().unwrap().was_put
    }

    pub fn refuse(&self, name: &str) {
        self.0.lock().unwrap().refused.insert(name.to_owned());
    }

    pub fn never_accept(&self, name: &str) {
        self.0
            .lock()
            .unwrap()
            .never_accepted
            .insert(name.to_owned());
    }

    pub fn crd(&self, name: &str) -> Value {
        self.0.lock().unwrap().crds[name].clone()
    }

    /// Returns the number of controllers' writes that changed something.
    pub fn writes(&self) -> usize {
        self.0.lock().unwrap().writes
    }

    /// Returns how often each version was at least requested from discovery.
    pub fn looks(&self) -> usize {
        let looks = &self.0.lock().unwrap().looks;
        ["v1", "v1beta1"]
            .iter()
            .map(|version| looks.get(*version).copied().unwrap_or_default())
            .min()
            .unwrap()
    }

    /// Returns the CRDs, each with its bundle's version.
    pub fn versions(&self) -> Vec<String> {
        let state = self.0.lock().unwrap();
        let versions = state.crds.iter().map(|(name, crd)| {
            let version = &crd["metadata"]["annotations"]["a.example.com/bundle-version"];
            format!("{name} {}", version.as_str().unwrap())
        });
        versions.collect()
    }
}

impl State {
    fn put(&mut self, mut crd: Value) {
        self.version += 2;
        crd["metadata"]["resourceVersion"] = (self.version + 100).to_string().into();
        let name = crd["metadata"]["name"].as_str().unwrap().to_owned();
        let accepted = match self.never_accepted.contains(&name) {
            true => "False",
            false => "True",
        };
        crd["status"] = json!({
            "storedVersions": [], "acceptedNames": {"kind": "", "plural": ""},
            "conditions": [
                {"type": "NamesAccepted", "status": accepted, "reason": "Tested", "message": "taken"},
                {"type": "Established", "status": accepted, "reason": "Tested", "message": "taken"},
            ],
        });
        self.crds.insert(name, crd);
    }

    fn answer(
        &mut self,
        method: &Method,
        path: &str,
        query: Option<&str>,
        body: &[u8],
    ) -> (u16, Value) {
        self.requests += 1;
        if let Some((_, crds)) = self.put_before.take_if(|(at, _)| *at == self.requests) {
            crds.into_iter().for_each(|crd| self.put(crd));
            self.was_put = true;
        }
        if let Some(version) = path.strip_prefix("/apis/a.example.com/") {
            return self.discovery(version);
        }
        let name = path.strip_prefix("/apis/apiextensions.k8s.io/v1/customresourcedefinitions");
        let name = name.unwrap().trim_start_matches('/');
        match (method, name) {
            (&Method::GET, "") => {
                let items = self.crds.values().map(|crd| {
                    json!({"apiVersion": "meta.k8s.io/v1", "kind": "PartialObjectMetadata", "metadata": crd["metadata"]})
                });
                let items: Vec<Value> = items.collect();
                (
                    200,
                    json!({"apiVersion": "meta.k8s.io/v1", "kind": "PartialObjectMetadataList", "metadata": {}, "items": items}),
                )
            }
            (&Method::GET, name) => match self.crds.get(name) {
                Some(crd) => (200, crd.clone()),
                None => failure(404, "NotFound"),
            },
            (&Method::PATCH, name) => {
                let query = query.unwrap();
                assert!(query.contains("fieldManager=operator") && query.contains("force=true"));
                self.apply(name, query.contains("dryRun=All"), body)
            }
            _ => panic!("{method} {path}"),
        }
    }

    /// Returns the resources of a version, which appear at the second request.
    fn discovery(&mut self, version: &str) -> (u16, Value) {
        let has_version = |crd: &&Value| {
            let versions = crd["spec"]["versions"].as_array().unwrap();
            versions.iter().any(|one| one["name"] == version)
        };
        let names = self.crds.values().filter(has_version);
        let names: Vec<Value> = names
            .map(|crd| crd["spec"]["names"]["plural"].clone())
            .collect();
        let looks = self.looks.entry(version.to_owned()).or_default();
        *looks += 1;
        if *looks == 1 {
            return failure(404, "NotFound");
        }
        let resources: Vec<Value> = names
            .iter()
            .map(|name| {
                json!({"name": name, "singularName": "", "namespaced": true, "kind": "Kind", "verbs": ["get"]})
            })
            .collect();
        let group_version = format!("a.example.com/{version}");
        (
            200,
            json!({"groupVersion": group_version, "resources": resources}),
        )
    }

    fn apply(&mut self, name: &str, is_dry_run: bool, body: &[u8]) -> (u16, Value) {
        let crd: Value = serde_json::from_slice(body).unwrap();
        let wanted = &crd["metadata"]["resourceVersion"];
        let there = self.crds.get(name);
        let is_other = |there: &Value| there["metadata"]["resourceVersion"] != *wanted;
        if !wanted.is_null() && there.is_some_and(is_other) {
            return failure(409, "Conflict");
        }
        if self.refused.contains(name) {
            return failure(422, "Invalid");
        }
        let bundle = |crd: &Value| (crd["metadata"]["annotations"].clone(), crd["spec"].clone());
        if !is_dry_run && there.map(bundle) != Some(bundle(&crd)) {
            self.writes += 1;
            self.put(crd.clone());
        }
        (200, self.crds.get(name).cloned().unwrap_or(crd))
    }
}

fn failure(code: u16, reason: &str) -> (u16, Value) {
    let status = json!({
        "apiVersion": "v1", "kind": "Status", "status": "Failure", "reason": reason, "code": code, "message": reason,
    });
    (code, status)
}
