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
}

impl Report {
    /// Takes a check down.
    pub fn check(&mut self, name: impl Into<String>, expected: impl Display, found: impl Display) {
        self.checks.push(Check {
            name: name.into(),
            expected: expected.to_string(),
            found: found.to_string(),
        });
    }

    /// How many checks failed.
    #[must_use]
    pub fn failed(&self) -> usize {
        self.checks.iter().filter(|check| !check.holds()).count()
    }
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for check in &self.checks {
            if check.holds() {
                writeln!(f, "ok      {}", check.name)?;
            } else {
                writeln!(f, "FAILED  {}", check.name)?;
                writeln!(f, "        expected: {}", check.expected)?;
                writeln!(f, "        found:    {}", check.found)?;
            }
        }
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
        assert_eq!(report.failed(), 1);
        assert_eq!(
            report.to_string(),
            "ok      one is one\nFAILED  one is two\n        expected: 2\n        found:    1\n2 checks, 1 failed"
        );
    }
}
