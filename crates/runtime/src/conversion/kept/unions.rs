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
        let chosen = object
            .iter()
            .filter(|(name, _)| self.members.contains(*name));
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
        let names = union.members.iter();
        let members = names.filter_map(|name| match fields.remove(name)? {
            Lost::Value(lost) => Some((name.clone(), lost)),
            // The member is in both.
            inner => {
                fields.insert(name.clone(), inner);
                None
            }
        });
        let members: BTreeMap<String, LostValue> = members.collect();
        let mut choices = vec![after];
        if let Some(Value::Object(defaulted)) = trip.defaulted {
            choices.push(union.choice(defaulted));
        }
        choices.dedup();
        all.push(LostUnion {
            shown: choices,
            members,
        });
    }
    all
}

impl LostUnion {
    /// Restores the members if the object still shows the same ones as then, unchanged.
    pub(super) fn put_back(&self, object: &mut Map<String, Value>, shape: KnownShape<'_>) {
        let union = shape.unions().iter().find(|union| {
            let mut members = self.members.keys();
            members.all(|name| union.members.contains(name))
        });
        let is_chosen = union.is_some_and(|union| self.shown.contains(&union.choice(object)));
        let mut members = self.members.iter();
        if !is_chosen || !members.all(|(name, lost)| lost.is_shown(object.get(name))) {
            return;
        }
        for (name, lost) in &self.members {
            object.remove(name);
            object.extend(lost.was.clone().map(|was| (name.clone(), was)));
        }
    }

    /// The names of its members.
    pub(super) fn members(&self) -> impl Iterator<Item = &str> {
        self.members.keys().map(String::as_str)
    }
}
