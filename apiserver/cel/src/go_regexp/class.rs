//! Classes of characters: brackets, `\d` and `\p{..}`.

use super::escape::{character, range};
use super::reader::Reader;
use super::unicode;

/// Go's names for them; ASCII only.
const POSIX: [(&str, &str); 14] = [
    ("alnum", "0-9A-Za-z"),
    ("alpha", "A-Za-z"),
    ("ascii", "\\x00-\\x7F"),
    ("blank", "\\t "),
    ("cntrl", "\\x00-\\x1F\\x7F"),
    ("digit", "0-9"),
    ("graph", "!-~"),
    ("lower", "a-z"),
    ("print", " -~"),
    ("punct", "!-/:-@\\[-`{-~"),
    ("space", "\\t\\n\\x0B\\x0C\\r "),
    ("upper", "A-Z"),
    ("word", "0-9A-Za-z_"),
    ("xdigit", "0-9A-Fa-f"),
];

/// A class in brackets.
pub(super) fn read_class(reader: &mut Reader<'_>) -> Result<String, String> {
    reader.take("[");
    let mut out = "[".to_owned();
    if reader.take("^") {
        out.push('^');
    }
    let mut first = true;
    while first || reader.peek() != Some(']') {
        first = false;
        if let Some(posix) = posix(reader)? {
            out.push_str(&posix);
        } else if let Some(class) = escaped(reader)? {
            out.push_str(&class);
        } else {
            let low = single(reader)?;
            let high =
                if reader.remaining().starts_with('-') && !reader.remaining().starts_with("-]") {
                    reader.take("-");
                    single(reader)?
                } else {
                    low
                };
            if high < low {
                return Err("a range of characters ends before it begins".to_owned());
            }
            out.push_str(&range(low, high));
        }
    }
    reader.take("]");
    out.push(']');
    Ok(out)
}

fn single(reader: &mut Reader<'_>) -> Result<u32, String> {
    match reader.peek() {
        None => Err("`[` has no `]`".to_owned()),
        Some('\\') => character(reader),
        Some(c) => {
            reader.next();
            Ok(c.into())
        }
    }
}

/// `[:name:]`, if it comes next.
fn posix(reader: &mut Reader<'_>) -> Result<Option<String>, String> {
    let Some((name, _)) = reader
        .remaining()
        .strip_prefix("[:")
        .and_then(|rest| rest.split_once(":]"))
    else {
        return Ok(None);
    };
    let (negated, known) = match name.strip_prefix('^') {
        Some(known) => (true, known),
        None => (false, name),
    };
    let class = POSIX.iter().find(|(class, _)| *class == known);
    let (_, members) = class.ok_or_else(|| format!("`[:{name}:]` is not a class"))?;
    reader.take("[:");
    reader.take(name);
    reader.take(":]");
    Ok(Some(in_brackets(members, negated)))
}

fn in_brackets(members: &str, negated: bool) -> String {
    format!("[{}{members}]", if negated { "^" } else { "" })
}

/// `\d` and the like, or `\p{..}`, if one comes next.
pub(super) fn escaped(reader: &mut Reader<'_>) -> Result<Option<String>, String> {
    for (escape, members, negated) in [
        ("\\d", "0-9", false),
        ("\\D", "0-9", true),
        ("\\s", "\\t\\n\\x0C\\r ", false),
        ("\\S", "\\t\\n\\x0C\\r ", true),
        ("\\w", "0-9A-Za-z_", false),
        ("\\W", "0-9A-Za-z_", true),
    ] {
        if reader.take(escape) {
            return Ok(Some(in_brackets(members, negated)));
        }
    }
    let mut negated = if reader.take("\\p") {
        false
    } else if reader.take("\\P") {
        true
    } else {
        return Ok(None);
    };
    let letter: String;
    let mut name = if reader.take("{") {
        reader.until('}').ok_or("`\\p{` has no `}`")?
    } else {
        letter = reader.next().into_iter().collect();
        &letter
    };
    if let Some(rest) = name.strip_prefix('^') {
        negated = !negated;
        name = rest;
    }
    unicode::class(name, negated)
        .map(Some)
        .ok_or_else(|| format!("`{name}` is not a class of Unicode"))
}
