//! `docs/diagnostics.md`, the page of all diagnostic codes, from their records.

use crd_channels_check::{Level, Rule};
use crd_channels_diagnostics::{Code, Record, Severity};

/// The whole page.
#[must_use]
pub fn page() -> String {
    let mut page = String::from(INTRODUCTION);
    for code in Code::ALL {
        let Record {
            id,
            severity,
            summary,
            explanation,
        } = code.record();
        let severity = match severity {
            Severity::Error => "Error",
            Severity::Warning => "Warning",
        };
        page.push_str(&format!(
            "\n## `{id}`\n\n{severity}. {summary}\n\n{explanation}\n"
        ));
    }
    page.push_str(RULES);
    for rule in Rule::ALL {
        let record = rule.record();
        let level = match record.level {
            Level::Deny => "Deny",
            Level::Warn => "Warn",
            Level::Allow => "Allow",
        };
        page.push_str(&format!(
            "\n### `{}`\n\n{level}. {}\n\n{} To fix it, {}.\n",
            record.id, record.summary, record.explanation, record.help
        ));
    }
    page
}

const RULES: &str = "\
\n## Rules about CRDs

`cargo xtask check` says these of any CRD, and `gen-crds` of those that it makes. A rule that denies is one by which an API
server refuses the CRD; `gen-crds` reports it as `refused-crd`. The exception is `scale-notation`: servers accept such a CRD, but
can never serve what it asks for. A rule that warns is a lint: servers accept what it is about, and its [level](configuration.md#lints)
can be set.
";

const INTRODUCTION: &str = "\
# Diagnostics

Every finding has one of these codes: `error[CODE]` or `warning[CODE]`. An error keeps everything from being written, a
warning does not. `cargo xtask explain CODE` says the same as this page, which is written from the same records by
`cargo xtask pages`.
";
