//! What differs between lines by itself: the version in manifests and in generated files, and the entries of the list of
//! bundles. Once it is the same on all sides of a merge, only what people changed is left to merge.

use super::{changelog, manifests};
use crate::bundle::version::BundleVersion;
use std::collections::BTreeSet;
use toml::{Table, Value};

/// The three texts of a merge.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Sides {
    /// The text that both come from.
    pub base: String,
    /// That of the branch which is merged into.
    pub ours: String,
    /// That of the other one.
    pub theirs: String,
}

/// What a conflict that is left means.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Left {
    /// A person decides.
    Person,
    /// `gen-crds` writes the file anew, so ours stays.
    Generator,
}

/// The sides of the file at a path without what differs by itself.
#[must_use]
pub fn alike(path: &str, sides: Sides) -> (Sides, Left) {
    match path.rsplit('/').next().unwrap_or_default() {
        "Cargo.toml" => (of_manifests(sides), Left::Person),
        "Cargo.lock" => (of_locks(sides), Left::Person),
        changelog::FILE => (of_changelogs(sides), Left::Person),
        _ => (of_generated(sides), Left::Generator),
    }
}

impl Sides {
    /// The same with another text of ours in the base and in theirs.
    fn following(self, edit: impl Fn(&str) -> Option<String>) -> Self {
        let edited = |text: String| edit(&text).unwrap_or(text);
        Self {
            base: edited(self.base),
            theirs: edited(self.theirs),
            ours: self.ours,
        }
    }
}

fn of_manifests(sides: Sides) -> Sides {
    let table: Table = sides.ours.parse().unwrap_or_default();
    let package = table.get("package").and_then(version);
    let workspace = table.get("workspace").and_then(|it| it.get("package"));
    let shared = workspace.and_then(version);
    let sides = match package {
        Some(version) => sides.following(|text| manifests::package(text, &version)),
        None => sides,
    };
    match shared {
        Some(version) => sides.following(|text| manifests::workspace(text, &version)),
        None => sides,
    }
}

fn version(package: &Value) -> Option<String> {
    Some(package.get("version")?.as_str()?.to_owned())
}

fn of_locks(sides: Sides) -> Sides {
    let table: Table = sides.ours.parse().unwrap_or_default();
    let packages = table.get("package").and_then(Value::as_array);
    let own = packages.into_iter().flatten().filter_map(|package| {
        // What comes from elsewhere says so.
        let is_own = package.get("source").is_none();
        let name = package.get("name")?.as_str()?.to_owned();
        is_own.then_some((name, version(package)?))
    });
    own.fold(sides, |sides, (name, version)| {
        sides.following(|text| manifests::lock(text, &[&name], &version))
    })
}

/// Every side gets the entries that another one has added. One that a side removed is left to git.
fn of_changelogs(sides: Sides) -> Sides {
    let texts = [sides.ours.clone(), sides.theirs.clone()];
    let known: BTreeSet<BundleVersion> = changelog::versions(&sides.base).collect();
    let versions = texts.iter().flat_map(|text| changelog::versions(text));
    let new: BTreeSet<BundleVersion> = versions
        .filter(|version| !known.contains(version))
        .collect();
    let whole = |mut text: String| {
        for version in &new {
            let mut known = texts
                .iter()
                .filter_map(|text| changelog::entry_of(text, version));
            if let Some(entry) = known.next() {
                text = changelog::with_adopted(Some(&text), version, entry);
            }
        }
        text
    };
    Sides {
        base: whole(sides.base),
        ours: whole(sides.ours),
        theirs: whole(sides.theirs),
    }
}

fn of_generated(sides: Sides) -> Sides {
    let stamp = |line: &&str| line.contains("/bundle-version: ");
    let Some(ours) = sides.ours.lines().find(stamp).map(str::to_owned) else {
        return sides;
    };
    sides.following(|text| {
        let line = text.lines().find(stamp)?;
        Some(text.replacen(line, &ours, 1))
    })
}

#[cfg(test)]
mod tests {
    use super::{Left, Sides, alike};

    fn sides(base: &str, ours: &str, theirs: &str) -> Sides {
        Sides {
            base: base.to_owned(),
            ours: ours.to_owned(),
            theirs: theirs.to_owned(),
        }
    }

    #[test]
    fn versions_are_ours_on_all_sides() {
        for (path, of, left) in [
            (
                "a/Cargo.toml",
                "[package]\nversion = \"VERSION\"\n[dependencies]\nb = \"MORE\"\n",
                Left::Person,
            ),
            (
                "Cargo.toml",
                "[workspace.package]\nversion = \"VERSION\"\nlicense = \"MORE\"\n",
                Left::Person,
            ),
            (
                "Cargo.lock",
                "[[package]]\nname = \"a\"\nversion = \"VERSION\"\n\n[[package]]\nname = \"b\"\nversion = \"MORE\"\nsource = \"registry\"\n",
                Left::Person,
            ),
            (
                "generated/stable/a.yaml",
                "metadata:\n  annotations:\n    a.b/bundle-version: vVERSION\nspec: MORE\n",
                Left::Generator,
            ),
        ] {
            let text =
                |version: &str, more: &str| of.replace("VERSION", version).replace("MORE", more);
            let before = sides(
                &text("0.2.1-dev", "1.0.0"),
                &text("0.3.1-dev", "1.0.0"),
                &text("0.2.3-dev", "1.0.1"),
            );
            let after = sides(
                &text("0.3.1-dev", "1.0.0"),
                &text("0.3.1-dev", "1.0.0"),
                &text("0.3.1-dev", "1.0.1"),
            );
            assert_eq!(alike(path, before), (after, left), "{path}");
        }
        // What cannot be read is merged as it is.
        let broken = sides("a", "b", "c");
        for path in [
            "Cargo.toml",
            "Cargo.lock",
            "channels/CHANGELOG.md",
            "x.yaml",
        ] {
            let (now, _) = alike(path, broken.clone());
            assert_eq!(now, broken, "{path}");
        }
    }

    #[test]
    fn every_side_has_all_entries() {
        let entry = |version: &str, words: &str| format!("\n## {version}\n\n{words}\n");
        let first = entry("v0.2.0", "The first bundle.");
        let better = entry("v0.2.0", "The first bundle of all.");
        let (patch, minor) = (entry("v0.2.1", "a"), entry("v0.3.0", "b"));
        let file = |entries: &[&String]| {
            let entries: Vec<&str> = entries.iter().map(|entry| entry.as_str()).collect();
            format!("# Bundles\n{}", entries.concat())
        };
        let before = sides(
            &file(&[&first]),
            &file(&[&minor, &first]),
            &file(&[&patch, &better]),
        );
        let (after, left) = alike("channels/CHANGELOG.md", before);
        let expected = sides(
            &file(&[&minor, &patch, &first]),
            &file(&[&minor, &patch, &first]),
            &file(&[&minor, &patch, &better]),
        );
        assert_eq!((after, left), (expected, Left::Person));
        let pruned = sides(
            &file(&[&minor, &first]),
            &file(&[&first]),
            &file(&[&minor, &first]),
        );
        assert_eq!(alike("channels/CHANGELOG.md", pruned.clone()).0, pruned);
    }
}
