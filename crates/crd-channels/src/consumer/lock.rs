//! `bundle.lock`: the pinned channels of bundles, with a digest of every file and of every entry.

use super::origin::Origin;
use super::pinned::Pinned;
use crd_channels_diagnostics::{Code, Diagnostic};
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_released::digest::Digest;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::Range;

/// The file's name.
pub const FILE: &str = "bundle.lock";

/// The version of the format, raised whenever a field is added or the meaning changes.
pub const FORMAT: u64 = 3;

/// The default folder of a bundle.
pub const FOLDER: &str = "crds";

/// Returns the first lines of the file.
pub(super) fn head() -> String {
    format!(
        "# Written by `crd-channels pin`; `crd-channels vendor` writes the files that it pins.\nformat = {FORMAT}\n"
    )
}

/// The help for a lock that cannot be read, of which `pin` may be able to read parts.
const REPAIR: &str = "run `crd-channels pin --repair`, which pins the bundles that it names again";

/// The content of a lock.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Lock {
    /// The bundles, sorted by name.
    pub bundles: Vec<Pinned>,
}

/// A file of format 2 or 3.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "format")]
    _format: u64,
    #[serde(default, rename = "bundle")]
    bundles: Vec<Pinned>,
}

/// A file of format 1: one bundle, of which only the CRDs were written, into a folder that the lock did not record.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Single {
    #[serde(rename = "format")]
    _format: u64,
    bundle: BundleVersion,
    channel: String,
    requirement: String,
    kubernetes: String,
    manifest: Digest,
    source: Origin,
    files: BTreeMap<String, Digest>,
}

/// The part of the file that tells a newer lock from a broken one.
#[derive(Deserialize)]
struct Head {
    format: u64,
}

impl Lock {
    /// Returns the bundle with that name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Pinned> {
        self.bundles.iter().find(|pinned| pinned.name == name)
    }

    /// Adds a bundle, replacing the one with its name.
    #[must_use]
    pub fn with(mut self, pinned: Pinned) -> Self {
        self.bundles.retain(|known| known.name != pinned.name);
        self.bundles.push(pinned);
        self.bundles.sort_by(|one, other| one.name.cmp(&other.name));
        self
    }

    /// Whether an entry has no digest, since an older version of this tool wrote it.
    #[must_use]
    pub fn is_old(&self) -> bool {
        self.bundles.iter().any(|pinned| pinned.digest.is_none())
    }

    /// Returns the text of the file.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = head();
        text.extend(self.bundles.iter().map(entry));
        text
    }

    /// Parses the bytes of the file. Whether the entries are as they were written is another question:
    /// [`Pinned::contradictions`](super::pinned::Pinned::contradictions).
    ///
    /// # Errors
    /// `lock-newer` if a newer version of this tool wrote it, `lock-conflict` if it has conflict markers, `lock-invalid` if it
    /// is not a lock.
    pub fn parse(bytes: &[u8]) -> Result<Self, Box<Diagnostic>> {
        let text = std::str::from_utf8(bytes).map_err(|error| invalid(error.to_string()))?;
        if has_conflict(text) {
            let message = format!(
                "`{FILE}` has conflict markers, which git leaves in a file that it cannot merge"
            );
            let finding = Diagnostic::new(Code::LockConflict, None, message);
            return Err(Box::new(finding.with_help(REPAIR)));
        }
        let raw: toml::Table = toml::from_str(text).map_err(|error| invalid(first(&error)))?;
        let unread = |error: toml::de::Error| invalid(first(&error));
        let Head { format } = raw.clone().try_into().map_err(unread)?;
        let mut lock = match format {
            1 => Self {
                bundles: vec![raw.try_into::<Single>().map_err(unread)?.into()],
            },
            2 | FORMAT => Self {
                bundles: raw.try_into::<File>().map_err(unread)?.bundles,
            },
            newer if newer > FORMAT => {
                let message =
                    format!("`{FILE}` has format {newer}, but this tool supports up to {FORMAT}");
                let finding = Diagnostic::new(Code::LockNewer, None, message);
                return Err(Box::new(finding.with_help(
                    "use the version of `crd-channels` that wrote it, or a newer one",
                )));
            }
            other => return Err(invalid(format!("there is no format {other}"))),
        };
        lock.bundles.sort_by(|one, other| one.name.cmp(&other.name));
        lock.check()?;
        let unsealed = lock.bundles.iter().filter(|_| format == FORMAT);
        let mut unsealed = unsealed.filter(|pinned| pinned.digest.is_none());
        match unsealed.next() {
            Some(pinned) => Err(pinned.inconsistent("it has no `digest`")),
            None => Ok(lock),
        }
    }

    /// Checks the invariants that readers rely on.
    pub(super) fn check(&self) -> Result<(), Box<Diagnostic>> {
        let (mut names, mut folders) = (BTreeSet::new(), BTreeSet::new());
        for pinned in &self.bundles {
            let Pinned { name, folder, .. } = pinned;
            if let Some(path) = pinned.odd_file() {
                return Err(invalid(format!("`{path}` is not a file of a bundle")));
            }
            if !names.insert(name) {
                return Err(invalid(format!("it has two bundles named `{name}`")));
            }
            if !folders.insert(folder) {
                return Err(invalid(format!("two bundles have the folder `{folder}`")));
            }
        }
        Ok(())
    }
}

impl From<Single> for Pinned {
    fn from(single: Single) -> Self {
        let mut pinned = Self {
            name: String::new(),
            version: single.bundle,
            channel: single.channel,
            requirement: single.requirement,
            kubernetes: single.kubernetes,
            prefix: String::new(),
            manifest: single.manifest,
            folder: FOLDER.to_owned(),
            with: BTreeSet::new(),
            key: None,
            annotation: None,
            source: single.source,
            files: single.files,
            digest: None,
        };
        // The prefix is unknown, but nearly always it is the only group.
        let crd = pinned.part("crds").next();
        let group = crd.and_then(|(file, _)| file.split_once('_'));
        pinned.name = group.map_or("bundle", |(group, _)| group).to_owned();
        pinned
    }
}

/// Returns the text of an entry.
pub(super) fn entry(pinned: &Pinned) -> String {
    let Pinned {
        name,
        version,
        channel,
        requirement,
        kubernetes,
        prefix,
        annotation,
        manifest,
        folder,
        with,
        key,
        source,
        files,
        digest,
    } = pinned;
    let mut text = "\n[[bundle]]\n".to_owned();
    // Writing into a string cannot fail.
    let mut line = |key: &str, value: &str| {
        let _ = writeln!(text, "{key} = {}", quoted(value));
    };
    line("name", name);
    line("version", &version.to_string());
    line("channel", channel);
    line("requirement", requirement);
    line("kubernetes", kubernetes);
    if !prefix.is_empty() {
        line("prefix", prefix);
    }
    if let Some(annotation) = annotation {
        line("annotation", annotation);
    }
    line("manifest", &manifest.to_string());
    line("folder", folder);
    let with: Vec<String> = with.iter().map(|part| quoted(part.name())).collect();
    let _ = writeln!(text, "with = [{}]", with.join(", "));
    if let Some(key) = key {
        let _ = writeln!(text, "key = {}", quoted(key));
    }
    if let Some(digest) = digest {
        let _ = writeln!(text, "digest = {}", quoted(&digest.to_string()));
    }
    text.push_str("\n[bundle.source]\n");
    for (key, value) in source.keys() {
        let _ = writeln!(text, "{key} = {}", quoted(value));
    }
    text.push_str("\n[bundle.files]\n");
    for (path, digest) in files {
        let _ = writeln!(text, "{} = {}", quoted(path), quoted(&digest.to_string()));
    }
    text
}

/// The first line of a conflict that git leaves in a file, and the last.
pub(super) const OURS: &str = "<<<<<<<";
pub(super) const THEIRS: &str = ">>>>>>>";

/// Whether a text has conflict markers.
#[must_use]
pub fn has_conflict(text: &str) -> bool {
    let has = |marker: &str| text.lines().any(|line| line.starts_with(marker));
    has(OURS) && has(THEIRS)
}

/// Returns the place of the first conflict marker.
#[must_use]
pub fn conflict_line(text: &str) -> Option<Range<usize>> {
    lines(text).find_map(|(place, line)| line.starts_with(OURS).then_some(place))
}

/// Returns the place of a key of an entry, or else of its name.
#[must_use]
pub fn line_of(text: &str, name: &str, key: &str) -> Option<Range<usize>> {
    let name = format!("name = {}", quoted(name));
    let mut inside = lines(text).skip_while(|(_, line)| line.trim() != name);
    let (first, _) = inside.next()?;
    let mut own = inside.take_while(|(_, line)| line.trim() != "[[bundle]]");
    let found = own.find_map(|(place, line)| {
        let is_it = line.trim() == format!("[bundle.{key}]")
            || line
                .split_once('=')
                .is_some_and(|(known, _)| known.trim() == key);
        is_it.then_some(place)
    });
    Some(found.unwrap_or(first))
}

/// Returns the lines of a text with their places.
fn lines(text: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    let mut start = 0;
    text.split_inclusive('\n').map(move |line| {
        let place = start..start + line.trim_end().len();
        start += line.len();
        (place, line)
    })
}

fn invalid(why: String) -> Box<Diagnostic> {
    let message = format!("`{FILE}` cannot be read: {why}");
    Box::new(
        Diagnostic::new(Code::LockInvalid, None, message).with_help(format!(
            "{REPAIR}, or take it from version control: `git checkout HEAD -- {FILE}`"
        )),
    )
}

/// Returns the first line of an error of the TOML parser.
fn first(error: &toml::de::Error) -> String {
    let message = error.message();
    message.lines().next().unwrap_or_default().to_owned()
}

/// Quotes a text as a basic string of TOML.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            c if c.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

    use super::super::origin::{Origin, Place};
    use super::super::pinned::{Part, Pinned};
    use super::Lock;
    use crd_channels_diagnostics::Code;
    use crd_channels_projection::bundle::version::BundleVersion;
    use crd_channels_released::digest::Digest;
    use std::collections::{BTreeMap, BTreeSet};

    fn pinned(name: &str) -> Pinned {
        Pinned {
            name: name.to_owned(),
            version: BundleVersion::new(0, 2, 1),
            channel: "stable".to_owned(),
            requirement: "^0.2".to_owned(),
            kubernetes: "1.32".to_owned(),
            manifest: Digest::of(b"m"),
            folder: format!("deploy/{name}"),
            with: BTreeSet::from([Part::Policies, Part::Components]),
            key: Some("RWQ=".to_owned()),
            prefix: "a.b".to_owned(),
            annotation: None,
            digest: None,
            source: Origin {
                place: Place::Git("https://example.com/a.git".to_owned()),
                path: Some("sub/api".to_owned()),
                revision: Some("a \"b\" \\c\u{7}é".to_owned()),
                tag: Some("v0.2.1".to_owned()),
                commit: Some("0123".to_owned()),
                digest: None,
            },
            files: BTreeMap::from([("stable/crds/a.b_c d.yaml".to_owned(), Digest::of(b"crd"))]),
        }
        .sealed()
    }

    fn lock() -> Lock {
        Lock {
            bundles: vec![pinned("one"), pinned("two")],
        }
    }

    #[test]
    fn a_lock_comes_back_as_it_was() {
        for lock in [lock(), Lock::default()] {
            assert_eq!(Lock::parse(lock.to_text().as_bytes()).unwrap(), lock);
        }
    }

    const FORMAT_1: &str = "format = 1
bundle = \"v0.2.1\"
channel = \"stable\"
requirement = \"^0.2\"
kubernetes = \"1.32\"
manifest = \"sha256:62c66a7a5dd70c3146618063c344e531e6d4b59e379808443ce962b3abd63c5a\"

[source]
git = \"https://example.com/a.git\"
commit = \"0123\"

[files]
\"stable/crds/a.b_c d.yaml\" = \"sha256:62c66a7a5dd70c3146618063c344e531e6d4b59e379808443ce962b3abd63c5a\"
";

    #[test]
    fn a_lock_of_format_1_has_one_bundle_in_the_folder_that_there_was() {
        let lock = Lock::parse(FORMAT_1.as_bytes()).unwrap();
        let mut expected = pinned("a.b");
        expected.folder = "crds".to_owned();
        expected.with = BTreeSet::new();
        expected.key = None;
        expected.prefix = String::new();
        expected.source.path = None;
        expected.source.tag = None;
        expected.source.revision = None;
        expected.files = lock.bundles[0].files.clone();
        expected.digest = None;
        assert_eq!(lock.bundles, [expected]);
    }

    #[test]
    fn invalid_locks_are_rejected() {
        let text = lock().to_text();
        let check = |text: &str, code: Code| {
            let found = Lock::parse(text.as_bytes()).unwrap_err();
            assert_eq!(found.code, code, "{text}");
            assert!(found.help.is_some());
        };
        let digest = pinned("one").digest.unwrap().to_string();
        let open = text.replace(&format!("digest = \"{digest}\"\n"), "");
        check(&open, Code::LockInconsistent);
        check(&format!("<<<<<<< a\n{text}>>>>>>> b\n"), Code::LockConflict);
        check("format = 4\nnews = true\n", Code::LockNewer);
        check("format = 99", Code::LockNewer);
        for text in ["", "format = 1", "format = -1", "format", "\u{0}"] {
            check(text, Code::LockInvalid);
        }
        for (from, to) in [
            ("format = 3", "format = 0"),
            ("format = 3", "format = 3\nmore = 1"),
            ("[bundle.files]", "more = 1\n[bundle.files]"),
            ("git = ", "folder = \"a\"\ngit = "),
            ("sha256:", "md5:"),
            ("v0.2.1", "0.2"),
            ("\"policies\"", "\"politics\""),
            ("name = \"two\"", "name = \"one\""),
            ("deploy/two", "deploy/one"),
        ] {
            check(&text.replace(from, to), Code::LockInvalid);
        }
        let more = FORMAT_1.replace("[files]", "tag = 1\n[files]");
        check(&more, Code::LockInvalid);
        assert!(Lock::parse(b"\xff").is_err());
    }
}
