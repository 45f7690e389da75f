//! Reading a TOML file table by table: every value with its place, every key that nobody asked for an error.

use crate::Text;
use crate::diag::{Code, Diagnostic, FileId, Sink, Span, nearest};
use crate::files::Sources;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

/// A value and its place.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct At<T> {
    /// The value.
    pub value: T,
    /// Where it stands.
    pub span: Span,
}

/// One table of a file. Keys are taken out one by one; what is left at the end is unknown.
pub(super) struct Table<'a> {
    file: FileId,
    span: Span,
    entries: BTreeMap<String, (Span, &'a Spanned<DeValue<'a>>)>,
    known: Vec<&'static str>,
    sink: &'a RefCell<&'a mut Sink>,
}

/// Parses a file and hands its root table to `read`; syntax errors are reported instead.
pub(super) fn parse<T>(
    shown: &str,
    text: &str,
    sources: &Sources,
    sink: &mut Sink,
    read: impl FnOnce(&mut Table<'_>) -> T,
) -> Option<T> {
    let file = sources.add(shown, text);
    let (root, errors) = DeTable::parse_recoverable(text);
    for error in &errors {
        let range = error.span().unwrap_or(0..text.len().min(1));
        sink.push(Diagnostic::new(
            Code::ConfigInvalid,
            span(file, &range),
            format!(
                "`{shown}` is not valid TOML: {}",
                first_line(error.message())
            ),
        ));
    }
    if !errors.is_empty() {
        return None;
    }
    let sink = RefCell::new(sink);
    let mut table = Table::new(file, root.span(), root.get_ref(), &sink);
    let value = read(&mut table);
    table.finish();
    Some(value)
}

fn first_line(message: &str) -> &str {
    message.lines().next().unwrap_or_default()
}

fn span(file: FileId, range: &Range<usize>) -> Span {
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Span {
        file,
        start: offset(range.start),
        end: offset(range.end),
    }
}

impl<'a> Table<'a> {
    fn new(
        file: FileId,
        range: Range<usize>,
        table: &'a DeTable<'a>,
        sink: &'a RefCell<&'a mut Sink>,
    ) -> Self {
        let entries = table
            .iter()
            .map(|(key, value): (&Spanned<DeString<'_>>, _)| {
                (key.get_ref().to_string(), (span(file, &key.span()), value))
            })
            .collect();
        Self {
            file,
            span: span(file, &range),
            entries,
            known: Vec::new(),
            sink,
        }
    }

    /// The table's own place.
    pub(super) fn span(&self) -> Span {
        self.span
    }

    /// Reports something about this file.
    pub(super) fn report(&self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.sink
            .borrow_mut()
            .push(Diagnostic::new(Code::ConfigInvalid, span, message).with_help(help));
    }

    fn take(&mut self, key: &'static str) -> Option<(Span, &'a Spanned<DeValue<'a>>)> {
        self.known.push(key);
        self.entries.remove(key)
    }

    fn wrong(&self, key: &str, value: &Spanned<DeValue<'_>>, expected: &str) {
        self.report(
            span(self.file, &value.span()),
            format!(
                "`{key}` is {} where {expected} is expected",
                article(value.get_ref().type_str())
            ),
            format!("write {expected}"),
        );
    }

    /// A string.
    pub(super) fn text(&mut self, key: &'static str) -> Option<At<Text>> {
        let (_, value) = self.take(key)?;
        match value.get_ref().as_str() {
            Some(text) => Some(At {
                value: text.into(),
                span: span(self.file, &value.span()),
            }),
            None => {
                self.wrong(key, value, "a string");
                None
            }
        }
    }

    /// A string that must be there and not empty.
    pub(super) fn required_text(&mut self, key: &'static str) -> Option<At<Text>> {
        if !self.entries.contains_key(key) {
            self.known.push(key);
            self.report(
                self.span,
                format!("`{key}` is missing"),
                format!("add `{key} = \"..\"`"),
            );
            return None;
        }
        let text = self.text(key)?;
        if text.value.trim().is_empty() {
            self.report(
                text.span,
                format!("`{key}` is empty"),
                format!("give `{key}` a value"),
            );
        }
        Some(text)
    }

    /// One of a closed list of words.
    pub(super) fn choice<T: Copy>(
        &mut self,
        key: &'static str,
        words: &[(&'static str, T)],
    ) -> Option<T> {
        let text = self.text(key)?;
        let found = words.iter().find(|(word, _)| *word == &*text.value);
        if found.is_none() {
            let names: Vec<String> = words
                .iter()
                .map(|(word, _)| format!("`\"{word}\"`"))
                .collect();
            let message = format!("`{key}` cannot be `\"{}\"`", text.value);
            let help = match nearest(&text.value, words.iter().map(|(word, _)| *word)) {
                Some(near) => format!("did you mean `\"{near}\"`?"),
                None => format!("write one of {}", names.join(", ")),
            };
            self.report(text.span, message, help);
        }
        found.map(|(_, value)| *value)
    }

    /// A whole number that is not negative.
    pub(super) fn number(&mut self, key: &'static str) -> Option<At<usize>> {
        let (_, value) = self.take(key)?;
        let number = value.get_ref().as_integer().and_then(|integer| {
            usize::from_str_radix(&integer.as_str().replace('_', ""), integer.radix()).ok()
        });
        match number {
            Some(number) => Some(At {
                value: number,
                span: span(self.file, &value.span()),
            }),
            None => {
                self.wrong(key, value, "a whole number, not negative");
                None
            }
        }
    }

    /// A list of strings.
    pub(super) fn texts(&mut self, key: &'static str) -> Option<Vec<At<Text>>> {
        let (_, value) = self.take(key)?;
        let Some(values) = value.get_ref().as_array() else {
            self.wrong(key, value, "a list of strings");
            return None;
        };
        let mut texts = Vec::new();
        for value in values.iter() {
            match value.get_ref().as_str() {
                Some(text) => texts.push(At {
                    value: text.into(),
                    span: span(self.file, &value.span()),
                }),
                None => self.wrong(key, value, "a string"),
            }
        }
        Some(texts)
    }

    /// Whether the value of a key is a list. Nothing is taken.
    pub(super) fn is_list(&self, key: &str) -> bool {
        self.entries
            .get(key)
            .is_some_and(|(_, value)| value.get_ref().is_array())
    }

    /// A table below this one.
    pub(super) fn table<T>(
        &mut self,
        key: &'static str,
        read: impl FnOnce(&mut Table<'_>) -> T,
    ) -> Option<T> {
        let (key_span, value) = self.take(key)?;
        self.read_table(key, key_span, value, read)
    }

    fn read_table<T>(
        &self,
        key: &str,
        key_span: Span,
        value: &'a Spanned<DeValue<'a>>,
        read: impl FnOnce(&mut Table<'_>) -> T,
    ) -> Option<T> {
        let Some(entries) = value.get_ref().as_table() else {
            self.wrong(key, value, "a table");
            return None;
        };
        let mut table = Table::new(self.file, value.span(), entries, self.sink);
        table.span = key_span;
        let read = read(&mut table);
        table.finish();
        Some(read)
    }

    /// A list of tables.
    pub(super) fn tables<T>(
        &mut self,
        key: &'static str,
        mut read: impl FnMut(&mut Table<'_>) -> T,
    ) -> Vec<T> {
        let Some((key_span, value)) = self.take(key) else {
            return Vec::new();
        };
        let Some(values) = value.get_ref().as_array() else {
            self.wrong(key, value, "a list of tables");
            return Vec::new();
        };
        values
            .iter()
            .filter_map(|value| self.read_table(key, key_span, value, &mut read))
            .collect()
    }

    /// All that is left, each a table under a name that the file chooses.
    pub(super) fn named_tables<T>(
        &mut self,
        mut read: impl FnMut(&mut Table<'_>) -> T,
    ) -> Vec<(At<Text>, T)> {
        let entries = std::mem::take(&mut self.entries);
        entries
            .into_iter()
            .filter_map(|(name, (key_span, value))| {
                let table = self.read_table(&name, key_span, value, &mut read)?;
                let name = At {
                    value: name.as_str().into(),
                    span: key_span,
                };
                Some((name, table))
            })
            .collect()
    }

    fn finish(self) {
        for (key, (key_span, _)) in &self.entries {
            let help = match nearest(key, self.known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("known keys: {}", self.known.join(", ")),
            };
            self.report(*key_span, format!("unknown key `{key}`"), help);
        }
    }
}

fn article(kind: &str) -> String {
    let vowel = kind.starts_with(['a', 'e', 'i', 'o', 'u']);
    format!("{} {kind}", if vowel { "an" } else { "a" })
}
