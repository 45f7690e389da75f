//! Parses the text of a file into items, within limits, on one thread.

use super::cfg::Scope;
use super::includes::Includes;
use super::lower_items::lowering::Lowering;
use super::lower_syn;
use super::lower_syn::Base;
use super::nesting;
use super::tree::{Expr, Item, JsonNode, MacroUse};
use crd_channels_diagnostics::{Code, Diagnostic, FileId, Sink, Span};
use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use std::borrow::Cow;
use std::thread;
use unicode_normalization::{UnicodeNormalization, is_nfc};

/// The maximum nesting of brackets, four times that of typical code.
const MAX_BRACKETS: usize = 256;

/// The maximum number of open tokens; see [`nesting::Depth::open`]. Each needs stack, and address space is finite.
const MAX_OPEN: usize = 50_000;

/// The stack reserved for each open bracket and each open token, in bytes: three times the measured worst case of the parser,
/// its tree's destructor and the walk over the tree.
const STACK_PER_BRACKET: usize = 48 * 1024;
const STACK_PER_TOKEN: usize = 12 * 1024;

/// Texts that need at most this much are parsed on the calling thread; other threads have 2 MiB or more.
const STACK_AT_HAND: usize = 3 << 20;

/// The result of parsing a file.
#[derive(Debug, Default)]
pub struct Parsed {
    /// The items.
    pub items: Vec<Item>,
    /// Why the file cannot be read.
    pub failed: Option<Diagnostic>,
}

impl Parsed {
    /// The result for a file that cannot be read.
    pub fn failed(why: Diagnostic) -> Self {
        Self {
            failed: Some(why),
            ..Self::default()
        }
    }
}

/// Parses a file. Deeply nested text is parsed on a thread with a sufficient stack. Expansions of macros have no includes.
pub fn parse(
    text: &str,
    file: FileId,
    scope: &Scope<'_>,
    includes: Option<&Includes<'_>>,
    sink: &mut Sink,
) -> Parsed {
    let read = |tree: syn::File| {
        let items = Lowering::new(text, file, scope, includes, sink).file(tree);
        Parsed {
            items,
            failed: None,
        }
    };
    look(text, file, read).unwrap_or_else(|found| Parsed::failed(*found))
}

/// Parses a file that another one includes, inside `depth` modules and under the macros of `around`.
pub(super) fn parse_within(
    text: &str,
    file: FileId,
    scope: &Scope<'_>,
    includes: &Includes<'_>,
    depth: u32,
    around: &[(MacroUse, u32)],
    sink: &mut Sink,
) -> Parsed {
    let read = |tree: syn::File| {
        let mut lowering = Lowering::new(text, file, scope, Some(includes), sink);
        lowering.depth = depth;
        lowering.around = around.to_vec();
        Parsed {
            items: lowering.file(tree),
            failed: None,
        }
    };
    look(text, file, read).unwrap_or_else(|found| Parsed::failed(*found))
}

/// Runs a function on a file's tree, on the thread that parses it.
pub fn look<T: Send>(
    text: &str,
    file: FileId,
    look: impl FnOnce(syn::File) -> T + Send,
) -> Result<T, Box<Diagnostic>> {
    let depth = nesting::depth(text);
    if depth.brackets > MAX_BRACKETS {
        let found = too_deep(file, depth.deepest).with_help(format!(
            "brackets may be nested at most {MAX_BRACKETS} levels deep; move the inner part to an item of its own"
        ));
        return Err(Box::new(found));
    }
    if depth.open > MAX_OPEN {
        let found = too_deep(file, depth.longest).with_help(format!(
            "one statement may have at most {MAX_OPEN} tokens; split it"
        ));
        return Err(Box::new(found));
    }
    let stack = depth.brackets * STACK_PER_BRACKET + depth.open * STACK_PER_TOKEN;
    if stack <= STACK_AT_HAND {
        return look_here(text, file, look);
    }
    thread::scope(|threads| {
        let parser = thread::Builder::new()
            .stack_size(stack)
            .spawn_scoped(threads, || look_here(text, file, look));
        match parser.map(thread::ScopedJoinHandle::join) {
            Ok(Ok(seen)) => seen,
            _ => Err(Box::new(too_deep(file, depth.longest).with_help(
                "the stack of this machine's threads is too small; split the statement",
            ))),
        }
    })
}

fn look_here<T>(
    text: &str,
    file: FileId,
    look: impl FnOnce(syn::File) -> T,
) -> Result<T, Box<Diagnostic>> {
    let written = without_preamble(text);
    let seen = lower_syn::with_lines(&written, || {
        read(&written)
            .map(look)
            .map_err(|error| Box::new(syntax_error(text, file, &error)))
    });
    // The thread keeps every parsed text for its spans, which have been converted by now.
    proc_macro2::extra::invalidate_current_thread_spans();
    seen
}

/// Parses `a; n`.
pub fn repeated(text: &str, base: Base) -> Option<(Expr, Expr)> {
    struct Repeated(syn::Expr, syn::Expr);
    impl syn::parse::Parse for Repeated {
        fn parse(input: syn::parse::ParseStream<'_>) -> syn::Result<Self> {
            let item = input.parse()?;
            input.parse::<syn::Token![;]>()?;
            Ok(Self(item, input.parse()?))
        }
    }
    parsed(text, |Repeated(item, length): &Repeated| {
        (lower_syn::expr(base, item), lower_syn::expr(base, length))
    })
}

/// Parses expressions separated by commas.
pub fn expressions(text: &str, base: Base) -> Option<Vec<Expr>> {
    struct List(syn::punctuated::Punctuated<syn::Expr, syn::Token![,]>);
    impl syn::parse::Parse for List {
        fn parse(input: syn::parse::ParseStream<'_>) -> syn::Result<Self> {
            input
                .parse_terminated(syn::Expr::parse, syn::Token![,])
                .map(Self)
        }
    }
    parsed(text, |list: &List| {
        list.0
            .iter()
            .map(|parsed| lower_syn::expr(base, parsed))
            .collect()
    })
}

/// Parses the input of `json!`.
pub fn json(text: &str, base: Base) -> Option<JsonNode> {
    parsed(text, |input: &lower_syn::JsonInput| {
        lower_syn::json(base, input)
    })
}

/// Parses `text` as a `P` and lowers it. `None` if it is no `P`, or nested so deeply that parsing might overflow the stack.
pub fn parsed<P: syn::parse::Parse, T>(text: &str, lower: impl FnOnce(&P) -> T) -> Option<T> {
    let depth = nesting::depth(text);
    let stack = depth.brackets * STACK_PER_BRACKET + depth.open * STACK_PER_TOKEN;
    if depth.brackets > MAX_BRACKETS || stack > STACK_AT_HAND {
        return None;
    }
    let lowered = lower_syn::with_lines("", || read(text).ok().map(|parsed| lower(&parsed)));
    proc_macro2::extra::invalidate_current_thread_spans();
    lowered
}

/// Parses a text, with names in normalization form C: rustc takes those in other forms for the same.
fn read<P: syn::parse::Parse>(text: &str) -> syn::Result<P> {
    match text.is_ascii() || is_nfc(text) {
        true => syn::parse_str(text),
        false => syn::parse2(composed(text.parse()?)),
    }
}

/// Tokens with their names in normalization form C. Their nesting is limited before a text is parsed.
fn composed(tokens: TokenStream) -> TokenStream {
    let trees = tokens.into_iter().map(|tree| match tree {
        TokenTree::Ident(ident) => {
            let name: String = ident.to_string().nfc().collect();
            TokenTree::Ident(match name.strip_prefix("r#") {
                Some(raw) => Ident::new_raw(raw, ident.span()),
                None => Ident::new(&name, ident.span()),
            })
        }
        TokenTree::Group(group) => {
            let mut made = Group::new(group.delimiter(), composed(group.stream()));
            made.set_span(group.span());
            TokenTree::Group(made)
        }
        other => other,
    });
    trees.collect()
}

/// Replaces a byte order mark and a `#!` line by spaces, since syn would cut them off and shift all spans.
fn without_preamble(text: &str) -> Cow<'_, str> {
    let mark = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let rest = text.get(mark..).unwrap_or_default();
    let attribute = || {
        let behind = rest.get(2..).unwrap_or_default();
        behind.trim_start().starts_with('[')
    };
    let line = if rest.starts_with("#!") && !attribute() {
        rest.find('\n').unwrap_or(rest.len())
    } else {
        0
    };
    match mark + line {
        0 => Cow::Borrowed(text),
        blank => {
            let mut blanked = " ".repeat(blank);
            blanked.push_str(text.get(blank..).unwrap_or_default());
            Cow::Owned(blanked)
        }
    }
}

fn syntax_error(text: &str, file: FileId, error: &syn::Error) -> Diagnostic {
    let mut place = lower_syn::span(file, error.span());
    if (place.start, place.end) == (0, 0) {
        // syn has no span for "unexpected end of input".
        let end = u32::try_from(text.trim_end().len()).unwrap_or(u32::MAX);
        (place.start, place.end) = (end, end);
    }
    Diagnostic::new(Code::SyntaxError, place, error.to_string())
}

fn too_deep(file: FileId, at: usize) -> Diagnostic {
    let start = u32::try_from(at).unwrap_or(u32::MAX);
    let place = Span {
        file,
        start,
        end: start.saturating_add(1),
    };
    Diagnostic::new(Code::NestingTooDeep, place, "this is nested too deeply")
}
