//! The conversion between the versions of a kind.

use super::config::Webhooks;
use super::kinds::Kind;
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Span};
use crd_channels_schema::Conversion;
use crd_channels_schema::draft::ConversionStrategy;

/// Returns the attribute of a kind that asks for a webhook.
fn asks(kind: &Kind) -> Option<Span> {
    kind.versions
        .iter()
        .filter_map(|draft| draft.conversion.as_ref())
        .find(|asked| asked.value == ConversionStrategy::Webhook)
        .map(|asked| asked.span)
}

/// Returns the conversion of a kind, without a webhook if it is not configured, which [`check`] reports.
pub fn conversion_of_kind(kind: &Kind, webhooks: &Webhooks) -> Conversion {
    let webhook = asks(kind).and_then(|_| webhooks.for_crd(&kind.crd_name()));
    webhook.map_or(Conversion::None, |webhook| {
        Conversion::Webhook(webhook.clone())
    })
}

/// Reports kinds that ask for a webhook that is not configured.
pub fn check(kind: &Kind, webhooks: &Webhooks, sink: &mut Sink) {
    let Some(span) = asks(kind) else { return };
    if webhooks.broken || webhooks.for_crd(&kind.crd_name()).is_some() {
        return;
    }
    sink.push(
        Diagnostic::new(
            Code::ConversionConfig,
            span,
            format!("the conversion webhook of `{}` is not configured", kind.kind),
        )
        .with_help(
            "add to `channels/bundle.toml`: `[conversion.webhook]` and `service = { namespace = \"..\", name = \"..\", path = \"/convert\" }`",
        ),
    );
}

#[cfg(test)]
mod tests {
    use super::super::builders::*;
    use super::super::config::Webhooks;
    use super::{check, conversion_of_kind};
    use crd_channels_schema::draft::ConversionStrategy;
    use crd_channels_schema::{Conversion, WebhookClient, WebhookConversion};

    #[test]
    fn a_webhook_is_configured() {
        let asking = |strategy: Option<ConversionStrategy>| {
            let mut draft = draft("example.com", "v1", "Gateway");
            draft.conversion = strategy.map(spanned);
            kind(vec![draft])
        };
        let configured = Webhooks {
            default: Some(WebhookConversion {
                review_versions: vec!["v1".into()],
                client: WebhookClient {
                    url: Some("https://a".into()),
                    service: None,
                    ca_bundle: None,
                },
            }),
            ..Webhooks::default()
        };
        let webhook = Some(ConversionStrategy::Webhook);
        let none = Some(ConversionStrategy::None);
        for (strategy, webhooks, found, converts) in [
            (webhook, &configured, 0, true),
            (webhook, &Webhooks::default(), 1, false),
            (none, &configured, 0, false),
            (None, &Webhooks::default(), 0, false),
        ] {
            let kind = asking(strategy);
            let ((), all) = findings(|sink| check(&kind, webhooks, sink));
            assert_eq!(all.len(), found, "{all:?}");
            assert_eq!(
                conversion_of_kind(&kind, webhooks) != Conversion::None,
                converts
            );
        }
    }
}
