//! What a server says about an object.

use super::crds::{Crd, Crds, Defect};
use super::previous::Previous;
use crate::commands::type_meta::TypeMeta;
use crd_channels_diagnostics::{Code, nearest};
use crd_channels_released::manifest::{Feature, Manifest};
use crd_channels_validation::metadata::Warning;
use crd_channels_validation::path::{FieldPath, PathElement};
use crd_channels_validation::rules::{Finding, Outcome};
use crd_channels_validation::{Reason, Verdict};
use serde_json::Value;

/// What becomes of fields that the schema does not have, as `fieldValidation` of a request says.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum FieldValidation {
    /// The server rejects the object, as for `kubectl apply`.
    #[default]
    Strict,
    /// The server drops them with a warning.
    Warn,
    /// The server drops them without a word.
    Ignore,
}

impl FieldValidation {
    /// All of them by the names that Kubernetes uses.
    pub const NAMES: [(&'static str, Self); 3] = [
        ("strict", Self::Strict),
        ("warn", Self::Warn),
        ("ignore", Self::Ignore),
    ];
}

/// Validates objects.
#[derive(Debug)]
pub(crate) struct ObjectValidator {
    pub(crate) crds: Crds,
    pub(crate) previous: Previous,
    pub(crate) field_validation: FieldValidation,
    /// Whether an object without a CRD is an error.
    pub(crate) strict: bool,
}

/// What was found about an object.
#[derive(Debug)]
pub(crate) struct ObjectVerdict {
    pub(crate) fate: Fate,
    pub(crate) faults: Vec<Fault>,
}

/// What becomes of an object.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Fate {
    /// A server accepts it.
    Valid,
    /// A server rejects it.
    Invalid,
    /// A rule could not be evaluated, so a server may reject it.
    Unknown,
    /// No CRD is about its group.
    Skipped,
    /// It is a CRD.
    Crd,
    /// It is not an object of Kubernetes.
    NoObject,
}

/// A finding about an object.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) code: Code,
    /// The field, as servers name it.
    pub(crate) field: FieldPath,
    /// The value that it is about.
    pub(crate) at: FieldPath,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
    pub(crate) reason: Option<Reason>,
}

impl Fault {
    pub(crate) fn new(code: Code, field: FieldPath, message: String) -> Self {
        Self {
            code,
            at: field.clone(),
            field,
            message,
            help: None,
            reason: None,
        }
    }

    pub(crate) fn with_help(self, help: Option<String>) -> Self {
        Self { help, ..self }
    }

    /// Adds a sentence to its help.
    pub(crate) fn add_help(&mut self, more: &str) {
        let help = self.help.take();
        let help = help.map_or_else(String::new, |help| format!("{help}; "));
        self.help = Some(format!("{help}{more}"));
    }
}

impl ObjectVerdict {
    pub(crate) fn invalid(fault: Fault) -> Self {
        Self {
            fate: Fate::Invalid,
            faults: vec![fault],
        }
    }

    pub(crate) fn passed_over(fate: Fate) -> Self {
        Self {
            fate,
            faults: Vec::new(),
        }
    }
}

impl ObjectValidator {
    /// Validates a document.
    pub(crate) fn validate(&self, object: &Value) -> ObjectVerdict {
        let named = TypeMeta::of(object);
        let has = |name| object.get(name).is_some();
        if !has("apiVersion") && !has("kind") {
            return self.without_type(object);
        }
        if named.api_version.is_empty() || named.kind.is_empty() {
            let missing = if named.kind.is_empty() {
                "kind"
            } else {
                "apiVersion"
            };
            let message = format!("`{missing}` is missing, or is not text");
            let at = FieldPath::default().child(missing);
            return ObjectVerdict::invalid(Fault::new(Code::ObjectInvalid, at, message));
        }
        if named.api_version.split('/').nth(2).is_some() {
            let message = format!("`{}` is no API version: it has two `/`", named.api_version);
            let at = FieldPath::default().child("apiVersion");
            return ObjectVerdict::invalid(Fault::new(Code::ObjectInvalid, at, message));
        }
        if named.kind == "CustomResourceDefinition" && named.group() == "apiextensions.k8s.io" {
            return match Defect::of(object) {
                Some(Defect { field, message }) => {
                    let names = field.split('/').skip(1);
                    let at = names.fold(FieldPath::default(), |path, name| path.child(name));
                    let fault = Fault::new(Code::ObjectInvalid, at, message);
                    ObjectVerdict::invalid(fault.with_help(Some(Defect::HELP.to_owned())))
                }
                None => ObjectVerdict::passed_over(Fate::Crd),
            };
        }
        match self.crds.get(named) {
            Some(crd) if crd.serves(named.version()) => self.of_crd(object, named, crd),
            Some(crd) => ObjectVerdict::invalid(unserved(named, crd)),
            None => self.without_crd(named),
        }
    }

    /// Validates a document that names no kind, which Kubernetes does not know, unless the names are misspelt.
    fn without_type(&self, object: &Value) -> ObjectVerdict {
        let Some(fields) = object.as_object() else {
            let message = "the document is not an object".to_owned();
            let fault = Fault::new(Code::ObjectInvalid, FieldPath::default(), message);
            return ObjectVerdict::invalid(fault);
        };
        let names = fields.keys();
        let is_type = |name: &&String| ["apiversion", "kind"].contains(&&*name.to_lowercase());
        let misspelt = names.clone().find(is_type);
        if misspelt.is_none() && !self.strict {
            return ObjectVerdict::passed_over(Fate::NoObject);
        }
        let at = misspelt.map_or_else(FieldPath::default, |name| FieldPath::default().child(name));
        let message = "the document has neither `apiVersion` nor `kind`".to_owned();
        let help = misspelt.map(|_| "write `apiVersion` and `kind`".to_owned());
        ObjectVerdict::invalid(Fault::new(Code::ObjectInvalid, at, message).with_help(help))
    }

    /// Validates an object whose kind no CRD has that counts.
    fn without_crd(&self, named: TypeMeta<'_>) -> ObjectVerdict {
        let group = named.group();
        let kinds: Vec<(&str, &Crd)> = self.crds.of_group(group).collect();
        if kinds.is_empty() && !self.strict {
            return ObjectVerdict::passed_over(Fate::Skipped);
        }
        let TypeMeta { api_version, kind } = named;
        let message = format!("no CRD has `{kind}` of `{api_version}`");
        let at = FieldPath::default().child("kind");
        let channel = self.crds.of_other_channels(named).first();
        let removed = kinds.iter().find_map(|(_, crd)| {
            let tombstones = &crd.manifest.as_ref()?.tombstones.kinds;
            let found = tombstones
                .iter()
                .find(|it| it.group == group && it.kind == kind)?;
            Some(format!("{} removed it: {}", found.removed, found.reason))
        });
        let help = match channel.and_then(|crd| crd.channel.as_deref()) {
            Some(channel) => Some(format!("only the channel `{channel}` has the kind")),
            None => removed.or_else(|| {
                let near = nearest(kind, kinds.iter().map(|(kind, _)| *kind));
                near.map(|near| format!("did you mean `{near}`?"))
            }),
        };
        let help = help.unwrap_or_else(|| "name its CRD with `--crds`".to_owned());
        let fault = Fault::new(Code::ObjectUnknownKind, at, message);
        ObjectVerdict::invalid(fault.with_help(Some(help)))
    }

    /// Validates an object of a served version.
    fn of_crd(&self, object: &Value, named: TypeMeta<'_>, crd: &Crd) -> ObjectVerdict {
        let mut faults = Vec::new();
        let version = named.version();
        if let Some(warning) = crd.deprecation(version) {
            let at = FieldPath::default().child("apiVersion");
            let help = crd.manifest.as_deref().and_then(|it| end_of(it, named));
            faults.push(Fault::new(Code::ObjectDeprecated, at, warning.to_owned()).with_help(help));
        }
        let validator = match crd.validator(version) {
            Ok(validator) => validator,
            Err(why) => {
                let message = format!("the CRD in `{}` cannot validate objects: {why}", crd.file);
                let help = "correct the CRD; `crd-channels check` reports its errors".to_owned();
                let fault = Fault::new(Code::ObjectNotEvaluated, FieldPath::default(), message);
                faults.push(fault.with_help(Some(help)));
                return ObjectVerdict {
                    fate: Fate::Unknown,
                    faults,
                };
            }
        };
        let verdict = match self.previous.of(object, named, crd) {
            Some(old) => validator.update(object, &old),
            None => validator.create(object),
        };
        let unknown = self.unknown_fields(object, &verdict, named, crd);
        let drops = !unknown.is_empty() && self.field_validation == FieldValidation::Strict;
        faults.extend(unknown);
        faults.extend(violations(&verdict));
        faults.extend(warnings(&verdict));
        let before = faults.len();
        faults.extend(unevaluated(&verdict));
        let fate = match verdict.violations.is_empty() && !drops {
            false => Fate::Invalid,
            true if faults.len() == before => Fate::Valid,
            true => Fate::Unknown,
        };
        ObjectVerdict { fate, faults }
    }

    /// The fields that a server would drop.
    fn unknown_fields(
        &self,
        object: &Value,
        verdict: &Verdict,
        named: TypeMeta<'_>,
        crd: &Crd,
    ) -> Vec<Fault> {
        let code = match self.field_validation {
            FieldValidation::Strict => Code::ObjectUnknownField,
            FieldValidation::Warn => Code::ObjectDroppedField,
            FieldValidation::Ignore => return Vec::new(),
        };
        let unknown = verdict.unknown.iter();
        let faults = unknown.map(|field| {
            let help = self
                .of_another_channel(object, field, named, crd)
                .or_else(|| similar(crd.document.schema(named.version()), field));
            let message = format!("unknown field \"{field}\"");
            Fault::new(code, field.clone(), message).with_help(help)
        });
        faults.collect()
    }

    /// Says which channel has a field that the channel of the CRD drops, and which feature brings it.
    fn of_another_channel(
        &self,
        object: &Value,
        field: &FieldPath,
        named: TypeMeta<'_>,
        crd: &Crd,
    ) -> Option<String> {
        let mut others = self.crds.of_other_channels(named).iter();
        let other = others.find(|other| {
            let validator = other.validator(named.version());
            validator.is_ok_and(|it| !it.create(object).unknown.contains(field))
        })?;
        let (own, channel) = (crd.channel.as_deref()?, other.channel.as_deref()?);
        let manifest = other.manifest.as_deref();
        let feature = manifest.and_then(|it| feature_of(it, named, &gate_path(field)));
        let feature = feature.map_or_else(String::new, |feature| {
            let since = feature.since.as_ref();
            let since = since.map_or_else(String::new, |since| format!(", since {since}"));
            format!(" by the feature `{}`{since}", feature.name)
        });
        Some(format!(
            "only the channel `{channel}` has `{field}`{feature}; `{own}` drops it"
        ))
    }
}

/// The finding for a version that servers do not accept.
fn unserved(named: TypeMeta<'_>, crd: &Crd) -> Fault {
    let TypeMeta { api_version, kind } = named;
    let version = named.version();
    let is_known = crd.document.version_names().any(|name| name == version);
    let message = match is_known {
        true => format!("`{kind}` of `{api_version}` is not served"),
        false => format!("`{kind}` has no version `{version}`"),
    };
    let tombstone = crd.manifest.as_ref().and_then(|manifest| {
        let mut versions = manifest.tombstones.versions.iter();
        let is_it =
            |group: &str, of: &str, name: &str| (group, of, name) == (named.group(), kind, version);
        let found = versions.find(|it| is_it(&it.group, &it.kind, &it.version))?;
        Some(format!("{} removed it: {}; ", found.removed, found.reason))
    });
    let served: Vec<String> = crd
        .document
        .served()
        .map(|name| format!("`{name}`"))
        .collect();
    let served = match served.is_empty() {
        true => "no version is served".to_owned(),
        false => format!("served: {}", served.join(", ")),
    };
    let help = format!("{}{served}", tombstone.unwrap_or_default());
    let at = FieldPath::default().child("apiVersion");
    Fault::new(Code::ObjectUnserved, at, message).with_help(Some(help))
}

/// Says which bundle removes a deprecated version, and what replaces it.
fn end_of(manifest: &Manifest, named: TypeMeta<'_>) -> Option<String> {
    let mut deprecated = manifest.deprecated.iter();
    let is_it = |group: &str, kind: &str, version: &str| {
        (group, kind, version) == (named.group(), named.kind, named.version())
    };
    let found = deprecated.find(|it| is_it(&it.group, &it.kind, &it.version))?;
    let removed = found.removed_in.as_ref();
    let removed = removed.map(|bundle| format!("{bundle} removes the version"));
    let replaced = found.replaced_by.as_ref();
    let replaced = replaced.map(|by| format!("write `{}/{by}`", named.group()));
    let said: Vec<String> = removed.into_iter().chain(replaced).collect();
    (!said.is_empty()).then(|| said.join("; "))
}

/// The feature that gates a field, given as gates name it: that of the gate which is nearest above the field.
pub(crate) fn feature_of<'m>(
    manifest: &'m Manifest,
    named: TypeMeta<'_>,
    field: &str,
) -> Option<&'m Feature> {
    let is_above = |gate: &str| {
        let rest = field.strip_prefix(gate);
        gate == "." || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    };
    let gates = manifest.features.iter().flat_map(|feature| {
        let gates = feature.gates.iter().flatten();
        gates.map(move |gate| (feature, gate))
    });
    let above = gates.filter(|(_, gate)| {
        !gate.without
            && (&*gate.kind, &*gate.version) == (named.kind, named.version())
            && is_above(&gate.path)
    });
    let (feature, _) = above.max_by_key(|(_, gate)| gate.path.len())?;
    Some(feature)
}

/// A field of an object as gates name it, as in `spec.rules[].timeouts`.
pub(crate) fn gate_path(field: &FieldPath) -> String {
    let mut path = String::new();
    for element in field.elements() {
        match element {
            PathElement::Child(name) if path.is_empty() => path.push_str(name),
            PathElement::Child(name) => {
                path.push('.');
                path.push_str(name);
            }
            PathElement::Key(_) | PathElement::Index(_) => path.push_str("[]"),
        }
    }
    path
}

/// Says which field beside an unknown one has a similar name.
fn similar(schema: Option<&Value>, field: &FieldPath) -> Option<String> {
    let (last, above) = field.elements().split_last()?;
    let mut schema = schema?;
    for element in above {
        schema = match element {
            PathElement::Index(_) => schema.get("items")?,
            PathElement::Child(name) | PathElement::Key(name) => {
                let property = schema.get("properties").and_then(|all| all.get(name));
                property.or_else(|| schema.get("additionalProperties"))?
            }
        };
    }
    let names = schema.get("properties")?.as_object()?.keys();
    let near = nearest(last.name()?, names.map(String::as_str))?;
    Some(format!("did you mean `{near}`?"))
}

/// The reasons for which a server rejects an object, each with the false part of its rule.
pub(crate) fn violations(verdict: &Verdict) -> impl Iterator<Item = Fault> {
    verdict.violations.iter().map(|violation| {
        let is_of = |finding: &&Finding| match &finding.outcome {
            Outcome::Broken(broken) => broken == violation,
            _ => false,
        };
        let rule = verdict.rules.iter().find(is_of);
        let part = rule.and_then(|rule| rule.part.clone());
        let field = violation.field.clone();
        let fault = Fault::new(Code::ObjectInvalid, field, violation.to_string());
        Fault {
            at: violation.value().clone(),
            reason: Some(violation.reason),
            ..fault.with_help(part)
        }
    })
}

/// What a server warns of.
fn warnings(verdict: &Verdict) -> impl Iterator<Item = Fault> {
    let own = verdict.warnings.iter().map(|warning| {
        let Warning { field, message } = warning;
        Fault::new(Code::ObjectWarning, field.clone(), message.clone())
    });
    let rules = verdict
        .rules
        .iter()
        .filter_map(|finding| match &finding.outcome {
            Outcome::Warned(violation) => {
                let field = violation.field.clone();
                let fault = Fault::new(Code::ObjectWarning, field, violation.to_string());
                Some(fault.with_help(finding.part.clone()))
            }
            _ => None,
        });
    own.chain(rules)
}

/// The rules that could not be evaluated.
pub(crate) fn unevaluated(verdict: &Verdict) -> impl Iterator<Item = Fault> {
    let rules = verdict.rules.iter();
    let unknown =
        rules.filter(|finding| matches!(finding.outcome, Outcome::Unknown | Outcome::Uncompiled));
    unknown.map(|finding| {
        let message = format!(
            "the rule is not evaluated on this object: `{}`",
            finding.rule
        );
        let help = "try the object on an API server: `kubectl apply --dry-run=server`".to_owned();
        Fault::new(Code::ObjectNotEvaluated, finding.at.clone(), message).with_help(Some(help))
    })
}
