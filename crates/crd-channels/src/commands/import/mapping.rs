//! `import.toml`: which names the types have, and what people decide about them.

use super::Channel;
use crd_channels_diagnostics::{Code, Diagnostic, FileId, Sink, Sources, Span, nearest};
use crd_channels_files::{Disk, Read, conflict, shown_path};
use crd_channels_import::{Entries, Imported, Mapping, Unmatched, leave_out};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;
use toml_edit::{Array, Document, DocumentMut, Item, Table, Value};

/// The file, in the package.
pub(super) const FILE: &str = "import.toml";

/// What a new file begins with.
const HEAD: &str = "\
# The names that `crd-channels import` gives to types and features, each with the places that it is for.
# Rename what you like. https://github.com/crd-channels/crd-channels/blob/main/docs/importing.md says what else you can write.
";

/// The file as it is.
#[derive(Default)]
pub(super) struct File {
    pub(super) mapping: Mapping,
    /// Lines of the package's manifest.
    pub(super) dependencies: String,
    text: Option<String>,
    /// Where each entry is.
    spans: BTreeMap<String, Span>,
}

impl File {
    /// Reads the file; `None` if it is wrong, which is reported. A file that is not there decides nothing.
    pub(super) fn read(
        path: &Path,
        is_needed: bool,
        sources: &Sources,
        sink: &mut Sink,
    ) -> Option<Self> {
        if !is_needed && !Disk.is_file(path) {
            return Some(Self::default());
        }
        let shown = shown_path(path);
        let text = match Disk.read_text(path) {
            Ok(text) => text,
            Err(error) => {
                let message = format!("`{shown}` cannot be read: {error}");
                sink.push(
                    Diagnostic::new(Code::UnreadableFile, None, message)
                        .with_help("name an `import.toml` with `--mapping`"),
                );
                return None;
            }
        };
        let id = sources.add(shown, text.as_str());
        let document = match Document::parse(text.as_str()) {
            Ok(document) => document,
            Err(error) => {
                let (range, message) = match conflict(&text) {
                    Some(range) => (Some(range), "git left a merge conflict here".to_owned()),
                    None => (error.span(), error.message().to_owned()),
                };
                let span = range.map(|range| Span::of_bytes(id, range));
                let help = "the file is TOML: `Name = \"PLACE\"` below `[types]`";
                sink.push(Diagnostic::new(Code::ConfigInvalid, span, message).with_help(help));
                return None;
            }
        };
        let mut file = Self::default();
        let mut wrong = Vec::new();
        file.take(document.as_table(), id, &mut wrong);
        let is_right = wrong.is_empty();
        wrong.into_iter().for_each(|finding| sink.push(finding));
        file.text = Some(text);
        is_right.then_some(file)
    }

    fn take(&mut self, document: &Table, id: FileId, wrong: &mut Vec<Diagnostic>) {
        const KEYS: [&str; 6] = [
            "leave-out",
            "types",
            "same",
            "use",
            "features",
            "dependencies",
        ];
        let mut refuse = |range: Option<Range<usize>>, message: String, help: String| {
            let span = range.map(|range| Span::of_bytes(id, range));
            wrong.push(Diagnostic::new(Code::ConfigInvalid, span, message).with_help(help));
        };
        for (key, item) in document {
            match key {
                "leave-out" => match texts(item) {
                    Some(texts) => self.mapping.leave_out = self.places(texts, id),
                    None => refuse(
                        item.span(),
                        format!("`{key}` takes a list of strings"),
                        format!("write `{key} = [\"CRD/VERSION\"]`"),
                    ),
                },
                "types" | "same" | "use" | "features" => {
                    let Some(table) = item.as_table_like() else {
                        refuse(
                            item.span(),
                            format!("`{key}` takes a table"),
                            format!("write `[{key}]` and the names below it"),
                        );
                        continue;
                    };
                    let mut entries = Entries::new();
                    let mut seen = BTreeSet::new();
                    for (name, item) in table.iter() {
                        let Some(texts) = texts(item) else {
                            refuse(
                                item.span(),
                                format!("`{name}` takes a place or a list of places"),
                                format!("write `{name} = \"CRD spec.field\"`"),
                            );
                            continue;
                        };
                        if let Some((twice, at)) =
                            texts.iter().find(|(text, _)| !seen.insert(text.clone()))
                        {
                            refuse(
                                at.clone(),
                                format!("`{twice}` has two names in `[{key}]`"),
                                "keep one of them".to_owned(),
                            );
                        }
                        entries.insert(name.to_owned(), self.places(texts, id));
                    }
                    match key {
                        "types" => self.mapping.types = entries,
                        "same" => self.mapping.same = entries,
                        "use" => self.mapping.uses = entries,
                        _ => self.mapping.features = entries,
                    }
                }
                "dependencies" => match item.as_table() {
                    Some(table) => self.dependencies = table.to_string(),
                    None => refuse(
                        item.span(),
                        format!("`{key}` takes a table"),
                        format!("write `[{key}]`, as in `Cargo.toml`"),
                    ),
                },
                _ => {
                    let help = match nearest(key, KEYS) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => format!("the keys are `{}`", KEYS.join("`, `")),
                    };
                    let range = document.key(key).and_then(|key| key.span());
                    refuse(range, format!("the file has no key `{key}`"), help);
                }
            }
        }
    }

    /// Remembers where entries are.
    fn places(&mut self, texts: Vec<(String, Option<Range<usize>>)>, id: FileId) -> Vec<String> {
        let all = texts.into_iter().map(|(text, range)| {
            if let Some(range) = range {
                self.spans.insert(text.clone(), Span::of_bytes(id, range));
            }
            text
        });
        all.collect()
    }

    /// Reports entries that lead nowhere: what people wrote as errors, and names of types that are gone as notes. Returns false if
    /// there was an error.
    pub(super) fn report(&self, imported: &Imported, sink: &mut Sink) -> bool {
        let mut is_right = true;
        for Unmatched {
            table,
            entry,
            is_place,
        } in &imported.unmatched
        {
            let near = nearest(entry, imported.places.iter().map(String::as_str));
            let near = near
                .filter(|near| near != entry)
                .map(|near| format!("did you mean `{near}`?"));
            if *table == "types" {
                let near = near.map(|near| format!("; {near}")).unwrap_or_default();
                note!("`{FILE}`: nothing has a type of its own at `{entry}`{near}");
                continue;
            }
            let table = if *table == "uses" { "use" } else { table };
            let why = if *is_place {
                "it has no type of its own"
            } else {
                "no CRD has this place"
            };
            let message = format!("`[{table}]` names `{entry}`, and {why}");
            let help = near.unwrap_or_else(|| "correct the entry, or remove it; a place is like `queues.example.dev spec.retry`".to_owned());
            self.refuse(entry, message, help, sink);
            is_right = false;
        }
        is_right
    }

    /// Removes what is left out. Reports entries that are not there, or that the others need, and returns whether there is none.
    pub(super) fn leave_out(&self, channels: &mut [Channel], sink: &mut Sink) -> bool {
        let mut stored = BTreeMap::new();
        for crd in channels.iter().flat_map(|channel| &channel.crds) {
            let name = crd["metadata"]["name"].as_str().unwrap_or_default();
            stored.insert(name.to_owned(), false);
            for version in crd["spec"]["versions"].as_array().into_iter().flatten() {
                let place = format!("{name}/{}", version["name"].as_str().unwrap_or_default());
                stored.insert(place, version["storage"] == true);
            }
        }
        let entries = &self.mapping.leave_out;
        let mut is_right = true;
        for entry in entries {
            let (message, help) = match stored.get(entry) {
                Some(false) => continue,
                Some(true)
                    if entry
                        .split('/')
                        .next()
                        .is_some_and(|crd| entries.iter().any(|it| it == crd)) =>
                {
                    continue;
                }
                Some(true) => (
                    format!("`leave-out` names `{entry}`, which servers store"),
                    "leave out other versions, or the whole CRD".to_owned(),
                ),
                None => {
                    let near = nearest(entry, stored.keys().map(String::as_str));
                    let help = near.map_or_else(
                        || "correct the entry, or remove it".to_owned(),
                        |near| format!("did you mean `{near}`?"),
                    );
                    (
                        format!("`leave-out` names `{entry}`, and there is no such CRD or version"),
                        help,
                    )
                }
            };
            self.refuse(entry, message, help, sink);
            is_right = false;
        }
        for channel in channels {
            channel.crds = leave_out(std::mem::take(&mut channel.crds), entries);
        }
        is_right
    }

    fn refuse(&self, entry: &str, message: String, help: String, sink: &mut Sink) {
        let span = self.spans.get(entry).copied();
        sink.push(Diagnostic::new(Code::ConfigInvalid, span, message).with_help(help));
    }

    /// The text with these names. Everything else stays as it is written, and so do names that did not change.
    pub(super) fn with(&self, mapping: &Mapping) -> String {
        let text = self.text.clone().unwrap_or_default();
        let Ok(mut document) = text.replace("\r\n", "\n").parse::<DocumentMut>() else {
            // It was read before.
            return text;
        };
        for (key, entries, own) in [
            ("types", &mapping.types, &self.mapping.types),
            ("features", &mapping.features, &self.mapping.features),
        ] {
            if entries == own {
                continue;
            }
            let item = document.entry(key).or_insert(Item::Table(Table::new()));
            let Some(table) = item.as_table_like_mut() else {
                continue;
            };
            for name in own.keys().filter(|name| !entries.contains_key(*name)) {
                table.remove(name);
            }
            for (name, places) in entries
                .iter()
                .filter(|(name, places)| own.get(*name) != Some(places))
            {
                table.insert(name, Item::Value(value(places)));
            }
        }
        match self.text {
            Some(_) => document.to_string(),
            None => format!("{HEAD}\n{document}"),
        }
    }
}

/// What an item says, with the place of each text: one text, or a list.
fn texts(item: &Item) -> Option<Vec<(String, Option<Range<usize>>)>> {
    let text = |value: &Value| Some((value.as_str()?.to_owned(), value.span()));
    match item.as_array() {
        Some(list) => list.iter().map(text).collect(),
        None => Some(vec![text(item.as_value()?)?]),
    }
}

/// One text, or a list with a line for each.
fn value(places: &[String]) -> Value {
    if let [place] = places {
        return place.as_str().into();
    }
    let mut list = Array::new();
    for place in places {
        let mut value = Value::from(place.as_str());
        value.decor_mut().set_prefix("\n    ");
        list.push_formatted(value);
    }
    list.set_trailing("\n");
    list.set_trailing_comma(true);
    list.into()
}
