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

/// The cost of a call without its arguments.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Cost {
    /// One unit.
    One,
    /// `&&`, `||`: nothing; the right side may not be evaluated.
    Logic,
    /// `? :`
    Conditional,
    /// Reads the shorter of two values.
    Compare,
    /// The same, but values of libraries are compared in constant time.
    Equal,
    /// `in` a list
    InList,
    /// Concatenates strings or bytes.
    AddText,
    /// Concatenates lists.
    AddList,
    /// Reads the target.
    ReadTarget,
    /// Reads the target; the result is not larger.
    KeepTarget,
    /// Reads the argument.
    ReadArgument,
    /// Reads the argument; the result is as large.
    KeepArgument,
    /// Reads the argument twice.
    ReadArgumentTwice,
    /// Reads each element of the target, or the target if it is text.
    ReadElements,
    /// `includes`: the same, but a target that is not a list is compared.
    Includes,
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
    /// `matches`, in either style
    Matches,
    /// `contains`
    Contains,
    /// `containsIP`; whether the address is a text
    ContainsIp(bool),
    /// `containsCIDR`; whether the network is a text
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
    /// `sort`; whether the items are texts
    Sort(bool),
    /// `sortBy`; whether the keys are texts
    SortBy(bool),
    /// Compares each item of one list with each of another, that many times.
    Sets(u32),
    /// `list[0]`
    IndexList,
    /// `map['key']`
    IndexMap,
    /// A call of an authorizer.
    Check,
    /// A selector is parsed.
    Selector,
}

/// One overload of a function.
#[derive(Clone, Debug)]
pub struct Overload {
    /// The name, with its namespace.
    pub name: &'static str,
    /// How it is called.
    pub style: Style,
    /// The argument types, the target first. A variable is any type, the same at each occurrence.
    pub takes: Vec<Type>,
    /// The result type.
    pub gives: Type,
    /// The Kubernetes minor that added it.
    pub since: u32,
    /// The minor that removed it.
    pub until: Option<u32>,
    /// Its cost.
    pub cost: Cost,
    /// The cost in later minors, with the first of them.
    pub repriced: Option<(u32, Cost)>,
    /// Computes the result for values that match.
    pub run: Run,
}

impl Overload {
    /// Its cost on servers of a minor.
    #[must_use]
    pub fn cost_in(&self, minor: u32) -> Cost {
        match self.repriced {
            Some((since, cost)) if since <= minor => cost,
            _ => self.cost,
        }
    }
}

/// `A` and `B`: any type.
pub(super) const A: Type = Type::Variable(0);
pub(super) const B: Type = Type::Variable(1);

/// The types that can be sorted and compared.
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
            until: None,
            cost,
            repriced: None,
            run,
        });
    }

    /// States that a minor removed the last row.
    pub(super) fn until(&mut self, minor: u32) {
        if let Some(last) = self.rows.last_mut() {
            last.until = Some(minor);
        }
    }

    /// States that a minor gave the last row another cost.
    pub(super) fn repriced(&mut self, minor: u32, cost: Cost) {
        if let Some(last) = self.rows.last_mut() {
            last.repriced = Some((minor, cost));
        }
    }
}
