//! Decides what to write, given the CRDs in the program and those in the cluster.

use super::embedded::{Embedded, name_of};
use crate::bundle::{BundleInfo, NotABundle};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use semver::Version;
use std::fmt;

/// The exceptions to allow; none by default.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub struct Allowed {
    /// Install over CRDs of another channel. From `experimental` to `stable`, fields disappear, and their values in objects are
    /// lost with the next write.
    pub other_channel: bool,
    /// Install over CRDs of unknown bundles: they were written by hand, or an earlier version of the controller had no bundles.
    pub unknown_bundle: bool,
    /// Install over CRDs of a newer bundle: the way back. Fields that the older bundle lacks disappear, and their values in objects
    /// are lost with the next write. The program of the newer bundle has to be stopped before, since it would install it again.
    pub older_bundle: bool,
}

/// The CRDs to write.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct InstallPlan {
    /// Each CRD in the program: first those that are not in the cluster, since their names may be taken; then the others.
    pub steps: Vec<CrdWrite>,
    /// CRDs in the cluster that belong to the same API but are not in the program. They stay.
    pub left_over: Vec<String>,
}

/// A CRD to write.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct CrdWrite {
    /// Its name.
    pub name: String,
    /// The resource version of the CRD that the decision is based on; `None` if it does not exist.
    pub resource_version: Option<String>,
}

/// Why a bundle is not installed.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Refusal {
    /// The cluster has a newer version, and [`Allowed::older_bundle`] is not set.
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
    /// The CRD in the cluster belongs to another API, with this annotation prefix.
    OtherApi {
        /// The name of the CRD.
        name: String,
        /// The prefix.
        prefix: String,
    },
    /// The bundle of the CRD in the cluster is unknown, and [`Allowed::unknown_bundle`] is not set.
    UnknownBundle {
        /// The name of the CRD.
        name: String,
        /// The reason.
        why: NotABundle,
    },
    /// Objects may be stored in a version that the program's CRD lacks (`status.storedVersions`).
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

impl fmt::Display for Refusal {
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

impl std::error::Error for Refusal {}

impl InstallPlan {
    /// Decides whether and how to write the CRDs of a program. `installed` are those in the cluster that have the same names or
    /// the annotations of the same bundle.
    ///
    /// The installed CRDs may have different versions as long as none is newer, so that an interrupted installation can be
    /// completed.
    ///
    /// # Errors
    /// Returns all reasons against it.
    pub fn decide(
        embedded: &Embedded,
        installed: &[CustomResourceDefinition],
        allowed: Allowed,
    ) -> Result<Self, Vec<Refusal>> {
        let against: Vec<Refusal> = installed
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

/// Returns the reasons against an installation over this CRD.
fn against(
    embedded: &Embedded,
    installed: &CustomResourceDefinition,
    allowed: Allowed,
) -> Vec<Refusal> {
    let name = name_of(installed).to_owned();
    let new = embedded.crds().iter().find(|crd| name_of(crd) == name);
    let mut against = Vec::new();
    match BundleInfo::of(installed) {
        Err(why) if !allowed.unknown_bundle => against.push(Refusal::UnknownBundle {
            name: name.clone(),
            why,
        }),
        Err(_) => {}
        Ok(found) => {
            // A leftover CRD of another channel is not written, so its channel is irrelevant.
            let allowed = Allowed {
                other_channel: allowed.other_channel || new.is_none(),
                ..allowed
            };
            against.extend(of_bundle(&name, &found, embedded.bundle(), allowed));
        }
    }
    let Some(new) = new else {
        return against;
    };
    if installed.metadata.deletion_timestamp.is_some() {
        against.push(Refusal::Deleting { name: name.clone() });
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
    against.extend(stored.map(|version| Refusal::Stored {
        name: name.clone(),
        version: version.clone(),
    }));
    against
}

fn of_bundle(
    name: &str,
    found: &BundleInfo,
    new: &BundleInfo,
    allowed: Allowed,
) -> Option<Refusal> {
    let name = name.to_owned();
    if found.prefix != new.prefix {
        let prefix = found.prefix.clone();
        return Some(Refusal::OtherApi { name, prefix });
    }
    if found.version.cmp_precedence(&new.version).is_gt() && !allowed.older_bundle {
        return Some(Refusal::Newer {
            name,
            installed: found.version.clone(),
            embedded: new.version.clone(),
        });
    }
    if found.channel != new.channel && !allowed.other_channel {
        return Some(Refusal::OtherChannel {
            name,
            installed: found.channel.clone(),
            embedded: new.channel.clone(),
        });
    }
    None
}
