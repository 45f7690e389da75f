//! What is known of the values that a node accepts.

use crate::values::{Kinds, Limit, Local, enforced, kinds};
use crd_channels_cel::Text;
use crd_channels_schema::path::Segment;
use crd_channels_schema::{Additional, Bounds, Junctors, Schema};
use std::borrow::Cow;
use std::sync::Arc;

/// A node of the old bundle, and the same node of the new one, which reads the values.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) old: &'a Schema,
    pub(super) new: &'a Schema,
}

/// What is known of a value: the old node accepts it, and more.
#[derive(Clone)]
pub(super) struct Known<'a> {
    /// Schemas that the value satisfies. At a place, the first is the old node.
    pub(super) parts: Vec<Cow<'a, Schema>>,
    /// Schemas that it does not satisfy.
    pub(super) nots: Vec<Cow<'a, Schema>>,
    /// Its place; `None` for a value that no node describes.
    pub(super) place: Option<Place<'a>>,
    /// Whether the new node reads every value as it is.
    pub(super) is_settled: bool,
    /// The kinds that it may have.
    only: Kinds,
}

impl<'a> Known<'a> {
    pub(super) fn of_node(old: &'a Schema, new: &'a Schema) -> Self {
        let mut known = Self {
            parts: Vec::new(),
            nots: Vec::new(),
            place: Some(Place { old, new }),
            is_settled: is_settled(old, new),
            only: Kinds::ALL,
        };
        known.add(Cow::Borrowed(old));
        known
    }

    /// A value of which nothing is known.
    fn unknown() -> Self {
        Self {
            parts: Vec::new(),
            nots: Vec::new(),
            place: None,
            is_settled: false,
            only: Kinds::ALL,
        }
    }

    pub(super) fn restrict(&mut self, kinds: Kinds) {
        self.only = self.only.and(kinds);
    }

    /// Adds a schema that the value satisfies, and what follows from its junctors for any value.
    pub(super) fn add(&mut self, part: Cow<'a, Schema>) {
        let mut more: Vec<Cow<'a, Schema>> = Vec::new();
        let mut nots: Vec<Cow<'a, Schema>> = Vec::new();
        match &part {
            Cow::Borrowed(part) => {
                if let Some(junctors) = part.junctors.as_deref() {
                    more.extend(junctors.all_of.iter().map(Cow::Borrowed));
                    nots.extend(junctors.not.as_deref().map(Cow::Borrowed));
                }
            }
            Cow::Owned(part) => {
                if let Some(junctors) = part.junctors.as_deref() {
                    more.extend(junctors.all_of.iter().cloned().map(Cow::Owned));
                    nots.extend(junctors.not.as_deref().cloned().map(Cow::Owned));
                }
            }
        }
        self.parts.push(part);
        for part in more {
            self.add(part);
        }
        for not in nots {
            match negated(&not) {
                Some(part) => self.add(Cow::Owned(part)),
                None => self.nots.push(not),
            }
        }
    }

    pub(super) fn with(&self, part: Cow<'a, Schema>) -> Self {
        let mut known = self.clone();
        known.add(part);
        known
    }

    pub(super) fn with_not(&self, not: Cow<'a, Schema>) -> Self {
        let mut known = self.clone();
        known.nots.push(not);
        known
    }

    /// What is known of the value as the old node reads it.
    pub(super) fn before(&self) -> Self {
        Self {
            nots: Vec::new(),
            place: self.place.map(|Place { old, .. }| Place { old, new: old }),
            is_settled: true,
            ..self.clone()
        }
    }

    /// The kinds of the value.
    pub(super) fn kinds(&self) -> Kinds {
        let parts = self.parts.iter();
        parts.fold(self.only, |all, part| all.and(kinds(part)))
    }

    /// The value by its own keywords.
    pub(super) fn local(&self) -> Option<Local<'_>> {
        let listed = self
            .parts
            .iter()
            .filter(|part| !part.enum_values.is_empty());
        let base = listed.min_by_key(|part| part.enum_values.len());
        let base: &Schema = base.or(self.parts.first())?;
        let others = self
            .parts
            .iter()
            .filter(|part| !std::ptr::eq(&***part, base));
        let local = others.fold(Local::from_schema(base), |local, other| local.also(other));
        let local = local.only(self.only);
        let mut listed = false;
        Some(self.nots.iter().fold(local, |local, not| match sole(not) {
            Some(Sole::Limit(limit, bounds)) => match local.clone().outside(limit, bounds) {
                Some(outside) => outside,
                None => local,
            },
            Some(Sole::Pattern(pattern)) => local.not_matching(pattern),
            Some(Sole::Enum) if !listed => {
                listed = true;
                local.none_of(&not.enum_values).without(Kinds::NULL)
            }
            Some(Sole::Enum) | None => local,
        }))
    }

    /// Whether the old node leaves a field in every value: it is required, or has a default.
    pub(super) fn had(&self, name: &str) -> bool {
        let default = |place: Place<'_>| place.old.properties.get(name)?.default.clone();
        self.parts.iter().any(|part| requires(part, name)) || self.place.and_then(default).is_some()
    }

    /// Whether no value has a field: the old node drops it, or the value fails for having it.
    pub(super) fn lacked(&self, name: &str) -> bool {
        let dropped = self.place.is_some_and(|place| !may_have(place.old, name));
        dropped || self.nots.iter().any(|not| is_only_required(not, name))
    }

    /// Whether the new node leaves a field in every value.
    pub(super) fn has(&self, name: &str) -> bool {
        let Some(Place { old, new }) = self.place else {
            return self.had(name);
        };
        let read = new.properties.get(name);
        let is_added = read.is_some_and(|read| read.default.is_some());
        is_added || (self.had(name) && is_carried(old, new, name))
    }

    /// Whether no value has a field that the new node read.
    pub(super) fn lacks(&self, name: &str) -> bool {
        let Some(Place { new, .. }) = self.place else {
            return self.lacked(name);
        };
        if !may_have(new, name) {
            return true;
        }
        let is_added = new
            .properties
            .get(name)
            .is_some_and(|read| read.default.is_some());
        !is_added && self.lacked(name)
    }

    /// The default that the new node adds if a field is missing, as it was not before.
    pub(super) fn added_default(&self, name: &str) -> Option<&'a serde_json::Value> {
        let Place { old, new } = self.place?;
        let default = new.properties.get(name)?.default.as_deref()?;
        let had = old.properties.get(name);
        let was_there = had.is_some_and(|had| had.default.is_some() && !had.nullable);
        (!was_there).then_some(default)
    }

    /// What is known of a child, if the value has it.
    pub(super) fn child(&self, segment: Segment<&str>) -> Self {
        let both = self
            .place
            .map(|Place { old, new }| (child_schema(old, segment), child_schema(new, segment)));
        let place = match both {
            Some((Some(old), Some(new))) => Some(Place { old, new }),
            // The new node reads what the old one kept as it was.
            Some((None, Some(_))) => return Self::unknown(),
            _ => None,
        };
        let mut known = Known {
            place,
            is_settled: self.is_settled
                || place.is_some_and(|Place { old, new }| is_settled(old, new)),
            ..Self::unknown()
        };
        for part in &self.parts {
            match part {
                Cow::Borrowed(part) => {
                    if let Some(part) = child_schema(part, segment) {
                        known.add(Cow::Borrowed(part));
                    }
                }
                Cow::Owned(part) => {
                    if let Some(part) = child_schema(part, segment) {
                        known.add(Cow::Owned(part.clone()));
                    }
                }
            }
        }
        if let Segment::Property(name) = segment {
            let nots = self
                .nots
                .iter()
                .filter_map(|not| only_of_child(self, not, name));
            known.nots.extend(nots.cloned().map(Cow::Owned));
        }
        known
    }

    /// How many fields a value has at least and at most, as the old node reads it.
    pub(super) fn count(&self) -> (u64, Option<u64>) {
        let mut names: Vec<&Text> = self.parts.iter().flat_map(|part| &part.required).collect();
        names.sort_unstable();
        names.dedup();
        let bounds = || self.parts.iter().filter_map(|part| part.bounds.as_deref());
        let least = bounds().filter_map(|bounds| bounds.min_properties).max();
        let most = bounds().filter_map(|bounds| bounds.max_properties).min();
        let closed = self
            .place
            .map(|place| place.old)
            .filter(|old| !is_open(old));
        let possible = closed.map(|old| {
            let names = old.properties.keys().filter(|name| !self.lacked(name));
            names.count() as u64
        });
        let most = match (most, possible) {
            (Some(most), Some(possible)) => Some(most.min(possible)),
            (most, possible) => most.or(possible),
        };
        (least.unwrap_or(0).max(names.len() as u64), most)
    }

    /// The lists of which a value satisfies some branch, and whether it is exactly one.
    pub(super) fn lists(&self) -> Vec<(Vec<Cow<'a, Schema>>, bool)> {
        let mut lists = Vec::new();
        let mut add = |branches: Vec<Cow<'a, Schema>>, is_one| {
            if !branches.is_empty() {
                lists.push((branches, is_one));
            }
        };
        for part in &self.parts {
            match part {
                Cow::Borrowed(part) => {
                    if let Some(junctors) = part.junctors.as_deref() {
                        add(junctors.any_of.iter().map(Cow::Borrowed).collect(), false);
                        add(junctors.one_of.iter().map(Cow::Borrowed).collect(), true);
                    }
                }
                Cow::Owned(part) => {
                    if let Some(junctors) = part.junctors.as_deref() {
                        let owned = |branch: &Schema| Cow::Owned(branch.clone());
                        add(junctors.any_of.iter().map(owned).collect(), false);
                        add(junctors.one_of.iter().map(owned).collect(), true);
                    }
                }
            }
        }
        lists
    }
}

fn requires(schema: &Schema, name: &str) -> bool {
    schema.required.iter().any(|required| **required == *name)
}

/// Whether a node keeps fields that it does not declare.
fn is_open(node: &Schema) -> bool {
    node.preserve_unknown_fields
        || node.embedded_resource
        || matches!(
            node.additional_properties,
            Some(Additional::Schema(_) | Additional::Allowed(true))
        )
}

/// Whether a node may leave a field in a value. A server always keeps the fields that every object has.
fn may_have(node: &Schema, name: &str) -> bool {
    let own = ["apiVersion", "kind", "metadata"];
    is_open(node) || node.properties.contains_key(name) || own.contains(&name)
}

/// Whether the new node keeps a field that the old one left.
fn is_carried(old: &Schema, new: &Schema, name: &str) -> bool {
    match (old.properties.get(name), new.properties.get(name)) {
        (Some(had), Some(has)) => has.nullable || !had.nullable,
        (None, Some(_)) => false,
        (_, None) if new.preserve_unknown_fields => true,
        (Some(_), None) => false,
        (None, None) => match (old.values(), new.values()) {
            (Some(had), Some(has)) => has.nullable || !had.nullable,
            _ => false,
        },
    }
}

/// The child of a schema.
fn child_schema<'s>(schema: &'s Schema, segment: Segment<&str>) -> Option<&'s Schema> {
    match segment {
        Segment::Property(name) => schema.member(name).map(|child| &**child),
        Segment::Items => schema.items.as_deref(),
        Segment::Values => schema.values().map(|child| &**child),
    }
}

/// Whether a new node reads every value of an old one as it is.
fn is_settled(old: &Schema, new: &Schema) -> bool {
    if std::ptr::eq(old, new) {
        return true;
    }
    let was_open = is_open(old);
    if was_open && (!is_open(new) || old.embedded_resource != new.embedded_resource) {
        return false;
    }
    let child = |had: &Schema, has: &Schema| {
        let drops_null = had.nullable && !has.nullable;
        let adds_default = had.default.is_none() && has.default.is_some();
        !drops_null && !adds_default && is_settled(had, has)
    };
    let each = |had: Option<&Arc<Schema>>, has: Option<&Arc<Schema>>| match (had, has) {
        (Some(had), Some(has)) => child(had, has),
        (had, has) => had.is_none() && has.is_none(),
    };
    let mut had = old.properties.iter();
    let mut has = new.properties.iter();
    had.all(|(name, had)| new.properties.get(name).is_some_and(|has| child(had, has)))
        && has.all(|(name, has)| {
            old.properties.contains_key(name) || (!was_open && has.default.is_none())
        })
        && each(old.items.as_ref(), new.items.as_ref())
        && each(old.values(), new.values())
}

/// What a schema excludes, if it does nothing else.
fn negated(schema: &Schema) -> Option<Schema> {
    let junctors = schema.junctors.as_deref()?;
    let not = junctors.not.as_deref()?;
    let only = Junctors {
        not: Some(Box::new(not.clone())),
        ..Junctors::default()
    };
    let rest = Schema {
        junctors: None,
        ..bare(schema)
    };
    (rest == Schema::default() && *junctors == only).then(|| not.clone())
}

/// The one constraint of a schema that has no other.
enum Sole<'s> {
    Limit(Limit, &'s Bounds),
    Pattern(&'s Text),
    Enum,
}

/// The constraint of a schema that has no other one, whose negation is therefore known.
fn sole(schema: &Schema) -> Option<Sole<'_>> {
    let rest = Schema {
        bounds: None,
        enum_values: Vec::new(),
        ..bare(schema)
    };
    if rest != Schema::default() || enforced(schema).is_some() {
        return None;
    }
    match (schema.enum_values.is_empty(), schema.bounds.as_deref()) {
        (false, None) => Some(Sole::Enum),
        (true, Some(bounds)) => {
            let limits = Limit::ALL
                .into_iter()
                .filter(|it| it.shown(bounds).is_some());
            let limits: Vec<Limit> = limits.collect();
            match (limits.as_slice(), &bounds.pattern) {
                ([limit], None) => Some(Sole::Limit(*limit, bounds)),
                ([], Some(pattern)) => Some(Sole::Pattern(pattern)),
                _ => None,
            }
        }
        _ => None,
    }
}

fn bare(schema: &Schema) -> Schema {
    crate::schemas::normalize::without_notes(schema)
}

/// Whether a schema is satisfied by every object with a field, and by nothing else.
fn is_only_required(schema: &Schema, name: &str) -> bool {
    let [required] = schema.required.as_slice() else {
        return false;
    };
    let rest = Schema {
        required: Vec::new(),
        ..bare(schema)
    };
    **required == *name && rest == Schema::default()
}

/// What a field that is there does not satisfy, if that is all that a value fails.
fn only_of_child<'s>(known: &Known<'_>, not: &'s Schema, name: &str) -> Option<&'s Schema> {
    let child = not.properties.get(name)?;
    let rest = Schema {
        required: Vec::new(),
        properties: Default::default(),
        ..bare(not)
    };
    let is_all = rest == Schema::default()
        && not.properties.len() == 1
        && not
            .required
            .iter()
            .all(|other| **other == *name || known.had(other));
    is_all.then_some(&**child)
}
