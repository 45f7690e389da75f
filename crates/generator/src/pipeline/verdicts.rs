//! What an API server would say of the CRDs that are about to be written, told at the source that they come from.

use crate::check;
use crate::diag::{Code, Diagnostic, Sink};
use crate::schema::Crd;

/// Judges a CRD. What is wrong in several channels is told alike for each.
pub fn judge(crd: &Crd, sink: &mut Sink) {
    for finding in refused(crd) {
        sink.push(finding);
    }
}

fn refused(crd: &Crd) -> Vec<Diagnostic> {
    // A CRD that cannot be turned into JSON cannot be written either, which says so itself.
    let Ok(document) = serde_json::to_value(crd) else {
        return Vec::new();
    };
    let name = crd.name();
    // Sizes have diagnostics of their own, which know the layout.
    check::judge_content(&document)
        .into_iter()
        .filter(check::Finding::refuses)
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
