//! Permitted versions of releases, and their baselines.

#![allow(clippy::unwrap_used, reason = "tests")]

use super::{RequestedVersion, choose, following};
use crd_channels_compat::Bump;
use crd_channels_projection::bundle::version::BundleVersion;

fn v(text: &str) -> BundleVersion {
    text.parse().unwrap()
}

fn case(asked: &str, tree: &str, released: &[&str]) -> String {
    let asked = match asked {
        "patch" => RequestedVersion::Patch,
        "minor" => RequestedVersion::Minor,
        "major" => RequestedVersion::Major,
        "snapshot" => RequestedVersion::Snapshot("2026-11-21".to_owned()),
        other => RequestedVersion::Exactly(v(other)),
    };
    let mut released: Vec<BundleVersion> = released.iter().map(|text| v(text)).collect();
    released.sort();
    match choose(&asked, &v(tree), released.iter()) {
        Ok(choice) => {
            let baseline = choice
                .baseline
                .map_or("nothing".to_owned(), |v| v.to_string());
            let line = choice.line.iter().map(|also| format!(" and {also}"));
            let line: String = line.collect();
            format!(
                "{} after {baseline}{line}, then {}",
                choice.version, choice.tree
            )
        }
        Err(finding) => finding.message,
    }
}

#[test]
fn a_release_follows_the_right_bundle() {
    for (asked, tree, released, expected) in [
        (
            "minor",
            "0.1.0-dev",
            &[][..],
            "v0.1.0 after nothing, then v0.1.0",
        ),
        (
            "0.3.0",
            "0.1.0-dev",
            &[],
            "v0.3.0 after nothing, then v0.3.0",
        ),
        (
            "major",
            "1.0.0-dev",
            &[],
            "v1.0.0 after nothing, then v1.0.0",
        ),
        (
            "minor",
            "0.1.1-dev",
            &["0.1.0"],
            "v0.2.0 after v0.1.0, then v0.2.0",
        ),
        (
            "patch",
            "0.2.1-dev",
            &["0.1.0", "0.2.0"],
            "v0.2.1 after v0.2.0, then v0.2.1",
        ),
        (
            "major",
            "0.10.1-dev",
            &["0.9.0", "0.10.0"],
            "v1.0.0 after v0.10.0, then v1.0.0",
        ),
        // A release branch: the chain is a tree.
        (
            "patch",
            "0.2.2-dev",
            &["0.2.0", "0.2.1", "0.3.0"],
            "v0.2.2 after v0.2.1, then v0.2.2",
        ),
        // A later backport is not a step before the next minor.
        (
            "minor",
            "0.3.1-dev",
            &["0.2.0", "0.2.1", "0.2.2", "0.3.0"],
            "v0.4.0 after v0.3.0, then v0.4.0",
        ),
        // Users upgrade from every patch of the line before.
        (
            "minor",
            "0.2.3-dev",
            &["0.1.0", "0.2.0", "0.2.1", "0.2.2", "0.2.3-rc.1"],
            "v0.3.0 after v0.2.2 and v0.2.0 and v0.2.1, then v0.3.0",
        ),
        (
            "0.3.0-rc.1",
            "0.2.2-dev",
            &["0.2.0", "0.2.1"],
            "v0.3.0-rc.1 after v0.2.1 and v0.2.0, then v0.3.0-rc.1",
        ),
        (
            "major",
            "0.2.2-dev",
            &["0.1.0", "0.2.0", "0.2.1"],
            "v1.0.0 after v0.2.1 and v0.2.0, then v1.0.0",
        ),
        (
            "patch",
            "0.2.3-dev",
            &["0.2.0", "0.2.1", "0.2.2-rc.1", "0.2.2"],
            "v0.2.3 after v0.2.2, then v0.2.3",
        ),
        (
            "patch",
            "0.2.1-dev",
            &["0.2.0", "0.2.1-snapshot.20261121", "0.3.0-rc.1"],
            "v0.2.1 after v0.2.0, then v0.2.1",
        ),
        // Pre-releases are never a baseline.
        (
            "0.3.0-rc.2",
            "0.2.1-dev",
            &["0.2.0", "0.3.0-rc.1"],
            "v0.3.0-rc.2 after v0.2.0, then v0.3.0-rc.2",
        ),
        (
            "minor",
            "0.3.0-dev",
            &["0.2.0", "0.3.0-rc.1"],
            "v0.3.0 after v0.2.0, then v0.3.0",
        ),
        (
            "snapshot",
            "0.2.0",
            &["0.2.0"],
            "v0.2.1-snapshot.20261121 after v0.2.0, then v0.2.0",
        ),
        (
            "snapshot",
            "0.2.1-dev",
            &["0.2.0"],
            "v0.2.1-snapshot.20261121 after v0.2.0, then v0.2.1-dev",
        ),
    ] {
        assert_eq!(case(asked, tree, released), expected, "{asked} from {tree}");
    }
}

#[test]
fn the_next_version_is_above_its_line() {
    for (version, released, expected) in [
        ("0.3.0", &["0.2.0", "0.3.0"][..], "v0.3.1-dev"),
        (
            "0.2.0",
            &["0.2.0", "0.2.1", "0.2.2-rc.1", "0.3.0"],
            "v0.2.2-dev",
        ),
        ("0.3.0-rc.1", &["0.2.0", "0.3.0-rc.1"], "v0.3.0-dev"),
        ("0.3.0-rc.1", &["0.3.0-rc.1", "0.3.0"], "v0.3.1-dev"),
    ] {
        let released: Vec<BundleVersion> = released.iter().map(|text| v(text)).collect();
        let next = following(&v(version), released.iter());
        assert_eq!(next.to_string(), expected, "{version}");
    }
}

#[test]
fn impossible_versions_are_rejected() {
    for (asked, tree, released, expected) in [
        (
            "patch",
            "0.1.0-dev",
            &[][..],
            "v0.1.0 cannot be a patch, because there is no bundle yet",
        ),
        (
            "major",
            "0.1.0-dev",
            &[],
            "the first bundle is built from v0.1.0-dev, which is not such a version",
        ),
        (
            "0.1.0",
            "0.1.0-dev",
            &["0.1.0"],
            "bundle v0.1.0 already exists, and bundles never change",
        ),
        (
            "0.1.0-rc.1",
            "0.1.0-dev",
            &["0.1.0"],
            "v0.1.0-rc.1 comes before v0.1.0, which is released",
        ),
        (
            "patch",
            "0.5.0-dev",
            &["0.3.0"],
            "v0.5.0 cannot be a patch, because there is no bundle yet",
        ),
        (
            "minor",
            "0.5.0-dev",
            &["0.3.0"],
            "the tree is at v0.5.0-dev already, so v0.4.0 cannot be built from it",
        ),
        (
            "0.2.0-dev",
            "0.1.1-dev",
            &["0.1.0"],
            "v0.2.0-dev is the version of the tree before v0.2.0",
        ),
        (
            "0.2.0",
            "0.1.1-dev",
            &["0.1.0", "0.3.0"],
            "v0.3.0 is released, and older lines only get patches; v0.2.0 is not a patch",
        ),
        (
            "0.2.1",
            "0.1.1-dev",
            &["0.1.0", "0.3.0"],
            "there is no bundle for v0.2.1 to follow",
        ),
    ] {
        assert_eq!(case(asked, tree, released), expected, "{asked} from {tree}");
    }
}

#[test]
fn a_snapshot_has_the_lowest_version_that_may_carry_it() {
    let asked = RequestedVersion::Snapshot("2026-11-21".to_owned());
    let choice = choose(&asked, &v("0.2.1-dev"), [v("0.2.0")].iter()).unwrap();
    for (bump, expected) in [
        (Bump::None, "v0.2.1-snapshot.20261121"),
        (Bump::Patch, "v0.2.1-snapshot.20261121"),
        (Bump::Minor, "v0.3.0-snapshot.20261121"),
        (Bump::NewApiVersion, "v1.0.0-snapshot.20261121"),
    ] {
        let carrying = choice
            .clone()
            .carrying(|_| bump, [v("0.2.0")].iter())
            .unwrap();
        assert_eq!(carrying.version.to_string(), expected);
        assert!(carrying.room() >= bump);
    }
    for (taken, expected) in [
        (
            "0.3.0-snapshot.20261121",
            "bundle v0.3.0-snapshot.20261121 already exists, and bundles never change",
        ),
        (
            "0.3.0",
            "v0.3.0-snapshot.20261121 comes before v0.3.0, which is released",
        ),
    ] {
        let released = [v("0.2.0"), v(taken)];
        let rejected = choice.clone().carrying(|_| Bump::Minor, released.iter());
        assert_eq!(rejected.unwrap_err().message, expected);
    }
}

#[test]
fn the_lowest_version_is_one_that_no_bundle_has() {
    for (released, bump, expected) in [
        (&["0.1.0"][..], Bump::Minor, "v0.2.0"),
        (&["0.1.0", "0.1.1"], Bump::Minor, "v0.2.0"),
        (&["0.1.0", "0.2.0"], Bump::Minor, "v0.3.0"),
        (&["0.1.0", "0.2.0", "0.2.1"], Bump::Minor, "v0.3.0"),
        (&["0.1.0", "0.2.0"], Bump::NewApiVersion, "v1.0.0"),
        (&["0.1.0", "1.0.0", "1.1.0"], Bump::Minor, "v1.2.0"),
        (&["0.1.0", "1.0.0"], Bump::NewApiVersion, "v2.0.0"),
    ] {
        let released: Vec<BundleVersion> = released.iter().map(|text| v(text)).collect();
        let choice = choose(&RequestedVersion::Patch, &v("0.1.1-dev"), released.iter()).unwrap();
        let lowest = choice.lowest(bump).unwrap();
        assert_eq!(lowest.to_string(), expected, "{released:?}");
    }
}

#[test]
fn a_snapshot_has_the_version_that_its_waivers_are_for() {
    let asked = RequestedVersion::Snapshot("2026-11-21".to_owned());
    let choice = choose(&asked, &v("0.2.1-dev"), [v("0.2.0")].iter()).unwrap();
    for (waived, left, expected) in [
        ("0.2.1", Bump::Patch, "v0.2.1-snapshot.20261121"),
        ("0.3.0", Bump::Patch, "v0.3.0-snapshot.20261121"),
        ("0.3.0", Bump::Minor, "v0.3.0-snapshot.20261121"),
        ("0.3.0", Bump::NewApiVersion, "v1.0.0-snapshot.20261121"),
        ("1.0.0", Bump::NewApiVersion, "v1.0.0-snapshot.20261121"),
    ] {
        let asks = |version: &BundleVersion| match *version == v(waived) {
            true => left,
            false => Bump::Never,
        };
        let carrying = choice.clone().carrying(asks, [v("0.2.0")].iter()).unwrap();
        assert_eq!(carrying.version.to_string(), expected, "{waived} {left}");
    }
}
