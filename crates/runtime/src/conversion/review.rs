//! Answers `ConversionReview`s of `apiextensions.k8s.io`.

use super::{Converted, Kind, Unconvertible};
use serde::Deserialize;
use serde_json::{Value, json};
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

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Review {
    api_version: String,
    request: Request,
}

#[derive(Deserialize)]
struct Request {
    uid: String,
    #[serde(rename = "desiredAPIVersion")]
    desired: String,
    objects: Vec<Value>,
}

impl Converter {
    /// A converter of some kinds.
    pub fn new(kinds: impl IntoIterator<Item = Kind>) -> Self {
        Self {
            kinds: kinds.into_iter().collect(),
        }
    }

    /// Returns the body of the response to the body of a request. An object that cannot be converted fails the whole review, as
    /// the API server requires, with a message that names the object and the reason.
    ///
    /// # Errors
    /// The body is not a `ConversionReview` with a request.
    pub fn answer(&self, body: &[u8]) -> Result<Vec<u8>, Malformed> {
        let malformed = |error: serde_json::Error| Malformed(error.to_string());
        let review: Review = serde_json::from_slice(body).map_err(malformed)?;
        serde_json::to_vec(&self.review(review)).map_err(malformed)
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

    fn review(&self, review: Review) -> Value {
        let Request {
            uid,
            desired,
            objects,
        } = review.request;
        let mut converted = Vec::with_capacity(objects.len());
        let mut failures = Vec::new();
        for object in objects {
            let name = name_of(&object);
            match self.convert_to(object, &desired) {
                Ok(object) => converted.push(object),
                Err(error) => failures.push(format!("{name}: {error}")),
            }
        }
        let result = match failures.is_empty() {
            true => json!({ "status": "Success" }),
            false => json!({ "status": "Failure", "message": summary(&failures) }),
        };
        if !failures.is_empty() {
            converted.clear();
        }
        json!({
            "apiVersion": review.api_version,
            "kind": "ConversionReview",
            "response": { "uid": uid, "result": result, "convertedObjects": converted },
        })
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

/// The namespace and name of an object, for people.
fn name_of(object: &Value) -> String {
    let metadata = |name: &str| object.get("metadata")?.get(name)?.as_str();
    match (metadata("namespace"), metadata("name")) {
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
