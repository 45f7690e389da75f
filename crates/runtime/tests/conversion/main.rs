//! Objects are converted between the versions of a kind, and nothing is lost on the way.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

mod reviews;
#[path = "../../examples/webhook/versions.rs"]
mod versions;

use crd_channels_runtime::conversion::{Converter, round_trip};
use serde_json::{Value, json};
use versions::crd;

fn converter() -> Converter {
    versions::converter(&crd().unwrap())
}

/// How many random objects there are of each pair of versions.
const OBJECTS: u32 = 500;

#[test]
fn random_objects_come_back_as_they_were() {
    round_trip::check(&converter(), &crd().unwrap(), OBJECTS)
        .unwrap_or_else(|failure| panic!("{failure}"));
}

fn route(spec: &Value) -> Value {
    json!({
        "apiVersion": "example.com/v1", "kind": "Route",
        "metadata": { "name": "a", "namespace": "b", "uid": "c", "generation": 3 }, "spec": spec,
    })
}

/// What an object is after an edit of its spec in another version.
fn edited(object: &Value, version: &str, edit: impl Fn(&mut Value)) -> Value {
    let converter = converter();
    let mut other = converter.convert(object.clone(), version).unwrap();
    edit(&mut other["spec"]);
    converter.convert(other, "v1").unwrap()
}

fn full() -> Value {
    route(&json!({
        "hosts": ["a.example"], "mode": "Mirror", "timeoutSeconds": 30, "retries": 3,
        "rules": [{ "name": "x", "backend": "one", "weight": 1 }, { "name": "y", "backend": "two", "weight": 2 }],
    }))
}

#[test]
fn what_the_narrower_version_shows_is_what_it_can_carry() {
    let old = converter().convert(full(), "v1beta1").unwrap();
    assert_eq!(old["apiVersion"], "example.com/v1beta1");
    assert_eq!(
        old["spec"],
        json!({
            "hostnames": ["a.example"], "mode": "Forward", "timeout": "30s",
            "rules": [{ "name": "x", "service": "one" }, { "name": "y", "service": "two" }],
        })
    );
    assert_eq!(old["metadata"]["uid"], "c");
    assert!(old["metadata"]["annotations"]["example.com/conversion-kept"].is_string());
}

#[test]
fn an_edit_in_the_narrower_version_keeps_what_it_does_not_show() {
    let after = edited(&full(), "v1beta1", |spec| spec["timeout"] = json!("5s"));
    let mut expected = full();
    expected["spec"]["timeoutSeconds"] = json!(5);
    assert_eq!(after, expected);
}

#[test]
fn an_edit_of_what_stands_for_something_wins() {
    let after = edited(&full(), "v1beta1", |spec| spec["mode"] = json!("Bounce"));
    let mut expected = full();
    expected["spec"]["mode"] = json!("Redirect");
    assert_eq!(after, expected);
}

#[test]
fn elements_of_a_list_map_keep_what_is_theirs_wherever_they_go() {
    let after = edited(&full(), "v1beta1", |spec| {
        spec["rules"] = json!([
            { "name": "new" }, { "name": "y", "service": "three" }, { "name": "x", "service": "one" },
        ]);
    });
    let rules = json!([
        { "name": "new" }, { "name": "y", "backend": "three", "weight": 2 }, { "name": "x", "backend": "one", "weight": 1 },
    ]);
    assert_eq!(after["spec"]["rules"], rules);
}

/// Whoever writes an object writes its annotations as well: a long list must not keep the webhook from answering others.
#[test]
fn long_lists_do_not_hold_up_the_webhook() {
    let elements = |of: &dyn Fn(usize) -> Value| (0..20_000).map(of).collect::<Vec<_>>();
    let rules = elements(&|index| json!({ "name": index.to_string() }));
    let hosts = elements(&|_| json!("a"));
    let keyed: serde_json::Map<String, Value> = (0..5_000)
        .map(|index| {
            (
                format!("[\"-{index}\"]"),
                json!({ "index": 0, "was": { "name": "n" } }),
            )
        })
        .collect();
    let items = elements(&|index| json!([index + 1, { "shown": "b", "was": "c" }]));
    let lost = json!({ "hosts": { "items": items }, "rules": { "keyed": keyed } });
    let kept = json!({ "v1": { "fields": { "spec": { "fields": lost } } } });
    let mut object = route(&json!({ "hostnames": hosts, "rules": rules }));
    object["apiVersion"] = json!("example.com/v1beta1");
    object["metadata"]["annotations"] = json!({ "example.com/conversion-kept": kept.to_string() });

    let mut plain = object.clone();
    plain["metadata"]["annotations"] = Value::Null;
    let time = |object: Value| {
        let start = std::time::Instant::now();
        // What comes back with it does not fit into the annotations of the way back, and is refused.
        let _ = converter().convert(object, "v1");
        start.elapsed().as_secs_f64()
    };
    let ratio = time(object) / time(plain);
    assert!(ratio < 50.0, "{ratio} times as long as without");
}

#[test]
fn elements_that_a_version_does_not_show_come_back_to_their_places() {
    let mut object = full();
    object["apiVersion"] = json!("example.com/v1alpha1");
    object["spec"] = json!({ "hosts": [] });
    let rule = |name: &str| json!({ "name": name });
    let gone = |index: usize, name: &str| json!({ "index": index, "was": rule(name) });
    let keyed = json!({ "[\"b\"]": gone(1, "b"), "[\"d\"]": gone(3, "d"), "[\"z\"]": gone(9, "z"),
        "[\"x\"]": { "shown": rule("x") } });
    let kept =
        json!({ "v1": { "fields": { "spec": { "fields": { "rules": { "keyed": keyed } } } } } });
    object["apiVersion"] = json!("example.com/v1beta1");
    object["spec"] = json!({ "rules": [rule("a"), rule("x"), rule("c")] });
    object["metadata"]["annotations"] = json!({ "example.com/conversion-kept": kept.to_string() });
    let converted = converter().convert(object, "v1").unwrap();
    let names: Vec<&Value> = converted["spec"]["rules"]
        .as_array()
        .unwrap()
        .iter()
        .map(|rule| &rule["name"])
        .collect();
    assert_eq!(names, ["a", "b", "c", "d", "z"]);
}

#[test]
fn what_is_kept_passes_through_other_versions() {
    let converter = converter();
    let beta = json!({
        "apiVersion": "example.com/v1beta1", "kind": "Route", "metadata": { "name": "a" },
        "spec": { "hostnames": [], "rules": [], "mode": "Legacy", "comment": "mine" },
    });
    let mut object = beta.clone();
    for version in ["v1", "v1alpha1", "v1", "v1alpha1", "v1beta1"] {
        object = converter.convert(object, version).unwrap();
    }
    assert_eq!(object, beta);
}

#[test]
fn what_the_type_does_not_know_is_not_lost() {
    let mut object = full();
    object["spec"]["future"] = json!({ "a": [1] });
    let old = converter().convert(object.clone(), "v1beta1").unwrap();
    assert_eq!(converter().convert(old, "v1").unwrap(), object);
}

#[test]
fn an_annotation_that_somebody_else_wrote_does_no_harm() {
    for text in [
        "",
        "{",
        "null",
        "{}",
        r#"{"v1":{}}"#,
        r#"{"v1":{"was":7}}"#,
        r#"{"v1":{"shown":{"spec":{}},"was":7}}"#,
        r#"{"v1":{"fields":{"spec":{"shown":{},"was":7}}}}"#,
        r#"{"v1":{"fields":{"spec":{"fields":{"mode":{"was":"Never"}}}}}}"#,
        r#"{"v1":{"fields":{"spec":{"items":[[0,{}]],"keyed":{}}}}}"#,
    ] {
        let mut object = route(&json!({ "hosts": [] }));
        object["apiVersion"] = json!("example.com/v1beta1");
        object["spec"] = json!({});
        object["metadata"]["annotations"] =
            json!({ "example.com/conversion-kept": text, "other": "stays" });
        let converted = converter().convert(object, "v1").unwrap();
        assert_eq!(
            converted["metadata"]["annotations"]["other"], "stays",
            "{text}"
        );
        assert_eq!(converted["spec"], json!({}), "{text}");
    }
}

#[test]
fn what_does_not_fit_into_annotations_is_refused() {
    let mut object = full();
    object["spec"]["labels"] = json!({ "a": "x".repeat(300_000) });
    let error = converter().convert(object, "v1beta1").unwrap_err();
    assert!(
        error.to_string().contains("and an API server takes 262144"),
        "{error}"
    );
}

#[test]
fn an_error_names_the_field() {
    let object = json!({
        "apiVersion": "example.com/v1beta1", "kind": "Route", "metadata": {},
        "spec": { "hostnames": [], "rules": [], "timeout": "soon", "mode": "Forward" },
    });
    let error = converter().convert(object, "v1").unwrap_err();
    assert_eq!(
        error.to_string(),
        "`spec.timeout`: `soon` is not a duration in seconds"
    );
}

/// Without what was kept, the proof fails: it can.
#[test]
fn a_conversion_that_loses_something_is_found() {
    let mut crd = crd().unwrap();
    let unknown = &mut crd.spec.versions[1]
        .schema
        .as_mut()
        .unwrap()
        .open_api_v3_schema;
    let spec = unknown
        .as_mut()
        .unwrap()
        .properties
        .as_mut()
        .unwrap()
        .get_mut("spec")
        .unwrap();
    spec.properties.as_mut().unwrap().remove("mode");
    let failure = round_trip::check(&converter(), &crd, OBJECTS).unwrap_err();
    let text = failure.to_string();
    assert!(
        text.contains("`v1beta1` has no field `.spec.mode`, and prunes it"),
        "{text}"
    );

    let nothing = Converter::new([]);
    let failure = round_trip::check(&nothing, &crd, 1).unwrap_err();
    assert_eq!(
        failure.to_string(),
        "the converter does not convert kind `Route`"
    );
}
