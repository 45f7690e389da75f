//! The declarations of a schema for expressions: the types of its nodes and the maximum sizes of their values.

use super::Type;
use super::schema::{Schema, Shape};
use crate::Text;
use crate::syntax::escaped;
use std::collections::HashMap;

/// The maximum size of a request, in bytes. It bounds everything that a schema does not.
pub const MAX_REQUEST: i64 = 3 * 1024 * 1024;

/// The sizes of `"9999-12-31T23:59:59.999999999Z"`, of a duration, and of `"2006-01-02"`, quotes included.
const TIME: i64 = 32;
const DATE: i64 = 12;

/// The maximum length of `metadata.name`, and the first minor whose servers take it into account.
const LONGEST_NAME: i64 = 253;
const NAMES_BOUNDED: u32 = 37;

/// A node of the declarations.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct NodeId(usize);

/// A node of a schema, as declared to the checker.
#[derive(Clone, Debug)]
pub struct DeclaredNode {
    /// The type of its values.
    pub ty: Type,
    /// The maximum number of elements, entries, characters or bytes of a value.
    pub max_elements: u64,
    /// Whether the schema declares the maximum, rather than the request limit.
    pub is_bounded: bool,
    /// A lower maximum that newer servers assume, whatever the schema declares.
    pub bounded_later: Option<LaterBound>,
    /// The minimum size of a value as JSON.
    pub min_size: i64,
    /// The fields of an object, by escaped name.
    pub fields: HashMap<Text, Field>,
    /// The items of a list or the values of a map.
    pub element: Option<NodeId>,
    /// The keys of a map.
    pub key: Option<NodeId>,
}

/// A maximum that servers assume from a minor on.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct LaterBound {
    /// The minor.
    pub since: u32,
    /// The maximum number of elements.
    pub most: u64,
}

impl DeclaredNode {
    /// The maximum number of elements that servers of a minor assume.
    #[must_use]
    pub fn max_elements_in(&self, minor: u32) -> u64 {
        match self.bounded_later {
            Some(bound) if bound.since <= minor => bound.most,
            _ => self.max_elements,
        }
    }
}

/// A field of an object.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The node of its value.
    pub node: NodeId,
}

/// All nodes that a schema declares.
#[derive(Clone, Debug, Default)]
pub struct Declarations {
    nodes: Vec<DeclaredNode>,
}

impl Declarations {
    /// Declares a schema. Returns `None` if expressions cannot read it.
    pub fn declare(&mut self, schema: &Schema<'_>) -> Option<NodeId> {
        if schema.int_or_string {
            let length = schema.max_length.map(in_bytes);
            return Some(self.sized(Type::Dyn, length, MAX_REQUEST - 2, 1));
        }
        match &schema.shape {
            Shape::Unknown => None,
            Shape::Boolean => Some(self.scalar(Type::Bool, 0, 4)),
            Shape::Integer => Some(self.scalar(Type::Int, 0, 1)),
            Shape::Number => Some(self.scalar(Type::Double, 0, 1)),
            Shape::String {
                format,
                longest_value,
            } => Some(self.text(format, *longest_value, schema.max_length)),
            Shape::Array { items, max_items } => self.array(items, *max_items),
            Shape::Map {
                values,
                max_properties,
            } => self.map(values, *max_properties),
            Shape::Object { .. } => self.object(schema),
        }
    }

    /// A node of a schema, as declared to the checker.
    #[must_use]
    pub fn node(&self, id: NodeId) -> Option<&DeclaredNode> {
        self.nodes.get(id.0)
    }

    /// The type of a node.
    #[must_use]
    pub fn ty(&self, id: NodeId) -> Type {
        self.node(id).map_or(Type::Error, |node| node.ty.clone())
    }

    /// The field that a name in an expression refers to. Reserved words need no escape there.
    #[must_use]
    pub fn field(&self, object: NodeId, name: &str) -> Option<Field> {
        let fields = &self.node(object)?.fields;
        fields
            .get(name)
            .or_else(|| {
                let word = escaped(name).filter(|escaped| **escaped == format!("__{name}__"));
                fields.get(&*word?)
            })
            .copied()
    }

    /// The field of exactly that escaped name.
    pub(crate) fn escaped_field(&self, object: NodeId, escaped: &str) -> Option<Field> {
        self.node(object)?.fields.get(escaped).copied()
    }

    /// The names of an object's fields as expressions write them.
    pub fn fields(&self, object: NodeId) -> impl Iterator<Item = &str> {
        let node = self.node(object).into_iter();
        node.flat_map(|node| node.fields.keys().map(|name| &**name))
    }

    /// The path of a node below another one, as expressions write it: `self.list[].name`.
    #[must_use]
    pub fn place(&self, itself: NodeId, sought: NodeId) -> Option<String> {
        self.way(itself, sought).map(|way| format!("self{way}"))
    }

    fn way(&self, from: NodeId, sought: NodeId) -> Option<String> {
        if from == sought {
            return Some(String::new());
        }
        let node = self.node(from)?;
        if let Some(element) = node.element {
            return self.way(element, sought).map(|way| format!("[]{way}"));
        }
        let mut fields = node.fields.iter();
        fields.find_map(|(name, field)| {
            let way = self.way(field.node, sought)?;
            Some(format!(".{name}{way}"))
        })
    }

    fn push(&mut self, node: DeclaredNode) -> NodeId {
        self.nodes.push(node);
        NodeId(self.nodes.len() - 1)
    }

    fn scalar(&mut self, ty: Type, max_elements: i64, min_size: i64) -> NodeId {
        self.push(DeclaredNode {
            ty,
            max_elements: u64::try_from(max_elements).unwrap_or_default(),
            is_bounded: true,
            bounded_later: None,
            min_size,
            fields: HashMap::new(),
            element: None,
            key: None,
        })
    }

    /// A node whose values are bounded by its schema, else by the request limit.
    fn sized(&mut self, ty: Type, bound: Option<i64>, most: i64, min_size: i64) -> NodeId {
        let id = self.scalar(ty, bound.unwrap_or(most), min_size);
        if let Some(node) = self.nodes.get_mut(id.0) {
            node.is_bounded = bound.is_some();
        }
        id
    }

    fn text(&mut self, format: &str, longest: Option<i64>, max_length: Option<i64>) -> NodeId {
        match format {
            "byte" => self.sized(Type::Bytes, max_length, MAX_REQUEST - 2, 2),
            "duration" => self.scalar(Type::Duration, TIME, 3),
            "date" => self.scalar(Type::Timestamp, DATE, DATE),
            "date-time" => self.scalar(Type::Timestamp, TIME, 21),
            _ => {
                let length = max_length.map(in_bytes).or(longest);
                self.sized(Type::String, length, MAX_REQUEST - 2, 2)
            }
        }
    }

    fn array(&mut self, items: &Schema<'_>, max_items: Option<i64>) -> Option<NodeId> {
        let element = self.declare(items)?;
        let node = self.node(element)?;
        let (item, smallest) = (node.ty.clone(), node.min_size);
        let most = (MAX_REQUEST - 2) / smallest.saturating_add(1);
        let list = self.sized(Type::list(item), max_items, most, 2);
        self.nodes.get_mut(list.0)?.element = Some(element);
        Some(list)
    }

    fn map(&mut self, values: &Schema<'_>, max_properties: Option<i64>) -> Option<NodeId> {
        let element = self.declare(values)?;
        let key = self.scalar(Type::String, 0, 2);
        let node = self.node(element)?;
        let (value, smallest) = (node.ty.clone(), node.min_size);
        // The shortest key is `"":`, and a comma follows.
        let most = (MAX_REQUEST - 2) / smallest.saturating_add(6);
        let map = self.sized(Type::map(Type::String, value), max_properties, most, 2);
        let node = self.nodes.get_mut(map.0)?;
        node.element = Some(element);
        node.key = Some(key);
        Some(map)
    }

    fn object(&mut self, schema: &Schema<'_>) -> Option<NodeId> {
        let Shape::Object {
            properties,
            required,
        } = &schema.shape
        else {
            return None;
        };
        let mut fields = HashMap::new();
        let mut min_size: i64 = 2;
        let lacks_meta = schema.resource && !has_meta(properties);
        let own = lacks_meta.then(of_resource);
        let given = properties
            .iter()
            .filter(|(name, _)| own.is_none() || !META.contains(name));
        for (name, property) in own.iter().flatten().chain(given) {
            let Some(node) = self.declare(property) else {
                continue;
            };
            if required.contains(name) && !property.has_default {
                let length = i64::try_from(name.len()).unwrap_or(MAX_REQUEST);
                let size = self.node(node)?.min_size;
                min_size = min_size.saturating_add(length).saturating_add(size + 4);
            }
            if let Some(escaped) = escaped(name) {
                fields.insert(escaped.into(), Field { node });
            }
        }
        if own.is_some() {
            self.bound_names(&fields, properties);
        }
        let object = self.scalar(Type::Error, 0, min_size);
        let node = self.nodes.get_mut(object.0)?;
        node.ty = Type::Object(object);
        node.fields = fields;
        Some(object)
    }

    /// Bounds the names in the metadata of a resource as newer servers do.
    fn bound_names(&mut self, fields: &HashMap<Text, Field>, properties: &[(&str, Schema<'_>)]) {
        let metadata = fields.get("metadata").map(|field| field.node);
        let given = properties.iter().find(|(name, _)| *name == "metadata");
        let given = given.and_then(|(_, metadata)| metadata.properties());
        for (name, longest) in [("name", LONGEST_NAME), ("generateName", LONGEST_NAME - 1)] {
            let mut given = given.into_iter().flatten();
            let given = given.find(|(known, _)| *known == name);
            let given = given.and_then(|(_, schema)| schema.max_length);
            let most = in_bytes(given.map_or(longest, |length| length.min(longest)));
            let field = metadata.and_then(|metadata| self.field(metadata, name));
            if let Some(node) = field.and_then(|field| self.nodes.get_mut(field.node.0)) {
                node.bounded_later = Some(LaterBound {
                    since: NAMES_BOUNDED,
                    most: u64::try_from(most).unwrap_or_default(),
                });
            }
        }
    }
}

/// Servers count four bytes for each character.
fn in_bytes(max_length: i64) -> i64 {
    max_length.max(0).saturating_mul(4)
}

/// The fields of every resource, whatever its schema declares.
const META: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// Whether a resource declares all of them itself, with the required types.
fn has_meta(properties: &[(&str, Schema<'_>)]) -> bool {
    let is_text = |properties: &[(&str, Schema<'_>)], name| {
        let found = properties.iter().find(|(known, _)| *known == name);
        found.is_some_and(|(_, schema)| matches!(schema.shape, Shape::String { .. }))
    };
    let metadata = properties.iter().find(|(name, _)| *name == "metadata");
    let Some((_, metadata)) = metadata else {
        return false;
    };
    let Some(inner) = metadata.properties() else {
        return false;
    };
    is_text(properties, "kind")
        && is_text(properties, "apiVersion")
        && is_text(inner, "name")
        && is_text(inner, "generateName")
}

fn of_resource() -> Vec<(&'static str, Schema<'static>)> {
    let text = || Schema {
        shape: Shape::String {
            format: "",
            longest_value: None,
        },
        ..Schema::default()
    };
    let metadata = Schema {
        shape: Shape::Object {
            properties: vec![("name", text()), ("generateName", text())],
            required: Vec::new(),
        },
        ..Schema::default()
    };
    vec![
        ("apiVersion", text()),
        ("kind", text()),
        ("metadata", metadata),
    ]
}
