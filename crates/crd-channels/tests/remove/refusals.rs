//! Refused removals and their places; nothing is written.

use super::{PATH, TIMEOUT, released, remove, source, support, tree, workspace};
use support::Workspace;

#[track_caller]
fn assert_removal_refused(workspace: &Workspace, feature: &str, code: i32, expected: &[&str]) {
    let before = tree(workspace);
    let arguments = ["remove", feature, "--reason", "nobody used it"];
    let ran = workspace.run(&arguments).with_code(code);
    for text in expected {
        assert!(ran.stderr.contains(text), "`{text}` in\n{}", ran.stderr);
    }
    assert!(tree(workspace) == before);
}

#[test]
fn unknown_features_are_2_and_others_1() {
    let workspace = workspace(PATH);
    let expected = [
        "error[unknown-feature]: unknown feature `Timeout`",
        "did you mean `Timeouts`?",
    ];
    assert_removal_refused(&workspace, "Timeout", 2, &expected);
    let expected = ["error[removal-refused]: `Timeouts` may not be removed: it gates nothing"];
    assert_removal_refused(&workspace, "Timeouts", 1, &expected);
    for arguments in [
        &["remove", "Timeouts"][..],
        &["remove", "Timeouts", "--reason", ""],
        &["remove", "--reason", "r"],
    ] {
        workspace.run(arguments).with_code(2);
    }
}

#[test]
fn graduated_features_cannot_be_removed() {
    let workspace = workspace(TIMEOUT);
    released::release(&workspace, "v0.1.0", &["Timeouts", "Paths", "Other"]);
    workspace.run(&["graduate", "Timeouts"]).with_code(0);
    let expected = [
        "error[removal-refused]: `Timeouts` may not be removed: it graduated, and what it gated is stable",
        "deprecate KIND VERSION",
    ];
    assert_removal_refused(&workspace, "Timeouts", 1, &expected);
    remove(&workspace, "Paths");
    let text = workspace.read("channels/features.toml");
    assert!(!text.contains("[Paths]"), "{text}");
}

#[test]
fn a_feature_that_is_already_removed_is_reported() {
    let workspace = workspace(TIMEOUT);
    released::release(&workspace, "v0.1.0", &["Timeouts", "Paths", "Other"]);
    remove(&workspace, "Paths");
    let expected = [
        "`Paths` may not be removed: it is already removed",
        "features` shows since when",
    ];
    assert_removal_refused(&workspace, "Paths", 1, &expected);
}

#[test]
fn dependents_of_the_feature_block_its_removal() {
    let column = |attribute: &str| {
        let workspace = workspace(TIMEOUT);
        let serde = "#[serde(rename_all = \"camelCase\")]\n";
        workspace.edit("src/lib.rs", serde, &format!("{attribute}\n{serde}"));
        workspace
    };
    let workspace = column(
        "#[kube(printcolumn(name = \"Timeout\", type_ = \"string\", json_path = \".spec.requestTimeout.request\"))]",
    );
    let expected = [
        "error[removal-refused]",
        "`Timeout` reads a field that would be removed",
        "src/lib.rs:9:",
    ];
    assert_removal_refused(&workspace, "Timeouts", 1, &expected);
    // A rule of another feature.
    let workspace = column(
        "#[experimental(feature = \"Other\", x_kube(validation = \"has(self.requestTimeout)\"))]",
    );
    let expected = ["error[removal-refused]", "[gated-read]", "src/lib.rs:9:"];
    assert_removal_refused(&workspace, "Timeouts", 1, &expected);
}

#[test]
fn source_that_cannot_be_edited_is_reported() {
    let fields = format!(
        "{PATH}    #[cfg_attr(all(), experimental(feature = \"Timeouts\"))]\n    pub idle: Option<String>,\n"
    );
    let expected = [
        "error[edit-unclear]: the removal of the node depends on a `cfg`",
        "src/lib.rs:14:",
    ];
    assert_removal_refused(&workspace(&fields), "Timeouts", 1, &expected);
    // A default value from a function.
    let fields =
        format!("{TIMEOUT}    /// D.\n    #[serde(default = \"deep\")]\n    pub deep: Deep,\n");
    let more = "
/// D.
#[derive(ApiType, Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub struct Deep {
    #[experimental(feature = \"Timeouts\")]
    pub idle: Option<String>,
    pub busy: Option<String>,
}

fn deep() -> Deep {
    Deep {
        idle: None,
        busy: None,
    }
}
";
    let workspace = Workspace::new(&source(&fields, more));
    let expected = [
        "error[edit-unclear]: without `Timeouts` the types would have these errors",
        "idle: None",
    ];
    assert_removal_refused(&workspace, "Timeouts", 1, &expected);
    let types = "macro_rules! gated {\n    ($name:ident) => {\n        /// M.\n        #[derive(ApiType, Clone, Debug, Deserialize, JsonSchema, Serialize)]\n        pub struct $name {\n            #[experimental(feature = \"Timeouts\")]\n            pub idle: Option<String>,\n        }\n    };\n}\ngated!(Made);\n";
    let fields = format!("{PATH}    /// M.\n    pub made: Option<Made>,\n");
    let workspace = Workspace::new(&source(&fields, types));
    let expected = [
        "error[edit-unclear]: this gate of `Timeouts` cannot be edited",
        "src/lib.rs:",
    ];
    assert_removal_refused(&workspace, "Timeouts", 1, &expected);
}
