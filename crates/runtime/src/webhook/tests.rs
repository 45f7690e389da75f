//! Replicas that renew one certificate, in any order, interrupted anywhere: every one of them is trusted at any time.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

use super::rotation::{Kept, Policy};
use super::{Certificate, CertificateError, SelfSigned};
use http::{Method, Request, Response, StatusCode};
use k8s_openapi::ByteString;
use kube::Client;
use kube::client::Body;
use serde_json::{Value, json};
use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};
use tower::service_fn;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const CRD: &str = "routes.example.com";

fn policy() -> Policy {
    let names = vec!["hook.ns.svc".to_owned(), "127.0.0.1".to_owned()];
    Policy {
        names,
        lifetime: 90 * DAY,
    }
}

fn own() -> SelfSigned {
    SelfSigned::for_names("ns", "hook-certificate", policy().names)
}

/// The least that tells one run from another.
#[derive(Clone)]
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// A cluster with one `Secret`, one CRD, and what each replica serves.
struct Cluster {
    secret: Option<Value>,
    version: u64,
    bundle: Option<String>,
    now: SystemTime,
    served: Vec<Certificate>,
    dice: Dice,
    /// Whether writes of the CRD are refused.
    is_crd_locked: bool,
    /// Whether somebody deletes the `Secret` now and then.
    loses_secrets: bool,
    /// How many requests are answered before one fails.
    answers: u64,
    renewals: usize,
    crd_writes: usize,
    /// A `caBundle` that another replica writes before the next write.
    written_by_another: Option<String>,
    /// The status and the reason with which the next write of the `Secret` is refused.
    refused: Option<(u16, &'static str)>,
}

type Shared = Arc<Mutex<Cluster>>;

impl Cluster {
    fn new(seed: u64) -> Shared {
        Arc::new(Mutex::new(Self {
            secret: None,
            version: 1,
            bundle: None,
            now: SystemTime::now(),
            served: Vec::new(),
            dice: Dice(seed),
            is_crd_locked: false,
            loses_secrets: false,
            answers: u64::MAX,
            renewals: 0,
            crd_writes: 0,
            written_by_another: None,
            refused: None,
        }))
    }

    fn client(cluster: &Shared) -> Client {
        let cluster = Arc::clone(cluster);
        let answer = move |request: Request<Body>| {
            let cluster = Arc::clone(&cluster);
            async move {
                let pauses = cluster.lock().unwrap().dice.below(4);
                for _ in 0..pauses {
                    tokio::task::yield_now().await;
                }
                let (parts, body) = request.into_parts();
                let body = body.collect_bytes().await.unwrap();
                let (status, answer) =
                    cluster
                        .lock()
                        .unwrap()
                        .request(&parts.method, parts.uri.path(), &body);
                let mut response = Response::new(Body::from(answer.to_string().into_bytes()));
                *response.status_mut() = StatusCode::from_u16(status).unwrap();
                Ok::<_, Infallible>(response)
            }
        };
        Client::new(service_fn(answer), "default")
    }

    /// A request that fails may have been carried out, as when the connection breaks.
    fn request(&mut self, method: &Method, path: &str, body: &[u8]) -> (u16, Value) {
        if self.answers == 0 {
            if self.dice.below(2) == 0 {
                self.answer(method, path, body);
            }
            return failure(500, "InternalError");
        }
        self.answers -= 1;
        if self.loses_secrets && self.dice.below(100) == 0 {
            self.secret = None;
        }
        let answer = self.answer(method, path, body);
        self.all_are_trusted();
        answer
    }

    fn answer(&mut self, method: &Method, path: &str, body: &[u8]) -> (u16, Value) {
        let body: Value = serde_json::from_slice(body).unwrap_or_default();
        let is_crd = path.contains("/customresourcedefinitions/");
        if method == Method::PATCH
            && let Some(bundle) = self.written_by_another.take()
        {
            self.bundle = Some(bundle);
            self.crd_writes += 1;
        }
        if let ("POST" | "PUT", Some((code, reason))) = (method.as_str(), self.refused) {
            self.refused = None;
            return failure(code, reason);
        }
        match (method.as_str(), is_crd) {
            ("GET", true) => (200, self.crd()),
            ("PATCH", true) if self.is_crd_locked => failure(403, "Forbidden"),
            ("PATCH", true) if self.is_outdated(&body) => failure(409, "Conflict"),
            ("PATCH", true) => {
                self.crd_writes += 1;
                let bundle = &body["spec"]["conversion"]["webhook"]["clientConfig"]["caBundle"];
                let bundle: ByteString = serde_json::from_value(bundle.clone()).unwrap();
                self.bundle = Some(String::from_utf8(bundle.0).unwrap());
                (200, self.crd())
            }
            ("GET", false) => match &self.secret {
                Some(secret) => (200, secret.clone()),
                None => failure(404, "NotFound"),
            },
            ("POST", false) if self.secret.is_some() => failure(409, "AlreadyExists"),
            ("POST", false) => self.write(body),
            ("PUT", false) => {
                let current = self
                    .secret
                    .as_ref()
                    .map(|secret| &secret["metadata"]["resourceVersion"]);
                match current == Some(&body["metadata"]["resourceVersion"]) {
                    true => self.update(body),
                    false => failure(409, "Conflict"),
                }
            }
            _ => panic!("{method} {path}"),
        }
    }

    fn update(&mut self, secret: Value) -> (u16, Value) {
        let of = |secret: &Value| (secret["type"].clone(), secret["metadata"]["labels"].clone());
        let current = self.secret.as_ref().map(of);
        assert_eq!(
            current,
            Some(of(&secret)),
            "labels stay, and a type cannot change"
        );
        self.write(secret)
    }

    fn write(&mut self, mut secret: Value) -> (u16, Value) {
        let before = self
            .secret
            .as_ref()
            .map(|secret| secret["data"]["tls.crt"].clone());
        self.renewals +=
            usize::from(before.is_some_and(|before| before != secret["data"]["tls.crt"]));
        self.version += 1;
        secret["metadata"]["resourceVersion"] = json!(self.version.to_string());
        self.secret = Some(secret.clone());
        (200, secret)
    }

    /// Whether a write names another version of the CRD. One that names none is never outdated.
    fn is_outdated(&self, body: &Value) -> bool {
        let version = body["metadata"]["resourceVersion"].as_str();
        version.is_some_and(|version| version != self.crd_version())
    }

    fn crd_version(&self) -> String {
        format!("{}", self.crd_writes + 1)
    }

    fn crd(&self) -> Value {
        let bundle = self
            .bundle
            .clone()
            .map(|bundle| ByteString(bundle.into_bytes()));
        let client = json!({ "caBundle": bundle, "url": "https://127.0.0.1/convert" });
        json!({
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": { "name": CRD, "resourceVersion": self.crd_version() },
            "spec": {
                "group": "example.com", "scope": "Namespaced", "versions": [], "names": { "kind": "Route", "plural": "routes" },
                "conversion": { "strategy": "Webhook", "webhook": { "clientConfig": client, "conversionReviewVersions": ["v1"] } },
            },
        })
    }

    /// Once the CRD trusts anything, it trusts what each replica serves.
    fn all_are_trusted(&self) {
        for (index, served) in self.served.iter().enumerate() {
            let accepts =
                |bundle: &String| policy().is_trusted(&served.pair().chain, bundle, self.now);
            let is_trusted = self.bundle.as_ref().is_none_or(accepts);
            assert!(is_trusted, "replica {index} at {:?}", self.now);
        }
    }
}

fn failure(code: u16, reason: &str) -> (u16, Value) {
    (
        code,
        json!({ "kind": "Status", "status": "Failure", "code": code, "reason": reason, "message": reason }),
    )
}

async fn start(
    own: &SelfSigned,
    cluster: &Shared,
    now: SystemTime,
) -> Result<Certificate, CertificateError> {
    let client = Cluster::client(cluster);
    own.trusted_by(&client, &[CRD.to_owned()], "edge-ca", now)
        .await
}

async fn step(
    own: &SelfSigned,
    cluster: &Shared,
    certificate: &Certificate,
    now: SystemTime,
) -> bool {
    let client = Cluster::client(cluster);
    own.step(&client, certificate, &[CRD.to_owned()], "edge-ca", now)
        .await
        .is_ok()
}

#[tokio::test]
async fn every_replica_is_trusted_whatever_order_they_renew_in_and_wherever_they_fail() {
    let own = own();
    let lives = std::env::var("RENEWALS").map_or(1, |lives| lives.parse().unwrap());
    for seed in 0..lives {
        let cluster = Cluster::new(seed);
        let first = cluster.lock().unwrap().now;
        for _ in 0..3 {
            let certificate = start(&own, &cluster, first).await.unwrap();
            cluster.lock().unwrap().served.push(certificate);
        }
        cluster.lock().unwrap().loses_secrets = true;
        for _ in 0..300 {
            let now = {
                let mut cluster = cluster.lock().unwrap();
                let hours = cluster.dice.below(12);
                cluster.now += Duration::from_secs(hours * 60 * 60);
                cluster.answers = match cluster.dice.below(3) {
                    0 => cluster.dice.below(8),
                    _ => u64::MAX,
                };
                match cluster.dice.below(100) {
                    0 | 1 => cluster.secret = None,
                    // A chart that has the `Secret` was applied again.
                    2 | 3 => {
                        cluster.write(json!({ "type": "Opaque", "metadata": { "labels": { "app": "edge" } } }));
                    }
                    _ => {}
                }
                cluster.now
            };
            let (served, looks, restarts) = {
                let mut cluster = cluster.lock().unwrap();
                let looks = cluster.dice.below(8);
                let restarts = looks & cluster.dice.below(8) & cluster.dice.below(8);
                (cluster.served.clone(), looks, restarts)
            };
            let of = |bits: u64, index: &usize| bits & (1 << index) != 0;
            let chosen = served.into_iter().enumerate();
            let chosen = chosen.filter(|(index, _)| of(looks, index));
            let tasks: Vec<_> = chosen
                .map(|(index, certificate)| {
                    let (own, cluster) = (own.clone(), Arc::clone(&cluster));
                    tokio::spawn(async move {
                        if !of(restarts, &index) {
                            step(&own, &cluster, &certificate, now).await;
                        } else if let Ok(certificate) = start(&own, &cluster, now).await {
                            cluster.lock().unwrap().served[index] = certificate;
                        }
                    })
                })
                .collect();
            for task in tasks {
                task.await.unwrap();
            }
            cluster.lock().unwrap().all_are_trusted();
        }
        let (now, last) = {
            let mut cluster = cluster.lock().unwrap();
            cluster.answers = u64::MAX;
            (cluster.now, cluster.served[0].clone())
        };
        assert!(step(&own, &cluster, &last, now).await);
        let cluster = cluster.lock().unwrap();
        let trusted = cluster.bundle.as_ref().unwrap();
        for chain in trusted.split_inclusive("-----END CERTIFICATE-----\n") {
            assert!(policy().is_trusted(chain, trusted, now), "{trusted}");
        }
        let days = cluster.now.duration_since(first).unwrap().as_secs() / DAY.as_secs();
        let expected = usize::try_from(days / 62).unwrap();
        assert!(
            cluster.renewals >= expected,
            "{} renewals in {days} days",
            cluster.renewals
        );
    }
}

#[tokio::test]
async fn nothing_is_served_that_the_crd_does_not_trust() {
    let (own, cluster) = (own(), Cluster::new(5));
    let first_day = cluster.lock().unwrap().now;
    let certificate = start(&own, &cluster, first_day).await.unwrap();
    cluster.lock().unwrap().served = vec![certificate.clone()];
    assert_eq!(certificate.trusted(), cluster.lock().unwrap().bundle);
    let first = certificate.pair().chain;
    cluster.lock().unwrap().is_crd_locked = true;
    for day in 59..80 {
        let now = first_day + day * DAY;
        cluster.lock().unwrap().now = now;
        assert_eq!(step(&own, &cluster, &certificate, now).await, day < 60);
        assert!(certificate.pair().chain == first);
    }
    {
        let mut cluster = cluster.lock().unwrap();
        (cluster.is_crd_locked, cluster.now) = (false, first_day + 80 * DAY);
    }
    assert!(step(&own, &cluster, &certificate, first_day + 80 * DAY).await);
    assert!(certificate.pair().chain != first);
}

#[tokio::test]
async fn what_another_replica_writes_at_the_same_time_stays_trusted() {
    let (own, cluster) = (own(), Cluster::new(6));
    let now = cluster.lock().unwrap().now;
    let other = kept(&policy(), now).served.chain;
    cluster.lock().unwrap().written_by_another = Some(other.clone());
    let certificate = start(&own, &cluster, now).await.unwrap();
    let trusted = cluster.lock().unwrap().bundle.clone().unwrap();
    assert!(trusted.contains(&other) && trusted.contains(&certificate.pair().chain));
}

/// Only a replica that was too slow tries again: a refusal is said as the server says it.
#[tokio::test]
async fn a_secret_that_cannot_be_written_is_an_error_unless_another_replica_wrote_it() {
    let own = own();
    for (code, reason, is_retried) in [
        (409, "AlreadyExists", true),
        (409, "Conflict", true),
        (403, "Forbidden", false),
        (500, "InternalError", false),
    ] {
        for there in [None, Some(json!({ "type": "Opaque", "metadata": {} }))] {
            let cluster = Cluster::new(8);
            let now = cluster.lock().unwrap().now;
            if let Some(there) = there {
                cluster.lock().unwrap().write(there);
            }
            cluster.lock().unwrap().refused = Some((code, reason));
            match start(&own, &cluster, now).await {
                Ok(_) => assert!(is_retried, "{reason}"),
                Err(error) => {
                    assert!(!is_retried && error.to_string().contains(reason), "{error}")
                }
            }
        }
    }
}

#[tokio::test]
async fn replicas_that_start_at_once_take_one_certificate() {
    let cluster = Cluster::new(7);
    let starts: Vec<_> = (0..8)
        .map(|_| {
            let cluster = Arc::clone(&cluster);
            tokio::spawn(async move {
                let own = own();
                let started = start(&own, &cluster, SystemTime::now());
                started.await.unwrap().pair()
            })
        })
        .collect();
    let mut chains = Vec::new();
    for start in starts {
        chains.push(start.await.unwrap().chain);
    }
    chains.dedup();
    assert_eq!(chains.len(), 1);
}

/// A certificate that was made now.
fn kept(policy: &Policy, now: SystemTime) -> Kept {
    policy.repaired(None, now).unwrap().unwrap()
}

#[test]
fn a_certificate_is_renewed_in_two_steps() {
    let (policy, now) = (policy(), SystemTime::now());
    let first = kept(&policy, now);
    assert!(policy.repaired(Some(&first), now).unwrap().is_none());
    assert!(policy.renewed(&first, now + 58 * DAY).unwrap().is_none());
    let at = now + 61 * DAY;
    let second = policy.renewed(&first, at).unwrap().unwrap();
    assert!(second.served == first.served);
    assert_eq!(second.trusted.matches("BEGIN CERTIFICATE").count(), 2);
    assert!(policy.renewed(&second, at + DAY / 2).unwrap().is_none());
    let third = policy
        .renewed(&second, at + DAY + DAY / 24)
        .unwrap()
        .unwrap();
    assert!(third.served.chain == second.next.unwrap().chain && third.next.is_none());
    assert_eq!(third.trusted, second.trusted);
    assert!(policy.renewed(&third, at + 2 * DAY).unwrap().is_none());
}

#[test]
fn a_secret_that_is_of_no_use_is_replaced_and_the_former_certificate_stays_trusted() {
    let (policy, now) = (policy(), SystemTime::now());
    let good = kept(&policy, now);
    let other_name = Policy {
        names: vec!["other.ns.svc".to_owned()],
        ..policy.clone()
    };
    let mut garbage = good.clone();
    garbage.served.chain = "-----BEGIN CERTIFICATE-----\nAAAA".to_owned();
    let mut untrusted = good.clone();
    untrusted.trusted = String::new();
    for (policy, kept, at, is_former_trusted) in [
        (&policy, &good, now + 91 * DAY, true),
        (&other_name, &good, now, true),
        (&policy, &garbage, now, false),
        (&policy, &untrusted, now, true),
    ] {
        let repaired = policy.repaired(Some(kept), at).unwrap().unwrap();
        assert!(policy.is_trusted(&repaired.served.chain, &repaired.trusted, at));
        assert_eq!(
            repaired.trusted.contains(&good.served.chain),
            is_former_trusted
        );
    }
    for names in [vec![], vec!["not a name".to_owned()]] {
        let policy = Policy {
            names,
            ..policy.clone()
        };
        assert!(policy.repaired(None, now).is_err());
    }
}
