//! The server of a conversion webhook, over TLS on loopback.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod client;

use client::Client;
use crd_channels_runtime::conversion::{Convert, Converter, Kind, convert_root};
use crd_channels_runtime::webhook::{Certificate, Server};
use http::{Method, StatusCode};
use kube::CustomResource;
use rcgen::{CertifiedKey, KeyPair, generate_simple_self_signed};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

mod v1 {
    use super::*;

    #[derive(Clone, Convert, CustomResource, Debug, Deserialize, Serialize)]
    #[kube(
        group = "example.com",
        version = "v1",
        kind = "Route",
        schema = "disabled"
    )]
    pub struct RouteSpec {
        pub host: String,
    }
}

#[derive(Clone, Convert, CustomResource, Debug, Deserialize, Serialize)]
#[convert(hub = v1::RouteSpec)]
#[kube(
    group = "example.com",
    version = "v1beta1",
    kind = "Route",
    schema = "disabled"
)]
struct RouteSpec {
    #[convert(with = hosts)]
    host: String,
}

convert_root!(Route => v1::Route { spec });

mod hosts {
    use crd_channels_runtime::conversion::Unconvertible;

    pub fn to_hub(host: String) -> Result<String, Unconvertible> {
        assert_ne!(host, "panic");
        if host == "slow" {
            std::thread::sleep(std::time::Duration::from_millis(1_500));
        }
        Ok(host)
    }

    pub fn from_hub(host: String) -> Result<String, Unconvertible> {
        Ok(host)
    }
}

fn converter() -> Converter {
    let version = |name: &str| json!({ "name": name, "served": true, "storage": name == "v1" });
    let crd = json!({ "metadata": {}, "spec": {
        "group": "example.com", "names": { "kind": "Route", "plural": "routes" }, "scope": "Namespaced",
        "versions": [version("v1"), version("v1beta1")],
    } });
    let crd = serde_json::from_value(crd).unwrap();
    Converter::new([Kind::with_hub::<v1::Route>(&crd)
        .spoke::<Route>()
        .build()
        .unwrap()])
}

fn review(host: &str) -> Vec<u8> {
    let object = json!({ "apiVersion": "example.com/v1beta1", "kind": "Route", "metadata": { "name": "a" }, "spec": { "host": host } });
    let request = json!({ "uid": "1", "desiredAPIVersion": "example.com/v1", "objects": [object] });
    let review = json!({ "apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview", "request": request });
    review.to_string().into_bytes()
}

struct Started {
    address: SocketAddr,
    trusted: String,
    stop: oneshot::Sender<()>,
    end: JoinHandle<()>,
}

fn made() -> CertifiedKey<KeyPair> {
    generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap()
}

async fn start(change: impl FnOnce(Server) -> Server) -> Started {
    let made = made();
    let trusted = made.cert.pem();
    let certificate = Certificate::from_pem(&trusted, &made.signing_key.serialize_pem()).unwrap();
    let server = Server::new(converter(), certificate).drain(Duration::from_secs(3));
    serve(change(server), trusted).await
}

async fn serve(server: Server, trusted: String) -> Started {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel();
    let end = tokio::spawn(server.serve(listener, async { drop(stopped.await) }));
    Started {
        address,
        trusted,
        stop,
        end,
    }
}

impl Started {
    async fn client(&self, protocol: &str) -> Client {
        Client::connect(self.address, &self.trusted, protocol)
            .await
            .unwrap()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn both_versions_of_http_convert() {
    let started = start(|server| server).await;
    for protocol in ["h2", "http/1.1"] {
        let mut client = started.client(protocol).await;
        let (status, body) = client
            .send(Method::POST, "/any/path", review("a"))
            .await
            .unwrap();
        assert_eq!(status, StatusCode::OK, "{protocol}");
        let answer: Value = serde_json::from_slice(&body).unwrap();
        let object = &answer["response"]["convertedObjects"][0];
        assert_eq!(object["apiVersion"], "example.com/v1");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_is_no_review_is_answered_and_the_next_one_too() {
    let started = start(|server| server.body_limit(1_000)).await;
    for protocol in ["h2", "http/1.1"] {
        for (method, path, body, expected, words) in [
            (
                Method::GET,
                "/convert",
                Vec::new(),
                405,
                "a ConversionReview is posted",
            ),
            (
                Method::POST,
                "/convert",
                b"{}".to_vec(),
                400,
                "not a ConversionReview",
            ),
            (
                Method::POST,
                "/convert",
                vec![b' '; 1_001],
                413,
                "exceeds 1000 bytes",
            ),
            (Method::POST, "/convert", review("panic"), 500, "panicked"),
            (Method::POST, "/convert", review("a"), 200, "example.com/v1"),
            (Method::GET, "/livez", Vec::new(), 200, "ok"),
            (Method::GET, "/readyz", Vec::new(), 200, "ok"),
        ] {
            let mut client = started.client(protocol).await;
            let (status, body) = client.send(method, path, body).await.unwrap();
            let said = String::from_utf8_lossy(&body);
            assert_eq!(status, expected, "{said}");
            assert!(said.contains(words), "{said}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_takes_too_long_ends() {
    let started = start(|server| server.request_timeout(Duration::from_millis(300))).await;
    let mut client = started.client("h2").await;
    let (status, _) = client
        .send(Method::POST, "/convert", review("slow"))
        .await
        .unwrap();
    assert_eq!(status, StatusCode::REQUEST_TIMEOUT);
}

/// Both wait for the server's ten seconds.
#[tokio::test(flavor = "multi_thread")]
async fn silent_connections_end_and_a_changed_certificate_is_served() {
    let silent = tokio::spawn(a_connection_without_a_handshake_delays_nobody());
    a_certificate_that_changes_is_served_once_it_fits().await;
    silent.await.unwrap();
}

async fn a_connection_without_a_handshake_delays_nobody() {
    let started = start(|server| server).await;
    let mut silent = Vec::new();
    for _ in 0..50 {
        silent.push(TcpStream::connect(started.address).await.unwrap());
    }
    let mut client = started.client("h2").await;
    let (status, _) = client
        .send(Method::POST, "/convert", review("a"))
        .await
        .unwrap();
    assert_eq!(status, StatusCode::OK);
    let mut byte = [0];
    let closed = tokio::time::timeout(Duration::from_secs(60), silent[0].read(&mut byte)).await;
    assert!(matches!(
        closed.expect("a silent connection is closed"),
        Ok(0) | Err(_)
    ));
}

/// As many as the server has places for. They have not said anything yet, and have ten seconds.
#[tokio::test(flavor = "multi_thread")]
async fn too_many_connections_wait_until_others_end() {
    let started = start(|server| server).await;
    let mut silent = Vec::new();
    for _ in 0..255 {
        silent.push(TcpStream::connect(started.address).await.unwrap());
    }
    let last = tokio::time::timeout(Duration::from_secs(5), started.client("h2"));
    let mut last = last.await.expect("the last place");
    let (address, trusted) = (started.address, started.trusted.clone());
    let more = async move { Client::connect(address, &trusted, "h2").await.map(drop) };
    let mut more = tokio::spawn(more);
    let waits = tokio::time::timeout(Duration::from_secs(1), &mut more).await;
    assert!(waits.is_err(), "there is no place for it");
    let (status, _) = last
        .send(Method::POST, "/convert", review("a"))
        .await
        .unwrap();
    assert_eq!(status, StatusCode::OK);
    drop(silent);
    let answered = tokio::time::timeout(Duration::from_secs(60), more).await;
    assert!(answered.unwrap().unwrap().is_ok(), "now there is");
}

/// Endpoints have been updated by then, but a request may take longer.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_ends_waits_for_its_requests() {
    let started = start(|server| server.drain(Duration::from_millis(100))).await;
    let mut busy = started.client("h2").await;
    let slow =
        tokio::spawn(async move { busy.send(Method::POST, "/convert", review("slow")).await });
    tokio::time::sleep(Duration::from_millis(300)).await;
    started.stop.send(()).unwrap();
    tokio::time::timeout(Duration::from_secs(60), started.end)
        .await
        .expect("it ends")
        .unwrap();
    // The answer was sent before. Without waiting, the server would have ended a second earlier.
    let answered = tokio::time::timeout(Duration::from_millis(500), slow).await;
    let (status, _) = answered.expect("the answer").unwrap().unwrap();
    assert_eq!(status, StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_stops_says_so_and_finishes_what_it_has() {
    let started = start(|server| server).await;
    let mut busy = started.client("h2").await;
    let mut probe = started.client("http/1.1").await;
    let slow =
        tokio::spawn(async move { busy.send(Method::POST, "/convert", review("slow")).await });
    tokio::time::sleep(Duration::from_millis(200)).await;
    started.stop.send(()).unwrap();
    let mut answer = probe
        .send(Method::GET, "/readyz", Vec::new())
        .await
        .unwrap();
    while answer.0 == StatusCode::OK {
        tokio::time::sleep(Duration::from_millis(10)).await;
        answer = probe
            .send(Method::GET, "/readyz", Vec::new())
            .await
            .unwrap();
    }
    let expected = (StatusCode::SERVICE_UNAVAILABLE, b"stopping\n".to_vec());
    assert_eq!(answer, expected);
    let late = Client::connect(started.address, &started.trusted, "h2")
        .await
        .unwrap()
        .send(Method::POST, "/", review("a"))
        .await;
    assert_eq!(
        late.unwrap().0,
        StatusCode::OK,
        "endpoints are updated later"
    );
    let (status, _) = slow.await.unwrap().unwrap();
    assert_eq!(status, StatusCode::OK);
    tokio::time::timeout(Duration::from_secs(60), started.end)
        .await
        .expect("it ends")
        .unwrap();
    assert!(TcpStream::connect(started.address).await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_stops_lets_busy_connections_go() {
    let started = start(|server| server).await;
    let mut busy = started.client("http/1.1").await;
    let mut answers = vec![busy.send(Method::POST, "/", review("a")).await];
    started.stop.send(()).unwrap();
    // As an API server does under load, until it is told to use another connection.
    while answers.last().is_some_and(Result::is_ok) && answers.len() < 10 {
        tokio::time::sleep(Duration::from_millis(100)).await;
        answers.push(busy.send(Method::POST, "/", review("a")).await);
    }
    let is_told = (2..10).contains(&answers.len());
    assert!(is_told, "within a second, long before the server ends");
}

/// A folder of files, removed at its end.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

async fn a_certificate_that_changes_is_served_once_it_fits() {
    let folder = Folder(std::env::temp_dir().join(format!("webhook-{}", std::process::id())));
    std::fs::create_dir_all(&folder.0).unwrap();
    let (chain, key) = (folder.0.join("tls.crt"), folder.0.join("tls.key"));
    let (first, second) = (made(), made());
    assert!(
        Certificate::from_files(&chain, &key)
            .unwrap_err()
            .to_string()
            .contains("tls.crt")
    );
    std::fs::write(&chain, first.cert.pem()).unwrap();
    std::fs::write(&key, first.signing_key.serialize_pem()).unwrap();
    let certificate = Certificate::from_files(&chain, &key).unwrap();
    let started = serve(
        Server::new(converter(), certificate.clone()),
        first.cert.pem(),
    )
    .await;
    let accepts = |trusted: String| async move {
        Client::connect(started.address, &trusted, "h2")
            .await
            .is_ok()
    };

    std::fs::write(&chain, second.cert.pem()).unwrap();
    let refused = certificate.reload().unwrap_err().to_string();
    assert!(refused.contains("cannot be used"), "{refused}");
    assert!(accepts(first.cert.pem()).await && !accepts(second.cert.pem()).await);

    std::fs::write(&key, second.signing_key.serialize_pem()).unwrap();
    // The server itself reads them, every ten seconds.
    for _ in 0..120 {
        if accepts(second.cert.pem()).await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    panic!("the new certificate is not served");
}
