//! The types that are made of schemas, each shape once.

use crate::attributes::Attributes;
use crate::known::KNOWN;
use crate::merged::Each;
use crate::names;
use crate::ty::Ty;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The gate on an item that only one of the channels has.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub(crate) struct Gate {
    /// Whether the experimental channel has it.
    pub(crate) experimental: bool,
    /// The feature, or none if nothing names it.
    pub(crate) feature: Option<String>,
}

/// The default of a field whose Rust type is not an `Option`.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub(crate) enum FieldDefault {
    /// A literal of the field's type.
    Literal(String),
    /// The variant of an enum: its definition, and the index.
    Variant(usize, usize),
}

#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub(crate) struct Field {
    /// The serialized name; none of a field that keeps what has no field.
    pub(crate) property: Option<String>,
    pub(crate) rust: String,
    pub(crate) ty: Ty,
    pub(crate) gate: Option<Gate>,
    pub(crate) default: Option<FieldDefault>,
    pub(crate) attributes: Attributes,
}

#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub(crate) struct Variant {
    /// The serialized value, or the name of the one property.
    pub(crate) value: String,
    pub(crate) rust: String,
    pub(crate) gate: Option<Gate>,
    /// The description of the property in each channel.
    pub(crate) doc: Each<Option<String>>,
    /// The type of the property; none of a value.
    pub(crate) content: Option<Ty>,
}

#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub(crate) enum Body {
    Struct(Vec<Field>),
    Enum(Vec<Variant>),
    Newtype(Ty),
}

/// What a definition is, without its documentation and name.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub(crate) struct Shape {
    pub(crate) body: Body,
    pub(crate) attributes: Attributes,
}

/// The description that the users of a type expect it to have.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Doc {
    /// Each use has a description of its own, so the type may have any.
    Free,
    /// The schema has these descriptions, one for each channel.
    Fixed(Each<Option<String>>),
}

#[derive(Clone, Debug)]
pub(crate) struct Definition {
    pub(crate) shape: Shape,
    pub(crate) doc: Doc,
    /// The places that it was made for: words of names, the last of the place itself.
    pub(crate) hints: Vec<Vec<String>>,
    /// The paths of these places.
    pub(crate) places: Vec<String>,
}

/// A place in a schema: its path for messages, and the words of its name.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) path: String,
    pub(crate) words: Vec<String>,
}

impl Place {
    pub(crate) fn property(&self, name: &str) -> Self {
        let mut words = self.words.clone();
        words.push(names::of_type(name));
        // The path of a whole object is a dot already.
        let dot = if self.path.ends_with(" .") { "" } else { "." };
        Self {
            path: format!("{}{dot}{name}", self.path),
            words,
        }
    }

    /// The place of the elements of a list or a map.
    pub(crate) fn element(&self, brackets: &str) -> Self {
        let mut words = self.words.clone();
        if let Some(last) = words.last_mut() {
            *last = names::singular(last);
        }
        Self {
            path: format!("{}{brackets}", self.path),
            words,
        }
    }
}

/// All definitions. Equal shapes with equal documentation are one.
#[derive(Debug, Default)]
pub(crate) struct Definitions {
    pub(crate) all: Vec<Definition>,
    /// The names of the types of Kubernetes that are used.
    pub(crate) known: BTreeSet<&'static str>,
    by_shape: HashMap<Shape, Vec<usize>>,
}

impl Definitions {
    /// Returns the definition of a shape, and makes it if it is new.
    pub(crate) fn define(&mut self, shape: Shape, doc: Doc, place: &Place) -> usize {
        let Place { path, words: hint } = place;
        let same = self.by_shape.entry(shape.clone()).or_default();
        let fits = |known: &Doc| *known == doc || *known == Doc::Free || doc == Doc::Free;
        // An exact match first, so that a free one stays free.
        let found = same.iter().find(|id| self.all[**id].doc == doc);
        let found = found.or_else(|| same.iter().find(|id| fits(&self.all[**id].doc)));
        if let Some(&id) = found {
            let known = &mut self.all[id];
            if known.doc == Doc::Free {
                known.doc = doc;
            }
            if !known.hints.iter().any(|known| known == hint) {
                known.hints.push(hint.clone());
            }
            known.places.push(path.clone());
            return id;
        }
        let id = self.all.len();
        same.push(id);
        self.all.push(Definition {
            shape,
            doc,
            hints: vec![hint.clone()],
            places: vec![path.clone()],
        });
        id
    }

    /// Whether a type has a value for whatever was not given.
    pub(crate) fn has_default(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Named(id) => self.is_default(&self.all[*id].shape),
            Ty::Known(index) => KNOWN[*index].has_default,
            _ => true,
        }
    }

    /// The same for a shape.
    pub(crate) fn is_default(&self, shape: &Shape) -> bool {
        match &shape.body {
            Body::Struct(fields) => fields.iter().all(|field| self.has_default(&field.ty)),
            Body::Enum(_) => false,
            Body::Newtype(ty) => self.has_default(ty),
        }
    }

    /// The definitions that a type names, each once, in the order in which a reader meets them.
    pub(crate) fn below(&self, roots: &[usize]) -> Vec<usize> {
        let mut found = Vec::new();
        let mut seen = BTreeMap::new();
        let mut open: Vec<usize> = roots.iter().rev().copied().collect();
        while let Some(id) = open.pop() {
            if seen.insert(id, ()).is_some() {
                continue;
            }
            found.push(id);
            let mut inside = self.all[id].shape.uses();
            inside.reverse();
            open.extend(inside);
        }
        found
    }
}

impl Shape {
    /// Whether an empty object is one.
    pub(crate) fn accepts_nothing(&self) -> bool {
        let may_lack = |field: &Field| {
            matches!(field.ty, Ty::Option(_)) || field.default.is_some() || field.property.is_none()
        };
        matches!(&self.body, Body::Struct(fields) if fields.iter().all(may_lack))
    }

    /// The types of its fields.
    fn types(&self) -> Vec<&Ty> {
        match &self.body {
            Body::Struct(fields) => fields.iter().map(|field| &field.ty).collect(),
            Body::Enum(variants) => variants
                .iter()
                .filter_map(|it| it.content.as_ref())
                .collect(),
            Body::Newtype(ty) => vec![ty],
        }
    }

    /// The definitions that it names.
    pub(crate) fn uses(&self) -> Vec<usize> {
        self.types().into_iter().filter_map(Ty::named).collect()
    }

    /// The names of types that are there already.
    pub(crate) fn used(&self) -> impl Iterator<Item = String> {
        let paths = self.types().into_iter().filter_map(Ty::used);
        paths.filter_map(|path| Some(path.rsplit("::").next()?.to_owned()))
    }

    /// The features that it names.
    pub(crate) fn features(&self) -> impl Iterator<Item = &String> {
        let mut attributes = vec![&self.attributes];
        let gates: Vec<&Option<Gate>> = match &self.body {
            Body::Struct(fields) => {
                attributes.extend(fields.iter().map(|field| &field.attributes));
                fields.iter().map(|field| &field.gate).collect()
            }
            Body::Enum(variants) => variants.iter().map(|variant| &variant.gate).collect(),
            Body::Newtype(_) => Vec::new(),
        };
        let conditional = attributes.into_iter().flat_map(|it| &it.conditional);
        let conditional = conditional.filter_map(|it| it.feature.as_ref());
        let gates = gates.into_iter().flatten();
        gates
            .filter_map(|gate| gate.feature.as_ref())
            .chain(conditional)
    }
}
