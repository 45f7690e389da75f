//! The record of a proof fits the types and the conversion that were tested, and nothing else.

use super::versions::{self, crd, v1, v1alpha1, v1beta1};
use crd_channels_runtime::conversion::{Converter, Kind, round_trip};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The record of this kind, which is committed.
const COMMITTED: &str = "tests/conversion/proofs";

const FILE: &str = "routes.example.com.json";

/// The CRD after a change of the types.
fn case(name: &str) -> (Converter, CustomResourceDefinition, u32) {
    let mut crd = serde_json::to_value(crd().unwrap()).unwrap();
    let versions = &mut crd["spec"]["versions"];
    let spec = "/0/schema/openAPIV3Schema/properties/spec";
    let spec = versions.pointer_mut(spec).unwrap();
    match name {
        "described" => spec["description"] = json!("What it should be."),
        "longer" => spec["properties"]["hosts"]["items"]["maxLength"] = json!(17),
        "narrower" => drop(versions.as_array_mut().unwrap().pop()),
        "another" => {
            crd["metadata"]["name"] = json!("ways.example.com");
            crd["spec"]["names"]["plural"] = json!("ways");
        }
        _ => {}
    }
    let crd: CustomResourceDefinition = serde_json::from_value(crd).unwrap();
    let converter = match name {
        "without status" => {
            let kind = Kind::with_hub::<v1::Route>(&crd)
                .spoke::<v1beta1::Route>()
                .spoke::<v1alpha1::Route>();
            Converter::new([kind.without_status().build().unwrap()])
        }
        "narrower" => {
            let kind = Kind::with_hub::<v1::Route>(&crd).spoke::<v1beta1::Route>();
            Converter::new([kind.build().unwrap()])
        }
        _ => versions::converter(&crd).unwrap(),
    };
    (converter, crd, if name == "few" { 20 } else { 120 })
}

/// The test as users write it. Others run it as a process of its own, since the environment belongs to a whole process.
#[test]
fn this_conversion_is_proven_on_record() {
    let (converter, crd, count) = case(&env::var("PROOF_CASE").unwrap_or_default());
    let folder = env::var("PROOF_FOLDER").unwrap_or(COMMITTED.to_owned());
    round_trip::prove(&converter, &crd, count, folder)
        .unwrap_or_else(|failure| panic!("{failure}"));
}

/// What the test of a user prints if it fails.
fn failure(case: &str, folder: &Path, record: bool) -> Option<String> {
    let mut command = Command::new(env::current_exe().unwrap());
    command
        .args([
            "--exact",
            "recorded::this_conversion_is_proven_on_record",
            "--nocapture",
        ])
        .env("PROOF_CASE", case)
        .env("PROOF_FOLDER", folder)
        .env("CARGO_PKG_NAME", "my-operator")
        .env_remove("RECORD_PROOFS");
    if record {
        command.env("RECORD_PROOFS", "1");
    }
    let ran = command.output().unwrap();
    let text = String::from_utf8(ran.stderr).unwrap() + &String::from_utf8(ran.stdout).unwrap();
    (!ran.status.success()).then_some(text)
}

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        drop(fs::remove_dir_all(&folder));
        fs::create_dir_all(&folder).unwrap();
        Self(folder.join("proofs"))
    }

    fn file(&self) -> PathBuf {
        self.0.join(FILE)
    }
}

#[test]
fn a_proof_is_recorded_once_asked_for_and_holds_until_the_types_change() {
    let folder = Folder::new("recorded");
    let shown = folder.file().display().to_string();
    let missing = failure("", &folder.0, false).unwrap();
    let line = "RECORD_PROOFS=1 cargo test --package my-operator";
    assert!(missing.contains("there is no record"), "{missing}");
    assert!(
        missing.contains(line) && missing.contains(&shown),
        "{missing}"
    );
    assert!(!folder.0.exists());

    assert_eq!(failure("", &folder.0, true), None);
    let recorded = fs::read_to_string(folder.file()).unwrap();
    assert_eq!(failure("", &folder.0, false), None);
    assert_eq!(failure("described", &folder.0, false), None);
    // What holds is not written again.
    assert_eq!(failure("described", &folder.0, true), None);
    assert_eq!(fs::read_to_string(folder.file()).unwrap(), recorded);

    for (case, why) in [
        ("longer", "the types of `v1` changed since"),
        ("narrower", "it is of more versions than there are"),
        ("without status", "the conversion changed since"),
    ] {
        let stale = failure(case, &folder.0, false).unwrap();
        assert!(
            stale.contains(why) && stale.contains(line),
            "{case}: {stale}"
        );
    }
    assert_eq!(fs::read_to_string(folder.file()).unwrap(), recorded);
    // A copy of the record says nothing about another kind, whose types are the same.
    fs::write(folder.0.join("ways.example.com.json"), &recorded).unwrap();
    let copied = failure("another", &folder.0, false).unwrap();
    assert!(
        copied.contains("the record is of `routes.example.com`"),
        "{copied}"
    );
    assert_eq!(failure("longer", &folder.0, true), None);
    assert_eq!(failure("longer", &folder.0, false), None);
    assert_ne!(fs::read_to_string(folder.file()).unwrap(), recorded);
}

#[test]
fn what_is_no_proof_is_not_recorded_and_not_believed() {
    let folder = Folder::new("refused");
    let few = failure("few", &folder.0, true).unwrap();
    assert!(few.contains("a proof takes 100 objects"), "{few}");
    assert!(!folder.file().exists());
    let elsewhere = folder.0.join("a/b");
    let nowhere = failure("", &elsewhere, true).unwrap();
    assert!(nowhere.contains("cannot be written"), "{nowhere}");
    assert!(!elsewhere.exists());

    assert_eq!(failure("", &folder.0, true), None);
    let recorded = fs::read_to_string(folder.file()).unwrap();
    for (text, why) in [
        (
            recorded.replacen("\"v1\"", "\"v2\"", 1),
            "its digest differs",
        ),
        (format!("<<<<<<< ours\n{recorded}"), "merge conflict"),
        (String::new(), "cannot be read"),
    ] {
        fs::write(folder.file(), &text).unwrap();
        let refused = failure("", &folder.0, false).unwrap();
        assert!(refused.contains(why), "{refused}");
        assert_eq!(fs::read_to_string(folder.file()).unwrap(), text);
    }
    assert_eq!(failure("", &folder.0, true), None);
    assert_eq!(failure("", &folder.0, false), None);
}
