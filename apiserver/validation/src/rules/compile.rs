//! The rules of a schema, compiled for evaluation.

use crate::path::FieldPath;
use crate::schema::{Schema, ValidationRule, described, has_type, lead};
use crate::violation::Reason;
use crd_channels_cel::cost::ceiling;
use crd_channels_cel::evaluate::{CostedValue, Val, evaluate_with_cost};
use crd_channels_cel::types::{Declarations, NodeId, Type};
use crd_channels_cel::version::{NEWEST, Need, newest_need};
use crd_channels_cel::{Checked, Environment, Expression, Outcome, check, escaped, parse};
use std::collections::BTreeMap;

/// The rules at a node and at the nodes below it.
#[derive(Debug, Default)]
pub(super) struct RuleTree {
    pub(super) rules: Vec<Rule>,
    pub(super) properties: BTreeMap<String, RuleTree>,
    /// The rules of a list's items, or of a map's values.
    pub(super) element: Option<Box<RuleTree>>,
}

/// A rule.
#[derive(Debug)]
pub(super) struct Rule {
    /// The expression as written.
    pub(super) written: String,
    /// `None` if servers cannot compile it.
    pub(super) program: Option<Program>,
    /// The part that older servers lack, if requested.
    pub(super) need: Option<Need>,
    pub(super) message: Option<String>,
    pub(super) message_program: Option<Program>,
    pub(super) reason: Reason,
    /// The path in `fieldPath`.
    pub(super) field: Option<FieldPath>,
    pub(super) reads_old: bool,
    pub(super) optional_old: bool,
}

/// An expression that compiles.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) expression: Expression,
    is_resolved: bool,
    /// The maximum cost that a server counts for it, if known.
    ceiling: Option<u64>,
}

impl Program {
    /// Evaluates it; returns the value, and the cost that a server counts.
    pub(super) fn run(&self, itself: &Val, old: Option<Val>) -> CostedValue {
        let mut priced =
            evaluate_with_cost(&self.expression, itself.clone(), old, self.is_resolved);
        let most = self.ceiling.unwrap_or(u64::MAX).max(priced.cost.min);
        priced.cost.max = priced.cost.max.min(most);
        priced
    }
}

/// The old value.
pub(super) struct Old {
    pub(super) seen: Val,
    /// The old value as the content of an optional.
    pub(super) wrapped: Val,
}

impl Rule {
    /// Whether the expression is empty, which is reported elsewhere.
    pub(super) fn is_blank(&self) -> bool {
        self.written.trim().is_empty()
    }

    /// The value of `oldSelf` in the rule.
    pub(super) fn old_value(&self, old: Option<&Old>) -> Option<Val> {
        match self.optional_old {
            true => Some(Val::optional(old.map(|old| old.wrapped.clone()))),
            false => old.map(|old| old.seen.clone()),
        }
    }
}

impl RuleTree {
    fn is_empty(&self) -> bool {
        self.rules.is_empty() && self.properties.is_empty() && self.element.is_none()
    }
}

/// The rules of a schema. `None` if there are none.
///
/// # Errors
/// The text of a rule that does not compile.
pub(super) fn compile(schema: &Schema<'_>, is_resource: bool) -> Result<Option<RuleTree>, String> {
    if !has_rules(schema) {
        return Ok(None);
    }
    let mut compiler = Compiler::default();
    let itself = compiler.declare(schema, is_resource);
    compiler.node(schema, itself)
}

/// The same, but keeps rules that do not compile, and records what older servers lack.
pub(super) fn compile_each(schema: &Schema<'_>, is_resource: bool) -> Option<RuleTree> {
    if !has_rules(schema) {
        return None;
    }
    let mut compiler = Compiler {
        keeps_all: true,
        ..Compiler::default()
    };
    let itself = compiler.declare(schema, is_resource);
    compiler.node(schema, itself).unwrap_or_default()
}

fn has_rules(schema: &Schema<'_>) -> bool {
    !schema.rules.is_empty()
        || schema.properties.iter().any(|(_, below)| has_rules(below))
        || schema.item().is_some_and(has_rules)
        || schema.values().is_some_and(has_rules)
}

#[derive(Default)]
struct Compiler {
    declarations: Declarations,
    /// Whether rules that do not compile are kept.
    keeps_all: bool,
}

impl Compiler {
    fn declare(&mut self, schema: &Schema<'_>, is_resource: bool) -> Option<NodeId> {
        self.declarations.declare(&described(schema, is_resource))
    }

    fn node(
        &mut self,
        schema: &Schema<'_>,
        itself: Option<NodeId>,
    ) -> Result<Option<RuleTree>, String> {
        let mut node = RuleTree::default();
        for rule in schema.rules.iter() {
            node.rules.push(self.rule(rule, schema, itself)?);
        }
        // Rules cannot see fields without a type.
        let typed = schema.properties.iter();
        for (name, property) in typed.filter(|(_, property)| has_type(property)) {
            let declared = match escaped(name) {
                Some(escaped) => {
                    let field = itself.and_then(|it| self.declarations.field(it, &escaped));
                    match field {
                        Some(field) => Some(field.node),
                        None => continue,
                    }
                }
                None => self.declare(property, property.embedded_resource),
            };
            if let Some(below) = self.node(property, declared)? {
                node.properties.insert((*name).to_owned(), below);
            }
        }
        let element = itself.and_then(|it| self.declarations.node(it)?.element);
        if let Some(below) = schema.item().or_else(|| schema.values()) {
            node.element = self.node(below, element)?.map(Box::new);
        }
        Ok((!node.is_empty()).then_some(node))
    }

    fn rule(
        &self,
        rule: &ValidationRule<'_>,
        schema: &Schema<'_>,
        itself: Option<NodeId>,
    ) -> Result<Rule, String> {
        let optional_old = rule.optional_old_self == Some(true);
        let compile = |text: &str, wanted: &Type| -> Result<(Program, Checked), String> {
            let refused = || text.to_owned();
            let expression = parse(text).map_err(|_| refused())?;
            let itself = itself.ok_or_else(refused)?;
            let environment = Environment {
                declarations: &self.declarations,
                itself,
                optional_old,
                minor: NEWEST,
            };
            match check(&expression, environment) {
                Outcome::Sound(checked) if checked.result() == wanted => {
                    let program = Program {
                        is_resolved: checked.is_resolved(),
                        ceiling: ceiling(&checked, &self.declarations, itself),
                        expression,
                    };
                    Ok((program, checked))
                }
                _ => Err(refused()),
            }
        };
        let (program, need) = match compile(rule.rule, &Type::Bool) {
            Ok((program, checked)) => {
                let asked = self.keeps_all;
                let need = asked.then(|| newest_need(&program.expression, &checked));
                (Some(program), need.flatten())
            }
            Err(_) if self.keeps_all => (None, None),
            Err(text) => return Err(text),
        };
        let message_expression = Some(rule.message_expression).filter(|text| !text.is_empty());
        let message_program = match message_expression.map(|text| compile(text, &Type::String)) {
            None => None,
            Some(Ok((program, _))) => Some(program),
            Some(Err(_)) if self.keeps_all => None,
            Some(Err(text)) => return Err(text),
        };
        // Servers stop at the first part that they cannot compile.
        let is_sound =
            program.is_some() && message_expression.is_some() == message_program.is_some();
        let message = rule.message.trim();
        let found =
            lead(rule.field_path, schema).filter(|_| is_sound && !rule.field_path.is_empty());
        Ok(Rule {
            written: rule.rule.to_owned(),
            reads_old: program
                .as_ref()
                .is_some_and(|program| program.expression.names("oldSelf")),
            program,
            need,
            message: (!message.is_empty()).then(|| message.to_owned()),
            message_program,
            reason: reason(rule.reason),
            field: found.map(|found| found.field),
            optional_old,
        })
    }
}

fn reason(reason: Option<&str>) -> Reason {
    match reason {
        Some("FieldValueRequired") => Reason::Required,
        Some("FieldValueForbidden") => Reason::Forbidden,
        Some("FieldValueDuplicate") => Reason::Duplicate,
        _ => Reason::Invalid,
    }
}
