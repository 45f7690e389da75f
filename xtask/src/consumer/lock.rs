//! `bundle.lock`: one channel of one bundle, to the byte.

use super::origin::Origin;
use crate::bundle::version::BundleVersion;
use crate::diag::{Code, Diagnostic};
use crate::released::digest::Digest;
use crate::released::folder::Verified;
use crate::released::manifest::Channel;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The file's name.
pub const FILE: &str = "bundle.lock";

/// Raised whenever the lock changes its meaning or gets a field.
pub const FORMAT: u64 = 2;

/// What is pinned.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Lock {
    /// [`FORMAT`]
    pub format: u64,
    /// The bundle.
    pub bundle: BundleVersion,
    /// The channel.
    pub channel: String,
    /// Which bundles an update may choose from, as in `^0.2`.
    pub requirement: String,
    /// The oldest Kubernetes that the CRDs can be installed on, as `1.32`.
    pub kubernetes: String,
    /// The digest that the bundle's manifest states of itself.
    pub manifest: Digest,
    /// Where the bundle comes from.
    pub source: Origin,
    /// Every file of the channel, by path inside the bundle.
    pub files: BTreeMap<String, Digest>,
}

/// Just enough to tell a newer lock from a broken one.
#[derive(Deserialize)]
struct Head {
    format: u64,
}

impl Lock {
    /// Pins a channel of a bundle.
    #[must_use]
    pub fn of(bundle: &Verified, channel: &Channel, requirement: &str, source: Origin) -> Self {
        let manifest = &bundle.manifest;
        Self {
            format: FORMAT,
            bundle: manifest.version.clone(),
            channel: channel.name.clone(),
            requirement: requirement.to_owned(),
            kubernetes: manifest.kubernetes.clone(),
            // What was verified has one.
            manifest: manifest
                .digest
                .clone()
                .unwrap_or_else(|| manifest.to_text().1),
            source,
            files: channel.files.clone(),
        }
    }

    /// The file's text.
    #[must_use]
    pub fn to_text(&self) -> String {
        let Self {
            format,
            bundle,
            channel,
            requirement,
            kubernetes,
            manifest,
            source,
            files,
        } = self;
        let Origin {
            folder,
            git,
            revision,
            tag,
            commit,
        } = source;
        let mut text = format!(
            "# Written by `crd-channels pin`; `crd-channels vendor` writes the CRDs that it pins.\nformat = {format}\n"
        );
        // Writing into a string cannot fail.
        let mut line = |key: &str, value: &str| {
            let _ = writeln!(text, "{key} = {}", quoted(value));
        };
        line("bundle", &bundle.to_string());
        line("channel", channel);
        line("requirement", requirement);
        line("kubernetes", kubernetes);
        line("manifest", &manifest.to_string());
        text.push_str("\n[source]\n");
        for (key, value) in [
            ("folder", folder),
            ("git", git),
            ("revision", revision),
            ("tag", tag),
            ("commit", commit),
        ] {
            if let Some(value) = value {
                let _ = writeln!(text, "{key} = {}", quoted(value));
            }
        }
        text.push_str("\n[files]\n");
        for (path, digest) in files {
            let _ = writeln!(text, "{} = {}", quoted(path), quoted(&digest.to_string()));
        }
        text
    }

    /// Reads the file's bytes.
    ///
    /// # Errors
    /// `lock-newer` when a newer version of this tool wrote it, `lock-invalid` when it is not a lock.
    pub fn parse(bytes: &[u8]) -> Result<Self, Box<Diagnostic>> {
        let text = std::str::from_utf8(bytes).map_err(|error| invalid(error.to_string()))?;
        let raw: toml::Table = toml::from_str(text).map_err(|error| invalid(first(&error)))?;
        if let Ok(Head { format }) = raw.clone().try_into()
            && format > FORMAT
        {
            let message =
                format!("`{FILE}` has format {format}, and this tool knows up to {FORMAT}");
            return Err(Box::new(
                Diagnostic::new(Code::LockNewer, None, message)
                    .with_help("use the version of `crd-channels` that wrote it, or a newer one"),
            ));
        }
        let mut lock: Self = raw.try_into().map_err(|error| invalid(first(&error)))?;
        if !(1..=FORMAT).contains(&lock.format) {
            return Err(invalid(format!("there is no format {}", lock.format)));
        }
        if lock.source.folder.is_some() == lock.source.git.is_some() {
            return Err(invalid("the source is either `folder` or `git`".to_owned()));
        }
        // Format 1 knew no tags.
        lock.format = FORMAT;
        Ok(lock)
    }

    /// Reports where a bundle is not the one that was pinned.
    ///
    /// # Errors
    /// `bundle-tampered`
    pub fn check(&self, bundle: &Verified) -> Result<(), Box<Diagnostic>> {
        let manifest = &bundle.manifest;
        let channels = manifest.channels.iter();
        let mut pinned = channels.filter(|channel| channel.name == self.channel);
        let same = manifest.version == self.bundle
            && manifest.digest.as_ref() == Some(&self.manifest)
            && manifest.kubernetes == self.kubernetes
            && pinned
                .next()
                .is_some_and(|channel| channel.files == self.files);
        if same {
            return Ok(());
        }
        let message = format!("the bundle {} is not the one that was pinned", self.bundle);
        Err(Box::new(Diagnostic::new(Code::BundleTampered, None, message).with_help(
            "ask those who release it: a released bundle never changes. To trust the new one remove `bundle.lock` and pin again",
        )))
    }
}

fn invalid(why: String) -> Box<Diagnostic> {
    let message = format!("`{FILE}` cannot be read: {why}");
    Box::new(
        Diagnostic::new(Code::LockInvalid, None, message)
            .with_help("take it from version control, or remove it and pin again"),
    )
}

/// The first line of what TOML's reader says.
fn first(error: &toml::de::Error) -> String {
    let message = error.message();
    message.lines().next().unwrap_or_default().to_owned()
}

/// A text as a basic string of TOML.
fn quoted(text: &str) -> String {
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
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::{FORMAT, Lock, Origin};
    use crate::bundle::version::BundleVersion;
    use crate::diag::Code;
    use crate::released::digest::Digest;
    use std::collections::BTreeMap;

    fn lock() -> Lock {
        Lock {
            format: FORMAT,
            bundle: BundleVersion::new(0, 2, 1),
            channel: "stable".to_owned(),
            requirement: "^0.2".to_owned(),
            kubernetes: "1.32".to_owned(),
            manifest: Digest::of(b"m"),
            source: Origin {
                folder: None,
                git: Some("https://example.com/a.git".to_owned()),
                revision: Some("a \"b\" \\c\u{7}é".to_owned()),
                tag: Some("v0.2.1".to_owned()),
                commit: Some("0123".to_owned()),
            },
            files: BTreeMap::from([("stable/crds/a b.yaml".to_owned(), Digest::of(b"crd"))]),
        }
    }

    #[test]
    fn a_lock_comes_back_as_it_was() {
        let lock = lock();
        assert_eq!(Lock::parse(lock.to_text().as_bytes()).unwrap(), lock);
    }

    #[test]
    fn a_lock_of_format_1_is_read() {
        let text = lock().to_text();
        let old = text.replace("format = 2", "format = 1");
        let old = old.replace("tag = \"v0.2.1\"\n", "");
        let mut expected = lock();
        expected.source.tag = None;
        assert_eq!(Lock::parse(old.as_bytes()).unwrap(), expected);
    }

    #[test]
    fn what_is_no_lock_is_refused() {
        let text = lock().to_text();
        let check = |text: &str, code: Code| {
            let found = Lock::parse(text.as_bytes()).unwrap_err();
            assert_eq!(found.code, code, "{text}");
            assert!(found.help.is_some());
        };
        check("format = 3\nnews = true\n", Code::LockNewer);
        check("format = 99", Code::LockNewer);
        for text in [
            "",
            "format = 2",
            "format = 1",
            "format = -1",
            "format",
            "\u{0}",
        ] {
            check(text, Code::LockInvalid);
        }
        check(&text.replace("format = 2", "format = 0"), Code::LockInvalid);
        check(
            &text.replace("[files]", "more = 1\n[files]"),
            Code::LockInvalid,
        );
        check(
            &text.replace("git = ", "folder = \"a\"\ngit = "),
            Code::LockInvalid,
        );
        check(&text.replace("sha256:", "md5:"), Code::LockInvalid);
        check(&text.replace("v0.2.1", "0.2"), Code::LockInvalid);
        assert!(Lock::parse(b"\xff").is_err());
    }
}
