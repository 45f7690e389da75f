//! The history of bundles for people: one entry for each, the latest first.

use crate::bundle::version::BundleVersion;
use crate::compat::Report;
use crate::compat::report::markdown;

/// The file, below the folder of the bundles.
pub const FILE: &str = "CHANGELOG.md";

const HEAD: &str = "\
# Bundles

What changed in each bundle. `release` computes the entries from the CRDs; the words may be improved.

The experimental channel is not for production: what is in it may change or be removed in any minor bundle. Validation by CRDs is
not a security mechanism in either channel: a cluster may have CRDs of another bundle, and a later bundle may loosen it.
Implementations have to check and escape the values that they use.
";

/// What there is to say of a bundle.
#[must_use]
pub fn entry(
    version: &BundleVersion,
    baseline: Option<&BundleVersion>,
    report: &Report,
    migrations: &[String],
) -> String {
    let mut text = match baseline {
        Some(baseline) => format!("## {version}\n\nCompared with {baseline}.\n\n"),
        None => format!("## {version}\n\nThe first bundle.\n\n"),
    };
    if baseline.is_some() {
        text.push_str(&markdown(report));
    }
    if !migrations.is_empty() {
        text.push_str("### Before you install it\n\n");
        for note in migrations {
            text.push_str(&format!("- {note}\n"));
        }
    }
    format!("{}\n", text.trim_end())
}

/// The file with one more entry, before all others.
#[must_use]
pub fn with_entry(file: Option<&str>, entry: &str) -> String {
    let file = file.unwrap_or(HEAD);
    let first = file.match_indices("## ").map(|(at, _)| at).find(|at| {
        file.get(..*at)
            .is_some_and(|before| before.is_empty() || before.ends_with('\n'))
    });
    let (head, rest) = file.split_at(first.unwrap_or(file.len()));
    let head = head.trim_end();
    let rest = if rest.is_empty() {
        String::new()
    } else {
        format!("\n{rest}")
    };
    format!("{head}\n\n{entry}{rest}")
}

/// The file without the entries of some bundles.
#[must_use]
pub fn without_entries(file: &str, versions: &[BundleVersion]) -> String {
    let heads: Vec<String> = versions.iter().map(|it| format!("## {it}")).collect();
    let mut left = String::with_capacity(file.len());
    let mut goes = false;
    for line in file.split_inclusive('\n') {
        if line.starts_with("## ") {
            goes = heads.iter().any(|head| head == line.trim_end());
        }
        if !goes {
            left.push_str(line);
        }
    }
    format!("{}\n", left.trim_end())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::{HEAD, with_entry, without_entries};

    #[test]
    fn an_entry_goes_up_to_the_next() {
        let all = "# Bundles\n\n## v0.2.0\n\n- a\n\n## v0.2.0-rc.1\n\n### Added\n\n- a\n\n## v0.1.0\n\nx\n";
        let left = without_entries(all, &["v0.2.0-rc.1".parse().unwrap()]);
        assert_eq!(left, "# Bundles\n\n## v0.2.0\n\n- a\n\n## v0.1.0\n\nx\n");
        let left = without_entries(all, &["v0.1.0".parse().unwrap()]);
        assert!(left.ends_with("### Added\n\n- a\n"), "{left}");
    }

    #[test]
    fn the_latest_entry_is_the_first() {
        let one = with_entry(None, "## v0.1.0\n\nThe first bundle.\n");
        assert_eq!(one, format!("{HEAD}\n## v0.1.0\n\nThe first bundle.\n"));
        let two = with_entry(Some(&one), "## v0.2.0\n\n### Added\n\n- a\n");
        let expected =
            format!("{HEAD}\n## v0.2.0\n\n### Added\n\n- a\n\n## v0.1.0\n\nThe first bundle.\n");
        assert_eq!(two, expected);
    }
}
