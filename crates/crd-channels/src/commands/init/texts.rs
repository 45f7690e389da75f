//! The files that `init` writes below `channels/`.

use super::choice::{Choice, KindChoice, LeftOut};
use crd_channels_check::APPROVAL;
use crd_channels_projection::channel::config::FOLDER;
use crd_channels_projection::render::{Choices, Convention};
use crd_channels_released::folder::ATTRIBUTES;
use std::collections::BTreeMap;

/// The files, by their paths below the workspace root.
#[must_use]
pub fn files(choice: &Choice) -> BTreeMap<String, String> {
    let texts = [
        ("bundle", bundle(choice)),
        ("stable", STABLE.to_owned()),
        ("experimental", EXPERIMENTAL.to_owned()),
        ("features", FEATURES.to_owned()),
    ];
    let (attributes, text) = ATTRIBUTES;
    texts
        .into_iter()
        .map(|(name, text)| (format!("{FOLDER}/{name}.toml"), text))
        .chain([(format!("{FOLDER}/{attributes}"), text.to_owned())])
        .collect()
}

fn bundle(choice: &Choice) -> String {
    let Choice {
        convention,
        packages,
        built,
        features,
        cfgs,
        version,
        annotation_prefix,
        exclude,
        kinds,
    } = choice;
    let mut text = match (version, packages.as_slice()) {
        (None, [package]) => {
            format!("# The bundle. Its version is that of the package `{package}`.\n")
        }
        (None, [_, ..]) => {
            "# The bundle. Its version is the one that the packages share.\n".to_owned()
        }
        (Some(_), _) | (None, []) => "# The bundle.\n".to_owned(),
    };
    text.push_str(&conventions(*convention));
    if !packages.is_empty() {
        let names = all_quoted(packages);
        text.push_str(&format!(
            "\n# The packages whose types are read.\npackages = [{names}]\n"
        ));
    }
    if !built.is_empty() {
        let names = all_quoted(built);
        text.push_str(&format!(
            "\n# The packages whose build turns on features, as `cargo build -p` does.\ncargo-packages = [{names}]\n"
        ));
    }
    if !features.is_empty() {
        let names = all_quoted(features);
        text.push_str(&format!(
            "\n# Features besides the default ones: without them there are fewer kinds.\ncargo-features = [{names}]\n"
        ));
    }
    if !cfgs.is_empty() {
        let names = all_quoted(cfgs);
        text.push_str(&format!(
            "\n# The workspace does not set these, so they are off here.\ncfgs = [{names}]\n"
        ));
    }
    if let Some(version) = version {
        text.push_str(&format!(
            "\n# The bundle's version: the packages have different versions, and this is the latest.\nversion = {}\n",
            quoted(version)
        ));
    }
    if let Some(prefix) = annotation_prefix {
        text.push_str(&format!(
            "\n# Every CRD carries `<prefix>/bundle-version` and `<prefix>/channel`, for all groups.\nannotation-prefix = {}\n",
            quoted(prefix)
        ));
    }
    let (pending, exclude): (Vec<_>, Vec<_>) =
        exclude.iter().partition(|one| one.finding.is_some());
    text.push_str(&left_out("exclude", EXCLUDED, &exclude));
    text.push_str(&left_out("pending", PENDING, &pending));
    for (name, kind) in kinds {
        text.push_str(&of_kind(name, kind));
    }
    text
}

/// The key with the convention, below what this and the others write.
fn conventions(chosen: Convention) -> String {
    let mut all = Convention::ALL;
    all.sort_by_key(|one| *one != chosen);
    let lines = all.map(|one| {
        let Choices { name, writes, .. } = one.choices();
        let is_kept = one == chosen && one == Convention::OF_COMPILED;
        let why = [".", ", so that nothing changes for users."][usize::from(is_kept)];
        format!("# \"{name}\" writes {writes}{why}\n")
    });
    let name = chosen.choices().name;
    format!("\n{}conventions = \"{name}\"\n", lines.concat())
}

/// A list of types, each with its reason above it; empty if there are no types.
fn left_out(key: &str, about: &str, types: &[&LeftOut]) -> String {
    if types.is_empty() {
        return String::new();
    }
    let mut text = format!("\n{about}\n{key} = [\n");
    let mut last = None;
    for one in types {
        if last != Some(&one.why) {
            text.push_str(&format!("    # {}\n", one_line(&one.why)));
        }
        last = Some(&one.why);
        text.push_str(&format!("    {},\n", quoted(&one.path)));
    }
    text.push_str("]\n");
    text
}

const EXCLUDED: &str = "# Types that are left out.";

const PENDING: &str = "# Types that are left out until they can be generated. To see what a type needs, remove it from this list.";

fn of_kind(name: &str, kind: &KindChoice) -> String {
    let KindChoice {
        storage,
        short_names,
        unapproved,
    } = kind;
    let mut text = format!("\n[kinds.{}]\n", quoted(name));
    if let Some(version) = storage {
        text.push_str(&format!(
            "# The storage version, the highest of those whose types claim to be it. If the CRDs are merged by a program\n\
             # of yours, it names the version.\nstorage = {}\n",
            quoted(version)
        ));
    }
    if let Some(names) = short_names {
        text.push_str(&format!(
            "# Its short names without those of another kind in the group: an API server does not serve two kinds under\n\
             # one name.\nshort-names = [{}]\n",
            all_quoted(names)
        ));
    }
    if *unapproved {
        text.push_str(&format!(
            "# Servers ask this of groups of Kubernetes: the URL of the approval, or `unapproved` and a reason.\n\
             annotations = {{ {} = \"unapproved, no approval is known\" }}\n",
            quoted(APPROVAL)
        ));
    }
    text
}

/// Replaces characters that a TOML comment cannot contain.
fn one_line(text: &str) -> String {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    text.chars().map(plain).collect()
}

/// The elements of a TOML list of strings.
fn all_quoted<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> String {
    let texts: Vec<String> = texts
        .into_iter()
        .map(|text| quoted(text.as_ref()))
        .collect();
    texts.join(", ")
}

/// A TOML string. JSON's escapes are valid in TOML.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

const STABLE: &str = r#"# The stable channel: for production.

# All features are off, so it contains nothing that is marked `#[experimental]`.
features = "none"

# From its first version on that is not alpha, what is new in a kind must be in the experimental channel of an earlier bundle
# before it is stable. Until then it may be stable at once.

# The value of the annotation `<prefix>/channel`.
annotation = "stable"

# Alpha and beta versions are "as-written", "served", "unserved" or "omitted".
alpha = "as-written"
beta = "as-written"
"#;

const EXPERIMENTAL: &str = r#"# The experimental channel: everything, including what may change or be removed in the next minor bundle. Not for production.

# Every feature of features.toml is on.
features = "all"

# The value of the annotation `<prefix>/channel`.
annotation = "experimental"

# Alpha and beta versions are "as-written", "served", "unserved" or "omitted".
alpha = "as-written"
beta = "as-written"
"#;

const FEATURES: &str = r#"# The features that `#[experimental(feature = "..")]` may name: the purpose of each, who decides about it, where it is
# described, and the bundle that introduced it. A name that is not declared here is an error. `#[experimental]` alone needs none.
#
# [RouteTimeouts]
# summary = "Rules bound how long a request may take."
# owner = "the team that decides about it"
# link = "https://example.com/proposals/timeouts"
# since = "v0.2.0"
"#;
