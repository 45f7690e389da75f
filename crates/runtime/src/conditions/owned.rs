//! Lists in which each entry has conditions of its own: the parents of a route, the listeners of a gateway.

use super::rule::Moment;
use super::{Condition, ConditionWriter, Conditions};
use k8s_openapi::jiff::Timestamp;

/// An entry of such a list.
pub trait StatusEntry {
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
/// use crd_channels_runtime::conditions::{Condition, OwnedEntries, StatusEntry};
///
/// struct Parent {
///     name: String,
///     controller_name: String,
///     conditions: Vec<Condition>,
/// }
///
/// impl StatusEntry for Parent {
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
/// let mut own = OwnedEntries::new(&mut parents, "example.com/edge", 1);
/// own.retain(|name| name == "api");
/// assert!(own.has_changed());
/// let left: Vec<_> = parents.iter().map(|parent| &*parent.controller_name).collect();
/// assert_eq!(left, ["example.org/mesh"]);
/// ```
#[derive(Debug)]
pub struct OwnedEntries<'e, E> {
    entries: &'e mut Vec<E>,
    controller_name: &'e str,
    moment: Moment,
    changed: bool,
}

impl<'e, E: StatusEntry> OwnedEntries<'e, E> {
    /// The entries of a controller in the list of an object of a generation (`metadata.generation`).
    pub fn new(
        entries: &'e mut Vec<E>,
        controller_name: &'e str,
        generation: impl Into<Option<i64>>,
    ) -> Self {
        Self {
            entries,
            controller_name,
            moment: Moment::of(generation.into()),
            changed: false,
        }
    }

    /// The generation that the controller has observed, if the object was read again since.
    pub fn observed_generation(&mut self, generation: impl Into<Option<i64>>) -> &mut Self {
        self.moment.observed = generation.into();
        self
    }

    /// The time of the update, for tests.
    pub fn at(&mut self, now: Timestamp) -> &mut Self {
        self.moment.now = now;
        self
    }

    /// Sets the conditions of the entry with a key, and ends with [`ConditionWriter::finish`]. If the controller has no such
    /// entry, one is appended to the list.
    pub fn write<S: Conditions>(
        &mut self,
        key: &E::Key,
        body: impl FnOnce(&mut ConditionWriter<'_>),
    ) {
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
            let mut writer = ConditionWriter::begin::<S>(entry.conditions(), self.moment);
            body(&mut writer);
            self.changed |= writer.finish();
        }
    }

    /// Removes the controller's entries whose key is gone from the object. Entries written for a later generation of the object
    /// stay.
    pub fn retain(&mut self, is_there: impl Fn(&E::Key) -> bool) {
        let before = self.entries.len();
        let (controller_name, moment) = (self.controller_name, self.moment);
        self.entries.retain_mut(|entry| {
            let is_later = |of: &Condition| moment.is_before(of.observed_generation);
            !is_of(entry, controller_name)
                || is_there(entry.key())
                || entry.conditions().iter().any(is_later)
        });
        self.changed |= self.entries.len() != before;
    }

    /// Whether the object's status has to be written.
    #[must_use]
    pub fn has_changed(&self) -> bool {
        self.changed
    }
}

fn is_of(entry: &impl StatusEntry, controller_name: &str) -> bool {
    let writer = entry.controller_name();
    writer.is_none_or(|writer| writer == controller_name)
}
