//! Reads and finds git's objects through one long-running `git cat-file`.

use std::io::{self, BufRead, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// A running `git cat-file` with `--batch`, or with `--batch-check` for [`Objects::find`], which ends when this is dropped.
#[derive(Debug)]
pub(super) struct Objects {
    talk: Mutex<Talk>,
    child: Child,
}

/// Both ends of the pipe.
type Ends = (ChildStdin, BufReader<ChildStdout>);

/// `None` after an error: further output would belong to no request.
type Talk = Option<Ends>;

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
        self.look(id)?
            .ok_or_else(|| io::Error::other(format!("git does not have the object {id}")))
    }

    /// The same for a name such as `HEAD:folder/file`; `None` if there is no such object.
    pub(super) fn look(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        // A line is a request.
        if name.contains('\n') {
            return Ok(None);
        }
        self.ask(|ends| {
            let head = head(ends, name)?;
            head.map(|(_, size)| body(ends, size)).transpose()
        })
    }

    /// Returns the id of the object with a name such as `HEAD:folder/file`; `None` if there is none.
    pub(super) fn find(&self, name: &str) -> io::Result<Option<String>> {
        // A line is a request.
        if name.contains('\n') {
            return Ok(None);
        }
        let found = self.ask(|ends| head(ends, name))?;
        Ok(found.map(|(id, _)| id))
    }

    fn ask<T>(&self, request: impl FnOnce(&mut Ends) -> io::Result<T>) -> io::Result<T> {
        let mut talk = self.talk.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(ends) = talk.as_mut() else {
            return Err(io::Error::other("git has ended"));
        };
        let answer = request(ends);
        if answer.is_err() {
            *talk = None;
        }
        answer
    }
}

/// Sends one request and reads the first line of the response: the id and the size of an object; `None` if git does not have it.
fn head(ends: &mut Ends, name: &str) -> io::Result<Option<(String, usize)>> {
    let (stdin, stdout) = ends;
    writeln!(stdin, "{name}")?;
    stdin.flush()?;
    let mut line = String::new();
    stdout.read_line(&mut line)?;
    let line = line.trim_end_matches('\n');
    if line.ends_with(" missing") || line.ends_with(" ambiguous") {
        return Ok(None);
    }
    let words: Vec<&str> = line.split(' ').collect();
    match words.as_slice() {
        // A link that leads to no object of the commit: a text follows.
        ["symlink" | "dangling" | "loop" | "notdir", size] => {
            let size = size.parse().map_err(|_| stopped())?;
            body(ends, size).map(|_| None)
        }
        [id, _, size] => {
            let size = size.parse().map_err(|_| stopped())?;
            Ok(Some(((*id).to_owned(), size)))
        }
        _ => Err(stopped()),
    }
}

/// Reads the rest of a response, after which there is a newline.
fn body((_, stdout): &mut Ends, size: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stdout.take(size as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() != size + 1 {
        return Err(stopped());
    }
    bytes.truncate(size);
    Ok(bytes)
}

fn stopped() -> io::Error {
    io::Error::other("git stopped unexpectedly")
}

impl Drop for Objects {
    fn drop(&mut self) {
        // The process ends when its input is closed.
        *self.talk.lock().unwrap_or_else(PoisonError::into_inner) = None;
        let _ = self.child.wait();
    }
}
