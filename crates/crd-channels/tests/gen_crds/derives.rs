//! Derives of the runtime beside those that make a schema.

use super::STABLE;
use super::conditions::ROUTE;
use crate::support::Workspace;

const VERSIONS: &str = r#"
use crd_channels_runtime::conversion::Convert;
use kube::{CustomResource, KubeSchema};

pub mod v1 {
    #[derive(kube::CustomResource, kube::KubeSchema)]
    #[kube(group = "example.com", version = "v1", kind = "Route")]
    pub struct RouteSpec {
        pub hosts: Vec<String>,
        pub mode: Mode,
    }
    #[derive(schemars::JsonSchema)]
    pub enum Mode { Forward, Mirror }
}

#[derive(Convert, CustomResource, KubeSchema)]
#[kube(group = "example.com", version = "v1beta1", kind = "Route", storage = false)]
#[convert(hub = v1::RouteSpec)]
pub struct RouteSpec {
    #[convert(rename = hosts)]
    pub hostnames: Vec<String>,
    pub mode: Mode,
}

#[derive(Convert, schemars::JsonSchema)]
#[convert(hub = v1::Mode, hub_only(Mirror => Forward))]
pub enum Mode {
    Forward,
    #[convert(to = Forward)]
    Legacy,
}
"#;

/// A spoke is a version like any other: its conversion does not appear in its CRD.
#[test]
fn a_version_that_is_converted_is_written() {
    let (workspace, _) = ROUTE.split_once("//- src/lib.rs\n").unwrap();
    let workspace = Workspace::new(&format!("{workspace}//- src/lib.rs{VERSIONS}"));
    workspace.generate();
    let text = workspace.read(STABLE);
    for expected in ["v1beta1", "hostnames", "hosts", "Legacy", "Mirror"] {
        assert!(text.contains(expected), "{expected}:\n{text}");
    }
}
