//! The signature of a bundle: a detached signature of its manifest, which has the digests of all other files, in the format of
//! minisign.
//!
#![doc = include_str!("../README.md")]

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use crd_channels_diagnostics::{Code, Diagnostic};
use crd_channels_files::Read;
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_released::manifest::Manifest;
use minisign::{KeyPair, PublicKey, PublicKeyBox, SecretKey, SecretKeyBox, SignatureBox};
use std::fmt;
use std::io::Cursor;
use std::path::Path;

/// The file's name in a bundle's folder.
pub use crd_channels_released::manifest::SIGNATURE as FILE;

/// The environment variable with the password of an encrypted key; without it the terminal asks.
pub const PASSWORD: &str = "CRD_CHANNELS_KEY_PASSWORD";

/// The bytes after the two letters of the algorithm in a secret key that is not encrypted.
const NOT_ENCRYPTED: [u8; 2] = [0, 0];

/// A public key to verify signatures.
#[derive(Clone, Debug)]
pub struct Key(PublicKey);

impl Key {
    /// Parses a key: its one line `RW..`, or the text of a file that contains it.
    ///
    /// # Errors
    /// `key-invalid`
    pub fn parse(text: &str) -> Result<Self, Box<Diagnostic>> {
        let text = text.trim();
        let alone = PublicKey::from_base64(text);
        let key = alone.or_else(|_| PublicKeyBox::from_string(text)?.into_public_key());
        key.map(Self).map_err(|error| {
            failed(
                Code::KeyInvalid,
                format!("this is not a public key of minisign: {error}"),
                "name a file such as `minisign.pub`, or give its second line, which begins with `RW`",
            )
        })
    }

    /// Reads the key of a command-line argument: a file, or else the key itself.
    ///
    /// # Errors
    /// `key-invalid`
    pub fn from_argument(
        given: &str,
        here: &Path,
        files: &dyn Read,
    ) -> Result<Self, Box<Diagnostic>> {
        let unread = match files.read(&here.join(given)) {
            Ok(bytes) => return Self::parse(&String::from_utf8_lossy(&bytes)),
            Err(error) => error,
        };
        // A key may contain slashes, so only its first letters distinguish it from a path.
        let is_path = !given.starts_with("RW") || given.ends_with(".pub");
        if !is_path {
            return Self::parse(given);
        }
        Err(failed(
            Code::KeyInvalid,
            format!("`{given}` cannot be read: {unread}"),
            "name a file such as `minisign.pub`, or give its second line, which begins with `RW`",
        ))
    }

    /// Checks that the bundle of a manifest, read from `folder`, is signed with the matching secret key.
    ///
    /// # Errors
    /// `bundle-unsigned`
    pub fn check(
        &self,
        manifest: &Manifest,
        folder: &Path,
        files: &dyn Read,
    ) -> Result<(), Box<Diagnostic>> {
        let version = &manifest.version;
        let unsigned = |why: String, help: &str| {
            Err(failed(
                Code::BundleUnsigned,
                format!("bundle {version} {why}"),
                help,
            ))
        };
        let text = files.read(&folder.join(FILE));
        let Some(text) = text.ok().and_then(|bytes| String::from_utf8(bytes).ok()) else {
            return unsigned(
                "is not signed".to_owned(),
                "ask its publisher for a signature, or use a bundle that has one",
            );
        };
        // A manifest has only one text, so this is the verified one.
        let (manifest, _) = manifest.to_text();
        let signed = SignatureBox::from_string(&text).and_then(|signature| {
            minisign::verify(
                &self.0,
                &signature,
                Cursor::new(manifest),
                true,
                false,
                false,
            )
        });
        match signed {
            Ok(()) => Ok(()),
            Err(error) => unsigned(
                format!("is not signed with this key: {error}"),
                "get the public key from the publisher, not from the bundle's source",
            ),
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.to_base64())
    }
}

/// Signs the text of a manifest with the secret key in a file. The signature names the bundle, but no time.
///
/// # Errors
/// `key-invalid`
pub fn sign(
    manifest: &str,
    version: &BundleVersion,
    prefix: &str,
    key: &Path,
) -> Result<String, Box<Diagnostic>> {
    let failed = |why: String| {
        let message = format!("`{}` cannot sign: {why}", key.display());
        let help = format!(
            "generate a key with `crd-channels keygen --secret release.key --public release.pub`; the password of an encrypted key is read from `{PASSWORD}`"
        );
        failed(Code::KeyInvalid, message, &help)
    };
    let text = std::fs::read_to_string(key).map_err(|error| failed(error.to_string()))?;
    let password = std::env::var(PASSWORD).ok();
    let comment = format!("bundle {version} of {prefix}");
    let key = match open(&text) {
        Some(key) => Ok(key),
        None => SecretKeyBox::from_string(&text).and_then(|key| key.into_secret_key(password)),
    };
    let signature = key.and_then(|key| {
        minisign::sign(
            None,
            &key,
            Cursor::new(manifest),
            Some(&comment),
            Some(&comment),
        )
    });
    let signature = signature.map_err(|error| failed(error.to_string()))?;
    Ok(signature.into_string())
}

/// Returns the id of the key that made a signature, as minisign prints it; `None` if the text is not a signature.
#[must_use]
pub fn key_id(signature: &str) -> Option<String> {
    let bytes = STANDARD.decode(signature.lines().nth(1)?.trim()).ok()?;
    let id = bytes.get(2..10)?.iter().rev();
    Some(id.map(|byte| format!("{byte:02X}")).collect())
}

/// A new pair of keys, as the texts of two files that minisign reads as well.
#[derive(Clone, Debug)]
pub struct NewKeys {
    /// The file of the secret key.
    pub secret: String,
    /// The file of the public key.
    pub public: String,
    /// The public key itself, which `--key` accepts.
    pub key: String,
}

/// Generates a pair of keys. The secret key is encrypted with the password in [`PASSWORD`], or one that the terminal asks for,
/// if `encrypted`.
///
/// # Errors
/// `key-invalid`
pub fn generate(encrypted: bool) -> Result<NewKeys, Box<Diagnostic>> {
    let pair = match encrypted {
        true => KeyPair::generate_encrypted_keypair(std::env::var(PASSWORD).ok()),
        false => KeyPair::generate_unencrypted_keypair(),
    };
    let keys = pair.and_then(|pair| {
        let key = pair.pk.to_base64();
        let secret = pair.sk.to_box(Some("crd-channels secret key"))?;
        Ok(NewKeys {
            secret: secret.into_string(),
            public: pair.pk.to_box()?.into_string(),
            key,
        })
    });
    keys.map_err(|error| {
        let help = format!(
            "set the password in `{PASSWORD}`, run it in a terminal, which asks for it, or add `--no-password`"
        );
        failed(Code::KeyInvalid, format!("no key can be generated: {error}"), &help)
    })
}

fn failed(code: Code, message: String, help: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(code, None, message).with_help(help))
}

/// Reads an unencrypted secret key from a file's text. The crate refuses such keys, which the minisign program writes without a
/// checksum.
fn open(text: &str) -> Option<SecretKey> {
    let bytes = STANDARD.decode(text.lines().nth(1)?.trim()).ok()?;
    let key = SecretKey::from_bytes(&bytes).ok()?;
    (bytes.get(2..4)? == NOT_ENCRYPTED).then_some(key)
}
