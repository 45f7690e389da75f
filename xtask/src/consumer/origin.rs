//! Where a bundle comes from, as the command line and the lock name it.

use serde::Deserialize;
use std::path::Path;

/// Where a bundle comes from.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// A folder, as it was named.
    #[serde(default)]
    pub folder: Option<String>,
    /// A git repository, as it was named.
    #[serde(default)]
    pub git: Option<String>,
    /// The revision that an update follows; none for the repository's own default and its tags.
    #[serde(default)]
    pub revision: Option<String>,
    /// The tag that the bundle was read from, where no revision had it.
    #[serde(default)]
    pub tag: Option<String>,
    /// The commit that the bundle was read from.
    #[serde(default)]
    pub commit: Option<String>,
}

impl Origin {
    /// How messages call it.
    #[must_use]
    pub fn shown(&self) -> &str {
        let Self { folder, git, .. } = self;
        folder.as_ref().or(git.as_ref()).map_or("", String::as_str)
    }

    /// Whether both are the same folder or repository, at whatever revision.
    #[must_use]
    pub fn is_same_place(&self, other: &Self) -> bool {
        self.folder == other.folder && self.git == other.git
    }
}

/// What a git repository begins with on the command line.
const GIT: &str = "git:";

/// Reads `--from`: a folder; `git:` and the path of a repository; a repository's URL. `#` begins a revision.
#[must_use]
pub fn parse(text: &str, revision: Option<&str>) -> Origin {
    let (place, own) = match text.rsplit_once('#') {
        Some((place, own)) if !Path::new(text).is_dir() => (place, Some(own)),
        _ => (text, None),
    };
    let revision = revision.or(own).map(str::to_owned);
    let path = place.strip_prefix(GIT);
    let is_remote = place.contains("://") || is_remote_path(place);
    let is_git = path.is_some() || is_remote || revision.is_some();
    let place = path.unwrap_or(place).to_owned();
    Origin {
        folder: (!is_git).then(|| place.clone()),
        git: is_git.then_some(place),
        revision,
        tag: None,
        commit: None,
    }
}

/// `user@host:path`
fn is_remote_path(text: &str) -> bool {
    let host = text.split(['/', '\\']).next().unwrap_or_default();
    host.split_once(':')
        .is_some_and(|(host, _)| host.contains('@'))
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn sources_are_told_apart() {
        let check =
            |text: &str, revision, folder: Option<&str>, git: Option<&str>, at: Option<&str>| {
                let origin = parse(text, revision);
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
        check(
            "git:../api#main",
            Some("dev"),
            None,
            Some("../api"),
            Some("dev"),
        );
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
