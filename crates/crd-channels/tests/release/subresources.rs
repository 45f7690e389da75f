//! The life of experimental subresources: released, graduated or removed, each in a minor bundle without a waiver.

use super::Project;
use serde_json::{Value, json};

/// A kind with these lines above it.
fn source(attributes: &str) -> String {
    format!(
        "use crd_channels_derive::ApiType;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{{Deserialize, Serialize}};

/// Where requests go.
#[derive(ApiType, Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
{attributes}
pub struct RouteSpec {{
    /// How many.
    #[schemars(range(min = 0))]
    pub replicas: i32,
    /// So long.
    #[experimental(feature = \"Timeouts\")]
    pub timeout: Option<String>,
}}

/// What is there.
#[derive(ApiType, Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub struct RouteStatus {{
    /// How many.
    pub replicas: i32,
}}
"
    )
}

const PLAIN: &str =
    "#[kube(group = \"example.com\", version = \"v1\", kind = \"Route\", namespaced)]";
const STATUS: &str = "#[kube(group = \"example.com\", version = \"v1\", kind = \"Route\", namespaced, status = \"RouteStatus\")]";
const SCALE: &str =
    "scale(spec_replicas_path = \".spec.replicas\", status_replicas_path = \".status.replicas\")";

/// Puts these keys of `kube(..)` under a new feature.
fn gate(project: &Project, keys: &str) {
    project.0.edit(
        "channels/features.toml",
        "[Timeouts]",
        "[Scaling]\nsummary = \"Autoscalers change the number.\"\n\n[Timeouts]",
    );
    let gated = format!("{STATUS}\n#[experimental(feature = \"Scaling\", kube({keys}))]");
    project.0.write("src/lib.rs", source(&gated));
    project.commit_generated();
}

/// A kind with these attributes, released as v0.1.0.
fn released(attributes: &str) -> Project {
    let project = Project::new();
    project.0.write("src/lib.rs", source(attributes));
    project.commit_generated();
    project.publish("minor", "v0.1.0");
    project
}

/// The subresources of a bundle's CRD, and whether the schema has a status.
fn subresources(project: &Project, bundle: &str, channel: &str) -> (Value, bool) {
    let path = format!("channels/{bundle}/{channel}/crds/example.com_routes.yaml");
    let crd: Value = serde_saphyr::from_str(&project.0.read(&path)).unwrap();
    let version = &crd["spec"]["versions"][0];
    let properties = &version["schema"]["openAPIV3Schema"]["properties"];
    (
        version["subresources"].clone(),
        !properties["status"].is_null(),
    )
}

fn both() -> (Value, bool) {
    let scale =
        json!({ "specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas" });
    (json!({ "status": {}, "scale": scale }), true)
}

const NONE: (Value, bool) = (Value::Null, false);

#[test]
fn they_are_experimental_before_they_are_stable() {
    let project = released(PLAIN);
    let stable = STATUS.replace(")]", &format!(", {SCALE})]"));
    project.0.write("src/lib.rs", source(&stable));
    project.commit_generated();
    let refused = project.release("minor").with_code(1).stderr;
    for expected in [
        "(property-straight-to-stable): not allowed in any bundle",
        "release it as `#[experimental(kube(status))]` first",
        "(scale-straight-to-stable): not allowed in any bundle",
        "release it as `#[experimental(kube(scale(..)))]` first",
    ] {
        assert!(refused.contains(expected), "`{expected}` in\n{refused}");
    }
    assert!(!refused.contains("status-added"), "{refused}");

    gate(&project, &format!("status, {SCALE}"));
    project.release("patch").with_code(1);
    project.publish("minor", "v0.2.0");
    assert_eq!(subresources(&project, "v0.2.0", "stable"), NONE);
    assert_eq!(subresources(&project, "v0.2.0", "experimental"), both());
    let manifest = project.manifest("v0.2.0");
    let features = manifest["features"].as_array().unwrap();
    let scaling = features
        .iter()
        .find(|feature| feature["name"] == "Scaling")
        .unwrap();
    let gates = scaling["gates"].as_array().unwrap().iter();
    let gates: Vec<String> = gates
        .map(|gate| format!("{} {} {}", gate["what"], gate["path"], gate["detail"]))
        .collect();
    assert_eq!(
        gates,
        [
            "\"subresource\" \".\" \"scale\"",
            "\"field\" \"status\" \"\""
        ]
    );
    let log = project.0.read("channels/CHANGELOG.md");
    for line in [
        "- Route `status`: experimental property added (v1)",
        "- Route `spec.versions[v1].subresources.scale`: scale subresource added (v1)",
    ] {
        assert!(log.contains(line), "`{line}` in\n{log}");
    }

    project.0.run(&["graduate", "Scaling"]).with_code(0);
    assert_eq!(project.0.read("src/lib.rs"), source(&stable));
    project.commit_generated();
    project.release("patch").with_code(1);
    project.publish("minor", "v0.3.0");
    assert_eq!(subresources(&project, "v0.3.0", "stable"), both());
    let log = project.0.read("channels/CHANGELOG.md");
    let (entry, _) = log.split_once("## v0.2.0").unwrap();
    for line in [
        "- Route `status`: graduated to stable (v1)",
        "- Route `spec.versions[v1].subresources.scale`: scale subresource graduated to stable (v1)",
    ] {
        assert!(entry.contains(line), "`{line}` in\n{entry}");
    }
}

#[test]
fn they_may_be_removed_again() {
    let project = released(PLAIN);
    gate(&project, &format!("status, {SCALE}"));
    project.publish("minor", "v0.2.0");
    let ran = project
        .0
        .run(&["remove", "Scaling", "--reason", "nobody used it"])
        .with_code(0);
    let unused = "no kind uses `RouteStatus` any longer";
    assert!(ran.stdout.contains(unused), "{}", ran.stdout);
    assert_eq!(project.0.read("src/lib.rs"), source(PLAIN));
    project.commit_generated();
    project.release("patch").with_code(1);
    project.publish("minor", "v0.3.0");
    assert_eq!(subresources(&project, "v0.3.0", "experimental"), NONE);
}

/// A kind that promises nothing yet may have them at once.
#[test]
fn alpha_kinds_have_them_at_once() {
    let project = Project::new();
    let alpha = |attribute: &str| source(&attribute.replace("\"v1\"", "\"v1alpha1\""));
    project.0.write("src/lib.rs", alpha(PLAIN));
    project.commit_generated();
    project.publish("minor", "v0.1.0");
    let stable = STATUS.replace(")]", &format!(", {SCALE})]"));
    project.0.write("src/lib.rs", alpha(&stable));
    project.commit_generated();
    project.release("patch").with_code(1);
    project.publish("minor", "v0.2.0");
    assert_eq!(subresources(&project, "v0.2.0", "stable"), both());
}

#[test]
fn features_show_what_became_of_them() {
    for (end, fate) in [
        (&["graduate", "Scaling"][..], "graduated"),
        (
            &["remove", "Scaling", "--reason", "nobody used it"],
            "removed",
        ),
    ] {
        let project = released(STATUS);
        gate(&project, SCALE);
        project.publish("minor", "v0.2.0");
        let shown = project.0.run(&["features"]).with_code(0).stdout;
        assert!(shown.contains("subresource Route v1 `scale`"), "{shown}");
        project.0.run(end).with_code(0);
        for expected in ["not released yet", "in v0.3.0"] {
            let shown = project.0.run(&["features"]).with_code(0).stdout;
            let line = format!("Scaling ({fate}, {expected})");
            assert!(shown.contains(&line), "`{line}` in\n{shown}");
            if expected == "not released yet" {
                project.commit_generated();
                project.publish("minor", "v0.3.0");
            }
        }
    }
}
