//! Canonical texts of expressions: independent of spaces, quotes, parentheses, and the order of `&&` and `||`.

use crate::ast::{Binary, Expression, Kind, Literal, Logic, Unary};
use crate::operators::{AND, NEGATE, NOT, OR, function_name, operator_text as sign_of};

/// The canonical text of an expression. Expressions with the same text are equivalent.
#[must_use]
pub fn canonical(expression: &Expression) -> String {
    let all = |expressions: &[Expression]| expressions.iter().map(canonical).collect::<Vec<_>>();
    match &expression.kind {
        Kind::Literal(literal) => self::literal(literal),
        Kind::Identifier { name, rooted } => {
            format!("{}{}", if *rooted { "." } else { "" }, name.text)
        }
        Kind::Select {
            operand,
            field,
            optional,
        } => {
            let mark = if *optional { "?" } else { "" };
            let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let quote = match field.text.chars().all(is_name) {
                true => "",
                false => "`",
            };
            let field = &field.text;
            format!("{}.{mark}{quote}{field}{quote}", canonical(operand))
        }
        Kind::Index {
            operand,
            index,
            optional,
        } => {
            let mark = if *optional { "?" } else { "" };
            format!("{}[{mark}{}]", canonical(operand), canonical(index))
        }
        Kind::Call {
            target,
            function,
            arguments,
        } => {
            let target = target
                .as_deref()
                .map(|target| format!("{}.", canonical(target)));
            let target = target.unwrap_or_default();
            format!("{target}{}({})", function.text, all(arguments).join(", "))
        }
        Kind::Unary { operator, operand } => {
            let sign = sign_of(match operator {
                Unary::Not => NOT,
                Unary::Negate => NEGATE,
            });
            format!("{sign}{}", canonical(operand))
        }
        Kind::Binary {
            operator,
            left,
            right,
        } => {
            let (mut left, mut right) = (canonical(left), canonical(right));
            let sign = sign_of(function_name(*operator));
            if matches!(operator, Binary::Equal | Binary::NotEqual) && left > right {
                std::mem::swap(&mut left, &mut right);
            }
            format!("({left} {sign} {right})")
        }
        Kind::Logic {
            operator, operands, ..
        } => {
            let mut operands = all(operands);
            operands.sort_unstable();
            let sign = sign_of(match operator {
                Logic::And => AND,
                Logic::Or => OR,
            });
            format!("({})", operands.join(&format!(" {sign} ")))
        }
        Kind::Conditional {
            condition,
            then,
            otherwise,
        } => format!(
            "({} ? {} : {})",
            canonical(condition),
            canonical(then),
            canonical(otherwise)
        ),
        Kind::List(elements) => {
            let elements = elements.iter().map(|element| {
                let mark = if element.optional { "?" } else { "" };
                format!("{mark}{}", canonical(&element.value))
            });
            format!("[{}]", elements.collect::<Vec<_>>().join(", "))
        }
        Kind::Map(entries) => {
            let entries = entries.iter().map(|entry| {
                let mark = if entry.optional { "?" } else { "" };
                format!(
                    "{mark}{}: {}",
                    canonical(&entry.key),
                    canonical(&entry.value)
                )
            });
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
        Kind::Message { name, fields } => {
            let fields = fields.iter().map(|field| {
                let mark = if field.optional { "?" } else { "" };
                format!("{mark}{}: {}", field.name.text, canonical(&field.value))
            });
            format!("{}{{{}}}", name.text, fields.collect::<Vec<_>>().join(", "))
        }
    }
}

fn literal(literal: &Literal) -> String {
    match literal {
        Literal::Null => "null".to_owned(),
        Literal::Bool(value) => value.to_string(),
        Literal::Int(value) => value.to_string(),
        Literal::Uint(value) => format!("{value}u"),
        Literal::Double(value) => format!("{value:?}"),
        Literal::String(value) => format!("{value:?}"),
        Literal::Bytes(value) => format!("b{value:?}"),
    }
}
