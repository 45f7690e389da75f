//! The version of Kubernetes whose types k8s-openapi has. It is a feature that only programs and tests enable, and k8s-openapi
//! does not compile without one. So if a library is built alone, the version that others of its workspace select applies.

use super::features::{Build, EnabledFeatures, Manifest, resolve};
use std::collections::BTreeSet;

/// The package whose features select the version.
pub(super) const PACKAGE: &str = "k8s-openapi";

/// The versions among features: `v1_32` stands for `1.32`.
pub fn versions<'f>(
    features: impl IntoIterator<Item = &'f String>,
) -> impl Iterator<Item = String> {
    let features = features.into_iter();
    features.filter_map(|feature| {
        let minor: u32 = feature.strip_prefix("v1_")?.parse().ok()?;
        Some(format!("1.{minor}"))
    })
}

/// For each package without a version in this build, the version that others select: the tests of the built packages, else the
/// members of the workspace if they agree.
pub(super) fn chosen_by_others(
    manifests: &[Manifest],
    build: Build<'_>,
    members: &[usize],
    built: &[Option<EnabledFeatures>],
) -> Vec<Option<String>> {
    let is_open = |package: usize| {
        let of_package = manifests.get(package).zip(built.get(package));
        of_package.is_some_and(|(manifest, on)| {
            let on = on.as_ref().map(|on| &on.features);
            manifest.name == PACKAGE && on.is_some_and(|on| versions(on).next().is_none())
        })
    };
    let mut chosen = vec![None; manifests.len()];
    if !(0..manifests.len()).any(is_open) {
        return chosen;
    }
    let tested = |roots: &[usize]| {
        resolve(
            manifests,
            Build {
                roots,
                tests: true,
                ..build
            },
        )
    };
    let of_tests = [tested(build.roots)];
    let of_members: Vec<_> = members.iter().map(|member| tested(&[*member])).collect();
    for (package, chosen) in chosen.iter_mut().enumerate() {
        if is_open(package) {
            *chosen = only(&of_tests, package).or_else(|| only(&of_members, package));
        }
    }
    chosen
}

/// The only version that the builds select for a package; `None` if they select none or several.
fn only(builds: &[Vec<Option<EnabledFeatures>>], package: usize) -> Option<String> {
    let of_builds = builds
        .iter()
        .filter_map(|build| build.get(package)?.as_ref());
    let all: BTreeSet<String> = of_builds.flat_map(|on| versions(&on.features)).collect();
    let mut all = all.into_iter();
    match (all.next(), all.next()) {
        (Some(version), None) => Some(version),
        _ => None,
    }
}
