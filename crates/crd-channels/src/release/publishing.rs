//! Whether cargo can publish a package to a registry, by its manifest: each dependency must be in a registry too.

use super::manifests::is_published;
use std::collections::BTreeSet;
use toml::{Table, Value};

/// The manifests of a workspace.
#[derive(Clone, Copy)]
pub struct Manifests<'a> {
    /// The manifest of the workspace, from which members inherit.
    pub shared: &'a str,
    /// Returns the manifest of a local package by its name.
    pub local: &'a dyn Fn(&str) -> Option<String>,
}

/// Returns why cargo cannot publish the package with a manifest, as a clause; `None` if nothing in the manifests prevents it.
#[must_use]
pub fn obstacle(text: &str, manifests: Manifests<'_>) -> Option<String> {
    prevents(text, manifests, &mut BTreeSet::new())
}

/// Returns the names of the local packages that a package depends on.
#[must_use]
pub fn local_dependencies(text: &str, shared: &str) -> BTreeSet<String> {
    let all = dependencies(text, shared).into_iter();
    let local = all.filter(|dependency| dependency.entry.contains_key("path"));
    local.map(|dependency| dependency.name).collect()
}

/// A dependency, with what it inherits from the workspace.
struct Dependency {
    name: String,
    /// Whether only tests and examples need it.
    is_dev: bool,
    entry: Table,
}

fn prevents(text: &str, manifests: Manifests<'_>, seen: &mut BTreeSet<String>) -> Option<String> {
    let mut all = dependencies(text, manifests.shared).into_iter();
    all.find_map(
        |Dependency {
             name,
             is_dev,
             entry,
         }| {
            let has_version = entry.contains_key("version");
            // cargo leaves such a dependency out of the published manifest.
            if is_dev && !has_version {
                return None;
            }
            if entry.contains_key("git") {
                return Some(format!("`{name}` comes from git, not from a registry"));
            }
            if !entry.contains_key("path") {
                return None;
            }
            if !has_version {
                return Some(format!("`{name}` has a path but no version"));
            }
            if !seen.insert(name.clone()) {
                return None;
            }
            let own = (manifests.local)(&name)?;
            match is_published(&own, manifests.shared) {
                false => Some(format!("`{name}` has `publish = false`")),
                true => prevents(&own, manifests, seen),
            }
        },
    )
}

fn dependencies(text: &str, shared: &str) -> Vec<Dependency> {
    let manifest: Table = text.parse().unwrap_or_default();
    let shared: Table = shared.parse().unwrap_or_default();
    let inherited = |key: &str| {
        let entry = shared.get("workspace")?.get("dependencies")?.get(key)?;
        Some(of_value(entry))
    };
    let targets = manifest.get("target").and_then(Value::as_table).into_iter();
    let targets = targets.flat_map(|targets| targets.values());
    let targets = targets.filter_map(Value::as_table);
    let mut all = Vec::new();
    for of in std::iter::once(&manifest).chain(targets) {
        for kind in ["dependencies", "build-dependencies", "dev-dependencies"] {
            let table = of.get(kind).and_then(Value::as_table);
            for (key, value) in table.into_iter().flatten() {
                let mut entry = of_value(value);
                if entry.contains_key("workspace") {
                    entry = inherited(key).unwrap_or_default();
                }
                let name = entry.get("package").and_then(Value::as_str);
                all.push(Dependency {
                    name: name.unwrap_or(key).to_owned(),
                    is_dev: kind == "dev-dependencies",
                    entry,
                });
            }
        }
    }
    all
}

/// Returns a dependency as a table: a version alone is short for one.
fn of_value(value: &Value) -> Table {
    match value {
        Value::Table(table) => table.clone(),
        version => Table::from_iter([("version".to_owned(), version.clone())]),
    }
}

#[cfg(test)]
mod tests {
    use super::{Manifests, local_dependencies, obstacle};

    #[test]
    fn every_dependency_has_to_be_in_a_registry() {
        let shared = "[workspace.dependencies]\nderive = { git = \"x\", version = \"1\" }\nserde = \"1\"\nbeside = { path = \"b\" }\n";
        let local = |name: &str| {
            let text = match name {
                "secret" => "[package]\npublish = false\n",
                "open" => "[package]\n[dependencies]\nkube = \"1\"\n",
                "deep" => "[package]\n[dependencies]\nsecret = { path = \"s\", version = \"1\" }\n",
                "around" => {
                    "[package]\n[dev-dependencies]\naround = { path = \"a\", version = \"1\" }\n"
                }
                _ => return None,
            };
            Some(text.to_owned())
        };
        for (dependencies, expected) in [
            ("[dependencies]\nserde = \"1\"", None),
            ("[dependencies]\nserde.workspace = true", None),
            (
                "[dependencies]\nderive.workspace = true",
                Some("`derive` comes from git, not from a registry"),
            ),
            (
                "[dependencies]\nx = { package = \"derive\", git = \"x\" }",
                Some("`derive` comes from git, not from a registry"),
            ),
            (
                "[target.'cfg(unix)'.build-dependencies.derive]\ngit = \"x\"",
                Some("`derive` comes from git, not from a registry"),
            ),
            (
                "[dependencies]\nbeside.workspace = true",
                Some("`beside` has a path but no version"),
            ),
            ("[dev-dependencies]\nbeside = { path = \"b\" }", None),
            (
                "[dev-dependencies]\nderive = { git = \"x\", version = \"1\" }",
                Some("`derive` comes from git, not from a registry"),
            ),
            (
                "[dependencies]\nsecret = { path = \"s\", version = \"1\" }",
                Some("`secret` has `publish = false`"),
            ),
            (
                "[dependencies]\ndeep = { path = \"d\", version = \"1\" }",
                Some("`secret` has `publish = false`"),
            ),
            (
                "[dependencies]\nopen = { path = \"o\", version = \"1\" }",
                None,
            ),
            (
                "[dependencies]\naround = { path = \"a\", version = \"1\" }",
                None,
            ),
            ("[dependencies", None),
        ] {
            let manifests = Manifests {
                shared,
                local: &local,
            };
            let found = obstacle(dependencies, manifests);
            assert_eq!(found.as_deref(), expected, "{dependencies}");
        }
        let local = local_dependencies(
            "[dependencies]\nbeside.workspace = true\nserde = \"1\"",
            shared,
        );
        assert_eq!(local.into_iter().collect::<Vec<_>>(), ["beside"]);
    }
}
