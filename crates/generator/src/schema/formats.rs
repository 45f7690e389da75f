//! The formats that API servers know. They drop the hyphens before they compare.

use super::JsonType;

/// Of strings.
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

/// Of strings, since Kubernetes 1.34.
const LATER: &[&str] = &["k8slongname", "k8sshortname"];

/// Whether servers know a format for values of a type; the newest ones do.
#[must_use]
pub fn is_known(ty: JsonType, format: &str) -> bool {
    match ty {
        JsonType::String => STRINGS.contains(&&*bare(format)) || is_later(format),
        JsonType::Integer => matches!(format, "int32" | "int64"),
        JsonType::Number => matches!(format, "float" | "double"),
        JsonType::Array | JsonType::Boolean | JsonType::Object => false,
    }
}

/// Whether servers know a format of strings since Kubernetes 1.34 only.
#[must_use]
pub fn is_later(format: &str) -> bool {
    LATER.contains(&&*bare(format))
}

fn bare(format: &str) -> String {
    format.replace('-', "")
}
