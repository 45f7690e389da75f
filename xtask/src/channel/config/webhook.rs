//! `[conversion]` of `channels/bundle.toml`: where the conversion webhooks are, by the rules of an API server.

use super::bundle::is_dns_label;
use super::table::{At, Table};
use crate::Text;
use crate::schema::{ServiceReference, WebhookClient, WebhookConversion};
use std::collections::BTreeMap;

/// The configured conversion webhooks.
#[derive(Clone, Debug, Default)]
pub struct Webhooks {
    /// `[conversion.webhook]`: for every kind that asks for one and has none of its own.
    pub default: Option<WebhookConversion>,
    /// `[conversion.kinds."plural.group"]`
    pub kinds: BTreeMap<Text, WebhookConversion>,
}

impl Webhooks {
    /// The webhook of a kind, by the name of its CRD.
    #[must_use]
    pub fn of(&self, crd: &str) -> Option<&WebhookConversion> {
        self.kinds.get(crd).or(self.default.as_ref())
    }
}

pub(super) fn read(table: &mut Table<'_>) -> Webhooks {
    let default = table.table("webhook", read_webhook).flatten();
    let kinds = table
        .table("kinds", |kinds| {
            kinds
                .named_tables(read_webhook)
                .into_iter()
                .filter_map(|(name, webhook)| Some((name.value, webhook?)))
                .collect()
        })
        .unwrap_or_default();
    Webhooks { default, kinds }
}

fn read_webhook(table: &mut Table<'_>) -> Option<WebhookConversion> {
    let review_versions = table.texts("review-versions");
    let url = table.text("url");
    let service = table.table("service", read_service);
    let ca_bundle = table.text("ca-bundle");
    if url.is_some() == service.is_some() {
        table.report(
            table.span(),
            "a webhook is reached by `url` or by `service`, by exactly one of them",
            "keep `url = \"https://..\"` or a `service` table with `namespace` and `name`",
        );
        return None;
    }
    if let Some(url) = &url {
        check_url(url, table);
    }
    if let Some(versions) = &review_versions
        && !versions
            .iter()
            .any(|version| matches!(&*version.value, "v1" | "v1beta1"))
    {
        let message = "`review-versions` has neither `v1` nor `v1beta1`";
        table.report(table.span(), message, "write `review-versions = [\"v1\"]`");
    }
    let review_versions = match review_versions {
        Some(versions) => versions.into_iter().map(|version| version.value).collect(),
        None => vec!["v1".into()],
    };
    Some(WebhookConversion {
        review_versions,
        client: WebhookClient {
            url: url.map(|url| url.value),
            service: service.flatten(),
            ca_bundle: ca_bundle.map(|bundle| bundle.value),
        },
    })
}

fn check_url(url: &At<Text>, table: &Table<'_>) {
    let rest = url.value.strip_prefix("https://");
    let host = rest.map(|rest| rest.split(['/', '?', '#']).next().unwrap_or_default());
    let good = host.is_some_and(|host| !host.is_empty() && !host.contains('@'))
        && !url.value.contains(['?', '#']);
    if !good {
        table.report(
            url.span,
            format!("`{}` is no URL that an API server calls", url.value),
            "write `https://host/path`, without user, query or fragment",
        );
    }
}

fn read_service(table: &mut Table<'_>) -> Option<ServiceReference> {
    let namespace = table.required_text("namespace");
    let name = table.required_text("name");
    let path = table.text("path");
    if let Some(path) = &path
        && !is_service_path(&path.value)
    {
        let message = format!("`{}` is no path of a service", path.value);
        table.report(
            path.span,
            message,
            "start with `/` and use lower-case words between slashes",
        );
    }
    let port = table
        .number("port")
        .and_then(|port| match u16::try_from(port.value) {
            Ok(number) if number > 0 => Some(number),
            _ => {
                table.report(
                    port.span,
                    format!("`{}` is no port", port.value),
                    "write a number from 1 to 65535",
                );
                None
            }
        });
    Some(ServiceReference {
        namespace: namespace?.value,
        name: name?.value,
        path: path.map(|path| path.value),
        port,
    })
}

fn is_service_path(path: &str) -> bool {
    let Some(rest) = path.strip_prefix('/') else {
        return false;
    };
    rest.is_empty()
        || rest
            .trim_end_matches('/')
            .split('/')
            .all(|part| part.split('.').all(is_dns_label))
}
