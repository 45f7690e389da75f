//! `#[crd(conditions = ..)]`: the description of a list of conditions in each channel, from source to CRD.

use super::{EXPERIMENTAL, STABLE, crd, findings};
use crate::support::Workspace;
use serde_json::{Value, json};

/// A kind whose conditions are declared in another module, under another name, with the derives of the runtime.
pub const ROUTE: &str = r#"
//- Cargo.toml
[workspace]
exclude = ["stubs"]
[package]
name = "demo"
version = "0.6.0"
edition = "2024"
[dependencies]
crd-channels-derive = { path = "stubs/crd-channels-derive" }
crd-channels-runtime = { path = "stubs/crd-channels-runtime" }
k8s-openapi = { path = "stubs/k8s-openapi" }
kube = { path = "stubs/kube" }
schemars = { path = "stubs/schemars" }
//- stubs/crd-channels-runtime/Cargo.toml
[package]
name = "crd-channels-runtime"
version = "1.0.0"
edition = "2024"
[dependencies]
crd-channels-derive = { path = "../crd-channels-derive" }
//- stubs/crd-channels-runtime/src/lib.rs
pub mod conditions;
pub mod conversion {
    pub use crd_channels_derive::Convert;
    pub trait Convert<To> {}
}
//- stubs/crd-channels-runtime/src/conditions.rs
mod declared;
pub use crd_channels_derive::{Conditions, Reasons};
pub use declared::{Conditions, Reasons};
//- stubs/crd-channels-runtime/src/conditions/declared.rs
pub trait Conditions {}
pub trait Reasons {}
//- stubs/k8s-openapi/Cargo.toml
[package]
name = "k8s-openapi"
version = "1.0.0"
edition = "2024"
[dependencies]
schemars = { path = "../schemars" }
//- stubs/k8s-openapi/src/lib.rs
pub struct Condition;
impl schemars::JsonSchema for Condition {
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "object",
            "properties": {"type": {"type": "string"}, "status": {"type": "string"}, "reason": {"type": "string"}},
            "required": ["type", "status", "reason"]
        })
    }
}
//- channels/features.toml
[Mesh]
summary = "Routes in a mesh."
//- src/lib.rs
mod declared;
use declared::words as known;
use k8s_openapi::Condition;
use kube::{CustomResource, KubeSchema};

#[derive(CustomResource, KubeSchema)]
#[kube(group = "example.com", version = "v1", kind = "Route", status = "RouteStatus")]
pub struct RouteSpec {}

#[derive(crd_channels_derive::ApiType, KubeSchema)]
pub struct RouteStatus {
    /// The state of the route.
    #[crd(conditions = known::RouteCondition)]
    pub conditions: Vec<Condition>,
    #[crd(conditions = declared::Own)]
    pub own: Option<Vec<Condition>>,
}
//- src/declared.rs
pub mod words {
    use crd_channels_runtime::conditions::Conditions;
    use super::AcceptedReason as Accepted;

    #[derive(Clone, Debug, Conditions)]
    pub enum RouteCondition {
        /// The route is valid enough
        /// to produce some configuration.
        #[condition(positive)]
        Accepted(Accepted),
        /// Traffic flows.
        #[condition(positive, optional)]
        Ready(super::Plain),
        /// Another route has its host.
        #[condition(negative)]
        Conflicted(super::Conflict),
        /// The route is in a mesh.
        #[experimental(feature = "Mesh")]
        #[condition(positive)]
        Meshed(super::Plain),
        /// What was called so.
        #[condition(positive, replaced_by = "Meshed", until = "v0.7.0")]
        Scheduled(Accepted),
        /// The opposite.
        #[condition(negative, replaced_by = "Accepted", until = "v0.7.0")]
        Detached(super::Plain),
    }
}
use crd_channels_runtime::conditions::{Conditions, Reasons};

#[derive(Clone, Debug, Reasons)]
pub enum AcceptedReason {
    /// The route is accepted.
    #[reason(True)]
    Accepted,
    /// No backend exists.
    #[reason(False)]
    NoResources,
    /// The sidecar is missing.
    #[experimental(feature = "Mesh")]
    #[reason(False)]
    NoSidecar,
    /// Nobody has looked.
    #[reason(Unknown, name = "NotReconciled")]
    Pending,
    /// What the cloud said.
    #[reason(False, code)]
    Code(String),
}

#[derive(Clone, Debug, Reasons)]
pub enum Plain {
    /// So it is.
    #[reason(True)]
    Is,
}

#[derive(Clone, Debug, Reasons)]
pub enum Conflict {
    /// So it is.
    #[reason(True)]
    Is,
    /// Nobody reads it, since the condition is gone then.
    #[reason(False)]
    NoConflict,
}

#[derive(Clone, Debug, Conditions)]
#[conditions(domain = "example.com")]
#[experimental(feature = "Mesh")]
pub enum Own {
    /// Too many requests.
    #[condition(negative)]
    Throttled(Plain),
}
"#;

const STATUS: &str =
    "/spec/versions/0/schema/openAPIV3Schema/properties/status/properties/conditions";

fn route(convention: &str) -> Workspace {
    Workspace::new(&format!(
        "{ROUTE}//- channels/bundle.toml\nconventions = \"{convention}\"\n"
    ))
}

/// The description in the stable channel.
const SAID: &str = "The state of the route.

`Accepted` (`True` on a healthy object): The route is valid enough to produce some configuration.
- True, `Accepted`: The route is accepted.
- False, `NoResources`: No backend exists.
- Unknown, `NotReconciled`: Nobody has looked.
- False, made of an error code: What the cloud said.

`Ready` (`True` on a healthy object, not always there): Traffic flows.
- True, `Is`: So it is.

`Conflicted` (an error, there only while it is `True`): Another route has its host.
- True, `Is`: So it is.

`Scheduled` (`True` on a healthy object; deprecated, removed in v0.7.0): What was called so.
- True, `Accepted`: The route is accepted.
- False, `NoResources`: No backend exists.
- Unknown, `NotReconciled`: Nobody has looked.
- False, made of an error code: What the cloud said.

`Detached` (an error, there only while it is `True`; deprecated, replaced by `Accepted`, removed in v0.7.0): The opposite.
- True, `Is`: So it is.";

#[test]
fn a_list_says_what_its_conditions_are() {
    for convention in ["kube", "kubernetes"] {
        let workspace = route(convention);
        workspace.generate();
        let stable = crd(&workspace, STABLE);
        let list = stable.pointer(STATUS).unwrap();
        assert_eq!(list["description"], SAID, "{convention}");
        assert_eq!(list["x-kubernetes-list-type"], "map");
        assert_eq!(list["x-kubernetes-list-map-keys"], json!(["type"]));
        assert_eq!(list["maxItems"], Value::Null, "nobody asked for a bound");
        let items = &list["items"];
        assert_eq!(items["properties"]["type"]["maxLength"], 316);
        assert_eq!(items["properties"]["reason"]["maxLength"], 1024);
        assert_eq!(
            items["properties"]["status"]["enum"],
            json!(["True", "False", "Unknown"])
        );
        let required = ["lastTransitionTime", "message", "reason", "status", "type"];
        assert_eq!(items["required"], json!(required));
    }
}

#[test]
fn gated_conditions_are_in_their_channel_only() {
    let workspace = route("kubernetes");
    workspace.generate();
    let text = workspace.read(STABLE);
    for gated in [
        "Mesh",
        "mesh",
        "Sidecar",
        "sidecar",
        "Throttled",
        "Too many",
    ] {
        assert!(!text.contains(gated), "{gated}:\n{text}");
    }
    let experimental = crd(&workspace, EXPERIMENTAL);
    let description = experimental.pointer(STATUS).unwrap()["description"].clone();
    let description = description.as_str().unwrap();
    for line in [
        "\n- False, `NoResources`: No backend exists.\n- False, `NoSidecar`: The sidecar is missing.\n- Unknown",
        "\n\n`Meshed` (`True` on a healthy object): The route is in a mesh.\n",
        "\n\n`Scheduled` (`True` on a healthy object; deprecated, replaced by `Meshed`, removed in v0.7.0): ",
    ] {
        assert!(description.contains(line), "{line}:\n{description}");
    }
    let own = STATUS.replace("/conditions", "/own");
    assert_eq!(
        experimental.pointer(&own).unwrap()["description"],
        "`example.com/Throttled` (an error, there only while it is `True`): Too many requests.\n- True, `Is`: So it is."
    );
}

#[test]
fn a_declaration_that_changes_is_read_again() {
    let workspace = route("kubernetes");
    workspace.generate();
    workspace.edit("src/declared.rs", "No backend exists", "No backend is left");
    workspace.generate();
    let description = crd(&workspace, STABLE).pointer(STATUS).unwrap()["description"].to_string();
    assert!(description.contains("No backend is left."), "{description}");
}

#[test]
fn a_channel_without_descriptions_has_none() {
    let workspace = route("kubernetes");
    workspace.write(
        "channels/stable.toml",
        "features = \"none\"\n[descriptions]\npolicy = \"none\"\n",
    );
    workspace.generate();
    let list = crd(&workspace, STABLE).pointer(STATUS).unwrap().clone();
    assert_eq!(list["description"], Value::Null);
    assert_eq!(list["x-kubernetes-list-type"], "map");
}

#[test]
fn a_condition_is_reported_in_every_run_from_its_bundle_on() {
    let workspace = route("kubernetes");
    workspace.generate();
    workspace.edit(
        "Cargo.toml",
        "version = \"0.6.0\"",
        "version = \"0.7.0-dev\"",
    );
    for _ in 0..2 {
        let found = findings(&workspace, 0);
        let found: Vec<_> = found.iter().map(|finding| &*finding.code).collect();
        assert_eq!(found, ["condition-removed", "condition-removed"]);
    }
}
