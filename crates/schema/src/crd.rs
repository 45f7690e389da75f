//! A CustomResourceDefinition as it is written: one channel, no gates.

use super::Schema;
use crd_channels_diagnostics::Text;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A CustomResourceDefinition of one channel.
#[derive(Clone, Debug, PartialEq)]
pub struct Crd {
    /// `metadata.annotations`
    pub annotations: BTreeMap<Text, Text>,
    /// `metadata.labels`
    pub labels: BTreeMap<Text, Text>,
    /// `spec.group`
    pub group: Text,
    /// `spec.names`
    pub names: Names,
    /// `spec.scope`
    pub scope: Scope,
    /// `spec.conversion`
    pub conversion: Conversion,
    /// `spec.versions`, in Kubernetes' priority order
    pub versions: Vec<Version>,
}

impl Crd {
    /// `metadata.name`
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}.{}", self.names.plural, self.group)
    }
}

/// `spec.names`
#[derive(Clone, Debug, PartialEq)]
pub struct Names {
    /// `plural`
    pub plural: Text,
    /// `singular`
    pub singular: Text,
    /// `kind`
    pub kind: Text,
    /// `listKind`; the server's default is the kind with `List` appended
    pub list_kind: Option<Text>,
    /// `shortNames`
    pub short_names: Vec<Text>,
    /// `categories`
    pub categories: Vec<Text>,
}

/// `spec.scope`
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Scope {
    /// One object name for the whole cluster.
    Cluster,
    /// Objects live in namespaces.
    Namespaced,
}

/// `spec.conversion`
#[derive(Clone, Debug, PartialEq)]
pub enum Conversion {
    /// Strategy `None`: only `apiVersion` changes.
    None,
    /// Strategy `Webhook`.
    Webhook(WebhookConversion),
}

/// `spec.conversion.webhook`
#[derive(Clone, Debug, PartialEq)]
pub struct WebhookConversion {
    /// `conversionReviewVersions`
    pub review_versions: Vec<Text>,
    /// `clientConfig`
    pub client: WebhookClient,
}

/// `spec.conversion.webhook.clientConfig`
#[derive(Clone, Debug, PartialEq)]
pub struct WebhookClient {
    /// `url`
    pub url: Option<Text>,
    /// `service`
    pub service: Option<ServiceReference>,
    /// `caBundle`, base64
    pub ca_bundle: Option<Text>,
}

/// `spec.conversion.webhook.clientConfig.service`
#[derive(Clone, Debug, PartialEq)]
pub struct ServiceReference {
    /// `namespace`
    pub namespace: Text,
    /// `name`
    pub name: Text,
    /// `path`
    pub path: Option<Text>,
    /// `port`
    pub port: Option<u16>,
}

/// One of `spec.versions`
#[derive(Clone, Debug, PartialEq)]
pub struct Version {
    /// `name`
    pub name: Text,
    /// `served`
    pub served: bool,
    /// `storage`
    pub storage: bool,
    /// `deprecated`
    pub deprecated: bool,
    /// `deprecationWarning`
    pub deprecation_warning: Option<Text>,
    /// `additionalPrinterColumns`
    pub columns: Vec<Column>,
    /// `selectableFields[].jsonPath`
    pub selectable_fields: Vec<Text>,
    /// `subresources`
    pub subresources: Option<Subresources>,
    /// `schema.openAPIV3Schema`; `None` only if the type disables its schema
    pub schema: Option<Arc<Schema>>,
}

/// One of `additionalPrinterColumns`
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// `name`
    pub name: Text,
    /// `type`
    pub ty: Text,
    /// `jsonPath`
    pub json_path: Text,
    /// `description`
    pub description: Option<Text>,
    /// `format`
    pub format: Option<Text>,
    /// `priority`
    pub priority: Option<i32>,
}

/// `subresources`
#[derive(Clone, Debug, PartialEq)]
pub struct Subresources {
    /// `status: {}`
    pub status: bool,
    /// `scale`
    pub scale: Option<Scale>,
}

/// `subresources.scale`
#[derive(Clone, Debug, PartialEq)]
pub struct Scale {
    /// `specReplicasPath`
    pub spec_replicas_path: Text,
    /// `statusReplicasPath`
    pub status_replicas_path: Text,
    /// `labelSelectorPath`
    pub label_selector_path: Option<Text>,
}
