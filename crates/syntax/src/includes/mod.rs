//! Files included in other files: their paths and texts, and `#[doc = include_str!("..")]`.

pub(crate) mod lower;
pub mod paths;

use super::lower_syn::span;
use crd_channels_diagnostics::{Code, Diagnostic, FileId, Sink, Sources, Span, Text};
use crd_channels_files::Read;
use paths::{Naming, existing};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, ExprLit, ExprMacro, Lit, LitStr, Meta, Token};

/// The maximum nesting of macro calls in a path.
pub(super) const DEEPEST: usize = 16;

/// Why a file is unknown.
pub const UNTOLD: &str = "the name of the included file is not in the source";

/// The beginning of the message about an `include!` whose items are not read.
pub(super) const UNREAD: &str = "the file of this `include!` is not read: ";

/// Whether a message is about an `include!` that may be read once the disk has other files. No digest shows that.
#[must_use]
pub fn depends_on_disk(message: &str) -> bool {
    message
        .strip_prefix(UNREAD)
        .is_some_and(|why| why != UNTOLD)
}

/// Why a path cannot be resolved.
const NO_FOLDER: &str = "paths in an included file are not followed in values and macros";

/// The context of the includes in one source file.
pub struct Includes<'a> {
    /// The source of the files.
    pub files: &'a dyn Read,
    /// The registry of their texts.
    pub sources: &'a Sources,
    /// Their names in messages.
    pub naming: Naming<'a>,
    /// Whether the files belong to a dependency.
    pub foreign: bool,
    /// Whether the kinds of the package are needed, so that none may be missed silently.
    pub strict: bool,
    /// The folder of the source file, which paths are relative to; `None` if that file is unknown.
    pub folder: Option<PathBuf>,
    /// The folder of its package.
    pub package: &'a Path,
    /// The file itself and those that include it, none of which may be included again.
    pub open: Vec<PathBuf>,
    /// Whether the file is included itself.
    pub included: bool,
    /// The files that it includes, and their content.
    pub seen: Mutex<Vec<(PathBuf, Vec<u8>)>>,
    /// The files of items that it includes, and the calls that include them.
    pub places: Mutex<Vec<(FileId, Span)>>,
}

impl<'a> Includes<'a> {
    /// The context of an included file, by the path in the call and the canonical path.
    pub(super) fn of_included(&self, named: &Path, file: &Path) -> Self {
        let open = self.open.iter().cloned().chain([file.to_path_buf()]);
        Self {
            folder: named.parent().map(Path::to_path_buf),
            open: open.collect(),
            included: true,
            seen: Mutex::default(),
            places: Mutex::default(),
            ..*self
        }
    }

    pub(super) fn display_path(&self, file: &Path) -> Text {
        self.naming.display_path(file)
    }

    /// The folder of the file if it is included, which contains the modules that it declares.
    pub(super) fn folder_of_included(&self) -> Option<PathBuf> {
        self.folder.clone().filter(|_| self.included)
    }

    /// Replaces `include_str!` in doc attributes by the texts of the files.
    pub(super) fn resolve(&self, attrs: &mut Vec<Attribute>, file: FileId, sink: &mut Sink) {
        attrs.retain_mut(|attr| {
            let is_doc = attr.path().is_ident("doc");
            let Meta::NameValue(pair) = &mut attr.meta else {
                return true;
            };
            let Some(call) = called(&pair.value, "include_str").filter(|_| is_doc) else {
                return true;
            };
            let argument = call.mac.parse_body::<Expr>();
            let text = match argument {
                Ok(argument) => self.included_text(&argument),
                Err(_) => Err(UNTOLD.to_owned()),
            };
            match text {
                Ok(text) => {
                    // One leading space is removed from a doc line, but a file keeps its own.
                    let space = if text.starts_with(' ') { " " } else { "" };
                    let text = LitStr::new(&format!("{space}{text}"), pair.value.span());
                    pair.value = Expr::Lit(ExprLit {
                        attrs: Vec::new(),
                        lit: Lit::Str(text),
                    });
                    true
                }
                Err(why) => {
                    let place = span(file, pair.value.span());
                    let found = Diagnostic::new(Code::UnreadableFile, place, why);
                    sink.push(found.with_help(
                        "name a readable file, relative to this one, or write the text as a doc comment",
                    ));
                    false
                }
            }
        });
    }

    /// Reads the text of the file that an argument names.
    fn included_text(&self, argument: &Expr) -> Result<String, String> {
        Ok(self.text_and_name(argument)?.0)
    }

    /// The text of the file that an argument of `include_str!` names, with the file's name in messages.
    pub fn text_and_name(&self, argument: &Expr) -> Result<(String, Text), String> {
        let (_, file, bytes) = self.file(argument)?;
        let shown = self.display_path(&file);
        let text = String::from_utf8(bytes.clone())
            .map_err(|_| format!("`{shown}` cannot be read: it is not valid UTF-8"))?;
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.push((file, bytes));
        Ok((text, shown))
    }

    /// Reads the file that an argument names; returns its path as named, its canonical path, and its content.
    pub(super) fn file(&self, argument: &Expr) -> Result<(PathBuf, PathBuf, Vec<u8>), String> {
        let path = self.path(argument, 0).ok_or(UNTOLD)?;
        let unreadable = |reason: &str| format!("`{path}` cannot be read: {reason}");
        let missing = || unreadable("the file does not exist");
        let folder = self.folder.as_ref().ok_or(NO_FOLDER)?;
        let files = self.files;
        let named = existing(files, folder.join(&path)).map_err(|_| missing())?;
        let file = files.canonical(&named).map_err(|_| missing())?;
        let bytes = files.read(&file);
        let bytes = bytes.map_err(|error| unreadable(&error.to_string()))?;
        Ok((named, file, bytes))
    }

    /// A path that is a literal, or composed of literals and the package's folder.
    fn path(&self, value: &Expr, depth: usize) -> Option<String> {
        if let Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) = value
        {
            return Some(text.value());
        }
        if let Some(call) = called(value, "env") {
            let name = call.mac.parse_body::<LitStr>().ok()?;
            let is_package = name.value() == "CARGO_MANIFEST_DIR";
            return is_package.then(|| self.package.to_str().map(str::to_owned))?;
        }
        let call = called(value, "concat").filter(|_| depth < DEEPEST)?;
        let parts = Punctuated::<Expr, Token![,]>::parse_terminated;
        let parts = call.mac.parse_body_with(parts).ok()?;
        parts
            .iter()
            .map(|part| self.path(part, depth + 1))
            .collect()
    }
}

/// The call of a macro of this name.
pub(super) fn called<'e>(value: &'e Expr, name: &str) -> Option<&'e ExprMacro> {
    let Expr::Macro(call) = value else {
        return None;
    };
    let last = call.mac.path.segments.last()?;
    (last.ident == name).then_some(call)
}
