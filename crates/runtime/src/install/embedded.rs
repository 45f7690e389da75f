//! The CRDs embedded in a controller's program.

use crate::bundle::{BundleInfo, NotABundle};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use serde::Deserialize;
use serde_json::Value;
use std::fmt;

/// The CRDs of one bundle, compiled into a program.
#[derive(Clone, Debug)]
pub struct Embedded {
    bundle: BundleInfo,
    crds: Vec<CustomResourceDefinition>,
    /// The original documents: the `k8s-openapi` of a controller may be older than the CRDs, and its types drop unknown fields.
    written: Vec<Value>,
}

/// Why texts are not the CRDs of one bundle.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum NotEmbedded {
    /// A text is not YAML.
    Yaml(String),
    /// A document is not a CRD; contains its kind, or the error.
    NotACrd(String),
    /// The bundle of a CRD is unknown.
    NotABundle(String, NotABundle),
    /// Two CRDs come from different bundles.
    Mixed(String, String),
    /// A CRD occurs twice.
    Twice(String),
    /// There is no CRD in the texts.
    Empty,
}

impl fmt::Display for NotEmbedded {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Yaml(error) => write!(out, "an embedded text is not YAML: {error}"),
            Self::NotACrd(found) => write!(out, "an embedded document is not a CRD: {found}"),
            Self::NotABundle(name, why) => {
                write!(
                    out,
                    "the bundle of the embedded CRD `{name}` is not known: {why}"
                )
            }
            Self::Mixed(one, other) => write!(
                out,
                "the embedded CRDs `{one}` and `{other}` come from different bundles"
            ),
            Self::Twice(name) => write!(out, "the CRD `{name}` is embedded twice"),
            Self::Empty => out.write_str("no CRD is embedded"),
        }
    }
}

impl std::error::Error for NotEmbedded {}

impl Embedded {
    /// Reads the CRDs in YAML texts with one or more documents each: generated or pinned files, by `include_str!`.
    ///
    /// # Errors
    /// A text is not YAML, a document is not a CRD, or the CRDs are not those of one bundle.
    pub fn parse(texts: &[&str]) -> Result<Self, NotEmbedded> {
        let mut written = Vec::new();
        for text in texts {
            written.extend(documents(text)?);
        }
        written.sort_by(|one, other| name_in(one).cmp(name_in(other)));
        let crds: Result<Vec<_>, _> = written.iter().map(crd).collect();
        let crds = crds?;
        let mut first: Option<(&str, BundleInfo)> = None;
        for crd in &crds {
            let name = name_of(crd);
            let bundle =
                BundleInfo::of(crd).map_err(|why| NotEmbedded::NotABundle(name.to_owned(), why))?;
            match &first {
                Some((one, _)) if *one == name => return Err(NotEmbedded::Twice(name.to_owned())),
                Some((one, of)) if *of != bundle => {
                    return Err(NotEmbedded::Mixed((*one).to_owned(), name.to_owned()));
                }
                _ => first = Some((name, bundle)),
            }
        }
        let (_, bundle) = first.ok_or(NotEmbedded::Empty)?;
        Ok(Self {
            bundle,
            crds,
            written,
        })
    }

    /// The bundle that they come from.
    #[must_use]
    pub fn bundle(&self) -> &BundleInfo {
        &self.bundle
    }

    /// The CRDs, by name.
    #[must_use]
    pub fn crds(&self) -> &[CustomResourceDefinition] {
        &self.crds
    }

    /// Returns the original document of a CRD.
    pub(super) fn written(&self, name: &str) -> Option<&Value> {
        self.written.iter().find(|crd| name_in(crd) == name)
    }
}

/// Returns the documents of a text, without empty ones.
fn documents(text: &str) -> Result<Vec<Value>, NotEmbedded> {
    // The texts are the program's own, so the limits only have to be large enough for any bundle.
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! { max_depth: 256, max_events: 50_000_000, max_nodes: 20_000_000 },
        with_snippet: false,
    };
    let found: Vec<Value> = serde_saphyr::from_multiple_with_options(text, options)
        .map_err(|error| NotEmbedded::Yaml(error.to_string()))?;
    Ok(found.into_iter().filter(|one| !one.is_null()).collect())
}

fn crd(written: &Value) -> Result<CustomResourceDefinition, NotEmbedded> {
    let word = |key: &str| written.get(key).and_then(Value::as_str).unwrap_or_default();
    let (version, kind) = (word("apiVersion"), word("kind"));
    if (version, kind) != ("apiextensions.k8s.io/v1", "CustomResourceDefinition") {
        return Err(NotEmbedded::NotACrd(format!("it is `{version}` `{kind}`")));
    }
    CustomResourceDefinition::deserialize(written)
        .map_err(|error| NotEmbedded::NotACrd(error.to_string()))
}

fn name_in(written: &Value) -> &str {
    let name = written.pointer("/metadata/name").and_then(Value::as_str);
    name.unwrap_or_default()
}

/// Returns the name of a CRD, which a server always sets.
pub(super) fn name_of(crd: &CustomResourceDefinition) -> &str {
    crd.metadata.name.as_deref().unwrap_or_default()
}
