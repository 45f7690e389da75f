//! Formats of texts.

use super::{Answer, Stop, UNFIT, Val, text_arg};
use crate::formats::fits;
use crate::names::{dns1035_label, dns1123_label, dns1123_subdomain, label_value, qualified_name};

/// A format: the name of its function, and its test.
type Format = (&'static str, fn(&str) -> bool);

const FORMATS: [Format; 13] = [
    ("dns1123Label", |text| dns1123_label(text).is_empty()),
    ("dns1123Subdomain", |text| {
        dns1123_subdomain(text).is_empty()
    }),
    ("dns1035Label", |text| dns1035_label(text).is_empty()),
    ("qualifiedName", |text| qualified_name(text).is_empty()),
    ("dns1123LabelPrefix", |text| {
        dns1123_label(&completed(text)).is_empty()
    }),
    ("dns1123SubdomainPrefix", |text| {
        dns1123_subdomain(&completed(text)).is_empty()
    }),
    ("dns1035LabelPrefix", |text| {
        dns1035_label(&completed(text)).is_empty()
    }),
    ("labelValue", |text| label_value(text).is_empty()),
    ("uri", |text| fits("uri", text) == Some(true)),
    ("uuid", |text| fits("uuid", text) == Some(true)),
    ("byte", |text| fits("byte", text) == Some(true)),
    ("date", |text| fits("date", text) == Some(true)),
    ("datetime", |text| fits("datetime", text) == Some(true)),
];

/// The length of the pattern of a format, as servers count it.
pub(crate) fn longest_pattern(name: &str) -> u64 {
    match name {
        "dns1123Label" | "dns1035Label" | "dns1123LabelPrefix" | "dns1035LabelPrefix" => 30,
        "labelValue" => 40,
        "dns1123Subdomain" | "qualifiedName" | "dns1123SubdomainPrefix" => 60,
        "uuid" => 70,
        "date" | "datetime" => 71,
        "byte" => 84,
        _ => 1103,
    }
}

/// A prefix with its trailing dash replaced by a letter, which makes it a whole name.
fn completed(prefix: &str) -> String {
    match prefix.strip_suffix('-') {
        Some(rest) if !rest.is_empty() => format!("{rest}a"),
        _ => prefix.to_owned(),
    }
}

pub(crate) fn format_named(given: &[Val]) -> Answer {
    let name = text_arg(given)?;
    let format = FORMATS.iter().find(|(known, _)| *known == name);
    Ok(Val::optional(format.map(|(name, _)| Val::Format(name))))
}

/// The list of errors, or an empty optional. The messages are the servers' own.
pub(crate) fn validate(given: &[Val]) -> Answer {
    let [Val::Format(name), Val::String(text)] = given else {
        return UNFIT;
    };
    let format = FORMATS.iter().find(|(known, _)| known == name);
    let (_, fits) = format.ok_or(Stop::Unknown)?;
    Ok(Val::optional((!fits(text)).then_some(Val::Opaque)))
}
