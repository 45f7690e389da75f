//! `channels/waivers.toml`: changes that a person takes responsibility for, each valid for one bundle.

use super::verdict::{Bump, Need};
use super::{Finding, Report};
use serde::Deserialize;
use std::collections::BTreeSet;

/// A waiver.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Waiver {
    /// The kind whose change it is.
    pub kind: String,
    /// The group of the kind, if several groups have such a change.
    #[serde(default)]
    pub group: Option<String>,
    /// The path, as in findings.
    pub path: String,
    /// The code, if a place has several findings.
    #[serde(default)]
    pub code: Option<String>,
    /// The bundle that it is for; it has no effect on others.
    pub bundle: String,
    /// Why the change is acceptable; printed in the release notes.
    pub reason: String,
    /// The bump that the change requires instead; `patch` by default.
    #[serde(default)]
    pub bump: Lowered,
}

/// The bumps to which a waiver may lower a change.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Lowered {
    /// It repairs something that never worked.
    #[default]
    Patch,
    /// Users can notice it.
    Minor,
    /// A change in place, in a major bundle.
    NewApiVersion,
}

impl Waiver {
    fn is_about(&self, finding: &Finding) -> bool {
        let is_of_group = self
            .group
            .as_ref()
            .is_none_or(|group| *group == *finding.group);
        is_of_group && *self.kind == *finding.kind && self.path == finding.path
    }
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    waiver: Vec<Waiver>,
}

/// Reads the file's text.
///
/// # Errors
/// If the file is invalid: the reason and its place.
pub fn parse(text: &str) -> Result<Vec<Waiver>, String> {
    let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
    for waiver in &file.waiver {
        if waiver.reason.trim().is_empty() {
            return Err(format!(
                "the waiver for `{}` of `{}` has no reason",
                waiver.path, waiver.kind
            ));
        }
    }
    Ok(file.waiver)
}

/// Lowers the findings that have a waiver for this bundle. A `Never` stays, unless its rule is waivable. Reports waivers for
/// the bundle that no finding needs.
pub fn apply(waivers: &[Waiver], bundle: Option<&str>, report: &mut Report) {
    let core = |version: &str| {
        let version = version.strip_prefix('v').unwrap_or(version);
        version.split('-').next().unwrap_or(version).to_owned()
    };
    let bundle = bundle.map(core);
    for waiver in waivers {
        if bundle.as_ref() != Some(&core(&waiver.bundle)) {
            continue;
        }
        let is_meant = |finding: &Finding| {
            let code = waiver.code.as_deref();
            waiver.is_about(finding) && code.is_none_or(|code| code == finding.record.id)
        };
        let about = report.findings.iter().filter(|it| is_meant(it));
        let groups: BTreeSet<&str> = about.map(|finding| &*finding.group).collect();
        if groups.len() > 1 {
            let groups: Vec<&str> = groups.into_iter().collect();
            report.notes.push(format!(
                "the waiver for `{}` of `{}` names none of the groups with such a change, `{}`; add `group = \"{}\"`",
                waiver.path,
                waiver.kind,
                groups.join("`, `"),
                groups.first().copied().unwrap_or_default()
            ));
            continue;
        }
        let mut used = false;
        for finding in &mut report.findings {
            if !is_meant(finding) {
                continue;
            }
            used = true;
            let waivable = finding.record.waivable || report.is_first;
            if finding.counts_as() == Bump::Never && !waivable {
                report.notes.push(format!(
                    "the waiver for `{}` of `{}` is invalid: `{}` is not allowed in any bundle",
                    waiver.path, waiver.kind, finding.record.id
                ));
                continue;
            }
            let lowered = match waiver.bump {
                Lowered::Patch => Need::PATCH,
                Lowered::Minor => Need::MINOR,
                Lowered::NewApiVersion => Need::VERSION,
            };
            let needs = finding.change.bump;
            let is_lower = needs.counts_as() > lowered.counts_as();
            finding.waive(&waiver.reason, if is_lower { lowered } else { needs });
        }
        if !used {
            report.notes.push(unused(waiver, report));
        }
    }
}

/// Returns the note about a waiver for the bundle that no finding needs: it says what keeps it from applying.
fn unused(waiver: &Waiver, report: &Report) -> String {
    let here = report.findings.iter();
    let here = here.filter(|finding| waiver.is_about(finding));
    let mut codes: Vec<&str> = here.map(|finding| finding.record.id).collect();
    codes.dedup();
    let why = match &waiver.code {
        Some(code) if !codes.is_empty() => {
            format!(
                "has the code `{code}`, but the change has `{}`",
                codes.join("`, `")
            )
        }
        _ => "is not needed: no change has this kind and path".to_owned(),
    };
    format!(
        "the waiver for `{}` of `{}` {why}",
        waiver.path, waiver.kind
    )
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::{apply, parse};
    use crate::Report;
    use crate::findings::verdict::{Bump, Channel, Need};
    use crate::findings::{Change, Finding};
    use crate::kinds::crds::CRD_RULES;

    /// Two groups may have a kind of one name.
    #[test]
    fn a_waiver_is_for_one_group() {
        let lowered = |group: &str| {
            let findings = ["a.com", "b.com"].map(|group| {
                let change = Change::harmless(Need::MINOR, "changed");
                let finding =
                    Finding::new(&CRD_RULES[0].record, Channel::Stable, "spec.host", change);
                finding.of_kind(group, "Route").of_version("v1")
            });
            let mut report = Report {
                findings: findings.into(),
                ..Report::default()
            };
            let text = format!(
                "[[waiver]]\n{group}kind = 'Route'\npath = 'spec.host'\nbundle = 'v0.1.0'\nreason = 'r'"
            );
            apply(&parse(&text).unwrap(), Some("v0.1.0"), &mut report);
            let bumps: Vec<Bump> = report.findings.iter().map(Finding::counts_as).collect();
            (bumps, report.notes.join("\n"))
        };
        let (bumps, notes) = lowered("");
        assert_eq!(bumps, [Bump::Minor, Bump::Minor]);
        assert!(notes.contains("add `group = \"a.com\"`"), "{notes}");
        let only = |bumps| (bumps, String::new());
        assert_eq!(
            lowered("group = 'b.com'\n"),
            only(vec![Bump::Minor, Bump::Patch])
        );
        assert_eq!(
            lowered("group = 'a.com'\n"),
            only(vec![Bump::Patch, Bump::Minor])
        );
        let (bumps, notes) = lowered("group = 'c.com'\n");
        assert_eq!(bumps, [Bump::Minor, Bump::Minor]);
        assert!(notes.contains("is not needed"), "{notes}");
    }

    /// `schemas/waivers.json`, which editors use for completion, accepts exactly what the tool accepts.
    #[test]
    fn the_schema_says_what_is_read() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../schemas/waivers.json");
        let schema = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let all = "kind = 'A'\npath = 'spec'\nbundle = 'v0.1.0'\nreason = 'r'";
        for (text, expected) in [
            (String::new(), true),
            (format!("[[waiver]]\n{all}"), true),
            (
                format!("[[waiver]]\n{all}\ngroup = 'a.com'\nbump = 'minor'\ncode = 'x'"),
                true,
            ),
            (format!("[[waiver]]\n{all}\nbump = 'major'"), false),
            (format!("[[waiver]]\n{all}\nbumb = 'minor'"), false),
            (format!("[[waivers]]\n{all}"), false),
            (
                "[[waiver]]\nkind = 'A'\npath = 'spec'\nbundle = 'v0.1.0'".to_owned(),
                false,
            ),
            (format!("[[waiver]]\n{}", all.replace("'r'", "' '")), false),
        ] {
            let value: toml::Value = toml::from_str(&text).unwrap();
            let value = serde_json::to_value(value).unwrap();
            assert_eq!(parse(&text).is_ok(), expected, "the reader: {text}");
            let valid = jsonschema::draft7::is_valid(&schema, &value);
            assert_eq!(valid, expected, "the schema: {text}");
        }
    }
}
