//! A kind with three versions, which differ in every way that a conversion has to preserve.

#![allow(missing_docs, reason = "the types of a test")]

use crd_channels_runtime::conversion::{
    Convert, Converter, Kind, Unconvertible, VersionMismatch, convert_root,
};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::CustomResource;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub mod v1 {
    use super::*;

    #[derive(Clone, Convert, CustomResource, Debug, Default, Deserialize, PartialEq, Serialize)]
    #[kube(
        group = "example.com",
        version = "v1",
        kind = "Route",
        namespaced,
        status = "RouteStatus",
        schema = "disabled"
    )]
    #[serde(rename_all = "camelCase", default)]
    pub struct RouteSpec {
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub hosts: Vec<String>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub rules: Vec<Rule>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub timeout_seconds: Option<u32>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub retries: Option<u8>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub mode: Option<Mode>,
        #[serde(skip_serializing_if = "BTreeMap::is_empty")]
        pub labels: BTreeMap<String, String>,
    }

    #[derive(Clone, Convert, Debug, Default, Deserialize, PartialEq, Serialize)]
    pub struct Rule {
        pub name: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub backend: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub weight: Option<i32>,
    }

    #[derive(Clone, Convert, Copy, Debug, Deserialize, PartialEq, Serialize)]
    pub enum Mode {
        Forward,
        Redirect,
        Mirror,
    }

    #[derive(Clone, Convert, Debug, Default, Deserialize, PartialEq, Serialize)]
    #[serde(rename_all = "camelCase", default)]
    pub struct RouteStatus {
        #[serde(skip_serializing_if = "Option::is_none")]
        pub observed_hosts: Option<i32>,
    }
}

pub mod v1beta1 {
    use super::*;

    #[derive(Clone, Convert, CustomResource, Debug, Default, Deserialize, PartialEq, Serialize)]
    #[kube(
        group = "example.com",
        version = "v1beta1",
        kind = "Route",
        namespaced,
        status = "RouteStatus",
        schema = "disabled"
    )]
    #[convert(hub = v1::RouteSpec, hub_only(retries, labels))]
    #[serde(rename_all = "camelCase", default)]
    pub struct RouteSpec {
        #[convert(rename = hosts)]
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub hostnames: Vec<String>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub rules: Vec<Rule>,
        #[convert(rename = timeout_seconds, with = super::seconds)]
        #[serde(skip_serializing_if = "Option::is_none")]
        pub timeout: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub mode: Option<Mode>,
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

    #[derive(Clone, Convert, Copy, Debug, Deserialize, PartialEq, Serialize)]
    #[convert(hub = v1::Mode, hub_only(Mirror => Forward))]
    pub enum Mode {
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
        #[serde(skip_serializing_if = "Option::is_none")]
        pub observed_hosts: Option<i32>,
    }
}

/// The narrowest version, which only has hosts.
pub mod v1alpha1 {
    use super::*;

    #[derive(Clone, Convert, CustomResource, Debug, Default, Deserialize, PartialEq, Serialize)]
    #[kube(
        group = "example.com",
        version = "v1alpha1",
        kind = "Route",
        namespaced,
        schema = "disabled"
    )]
    #[convert(hub = v1::RouteSpec, hub_only(rules, timeout_seconds, retries, mode, labels))]
    #[serde(rename_all = "camelCase", default)]
    pub struct RouteSpec {
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub hosts: Vec<String>,
    }
}

convert_root!(v1alpha1::Route => v1::Route { spec });
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

/// The converter of the kind of a CRD.
pub fn converter(crd: &CustomResourceDefinition) -> Result<Converter, VersionMismatch> {
    let routes = Kind::with_hub::<v1::Route>(crd)
        .spoke::<v1beta1::Route>()
        .spoke::<v1alpha1::Route>()
        .build()?;
    Ok(Converter::new([routes]))
}

/// The CRD of the kind, whose storage version is `v1`.
pub fn crd() -> serde_json::Result<CustomResourceDefinition> {
    serde_json::from_str(include_str!("routes.json"))
}
