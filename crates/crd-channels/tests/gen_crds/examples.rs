//! Examples of objects, from run to run: when they are validated, with which CRDs, and the page that shows them.

use super::{EXPERIMENTAL, ROUTE};
use crate::support::Workspace;
use std::fs;

const ACCEPTED: &str = "channels/examples/route/accept/plain.yaml";
const REJECTED: &str = "channels/examples/route/experimental/reject/timeout.yaml";

fn route(spec: &str) -> String {
    format!("apiVersion: example.com/v1\nkind: Route\nmetadata: {{name: main}}\nspec: {spec}\n")
}

/// A kind with an accepted example, and one that the experimental channel rejects.
fn workspace() -> Workspace {
    let workspace = Workspace::new(ROUTE);
    workspace.write(ACCEPTED, format!("# Any host.\n{}", route("{host: a}")));
    let rejected = route("{host: a, timeout: 3}");
    workspace.write(REJECTED, format!("# rejected: spec.timeout: \n{rejected}"));
    workspace
}

#[test]
fn a_changed_example_is_validated_again() {
    let workspace = workspace();
    workspace.run(&["gen-crds"]).with_code(0);
    // The types did not change, so all kinds are kept.
    workspace.write(ACCEPTED, route("{hosts: a}"));
    for arguments in [&["gen-crds"][..], &["gen-crds", "--check"]] {
        let ran = workspace.run(arguments).with_code(1);
        let expected =
            "error[example-unknown-field]: `stable` and `experimental` have no field `spec.hosts`";
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
        let place = format!("{ACCEPTED}:4:8");
        assert!(ran.stderr.contains(&place), "{}", ran.stderr);
    }
    workspace.write(ACCEPTED, route("{host: b}"));
    let ran = workspace.run(&["gen-crds"]).with_code(0);
    assert_eq!(
        ran.stdout,
        "0 files written, 4 unchanged; 0 of 1 kind read\n"
    );
}

#[test]
fn warnings_about_examples_are_reported_in_every_run() {
    let workspace = workspace();
    let rejected = route("{host: a, timeout: 3}");
    workspace.write(REJECTED, &rejected);
    for _ in 0..2 {
        let ran = workspace.run(&["gen-crds"]).with_code(0);
        let expected = "warning[example-unexplained]";
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    }
    workspace.write(REJECTED, format!("# rejected: timeout\n{rejected}"));
    for _ in 0..2 {
        let ran = workspace.run(&["gen-crds"]).with_code(0);
        assert_eq!(ran.stderr, "");
    }
}

#[test]
fn a_changed_type_is_validated_against_its_examples() {
    let workspace = workspace();
    workspace.run(&["gen-crds"]).with_code(0);
    let before = workspace.generated();
    workspace.edit("src/route.rs", "host: String", "name: String");
    workspace.run(&["gen-crds"]).with_code(1);
    assert_eq!(workspace.generated(), before);
    workspace.edit("src/route.rs", "name: String", "host: String");
    workspace.edit("src/route.rs", "Option<String>", "Option<i32>");
    let ran = workspace.run(&["gen-crds"]).with_code(1);
    let expected = "`experimental` accepts this example";
    assert!(ran.stderr.contains(expected), "{}", ran.stderr);
}

#[test]
fn only_generated_channels_validate_examples() {
    let workspace = workspace();
    workspace.write(REJECTED, route("{host: a}"));
    workspace
        .run(&["gen-crds", "--channel", "stable"])
        .with_code(0);
    let ran = workspace.run(&[
        "gen-crds",
        "--channel",
        "experimental",
        "--output",
        "elsewhere",
    ]);
    let expected = "`experimental` accepts this example";
    assert!(ran.with_code(1).stderr.contains(expected));
}

const PAGE: &str =
    "<!-- Written by `gen-crds` from the examples; do not edit: the next run overwrites it. -->

# Examples

Objects that the CRDs accept, and some that they reject, with the reason.

## Route

### plain

Any host.

```yaml
apiVersion: example.com/v1
kind: Route
metadata: {name: main}
spec: {host: a}
```

### timeout, rejected

In the channel `experimental`.

The reason: spec.timeout:

```yaml
apiVersion: example.com/v1
kind: Route
metadata: {name: main}
spec: {host: a, timeout: 3}
```
";

#[test]
fn a_page_shows_the_examples() {
    let workspace = workspace();
    workspace.write(
        "channels/bundle.toml",
        "examples-page = \"docs/samples.md\"\n",
    );
    workspace.run(&["gen-crds"]).with_code(0);
    let page = fs::read_to_string(workspace.path("docs/samples.md")).unwrap();
    assert_eq!(page, PAGE);
    workspace.run(&["gen-crds", "--check"]).with_code(0);
    workspace.edit(ACCEPTED, "Any host", "Any name");
    let ran = workspace.run(&["gen-crds", "--check"]).with_code(1);
    assert!(
        ran.stdout.starts_with("stale: docs/samples.md\n"),
        "{}",
        ran.stdout
    );
    // Another folder only receives CRDs.
    let elsewhere = ["gen-crds", "--output", "elsewhere"];
    workspace.run(&elsewhere).with_code(0);
    assert!(!workspace.path("elsewhere/docs").exists());
    workspace.write("docs/samples.md", "# Mine\n");
    let ran = workspace.run(&["gen-crds"]).with_code(1);
    let expected = "`docs/samples.md` was not written by `gen-crds`";
    assert!(ran.stderr.contains(expected), "{}", ran.stderr);
}

#[test]
fn the_folder_is_configured() {
    let workspace = workspace();
    workspace.write("channels/bundle.toml", "examples = \"samples\"\n");
    let ran = workspace.run(&["gen-crds"]).with_code(1);
    assert!(
        ran.stderr.contains("`samples` is not a folder"),
        "{}",
        ran.stderr
    );
    workspace.write("samples/route/reject/plain.yaml", route("{host: a}"));
    let ran = workspace.run(&["gen-crds"]).with_code(1);
    let place = "samples/route/reject/plain.yaml:1:1";
    assert!(ran.stderr.contains(place), "{}", ran.stderr);
    assert!(!workspace.path(EXPERIMENTAL).exists());
}
