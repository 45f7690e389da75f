//! Suggestions in messages: the closest valid name, or all of them.

/// Returns the candidate that `given` most likely meant; `None` if none is close. A candidate that differs only in case is the
/// closest.
#[must_use]
pub fn nearest<'a>(given: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let score = |candidate: &str| match given.eq_ignore_ascii_case(candidate) {
        true => 1.0,
        false => strsim::jaro_winkler(given, candidate),
    };
    candidates
        .into_iter()
        .map(|candidate| (score(candidate), candidate))
        .filter(|(score, _)| *score > 0.8)
        .max_by(|left, right| left.0.total_cmp(&right.0))
        .map(|(_, candidate)| candidate)
}

/// Joins alternatives: `a, b or c`.
#[must_use]
pub fn alternatives(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn capitals_alone_are_a_slip() {
        assert_eq!(nearest("TLS", ["Timeouts", "Tls"]), Some("Tls"));
        assert_eq!(nearest("TLS", ["Timeouts"]), None);
    }
}
