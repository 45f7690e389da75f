//! The rules of a schema (`x-kubernetes-validations`), evaluated on objects.

mod budget;
mod compile;
mod finding;
mod ratchet;
mod seen;

pub use finding::{Finding, Outcome};
pub use seen::cel_value;

use crate::path::{FieldPath, Path};
use crate::schema::Schema;
use crate::value::{Change, OldItems};
use crate::violation::{Reason, Violation};
use budget::Budget;
use compile::{Old, Rule, RuleTree};
use crd_channels_cel::evaluate::{CostedValue, Stop, Val, blame};
use ratchet::{Part, Ratchet};
use seen::without_schema;
use serde_json::Value;

/// The maximum length of the message that an expression returns, in bytes.
const LONGEST_MESSAGE: usize = 5 * 1024;

/// The reason reported when a server would stop the evaluation.
const TOO_DEAR: &str = "costs more than the server's budget";

/// The rules of a schema, compiled for evaluation.
#[derive(Debug)]
pub struct Rules {
    root: Option<RuleTree>,
}

impl Rules {
    /// Compiles the rules of a schema; `is_resource` marks the schema of a whole resource.
    ///
    /// # Errors
    /// The text of a rule or message expression that does not compile.
    pub fn compile(schema: &Schema<'_>, is_resource: bool) -> Result<Self, String> {
        let root = compile::compile(schema, is_resource)?;
        Ok(Self { root })
    }

    /// Compiles the rules of a schema. Rules that do not compile are kept, and evaluate to [`Outcome::Uncompiled`].
    #[must_use]
    pub fn compile_each(schema: &Schema<'_>, is_resource: bool) -> Self {
        let root = compile::compile_each(schema, is_resource);
        Self { root }
    }

    /// Whether the schema has no rules.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.root.is_none()
    }

    /// Evaluates every rule on an object. The schema must be the one that the rules were compiled from.
    #[must_use]
    pub fn evaluate(
        &self,
        value: &Value,
        schema: &Schema<'_>,
        old: Option<&Value>,
        is_resource: bool,
    ) -> Vec<Finding> {
        self.evaluate_at(value, schema, old, is_resource, None)
    }

    /// The same for a value at a path.
    #[must_use]
    pub fn evaluate_at(
        &self,
        value: &Value,
        schema: &Schema<'_>,
        old: Option<&Value>,
        is_resource: bool,
        at: Option<Path<'_>>,
    ) -> Vec<Finding> {
        let mut findings = Vec::new();
        let change = old.map(Change::from);
        let place = Context {
            value,
            schema,
            old,
            ratchet: Ratchet::of_object(change.map(|change| Part::new(change, value, schema))),
            is_resource,
            at,
        };
        let mut budget = Budget::default();
        if let Some(root) = &self.root {
            walk(root, place, &mut budget, &mut findings);
        }
        budget.withdraw_uncertain(&mut findings);
        findings
    }
}

/// A value and its context.
#[derive(Clone, Copy)]
struct Context<'p, 'v, 's, 'a> {
    value: &'v Value,
    schema: &'s Schema<'a>,
    /// The value of `oldSelf`.
    old: Option<&'v Value>,
    ratchet: Ratchet<'v, 's, 'a>,
    is_resource: bool,
    at: Option<Path<'p>>,
}

impl Context<'_, '_, '_, '_> {
    fn path(&self) -> FieldPath {
        self.at.map(FieldPath::from).unwrap_or_default()
    }
}

fn walk(
    node: &RuleTree,
    place: Context<'_, '_, '_, '_>,
    budget: &mut Budget,
    findings: &mut Vec<Finding>,
) {
    if place.value.is_null() {
        return;
    }
    if !node.rules.is_empty() {
        own(node, place, budget, findings);
    }
    match place.value {
        Value::Object(fields) => {
            let old = place.old.and_then(Value::as_object);
            for (name, value) in fields {
                let (node, schema, path) = match (node.properties.get(name), &node.element) {
                    (Some(below), _) => {
                        let path = place
                            .at
                            .as_ref()
                            .map_or(Path::root(name), |at| at.child(name));
                        (below, place.schema.properties.get(name), path)
                    }
                    (None, Some(below)) => {
                        let path = place
                            .at
                            .as_ref()
                            .map_or(Path::root(name), |at| at.key(name));
                        (&**below, place.schema.values(), path)
                    }
                    (None, None) => continue,
                };
                let Some(schema) = schema else { continue };
                let below = Context {
                    value,
                    schema,
                    old: old.and_then(|old| old.get(name)),
                    ratchet: place.ratchet.field(name, place.schema, value, schema),
                    is_resource: schema.embedded_resource,
                    at: Some(path),
                };
                walk(node, below, budget, findings);
            }
        }
        Value::Array(items) => {
            let (Some(node), Some(schema), Some(at)) =
                (&node.element, place.schema.item(), place.at.as_ref())
            else {
                return;
            };
            let old = place.old.and_then(Value::as_array);
            let old = old.map(|old| OldItems::of_list(old, place.schema));
            let before = place.ratchet.old_items(place.schema);
            for (index, value) in items.iter().enumerate() {
                let below = Context {
                    value,
                    schema,
                    old: old.as_ref().and_then(|old| old.get(value)),
                    ratchet: place.ratchet.item(&before, value, schema),
                    is_resource: schema.embedded_resource,
                    at: Some(at.index(index)),
                };
                walk(node, below, budget, findings);
            }
        }
        _ => {}
    }
}

fn own(
    node: &RuleTree,
    place: Context<'_, '_, '_, '_>,
    budget: &mut Budget,
    findings: &mut Vec<Finding>,
) {
    let itself = cel_value(place.value, place.schema, place.is_resource);
    let old = place.old.filter(|old| !old.is_null());
    let old = old.map(|old| {
        let seen = cel_value(old, place.schema, place.is_resource);
        let wrapped = without_schema(old, &seen);
        Old { seen, wrapped }
    });
    for rule in node.rules.iter().filter(|rule| !rule.is_blank()) {
        budget.finding = findings.len();
        let outcome = outcome(rule, &itself, old.as_ref(), &place, budget);
        let fails = matches!(outcome, Outcome::Broken(_) | Outcome::Warned(_));
        let failing = rule.program.as_ref().filter(|_| fails);
        let part = failing.map(|program| {
            let old = rule.old_value(old.as_ref());
            let blame = blame(&program.expression, itself.clone(), old);
            blame.describe(&rule.written)
        });
        findings.push(Finding {
            rule: rule.written.trim().to_owned(),
            at: place.path(),
            outcome,
            part,
            need: rule.need.clone(),
        });
    }
}

fn outcome(
    rule: &Rule,
    itself: &Val,
    old: Option<&Old>,
    place: &Context<'_, '_, '_, '_>,
    budget: &mut Budget,
) -> Outcome {
    let Some(program) = &rule.program else {
        return Outcome::Uncompiled;
    };
    if rule.reads_old && !rule.optional_old && old.is_none() {
        return Outcome::NoOld;
    }
    let refused = |why: &str| {
        // The reason and the path of the rule are not used here.
        let message = format!("`{}` {why}", rule.written.trim());
        Outcome::Broken(Violation::new(Reason::Invalid, place.path(), message))
    };
    let CostedValue { answer, cost } = program.run(itself, rule.old_value(old));
    match budget.spend(cost) {
        Some(true) => {}
        Some(false) => return refused(TOO_DEAR),
        // It is an error, whatever it costs.
        None if answer == Err(Stop::Error) => {}
        None => return Outcome::Unknown,
    }
    match answer {
        Ok(Val::Bool(true)) => return Outcome::Holds,
        Ok(Val::Bool(false)) => {}
        Err(Stop::Error) => return refused("ends in an error"),
        Ok(_) | Err(Stop::Unknown) => return Outcome::Unknown,
    }
    let (reason, message) = match message(rule, itself, old, budget) {
        Ok(message) => (rule.reason, message),
        Err(Stop::Error) => (
            Reason::Invalid,
            format!("the message of `{}` {TOO_DEAR}", rule.written.trim()),
        ),
        Err(Stop::Unknown) => return Outcome::Unknown,
    };
    let own = rule.field.clone().unwrap_or_default();
    let violation = Violation::new(reason, place.path().with_field(own), message);
    if !rule.reads_old && place.ratchet.is_unchanged() {
        Outcome::Warned(violation)
    } else {
        Outcome::Broken(violation)
    }
}

/// The message of a rule.
///
/// # Errors
/// If its expression exceeds the server's limit, or may do so.
fn message(
    rule: &Rule,
    itself: &Val,
    old: Option<&Old>,
    budget: &mut Budget,
) -> Result<String, Stop> {
    let mut given = None;
    if let Some(program) = &rule.message_program {
        // The server passes `oldSelf` unwrapped here, even if the rule has an optional one.
        let CostedValue { answer, cost } = program.run(itself, old.map(|old| old.seen.clone()));
        match budget.spend(cost) {
            Some(true) => {}
            Some(false) => return Err(Stop::Error),
            None => return Err(Stop::Unknown),
        }
        if let Ok(Val::String(text)) = answer {
            given = Some(text.trim().to_owned());
        }
    }
    let fits =
        |text: &String| !text.is_empty() && text.len() <= LONGEST_MESSAGE && !text.contains('\n');
    let given = given.filter(fits).or_else(|| rule.message.clone());
    Ok(given.unwrap_or_else(|| format!("failed rule: {}", rule.written.trim())))
}
