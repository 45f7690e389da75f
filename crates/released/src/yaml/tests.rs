//! Errors have messages of our own, with their place.

use serde_json::{Value, json};

fn documents(text: &str) -> Result<Vec<Value>, String> {
    let mut all = Vec::new();
    super::each(text, &mut |document| all.push(document))?;
    Ok(all)
}

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
            "a: 1\n---# b\n",
            "line 2, column 1: YAML needs a space before a comment; write `--- #`",
        ),
        (
            "a: 1\n...\nb: 2\n",
            "line 3, column 1: kubectl ignores this document; begin it with a line `---`",
        ),
        (
            "a: |\n  b\u{2028}  c\n",
            "line 2, column 3: the character U+2028 is not allowed unescaped in YAML; write \"\\u2028\" in double quotes",
        ),
        (
            "a: 1\n\u{feff}b: 2\n",
            "line 2, column 1: the character U+FEFF is not allowed unescaped in YAML; write \"\\ufeff\" in double quotes",
        ),
        (
            "a: \"b\n  c\n",
            "line 1, column 4: this quote is not closed; write `\"` at the end of its text",
        ),
        (
            "a: \"b\nc: d\n",
            "line 1, column 4: this quote is not closed; write `\"` at the end of its text",
        ),
        (
            "a: 'b\nc: 'd'\ne: f\n",
            "line 1, column 4: this quote is not closed; write `'` at the end of its text",
        ),
        (
            "# it's\n- a: x # 'y\n  b: \"it's\n    'c'\n  d: \"e\"\n",
            "line 3, column 6: this quote is not closed; write `\"` at the end of its text",
        ),
        (
            "a: \"b\n---\nc: \"d\"\n",
            "line 1, column 4: this quote is not closed; write `\"` at the end of its text",
        ),
        // kubectl splits a text before it looks at quotes.
        (
            "a: \"b\n--- c\"\n",
            "line 2, column 1: kubectl rejects anything except a comment after `---`; write it on the next line",
        ),
        (
            "a: \"b\n  c: \"d\"\n",
            "line 1, column 4: this quote is closed by the next one, behind which more text follows; write `\"` at the end of its text",
        ),
        (
            "a: [\"b, \"c\"]\n",
            "line 1, column 10: invalid trailing content after double-quoted scalar",
        ),
        (
            "a: \"b",
            "line 1, column 4: this quote is not closed; write `\"` at the end of its text",
        ),
        (
            "a:\n  b: \"c\n d\"\n  e: f\n  e: g\n",
            "line 5, column 3: the key `e` is given twice, first at line 4, column 3; kubectl silently takes the last one, remove one of them",
        ),
        (
            "a:\n  b: \"c\n d\"\n  e: [\n",
            "line 4, column 6: unclosed bracket '['",
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

/// kubectl takes any indentation of the lines of quoted text, and the ends of lines of YAML 1.1.
#[test]
fn lines_of_quoted_text_are_joined_as_by_kubectl() {
    for (text, expected) in [
        ("a: \"x\ny\"\n", json!({"a": "x y"})),
        ("a:\n  b: 'x\n y'\n", json!({"a": {"b": "x y"}})),
        (
            "a:\n- b: \"x\n\n\ny\"\n  c: 1\n",
            json!({"a": [{"b": "x\n\ny", "c": 1}]}),
        ),
        ("a:\n  b: \"x\n\ty\"\n", json!({"a": {"b": "x y"}})),
        ("a: 'x\n# y'\n", json!({"a": "x # y"})),
        ("a: 'x\n...'\n", json!({"a": "x ..."})),
        ("a:\n  b: \"x\\\n\n y\"\n", json!({"a": {"b": "x\ny"}})),
        // What looks like quoted text in other scalars and comments is left alone.
        (
            "a: it's\n  \"b\n  c\" d\ne: |\n  f: \"g\n  h\"\n# \"i\nj:\n  k: \"l\n m\"\n",
            json!({"a": "it's \"b c\" d", "e": "f: \"g\nh\"\n", "j": {"k": "l m"}}),
        ),
        ("a: x \u{85} y\n", json!({"a": "x y"})),
        ("a: 1\u{85}b: \"x\u{85}y\"\n", json!({"a": 1, "b": "x y"})),
        ("a: \"x \u{2028} y\"\n", json!({"a": "x\u{2028}y"})),
        ("a: x\u{2028} y\n", json!({"a": "x\u{2028}y"})),
        ("a: x\u{feff}y\n", json!({"a": "x\u{feff}y"})),
    ] {
        assert_eq!(documents(text), Ok(vec![expected]), "{text:?}");
    }
}

/// A text is read a fixed number of times, whatever is in it.
#[test]
fn many_quoted_texts_take_linear_time() {
    let text = |number| "a: {b: 1}\nc:\n- \"d\ne\"\n---\n".repeat(number);
    assert_eq!(documents(&text(20_000)).map(|all| all.len()), Ok(20_001));
    let prose = "- it is 'so\n  \"and\n  so\" it's\n";
    let text = format!("{}- \"x\ny\"\n", prose.repeat(20_000));
    assert_eq!(documents(&text).map(|all| all.len()), Ok(1));
}
