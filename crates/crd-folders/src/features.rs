//! Which feature gates what only some channels have.

use crd_channels_diagnostics::{Code, Diagnostic, Sink, Span, Spanned, Text};
use crd_channels_projection::channel::config::{Channel, Config, FeaturePath, UNNAMED};
use crd_channels_schema::draft::Gate;

/// The features of the configuration, with the places that they name.
pub(crate) struct Features<'a> {
    channels: &'a [&'a Channel],
    listed: Vec<Listed<'a>>,
}

/// A place that a feature names.
struct Listed<'a> {
    feature: &'a Text,
    path: &'a Spanned<FeaturePath>,
    /// Whether the channels differ there.
    is_used: bool,
}

/// A part of a version of a kind.
#[derive(Clone, Copy)]
pub(crate) struct Part<'a> {
    pub(crate) group: &'a str,
    pub(crate) kind: &'a str,
    pub(crate) version: &'a str,
    /// Such as `spec.rules[]`; empty for the version itself.
    pub(crate) path: &'a str,
}

/// Whether each channel has a part; `None` for channels without the part around it.
pub(crate) type Presence = [Option<bool>];

/// Whether each channel has something in the part around it.
pub(crate) fn presence<T: Copy>(each: &[Option<T>], has: impl Fn(T) -> bool) -> Vec<Option<bool>> {
    each.iter().map(|it| it.map(&has)).collect()
}

impl<'a> Features<'a> {
    pub(crate) fn new(config: &'a Config, channels: &'a [&'a Channel]) -> Self {
        let declared = config.features.declared.iter();
        let listed = declared.flat_map(|feature| {
            feature.paths.iter().map(|path| Listed {
                feature: &feature.name.value,
                path,
                is_used: false,
            })
        });
        Self {
            channels,
            listed: listed.collect(),
        }
    }

    /// Returns the gate of a version, field or value that some channels have; `None` if all have it that could. Reports one that is
    /// in other channels than its feature.
    pub(crate) fn gate(
        &mut self,
        part: Part<'_>,
        presence: &Presence,
        span: Span,
        sink: &mut Sink,
    ) -> Option<Gate> {
        self.gate_by(&[true], part, presence, span, sink)
    }

    /// Returns the gate of a setting, which channels without the feature may have instead.
    pub(crate) fn gate_of_setting(
        &mut self,
        part: Part<'_>,
        presence: &Presence,
        span: Span,
        sink: &mut Sink,
    ) -> Option<Gate> {
        self.gate_by(&[true, false], part, presence, span, sink)
    }

    fn gate_by(
        &mut self,
        states: &[bool],
        part: Part<'_>,
        presence: &Presence,
        span: Span,
        sink: &mut Sink,
    ) -> Option<Gate> {
        if presence.iter().all(|has| *has != Some(false)) {
            return None;
        }
        let nearest = self
            .listed
            .iter_mut()
            .filter(|listed| covers(&listed.path.value, part))
            .max_by_key(|listed| {
                let FeaturePath { version, path, .. } = &listed.path.value;
                (path.len(), version.is_some())
            });
        let (feature, path) = match nearest {
            Some(listed) => {
                listed.is_used = true;
                (listed.feature.clone(), Some(listed.path.span))
            }
            None => (Text::from(UNNAMED), None),
        };
        let is_where = |on: bool| {
            self.channels.iter().zip(presence).all(|(channel, has)| {
                has.is_none_or(|has| has == (channel.features.contains(&feature) == on))
            })
        };
        match states.iter().find(|on| is_where(**on)) {
            Some(&on) => Some(Gate { feature, on, span }),
            None => {
                sink.push(self.misplaced(part, presence, (&feature, path), span));
                None
            }
        }
    }

    /// The error about a part that is in other channels than its feature.
    fn misplaced(
        &self,
        part: Part<'_>,
        presence: &Presence,
        (feature, path): (&str, Option<Span>),
        span: Span,
    ) -> Diagnostic {
        let channels = self.channels.iter().zip(presence);
        let named = |wanted: bool| {
            let names = channels.clone().filter(|(_, has)| **has == Some(wanted));
            let names: Vec<&str> = names.map(|(channel, _)| &*channel.name).collect();
            format!("`{}`", names.join("`, `"))
        };
        let what = match part.path {
            "" => format!("`{}` {}", part.kind, part.version),
            path => format!("`{path}` of `{}` {}", part.kind, part.version),
        };
        let (having, lacking) = (named(true), named(false));
        let place = match part.path {
            "" => format!("{} {}", part.kind, part.version),
            path => format!("{}: {path}", part.kind),
        };
        let on = self.channels.iter();
        let on = on.filter(|channel| channel.features.contains(feature));
        let on: Vec<&str> = on.map(|channel| &*channel.name).collect();
        let on = match on.is_empty() {
            true => "no channel".to_owned(),
            false => format!("`{}`", on.join("`, `")),
        };
        let message = format!(
            "the channels {having} and {lacking} differ in {what}, but the feature `{feature}` is on in {on}"
        );
        let finding = Diagnostic::new(Code::ChannelsDiffer, span, message);
        match path {
            Some(path) => finding
                .with_label(path, "the feature has this place")
                .with_help("make the CRDs of the channels alike there, or correct `features` of the channels"),
            None => finding.with_help(format!(
                "make the CRDs of the channels alike there, or name the place in `channels/features.toml`, `paths = [\"{place}\"]`, under a feature of the channels {having}"
            )),
        }
    }

    /// Reports places that several features name, and those at which the channels do not differ.
    pub(crate) fn unused(&self, sink: &mut Sink) {
        for listed in self.listed.iter().filter(|listed| !listed.is_used) {
            let mut used = self.listed.iter().filter(|other| other.is_used);
            if let Some(other) = used.find(|other| other.path.value == listed.path.value) {
                let message = format!(
                    "the features `{}` and `{}` both name `{}`",
                    listed.feature, other.feature, listed.path.value
                );
                let finding = Diagnostic::new(Code::ConfigInvalid, listed.path.span, message);
                let finding = finding.with_label(other.path.span, "named here, too");
                sink.push(finding.with_help("leave the place to one of them"));
                continue;
            }
            let message = format!(
                "the feature `{}` names `{}`, where all channels are alike",
                listed.feature, listed.path.value
            );
            let help = "correct the place, or remove it if the feature has become stable there";
            let finding = Diagnostic::new(Code::UnusedFeature, listed.path.span, message);
            sink.push(finding.with_help(help));
        }
    }
}

/// Whether a place that a feature names is the part, or is around it.
fn covers(place: &FeaturePath, part: Part<'_>) -> bool {
    let of = |wanted: &Option<Text>, is: &str| wanted.as_deref().is_none_or(|it| it == is);
    let rest = part.path.strip_prefix(&*place.path);
    *place.kind == *part.kind
        && of(&place.group, part.group)
        && of(&place.version, part.version)
        && rest.is_some_and(|rest| {
            place.path.is_empty() || rest.is_empty() || rest.starts_with(['.', '[', '{'])
        })
}
