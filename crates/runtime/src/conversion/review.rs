//! Answers `ConversionReview`s of `apiextensions.k8s.io`.

use super::{Converted, Kind, Unconvertible};
use kube::core::conversion::{ConversionRequest, ConversionResponse};
use kube::core::{Status, TypeMeta};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use std::fmt;

/// The maximum number of objects to name in the message of a failure.
const NAMED: usize = 3;

/// Converts the objects of several kinds: what a conversion webhook does with the body of a request.
#[derive(Clone, Debug)]
pub struct Converter {
    kinds: Vec<Kind>,
}

/// The body of a request that is not a `ConversionReview`. A webhook answers it with the HTTP status 400.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Malformed(String);

impl fmt::Display for Malformed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "the body is not a ConversionReview: {}", self.0)
    }
}

impl std::error::Error for Malformed {}

/// A review whose objects are not read yet: one that nests too deeply for `serde_json` must not make the others unreadable.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Review<'b> {
    api_version: String,
    #[serde(borrow)]
    request: Request<'b>,
}

#[derive(Deserialize)]
struct Request<'b> {
    uid: String,
    #[serde(rename = "desiredAPIVersion")]
    desired: String,
    #[serde(borrow)]
    objects: Vec<&'b RawValue>,
}

/// What names an object.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Named {
    metadata: Metadata,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Metadata {
    namespace: Option<String>,
    name: Option<String>,
}

impl Converter {
    /// A converter of some kinds.
    pub fn new(kinds: impl IntoIterator<Item = Kind>) -> Self {
        Self {
            kinds: kinds.into_iter().collect(),
        }
    }

    /// Returns the body of the response to the body of a request. An object that cannot be converted fails the whole review, as
    /// the API server requires, with a message that names the object and the reason. An object that nests deeper than 127 levels
    /// cannot be read.
    ///
    /// # Errors
    /// The body is not a `ConversionReview` with a request.
    pub fn answer(&self, body: &[u8]) -> Result<Vec<u8>, Malformed> {
        let malformed = |error: serde_json::Error| Malformed(error.to_string());
        let review: Review<'_> = serde_json::from_slice(body).map_err(malformed)?;
        let (request, kind) = (review.request, "ConversionReview".to_owned());
        let objects = request.objects.into_iter().map(read);
        let unread = ConversionRequest {
            types: Some(TypeMeta {
                api_version: review.api_version,
                kind,
            }),
            uid: request.uid,
            desired_api_version: request.desired,
            objects: Vec::new(),
        };
        let response = self.review(unread, objects);
        serde_json::to_vec(&response.into_review()).map_err(malformed)
    }

    /// Responds to a request that a framework has read, as [`Converter::answer`] does.
    pub fn respond(&self, mut request: ConversionRequest) -> ConversionResponse {
        let objects = std::mem::take(&mut request.objects);
        self.review(request, objects.into_iter().map(Ok))
    }

    /// Converts one object to another version of its kind.
    ///
    /// # Errors
    /// The kind or one of the versions is unknown, or the value cannot be converted.
    pub fn convert(&self, object: Value, version: &str) -> Result<Value, Unconvertible> {
        let (group, from, kind) = type_of(&object)?;
        let (from, kind) = (from.to_owned(), kind.to_owned());
        if from == version {
            return Ok(object);
        }
        let of = self.kind(group, &kind).ok_or_else(|| {
            Unconvertible::new(format!(
                "the webhook does not convert kind `{kind}` of group `{group}`"
            ))
        })?;
        let Converted { object, unrestored } = of.convert(object, &from, version)?;
        for part in unrestored {
            tracing::warn!(kind, object = name_of(&object), "{part}");
        }
        Ok(object)
    }

    /// Returns the kind with that group and name.
    pub(super) fn kind(&self, group: &str, kind: &str) -> Option<&Kind> {
        let mut kinds = self.kinds.iter();
        kinds.find(|found| found.group == group && found.kind == kind)
    }

    /// `objects` are those of the request, or why one cannot be read.
    fn review(
        &self,
        request: ConversionRequest,
        objects: impl Iterator<Item = Result<Value, String>>,
    ) -> ConversionResponse {
        let mut converted = Vec::new();
        let mut failures = Vec::new();
        for object in objects {
            let outcome = object.and_then(|object| {
                let name = name_of(&object);
                self.convert_to(object, &request.desired_api_version)
                    .map_err(|error| format!("{name}: {error}"))
            });
            match outcome {
                Ok(object) => converted.push(object),
                Err(failure) => failures.push(failure),
            }
        }
        let response = ConversionResponse::for_request(request);
        match failures.is_empty() {
            true => response.success(converted),
            false => response.failure(Status::failure(&summary(&failures), "")),
        }
    }

    /// Converts an object to a group and version, `example.com/v1`.
    fn convert_to(&self, object: Value, desired: &str) -> Result<Value, Unconvertible> {
        let (group, version) = desired.split_once('/').unwrap_or(("", desired));
        let (own, _, kind) = type_of(&object)?;
        if own != group {
            return Err(Unconvertible::new(format!(
                "kind `{kind}` is of group `{own}`, and `{desired}` is asked for"
            )));
        }
        self.convert(object, version)
    }
}

/// The group, version and kind of an object.
fn type_of(object: &Value) -> Result<(&str, &str, &str), Unconvertible> {
    let field = |name: &str| {
        let text = object.get(name).and_then(Value::as_str);
        text.ok_or_else(|| Unconvertible::new(format!("`{name}` is missing or not a string")))
    };
    let (api_version, kind) = (field("apiVersion")?, field("kind")?);
    let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
    Ok((group, version, kind))
}

/// Reads an object, or says which one cannot be read.
fn read(object: &RawValue) -> Result<Value, String> {
    serde_json::from_str(object.get()).map_err(|error| {
        let named: Named = serde_json::from_str(object.get()).unwrap_or_default();
        let Metadata { namespace, name } = named.metadata;
        let name = title(namespace.as_deref(), name.as_deref());
        format!("{name}: the object cannot be read: {error}")
    })
}

/// The namespace and name of an object, for people.
fn name_of(object: &Value) -> String {
    let metadata = |name: &str| object.get("metadata")?.get(name)?.as_str();
    title(metadata("namespace"), metadata("name"))
}

fn title(namespace: Option<&str>, name: Option<&str>) -> String {
    match (namespace, name) {
        (Some(namespace), Some(name)) => format!("{namespace}/{name}"),
        (None, Some(name)) => name.to_owned(),
        (_, None) => "an object without a name".to_owned(),
    }
}

fn summary(failures: &[String]) -> String {
    let named: Vec<&str> = failures.iter().take(NAMED).map(String::as_str).collect();
    let named = named.join("; ");
    match failures.len().saturating_sub(NAMED) {
        0 => named,
        more => format!("{named}; and {more} more"),
    }
}
