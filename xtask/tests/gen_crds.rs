//! `gen-crds` from end to end: the real binary in real workspaces, from the first run to the last resort.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod support;

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::SystemTime;
use support::{Finding, Ran, Workspace, run};

/// One kind with a gated field, in two files.
const ROUTE: &str = r#"
//- channels/features.toml
[Timeouts]
summary = "How long a request may take."
//- src/lib.rs
mod route;
//- src/route.rs
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where requests go.
#[derive(Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Route", namespaced)]
pub struct RouteSpec {
    /// The name that clients ask for.
    pub host: String,
    /// How long a client waits.
    #[experimental(feature = "Timeouts")]
    pub timeout: Option<String>,
}
"#;

const FILES: [&str; 4] = [
    "experimental/example.com_routes.yaml",
    "experimental/kustomization.yaml",
    "stable/example.com_routes.yaml",
    "stable/kustomization.yaml",
];

const STABLE: &str = "generated/stable/example.com_routes.yaml";
const EXPERIMENTAL: &str = "generated/experimental/example.com_routes.yaml";

fn names(files: &BTreeMap<String, Vec<u8>>) -> Vec<&str> {
    files.keys().map(String::as_str).collect()
}

/// When each generated file was changed last.
fn times(workspace: &Workspace) -> BTreeMap<String, SystemTime> {
    let files = workspace.generated();
    let time = |name: &String| {
        let path = workspace.path("generated").join(name);
        fs::metadata(path).unwrap().modified().unwrap()
    };
    files
        .keys()
        .map(|name| (name.clone(), time(name)))
        .collect()
}

/// The findings of a run that ends with that code.
fn findings(workspace: &Workspace, code: i32) -> Vec<Finding> {
    let ran = workspace.run(&["gen-crds", "--format", "json"]);
    ran.with_code(code).findings()
}

/// Codes and places, in the order in which they are told.
fn places(findings: &[Finding]) -> Vec<String> {
    findings
        .iter()
        .map(|finding| match &finding.place {
            Some((file, line)) => format!("{}: {file}:{line}", finding.code),
            None => finding.code.clone(),
        })
        .collect()
}

fn crd(workspace: &Workspace, path: &str) -> Value {
    serde_saphyr::from_str(&workspace.read(path)).unwrap()
}

#[test]
fn the_first_run_writes_and_the_second_touches_nothing() {
    let workspace = Workspace::new(ROUTE);
    let first = workspace.generate();
    assert_eq!(names(&workspace.generated()), FILES);
    for name in FILES {
        assert!(
            first
                .stdout
                .contains(&format!("created generated/{name}\n"))
        );
    }
    assert!(!workspace.read(STABLE).contains("timeout"));
    assert!(workspace.read(EXPERIMENTAL).contains("timeout"));
    let before = times(&workspace);
    let second = workspace.generate();
    assert_eq!(second.stdout, "0 files written, 4 as they were\n");
    assert_eq!(second.stderr, "");
    assert_eq!(times(&workspace), before);
}

#[test]
fn an_edit_changes_only_what_it_concerns() {
    let workspace = Workspace::new(ROUTE);
    workspace.generate();
    let before = times(&workspace);
    workspace.edit(
        "src/route.rs",
        "How long a client waits.",
        "How long it takes.",
    );
    let ran = workspace.generate();
    assert_eq!(
        ran.stdout,
        format!("changed {EXPERIMENTAL}\n1 files written, 3 as they were\n")
    );
    let after = times(&workspace);
    let changed: Vec<_> = FILES
        .iter()
        .filter(|name| before[**name] != after[**name])
        .collect();
    assert_eq!(changed, [&"experimental/example.com_routes.yaml"]);
}

#[test]
fn check_tells_stale_missing_and_orphaned_files() {
    let workspace = Workspace::new(ROUTE);
    workspace.generate();
    let clean = workspace.run(&["gen-crds", "--check"]).with_code(0);
    assert_eq!((clean.stdout, clean.stderr), (String::new(), String::new()));

    workspace.edit(STABLE, "type: string", "type: integer");
    fs::remove_file(workspace.path(EXPERIMENTAL)).unwrap();
    let orphan = workspace.read(STABLE).replace("routes", "ways");
    workspace.write("generated/stable/example.com_ways.yaml", orphan);
    let before = workspace.generated();
    let ran = workspace.run(&["gen-crds", "--check"]).with_code(1);
    for line in [
        format!("stale: {STABLE}"),
        format!("missing: {EXPERIMENTAL}"),
        "orphaned: generated/stable/example.com_ways.yaml".to_owned(),
        "-            type: integer".to_owned(),
    ] {
        let found = ran
            .stdout
            .lines()
            .any(|said| said.trim_end() == line || said.contains(&line));
        assert!(found, "no `{line}` in\n{}", ran.stdout);
    }
    assert_eq!(ran.stderr, "help: run `cargo xtask gen-crds`\n");
    assert_eq!(workspace.generated(), before, "`--check` wrote");

    let mended = workspace.generate();
    assert!(
        mended
            .stdout
            .contains("removed generated/stable/example.com_ways.yaml\n")
    );
    workspace.run(&["gen-crds", "--check"]).with_code(0);
}

#[test]
fn what_nobody_generated_is_nobodys_orphan() {
    let workspace = Workspace::new(ROUTE);
    workspace.generate();
    workspace.write("generated/stable/README.md", "mine");
    workspace.write("generated/stable/notes.yaml", "kind: Note\n");
    workspace.write("generated/elsewhere/x.yaml", "kind: Note\n");
    workspace.run(&["gen-crds", "--check"]).with_code(0);
    workspace.generate();
    assert_eq!(
        workspace.read("generated/stable/notes.yaml"),
        "kind: Note\n"
    );
}

#[test]
fn a_diff_shows_everything_and_is_no_finding() {
    let workspace = Workspace::new(ROUTE);
    let ran = workspace.run(&["gen-crds", "--diff"]).with_code(0);
    assert!(workspace.generated().is_empty());
    let added = ran
        .stdout
        .lines()
        .filter(|line| line.starts_with('+'))
        .count();
    assert!(added > 60, "{}", ran.stdout);
    let checked = workspace
        .run(&["gen-crds", "--diff", "--check"])
        .with_code(1);
    assert_eq!(checked.stdout, ran.stdout);
    let short = workspace.run(&["gen-crds", "--check"]).with_code(1);
    assert!(short.stdout.contains(" more lines"), "{}", short.stdout);
}

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
        ("zzz", "there are: stable, experimental"),
    ] {
        let ran = workspace.run(&["gen-crds", "--channel", given, "--format", "json"]);
        let found = ran.with_code(1).findings();
        assert_eq!(places(&found), ["config-invalid"]);
        assert_eq!(found[0].help.as_deref(), Some(help));
    }
    assert!(workspace.generated().is_empty());
}

#[test]
fn wrong_arguments_are_not_findings() {
    let workspace = Workspace::new(ROUTE);
    for arguments in [
        &["gen-crds", "--chanel", "stable"][..],
        &["gen-crds", "--format", "yaml"],
        &["gen-crds", "--watch", "--check"],
        &["gen-crd"],
        &[],
    ] {
        let ran = workspace.run(arguments).with_code(2);
        assert!(
            ran.stdout.is_empty() && !ran.stderr.is_empty(),
            "{arguments:?}: {ran:?}"
        );
    }
    assert!(
        workspace
            .run(&["gen-crds", "--help"])
            .with_code(0)
            .stdout
            .contains("--check")
    );
}

#[test]
fn another_output_folder() {
    let workspace = Workspace::new(&format!("//- folder some/place\n{ROUTE}"));
    workspace.generate();
    let expected = workspace.generated();
    let elsewhere = Workspace::new("");
    let absolute = elsewhere.path("a/b").to_str().unwrap().to_owned();
    let up = "../out";
    for (from, output, is) in [
        ("", "out/deep", workspace.path("out/deep")),
        ("src", "out", workspace.path("src/out")),
        ("some/place", up, workspace.path("some/out")),
        ("", &absolute, elsewhere.path("a/b")),
        ("", ".", workspace.path("")),
    ] {
        let go = |arguments: &[&str]| {
            let all = [&["gen-crds", "--output", output][..], arguments].concat();
            run(&mut workspace.command_in(from, &all))
        };
        let ran = go(&[]).with_code(0);
        let first = Path::new(output).join(FILES[0]);
        let said = format!("created {}\n", first.display());
        assert!(ran.stdout.starts_with(&said), "{}", ran.stdout);
        for (name, bytes) in &expected {
            assert_eq!(
                &fs::read(is.join(name)).unwrap(),
                bytes,
                "{name} in {output}"
            );
        }
        go(&["--check"]).with_code(0);
        fs::remove_file(is.join(FILES[0])).unwrap();
        go(&["--check"]).with_code(1);
    }
    assert_eq!(workspace.generated(), expected);
}

#[test]
fn a_subfolder_is_as_good_as_the_root() {
    let workspace = Workspace::new(ROUTE);
    run(&mut workspace.command_in("src", &["gen-crds"])).with_code(0);
    assert_eq!(names(&workspace.generated()), FILES);
}

#[test]
fn no_manifest_anywhere() {
    let workspace = Workspace::new("//- no Cargo.toml\n");
    let ran = workspace
        .run(&["gen-crds", "--format", "json"])
        .with_code(2);
    assert_eq!(places(&ran.findings()), ["cargo-failed"]);
}

/// An error with a place and a label, an error without a place, and a warning.
const BROKEN: &str = r#"
//- channels/bundle.toml
packages = ["demo", "dmeo"]
//- src/lib.rs
use kube::CustomResource;
#[derive(CustomResource, schemars::JsonSchema)]
#[kube(group = "example.com", version = "v1", kind = "Route")]
pub struct RouteSpec {
    /// Beside `path`, for 100%: of,
    pub host: String,
    #[experimental]
    pub path: String,
}
"#;

#[test]
fn formats_for_programs() {
    let workspace = Workspace::new(BROKEN);
    let go = |format| {
        workspace
            .run(&["gen-crds", "--format", format])
            .with_code(1)
    };

    let json = go("json");
    assert_eq!(json.stderr, "");
    let value: Value = serde_json::from_str(&json.stdout).unwrap();
    let findings = value["findings"].as_array().unwrap();
    let codes: Vec<&str> = findings
        .iter()
        .map(|finding| finding["code"].as_str().unwrap())
        .collect();
    assert_eq!(
        codes,
        ["package-not-found", "gated-name", "required-gated-field"]
    );
    let required = &findings[2];
    assert_eq!(required["place"]["file"], "src/lib.rs");
    assert_eq!(required["place"]["line"], 8);
    assert!(required["place"]["endColumn"].as_u64() > required["place"]["column"].as_u64());
    assert_eq!(required["labels"][0]["place"]["line"], 7);
    assert_eq!(required["severity"], "error");
    assert_eq!(findings[1]["severity"], "warning");

    let github = go("github").stdout;
    let lines: Vec<&str> = github.lines().collect();
    assert_eq!(lines.len(), 3, "{github}");
    assert!(
        lines[0].starts_with(
            "::error file=channels/bundle.toml,line=1,col=21,title=package-not-found::"
        )
    );
    assert!(
        lines[1].starts_with("::warning file=src/lib.rs,line="),
        "{github}"
    );
    assert!(
        lines.iter().all(|line| line.contains("%0Ahelp: ")),
        "{github}"
    );

    let sarif: Value = serde_json::from_str(&go("sarif").stdout).unwrap();
    assert_eq!(sarif["version"], "2.1.0");
    let run = &sarif["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let results = run["results"].as_array().unwrap();
    assert_eq!((rules.len(), results.len()), (3, 3));
    for result in results {
        assert!(rules.iter().any(|rule| rule["id"] == result["ruleId"]));
        assert!(["error", "warning"].contains(&result["level"].as_str().unwrap()));
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
        let place = &result["locations"][0]["physicalLocation"];
        assert!(
            place["artifactLocation"]["uri"]
                .as_str()
                .unwrap()
                .ends_with("toml")
                || place["artifactLocation"]["uri"] == "src/lib.rs"
        );
        assert!(place["region"]["startLine"].as_u64().unwrap() > 0);
    }
}

#[test]
fn programs_read_stdout_alone() {
    for format in ["json", "sarif"] {
        let workspace = Workspace::new(ROUTE);
        for arguments in [&["--diff", "--sizes"][..], &["--check"], &[], &[]] {
            let all = [&["gen-crds", "--format", format][..], arguments].concat();
            let ran = workspace.run(&all);
            let parsed: Result<Value, _> = serde_json::from_str(&ran.stdout);
            assert!(parsed.is_ok(), "{arguments:?}\n{}", ran.stdout);
        }
    }
    let workspace = Workspace::new(ROUTE);
    assert_eq!(
        workspace
            .run(&["gen-crds", "--format", "github"])
            .with_code(0)
            .stdout,
        ""
    );
}

/// The output of a run that is told other things about its surroundings.
fn generated_with(
    workspace: &Workspace,
    surroundings: &[(&str, &str)],
) -> BTreeMap<String, Vec<u8>> {
    let mut command = workspace.command(&["gen-crds"]);
    command.envs(surroundings.iter().copied());
    run(&mut command).with_code(0);
    workspace.generated()
}

/// Several kinds, types used from many places, rules, defaults, maps.
fn many() -> String {
    let mut text = String::from("//- src/lib.rs\n");
    for index in 0..12 {
        text += &format!("mod m{index};\n");
    }
    for index in 0..12 {
        let other = (index + 5) % 12;
        text += &format!(
            r#"//- src/m{index}.rs
use kube::{{CustomResource, KubeSchema}};
use std::collections::{{BTreeMap, HashMap, HashSet}};
/// Kind {index}.
#[derive(Clone, CustomResource, KubeSchema, serde::Deserialize, serde::Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Kind{index}", shortname = "k{index}", category = "b", category = "a")]
#[x_kube(validation = Rule::new("self.own != 'x'").message("no x"))]
pub struct Kind{index}Spec {{
    pub own: String,
    pub other: Option<crate::m{other}::Part{other}>,
    #[experimental]
    pub gated: Option<Vec<Part{index}>>,
    pub map: HashMap<String, Part{index}>,
    pub set: HashSet<String>,
    pub sorted: BTreeMap<String, Vec<String>>,
}}
#[derive(Clone, schemars::JsonSchema, serde::Deserialize, serde::Serialize)]
pub struct Part{index} {{
    pub z: u8,
    #[serde(default = "seven")]
    pub a: i64,
    #[not_experimental]
    pub m: Option<bool>,
}}
fn seven() -> i64 {{ 7 }}
"#
        );
    }
    text
}

#[test]
fn the_same_input_gives_the_same_bytes_anywhere() {
    let text = many();
    let here = Workspace::new(&text);
    let expected = generated_with(&here, &[]);
    assert_eq!(expected.len(), 26);
    let long =
        std::env::temp_dir().join(format!("crd-channels-{}-ä long name", std::process::id()));
    let there = Workspace::at(long, &text);
    let homeless = here.path("no-such-home");
    let surroundings = [
        ("LC_ALL", "tr_TR.UTF-8"),
        ("LANG", "de_DE"),
        ("TZ", "Asia/Kathmandu"),
        ("RAYON_NUM_THREADS", "1"),
        ("NO_COLOR", "1"),
    ];
    assert_eq!(generated_with(&there, &surroundings), expected);
    fs::remove_dir_all(there.path("generated")).unwrap();
    assert_eq!(
        generated_with(&there, &[("RAYON_NUM_THREADS", "4"), ("TZ", "UTC")]),
        expected
    );
    // What cargo itself needs of a home has its own variables.
    if let Ok(home) = std::env::var("HOME") {
        let kept = |name: &str, folder: &str| {
            std::env::var(name).unwrap_or_else(|_| format!("{home}/{folder}"))
        };
        let (cargo, rustup) = (kept("CARGO_HOME", ".cargo"), kept("RUSTUP_HOME", ".rustup"));
        fs::remove_dir_all(there.path("generated")).unwrap();
        let moved = [
            ("HOME", homeless.to_str().unwrap()),
            ("CARGO_HOME", &cargo),
            ("RUSTUP_HOME", &rustup),
        ];
        assert_eq!(generated_with(&there, &moved), expected);
    }
    for bytes in expected.values() {
        let text = std::str::from_utf8(bytes).unwrap();
        let tmp = std::env::temp_dir();
        assert!(!text.contains(tmp.to_str().unwrap()), "{text}");
    }
}

#[test]
fn the_order_in_which_files_were_made_does_not_matter() {
    let text = many();
    let forwards = Workspace::new(&text);
    let backwards = Workspace::new(&text);
    let sources = backwards.files("src");
    fs::remove_dir_all(backwards.path("src")).unwrap();
    for (name, bytes) in sources.iter().rev() {
        backwards.write(&format!("src/{name}"), bytes);
    }
    assert_eq!(
        generated_with(&forwards, &[]),
        generated_with(&backwards, &[])
    );
}

#[test]
fn findings_of_several_files_come_all_at_once() {
    let workspace = Workspace::new(
        r#"
//- src/lib.rs
mod broken;
mod gates;
mod values;
mod last;
//- src/broken.rs
pub struct Broken {
//- src/gates.rs
use kube::CustomResource;
#[derive(CustomResource, schemars::JsonSchema)]
#[kube(group = "example.com", version = "v1", kind = "Route")]
pub struct RouteSpec {
    #[experimental(feature = "Timeouts")]
    pub timeout: Option<String>,
    #[experimental]
    pub path: String,
}
//- src/values.rs
use kube::CustomResource;
#[derive(CustomResource, schemars::JsonSchema)]
#[kube(group = "example.com", version = "v1", kind = "Gateway")]
pub struct GatewaySpec {
    pub gone: Gone,
    #[schemars(lenght(max = 8))]
    pub name: String,
}
//- src/last.rs
mod nowhere;
"#,
    );
    let found = findings(&workspace, 1);
    assert_eq!(
        places(&found),
        [
            "syntax-error: src/broken.rs:1",
            "unknown-feature: src/gates.rs:5",
            "required-gated-field: src/gates.rs:8",
            "module-not-found: src/last.rs:1",
            "unresolved-path: src/values.rs:5",
            "unknown-attribute: src/values.rs:6",
        ]
    );
    let attribute = found.last().unwrap();
    assert_eq!(attribute.help.as_deref(), Some("did you mean `length`"));
    assert!(workspace.generated().is_empty());
    let told = workspace.run(&["gen-crds"]).with_code(1);
    assert_eq!(told.stdout, "");
    assert!(
        told.stderr.ends_with("6 errors; nothing was written\n"),
        "{}",
        told.stderr
    );
}

#[test]
fn an_error_leaves_the_old_files_alone() {
    let workspace = Workspace::new(ROUTE);
    workspace.generate();
    let before = (workspace.generated(), times(&workspace));
    workspace.edit("src/route.rs", "String,", "Strin,");
    findings(&workspace, 1);
    findings(&workspace, 1);
    assert_eq!((workspace.generated(), times(&workspace)), before);
    workspace.run(&["gen-crds", "--check"]).with_code(1);
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
kube = { path = "../stubs/kube" }
shared-types = { path = "../common", package = "common" }
//- api/src/lib.rs
use kube::CustomResource;
use shared_types::{Port, names::Host as Name};
#[derive(CustomResource, schemars::JsonSchema)]
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
#[derive(schemars::JsonSchema)]
pub struct Port(#[schemars(range(min = 1))] u16);
//- common/src/names.rs
#[derive(schemars::JsonSchema)]
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
    // What is wrong there is told there.
    workspace.edit("common/src/names.rs", "Option<bool>", "bool");
    let found = findings(&workspace, 1);
    assert_eq!(
        places(&found),
        ["required-gated-field: common/src/names.rs:5"]
    );
}

/// A kind in a group.
fn kind(group: &str, version: &str, kind: &str, more: &str) -> String {
    format!(
        "#[derive(kube::CustomResource, schemars::JsonSchema)]\n\
         #[kube(group = \"{group}\", version = \"{version}\", kind = \"{kind}\"{more})]\n\
         pub struct {kind}{version}Spec {{\n    pub host: String,\n}}\n"
    )
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
#[derive(kube::CustomResource, schemars::JsonSchema)]
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
    // A kind of which nothing is left has no file.
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

#[test]
fn sizes_are_shown_beside_their_limits() {
    let workspace = Workspace::new(ROUTE);
    let ran = workspace
        .run(&["gen-crds", "--check", "--sizes"])
        .with_code(1);
    assert!(ran.stdout.contains("routes.example.com"), "{}", ran.stdout);
}

#[test]
fn a_crd_too_large_for_client_side_apply() {
    let workspace = Workspace::new(ROUTE);
    let words = "word ".repeat(60_000);
    workspace.edit("src/route.rs", "The name that clients ask for.", &words);
    let found = findings(&workspace, 0);
    assert_eq!(places(&found), ["size-limit", "size-limit"]);
    assert_eq!(names(&workspace.generated()), FILES);
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
#[derive(schemars::JsonSchema)]
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
#[derive(kube::CustomResource, schemars::JsonSchema)]
#[kube(group = "example.com", version = "v1", kind = "Route")]
pub struct RouteSpec {
    pub host: far::Host,
}
"#,
    );
    workspace.generate();
    // As a program leaves it that removes files that nobody has read for long: folders stay.
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
    workspace.generate();
    fs::remove_file(workspace.path("src/route.rs")).unwrap();
    assert_eq!(
        places(&findings(&workspace, 1)),
        ["module-not-found: src/lib.rs:1"]
    );
    assert_eq!(names(&workspace.generated()), FILES);
}

#[test]
fn a_package_that_is_added_is_found_at_once() {
    let workspace = Workspace::new(&ROUTE.replacen(
        "//- src/lib.rs",
        "//- Cargo.toml\n[workspace]\nmembers = [\"apis/*\"]\nexclude = [\"stubs\"]\n[package]\nname = \"demo\"\nversion = \"0.1.0\"\n\
         edition = \"2024\"\n[dependencies]\nkube = { path = \"stubs/kube\" }\n//- src/lib.rs",
        1,
    ));
    workspace.generate();
    workspace.write("apis/more/Cargo.toml", "[package]\nname = \"more\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[dependencies]\nkube = { path = \"../../stubs/kube\" }\n");
    workspace.write(
        "apis/more/src/lib.rs",
        kind("example.com", "v1", "More", ""),
    );
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

#[test]
fn hostile_sources_are_findings() {
    let deep = |open: &str, close: &str, times: usize| {
        format!(
            "const DEEP: u8 = {}1{};\n",
            open.repeat(times),
            close.repeat(times)
        )
    };
    for (text, code) in [
        (deep("(", ")", 100_000), "nesting-too-deep"),
        (deep("[", "]", 20_000), "nesting-too-deep"),
        (deep("{", "", 20_000), ""),
        (deep("&", "", 200_000), ""),
        (deep("!", "", 200_000), ""),
        (
            format!(
                "type Deep = {}u8{};\n",
                "Vec<".repeat(50_000),
                ">".repeat(50_000)
            ),
            "",
        ),
        (
            format!("#[doc = \"{}\"]\nmod x {{}}\n", "x".repeat(1_000_000)),
            "-",
        ),
        ("\u{feff}mod x {}\n".to_owned(), "-"),
        ("\0".to_owned(), "syntax-error"),
        ("macro_rules! m { () => { m!{} } }\nm!{}\n".to_owned(), "-"),
        ("mod lib;\n".to_owned(), "module-not-found"),
        (
            "#[path = \"/dev/null/x.rs\"]\nmod x;\n".to_owned(),
            "module-not-found",
        ),
    ] {
        let workspace = Workspace::new(ROUTE);
        workspace.write("src/lib.rs", format!("mod route;\n{text}"));
        let ran = workspace.run(&["gen-crds", "--format", "json"]);
        let shown = &text[..text.len().min(60)];
        match code {
            "-" => drop(ran.with_code(0)),
            code => {
                let found = ran.with_code(1).findings();
                assert!(
                    code.is_empty() || found[0].code == code,
                    "{shown}: {found:#?}"
                );
            }
        }
    }
}

#[test]
fn a_folder_that_cannot_be_written() {
    let workspace = Workspace::new(ROUTE);
    workspace.generate();
    workspace.edit(
        "src/route.rs",
        "How long a client waits.",
        "How long it takes.",
    );
    let folder = workspace.path("generated/experimental");
    let allow = |folder: &Path, writing: bool| {
        let mut permissions = fs::metadata(folder).unwrap().permissions();
        #[cfg(unix)]
        std::os::unix::fs::PermissionsExt::set_mode(
            &mut permissions,
            if writing { 0o755 } else { 0o555 },
        );
        #[cfg(not(unix))]
        permissions.set_readonly(!writing);
        fs::set_permissions(folder, permissions).unwrap();
    };
    allow(&folder, false);
    if fs::write(folder.join("probe"), "").is_ok() {
        println!(
            "skipped: this user writes into read-only folders; `files/tests/faults.rs` injects the fault"
        );
        allow(&folder, true);
        return;
    }
    let before = workspace.generated();
    let ran = workspace.run(&["gen-crds", "--format", "json"]);
    allow(&folder, true);
    assert_eq!(places(&ran.with_code(2).findings()), ["write-failed"]);
    assert_eq!(workspace.generated(), before);
    workspace.generate();
}

/// Old or new, whole, and nothing left beside them.
fn settled(workspace: &Workspace, expected: &BTreeMap<String, Vec<u8>>) {
    let ran: Ran = workspace.run(&["gen-crds"]).with_code(0);
    let found = workspace.generated();
    assert_eq!(
        names(&found),
        names(expected),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
    assert_eq!(&found, expected);
    let state = workspace.files("target/crd-channels");
    let left: Vec<_> = state
        .keys()
        .filter(|name| !["lock", "workspace.json"].contains(&name.as_str()))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_kill_at_any_moment_leaves_whole_files() {
    let workspace = Workspace::new(&many());
    workspace.generate();
    let old = workspace.generated();
    let edit = |from: &str, to: &str| {
        for index in 0..12 {
            workspace.edit(&format!("src/m{index}.rs"), from, to);
        }
    };
    edit("/// Kind", "/// The kind");
    workspace.generate();
    let new = workspace.generated();
    let states = [
        (&old, "/// The kind", "/// Kind"),
        (&new, "/// Kind", "/// The kind"),
    ];
    for round in 0..24u64 {
        let (expected, from, to) = states[usize::try_from(round % 2).unwrap()];
        edit(from, to);
        let mut child = workspace
            .command(&["gen-crds"])
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_millis(2 + round * 2));
        child.kill().unwrap();
        child.wait().unwrap();
        for (name, bytes) in workspace.generated() {
            let hidden = name.contains(".crd-channels-");
            let whole = old.get(&name) == Some(&bytes) || new.get(&name) == Some(&bytes);
            assert!(hidden || whole, "{name} is neither old nor new");
        }
        settled(&workspace, expected);
    }
}

#[test]
fn two_runs_at_once_agree() {
    let workspace = Workspace::new(&many());
    let mut children: Vec<_> = (0..4)
        .map(|_| {
            workspace
                .command(&["gen-crds"])
                .stdout(std::process::Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect();
    for child in &mut children {
        assert!(child.wait().unwrap().success());
    }
    workspace.run(&["gen-crds", "--check"]).with_code(0);
}
