//! Compares the CRD that kube makes of a kind with the one that the generator makes.

use super::batch::{self, ByKube, Ours};
use super::compare::by_version;
use crd_channels_check as check;
use crd_channels_proof::documented::{self, Pair, Versions};
use crd_channels_proof::facts::{self, Difference};
use serde_json::Value;

#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Verdict {
    Equal,
    /// The differences are rows of `docs/differences.md`, where a server refuses what kube writes.
    Documented,
    /// They are in nodes that a server refuses in what kube writes, and that are written as what is meant.
    ReadAsMeant,
    /// kube panics in a way that is a row there.
    DocumentedPanic,
    Refused,
    RefusedPanic,
    RefusedByServer,
    Different,
}

impl Verdict {
    pub fn words(self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::Documented => "equal except for documented differences",
            Self::ReadAsMeant => "equal except where a server refuses what kube writes",
            Self::DocumentedPanic => "read, and kube panics as documented",
            Self::Refused => "refused",
            Self::RefusedPanic => "refused, and kube panics",
            Self::RefusedByServer => "refused, as a server refuses kube's",
            Self::Different => "different",
        }
    }

    /// Whether what was read was held against what kube says.
    pub fn is_compared(self) -> bool {
        matches!(
            self,
            Self::Equal | Self::Documented | Self::ReadAsMeant | Self::Different
        )
    }
}

/// The verdict on one kind, and why.
pub fn verdict(kube: &ByKube, ours: &Ours) -> (Verdict, String) {
    if let Some(error) = ours.errors.first() {
        let verdict = match kube {
            Err(_) => Verdict::RefusedPanic,
            Ok(crd) if !batch::refusals(crd).is_empty() => Verdict::RefusedByServer,
            Ok(_) => Verdict::Refused,
        };
        return (verdict, error.clone());
    }
    let Some(read) = &ours.crd else {
        return (Verdict::Different, "neither a CRD nor an error".to_owned());
    };
    match kube {
        Err(panic) => {
            let words = panic.trim_matches('"').replace("\\\"", "\"");
            match documented::of_panic(&words) {
                Some(row) => (Verdict::DocumentedPanic, row.id.to_owned()),
                None => (Verdict::Different, format!("kube panics: {panic}")),
            }
        }
        Ok(kube) => compared(&by_version(read)[0].1, &by_version(kube)[0].1),
    }
}

fn compared(read: &Value, kube: &Value) -> (Verdict, String) {
    let differences = facts::compare(Some(read), Some(kube)).differences;
    if differences.is_empty() {
        return (Verdict::Equal, String::new());
    }
    let versions = Versions::default();
    let pair = Pair::new(read, kube, &versions);
    let unknown: Vec<&Difference> = differences
        .iter()
        .filter(|difference| pair.row(difference).is_none())
        .collect();
    if unknown.is_empty() {
        return (Verdict::Documented, String::new());
    }
    let refused: Vec<check::FieldPath> = check::Document::decode(kube)
        .validate(check::NEWEST)
        .into_iter()
        .filter(check::Finding::refuses)
        .filter_map(|finding| Some(check::as_written(finding.field.as_ref()?, 1)))
        .collect();
    let is_meant = |difference: &&Difference| {
        let here = difference.way.elements();
        let mut nodes = refused.iter().map(documented::node_of);
        nodes.any(|node| here.strip_prefix(node).is_some_and(is_of_the_node))
    };
    let unknown: Vec<&Difference> = unknown
        .into_iter()
        .filter(|difference| !is_meant(difference))
        .collect();
    if unknown.is_empty() {
        return (Verdict::ReadAsMeant, String::new());
    }
    let shown = |value: &Option<Value>| {
        value
            .as_ref()
            .map_or("nothing".to_owned(), Value::to_string)
    };
    let lines: Vec<String> = unknown
        .iter()
        .take(4)
        .map(|one| {
            let path = one.way.to_string();
            let path = path.rsplit(".openAPIV3Schema.").next().unwrap_or_default();
            format!(
                "{path}\n      ours: {}\n      kube: {}",
                shown(&one.read),
                shown(&one.compiled)
            )
        })
        .collect();
    (
        Verdict::Different,
        format!(
            "{} differences\n    {}",
            unknown.len(),
            lines.join("\n    ")
        ),
    )
}

/// Whether what follows a node leads to one of its own keywords, and not to a node below it.
fn is_of_the_node(rest: &[check::PathElement]) -> bool {
    let is_below = |element: &check::PathElement| {
        let keywords = ["additionalProperties", "items"];
        matches!(element, check::PathElement::Key(_))
            || keywords.iter().any(|keyword| element.is_child(keyword))
    };
    !rest.iter().any(is_below)
}
