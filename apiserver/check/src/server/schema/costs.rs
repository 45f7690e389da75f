//! The costs of rules, each and in total.

use super::super::findings::Findings;
use crate::costs::ExpressionCost;
use crate::document::model::Schema;
use crate::finding::{Bound, Reason};
use crate::registry::Rule;
use crd_channels_cel::cost::{
    Advice, Estimate, RULE_LIMIT, SCHEMA_LIMIT, advise, estimate, most_in_a_request,
};
use crd_channels_cel::types::{Declarations, NodeId, Type};
use crd_channels_cel::{Checked, unescape};
use crd_channels_validation::path::{FieldPath, Path};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The number of expensive rules that a server lists.
const NAMED: usize = 4;

/// The maximum number of occurrences of a node in an object, given the bounds of the lists and maps around it.
#[derive(Clone, Copy)]
pub(super) enum Times {
    AtMost(u64),
    /// A list or a map around it has no bound.
    Unbounded,
}

impl Default for Times {
    fn default() -> Self {
        Self::AtMost(1)
    }
}

impl Times {
    /// The occurrences of the nodes below.
    pub(super) fn for_child(self, schema: &Schema<'_>) -> Self {
        let bound = match schema.ty {
            "array" => schema.max_items,
            "object" if schema.additional_properties.is_some() => schema.max_properties,
            _ => return self,
        };
        match (self, bound) {
            (Self::AtMost(times), Some(bound)) => {
                Self::AtMost(times.saturating_mul(u64::try_from(bound).unwrap_or_default()))
            }
            _ => Self::Unbounded,
        }
    }
}

/// The costs of all expressions of a schema.
#[derive(Default)]
pub(super) struct Costs {
    /// The minor whose servers compute them.
    minor: u32,
    total: u64,
    /// The differences of the total in newer minors.
    later: BTreeMap<u32, i128>,
    /// The most expensive ones, with their fields.
    dearest: Vec<(u64, FieldPath)>,
    /// All of them, if requested.
    pub(super) all: Option<Vec<ExpressionCost>>,
}

impl Costs {
    /// The costs on servers of a minor.
    pub(super) fn of_minor(minor: u32) -> Self {
        Self {
            minor,
            ..Self::default()
        }
    }

    /// Costs that keep every expression.
    pub(super) fn of_each(minor: u32) -> Self {
        Self {
            all: Some(Vec::new()),
            ..Self::of_minor(minor)
        }
    }

    fn add(&mut self, cost: u64, at: Path<'_>) {
        self.total = self.total.saturating_add(cost);
        if cost < SCHEMA_LIMIT / 100 {
            return;
        }
        let place = self.dearest.partition_point(|(dearer, _)| *dearer >= cost);
        self.dearest.insert(place, (cost, at.into()));
        self.dearest.truncate(NAMED);
    }

    pub(super) fn total(&self) -> u64 {
        self.total
    }

    /// Validates the total.
    pub(super) fn validate(&self, at: Path<'_>, found: &mut Findings) {
        if self.total <= SCHEMA_LIMIT {
            self.validate_later(at, found);
            return;
        }
        for (cost, field) in &self.dearest {
            let message = format!(
                "the expression uses {cost} of the budget of all rules, which is {SCHEMA_LIMIT}"
            );
            found.refuse_field(Rule::RuleCost, Reason::Forbidden, field.clone(), message);
        }
        let message = format!(
            "all rules together cost up to {}, which is {} times the budget of {SCHEMA_LIMIT}",
            self.total,
            factor(self.total, SCHEMA_LIMIT)
        );
        found.refuse(Rule::RuleCost, Reason::Forbidden, at, message);
    }
}

impl Costs {
    /// Warns if newer servers reject the total.
    fn validate_later(&self, at: Path<'_>, found: &mut Findings) {
        let mut total = i128::from(self.total);
        for (minor, difference) in &self.later {
            total += difference;
            if total > i128::from(SCHEMA_LIMIT) {
                let cost = u64::try_from(total).unwrap_or(u64::MAX);
                let message = format!(
                    "the CRD is rejected by Kubernetes 1.{minor}, because it prices rules differently: all rules together cost up to {cost}, which is {} times the budget of {SCHEMA_LIMIT}",
                    factor(cost, SCHEMA_LIMIT)
                );
                let help = "bound the lists, maps and texts that the rules read";
                found.warn(Rule::NewerKubernetes, at, message, help);
                return;
            }
        }
    }
}

/// An expression that compiles, and its place.
pub(super) struct PricedExpression<'c, 'p> {
    pub(super) text: &'c str,
    /// The index of its rule at the node.
    pub(super) number: usize,
    pub(super) checked: &'c Checked,
    pub(super) declarations: &'c Declarations,
    pub(super) itself: NodeId,
    pub(super) at: Path<'p>,
}

/// The cost of an expression on newer servers.
struct LaterCost {
    minor: u32,
    /// The part with another price.
    what: String,
    once: u64,
    cost: u64,
}

impl PricedExpression<'_, '_> {
    /// Validates a rule, which is evaluated for every value of its node.
    pub(super) fn rule(&self, times: Times, costs: &mut Costs, found: &mut Findings) {
        let times = match times {
            Times::AtMost(times) => times,
            Times::Unbounded => {
                let node = self.declarations.node(self.itself);
                most_in_a_request(node.map_or(0, |node| node.min_size))
            }
        };
        self.validate(times, false, costs, found);
    }

    /// Validates a message expression, whose cost servers count once.
    pub(super) fn message(&self, costs: &mut Costs, found: &mut Findings) {
        self.validate(1, true, costs, found);
    }

    fn validate(&self, times: u64, is_message: bool, costs: &mut Costs, found: &mut Findings) {
        let estimate = self.estimate(costs.minor);
        let once = estimate.cost.max;
        let cost = once.saturating_mul(times);
        costs.add(cost, self.at);
        if let Some(all) = &mut costs.all {
            all.push(ExpressionCost {
                field: self.at.in_objects(),
                number: self.number,
                is_message,
                text: self.text.to_owned(),
                checked: self.checked.clone(),
                itself: self.itself,
                once,
                times,
                cost,
            });
        }
        let changes = estimate.changes.into_iter();
        let later: Vec<LaterCost> = changes
            .map(|(minor, what)| {
                let once = self.estimate(minor).cost.max;
                LaterCost {
                    minor,
                    what,
                    once,
                    cost: once.saturating_mul(times),
                }
            })
            .collect();
        let mut before = cost;
        for LaterCost { minor, cost, .. } in &later {
            let difference = i128::from(*cost) - i128::from(before);
            *costs.later.entry(*minor).or_default() += difference;
            before = *cost;
        }
        if cost <= RULE_LIMIT {
            let dear = later.iter().find(|later| later.cost > RULE_LIMIT);
            if let Some(dear) = dear {
                self.warn(dear, times, found);
            }
            return;
        }
        let message = format!(
            "the expression costs up to {cost}, which is {} times the budget of {RULE_LIMIT}",
            factor(cost, RULE_LIMIT)
        );
        let (mut help, bound) = self.help(once, times, costs.minor);
        if let Some(cheap) = later.iter().find(|later| later.cost <= RULE_LIMIT) {
            let minor = cheap.minor;
            let _ = write!(help, ", or declare `kubernetes = \"1.{minor}\"` or newer");
        }
        found.refuse_with_help(Rule::RuleCost, Reason::Forbidden, self.at, message, help);
        found.blame(bound);
    }

    /// Warns that newer servers reject the expression.
    fn warn(&self, later: &LaterCost, times: u64, found: &mut Findings) {
        let LaterCost {
            minor,
            what,
            once,
            cost,
        } = later;
        let message = format!(
            "the rule is rejected by Kubernetes 1.{minor}, because it prices `{what}` differently: the expression costs up to {cost}, which is {} times the budget of {RULE_LIMIT}",
            factor(*cost, RULE_LIMIT)
        );
        let (help, bound) = self.help(*once, times, *minor);
        found.warn(Rule::NewerKubernetes, self.at, message, help);
        found.blame(bound);
    }

    fn estimate(&self, minor: u32) -> Estimate {
        estimate(self.checked, self.declarations, self.itself, minor)
    }

    /// What to write so that the expression fits into the budget on servers of a minor.
    fn help(&self, once: u64, times: u64, minor: u32) -> (String, Option<Bound>) {
        let limit = RULE_LIMIT / times.max(1);
        let advice = advise(self.checked, self.declarations, self.itself, limit, minor);
        let bound = advice.as_ref().and_then(|advice| self.bound(advice));
        (help(advice.as_ref(), once, times), bound)
    }

    /// The bound, with the path of its node.
    fn bound(&self, advice: &Advice) -> Option<Bound> {
        let at = FieldPath::from(self.at);
        // The path ends with the rules, the index of the rule, and the expression.
        let [above @ .., _, _, _] = at.elements() else {
            return None;
        };
        let mut field: FieldPath = above.iter().cloned().collect();
        let mut node = self.itself;
        let mut rest = advice.place.strip_prefix("self")?;
        while !rest.is_empty() {
            let declared = self.declarations.node(node)?;
            if let Some(after) = rest.strip_prefix("[]") {
                field = field.child(match declared.ty {
                    Type::List(_) => "items",
                    _ => "additionalProperties",
                });
                node = declared.element?;
                rest = after;
            } else {
                let after = rest.strip_prefix('.')?;
                let (name, after) = after.split_at(after.find(['.', '[']).unwrap_or(after.len()));
                field = field.child("properties").key(unescape(name)?);
                node = self.declarations.field(node, name)?.node;
                rest = after;
            }
        }
        Some(Bound {
            keyword: advice.bound.keyword(),
            field,
            most: advice.most,
            is_there: advice.is_bounded,
        })
    }
}

fn help(advice: Option<&Advice>, once: u64, times: u64) -> String {
    let above = (times > 1)
        .then(|| RULE_LIMIT / once.max(1))
        .filter(|most| *most > 0);
    match (advice, above) {
        (Some(advice), _) => in_words(advice),
        (None, Some(most)) => format!(
            "bound the lists and maps above: the rule applies to up to {times} values, and at most {most} fit"
        ),
        (None, None) => {
            "no bound alone is enough: bound all lists, maps and texts that it reads, or split it"
                .to_owned()
        }
    }
}

fn in_words(advice: &Advice) -> String {
    let Advice { place, most, .. } = advice;
    let keyword = advice.bound.keyword();
    if advice.is_bounded {
        format!("lower `{keyword}` of `{place}`: {most} is the largest value that fits")
    } else {
        format!("add `{keyword}` to `{place}`: {most} is the largest value that fits")
    }
}

/// The factor by which a budget is exceeded. Only small factors have decimals.
fn factor(cost: u64, budget: u64) -> String {
    let factor = cost as f64 / budget as f64;
    if factor < 1.5 {
        format!("{factor:.6}")
    } else {
        format!("{factor:.1}")
    }
}
