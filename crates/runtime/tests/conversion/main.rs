//! Conversion between the versions of a kind loses nothing.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

mod bounds;
mod edits;
mod lives;
mod random;
mod recorded;
mod releases;
mod reviews;
mod types;
mod unions;
mod versions;

use crd_channels_runtime::conversion::{Converter, Kind, round_trip};
use serde_json::{Value, json};
use versions::{crd, v1, v1alpha1, v1beta1};

fn converter() -> Converter {
    versions::converter(&crd().unwrap()).unwrap()
}

/// The number of random objects for each pair of versions: as many as `CONVERSION_EDITS` says.
fn count(most: u32) -> u32 {
    std::env::var("CONVERSION_EDITS").map_or(most, |count| count.parse().unwrap())
}

const OBJECTS: u32 = 500;

#[test]
fn random_objects_come_back_as_they_were() {
    round_trip::check(&converter(), &crd().unwrap(), count(OBJECTS))
        .unwrap_or_else(|failure| panic!("{failure}"));
}

fn route(spec: &Value) -> Value {
    json!({
        "apiVersion": "example.com/v1", "kind": "Route",
        "metadata": { "name": "a", "namespace": "b", "uid": "c", "generation": 3 }, "spec": spec,
    })
}

/// Returns an object after an edit of its spec in another version.
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
    let kept = &old["metadata"]["annotations"]["example.com/conversion-kept.v1.spec.retries"];
    let text = r#"{"format":2,"versions":{"v1":{"fields":{"spec":{"fields":{"retries":{"value":{"was":3}}}}}}}}"#;
    assert_eq!(kept, text);
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

/// Any writer of an object can write its annotations: a long list must not block the webhook for others.
#[test]
fn long_lists_do_not_hold_up_the_webhook() {
    let elements = |of: &dyn Fn(usize) -> Value| (0..20_000).map(of).collect::<Vec<_>>();
    let rules = elements(&|index| json!({ "name": index.to_string() }));
    let hosts = elements(&|_| json!("a"));
    let gone = json!({ "gone": [0, { "name": "n" }] });
    let keyed = (0..5_000).map(|index| (format!("[\"-{index}\"]"), gone.clone()));
    let keyed: serde_json::Map<String, Value> = keyed.collect();
    let items = elements(&|index| json!([index + 1, { "shown": "b", "was": "c" }]));
    let lost = json!({ "hosts": { "items": items }, "rules": { "keyed": keyed } });
    let text = annotation_of_lost(&json!({ "fields": { "spec": { "fields": lost } } }));
    let mut object = route(&json!({ "hostnames": hosts, "rules": rules }));
    object["apiVersion"] = json!("example.com/v1beta1");
    object["metadata"]["annotations"] = json!({ "example.com/conversion-kept": text });

    let mut plain = object.clone();
    plain["metadata"]["annotations"] = Value::Null;
    let time = |object: Value| {
        let start = std::time::Instant::now();
        // The result is too large for the annotations of the way back, and is refused.
        let _ = converter().convert(object, "v1");
        start.elapsed().as_secs_f64()
    };
    let ratio = time(object) / time(plain);
    assert!(ratio < 100.0, "{ratio} times as long as without");
}

#[test]
fn elements_that_a_version_does_not_show_come_back_to_their_places() {
    let rule = |name: &str| json!({ "name": name });
    let gone = |index: usize, name: &str| json!({ "gone": [index, rule(name)] });
    let keyed = json!({
        "[\"b\"]": gone(1, "b"), "[\"d\"]": gone(3, "d"), "[\"z\"]": gone(9, "z"),
        "[\"x\"]": { "value": { "shown": rule("x") } },
    });
    let lost = json!({ "fields": { "spec": { "fields": { "rules": { "keyed": keyed } } } } });
    let mut object = route(&json!({ "rules": [rule("a"), rule("x"), rule("c")] }));
    object["apiVersion"] = json!("example.com/v1beta1");
    object["metadata"]["annotations"] =
        json!({ "example.com/conversion-kept": annotation_of_lost(&lost) });
    let converted = converter().convert(object, "v1").unwrap();
    let rules = converted["spec"]["rules"].as_array().unwrap().iter();
    let names: Vec<&Value> = rules.map(|rule| &rule["name"]).collect();
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

/// Returns an annotation with what `v1` lost.
fn annotation_of_lost(lost: &Value) -> String {
    json!({ "format": 1, "versions": { "v1": lost } }).to_string()
}

#[test]
fn an_annotation_that_somebody_else_wrote_does_no_harm() {
    let spec = |lost: Value| annotation_of_lost(&json!({ "fields": { "spec": lost } }));
    for text in [
        String::new(),
        "{".to_owned(),
        "null".to_owned(),
        "{}".to_owned(),
        annotation_of_lost(&json!({})),
        annotation_of_lost(&json!({ "value": { "was": 7 } })),
        annotation_of_lost(&json!({ "value": { "shown": { "spec": {} }, "was": 7 } })),
        annotation_of_lost(
            &json!({ "fields": { "metadata": { "value": { "was": { "labels": { "!!": "x" } } } } } }),
        ),
        annotation_of_lost(&json!({ "fields": { "kind": { "value": { "was": "Other" } } } })),
        spec(json!({ "value": { "shown": {}, "was": 7 } })),
        spec(json!({ "fields": { "mode": { "value": { "was": "Never" } } } })),
        spec(json!({ "items": [[0, {}]] })),
        spec(json!({ "keyed": { "[1]": { "gone": [0, 1] } } })),
    ] {
        let mut object = route(&json!({}));
        object["apiVersion"] = json!("example.com/v1beta1");
        let annotations = json!({ "example.com/conversion-kept": text, "other": "stays" });
        object["metadata"]["annotations"] = annotations;
        object["metadata"]["labels"] = json!({ "a": "b" });
        let converted = converter().convert(object, "v1").unwrap();
        assert_eq!(converted["kind"], "Route", "{text}");
        assert_eq!(
            converted["metadata"]["annotations"]["other"], "stays",
            "{text}"
        );
        assert_eq!(
            converted["metadata"]["labels"],
            json!({ "a": "b" }),
            "{text}"
        );
        assert_eq!(converted["spec"], json!({}), "{text}");
    }
}

/// A schema may accept a text that the conversion refuses, such as one that is not a duration.
#[test]
fn what_the_conversion_cannot_read_is_not_restored_and_kept_for_a_later_program() {
    let lost = json!({ "fields": { "spec": { "fields": { "timeout": { "value": { "was": "soon" } } } } } });
    let text = json!({ "format": 2, "versions": { "v1beta1": lost } }).to_string();
    let mut object = route(&json!({ "hosts": ["a"] }));
    object["metadata"]["annotations"] = json!({ "example.com/conversion-kept": text });
    let mut crd = json!(crd().unwrap());
    let schema = &mut crd["spec"]["versions"][1]["schema"]["openAPIV3Schema"];
    let timeout = &mut schema["properties"]["spec"]["properties"]["timeout"];
    assert!(timeout["pattern"].is_string());
    *timeout = json!({ "type": "string" });
    let converter = versions::converter(&serde_json::from_value(crd).unwrap()).unwrap();
    let converted = converter.convert(object, "v1beta1").unwrap();
    assert_eq!(converted["spec"], json!({ "hostnames": ["a"] }));
    let later = "example.com/conversion-kept.v1beta1.later.spec.timeout";
    assert!(converted["metadata"]["annotations"].get(later).is_some());
}

/// Who may not write the status must not be able to write it by what is kept of it.
#[test]
fn a_status_is_kept_only_where_it_is_asked_for_and_only_a_valid_one_is_restored() {
    // Whoever writes an object does not write its status, but what is restored is both.
    let mut crd = json!(crd().unwrap());
    crd["spec"]["versions"][0]["subresources"] = json!({ "status": {} });
    let crd = serde_json::from_value(crd).unwrap();
    let versions = || {
        Kind::with_hub::<v1::Route>(&crd)
            .spoke::<v1beta1::Route>()
            .spoke::<v1alpha1::Route>()
    };
    let status = json!({ "observedHosts": 1 });
    let mut object = full();
    object["status"] = status.clone();
    for (kind, is_kept) in [(versions(), true), (versions().without_status(), false)] {
        let kind = kind.build().unwrap();
        // `v1alpha1` has no status.
        let there = kind
            .convert(object.clone(), "v1", "v1alpha1")
            .unwrap()
            .object;
        let kept = there["metadata"]["annotations"].to_string();
        assert_eq!(kept.contains("observedHosts"), is_kept, "{kept}");
        let back = kind.convert(there, "v1alpha1", "v1").unwrap().object;
        assert_eq!(back.get("status"), Some(&status).filter(|_| is_kept));
        assert_eq!(back["spec"], object["spec"]);
        // A version that has one keeps its own.
        let mut there = kind
            .convert(object.clone(), "v1", "v1beta1")
            .unwrap()
            .object;
        let lost = json!({ "fields": { "status": { "fields": { "observedHosts": { "value": { "shown": 1, "was": 7 } } } } } });
        there["metadata"]["annotations"]["example.com/conversion-kept"] =
            json!(annotation_of_lost(&lost));
        let back = kind.convert(there.clone(), "v1beta1", "v1").unwrap().object;
        let observed = if is_kept { 7 } else { 1 };
        assert_eq!(back["status"], json!({ "observedHosts": observed }));
        let lost = json!({ "fields": { "status": { "fields": { "observedHosts": { "value": { "shown": 1, "was": "x" } } } } } });
        there["metadata"]["annotations"]["example.com/conversion-kept"] =
            json!(annotation_of_lost(&lost));
        let back = kind.convert(there, "v1beta1", "v1").unwrap().object;
        assert_eq!(back["status"], status, "the schema refuses a text");
    }
}

/// Each part has an annotation of its own, however long the names are: an apply removes those of its fields alone.
#[test]
fn parts_with_long_names_have_an_annotation_each() {
    let mut object = full();
    let labels: serde_json::Map<String, Value> = (0..9)
        .map(|index| (format!("a.{index}{}", "x".repeat(60)), json!("y")))
        .collect();
    object["spec"] = json!({ "labels": labels });
    let mut old = converter().convert(object.clone(), "v1alpha1").unwrap();
    let one = old["metadata"]["annotations"].as_object().unwrap().clone();
    object["spec"] =
        json!({ "rules": full()["spec"]["rules"], "future thing": 1, "other thing": 2 });
    old = converter().convert(object, "v1alpha1").unwrap();
    let kept = old["metadata"]["annotations"].as_object().unwrap();
    assert_eq!((one.len(), kept.len()), (1, 3), "{kept:?}");
}

#[test]
fn a_part_that_cannot_be_read_does_not_take_the_others_with_it() {
    let lost =
        json!({ "mode": { "value": { "was": "Never" } }, "retries": { "value": { "was": 3 } } });
    let mut object = route(&json!({}));
    object["apiVersion"] = json!("example.com/v1beta1");
    let text = annotation_of_lost(&json!({ "fields": { "spec": { "fields": lost } } }));
    object["metadata"]["annotations"] = json!({ "example.com/conversion-kept": text });
    let converted = converter().convert(object, "v1").unwrap();
    assert_eq!(converted["spec"], json!({ "retries": 3 }));
}

#[test]
fn what_a_later_program_kept_stays() {
    let later = r#"{"format":9,"anything":1}"#;
    let mut object = route(&json!({ "hostnames": ["a"] }));
    object["apiVersion"] = json!("example.com/v1beta1");
    object["metadata"]["annotations"] = json!({ "example.com/conversion-kept": later });
    let converted = converter().convert(object, "v1").unwrap();
    assert_eq!(
        converted["metadata"]["annotations"]["example.com/conversion-kept"],
        later
    );
}

#[test]
fn what_is_nested_too_deeply_is_refused_and_not_lost() {
    let deep = (0..122).fold(json!(1), |inner, _| json!({ "a": inner }));
    let mut object = full();
    object["spec"]["future"] = deep;
    let error = converter().convert(object, "v1beta1").unwrap_err();
    assert!(error.to_string().contains("nested too deeply"), "{error}");
}

#[test]
fn null_is_a_value() {
    let mut object = full();
    object["spec"]["timeoutSeconds"] = Value::Null;
    let old = converter().convert(object.clone(), "v1beta1").unwrap();
    assert_eq!(converter().convert(old, "v1").unwrap(), object);
}

#[test]
fn what_does_not_fit_into_annotations_is_refused() {
    let mut object = full();
    object["spec"]["labels"] = json!({ "a": "x".repeat(300_000) });
    let error = converter().convert(object, "v1beta1").unwrap_err();
    assert!(
        error
            .to_string()
            .contains("an API server accepts at most 262144"),
        "{error}"
    );
}

#[test]
fn annotations_may_have_the_size_that_an_api_server_accepts() {
    let old = converter().convert(full(), "v1beta1").unwrap();
    let kept = old["metadata"]["annotations"].as_object().unwrap().iter();
    let size: usize = kept
        .map(|(name, text)| name.len() + text.as_str().unwrap().len())
        .sum();
    for (more, is_accepted) in [(0, true), (1, false)] {
        let mut object = full();
        let own = "x".repeat(256 * 1024 - size - "own".len() + more);
        object["metadata"]["annotations"] = json!({ "own": own });
        let converted = converter().convert(object, "v1beta1");
        assert_eq!(converted.is_ok(), is_accepted, "{more}");
    }
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

/// The check fails if nothing is preserved.
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
    assert!(
        text.contains("apiVersion: example.com/v1\nkind: Route\n"),
        "{text}"
    );

    let nothing = Converter::new([]);
    let failure = round_trip::check(&nothing, &crd, 1).unwrap_err();
    assert_eq!(
        failure.to_string(),
        "the converter does not convert kind `Route`"
    );
}
