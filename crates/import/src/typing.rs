//! Makes the Rust types of schemas, and of others what a field has to say of them.

use crate::attributes::Attributes;
use crate::known::{QUANTITY, QUANTITY_LOSS};
use crate::merged::{Keywords, Node, agreed};
use crate::shapes::{Shapes, is_described};
use crate::ty::{Ty, Typed};
use crate::types::{Body, Place, Shape};
use serde_json::{Value, json as value};

/// The integers up to this are exact in an `f64`.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// What a field may say of a type.
const OF_USE: [&str; 3] = ["default", "description", "nullable"];

impl Shapes<'_> {
    /// The Rust type of a node, and what it does not say.
    pub(crate) fn ty(&mut self, node: &Node, place: &Place, described: bool) -> Typed {
        let mut typed = self.exact(node, place, described);
        if self.purpose.is_client() {
            self.reduce(&mut typed.left);
            typed.transform.clear();
        }
        typed
    }

    fn exact(&mut self, node: &Node, place: &Place, described: bool) -> Typed {
        self.places.add(&place.path);
        let mut typed = Typed {
            ty: Ty::Value,
            left: node.keywords.clone(),
            transform: Vec::new(),
        };
        if let Some(path) = self.uses.at(&place.path) {
            typed.left.retain(|key, _| OF_USE.contains(&&**key));
            typed.ty = Ty::Used(path.to_owned());
            return typed;
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
        let kind = match typed.left.remove("type") {
            None => None,
            Some(values) => match agreed(node.present, &values) {
                Some(Value::String(name)) => Some(name.clone()),
                _ => {
                    self.problems.differs(&place.path, "type");
                    return typed;
                }
            },
        };
        typed.ty = match kind.as_deref() {
            Some("object") if !node.properties.is_empty() => {
                return self.struct_type(node, place, described);
            }
            Some("object") => self.without_properties(node, place, described, &mut typed),
            Some("array") => match &node.items {
                Some(items) => Ty::List(Box::new(self.element(items, &place.element("[]")))),
                None => {
                    self.problems.add(&place.path, "a list has no `items`");
                    Ty::List(Box::new(Ty::Value))
                }
            },
            Some("string") => match self.variants(node, place) {
                Some(variants) => {
                    typed.left.remove("enum");
                    self.define(Body::Enum(variants), node, place, described)
                }
                None => Ty::String,
            },
            Some("integer") => match node.same("format").and_then(Value::as_str) {
                Some("int32") => typed.formatted(node, Ty::I32, "int32"),
                _ => typed.formatted(node, Ty::I64, "int64"),
            },
            Some("number") => {
                if !is_within(node, EXACT) {
                    self.losses
                        .add(&place.path, "an integer of more than 53 bits is rounded");
                }
                // An `f32` would have other digits.
                typed.formatted(node, Ty::F64, "double")
            }
            Some("boolean") => Ty::Bool,
            None if node.is("x-kubernetes-int-or-string") => {
                self.int_or_string(node, place, &mut typed)
            }
            None if node.is("x-kubernetes-preserve-unknown-fields") => {
                typed.left.remove("x-kubernetes-preserve-unknown-fields");
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
        typed
    }

    /// An object whose properties the schema does not name.
    fn without_properties(
        &mut self,
        node: &Node,
        place: &Place,
        described: bool,
        typed: &mut Typed,
    ) -> Ty {
        if let Some(values) = &node.values {
            return Ty::Map(Box::new(self.element(values, &place.element("{}"))));
        }
        if node.is("x-kubernetes-preserve-unknown-fields") {
            typed.left.remove("x-kubernetes-preserve-unknown-fields");
            typed.transform.push("any_object");
            return Ty::Object;
        }
        // `extend` says `true`, over what the type says.
        let has_any = node.same("additionalProperties") == Some(&Value::Bool(true));
        if has_any || self.purpose.keeps_unknown() {
            return Ty::Object;
        }
        let place = Place {
            words: vec!["Empty".to_owned()],
            ..place.clone()
        };
        self.define(Body::Struct(Vec::new()), node, &place, described)
    }

    fn int_or_string(&mut self, node: &Node, place: &Place, typed: &mut Typed) -> Ty {
        typed.left.remove("x-kubernetes-int-or-string");
        match is_described(node) {
            Some(true) => {}
            Some(false) => typed.transform.push("no_description"),
            None => self.problems.differs(&place.path, "description"),
        }
        let both = value!([{"type": "integer"}, {"type": "string"}]);
        match node.same("anyOf") == Some(&both) {
            true => drop(typed.left.remove("anyOf")),
            false if node.keywords.contains_key("anyOf") => {}
            false => typed.transform.push("no_any_of"),
        }
        if node.same("pattern").and_then(Value::as_str) == Some(QUANTITY) {
            typed.left.remove("pattern");
            self.losses.add(&place.path, QUANTITY_LOSS);
            return Ty::Quantity;
        }
        if !is_within(node, i32::MAX.into()) {
            self.losses
                .add(&place.path, "an integer of more than 32 bits is not read");
        }
        Ty::IntOrString
    }

    /// A new type with this body and no attributes.
    fn define(&mut self, body: Body, node: &Node, place: &Place, described: bool) -> Ty {
        let attributes = Attributes::default();
        let doc = self.doc(node, described);
        Ty::Named(
            self.definitions
                .define(Shape { body, attributes }, doc, place),
        )
    }

    /// A struct with these properties. What a field may say of it is left.
    fn struct_type(&mut self, node: &Node, place: &Place, described: bool) -> Typed {
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
            return Typed {
                ty: Ty::Known(known),
                left,
                transform: Vec::new(),
            };
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
        Typed {
            ty: Ty::Named(id),
            left,
            transform: Vec::new(),
        }
    }
}

/// Whether the bounds of a number are at most this far from 0.
fn is_within(node: &Node, most: f64) -> bool {
    let bound = |key: &str| node.same(key).and_then(Value::as_f64);
    let fits = |bound: Option<f64>| bound.is_some_and(|it| it.abs() <= most);
    fits(bound("minimum")) && fits(bound("maximum"))
}
