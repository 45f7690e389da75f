//! JSON paths outside the schema. Printer columns and selectable fields are removed with their field; a scale path to a removed
//! field is an error.

use super::super::gates::with_feature;
use super::{Closure, Finding, View};
use crd_channels_check::{Removed, removed_json_path};
use crd_channels_diagnostics::{Code, Spanned, Text};
use crd_channels_schema::draft::Gate;
use crd_channels_schema::{Column, Scale};

/// Keeps the columns whose paths reach nothing that the channel lacks.
pub fn keep_columns(columns: &mut Vec<Spanned<Column>>, views: &[View<'_>]) {
    columns.retain(|column| removed(&column.value.json_path, views).is_none());
}

/// Keeps the selectable fields that the channel has.
pub fn keep_selectable(paths: &mut Vec<Spanned<Text>>, views: &[View<'_>]) {
    paths.retain(|path| removed(&path.value, views).is_none());
}

fn removed(path: &str, views: &[View<'_>]) -> Option<Removed> {
    let mut views = views.iter();
    views.find_map(|view| removed_json_path(path, view.full, view.left))
}

impl Closure<'_> {
    /// Checks the paths of the scale subresource.
    pub(super) fn scale(&mut self, views: &[View<'_>], scale: &Spanned<Scale>) {
        let Spanned { value: scale, span } = scale;
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
            let removed = path.and_then(|path| removed(path, views));
            let (Some(path), Some(removed)) = (path, removed) else {
                continue;
            };
            let gate: Option<&Gate> = self.keeper(&removed);
            self.report(Finding {
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
                    "write the subresource under the same gate{}, or name a field that every channel has",
                    gate.map_or_else(String::new, |gate| format!(
                        ", `#[{}]`",
                        with_feature(gate, Some("kube(scale(..))"))
                    ))
                ),
            });
        }
    }
}
