//! The schemas below a schema.

use super::{Additional, Junctors, Schema};
use std::sync::Arc;

impl Schema {
    /// The schema of every value of a map.
    #[must_use]
    pub fn values(&self) -> Option<&Arc<Schema>> {
        match &self.additional_properties {
            Some(Additional::Schema(values)) => Some(values),
            Some(Additional::Allowed(_)) | None => None,
        }
    }

    /// The schema of a member of an object, or of a value of a map.
    #[must_use]
    pub fn member(&self, name: &str) -> Option<&Arc<Schema>> {
        self.properties.get(name).or(self.values())
    }

    /// The schemas of members, items and values.
    pub fn children(&self) -> impl Iterator<Item = &Schema> {
        let children = self.properties.values();
        let children = children.chain(&self.items).chain(self.values());
        children.map(|child| &**child)
    }

    /// The schemas that the junctors join.
    pub fn branches(&self) -> impl Iterator<Item = &Schema> {
        self.junctors.iter().flat_map(|junctors| {
            let Junctors {
                all_of,
                any_of,
                one_of,
                not,
            } = &**junctors;
            let lists = all_of.iter().chain(any_of).chain(one_of);
            lists.chain(not.as_deref())
        })
    }

    /// The schemas that the junctors join, mutable.
    pub fn branches_mut(&mut self) -> impl Iterator<Item = &mut Schema> {
        self.junctors.iter_mut().flat_map(|junctors| {
            let Junctors {
                all_of,
                any_of,
                one_of,
                not,
            } = &mut **junctors;
            let lists = all_of.iter_mut().chain(any_of).chain(one_of);
            lists.chain(not.as_deref_mut())
        })
    }
}

impl Junctors {
    /// The same junctors with converted schemas.
    #[must_use]
    pub fn map(&self, of: impl Fn(&Schema) -> Schema) -> Self {
        let Junctors {
            all_of,
            any_of,
            one_of,
            not,
        } = self;
        let all = |branches: &[Schema]| branches.iter().map(&of).collect();
        Junctors {
            all_of: all(all_of),
            any_of: all(any_of),
            one_of: all(one_of),
            not: not.as_deref().map(|not| Box::new(of(not))),
        }
    }
}
