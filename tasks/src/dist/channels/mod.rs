//! The files by which people install a version: the digests of its archives, a script, and what package managers read.

mod krew;

use super::platforms::{PLATFORMS, Platform};
use crd_channels_released::digest::Digest;
use std::collections::BTreeMap;

pub use krew::FILE as KREW;

const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");

/// The digest of each archive of a version, by the name of its file.
pub type Archives = BTreeMap<String, Digest>;

/// An archive that was packed.
struct Packed<'a> {
    platform: Platform,
    name: String,
    digest: &'a Digest,
}

/// The tag of a version. `v0.3.0` is a bundle of the API in the same repository.
#[must_use]
pub fn tag(version: &str) -> String {
    format!("crd-channels-v{version}")
}

/// The name of an archive's file.
#[must_use]
pub fn archive_name(version: &str, triple: &str) -> String {
    format!("{}-{triple}.tar.gz", tag(version))
}

/// Each file by its name.
#[must_use]
pub fn files(version: &str, archives: &Archives) -> BTreeMap<&'static str, String> {
    let packed: Vec<Packed<'_>> = PLATFORMS
        .into_iter()
        .filter_map(|platform| {
            let name = archive_name(version, platform.triple);
            let digest = archives.get(&name)?;
            Some(Packed {
                platform,
                name,
                digest,
            })
        })
        .collect();
    let sums = archives.iter();
    let sums = sums
        .map(|(name, digest)| format!("{}  {name}\n", digest.hex()))
        .collect();
    let script = include_str!("install.sh");
    let formula = include_str!("homebrew.rb");
    [
        ("SHA256SUMS", sums),
        (KREW, format!("{:#}\n", krew::manifest(version, &packed))),
        ("install.sh", filled(script, version, &cases(&packed))),
        (
            "crd-channels.rb",
            filled(formula, version, &blocks(version, &packed)),
        ),
        ("Containerfile", include_str!("Containerfile").to_owned()),
    ]
    .into()
}

fn releases() -> String {
    format!("{REPOSITORY}/releases")
}

/// Where a file of a version is published.
fn address(version: &str, file: &str) -> String {
    format!("{}/download/{}/{file}", releases(), tag(version))
}

fn filled(template: &str, version: &str, platforms: &str) -> String {
    template
        .replace("@VERSION@", version)
        .replace("@TAG@", &tag(version))
        .replace("@RELEASES@", &releases())
        .replace("@REPOSITORY@", REPOSITORY)
        .replace("@PLATFORMS@", platforms)
}

/// The cases of the script, a line each.
fn cases(packed: &[Packed<'_>]) -> String {
    let cases = packed.iter().filter_map(|packed| {
        let uname = packed.platform.uname?;
        let (name, digest) = (&packed.name, packed.digest.hex());
        Some(format!("  {uname}) archive={name} sha256={digest} ;;"))
    });
    cases.collect::<Vec<_>>().join("\n")
}

/// The blocks of the formula. Homebrew wants one for each operating system, with one for each processor in it.
fn blocks(version: &str, packed: &[Packed<'_>]) -> String {
    let mut systems: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for packed in packed {
        let Some((system, processor)) = packed.platform.homebrew else {
            continue;
        };
        let url = address(version, &packed.name);
        systems.entry(system).or_default().push(format!(
            "    {processor} do\n      url \"{url}\"\n      sha256 \"{}\"\n    end",
            packed.digest.hex()
        ));
    }
    let blocks = systems.iter();
    let blocks =
        blocks.map(|(system, inner)| format!("  {system} do\n{}\n  end", inner.join("\n")));
    blocks.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

    use super::*;

    fn archives() -> Archives {
        let names = PLATFORMS.map(|platform| archive_name("1.2.3", platform.triple));
        let archives = names.into_iter();
        archives
            .map(|name| (name.clone(), Digest::of(name.as_bytes())))
            .collect()
    }

    /// `cargo binstall` makes the address from the manifest of the published package.
    #[test]
    fn binstall_asks_for_what_is_published() {
        let manifest = include_str!("../../../../crates/crd-channels/Cargo.toml");
        let line = manifest.lines().find(|line| line.starts_with("pkg-url"));
        let template = line.unwrap().split('"').nth(1).unwrap();
        for platform in PLATFORMS {
            let asked = template
                .replace("{ repo }", REPOSITORY)
                .replace("{ version }", "1.2.3")
                .replace("{ target }", platform.triple);
            let published = address("1.2.3", &archive_name("1.2.3", platform.triple));
            assert_eq!(asked, published);
        }
    }

    /// A platform that a way of installing knows is in its file, with the digest of its own archive.
    #[test]
    fn each_file_has_the_digest_of_each_platform() {
        let archives = archives();
        let files = files("1.2.3", &archives);
        for platform in PLATFORMS {
            let digest = archives[&archive_name("1.2.3", platform.triple)].hex();
            let has = |file: &str| files[file].contains(digest);
            assert!(has("SHA256SUMS"));
            assert_eq!(has(KREW), platform.go.is_some(), "{}", platform.triple);
            assert_eq!(has("install.sh"), platform.uname.is_some());
            assert_eq!(has("crd-channels.rb"), platform.homebrew.is_some());
        }
        for text in files.values() {
            assert!(!text.contains("@TAG@") && !text.contains("@VERSION@"));
        }
    }
}
