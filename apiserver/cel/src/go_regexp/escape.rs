//! Escapes.

use super::class;
use super::reader::Reader;

/// An escape outside of brackets. Returns where what can be repeated of it begins in the translation; `None` if it is empty.
pub(super) fn outside(reader: &mut Reader<'_>, out: &mut String) -> Result<Option<usize>, String> {
    let start = out.len();
    if reader.take("\\Q") {
        let text = reader.remaining();
        let literal = match text.split_once("\\E") {
            Some((literal, _)) => literal,
            None => text,
        };
        reader.take(literal);
        reader.take("\\E");
        let Some((place, _)) = literal.char_indices().next_back() else {
            return Ok(None);
        };
        let (before, last) = literal.split_at(place);
        out.push_str(&regex::escape(before));
        let start = out.len();
        out.push_str(&regex::escape(last));
        return Ok(Some(start));
    }
    for (escape, written) in [
        ("\\A", "\\A"),
        ("\\z", "\\z"),
        ("\\b", "(?-u:\\b)"),
        ("\\B", "(?-u:\\B)"),
    ] {
        if reader.take(escape) {
            out.push_str(written);
            return Ok(Some(start));
        }
    }
    if let Some(class) = class::escaped(reader)? {
        out.push_str(&class);
    } else {
        let c = character(reader)?;
        out.push_str(&format!("[{}]", range(c, c)));
    }
    Ok(Some(start))
}

/// A range of characters inside of brackets. Surrogates are left out, since texts never contain them.
pub(super) fn range(low: u32, high: u32) -> String {
    let is_surrogate = |c: u32| (0xd800..0xe000).contains(&c);
    let low = if is_surrogate(low) { 0xe000 } else { low };
    let high = if is_surrogate(high) { 0xd7ff } else { high };
    if high < low {
        "[^\\x{0}-\\x{10ffff}]".to_owned()
    } else {
        format!("\\x{{{low:x}}}-\\x{{{high:x}}}")
    }
}

/// An escaped character.
pub(super) fn character(reader: &mut Reader<'_>) -> Result<u32, String> {
    reader.take("\\");
    let c = reader.next().ok_or("the pattern ends in a backslash")?;
    let octal = |c: Option<char>| c.and_then(|c| c.to_digit(8));
    let control = |c: char| Ok(u32::from(c));
    match c {
        '1'..='7' if octal(reader.peek()).is_none() => Err(format!(
            "`\\{c}` is a backreference, which is not supported"
        )),
        '0'..='7' => {
            let mut value = octal(Some(c)).unwrap_or_default();
            for _ in 0..2 {
                let Some(digit) = octal(reader.peek()) else {
                    break;
                };
                reader.next();
                value = value * 8 + digit;
            }
            Ok(value)
        }
        'x' => hex(reader),
        'a' => control('\u{7}'),
        'f' => control('\u{c}'),
        'n' => control('\n'),
        'r' => control('\r'),
        't' => control('\t'),
        'v' => control('\u{b}'),
        c if c.is_ascii() && !c.is_ascii_alphanumeric() => control(c),
        c => Err(format!("`\\{c}` is not an escape sequence")),
    }
}

fn hex(reader: &mut Reader<'_>) -> Result<u32, String> {
    let bad = || "`\\x` needs two digits, or digits in braces".to_owned();
    let digits = if reader.take("{") {
        reader.until('}').ok_or_else(bad)?.to_owned()
    } else {
        let pair = [reader.next(), reader.next()];
        let pair: String = pair.into_iter().flatten().collect();
        Some(pair).filter(|pair| pair.len() == 2).ok_or_else(bad)?
    };
    let plain = digits.bytes().all(|c| c.is_ascii_hexdigit());
    let value = u32::from_str_radix(&digits, 16).ok().filter(|_| plain);
    value
        .filter(|value| *value <= u32::from(char::MAX))
        .ok_or_else(bad)
}
