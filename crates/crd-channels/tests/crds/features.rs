//! Features gate what only some channels have.

use super::{EXPERIMENTAL, Project, STANDARD, line};
use crate::support::Finding;
use serde_json::Value;

#[test]
fn features_gate_what_channels_differ_in() {
    let project = Project::new();
    let gates = |project: &Project| {
        let ran = project
            .0
            .run(&["features", "--format", "json"])
            .with_code(0);
        let told: Value = serde_json::from_str(&ran.stdout).unwrap();
        let mut all = Vec::new();
        for feature in told["features"].as_array().unwrap() {
            for gate in feature["gates"].as_array().unwrap() {
                let text = |key: &str| gate[key].as_str().unwrap_or_default().to_owned();
                let what = [text("field"), text("what"), text("detail")].join(" ");
                all.push(format!(
                    "{}: {}",
                    feature["name"].as_str().unwrap(),
                    what.trim_end()
                ));
            }
        }
        all.sort();
        all
    };
    assert_eq!(
        gates(&project),
        [
            "unnamed: . column by",
            "unnamed: spec rule !has(self.berths) || self.berths <= self.depth",
            "unnamed: spec.berths field",
            "unnamed: spec.quay value Steel",
        ]
    );
    project.0.write(
        "channels/features.toml",
        "[Berths]\nsummary = \"Ships lie side by side.\"\npaths = [\"Bay: spec.berths\", \"Bay v1: spec\"]\n\n\
         [Steel]\nsummary = \"Quays of steel.\"\npaths = [\"Bay.harbour.example.dev: spec.quay\"]\n",
    );
    assert_eq!(
        gates(&project),
        [
            "Berths: spec rule !has(self.berths) || self.berths <= self.depth",
            "Berths: spec.berths field",
            "Steel: spec.quay value Steel",
            "unnamed: . column by",
        ]
    );
    let first = |project: &Project| {
        let found = project.findings();
        (found[0].code.clone(), found[0].place.clone())
    };
    let at_line_3 = |code: &str| (code.into(), Some(("channels/features.toml".into(), 3)));
    // A place where the channels are alike, and a feature that is on where its places are not.
    project.0.edit(
        "channels/features.toml",
        "Bay v1: spec\"",
        "Bay v1: spec\", \"Bay: spec.depth\"",
    );
    assert_eq!(first(&project), at_line_3("unused-feature"));
    // A place of two features.
    project.0.edit(
        "channels/features.toml",
        "Bay: spec.depth",
        "Bay.harbour.example.dev: spec.quay",
    );
    assert_eq!(first(&project), at_line_3("config-invalid"));
    project.0.edit(
        "channels/features.toml",
        ", \"Bay.harbour.example.dev: spec.quay\"",
        "",
    );
    project.0.edit(
        "channels/stable.toml",
        "features = \"none\"",
        "features = [\"Steel\"]",
    );
    let found = project.findings();
    assert_eq!(found[0].code, "channels-differ");
    assert_eq!(
        found[0].place,
        Some((EXPERIMENTAL.into(), line(EXPERIMENTAL, "quay:", &project)))
    );
    assert!(
        found[0].message.contains("`spec.quay` of `Bay` v1"),
        "{}",
        found[0].message
    );
}

#[test]
fn channels_in_between_have_their_features() {
    let project = Project::new();
    let middle = project
        .0
        .read(EXPERIMENTAL)
        .replace("                - Steel\n", "");
    project.0.write("config/crd/beta/bays.yaml", middle);
    project.0.write(
        "channels/beta.toml",
        "crds = \"config/crd/beta\"\nfeatures = [\"Berths\"]\n",
    );
    project.0.write(
        "channels/features.toml",
        "[Berths]\nsummary = \"b\"\npaths = [\"Bay: spec.berths\"]\n",
    );
    let found = project.findings();
    let wrong: Vec<&Finding> = found
        .iter()
        .filter(|it| it.code == "channels-differ")
        .collect();
    // The rule and the short name are in beta too, and no feature says so.
    assert_eq!(wrong.len(), 2, "{found:?}");
    assert!(
        wrong
            .iter()
            .all(|it| it.help.as_ref().unwrap().contains("`paths = [")),
        "{wrong:?}"
    );
    project
        .0
        .edit("channels/features.toml", "\"Bay: spec.berths\"", "\"Bay\"");
    let found = project.findings();
    let wrong: Vec<&Finding> = found
        .iter()
        .filter(|it| it.code == "channels-differ")
        .collect();
    assert_eq!(wrong.len(), 1, "{found:?}");
    assert!(wrong[0].message.contains("`spec.quay`"), "{wrong:?}");
    project.0.edit(
        "channels/features.toml",
        "[Berths]",
        "[Steel]\nsummary = \"s\"\npaths = [\"Bay: spec.quay\"]\n\n[Berths]",
    );
    project.0.generate();
}

#[test]
fn names_and_scope_are_those_of_all_channels() {
    for (from, to, field) in [
        ("kind: Bay\n", "kind: Cove\n", "kind"),
        ("scope: Namespaced", "scope: Cluster", "scope"),
        ("singular: bay", "singular: cove", "singular"),
        ("listKind: BayList", "listKind: Bays", "listKind"),
    ] {
        let project = Project::new();
        project.0.edit(EXPERIMENTAL, from, to);
        let found = project.findings();
        let wrong = found.iter().find(|it| it.code == "channels-differ");
        let wrong = wrong.unwrap_or_else(|| panic!("{to}: {found:?}"));
        let place = Some((EXPERIMENTAL.into(), line(EXPERIMENTAL, to, &project)));
        assert_eq!(wrong.place, place, "{wrong:?}");
        assert!(
            wrong.message.starts_with(&format!("`{field}`")),
            "{wrong:?}"
        );
    }
}

#[test]
fn policies_for_descriptions_shorten_what_is_published() {
    let project = Project::new();
    let stable = project.0.read("channels/stable.toml");
    project.0.write(
        "channels/stable.toml",
        format!("{stable}\n[descriptions]\npolicy = \"none\"\n"),
    );
    project.0.generate();
    let file = "generated/stable/harbour.example.dev_bays.yaml";
    assert!(!project.0.read(file).contains("In metres"));
    assert!(
        project
            .0
            .read(&file.replace("stable", "experimental"))
            .contains("In metres")
    );
}

#[test]
fn only_a_feature_adds_to_a_channel() {
    // What stable alone has is in no channel with the feature.
    let project = Project::new();
    let ramp = "              ramp:\n                type: boolean\n              shelter:\n";
    project.0.edit(STANDARD, "              shelter:\n", ramp);
    let found = project.findings();
    let wrong = found
        .iter()
        .find(|it| it.code == "channels-differ")
        .unwrap();
    assert!(wrong.message.contains("`spec.ramp`"), "{wrong:?}");
    let place = (STANDARD.into(), line(STANDARD, "ramp:", &project));
    assert_eq!(wrong.place, Some(place));
    // So folders cannot be exchanged.
    let project = Project::new();
    let (stable, experimental) = (project.0.read(STANDARD), project.0.read(EXPERIMENTAL));
    project.0.write(STANDARD, experimental);
    project.0.write(EXPERIMENTAL, stable);
    let found = project.findings();
    assert!(found.iter().any(|it| it.code == "channels-differ"));
    // A bound may be looser there.
    let project = Project::new();
    project
        .0
        .edit(EXPERIMENTAL, "maxLength: 40", "maxLength: 80");
    project.0.generate();
}

#[test]
fn the_status_is_gated_too() {
    let project = Project::new();
    let status = "    subresources:\n      status: {}\n";
    project.0.edit(STANDARD, status, "");
    project.0.generate();
    let told = project.0.run(&["features"]).with_code(0).stdout;
    assert!(told.contains("subresource"), "{told}");
}

#[test]
fn one_kind_has_one_plural() {
    let project = Project::new();
    let text = project.0.read(EXPERIMENTAL);
    project.0.write(EXPERIMENTAL, text.replace("bays", "bayes"));
    let found = project.findings();
    assert_eq!(found[0].code, "channels-differ", "{found:?}");
    let message = &found[0].message;
    assert!(message.contains("both the CRD of `Bay`"), "{message}");
}
