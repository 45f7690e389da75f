//! `conversion`: the strategy and what it needs.

use super::findings::Findings;
use crate::document::model::{Conversion, Service};
use crate::finding::Reason;
use crate::registry::Rule;
use crd_channels_cel::names::{dns1035_label, dns1123_subdomain};
use crd_channels_cel::url::Url;
use crd_channels_validation::path::Path;

/// The server's default for the port of a service.
const HTTPS: i64 = 443;

/// `keeps_unknown`: whether the CRD preserves all unknown fields, which no conversion supports.
pub(super) fn validate(
    conversion: &Conversion<'_>,
    keeps_unknown: bool,
    spec: Path<'_>,
    found: &mut Findings,
) {
    let at = spec.child("conversion");
    let Conversion {
        strategy,
        client,
        review_versions,
    } = conversion;
    if keeps_unknown && *strategy != "None" {
        let message = "the strategy is `None` where `preserveUnknownFields` is `true`";
        let path = at.child("strategy");
        found.refuse(Rule::ConversionWebhook, Reason::Invalid, path, message);
    }
    let config = at.child("webhookClientConfig");
    match *strategy {
        "Webhook" => {
            webhook(conversion, config, found);
            reviews(conversion, at.child("conversionReviewVersions"), found);
            return;
        }
        "None" => {}
        "" => {
            let message = "the strategy is missing";
            let path = at.child("strategy");
            found.refuse(Rule::ConversionWebhook, Reason::Required, path, message);
        }
        other => {
            let message = format!("`{other}` is not a strategy; there are `None` and `Webhook`");
            let path = at.child("strategy");
            found.refuse(Rule::ConversionWebhook, Reason::NotSupported, path, message);
        }
    }
    let message = "only the strategy `Webhook` takes it";
    if client.is_some() {
        found.refuse(Rule::ConversionWebhook, Reason::Forbidden, config, message);
    }
    if !review_versions.is_empty() {
        let path = at.child("conversionReviewVersions");
        found.refuse(Rule::ConversionWebhook, Reason::Forbidden, path, message);
    }
}

fn webhook(conversion: &Conversion<'_>, at: Path<'_>, found: &mut Findings) {
    let Some(client) = &conversion.client else {
        let message = "the strategy `Webhook` needs a `clientConfig`";
        found.refuse(Rule::ConversionWebhook, Reason::Required, at, message);
        return;
    };
    match (client.url, &client.service) {
        (Some(url), None) => validate_url(url, at.child("url"), found),
        (None, Some(service)) => validate_service(service, at.child("service"), found),
        _ => {
            let message = "a webhook has either a `url` or a `service`";
            found.refuse(Rule::ConversionWebhook, Reason::Required, at, message);
        }
    }
}

fn validate_url(text: &str, path: Path<'_>, found: &mut Findings) {
    let Some(url) = Url::parse(text) else {
        let message = format!("`{text}` is not a URL");
        found.refuse(Rule::ConversionWebhook, Reason::Required, path, message);
        return;
    };
    for (wrong, what) in [
        (!url.scheme.eq_ignore_ascii_case("https"), "is not `https`"),
        (url.host.is_empty(), "has no host"),
        (url.has_user, "names a user"),
        (!url.fragment.is_empty(), "has a fragment"),
        (!url.query.is_empty(), "has a query"),
    ] {
        if wrong {
            let message = format!("`{text}` {what}");
            found.refuse(Rule::ConversionWebhook, Reason::Invalid, path, message);
        }
    }
}

fn validate_service(service: &Service<'_>, at: Path<'_>, found: &mut Findings) {
    let Service {
        namespace,
        name,
        path,
        port,
    } = service;
    // The server maps one to the other, and so do its paths.
    for (value, meant, reported) in [
        (namespace, "namespace", "name"),
        (name, "name", "namespace"),
    ] {
        if value.is_empty() {
            let message = format!("the service's `{meant}` is missing");
            let path = at.child(reported);
            found.refuse(Rule::ConversionWebhook, Reason::Required, path, message);
        }
    }
    let port = port.unwrap_or(HTTPS);
    if !(1..=65_535).contains(&port) {
        let message = format!("`{port}` is not a port");
        let path = at.child("port");
        found.refuse(Rule::ConversionWebhook, Reason::Invalid, path, message);
    }
    if let Some(path) = path {
        for message in path_faults(path) {
            let path = at.child("path");
            found.refuse(Rule::ConversionWebhook, Reason::Invalid, path, message);
        }
    }
}

fn path_faults(path: &str) -> Vec<String> {
    if matches!(path, "" | "/") {
        return Vec::new();
    }
    let mut faults = Vec::new();
    if !path.starts_with('/') {
        faults.push(format!("`{path}` does not begin with a slash"));
    }
    let steps = path.get(1..).unwrap_or_default();
    for step in steps.strip_suffix('/').unwrap_or(steps).split('/') {
        if step.is_empty() {
            faults.push(format!("`{path}` has an empty step"));
        } else {
            faults.extend(dns1123_subdomain(step));
        }
    }
    faults
}

fn reviews(conversion: &Conversion<'_>, at: Path<'_>, found: &mut Findings) {
    let versions = conversion.review_versions.as_slice();
    if versions.is_empty() {
        let message = "a webhook needs its review versions";
        found.refuse(Rule::ConversionWebhook, Reason::Required, at, message);
        return;
    }
    for (index, version) in versions.iter().enumerate() {
        let path = at.index(index);
        if versions.iter().take(index).any(|before| before == version) {
            let message = format!("duplicate `{version}`");
            found.refuse(Rule::ConversionWebhook, Reason::Invalid, path, message);
            continue;
        }
        for fault in dns1035_label(version) {
            found.refuse(Rule::ConversionWebhook, Reason::Invalid, path, fault);
        }
    }
    if !versions
        .iter()
        .any(|version| matches!(*version, "v1" | "v1beta1"))
    {
        let message = "the server supports none of them; it supports `v1` and `v1beta1`";
        found.refuse(Rule::ConversionWebhook, Reason::Invalid, at, message);
    }
}
