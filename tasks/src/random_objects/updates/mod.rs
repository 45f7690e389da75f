//! Random changes of CRDs under stored objects: what becomes of them on a real API server is what `plan` says.
//!
//! `UPDATES` is the number of objects, `UPDATES_SEED` the seed, `UPDATES_ONLY` the one case to try, as messages name it, and `OBJECTS_CRDS` names folders of CRDs as for random objects.

mod change;
mod stored;

use super::kinds::{self, Kind, LAX};
use super::write;
use crate::e2e::install::{CRDS, poll};
use crate::objects::dice::Dice;
use crate::tried_server::started_or_skipped;
use crd_channels::commands::plan::{self, Request};
use crd_channels_envtest::http::Api;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use stored::{Differences, Stored};

/// The number of objects, unless `UPDATES` says another.
const WANTED: usize = 300;

/// The objects of a CRD in a round.
const EACH: usize = 6;

/// How often a changed CRD is drawn that the server accepts.
const DRAWS: usize = 8;

/// The field whose name tells that a server has the changed CRD.
const PROBE: &str = "probe";

/// What `plan` says of an object.
#[derive(Debug, Default)]
struct Planned {
    /// The codes, fields and messages of errors.
    errors: Vec<String>,
    warnings: Vec<String>,
    /// Whether an error is about the object as it is stored.
    refuses_stored: bool,
}

#[test]
fn a_server_does_with_stored_objects_what_plan_says() {
    let Some(server) = started_or_skipped() else {
        return;
    };
    let wanted = std::env::var("UPDATES").map_or(WANTED, |given| given.parse().unwrap());
    let seed = std::env::var("UPDATES_SEED").unwrap_or_else(|_| "1".to_owned());
    let folder = server.scratch("updates").unwrap();
    let only = std::env::var("UPDATES_ONLY").ok();
    let (mut tried, mut changed, mut round) = (0, BTreeMap::new(), 0);
    let mut wrong = Vec::new();
    while tried < wanted {
        let folder = folder.join(round.to_string());
        for document in kinds::documents() {
            let case = format!("{round}/{}", document["metadata"]["name"].as_str().unwrap());
            if tried >= wanted || only.as_ref().is_some_and(|only| *only != case) {
                continue;
            }
            let mut dice = Dice::new(&format!("updates {seed} {case}"));
            let document = renamed(document, round, &mut dice);
            for kind in Kind::install_all(server.api, vec![document]) {
                let own = folder.join(&kind.name);
                let found = round_of(server.api, &kind, &own, &mut dice);
                tried += found.objects;
                for what in found.changes {
                    *changed.entry(what).or_insert(0) += 1;
                }
                let found = found.wrong.into_iter();
                wrong.extend(found.map(|it| format!("{case} {it}")));
            }
        }
        round += 1;
        if only.is_some() && tried > 0 {
            break;
        }
    }
    println!("seed {seed}: {tried} objects under {changed:?}");
    wrong.sort_by_key(String::len);
    for it in wrong.iter().take(12) {
        println!("{it}\n");
    }
    assert!(wrong.is_empty(), "{} differ", wrong.len());
}

#[derive(Default)]
struct Round {
    objects: usize,
    changes: Vec<&'static str>,
    wrong: Vec<String>,
}

/// Stores objects, changes their CRD, and compares.
fn round_of(api: Api, kind: &Kind, folder: &Path, dice: &mut Dice) -> Round {
    let objects: Vec<Stored> = (0..EACH)
        .filter_map(|number| Stored::draw(api, kind, number, dice))
        .collect();
    let Some((after, changes)) = changed(api, kind, dice).filter(|_| !objects.is_empty()) else {
        return Round::default();
    };
    write(&folder.join("before"), "crd", &kind.document);
    write(&folder.join("after"), "crd", &after);
    for object in &objects {
        write(&folder.join("objects"), &object.name, &object.manifest);
    }
    let named = |name: &str| Some(folder.join(name).display().to_string());
    let request = Request {
        paths: vec![folder.join("objects")],
        before: named("before"),
        after: named("after"),
        ..Request::default()
    };
    let document = plan::document(&request, folder);
    let planned = by_object(&document, &objects);
    let mut wrong = Vec::new();
    for object in &objects {
        let said = &planned[&object.name];
        let differences = object.differences(api, kind);
        if let Some(why) = difference(said, &differences, object.was_refused()) {
            wrong.push(format!(
                "{why}: {} {changes:?}\n{said:?}\n{differences:?}\n{}",
                object.name, object.manifest
            ));
        }
    }
    Round {
        objects: objects.len(),
        changes,
        wrong,
    }
}

/// Why what was planned is not what happened.
fn difference(said: &Planned, happened: &Differences, was_refused: bool) -> Option<&'static str> {
    let Differences {
        value,
        lost,
        refused_new,
        warned,
        ..
    } = *happened;
    // A rule that is not evaluated may refuse an object, and says nothing of what becomes of its values.
    let is_undecided = |it: &String| it.starts_with("object-not-evaluated");
    let is_decided = !said.warnings.iter().any(is_undecided);
    let refused = !happened.refused.is_empty() && is_decided;
    let refused_new = refused_new && is_decided;
    let is_silent = said.errors.is_empty() && said.warnings.is_empty();
    // A limit that changed refuses what was refused before.
    if is_silent && (value || refused || refused_new || warned) {
        return Some("nothing was said");
    }
    if said.errors.is_empty() && (refused || refused_new) {
        return Some("no error, and it is refused");
    }
    if refused && !said.refuses_stored {
        return Some("a stored object was said to be accepted");
    }
    if said.refuses_stored && !refused && !was_refused && is_decided {
        return Some("a stored object was said to be refused");
    }
    if lost
        && said.errors.is_empty()
        && !said
            .warnings
            .iter()
            .any(|it| it.starts_with("object-defaulted"))
    {
        return Some("a loss is no error");
    }
    // What is refused anyway shows less.
    let shows = !was_refused && !happened.was_refused_new && is_decided;
    (shows
        && !is_silent
        && *happened
            == Differences {
                was_refused_new: happened.was_refused_new,
                ..Differences::default()
            })
    .then_some("nothing happened")
}

fn by_object(document: &Value, objects: &[Stored]) -> BTreeMap<String, Planned> {
    let mut all = BTreeMap::new();
    for object in document["objects"].as_array().unwrap() {
        all.insert(
            object["name"].as_str().unwrap().to_owned(),
            Planned::default(),
        );
    }
    for finding in document["findings"].as_array().unwrap() {
        let name = finding["name"]
            .as_str()
            .unwrap_or_else(|| panic!("{finding}"));
        // A request for an object does not write its status, but a stored one has it.
        let field = finding["field"].as_str().unwrap_or_default();
        let is_status = field.trim_start_matches('.').starts_with("status");
        if is_status && objects.iter().any(|it| it.name == name && it.is_read()) {
            continue;
        }
        let planned: &mut Planned = all.entry(name.to_owned()).or_default();
        let text = |key: &str| finding[key].as_str().unwrap_or_default();
        let shown = format!("{}: {} ({})", text("code"), text("message"), text("help"));
        if finding["severity"] != "error" {
            planned.warnings.push(shown);
            continue;
        }
        let is_accepted = [
            "a stored object is accepted",
            "a stored object loses it",
            "stored in",
        ]
        .iter()
        .any(|words| shown.contains(words));
        planned.refuses_stored |= !is_accepted;
        planned.errors.push(shown);
    }
    all
}

/// Gives a CRD another group, since a server keeps what it knows of a name for a while, and perhaps a second version.
fn renamed(mut document: Value, round: usize, dice: &mut Dice) -> Value {
    let group = document["spec"]["group"].as_str().unwrap().to_owned();
    let group = format!("r{round}.{group}");
    let plural = document["spec"]["names"]["plural"].as_str().unwrap();
    document["metadata"]["name"] = format!("{plural}.{group}").into();
    document["spec"]["group"] = group.into();
    if dice.chance(2, 3) {
        change::add_version(&mut document, dice);
    }
    document
}

/// Changes the CRD on the server, and waits until that is used. Returns the changed CRD, and how it was changed.
fn changed(api: Api, kind: &Kind, dice: &mut Dice) -> Option<(Value, Vec<&'static str>)> {
    let path = format!("{CRDS}/{}", kind.name);
    for _ in 0..DRAWS {
        let mut after = kind.document.clone();
        let changes: Vec<_> = (0..=dice.roll(3))
            .map(|_| change::draw(&mut after, dice))
            .collect();
        for version in after["spec"]["versions"].as_array_mut().unwrap() {
            let schema = &mut version["schema"]["openAPIV3Schema"];
            schema["properties"][PROBE] = json!({"type": "string"});
        }
        let mut written = after.clone();
        let known = api.get(&path).unwrap().json();
        written["metadata"]["resourceVersion"] = known["metadata"]["resourceVersion"].clone();
        if api.put(&path, &written).unwrap().status != 200 {
            continue;
        }
        let probe = format!("{}?dryRun=All&fieldValidation=Strict", kind.path(LAX));
        let object = json!({
            "apiVersion": kind.api_version(LAX),
            "kind": kind.document["spec"]["names"]["kind"],
            "metadata": {"name": "probe"},
            PROBE: 1,
        });
        // The old CRD accepts any value of the field.
        poll(|| {
            let answer = api.post(&probe, &object)?;
            Ok((answer.status == 422).then_some(()))
        })
        .unwrap();
        return Some((after, changes));
    }
    None
}
