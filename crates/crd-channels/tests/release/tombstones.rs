//! Reserved names, through the following bundles: in which versions, from which places, in which lines.

use super::Project;
use super::lives::bury as bury_version;

/// A version of the kind: its name, the other arguments of `#[kube(..)]`, the attributes before the type, and its fields except
/// `host`.
type Version<'t> = (&'t str, &'t str, &'t str, &'t str);

const BETA: &str = "v1beta1";
const STONE: &str =
    "#[tombstone(name = \"proxy\", removed = \"v0.2.0\", reason = \"gateways have it\")]\n";
const PROXY: &str =
    "    /// The proxy.\n    #[schemars(length(max = 9))]\n    pub proxy: Option<String>,\n";
const TRIED: &str = "    /// The proxy.\n    #[experimental]\n    #[schemars(length(max = 9))]\n    pub proxy: Option<String>,\n";

fn write(project: &Project, versions: &[Version<'_>]) {
    let text = project.0.read("src/lib.rs");
    let (uses, _) = text.split_once("/// Where requests go.").unwrap();
    let types = versions.iter().map(|(name, marks, stones, fields)| {
        format!(
            "
/// Where requests go.
#[derive(ApiType, Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = \"example.com\", version = \"{name}\", kind = \"Route\", namespaced, {marks})]
#[crd(conversion = \"webhook\")]
{stones}pub struct Route{name}Spec {{
    /// The host.
    #[schemars(length(max = 20))]
    pub host: String,
{fields}}}
"
        )
    });
    let types: String = types.collect();
    project
        .0
        .write("src/lib.rs", format!("{}{types}", uses.trim_end()));
    project.commit_generated();
}

/// A kind that is converted, with one beta version, which has `proxy`, in v0.1.0.
fn converted() -> Project {
    let project = Project::new();
    project.0.write("channels/features.toml", "");
    project.0.write(
        "channels/bundle.toml",
        "[conversion.webhook]\nurl = \"https://convert.example.com/routes\"\n",
    );
    write(&project, &[(BETA, "storage = true", "", PROXY)]);
    minor(&project);
    project
}

fn minor(project: &Project) {
    project.release("minor").with_code(0);
    project.commit_generated();
}

fn assert_release_refused(project: &Project, bundle: &str, expected: &[&str]) {
    let stderr = project.release(bundle).with_code(1).stderr;
    for words in expected {
        assert!(stderr.contains(words), "no `{words}` in\n{stderr}");
    }
}

/// Deprecates, unserves and removes the beta version; `v1` is left, with its tombstones.
fn without_beta(project: &Project, stones: &str) {
    let v1 = ("v1", "storage = true", stones, "");
    let beta = |marks| (BETA, marks, "", PROXY);
    write(project, &[v1, beta("storage = false, deprecated")]);
    minor(project);
    let unserved = "storage = false, deprecated, served = false";
    write(project, &[v1, beta(unserved)]);
    minor(project);
    write(project, &[v1]);
    bury_version(project, "v0.5.0");
    minor(project);
}

#[test]
fn a_version_reserves_a_name_that_an_older_one_still_has() {
    let project = converted();
    let beta = (BETA, "storage = true", "", PROXY);
    let v1 = ("v1", "storage = false", STONE, "");
    write(&project, &[v1, beta]);
    minor(&project);
    write(&project, &[v1, beta]);
    project.release("patch").with_code(0);
    project.commit_generated();
    let reused = "`spec` (experimental): the name `proxy` was removed in v0.2.0 and is used again";
    // Neither in the version that removed it, nor in a later one.
    write(&project, &[("v1", "storage = false", "", TRIED), beta]);
    let erased = "the tombstone of `proxy` was removed";
    assert_release_refused(
        &project,
        "minor",
        &[&format!("`Route` `v1` {reused}"), erased],
    );
    let v2 = ("v2", "storage = false", "", PROXY);
    write(&project, &[v1, v2, beta]);
    assert_release_refused(&project, "minor", &[&format!("`Route` `v2` {reused}")]);
    write(&project, &[v1, beta]);
    let diff = project.0.run(&["diff", "v0.2.1", "."]).with_code(0).stdout;
    assert!(!diff.contains("tombstone-"), "{diff}");
    // Once the older version is gone, no version may have it.
    without_beta(&project, STONE);
    write(&project, &[("v1", "storage = true", "", TRIED)]);
    assert_release_refused(&project, "minor", &[&format!("`Route` {reused}"), erased]);
}

/// A name may not be removed from one version in the bundle that adds it to another.
#[test]
fn a_name_is_not_reserved_and_added_in_one_bundle() {
    let project = converted();
    let beta = (BETA, "storage = true", "", PROXY);
    let v1 = ("v1", "storage = false", STONE, "");
    let v2 = ("v2alpha1", "storage = false", "", PROXY);
    write(&project, &[v1, v2, beta]);
    let reused = "`Route` `v2alpha1` `spec` (experimental): the name `proxy` was removed in v0.2.0";
    assert_release_refused(&project, "minor", &[reused]);
}

#[test]
fn names_of_a_removed_version_are_reserved() {
    let project = converted();
    let beta = (BETA, "storage = true", "", PROXY);
    write(&project, &[("v1", "storage = false", "", ""), beta]);
    minor(&project);
    without_beta(&project, "");
    write(&project, &[("v1", "storage = true", "", TRIED)]);
    let expected = "the name `proxy` was removed with `v1beta1` in v0.5.0 and is used again (tombstone-reused)";
    assert_release_refused(
        &project,
        "minor",
        &[expected, "src/lib.rs:", "choose another name"],
    );
    let diff = project.0.run(&["diff", "v0.5.0", "."]).with_code(0).stdout;
    assert!(diff.contains("was removed with `v1beta1`"), "{diff}");
    // A name that other versions had as well does not count, and a person may waive one.
    project.0.write(
        "channels/waivers.toml",
        "[[waiver]]\nkind = \"Route\"\npath = \"spec\"\ncode = \"tombstone-reused\"\nbundle = \"v0.6.0\"\nreason = \"it means the same\"\n",
    );
    project.commit_generated();
    minor(&project);
    project.release("patch").with_code(0);
}

#[test]
fn a_tombstone_is_at_the_place_of_the_name() {
    let project = Project::released();
    let of = |stones: &str| format!("{stones}pub struct RouteSpec");
    let stone = "#[tombstone(name = \"kind\", removed = \"v0.2.0\", reason = \"there is one\")]\n";
    project.edit("pub struct RouteSpec", &of(stone));
    project.commit_generated();
    assert_release_refused(
        &project,
        "minor",
        &[
            "no released bundle had the name `kind` in `spec` of `Route`",
            "help: remove the tombstone: only the root of `Route` had the name",
            "src/lib.rs:9:1",
        ],
    );
    project.edit("name = \"kind\"", "name = \"host\"");
    project.edit(
        "    pub host: String,",
        "    #[serde(rename = \"hostname\")]\n    pub host: String,",
    );
    project.commit_generated();
    let stderr = project.release("minor").with_code(1).stderr;
    assert!(!stderr.contains("no released bundle had"), "{stderr}");
}

const RETRY: &str = "
/// Again.
#[derive(ApiType, Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub struct Retry {
    /// How often.
    pub times: Option<i32>,
    /// How long.
    pub pause: Option<String>,
}
";

/// A type keeps its tombstones if it is used for other fields or renamed.
#[test]
fn a_tombstone_moves_with_its_type() {
    let project = Project::new();
    let field = "    pub retries: Option<String>,\n";
    project.edit(field, "    pub retries: Option<Retry>,\n");
    let text = project.0.read("src/lib.rs");
    project.0.write("src/lib.rs", format!("{text}{RETRY}"));
    project.commit_generated();
    minor(&project);
    let stone = |name: &str, bundle: &str, ty: &str| {
        let stone =
            format!("#[tombstone(name = \"{name}\", removed = \"{bundle}\", reason = \"so\")]\n");
        project.edit(ty, &format!("{stone}{ty}"));
    };
    stone("pause", "v0.2.0", "pub struct RouteSpec");
    project.commit_generated();
    assert_release_refused(
        &project,
        "minor",
        &[
            "no released bundle had the name `pause` in `spec` of `Route`",
            "help: remove the tombstone, or write it on the type of `spec.retries` of `Route`, which had the name",
        ],
    );
    project.edit(
        "#[tombstone(name = \"pause\", removed = \"v0.2.0\", reason = \"so\")]\n",
        "",
    );
    let also = "    /// Too.\n    #[experimental]\n    pub also: Option<Retry>,\n";
    project.edit(
        "    pub retries: Option<Retry>,\n",
        &format!("    pub again: Option<Retry>,\n{also}"),
    );
    stone("retries", "v0.2.0", "pub struct RouteSpec");
    project.edit("    /// How long.\n    pub pause: Option<String>,\n", "");
    stone("pause", "v0.2.0", "pub struct Retry {");
    project.commit_generated();
    minor(&project);
    project.edit(
        "    /// Too.\n    #[experimental]\n    pub also: Option<Retry>,\n",
        "",
    );
    stone("also", "v0.3.0", "pub struct RouteSpec");
    project.edit("pub again: ", "pub anew: ");
    stone("again", "v0.3.0", "pub struct RouteSpec");
    project.commit_generated();
    minor(&project);
}

/// The variants of a tagged enum are values of its tag.
#[test]
fn a_removed_variant_of_a_tagged_enum_is_reserved() {
    let project = Project::new();
    let field = "    pub retries: Option<String>,\n";
    project.edit(field, "    pub retries: Option<Policy>,\n");
    let policy = "
/// How.
#[derive(ApiType, Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(tag = \"mode\")]
pub enum Policy {
    /// Again.
    Again {},
    /// Not at all.
    Never {},
}
";
    let text = project.0.read("src/lib.rs");
    project.0.write("src/lib.rs", format!("{text}{policy}"));
    project.commit_generated();
    minor(&project);
    project.edit("    /// Not at all.\n    Never {},\n", "");
    project.commit_generated();
    let missing = "`spec.retries.mode` (experimental): `Never` was removed without a tombstone";
    assert_release_refused(
        &project,
        "minor",
        &[missing, "below the derives of `Policy`"],
    );
    let stone = "#[tombstone(name = \"Never\", removed = \"v0.2.0\", reason = \"so\")]\n";
    project.edit("pub enum Policy", &format!("{stone}pub enum Policy"));
    project.commit_generated();
    minor(&project);
}

/// A line follows its own bundles; a release after all lines follows all of them.
#[test]
fn a_patch_answers_to_the_tombstones_of_its_own_line() {
    let project = Project::released();
    project.git(&["branch", "release-0.1"]);
    project.edit("max = 20", "max = 30");
    project.commit_generated();
    minor(&project);
    project.git(&["branch", "main-0.2"]);
    project.git(&["checkout", "--quiet", "release-0.1"]);
    super::lines::bury(&project, "v0.1.1");
    project.0.write(
        "channels/waivers.toml",
        "[[waiver]]\nkind = \"Route\"\npath = \"spec.retries\"\nbundle = \"v0.1.1\"\nreason = \"nobody could use it\"\n",
    );
    project.commit_generated();
    project.release("patch").with_code(0);
    let bundle = project.0.files("channels/v0.1.1");
    project.commit_generated();
    project.git(&["checkout", "--quiet", "main-0.2"]);
    for (path, bytes) in bundle {
        project.0.write(&format!("channels/v0.1.1/{path}"), bytes);
    }
    project.commit_generated();
    let reused = "the name `retries` was removed in v0.1.1 and is used again";
    assert_release_refused(&project, "minor", &[reused]);
    let ran = project.0.run(&["features"]).with_code(0);
    assert!(!ran.stderr.contains("error"), "{}", ran.stderr);
    project.release("patch").with_code(0);
    let manifest = project.manifest("v0.2.1");
    assert_eq!(manifest["tombstones"]["names"], serde_json::json!([]));
    project.commit_generated();
    assert_release_refused(&project, "minor", &[reused]);
}

#[test]
fn a_tombstone_does_not_name_a_bundle_that_has_the_name() {
    let project = Project::released();
    minor(&project);
    project.edit(
        "    /// How often.\n    #[experimental]\n    pub retries: Option<String>,\n",
        "",
    );
    let stone = |bundle: &str| {
        format!("#[tombstone(name = \"retries\", removed = \"{bundle}\", reason = \"so\")]\n")
    };
    let ty = "pub struct RouteSpec";
    project.edit(ty, &format!("{}{ty}", stone("v0.2.0")));
    project.commit_generated();
    assert_release_refused(
        &project,
        "minor",
        &[
            "v0.2.0 still has the name `retries`, but its tombstone lists it as removed",
            "help: write the first bundle without it, which is `removed = \"v0.3.0\"` if it is removed now",
        ],
    );
    project.edit(&stone("v0.2.0"), &stone("v0.3.0"));
    project.commit_generated();
    minor(&project);
}

#[test]
fn a_type_without_members_never_had_a_name() {
    let project = Project::released();
    let text = project.0.read("src/lib.rs");
    let field = "    /// Nothing.\n    #[experimental]\n    pub nothing: Option<Nothing>,\n";
    let ty = "
/// Nothing.
#[derive(ApiType, Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[tombstone(name = \"retries\", removed = \"v0.2.0\", reason = \"so\")]
pub struct Nothing {}
";
    project.0.write("src/lib.rs", format!("{text}{ty}"));
    project.edit(
        "    /// How often.\n",
        &format!("{field}    /// How often.\n"),
    );
    project.commit_generated();
    let fault = "no released bundle had the name `retries` in `spec.nothing` of `Route`";
    assert_release_refused(&project, "minor", &[fault]);
}
