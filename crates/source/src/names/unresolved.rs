//! Diagnostics about paths that cannot be resolved.

use crate::graph::Graph;
use crate::ids::ModuleId;
use crd_channels_diagnostics::{self as diag, Code, Diagnostic, Span, Text};
use crd_channels_syntax::cfg;
use crd_channels_syntax::tree::{MacroDef, Path};
use std::sync::Arc;

/// Why a path cannot be resolved.
#[derive(Debug)]
pub(crate) enum Unresolved {
    /// The module does not have the name.
    Name(Text, ModuleId),
    /// The crate does not exist.
    Crate(Text),
    /// A file cannot be read, with the diagnostic about it.
    Unread(Box<Diagnostic>),
    /// Only a glob has the name, next to a call that may generate another item of that name.
    Doubtful(Text, Arc<MacroDef>),
    /// Another reason, in words.
    Because(String),
}

impl Unresolved {
    /// The diagnostic. `inner` is the error and the span of a `use` on the way, which is usually the cause. An unreadable file
    /// is reported as just that, so that one cause has one diagnostic.
    pub(crate) fn report(
        self,
        graph: &Graph<'_>,
        path: &Path,
        inner: Option<(Unresolved, Span)>,
    ) -> Box<Diagnostic> {
        let (cause, through) = match inner {
            Some((cause, span)) => (cause, Some(span)),
            None => (self, None),
        };
        if let Unresolved::Unread(found) = cause {
            return found;
        }
        if let Unresolved::Doubtful(name, call) = &cause {
            let message = format!(
                "`{path}` is ambiguous: a glob has `{name}`, and `{}!` may define it too",
                call.name
            );
            let found = Diagnostic::new(Code::UnresolvedPath, path.span, message);
            return Box::new(
                found
                    .with_label(call.span, "the items that this generates are not visible")
                    .with_help(format!("import `{name}` by its name: `use ..::{name};`")),
            );
        }
        let words = cause.words(graph);
        let mut found = Diagnostic::new(
            Code::UnresolvedPath,
            path.span,
            format!("`{path}` does not resolve: {words}"),
        );
        if let Some(span) = through {
            found = found.with_label(span, "through this `use`");
        }
        if let Unresolved::Name(name, module) = &cause {
            found = with_suspects(found, graph, name, *module);
        }
        Box::new(found)
    }

    fn words(&self, graph: &Graph<'_>) -> String {
        match self {
            Unresolved::Name(name, module) => {
                let module = graph.proper(*module);
                format!("there is no `{name}` in `{}`", graph.module_path(module))
            }
            Unresolved::Crate(name) => format!("unknown crate `{name}`"),
            Unresolved::Unread(found) => found.message.clone(),
            Unresolved::Doubtful(name, _) => format!("a macro may define another `{name}`"),
            Unresolved::Because(words) => words.clone(),
        }
    }
}

/// Adds what may have removed or hidden the name, and the nearest name.
fn with_suspects(found: Diagnostic, graph: &Graph<'_>, name: &str, id: ModuleId) -> Diagnostic {
    let Some(module) = graph.module(id) else {
        return found;
    };
    let content = graph.content(id, &module);
    // No expansion, which may be in the making: `contents` would wait for it.
    let made = module.expansion.get().and_then(Option::as_ref);
    let hidden = std::iter::once(content).chain(made);
    let hidden = hidden.flat_map(|content| &content.hidden);
    let hidden = hidden.filter(|hidden| &*hidden.name == name || &*hidden.name == "*");
    // The name itself before a glob, which only may have imported it. The last of several globs, since version trees are in
    // ascending order.
    if let Some(hidden) = hidden.rev().min_by_key(|hidden| &*hidden.name == "*") {
        let cfg = &hidden.cfg;
        return found
            .with_label(
                hidden.span,
                format!(
                    "`{}` exists only with `cfg({cfg})`, which cannot be evaluated",
                    hidden.name
                ),
            )
            .with_help(cfg::declaration(cfg));
    }
    let names = content.types.keys().chain(content.values.keys());
    let mut names: Vec<&str> = names
        .chain(content.uses.keys())
        .map(|name| &**name)
        .collect();
    names.sort_unstable();
    if let Some(near) = diag::nearest(name, names) {
        return found.with_help(format!("did you mean `{near}`?"));
    }
    match content.calls.first() {
        Some(call) => found.with_label(
            call.span,
            format!(
                "`{}!` may define it; items that macros generate are not visible",
                call.name
            ),
        ),
        None => found,
    }
}
