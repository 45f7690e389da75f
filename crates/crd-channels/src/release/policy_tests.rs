//! Evaluates the policies of a channel on objects, as a server does.

#![allow(clippy::panic, clippy::unwrap_used, reason = "tests")]

use super::policies;
use super::policy::{Bundle, Channel};
use crd_channels_cel::evaluate::{Stop, Val, evaluate};
use crd_channels_cel::parse;
use crd_channels_compat::{Channel as Promise, Published, Set};
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_released::documents;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Returns the documents of a policy of one of three channels, each with these CRDs; none if the bundle does not have it.
pub(super) fn policy(file: &str, channel: &str, crds: &[Value]) -> Vec<Value> {
    let mut set = Set::default();
    let names = ["stable", "preview", "experimental"];
    for name in names {
        for crd in crds {
            let published = Published::read(crd).unwrap().unwrap();
            let promise = Promise::from_name(name);
            set.insert_into(&name.into(), promise, published).unwrap();
        }
    }
    let channels = names.map(|name| Channel {
        name: name.to_owned(),
        annotation: name.to_owned(),
        features: BTreeSet::new(),
    });
    let bundle = Bundle {
        version: &BundleVersion::new(0, 1, 0),
        prefix: "example.com",
        channels: &channels,
        set: &set,
    };
    let channel = channels.iter().find(|one| one.name == channel).unwrap();
    let mut files = policies::write(bundle, channel).unwrap().into_iter();
    let text = files.find(|(name, _)| *name == file).map(|(_, text)| text);
    text.map(|text| documents::parse(&text).unwrap())
        .unwrap_or_default()
}

/// Returns the messages of the validations of a policy that fail. `old` is null if the object is created.
pub(super) fn messages(policy: &Value, object: &Value, old: &Value) -> Vec<String> {
    let mut scope = vec![("object", value(object)), ("oldObject", value(old))];
    let mut variables = Vec::new();
    for variable in items(&policy["spec"]["variables"]) {
        scope.push(("variables", Val::map(variables.clone())));
        let result = result(&variable["expression"], &scope);
        scope.pop();
        variables.push((Val::text(variable["name"].as_str().unwrap()), result));
    }
    scope.push(("variables", Val::map(variables)));
    let failed = items(&policy["spec"]["validations"])
        .iter()
        .filter(
            |validation| match result(&validation["expression"], &scope) {
                Val::Bool(holds) => !holds,
                other => panic!("{other:?}: {validation}"),
            },
        );
    let messages = failed.map(|validation| {
        let Some(expression) = validation.get("messageExpression") else {
            return validation["message"].as_str().unwrap().to_owned();
        };
        match result(expression, &scope) {
            Val::String(text) => text.to_string(),
            other => panic!("{other:?}: {validation}"),
        }
    });
    messages.collect()
}

fn items(list: &Value) -> &[Value] {
    list.as_array().map(Vec::as_slice).unwrap_or_default()
}

/// Binds the names by macros, whose variables have any name.
fn result(expression: &Value, scope: &[(&str, Val)]) -> Val {
    let text = expression.as_str().unwrap();
    let bound = scope.iter().fold(text.to_owned(), |inner, (name, _)| {
        format!("[self.{name}].map({name}, {inner})[0]")
    });
    let itself = scope
        .iter()
        .map(|(name, value)| (Val::text(*name), value.clone()));
    match evaluate(&parse(&bound).unwrap(), Val::map(itself), None) {
        Ok(value) => value,
        Err(stop @ (Stop::Error | Stop::Unknown)) => panic!("{stop:?}: {text}"),
    }
}

/// A value without a schema.
fn value(json: &Value) -> Val {
    match json {
        Value::Null => Val::Null,
        Value::Bool(value) => Val::Bool(*value),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => Val::Int(whole),
            None => Val::Double(number.as_f64().unwrap()),
        },
        Value::String(text) => Val::text(text.as_str()),
        Value::Array(items) => Val::list(items.iter().map(value)),
        Value::Object(fields) => Val::map(
            fields
                .iter()
                .map(|(name, field)| (Val::text(name.as_str()), value(field))),
        ),
    }
}

/// A CRD with these versions, whose schema is the same; the last version is the storage version.
pub(super) fn crd(kind: &str, versions: &[&str], conversion: &str, schema: &Value) -> Value {
    let plural = format!("{}s", kind.to_lowercase());
    let listed = versions.iter().map(|name| {
        json!({
            "name": name, "served": true, "storage": versions.last() == Some(name),
            "schema": {"openAPIV3Schema": schema}, "subresources": {"status": {}},
        })
    });
    let conversion = match conversion {
        "Webhook" => json!({"strategy": "Webhook", "webhook": {
            "clientConfig": {"service": {"namespace": "a", "name": "b"}},
            "conversionReviewVersions": ["v1"],
        }}),
        other => json!({"strategy": other}),
    };
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("{plural}.example.com")},
        "spec": {
            "group": "example.com", "names": {"kind": kind, "plural": plural}, "scope": "Namespaced",
            "versions": listed.collect::<Vec<_>>(), "conversion": conversion,
        },
    })
}
