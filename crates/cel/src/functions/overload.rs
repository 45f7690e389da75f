//! A row of the table of functions.

use crate::library::Run;
use crate::types::Type;

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

/// `A` and `B`, any types.
pub(super) const A: Type = Type::Variable(0);
pub(super) const B: Type = Type::Variable(1);

/// What sorting and comparing works on.
pub(super) const COMPARABLE: [Type; 8] = [
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
pub(super) struct Rows {
    pub(super) since: u32,
    pub(super) rows: Vec<Overload>,
}

impl Rows {
    pub(super) fn global<const N: usize>(
        &mut self,
        name: &'static str,
        takes: [Type; N],
        gives: Type,
        cost: Cost,
        run: Run,
    ) {
        self.row(name, Style::Global, takes.into(), gives, cost, run);
    }

    pub(super) fn member<const N: usize>(
        &mut self,
        name: &'static str,
        takes: [Type; N],
        gives: Type,
        cost: Cost,
        run: Run,
    ) {
        self.row(name, Style::Member, takes.into(), gives, cost, run);
    }

    pub(super) fn row(
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
