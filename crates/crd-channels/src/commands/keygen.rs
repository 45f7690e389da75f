//! `keygen`: generates the keys that bundles are signed with.

use super::{Outcome, here, say_with_summary};
use crate::consumer::folders::place;
use crate::git;
use crd_channels_diagnostics::report::Format;
use crd_channels_diagnostics::shell;
use crd_channels_diagnostics::{Code, Diagnostic, Sources};
use crd_channels_files::shown_path;
use crd_channels_signature::generate;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The arguments of `keygen`.
#[derive(Clone, Debug)]
pub struct Request {
    /// The file to write the secret key into.
    pub secret: PathBuf,
    /// The file to write the public key into.
    pub public: PathBuf,
    /// Whether the secret key is encrypted with a password.
    pub encrypted: bool,
}

/// Generates a pair of keys.
#[must_use]
pub fn run(request: &Request) -> Outcome {
    let Some(here) = here() else {
        return Outcome::CouldNotRun;
    };
    match generated(request, &here) {
        Ok(key) => {
            let Request { secret, public, .. } = request;
            let kept = if cfg!(unix) {
                "which only you may read"
            } else {
                "keep it where only you may read it"
            };
            status!("wrote {}, {kept}", shown_path(secret));
            status!("wrote {}, the key {key}", shown_path(public));
            Outcome::Clean
        }
        Err(finding) => {
            say_with_summary(&[*finding], &Sources::default(), Format::Human);
            Outcome::CouldNotRun
        }
    }
}

/// Writes both files. Returns the public key.
fn generated(request: &Request, here: &Path) -> Result<String, Box<Diagnostic>> {
    let Request { secret, public, .. } = request;
    for path in [secret, public] {
        if here.join(path).symlink_metadata().is_ok() {
            return Err(already_exists(path));
        }
    }
    if git::adds(here, &place(&here.join(secret))) {
        let name = shell::word(&secret.display().to_string());
        let message = format!(
            "git does not ignore `{}`, so `git add --all` would publish the secret key",
            secret.display()
        );
        return Err(failed(
            message,
            format!(
                "run `echo {name} >> .gitignore`, or name a file outside of the working tree with `--secret`"
            ),
        ));
    }
    let keys = generate(request.encrypted)?;
    write(&here.join(secret), &keys.secret, true).map_err(|error| unwritten(secret, &error))?;
    write(&here.join(public), &keys.public, false).map_err(|error| {
        // A secret key without its public one is of no use.
        let _ = fs::remove_file(here.join(secret));
        unwritten(public, &error)
    })?;
    Ok(keys.key)
}

/// Writes a file that does not exist yet, as a whole or not at all.
fn write(path: &Path, text: &str, secret: bool) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let aside = path.with_file_name(format!(".{name}.{}", std::process::id()));
    let written = created(&aside, secret).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        // Unlike a rename, a link never replaces a file.
        match fs::hard_link(&aside, path) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists && !path.exists() => {
                fs::rename(&aside, path)
            }
            linked => linked,
        }
    });
    let _ = fs::remove_file(&aside);
    written
}

/// Creates a file; only its owner can ever read a secret one.
fn created(path: &Path, secret: bool) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if secret {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    #[cfg(not(unix))]
    let _ = secret;
    options.open(path)
}

fn unwritten(path: &Path, error: &io::Error) -> Box<Diagnostic> {
    if error.kind() == ErrorKind::AlreadyExists {
        return already_exists(path);
    }
    failed(
        format!("`{}` cannot be written: {error}", path.display()),
        "name a file in a folder that can be written to".to_owned(),
    )
}

fn already_exists(path: &Path) -> Box<Diagnostic> {
    failed(
        format!(
            "`{}` exists already, and no key is ever replaced",
            path.display()
        ),
        "name other files: `crd-channels keygen --secret NAME.key --public NAME.pub`".to_owned(),
    )
}

fn failed(message: String, help: String) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(Code::KeyInvalid, None, message).with_help(help))
}
