//! Finds and replaces the version in a workspace's manifests. Only the version changes; every other byte stays.

use semver::{Version, VersionReq};
use std::collections::BTreeMap;
use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// Returns a `Cargo.toml` with another version of its package; `None` if the version is inherited or missing.
#[must_use]
pub fn package(text: &str, version: &str) -> Option<String> {
    set(text, &["package", "version"], version)
}

/// Returns a workspace's `Cargo.toml` with another version for the members that inherit it.
#[must_use]
pub fn workspace(text: &str, version: &str) -> Option<String> {
    set(text, &["workspace", "package", "version"], version)
}

/// A requirement on a package in a folder beside it.
struct Requirement {
    /// Its table and key, such as `target/cfg(unix)/dependencies/api`.
    place: String,
    /// The name of the package.
    name: String,
    /// The required version.
    required: String,
    /// The range of the required version, including quotes.
    span: Range<usize>,
}

/// Returns the requirements of a `Cargo.toml` on packages in folders, without those that require no version.
fn local_requirements(manifest: &DeTable<'_>) -> Vec<Requirement> {
    let targets = child(manifest, "target").into_iter().flatten();
    let targets = targets.filter_map(|(target, of)| {
        Some((
            format!("target/{}/", target.get_ref()),
            of.get_ref().as_table()?,
        ))
    });
    let workspace = child(manifest, "workspace").into_iter();
    let workspace = workspace.map(|of| ("workspace/".to_owned(), of));
    let mut found = Vec::new();
    for (table, of) in std::iter::once((String::new(), manifest))
        .chain(targets)
        .chain(workspace)
    {
        for kind in ["dependencies", "dev-dependencies", "build-dependencies"] {
            for (key, dependency) in child(of, kind).into_iter().flatten() {
                let Some(dependency) = dependency.get_ref().as_table() else {
                    continue;
                };
                let text = |key: &str| dependency.get(key)?.get_ref().as_str();
                let version = dependency.get("version");
                if let (Some(_), Some(required), Some(version)) =
                    (text("path"), text("version"), version)
                {
                    found.push(Requirement {
                        place: format!("{table}{kind}/{}", key.get_ref()),
                        name: text("package").unwrap_or(key.get_ref()).to_owned(),
                        required: required.to_owned(),
                        span: version.span(),
                    });
                }
            }
        }
    }
    found.sort_by_key(|requirement| requirement.span.start);
    found
}

/// Returns a text with other versions at some places, which are in order.
fn replaced(text: &str, places: Vec<(Range<usize>, String)>) -> String {
    let mut new = text.to_owned();
    for (place, version) in places.into_iter().rev() {
        new.replace_range(place, &quoted(&version));
    }
    new
}

/// Returns a `Cargo.toml` whose requirements on packages of the workspace match their new version, without which cargo cannot
/// load the workspace. Requirements that already match stay as they are, unless they name a pre-release, which is the version
/// of the tree before: no other package shall need it.
#[must_use]
pub fn requirements(text: &str, names: &[&str], version: &Version) -> Option<String> {
    let manifest = DeTable::parse(text).ok()?;
    let all = local_requirements(manifest.get_ref()).into_iter();
    let places = all.filter_map(
        |Requirement {
             name,
             required,
             span,
             ..
         }| {
            let admits = VersionReq::parse(&required).is_ok_and(|it| {
                it.matches(version) && it.comparators.iter().all(|it| it.pre.is_empty())
            });
            let sign = required.trim_start().chars().next();
            let sign = sign.filter(|sign| matches!(sign, '=' | '^' | '~'));
            let sign = sign.map_or(String::new(), String::from);
            (names.contains(&&*name) && !admits).then(|| (span, format!("{sign}{version}")))
        },
    );
    Some(replaced(text, places.collect()))
}

/// Returns the versions that a `Cargo.toml` requires of packages in folders, by their places.
#[must_use]
pub fn required(text: &str) -> BTreeMap<String, String> {
    let manifest = DeTable::parse(text).ok();
    let all = manifest.map(|manifest| local_requirements(manifest.get_ref()));
    let all = all.into_iter().flatten();
    all.map(|requirement| (requirement.place, requirement.required))
        .collect()
}

/// Returns a `Cargo.toml` with another required version at a place of [`required`].
#[must_use]
pub fn requirement(text: &str, place: &str, version: &str) -> Option<String> {
    let manifest = DeTable::parse(text).ok()?;
    let all = local_requirements(manifest.get_ref()).into_iter();
    let places = all.filter(|requirement| requirement.place == place);
    let places = places.map(|requirement| (requirement.span, version.to_owned()));
    Some(replaced(text, places.collect()))
}

fn child<'t, 'i>(table: &'t DeTable<'i>, key: &str) -> Option<&'t DeTable<'i>> {
    table.get(key)?.get_ref().as_table()
}

/// Returns `channels/bundle.toml` with another version; `None` if it has no version.
#[must_use]
pub fn bundle(text: &str, version: &str) -> Option<String> {
    set(text, &["version"], version)
}

/// Returns a lock file with another version of the workspace's packages, also where others depend on them by version. Packages
/// that it lacks are ignored.
#[must_use]
pub fn lock(text: &str, names: &[&str], version: &str) -> Option<String> {
    let table = DeTable::parse(text).ok()?;
    let packages = table.get_ref().get("package")?.get_ref().as_array()?;
    let packages = packages
        .iter()
        .filter_map(|package| package.get_ref().as_table());
    let packages: Vec<&DeTable<'_>> = packages.collect();
    let mut places = Vec::new();
    let mut referred = Vec::new();
    for package in &packages {
        let name = package.get("name")?.get_ref().as_str()?;
        // Packages from elsewhere have a `source`.
        if names.contains(&name) && !package.contains_key("source") {
            let old = package.get("version")?;
            places.push((old.span(), version.to_owned()));
            referred.push((
                format!("{name} {}", old.get_ref().as_str()?),
                format!("{name} {version}"),
            ));
        }
    }
    // cargo adds the version where several packages have the name.
    let dependencies = packages
        .iter()
        .filter_map(|package| package.get("dependencies"));
    let dependencies = dependencies.filter_map(|all| all.get_ref().as_array());
    for dependency in dependencies.flat_map(|all| all.iter()) {
        let named = dependency.get_ref().as_str();
        let new = referred.iter().find(|(old, _)| Some(&**old) == named);
        places.extend(new.map(|(_, new)| (dependency.span(), new.clone())));
    }
    places.sort_by_key(|(place, _)| place.start);
    Some(replaced(text, places))
}

/// Whether cargo would publish the package of a `Cargo.toml` whose workspace has the manifest `shared`.
#[must_use]
pub fn is_published(text: &str, shared: &str) -> bool {
    match inherited(text, shared, "publish") {
        Some(toml::Value::Boolean(publish)) => publish,
        Some(toml::Value::Array(registries)) => !registries.is_empty(),
        _ => true,
    }
}

/// Returns a field of the package in a `Cargo.toml` whose workspace has the manifest `shared`, as one line.
#[must_use]
pub fn package_field(text: &str, shared: &str, key: &str) -> Option<String> {
    let value = inherited(text, shared, key)?;
    let words: Vec<&str> = value.as_str()?.split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// Returns the value of a package's key, which may be inherited from the workspace.
fn inherited(text: &str, shared: &str, key: &str) -> Option<toml::Value> {
    let says = |text: &str, path: &[&str]| -> Option<toml::Value> {
        let table: toml::Table = text.parse().ok()?;
        let mut value = toml::Value::Table(table);
        for key in path {
            value = value.get(key)?.clone();
        }
        Some(value)
    };
    let own = says(text, &["package", key]);
    match &own {
        Some(toml::Value::Table(_)) => says(shared, &["workspace", "package", key]),
        _ => own,
    }
}

fn set(text: &str, path: &[&str], version: &str) -> Option<String> {
    let table = DeTable::parse(text).ok()?;
    let mut new = text.to_owned();
    new.replace_range(place(table.get_ref(), path)?, &quoted(version));
    Some(new)
}

/// Returns the range of the string at a path of keys, including quotes.
fn place(table: &DeTable<'_>, path: &[&str]) -> Option<Range<usize>> {
    let (last, tables) = path.split_last()?;
    let mut table = table;
    for key in tables {
        table = table.get(*key)?.get_ref().as_table()?;
    }
    let value = table.get(*last)?;
    matches!(value.get_ref(), DeValue::String(_)).then(|| value.span())
}

fn quoted(version: &str) -> String {
    format!("\"{version}\"")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::{bundle, is_published, lock, package, package_field, requirements, workspace};

    #[test]
    fn only_the_version_changes() {
        let text = "# a\n[package]\nname = \"a\" # b\nversion = '0.1.0-dev' # c\n[dependencies]\nb = { version = \"0.1.0-dev\" }\n";
        let expected = text.replace("'0.1.0-dev'", "\"0.2.0\"");
        assert_eq!(package(text, "0.2.0"), Some(expected));
        assert_eq!(
            package("[package]\nversion.workspace = true\n", "1.0.0"),
            None
        );
        assert_eq!(
            workspace("[workspace.package]\nversion = \"0.1.0\"\n", "1.0.0").as_deref(),
            Some("[workspace.package]\nversion = \"1.0.0\"\n")
        );
        assert_eq!(
            bundle("version=\"0.1.0\"", "1.0.0").as_deref(),
            Some("version=\"1.0.0\"")
        );
        assert_eq!(bundle("[version]", "1.0.0"), None);
    }

    #[test]
    fn packages_beside_it_are_required_in_their_new_version() {
        let text = "[dependencies]\na = { path = \"../a\", version = \"=0.1.0-dev\" } # one\nb = { package = \"a\", path = \"../a\", version = \"0.1\" }\nc = { path = \"../c\", version = \"0.1\" }\nd = \"0.1\"\n\n[target.'cfg(unix)'.dev-dependencies]\na = { path = \"../a\", version = \"~0.1.0\" }\n\n[workspace.dependencies]\na = { version = '0.1.0-dev', path = \"a\" }\ne = { package = \"a\", version = \"0.1\" }\n";
        let next = "0.2.0-dev".parse().unwrap();
        let expected = text
            .replace("\"=0.1.0-dev\"", "\"=0.2.0-dev\"")
            .replace(
                "path = \"../a\", version = \"0.1\" }",
                "path = \"../a\", version = \"0.2.0-dev\" }",
            )
            .replace("\"~0.1.0\"", "\"~0.2.0-dev\"")
            .replace("'0.1.0-dev'", "\"0.2.0-dev\"");
        assert_eq!(requirements(text, &["a"], &next), Some(expected));
        let same = "0.1.0".parse().unwrap();
        let kept = requirements(text, &["a"], &same).unwrap();
        assert!(
            kept.contains("\"~0.1.0\"") && kept.contains("version = \"0.1\" }"),
            "{kept}"
        );
    }

    #[test]
    fn a_package_is_published_unless_it_says_otherwise() {
        let shared = "[workspace.package]\npublish = false\n";
        for (text, expected) in [
            ("[package]\nname = \"a\"", true),
            ("[package]\npublish = true", true),
            ("[package]\npublish = false", false),
            ("[package]\npublish = []", false),
            ("[package]\npublish = [\"ours\"]", true),
            ("[package]\npublish.workspace = true", false),
        ] {
            assert_eq!(is_published(text, shared), expected, "{text}");
        }
    }

    #[test]
    fn package_fields_may_be_inherited_from_the_workspace() {
        let shared = "[workspace.package]\ndescription = \"All\"\n";
        for (text, expected) in [
            ("[package]\nname = \"a\"", None),
            ("[package]\ndescription = \"  \"", None),
            (
                "[package]\ndescription = \"\"\"\nOne\n  two\"\"\"",
                Some("One two"),
            ),
            ("[package]\ndescription.workspace = true", Some("All")),
            ("[package", None),
        ] {
            let field = package_field(text, shared, "description");
            assert_eq!(field.as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn only_members_change_in_the_lock_file() {
        let text = "version = 4\n\n[[package]]\nname = \"a\"\nversion = \"0.1.0\"\n\n[[package]]\nname = \"a\"\nversion = \"0.1.0\"\nsource = \"registry\"\n\n[[package]]\nname = \"b\"\nversion = \"0.1.0\"\ndependencies = [\n \"a\",\n]\n";
        let expected = text.replacen("\"0.1.0\"", "\"0.2.0-dev\"", 1);
        assert_eq!(lock(text, &["a", "c"], "0.2.0-dev"), Some(expected));
        assert_eq!(lock("[package", &["a"], "1.0.0"), None);
    }
}
