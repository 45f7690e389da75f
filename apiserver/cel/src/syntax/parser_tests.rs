//! Texts that parse, texts that do not, with the error's offset, and texts that must not overflow the stack.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

use super::ast::{Expression, Kind, Literal};
use super::parse;

/// A tree as text: every node with the offset of its operator.
fn show(expression: &Expression) -> String {
    let at = expression.at;
    let below: Vec<_> = expression.kind.children().into_iter().map(show).collect();
    let below = below.join(" ");
    match &expression.kind {
        Kind::Literal(Literal::String(text)) => format!("{text:?}"),
        Kind::Literal(Literal::Bytes(bytes)) => format!("{bytes:?}"),
        Kind::Literal(Literal::Int(number)) => format!("{number}"),
        Kind::Literal(Literal::Uint(number)) => format!("{number}u"),
        Kind::Literal(Literal::Double(number)) => format!("{number:?}"),
        Kind::Literal(Literal::Bool(flag)) => format!("{flag}"),
        Kind::Literal(Literal::Null) => "null".to_owned(),
        Kind::Identifier { name, rooted } => {
            format!("{}{}", if *rooted { "." } else { "" }, name.text)
        }
        Kind::Select {
            field, optional, ..
        } => {
            format!(
                "{at}({below} .{}{})",
                if *optional { "?" } else { "" },
                field.text
            )
        }
        Kind::Index { optional, .. } => {
            format!("{at}({below} []{})", if *optional { "?" } else { "" })
        }
        Kind::Call {
            function, target, ..
        } => {
            format!(
                "{at}({}{} {below})",
                if target.is_some() { "." } else { "" },
                function.text
            )
        }
        Kind::Unary { operator, .. } => format!("{at}({operator:?} {below})"),
        Kind::Binary { operator, .. } => format!("{at}({operator:?} {below})"),
        Kind::Logic {
            operator,
            operators,
            ..
        } => format!("{operators:?}({operator:?} {below})"),
        Kind::Conditional { .. } => format!("{at}(? {below})"),
        Kind::List(elements) => {
            let optional = elements.iter().filter(|element| element.optional).count();
            format!("{at}[{below}]{}", "?".repeat(optional))
        }
        Kind::Map(entries) => {
            let optional = entries.iter().filter(|entry| entry.optional).count();
            format!("{at}{{{below}}}{}", "?".repeat(optional))
        }
        Kind::Message { name, fields } => {
            let names: Vec<_> = fields.iter().map(|field| &*field.name.text).collect();
            format!("{at}{}{{{} {below}}}", name.text, names.join(","))
        }
    }
}

#[test]
fn trees() {
    let mut wrong = Vec::new();
    for (text, tree) in [
        ("a + b * c - d", "10(Subtract 2(Add a 6(Multiply b c)) d)"),
        ("a == b == c", "7(Equal 2(Equal a b) c)"),
        (
            "a < b && c || d && !e",
            "[11](Or [6](And 2(Less a b) c) [16](And d 19(Not e)))",
        ),
        ("a || b || c", "[2, 7](Or a b c)"),
        ("a ? b : c ? d : e", "2(? a b 10(? c d e))"),
        ("!!a", "a"),
        ("!!!a", "0(Not a)"),
        ("- -a", "a"),
        ("-1", "-1"),
        ("--1", "1"),
        ("---1", "0(Negate 1)"),
        ("-a.b", "0(Negate 2(a .b))"),
        ("1 -1", "2(Subtract 1 1)"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("-0x10 + 0x1Fu", "6(Add -16 31u)"),
        (".5e1 + 1e3 + 2.5E-1", "11(Add 5(Add 5.0 1000.0) 0.25)"),
        ("1.e", "1(1 .e)"),
        ("x in [1, ?y,]", "2(In x 5[1 y]?)"),
        (
            "[,].size() + {,}.size()",
            "11(Add 8(.size 0[]) 21(.size 13{}))",
        ),
        ("{'a': 1, ?b: c}", "0{\"a\" 1 b c}?"),
        ("a.?b[?0].c", "8(4(1(a .?b) 0 []?) .c)"),
        (
            "self.if.namespace.__in__",
            "17(7(4(self .if) .namespace) .__in__)",
        ),
        (".a.b(c, .d)", "4(.b .a c .d)"),
        ("a.all(i, v, i < v)", "5(.all a i v 14(Less i v))"),
        ("a.b.C{d: 1, ?e: f}.g", "18(5a.b.C{d,e 1 f} .g)"),
        (".a{}", "2.a{ }"),
        ("a // one\n && // two\r\n b", "[10](And a b)"),
        ("'é' == a", "5(Equal \"é\" a)"),
        (
            r#"'a\n\x41\u00e9\U0001F600\101\'\"\?\`'"#,
            "\"a\\nAé😀A'\\\"?`\"",
        ),
        (r#"b'\xff\101é'"#, "[255, 65, 195, 169]"),
        (r#"r'\d' + R"""a"b\""""#, "6(Add \"\\\\d\" \"a\\\"b\\\\\")"),
        ("'''a'\r\nb'''", "\"a'\\nb\""),
        ("br'\\x' == B\"\"", "7(Equal [92, 120] [])"),
        ("\"\"\"\"\"\"", "\"\""),
    ] {
        match parse(text) {
            Ok(expression) if show(&expression) == tree => {}
            Ok(expression) => wrong.push(format!("{text}: {}", show(&expression))),
            Err(error) => wrong.push(format!("{text}: {error:?}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn ranges_hold_the_text_of_a_node() {
    let text = "(self.a  +  b).map(x, x [0])";
    let expression = parse(text).unwrap();
    assert_eq!(&text[expression.range.clone()], text);
    let Kind::Call {
        target: Some(target),
        arguments,
        ..
    } = &expression.kind
    else {
        panic!("{expression:?}")
    };
    assert_eq!(&text[target.range.clone()], "self.a  +  b");
    assert_eq!(&text[arguments[1].range.clone()], "x [0]");
    let Kind::Binary { left, .. } = &target.kind else {
        panic!("{target:?}")
    };
    let Kind::Select { field, .. } = &left.kind else {
        panic!("{left:?}")
    };
    assert_eq!(&text[field.range.clone()], "a");
}

#[test]
fn what_is_no_expression() {
    for (text, offset) in [
        ("", 0),
        ("  // only this", 14),
        ("a b", 2),
        ("a = b", 2),
        ("a & b", 2),
        ("a === b", 4),
        ("a == ", 5),
        ("self.in", 5),
        ("self.true", 5),
        ("self.`a", 5),
        ("self.``", 5),
        ("self.`a$`", 5),
        ("self.`f`()", 8),
        ("`a` == 1", 0),
        ("for == 1", 0),
        ("loop(a)", 0),
        ("a ? b ? c : d : e", 6),
        ("a ? b", 5),
        ("f(a,)", 4),
        ("[1,,2]", 3),
        ("{a}", 2),
        ("{a: }", 4),
        ("(a", 2),
        ("a)", 1),
        ("1..2", 2),
        ("self.1a", 4),
        ("1_000", 1),
        ("9223372036854775808", 0),
        ("18446744073709551616u", 0),
        ("1e999", 0),
        ("'a", 0),
        ("a + 'b\nc'", 4),
        ("'''a'", 0),
        (r"'\q'", 1),
        (r"'a\ud800'", 2),
        (r"b'\u0041'", 2),
        (r"'\477'", 1),
        ("a.?b()", 4),
        ("é", 0),
        ("a.\u{0}", 2),
    ] {
        match parse(text) {
            Ok(expression) => panic!("{text:?} parses: {}", show(&expression)),
            Err(error) => assert_eq!(error.offset, offset, "{text:?}: {}", error.message),
        }
    }
}

/// Runs on half of the usual stack.
fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(1024 * 1024);
    thread.spawn(work).unwrap().join().unwrap();
}

#[test]
fn depth_is_bounded() {
    let many = |text: &str| text.repeat(10_000);
    let deep = [
        many("("),
        format!("{}1{}", many("("), many(")")),
        many("["),
        many("{1:"),
        many("f("),
        many("a["),
        many("a?b:"),
        format!("a{}", many(".a")),
        format!("a{}", many("[0]")),
        format!("1{}", many("+1")),
        format!("1{}", many("<1")),
        many("a.all(x,"),
        many("!("),
        many("a||b&&c==d+e*("),
        many("a||b&&c==d+e*x.f(!g[{1:"),
    ];
    on_a_small_stack(move || {
        for text in deep {
            assert!(parse(&text).is_err(), "{}", &text[..20]);
        }
    });
}

#[test]
fn what_is_long_without_depth_parses() {
    let many = |text: &str| text.repeat(10_000);
    let long = [
        format!("{}a", many("!")),
        format!("{}a", many("- ")),
        format!("a{}", many("||a")),
        format!("a{}", many("&&a")),
        format!("[{}]", many("1,")),
        format!("{{{}}}", many("1:1,")),
        format!("{}1{}", "(".repeat(240), ")".repeat(240)),
        format!("{}1{}", "[".repeat(240), "]".repeat(240)),
        format!("a{}", ".a".repeat(250)),
        format!("1{}", "+1".repeat(250)),
        format!("{}1{}", "f(".repeat(249), ")".repeat(249)),
    ];
    on_a_small_stack(move || {
        for text in long {
            assert!(parse(&text).is_ok(), "{}", &text[..20]);
        }
    });
    assert!(parse(&"a".repeat(100_001)).is_err());
}
