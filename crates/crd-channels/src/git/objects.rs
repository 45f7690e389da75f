//! Reads git's objects through one long-running `git cat-file --batch`.

use std::io::{self, BufRead, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// A running `git cat-file --batch`, which ends when this is dropped.
#[derive(Debug)]
pub(super) struct Objects {
    talk: Mutex<Talk>,
    child: Child,
}

/// Both ends of the pipe. `None` after an error: further output would belong to no request.
type Talk = Option<(ChildStdin, BufReader<ChildStdout>)>;

impl Objects {
    /// Starts the process.
    pub(super) fn open(mut command: Command) -> io::Result<Self> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let ends = child.stdin.take().zip(child.stdout.take());
        let talk = ends.map(|(stdin, stdout)| (stdin, BufReader::new(stdout)));
        Ok(Self {
            talk: Mutex::new(talk),
            child,
        })
    }

    /// Returns the bytes of an object.
    pub(super) fn read(&self, id: &str) -> io::Result<Vec<u8>> {
        let mut talk = self.talk.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((stdin, stdout)) = talk.as_mut() else {
            return Err(io::Error::other("git has ended"));
        };
        let answer = ask(stdin, stdout, id);
        if answer.is_err() {
            *talk = None;
        }
        answer?.ok_or_else(|| io::Error::other(format!("git does not have the object {id}")))
    }
}

/// Sends one request and reads the response; `None` if git does not have the object.
fn ask(
    stdin: &mut ChildStdin,
    stdout: &mut BufReader<ChildStdout>,
    id: &str,
) -> io::Result<Option<Vec<u8>>> {
    writeln!(stdin, "{id}")?;
    stdin.flush()?;
    let mut head = String::new();
    stdout.read_line(&mut head)?;
    let mut words = head.split_whitespace().skip(1);
    let (kind, size) = (words.next(), words.next());
    if kind == Some("missing") {
        return Ok(None);
    }
    let size: Option<usize> = size.and_then(|size| size.parse().ok());
    let (Some(_), Some(size)) = (kind, size) else {
        return Err(io::Error::other("git stopped unexpectedly"));
    };
    // A newline follows.
    let mut bytes = Vec::new();
    stdout.take(size as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() != size + 1 {
        return Err(io::Error::other("git stopped unexpectedly"));
    }
    bytes.truncate(size);
    Ok(Some(bytes))
}

impl Drop for Objects {
    fn drop(&mut self) {
        // The process ends when its input is closed.
        *self.talk.lock().unwrap_or_else(PoisonError::into_inner) = None;
        let _ = self.child.wait();
    }
}
