//! The origin of a bundle, as the command line and the lock name it.

use serde::{Deserialize, Serialize};
use std::path::Path;

/// Where a bundle comes from.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// A folder, as the user named it.
    #[serde(default)]
    pub folder: Option<String>,
    /// A git repository, as the user named it.
    #[serde(default)]
    pub git: Option<String>,
    /// The revision that an update follows; `None` for the default branch and the tags.
    #[serde(default)]
    pub revision: Option<String>,
    /// The tag that the bundle was read from, unless the revision has it.
    #[serde(default)]
    pub tag: Option<String>,
    /// The commit that the bundle was read from.
    #[serde(default)]
    pub commit: Option<String>,
}

impl Origin {
    /// The name to show in messages.
    #[must_use]
    pub fn display_name(&self) -> &str {
        let Self { folder, git, .. } = self;
        folder.as_ref().or(git.as_ref()).map_or("", String::as_str)
    }

    /// No place at all.
    #[must_use]
    pub fn nowhere() -> Self {
        Self {
            folder: None,
            git: None,
            revision: None,
            tag: None,
            commit: None,
        }
    }

    /// Writes it as `--from` takes it.
    #[must_use]
    pub fn argument(&self) -> String {
        let name = self.display_name();
        match (&self.git, &self.revision) {
            (Some(_), Some(revision)) => format!("{name}#{revision}"),
            (Some(git), None) if !is_remote(git) => format!("{GIT}{name}"),
            _ => name.to_owned(),
        }
    }

    /// Whether both are the same folder or repository, at any revision.
    #[must_use]
    pub fn is_same_place(&self, other: &Self) -> bool {
        self.folder == other.folder && self.git == other.git
    }
}

/// The prefix of a git repository on the command line.
const GIT: &str = "git:";

/// Parses `--from`: a folder; `git:` and the path of a repository; or the URL of a repository. A revision may follow after `#`.
///
/// # Errors
/// Fails if two revisions are given; returns the message in one line.
pub fn parse(text: &str, revision: Option<&str>) -> Result<Origin, String> {
    let (place, own) = match text.rsplit_once('#') {
        Some((place, own)) if !Path::new(text).is_dir() => (place, Some(own)),
        _ => (text, None),
    };
    if let (Some(own), Some(revision)) = (own, revision) {
        return Err(format!(
            "`{text}` names the revision `{own}`, and `--revision` names `{revision}`"
        ));
    }
    let revision = revision.or(own).map(str::to_owned);
    let path = place.strip_prefix(GIT);
    let is_git = path.is_some() || is_remote(place) || revision.is_some();
    let place = path.unwrap_or(place).to_owned();
    Ok(Origin {
        folder: (!is_git).then(|| place.clone()),
        git: is_git.then_some(place),
        revision,
        tag: None,
        commit: None,
    })
}

/// Whether the text is a URL or the remote path of a repository; everything else is a path.
pub(super) fn is_remote(text: &str) -> bool {
    text.contains("://") || is_remote_path(text)
}

/// Whether the text has the form `user@host:path`.
fn is_remote_path(text: &str) -> bool {
    let host = text.split(['/', '\\']).next().unwrap_or_default();
    host.split_once(':')
        .is_some_and(|(host, _)| host.contains('@'))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::{is_remote, parse};

    #[test]
    fn only_a_host_with_a_user_is_remote() {
        for (text, expected) in [
            ("C:\\api", false),
            ("c:/api", false),
            ("C:api", false),
            ("C:\\users\\a@b\\c:d", false),
            ("\\\\server\\share", false),
            ("\\\\a@server\\c$\\api", false),
            ("\\\\?\\C:\\api", false),
            ("host:api", false),
            ("../api", false),
            ("../a@b:c", false),
            ("", false),
            ("git@host:api", true),
            ("https://example.com/api", true),
            ("file:///api", true),
        ] {
            assert_eq!(is_remote(text), expected, "{text}");
        }
    }

    #[test]
    fn sources_are_distinguished() {
        let check =
            |text: &str, revision, folder: Option<&str>, git: Option<&str>, at: Option<&str>| {
                let origin = parse(text, revision).unwrap();
                let is = (
                    origin.folder.as_deref(),
                    origin.git.as_deref(),
                    origin.revision.as_deref(),
                );
                assert_eq!(is, (folder, git, at), "{text}");
            };
        check("../api", None, Some("../api"), None, None);
        check("C:\\api", None, Some("C:\\api"), None, None);
        check("../api", Some("v1"), None, Some("../api"), Some("v1"));
        check("../api#v1", None, None, Some("../api"), Some("v1"));
        check("git:../api", None, None, Some("../api"), None);
        check("git:C:\\api#v1", None, None, Some("C:\\api"), Some("v1"));
        check("C:/api#v1", None, None, Some("C:/api"), Some("v1"));
        let share = "\\\\server\\share";
        check(share, None, Some(share), None, None);
        check("git:\\\\server\\share", None, None, Some(share), None);
        check("\\\\server\\share#v1", None, None, Some(share), Some("v1"));
        assert!(parse("git:../api#main", Some("dev")).is_err());
        let url = "https://example.com/a.git";
        check(url, None, None, Some(url), None);
        check(
            "https://example.com/a.git#v1",
            None,
            None,
            Some(url),
            Some("v1"),
        );
        check(
            "git@example.com:a/b",
            None,
            None,
            Some("git@example.com:a/b"),
            None,
        );
        check(
            "file:///a/b#v1",
            None,
            None,
            Some("file:///a/b"),
            Some("v1"),
        );
    }
}
