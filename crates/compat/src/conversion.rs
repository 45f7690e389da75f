//! Conversions by a webhook, which CRDs do not show: whether a recorded proof is of these types.

use super::findings::verdict::{Channel, Need, Verdict};
use super::findings::{Change, Finding, Record, Topic};
use super::kinds::versions::version_named;
use super::set::{Published, Set};
use crd_channels_schema::{Conversion, Version};
use crd_channels_validation::proof::{FOLDER, LEAST, Proof};

/// The rule about conversions that no proof covers.
pub const UNPROVEN: Record = Record::new(
    "conversion-unproven",
    Topic::Changed,
    "A webhook converts between versions that differ, and no recorded proof shows that nothing is lost.",
    "Whether an object survives the round trip cannot be determined from CRDs. `round_trip::prove` of the runtime tries it in a test, and records the proof in `channels/proofs`; it holds until the types change. Without a proof, this is allowed for a new API version; if both versions existed before, a waiver states that the round trip was tested.",
);

/// A record of a proof, or why it is none.
pub(super) type Recorded<'a> = Result<&'a Proof, &'a String>;

/// Why a record does not prove the conversion of a kind, in words that follow its path; `None` if it does. `beside` is the kind
/// in the experimental channel.
pub(super) fn doubt(
    kind: &Published,
    beside: Option<&Published>,
    recorded: Option<Recorded<'_>>,
) -> Option<String> {
    let proof = match recorded {
        None => {
            return Some("is missing: `round_trip::prove` of the runtime writes it, in a test that runs with `RECORD_PROOFS=1`".to_owned());
        }
        Some(Err(why)) => {
            return Some(format!(
                "{why}; run the test of the conversion with `RECORD_PROOFS=1`"
            ));
        }
        Some(Ok(proof)) => proof,
    };
    let mut versions = live(kind);
    let changed = versions.find(|version| {
        let now = kind.converted.get(&*version.name);
        now.is_none() || now != proof.claim.versions.get(&*version.name)
    });
    let is_beside = |beside: &&Published| proof.claim.versions == beside.converted;
    let why = match changed {
        _ if proof.claim.crd != kind.crd.name() => format!("is of `{}`", proof.claim.crd),
        Some(_) if beside.is_some_and(|beside| is_beside(&beside)) => {
            "is of the experimental channel".to_owned()
        }
        Some(version) if proof.claim.versions.contains_key(&*version.name) => {
            format!("is stale: the types of `{}` changed", version.name)
        }
        Some(version) => format!("is stale: it does not have `{}`", version.name),
        None if proof.run.objects < LEAST => {
            format!(
                "has {} objects, and a proof takes {LEAST}",
                proof.run.objects
            )
        }
        None => return None,
    };
    let command = &proof.run.command;
    Some(format!("{why}; run `RECORD_PROOFS=1 {command}`"))
}

/// The versions between which objects are converted.
fn live(kind: &Published) -> impl Iterator<Item = &Version> {
    let versions = kind.crd.versions.iter();
    versions.filter(|version| version.served || version.storage)
}

/// The pairs of versions that differ, of which one changed, and whose conversion is not proven. `old` is the kind in the old
/// bundle.
pub(super) fn unproven(
    kind: &Published,
    old: Option<&Published>,
    beside: Option<&Published>,
    recorded: Option<Recorded<'_>>,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    if !matches!(kind.crd.conversion, Conversion::Webhook(_)) {
        return findings;
    }
    let is_new =
        |version: &Version| old.is_none_or(|old| version_named(&old.crd, &version.name).is_none());
    let is_as_before = |version: &Version| {
        let before = old.and_then(|old| old.converted.get(&*version.name));
        before.is_some() && before == kind.converted.get(&*version.name)
    };
    let pairs = live(kind).enumerate().flat_map(|(index, one)| {
        let others = live(kind).skip(index + 1);
        others.map(move |other| (one, other))
    });
    let pairs = pairs.filter(|(one, other)| {
        let differ = one.schema.is_some() && other.schema.is_some() && one.schema != other.schema;
        differ && !(is_as_before(one) && is_as_before(other))
    });
    let mut pairs = pairs.peekable();
    if pairs.peek().is_none() {
        return findings;
    }
    let Some(doubt) = doubt(kind, beside, recorded) else {
        return findings;
    };
    let file = Proof::file(&kind.crd.name());
    for (one, other) in pairs {
        let message = format!(
            "whether objects survive the webhook's conversion between `{}` and `{}` is not proven: `{FOLDER}/{file}` {doubt}",
            one.name, other.name
        );
        // A new version may rename and reshape.
        let need = match is_new(one) || is_new(other) {
            true => Need::MINOR,
            false => Need::Unknown,
        };
        let change = Change::new([Verdict::Unknown; 3], need, message);
        let finding = Finding::new(&UNPROVEN, Channel::Stable, "spec.conversion", change);
        findings.push(finding.of(&kind.crd).of_version(one.name.clone()));
    }
    findings
}

impl Set {
    /// The proofs that hold for its stable channel.
    pub fn proven(&self) -> impl Iterator<Item = &Proof> {
        let crds = self.channel(Channel::Stable).into_iter().flatten();
        crds.filter_map(|(name, published)| {
            let recorded = self.proofs.get(name)?.as_ref();
            let holds = doubt(published, None, Some(recorded)).is_none();
            recorded.ok().filter(|_| holds)
        })
    }
}
