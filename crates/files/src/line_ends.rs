//! Windows line ends: git writes them where it is told so, and commits the text without them.

/// Bytes as they were before git wrote Windows line ends.
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

/// Whether a file has a text, with whatever line ends.
pub(super) fn has_text(bytes: &[u8], text: &str) -> bool {
    bytes == text.as_bytes() || with_unix_line_ends(bytes) == text.as_bytes()
}
