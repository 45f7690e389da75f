//! An undecided `cfg` is reported at its place if something behind it is needed.

use super::{STABLE, crd, findings, places};
use crate::support::Workspace;
use serde_json::Value;

/// A kind with one field, and the code beside it. `EITHER` is the cfg.
fn workspace(field: &str, beside: &str) -> Workspace {
    let beside = beside.replace("EITHER", "#[cfg(not(tarpaulin_include))]");
    Workspace::new(&format!(
        "//- src/lib.rs\nuse serde::{{Deserialize, Serialize}};\n\
         #[derive(kube::CustomResource, schemars::JsonSchema, Deserialize, Serialize)]\n\
         #[kube(group = \"example.com\", version = \"v1\", kind = \"Route\")]\n\
         pub struct RouteSpec {{ {field} }}\n{beside}\n"
    ))
}

fn default_of(workspace: &Workspace) -> Value {
    let crd = crd(workspace, STABLE);
    let root = &crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
    root["properties"]["spec"]["properties"]["f"]["default"].clone()
}

#[test]
fn undecided_cfgs_that_matter_are_reported_at_their_place() {
    const PORT: &str = "#[serde(default = \"RouteSpec::p\")] pub f: u16";
    const FREE: &str = "#[serde(default = \"p\")] pub f: u16";
    const LEVEL: &str = "#[serde(default)] pub f: Level";
    const ENUM: &str = "#[derive(Default, schemars::JsonSchema, Deserialize, Serialize)]\npub enum Level { #[default] A }\n";
    for (field, beside) in [
        (PORT, "EITHER\nimpl RouteSpec { fn p() -> u16 { 1 } }"),
        (
            PORT,
            "impl RouteSpec {\n    EITHER\n    fn p() -> u16 { 1 }\n}",
        ),
        (FREE, "EITHER\nfn p() -> u16 { 1 }"),
        (FREE, "fn p() -> u16 { N }\nEITHER\nconst N: u16 = 1;"),
        (FREE, "fn p() -> u16 { N }\nEITHER\nstatic N: u16 = 1;"),
        (
            FREE,
            "fn p() -> u16 { RouteSpec::N }\nimpl RouteSpec { EITHER const N: u16 = 1; }",
        ),
        // The module's own item takes precedence over that of a glob.
        (
            FREE,
            "mod other { pub fn p() -> u16 { 2 } }\nuse other::*;\nEITHER\nfn p() -> u16 { 1 }",
        ),
        (
            FREE,
            "fn p() -> u16 { inner() }\nEITHER\nfn inner() -> u16 { 1 }\n#[cfg(tarpaulin_include)]\nfn inner() -> u16 { 2 }",
        ),
    ] {
        let workspace = workspace(field, beside);
        let found = findings(&workspace, 1);
        assert_eq!(found.len(), 1, "{beside}: {found:#?}");
        let text = workspace.read("src/lib.rs");
        let line = text
            .lines()
            .position(|line| line.contains("tarpaulin"))
            .unwrap()
            + 1;
        assert_eq!(
            places(&found),
            [format!("unknown-cfg: src/lib.rs:{line}")],
            "{beside}"
        );
        workspace.write("channels/bundle.toml", "cfgs = [\"!tarpaulin_include\"]\n");
        workspace.generate();
        assert_eq!(default_of(&workspace), 1, "{beside}");
    }
    // The implementation that writes a value decides the default, and whether there is one.
    let beside = "EITHER\nimpl Serialize for Level { fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> { s.serialize_str(\"A\") } }";
    let beside = format!("{}{beside}", ENUM.replace(", Serialize", ""));
    let written = workspace(LEVEL, &beside);
    let found = findings(&written, 1);
    // What a function of the source writes is not read, whether it exists or not.
    let codes: Vec<&str> = found.iter().map(|finding| &*finding.code).collect();
    assert_eq!(codes, ["not-constant", "unknown-cfg"], "{found:#?}");
    let schema = "#[schemars(schema_with = \"s\")] pub f: u16";
    let beside = "EITHER\nfn s(_: &mut schemars::SchemaGenerator) -> schemars::Schema { schemars::json_schema!({ \"type\": \"string\" }) }";
    let found = findings(&workspace(schema, beside), 1);
    assert_eq!(places(&found), ["unknown-cfg: src/lib.rs:5"]);
}

#[test]
fn undecided_cfgs_of_unused_items_are_ignored() {
    let beside = "EITHER\nfn p() -> u16 { 1 }\nEITHER\nimpl RouteSpec { pub fn q() {} const N: u8 = 1; }\nEITHER\nstatic S: u8 = 1;";
    workspace("pub f: u16", beside).generate();
}
