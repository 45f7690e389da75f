//! The maximum cost of an expression, as servers estimate it before they accept a rule.

mod advice;
mod calls;
mod parts;
mod paths;
mod range;

pub use advice::{Advice, Bound, advise};
pub use parts::{Part, Size, parts, typed_parts};
pub use range::Range;

use crate::Text;
use crate::check::Checked;
use crate::core::{Fold, Id, Kind};
use crate::minors::NEWEST;
use crate::syntax::ast::Literal;
use crate::types::{Declarations, Library, NodeId, Type};
use parts::NodeFacts;
use paths::{Path, Paths, Segment};
use std::collections::{BTreeMap, BTreeSet};

/// The cost limit of a rule or a message expression.
pub const RULE_LIMIT: u64 = 10_000_000;

/// The cost limit of all rules of a schema together.
pub const SCHEMA_LIMIT: u64 = 100_000_000;

/// The cost limit of one evaluation of an expression on a server.
pub const CALL_LIMIT: u64 = 1_000_000;

/// The cost limit of all rules of an object on a server.
pub const OBJECT_LIMIT: u64 = 10_000_000;

/// The cost of reading a character.
pub(crate) const READ: f64 = 0.1;
/// The cost of each character of a pattern.
pub(crate) const PATTERN: f64 = 0.25;

const LIST: Range = Range::exactly(10);
const MAP: Range = Range::exactly(30);
const MESSAGE: Range = Range::exactly(40);
const ONE: Range = Range::exactly(1);
const NOTHING: Range = Range::exactly(0);

/// The maximum number of values with that minimum size in a request.
#[must_use]
pub fn most_in_a_request(min_size: i64) -> u64 {
    let most = crate::types::MAX_REQUEST / min_size.saturating_add(1).max(1);
    u64::try_from(most).unwrap_or_default()
}

/// The cost of a call whose second argument is read only if it is text.
pub(crate) fn with_text(cost: Range, text: Range, is_text: bool) -> Range {
    if is_text {
        cost.plus(text.scaled(READ))
    } else {
        cost
    }
}

/// The cost of an expression, and the sizes that it depends on.
#[derive(Clone, Debug)]
pub struct Estimate {
    /// The cost.
    pub cost: Range,
    /// The nodes whose sizes were used.
    pub sizes: BTreeSet<NodeId>,
    /// The newer minors with another price of a part, each with a part.
    pub changes: BTreeMap<u32, String>,
}

/// The maximum factor between the cost that servers count and their estimate. They underestimate some lists, and selections
/// from anything other than a variable.
const UNDERESTIMATED: u64 = 10;

/// The functions whose cost may exceed their estimate by any factor.
const ODD: [&str; 5] = ["startsWith", "endsWith", "validate", "flatten", "findAll"];

/// The maximum cost that servers can count for one evaluation. `None` if the expression calls a function whose estimate is not
/// a bound.
#[must_use]
pub fn ceiling(checked: &Checked, declarations: &Declarations, itself: NodeId) -> Option<u64> {
    let is_odd = |kind: &Kind| match kind {
        Kind::Call { function, .. } => ODD.contains(&&**function),
        _ => false,
    };
    let mut nodes = checked.tree().nodes();
    let is_known = !nodes.any(|(_, node)| is_odd(&node.kind));
    let estimate = estimate(checked, declarations, itself, NEWEST).cost.max;
    is_known.then(|| estimate.saturating_mul(UNDERESTIMATED))
}

/// Estimates the cost of evaluating an expression once, on a value of the maximum size that its schema allows, as servers of a
/// minor do.
#[must_use]
pub fn estimate(
    checked: &Checked,
    declarations: &Declarations,
    itself: NodeId,
    minor: u32,
) -> Estimate {
    let mut estimator = Estimator::new(checked, declarations, itself, minor);
    let cost = estimator.cost(checked.tree().root);
    Estimate {
        cost,
        sizes: estimator.seen,
        changes: estimator.changes,
    }
}

/// The sizes of keys or indexes, and of values or items.
#[derive(Clone, Copy, Debug)]
struct Elements {
    is_list: bool,
    key: Range,
    value: Range,
}

impl Elements {
    fn or(self, other: Self) -> Self {
        Self {
            is_list: self.is_list,
            key: self.key.or(other.key),
            value: self.value.or(other.value),
        }
    }
}

/// The state of a variable.
#[derive(Clone, Copy, Debug)]
struct Local {
    path: Option<Path>,
    size: Option<Range>,
    elements: Option<Elements>,
}

struct Estimator<'c> {
    checked: &'c Checked,
    declarations: &'c Declarations,
    itself: NodeId,
    minor: u32,
    paths: Paths,
    /// The path of each node from a variable, its size, and the sizes of its elements.
    ways: Vec<Option<Path>>,
    sizes: Vec<Option<Range>>,
    elements: Vec<Option<Elements>>,
    locals: Vec<(Text, Local)>,
    seen: BTreeSet<NodeId>,
    changes: BTreeMap<u32, String>,
    /// A node whose values are assumed to have a given size.
    assumed: Option<(NodeId, u64)>,
    /// The facts about each node; empty unless requested.
    noted: Vec<NodeFacts>,
}

impl<'c> Estimator<'c> {
    fn new(
        checked: &'c Checked,
        declarations: &'c Declarations,
        itself: NodeId,
        minor: u32,
    ) -> Self {
        let count = checked.tree().len();
        Self {
            checked,
            declarations,
            itself,
            minor,
            paths: Paths::default(),
            ways: vec![None; count],
            sizes: vec![None; count],
            elements: vec![None; count],
            locals: Vec::new(),
            seen: BTreeSet::new(),
            changes: BTreeMap::new(),
            assumed: None,
            noted: Vec::new(),
        }
    }

    fn cost(&mut self, id: Id) -> Range {
        let cost = self.cost_of(id);
        if let Some(noted) = self.noted.get_mut(id.0) {
            noted.cost = cost.max;
        }
        cost
    }

    fn cost_of(&mut self, id: Id) -> Range {
        let checked = self.checked;
        let Some(node) = checked.tree().node(id) else {
            return NOTHING;
        };
        if checked.is_name(id) {
            return self.name(id);
        }
        match &node.kind {
            Kind::Literal(_) => NOTHING,
            Kind::Identifier(_) => self.name(id),
            Kind::Select {
                operand,
                is_test: true,
                ..
            } => self.cost(*operand),
            Kind::Select { operand, field, .. } => self.select(id, *operand, field),
            Kind::OptionalSelect { operand, .. } => {
                let operand_cost = self.cost(*operand);
                self.size(*operand);
                let size = self.size(id);
                self.set_size(id, size);
                operand_cost.plus(ONE)
            }
            Kind::Call {
                target, arguments, ..
            } => self.call(id, *target, arguments),
            Kind::List(elements) => self.list(id, elements),
            Kind::Map(entries) => self.map(id, entries),
            Kind::Message { fields, .. } => {
                let values = fields.iter().map(|(_, _, value, _)| *value);
                values.fold(MESSAGE, |sum, value| sum.plus(self.cost(value)))
            }
            Kind::Fold(fold) if is_binding(checked, fold) => self.binding(id, fold),
            Kind::Fold(fold) => self.fold(id, fold),
        }
    }

    /// The variable that a node names.
    fn local(&self, id: Id) -> Option<Local> {
        let node = self.checked.tree().node(id)?;
        let Kind::Identifier(name) = &node.kind else {
            return None;
        };
        let name = name.strip_prefix('.').unwrap_or(name);
        let mut known = self.locals.iter().rev();
        known
            .find(|(known, _)| **known == *name)
            .map(|(_, local)| *local)
    }

    fn name(&mut self, id: Id) -> Range {
        let path = match self.local(id) {
            Some(local) => local.path,
            None => Some(self.paths.of_variable()),
        };
        self.set_path(id, path);
        ONE
    }

    fn select(&mut self, id: Id, operand: Id, field: &Text) -> Range {
        let cost = self.cost(operand);
        let is_object = match self.checked.ty(operand) {
            Type::Map(_) | Type::Object(_) => true,
            Type::Library(library) => !matches!(library, Library::Ip | Library::Cidr),
            _ => false,
        };
        let path = self.path(operand);
        let path = self.paths.append(path, Segment::Field(field.clone()));
        self.set_path(id, Some(path));
        if is_object { cost.plus(ONE) } else { cost }
    }

    fn list(&mut self, id: Id, elements: &[(Id, bool)]) -> Range {
        let mut sum = NOTHING;
        let mut items: Option<Range> = None;
        for (element, _) in elements {
            sum = sum.plus(self.cost(*element));
            let size = self.size_or_unknown(*element);
            items = Some(items.map_or(size, |items| items.or(size)));
        }
        let elements = Elements {
            is_list: true,
            key: ONE,
            value: items.unwrap_or(NOTHING),
        };
        self.set_elements(id, Some(elements));
        sum.plus(LIST)
    }

    fn map(&mut self, id: Id, entries: &[(Id, Id, bool)]) -> Range {
        let mut sum = NOTHING;
        let mut sizes: Option<(Range, Range)> = None;
        for (key, value, _) in entries {
            sum = sum.plus(self.cost(*key)).plus(self.cost(*value));
            let entry = (self.size_or_unknown(*key), self.size_or_unknown(*value));
            sizes = Some(sizes.map_or(entry, |(keys, values)| {
                (keys.or(entry.0), values.or(entry.1))
            }));
        }
        let (key, value) = sizes.unwrap_or((NOTHING, NOTHING));
        let elements = Elements {
            is_list: false,
            key,
            value,
        };
        self.set_elements(id, Some(elements));
        sum.plus(MAP)
    }

    fn push(&mut self, name: &Text, local: Local) {
        self.locals.push((name.clone(), local));
    }

    /// Binds a variable to the value of a node.
    fn bind(&mut self, name: &Text, value: Id) {
        let local = Local {
            path: self.path(value),
            elements: self.elements(value),
            size: self.size(value),
        };
        self.push(name, local);
    }

    #[inline(never)]
    fn binding(&mut self, id: Id, fold: &Fold) -> Range {
        let sum = self.cost(fold.range).plus(self.cost(fold.start));
        self.bind(&fold.accumulator, fold.start);
        let sum = sum.plus(self.cost(fold.result));
        self.locals.pop();
        self.copy_sizes(id, fold.result);
        sum
    }

    #[inline(never)]
    fn fold(&mut self, id: Id, fold: &Fold) -> Range {
        let sum = self.cost(fold.range).plus(self.cost(fold.start));
        self.bind(&fold.accumulator, fold.start);
        let outer = self.locals.len();
        self.variables(fold);
        let each = self.cost(fold.condition);
        let each = self.cost(fold.step).plus(each);
        self.locals.truncate(outer);
        let sum = sum.plus(self.cost(fold.result));
        self.locals.truncate(outer.saturating_sub(1));
        let count = self.size_or_unknown(fold.range);
        if let Some(noted) = self.noted.get_mut(id.0) {
            noted.rounds = count.max;
        }
        match self.checked.tree().node(fold.start).map(|node| &node.kind) {
            Some(Kind::Literal(_)) => {
                let size = self.size(fold.start);
                self.set_size(id, size);
            }
            Some(Kind::List(_) | Kind::Map(_)) => {
                self.set_size(id, Some(count));
                let elements = self.elements(fold.step);
                self.set_elements(id, elements);
            }
            _ => {}
        }
        sum.plus(count.times(each))
    }

    /// The variables of a loop.
    fn variables(&mut self, fold: &Fold) {
        let elements = self.elements(fold.range);
        let is_list = elements.map_or_else(
            || matches!(self.checked.ty(fold.range), Type::List(_)),
            |elements| elements.is_list,
        );
        let key = elements.map(|elements| elements.key);
        let value = elements.map(|elements| elements.value);
        match &fold.second {
            None if is_list => self.variable(&fold.variable, fold.range, value, Segment::Element),
            None => self.variable(&fold.variable, fold.range, key, Segment::Key),
            Some(second) => {
                let segment = if is_list {
                    Segment::Index
                } else {
                    Segment::Key
                };
                self.variable(&fold.variable, fold.range, key, segment);
                self.variable(second, fold.range, value, Segment::Element);
            }
        }
    }

    fn variable(&mut self, name: &Text, range: Id, size: Option<Range>, segment: Segment) {
        let path = self.path(range);
        let path = Some(self.paths.append(path, segment));
        self.push(
            name,
            Local {
                path,
                size,
                elements: None,
            },
        );
    }

    fn path(&self, id: Id) -> Option<Path> {
        match self.local(id) {
            Some(local) => local.path,
            None => self.ways.get(id.0).copied().flatten(),
        }
    }

    fn set_path(&mut self, id: Id, path: Option<Path>) {
        if let Some(known) = self.ways.get_mut(id.0) {
            *known = path;
        }
    }

    fn set_size(&mut self, id: Id, size: Option<Range>) {
        if let (Some(known), Some(size)) = (self.sizes.get_mut(id.0), size) {
            *known = Some(size);
        }
    }

    fn elements(&self, id: Id) -> Option<Elements> {
        let known = self.elements.get(id.0).copied().flatten();
        known.or_else(|| self.local(id)?.elements)
    }

    fn set_elements(&mut self, id: Id, elements: Option<Elements>) {
        if let (Some(known), Some(elements)) = (self.elements.get_mut(id.0), elements) {
            *known = Some(elements);
        }
    }

    fn copy_sizes(&mut self, to: Id, from: Id) {
        let size = self.size(from);
        self.set_size(to, size);
        let elements = self.elements(from);
        self.set_elements(to, elements);
    }

    fn size_or_unknown(&mut self, id: Id) -> Range {
        self.size(id).unwrap_or(Range::UNKNOWN)
    }

    /// The size of the value of a node, if known.
    fn size(&mut self, id: Id) -> Option<Range> {
        let size = self.size_of(id);
        if let Some(noted) = self.noted.get_mut(id.0) {
            noted.measure(size);
        }
        size
    }

    fn size_of(&mut self, id: Id) -> Option<Range> {
        if let Some(known) = self.sizes.get(id.0).copied().flatten() {
            return Some(known);
        }
        if let Some(written) = self.written_size(id) {
            return Some(written);
        }
        if let Some(node) = self.path(id).and_then(|path| self.declared(path)) {
            if let Some(noted) = self.noted.get_mut(id.0) {
                noted.declare(node);
            }
            let declared = self.size_of_values(node);
            self.set_size(id, declared);
            return declared;
        }
        if self.checked.ty(id).is_scalar() {
            return Some(ONE);
        }
        self.local(id)?.size
    }

    fn declared(&self, path: Path) -> Option<NodeId> {
        self.paths.node(path, self.declarations, self.itself)
    }

    fn size_of_values(&mut self, id: NodeId) -> Option<Range> {
        self.seen.insert(id);
        let node = self.declarations.node(id)?;
        if let Some(bound) = node.bounded_later.filter(|bound| bound.since > self.minor)
            && let Some(place) = self.declarations.place(self.itself, id)
        {
            self.changes.insert(bound.since, place);
        }
        let assumed = self.assumed.filter(|(assumed, _)| *assumed == id);
        let most = node.max_elements_in(self.minor);
        Some(Range::up_to(assumed.map_or(most, |(_, size)| size)))
    }

    /// The size of a literal.
    fn written_size(&self, id: Id) -> Option<Range> {
        let count = match &self.checked.tree().node(id)?.kind {
            Kind::Literal(Literal::String(text)) => text.chars().count(),
            Kind::Literal(Literal::Bytes(bytes)) => bytes.len(),
            Kind::Literal(_) => 1,
            Kind::List(elements) => elements.len(),
            Kind::Map(entries) => entries.len(),
            _ => return None,
        };
        u64::try_from(count).ok().map(Range::exactly)
    }
}

/// Whether a loop only binds a value to a name.
fn is_binding(checked: &Checked, fold: &Fold) -> bool {
    let kind = |id| checked.tree().node(id).map(|node| &node.kind);
    matches!(
        kind(fold.condition),
        Some(Kind::Literal(Literal::Bool(false)))
    ) && matches!(kind(fold.range), Some(Kind::List(elements)) if elements.is_empty())
}
