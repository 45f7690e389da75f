//! CRDs that a server accepts but that differ from the types make `e2e` fail.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use super::{Report, against_types, read_workspace};
use crd_channels_diagnostics::{Sink, Sources};
use crd_channels_released::documents;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// A change of a CRD.
type Change<'c> = &'c dyn Fn(&mut Value);

/// A copy of this repository without build output and releases, removed when it is dropped.
struct Copy(PathBuf);

impl Copy {
    fn make() -> Self {
        let name = format!("crd-channels-e2e-{}", std::process::id());
        let this = Self(std::env::temp_dir().join(name));
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."), &this.0);
        this
    }

    /// Returns the number of failures about generated files before a server is asked.
    fn failed(&self) -> usize {
        let (sources, mut sink) = (Sources::default(), Sink::default());
        let workspace = read_workspace(&self.0, &sources, &mut sink)
            .unwrap_or_else(|| panic!("{:?}", sink.into_diagnostics()));
        let mut report = Report::default();
        against_types(&workspace.stale, &mut report);
        report.failed()
    }

    /// Changes every CRD of the channels.
    fn change(&self, change: &dyn Fn(&mut Value)) {
        for file in self.generated() {
            let mut parsed = documents::parse(&fs::read_to_string(&file).unwrap()).unwrap();
            let crds = parsed.iter_mut();
            crds.filter(|document| document["kind"] == "CustomResourceDefinition")
                .for_each(change);
            let texts = parsed.iter().map(|document| format!("{document:#}\n"));
            fs::write(file, texts.collect::<Vec<_>>().join("---\n")).unwrap();
        }
    }

    /// Returns the files of all CRDs.
    fn generated(&self) -> Vec<PathBuf> {
        let channels = ["stable", "experimental"];
        let folders = channels.map(|channel| self.0.join("generated").join(channel));
        let files = folders
            .iter()
            .flat_map(|folder| fs::read_dir(folder).unwrap());
        let files = files.map(|entry| entry.unwrap().path());
        files
            .filter(|file| !file.ends_with("kustomization.yaml"))
            .collect()
    }

    /// Restores the generated files.
    fn restore(&self) {
        let generated = self.0.join("generated");
        fs::remove_dir_all(&generated).unwrap();
        let original = Path::new(env!("CARGO_MANIFEST_DIR")).join("../generated");
        copy(&original, &generated);
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name();
        let is_left_out = ["target", ".git", ".crd-channels"]
            .iter()
            .any(|it| name == *it);
        if entry.file_type().unwrap().is_dir() && !is_left_out {
            copy(&entry.path(), &to.join(name));
        } else if entry.file_type().unwrap().is_file() {
            fs::copy(entry.path(), to.join(name)).unwrap();
        }
    }
}

/// Returns the versions of a CRD.
fn versions(crd: &mut Value) -> impl Iterator<Item = &mut Value> {
    let versions = crd.pointer_mut("/spec/versions");
    versions.unwrap().as_array_mut().unwrap().iter_mut()
}

/// Changes a field of every version that has it.
fn set(crd: &mut Value, pointer: &str, value: &Value) {
    for version in versions(crd) {
        if let Some(field) = version.pointer_mut(pointer) {
            *field = value.clone();
        }
    }
}

#[test]
fn crds_that_are_not_what_the_types_say_fail() {
    let copy = Copy::make();
    assert_eq!(
        copy.failed(),
        0,
        "the committed CRDs are what the types say"
    );
    let no_subresources = |crd: &mut Value| {
        for version in versions(crd) {
            version.as_object_mut().unwrap().remove("subresources");
        }
    };
    let dead_scale = |crd: &mut Value| {
        let scale = "/subresources/scale";
        set(
            crd,
            &format!("{scale}/specReplicasPath"),
            &json!(".spec.none"),
        );
        set(
            crd,
            &format!("{scale}/statusReplicasPath"),
            &json!(".status.none"),
        );
        set(
            crd,
            &format!("{scale}/labelSelectorPath"),
            &json!(".status.no"),
        );
    };
    let another_warning = |crd: &mut Value| set(crd, "/deprecationWarning", &json!("go elsewhere"));
    let served_with_another_warning = |crd: &mut Value| {
        for version in versions(crd).filter(|version| version["deprecated"] == true) {
            version["served"] = json!(true);
            version["deprecationWarning"] = json!("x");
        }
    };
    let dead_columns = |crd: &mut Value| {
        for version in versions(crd) {
            let columns = version.get_mut("additionalPrinterColumns");
            for column in columns.and_then(Value::as_array_mut).into_iter().flatten() {
                column["jsonPath"] = json!(".spec.doesNotExist");
            }
        }
    };
    let open_root = |crd: &mut Value| {
        for version in versions(crd) {
            version["schema"]["openAPIV3Schema"]["x-kubernetes-preserve-unknown-fields"] =
                json!(true);
        }
    };
    let changes: [(&str, Change<'_>); 6] = [
        ("no subresources", &no_subresources),
        ("scale paths that lead nowhere", &dead_scale),
        ("another warning", &another_warning),
        (
            "a version that is served, with another warning",
            &served_with_another_warning,
        ),
        ("columns that stay empty", &dead_columns),
        ("a root that preserves unknown fields", &open_root),
    ];
    for (what, change) in changes {
        copy.change(change);
        assert_eq!(copy.failed(), 1, "{what}");
        copy.restore();
    }

    let route = "edge.crd-channels.dev_edgeroutes.yaml";
    let generated = copy.0.join("generated");
    fs::copy(
        generated.join("stable").join(route),
        generated.join("experimental").join(route),
    )
    .unwrap();
    assert_eq!(copy.failed(), 1, "a CRD of the other channel");
    copy.restore();

    for file in copy.generated() {
        if file.starts_with(generated.join("stable")) {
            fs::remove_file(file).unwrap();
        }
    }
    assert_eq!(copy.failed(), 1, "a channel without CRDs");
    copy.restore();
    assert_eq!(copy.failed(), 0, "what was restored");
}
