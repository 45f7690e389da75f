//! Settings for single CRDs that do not exist.

use super::config::Config;
use super::kinds::Kind;
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Spanned, Text, nearest};

/// Reports CRDs in the configuration whose names belong to no kind.
pub fn check(kinds: &[Kind], config: &Config, sink: &mut Sink) {
    let known: Vec<_> = kinds.iter().map(Kind::crd_name).collect();
    let conversions = config.bundle.webhooks.kinds.iter().map(|(name, _)| name);
    let channels = config.channels.iter();
    let descriptions = channels.flat_map(|channel| &channel.descriptions.crds);
    for name in conversions.chain(descriptions.map(|(name, _)| name)) {
        if !known.iter().any(|known| *known == *name.value) {
            sink.push(unknown(name, &known));
        }
    }
}

fn unknown(name: &Spanned<Text>, known: &[String]) -> Diagnostic {
    let help = match nearest(&name.value, known.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "write the plural, a dot and the group, as in `gateways.example.com`".to_owned(),
    };
    let message = format!("`{}` is not the name of a CRD", name.value);
    Diagnostic::new(Code::ConfigInvalid, name.span, message).with_help(help)
}

#[cfg(test)]
mod tests {
    use super::super::builders::*;
    use super::super::config::{Config, DescriptionPolicy};
    use super::check;
    use crd_channels_diagnostics::Spanned;

    #[test]
    fn settings_belong_to_a_kind() {
        for (name, expected) in [
            ("gateways.example.com", &[][..]),
            (
                "gateway.example.com",
                &["config-invalid: `gateway.example.com` is not the name of a CRD"],
            ),
        ] {
            let mut stable = channel("stable", &[]);
            let placed = Spanned {
                value: name.into(),
                span: somewhere(),
            };
            stable
                .descriptions
                .crds
                .push((placed, DescriptionPolicy::default()));
            let config = Config {
                channels: vec![stable],
                ..Config::default()
            };
            let ((), found) = findings(|sink| check(&[kind(vec![gateway(vec![])])], &config, sink));
            assert_eq!(found, expected);
        }
    }
}
