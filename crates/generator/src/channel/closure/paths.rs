//! JSON paths outside the schema: printer columns and selectable fields go with the field, scale paths must not.

use super::{Closure, Finding, ungate};
use crate::Text;
use crate::check::removed_json_path;
use crate::diag::{Code, Span};
use crate::schema::draft::Gate;
use crate::schema::{Column, Scale, Schema};

/// The columns whose paths run through nothing that the channel lacks.
pub fn keep_columns(columns: &mut Vec<(Column, Span)>, full: &Schema, projected: &Schema) {
    columns.retain(|(column, _)| removed_json_path(&column.json_path, full, projected).is_none());
}

/// The same for selectable fields.
pub fn keep_selectable(paths: &mut Vec<(Text, Span)>, full: &Schema, projected: &Schema) {
    paths.retain(|(path, _)| removed_json_path(path, full, projected).is_none());
}

impl Closure<'_> {
    /// Checks the paths of the scale subresource.
    pub(super) fn scale(&mut self, full: &Schema, projected: &Schema) {
        let Some((scale, span)) = &self.draft.scale else {
            return;
        };
        let Scale {
            spec_replicas_path,
            status_replicas_path,
            label_selector_path,
        } = scale;
        let paths = [
            ("spec_replicas_path", Some(spec_replicas_path)),
            ("status_replicas_path", Some(status_replicas_path)),
            ("label_selector_path", label_selector_path.as_ref()),
        ];
        for (key, path) in paths {
            let removed = path.and_then(|path| removed_json_path(path, full, projected));
            let (Some(path), Some(removed)) = (path, removed) else {
                continue;
            };
            let gate: Option<&Gate> = self.keeper(&removed);
            self.tell(Finding {
                code: Code::GatedScalePath,
                span: Some(*span),
                what: format!(
                    "the `{key}` `{path}` of `{}` {} runs through `{}`",
                    self.draft.kind,
                    self.draft.version,
                    removed.path.trim_start_matches('.')
                ),
                name: &removed.name,
                of: removed.origin.0,
                gate,
                help: format!(
                    "{}, or name a field that every channel has",
                    ungate(gate, &removed.name)
                ),
            });
        }
    }
}
