//! Handlers for the warnings of responses.

use super::{Warning, parse};
use std::collections::HashSet;
use std::ffi::OsString;
use std::fmt;
use std::io::{IsTerminal, Stderr, Write};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// The number of texts that [`Once`] remembers.
const REMEMBERED: usize = 4096;

/// The handler of clients without their own; [`Log`] until one is set.
static PROCESS: RwLock<Option<Arc<dyn Handler>>> = RwLock::new(None);

/// Shows or stores warnings. It must not act on one: RFC 7234, section 5.5.
pub trait Handler: Send + Sync {
    /// Handles a warning of any code. [`Warning::is_shown`] says whether it is for people.
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

/// Logs each warning for people through `tracing`, at level `WARN`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Log;

impl Handler for Log {
    fn handle(&self, warning: &Warning) {
        if warning.is_shown() {
            tracing::warn!(agent = warning.agent, "{}", warning.text);
        }
    }
}

/// Passes each text for people on once, and counts them. It remembers up to 4096 texts, then starts over. Warnings with other
/// codes are passed on as they come.
///
/// `Once::new(Lines::stderr())` is what kubectl does.
#[derive(Debug, Default)]
pub struct Once<H> {
    handler: H,
    seen: Mutex<Seen>,
}

#[derive(Debug, Default)]
struct Seen {
    texts: HashSet<String>,
    count: usize,
}

impl<H> Once<H> {
    /// A handler that never receives a text twice.
    pub fn new(handler: H) -> Self {
        Self {
            handler,
            seen: Mutex::default(),
        }
    }

    /// Fails if a text was passed on, as `kubectl --warnings-as-errors` does after its work is done.
    ///
    /// # Errors
    /// There were warnings for people.
    pub fn check(&self) -> Result<(), Warned> {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        Warned::if_any(seen.count)
    }
}

impl<H: Handler> Handler for Once<H> {
    fn handle(&self, warning: &Warning) {
        if warning.is_shown() {
            let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
            if seen.texts.contains(&warning.text) {
                return;
            }
            if seen.texts.len() >= REMEMBERED {
                seen.texts.clear();
            }
            seen.texts.insert(warning.text.clone());
            seen.count = seen.count.saturating_add(1);
        }
        self.handler.handle(warning);
    }
}

/// Writes each warning for people as a line, `Warning: ..`, as kubectl does. Write errors are ignored.
#[derive(Debug)]
pub struct Lines<W> {
    out: Mutex<W>,
    color: bool,
}

impl Lines<Stderr> {
    /// Writes to stderr: the prefix in yellow on a terminal, unless `NO_COLOR` is set to anything or `TERM` is `dumb`.
    #[must_use]
    pub fn stderr() -> Self {
        let out = std::io::stderr();
        let color = allows_color(out.is_terminal(), |name| std::env::var_os(name));
        Self::new(out, color)
    }
}

/// Whether to write colors, by `AllowsColorOutput` of `k8s.io/cli-runtime`.
fn allows_color(is_terminal: bool, variable: impl Fn(&str) -> Option<OsString>) -> bool {
    let is_dumb = variable("TERM").is_some_and(|term| term == "dumb");
    let is_old = cfg!(windows) && variable("WT_SESSION").is_none_or(|session| session.is_empty());
    is_terminal && !is_dumb && variable("NO_COLOR").is_none() && !is_old
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
        if !warning.is_shown() {
            return;
        }
        let (start, end) = match self.color {
            true => ("\u{1b}[33;1m", "\u{1b}[0m"),
            false => ("", ""),
        };
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = writeln!(out, "{start}Warning:{end} {}", warning.text);
    }
}

/// Collects warnings for people, to show them together or to fail at the end.
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

    /// Fails if there are warnings that were not taken, as `kubectl --warnings-as-errors` does after its work is done. Equal
    /// texts count once, as kubectl writes them once.
    ///
    /// # Errors
    /// There are warnings.
    pub fn check(&self) -> Result<(), Warned> {
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let texts: HashSet<&str> = found.iter().map(|warning| &*warning.text).collect();
        Warned::if_any(texts.len())
    }
}

impl Handler for Collect {
    fn handle(&self, warning: &Warning) {
        if warning.is_shown() {
            let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
            found.push(warning.clone());
        }
    }
}

/// There were warnings in work that should have caused none.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Warned {
    /// The number of different texts.
    pub count: usize,
}

impl Warned {
    fn if_any(count: usize) -> Result<(), Self> {
        match count {
            0 => Ok(()),
            count => Err(Self { count }),
        }
    }
}

impl fmt::Display for Warned {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.count {
            1 => out.write_str("1 warning received"),
            count => write!(out, "{count} warnings received"),
        }
    }
}

impl std::error::Error for Warned {}

/// The handler of all clients in this process without their own.
pub fn process_handler() -> Arc<dyn Handler> {
    let process = PROCESS.read().unwrap_or_else(PoisonError::into_inner);
    process.clone().unwrap_or_else(|| Arc::new(Log))
}

/// Sets the handler of all clients in this process without their own. Returns the former one, to restore it; a library should
/// give its clients handlers of their own instead.
pub fn set_process_handler(handler: impl Handler + 'static) -> Arc<dyn Handler> {
    let mut process = PROCESS.write().unwrap_or_else(PoisonError::into_inner);
    let former = process.replace(Arc::new(handler));
    former.unwrap_or_else(|| Arc::new(Log))
}

/// Passes all warnings of a response, whatever their code, to the client's handler, or else to that of the process. Returns
/// them. `values` are the values of its `Warning` headers.
pub fn deliver<'v>(
    values: impl IntoIterator<Item = &'v [u8]>,
    client: Option<&dyn Handler>,
) -> Vec<Warning> {
    let found = parse(values);
    match client {
        _ if found.is_empty() => {}
        Some(client) => found.iter().for_each(|warning| client.handle(warning)),
        None => {
            let process = process_handler();
            found.iter().for_each(|warning| process.handle(warning));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::allows_color;

    #[test]
    fn colors_are_for_terminals_that_have_them() {
        for (variables, is_allowed) in [
            (&[][..], true),
            (&[("TERM", "xterm")], true),
            (&[("TERM", "dumb")], false),
            (&[("TERM", "xterm"), ("NO_COLOR", "1")], false),
            (&[("NO_COLOR", "")], false),
        ] {
            let variable = |name: &str| {
                let of_windows = [("WT_SESSION", "1")];
                let mut all = variables.iter().chain(&of_windows);
                all.find(|(known, _)| *known == name)
                    .map(|(_, value)| value.into())
            };
            assert_eq!(allows_color(true, variable), is_allowed, "{variables:?}");
            assert!(!allows_color(false, variable));
        }
    }
}
