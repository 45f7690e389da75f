//! Equalizes what always differs between release lines: the version in manifests and generated files, and the entries of the
//! changelog. Afterwards only people's changes are left to merge.

use super::{changelog, manifests};
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_projection::bundle::{constants, layout};
use crd_channels_projection::channel::config::FOLDER;
use std::collections::{BTreeMap, BTreeSet};
use toml::{Table, Value};

/// The three texts of a merge.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Sides {
    /// The common ancestor.
    pub base: String,
    /// The version of the branch that is merged into.
    pub ours: String,
    /// The version of the other branch.
    pub theirs: String,
}

/// Who resolves a remaining conflict.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Conflict {
    /// A person decides.
    Person,
    /// `gen-crds` writes the file again, so ours stays.
    Generator,
}

/// Returns the sides of the file at a path with the expected differences equalized.
#[must_use]
pub fn equalized(path: &str, sides: Sides) -> (Sides, Conflict) {
    match path.rsplit('/').next().unwrap_or_default() {
        "Cargo.toml" => (of_manifests(sides), Conflict::Person),
        "Cargo.lock" => (of_locks(sides), Conflict::Person),
        "bundle.toml" => (of_bundles(sides), Conflict::Person),
        changelog::FILE => (of_changelogs(sides), Conflict::Person),
        name if is_generated(name, &sides.ours) => (of_generated(sides), Conflict::Generator),
        _ => (sides, Conflict::Person),
    }
}

/// Whether a file is generated. Folders of generated files may have handwritten ones, too.
fn is_generated(name: &str, text: &str) -> bool {
    let is_rust = name.ends_with(".rs");
    layout::is_generated(name, text.as_bytes()) || is_rust && constants::is_ours(text)
}

/// Whether a path is that of a file of a released bundle, which must never change.
#[must_use]
pub fn is_released(path: &str) -> bool {
    let mut pairs = path.split('/').zip(path.split('/').skip(1));
    pairs.any(|(folder, bundle)| {
        folder == FOLDER && BundleVersion::try_from(bundle.to_owned()).is_ok()
    })
}

impl Sides {
    /// Returns our value if all three differ.
    fn apart(&self, read: impl Fn(&str) -> Option<String>) -> Option<String> {
        apart([&self.base, &self.ours, &self.theirs].map(|text| read(text)))
    }

    /// Applies an edit to base and theirs.
    fn following(self, edit: impl Fn(&str) -> Option<String>) -> Self {
        let edited = |text: String| edit(&text).unwrap_or(text);
        Self {
            base: edited(self.base),
            theirs: edited(self.theirs),
            ours: self.ours,
        }
    }
}

/// Returns our value if base, ours and theirs all differ.
fn apart([base, ours, theirs]: [Option<String>; 3]) -> Option<String> {
    let is_apart = ours != base && ours != theirs && base != theirs;
    ours.filter(|_| is_apart)
}

fn of_manifests(sides: Sides) -> Sides {
    let package = |table: &Table| version(table.get("package")?);
    let shared = |table: &Table| version(table.get("workspace")?.get("package")?);
    let sides = of_versions(sides, package, manifests::package);
    let sides = of_versions(sides, shared, manifests::workspace);
    // A release also writes the version where packages of the workspace require each other.
    of_each(sides, manifests::required, manifests::requirement)
}

/// Equalizes versions that are found by their places, as [`of_versions`] does.
fn of_each(
    sides: Sides,
    read: impl Fn(&str) -> BTreeMap<String, String>,
    set: impl Fn(&str, &str, &str) -> Option<String>,
) -> Sides {
    let all = [&sides.base, &sides.ours, &sides.theirs].map(|text| read(text));
    let [_, ours, _] = &all;
    ours.keys().fold(sides, |sides, place| {
        match apart(all.each_ref().map(|own| own.get(place).cloned())) {
            Some(version) => sides.following(|text| set(text, place, &version)),
            None => sides,
        }
    })
}

fn of_bundles(sides: Sides) -> Sides {
    let own = |table: &Table| Some(table.get("version")?.as_str()?.to_owned());
    of_versions(sides, own, manifests::bundle)
}

/// Equalizes versions if all three differ, using ours. A version that only one side changed was changed on purpose and stays.
fn of_versions(
    sides: Sides,
    read: impl Fn(&Table) -> Option<String>,
    set: impl Fn(&str, &str) -> Option<String>,
) -> Sides {
    let version = |text: &str| read(&text.parse().unwrap_or_default());
    match sides.apart(version) {
        Some(own) => sides.following(|text| set(text, &own)),
        None => sides,
    }
}

fn version(package: &Value) -> Option<String> {
    Some(package.get("version")?.as_str()?.to_owned())
}

fn of_locks(sides: Sides) -> Sides {
    let own = |text: &str| -> BTreeMap<String, String> {
        let table: Table = text.parse().unwrap_or_default();
        let packages = table.get("package").and_then(Value::as_array);
        let packages = packages.into_iter().flatten().filter_map(|package| {
            // Packages from elsewhere have a `source`.
            let is_own = package.get("source").is_none();
            let name = package.get("name")?.as_str()?.to_owned();
            is_own.then_some((name, version(package)?))
        });
        packages.collect()
    };
    of_each(sides, own, |text, name, version| {
        manifests::lock(text, &[name], version)
    })
}

/// Adds the entries that either side added to all sides. Removed entries are left to git.
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
    let Some(ours) = sides.apart(|text| text.lines().find(stamp).map(str::to_owned)) else {
        return sides;
    };
    sides.following(|text| {
        let line = text.lines().find(stamp)?;
        Some(text.replacen(line, &ours, 1))
    })
}

#[cfg(test)]
mod tests {
    use super::{Conflict, Sides, equalized, is_released};

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
                Conflict::Person,
            ),
            (
                "Cargo.toml",
                "[workspace.package]\nversion = \"VERSION\"\nlicense = \"MORE\"\n",
                Conflict::Person,
            ),
            (
                "Cargo.lock",
                "[[package]]\nname = \"a\"\nversion = \"VERSION\"\n\n[[package]]\nname = \"b\"\nversion = \"MORE\"\nsource = \"registry\"\n",
                Conflict::Person,
            ),
            (
                "generated/stable/a.b_cs.yaml",
                "---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  annotations:\n    a.b/bundle-version: vVERSION\n    a.b/channel: stable\n  name: cs.a.b\nspec:\n  MORE\n",
                Conflict::Generator,
            ),
            (
                "channels/bundle.toml",
                "version = \"VERSION\"\noutput = \"MORE\"\n",
                Conflict::Person,
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
            assert_eq!(equalized(path, before), (after, left), "{path}");
        }
        // A version that only one side changed was changed on purpose.
        let text = |version: &str| format!("[package]\nversion = \"{version}\"\n");
        for (base, ours, theirs) in [
            ("0.1.0", "0.1.0", "0.2.0"),
            ("0.1.0", "0.2.0", "0.1.0"),
            ("0.1.0", "0.2.0", "0.2.0"),
        ] {
            let before = sides(&text(base), &text(ours), &text(theirs));
            assert_eq!(equalized("Cargo.toml", before.clone()).0, before);
        }
        // Handwritten files beside generated ones are a person's.
        for path in ["generated/README.md", "generated/stable/a.b_cs.yaml"] {
            let written = sides("a", "b", "c");
            assert_eq!(
                equalized(path, written.clone()),
                (written, Conflict::Person)
            );
        }
        let names = sides("", "// Written by `gen-crds`", "c");
        assert_eq!(equalized("src/lib.rs", names).1, Conflict::Person);
        // Files that cannot be parsed are merged unchanged.
        let broken = sides("a", "b", "c");
        for path in [
            "Cargo.toml",
            "Cargo.lock",
            "channels/CHANGELOG.md",
            "x.yaml",
        ] {
            let (now, _) = equalized(path, broken.clone());
            assert_eq!(now, broken, "{path}");
        }
    }

    /// A file with a version and other lines that look like one; all of `lines` have the same version.
    fn drawn(seed: &mut u64, lines: &[&str], version: &str) -> String {
        let mut text = String::new();
        for line in lines {
            *seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            if !line.contains("OTHER") || *seed >> 62 != 0 {
                let other = ["1.0.0", "0.2.0", "2.0.0-dev"][usize::from((*seed >> 40) as u8 % 3)];
                text += &line.replace("OWN", version).replace("OTHER", other);
                text.push('\n');
            }
        }
        text
    }

    /// Only the version is changed, whatever else the three sides contain.
    #[test]
    fn only_versions_are_equalized() {
        let manifest = [
            "# version = \"OTHER\"",
            "[package]",
            "description = 'version = \"OTHER\"'",
            "name = \"a\"",
            "version = \"OWN\" # stays",
            "rust-version = \"OTHER\"",
            "[package.metadata.docs]",
            "version = \"OTHER\"",
            "[dependencies]",
            "a = { version = \"OTHER\" }",
            "d = { path = \"../d\", version = \"=OWN\" }",
            "[target.'cfg(unix)'.dev-dependencies.e]",
            "version = \"OWN\" # stays",
            "path = \"../e\"",
            "[dependencies.b]",
            "version = \"OTHER\"",
            "[workspace.dependencies]",
            "f = { version = \"~OWN\", path = \"f\", features = [\"1.0.0\"] }",
            "[workspace.dependencies.c]",
            "version = \"OTHER\"",
        ];
        let lock = [
            "[[package]]",
            "name = \"a\"",
            "version = \"OWN\"",
            "dependencies = [\"b OTHER\"]",
            "",
            "[[package]]",
            "name = \"c\"",
            "version = \"3.0.0\"",
            "dependencies = [\"a OWN\", \"b OTHER\"]",
            "",
            "[[package]]",
            "name = \"b\"",
            "version = \"OTHER\"",
            "source = \"registry+https://example.com\"",
        ];
        let crd = [
            "---",
            "apiVersion: apiextensions.k8s.io/v1",
            "kind: CustomResourceDefinition",
            "metadata:",
            "  annotations:",
            "    a.b/bundle-version: vOWN",
            "    a.b/channel: stable",
            "  name: cs.a.b",
            "spec:",
            "  description: the annotation a.b/bundle-version is OTHER",
            "  example: vOTHER",
        ];
        let mut seed = 7;
        for (path, lines) in [
            ("Cargo.toml", &manifest[..]),
            ("Cargo.lock", &lock),
            ("generated/stable/a.b_cs.yaml", &crd),
        ] {
            for _ in 0..500 {
                let mut of = |version| drawn(&mut seed, lines, version);
                let before = sides(&of("0.2.1-dev"), &of("0.3.1-dev"), &of("0.2.3-dev"));
                let ours = |text: &str| {
                    let text = text.replace("0.2.1-dev", "0.3.1-dev");
                    text.replace("0.2.3-dev", "0.3.1-dev")
                };
                let expected = sides(&ours(&before.base), &before.ours, &ours(&before.theirs));
                assert_eq!(equalized(path, before).0, expected, "{path}");
            }
        }
    }

    #[test]
    fn files_of_bundles_are_recognised() {
        for (path, expected) in [
            ("channels/v0.1.0/manifest.json", true),
            ("a/channels/v0.1.0-rc.1/stable/crds/a.yaml", true),
            ("channels/0.1.0/manifest.json", false),
            ("channels/vendor/a", false),
            ("generated/v0.1.0/a.yaml", false),
        ] {
            assert_eq!(is_released(path), expected, "{path}");
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
        let (after, left) = equalized("channels/CHANGELOG.md", before);
        let expected = sides(
            &file(&[&minor, &patch, &first]),
            &file(&[&minor, &patch, &first]),
            &file(&[&minor, &patch, &better]),
        );
        assert_eq!((after, left), (expected, Conflict::Person));
        let pruned = sides(
            &file(&[&minor, &first]),
            &file(&[&first]),
            &file(&[&minor, &first]),
        );
        assert_eq!(equalized("channels/CHANGELOG.md", pruned.clone()).0, pruned);
    }
}
