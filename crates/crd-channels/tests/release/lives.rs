//! The lifecycle of API versions and features, and the steps that they may not take.

use super::{Project, ROUTE};
use serde_json::{Value, json};
use std::path::Path;

/// The kind with another version `v1beta1`, with the attributes `marks`; `None` removes it.
pub(super) fn two(project: &Project, marks: Option<&str>) {
    let (_, text) = ROUTE.split_once("//- src/lib.rs\n").unwrap();
    let struct_at = text.find("/// Where requests go.").unwrap();
    let second = marks.map_or_else(String::new, |marks| {
        text[struct_at..]
            .replace(
                "version = \"v1\"",
                &format!("version = \"v1beta1\", storage = false{marks}"),
            )
            .replace("RouteSpec", "OldRouteSpec")
    });
    project.0.write("src/lib.rs", format!("{text}{second}"));
    project.commit_generated();
}

fn released(project: &Project, version: &str) {
    project.release(version).with_code(0);
    project.commit_generated();
}

/// Returns the JSON of `features`, and the findings for people.
fn features_output(project: &Project, code: i32) -> (Value, String) {
    let ran = project.0.run(&["features", "--format", "json"]);
    let ran = ran.with_code(code);
    let output: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(
        output["findings"] != serde_json::json!([]),
        code != 0,
        "{output}"
    );
    let people = project.0.run(&["features"]).with_code(code);
    (output, people.stderr)
}

pub(super) fn bury(project: &Project, removed: &str) {
    project.0.write(
        "channels/tombstones.toml",
        format!(
            "[[versions]]\ngroup = \"example.com\"\nkind = \"Route\"\nversion = \"v1beta1\"\nremoved = \"{removed}\"\nreason = \"v1 replaced it\"\n"
        ),
    );
    project.commit_generated();
}

#[test]
fn every_version_is_listed_with_its_past() {
    let project = Project::new();
    two(&project, Some(""));
    let (before, _) = features_output(&project, 0);
    assert_eq!(before["versions"][1]["state"], "stable");
    assert_eq!(before["versions"][1]["since"], Value::Null);
    released(&project, "minor");
    // It may neither be removed nor unserved: users were not warned.
    two(&project, None);
    for (refused, expected) in [
        (
            project.release("minor").with_code(1).stderr,
            "nothing was written",
        ),
        (features_output(&project, 1).1, ""),
    ] {
        let fault = "version removed that was not deprecated, still served in the old bundle";
        assert!(
            refused.contains(fault) && refused.contains(expected),
            "{refused}"
        );
    }
    two(&project, Some(", deprecated, served = false"));
    let fault = "version no longer served without having been deprecated";
    assert!(features_output(&project, 1).1.contains(fault));
    two(&project, Some(", deprecated"));
    released(&project, "minor");
    two(&project, Some(", deprecated, served = false"));
    let (next, _) = features_output(&project, 0);
    assert_eq!(next["versions"][1]["state"], "unserved");
    assert_eq!(next["versions"][1]["since"], Value::Null);
    released(&project, "minor");
    two(&project, None);
    bury(&project, "v0.4.0");
    released(&project, "minor");
    let (whole, _) = features_output(&project, 0);
    assert_eq!(
        whole["versions"],
        json!([
            {
                "group": "example.com", "kind": "Route", "version": "v1", "state": "stable", "since": "v0.1.0",
                "steps": [{"bundle": "v0.1.0", "state": "stable"}],
                "removedIn": null, "replacedBy": null,
            },
            {
                "group": "example.com", "kind": "Route", "version": "v1beta1", "state": "removed", "since": "v0.4.0",
                "steps": [
                    {"bundle": "v0.1.0", "state": "stable"},
                    {"bundle": "v0.2.0", "state": "deprecated"},
                    {"bundle": "v0.3.0", "state": "unserved"},
                    {"bundle": "v0.4.0", "state": "removed"},
                ],
                "removedIn": null, "replacedBy": null,
            },
        ])
    );
    let human = project.0.run(&["features"]).with_code(0).stdout;
    let expected = "Route v1beta1 (removed, since v0.4.0)\n  stable since v0.1.0, deprecated since v0.2.0, unserved since v0.3.0\n";
    assert!(human.contains(expected), "{human}");
    // What a tombstone finding reports is not reported again.
    project.0.write("channels/tombstones.toml", "");
    two(&project, Some(""));
    let back = features_output(&project, 1).1;
    assert_eq!(back.matches("error[").count(), 1, "{back}");
    assert!(back.contains("(tombstone-reused)"), "{back}");
}

/// A version may be unserved and then removed, both with and without its deprecation attribute.
#[test]
fn a_version_is_removed_without_a_waiver() {
    for unserved in [", deprecated, served = false", ", served = false"] {
        let project = Project::new();
        two(&project, Some(""));
        released(&project, "minor");
        two(&project, Some(", deprecated"));
        released(&project, "minor");
        two(&project, Some(unserved));
        let ran = project.0.run(&["gen-crds"]).with_code(0);
        assert!(!ran.stderr.contains("unseen-deprecation"), "{}", ran.stderr);
        let ran = project.0.run(&["check", "generated"]).with_code(0);
        assert!(!ran.stdout.contains("unseen-deprecation"), "{}", ran.stdout);
        let ran = project.release("minor").with_code(0);
        assert!(
            !ran.stderr.contains("no longer deprecated"),
            "{}",
            ran.stderr
        );
        project.commit_generated();
        released(&project, "minor");
        two(&project, None);
        bury(&project, "v0.4.0");
        released(&project, "minor");
        // From the first bundle to the last, users were told of everything.
        let ran = project
            .0
            .run(&["diff", "v0.1.0", "v0.5.0", "--against", "minor"]);
        let output = ran.with_code(0).stdout;
        assert!(output.contains("deprecated version removed"), "{output}");
        let note =
            "v0.2.0, v0.3.0, v0.4.0 are between the two: each change is checked step by step";
        assert!(output.contains(note), "{output}");
    }
}

#[test]
fn a_version_that_nobody_could_use_needs_no_warning() {
    let project = Project::new();
    two(&project, Some(", served = false"));
    released(&project, "minor");
    two(&project, None);
    bury(&project, "v0.2.0");
    released(&project, "minor");
}

/// A field that was experimental in a bundle between two others is not new to the stable channel.
#[test]
fn a_field_that_was_experimental_between_two_bundles_is_not_new() {
    let project = Project::new();
    project.edit(
        "    /// How often.\n    #[experimental]\n    pub retries: Option<String>,\n",
        "",
    );
    project.commit_generated();
    released(&project, "minor");
    let end = "    pub host: String,\n";
    let field = "    /// How many.\n    #[experimental]\n    pub limit: Option<i32>,\n";
    project.edit(end, &format!("{end}{field}"));
    project.commit_generated();
    released(&project, "minor");
    project.edit(field, &field.replace("    #[experimental]\n", ""));
    project.commit_generated();
    released(&project, "minor");
    let ran = project
        .0
        .run(&["diff", "v0.1.0", "v0.3.0", "--against", "minor"]);
    let output = ran.with_code(0).stdout;
    assert!(output.contains("graduated to stable"), "{output}");
    // These two alone show less.
    for version in ["v0.1.0", "v0.3.0"] {
        let (from, to) = (format!("channels/{version}"), format!("alone/{version}"));
        copy(&project.0.path(&from), &project.0.path(&to));
    }
    let ran = project
        .0
        .run(&["diff", "alone/v0.1.0", "alone/v0.3.0", "--against", "minor"]);
    let output = ran.with_code(1).stdout;
    assert!(
        output.contains("bundles before `alone/v0.3.0` cannot be read"),
        "{output}"
    );
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &to),
            false => drop(std::fs::copy(entry.path(), to).unwrap()),
        }
    }
}

#[test]
fn a_version_that_went_without_a_tombstone_does_not_come_back() {
    let project = Project::new();
    two(&project, Some(", served = false"));
    released(&project, "minor");
    two(&project, None);
    project.0.write(
        "channels/waivers.toml",
        "[[waiver]]\nkind = \"Route\"\npath = \"spec.versions[v1beta1]\"\nbundle = \"v0.2.0\"\nbump = \"minor\"\nreason = \"nobody saw it\"\n",
    );
    project.commit_generated();
    released(&project, "minor");
    two(&project, Some(""));
    let fault = "`v1beta1` of `Route` was removed in v0.2.0 and is used again";
    for refused in [
        project.release("minor").with_code(1).stderr,
        features_output(&project, 1).1,
    ] {
        assert!(refused.contains(fault), "{refused}");
    }
}

#[test]
fn a_stable_version_is_not_experimental_again() {
    let project = Project::new();
    two(&project, Some(""));
    released(&project, "minor");
    two(&project, Some(""));
    project.edit(
        "pub struct OldRouteSpec",
        "#[experimental]\npub struct OldRouteSpec",
    );
    project.commit_generated();
    let fault = "version moved back to experimental (version-demoted): needs a new API version";
    for refused in [
        project.release("minor").with_code(1).stderr,
        features_output(&project, 1).1,
    ] {
        assert!(refused.contains(fault), "{refused}");
    }
}

#[test]
fn a_promise_that_was_made_earlier_holds() {
    let project = Project::new();
    two(&project, Some(", deprecated"));
    let removed_in = |bundle: &str| {
        let marks = format!("#[crd(removed_in = \"{bundle}\")]\npub struct OldRouteSpec");
        project.edit("pub struct OldRouteSpec", &marks);
        project.commit_generated();
    };
    removed_in("v0.9.0");
    released(&project, "minor");
    two(&project, Some(", deprecated"));
    removed_in("v0.3.0");
    released(&project, "minor");
    two(&project, Some(", deprecated, served = false"));
    let fault = "`v1beta1` of `Route` is not served in v0.3.0, but v0.1.0 promised it until v0.9.0";
    for refused in [
        project.release("minor").with_code(1).stderr,
        features_output(&project, 1).1,
    ] {
        assert!(refused.contains(fault), "{refused}");
    }
}

/// The warning names the bundle since which the version is deprecated, which must have had a warning.
#[test]
fn deprecated_in_names_the_bundle_that_deprecated_the_version() {
    let project = Project::new();
    two(&project, Some(""));
    released(&project, "minor");
    released(&project, "minor");
    two(&project, Some(", deprecated"));
    let since = |bundle: &str| {
        two(&project, Some(", deprecated"));
        let marks = format!("#[crd(deprecated_in = \"{bundle}\")]\npub struct OldRouteSpec");
        project.edit("pub struct OldRouteSpec", &marks);
        project.commit_generated();
    };
    let refused = |named: &str, fault: &str| {
        since(named);
        let help = "help: write `deprecated_in = \"v0.3.0\"`";
        for refused in [
            project.release("minor").with_code(1).stderr,
            features_output(&project, 1).1,
        ] {
            assert!(refused.contains(fault), "{refused}");
            assert!(refused.contains(help), "{refused}");
            assert!(
                refused.contains(&format!("#[crd(deprecated_in = \"{named}\")]")),
                "{refused}"
            );
        }
    };
    let to_be = "`v1beta1` of `Route` was not deprecated in v0.2.0: v0.3.0 is the first bundle that deprecates it";
    refused("v0.2.0", to_be);
    since("v0.3.0");
    released(&project, "minor");
    let was = "`v1beta1` of `Route` was not deprecated in v0.1.0: v0.3.0 is the first bundle that deprecates it";
    refused("v0.1.0", was);
    let is = "`v1beta1` of `Route` was already deprecated before v0.4.0: v0.3.0 is the first bundle that deprecates it";
    refused("v0.4.0", is);
    since("v0.3.0");
    released(&project, "minor");
}

/// A deprecation from before the first bundle cannot be checked.
#[test]
fn a_deprecation_may_be_older_than_the_first_bundle() {
    let project = Project::new();
    two(&project, Some(", deprecated"));
    let marks = "#[crd(deprecated_in = \"v0.0.0\")]\npub struct OldRouteSpec";
    project.edit("pub struct OldRouteSpec", marks);
    project.commit_generated();
    released(&project, "minor");
    released(&project, "minor");
}

/// Users were told that the version is gone in that bundle.
#[test]
fn a_version_is_not_served_in_the_bundle_that_was_to_remove_it() {
    let project = Project::new();
    two(&project, Some(", deprecated"));
    let marks = "#[crd(removed_in = \"v0.2.0\")]\npub struct OldRouteSpec";
    project.edit("pub struct OldRouteSpec", marks);
    project.commit_generated();
    released(&project, "minor");
    let refused = project.release("minor").with_code(1).stderr;
    for words in [
        "removal-due",
        "`v1beta1` of `Route` is still served, but its removal was announced for v0.2.0",
    ] {
        assert!(refused.contains(words), "{words}:\n{refused}");
    }
}

/// A deprecated version is served for at least one bundle after users were told.
#[test]
fn a_version_is_not_removed_in_the_bundle_that_deprecates_it() {
    let project = Project::released();
    two(&project, Some(""));
    released(&project, "minor");
    two(&project, Some(", deprecated"));
    let marks = "#[crd(removed_in = \"v0.3.0\")]\npub struct OldRouteSpec";
    project.edit("pub struct OldRouteSpec", marks);
    project.commit_generated();
    let refused = project.release("minor").with_code(1).stderr;
    for words in [
        "removal-due",
        "#[crd(removed_in = \"v0.3.0\")]",
        "name a later bundle: `removed_in = \"v0.4.0\"`",
    ] {
        assert!(refused.contains(words), "{words}:\n{refused}");
    }
    project.edit("v0.3.0", "v0.2.0");
    let refused = project.0.run(&["gen-crds"]).with_code(1).stderr;
    assert!(refused.contains("removal-due"), "{refused}");
    project.edit("v0.2.0", "v0.4.0");
    project.commit_generated();
    released(&project, "minor");
}

#[test]
fn features_that_are_gone_are_listed_with_their_past() {
    let project = Project::released();
    let stage = |(whole, _): &(Value, String)| {
        let gone = &whole["gone"][0];
        (
            gone["stage"].clone(),
            gone["left"].clone(),
            gone["since"].clone(),
        )
    };
    assert_eq!(features_output(&project, 0).0["gone"], json!([]));
    project.0.run(&["graduate", "Timeouts"]).with_code(0);
    project.commit_generated();
    let graduated = |left: Value| (json!("graduated"), left, json!("v0.1.0"));
    assert_eq!(stage(&features_output(&project, 0)), graduated(Value::Null));
    released(&project, "minor");
    released(&project, "patch");
    assert_eq!(
        stage(&features_output(&project, 0)),
        graduated(json!("v0.2.0"))
    );
    let human = project.0.run(&["features"]).with_code(0).stdout;
    let expected = "Timeouts (graduated, in v0.2.0)\n  How long a request may take.\n  from v0.1.0 to v0.1.0\n  - graduated with it: Route v1 spec.timeout\n";
    assert!(human.contains(expected), "{human}");
    // Another feature is tried and removed.
    project.0.write(
        "channels/features.toml",
        "[Retries]\nsummary = \"Again.\"\n",
    );
    project.edit("#[experimental]", "#[experimental(feature = \"Retries\")]");
    project.commit_generated();
    released(&project, "minor");
    project.0.write("channels/features.toml", "");
    project.edit(
        "    /// How often.\n    #[experimental(feature = \"Retries\")]\n    pub retries: Option<String>,\n",
        "",
    );
    let stone =
        "#[tombstone(name = \"retries\", removed = \"v0.4.0\", reason = \"backends retry\")]\n";
    project.edit(
        "pub struct RouteSpec",
        &format!("{stone}pub struct RouteSpec"),
    );
    project.commit_generated();
    released(&project, "minor");
    assert_eq!(
        stage(&features_output(&project, 0)),
        (json!("removed"), json!("v0.4.0"), json!("v0.3.0"))
    );
}

/// One feature graduates and another one is removed in the same bundle: each has its own end.
#[test]
fn features_that_end_together_have_their_own_ends() {
    let project = Project::released();
    project.0.write(
        "channels/features.toml",
        format!(
            "{}\n[Retries]\nsummary = \"Again.\"\n[Words]\nsummary = \"More of them.\"\n",
            project.0.read("channels/features.toml")
        ),
    );
    project.edit("#[experimental]", "#[experimental(feature = \"Retries\")]");
    // Text of the whole kind, which ends without anything inside of the kind.
    project.edit(
        "pub struct RouteSpec {",
        "#[experimental(feature = \"Words\", doc = \"More.\")]\npub struct RouteSpec {",
    );
    project.commit_generated();
    released(&project, "minor");
    project.0.run(&["graduate", "Timeouts"]).with_code(0);
    project.0.run(&["graduate", "Words"]).with_code(0);
    project
        .0
        .run(&["remove", "Retries", "--reason", "backends retry"])
        .with_code(0);
    project.commit_generated();
    let unreleased = project.0.run(&["features"]).with_code(0).stdout;
    let removed = "  - removed with it: Route v1 spec.retries — backends retry\n";
    assert!(unreleased.contains(removed), "{unreleased}");
    released(&project, "minor");
    let history = project.0.run(&["features", "--history"]).with_code(0);
    assert_eq!(
        history.stdout,
        "\
Retries (since v0.2.0, ended in v0.3.0)
  Again.
  - field Route v1 spec.retries: removed in v0.3.0, before that experimental since v0.1.0 — backends retry

Timeouts (since v0.1.0, ended in v0.3.0)
  How long a request may take.
  - field Route v1 spec.timeout: stable since v0.3.0, before that experimental since v0.1.0

Words (since v0.2.0, ended in v0.3.0)
  More of them.
  - documentation Route v1 spec

"
    );
    let gone = features_output(&project, 0).0["gone"].clone();
    let ends: Vec<_> = gone.as_array().unwrap().iter().collect();
    let ends: Vec<_> = ends
        .into_iter()
        .map(|gone| {
            let fields = gone["changes"].as_array().unwrap().iter();
            let fields: Vec<_> = fields.map(|change| change["field"].clone()).collect();
            (gone["name"].clone(), gone["stage"].clone(), fields)
        })
        .collect();
    assert_eq!(
        ends,
        [
            (
                json!("Retries"),
                json!("removed"),
                vec![json!("spec.retries")]
            ),
            (
                json!("Timeouts"),
                json!("graduated"),
                vec![json!("spec.timeout")]
            ),
            (json!("Words"), json!("gone"), vec![]),
        ]
    );
    let reason = |gone: &Value| gone["changes"][0]["reason"].clone();
    assert_eq!(
        [reason(&gone[0]), reason(&gone[1])],
        [json!("backends retry"), Value::Null]
    );
    let human = project.0.run(&["features"]).with_code(0).stdout;
    for words in [removed, "  - graduated with it: Route v1 spec.timeout\n"] {
        assert!(human.contains(words), "{human}");
    }
}

/// No version of a bundle allows that, so none is named.
#[test]
fn a_version_that_is_stored_is_never_removed_at_once() {
    let project = Project::new();
    two(&project, Some(""));
    released(&project, "minor");
    let text = project.0.read("src/lib.rs");
    let text = text
        .replace("version = \"v1\"", "version = \"v2\"")
        .replace(", storage = false", "");
    project.0.write(
        "src/lib.rs",
        text.replace("version = \"v2\"", "version = \"v2\", storage = false"),
    );
    project.commit_generated();
    for version in ["minor", "major"] {
        let refused = project.release(version).with_code(1).stderr;
        assert!(
            refused.contains(
                "`v1` of `Route` was removed, but it is the storage version since v0.1.0"
            ),
            "{refused}"
        );
        let removed = refused
            .split("error")
            .find(|error| error.contains("version removed"));
        assert!(version == "major" || removed.is_some(), "{refused}");
        let told = "make another version the storage version, and remove it later";
        if let Some(removed) = removed {
            assert!(removed.contains(told), "{refused}");
            for circle in ["the lowest version", "waiver"] {
                assert!(!removed.contains(circle), "{refused}");
            }
        }
    }
}
