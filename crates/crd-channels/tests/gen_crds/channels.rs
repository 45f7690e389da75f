//! The effects of the configuration.

use super::{EXPERIMENTAL, FILES, ROUTE, STABLE, crd, findings, kind, names, places};
use crate::support::Workspace;
use serde_json::{Value, json};

#[test]
fn one_channel_alone() {
    let workspace = Workspace::new(ROUTE);
    workspace
        .run(&["gen-crds", "--channel", "stable"])
        .with_code(0);
    assert_eq!(names(&workspace.generated()), FILES[2..]);
    workspace.generate();
    workspace.edit(STABLE, "type: string", "type: integer");
    workspace
        .run(&["gen-crds", "--check", "--channel", "experimental"])
        .with_code(0);
    workspace
        .run(&["gen-crds", "--check", "--channel", "stable"])
        .with_code(1);
}

#[test]
fn an_unknown_channel_gets_a_suggestion() {
    let workspace = Workspace::new(ROUTE);
    for (given, help) in [
        ("stabel", "did you mean `stable`?"),
        ("zzz", "available: stable, experimental"),
    ] {
        let ran = workspace.run(&["gen-crds", "--channel", given, "--format", "json"]);
        let found = ran.with_code(2).findings();
        assert_eq!(places(&found), ["config-invalid"]);
        assert_eq!(found[0].help.as_deref(), Some(help));
    }
    assert!(workspace.generated().is_empty());
}

#[test]
fn two_groups_need_a_prefix() {
    let lib = kind("a.example.com", "v1", "A", "") + &kind("b.example.com", "v1", "B", "");
    let workspace = Workspace::new(&format!("//- src/lib.rs\n{lib}"));
    assert_eq!(places(&findings(&workspace, 1)), ["prefix-needed"]);
    workspace.write(
        "channels/bundle.toml",
        "annotation-prefix = \"example.com\"\n",
    );
    workspace.generate();
    let crd = crd(&workspace, "generated/stable/b.example.com_bs.yaml");
    assert_eq!(
        crd["metadata"]["annotations"]["example.com/channel"],
        "stable"
    );
}

#[test]
fn a_third_channel_has_some_features() {
    let workspace = Workspace::new(
        r#"
//- channels/features.toml
[Timeouts]
summary = "How long a request may take."
[Retries]
summary = "How often a request is sent."
//- channels/preview.toml
features = ["Timeouts"]
annotation = "early-access"
//- src/lib.rs
#[derive(crd_channels_derive::ApiType, kube::CustomResource, schemars::JsonSchema)]
#[kube(group = "example.com", version = "v1", kind = "Route")]
pub struct RouteSpec {
    pub host: String,
    #[experimental(feature = "Timeouts")]
    pub timeout: Option<String>,
    #[experimental(feature = "Retries")]
    pub retries: Option<u8>,
    #[experimental]
    pub unnamed: Option<u8>,
    #[not_experimental(feature = "Timeouts")]
    pub patience: Option<u8>,
}
"#,
    );
    workspace.generate();
    let fields = |channel: &str| {
        let crd = crd(
            &workspace,
            &format!("generated/{channel}/example.com_routes.yaml"),
        );
        let spec = &crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"];
        let names: Vec<String> = spec["properties"]
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect();
        let annotation = crd["metadata"]["annotations"]["example.com/channel"].clone();
        (names.join(" "), annotation)
    };
    for (channel, names, annotation) in [
        ("stable", "host patience", "stable"),
        ("preview", "host timeout", "early-access"),
        (
            "experimental",
            "host retries timeout unnamed",
            "experimental",
        ),
    ] {
        let (found, written) = fields(channel);
        let mut sorted: Vec<&str> = found.split(' ').collect();
        sorted.sort_unstable();
        assert_eq!(sorted.join(" "), names, "in {channel}");
        assert_eq!(written, annotation);
    }
}

#[test]
fn channels_decide_about_alpha_and_beta() {
    let lib = kind("example.com", "v1", "Route", "")
        + &kind("example.com", "v1beta1", "Route", ", storage = false")
        + &kind("example.com", "v1alpha1", "Route", ", storage = false")
        + &kind("example.com", "v1alpha1", "Draft", "");
    let workspace = Workspace::new(&format!(
        "//- channels/stable.toml\nfeatures = \"none\"\nalpha = \"omitted\"\nbeta = \"unserved\"\n//- src/lib.rs\n{lib}"
    ));
    workspace.generate();
    let versions = |path: &str| {
        let crd = crd(&workspace, path);
        let versions = crd["spec"]["versions"].as_array().unwrap();
        let shown = versions.iter().map(|version| {
            format!(
                "{}={}",
                version["name"].as_str().unwrap(),
                version["served"]
            )
        });
        shown.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(versions(STABLE), "v1=true v1beta1=false");
    assert_eq!(versions(EXPERIMENTAL), "v1=true v1beta1=true v1alpha1=true");
    // A kind without any version has no file.
    assert!(
        !workspace
            .path("generated/stable/example.com_drafts.yaml")
            .exists()
    );
    assert!(
        workspace
            .path("generated/experimental/example.com_drafts.yaml")
            .exists()
    );
    workspace.edit("channels/stable.toml", "omitted", "served");
    workspace.generate();
    assert_eq!(versions(STABLE), "v1=true v1beta1=false v1alpha1=true");
}

#[test]
fn channels_decide_about_descriptions() {
    let workspace = Workspace::new(ROUTE);
    for (policy, has, lacks) in [
        ("policy = \"all\"", "The name that clients ask for.", "~"),
        ("policy = \"none\"", "example.com", "The name that"),
        ("max-length = 10", "example.com", "The name that"),
        ("budget = 10000", "The name that clients ask for.", "~"),
    ] {
        workspace.write(
            "channels/stable.toml",
            format!("features = \"none\"\n[descriptions]\n{policy}\n"),
        );
        workspace.generate();
        let text = workspace.read(STABLE);
        assert!(
            text.contains(has) && !text.contains(lacks),
            "{policy}\n{text}"
        );
        assert!(
            workspace
                .read(EXPERIMENTAL)
                .contains("The name that clients ask for.")
        );
    }
}

/// A kind whose `/status` and `/scale` are experimental, in these features.
fn gated_subresources(status: &str, scale: &str, fields: &str) -> Workspace {
    Workspace::new(&format!(
        r#"
//- channels/features.toml
[Counting]
summary = "How many there are."
[Scaling]
summary = "Autoscalers change the number."
//- src/lib.rs
use crd_channels_derive::ApiType;
use kube::{{CustomResource, KubeSchema}};
use schemars::JsonSchema;
use serde::{{Deserialize, Serialize}};

/// Where requests go.
#[derive(ApiType, Clone, CustomResource, Debug, Deserialize, KubeSchema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Route", namespaced, status = "RouteStatus")]
#[kube(printcolumn(name = "Ready", type_ = "integer", json_path = ".status.replicas"))]
#[experimental(feature = "{status}", kube(status))]
#[experimental(
    feature = "{scale}",
    kube(scale(spec_replicas_path = ".spec.replicas", status_replicas_path = ".status.replicas"))
)]
pub struct RouteSpec {{
    #[schemars(range(min = 0))]
{fields}    pub replicas: i32,
}}

#[derive(ApiType, Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub struct RouteStatus {{
    pub replicas: i32,
}}
"#
    ))
}

#[test]
fn subresources_may_differ_by_channel() {
    let workspace = gated_subresources("Counting", "Scaling", "");
    workspace.write("channels/preview.toml", "features = [\"Counting\"]\n");
    workspace.generate();
    let shown = |channel: &str| {
        let crd = crd(
            &workspace,
            &format!("generated/{channel}/example.com_routes.yaml"),
        );
        let version = &crd["spec"]["versions"][0];
        let has_status = version["schema"]["openAPIV3Schema"]["properties"]
            .as_object()
            .unwrap()
            .contains_key("status");
        let columns = version.get("additionalPrinterColumns").is_some();
        (version["subresources"].clone(), has_status, columns)
    };
    let scale =
        json!({ "specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas" });
    assert_eq!(shown("stable"), (Value::Null, false, false));
    assert_eq!(shown("preview"), (json!({ "status": {} }), true, true));
    assert_eq!(
        shown("experimental"),
        (json!({ "scale": scale, "status": {} }), true, true)
    );
}
