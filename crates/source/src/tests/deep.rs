//! Hostile nesting.

use super::findings;
use crate::fixture;

/// Loads one file on a thread with a small stack, and returns the diagnostics.
fn check(text: String) -> Vec<String> {
    let run = move || findings(&fixture::graph(&format!("//- /lib.rs\n{text}\n")));
    let thread = std::thread::Builder::new().stack_size(2 << 20);
    thread.spawn(run).unwrap().join().unwrap()
}

#[test]
fn twenty_thousand_of_everything() {
    const N: usize = 20_000;
    let deep = ["nesting-too-deep: this is nested too deeply"];
    for (open, close) in [
        ("(", ")"),
        ("[", "]"),
        ("{", "}"),
        ("m!(", ")"),
        ("f(", ")"),
    ] {
        let text = format!("const X: u8 = {}1{};", open.repeat(N), close.repeat(N));
        assert_eq!(check(text), deep, "{open}");
    }
    for (open, middle, close) in [("[", "u8", "]"), ("(", "u8", ",)"), ("fn(", "", ")")] {
        let text = format!("type X = {}{middle}{};", open.repeat(N), close.repeat(N));
        assert_eq!(check(text), deep, "{open}");
    }
    let modules = format!("{}{}", "mod a {".repeat(N), "}".repeat(N));
    assert_eq!(check(modules), deep);
    for (before, part, middle, after) in [
        ("const X: u8 = ", "-", "1", ";"),
        ("const X: u8 = ", "!", "1", ";"),
        ("const X: u8 = ", "*", "x", ";"),
        ("const X: u8 = ", "&", "x", ";"),
        ("const X: u8 = ", "&mut ", "x", ";"),
        ("const X: u8 = ", "1 + ", "1", ";"),
        ("const X: u8 = ", "1 * 2 + ", "1", ";"),
        ("const X: u8 = ", "a = ", "1", ";"),
        ("const X: u8 = x", ".b()", "", ";"),
        ("const X: u8 = x", ".b", "", ";"),
        ("const X: u8 = x", "?", "", ";"),
        ("const X: u8 = x", "()", "", ";"),
        ("const X: u8 = x", "[0]", "", ";"),
        ("const X: u8 = x", " as u8", "", ";"),
        ("const X: u8 = ", "|a, b| ", "1", ";"),
        ("const X: u8 = ", "return ", "1", ";"),
        ("const X: u8 = ", "if a {} else ", "{}", ";"),
        ("const X: u8 = ", "match a {} + ", "1", ";"),
        ("const X: u8 = x", ".await", "", ";"),
        ("fn f() -> u8 { ", "if a {} else ", "{}", " }"),
        ("fn f() -> u8 { let ", "&", "x", " = 1; 1 }"),
        ("fn f() -> u8 { let ", "a | ", "a", " = 1; 1 }"),
        ("fn f() -> u8 { let ", "a @ ", "a", " = 1; 1 }"),
        ("type X = ", "&", "u8", ";"),
        ("type X = ", "&'a ", "u8", ";"),
        ("type X = ", "*const ", "u8", ";"),
        ("type X = ", "fn() -> ", "u8", ";"),
        ("type X = ", "A<", "u8", ";"),
        ("type X = ", "<", "u8", ";"),
        ("type X = ", "impl A + ", "B", ";"),
        ("use ", "a::", "b", ";"),
        ("", "#[a] ", "struct S;", ""),
        ("", "#[cfg(a)] ", "fn f() {}", ""),
        ("", "#[cfg_attr(unix, b)] ", "struct S;", ""),
        ("impl ", "a::", "b", " {}"),
    ] {
        let text = format!("{before}{}{middle}{after}", part.repeat(N));
        // Some are not valid Rust; none may overflow the stack.
        let _ = check(text);
    }
    let closed = [
        ("type X = ", "A<", "u8", ">", ";"),
        ("type X = ", "A<u8, ", "u8", ">", ";"),
        ("type X = ", "<", "u8", " as T>::N", ";"),
        ("const X: u8 = ", "f::<A<", "u8", ">>()", ";"),
    ];
    for (before, open, middle, close, after) in closed {
        let text = format!(
            "{before}{}{middle}{}{after}",
            open.repeat(N),
            close.repeat(N)
        );
        let _ = check(text);
    }
}
