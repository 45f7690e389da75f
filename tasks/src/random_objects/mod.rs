//! Random objects of CRDs on a real API server: compares what it says with what `validate` says.
//!
//! `OBJECTS` is the number of objects, `OBJECTS_SEED` the seed. `OBJECTS_CRDS` names folders of CRDs, separated as in `PATH`, to
//! take instead of those of this repository; a folder of Go's module cache, which `go mod download -json MODULE@VERSION` prints,
//! will do.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

mod kinds;
pub(crate) mod damage;
mod repair;
mod trial;
mod said;
mod facts;
mod tally;
mod updates;

use crate::objects::dice::Dice;
use crate::tried_server::started_or_skipped;
use crd_channels::commands::validate::{self, FieldValidation, Request};
use kinds::Kind;
use said::Said;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tally::Tally;
use trial::{Action, Trial};

/// The number of objects, unless `OBJECTS` says another.
const WANTED: usize = 300;

#[test]
fn a_server_says_of_random_objects_what_validate_says() {
    let Some(server) = started_or_skipped() else {
        return;
    };
    let wanted = std::env::var("OBJECTS").map_or(WANTED, |given| given.parse().unwrap());
    let seed = std::env::var("OBJECTS_SEED").unwrap_or_else(|_| "1".to_owned());
    let folder = server.scratch("objects").unwrap();
    let kinds = Kind::install_all(server.api, kinds::documents());
    let each = wanted.div_ceil(kinds.len().max(1));
    let mut trials = Vec::new();
    for kind in &kinds {
        write(&folder.join("crds"), &kind.name, &kind.document);
        for number in 0..each.min(wanted - trials.len()) {
            let dice = Dice::new(&format!("{seed} {} {number}", kind.name));
            trials.push(Trial::run(server.api, kind, trials.len(), dice));
        }
    }
    for (number, trial) in trials.iter().enumerate() {
        let name = name_of(number);
        write(&folder.join(trial.action.name()), &name, &trial.object);
        if let Action::Update { previous, .. } = &trial.action {
            write(&folder.join("stored"), &name, previous);
        }
    }
    let strict = validated(&folder, FieldValidation::Strict);
    let warned = validated(&folder, FieldValidation::Warn);
    let mut tally = Tally::new(kinds.len());
    for (number, trial) in trials.iter().enumerate() {
        let name = name_of(number);
        tally.compare(trial, &strict[&name], &warned[&name]);
    }
    tally.print(&seed);
    tally.assert();
}

fn name_of(number: usize) -> String {
    format!("thing{number}")
}

fn write(folder: &Path, name: &str, document: &serde_json::Value) {
    std::fs::create_dir_all(folder).unwrap();
    let file = folder.join(format!("{name}.json"));
    std::fs::write(file, document.to_string()).unwrap();
}

/// What `validate` says of the objects, by the names of their files.
fn validated(folder: &Path, field_validation: FieldValidation) -> BTreeMap<String, Said> {
    let mut said = BTreeMap::new();
    for (objects, previous) in [("created", None), ("updated", Some("stored"))] {
        let objects = folder.join(objects);
        if !objects.is_dir() {
            continue;
        }
        let request = Request {
            paths: vec![objects],
            crds: vec![folder.join("crds").display().to_string()],
            previous: previous.map(|previous| folder.join(previous).display().to_string()),
            field_validation,
            ..Request::default()
        };
        said.extend(said::by_validate(&validate::document(&request, folder)));
    }
    said
}

/// The folders that an environment variable names.
fn folders(variable: &str) -> Option<Vec<PathBuf>> {
    let given = std::env::var_os(variable)?;
    Some(std::env::split_paths(&given).collect())
}
