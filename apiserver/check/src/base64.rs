//! Bytes in JSON, as Go decodes them.

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{GeneralPurpose, GeneralPurposeConfig};

/// Go's standard encoding: padded; the bits after the last byte are ignored.
const GO: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true),
);

/// The bytes of a text in base64; line ends inside it are ignored. `None` if it is not base64.
#[must_use]
pub fn decoded(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> = text
        .bytes()
        .filter(|c| !matches!(c, b'\r' | b'\n'))
        .collect();
    GO.decode(digits).ok()
}

#[cfg(test)]
mod tests {
    use super::decoded;

    #[test]
    fn texts_are_decoded_as_in_go() {
        for (text, bytes) in [
            ("", &b""[..]),
            ("LS0tLS0=", b"-----"),
            ("LS1=", b"--"),
            ("LS\r\n0=", b"--"),
            ("aaaa", b"i\xa6\x9a"),
        ] {
            assert_eq!(decoded(text).as_deref(), Some(bytes), "`{text}`");
        }
        for wrong in [
            "a", "LS0", "a===", "====", "a=aa", "-_aa", "aa =", "LS0t=", "LS0t!S0=", "LS0=LS0=",
        ] {
            assert_eq!(decoded(wrong), None, "`{wrong}`");
        }
    }
}
