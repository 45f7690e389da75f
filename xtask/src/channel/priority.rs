//! The order in which Kubernetes prefers API versions.

use std::cmp::{Ordering, Reverse};

/// How stable a version says it is.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Stability {
    /// `v1alpha1`
    Alpha,
    /// `v1beta1`
    Beta,
    /// `v1`
    Ga,
}

/// A version name that Kubernetes orders: `v`, a number, then perhaps `alpha` or `beta` and a number.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Priority {
    /// Compared first.
    pub stability: Stability,
    /// The number behind `v`.
    pub major: u64,
    /// The number behind `alpha` or `beta`.
    pub minor: u64,
}

/// The priority of a version name; none for names that Kubernetes does not order.
#[must_use]
pub fn priority(name: &str) -> Option<Priority> {
    let rest = name.strip_prefix('v')?;
    let (major, rest) = number(rest)?;
    if rest.is_empty() {
        return Some(Priority {
            stability: Stability::Ga,
            major,
            minor: 0,
        });
    }
    let (stability, rest) = match (rest.strip_prefix("alpha"), rest.strip_prefix("beta")) {
        (Some(rest), _) => (Stability::Alpha, rest),
        (None, Some(rest)) => (Stability::Beta, rest),
        (None, None) => return None,
    };
    let (minor, rest) = number(rest)?;
    rest.is_empty().then_some(Priority {
        stability,
        major,
        minor,
    })
}

/// Orders version names as an API server lists them: the preferred one first, unordered names last by the alphabet.
#[must_use]
pub fn preferred_first(left: &str, right: &str) -> Ordering {
    let key = |name| Reverse(priority(name));
    key(left).cmp(&key(right)).then_with(|| left.cmp(right))
}

/// Leading digits as a number without leading zeros.
fn number(text: &str) -> Option<(u64, &str)> {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    if digits.starts_with('0') {
        return None;
    }
    Some((digits.parse().ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::preferred_first;

    #[test]
    fn versions_are_listed_as_kubernetes_documents_it() {
        let expected = [
            "v10",
            "v2",
            "v1",
            "v11beta2",
            "v10beta3",
            "v3beta1",
            "v12alpha1",
            "v11alpha2",
            "foo1",
            "foo10",
            "v01",
            "v1x",
        ];
        let mut names = expected;
        names.sort_unstable();
        names.sort_by(|left, right| preferred_first(left, right));
        assert_eq!(names, expected);
    }
}
