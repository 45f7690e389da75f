//! API version names, in the order that Kubernetes prefers.

use std::cmp::{Ordering, Reverse};

/// The stability of a version.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Stability {
    /// `v1alpha1`
    Alpha,
    /// `v1beta1`
    Beta,
    /// `v1`
    General,
}

/// A parsed name such as `v1` or `v2beta1`.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct ApiVersion {
    /// Compared first.
    pub stability: Stability,
    /// The number after `v`.
    pub major: u64,
    /// The number after `alpha` or `beta`; 0 for general versions.
    pub minor: u64,
}

impl ApiVersion {
    /// Parses a name. Returns `None` if it does not have Kubernetes' form; such names are allowed, and come last.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        let rest = name.strip_prefix('v')?;
        let end = rest.find(|c: char| !c.is_ascii_digit());
        let (major, rest) = rest.split_at(end.unwrap_or(rest.len()));
        let (stability, minor) = match rest {
            "" => (Stability::General, 0),
            rest => match (rest.strip_prefix("alpha"), rest.strip_prefix("beta")) {
                (Some(minor), _) => (Stability::Alpha, number(minor)?),
                (_, Some(minor)) => (Stability::Beta, number(minor)?),
                (None, None) => return None,
            },
        };
        Some(Self {
            stability,
            major: number(major)?,
            minor,
        })
    }
}

/// Returns true if the first name is less stable than the other. False for names of another form, whose stability is unknown.
#[must_use]
pub fn is_less_stable(one: &str, other: &str) -> bool {
    let stability = |name| ApiVersion::parse(name).map(|version| version.stability);
    let both = stability(one).zip(stability(other));
    both.is_some_and(|(one, other)| one < other)
}

/// Parses digits without a leading zero.
fn number(digits: &str) -> Option<u64> {
    let plain = digits.starts_with(|c: char| ('1'..='9').contains(&c));
    plain.then(|| digits.parse().ok()).flatten()
}

/// Compares two names by priority: general versions, then beta, then alpha, larger numbers first; names of another form last,
/// in alphabetical order.
#[must_use]
pub fn priority(one: &str, other: &str) -> Ordering {
    let rank = |name| Reverse(ApiVersion::parse(name));
    rank(one).cmp(&rank(other)).then_with(|| one.cmp(other))
}

#[cfg(test)]
mod tests {
    use super::priority;

    #[test]
    fn the_order_is_that_of_kubernetes() {
        let sorted = [
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
            "v0",
            "v01",
            "v1alpha",
            "v1beta0",
            "v1gamma1",
        ];
        let mut names = sorted;
        names.reverse();
        names.sort_by(|one, other| priority(one, other));
        assert_eq!(names, sorted);
    }
}
