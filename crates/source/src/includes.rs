//! Files whose text stands in another one: `#[doc = include_str!("..")]`, and `include!("..")` of items.

use super::expand::written;
use super::graph::{Graph, ModuleId};
use super::lower_items::Lowering;
use super::lower_syn::span;
use super::modules::{Module, existing};
use super::parse;
use super::tree::{self, Item};
use crd_channels_diagnostics::{Code, Diagnostic, FileId, Sink, Span, Text};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, ExprLit, ExprMacro, Lit, LitStr, Macro, Meta, Token};

/// How many macros may stand in each other to make a path.
const DEEPEST: usize = 16;

/// Why a file is not known.
const UNTOLD: &str = "the name of the included file is not in the source";

/// Why a path is not known.
const NO_FOLDER: &str = "paths in an included file are not followed in values and macros";

/// What one source file may include.
pub(super) struct Includes<'a> {
    /// Where files are read from, and where their texts are kept.
    graph: &'a Graph<'a>,
    /// The module that the file belongs to.
    module: &'a Module,
    /// Whether the files are a dependency's.
    foreign: bool,
    /// Whether the kinds of the package are wanted, so that none may go missing without a word.
    strict: bool,
    /// The folder of the source file, which paths are relative to; none if it is not known which file that is.
    folder: Option<PathBuf>,
    /// The folder of its package.
    package: &'a Path,
    /// The file itself and those around it: none of them includes itself.
    open: Vec<PathBuf>,
    /// Whether the file is included itself.
    included: bool,
    /// The files that it includes, and what they hold.
    pub(super) seen: Mutex<Vec<(PathBuf, Vec<u8>)>>,
    /// The files of items that it includes, and the calls that do.
    pub(super) places: Mutex<Vec<(FileId, Span)>>,
}

impl Lowering<'_> {
    /// The items of the file that an `include!` names.
    ///
    /// # Errors
    /// In words, where the file cannot be read.
    pub(super) fn included(&mut self, call: &Macro, place: Span) -> Result<Vec<Item>, String> {
        let includes = self.includes.ok_or("it comes from a macro")?;
        let argument = call.parse_body_with(|input: ParseStream<'_>| {
            let argument = input.parse::<Expr>()?;
            input.parse::<Option<Token![,]>>()?;
            Ok(argument)
        });
        let argument = argument.map_err(|error| error.to_string())?;
        let (named, file, bytes) = includes.file(&argument)?;
        if includes.open.contains(&file) || includes.open.len() > DEEPEST {
            return Err("the file includes itself".to_owned());
        }
        let shown = includes.shown(&file);
        let text = String::from_utf8(bytes.clone());
        let text = Text::from(text.map_err(|_| format!("`{shown}` is not valid UTF-8"))?);
        let sources = includes.graph.sources();
        let id = sources.add_of(includes.foreign, shown, Arc::clone(&text));
        let inner = includes.of_included(&named, &file);
        let (scope, depth, around) = (self.scope, self.depth, &self.around);
        let mut sink = Sink::default();
        // Another thread, as the spans of this file are still needed and those of the other are dropped with it.
        let read = || parse::parse_within(&text, id, scope, &inner, (depth, around), &mut sink);
        let parsed = thread::scope(|threads| threads.spawn(read).join());
        self.sink.append(sink);
        let parsed = parsed.map_err(|_| "it cannot be parsed".to_owned())?;
        if let Some(failed) = parsed.failed {
            self.sink.push(failed);
        }
        self.hidden.extend(parsed.hidden);
        let lock = |error: PoisonError<_>| PoisonError::into_inner(error);
        let mut seen = includes.seen.lock().unwrap_or_else(lock);
        seen.push((file, bytes));
        seen.extend(
            inner
                .seen
                .into_inner()
                .unwrap_or_else(PoisonError::into_inner),
        );
        let mut places = includes
            .places
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        places.push((id, place));
        places.extend(
            inner
                .places
                .into_inner()
                .unwrap_or_else(PoisonError::into_inner),
        );
        Ok(parsed.items)
    }

    /// Says of an `include!` that its items are not read, where kinds may be among them.
    pub(super) fn unread_include(&mut self, why: String, place: Span) {
        if self.includes.is_none_or(|includes| !includes.strict) {
            return;
        }
        let message = format!("the file of this `include!` is not read: {why}");
        let found = Diagnostic::new(Code::UnreadItems, place, message);
        self.sink.push(found.with_help(
            "if there are kinds in the file, commit it and include it by a path from this file, as in `include!(\"kinds.rs\")`",
        ));
    }
}

impl<'a> Includes<'a> {
    /// What a file of a module may include.
    pub(super) fn of_file(
        graph: &'a Graph<'a>,
        module: &'a Module,
        file: Option<&Path>,
        foreign: bool,
    ) -> Option<Self> {
        let info = graph.crates.get(module.crate_id.0 as usize)?;
        Some(Self {
            graph,
            module,
            foreign,
            strict: graph.is_walked(info.package),
            folder: file.and_then(Path::parent).map(Path::to_path_buf),
            package: &graph.package(module)?.root,
            open: module.canonical.get().into_iter().cloned().collect(),
            included: false,
            seen: Mutex::default(),
            places: Mutex::default(),
        })
    }

    /// What a file may include that this one includes: as it is named here, and under its one true name.
    fn of_included(&self, named: &Path, file: &Path) -> Self {
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

    fn shown(&self, file: &Path) -> Text {
        self.graph.shown(self.module, file)
    }

    /// Whether files of items are included.
    pub(super) fn has_items(&self) -> bool {
        let places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        !places.is_empty()
    }

    /// The folder of the file, if it is included: the modules that it declares stand there.
    pub(super) fn folder_of_included(&self) -> Option<PathBuf> {
        self.folder.clone().filter(|_| self.included)
    }

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
            let argument = call.mac.parse_body::<Expr>();
            let text = match argument {
                Ok(argument) => self.text(&argument),
                Err(_) => Err(UNTOLD.to_owned()),
            };
            match text {
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
                        "name a readable file, relative to this one, or write the text as a doc comment",
                    ));
                    false
                }
            }
        });
    }

    /// The text of the file that an argument names.
    fn text(&self, argument: &Expr) -> Result<String, String> {
        Ok(self.text_and_name(argument)?.0)
    }

    /// The same, and how messages call the file.
    fn text_and_name(&self, argument: &Expr) -> Result<(String, Text), String> {
        let (_, file, bytes) = self.file(argument)?;
        let shown = self.shown(&file);
        let text = String::from_utf8(bytes.clone());
        let text = text.map_err(|_| format!("`{shown}` cannot be read: it is not valid UTF-8"))?;
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.push((file, bytes));
        Ok((text, shown))
    }

    /// The file that an argument names, as it is named and under its one true name, and what it holds.
    fn file(&self, argument: &Expr) -> Result<(PathBuf, PathBuf, Vec<u8>), String> {
        let path = self.path(argument, 0);
        let path = path.ok_or(UNTOLD)?;
        let unreadable = |reason: &str| format!("`{path}` cannot be read: {reason}");
        let missing = || unreadable("the file does not exist");
        let folder = self.folder.as_ref().ok_or(NO_FOLDER)?;
        let files = self.graph.files;
        let named = existing(files, folder.join(&path)).map_err(|_| missing())?;
        let file = files.canonical(&named).map_err(|_| missing())?;
        let bytes = files.read(&file);
        let bytes = bytes.map_err(|error| unreadable(&error.to_string()))?;
        Ok((named, file, bytes))
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

impl Graph<'_> {
    /// The text of the file that an `include_str!` in a module names, and all of its place there; the file is an input of
    /// the module from then on.
    ///
    /// # Errors
    /// In words, where the file cannot be read.
    pub fn included_text(
        &self,
        id: ModuleId,
        place: Span,
        tokens: &[tree::Token],
    ) -> Result<(Text, Span), String> {
        let untold = || UNTOLD.to_owned();
        let owner = self.owner_of(id).ok_or_else(untold)?;
        let argument = written(tokens, &|span| self.written(span));
        let file = self.file_of_call(&owner, place);
        let includes = Includes::of_file(self, &owner, file.as_deref(), false);
        let includes = includes.ok_or_else(untold)?;
        let text = parse::parsed(&argument, |argument: &Expr| {
            includes.text_and_name(argument)
        });
        let (text, shown) = text.ok_or_else(untold)??;
        let text = Text::from(text);
        let included = self.included_source(&text, shown, place);
        let mut places = includes
            .places
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        places.push((included.file, place));
        drop(places);
        self.remember_included(&owner, includes);
        Ok((text, included))
    }

    /// Where an included text stands, for findings about it. A file that several calls include is one.
    fn included_source(&self, text: &Text, shown: Text, call: Span) -> Span {
        let sources = self.sources();
        let is_it = |id: &FileId| sources.get(*id).is_some_and(|file| file.text == *text);
        let known = sources.called(&shown).filter(is_it);
        let foreign = sources.get(call.file).is_some_and(|file| file.foreign);
        Span {
            file: known.unwrap_or_else(|| sources.add_of(foreign, shown, Arc::clone(text))),
            start: 0,
            end: u32::try_from(text.len()).unwrap_or(u32::MAX),
        }
    }

    /// The file that the paths of a call are relative to. What a macro makes stands where the macro is called. None in a
    /// file that another one includes.
    pub(super) fn file_of_call(&self, module: &Module, call: Span) -> Option<PathBuf> {
        if self.is_included(call) {
            return None;
        }
        let mut of = module.file.get().cloned();
        let mut next = module.parent;
        while of.is_none() {
            let parent = self.module(next?)?;
            of = parent.file.get().cloned();
            next = parent.parent;
        }
        of
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
