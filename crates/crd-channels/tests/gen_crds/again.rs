//! A run that starts from an earlier one reports and writes the same as a run from nothing.

use super::warm::edits;
use crate::support::{Ran, Workspace};
use std::fs;

/// Kinds that depend on each other's files in every way that a path can: shared types, globs, re-exports, aliases, constants,
/// functions, generics, impl blocks elsewhere, inline modules, another crate.
pub const SHARED: &str = r#"
//- Cargo.toml
[workspace]
members = ["common"]
exclude = ["stubs"]

[package]
name = "demo"
version = "0.1.0"
edition = "2024"

[dependencies]
common = { path = "common" }
crd-channels-derive = { path = "stubs/crd-channels-derive" }
kube = { path = "stubs/kube" }
schemars = { path = "stubs/schemars" }
serde = { path = "stubs/serde" }
serde_json = { path = "stubs/serde_json" }
//- common/Cargo.toml
[package]
name = "common"
version = "0.1.0"
edition = "2024"

[dependencies]
schemars = { path = "../stubs/schemars" }
serde = { path = "../stubs/serde" }
//- common/src/lib.rs
pub mod port;
pub use port::Port;
//- common/src/port.rs
/// A port.
#[derive(crd_channels_derive::ApiType, Clone, Deserialize, JsonSchema, Serialize)]
pub struct Port {
    /// Its number.
    #[schemars(range(min = 1, max = 65535))]
    pub number: i32,
}
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
//- channels/bundle.toml
packages = ["demo"]
[lints]
untyped-list = "allow"
//- channels/features.toml
[Timeouts]
summary = "How long a request may take."
[Mirrors]
summary = "Where copies go."
//- src/lib.rs
mod prelude;
mod gateway;
mod route;
mod policy;
mod shared;
mod defaults;
mod names;
pub mod nested;
//- src/names.rs
pub type Home = crate::nested::deep::Address;
//- src/prelude.rs
pub use crate::nested::deep::Address as Place;
pub use crate::shared::*;
pub use kube::CustomResource;
pub use schemars::JsonSchema;
pub use serde::{Deserialize, Serialize};
//- src/shared.rs
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
/// A name and a weight.
#[derive(crd_channels_derive::ApiType, Clone, Deserialize, JsonSchema, Serialize)]
pub struct Target {
    /// The name.
    #[schemars(length(max = 63))]
    pub name: String,
    /// The weight.
    #[serde(default = "crate::defaults::weight")]
    pub weight: i32,
}
/// Any number of things.
pub type Many<T> = Vec<T>;
//- src/defaults.rs
pub const WEIGHT: i32 = 1;
pub fn weight() -> i32 {
    WEIGHT
}
impl Default for crate::names::Home {
    fn default() -> Self {
        Self { host: "localhost".to_owned() }
    }
}
//- src/nested/mod.rs
pub mod deep {
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};
    /// Where something is.
    #[derive(crd_channels_derive::ApiType, Clone, Deserialize, JsonSchema, Serialize)]
    pub struct Address {
        /// The host.
        pub host: String,
    }
}
//- src/gateway.rs
use crate::prelude::*;
/// Lets requests in.
#[derive(crd_channels_derive::ApiType, Clone, CustomResource, Deserialize, JsonSchema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Gateway", shortname = "gw")]
pub struct GatewaySpec {
    /// Where it listens.
    #[serde(default)]
    pub place: Place,
    /// What it listens on.
    pub ports: Many<common::Port>,
}
//- src/route.rs
use crate::prelude::*;
/// Where requests go.
#[derive(crd_channels_derive::ApiType, Clone, CustomResource, Deserialize, JsonSchema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Route")]
pub struct RouteSpec {
    /// The targets.
    pub targets: Many<Target>,
    /// How long it may take.
    #[experimental(feature = "Timeouts")]
    pub timeout: Option<String>,
}
//- words.md
Whom it is for.

Names are matched by their beginning.
//- motto.txt
slow and steady
//- src/policy.rs
use crate::prelude::*;
/// How requests are treated.
#[derive(crd_channels_derive::ApiType, Clone, CustomResource, Deserialize, JsonSchema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Policy")]
pub struct PolicySpec {
    #[doc = include_str!("../words.md")]
    pub name: String,
    /// Where copies go.
    #[experimental(feature = "Mirrors")]
    pub mirrors: Option<Vec<String>>,
    /// What it is about.
    #[serde(default = "motto")]
    pub motto: String,
}
fn motto() -> String {
    include_str!("../motto.txt").to_owned()
}
"#;

/// A file, a text in it, its replacement, and how many of the three kinds are read again after the edit; `None` if it affects
/// more than single kinds.
type Edit = (&'static str, &'static str, &'static str, Option<usize>);

const EDITS: [Edit; 29] = [
    ("motto.txt", "slow", "fast", Some(1)),
    (
        "words.md",
        "their beginning",
        "all of their letters",
        Some(1),
    ),
    ("src/route.rs", "The targets", "All targets", Some(1)),
    (
        "src/policy.rs",
        "pub name: String",
        "pub name: Option<String>",
        Some(1),
    ),
    ("src/shared.rs", "max = 63", "max = 64", Some(3)),
    (
        "src/defaults.rs",
        "WEIGHT: i32 = 1",
        "WEIGHT: i32 = 2",
        Some(3),
    ),
    ("src/defaults.rs", "\"localhost\"", "\"example\"", Some(3)),
    (
        "src/names.rs",
        "crate::nested::deep::Address",
        "crate::shared::Target",
        None,
    ),
    (
        "src/nested/mod.rs",
        "/// The host.",
        "/// The name of the host.",
        Some(3),
    ),
    ("common/src/port.rs", "max = 65535", "max = 9000", Some(1)),
    (
        "common/src/lib.rs",
        "pub use port::Port;",
        "pub use self::port::Port;",
        Some(1),
    ),
    (
        "src/prelude.rs",
        "deep::Address as Place",
        "deep::{Address as Place}",
        Some(3),
    ),
    (
        "src/shared.rs",
        "pub type Many<T> = Vec<T>;",
        "pub type Many<T> = Option<Vec<T>>;",
        Some(3),
    ),
    (
        "src/gateway.rs",
        "shortname = \"gw\"",
        "shortname = \"gtw\"",
        None,
    ),
    (
        "src/gateway.rs",
        "kind = \"Gateway\"",
        "kind = \"Door\"",
        None,
    ),
    (
        "src/route.rs",
        "#[experimental(feature = \"Timeouts\")]",
        "",
        None,
    ),
    (
        "src/route.rs",
        "feature = \"Timeouts\"",
        "feature = \"Mirrors\"",
        None,
    ),
    ("src/lib.rs", "mod policy;", "", None),
    (
        "src/lib.rs",
        "mod route;",
        "#[path = \"policy.rs\"]\nmod route;",
        None,
    ),
    (
        "src/policy.rs",
        "pub struct PolicySpec",
        "impl PolicySpec {}\npub struct PolicySpec",
        None,
    ),
    ("src/policy.rs", "CustomResource, ", "", None),
    ("src/policy.rs", "String>", "Strin>", None),
    ("src/policy.rs", "}", "", None),
    (
        "channels/features.toml",
        "Where copies go.",
        "Where the copies go.",
        None,
    ),
    ("channels/stable.toml", "none", "all", None),
    ("Cargo.toml", "0.1.0", "0.2.0", None),
    (
        "src/nested/mod.rs",
        "pub mod deep {",
        "#[cfg(not(any()))]\npub mod deep {",
        Some(3),
    ),
    (
        "common/src/port.rs",
        "pub number: i32",
        "pub number: u16",
        Some(1),
    ),
    (
        "src/shared.rs",
        "pub struct Target {",
        "#[serde(deny_unknown_fields)]\npub struct Target {",
        Some(3),
    ),
];

fn forget(workspace: &Workspace) {
    let _ = fs::remove_file(workspace.path("target/crd-channels/memory.json"));
}

pub fn read(ran: &Ran) -> Option<usize> {
    let mut lines = ran.stdout.lines();
    let line = lines.find(|line| line.ends_with("kinds read") || line.ends_with("kind read"))?;
    let (_, document) = line.split_once("; ")?;
    document.split(' ').next()?.parse().ok()
}

/// Runs, and runs again from nothing: findings and files are the same.
fn compare(workspace: &Workspace) -> Ran {
    let ran = workspace.run(&["gen-crds"]);
    let files = workspace.generated();
    forget(workspace);
    let whole = workspace.run(&["gen-crds"]);
    assert_eq!(ran.stderr, whole.stderr);
    assert_eq!(ran.code, whole.code);
    assert_eq!(files, workspace.generated(), "{}", ran.stdout);
    ran
}

#[test]
fn kinds_that_depend_on_an_edit_are_read_again() {
    edit_in_turn(&Workspace::new(SHARED));
}

#[test]
fn kinds_with_findings_are_not_read_again_for_them() {
    let workspace = Workspace::new(SHARED);
    workspace.edit(
        "channels/bundle.toml",
        "untyped-list = \"allow\"",
        "untyped-list = \"warn\"",
    );
    let ran = workspace.generate();
    assert!(
        ran.stderr.matches("untyped-list").count() > 1,
        "{}",
        ran.stderr
    );
    edit_in_turn(&workspace);
}

fn edit_in_turn(workspace: &Workspace) {
    workspace.generate();
    assert_eq!(read(&workspace.generate()), Some(0));
    for (file, from, to, kinds) in EDITS {
        let before = workspace.read(file);
        workspace.write(file, before.replacen(from, to, 1));
        assert_ne!(workspace.read(file), before, "{file}: {from}");
        assert_eq!(read(&compare(workspace)), kinds, "{file}: {to}");
        workspace.write(file, before);
        compare(workspace);
    }
}

#[test]
fn any_order_of_edits_is_followed() {
    let workspace = Workspace::new(SHARED);
    workspace.generate();
    let mut dice: u64 = 7;
    let mut made = [false; EDITS.len()];
    let mut started_from_earlier = 0;
    let mut toggle = |place: usize| {
        let (file, from, to, _) = EDITS[place];
        let (from, to) = if made[place] { (to, from) } else { (from, to) };
        let text = workspace.read(file);
        // An edit that leaves no trace cannot be undone.
        if to.is_empty() || !text.contains(from) {
            return None;
        }
        workspace.write(file, text.replacen(from, to, 1));
        made[place] = !made[place];
        let ran = workspace.run(&["gen-crds"]);
        let checked = workspace.run(&["gen-crds", "--check"]);
        assert_eq!(checked.code, ran.code, "{file}: {to}\n{}", checked.stdout);
        assert_eq!(checked.stderr, ran.stderr, "{file}: {to}");
        started_from_earlier += usize::from(read(&ran).is_some());
        Some(ran)
    };
    for _ in 0..edits() {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let place = usize::try_from(dice >> 33).unwrap() % EDITS.len();
        // An edit that causes findings is undone, or soon all runs would fail.
        if toggle(place).is_some_and(|ran| !ran.stderr.is_empty()) {
            toggle(place);
        }
    }
    println!("{started_from_earlier} runs started from an earlier one");
    assert!(started_from_earlier > 10);
}

#[test]
fn edited_and_deleted_files_are_written_again() {
    let workspace = Workspace::new(SHARED);
    workspace.generate();
    let expected = workspace.generated();
    let file = "generated/stable/example.com_routes.yaml";
    workspace.write(
        file,
        workspace
            .read(file)
            .replace("All", "all")
            .replace("v0.1.0", "v0.1.1"),
    );
    assert_eq!(read(&workspace.generate()), Some(1));
    assert_eq!(workspace.generated(), expected);
    fs::remove_file(workspace.path(file)).unwrap();
    workspace.write("generated/stable/kustomization.yaml", "mine");
    assert_eq!(read(&workspace.generate()), Some(1));
    assert_eq!(workspace.generated(), expected);
    fs::remove_dir_all(workspace.path("generated")).unwrap();
    workspace.generate();
    assert_eq!(workspace.generated(), expected);
    workspace.write("src/route/mod.rs", "");
    assert_eq!(read(&compare(&workspace)), None);
}

#[test]
fn a_warning_is_reported_in_every_run() {
    let workspace = Workspace::new(SHARED);
    workspace.edit(
        "src/route.rs",
        "The targets.",
        "The targets; see `timeout`.",
    );
    let first = workspace.generate();
    assert!(first.stderr.contains("gated-name"), "{}", first.stderr);
    let again = workspace.generate();
    assert_eq!(again.stderr, first.stderr);
    assert_eq!(read(&again), Some(0));
    workspace.edit("words.md", "Whom", "Who");
    let again = workspace.generate();
    assert_eq!(again.stderr, first.stderr);
    assert_eq!(read(&again), Some(1));
}

/// Why a project's second run might read everything again, and the edit of a kind that another kind survives.
const PROJECTS: &[(&str, &str)] = &[
    (
        "a file that the build makes",
        "include!(concat!(env!(\"OUT_DIR\"), \"/names.rs\"));\n",
    ),
    (
        "items that a macro makes",
        "macro_rules! names { ($($name:ident)*) => { $(pub struct $name;)* } }\nnames!(Here There);\n",
    ),
    (
        "a kind that a macro makes",
        "macro_rules! kind { ($name:ident, $kind:literal) => {
            #[derive(crd_channels_derive::ApiType, kube::CustomResource, schemars::JsonSchema)]
            #[kube(group = \"example.com\", version = \"v1\", kind = $kind)]
            pub struct $name { pub host: String }
        } }\nkind!(MadeSpec, \"Made\");\n",
    ),
    ("an included file", "include!(\"more.inc\");\n"),
    ("an attribute without its derive", "#[serde(default)]\npub struct Loose {}\n"),
    (
        "versions that differ",
        "mod old {
    use crate::prelude::*;
    #[derive(crd_channels_derive::ApiType, Clone, CustomResource, Deserialize, JsonSchema, Serialize)]
    #[kube(group = \"example.com\", version = \"v1beta1\", kind = \"Route\", storage = false)]
    pub struct RouteSpec { pub targets: i32 }
}\n",
    ),
    ("a marker of Go", "mod marked {
    /// +optional
    #[derive(crd_channels_derive::ApiType, kube::CustomResource, schemars::JsonSchema)]
    #[kube(group = \"example.com\", version = \"v1\", kind = \"Marked\")]
    pub struct MarkedSpec {}
}\n"),
];

/// Whatever a project has: a second run reads nothing again, and says what the first one said.
#[test]
fn any_project_is_remembered() {
    for (what, source) in PROJECTS {
        let workspace = Workspace::new(SHARED);
        workspace.write("src/more.inc", "pub struct More;\n");
        let before = workspace.read("src/lib.rs");
        workspace.write("src/lib.rs", format!("{before}{source}"));
        let first = workspace.run(&["gen-crds"]).with_code(0);
        let second = workspace.run(&["gen-crds", "-v"]).with_code(0);
        assert_eq!(read(&second), Some(0), "{what}: {}", second.stderr);
        let again = workspace.run(&["gen-crds"]).with_code(0);
        assert_eq!(again.stderr, first.stderr, "{what}");
        workspace.edit("words.md", "Whom", "Who");
        compare(&workspace);
    }
}

/// A warning about a file does not keep an edit of a kind from being the only one that is read again.
#[test]
fn warnings_about_files_cost_nothing() {
    let workspace = Workspace::new(SHARED);
    workspace.edit(
        "src/policy.rs",
        "fn motto",
        "include!(concat!(env!(\"OUT_DIR\"), \"/names.rs\"));\nfn motto",
    );
    let first = workspace.generate();
    assert!(first.stderr.contains("unread-items"), "{}", first.stderr);
    workspace.edit("src/route.rs", "The targets.", "All targets.");
    let again = compare(&workspace);
    assert_eq!(read(&again), Some(1));
    assert_eq!(again.stderr, first.stderr);
    // The warning goes with its cause.
    workspace.edit(
        "src/policy.rs",
        "include!(concat!(env!(\"OUT_DIR\"), \"/names.rs\"));\n",
        "",
    );
    assert_eq!(compare(&workspace).stderr, "");
}

/// Whether rustc knows an attribute may depend on other files than the type's own.
#[test]
fn a_missing_derive_is_reported_in_every_run() {
    let workspace = Workspace::new(SHARED);
    workspace.generate();
    workspace.edit("src/route.rs", "crd_channels_derive::ApiType, ", "");
    for _ in 0..3 {
        let ran = workspace.run(&["gen-crds"]).with_code(0);
        assert!(ran.stderr.contains("missing-derive"), "{}", ran.stderr);
    }
    // Where a derive comes from, another file may say.
    workspace.edit("src/route.rs", "Clone,", "Channels, Clone,");
    workspace.edit(
        "src/prelude.rs",
        "pub use kube",
        "pub use crd_channels_derive::ApiType as Channels;\npub use kube",
    );
    assert_eq!(compare(&workspace).stderr, "");
    workspace.edit("src/prelude.rs", "ApiType as", "Convert as");
    let ran = compare(&workspace);
    assert!(ran.stderr.contains("missing-derive"), "{}", ran.stderr);
}

/// A function `default` of a type comes before the trait's, wherever a later edit writes it.
#[test]
fn a_function_that_comes_before_a_trait_s_is_seen() {
    let size = |more: &str| {
        format!(
            "use schemars::JsonSchema;\nuse serde::{{Deserialize, Serialize}};\nmod more;\n{more}
/// A size.
#[derive(Clone, Default, Deserialize, JsonSchema, Serialize)]
pub struct Size {{
    /// Its number.
    pub number: u8,
}}\n"
        )
    };
    let kind = |path: &str| {
        format!(
            "/// A route.
#[derive(kube::CustomResource, crd_channels_derive::ApiType, Clone, Deserialize, JsonSchema, Serialize)]
#[kube(group = \"example.com\", version = \"v1\", kind = \"Route\", namespaced)]
pub struct RouteSpec {{
    /// The size.
    #[serde(default)]
    pub size: {path},
}}\n"
        )
    };
    let (head, _) = SHARED.split_once("//- src/lib.rs").unwrap();
    let (head, tail) = head.split_once("//- common/src/lib.rs").unwrap();
    let (_, tail) = tail.split_once("//- channels/bundle.toml").unwrap();
    let own = "impl crate::Size {\n    pub fn default() -> Self {\n        Self { number: 7 }\n    }\n}\n";
    for (path, file) in [
        ("common::Size", "common/src/more.rs"),
        ("Size", "src/more.rs"),
    ] {
        let text = format!(
            "{head}//- common/src/lib.rs\n{}//- common/src/more.rs\n//- src/more.rs\n//- channels/bundle.toml{tail}//- src/lib.rs\n{}",
            size(""),
            size(&kind(path)),
        );
        let workspace = Workspace::new(&text);
        workspace.generate();
        let crd = "generated/stable/example.com_routes.yaml";
        assert!(
            workspace.read(crd).contains("number: 0"),
            "{}",
            workspace.read(crd)
        );
        workspace.write(file, own);
        workspace.generate();
        assert!(
            workspace.read(crd).contains("number: 7"),
            "{file}: {}",
            workspace.read(crd)
        );
    }
}
