//! What older versions of kube and schemars make of types: for each type of `types.txt` a kind with one field, which the generator
//! reads and the compiler says. Every fact is equal, or a row of `docs/differences.md`; what is not read from source is recorded, for
//! exactly the types of `RECORDED`.
//!
//! The newest versions have all other tests. Each folder is a line of versions, with the lock file that it is compiled with.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

use serde_json::Value;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

const DERIVE: &str = "#[derive(Clone, Debug, Deserialize, Eq, Hash, JsonSchema, Ord, PartialEq, PartialOrd, Serialize)]";

/// The types that are not read: what their schemas are is asked of the compiled types.
const RECORDED: &[&str] = &[
    "Option<either::Either<First, Second>>",
    "Result<u8, String>",
    "either::Either<First, Second>",
    "either::Either<u8, String>",
    "std::ops::Range<u8>",
    "std::ops::RangeInclusive<i32>",
];

/// The files of a crate in this folder, without its source.
macro_rules! versions {
    ($($name:literal)*) => {
        [$((
            $name,
            include_str!(concat!($name, "/Cargo.toml")),
            include_str!(concat!($name, "/Cargo.lock")),
        )),*]
    };
}

#[test]
fn older_versions_differ_as_documented() {
    for (name, manifest, lock) in versions!("kube-0.83" "kube-1.1" "kube-2.0") {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../versions");
        let root = root.join(name);
        std::fs::create_dir_all(root.join("src")).unwrap();
        std::fs::create_dir_all(root.join("channels")).unwrap();
        // Rules are older than this, but not under these names.
        let rules = match name {
            "kube-0.83" => "",
            _ => include_str!("rules.txt"),
        };
        let old = match name {
            "kube-2.0" => String::new(),
            _ => include_str!("old.txt").replace("DERIVE", DERIVE),
        };
        let source = source() + rules + &old;
        for (file, text) in [
            ("Cargo.toml", manifest),
            ("Cargo.lock", lock),
            ("src/lib.rs", &*source),
            ("channels/bundle.toml", "conventions = \"kube\"\n"),
            ("channels/features.toml", ""),
            ("channels/stable.toml", "features = \"none\"\n"),
        ] {
            std::fs::write(root.join(file), text).unwrap();
        }
        // What an earlier run recorded would hide what this one needs.
        let _ = std::fs::remove_file(root.join("channels/recorded.json"));
        proves(name, &root);
    }
}

/// Proves the crate of a folder.
fn proves(name: &str, root: &Path) {
    let output = Command::new(env!("CARGO_BIN_EXE_tasks"))
        .args(["prove", "--record", "--format", "json"])
        .current_dir(root)
        .env_remove("CARGO_TARGET_DIR")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{name}: {error}\n{said}"));
    let findings = report["findings"].as_array().unwrap().iter();
    let errors: Vec<&Value> = findings
        .filter(|finding| finding["severity"] == "error")
        .map(|finding| &finding["message"])
        .collect();
    assert!(errors.is_empty(), "{name}: {errors:#?}\n{said}");
    let proof = &report["proof"];
    let recorded = proof["recorded"].as_array().unwrap().iter();
    let mut recorded: Vec<&str> = recorded
        .map(|record| {
            let place = record["place"].as_str().unwrap();
            let number = place
                .strip_prefix("versions::K")
                .and_then(|rest| rest.strip_suffix("Spec.value"))
                .unwrap_or_else(|| panic!("{name}: {place} is recorded"));
            types().nth(number.parse().unwrap()).unwrap()
        })
        .collect();
    recorded.sort_unstable();
    assert_eq!(recorded, RECORDED, "{name}");
    // kube panics for a few kinds, which is documented as well.
    let compared = proof["kinds"].as_u64().unwrap();
    assert!(compared > 90, "{name}: only {compared} kinds are compared");
}

fn types() -> impl Iterator<Item = &'static str> {
    include_str!("types.txt").lines()
}

/// The source of a crates: a kind for each type.
fn source() -> String {
    let mut text = include_str!("head.txt").replace("DERIVE", DERIVE);
    for (number, ty) in types().enumerate() {
        write!(
            text,
            "
#[derive(Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = \"versions.example.dev\", version = \"v1\", kind = \"K{number}\", plural = \"k{number}s\")]
pub struct K{number}Spec {{
    #[serde(with = \"other\")]
    #[schemars(with = \"{ty}\")]
    pub value: u8,
}}
"
        )
        .unwrap();
    }
    text
}
