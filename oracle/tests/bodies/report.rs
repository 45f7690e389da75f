//! Compares the result of a compiled function with its evaluated value.

use super::crates::{Crate, Ours};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;

/// How many reasons and failures are printed.
const SHOWN: usize = 25;

/// The output of the compiled program for a function.
pub enum Computed {
    Value(Value),
    /// serde cannot write it: schemars then shows no default.
    Unwritten,
    Panic,
    /// Not the same at each call, as the order of a hash map.
    Unsteady,
}

/// A function `main` that prints what the functions `computed` of these modules give, each called several times.
pub fn main<'a>(modules: impl Iterator<Item = &'a str>) -> String {
    let mut calls = String::new();
    for name in modules {
        writeln!(calls, "    say(\"{name}\", {name}::computed);").unwrap();
    }
    format!(
        "use serde_json::Value;

fn say(name: &str, value: fn() -> Result<Option<Value>, serde_json::Error>) {{
    let mut said: Vec<Value> = (0..5).map(|_| match std::panic::catch_unwind(value) {{
        Ok(Ok(value)) => serde_json::json!({{ \"name\": name, \"value\": value }}),
        Ok(Err(_)) => serde_json::json!({{ \"name\": name, \"unwritten\": true }}),
        Err(_) => serde_json::json!({{ \"name\": name, \"panic\": true }}),
    }}).collect();
    said.dedup();
    match said.len() {{
        1 => println!(\"{{}}\", said[0]),
        _ => println!(\"{{}}\", serde_json::json!({{ \"name\": name, \"unsteady\": true }})),
    }}
}}

fn main() {{
    std::panic::set_hook(Box::new(|_| {{}}));
{calls}}}
"
    )
}

/// The output of a crate with that `main`, by module.
pub fn computed(batch: &Crate) -> BTreeMap<String, Computed> {
    let said = batch.run().into_iter();
    said.map(|said| {
        let name = said["name"].as_str().unwrap().to_owned();
        let computed = match said {
            _ if said.get("panic").is_some() => Computed::Panic,
            _ if said.get("unsteady").is_some() => Computed::Unsteady,
            _ if said.get("unwritten").is_some() => Computed::Unwritten,
            _ => Computed::Value(said["value"].clone()),
        };
        (name, computed)
    })
    .collect()
}

/// The verdicts on many functions.
#[derive(Default)]
pub struct Report {
    pub verdicts: BTreeMap<&'static str, usize>,
    reasons: BTreeMap<String, usize>,
    pub failures: Vec<String>,
}

pub const EQUAL: &str = "equal";
pub const UNKNOWN: &str = "unknown";
const DIFFERENT: &str = "different";

impl Report {
    /// Compares one function; false if its evaluated value is wrong.
    pub fn record_verdict(
        &mut self,
        name: &str,
        computed: &Computed,
        read: &Ours,
        source: impl Fn() -> String,
    ) -> bool {
        let written = read.crd.as_ref().map(default);
        let (verdict, why) = match (computed, written) {
            _ if !read.errors.is_empty() => {
                for error in read.errors.iter().take(1) {
                    *self.reasons.entry(reason(error)).or_default() += 1;
                    if std::env::var("ORACLE_SHOW").is_ok_and(|part| error.contains(&part)) {
                        println!("---- {name}: {error}\n{}", source());
                    }
                }
                let verdict = match computed {
                    Computed::Value(_) => UNKNOWN,
                    Computed::Unwritten => "unknown, serde cannot write it",
                    Computed::Panic => "unknown, it panics",
                    Computed::Unsteady => "unknown, it is not the same each time",
                };
                (verdict, None)
            }
            (_, None) => (DIFFERENT, Some("neither a CRD nor an error".to_owned())),
            (Computed::Value(value), Some(written)) if same(value, written) => (EQUAL, None),
            (Computed::Unwritten, Some(Value::Null)) => (EQUAL, None),
            (Computed::Value(value), Some(written)) => (
                DIFFERENT,
                Some(format!("computed {value}\n    read     {written}")),
            ),
            (Computed::Unwritten, Some(written)) => (
                DIFFERENT,
                Some(format!("serde cannot write it\n    read     {written}")),
            ),
            (Computed::Panic, Some(written)) => (
                DIFFERENT,
                Some(format!("it panics\n    read     {written}")),
            ),
            (Computed::Unsteady, Some(written)) => (
                DIFFERENT,
                Some(format!(
                    "it is not the same each time\n    read     {written}"
                )),
            ),
        };
        *self.verdicts.entry(verdict).or_default() += 1;
        if let Some(why) = why {
            let source = source();
            self.failures
                .push(format!("---- {name}\n    {why}\n{source}"));
            return false;
        }
        true
    }

    /// Prints the shares.
    pub fn print(&self) {
        let mut reasons: Vec<(&String, &usize)> = self.reasons.iter().collect();
        reasons.sort_by_key(|(reason, times)| (usize::MAX - **times, *reason));
        for (reason, times) in reasons.into_iter().take(SHOWN) {
            println!("{times:7} unknown: {reason}");
        }
        let all: usize = self.verdicts.values().sum();
        for (verdict, times) in &self.verdicts {
            println!("{times:7} ({:.1} %) {verdict}", 100.0 * share(*times, all));
        }
    }

    /// Fails where anything was read wrong.
    pub fn assert(&self) {
        let mut shown: Vec<&str> = self.failures.iter().map(String::as_str).collect();
        shown.sort_by_key(|failure| failure.len());
        shown.truncate(SHOWN);
        assert!(
            self.failures.is_empty(),
            "{} read wrong, the shortest:\n{}",
            self.failures.len(),
            shown.join("\n")
        );
    }
}

pub fn share(part: usize, all: usize) -> f64 {
    f64::from(u32::try_from(part).unwrap()) / f64::from(u32::try_from(all.max(1)).unwrap())
}

/// The default of the spec's only field. kube writes none that is null.
fn default(crd: &Value) -> &Value {
    let schema = &crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
    &schema["properties"]["spec"]["properties"]["value"]["default"]
}

/// Not what it is about, but why.
fn reason(error: &str) -> String {
    let mut reason = String::new();
    for (at, part) in error.split('`').enumerate() {
        reason.push_str(if at % 2 == 0 { part } else { "`..`" });
    }
    reason.chars().take(110).collect()
}

/// Whether two values are one. Numbers are equal when their values are, to the last bit.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        (Value::Number(a), Value::Number(b)) => {
            a == b || (a.is_f64() || b.is_f64()) && a.as_f64() == b.as_f64()
        }
        _ => a == b,
    }
}
