//! Where objects and CRDs come from, and what else is among them.

use super::{CRD, folder, found, validate, widget};
use crate::support::Workspace;
use crate::support::project::{commit, git};
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::Stdio;

#[test]
fn crds_come_from_the_first_place_that_has_the_kind() {
    let narrow = CRD.replace(
        "least: {type: integer, default: 0}",
        "least: {type: integer, maximum: 3}",
    );
    let workspace = folder(&[narrow.as_str(), "---\n", &widget("v1", "a", "{least: 5}")].concat());
    let lines = |arguments: &[&str], code: i32| found(&workspace, arguments, code).len();
    // Without another CRD, the input's own counts.
    assert_eq!(lines(&[], 1), 1);
    assert_eq!(lines(&["--crds", "crds/widgets.yaml"], 0), 0);
    let ran = validate(&workspace, &["--crds", "crds"], 0);
    assert!(
        ran.stderr.starts_with(
            "note: `Widget` of `example.com`: the CRD in `crds/widgets.yaml` counts, not that in `deploy/objects.yaml`\n"
        ),
        "{ran:?}"
    );
    git(&workspace, &["init", "--quiet"]);
    commit(&workspace);
    workspace.write("crds/widgets.yaml", &narrow);
    assert_eq!(lines(&["--crds", "crds"], 1), 1);
    for revision in ["git:HEAD:crds", "git:HEAD:crds/widgets.yaml"] {
        assert_eq!(lines(&["--crds", revision], 0), 0);
        assert_eq!(lines(&["--crds", revision, "--crds", "crds"], 0), 0);
        assert_eq!(lines(&["--crds", "crds", "--crds", revision], 1), 1);
    }
    for (source, message) in [
        ("nowhere", "`nowhere` does not exist"),
        ("git:HEAD:nowhere", "`git:HEAD:nowhere` has no CRDs"),
    ] {
        let ran = validate(&workspace, &["--crds", source], 2);
        assert!(ran.stdout.contains(message), "{ran:?}");
    }
}

/// A text of many documents is read in parts, and each finding is still at its line.
#[test]
fn many_objects_are_validated_as_each_is_alone() {
    let mut objects = String::new();
    let mut expected = Vec::new();
    for number in 0..4000 {
        let is_invalid = number % 7 == 0;
        let least = if is_invalid { 12 } else { 1 };
        if is_invalid {
            expected.push(("object-invalid".to_owned(), number * 9 + 6));
        }
        let _ = write!(
            objects,
            "apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: w{number}\nspec:\n  least: {least}\n  class: |\n    a\n---\n"
        );
    }
    let workspace = folder(&objects);
    let crds = ["--crds", "crds"];
    let lines = |workspace: &Workspace| -> Vec<(String, u64)> {
        let found = found(workspace, &crds, 1).into_iter();
        found.map(|(code, line, _)| (code, line)).collect()
    };
    assert_eq!(lines(&workspace), expected);
    // The message of an error counts lines from the beginning of the file.
    workspace.write("deploy/objects.yaml", format!("{objects}a: [\n"));
    let ran = validate(&workspace, &crds, 2);
    assert!(
        ran.stdout.contains("line 36001, column 4"),
        "{}",
        ran.stdout
    );
    // A list is one document.
    let items = objects.trim_end_matches("---\n").split("---\n");
    let items = items.map(|item| format!("- {}", item.replace('\n', "\n  ").trim_end()));
    let list = items.collect::<Vec<_>>().join("\n");
    workspace.write(
        "deploy/objects.yaml",
        format!("apiVersion: v1\nkind: List\nitems:\n{list}\n"),
    );
    assert_eq!(lines(&workspace).len(), expected.len());
}

#[test]
fn standard_input_may_have_the_crds_too() {
    let workspace = Workspace::new("");
    let mut command = workspace.command(&["validate", "-"]);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let text = [&widget("v1", "a", "{least: 12}"), CRD].concat();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(text.as_bytes())
        .unwrap();
    let ended = child.wait_with_output().unwrap();
    let stdout = String::from_utf8(ended.stdout).unwrap();
    assert_eq!(ended.status.code(), Some(1), "{stdout}");
    assert!(
        stdout.contains("spec.least: least is above most"),
        "{stdout}"
    );
}

#[test]
fn a_broken_crd_among_objects_hides_no_other() {
    let broken = CRD.replacen("io/v1\n", "io/v1beta1\n", 1);
    let broken = broken.replace("Widget", "Gadget");
    let objects = widget("v1", "a", "{least: 12}");
    let workspace = folder(&[&broken, "---\n", CRD, "---\n", &objects].concat());
    let found = found(&workspace, &[], 1);
    let codes: Vec<&str> = found.iter().map(|(code, ..)| &**code).collect();
    assert_eq!(codes, ["object-invalid"; 2]);
    assert_eq!(found[0].1, 1);
}

#[test]
fn a_source_without_the_channel_counts_with_its_own() {
    let workspace = folder(&widget("v1", "a", "{least: 12}"));
    for (kind, channel) in [("Widget", "stable"), ("Gadget", "experimental")] {
        let annotated = format!("metadata:\n  annotations: {{example.com/channel: {channel}}}\n");
        let crd = CRD.replacen("metadata:\n", &annotated, 1);
        workspace.write(&format!("{channel}/crd.yaml"), crd.replace("Widget", kind));
    }
    let asked = ["--crds", "stable", "--crds", "experimental", "--channel"];
    let ran = validate(&workspace, &[&asked[..], &["experimental"]].concat(), 1);
    let note = "`stable` has no channel `experimental`; `stable` counts";
    assert!(ran.stderr.contains(note), "{ran:?}");
    let ran = validate(&workspace, &[&asked[..], &["none"]].concat(), 2);
    assert!(ran.stdout.contains("channel-missing"), "{ran:?}");
}

/// As in kubectl: whether a document is a list depends on its `items`, and an item without a kind is of the list's.
#[test]
fn lists_are_split_as_kubectl_splits_them() {
    let list =
        |kind: &str, items: &str| format!("apiVersion: example.com/v1\nkind: {kind}\n{items}");
    let bare = "items:\n- metadata: {name: a}\n  spec: {least: 12}\n";
    let workspace = folder(&list("WidgetList", bare));
    let crds = ["--crds", "crds"];
    let lines = |code: i32| -> Vec<(String, u64)> {
        let found = found(&workspace, &crds, code).into_iter();
        found.map(|(code, line, _)| (code, line)).collect()
    };
    assert_eq!(lines(1), [("object-invalid".to_owned(), 5)]);
    // A kind that only sounds like a list.
    let crd = CRD.replace("Widget}", "WidgetList}");
    workspace.write("crds/widgets.yaml", crd);
    let own = list("WidgetList", "metadata: {name: a}\nspec: {least: 12}\n");
    workspace.write("deploy/objects.yaml", own);
    assert_eq!(lines(1), [("object-invalid".to_owned(), 4)]);
}

#[test]
fn what_cannot_be_validated_is_never_passed_over_in_silence() {
    let workspace = folder("apiversion: example.com/v1\nKind: Widget\n");
    let crds = ["--crds", "crds"];
    assert_eq!(found(&workspace, &crds, 1)[0].1, 2);
    workspace.write("deploy/objects.yaml", "replicas: 3\n");
    validate(&workspace, &crds, 0);
    validate(&workspace, &["--crds", "crds", "--strict"], 1);
    for (from, to, why) in [
        (
            "group: example.com",
            "grup: example.com",
            "has no `spec.group`",
        ),
        (
            "io/v1\n",
            "io/v1beta1\n",
            "the only version that servers have",
        ),
    ] {
        workspace.write("crds/widgets.yaml", CRD.replacen(from, to, 1));
        let ran = validate(&workspace, &crds, 2);
        assert!(ran.stdout.contains(why), "{ran:?}");
    }
    workspace.write("crds/widgets.yaml", CRD);
    workspace.write("deploy/objects.yaml", widget("v1/beta", "a", "{least: 1}"));
    assert_eq!(found(&workspace, &crds, 1)[0].1, 1);
    workspace.write("empty/a.txt", "");
    let ran = workspace.run(&["validate", "empty", "--crds", "nothing"]);
    for missing in ["`empty`", "`nothing`"] {
        assert!(ran.stdout.contains(missing), "{ran:?}");
    }
    let ran = workspace
        .run(&["validate", "empty", "--crds", "crds"])
        .with_code(2);
    assert!(
        ran.stdout.contains("`empty` has no YAML or JSON files"),
        "{ran:?}"
    );
    for (format, expected) in [
        ("tap", "Bail out! `nowhere`"),
        ("junit", "<error message=\"`nowhere`"),
    ] {
        let arguments = ["validate", "nowhere", "--crds", "crds", "--format", format];
        let ran = workspace.run(&arguments).with_code(2);
        assert!(ran.stdout.contains(expected), "{ran:?}");
    }
}

#[test]
fn charts_and_files_that_were_broken_do_not_stop_a_comparison() {
    let workspace = folder(&widget("v1", "a", "{class: a}"));
    workspace.write("deploy/chart/Chart.yaml", "apiVersion: v2\nname: a\n");
    workspace.write("deploy/chart/values.yaml", "kind: DaemonSet\n");
    workspace.write(
        "deploy/chart/templates/a.yaml",
        "{{ if .a }}\na: [\n{{ end }}\n",
    );
    workspace.write("deploy/broken.yaml", "a: [\n");
    git(&workspace, &["init", "--quiet"]);
    commit(&workspace);
    workspace.write("deploy/broken.yaml", widget("v1", "b", "{class: b}"));
    workspace.write("deploy/objects.yaml", widget("v1", "a", "{class: c}"));
    let previous = ["--crds", "crds", "--previous", "git:HEAD"];
    let found = found(&workspace, &previous, 1);
    assert_eq!(found.len(), 1, "{found:?}");
    let ran = validate(&workspace, &previous, 1);
    let note = "`deploy/broken.yaml` of `git:HEAD` cannot be read, so its objects count as new";
    assert!(ran.stderr.contains(note), "{ran:?}");
    // A moved file has no past there.
    std::fs::rename(
        workspace.path("deploy/objects.yaml"),
        workspace.path("moved.yaml"),
    )
    .unwrap();
    let arguments = [&["validate", "moved.yaml"], &previous[..]].concat();
    let ran = workspace.run(&arguments).with_code(0);
    assert!(
        ran.stderr.contains("`moved.yaml` is not in `git:HEAD`"),
        "{ran:?}"
    );
    // The namespace of an object that names none.
    workspace.write(
        "moved.yaml",
        widget("v1", "a, namespace: default", "{class: c}"),
    );
    workspace.write("before.yaml", widget("v1", "a", "{class: a}"));
    let arguments = [
        "validate",
        "moved.yaml",
        "--crds",
        "crds",
        "--previous",
        "before.yaml",
    ];
    workspace.run(&arguments).with_code(1);
}
