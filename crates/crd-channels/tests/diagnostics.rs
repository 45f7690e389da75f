//! Tests every diagnostic code with a workspace that causes it: the real binary, the real cargo, and many files in one text.
//!
//! The file is `diagnostics/<code>.txt`, or `<code>.<what>.txt` for another cause of the same code. A line ends with `//~ code`
//! (in TOML `#~ code`) if a finding is on it; `//~^ code` refers to the line above, and each further `^` to one line higher.
//! The text before the first file has the rest: `~ code` for a finding without a place, `exit 2` if that is the exit code. A
//! run must have exactly these findings, so everything without a mark is a near miss.
//!
//! `<name>.stderr` is the output for people. `BLESS=1` updates the existing ones.

use crate::support::{Finding, Workspace, split};
use crd_channels::cli::table;
use crd_channels_check::Rule;
use crd_channels_compat::catalogue;
use crd_channels_diagnostics::{Code, Severity};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Codes that no workspace causes by itself, with the test that does.
const ELSEWHERE: &[(&str, &str)] = &[
    ("bundle-invalid", "bundle::manifest::tests"),
    ("bundle-newer", "bundle::manifest::tests"),
    ("bundle-tampered", "bundle::folder::tests"),
    ("config-exists", "init: existing_files_are_unchanged"),
    (
        "not-importable",
        "import: what_cannot_be_read_or_said_writes_nothing",
    ),
    ("import-conflict", "import: what_cannot_be_merged_is_shown"),
    // Only files written by others cause these.
    (
        "unknown-field",
        "unknown_fields_leave_a_crd_accepted_and_wrong_kinds_have_no_field",
    ),
    ("large", "check: rows_tests::sizes"),
    (
        "dependency-missing",
        "gen_crds: a_dependency_whose_files_are_gone",
    ),
    (
        "release-refused",
        "release: a_rejected_release_lists_each_change",
    ),
    ("release-version", "release: a_version_is_released_once"),
    ("stale-files", "release: stale_files_block_a_release"),
    (
        "behind-bundle",
        "release: changes_of_the_branch_that_the_tree_lacks_are_reported",
    ),
    (
        "version-released",
        "release: crds_do_not_change_under_a_released_version",
    ),
    (
        "unclean-tree",
        "release: uncommitted_changes_block_a_release",
    ),
    (
        "archive-in-tree",
        "release: archives_are_not_written_into_the_working_tree",
    ),
    ("bundle-unsigned", "release: a_bundle_says_who_released_it"),
    ("key-invalid", "release: a_bundle_says_who_released_it"),
    (
        "registry-failed",
        "oci: credentials_are_those_of_docker_and_podman",
    ),
    (
        "registry-support",
        "pin: a_registry_needs_a_program_that_was_built_for_it",
    ),
    (
        "deprecation-refused",
        "deprecate: versions_that_cannot_be_deprecated_are_reported",
    ),
    (
        "bundle-missing",
        "pin: missing_bundles_and_channels_are_reported",
    ),
    (
        "channel-missing",
        "pin: missing_bundles_and_channels_are_reported",
    ),
    (
        "not-as-pinned",
        "json: vendored_files_that_differ_are_findings",
    ),
    (
        "cluster-failed",
        "cluster: without_kubectl_or_a_server_it_could_not_run",
    ),
    (
        "cluster-forbidden",
        "cluster: refusals_name_what_is_missing",
    ),
    (
        "cluster-differs",
        "cluster: a_bundle_is_installed_in_order_and_goes_on_after_a_failure",
    ),
    (
        "cluster-refused",
        "cluster: what_loses_something_is_refused",
    ),
    (
        "cluster-incomplete",
        "cluster: what_cannot_be_rewritten_is_named_and_stays_stored",
    ),
    ("stray-crd", "pin: other_files_with_the_same_crds_are_named"),
    (
        "pin-refused",
        "pin: downgrades_and_harmful_changes_are_pinned_only_on_request",
    ),
    (
        "object-invalid",
        "validate: every_finding_is_at_its_field_with_the_remedy",
    ),
    (
        "object-unknown-field",
        "validate: every_finding_is_at_its_field_with_the_remedy",
    ),
    (
        "object-deprecated",
        "validate: every_finding_is_at_its_field_with_the_remedy",
    ),
    (
        "object-dropped-field",
        "validate: unknown_fields_and_warnings_are_as_strict_as_asked",
    ),
    (
        "object-warning",
        "validate: what_a_server_warns_of_is_a_warning",
    ),
    (
        "object-unknown-kind",
        "validate: versions_and_kinds_that_no_server_has_are_errors",
    ),
    (
        "object-unserved",
        "validate: versions_and_kinds_that_no_server_has_are_errors",
    ),
    (
        "object-defaulted",
        "plan: every_effect_on_an_object_is_at_its_field",
    ),
    (
        "object-not-evaluated",
        "validate: a_rule_that_cannot_be_evaluated_is_a_warning",
    ),
    (
        "lock-invalid",
        "pin: locks_that_are_newer_broken_or_not_there_are_refused",
    ),
    (
        "lock-conflict",
        "pin: a_switched_channel_and_a_new_version_do_not_mix",
    ),
    (
        "lock-inconsistent",
        "pin: an_edited_entry_is_refused_and_repaired",
    ),
    (
        "vendor-refused",
        "pin: the_last_crd_and_that_of_another_bundle_are_removed_only_on_request",
    ),
    (
        "lock-missing",
        "pin: locks_that_are_newer_broken_or_not_there_are_refused",
    ),
    (
        "lock-newer",
        "pin: locks_that_are_newer_broken_or_not_there_are_refused",
    ),
    (
        "removal-refused",
        "remove: dependents_of_the_feature_block_its_removal",
    ),
    (
        "graduation-refused",
        "graduate: graduation_that_tightens_or_removes_is_rejected",
    ),
    (
        "edit-unclear",
        "graduate: source_that_cannot_be_edited_is_reported_and_unchanged",
    ),
    (
        "compile-failed",
        "prove: differences_that_cannot_be_proven_are_reported",
    ),
    (
        "proof-differs",
        "prove: kinds_are_proven_and_holes_are_filled",
    ),
    (
        "proof-incomplete",
        "prove: differences_that_cannot_be_proven_are_reported",
    ),
    (
        "record-failed",
        "prove: differences_that_cannot_be_proven_are_reported",
    ),
    (
        "record-gated",
        "prove: differences_that_cannot_be_proven_are_reported",
    ),
    (
        "record-stale",
        "prove: kinds_are_proven_and_holes_are_filled",
    ),
    (
        "record-unused",
        "prove: kinds_are_proven_and_holes_are_filled",
    ),
    (
        "git-failed",
        "revisions: a_folder_without_a_usable_repository",
    ),
    (
        "revision-not-found",
        "revisions: a_revision_that_is_not_there",
    ),
    (
        "size-limit",
        "gen_crds: a_crd_too_large_for_client_side_apply",
    ),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/diagnostics")
}

/// Returns every fixture by name, with its text.
fn fixtures() -> BTreeMap<String, String> {
    fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .map(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            (name, fs::read_to_string(path).unwrap())
        })
        .collect()
}

/// Returns every code that `gen-crds` can report, with its default severity.
fn codes() -> impl Iterator<Item = (&'static str, Severity)> {
    let codes = Code::ALL.iter().map(|code| code.record());
    let codes = codes.map(|record| (record.id, record.severity));
    let lints = Rule::ALL.iter().filter(|rule| rule.is_lint());
    let lints = lints.map(|lint| (lint.record().id, Severity::Warning));
    // A CRD that servers accept but can never serve has its own error.
    let denied = Rule::ALL
        .iter()
        .filter(|rule| !rule.is_lint() && !rule.is_refusal());
    let denied = denied.map(|rule| (rule.record().id, Severity::Error));
    codes.chain(lints).chain(denied)
}

fn severity(id: &str) -> Severity {
    let known = codes().find(|(code, _)| *code == id);
    known
        .unwrap_or_else(|| panic!("no code is called `{id}`"))
        .1
}

/// An expected finding: its place, if it has one, and its code.
type Expected = (Option<(String, u64)>, String);

/// Returns the expected findings of a fixture, sorted, and its exit code.
fn expected(text: &str) -> (Vec<Expected>, i32) {
    let (head, entries) = split(text);
    let mut all: Vec<Expected> = Vec::new();
    let mut exit = None;
    for line in head.lines() {
        if let Some(code) = line.strip_prefix("~ ") {
            all.push((None, code.to_owned()));
        } else if let Some(code) = line.strip_prefix("exit ") {
            exit = Some(code.parse().unwrap());
        }
    }
    for entry in &entries {
        for (index, line) in entry.text.lines().enumerate() {
            let Some((before, mark)) = line.split_once('~') else {
                continue;
            };
            if !before.ends_with("//") && !before.ends_with('#') {
                continue;
            }
            let above = mark.chars().take_while(|c| *c == '^').count();
            for code in mark.trim_start_matches('^').split_whitespace() {
                let place = (entry.path.to_owned(), (index + 1 - above) as u64);
                all.push((Some(place), code.to_owned()));
            }
        }
    }
    all.sort();
    let errors = all.iter().any(|(_, id)| severity(id) == Severity::Error);
    (all, exit.unwrap_or(i32::from(errors)))
}

/// Returns how a fixture's run differs from its expectations.
fn faults(name: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let (expected, exit) = expected(text);
    let id = name.split('.').next().unwrap();
    if !expected.iter().any(|(_, code)| code == id) {
        faults.push(format!("no mark says `{id}`"));
    }
    let workspace = Workspace::new(text);
    let ran = workspace.run(&["gen-crds", "--format", "json"]);
    if ran.code != Some(exit) {
        faults.push(format!("exit code {:?} and not {exit}", ran.code));
    }
    let findings = ran.findings();
    let mut found: Vec<Expected> = findings
        .iter()
        .map(|finding| (finding.place.clone(), finding.code.clone()))
        .collect();
    found.sort();
    if found != expected {
        faults.push(format!("expected {expected:#?}\nfound {findings:#?}"));
    }
    faults.extend(findings.iter().filter_map(house_rules));
    let written = workspace.generated();
    if (exit == 0) == written.is_empty() {
        let names: Vec<_> = written.keys().collect();
        faults.push(format!(
            "exit code {exit}, and these were written: {names:?}"
        ));
    }
    faults.extend(human(name, &workspace));
    faults
}

/// Phrases that native readers stumble over, between colons, each with what to write instead.
const UNIDIOMATIC: &str = include_str!("unidiomatic.txt");

/// Returns the first such phrase in a text, except in names and code in backticks.
fn unidiomatic(text: &str) -> Option<&'static str> {
    let prose: Vec<&str> = text.split('`').step_by(2).collect();
    let prose = format!(" {} ", prose.join("``").to_lowercase());
    let prose = prose.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut prose = format!(" {prose} ");
    for idiom in [
        " there is no ",
        " there are no ",
        " is no longer ",
        " are no longer ",
    ] {
        prose = prose.replace(idiom, " .. ");
    }
    let phrases = UNIDIOMATIC
        .lines()
        .filter_map(|line| line.split(':').nth(1));
    phrases.into_iter().find(|phrase| prose.contains(*phrase))
}

/// Returns how a message violates the rules for all messages.
fn house_rules(finding: &Finding) -> Option<String> {
    // These have the messages of cargo, serde and the parser.
    let foreign = [
        "cargo-failed",
        "serde-attribute",
        "syntax-error",
        "cel-syntax",
    ];
    let Finding {
        code: id,
        severity,
        message,
        help,
        place: _,
    } = finding;
    let first = message.chars().next();
    let is_sentence = |text: &str| text.ends_with('.') && !text.ends_with("..");
    let wrong = if message.trim() != message || is_sentence(message) {
        "ends like a sentence"
    } else if first.is_none_or(char::is_uppercase) && !foreign.contains(&id.as_str()) {
        "does not start in lower case"
    } else if message.matches('`').count() % 2 == 1 {
        "has a backtick without its other half"
    } else if message.contains("/tmp") && id != "cargo-failed" {
        "names a path of this machine"
    } else if help.as_deref().is_some_and(is_sentence) {
        "has help that ends like a sentence"
    } else if help.is_none() && !["syntax-error", "unresolved-path"].contains(&id.as_str()) {
        "has no help"
    } else if severity != "error" && severity != "warning" {
        "has no severity"
    } else if !foreign.contains(&id.as_str())
        && [Some(message), help.as_ref()]
            .into_iter()
            .flatten()
            .any(|text| unidiomatic(text).is_some())
    {
        "has an unidiomatic phrase"
    } else {
        return None;
    };
    Some(format!("{wrong}: {finding:#?}"))
}

/// Compares the output for people, if the expected one is stored.
fn human(name: &str, workspace: &Workspace) -> Option<String> {
    let kept = folder().join(format!("{name}.stderr"));
    if !kept.exists() {
        return None;
    }
    let stderr = workspace.run(&["gen-crds"]).stderr;
    if std::env::var_os("BLESS").is_some() {
        fs::write(&kept, &stderr).unwrap();
        return None;
    }
    let expected = fs::read_to_string(&kept).unwrap();
    (stderr != expected).then(|| format!("{}:\n{stderr}\nand not\n{expected}", kept.display()))
}

#[test]
fn fixtures_trigger_their_diagnostics() {
    let wrong: Vec<String> = fixtures()
        .par_iter()
        .flat_map_iter(|(name, text)| {
            let faults = faults(name, text);
            faults
                .into_iter()
                .map(move |fault| format!("{name}: {fault}"))
        })
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n\n"));
}

#[test]
fn records_are_written_in_idiomatic_english() {
    let codes = Code::ALL.iter().map(|code| code.record());
    let codes =
        codes.flat_map(|record| [(record.id, record.summary), (record.id, record.explanation)]);
    let rules = Rule::ALL.iter().map(|rule| rule.record());
    let rules = rules.flat_map(|record| {
        [record.summary, record.explanation, record.help].map(|text| (record.id, text))
    });
    let changes = catalogue()
        .into_iter()
        .flat_map(|record| [record.summary, record.explanation].map(|text| (record.id, text)));
    let wrong: Vec<_> = codes
        .chain(rules)
        .chain(changes)
        .filter_map(|(id, text)| Some((id, unidiomatic(text)?, text)))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_help_of_every_command_is_written_in_idiomatic_english() {
    let workspace = Workspace::new("");
    let all = workspace.run(&["--help"]).with_code(0).stdout;
    for row in table::commands() {
        let help = workspace.run(&[&row.name(), "--help"]).with_code(0).stdout;
        assert_eq!(unidiomatic(&help), None, "{help}");
    }
    assert_eq!(unidiomatic(&all), None, "{all}");
}

#[test]
fn every_code_has_a_fixture() {
    let fixtures = fixtures();
    let with: BTreeSet<&str> = fixtures
        .keys()
        .map(|name| name.split('.').next().unwrap())
        .collect();
    for id in &with {
        severity(id);
    }
    for (id, test) in ELSEWHERE {
        severity(id);
        assert!(!with.contains(id), "`{id}` has a fixture as well as {test}");
    }
    let without: Vec<&str> = codes()
        .map(|(id, _)| id)
        .filter(|id| !with.contains(id) && !ELSEWHERE.iter().any(|(other, _)| other == id))
        .collect();
    assert!(without.is_empty(), "nothing calls forth {without:?}");
}

#[test]
fn every_code_is_explained() {
    let workspace = Workspace::new("");
    let listed = workspace.run(&["explain"]).with_code(0).stdout;
    let ids: Vec<&str> = listed
        .lines()
        .map(|line| line.split_whitespace().next().unwrap())
        .collect();
    let codes = Code::ALL.iter().map(|code| code.record().id);
    let rules = Rule::ALL.iter().map(|rule| rule.record().id);
    let changes = catalogue().into_iter().map(|record| record.id);
    assert_eq!(
        ids,
        codes.chain(rules).chain(changes).collect::<Vec<&str>>()
    );
    let one = workspace
        .run(&["explain", "gated-read"])
        .with_code(0)
        .stdout;
    assert!(one.starts_with("gated-read\n\n"), "{one}");
    let none = workspace
        .run(&["explain", "gated-raed"])
        .with_code(2)
        .stderr;
    assert!(none.contains("did you mean `gated-read`?"), "{none}");
}
