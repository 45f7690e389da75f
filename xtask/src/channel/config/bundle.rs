//! `channels/bundle.toml`: what a bundle is made of.

use super::table::{At, Table};
use super::webhook::{self, Webhooks};
use crate::Text;
use crate::render::Convention;
use std::collections::BTreeSet;

/// `channels/bundle.toml`
#[derive(Clone, Debug)]
pub struct Bundle {
    /// `conventions`
    pub convention: Convention,
    /// `packages`: whose types are read; empty means every member that defines kinds.
    pub packages: Vec<At<Text>>,
    /// `version`: without a leading `v`; none means the version of the types' package.
    pub version: Option<At<Text>>,
    /// `annotation-prefix`; none means the only group.
    pub annotation_prefix: Option<At<Text>>,
    /// `target`: the triple that decides `cfg`s.
    pub target: At<Text>,
    /// `cfgs`: custom cfgs, by name and value; a name behind `!` is off.
    pub cfgs: BTreeSet<(Text, Option<Text>)>,
    /// `kubernetes`: the oldest release that is supported, `1.N`.
    pub kubernetes: Option<At<Text>>,
    /// `output`: the folder of the generated files, relative to the workspace.
    pub output: Text,
    /// `[conversion]`
    pub webhooks: Webhooks,
}

impl Default for Bundle {
    fn default() -> Self {
        Self {
            convention: Convention::Kubernetes,
            packages: Vec::new(),
            version: None,
            annotation_prefix: None,
            target: At {
                value: DEFAULT_TARGET.into(),
                span: crate::diag::Span {
                    file: crate::diag::FileId(0),
                    start: 0,
                    end: 0,
                },
            },
            cfgs: BTreeSet::new(),
            kubernetes: None,
            output: "generated".into(),
            webhooks: Webhooks::default(),
        }
    }
}

/// What decides target cfgs unless said otherwise: never the machine that the tool happens to run on.
const DEFAULT_TARGET: &str = "x86_64-unknown-linux-gnu";

pub(super) fn read(table: &mut Table<'_>) -> Bundle {
    let defaults = Bundle::default();
    let conventions = [
        ("kubernetes", Convention::Kubernetes),
        ("kube", Convention::Kube),
    ];
    let version = table.text("version");
    if let Some(version) = &version {
        check_version(version, table);
    }
    let annotation_prefix = table.text("annotation-prefix");
    if let Some(prefix) = &annotation_prefix
        && !is_dns_subdomain(&prefix.value)
    {
        table.report(
            prefix.span,
            format!("`{}` cannot be the prefix of an annotation", prefix.value),
            "write a DNS name, for example `edge.example.dev`",
        );
    }
    let kubernetes = table.text("kubernetes");
    if let Some(release) = &kubernetes
        && !is_release(&release.value)
    {
        let message = format!("`{}` is no Kubernetes release", release.value);
        table.report(
            release.span,
            message,
            "write major and minor, for example `\"1.32\"`",
        );
    }
    Bundle {
        convention: table
            .choice("conventions", &conventions)
            .unwrap_or_default(),
        packages: table.texts("packages").unwrap_or_default(),
        version,
        annotation_prefix,
        target: table.text("target").unwrap_or(defaults.target),
        cfgs: table
            .texts("cfgs")
            .unwrap_or_default()
            .iter()
            .filter_map(|cfg| read_cfg(cfg, table))
            .collect(),
        kubernetes,
        output: read_output(table).unwrap_or(defaults.output),
        webhooks: table.table("conversion", webhook::read).unwrap_or_default(),
    }
}

fn check_version(version: &At<Text>, table: &Table<'_>) {
    if !is_semver(&version.value) {
        table.report(
            version.span,
            format!("`{}` is no version", version.value),
            "write three numbers and no leading `v`, for example `\"0.4.0\"`",
        );
    }
}

/// Three numbers, then perhaps a pre-release and build metadata.
fn is_semver(text: &str) -> bool {
    let (core, rest) = match text.find(['-', '+']) {
        Some(at) => text.split_at(at),
        None => (text, ""),
    };
    let number = |part: &str| {
        !part.is_empty()
            && part.bytes().all(|byte| byte.is_ascii_digit())
            && (part == "0" || !part.starts_with('0'))
    };
    let parts: Vec<&str> = core.split('.').collect();
    let word = |c: char| c.is_ascii_alphanumeric() || "-+.".contains(c);
    parts.len() == 3
        && parts.iter().all(|part| number(part))
        && rest.len() != 1
        && rest.chars().all(word)
}

fn is_release(text: &str) -> bool {
    text.strip_prefix("1.")
        .is_some_and(|minor| !minor.is_empty() && minor.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Dot-separated labels of lower-case letters, digits and inner dashes, 253 characters at most.
pub(super) fn is_dns_subdomain(text: &str) -> bool {
    text.len() <= 253 && text.split('.').all(is_dns_label)
}

pub(super) fn is_dns_label(label: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    !label.is_empty()
        && label.bytes().all(inner)
        && !label.starts_with('-')
        && !label.ends_with('-')
}

/// The folder may not lead out of the workspace: files in it are owned, and removed when they are orphaned.
fn read_output(table: &mut Table<'_>) -> Option<Text> {
    let output = table.text("output")?;
    let path = std::path::Path::new(&*output.value);
    let inside = path
        .components()
        .all(|part| matches!(part, std::path::Component::Normal(_)));
    if !inside || output.value.is_empty() {
        let message = format!("`{}` is no folder below the workspace", output.value);
        table.report(
            output.span,
            message,
            "write a relative path without `..`, for example `\"generated\"`",
        );
        return None;
    }
    Some(output.value)
}

/// `name` or `name="value"`; `!name` for one that is off.
fn read_cfg(cfg: &At<Text>, table: &Table<'_>) -> Option<(Text, Option<Text>)> {
    let (name, value) = match cfg.value.split_once('=') {
        Some((name, value)) => (name.trim(), Some(value.trim())),
        None => (cfg.value.trim(), None),
    };
    let bare = name
        .strip_prefix('!')
        .filter(|_| value.is_none())
        .unwrap_or(name);
    let identifier = !bare.is_empty()
        && !bare.starts_with(|c: char| c.is_ascii_digit())
        && bare.chars().all(|c| c.is_alphanumeric() || c == '_');
    let value = value.map(|value| {
        value
            .strip_prefix('"')
            .and_then(|value| value.strip_suffix('"'))
    });
    match value {
        None if identifier => Some((name.into(), None)),
        Some(Some(value)) if identifier => Some((name.into(), Some(value.into()))),
        _ => {
            let message = format!("`{}` is no cfg", cfg.value);
            table.report(cfg.span, message, "write `'name'` or `'name=\"value\"'`");
            None
        }
    }
}
