//! Runs `kubectl`, which knows the contexts and credentials of a machine, and classifies its failures.

use crd_channels_diagnostics::{Code, Diagnostic};
use serde_json::Value;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How long a server that does not answer is asked again, for example while it restarts.
const PATIENCE: Duration = Duration::from_secs(120);

/// The pause after the first failure; it doubles with each.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// `kubectl` with the options that select a cluster and a user.
#[derive(Clone, Debug, Default)]
pub struct Kubectl {
    /// Passed on with every call, such as `--context=NAME`.
    pub options: Vec<String>,
}

/// Why a call failed.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Failure {
    pub(super) reason: Reason,
    /// What `kubectl` or the server says, in one line.
    pub(super) message: String,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Reason {
    /// There is no such object.
    NotFound,
    /// There is no such kind. Just after it started, a server may not know all of them.
    NoKind,
    /// The object was changed in between.
    Conflict,
    /// A list can no longer be continued.
    Expired,
    /// Another manager owns fields that were to be applied.
    Owned,
    /// RBAC denies it.
    Forbidden,
    /// The server may do it later.
    Transient,
    /// Everything else, such as an object that is invalid.
    Other,
}

/// What a call printed, and its failure if it had one.
#[derive(Debug)]
pub(super) struct Called {
    pub(super) printed: String,
    pub(super) failure: Option<Failure>,
}

impl Called {
    /// Returns the failure as an error.
    pub(super) fn succeeded(self) -> Result<String, Failure> {
        self.failure.map_or(Ok(self.printed), Err)
    }
}

impl Kubectl {
    /// Gets a path of the server.
    pub(super) fn get(&self, path: &str) -> Result<Value, Failure> {
        let text = self.call(&["get", "--raw", path], "")?.succeeded()?;
        parsed(&text, path)
    }

    /// The same, if there is such an object.
    pub(super) fn find(&self, path: &str) -> Result<Option<Value>, Failure> {
        match self.get(path) {
            Ok(found) => Ok(Some(found)),
            Err(failure) if failure.reason == Reason::NotFound => Ok(None),
            Err(failure) => Err(failure),
        }
    }

    /// Runs a command with this input.
    pub(super) fn call(&self, arguments: &[&str], input: &str) -> Result<Called, Failure> {
        let failed = |error: std::io::Error| Failure {
            reason: Reason::Other,
            message: format!("`kubectl` could not be started: {error}"),
        };
        let mut child = Command::new("kubectl")
            .args(&self.options)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let stdin = child.stdin.take();
        let output = std::thread::scope(|scope| {
            // If `kubectl` ends before it has read everything, its exit code says why.
            scope.spawn(|| stdin.map(|mut pipe| pipe.write_all(input.as_bytes())));
            child.wait_with_output()
        });
        let output = output.map_err(failed)?;
        let failure = (!output.status.success())
            .then(|| Failure::read(&String::from_utf8_lossy(&output.stderr)));
        Ok(Called {
            printed: String::from_utf8_lossy(&output.stdout).into_owned(),
            failure,
        })
    }
}

/// Repeats a call while the server may answer it later.
pub(super) fn patiently<T>(call: impl Fn() -> Result<T, Failure>) -> Result<T, Failure> {
    let start = Instant::now();
    let mut pause = FIRST_PAUSE;
    loop {
        match call() {
            Err(failure) if failure.reason == Reason::Transient && start.elapsed() < PATIENCE => {
                if pause == FIRST_PAUSE {
                    note!("{}; trying again", failure.message);
                }
                std::thread::sleep(pause);
                pause = LONGEST_PAUSE.min(pause * 2);
            }
            result => return result,
        }
    }
}

/// Reads an answer of a server as JSON; `to` is what was asked.
pub(super) fn parsed(text: &str, to: &str) -> Result<Value, Failure> {
    serde_json::from_str(text).map_err(|error| Failure {
        reason: Reason::Other,
        message: format!("the answer to `{to}` is not JSON: {error}"),
    })
}

impl Failure {
    /// Reads what `kubectl` wrote to standard error.
    fn read(text: &str) -> Self {
        let is_error = |line: &&str| {
            let starts = ["Error from server", "error: ", "Unable to connect"];
            starts.iter().any(|start| line.starts_with(start))
                || line.starts_with("The connection to the server")
        };
        let mut lines = text
            .lines()
            .map(str::trim)
            .skip_while(|line| !is_error(line));
        let first = lines.next();
        let last = || text.lines().rfind(|line| !line.trim().is_empty());
        let first = first.or_else(last).unwrap_or("it printed no message");
        // The causes of an error with several stand below it.
        let is_cause = |line: &&str| line.starts_with("* ") || line.starts_with("- ");
        let causes: Vec<&str> = lines.take_while(is_cause).collect();
        let message = [&[first], &*causes].concat().join(" ");
        Self {
            reason: Reason::of(first),
            message,
        }
    }

    /// The diagnostic for what could not be done, such as `read the CRD`.
    pub(super) fn finding(&self, doing: &str) -> Diagnostic {
        let message = format!("cannot {doing}: {}", self.message);
        match self.reason {
            Reason::Forbidden => Diagnostic::new(Code::ClusterForbidden, None, message).with_help(
                "`docs/cluster.md` lists the rules of RBAC that each command needs; `--context` and `--as` select another user",
            ),
            _ => Diagnostic::new(Code::ClusterFailed, None, message).with_help(
                "see whether `kubectl version` answers with the same `--kubeconfig` and `--context`, then run the command again",
            ),
        }
    }
}

impl Reason {
    /// Reads the first line of an error.
    fn of(line: &str) -> Self {
        let named = line.strip_prefix("Error from server (");
        let named = named.and_then(|rest| rest.split_once(')'));
        match named.map(|(name, _)| name) {
            Some("NotFound")
                if line.ends_with("the server could not find the requested resource") =>
            {
                Self::NoKind
            }
            Some("NotFound") => Self::NotFound,
            Some("Conflict") => Self::Conflict,
            Some("Expired" | "Gone") => Self::Expired,
            // Policies and webhooks have the same reason as RBAC.
            Some("Forbidden") if !line.contains("denied") => Self::Forbidden,
            Some(
                "ServiceUnavailable" | "TooManyRequests" | "Timeout" | "ServerTimeout"
                | "InternalError",
            ) => Self::Transient,
            Some(_) => Self::Other,
            None if line.starts_with("error: Apply failed with ") => Self::Owned,
            None if line.contains("no matches for kind") => Self::NoKind,
            None if line.starts_with("Unable to connect to the server")
                || line.starts_with("The connection to the server")
                || line.starts_with("Error from server:")
                || [
                    "connection refused",
                    "connection reset",
                    "unexpected EOF",
                    "timeout",
                ]
                .iter()
                .any(|part| line.contains(part)) =>
            {
                Self::Transient
            }
            None => Self::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Failure, Reason};

    #[test]
    fn failures_are_classified_by_their_first_error() {
        for (text, reason, message) in [
            (
                "Warning: v1beta1 is deprecated\nError from server (NotFound): routes \"a\" not found\n",
                Reason::NotFound,
                "Error from server (NotFound): routes \"a\" not found",
            ),
            (
                "error: Apply failed with 1 conflict: conflict with \"helm\": .spec\nPlease review\n",
                Reason::Owned,
                "error: Apply failed with 1 conflict: conflict with \"helm\": .spec",
            ),
            (
                "The Route \"a\" is invalid: \n* spec.a: wrong\n",
                Reason::Other,
                "* spec.a: wrong",
            ),
            (
                "Error from server (Invalid): x is invalid: \n* spec.a: wrong\n* spec.b: wrong\n",
                Reason::Other,
                "Error from server (Invalid): x is invalid: * spec.a: wrong * spec.b: wrong",
            ),
            (
                "The connection to the server 127.0.0.1:1 was refused - did you specify the right host or port?",
                Reason::Transient,
                "The connection to the server 127.0.0.1:1 was refused - did you specify the right host or port?",
            ),
            (
                "error: context \"none\" does not exist\n",
                Reason::Other,
                "error: context \"none\" does not exist",
            ),
            ("", Reason::Other, "it printed no message"),
        ] {
            let message = message.to_owned();
            assert_eq!(Failure::read(text), Failure { reason, message }, "{text}");
        }
    }
}
