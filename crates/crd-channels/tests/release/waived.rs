//! The notes of bundles about breaking changes that a waiver permits.

use super::Project;

const REASON: &str = "DNS never took more";

/// The heading of breaking changes that are not in a major bundle.
const WAIVED: &str = "### Breaking (waived)

These changes can break users, and the versioning rules do not allow them in this bundle. A waiver permits each of them, for the
reason after the dash.

- Route `spec.host`: maxLength was 20 and is 10 (v1) — DNS never took more
";

/// Returns the entry of the latest bundle.
fn latest(log: &str) -> &str {
    let mut entries = log.split("\n## ");
    entries.nth(1).unwrap()
}

/// Returns a project whose latest bundle, v0.1.1, has a breaking change that a waiver permits.
fn released_with_waiver() -> Project {
    let project = Project::released();
    project.edit("max = 20", "max = 10");
    let waiver = format!(
        "[[waiver]]\nkind = \"Route\"\npath = \"spec.host\"\nbundle = \"v0.1.1\"\nreason = \"{REASON}\"\n"
    );
    project.0.write("channels/waivers.toml", waiver);
    project.commit_generated();
    project.release("patch").with_code(0);
    project
}

#[test]
fn a_waived_breaking_change_has_a_heading_of_its_own() {
    let project = released_with_waiver();
    let log = project.0.read("channels/CHANGELOG.md");
    let expected = format!("v0.1.1\n\nCompared with v0.1.0.\n\n{WAIVED}");
    assert_eq!(latest(&log).trim_end(), expected.trim_end());
    // The waiver has no effect on the next bundle, which has other changes.
    project.commit_generated();
    project.edit("max = 10", "max = 30");
    project.commit_generated();
    project.release("minor").with_code(0);
    let log = project.0.read("channels/CHANGELOG.md");
    let entry = latest(&log);
    assert!(
        entry.contains("### Loosened\n\n- Route `spec.host`"),
        "{entry}"
    );
    assert!(!entry.contains("waived"), "{entry}");
    assert!(!entry.contains(REASON), "{entry}");
}

/// Users who skip a bundle read it as well.
#[test]
fn waivers_of_skipped_bundles_are_listed() {
    let project = released_with_waiver();
    project.commit_generated();
    project.release("patch").with_code(0);
    let notes = ["diff", "v0.1.0", "v0.1.2", "--format", "markdown"];
    let notes = project.0.run(&notes).with_code(0).stdout;
    assert_eq!(notes.trim_end(), WAIVED.trim_end());
}

/// A change that breaks nothing stays under the heading that it has without a waiver.
#[test]
fn a_waived_change_that_breaks_nobody_stays_where_it_belongs() {
    let project = Project::released();
    project.edit(
        "    /// So long.\n",
        "    /// The port.\n    pub port: Option<u16>,\n    /// So long.\n",
    );
    let waiver = "[[waiver]]\nkind = \"Route\"\npath = \"spec.port\"\nbundle = \"v0.2.0\"\nbump = \"minor\"\nreason = \"tried elsewhere\"\n";
    project.0.write("channels/waivers.toml", waiver);
    project.commit_generated();
    project.release("minor").with_code(0);
    let log = project.0.read("channels/CHANGELOG.md");
    let entry = latest(&log);
    assert!(
        entry.contains("### Added\n\n- Route `spec.port`: ") && entry.contains("— tried elsewhere"),
        "{entry}"
    );
    assert!(!entry.contains("Breaking"), "{entry}");
}

/// A refusal says which waiver was meant for the change and does not apply.
#[test]
fn a_waiver_that_does_not_apply_is_mentioned() {
    let project = Project::released();
    project.edit("max = 20", "max = 10");
    for (path, code, words) in [
        (
            "spec.host",
            "limit-tightend",
            "the waiver for `spec.host` of `Route` has the code `limit-tightend`, but the change has `limit-tightened`",
        ),
        (
            "spec.hosts",
            "limit-tightened",
            "the waiver for `spec.hosts` of `Route` is not needed: no change has this kind and path",
        ),
    ] {
        let waiver = format!(
            "[[waiver]]\nkind = \"Route\"\npath = \"{path}\"\ncode = \"{code}\"\nbundle = \"v0.1.1\"\nreason = \"{REASON}\"\n"
        );
        project.0.write("channels/waivers.toml", waiver);
        project.commit_generated();
        let stderr = project.release("patch").with_code(1).stderr;
        assert!(stderr.contains(words), "{stderr}");
        let diff = project
            .0
            .run(&["diff", "v0.1.0", ".", "--against", "patch"]);
        assert!(diff.with_code(1).stdout.contains(words));
    }
}
