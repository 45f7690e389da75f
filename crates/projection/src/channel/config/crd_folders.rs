//! Bundles whose source is CRDs: what their configuration may say, and how features name places in them.

use super::table::Table;
use super::{Bundle, Config, FOLDER, Overrides};
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Span, Spanned, Text};
use std::fmt;
use std::path::Path;

/// A place that a feature gates: a kind, one of its versions, or a field with everything below it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct FeaturePath {
    /// The kind.
    pub kind: Text,
    /// Its group, if several groups have the kind.
    pub group: Option<Text>,
    /// The version, if it is about one.
    pub version: Option<Text>,
    /// The path, such as `spec.rules[].timeouts`; empty for the whole kind or version.
    pub path: Text,
}

impl FeaturePath {
    /// Reads `Kind`, `Kind.group`, `Kind v1` and each of these with `: path` after it.
    fn parse(text: &str) -> Option<Self> {
        let (what, path) = match text.split_once(':') {
            Some((what, path)) => (what, path.trim()),
            None => (text, ""),
        };
        let mut words = what.split_whitespace();
        let (name, version) = (words.next()?, words.next());
        let (kind, group) = match name.split_once('.') {
            Some((kind, group)) => (kind, Some(group)),
            None => (name, None),
        };
        let is_name = |name: &str| name.starts_with(|first: char| first.is_ascii_uppercase());
        let has_path = !text.contains(':') || !path.is_empty();
        (is_name(kind) && group != Some("") && words.next().is_none() && has_path).then(|| Self {
            kind: kind.into(),
            group: group.map(Text::from),
            version: version.map(Text::from),
            path: path.into(),
        })
    }
}

impl fmt::Display for FeaturePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.kind)?;
        if let Some(group) = &self.group {
            write!(f, ".{group}")?;
        }
        if let Some(version) = &self.version {
            write!(f, " {version}")?;
        }
        match &*self.path {
            "" => Ok(()),
            path => write!(f, ": {path}"),
        }
    }
}

/// Reads `paths` of a feature.
pub(super) fn read_paths(table: &mut Table<'_, '_>) -> Vec<Spanned<FeaturePath>> {
    let mut paths = Vec::new();
    for Spanned { value, span } in table.texts("paths").unwrap_or_default() {
        match FeaturePath::parse(&value) {
            Some(value) => paths.push(Spanned { value, span }),
            None => table.report(
                span,
                format!("`{value}` is not a place in a kind"),
                "write a kind, and a path in it, as in `paths = [\"EdgeRoute: spec.rules[].timeouts\"]`",
            ),
        }
    }
    paths
}

impl Config {
    /// Whether the bundle's source is CRDs: a folder for each channel, instead of Rust types.
    #[must_use]
    pub fn is_of_crds(&self) -> bool {
        self.channels.iter().any(|channel| channel.crds.is_some())
    }

    /// Reports settings that are for the other source: those of Rust types if it is CRDs, and the other way round.
    pub(super) fn check_source(&self, sink: &mut Sink) {
        let mut refuse = |span: Option<Span>, message: String, help: String| {
            sink.push(Diagnostic::new(Code::ConfigInvalid, span, message).with_help(help));
        };
        if !self.is_of_crds() {
            let features = self.features.declared.iter();
            for path in features.flat_map(|feature| &feature.paths) {
                refuse(
                    Some(path.span),
                    format!(
                        "`{}` names a place in CRDs, but the source is Rust types",
                        path.value
                    ),
                    "write the gate in the types: `#[experimental(feature = \"..\")]`".to_owned(),
                );
            }
            for field in &self.tombstones.fields {
                refuse(
                    Some(field.path.span),
                    "`[[fields]]` reserves names in CRDs, but the source is Rust types".to_owned(),
                    format!(
                        "write it below the derives of the type: `#[tombstone(name = \"{}\", removed = \"{}\", reason = \"..\")]`",
                        field.name, field.removed
                    ),
                );
            }
            return;
        }
        for channel in &self.channels {
            let name = &channel.name;
            if channel.crds.is_none() {
                refuse(
                    Some(channel.annotation.span),
                    format!("the channel `{name}` has no folder of CRDs, but others have"),
                    format!("write `crds = \"config/crd/{name}\"` in `{FOLDER}/{name}.toml`"),
                );
            }
        }
        for tombstone in &self.tombstones.types {
            refuse(
                Some(tombstone.name.span),
                "`[[types]]` reserves names of Rust types, but the source is CRDs".to_owned(),
                "remove the entry: `[[fields]]` reserves names in CRDs".to_owned(),
            );
        }
        for (channel, other, what) in self.overlaps() {
            let folder = &channel.value;
            refuse(
                Some(channel.span),
                format!("the folder `{folder}` and {what}, `{other}`, are one in the other"),
                "let your generator write the CRDs of each channel to a folder of its own"
                    .to_owned(),
            );
        }
        for (key, used) in self.bundle.settings_of_types() {
            if let Some(span) = used {
                refuse(
                    span,
                    format!("`{key}` is for Rust types, but the source is CRDs"),
                    format!("remove `{key}`: the CRDs are published as they are"),
                );
            }
        }
    }

    /// The folders of CRDs that are inside of others which are read or written, or around them, each with the other one.
    fn overlaps(&self) -> Vec<(&Spanned<Text>, &str, &'static str)> {
        let folders = || {
            self.channels
                .iter()
                .filter_map(|channel| channel.crds.as_ref())
        };
        let is_in = |one: &str, other: &str| Path::new(one).starts_with(other);
        let mut found = Vec::new();
        for folder in folders().filter(|folder| !folder.value.is_empty()) {
            let others = folders().map(|it| (&*it.value, "that of another channel"));
            let others = others.filter(|(other, _)| *other != &*folder.value);
            let output = (&*self.bundle.output, "the one that `gen-crds` writes");
            let own = (FOLDER, "the one of the configuration");
            for (other, what) in others.chain([output, own]) {
                if is_in(&folder.value, other) || is_in(other, &folder.value) {
                    found.push((folder, other, what));
                }
            }
        }
        found
    }
}

impl Bundle {
    /// The settings that only Rust types need: each with its span, if that is known, where it is set.
    fn settings_of_types(&self) -> [(&'static str, Option<Option<Span>>); 12] {
        let default = Self::default();
        let first = |texts: &[Spanned<Text>]| texts.first().map(|text| Some(text.span));
        let Overrides {
            schemas,
            values,
            kinds,
        } = &self.overrides;
        let features = first(&self.features_off);
        let webhook = self.webhooks.default.as_ref().map(|_| None);
        let webhooks = self.webhooks.kinds.first().map(|(name, _)| Some(name.span));
        [
            ("packages", first(&self.packages)),
            ("cargo-packages", first(&self.cargo_packages)),
            (
                "cargo-features",
                features.or((!self.cargo_features.is_empty()).then_some(None)),
            ),
            ("exclude", first(&self.exclude)),
            ("pending", first(&self.pending)),
            ("[schemas]", schemas.first().map(|it| Some(it.path.span))),
            ("[values]", values.first().map(|it| Some(it.path.span))),
            ("[kinds]", kinds.first().map(|it| Some(it.name.span))),
            ("[conversion]", webhooks.or(webhook)),
            (
                "conventions",
                (self.convention != default.convention).then_some(None),
            ),
            ("cfgs", (!self.cfgs.is_empty()).then_some(None)),
            (
                "target",
                (self.target.value != default.target.value).then_some(Some(self.target.span)),
            ),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::FeaturePath;

    #[test]
    fn places_are_read_and_written() {
        for text in [
            "Route",
            "Route v1",
            "Route.a.example.com",
            "Route: spec.x[]",
        ] {
            let read = FeaturePath::parse(text).map(|path| path.to_string());
            assert_eq!(read.as_deref(), Some(text));
        }
        let all = FeaturePath::parse("Route.b.c v1alpha1: spec.rules[].x");
        assert_eq!(
            all,
            Some(FeaturePath {
                kind: "Route".into(),
                group: Some("b.c".into()),
                version: Some("v1alpha1".into()),
                path: "spec.rules[].x".into(),
            })
        );
        for text in ["", "route", "spec.x", "Route:", "Route v1 v2", "Route."] {
            assert_eq!(FeaturePath::parse(text), None, "{text}");
        }
    }
}
