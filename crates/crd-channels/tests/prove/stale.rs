//! A record is not used any more once code that its value depends on has changed. Other code of the same file does not matter, nor
//! does it change the file with the records, so that branches with different edits merge.

use super::holes::package;
use crate::support::run;

const VALUES: &str = "
//- dep/Cargo.toml
[package]
name = \"dep\"
version = \"0.1.0\"
edition = \"2024\"
//- dep/src/lib.rs
//! A dependency.
pub fn seven() -> u64 { \"7\".parse().unwrap() }
pub fn unused() -> u64 { 1 }
//- src/apart.rs
pub fn apart() -> u8 { 1 }
//- src/values.rs
/// How many.
pub fn many() -> u64 { [1, 2].into_iter().sum() }
pub fn other() -> u64 { 5 }
";

const TYPES: &str = "
mod apart;
mod values;

/// A part.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub struct Part {
    /// How many.
    #[serde(default = \"values::many\")]
    pub many: u64,
    #[serde(default = \"dep::seven\")]
    pub seven: u64,
    pub made: Option<Made>,
    /// By a function.
    #[schemars(schema_with = \"by_hand\")]
    pub hand: u8,
}
/// Makes a schema.
fn by_hand(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::Schema::try_from(Most { least: 1 }.schema()).unwrap()
}
/// A bound.
#[derive(Debug)]
struct Most {
    /// The least.
    least: u8,
}
impl Most {
    /// The schema with it.
    fn schema(&self) -> serde_json::Value {
        serde_json::Value::from_iter([(\"minimum\", self.least)])
    }
}
/// Made by hand.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Made(u8);
impl JsonSchema for Made {
    fn schema_name() -> std::borrow::Cow<'static, str> { \"Made\".into() }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        std::convert::identity(Seen::json_schema(generator))
    }
}
#[derive(JsonSchema)]
pub struct Seen {
    /// Seen.
    pub seen: u8,
}
fn where_it_stands() -> u32 { line!() }

$kind
#[kube(group = \"a.example.com\", version = \"v1\", kind = \"Route\")]
pub struct RouteSpec {
    #[serde(default = \"where_it_stands\")]
    pub lines: u32,
    pub part: Part,
}
pub fn reconcile() -> u8 { 1 }
";

const CHANGED: &str = "code has changed that may decide it since ";

#[test]
fn only_what_a_value_depends_on_makes_its_record_stale() {
    let project = package(&(TYPES.to_owned() + VALUES));
    // The code of a dependency of this repository would be code of the project.
    let manifest = project.workspace.read("Cargo.toml");
    let lines = manifest.lines();
    let lines = lines.filter(|line| !line.starts_with("crd-channels-derive"));
    let manifest = lines.collect::<Vec<_>>().join("\n") + "\ndep = { path = \"dep\" }\n";
    project.workspace.write("Cargo.toml", manifest);
    project.run(&["gen-crds", "--record"]).with_code(0);
    let lines = &["api::RouteSpec.lines"][..];
    for (what, file, from, to, stale) in [
        (
            "a comment",
            "src/lib.rs",
            "/// A part.",
            "// Why.\n\n/// A part.",
            lines,
        ),
        (
            "a comment",
            "src/values.rs",
            "pub fn",
            "// Why.\npub fn",
            &[],
        ),
        (
            "the layout",
            "src/values.rs",
            "{ [1, 2]",
            "{\n    [ 1, 2 ]",
            &[],
        ),
        (
            "another function",
            "src/lib.rs",
            "u8 { 1 }",
            "u8 { 2 }",
            lines,
        ),
        (
            "another function",
            "src/values.rs",
            "u64 { 5 }",
            "u64 { 6 }",
            &[],
        ),
        ("another file", "src/apart.rs", "1", "2", &[]),
        (
            "another field",
            "src/lib.rs",
            "pub part: Part,",
            "pub part: Part, pub more: u8,",
            lines,
        ),
        (
            "the type's documentation",
            "src/lib.rs",
            "A part.",
            "Some part.",
            lines,
        ),
        (
            "the documentation of a function",
            "src/lib.rs",
            "Makes a schema.",
            "Makes it.",
            lines,
        ),
        (
            "the documentation of a method",
            "src/lib.rs",
            "The schema with it.",
            "It.",
            lines,
        ),
        (
            "the documentation of a type without a schema",
            "src/lib.rs",
            "/// A bound.",
            "/// Some bound.",
            lines,
        ),
        (
            "documentation in a type without a schema",
            "src/lib.rs",
            "The least.",
            "Some.",
            lines,
        ),
        (
            "the documentation of another field",
            "src/lib.rs",
            "/// How many.",
            "/// That many.",
            lines,
        ),
        (
            "the field's documentation",
            "src/lib.rs",
            "By a function.",
            "By hand.",
            &["api::Part.hand", lines[0]],
        ),
        (
            "documentation that a schema shows",
            "src/lib.rs",
            "/// Seen.",
            "/// Saw.",
            &["api::Made", lines[0]],
        ),
        (
            "the field's type",
            "src/lib.rs",
            "pub many: u64",
            "pub many: Option<u64>",
            &["api::Part.many", lines[0]],
        ),
        (
            "the function",
            "src/values.rs",
            "[1, 2]",
            "[1, 3]",
            &["api::Part.many"],
        ),
        (
            "the dependency's function",
            "dep/src/lib.rs",
            "\"7\"",
            "\"8\"",
            &["api::Part.seven"],
        ),
        (
            "another one of it",
            "dep/src/lib.rs",
            "u64 { 1 }",
            "u64 { 2 }",
            &[],
        ),
    ] {
        let before = project.workspace.read(file);
        project.workspace.edit(file, from, to);
        let ran = project.run(&["gen-crds", "--format", "json"]);
        let found = ran.findings().into_iter();
        let found: Vec<String> = found
            .filter_map(|finding| {
                let help = finding.help?;
                Some(help.strip_prefix(CHANGED)?.split('`').nth(1)?.to_owned())
            })
            .collect();
        assert_eq!(found, stale, "{what} in {file}");
        project.workspace.write(file, before);
    }
    // Format 4 listed files as well. Before it the code was not known, so nothing tells whether the record holds.
    let text = project.workspace.read("channels/recorded.json");
    let mut older: serde_json::Value = serde_json::from_str(&text).unwrap();
    for (format, code) in [(4, 0), (3, 1)] {
        older["format"] = format.into();
        for entry in older["recorded"].as_array_mut().unwrap() {
            entry["sources"] = serde_json::json!({ "src/lib.rs": "sha256:0" });
            if format < 4 {
                entry.as_object_mut().unwrap().remove("code").unwrap();
            }
        }
        project
            .workspace
            .write("channels/recorded.json", older.to_string());
        project.run(&["gen-crds"]).with_code(code);
    }
    project.workspace.write("channels/recorded.json", &text);
    // Two branches record edits of their own; git leaves no conflict, and what is merged holds.
    let recorded = "channels/recorded.json";
    let before = project.workspace.read(recorded);
    let mut sides = Vec::new();
    for (file, from, to) in [
        ("src/values.rs", "[1, 2]", "[1, 3]"),
        ("dep/src/lib.rs", "\"7\"", "\"8\""),
    ] {
        let original = project.workspace.read(file);
        project.workspace.edit(file, from, to);
        project.run(&["gen-crds", "--record"]).with_code(0);
        sides.push(project.workspace.read(recorded));
        project.workspace.write(file, original);
    }
    for (file, text) in [("a", &sides[0]), ("base", &before), ("b", &sides[1])] {
        project.workspace.write(file, text);
    }
    let mut merge = std::process::Command::new("git");
    merge.args(["merge-file", "--stdout", "a", "base", "b"]);
    let merged = run(merge.current_dir(project.workspace.folder())).with_code(0);
    project.workspace.write(recorded, merged.stdout);
    project.workspace.edit("src/values.rs", "[1, 2]", "[1, 3]");
    project.workspace.edit("dep/src/lib.rs", "\"7\"", "\"8\"");
    project.run(&["gen-crds"]).with_code(0);
    // What one side did alone is asked again, and so is everything if git could not merge.
    project.workspace.write(recorded, &sides[0]);
    project.run(&["gen-crds", "--check"]).with_code(1);
    let conflict = format!("<<<<<<< a\n{}=======\n{}>>>>>>> b\n", sides[0], sides[1]);
    project.workspace.write(recorded, conflict);
    for arguments in [&["gen-crds"][..], &["prove"]] {
        let ran = project.run(arguments);
        assert_ne!(ran.code, Some(0), "{ran:?}");
        assert!(
            ran.stderr
                .contains("git left a merge conflict in `channels/recorded.json`"),
            "{ran:?}"
        );
    }
    project.run(&["gen-crds", "--record"]).with_code(0);
    project.workspace.edit("src/values.rs", "[1, 3]", "[1, 2]");
    // What source tells is not taken from a record.
    let summed = "[1, 2].into_iter().sum()";
    project.workspace.edit("src/values.rs", summed, "16");
    project.run(&["gen-crds"]).with_code(0);
    let crd = project
        .workspace
        .read("generated/stable/a.example.com_routes.yaml");
    assert!(crd.contains("default: 16\n"), "{crd}");
}
