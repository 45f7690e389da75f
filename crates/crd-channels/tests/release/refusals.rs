//! Refused releases and their messages.

use super::Project;

fn assert_release_refused(project: &Project, version: &str, expected: &[&str]) {
    let before = project.0.files("channels");
    let ran = project.release(version).with_code(1);
    for text in expected {
        assert!(ran.stderr.contains(text), "no `{text}` in\n{}", ran.stderr);
    }
    assert!(ran.stderr.contains("nothing was written"), "{}", ran.stderr);
    assert!(project.0.files("channels") == before);
}

#[test]
fn uncommitted_changes_block_a_release() {
    let project = Project::new();
    project.0.write("notes.txt", "new");
    assert_release_refused(
        &project,
        "minor",
        &["error[unclean-tree]", "`?? notes.txt`"],
    );
}

#[test]
fn stale_files_block_a_release() {
    let project = Project::new();
    project.edit("The host.", "The name of the host.");
    project.git(&["commit", "--quiet", "--all", "--message", "x"]);
    assert_release_refused(
        &project,
        "minor",
        &[
            "error[stale-files]",
            "generated/stable/example.com_routes.yaml",
        ],
    );
}

#[test]
fn examples_hold_in_a_release() {
    let project = Project::new();
    let route = "apiVersion: example.com/v1\nkind: Route\nmetadata: {name: a}\nspec: {hosts: a}\n";
    let example = "channels/examples/route/accept/plain.yaml";
    project.0.write(example, route);
    project.git(&["add", "--all"]);
    project.git(&["commit", "--quiet", "--message", "x"]);
    assert_release_refused(
        &project,
        "minor",
        &["error[example-unknown-field]", example],
    );
}

#[test]
fn a_version_is_released_once() {
    let project = Project::released();
    assert_release_refused(&project, "0.1.0", &["error[release-version]"]);
    assert_release_refused(&project, "0.0.9", &["error[release-version]"]);
    for wrong in ["1.0", "0.2.0+build", "snapshot", "huge"] {
        project.release(wrong).with_code(2);
    }
}

#[test]
fn warnings_block_a_release() {
    let project = Project::new();
    project.0.write(
        "channels/features.toml",
        "[Timeouts]\nsummary = \"a\"\n[Unused]\nsummary = \"b\"\n",
    );
    project.commit_generated();
    assert_release_refused(
        &project,
        "minor",
        &["warning[unused-feature]", "1 warning is blocking"],
    );
}

/// A project with users cannot change the shape of its lists for its first bundle.
#[test]
fn known_lints_do_not_block_a_release() {
    let project = Project::new();
    project.edit(
        "    /// So long.",
        "    /// All.\n    pub parts: Option<Vec<Part>>,\n    /// So long.",
    );
    let part = "\n/// One.\n#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]\npub struct Part {\n    /// Its name.\n    pub name: String,\n}\n";
    let text = project.0.read("src/lib.rs");
    project.0.write("src/lib.rs", text + part);
    project.commit_generated();
    assert_release_refused(
        &project,
        "minor",
        &[
            "warning[untyped-list]",
            "error[release-refused]: 1 warning is blocking the release",
            "recorded as known with `crd-channels gen-crds --write-baseline`",
        ],
    );
    let features = project.0.read("channels/features.toml");
    project.0.write(
        "channels/features.toml",
        format!("{features}\n[Unused]\nsummary = \"b\"\n"),
    );
    project
        .0
        .run(&["gen-crds", "--write-baseline"])
        .with_code(0);
    project.commit_generated();
    // Warnings that are not lints still block the release.
    assert_release_refused(
        &project,
        "minor",
        &["warning[unused-feature]", "1 warning is blocking"],
    );
    project.0.write("channels/features.toml", features);
    project
        .0
        .run(&["gen-crds", "--write-baseline"])
        .with_code(0);
    project.commit_generated();
    let ran = project.release("minor").with_code(0);
    let note = "note: 1 warning in `channels/warnings.json`";
    assert!(ran.stderr.contains(note), "{}", ran.stderr);
}

#[test]
fn a_rejected_release_lists_each_change() {
    let project = Project::released();
    project.edit("max = 20", "max = 10");
    project.edit(
        "    pub timeout: Option<String>,",
        "    pub timeout: Option<i32>,",
    );
    project.commit_generated();
    assert_release_refused(
        &project,
        "minor",
        &[
            "`Route` `v1` `spec.host` (stable)",
            "(limit-tightened): needs a new API version, or a major bundle if changed in place",
            "the lowest version that allows it is v1.0.0",
            "src/lib.rs:",
        ],
    );
    // Experimental changes need a minor; a patch may not have them.
    project.edit("max = 10", "max = 20");
    project.commit_generated();
    assert_release_refused(
        &project,
        "patch",
        &["`spec.timeout` (experimental)", "needs a minor bundle"],
    );
    project.release("minor").with_code(0);
}

/// A run says which of its warnings would stop a release, and what a phase is replaced with can be pasted.
#[test]
fn warnings_that_block_a_release_are_named_by_gen_crds() {
    let project = Project::new();
    project.edit(
        "kind = \"Route\", namespaced",
        "kind = \"Route\", namespaced, status = \"RouteStatus\"",
    );
    let status = "
/// What is known.
#[derive(ApiType, Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub struct RouteStatus {
    /// The state.
    pub phase: Option<String>,
    /// How much.
    pub load: Option<f64>,
}
";
    let text = project.0.read("src/lib.rs");
    project.0.write("src/lib.rs", format!("{text}{status}"));
    let ran = project.0.run(&["gen-crds"]).with_code(0);
    let line = "2 warnings block a release: `float`, `phase`; `crd-channels gen-crds --write-baseline` records lints that you keep\n";
    assert_eq!(ran.stdout.matches(line).count(), 1, "{}", ran.stdout);
    assert!(!project.0.run(&["gen-crds", "-q"]).stdout.contains("block"));
    let json = project.0.run(&["gen-crds", "--format", "json"]);
    assert!(!json.stdout.contains("block a release") && !json.stderr.contains("block a release"));
    let lines = ran.stderr.lines().map(str::trim);
    let help = lines.skip_while(|line| !line.ends_with("on a type that derives `ApiType`:"));
    let code: Vec<&str> = help.skip(2).take(3).collect();
    assert!(code[2].starts_with("pub conditions:"), "{code:?}");
    project.edit(
        "    /// The state.\n    pub phase: Option<String>,\n",
        &format!("    {}\n", code.join("\n    ")),
    );
    project.edit("load: Option<f64>", "load: Option<i32>");
    let ran = project.0.run(&["gen-crds"]);
    assert!(!ran.stdout.contains("block"), "{}", ran.stdout);
}

/// The status of a kind has no type that could carry a tombstone.
#[test]
fn the_help_for_a_removed_status_can_be_followed() {
    let project = Project::new();
    project.edit(
        "kind = \"Route\", namespaced",
        "kind = \"Route\", namespaced, status = \"RouteStatus\"",
    );
    let text = project.0.read("src/lib.rs");
    let status = "\n/// What is known.\n#[derive(ApiType, Clone, Debug, Deserialize, JsonSchema, Serialize)]\npub struct RouteStatus {\n    /// How much.\n    pub load: Option<i32>,\n}\n";
    project.0.write("src/lib.rs", format!("{text}{status}"));
    project.commit_generated();
    project.release("minor").with_code(0);
    project.commit_generated();
    project.edit(", status = \"RouteStatus\"", "");
    project.commit_generated();
    assert_release_refused(
        &project,
        "minor",
        &[
            "(tombstone-missing)",
            "restore `status = \"..\"` in `#[kube(..)]` of `Route`",
        ],
    );
}

#[test]
fn a_waiver_holds_for_its_bundle() {
    let project = Project::released();
    project.edit("max = 20", "max = 10");
    project.0.write(
        "channels/waivers.toml",
        "[[waiver]]\nkind = \"Route\"\npath = \"spec.host\"\nbundle = \"v0.1.1\"\nreason = \"DNS never took more\"\n",
    );
    project.commit_generated();
    assert_release_refused(&project, "minor", &["limit-tightened"]);
    project.release("patch").with_code(0);
    let change = project.manifest("v0.1.1")["changes"][0].clone();
    assert_eq!(change["waived"], "DNS never took more");
    let against = ["diff", "channels/v0.1.0", "channels/v0.1.1", "--against"];
    let differs = |bound: &str| project.0.run(&[&against[..], &[bound]].concat());
    let ran = differs("patch").with_code(0);
    assert!(
        ran.stdout.contains("waived: DNS never took more"),
        "{}",
        ran.stdout
    );
}

/// A typo in a tombstone would stay forever.
#[test]
fn tombstones_name_what_was_there_and_the_bundle_that_removed_it() {
    let project = Project::released();
    let field = "    /// How often.\n    #[experimental]\n    pub retries: Option<String>,\n";
    project.edit(field, "");
    let stone = |name: &str, removed: &str, reason: &str| {
        format!("#[tombstone(name = \"{name}\", removed = \"{removed}\", reason = \"{reason}\")]\n")
    };
    let of = |stone: &str| format!("{stone}pub struct RouteSpec");
    let wrong = stone("retries", "v9.9.9", "bakends retry");
    project.edit("pub struct RouteSpec", &of(&wrong));
    project.commit_generated();
    assert_release_refused(
        &project,
        "minor",
        &[
            "the tombstone of the name `retries` names v9.9.9, which is neither released nor the next bundle",
            "`removed = \"v0.2.0\"` if it is removed now",
            "src/lib.rs:9:1",
        ],
    );
    let slip = stone("retries", "v0.2.0", "bakends retry");
    project.edit(&wrong, &slip);
    let never = stone("retry", "v0.2.0", "never was");
    project.edit("pub struct RouteSpec", &of(&never));
    project.commit_generated();
    assert_release_refused(
        &project,
        "minor",
        &["no released bundle ever had the name `retry`"],
    );
    project.edit(&never, "");
    project.commit_generated();
    project.release("minor").with_code(0);
    project.commit_generated();
    project.edit(&slip, &stone("retries", "v0.2.0", "backends retry"));
    project.commit_generated();
    project.release("patch").with_code(0);
    assert_eq!(
        project.manifest("v0.2.1")["tombstones"]["names"][0]["reason"],
        "backends retry"
    );
}

/// A feature cannot be there since a bundle that comes later.
#[test]
fn a_feature_is_not_there_since_a_later_bundle() {
    let project = Project::released();
    let declared = project.0.read("channels/features.toml");
    let since = |name: &str, since: &str| {
        let line = format!("[{name}]\nsince = \"{since}\"\n");
        let retries = "[Retries]\nsummary = \"Again.\"\n";
        let text = format!("{declared}{retries}").replace(&format!("[{name}]\n"), &line);
        project.0.write("channels/features.toml", text);
        project.commit_generated();
    };
    project.edit("#[experimental]", "#[experimental(feature = \"Retries\")]");
    for (name, wrong, right) in [
        ("Retries", "v9.9.9", "v0.2.0"),
        ("Retries", "0.2.1", "v0.2.0"),
        // A bundle has it already.
        ("Timeouts", "v0.2.0", "v0.1.0"),
    ] {
        since(name, wrong);
        let message = format!("the feature `{name}` is in {right}, but its `since` names {wrong}");
        let help = format!("write `since = \"{right}\"`");
        let expected = [&*message, &help, "channels/features.toml:"];
        assert_release_refused(&project, "minor", &expected);
    }
    // Earlier bundles may be gone, and a pre-release is part of its bundle.
    for (name, right, bundle) in [
        ("Timeouts", "v0.0.1", "minor"),
        ("Retries", "v0.2.0", "0.2.0-rc.1"),
    ] {
        since(name, right);
        let ran = project.0.run(&["release", bundle, "--dry-run"]);
        ran.with_code(0);
    }
}

#[test]
fn experimental_removals_need_tombstones() {
    let project = Project::released();
    project.edit(
        "    /// How often.\n    #[experimental]\n    pub retries: Option<String>,\n",
        "",
    );
    project.commit_generated();
    assert_release_refused(
        &project,
        "minor",
        &["`retries` was removed without a tombstone (tombstone-missing)"],
    );
    project.edit(
        "pub struct RouteSpec",
        "#[tombstone(name = \"retries\", removed = \"v0.2.0\", reason = \"backends retry\")]\npub struct RouteSpec",
    );
    project.commit_generated();
    project.release("minor").with_code(0);
    let tombstone = project.manifest("v0.2.0")["tombstones"]["names"][0].clone();
    assert_eq!(
        (&tombstone["path"], &tombstone["name"]),
        (&"spec".into(), &"retries".into())
    );
    project.commit_generated();
    // Neither may the tombstone be removed, nor may its name be used again under any type.
    project.edit(
        "#[tombstone(name = \"retries\", removed = \"v0.2.0\", reason = \"backends retry\")]\n",
        "",
    );
    project.edit(
        "    /// So long.",
        "    /// Again.\n    #[experimental]\n    pub retries: Option<i32>,\n    /// So long.",
    );
    project.commit_generated();
    assert_release_refused(
        &project,
        "minor",
        &[
            "the name `retries` was removed in v0.2.0 and is used again",
            "the tombstone of `retries` was removed",
        ],
    );
    let diff = project
        .0
        .run(&["diff", "channels/v0.2.0", "."])
        .with_code(0);
    assert!(
        diff.stdout.contains("tombstone-reused") && !diff.stdout.contains("note: tombstones"),
        "{}",
        diff.stdout
    );
}

#[test]
fn nothing_is_added_straight_to_stable() {
    let project = Project::released();
    project.edit(
        "    /// So long.",
        "    /// New.\n    pub weight: Option<i32>,\n    /// So long.",
    );
    project.commit_generated();
    assert_release_refused(
        &project,
        "minor",
        &["property-straight-to-stable", "not allowed in any bundle"],
    );
}

/// A gated part that refuses stable objects can be tried, but never kept.
#[test]
fn an_experiment_that_cannot_graduate_is_noted() {
    let project = Project::new();
    let before = project.release("minor").with_code(0);
    assert!(
        !before.stderr.contains("may not graduate"),
        "{}",
        before.stderr
    );
    project.commit_generated();
    project.edit(
        "    pub host: String,",
        "    #[experimental(feature = \"Timeouts\", schemars(length(max = 10)))]\n    pub host: String,",
    );
    project.commit_generated();
    let stderr = project.release("minor").with_code(0).stderr;
    assert!(
        stderr.contains("the feature `Timeouts` may not graduate as it is: Route v1 `spec.host`")
            && stderr.contains("(limit-tightened)"),
        "{stderr}"
    );
}

#[test]
fn nothing_graduates_tighter_than_it_was() {
    let project = Project::released();
    project.edit(
        "    #[experimental(feature = \"Timeouts\")]\n",
        "    #[schemars(length(max = 5))]\n",
    );
    project.0.write("channels/features.toml", "");
    project.commit_generated();
    assert_release_refused(
        &project,
        "minor",
        &["property-graduated", "not allowed in any bundle"],
    );
}

#[test]
fn a_major_contains_a_new_api_version() {
    let project = Project::released();
    project.edit("max = 20", "max = 10");
    project.commit_generated();
    assert_release_refused(
        &project,
        "major",
        &["v1.0.0 is a major bundle without a new API version"],
    );
}

#[test]
fn a_major_contains_a_ga_version() {
    let project = Project::new();
    project.edit("version = \"v1\"", "version = \"v1alpha1\"");
    project.commit_generated();
    let expected = "is a major bundle, and no kind of the stable channel has a GA version";
    assert_release_refused(&project, "1.0.0", &[expected]);
    project.release("minor").with_code(0);
    let text = project.0.read("src/lib.rs");
    let more = second("v1alpha2", "storage = false");
    project.0.write("src/lib.rs", format!("{text}{more}"));
    project.commit_generated();
    assert_release_refused(&project, "major", &[expected]);
}

/// An old GA version beside an alpha one is not a new major.
#[test]
fn the_new_version_of_a_major_is_ga() {
    let project = Project::released();
    let text = project.0.read("src/lib.rs");
    let with = |name: &str| {
        let more = second(name, "storage = false");
        project.0.write("src/lib.rs", format!("{text}{more}"));
        project.commit_generated();
    };
    with("v2alpha1");
    assert_release_refused(
        &project,
        "major",
        &[
            "v1.0.0 is a major bundle, and its new API versions in the stable channel are not GA: `v2alpha1` of `Route`",
            "release a minor bundle, or give the version that the major is for a GA name such as `v2`",
        ],
    );
    let unserved = second("v2", "storage = false, served = false");
    project.0.write("src/lib.rs", format!("{text}{unserved}"));
    project.commit_generated();
    let none = "v1.0.0 is a major bundle without a new API version in the stable channel";
    assert_release_refused(&project, "major", &[none]);
    with("v2");
    project.release("major").with_code(0);
}

/// A second version of the kind, with more arguments of `#[kube(..)]`.
pub fn second(name: &str, more: &str) -> String {
    format!(
        "
/// Where requests go.
#[derive(ApiType, Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = \"example.com\", version = \"{name}\", kind = \"Route\", namespaced, {more})]
pub struct Route{name}Spec {{
    /// The host.
    #[schemars(length(max = 20))]
    pub host: String,
    /// So long.
    #[experimental(feature = \"Timeouts\")]
    pub timeout: Option<String>,
    /// How often.
    #[experimental]
    pub retries: Option<String>,
}}
"
    )
}

#[test]
fn a_version_is_deprecated_unserved_and_removed_in_order() {
    let first = "version = \"v1\", kind = \"Route\", namespaced)]\npub struct RouteSpec";
    let project = Project::new();
    let text = project.0.read("src/lib.rs");
    let two = |one: &str, other: &str| {
        let marks = format!(
            "version = \"v1beta1\", kind = \"Route\", namespaced, {one}\npub struct RouteSpec"
        );
        let whole = text.replace(first, &marks) + &second("v1", other);
        project.0.write("src/lib.rs", whole);
        project.commit_generated();
    };
    let released = |version: &str| {
        project.release(version).with_code(0);
        project.commit_generated();
    };
    project.0.write(
        "src/lib.rs",
        text.replace(first, &first.replace("v1", "v1beta1")),
    );
    project.commit_generated();
    released("minor");
    // A new version that is the storage version right away: there would be no way back.
    two("storage = false)]", "storage = true");
    assert_release_refused(
        &project,
        "minor",
        &[
            "`spec.versions[v1]`",
            "a version must be served for one bundle before it is the storage version",
            "pub struct Routev1Spec {\n",
            "help: write `storage = false`, and make it the storage version one bundle later",
        ],
    );
    two("storage = true)]", "storage = false");
    released("minor");
    two("storage = false)]", "storage = true");
    released("minor");
    two("storage = false, served = false)]", "storage = true");
    assert_release_refused(&project, "minor", &["without having been deprecated"]);
    let deprecated = "storage = false, deprecated)]\n#[crd(removed_in = \"v0.6.0\")]";
    two(deprecated, "storage = true");
    released("minor");
    // v0.6.0 is the first that may lack it.
    let unserved = deprecated.replace("deprecated", "deprecated, served = false");
    two(&unserved, "storage = true");
    assert_release_refused(
        &project,
        "minor",
        &[
            "v0.4.0 promised it until v0.6.0",
            "pub struct RouteSpec {\n",
            "help: serve the version until v0.6.0",
        ],
    );
    two(deprecated, "storage = true");
    released("minor");
    two(&unserved, "storage = true");
    released("minor");
    let alone = text.replace(
        first,
        "version = \"v1\", kind = \"Route\", namespaced)]\npub struct RouteSpec",
    );
    project.0.write("src/lib.rs", alone);
    project.commit_generated();
    assert_release_refused(
        &project,
        "minor",
        &["`spec.versions[v1beta1]` (experimental): the version was removed without a tombstone"],
    );
    project.0.write(
        "channels/tombstones.toml",
        "[[versions]]\ngroup = \"example.com\"\nkind = \"Route\"\nversion = \"v1beta1\"\nremoved = \"v0.7.0\"\nreason = \"v1 replaced it\"\n",
    );
    project.commit_generated();
    released("minor");
    let log = project.0.read("channels/CHANGELOG.md");
    assert!(
        log.contains("`v1beta1` of `Route` was once the storage version"),
        "{log}"
    );
    assert!(project.0.path("channels/v0.7.0").is_dir());
}
