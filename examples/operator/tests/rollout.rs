//! What conversion keeps: of one release, and of two that convert the same objects during a rollout.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    dead_code,
    unused_imports,
    missing_docs,
    reason = "tests"
)]

#[path = "../former/api/mod.rs"]
mod former;
#[path = "../src/api/mod.rs"]
mod newer;
#[path = "../src/seconds.rs"]
mod seconds;
#[path = "../src/status.rs"]
mod status;

use crd_channels_runtime::conversion::{Converter, round_trip};
use crd_channels_runtime::install::Embedded;
use serde_json::json;

/// The version in which the objects are stored.
const STORED: &str = "v1beta1";

/// How often an object is written.
const STEPS: usize = 3;

fn releases() -> [Converter; 2] {
    let former = Embedded::parse(&former::CRDS).unwrap();
    let newer = Embedded::parse(&newer::CRDS).unwrap();
    [
        former::converter(former.crds()).unwrap(),
        newer::converter(newer.crds()).unwrap(),
    ]
}

#[test]
fn objects_survive_conversion() {
    let embedded = Embedded::parse(&newer::CRDS).unwrap();
    let converter = newer::converter(embedded.crds()).unwrap();
    for crd in embedded.crds() {
        round_trip::check(&converter, crd, 100).unwrap_or_else(|failure| panic!("{failure}"));
    }
}

#[test]
fn nothing_is_lost_whichever_release_converts() {
    let [former, newer] = &releases();
    let written = json!({
        "apiVersion": "edge.example.com/v1", "kind": "Route", "metadata": { "name": "a" },
        "spec": {
            "hosts": ["a.example"], "retries": 3, "mode": "Mirror", "timeoutSeconds": 30,
            "rules": [{ "name": "x", "backend": "one", "weight": 1 }],
        },
    });
    let whole = newer.convert(written.clone(), STORED).unwrap();
    let mut states = vec![(String::new(), whole.clone())];
    for _ in 0..STEPS {
        let mut next = Vec::new();
        for (story, stored) in &states {
            for version in ["v1", "v1alpha1"] {
                for (read, reads) in [("former", former), ("newer", newer)] {
                    let shown = reads.convert(stored.clone(), version).unwrap();
                    for (write, writes) in [("former", former), ("newer", newer)] {
                        let stored = writes.convert(shown.clone(), STORED).unwrap();
                        next.push((
                            format!("{story}; {version}: {read} reads, {write} writes"),
                            stored,
                        ));
                    }
                }
            }
        }
        for (story, stored) in &next {
            let shown = newer.convert(stored.clone(), "v1").unwrap();
            assert_eq!(shown, written, "{story}");
            // One more write, and nothing is left to an annotation that a field can hold.
            assert_eq!(newer.convert(shown, STORED).unwrap(), whole, "{story}");
        }
        states = next;
    }
}
