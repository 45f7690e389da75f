//! A process that never outlives this one: a shell holds the other end of a pipe and stops the process when the pipe closes.
//!
//! The operating system closes the pipe whenever this process ends, so this works for a return, a panic, Ctrl-C and `kill -9`
//! alike, without a signal handler, and processes are only ever addressed by their ids.

use super::{Failure, io};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The maximum time until a program is ready; on a quiet machine it takes some seconds.
const PATIENCE: Duration = Duration::from_secs(90);

/// The polling interval.
pub const MOMENT: Duration = Duration::from_millis(100);

const SCRIPT: &str = include_str!("keeper.sh");

/// A running program in a folder of its own.
#[derive(Debug)]
pub struct Keeper {
    name: &'static str,
    shell: Child,
    folder: PathBuf,
}

impl Keeper {
    /// Starts a program in an existing folder, which is removed when the program ends.
    ///
    /// # Errors
    /// Fails if there is no `sh`.
    pub fn start<A: AsRef<OsStr>>(
        name: &'static str,
        folder: &Path,
        program: &Path,
        arguments: impl IntoIterator<Item = A>,
    ) -> Result<Self, Failure> {
        let shell = Command::new("sh")
            .args(["-c", SCRIPT, "sh"])
            .arg(folder)
            .arg(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| Failure::new(format!("`sh` could not be started: {error}")))?;
        Ok(Self {
            name,
            shell,
            folder: folder.to_path_buf(),
        })
    }

    /// Returns the program's output so far.
    ///
    /// # Errors
    /// Fails if the log cannot be read.
    pub fn log(&self) -> Result<String, Failure> {
        let path = self.folder.join("log");
        match std::fs::read(&path) {
            Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
            Err(error) => Err(io("read", &path, &error)),
        }
    }

    /// Waits until a condition holds that the program brings about.
    ///
    /// # Errors
    /// Fails if the program ends before that, or takes too long.
    pub fn wait_for(&self, mut holds: impl FnMut() -> bool) -> Result<(), Failure> {
        let start = Instant::now();
        while !holds() {
            if self.has_ended() {
                return Err(self.failure("ended early"));
            }
            if start.elapsed() > PATIENCE {
                return Err(self.failure("was not ready in time"));
            }
            std::thread::sleep(MOMENT);
        }
        Ok(())
    }

    /// Whether the program has ended by itself.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.folder.join("ended").exists()
    }

    /// Returns a failure with the program's last output.
    #[must_use]
    pub fn failure(&self, what: &str) -> Failure {
        let log = self.log().unwrap_or_default();
        let lines: Vec<&str> = log.lines().collect();
        let last = lines.iter().skip(lines.len().saturating_sub(8));
        let last: Vec<&str> = last.copied().collect();
        Failure::new(format!(
            "{} {what}; its last words:\n{}",
            self.name,
            last.join("\n")
        ))
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        drop(self.shell.stdin.take());
        let _ = self.shell.wait();
    }
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::{Keeper, MOMENT};
    use std::path::Path;
    use std::process::Command;

    /// Whether the signal was delivered to the process.
    fn kill(signal: &str, process: &str) -> bool {
        let mut kill = Command::new("kill");
        let output = kill.args([signal, process]).output().unwrap();
        output.status.success()
    }

    /// Sends the signal to the whole process group, as `timeout` and `kill -- -PGID` do, while the program is slow to end.
    fn survives(signal: &str) {
        let own = format!("crd-channels-keeper-{}{signal}", std::process::id());
        let folder = std::env::temp_dir().join(own).join("program");
        std::fs::create_dir_all(&folder).unwrap();
        let script = "trap '' TERM; echo $$ > pid; sleep 30";
        let keeper = Keeper::start("sh", &folder, Path::new("sh"), ["-c", script]).unwrap();
        let mut pid = String::new();
        keeper
            .wait_for(|| {
                pid = std::fs::read_to_string(folder.join("pid")).unwrap_or_default();
                pid.ends_with('\n')
            })
            .unwrap();
        assert!(kill(signal, &keeper.shell.id().to_string()));
        std::thread::sleep(MOMENT);
        drop(keeper);
        assert!(!kill("-0", pid.trim()), "{signal}: the program is there");
        assert!(!folder.exists(), "{signal}: the folder is there");
    }

    #[test]
    fn a_signal_to_the_shell_leaves_nothing_behind() {
        std::thread::scope(|scope| {
            for signal in ["-TERM", "-INT", "-HUP", "-QUIT"] {
                scope.spawn(move || survives(signal));
            }
        });
    }
}
