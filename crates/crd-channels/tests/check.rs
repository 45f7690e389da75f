//! `check` as users run it: what it reads, what it skips, and its exit codes.

use crate::support::Workspace;
use serde_json::Value;
use std::io::Write;
use std::process::Stdio;

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

/// As git checks files out on Windows.
#[test]
fn line_ends_of_windows_are_not_shown() {
    let workspace = Workspace::new("");
    let crd = CRD.replace("group: ", "group: X");
    let found = ["\n", "\r\n"].map(|end| {
        workspace.write("crd.yaml", crd.replace('\n', end));
        workspace.run(&["check", "crd.yaml"]).with_code(1).stdout
    });
    assert!(found[0].contains("group: X"), "{}", found[0]);
    assert_eq!(found[0], found[1]);
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
        let is_reported = ran.stderr.contains(
            "error: `deploy` has no CRDs to check; `crd-channels validate` checks objects\n",
        );
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

/// Kubernetes 1.37 prices `matches(text, pattern)` like `text.matches(pattern)`; older servers price the function at 1.
#[test]
fn rules_that_a_newer_kubernetes_rejects_are_warnings_until_it_is_declared() {
    let workspace = Workspace::new("");
    let words: Vec<String> = (0..250).map(|number| format!("k{number}")).collect();
    let crd = |rule: &str| {
        let rule = format!("{{type: string, x-kubernetes-validations: [{{rule: \"{rule}\"}}]}}");
        let spec = format!("{{type: object, properties: {{key: {rule}}}}}");
        format!("{CRD}        properties: {{spec: {spec}}}\n")
    };
    let pattern = format!("'^({})$'", words.join("|"));
    workspace.write("function.yaml", crd(&format!("matches(self, {pattern})")));
    workspace.write("method.yaml", crd(&format!("self.matches({pattern})")));
    workspace.write("short.yaml", crd("matches(self, '^[a-z]{1,9}$')"));
    let found = |file: &str, arguments: &[&str], code: i32| {
        let arguments = [&["check", file, "--format", "json"], arguments].concat();
        let ran = workspace.run(&arguments).with_code(code);
        let found: Value = serde_json::from_str(&ran.stdout).unwrap();
        let texts = |finding: &Value| {
            let text = |key: &str| finding[key].as_str().unwrap().to_owned();
            [text("code"), text("message"), text("help")]
        };
        let findings = found["findings"].as_array().unwrap().iter();
        findings.map(texts).collect::<Vec<_>>()
    };
    let warned = found("function.yaml", &["--kubernetes", "1.36"], 0);
    let [[code, message, help]] = warned.as_slice() else {
        panic!("{warned:?}");
    };
    assert_eq!(code, "newer-kubernetes");
    assert!(
        message.starts_with("the rule is rejected by Kubernetes 1.37, because it prices `matches(string, string)` differently"),
        "{message}"
    );
    // The method costs the same on all servers.
    let refused = found("method.yaml", &["--kubernetes", "1.30"], 1);
    let (_, factor) = message.split_once("which is ").unwrap();
    assert!(factor.starts_with("9.0 times the budget"), "{factor}");
    assert!(refused[0][1].contains(factor), "{refused:?} {factor}");
    assert_eq!(&refused[0][2], help);
    for arguments in [
        &["--kubernetes", "1.37"][..],
        &["--kubernetes", "1.99"],
        &[],
    ] {
        let refused = found("function.yaml", arguments, 1);
        assert_eq!(refused.len(), 1, "{refused:?}");
        assert_eq!(refused[0][0], "rule-cost");
        assert!(refused[0][1].contains(factor), "{refused:?}");
        assert_eq!(found("short.yaml", arguments, 0), Vec::<[String; 3]>::new());
    }
    // What the help says is enough, and is needed.
    let (_, most) = help.split_once(": ").unwrap();
    let most: u64 = most.split(' ').next().unwrap().parse().unwrap();
    for (length, count) in [(most, 0), (most + 1, 1)] {
        let bound = format!("type: string, maxLength: {length}");
        let bounded = workspace
            .read("function.yaml")
            .replace("type: string", &bound);
        workspace.write("bounded.yaml", bounded);
        assert_eq!(
            found("bounded.yaml", &["--kubernetes", "1.30"], 0).len(),
            count
        );
    }
    let allowed = ["--kubernetes", "1.32", "--allow", "newer-kubernetes"];
    assert_eq!(found("function.yaml", &allowed, 0).len(), 0);
    let denied = ["--kubernetes", "1.32", "--deny", "newer-kubernetes"];
    assert_eq!(found("function.yaml", &denied, 1).len(), 1);
}

/// Names are at most 253 characters long, which servers take into account since 1.37.
#[test]
fn rules_on_names_are_cheaper_for_newer_servers() {
    let workspace = Workspace::new("");
    let rule = format!("self.metadata.name.matches('{}')", "a".repeat(200));
    let rule = format!("        x-kubernetes-validations: [{{rule: \"{rule}\"}}]\n");
    workspace.write("crd.yaml", format!("{CRD}{rule}"));
    workspace
        .run(&["check", "crd.yaml", "--kubernetes", "1.37"])
        .with_code(0);
    let ran = workspace
        .run(&["check", "crd.yaml", "--kubernetes", "1.36"])
        .with_code(1);
    assert!(
        ran.stdout
            .contains("or declare `kubernetes = \"1.37\"` or newer"),
        "{ran:?}"
    );
}

#[test]
fn a_kubernetes_that_is_not_known_is_checked_as_the_nearest_one() {
    let workspace = Workspace::new("");
    workspace.write("crd.yaml", CRD);
    let notes = |version: &str| {
        let ran = workspace.run(&["check", "crd.yaml", "--kubernetes", version]);
        ran.with_code(0).stderr
    };
    let checked = "note: 1 CRD checked, none rejected\n";
    for known in ["1.23", "1.37"] {
        assert_eq!(notes(known), checked);
    }
    for newer in ["1.38", "1.99", "2.0"] {
        let note =
            format!("note: Kubernetes {newer} is newer than this tool knows; checked as 1.37\n");
        assert_eq!(notes(newer), note + checked);
    }
    let note = "note: Kubernetes 1.17 is older than this tool knows, and may reject more; checked as 1.23\n";
    assert_eq!(notes("1.17"), format!("{note}{checked}"));
    workspace.write(
        "crd.yaml",
        CRD.replace("served: true", "served: true\n    deprecated: true"),
    );
    let ran = workspace.run(&["check", "crd.yaml", "--kubernetes", "1.18"]);
    assert!(
        ran.stdout
            .contains("`deprecated` exists since Kubernetes 1.19, not in 1.18"),
        "{ran:?}"
    );
    // The configuration says it too.
    workspace.write("channels/bundle.toml", "kubernetes = \"1.99\"\n");
    let ran = workspace.run(&["check", "crd.yaml"]);
    assert!(
        ran.stderr
            .contains("Kubernetes 1.99 is newer than this tool knows"),
        "{ran:?}"
    );
}

/// Reserved names have an escape that every server knows, and keys of maps an index.
#[test]
fn what_older_servers_lack_has_another_spelling() {
    let workspace = Workspace::new("");
    let field = "        properties: {spec: {type: object, properties: {namespace: {type: string}, m: {type: object, additionalProperties: {type: string}}}, x-kubernetes-validations: [{rule: RULE}]}}\n";
    let check = |rule: &str| {
        let crd = format!("{CRD}{}", field.replace("RULE", &format!("\"{rule}\"")));
        workspace.write("crd.yaml", crd);
        let ran = workspace.run(&[
            "check",
            "crd.yaml",
            "--kubernetes",
            "1.30",
            "--allow",
            "unguarded-read",
        ]);
        ran.stdout
    };
    let told = check("self.namespace != 'a'");
    assert!(
        told.contains("write `.__namespace__`, or declare `kubernetes = \"1.32\"`"),
        "{told}"
    );
    assert_eq!(check("self.__namespace__ != 'a'"), "");
    let told = check("self.m.`a.b/c` != 'a'");
    assert!(
        told.contains("write `['a.b/c']`, or declare `kubernetes = \"1.37\"`"),
        "{told}"
    );
    assert_eq!(check("self.m['a.b/c'] != 'a'"), "");
}
