//! The layer around a plain service and around kube's client: warnings arrive, and nothing else changes.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use crd_channels_runtime::warnings::layer::WarningLayer;
use crd_channels_runtime::warnings::{Collect, Warning, set_process_handler};
use http::{HeaderValue, Request, Response, StatusCode};
use k8s_openapi::api::core::v1::ConfigMap;
use kube::client::{Body, ClientBuilder};
use kube::{Api, Client};
use serde_json::{Value, json};
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use tower::{Layer, Service, ServiceExt, service_fn};

const OLD: &[u8] = b"299 - \"example.com/v1beta1 Old is deprecated\"";

/// A response with these headers.
fn response<B>(status: u16, body: B, values: &[&[u8]]) -> Response<B> {
    let mut response = Response::new(body);
    *response.status_mut() = StatusCode::from_u16(status).unwrap();
    for value in values {
        let value = HeaderValue::from_bytes(value).unwrap();
        response.headers_mut().append("warning", value);
    }
    response
}

fn texts(found: &[Warning]) -> Vec<&str> {
    found.iter().map(|warning| &*warning.text).collect()
}

/// Returns a response after a layer with its own handler, and the warnings.
async fn through(answer: Response<&'static str>) -> (Response<&'static str>, Vec<Warning>) {
    let seen = Arc::new(Collect::default());
    let layer = WarningLayer::with_handler(seen.clone());
    let answers = move |_: Request<()>| {
        let answer = answer.clone();
        async move { Ok::<_, Infallible>(answer) }
    };
    let response = layer.layer(service_fn(answers)).oneshot(Request::new(()));
    (response.await.unwrap(), seen.take())
}

#[tokio::test]
async fn every_response_is_read() {
    for status in [200, 201, 404, 409, 422, 500] {
        let (response, seen) = through(response(status, "body", &[OLD])).await;
        assert_eq!(response.status(), status);
        assert_eq!(*response.body(), "body");
        assert_eq!(texts(&seen), ["example.com/v1beta1 Old is deprecated"]);
        assert_eq!(response.extensions().get(), Some(&seen));
        assert_eq!(
            response.headers()["warning"],
            OLD,
            "the headers stay as they are"
        );
    }
    let several: [&[u8]; 3] = [
        b"299 - \"a\", 199 - \"b\"",
        b"not a warning",
        b"299 - \"c\xff\", 299 - \"d\"",
    ];
    let (several, seen) = through(response(200, "", &several)).await;
    let all: &Vec<Warning> = several.extensions().get().unwrap();
    assert_eq!(texts(all), ["a", "b"], "other codes are there as well");
    assert_eq!(texts(&seen), ["a"], "and nobody is shown them");
    let (none, seen) = through(response(200, "", &[])).await;
    assert_eq!(
        (none.extensions().get::<Vec<Warning>>(), &*seen),
        (None, &[][..])
    );
}

#[tokio::test]
async fn errors_pass() {
    let fails = |_: Request<()>| async { Err::<Response<()>, _>("broken") };
    let service = WarningLayer::new().layer(service_fn(fails));
    assert_eq!(
        service.oneshot(Request::new(())).await.err(),
        Some("broken")
    );
}

#[tokio::test]
async fn a_service_that_is_not_ready_is_waited_for() {
    struct Busy(Arc<AtomicBool>);
    impl Service<Request<()>> for Busy {
        type Response = Response<()>;
        type Error = Infallible;
        type Future = std::future::Ready<Result<Response<()>, Infallible>>;
        fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
            match self.0.load(Ordering::Relaxed) {
                true => Poll::Ready(Ok(())),
                false => Poll::Pending,
            }
        }
        fn call(&mut self, _: Request<()>) -> Self::Future {
            std::future::ready(Ok(Response::new(())))
        }
    }
    let is_ready = Arc::new(AtomicBool::new(false));
    let mut service = WarningLayer::new().layer(Busy(is_ready.clone()));
    let mut context = Context::from_waker(std::task::Waker::noop());
    assert!(service.poll_ready(&mut context).is_pending());
    is_ready.store(true, Ordering::Relaxed);
    assert!(service.poll_ready(&mut context).is_ready());
}

/// kube's client with a server that gives every request the same response.
fn client(
    layer: &WarningLayer,
    status: u16,
    body: &Value,
    values: &'static [&'static [u8]],
) -> Client {
    let body = body.to_string();
    let answers = move |_: Request<Body>| {
        let body = Body::from(body.clone().into_bytes());
        async move { Ok::<_, Infallible>(response(status, body, values)) }
    };
    ClientBuilder::new(service_fn(answers), "default")
        .with_layer(layer)
        .build()
}

#[tokio::test]
async fn kubes_client_warns_and_answers_as_before() {
    let process = Arc::new(Collect::default());
    set_process_handler(process.clone());
    let own = Arc::new(Collect::default());
    let own_layer = WarningLayer::with_handler(own.clone());

    let map = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}});
    let api: Api<ConfigMap> = Api::default_namespaced(client(&own_layer, 200, &map, &[OLD]));
    assert_eq!(
        api.get("a").await.unwrap().metadata.name.as_deref(),
        Some("a")
    );
    assert_eq!(own.take().len(), 1);
    assert_eq!(process.take(), [], "the client's handler goes before");

    let old_server: Api<ConfigMap> = Api::default_namespaced(client(&own_layer, 200, &map, &[]));
    assert!(old_server.get("a").await.is_ok());
    assert_eq!(own.take(), [], "it sends no header");

    for (status, reason) in [(404, "NotFound"), (409, "Conflict"), (422, "Invalid")] {
        let refused = json!({
            "apiVersion": "v1", "kind": "Status", "status": "Failure", "reason": reason, "code": status, "message": "no",
        });
        let api: Api<ConfigMap> =
            Api::default_namespaced(client(&WarningLayer::new(), status, &refused, &[OLD]));
        match api.get("a").await {
            Err(kube::Error::Api(answer)) => assert_eq!(answer.reason, reason),
            answer => panic!("{status}: {answer:?}"),
        }
        let warned = process.take();
        assert_eq!(
            texts(&warned),
            ["example.com/v1beta1 Old is deprecated"],
            "{status}"
        );
    }

    let sent = client(&own_layer, 200, &map, &[b"malformed", OLD]);
    let request = Request::get("/api/v1/namespaces/default/configmaps/a");
    let response = sent
        .send(request.body(Body::empty()).unwrap())
        .await
        .unwrap();
    assert_eq!(
        response.extensions().get(),
        Some(&own.take()),
        "the result has them"
    );
}
