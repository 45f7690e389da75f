//! Patterns that Go accepts, with their matches, and patterns that it rejects.

#![allow(clippy::unwrap_used, reason = "tests")]

use super::{check, compile};

#[test]
fn what_go_takes_matches_as_in_go() {
    for (pattern, matching, other) in [
        ("^a{2,3}$", "aa", "a"),
        ("^a{,2}$", "a{,2}", "aa"),
        ("^{a}$", "{a}", "a"),
        ("^a{02}$", "a{02}", "aa"),
        ("^[]a]$", "]", "b"),
        ("^[[a]$", "[", "b"),
        ("^[a&&b]$", "&", "c"),
        ("^[[:alpha:]-]+$", "a-", "1"),
        ("^[[:^digit:]]$", "a", "1"),
        (r"^\d\w\s$", "1_ ", "١_ "),
        (r"^\Qa.b\E+$", "a.bb", "axb"),
        (r"^\x{41}\x42\103$", "ABC", "abc"),
        (r"^\pL\p{Greek}\P{Nd}\p{^Lu}$", "aαaa", "1αaa"),
        (r"^(?i:a)(?-i)b$", "Ab", "AB"),
        (r"^(?P<x>a)(?<y>b)$", "ab", "a"),
        (r"^(?P<x>a)(?P<x>b)$", "ab", "a"),
        (r"^\_\-\/$", "_-/", "a"),
        ("^a(?i)+b$", "aaB", "AAb"),
        ("^(?:ab)(?i)+(?s){2}.$", "abab\n", "ABab."),
        (r"^x\Qab\E(?i)*$", "xabb", "xabab"),
        ("^(a(?i)+(?)?)b$", "b", "Ab"),
        (r"\ba\b", "x a y", "xay"),
        (r"^(a|b)*?\z", "abab", "abc"),
        ("^é+$", "éé", "e"),
        ("", "", "\u{0}"),
        ("^(?:)$", "", "a"),
        ("^((a{10}){10}){10}$", &"a".repeat(1000), "a"),
    ] {
        let compiled = compile(pattern).ok_or_else(|| format!("{pattern}: {:?}", check(pattern)));
        let compiled = compiled.unwrap();
        assert!(compiled.is_match(matching), "{pattern} {matching}");
        let anything = pattern.is_empty();
        assert_eq!(compiled.is_match(other), anything, "{pattern} {other}");
    }
}

#[test]
fn what_go_refuses_is_refused() {
    for pattern in [
        "(",
        ")",
        "[",
        "[a",
        "a**",
        "a+*",
        "a{2}{3}",
        "(?i)+",
        "a|(?i)*",
        "a((?i)+)",
        "a(?i)**",
        "a{100}(?i){100}",
        "*a",
        "(*a)",
        "|*",
        "a|*",
        "(?=a)",
        "(?!a)",
        "(?<=a)",
        "(?<!a)",
        "(?>a)",
        "(?P=a)",
        "(?#a)",
        "(?i",
        "(?-)",
        "(?--i)",
        "(?x)",
        r"\1",
        r"\8",
        r"\Z",
        r"\e",
        r"\C",
        r"\G",
        r"\K",
        r"\h",
        "\\",
        r"\p{Nope}",
        r"\pX",
        r"\p{",
        "[b-a]",
        "[[:nope:]]",
        r"[a-\d]",
        r"[\Q]",
        "a{1001}",
        "a{2,1}",
        "a{1,1001}",
        "(a{100}){100}",
        r"\x{110000}",
        r"\xg0",
        r"\x",
        "(?P<>b)",
        "(?P<a-b>c)",
        r"a{99999999999}",
    ] {
        assert!(check(pattern).is_err(), "{pattern}");
    }
}

#[test]
fn hostile_patterns_end() {
    assert!(check(&"(".repeat(100_000)).is_err());
    assert!(check(&"[".repeat(100_000)).is_err());
    assert!(check(&"(?:a".repeat(2000)).is_err());
    assert!(check(&"\\".repeat(99_999)).is_err());
}
