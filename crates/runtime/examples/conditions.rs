//! Sets one condition among others, one JSON object per line: `{"now", "conditions", "set"}`. Prints the resulting conditions
//! in the form of Kubernetes' API.

use crd_channels_runtime::conditions::{
    Condition, ConditionType, ConditionWriter, NoConditions, Reason, State, Status,
};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use k8s_openapi::jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};
use std::error::Error;
use std::io::{BufRead, Write};

/// The time of a condition without one, as in Go.
const NEVER: Timestamp = Timestamp::constant(-62_135_596_800, 0);

/// The types that are set.
const TYPES: [ConditionType; 5] = [
    ConditionType::positive("Accepted"),
    ConditionType::positive("Programmed"),
    ConditionType::positive("ResolvedRefs"),
    ConditionType::positive("Ready"),
    ConditionType::positive("example.com/Own"),
];

#[derive(Deserialize)]
struct Input {
    now: Timestamp,
    conditions: Option<Vec<Written>>,
    set: Written,
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
        let set = input.set;
        let of = TYPES.into_iter().find(|of| of.name() == set.type_);
        let of = of.ok_or("a type that is not set")?;
        let state = State::new(
            Status::read(&set.status),
            Reason::new(set.reason)?,
            set.message,
        );
        let generation = set.observed_generation;
        let mut writer = ConditionWriter::for_list::<NoConditions>(&mut conditions, generation);
        writer.at(input.now).set_state(of, &state);
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
