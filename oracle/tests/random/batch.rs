//! A batch of random kinds as a crate: what kube says of them, and what the generator says.

use super::compare::by_version;
use super::crates::Crate;
use crd_channels_check as check;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

pub use super::crates::Ours;

/// Kube's result for a kind: its CRD, or the message of its panic.
pub type ByKube = Result<Value, String>;

pub struct Batch(Crate);

impl Batch {
    /// Writes a crate with these modules, each with a function `crd`.
    pub fn write(root: &Path, modules: &[(String, String)], dependencies: &str) -> Self {
        let mut calls = String::new();
        for (name, _) in modules {
            writeln!(calls, "    say(\"{name}\", {name}::crd);").unwrap();
        }
        let main = format!(
            "fn say(name: &str, crd: fn() -> serde_json::Value) {{
    let said = match std::panic::catch_unwind(crd) {{
        Ok(crd) => serde_json::json!({{ \"name\": name, \"crd\": crd }}),
        Err(panic) => {{
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            serde_json::json!({{ \"name\": name, \"panic\": text }})
        }}
    }};
    println!(\"{{said}}\");
}}

fn main() {{
    std::panic::set_hook(Box::new(|_| {{}}));
{calls}}}
"
        );
        Self(Crate::write(root, modules, &main, dependencies))
    }

    /// Compiles and runs it: what kube says, by module.
    pub fn by_kube(&self) -> BTreeMap<String, ByKube> {
        let said = self.0.run().into_iter();
        said.map(|said| {
            let name = said["name"].as_str().unwrap().to_owned();
            let crd = match said.get("crd") {
                Some(crd) => Ok(crd.clone()),
                None => Err(said["panic"].to_string()),
            };
            (name, crd)
        })
        .collect()
    }

    /// The errors of the modules that do not compile.
    #[allow(dead_code, reason = "random kinds compile")]
    pub fn errors(&self) -> BTreeMap<String, Vec<String>> {
        self.0.errors()
    }

    /// The same as `ours`, unless the generator panics or takes longer.
    #[allow(dead_code, reason = "random kinds are read as they are")]
    pub fn ours_within(&self, time: Duration) -> Option<BTreeMap<String, Ours>> {
        self.0.ours_within(time)
    }

    /// Reads it: what the generator says, by module.
    pub fn ours(&self) -> BTreeMap<String, Ours> {
        self.0.ours()
    }

    /// Writes a file that a module includes.
    #[allow(dead_code, reason = "random kinds have none")]
    pub fn add(&self, name: &str, text: &str) {
        self.0.rewrite(name, text);
    }
}

/// Why a server refuses a CRD; nothing if it does not.
pub fn refusals(crd: &Value) -> Vec<String> {
    let findings = check::validate(crd, check::NEWEST).into_iter();
    findings
        .filter(check::Finding::refuses)
        .map(|finding| {
            let message = finding.message_with_part();
            format!("{}: {message}", finding.field.unwrap_or_default())
        })
        .collect()
}

/// The only version of a CRD, without what is not compared.
pub fn alone(crd: &Value) -> Value {
    by_version(crd).remove(0).1
}
