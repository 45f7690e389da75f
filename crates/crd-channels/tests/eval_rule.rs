//! `eval-rule` as users run it: its output for an object, and its exit codes.

use crate::support::Workspace;

const CRD: &str = "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            x-kubernetes-validations:
            - {rule: self.least <= self.most, message: least is above most, fieldPath: .least}
            - {rule: \"!has(self.ports) || self.ports.all(port, port > 1024)\"}
            properties:
              least: {type: integer, default: 0}
              most: {type: integer, default: 9}
              ports: {type: array, maxItems: 9, items: {type: integer}}
              class:
                type: string
                x-kubernetes-validations:
                - {rule: self == oldSelf, message: class is immutable, reason: FieldValueForbidden}
";

fn widget(spec: &str) -> String {
    format!(
        "apiVersion: example.com/v1\r\nkind: Widget\r\nmetadata: {{name: main}}\r\nspec: {spec}\r\n"
    )
}

fn workspace() -> Workspace {
    let workspace = Workspace::new("");
    workspace.write("crds/widgets.yaml", CRD);
    workspace
}

const EVAL: [&str; 4] = ["eval-rule", "--crds", "crds", "widget.yaml"];

#[test]
fn failing_rules_are_reported_with_the_part_that_decided() {
    let workspace = workspace();
    workspace.write("widget.yaml", widget("{least: 12, ports: [8080, 80]}"));
    assert_eq!(
        workspace.run(&EVAL).with_code(1).stdout,
        "Widget `main` is rejected by the CRD in `crds/widgets.yaml`; 0 of 2 rules pass
  spec.least: least is above most
    rule of `spec`: `self.least <= self.most`
    `self.least <= self.most` is not true: `self.least` is 12, `self.most` is 9
  spec: failed rule: !has(self.ports) || self.ports.all(port, port > 1024)
    rule of `spec`: `!has(self.ports) || self.ports.all(port, port > 1024)`
    `port > 1024` is not true: `port` is 80
"
    );
}

#[test]
fn an_object_that_a_server_accepts_is_accepted() {
    let workspace = workspace();
    workspace.write("widget.yaml", widget("{least: 2, klass: a}"));
    assert_eq!(
        workspace.run(&EVAL).with_code(0).stdout,
        "Widget `main` is accepted by the CRD in `crds/widgets.yaml`; 2 of 2 rules pass
  `spec.klass` is an unknown field, so a server drops it
"
    );
}

#[test]
fn updates_are_compared_with_the_old_object() {
    let workspace = workspace();
    workspace.write("old.yaml", widget("{class: a, least: 12}"));
    workspace.write("widget.yaml", widget("{class: b, least: 12}"));
    let arguments = [
        "eval-rule",
        "--crds",
        "crds",
        "--old",
        "old.yaml",
        "widget.yaml",
    ];
    let ran = workspace.run(&arguments).with_code(1);
    assert!(
        ran.stdout.contains("  spec.class: class is immutable\n"),
        "{}",
        ran.stdout
    );
    // An unchanged invalid value only causes a warning.
    workspace.write("widget.yaml", widget("{class: a, least: 12}"));
    let ran = workspace.run(&arguments).with_code(0);
    let warned =
        "  spec.least: least is above most (a warning, because the value did not change)\n";
    assert!(ran.stdout.contains(warned), "{}", ran.stdout);
    // So does one that the schema rejects.
    let many = "{ports: [2000, 2000, 2000, 2000, 2000, 2000, 2000, 2000, 2000, 2000]}";
    workspace.write("old.yaml", widget(many));
    workspace.write("widget.yaml", widget(many));
    let ran = workspace.run(&arguments).with_code(0);
    let kept = "(accepted, because the value did not change)\n";
    assert_eq!(ran.stdout.matches(kept).count(), 1, "{}", ran.stdout);
    assert!(ran.stdout.contains("  spec.ports: "), "{}", ran.stdout);
}

#[test]
fn objects_without_a_crd_are_an_error() {
    let workspace = workspace();
    workspace.write("widget.yaml", "apiVersion: example.com/v2\nkind: Widget\n");
    let ran = workspace.run(&EVAL).with_code(2);
    assert_eq!(
        ran.stderr,
        "error: no CRD in `crds` serves `Widget` of `example.com/v2`; name other CRDs with `--crds`\n"
    );
    workspace.write("widget.yaml", "");
    let ran = workspace.run(&EVAL).with_code(2);
    assert_eq!(ran.stderr, "error: `widget.yaml` has no objects\n");
    for text in ["a: 1\n", "kind: Widget\n", "- 1\n"] {
        workspace.write("widget.yaml", text);
        let ran = workspace.run(&EVAL).with_code(2);
        let expected = "error: `widget.yaml` has a document without `apiVersion` or `kind`, so it is not an object\n";
        assert_eq!(ran.stderr, expected);
    }
    workspace.write("widget.yaml", "a: [");
    let ran = workspace.run(&EVAL).with_code(2);
    assert!(ran.stderr.starts_with("error: `widget.yaml`: line "));
    workspace.write("widget.yaml", widget("{}"));
    workspace.write(
        "crds/widgets.yaml",
        CRD.replace("self == oldSelf", "self =="),
    );
    let ran = workspace.run(&EVAL).with_code(2);
    assert!(
        ran.stderr
            .starts_with("error: `crds/widgets.yaml`: the rule ")
    );
}
