//! A TOML table whose keys are taken one by one. Values have spans, errors are reported, and keys that are left are unknown.

use crd_channels_diagnostics::{Code, Diagnostic, FileId, Sink, Span, Spanned, Text, nearest};
use crd_channels_files::conflict;
use toml::de::{DeTable, DeValue};

/// One table of a file. [`Table::finish`] reports the keys that were not taken.
pub(super) struct Table<'t, 's> {
    entries: Vec<(&'t str, Span, &'t DeValue<'t>, Span)>,
    known: Vec<&'static str>,
    /// Its name in messages: empty for the file itself, else `[name]`.
    name: String,
    span: Span,
    file: FileId,
    sink: &'s mut Sink,
}

/// Parses a file and passes on its top table. Reports all syntax errors.
pub(super) fn parse<T>(
    file: FileId,
    text: &str,
    sink: &mut Sink,
    read: impl FnOnce(&mut Table<'_, '_>) -> T,
) -> T {
    let (table, errors) = DeTable::parse_recoverable(text);
    // The values of a text with syntax errors are used, but not validated.
    let mut discarded = Sink::default();
    let broken = !errors.is_empty();
    let left = conflict(text).filter(|_| broken);
    if let Some(range) = &left {
        let message = "git left a merge conflict here";
        let finding = Diagnostic::new(
            Code::ConfigInvalid,
            Span::of_bytes(file, range.clone()),
            message,
        );
        sink.push(finding.with_help(
            "keep the lines that apply, and remove those that begin with `<<<<<<<`, `=======` and `>>>>>>>`",
        ));
    }
    for error in errors.into_iter().filter(|_| left.is_none()) {
        let span = error.span().map(|range| Span::of_bytes(file, range));
        let message = error.message().trim_end_matches('.').to_owned();
        sink.push(
            Diagnostic::new(Code::ConfigInvalid, span, message)
                .with_help("the file is TOML: `key = \"value\"`, strings in quotes"),
        );
    }
    let whole = Span::of_bytes(file, 0..0);
    let sink = if broken { &mut discarded } else { sink };
    let mut table = Table::new(table.get_ref(), String::new(), whole, file, sink);
    let value = read(&mut table);
    table.finish();
    value
}

impl<'t, 's> Table<'t, 's> {
    fn new(
        table: &'t DeTable<'t>,
        name: String,
        span: Span,
        file: FileId,
        sink: &'s mut Sink,
    ) -> Self {
        let mut entries: Vec<_> = table
            .iter()
            .map(|(key, value)| {
                let key_span = Span::of_bytes(file, key.span());
                let value_span = Span::of_bytes(file, value.span());
                (
                    key.get_ref().as_ref(),
                    key_span,
                    value.get_ref(),
                    value_span,
                )
            })
            .collect();
        entries.sort_by_key(|(_, span, ..)| span.start);
        Self {
            entries,
            known: Vec::new(),
            name,
            span,
            file,
            sink,
        }
    }

    /// Returns the span of the table's name, or the beginning of the file for the top table.
    pub fn span(&self) -> Span {
        self.span
    }

    /// Reports an error at a span of this file.
    pub fn report(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.sink
            .push(Diagnostic::new(Code::ConfigInvalid, span, message).with_help(help));
    }

    /// Reports a diagnostic with its own code.
    pub fn push(&mut self, finding: Diagnostic) {
        self.sink.push(finding);
    }

    fn take(&mut self, key: &'static str) -> Option<(Span, &'t DeValue<'t>, Span)> {
        self.known.push(key);
        let place = self.entries.iter().position(|(name, ..)| *name == key)?;
        let (_, key_span, value, span) = self.entries.remove(place);
        Some((key_span, value, span))
    }

    fn wrong(&mut self, key: &str, span: Span, found: &DeValue<'_>, expected: &str) {
        let message = format!("`{key}` takes {expected}, not {}", a_type(found));
        let help = match expected {
            "a string" => format!("write `{key} = \"..\"`"),
            "a list of strings" => format!("write `{key} = [\"..\"]`"),
            "a table" => format!("write `[{key}]` and the keys below it"),
            _ => format!("write `{key} = 1`"),
        };
        self.report(span, message, help);
    }

    /// Takes a string.
    pub fn text(&mut self, key: &'static str) -> Option<Spanned<Text>> {
        let (_, value, span) = self.take(key)?;
        match value.as_str() {
            Some(text) => Some(Spanned {
                value: text.into(),
                span,
            }),
            None => {
                self.wrong(key, span, value, "a string");
                None
            }
        }
    }

    /// Takes a string that is required and not empty.
    pub fn required_text(&mut self, key: &'static str) -> Option<Spanned<Text>> {
        let absent = !self.entries.iter().any(|(name, ..)| *name == key);
        let text = self.text(key);
        let empty = text.as_ref().filter(|text| text.value.trim().is_empty());
        if absent || empty.is_some() {
            let span = empty.map_or(self.span, |text| text.span);
            let holder = self.called();
            self.report(
                span,
                format!("{holder} lacks `{key}`"),
                format!("add `{key} = \"..\"`"),
            );
            return None;
        }
        text
    }

    /// Takes a string with one of these values.
    pub fn choice<T: Copy>(&mut self, key: &'static str, choices: &[(&str, T)]) -> Option<T> {
        let text = self.text(key)?;
        let found = choices.iter().find(|(name, _)| *name == &*text.value);
        if let Some((_, value)) = found {
            return Some(*value);
        }
        let all: Vec<_> = choices
            .iter()
            .map(|(name, _)| format!("`{name}`"))
            .collect();
        let near = nearest(&text.value, choices.iter().map(|(name, _)| *name));
        let help = match near {
            Some(near) => format!("write `{key} = \"{near}\"`"),
            None => format!("one of {}", all.join(", ")),
        };
        self.report(
            text.span,
            format!("`{}` is not a valid value of `{key}`", text.value),
            help,
        );
        None
    }

    /// Takes an integer that is at least `least`.
    pub fn number(&mut self, key: &'static str, least: u64) -> Option<Spanned<u64>> {
        let (_, value, span) = self.take(key)?;
        let Some(integer) = value.as_integer() else {
            self.wrong(key, span, value, "a whole number");
            return None;
        };
        let digits = integer.as_str().replace('_', "");
        match u64::from_str_radix(&digits, integer.radix()) {
            Ok(number) if number >= least => Some(Spanned {
                value: number,
                span,
            }),
            _ => {
                self.report(
                    span,
                    format!("`{key}` must be a whole number of at least {least}"),
                    format!("write `{key} = {}`", least.max(1)),
                );
                None
            }
        }
    }

    /// Takes a list of strings.
    pub fn texts(&mut self, key: &'static str) -> Option<Vec<Spanned<Text>>> {
        let (_, value, span) = self.take(key)?;
        self.texts_of(key, value, span)
    }

    fn texts_of(
        &mut self,
        key: &'static str,
        value: &DeValue<'_>,
        span: Span,
    ) -> Option<Vec<Spanned<Text>>> {
        let Some(items) = value.as_array() else {
            self.wrong(key, span, value, "a list of strings");
            return None;
        };
        let mut texts = Vec::with_capacity(items.len());
        for item in items.iter() {
            let span = Span::of_bytes(self.file, item.span());
            match item.get_ref().as_str() {
                Some(text) => texts.push(Spanned {
                    value: text.into(),
                    span,
                }),
                None => self.wrong(key, span, item.get_ref(), "a list of strings"),
            }
        }
        Some(texts)
    }

    /// Takes a string or a list of strings: `Ok` for the list.
    pub fn text_or_texts(
        &mut self,
        key: &'static str,
    ) -> Option<Result<Vec<Spanned<Text>>, Spanned<Text>>> {
        let (_, value, span) = self.take(key)?;
        match value.as_str() {
            Some(text) => Some(Err(Spanned {
                value: text.into(),
                span,
            })),
            None => self.texts_of(key, value, span).map(Ok),
        }
    }

    /// Takes a nested table.
    pub fn table<T>(
        &mut self,
        key: &'static str,
        read: impl FnOnce(&mut Table<'_, '_>) -> T,
    ) -> Option<T> {
        let (key_span, value, span) = self.take(key)?;
        let Some(table) = value.as_table() else {
            self.wrong(key, span, value, "a table");
            return None;
        };
        Some(self.read_subtable(key, table, key_span, read))
    }

    /// Takes the tables of a list: `[[key]]`.
    pub fn tables<T>(
        &mut self,
        key: &'static str,
        mut read: impl FnMut(&mut Table<'_, '_>) -> Option<T>,
    ) -> Vec<T> {
        let Some((_, value, span)) = self.take(key) else {
            return Vec::new();
        };
        let Some(items) = value.as_array() else {
            self.report(
                span,
                format!("`{key}` takes tables, not {}", a_type(value)),
                format!("write `[[{key}]]` and the keys below it"),
            );
            return Vec::new();
        };
        let mut all = Vec::new();
        for item in items.iter() {
            let span = Span::of_bytes(self.file, item.span());
            match item.get_ref().as_table() {
                Some(table) => all.extend(self.read_subtable(key, table, span, &mut read)),
                None => self.wrong(key, span, item.get_ref(), "a table"),
            }
        }
        all
    }

    /// Takes all remaining entries: tables whose names the user chooses.
    pub fn named_tables<T>(
        &mut self,
        mut read: impl FnMut(&str, &mut Table<'_, '_>) -> Option<T>,
    ) -> Vec<T> {
        let mut all = Vec::new();
        for (name, key_span, value, span) in std::mem::take(&mut self.entries) {
            match value.as_table() {
                Some(table) => {
                    let read = |table: &mut Table<'_, '_>| read(name, table);
                    all.extend(self.read_subtable(name, table, key_span, read));
                }
                None => self.wrong(name, span, value, "a table"),
            }
        }
        all
    }

    /// Takes all remaining entries: strings whose names the user chooses.
    pub fn named_texts(&mut self) -> Vec<(Text, Text)> {
        let mut all = Vec::new();
        for (name, _, value, span) in std::mem::take(&mut self.entries) {
            match value.as_str() {
                Some(text) => all.push((name.into(), text.into())),
                None => self.wrong(name, span, value, "a string"),
            }
        }
        all
    }

    fn read_subtable<T>(
        &mut self,
        key: &str,
        table: &DeTable<'_>,
        span: Span,
        read: impl FnOnce(&mut Table<'_, '_>) -> T,
    ) -> T {
        let name = match self.name.as_str() {
            "" => key.to_owned(),
            above => format!("{above}.{key}"),
        };
        let mut table = Table::new(table, name, span, self.file, self.sink);
        let value = read(&mut table);
        table.finish();
        value
    }

    fn called(&self) -> String {
        match self.name.as_str() {
            "" => "the file".to_owned(),
            name => format!("`[{name}]`"),
        }
    }

    /// Reports the keys that were not taken.
    fn finish(self) {
        let holder = self.called();
        for (key, span, ..) in &self.entries {
            let help = match nearest(key, self.known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None if self.known.is_empty() => "remove it".to_owned(),
                None => {
                    let known: Vec<_> = self.known.iter().map(|key| format!("`{key}`")).collect();
                    format!("the keys are {}", known.join(", "))
                }
            };
            let message = format!("{holder} has no key `{key}`");
            self.sink
                .push(Diagnostic::new(Code::ConfigInvalid, *span, message).with_help(help));
        }
    }
}

fn a_type(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "`true` or `false`",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}
