//! `explain-rule KIND FIELD`: shows the type and the cost of every part of a rule, and the reasons for them.

mod json;
mod nodes;
mod parts;
mod text;

pub(crate) use json::failed;

use super::Outcome;
use super::check::files::shown;
use super::costs::display_field;
use super::eval_rule::read_crds;
use super::format::Format;
use crd_channels_cel::parse;
use crd_channels_cel::version::{BASE, Need, newest_need};
use crd_channels_check::{self as check, ExpressionCost, FieldPath, Finding, SchemaCosts};
use crd_channels_diagnostics::nearest;
use nodes::{SchemaNode, nodes};
use parts::ExplainedPart;
use serde_json::{Value, json};
use std::path::PathBuf;

/// The arguments of `explain-rule`.
#[derive(Clone, Debug)]
pub struct Request {
    /// The kind.
    pub kind: String,
    /// The field path that rules apply to, `.` for the root; `None` for all fields.
    pub field: Option<String>,
    /// The index of the rule at that field.
    pub rule: Option<usize>,
    /// An expression to explain instead of existing rules.
    pub expression: Option<String>,
    /// The only version to explain.
    pub version: Option<String>,
    /// The CRDs: a file or a folder of files.
    pub crds: PathBuf,
    /// The format of the output.
    pub format: Format,
}

/// Explains rules on stdout.
#[must_use]
pub fn run(request: &Request) -> Outcome {
    let explained = explained(request);
    if request.format == Format::Json {
        println!("{:#}", json::document(&explained));
    }
    match explained {
        Ok(explained) => {
            let mut outcome = Outcome::Clean;
            for rule in &explained {
                if request.format == Format::Human {
                    let places: Vec<String> =
                        rule.places.iter().map(RulePosition::heading).collect();
                    println!("{}\n{}", places.join("\n"), text::format_rule(rule));
                }
                if rule.is_rejected() {
                    outcome = Outcome::Findings;
                }
            }
            outcome
        }
        Err(message) => {
            if request.format == Format::Human {
                error!("{message}");
            }
            Outcome::CouldNotRun
        }
    }
}

/// A rule, explained.
struct Explained {
    /// The positions of the rule; it is usually the same in several channels.
    places: Vec<RulePosition>,
    /// The rule and its message expression.
    expressions: Vec<Expression>,
    /// The reasons why a server refuses it.
    findings: Vec<Finding>,
    /// Whether the findings are about the rest of the schema, which keeps servers from compiling the rules.
    is_uncompiled: bool,
}

impl Explained {
    fn is_rejected(&self) -> bool {
        self.is_uncompiled || !self.findings.is_empty()
    }
}

/// The position of a rule.
struct RulePosition {
    kind: String,
    version: String,
    /// The field path; empty for the root.
    field: String,
    /// The index of the rule at its node; `None` for an expression that the CRD does not have.
    rule: Option<usize>,
    file: String,
}

impl RulePosition {
    fn heading(&self) -> String {
        let Self {
            kind,
            version,
            field,
            rule,
            file,
        } = self;
        let rule = match rule {
            Some(number) => format!("rule {number} of"),
            None => "an expression for".to_owned(),
        };
        let field = match field.as_str() {
            "" => "the root".to_owned(),
            field => format!("`{field}`"),
        };
        format!("{kind} {version}, {rule} {field}, in {}:", shown(file))
    }
}

/// A rule or its message expression.
struct Expression {
    keyword: &'static str,
    text: String,
    /// `None` if it does not compile.
    priced: Option<ExpressionPrice>,
    /// `None` if it has no parts.
    parts: Option<ExplainedPart>,
}

/// The cost of an expression and the Kubernetes version that it needs.
struct ExpressionPrice {
    once: u64,
    times: u64,
    cost: u64,
    /// The bounds of the lists and maps above it, which make it run more than once.
    above: Vec<String>,
    /// The oldest Kubernetes minor that accepts it in a new rule.
    minor: u32,
    /// The part that decides `minor`; `None` if all servers support the whole expression.
    need: Option<Need>,
}

fn explained(request: &Request) -> Result<Vec<Explained>, String> {
    let crds = read_crds(&request.crds)?;
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
                let printed = text::format_rule(&found);
                match all
                    .iter_mut()
                    .find(|known| text::format_rule(known) == printed)
                {
                    Some(known) => known.places.extend(found.places),
                    None => all.push(found),
                }
            }
        }
    }
    let from = shown(&request.crds.display().to_string());
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
            near.unwrap_or_else(|| "; name other CRDs with `--crds`".to_owned())
        ));
    }
    if all.is_empty() {
        return Err(nothing(request, &fields));
    }
    Ok(all)
}

/// Explains why there is nothing to explain. `fields` are those that have rules, or all fields if an expression is given.
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

/// Returns the indexes and names of the requested versions.
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

/// Explains the rules of a version. Adds the fields that have rules to `fields`.
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
    let versions = FieldPath::default().child("spec").child("versions");
    let root = versions
        .index(*nth)
        .child("schema")
        .child("openAPIV3Schema");
    for node in nodes(schema, root) {
        let rules = format!("{pointer}{}", node.pointer);
        let given = request.expression.as_deref();
        let is_wanted = asked.is_none_or(|field| field == node.field);
        let added = given.filter(|_| is_wanted);
        let added = added.and_then(|text| add(crd.pointer_mut(&rules)?, text));
        let here = crd.pointer(&format!("{rules}/x-kubernetes-validations"));
        let here = here.and_then(Value::as_array).map_or(0, Vec::len);
        if here > 0 || given.is_some() {
            fields.push(display_field(&node.field).to_owned());
        }
        let wanted = added.or(request.rule);
        let numbers = (0..here).filter(|number| wanted.is_none_or(|wanted| wanted == *number));
        if is_wanted {
            all.extend(numbers.map(|number| (node.clone(), number)));
        }
    }
    let name = |costs: &SchemaCosts| costs.version == *version;
    let Some(costs) = check::Document::decode(&crd).costs().into_iter().find(name) else {
        return Err(format!(
            "{} has no readable CRD; `crd-channels check {file}` reports why",
            shown(file)
        ));
    };
    let explained = all.into_iter().map(|(node, number)| {
        let at = node.at.clone().child("x-kubernetes-validations");
        let at = at.index(number);
        let place = RulePosition {
            kind: request.kind.clone(),
            version: version.clone(),
            field: node.field.clone(),
            rule: request.expression.is_none().then_some(number),
            file: file.to_owned(),
        };
        explain(&crd, &pointer, &node, number, place, &at, &costs)
    });
    Ok(explained.collect())
}

/// Returns the requested field in the form that nodes use. An expression without a field applies to the root.
fn asked(request: &Request) -> Option<&str> {
    let field = request.field.as_deref();
    let field = field.or(request.expression.as_ref().map(|_| "."))?;
    Some(if field == "." { "" } else { field })
}

/// Adds a rule to a node. Returns its index there.
fn add(node: &mut Value, text: &str) -> Option<usize> {
    let rules = node.as_object_mut()?.entry("x-kubernetes-validations");
    let rules = rules.or_insert_with(|| json!([])).as_array_mut()?;
    // A rule of several lines needs a message.
    rules.push(json!({"rule": text, "message": "explained"}));
    Some(rules.len() - 1)
}

/// Explains a rule and its message.
fn explain(
    crd: &Value,
    schema: &str,
    node: &SchemaNode,
    number: usize,
    place: RulePosition,
    at: &FieldPath,
    costs: &SchemaCosts,
) -> Explained {
    let is_here = |finding: &&Finding| {
        let field = finding.field.as_ref();
        let below = field.and_then(|field| field.elements().strip_prefix(at.elements()));
        below.is_some_and(|below| !below.is_empty())
    };
    let mut findings: Vec<Finding> = costs.findings.iter().filter(is_here).cloned().collect();
    let mut expressions = Vec::new();
    for (keyword, is_message) in [("rule", false), ("messageExpression", true)] {
        let pointer = format!(
            "{schema}{}/x-kubernetes-validations/{number}/{keyword}",
            node.pointer
        );
        let Some(text) = crd.pointer(&pointer).and_then(Value::as_str) else {
            continue;
        };
        let is_it = |it: &&ExpressionCost| {
            it.field == node.field && it.number == number && it.is_message == is_message
        };
        let compiled = costs.expressions.iter().find(is_it);
        let at = at.clone().child(keyword);
        let parts = match compiled {
            Some(compiled) => Some(parts::explain_compiled(compiled, &costs.declarations)),
            None => {
                let refused = costs.refused.iter().find(|refused| refused.at == at);
                let own = findings.iter();
                let own = own.filter(|finding| finding.field.as_ref() == Some(&at));
                let own: Vec<&Finding> = own.collect();
                refused.map(|refused| parts::explain_rejected(refused, text, &own))
            }
        };
        expressions.push(Expression {
            keyword,
            text: text.to_owned(),
            priced: compiled.map(|compiled| priced(compiled, node)),
            parts,
        });
    }
    let is_compiled = expressions.iter().any(|it| it.priced.is_some());
    let is_uncompiled = !is_compiled && findings.is_empty();
    if is_uncompiled {
        findings.clone_from(&costs.findings);
    }
    Explained {
        places: vec![place],
        expressions,
        findings,
        is_uncompiled,
    }
}

fn priced(expression: &ExpressionCost, node: &SchemaNode) -> ExpressionPrice {
    let written = parse(&expression.text).ok();
    let need = written.and_then(|written| newest_need(&written, &expression.checked));
    ExpressionPrice {
        once: expression.once,
        times: expression.times,
        cost: expression.cost,
        // The cost of a message is counted once, wherever the rule is.
        above: match expression.is_message {
            true => Vec::new(),
            false => node.above.clone(),
        },
        minor: need.as_ref().map_or(BASE, |need| need.minor),
        need,
    }
}
