//! The parts of a version's schema that affect conversion: lists that are maps, unions, defaults.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::{
    CustomResourceDefinition, JSON, JSONSchemaProps, JSONSchemaPropsOrArray, JSONSchemaPropsOrBool,
};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A place in the objects of one version, with everything below it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shape {
    /// The keys of a list of type map.
    keys: Vec<String>,
    /// Fields of which some exclude each other.
    unions: Vec<Union>,
    default: Option<Value>,
    /// Whether a server may add defaults below it.
    has_defaults: bool,
    nullable: bool,
    /// Whether a server drops the fields that it does not name.
    is_closed: bool,
    fields: BTreeMap<String, Shape>,
    /// The elements of a list, or the values of a map.
    elements: Option<Box<Shape>>,
}

impl Shape {
    /// Returns the shape of the objects of each version of a kind.
    pub(crate) fn of(crd: &CustomResourceDefinition) -> BTreeMap<String, Self> {
        let versions = crd.spec.versions.iter();
        let schemas = versions.map(|version| {
            let schema = version.schema.as_ref();
            let schema = schema.and_then(|schema| schema.open_api_v3_schema.as_ref());
            let shape = schema.map(Self::in_schema).unwrap_or_default();
            (version.name.clone(), shape)
        });
        schemas.collect()
    }

    fn in_schema(schema: &JSONSchemaProps) -> Self {
        let element = match (&schema.items, &schema.additional_properties) {
            (Some(JSONSchemaPropsOrArray::Schema(element)), _)
            | (_, Some(JSONSchemaPropsOrBool::Schema(element))) => Some(element),
            _ => None,
        };
        let elements = element.map(|element| Box::new(Self::in_schema(element)));
        let fields = schema.properties.iter().flatten();
        let fields: BTreeMap<String, Self> = fields
            .map(|(name, schema)| (name.clone(), Self::in_schema(schema)))
            .collect();
        let mut below = fields.values().chain(elements.as_deref());
        let has_defaults = below.any(|below| below.default.is_some() || below.has_defaults);
        Self {
            keys: schema
                .x_kubernetes_list_map_keys
                .clone()
                .unwrap_or_default(),
            unions: Union::of(schema),
            default: schema.default.as_ref().map(|JSON(value)| value.clone()),
            nullable: schema.nullable == Some(true),
            is_closed: schema.properties.is_some()
                && schema.x_kubernetes_preserve_unknown_fields != Some(true)
                && schema.x_kubernetes_embedded_resource != Some(true),
            has_defaults,
            fields,
            elements,
        }
    }

    /// Whether a server may add defaults to an object.
    pub(crate) fn has_defaults(&self) -> bool {
        self.has_defaults
    }

    /// Adds the defaults of missing fields, as an API server does.
    pub(crate) fn add_defaults(&self, value: &mut Value) {
        match value {
            Value::Object(object) => {
                for (name, field) in &self.fields {
                    let is_missing = match object.get(name) {
                        None => true,
                        Some(value) => value.is_null() && !field.nullable,
                    };
                    if let (true, Some(default)) = (is_missing, &field.default) {
                        object.insert(name.clone(), default.clone());
                    }
                }
                for (name, value) in object {
                    if let Some(below) = self.fields.get(name).or(self.elements.as_deref()) {
                        below.add_defaults(value);
                    }
                }
            }
            Value::Array(items) => {
                if let Some(below) = &self.elements {
                    items.iter_mut().for_each(|item| below.add_defaults(item));
                }
            }
            _ => {}
        }
    }
}

/// The shape at a place in an object; `None` if no schema describes the place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KnownShape<'a>(pub(crate) Option<&'a Shape>);

impl<'a> KnownShape<'a> {
    /// A field of it, or the value of a map's key.
    pub(super) fn field(self, name: &str) -> Self {
        match self.0.and_then(|shape| shape.fields.get(name)) {
            Some(field) => Self(Some(field)),
            None => self.element(),
        }
    }

    /// Whether its schema knows a field.
    pub(super) fn has_field(self, name: &str) -> bool {
        self.field(name).0.is_some()
    }

    /// Whether a server would drop a field.
    pub(super) fn lacks(self, name: &str) -> bool {
        self.0.is_some_and(|shape| shape.is_closed) && !self.has_field(name)
    }

    /// Whether a field that a server would drop may be a member of a union: a later program has more of them.
    pub(super) fn may_be_member(self, name: &str) -> bool {
        self.lacks(name) && !self.unions().is_empty()
    }

    /// Whether a server would drop fields of a value, at any depth.
    pub(super) fn prunes(self, value: &Value) -> bool {
        match value {
            Value::Object(fields) => fields
                .iter()
                .any(|(name, value)| self.lacks(name) || self.field(name).prunes(value)),
            Value::Array(items) => items.iter().any(|item| self.element().prunes(item)),
            _ => false,
        }
    }

    /// Finds the fields that a server would drop and that may be members of a union, by their paths.
    pub(crate) fn unknown_members(self, value: &Value, path: &str, found: &mut Vec<String>) {
        let below = |name: &str| format!("{path}/{name}");
        match value {
            Value::Object(fields) => {
                for (name, value) in fields {
                    match self.may_be_member(name) {
                        true => found.push(below(name)),
                        false => self.field(name).unknown_members(value, &below(name), found),
                    }
                }
            }
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.element()
                        .unknown_members(item, &below(&index.to_string()), found);
                }
            }
            _ => {}
        }
    }

    /// An element of it.
    pub(super) fn element(self) -> Self {
        Self(self.0.and_then(|shape| shape.elements.as_deref()))
    }

    /// The keys, if it is a list of type map.
    pub(super) fn keys(self) -> Option<&'a [String]> {
        let keys = self.0.map(|shape| &*shape.keys);
        keys.filter(|keys| !keys.is_empty())
    }

    /// Whether `null` is a value of its own here.
    pub(super) fn is_nullable(self) -> bool {
        self.0.is_some_and(|shape| shape.nullable)
    }

    /// The unions among its fields.
    pub(super) fn unions(self) -> &'a [Union] {
        self.0.map_or(&[], |shape| &shape.unions)
    }
}

/// Fields of an object of which some exclude each other, as its schema says.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Union {
    pub(super) members: BTreeSet<String>,
    /// The members whose value tells which others belong to it.
    pub(super) tags: BTreeSet<String>,
    /// The members that are there even if they are `null`: to a rule, such a field is absent.
    pub(super) null: BTreeSet<String>,
}

impl Union {
    /// The unions among the fields of an object. Those with a common member are one.
    fn of(schema: &JSONSchemaProps) -> Vec<Self> {
        let alternatives = [&schema.one_of, &schema.any_of].into_iter().flatten();
        let of_branches = alternatives.filter_map(|branches| Self::of_branches(branches));
        let rules = schema.x_kubernetes_validations.iter().flatten();
        let of_rules = rules.filter_map(|rule| Self::of_rule(&rule.rule));
        let mut unions: Vec<Self> = Vec::new();
        for mut union in of_branches.chain(of_rules) {
            unions.retain(|other| {
                let is_apart = other.members.is_disjoint(&union.members);
                if !is_apart {
                    union.members.extend(other.members.iter().cloned());
                    union.tags.extend(other.tags.iter().cloned());
                    union.null.extend(other.null.iter().cloned());
                }
                is_apart
            });
            unions.push(union);
        }
        unions
    }

    /// The union of the branches of `oneOf` or `anyOf`: the fields that a branch names. Branches of `anyOf` that require
    /// one field each exclude nothing, but are treated alike: their fields stand for each other.
    fn of_branches(branches: &[JSONSchemaProps]) -> Option<Self> {
        let mut union = Self::default();
        for branch in branches {
            union.name(branch);
        }
        // What every branch requires is no choice, unless it is the tag.
        union.members.retain(|name| {
            let everywhere = branches.iter().all(|branch| {
                branch
                    .required
                    .iter()
                    .flatten()
                    .any(|required| required == name)
            });
            !everywhere || union.tags.contains(name) || branches.len() == 1
        });
        union.null.clone_from(&union.members);
        // A later program may have more than one branch.
        (union.members.len() > 1 || branches.len() == 1).then_some(union)
    }

    fn name(&mut self, branch: &JSONSchemaProps) {
        self.members
            .extend(branch.required.iter().flatten().cloned());
        for (name, property) in branch.properties.iter().flatten() {
            self.members.insert(name.clone());
            if property.enum_.is_some() {
                self.tags.insert(name.clone());
            }
        }
        let below = [&branch.one_of, &branch.any_of, &branch.all_of];
        for branch in below.into_iter().flatten().flatten() {
            self.name(branch);
        }
        if let Some(not) = &branch.not {
            self.name(not);
        }
    }

    /// The union of a rule that counts fields, as `#[crd(exactly_one_of(..))]` and controller-gen write it.
    fn of_rule(rule: &str) -> Option<Self> {
        let rule: String = rule.split_whitespace().collect();
        let rule = rule
            .strip_suffix("==1")
            .or_else(|| rule.strip_suffix("<=1"))?;
        let listed = rule.strip_prefix('[').and_then(|rule| {
            let list = rule.strip_suffix("].filter(x,x==true).size()");
            list.or_else(|| rule.strip_suffix("].filter(x,x).size()"))
        });
        let members: Option<BTreeSet<String>> = match listed {
            Some(list) => list.split(',').map(member).collect(),
            None => rule
                .split('+')
                .map(|term| member(term.strip_prefix('(')?.strip_suffix("?1:0)")?))
                .collect(),
        };
        Some(Self {
            members: members?,
            ..Self::default()
        })
    }
}

/// The name in `has(self.name)`.
fn member(term: &str) -> Option<String> {
    let name = term.strip_prefix("has(self.")?.strip_suffix(')')?;
    Some(name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::Shape;
    use crd_channels_validation::Validator;
    use serde_json::{Value, json};

    /// Those of a server, wherever a field is missing or null.
    #[test]
    fn defaults_are_those_of_a_server() {
        let inner = json!({ "type": "object", "default": {}, "properties": {
            "five": { "type": "integer", "default": 5 },
            "null": { "type": "integer", "nullable": true, "default": 1 },
            "none": { "type": "string" },
        } });
        let schema = json!({ "type": "object", "properties": {
            "one": inner,
            "list": { "type": "array", "items": inner },
            "map": { "type": "object", "additionalProperties": inner },
        } });
        let version = json!({ "name": "v1", "served": true, "storage": true, "schema": { "openAPIV3Schema": schema } });
        let spec = json!({ "group": "a.b", "names": { "kind": "A", "plural": "as" }, "scope": "Cluster", "versions": [version] });
        let document = json!({ "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": { "name": "as.a.b" }, "spec": spec });
        let validator = Validator::new(&document, "v1").map_err(|error| error.to_string());
        let crd = serde_json::from_value(document);
        let shapes = crd.map(|crd| Shape::of(&crd)).unwrap_or_default();
        let shape = shapes.get("v1").cloned().unwrap_or_default();
        assert!(shape.has_defaults());
        let values = [
            json!({}),
            json!({ "five": 7, "null": 7 }),
            json!({ "five": null, "null": null, "none": "n" }),
        ];
        let with_values = values.iter().flat_map(|value| {
            let list = json!([{}, value]);
            [
                ("one", value.clone()),
                ("map", json!({ "a": value })),
                ("list", list),
            ]
        });
        let nothing = ["one", "map", "list"].map(|name| (name, Value::Null));
        for (name, value) in with_values.chain(nothing) {
            let object = json!({ "apiVersion": "a.b/v1", "kind": "A", "metadata": { "name": "a" }, name: value });
            let server = validator
                .as_ref()
                .map(|validator| validator.create(&object).object);
            let mut server = server.unwrap_or_default();
            let mut own = object;
            shape.add_defaults(&mut own);
            for all in [&mut server, &mut own] {
                // A server drops what is null.
                if let Some(all) = all.as_object_mut() {
                    all.retain(|_, value| !value.is_null());
                }
            }
            assert_eq!(own, server);
        }
    }
}
