//! A version of a CRD as a server serves it: decodes and validates objects.

use crate::metadata::{self, Metadata, Warning};
use crate::path::{FieldPath, Path};
use crate::rules::{Finding, Outcome, Rules};
use crate::scale::Scale;
use crate::schema::{Faults, JsonNode, Schema, decode_schema};
use crate::value::{Change, complete, prune, resources, uniqueness, violations, violations_at};
use crate::violation::{Reason, Violation, Violations};
use crd_channels_cel::names::{dns1123_label, dns1123_subdomain};
use self_cell::self_cell;
use serde_json::{Map, Number, Value};
use std::fmt;
use std::sync::Arc;

/// The field with an endpoint of its own.
const STATUS: &str = "status";

/// A whole object, whose own metadata is validated separately from that of embedded resources.
const WHOLE: resources::ResourcePosition<'_> = resources::ResourcePosition {
    is_resource: false,
    at: None,
};

/// Validates the objects of one version of a CRD.
#[derive(Clone, Debug)]
pub struct Validator(Arc<Cell>);

// The schema borrows from the document of the CRD, most of which is never copied.
self_cell!(
    struct Cell {
        owner: Value,
        #[covariant]
        dependent: Served,
    }

    impl {Debug}
);

/// A version of a CRD as a server serves it.
#[derive(Debug)]
struct Served<'a> {
    kind: &'a str,
    api_version: String,
    is_namespaced: bool,
    is_storage: bool,
    has_status: bool,
    scale: Option<Scale<'a>>,
    schema: Schema<'a>,
    rules: Rules,
}

/// The violation of a request to a path that servers do not have.
fn no_subresource(name: &str) -> Violation {
    let message = format!("the CRD has no {name} subresource");
    Violation::new(Reason::Forbidden, FieldPath::default().child(name), message)
}

/// The reason for which there is no validator.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct NotServed(String);

impl fmt::Display for NotServed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotServed {}

/// The result of a request with an object.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The object as clients read it when it was stored: with its defaults, without unknown fields.
    pub object: Value,
    /// Whether the request changes the status of an object whose kind has a status subresource. Servers ignore that without a
    /// word: a status is written to `/status`, see [`Validator::update_status`].
    pub status_ignored: bool,
    /// The fields that the schema does not have. Servers drop them, or reject the request if field validation is strict.
    pub unknown: Vec<FieldPath>,
    /// The reasons for which the object is rejected, including rules; empty if it is accepted.
    pub violations: Vec<Violation>,
    /// What the server warns of, besides unknown fields, deprecated versions, and rules of parts that did not change.
    pub warnings: Vec<Warning>,
    /// The results of all rules. Empty if other violations keep a server from evaluating rules.
    pub rules: Vec<Finding>,
}

impl Validator {
    /// The validator of a version of a CRD that a server accepts. Make it once, since it compiles the rules.
    ///
    /// # Errors
    /// If the document is not a CRD with such a version and a schema.
    pub fn new(crd: &Value, version: &str) -> Result<Self, NotServed> {
        let cell = Cell::try_new(crd.clone(), |crd| Served::new(crd, version))?;
        Ok(Self(Arc::new(cell)))
    }

    /// Creates an object. A missing namespace is not a violation, since requests contain it.
    #[must_use]
    pub fn create(&self, object: &Value) -> Verdict {
        self.served().validate(object, None)
    }

    /// Updates an object, given as it was and as clients read it in this version: in a version that is not stored, it may lack the
    /// defaults of this one. Unchanged parts that were invalid before are not reported.
    #[must_use]
    pub fn update(&self, object: &Value, old: &Value) -> Verdict {
        let served = self.served();
        served.validate(object, Some(&served.stored(old)))
    }

    /// Writes the status of an object, as a request to its `/status` does: everything but `status` stays as it was, whatever the
    /// given object says. The kind needs a status subresource, otherwise servers have no such path and the verdict says so.
    #[must_use]
    pub fn update_status(&self, object: &Value, old: &Value) -> Verdict {
        self.served().update_status(object, old)
    }

    /// Sets the replicas of an object, as a request to its `/scale` does, for example of `kubectl scale` or of an autoscaler. It is
    /// an update of the object, with all rules. The kind needs a scale subresource, otherwise the verdict says so.
    #[must_use]
    pub fn scale(&self, replicas: i32, old: &Value) -> Verdict {
        self.served().scaled(replicas, old)
    }

    /// Drops the fields that the version does not have, as servers do when they convert an object to it. Returns their paths.
    pub fn prune(&self, object: &mut Value) -> Vec<FieldPath> {
        prune(object, &self.served().schema, true, None)
    }

    /// Sets the defaults of the version, as servers do with objects that they read in it.
    pub fn complete(&self, object: &mut Value) {
        complete(object, &self.served().schema);
    }

    fn served(&self) -> &Served<'_> {
        self.0.borrow_dependent()
    }
}

impl<'a> Served<'a> {
    fn new(crd: &'a Value, version: &str) -> Result<Self, NotServed> {
        let text = |pointer: &str| {
            let found = crd.pointer(pointer).and_then(Value::as_str);
            found.ok_or_else(|| NotServed(format!("the CRD has no `{pointer}`")))
        };
        let (group, kind) = (text("/spec/group")?, text("/spec/names/kind")?);
        let versions = crd.pointer("/spec/versions").and_then(Value::as_array);
        let served = versions
            .into_iter()
            .flatten()
            .find(|served| served.get("name").and_then(Value::as_str) == Some(version))
            .ok_or_else(|| NotServed(format!("the CRD of `{kind}` has no version `{version}`")))?;
        let document = served
            .pointer("/schema/openAPIV3Schema")
            .ok_or_else(|| NotServed(format!("version `{version}` of `{kind}` has no schema")))?;
        let mut faults = Faults::default();
        let path = Path::root("openAPIV3Schema");
        let schema = decode_schema(&mut faults, JsonNode::new(document, &path));
        if let Some(fault) = faults.undecodable.into_iter().next() {
            return Err(NotServed(fault.message));
        }
        let rules = Rules::compile(&schema, true)
            .map_err(|rule| NotServed(format!("the rule `{rule}` does not compile")))?;
        Ok(Self {
            rules,
            kind,
            api_version: format!("{group}/{version}"),
            is_namespaced: text("/spec/scope")? == "Namespaced",
            is_storage: served.get("storage") != Some(&Value::Bool(false)),
            has_status: served
                .pointer("/subresources/status")
                .is_some_and(|status| !status.is_null()),
            scale: served.pointer("/subresources/scale").and_then(Scale::read),
            schema,
        })
    }

    fn update_status(&self, object: &Value, old: &Value) -> Verdict {
        let old = self.stored(old);
        let mut verdict = self.decode(object, true);
        if !self.has_status {
            verdict.violations = vec![no_subresource(STATUS)];
        }
        if !verdict.violations.is_empty() {
            return verdict;
        }
        let status = verdict.object.get(STATUS).cloned();
        verdict.object.clone_from(&old);
        if let Some(fields) = verdict.object.as_object_mut() {
            set_status(fields, status.as_ref());
        }
        verdict.violations = self.status_violations(&verdict.object, &old);
        self.finish(&mut verdict, Some(&old));
        verdict
    }

    fn scaled(&self, replicas: i32, old: &Value) -> Verdict {
        let old = self.stored(old);
        let mut object = old.clone();
        let set = match &self.scale {
            Some(scale) => scale.set(replicas, &mut object),
            None => Err(no_subresource("scale")),
        };
        match set {
            Ok(()) => self.validate(&object, Some(&old)),
            Err(violation) => Verdict {
                object: old,
                status_ignored: false,
                unknown: Vec::new(),
                violations: vec![violation],
                warnings: Vec::new(),
                rules: Vec::new(),
            },
        }
    }

    /// Reads an object that a server has stored.
    fn stored(&self, object: &Value) -> Value {
        let mut object = object.clone();
        each_number(&mut object, store_number);
        self.decode(&object, self.is_storage).object
    }

    /// Reads an object as a server does: without unknown fields. The defaults are those of a request, and of the stored version.
    fn decode(&self, object: &Value, completes: bool) -> Verdict {
        let mut decoded = Verdict {
            object: object.clone(),
            status_ignored: false,
            unknown: Vec::new(),
            violations: self.undecodable(object),
            warnings: Vec::new(),
            rules: Vec::new(),
        };
        if !decoded.violations.is_empty() {
            return decoded;
        }
        each_number(&mut decoded.object, read_number);
        if let Some(metadata) = decoded.object.get_mut("metadata") {
            let path = Path::root("metadata");
            decoded.unknown = metadata::unknown(metadata, &path);
            decoded.warnings.extend(metadata::keep(metadata, path));
            // Servers clear the namespace of an object that is in none.
            if let Some(fields) = metadata.as_object_mut().filter(|_| !self.is_namespaced) {
                fields.remove("namespace");
            }
        }
        if completes {
            complete(&mut decoded.object, &self.schema);
        }
        let object = &decoded.object;
        let fault = resources::undecodable(object, &self.schema, WHOLE);
        decoded.violations.extend(fault);
        let unknown = resources::unknown(object, &self.schema, WHOLE);
        let dropped = prune(&mut decoded.object, &self.schema, true, None);
        decoded.unknown.extend(dropped);
        decoded.unknown.extend(unknown);
        decoded
    }

    fn undecodable(&self, object: &Value) -> Vec<Violation> {
        let mut found = Violations::default();
        let Some(fields) = object.as_object() else {
            let message = "the document is not an object".to_owned();
            let whole = FieldPath::default();
            return vec![Violation::new(Reason::Invalid, whole, message)];
        };
        for name in ["apiVersion", "kind"] {
            if fields.get(name).is_some_and(|value| !value.is_string()) {
                let message = format!("`{name}` is not a string");
                found.refuse(Reason::Invalid, Path::root(name), message);
            }
        }
        if let Some(metadata) = fields.get("metadata") {
            let path = Path::root("metadata");
            if let Err(message) = metadata::decode(metadata, &path) {
                found.refuse(Reason::Invalid, path, message);
            }
        }
        found.0
    }

    fn validate(&self, object: &Value, old: Option<&Value>) -> Verdict {
        let mut verdict = self.decode(object, true);
        if !verdict.violations.is_empty() {
            return verdict;
        }
        verdict.status_ignored = self.keep_status(&mut verdict.object, old);
        verdict.violations = self.violations(&verdict.object, old);
        self.finish(&mut verdict, old);
        verdict
    }

    /// Evaluates the rules, and completes the object as servers do when they read what they stored.
    fn finish(&self, verdict: &mut Verdict, old: Option<&Value>) {
        // A wrong type and some other violations keep rules from being evaluated.
        if !verdict.violations.iter().any(blocks_rules) {
            verdict.rules = self
                .rules
                .evaluate(&verdict.object, &self.schema, old, true);
            let broken = verdict.rules.iter().filter_map(broken);
            verdict.violations.extend(broken);
        }
        if verdict.violations.is_empty() {
            complete(&mut verdict.object, &self.schema);
            each_number(&mut verdict.object, store_number);
            let (new, old) = (metadata_of(&verdict.object), old.map(metadata_of));
            let warnings = metadata::finalizer_warnings(&new, old.as_ref());
            verdict.warnings.extend(warnings);
        }
    }

    /// Requests for the object itself do not change a status with its own endpoint. Returns whether one of the request is lost.
    fn keep_status(&self, object: &mut Value, old: Option<&Value>) -> bool {
        let Some(fields) = object.as_object_mut().filter(|_| self.has_status) else {
            return false;
        };
        let kept = old.and_then(|old| old.get(STATUS));
        set_status(fields, kept).is_some_and(|given| kept != Some(&given))
    }

    /// The violations of a write of the status: servers validate nothing else.
    fn status_violations(&self, object: &Value, old: &Value) -> Vec<Violation> {
        let mut found = Violations::default();
        self.type_meta(object, &mut found);
        if !found.is_empty() {
            return found.0;
        }
        self.metadata(object, Some(old), &mut found);
        let schema = self.schema.properties.get(STATUS);
        if let Some((status, schema)) = object.get(STATUS).zip(schema) {
            let change = old.get(STATUS).map(Change::from);
            let path = Path::root(STATUS);
            let violations = violations_at(Some(path), status, schema, change).into_iter();
            // What has no field of its own is reported at the value that is validated.
            found.0.extend(violations.map(|mut violation| {
                if violation.field.is_empty() {
                    violation.field = path.into();
                }
                violation
            }));
        }
        if let Some(scale) = &self.scale {
            scale.status_violations(object, &mut found);
        }
        self.uniqueness(object, Some(old), &mut found);
        found.0
    }

    fn violations(&self, object: &Value, old: Option<&Value>) -> Vec<Violation> {
        let mut found = Violations::default();
        self.type_meta(object, &mut found);
        if !found.is_empty() {
            return found.0;
        }
        self.metadata(object, old, &mut found);
        let change = old.map(Change::from);
        found.0.extend(violations(object, &self.schema, change));
        if let Some(scale) = &self.scale {
            scale.violations(object, &mut found);
        }
        let embedded = resources::violations(object, &self.schema, WHOLE);
        found.0.extend(embedded);
        self.uniqueness(object, old, &mut found);
        found.0
    }

    /// A list that had a duplicate may keep it.
    fn uniqueness(&self, object: &Value, old: Option<&Value>, found: &mut Violations) {
        let mut before = Violations::default();
        if let Some(old) = old {
            uniqueness(old, &self.schema, None, &mut before);
        }
        if before.is_empty() {
            uniqueness(object, &self.schema, None, found);
        }
    }

    fn type_meta(&self, object: &Value, found: &mut Violations) {
        for (name, wanted) in [("kind", self.kind), ("apiVersion", &self.api_version)] {
            let given = object.get(name).and_then(Value::as_str).unwrap_or_default();
            if given != wanted {
                let message = format!("`{name}` is `{given}`, not `{wanted}`");
                found.refuse(Reason::Invalid, Path::root(name), message);
            }
        }
    }

    fn metadata(&self, object: &Value, old: Option<&Value>, found: &mut Violations) {
        let path = Path::root("metadata");
        let metadata = metadata_of(object);
        match old.map(metadata_of) {
            None => self.names(&metadata, path, found),
            Some(old) => {
                metadata::path_segments(&metadata, path, found);
                for (name, new, old) in [
                    ("name", metadata.name, old.name),
                    ("namespace", metadata.namespace, old.namespace),
                ] {
                    if new != old {
                        let message =
                            format!("`{old}` cannot become `{new}`: the field is immutable");
                        found.refuse(Reason::Invalid, path.child(name), message);
                    }
                }
            }
        }
        found.0.extend(metadata::violations(&metadata, path));
    }

    fn names(&self, metadata: &Metadata<'_>, path: Path<'_>, found: &mut Violations) {
        // The server appends random characters to the prefix.
        let generated = metadata.generate_name.trim_end_matches('-');
        let mut refuse = |name: &str, reason, message: String| {
            found.refuse(reason, path.child(name), message);
        };
        if !metadata.generate_name.is_empty() {
            for fault in dns1123_subdomain(generated) {
                refuse("generateName", Reason::Invalid, fault);
            }
        }
        if !metadata.name.is_empty() {
            for fault in dns1123_subdomain(metadata.name) {
                refuse("name", Reason::Invalid, fault);
            }
        } else if metadata.generate_name.is_empty() {
            let message = "an object needs `name` or `generateName`".to_owned();
            refuse("name", Reason::Required, message);
        }
        if !metadata.namespace.is_empty() {
            for fault in dns1123_label(metadata.namespace) {
                refuse("namespace", Reason::Invalid, fault);
            }
        }
    }
}

/// Replaces the status of an object, and returns the one before.
fn set_status(fields: &mut Map<String, Value>, status: Option<&Value>) -> Option<Value> {
    match status {
        Some(status) => fields.insert(STATUS.to_owned(), status.clone()),
        None => fields.remove(STATUS),
    }
}

/// Changes the numbers of a value.
fn each_number(value: &mut Value, change: fn(&mut Number)) {
    let each = |value| each_number(value, change);
    match value {
        Value::Number(number) => change(number),
        Value::Array(items) => items.iter_mut().for_each(each),
        Value::Object(fields) => fields.values_mut().for_each(each),
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

/// Servers read whole numbers of more than 64 bits as others.
fn read_number(number: &mut Number) {
    if number.is_u64() && !number.is_i64() {
        let float = number.as_f64().and_then(Number::from_f64);
        *number = float.unwrap_or_else(|| number.clone());
    }
}

/// Servers store whole numbers without a fraction.
fn store_number(number: &mut Number) {
    if let Some(whole) = number.as_f64().and_then(whole)
        && number.is_f64()
    {
        *number = whole.into();
    }
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "only exact numbers are converted"
)]
fn whole(float: f64) -> Option<i64> {
    let is_whole = float.fract() == 0.0 && (i64::MIN as f64..i64::MAX as f64).contains(&float);
    is_whole.then_some(float as i64)
}

fn blocks_rules(violation: &Violation) -> bool {
    matches!(
        violation.reason,
        Reason::NotSupported
            | Reason::Required
            | Reason::TooLong
            | Reason::TooMany
            | Reason::TypeInvalid
    )
}

fn broken(finding: &Finding) -> Option<Violation> {
    match &finding.outcome {
        Outcome::Broken(violation) => Some(violation.clone()),
        _ => None,
    }
}

/// The metadata of a decodable object.
fn metadata_of(object: &Value) -> Metadata<'_> {
    let metadata = object.get("metadata");
    let decoded =
        metadata.and_then(|metadata| metadata::decode(metadata, &Path::root("metadata")).ok());
    decoded.unwrap_or_default()
}
