//! What to write, decided on values: the CRDs in the program and those in the cluster.

use super::embedded::{Embedded, name_of};
use crate::bundle::{BundleInfo, NotABundle};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use semver::Version;
use std::fmt;

/// What is done only if asked for. Nothing, by default.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub struct Allowed {
    /// Install over CRDs of another channel. From `experimental` to `stable`, fields go, and what objects have in them is
    /// lost with their next write.
    pub other_channel: bool,
    /// Install over CRDs that do not say which bundle they come from: somebody wrote them by hand, or an earlier version of
    /// the controller had no bundles.
    pub unknown_bundle: bool,
}

/// What to write.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Plan {
    /// Each CRD in the program: first those that are not in the cluster, since their names may be taken; then the others.
    pub steps: Vec<CrdWrite>,
    /// CRDs in the cluster that are of the same API, and not in the program. They stay.
    pub left_over: Vec<String>,
}

/// A CRD to write.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct CrdWrite {
    /// Its name.
    pub name: String,
    /// The one in the cluster that was decided on; none if it is not there.
    pub resource_version: Option<String>,
}

/// Why a bundle is not installed.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Refused {
    /// The cluster has a newer version.
    Newer {
        /// The name of the CRD.
        name: String,
        /// Its version in the cluster.
        installed: Version,
        /// The version in the program.
        embedded: Version,
    },
    /// The cluster has another channel, and [`Allowed::other_channel`] is not set.
    OtherChannel {
        /// The name of the CRD.
        name: String,
        /// Its channel in the cluster.
        installed: String,
        /// The channel in the program.
        embedded: String,
    },
    /// The CRD in the cluster is of another API, whose annotations have this prefix.
    OtherApi {
        /// The name of the CRD.
        name: String,
        /// The prefix.
        prefix: String,
    },
    /// The CRD in the cluster does not say which bundle it comes from, and [`Allowed::unknown_bundle`] is not set.
    UnknownBundle {
        /// The name of the CRD.
        name: String,
        /// What is missing.
        why: NotABundle,
    },
    /// Objects may be stored in a version that the program's CRD does not have (`status.storedVersions`).
    Stored {
        /// The name of the CRD.
        name: String,
        /// The version.
        version: String,
    },
    /// The CRD in the cluster is being deleted, with all its objects.
    Deleting {
        /// The name of the CRD.
        name: String,
    },
}

impl fmt::Display for Refused {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Newer {
                name,
                installed,
                embedded,
            } => write!(
                out,
                "`{name}` is installed in version {installed}, which is newer than {embedded}"
            ),
            Self::OtherChannel {
                name,
                installed,
                embedded,
            } => write!(
                out,
                "`{name}` is installed from channel `{installed}`, not from `{embedded}`"
            ),
            Self::OtherApi { name, prefix } => {
                write!(out, "`{name}` is installed from the bundle of `{prefix}`")
            }
            Self::UnknownBundle { name, why } => {
                write!(
                    out,
                    "the bundle of the installed `{name}` is not known: {why}"
                )
            }
            Self::Stored { name, version } => write!(
                out,
                "objects of `{name}` may be stored in version `{version}`, which the new CRD does not have"
            ),
            Self::Deleting { name } => write!(out, "`{name}` is being deleted"),
        }
    }
}

impl std::error::Error for Refused {}

impl Plan {
    /// Decides whether and how the CRDs of a program are written. `installed` are those in the cluster that have the same
    /// names, or annotations of the same bundle.
    ///
    /// The versions of the installed CRDs may differ among each other, as long as none is newer: so an installation that was
    /// interrupted is completed.
    ///
    /// # Errors
    /// Everything that speaks against it.
    pub fn decide(
        embedded: &Embedded,
        installed: &[CustomResourceDefinition],
        allowed: Allowed,
    ) -> Result<Self, Vec<Refused>> {
        let against: Vec<Refused> = installed
            .iter()
            .flat_map(|crd| against(embedded, crd, allowed))
            .collect();
        if !against.is_empty() {
            return Err(against);
        }
        let find = |crds: &[CustomResourceDefinition], name: &str| -> Option<usize> {
            crds.iter().position(|crd| name_of(crd) == name)
        };
        let step = |crd: &CustomResourceDefinition| {
            let name = name_of(crd);
            let there = find(installed, name).and_then(|at| installed.get(at));
            CrdWrite {
                name: name.to_owned(),
                resource_version: there.and_then(|crd| crd.metadata.resource_version.clone()),
            }
        };
        let mut steps: Vec<CrdWrite> = embedded.crds().iter().map(step).collect();
        steps.sort_by_key(|step| step.resource_version.is_some());
        let left_over = installed.iter().map(name_of);
        let left_over = left_over.filter(|name| find(embedded.crds(), name).is_none());
        Ok(Self {
            steps,
            left_over: left_over.map(str::to_owned).collect(),
        })
    }
}

/// What speaks against an installation where this CRD is in the cluster.
fn against(
    embedded: &Embedded,
    installed: &CustomResourceDefinition,
    allowed: Allowed,
) -> Vec<Refused> {
    let name = name_of(installed).to_owned();
    let new = embedded.crds().iter().find(|crd| name_of(crd) == name);
    let mut against = Vec::new();
    match BundleInfo::of(installed) {
        Err(why) if !allowed.unknown_bundle => against.push(Refused::UnknownBundle {
            name: name.clone(),
            why,
        }),
        Err(_) => {}
        Ok(found) => {
            // What is left over from another channel is not written, so it does not matter.
            let any_channel = allowed.other_channel || new.is_none();
            against.extend(of_bundle(&name, &found, embedded.bundle(), any_channel));
        }
    }
    let Some(new) = new else {
        return against;
    };
    if installed.metadata.deletion_timestamp.is_some() {
        against.push(Refused::Deleting { name: name.clone() });
    }
    let stored = installed
        .status
        .iter()
        .flat_map(|status| &status.stored_versions);
    let stored = stored.flatten().filter(|stored| {
        !new.spec
            .versions
            .iter()
            .any(|version| version.name == **stored)
    });
    against.extend(stored.map(|version| Refused::Stored {
        name: name.clone(),
        version: version.clone(),
    }));
    against
}

fn of_bundle(
    name: &str,
    found: &BundleInfo,
    new: &BundleInfo,
    any_channel: bool,
) -> Option<Refused> {
    let name = name.to_owned();
    if found.prefix != new.prefix {
        let prefix = found.prefix.clone();
        return Some(Refused::OtherApi { name, prefix });
    }
    if found.version.cmp_precedence(&new.version).is_gt() {
        return Some(Refused::Newer {
            name,
            installed: found.version.clone(),
            embedded: new.version.clone(),
        });
    }
    if found.channel != new.channel && !any_channel {
        return Some(Refused::OtherChannel {
            name,
            installed: found.channel.clone(),
            embedded: new.channel.clone(),
        });
    }
    None
}
