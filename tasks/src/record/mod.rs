//! `record`: records the verdicts of a kube-apiserver on CRDs, so that tests of `check` need no server.
//!
//! A line of the record is a case, in the format of `apiserver/check/tests/shared/cases.rs`, with the server's verdict: its
//! `causes` are the reasons and fields, each with the server's message. A case without causes and with an empty verdict is
//! accepted.

mod add;
#[path = "../../../apiserver/check/tests/shared/cases.rs"]
mod cases;

use crate::verdicts::{Verdict, causes, verdict};
use cases::Cases;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use crd_channels::commands::Outcome;
use crd_channels_check::NEWEST;
use crd_channels_envtest::http::{Answer, Api};
use crd_channels_envtest::server::Server;
use crd_channels_envtest::{Failure, binaries, io};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const FILE: &str = "../apiserver/check/tests/record/crds.jsonl";

const CRDS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/// The maximum number of characters to record of a message.
const LONGEST_MESSAGE: usize = 320;

/// The server's name for the type of `self`, which a random number follows.
const RANDOM_TYPE: &str = "selfType";

/// The maximum number of differing lines to show.
const SHOWN: usize = 10;

/// The command and its options.
pub fn command() -> Command {
    Command::new("record")
        .about("Records the verdicts of a kube-apiserver on the CRDs that `check` is tested with")
        .arg(
            Arg::new("check")
                .long("check")
                .action(ArgAction::SetTrue)
                .conflicts_with("add")
                .help("write nothing, and end with 1 if the server has other verdicts"),
        )
        .arg(
            Arg::new("add")
                .long("add")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .help("add the CRDs of a YAML file to the record"),
        )
}

/// Runs the command.
pub fn run(given: &ArgMatches) -> Outcome {
    match record(given.get_one("add"), given.get_flag("check")) {
        Ok(outcome) => outcome,
        Err(failure) => {
            eprintln!("{failure}");
            Outcome::CouldNotRun
        }
    }
}

fn record(added: Option<&PathBuf>, only_checks: bool) -> Result<Outcome, Failure> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
    let before = std::fs::read_to_string(&path).map_err(|error| io("read", &path, &error))?;
    let mut cases = Vec::new();
    for line in before.lines().skip(1) {
        cases.push(case(line)?);
    }
    if let Some(file) = added {
        cases.extend(add::cases(file, &cases)?);
    }
    let server = Server::start(&binaries::find()?)?;
    let (lines, differences) = lines(server.api, cases)?;
    for difference in differences.iter().take(SHOWN) {
        println!("`check` has another verdict than the server: {difference}");
    }
    let outcome = if only_checks {
        compare(&before, &lines)
    } else {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        std::fs::write(&path, text).map_err(|error| io("written", &path, &error))?;
        println!("recorded the verdicts on {} CRDs", lines.len() - 1);
        Outcome::Clean
    };
    if differences.is_empty() {
        println!(
            "`check` has the verdict of the server on {} CRDs",
            lines.len() - 1
        );
        return Ok(outcome);
    }
    println!(
        "`check` has {} other verdicts than the server",
        differences.len()
    );
    Ok(Outcome::Findings)
}

/// Parses the case in a line, without its verdict.
fn case(line: &str) -> Result<Value, Failure> {
    let mut case: Value =
        serde_json::from_str(line).map_err(|error| Failure::new(format!("{error}: {line}")))?;
    if let Some(fields) = case.as_object_mut() {
        fields.remove("causes");
        fields.remove("verdict");
    }
    Ok(case)
}

/// Returns the record: first the server's version, then the named cases, then the others. Also returns the lines that `check`
/// disagrees with.
fn lines(api: Api, mut cases: Vec<Value>) -> Result<(Vec<String>, Vec<String>), Failure> {
    cases.sort_by_key(|case| (case.get("name").is_none(), case.to_string()));
    cases.dedup();
    let version = api.get("/version")?.json()["gitVersion"].take();
    let mut lines = vec![json!({"server": version}).to_string()];
    let mut differences = Vec::new();
    let mut named = Cases::default();
    for case in cases {
        let crd = named.crd(&case).map_err(Failure::new)?;
        let answer = ask(api, &case, &crd)?;
        let verdict = verdict(&answer);
        let ours = Verdict::of_check(&crd, NEWEST);
        let line = line(case, verdict.clone(), &answer).to_string();
        if !ours.is_that_of(&verdict) {
            differences.push(format!("{line}\n  {}", json!(ours)));
        }
        lines.push(line);
    }
    Ok((lines, differences))
}

/// Sends the CRD of a case to the server.
fn ask(api: Api, case: &Value, crd: &Value) -> Result<Answer, Failure> {
    // The size limit only applies to objects that are stored.
    let is_stored = case.get("description").is_some();
    let dry_run = if is_stored { "" } else { "dryRun=All&" };
    let answer = api.post(&format!("{CRDS}?{dry_run}fieldValidation=Warn"), crd)?;
    if is_stored && answer.status == 201 {
        let name = crd["metadata"]["name"].as_str().unwrap_or_default();
        api.delete(&format!("{CRDS}/{name}"))?;
    }
    Ok(answer)
}

/// Returns the line of a case with the server's verdict.
fn line(mut case: Value, mut verdict: Verdict, answer: &Answer) -> Value {
    let cause = |cause: Value| {
        let text = |name: &str| cause[name].as_str().unwrap_or_default().to_owned();
        [text("reason"), text("field"), shortened(&text("message"))]
    };
    // Servers return some of them in random order.
    let causes: BTreeSet<[String; 3]> = causes(answer).into_iter().map(cause).collect();
    if !causes.is_empty() {
        case["causes"] = json!(causes);
    }
    // The causes contain it.
    verdict.refused.clear();
    case["verdict"] = json!(verdict);
    case
}

/// Returns a message without the random numbers in names of types, and without the middle if it is long: servers repeat the
/// whole value before the error.
fn shortened(message: &str) -> String {
    let mut parts = message.split(RANDOM_TYPE);
    let first = parts.next().unwrap_or_default().to_owned();
    let message = parts.fold(first, |text, part| {
        let part = part.trim_start_matches(|c: char| c.is_ascii_digit());
        text + RANDOM_TYPE + part
    });
    let characters: Vec<char> = message.chars().collect();
    if characters.len() <= LONGEST_MESSAGE {
        return message;
    }
    let (start, end) = (LONGEST_MESSAGE / 4, LONGEST_MESSAGE * 3 / 4);
    let start = characters.iter().take(start);
    let end = characters.iter().skip(characters.len() - end);
    start.chain(&[' ', '.', '.', ' ']).chain(end).collect()
}

/// Shows how the record differs from the server's current verdicts.
fn compare(before: &str, now: &[String]) -> Outcome {
    let before: BTreeSet<&str> = before.lines().collect();
    let now: BTreeSet<&str> = now.iter().map(String::as_str).collect();
    let different: Vec<&&str> = now.difference(&before).collect();
    for line in different.iter().take(SHOWN) {
        println!("not recorded: {line}");
    }
    if before == now {
        println!(
            "the server has the {} verdicts that are recorded",
            now.len() - 1
        );
        return Outcome::Clean;
    }
    println!(
        "{} verdicts differ: run `cargo xtask record`",
        different.len()
    );
    Outcome::Findings
}

#[cfg(test)]
mod tests {
    use super::{LONGEST_MESSAGE, shortened};

    #[test]
    fn messages_are_short_and_the_same_every_time() {
        assert_eq!(
            shortened("list(selfType93907010.lo.@idx), selfType1"),
            "list(selfType.lo.@idx), selfType"
        );
        assert_eq!(shortened("a 1"), "a 1");
        let long = shortened(&format!("begin {} end", "é".repeat(1_000)));
        assert_eq!(long.chars().count(), LONGEST_MESSAGE + 4);
        assert!(
            long.starts_with("begin ") && long.ends_with(" end"),
            "{long}"
        );
    }
}
