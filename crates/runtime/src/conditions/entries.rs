//! Lists in which each entry has conditions of its own: the parents of a route, the listeners of a gateway.

use super::{Conditions, Visit};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use k8s_openapi::jiff::Timestamp;

/// An entry of such a list.
pub trait Entry {
    /// The key that distinguishes the entries of one controller: the reference to a parent, the name of a listener.
    type Key: PartialEq + ?Sized;

    /// A new entry without conditions.
    fn new(key: &Self::Key, controller_name: &str) -> Self;

    /// The key of the entry.
    fn key(&self) -> &Self::Key;

    /// The controller that wrote it; `None` in a list that only one controller writes.
    fn controller_name(&self) -> Option<&str>;

    /// Its conditions.
    fn conditions(&mut self) -> &mut Vec<Condition>;
}

/// The entries of one controller in a list. Those of other controllers stay as they are.
///
/// ```
/// use crd_channels_runtime::conditions::{Entries, Entry};
/// use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
/// use k8s_openapi::jiff::Timestamp;
///
/// struct Parent {
///     name: String,
///     controller_name: String,
///     conditions: Vec<Condition>,
/// }
///
/// impl Entry for Parent {
///     type Key = str;
///     fn new(name: &str, controller_name: &str) -> Self {
///         Self { name: name.to_owned(), controller_name: controller_name.to_owned(), conditions: Vec::new() }
///     }
///     fn key(&self) -> &str {
///         &self.name
///     }
///     fn controller_name(&self) -> Option<&str> {
///         Some(&self.controller_name)
///     }
///     fn conditions(&mut self) -> &mut Vec<Condition> {
///         &mut self.conditions
///     }
/// }
///
/// let mut parents = vec![Parent::new("web", "example.com/edge"), Parent::new("web", "example.org/mesh")];
/// let mut own = Entries::new(&mut parents, "example.com/edge", 1, Timestamp::UNIX_EPOCH);
/// own.keep_only(|name| name == "api");
/// assert!(own.has_changed());
/// let left: Vec<_> = parents.iter().map(|parent| &*parent.controller_name).collect();
/// assert_eq!(left, ["example.org/mesh"]);
/// ```
#[derive(Debug)]
pub struct Entries<'e, E> {
    entries: &'e mut Vec<E>,
    controller_name: &'e str,
    generation: i64,
    now: Timestamp,
    changed: bool,
}

impl<'e, E: Entry> Entries<'e, E> {
    /// The entries of a controller in the list of an object of a generation (`metadata.generation`).
    pub fn new(
        entries: &'e mut Vec<E>,
        controller_name: &'e str,
        generation: i64,
        now: Timestamp,
    ) -> Self {
        Self {
            entries,
            controller_name,
            generation,
            now,
            changed: false,
        }
    }

    /// Visits the conditions of the entry with a key. If the controller has none, one is appended to the list.
    pub fn visit<S: Conditions>(&mut self, key: &E::Key, body: impl FnOnce(&mut Visit<'_>)) {
        let controller_name = self.controller_name;
        let place = self
            .entries
            .iter()
            .position(|entry| is_of(entry, controller_name) && entry.key() == key);
        let place = place.unwrap_or_else(|| {
            self.entries.push(E::new(key, controller_name));
            self.changed = true;
            self.entries.len().saturating_sub(1)
        });
        if let Some(entry) = self.entries.get_mut(place) {
            let mut visit = Visit::declared::<S>(entry.conditions(), self.generation, self.now);
            body(&mut visit);
            self.changed |= visit.has_changed();
        }
    }

    /// Removes the controller's entries whose key is gone from the object. Entries written for a newer generation stay, since
    /// this information is out of date.
    pub fn keep_only(&mut self, is_there: impl Fn(&E::Key) -> bool) {
        let before = self.entries.len();
        let (controller_name, generation) = (self.controller_name, self.generation);
        self.entries.retain_mut(|entry| {
            !is_of(entry, controller_name)
                || is_there(entry.key())
                || is_newer(entry.conditions(), generation)
        });
        self.changed |= self.entries.len() != before;
    }

    /// Whether the object's status has to be written.
    #[must_use]
    pub fn has_changed(&self) -> bool {
        self.changed
    }
}

fn is_of(entry: &impl Entry, controller_name: &str) -> bool {
    let writer = entry.controller_name();
    writer.is_none_or(|writer| writer == controller_name)
}

fn is_newer(conditions: &[Condition], generation: i64) -> bool {
    let mut seen = conditions.iter().filter_map(|of| of.observed_generation);
    seen.any(|seen| seen > generation)
}
