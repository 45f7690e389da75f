//! Printing that ignores closed pipes, such as those of `| head`, where std's macros would panic and stop a command half-way, and
//! shows control characters instead of sending them to a terminal.
//! The first four macros shadow std's, so that those cannot be used by mistake.
//!
//! `println!` is for results, `error!` for errors. `status!`, `note!`, `warning!` and `help!` are silent with `--quiet`.

/// Writes to stdout.
#[macro_export]
macro_rules! print {
    ($($text:tt)*) => {{
        $crate::print_to(::std::io::stdout(), ::std::format_args!($($text)*));
    }};
}

/// Writes a line to stdout.
#[macro_export]
macro_rules! println {
    () => { $crate::print!("\n") };
    ($($text:tt)*) => { $crate::print!("{}\n", ::std::format_args!($($text)*)) };
}

/// Writes to stderr.
#[macro_export]
macro_rules! eprint {
    ($($text:tt)*) => {{
        $crate::print_to(::std::io::stderr(), ::std::format_args!($($text)*));
    }};
}

/// Writes a line to stderr.
#[macro_export]
macro_rules! eprintln {
    () => { $crate::eprint!("\n") };
    ($($text:tt)*) => { $crate::eprint!("{}\n", ::std::format_args!($($text)*)) };
}

/// Writes a line about progress to stdout.
#[macro_export]
macro_rules! status {
    ($($text:tt)*) => {
        if !$crate::is_quiet() {
            $crate::println!($($text)*);
        }
    };
}

/// Writes a line for people to stderr, naming commands as the user types them.
#[macro_export]
macro_rules! tell {
    ($level:literal, $($text:tt)*) => {{
        let text = ::std::format!($($text)*);
        $crate::eprintln!("{}: {}", $level, $crate::as_typed(&text));
    }};
}

/// Writes an error to stderr.
#[macro_export]
macro_rules! error {
    ($($text:tt)*) => { $crate::tell!("error", $($text)*) };
}

/// Writes a note to stderr.
#[macro_export]
macro_rules! note {
    ($($text:tt)*) => {
        if !$crate::is_quiet() {
            $crate::tell!("note", $($text)*);
        }
    };
}

/// Writes a warning to stderr.
#[macro_export]
macro_rules! warning {
    ($($text:tt)*) => {
        if !$crate::is_quiet() {
            $crate::tell!("warning", $($text)*);
        }
    };
}

/// Writes help to stderr.
#[macro_export]
macro_rules! help {
    ($($text:tt)*) => {
        if !$crate::is_quiet() {
            $crate::tell!("help", $($text)*);
        }
    };
}
