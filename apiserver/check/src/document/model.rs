//! A CRD as the server decodes it: every field of its types, including rejected ones, borrowed from the document.

pub(crate) use crd_channels_validation::metadata::Metadata;
pub(crate) use crd_channels_validation::schema::{Additional, Items, Many, Schema, ValidationRule};

/// A whole CRD.
#[derive(Debug, Default)]
pub(crate) struct Crd<'a> {
    pub(crate) metadata: Metadata<'a>,
    pub(crate) spec: Spec<'a>,
    pub(crate) status: Status,
}

#[derive(Debug, Default)]
pub(crate) struct Spec<'a> {
    pub(crate) group: &'a str,
    pub(crate) names: Names<'a>,
    pub(crate) scope: &'a str,
    pub(crate) versions: Vec<Version<'a>>,
    pub(crate) conversion: Option<Conversion<'a>>,
    pub(crate) preserve_unknown_fields: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Names<'a> {
    pub(crate) plural: &'a str,
    pub(crate) singular: &'a str,
    pub(crate) short_names: Many<&'a str>,
    pub(crate) kind: &'a str,
    pub(crate) list_kind: &'a str,
    pub(crate) categories: Many<&'a str>,
}

/// The names with the server's defaults filled in.
pub(crate) struct DefaultedNames<'a> {
    pub(crate) names: &'a Names<'a>,
    pub(crate) singular: String,
    pub(crate) list_kind: String,
}

impl<'a> DefaultedNames<'a> {
    pub(crate) fn of_names(names: &'a Names<'a>) -> Self {
        let or = |given: &str, default: String| match given {
            "" => default,
            given => given.to_owned(),
        };
        let list_kind = match names.kind {
            "" => String::new(),
            kind => format!("{kind}List"),
        };
        Self {
            names,
            singular: or(names.singular, names.kind.to_lowercase()),
            list_kind: or(names.list_kind, list_kind),
        }
    }
}

#[derive(Debug, Default)]
pub(crate) struct Version<'a> {
    pub(crate) name: &'a str,
    pub(crate) served: Option<bool>,
    pub(crate) storage: bool,
    pub(crate) deprecated: bool,
    pub(crate) deprecation_warning: Option<&'a str>,
    /// The outer option is `schema`, the inner one `openAPIV3Schema`.
    pub(crate) schema: Option<Option<Schema<'a>>>,
    pub(crate) subresources: Option<Subresources<'a>>,
    pub(crate) columns: Many<Column<'a>>,
    pub(crate) selectable_fields: Many<&'a str>,
}

impl<'a> Version<'a> {
    /// `schema.openAPIV3Schema`
    pub(crate) fn schema(&self) -> Option<&Schema<'a>> {
        self.schema.as_ref()?.as_ref()
    }
}

#[derive(Debug, Default, PartialEq)]
pub(crate) struct Subresources<'a> {
    pub(crate) status: bool,
    pub(crate) scale: Option<Scale<'a>>,
}

#[derive(Debug, Default, PartialEq)]
pub(crate) struct Scale<'a> {
    pub(crate) spec_replicas: &'a str,
    pub(crate) status_replicas: &'a str,
    pub(crate) label_selector: Option<&'a str>,
}

#[derive(Debug, Default, PartialEq)]
pub(crate) struct Column<'a> {
    pub(crate) name: &'a str,
    pub(crate) ty: &'a str,
    pub(crate) format: &'a str,
    pub(crate) description: &'a str,
    pub(crate) priority: i64,
    pub(crate) json_path: &'a str,
}

#[derive(Debug, Default)]
pub(crate) struct Conversion<'a> {
    pub(crate) strategy: &'a str,
    pub(crate) client: Option<WebhookClient<'a>>,
    pub(crate) review_versions: Many<&'a str>,
}

#[derive(Debug, Default)]
pub(crate) struct WebhookClient<'a> {
    pub(crate) url: Option<&'a str>,
    pub(crate) service: Option<Service<'a>>,
}

#[derive(Debug, Default)]
pub(crate) struct Service<'a> {
    pub(crate) namespace: &'a str,
    pub(crate) name: &'a str,
    pub(crate) path: Option<&'a str>,
    pub(crate) port: Option<i64>,
}

/// `status`, which servers clear when a CRD is created.
#[derive(Debug, Default)]
pub(crate) struct Status {
    pub(crate) observed_generation: Option<i64>,
    /// The `observedGeneration` of each of `conditions`.
    pub(crate) observed_by_conditions: Many<Option<i64>>,
}
