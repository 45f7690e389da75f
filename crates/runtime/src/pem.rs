//! Certificates in PEM, one after the other.

/// The last line of a certificate.
const END: &str = "-----END CERTIFICATE-----";

/// Returns certificates, and those of others that they do not contain and that are kept.
pub(crate) fn with_others(own: &str, others: &str, is_kept: impl Fn(&str) -> bool) -> String {
    let mut all = own.to_owned();
    for other in others.split_inclusive(END) {
        let other = other.trim_start();
        if !other.ends_with(END) || all.contains(other) || !is_kept(other) {
            continue;
        }
        // A file may end without a line break.
        if !all.is_empty() && !all.ends_with('\n') {
            all.push('\n');
        }
        all.push_str(other);
        all.push('\n');
    }
    all
}
