//! Random rules of a node.

use super::dice::Dice;
use super::generate::{Generator, PLAIN, one_of, rows};
use super::places::SchemaNode;
use super::spoil::spoil;
use super::ways::Declared;
use crd_channels_cel::functions::{Overload, Style};
use crd_channels_cel::macros::{MACROS, Row};
use crd_channels_cel::types::Type;
use serde_json::{Value, json};

/// The topic of a rule.
#[derive(Clone)]
pub enum Topic {
    /// The overloads of a function or an operator in one style.
    Function(Vec<&'static Overload>),
    /// A macro.
    Macro(Row),
}

/// Returns every function, operator and macro.
pub fn topics() -> Vec<Topic> {
    let mut functions: Vec<Vec<&'static Overload>> = Vec::new();
    for row in rows() {
        let is_same = |of: &[&Overload]| of[0].name == row.name && of[0].style == row.style;
        match functions.iter_mut().find(|of| is_same(of)) {
            Some(of) => of.push(row),
            None => functions.push(vec![row]),
        }
    }
    let macros = MACROS.into_iter().map(Topic::Macro);
    functions
        .into_iter()
        .map(Topic::Function)
        .chain(macros)
        .collect()
}

impl Topic {
    /// Returns its name, as `Coverage` counts it.
    pub fn name(&self) -> String {
        match self {
            Self::Function(rows) => match (rows[0].style, rows[0].name) {
                (Style::Member, name) => format!(".{name}"),
                (Style::Global, name) => name.to_owned(),
            },
            Self::Macro(row) => format!("{}/{}", row.name, row.arguments),
        }
    }
}

/// Returns a rule of a node. `None` if expressions can read nothing of it.
pub fn rule(
    dice: &mut Dice,
    schema: &Value,
    place: &SchemaNode,
    topic: &Topic,
    is_spoilt: bool,
) -> Option<Value> {
    let Some(declared) = Declared::of_schema(schema, place.is_resource) else {
        return (is_spoilt && dice.one_in(3)).then(|| json!({"rule": "true"}));
    };
    let mut generator = Generator::new(dice, &declared);
    let reads_old = (place.is_correlatable || is_spoilt) && generator.dice.one_in(5);
    let is_optional = reads_old && generator.dice.one_in(3);
    let old = match is_optional {
        true => Type::optional(declared.ty()),
        false => declared.ty(),
    };
    if reads_old {
        generator.knows("oldSelf", &old);
    }
    let (text, ty) = match topic {
        Topic::Function(rows) => {
            let row = one_of(generator.dice, rows);
            generator.call_of_row(row)
        }
        Topic::Macro(row) => generator.macro_call(row),
    };
    let mut text = condition(&mut generator, text, &ty);
    if reads_old && (!is_spoilt || generator.dice.one_in(2)) {
        let before = match is_optional {
            true => "!oldSelf.hasValue()",
            false => generator
                .dice
                .pick(&["self == oldSelf", "dyn(self) != oldSelf"]),
        };
        text = format!("{before} || ({text})");
    }
    // The attributes of the rule are spoiled as often as the expression is in each of the other ways.
    let is_about_attributes = is_spoilt && generator.dice.one_in(8);
    if is_spoilt && !is_about_attributes {
        for _ in 0..=usize::from(generator.dice.one_in(5)) {
            text = spoil(&text, &mut generator);
        }
    }
    let mut rule = json!({ "rule": text });
    if is_optional {
        rule["optionalOldSelf"] = true.into();
    }
    attributes(&mut generator, &mut rule, schema);
    if is_about_attributes {
        spoil_attributes(&mut generator, &mut rule);
    }
    Some(rule)
}

/// Returns a condition about a value of a type.
fn condition(generator: &mut Generator<'_>, text: String, ty: &Type) -> String {
    if *ty == Type::Bool {
        return text;
    }
    match generator.dice.roll(4) {
        0 => format!("[{text}].size() == 1"),
        1 => format!("dyn({text}) != null"),
        _ => format!("({text}) == ({})", generator.value(ty, 1)),
    }
}

fn attributes(generator: &mut Generator<'_>, rule: &mut Value, schema: &Value) {
    if generator.dice.one_in(3) {
        rule["message"] = generator
            .dice
            .pick(&["it is wrong", " spaces ", "two\n", "", "é"])
            .into();
    }
    if generator.dice.one_in(4) {
        let reasons = [
            "FieldValueInvalid",
            "FieldValueRequired",
            "FieldValueForbidden",
            "FieldValueDuplicate",
        ];
        rule["reason"] = generator.dice.pick(&reasons).into();
    }
    if generator.dice.one_in(5) {
        rule["messageExpression"] = generator.value(&Type::String, 2).into();
    }
    let names = schema["properties"].as_object();
    let names: Vec<&String> = names.into_iter().flat_map(|all| all.keys()).collect();
    if !names.is_empty() && generator.dice.one_in(6) {
        let name = one_of(generator.dice, &names);
        rule["fieldPath"] = match name.contains(['.', ' ']) {
            true => format!("['{name}']").into(),
            false => format!(".{name}").into(),
        };
    }
}

fn spoil_attributes(generator: &mut Generator<'_>, rule: &mut Value) {
    let text = rule["rule"].as_str().unwrap_or_default().to_owned();
    match generator.dice.roll(9) {
        0 => rule["rule"] = generator.dice.pick(&["", " ", "\n"]).into(),
        1 => rule["rule"] = format!("{text} &&\n true").into(),
        2 => rule["message"] = generator.dice.pick(&[" ", "a\nb", "\n"]).into(),
        3 => {
            rule["reason"] = generator
                .dice
                .pick(&["", "Invalid", "FieldValueTooLong"])
                .into()
        }
        4 => {
            let paths = [
                " ",
                "a",
                ".",
                ".nosuch",
                ".a[0]",
                "['a.b/c']",
                ".a.b",
                ".x y",
                ".['a']",
                "a\n",
            ];
            rule["fieldPath"] = generator.dice.pick(&paths).into();
        }
        5 => rule["optionalOldSelf"] = generator.dice.one_in(2).into(),
        6 => rule["messageExpression"] = generator.dice.pick(&[" ", "\n", "''", "dyn('a')"]).into(),
        7 => {
            let ty = one_of(generator.dice, &PLAIN);
            rule["messageExpression"] = generator.value(&ty, 2).into();
        }
        _ => {
            let text = generator.value(&Type::String, 2);
            rule["messageExpression"] = spoil(&text, generator).into();
        }
    }
}
