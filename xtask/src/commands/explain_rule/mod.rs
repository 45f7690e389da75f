//! `explain-rule KIND FIELD`: the types of all parts of a rule, what each costs and why.

mod nodes;
mod parts;

use super::Outcome;
use super::costs::{share, shown};
use super::eval_rule::read;
use crate::bundle::sizes::grouped;
use crate::check::{self, ExpressionCost, Finding, SchemaCosts};
use crate::diag::nearest;
use crd_channels_cel::cost::RULE_LIMIT;
use crd_channels_cel::parse;
use crd_channels_cel::version::oldest_minor;
use nodes::{Node, nodes};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::PathBuf;

/// What was asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// The kind.
    pub kind: String,
    /// The place in objects that rules are evaluated for, `.` for the root; all places where none is given.
    pub field: Option<String>,
    /// Which of the rules of that place, from 0 on.
    pub rule: Option<usize>,
    /// An expression instead of the rules that are there.
    pub expression: Option<String>,
    /// Only this version.
    pub version: Option<String>,
    /// The CRDs: a file or a folder of files.
    pub crds: PathBuf,
}

/// Explains rules on stdout.
#[must_use]
pub fn run(request: &Request) -> Outcome {
    match explained(request) {
        Ok(explained) => {
            let mut outcome = Outcome::Clean;
            for Explained {
                places,
                text,
                is_refused,
            } in explained
            {
                println!("{}\n{text}", places.join("\n"));
                if is_refused {
                    outcome = Outcome::Findings;
                }
            }
            outcome
        }
        Err(message) => {
            eprintln!("error: {message}");
            Outcome::CouldNotRun
        }
    }
}

/// What there is to say of a rule.
struct Explained {
    /// Where it stands; channels mostly have it alike.
    places: Vec<String>,
    text: String,
    is_refused: bool,
}

fn explained(request: &Request) -> Result<Vec<Explained>, String> {
    let crds = read(&request.crds)?;
    let kind = |crd: &Value| {
        let kind = crd.pointer("/spec/names/kind").and_then(Value::as_str);
        kind.unwrap_or_default().to_owned()
    };
    let mut all: Vec<Explained> = Vec::new();
    let mut fields = Vec::new();
    let mut is_known = false;
    for (file, crd) in crds.iter().filter(|(_, crd)| kind(crd) == request.kind) {
        for version in versions(crd, request) {
            is_known = true;
            for found in of_version(crd, &version, file, request, &mut fields)? {
                match all.iter_mut().find(|known| known.text == found.text) {
                    Some(known) => known.places.extend(found.places),
                    None => all.push(found),
                }
            }
        }
    }
    let from = request.crds.display();
    if !is_known {
        let kinds: Vec<String> = crds.iter().map(|(_, crd)| kind(crd)).collect();
        let others = kinds.iter().filter(|kind| **kind != request.kind);
        let near = nearest(&request.kind, others.map(String::as_str));
        let near = near.map(|near| format!(", did you mean `{near}`?"));
        let version = request.version.as_deref();
        let version = version.map(|version| format!(" with a version `{version}`"));
        return Err(format!(
            "no CRD in {from} has the kind `{}`{}{}",
            request.kind,
            version.unwrap_or_default(),
            near.unwrap_or_else(|| "; name others with `--crds`".to_owned())
        ));
    }
    if all.is_empty() {
        return Err(nothing(request, &fields));
    }
    Ok(all)
}

/// Why there is nothing to explain; `fields` are those that have rules, or all where an expression is given.
fn nothing(request: &Request, fields: &[String]) -> String {
    let kind = &request.kind;
    let Some(field) = &request.field else {
        return format!("`{kind}` has no rules");
    };
    let has = match (request.rule, &request.expression) {
        (Some(rule), _) if fields.contains(field) => format!("no rule {rule}"),
        (_, Some(_)) => "no node".to_owned(),
        _ => "no rules".to_owned(),
    };
    let others = fields.iter().filter(|known| *known != field);
    let near = nearest(field, others.map(String::as_str));
    let near = near.map(|near| format!(", did you mean `{near}`?"));
    format!(
        "`{kind}` has {has} at `{field}`{}",
        near.unwrap_or_default()
    )
}

/// The versions that were asked for: their names and places.
fn versions(crd: &Value, request: &Request) -> Vec<(usize, String)> {
    let versions = crd.pointer("/spec/versions").and_then(Value::as_array);
    let named = versions.into_iter().flatten().enumerate();
    let named = named.filter_map(|(nth, version)| {
        let name = version.get("name").and_then(Value::as_str)?;
        Some((nth, name.to_owned()))
    });
    let wanted = |name: &str| {
        let wanted = request.version.as_deref();
        wanted.is_none_or(|wanted| wanted == name)
    };
    named.filter(|(_, name)| wanted(name)).collect()
}

/// What there is to say of the rules of a version. Adds the fields that it has rules at.
fn of_version(
    crd: &Value,
    (nth, version): &(usize, String),
    file: &str,
    request: &Request,
    fields: &mut Vec<String>,
) -> Result<Vec<Explained>, String> {
    let pointer = format!("/spec/versions/{nth}/schema/openAPIV3Schema");
    let Some(schema) = crd.pointer(&pointer) else {
        return Ok(Vec::new());
    };
    let asked = asked(request);
    let mut crd = crd.clone();
    let mut all = Vec::new();
    for node in nodes(schema) {
        let rules = format!("{pointer}{}", node.pointer);
        let given = request.expression.as_deref();
        let is_wanted = asked.is_none_or(|field| field == node.field);
        let added = given.filter(|_| is_wanted);
        let added = added.and_then(|text| add(crd.pointer_mut(&rules)?, text));
        let here = crd.pointer(&format!("{rules}/x-kubernetes-validations"));
        let here = here.and_then(Value::as_array).map_or(0, Vec::len);
        if here > 0 || given.is_some() {
            fields.push(shown(&node.field).to_owned());
        }
        let wanted = added.or(request.rule);
        let numbers = (0..here).filter(|number| wanted.is_none_or(|wanted| wanted == *number));
        if is_wanted {
            all.extend(numbers.map(|number| (node.clone(), number)));
        }
    }
    let name = |costs: &SchemaCosts| costs.version == *version;
    let Some(costs) = check::costs(&crd).into_iter().find(name) else {
        return Err(format!(
            "{file} has no CRD that can be read; `check` says why"
        ));
    };
    let root = format!("spec.versions[{nth}].schema.openAPIV3Schema");
    let explained = all.into_iter().map(|(node, number)| {
        let at = format!("{root}{}.x-kubernetes-validations[{number}]", node.at);
        let field = shown(&node.field);
        let (text, is_refused) = told(&crd, &pointer, (&node, number), &at, &costs);
        let kind = &request.kind;
        let place = match request.expression {
            Some(_) => format!("{kind} {version} {field} by {file}:"),
            None => format!("{kind} {version} {field} --rule {number} by {file}:"),
        };
        Explained {
            places: vec![place],
            text,
            is_refused,
        }
    });
    Ok(explained.collect())
}

/// The field that was asked for, as nodes have it. An expression stands at the root unless it is said to stand elsewhere.
fn asked(request: &Request) -> Option<&str> {
    let field = request.field.as_deref();
    let field = field.or(request.expression.as_ref().map(|_| "."))?;
    Some(if field == "." { "" } else { field })
}

/// Adds a rule to a node. Which of the node's rules it is.
fn add(node: &mut Value, text: &str) -> Option<usize> {
    let rules = node.as_object_mut()?.entry("x-kubernetes-validations");
    let rules = rules.or_insert_with(|| json!([])).as_array_mut()?;
    // Rules of several lines need a message.
    rules.push(json!({"rule": text, "message": "explained"}));
    Some(rules.len() - 1)
}

/// A rule and its message in words; whether a server refuses them.
fn told(
    crd: &Value,
    schema: &str,
    (node, number): (&Node, usize),
    at: &str,
    costs: &SchemaCosts,
) -> (String, bool) {
    let mut text = String::new();
    let mut is_priced = false;
    for (keyword, is_message) in [("rule", false), ("messageExpression", true)] {
        let pointer = format!(
            "{schema}{}/x-kubernetes-validations/{number}/{keyword}",
            node.pointer
        );
        let Some(written) = crd.pointer(&pointer).and_then(Value::as_str) else {
            continue;
        };
        // Writing into a string cannot fail.
        let _ = writeln!(text, "{keyword}: {written}");
        let mut priced = costs.expressions.iter();
        let priced = priced.find(|it| {
            it.field == node.field && it.number == number && it.is_message == is_message
        });
        if let Some(priced) = priced {
            is_priced = true;
            text.push_str(&cost(priced, node));
            text.push_str(&parts::table(priced, &costs.declarations));
        }
    }
    let is_here = |finding: &&Finding| {
        let below = finding
            .field
            .as_deref()
            .and_then(|field| field.strip_prefix(at));
        below.is_some_and(|below| below.starts_with('.'))
    };
    let findings: Vec<&Finding> = costs.findings.iter().filter(is_here).collect();
    for finding in &findings {
        let message = finding.message_with_part();
        let _ = writeln!(text, "error: {message}\nhelp: {}", finding.help());
    }
    if is_priced || !findings.is_empty() {
        return (text, !findings.is_empty());
    }
    text.push_str("servers compile rules once the rest of the schema is right:\n");
    for finding in &costs.findings {
        let field = finding.field.as_deref().unwrap_or_default();
        let _ = writeln!(
            text,
            "error at {field}: {}\nhelp: {}",
            finding.message_with_part(),
            finding.help()
        );
    }
    (text, true)
}

/// What an expression costs, how often, and which Kubernetes knows it.
fn cost(expression: &ExpressionCost, node: &Node) -> String {
    let mut text = format!(
        "costs up to {} of {}, {}",
        grouped(expression.cost),
        grouped(RULE_LIMIT),
        share(expression.cost, RULE_LIMIT).trim_end()
    );
    // Messages are priced once, wherever they stand.
    if !expression.is_message && !node.above.is_empty() {
        let _ = write!(
            text,
            ": {} for each of up to {} values\n  {}",
            grouped(expression.once),
            grouped(expression.times),
            node.above.join("\n  ")
        );
    }
    text.push('\n');
    if let Ok(written) = parse(&expression.text) {
        let minor = oldest_minor(&written, &expression.checked);
        let _ = writeln!(text, "new rules can use it since Kubernetes 1.{minor}");
    }
    text
}
