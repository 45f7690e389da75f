//! Configured values in place of source: matched by the paths that people write, and reported if they match nothing.

use super::{STABLE, crd, findings, places};
use crate::support::Workspace;
use std::path::Path;

/// A kind that contains a pod, from this repository's k8s-openapi.
fn with_pods() -> Workspace {
    with_real_crates(
        r#"k8s-openapi = { version = "0.29.0", default-features = false, features = ["v1_36", "schemars"] }"#,
        r#"
use k8s_openapi::api::core::v1::PodSpec;
pub mod labels;
pub use labels::inner::{Labels, image};
pub type Names = Labels;
#[derive(kube::CustomResource, schemars::JsonSchema, serde::Deserialize, serde::Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Route")]
pub struct RouteSpec {
    pub template: Option<PodSpec>,
    pub init: Option<PodSpec>,
    pub labels: labels::inner::Labels,
    #[serde(default = "image")]
    pub image: String,
}
//- src/labels.rs
pub mod inner {
    #[derive(schemars::JsonSchema, serde::Deserialize, serde::Serialize)]
    pub struct Labels { pub a: String }
    pub fn image() -> String { ask() }
}
"#,
    )
}

const IMAGE: &str = "[values.\"demo::image\"]\njson = '\"a:1\"'\n";
const OPEN: &str =
    "json = '{ \"type\": \"object\", \"x-kubernetes-preserve-unknown-fields\": true }'\n";

/// Creates a workspace with crates of this repository's lock file, and more dependencies, of which only source is read.
fn with_real_crates(dependencies: &str, lib: &str) -> Workspace {
    let workspace = Workspace::new(&format!(
        r#"
//- Cargo.toml
[workspace]
exclude = ["stubs"]
[package]
name = "demo"
version = "0.1.0"
edition = "2024"
[dependencies]
kube = {{ path = "stubs/kube" }}
schemars = {{ version = "1.2.3", default-features = false, features = ["derive", "std"] }}
serde = {{ version = "1", features = ["derive"] }}
{dependencies}
//- src/lib.rs
{}"#,
        lib.trim_start()
    ));
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.lock");
    workspace.write("Cargo.lock", std::fs::read(lock).unwrap());
    workspace
}

#[test]
fn large_types_are_cut_by_the_path_that_people_write() {
    let workspace = with_pods();
    workspace.write("channels/bundle.toml", IMAGE);
    let found = findings(&workspace, 0);
    assert!(
        found.iter().all(|found| found.code == "size-limit"),
        "{found:#?}"
    );
    let help = found[0].help.clone().unwrap();
    let (_, rest) = help.split_once("`[schemas").unwrap();
    let (table, rest) = rest.split_once('`').unwrap();
    assert_eq!(table, ".\"k8s_openapi::api::core::v1::PodSpec\"]");
    let (_, rest) = rest.split_once("`json = '").unwrap();
    let (json, _) = rest.split_once('`').unwrap();
    // The lines of the help, unchanged.
    for convention in ["kube", "kubernetes"] {
        let text =
            format!("conventions = \"{convention}\"\n{IMAGE}[schemas{table}\njson = '{json}\n");
        workspace.write("channels/bundle.toml", text);
        assert_eq!(places(&findings(&workspace, 0)), Vec::<String>::new());
        let crd = crd(&workspace, STABLE);
        let spec = &crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"];
        let template = &spec["properties"]["template"];
        assert_eq!(template["x-kubernetes-preserve-unknown-fields"], true);
        assert!(template["properties"].is_null());
        assert_eq!(spec["properties"]["image"]["default"], "a:1");
    }
}

#[test]
fn a_run_after_no_edit_reads_nothing_beside_stated_values() {
    let workspace = with_pods();
    workspace.write("channels/bundle.toml", IMAGE);
    workspace.generate();
    let again = workspace.run(&["gen-crds", "-v"]).with_code(0);
    assert!(again.stderr.contains("read 0 of 1 kind"), "{again:?}");
    // An edit that makes the entry idle is still found.
    workspace.edit("src/lib.rs", "default = \"image\"", "default");
    let found = findings(&workspace, 1);
    let idle = found
        .iter()
        .any(|found| found.message.contains("no kind needs the value"));
    assert!(idle, "{found:#?}");
}

#[test]
fn paths_lead_through_re_exports_and_aliases() {
    let workspace = with_pods();
    for path in ["demo::labels::inner::Labels", "demo::Labels", "demo::Names"] {
        let text = format!(
            "{IMAGE}[schemas.\"k8s_openapi::v1_36::api::core::v1::pod_spec::PodSpec\"]\n{OPEN}[schemas.\"{path}\"]\njson = '{{ \"type\": \"string\" }}'\n"
        );
        workspace.write("channels/bundle.toml", text);
        workspace.generate();
        let crd = crd(&workspace, STABLE);
        let spec = &crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"];
        assert_eq!(spec["properties"]["labels"]["type"], "string", "{path}");
    }
}

#[test]
fn entries_that_match_nothing_are_errors() {
    let workspace = with_pods();
    let cut = format!("{IMAGE}[schemas.\"k8s_openapi::api::core::v1::PodSpec\"]\n{OPEN}");
    for (wrong, message, help) in [
        (
            "[schemas.\"demo::Label\"]",
            "`demo::Label` does not resolve: there is no `Label` in `demo`",
            "did you mean `Labels`?",
        ),
        (
            "[schemas.\"k8s_openapi::api::core::v1::PodSpek\"]",
            "`k8s_openapi::api::core::v1::PodSpek` does not resolve: there is no `PodSpek` in `k8s_openapi::v1_36::api::core::v1`",
            "did you mean `PodSpec`?",
        ),
        (
            "[values.\"dmo::image\"]",
            "`dmo::image` does not resolve: unknown crate `dmo`",
            "write the path as in code of the project, starting with the crate's name, as in `[values.\"my_crate::v1::Name\"]`",
        ),
        (
            "[values.\"demo::RouteSpec::default\"]",
            "no kind needs the value of `demo::RouteSpec::default`",
            "remove it, or write the path of what the error or the field names",
        ),
        (
            "[schemas.\"k8s_openapi::api::core::v1::Node\"]",
            "no kind needs the schema of `k8s_openapi::api::core::v1::Node`",
            "remove it, or write the path of what the error or the field names",
        ),
    ] {
        workspace.write(
            "channels/bundle.toml",
            format!("{cut}{wrong}\njson = '{{}}'\n"),
        );
        let found = findings(&workspace, 1);
        assert_eq!(
            places(&found),
            ["config-invalid: channels/bundle.toml:5"],
            "{found:#?}"
        );
        assert_eq!(found[0].message, message);
        assert_eq!(found[0].help.as_deref(), Some(help));
    }
}

/// A run that starts from an earlier one reports the same as a run from nothing.
#[test]
fn an_entry_that_is_no_longer_needed_is_reported_at_once() {
    let kind = |name: &str, host: &str| {
        format!(
            "#[derive(kube::CustomResource, schemars::JsonSchema)]\n#[kube(group = \"example.com\", version = \"v1\", kind = \"{name}\")]\npub struct {name}Spec {{ pub host: {host} }}\n"
        )
    };
    let workspace = Workspace::new(&format!(
        "//- channels/bundle.toml\n[schemas.\"demo::Far\"]\njson = '{{ \"type\": \"string\" }}'\n\
         //- src/lib.rs\nmod a;\nmod b;\npub struct Far;\n//- src/a.rs\n{}//- src/b.rs\n{}",
        kind("Gateway", "String"),
        kind("Route", "crate::Far")
    ));
    workspace.generate();
    workspace.edit("src/a.rs", "String", "bool");
    workspace.generate();
    workspace.edit("src/b.rs", "crate::Far", "String");
    let found = findings(&workspace, 1);
    assert_eq!(places(&found), ["config-invalid: channels/bundle.toml:1"]);
}

/// The output of a build script does not exist; the help has the line to write instead.
#[test]
fn values_of_a_build_script_can_be_stated() {
    let workspace = Workspace::new(
        "//- src/lib.rs\n#[derive(kube::CustomResource, schemars::JsonSchema, serde::Deserialize, serde::Serialize)]\n\
         #[kube(group = \"example.com\", version = \"v1\", kind = \"Route\")]\n\
         pub struct RouteSpec {\n    #[schemars(default = \"RouteSpec::icon\")]\n    pub icon: String,\n}\n\
         impl RouteSpec {\n    fn icon() -> String {\n        include_str!(concat!(env!(\"OUT_DIR\"), \"/icon\")).to_string()\n    }\n}\n",
    );
    let found = findings(&workspace, 1);
    assert_eq!(places(&found), ["not-constant: src/lib.rs:9"]);
    let help = found[0].help.clone().unwrap();
    let (_, rest) = help.split_once('`').unwrap();
    let (table, _) = rest.split_once('`').unwrap();
    assert_eq!(table, "[values.\"demo::RouteSpec::icon\"]");
    workspace.write("channels/bundle.toml", format!("{table}\njson = '\"x\"'\n"));
    workspace.generate();
    assert!(workspace.read(STABLE).contains("default: x"));
}

/// The file depends on where the call is written, not on the module that it belongs to.
#[test]
fn a_path_from_an_included_file_is_not_followed_from_another_folder() {
    let workspace = Workspace::new(
        "//- src/lib.rs\ninclude!(\"sub/kind.rs\");\n//- src/icon\nouter\n//- src/sub/icon\ninner\n\
         //- src/sub/kind.rs\n#[derive(kube::CustomResource, schemars::JsonSchema, serde::Deserialize, serde::Serialize)]\n\
         #[kube(group = \"example.com\", version = \"v1\", kind = \"Route\")]\n\
         pub struct RouteSpec {\n    #[schemars(default = \"icon\")]\n    pub icon: String,\n}\n\
         fn icon() -> String {\n    include_str!(\"icon\").to_string()\n}\n",
    );
    let found = findings(&workspace, 1);
    assert_eq!(places(&found), ["not-constant: src/sub/kind.rs:8"]);
}

#[test]
fn a_path_that_a_macro_makes_is_relative_to_the_file_of_the_call() {
    let workspace = Workspace::new(
        "//- src/lib.rs\nmod sub;\n#[macro_export]\nmacro_rules! text { ($name:literal) => { fn icon() -> String { include_str!($name).to_string() } } }\n\
         //- src/icon\nouter\n//- src/sub/icon\ninner\n\
         //- src/sub/mod.rs\n#[derive(kube::CustomResource, schemars::JsonSchema, serde::Deserialize, serde::Serialize)]\n\
         #[kube(group = \"example.com\", version = \"v1\", kind = \"Route\")]\n\
         pub struct RouteSpec {\n    #[schemars(default = \"icon\")]\n    pub icon: String,\n}\n\
         crate::text!(\"icon\");\n",
    );
    workspace.generate();
    assert!(
        workspace.read(STABLE).contains("default: |\n"),
        "{}",
        workspace.read(STABLE)
    );
    assert!(workspace.read(STABLE).contains("inner"));
}

/// rustc resolves a path by the name under which it found the file, not by the target of a link.
#[cfg(unix)]
#[test]
fn a_path_from_a_linked_file_is_relative_to_the_link() {
    let workspace = Workspace::new(
        "//- src/lib.rs\nmod kind;\n//- src/icon\nouter\n//- shared/icon\ninner\n\
         //- shared/kind.rs\ninclude!(\"more.rs\");\n\
         #[derive(kube::CustomResource, schemars::JsonSchema, serde::Deserialize, serde::Serialize)]\n\
         #[kube(group = \"example.com\", version = \"v1\", kind = \"Route\")]\n\
         pub struct RouteSpec {\n    #[doc = include_str!(\"icon\")]\n    #[schemars(default = \"icon\")]\n    pub icon: String,\n\
         pub more: More,\n}\nfn icon() -> String {\n    include_str!(\"icon\").to_string()\n}\n\
         //- shared/more.rs\n#[doc = include_str!(\"icon\")]\n\
         #[derive(schemars::JsonSchema, serde::Deserialize, serde::Serialize)]\npub struct More { pub a: bool }\n",
    );
    for name in ["kind.rs", "more.rs"] {
        let target = format!("../shared/{name}");
        std::os::unix::fs::symlink(target, workspace.path(&format!("src/{name}"))).unwrap();
    }
    workspace.generate();
    let stable = workspace.read(STABLE);
    assert_eq!(stable.matches("outer").count(), 3, "{stable}");
    assert!(!stable.contains("inner"), "{stable}");
}

#[test]
fn a_stated_text_is_a_text_wherever_one_is_needed() {
    let workspace = with_real_crates(
        "",
        r#"
#[derive(kube::CustomResource, kube::KubeSchema, serde::Deserialize, serde::Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Route")]
pub struct RouteSpec {
    #[x_kube(merge_strategy = ListMerge::Map(vec![key()]))]
    pub ports: Vec<Port>,
}
#[derive(schemars::JsonSchema, serde::Deserialize, serde::Serialize)]
pub struct Port { pub name: String }
pub fn key() -> String { ask() }
"#,
    );
    let stated = |json: &str| {
        let text = format!("[values.\"demo::key\"]\njson = '{json}'\n");
        workspace.write("channels/bundle.toml", text);
    };
    stated("\"name\"");
    workspace.generate();
    let crd = crd(&workspace, STABLE);
    let spec = &crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"];
    let keys = &spec["properties"]["ports"]["x-kubernetes-list-map-keys"];
    assert_eq!(*keys, serde_json::json!(["name"]));
    stated("7");
    let found = places(&findings(&workspace, 1));
    assert_eq!(found, ["not-constant: src/lib.rs:4"]);
}

#[test]
fn the_pattern_of_a_static_may_be_stated() {
    let workspace = with_real_crates(
        r#"regex = { version = "1.13", default-features = false, features = ["std"] }"#,
        r#"
use regex::Regex;
use std::sync::LazyLock;
static WORD: LazyLock<Regex> = LazyLock::new(|| word("a-z"));
fn word(of: &str) -> Regex { Regex::new(&format!("^[{of}]+$")).unwrap() }

#[derive(kube::CustomResource, kube::KubeSchema, serde::Deserialize, serde::Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Route")]
pub struct RouteSpec {
    #[schemars(regex(pattern = *WORD))]
    pub word: String,
    #[schemars(regex(pattern = &*WORD))]
    pub other: String,
}
"#,
    );
    assert_eq!(
        places(&findings(&workspace, 1)),
        ["not-constant: src/lib.rs:9", "not-constant: src/lib.rs:11"]
    );
    workspace.write(
        "channels/bundle.toml",
        "[values.\"demo::WORD\"]\njson = '\"^c$\"'\n",
    );
    workspace.generate();
    let crd = crd(&workspace, STABLE);
    let spec = &crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"];
    for name in ["word", "other"] {
        assert_eq!(spec["properties"][name]["pattern"], "^c$", "{name}");
    }
}

#[test]
fn methods_of_the_source_hide_those_that_are_known() {
    let workspace = with_real_crates(
        "",
        r#"
trait Say { fn message(&self, text: &str) -> Rule; }
impl Say for str { fn message(&self, text: &str) -> Rule { Rule::new("true").message(text) } }
#[derive(kube::CustomResource, kube::KubeSchema, serde::Deserialize, serde::Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Route")]
pub struct RouteSpec {
    #[x_kube(validation = concat!("self ", "!= ''").message("hi"))]
    pub said: String,
    #[x_kube(validation = Rule::new(concat!("self ", "!= ''")).message("hi"))]
    pub ruled: String,
}
"#,
    );
    assert_eq!(
        places(&findings(&workspace, 1)),
        ["not-constant: src/lib.rs:6"]
    );
}

#[test]
fn a_value_for_one_argument_is_none_for_another() {
    let workspace = Workspace::new(
        "//- src/lib.rs\n\
         #[derive(kube::CustomResource, schemars::JsonSchema, serde::Deserialize, serde::Serialize)]\n\
         #[kube(group = \"example.com\", version = \"v1\", kind = \"Route\")]\n\
         pub struct RouteSpec {\n\
         #[serde(default)] pub one: Named<u8>,\n\
         #[serde(default)] pub two: Named<Vec<String>>,\n}\n\
         #[derive(schemars::JsonSchema, serde::Deserialize, serde::Serialize)]\n\
         pub struct Named<T> { pub name: String, pub of: Vec<T> }\n\
         impl<T> Default for Named<T> { fn default() -> Self { ask() } }\n",
    );
    let stated = |values: &[(&str, &str)]| {
        let lines = values
            .iter()
            .map(|(path, json)| format!("[values.\"demo::{path}\"]\njson = '{json}'\n"));
        workspace.write("channels/bundle.toml", lines.collect::<String>());
    };
    let named = |name: &str| format!("{{ \"name\": \"{name}\", \"of\": [] }}");
    let (one, two) = (named("one"), named("two"));
    stated(&[("Named::default", &one)]);
    // Both arguments are asked in one place.
    let asked = ["unresolved-path: src/lib.rs:9"];
    assert_eq!(places(&findings(&workspace, 1)), asked);
    let of_one = [("Named<u8>::default", &*one)];
    stated(&of_one);
    assert_eq!(places(&findings(&workspace, 1)), asked);
    let of_two = [("Named<std::vec::Vec<std::string::String>>::default", &*two)];
    stated(&[of_one, of_two].concat());
    workspace.generate();
    let crd = crd(&workspace, STABLE);
    let spec = &crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"];
    let defaults = ["one", "two"].map(|name| &spec["properties"][name]["default"]);
    let expected = serde_json::json!([{ "name": "one", "of": [] }, { "name": "two", "of": [] }]);
    assert_eq!(serde_json::json!(defaults), expected);
}
