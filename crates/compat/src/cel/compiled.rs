//! A schema with its rules ready for evaluation, node by node.

use super::canonical::transitional;
use crd_channels_cel::Text;
use crd_channels_cel::evaluate::{Stop, Val, evaluate};
use crd_channels_check::cel::ast::Expression;
use crd_channels_check::cel::parse;
use crd_channels_schema::Schema;
use crd_channels_validation::path::Path;
use crd_channels_validation::rules::cel_value;
use crd_channels_validation::schema as server;
use crd_channels_validation::value::uniqueness;
use crd_channels_validation::violation::Violations;
use serde_json::Value;
use std::collections::BTreeMap;

/// A schema, with its rules ready for evaluation.
pub(super) struct Compiled<'s> {
    /// The schema.
    pub(super) schema: &'s Schema,
    /// The schema as a server has it.
    pub(super) served: &'s server::Schema<'s>,
    /// The schemas of members.
    pub(super) properties: BTreeMap<&'s Text, Compiled<'s>>,
    /// The schema of a list's items, or of a map's values.
    pub(super) each: Option<Box<Compiled<'s>>>,
    /// Its own rules, except those on changes.
    rules: Vec<Expression>,
}

impl<'s> Compiled<'s> {
    /// `None` if one of its rules does not parse.
    pub(super) fn compile(schema: &'s Schema, served: &'s server::Schema<'s>) -> Option<Self> {
        let rules = schema.rules.iter().map(|rule| &*rule.rule);
        let rules = rules.filter(|rule| !transitional(rule));
        let members = schema.properties.iter().map(|(name, property)| {
            Some((name, Self::compile(property, served.properties.get(name)?)?))
        });
        let each = schema.items.as_ref().or(schema.values());
        let each = match each.zip(served.item().or(served.values())) {
            Some((each, served)) => Some(Box::new(Self::compile(each, served)?)),
            None => None,
        };
        Some(Self {
            schema,
            served,
            properties: members.collect::<Option<_>>()?,
            each,
            rules: rules.map(|rule| parse(rule).ok()).collect::<Option<_>>()?,
        })
    }

    /// Whether a value satisfies the rules of the schema itself, not those below, and its sets and list maps have no
    /// duplicates.
    pub(super) fn holds_here(&self, value: &Value) -> bool {
        let mut repeated = Violations::default();
        uniqueness(value, self.served, Some(Path::root("value")), &mut repeated);
        let is_resource = self.served.embedded_resource;
        let holds = |rule| outcome(rule, value, self.served, is_resource) == Some(true);
        repeated.is_empty() && self.rules.iter().all(holds)
    }
}

/// Whether an expression is true of a value; an error counts as false. `None` if the evaluator cannot decide.
pub(super) fn outcome(
    rule: &Expression,
    value: &Value,
    schema: &server::Schema<'_>,
    is_resource: bool,
) -> Option<bool> {
    match evaluate(rule, cel_value(value, schema, is_resource), None) {
        Ok(Val::Bool(holds)) => Some(holds),
        Err(Stop::Error) => Some(false),
        Ok(_) | Err(Stop::Unknown) => None,
    }
}
