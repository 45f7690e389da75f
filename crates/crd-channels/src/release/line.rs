//! Compares a minor or a major with all bundles of the line that it follows: users upgrade from the last one, but also from the
//! others.

use super::history::{History, Sets};
use super::lifecycle::Ancestry;
use super::version_choice::line;
use crd_channels_compat::waivers::{self, Waiver};
use crd_channels_compat::{Finding, Lineage, Report, Set, Verdict, compare_along};
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_released::manifest::Change;

/// A breaking change for users of another bundle of the line.
#[derive(Clone, Debug)]
pub struct Breach {
    /// The bundle.
    pub from: BundleVersion,
    /// The breaking change.
    pub finding: Finding,
}

/// Returns the breaking changes that `report`, the comparison with the last bundle of the line, lacks. Each cause is returned
/// once, for the latest bundle.
#[must_use]
pub fn breaches(
    new: (&BundleVersion, &Set),
    others: &[BundleVersion],
    past: &Ancestry<'_>,
    history: &History,
    sets: &Sets,
    waivers: &[Waiver],
    report: &Report,
) -> Vec<Breach> {
    let (version, new) = new;
    let mut found: Vec<Breach> = Vec::new();
    for from in others.iter().rev() {
        let Some(old) = sets.get(from) else {
            continue;
        };
        // The last bundle has the tombstones of removed names.
        let old = Set {
            tombstones: None,
            ..old.clone()
        };
        let lineage = Lineage::from_chain(&past.bundles, from);
        let mut against = compare_along(lineage, &old, new);
        waivers::apply(waivers, Some(&version.to_string()), &mut against);
        let answered = answered(history, from);
        for finding in against.findings {
            let known = report.findings.iter();
            let mut known = known.chain(found.iter().map(|breach| &breach.finding));
            let is_new = !known.any(|known| known.is_again(&finding));
            let mut answered = answered.iter();
            let is_open = !answered.any(|change| finding.is_recorded_as(change));
            if breaks(&finding) && is_new && is_open {
                let from = from.clone();
                found.push(Breach { from, finding });
            }
        }
    }
    found
}

/// Whether a change breaks anything for anybody. Whether something was tried before only matters for the last bundle.
fn breaks(finding: &Finding) -> bool {
    let change = &finding.change;
    [change.stored, change.writers, change.readers]
        .iter()
        .any(|verdict| *verdict != Verdict::Ok)
}

/// Returns the waived changes of later patches of the line.
fn answered<'h>(history: &'h History, from: &BundleVersion) -> Vec<&'h Change> {
    let patches = history.bundles.iter();
    let patches = patches.filter(|(version, _)| *version > from && line(version) == line(from));
    let changes = patches.flat_map(|(_, bundle)| &bundle.manifest.changes);
    changes.filter(|change| change.waived.is_some()).collect()
}
