//! A macro with a few rules that are alike, and a call: the function's value says which rule it took, and with what.

use super::body::Body;
use crate::dice::Dice;
use std::fmt::Write;

/// Tokens that rules have and calls repeat.
const TOKENS: [&str; 48] = [
    "a",
    "b",
    "if",
    "r#a",
    "r#if",
    "true",
    "_",
    "1",
    "01",
    "1u8",
    "1.5",
    "-1",
    "\"s\"",
    "'c'",
    "b\"s\"",
    "r\"s\"",
    "'a",
    "=",
    "==",
    "=>",
    ",",
    ",",
    ",",
    ";",
    ".",
    "..",
    "..=",
    "::",
    ":",
    "<",
    ">",
    "<<",
    "&",
    "&&",
    "|",
    "||",
    "-",
    "->",
    "+",
    "!",
    "#",
    "?",
    "a.b",
    "a::b",
    "0x1",
    "1_",
    "'\\x63'",
    "\"\\x73\"",
];

/// The kinds of fragments, each with tokens that it may match.
const FRAGMENTS: [(&str, &[&str]); 15] = [
    (
        "expr",
        &[
            "1",
            "a",
            "1 + 2",
            "-1",
            "a.b",
            "f(1)",
            "&a",
            "&&a",
            "_",
            "1.5",
            "a::<u8>::b",
            "|a| a",
            "{ 1 }",
            "1..2",
            "..",
            "if a { 1 } else { 2 }",
            "const { 1 }",
            "a as u8",
            "\"s\"",
            "true",
            "!a",
            "m!()",
            "[1, 2]",
            "(1, 2)",
            "1.",
            "1e3",
            "a.0.1",
            "return",
            "break",
            "loop {}",
            "unsafe { a }",
            "async { a }",
            "move || a",
            "a?",
            "a = b",
            "a += 1",
            "a < b",
            "a << b > c",
            "match a { _ => 1 }",
            "#[x] a",
            "let a = b",
            "yield",
            "&raw const a",
            "'a: loop {}",
            "<u8>::a",
            "b'a'",
            "'c'",
            "dyn",
            "union",
            "auto",
            "default",
            "A { a: 1 }",
        ],
    ),
    (
        "ty",
        &[
            "u8",
            "&'a u8",
            "Vec<Vec<u8>>",
            "[u8; 3]",
            "dyn A + B",
            "(u8,)",
            "!",
            "_",
            "a::b",
            "<A as B>::C",
            "fn(u8) -> u8",
            "impl A",
            "m!()",
            "*const u8",
            "dyn Fn(u8) -> u8 + Send",
            "for<'a> fn(&'a u8)",
            "unsafe extern \"C\" fn()",
            "impl A + 'a",
            "a::b::<u8>",
            "(u8)",
            "()",
            "[u8]",
            "&mut u8",
            "dyn",
            "A<b = u8, 1, { 2 }>",
            "Self",
            "A + B",
            "?Sized",
            "union",
        ],
    ),
    ("ident", &["a", "b", "r#a", "if", "self", "_", "true", "A"]),
    (
        "tt",
        &[
            "a", "1", "->", "..=", "(a b)", "'a", "-", "1.5", "::", "&&", "_", "\"s\"",
        ],
    ),
    (
        "literal",
        &[
            "1", "-1", "1.5", "\"s\"", "'c'", "true", "b\"s\"", "r\"s\"", "- 1", "1u8", "c\"s\"",
            "-\"s\"", "-true", "- r#true", "r#\"s\"#",
        ],
    ),
    (
        "path",
        &[
            "a",
            "a::b",
            "a::<u8>::b",
            "::a",
            "Vec<u8>",
            "crate::a",
            "self",
            "F(u8) -> u8",
        ],
    ),
    (
        "pat_param",
        &[
            "1", "_", "a", "(a, b)", "Some(1)", "1..=2", "&a", "ref a", "a @ 1",
        ],
    ),
    ("lifetime", &["'a", "'_", "'static"]),
    ("block", &["{ 1 }", "{}", "{ a; b }"]),
    (
        "vis",
        &[
            "",
            "pub",
            "pub(crate)",
            "pub(in a)",
            "crate",
            "pub (u8)",
            "pub(self)",
            "pub(super::a)",
        ],
    ),
    (
        "meta",
        &[
            "a",
            "a = \"s\"",
            "a(b)",
            "a::b",
            "a[1]",
            "unsafe(a)",
            "r#a",
            "if",
            "a = 1 + 2",
            "a = b",
            "a {}",
            "crate::a",
            "::a",
            "doc = \"s\"",
            "a = m!()",
            "-",
        ],
    ),
    (
        "item",
        &[
            "struct A;",
            "fn a() {}",
            "pub use a::b;",
            "#[x] struct A;",
            "/** a */ struct A;",
            "impl A for B {}",
            "a!{}",
            "a!();",
            "macro_rules! a { () => {} }",
            "union A { a: u8 }",
            "const A: u8 = 1;",
            "pub(crate) static A: u8 = 1;",
            "extern crate a;",
            "unsafe fn a() {}",
            "auto trait A {}",
            "const _: () = ();",
            "type A = u8;",
            "default fn a() {}",
            "mod a {}",
        ],
    ),
    ("stmt", &["let a = 1", "a", "struct A;"]),
    ("pat", &["1", "1 | 2", "_"]),
    ("expr_2021", &["1", "_", "const { 1 }", "a"]),
];

/// A macro by its seed.
pub fn body(seed: u64) -> Body {
    let mut drawing = Drawing {
        dice: Dice::new(seed),
        names: 0,
    };
    let mut items = String::new();
    let forwards = drawing.dice.one_in(4);
    if forwards {
        let (rules, _) = drawing.rules("i", None);
        writeln!(items, "macro_rules! inner {{ {rules} }}").unwrap();
    }
    let (rules, call) = drawing.rules("r", forwards.then_some("inner"));
    let (open, close, end) = drawing
        .dice
        .pick(&[("(", ")", ";"), ("[", "]", ";"), ("{", "}", "")]);
    write!(
        items,
        "macro_rules! chosen {{ {rules} }}\nchosen!{open}{call}{close}{end}\n"
    )
    .unwrap();
    Body::at("value".to_owned(), "Value", &items)
}

/// A pattern, what a call may have for it, and its fragments.
#[derive(Clone, Default)]
struct Pattern {
    text: String,
    call: String,
    /// The names and kinds of the fragments outside of repetitions, and of those in one.
    single: Vec<(String, &'static str)>,
    repeated: Vec<(String, &'static str)>,
}

struct Drawing {
    dice: Dice,
    names: usize,
}

impl Drawing {
    /// Rules, and a call that one of them may match.
    fn rules(&mut self, tag: &str, forward: Option<&str>) -> (String, String) {
        let count = self.dice.pick(&[1, 2, 2, 3]);
        let mut text = String::new();
        let mut calls = Vec::new();
        for number in 0..count {
            let size = self.dice.pick(&[1, 2, 3]);
            let pattern = self.pattern(size, 0);
            let body = self.transcriber(&format!("{tag}{number}"), &pattern, forward);
            write!(text, "({}) => {{ {body} }}; ", pattern.text).unwrap();
            calls.push(pattern.call);
        }
        let any = "($($any:tt)*) => { fn value() -> Value { json!(\"any\") } };";
        if self.dice.one_in(2) {
            text.push_str(any);
        }
        (text, calls.swap_remove(self.dice.roll(count)))
    }

    fn pattern(&mut self, size: usize, depth: usize) -> Pattern {
        let mut pattern = Pattern::default();
        for _ in 0..size {
            let sides = if depth == 0 { 12 } else { 9 };
            match self.dice.roll(sides) {
                0 if self.dice.one_in(4) => {
                    self.names += 1;
                    let name = format!("x{}", self.names);
                    let docs = ["/** s */", "#[doc = \"s\"]", "#[doc = r\"s\"]"];
                    let call = self.dice.pick(&docs);
                    self.push(&mut pattern, &format!("#[doc = ${name}:literal]"), call);
                    pattern.single.push((name, "literal"));
                }
                0..4 => {
                    let token = self.dice.pick(&TOKENS);
                    self.push(&mut pattern, token, token);
                }
                4..9 => {
                    let (kind, examples) = self.dice.pick(&FRAGMENTS);
                    self.names += 1;
                    let name = format!("x{}", self.names);
                    let example = self.dice.pick(examples);
                    self.push(&mut pattern, &format!("${name}:{kind}"), example);
                    pattern.single.push((name, kind));
                }
                9..11 => {
                    let inner = self.pattern(1, 1);
                    let separator = self.dice.pick(&["", "", ",", ",", ";", "=>", "a"]);
                    let sign = self.dice.pick(&["*", "+", "?"]);
                    let separator = if sign == "?" { "" } else { separator };
                    let rounds = self.dice.pick(&[0, 1, 1, 2, 3]);
                    let call = vec![inner.call.clone(); rounds].join(&format!(" {separator} "));
                    self.push(
                        &mut pattern,
                        &format!("$({}){separator}{sign}", inner.text),
                        &call,
                    );
                    pattern.repeated.extend(inner.single);
                }
                _ => {
                    let inner = self.pattern(2, 1);
                    let (open, close) = self.dice.pick(&[("(", ")"), ("[", "]"), ("{", "}")]);
                    let text = format!("{open}{}{close}", inner.text);
                    self.push(&mut pattern, &text, &format!("{open}{}{close}", inner.call));
                    pattern.single.extend(inner.single);
                }
            }
        }
        pattern
    }

    fn push(&mut self, pattern: &mut Pattern, text: &str, call: &str) {
        // Signs without a space between them are another operator.
        let space = self.dice.pick(&[" ", " ", ""]);
        pattern.text.push_str(space);
        pattern.text.push_str(text);
        // A call that is only alike.
        let other = self.dice.pick(&TOKENS);
        let call = if self.dice.one_in(12) { other } else { call };
        let space = self.dice.pick(&[" ", " ", ""]);
        pattern.call.push_str(space);
        pattern.call.push_str(call);
    }

    /// What a rule makes: its own name, its literals, or what another macro makes of its fragments.
    fn transcriber(&mut self, tag: &str, pattern: &Pattern, forward: Option<&str>) -> String {
        let is_literal = |(_, kind): &&(String, &str)| *kind == "literal";
        let literal = pattern.single.iter().find(is_literal);
        let repeated = pattern.repeated.iter().find(is_literal);
        match (forward, literal, repeated) {
            (Some(inner), ..) if self.dice.one_in(2) => {
                let mut tokens = String::new();
                for (name, _) in &pattern.single {
                    write!(tokens, " ${name}").unwrap();
                }
                for (name, _) in pattern.repeated.iter().take(1) {
                    write!(tokens, " $(${name})*").unwrap();
                }
                let token = self.dice.pick(&TOKENS);
                let token = self.dice.pick(&["", "", token]);
                format!("{inner}!{{{tokens} {token}}}")
            }
            (_, Some((name, _)), _) => {
                format!("fn value() -> Value {{ json!([\"{tag}\", ${name}]) }}")
            }
            (_, None, Some((name, _))) => {
                format!("fn value() -> Value {{ json!([\"{tag}\", $(${name}),*]) }}")
            }
            _ => format!("fn value() -> Value {{ json!(\"{tag}\") }}"),
        }
    }
}
