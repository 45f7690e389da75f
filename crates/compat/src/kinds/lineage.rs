//! The history around a comparison: what was experimental, deprecated or unserved in another bundle counts.

use crate::findings::verdict::{Bump, Need};
use crate::findings::{Change, Finding, Report};
use crate::set::{Crds, Set};
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_released::manifest::{self, Manifest};

/// A bundle of the past.
#[derive(Clone, Copy, Debug)]
pub struct Ancestor<'a> {
    /// Its manifest.
    pub manifest: &'a Manifest,
    /// Its CRDs.
    pub set: &'a Set,
}

/// The chain of bundles that a comparison is part of, oldest first.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lineage<'a> {
    /// All bundles before the old set; `None` if they are unknown.
    pub before: Option<&'a [Ancestor<'a>]>,
    /// The bundles after the old set and before the new one.
    pub between: &'a [Ancestor<'a>],
    /// The changes that the manifest of the new bundle records, if it is released.
    pub recorded: &'a [manifest::Change],
    /// Bundles of other release lines, whose tombstones are valid here too.
    pub beside: &'a [Ancestor<'a>],
}

impl<'a> Lineage<'a> {
    /// The lineage of a comparison with the bundle `old`, derived from the chain that the new set follows.
    #[must_use]
    pub fn from_chain(chain: &'a [Ancestor<'a>], old: &BundleVersion) -> Self {
        let before = chain.partition_point(|bundle| bundle.manifest.version < *old);
        let after = chain.partition_point(|bundle| bundle.manifest.version <= *old);
        Self {
            before: chain.get(..before),
            between: chain.get(after..).unwrap_or_default(),
            recorded: &[],
            beside: &[],
        }
    }

    /// The CRDs of a channel in all earlier bundles, oldest first.
    pub(crate) fn past(
        self,
        old: &'a Set,
        crds: impl Fn(&'a Set) -> Option<&'a Crds>,
    ) -> Vec<&'a Crds> {
        let before = self.before.into_iter().flatten().map(|bundle| bundle.set);
        let between = self.between.iter().map(|bundle| bundle.set);
        let all = before.chain([old]).chain(between);
        all.filter_map(crds).collect()
    }
}

/// Compares two sets of a chain. Passed to `fold`, which compares each bundle with the next.
type Compare = fn(Lineage<'_>, &Set, &Set) -> Report;

/// Corrects a report across several bundles. A change made in several steps requires the bumps of its steps; the moves from
/// experimental to stable and from deprecated to removed are only visible step by step.
pub(crate) fn fold(report: &mut Report, lineage: Lineage<'_>, sets: [&Set; 2], compare: Compare) {
    let asks = |finding: &Finding| finding.counts_as() > Bump::Minor;
    if !report.findings.iter().any(asks) {
        return;
    }
    if lineage.between.is_empty() {
        for finding in &mut report.findings {
            answer(finding, lineage.recorded);
        }
        return;
    }
    let steps = steps(lineage, sets, compare);
    for finding in report.findings.iter_mut().filter(|finding| asks(finding)) {
        let same = steps.iter().filter(|step| explains(step, finding));
        let Some(step) = same.max_by_key(|step| step.counts_as()) else {
            continue;
        };
        if step.counts_as() >= finding.counts_as() {
            continue;
        }
        finding.change = match step.record.id == finding.record.id {
            // Users see the change as a whole.
            true => Change {
                bump: step.change.bump,
                ..finding.change.clone()
            },
            false => step.change.clone(),
        };
        finding.record = step.record;
        finding.waived.clone_from(&step.waived);
    }
}

/// The changes from each bundle to the next, with the waivers recorded at the time.
fn steps(lineage: Lineage<'_>, [old, new]: [&Set; 2], compare: Compare) -> Vec<Finding> {
    let between = lineage.between;
    let mut steps = Vec::new();
    for at in 0..=between.len() {
        let (passed, ahead) = between.split_at(at);
        let from = passed.last().map_or(old, |bundle| bundle.set);
        let to = ahead.first().map_or(new, |bundle| bundle.set);
        let before: Vec<Ancestor<'_>> = lineage
            .before
            .into_iter()
            .flatten()
            .chain(passed)
            .copied()
            .collect();
        let own = Lineage {
            before: lineage.before.map(|_| &*before),
            ..Lineage::default()
        };
        let answers = ahead
            .first()
            .map_or(lineage.recorded, |bundle| &bundle.manifest.changes);
        let mut findings = compare(own, from, to).findings;
        for finding in &mut findings {
            answer(finding, answers);
        }
        steps.extend(findings);
    }
    steps
}

/// Applies a waiver recorded in the bundle to a finding.
fn answer(finding: &mut Finding, answers: &[manifest::Change]) {
    let mut waived = answers.iter().filter(|change| change.waived.is_some());
    if let Some(change) = waived.find(|change| finding.is_recorded_as(change))
        && let (Some(reason), Some(bump)) = (&change.waived, Bump::from_name(&change.bump))
    {
        finding.waive(reason, Need::Bump(bump));
    }
}

/// Whether a step has the same change: found by the same rule about the same value, or the graduation that the whole comparison
/// does not see.
fn explains(step: &Finding, whole: &Finding) -> bool {
    let (by, of) = (step.record.id, whole.record.id);
    let graduated = of.strip_suffix("-straight-to-stable");
    let rule =
        by == of || graduated.is_some_and(|what| by.strip_suffix("-graduated") == Some(what));
    rule && step.channel == whole.channel
        && step.within == whole.within
        && step.change.member == whole.change.member
        && (&step.group, &step.kind) == (&whole.group, &whole.kind)
        && (&step.version, &step.path) == (&whole.version, &whole.path)
}

#[cfg(test)]
mod tests {
    use super::answer;
    use crate::findings::verdict::{Bump, Channel, Need};
    use crate::findings::{Change, Finding};
    use crate::kinds::crds::CRD_RULES;
    use crd_channels_released::manifest;

    /// A waived finding counts as the bump that the waiver lowered it to, and no less.
    #[test]
    fn an_answer_asks_for_what_it_was_lowered_to() {
        for (group, bump, waived, expected) in [
            ("example.com", "patch", Some("fixed"), Bump::Patch),
            // Bundles of older tools do not record it.
            ("", "patch", Some("fixed"), Bump::Patch),
            ("example.org", "patch", Some("fixed"), Bump::Never),
            (
                "example.com",
                "new-api-version",
                Some("nobody uses it"),
                Bump::NewApiVersion,
            ),
            ("example.com", "new-api-version", None, Bump::Never),
        ] {
            let rule = &CRD_RULES[0];
            let change = Change::harmless(Need::NEVER, "changed");
            let finding = Finding::new(&rule.record, Channel::Stable, "spec.host", change);
            let mut finding = finding.of_kind("example.com", "Route").of_version("v1");
            let change = manifest::Change {
                code: rule.record.id.to_owned(),
                group: group.to_owned(),
                kind: "Route".to_owned(),
                version: "v1".to_owned(),
                path: "spec.host".to_owned(),
                channel: "stable".to_owned(),
                stored: "ok".to_owned(),
                writers: "ok".to_owned(),
                readers: "ok".to_owned(),
                bump: bump.to_owned(),
                message: "changed".to_owned(),
                waived: waived.map(str::to_owned),
            };
            answer(&mut finding, &[change]);
            assert_eq!(finding.counts_as(), expected, "{bump} {waived:?} {group}");
        }
    }
}
