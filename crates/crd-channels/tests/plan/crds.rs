//! `plan --before --after`: what becomes of objects whose CRD changes, as servers store them.

use super::{OLD, V1, crd, found, route};
use crate::support::{Workspace, schemas};
use serde_json::Value;

/// CRDs of any origin, without a lock.
fn changed(before: &str, after: &str, objects: &[&str]) -> Value {
    let workspace = Workspace::new("");
    workspace.write("before.yaml", before);
    workspace.write("after.yaml", after);
    workspace.write("objects.yaml", objects.concat());
    let sides = [
        "objects.yaml",
        "--before",
        "before.yaml",
        "--after",
        "after.yaml",
    ];
    let arguments = [&["plan"], &sides[..], &["--format", "json"]].concat();
    let ran = workspace.run(&arguments);
    let plan = serde_json::from_str(&ran.stdout).unwrap();
    schemas::validate("plan.json", &plan);
    plan
}

/// Messages with their help.
fn said(plan: &Value) -> Vec<String> {
    let findings = plan["findings"].as_array().unwrap().iter();
    let said = findings.map(|it| {
        let text = |key: &str| it[key].as_str().unwrap_or_default();
        format!("{} ({})", text("message"), text("help"))
    });
    said.collect()
}

/// Other values of a field that a rule reads make the rule fail for a stored object, which is rejected whatever changes.
#[test]
fn a_stored_object_that_rules_cannot_read_any_more_is_rejected() {
    let rule = "x-kubernetes-validations: [{rule: \"self.mode != 'C'\", message: no C}]";
    let rule =
        format!("            type: object\n            {rule}\n            properties: {{mode");
    let old = crd("v0.1.0", "mode: {type: string}", &V1);
    let old = old.replace(
        "            type: object\n            properties: {mode",
        &rule,
    );
    let new = old.replace("mode: {type: string}", "mode: {type: integer}");
    let new = new.replace("self.mode != 'C'", "self.mode != 3");
    let plan = changed(&old, &new, &[&route("a", "  mode: A\n")]);
    assert_eq!(plan["verdict"], "not safe");
    let said = said(&plan);
    assert!(
        said[0].starts_with("Route \"a\": spec: `self.mode != 3` ends in an error")
            && said[0].ends_with(
                "a stored object is rejected until this is corrected, whatever changes)"
            ),
        "{said:?}"
    );
    assert_eq!(
        said[1],
        "Route \"a\": spec.mode: \"A\" is not of type `integer` ()"
    );
}

/// A rule that reads a value which was invalid before: servers fail to evaluate it, and how is not known.
#[test]
fn a_rule_that_cannot_be_evaluated_on_a_stored_object_is_said() {
    let with = |rule: &str| {
        let list = "modes: {type: array, items: {type: string}";
        crd("v0.1.0", &format!("{list}{rule}}}"), &V1)
    };
    let rule = ", x-kubernetes-validations: [{rule: self == oldSelf, message: fixed}]";
    let object = route("a", "  modes: [null, b]\n");
    let plan = changed(&with(""), &with(rule), &[&object]);
    let said = said(&plan);
    assert!(
        said.len() == 1 && said[0].contains("is not evaluated on this object: `self == oldSelf`"),
        "{said:?}"
    );
}

/// What was refused before by the same keyword is nothing new, and does not hide a default.
#[test]
fn a_list_of_values_that_grows_breaks_nothing() {
    let with = |values: &str, more: &str| {
        crd(
            "v0.1.0",
            &format!("mode: {{type: string, enum: [{values}]}}{more}"),
            &V1,
        )
    };
    let object = route("a", "  mode: zz\n");
    let plan = changed(&with("x, w", ""), &with("x, w, v", ""), &[&object]);
    assert_eq!(said(&plan), [""; 0]);
    let default = ", port: {type: integer, default: 3}";
    let plan = changed(&with("zz", ""), &with("x", default), &[&object]);
    let said = said(&plan);
    assert!(
        said.iter()
            .any(|it| it.contains("spec.port becomes `3`, and was not set")),
        "{said:?}"
    );
}

/// A rule about new objects says nothing of a stored one, which has an object before.
#[test]
fn a_rule_about_new_objects_does_not_concern_stored_ones() {
    let with = |rule: &str| crd("v0.1.0", &format!("mode: {{type: string{rule}}}"), &V1);
    let rule = ", x-kubernetes-validations: [{rule: oldSelf.hasValue(), optionalOldSelf: true, message: no new ones}]";
    let new = route("a", "  mode: b\n");
    let stored = new.replace("{name: a}", "{name: a, uid: \"1\"}");
    let plan = changed(&with(""), &with(rule), &[&stored]);
    assert_eq!(
        (said(&plan), &plan["verdict"]),
        (Vec::new(), &Value::from("safe"))
    );
    let plan = changed(&with(""), &with(rule), &[&new]);
    assert_eq!(plan["verdict"], "not safe", "{plan:#}");
}

/// The status of a manifest is written by requests for the object, or by others.
#[test]
fn a_status_that_moves_to_requests_of_its_own_is_said() {
    let old = crd("v0.1.0", "mode: {type: string}", &V1);
    let status =
        "          status: {type: object, properties: {x: {type: string}}}\n          spec:";
    let old = old.replace("          spec:", status);
    let apart = "    storage: true\n    subresources: {status: {}}\n";
    let new = old.replace("    storage: true\n", apart);
    let object = route("a", "  mode: b\n").replace("spec:\n", "status: {x: y}\nspec:\n");
    let plan = changed(&old, &new, &[&object]);
    let expected = "Route \"a\": `status` is no longer written by requests for the object ()";
    assert_eq!(said(&plan), [expected], "{plan:#}");
}

/// A rule that no object satisfies which stays as it is.
#[test]
fn a_rule_that_rejects_what_does_not_change_is_new_only_once() {
    let with = |rule: &str| crd("v0.1.0", &format!("port: {{type: integer{rule}}}"), &V1);
    let strict = with(", x-kubernetes-validations: [{rule: self > oldSelf, message: must grow}]");
    let object = route("a", "  port: 1\n");
    let plan = changed(&with(""), &strict, &[&object]);
    assert_eq!(
        said(&plan),
        [
            "Route \"a\": spec.port: must grow (`self > oldSelf` is not true: `self` is 1, `oldSelf` is 1; a stored object is rejected until this is corrected, whatever changes)"
        ]
    );
    assert_eq!(said(&changed(&strict, &strict, &[&object])), [""; 0]);
}

/// What the stored version lacks is lost, whichever version it is: the one that objects are stored in already, or the next one.
#[test]
fn what_a_stored_version_loses_is_lost_in_the_others() {
    let versions = |stored| {
        [
            ("v1", true, stored == "v1"),
            ("v1beta1", true, stored == "v1beta1"),
        ]
    };
    let with = |fields: [&str; 2], stored| {
        let text = crd("v0.1.0", "FIELDS", &versions(stored));
        let (of_v1, of_v1beta1) = text.split_at(text.find("  - name: v1beta1").unwrap());
        of_v1.replace("FIELDS", fields[0]) + &of_v1beta1.replace("FIELDS", fields[1])
    };
    let (host, none) = ("host: {type: string}", "");
    let object = route("a", "  host: a\n");
    for (before, after, lost) in [
        (with([host, host], "v1"), with([host, none], "v1"), None),
        (
            with([host, host], "v1"),
            with([host, none], "v1beta1"),
            Some("v1beta1"),
        ),
        (
            with([host, host], "v1beta1"),
            with([host, none], "v1beta1"),
            Some("v1beta1"),
        ),
        // The bytes are still in the version that was stored.
        (
            with([host, host], "v1beta1"),
            with([host, none], "v1"),
            Some("v1beta1"),
        ),
        // It never was stored.
        (
            with([host, none], "v1beta1"),
            with([host, none], "v1beta1"),
            None,
        ),
    ] {
        let plan = changed(&before, &after, &[&object]);
        let said = said(&plan);
        let expected = lost.map(|version| {
            format!("Route \"a\": `spec.host` is dropped when the object is stored in {version} (the version that is stored lacks the field; ask the publisher for one that has it)")
        });
        assert_eq!(said, Vec::from_iter(expected), "{before}{after}");
    }
}

/// An object in a version that is gone is read in another one.
#[test]
fn objects_in_a_version_that_goes_are_followed_into_the_stored_one() {
    let both = [("v1", true, true), ("v1beta1", true, false)];
    let old = crd(
        "v0.1.0",
        "host: {type: string}, mode: {type: string}",
        &both,
    );
    let new = crd("v0.2.0", "host: {type: string, maxLength: 1}", &V1);
    let object = route("a", "  host: aa\n  mode: A\n").replace("/v1", "/v1beta1");
    let plan = changed(&old, &new, &[&object]);
    let codes: Vec<_> = found(&plan)
        .iter()
        .map(|(code, _, field)| (*code, *field))
        .collect();
    assert_eq!(
        codes,
        [
            ("object-unserved", "apiVersion"),
            ("object-unknown-field", "spec.mode")
        ],
        "{plan:#}"
    );
}

/// Defaults of the stored version count for objects that are stored, those of the own version for new ones.
#[test]
fn defaults_of_both_versions_count() {
    let with = |of_v1: &str, of_v1beta1: &str| {
        let text = crd(
            "v0.1.0",
            "mode: DEFAULT",
            &[("v1", true, false), ("v1beta1", true, true)],
        );
        let (first, second) = text.split_at(text.find("  - name: v1beta1").unwrap());
        let mode = |default: &str| format!("{{type: string{default}}}");
        first.replace("DEFAULT", &mode(of_v1)) + &second.replace("DEFAULT", &mode(of_v1beta1))
    };
    let object = route("a", "  {}\n");
    let read = object.replace("{name: a}", "{name: a, uid: \"1\"}");
    let (none, x) = (with("", ""), ", default: x");
    for (after, object, expected) in [
        (
            with("", x),
            &object,
            "spec.mode becomes `\"x\"`, and was not set ()",
        ),
        (
            with("", x),
            &read,
            "spec.mode becomes `\"x\"`, and was not set ()",
        ),
        (
            with(x, ""),
            &read,
            "spec.mode becomes `\"x\"`, and was not set ()",
        ),
    ] {
        let said = said(&changed(&none, &after, &[object]));
        assert_eq!(said, [format!("Route \"a\": {expected}")], "{after}");
    }
    let changed_default = with(", default: z", ", default: z");
    let old = with(x, x);
    let fresh = said(&changed(&old, &changed_default, &[&object]));
    assert_eq!(
        fresh,
        [
            "Route \"a\": spec.mode becomes `\"z\"`, and was `\"x\"` (a stored object keeps its value)"
        ]
    );
    assert_eq!(said(&changed(&old, &changed_default, &[&read])), [""; 0]);
}

/// Rules whose messages differ only in numbers are two rules.
#[test]
fn faults_that_differ_in_numbers_are_told_apart() {
    let ports = |rules: &[u16]| {
        let rules = rules
            .iter()
            .map(|port| format!("{{rule: 'self != {port}', message: port {port} is reserved}}"));
        let rules: Vec<String> = rules.collect();
        let port = format!(
            "port: {{type: integer, x-kubernetes-validations: [{}]}}",
            rules.join(", ")
        );
        crd("v0.1.0", &port, &V1)
    };
    let limited = |most: u16| {
        crd(
            "v0.1.0",
            &format!("port: {{type: integer, maximum: {most}}}"),
            &V1,
        )
    };
    let object = route("a", "  port: 90\n");
    for (before, after, new) in [
        (ports(&[90]), ports(&[90]), 0),
        (ports(&[]), ports(&[90]), 1),
        (limited(80), limited(70), 0),
        (limited(100), limited(70), 1),
    ] {
        let plan = changed(&before, &after, &[&object]);
        assert_eq!(found(&plan).len(), new, "{before}{after}{plan:#}");
    }
    let two = |first, second| {
        let of = |port| format!("{{rule: 'self == {port}', message: only {port}}}");
        crd(
            "v0.1.0",
            &format!(
                "port: {{type: integer, x-kubernetes-validations: [{}, {}]}}",
                of(first),
                of(second)
            ),
            &V1,
        )
    };
    let one = crd(
        "v0.1.0",
        "port: {type: integer, x-kubernetes-validations: [{rule: 'self == 1', message: only 1}]}",
        &V1,
    );
    assert_eq!(found(&changed(&one, &two(1, 2), &[&object])).len(), 1);
    assert_eq!(found(&changed(&two(1, 2), &two(3, 4), &[&object])).len(), 0);
}

/// What servers refuse of the new CRDs is said, whatever objects there are.
#[test]
fn new_crds_that_servers_refuse_are_not_safe() {
    let old = crd("v0.1.0", "port: {type: integer}", &V1);
    let object = route("a", "  port: 1\n");
    for (from, to, expected) in [
        (
            "- name: v1\n",
            "- name: v2\n",
            "while objects may be stored in `v1`, which it lacks",
        ),
        (
            "scope: Namespaced",
            "scope: Cluster",
            "`spec.scope` was `Namespaced` and cannot become `Cluster`",
        ),
        (
            "type: integer",
            "type: integer, default: x",
            "API servers refuse the new `routes.example.com`: spec.validation.openAPIV3Schema",
        ),
    ] {
        let plan = changed(&old, &old.replace(from, to), &[&object]);
        let found = said(&plan).into_iter().any(|it| it.contains(expected));
        assert!(found && plan["verdict"] == "not safe", "{plan:#}");
    }
    // Without an object nobody knows.
    let plan = changed(&old, &crd("v0.1.0", "", &V1), &[]);
    assert!(
        said(&plan)[0].starts_with("objects that use these lose data or are rejected: `spec.port`"),
        "{plan:#}"
    );
    assert_eq!(changed(&old, &old, &[])["verdict"], "safe");
}

/// An object that cannot be followed is not silently safe.
#[test]
fn a_schema_that_cannot_be_read_is_said() {
    let versions = [("v1beta1", true, false), ("v1", true, true)];
    let old = crd("v0.1.0", "port: {type: integer}", &versions);
    let (own, storage) = old.split_once("- name: v1\n").unwrap();
    let storage = storage.replace("type: integer", "type: [integer, string]");
    let broken = format!("{own}- name: v1\n{storage}");
    let object = route("a", "  port: 1\n").replace("example.com/v1", "example.com/v1beta1");
    for (before, after) in [(&old, &broken), (&broken, &old), (&broken, &broken)] {
        let plan = changed(before, after, &[&object]);
        assert_ne!(plan["verdict"], "safe", "{plan:#}");
        let note = plan["notes"][0].as_str().unwrap_or_default();
        assert!(
            note.starts_with("`Route` of `example.com/v1beta1` is not followed as it is stored"),
            "{plan:#}"
        );
    }
}

/// What a webhook makes of an object is not known, and that is said.
#[test]
fn objects_that_a_webhook_converts_are_named() {
    let both = [("v1", true, true), ("v1beta1", true, false)];
    let old = crd("v0.1.0", OLD, &both);
    let webhook = "  conversion:\n    strategy: Webhook\n    webhook:\n      conversionReviewVersions: [v1]\n      clientConfig: {url: 'https://example.com'}\n  versions:";
    let converted = old.replace("  versions:", webhook);
    let object = route("a", "  host: a\n  retries: 1\n");
    let older = object.replace("/v1", "/v1beta1");
    for (crd, object, verdict) in [
        (&old, &older, "safe"),
        (&converted, &object, "safe"),
        (&converted, &older, "safe with warnings"),
    ] {
        let plan = changed(crd, crd, &[object]);
        assert_eq!(plan["verdict"], verdict, "{plan:#}");
        let is_noted = plan["notes"]
            .to_string()
            .contains("kubectl get routes.v1.example.com");
        assert_eq!(is_noted, verdict != "safe", "{plan:#}");
    }
}
