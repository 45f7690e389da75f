//! `deprecate` from end to end: the attributes that it writes, and what it refuses.

use crate::support::Workspace;

const ROUTES: &str = r#"
//- src/lib.rs
use crd_channels_derive::ApiType;
use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};

/// Where requests go.
#[derive(ApiType, Clone, CustomResource, Debug, Deserialize, KubeSchema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Route", namespaced)]
pub struct RouteSpec {}

pub mod old {
    use super::*;

    /// Where requests went.
    #[derive(ApiType, Clone, CustomResource, Debug, Deserialize, KubeSchema, Serialize)]
    #[kube(group = "example.com", version = "v1beta1", kind = "Route", namespaced, storage = false)]
    pub struct RouteSpec {}
}

/// Alone.
#[derive(ApiType, Clone, CustomResource, Debug, Deserialize, KubeSchema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Lonely", namespaced)]
pub struct LonelySpec {}
"#;

#[test]
fn a_version_is_deprecated_in_the_source() {
    let workspace = Workspace::new(ROUTES);
    workspace.generate();
    let before = workspace.read("src/lib.rs");
    let dry = ["deprecate", "Route", "v1beta1", "--dry-run"];
    let dry = workspace.run(&dry).with_code(0).stdout;
    assert!(dry.contains("+    #[kube(deprecated)]"), "{dry}");
    assert_eq!(workspace.read("src/lib.rs"), before);
    let ran = workspace.run(&["deprecate", "Route", "v1beta1"]);
    let stdout = ran.with_code(0).stdout;
    assert!(stdout.contains("version deprecated"), "{stdout}");
    let written = "storage = false)]\n    #[kube(deprecated)]\n    #[crd(deprecated_in = \"v0.1.0\", removed_in = \"v0.2.0\", replaced_by = \"v1\")]\n    pub struct RouteSpec {}";
    let after = workspace.read("src/lib.rs");
    assert!(after.contains(written), "{after}");
    // The generated files are updated.
    workspace.run(&["gen-crds", "--check"]).with_code(0);
    let crd = workspace.read("generated/stable/example.com_routes.yaml");
    assert!(crd.contains("unavailable in v0.2.0+"), "{crd}");
}

/// A GA version is removed in a major bundle, and no less stable version replaces it.
#[test]
fn a_ga_version_is_promised_until_a_major() {
    let workspace = Workspace::new(ROUTES);
    let ran = workspace.run(&["deprecate", "Route", "v1"]).with_code(0);
    assert!(ran.stdout.contains("version deprecated"), "{}", ran.stdout);
    let after = workspace.read("src/lib.rs");
    let written =
        "#[crd(deprecated_in = \"v0.1.0\", removed_in = \"v1.0.0\")]\npub struct RouteSpec {}";
    assert!(after.contains(written), "{after}");
    let workspace = Workspace::new(ROUTES);
    workspace.edit(
        "src/lib.rs",
        "kind = \"Route\", namespaced)]",
        "kind = \"Route\", namespaced, storage = false)]",
    );
    workspace.edit(
        "src/lib.rs",
        "namespaced, storage = false)]\n    pub",
        "namespaced)]\n    pub",
    );
    workspace.run(&["deprecate", "Route", "v1"]).with_code(0);
    assert!(workspace.read("src/lib.rs").contains(written));
}

/// A tree with the version of a bundle does not deprecate anything by itself.
#[test]
fn the_bundle_to_be_is_named_where_it_is_known() {
    for (version, named) in [
        (
            "0.3.0-dev",
            "deprecated_in = \"v0.3.0\", removed_in = \"v0.4.0\"",
        ),
        (
            "0.3.0-rc.1",
            "deprecated_in = \"v0.3.0\", removed_in = \"v0.4.0\"",
        ),
        ("0.3.2", "#[crd(removed_in = \"v0.4.0\""),
    ] {
        let workspace = Workspace::new(ROUTES);
        workspace.write("channels/bundle.toml", format!("version = \"{version}\"\n"));
        workspace
            .run(&["deprecate", "Route", "v1beta1"])
            .with_code(0);
        let after = workspace.read("src/lib.rs");
        assert!(after.contains(named), "{version}:\n{after}");
    }
}

#[test]
fn windows_line_ends_and_own_words_are_kept() {
    let workspace = Workspace::new(ROUTES);
    let text = workspace.read("src/lib.rs").replace('\n', "\r\n");
    workspace.write("src/lib.rs", text);
    let own = [
        "deprecate",
        "Route",
        "v1beta1",
        "--removed-in",
        "v0.9.0",
        "--replaced-by",
        "v1",
    ];
    workspace.run(&own).with_code(0);
    let after = workspace.read("src/lib.rs");
    assert_eq!(after.matches('\n').count(), after.matches("\r\n").count());
    assert!(
        after.contains(
            "#[crd(deprecated_in = \"v0.1.0\", removed_in = \"v0.9.0\", replaced_by = \"v1\")]\r\n"
        ),
        "{after}"
    );
}

#[test]
fn versions_that_cannot_be_deprecated_are_reported() {
    let workspace = Workspace::new(ROUTES);
    let before = workspace.read("src/lib.rs");
    for (kind, version, message, help) in [
        (
            "Rout",
            "v1",
            "there is no kind `Rout`",
            "available: Lonely, Route",
        ),
        (
            "Route",
            "v2",
            "`Route` has no version `v2`",
            "available: v1, v1beta1",
        ),
        (
            "Lonely",
            "v1",
            "`Lonely` is served as `v1` only",
            "add the version that replaces it first",
        ),
    ] {
        let ran = workspace.run(&["deprecate", kind, version]).with_code(1);
        let expected = format!("error[deprecation-refused]: {message}");
        assert!(
            ran.stderr.contains(&expected) && ran.stderr.contains(help),
            "{}",
            ran.stderr
        );
    }
    // An invalid promise is written and then refused like one in the types.
    let ran = ["deprecate", "Route", "v1beta1", "--removed-in", "soon"];
    let ran = workspace.run(&ran).with_code(1);
    assert!(
        ran.stderr.contains("error[invalid-attribute]"),
        "{}",
        ran.stderr
    );
    assert_eq!(workspace.read("src/lib.rs"), before);
    workspace
        .run(&["deprecate", "Route", "v1beta1"])
        .with_code(0);
    let ran = workspace
        .run(&["deprecate", "Route", "v1beta1"])
        .with_code(1);
    assert!(
        ran.stderr.contains("is already deprecated"),
        "{}",
        ran.stderr
    );
}
