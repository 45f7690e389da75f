//! Expressions by what they say: spaces, quotes and parentheses make no difference, nor does the order of `&&` and `||`.

use crate::Text;
use crate::check::cel::ast::{Binary, Expression, Kind, Literal, Logic, Unary};
use crate::check::cel::parse;
use std::collections::BTreeSet;

/// The canonical text of a rule; the rule itself where it does not parse.
pub(in crate::compat) fn canonical(rule: &str) -> String {
    match parse(rule) {
        Ok(expression) => written(&expression),
        Err(_) => rule.split_whitespace().collect::<Vec<_>>().join(" "),
    }
}

/// Whether most of what two rules say is the same.
pub(in crate::compat) fn resembles(one: &str, other: &str) -> bool {
    similar::TextDiff::from_words(one, other).ratio() > 0.7
}

/// Whether a rule compares with the old object.
pub(in crate::compat) fn transitional(rule: &str) -> bool {
    fn found(expression: &Expression) -> bool {
        matches!(&expression.kind, Kind::Identifier { name, .. } if &*name.text == "oldSelf")
            || expression.kind.children().into_iter().any(found)
    }
    parse(rule).map_or_else(
        |_| rule.contains("oldSelf"),
        |expression| found(&expression),
    )
}

/// The names of all fields that a rule selects.
pub(in crate::compat) fn selects(rule: &str) -> BTreeSet<Text> {
    fn collect(expression: &Expression, names: &mut BTreeSet<Text>) {
        if let Kind::Select { field, .. } = &expression.kind {
            names.insert(field.text.clone());
        }
        for child in expression.kind.children() {
            collect(child, names);
        }
    }
    let mut names = BTreeSet::new();
    if let Ok(expression) = parse(rule) {
        collect(&expression, &mut names);
    }
    names
}

/// An expression in one spelling. Two expressions with the same text are one.
pub(super) fn written(expression: &Expression) -> String {
    let all = |expressions: &[Expression]| expressions.iter().map(written).collect::<Vec<_>>();
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
            format!("{}.{mark}{}", written(operand), field.text)
        }
        Kind::Index {
            operand,
            index,
            optional,
        } => {
            let mark = if *optional { "?" } else { "" };
            format!("{}[{mark}{}]", written(operand), written(index))
        }
        Kind::Call {
            target,
            function,
            arguments,
        } => {
            let target = target
                .as_deref()
                .map(|target| format!("{}.", written(target)));
            let target = target.unwrap_or_default();
            format!("{target}{}({})", function.text, all(arguments).join(", "))
        }
        Kind::Unary { operator, operand } => {
            let sign = match operator {
                Unary::Not => "!",
                Unary::Negate => "-",
            };
            format!("{sign}{}", written(operand))
        }
        Kind::Binary {
            operator,
            left,
            right,
        } => {
            let (mut left, mut right) = (written(left), written(right));
            let sign = match operator {
                Binary::Equal => "==",
                Binary::NotEqual => "!=",
                Binary::Less => "<",
                Binary::LessEqual => "<=",
                Binary::Greater => ">",
                Binary::GreaterEqual => ">=",
                Binary::In => "in",
                Binary::Add => "+",
                Binary::Subtract => "-",
                Binary::Multiply => "*",
                Binary::Divide => "/",
                Binary::Modulo => "%",
            };
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
            let sign = match operator {
                Logic::And => " && ",
                Logic::Or => " || ",
            };
            format!("({})", operands.join(sign))
        }
        Kind::Conditional {
            condition,
            then,
            otherwise,
        } => format!(
            "({} ? {} : {})",
            written(condition),
            written(then),
            written(otherwise)
        ),
        Kind::List(elements) => {
            let elements = elements.iter().map(|element| {
                let mark = if element.optional { "?" } else { "" };
                format!("{mark}{}", written(&element.value))
            });
            format!("[{}]", elements.collect::<Vec<_>>().join(", "))
        }
        Kind::Map(entries) => {
            let entries = entries.iter().map(|entry| {
                let mark = if entry.optional { "?" } else { "" };
                format!("{mark}{}: {}", written(&entry.key), written(&entry.value))
            });
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
        Kind::Message { name, fields } => {
            let fields = fields.iter().map(|field| {
                let mark = if field.optional { "?" } else { "" };
                format!("{mark}{}: {}", field.name.text, written(&field.value))
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

/// The fields of `self` that a rule reads without asking anywhere whether they are there.
pub(in crate::compat) fn unguarded(rule: &str) -> BTreeSet<Text> {
    fn collect(expression: &Expression, read: &mut BTreeSet<Text>, asked: &mut BTreeSet<Text>) {
        if let Kind::Call {
            target: None,
            function,
            arguments,
        } = &expression.kind
            && &*function.text == "has"
        {
            asked.extend(arguments.iter().filter_map(field_of_self));
            return;
        }
        read.extend(field_of_self(expression));
        for child in expression.kind.children() {
            collect(child, read, asked);
        }
    }
    let (mut read, mut asked) = (BTreeSet::new(), BTreeSet::new());
    if let Ok(expression) = parse(rule) {
        collect(&expression, &mut read, &mut asked);
    }
    read.retain(|name| !asked.contains(name));
    read
}

/// The name in `self.name`.
fn field_of_self(expression: &Expression) -> Option<Text> {
    match &expression.kind {
        Kind::Select {
            operand,
            field,
            optional: false,
        } if written(operand) == "self" => Some(field.text.clone()),
        _ => None,
    }
}
