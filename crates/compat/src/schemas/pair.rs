//! The schemas of one node in two bundles, and the node's path.

use crate::findings::verdict::{Answer, Channel};
use crate::findings::{Change, Record};
use crate::values::occurs;
use crd_channels_diagnostics::Span;
use crd_channels_schema::Schema;
pub(crate) use crd_channels_schema::path::{Segment, push};

/// Returns all changes of a node and of the nodes below it, with their rules. Passed to rules, since some compare schemas that
/// are not nodes, such as a property before it graduated.
pub(crate) type Walk = fn(&SchemaPair<'_>) -> Vec<(&'static Record, Change)>;

/// The schemas of a node that both bundles have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SchemaPair<'a> {
    /// In the old bundle.
    pub(crate) old: &'a Schema,
    /// In the new bundle.
    pub(crate) new: &'a Schema,
    /// The same place in the other channel of the old bundle.
    pub(crate) beside_old: Option<&'a Schema>,
    /// The same place in the other channel of the new bundle.
    pub(crate) beside_new: Option<&'a Schema>,
    /// Whether what is new in the stable channel must have been experimental: the old bundle has another channel, and the kind
    /// a version that is not alpha.
    pub(crate) tried_first: bool,
    /// The channel that is compared.
    pub(crate) channel: Channel,
    pub(crate) parent: Option<&'a SchemaPair<'a>>,
    /// The segment from the parent to the node.
    pub(crate) segment: Option<Segment<&'a str>>,
}

impl<'a> SchemaPair<'a> {
    /// Two schemas without context.
    pub(crate) fn alone(old: &'a Schema, new: &'a Schema) -> Self {
        Self {
            old,
            new,
            beside_old: None,
            beside_new: None,
            tried_first: false,
            channel: Channel::Stable,
            parent: None,
            segment: None,
        }
    }

    /// The children that both sides have.
    pub(crate) fn children(&'a self) -> impl Iterator<Item = SchemaPair<'a>> {
        let segments = self
            .old
            .properties
            .keys()
            .map(|name| Segment::Property(&**name))
            .chain([Segment::Items, Segment::Values]);
        segments.filter_map(|segment| {
            Some(SchemaPair {
                old: child(self.old, segment)?,
                new: child(self.new, segment)?,
                beside_old: self.beside_old.and_then(|schema| child(schema, segment)),
                beside_new: self.beside_new.and_then(|schema| child(schema, segment)),
                parent: Some(self),
                segment: Some(segment),
                ..*self
            })
        })
    }

    /// Whether any valid object of the old schema has a value here. Ignores the node's own keywords.
    pub(crate) fn live_before(&self) -> Answer {
        self.live(|node| node.old)
    }

    /// Whether any valid object of the new schema has a value here.
    pub(crate) fn live_after(&self) -> Answer {
        self.live(|node| node.new)
    }

    /// Whether a valid object of one side can have a value here: every ancestor must occur.
    fn live(&self, side: fn(&Self) -> &Schema) -> Answer {
        match (self.parent, self.segment) {
            (Some(parent), Some(segment)) => parent.live(side).and(occurs(side(parent), segment)),
            (Some(parent), None) => parent.live(side),
            (None, _) => Answer::Yes,
        }
    }

    /// Whether a junctor of the new node or of an ancestor depends on which fields are present.
    pub(crate) fn fields_matter(&self) -> bool {
        fn looks(branch: &Schema) -> bool {
            let bounds = branch.bounds.as_deref();
            !branch.required.is_empty()
                || !branch.properties.is_empty()
                || branch.items.is_some()
                || bounds.is_some_and(|of| of.min_properties.or(of.max_properties).is_some())
                || branch.branches().any(looks)
        }
        self.new.branches().any(looks) || self.parent.is_some_and(Self::fields_matter)
    }

    /// Whether it is in `status`, which controllers write.
    pub(crate) fn in_status(&self) -> bool {
        match self.parent {
            Some(parent) => {
                parent.in_status()
                    || (parent.parent.is_none()
                        && self.segment == Some(Segment::Property("status")))
            }
            None => false,
        }
    }

    /// Whether the node is experimental: the stable channel of the old bundle does not have it.
    pub(crate) fn is_experimental(&self) -> bool {
        self.channel == Channel::Experimental && self.beside_old.is_none()
    }

    /// Its path in an object: `spec.rules[].timeouts`; `.` for the object itself.
    pub(crate) fn path(&self) -> String {
        let mut path = match self.parent {
            Some(parent) if parent.parent.is_some() || parent.segment.is_some() => parent.path(),
            Some(_) | None => String::new(),
        };
        if let Some(segment) = self.segment {
            push(&mut path, segment);
        }
        if path.is_empty() {
            ".".to_owned()
        } else {
            path
        }
    }

    /// The nearest known span in Rust.
    pub(crate) fn origin(&self) -> Option<Span> {
        let own = self.new.origin.0.or(self.old.origin.0);
        own.or_else(|| self.parent?.origin())
    }
}

/// The path of a property of the node at `path`.
#[must_use]
pub fn property_path(path: &str, property: &str) -> String {
    let mut path = if path == "." {
        String::new()
    } else {
        path.to_owned()
    };
    push(&mut path, Segment::Property(property));
    path
}

/// The schema that a segment leads to.
pub(crate) fn child<'a>(schema: &'a Schema, segment: Segment<&str>) -> Option<&'a Schema> {
    match segment {
        Segment::Property(name) => schema.properties.get(name).map(|child| &**child),
        Segment::Items => schema.items.as_deref(),
        Segment::Values => schema.values().map(|child| &**child),
    }
}
