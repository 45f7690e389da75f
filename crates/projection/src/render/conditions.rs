//! Describes the conditions of a list for `kubectl explain`: types, healthy status and reasons.

use super::common::schema_of;
use super::selection::Selection;
use crd_channels_diagnostics::Text;
use crd_channels_schema::draft::Gate;
use crd_channels_schema::marks::{Condition, Conditions, Polarity, Reason, Status};
use crd_channels_schema::{Bounds, JsonType, Schema};
use serde_json::{Number, Value};
use std::sync::Arc;

const REASON: &str = r"^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$";
const CONDITION_TYPE: &str = r"^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$";

/// Describes the condition types that the channel has, and limits the items as Kubernetes does.
pub(super) fn set(node: &mut Schema, conditions: &Conditions, selection: Selection<'_>) {
    if let Some(items) = node.items.as_mut().filter(|_| conditions.of_kubernetes) {
        let items = Arc::make_mut(items);
        *items = limited(std::mem::take(items));
    }
    let text = conditions_text(conditions, selection);
    if !text.is_empty() {
        let before = node.description.take();
        let before = before.iter().map(|before| &**before);
        let paragraphs: Vec<&str> = before.chain([&*text]).collect();
        node.description = Some(paragraphs.join("\n\n").into());
    }
}

/// Returns `meta/v1.Condition`: the Rust type provides the fields and their descriptions, this adds Kubernetes' limits.
pub(super) fn limited(mut schema: Schema) -> Schema {
    let text = |bounds: Bounds| Schema {
        bounds: Some(Box::new(bounds)),
        ..schema_of(JsonType::String)
    };
    let limits = [
        (
            "lastTransitionTime",
            Schema {
                format: Some("date-time".into()),
                ..schema_of(JsonType::String)
            },
        ),
        (
            "message",
            text(Bounds {
                max_length: Some(32768),
                ..Bounds::default()
            }),
        ),
        (
            "observedGeneration",
            Schema {
                format: Some("int64".into()),
                bounds: Some(Box::new(Bounds {
                    minimum: Some(Number::from(0)),
                    ..Bounds::default()
                })),
                ..schema_of(JsonType::Integer)
            },
        ),
        (
            "reason",
            text(Bounds {
                min_length: Some(1),
                max_length: Some(1024),
                pattern: Some(REASON.into()),
                ..Bounds::default()
            }),
        ),
        (
            "status",
            Schema {
                enum_values: ["True", "False", "Unknown"].map(Value::from).to_vec(),
                ..schema_of(JsonType::String)
            },
        ),
        (
            "type",
            text(Bounds {
                max_length: Some(316),
                pattern: Some(CONDITION_TYPE.into()),
                ..Bounds::default()
            }),
        ),
    ];
    for (name, limited) in limits {
        let property = schema.properties.entry(name.into()).or_default();
        let property = Arc::make_mut(property);
        *property = Schema {
            title: property.title.take(),
            description: property.description.take(),
            origin: property.origin,
            ..limited
        };
    }
    schema.required = ["lastTransitionTime", "message", "reason", "status", "type"]
        .map(Text::from)
        .to_vec();
    schema
}

/// A declared condition, as a channel has it.
#[derive(Clone, Debug)]
pub struct ChannelCondition<'c> {
    /// The declaration.
    pub of: &'c Condition,
    /// The type that replaces it, if it is deprecated and the channel has the other one.
    pub replaced_by: Option<&'c Text>,
    /// The reasons that objects can show.
    pub reasons: Vec<&'c Reason>,
}

/// Returns the conditions that are left of a declaration, in its order.
pub fn conditions_in<'c>(
    conditions: &'c Conditions,
    selection: Selection<'_>,
) -> Vec<ChannelCondition<'c>> {
    let is_there = |gates: &[Gate]| gates.iter().all(|gate| selection.holds(gate));
    let kept = conditions.types.iter().filter(|of| is_there(&of.gates));
    let condition = |of: &'c Condition| {
        let by = of.replaced.as_ref().map(|replaced| &replaced.by);
        let reasons = of.reasons.all.iter();
        let reasons = reasons.filter(|reason| is_there(&reason.gates) && is_shown(of, reason));
        ChannelCondition {
            of,
            replaced_by: by.filter(|by| kept.clone().any(|other| other.name == **by)),
            reasons: reasons.collect(),
        }
    };
    kept.clone().map(condition).collect()
}

fn conditions_text(conditions: &Conditions, selection: Selection<'_>) -> String {
    let paragraphs = conditions_in(conditions, selection)
        .into_iter()
        .map(|kept| {
            let reasons = kept.reasons.iter().map(|reason| line(reason));
            let lines: Vec<String> = std::iter::once(heading(&kept)).chain(reasons).collect();
            lines.join("\n")
        });
    paragraphs.collect::<Vec<_>>().join("\n\n")
}

/// Returns true if an object can show the reason: a negative condition is absent while it is false.
fn is_shown(of: &Condition, reason: &Reason) -> bool {
    (of.polarity, reason.status) != (Polarity::Negative, Status::False)
}

/// Returns one type with its deprecation. A replacement is named only if the channel has it.
fn heading(kept: &ChannelCondition<'_>) -> String {
    let of = kept.of;
    let mut says = of.meaning().to_owned();
    if let Some(replaced) = &of.replaced {
        says.push_str("; deprecated, ");
        if let Some(by) = kept.replaced_by {
            says.push_str(&format!("replaced by `{by}`, "));
        }
        says.push_str(&format!("removed in {}", replaced.until));
    }
    format!("`{}` ({says}): {}", of.name, flowing(&of.docs))
}

fn line(of: &Reason) -> String {
    let status = of.status.name();
    let docs = flowing(&of.docs);
    match &of.name {
        Some(name) => format!("- {status}, `{name}`: {docs}"),
        None => format!("- {status}, made of an error code: {docs}"),
    }
}

/// Joins the lines of a text.
pub fn flowing(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
