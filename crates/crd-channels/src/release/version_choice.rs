//! Chooses the version of a release and the bundle to compare it with.

use super::rejection;
use crd_channels_compat::Bump;
use crd_channels_diagnostics::{Code, Diagnostic};
use crd_channels_projection::bundle::version::BundleVersion;

/// The requested version.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum RequestedVersion {
    /// The next patch of the tree's line.
    Patch,
    /// The next minor.
    Minor,
    /// The next major.
    Major,
    /// Exactly this version.
    Exactly(BundleVersion),
    /// A snapshot of that day, such as `2026-11-21`, under the lowest version that may carry its changes.
    Snapshot(String),
}

/// The help for a snapshot whose version is taken.
pub(super) const ONE_A_DAY: &str = "there is one snapshot per day: name another day with `--date`";

/// The version of a release and the bundles that it follows.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Choice {
    /// Its version.
    pub version: BundleVersion,
    /// The bundle to compare it with; `None` for the first bundle.
    pub baseline: Option<BundleVersion>,
    /// The other bundles of the baseline's line, unless this is a patch of it: users upgrade from these as well.
    pub line: Vec<BundleVersion>,
    /// The new version of the tree: the same, so that it is everywhere in the commit of the release. Only a snapshot leaves the
    /// tree's version as it is.
    pub tree: BundleVersion,
    /// The latest known bundle of any line.
    pub latest: Option<BundleVersion>,
}

impl Choice {
    /// The highest bump that the version allows.
    #[must_use]
    pub fn room(&self) -> Bump {
        let Some(baseline) = &self.baseline else {
            return Bump::NewApiVersion;
        };
        room(baseline, &self.version)
    }

    /// Returns the lowest unused version that may carry a bump; `None` for the first bundle.
    #[must_use]
    pub fn lowest(&self, bump: Bump) -> Option<BundleVersion> {
        let baseline = self.baseline.as_ref()?;
        Some(lowest(baseline, bump, self.latest.as_ref()))
    }

    /// The same for a snapshot: with the lowest version that may carry its changes. Waivers are for one bundle, so the required
    /// bump depends on the version.
    ///
    /// # Errors
    /// `release-version` if that version is taken, as in [`choose`].
    pub fn carrying<'b>(
        self,
        asked: impl Fn(&BundleVersion) -> Bump,
        released: impl Iterator<Item = &'b BundleVersion> + Clone,
    ) -> Result<Self, Box<Diagnostic>> {
        let Some(baseline) = &self.baseline else {
            return Ok(self);
        };
        let own = self.version.as_final();
        let fits = |version: &BundleVersion| asked(version) <= room(baseline, version);
        if fits(&own) {
            return Ok(self);
        }
        let minor = bumped(baseline, Bump::Minor);
        let lowest = match minor > own && fits(&minor) {
            true => minor,
            false => bumped(baseline, Bump::NewApiVersion),
        };
        if lowest <= own {
            return Ok(self);
        }
        let pre = self.version.semantic().pre.clone();
        let version = lowest.with_pre(&pre).unwrap_or(lowest);
        vacant(&version, released, ONE_A_DAY)?;
        Ok(Self { version, ..self })
    }
}

/// The highest bump that a version allows.
fn room(baseline: &BundleVersion, version: &BundleVersion) -> Bump {
    let (old, new) = (baseline.semantic(), version.semantic());
    if old.major != new.major {
        Bump::NewApiVersion
    } else if old.minor != new.minor {
        Bump::Minor
    } else {
        Bump::Patch
    }
}

/// The lowest version that may carry a bump.
#[must_use]
pub fn bumped(old: &BundleVersion, bump: Bump) -> BundleVersion {
    let semver::Version {
        major,
        minor,
        patch,
        ..
    } = *old.semantic();
    match bump {
        Bump::None | Bump::Patch => BundleVersion::new(major, minor, patch + 1),
        Bump::Minor => BundleVersion::new(major, minor + 1, 0),
        Bump::NewApiVersion | Bump::Never => BundleVersion::new(major + 1, 0, 0),
    }
}

/// Returns the lowest unused version that may carry a bump. Beyond the line of the old bundle, it comes after the latest known
/// bundle, since older lines only get patches.
#[must_use]
pub fn lowest(old: &BundleVersion, bump: Bump, latest: Option<&BundleVersion>) -> BundleVersion {
    let next = bumped(old, bump);
    match latest.filter(|latest| **latest >= next) {
        Some(latest) if bump > Bump::Patch => bumped(latest, bump),
        _ => next,
    }
}

/// Chooses. `tree` is the version of the tree, `released` are all existing bundles in ascending order.
///
/// # Errors
/// `release-version` if such a bundle is not possible.
pub fn choose<'b>(
    asked: &RequestedVersion,
    tree: &BundleVersion,
    released: impl Iterator<Item = &'b BundleVersion> + Clone,
) -> Result<Choice, Box<Diagnostic>> {
    let finals: Vec<&BundleVersion> = released
        .clone()
        .filter(|version| version.is_final())
        .collect();
    let version = version(asked, tree, &finals)?;
    if version.semantic().pre.split('.').next() == Some("dev") {
        let message = format!(
            "{version} is the version of the tree before {}",
            version.as_final()
        );
        let help = "release a candidate, such as `-rc.1`, or a snapshot; `-dev` is the tree's own";
        return Err(rejection(Code::ReleaseVersion, message, help));
    }
    let exact = format!(
        "run `crd-channels release {}`, or set the tree's version first",
        plain(tree)
    );
    if version.as_final() < tree.as_final() {
        let message =
            format!("the tree is at {tree} already, so {version} cannot be built from it");
        return Err(rejection(Code::ReleaseVersion, message, exact));
    }
    let next = match asked {
        RequestedVersion::Snapshot(_) => ONE_A_DAY,
        _ => "release the next version",
    };
    vacant(&version, released, next)?;
    let baseline = baseline(&version, &finals)?;
    let line = match &baseline {
        Some(last) if line(last) != line(&version) => {
            let others = finals.iter().filter(|known| line(known) == line(last));
            let others = others.filter(|known| **known < last);
            others.map(|known| (*known).clone()).collect()
        }
        _ => Vec::new(),
    };
    let tree = match asked {
        RequestedVersion::Snapshot(_) => tree.clone(),
        _ => version.clone(),
    };
    Ok(Choice {
        version,
        baseline,
        line,
        tree,
        latest: finals.last().map(|latest| (*latest).clone()),
    })
}

/// Checks that the bundle does not exist yet, nor one that comes after it. `next` is the help otherwise.
fn vacant<'b>(
    version: &BundleVersion,
    mut released: impl Iterator<Item = &'b BundleVersion> + Clone,
    next: &str,
) -> Result<(), Box<Diagnostic>> {
    if released.clone().any(|known| known == version) {
        let message = format!("bundle {version} already exists, and bundles never change");
        return Err(rejection(Code::ReleaseVersion, message, next));
    }
    match released.find(|known| **known == version.as_final()) {
        Some(done) => {
            let message = format!("{version} comes before {done}, which is released");
            let help = "release a pre-release of the next version";
            Err(rejection(Code::ReleaseVersion, message, help))
        }
        None => Ok(()),
    }
}

/// Returns the version of a tree after a bundle: above every bundle of its line.
pub fn following<'b>(
    version: &BundleVersion,
    released: impl Iterator<Item = &'b BundleVersion>,
) -> BundleVersion {
    let finals = released.filter(|known| known.is_final() && line(known) == line(version));
    let last = finals.max().filter(|last| **last >= version.as_final());
    let next = last.map_or_else(|| version.as_final(), |last| bumped(last, Bump::Patch));
    next.with_pre("dev").unwrap_or(next)
}

/// Returns the release line of a version: major and minor.
#[must_use]
pub fn line(version: &BundleVersion) -> (u64, u64) {
    let semantic = version.semantic();
    (semantic.major, semantic.minor)
}

fn plain(version: &BundleVersion) -> String {
    version
        .as_final()
        .to_string()
        .trim_start_matches('v')
        .to_owned()
}

fn version(
    asked: &RequestedVersion,
    tree: &BundleVersion,
    finals: &[&BundleVersion],
) -> Result<BundleVersion, Box<Diagnostic>> {
    let bump = match asked {
        RequestedVersion::Exactly(version) => return Ok(version.clone()),
        RequestedVersion::Snapshot(date) => {
            // A tree with the version of a bundle counts as the one after it.
            let is_done = finals.iter().any(|done| **done == *tree);
            let tree = match is_done {
                true => following(tree, finals.iter().copied()),
                false => tree.clone(),
            };
            return tree.snapshot(date).ok_or_else(|| {
                rejection(
                    Code::ReleaseVersion,
                    format!("`{date}` is not a day"),
                    "write year, month and day, as in `--date 2026-11-21`",
                )
            });
        }
        RequestedVersion::Patch => Bump::Patch,
        RequestedVersion::Minor => Bump::Minor,
        RequestedVersion::Major => Bump::NewApiVersion,
    };
    let of_line = |version: &&&BundleVersion| bump != Bump::Patch || line(version) == line(tree);
    if let Some(last) = finals.iter().rfind(of_line) {
        return Ok(bumped(last, bump));
    }
    let core = tree.as_final();
    let semver::Version { minor, patch, .. } = *core.semantic();
    let fits = match bump {
        Bump::NewApiVersion => minor == 0 && patch == 0,
        Bump::Minor => patch == 0,
        _ => false,
    };
    if fits {
        return Ok(core);
    }
    let message = match bump {
        Bump::Patch => format!("{core} cannot be a patch, because there is no bundle yet"),
        _ => format!("the first bundle is built from {tree}, which is not such a version"),
    };
    let help = format!("run `crd-channels release {}`", plain(tree));
    Err(rejection(Code::ReleaseVersion, message, help))
}

/// Returns the bundle to compare a version with: for patches the latest of their own line, otherwise the latest lower one.
/// Pre-releases promise nothing and are never a baseline.
fn baseline(
    version: &BundleVersion,
    finals: &[&BundleVersion],
) -> Result<Option<BundleVersion>, Box<Diagnostic>> {
    let core = version.as_final();
    let is_patch = core.semantic().patch > 0;
    let mut below = finals.iter().rev().filter(|known| ***known < core);
    let found = below.find(|known| !is_patch || line(known) == line(&core));
    match found {
        Some(found) => {
            let above = finals.last().filter(|last| ***last > core && !is_patch);
            match above {
                None => Ok(Some((*found).clone())),
                Some(last) => Err(rejection(
                    Code::ReleaseVersion,
                    format!(
                        "{last} is released, and older lines only get patches; {version} is not a patch"
                    ),
                    format!(
                        "run `crd-channels release {}`",
                        plain(&bumped(found, Bump::Patch))
                    ),
                )),
            }
        }
        None if finals.is_empty() => Ok(None),
        None => Err(rejection(
            Code::ReleaseVersion,
            format!("there is no bundle for {version} to follow"),
            "release a minor or a major version first",
        )),
    }
}

#[cfg(test)]
mod tests;
