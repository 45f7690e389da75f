//! The macros: calls that are not functions.

use crate::minors::BASE;

/// The expansion of a macro.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Macro {
    /// `has(object.field)`
    Has,
    /// `all`
    All,
    /// `exists`
    Exists,
    /// `exists_one`
    ExistsOne,
    /// `map` and `transformList`
    Map,
    /// `filter`
    Filter,
    /// `transformMap`
    TransformMap,
    /// `transformMapEntry`
    TransformMapEntry,
    /// `sortBy`
    SortBy,
    /// `optMap`
    OptMap,
    /// `optFlatMap`
    OptFlatMap,
}

/// The syntax of a macro.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Its name.
    pub name: &'static str,
    /// The number of arguments.
    pub arguments: usize,
    /// The number of arguments that are names of variables.
    pub variables: usize,
    /// Its expansion.
    pub expands_to: Macro,
    /// The Kubernetes minor that added it.
    pub since: u32,
}

const fn row(
    name: &'static str,
    arguments: usize,
    variables: usize,
    expands_to: Macro,
    since: u32,
) -> Row {
    Row {
        name,
        arguments,
        variables,
        expands_to,
        since,
    }
}

/// All macros; only `has` has no target.
pub const MACROS: [Row; 20] = [
    row("has", 1, 0, Macro::Has, BASE),
    row("all", 2, 1, Macro::All, BASE),
    row("all", 3, 2, Macro::All, 32),
    row("exists", 2, 1, Macro::Exists, BASE),
    row("exists", 3, 2, Macro::Exists, 32),
    row("exists_one", 2, 1, Macro::ExistsOne, BASE),
    row("exists_one", 3, 2, Macro::ExistsOne, 32),
    row("existsOne", 3, 2, Macro::ExistsOne, 32),
    row("map", 2, 1, Macro::Map, BASE),
    row("map", 3, 1, Macro::Map, BASE),
    row("filter", 2, 1, Macro::Filter, BASE),
    row("transformList", 3, 2, Macro::Map, 32),
    row("transformList", 4, 2, Macro::Map, 32),
    row("transformMap", 3, 2, Macro::TransformMap, 32),
    row("transformMap", 4, 2, Macro::TransformMap, 32),
    row("transformMapEntry", 3, 2, Macro::TransformMapEntry, 32),
    row("transformMapEntry", 4, 2, Macro::TransformMapEntry, 32),
    row("sortBy", 2, 1, Macro::SortBy, 34),
    row("optMap", 2, 1, Macro::OptMap, 28),
    row("optFlatMap", 2, 1, Macro::OptFlatMap, 28),
];

/// The macro of that name with that number of arguments.
#[must_use]
pub fn macro_called(name: &str, has_target: bool, arguments: usize) -> Option<&'static Row> {
    MACROS.iter().find(|row| {
        row.name == name
            && row.arguments == arguments
            && has_target != (row.expands_to == Macro::Has)
    })
}
