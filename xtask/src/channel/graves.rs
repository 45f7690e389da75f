//! Where the names stand that tombstones keep out of use: for each place that a type is used in, one.

use super::kinds::Kind;
use crate::Text;
use crate::schema::draft::{Content, Enum, Field, Shape, Struct, Tagging, Tombstone, Type};
use std::collections::HashMap;
use std::sync::Arc;

/// A name that is gone from one place.
#[derive(Clone, Debug)]
pub struct Grave {
    /// The group of the kind.
    pub group: Text,
    /// The kind.
    pub kind: Text,
    /// The object or the value that had it, as in `spec.rules[]`; `.` for the root.
    pub path: String,
    /// The tombstone.
    pub stone: Tombstone,
}

/// The names that are gone from some kinds, whatever the channel and the version; each place once.
#[must_use]
pub fn graves(kinds: &[Kind]) -> Vec<Grave> {
    let mut found: Vec<Grave> = Vec::new();
    for kind in kinds {
        let mut search = Search::default();
        for root in kind.versions.iter().filter_map(|draft| draft.root.as_ref()) {
            search.walk(root, &mut Vec::new());
        }
        for (path, stone) in search.found {
            let known = |grave: &Grave| {
                grave.kind == kind.kind
                    && grave.group == kind.group
                    && grave.path == path
                    && grave.stone.name == stone.name
            };
            if !found.iter().any(known) {
                found.push(Grave {
                    group: kind.group.clone(),
                    kind: kind.kind.clone(),
                    path,
                    stone,
                });
            }
        }
    }
    found
}

#[derive(Default)]
struct Search {
    found: Vec<(String, Tombstone)>,
    /// Whether a tombstone stands in a type or below it. Most of the tree has none and is not walked.
    below: HashMap<*const Type, bool>,
}

impl Search {
    fn walk<'t>(&mut self, ty: &'t Arc<Type>, path: &mut Vec<Step<'t>>) {
        if !self.has(ty) {
            return;
        }
        let at = shown(path);
        let stones = ty.tombstones.iter();
        self.found
            .extend(stones.map(|stone| (at.clone(), stone.clone())));
        for (step, below) in inside(ty) {
            let depth = path.len();
            path.extend(step);
            self.walk(below, path);
            path.truncate(depth);
        }
    }

    fn has(&mut self, ty: &Arc<Type>) -> bool {
        if let Some(known) = self.below.get(&Arc::as_ptr(ty)) {
            return *known;
        }
        // What contains itself is refused elsewhere; here it must only end.
        self.below.insert(Arc::as_ptr(ty), false);
        let own = !ty.tombstones.is_empty();
        let has = inside(ty)
            .into_iter()
            .fold(own, |has, (_, below)| self.has(below) || has);
        self.below.insert(Arc::as_ptr(ty), has);
        has
    }
}

/// One step of a path.
#[derive(Clone, Copy)]
enum Step<'t> {
    Property(&'t str),
    Items,
    Values,
}

fn shown(path: &[Step<'_>]) -> String {
    let mut text = String::new();
    for step in path {
        match step {
            Step::Items => text.push_str("[]"),
            Step::Values => text.push_str("{}"),
            Step::Property(name) => {
                if !text.is_empty() {
                    text.push('.');
                }
                text.push_str(name);
            }
        }
    }
    if text.is_empty() {
        ".".to_owned()
    } else {
        text
    }
}

/// The types that a type is made of, each with the steps to it on the wire.
fn inside(ty: &Type) -> Vec<(Vec<Step<'_>>, &Arc<Type>)> {
    match &ty.shape {
        Shape::Any | Shape::Unit | Shape::Scalar(_) | Shape::IntegerEnum(_) | Shape::Literal(_) => {
            Vec::new()
        }
        Shape::Option(inner) => vec![(Vec::new(), inner)],
        Shape::List { items, .. } => vec![(vec![Step::Items], items)],
        Shape::Map { value, .. } => vec![(vec![Step::Values], value)],
        Shape::Newtype(field) => vec![(Vec::new(), &field.ty)],
        Shape::Tuple(fields) => fields
            .iter()
            .map(|field| (vec![Step::Items], &field.ty))
            .collect(),
        Shape::Struct(body) => fields(&[], body),
        Shape::Enum(def) => variants(def),
    }
}

fn fields<'t>(before: &[Step<'t>], body: &'t Struct) -> Vec<(Vec<Step<'t>>, &'t Arc<Type>)> {
    let step = |field: &'t Field| {
        let mut steps = before.to_vec();
        if !field.flatten {
            steps.push(Step::Property(&field.name));
        }
        (steps, &field.ty)
    };
    body.fields.iter().map(step).collect()
}

fn variants(def: &Enum) -> Vec<(Vec<Step<'_>>, &Arc<Type>)> {
    let mut found = Vec::new();
    for variant in &def.variants {
        let before = match &def.tagging {
            Tagging::External if !variant.untagged => vec![Step::Property(&variant.name)],
            Tagging::Adjacent { content, .. } => vec![Step::Property(content)],
            Tagging::External | Tagging::Internal { .. } | Tagging::Untagged => Vec::new(),
        };
        match &variant.content {
            Content::Unit => {}
            Content::With(ty) => found.push((before, ty)),
            Content::Newtype(field) => found.push((before, &field.ty)),
            Content::Tuple(items) => found.extend(items.iter().map(|field| {
                let mut steps = before.clone();
                steps.push(Step::Items);
                (steps, &field.ty)
            })),
            Content::Struct(body) => found.extend(fields(&before, body)),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::builders::*;
    use super::graves;
    use crate::schema::draft::{Tagging, Tombstone, Type};
    use std::sync::Arc;

    fn buried(ty: &Arc<Type>, name: &str) -> Arc<Type> {
        let mut ty = Type::clone(ty);
        ty.tombstones.push(Tombstone {
            name: name.into(),
            removed: "v0.2.0".into(),
            reason: "too vague".into(),
            span: somewhere(),
        });
        Arc::new(ty)
    }

    #[test]
    fn a_name_is_gone_from_every_place_that_had_it() {
        let inner = buried(&object("T", vec![text("a")]), "old");
        let either = choice("E", Tagging::External, vec![variant("plain")]);
        let either = buried(&either, "Gone");
        let fields = vec![
            field("one", inner.clone()),
            field("more", list(inner)),
            field("kind", either),
        ];
        let kinds = [kind(vec![gateway(fields)])];
        let found: Vec<String> = graves(&kinds)
            .into_iter()
            .map(|grave| format!("{} {}: {}", grave.kind, grave.path, grave.stone.name))
            .collect();
        assert_eq!(
            found,
            [
                "Gateway spec.one: old",
                "Gateway spec.more[]: old",
                "Gateway spec.kind: Gone"
            ]
        );
    }
}
