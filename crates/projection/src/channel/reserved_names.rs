//! The paths at which tombstones reserve names: one for each use of a type.

use super::condition_lists::condition_lists;
use super::kinds::Kind;
use super::wire::{inside, tag_path};
use crd_channels_diagnostics::Text;
use crd_channels_schema::draft::{Draft, Tombstone, Type};
use crd_channels_schema::marks::Condition;
use crd_channels_schema::path::{condition, push};
use std::collections::HashMap;
use std::sync::Arc;

/// A name reserved at one path.
#[derive(Clone, Debug)]
pub struct ReservedName {
    /// The group of the kind.
    pub group: Text,
    /// The kind.
    pub kind: Text,
    /// The path of the object or value that had it, such as `spec.rules[]`; `.` for the root. For a condition it is the path of
    /// the list; for a reason that of the condition.
    pub path: String,
    /// The tombstone.
    pub tombstone: Tombstone,
    /// Whether it was a condition or a reason, which not all bundles record.
    pub of_condition: bool,
}

/// Returns the reserved names of some kinds, for all channels and versions; each path once.
#[must_use]
pub fn reserved_names(kinds: &[Kind]) -> Vec<ReservedName> {
    let mut found: Vec<ReservedName> = Vec::new();
    for kind in kinds {
        let mut search = Search::default();
        for root in kind.versions.iter().filter_map(|draft| draft.root.as_ref()) {
            search.walk(root, "");
        }
        kind.versions
            .iter()
            .for_each(|draft| search.conditions(draft));
        for (path, tombstone, of_condition) in search.found {
            let known = |name: &ReservedName| {
                name.kind == kind.kind
                    && name.group == kind.group
                    && name.path == path
                    && name.tombstone.name == tombstone.name
            };
            if !found.iter().any(known) {
                found.push(ReservedName {
                    group: kind.group.clone(),
                    kind: kind.kind.clone(),
                    path,
                    tombstone,
                    of_condition,
                });
            }
        }
    }
    found
}

#[derive(Default)]
struct Search {
    /// The path, the tombstone, and whether it is one of a condition.
    found: Vec<(String, Tombstone, bool)>,
    /// Whether a type, or one below it, has a tombstone. Most types have none and are skipped.
    below: HashMap<*const Type, bool>,
}

impl Search {
    fn walk(&mut self, ty: &Arc<Type>, path: &str) {
        if !self.has(ty) {
            return;
        }
        let at = if path.is_empty() { "." } else { path };
        // The names of variants are values of the tag.
        let places = [Some(at.to_owned()), tag_path(ty, path)];
        for place in places.into_iter().flatten() {
            let stones = ty.tombstones.iter();
            let found = stones.map(|tombstone| (place.clone(), tombstone.clone(), false));
            self.found.extend(found);
        }
        for below in inside(ty) {
            let mut path = path.to_owned();
            below
                .segments
                .iter()
                .for_each(|segment| push(&mut path, *segment));
            self.walk(below.ty, &path);
        }
    }

    fn conditions(&mut self, draft: &Draft) {
        for list in condition_lists(draft) {
            let place = |of: &Condition| condition(&list.path, &of.name);
            let reasons = list.conditions.types.iter();
            let reasons = reasons.map(|of| (place(of), &of.reasons.declared_by));
            let types = (list.path.clone(), &list.conditions.declared_by);
            for (path, declared_by) in std::iter::once(types).chain(reasons) {
                let stones = declared_by.tombstones.iter();
                let found = stones.map(|tombstone| (path.clone(), tombstone.clone(), true));
                self.found.extend(found);
            }
        }
    }

    fn has(&mut self, ty: &Arc<Type>) -> bool {
        if let Some(known) = self.below.get(&Arc::as_ptr(ty)) {
            return *known;
        }
        // Recursive types are refused elsewhere; this only ends the recursion.
        self.below.insert(Arc::as_ptr(ty), false);
        let own = !ty.tombstones.is_empty();
        let has = inside(ty)
            .into_iter()
            .fold(own, |has, below| self.has(below.ty) || has);
        self.below.insert(Arc::as_ptr(ty), has);
        has
    }
}

#[cfg(test)]
mod tests {
    use super::super::builders::*;
    use super::reserved_names;
    use crd_channels_schema::draft::Tagging;

    #[test]
    fn a_name_is_gone_from_every_place_that_had_it() {
        let inner = with_tombstone(&object("T", vec![text("a")]), "old");
        let either = choice("E", Tagging::External, vec![variant("plain")]);
        let either = with_tombstone(&either, "Gone");
        let tag = Tagging::Internal { tag: "type".into() };
        let tagged = with_tombstone(&choice("F", tag, vec![variant("plain")]), "Gone");
        let fields = vec![
            field("one", inner.clone()),
            field("more", list(inner)),
            field("kind", either),
            field("tagged", tagged),
        ];
        let kinds = [kind(vec![gateway(fields)])];
        let found: Vec<String> = reserved_names(&kinds)
            .into_iter()
            .map(|name| format!("{} {}: {}", name.kind, name.path, name.tombstone.name))
            .collect();
        assert_eq!(
            found,
            [
                "Gateway spec.one: old",
                "Gateway spec.more[]: old",
                "Gateway spec.kind: Gone",
                "Gateway spec.tagged: Gone",
                "Gateway spec.tagged.type: Gone"
            ]
        );
    }
}
