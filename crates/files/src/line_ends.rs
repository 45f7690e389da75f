//! Windows line ends: git may be configured to check files out with them, and commits the text without them.

/// Replaces Windows line ends, undoing git's conversion.
#[must_use]
pub fn with_unix_line_ends(bytes: &[u8]) -> Vec<u8> {
    let mut unix = Vec::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        match line {
            [line @ .., b'\r', b'\n'] => {
                unix.extend_from_slice(line);
                unix.push(b'\n');
            }
            line => unix.extend_from_slice(line),
        }
    }
    unix
}

/// Whether a file has this text, with either kind of line end.
pub(super) fn has_text(bytes: &[u8], text: &str) -> bool {
    bytes == text.as_bytes() || with_unix_line_ends(bytes) == text.as_bytes()
}
