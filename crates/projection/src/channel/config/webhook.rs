//! `[conversion]` of `channels/bundle.toml`: the webhooks of kinds that ask for one.

use super::names::{is_dns1035, is_subdomain};
use super::table::Table;
use crd_channels_check::base64;
use crd_channels_diagnostics::{Spanned, Text};
use crd_channels_schema::{ServiceReference, WebhookClient, WebhookConversion};

/// The webhooks by kind.
#[derive(Clone, Debug, Default)]
pub struct Webhooks {
    /// `[conversion.webhook]`: for all other kinds.
    pub default: Option<WebhookConversion>,
    /// `[conversion.kinds."plural.group"]`: for single kinds, instead of the default.
    pub kinds: Vec<(Spanned<Text>, WebhookConversion)>,
    /// Whether a webhook has errors, so that its absence is not reported too.
    pub broken: bool,
}

impl Webhooks {
    /// Returns the webhook for the CRD with that name (`plural.group`).
    #[must_use]
    pub fn for_crd(&self, crd: &str) -> Option<&WebhookConversion> {
        let named = self.kinds.iter().find(|(name, _)| &*name.value == crd);
        named.map(|(_, webhook)| webhook).or(self.default.as_ref())
    }
}

pub(super) fn read_webhooks(table: &mut Table<'_, '_>) -> Webhooks {
    let mut broken = false;
    let default = table.table("webhook", webhook).and_then(|webhook| {
        broken |= webhook.is_none();
        webhook
    });
    let kinds = table.table("kinds", |table| {
        table.named_tables(|name, table| {
            let name = Spanned {
                value: name.into(),
                span: table.span(),
            };
            let webhook = webhook(table);
            broken |= webhook.is_none();
            Some((name, webhook?))
        })
    });
    Webhooks {
        default,
        kinds: kinds.unwrap_or_default(),
        broken,
    }
}

fn webhook(table: &mut Table<'_, '_>) -> Option<WebhookConversion> {
    let review_versions = review_versions(table);
    let url = table.text("url");
    let url_span = url.as_ref().map(|url| url.span);
    let checked_url = url.map(|url| checked_url(url, table));
    let service = table.table("service", service);
    let ca_bundle = table.text("ca-bundle").map(|text| ca_bundle(text, table));
    let client = match (checked_url, service) {
        (Some(url), None) => WebhookClient {
            url: Some(url?),
            service: None,
            ca_bundle: ca_bundle.unwrap_or_default(),
        },
        (None, Some(service)) => WebhookClient {
            url: None,
            service: Some(service?),
            ca_bundle: ca_bundle.unwrap_or_default(),
        },
        (Some(_), Some(_)) => {
            table.report(
                url_span.unwrap_or(table.span()),
                "a webhook has a `url` or a `service`, not both",
                "remove `url`; a service inside the cluster is addressed by its own name",
            );
            return None;
        }
        (None, None) => {
            table.report(
                table.span(),
                "the webhook has no address",
                "add `url = \"https://..\"`, or `service = { namespace = \"..\", name = \"..\", path = \"/convert\" }`",
            );
            return None;
        }
    };
    Some(WebhookConversion {
        review_versions: review_versions?,
        client,
    })
}

fn review_versions(table: &mut Table<'_, '_>) -> Option<Vec<Text>> {
    const HELP: &str = "write `review-versions = [\"v1\"]`";
    let Some(versions) = table.texts("review-versions") else {
        return Some(vec!["v1".into()]);
    };
    let mut known: Vec<Text> = Vec::new();
    for version in &versions {
        let name = &version.value;
        if !is_dns1035(name) {
            table.report(version.span, format!("`{name}` is not a version"), HELP);
            return None;
        }
        if known.contains(name) {
            let message = format!("duplicate review version `{name}`");
            table.report(version.span, message, HELP);
            return None;
        }
        known.push(name.clone());
    }
    if !known.iter().any(|name| matches!(&**name, "v1" | "v1beta1")) {
        let span = versions.first().map_or(table.span(), |first| first.span);
        let message = "no API server sends any of these review versions";
        table.report(span, message, HELP);
        return None;
    }
    Some(known)
}

fn checked_url(url: Spanned<Text>, table: &mut Table<'_, '_>) -> Option<Text> {
    let rest = url.value.strip_prefix("https://");
    let host = rest.map(|rest| rest.split(['/', '?', '#']).next().unwrap_or_default());
    let fault = match (rest, host) {
        (None, _) | (_, None) => "does not start with `https://`",
        (_, Some("")) => "has no host",
        (_, Some(host)) if host.contains('@') => "contains user information",
        (Some(rest), _) if rest.contains('?') => "has a query",
        (Some(rest), _) if rest.contains('#') => "has a fragment",
        _ if url.value.contains(char::is_whitespace) => "has white space",
        _ => return Some(url.value),
    };
    table.report(
        url.span,
        format!("the webhook's `url` {fault}, so an API server rejects it"),
        "write `url = \"https://host:port/path\"`",
    );
    None
}

fn service(table: &mut Table<'_, '_>) -> Option<ServiceReference> {
    let namespace = table.required_text("namespace");
    let name = table.required_text("name");
    let path = table.text("path");
    if let Some(path) = &path
        && !is_path(&path.value)
    {
        table.report(
            path.span,
            format!("`{}` is not a valid webhook path", path.value),
            "start it with `/` and write lower case letters, digits, `-` and `.` between slashes: `path = \"/convert\"`",
        );
        return None;
    }
    let port = match table.number("port", 1) {
        None => None,
        Some(port) => match u16::try_from(port.value) {
            Ok(port) => Some(port),
            Err(_) => {
                table.report(port.span, "the largest port is 65535", "write `port = 443`");
                return None;
            }
        },
    };
    Some(ServiceReference {
        namespace: namespace?.value,
        name: name?.value,
        path: path.map(|path| path.value),
        port,
    })
}

/// Returns true for segments of lowercase letters and digits, each after a slash, with an optional slash at the end.
fn is_path(path: &str) -> bool {
    let Some(rest) = path.strip_prefix('/') else {
        return false;
    };
    let rest = rest.strip_suffix('/').unwrap_or(rest);
    rest.is_empty() || rest.split('/').all(is_subdomain)
}

/// What is wrong with certificates of a webhook in base64, after "it".
#[must_use]
pub fn ca_bundle_fault(base64: &str) -> Option<&'static str> {
    let pem = b"-----BEGIN CERTIFICATE-----";
    match base64::decoded(base64) {
        None => Some("is not base64"),
        Some(bytes) if !bytes.windows(pem.len()).any(|part| part == pem) => {
            Some("contains no certificate")
        }
        Some(_) => None,
    }
}

fn ca_bundle(text: Spanned<Text>, table: &mut Table<'_, '_>) -> Option<Text> {
    let Some(fault) = ca_bundle_fault(&text.value) else {
        return Some(text.value);
    };
    table.report(
        text.span,
        format!("`ca-bundle` {fault}"),
        "write the output of `base64 -w0 ca.pem`",
    );
    None
}
