//! Downloads a file with `curl`, which uses the proxies and certificates of the machine, as git does.

use super::location::missing;
use crd_channels_diagnostics::Diagnostic;
use std::io::{self, Read};
use std::process::{Command, Stdio};

/// The largest file that is downloaded.
const LARGEST: u64 = 128 << 20;

/// Returns the file at a URL. It follows redirections, but never from `https` to something else.
pub(super) fn download(url: &str) -> Result<Vec<u8>, Box<Diagnostic>> {
    let redirected = match url.starts_with("https:") {
        true => "=https",
        false => "=http,https",
    };
    let mut command = Command::new("curl");
    command
        .args([
            "--fail",
            "--silent",
            "--show-error",
            "--location",
            "--globoff",
        ])
        .args(["--connect-timeout", "30", "--proto", "=file,http,https"])
        .args(["--proto-redir", redirected, "--url", url])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    match run(command) {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(why)) => Err(missing(
            format!("`{url}` cannot be downloaded: {why}"),
            "name the URL of an archive that `crd-channels archive` wrote; a browser shows whether it is there",
        )),
        Err(error) => Err(missing(
            format!("`curl`, which downloads `{url}`, could not be started: {error}"),
            "install curl, or download the archive and name the file: `crd-channels pin --from FILE.tar.gz`",
        )),
    }
}

/// Returns what a command prints, or the last line of what it says about an error.
fn run(mut command: Command) -> io::Result<Result<Vec<u8>, String>> {
    let mut child = command.spawn()?;
    let mut bytes = Vec::new();
    if let Some(stdout) = child.stdout.take() {
        stdout.take(LARGEST + 1).read_to_end(&mut bytes)?;
    }
    if bytes.len() as u64 > LARGEST {
        // It ends by itself, since its output is closed.
        let _ = child.wait();
        return Ok(Err(
            "the file is too large for an archive of a bundle".to_owned()
        ));
    }
    let output = child.wait_with_output()?;
    if output.status.success() {
        return Ok(Ok(bytes));
    }
    let printed = String::from_utf8_lossy(&output.stderr);
    let line = printed.lines().next_back().unwrap_or_default();
    Ok(Err(line.to_owned()))
}
