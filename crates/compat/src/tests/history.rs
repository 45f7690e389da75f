//! Releases whose changes are known, from a corpus beside the workspace; without the corpus nothing is compared.

#[path = "../../../../oracle/tests/shared/skipped.rs"]
mod skipped;

use crate::set::read;
use crate::{Report, Set, Verdict, compare, first};
use crd_channels_files::Disk;
use skipped::skipped;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Instant;

fn corpus_or_skipped() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/gateway-api");
    if !folder.is_dir() {
        skipped(&format!("there is no corpus at `{}`", folder.display()));
        return None;
    }
    Some(folder)
}

/// The tags of all releases, oldest first.
fn tags(corpus: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(corpus).unwrap();
    let mut tags: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    tags.sort();
    tags
}

/// Reading takes most of the time, so each release is read once.
fn release(corpus: &Path, tag: &str) -> Arc<Set> {
    static READ: Mutex<BTreeMap<String, Arc<Set>>> = Mutex::new(BTreeMap::new());
    let mut read = READ.lock().unwrap();
    let set = read
        .entry(tag.to_owned())
        .or_insert_with(|| Arc::new(read::set(&corpus.join(tag), &Disk).unwrap()));
    Arc::clone(set)
}

fn between(corpus: &Path, old: &str, new: &str) -> Report {
    compare(&release(corpus, old), &release(corpus, new))
}

/// The findings of a report at a place, each as `channel version code bump`.
fn summaries(report: &Report, kind: &str, path: &str) -> Vec<String> {
    let all = report.findings.iter();
    all.filter(|finding| &*finding.kind == kind && finding.path == path)
        .filter(|finding| finding.record.id != "description-changed")
        .map(|finding| {
            format!(
                "{} {} {} {}",
                finding.channel, finding.version, finding.record.id, finding.change.bump
            )
        })
        .collect()
}

#[test]
fn known_releases_get_their_verdicts() {
    let Some(corpus) = corpus_or_skipped() else {
        return;
    };
    let check = |old: &str, new: &str, table: &[(&str, &str, &[&str])]| {
        let report = between(&corpus, old, new);
        for (kind, path, expected) in table {
            assert_eq!(
                summaries(&report, kind, path),
                *expected,
                "{old} to {new}: {kind} {path}"
            );
        }
    };
    let stamp = "metadata.annotations[gateway.networking.k8s.io/bundle-version]";
    check(
        "v0.8.0",
        "v0.8.1",
        &[
            ("", stamp, &["stable  bundle-version-stale never"]),
            (
                "HTTPRoute",
                "spec.rules[].timeouts",
                &[
                    "experimental v1alpha2 experimental-property-added minor",
                    "experimental v1beta1 experimental-property-added minor",
                ],
            ),
            (
                "Gateway",
                "spec.listeners",
                &[
                    "stable v1alpha2 cel-rule-changed unknown",
                    "stable v1beta1 cel-rule-changed unknown",
                ],
            ),
        ],
    );
    for kind in ["Gateway", "GatewayClass", "HTTPRoute"] {
        check(
            "v0.8.1",
            "v1.0.0",
            &[
                (
                    kind,
                    "spec.versions[v1]",
                    &["stable v1 version-added minor"],
                ),
                (
                    kind,
                    "spec.versions[v1alpha2]",
                    &["stable v1alpha2 version-removed minor"],
                ),
            ],
        );
    }
    check(
        "v1.0.0",
        "v1.1.0",
        &[
            (
                "GRPCRoute",
                "spec.versions[v1alpha2].subresources.status",
                &["experimental v1alpha2 status-removed minor"],
            ),
            (
                "BackendTLSPolicy",
                "spec.targetRefs",
                &["experimental v1alpha3 rename-without-conversion minor"],
            ),
            (
                "BackendTLSPolicy",
                "spec.validation",
                &["experimental v1alpha3 rename-without-conversion minor"],
            ),
        ],
    );
    check(
        "v1.1.1",
        "v1.2.0",
        &[
            (
                "GatewayClass",
                "status.supportedFeatures[]",
                &[
                    "experimental v1 type-changed minor",
                    "experimental v1beta1 type-changed minor",
                ],
            ),
            (
                "HTTPRoute",
                "spec.rules[].matches",
                &[
                    "stable v1 limit-loosened minor",
                    "stable v1beta1 limit-loosened minor",
                ],
            ),
            (
                "Gateway",
                "spec.listeners[].protocol",
                &[
                    "stable v1 pattern-rewritten patch",
                    "stable v1beta1 pattern-rewritten patch",
                ],
            ),
        ],
    );
    let report = between(&corpus, "v1.1.1", "v1.2.0");
    for kind in ["HTTPRoute", "GRPCRoute"] {
        let rules = summaries(&report, kind, "spec.rules");
        let stable: Vec<&String> = rules
            .iter()
            .filter(|line| line.starts_with("stable"))
            .collect();
        assert!(
            !stable.is_empty()
                && stable
                    .iter()
                    .all(|line| line.ends_with("cel-rule-implied minor")),
            "{kind}: {rules:?}"
        );
    }
    check(
        "v1.2.1",
        "v1.3.0",
        &[(
            "HTTPRoute",
            "spec.rules[].filters[].requestMirror",
            &[
                "stable v1 cel-rule-implied minor",
                "stable v1beta1 cel-rule-implied minor",
            ],
        )],
    );
    let report = between(&corpus, "v1.2.1", "v1.3.0");
    let value = summaries(&report, "Gateway", "spec.addresses[].value");
    for line in [
        "property-optional minor",
        "limit-loosened minor",
        "read-without-has none",
    ] {
        assert!(value.contains(&format!("stable v1 {line}")), "{value:?}");
    }
}

#[test]
fn a_release_that_changes_nothing_is_clean() {
    let Some(corpus) = corpus_or_skipped() else {
        return;
    };
    let report = between(&corpus, "v1.2.0", "v1.2.1");
    assert!(report.findings.is_empty(), "{:?}", report.findings);
    for tag in ["v0.8.0", "v1.3.0"] {
        assert!(between(&corpus, tag, tag).findings.is_empty(), "{tag}");
    }
}

#[test]
fn every_pair_is_judged_and_nothing_is_unclassified() {
    let Some(corpus) = corpus_or_skipped() else {
        return;
    };
    let tags = tags(&corpus);
    for pair in tags.windows(2) {
        let start = Instant::now();
        let report = between(&corpus, &pair[0], &pair[1]);
        println!(
            "{} to {}: {}, {} findings, {} ms",
            pair[0],
            pair[1],
            report.bump(),
            report.findings.len(),
            start.elapsed().as_millis()
        );
        for finding in &report.findings {
            let known = !finding.record.id.contains("unknown-keyword");
            assert!(known && finding.record.id != "unclassified", "{finding:?}");
            let harmless = finding.change.stored == Verdict::Ok;
            assert!(harmless || finding.record.id != "description-changed");
        }
    }
}

/// The versions of one kind are the same Go type, so nothing is lost between them.
#[test]
fn versions_of_known_releases_agree() {
    let Some(corpus) = corpus_or_skipped() else {
        return;
    };
    for tag in ["v0.8.0", "v1.0.0", "v1.1.0", "v1.2.0", "v1.3.0"] {
        let report = first(&release(&corpus, tag));
        assert!(report.findings.is_empty(), "{tag}: {:?}", report.findings);
    }
}

/// How many verdicts of all pairs of releases cannot be determined.
#[test]
fn few_verdicts_on_known_releases_are_missing() {
    let Some(corpus) = corpus_or_skipped() else {
        return;
    };
    let tags = tags(&corpus);
    let (mut all, mut unknown) = (0, BTreeMap::new());
    for (place, old) in tags.iter().enumerate() {
        for new in tags.iter().skip(place + 1) {
            let report = between(&corpus, old, new);
            let judged = report.findings.iter();
            let judged = judged.filter(|finding| finding.record.id != "description-changed");
            for finding in judged {
                all += 1;
                let change = &finding.change;
                if [change.stored, change.writers].contains(&Verdict::Unknown) {
                    *unknown.entry(finding.record.id).or_insert(0) += 1;
                }
            }
        }
    }
    println!("{unknown:?} of {all}");
    assert!(all > 1500, "{all}");
    // What remains are rules that a text replaced, and versions that objects may be stored in.
    assert!(
        !unknown.contains_key("alternatives-tightened"),
        "{unknown:?}"
    );
    let unknown: usize = unknown.values().sum();
    assert!(unknown * 6 <= all, "{unknown} of {all}");
}
