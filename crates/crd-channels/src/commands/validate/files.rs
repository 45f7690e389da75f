//! Reads files of objects, and validates one document after the other.

use super::crds::CrdSource;
use super::sources::each_crd;
use super::verdict::{Fate, Fault, ObjectVerdict};
use crate::commands::check::files::{File, PathTarget, Unread, files_in, read_path, shown};
use crate::commands::type_meta::TypeMeta;
use crd_channels_diagnostics::{Diagnostic, FileId, Sources, Span};
use crd_channels_files::shown_path;
use crd_channels_released::documents;
use crd_channels_released::places::{self, Places};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use serde_json::Value;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Validates a document.
pub(crate) type ValidateObject<'v> = dyn Fn(&Value) -> ObjectVerdict + Sync + 'v;

/// A text of the command line.
pub(crate) enum Input {
    /// A file, which is read when its turn comes.
    File(PathBuf),
    /// Standard input.
    Text(File),
}

impl Input {
    /// Its path, or what stands for it.
    pub(crate) fn name(&self) -> PathBuf {
        match self {
            Self::File(path) => path.clone(),
            Self::Text(file) => PathBuf::from(&file.name),
        }
    }
}

/// What was found in a file.
#[derive(Default)]
pub(crate) struct FileResult {
    /// The objects that were validated, in their order.
    pub(crate) objects: Vec<ObjectResult>,
    /// How many objects were skipped, by API version and kind.
    pub(crate) skipped: BTreeMap<String, usize>,
    /// How many documents are no objects.
    pub(crate) others: usize,
}

/// An object that was validated.
pub(crate) struct ObjectResult {
    pub(crate) file: String,
    pub(crate) api_version: String,
    pub(crate) kind: String,
    pub(crate) namespace: Option<String>,
    pub(crate) name: Option<String>,
    pub(crate) fate: Fate,
    pub(crate) findings: Vec<ObjectFinding>,
}

/// A finding about an object.
pub(crate) struct ObjectFinding {
    pub(crate) diagnostic: Diagnostic,
    /// The field, as servers write it; empty for the whole object.
    pub(crate) field: String,
    /// The server's reason.
    pub(crate) reason: Option<&'static str>,
}

impl ObjectResult {
    /// The kind and the name, as in `Route "shop/main"`.
    pub(crate) fn title(&self) -> String {
        match (&self.namespace, &self.name) {
            (Some(namespace), Some(name)) => format!("{} \"{namespace}/{name}\"", self.kind),
            (None, Some(name)) => format!("{} \"{name}\"", self.kind),
            (_, None) if self.kind.is_empty() => "document".to_owned(),
            (_, None) => self.kind.clone(),
        }
    }
}

/// Returns the texts that a path of the command line names.
pub(crate) fn inputs(path: &Path) -> Vec<Result<Input, Unread>> {
    match files_in(path) {
        Some(Ok(paths)) if paths.is_empty() => {
            let name = shown_path(path);
            let message = format!("{} has no YAML or JSON files", shown(&name));
            vec![Err(Unread { name, message })]
        }
        Some(Ok(paths)) => paths
            .into_iter()
            .map(|path| Ok(Input::File(path)))
            .collect(),
        Some(Err(unread)) => vec![Err(unread)],
        None => match read_path(path) {
            Ok(PathTarget::File(file)) => vec![Ok(Input::Text(file))],
            Ok(PathTarget::Template(_)) => Vec::new(),
            Err(unread) => vec![Err(unread)],
        },
    }
}

/// Returns the CRDs among the inputs. What cannot be read is reported when its objects are.
pub(crate) fn crds(inputs: &[Input]) -> CrdSource {
    let readable = |text: &str, name: &str| {
        let mut crds = Vec::new();
        let _ = each_crd(text, name, |crd| crds.extend(crd));
        crds
    };
    let found = inputs.par_iter().flat_map_iter(|input| match input {
        Input::Text(File { name, text }) => readable(text, &shown(name)),
        Input::File(path) => match read_path(path) {
            Ok(PathTarget::File(File { name, text })) => readable(&text, &name),
            Ok(PathTarget::Template(_)) | Err(_) => Vec::new(),
        },
    });
    let crds: Vec<_> = found.collect();
    // An apply installs all of them, whatever their channels are.
    let crds = crds.into_iter().map(|mut crd| {
        crd.channel = None;
        crd
    });
    CrdSource {
        crds: crds.collect(),
        ..CrdSource::default()
    }
}

/// Validates the objects of an input.
///
/// # Errors
/// Why it cannot be read.
pub(crate) fn validate(
    input: &Input,
    validate: &ValidateObject<'_>,
    sources: &Sources,
) -> Result<FileResult, Unread> {
    match input {
        Input::Text(file) => of_text(file, validate, sources),
        Input::File(path) if is_chart_file(path) => Ok(FileResult {
            others: 1,
            ..FileResult::default()
        }),
        Input::File(path) => match read_path(path)? {
            PathTarget::File(file) => of_text(&file, validate, sources),
            PathTarget::Template(name) => {
                note!("`{name}` is skipped, because it is a template of a Helm chart");
                Ok(FileResult::default())
            }
        },
    }
}

/// Whether a file describes a Helm chart, which has an `apiVersion` of its own, or has its values.
fn is_chart_file(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name == "Chart.yaml"
        || name.starts_with("values") && path.with_file_name("Chart.yaml").is_file()
}

/// The size from which on a text is read in several parts at once.
const PART: usize = 1 << 17;

/// Cuts a text into parts that end before a separator of documents, as kubectl does.
fn parts(text: &str) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = 0;
    while text.len() - start > PART {
        let from = start + PART;
        let bytes = text.as_bytes().get(from..).unwrap_or_default();
        let next = bytes.windows(4).position(|window| window == b"\n---");
        let Some(next) = next else {
            break;
        };
        let end = from + next + 1;
        parts.push(start..end);
        start = end;
    }
    parts.push(start..text.len());
    parts
}

/// Validates objects that are in no file.
pub(crate) fn of_objects(
    place: &str,
    objects: &[Value],
    validate: &ValidateObject<'_>,
) -> FileResult {
    let validated = objects.par_iter().map(|object| {
        let verdict = validate(object);
        let mut result = object_result(place, object, verdict.fate);
        let title = result.title();
        let faults = verdict.faults.into_iter();
        result.findings = faults.map(|fault| finding(fault, &title, None)).collect();
        result
    });
    FileResult {
        objects: validated.collect(),
        ..FileResult::default()
    }
}

fn of_text(
    file: &File,
    validate: &ValidateObject<'_>,
    sources: &Sources,
) -> Result<FileResult, Unread> {
    let File { name, text } = file;
    let parts = parts(text);
    let read = parts
        .par_iter()
        .map(|part| of_part(name, text, part.clone(), validate));
    let read: Result<Vec<PartResult>, String> = read.collect();
    // The message of a part would count lines from its beginning.
    let read = read.or_else(|_| Ok(vec![of_part(name, text, 0..text.len(), validate)?]));
    let read = read.map_err(|why: String| Unread {
        name: name.clone(),
        message: format!("{}: {why}", shown(name)),
    })?;
    let mut result = FileResult::default();
    let mut id = None;
    for part in read {
        result.others += part.others;
        for (kind, count) in part.skipped {
            *result.skipped.entry(kind).or_default() += count;
        }
        for (mut object, mut faults) in part.found {
            faults.sort_by_key(|(_, bytes)| bytes.as_ref().map(|bytes| bytes.start));
            let title = object.title();
            let findings = faults.into_iter().map(|(fault, bytes)| {
                let file = *id.get_or_insert_with(|| sources.add(name.as_str(), text.as_str()));
                finding(fault, &title, bytes.map(|bytes| span(file, bytes)))
            });
            object.findings = findings.collect();
            result.objects.push(object);
        }
    }
    Ok(result)
}

/// The faults of an object, each with its place in the file.
type PlacedFaults = Vec<(Fault, Option<Range<usize>>)>;

#[derive(Default)]
struct PartResult {
    found: Vec<(ObjectResult, PlacedFaults)>,
    skipped: BTreeMap<String, usize>,
    others: usize,
}

/// Validates the objects of a part of a text.
fn of_part(
    name: &str,
    text: &str,
    part: Range<usize>,
    validate: &ValidateObject<'_>,
) -> Result<PartResult, String> {
    let start = part.start;
    let own = text.get(part).unwrap_or_default();
    let mut result = PartResult::default();
    let mut faulty: Vec<(usize, usize)> = Vec::new();
    let mut nth = 0;
    documents::each(own, |document| {
        let verdict = validate(&document);
        match verdict.fate {
            Fate::Crd => {}
            Fate::NoObject => result.others += 1,
            Fate::Skipped => {
                let TypeMeta { api_version, kind } = TypeMeta::of(&document);
                *result
                    .skipped
                    .entry(format!("{kind} of {api_version}"))
                    .or_default() += 1;
            }
            Fate::Valid | Fate::Invalid | Fate::Unknown => {
                if !verdict.faults.is_empty() {
                    faulty.push((nth, result.found.len()));
                }
                let faults = verdict.faults.into_iter().map(|fault| (fault, None));
                let object = object_result(name, &document, verdict.fate);
                result.found.push((object, faults.collect()));
            }
        }
        nth += 1;
    })?;
    if !faulty.is_empty() {
        // Locating takes as long as reading. Without an answer the text is JSON with escapes that YAML lacks.
        let mut faulty = faulty.into_iter().peekable();
        let _ = places::each(own, |nth, places| {
            if let Some((_, index)) = faulty.next_if(|(at, _)| *at == nth)
                && let Some((_, faults)) = result.found.get_mut(index)
            {
                locate(faults, &places, start);
            }
        });
    }
    Ok(result)
}

fn locate(faults: &mut PlacedFaults, places: &Places, start: usize) {
    for (fault, place) in faults {
        let bytes = places.of_field(&fault.at);
        *place = Some(start + bytes.start..start + bytes.end);
    }
}

fn object_result(file: &str, object: &Value, fate: Fate) -> ObjectResult {
    let text = |pointer| {
        let found = object.pointer(pointer).and_then(Value::as_str);
        found.map(str::to_owned)
    };
    ObjectResult {
        file: file.to_owned(),
        api_version: text("/apiVersion").unwrap_or_default(),
        kind: text("/kind").unwrap_or_default(),
        namespace: text("/metadata/namespace"),
        name: text("/metadata/name"),
        fate,
        findings: Vec::new(),
    }
}

fn finding(fault: Fault, title: &str, span: Option<Span>) -> ObjectFinding {
    let Fault {
        code,
        field,
        at: _,
        message,
        help,
        reason,
    } = fault;
    let diagnostic = Diagnostic::new(code, span, format!("{title}: {message}"));
    ObjectFinding {
        diagnostic: match help {
            Some(help) => diagnostic.with_help(help),
            None => diagnostic,
        },
        field: field.to_string(),
        reason: reason.map(crd_channels_validation::Reason::name),
    }
}

fn span(file: FileId, bytes: Range<usize>) -> Span {
    let byte = |byte: usize| u32::try_from(byte).unwrap_or(u32::MAX);
    Span {
        file,
        start: byte(bytes.start),
        end: byte(bytes.end),
    }
}
