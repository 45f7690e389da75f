//! The places of a schema, in the order in which pages list them.

use crd_channels_compat::Channel;
use crd_channels_schema::path::{Segment, push};
use crd_channels_schema::{JsonType, Schema};
use std::collections::BTreeSet;

/// A place in objects: a field, the elements of a list, or the values of a map.
#[derive(Clone, Debug)]
pub struct Node<'s, C = Channel> {
    /// Its path, such as `spec.rules[].timeouts`; empty for the object itself.
    pub path: String,
    /// How many fields it is inside of.
    pub depth: usize,
    /// Whether it is what a list or a map consists of, rather than a field.
    pub is_element: bool,
    /// What each channel that has it says about it.
    pub channels: Vec<NodeIn<'s, C>>,
}

/// A place in one channel.
#[derive(Clone, Copy, Debug)]
pub struct NodeIn<'s, C = Channel> {
    /// The channel, or what else tells schemas apart.
    pub channel: C,
    /// Its schema there.
    pub schema: &'s Schema,
    /// Whether objects have to have it there.
    pub is_required: bool,
}

/// Returns every place of a schema that several channels may have, parents before their children, siblings by name. What is
/// inside of `allOf`, `anyOf`, `oneOf` and `not` belongs to the place that has them.
#[must_use]
pub fn nodes<'s, C: Copy>(schemas: &[(C, &'s Schema)]) -> Vec<Node<'s, C>> {
    let channels = schemas.iter().map(|&(channel, schema)| NodeIn {
        channel,
        schema,
        is_required: true,
    });
    let mut all = Vec::new();
    // A stack in place of recursion: schemas of any origin may be deeper than a thread's stack.
    let mut open = vec![Node {
        path: String::new(),
        depth: 0,
        is_element: false,
        channels: channels.collect(),
    }];
    while let Some(node) = open.pop() {
        let children = node.children();
        open.extend(children.into_iter().rev());
        all.push(node);
    }
    all
}

impl<'s, C: Copy> Node<'s, C> {
    fn children(&self) -> Vec<Self> {
        let names: BTreeSet<&str> = self
            .channels
            .iter()
            .flat_map(|there| there.schema.properties.keys().map(|name| &**name))
            .collect();
        let members = names.into_iter().map(Segment::Property);
        [Segment::Items, Segment::Values]
            .into_iter()
            .chain(members)
            .filter_map(|segment| self.child(segment))
            .collect()
    }

    /// The place below; `None` if no channel has it.
    fn child(&self, segment: Segment<&str>) -> Option<Self> {
        let channels = self.channels.iter().filter_map(|there| {
            let schema = match segment {
                Segment::Items => there.schema.items.as_ref(),
                Segment::Values => there.schema.values(),
                Segment::Property(name) => there.schema.properties.get(name),
            };
            let is_named = |name: &str| there.schema.required.iter().any(|known| **known == *name);
            Some(NodeIn {
                schema: schema?,
                is_required: matches!(segment, Segment::Property(name) if is_named(name)),
                ..*there
            })
        });
        let channels: Vec<NodeIn<'s, C>> = channels.collect();
        let is_element = !matches!(segment, Segment::Property(_));
        let mut path = self.path.clone();
        push(&mut path, segment);
        (!channels.is_empty()).then(|| Self {
            path,
            depth: self.depth + usize::from(!is_element),
            is_element,
            channels,
        })
    }

    /// Whether every object has this field and no schema says more about it than its type, so that a page need not list it.
    #[must_use]
    pub fn is_of_every_object(&self) -> bool {
        let ty = match &*self.path {
            "apiVersion" | "kind" => JsonType::String,
            "metadata" => JsonType::Object,
            _ => return false,
        };
        self.channels.iter().all(|there| {
            let bare = Schema {
                ty: Some(ty),
                description: there.schema.description.clone(),
                ..Schema::default()
            };
            *there.schema == bare
        })
    }
}
