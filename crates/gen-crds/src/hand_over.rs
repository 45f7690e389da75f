//! Handing over to another program.

use std::io;
use std::process::{Command, ExitCode};

/// Becomes the other program, so that signals and the exit code are its own. Where a process cannot do that, it waits.
///
/// # Errors
/// Where the program cannot be started.
#[cfg(unix)]
pub fn hand_over(command: &mut Command) -> io::Result<ExitCode> {
    use std::os::unix::process::CommandExt;
    Err(command.exec())
}

/// Becomes the other program, so that signals and the exit code are its own. Where a process cannot do that, it waits.
///
/// # Errors
/// Where the program cannot be started.
#[cfg(not(unix))]
pub fn hand_over(command: &mut Command) -> io::Result<ExitCode> {
    let code = command.status()?.code();
    Ok(code
        .and_then(|code| u8::try_from(code).ok())
        .map_or(ExitCode::from(2), ExitCode::from))
}
