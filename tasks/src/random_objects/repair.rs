//! Makes objects valid with the help of a server: what it complains about is removed.

use crate::objects::dice::Dice;
use crate::objects::field::Field;
use crate::verdicts::causes;
use crd_channels_envtest::http::Api;
use serde_json::Value;

/// How often an object is sent.
const ROUNDS: usize = 12;

/// Removes what the server refuses. The object may be invalid still.
pub fn repair(api: Api, path: &str, mut object: Value, dice: &mut Dice) -> Value {
    let path = format!("{path}?dryRun=All&fieldValidation=Warn");
    for _ in 0..ROUNDS {
        let answer = api.post(&path, &object).unwrap();
        if answer.status != 422 {
            break;
        }
        for cause in causes(&answer) {
            let field = Field::parse(cause["field"].as_str().unwrap_or_default());
            if field.is_below("metadata") || field.is_below("<nil>") || field.0.is_empty() {
                continue;
            }
            // A rule may be about any field of the value, and what has no such field lacks it.
            let mut at = field.clone();
            if cause["reason"] == "FieldValueRequired" {
                at.0.pop();
            }
            match at.get(&object) {
                Some(Value::Object(fields)) if !fields.is_empty() => {
                    let names: Vec<String> = fields.keys().cloned().collect();
                    let name = dice.pick(&names).unwrap();
                    at.name(name).remove(&mut object);
                }
                _ => {
                    at.remove(&mut object);
                }
            }
        }
    }
    object
}
