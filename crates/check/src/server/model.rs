//! A CRD as the server has it after decoding: every field that its types have, the refused ones too, borrowed from the
//! document.

pub(super) use crd_channels_validation::metadata::Metadata;
pub(super) use crd_channels_validation::schema::{Additional, Items, Many, Schema, ValidationRule};

/// A whole CRD.
#[derive(Debug, Default)]
pub(super) struct Crd<'a> {
    pub(super) metadata: Metadata<'a>,
    pub(super) spec: Spec<'a>,
}

#[derive(Debug, Default)]
pub(super) struct Spec<'a> {
    pub(super) group: &'a str,
    pub(super) names: Names<'a>,
    pub(super) scope: &'a str,
    pub(super) versions: Vec<Version<'a>>,
    pub(super) conversion: Option<Conversion<'a>>,
    pub(super) preserve_unknown_fields: bool,
}

#[derive(Debug, Default)]
pub(super) struct Names<'a> {
    pub(super) plural: &'a str,
    pub(super) singular: &'a str,
    pub(super) short_names: Many<&'a str>,
    pub(super) kind: &'a str,
    pub(super) list_kind: &'a str,
    pub(super) categories: Many<&'a str>,
}

#[derive(Debug, Default)]
pub(super) struct Version<'a> {
    pub(super) name: &'a str,
    pub(super) storage: bool,
    pub(super) deprecated: bool,
    pub(super) deprecation_warning: Option<&'a str>,
    /// The outer option is `schema`, the inner one `openAPIV3Schema`.
    pub(super) schema: Option<Option<Schema<'a>>>,
    pub(super) subresources: Option<Subresources<'a>>,
    pub(super) columns: Many<Column<'a>>,
    pub(super) selectable_fields: Many<&'a str>,
}

#[derive(Debug, Default, PartialEq)]
pub(super) struct Subresources<'a> {
    pub(super) status: bool,
    pub(super) scale: Option<Scale<'a>>,
}

#[derive(Debug, Default, PartialEq)]
pub(super) struct Scale<'a> {
    pub(super) spec_replicas: &'a str,
    pub(super) status_replicas: &'a str,
    pub(super) label_selector: Option<&'a str>,
}

#[derive(Debug, Default, PartialEq)]
pub(super) struct Column<'a> {
    pub(super) name: &'a str,
    pub(super) ty: &'a str,
    pub(super) format: &'a str,
    pub(super) description: &'a str,
    pub(super) priority: i64,
    pub(super) json_path: &'a str,
}

#[derive(Debug, Default)]
pub(super) struct Conversion<'a> {
    pub(super) strategy: &'a str,
    pub(super) client: Option<WebhookClient<'a>>,
    pub(super) review_versions: Many<&'a str>,
}

#[derive(Debug, Default)]
pub(super) struct WebhookClient<'a> {
    pub(super) url: Option<&'a str>,
    pub(super) service: Option<Service<'a>>,
}

#[derive(Debug, Default)]
pub(super) struct Service<'a> {
    pub(super) namespace: &'a str,
    pub(super) name: &'a str,
    pub(super) path: Option<&'a str>,
    pub(super) port: Option<i64>,
}
