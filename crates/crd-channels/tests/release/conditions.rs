//! Declared conditions through bundles: what an edit needs, and the good life of a deprecated one.

use super::Project;
use super::support::Workspace;

/// A kind whose status has conditions, which `CONDITIONS` declares with reasons from `REASONS`.
const KIND: &str = r#"
//- .gitignore
/target
//- channels/features.toml
[Mesh]
summary = "Routes in a mesh."
//- src/lib.rs
use crd_channels_derive::{ApiType, Conditions, Reasons};
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where requests go.
#[derive(ApiType, Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "example.com", version = "v1beta1", kind = "Route", namespaced, status = "RouteStatus")]
pub struct RouteSpec {
    /// The host.
    #[schemars(length(max = 20))]
    pub host: String,
    /// So long.
    #[experimental(feature = "Mesh")]
    pub timeout: Option<String>,
}

/// What became of it.
#[derive(ApiType, Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub struct RouteStatus {
    /// The state.
    #[crd(conditions = RouteCondition)]
    pub conditions: Option<Vec<State>>,
}

/// A condition.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct State {
    /// The type.
    pub r#type: String,
    /// The status.
    pub status: String,
    /// The reason.
    pub reason: String,
    /// The message.
    pub message: String,
    /// The time of the last change.
    pub last_transition_time: String,
    /// The generation that it is about.
    #[schemars(range(min = 0))]
    pub observed_generation: Option<i64>,
}

CONDITIONS
/// Why a route is accepted.
#[derive(Reasons)]
pub enum Why {
REASONS}
"#;

const REASONS: &str = "    /// It is accepted.
    #[reason(True)]
    Accepted,
    /// No backend exists.
    #[reason(False)]
    NoResources,
";

const ACCEPTED: &str =
    "    /// It is valid enough.\n    #[condition(positive)]\n    Accepted(Why),\n";
const PROGRAMMED: &str = "    /// It was sent.\n    #[condition(positive)]\n    Programmed(Why),\n";
const SCHEDULED: &str = "    /// What was called so.
    #[condition(positive, replaced_by = \"Accepted\", until = \"v0.3.0\")]
    Scheduled(Why),
";

/// The enum with some variants, after some attributes.
fn conditions(attributes: &str, variants: &[&str]) -> String {
    format!(
        "/// The conditions of a route.\n#[derive(Conditions)]\n{attributes}pub enum RouteCondition {{\n{}}}\n",
        variants.concat()
    )
}

fn source(conditions: &str, reasons: &str) -> String {
    KIND.replace("CONDITIONS", conditions)
        .replace("REASONS", reasons)
}

/// The project with v0.1.0: `Accepted`, `Programmed`, and `Scheduled`, which goes in v0.3.0.
fn project() -> Project {
    let all = conditions("", &[ACCEPTED, PROGRAMMED, SCHEDULED]);
    let project = Project(Workspace::new(&source(&all, REASONS)));
    project.0.edit("Cargo.toml", "0.1.0", "0.1.0-dev");
    project.git(&["init", "--quiet"]);
    project.commit_generated();
    project.publish("minor", "v0.1.0");
    project
}

fn write(project: &Project, conditions: &str, reasons: &str) {
    let whole = source(conditions, reasons);
    let (_, text) = whole.split_once("//- src/lib.rs\n").unwrap();
    project.0.write("src/lib.rs", text);
    project.0.generate();
    project.commit();
}

fn dry(project: &Project, bundle: &str) -> (i32, String) {
    let ran = project.0.run(&["release", bundle, "--dry-run"]);
    (ran.code.unwrap(), format!("{}{}", ran.stdout, ran.stderr))
}

/// The lines of `diff` about conditions.
fn changes(project: &Project, old: &str) -> String {
    let ran = project.0.run(&["diff", old, "."]).with_code(0);
    let lines = ran
        .stdout
        .lines()
        .filter(|line| line.contains("[condition"));
    lines.map(|line| format!("{}\n", line.trim())).collect()
}

#[test]
fn a_contract_is_not_changed_in_a_patch() {
    let project = project();
    let whole = [ACCEPTED, PROGRAMMED, SCHEDULED];
    let stone = |name: &str| {
        format!(
            "#[tombstone(name = \"{name}\", removed = \"v0.2.0\", reason = \"nobody reads it\")]\n"
        )
    };
    let turned = REASONS.replace("#[reason(False)]", "#[reason(Unknown)]");
    let (first, _) = REASONS.split_once("    /// No backend").unwrap();
    let more = format!("{REASONS}    /// Not yet.\n    #[reason(Unknown)]\n    Pending,\n");
    let approved = ACCEPTED.replace("Accepted(", "Approved(");
    let of_approved = SCHEDULED.replace("\"Accepted\"", "\"Approved\"");
    let rejected = approved
        .replace("positive", "negative")
        .replace("Approved", "Rejected");
    let of_rejected = SCHEDULED.replace("\"Accepted\"", "\"Rejected\"");
    let negative = PROGRAMMED.replace("positive", "negative");
    let optional = PROGRAMMED.replace("positive", "positive, optional");
    let earlier = SCHEDULED.replace("v0.3.0", "v0.2.0");
    let later = SCHEDULED.replace("v0.3.0", "v0.4.0");
    let kept = "    /// What was called so.\n    #[condition(positive)]\n    Scheduled(Why),\n";
    let ready = "    /// It is up.\n    #[condition(positive)]\n    Ready(Why),\n";
    let tried = ready.replace(
        "    #[condition",
        "    #[experimental(feature = \"Mesh\")]\n    #[condition",
    );
    let plain = |variants: &[&str]| conditions("", variants);
    // The edit; its reasons; the rule; whether a minor may carry it.
    let cases: [(String, &str, &str, bool); 15] = [
        (
            conditions(&stone("Programmed"), &[ACCEPTED, SCHEDULED]),
            REASONS,
            "condition-type-removed",
            false,
        ),
        (
            conditions(&stone("Accepted"), &[&approved, PROGRAMMED, &of_approved]),
            REASONS,
            "condition-type-renamed",
            false,
        ),
        (
            conditions(&stone("Accepted"), &[&rejected, PROGRAMMED, &of_rejected]),
            REASONS,
            "condition-type-removed",
            false,
        ),
        (
            plain(&[ACCEPTED, &negative, SCHEDULED]),
            REASONS,
            "condition-polarity-changed",
            false,
        ),
        (
            plain(&[ACCEPTED, &optional, SCHEDULED]),
            REASONS,
            "condition-became-optional",
            false,
        ),
        (
            conditions(&stone("Scheduled"), &[ACCEPTED, PROGRAMMED]),
            REASONS,
            "condition-type-removed",
            false,
        ),
        (
            plain(&[ACCEPTED, PROGRAMMED, &earlier]),
            REASONS,
            "condition-end-changed",
            false,
        ),
        (
            plain(&[ACCEPTED, PROGRAMMED, &later]),
            REASONS,
            "condition-end-changed",
            true,
        ),
        (
            plain(&[ACCEPTED, PROGRAMMED, kept]),
            REASONS,
            "condition-deprecated",
            true,
        ),
        (
            plain(&[ACCEPTED, PROGRAMMED, SCHEDULED, ready]),
            REASONS,
            "condition-type-straight-to-stable",
            false,
        ),
        (
            plain(&[ACCEPTED, PROGRAMMED, SCHEDULED, &tried]),
            REASONS,
            "condition-type-added",
            true,
        ),
        (plain(&whole), first, "condition-reason-removed", false),
        (
            plain(&whole),
            &turned,
            "condition-reason-status-changed",
            false,
        ),
        (
            plain(&whole),
            &more,
            "condition-reason-straight-to-stable",
            false,
        ),
        (plain(&whole), REASONS, "", true),
    ];
    for (conditions, reasons, rule, in_minor) in cases {
        write(&project, &conditions, reasons);
        let told = changes(&project, "v0.1.0");
        assert_eq!(
            told.contains(&format!("[{rule}]")),
            !rule.is_empty(),
            "{rule}:\n{told}"
        );
        let (patch, said) = dry(&project, "patch");
        assert_eq!(patch, i32::from(!rule.is_empty()), "{rule}:\n{said}");
        let (minor, said) = dry(&project, "minor");
        assert_eq!(minor == 0, in_minor, "{rule}:\n{said}");
        assert!(
            in_minor || said.contains(rule) || said.contains("tombstone-missing"),
            "{rule}:\n{said}"
        );
    }
    // Texts are not part of the contract.
    write(
        &project,
        &plain(&whole).replace("It was sent", "It was sent off"),
        REASONS,
    );
    assert_eq!(dry(&project, "patch").0, 0);
}

#[test]
fn a_condition_is_deprecated_and_goes_with_a_tombstone() {
    let project = project();
    let manifest = project.manifest("v0.1.0");
    let types = &manifest["channels"][0]["conditions"][0]["types"];
    assert_eq!(types[2]["name"], "Scheduled");
    assert_eq!(types[2]["until"], "v0.3.0");
    // A patch as the end is refused where it is written.
    let patch = PROGRAMMED.replace(
        "positive",
        "positive, replaced_by = \"Accepted\", until = \"v0.2.1\"",
    );
    let whole = source(&conditions("", &[ACCEPTED, &patch, SCHEDULED]), REASONS);
    project.0.write(
        "src/lib.rs",
        whole.split_once("//- src/lib.rs\n").unwrap().1,
    );
    let refused = project.0.run(&["gen-crds"]).with_code(1).stderr;
    assert!(
        refused.contains(
            "`v0.2.1` is a patch or a pre-release: conditions go in minor and major bundles"
        ),
        "{refused}"
    );
    assert!(refused.contains("write `until = \"v0.3.0\"`"), "{refused}");
    let deprecated = patch.replace("v0.2.1", "v0.3.0");
    write(
        &project,
        &conditions("", &[ACCEPTED, &deprecated, SCHEDULED]),
        REASONS,
    );
    assert_eq!(dry(&project, "patch").0, 1);
    project.publish("minor", "v0.2.0");
    let notes = project.0.read("channels/CHANGELOG.md");
    let line = "### Deprecated\n\n- Route `status.conditions[Programmed]`: condition deprecated, replaced by `Accepted`, removed in v0.3.0 (v1beta1)";
    assert!(notes.contains(line), "{notes}");
    // Without tombstones the removal is refused, with the text to paste.
    write(&project, &conditions("", &[ACCEPTED]), REASONS);
    let (code, said) = dry(&project, "minor");
    assert_eq!(code, 1, "{said}");
    let mut stones = String::new();
    for name in ["Programmed", "Scheduled"] {
        assert!(
            said.contains(&format!("`{name}` was removed without a tombstone")),
            "{said}"
        );
        let stone = format!("#[tombstone(name = \"{name}\", removed = \"v0.3.0\", reason = \"\")]");
        assert!(said.contains(&stone), "{said}");
        assert!(
            said.contains("below the derives of `RouteCondition`"),
            "{said}"
        );
        stones.push_str(&format!("{}\n", stone.replace("\"\"", "\"replaced\"")));
    }
    // The same if the field no longer names its enum.
    project.edit("    #[crd(conditions = RouteCondition)]\n", "");
    project.0.generate();
    project.commit();
    let (_, said) = dry(&project, "minor");
    let words = "restore `#[crd(conditions = ..)]` on the field of `status.conditions`";
    assert!(said.contains(words), "{said}");
    assert!(!said.contains("not in this workspace"), "{said}");
    write(&project, &conditions(&stones, &[ACCEPTED]), REASONS);
    assert_eq!(dry(&project, "patch").0, 1);
    project.publish("minor", "v0.3.0");
    let notes = project.0.read("channels/CHANGELOG.md");
    let line = "- Route `status.conditions[Programmed]`: deprecated condition removed, replaced by `Accepted` (v1beta1)";
    assert!(notes.contains(line), "{notes}");
    // A name that is gone stays gone.
    let whole = source(&conditions(&stones, &[ACCEPTED, PROGRAMMED]), REASONS);
    project.0.write(
        "src/lib.rs",
        whole.split_once("//- src/lib.rs\n").unwrap().1,
    );
    let refused = project.0.run(&["gen-crds"]).with_code(1).stderr;
    assert!(refused.contains("tombstone-in-use"), "{refused}");
    write(&project, &conditions("", &[ACCEPTED, PROGRAMMED]), REASONS);
    let (_, said) = dry(&project, "minor");
    for found in ["tombstone-reused", "tombstone-erased"] {
        assert!(said.contains(found), "no {found}:\n{said}");
    }
    // Across both bundles it is what it was step by step.
    let told = changes(&project, "v0.1.0");
    assert!(!told.contains("promised"), "{told}");
}

/// The conditions of an experimental status are published with it, and are no changes of their own.
#[test]
fn conditions_come_with_their_status() {
    let all = conditions("", &[ACCEPTED, PROGRAMMED]);
    let kube = "status = \"RouteStatus\")]";
    let gated = source(&all, REASONS).replace(
        kube,
        &format!("{kube}\n#[experimental(feature = \"Mesh\", kube(status))]"),
    );
    let project = Project(Workspace::new(&gated));
    project.0.edit("Cargo.toml", "0.1.0", "0.1.0-dev");
    project.git(&["init", "--quiet"]);
    project.commit_generated();
    project.publish("minor", "v0.1.0");
    let declared = |bundle: &str| {
        let channels = project.manifest(bundle)["channels"].clone();
        let channels = channels.as_array().unwrap().iter();
        let counts = channels.map(|channel| channel["conditions"].as_array().map_or(0, Vec::len));
        counts.collect::<Vec<_>>()
    };
    assert_eq!(declared("v0.1.0"), [0, 1]);
    project.0.run(&["graduate", "Mesh"]).with_code(0);
    project.commit_generated();
    assert_eq!(changes(&project, "v0.1.0"), "");
    project.publish("minor", "v0.2.0");
    assert_eq!(declared("v0.2.0"), [1, 1]);
}
