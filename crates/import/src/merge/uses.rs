//! Merges what files use, name by name.

use super::pieces::{Piece, USE};
use crate::meta::use_line;
use std::collections::{BTreeMap, BTreeSet};
use syn::{Item, UseTree};

/// A name that a file uses: the path before it, and the name, perhaps with `as`.
pub(super) type Leaf = (String, String);

/// The plain `use` of our side, with what the other side added, and without what it removed and nothing mentions.
pub(super) fn merge(
    base: &[Piece],
    ours: &[Piece],
    theirs: &[Piece],
    is_mentioned: &dyn Fn(&str) -> bool,
) -> Vec<Piece> {
    let [old, own, new] = [base, ours, theirs].map(|pieces| -> BTreeSet<Leaf> {
        let uses = pieces.iter().filter(|piece| is_use(piece));
        uses.flat_map(|piece| leaves(&piece.text)).collect()
    });
    let mut added: BTreeSet<&Leaf> = new
        .iter()
        .filter(|leaf| !old.contains(*leaf) && !own.contains(*leaf))
        .collect();
    let is_removed = |leaf: &Leaf| {
        let has_other = || {
            new.iter()
                .any(|other| other.1 == leaf.1 && other.0 != leaf.0)
        };
        old.contains(leaf) && !new.contains(leaf) && (!is_mentioned(&leaf.1) || has_other())
    };
    let mut merged = Vec::new();
    for piece in ours {
        if !is_use(piece) {
            merged.push(piece.clone());
            continue;
        }
        let before = leaves(&piece.text);
        let mut kept: BTreeSet<Leaf> = before
            .iter()
            .filter(|leaf| !is_removed(leaf))
            .cloned()
            .collect();
        let path = before.first().map(|(path, _)| path.clone());
        if before.iter().all(|leaf| Some(&leaf.0) == path.as_ref()) {
            kept.extend(
                added
                    .iter()
                    .filter(|leaf| Some(&leaf.0) == path.as_ref())
                    .map(|leaf| (*leaf).clone()),
            );
        }
        added.retain(|leaf| !kept.contains(*leaf));
        if kept == before.iter().cloned().collect() {
            merged.push(piece.clone());
        } else if !kept.is_empty() {
            let lead = piece.text.find("use ").and_then(|at| piece.text.get(..at));
            merged.push(Piece {
                text: format!("{}{}", lead.unwrap_or_default(), written(&kept)),
                ..piece.clone()
            });
        }
    }
    // Where nothing is used yet, they keep their form.
    if !ours.iter().any(is_use) {
        let whole = |piece: &&Piece| {
            is_use(piece) && leaves(&piece.text).iter().all(|leaf| added.contains(leaf))
        };
        let whole: Vec<Piece> = theirs.iter().filter(whole).cloned().collect();
        added.retain(|leaf| !whole.iter().any(|piece| leaves(&piece.text).contains(leaf)));
        let at = merged.len().min(1);
        merged.splice(at..at, whole);
    }
    // The others come where they are in the order of the lines.
    for line in lines(&added.into_iter().cloned().collect()) {
        let last = merged
            .iter()
            .rposition(is_use)
            .map_or(merged.len().min(1), |at| at + 1);
        let after = merged
            .iter()
            .position(|piece| is_use(piece) && piece.text > line);
        let piece = Piece {
            key: format!("{USE}{line}"),
            text: line,
            inside: Vec::new(),
        };
        merged.insert(after.unwrap_or(last), piece);
    }
    merged
}

pub(super) fn is_use(piece: &Piece) -> bool {
    piece.key.starts_with(USE)
}

/// The text that uses these names.
fn written(leaves: &BTreeSet<Leaf>) -> String {
    lines(leaves).concat()
}

fn lines(leaves: &BTreeSet<Leaf>) -> Vec<String> {
    let mut by_path: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (path, name) in leaves {
        by_path.entry(path).or_default().push(name);
    }
    let lines = by_path.iter().map(|(path, names)| use_line(path, names));
    lines.collect()
}

/// The names that a text uses.
pub(super) fn leaves(text: &str) -> Vec<Leaf> {
    let mut found = Vec::new();
    for item in syn::parse_file(text)
        .map(|file| file.items)
        .unwrap_or_default()
    {
        if let Item::Use(of) = item {
            walk(&of.tree, String::new(), &mut found);
        }
    }
    found
}

pub(super) fn walk(tree: &UseTree, path: String, found: &mut Vec<Leaf>) {
    match tree {
        UseTree::Path(of) => {
            let separator = if path.is_empty() { "" } else { "::" };
            walk(&of.tree, format!("{path}{separator}{}", of.ident), found);
        }
        UseTree::Name(of) => found.push((path, of.ident.to_string())),
        UseTree::Rename(of) => found.push((path, format!("{} as {}", of.ident, of.rename))),
        UseTree::Glob(_) => found.push((path, "*".to_owned())),
        UseTree::Group(of) => of
            .items
            .iter()
            .for_each(|tree| walk(tree, path.clone(), found)),
    }
}

/// Lets a side use a name from another module.
pub(super) fn redirect(side: &mut BTreeMap<String, Vec<Piece>>, from: &Leaf, to: &str) {
    for (file, pieces) in side {
        for piece in pieces.iter_mut().filter(|piece| is_use(piece)) {
            let leaves = leaves(&piece.text);
            if !leaves.contains(from) {
                continue;
            }
            let moved = leaves.into_iter().map(|leaf| {
                if leaf == *from {
                    (to.to_owned(), leaf.1)
                } else {
                    leaf
                }
            });
            // A module does not use its own.
            let kept = moved.filter(|(path, _)| *path != module_of(file));
            piece.text = written(&kept.collect());
        }
    }
}

/// The module of a file.
pub(super) fn module_of(file: &str) -> String {
    let inside = file
        .trim_start_matches("src/")
        .trim_end_matches(".rs")
        .trim_end_matches("/mod");
    format!("crate::{}", inside.replace('/', "::"))
}
