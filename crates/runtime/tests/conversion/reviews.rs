//! `ConversionReview`s as an API server sends them.

use super::converter;
use kube::core::conversion::{ConversionRequest, ConversionReview};
use serde_json::{Value, json};

fn answer(request: &Value) -> Value {
    let review = json!({ "apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview", "request": request });
    let answer = converter().answer(review.to_string().as_bytes()).unwrap();
    serde_json::from_slice(&answer).unwrap()
}

fn route(version: &str, name: &str, spec: &Value) -> Value {
    let metadata = json!({ "name": name, "namespace": "default" });
    json!({ "apiVersion": format!("example.com/{version}"), "kind": "Route", "metadata": metadata, "spec": spec })
}

#[test]
fn objects_of_several_versions_are_converted_in_their_order() {
    let answer = answer(&json!({
        "uid": "1", "desiredAPIVersion": "example.com/v1",
        "objects": [
            route("v1beta1", "a", &json!({ "hostnames": ["x"] })),
            route("v1", "b", &json!({ "hosts": [] })),
            route("v1alpha1", "c", &json!({ "hosts": ["y"] })),
        ],
    }));
    assert_eq!(answer["apiVersion"], "apiextensions.k8s.io/v1");
    assert_eq!(answer["kind"], "ConversionReview");
    assert_eq!(answer["response"]["uid"], "1");
    assert_eq!(answer["response"]["result"], json!({ "status": "Success" }));
    let objects = answer["response"]["convertedObjects"].as_array().unwrap();
    let shown: Vec<_> = objects
        .iter()
        .map(|object| {
            (
                &object["metadata"]["name"],
                &object["apiVersion"],
                &object["spec"]["hosts"],
            )
        })
        .collect();
    let v1 = json!("example.com/v1");
    assert_eq!(
        shown,
        [
            (&json!("a"), &v1, &json!(["x"])),
            (&json!("b"), &v1, &json!([])),
            (&json!("c"), &v1, &json!(["y"])),
        ]
    );
}

#[test]
fn one_object_that_is_not_converted_fails_the_review_and_is_named() {
    let soon = json!({ "timeout": "soon" });
    let objects: Vec<Value> = ["a", "b", "c", "d", "e"]
        .iter()
        .map(|name| route("v1beta1", name, &soon))
        .chain([route("v1beta1", "good", &json!({}))])
        .collect();
    let answer =
        answer(&json!({ "uid": "1", "desiredAPIVersion": "example.com/v1", "objects": objects }));
    assert_eq!(answer["response"]["convertedObjects"], json!([]));
    assert_eq!(answer["response"]["result"]["status"], "Failure");
    let message = answer["response"]["result"]["message"].as_str().unwrap();
    let why = "`spec.timeout`: `soon` is not a duration in seconds";
    assert_eq!(
        message,
        format!("default/a: {why}; default/b: {why}; default/c: {why}; and 2 more")
    );
}

#[test]
fn what_is_unknown_is_a_failure_and_no_panic() {
    let mut other_kind = route("v1", "a", &json!({}));
    other_kind["kind"] = json!("Gateway");
    let mut other_group = route("v1", "a", &json!({}));
    other_group["apiVersion"] = json!("example.org/v1");
    for (object, desired, why) in [
        (
            route("v1", "a", &json!({})),
            "example.com/v2",
            "default/a: version `v2` of `Route` is unknown to the webhook, which converts `v1`, `v1beta1`, `v1alpha1`",
        ),
        (
            other_kind,
            "example.com/v1beta1",
            "default/a: the webhook does not convert kind `Gateway` of group `example.com`",
        ),
        (
            other_group.clone(),
            "example.org/v1beta1",
            "default/a: the webhook does not convert kind `Route` of group `example.org`",
        ),
        (
            other_group,
            "example.com/v1",
            "default/a: kind `Route` is of group `example.org`, and `example.com/v1` is asked for",
        ),
        (
            json!({}),
            "example.com/v1",
            "an object without a name: `apiVersion` is missing or not a string",
        ),
        (
            json!([1]),
            "v1",
            "an object without a name: `apiVersion` is missing or not a string",
        ),
    ] {
        let answer =
            answer(&json!({ "uid": "1", "desiredAPIVersion": desired, "objects": [object] }));
        assert_eq!(answer["response"]["result"]["message"], why);
    }
}

#[test]
fn a_body_that_is_no_review_is_malformed() {
    for body in [
        "",
        "{",
        "{}",
        "[]",
        r#"{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview"}"#,
    ] {
        let error = converter().answer(body.as_bytes()).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("the body is not a ConversionReview: "),
            "{error}"
        );
    }
}

#[test]
fn an_object_that_nests_too_deeply_fails_by_name() {
    let deep = format!("{}1{}", "{\"a\":".repeat(5_000), "}".repeat(5_000));
    let good = route("v1beta1", "good", &json!({ "hostnames": ["x"] }));
    let bad = route("v1beta1", "bad", &json!({ "deep": "here" })).to_string();
    let bad = bad.replace("\"here\"", &deep);
    let review = |objects: &str| {
        format!(
            r#"{{"apiVersion":"apiextensions.k8s.io/v1","request":{{"uid":"1","desiredAPIVersion":"example.com/v1","objects":[{objects}]}}}}"#
        )
    };
    let answer = |objects: &str| -> Value {
        serde_json::from_slice(&converter().answer(review(objects).as_bytes()).unwrap()).unwrap()
    };
    let result = answer(&format!("{good},{bad}"))["response"]["result"].take();
    let message = result["message"].as_str().unwrap();
    assert!(
        message.starts_with("default/bad: the object cannot be read: "),
        "{message}"
    );
    assert!(!message.contains("good"), "{message}");
    assert_eq!(
        answer(&good.to_string())["response"]["result"]["status"],
        "Success"
    );
}

#[test]
fn a_request_of_a_framework_is_answered_as_its_bytes_are() {
    let review = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview",
        "request": {
            "uid": "7", "desiredAPIVersion": "example.com/v1",
            "objects": [route("v1beta1", "a", &json!({ "hostnames": ["x"] }))],
        },
    });
    let typed: ConversionReview = serde_json::from_value(review.clone()).unwrap();
    let request = ConversionRequest::from_review(typed).unwrap();
    let typed = json!(converter().respond(request).into_review());
    let bytes = converter().answer(review.to_string().as_bytes()).unwrap();
    assert_eq!(typed, serde_json::from_slice::<Value>(&bytes).unwrap());
    assert_eq!(typed["response"]["uid"], "7");
}
