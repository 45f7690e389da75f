//! How much the program prints for people, and whether in colour. The command line sets both once; all other code reads them
//! here.
//!
//! Files and output for programs do not depend on them.

use std::fmt;
use std::io::{IsTerminal, Write, stderr};
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Instant;

/// When text for people is coloured.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Color {
    /// On a terminal, unless the environment decides.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Color {
    /// Every choice by the name that `--color` takes.
    pub const NAMES: [(&'static str, Self); 3] = [
        ("auto", Self::Auto),
        ("always", Self::Always),
        ("never", Self::Never),
    ];
}

/// How much is printed for people.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Verbosity {
    /// Only errors.
    Quiet,
    /// Also warnings, notes and results.
    #[default]
    Normal,
    /// Also each step with its duration.
    Verbose,
}

static COLOR: AtomicU8 = AtomicU8::new(Color::Auto as u8);
static VERBOSITY: AtomicU8 = AtomicU8::new(Verbosity::Normal as u8);

/// Sets both for the whole program.
pub fn set(color: Color, verbosity: Verbosity) {
    COLOR.store(color as u8, Ordering::Relaxed);
    VERBOSITY.store(verbosity as u8, Ordering::Relaxed);
}

/// Whether only errors are printed.
#[must_use]
pub fn is_quiet() -> bool {
    VERBOSITY.load(Ordering::Relaxed) == Verbosity::Quiet as u8
}

/// Whether each step is printed.
#[must_use]
pub fn is_verbose() -> bool {
    VERBOSITY.load(Ordering::Relaxed) == Verbosity::Verbose as u8
}

/// Whether text written to the stream is coloured.
#[must_use]
pub fn is_colored(stream: &impl IsTerminal) -> bool {
    match COLOR.load(Ordering::Relaxed) {
        color if color == Color::Always as u8 => true,
        color if color == Color::Never as u8 => false,
        _ => {
            let of = |name: &str| std::env::var(name).unwrap_or_default();
            let names = ["NO_COLOR", "CLICOLOR_FORCE", "TERM"];
            decides(
                names.map(of).each_ref().map(String::as_str),
                stream.is_terminal(),
            )
        }
    }
}

/// Implements `NO_COLOR` and `CLICOLOR_FORCE` as defined at <https://no-color.org> and <https://bixense.com/clicolors>.
fn decides([never, always, term]: [&str; 3], terminal: bool) -> bool {
    let forced = !["", "0"].contains(&always);
    never.is_empty() && (forced || (terminal && term != "dumb"))
}

/// Prints a step on stderr if the program is verbose.
pub fn detail(text: fmt::Arguments<'_>) {
    if is_verbose() {
        // The reader may be gone.
        let _ = stderr().write_fmt(format_args!("verbose: {text}\n"));
    }
}

/// Measures the steps of a run.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch(Instant);

impl Stopwatch {
    /// Starts the measurement.
    #[must_use]
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// Prints a step that ends now and took the time since the last one.
    pub fn lap(&mut self, step: fmt::Arguments<'_>) {
        let now = Instant::now();
        let milliseconds = (now - self.0).as_secs_f64() * 1e3;
        detail(format_args!("{step} ({milliseconds:.1} ms)"));
        self.0 = now;
    }
}

#[cfg(test)]
mod tests {
    use super::decides;

    #[test]
    fn colour_is_for_terminals_unless_the_environment_decides() {
        for (environment, terminal, expected) in [
            (["", "", "xterm"], true, true),
            (["", "", "xterm"], false, false),
            (["", "", "dumb"], true, false),
            (["1", "", "xterm"], true, false),
            (["", "1", "dumb"], false, true),
            (["", "0", "xterm"], false, false),
            (["1", "1", "xterm"], true, false),
        ] {
            assert_eq!(decides(environment, terminal), expected, "{environment:?}");
        }
    }
}
