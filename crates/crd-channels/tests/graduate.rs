//! `features` and `graduate` from end to end. After a graduation, the source defines what a channel with the feature had
//! before.

use crate::support::Workspace;
use proptest::prelude::*;
use serde_json::Value;
use std::collections::BTreeMap;

const FEATURES: &str = "//- channels/features.toml\n# What is tried.\n\n# Time matters.\n[Timeouts]\nsummary = \"How long a request may take.\"\nsince = \"v0.1.0\"\n\n[Paths]\nsummary = \"Routes compare paths.\"\nowner = \"the routers\"\n\n[Other]\nsummary = \"Something else.\"\n";

const HEAD: &str = "use crd_channels_derive::ApiType;\nuse kube::{CustomResource, KubeSchema};\nuse schemars::JsonSchema;\nuse serde::{Deserialize, Serialize};\n";

/// A kind with these fields, and an enum of path types.
fn workspace(fields: &str) -> Workspace {
    Workspace::new(&format!(
        "{FEATURES}//- src/lib.rs\n{HEAD}
/// Where requests go.
#[derive(ApiType, Clone, CustomResource, Debug, Deserialize, KubeSchema, Serialize)]
#[kube(group = \"example.com\", version = \"v1\", kind = \"Route\", namespaced)]
pub struct RouteSpec {{
    /// The host.
    pub host: String,
{fields}}}

/// How paths are compared.
#[derive(ApiType, Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub enum PathType {{
    Exact,
    #[experimental(feature = \"Paths\")]
    Regex,
    #[experimental(feature = \"Other\")]
    Other,
}}
"
    ))
}

const TIMEOUT: &str = "    /// So long.
    #[experimental(feature = \"Timeouts\")]
    pub timeout: Option<String>,
    pub path: Option<PathType>,
";

/// Returns the files of a channel with only some features, without the name of the channel.
fn with(workspace: &Workspace, features: &[&str]) -> BTreeMap<String, String> {
    let list = features.iter().map(|name| format!("\"{name}\""));
    let list = list.collect::<Vec<_>>().join(", ");
    workspace.write(
        "channels/tried.toml",
        format!("features = [{list}]\nannotation = \"tried\"\n"),
    );
    let ran = workspace.run(&["gen-crds", "--channel", "tried", "--output", "tried"]);
    std::fs::remove_file(workspace.path("channels/tried.toml")).unwrap();
    ran.with_code(0);
    let files = workspace.files("tried/tried").into_iter();
    let files = files.map(|(path, bytes)| (path, String::from_utf8(bytes).unwrap()));
    files.collect()
}

#[test]
fn a_feature_becomes_stable_in_the_source() {
    let workspace = workspace(TIMEOUT);
    workspace.write(
        "channels/preview.toml",
        "features = [\"Timeouts\", \"Paths\"] # some\n",
    );
    let before = with(&workspace, &["Timeouts"]);
    let source = workspace.read("src/lib.rs");
    let all = workspace.files("");
    let dry = workspace.run(&["graduate", "Timeouts", "--dry-run"]);
    let dry = dry.with_code(0).stdout;
    for expected in [
        "-    #[experimental(feature = \"Timeouts\")]\n",
        "-[Timeouts]\n",
        "+features = [\"Paths\"] # some\n",
        "minor[property-graduated]: v1 spec.timeout",
    ] {
        assert!(dry.contains(expected), "`{expected}` in\n{dry}");
    }
    let mut now = workspace.files("");
    now.retain(|path, _| !path.starts_with("target/"));
    assert!(now.iter().all(|(path, bytes)| all.get(path) == Some(bytes)));

    let ran = workspace.run(&["graduate", "Timeouts"]).with_code(0);
    assert!(
        ran.stdout.contains("changed src/lib.rs\n"),
        "{}",
        ran.stdout
    );
    assert!(ran.stderr.contains("help: run `"), "{}", ran.stderr);
    assert_eq!(
        workspace.read("src/lib.rs"),
        source.replace("    #[experimental(feature = \"Timeouts\")]\n", "")
    );
    assert_eq!(
        workspace.read("channels/features.toml"),
        "# What is tried.\n\n[Paths]\nsummary = \"Routes compare paths.\"\nowner = \"the routers\"\n\n[Other]\nsummary = \"Something else.\"\n"
    );
    assert_eq!(with(&workspace, &[]), before);
}

#[test]
fn generated_files_follow_the_source() {
    let workspace = workspace(TIMEOUT);
    workspace.generate();
    let before = workspace.generated();
    let dry = workspace.run(&["graduate", "Timeouts", "--dry-run"]);
    let expected = "would change generated/stable/example.com_routes.yaml\n";
    assert!(dry.with_code(0).stdout.contains(expected));
    assert!(workspace.generated() == before);
    let ran = workspace.run(&["graduate", "Timeouts"]).with_code(0);
    assert!(
        ran.stdout
            .contains("changed generated/stable/example.com_routes.yaml\n"),
        "{}",
        ran.stdout
    );
    assert!(!ran.stderr.contains("help: run"), "{}", ran.stderr);
    workspace.run(&["gen-crds", "--check"]).with_code(0);
    let stable = workspace.read("generated/stable/example.com_routes.yaml");
    assert!(stable.contains("timeout:"), "{stable}");
}

#[test]
fn features_are_listed_with_what_they_gate() {
    let workspace = workspace(TIMEOUT);
    workspace.edit(
        "src/lib.rs",
        "    /// The host.\n",
        "    /// The host.\n    #[experimental(schemars(length(max = 8)))]\n",
    );
    let listed = workspace
        .run(&["features", "--format", "json"])
        .with_code(0);
    let listed: Value = serde_json::from_str(&listed.stdout).unwrap();
    let features = listed["features"].as_array().unwrap();
    let rows: Vec<_> = features
        .iter()
        .map(|feature| {
            let gate = &feature["gates"][0];
            let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
            (
                text(&feature["name"]),
                text(&feature["stage"]),
                text(&feature["since"]),
                format!(
                    "{} {} {} {}",
                    text(&gate["what"]),
                    text(&gate["kind"]),
                    text(&gate["field"]),
                    text(&gate["detail"])
                ),
                feature["mayGraduate"].as_bool().unwrap(),
            )
        })
        .collect();
    let row = |name: &str, since: &str, gate: &str, may| {
        let own = str::to_owned;
        (own(name), own("experimental"), own(since), own(gate), may)
    };
    assert_eq!(
        rows,
        [
            row("Other", "-", "value Route spec.path Other", true),
            row("Paths", "-", "value Route spec.path Regex", true),
            row("Timeouts", "v0.1.0", "field Route spec.timeout ", true),
            row("unnamed", "-", "validation Route spec.host ", false),
        ]
    );
    let reason = &features[3]["reasons"][0];
    assert_eq!(reason["code"], "limit-tightened", "{reason}");
    let human = workspace.run(&["features"]).with_code(0).stdout;
    assert!(
        human.contains("  - field Route v1 spec.timeout (src/lib.rs:14)\n  may graduate: there is no bundle yet"),
        "{human}"
    );
    assert!(human.contains("4 features, 3 may graduate"), "{human}");
}

#[test]
fn graduation_that_tightens_or_removes_is_rejected() {
    let check = |fields: &str, feature: &str, expected: &str| {
        let workspace = workspace(fields);
        let before = workspace.read("src/lib.rs");
        let ran = workspace.run(&["graduate", feature]).with_code(1);
        assert!(
            ran.stderr.contains("error[graduation-refused]"),
            "{}",
            ran.stderr
        );
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
        assert_eq!(workspace.read("src/lib.rs"), before);
    };
    let path = "    pub path: Option<PathType>,\n";
    check(
        &format!(
            "{path}    #[experimental(feature = \"Timeouts\", schemars(length(max = 8)))]\n    pub timeout: Option<String>,\n"
        ),
        "Timeouts",
        "[limit-tightened] Route v1 `spec.timeout`",
    );
    check(
        &format!(
            "{path}    #[not_experimental(feature = \"Timeouts\")]\n    pub timeout: Option<String>,\n"
        ),
        "Timeouts",
        "[property-removed] Route v1 `spec.timeout`",
    );
    check(path, "Timeouts", "it gates nothing");
}

#[test]
fn source_that_cannot_be_edited_is_reported_and_unchanged() {
    let check = |fields: &str, feature: &str, code: i32, expected: &str| {
        let workspace = workspace(fields);
        let before = workspace.files("src");
        let ran = workspace.run(&["graduate", feature]).with_code(code);
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
        assert_eq!(workspace.files("src"), before);
    };
    check(
        TIMEOUT,
        "Timeout",
        2,
        "error[unknown-feature]: unknown feature `Timeout`",
    );
    check(TIMEOUT, "Timeout", 2, "did you mean `Timeouts`?");
    // The order of their attributes decides which of two features takes precedence.
    check(
        "    pub path: Option<PathType>,\n    #[schemars(length(max = 1))]\n    #[experimental(feature = \"Other\", schemars(length(max = 2)))]\n    #[experimental(feature = \"Timeouts\", schemars(length(max = 3)))]\n    pub timeout: Option<String>,\n",
        "Timeouts",
        1,
        "error[edit-unclear]",
    );
    let workspace = workspace(TIMEOUT);
    workspace.edit(
        "channels/features.toml",
        "[Timeouts]\nsummary = \"How long a request may take.\"\nsince = \"v0.1.0\"",
        "[Unused]\nsummary = \"u\"",
    );
    workspace.write(
        "channels/features.toml",
        format!(
            "Timeouts = {{ summary = \"t\" }}\n{}",
            workspace.read("channels/features.toml")
        ),
    );
    let ran = workspace.run(&["graduate", "Timeouts"]).with_code(1);
    assert!(
        ran.stderr
            .contains("`Timeouts` cannot be removed from `channels/features.toml` automatically"),
        "{}",
        ran.stderr
    );
}

/// Releases the current types.
fn release(workspace: &Workspace, version: &str, features: &[&str]) {
    workspace.edit(
        "Cargo.toml",
        "version = \"0.1.0\"",
        &format!("version = \"{}\"", &version[1..]),
    );
    workspace.generate();
    let files = |channel: &str| {
        let files = workspace.files(&format!("generated/{channel}")).into_iter();
        let crds = files.filter(|(path, _)| path != "kustomization.yaml");
        crds.map(|(path, bytes)| (format!("crds/{path}"), String::from_utf8(bytes).unwrap()))
            .collect()
    };
    let channels = [
        ("stable", &[][..], files("stable")),
        ("experimental", features, files("experimental")),
    ];
    crate::bundle::release(&workspace.path("channels"), version, features, &channels);
}

#[test]
fn released_bundles_decide_what_may_graduate() {
    let first = TIMEOUT.replace("Timeouts", "Other");
    let workspace = workspace(&first);
    release(&workspace, "v0.1.0", &["Other", "Paths"]);
    workspace.edit(
        "Cargo.toml",
        "version = \"0.1.0\"",
        "version = \"0.2.0-dev\"",
    );
    // Not tried in any bundle yet.
    workspace.edit(
        "src/lib.rs",
        "    pub path: Option<PathType>,\n",
        "    pub path: Option<PathType>,\n    #[experimental(feature = \"Timeouts\")]\n    #[schemars(length(max = 9))]\n    pub idle: Option<String>,\n",
    );
    let ran = workspace.run(&["graduate", "Timeouts"]).with_code(1);
    let expected = "[property-straight-to-stable] Route v1 `spec.idle` (stable) against v0.1.0: property added";
    assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    for text in [
        "|     pub idle: Option<String>,\n",
        "help: release it as `#[experimental]` first, and graduate it in a later bundle",
        "path = \"spec.idle\"\n",
        "bundle = \"v0.2.0\"\n",
    ] {
        assert!(ran.stderr.contains(text), "no {text} in {}", ran.stderr);
    }
    // Tried, and stricter since.
    workspace.edit(
        "src/lib.rs",
        "    pub timeout: Option<String>",
        "    #[schemars(length(max = 9))]\n    pub timeout: Option<String>",
    );
    let ran = workspace.run(&["graduate", "Other"]).with_code(1);
    assert!(
        ran.stderr
            .contains("[property-graduated] Route v1 `spec.timeout`"),
        "{}",
        ran.stderr
    );
    let listed = workspace
        .run(&["features", "--format", "json"])
        .with_code(0);
    let listed: Value = serde_json::from_str(&listed.stdout).unwrap();
    let rows = listed["features"]
        .as_array()
        .unwrap()
        .iter()
        .map(|feature| {
            let may = feature["mayGraduate"].as_bool().unwrap();
            (
                feature["name"].to_string(),
                feature["since"].to_string(),
                may,
            )
        });
    let row = |name: &str, since: &str, may| (format!("\"{name}\""), format!("\"{since}\""), may);
    assert_eq!(
        rows.collect::<Vec<_>>(),
        [
            row("Other", "v0.1.0", false),
            row("Paths", "v0.1.0", true),
            // Only declared.
            row("Timeouts", "v0.1.0", false),
        ]
    );
    // A person may waive it.
    workspace.write(
        "channels/waivers.toml",
        "[[waiver]]\nkind = \"Route\"\npath = \"spec.idle\"\nbundle = \"v0.2.0\"\nreason = \"tried elsewhere\"\n",
    );
    workspace.run(&["graduate", "Timeouts"]).with_code(0);
    workspace.run(&["graduate", "Paths"]).with_code(0);
    // The bundle is a set like any other, even under its version.
    let ran = workspace
        .run(&["diff", "v0.1.0", ".", "--format", "json"])
        .with_code(0);
    assert!(
        ran.stdout.contains("\"enum-value-graduated\""),
        "{}",
        ran.stdout
    );
    // A modified bundle does not count.
    let path = "channels/v0.1.0/stable/crds/example.com_routes.yaml";
    workspace.edit(path, "The host", "A host");
    for arguments in [
        &["graduate", "Other"][..],
        &["features"],
        &["diff", "v0.1.0", "."],
    ] {
        let ran = workspace.run(arguments).with_code(1);
        assert!(
            ran.stderr.contains("error[bundle-tampered]"),
            "{}",
            ran.stderr
        );
    }
}

/// The attributes of one field: unconditional, with `Timeouts`, with another feature.
const MENU: [(&str, &str); 12] = [
    ("", "#[experimental(feature = \"F\")]"),
    (
        "#[schemars(length(max = 3))]",
        "#[experimental(feature = \"F\", schemars(length(max = 9)), doc = \"Longer.\")]",
    ),
    (
        "#[schemars(length(min = 2, max = 3))] // short",
        "#[experimental(\n        feature = \"F\",\n        schemars(length(min = 1, max = 4))\n    )]",
    ),
    (
        "#[schemars(length(equal = 3))]",
        "#[experimental(feature = \"F\", schemars(length(max = 5)))]",
    ),
    (
        "",
        "#[not_experimental(feature = \"F\", schemars(length(max = 3)))]\n    #[experimental(feature = \"F\", doc = \"Any length.\")]",
    ),
    (
        "#[schemars(extend(\"maxLength\" = 3))]",
        "#[experimental(feature = \"F\", schemars(extend(\"maxLength\" = 5)))]",
    ),
    (
        "#[x_kube(validation = \"self != 'a'\")]",
        "#[experimental(feature = \"F\", doc = \"One.\", doc = \"Two.\")]",
    ),
    (
        "",
        "#[not_experimental(feature = \"F\", x_kube(validation = \"self != 'b'\"))]",
    ),
    (
        "#[schemars(pattern(\"^a$\"))]",
        "#[experimental(feature = \"F\", schemars(regex(pattern = \"^[ab]$\")))]",
    ),
    (
        "#[schemars(regex(pattern = \"^a$\"), length(max = 7))]",
        "#[experimental(feature = \"F\", schemars(pattern(\"^a?$\"), length(max = 8)))]",
    ),
    ("", "#[cfg_attr(all(), experimental(feature = \"F\"))]"),
    (
        "#[validate(length(max = 3))]",
        "#[experimental(feature = \"F\", validate(length(max = 6)))]",
    ),
];

fn fields(choices: &[(usize, bool)]) -> String {
    let mut text = String::from("    pub path: Option<PathType>,\n");
    for (nth, (choice, own)) in choices.iter().enumerate() {
        let (always, gated) = MENU[*choice];
        let gated = gated.replace("\"F\"", if *own { "\"Timeouts\"" } else { "\"Other\"" });
        text.push_str(&format!("    /// Field {nth}.\n"));
        for line in [always, &gated] {
            if !line.is_empty() {
                text.push_str(&format!("    {line}\n"));
            }
        }
        text.push_str(&format!("    pub field_{nth}: Option<String>,\n"));
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn graduating_is_what_the_feature_was(choices in prop::collection::vec((0..MENU.len(), any::<bool>()), 1..7)) {
        let fields = fields(&choices);
        prop_assume!(fields.contains("\"Timeouts\""));
        let workspace = workspace(&fields);
        let alone = with(&workspace, &["Timeouts"]);
        let both = with(&workspace, &["Timeouts", "Other"]);
        workspace.run(&["graduate", "Timeouts"]).with_code(0);
        prop_assert_eq!(with(&workspace, &[]), alone);
        prop_assert_eq!(with(&workspace, &["Other"]), both);
    }
}
