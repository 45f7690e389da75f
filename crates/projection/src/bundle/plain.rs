//! The YAML that programs write: blocks, plain and quoted scalars, literal text. Read many times as fast as the general
//! reader does it, and only where there is no doubt: everything else is left to that one, which is in `crates/released`. It
//! stands here, beside what writes, because this package is optimised and reading is most of what a comparison does.

use serde_json::{Map, Value};

/// How deep collections may be nested.
const DEEPEST: usize = 100;

/// The documents of a text as the general reader would give them; empty ones are left out. None where anything stands in it
/// that is not of the plain kind, an error included.
#[must_use]
pub fn documents(text: &str) -> Option<Vec<Value>> {
    let control = |byte: u8| (byte < b' ' && byte != b'\n') || byte == 0x7f;
    if text.bytes().any(control) || has_other_controls(text) {
        return None;
    }
    let lines = text.strip_suffix('\n')?;
    let mut reader = Reader::default();
    let mut found = Vec::new();
    for line in lines.split('\n') {
        if line == "---" {
            found.extend(reader.document()?);
        } else if line.starts_with("---") || line.starts_with("...") || line.starts_with('%') {
            return None;
        } else {
            reader.lines.push(Line::new(line));
        }
    }
    found.extend(reader.document()?);
    Some(found)
}

/// What some readers take for ends of lines, and byte order marks.
fn has_other_controls(text: &str) -> bool {
    let other = |c| {
        matches!(
            c,
            '\u{80}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}'
        )
    };
    !text.is_ascii() && text.contains(other)
}

#[derive(Clone, Copy)]
struct Line<'t> {
    /// The column where its content begins.
    indent: usize,
    whole: &'t str,
    /// Without the indentation.
    rest: &'t str,
}

impl<'t> Line<'t> {
    fn new(whole: &'t str) -> Self {
        let rest = whole.trim_start_matches(' ');
        Self {
            indent: whole.len() - rest.len(),
            whole,
            rest,
        }
    }

    fn is_comment(self) -> bool {
        self.rest.starts_with('#')
    }

    fn is_item(self) -> bool {
        self.rest.starts_with("- ")
    }
}

#[derive(Default)]
struct Reader<'t> {
    lines: Vec<Line<'t>>,
    at: usize,
}

impl<'t> Reader<'t> {
    /// The document whose lines were taken in; an empty one is nothing.
    fn document(&mut self) -> Option<Option<Value>> {
        self.at = 0;
        let value = match self.next() {
            Some(line) => Some(self.block(line.indent, 0)?),
            None => None,
        };
        if self.next().is_some() {
            return None;
        }
        self.lines.clear();
        Some(value)
    }

    /// The next line that says anything; it is not taken.
    fn next(&mut self) -> Option<Line<'t>> {
        while let Some(line) = self.lines.get(self.at) {
            if !line.rest.is_empty() && !line.is_comment() {
                return Some(*line);
            }
            self.at += 1;
        }
        None
    }

    /// The collection whose first line is the next one.
    fn block(&mut self, indent: usize, depth: usize) -> Option<Value> {
        if depth > DEEPEST {
            return None;
        }
        if self.next()?.is_item() {
            self.sequence(indent, depth)
        } else {
            self.mapping(indent, depth)
        }
    }

    fn mapping(&mut self, indent: usize, depth: usize) -> Option<Value> {
        let mut map = Map::new();
        while let Some(line) = self.next() {
            if line.indent < indent {
                break;
            }
            if line.indent > indent || line.is_item() {
                return None;
            }
            let (key, rest) = split_key(line.rest)?;
            self.at += 1;
            let value = self.value(rest, indent, true, depth)?;
            if map.insert(key.to_owned(), value).is_some() {
                return None;
            }
        }
        Some(Value::Object(map))
    }

    fn sequence(&mut self, indent: usize, depth: usize) -> Option<Value> {
        let mut items = Vec::new();
        while let Some(line) = self.next() {
            if line.indent < indent || (line.indent == indent && !line.is_item()) {
                break;
            }
            let content = line
                .rest
                .strip_prefix("- ")
                .filter(|_| line.indent == indent)?;
            let content = content.trim_start_matches(' ');
            let inner = Line {
                indent: line.indent + line.rest.len() - content.len(),
                rest: content,
                ..line
            };
            if inner.is_item() || split_key(content).is_some() {
                *self.lines.get_mut(self.at)? = inner;
                items.push(self.block(inner.indent, depth + 1)?);
            } else {
                self.at += 1;
                items.push(self.value(content.trim_end_matches(' '), indent, false, depth)?);
            }
        }
        Some(Value::Array(items))
    }

    /// What stands behind a key or a dash of that indentation; what is on the same line was taken.
    fn value(&mut self, rest: &str, indent: usize, keyed: bool, depth: usize) -> Option<Value> {
        match rest.as_bytes().first() {
            None if keyed => match self.next() {
                Some(line) if line.indent > indent => self.block(line.indent, depth + 1),
                Some(line) if line.indent == indent && line.is_item() => {
                    self.sequence(indent, depth + 1)
                }
                _ => Some(Value::Null),
            },
            None => None,
            Some(b'|') => self.literal(rest, indent),
            Some(b'{') if rest == "{}" => Some(Value::Object(Map::new())),
            Some(b'[') if rest == "[]" => Some(Value::Array(Vec::new())),
            Some(quote @ (b'\'' | b'"')) => self.quoted(rest, *quote, indent),
            Some(_) => self.plain(rest, indent),
        }
    }

    /// The line that goes on with a scalar, and how many line feeds stand before it. None inside where the scalar ends.
    fn further(&mut self, indent: usize) -> Option<(Line<'t>, usize)> {
        let blank = self.lines.get(self.at..)?;
        let blank = blank.iter().take_while(|line| line.rest.is_empty()).count();
        let line = *self.lines.get(self.at + blank)?;
        (line.indent > indent).then(|| {
            self.at += blank + 1;
            (line, blank)
        })
    }

    fn plain(&mut self, first: &str, indent: usize) -> Option<Value> {
        if !is_plain(first) {
            return None;
        }
        let mut folded: Option<String> = None;
        while let Some((line, blank)) = self.further(indent) {
            let more = line.rest.trim_end_matches(' ');
            if line.is_comment() || !is_plain_inside(more) {
                return None;
            }
            fold(folded.get_or_insert_with(|| first.to_owned()), blank);
            folded.as_mut()?.push_str(more);
        }
        folded.map_or_else(|| resolve(first), |text| Some(Value::String(text)))
    }

    /// A quoted scalar; the first character is the quote.
    fn quoted(&mut self, first: &str, quote: u8, indent: usize) -> Option<Value> {
        let mut text = String::new();
        let mut line = first.get(1..)?;
        loop {
            let line_ends = segment(line.trim_end_matches(' '), quote, &mut text)?;
            if let End::Quote(behind) = line_ends {
                return behind.trim().is_empty().then_some(Value::String(text));
            }
            let (next, blank) = self.further(indent)?;
            match line_ends {
                End::Escaped if blank > 0 => return None,
                End::Escaped => {}
                _ => fold(&mut text, blank),
            }
            line = next.rest;
        }
    }

    fn literal(&mut self, header: &str, parent: usize) -> Option<Value> {
        if !matches!(header, "|" | "|-" | "|+") {
            return None;
        }
        let mut ahead = self.lines.get(self.at..)?.iter();
        let first = ahead.find(|line| !line.rest.is_empty());
        let indent = first.map(|line| line.indent).filter(|own| *own > parent)?;
        let mut text = String::new();
        let mut ends = 0;
        while let Some(line) = self.lines.get(self.at) {
            if line.rest.is_empty() {
                // Spaces beyond the indentation would be content.
                if line.whole.len() > indent {
                    return None;
                }
                ends += 1;
            } else if line.indent < indent {
                if line.indent > parent {
                    return None;
                }
                break;
            } else {
                text.extend(std::iter::repeat_n('\n', ends));
                text.push_str(line.whole.get(indent..)?);
                ends = 1;
            }
            self.at += 1;
        }
        let kept = match header {
            "|-" => 0,
            "|" => 1,
            _ => ends,
        };
        text.extend(std::iter::repeat_n('\n', kept));
        Some(Value::String(text))
    }
}

/// One line feed is a space, of several the first is none.
fn fold(text: &mut String, blank: usize) {
    match blank {
        0 => text.push(' '),
        blank => text.extend(std::iter::repeat_n('\n', blank)),
    }
}

/// How a line of a quoted scalar ends.
enum End<'t> {
    /// With the quote; this stands behind it.
    Quote(&'t str),
    /// Plainly.
    Line,
    /// With a backslash, so that nothing comes between this line and the next.
    Escaped,
}

/// Adds what a line of a quoted scalar says.
fn segment<'t>(line: &'t str, quote: u8, text: &mut String) -> Option<End<'t>> {
    let mut rest = line;
    loop {
        let at = rest.find(|c| c == char::from(quote) || (c == '\\' && quote == b'"'));
        let Some(at) = at else {
            text.push_str(rest);
            return Some(End::Line);
        };
        text.push_str(rest.get(..at)?);
        let behind = rest.get(at + 1..)?;
        let next = behind.as_bytes().first();
        let escaped = match (rest.as_bytes().get(at)?, next) {
            (b'\\', None) => return Some(End::Escaped),
            (b'\\', Some(b'"')) => '"',
            (b'\\', Some(b'\\')) => '\\',
            (b'\\', Some(b'n')) => '\n',
            (b'\\', Some(b't')) => '\t',
            // At the end it was trimmed, and could be either.
            (b'\\', Some(b' ')) if behind.len() > 1 => ' ',
            (b'\\', _) => return None,
            (b'\'', Some(b'\'')) => '\'',
            _ => return Some(End::Quote(behind)),
        };
        text.push(escaped);
        rest = behind.get(1..)?;
    }
}

/// A key that is text beyond doubt, and what stands behind its colon.
fn split_key(line: &str) -> Option<(&str, &str)> {
    let (key, behind) = match line.as_bytes().first()? {
        quote @ (b'\'' | b'"') => {
            let inside = line.get(1..)?;
            let (key, behind) = inside.split_once(char::from(*quote))?;
            (!key.contains('\\')).then_some((key, behind))?
        }
        _ => {
            let name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_./$-".contains(byte);
            let end = line.bytes().position(|byte| !name(&byte))?;
            let (key, behind) = line.split_at(end);
            matches!(resolve(key)?, Value::String(_)).then_some((key, behind))?
        }
    };
    let behind = behind.strip_prefix(':')?;
    (behind.is_empty() || behind.starts_with(' ')).then(|| (key, behind.trim_matches(' ')))
}

/// Whether a text may stand as a plain scalar, as far as its first line goes.
fn is_plain(text: &str) -> bool {
    let negative = || {
        text.get(1..)
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    match text.as_bytes().first() {
        Some(b'-') => negative() && is_plain_inside(text),
        Some(first) => !b"?:,[]{}#&*!|>'\"%@`~=<".contains(first) && is_plain_inside(text),
        None => false,
    }
}

fn is_plain_inside(text: &str) -> bool {
    !text.contains(": ") && !text.ends_with(':') && !text.contains(" #")
}

/// Words that one or another reader takes for something else than text.
const RESERVED: [&str; 14] = [
    "null", "true", "false", "yes", "no", "on", "off", "y", "n", "inf", "infinity", "nan", ".inf",
    ".nan",
];

/// What a plain scalar of one line is; none where that takes more thought.
fn resolve(text: &str) -> Option<Value> {
    let first = *text.as_bytes().first()?;
    match text {
        "true" => return Some(Value::Bool(true)),
        "false" => return Some(Value::Bool(false)),
        "null" => return Some(Value::Null),
        _ => {}
    }
    if first.is_ascii_digit() || first == b'-' {
        return whole(text).or_else(|| measure(text));
    }
    let second = text.as_bytes().get(1).is_some_and(u8::is_ascii_alphabetic);
    let word =
        first.is_ascii_alphabetic() || b"_^/$(\\".contains(&first) || (first == b'.' && second);
    let reserved = RESERVED.iter().any(|word| word.eq_ignore_ascii_case(text));
    (word && !reserved).then(|| Value::String(text.to_owned()))
}

/// A whole number in its one plain form.
fn whole(text: &str) -> Option<Value> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
    let leading = digits.starts_with('0') && text != "0";
    if !plain || leading || digits.is_empty() || digits.len() > 18 {
        return None;
    }
    text.parse::<i64>().ok().map(Value::from)
}

/// A duration or a share, as `1h30m` or `25%`, which is text.
fn measure(text: &str) -> Option<Value> {
    let known = |byte: u8| byte.is_ascii_digit() || b"hms%".contains(&byte);
    let unit = text.ends_with(['h', 'm', 's', '%']);
    (unit && text.bytes().all(known)).then(|| Value::String(text.to_owned()))
}
