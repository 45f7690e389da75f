//! The functions and operators of rules, as Kubernetes 1.36 has them: one table, a row for each overload.

mod kubernetes;
mod lists;
mod operators;
mod standard;
mod strings;

use crate::evaluate::Run;
use crate::types::Type;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// How a function is called.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Style {
    /// `name(..)`, or an operator
    Global,
    /// `target.name(..)`
    Member,
}

/// What a call costs, beside its arguments.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Cost {
    /// One unit.
    One,
    /// `&&`, `||`: nothing; the right side may not be reached.
    Logic,
    /// `? :`
    Conditional,
    /// The shorter of two values is read.
    Compare,
    /// The same, but values of libraries are compared at once.
    Equal,
    /// `in` a list
    InList,
    /// Strings or bytes become one.
    AddText,
    /// Lists become one.
    AddList,
    /// The target is read.
    ReadTarget,
    /// The target is read, and what it becomes is not larger.
    KeepTarget,
    /// The argument is read.
    ReadArgument,
    /// The argument is read, and what it becomes is as large.
    KeepArgument,
    /// The argument is read twice.
    ReadArgumentTwice,
    /// Each element of the target is read, or the target if it is text.
    ReadElements,
    /// `replace`
    Replace,
    /// `split`
    Split,
    /// `join`
    Join,
    /// `find`, `findAll`
    Find,
    /// `bytes('text')`
    ToBytes,
    /// `string(b'bytes')`
    ToText,
    /// `strings.quote`
    Quote,
    /// `startsWith`, `endsWith`
    Affix,
    /// `matches`
    Matches,
    /// `contains`
    Contains,
    /// `containsIP`; whether the address is text
    ContainsIp(bool),
    /// `containsCIDR`; whether the network is text
    ContainsCidr(bool),
    /// `validate`
    Validate,
    /// `slice`
    Slice,
    /// `flatten`
    Flatten,
    /// `lists.range`
    Range,
    /// `reverse`
    Reverse,
    /// `distinct`
    Distinct,
    /// `sort`; whether the items are text
    Sort(bool),
    /// `sortBy`; whether the keys are text
    SortBy(bool),
    /// Each item of one list is compared with each of another, that many times.
    Sets(u32),
    /// `list[0]`
    IndexList,
    /// `map['key']`
    IndexMap,
    /// A question to an authorizer.
    Check,
    /// A selector is parsed.
    Selector,
}

/// One way to call a function.
#[derive(Clone, Debug)]
pub struct Overload {
    /// The name, with its namespace.
    pub name: &'static str,
    /// How it is called.
    pub style: Style,
    /// What it takes, the target first. Variables stand for any type, the same one each.
    pub takes: Vec<Type>,
    /// What it gives.
    pub gives: Type,
    /// The Kubernetes minor that brought it.
    pub since: u32,
    /// What it costs.
    pub cost: Cost,
    /// What it gives for values that fit.
    pub run: Run,
}

/// What counts the elements of a list or a map, or the characters of a text.
pub const SIZE: &str = "size";

/// What asks whether a text matches a pattern.
pub const MATCHES: &str = "matches";

/// Whether the second argument of a function is a pattern.
#[must_use]
pub fn takes_pattern(name: &str) -> bool {
    matches!(name, MATCHES | "find" | "findAll")
}

/// Whether a function only says of which type its argument is, or converts it.
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

/// `A` and `B`, any types.
pub(crate) const A: Type = Type::Variable(0);
pub(crate) const B: Type = Type::Variable(1);

/// What sorting and comparing works on.
pub(crate) const COMPARABLE: [Type; 8] = [
    Type::Int,
    Type::Uint,
    Type::Double,
    Type::Bool,
    Type::Duration,
    Type::Timestamp,
    Type::String,
    Type::Bytes,
];

/// The rows of a library.
struct Rows {
    since: u32,
    rows: Vec<Overload>,
}

impl Rows {
    fn global<const N: usize>(
        &mut self,
        name: &'static str,
        takes: [Type; N],
        gives: Type,
        cost: Cost,
        run: Run,
    ) {
        self.row(name, Style::Global, takes.into(), gives, cost, run);
    }

    fn member<const N: usize>(
        &mut self,
        name: &'static str,
        takes: [Type; N],
        gives: Type,
        cost: Cost,
        run: Run,
    ) {
        self.row(name, Style::Member, takes.into(), gives, cost, run);
    }

    fn row(
        &mut self,
        name: &'static str,
        style: Style,
        takes: Vec<Type>,
        gives: Type,
        cost: Cost,
        run: Run,
    ) {
        self.rows.push(Overload {
            name,
            style,
            takes,
            gives,
            since: self.since,
            cost,
            run,
        });
    }
}

/// All overloads.
static TABLE: LazyLock<Vec<Overload>> = LazyLock::new(|| {
    let mut rows = Rows {
        since: crate::version::BASE,
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

/// What adds the rows of a library.
type Library = fn(&mut Rows);

/// What later minors brought.
const LIBRARIES: [(u32, Library); 13] = [
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

/// The ways to call a function in a style.
#[must_use]
pub fn overloads(name: &str, style: Style) -> &'static [&'static Overload] {
    match (INDEX.get(name), style) {
        (None, _) => &[],
        (Some(styles), Style::Global) => &styles.global,
        (Some(styles), Style::Member) => &styles.member,
    }
}

/// Whether there is a function of that name, however it is called.
#[must_use]
pub fn is_function(name: &str) -> bool {
    !overloads(name, Style::Global).is_empty() || !overloads(name, Style::Member).is_empty()
}

/// The last words of names that have a namespace.
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

/// All overloads, for what looks at the whole table.
pub fn all() -> impl Iterator<Item = &'static Overload> {
    TABLE.iter()
}
