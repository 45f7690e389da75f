//! Lowers the reader's items to drafts, as serde, schemars and kube-derive treat the types.

mod kinds;
mod root_types;
mod hole;
mod holes;
mod types;
mod size;
mod shapes;
mod facets;
mod marks;
mod conditions;
mod idle;
mod defaults;
mod older;
mod provable;
mod same_names;
mod schema_ids;
mod root_defaults;
mod builtin;
mod written;

use crate::budget::Budget;
use crate::overrides::ResolvedOverrides;
use crate::reader::Reader;
use crd_channels_diagnostics::Sink;
use crd_channels_schema::draft::Draft;
use crd_channels_source::{Graph, TypeRef};
use rayon::ThreadPoolBuilder;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use types::{Memo, Task};

pub use crate::overrides::{Idle, Overrides, RecordedField, Records};
pub use hole::{Hole, Missing, is_found_by_compiling, is_recordable, mark, marked};

/// Returns a draft of each of these types, which derive `CustomResource`, and the overrides that none of them needs.
///
/// `overrides` replace source that cannot be changed.
///
/// Leaves out kinds whose types cannot be read completely, and reports why. Each finding is in `sink` once, in the order of the
/// kinds that lead to it.
pub fn drafts_of(
    graph: &Graph<'_>,
    kinds: &[TypeRef],
    overrides: &Overrides,
    sink: &mut Sink,
) -> (Vec<Draft>, Vec<Idle>) {
    let (drafts, _, idle) = lower(graph, kinds, overrides, false, sink);
    (drafts.into_iter().flatten().collect(), idle)
}

/// Returns a draft of each of these types, `None` for those that cannot be read at all. Marks what the source does not
/// determine, instead of reporting it.
pub fn drafts_with_holes(
    graph: &Graph<'_>,
    kinds: &[TypeRef],
    overrides: &Overrides,
    sink: &mut Sink,
) -> (Vec<Option<Draft>>, Vec<Hole>) {
    let (drafts, holes, _) = lower(graph, kinds, overrides, true, sink);
    (drafts, holes)
}

fn lower(
    graph: &Graph<'_>,
    kinds: &[TypeRef],
    overrides: &Overrides,
    marking: bool,
    sink: &mut Sink,
) -> (Vec<Option<Draft>>, Vec<Hole>, Vec<Idle>) {
    let resolved = ResolvedOverrides::new(overrides, graph);
    let memo = Memo::default();
    let lower = || -> Vec<_> {
        let tasks = kinds.par_iter().map(|kind| {
            let budget = Budget::default();
            let reader = Reader {
                graph,
                overrides: &resolved,
                budget: &budget,
            };
            let mut task = Task::new(reader, &memo, kind);
            if marking {
                task = task.marking();
            }
            let draft = task.draft(kind);
            (draft, task.into_findings())
        });
        tasks.collect()
    };
    let lowered = match ThreadPoolBuilder::new()
        .stack_size(crd_channels_schema::STACK)
        .build()
    {
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
    (drafts, holes, resolved.idle())
}

#[cfg(test)]
mod tests;
