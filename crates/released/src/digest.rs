//! The digests of files in manifests and locks.

use crd_channels_files::with_unix_line_ends;
use crd_channels_validation::proof::digest;
use serde::{Deserialize, Serialize};
use std::fmt;

const ALGORITHM: &str = "sha256:";

/// The SHA-256 of some bytes, written as `sha256:` and 64 lower-case digits.
#[derive(Clone, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct Digest(String);

impl Digest {
    /// Computes the digest of bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(digest(bytes))
    }

    /// Whether it is the digest of a text, which git may have given Windows line ends.
    #[must_use]
    pub fn is_of_text(&self, bytes: &[u8]) -> bool {
        Self::of(bytes) == *self || Self::of(&with_unix_line_ends(bytes)) == *self
    }

    /// The digits alone, in the form that most other tools use.
    #[must_use]
    pub fn hex(&self) -> &str {
        self.0.strip_prefix(ALGORITHM).unwrap_or(&self.0)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for Digest {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let digits = text.strip_prefix(ALGORITHM).unwrap_or_default();
        let hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        if digits.len() == 64 && digits.bytes().all(hex) {
            Ok(Self(text))
        } else {
            Err(format!(
                "`{text}` is not a digest, such as `{}`",
                Self::of(b"")
            ))
        }
    }
}

impl From<Digest> for String {
    fn from(digest: Digest) -> Self {
        digest.0
    }
}

#[cfg(test)]
mod tests {
    use super::Digest;

    #[test]
    fn a_digest_has_one_form() {
        let empty = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(Digest::of(b"").to_string(), empty);
        assert_eq!(Digest::try_from(empty.to_owned()), Ok(Digest::of(b"")));
        for text in [
            "",
            "sha256:",
            &empty.to_uppercase(),
            &empty[1..],
            &format!("{empty}0"),
        ] {
            assert!(Digest::try_from(text.to_owned()).is_err(), "{text}");
        }
    }
}
