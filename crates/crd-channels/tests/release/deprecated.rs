//! Deprecated fields: what a bundle and its notes say of them.

use super::Project;

const FIELD: &str = "    /// The host.\n";
const DEPRECATED: &str =
    "    /// The host.\n    #[crd(deprecated = \"use a gateway\n        instead\")]\n";
const POLICY: &str = "stable/policies/deprecated-fields.yaml";

#[test]
fn a_patch_deprecates_a_field_and_warns_of_it() {
    let project = Project::released();
    let has_policy = |version: &str| {
        let files = project.0.files(&format!("channels/{version}"));
        let chart = files.contains_key("chart/policies/stable/deprecated-fields.yaml");
        assert_eq!(chart, files.contains_key(POLICY));
        chart
    };
    assert!(!has_policy("v0.1.0"));

    project.0.edit("src/lib.rs", FIELD, DEPRECATED);
    project.commit_generated();
    let crd = project.0.read("generated/stable/example.com_routes.yaml");
    let said = "Deprecated: use a gateway instead";
    assert!(crd.contains(said), "{crd}");
    project.release("patch").with_code(0);
    assert!(has_policy("v0.1.1"));
    let policy = project.0.read(&format!("channels/v0.1.1/{POLICY}"));
    let warning = "spec.host is deprecated: use a gateway instead";
    assert!(policy.contains(warning), "{policy}");
    let list = project
        .0
        .read("channels/v0.1.1/stable/policies/kustomization.yaml");
    assert!(list.contains("- deprecated-fields.yaml"), "{list}");
    let notes = project.0.read("channels/CHANGELOG.md");
    let (_, section) = notes.split_once("### Deprecated").unwrap();
    assert!(
        section.contains("deprecated: use a gateway instead"),
        "{notes}"
    );

    project.0.edit("src/lib.rs", DEPRECATED, FIELD);
    project.commit_generated();
    project.release("patch").with_code(0);
    assert!(!has_policy("v0.1.2"));
    let notes = project.0.read("channels/CHANGELOG.md");
    assert!(notes.contains("no longer deprecated"), "{notes}");
}
