//! Paths to the nodes of CRDs and objects, as servers write them. Each name is an element, since names may contain dots and
//! brackets.

use std::fmt::{self, Write as _};

/// An element of a path.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum PathElement<N = String> {
    /// `.name`
    Child(N),
    /// `[key]`
    Key(N),
    /// `[0]`
    Index(usize),
}

impl PathElement {
    /// The name of a child or a key.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Child(name) | Self::Key(name) => Some(name),
            Self::Index(_) => None,
        }
    }

    /// Whether it is the child of that name.
    #[must_use]
    pub fn is_child(&self, name: &str) -> bool {
        matches!(self, Self::Child(child) if child == name)
    }

    fn borrowed(&self) -> PathElement<&str> {
        match self {
            Self::Child(name) => PathElement::Child(name),
            Self::Key(name) => PathElement::Key(name),
            Self::Index(index) => PathElement::Index(*index),
        }
    }
}

impl From<PathElement<&str>> for PathElement {
    fn from(element: PathElement<&str>) -> Self {
        match element {
            PathElement::Child(name) => Self::Child(name.to_owned()),
            PathElement::Key(name) => Self::Key(name.to_owned()),
            PathElement::Index(index) => Self::Index(index),
        }
    }
}

/// The last element of a path; its ancestors are on the stack of the walk.
#[derive(Clone, Copy, Debug)]
pub struct Path<'p> {
    above: Option<&'p Path<'p>>,
    element: PathElement<&'p str>,
}

impl<'p> Path<'p> {
    /// The path of a field of the document itself.
    #[must_use]
    pub fn root(name: &'p str) -> Self {
        Self {
            above: None,
            element: PathElement::Child(name),
        }
    }

    /// The path of an item of the document itself.
    #[must_use]
    pub fn root_item(index: usize) -> Self {
        Self {
            above: None,
            element: PathElement::Index(index),
        }
    }

    /// `path.name`
    #[must_use]
    pub fn child(&'p self, name: &'p str) -> Self {
        self.with_element(PathElement::Child(name))
    }

    /// `path[key]`
    #[must_use]
    pub fn key(&'p self, key: &'p str) -> Self {
        self.with_element(PathElement::Key(key))
    }

    /// `path[0]`
    #[must_use]
    pub fn index(&'p self, index: usize) -> Self {
        self.with_element(PathElement::Index(index))
    }

    fn with_element(&'p self, element: PathElement<&'p str>) -> Self {
        Self {
            above: Some(self),
            element,
        }
    }

    /// The place in objects that a node of a schema describes, as in `spec.rules[].name`; empty for the root.
    #[must_use]
    pub fn in_objects(&self) -> String {
        in_objects(self.elements().into_iter())
    }

    /// All elements, starting at the root.
    fn elements(&self) -> Vec<PathElement<&'p str>> {
        let mut elements = vec![self.element];
        let mut at = self.above;
        while let Some(path) = at {
            elements.push(path.element);
            at = path.above;
        }
        elements.reverse();
        elements
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        format(f, self.elements().into_iter())
    }
}

/// A path that owns its elements; empty for a whole document.
#[derive(Clone, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct FieldPath(Vec<PathElement>);

impl FieldPath {
    /// Its elements, starting at the root.
    #[must_use]
    pub fn elements(&self) -> &[PathElement] {
        &self.0
    }

    /// Whether it is the path of a whole document.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// `path.name`
    #[must_use]
    pub fn child(self, name: impl Into<String>) -> Self {
        self.with_element(PathElement::Child(name.into()))
    }

    /// `path[key]`
    #[must_use]
    pub fn key(self, key: impl Into<String>) -> Self {
        self.with_element(PathElement::Key(key.into()))
    }

    /// `path[0]`
    #[must_use]
    pub fn index(self, index: usize) -> Self {
        self.with_element(PathElement::Index(index))
    }

    fn with_element(mut self, element: PathElement) -> Self {
        self.0.push(element);
        self
    }

    /// The path of a field within the value at this path. Servers write a dot between the two, even before a bracket.
    #[must_use]
    pub fn with_field(self, field: Self) -> Self {
        if self.is_empty() {
            return field;
        }
        let mut field = field.0.into_iter();
        let Some(first) = field.next() else {
            return self;
        };
        let mut whole = self.child(match first {
            PathElement::Child(name) => name,
            bracketed => Self(vec![bracketed]).to_string(),
        });
        whole.0.extend(field);
        whole
    }

    /// The place in objects that a node of a schema describes, as in `spec.rules[].name`; empty for the root.
    #[must_use]
    pub fn in_objects(&self) -> String {
        in_objects(self.0.iter().map(PathElement::borrowed))
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        format(f, self.0.iter().map(PathElement::borrowed))
    }
}

impl From<Path<'_>> for FieldPath {
    fn from(path: Path<'_>) -> Self {
        path.elements().into_iter().map(PathElement::from).collect()
    }
}

impl FromIterator<PathElement> for FieldPath {
    fn from_iter<I: IntoIterator<Item = PathElement>>(elements: I) -> Self {
        Self(elements.into_iter().collect())
    }
}

/// Compares it with the text that servers write.
impl PartialEq<str> for FieldPath {
    fn eq(&self, written: &str) -> bool {
        let mut left = Left(written);
        write!(left, "{self}").is_ok() && left.0.is_empty()
    }
}

/// Compares it with the text that servers write.
impl PartialEq<&str> for FieldPath {
    fn eq(&self, written: &&str) -> bool {
        *self == **written
    }
}

/// The text that is left to compare.
struct Left<'w>(&'w str);

impl fmt::Write for Left<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 = self.0.strip_prefix(text).ok_or(fmt::Error)?;
        Ok(())
    }
}

fn format<'e>(
    f: &mut fmt::Formatter<'_>,
    elements: impl Iterator<Item = PathElement<&'e str>>,
) -> fmt::Result {
    for (nth, element) in elements.enumerate() {
        match element {
            PathElement::Child(name) if nth == 0 => f.write_str(name)?,
            PathElement::Child(name) => write!(f, ".{name}")?,
            PathElement::Key(key) => write!(f, "[{key}]")?,
            PathElement::Index(index) => write!(f, "[{index}]")?,
        }
    }
    Ok(())
}

fn in_objects<'e>(elements: impl Iterator<Item = PathElement<&'e str>>) -> String {
    let mut place = String::new();
    for element in elements {
        match element {
            PathElement::Key(name) if place.is_empty() => place.push_str(name),
            PathElement::Key(name) => {
                place.push('.');
                place.push_str(name);
            }
            PathElement::Child("items" | "additionalProperties") => place.push_str("[]"),
            PathElement::Child(_) | PathElement::Index(_) => {}
        }
    }
    place
}

#[cfg(test)]
mod tests {
    use super::{FieldPath, Path};

    #[test]
    fn a_node_is_a_place_in_objects() {
        let root = Path::root("spec");
        let schema = root.child("openAPIV3Schema");
        assert_eq!(schema.in_objects(), "");
        let properties = schema.child("properties");
        let list = properties.key("a.b[]");
        let items = list.child("items");
        let properties = items.child("properties");
        let map = properties.key("labels");
        let values = map.child("additionalProperties");
        let rules = values.child("x-kubernetes-validations");
        let rule = rules.index(3);
        let rule = rule.child("rule");
        assert_eq!(rule.in_objects(), "a.b[][].labels[]");
        let owned = FieldPath::from(rule);
        assert_eq!(owned.in_objects(), rule.in_objects());
        assert_eq!(owned.to_string(), rule.to_string());
    }

    #[test]
    fn a_field_within_a_value_follows_a_dot() {
        let at = FieldPath::default().child("spec").child("default");
        let item = FieldPath::from(Path::root_item(0).child("a"));
        assert_eq!(item, "[0].a");
        assert_eq!(at.clone().with_field(item.clone()), "spec.default.[0].a");
        assert_eq!(FieldPath::default().with_field(item), "[0].a");
        assert!(at != "spec.default.a" && at != "spec.defaul");
        let entry = FieldPath::default().child("a").key("b.c");
        assert_eq!(at.clone().with_field(entry), "spec.default.a[b.c]");
        assert_eq!(at.clone().with_field(FieldPath::default()), at);
    }
}
