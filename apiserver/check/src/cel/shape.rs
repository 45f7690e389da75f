//! The interface to schema nodes for the analyses of expressions.

use crd_channels_cel::escaped;

/// A node of a schema, in any representation.
pub trait Shape: Copy {
    /// The first property whose name matches.
    fn property(self, fits: &dyn Fn(&str) -> bool) -> Option<Property<Self>>;
    /// The items, if it is a list.
    fn items(self) -> Option<Self>;
    /// The values, if it is a map.
    fn values(self) -> Option<Self>;
}

/// A property of an object.
#[derive(Clone, Copy, Debug)]
pub struct Property<S> {
    /// Its node.
    pub shape: S,
    /// Whether it may be absent.
    pub optional: bool,
}

/// Words that must be escaped to name a property; all other reserved words may also be unescaped.
const HARD: [&str; 4] = ["in", "true", "false", "null"];

/// The property that a name in an expression refers to.
pub(super) fn property_named<S: Shape>(shape: S, written: &str) -> Option<Property<S>> {
    shape.property(&|name| {
        // Most names are not escaped.
        if name == written && !name.contains("__") {
            return !HARD.contains(&name);
        }
        written.contains("__") && escaped(name).as_deref() == Some(written)
    })
}
