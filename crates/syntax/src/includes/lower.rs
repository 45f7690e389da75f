//! Items included by `include!("..")`.

use super::DEEPEST;
use super::UNREAD;
use crate::lower_items::lowering::Lowering;
use crate::parse;
use crate::tree::Item;
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Span, Text};
use std::sync::{Arc, PoisonError};
use std::thread;
use syn::parse::ParseStream;
use syn::{Expr, Macro, Token};

impl Lowering<'_> {
    /// The items of the file that an `include!` names.
    ///
    /// # Errors
    /// A message if the file cannot be read.
    pub(crate) fn included(&mut self, call: &Macro, place: Span) -> Result<Vec<Item>, String> {
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
        let shown = includes.display_path(&file);
        let text = String::from_utf8(bytes.clone());
        let text = Text::from(text.map_err(|_| format!("`{shown}` is not valid UTF-8"))?);
        let sources = includes.sources;
        let id = sources.add_of(includes.foreign, shown, Arc::clone(&text));
        let inner = includes.of_included(&named, &file);
        let (scope, depth, around) = (self.scope, self.depth, &self.around);
        let mut sink = Sink::default();
        // Parsed on another thread: the spans of this file are still needed, and parsing the other one invalidates its thread's
        // spans.
        let read = || parse::parse_within(&text, id, scope, &inner, depth, around, &mut sink);
        let parsed = thread::scope(|threads| threads.spawn(read).join());
        self.sink.append(sink);
        let parsed = parsed.map_err(|_| "it cannot be parsed".to_owned())?;
        if let Some(failed) = parsed.failed {
            self.sink.push(failed);
        }
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

    /// Reports that the items of an `include!` are not read, if they may contain kinds.
    pub(crate) fn unread_include(&mut self, why: String, place: Span) {
        if self.includes.is_none_or(|includes| !includes.strict) {
            return;
        }
        let message = format!("{UNREAD}{why}");
        let found = Diagnostic::new(Code::UnreadItems, place, message);
        self.sink.push(found.with_help(
            "if there are kinds in the file, commit it and include it by a path from this file, as in `include!(\"kinds.rs\")`",
        ));
    }
}
