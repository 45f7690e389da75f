//! Refusals for people: the change, its line, and text to paste that makes the release possible.

use super::Project;
use super::refusals::second;

const RETRIES: &str = "    /// How often.\n    #[experimental]\n    pub retries: Option<String>,\n";

/// Returns the first refusal of a release that contains a text.
fn refusal(project: &Project, version: &str, about: &str) -> String {
    let stderr = project.release(version).with_code(1).stderr;
    let mut text = String::new();
    for line in stderr.lines() {
        let ends = line.ends_with("nothing was written");
        if line.starts_with("error") || ends {
            if text.contains(about) {
                break;
            }
            text.clear();
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    assert!(text.contains(about), "nothing about `{about}` in\n{stderr}");
    text.trim_end().to_owned()
}

/// Returns the text that the help of a refusal says to paste, with a reason.
fn pasted(refusal: &str) -> String {
    let (_, text) = refusal.split_once(":\n\n").unwrap();
    let lines = text.lines().map(str::trim_start);
    let text = lines.collect::<Vec<_>>().join("\n");
    text.replace("reason = \"\"", "reason = \"tried\"")
}

/// Checks that a refusal points at the line.
#[track_caller]
fn points_at(refusal: &str, line: &str) {
    let shown = refusal.lines().find_map(|text| {
        let (number, text) = text.split_once(" | ")?;
        number.trim().parse::<u32>().ok()?;
        Some(text.trim())
    });
    assert_eq!(shown, Some(line), "{refusal}");
}

fn add(project: &Project, path: &str, text: &str) {
    let old = std::fs::read_to_string(project.0.path(path)).unwrap_or_default();
    project.0.write(path, format!("{old}\n{text}\n"));
}

#[test]
fn a_tighter_bound_has_its_waiver_ready() {
    let project = Project::released();
    project.edit("max = 20", "max = 10");
    project.commit_generated();
    let refusal = refusal(&project, "minor", "limit-tightened");
    assert_eq!(
        refusal,
        r#"error[release-refused]: `Route` `v1` `spec.host` (stable): maxLength was 20 and is 10 (limit-tightened): needs a new API version, or a major bundle if changed in place
  --> src/lib.rs:12:9
   |
12 |     pub host: String,
   |         ^^^^
   |
   = help: the lowest version that allows it is v1.0.0, if it also brings a new GA version such as `v2` to the stable channel; or add a waiver with a reason to `channels/waivers.toml`:

           [[waiver]]
           kind = "Route"
           path = "spec.host"
           code = "limit-tightened"
           bundle = "v0.2.0"
           reason = """#
    );
    add(&project, "channels/waivers.toml", &pasted(&refusal));
    project.commit_generated();
    project.release("minor").with_code(0);
}

#[test]
fn findings_about_additions_point_at_them() {
    let project = Project::released();
    project.edit(
        "    /// So long.",
        "    /// New.\n    pub weight: Option<i32>,\n    /// So long.",
    );
    project.commit_generated();
    let straight = refusal(&project, "minor", "property-straight-to-stable");
    points_at(&straight, "pub weight: Option<i32>,");
    assert!(
        straight.contains(
            "= help: release it as `#[experimental]` first, and graduate it in a later bundle; or add a waiver"
        ),
        "{straight}"
    );
    project.edit("    /// New.\n", "    /// New.\n    #[experimental]\n");
    project.commit_generated();
    let early = refusal(&project, "patch", "experimental-property-added");
    points_at(&early, "pub weight: Option<i32>,");
    assert!(
        early.contains("the lowest version that allows it is v0.2.0"),
        "{early}"
    );
    project.release("minor").with_code(0);
}

#[test]
fn findings_about_graduated_and_required_fields_point_at_them() {
    let project = Project::released();
    project.edit(
        "    #[experimental(feature = \"Timeouts\")]\n",
        "    #[schemars(length(max = 5))]\n",
    );
    project.0.write("channels/features.toml", "");
    project.commit_generated();
    let tighter = refusal(&project, "minor", "property-graduated");
    points_at(&tighter, "pub timeout: Option<String>,");
    add(&project, "channels/waivers.toml", &pasted(&tighter));
    project.commit_generated();
    project.release("minor").with_code(0);
    project.commit_generated();
    project.edit("timeout: Option<String>", "timeout: String");
    project.commit_generated();
    let required = refusal(&project, "minor", "property-required");
    points_at(&required, "pub timeout: String,");
}

#[test]
fn a_new_value_is_shown_at_its_variant() {
    let project = Project::new();
    project.edit("host: String", "host: Mode");
    project.edit("    #[schemars(length(max = 20))]\n", "");
    let mode = "/// How.
#[derive(ApiType, Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub enum Mode {
    /// Fast.
    Fast,
}";
    add(&project, "src/lib.rs", mode);
    project.commit_generated();
    project.release("minor").with_code(0);
    project.edit("    Fast,\n", "    Fast,\n    /// Safe.\n    Safe,\n");
    project.commit_generated();
    let value = refusal(&project, "minor", "enum-value-straight-to-stable");
    points_at(&value, "Safe,");
    project.edit("    Safe,\n", "    #[experimental]\n    Safe,\n");
    project.commit_generated();
    project.release("minor").with_code(0);
}

#[test]
fn help_has_the_missing_tombstone_and_its_type() {
    let project = Project::released();
    project.edit(RETRIES, "");
    project.commit_generated();
    let missing = refusal(&project, "minor", "tombstone-missing");
    assert_eq!(
        missing,
        r#"error[release-refused]: `Route` `spec` (experimental): `retries` was removed without a tombstone (tombstone-missing): not allowed in any bundle
 --> src/lib.rs:9:12
  |
9 | pub struct RouteSpec {
  |            ^^^^^^^^^
  |
  = help: give it a tombstone, with a reason; below the derives of `RouteSpec`:

          #[tombstone(name = "retries", removed = "v0.2.0", reason = "")]"#
    );
    let with_stone = format!("{}\npub struct RouteSpec", pasted(&missing));
    project.edit("pub struct RouteSpec", &with_stone);
    project.commit_generated();
    project.release("minor").with_code(0);
    project.commit_generated();
    // A removed tombstone is shown in its old form.
    project.edit(&with_stone, "pub struct RouteSpec");
    project.commit_generated();
    let erased = refusal(&project, "minor", "tombstone-erased");
    points_at(&erased, "pub struct RouteSpec {");
    assert_eq!(
        pasted(&erased),
        r#"#[tombstone(name = "retries", removed = "v0.2.0", reason = "tried")]"#
    );
    project.edit("    /// So long.", &format!("{RETRIES}    /// So long."));
    project.commit_generated();
    let reused = refusal(&project, "minor", "tombstone-reused");
    points_at(&reused, "pub retries: Option<String>,");
}

#[test]
fn kinds_and_versions_have_tables_for_their_tombstones() {
    let first = "version = \"v1\", kind = \"Route\", namespaced)]\npub struct RouteSpec";
    let project = Project::new();
    let text = project.0.read("src/lib.rs");
    let old = first.replace(
        "\"v1\", kind = \"Route\", namespaced",
        "\"v1beta1\", kind = \"Route\", namespaced, storage = false, served = false",
    );
    let other = second("v1", "")
        .replace("Routev1Spec", "HostSpec")
        .replace("\"Route\"", "\"Host\"");
    let route = second("v1", "storage = true");
    let both = text.replace(first, &old) + &route;
    project.0.write("src/lib.rs", both.clone() + &other);
    project.commit_generated();
    project.release("minor").with_code(0);
    project.commit_generated();
    // Neither the version nor the other kind exists any longer.
    project.0.write("src/lib.rs", text.clone());
    project.commit_generated();
    let version = refusal(&project, "major", "the version was removed");
    points_at(&version, "pub struct RouteSpec {");
    let kind = refusal(&project, "major", "the kind was removed");
    assert!(kind.contains("`Host` (experimental)"), "{kind}");
    let (version, kind) = (pasted(&version), pasted(&kind));
    assert_eq!(
        kind,
        "[[kinds]]\ngroup = \"example.com\"\nkind = \"Host\"\nremoved = \"v1.0.0\"\nreason = \"tried\""
    );
    add(&project, "channels/tombstones.toml", &version);
    add(&project, "channels/tombstones.toml", &kind);
    project.commit_generated();
    let left = project.release("major").with_code(1).stderr;
    assert!(!left.contains("tombstone"), "{left}");
}
