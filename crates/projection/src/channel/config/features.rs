//! `channels/features.toml`: the features that gates may name.

use super::crd_folders::{FeaturePath, read_paths};
use super::table::Table;
use crd_channels_diagnostics::{Code, Diagnostic, Span, Spanned, Text, nearest};
use crd_channels_markers::{Check, feature_name};
use semver::Version;

/// The feature of gates that name none. It needs no declaration.
pub const UNNAMED: &str = "unnamed";

/// The declared features.
#[derive(Clone, Debug, Default)]
pub struct Features {
    /// In the order of the file.
    pub declared: Vec<Feature>,
}

/// A declared feature.
#[derive(Clone, Debug)]
pub struct Feature {
    /// Its name.
    pub name: Spanned<Text>,
    /// `summary`: its purpose, in a sentence.
    pub summary: Text,
    /// `owner`: the team or person responsible for it.
    pub owner: Option<Text>,
    /// `link`: its documentation.
    pub link: Option<Text>,
    /// `since`: the first bundle that has it.
    pub since: Option<Spanned<Text>>,
    /// `paths`: the places that it gates, if the bundle's source is CRDs. In Rust types, gates name the feature.
    pub paths: Vec<Spanned<FeaturePath>>,
}

impl Features {
    /// Returns all names, including `unnamed`.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let declared = self.declared.iter().map(|feature| &*feature.name.value);
        declared.chain([UNNAMED])
    }

    /// Returns true if the feature is declared.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.names().any(|known| known == name)
    }

    /// Returns the error for a requested feature that is not declared.
    #[must_use]
    pub fn nobody_declares(&self, name: &str) -> Diagnostic {
        let help = match nearest(name, self.names()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("available: {}", self.names().collect::<Vec<_>>().join(", ")),
        };
        let message = format!("unknown feature `{name}`");
        Diagnostic::new(Code::UnknownFeature, None, message).with_help(help)
    }

    /// Returns the error for an undeclared feature that `who` names.
    pub(in crate::channel) fn unknown(&self, name: &str, span: Span, who: &str) -> Diagnostic {
        let help = match nearest(name, self.names()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => {
                format!("declare it in `channels/features.toml`: `[{name}]` and `summary = \"..\"`")
            }
        };
        let message = format!("{who} names the feature `{name}`, which is not declared");
        Diagnostic::new(Code::UnknownFeature, span, message).with_help(help)
    }
}

/// Returns true for `v0.2.0` and `0.2.0`, also of a pre-release.
fn is_bundle(version: &str) -> bool {
    Version::parse(version.strip_prefix('v').unwrap_or(version)).is_ok()
}

pub(super) fn read_features(table: &mut Table<'_, '_>) -> Features {
    let declared = table.named_tables(|name, table| {
        let span = table.span();
        let summary = table.required_text("summary");
        let mut text = |key| table.text(key).map(|text| text.value);
        let (owner, link) = (text("owner"), text("link"));
        let since = table.text("since");
        if let Some(since) = since.as_ref().filter(|since| !is_bundle(&since.value)) {
            table.report(
                since.span,
                format!("`{}` is not the version of a bundle", since.value),
                "write it as in `since = \"v0.2.0\"`, or remove the key",
            );
        }
        let paths = read_paths(table);
        if name == UNNAMED {
            table.report(
                span,
                format!("`{UNNAMED}` is reserved for gates that name no feature"),
                "remove this table, or name the feature and use that name in the gates",
            );
        } else if Check::Feature.check("feature", name).is_err() {
            table.report(
                span,
                format!(
                    "`{name}` is not a feature name: a capital letter, then letters and digits"
                ),
                format!("write `[{}]`", feature_name(name)),
            );
            return None;
        }
        Some(Feature {
            name: Spanned {
                value: name.into(),
                span,
            },
            summary: summary.map(|text| text.value).unwrap_or_default(),
            owner,
            link,
            since,
            paths,
        })
    });
    Features { declared }
}
