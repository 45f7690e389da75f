//! Random CRDs change, and so do the types that were made of them: what people wrote stays, and the types make the new CRDs.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

use crate::drawn_crds::{accepted, lessen};
use crate::objects::dice::Dice;
use crate::random_imports::{Channels, Folder, crds_in, differing_files, drawn, number};
use crate::tried_server::skipped;
use crd_channels_import::{Files, Imported, Mapping, Purpose, import_as, merge, names_of_source};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The number of CRDs; `UPDATES` sets another.
const WANTED: u64 = 120;

/// Imports one CRD as both channels.
fn imported(crd: &Value, mapping: &Mapping) -> Option<Imported> {
    import_as(std::slice::from_ref(crd), None, Purpose::Source, mapping).ok()
}

fn files(imported: &Imported) -> Files {
    let files = imported.files.iter();
    files
        .map(|(path, text)| (format!("src/{path}"), text.clone()))
        .collect()
}

/// A line of code with another name of a type.
fn renamed(line: &str, name: &str) -> String {
    let is_variant = line.trim() == format!("{name},");
    if is_variant || line.contains('"') || line.trim_start().starts_with("//") {
        return line.to_owned();
    }
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = String::new();
    for part in line.split_inclusive(|c| !is_word(c)) {
        let word = part.trim_end_matches(|c| !is_word(c));
        let is_of_type = out.ends_with("::") && !line.starts_with("use ");
        let own = if word == name && !is_of_type {
            "Ours"
        } else {
            ""
        };
        out.push_str(&format!("{word}{own}{}", &part[word.len()..]));
    }
    out
}

/// Edits types as people do. Returns what has to be there afterwards.
fn edited(base: &Files, dice: &mut Dice) -> (Files, BTreeSet<String>) {
    let mut ours = base.clone();
    let mut marks = BTreeSet::new();
    let mut mark = |what: &str| {
        let mark = format!("{what} {}", marks.len());
        marks.insert(mark.clone());
        mark
    };
    let types: Vec<&str> = base
        .values()
        .flat_map(|text| text.lines())
        .filter_map(|line| line.strip_prefix("pub struct ")?.strip_suffix(" {"))
        .filter(|name| !name.ends_with("Spec") && !name.ends_with("Status"))
        .collect();
    for (path, text) in &mut ours {
        if path.ends_with("root.rs") || path.ends_with("schemas.rs") {
            continue;
        }
        let mut out = String::new();
        for line in text.lines() {
            if line.starts_with("#[derive(") && dice.chance(1, 4) {
                out.push_str(&format!("// {}\n", mark("a type, ours")));
                out.push_str(&line.replace(")]", ", Ours)]"));
            } else if line.starts_with("    pub ") && dice.chance(1, 6) {
                out.push_str(&format!("{line} // ours"));
            } else {
                out.push_str(line);
            }
            out.push('\n');
            if line == "}" && dice.chance(1, 6) {
                out.push_str(&format!(
                    "\n// {}\nfn ours_{}() {{}}\n",
                    mark("a function, ours"),
                    dice.roll(1 << 20)
                ));
            }
        }
        *text = out;
    }
    for name in types {
        if dice.chance(1, 4) {
            for text in ours.values_mut() {
                let lines = text.lines().map(|line| renamed(line, name) + "\n");
                *text = lines.collect();
            }
        }
    }
    (ours, marks)
}

#[test]
fn edits_of_people_and_changes_of_crds_come_together() {
    let folder = Folder::new("updates");
    let (mut tried, mut conflicting, mut wrong) = (0_u64, 0_u64, Vec::new());
    for (seed, full) in drawn().take(usize::try_from(number("UPDATES", WANTED)).unwrap()) {
        let mut dice = Dice::new(&format!("update {seed}"));
        let mut less = full.clone();
        let spec = "/spec/versions/0/schema/openAPIV3Schema/properties/spec";
        if let Some(node) = less.pointer_mut(spec) {
            lessen(node, &mut dice);
        }
        let (old, new) = if dice.chance(1, 2) {
            (less, full)
        } else {
            (full, less)
        };
        if !accepted(&old) || !accepted(&new) {
            continue;
        }
        let Some(first) = imported(&old, &Mapping::default()) else {
            continue;
        };
        let base = files(&first);
        let (ours, marks) = edited(&base, &mut dice);
        let again = imported(&new, &first.mapping).unwrap();
        let Some(again) = imported(&new, &names_of_source(&base, &ours, &again)) else {
            wrong.push(format!("{seed}: the names of the source cannot be"));
            continue;
        };
        tried += 1;
        let theirs = files(&again);
        // Without edits, an update is an import.
        assert_eq!(
            merge(&base, &base, &theirs).map_err(|_| seed),
            Ok(theirs.clone()),
            "{seed}"
        );
        let merged = match merge(&base, &ours, &theirs) {
            Ok(merged) => merged,
            Err(conflicts) => {
                conflicting += 1;
                // An edit conflicts only if the CRD no longer has the edited part.
                let is_gone = |it: &crd_channels_import::Conflict| {
                    it.theirs.is_empty() && it.ours.contains("urs")
                };
                let other = conflicts.iter().find(|it| !is_gone(it));
                wrong.extend(other.map(|it| format!("{seed}: {it:#?}")));
                continue;
            }
        };
        let texts: String = merged.values().map(String::as_str).collect();
        let lost = marks
            .iter()
            .find(|mark| !texts.contains(&format!("{mark}\n")));
        wrong.extend(lost.map(|mark| format!("{seed}: `{mark}` is lost")));
        let merged = merged
            .into_iter()
            .map(|(path, text)| (path, text.replace(", Ours)]", ")]")));
        let channels = Channels::from([("stable", vec![new])]);
        match differing_files(&channels, &merged.collect(), &again, &folder.0) {
            Ok(found) => wrong.extend(found.first().map(|first| format!("{seed}: {first}"))),
            Err(why) => wrong.push(format!("{seed}: {why}")),
        }
        let _ = fs::remove_dir_all(folder.0.join("src"));
    }
    println!("{tried} updates, {conflicting} with conflicts");
    assert!(
        wrong.is_empty(),
        "{} of {tried}\n{}",
        wrong.len(),
        wrong[..wrong.len().min(5)].join("\n")
    );
    assert!(
        tried > number("UPDATES", WANTED) / 3 && conflicting < tried / 2,
        "{conflicting} of {tried}"
    );
}

/// Each release of Gateway API is an update of the types of the release before, with everything that people wrote since the first.
#[test]
fn edited_types_of_gateway_api_follow_its_releases() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let corpus = repository.join("../shared/corpus/gateway-api");
    let Ok(releases) = fs::read_dir(&corpus) else {
        skipped("the releases of Gateway API are not imported: `../shared/corpus` is absent");
        return;
    };
    let mut releases: Vec<PathBuf> = releases.map(|release| release.unwrap().path()).collect();
    releases.sort();
    let folder = Folder::new("releases");
    let mut dice = Dice::new("releases");
    let mut known: Option<(Files, Files, Mapping)> = None;
    let mut marks = BTreeSet::new();
    for release in releases {
        let [stable, experimental] =
            ["standard", "experimental"].map(|channel| crds_in(&release.join(channel)));
        let imported = |mapping: &Mapping| {
            import_as(&stable, Some(&experimental), Purpose::Source, mapping).unwrap()
        };
        let again = imported(
            &known
                .as_ref()
                .map(|(.., mapping)| mapping.clone())
                .unwrap_or_default(),
        );
        let name = release.file_name().unwrap().to_str().unwrap();
        let (base, ours, now) = match &known {
            None => {
                let base = files(&again);
                let (ours, written) = edited(&base, &mut dice);
                marks = written;
                (base, ours, again)
            }
            Some((base, ours, _)) => {
                let now = imported(&names_of_source(base, ours, &again));
                let theirs = files(&now);
                let merged = merge(base, ours, &theirs).unwrap_or_else(|conflicts| {
                    println!("{name}: {} conflicts", conflicts.len());
                    for conflict in &conflicts {
                        // A person removes edits of parts that the CRD no longer has.
                        assert!(conflict.theirs.is_empty(), "{name}: {conflict:#?}");
                    }
                    let gone = |path: &String, text: &String| {
                        let own = conflicts.iter().filter(|it| it.file == *path);
                        own.fold(text.clone(), |text, it| text.replacen(&it.ours, "", 1))
                    };
                    let cleared: Files = ours
                        .iter()
                        .map(|(path, text)| (path.clone(), gone(path, text)))
                        .collect();
                    merge(base, &cleared, &theirs)
                        .unwrap_or_else(|left| panic!("{name}: {left:#?}"))
                });
                (theirs, merged, now)
            }
        };
        let texts: String = ours.values().map(String::as_str).collect();
        let kept = marks
            .iter()
            .filter(|mark| texts.contains(&format!("{mark}\n")))
            .count();
        println!("{name}: {kept} of {} comments", marks.len());
        let plain = ours
            .iter()
            .map(|(path, text)| (path.clone(), text.replace(", Ours)]", ")]")));
        let channels = Channels::from([
            ("stable", stable.clone()),
            ("experimental", experimental.clone()),
        ]);
        let found = differing_files(&channels, &plain.collect(), &now, &folder.0)
            .unwrap_or_else(|refused| panic!("{name}: {refused}"));
        assert!(found.is_empty(), "{name}: {found:#?}");
        let _ = fs::remove_dir_all(&folder.0);
        known = Some((base, ours, now.mapping));
    }
}
