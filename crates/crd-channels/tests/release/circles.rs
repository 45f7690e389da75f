//! Advice about versions leads somewhere: who does what the help of a refusal says is not refused for the same change again,
//! and is not sent back.

use super::{Project, ROUTE};
use std::collections::BTreeSet;

const GATE: &str = r#"
/// What opens.
#[derive(ApiType, Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Gate", namespaced)]
pub struct GateSpec {
    /// How wide.
    pub width: Option<String>,
}
"#;

/// A kind of change, as edits of the types.
const CHANGES: &[(&str, &[(&str, &str)])] = &[
    ("nothing", &[]),
    ("words", &[("The host.", "The name of the host.")]),
    ("looser", &[("max = 20", "max = 30")]),
    ("tighter", &[("max = 20", "max = 10")]),
    ("optional", &[("host: String", "host: Option<String>")]),
    (
        "another type",
        &[
            ("    #[schemars(length(max = 20))]\n", ""),
            ("host: String", "host: bool"),
        ],
    ),
    (
        "a default",
        &[(
            "length(max = 20)",
            "length(max = 20), extend(\"default\" = \"a\")",
        )],
    ),
    (
        "a rule",
        &[(
            "length(max = 20)",
            "length(max = 20), regex(pattern = \"^a\")",
        )],
    ),
    (
        "straight to stable",
        &[(
            "    /// So long.",
            "    /// New.\n    pub weight: Option<i32>,\n    /// So long.",
        )],
    ),
    (
        "required",
        &[(
            "    /// So long.",
            "    /// New.\n    pub weight: i32,\n    /// So long.",
        )],
    ),
    (
        "experimental",
        &[(
            "    /// So long.",
            "    /// New.\n    #[experimental]\n    pub weight: Option<i32>,\n    /// So long.",
        )],
    ),
    ("graduated", &[("    #[experimental]\n", "")]),
    (
        "demoted",
        &[(
            "    /// How wide.\n",
            "    /// How wide.\n    #[experimental]\n",
        )],
    ),
    (
        "removed",
        &[("    /// How wide.\n    pub width: Option<String>,\n", "")],
    ),
    (
        "cluster",
        &[("kind = \"Gate\", namespaced", "kind = \"Gate\"")],
    ),
    (
        "short name",
        &[(
            "kind = \"Gate\", namespaced",
            "kind = \"Gate\", namespaced, shortname = \"gt\"",
        )],
    ),
    ("version removed", &[OLD]),
    (
        "version unserved",
        &[("storage = false", "storage = false, served = false")],
    ),
    (
        "version deprecated",
        &[("storage = false", "storage = false, deprecated")],
    ),
    (
        "ga unserved",
        &[(
            "kind = \"Gate\", namespaced",
            "kind = \"Gate\", namespaced, served = false",
        )],
    ),
    (
        "new beta",
        &[("version = \"v1beta1\"", "version = \"v1beta2\"")],
    ),
];

/// Removes the older version of the kind, in [`types`].
const OLD: (&str, &str) = ("<OLD>", "");

/// Two kinds, one of them in two versions.
fn types() -> String {
    let (_, text) = ROUTE.split_once("//- src/lib.rs\n").unwrap();
    let at = text.find("/// Where requests go.").unwrap();
    let old = text[at..]
        .replace("version = \"v1\"", "version = \"v1beta1\", storage = false")
        .replace("RouteSpec", "OldRouteSpec");
    format!("{text}{GATE}<OLD>{old}<OLD>")
}

/// The types after a change; with `v2`, also with a new GA version of another kind.
fn changed(edits: &[(&str, &str)], v2: bool) -> String {
    let mut text = types();
    for (from, to) in edits {
        if (*from, *to) == OLD {
            let (before, rest) = text.split_once("<OLD>").unwrap();
            let (_, after) = rest.split_once("<OLD>").unwrap();
            text = format!("{before}{after}");
            continue;
        }
        assert!(text.contains(from), "no `{from}`");
        // Both versions of a kind change alike.
        text = text.replace(from, to);
    }
    if v2 {
        let at = text.find("/// What opens.").unwrap();
        let end = at + text[at..].find("}\n").unwrap() + 2;
        let new = text[at..end]
            .replace("version = \"v1\"", "version = \"v2\", storage = false")
            .replace("GateSpec", "NewGateSpec")
            .replace(", served = false", "");
        text.push_str(&new);
    }
    text.replace("<OLD>", "")
}

/// The refusals of a release, each with its help.
fn refusals(project: &Project, version: &str) -> Vec<(String, String)> {
    let ran = project.0.run(&["release", version, "--dry-run"]);
    let blocks = ran
        .stderr
        .split("\nerror[")
        .map(|block| block.trim_start_matches("error["));
    let blocks = blocks.filter_map(|block| {
        let (_, block) = block.split_once("release-refused]: ")?;
        let (message, rest) = block.split_once('\n')?;
        let help = rest.split_once("= help: ").map_or("", |(_, help)| help);
        Some((
            message.to_owned(),
            help.split("\n\n").next().unwrap().to_owned(),
        ))
    });
    let blocks: Vec<(String, String)> = blocks.collect();
    assert_eq!(
        ran.code,
        Some(i32::from(!blocks.is_empty())),
        "{version}: {}",
        ran.stderr
    );
    blocks
}

/// What was changed, without the version that was refused.
fn cause(message: &str) -> String {
    message
        .rsplit_once("): ")
        .map_or(message, |(cause, _)| cause)
        .to_owned()
}

#[test]
fn no_advice_leads_back() {
    let project = Project::new();
    project.0.write("src/lib.rs", changed(&[], false));
    project.commit_generated();
    project.publish("minor", "v0.1.0");
    let base = project.git(&["rev-parse", "HEAD"]);
    let write = |edits: &[(&str, &str)], v2: bool| {
        project.git(&["reset", "--quiet", "--hard", base.trim()]);
        project.0.write("src/lib.rs", changed(edits, v2));
        project.0.run(&["gen-crds"]).with_code(0);
        project.commit();
    };
    let mut seen = BTreeSet::new();
    for (name, edits) in CHANGES {
        write(edits, false);
        let asked = ["patch", "minor", "major"].map(|asked| refusals(&project, asked));
        let [_, minor, major] = &asked;
        for (message, help) in asked.iter().flatten() {
            let refused = cause(message);
            if help.starts_with("release a minor bundle") {
                seen.insert("minor");
                let again: Vec<_> = minor
                    .iter()
                    .filter(|(_, help)| help.contains("v1.0.0"))
                    .collect();
                assert!(again.is_empty(), "{name}: {message}: {help}\nbut {again:?}");
                assert_eq!(
                    minor.len(),
                    major.len() - 1,
                    "{name}: a minor is refused for more"
                );
            }
            let Some((_, rest)) = help.split_once("the lowest version that allows it is ") else {
                continue;
            };
            let version = rest
                .split([',', ';', ' '])
                .next()
                .unwrap()
                .trim_start_matches('v');
            let needs_version = rest.contains("if it also brings a new GA version such as `v2`");
            seen.insert(if needs_version { "major" } else { "lowest" });
            if needs_version {
                write(edits, true);
            }
            let left = refusals(&project, version);
            assert!(
                left.iter().all(|(message, _)| cause(message) != refused),
                "{name}: {message}: {help}\n{left:?}"
            );
            assert!(
                !left
                    .iter()
                    .any(|(_, help)| help.contains("release a minor")),
                "{name}: {help}\n{left:?}"
            );
            if needs_version {
                write(edits, false);
            }
        }
        // A major that lacks its version and carries what a minor cannot is not sent to a minor.
        if minor.iter().any(|(_, help)| help.contains("v1.0.0")) {
            let back = major
                .iter()
                .find(|(_, help)| help.starts_with("release a minor"));
            assert!(back.is_none(), "{name}: {back:?}");
        }
    }
    assert_eq!(
        seen.into_iter().collect::<Vec<_>>(),
        ["lowest", "major", "minor"]
    );
}

#[test]
fn a_served_version_is_removed_in_steps() {
    let project = Project::new();
    let write = |edits: &[(&str, &str)]| {
        project.0.write("src/lib.rs", changed(edits, false));
        project.commit_generated();
    };
    write(&[]);
    project.publish("minor", "v0.1.0");
    write(&[OLD]);
    let help = |fault: &str| {
        let all = refusals(&project, "minor");
        let found = all.iter().find(|(message, _)| message.contains(fault));
        found.unwrap_or_else(|| panic!("{all:?}")).1.clone()
    };
    let first = help("(version-removed)");
    assert!(
        first.contains("deprecate it with `crd-channels deprecate Route v1beta1`"),
        "{first}"
    );
    write(&[]);
    project
        .0
        .run(&["deprecate", "Route", "v1beta1"])
        .with_code(0);
    project.commit_generated();
    project.publish("minor", "v0.2.0");
    write(&[OLD]);
    let second = help("(version-removed)");
    assert!(second.starts_with("keep `v1beta1` of `Route` in this bundle with `served = false`, and remove it in the next one"), "{second}");
    write(&[(
        "storage = false",
        "storage = false, deprecated, served = false",
    )]);
    project.publish("minor", "v0.3.0");
    write(&[OLD]);
    super::lives::bury(&project, "v0.4.0");
    project.release("minor").with_code(0);
}
