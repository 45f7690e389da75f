//! Writes a CRD. Absent values are not written, and neither are the server's own defaults.

use super::{API_VERSION, KIND};
use crate::{
    Additional, Column, Conversion, Crd, Names, Rule, Scale, Schema, ServiceReference,
    Subresources, Version, WebhookClient, WebhookConversion, keywords,
};
use crd_channels_diagnostics::Text;
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The entries of one object, in the order in which they are written.
struct Entries<M>(M);

impl<M: SerializeMap> Entries<M> {
    fn put<V: Serialize + ?Sized>(&mut self, key: &'static str, value: &V) -> Result<(), M::Error> {
        self.0.serialize_entry(key, value)
    }

    fn some<V: Serialize>(&mut self, key: &'static str, value: &Option<V>) -> Result<(), M::Error> {
        match value {
            Some(value) => self.put(key, value),
            None => Ok(()),
        }
    }

    fn shared<V: Serialize>(
        &mut self,
        key: &'static str,
        value: &Option<Arc<V>>,
    ) -> Result<(), M::Error> {
        self.some(key, &value.as_deref())
    }

    fn flag(&mut self, key: &'static str, value: &bool) -> Result<(), M::Error> {
        if *value { self.put(key, &true) } else { Ok(()) }
    }

    fn list<V: Serialize>(&mut self, key: &'static str, values: &[V]) -> Result<(), M::Error> {
        if values.is_empty() {
            Ok(())
        } else {
            self.put(key, values)
        }
    }

    fn text(&mut self, key: &'static str, text: &Option<Text>) -> Result<(), M::Error> {
        self.some(key, &text.as_deref())
    }

    fn texts(&mut self, key: &'static str, texts: &[Text]) -> Result<(), M::Error> {
        let texts: Vec<&str> = texts.iter().map(|text| &**text).collect();
        self.list(key, &texts)
    }

    fn map<V: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        values: &BTreeMap<Text, Arc<V>>,
    ) -> Result<(), M::Error> {
        if values.is_empty() {
            Ok(())
        } else {
            self.put(key, &Shared(values))
        }
    }

    fn docs(
        &mut self,
        key: &'static str,
        url: &Option<Text>,
        description: &Option<Text>,
    ) -> Result<(), M::Error> {
        match (url, description) {
            (None, None) => Ok(()),
            (url, description) => self.put(key, &ExternalDocs { url, description }),
        }
    }
}

/// A map of shared values.
struct Shared<'a, V: ?Sized>(&'a BTreeMap<Text, Arc<V>>);

impl<V: Serialize + ?Sized> Serialize for Shared<'_, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (&**key, &**value)))
    }
}

/// Implements `Serialize` for a type as an object.
macro_rules! object {
    ($type:ty, |$self:ident, $entries:ident| $body:block) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let $self = self;
                let mut $entries = Entries(serializer.serialize_map(None)?);
                $body
                $entries.0.end()
            }
        }
    };
}

object!(Crd, |crd, entries| {
    entries.put("apiVersion", API_VERSION)?;
    entries.put("kind", KIND)?;
    entries.put("metadata", &Metadata(crd))?;
    entries.put("spec", &Spec(crd))?;
});

/// `metadata`
struct Metadata<'a>(&'a Crd);

object!(Metadata<'_>, |metadata, entries| {
    let crd = metadata.0;
    entries.map("annotations", &crd.annotations)?;
    entries.map("labels", &crd.labels)?;
    entries.put("name", &crd.name())?;
});

/// `spec`
struct Spec<'a>(&'a Crd);

object!(Spec<'_>, |spec, entries| {
    let Crd {
        annotations: _,
        labels: _,
        group,
        names,
        scope,
        conversion,
        versions,
    } = spec.0;
    match conversion {
        // The server sets it itself.
        Conversion::None => {}
        Conversion::Webhook(webhook) => entries.put("conversion", &Webhook(webhook))?,
    }
    entries.put("group", &**group)?;
    entries.put("names", names)?;
    entries.put("scope", scope)?;
    entries.put("versions", versions)?;
});

object!(Names, |names, entries| {
    let Names {
        plural,
        singular,
        kind,
        list_kind,
        short_names,
        categories,
    } = names;
    entries.texts("categories", categories)?;
    entries.put("kind", &**kind)?;
    match list_kind {
        Some(list_kind) => entries.put("listKind", &**list_kind)?,
        None => entries.put("listKind", &format_args!("{kind}List"))?,
    }
    entries.put("plural", &**plural)?;
    entries.texts("shortNames", short_names)?;
    entries.put("singular", &**singular)?;
});

/// `spec.conversion` with strategy `Webhook`
struct Webhook<'a>(&'a WebhookConversion);

object!(Webhook<'_>, |conversion, entries| {
    entries.put("strategy", "Webhook")?;
    entries.put("webhook", conversion.0)?;
});

object!(WebhookConversion, |webhook, entries| {
    let WebhookConversion {
        review_versions,
        client,
    } = webhook;
    entries.put("clientConfig", client)?;
    entries.texts("conversionReviewVersions", review_versions)?;
});

object!(WebhookClient, |client, entries| {
    let WebhookClient {
        url,
        service,
        ca_bundle,
    } = client;
    entries.text("caBundle", ca_bundle)?;
    entries.some("service", service)?;
    entries.text("url", url)?;
});

object!(ServiceReference, |service, entries| {
    let ServiceReference {
        namespace,
        name,
        path,
        port,
    } = service;
    entries.put("name", &**name)?;
    entries.put("namespace", &**namespace)?;
    entries.text("path", path)?;
    entries.some("port", port)?;
});

object!(Version, |version, entries| {
    let Version {
        name,
        served,
        storage,
        deprecated,
        deprecation_warning,
        columns,
        selectable_fields,
        subresources,
        schema,
    } = version;
    entries.list("additionalPrinterColumns", columns)?;
    entries.flag("deprecated", deprecated)?;
    entries.text("deprecationWarning", deprecation_warning)?;
    entries.put("name", &**name)?;
    entries.some("schema", &schema.as_deref().map(VersionSchema))?;
    let paths: Vec<_> = selectable_fields.iter().map(SelectableField).collect();
    entries.list("selectableFields", &paths)?;
    entries.put("served", served)?;
    entries.put("storage", storage)?;
    match subresources {
        Some(subresources) if *subresources != Subresources::NONE => {
            entries.put("subresources", subresources)?;
        }
        Some(_) | None => {}
    }
});

/// `spec.versions[].schema`
struct VersionSchema<'a>(&'a Schema);

object!(VersionSchema<'_>, |schema, entries| {
    entries.put("openAPIV3Schema", schema.0)?;
});

/// One of `spec.versions[].selectableFields`
struct SelectableField<'a>(&'a Text);

object!(SelectableField<'_>, |field, entries| {
    entries.put("jsonPath", &**field.0)?;
});

object!(Column, |column, entries| {
    let Column {
        name,
        ty,
        json_path,
        description,
        format,
        priority,
    } = column;
    entries.text("description", description)?;
    entries.text("format", format)?;
    entries.put("jsonPath", &**json_path)?;
    entries.put("name", &**name)?;
    entries.some("priority", priority)?;
    entries.put("type", &**ty)?;
});

object!(Subresources, |subresources, entries| {
    let Subresources { status, scale } = subresources;
    entries.some("scale", scale)?;
    if *status {
        entries.put("status", &BTreeMap::<&str, ()>::new())?;
    }
});

object!(Scale, |scale, entries| {
    let Scale {
        spec_replicas_path,
        status_replicas_path,
        label_selector_path,
    } = scale;
    entries.text("labelSelectorPath", label_selector_path)?;
    entries.put("specReplicasPath", &**spec_replicas_path)?;
    entries.put("statusReplicasPath", &**status_replicas_path)?;
});

object!(Schema, |schema, entries| {
    macro_rules! write_keyword {
        (own $keyword:literal $write:ident $($field:ident)+) => {
            entries.$write($keyword, $(&schema.$field),+)?
        };
        ($part:ident $keyword:literal $write:ident $($field:ident)+) => {
            if let Some(part) = &schema.$part {
                entries.$write($keyword, $(&part.$field),+)?;
            }
        };
    }
    macro_rules! write_keywords {
        ($($row:tt)*) => { $(write_keyword! $row;)* };
    }
    keywords!(write_keywords);
});

impl Serialize for Additional {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Additional::Allowed(allowed) => serializer.serialize_bool(*allowed),
            Additional::Schema(schema) => (**schema).serialize(serializer),
        }
    }
}

/// `externalDocs`
struct ExternalDocs<'a> {
    url: &'a Option<Text>,
    description: &'a Option<Text>,
}

object!(ExternalDocs<'_>, |docs, entries| {
    entries.text("description", docs.description)?;
    entries.text("url", docs.url)?;
});

object!(Rule, |rule, entries| {
    let Rule {
        rule,
        message,
        message_expression,
        reason,
        field_path,
        optional_old_self,
        origin: _,
        rule_written: _,
        message_written: _,
    } = rule;
    entries.text("fieldPath", field_path)?;
    entries.text("message", message)?;
    entries.text("messageExpression", message_expression)?;
    entries.some("optionalOldSelf", optional_old_self)?;
    entries.text("reason", reason)?;
    entries.put("rule", &**rule)?;
});
