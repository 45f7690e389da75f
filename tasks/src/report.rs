//! What was checked, and what came of it.

use std::fmt::{self, Display};

/// One check: it holds when what was found is what was expected.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Check {
    /// What is checked, as a statement.
    pub name: String,
    /// What should be.
    pub expected: String,
    /// What is.
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
    /// Whoever hears of each check as it is made.
    listener: Option<fn(&Check)>,
}

impl Report {
    /// An empty report that tells of each check as it is made.
    #[must_use]
    pub fn told_to(listener: fn(&Check)) -> Self {
        Self {
            checks: Vec::new(),
            listener: Some(listener),
        }
    }

    /// Takes a check down.
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

    /// How many checks failed.
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

/// The sum of a run.
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
