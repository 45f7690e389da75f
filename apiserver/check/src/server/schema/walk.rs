//! Visits every node of a schema, including junctors, and validates keywords node by node.

use super::super::findings::Findings;
use super::context::Context;
use super::rules::{self, Rules};
use super::types::Below;
use super::{keywords, lists};
use crate::document::model::{Additional, Items, Schema};
use crd_channels_cel::types::NodeId;
use crd_channels_validation::path::Path;
use crd_channels_validation::schema::is_meta;

/// Validates every node. Compiles `rules` only if the schema is `sound` so far. Returns them with their totals.
pub(super) fn validate(
    schema: &Schema<'_>,
    sound: bool,
    rules: Rules,
    at: Path<'_>,
    found: &mut Findings,
) -> Rules {
    let context = Context {
        is_root: true,
        rules: sound,
        ..Context::default()
    };
    let mut walk = Walk {
        keywords: Findings::default(),
        rules,
    };
    walk.node(schema, context, at);
    walk.rules.total(at);
    found.append(walk.keywords);
    found.append(std::mem::take(&mut walk.rules.found));
    walk.rules
}

/// The findings about rules are kept separate: rules of a node are compiled only if there are no other errors there or below.
struct Walk {
    keywords: Findings,
    rules: Rules,
}

impl Walk {
    fn node(&mut self, schema: &Schema<'_>, above: Context, at: Path<'_>) {
        let context = Context {
            types: above.types.at_node(schema),
            declared: self.declared(schema, above),
            ..above
        };
        let before = self.keywords.0.len();
        keywords::validate(schema, context, at, &mut self.keywords);
        self.values(schema, context, at);
        self.properties(schema, context, at);
        self.items(schema, context, at);
        self.junctors(schema, context.in_junctor(schema), at);
        lists::validate(schema, at, &mut self.keywords);
        rules::texts(schema, at, &mut self.keywords);
        let sound = self.keywords.0.len() == before;
        if sound && context.rules && !schema.rules.is_empty() {
            self.rules.compile(schema, context, at);
        }
    }

    /// The declaration of a node; `None` if neither it nor a node above has rules.
    fn declared(&mut self, schema: &Schema<'_>, context: Context) -> Option<NodeId> {
        if context.declared.is_some() || !context.rules || schema.rules.is_empty() {
            return context.declared;
        }
        self.rules.declare(schema, context.is_root)
    }

    fn values(&mut self, schema: &Schema<'_>, context: Context, at: Path<'_>) {
        if let Some(Additional::Schema(values)) = schema.additional_properties.as_ref() {
            let mut below = context.for_child(schema);
            below.types = context.types.for_child(schema, Below::Value);
            below.declared = self.rules.element(context.declared);
            if context.in_metadata {
                below.no_defaults = Some("inside of a map in metadata");
            }
            self.node(values, below, at.child("additionalProperties"));
        }
    }

    fn properties(&mut self, schema: &Schema<'_>, context: Context, at: Path<'_>) {
        let path = at.child("properties");
        for (name, property) in schema.properties.iter() {
            let mut below = context.for_child(schema);
            below.types = context.types.for_child(schema, Below::Property);
            below.declared = self.rules.property(context.declared, name);
            // An invalid map type is rejected anyway, but it makes the values uncorrelatable.
            below.uncorrelatable |= schema
                .map_type
                .is_some_and(|ty| !matches!(ty, "atomic" | "granular"));
            if (context.is_root || schema.embedded_resource) && is_meta(name) {
                below.in_metadata = true;
                if context.is_root {
                    below.no_defaults = Some("in the metadata of the object");
                }
            }
            self.node(property, below, path.key(name));
        }
    }

    fn items(&mut self, schema: &Schema<'_>, context: Context, at: Path<'_>) {
        let Some(items) = schema.items.as_ref() else {
            return;
        };
        let mut below = context.for_child(schema);
        below.types = context.types.for_child(schema, Below::Item);
        below.declared = self.rules.element(context.declared);
        below.uncorrelatable |= schema.list_type != Some("map");
        let path = at.child("items");
        match items {
            Items::None => {}
            Items::One(item) => self.node(item, below, path),
            Items::Several(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.node(item, below, path.index(index));
                }
            }
        }
    }

    fn junctors(&mut self, schema: &Schema<'_>, context: Context, at: Path<'_>) {
        if let Some(branch) = schema.not.as_deref() {
            self.node(branch, context, at.child("not"));
        }
        for (keyword, branches) in [
            ("allOf", &schema.all_of),
            ("oneOf", &schema.one_of),
            ("anyOf", &schema.any_of),
        ] {
            let path = at.child(keyword);
            for (index, branch) in branches.iter().enumerate() {
                self.node(branch, context, path.index(index));
            }
        }
        let definitions = at.child("definitions");
        for (name, definition) in schema.definitions.iter() {
            self.node(definition, context, definitions.key(name));
        }
        let dependencies = at.child("dependencies");
        for (name, dependency) in schema.dependencies.iter() {
            if let Some(dependency) = dependency {
                self.node(dependency, context, dependencies.key(name));
            }
        }
    }
}
