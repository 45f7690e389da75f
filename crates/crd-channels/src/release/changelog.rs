//! The changelog of bundles: one entry for each, newest first.

use crd_channels_compat::Report;
use crd_channels_compat::report::markdown;
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_released::manifest::Tombstones;

/// The file name, below the folder of the bundles.
pub const FILE: &str = "CHANGELOG.md";

const HEAD: &str = "\
# Bundles

What changed in each bundle. `release` generates the entries from the CRDs; you may edit the text.

The experimental channel is not for production: anything in it may change or be removed in any minor bundle. Validation by CRDs is
not a security mechanism in either channel: a cluster may have CRDs of another bundle, and a later bundle may loosen it.
Implementations must check and escape the values that they use.
";

/// Returns the entry of a bundle.
#[must_use]
pub fn entry(
    version: &BundleVersion,
    baseline: Option<&BundleVersion>,
    report: &Report,
    tombstones: &Tombstones,
    migrations: &[String],
) -> String {
    let mut text = match baseline {
        Some(baseline) => format!("## {version}\n\nCompared with {baseline}.\n\n"),
        None => format!("## {version}\n\nThe first bundle.\n\n"),
    };
    text.push_str(&markdown(report, tombstones));
    if !migrations.is_empty() {
        text.push_str("### Before you install it\n\n");
        for note in migrations {
            text.push_str(&format!("- {note}\n"));
        }
    }
    format!("{}\n", text.trim_end())
}

/// Returns the bundles that have entries in a file.
pub fn versions(file: &str) -> impl Iterator<Item = BundleVersion> {
    entries(file).into_iter().filter_map(|entry| entry.version)
}

/// Returns the entry of a bundle in a file.
#[must_use]
pub fn entry_of<'t>(file: &'t str, version: &BundleVersion) -> Option<&'t str> {
    let mut entries = entries(file).into_iter();
    let found = entries.find(|entry| entry.version.as_ref() == Some(version));
    found.map(|entry| entry.text)
}

/// Returns the file with an entry from another branch, inserted before those of older bundles. An existing entry stays as it
/// is.
#[must_use]
pub fn with_adopted(file: Option<&str>, version: &BundleVersion, entry: &str) -> String {
    let file = file.unwrap_or(HEAD);
    if entry_of(file, version).is_some() {
        return file.to_owned();
    }
    let is_older = |known: &Entry<'_>| known.version.as_ref().is_some_and(|known| known < version);
    let older = entries(file).into_iter().find(is_older);
    let (before, after) = file.split_at(older.map_or(file.len(), |older| older.at));
    let whole = format!("{}\n\n{}\n\n{after}", before.trim_end(), entry.trim_end());
    format!("{}\n", whole.trim_end())
}

/// An entry in the file.
struct Entry<'t> {
    at: usize,
    version: Option<BundleVersion>,
    text: &'t str,
}

fn entries(file: &str) -> Vec<Entry<'_>> {
    let heads = file.match_indices("## ").map(|(at, _)| at);
    let at_line = |at: &usize| *at == 0 || file.as_bytes().get(at - 1) == Some(&b'\n');
    let starts: Vec<usize> = heads.filter(at_line).collect();
    let ends = starts.iter().skip(1).copied().chain([file.len()]);
    let entry = |(at, end): (usize, usize)| {
        let text = file.get(at..end).unwrap_or_default();
        let head = text.lines().next().unwrap_or_default();
        let version = head.trim_start_matches('#').trim().to_owned();
        Entry {
            at,
            version: BundleVersion::try_from(version).ok(),
            text,
        }
    };
    starts.iter().copied().zip(ends).map(entry).collect()
}

/// Returns the file with a new first entry.
#[must_use]
pub fn with_entry(file: Option<&str>, entry: &str) -> String {
    let file = file.unwrap_or(HEAD);
    let first = entries(file).first().map(|entry| entry.at);
    let (head, rest) = file.split_at(first.unwrap_or(file.len()));
    let head = head.trim_end();
    let rest = if rest.is_empty() {
        String::new()
    } else {
        format!("\n{rest}")
    };
    format!("{head}\n\n{entry}{rest}")
}

/// Returns the file without the entries of some bundles.
#[must_use]
pub fn without_entries(file: &str, versions: &[BundleVersion]) -> String {
    let entries = entries(file);
    let end = entries.first().map_or(file.len(), |entry| entry.at);
    let mut left = file.get(..end).unwrap_or_default().to_owned();
    let goes = |entry: &&Entry<'_>| {
        let version = entry.version.as_ref();
        version.is_some_and(|version| versions.contains(version))
    };
    for entry in entries.iter().filter(|entry| !goes(entry)) {
        left.push_str(entry.text);
    }
    format!("{}\n", left.trim_end())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::{HEAD, entry_of, with_adopted, with_entry, without_entries};

    #[test]
    fn an_entry_ends_at_the_next_one() {
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

    #[test]
    fn an_adopted_entry_stands_among_its_line() {
        let file = "# Bundles\n\n## v0.3.0\n\n### Added\n\n- a\n\n## v0.2.0\n\nThe first bundle.\n";
        let patch = "## v0.2.1\n\nCompared with v0.2.0.\n\n";
        let v = |text: &str| text.parse().unwrap();
        let whole = with_adopted(Some(file), &v("v0.2.1"), patch);
        let expected = file.replace("## v0.2.0", &format!("{patch}## v0.2.0"));
        assert_eq!(whole, expected);
        assert_eq!(
            with_adopted(Some(&whole), &v("v0.2.1"), "## v0.2.1\n\nOther.\n"),
            whole
        );
        assert_eq!(entry_of(&whole, &v("v0.2.1")), Some(patch));
        let oldest = with_adopted(Some(file), &v("v0.1.0"), "## v0.1.0\n\nOld.\n");
        assert_eq!(oldest, format!("{file}\n## v0.1.0\n\nOld.\n"));
        let first = with_adopted(None, &v("v0.1.0"), "## v0.1.0\n\nOld.\n");
        assert_eq!(first, format!("{HEAD}\n## v0.1.0\n\nOld.\n"));
    }
}
