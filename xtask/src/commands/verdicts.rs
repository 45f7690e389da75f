//! What an API server would say of the CRDs that are about to be written, told at the source that they come from.

use crate::check::{self, Rule};
use crate::diag::{Code, Diagnostic, Sink};
use crate::schema::Crd;
use rayon::prelude::*;

/// Judges CRDs of whatever channels. What is wrong in several is told alike for each.
///
/// What is wrong already would be told a second time, in the server's words, so after errors nothing is judged.
pub fn judge<'c>(crds: impl ParallelIterator<Item = &'c Crd>, sink: &mut Sink) {
    if sink.has_errors() {
        return;
    }
    let refused: Vec<Diagnostic> = crds.flat_map_iter(of_crd).collect();
    refused.into_iter().for_each(|finding| sink.push(finding));
}

fn of_crd(crd: &Crd) -> Vec<Diagnostic> {
    // A CRD that cannot be turned into JSON cannot be written either, which says so itself.
    let Ok(document) = serde_json::to_value(crd) else {
        return Vec::new();
    };
    let name = crd.name();
    check::judge(&document)
        .into_iter()
        // Sizes have diagnostics of their own, which know the layout.
        .filter(|finding| finding.refuses() && finding.rule != Rule::TooLarge)
        .map(|finding| {
            let field = finding.field.as_deref().unwrap_or_default();
            let written = check::as_written(field, crd.versions.len());
            let id = finding.rule.record().id;
            let message = format!(
                "an API server refuses `{name}` at `{written}`: {}",
                finding.message
            );
            let help = format!("{} (`cargo xtask explain {id}`)", finding.help());
            Diagnostic::new(Code::RefusedCrd, check::origin(crd, field), message).with_help(help)
        })
        .collect()
}
