//! The output of findings, for people and for programs.

use super::{ROUTE, STABLE, findings, places, times};
use crate::support::Workspace;
use serde_json::Value;

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

/// The most common failure of a pipeline is an annotation like any other.
#[test]
fn stale_files_are_findings_of_programs() {
    let workspace = Workspace::new(ROUTE);
    workspace.generate();
    let text = workspace.read(STABLE);
    let line = text
        .lines()
        .position(|line| line.contains("kind: Route"))
        .unwrap()
        + 1;
    workspace.write(STABLE, text.replace("kind: Route", "kind: Rout"));
    let experimental = STABLE.replace("stable", "experimental");
    std::fs::remove_file(workspace.path(&experimental)).unwrap();
    let orphan = "generated/stable/example.com_olds.yaml";
    workspace.write(orphan, text.replace("routes", "olds"));
    let check = |format: &str| {
        let ran = workspace.run(&["gen-crds", "--check", "--format", format]);
        ran.with_code(1)
    };
    let found = check("json").findings();
    let reported: Vec<(&str, &str, &str, u64)> = found
        .iter()
        .map(|finding| {
            let (file, line) = finding.place.as_ref().unwrap();
            (&*finding.code, &*finding.message, &**file, *line)
        })
        .collect();
    let message = |path: &str, state: &str| format!("`{path}` is {state}");
    let messages = [
        message(&experimental, "missing"),
        message(orphan, "orphaned"),
        message(STABLE, "stale"),
    ];
    let [missing, orphaned, stale] = messages.each_ref();
    assert_eq!(
        reported,
        [
            ("stale-files", missing.as_str(), experimental.as_str(), 1),
            ("stale-files", orphaned.as_str(), orphan, 1),
            ("stale-files", stale.as_str(), STABLE, line as u64),
        ]
    );
    let help = found[0].help.as_deref();
    assert_eq!(
        help,
        Some("run `crd-channels gen-crds` and commit what it writes")
    );
    let github = check("github").stdout;
    let annotation = format!("::error file={STABLE},line={line},");
    assert!(github.contains(&annotation), "{github}");
    workspace.generate();
    let fresh = workspace.run(&["gen-crds", "--check", "--format", "github"]);
    assert_eq!(fresh.with_code(0).stdout, "");
}

/// An error with a place and a label, an error without a place, and a warning.
const BROKEN: &str = r#"
//- channels/bundle.toml
packages = ["demo", "dmeo"]
//- src/lib.rs
use kube::CustomResource;
#[derive(crd_channels_derive::ApiType, CustomResource, schemars::JsonSchema)]
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
#[derive(crd_channels_derive::ApiType, CustomResource, schemars::JsonSchema)]
#[kube(group = "example.com", version = "v1", kind = "Route")]
pub struct RouteSpec {
    #[experimental(feature = "Timeouts")]
    pub timeout: Option<String>,
    #[experimental]
    pub path: String,
}
//- src/values.rs
use kube::CustomResource;
#[derive(crd_channels_derive::ApiType, CustomResource, schemars::JsonSchema)]
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
    assert_eq!(attribute.help.as_deref(), Some("did you mean `length`?"));
    assert!(workspace.generated().is_empty());
    let ran = workspace.run(&["gen-crds"]).with_code(1);
    assert_eq!(ran.stdout, "");
    assert!(
        ran.stderr.ends_with("6 errors; nothing was written\n"),
        "{}",
        ran.stderr
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

/// rust-analyzer reads cargo's messages, then ours.
#[test]
fn editors_read_findings_as_the_compilers() {
    let workspace = Workspace::new(BROKEN);
    let ran = workspace
        .run(&["gen-crds", "--check", "--format", "rustc-json"])
        .with_code(1);
    let stream = std::io::Cursor::new(&ran.stdout);
    let messages = cargo_metadata::Message::parse_stream(stream).map(Result::unwrap);
    let found: Vec<_> = messages
        .map(|message| match message {
            cargo_metadata::Message::CompilerMessage(message) => message,
            other => panic!("{other:?}"),
        })
        .collect();
    let json = workspace.run(&["gen-crds", "--check", "--format", "json"]);
    assert_eq!(found.len(), json.findings().len());
    for (message, finding) in found.iter().zip(json.findings()) {
        let diagnostic = &message.message;
        assert_eq!(diagnostic.message, finding.message);
        assert_eq!(diagnostic.code.as_ref().unwrap().code, finding.code);
        assert_eq!(Some(&diagnostic.children[0].message), finding.help.as_ref());
        let primary = diagnostic.spans.iter().find(|span| span.is_primary);
        let place = primary.map(|span| (span.file_name.clone(), span.line_start as u64));
        assert_eq!(place, finding.place);
        if let Some(span) = primary {
            let text = workspace.read(&span.file_name);
            let line = text.lines().nth(span.line_start - 1).unwrap();
            assert_eq!(span.text[0].text, line);
            let bytes = &text[span.byte_start as usize..span.byte_end as usize];
            let marked = &line[span.column_start - 1..span.column_end - 1];
            assert_eq!(bytes, marked);
        }
        assert!(
            message.package_id.repr.ends_with("#demo@0.1.0"),
            "{}",
            message.package_id
        );
        assert!(
            diagnostic
                .rendered
                .as_ref()
                .unwrap()
                .contains(&finding.code)
        );
    }
    assert!(found.iter().any(|message| message.message.spans.len() == 2));
}

/// The place is the part of the expression, however its text is written.
#[test]
fn editors_point_into_expressions() {
    let with_rules = r##"#[x_kube(validation = "self.none == '\u{e9}'")]
#[x_kube(validation = Rule::new(r#"self.hostt == "a""#))]
pub struct RouteSpec"##;
    let text = ROUTE
        .replace(
            "use kube::CustomResource;",
            "use kube::{CustomResource, KubeSchema};",
        )
        .replace(
            "Deserialize, JsonSchema, Serialize)",
            "Deserialize, KubeSchema, Serialize)",
        )
        .replace("pub struct RouteSpec", with_rules);
    let workspace = Workspace::new(&text);
    let ran = workspace.run(&["gen-crds", "--check", "--format", "rustc-json"]);
    let messages = ran.stdout.lines().map(|line| {
        let message: Value = serde_json::from_str(line).unwrap();
        message["message"]["spans"][0].clone()
    });
    let marked: Vec<String> = messages
        .map(|span| {
            let text = workspace.read(span["file_name"].as_str().unwrap());
            let byte = |key: &str| usize::try_from(span[key].as_u64().unwrap()).unwrap();
            text[byte("byte_start")..byte("byte_end")].to_owned()
        })
        .collect();
    assert_eq!(marked, ["none", "hostt"]);
}

/// `crd-channels gen-crds | head` still writes everything.
#[cfg(unix)]
#[test]
fn closed_pipes_do_not_stop_a_run() {
    let workspace = Workspace::new(ROUTE);
    for arguments in [&["gen-crds"][..], &["gen-crds", "--format", "json"]] {
        let (reader, closed) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = workspace.command(arguments);
        let (errors, closed_errors) = std::io::pipe().unwrap();
        drop(errors);
        command.stdout(closed).stderr(closed_errors);
        assert_eq!(command.status().unwrap().code(), Some(0), "{arguments:?}");
        workspace.read(STABLE);
    }
}
