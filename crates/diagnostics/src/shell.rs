//! Words of commands that people paste into a shell.

/// Returns a text as one word of a POSIX shell.
#[must_use]
pub fn word(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_@%+=:,./-".contains(&byte);
    match !text.is_empty() && text.bytes().all(plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::word;

    #[test]
    fn only_plain_words_stay_as_they_are() {
        for (text, expected) in [
            ("https://example.com/a.git", "https://example.com/a.git"),
            ("^0.2", "'^0.2'"),
            (">=0.3, <0.7", "'>=0.3, <0.7'"),
            ("it's", "'it'\\''s'"),
            ("", "''"),
            ("url#v0.1.0", "'url#v0.1.0'"),
        ] {
            assert_eq!(word(text), expected);
        }
    }
}
