//! The formats that API servers support. Hyphens are removed before the comparison.

use super::JsonType;

/// Formats of strings.
const STRINGS: &[&str] = &[
    "bsonobjectid",
    "byte",
    "cidr",
    "creditcard",
    "date",
    "datetime",
    "duration",
    "email",
    "hexcolor",
    "hostname",
    "ipv4",
    "ipv6",
    "isbn",
    "isbn10",
    "isbn13",
    "mac",
    "password",
    "rgbcolor",
    "ssn",
    "uri",
    "uuid",
    "uuid3",
    "uuid4",
    "uuid5",
];

/// Formats of strings since Kubernetes 1.35.
const LATER: &[&str] = &["k8slongname", "k8sshortname"];

/// Whether the newest servers support a format for values of a type.
#[must_use]
pub fn is_known(ty: JsonType, format: &str) -> bool {
    since(ty, format).is_some()
}

/// The minor version since which servers support a format for values of a type; 0 if every server does.
///
/// The formats of Kubernetes' names came with 1.34, whose servers compile CRDs as those of 1.33 would.
#[must_use]
pub fn since(ty: JsonType, format: &str) -> Option<u32> {
    let known = |is_known: bool| is_known.then_some(0);
    match ty {
        JsonType::String if LATER.contains(&&*bare(format)) => Some(35),
        JsonType::String => known(STRINGS.contains(&&*bare(format))),
        JsonType::Integer => known(matches!(format, "int32" | "int64")),
        JsonType::Number => known(matches!(format, "float" | "double")),
        JsonType::Array | JsonType::Boolean | JsonType::Object => None,
    }
}

fn bare(format: &str) -> String {
    format.replace('-', "")
}
