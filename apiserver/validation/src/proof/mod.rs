//! The record of a proof that the conversion between the versions of a kind loses nothing. A test writes it, a release reads it.

mod canonical;

use canonical::canonical;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The folder of the records, below the workspace.
pub const FOLDER: &str = "channels/proofs";

/// The least number of objects that each version was converted to each other version.
pub const LEAST: u32 = 100;

/// The version of the format.
const FORMAT: u32 = 1;

/// A recorded proof. Its text has a digest over itself, so that neither a merge nor a careless edit makes another one.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Proof {
    format: u32,
    /// What was proven.
    #[serde(flatten)]
    pub claim: Claim,
    /// How.
    #[serde(flatten)]
    pub run: Run,
    digest: String,
}

/// What a proof is about. As long as it is the same, the proof holds.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Claim {
    /// The name of the CRD.
    pub crd: String,
    /// The version through which all others are converted.
    pub hub: String,
    /// The digests of the schemas of all versions, by their names.
    pub versions: BTreeMap<String, String>,
    /// The digest of what the conversion says about itself: fields, variants, functions.
    pub conversion: String,
    /// The format of the annotations that keep what a version cannot represent.
    pub annotations: u32,
}

/// The run of a test.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Run {
    /// The objects that each version was converted to each other version; the least number of all pairs.
    pub objects: u32,
    /// The edits in the other version; the least number of all pairs.
    pub edits: u32,
    /// The command that runs the test.
    pub command: String,
}

impl Proof {
    /// Seals a proof.
    #[must_use]
    pub fn new(claim: Claim, run: Run) -> Self {
        let mut proof = Self {
            format: FORMAT,
            claim,
            run,
            digest: String::new(),
        };
        proof.digest = proof.own_digest();
        proof
    }

    /// The file's name.
    #[must_use]
    pub fn file(crd: &str) -> String {
        format!("{crd}.json")
    }

    /// The text of the file.
    #[must_use]
    pub fn to_text(&self) -> String {
        // Serializing strings, numbers and maps with string keys cannot fail.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    fn own_digest(&self) -> String {
        let open = Self {
            digest: String::new(),
            ..self.clone()
        };
        digest(open.to_text().as_bytes())
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// Why it is not a proof, in words that follow the file's name.
    pub fn parse(text: &str) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Head {
            format: u32,
        }
        let head: Option<Head> = serde_json::from_str(text).ok();
        if head.is_some_and(|head| head.format > FORMAT) {
            return Err("has the format of a later version".to_owned());
        }
        if text.lines().any(|line| line.starts_with("<<<<<<< ")) {
            return Err("has the marks of a merge conflict".to_owned());
        }
        let read = serde_json::from_str(text);
        let proof: Self = read.map_err(|error| format!("cannot be read: {error}"))?;
        let is_whole = proof.format == FORMAT && proof.digest == proof.own_digest();
        // The command is shown to people.
        let is_plain = !proof.run.command.chars().any(char::is_control);
        match is_whole && is_plain {
            true => Ok(proof),
            false => Err("was changed after it was recorded: its digest differs".to_owned()),
        }
    }
}

/// The digest of the schema of a version: of what it accepts, without descriptions.
#[must_use]
pub fn of_schema(schema: &Value) -> String {
    digest(canonical(schema).to_string().as_bytes())
}

/// The digests of the schemas of all versions of a CRD, by their names.
#[must_use]
pub fn of_versions(crd: &Value) -> BTreeMap<String, String> {
    let versions = crd.pointer("/spec/versions").and_then(Value::as_array);
    let digests = versions.into_iter().flatten().filter_map(|version| {
        let schema = version.pointer("/schema/openAPIV3Schema")?;
        Some((version.get("name")?.as_str()?.to_owned(), of_schema(schema)))
    });
    digests.collect()
}

/// SHA-256, written as in manifests.
#[must_use]
pub fn digest(bytes: &[u8]) -> String {
    let mut text = "sha256:".to_owned();
    for byte in Sha256::digest(bytes) {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::{Claim, Proof, Run, of_schema};
    use serde_json::json;

    fn proof() -> Proof {
        let claim = Claim {
            crd: "routes.example.com".to_owned(),
            hub: "v1".to_owned(),
            versions: [("v1".to_owned(), of_schema(&json!({})))].into(),
            conversion: "sha256:1".to_owned(),
            annotations: 2,
        };
        let run = Run {
            objects: 1000,
            edits: 500,
            command: "cargo test routes".to_owned(),
        };
        Proof::new(claim, run)
    }

    #[test]
    fn a_proof_comes_back_as_it_was_and_no_other_does() {
        let text = proof().to_text();
        assert_eq!(Proof::parse(&text), Ok(proof()));
        assert_eq!(Proof::parse(&text.replace('\n', "\r\n")), Ok(proof()));
        for (from, to, why) in [
            ("1000", "1001", "was changed after it was recorded"),
            (
                "cargo test routes",
                "cargo test gates",
                "was changed after it was recorded",
            ),
            ("\"v1\":", "\"v2\":", "was changed after it was recorded"),
            ("\"format\": 1", "\"format\": 2", "of a later version"),
            ("\"format\": 1", "\"format\": 0", "was changed after"),
            ("\"hub\"", "\"hubs\"", "cannot be read"),
            ("{\n", "<<<<<<< ours\n{\n", "merge conflict"),
        ] {
            let edited = text.replacen(from, to, 1);
            assert_ne!(edited, text, "{from}");
            let refused = Proof::parse(&edited).unwrap_err();
            assert!(refused.contains(why), "{from}: {refused}");
        }
        let mut controls = proof();
        controls.run.command = "\u{1b}[2J".to_owned();
        let controls = Proof::new(controls.claim, controls.run);
        assert!(Proof::parse(&controls.to_text()).is_err());
    }

    #[test]
    fn a_schema_is_what_it_accepts() {
        let base = json!({
            "type": "object", "description": "a", "title": "b", "example": 1, "nullable": false, "required": [],
            "properties": {
                "description": { "type": "string", "maxLength": 5.0 },
                "a": { "type": "integer", "minimum": 1, "default": 2, "description": null },
            },
        });
        let same = json!({
            "type": "object",
            "properties": {
                "a": { "default": 2.0, "minimum": 1.0, "type": "integer", "description": "c" },
                "description": { "maxLength": 5, "type": "string" },
            },
        });
        assert_eq!(of_schema(&base), of_schema(&same));
        for (place, value) in [
            ("/properties/description/maxLength", json!(6)),
            ("/properties/a/default", json!({ "description": "a" })),
            ("/properties/a/minimum", json!(1.5)),
            ("/properties/a", json!(null)),
            ("/type", json!("array")),
        ] {
            let mut other = same.clone();
            *other.pointer_mut(place).unwrap() = value;
            assert_ne!(of_schema(&other), of_schema(&same), "{place}");
        }
        let closed = json!({ "type": "object", "additionalProperties": false });
        assert_ne!(of_schema(&closed), of_schema(&json!({ "type": "object" })));
    }
}
