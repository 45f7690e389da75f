//! Expressions and types keep their meaning and their span.

use super::{findings, module};
use crate::fixture::{self, Loaded};
use crate::modules::{TypeEntry, ValueEntry};
use crd_channels_diagnostics::Span;
use crd_channels_syntax::tree::{ExprKind, Lit, Stmt, Token, TyKind};

fn text(loaded: &Loaded, span: Span) -> String {
    let file = loaded.sources.get(span.file).unwrap();
    file.text[span.start as usize..span.end as usize].to_owned()
}

/// The kind and the text of a constant's value.
fn value(written: &str) -> (ExprKind, String) {
    let source = format!("//- /lib.rs\n/* ä */ const X: T = {written};");
    let loaded = fixture::graph(&source);
    assert_eq!(findings(&loaded), Vec::<String>::new(), "{written}");
    let root = loaded.graph.module(module(&loaded.graph, "demo")).unwrap();
    let Some(ValueEntry::Const(def)) = root.content.get().unwrap().values.get("X") else {
        panic!("no constant");
    };
    (def.value.kind.clone(), text(&loaded, def.value.span))
}

#[test]
fn places_of_expressions() {
    for written in [
        "1",
        "-1.5",
        "\"ä\"",
        "a::b::<C>",
        "::a",
        "<A as B>::C",
        "<A>::D",
        "!x",
        "1 + 2 << 3",
        "f(1, 2)",
        "x.f::<T>(1).g()",
        "x.0.y",
        "a::B { c: 1, d, ..e }",
        "[1, 2]",
        "(1, 2)",
        "(1)",
        "&mut x",
        "x as Vec<u8>",
        "{ let a = 1; a }",
        "const { 1 }",
        "m!(a [b])",
        "m! { a }",
        "|a, b| a",
        "move |a| { a }",
        "if a { b } else { c }",
        "a?",
    ] {
        let (kind, place) = value(written);
        assert!(!matches!(kind, ExprKind::Other(_)), "{written}");
        // A closure's `move` and a block's `const` are not part of the value.
        let expected = written
            .trim_start_matches("move ")
            .trim_start_matches("const ");
        assert_eq!(place, expected);
    }
    let (kind, place) = value("unsafe { a }");
    assert!(matches!(kind, ExprKind::Other(_)), "{kind:?}");
    assert_eq!(place, "unsafe { a }");
}

#[test]
fn literals() {
    for (written, expected) in [
        ("1_000u64", Lit::Int("1000".into(), Some("u64".into()))),
        ("0xff", Lit::Int("255".into(), None)),
        ("b'a'", Lit::Int("97".into(), Some("u8".into()))),
        ("1f64", Lit::Float("1".into(), Some("f64".into()))),
        ("1_0.5e3", Lit::Float("10.5e3".into(), None)),
        ("r#\"a\"b\"#", Lit::Str("a\"b".into())),
        ("\"a\\\n   b\\u{e4}\"", Lit::Str("abä".into())),
        ("b\"a\\xff\"", Lit::Bytes([b'a', 0xff].as_slice().into())),
        ("'\\''", Lit::Char('\'')),
        ("true", Lit::Bool(true)),
    ] {
        assert_eq!(value(written).0, ExprKind::Lit(expected), "{written}");
    }
}

#[test]
fn statements_and_macros() {
    let (kind, _) = value(
        "{ let mut a: T = f(); a.g(); m!(1); let (b, c) = d; #[cfg(x)] a.h(); m!(r#type, -1.5, 'x') }",
    );
    let ExprKind::Block(stmts, Some(tail)) = kind else {
        panic!("no block");
    };
    let shape: Vec<&str> = stmts
        .iter()
        .map(|stmt| match stmt {
            Stmt::Let(..) => "let",
            Stmt::Const(..) => "const",
            Stmt::Expr(expr) if matches!(expr.kind, ExprKind::Other(_)) => "other",
            Stmt::Expr(_) => "expr",
            Stmt::Other(..) => "other",
        })
        .collect();
    assert_eq!(shape, ["let", "expr", "expr", "other", "other"]);
    let ExprKind::Macro(path, tokens) = tail.kind else {
        panic!("no macro");
    };
    assert_eq!(path.to_string(), "m");
    assert!(matches!(&tokens[0], Token::Ident(name, _) if &**name == "type"));
    assert!(matches!(&tokens[2], Token::Punct('-', false, _)));
    assert!(matches!(&tokens[3], Token::Lit(Lit::Float(digits, _), _) if &**digits == "1.5"));
    assert!(matches!(&tokens[5], Token::Lit(Lit::Char('x'), _)));
}

#[test]
fn places_of_types() {
    for (written, other) in [
        ("Vec<Option<u8>>", false),
        ("&'static str", false),
        ("[u8; 3]", false),
        ("[T]", false),
        ("()", false),
        ("(A, B)", false),
        ("(A)", false),
        ("<A as B>::C", false),
        ("a::B<'x, C, D = E>", false),
        ("fn(A) -> B", true),
        ("dyn A + B", true),
        ("*const A", true),
        ("m!(a)", false),
        ("!", true),
    ] {
        let loaded = fixture::graph(&format!("//- /lib.rs\n/* ä */ type X = {written};"));
        let root = loaded.graph.module(module(&loaded.graph, "demo")).unwrap();
        let Some(TypeEntry::Alias(def)) = root.content.get().unwrap().types.get("X") else {
            panic!("no alias");
        };
        assert_eq!(text(&loaded, def.ty.span), written);
        assert_eq!(matches!(def.ty.kind, TyKind::Other(_)), other, "{written}");
    }
}
