//! Errors have messages of our own, with their place.

use super::documents;

#[test]
fn what_is_refused_is_said_with_its_place() {
    for (text, message) in [
        (
            "a:\n  b: 1\n  \"b\": 2\n",
            "line 3, column 3: the key `b` is given twice, first at line 2, column 3; kubectl silently takes the last one, remove one of them",
        ),
        (
            "1: a\n0x1: b\n",
            "line 2, column 1: the key `1` is given twice, first at line 1, column 1; kubectl silently takes the last one, remove one of them",
        ),
        (
            "a: .inf\n",
            "line 1, column 4: infinity and NaN are not values of JSON",
        ),
        (
            "~: a\n",
            "line 1, column 1: a key must not be null; write it in quotes",
        ),
        (
            "- !!int x\n",
            "line 1, column 9: `x` does not have the type of its tag `!!int`",
        ),
        (
            "é: \"a\\/b\"\n",
            "line 1, column 6: YAML has no escape `\\/`; write `/`",
        ),
        (
            "a: \"\\\\/\\ud83d\\ude00\"\n",
            "line 1, column 8: a character above U+FFFF needs one escape of eight digits, as \"\\U0001f600\"",
        ),
        (
            "%YAML 1.2\n---\na: 1\n",
            "line 1, column 1: kubectl rejects lines that begin with `%`; remove the line",
        ),
        (
            "--- a: 1\n",
            "line 1, column 1: kubectl rejects anything except a comment after `---`; write it on the next line",
        ),
        (
            "a: 1\n...\nb: 2\n",
            "line 3, column 1: kubectl ignores this document; begin it with a line `---`",
        ),
        (
            "a: b\u{2028}c\n",
            "line 1, column 5: the character U+2028 is not allowed unescaped in YAML; write \"\\u2028\" in double quotes",
        ),
        (
            "<<: 1\n",
            "line 1, column 5: `<<` takes a mapping or a list of mappings",
        ),
        (
            "a: &a\n  b: *a\n",
            "line 2, column 6: the alias refers to a node that contains it",
        ),
        (
            "a: [b, ?c]\n",
            "line 1, column 8: kubectl reads this differently inside brackets and braces; write it in quotes",
        ),
        (
            "a: [b, !!str]\n",
            "line 1, column 8: kubectl reads this differently inside brackets and braces; write it in quotes",
        ),
        (
            "- \ta: b\n",
            "line 1, column 4: tabs are not allowed before this; write spaces",
        ),
        (
            "? [a]\n: b\n",
            "line 1, column 3: a key must be a scalar, not a list or a mapping",
        ),
    ] {
        assert_eq!(documents(text), Err(message.to_owned()), "{text}");
    }
}

#[test]
fn hostile_texts_end_in_errors() {
    let mut aliases = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..20 {
        let below = level - 1;
        aliases += &format!("a{level}: &a{level} [*a{below}, *a{below}, *a{below}, *a{below}]\n");
    }
    let told = documents(&aliases).unwrap_err();
    assert!(told.ends_with("aliases repeat too much"), "{told}");
    let told = documents(&"[".repeat(10_000)).unwrap_err();
    assert!(told.ends_with("more than 256 levels"), "{told}");
    let mut chain = "- &a0 x\n".to_owned();
    for level in 1..1000 {
        chain += &format!("- &a{level} [*a{}]\n", level - 1);
    }
    let told = documents(&chain).unwrap_err();
    assert!(told.ends_with("more than 256 levels"), "{told}");
    let long = format!(
        "a: &a {}\nb: [{}]\n",
        "x".repeat(1 << 20),
        "*a, ".repeat(300)
    );
    let told = documents(&long).unwrap_err();
    assert!(told.ends_with("repeat too much text"), "{told}");
}
