//! A recorded proof answers for a conversion as long as it is of these types.

use super::rows::crd;
use crate::{CONVERSION_UNPROVEN, Channel, Published, Set, compare};
use crd_channels_validation::proof::{Claim, LEAST, Proof, Run};
use serde_json::{Value, json};

const WEBHOOK: &str = "widgets.example.com";

/// A kind whose second version has more than the first one.
fn kind(more: &Value, channel: Channel) -> Published {
    let conversion = json!({ "strategy": "Webhook", "webhook": {
        "clientConfig": { "url": "https://a" }, "conversionReviewVersions": ["v1"],
    } });
    let patch = json!({ "spec": { "conversion": conversion }, "versions": [
        {}, { "name": "v2", "storage": false, "spec": { "type": "object", "properties": more } },
    ] });
    crd(&patch, "v0.1.0", channel)
}

fn proof(kind: &Published, objects: u32) -> Proof {
    let claim = Claim {
        crd: kind.crd.name(),
        hub: "v2".to_owned(),
        versions: kind.converted.clone(),
        conversion: String::new(),
        annotations: 2,
    };
    let command = "cargo test widgets".to_owned();
    let run = Run {
        objects,
        edits: 1,
        command,
    };
    Proof::new(claim, run)
}

fn set(
    stable: &Published,
    experimental: &Published,
    recorded: Option<Result<Proof, String>>,
) -> Set {
    let mut set = Set {
        by_folder: true,
        ..Set::default()
    };
    set.insert(Channel::Stable, stable.clone()).unwrap();
    set.insert(Channel::Experimental, experimental.clone())
        .unwrap();
    set.proofs
        .extend(recorded.map(|recorded| (WEBHOOK.to_owned(), recorded)));
    set
}

#[test]
fn a_proof_of_these_types_answers_and_no_other() {
    let (a, b) = (
        json!({ "a": { "type": "string" } }),
        json!({ "a": { "type": "string", "description": "so" }, "b": { "type": "string" } }),
    );
    let described =
        json!({ "a": { "type": "string" }, "b": { "type": "string", "description": "such" } });
    let more =
        json!({ "a": { "type": "string" }, "b": { "type": "string" }, "c": { "type": "string" } });
    let stable = |more| kind(more, Channel::Stable);
    let experimental = kind(&more, Channel::Experimental);
    let old = set(&stable(&a), &experimental, None);
    let new = stable(&b);
    let mut other = proof(&new, LEAST);
    other.claim.crd = "gates.example.com".to_owned();
    let mut narrower = proof(&new, LEAST);
    narrower.claim.versions.remove("v2");
    for (recorded, expected) in [
        (Some(Ok(proof(&new, LEAST))), None),
        (Some(Ok(proof(&stable(&described), LEAST))), None),
        (None, Some("is missing: `round_trip::prove`")),
        (
            Some(Ok(proof(&stable(&a), LEAST))),
            Some("is stale: the types of `v2` changed; run `RECORD_PROOFS=1 cargo test widgets`"),
        ),
        (
            Some(Ok(proof(&experimental, LEAST))),
            Some("is of the experimental channel; run"),
        ),
        (
            Some(Ok(proof(&new, LEAST - 1))),
            Some("has 99 objects, and a proof takes 100; run"),
        ),
        (Some(Ok(other)), Some("is of `gates.example.com`; run")),
        (
            Some(Ok(narrower)),
            Some("is stale: it does not have `v2`; run"),
        ),
        (
            Some(Err("has the marks of a merge conflict".to_owned())),
            Some("has the marks of a merge conflict; run the test"),
        ),
    ] {
        let shown = format!("{recorded:?}");
        let holds = expected.is_none();
        let new = set(&new, &experimental, recorded);
        let report = compare(&old, &new);
        let found = report.findings.iter();
        let mut found = found.filter(|finding| finding.record.id == CONVERSION_UNPROVEN.id);
        match (found.next(), expected) {
            (None, None) => {}
            (Some(finding), Some(expected)) => {
                let message = &finding.change.message;
                let at = "`channels/proofs/widgets.example.com.json` ";
                assert!(message.contains(&format!("{at}{expected}")), "{message}");
            }
            (found, _) => panic!("{shown}: {found:?}"),
        }
        assert_eq!(new.proven().count(), usize::from(holds), "{shown}");
    }
    // What did not change was answered before.
    let unproven = set(&new, &experimental, None);
    let again = compare(&unproven, &set(&stable(&described), &experimental, None));
    assert!(
        again
            .findings
            .iter()
            .all(|finding| finding.record.id != CONVERSION_UNPROVEN.id)
    );
}
