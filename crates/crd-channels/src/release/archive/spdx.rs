//! The contents of a bundle and the packages that it was made from, as an SPDX 2.3 document.

use super::Subject;
use crd_channels_released::digest::Digest;
use serde_json::{Value, json};
use sha1::{Digest as _, Sha1};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The value for unknown facts: only people can state licences.
const UNKNOWN: &str = "NOASSERTION";

const BUNDLE: &str = "SPDXRef-Bundle";

/// Returns the document. SPDX requires a time; it is constant, so that the result is reproducible.
pub(super) fn document(
    subject: Subject<'_>,
    stem: &str,
    content: &BTreeMap<String, Vec<u8>>,
) -> Value {
    let manifest = &subject.bundle.manifest;
    let (_, digest) = manifest.to_text();
    let files: Vec<Value> = content.iter().enumerate().map(file).collect();
    let sources: BTreeSet<&str> = manifest
        .sources
        .iter()
        .map(|source| source.package.as_str())
        .collect();
    let mut packages = vec![json!({
        "SPDXID": BUNDLE,
        "name": subject.name,
        "versionInfo": manifest.version.to_string(),
        "downloadLocation": UNKNOWN,
        "filesAnalyzed": true,
        "packageVerificationCode": {"packageVerificationCodeValue": verification(content)},
        "licenseConcluded": UNKNOWN,
        "licenseDeclared": UNKNOWN,
        "licenseInfoFromFiles": [UNKNOWN],
        "copyrightText": UNKNOWN,
    })];
    let mut relations = vec![relation("SPDXRef-DOCUMENT", "DESCRIBES", BUNDLE)];
    for file in &files {
        let id = file.get("SPDXID").and_then(Value::as_str);
        relations.extend(id.map(|id| relation(BUNDLE, "CONTAINS", id)));
    }
    for (nth, source) in sources.into_iter().enumerate() {
        let id = format!("SPDXRef-Source-{nth}");
        relations.push(relation(BUNDLE, "GENERATED_FROM", &id));
        packages.push(json!({
            "SPDXID": id,
            "name": source,
            "downloadLocation": UNKNOWN,
            "filesAnalyzed": false,
            "licenseConcluded": UNKNOWN,
            "licenseDeclared": UNKNOWN,
            "copyrightText": UNKNOWN,
        }));
    }
    json!({
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": stem,
        "documentNamespace": format!("https://spdx.org/spdxdocs/{stem}-{}", digest.hex()),
        "creationInfo": {
            "created": "1970-01-01T00:00:00Z",
            "creators": [format!("Tool: {}-{}", env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"))],
        },
        "packages": packages,
        "files": files,
        "relationships": relations,
    })
}

fn relation(from: &str, how: &str, to: &str) -> Value {
    json!({"spdxElementId": from, "relationshipType": how, "relatedSpdxElement": to})
}

fn file((nth, (path, bytes)): (usize, (&String, &Vec<u8>))) -> Value {
    json!({
        "SPDXID": format!("SPDXRef-File-{nth}"),
        "fileName": format!("./{path}"),
        "checksums": [
            {"algorithm": "SHA1", "checksumValue": sha1(bytes)},
            {"algorithm": "SHA256", "checksumValue": Digest::of(bytes).hex()},
        ],
        "licenseConcluded": UNKNOWN,
        "licenseInfoInFiles": [UNKNOWN],
        "copyrightText": UNKNOWN,
    })
}

/// Returns the SHA-1 that SPDX 2 requires. Nothing relies on it for security.
fn sha1(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in Sha1::digest(bytes) {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// Returns SPDX's verification code of a package: the SHA-1 of the sorted SHA-1s of all files.
fn verification(content: &BTreeMap<String, Vec<u8>>) -> String {
    let mut sums: Vec<String> = content.values().map(|bytes| sha1(bytes)).collect();
    sums.sort_unstable();
    sha1(sums.concat().as_bytes())
}
