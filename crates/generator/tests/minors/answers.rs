//! Verdicts on a CRD, from a server or from `check`.

use crd_channels_check::{self as check, Finding, Rule};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;

/// An answer, without its words.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default)]
pub struct Answer {
    /// Whether the server's request fails.
    #[serde(skip_serializing_if = "is_false")]
    pub crash: bool,
    /// Whether it is not read at all.
    #[serde(skip_serializing_if = "is_false")]
    pub undecodable: bool,
    /// Reasons and fields.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub refused: BTreeSet<(String, String)>,
    /// Fields that strict servers refuse and others drop.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub unknown: BTreeSet<String>,
    /// Fields that are dropped in silence.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub dropped: BTreeSet<String>,
    /// Whether there are warnings.
    #[serde(skip_serializing_if = "is_false")]
    pub warned: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_false(flag: &bool) -> bool {
    !flag
}

impl Answer {
    pub fn accepts(&self) -> bool {
        !self.crash && !self.undecodable && self.refused.is_empty()
    }

    /// What `check` says.
    pub fn of_check(crd: &Value, minor: u32) -> Self {
        let mut answer = Self::default();
        let mut findings = check::validate(crd, minor);
        if !findings.iter().any(Finding::refuses) {
            findings.extend(check::Document::decode(crd).lint(minor));
        }
        for finding in findings {
            let field = finding.field.unwrap_or_default();
            match (finding.rule, finding.reason) {
                (Rule::Undecodable, _) => answer.undecodable = true,
                (Rule::UnknownField, _) => _ = answer.unknown.insert(field),
                (Rule::DroppedField, _) => _ = answer.dropped.insert(field),
                (Rule::UnknownFormat, _) => answer.warned = true,
                (_, Some(reason)) => _ = answer.refused.insert((reason.name().to_owned(), field)),
                _ => {}
            }
        }
        answer
    }

    /// Whether it says what servers of a minor and of the newest say: what is for the one is for the other too.
    pub fn is_as(&self, server: &Self, newest: &Self, minor: u32) -> bool {
        if !server.accepts() || !newest.accepts() {
            let either: BTreeSet<_> = server.refused.union(&newest.refused).cloned().collect();
            let same = server != newest || self.refused == newest.refused;
            return !self.accepts() && same && self.refused.is_subset(&either);
        }
        // Formats that servers do not know are told of where they do not warn yet, too.
        let warned = server.warned || newest.warned || (self.warned && minor < WARNS);
        self.accepts() && self.gone() == server.gone() && self.warned == warned
    }

    fn gone(&self) -> BTreeSet<&String> {
        self.unknown.union(&self.dropped).collect()
    }
}

/// The first minor that warns of formats that it does not know.
const WARNS: u32 = 34;
