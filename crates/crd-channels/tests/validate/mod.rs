//! `validate` as users run it: what it says about objects, where its CRDs come from, and its exit codes.

mod inputs;

use crate::support::project::{ROUTE, commit, git};
use crate::support::{Ran, Workspace};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const CRD: &str = "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions:
  - name: v1beta1
    served: true
    storage: false
    deprecated: true
    schema: &schema
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            x-kubernetes-validations:
            - {rule: self.least <= self.most, message: least is above most, fieldPath: .least}
            properties:
              least: {type: integer, default: 0}
              most: {type: integer, default: 9}
              class:
                type: string
                x-kubernetes-validations:
                - {rule: self == oldSelf, message: class is immutable}
  - {name: v1, served: true, storage: true, schema: *schema}
  - {name: v1alpha1, served: false, storage: false, schema: *schema}
";

fn widget(version: &str, name: &str, spec: &str) -> String {
    format!(
        "apiVersion: example.com/{version}\nkind: Widget\nmetadata: {{name: {name}}}\nspec: {spec}\n---\n"
    )
}

const CONFIG_MAP: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n---\n";

/// A folder with CRDs and these objects.
fn folder(objects: &str) -> Workspace {
    let workspace = Workspace::new("");
    workspace.write("crds/widgets.yaml", CRD);
    workspace.write("deploy/objects.yaml", objects);
    workspace
}

fn validate(workspace: &Workspace, arguments: &[&str], code: i32) -> Ran {
    let arguments = [&["validate", "deploy"], arguments].concat();
    workspace.run(&arguments).with_code(code)
}

/// The code, the line and the help of each finding about objects.
fn found(workspace: &Workspace, arguments: &[&str], code: i32) -> Vec<(String, u64, Value)> {
    let arguments = [arguments, &["--format", "json"]].concat();
    let ran = validate(workspace, &arguments, code);
    let document: Value = serde_json::from_str(&ran.stdout).unwrap();
    crate::support::schemas::validate("validate.json", &document);
    let found = document["findings"].as_array().unwrap().iter();
    let found = found.map(|finding| {
        let code = finding["code"].as_str().unwrap().to_owned();
        let line = finding["place"]["line"].as_u64().unwrap();
        (code, line, finding["help"].clone())
    });
    found.collect()
}

#[test]
fn every_finding_is_at_its_field_with_the_remedy() {
    let objects = [
        CONFIG_MAP,
        &widget("v1", "good", "{least: 1}"),
        "apiVersion: example.com/v1beta1\nkind: Widget\nmetadata:\n  name: old\nspec:\n  least: 12\n  mosst: 13\n",
    ];
    let workspace = folder(&objects.concat());
    let ran = validate(&workspace, &["--crds", "crds"], 1);
    assert_eq!(
        ran.stdout,
        "warning[object-deprecated]: Widget \"old\": example.com/v1beta1 Widget is deprecated; use example.com/v1 Widget
  --> deploy/objects.yaml:10:1
   |
10 | apiVersion: example.com/v1beta1
   | ^^^^^^^^^^

error[object-invalid]: Widget \"old\": spec.least: least is above most
  --> deploy/objects.yaml:15:3
   |
15 |   least: 12
   |   ^^^^^
   |
   = help: `self.least <= self.most` is not true: `self.least` is 12, `self.most` is 9

error[object-unknown-field]: Widget \"old\": unknown field \"spec.mosst\"
  --> deploy/objects.yaml:16:3
   |
16 |   mosst: 13
   |   ^^^^^
   |
   = help: did you mean `most`?

"
    );
    assert_eq!(
        ran.stderr,
        "note: 1 object valid, 1 invalid, 1 without a CRD skipped (`ConfigMap of v1`)\n"
    );
}

/// Servers name no field for the branches of a schema or for a number of another format, but a file has the value.
#[test]
fn a_value_that_servers_do_not_name_is_where_it_is() {
    let object =
        "apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: a\nspec:\n  least: 1\n";
    let workspace = folder(object);
    let branches = "properties:\n              least: {type: integer, not: {minimum: 1}, ";
    let before = "properties:\n              least: {type: integer, ";
    workspace.write("crds/widgets.yaml", CRD.replace(before, branches));
    let lines: Vec<u64> = found(&workspace, &["--crds", "crds"], 1)
        .into_iter()
        .map(|(_, line, _)| line)
        .collect();
    assert_eq!(lines, [6]);

    let object = "apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: a\nspec:\n  most: 3000000000\n  least: -1\n";
    let workspace = folder(object);
    let crd = CRD.replace(
        "most: {type: integer,",
        "most: {type: integer, format: int32,",
    );
    let scale =
        "subresources: {scale: {specReplicasPath: .spec.least, statusReplicasPath: .status.least}}";
    let crd = crd.replace(
        "name: v1, served: true, storage: true,",
        &format!("name: v1, served: true, storage: true, {scale},"),
    );
    workspace.write("crds/widgets.yaml", crd);
    let found = found(&workspace, &["--crds", "crds"], 1).into_iter();
    let lines: BTreeSet<u64> = found.map(|(_, line, _)| line).collect();
    assert_eq!(lines, [6, 7].into());
}

/// No namespace and the default one are the same for kubectl.
#[test]
fn an_object_is_not_moved_by_its_default_namespace() {
    let workspace = folder(&widget("v1", "good", "{least: 1, class: a}"));
    let object = workspace.read("deploy/objects.yaml");
    workspace.write(
        "old/objects.yaml",
        object.replace("name: good", "name: good, namespace: default"),
    );
    let arguments = ["--crds", "crds", "--previous", "old"];
    validate(&workspace, &arguments, 0);
    std::fs::rename(workspace.path("deploy"), workspace.path("new")).unwrap();
    std::fs::rename(workspace.path("old"), workspace.path("deploy")).unwrap();
    std::fs::rename(workspace.path("new"), workspace.path("old")).unwrap();
    validate(&workspace, &arguments, 0);
}

#[test]
fn versions_and_kinds_that_no_server_has_are_errors() {
    let objects = [
        widget("v1alpha1", "gone", "{}"),
        widget("v3", "never", "{}"),
        widget("v1", "misspelt", "{}").replace("Widget", "Wigdet"),
        "kind: Widget\n---\napiVersion: 1\nkind: Widget\n---\n".to_owned(),
    ];
    let workspace = folder(&objects.concat());
    let served = json!("served: `v1beta1`, `v1`");
    let expected = [
        ("object-unserved", 1, served.clone()),
        ("object-unserved", 6, served),
        ("object-unknown-kind", 12, json!("did you mean `Widget`?")),
        ("object-invalid", 16, Value::Null),
        ("object-invalid", 18, Value::Null),
    ];
    let expected = expected.map(|(code, line, help)| (code.to_owned(), line, help));
    assert_eq!(found(&workspace, &["--crds", "crds"], 1), expected);
}

#[test]
fn what_has_no_crd_is_skipped_unless_strict() {
    let workspace = folder(&[CONFIG_MAP, "replicas: 3\n"].concat());
    let crds = ["--crds", "crds"];
    let ran = validate(&workspace, &crds, 0);
    assert_eq!(
        ran.stderr,
        "note: 0 objects valid, 1 without a CRD skipped (`ConfigMap of v1`), 1 document without `apiVersion` and `kind` skipped\n"
    );
    let strict = found(&workspace, &["--crds", "crds", "--strict"], 1);
    let codes: Vec<&str> = strict.iter().map(|(code, ..)| code.as_str()).collect();
    assert_eq!(codes, ["object-unknown-kind", "object-invalid"]);
    // Nothing to validate with is an error, not a success.
    let ran = validate(&workspace, &[], 2);
    let message = "error[unreadable-file]: there is neither `bundle.lock` nor a CRD";
    assert!(ran.stdout.starts_with(message), "{ran:?}");
    workspace.write("deploy/chart/Chart.yaml", "name: a\n");
    workspace.write(
        "deploy/chart/templates/a.yaml",
        "kind: {{ .Values.kind }}\n",
    );
    let ran = validate(&workspace, &crds, 0);
    assert!(
        ran.stderr.contains("is a template of a Helm chart"),
        "{ran:?}"
    );
    workspace.write("deploy/broken.yaml", "a: [\n");
    let ran = validate(&workspace, &crds, 2);
    assert!(
        ran.stdout
            .contains("`deploy/broken.yaml`: line 1, column 4"),
        "{ran:?}"
    );
}

#[test]
fn unknown_fields_and_warnings_are_as_strict_as_asked() {
    let workspace = folder(&widget("v1beta1", "a", "{klass: a}"));
    let codes = |arguments: &[&str], code: i32| -> Vec<String> {
        let arguments = [&["--crds", "crds"], arguments].concat();
        let found = found(&workspace, &arguments, code).into_iter();
        found.map(|(code, ..)| code).collect()
    };
    let level = |level| ["--field-validation", level];
    assert_eq!(codes(&[], 1), ["object-deprecated", "object-unknown-field"]);
    assert_eq!(
        codes(&level("warn"), 0),
        ["object-deprecated", "object-dropped-field"]
    );
    assert_eq!(codes(&level("ignore"), 0), ["object-deprecated"]);
    let denied = ["--field-validation", "ignore", "--warnings-as-errors"];
    assert_eq!(codes(&denied, 1), ["object-deprecated"]);
    workspace.write("deploy/objects.yaml", widget("v1", "a", "{}"));
    assert_eq!(codes(&denied, 0), [""; 0]);
}

#[test]
fn the_namespace_of_an_object_that_is_in_none_does_not_tell_it_from_the_one_before() {
    let object = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a, namespace: b}\nspec: {class: a}\n";
    let workspace = folder(object);
    workspace.write("before/a.yaml", widget("v1", "a", "{class: c}"));
    let codes = |code: i32| {
        let arguments = ["--crds", "crds", "--previous", "before"];
        found(&workspace, &arguments, code).len()
    };
    assert_eq!(codes(0), 0);
    workspace.write("crds/widgets.yaml", CRD.replace("Namespaced", "Cluster"));
    assert_eq!(codes(1), 1);
}

#[test]
fn what_a_server_warns_of_is_a_warning() {
    let finalized = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a, finalizers: [a]}\nspec: {least: 12}\n";
    let workspace = folder(finalized);
    workspace.write("before/a.yaml", widget("v1", "a", "{least: 12}"));
    let arguments = ["--crds", "crds", "--previous", "before"];
    let ran = validate(&workspace, &arguments, 0);
    assert_eq!(
        ran.stdout,
        "warning[object-warning]: Widget \"a\": metadata.finalizers: \"a\": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers
 --> deploy/objects.yaml:3:21
  |
3 | metadata: {name: a, finalizers: [a]}
  |                     ^^^^^^^^^^

warning[object-warning]: Widget \"a\": spec.least: least is above most
 --> deploy/objects.yaml:4:8
  |
4 | spec: {least: 12}
  |        ^^^^^
  |
  = help: `self.least <= self.most` is not true: `self.least` is 12, `self.most` is 9

"
    );
    let denied = [&arguments[..], &["--warnings-as-errors"]].concat();
    validate(&workspace, &denied, 1);
}

#[test]
fn an_update_is_validated_with_the_object_before_it() {
    let workspace = folder(&widget("v1", "a", "{class: a, least: 12}"));
    git(&workspace, &["init", "--quiet"]);
    commit(&workspace);
    let codes = |previous: &str, code: i32| -> Vec<u64> {
        let arguments = ["--crds", "crds", "--previous", previous];
        let found = found(&workspace, &arguments, code).into_iter();
        found.map(|(_, line, _)| line).collect()
    };
    // What was invalid before may stay, with a warning.
    assert_eq!(codes("git:HEAD", 0), [4]);
    workspace.edit("deploy/objects.yaml", "class: a", "class: b");
    // The rule of `spec` sees a value that changed.
    assert_eq!(codes("git:HEAD", 1), [4, 4]);
    workspace.write("before/a.yaml", widget("v1", "a", "{class: c}"));
    assert_eq!(codes("before", 1), [4, 4]);
    // The same object in another version, and another object.
    workspace.write(
        "before/a.yaml",
        widget("v1beta1", "a", "{class: b, least: 12}"),
    );
    assert_eq!(codes("before", 0), [4]);
    workspace.write("before/a.yaml", widget("v1", "b", "{class: b, least: 12}"));
    assert_eq!(codes("before", 1), [4]);
    let ran = validate(
        &workspace,
        &["--crds", "crds", "--previous", "git:nowhere"],
        2,
    );
    assert!(
        ran.stdout.contains("no commit is named `nowhere`"),
        "{ran:?}"
    );
}

/// A field of the experimental channel is named as what it is, with the lock, the bundle, its archive, and the folder of both
/// channels.
#[test]
fn a_field_of_another_channel_is_named_with_its_feature() {
    let workspace =
        Workspace::new(&ROUTE.replace("[Timeouts]\n", "[Timeouts]\nsince = \"v0.1.0\"\n"));
    workspace.generate();
    workspace.run(&["release", "minor"]).with_code(0);
    workspace.run(&["archive", "v0.1.0"]).with_code(0);
    workspace.write(
        "deploy/route.yaml",
        "apiVersion: example.com/v1\nkind: Route\nmetadata: {name: a}\nspec:\n  timeout: 3s\n",
    );
    let help = |feature: &str| {
        json!(format!(
            "only the channel `experimental` has `spec.timeout`{feature}; `stable` drops it"
        ))
    };
    let expected = |feature: &str| [("object-unknown-field".to_owned(), 5, help(feature))];
    let named = " by the feature `Timeouts`, since v0.1.0";
    assert_eq!(found(&workspace, &[], 1), expected(""));
    assert_eq!(found(&workspace, &["--channel", "experimental"], 0), []);
    let archives = workspace.files("target/dist");
    let archive = archives
        .keys()
        .find(|name| name.ends_with(".tar.gz"))
        .unwrap();
    let archive = format!("target/dist/{archive}");
    for source in ["channels/v0.1.0", &archive] {
        assert_eq!(found(&workspace, &["--crds", source], 1), expected(named));
        let experimental = ["--crds", source, "--channel", "experimental"];
        assert_eq!(found(&workspace, &experimental, 0), []);
    }
    workspace.run(&["pin", "--from", "."]).with_code(0);
    assert_eq!(found(&workspace, &[], 1), expected(named));
    workspace.run(&["vendor"]).with_code(0);
    assert_eq!(found(&workspace, &[], 1), expected(named));
    // The source is gone: the vendored CRDs are those that are pinned.
    std::fs::rename(workspace.path("channels"), workspace.path("gone")).unwrap();
    let alone = [("object-unknown-field".to_owned(), 5, Value::Null)];
    assert_eq!(found(&workspace, &["--offline"], 1), alone);
    workspace.edit(
        "crds/example.com_routes.yaml",
        "maxLength: 20",
        "maxLength: 30",
    );
    let ran = validate(&workspace, &["--offline"], 2);
    assert!(ran.stdout.contains("error["), "{ran:?}");
    let ran = validate(&workspace, &["--crds", "generated", "--channel", "beta"], 2);
    assert!(
        ran.stdout
            .contains("name one with `--channel`: `experimental`, `stable`"),
        "{ran:?}"
    );
}

#[test]
fn programs_read_a_test_for_each_object() {
    let objects = [
        widget("v1", "good", "{}"),
        widget("v1", "bad", "{least: \"<#&\"}"),
    ];
    let workspace = folder(&objects.concat());
    let output =
        |format: &str| validate(&workspace, &["--crds", "crds", "--format", format], 1).stdout;
    assert_eq!(
        output("tap"),
        "TAP version 13
1..2
ok 1 - deploy/objects.yaml: Widget \"good\"
not ok 2 - deploy/objects.yaml: Widget \"bad\"
# deploy/objects.yaml:9:8: Widget \"bad\": spec.least: \"<#&\" is not of type `integer`
"
    );
    let junit = output("junit");
    assert_eq!(
        junit,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<testsuites>
  <testsuite name=\"deploy/objects.yaml\" tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"0\">
    <testcase name=\"Widget &quot;good&quot;\" classname=\"example.com/v1\"/>
    <testcase name=\"Widget &quot;bad&quot;\" classname=\"example.com/v1\">
      <failure message=\"TEXT\">TEXT</failure>
    </testcase>
  </testsuite>
</testsuites>
"
        .replace("TEXT", "deploy/objects.yaml:9:8: Widget &quot;bad&quot;: spec.least: &quot;&lt;#&amp;&quot; is not of type `integer`")
    );
    assert!(output("github").starts_with("::error file=deploy/objects.yaml,line=9,col=8,"));
    let sarif: Value = serde_json::from_str(&output("sarif")).unwrap();
    assert_eq!(sarif["runs"][0]["results"][0]["ruleId"], "object-invalid");
}

#[test]
fn a_rule_that_cannot_be_evaluated_is_a_warning() {
    let workspace = folder(&widget("v1", "a", "{}"));
    let rule = "timestamp('2030-07-01T00:00:00Z').getHours('Europe/Paris') > self.least";
    let rule = CRD.replace("self.least <= self.most", &format!("\"{rule}\""));
    workspace.write("crds/widgets.yaml", rule);
    let found = found(&workspace, &["--crds", "crds"], 0);
    let codes: Vec<&str> = found.iter().map(|(code, ..)| code.as_str()).collect();
    assert_eq!(codes, ["object-not-evaluated"]);
    let ran = validate(&workspace, &["--crds", "crds"], 0);
    assert_eq!(
        ran.stderr,
        "note: 0 objects valid, 1 not known to be valid\n"
    );
}
