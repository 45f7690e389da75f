//! The places in objects, as CEL expressions of policies reach them.

use super::policy::quoted;
use crd_channels_schema::{Additional, Schema, Version};

/// The path from an object `o` to a place in it.
#[derive(Clone, Default)]
pub(super) struct Way {
    /// The field path, such as `spec.rules[].timeouts`.
    pub(super) path: String,
    /// A CEL expression: whether the property is there, even if it is null; `None` for elements of lists and maps.
    pub(super) is_there: Option<String>,
    /// The number of lists and maps on the path.
    pub(super) depth: usize,
    /// The code before and after an expression about the place.
    before: String,
    after: String,
    /// The place itself, as a CEL expression.
    value: Option<String>,
}

impl Way {
    pub(super) fn value(&self) -> &str {
        self.value.as_deref().unwrap_or("o")
    }

    /// Returns whether it leads away from the object itself.
    pub(super) fn is_below(&self) -> bool {
        !self.path.is_empty()
    }

    /// Returns whether an expression holds at the place, or at one of the places; false if nothing is there.
    pub(super) fn holds(&self, expression: &str) -> String {
        format!("{}{expression}{}", self.before, self.after)
    }

    /// Enters a property, if it exists and is not null.
    fn property(&self, name: &str) -> Self {
        let mut way = self.clone();
        let key = quoted(name);
        let value = format!("{}[{key}]", self.value());
        way.path = if self.path.is_empty() {
            name.to_owned()
        } else {
            format!("{}.{name}", self.path)
        };
        let is_there = format!("{key} in {}", self.value());
        way.before
            .push_str(&format!("{is_there} && {value} != null && "));
        way.is_there = Some(self.holds(&is_there));
        way.value = Some(value);
        way
    }

    /// Enters the items of a list, or the values of a map.
    fn each(&self, shown: &str, is_map: bool) -> Self {
        let mut way = self.clone();
        let item = format!("x{}", self.depth);
        way.path.push_str(shown);
        way.before
            .push_str(&format!("{}.exists({item}, ", self.value()));
        way.after.insert(0, ')');
        let value = if is_map {
            format!("{}[{item}]", self.value())
        } else {
            item
        };
        way.before.push_str(&format!("{value} != null && "));
        way.is_there = None;
        way.value = Some(value);
        way.depth += 1;
        way
    }
}

/// What is done at each node: it gets the schema, the one at the same place beside it, and the way, and returns whether to go on
/// below.
type Visit<'v> = &'v mut dyn FnMut(&Schema, Option<&Schema>, &Way) -> bool;

/// Visits all places of a version's objects, except the status if that is a subresource: controllers write it there, and the
/// policies do not match it. `beside` is another schema of the same version.
pub(super) fn walk(version: &Version, schema: &Schema, beside: Option<&Schema>, visit: Visit<'_>) {
    let skips_status = version.subresources.as_ref().is_some_and(|on| on.status);
    let mut visit = |schema: &Schema, beside: Option<&Schema>, way: &Way| {
        !(skips_status && way.path == "status") && visit(schema, beside, way)
    };
    walk_schema(schema, beside, &Way::default(), &mut visit);
}

fn walk_schema(schema: &Schema, beside: Option<&Schema>, way: &Way, visit: Visit<'_>) {
    if !visit(schema, beside, way) {
        return;
    }
    for (name, property) in &schema.properties {
        let beside = beside.and_then(|beside| beside.properties.get(name));
        walk_schema(
            property,
            beside.map(|beside| &**beside),
            &way.property(name),
            visit,
        );
    }
    if let Some(items) = &schema.items {
        let beside = beside.and_then(|beside| beside.items.as_deref());
        walk_schema(items, beside, &way.each("[]", false), visit);
    }
    if let Some(Additional::Schema(values)) = &schema.additional_properties {
        let beside = match beside.and_then(|beside| beside.additional_properties.as_ref()) {
            Some(Additional::Schema(beside)) => Some(&**beside),
            _ => None,
        };
        walk_schema(values, beside, &way.each("{}", true), visit);
    }
}
