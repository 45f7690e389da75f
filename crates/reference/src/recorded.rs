//! The lives that a bundle records, so that it tells them without the bundles before it.

use crate::place::{Place, UNLISTED};
use crd_channels_released::history::{KindHistory, Transition};
use serde_json::Value;
use std::collections::BTreeMap;

/// What is recorded before the first release.
pub(crate) type Before<'r> = BTreeMap<Place, &'r [Transition]>;

pub(crate) fn by_place(kind: &KindHistory) -> Before<'_> {
    let places = kind.places.iter().map(|recorded| {
        let place = Place {
            version: recorded.version.clone(),
            path: recorded.path.clone(),
            value: recorded.value.clone(),
        };
        (place, &*recorded.steps)
    });
    places.collect()
}

/// Returns whose life a place has unless its own is recorded; `None` if it never was there. `is_there` says so of both.
///
/// A value that was in no enum has the life of such values, and so has one that is allowed because a channel has no enum. As long
/// as no enum was there, that is the life of the field; where one is now, they are not there.
pub(crate) fn as_recorded(place: &Place, is_there: impl Fn(&Place) -> bool) -> Option<Place> {
    let unlisted = place.beside(&place.path, Some(UNLISTED));
    match place.is_listed() && (!is_there(place) || is_there(&unlisted)) {
        true => Some(unlisted),
        false => {
            let is_free = |field: &Place| place.value.is_some() && !is_there(field);
            place.around().filter(|it| is_there(place) || is_free(it))
        }
    }
}

/// Returns the values of a field that enums listed.
pub(crate) fn listed_at<'r>(
    recorded: &'r Before<'_>,
    version: &str,
    path: &str,
) -> impl Iterator<Item = (String, Value)> + use<'r> {
    let field = Place {
        version: version.to_owned(),
        path: path.to_owned(),
        value: None,
    };
    let values = recorded.range(field.clone()..).map(|(place, _)| place);
    let values = values
        .take_while(move |place| (&place.version, &place.path) == (&field.version, &field.path));
    let names = values
        .filter(|place| place.is_listed())
        .filter_map(|place| place.value.clone());
    names.filter_map(|name| Some((name.clone(), serde_json::from_str(&name).ok()?)))
}
