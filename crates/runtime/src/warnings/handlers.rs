//! Handlers for the warnings of responses.

use super::{Warning, parse};
use std::collections::HashSet;
use std::fmt;
use std::io::{IsTerminal, Stderr, Write};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// The code of warnings for the author of the request. Others are parsed, but not passed to handlers.
const SHOWN: u16 = 299;

/// The number of texts that [`Once`] remembers.
const REMEMBERED: usize = 4096;

/// The handler of clients without their own; [`Log`] until one is set.
static PROCESS: RwLock<Option<Arc<dyn Handler>>> = RwLock::new(None);

/// Shows or stores warnings. It must not act on one: RFC 7234, section 5.5.
pub trait Handler: Send + Sync {
    /// Handles a warning with code 299 and a text.
    fn handle(&self, warning: &Warning);
}

impl<F: Fn(&Warning) + Send + Sync> Handler for F {
    fn handle(&self, warning: &Warning) {
        self(warning);
    }
}

impl<H: Handler + ?Sized> Handler for Arc<H> {
    fn handle(&self, warning: &Warning) {
        (**self).handle(warning);
    }
}

/// Ignores all warnings. Servers that make requests for others set it for the process.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ignore;

impl Handler for Ignore {
    fn handle(&self, _: &Warning) {}
}

/// Logs each warning through `tracing`, at level `WARN`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Log;

impl Handler for Log {
    fn handle(&self, warning: &Warning) {
        tracing::warn!(agent = warning.agent, "{}", warning.text);
    }
}

/// Passes each text on once. It remembers up to 4096 texts, then starts over.
#[derive(Debug, Default)]
pub struct Once<H> {
    handler: H,
    seen: Mutex<HashSet<String>>,
}

impl<H> Once<H> {
    /// A handler that never receives a text twice.
    pub fn new(handler: H) -> Self {
        Self {
            handler,
            seen: Mutex::default(),
        }
    }
}

impl<H: Handler> Handler for Once<H> {
    fn handle(&self, warning: &Warning) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.contains(&warning.text) {
            return;
        }
        if seen.len() >= REMEMBERED {
            seen.clear();
        }
        seen.insert(warning.text.clone());
        drop(seen);
        self.handler.handle(warning);
    }
}

/// Writes each warning as a line, `Warning: ..`, as kubectl does. Write errors are ignored.
#[derive(Debug)]
pub struct Lines<W> {
    out: Mutex<W>,
    color: bool,
}

impl Lines<Stderr> {
    /// Writes to stderr: the prefix in yellow on a terminal, unless `NO_COLOR` is set.
    #[must_use]
    pub fn stderr() -> Self {
        let out = std::io::stderr();
        let asked_not_to = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let color = out.is_terminal() && !asked_not_to;
        Self::new(out, color)
    }
}

impl<W: Write> Lines<W> {
    /// Writes to `out`, with a yellow prefix if `color`.
    pub fn new(out: W, color: bool) -> Self {
        Self {
            out: Mutex::new(out),
            color,
        }
    }

    /// Returns the writer.
    pub fn into_inner(self) -> W {
        self.out
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl<W: Write + Send> Handler for Lines<W> {
    fn handle(&self, warning: &Warning) {
        let (start, end) = match self.color {
            true => ("\u{1b}[33;1m", "\u{1b}[0m"),
            false => ("", ""),
        };
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = writeln!(out, "{start}Warning:{end} {}", warning.text);
    }
}

/// Collects warnings, to show them together or to fail at the end.
#[derive(Debug, Default)]
pub struct Collect {
    found: Mutex<Vec<Warning>>,
}

impl Collect {
    /// Returns the warnings since the last call.
    pub fn take(&self) -> Vec<Warning> {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut found)
    }

    /// Fails if there were warnings, as `kubectl --warnings-as-errors` does after its work is done.
    ///
    /// # Errors
    /// The warnings since the last call, if there are any.
    pub fn check(&self) -> Result<(), Warned> {
        match self.take() {
            none if none.is_empty() => Ok(()),
            found => Err(Warned(found)),
        }
    }
}

impl Handler for Collect {
    fn handle(&self, warning: &Warning) {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.push(warning.clone());
    }
}

/// The warnings of work that should have caused none.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Warned(pub Vec<Warning>);

impl fmt::Display for Warned {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.len() {
            1 => out.write_str("1 warning received"),
            count => write!(out, "{count} warnings received"),
        }
    }
}

impl std::error::Error for Warned {}

/// Sets the handler of all clients in this process without their own.
pub fn set_process_handler(handler: impl Handler + 'static) {
    let mut process = PROCESS.write().unwrap_or_else(PoisonError::into_inner);
    *process = Some(Arc::new(handler));
}

/// Passes the warnings of a response to the client's handler, or else to that of the process. Returns all of them, including
/// those with other codes. `values` are the values of its `Warning` headers.
pub fn deliver<'v>(
    values: impl IntoIterator<Item = &'v [u8]>,
    client: Option<&dyn Handler>,
) -> Vec<Warning> {
    let found = parse(values);
    let mut shown = found
        .iter()
        .filter(|warning| warning.code == SHOWN && !warning.text.is_empty())
        .peekable();
    if shown.peek().is_none() {
        return found;
    }
    let process = match client {
        Some(_) => None,
        None => PROCESS
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone(),
    };
    let handler = client.or(process.as_deref()).unwrap_or(&Log);
    shown.for_each(|warning| handler.handle(warning));
    found
}
