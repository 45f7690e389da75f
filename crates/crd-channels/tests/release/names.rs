//! The effect of a release on the file of constants, and on conditions that it was to remove.

use super::Project;

/// The conditions of the kind, with a deprecated one to be removed in `v0.2.0`.
const CONDITIONS: &str = r#"
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub struct Condition {
    pub r#type: String,
}

#[derive(crd_channels_derive::Conditions)]
pub enum RouteCondition {
    /// It is accepted.
    #[condition(positive)]
    Accepted(Why),
    /// It was called so.
    #[condition(positive, replaced_by = "Accepted", until = "v0.2.0")]
    Scheduled(Why),
}

#[derive(crd_channels_derive::Reasons)]
pub enum Why {
    /// It is accepted.
    #[reason(True)]
    Accepted,
}
"#;

#[test]
fn the_file_of_the_names_follows_the_version() {
    let project = Project::new();
    let config = "constants = \"src/names.rs\"\n";
    project.0.write("channels/bundle.toml", config);
    project.commit_generated();
    let version = |expected: &str| {
        let text = project.0.read("src/names.rs");
        let line = format!("pub const BUNDLE_VERSION: &str = \"{expected}\";\n");
        assert!(text.contains(&line), "{expected}:\n{text}");
    };
    version("v0.1.0-dev");
    project.release("minor").with_code(0);
    version("v0.1.0");
    project.0.run(&["gen-crds", "--check"]).with_code(0);
    project.commit_generated();
    version("v0.1.1-dev");
    // A stale file is not released.
    project.0.edit("src/names.rs", "v0.1.1-dev", "v0.1.0");
    project.git(&["commit", "--quiet", "--all", "--message", "x"]);
    let stderr = project.release("minor").with_code(1).stderr;
    assert!(stderr.contains("`src/names.rs`"), "{stderr}");
}

#[test]
fn a_bundle_is_not_released_with_a_condition_that_it_was_to_remove() {
    let project = Project::new();
    let text = project.0.read("src/lib.rs");
    let field = "#[crd(conditions = RouteCondition)]\n    pub conditions: Vec<Condition>,\n";
    let text = text.replace(
        "    pub host: String,",
        &format!("    pub host: String,\n    {field}"),
    );
    project.0.write("src/lib.rs", format!("{text}{CONDITIONS}"));
    project.commit_generated();
    project.release("minor").with_code(0);
    project.commit_generated();
    // The tree is at v0.1.1-dev, but v0.2.0 is validated.
    project.0.run(&["gen-crds", "--check"]).with_code(0);
    let stderr = project.release("minor").with_code(1).stderr;
    assert!(stderr.contains("condition-removed"), "{stderr}");
    project.release("patch").with_code(0);
}
