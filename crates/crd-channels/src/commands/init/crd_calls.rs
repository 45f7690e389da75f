//! Finds the types whose CRDs a project requests: `Route::crd()`, directly or through a macro or a generic function.

use std::collections::BTreeSet;
use std::ops::Range;

/// A definition that requests the CRD of its argument.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum Asks<'t> {
    /// `name!(Route)`
    Macro(&'t str),
    /// `name::<Route>()`
    Function(&'t str),
}

/// Returns the names of the types in `known` whose CRDs these texts request. `None` if the type of a call cannot be determined.
pub(super) fn kinds<'k>(texts: &[String], known: &BTreeSet<&'k str>) -> Option<BTreeSet<&'k str>> {
    let mut found = BTreeSet::new();
    let mut asking: Vec<Asks<'_>> = Vec::new();
    for text in texts {
        let macros = macros(text);
        for (at, name) in calls(text) {
            if let Some(name) = known.get::<str>(name) {
                found.insert(*name);
            } else if name.starts_with('$') {
                asking.push(Asks::Macro(around(&macros, at)?));
            } else {
                asking.push(Asks::Function(generic(text, at, name)?));
            }
        }
    }
    // A definition found on the way is followed as well.
    let mut next = 0;
    while let Some(of) = asking.get(next).copied() {
        next += 1;
        if asking.iter().take(next - 1).any(|before| *before == of) {
            continue;
        }
        let mut used = false;
        for text in texts {
            let macros = macros(text);
            for (at, given) in uses(text, of) {
                let names: Vec<&str> = paths(given).collect();
                let kinds: Vec<&str> = names
                    .iter()
                    .filter_map(|name| known.get::<str>(name).copied())
                    .collect();
                found.extend(kinds.iter().copied());
                let by_itself = || of == Asks::Macro(around(&macros, at).unwrap_or_default());
                used |= !kinds.is_empty() || !by_itself();
                if !kinds.is_empty() {
                    continue;
                }
                let through = names.iter().any(|name| name.starts_with('$'));
                match names.first().filter(|_| !through) {
                    None => {
                        let by = Asks::Macro(around(&macros, at)?);
                        // A macro that calls itself passes its own argument on.
                        if by != of {
                            asking.push(by);
                        }
                    }
                    Some(name) => asking.push(Asks::Function(generic(text, at, name)?)),
                }
            }
        }
        if !used {
            return None;
        }
    }
    Some(found)
}

/// Returns the calls of `crd()` in a text: their offsets and the last name of each type's path. For `<path::Route as
/// CustomResourceExt>::crd()` it is `Route`.
fn calls(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    for (at, call) in text.match_indices("::crd(") {
        let before = text.get(..at).unwrap_or_default().trim_end();
        let last = text.get(at + call.len()..).unwrap_or_default().trim_start();
        if !last.starts_with(')') {
            continue;
        }
        let ty = match before.strip_suffix('>') {
            Some(inside) => {
                let start = inside.rfind('<').map_or(0, |start| start + 1);
                let inside = inside.get(start..).unwrap_or_default();
                inside.split_once(" as ").map_or(inside, |(ty, _)| ty)
            }
            None => before,
        };
        let name = ty.trim_end().rsplit(|c| !in_name(c)).next();
        // Modules may have functions named `crd`, too.
        let name = name.filter(|name| !name.chars().next().is_some_and(char::is_lowercase));
        found.extend(name.map(|name| (at, name)));
    }
    found
}

fn in_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

/// Returns the macros that a text defines, with the ranges of their rules.
fn macros(text: &str) -> Vec<(&str, Range<usize>)> {
    let defined = text.match_indices("macro_rules!");
    let defined = defined.filter_map(|(at, word)| {
        let start = at + word.len();
        let rest = text.get(start..)?;
        let name = rest.trim_start().split(|c| !in_name(c)).next()?;
        let (rules, _) = group(text, start + rest.find(['{', '(', '['])?)?;
        Some((name, rules))
    });
    defined.collect()
}

/// Returns the macro whose rules contain an offset.
fn around<'t>(macros: &[(&'t str, Range<usize>)], at: usize) -> Option<&'t str> {
    let found = macros.iter().find(|(_, rules)| rules.contains(&at));
    found.map(|(name, _)| *name)
}

/// Returns the function around an offset if it has a type parameter named `param`.
fn generic<'t>(text: &'t str, at: usize, param: &str) -> Option<&'t str> {
    let before = text.get(..at)?;
    let start = before.rfind("fn ")? + "fn ".len();
    let rest = text.get(start..)?;
    let name = rest.split(|c| !in_name(c)).next()?;
    let generics = rest.get(name.len()..)?.strip_prefix('<')?;
    let generics = generics.get(..generics.find('(')?)?;
    let mut params = generics.split(',');
    let is_it = |one: &str| {
        one.split([':', '>'])
            .next()
            .is_some_and(|one| one.trim() == param)
    };
    params.any(is_it).then_some(name)
}

/// Returns the arguments of a definition wherever it is used.
fn uses<'t>(text: &'t str, of: Asks<'t>) -> Vec<(usize, &'t str)> {
    let (name, sign) = match of {
        Asks::Macro(name) => (name, "!"),
        Asks::Function(name) => (name, "::"),
    };
    let found = text.match_indices(name).filter_map(|(at, _)| {
        if text.get(..at)?.ends_with(in_name) {
            return None;
        }
        let start = at + name.len() + sign.len();
        let rest = text
            .get(at + name.len()..)?
            .strip_prefix(sign)?
            .trim_start();
        let skipped = text.get(start..)?.len() - rest.len();
        let (inside, _) = group(text, start + skipped)?;
        Some((at, text.get(inside)?))
    });
    found.collect()
}

/// Returns the last names of all paths in a text that could be types.
fn paths(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !in_name(c) && c != ':');
    let last = words.filter_map(|word| word.trim_end_matches(':').rsplit("::").next());
    last.filter(|name| name.starts_with(|c: char| c.is_uppercase() || c == '$'))
}

/// Returns the range between a bracket and its counterpart, and the offset behind it.
fn group(text: &str, open: usize) -> Option<(Range<usize>, usize)> {
    let opening = text.get(open..)?.chars().next()?;
    let closing = match opening {
        '(' => ')',
        '[' => ']',
        '{' => '}',
        '<' => '>',
        _ => return None,
    };
    let mut depth = 0_usize;
    for (at, c) in text.get(open..)?.char_indices() {
        if c == opening {
            depth += 1;
        } else if c == closing {
            depth = depth.checked_sub(1)?;
            if depth == 0 {
                return Some((open + 1..open + at, open + at));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{calls, kinds};
    use std::collections::BTreeSet;

    #[test]
    fn calls_say_whose_crd_is_meant() {
        for (text, expected) in [
            ("Route::crd()", &["Route"][..]),
            (
                "let a = api::v1::Route::crd();\n[ Gateway ::crd( ) ]",
                &["Route", "Gateway"],
            ),
            ("<api::Route as kube::CustomResourceExt>::crd()", &["Route"]),
            ("<Route>::crd()", &["Route"]),
            ("$kind::crd() K::crd()", &["$kind", "K"]),
            ("use crate::crd::Route; api::crd(); Route::crd(1)", &[]),
        ] {
            let names: Vec<&str> = calls(text).into_iter().map(|(_, name)| name).collect();
            assert_eq!(names, expected, "{text}");
        }
    }

    #[test]
    fn calls_are_found_through_macros_and_generic_functions() {
        const MACRO: &str = "macro_rules! write_crd {\n ($t:ty) => {{ write_crd!($t, \"\") }};\n ($t:ty, $c:literal) => {{ out(&<$t>::crd()) }};\n}\n";
        const GENERIC: &str = "fn print<W: Write, K: CustomResourceExt>(w: W) { out(K::crd()) }\n";
        let known = BTreeSet::from(["Route", "Gateway", "Fleet"]);
        for (texts, expected) in [
            (
                vec![
                    MACRO,
                    "write_crd!(api::v1::Route); fn f() { write_crd! [ Gateway, \"x\" ] }",
                ],
                Some(&["Gateway", "Route"][..]),
            ),
            (
                vec![
                    MACRO,
                    "write_crd!(Route);\nmacro_rules! all { ($($t:ty),*) => { $(write_crd!($t);)* } }\nall!(Gateway, a::Fleet);",
                ],
                Some(&["Fleet", "Gateway", "Route"]),
            ),
            (
                vec![
                    GENERIC,
                    "print::<_, Route>(w); print::<Vec<u8>, a::Gateway>(w)",
                ],
                Some(&["Gateway", "Route"]),
            ),
            (vec![GENERIC, "fn two<T: Ext>() { print::<W, T>(w) }"], None),
            (vec![MACRO, "write_crd!(Other)"], None),
            (vec![MACRO], None),
            (vec!["K::crd()"], None),
            (vec!["Route::crd()"], Some(&["Route"])),
        ] {
            let texts: Vec<String> = texts.into_iter().map(str::to_owned).collect();
            let found = kinds(&texts, &known);
            let expected = expected.map(|names| names.iter().copied().collect());
            assert_eq!(found, expected, "{texts:?}");
        }
    }
}
