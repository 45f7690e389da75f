//! The warning that a server sends with each response of a deprecated version.

use super::config::Channel;
use super::kinds::Kind;
use super::serving::{present, served};
use super::version::{ApiVersion, Stability, is_less_stable};
use crate::render::Selection;
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Spanned, Text, nearest};
use crd_channels_schema::draft::{Deprecation, Draft};
use semver::Version;

/// The maximum length that an API server accepts, in bytes.
const LIMIT: usize = 256;

/// Checks the deprecations of a kind's versions, in words that every channel shares.
pub fn check(kind: &Kind, sink: &mut Sink) {
    for draft in &kind.versions {
        let facets = draft.facets.all();
        let said: Vec<_> = facets
            .filter_map(|facets| facets.deprecated.as_ref())
            .collect();
        for deprecation in &said {
            if let Some(text) = &deprecation.warning {
                check_text(text, deprecation, sink);
                check_told(text, draft, deprecation, sink);
            }
        }
        check_order(draft, sink);
        check_major(draft, sink);
        let ends = draft.deprecated_in.is_some()
            || draft.removed_in.is_some()
            || draft.replaced_by.is_some();
        if ends && said.is_empty() {
            sink.push(
                Diagnostic::new(
                    Code::InvalidAttribute,
                    draft.span,
                    format!(
                        "`{}` sets a removal or a replacement, but is not deprecated",
                        draft.spec_name
                    ),
                )
                .with_help("add `#[kube(deprecated)]`, or remove `deprecated_in`, `removed_in` and `replaced_by`"),
            );
        }
        check_replacement(kind, draft, sink);
    }
}

/// Reports replacements by another kind in channels that lack it.
pub fn check_kinds(kinds: &[Kind], channels: &[Channel], sink: &mut Sink) {
    for draft in kinds.iter().flat_map(|kind| &kind.versions) {
        let named = |kind: &&Kind| draft.replaced_by.as_deref() == Some(&*kind.kind);
        let Some(other) = kinds.iter().find(named) else {
            continue;
        };
        let lacks = |channel: &&Channel| {
            let mut versions = other.versions.iter();
            let facets = Selection::Features(&channel.features).resolve(&draft.facets);
            let deprecated = facets.deprecated.as_ref();
            let written = deprecated.is_some_and(|deprecated| deprecated.warning.is_none());
            written && present(draft, channel) && !versions.any(|version| present(version, channel))
        };
        if let Some(channel) = channels.iter().find(lacks) {
            let message = format!(
                "the deprecation of `{}` {} names `{}`, which channel `{}` does not have",
                draft.kind, draft.version, other.kind, channel.name
            );
            sink.push(
                Diagnostic::new(Code::GatedName, draft.span, message).with_help(format!(
                    "gate the deprecation as `{}` is: `#[experimental(kube(deprecated))]`",
                    other.kind
                )),
            );
        }
    }
}

/// Checks a replacement that looks like a version: it must be a version of the kind that is at least as stable.
fn check_replacement(kind: &Kind, draft: &Draft, sink: &mut Sink) {
    let Some(name) = &draft.replaced_by else {
        return;
    };
    let others = || {
        kind.versions
            .iter()
            .filter(|other| other.version != draft.version)
    };
    let is_known = others().any(|other| other.version == *name);
    let message = if is_known && is_less_stable(name, &draft.version) {
        format!(
            "`{}` of `{}` is replaced by `{name}`, which is less stable",
            draft.version, kind.kind
        )
    } else if is_known || ApiVersion::parse(name).is_none() {
        return;
    } else {
        format!(
            "`{}` has no other version `{name}` to replace {}",
            kind.kind, draft.version
        )
    };
    let fitting = others().filter(|other| !is_less_stable(&other.version, &draft.version));
    let help = match nearest(name, fitting.map(|other| &*other.version)) {
        Some(near) => format!("write `replaced_by = \"{near}\"`"),
        None if is_known => {
            "name a version that is as stable, or another kind, or remove `replaced_by`".to_owned()
        }
        None => "name another version of this kind, or another kind".to_owned(),
    };
    let finding = Diagnostic::new(Code::InvalidAttribute, draft.span, message);
    sink.push(finding.with_help(help));
}

/// Checks that a version is deprecated in an earlier bundle than the one that removes it.
fn check_order(draft: &Draft, sink: &mut Sink) {
    let (Some(deprecated_in), Some(Spanned { value, span })) =
        (&draft.deprecated_in, &draft.removed_in)
    else {
        return;
    };
    let (deprecated_in, removed_in) = (&deprecated_in.value, value);
    if let (Some(first), Some(last)) = (bundle(deprecated_in), bundle(removed_in))
        && last <= first
    {
        let message = format!(
            "`{}` of `{}` is deprecated in {deprecated_in} and cannot be removed in {removed_in}",
            draft.version, draft.kind
        );
        let help = format!(
            "name a later bundle: `removed_in = \"{}\"`",
            next_end(&draft.version, first.major, first.minor)
        );
        sink.push(Diagnostic::new(Code::InvalidAttribute, *span, message).with_help(help));
    }
}

/// Checks that a GA version is removed in a major bundle.
fn check_major(draft: &Draft, sink: &mut Sink) {
    let Some(Spanned {
        value: removed_in,
        span,
    }) = &draft.removed_in
    else {
        return;
    };
    let Some(last) = bundle(removed_in).filter(|last| last.major == 0 || last.minor > 0) else {
        return;
    };
    if !is_ga(&draft.version) {
        return;
    }
    let message = format!(
        "`{}` of `{}` is GA: only a major bundle may remove it, and {removed_in} is not one",
        draft.version, draft.kind
    );
    let help = format!(
        "name a major bundle: `removed_in = \"{}\"`",
        next_end(&draft.version, last.major, last.minor)
    );
    sink.push(Diagnostic::new(Code::InvalidAttribute, *span, message).with_help(help));
}

fn is_ga(version: &str) -> bool {
    ApiVersion::parse(version).is_some_and(|version| version.stability == Stability::General)
}

fn bundle(name: &str) -> Option<Version> {
    Version::parse(name.strip_prefix('v').unwrap_or(name)).ok()
}

/// Returns the first bundle after another one that may remove an API version.
pub(super) fn next_end(version: &str, major: u64, minor: u64) -> String {
    if is_ga(version) {
        format!("v{}.0.0", major.saturating_add(1))
    } else {
        format!("v{major}.{}.0", minor.saturating_add(1))
    }
}

/// `untold-removal`: a custom warning must name the bundle of the removal, as a word of its own, with or without the leading
/// `v` and the trailing `.0`.
fn check_told(text: &str, draft: &Draft, deprecation: &Deprecation, sink: &mut Sink) {
    let Some(removed_in) = draft.removed_in.as_ref().map(|named| &named.value) else {
        return;
    };
    let bundle = removed_in.trim_start_matches('v');
    if !names(text, bundle)
        && !bundle
            .strip_suffix(".0")
            .is_some_and(|short| names(text, short))
    {
        let message = format!(
            "the deprecation of `{}` {} does not announce the removal in {removed_in}",
            draft.kind, draft.version
        );
        let finding = Diagnostic::new(Code::UntoldRemoval, deprecation.span, message);
        sink.push(finding.with_help(format!(
            "add `unavailable in {removed_in}+` to the text, or omit the text to have one generated"
        )));
    }
}

/// Returns true if a text contains a version, and not as a part of another one.
fn names(text: &str, version: &str) -> bool {
    text.match_indices(version).any(|(at, _)| {
        let before = text.get(..at).unwrap_or_default();
        let before = before.strip_suffix('v').unwrap_or(before);
        let after = text.get(at + version.len()..).unwrap_or_default();
        // A dot may end the sentence, and a dash may separate words.
        let mut after = after.chars();
        let next = after.next();
        let goes_on = match next {
            Some('.' | '-') => after.next().is_some_and(char::is_alphanumeric),
            next => next.is_some_and(char::is_alphanumeric),
        };
        !goes_on && !before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | '-'))
    })
}

fn check_text(text: &str, deprecation: &Deprecation, sink: &mut Sink) {
    let odd = text.chars().find(|c| !is_printable(*c));
    let message = match odd {
        _ if text.is_empty() => "the deprecation warning is empty".to_owned(),
        Some(odd) => format!("the deprecation warning has the unprintable character {odd:?}"),
        None if text.len() > LIMIT => format!(
            "the deprecation warning has {} bytes, API servers accept at most {LIMIT}",
            text.len()
        ),
        None => return,
    };
    sink.push(
        Diagnostic::new(Code::InvalidAttribute, deprecation.span, message).with_help(
            "write one short line: `#[kube(deprecated = \"example.com/v1beta1 Gateway is deprecated; use example.com/v1 Gateway\")]`",
        ),
    );
}

/// Returns true for characters that API servers consider printable: no control, format or white space characters except the
/// space. Rust's escaping knows them; the `a` comes first because it escapes combining marks at the beginning.
fn is_printable(c: char) -> bool {
    let text = format!("a{c}");
    matches!(c, '"' | '\'' | '\\') || text.escape_debug().eq(text.chars())
}

/// Returns the warning of a version in a channel. `None` leaves it to the API server, which names the newest version.
///
/// A custom text is used as it is; otherwise the warning is written if the release of the removal or the replacement is known.
pub fn warning(
    kind: &Kind,
    draft: &Draft,
    channel: &Channel,
    deprecation: &Deprecation,
) -> Option<Text> {
    if let Some(text) = &deprecation.warning {
        return Some(text.clone());
    }
    if draft.deprecated_in.is_none() && draft.removed_in.is_none() && draft.replaced_by.is_none() {
        return None;
    }
    let Draft {
        group,
        version,
        kind: name,
        ..
    } = draft;
    let since = match &draft.deprecated_in {
        Some(bundle) => format!(" in {}+", bundle.value),
        None => String::new(),
    };
    let until = match &draft.removed_in {
        Some(bundle) => format!(", unavailable in {}+", bundle.value),
        None => String::new(),
    };
    let instead = match replacement(kind, draft, channel) {
        Some(instead) => format!("; use {instead}"),
        None => String::new(),
    };
    let subject = format!("{group}/{version} {name} is deprecated");
    // A long group may not leave room for everything.
    [
        format!("{subject}{since}{until}{instead}"),
        format!("{subject}{until}{instead}"),
        format!("{subject}{until}"),
    ]
    .into_iter()
    .find(|text| text.len() <= LIMIT && text.chars().all(is_printable))
    .map(Text::from)
}

/// Returns the replacement of a version: the one its author names, if the channel has it, else the one that an API server would
/// name.
fn replacement(kind: &Kind, draft: &Draft, channel: &Channel) -> Option<String> {
    let usable = |other: &&Draft| {
        other.version != draft.version && present(other, channel) && served(other, channel)
    };
    let full = |other: &Draft| format!("{}/{} {}", other.group, other.version, other.kind);
    if let Some(name) = &draft.replaced_by {
        let known = kind.versions.iter().find(|other| other.version == *name);
        match known {
            None => return Some(name.to_string()),
            Some(other) if usable(&other) => return Some(full(other)),
            Some(_) => {}
        }
    }
    let selection = Selection::Features(&channel.features);
    let own = kind
        .versions
        .iter()
        .position(|other| other.version == draft.version)?;
    let mut better = kind.versions.iter().take(own).filter(usable);
    better
        .find(|other| selection.resolve(&other.facets).deprecated.is_none())
        .map(full)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::super::builders::*;
    use super::super::config::Serving;
    use super::{check, warning};
    use crd_channels_schema::draft::{Deprecation, Draft, KindFacets};

    fn deprecated(text: Option<&str>) -> Option<Deprecation> {
        Some(Deprecation {
            warning: text.map(Into::into),
            span: somewhere(),
        })
    }

    fn old(change: impl Fn(&mut Draft)) -> Draft {
        let mut old = draft("example.com", "v1beta1", "Gateway");
        old.facets.always.deprecated = deprecated(None);
        change(&mut old);
        old
    }

    fn case(others: Vec<Draft>, change: impl Fn(&mut Draft), expected: Option<&str>) {
        let older = old(change);
        let deprecation = older.facets.always.deprecated.clone().unwrap();
        let mut drafts = others;
        drafts.push(older.clone());
        let kind = kind(drafts);
        let channel = channel("stable", &[]);
        let text = warning(&kind, &older, &channel, &deprecation);
        assert_eq!(text.as_deref(), expected);
        let ((), found) = findings(|sink| check(&kind, sink));
        assert_eq!(found, Vec::<String>::new());
    }

    #[test]
    fn the_warning_names_replacement_and_removal() {
        let newer = || vec![draft("example.com", "v1", "Gateway")];
        let removed = |draft: &mut Draft| draft.removed_in = Some(spanned("v0.6.0"));
        case(newer(), |_| {}, None);
        case(
            newer(),
            |draft| draft.facets.always.deprecated = deprecated(Some("as given")),
            Some("as given"),
        );
        case(
            newer(),
            removed,
            Some(
                "example.com/v1beta1 Gateway is deprecated, unavailable in v0.6.0+; use example.com/v1 Gateway",
            ),
        );
        case(
            newer(),
            |draft| {
                draft.deprecated_in = Some(spanned("v0.3.0"));
                draft.removed_in = Some(spanned("v0.6.0"));
            },
            Some(
                "example.com/v1beta1 Gateway is deprecated in v0.3.0+, unavailable in v0.6.0+; use example.com/v1 Gateway",
            ),
        );
        case(
            vec![],
            removed,
            Some("example.com/v1beta1 Gateway is deprecated, unavailable in v0.6.0+"),
        );
        case(
            newer(),
            |draft| draft.replaced_by = Some("v1".into()),
            Some("example.com/v1beta1 Gateway is deprecated; use example.com/v1 Gateway"),
        );
        case(
            newer(),
            |draft| draft.replaced_by = Some("EdgeGateway".into()),
            Some("example.com/v1beta1 Gateway is deprecated; use EdgeGateway"),
        );
    }

    #[test]
    fn the_warning_names_only_what_the_channel_has() {
        let experimental = || {
            let mut newest = draft("example.com", "v2", "Gateway");
            newest.gate = Some(gate("A"));
            newest
        };
        let replaced = |draft: &mut Draft| draft.replaced_by = Some("v2".into());
        case(
            vec![experimental()],
            replaced,
            Some("example.com/v1beta1 Gateway is deprecated"),
        );
        case(
            vec![experimental(), draft("example.com", "v1", "Gateway")],
            replaced,
            Some("example.com/v1beta1 Gateway is deprecated; use example.com/v1 Gateway"),
        );
        // Unserved and deprecated versions are not suggested, nor those with a lower priority.
        let mut unserved = draft("example.com", "v3", "Gateway");
        unserved.served = false;
        let mut tired = draft("example.com", "v2", "Gateway");
        tired.facets.always.deprecated = deprecated(None);
        let alpha = draft("example.com", "v2alpha1", "Gateway");
        case(
            vec![unserved, tired, alpha],
            |draft| draft.removed_in = Some(spanned("v1.0.0")),
            Some("example.com/v1beta1 Gateway is deprecated, unavailable in v1.0.0+"),
        );
        assert_eq!(channel("x", &[]).beta, Serving::AsWritten);
    }

    #[test]
    fn what_is_said_can_be_shown() {
        let case = |change: &dyn Fn(&mut Draft), expected: &[&str]| {
            let kind = kind(vec![old(change), draft("example.com", "v1", "Gateway")]);
            let ((), found) = findings(|sink| check(&kind, sink));
            assert_eq!(found, expected);
        };
        let text = |text: String| {
            move |draft: &mut Draft| draft.facets.always.deprecated = deprecated(Some(&text))
        };
        case(&text("x".repeat(256)), &[]);
        case(&text("ä".repeat(128)), &[]);
        case(
            &text("ä".repeat(129)),
            &[
                "invalid-attribute: the deprecation warning has 258 bytes, API servers accept at most 256",
            ],
        );
        case(
            &text(String::new()),
            &["invalid-attribute: the deprecation warning is empty"],
        );
        case(&text("\"it's\" \\ \u{1F980} e\u{301}".into()), &[]);
        for odd in [
            '\n', '\t', '\u{a0}', '\u{200d}', '\u{85}', '\u{2028}', '\u{feff}',
        ] {
            let message = format!(
                "invalid-attribute: the deprecation warning has the unprintable character {odd:?}"
            );
            case(&text(format!("a{odd}b")), &[&message]);
        }
        case(
            &|draft| {
                let facets = KindFacets {
                    deprecated: deprecated(Some("")),
                    ..KindFacets::default()
                };
                draft.facets.when.push((gate("A"), facets));
            },
            &["invalid-attribute: the deprecation warning is empty"],
        );
        case(
            &|draft| {
                draft.facets.always.deprecated = None;
                draft.removed_in = Some(spanned("v1.0.0"));
            },
            &[
                "invalid-attribute: `GatewaySpec` sets a removal or a replacement, but is not deprecated",
            ],
        );
        let end = |bundle: &str| Some(spanned(bundle));
        case(
            &|draft| {
                draft.deprecated_in = end("v0.6.0");
                draft.removed_in = end("v0.6.0");
            },
            &[
                "invalid-attribute: `v1beta1` of `Gateway` is deprecated in v0.6.0 and cannot be removed in v0.6.0",
            ],
        );
        let said = |text: &'static str| {
            move |draft: &mut Draft| {
                draft.facets.always.deprecated = deprecated(Some(text));
                draft.removed_in = end("v0.6.0");
            }
        };
        for text in [
            "gone in 0.6",
            "gone in v0.6.",
            "gone in v0.6.0",
            "unavailable in v0.6.0+",
            "v0.5.6, and gone in 0.6.0!",
            "until (v0.6)",
        ] {
            case(&said(text), &[]);
        }
        for text in [
            "go away",
            "gone in v0.60.0",
            "gone in 10.6",
            "gone in v0.6.1",
            "gone in v0.6.0-rc.1",
            "gone in v0.6x",
            "use api0.6",
            "see v1.0.6",
        ] {
            case(
                &said(text),
                &[
                    "untold-removal: the deprecation of `Gateway` v1beta1 does not announce the removal in v0.6.0",
                ],
            );
        }
        case(
            &|draft| draft.replaced_by = Some("v3".into()),
            &["invalid-attribute: `Gateway` has no other version `v3` to replace v1beta1"],
        );
    }

    /// Asserts the deprecation of a version next to `v1alpha1`, `v2beta1` and `v3`.
    #[test]
    fn a_version_is_replaced_by_what_promises_as_much() {
        let case = |version: &str, by: &str, expected: &[&str]| {
            let mut old = old(|draft| draft.replaced_by = Some(by.into()));
            old.version = version.into();
            let others = ["v1alpha1", "v2beta1", "v3"];
            let others = others.map(|version| draft("example.com", version, "Gateway"));
            let kind = kind(others.into_iter().chain([old]).collect());
            let ((), found) = findings(|sink| check(&kind, sink));
            assert_eq!(found, expected, "{version} by {by}");
        };
        let less = |version: &str, by: &str| {
            format!(
                "invalid-attribute: `{version}` of `Gateway` is replaced by `{by}`, which is less stable"
            )
        };
        case("v1", "v3", &[]);
        case("v1", "v2beta1", &[&less("v1", "v2beta1")]);
        case("v1", "v1alpha1", &[&less("v1", "v1alpha1")]);
        case("v1beta1", "v1alpha1", &[&less("v1beta1", "v1alpha1")]);
        case("v1beta1", "v2beta1", &[]);
        case("v1alpha2", "v1alpha1", &[]);
        case("v4", "v3", &[]);
        // The stability of names of another form is unknown.
        case("stable", "v1alpha1", &[]);
        case("v1", "Route", &[]);
    }

    #[test]
    fn a_ga_version_goes_in_a_major_bundle() {
        let case = |version: &str, removed_in: &str, is_taken: bool| {
            let mut old = old(|draft| draft.removed_in = Some(spanned(removed_in)));
            old.version = version.into();
            let kind = kind(vec![old]);
            let ((), found) = findings(|sink| check(&kind, sink));
            let message = format!(
                "invalid-attribute: `{version}` of `Gateway` is GA: only a major bundle may remove it, and {removed_in} is not one"
            );
            let expected = if is_taken { vec![] } else { vec![message] };
            assert_eq!(found, expected);
        };
        case("v1", "v0.6.0", false);
        case("v1", "0.6.0", false);
        case("v1", "v1.0.0", true);
        case("v1", "v1.1.0", false);
        case("v2", "v2.0.0", true);
        case("v1beta1", "v0.6.0", true);
        case("v1beta1", "v1.1.0", true);
    }
}
