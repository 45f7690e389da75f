//! How much the program prints for people, and whether in colour. The command line sets both once; all other code reads them
//! here.
//!
//! Files and output for programs do not depend on them.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, IsTerminal, Write, stderr, stdout};
use std::sync::OnceLock;
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
            // The old console of Windows, which sets neither, prints the codes of colours.
            let is_old = cfg!(windows) && (of("WT_SESSION") + &of("TERM")).is_empty();
            decides(
                names.map(of).each_ref().map(String::as_str),
                stream.is_terminal() && !is_old,
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
        print(stderr(), format_args!("verbose: {text}\n"));
    }
}

/// Writes a text to stdout or stderr, where every text of the program leaves it. Names and values in it are other people's, so
/// control characters become visible; of the sequences of a terminal only colours are left, and these only where the stream is
/// coloured.
pub fn print(mut stream: impl Write + IsTerminal, text: fmt::Arguments<'_>) {
    let text = text.to_string();
    let mut printed = String::new();
    let mut rest = text.as_str();
    if is_colored(&stream) {
        while let Some((before, color, behind)) = next_color(rest) {
            printed.push_str(&clean(before));
            printed.push_str(color);
            rest = behind;
        }
    }
    let rest = clean(rest);
    let parts = [printed.as_bytes(), rest.as_bytes()];
    let written = parts
        .into_iter()
        .try_for_each(|part| stream.write_all(part));
    note_loss(written);
}

/// Why output was lost.
static LOSS: OnceLock<String> = OnceLock::new();

/// Remembers that output was lost. A reader that is gone, such as `head`, wants no more.
fn note_loss(written: io::Result<()>) {
    if let Err(error) = written
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        let _ = LOSS.set(error.to_string());
    }
}

/// Writes what stdout still holds, and returns why output was lost, if some was.
pub fn finish() -> Option<&'static str> {
    note_loss(stdout().flush());
    LOSS.get().map(String::as_str)
}

/// Splits a text at the first sequence that sets a colour: `ESC [`, numbers, `m`.
fn next_color(text: &str) -> Option<(&str, &str, &str)> {
    text.match_indices("\u{1b}[").find_map(|(at, opened)| {
        let behind = text.get(at + opened.len()..)?;
        let numbers = behind.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
        let end = text.len() - numbers.strip_prefix('m')?.len();
        Some((text.get(..at)?, text.get(at..end)?, text.get(end..)?))
    })
}

/// A text without control characters other than the ends of lines and tabs: each becomes the symbol that Unicode has for it.
#[must_use]
pub fn clean(text: &str) -> Cow<'_, str> {
    let is_plain = |c: char| !c.is_control() || matches!(c, '\n' | '\t');
    if text.chars().all(is_plain) {
        return text.into();
    }
    let visible = |c: char| match u32::from(c) {
        _ if is_plain(c) => c,
        code @ ..0x20 => char::from_u32(0x2400 + code).unwrap_or(char::REPLACEMENT_CHARACTER),
        0x7f => '\u{2421}',
        _ => char::REPLACEMENT_CHARACTER,
    };
    text.chars().map(visible).collect()
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
    use super::{clean, decides, next_color};

    #[test]
    fn only_colours_are_left_of_control_characters() {
        let text = "a\u{1b}[2Jb\u{7}\r\n\tc\u{7f}\u{9b}1md";
        assert_eq!(
            clean(text),
            "a\u{241b}[2Jb\u{2407}\u{240d}\n\tc\u{2421}\u{fffd}1md"
        );
        for (text, expected) in [
            ("a\u{1b}[2J", None),
            ("a\u{1b}[1;31mb", Some(("a", "\u{1b}[1;31m", "b"))),
            ("\u{1b}[?1m\u{1b}[0m", Some(("\u{1b}[?1m", "\u{1b}[0m", ""))),
            ("\u{1b}[0", None),
        ] {
            assert_eq!(next_color(text), expected, "{text:?}");
        }
    }

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
