//! Random types: compares the `kube` convention with schemars' own building blocks and kube's own passes, and checks the
//! `kubernetes` convention against the rules for structural schemas.

use super::super::Convention;
use super::dice::Dice;
use super::json::{faults, to_json};
use super::*;
use ::kube::core::schema::{OptionalEnum, OptionalIntOrString, StructuralSchemaRewriter};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::JSONSchemaProps;
use schemars::_private as internals;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator, json_schema};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;

thread_local! {
    static STAND_IN: RefCell<Value> = const { RefCell::new(Value::Null) };
}

/// A type with a given schema, to find out how schemars uses it.
struct StandIn;

impl JsonSchema for StandIn {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "StandIn".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> schemars::Schema {
        STAND_IN.with_borrow(Clone::clone).try_into().unwrap()
    }
}

/// A type's schema as schemars writes it, built from schemars' own pieces; and whether something is lost on the way: a
/// property, because two share a name, or a variant's map or list. Ours still reports errors in it.
struct Oracle(SchemaGenerator, bool);

fn properties(schema: &schemars::Schema) -> usize {
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.map_or(0, serde_json::Map::len)
}

impl Oracle {
    fn through<T: JsonSchema>(&mut self, schema: schemars::Schema) -> schemars::Schema {
        STAND_IN.set(schema.to_value());
        T::json_schema(&mut self.0)
    }

    fn ty(&mut self, ty: &Type) -> schemars::Schema {
        let mut schema = match &ty.shape {
            Shape::Any => true.into(),
            Shape::Scalar(Scalar::String) => json_schema!({"type": "string"}),
            Shape::Scalar(Scalar::Bool) => json_schema!({"type": "boolean"}),
            Shape::Scalar(Scalar::Double) => f64::json_schema(&mut self.0),
            Shape::Scalar(Scalar::Int(kind)) if kind.signed => i32::json_schema(&mut self.0),
            Shape::Scalar(_) => u16::json_schema(&mut self.0),
            Shape::Option(inner) => {
                let inner = self.ty(inner);
                self.through::<Option<StandIn>>(inner)
            }
            Shape::List { items, unique, .. } => {
                let items = self.ty(items);
                if *unique {
                    self.through::<BTreeSet<StandIn>>(items)
                } else {
                    self.through::<Vec<StandIn>>(items)
                }
            }
            Shape::Map { value, .. } => {
                let value = self.ty(value);
                self.through::<BTreeMap<String, StandIn>>(value)
            }
            Shape::Struct(body) => self.body(body, body.deny_unknown),
            Shape::Newtype(field) => self.field(field),
            Shape::Enum(def) => self.choice(def),
            Shape::Unit | Shape::Tuple(_) | Shape::IntegerEnum(_) | Shape::Literal(_) => {
                panic!("not rolled")
            }
        };
        apply(&mut schema, &ty.facets.always);
        schema
    }

    fn field(&mut self, field: &Field) -> schemars::Schema {
        let mut schema = self.ty(&field.ty);
        let mut facets = field.facets.always.clone();
        let extend = std::mem::take(&mut facets.extend);
        apply(&mut schema, &facets);
        if let Some(default) = &field.default {
            schema.insert("default".into(), default.clone());
        }
        for (key, value) in extend {
            schema.insert(key.to_string(), value);
        }
        schema
    }

    fn body(&mut self, body: &Struct, deny: bool) -> schemars::Schema {
        let mut schema = json_schema!({"type": "object"});
        if deny {
            schema.insert("additionalProperties".into(), false.into());
        }
        for field in &body.fields {
            if field.flatten {
                let flat = match &field.ty.shape {
                    Shape::Option(inner) => {
                        let inner = self.ty(inside(inner));
                        STAND_IN.set(inner.to_value());
                        internals::json_schema_for_flatten::<Option<StandIn>>(&mut self.0, false)
                    }
                    _ => {
                        let inner = self.ty(&field.ty);
                        STAND_IN.set(inner.to_value());
                        internals::json_schema_for_flatten::<StandIn>(&mut self.0, false)
                    }
                };
                let expected = properties(&schema) + properties(&flat);
                internals::flatten(&mut schema, flat);
                self.1 |= properties(&schema) != expected;
            } else {
                let property = self.field(field);
                let expected = properties(&schema) + 1;
                internals::insert_object_property(
                    &mut schema,
                    &field.name,
                    field.optional,
                    property,
                );
                self.1 |= properties(&schema) != expected;
            }
        }
        schema
    }

    fn content(&mut self, def: &Enum, variant: &Variant) -> schemars::Schema {
        match &variant.content {
            Content::Unit => <()>::json_schema(&mut self.0),
            Content::Newtype(field) => self.field(field),
            Content::With(ty) => self.ty(ty),
            Content::Struct(body) => self.body(body, def.deny_unknown),
            Content::Tuple(_) => panic!("not rolled"),
        }
    }

    fn choice(&mut self, def: &Enum) -> schemars::Schema {
        let is_unit = |variant: &Variant| matches!(variant.content, Content::Unit);
        let mut branches = Vec::new();
        let mut names = Vec::new();
        for variant in &def.variants {
            let facets = &variant.facets.always;
            let mut schema = match &def.tagging {
                _ if variant.untagged => self.content(def, variant),
                Tagging::Untagged => self.content(def, variant),
                Tagging::External if is_unit(variant) && *facets == Facets::default() => {
                    names.push(Value::from(&*variant.name));
                    continue;
                }
                Tagging::External if is_unit(variant) => {
                    internals::new_unit_enum_variant(&variant.name)
                }
                Tagging::External => {
                    let content = self.content(def, variant);
                    internals::new_externally_tagged_enum_variant(&variant.name, content)
                }
                Tagging::Internal { tag } => {
                    let mut schema = self.content(def, variant);
                    if let Content::Newtype(field) = &variant.content {
                        // The field's own attributes are applied later and do not affect what this removes.
                        let inner = self.ty(&field.ty);
                        STAND_IN.set(inner.to_value());
                        schema = internals::json_schema_for_internally_tagged_enum_newtype_variant::<
                            StandIn,
                        >(&mut self.0);
                        apply(&mut schema, &field.facets.always);
                    }
                    internals::apply_internal_enum_variant_tag(
                        &mut schema,
                        tag,
                        &variant.name,
                        def.deny_unknown,
                    );
                    schema
                }
                Tagging::Adjacent { tag, content } => {
                    let (tag, content) = (tag.as_ref(), content.as_ref());
                    let mut properties = json!({tag: {"type": "string", "const": &*variant.name}});
                    let mut required = vec![tag];
                    if !is_unit(variant) {
                        properties[content] = self.content(def, variant).to_value();
                        required.push(content);
                    }
                    let mut schema = json_schema!({
                        "type": "object",
                        "properties": properties,
                        "required": required,
                    });
                    if def.deny_unknown {
                        schema.insert("additionalProperties".into(), false.into());
                    }
                    schema
                }
            };
            apply(&mut schema, facets);
            self.1 |= schema
                .get("additionalProperties")
                .is_some_and(Value::is_object);
            self.1 |= schema.get("items").is_some();
            branches.push(schema.to_value());
        }
        if !names.is_empty() {
            let units = json!({"type": "string", "enum": names});
            if branches.is_empty() {
                return units.try_into().unwrap();
            }
            branches.insert(0, units);
        }
        let free = def.tagging == Tagging::Untagged || def.variants.iter().any(|v| v.untagged);
        let key = if free { "anyOf" } else { "oneOf" };
        json!({ key: branches }).try_into().unwrap()
    }
}

fn inside(ty: &Type) -> &Type {
    match &ty.shape {
        Shape::Option(inner) => inside(inner),
        _ => ty,
    }
}

fn apply(schema: &mut schemars::Schema, facets: &Facets) {
    if let Some(doc) = &facets.doc {
        let (title, description) = internals::get_title_and_description(doc);
        internals::insert_metadata_property_if_nonempty(schema, "title", title);
        internals::insert_metadata_property_if_nonempty(schema, "description", description);
    }
    validate(schema, facets);
    for (key, value) in &facets.extend {
        schema.insert(key.to_string(), value.clone());
    }
}

fn validate(schema: &mut schemars::Schema, facets: &Facets) {
    if let Some(max) = facets.max_length {
        internals::insert_validation_property(schema, "string", "maxLength", max);
        internals::insert_validation_property(schema, "array", "maxItems", max);
    }
    if let Some(min) = &facets.minimum {
        internals::insert_validation_property(
            schema,
            "number",
            "minimum",
            Value::from(min.clone()),
        );
    }
    if let Some(inner) = &facets.inner
        && let Some(items) = schema
            .get_mut("items")
            .and_then(|items| items.try_into().ok())
    {
        validate(items, inner);
    }
}

/// A type's schema as schemars writes it, and kube's result for it.
struct ByKube {
    raw: Value,
    /// `None` if kube panics.
    made: Option<Value>,
    /// Whether something was lost on the way.
    lossy: bool,
}

fn by_kube(ty: &Type) -> ByKube {
    let generator = SchemaSettings::openapi3()
        .with(|settings| {
            settings.inline_subschemas = true;
            settings.meta_schema = None;
        })
        .with_transform(schemars::transform::AddNullable::default())
        .with_transform(StructuralSchemaRewriter)
        .with_transform(OptionalEnum)
        .with_transform(OptionalIntOrString)
        .into_generator();
    let mut oracle = Oracle(generator, false);
    let mut schema = oracle.ty(ty);
    let raw = schema.clone().to_value();
    let made = unless_it_panics(|| {
        for transform in oracle.0.transforms_mut() {
            transform.transform(&mut schema);
        }
        let props: JSONSchemaProps = serde_json::from_value(schema.to_value()).unwrap();
        serde_json::to_value(props).unwrap()
    });
    ByKube {
        raw,
        made,
        lossy: oracle.1,
    }
}

/// The number of random types in each test.
const TYPES: u64 = 5000;

fn types() -> impl Iterator<Item = Arc<Type>> {
    (1..=TYPES).map(|seed| {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        dice.roll(2);
        structure([field("root", dice.ty(3))])
    })
}

/// The shortest failure is the easiest to understand.
#[track_caller]
fn assert_none(mut failures: Vec<String>) {
    failures.sort_by_key(String::len);
    let count = failures.len();
    if let Some(first) = failures.first() {
        panic!("{count} failures, the shortest: {first}");
    }
}

#[test]
fn random_types_are_what_kube_makes_of_them() {
    let (mut compared, mut repaired) = (0, 0);
    let mut failures = Vec::new();
    for ty in types() {
        let (schema, findings) = render(Convention::Kube, &ty);
        let ours = to_json(&schema);
        let ByKube { raw, made, lossy } = by_kube(&ty);
        let valid = made.as_ref().filter(|theirs| faults(theirs).is_empty());
        compared += usize::from(valid.is_some());
        repaired += usize::from(valid.is_none() && findings.is_empty());
        let equal = match valid {
            Some(theirs) if lossy => ours == *theirs,
            Some(theirs) => findings.is_empty() && ours == *theirs,
            None => !findings.is_empty() || faults(&ours).is_empty(),
        };
        if !equal {
            let faults = made.as_ref().map(faults);
            failures.push(format!(
                "schemars: {raw}\nkube: {made:?}\nwhich has {faults:?}\nours: {ours}\n{findings:#?}"
            ));
        }
    }
    assert_none(failures);
    assert!(compared > 1000, "only {compared} could be compared");
    assert!(repaired > 100, "only {repaired} were repaired");
}

#[test]
fn random_types_are_structural_or_reported() {
    let mut fine = 0;
    let mut failures = Vec::new();
    for ty in types() {
        let (schema, findings) = render(Convention::Kubernetes, &ty);
        let ours = to_json(&schema);
        fine += usize::from(findings.is_empty());
        if findings.is_empty() && !faults(&ours).is_empty() {
            failures.push(format!("{:?}: {ours}\n{}", faults(&ours), by_kube(&ty).raw));
        }
    }
    assert_none(failures);
    assert!(fine > 1000, "only {fine} were accepted");
}
