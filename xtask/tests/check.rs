//! `check` as its user runs it: what it reads, what it leaves out, and what the exit code says.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod support;

use std::io::Write;
use std::process::Stdio;
use support::Workspace;

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
";

const TEMPLATE: &str =
    "{{- range $path, $_ := .Files.Glob \"files/*.yaml\" }}\n{{ $.Files.Get $path }}\n{{- end }}\n";

#[test]
fn templates_of_charts_are_left_out_and_named() {
    let workspace = Workspace::new("");
    workspace.write("chart/Chart.yaml", "name: widgets\n");
    workspace.write("chart/files/crd.yaml", CRD);
    workspace.write("chart/templates/crds.yaml", TEMPLATE);
    // Without anything to fill in a template is what it will be.
    workspace.write("chart/templates/plain.yaml", CRD);
    let ran = workspace.run(&["check", "chart"]).with_code(0);
    assert_eq!(
        ran.stderr,
        "note: chart/templates/crds.yaml: skipped, a template of a Helm chart
note: chart/Chart.yaml: 1 document skipped that is not a CRD
note: 2 CRDs checked, none refused\n"
    );
    let ran = workspace.run(&["check", "chart/templates/crds.yaml"]);
    assert!(
        ran.with_code(0)
            .stderr
            .contains("a template of a Helm chart")
    );
    // Elsewhere it is a file that cannot be read.
    workspace.write("crds/crds.yaml", TEMPLATE);
    let ran = workspace.run(&["check", "crds"]).with_code(2);
    assert!(ran.stderr.starts_with("error: crds/crds.yaml: "), "{ran:?}");
}

#[test]
fn a_folder_without_crds_is_not_a_success() {
    let workspace = Workspace::new("");
    workspace.write("deploy/service.yaml", "kind: Service\n");
    workspace.write("crds/crd.yaml", CRD);
    for (paths, code) in [
        (&["crds"][..], 0),
        (&["deploy"], 2),
        (&["deploy/empty"], 2),
        (&["crds", "deploy"], 2),
        // A hook names every file that a commit touches.
        (&["deploy/service.yaml"], 0),
    ] {
        let arguments = [&["check"], paths].concat();
        let ran = workspace.run(&arguments).with_code(code);
        let said = ran.stderr.contains("error: deploy: no CRDs to check\n");
        assert_eq!(said, paths.contains(&"deploy"), "{}", ran.stderr);
    }
    let mut command = workspace.command(&["check", "-"]);
    let mut child = command
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(b"kind: Service\n")
        .unwrap();
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(2));
    let said = String::from_utf8(ended.stderr).unwrap();
    assert!(said.contains("error: -: no CRDs to check"), "{said}");
}
