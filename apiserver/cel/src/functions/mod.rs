//! The functions and operators of rules: one table with a row per overload, and the Kubernetes minors that have it.

mod kubernetes;
mod lists;
mod operators;
mod overload;
mod run;
mod standard;
mod strings;

pub use overload::{Cost, Overload, Style};
pub(crate) use run::{call_row, fitting, is_known, run, run_member, typed};

use overload::Rows;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// The number of elements of a list or a map, or of characters of a text.
pub const SIZE: &str = "size";

/// The test of a text with a pattern.
pub const MATCHES: &str = "matches";

/// Whether the second argument of a function is a pattern.
#[must_use]
pub fn takes_pattern(name: &str) -> bool {
    matches!(name, MATCHES | "find" | "findAll")
}

/// Whether a function only asserts or converts the type of its argument.
#[must_use]
pub fn is_conversion(name: &str) -> bool {
    matches!(
        name,
        "bool"
            | "bytes"
            | "double"
            | "duration"
            | "dyn"
            | "int"
            | "string"
            | "timestamp"
            | "type"
            | "uint"
    )
}

/// All overloads.
static TABLE: LazyLock<Vec<Overload>> = LazyLock::new(|| {
    let mut rows = Rows {
        since: crate::minors::BASE,
        rows: Vec::new(),
    };
    operators::rows(&mut rows);
    standard::rows(&mut rows);
    kubernetes::base(&mut rows);
    strings::rows(&mut rows);
    for (since, library) in LIBRARIES {
        rows.since = since;
        library(&mut rows);
    }
    rows.rows
});

/// A function that adds the rows of a library.
type Library = fn(&mut Rows);

/// Each library with the minor that added it.
const LIBRARIES: [(u32, Library); 14] = [
    (27, kubernetes::authorizer),
    (28, operators::across_numbers),
    (28, standard::optionals),
    (28, kubernetes::quantities),
    (29, strings::later),
    (29, lists::sets),
    (30, kubernetes::addresses),
    (31, kubernetes::formats),
    (31, kubernetes::selectors),
    (32, lists::insert),
    (33, kubernetes::versions),
    (33, standard::ends),
    (34, lists::rows),
    (37, lists::includes),
];

/// The overloads of a name in each style.
#[derive(Default)]
struct Styles {
    global: Vec<&'static Overload>,
    member: Vec<&'static Overload>,
}

static INDEX: LazyLock<HashMap<&'static str, Styles>> = LazyLock::new(|| {
    let mut index: HashMap<_, Styles> = HashMap::new();
    for overload in TABLE.iter() {
        let styles = index.entry(overload.name).or_default();
        match overload.style {
            Style::Global => styles.global.push(overload),
            Style::Member => styles.member.push(overload),
        }
    }
    index
});

/// The overloads of a function in a style.
#[must_use]
pub fn overloads(name: &str, style: Style) -> &'static [&'static Overload] {
    match (INDEX.get(name), style) {
        (None, _) => &[],
        (Some(styles), Style::Global) => &styles.global,
        (Some(styles), Style::Member) => &styles.member,
    }
}

/// Whether there is a function of that name, in any style.
#[must_use]
pub fn is_function(name: &str) -> bool {
    !overloads(name, Style::Global).is_empty() || !overloads(name, Style::Member).is_empty()
}

/// The last parts of names with a namespace.
static IN_NAMESPACES: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    let names = TABLE
        .iter()
        .filter_map(|overload| overload.name.rsplit_once('.'));
    names.map(|(_, last)| last).collect()
});

/// Whether a library has a function of that name in its namespace, as `sets` has `contains`.
pub(crate) fn is_in_namespace(name: &str) -> bool {
    IN_NAMESPACES.contains(name)
}

/// All overloads.
pub fn all() -> impl Iterator<Item = &'static Overload> {
    TABLE.iter()
}
