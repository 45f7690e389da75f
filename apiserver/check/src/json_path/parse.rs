//! The syntax of JSONPath in CRDs, without a schema.

use serde_json::Value;
use std::ops::Range;

/// The maximum nesting of filters.
const MAX_NESTING: usize = 16;

/// A path.
#[derive(Debug, PartialEq)]
pub(crate) struct JsonPath {
    /// The segments that could be parsed.
    pub(crate) segments: Vec<Segment>,
    /// Whether that is the whole path.
    pub(crate) is_whole: bool,
}

/// One segment.
#[derive(Debug, PartialEq)]
pub(crate) enum Segment {
    /// `..`: the next segment may match anywhere below.
    Descendants,
    /// `.name`, `['name','other']`
    Names(Vec<Name>),
    /// `.*`, `[*]`, `[1:3]`, `[0,1]`
    Children,
    /// `[0]`, `[-1]`
    Child,
    /// `[?(@.type=="Ready")]`
    Filter(Filter),
}

/// The name of a field.
#[derive(Debug, PartialEq)]
pub(crate) struct Name {
    /// Without quotes and escapes.
    pub(crate) text: String,
    /// Its span, with quotes.
    pub(crate) range: Range<usize>,
}

/// The conditions of a filter on its items, as far as they can be parsed.
#[derive(Debug, PartialEq)]
pub(crate) struct Filter {
    pub(crate) left: Option<Operand>,
    pub(crate) right: Option<Operand>,
    /// Whether constants name values, rather than being bounds of a number.
    pub(crate) names_values: bool,
    pub(crate) is_whole: bool,
}

/// One side of a comparison.
#[derive(Debug, PartialEq)]
pub(crate) enum Operand {
    /// A path from the item.
    Path(JsonPath),
    /// A value and its span.
    Constant(Value, Range<usize>),
}

impl JsonPath {
    /// Parses a path; the leading dot is optional.
    pub(crate) fn parse(text: &str) -> Self {
        let mut reader = Reader { text, at: 0 };
        if reader.rest().starts_with(['$', '@']) {
            reader.at += 1;
        }
        let mut path = reader.path(0);
        path.is_whole &= reader.rest().is_empty();
        path
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn take(&mut self, prefix: &str) -> bool {
        let taken = self.rest().starts_with(prefix);
        if taken {
            self.at += prefix.len();
        }
        taken
    }

    fn blank(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    /// Parses steps for as long as there are any.
    fn path(&mut self, nesting: usize) -> JsonPath {
        let mut segments = Vec::new();
        let is_whole = loop {
            let start = self.at;
            let is_recursive = self.take("..");
            let segment = if self.take("[") {
                self.bracket(nesting)
            } else {
                let dot = is_recursive || self.take(".");
                if self.rest().starts_with('[') {
                    // `.[` is one step.
                    continue;
                }
                let name = self.name();
                if name.text.is_empty() {
                    self.at = start;
                    break true;
                }
                (dot || start == 0).then(|| match &*name.text {
                    "*" => Segment::Children,
                    _ => Segment::Names(vec![name]),
                })
            };
            if is_recursive {
                segments.push(Segment::Descendants);
            }
            let Some(segment) = segment else { break false };
            let is_whole = !matches!(&segment, Segment::Filter(filter) if !filter.is_whole);
            segments.push(segment);
            if !is_whole {
                break false;
            }
        };
        JsonPath { segments, is_whole }
    }

    /// A name after a dot; a backslash escapes the next character.
    fn name(&mut self) -> Name {
        let start = self.at;
        let mut text = String::new();
        let mut characters = self.rest().chars();
        while let Some(character) = characters.next() {
            match character {
                '\\' => {
                    let Some(next) = characters.next() else { break };
                    text.push(next);
                    self.at += 1 + next.len_utf8();
                }
                '.' | '[' | ']' | '(' | ')' | '=' | '!' | '<' | '>' | '|' | '&' | '{' | '}' => {
                    break;
                }
                _ if character.is_whitespace() => break,
                _ => {
                    text.push(character);
                    self.at += character.len_utf8();
                }
            }
        }
        Name {
            text,
            range: start..self.at,
        }
    }

    /// The content of a bracket, up to the closing one.
    fn bracket(&mut self, nesting: usize) -> Option<Segment> {
        if self.take("?(") {
            let is_read = nesting < MAX_NESTING;
            return is_read.then(|| Segment::Filter(self.filter(nesting + 1)));
        }
        let mut names = Vec::new();
        loop {
            self.blank();
            let Some(name) = self.quoted()? else { break };
            names.push(name);
            self.blank();
            if self.take("]") {
                return Some(Segment::Names(names));
            }
            if !self.take(",") {
                return None;
            }
        }
        let length = self.rest().find(']')?;
        let inside = self.rest().get(..length)?;
        let is_index = |c: char| c.is_ascii_digit() || matches!(c, '-' | ':' | ',' | '*' | ' ');
        let are_indexes = names.is_empty() && inside.chars().all(is_index);
        self.at += length + 1;
        are_indexes.then(|| match inside.trim().parse::<i64>() {
            Ok(_) => Segment::Child,
            Err(_) => Segment::Children,
        })
    }

    /// A string in either kind of quotes: `Some(None)` if none starts here, `None` if it is not terminated.
    #[allow(clippy::option_option, reason = "no string, and half a string")]
    fn quoted(&mut self) -> Option<Option<Name>> {
        let start = self.at;
        let first = self.rest().chars().next();
        let Some(quote) = first.filter(|c| matches!(c, '\'' | '"')) else {
            return Some(None);
        };
        let mut text = String::new();
        let mut characters = self.rest().char_indices().skip(1);
        while let Some((at, character)) = characters.next() {
            if character == quote {
                self.at = start + at + 1;
                let range = start..self.at;
                return Some(Some(Name { text, range }));
            }
            let taken = if character == '\\' {
                characters.next()?.1
            } else {
                character
            };
            text.push(taken);
        }
        None
    }

    /// `@.type=="Ready")]`: one operand, or two with an operator between them.
    fn filter(&mut self, nesting: usize) -> Filter {
        let mut filter = Filter {
            left: None,
            right: None,
            names_values: false,
            is_whole: false,
        };
        filter.left = self.operand(nesting);
        if !filter.left.as_ref().is_some_and(Operand::is_whole) {
            return filter;
        }
        self.blank();
        let is_equality = self.rest().starts_with("==") || self.rest().starts_with("!=");
        let operators = ["==", "!=", "<=", ">=", "<", ">"];
        if operators.into_iter().any(|operator| self.take(operator)) {
            filter.right = self.operand(nesting);
            if !filter.right.as_ref().is_some_and(Operand::is_whole) {
                return filter;
            }
            let mut sides = filter.left.iter().chain(&filter.right);
            let is_text = |side: &Operand| matches!(side, Operand::Constant(Value::String(_), _));
            filter.names_values = is_equality || sides.any(is_text);
        }
        self.blank();
        filter.is_whole = self.take(")]");
        filter
    }

    fn operand(&mut self, nesting: usize) -> Option<Operand> {
        self.blank();
        if let Some(Name { text, range }) = self.quoted()? {
            return Some(Operand::Constant(Value::String(text), range));
        }
        if self.take("@") {
            return Some(Operand::Path(self.path(nesting)));
        }
        let start = self.at;
        let is_end = |c: char| c.is_whitespace() || matches!(c, '=' | '!' | '<' | '>' | ')');
        let length = self.rest().find(is_end)?;
        let word = self.rest().get(..length).filter(|word| !word.is_empty())?;
        self.at += length;
        let value = serde_json::from_str(word).ok()?;
        Some(Operand::Constant(value, start..self.at))
    }
}

impl Operand {
    fn is_whole(&self) -> bool {
        match self {
            Self::Path(path) => path.is_whole,
            Self::Constant(..) => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{JsonPath, Segment};

    /// A path in canonical form, with `!` if it cannot be parsed.
    fn shown(text: &str) -> String {
        let path = JsonPath::parse(text);
        let segments = path.segments.iter().map(|segment| match segment {
            Segment::Descendants => "..".to_owned(),
            Segment::Names(names) => {
                let names: Vec<&str> = names.iter().map(|name| &*name.text).collect();
                format!("/{}", names.join(","))
            }
            Segment::Children => "/*".to_owned(),
            Segment::Child => "/.".to_owned(),
            Segment::Filter(_) => "/?".to_owned(),
        });
        let end = if path.is_whole { "" } else { "!" };
        segments.collect::<String>() + end
    }

    #[test]
    fn paths_are_read_as_far_as_they_can_be() {
        for (text, expected) in [
            (".a.b", "/a/b"),
            ("a.b", "/a/b"),
            ("$.a", "/a"),
            (r".a\.b", "/a.b"),
            (".a['b','c'].d", "/a/b,c/d"),
            (".a.['b']", "/a/b"),
            (".a[0].*[1:2][ -1 ]", "/a/./*/*/."),
            ("..a", "../a"),
            (r#".a[?(@.b[0]=="c")].d"#, "/a/?/d"),
            (".a[?(@.b)]", "/a/?"),
            (".a[?(@.b && @.c)].d", "/a/?!"),
            (".a['b", "/a!"),
            (".a[b].c", "/a!"),
            (".a b", "/a!"),
            (".a..", "/a!"),
            ("", ""),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }
}
