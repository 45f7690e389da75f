//! `check` as users run it: what it reads, what it skips, and its exit codes.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

mod support;

use serde_json::Value;
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
    // A template without expressions is what Helm would render.
    workspace.write("chart/templates/plain.yaml", CRD);
    let ran = workspace.run(&["check", "chart"]).with_code(0);
    assert_eq!(
        ran.stderr,
        "note: `chart/templates/crds.yaml` is skipped, because it is a template of a Helm chart
note: 1 document of `chart/Chart.yaml` is skipped, because it is not a CRD
note: 2 CRDs checked, none rejected\n"
    );
    let ran = workspace.run(&["check", "chart/templates/crds.yaml"]);
    assert!(
        ran.with_code(0)
            .stderr
            .contains("a template of a Helm chart")
    );
    // Outside a chart it is an unreadable file.
    workspace.write("crds/crds.yaml", TEMPLATE);
    let ran = workspace.run(&["check", "crds"]).with_code(2);
    assert!(
        ran.stderr.starts_with("error: `crds/crds.yaml`: "),
        "{ran:?}"
    );
}

/// A folder of a whole project has many other files.
#[test]
fn many_files_without_crds_are_counted() {
    let workspace = Workspace::new("");
    workspace.write("crds/widgets.yaml", CRD);
    for number in 1..=4 {
        let service = "kind: Service\n---\nkind: Service\n";
        workspace.write(&format!("deploy/{number}.yaml"), service);
    }
    let ran = workspace.run(&["check", "."]).with_code(0);
    assert_eq!(
        ran.stderr,
        "note: 8 documents of 4 files are skipped, because they are not CRDs; `--verbose` lists the files
note: 1 CRD checked, none rejected\n"
    );
    let ran = workspace.run(&["check", ".", "--verbose"]).with_code(0);
    let listed = "note: 2 documents of `./deploy/4.yaml` are skipped, because they are not CRDs\n";
    assert!(ran.stderr.contains(listed), "{}", ran.stderr);
}

/// Linked files are checked once, even if a link leads to a folder around it.
#[cfg(unix)]
#[test]
fn links_are_followed_but_not_in_circles() {
    use std::os::unix::fs::symlink;
    let workspace = Workspace::new("");
    workspace.write("elsewhere/widgets.yaml", CRD);
    workspace.write("crds/README", "text");
    symlink("../elsewhere", workspace.path("crds/linked")).unwrap();
    symlink(".", workspace.path("elsewhere/around")).unwrap();
    let ran = workspace.run(&["check", "crds"]).with_code(0);
    assert_eq!(ran.stderr, "note: 1 CRD checked, none rejected\n");
    symlink("gone", workspace.path("crds/gone.yaml")).unwrap();
    symlink("gone", workspace.path("crds/gone.txt")).unwrap();
    let ran = workspace.run(&["check", "crds"]).with_code(2);
    assert!(
        ran.stderr.contains("`crds/gone.yaml` cannot be read"),
        "{}",
        ran.stderr
    );
    assert!(!ran.stderr.contains("gone.txt"), "{}", ran.stderr);
}

/// A folder that is given as an argument is checked, whatever its name.
#[test]
fn build_output_and_hidden_folders_are_left_out() {
    let workspace = Workspace::new("");
    for file in [
        "crds/widgets.yaml",
        "crds/.widgets.yaml",
        "crds/target/widgets.yaml",
        "target/debug/widgets.yaml",
        ".git/widgets.yaml",
    ] {
        workspace.write(file, CRD);
    }
    workspace.write("target/debug/broken.json", "{");
    for (path, checked) in [
        (".", "2 CRDs"),
        ("crds", "2 CRDs"),
        ("crds/target", "1 CRD"),
        (".git", "1 CRD"),
    ] {
        let ran = workspace.run(&["check", path]).with_code(0);
        let expected = format!("note: {checked} checked, none rejected\n");
        assert!(ran.stderr.ends_with(&expected), "{path}: {ran:?}");
    }
    let ran = workspace.run(&["check", "target"]).with_code(2);
    assert!(ran.stderr.contains("broken.json"), "{ran:?}");
}

#[test]
fn every_file_is_in_the_document() {
    let workspace = Workspace::new("");
    workspace.write("crds/bad.yaml", "a: 1\nb: [\n");
    workspace.write("crds/good.yaml", CRD);
    workspace.write("crds/twice.yaml", "a: 1\nb: 2\na: 3\n");
    let ran = workspace.run(&["check", "crds", "none.yaml", "--format", "json"]);
    let ran = ran.with_code(2);
    assert_eq!(ran.stderr, "note: 1 CRD checked, none rejected\n");
    let document: Value = serde_json::from_str(&ran.stdout).unwrap();
    let files = document["files"].as_array().unwrap().iter();
    let found: Vec<_> = files
        .map(|object| (object["file"].as_str().unwrap(), object["accept"] == true))
        .collect();
    let expected = [
        ("crds/good.yaml", true),
        ("crds/bad.yaml", false),
        ("crds/twice.yaml", false),
        ("none.yaml", false),
    ];
    assert_eq!(found, expected);
    assert_eq!(
        document["findings"][1]["message"],
        "`crds/twice.yaml`: line 3, column 1: the key `a` is given twice, first at line 1, column 1; kubectl silently takes the last one, remove one of them"
    );
}

#[test]
fn numbers_of_yaml_are_judged_as_the_json_that_kubectl_sends() {
    let workspace = Workspace::new("");
    let field = |written: &str| format!("{CRD}        maxProperties: {written}\n");
    for written in [
        "1.0",
        "1e3",
        "010",
        "08",
        "0_1",
        "!!float 5",
        "0x10",
        "-0.0",
    ] {
        workspace.write("crd.yaml", field(written));
        let ran = workspace.run(&["check", "crd.yaml"]);
        assert!(!ran.stderr.contains("error"), "{written}: {ran:?}");
        assert!(
            !ran.stdout.contains("without a decimal point"),
            "{written}: {ran:?}"
        );
    }
    workspace.write("crd.yaml", field("1.5"));
    let ran = workspace.run(&["check", "crd.yaml"]).with_code(1);
    assert!(ran.stdout.contains("without a decimal point"), "{ran:?}");
    workspace.write("crd.yaml", CRD.replace("served: true", "served: tRue"));
    workspace.run(&["check", "crd.yaml"]).with_code(1);
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
        // A pre-commit hook passes every file of a commit.
        (&["deploy/service.yaml"], 0),
    ] {
        let arguments = [&["check"], paths].concat();
        let ran = workspace.run(&arguments).with_code(code);
        let is_reported = ran
            .stderr
            .contains("error: `deploy` has no CRDs to check\n");
        assert_eq!(is_reported, paths.contains(&"deploy"), "{}", ran.stderr);
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
    let stderr = String::from_utf8(ended.stderr).unwrap();
    assert!(
        stderr.contains("error: standard input has no CRDs to check"),
        "{stderr}"
    );
}

#[test]
fn crds_are_validated_for_the_oldest_kubernetes() {
    let workspace = Workspace::new("");
    let rule = "        x-kubernetes-validations: [{rule: isSemver(self.metadata.name)}]\n";
    workspace.write("crd.yaml", format!("{CRD}{rule}"));
    let check = |arguments: &[&str], code: i32| {
        let arguments = [&["check", "crd.yaml", "--format", "json"], arguments].concat();
        let ran = workspace.run(&arguments).with_code(code);
        let found: Value = serde_json::from_str(&ran.stdout).unwrap();
        found["findings"][0]["message"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    assert_eq!(check(&[], 0), "");
    assert_eq!(check(&["--kubernetes", "1.34"], 0), "");
    let report = check(&["--kubernetes", "1.33"], 1);
    assert!(
        report.contains("rules can use `isSemver` since Kubernetes 1.34"),
        "{report}"
    );
    workspace.write("channels/bundle.toml", "kubernetes = \"1.33\"\n");
    assert_eq!(check(&[], 1), report);
    assert_eq!(check(&["--kubernetes", "1.34"], 0), "");
    let ran = workspace.run(&["check", "crd.yaml", "--kubernetes", "34"]);
    assert!(
        ran.stderr.contains("`34` is not a release of Kubernetes"),
        "{}",
        ran.stderr
    );
    let selectable = "    selectableFields: [{jsonPath: .spec.color}]\n";
    let color = "        properties: {spec: {type: object, properties: {color: {type: string}}}}\n";
    workspace.write("crd.yaml", format!("{CRD}{color}{selectable}"));
    let report = check(&["--kubernetes", "1.30"], 0);
    assert!(
        report.contains("`selectableFields` is silently dropped by Kubernetes 1.30"),
        "{report}"
    );
    let report = check(&["--kubernetes", "1.29"], 0);
    assert!(
        report.contains("`selectableFields` exists since Kubernetes 1.31, not in 1.29"),
        "{report}"
    );
}

#[test]
fn a_deprecation_that_a_bundle_showed_is_no_finding() {
    let unserved = CRD.replace(
        "  versions:\n",
        "  versions:\n  - name: v1beta1\n    served: false\n    storage: false\n    deprecated: true\n    schema:\n      openAPIV3Schema:\n        type: object\n",
    );
    let stamped = |version: &str| {
        let name = "  name: widgets.example.com\n";
        let stamp = format!("  annotations:\n    example.com/bundle-version: {version}\n{name}");
        unserved.replacen(name, &stamp, 1)
    };
    let workspace = Workspace::new("");
    for (text, is_found) in [
        (unserved.clone(), true),
        (stamped("v0.5.0-dev"), true),
        (stamped("soon"), true),
        // `release` demanded that an earlier bundle shows it.
        (stamped("v0.5.0"), false),
    ] {
        workspace.write("crds/widgets.yaml", &text);
        let ran = workspace.run(&["check", "crds"]).with_code(0);
        assert_eq!(
            ran.stdout.contains("unseen-deprecation"),
            is_found,
            "{text}{}",
            ran.stdout
        );
    }
}

/// Nothing is left out because of how deep it is.
#[test]
fn deep_folders_are_read() {
    let workspace = Workspace::new("");
    workspace.write("crds/good.yaml", CRD);
    let deep = format!("crds/{}bad.yaml", "d/".repeat(60));
    workspace.write(&deep, CRD.replace("Namespaced", "Everywhere"));
    let ran = workspace.run(&["check", "crds"]).with_code(1);
    assert!(ran.stdout.contains(&deep), "{}", ran.stdout);
    assert!(
        ran.stderr.contains("2 CRDs checked, 1 rejected"),
        "{}",
        ran.stderr
    );
    let ran = workspace.run(&["diff", "crds/good.yaml", "crds/d"]);
    assert!(!ran.stderr.contains("no CRDs"), "{}", ran.stderr);
}

/// An embedded `PodSpec` has dozens of lists that the author of the CRD cannot change.
#[test]
fn lists_without_a_type_are_counted_in_each_version() {
    let workspace = Workspace::new("");
    let lists: String = (0..5)
        .map(|nth| format!("            list{nth}: {{type: array, items: {{type: object}}}}\n"))
        .collect();
    workspace.write("crd.yaml", format!("{CRD}        properties:\n          spec:\n            type: object\n            properties:\n{}", lists.replace("            list", "              list")));
    let ran = workspace.run(&["check", "crd.yaml"]).with_code(0);
    let expected = "warning[untyped-list]: 5 lists of objects without `x-kubernetes-list-type` are replaced as a whole: \
        `spec.list0`, `spec.list1`, `spec.list2` and 2 more";
    assert!(ran.stdout.contains(expected), "{}", ran.stdout);
    assert_eq!(
        ran.stdout.matches("untyped-list").count(),
        1,
        "{}",
        ran.stdout
    );
    let ran = workspace
        .run(&["check", "--deny", "untyped-list", "crd.yaml"])
        .with_code(1);
    assert_eq!(
        ran.stdout.matches("error[untyped-list]").count(),
        1,
        "{}",
        ran.stdout
    );
    workspace
        .run(&["check", "--allow", "untyped-list", "crd.yaml"])
        .with_code(0);
}

/// Names, descriptions, values and paths are other people's texts, and a terminal would obey the sequences in them.
#[test]
fn no_control_character_reaches_a_terminal() {
    let workspace = Workspace::new("");
    let evil = "\u{1b}[2J\u{1b}]0;t\u{7}\u{9b}31m\r\u{8}";
    let crd: Value = serde_json::json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("widgets.example.com{evil}"), "annotations": {evil: evil}},
        "spec": {
            "group": format!("example.com{evil}"),
            "scope": evil,
            "names": {"plural": format!("widgets{evil}"), "kind": evil, "shortNames": [evil]},
            "versions": [{
                "name": evil, "served": true, "storage": true,
                "schema": {"openAPIV3Schema": {"type": "object", "description": evil, "properties": {
                    evil: {"type": evil, "pattern": format!("({evil}"), "default": evil},
                    "a": {"type": "object", "x-kubernetes-validations": [{"rule": format!("self.{evil}"), "message": evil}]},
                }}},
            }],
        },
    });
    let path = format!("crds/{evil}.yaml");
    workspace.write(&path, crd.to_string());
    workspace.write("broken.yaml", format!("a: [b\nc: '{evil}'\n"));
    let missing = format!("{evil}missing.yaml");
    let option = format!("--{evil}");
    for format in ["human", "json", "github", "sarif"] {
        for color in ["never", "always"] {
            for arguments in [
                vec!["check", "--format", format, "crds"],
                vec!["check", "--format", format, &path],
                vec!["check", "--format", format, &missing],
                vec!["check", "--format", format, "broken.yaml"],
                vec!["check", &option],
                vec!["diff", "--format", format, &path, &missing],
                vec!["diff", "--format", format, &path, "broken.yaml"],
                vec!["eval-rule", &path, &missing],
                vec!["explain", &missing],
            ] {
                let arguments: Vec<&str> =
                    ["--color", color].into_iter().chain(arguments).collect();
                let ran = workspace.run(&arguments);
                for text in [&ran.stdout, &ran.stderr] {
                    let mut text = text.clone();
                    if color == "always" {
                        text = without_colors(&text);
                    }
                    let found = text
                        .chars()
                        .find(|c| c.is_control() && !matches!(c, '\n' | '\t'));
                    assert_eq!(found, None, "{arguments:?}: {text:?}");
                }
            }
        }
    }
}

/// A text without the sequences `ESC [ numbers m` that set a colour of our own.
fn without_colors(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let numbers = part.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
        match numbers.strip_prefix('m') {
            Some(behind) => plain.push_str(behind),
            None => plain.push_str(&format!("\u{1b}[{part}")),
        }
    }
    plain
}
