//! Verdicts on a CRD, of a server or of `check`.

use crd_channels_check::{self as check, Finding, Rule};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;

/// A verdict, without messages. The default accepts.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default)]
pub struct Verdict {
    /// Whether the server's request fails.
    #[serde(skip_serializing_if = "is_false")]
    pub crash: bool,
    /// Whether the CRD cannot be decoded.
    #[serde(skip_serializing_if = "is_false")]
    pub undecodable: bool,
    /// Whether the CRD exceeds a limit of its size.
    #[serde(skip_serializing_if = "is_false")]
    pub too_large: bool,
    /// Reasons and fields.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub refused: BTreeSet<(String, String)>,
    /// Fields that strict servers reject and others drop.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub unknown: BTreeSet<String>,
    /// Fields that are dropped silently.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub dropped: BTreeSet<String>,
    /// Whether there are warnings about formats and sets.
    #[serde(skip_serializing_if = "is_false")]
    pub warned: bool,
    /// Whether `check` warns that newer servers refuse it, which no server does.
    #[serde(skip)]
    pub is_refused_later: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_false(flag: &bool) -> bool {
    !flag
}

impl Verdict {
    pub fn accepts(&self) -> bool {
        !self.crash && !self.undecodable && !self.too_large && self.refused.is_empty()
    }

    /// The verdict of `check`.
    pub fn of_check(crd: &Value, minor: u32) -> Self {
        Self::of_findings(check::Document::decode(crd).validate_and_lint(crd, minor))
    }

    fn of_findings(findings: Vec<Finding>) -> Self {
        let mut verdict = Self::default();
        for finding in findings {
            let is_silent = finding.message.contains("silently");
            let field = finding.field.unwrap_or_default().to_string();
            match (finding.rule, finding.reason) {
                (Rule::Undecodable | Rule::UnservedApiVersion, _) => verdict.undecodable = true,
                (Rule::TooLarge, _) => verdict.too_large = true,
                (Rule::UnknownField, _) if is_silent => _ = verdict.dropped.insert(field),
                (Rule::UnknownField, _) => _ = verdict.unknown.insert(field),
                (Rule::NewerKubernetes, _) => verdict.is_refused_later = true,
                (Rule::DroppedField, _) => _ = verdict.dropped.insert(field),
                (Rule::UnknownFormat | Rule::SetItems, _) => verdict.warned = true,
                (_, Some(reason)) => _ = verdict.refused.insert((reason.name().to_owned(), field)),
                _ => {}
            }
        }
        verdict
    }

    /// Whether a server reached over HTTP has this verdict. Such a server does not report silently dropped fields, nor other
    /// errors of a CRD that it cannot decode or that makes the request fail.
    pub fn is_that_of(&self, server: &Self) -> bool {
        if server.crash {
            return !self.accepts();
        }
        if server.undecodable || server.too_large {
            return self.undecodable == server.undecodable && self.too_large == server.too_large;
        }
        let reported = Self {
            dropped: BTreeSet::new(),
            is_refused_later: false,
            ..self.clone()
        };
        reported == *server
    }
}
