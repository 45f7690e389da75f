//! The origin of a bundle, as the command line and the lock name it.

use crate::oci::address::{self, SCHEME, with_reference};
use crd_channels_files::shown_path;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Where a bundle comes from.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(try_from = "Keys", into = "Keys")]
pub struct Origin {
    /// The place that the user named.
    pub place: Place,
    /// The folder that bundles are searched in, with `/`; `None` for the top.
    pub path: Option<String>,
    /// The revision that an update follows; `None` for the default branch and the tags. In a registry a tag or a digest.
    pub revision: Option<String>,
    /// The tag that the bundle was read from, unless the revision has it.
    pub tag: Option<String>,
    /// The commit that the bundle was read from.
    pub commit: Option<String>,
    /// The digest of the artifact that the bundle was read from.
    pub digest: Option<String>,
}

/// A place with bundles, as the user named it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Place {
    /// A folder.
    Folder(String),
    /// A git repository.
    Git(String),
    /// An archive: a file or a URL.
    Archive(String),
    /// A repository of a registry, as `oci://REGISTRY/REPOSITORY`.
    Oci(String),
}

/// The keys of an origin in the lock, of which one names the place.
#[derive(Clone, Default, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
struct Keys {
    folder: Option<String>,
    git: Option<String>,
    archive: Option<String>,
    oci: Option<String>,
    path: Option<String>,
    revision: Option<String>,
    tag: Option<String>,
    commit: Option<String>,
    digest: Option<String>,
}

impl TryFrom<Keys> for Origin {
    type Error = &'static str;

    fn try_from(keys: Keys) -> Result<Self, Self::Error> {
        let place = match (keys.folder, keys.git, keys.archive, keys.oci) {
            (Some(name), None, None, None) => Place::Folder(name),
            (None, Some(name), None, None) => Place::Git(name),
            (None, None, Some(name), None) => Place::Archive(name),
            (None, None, None, Some(name)) => Place::Oci(name),
            _ => return Err("the source must be one of `folder`, `git`, `archive` and `oci`"),
        };
        Ok(Self {
            place,
            path: keys.path,
            revision: keys.revision,
            tag: keys.tag,
            commit: keys.commit,
            digest: keys.digest,
        })
    }
}

impl From<Origin> for Keys {
    fn from(origin: Origin) -> Self {
        let rest = Self {
            path: origin.path,
            revision: origin.revision,
            tag: origin.tag,
            commit: origin.commit,
            digest: origin.digest,
            ..Self::default()
        };
        match origin.place {
            Place::Folder(name) => Self {
                folder: Some(name),
                ..rest
            },
            Place::Git(name) => Self {
                git: Some(name),
                ..rest
            },
            Place::Archive(name) => Self {
                archive: Some(name),
                ..rest
            },
            Place::Oci(name) => Self {
                oci: Some(name),
                ..rest
            },
        }
    }
}

impl Place {
    /// The keys of the lock that name a place.
    pub const KEYS: [&str; 4] = ["folder", "git", "archive", "oci"];

    /// Its name and its key.
    #[must_use]
    pub fn name_and_key(&self) -> (&str, &'static str) {
        match self {
            Self::Folder(name) => (name, "folder"),
            Self::Git(name) => (name, "git"),
            Self::Archive(name) => (name, "archive"),
            Self::Oci(name) => (name, "oci"),
        }
    }
}

impl Origin {
    /// A place at its newest revision.
    #[must_use]
    pub fn new(place: Place) -> Self {
        Self {
            place,
            path: None,
            revision: None,
            tag: None,
            commit: None,
            digest: None,
        }
    }

    /// The name to show in messages.
    #[must_use]
    pub fn display_name(&self) -> &str {
        self.place.name_and_key().0
    }

    /// Its keys in the lock that have a value, in their order.
    pub fn keys(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let (name, key) = self.place.name_and_key();
        let rest = [
            ("path", &self.path),
            ("revision", &self.revision),
            ("tag", &self.tag),
            ("commit", &self.commit),
            ("digest", &self.digest),
        ];
        let rest = rest.into_iter();
        std::iter::once((key, name))
            .chain(rest.filter_map(|(key, value)| Some((key, value.as_deref()?))))
    }

    /// Returns it without the place where a bundle was read last.
    #[must_use]
    pub fn followed(self) -> Self {
        Self {
            tag: None,
            commit: None,
            digest: None,
            ..self
        }
    }

    /// Where exactly it was read: a commit, or the digest of an artifact.
    #[must_use]
    pub fn read_at(&self) -> Option<&str> {
        self.commit.as_deref().or(self.digest.as_deref())
    }

    /// Writes it as `--from` takes it.
    #[must_use]
    pub fn argument(&self) -> String {
        match (&self.place, &self.revision) {
            (Place::Oci(name), Some(revision)) => with_reference(name, revision),
            (Place::Git(name), Some(revision)) => format!("{name}#{revision}"),
            (Place::Git(name), None) if !is_remote(name) => format!("{GIT}{name}"),
            _ => self.display_name().to_owned(),
        }
    }

    /// Whether both are the same folder of a disk or a repository, at any revision.
    #[must_use]
    pub fn is_same_place(&self, other: &Self) -> bool {
        (&self.place, &self.path) == (&other.place, &other.path)
    }
}

/// The prefix of a git repository on the command line.
const GIT: &str = "git:";

/// Parses `--from`: a folder; an archive, by its name; `git:` and the path of a repository; the URL of a repository, each with a
/// revision after `#`; or `oci://` and a repository of a registry, with its tag or digest.
///
/// # Errors
/// Fails if two revisions are given; returns the message in one line.
pub fn parse(text: &str, revision: Option<&str>) -> Result<Origin, String> {
    let mut oci = None;
    let (place, own) = match text.rsplit_once('#') {
        _ if text.starts_with(SCHEME) => {
            let (address, own) = address::parse(text)?;
            oci = Some(address.to_string());
            (text, own)
        }
        Some((place, own)) if !Path::new(text).is_dir() => (place, Some(own.to_owned())),
        _ => (text, None),
    };
    if let (Some(own), Some(revision)) = (&own, revision) {
        return Err(format!(
            "`{text}` names the revision `{own}`, and `--revision` names `{revision}`"
        ));
    }
    let revision = revision.map(str::to_owned).or(own);
    let at = |place| Origin {
        revision: revision.clone(),
        ..Origin::new(place)
    };
    if let Some(oci) = oci {
        return Ok(at(Place::Oci(oci)));
    }
    let path = place.strip_prefix(GIT);
    if path.is_none() && revision.is_none() && is_archive(place) {
        return Ok(at(Place::Archive(portable(place))));
    }
    let is_git = path.is_some() || is_remote(place) || revision.is_some();
    let place = portable(path.unwrap_or(place));
    Ok(at(match is_git {
        true => Place::Git(place),
        false => Place::Folder(place),
    }))
}

/// The lock is committed, so a relative path in it has `/` on every system.
fn portable(place: &str) -> String {
    match is_remote(place) || Path::new(place).has_root() {
        true => place.to_owned(),
        false => shown_path(Path::new(place)),
    }
}

/// Whether the text names an archive: a path, or a URL that a download may have.
fn is_archive(text: &str) -> bool {
    let (scheme, name) = match text.split_once("://") {
        Some((scheme, rest)) => (scheme, rest.split('?').next().unwrap_or(rest)),
        None if is_remote(text) => return false,
        None => ("file", text),
    };
    let ends = [".tar.gz", ".tgz"];
    matches!(scheme, "file" | "http" | "https")
        && ends.iter().any(|end| name.ends_with(end))
        && !Path::new(text).is_dir()
}

/// Parses `--path`: a folder inside a source. Returns it with plain names between `/`; `None` for the top.
///
/// # Errors
/// Fails if it leads out of the source; returns the message in one line.
pub fn inside(text: &str) -> Result<Option<String>, String> {
    let mut names = Vec::new();
    let is_plain = |name: &str| name != ".." && !name.contains(char::is_control);
    for name in text.split('/') {
        match name {
            "" | "." => {}
            name if is_plain(name) => names.push(name),
            _ => {
                return Err(format!(
                    "`{}` is not a folder inside the source",
                    text.escape_debug()
                ));
            }
        }
    }
    if text.starts_with('/') {
        return Err(format!("`{text}` is not a folder inside the source"));
    }
    Ok((!names.is_empty()).then(|| names.join("/")))
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

    use super::{Place, inside, is_remote, parse, with_reference};
    use std::path::Path;

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
    fn a_folder_inside_a_source_has_one_spelling() {
        for (text, expected) in [
            ("sub", Some("sub")),
            ("./sub//api/", Some("sub/api")),
            ("a b", Some("a b")),
            ("", None),
            (".", None),
        ] {
            assert_eq!(inside(text).unwrap().as_deref(), expected, "{text}");
        }
        for text in ["..", "sub/..", "sub/../../x", "/", "/sub", "a\nb"] {
            assert!(inside(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sources_are_distinguished() {
        let check =
            |text: &str, revision, folder: Option<&str>, git: Option<&str>, at: Option<&str>| {
                let origin = parse(text, revision).unwrap();
                let folder = folder.map(|name| Place::Folder(name.to_owned()));
                let place = folder.or(git.map(|name| Place::Git(name.to_owned())));
                assert_eq!(Some(origin.place), place, "{text}");
                assert_eq!(origin.revision.as_deref(), at, "{text}");
            };
        check("../api", None, Some("../api"), None, None);
        let relative = Path::new("..").join("api");
        check(relative.to_str().unwrap(), None, Some("../api"), None, None);
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
        for name in [
            "edge-crds-v0.1.0.tar.gz",
            "../dist/a.tgz",
            "https://example.com/v0.1.0/a.tar.gz",
            "http://example.com/a.tar.gz?token=1",
            "file:///a/b.tgz",
        ] {
            let origin = parse(name, None).unwrap();
            assert_eq!(origin.place, Place::Archive(name.to_owned()));
        }
        check("a.tar", None, Some("a.tar"), None, None);
        for name in ["ssh://host/a.tar.gz", "git@host:a.tgz"] {
            check(name, None, None, Some(name), None);
        }
        check("git:a.tar.gz", None, None, Some("a.tar.gz"), None);
        let git = Some("https://example.com/a.tar.gz");
        check(
            "https://example.com/a.tar.gz#v1",
            None,
            None,
            git,
            Some("v1"),
        );
        assert!(parse("git:../api#main", Some("dev")).is_err());
        let repository = "oci://ghcr.io/edge/crds";
        for revision in ["v0.1.0", &format!("sha256:{}", "0".repeat(64))] {
            let text = with_reference(repository, revision);
            for origin in [parse(&text, None), parse(repository, Some(revision))] {
                let origin = origin.unwrap();
                assert_eq!(origin.place, Place::Oci(repository.to_owned()));
                assert_eq!(origin.revision.as_deref(), Some(revision));
                assert_eq!(origin.argument(), text);
            }
            assert!(parse(&text, Some("v0.2.0")).is_err());
        }
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
