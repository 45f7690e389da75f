//! Unions: fields of which some exclude each other. Their members are restored together or not at all.

use super::shapes::{KnownShape, Union};
use super::{Lost, LostValue, Trip};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The members of a union that a round trip adds, drops or exchanges.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct LostUnion {
    /// The members that the round trip shows, and those if a server adds the defaults of the other version. They are restored
    /// only if these are chosen still.
    shown: Vec<Choice>,
    members: BTreeMap<String, LostValue>,
}

/// The chosen members of a union; of a tag, with its value.
type Choice = BTreeMap<String, Option<Value>>;

impl Union {
    fn choice(&self, object: &Map<String, Value>) -> Choice {
        let chosen = object.iter().filter(|(name, value)| {
            self.members.contains(*name) && (!value.is_null() || self.null.contains(*name))
        });
        let chosen = chosen.map(|(name, value)| {
            let value = self.tags.contains(name).then(|| value.clone());
            (name.clone(), value)
        });
        chosen.collect()
    }
}

/// Takes out of the lost fields of an object those that belong to another choice of members.
pub(super) fn lost(
    fields: &mut BTreeMap<String, Lost>,
    trip: Trip<'_>,
    shape: KnownShape<'_>,
) -> Vec<LostUnion> {
    let mut all = Vec::new();
    let (Some(Value::Object(was)), Some(Value::Object(shown))) = (trip.was, trip.shown) else {
        return all;
    };
    for union in shape.unions() {
        let before = union.choice(was);
        let after = union.choice(shown);
        if before == after {
            continue;
        }
        let defaulted = trip.defaulted.and_then(Value::as_object);
        let defaulted = defaulted.map(|defaulted| union.choice(defaulted));
        let names = union.members.iter().filter(|name| {
            // The others choose nothing.
            let mut choices = [&before, &after].into_iter().chain(&defaulted);
            choices.any(|choice| choice.contains_key(*name))
        });
        let members = names.filter_map(|name| match fields.remove(name) {
            Some(Lost::Value(lost)) => Some((name.clone(), lost)),
            // The member is in both.
            Some(inner) => {
                fields.insert(name.clone(), inner);
                None
            }
            None => {
                // In neither, but a server adds it.
                let trip = trip.field(name);
                trip.was.is_none().then(|| (name.clone(), trip.lost()))
            }
        });
        let members: BTreeMap<String, LostValue> = members.collect();
        let mut choices = vec![after];
        choices.extend(defaulted);
        let carried = trip.carried.and_then(Value::as_object);
        let carried = carried.into_iter().flatten().filter(|(name, value)| {
            // A newer program may have them among the members.
            shape.lacks(name) && !value.is_null()
        });
        let carried: Choice = carried.map(|(name, _)| (name.clone(), None)).collect();
        for choice in &mut choices {
            choice.extend(carried.clone());
        }
        choices.dedup();
        all.push(LostUnion {
            shown: choices,
            members,
        });
    }
    all.extend(unknown(fields, shown, shape));
    all
}

/// Takes out the fields that the schema does not know. A newer one may have them among the members.
fn unknown(
    fields: &mut BTreeMap<String, Lost>,
    shown: &Map<String, Value>,
    shape: KnownShape<'_>,
) -> Vec<LostUnion> {
    let unions = shape.unions();
    if unions.is_empty() {
        return Vec::new();
    }
    let choice: Choice = unions
        .iter()
        .flat_map(|union| union.choice(shown))
        .collect();
    let (unknown, known): (BTreeMap<_, _>, _) = std::mem::take(fields)
        .into_iter()
        .partition(|(name, lost)| matches!(lost, Lost::Value(_)) && !shape.has_field(name));
    *fields = known;
    let unknown = unknown.into_iter().filter_map(|(name, lost)| match lost {
        Lost::Value(lost) => Some(LostUnion {
            shown: vec![choice.clone()],
            members: [(name, lost)].into(),
        }),
        _ => None,
    });
    unknown.collect()
}

/// Joins the members of each union: a former program that did not know all of them kept them one by one.
pub(super) fn join(all: &mut Vec<LostUnion>, shape: KnownShape<'_>) {
    for union in shape.unions() {
        let has_members =
            |lost: &mut LostUnion| lost.members().any(|name| union.members.contains(name));
        let joined = all.extract_if(.., has_members).reduce(|mut one, other| {
            one.shown.extend(other.shown);
            one.members.extend(other.members);
            one
        });
        all.extend(joined);
    }
}

/// Restores the members of each union of which the object still shows the same ones as then, unchanged.
pub(super) fn put_back(all: &[LostUnion], object: &mut Map<String, Value>, shape: KnownShape<'_>) {
    let is_there = |union: &&LostUnion| union.is_chosen(object, shape) && union.is_shown(object);
    let there: Vec<&LostUnion> = all.iter().filter(is_there).collect();
    for (name, lost) in there.into_iter().flat_map(|union| &union.members) {
        object.remove(name);
        object.extend(lost.was.clone().map(|was| (name.clone(), was)));
    }
}

impl LostUnion {
    /// Whether only a program whose schema has all members can tell if they are restored: others are chosen than then, or a field
    /// is gone that the schema does not know. Those that are there are `carried` along.
    pub(super) fn is_for_later(
        &self,
        object: &Map<String, Value>,
        carried: Option<&Value>,
        shape: KnownShape<'_>,
    ) -> bool {
        let is_unknown = !self.members.keys().any(|name| shape.has_field(name));
        let is_gone = |name: &String| {
            shape.lacks(name) && carried.is_some_and(|carried| carried.get(name).is_none())
        };
        let is_chosen = self.is_chosen(object, shape);
        let was_more = || self.shown.iter().all(|shown| shown.keys().any(is_gone));
        self.is_shown(object) && (is_unknown && !is_chosen || is_chosen && was_more())
    }

    /// Whether a member is chosen that was not, or another value is written in place of one. Servers write `null` for what is left
    /// out.
    pub(super) fn is_over(&self, object: &Map<String, Value>, shape: KnownShape<'_>) -> bool {
        let now = |name: &str| object.get(name).filter(|now| !now.is_null());
        let is_shown = |name: &String, value: &Option<Value>| {
            self.shown.iter().any(|one| one.get(name) == Some(value))
        };
        let mut unions = shape.unions().iter().filter(|union| self.is_of(union));
        let mut members = self.members.iter();
        unions.any(|union| {
            let mut chosen = union.choice(object).into_iter();
            chosen.any(|(name, value)| now(&name).is_some() && !is_shown(&name, &value))
        }) || members.any(|(name, lost)| now(name).is_some_and(|now| !lost.is_shown(Some(now))))
    }

    fn is_of(&self, union: &Union) -> bool {
        self.members().any(|name| union.members.contains(name))
    }

    fn is_shown(&self, object: &Map<String, Value>) -> bool {
        let mut members = self.members.iter();
        members.all(|(name, lost)| lost.is_shown(object.get(name)))
    }

    /// Whether the same members are chosen as then: of the unions that have the members, and of all if the schema does not know
    /// one of them.
    fn is_chosen(&self, object: &Map<String, Value>, shape: KnownShape<'_>) -> bool {
        let is_unknown = self.members.keys().any(|name| !shape.has_field(name));
        let mut unions = shape
            .unions()
            .iter()
            .filter(|union| is_unknown || self.is_of(union));
        unions.all(|union| {
            let now = union.choice(object);
            self.shown.iter().any(|shown| {
                let of_union = shown
                    .iter()
                    .filter(|(name, _)| union.members.contains(*name));
                of_union.eq(&now)
            })
        })
    }

    /// The names of its members.
    pub(super) fn members(&self) -> impl Iterator<Item = &str> {
        self.members.keys().map(String::as_str)
    }
}
