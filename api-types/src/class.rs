//! `EdgeGatewayClass`: which controller serves the gateways of a class, and how.

use crate::conditions;
use crate::values::LABEL;
use crd_channels_derive::ApiType;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};

/// What the class offers.
#[derive(Clone, CustomResource, Debug, Deserialize, KubeSchema, PartialEq, Serialize, ApiType)]
#[kube(
    group = "edge.crd-channels.dev",
    version = "v1",
    kind = "EdgeGatewayClass",
    plural = "edgegatewayclasses",
    shortname = "egc",
    category = "edge",
    status = "EdgeGatewayClassStatus",
    doc = "EdgeGatewayClass is a sort of gateway that the cluster offers. Gateways name their class in `spec.gatewayClassName`; the controller that the class names serves them.",
    derive = "PartialEq",
    printcolumn = r#"{"name": "Controller", "type": "string", "jsonPath": ".spec.controllerName"}"#,
    printcolumn = r#"{"name": "Accepted", "type": "string", "jsonPath": ".status.conditions[?(@.type==\"Accepted\")].status"}"#,
    printcolumn = r#"{"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"}"#,
    printcolumn = r#"{"name": "Description", "type": "string", "jsonPath": ".spec.description", "priority": 1}"#
)]
#[serde(rename_all = "camelCase")]
pub struct EdgeGatewayClassSpec {
    /// The controller that serves gateways of this class, as a domain and a path, such as
    /// `example.com/edge-controller`. It cannot be changed: gateways would move to another controller while they carry
    /// traffic. Create a new class instead.
    #[schemars(
        length(min = 3, max = 253),
        regex(
            pattern = r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/[A-Za-z0-9/._~-]+$"
        )
    )]
    #[x_kube(validation = Rule::new("self == oldSelf").message("controllerName is immutable").reason(Reason::FieldValueForbidden))]
    pub controller_name: String,
    /// One line for people who choose between classes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 64))]
    pub description: Option<String>,
    /// An object with further settings, in a form that the controller defines. Without it the controller's defaults
    /// hold. If the object does not exist, the class is not accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameters_ref: Option<ParametersRef>,
}

/// An object that a controller reads its settings from.
#[derive(Clone, Debug, Deserialize, KubeSchema, PartialEq, Serialize, ApiType)]
pub struct ParametersRef {
    /// The API group of the object; empty for the core group.
    #[serde(default)]
    #[schemars(length(max = 253))]
    pub group: String,
    /// The kind of the object, such as `ConfigMap`.
    #[schemars(
        length(min = 1, max = 63),
        regex(pattern = r"^[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$")
    )]
    pub kind: String,
    /// The name of the object.
    #[schemars(length(min = 1, max = 253))]
    pub name: String,
    /// The namespace of the object. Left out for kinds that live in no namespace.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 63), regex(pattern = LABEL))]
    pub namespace: Option<String>,
}

/// What the controller says of the class.
#[derive(Clone, Debug, Default, Deserialize, KubeSchema, PartialEq, Serialize, ApiType)]
#[serde(rename_all = "camelCase")]
pub struct EdgeGatewayClassStatus {
    /// The state of the class.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 8))]
    #[x_kube(merge_strategy = ListMerge::Map(vec!["type".into()]))]
    #[crd(conditions = conditions::ClassCondition)]
    pub conditions: Vec<Condition>,
    /// Names of the optional features that the controller serves, in alphabetical order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 64), inner(length(min = 1, max = 64)))]
    #[x_kube(merge_strategy = ListMerge::Set)]
    pub supported_features: Vec<String>,
}

crd_channels_runtime::has_conditions!(EdgeGatewayClass);
