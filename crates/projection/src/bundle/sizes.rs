//! The sizes of CRDs, and the limits that ways to install them impose.

use crd_channels_check::Document;
use crd_channels_diagnostics::{Code, Diagnostic, Spanned};
use crd_channels_schema::Crd;
use serde::Serialize;
use std::fmt::Write as _;
use std::io;

/// The maximum size of an object's annotations, keys and values together, in bytes. `kubectl apply` without `--server-side`
/// stores the object in an annotation.
pub const ANNOTATIONS_LIMIT: usize = 262_144;

/// The maximum size of a request to etcd: 1.5 MiB.
pub const ETCD_LIMIT: usize = 1_572_864;

/// The maximum size of a Secret, in which Helm stores a release: 1 MiB.
pub const HELM_LIMIT: usize = 1_048_576;

const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// The sizes of one CRD, in bytes.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Size {
    /// The CRD's name.
    pub name: String,
    /// Compact JSON, as sent to the API server and to etcd.
    pub json: usize,
    /// The YAML file.
    pub yaml: usize,
    /// All annotations of the object after `kubectl apply` created it: its own, and the copy of the object that kubectl adds.
    pub annotations: usize,
    /// The annotations of an object that keep what another version lacks, at most; `None` if there are none, or if no schema
    /// bounds them.
    pub kept: Option<u64>,
}

impl Size {
    /// Measures a CRD whose YAML has this many bytes.
    #[must_use]
    pub fn measure(crd: &Crd, yaml: usize) -> Self {
        let mut json = Counter::default();
        // Neither writing to a counter nor serializing a CRD can fail.
        let _ = serde_json::to_writer(&mut json, crd);
        let own = |(key, value): (
            &crd_channels_diagnostics::Text,
            &crd_channels_diagnostics::Text,
        )| key.len() + value.len();
        // kubectl adds the key even if it is empty.
        let empty = if crd.annotations.is_empty() {
            r#""annotations":{},"#.len()
        } else {
            0
        };
        Size {
            name: crd.name(),
            json: json.bytes,
            yaml,
            annotations: LAST_APPLIED.len()
                + json.bytes
                + json.escapes
                + empty
                + "\n".len()
                + crd.annotations.iter().map(own).sum::<usize>(),
            kept: Document::of_typed_crd(crd, &crd.name()).most_kept(),
        }
    }
}

/// A warning about a CRD that is larger than its channel's `size-budget`.
#[must_use]
pub fn over_budget(budget: &Spanned<usize>, channel: &str, crd: &Crd) -> Option<Diagnostic> {
    let size = compact_json(crd);
    let message = format!(
        "`{}` in channel `{channel}` has {} bytes of JSON; the budget of the channel is {}",
        crd.name(),
        grouped(size),
        grouped(budget.value)
    );
    let help = format!("leave out descriptions by policy, or write `size-budget = {size}`");
    let warning = Diagnostic::new(Code::SizeBudget, budget.span, message);
    (size > budget.value).then(|| warning.with_help(help))
}

/// Returns the size of a value's compact JSON, in bytes.
pub(super) fn compact_json<T: Serialize + ?Sized>(value: &T) -> usize {
    let mut counter = Counter::default();
    // Neither writing to a counter nor serializing text or CRDs can fail.
    let _ = serde_json::to_writer(&mut counter, value);
    counter.bytes
}

/// Counts the written bytes, and those that Go's writer would add: it escapes `<`, `>`, `&`, U+2028 and U+2029 as six bytes.
#[derive(Default)]
struct Counter {
    bytes: usize,
    escapes: usize,
}

impl io::Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes += bytes.len();
        for (at, byte) in bytes.iter().enumerate() {
            self.escapes += match byte {
                b'<' | b'>' | b'&' => 5,
                0xE2 if matches!(bytes.get(at + 1..at + 3), Some([0x80, 0xA8 | 0xA9])) => 3,
                _ => 0,
            };
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns true if a CRD with this YAML may exceed a limit. This is cheap and errs only towards true: JSON has no indentation,
/// and adds at most four bytes per line and five per escaped character.
#[must_use]
pub fn could_exceed(yaml: &str) -> bool {
    // By index, as in `yaml::scalar`.
    let growing = || {
        let bytes = yaml.as_bytes();
        let (mut at, mut found) = (0, 0);
        while at < bytes.len() {
            if matches!(bytes[at], b'\n' | b'"' | b'\\' | b'<' | b'>' | b'&') {
                found += 1;
            }
            at += 1;
        }
        found
    };
    yaml.len() > ANNOTATIONS_LIMIT / 6 && yaml.len() + 5 * growing() > ANNOTATIONS_LIMIT
}

/// Returns a warning for each limit that a single CRD exceeds. Helm's limit concerns a whole channel, and is part of the table.
#[must_use]
pub fn warnings(channel: &str, size: &Size) -> Vec<Diagnostic> {
    let mut warnings = Vec::new();
    let mut warn = |message: String, help: &str| {
        warnings.push(Diagnostic::new(Code::SizeLimit, None, message).with_help(help));
    };
    let Size {
        name,
        json,
        yaml: _,
        annotations,
        kept: _,
    } = size;
    if *json > ETCD_LIMIT {
        warn(
            format!(
                "`{name}` in channel `{channel}` has {} bytes of JSON; etcd accepts at most {} in a request",
                grouped(*json),
                grouped(ETCD_LIMIT)
            ),
            "shorten its descriptions by policy, or split the kind",
        );
    }
    if *annotations > ANNOTATIONS_LIMIT {
        warn(
            format!(
                "`{name}` in channel `{channel}` would carry {} bytes of annotations after `kubectl apply`; at most {} are allowed",
                grouped(*annotations),
                grouped(ANNOTATIONS_LIMIT)
            ),
            "shorten its descriptions by policy, or tell users to run `kubectl apply --server-side`",
        );
    }
    warnings
}

/// Formats the sizes of a channel as a table; `!` marks values over the limit of their column.
#[must_use]
pub fn table(channel: &str, sizes: &[Size]) -> String {
    let width = sizes
        .iter()
        .map(|size| size.name.chars().count())
        .max()
        .unwrap_or(0);
    let width = width.max(channel.chars().count()).max("limit".len());
    let mut table = String::new();
    let mut row = |name: &str, cells: [String; 3]| {
        let [json, annotations, yaml] = cells;
        let line = format!("{name:width$}  {json:>12}  {annotations:>12}  {yaml:>12}");
        // Writing to a string cannot fail.
        let _ = writeln!(table, "{}", line.trim_end());
    };
    row(channel, ["JSON", "annotations", "YAML"].map(String::from));
    let marked = |bytes: usize, limit: usize| {
        let mark = if bytes > limit { "!" } else { " " };
        format!("{}{mark}", grouped(bytes))
    };
    for size in sizes {
        row(
            &size.name,
            [
                marked(size.json, ETCD_LIMIT),
                marked(size.annotations, ANNOTATIONS_LIMIT),
                marked(size.yaml, usize::MAX),
            ],
        );
    }
    let total = |part: fn(&Size) -> usize| sizes.iter().map(part).sum::<usize>();
    row(
        "total",
        [
            marked(total(|size| size.json), usize::MAX),
            String::new(),
            marked(total(|size| size.yaml), HELM_LIMIT),
        ],
    );
    row(
        "limit",
        [
            format!("{} ", grouped(ETCD_LIMIT)),
            format!("{} ", grouped(ANNOTATIONS_LIMIT)),
            format!("{} ", grouped(HELM_LIMIT)),
        ],
    );
    for (size, kept) in sizes.iter().filter_map(|size| Some((size, size.kept?))) {
        let _ = writeln!(
            table,
            "{}: conversion keeps up to {} bytes in annotations of an object, {} have room.",
            size.name,
            grouped(kept),
            grouped(ANNOTATIONS_LIMIT)
        );
    }
    table.push_str(
        "JSON: one request to etcd. annotations: one object after `kubectl apply` without `--server-side`.\nYAML: the whole channel in one Helm release, before compression.\n",
    );
    table
}

/// Formats `1572864` as `1,572,864`.
#[must_use]
pub fn grouped<N: ToString>(number: N) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::{
        ANNOTATIONS_LIMIT, ETCD_LIMIT, HELM_LIMIT, Size, could_exceed, grouped, table, warnings,
    };
    use crd_channels_schema::Crd;
    use serde_json::json;

    fn crd(description: &str) -> Crd {
        Crd::from_json(&json!({
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"annotations": {"a/b": "v1"}, "name": "as.a.b"},
            "spec": {
                "group": "a.b", "scope": "Cluster", "names": {"kind": "A", "plural": "as", "singular": "a"},
                "versions": [{
                    "name": "v1", "served": true, "storage": true,
                    "schema": {"openAPIV3Schema": {"description": description}},
                }],
            },
        }))
        .unwrap()
    }

    #[test]
    fn annotations_are_what_kubectl_makes_them() {
        let mut crd = crd("a <= b && c\u{2028}");
        let json = serde_json::to_string(&crd).unwrap();
        let go = json
            .replace('<', "\\u003c")
            .replace('>', "\\u003e")
            .replace('&', "\\u0026")
            .replace('\u{2028}', "\\u2028");
        let size = Size::measure(&crd, 0);
        assert_eq!(size.json, json.len());
        assert_eq!(
            size.annotations,
            48 + go.len() + 1 + "a/b".len() + "v1".len()
        );

        crd.annotations.clear();
        let go = go.replace(r#"{"a/b":"v1"}"#, "{}");
        assert_eq!(Size::measure(&crd, 0).annotations, 48 + go.len() + 1);
    }

    #[test]
    fn a_limit_is_exceeded_by_one_byte() {
        let size = |json, annotations, yaml| Size {
            name: "as.a.b".into(),
            json,
            yaml,
            annotations,
            kept: None,
        };
        let check = |size: &Size, words: &[&str]| {
            let warnings = warnings("stable", size);
            assert_eq!(warnings.len(), words.len(), "{warnings:?}");
            for (warning, word) in warnings.iter().zip(words) {
                assert!(warning.message.contains(word), "{warning:?}");
            }
        };
        check(&size(ETCD_LIMIT, ANNOTATIONS_LIMIT, HELM_LIMIT), &[]);
        check(&size(ETCD_LIMIT + 1, 0, 0), &["1,572,865"]);
        check(&size(0, ANNOTATIONS_LIMIT + 1, 0), &["262,145"]);
        check(&size(0, 0, HELM_LIMIT + 1), &[]);
    }

    #[test]
    fn what_exceeds_a_limit_could_exceed_it() {
        for text in ["a", "<", "\"", "\\", "&\n", "\u{1}", "\u{2028}", "a b\n\nc"] {
            for bytes in [1_000, 40_000, 45_000, 60_000, 130_000, 262_000, 263_000] {
                let crd = crd(&text.repeat(bytes / text.len()));
                let yaml = crate::bundle::yaml::to_string(&crd).unwrap();
                let size = Size::measure(&crd, yaml.len());
                assert!(
                    size.annotations <= ANNOTATIONS_LIMIT || could_exceed(&yaml),
                    "{text:?} {bytes}"
                );
            }
        }
    }

    #[test]
    fn the_table_is_for_reading() {
        let sizes = [
            Size {
                name: "gateways.a.example.org".into(),
                json: 81_234,
                yaml: 120_500,
                annotations: 81_420,
                kept: None,
            },
            Size {
                name: "routes.a.example.org".into(),
                json: 301_234,
                yaml: 950_500,
                annotations: 301_420,
                kept: Some(12_345),
            },
        ];
        assert_eq!(
            table("stable", &sizes),
            "stable                          JSON   annotations          YAML
gateways.a.example.org       81,234        81,420       120,500
routes.a.example.org        301,234       301,420!      950,500
total                       382,468                   1,071,000!
limit                     1,572,864       262,144     1,048,576
routes.a.example.org: conversion keeps up to 12,345 bytes in annotations of an object, 262,144 have room.
JSON: one request to etcd. annotations: one object after `kubectl apply` without `--server-side`.
YAML: the whole channel in one Helm release, before compression.
"
        );
    }

    #[test]
    fn digits_are_grouped() {
        for (number, expected) in [
            (0, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (1_234_567, "1,234,567"),
        ] {
            assert_eq!(grouped(number), expected);
        }
    }
}
