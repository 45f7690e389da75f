//! Printing that nobody has to listen to: std's macros panic where a pipe was closed, as `| head` does, and a command would
//! stop half-way. These take their names, so that none is used by mistake.

macro_rules! print {
    ($($text:tt)*) => {{
        let _ = ::std::io::Write::write_fmt(&mut ::std::io::stdout(), ::std::format_args!($($text)*));
    }};
}

macro_rules! println {
    () => { print!("\n") };
    ($($text:tt)*) => { print!("{}\n", ::std::format_args!($($text)*)) };
}

macro_rules! eprint {
    ($($text:tt)*) => {{
        let _ = ::std::io::Write::write_fmt(&mut ::std::io::stderr(), ::std::format_args!($($text)*));
    }};
}

macro_rules! eprintln {
    () => { eprint!("\n") };
    ($($text:tt)*) => { eprint!("{}\n", ::std::format_args!($($text)*)) };
}
