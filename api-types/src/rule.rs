//! Rules: the requests that an [`EdgeRoute`](super::EdgeRoute) takes, and what happens to them.

use crate::values::{Duration, HOSTNAME, LABEL};
use crd_channels_derive::ApiType;
use kube::KubeSchema;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Requests, and what happens to them.
#[derive(Clone, Debug, Deserialize, KubeSchema, PartialEq, Serialize, ApiType)]
#[serde(rename_all = "camelCase")]
#[x_kube(validation = Rule::new("!has(self.filters) || !self.filters.exists(f, has(f.redirect)) || !has(self.backendRefs) || size(self.backendRefs) == 0")
    .message("a rule that redirects sends nothing to backends"))]
#[experimental(
    feature = "RouteTimeouts",
    x_kube(validation = Rule::new("!has(self.timeouts) || !has(self.timeouts.request) || !has(self.timeouts.backend) || duration(self.timeouts.backend) <= duration(self.timeouts.request)")
        .message("timeouts.backend must not be longer than timeouts.request"))
)]
#[tombstone(
    name = "retries",
    removed = "v0.3.0",
    reason = "retries belong to the backend and moved to EdgeBackendPolicy"
)]
pub struct RouteRule {
    /// A name for this rule, for use in logs and metrics.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 63), regex(pattern = LABEL))]
    pub name: Option<String>,
    /// Conditions on the request, of which at least one must hold. Without any, the rule takes every request.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 16))]
    #[x_kube(merge_strategy = ListMerge::Atomic)]
    pub matches: Vec<RouteMatch>,
    /// What to change on the way, in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 8))]
    #[x_kube(merge_strategy = ListMerge::Atomic)]
    pub filters: Vec<RouteFilter>,
    /// Where the requests go. Without any, and without a redirect, they are answered with status 404.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 16))]
    #[x_kube(merge_strategy = ListMerge::Atomic)]
    pub backend_refs: Vec<BackendRef>,
    /// How long to wait. Without it, the controller's defaults hold.
    #[experimental(feature = "RouteTimeouts")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeouts: Option<RouteTimeouts>,
}

/// Conditions on a request, all of which must hold.
#[derive(Clone, Debug, Default, Deserialize, KubeSchema, PartialEq, Serialize, ApiType)]
pub struct RouteMatch {
    /// The path of the request. Without it, every path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<PathMatch>,
    /// The method of the request. Without it, every method.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<HttpMethod>,
    /// Headers of the request. Names are compared without regard to case, values exactly.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 16))]
    #[x_kube(merge_strategy = ListMerge::Map(vec!["name".into()]))]
    pub headers: Vec<HeaderMatch>,
}

/// A condition on the path.
#[derive(Clone, Debug, Deserialize, KubeSchema, PartialEq, Serialize, ApiType)]
#[x_kube(validation = Rule::new("self.type != 'PathPrefix' || self.value.startsWith('/')")
    .message("a path prefix must start with a slash")
    .field_path(".value"))]
pub struct PathMatch {
    /// How the path is compared.
    #[serde(rename = "type", default)]
    pub type_: PathMatchType,
    /// What the path is compared with.
    #[experimental(
        feature = "RegularExpressionPaths",
        doc = "A regular expression is in RE2's syntax and must match the whole path."
    )]
    #[serde(default = "root_path")]
    #[schemars(length(min = 1, max = 1024))]
    pub value: String,
}

fn root_path() -> String {
    "/".to_owned()
}

/// How a path is compared.
#[derive(
    Clone, Copy, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize, ApiType,
)]
pub enum PathMatchType {
    /// The path must be the same, including case and a slash at the end.
    Exact,
    /// The path must begin with the same elements: `/shop` takes `/shop` and `/shop/cart`, but not `/shopping`.
    #[default]
    PathPrefix,
    /// The path must match a regular expression.
    #[experimental(feature = "RegularExpressionPaths")]
    RegularExpression,
}

/// A method of HTTP.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
#[expect(missing_docs, reason = "HTTP defines them")]
pub enum HttpMethod {
    Get,
    Head,
    Post,
    Put,
    Delete,
    Options,
    Patch,
}

/// A condition on a header.
#[derive(Clone, Debug, Deserialize, KubeSchema, PartialEq, Serialize, ApiType)]
pub struct HeaderMatch {
    /// The name of the header.
    #[schemars(
        length(min = 1, max = 256),
        regex(pattern = r"^[A-Za-z0-9!#$%&'*+.^_`|~-]+$")
    )]
    pub name: String,
    /// The value that the header must have.
    #[schemars(length(min = 1, max = 4096))]
    pub value: String,
}

/// One change to a request on its way. Exactly one of its fields is set.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum RouteFilter {
    /// Changes headers of the request before it is sent to a backend.
    RequestHeaders(HeaderModifier),
    /// Changes headers of the response before it is sent to the client.
    ResponseHeaders(HeaderModifier),
    /// Sends the client elsewhere.
    Redirect(Redirect),
}

/// Changes to headers. What is removed is removed first.
#[derive(Clone, Debug, Default, Deserialize, KubeSchema, PartialEq, Serialize, ApiType)]
pub struct HeaderModifier {
    /// Headers to set. One that is there already gets the new value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 16))]
    #[x_kube(merge_strategy = ListMerge::Map(vec!["name".into()]))]
    pub set: Vec<HeaderValue>,
    /// The names of headers to remove.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 16), inner(length(min = 1, max = 256)))]
    #[x_kube(merge_strategy = ListMerge::Set)]
    pub remove: Vec<String>,
}

/// A header.
#[derive(Clone, Debug, Deserialize, KubeSchema, PartialEq, Serialize, ApiType)]
pub struct HeaderValue {
    /// The name of the header.
    #[schemars(
        length(min = 1, max = 256),
        regex(pattern = r"^[A-Za-z0-9!#$%&'*+.^_`|~-]+$")
    )]
    pub name: String,
    /// The value.
    #[schemars(length(max = 4096))]
    pub value: String,
}

/// Where to send the client instead.
#[derive(Clone, Debug, Deserialize, KubeSchema, PartialEq, Serialize, ApiType)]
#[serde(rename_all = "camelCase")]
pub struct Redirect {
    /// The host name to go to. Without it, the one of the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 253), regex(pattern = HOSTNAME))]
    pub hostname: Option<String>,
    /// The status code of the answer: 301 and 308 are permanent, 302 and 307 are not.
    #[serde(default = "found")]
    #[x_kube(validation = ("self in [301, 302, 307, 308]", "statusCode must be 301, 302, 307 or 308"))]
    pub status_code: i32,
}

const fn found() -> i32 {
    302
}

/// Where requests go.
#[derive(Clone, Debug, Deserialize, KubeSchema, PartialEq, Serialize, ApiType)]
pub struct BackendRef {
    /// The name of a Service in the namespace of the route. If it does not exist, its share of the requests is answered
    /// with status 500 and the route's `ResolvedRefs` is `False`.
    #[schemars(length(min = 1, max = 63), regex(pattern = LABEL))]
    pub name: String,
    /// The port of the Service.
    #[schemars(range(min = 1, max = 65535))]
    pub port: i32,
    /// The share of the requests, in proportion to the sum of all weights in the rule. 0 sends nothing.
    #[serde(default = "one")]
    #[schemars(range(min = 0, max = 1_000_000))]
    pub weight: i32,
}

const fn one() -> i32 {
    1
}

/// How long to wait.
#[derive(Clone, Debug, Default, Deserialize, KubeSchema, PartialEq, Serialize, ApiType)]
#[experimental(feature = "RouteTimeouts")]
pub struct RouteTimeouts {
    /// For the whole answer, from the first byte of the request on. `0s` waits for ever.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<Duration>,
    /// For one attempt at one backend. `0s` waits for as long as `request` allows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backend: Option<Duration>,
}
