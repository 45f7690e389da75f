//! Packages, dependencies and modules that are added and removed.

use super::{EXPERIMENTAL, ROUTE, STABLE, crd, findings, kind, places};
use crate::support::Workspace;
use std::fs;

#[test]
fn no_manifest_anywhere() {
    let workspace = Workspace::new("//- no Cargo.toml\n");
    let ran = workspace
        .run(&["gen-crds", "--format", "json"])
        .with_code(2);
    assert_eq!(places(&ran.findings()), ["cargo-failed"]);
}

#[test]
fn a_type_of_another_package_of_the_workspace() {
    let workspace = Workspace::new(
        r#"
//- Cargo.toml
[workspace]
resolver = "3"
members = ["api", "common"]
exclude = ["stubs"]
//- api/Cargo.toml
[package]
name = "api"
version = "1.2.3"
edition = "2024"
[dependencies]
crd-channels-derive = { path = "../stubs/crd-channels-derive" }
kube = { path = "../stubs/kube" }
schemars = { path = "../stubs/schemars" }
shared-types = { path = "../common", package = "common" }
//- api/src/lib.rs
use kube::CustomResource;
use shared_types::{Port, names::Host as Name};
#[derive(crd_channels_derive::ApiType, CustomResource, schemars::JsonSchema)]
#[kube(group = "example.com", version = "v1", kind = "Route")]
pub struct RouteSpec {
    pub host: Name,
    pub port: Port,
}
//- common/Cargo.toml
[package]
name = "common"
version = "9.9.9"
edition = "2021"
//- common/src/lib.rs
pub mod names;
/// A port.
#[derive(crd_channels_derive::ApiType, schemars::JsonSchema)]
pub struct Port(#[schemars(range(min = 1))] u16);
//- common/src/names.rs
#[derive(crd_channels_derive::ApiType, schemars::JsonSchema)]
pub struct Host {
    pub name: String,
    #[experimental]
    pub wildcard: Option<bool>,
}
"#,
    );
    workspace.generate();
    let crd = crd(&workspace, STABLE);
    let spec = &crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"];
    assert_eq!(spec["properties"]["port"]["minimum"], 1);
    assert_eq!(
        spec["properties"]["host"]["properties"]["name"]["type"],
        "string"
    );
    assert!(spec["properties"]["host"]["properties"]["wildcard"].is_null());
    assert!(workspace.read(EXPERIMENTAL).contains("wildcard"));
    assert_eq!(
        crd["metadata"]["annotations"]["example.com/bundle-version"],
        "v1.2.3"
    );
    // Errors there are reported there.
    workspace.edit("common/src/names.rs", "Option<bool>", "bool");
    let found = findings(&workspace, 1);
    assert_eq!(
        places(&found),
        ["required-gated-field: common/src/names.rs:5"]
    );
}

#[test]
fn kinds_that_are_left_out() {
    let workspace = Workspace::new(ROUTE);
    let route = workspace.read("src/route.rs");
    workspace.write(
        "src/older.rs",
        route.replace("host: String", "name: String"),
    );
    workspace.write("src/lib.rs", "mod older;\nmod route;\n");
    let found = findings(&workspace, 1);
    assert_eq!(places(&found), ["duplicate-version: src/route.rs:8"]);

    let exclude = |paths: &str| {
        workspace.write("channels/bundle.toml", format!("exclude = [{paths}]\n"));
    };
    exclude(r#""demo::older""#);
    workspace.generate();
    let spec = |workspace: &Workspace| {
        let crd = crd(workspace, STABLE);
        crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"]
            .clone()
    };
    assert!(spec(&workspace)["host"].is_object());
    exclude(r#""demo::route::RouteSpec""#);
    workspace.generate();
    assert!(spec(&workspace)["name"].is_object());

    exclude(r#""demo::old", "demo::route""#);
    let found = findings(&workspace, 1);
    assert_eq!(places(&found), ["config-invalid: channels/bundle.toml:1"]);
}

#[test]
fn a_dependency_whose_files_are_gone() {
    let workspace = Workspace::new(
        r#"
//- .cargo/config.toml
[source.crates-io]
replace-with = "vendored"
[source.vendored]
directory = "vendor"
//- vendor/far/.cargo-checksum.json
{"files":{},"package":null}
//- vendor/far/Cargo.toml
[package]
name = "far"
version = "1.0.0"
edition = "2024"
//- vendor/far/src/lib.rs
#[derive(crd_channels_derive::ApiType, schemars::JsonSchema)]
pub struct Host(String);
//- Cargo.toml
[workspace]
exclude = ["stubs", "vendor"]
[package]
name = "demo"
version = "0.1.0"
edition = "2024"
[dependencies]
far = "1.0.0"
kube = { path = "stubs/kube" }
//- src/lib.rs
#[derive(crd_channels_derive::ApiType, kube::CustomResource, schemars::JsonSchema)]
#[kube(group = "example.com", version = "v1", kind = "Route")]
pub struct RouteSpec {
    pub host: far::Host,
}
"#,
    );
    workspace.generate();
    // As after a cleanup of files that were not read for long: folders stay.
    fs::remove_file(workspace.path("vendor/far/Cargo.toml")).unwrap();
    fs::remove_file(workspace.path("vendor/far/src/lib.rs")).unwrap();
    let found = findings(&workspace, 1);
    assert!(
        places(&found).contains(&"dependency-missing".to_owned()),
        "{found:#?}"
    );
}

#[test]
fn a_module_that_is_deleted_is_missed_at_once() {
    let workspace = Workspace::new(ROUTE);
    let more = kind("example.com", "v1", "Gateway", "");
    workspace.write("src/lib.rs", format!("mod route;\n{more}"));
    workspace.generate();
    let before = workspace.generated();
    fs::remove_file(workspace.path("src/route.rs")).unwrap();
    assert_eq!(
        places(&findings(&workspace, 1)),
        ["module-not-found: src/lib.rs:1"]
    );
    assert_eq!(workspace.generated(), before);
}

#[test]
fn a_package_that_is_added_is_found_at_once() {
    let workspace = Workspace::new(
        "//- Cargo.toml\n[workspace]\nresolver = \"3\"\nmembers = [\"apis/*\"]\nexclude = [\"stubs\"]\n",
    );
    let add = |name: &str, kind_name: &str| {
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\
             [dependencies]\nkube = {{ path = \"../../stubs/kube\" }}\n"
        );
        workspace.write(&format!("apis/{name}/Cargo.toml"), manifest);
        let source = kind("example.com", "v1", kind_name, "");
        workspace.write(&format!("apis/{name}/src/lib.rs"), source);
    };
    add("first", "First");
    workspace.generate();
    add("more", "More");
    let ran = workspace.generate();
    assert!(
        ran.stdout
            .contains("created generated/stable/example.com_mores.yaml"),
        "{}",
        ran.stdout
    );
    fs::remove_dir_all(workspace.path("apis/more")).unwrap();
    let ran = workspace.generate();
    assert!(
        ran.stdout
            .contains("removed generated/stable/example.com_mores.yaml"),
        "{}",
        ran.stdout
    );
}

#[test]
fn links_that_lead_round_in_circles() {
    let workspace = Workspace::new(ROUTE);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../src", workspace.path("src/round")).unwrap();
        std::os::unix::fs::symlink("loop.rs", workspace.path("src/loop.rs")).unwrap();
    }
    workspace.generate();
    workspace.edit(
        "src/lib.rs",
        "mod route;",
        "mod route;\n#[path = \"round/lib.rs\"]\nmod again;\n",
    );
    let found = findings(&workspace, 1);
    assert_eq!(places(&found), ["module-cycle: src/lib.rs:3"]);
    workspace.edit(
        "src/lib.rs",
        "#[path = \"round/lib.rs\"]\nmod again;",
        "#[path = \"loop.rs\"]\nmod again;",
    );
    let found = findings(&workspace, 1);
    assert!(places(&found)[0].ends_with("src/lib.rs:3"), "{found:#?}");
}

/// A project requires a toolchain that is not installed: another cargo can read its packages as well.
#[cfg(unix)]
#[test]
fn a_toolchain_that_is_not_here() {
    use std::os::unix::fs::PermissionsExt;
    let workspace = Workspace::new(ROUTE);
    workspace.write("rust-toolchain.toml", "[toolchain]\nchannel = \"0.0.1\"\n");
    let cargo = "#!/bin/sh\necho \"error: toolchain '0.0.1' is not installed\" >&2\nexit 1\n";
    let rustup = "#!/bin/sh\n[ \"$PWD $*\" = '/ which cargo' ] && echo \"$REAL_CARGO\"\n";
    for (tool, script) in [("tools/cargo", cargo), ("tools/rustup", rustup)] {
        workspace.write(tool, script);
        fs::set_permissions(workspace.path(tool), fs::Permissions::from_mode(0o755)).unwrap();
    }
    for tool in ["tools/cargo", "tools/rustup"] {
        fs::set_permissions(workspace.path(tool), fs::Permissions::from_mode(0o755)).unwrap();
    }
    let path = std::env::var("PATH").unwrap();
    let mut command = workspace.command(&["gen-crds"]);
    command
        .env_remove("CARGO")
        .env(
            "PATH",
            format!("{}:{path}", workspace.path("tools").display()),
        )
        .env("REAL_CARGO", env!("CARGO"));
    crate::support::run(&mut command).with_code(0);
    assert!(workspace.read(STABLE).contains("host"));
    // Without another cargo, the missing one is reported.
    fs::remove_file(workspace.path("tools/rustup")).unwrap();
    fs::remove_dir_all(workspace.path("target")).unwrap();
    command.env("PATH", workspace.path("tools"));
    let ran = crate::support::run(&mut command).with_code(2);
    assert!(
        ran.stderr.contains("toolchain '0.0.1' is not installed"),
        "{}",
        ran.stderr
    );
}

/// cargo resolves all members at once, and only reports that it failed.
#[test]
fn a_dependency_that_cannot_be_fetched() {
    let workspace = Workspace::new(&format!(
        "{ROUTE}//- other/Cargo.toml\n[package]\nname = \"other\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\
         [dependencies]\nfar = {{ git = \"https://example.invalid/far\" }}\n//- other/src/lib.rs\n"
    ));
    workspace.edit(
        "Cargo.toml",
        "[workspace]",
        "[workspace]\nmembers = [\"other\"]",
    );
    let ran = workspace
        .run(&["gen-crds", "--format", "json"])
        .with_code(2);
    let found = ran.findings();
    assert_eq!(places(&found), ["cargo-failed"]);
    let help = found[0].help.clone().unwrap();
    assert!(
        help.contains("cannot get `far`, which `other` depends on: run `cargo fetch`"),
        "{help}"
    );
}
