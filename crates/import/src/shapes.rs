//! Schemas as Rust types.

use crate::attributes::{Attributes, Position, texts};
use crate::features::Features;
use crate::known;
use crate::literals::{json, text};
use crate::mapping::{ByPlace, Places};
use crate::merged::{Each, Keywords, Node, Property, agreed};
use crate::meta::Meta;
use crate::names;
use crate::ty::{Ty, Typed};
use crate::types::{Body, Definitions, Doc, Field, FieldDefault, Gate, Place, Shape, Variant};
use crate::{Problems, Purpose};
use serde_json::Value;
use std::collections::BTreeSet;

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
    pub(crate) fn reduce(&self, left: &mut Keywords) {
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
        let Typed {
            ty,
            mut left,
            transform,
        } = self.ty(node, &place, is_described(node) == Some(true));
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

    /// The type of Kubernetes that a client may take instead, if it keeps as much.
    pub(crate) fn known(&mut self, node: &Node) -> Option<(usize, known::Losses)> {
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
    pub(crate) fn doc(&self, node: &Node, described: bool) -> Doc {
        if described {
            return Doc::Free;
        }
        let values = node.keywords.get("description");
        let values = values.unwrap_or(&[None, None]);
        Doc::Fixed(texts(values, node.present))
    }

    /// The type of the elements of a list or a map, which has no attributes of its own.
    pub(crate) fn element(&mut self, node: &Node, place: &Place) -> Ty {
        let mut typed = self.ty(node, place, false);
        let nullable = self
            .take("nullable", &mut typed.left, node.present, &place.path)
            .is_some();
        if matches!(typed.ty, Ty::Named(_) | Ty::Used(_)) || self.purpose.is_client() {
            typed.left.remove("description");
        }
        let ty = self.wrapped(node, typed, place);
        match nullable {
            true => Ty::Option(Box::new(ty)),
            false => ty,
        }
    }

    /// The type itself, or a newtype with what is left of the keywords.
    pub(crate) fn wrapped(&mut self, node: &Node, typed: Typed, place: &Place) -> Ty {
        match typed.says_all() {
            true => typed.ty,
            false => Ty::Named(self.newtype(node, typed, place)),
        }
    }

    fn newtype(&mut self, node: &Node, typed: Typed, place: &Place) -> usize {
        let Typed {
            ty,
            mut left,
            transform,
        } = typed;
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
        let mut typed = self.ty(node, place, false);
        typed.left.remove("description");
        match typed.ty {
            Ty::Named(id) if typed.says_all() => id,
            _ => self.newtype(node, typed, place),
        }
    }

    /// The variants of an enum, if the values are different texts.
    pub(crate) fn variants(&mut self, node: &Node, place: &Place) -> Option<Vec<Variant>> {
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
