//! The checks of a run and their results.

use std::fmt::{self, Display};

/// One check, which holds if the found value is the expected one.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Check {
    /// The checked statement.
    pub name: String,
    /// The expected value.
    pub expected: String,
    /// The found value.
    pub found: String,
}

impl Check {
    /// Whether the check holds.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.expected == self.found
    }
}

/// All checks of a run, in order.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The checks.
    pub checks: Vec<Check>,
    /// Called for each check as it is made.
    listener: Option<fn(&Check)>,
}

impl Report {
    /// An empty report that passes each check to a listener.
    #[must_use]
    pub fn told_to(listener: fn(&Check)) -> Self {
        Self {
            checks: Vec::new(),
            listener: Some(listener),
        }
    }

    /// Adds a check.
    pub fn check(&mut self, name: impl Into<String>, expected: impl Display, found: impl Display) {
        let check = Check {
            name: name.into(),
            expected: expected.to_string(),
            found: found.to_string(),
        };
        if let Some(listener) = self.listener {
            listener(&check);
        }
        self.checks.push(check);
    }

    /// Returns the number of failed checks.
    #[must_use]
    pub fn failed(&self) -> usize {
        self.checks.iter().filter(|check| !check.holds()).count()
    }
}

impl Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            name,
            expected,
            found,
        } = self;
        match self.holds() {
            true => write!(f, "ok      {name}"),
            false => write!(
                f,
                "FAILED  {name}\n        expected: {expected}\n        found:    {found}"
            ),
        }
    }
}

/// The summary of a run.
impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} checks, {} failed", self.checks.len(), self.failed())
    }
}

#[cfg(test)]
mod tests {
    use super::Report;

    #[test]
    fn what_fails_is_shown_with_both_sides() {
        let mut report = Report::default();
        report.check("one is one", 1, 1);
        report.check("one is two", 2, "1");
        let lines: Vec<String> = report.checks.iter().map(ToString::to_string).collect();
        assert_eq!(
            lines,
            [
                "ok      one is one",
                "FAILED  one is two\n        expected: 2\n        found:    1"
            ]
        );
        assert_eq!(report.to_string(), "2 checks, 1 failed");
    }
}
