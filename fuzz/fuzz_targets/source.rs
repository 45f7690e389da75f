//! Any text as the only file of a package with kinds: read, lowered, projected for two channels under both conventions.

#![no_main]

#[path = "../../crates/generator/tests/support/one_file.rs"]
mod one_file;

use libfuzzer_sys::fuzz_target;

const CRATES: [&str; 7] = [
    "chrono",
    "k8s_openapi",
    "kube",
    "schemars",
    "serde",
    "serde_json",
    "url",
];
const FEATURES: &str =
    "[Trials]\nsummary = \"A.\"\nowner = \"b\"\nlink = \"c\"\nsince = \"v0.1.0\"\n";
const CONVENTIONS: [&str; 2] = ["kube", "kubernetes"];

fuzz_target!(|text: &[u8]| {
    for conventions in CONVENTIONS {
        run(text, conventions);
    }
});

fn run(text: &[u8], conventions: &str) {
    let (projected, _) = one_file::project(text, &CRATES, conventions, FEATURES);
    for crd in projected.iter().flat_map(|one| &one.crds) {
        if let Ok(crd) = serde_json::to_value(crd) {
            let _ = crd_channels_check::validate(&crd, crd_channels_check::NEWEST);
        }
    }
}
