//! The Kubernetes minors that the checks know.

use crd_channels_cel::version::{NEWEST, OLDEST};
use std::fmt::Display;

/// What to tell users who check for a version of Kubernetes, given its minor; `None` if the checks know it.
#[must_use]
pub fn of_unknown_minor(version: impl Display, minor: u32) -> Option<String> {
    if minor > NEWEST {
        Some(format!(
            "Kubernetes {version} is newer than this tool knows; checked as 1.{NEWEST}"
        ))
    } else if minor < OLDEST {
        Some(format!(
            "Kubernetes {version} is older than this tool knows, and may reject more; checked as 1.{OLDEST}"
        ))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::{NEWEST, OLDEST, of_unknown_minor};

    #[test]
    fn minors_at_either_end_are_known() {
        for minor in [OLDEST, NEWEST] {
            assert_eq!(of_unknown_minor("1.x", minor), None);
        }
        let told = |minor| of_unknown_minor(format!("1.{minor}"), minor).unwrap_or_default();
        assert!(told(NEWEST + 1).contains(&format!("checked as 1.{NEWEST}")));
        assert!(told(OLDEST - 1).contains("is older than this tool knows"));
        assert!(of_unknown_minor("2.0", u32::MAX).is_some());
    }
}
