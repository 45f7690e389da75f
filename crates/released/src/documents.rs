//! Reads the documents of a YAML or JSON text, in order. Lists are split into their items.

use super::yaml;
use crd_channels_files::{Read, is_left_out};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};
use std::io;
use std::path::{Path, PathBuf};

/// Parses the documents of a text: as a sequence of JSON values if possible, otherwise as YAML in the way of kubectl, with
/// empty documents omitted. A Kubernetes `List` is replaced by its items.
///
/// # Errors
/// Returns what is wrong with the text and where, in one line.
pub fn parse(text: &str) -> Result<Vec<Value>, String> {
    let mut all = Vec::new();
    each(text, |document| all.push(document))?;
    Ok(all)
}

/// Parses in the same way, and hands over one document after the other, so that not all of them need memory.
///
/// # Errors
/// Returns the same; documents before the error were handed over.
pub fn each(text: &str, mut deliver: impl FnMut(Value)) -> Result<(), String> {
    let mut deliver = |document| without_lists(document).into_iter().for_each(&mut deliver);
    if !is_json(text) {
        return yaml::each(text, &mut deliver);
    }
    for document in json::<Value>(text) {
        deliver(document.map_err(|error| error.to_string())?);
    }
    Ok(())
}

/// Whether a text is JSON to its end, which `serde_json` reads. As in kubectl, others are read as YAML.
pub(super) fn is_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '['])
        && json::<IgnoredAny>(text).all(|value| value.is_ok())
        && nesting(text) < SERDE_JSON_NESTS
}

/// The nesting from which on `serde_json` reads no values.
const SERDE_JSON_NESTS: usize = 128;

/// How deep the values of a JSON text nest.
fn nesting(text: &str) -> usize {
    let (mut most, mut now) = (0, 0_usize);
    let (mut in_string, mut is_escaped) = (false, false);
    for byte in text.bytes() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_string => is_escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => now += 1,
            b'}' | b']' if !in_string => now = now.saturating_sub(1),
            _ => {}
        }
        most = most.max(now);
    }
    most
}

/// The values of a JSON text.
pub(super) fn json<'t, T: Deserialize<'t>>(
    text: &'t str,
) -> serde_json::StreamDeserializer<'t, serde_json::de::StrRead<'t>, T> {
    serde_json::Deserializer::from_str(text).into_iter()
}

/// Whether a file's extension is that of YAML or JSON.
#[must_use]
pub fn is_named_so(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    matches!(extension, Some("yaml" | "yml" | "json"))
}

/// Returns the YAML and JSON files in a folder and its subfolders. Build output, hidden and unreadable folders are skipped, as
/// are linked ones, whose files are elsewhere.
#[must_use]
pub fn yaml_and_json_files(folder: &Path, files: &dyn Read) -> Vec<PathBuf> {
    let mut found = files_below(folder, files, &is_left_out, &mut |_, _| {});
    found.retain(|path| is_named_so(path));
    found
}

/// The reason for which a folder was not read.
#[derive(Debug)]
pub enum LeftOut {
    /// It cannot be listed.
    Unreadable(io::Error),
    /// It is a link, so that its files are elsewhere.
    Linked,
}

/// Returns the files in a folder and its subfolders, without the folders that `skips` names. `report` gets every other folder that
/// is left out.
pub fn files_below(
    folder: &Path,
    files: &dyn Read,
    skips: &dyn Fn(&Path) -> bool,
    report: &mut dyn FnMut(&Path, LeftOut),
) -> Vec<PathBuf> {
    let mut found = Vec::new();
    // A stack, since nothing limits how deep folders may be. The last one is read first.
    let mut entries: Vec<(PathBuf, PathBuf)> = Vec::new();
    let open =
        |folder: &Path, entries: &mut Vec<_>, report: &mut dyn FnMut(&Path, LeftOut)| match files
            .list(folder)
        {
            Ok(listed) => {
                let listed = listed.into_iter().rev();
                entries.extend(listed.map(|entry| (folder.to_path_buf(), entry)));
            }
            Err(error) => report(folder, LeftOut::Unreadable(error)),
        };
    open(folder, &mut entries, report);
    while let Some((folder, entry)) = entries.pop() {
        if files.is_file(&entry) {
            found.push(entry);
        } else if skips(&entry) {
            continue;
        } else if is_linked(&entry, &folder, files) {
            report(&entry, LeftOut::Linked);
        } else {
            open(&entry, &mut entries, report);
        }
    }
    found
}

/// Whether a folder's entry is a link to another place.
fn is_linked(entry: &Path, folder: &Path, files: &dyn Read) -> bool {
    let (Ok(own), Ok(above)) = (files.canonical(entry), files.canonical(folder)) else {
        return false;
    };
    entry
        .file_name()
        .is_some_and(|name| own != above.join(name))
}

/// Whether a document of that kind may contain others: it does if its `items` are a sequence.
pub(super) fn is_list(kind: Option<&str>) -> bool {
    kind.is_some_and(|kind| kind.ends_with("List"))
}

fn without_lists(document: Value) -> Vec<Value> {
    let mut found = Vec::new();
    if document.is_null() {
        return found;
    }
    // A stack, since lists may contain lists. The last one is read first.
    let mut open = vec![document];
    while let Some(document) = open.pop() {
        let is_list = is_list(document.get("kind").and_then(Value::as_str));
        match document {
            Value::Array(items) => open.extend(items.into_iter().rev()),
            Value::Object(mut fields) if is_list => match fields.get_mut("items") {
                Some(Value::Array(items)) => {
                    let items = std::mem::take(items).into_iter().rev();
                    open.extend(items.map(|item| of_list(item, &fields)));
                }
                _ => found.push(Value::Object(fields)),
            },
            other => found.push(other),
        }
    }
    found
}

/// An item of a list, which has the kind and the API version of the list's items if it names none, as in kubectl.
fn of_list(mut item: Value, list: &Map<String, Value>) -> Value {
    let kind = list.get("kind").and_then(Value::as_str).unwrap_or_default();
    let kind = kind.strip_suffix("List").unwrap_or_default();
    let version = list.get("apiVersion").and_then(Value::as_str);
    if let (Value::Object(fields), Some(version), false) = (&mut item, version, kind.is_empty())
        && !(fields.contains_key("kind") && fields.contains_key("apiVersion"))
    {
        fields.insert("kind".to_owned(), kind.into());
        fields.insert("apiVersion".to_owned(), version.into());
    }
    item
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::{nesting, parse, yaml_and_json_files};
    use crd_channels_files::Memory;
    use serde_json::json;
    use std::path::Path;

    #[test]
    fn build_output_and_hidden_folders_are_skipped() {
        let files = [
            "/a/b.yaml",
            "/a/c/d.json",
            "/a/target/e.yaml",
            "/a/.git/f.yaml",
        ];
        let files = Memory(files.map(|path| (path.into(), Vec::new())).into());
        let found = yaml_and_json_files(Path::new("/a"), &files);
        assert_eq!(found, [Path::new("/a/b.yaml"), Path::new("/a/c/d.json")]);
        // A folder that a person names is read whatever its name is.
        let found = yaml_and_json_files(Path::new("/a/target"), &files);
        assert_eq!(found, [Path::new("/a/target/e.yaml")]);
    }

    #[test]
    fn documents_come_in_order_and_lists_are_taken_apart() {
        let check = |text: &str, expected: serde_json::Value| {
            assert_eq!(json!(parse(text).unwrap()), expected, "{text}");
        };
        check("", json!([]));
        check(
            "---\n---\na: 1\n---\nb: x\n...\n",
            json!([{"a": 1}, {"b": "x"}]),
        );
        check("{\"a\": 1}", json!([{"a": 1}]));
        check(
            "kind: List\nitems:\n- kind: A\n- kind: B\n",
            json!([{"kind": "A"}, {"kind": "B"}]),
        );
        check("\n [{\"a\": 1}, 2]", json!([{"a": 1}, 2]));
    }

    #[test]
    fn what_nests_deeply_is_read_or_refused_but_never_left_out() {
        for depth in [1, 63, 120, 126, 127, 128, 129, 200, 254, 5_000, 200_000] {
            for (open, close) in [("{\"a]\": ", "}"), ("[", "]"), ("[{\"a\\\"{\": ", "}]")] {
                let text = format!("{{\"b\": {}1{}}}", open.repeat(depth), close.repeat(depth));
                match parse(&format!("{text} {{\"c\": 2}}")) {
                    Ok(found) => assert_eq!(found.len(), 2, "{depth}"),
                    Err(error) => assert!(nesting(&text) > 127, "{depth}: {error}"),
                }
                match parse(&text) {
                    Ok(found) => assert_eq!(found.len(), 1, "{depth}"),
                    Err(error) => assert!(
                        nesting(&text) > 127 && !error.contains('\n'),
                        "{depth}: {error}"
                    ),
                }
            }
        }
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        for text in ["a: [1", "{\"a\": ", "a: 1\na: 2\n"] {
            let error = parse(text).unwrap_err();
            assert!(error.contains("line") && !error.contains('\n'), "{error}");
        }
    }
}
