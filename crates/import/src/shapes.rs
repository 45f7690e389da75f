//! Schemas as Rust types.

use crate::attributes::{Attributes, Position, texts};
use crate::features::Features;
use crate::known::{self, QUANTITY, QUANTITY_LOSS};
use crate::literals::{json, text};
use crate::mapping::{ByPlace, Places};
use crate::merged::{Each, Keywords, Node, Property, agreed};
use crate::meta::Meta;
use crate::names;
use crate::ty::Ty;
use crate::types::{Body, Definitions, Doc, Field, FieldDefault, Gate, Place, Shape, Variant};
use crate::{Problems, Purpose};
use serde_json::{Value, json as value};
use std::collections::BTreeSet;

/// The integers up to this are exact in an `f64`.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// What a field may say of a type.
const OF_USE: [&str; 3] = ["default", "description", "nullable"];

/// Makes types of schemas.
pub(crate) struct Shapes<'a> {
    pub(crate) definitions: Definitions,
    pub(crate) features: &'a Features,
    /// Types that are there already, by the places that they are for.
    pub(crate) uses: &'a ByPlace,
    /// The names that people chose, by place.
    pub(crate) names: &'a ByPlace,
    /// The places that were seen.
    pub(crate) places: Places,
    pub(crate) problems: &'a mut Problems,
    /// What the types do not keep of objects.
    pub(crate) losses: Problems,
    pub(crate) purpose: Purpose,
}

impl Shapes<'_> {
    /// The fields of an object, and the attributes of the struct that has them.
    pub(crate) fn object(&mut self, node: &Node, place: &Place) -> Shape {
        let mut left = node.keywords.clone();
        left.remove("type");
        left.remove("description");
        let mut used = BTreeSet::new();
        let mut fields: Vec<Field> = node
            .properties
            .iter()
            .map(|(name, property)| {
                let mut field = self.field(name, property, node, place);
                field.rust = names::distinct(field.rust, &mut used);
                field
            })
            .collect();
        if self.purpose.keeps_unknown() || node.is("x-kubernetes-preserve-unknown-fields") {
            left.remove("x-kubernetes-preserve-unknown-fields");
            fields.push(rest(&fields, &["flatten"], &[]));
        } else if node.is("x-kubernetes-embedded-resource") {
            // Servers keep `apiVersion`, `kind` and `metadata`, whatever the schema has.
            fields.push(rest(&fields, &["flatten"], &["skip"]));
        }
        let body = Body::Struct(fields);
        self.reduce(&mut left);
        let attributes = self.attributes(left, node.present, Position::Struct, &Ty::Object, place);
        Shape { body, attributes }
    }

    /// Removes what types of clients do not say.
    fn reduce(&self, left: &mut Keywords) {
        if self.purpose.is_client() {
            left.retain(|key, _| ["description", "nullable"].contains(&&**key));
        }
    }

    fn attributes(
        &mut self,
        keywords: Keywords,
        present: Each<bool>,
        position: Position,
        ty: &Ty,
        place: &Place,
    ) -> Attributes {
        let (attributes, differing) = Attributes::of_keywords(
            keywords,
            present,
            position,
            ty,
            &self.features.at(&place.path),
        );
        for key in differing {
            self.problems.differs(&place.path, &key);
        }
        attributes
    }

    fn field(&mut self, name: &str, property: &Property, parent: &Node, place: &Place) -> Field {
        let place = place.property(name);
        let node = &property.node;
        let gate = self.gate(name, node, parent, &place);
        let (ty, mut left, transform) = self.ty(node, &place, is_described(node) == Some(true));
        let required = self.required(property, gate.as_ref(), &place);
        let nullable = self
            .take("nullable", &mut left, node.present, &place.path)
            .is_some();
        let default = self.take("default", &mut left, node.present, &place.path);
        let mut serde = Vec::new();
        let mut schemars = Vec::new();
        let mut crd = Vec::new();
        let mut extend = Vec::new();
        let of_rust = default
            .as_ref()
            .and_then(|default| self.rust_default(default, &ty));
        let of_rust = of_rust.filter(|_| !required && !nullable);
        let ty = match required && !nullable || of_rust.is_some() {
            true => ty,
            false => Ty::Option(Box::new(ty)),
        };
        if let (None, Some(default)) = (&of_rust, default) {
            extend.push(("default".to_owned(), json(&default)));
        }
        if matches!(ty, Ty::Option(_)) {
            match required {
                true => schemars.push(Meta::Plain("required".to_owned())),
                false => serde.push(Meta::Plain(
                    "skip_serializing_if = \"Option::is_none\"".to_owned(),
                )),
            }
        }
        if nullable {
            crd.push(Meta::Plain("nullable".to_owned()));
            self.nullable(required, !extend.is_empty(), &place.path);
        }
        let mut attributes = self.attributes(left, node.present, Position::Field, &ty, &place);
        attributes.transform.extend(transform);
        attributes.serde.splice(0..0, serde);
        attributes.schemars.splice(0..0, schemars);
        attributes.crd.splice(0..0, crd);
        attributes.extend.splice(0..0, extend);
        let rust = names::field(name);
        Field {
            property: Some(name.to_owned()),
            rust,
            ty,
            gate,
            default: of_rust,
            attributes,
        }
    }

    /// Says what becomes of null, if the property may be absent as well.
    pub(crate) fn nullable(&mut self, required: bool, has_default: bool, path: &str) {
        match (required, has_default) {
            (true, _) => {}
            (false, true) => self.losses.add(
                path,
                "null becomes absent, for which servers set the default",
            ),
            (false, false) => self.losses.add(path, "null becomes absent"),
        }
    }

    fn gate(&mut self, name: &str, node: &Node, parent: &Node, place: &Place) -> Option<Gate> {
        let feature = || self.features.at(&place.path).of_name(name);
        match (node.present, parent.present) {
            (own, of_parent) if own == of_parent => None,
            ([false, true], _) => Some(Gate {
                experimental: true,
                feature: feature(),
            }),
            ([true, false], _) => Some(Gate {
                experimental: false,
                feature: feature(),
            }),
            _ => {
                self.problems
                    .add(&place.path, "a channel has it whose object it lacks");
                None
            }
        }
    }

    fn required(&mut self, property: &Property, gate: Option<&Gate>, place: &Place) -> bool {
        let present = property.node.present;
        let required: Vec<bool> = (0..2)
            .filter(|it| present[*it])
            .map(|it| property.required[it])
            .collect();
        let is_required = required.contains(&true);
        if required.contains(&false) && is_required {
            self.problems.add(
                &place.path,
                "only one of the channels requires it, which no attribute can say",
            );
        }
        if gate.is_some() && is_required {
            self.problems.add(&place.path, "only one of the channels has it, and that requires it: objects of one channel would not be valid in the other");
        }
        is_required
    }

    /// The default as a value of the Rust type, if it is a simple one.
    fn rust_default(&self, default: &Value, ty: &Ty) -> Option<FieldDefault> {
        let literal = match (ty, default) {
            (Ty::Bool, Value::Bool(flag)) => flag.to_string(),
            (Ty::I32, Value::Number(it)) => i32::try_from(it.as_i64()?).ok()?.to_string(),
            (Ty::I64, Value::Number(it)) => it.as_i64()?.to_string(),
            (Ty::String, Value::String(it)) if it.is_empty() => "String::new()".to_owned(),
            (Ty::String, Value::String(it)) => format!("{}.to_owned()", text(it)),
            (Ty::Named(id), Value::String(it)) => {
                let Body::Enum(variants) = &self.definitions.all[*id].shape.body else {
                    return None;
                };
                let index = variants.iter().position(|variant| variant.value == *it)?;
                // A gated variant is not the default of the channel without it.
                let plain = variants[index].gate.is_none();
                return plain.then_some(FieldDefault::Variant(*id, index));
            }
            _ => return None,
        };
        Some(FieldDefault::Literal(literal))
    }

    /// The Rust type of a node, the keywords that it does not say, and the functions that remove what it says too much.
    pub(crate) fn ty(
        &mut self,
        node: &Node,
        place: &Place,
        described: bool,
    ) -> (Ty, Keywords, Vec<&'static str>) {
        let (ty, mut left, mut transform) = self.exact(node, place, described);
        if self.purpose.is_client() {
            self.reduce(&mut left);
            transform.clear();
        }
        (ty, left, transform)
    }

    fn exact(
        &mut self,
        node: &Node,
        place: &Place,
        described: bool,
    ) -> (Ty, Keywords, Vec<&'static str>) {
        self.places.add(&place.path);
        let mut left = node.keywords.clone();
        let mut transform = Vec::new();
        if let Some(path) = self.uses.at(&place.path) {
            left.retain(|key, _| OF_USE.contains(&&**key));
            return (Ty::Used(path.to_owned()), left, transform);
        }
        // These are part of what the Rust type says in both channels.
        let decisive: &[&str] = match node.same("type").and_then(Value::as_str) {
            Some("integer" | "number") => &["format"],
            None => &["anyOf", "x-kubernetes-int-or-string"],
            Some(_) => &[],
        };
        for key in decisive.iter().filter(|key| !node.agrees_on(key)) {
            self.problems.differs(&place.path, key);
        }
        let mut take = |key: &str| left.remove(key);
        let kind = take("type");
        let kind = match &kind {
            None => None,
            Some(values) => match agreed(node.present, values) {
                Some(Value::String(name)) => Some(name.clone()),
                _ => {
                    self.problems.differs(&place.path, "type");
                    return (Ty::Value, left, transform);
                }
            },
        };
        let ty = match kind.as_deref() {
            Some("object") if !node.properties.is_empty() => {
                return self.struct_type(node, place, described);
            }
            Some("object") => match &node.values {
                Some(values) => Ty::Map(Box::new(self.element(values, &place.element("{}")))),
                None if node.is("x-kubernetes-preserve-unknown-fields") => {
                    take("x-kubernetes-preserve-unknown-fields");
                    transform.push("any_object");
                    Ty::Object
                }
                None if node.same("additionalProperties") == Some(&Value::Bool(true)) => {
                    // `extend` says it, over what the type says.
                    Ty::Object
                }
                None if self.purpose.keeps_unknown() => Ty::Object,
                None => {
                    let shape = Shape {
                        body: Body::Struct(Vec::new()),
                        attributes: Attributes::default(),
                    };
                    let place = Place {
                        words: vec!["Empty".to_owned()],
                        ..place.clone()
                    };
                    let doc = self.doc(node, described);
                    Ty::Named(self.definitions.define(shape, doc, &place))
                }
            },
            Some("array") => match &node.items {
                Some(items) => Ty::List(Box::new(self.element(items, &place.element("[]")))),
                None => {
                    self.problems.add(&place.path, "a list has no `items`");
                    Ty::List(Box::new(Ty::Value))
                }
            },
            Some("string") => match self.variants(node, place) {
                Some(variants) => {
                    take("enum");
                    let shape = Shape {
                        body: Body::Enum(variants),
                        attributes: Attributes::default(),
                    };
                    let doc = self.doc(node, described);
                    Ty::Named(self.definitions.define(shape, doc, place))
                }
                None => Ty::String,
            },
            Some(kind @ ("integer" | "number")) => {
                let format = node.same("format").and_then(Value::as_str);
                let (ty, of_type) = match (kind, format) {
                    ("integer", Some("int32")) => (Ty::I32, "int32"),
                    ("integer", _) => (Ty::I64, "int64"),
                    // An `f32` would have other digits.
                    _ => (Ty::F64, "double"),
                };
                match format {
                    None => transform.push("no_format"),
                    Some(format) if format == of_type => drop(take("format")),
                    // `extend` says it, over what the type says.
                    Some(_) => {}
                }
                if ty == Ty::F64 && !is_within(node, EXACT) {
                    self.losses
                        .add(&place.path, "an integer of more than 53 bits is rounded");
                }
                ty
            }
            Some("boolean") => Ty::Bool,
            None if node.is("x-kubernetes-int-or-string") => {
                take("x-kubernetes-int-or-string");
                match is_described(node) {
                    Some(true) => {}
                    Some(false) => transform.push("no_description"),
                    None => self.problems.differs(&place.path, "description"),
                }
                let both = value!([{"type": "integer"}, {"type": "string"}]);
                match node.same("anyOf") == Some(&both) {
                    true => drop(take("anyOf")),
                    false if node.keywords.contains_key("anyOf") => {}
                    false => transform.push("no_any_of"),
                }
                match node.same("pattern").and_then(Value::as_str) {
                    Some(QUANTITY) => {
                        take("pattern");
                        self.losses.add(&place.path, QUANTITY_LOSS);
                        Ty::Quantity
                    }
                    _ => {
                        if !is_within(node, i32::MAX.into()) {
                            self.losses
                                .add(&place.path, "an integer of more than 32 bits is not read");
                        }
                        Ty::IntOrString
                    }
                }
            }
            None if node.is("x-kubernetes-preserve-unknown-fields") => {
                take("x-kubernetes-preserve-unknown-fields");
                Ty::Value
            }
            Some(other) => {
                self.problems
                    .add(&place.path, &format!("`{other}` is not a type"));
                Ty::Value
            }
            None => {
                self.problems
                    .add(&place.path, "it has no `type`, which servers refuse");
                Ty::Value
            }
        };
        (ty, left, transform)
    }

    /// A struct with these properties. What a field may say of it is left.
    fn struct_type(
        &mut self,
        node: &Node,
        place: &Place,
        described: bool,
    ) -> (Ty, Keywords, Vec<&'static str>) {
        let mut inside = node.clone();
        let mut left = Keywords::new();
        for key in OF_USE {
            if let Some(value) = inside.keywords.remove(key) {
                left.insert(key.to_owned(), value);
            }
        }
        if let Some((known, losses)) = self.known(&inside) {
            for (below, what) in losses {
                self.losses.add(&format!("{}{below}", place.path), what);
            }
            return (Ty::Known(known), left, Vec::new());
        }
        let shape = match self.union(&inside, place) {
            Some(variants) => Shape {
                body: Body::Enum(variants),
                attributes: Attributes::default(),
            },
            None => self.object(&inside, place),
        };
        let id = self
            .definitions
            .define(shape, self.doc(node, described), place);
        (Ty::Named(id), left, Vec::new())
    }

    /// The type of Kubernetes that a client may take instead, if it keeps as much.
    fn known(&mut self, node: &Node) -> Option<(usize, known::Losses)> {
        let wanted = self.purpose.is_client() && !self.purpose.keeps_unknown();
        let found = wanted.then(|| known::find(node)).flatten()?;
        self.definitions.known.insert(known::KNOWN[found.0].name);
        Some(found)
    }

    /// Takes a keyword for which no attribute has a condition.
    pub(crate) fn take(
        &mut self,
        key: &str,
        keywords: &mut Keywords,
        present: Each<bool>,
        path: &str,
    ) -> Option<Value> {
        let values = keywords.remove(key)?;
        let agreed = agreed(present, &values).cloned();
        if agreed.is_none() {
            self.problems.differs(path, key);
        }
        agreed
    }

    /// What the documentation of a type at this place has to be.
    fn doc(&self, node: &Node, described: bool) -> Doc {
        if described {
            return Doc::Free;
        }
        let values = node.keywords.get("description");
        let values = values.unwrap_or(&[None, None]);
        Doc::Fixed(texts(values, node.present))
    }

    /// The type of the elements of a list or a map, which has no attributes of its own.
    fn element(&mut self, node: &Node, place: &Place) -> Ty {
        let (ty, mut left, transform) = self.ty(node, place, false);
        let nullable = self
            .take("nullable", &mut left, node.present, &place.path)
            .is_some();
        if matches!(ty, Ty::Named(_) | Ty::Used(_)) || self.purpose.is_client() {
            left.remove("description");
        }
        let ty = self.wrapped(node, ty, left, transform, place);
        match nullable {
            true => Ty::Option(Box::new(ty)),
            false => ty,
        }
    }

    /// The type itself, or a newtype with what is left of the keywords.
    pub(crate) fn wrapped(
        &mut self,
        node: &Node,
        ty: Ty,
        left: Keywords,
        transform: Vec<&'static str>,
        place: &Place,
    ) -> Ty {
        match left.is_empty() && transform.is_empty() {
            true => ty,
            false => Ty::Named(self.newtype(node, ty, left, transform, place)),
        }
    }

    fn newtype(
        &mut self,
        node: &Node,
        ty: Ty,
        left: Keywords,
        transform: Vec<&'static str>,
        place: &Place,
    ) -> usize {
        let mut left = left;
        left.remove("description");
        let mut attributes = self.attributes(left, node.present, Position::Newtype, &ty, place);
        attributes.transform.extend(transform);
        let shape = Shape {
            body: Body::Newtype(ty),
            attributes,
        };
        self.definitions.define(shape, self.doc(node, false), place)
    }

    /// A definition for a node, whatever it is.
    pub(crate) fn named(&mut self, node: &Node, place: &Place) -> usize {
        let (ty, mut left, transform) = self.ty(node, place, false);
        left.remove("description");
        match ty {
            Ty::Named(id) if left.is_empty() && transform.is_empty() => id,
            ty => self.newtype(node, ty, left, transform, place),
        }
    }

    /// The variants of an enum, if the values are different texts.
    fn variants(&mut self, node: &Node, place: &Place) -> Option<Vec<Variant>> {
        let lists = node.keywords.get("enum")?;
        let texts = |list: &Option<Value>| -> Option<Vec<String>> {
            let list = list.as_ref()?.as_array()?;
            list.iter()
                .map(|value| value.as_str().map(str::to_owned))
                .collect()
        };
        let (stable, experimental) = match node.present {
            [true, true] => (texts(&lists[0])?, texts(&lists[1])?),
            [true, false] => (texts(&lists[0])?, texts(&lists[0])?),
            _ => (texts(&lists[1])?, texts(&lists[1])?),
        };
        let mut values = experimental.clone();
        values.extend(
            stable
                .iter()
                .filter(|value| !experimental.contains(value))
                .cloned(),
        );
        let distinct: BTreeSet<&String> = values.iter().collect();
        if distinct.len() != values.len()
            || !values
                .iter()
                .any(|it| stable.contains(it) && experimental.contains(it))
        {
            return None;
        }
        let rust = names::variants(&values.iter().map(String::as_str).collect::<Vec<_>>());
        let variants = values.iter().zip(rust).map(|(value, rust)| {
            let gate = match (stable.contains(value), experimental.contains(value)) {
                (true, true) => None,
                (_, experimental) => Some(Gate {
                    experimental,
                    feature: self.features.at(&place.path).of_name(value),
                }),
            };
            Variant {
                value: value.clone(),
                rust,
                gate,
                doc: [None, None],
                content: None,
            }
        });
        Some(variants.collect())
    }
}

/// Whether the bounds of a number are at most this far from 0.
fn is_within(node: &Node, most: f64) -> bool {
    let bound = |key: &str| node.same(key).and_then(Value::as_f64);
    let fits = |bound: Option<f64>| bound.is_some_and(|it| it.abs() <= most);
    fits(bound("minimum")) && fits(bound("maximum"))
}

/// A field that keeps what no other field of its struct does.
pub(crate) fn rest(fields: &[Field], serde: &[&str], schemars: &[&str]) -> Field {
    let mut used = fields.iter().map(|field| field.rust.clone()).collect();
    let all = |of: &[&str]| of.iter().map(|it| Meta::Plain((*it).to_owned())).collect();
    Field {
        property: None,
        rust: names::distinct("other".to_owned(), &mut used),
        ty: Ty::Map(Box::new(Ty::Value)),
        gate: None,
        default: None,
        attributes: Attributes {
            serde: all(serde),
            schemars: all(schemars),
            ..Attributes::default()
        },
    }
}

/// Whether a node has a description; `None` if only one of its channels has one.
pub(crate) fn is_described(node: &Node) -> Option<bool> {
    let texts = node.keywords.get("description");
    let said = |at: &usize| texts.is_some_and(|texts| texts[*at].is_some());
    let mut present = (0..2).filter(|at| node.present[*at]);
    let first = present.next().is_some_and(|at| said(&at));
    present.all(|at| said(&at) == first).then_some(first)
}
