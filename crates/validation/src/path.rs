//! The way from the root of a CRD to one of its nodes, written out only where something is found.

use std::fmt;

/// A node of the way; the nodes above it live on the stack of the walk.
#[derive(Clone, Copy, Debug)]
pub struct Path<'p> {
    above: Option<&'p Path<'p>>,
    step: Step<'p>,
}

#[derive(Clone, Copy, Debug)]
enum Step<'p> {
    Child(&'p str),
    Key(&'p str),
    Index(usize),
}

impl<'p> Path<'p> {
    /// A field of the document itself.
    #[must_use]
    pub fn root(name: &'p str) -> Self {
        Self {
            above: None,
            step: Step::Child(name),
        }
    }

    /// `path.name`
    #[must_use]
    pub fn child(&'p self, name: &'p str) -> Self {
        self.below(Step::Child(name))
    }

    /// `path[key]`
    #[must_use]
    pub fn key(&'p self, key: &'p str) -> Self {
        self.below(Step::Key(key))
    }

    /// `path[0]`
    #[must_use]
    pub fn index(&'p self, index: usize) -> Self {
        self.below(Step::Index(index))
    }

    fn below(&'p self, step: Step<'p>) -> Self {
        Self {
            above: Some(self),
            step,
        }
    }

    /// The place in objects that a node of a schema is about, as `spec.rules[].name`; empty for the root.
    #[must_use]
    pub fn in_objects(&self) -> String {
        let mut place = String::new();
        for step in self.steps() {
            match step {
                Step::Key(name) if place.is_empty() => place.push_str(name),
                Step::Key(name) => {
                    place.push('.');
                    place.push_str(name);
                }
                Step::Child("items" | "additionalProperties") => place.push_str("[]"),
                Step::Child(_) | Step::Index(_) => {}
            }
        }
        place
    }

    /// All steps from the root on.
    fn steps(&self) -> Vec<Step<'p>> {
        let mut steps = vec![self.step];
        let mut at = self.above;
        while let Some(path) = at {
            steps.push(path.step);
            at = path.above;
        }
        steps.reverse();
        steps
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (nth, step) in self.steps().into_iter().enumerate() {
            match step {
                Step::Child(name) if nth == 0 => f.write_str(name)?,
                Step::Child(name) => write!(f, ".{name}")?,
                Step::Key(key) => write!(f, "[{key}]")?,
                Step::Index(index) => write!(f, "[{index}]")?,
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
