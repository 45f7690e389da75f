//! The path from the root of a CRD to one of its nodes, formatted only when needed.

use std::fmt;

/// The last element of a path; its ancestors are on the stack of the walk.
#[derive(Clone, Copy, Debug)]
pub struct Path<'p> {
    above: Option<&'p Path<'p>>,
    element: PathElement<'p>,
}

#[derive(Clone, Copy, Debug)]
enum PathElement<'p> {
    Child(&'p str),
    Key(&'p str),
    Index(usize),
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

    /// `path.name`
    #[must_use]
    pub fn child(&'p self, name: &'p str) -> Self {
        self.below(PathElement::Child(name))
    }

    /// `path[key]`
    #[must_use]
    pub fn key(&'p self, key: &'p str) -> Self {
        self.below(PathElement::Key(key))
    }

    /// `path[0]`
    #[must_use]
    pub fn index(&'p self, index: usize) -> Self {
        self.below(PathElement::Index(index))
    }

    fn below(&'p self, element: PathElement<'p>) -> Self {
        Self {
            above: Some(self),
            element,
        }
    }

    /// The place in objects that a node of a schema describes, as in `spec.rules[].name`; empty for the root.
    #[must_use]
    pub fn in_objects(&self) -> String {
        let mut place = String::new();
        for element in self.elements() {
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

    /// All elements, starting at the root.
    fn elements(&self) -> Vec<PathElement<'p>> {
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
        for (nth, element) in self.elements().into_iter().enumerate() {
            match element {
                PathElement::Child(name) if nth == 0 => f.write_str(name)?,
                PathElement::Child(name) => write!(f, ".{name}")?,
                PathElement::Key(key) => write!(f, "[{key}]")?,
                PathElement::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Path;

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
        assert_eq!(rule.child("rule").in_objects(), "a.b[][].labels[]");
    }
}
