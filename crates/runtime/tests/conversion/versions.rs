//! A kind of three versions: what one of them cannot carry is of every sort that there is.

#![allow(missing_docs, reason = "a test's types")]

use crd_channels_runtime::conversion::{Convert, Converter, Kind, Unconvertible, convert_root};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;

pub mod v1 {
    use super::*;

    #[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
    pub struct Route {
        pub metadata: serde_json::Value,
        pub spec: RouteSpec,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub status: Option<RouteStatus>,
    }

    #[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
    #[serde(rename_all = "camelCase", default)]
    pub struct RouteSpec {
        pub hosts: Vec<String>,
        pub rules: Vec<Rule>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub timeout_seconds: Option<u32>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub retries: Option<u8>,
        pub mode: Mode,
        #[serde(skip_serializing_if = "BTreeMap::is_empty")]
        pub labels: BTreeMap<String, String>,
    }

    #[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
    pub struct Rule {
        pub name: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub backend: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub weight: Option<i32>,
    }

    #[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Serialize)]
    pub enum Mode {
        #[default]
        Forward,
        Redirect,
        Mirror,
    }

    #[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
    #[serde(rename_all = "camelCase", default)]
    pub struct RouteStatus {
        pub observed_hosts: Option<i32>,
    }
}

pub mod v1beta1 {
    use super::*;

    #[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
    pub struct Route {
        pub metadata: serde_json::Value,
        pub spec: RouteSpec,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub status: Option<RouteStatus>,
    }

    #[derive(Clone, Convert, Debug, Default, Deserialize, PartialEq, Serialize)]
    #[convert(hub = v1::RouteSpec, hub_only(retries, labels))]
    #[serde(rename_all = "camelCase", default)]
    pub struct RouteSpec {
        #[convert(rename = hosts)]
        pub hostnames: Vec<String>,
        pub rules: Vec<Rule>,
        #[convert(rename = timeout_seconds, with = super::seconds)]
        #[serde(skip_serializing_if = "Option::is_none")]
        pub timeout: Option<String>,
        pub mode: Mode,
        #[convert(skip)]
        #[serde(skip_serializing_if = "Option::is_none")]
        pub comment: Option<String>,
    }

    #[derive(Clone, Convert, Debug, Default, Deserialize, PartialEq, Serialize)]
    #[convert(hub = v1::Rule, hub_only(weight))]
    pub struct Rule {
        pub name: String,
        #[convert(rename = backend)]
        #[serde(skip_serializing_if = "Option::is_none")]
        pub service: Option<String>,
    }

    #[derive(Clone, Convert, Copy, Debug, Default, Deserialize, PartialEq, Serialize)]
    #[convert(hub = v1::Mode, hub_only(Mirror => Forward))]
    pub enum Mode {
        #[default]
        Forward,
        #[convert(rename = Redirect)]
        Bounce,
        #[convert(to = Forward)]
        Legacy,
    }

    #[derive(Clone, Convert, Debug, Default, Deserialize, PartialEq, Serialize)]
    #[convert(hub = v1::RouteStatus)]
    #[serde(rename_all = "camelCase", default)]
    pub struct RouteStatus {
        #[convert(same)]
        pub observed_hosts: Option<i32>,
    }
}

/// The narrowest: hosts only.
pub mod v1alpha1 {
    use super::*;

    #[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
    pub struct Route {
        pub metadata: serde_json::Value,
        pub spec: RouteSpec,
    }

    #[derive(Clone, Convert, Debug, Default, Deserialize, PartialEq, Serialize)]
    #[convert(hub = v1::RouteSpec, hub_only(rules, timeout_seconds, retries, mode, labels))]
    #[serde(rename_all = "camelCase", default)]
    pub struct RouteSpec {
        pub hosts: Vec<String>,
    }

    impl Convert<v1::Route> for Route {
        fn convert(self) -> Result<v1::Route, Unconvertible> {
            Ok(v1::Route {
                metadata: self.metadata,
                spec: self.spec.convert()?,
                status: None,
            })
        }
    }

    impl Convert<Route> for v1::Route {
        fn convert(self) -> Result<Route, Unconvertible> {
            Ok(Route {
                metadata: self.metadata,
                spec: self.spec.convert()?,
            })
        }
    }
}

convert_root!(v1beta1::Route => v1::Route { spec, status });

/// Seconds as a number in the hub, and as `30s` in the spoke.
mod seconds {
    use super::Unconvertible;

    pub fn to_hub(text: Option<String>) -> Result<Option<u32>, Unconvertible> {
        let Some(text) = text else { return Ok(None) };
        let number = text
            .strip_suffix('s')
            .and_then(|number| number.parse().ok());
        let number = number
            .ok_or_else(|| Unconvertible::new(format!("`{text}` is not a duration in seconds")))?;
        Ok(Some(number))
    }

    pub fn from_hub(seconds: Option<u32>) -> Result<Option<String>, Unconvertible> {
        Ok(seconds.map(|seconds| format!("{seconds}s")))
    }
}

pub fn converter() -> Converter {
    Converter::new([Kind::with_hub::<v1::Route>("example.com", "Route", "v1")
        .spoke::<v1beta1::Route>("v1beta1")
        .spoke::<v1alpha1::Route>("v1alpha1")
        .with_list_maps(&crd())
        .build()])
}

/// The CRD of the kind: `v1` is stored.
pub fn crd() -> CustomResourceDefinition {
    let text = json!({ "type": "string", "maxLength": 16 });
    let hosts = json!({ "type": "array", "items": text });
    let rules = |fields: serde_json::Value| {
        json!({
            "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
            "items": { "type": "object", "required": ["name"], "properties": fields },
        })
    };
    let status = json!({ "type": "object", "properties": { "observedHosts": { "type": "integer", "format": "int32" } } });
    let version = |name: &str, spec: serde_json::Value, status: Option<&serde_json::Value>| {
        let mut schema = json!({ "type": "object", "required": ["spec"], "properties": {
            "apiVersion": text, "kind": text, "metadata": { "type": "object" },
            "spec": { "type": "object", "properties": spec },
        } });
        if let Some(status) = status {
            schema["properties"]["status"] = status.clone();
        }
        json!({ "name": name, "served": true, "storage": name == "v1", "schema": { "openAPIV3Schema": schema } })
    };
    let versions = [
        version(
            "v1",
            json!({
                "hosts": hosts,
                "rules": rules(json!({ "name": text, "backend": text, "weight": { "type": "integer", "format": "int32" } })),
                "timeoutSeconds": { "type": "integer", "minimum": 0, "maximum": 4_294_967_295_u32 },
                "retries": { "type": "integer", "minimum": 0, "maximum": 255 },
                "mode": { "type": "string", "enum": ["Forward", "Redirect", "Mirror"] },
                "labels": { "type": "object", "additionalProperties": text },
            }),
            Some(&status),
        ),
        version(
            "v1beta1",
            json!({
                "hostnames": hosts,
                "rules": rules(json!({ "name": text, "service": text })),
                "timeout": { "type": "string", "pattern": "^(0|[1-9][0-9]{0,8})s$" },
                "mode": { "type": "string", "enum": ["Forward", "Bounce", "Legacy"] },
                "comment": text,
            }),
            Some(&status),
        ),
        version("v1alpha1", json!({ "hosts": hosts }), None),
    ];
    serde_json::from_value(json!({
        "metadata": { "name": "routes.example.com" },
        "spec": {
            "group": "example.com", "scope": "Namespaced",
            "names": { "kind": "Route", "plural": "routes" }, "versions": versions,
        },
    }))
    .unwrap()
}
