//! The parts of the language that occur in expressions.

use crd_channels_cel::ast::{Binary, Expression, Kind, Logic, Unary};
use crd_channels_cel::functions::{Style, overloads};
use crd_channels_cel::macros::macro_called;
use crd_channels_cel::parse;
use crd_channels_cel::syntax::qualified;
use std::collections::BTreeMap;

/// The number of occurrences of each operator, macro and function, by the names of topics.
#[derive(Default)]
pub struct Coverage(pub BTreeMap<String, usize>);

impl Coverage {
    /// Counts those in an expression.
    pub fn count(&mut self, text: &str) {
        if let Ok(tree) = parse(text) {
            self.walk(&tree);
        }
    }

    fn walk(&mut self, expression: &Expression) {
        if let Some(name) = name(&expression.kind) {
            *self.0.entry(name).or_default() += 1;
        }
        for below in expression.kind.children() {
            self.walk(below);
        }
    }
}

fn name(kind: &Kind) -> Option<String> {
    Some(match kind {
        Kind::Unary {
            operator: Unary::Not,
            ..
        } => "!_".to_owned(),
        Kind::Unary {
            operator: Unary::Negate,
            ..
        } => "-_".to_owned(),
        Kind::Binary { operator, .. } => {
            let written = match operator {
                Binary::Equal => "_==_",
                Binary::NotEqual => "_!=_",
                Binary::Less => "_<_",
                Binary::LessEqual => "_<=_",
                Binary::Greater => "_>_",
                Binary::GreaterEqual => "_>=_",
                Binary::In => "@in",
                Binary::Add => "_+_",
                Binary::Subtract => "_-_",
                Binary::Multiply => "_*_",
                Binary::Divide => "_/_",
                Binary::Modulo => "_%_",
            };
            written.to_owned()
        }
        Kind::Logic {
            operator: Logic::And,
            ..
        } => "_&&_".to_owned(),
        Kind::Logic {
            operator: Logic::Or,
            ..
        } => "_||_".to_owned(),
        Kind::Conditional { .. } => "_?_:_".to_owned(),
        Kind::Index { optional: true, .. } => "_[?_]".to_owned(),
        Kind::Index { .. } => "_[_]".to_owned(),
        Kind::Call {
            target,
            function,
            arguments,
        } => {
            let whole =
                |target: &Expression| Some(format!("{}.{}", qualified(target)?, function.text));
            let of_library = target.as_deref().and_then(whole);
            let of_library = of_library.filter(|name| !overloads(name, Style::Global).is_empty());
            match (target, of_library) {
                (_, Some(name)) => name,
                (target, None)
                    if macro_called(&function.text, target.is_some(), arguments.len())
                        .is_some() =>
                {
                    format!("{}/{}", function.text, arguments.len())
                }
                (Some(_), None) => format!(".{}", function.text),
                (None, None) => function.text.to_string(),
            }
        }
        _ => return None,
    })
}
