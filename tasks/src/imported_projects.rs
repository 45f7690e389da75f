//! The CRDs of many projects become types, and the types the same CRDs. `.ci/projects` brings them.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use crate::drawn_crds::accepted;
use crate::random_imports::{Channels, Folder, differing, facts, is_crd, parsed_in};
use crate::tried_server::skipped;
use crd_channels_schema::Schema;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Whether servers take all of a CRD: with `fieldValidation=Strict` they refuse a keyword that they do not know.
fn is_whole(crd: &Value) -> bool {
    let versions = crd["spec"]["versions"].as_array().into_iter().flatten();
    let mut schemas = versions.map(|version| &version["schema"]["openAPIV3Schema"]);
    accepted(crd) && schemas.all(|schema| Schema::from_json(schema).is_ok())
}

/// The CRDs of a project, the first of each name that servers take; patches of Kustomize look like CRDs, too.
fn crds_of(project: &Path) -> Vec<Value> {
    let mut by_name: BTreeMap<String, Value> = BTreeMap::new();
    for crd in parsed_in(project).filter(is_crd) {
        let name = crd["metadata"]["name"].as_str().unwrap_or_default();
        if !by_name.contains_key(name) && is_whole(&crd) {
            by_name.insert(name.to_owned(), crd);
        }
    }
    by_name.into_values().collect()
}

#[test]
fn crds_of_projects_are_made_again() {
    let Some(folder) = std::env::var_os("IMPORTED_PROJECTS") else {
        skipped(
            "no CRDs of other projects are imported: `IMPORTED_PROJECTS` names no folder with a folder for each project",
        );
        return;
    };
    let mut projects: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|it| it.unwrap().path())
        .collect();
    projects.sort();
    let (mut all, mut said) = (0, 0);
    let mut found = Vec::new();
    for project in &projects {
        let crds = crds_of(project);
        all += crds.len();
        said += crds.iter().map(|crd| facts(crd).len()).sum::<usize>();
        let folder = Folder::new("project");
        let channels = Channels::from([("stable", crds)]);
        match differing(&channels, &folder.0) {
            Ok(facts) => found.extend(facts),
            Err(why) => found.push(format!("{}: {why}", project.display())),
        }
    }
    println!("{} projects, {all} CRDs with {said} facts", projects.len());
    assert!(all > 0);
    assert!(
        found.is_empty(),
        "{} differ\n{}",
        found.len(),
        found.join("\n")
    );
}
