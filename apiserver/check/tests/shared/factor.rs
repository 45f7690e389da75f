//! The factor by which a budget is exceeded, in messages.

/// The factor in a server's message.
pub fn of_server(message: &str) -> Option<f64> {
    between(message, "by factor of more than ", "x").or(between(message, "by factor of ", " ("))
}

/// The factor in the message of a finding.
pub fn of_check(message: &str) -> Option<f64> {
    between(message, "which is ", " times")
}

/// Whether both factors agree as far as they are exact: for the largest, servers only report more than 100.
pub fn are_same(ours: f64, theirs: f64) -> bool {
    (ours / theirs - 1.0).abs() < 0.01 || (ours > 99.9 && theirs == 100.0)
}

fn between(text: &str, before: &str, after: &str) -> Option<f64> {
    let (_, rest) = text.split_once(before)?;
    rest.split_once(after)?.0.trim_end_matches('x').parse().ok()
}
