//! `--format json`: if a command cannot run, the calling program still gets one JSON document that says so.

use crate::support::project::{ROUTE, commit, copy, project};
use crate::support::{Workspace, run};
use serde_json::{Value, json};

/// Returns the codes in the document that a run prints to stdout; no other output reports an error.
#[track_caller]
fn codes(workspace: &Workspace, arguments: &[&str]) -> Vec<String> {
    let ran = workspace.run(&[arguments, &["--format", "json"]].concat());
    let about = format!("{arguments:?}\n{}\n{}", ran.stdout, ran.stderr);
    assert_eq!(ran.code, Some(2), "{about}");
    let document: Value = serde_json::from_str(&ran.stdout).expect(&about);
    let found = document.get("findings");
    let found = found.and_then(Value::as_array).expect(&about);
    let codes = found.iter().map(|finding| {
        assert!(!finding["message"].as_str().unwrap().is_empty(), "{about}");
        finding["code"].as_str().expect(&about).to_owned()
    });
    let codes: Vec<String> = codes.collect();
    assert!(!codes.is_empty(), "{about}");
    codes
}

#[test]
fn commands_that_cannot_run_say_why() {
    let workspace = Workspace::new(ROUTE);
    workspace.generate();
    workspace.write("lock/bundle.lock", "format = ");
    for (arguments, code) in [
        (&["gen-crds", "--channel", "x"][..], "config-invalid"),
        (&["diff", "nowhere", "."], "unreadable-file"),
        (&["diff", ".", "nowhere"], "unreadable-file"),
        (&["diff", "v0.9.0", "."], "unreadable-file"),
        (&["diff", "git:x", "."], "git-failed"),
        (
            &["diff", ".", ".", "--waivers", "nowhere"],
            "unreadable-file",
        ),
        (&["check", "nowhere"], "unreadable-file"),
        (
            &["eval-rule", "route.yaml", "--crds", "nowhere"],
            "unreadable-file",
        ),
        (
            &["explain-rule", "Route", "--crds", "nowhere"],
            "unreadable-file",
        ),
        (&["vendor"], "lock-missing"),
        (&["pin", "--from", "nowhere"], "bundle-missing"),
        (&["pin", "--from", "."], "bundle-missing"),
        (
            &["pin", "--from", "a#b", "--revision", "c"],
            "bundle-missing",
        ),
        (&["pin", "--update"], "lock-missing"),
        (&["pin", "--remove", "x"], "lock-missing"),
        (
            &["pin", "--from", "file:///nowhere", "--offline"],
            "git-failed",
        ),
        (&["pin", "--from", "file:///nowhere"], "git-failed"),
    ] {
        assert_eq!(codes(&workspace, arguments), [code], "{arguments:?}");
    }
    let ran = run(&mut workspace.command_in("lock", &["pin", "--update", "--format", "json"]));
    assert!(ran.stdout.contains("lock-invalid"), "{}", ran.stdout);
}

#[test]
fn an_unreadable_workspace_is_reported() {
    let missing = Workspace::new(
        "//- no channels/stable.toml\n//- no channels/experimental.toml\n//- src/lib.rs\n",
    );
    let broken = Workspace::new(&format!("{ROUTE}//- channels/bundle.toml\nverison = 1\n"));
    let nowhere = Workspace::new("");
    std::fs::remove_file(nowhere.path("Cargo.toml")).unwrap();
    for (workspace, code) in [(&missing, "config-missing"), (&nowhere, "cargo-failed")] {
        for arguments in [
            &["gen-crds"][..],
            &["gen-crds", "--check"],
            &["features"],
            &["prove"],
            &["release", "minor"],
            &["diff", ".", "."],
        ] {
            assert_eq!(codes(workspace, arguments), [code], "{arguments:?}");
        }
    }
    // An error in the configuration is a finding.
    for arguments in [
        &["gen-crds"][..],
        &["features"],
        &["diff", ".", "."],
        &["check", "src"],
    ] {
        let ran = broken.run(&[arguments, &["--format", "json"]].concat());
        let document: Value = serde_json::from_str(&ran.stdout).expect(&ran.stdout);
        let found = &document["findings"];
        assert_eq!(found[0]["code"], "config-invalid", "{arguments:?}");
        assert!(
            !ran.stderr.contains("error["),
            "{arguments:?}: {}",
            ran.stderr
        );
    }
}

/// Stale files are findings for programs, as with `gen-crds --check`.
#[test]
fn vendored_files_that_differ_are_findings() {
    let template = project();
    let crd = "crds/example.com_routes.yaml";
    let check = |change: fn(&Workspace, &str), codes: &[&str], change_of_file: &str| {
        let project = copy(&template);
        change(&project, crd);
        let ran = project.run(&["vendor", "--check", "--format", "json"]);
        let ran = ran.with_code(i32::from(!codes.is_empty()));
        let found: Vec<String> = ran.findings().into_iter().map(|it| it.code).collect();
        assert_eq!(found, codes, "{ran:?}");
        let document: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(document["written"], false);
        let file = &document["bundles"][0]["files"][0];
        assert_eq!(file["change"].as_str().unwrap_or_default(), change_of_file);
        assert_eq!(ran.stderr, "");
    };
    check(|_, _| {}, &[], "");
    let differs = |project: &Workspace, crd: &str| project.write(crd, "");
    check(differs, &["not-as-pinned"], "changed");
    let missing = |project: &Workspace, crd: &str| std::fs::remove_file(project.path(crd)).unwrap();
    check(missing, &["not-as-pinned"], "created");
    // Following the advice updates the files.
    let project = copy(&template);
    differs(&project, crd);
    let ran = project.run(&["vendor", "--format", "json"]).with_code(0);
    let document: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(document["written"], true);
    assert_eq!(
        document["bundles"][0]["files"],
        json!([{"file": crd, "change": "changed"}])
    );
    project.run(&["vendor", "--check"]).with_code(0);
}

#[test]
fn a_release_says_what_it_writes_and_what_comes_next() {
    let project = project();
    let release = |arguments: &[&str], code| -> Value {
        let arguments = [&["release", "minor", "--format", "json"], arguments].concat();
        let ran = project.run(&arguments).with_code(code);
        assert!(!ran.stderr.contains("error"), "{ran:?}");
        serde_json::from_str(&ran.stdout).unwrap()
    };
    project.edit("src/lib.rs", "max = 20", "max = 30");
    let refused = release(&[], 1);
    assert_eq!(
        (&refused["written"], &refused["files"], &refused["next"]),
        (&json!(false), &json!([]), &json!([]))
    );
    project.edit("src/old.rs", "max = 20", "max = 30");
    project.generate();
    commit(&project);
    let shown = release(&["--dry-run"], 0);
    assert_eq!(
        (&shown["version"], &shown["baseline"], &shown["bump"]),
        (&json!("v0.2.0"), &json!("v0.1.0"), &json!("minor"))
    );
    assert_eq!(shown["changes"][0]["code"], "limit-loosened");
    assert_eq!(shown["written"], false);
    let written = release(&[], 0);
    assert_eq!(written["written"], true);
    assert_eq!(written["files"], shown["files"]);
    let next = written["next"].as_array().unwrap();
    assert_eq!(next.last().unwrap(), "crd-channels start-next");
    let manifest = json!({"file": "channels/v0.2.0/manifest.json", "change": "created"});
    let files = written["files"].as_array().unwrap();
    assert!(files.contains(&manifest), "{written:#}");
}
