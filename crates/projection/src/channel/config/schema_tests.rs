//! The JSON schemas of the configuration files, which editors use, agree with the reader.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

use super::tests::read_toml;
use crate::render::Convention;
use crd_channels_check::Rule;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Returns the schema of a file; all channels share one.
fn schema(file: &str) -> Value {
    let name = match file.trim_end_matches(".toml") {
        name @ ("bundle" | "features" | "tombstones") => name,
        _ => "channel",
    };
    let path = format!("{}/../../schemas/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Returns true if the schema accepts a text.
fn by_schema(file: &str, text: &str) -> bool {
    let value: toml::Value = toml::from_str(text).unwrap();
    let value = serde_json::to_value(value).unwrap();
    jsonschema::draft7::is_valid(&schema(file), &value)
}

fn by_reader(file: &str, text: &str) -> bool {
    let beside = ("features.toml", "[A]\nsummary = 'a'");
    // These are for bundles whose source is CRDs, in all channels.
    let is_of_crds = ["crds =", "paths", "[[fields]]"]
        .iter()
        .any(|key| text.contains(key));
    let channel = ("other.toml", if is_of_crds { "crds = 'b'" } else { "" });
    let files: Vec<_> = [beside, channel, (file, text)].into_iter().collect();
    let files: Vec<_> = match file {
        "features.toml" => files[1..].to_vec(),
        _ => files,
    };
    read_toml(&files).1.is_empty()
}

#[test]
fn editors_and_the_tool_take_the_same() {
    for (file, valid, invalid) in [
        (
            "bundle.toml",
            &[
                "",
                "conventions = 'kube'\npackages = ['a', 'b']\nversion = '1.2.3-rc.1'\noutput = 'a/b'",
                "annotation-prefix = 'a.example.com'\ntarget = 'aarch64-apple-darwin'\nkubernetes = '1.32'",
                "cfgs = ['a', '!b', 'c=\"d\"']",
                "chart = '2-edge-crds'",
                "constants = 'names.rs'",
                "constants = 'a/src/names.rs'",
                "examples = 'config/samples'\nexamples-page = 'docs/examples.md'",
                "reference-pages = 'docs/api'",
                "cargo-features = ['a-b/c_d', 'e/f+g']",
                "[lints]\nfloat = 'allow'\nuntyped-list = 'deny'\nphase = 'warn'",
                "[conversion.webhook]\nurl = 'https://a.example.com/b'",
                "[conversion.kinds.'a.b']\nservice = { namespace = 'a', name = 'b', path = '/c', port = 443 }\nreview-versions = ['v1']",
                "[schemas.'a::B']\njson = '{}'\n[values.'a::c']\nfile = 'c.json'",
                "[kinds.'a.b']\nstorage = 'v1'",
                "[kinds.'a.b']\nshort-names = []\n[kinds.'c.d']\nshort-names = ['e']",
                "[kinds.'a.b']\nlabels = { a = 'b' }\n[kinds.'a.b'.annotations]\n'c.d/e' = 'f'",
            ][..],
            &[
                "convention = 'kube'",
                "conventions = 'rust'",
                "packages = 'a'",
                "packages = [1]",
                "version = 'v1.2.3'",
                "version = '1.2'",
                "version = '1.2.3-01'",
                "annotation-prefix = 'A.example.com'",
                "target = 'linux'",
                "kubernetes = '1'",
                "kubernetes = 1.32",
                "cfgs = ['a b']",
                "cargo-features = ['a']",
                "cargo-features = ['a/b/c']",
                "cargo-features = ['a/']",
                "chart = ''",
                "chart = 'Edge'",
                "chart = 'edge-'",
                "chart = '../edge'",
                "constants = 'a/names'",
                "constants = '../names.rs'",
                "constants = '/names.rs'",
                "constants = 'a/.rs'",
                "examples = '../samples'",
                "examples-page = 'docs/examples.txt'",
                "reference-pages = '../api'",
                "output = '../a'",
                "output = '/a'",
                "[lints]\nfloats = 'allow'",
                "[lints]\nfloat = 'forbid'",
                "[lints]\nscope = 'allow'",
                "[conversion]\nwebhooks = {}",
                "[conversion.webhook]",
                "[conversion.webhook]\nurl = 'http://a'",
                "[conversion.webhook]\nurl = 'https://a?b'",
                "[conversion.webhook]\nurl = 'https://a'\nservice = { namespace = 'a', name = 'b' }",
                "[conversion.webhook]\nservice = { namespace = 'a' }",
                "[conversion.webhook]\nservice = { namespace = 'a', name = 'b', port = 0 }",
                "[conversion.webhook]\nservice = { namespace = 'a', name = 'b', port = 65536 }",
                "[conversion.webhook]\nservice = { namespace = 'a', name = 'b', path = 'c' }",
                "[conversion.webhook]\nurl = 'https://a'\nreview-versions = []",
                "[conversion.webhook]\nurl = 'https://a'\nreview-versions = ['v2']",
                "[schemas.'a::B']",
                "[values.'a::B']\njson = '1'\nfile = 'a'",
                "[kinds.'a.b']",
                "[kinds.'a.b']\nlabels = {}",
                "[kinds.'a.b']\nshort-names = 'a'",
                "[kinds.'a.b']\nlabels = { a = 1 }",
                "[kinds.'a.b']\nstorage = ' '",
                "[kinds.'a.b']\nannotation = { a = 'b' }",
            ][..],
        ),
        (
            "stable.toml",
            &[
                "",
                "features = 'none'\nannotation = 'standard'\nalpha = 'omitted'\nbeta = 'as-written'",
                "features = ['A']\nsize-budget = 1_000",
                "crds = 'config/crd/standard'",
                "[descriptions]\npolicy = 'storage-version'\nmax-length = 10\nbudget = 0\n[descriptions.crds.'a.b']\npolicy = 'none'",
            ],
            &[
                "feature = 'none'",
                "features = 'some'",
                "features = 1",
                "features = [1]",
                "alpha = 'on'",
                "crds = ['a']",
                "size-budget = 0",
                "size-budget = '1'",
                "[descriptions]\npolicy = 'some'",
                "[descriptions]\nmax-length = 0",
                "[descriptions]\nbudget = -1",
                "[descriptions.crds.'a.b']\ncrds = {}",
                "descriptions = 'all'",
            ],
        ),
        (
            "features.toml",
            &[
                "",
                "[A]\nsummary = 'a'\n[B]\nsummary = 'b'\nowner = 'c'\nlink = 'd'\nsince = 'v0.1.0'",
                "[A]\nsummary = 'a'\npaths = ['Route', 'Route.a.b v1: spec.rules[].x', 'Route v1']",
            ],
            &[
                "A = 'a'",
                "[A]",
                "[A]\nsummary = ' '",
                "[unnamed]\nsummary = 'a'",
                "[A]\nsummary = 'a'\nsinse = 'v0.1.0'",
                "[A]\nsummary = 'a'\npaths = 'Route'",
                "[A]\nsummary = 'a'\npaths = ['spec.rules']",
                "[A]\nsummary = 'a'\npaths = ['Route:']",
                "[A]\nsummary = 'a'\npaths = ['Route v1 v2']",
            ],
        ),
        (
            "tombstones.toml",
            &[
                "",
                "[[kinds]]\ngroup = 'a'\nkind = 'B'\nremoved = 'v0.1.0'\nreason = 'r'",
                "[[versions]]\ngroup = 'a'\nkind = 'B'\nversion = 'v1'\nremoved = 'v0.1.0'\nreason = 'r'\n[[types]]\nname = 'C'\nremoved = 'v0.1.0'\nreason = 'r'",
                "[[fields]]\ngroup = 'a'\nkind = 'B'\npath = '.'\nname = 'c'\nremoved = 'v0.1.0'\nreason = 'r'",
            ],
            &[
                "[kinds]\ngroup = 'a'",
                "[[kind]]\ngroup = 'a'",
                "[[kinds]]\ngroup = 'a'\nkind = 'B'\nremoved = 'v0.1.0'",
                "[[fields]]\ngroup = 'a'\nkind = 'B'\nname = 'c'\nremoved = 'v0.1.0'\nreason = 'r'",
                "[[types]]\nname = ''\nremoved = 'v0.1.0'\nreason = 'r'",
            ],
        ),
    ] {
        for (texts, expected) in [(valid, true), (invalid, false)] {
            for text in texts {
                assert_eq!(
                    by_reader(file, text),
                    expected,
                    "the reader on {file}: {text}"
                );
                assert_eq!(
                    by_schema(file, text),
                    expected,
                    "the schema on {file}: {text}"
                );
            }
        }
    }
}

/// Every table reports an unknown key with the keys that it knows; the schema must have the same keys.
#[test]
fn the_schemas_name_every_key() {
    let webhook = "/properties/conversion/properties/webhook";
    for (file, table, at) in [
        ("bundle.toml", "", ""),
        ("bundle.toml", "[lints]", "/properties/lints"),
        ("bundle.toml", "[conversion]", "/properties/conversion"),
        (
            "bundle.toml",
            "[conversion.webhook]\nurl = 'https://a'",
            webhook,
        ),
        (
            "bundle.toml",
            "[conversion.webhook.service]\nnamespace = 'a'\nname = 'a'",
            &format!("{webhook}/properties/service"),
        ),
        ("stable.toml", "", ""),
        ("stable.toml", "[descriptions]", "/properties/descriptions"),
        (
            "features.toml",
            "[A]\nsummary = 's'",
            "/additionalProperties",
        ),
        ("tombstones.toml", "", ""),
        ("tombstones.toml", "[[kinds]]", "/properties/kinds/items"),
        (
            "tombstones.toml",
            "[[versions]]",
            "/properties/versions/items",
        ),
        ("tombstones.toml", "[[types]]", "/properties/types/items"),
        ("tombstones.toml", "[[fields]]", "/properties/fields/items"),
    ] {
        let text = format!("{table}\nzzzzzzzzzz = 1");
        let (_, found) = read_toml(&[("other.toml", ""), (file, &text)]);
        let known = found
            .iter()
            .find_map(|(_, finding)| finding.help.as_deref()?.strip_prefix("the keys are "));
        let known = known.unwrap_or_else(|| panic!("{file}: {text}"));
        let known: BTreeSet<&str> = known.split(", ").map(|key| key.trim_matches('`')).collect();
        let schema = schema(file);
        let properties = &schema.pointer(at).unwrap()["properties"];
        let named: BTreeSet<&str> = properties
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        assert_eq!(named, known, "{file} at `{at}`");
    }
}

#[test]
fn lints_are_described_as_explained() {
    let schema = schema("bundle.toml");
    for rule in Rule::ALL.iter().filter(|rule| rule.is_lint()) {
        let record = rule.record();
        let described = &schema["properties"]["lints"]["properties"][record.id];
        assert_eq!(
            described["description"],
            json!(record.summary),
            "{}",
            record.id
        );
    }
}

#[test]
fn editors_know_every_convention() {
    let known = &schema("bundle.toml")["properties"]["conventions"]["enum"];
    let known: BTreeSet<&str> = known
        .as_array()
        .unwrap()
        .iter()
        .map(|name| name.as_str().unwrap())
        .collect();
    let all = Convention::ALL.map(|convention| convention.choices().name);
    assert_eq!(known, BTreeSet::from(all));
}
