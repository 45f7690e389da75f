//! Objects as they were before an update.

use super::crds::Crd;
use super::sources::RevisionFiles;
use super::stored::Versions;
use crate::commands::check::files::{PathTarget, files_at, is_template, shown};
use crate::commands::type_meta::TypeMeta;
use crd_channels_diagnostics::{Code, Diagnostic};
use crd_channels_files::Read;
use crd_channels_released::documents;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What identifies an object of a kind: the group, the kind, the name and the namespace.
type Key = [String; 4];

/// The objects, by what identifies them.
#[derive(Debug, Default)]
pub(crate) struct Previous(BTreeMap<Key, Value>);

impl Previous {
    /// Reads the objects of a folder or a file; after `git:` the same paths as `inputs` at a revision.
    ///
    /// # Errors
    /// What cannot be read.
    pub(crate) fn read(
        name: &str,
        inputs: &[PathBuf],
        here: &Path,
    ) -> Result<Self, Vec<Diagnostic>> {
        let mut previous = Self::default();
        let Some(revision) = name.strip_prefix("git:") else {
            for target in files_at(Path::new(name)) {
                let target = target.map_err(|unread| unreadable(unread.message))?;
                if let PathTarget::File(file) = target {
                    previous.add(&file.text, &file.name)?;
                }
            }
            return Ok(previous);
        };
        let files = RevisionFiles::open(here, revision).map_err(|finding| vec![*finding])?;
        for input in inputs {
            if input == Path::new("-") {
                let why =
                    "standard input has no previous revision; name a folder with `--previous`";
                return Err(unreadable(why.to_owned()));
            }
            let path = here.join(input);
            let paths = match files.tree.is_file(&path) {
                true => vec![path],
                false => documents::yaml_and_json_files(&path, &files.tree),
            };
            if paths.is_empty() {
                let input = input.display();
                note!("`{input}` is not in `{name}`, so its objects count as new");
            }
            for path in paths {
                let text = files.tree.read_text(&path);
                let shown = path
                    .strip_prefix(here)
                    .unwrap_or(&path)
                    .display()
                    .to_string();
                let text = text.map_err(|error| unreadable(format!("`{shown}`: {error}")))?;
                if is_template(&path, &text) {
                    continue;
                }
                // A file that is repaired now was broken then.
                if previous.add(&text, &shown).is_err() {
                    note!("`{shown}` of `{name}` cannot be read, so its objects count as new");
                }
            }
        }
        Ok(previous)
    }

    fn add(&mut self, text: &str, name: &str) -> Result<(), Vec<Diagnostic>> {
        let deliver = |object: Value| {
            self.0.insert(key(&object), object);
        };
        documents::each(text, deliver).map_err(|why| unreadable(format!("{}: {why}", shown(name))))
    }

    /// Returns the object before an update, as clients read it in the version of the new one. What a webhook makes of another
    /// version is unknown.
    pub(crate) fn of(&self, object: &Value, named: TypeMeta<'_>, crd: &Crd) -> Option<Value> {
        if self.0.is_empty() {
            return None;
        }
        let key = key(object);
        let mut old = match crd.document.is_namespaced() {
            true => self.0.get(&key)?.clone(),
            false => {
                // Servers clear the namespace of such an object.
                let [group, kind, name, _] = &key;
                let first = [group.clone(), kind.clone(), name.clone(), String::new()];
                let (found, old) = self.0.range(first..).next()?;
                let is_same = found.iter().take(3).eq([group, kind, name]);
                is_same.then(|| old.clone())?
            }
        };
        // No namespace is the one of the request.
        let namespace = object.pointer("/metadata/namespace");
        let metadata = old.get_mut("metadata").and_then(Value::as_object_mut);
        if let Some(metadata) = metadata {
            match namespace {
                Some(namespace) => metadata.insert("namespace".to_owned(), namespace.clone()),
                None => metadata.remove("namespace"),
            };
        }
        let converts = !crd.document.has_webhook();
        let before = TypeMeta::of(&old);
        if before.api_version != named.api_version && !converts {
            return None;
        }
        let written = Versions::of(crd, before, before.version(), converts);
        let read = Versions::of(crd, named, named.version(), converts);
        if let Some((written, read)) = written.zip(read) {
            return Some(read.read(written.stored(&old)));
        }
        *old.get_mut("apiVersion")? = json!(named.api_version);
        Some(old)
    }
}

fn key(object: &Value) -> Key {
    let text = |pointer| {
        let found = object.pointer(pointer).and_then(Value::as_str);
        found.unwrap_or_default().to_owned()
    };
    let group = TypeMeta::of(object).group().to_owned();
    let namespace = text("/metadata/namespace");
    [
        group,
        text("/kind"),
        text("/metadata/name"),
        // That of an object that names none.
        if namespace == "default" {
            String::new()
        } else {
            namespace
        },
    ]
}

fn unreadable(why: String) -> Vec<Diagnostic> {
    vec![Diagnostic::new(Code::UnreadableFile, None, why)]
}
