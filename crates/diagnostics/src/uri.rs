//! Percent-encoding of texts in URIs.

/// Escapes all bytes of a text but unreserved ones and those in `kept`.
#[must_use]
pub fn escaped(text: &str, kept: &str) -> String {
    let escape = |byte: u8| match byte {
        b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
        _ if byte.is_ascii_alphanumeric() || kept.as_bytes().contains(&byte) => {
            char::from(byte).to_string()
        }
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(escape).collect()
}
