//! What the readers of expressions ask a node of a schema.

use crd_channels_cel::escaped;

/// A node of a schema, whatever it is held in.
pub trait Shape: Copy {
    /// The first property whose name fits.
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
    /// Whether objects may lack it.
    pub optional: bool,
}

/// Words that name a property only when they are escaped; all other words do as they are, too.
const HARD: [&str; 4] = ["in", "true", "false", "null"];

/// The property that a name in an expression stands for.
pub(super) fn property_named<S: Shape>(shape: S, written: &str) -> Option<Property<S>> {
    shape.property(&|name| {
        // Most names stand for themselves.
        if name == written && !name.contains("__") {
            return !HARD.contains(&name);
        }
        written.contains("__") && escaped(name).as_deref() == Some(written)
    })
}
