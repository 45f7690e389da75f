//! `#[doc = include_str!("..")]`: documentation that stands in a file of its own.

use super::lower_syn::span;
use super::modules::existing;
use crate::diag::{Code, Diagnostic, FileId, Sink};
use crate::files::Read;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, ExprLit, ExprMacro, Lit, LitStr, Meta, Token};

/// How many macros may stand in each other to make a path.
const DEEPEST: usize = 16;

/// What one source file may include.
pub(super) struct Includes<'a> {
    /// Where files are read from.
    pub(super) files: &'a dyn Read,
    /// The folder of the source file, which paths are relative to.
    pub(super) folder: PathBuf,
    /// The folder of its package.
    pub(super) package: PathBuf,
    /// The files that it includes, and what they hold.
    pub(super) seen: Mutex<Vec<(PathBuf, Vec<u8>)>>,
}

impl Includes<'_> {
    /// Puts the texts of files in the place of their names.
    pub(super) fn resolve(&self, attrs: &mut Vec<Attribute>, file: FileId, sink: &mut Sink) {
        attrs.retain_mut(|attr| {
            let is_doc = attr.path().is_ident("doc");
            let Meta::NameValue(pair) = &mut attr.meta else {
                return true;
            };
            let Some(call) = called(&pair.value, "include_str").filter(|_| is_doc) else {
                return true;
            };
            match self.text(call) {
                Ok(text) => {
                    // One space is taken from the beginning of a line of documentation; a file keeps its own.
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
                        "name a file that can be read, relative to this one, or write the text as a doc comment",
                    ));
                    false
                }
            }
        });
    }

    fn text(&self, call: &ExprMacro) -> Result<String, String> {
        let argument = call.mac.parse_body::<Expr>().ok();
        let path = argument.and_then(|argument| self.path(&argument, 0));
        let path = path.ok_or("the name of the included file cannot be told from the source")?;
        let unreadable = |reason: &str| format!("`{path}` cannot be read: {reason}");
        let missing = || unreadable("there is no such file");
        let file = existing(self.files, self.folder.join(&path)).map_err(|_| missing())?;
        let file = self.files.canonical(&file).map_err(|_| missing())?;
        let bytes = self
            .files
            .read(&file)
            .map_err(|error| unreadable(&error.to_string()))?;
        let text =
            String::from_utf8(bytes.clone()).map_err(|_| unreadable("it is not valid UTF-8"))?;
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.push((file, bytes));
        Ok(text)
    }

    /// A path that is a literal, or made of literals and the package's folder.
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
fn called<'e>(value: &'e Expr, name: &str) -> Option<&'e ExprMacro> {
    let Expr::Macro(call) = value else {
        return None;
    };
    let last = call.mac.path.segments.last()?;
    (last.ident == name).then_some(call)
}
