//! From the reader's items to drafts: what serde, schemars and kube-derive would make of the types.

mod apply;
mod associated;
mod branches;
mod builtin;
mod calls;
mod checks;
mod concrete;
mod constant;
mod construct;
mod convert;
mod defaults;
mod environment;
mod display;
mod facets;
mod fallible;
mod holes;
mod iterators;
mod kinds;
mod known;
mod known_lists;
mod literal;
mod macros;
mod marks;
mod methods;
mod operators;
mod overrides;
mod root_defaults;
mod rules;
mod schema_exprs;
mod schema_lists;
mod schema_objects;
mod schema_stmts;
mod serialize;
mod serialize_body;
mod serialize_fields;
mod shapes;
mod statements;
mod std_methods;
mod strings;
mod token_exprs;
mod token_types;
mod tokens;
mod types;
mod value;
mod written;

use crate::diag::Sink;
use crate::schema::draft::Draft;
use crate::source::{Graph, TypeRef};
use rayon::ThreadPoolBuilder;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use types::{Memo, Task};

pub use holes::{Hole, Missing, is_told_by_compiling, mark, marked};
pub use overrides::{Overrides, RecordedField, Records};

/// What reads types and values: everything below this layer, in one hand.
#[derive(Clone, Copy)]
struct Reader<'g> {
    graph: &'g Graph<'g>,
    overrides: &'g Overrides,
}

/// A draft of every type that derives `CustomResource`, in the order of [`Graph::kinds`].
///
/// `overrides` says what holds in the place of source that nobody can change.
///
/// A kind whose types cannot be read whole is left out; then an error says why. Every finding stands in `sink` once,
/// in the order of the kinds that lead to it.
pub fn drafts(graph: &Graph<'_>, overrides: &Overrides, sink: &mut Sink) -> Vec<Draft> {
    drafts_of(graph, &graph.kinds(), overrides, sink)
}

/// The same of these types only.
pub fn drafts_of(
    graph: &Graph<'_>,
    kinds: &[TypeRef],
    overrides: &Overrides,
    sink: &mut Sink,
) -> Vec<Draft> {
    let (drafts, _) = lower(graph, kinds, overrides, false, sink);
    drafts.into_iter().flatten().collect()
}

/// A draft of each of these types, none for those that cannot be read at all; what source cannot tell is marked, not reported.
pub fn drafts_with_holes(
    graph: &Graph<'_>,
    kinds: &[TypeRef],
    overrides: &Overrides,
    sink: &mut Sink,
) -> (Vec<Option<Draft>>, Vec<Hole>) {
    lower(graph, kinds, overrides, true, sink)
}

fn lower(
    graph: &Graph<'_>,
    kinds: &[TypeRef],
    overrides: &Overrides,
    marking: bool,
    sink: &mut Sink,
) -> (Vec<Option<Draft>>, Vec<Hole>) {
    let memo = Memo::default();
    let lower = || -> Vec<_> {
        let tasks = kinds.par_iter().map(|kind| {
            let mut task = Task::new(Reader { graph, overrides }, &memo);
            if marking {
                task = task.marking();
            }
            let draft = task.draft(kind);
            (draft, task.into_findings())
        });
        tasks.collect()
    };
    let lowered = match ThreadPoolBuilder::new().stack_size(crate::STACK).build() {
        Ok(pool) => pool.install(lower),
        Err(_) => lower(),
    };
    let mut drafts = Vec::with_capacity(lowered.len());
    let mut holes = Vec::new();
    let mut findings = Sink::default();
    for (draft, (found, more)) in lowered {
        drafts.push(draft);
        findings.append(found);
        holes.extend(more);
    }
    findings.append(graph.take_findings());
    for finding in findings.into_diagnostics() {
        sink.push(finding);
    }
    (drafts, holes)
}

#[cfg(test)]
mod tests;
