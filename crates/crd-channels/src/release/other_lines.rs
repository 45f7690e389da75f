//! Bundles of other release lines, known only by their git tags. A version is unique across branches, and a bundle follows
//! every bundle that its users may come from.

use super::rejection;
use super::version_choice::{Choice, ONE_A_DAY, line};
use crd_channels_diagnostics::report::counted;
use crd_channels_diagnostics::shell::word;
use crd_channels_diagnostics::{Code, Diagnostic};
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_projection::channel::config::FOLDER;

/// A bundle that the tree lacks.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Tagged {
    /// Its version.
    pub version: BundleVersion,
    /// Its tag.
    pub tag: String,
    /// The branches that contain the tag.
    pub branches: Vec<String>,
    /// The command that gets it, if somebody released it on this very branch.
    pub pull: Option<String>,
}

/// The maximum number of branches to name.
const MOST_NAMED: usize = 2;

/// Whether a bundle of another line concerns a release: it has the same version, or users upgrade from it.
#[must_use]
pub fn concerns(choice: &Choice, tagged: &BundleVersion) -> bool {
    if *tagged == choice.version {
        return true;
    }
    let Some(baseline) = &choice.baseline else {
        return tagged.is_final();
    };
    let is_patch = line(baseline) == line(&choice.version);
    let follows = if is_patch {
        line(tagged) == line(baseline)
    } else {
        line(tagged) >= line(baseline)
    };
    tagged.is_final() && follows
}

/// Returns why the bundles that concern a release prevent it. `patch` is the next patch of the tree's line, if it is possible.
#[must_use]
pub fn rejections(
    choice: &Choice,
    all: &[Tagged],
    patch: Option<&BundleVersion>,
) -> Vec<Diagnostic> {
    if let Some(same) = all.iter().find(|tagged| tagged.version == choice.version) {
        return vec![taken(same, patch)];
    }
    let missing = |tagged: &Tagged| {
        let message = format!(
            "{} was released {}, but {} would not be compared with it: its users upgrade too",
            tagged.version,
            on(tagged),
            choice.version
        );
        let help = match &tagged.pull {
            Some(pull) => format!("run `{pull}`, which gets it, and release again"),
            None => adopt(&tagged.version),
        };
        *rejection(Code::ReleaseVersion, message, help)
    };
    all.iter().map(missing).collect()
}

fn taken(same: &Tagged, patch: Option<&BundleVersion>) -> Diagnostic {
    let version = &same.version;
    let message = format!("{version} is taken: it was released {}", on(same));
    let help = match (&same.pull, patch) {
        _ if version.is_snapshot() => ONE_A_DAY.to_owned(),
        (Some(pull), _) => {
            format!("run `{pull}`, which gets {version}, and release the next version")
        }
        (None, Some(patch)) => format!(
            "run `crd-channels release patch` for {patch}, or `crd-channels adopt {version}` first for a bundle that follows {version}"
        ),
        (None, None) => format!("{}, and release the next version", adopt(version)),
    };
    *rejection(Code::ReleaseVersion, message, help)
}

/// Returns the error about a bundle that differs from the one of its version in the upstream. `way_back` is the command that
/// goes back to before it; `later` is the number of commits that are lost with it, besides the one that starts the next version.
#[must_use]
pub fn raced(version: &BundleVersion, upstream: &str, way_back: &str, later: usize) -> Diagnostic {
    let message = format!(
        "{version} was released on `{upstream}` as well, and differs from {version} here: a version is used only once"
    );
    let lost = match later {
        0 => String::new(),
        later => format!(
            "; it also drops {} after the release, which `git cherry-pick` brings back",
            counted(later, "commit")
        ),
    };
    let help = format!(
        "go back to before your {version} with `{way_back}`, and release the next version{lost}"
    );
    *rejection(Code::ReleaseVersion, message, help)
}

/// Returns the error about a bundle that is not the one of its tag.
#[must_use]
pub fn replaced(version: &BundleVersion, tag: &str) -> Diagnostic {
    let message = format!(
        "bundle {version} is not the one that was released: the tag `{tag}` has a different one"
    );
    let help = format!(
        "run `git checkout --no-overlay {} -- {FOLDER}/{version}`; if the tag is not the published one, `git fetch --tags --force` gets that",
        word(tag)
    );
    *rejection(Code::BundleTampered, message, help)
}

/// Returns the error about a bundle that was removed from this branch.
#[must_use]
pub fn removed(version: &BundleVersion, tag: &str) -> Diagnostic {
    let message =
        format!("bundle {version} was released at the tag `{tag}`, but its folder was removed");
    *rejection(Code::BundleTampered, message, adopt(version))
}

/// Returns the error about a bundle that the next one of its line follows, but that is not here.
#[must_use]
pub fn missing(tagged: &Tagged) -> Diagnostic {
    let version = &tagged.version;
    let message = format!("{version} was released {}, but is not here", on(tagged));
    *rejection(Code::ReleaseVersion, message, adopt(version))
}

fn adopt(version: &BundleVersion) -> String {
    format!("run `crd-channels adopt {version}`, which copies it here")
}

/// Formats the branches of a bundle: ``on `main` ``.
fn on(tagged: &Tagged) -> String {
    let named: Vec<String> = tagged
        .branches
        .iter()
        .take(MOST_NAMED)
        .map(|name| format!("`{name}`"))
        .collect();
    match named.as_slice() {
        [] => format!("where the tag `{}` is", tagged.tag),
        named => format!("on {}", named.join(" and ")),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::super::version_choice::{RequestedVersion, choose};
    use super::{Tagged, concerns, rejections};
    use crd_channels_projection::bundle::version::BundleVersion;

    #[test]
    fn a_release_follows_the_bundles_that_its_users_come_from() {
        let v = |text: &str| text.parse::<BundleVersion>().unwrap();
        for (asked, tagged, expected) in [
            (
                RequestedVersion::Minor,
                "0.3.0",
                "v0.3.0 is taken: it was released on `main`",
            ),
            (
                RequestedVersion::Minor,
                "0.2.2",
                "v0.2.2 was released on `main`, but v0.3.0 would not be compared with it",
            ),
            (RequestedVersion::Minor, "0.4.0", "v0.4.0 was released"),
            (RequestedVersion::Major, "0.3.0", "v0.3.0 was released"),
            (RequestedVersion::Patch, "0.2.2", "v0.2.2 is taken"),
            (RequestedVersion::Patch, "0.2.3", "v0.2.3 was released"),
            (
                RequestedVersion::Exactly(v("0.3.0-rc.1")),
                "0.3.0-rc.1",
                "v0.3.0-rc.1 is taken",
            ),
            // Pre-releases promise nothing, and these lines are not followed.
            (RequestedVersion::Minor, "0.3.0-rc.1", ""),
            (RequestedVersion::Minor, "0.1.5", ""),
            (RequestedVersion::Patch, "0.3.0", ""),
            (RequestedVersion::Patch, "0.1.5", ""),
        ] {
            let released = [v("0.1.0"), v("0.2.0"), v("0.2.1")];
            let choice = choose(&asked, &v("0.2.2-dev"), released.iter()).unwrap();
            let tagged = Tagged {
                version: v(tagged),
                tag: tagged.to_owned(),
                branches: vec!["main".to_owned()],
                pull: None,
            };
            let message = match concerns(&choice, &tagged.version) {
                true => rejections(&choice, &[tagged], None).remove(0).message,
                false => String::new(),
            };
            assert!(
                message.starts_with(expected) && message.is_empty() == expected.is_empty(),
                "{message}"
            );
        }
    }
}
