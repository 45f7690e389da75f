//! Property names as CEL expressions write them.

/// Words that are not names in CEL.
const WORDS: [&str; 21] = [
    "as",
    "break",
    "const",
    "continue",
    "else",
    "false",
    "for",
    "function",
    "if",
    "import",
    "in",
    "let",
    "loop",
    "namespace",
    "null",
    "package",
    "return",
    "true",
    "var",
    "void",
    "while",
];

const CHARACTERS: [(&str, &str); 4] = [
    ("__", "__underscores__"),
    (".", "__dot__"),
    ("-", "__dash__"),
    ("/", "__slash__"),
];

/// The name behind `self.`; none for a name that no expression can read.
#[must_use]
pub fn escaped(name: &str) -> Option<String> {
    if WORDS.contains(&name) {
        return Some(format!("__{name}__"));
    }
    let allowed = |c: char| c.is_ascii_alphanumeric() || "_.-/".contains(c);
    if name.is_empty()
        || name.starts_with(|c: char| c.is_ascii_digit())
        || !name.chars().all(allowed)
    {
        return None;
    }
    let mut found = String::with_capacity(name.len());
    let mut left = name;
    while let Some(first) = left.chars().next() {
        let special = CHARACTERS
            .into_iter()
            .find_map(|(character, escape)| Some((left.strip_prefix(character)?, escape)));
        left = match special {
            Some((rest, escape)) => {
                found.push_str(escape);
                rest
            }
            None => {
                found.push(first);
                left.get(first.len_utf8()..).unwrap_or_default()
            }
        };
    }
    Some(found)
}
