//! The CRDs that objects are validated against, and which one counts where several have one kind.

use crate::commands::crd_document::CrdDocument;
use crate::commands::type_meta::TypeMeta;
use crd_channels_compat::Published;
use crd_channels_diagnostics::Diagnostic;
use crd_channels_projection::channel::warning;
use crd_channels_released::manifest::Manifest;
use crd_channels_validation::Validator;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// A CRD with the place that it comes from.
#[derive(Debug)]
pub(crate) struct Crd {
    pub(crate) document: CrdDocument,
    /// Its file, as messages name it.
    pub(crate) file: String,
    /// Its channel, if its annotations or its bundle name one.
    pub(crate) channel: Option<String>,
    /// The manifest of its bundle.
    pub(crate) manifest: Option<Arc<Manifest>>,
    versions: BTreeMap<String, Version>,
}

/// A version of a CRD.
#[derive(Debug, Default)]
struct Version {
    /// Made when the first object needs it.
    validator: OnceLock<Result<Validator, String>>,
    /// The warning of servers, read when the first object needs it.
    deprecation: OnceLock<Option<String>>,
}

/// Why no server has objects of a CRD.
pub(crate) struct Defect {
    /// The field, as a JSON pointer.
    pub(crate) field: &'static str,
    pub(crate) message: String,
}

impl Defect {
    /// What to do.
    pub(crate) const HELP: &str = "`crd-channels check` reports its errors";

    /// Finds what is wrong with a CRD of any version.
    pub(crate) fn of(document: &Value) -> Option<Self> {
        let text = |pointer| document.pointer(pointer).and_then(Value::as_str);
        let name = text("/metadata/name").unwrap_or_default();
        let wrong = |field, why: &str| {
            let message = format!("the CRD `{name}` {why}");
            Some(Self { field, message })
        };
        if TypeMeta::of(document).version() != "v1" {
            return wrong(
                "/apiVersion",
                "is not of `apiextensions.k8s.io/v1`, the only version that servers have",
            );
        }
        let needed = ["/spec/group", "/spec/names/kind", "/spec/versions/0/name"];
        let missing = needed.into_iter().find(|it| text(it).is_none())?;
        let field = missing.trim_start_matches('/').replace('/', ".");
        wrong(missing, &format!("has no `{field}`"))
    }
}

/// The CRDs of one place, such as a folder.
#[derive(Debug, Default)]
pub(crate) struct CrdSource {
    pub(crate) crds: Vec<Crd>,
    /// The channel whose CRDs count; `None` if its CRDs name no channel.
    pub(crate) channel: Option<String>,
    /// Why that is not the channel that was asked for.
    pub(crate) missing: Option<Diagnostic>,
}

/// The CRDs of one kind.
#[derive(Debug, Default)]
pub(crate) struct KindCrds {
    /// Those that could count, of which the first does.
    counting: Vec<Crd>,
    /// Those of other channels.
    others: Vec<Crd>,
}

/// The CRDs of all kinds, by group and kind.
#[derive(Debug, Default)]
pub(crate) struct Crds(BTreeMap<(String, String), KindCrds>);

impl Crd {
    /// Reads a document; `None` if it is not a CRD.
    ///
    /// # Errors
    /// Its [`Defect`], in one line.
    pub(crate) fn read(document: Value, file: &str) -> Result<Option<Self>, String> {
        let named = TypeMeta::of(&document);
        if named.kind != "CustomResourceDefinition" || named.group() != "apiextensions.k8s.io" {
            return Ok(None);
        }
        if let Some(Defect { message, .. }) = Defect::of(&document) {
            return Err(format!("`{file}`: {message}; {}", Defect::HELP));
        }
        let versions = document.pointer("/spec/versions").and_then(Value::as_array);
        let named = versions.into_iter().flatten().filter_map(|version| {
            let name = version.get("name")?.as_str()?.to_owned();
            Some((name, Version::default()))
        });
        Ok(Some(Self {
            versions: named.collect(),
            channel: annotated_channel(&document),
            file: file.to_owned(),
            manifest: None,
            document: CrdDocument(document),
        }))
    }

    /// Sets its channel, and the manifest of its bundle.
    pub(crate) fn of_channel(self, channel: &str, manifest: Option<&Arc<Manifest>>) -> Self {
        Self {
            channel: Some(channel.to_owned()),
            manifest: manifest.cloned(),
            ..self
        }
    }

    /// Its group and its kind.
    fn key(&self) -> (String, String) {
        let (group, kind) = (self.document.group(), self.document.kind());
        (group.to_owned(), kind.to_owned())
    }

    /// Whether servers accept requests for a version.
    pub(crate) fn serves(&self, version: &str) -> bool {
        self.document.served().any(|name| name == version)
    }

    /// Returns the validator of a version, or why there is none.
    pub(crate) fn validator(&self, version: &str) -> Result<&Validator, String> {
        let Some(known) = self.versions.get(version) else {
            return Err(format!("it has no version `{version}`"));
        };
        let make = || Validator::new(&self.document.0, version).map_err(|why| why.to_string());
        known
            .validator
            .get_or_init(make)
            .as_ref()
            .map_err(Clone::clone)
    }

    /// The warning that servers send with every response about a version.
    pub(crate) fn deprecation(&self, version: &str) -> Option<&str> {
        let known = self.versions.get(version)?;
        let read = || {
            let published = Published::read(&self.document.0).ok().flatten()?;
            warning::deprecation_warning(&published.crd, version)
        };
        known.deprecation.get_or_init(read).as_deref()
    }
}

/// The value of a CRD's annotation `<prefix>/channel`.
fn annotated_channel(document: &Value) -> Option<String> {
    let annotations = document.pointer("/metadata/annotations")?.as_object()?;
    let mut channels = annotations.iter();
    let (_, channel) = channels.find(|(name, _)| name.ends_with("/channel"))?;
    channel.as_str().map(str::to_owned)
}

impl Crds {
    /// Puts the CRDs of places together: the first place that has a kind counts.
    pub(crate) fn of(sources: Vec<CrdSource>) -> Self {
        let mut all = Self::default();
        for CrdSource { crds, channel, .. } in sources {
            for crd in crds {
                let kind = all.0.entry(crd.key()).or_default();
                match crd.channel.is_none() || crd.channel == channel {
                    true => kind.counting.push(crd),
                    false => kind.others.push(crd),
                }
            }
        }
        all
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The CRDs that count, each kind once.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Crd> {
        self.0.values().filter_map(|kind| kind.counting.first())
    }

    /// The CRD that counts for a kind.
    pub(crate) fn get(&self, named: TypeMeta<'_>) -> Option<&Crd> {
        self.kind(named)?.counting.first()
    }

    /// The CRDs of a kind in other channels.
    pub(crate) fn of_other_channels(&self, named: TypeMeta<'_>) -> &[Crd] {
        self.kind(named).map_or(&[], |kind| &kind.others)
    }

    fn kind(&self, named: TypeMeta<'_>) -> Option<&KindCrds> {
        let key = (named.group().to_owned(), named.kind.to_owned());
        self.0.get(&key)
    }

    /// The CRDs of a group, each kind once.
    pub(crate) fn of_group(&self, group: &str) -> impl Iterator<Item = (&str, &Crd)> {
        let first = (group.to_owned(), String::new());
        let from = self.0.range(first..);
        let within = from.take_while(move |((own, _), _)| own == group);
        within.filter_map(|((_, kind), crds)| {
            let crd = crds.counting.first().or(crds.others.first())?;
            Some((kind.as_str(), crd))
        })
    }

    /// Says which CRD counts where several places have different ones of a kind.
    pub(crate) fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        for ((group, kind), crds) in &self.0 {
            let Some((counts, rest)) = crds.counting.split_first() else {
                continue;
            };
            for other in rest.iter().filter(|it| it.document != counts.document) {
                notes.push(format!(
                    "`{kind}` of `{group}`: the CRD in `{}` counts, not that in `{}`",
                    counts.file, other.file
                ));
            }
        }
        notes
    }
}
