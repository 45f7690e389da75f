//! Reads the files of examples: their objects and the comments above these.

use super::place::{ExampleFolder, updated};
use crate::type_meta::TypeMeta;
use crd_channels_diagnostics::{Code, Diagnostic, FileId, Sink, Sources, Span, nearest};
use crd_channels_files::{Disk, Read};
use crd_channels_released::documents;
use crd_channels_released::places::{self, Places};
use crd_channels_validation::path::FieldPath;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// A file of examples.
#[derive(Debug)]
pub struct Example {
    /// The folder and its meaning.
    pub place: ExampleFolder,
    /// Its path below the folder of examples.
    pub path: String,
    /// The text of the file.
    pub text: String,
    /// Its objects.
    pub objects: Vec<Object>,
    /// Its only object before an update: the text of the file beside it, and the object.
    pub old: Option<(String, Object)>,
}

/// An object of a file.
#[derive(Debug)]
pub struct Object {
    /// The object.
    pub value: Value,
    /// The expected reasons of a rejection, from the comments above it.
    pub reasons: Vec<Reason>,
    file: FileId,
    places: Option<Places>,
}

/// A comment that states why an object is rejected.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Reason {
    /// A part of a message.
    pub text: String,
    /// The line.
    pub span: Span,
}

impl Object {
    /// Returns the span of a field, or of its nearest existing ancestor.
    pub fn span(&self, field: &FieldPath) -> Span {
        let places = self.places.as_ref();
        let bytes = places.map_or(0..0, |places| places.of_field(field));
        span(self.file, bytes.start, bytes.end)
    }
}

fn span(file: FileId, start: usize, end: usize) -> Span {
    let byte = |byte: usize| u32::try_from(byte).unwrap_or(u32::MAX);
    Span {
        file,
        start: byte(start),
        end: byte(end),
    }
}

/// A file that was read.
struct File {
    id: FileId,
    text: String,
    objects: Vec<Object>,
}

/// Reads all examples of a folder. Messages name it `shown`.
pub fn examples(
    folder: &Path,
    shown: &str,
    channels: &[&str],
    sources: &Sources,
    sink: &mut Sink,
) -> Vec<Example> {
    let mut files = BTreeMap::new();
    for path in documents::yaml_and_json_files(folder, &Disk) {
        let parts = path.strip_prefix(folder).unwrap_or(&path).iter();
        let parts: Vec<_> = parts.map(|part| part.to_string_lossy()).collect();
        let name = parts.join("/");
        match file(&path, &format!("{shown}/{name}"), sources) {
            Ok(file) => {
                files.insert(name, file);
            }
            Err(finding) => sink.push(*finding),
        }
    }
    let names: Vec<String> = files.keys().cloned().collect();
    let mut before = BTreeMap::new();
    for name in names {
        let Some(now) = updated(&name) else {
            continue;
        };
        let Some(file) = files.remove(&name) else {
            continue;
        };
        if files.contains_key(&now) {
            before.insert(now, file);
        } else {
            sink.push(without_update(&file, &format!("{shown}/{now}")));
        }
    }
    let mut examples = Vec::new();
    for (path, file) in files {
        let place = ExampleFolder::parse_path(&path).filter(|place| is_known(place, channels));
        let Some(place) = place else {
            sink.push(misplaced(&file, &path, shown, channels));
            continue;
        };
        let old = match before.remove(&path).map(|old| one(old, &file)) {
            Some(Ok(old)) => Some(old),
            Some(Err(finding)) => {
                sink.push(*finding);
                continue;
            }
            None => None,
        };
        examples.push(Example {
            place,
            path,
            text: file.text,
            objects: file.objects,
            old,
        });
    }
    examples
}

fn is_known(place: &ExampleFolder, channels: &[&str]) -> bool {
    let channel = place.channel.as_deref();
    channel.is_none_or(|channel| channels.contains(&channel))
}

fn file(path: &Path, shown: &str, sources: &Sources) -> Result<File, Box<Diagnostic>> {
    let unreadable = |span: Option<Span>, message: String, help: &str| {
        Box::new(Diagnostic::new(Code::ExampleUnreadable, span, message).with_help(help))
    };
    let text = Disk.read_text(path).map_err(|error| {
        let message = format!("`{shown}` cannot be read: {error}");
        unreadable(None, message, "make it a YAML file in UTF-8")
    })?;
    let id = sources.add(shown, text.as_str());
    let start = Some(span(id, 0, 0));
    let values = documents::parse(&text).map_err(|why| {
        let help = "write objects in YAML, as for `kubectl apply`";
        unreadable(start, format!("the file cannot be read: {why}"), help)
    })?;
    if values.is_empty() {
        let message = "the file contains no object".to_owned();
        return Err(unreadable(start, message, "write one, or remove the file"));
    }
    let mut places = places::find_places(&text).unwrap_or_default().into_iter();
    let objects = values.into_iter().map(|value| {
        let places = places.next();
        let at = places
            .as_ref()
            .map(|places| places.of_field(&FieldPath::default()).start);
        Object {
            value,
            reasons: at.map_or_else(Vec::new, |at| reasons(&text, at, id)),
            file: id,
            places,
        }
    });
    Ok(File {
        objects: objects.collect(),
        id,
        text,
    })
}

/// Returns the `# rejected: TEXT` lines of the comment above an offset.
fn reasons(text: &str, at: usize, file: FileId) -> Vec<Reason> {
    let above = text.get(..at).unwrap_or_default();
    let mut end = above.rfind('\n').map_or(0, |line| line + 1);
    let mut reasons = Vec::new();
    let lines = above.get(..end).unwrap_or_default();
    for line in lines.split_inclusive('\n').rev() {
        end -= line.len();
        let bare = line.trim();
        if bare.starts_with('#') {
            let indent = line.len() - line.trim_start().len();
            reasons.extend(reason(bare).map(|text| Reason {
                text: text.to_owned(),
                span: span(file, end + indent, end + indent + bare.len()),
            }));
        } else if !bare.is_empty() && bare != "---" {
            break;
        }
    }
    reasons.reverse();
    reasons
}

/// Returns the text of `# rejected: TEXT`.
pub fn reason(comment: &str) -> Option<&str> {
    let sentence = comment.strip_prefix('#')?.trim_start();
    let text = sentence.strip_prefix("rejected:")?.trim();
    (!text.is_empty()).then_some(text)
}

/// Returns the object of a file from before the update.
fn one(old: File, now: &File) -> Result<(String, Object), Box<Diagnostic>> {
    let (text, file) = (old.text, old.id);
    let rejection = |file: FileId, message: String, help: &str| {
        let finding = Diagnostic::new(Code::ExampleUnreadable, span(file, 0, 0), message);
        Err(Box::new(finding.with_help(help)))
    };
    let several = |file: FileId, number: usize| {
        let message = format!("an update has one object, not {number}");
        let help = "write a pair of files, `NAME.old.yaml` and `NAME.yaml`, for each update";
        rejection(file, message, help)
    };
    let [now] = &now.objects[..] else {
        return several(now.id, now.objects.len());
    };
    let number = old.objects.len();
    let mut objects = old.objects.into_iter();
    let (Some(old), None) = (objects.next(), objects.next()) else {
        return several(file, number);
    };
    let (was, is) = (TypeMeta::of(&old.value), TypeMeta::of(&now.value));
    if was != is {
        let message = format!(
            "`{}` of `{}` cannot become `{}` of `{}`",
            was.kind, was.api_version, is.kind, is.api_version
        );
        return rejection(
            file,
            message,
            "write the same `apiVersion` and `kind` into both files",
        );
    }
    Ok((text, old))
}

fn without_update(file: &File, now: &str) -> Diagnostic {
    let message = format!("the file has the old object of `{now}`, which does not exist");
    let finding = Diagnostic::new(Code::ExampleMisplaced, span(file.id, 0, 0), message);
    finding.with_help(format!("write the updated object into `{now}`"))
}

fn misplaced(file: &File, path: &str, folder: &str, channels: &[&str]) -> Diagnostic {
    let at = span(file.id, 0, 0);
    if let Some(channel) = ExampleFolder::parse_path(path).and_then(|place| place.channel) {
        let message = format!("the example is for `{channel}`, which is not a channel");
        let help = match nearest(&channel, channels.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("available: {}", channels.join(", ")),
        };
        return Diagnostic::new(Code::ExampleMisplaced, at, message).with_help(help);
    }
    let message = "the example is neither in `accept` nor in `reject` of a kind";
    let object = file
        .objects
        .first()
        .map(|object| TypeMeta::of(&object.value));
    let kind = object.map_or("KIND".to_owned(), |named| named.kind.to_lowercase());
    let help = format!("move it to `{folder}/{kind}/accept/` or `{folder}/{kind}/reject/`");
    Diagnostic::new(Code::ExampleMisplaced, at, message).with_help(help)
}
