//! Expressions that almost compile.

use super::dice::Dice;
use super::generate::{Generator, PLAIN, one_of, rows};
use super::schemas::NAMES;
use crd_channels_cel::ast::{Expression, Kind};
use crd_channels_cel::parse;
use crd_channels_cel::types::Type;
use std::ops::Range;

/// Conditions without variables of a schema, one per line: some that servers refuse to compile, similar ones that they accept,
/// every form of a literal, and features of other CEL environments.
const CONDITIONS: &str = include_str!("conditions.txt");

/// Spoils an expression in one place.
pub fn spoil(text: &str, generator: &mut Generator<'_>) -> String {
    let Ok(tree) = parse(text) else {
        return text.to_owned();
    };
    let nodes = nodes(&tree);
    let node = nodes[generator.dice.roll(nodes.len())];
    let in_place = |by: &str| replaced(text, &node.range, by);
    match generator.dice.roll(11) {
        0 | 1 => {
            let of = [
                &PLAIN[..],
                &[Type::list(Type::Int), Type::Null, Type::Bytes],
            ]
            .concat();
            let other = one_of(generator.dice, &of);
            in_place(&format!("({})", generator.value(&other, 1)))
        }
        2 => in_place("oldSelf"),
        3 | 4 => {
            let conditions: Vec<&str> = CONDITIONS.lines().collect();
            let condition = generator.dice.pick(&conditions);
            match generator.dice.roll(3) {
                0 => condition.to_owned(),
                1 => format!("({condition}) && ({text})"),
                _ => format!("{condition} || ({text})"),
            }
        }
        5 | 6 => other_name(text, &nodes, generator.dice),
        7 => arity(text, &nodes, generator.dice),
        8 => operator(text, &nodes, generator.dice),
        9 => style(text, &nodes, generator.dice),
        _ => typing_error(text, generator.dice),
    }
}

fn nodes(tree: &Expression) -> Vec<&Expression> {
    let mut found = vec![tree];
    let mut at = 0;
    while at < found.len() {
        let below = found[at].kind.children();
        found.extend(below);
        at += 1;
    }
    found
}

fn replaced(text: &str, range: &Range<usize>, by: &str) -> String {
    format!("{}{by}{}", &text[..range.start], &text[range.end..])
}

/// Replaces the name of a field, a variable or a function.
fn other_name(text: &str, nodes: &[&Expression], dice: &mut Dice) -> String {
    let names = nodes.iter().filter_map(|node| match &node.kind {
        Kind::Identifier { name, .. } => Some((name, false)),
        Kind::Select { field, .. } => Some((field, false)),
        Kind::Call { function, .. } => Some((function, true)),
        _ => None,
    });
    let names: Vec<_> = names.collect();
    if names.is_empty() {
        return text.to_owned();
    }
    let (name, is_function) = names[dice.roll(names.len())];
    let functions: Vec<&str> = rows().map(|row| row.name).collect();
    let other = match (dice.roll(3), is_function) {
        (0, _) => format!("{}x", name.text),
        (_, true) => dice.pick(&functions).to_owned(),
        (1, false) => dice.pick(NAMES).to_owned(),
        _ => dice
            .pick(&[
                "status__dash__code",
                "__if__",
                "x__underscores__y",
                "__in__",
                "metadata",
                "kind",
            ])
            .to_owned(),
    };
    replaced(text, &name.range, &other)
}

/// Adds or removes an argument.
fn arity(text: &str, nodes: &[&Expression], dice: &mut Dice) -> String {
    let calls = nodes.iter().filter_map(|node| match &node.kind {
        Kind::Call { arguments, .. } => arguments.last(),
        _ => None,
    });
    let last: Vec<&Expression> = calls.collect();
    if last.is_empty() {
        return format!("size({text}, 1) == 1");
    }
    let range = &last[dice.roll(last.len())].range;
    let given = &text[range.clone()];
    match dice.roll(3) {
        0 => replaced(text, range, ""),
        1 => replaced(text, range, &format!("{given}, {given}")),
        _ => replaced(text, range, &format!("1, {given}")),
    }
}

/// Replaces an operator.
fn operator(text: &str, nodes: &[&Expression], dice: &mut Dice) -> String {
    let sides = nodes.iter().filter_map(|node| match &node.kind {
        Kind::Binary { left, right, .. } => Some(&text[left.range.end..right.range.start]),
        _ => None,
    });
    let sides: Vec<&str> = sides.collect();
    let others = [
        "==", "!=", "<", "<=", ">", ">=", "in", "+", "-", "*", "/", "%", "&&", "||", "=",
    ];
    let other = dice.pick(&others);
    if sides.is_empty() {
        return format!("({text}) {other} ({text})");
    }
    let between = sides[dice.roll(sides.len())];
    let sign = between.trim_matches([')', '(', ' ']);
    let start = between.as_ptr().addr() - text.as_ptr().addr();
    let at = start + between.find(sign).unwrap_or_default();
    replaced(text, &(at..at + sign.len()), other)
}

/// Turns a function into a method, or a method into a function.
fn style(text: &str, nodes: &[&Expression], dice: &mut Dice) -> String {
    let calls = nodes.iter().filter_map(|node| match &node.kind {
        Kind::Call {
            target,
            function,
            arguments,
        } => Some((node, target, function, arguments)),
        _ => None,
    });
    let calls: Vec<_> = calls.collect();
    if calls.is_empty() {
        return format!("({text}).size() == 1");
    }
    let (node, target, function, arguments) = calls[dice.roll(calls.len())];
    let texts = |of: &[Expression]| -> Vec<String> {
        of.iter()
            .map(|argument| text[argument.range.clone()].to_owned())
            .collect()
    };
    let other = match (target, arguments.split_first()) {
        (Some(target), _) => {
            let mut all = vec![text[target.range.clone()].to_owned()];
            all.extend(texts(arguments));
            format!("{}({})", function.text, all.join(", "))
        }
        (None, Some((first, rest))) => {
            let first = &text[first.range.clone()];
            format!("({first}).{}({})", function.text, texts(rest).join(", "))
        }
        (None, None) => format!("''.{}()", function.text),
    };
    replaced(text, &node.range, &other)
}

/// Adds or removes a character.
fn typing_error(text: &str, dice: &mut Dice) -> String {
    let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let at = starts[dice.roll(starts.len())];
    let next = text[at..].chars().next().map_or(at, |c| at + c.len_utf8());
    match dice.roll(3) {
        0 => replaced(text, &(at..next), ""),
        1 => text[..at].to_owned(),
        _ => replaced(
            text,
            &(at..at),
            dice.pick(&[
                "(", ")", ".", "'", "?", ",", " ", "1", "]", "{", "`", "@", "\\", "é",
            ]),
        ),
    }
}
