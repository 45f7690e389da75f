//! Sets one condition among others, one JSON object per line: `{"rule", "now", "conditions", "set"}`. Prints the resulting
//! conditions in the form of Kubernetes' API.

use crd_channels_runtime::conditions::{Observation, Transition, set};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, Time};
use k8s_openapi::jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};
use std::error::Error;
use std::io::{BufRead, Write};

/// The time of a condition without one, as in Go.
const NEVER: Timestamp = Timestamp::constant(-62_135_596_800, 0);

#[derive(Deserialize)]
struct Input {
    rule: Rule,
    now: Timestamp,
    conditions: Option<Vec<Written>>,
    set: Written,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Rule {
    Kubernetes,
    AnyChange,
}

/// A condition as in the input. Missing fields have Go's zero value.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Written {
    #[serde(rename = "type")]
    type_: String,
    status: String,
    observed_generation: Option<i64>,
    last_transition_time: Option<Timestamp>,
    reason: String,
    message: String,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let input: Input = serde_json::from_str(&line?)?;
        let conditions = input.conditions.unwrap_or_default().into_iter();
        let mut conditions: Vec<Condition> = conditions.map(condition).collect();
        let seen = Observation {
            type_: &input.set.type_,
            status: &input.set.status,
            reason: &input.set.reason,
            message: &input.set.message,
            observed_generation: input.set.observed_generation.unwrap_or_default(),
        };
        let transition = match input.rule {
            Rule::Kubernetes => Transition::OfStatus,
            Rule::AnyChange => Transition::OfAnything,
        };
        set(&mut conditions, &seen, input.now, transition);
        let shown: Vec<Value> = conditions.iter().map(shown).collect();
        writeln!(out, "{}", Value::from(shown))?;
    }
    Ok(())
}

fn condition(written: Written) -> Condition {
    Condition {
        last_transition_time: Time(written.last_transition_time.unwrap_or(NEVER)),
        message: written.message,
        observed_generation: written.observed_generation,
        reason: written.reason,
        status: written.status,
        type_: written.type_,
    }
}

/// Formats a condition as Go's client does: without a generation of 0 and without a missing time.
fn shown(condition: &Condition) -> Value {
    let mut shown = json!(condition);
    if condition.last_transition_time.0 == NEVER {
        shown["lastTransitionTime"] = Value::Null;
    }
    if let (Some(0), Some(object)) = (condition.observed_generation, shown.as_object_mut()) {
        object.remove("observedGeneration");
    }
    shown
}
