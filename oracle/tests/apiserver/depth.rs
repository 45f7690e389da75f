//! Compares which random deep expressions the parser refuses with those that the server's parser refuses.
//!
//! `VALIDATION_SHAPES` is the number of expressions.

use super::{Dice, go, skipped_without_go};
use crd_channels_cel::parse;
use serde_json::json;
use std::process::Command;

/// What can stand around an expression: the text before it and the text behind it.
const AROUND: [(&str, &str); 24] = [
    ("(", ")"),
    ("!(", ")"),
    ("-(", ")"),
    ("", " == x"),
    ("x == ", ""),
    ("x in ", ""),
    ("", " + x"),
    ("x + ", ""),
    ("", " * x"),
    ("x * ", ""),
    ("x && ", ""),
    ("", " || x"),
    ("x ? x : ", ""),
    ("", " ? x : x"),
    ("", ".a"),
    ("", ".?a"),
    ("", "[0]"),
    ("x[", "]"),
    ("", ".trim()"),
    ("x.f(", ")"),
    ("f(", ")"),
    ("[", "]"),
    ("{x: ", "}"),
    ("x.all(v, ", ")"),
];

fn shape(dice: &mut Dice) -> String {
    let kinds: Vec<_> = (0..1 + dice.roll(2)).map(|_| dice.pick(&AROUND)).collect();
    let (mut before, mut behind) = (Vec::new(), String::from("x"));
    for _ in 0..150 + dice.roll(200) {
        let (left, right) = dice.pick(&kinds);
        before.push(left);
        behind.push_str(right);
    }
    before.reverse();
    before.concat() + &behind
}

#[test]
fn expressions_that_are_too_deep_for_the_server_are_refused() {
    let Some(server) = skipped_without_go("deep expressions are not compared") else {
        return;
    };
    let count = std::env::var("VALIDATION_SHAPES").map_or(120, |count| count.parse().unwrap());
    let mut dice = Dice::new(1);
    let shapes: Vec<String> = (0..count).map(|_| shape(&mut dice)).collect();
    let schema = json!({"type": "object", "properties": {"a": {"type": "string"}}});
    let asked = json!({"schema": schema, "self": {}, "expressions": shapes}).to_string();
    let answers = go::answers(&mut Command::new(server), &[asked]);
    let answers = answers.first().unwrap().as_array().unwrap();
    let (mut wrong, mut deep) = (Vec::new(), 0);
    for (shape, answer) in shapes.iter().zip(answers) {
        let theirs = answer["gives"].as_str().unwrap().contains("recursion");
        let ours = parse(shape).map_err(|error| error.message);
        deep += usize::from(theirs);
        // The tree is bounded here too, which no server does.
        let is_own_bound = ours.as_ref().is_err_and(|message| message.ends_with("500"));
        if ours.is_err() != theirs && !is_own_bound {
            wrong.push(format!(
                "{shape}\n  ours: {:?}\n  theirs: {answer}",
                ours.err()
            ));
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
    assert!(
        (shapes.len() / 5..shapes.len() * 4 / 5).contains(&deep),
        "{deep}"
    );
}
