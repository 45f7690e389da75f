//! Mirrors of registries, as `containers-registries.conf(5)` describes them for Podman, Skopeo, CRI-O and Buildah.

use super::address::Address;
use serde::Deserialize;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// A place where the artifacts of a repository may be.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Place {
    pub address: Address,
    /// Whether it may be without TLS.
    pub insecure: bool,
    /// Whether tags are looked up there, and not only what has a digest.
    pub has_tags: bool,
    /// Whether what has a digest is looked up there.
    pub has_digests: bool,
}

impl Place {
    /// The place that an address itself names.
    #[must_use]
    pub fn of(address: Address) -> Self {
        Self {
            insecure: address.is_loopback(),
            address,
            has_tags: true,
            has_digests: true,
        }
    }
}

/// A file of the configuration; other keys are not about mirrors.
#[derive(Default, Deserialize)]
struct Config {
    #[serde(default)]
    registry: Vec<Entry>,
}

/// Where the repositories are whose names begin with a prefix.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
#[derive(Default)]
struct Entry {
    /// By default the location.
    prefix: String,
    /// What stands in place of the prefix; by default the prefix.
    location: String,
    insecure: bool,
    blocked: bool,
    mirror_by_digest_only: bool,
    mirror: Vec<Mirror>,
}

#[derive(Clone, Default, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
struct Mirror {
    location: String,
    insecure: bool,
    pull_from_mirror: String,
}

/// The places of a repository.
#[derive(Debug)]
pub struct Places {
    /// In the order in which they are asked.
    pub mirrors: Vec<Place>,
    /// Where it is itself.
    pub own: Place,
}

/// Returns the places of a repository.
///
/// # Errors
/// Returns the message in one line: a file cannot be read, or it blocks the registry.
pub fn places(
    address: &Address,
    variable: impl Fn(&str) -> Option<PathBuf>,
) -> Result<Places, String> {
    let mut entries: Vec<Entry> = Vec::new();
    for file in files(variable) {
        for entry in read(&file)? {
            entries.retain(|known| known.prefix != entry.prefix);
            entries.push(entry);
        }
    }
    of_entries(address, &entries)
}

fn of_entries(address: &Address, entries: &[Entry]) -> Result<Places, String> {
    let Address {
        registry,
        repository,
    } = address;
    let name = format!("{registry}/{repository}");
    let matching = entries.iter().filter_map(|entry| {
        let rest = behind(&entry.prefix, &name)?;
        Some((entry, rest))
    });
    let Some((entry, rest)) = matching.max_by_key(|(entry, _)| entry.prefix.len()) else {
        return Ok(Places {
            mirrors: Vec::new(),
            own: Place::of(address.clone()),
        });
    };
    if entry.blocked {
        return Err(format!(
            "`registries.conf` blocks `{}`; remove `blocked` there, or use a mirror",
            entry.prefix
        ));
    }
    let place = |location: &str, insecure: bool| {
        let name = format!("{location}{rest}");
        let (address, _) = super::address::parse(&name)
            .map_err(|why| format!("`registries.conf` has an unusable location: {why}"))?;
        let place = Place::of(address);
        Ok::<_, String>(Place {
            insecure: insecure || place.insecure,
            ..place
        })
    };
    let mut mirrors = Vec::new();
    for mirror in &entry.mirror {
        let digest_only = entry.mirror_by_digest_only || mirror.pull_from_mirror == "digest-only";
        mirrors.push(Place {
            has_tags: !digest_only,
            has_digests: mirror.pull_from_mirror != "tag-only",
            ..place(&mirror.location, mirror.insecure)?
        });
    }
    let own = match &*entry.location {
        "" => Place {
            insecure: entry.insecure || address.is_loopback(),
            ..Place::of(address.clone())
        },
        location => place(location, entry.insecure)?,
    };
    Ok(Places { mirrors, own })
}

/// Returns what stands behind a prefix, which may begin with `*.` for any host below a domain.
fn behind<'n>(prefix: &str, name: &'n str) -> Option<&'n str> {
    let rest = match prefix.strip_prefix('*') {
        Some(domain) => {
            let (host, _) = name.split_once('/')?;
            let (below, path) = domain.split_once('/').unwrap_or((domain, ""));
            let is_below = host.strip_suffix(below).is_some_and(|it| !it.is_empty());
            let rest = name.get(host.len()..).filter(|_| is_below)?;
            match path {
                "" => rest,
                path => rest.strip_prefix('/')?.strip_prefix(path)?,
            }
        }
        None => name.strip_prefix(prefix)?,
    };
    (rest.is_empty() || rest.starts_with('/')).then_some(rest)
}

fn read(file: &Path) -> Result<Vec<Entry>, String> {
    let text = match fs::read_to_string(file) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
        read => read.map_err(|error| error.to_string()),
    };
    let entries = text.and_then(|text| parse(&text));
    entries.map_err(|why| format!("`{}`: {why}", file.display()))
}

fn parse(text: &str) -> Result<Vec<Entry>, String> {
    let config: Config = toml::from_str(text).map_err(|why| why.message().to_owned())?;
    let entries = config.registry.into_iter().map(|entry| Entry {
        prefix: match &*entry.prefix {
            "" => entry.location.clone(),
            prefix => prefix.to_owned(),
        },
        ..entry
    });
    Ok(entries.collect())
}

/// Returns the files of the configuration, by the environment's variables. Later ones count more.
fn files(variable: impl Fn(&str) -> Option<PathBuf>) -> Vec<PathBuf> {
    if let Some(file) = variable("CONTAINERS_REGISTRIES_CONF") {
        return vec![file];
    }
    let home = variable("XDG_CONFIG_HOME").or_else(|| Some(variable("HOME")?.join(".config")));
    let own = home.map(|folder| folder.join("containers"));
    let folders = [Some(PathBuf::from("/etc/containers")), own].into_iter();
    let folders: Vec<PathBuf> = folders.flatten().collect();
    // The user's own file stands in place of the system's, and what is added to either is added.
    let mut files = folders
        .iter()
        .rev()
        .map(|folder| folder.join("registries.conf"));
    let main = files.find(|file| file.is_file());
    let added = folders.iter().flat_map(|folder| {
        let entries = fs::read_dir(folder.join("registries.conf.d"));
        let paths = entries.into_iter().flatten().flatten().map(|it| it.path());
        let mut paths: Vec<PathBuf> = paths
            .filter(|path| path.extension().is_some_and(|it| it == "conf"))
            .collect();
        paths.sort();
        paths
    });
    main.into_iter().chain(added).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::indexing_slicing, clippy::unwrap_used, reason = "tests")]

    use super::{behind, of_entries, parse as parse_file};
    use crate::oci::address::parse;

    #[test]
    fn a_prefix_ends_where_a_part_of_the_name_does() {
        for (prefix, name, expected) in [
            ("ghcr.io", "ghcr.io/edge/crds", Some("/edge/crds")),
            ("ghcr.io/edge", "ghcr.io/edge/crds", Some("/crds")),
            ("ghcr.io/edge/crds", "ghcr.io/edge/crds", Some("")),
            ("ghcr.io/ed", "ghcr.io/edge/crds", None),
            ("ghcr", "ghcr.io/edge/crds", None),
            ("*.io", "ghcr.io/edge/crds", Some("/edge/crds")),
            ("*.example.com", "a.b.example.com/c", Some("/c")),
            ("*.example.com", "example.com/c", None),
            ("*.example.com/c", "a.example.com/c/d", Some("/d")),
            ("*.example.com/c", "a.example.com/d", None),
        ] {
            assert_eq!(behind(prefix, name), expected, "{prefix}");
        }
    }

    #[test]
    fn mirrors_come_first_and_the_longest_prefix_counts() {
        let text = r#"
            unqualified-search-registries = ["docker.io"]
            [[registry]]
            prefix = "ghcr.io"
            blocked = true
            [[registry]]
            prefix = "ghcr.io/edge"
            location = "quay.io/moved"
            [[registry.mirror]]
            location = "localhost:5000/copies"
            [[registry.mirror]]
            location = "mirror.example.com/x"
            insecure = true
            pull-from-mirror = "digest-only"
        "#;
        let entries = parse_file(text).unwrap();
        let of = |name: &str| of_entries(&parse(name).unwrap().0, &entries);
        let found = of("oci://ghcr.io/edge/crds").unwrap();
        let places = found.mirrors.iter().chain([&found.own]);
        let shown: Vec<String> = places
            .map(|it| format!("{} {} {}", it.address, it.insecure, it.has_tags))
            .collect();
        assert_eq!(
            shown,
            [
                "oci://localhost:5000/copies/crds true true",
                "oci://mirror.example.com/x/crds true false",
                "oci://quay.io/moved/crds false true",
            ]
        );
        assert!(of("oci://ghcr.io/other").unwrap_err().contains("blocks"));
        assert!(of("oci://quay.io/a/b").unwrap().mirrors.is_empty());
    }

    #[test]
    fn the_prefix_is_the_location_by_default() {
        let entries = parse_file("[[registry]]\nlocation = \"ghcr.io\"\n").unwrap();
        assert_eq!(entries[0].prefix, "ghcr.io");
        assert!(parse_file("[[registry]]\nmirror = 1\n").is_err());
    }
}
