//! Differences between a type and its CRD that are intended, recognised by their messages.

/// Why the difference is right; nothing where it is a fault.
pub fn by(difference: &str) -> Option<&'static str> {
    const REASONS: [(&str, &str); 2] = [
        (
            "expected a 32-bit integer",
            "no server bounds the numbers of an int-or-string",
        ),
        (
            ".secs: 9223372036854775808 is not of type `integer`",
            "a `Duration` adds a second to the largest integer of JSON, of nanoseconds beyond a second",
        ),
    ];
    let reason = REASONS.iter().find(|(text, _)| difference.contains(text));
    reason.map(|(_, reason)| *reason)
}
