//! Writing a status by server-side apply: whose conditions change, conflicts, objects that change in between.

#![allow(clippy::unwrap_used, reason = "tests")]

use api_types::conditions::{GatewayAccepted, GatewayCondition, Programmed};
use api_types::{EdgeGateway, EdgeGatewaySpec};
use crd_channels_runtime::conditions::{ConditionType, Reason, State, Status, StatusWriter};
use http::{Method, Request, Response, StatusCode};
use kube::client::Body;
use kube::{Api, Client};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use tower::service_fn;

const OWN: &str = "edge-controller";
const DEGRADED: ConditionType = ConditionType::negative("example.com/Degraded");

/// A server with one gateway. It knows who owns which condition of the status.
#[derive(Clone)]
struct Server(Arc<Mutex<Gateway>>);

struct Gateway {
    object: Value,
    /// The types of conditions that each manager owns.
    owned: BTreeMap<String, Vec<String>>,
    requests: Vec<String>,
    /// What happens before the next writes.
    between: Vec<fn(&mut Gateway)>,
    /// The code with which every write is refused.
    refusal: Option<u16>,
}

impl Gateway {
    fn conditions(&mut self) -> &mut Vec<Value> {
        self.object["status"]["conditions"].as_array_mut().unwrap()
    }

    fn types(&self) -> Vec<&str> {
        let conditions = self.object["status"]["conditions"].as_array().unwrap();
        let types = conditions.iter().map(|one| one["type"].as_str().unwrap());
        types.collect()
    }

    /// Sets a condition as another manager.
    fn put(&mut self, manager: &str, type_: &str, status: &str) {
        let generation = self.object["metadata"]["generation"].clone();
        self.conditions().retain(|one| one["type"] != type_);
        self.conditions().push(json!({
            "type": type_, "status": status, "reason": "Other", "message": "", "observedGeneration": generation,
            "lastTransitionTime": "2026-01-01T00:00:00Z",
        }));
        self.owned
            .entry(manager.to_owned())
            .or_default()
            .push(type_.to_owned());
        self.has_changed();
    }

    fn has_changed(&mut self) {
        let version = self.object["metadata"]["resourceVersion"].as_str().unwrap();
        let next = version.parse::<u64>().unwrap() + 1;
        self.object["metadata"]["resourceVersion"] = next.to_string().into();
    }

    fn answer(&mut self, method: &Method, query: &str, body: &Value) -> (u16, Value) {
        self.requests.push(method.to_string());
        if method == Method::GET {
            return (200, self.object.clone());
        }
        if !self.between.is_empty() {
            self.between.remove(0)(self);
        }
        if let Some(code) = self.refusal {
            let refusal = json!({
                "apiVersion": "v1", "kind": "Status", "status": "Failure", "reason": "Forbidden", "code": code, "message": "no",
            });
            return (code, refusal);
        }
        let (sent, here) = (&body["metadata"], &self.object["metadata"]);
        if sent["resourceVersion"] != here["resourceVersion"] || sent["uid"] != here["uid"] {
            let conflict = json!({
                "apiVersion": "v1", "kind": "Status", "status": "Failure", "reason": "Conflict", "code": 409, "message": "no",
            });
            return (409, conflict);
        }
        let before = self.object.clone();
        let status = body["status"].clone();
        match (method == Method::PUT, query.contains("force=true")) {
            (false, true) => self.apply(status),
            _ => self.object["status"] = status,
        }
        if self.object != before {
            self.has_changed();
        }
        (200, self.object.clone())
    }

    /// Server-side apply of a status by the controller.
    fn apply(&mut self, mut status: Value) {
        let mut fields = serde_json::Map::new();
        for (name, value) in status.as_object().unwrap() {
            let keys = value.as_array().into_iter().flatten();
            let keys = keys.map(|one| (format!("k:{}", json!({"type": one["type"]})), json!({})));
            let keys: serde_json::Map<String, Value> = keys.collect();
            fields.insert(format!("f:{name}"), keys.into());
        }
        let applied = json!({
            "manager": OWN, "operation": "Apply", "subresource": "status", "fieldsType": "FieldsV1",
            "fieldsV1": {"f:status": fields},
        });
        // None of these is what the controller applies to the status.
        let other = |manager: &str, operation: &str, subresource: Option<&str>| {
            json!({
                "manager": manager, "operation": operation, "subresource": subresource, "fieldsType": "FieldsV1",
                "fieldsV1": {"f:status": {"f:other": {}}},
            })
        };
        self.object["metadata"]["managedFields"] = json!([
            other("mesh", "Apply", Some("status")),
            other(OWN, "Update", Some("status")),
            other(OWN, "Apply", None),
            applied,
        ]);
        let applied = status.as_object_mut().unwrap().remove("conditions");
        for (name, value) in status.as_object().unwrap() {
            self.object["status"][name] = value.clone();
        }
        // A server drops `null` where the schema does not allow it.
        without_nulls(&mut self.object["status"]);
        let Some(Value::Array(applied)) = applied else {
            return;
        };
        let type_of = |one: &Value| one["type"].as_str().unwrap().to_owned();
        let types: Vec<String> = applied.iter().map(type_of).collect();
        let former = self
            .owned
            .insert(OWN.to_owned(), types.clone())
            .unwrap_or_default();
        let others: Vec<String> = self
            .owned
            .iter()
            .filter(|(name, _)| *name != OWN)
            .flat_map(|(_, all)| all.clone())
            .collect();
        self.conditions().retain(|one| {
            let of = type_of(one);
            types.contains(&of) || !former.contains(&of) || others.contains(&of)
        });
        for one in applied {
            let there = self
                .conditions()
                .iter()
                .position(|there| there["type"] == one["type"]);
            match there {
                Some(at) => self.conditions()[at] = one,
                None => self.conditions().push(one),
            }
        }
    }
}

fn without_nulls(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|_, value| !value.is_null());
            fields.values_mut().for_each(without_nulls);
        }
        Value::Array(items) => items.iter_mut().for_each(without_nulls),
        _ => {}
    }
}

impl Server {
    fn new() -> Self {
        let spec: EdgeGatewaySpec = serde_json::from_value(json!({
            "gatewayClassName": "public",
            "listeners": [{"name": "http", "port": 80, "protocol": "HTTP"}],
        }))
        .unwrap();
        let mut object = json!(EdgeGateway::new("edge", spec));
        object["metadata"]["uid"] = "first".into();
        object["metadata"]["resourceVersion"] = "1".into();
        object["metadata"]["generation"] = 1.into();
        object["status"] = json!({"conditions": []});
        Self(Arc::new(Mutex::new(Gateway {
            object,
            owned: BTreeMap::new(),
            requests: Vec::new(),
            between: Vec::new(),
            refusal: None,
        })))
    }

    fn writer(&self) -> StatusWriter<EdgeGateway> {
        let server = self.clone();
        let answers = move |request: Request<Body>| {
            let server = server.clone();
            async move {
                let (parts, body) = request.into_parts();
                let body = body.collect_bytes().await.unwrap();
                let body = serde_json::from_slice(&body).unwrap_or_default();
                let query = parts.uri.query().unwrap_or_default();
                let place = match parts.method {
                    Method::GET => "/namespaces/default/edgegateways/edge",
                    _ => "/namespaces/default/edgegateways/edge/status",
                };
                let (status, answer) = match parts.uri.path().ends_with(place) {
                    true => server.0.lock().unwrap().answer(&parts.method, query, &body),
                    false => (404, Value::Null),
                };
                let mut response = Response::new(Body::from(answer.to_string().into_bytes()));
                *response.status_mut() = StatusCode::from_u16(status).unwrap();
                Ok::<_, Infallible>(response)
            }
        };
        let client = Client::new(service_fn(answers), "default");
        StatusWriter::new(Api::default_namespaced(client), OWN)
    }

    fn change<T>(&self, change: impl FnOnce(&mut Gateway) -> T) -> T {
        change(&mut self.0.lock().unwrap())
    }

    fn gateway(&self) -> EdgeGateway {
        self.change(|gateway| serde_json::from_value(gateway.object.clone()).unwrap())
    }

    fn types(&self) -> Vec<String> {
        self.change(|gateway| gateway.types().into_iter().map(str::to_owned).collect())
    }

    fn requests(&self) -> Vec<String> {
        self.change(|gateway| std::mem::take(&mut gateway.requests))
    }
}

/// Accepts the gateway, and says that it is degraded or nothing of that.
async fn accept(
    server: &Server,
    gateway: &EdgeGateway,
    fields: Value,
    is_degraded: bool,
) -> Option<EdgeGateway> {
    let writer = server.writer();
    let written = writer.apply::<GatewayCondition>(gateway, &fields, |conditions| {
        conditions.set(GatewayCondition::Accepted(GatewayAccepted::Accepted), "");
        conditions.set(GatewayCondition::Programmed(Programmed::Programmed), "");
        if is_degraded {
            let reason = Reason::from_static("Slow");
            conditions.set_state(DEGRADED, &State::new(Status::True, reason, ""));
        }
    });
    written.await.unwrap()
}

#[tokio::test]
async fn only_what_the_controller_sets_is_written() {
    let server = Server::new();
    server.change(|gateway| gateway.put("mesh", "example.org/Meshed", "True"));
    let written = accept(&server, &server.gateway(), Value::Null, true)
        .await
        .unwrap();
    assert!(GatewayCondition::ACCEPTED.is_true(&written));
    let all = [
        "example.org/Meshed",
        "Accepted",
        "Programmed",
        "example.com/Degraded",
    ];
    assert_eq!(server.types(), all);
    let own = server.change(|gateway| gateway.owned[OWN].clone());
    assert_eq!(own, all[1..], "not the other's");
    assert_eq!(server.requests(), ["PATCH"]);

    let again = accept(&server, &server.gateway(), Value::Null, true).await;
    assert_eq!(
        (again, server.requests().len()),
        (None, 0),
        "nothing to write"
    );
    let replicas = accept(&server, &server.gateway(), json!({"replicas": 2}), true).await;
    assert_eq!(replicas.unwrap().status.unwrap().replicas, 2);
    let again = accept(&server, &server.gateway(), json!({"replicas": 2}), true).await;
    assert_eq!(again, None);
    let mut cached = server.gateway();
    cached.metadata.managed_fields = None;
    let again = accept(&server, &cached, json!({"replicas": 2}), true).await;
    assert_eq!(again, None, "a cache has removed them");
    server.requests();

    let fields = |server: &Server| {
        let ours = "/metadata/managedFields/3/fieldsV1/f:status";
        server.change(|gateway| {
            gateway
                .object
                .pointer(ours)
                .unwrap()
                .as_object()
                .unwrap()
                .len()
        })
    };
    assert_eq!(fields(&server), 2);
    assert!(
        accept(&server, &server.gateway(), Value::Null, true)
            .await
            .is_some()
    );
    assert_eq!(
        fields(&server),
        1,
        "a field that is no longer applied is given up"
    );
    accept(&server, &server.gateway(), Value::Null, false).await;
    assert_eq!(server.types(), all[..3], "what is no longer set is gone");
    let rest = server.change(|gateway| {
        gateway.owned.insert("mesh".to_owned(), Vec::new());
        gateway.conditions().remove(0);
        gateway.types().len()
    });
    assert_eq!(rest, 2, "the other manager can remove its own");
}

/// What a struct makes of `None` unless its author says otherwise is `null`, which a server does not store. A type may leave out
/// what is empty, and fill in what is missing.
#[tokio::test]
async fn a_field_is_there_if_the_type_of_the_object_says_so() {
    let server = Server::new();
    let fields = json!({"selector": null, "addresses": [{"value": "a"}], "listeners": []});
    accept(&server, &server.gateway(), fields.clone(), false)
        .await
        .unwrap();
    server.requests();
    let again = accept(&server, &server.gateway(), fields.clone(), false).await;
    assert_eq!(
        (again, server.requests().len()),
        (None, 0),
        "nothing to write"
    );
    let writer = server.writer();
    let fields = &fields;
    let apply = || async {
        writer
            .apply_fields(&server.gateway(), fields)
            .await
            .unwrap()
    };
    apply().await;
    server.requests();
    assert_eq!((apply().await, server.requests().len()), (None, 0));
    server.change(|gateway| {
        gateway.object["status"]["selector"] = "a=b".into();
        gateway.has_changed();
    });
    assert!(apply().await.is_some(), "another value is there");
    let writer = server.writer();
    for unknown in [
        json!({"later": 1}),
        json!({"later": [1]}),
        json!({"later": {"a": 1}}),
        json!({"replicas": "1"}),
    ] {
        server.change(|gateway| gateway.object["metadata"]["managedFields"] = json!(null));
        let written = writer.apply_fields(&server.gateway(), &unknown).await;
        assert!(
            !matches!(written, Ok(None)),
            "the server decides: {unknown}"
        );
    }
}

#[tokio::test]
async fn a_conflict_reads_the_object_and_sets_its_conditions_again() {
    let server = Server::new();
    let old = server.gateway();
    // Another replica has observed generation 2 in the meantime, and somebody has written a status.
    server.change(|gateway| {
        gateway.between = vec![
            |gateway| gateway.put("mesh", "example.org/Meshed", "True"),
            |gateway| {
                gateway.object["metadata"]["generation"] = 2.into();
                gateway.put("replica", "Programmed", "False");
            },
        ];
    });
    accept(&server, &old, Value::Null, false).await.unwrap();
    assert_eq!(server.requests(), ["PATCH", "GET", "PATCH", "GET", "PATCH"]);
    let now = server.gateway();
    assert!(GatewayCondition::ACCEPTED.is_true(&now));
    assert!(
        GatewayCondition::ACCEPTED.is_stale(&now),
        "it is about generation 1"
    );
    assert!(
        GatewayCondition::PROGRAMMED.is_false(&now),
        "that was observed later"
    );
    assert!(server.types().contains(&"example.org/Meshed".to_owned()));
}

#[tokio::test]
async fn an_error_that_is_no_conflict_is_returned_at_once() {
    let server = Server::new();
    server.change(|gateway| gateway.refusal = Some(403));
    let writer = server.writer();
    let fields = json!({"replicas": 1});
    let error = writer.apply_fields(&server.gateway(), &fields).await;
    assert!(matches!(error, Err(kube::Error::Api(answer)) if answer.code == 403));
    assert_eq!(server.requests(), ["PATCH"]);
}

#[tokio::test]
async fn conflicts_without_an_end_and_other_objects_are_errors() {
    let server = Server::new();
    let old = server.gateway();
    server.change(|gateway| gateway.between = vec![|gateway| gateway.has_changed(); 100]);
    let writer = server.writer();
    let error = writer.apply_fields(&old, &json!({"replicas": 1})).await;
    assert!(matches!(error, Err(kube::Error::Api(answer)) if answer.is_conflict()));
    assert_eq!(server.requests().len(), 20, "ten times");

    server.change(|gateway| {
        gateway.between.clear();
        gateway.object["metadata"]["uid"] = "second".into();
    });
    let error = writer.apply_fields(&old, &json!({"replicas": 1})).await;
    assert!(matches!(error, Err(kube::Error::Api(answer)) if answer.is_conflict()));
    assert_eq!(server.requests(), ["PATCH", "GET"], "it was created anew");
}

/// An earlier release of the controller replaced the status: server-side apply alone would leave its conditions.
#[tokio::test]
async fn conditions_of_an_earlier_release_go() {
    let server = Server::new();
    server.change(|gateway| {
        gateway.put("mesh", "example.org/Meshed", "True");
        gateway.put("edge-controller-update", "Ready", "True");
        gateway.put("edge-controller-update", DEGRADED.name(), "True");
    });
    let writer = server.writer();
    let gateway = server.gateway();
    let write = writer.apply::<GatewayCondition>(&gateway, &(), |conditions| {
        let healthy = State::new(Status::False, Reason::from_static("Fast"), "");
        conditions.set_state(DEGRADED, &healthy);
    });
    let written = write.await.unwrap().unwrap();
    assert_eq!(DEGRADED.find(&written), None);
    assert_eq!(server.requests(), ["PATCH", "PATCH"]);
    let left = ["example.org/Meshed", "Ready", "Accepted", "Programmed"];
    assert_eq!(
        server.types(),
        left,
        "`Ready` was there, and nobody says it"
    );
    assert!(!GatewayCondition::READY.is_true(&server.gateway()));
}

#[tokio::test]
async fn a_status_is_replaced_with_the_same_retries() {
    let server = Server::new();
    server.change(|gateway| gateway.between = vec![|gateway| gateway.has_changed()]);
    let writer = server.writer();
    let set = |gateway: &mut EdgeGateway| {
        let status = gateway.status.get_or_insert_default();
        std::mem::replace(&mut status.replicas, 3) != 3
    };
    let written = writer.replace(&server.gateway(), set).await.unwrap();
    assert_eq!(written.unwrap().status.unwrap().replicas, 3);
    assert_eq!(server.requests(), ["PUT", "GET", "PUT"]);
    assert_eq!(writer.replace(&server.gateway(), set).await.unwrap(), None);
    assert_eq!(server.requests(), [""; 0]);
    let fields = json!({"replicas": 3});
    assert_eq!(
        writer
            .apply_fields(&server.gateway(), &fields)
            .await
            .unwrap(),
        None
    );
    assert_eq!(
        writer.apply_fields(&server.gateway(), &()).await.unwrap(),
        None
    );
    assert_eq!(server.requests(), [""; 0]);
}

/// What kube's `Controller` demands of a function that reconciles: its future moves between threads.
fn is_reconciler<F>(_: impl Fn(Arc<EdgeGateway>, Arc<Client>) -> F)
where
    F: Future<Output = Result<(), kube::Error>> + Send + 'static,
{
}

#[test]
fn a_controller_can_write_statuses() {
    async fn by_apply(gateway: Arc<EdgeGateway>, client: Arc<Client>) -> Result<(), kube::Error> {
        let name = "gateway".to_owned();
        let writer =
            StatusWriter::<EdgeGateway>::new(Api::default_namespaced((*client).clone()), OWN);
        let written = writer.apply::<GatewayCondition>(&gateway, &(), |conditions| {
            conditions.set_state(
                DEGRADED,
                &State::new(Status::False, Reason::from_static("Fast"), &*name),
            );
        });
        written.await.map(drop)
    }
    async fn by_fields(gateway: Arc<EdgeGateway>, client: Arc<Client>) -> Result<(), kube::Error> {
        let writer =
            StatusWriter::<EdgeGateway>::new(Api::default_namespaced((*client).clone()), OWN);
        let fields = json!({ "addresses": 1 });
        writer.apply_fields(&*gateway, &fields).await.map(drop)
    }
    async fn by_replacing(
        gateway: Arc<EdgeGateway>,
        client: Arc<Client>,
    ) -> Result<(), kube::Error> {
        let writer =
            StatusWriter::<EdgeGateway>::new(Api::default_namespaced((*client).clone()), OWN);
        writer.replace(&gateway, |_| true).await.map(drop)
    }
    is_reconciler(by_apply);
    is_reconciler(by_fields);
    is_reconciler(by_replacing);
}
