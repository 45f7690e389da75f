//! Runs another program in place of this one.

use std::io;
use std::process::{Command, ExitCode};

/// Replaces this process by another program, so that signals and the exit code are its own. If the platform cannot do that,
/// waits for it.
///
/// # Errors
/// Fails if the program cannot start.
#[cfg(unix)]
pub fn hand_over(command: &mut Command) -> io::Result<ExitCode> {
    use std::os::unix::process::CommandExt;
    Err(command.exec())
}

/// Replaces this process by another program, so that signals and the exit code are its own. If the platform cannot do that,
/// waits for it.
///
/// # Errors
/// Fails if the program cannot start.
#[cfg(not(unix))]
pub fn hand_over(command: &mut Command) -> io::Result<ExitCode> {
    let code = command.status()?.code();
    Ok(code
        .and_then(|code| u8::try_from(code).ok())
        .map_or(ExitCode::from(2), ExitCode::from))
}
