//! `channels/features.toml`: the features that gates may name.

use super::table::{At, Table};
use crate::Text;
use std::collections::BTreeMap;

/// The feature of `#[experimental]` without a name. It is always declared.
pub const UNNAMED: &str = "unnamed";

/// A declared feature.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Feature {
    /// The name, with its place.
    pub name: At<Text>,
    /// What it is for, in a sentence.
    pub summary: Text,
    /// Who decides about it.
    pub owner: Text,
    /// Where it is described.
    pub link: Text,
    /// The bundle it appeared in.
    pub since: Text,
}

/// All declared features.
#[derive(Clone, Debug, Default)]
pub struct Features(BTreeMap<Text, Feature>);

impl Features {
    /// Whether a gate may name it.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        name == UNNAMED || self.0.contains_key(name)
    }

    /// The declared names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(|name| &**name)
    }

    /// The declared features, in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = &Feature> {
        self.0.values()
    }
}

pub(super) fn read(table: &mut Table<'_>) -> Features {
    let features = table.named_tables(|feature| {
        let mut text = |key| {
            feature
                .required_text(key)
                .map(|text| text.value)
                .unwrap_or_default()
        };
        (text("summary"), text("owner"), text("link"), text("since"))
    });
    let features = features
        .into_iter()
        .map(|(name, (summary, owner, link, since))| {
            if !is_feature_name(&name.value) {
                let message = format!("`{}` cannot be the name of a feature", name.value);
                table.report(
                    name.span,
                    message,
                    "write it in upper camel case, for example `RouteTimeouts`",
                );
            }
            let feature = Feature {
                name: name.clone(),
                summary,
                owner,
                link,
                since,
            };
            (name.value, feature)
        })
        .collect();
    Features(features)
}

fn is_feature_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(|c| c.is_ascii_alphanumeric())
}
