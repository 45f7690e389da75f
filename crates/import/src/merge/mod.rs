//! Merges two versions of a package that both come from a third: what people made of the types that were written, and what would
//! be written now.

mod pieces;
mod renamed;
mod text;
mod uses;

use crate::Imported;
use crate::mapping::{Mapping, keys};
use pieces::{HEAD, Piece, TAIL, pieces};
use std::collections::{BTreeMap, BTreeSet};
use uses::is_use;

/// Texts by their paths below the package.
pub type Files = BTreeMap<String, String>;

/// What both sides changed, each in its own way.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Conflict {
    /// The file, below the package.
    pub file: String,
    /// What it is in the file.
    pub what: String,
    /// What was written.
    pub base: String,
    /// What people made of it.
    pub ours: String,
    /// What would be written now.
    pub theirs: String,
}

/// One side, in pieces.
type Side = BTreeMap<String, Vec<Piece>>;

/// The mapping with the names that people gave to types in the source, where it has no other name for them by now: `base` is what
/// was written, `ours` what people made of it, and `imported` what would be written.
#[must_use]
pub fn names_of_source(base: &Files, ours: &Files, imported: &Imported) -> Mapping {
    let mut mapping = imported.mapping.clone();
    let now = imported.files.iter();
    let now = now.map(|(path, text)| (format!("src/{path}"), text.clone()));
    let now = renamed::pairs(base, &now.collect());
    for (old, own) in renamed::pairs(base, ours) {
        let is_new = |new: &&renamed::Id| new.1 == old.1 && own.1 != old.1;
        let Some((file, name)) = now.get(&old).filter(is_new) else {
            continue;
        };
        let mut types = imported.types.iter();
        let Some(named) = types.find(|it| it.name == *name && format!("src/{}", it.file) == *file)
        else {
            continue;
        };
        let places = named.places.iter().map(|place| {
            let [exact, _] = keys(place);
            exact
        });
        let places: BTreeSet<String> = places.collect();
        for others in mapping.types.values_mut() {
            others.retain(|place| !places.contains(place));
        }
        mapping.types.entry(own.1).or_default().extend(places);
    }
    mapping.types.retain(|_, places| !places.is_empty());
    mapping
}

/// The files with the names that `theirs` has for the same types.
fn with_names(files: &Files, theirs: &Files) -> Files {
    let names = renamed::pairs(files, theirs).into_iter();
    let names = names.filter(|(old, new)| old.1 != new.1);
    renamed::rename(files, &names.map(|(old, new)| (old, new.1)).collect())
}

/// Merges the changes from `base` to `theirs` into `ours`: what one side did not touch, the other one may change. Types
/// that have another name in `theirs` get it.
///
/// # Errors
///
/// Everything that cannot be merged.
pub fn merge(base: &Files, ours: &Files, theirs: &Files) -> Result<Files, Vec<Conflict>> {
    let mut conflicts = Vec::new();
    let (base, ours) = (&with_names(base, theirs), &with_names(ours, theirs));
    let [mut base, mut ours, mut theirs] =
        [base, ours, theirs].map(|files| side(files, &mut conflicts));
    if !conflicts.is_empty() {
        return Err(conflicts);
    }
    move_types(&mut base, &mut ours, &mut theirs);
    let paths: BTreeSet<&String> = base
        .keys()
        .chain(ours.keys())
        .chain(theirs.keys())
        .collect();
    let mut merged = Files::new();
    let mut left = Vec::new();
    let none = Vec::new();
    for path in paths {
        let [old, own, new] = [&base, &ours, &theirs].map(|side| side.get(path));
        let found = conflicts.len();
        let pieces = match (old, own, new) {
            (_, Some(own), None) if old.is_none() => own.clone(),
            // People removed the file, and nothing in it is new.
            (Some(old), None, Some(new)) if old == new => continue,
            (Some(_), None, None) => continue,
            (Some(old), Some(own), Some(new)) if old == own => new.clone(),
            _ => {
                let mut merging = Merging {
                    path,
                    conflicts: &mut conflicts,
                };
                merging.file(
                    old.unwrap_or(&none),
                    own.unwrap_or(&none),
                    new.unwrap_or(&none),
                )
            }
        };
        let text: String = pieces.iter().map(|piece| piece.text.as_str()).collect();
        let is_empty = pieces
            .iter()
            .all(|piece| is_use(piece) || [HEAD, TAIL].contains(&&*piece.key));
        match (new, syn::parse_file(&text)) {
            _ if conflicts.len() > found => {}
            (None, _) if old.is_some() && is_empty => {}
            (_, Err(error)) => conflicts.push(Conflict {
                file: path.clone(),
                what: format!("the file, which would be no Rust any more: {error}"),
                base: joined(old),
                ours: joined(own),
                theirs: joined(new),
            }),
            (_, Ok(_)) => {
                if old.is_some() && new.is_none() {
                    left.push(path.clone());
                }
                merged.insert(path.clone(), text);
            }
        }
    }
    left.iter().for_each(|path| keep_module(&mut merged, path));
    if conflicts.is_empty() {
        Ok(merged)
    } else {
        Err(conflicts)
    }
}

/// Declares the module of a file that has only what people wrote any more, as it was declared before.
fn keep_module(files: &mut Files, path: &str) {
    let module = path.trim_end_matches(".rs").trim_end_matches("/mod");
    let Some((folder, name)) = module.rsplit_once('/') else {
        return;
    };
    let parents = match folder {
        "src" => ["src/lib.rs".to_owned(), "src/main.rs".to_owned()],
        folder => [format!("{folder}/mod.rs"), format!("{folder}.rs")],
    };
    let parent = parents.iter().find(|parent| files.contains_key(*parent));
    let is_new = parent.is_none();
    let parent = parent.unwrap_or(&parents[0]).clone();
    let text = files.entry(parent.clone()).or_default();
    let declares = |line: &str| {
        line.trim_start_matches("pub ")
            .starts_with(&format!("mod {name};"))
    };
    if module != "src/lib" && module != "src/main" && !text.lines().any(declares) {
        text.push_str(&format!("pub mod {name};\n"));
    }
    if is_new {
        keep_module(files, &parent);
    }
}

/// Merges texts of any kind; `None` if both sides changed the same words.
#[must_use]
pub fn merge_texts(base: &str, ours: &str, theirs: &str) -> Option<String> {
    text::merge(base, ours, theirs)
}

fn joined(pieces: Option<&Vec<Piece>>) -> String {
    pieces
        .into_iter()
        .flatten()
        .map(|piece| piece.text.as_str())
        .collect()
}

fn side(files: &Files, conflicts: &mut Vec<Conflict>) -> Side {
    let mut side = Side::new();
    for (path, text) in files {
        match pieces(text) {
            Ok(pieces) => drop(side.insert(path.clone(), pieces)),
            Err((line, why)) => conflicts.push(Conflict {
                file: path.clone(),
                what: format!("line {line}, which is no Rust: {why}"),
                base: String::new(),
                ours: text
                    .lines()
                    .nth(line.saturating_sub(1))
                    .unwrap_or_default()
                    .to_owned(),
                theirs: String::new(),
            }),
        }
    }
    side
}

/// Moves types that one side has in another file now to that file on all sides.
fn move_types(base: &mut Side, ours: &mut Side, theirs: &mut Side) {
    let has = |side: &Side, path: &str, key: &str| {
        side.get(path)
            .is_some_and(|pieces| pieces.iter().any(|piece| piece.key == key))
    };
    let types: Vec<(String, String)> = base
        .iter()
        .flat_map(|(path, pieces)| {
            pieces
                .iter()
                .map(move |piece| (path.clone(), piece.key.clone()))
        })
        .filter(|(_, key)| key.starts_with("type "))
        .collect();
    for (path, key) in types {
        let moved_to = |side: &Side| {
            let places = side
                .keys()
                .filter(|other| has(side, other, &key) && !has(base, other, &key));
            let places: Vec<&String> = places.collect();
            match places[..] {
                [only] if !has(side, &path, &key) => Some(only.clone()),
                _ => None,
            }
        };
        match (moved_to(ours), moved_to(theirs)) {
            // People decide where it is.
            (Some(to), its) => {
                let module = uses::module_of(&to);
                let name = key.trim_start_matches("type ");
                for (side, from) in [
                    (&mut *base, &path),
                    (&mut *theirs, its.as_ref().unwrap_or(&path)),
                ] {
                    carry(side, from, &to, &key);
                    let leaf = (uses::module_of(from), name.to_owned());
                    uses::redirect(side, &leaf, &module);
                }
            }
            (None, Some(to)) => {
                carry(base, &path, &to, &key);
                carry(ours, &path, &to, &key);
            }
            (None, None) => {}
        }
    }
}

fn carry(side: &mut Side, from: &str, to: &str, key: &str) {
    let Some(pieces) = side.get_mut(from) else {
        return;
    };
    let Some(at) = pieces.iter().position(|piece| piece.key == key) else {
        return;
    };
    let piece = pieces.remove(at);
    let pieces = side.entry(to.to_owned()).or_insert_with(|| {
        [HEAD, TAIL]
            .map(|key| Piece {
                key: key.to_owned(),
                text: String::new(),
                inside: Vec::new(),
            })
            .to_vec()
    });
    pieces.insert(pieces.len().saturating_sub(1), piece);
}

/// The merge of one file.
struct Merging<'m> {
    path: &'m str,
    conflicts: &'m mut Vec<Conflict>,
}

impl Merging<'_> {
    fn file(&mut self, base: &[Piece], ours: &[Piece], theirs: &[Piece]) -> Vec<Piece> {
        let without = |pieces: &[Piece]| -> Vec<Piece> {
            pieces
                .iter()
                .filter(|piece| !is_use(piece))
                .cloned()
                .collect()
        };
        let items = self.list(&without(base), &without(ours), &without(theirs));
        let text: String = items.iter().map(|piece| piece.text.as_str()).collect();
        let words: BTreeSet<&str> = text
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .collect();
        let all = match ours.is_empty() {
            true => uses::merge(base, &items[..items.len().min(1)], theirs, &|name| {
                words.contains(name)
            }),
            false => uses::merge(base, ours, theirs, &|name| words.contains(name)),
        };
        // What our side uses stays where it is between its items.
        let mut merged: Vec<Piece> = Vec::new();
        let mut items = items.into_iter().peekable();
        let mut uses = all.into_iter().peekable();
        let own: BTreeSet<String> = uses.clone().map(|piece| piece.key).collect();
        while uses.peek().is_some() || items.peek().is_some() {
            match uses.peek() {
                Some(piece) if is_use(piece) => merged.extend(uses.next()),
                Some(piece) => match items.peek() {
                    Some(item) if item.key == piece.key => {
                        merged.extend(items.next());
                        uses.next();
                    }
                    // Another side added it.
                    Some(item) if !own.contains(&item.key) => merged.extend(items.next()),
                    // Another side removed it.
                    _ => drop(uses.next()),
                },
                None => merged.extend(items.next()),
            }
        }
        merged
    }

    /// Merges pieces one by one. Those that only the other side has come after those that they follow there.
    fn list(&mut self, base: &[Piece], ours: &[Piece], theirs: &[Piece]) -> Vec<Piece> {
        let find = |side: &[Piece], key: &str| side.iter().find(|piece| piece.key == key).cloned();
        let mut merged = Vec::new();
        for own in ours {
            match (find(base, &own.key), find(theirs, &own.key)) {
                (old, Some(new)) => {
                    let empty = Piece {
                        key: own.key.clone(),
                        text: String::new(),
                        inside: Vec::new(),
                    };
                    merged.push(self.piece(&old.unwrap_or(empty), own, &new));
                }
                (Some(old), None) if text::is_same(&old.text, &own.text) => {}
                (Some(old), None) if [HEAD, TAIL].contains(&&*own.key) => {
                    merged.push(old);
                }
                (Some(old), None) => {
                    self.conflict(&own.key, &old.text, &own.text, "");
                    merged.push(own.clone());
                }
                (None, None) => merged.push(own.clone()),
            }
        }
        for (index, new) in theirs.iter().enumerate() {
            if find(ours, &new.key).is_some() {
                continue;
            }
            match find(base, &new.key) {
                // Our side removed it.
                Some(old) if old.text == new.text => {}
                Some(old) => self.conflict(&new.key, &old.text, "", &new.text),
                None => {
                    let mut before = theirs[..index].iter().rev();
                    let at = before
                        .find_map(|before| merged.iter().position(|piece| piece.key == before.key));
                    merged.insert(at.map_or(0, |at| at + 1), new.clone());
                }
            }
        }
        merged
    }

    fn piece(&mut self, base: &Piece, ours: &Piece, theirs: &Piece) -> Piece {
        let text = match () {
            () if base.text == theirs.text => ours.text.clone(),
            () if text::is_same(&base.text, &ours.text)
                || text::is_same(&ours.text, &theirs.text) =>
            {
                theirs.text.clone()
            }
            () if !ours.inside.is_empty() && !theirs.inside.is_empty() => {
                let found = self.conflicts.len();
                let inside = self.list(&base.inside, &ours.inside, &theirs.inside);
                for conflict in &mut self.conflicts[found..] {
                    conflict.what = format!("{}, `{}`", ours.key, conflict.what);
                }
                inside.into_iter().map(|piece| piece.text).collect()
            }
            () => {
                let texts = with_same_derives([&base.text, &ours.text, &theirs.text]);
                text::merge(&texts[0], &texts[1], &texts[2]).unwrap_or_else(|| {
                    self.conflict(&ours.key, &base.text, &ours.text, &theirs.text);
                    ours.text.clone()
                })
            }
        };
        Piece {
            text,
            ..ours.clone()
        }
    }

    fn conflict(&mut self, what: &str, base: &str, ours: &str, theirs: &str) {
        self.conflicts.push(Conflict {
            file: self.path.to_owned(),
            what: what.to_owned(),
            base: base.to_owned(),
            ours: ours.to_owned(),
            theirs: theirs.to_owned(),
        });
    }
}

/// Merges the lists of `derive`, whose order says nothing, and writes the merged list into all texts.
fn with_same_derives(texts: [&str; 3]) -> [String; 3] {
    const START: &str = "#[derive(";
    let lists = texts.map(|text| {
        let (_, rest) = text.split_once(START)?;
        let (list, after) = rest.split_once(")]")?;
        let is_one = !after.contains(START) && !list.contains('(');
        is_one.then(|| {
            list.split(',')
                .map(str::trim)
                .filter(|name| !name.is_empty())
                .collect::<Vec<&str>>()
        })
    });
    let [Some(base), Some(ours), Some(theirs)] = lists else {
        return texts.map(str::to_owned);
    };
    let kept = ours
        .iter()
        .filter(|name| theirs.contains(name) || !base.contains(name));
    let added = theirs
        .iter()
        .filter(|name| !base.contains(name) && !ours.contains(name));
    let names: Vec<&str> = kept.chain(added).copied().collect();
    // A list that did not change keeps its form.
    let form = texts[1]
        .split_once(START)
        .and_then(|(_, rest)| rest.split_once(")]"));
    let list = match (form, names == ours) {
        (Some((form, _)), true) => form.to_owned(),
        _ => names.join(", "),
    };
    texts.map(|text| {
        let parts = text
            .split_once(START)
            .and_then(|(before, rest)| Some((before, rest.split_once(")]")?.1)));
        parts.map_or_else(
            || text.to_owned(),
            |(before, after)| format!("{before}{START}{list})]{after}"),
        )
    })
}
