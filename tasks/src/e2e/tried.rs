//! Objects of every kind and version: valid ones are accepted, and those with one fault are refused for that fault.

use super::install::described;
use super::kinds::Kind;
use super::opinion::SecondOpinion;
use super::rules::{self, Cause};
use crate::objects::dice::Dice;
use crate::objects::faults::{self, Broken};
use crate::objects::valid;
use crate::objects::validate::violations;
use crate::report::Report;
use crd_channels_envtest::Failure;
use crd_channels_envtest::http::Answer;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The number of valid and of broken objects to try for every kind and version.
const WANTED: usize = 20;

/// The maximum number of repairs of an object that breaks a rule, before another one is made.
const MENDINGS: usize = 40;

/// The maximum number of objects to make.
const ATTEMPTS: usize = 10 * WANTED;

/// Creates valid objects, which stay on the server with names such as `v1-0`, and returns them. Then tries broken ones.
pub fn try_objects(
    kind: &Kind<'_>,
    opinion: &mut SecondOpinion,
    report: &mut Report,
) -> Result<Vec<Value>, Failure> {
    let title = kind.title();
    let mut dice = Dice::new(&title);
    let mut accepted = Vec::new();
    let mut refusals = Vec::new();
    for _ in 0..ATTEMPTS {
        if accepted.len() == WANTED || !refusals.is_empty() {
            break;
        }
        let Some(content) = valid::value(kind.schema, &mut dice) else {
            refusals.push("no valid object could be made".to_owned());
            break;
        };
        let name = format!("{}-{}", kind.version.name, accepted.len());
        let object = kind.object(&content, &name);
        match keep_rules(kind, object, &mut dice, opinion)? {
            Repaired::Accepted(object) => match store(kind, &object, opinion)? {
                None => accepted.push(object),
                Some(why) => refusals.push(why),
            },
            Repaired::Refused(why) => refusals.push(why),
            Repaired::GaveUp => {}
        }
    }
    let mut found = format!("{} accepted", accepted.len());
    refusals
        .first()
        .into_iter()
        .for_each(|why| found = format!("{found}, then refused: {why}"));
    report.check(
        format!("{title}: {WANTED} valid objects are accepted"),
        format!("{WANTED} accepted"),
        found,
    );
    if !accepted.is_empty() {
        try_broken(kind, &accepted, &mut dice, opinion, report)?;
    }
    Ok(accepted)
}

/// Returns an object of the wanted sort that the server accepts; `None` if none was found soon.
pub fn find(
    kind: &Kind<'_>,
    is_wanted: &dyn Fn(&Value) -> bool,
    dice: &mut Dice,
    opinion: &mut SecondOpinion,
) -> Result<Option<Value>, Failure> {
    for _ in 0..ATTEMPTS {
        let content = valid::value(kind.schema, dice).filter(|content| is_wanted(content));
        if let Some(content) = content
            && let Repaired::Accepted(object) =
                keep_rules(kind, kind.object(&content, "found"), dice, opinion)?
            && is_wanted(&object)
        {
            return Ok(Some(object));
        }
    }
    Ok(None)
}

/// Creates an object.
pub fn create(
    kind: &Kind<'_>,
    object: &Value,
    try_only: bool,
    opinion: &mut SecondOpinion,
) -> Result<Answer, Failure> {
    let answer = kind.create(object, try_only)?;
    opinion.of_create(object, &answer);
    Ok(answer)
}

/// Writes the status of an existing object, regardless of its stored version.
pub fn write_status(
    kind: &Kind<'_>,
    object: &Value,
    try_only: bool,
    opinion: &mut SecondOpinion,
) -> Result<Answer, Failure> {
    let stored = kind.stored(object)?;
    let mut sent = object.clone();
    sent["metadata"] = stored["metadata"].clone();
    let answer = kind.write_status(&sent, try_only)?;
    opinion.of_status(&sent, &stored, &answer);
    Ok(answer)
}

/// Stores an object with its status. Returns why it was refused, if it was.
fn store(
    kind: &Kind<'_>,
    object: &Value,
    opinion: &mut SecondOpinion,
) -> Result<Option<String>, Failure> {
    let mut answer = create(kind, object, false, opinion)?;
    if answer.status < 300 && kind.has_status() && object.get("status").is_some() {
        answer = write_status(kind, object, false, opinion)?;
    }
    Ok((answer.status >= 300).then(|| described(&answer)))
}

enum Repaired {
    /// The server accepts it.
    Accepted(Value),
    /// The server refuses it because of something other than a rule.
    Refused(String),
    /// Every attempt broke a rule.
    GaveUp,
}

/// Repairs an object until no rule refuses it. Its status is sent to the endpoint that validates it.
fn keep_rules(
    kind: &Kind<'_>,
    mut object: Value,
    dice: &mut Dice,
    opinion: &mut SecondOpinion,
) -> Result<Repaired, Failure> {
    for _ in 0..MENDINGS {
        let answer = send(kind, &object, opinion)?;
        if answer.status < 300 {
            return Ok(Repaired::Accepted(object));
        }
        let causes = rules::causes(&answer);
        let of_rule = |cause: &Cause| rules::is_of_rule(kind.schema, cause);
        let valid = violations(kind.schema, &object).is_empty();
        if valid && (causes.is_empty() || !causes.iter().all(of_rule)) {
            return Ok(Repaired::Refused(format!(
                "{}: {object}",
                described(&answer)
            )));
        }
        let before = object.clone();
        for cause in &causes {
            rules::repair(kind.schema, &mut object, &cause.field, dice);
        }
        if !violations(kind.schema, &object).is_empty() {
            object = before;
        }
    }
    Ok(Repaired::GaveUp)
}

/// Tries to create an object, and to write its status if that is a subresource. Returns the first refusal.
fn send(kind: &Kind<'_>, object: &Value, opinion: &mut SecondOpinion) -> Result<Answer, Failure> {
    let created = create(kind, object, true, opinion)?;
    let has_more = kind.has_status() && object.get("status").is_some();
    if created.status >= 300 || !has_more {
        return Ok(created);
    }
    // Status can only be written to an existing object; this one is created for that purpose.
    let mut trial = object.clone();
    trial["metadata"]["name"] = "trial".into();
    kind.create(&trial, false)?;
    let answer = write_status(kind, &trial, true, opinion);
    kind.api.delete(&format!("{}/trial", kind.path()))?;
    answer
}

fn try_broken(
    kind: &Kind<'_>,
    accepted: &[Value],
    dice: &mut Dice,
    opinion: &mut SecondOpinion,
    report: &mut Report,
) -> Result<(), Failure> {
    let all = accepted
        .iter()
        .flat_map(|object| faults::all(kind.schema, object));
    // The server's own validation of these fields does not depend on the schema.
    let all = all.filter(|broken| {
        !["apiVersion", "kind", "metadata"]
            .iter()
            .any(|name| broken.field.is_below(name))
    });
    let chosen = faults::choose(all.collect(), WANTED, dice);
    let mut tried: BTreeMap<&str, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for broken in &chosen {
        *tried.entry(broken.keyword).or_default() += 1;
        wrong.extend(refusal(kind, broken, opinion)?);
    }
    let keywords: Vec<String> = tried
        .iter()
        .map(|(keyword, count)| format!("{keyword} {count}"))
        .collect();
    report.check(
        format!(
            "{}: {} objects broken in one place are refused for it ({})",
            kind.title(),
            chosen.len().max(WANTED),
            keywords.join(", ")
        ),
        format!("{} refused", chosen.len().max(WANTED)),
        match wrong.first() {
            None => format!("{} refused", chosen.len()),
            Some(first) => format!("{} not as expected, first: {first}", wrong.len()),
        },
    );
    Ok(())
}

/// Returns how the server's refusal of a broken object differs from the expected one; `None` if it does not.
fn refusal(
    kind: &Kind<'_>,
    broken: &Broken,
    opinion: &mut SecondOpinion,
) -> Result<Option<String>, Failure> {
    let Broken {
        object,
        field,
        keyword,
        violation,
    } = broken;
    let in_status = kind.has_status() && field.is_below("status");
    let answer = if in_status {
        write_status(kind, object, true, opinion)?
    } else {
        let mut object = object.clone();
        object["metadata"]["name"] = "broken".into();
        create(kind, &object, true, opinion)?
    };
    let causes: Vec<Cause> = rules::causes(&answer)
        .into_iter()
        .filter(|cause| !rules::is_of_rule(kind.schema, cause))
        .collect();
    let expected = BTreeSet::from([(violation.field.to_string(), violation.reason.name())]);
    // A junctor may repeat the cause for a branch.
    let found: BTreeSet<(String, &str)> = causes
        .iter()
        .map(|cause| (cause.field.clone(), &*cause.reason))
        .collect();
    Ok((found != expected).then(|| {
        let value = field.get(object);
        format!(
            "{keyword} at {expected:?} (value {value:?}), server: {}",
            described(&answer)
        )
    }))
}
