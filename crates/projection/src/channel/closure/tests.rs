//! Removed parts and references to them: for each rule a case that triggers it and a near miss.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

use super::{Closure, View};
use crate::channel::builders::*;
use crate::channel::project_kind;
use crate::render::{Convention, Renderer, Selection};
use crd_channels_schema::draft::{
    Content, Draft, Facets, Field, KindFacets, Shape, Struct, Tagging, Type, Variant,
};
use crd_channels_schema::{Column, Crd, Junctors, ListType, Rule, Scale, Schema};
use serde_json::{Value, json};
use std::sync::Arc;

/// Projects a version for the channel `stable`, which has no features.
fn stable(draft: Draft) -> (Crd, Vec<String>) {
    in_channel(draft, &[])
}

fn in_channel(draft: Draft, features: &[&str]) -> (Crd, Vec<String>) {
    let kind = kind(vec![draft]);
    let channel = channel("stable", features);
    let (crd, found) = run(|run, sink| project_kind(&kind, &channel, run, sink));
    (crd.unwrap(), found)
}

/// Asserts the errors about a spec with these fields in `stable`, and that there are none with all features.
pub(super) fn case(fields: Vec<Field>, expected: &[&str]) {
    draft_case(gateway(fields), expected);
}

fn draft_case(draft: Draft, expected: &[&str]) {
    let (_, found) = stable(draft.clone());
    let whole: Vec<_> = expected
        .iter()
        .map(|part| format!("{part}, which channel `stable` does not have"))
        .collect();
    assert_eq!(found, whole);
    let (_, found) = in_channel(draft, &["A"]);
    assert_eq!(found, Vec::<String>::new());
}

/// Returns the node at a path such as `spec.a[].b`.
fn node(crd: &Crd, path: &str) -> Option<Arc<Schema>> {
    let mut node = crd.versions[0].schema.clone()?;
    for step in path.split('.') {
        let (name, items) = match step.strip_suffix("[]") {
            Some(name) => (name, true),
            None => (step, false),
        };
        node = node.properties.get(name)?.clone();
        if items {
            node = node.items.clone()?;
        }
    }
    Some(node)
}

pub(super) fn gated(name: &str) -> Field {
    text(name).gated(gate("A"))
}

pub(super) fn colours() -> Arc<Type> {
    values(
        "Colour",
        vec![variant("Red"), variant("Green").gated(gate("A"))],
    )
}

#[test]
fn fields_and_what_requires_them_are_gone() {
    let required = field("x", string()).gated(gate("A"));
    let draft = gateway(vec![text("a"), required]);
    let (crd, found) = stable(draft.clone());
    assert_eq!(found, Vec::<String>::new());
    let spec = node(&crd, "spec").unwrap();
    assert_eq!(
        spec.properties.keys().map(|k| &**k).collect::<Vec<_>>(),
        ["a"]
    );
    assert!(spec.required.is_empty());
    let (crd, _) = in_channel(draft, &["A"]);
    let spec = node(&crd, "spec").unwrap();
    assert_eq!(spec.properties.len(), 2);
    assert_eq!(spec.required, ["x".into()]);
}

#[test]
fn a_keyword_that_requires_a_removed_field_is_closed_over() {
    let ty = object("T", vec![text("a"), gated("x")])
        .with(|facets| facets.extend.push(("required".into(), json!(["a", "x"]))));
    let (crd, found) = stable(gateway(vec![field("t", ty)]));
    assert_eq!(found, Vec::<String>::new());
    assert_eq!(node(&crd, "spec.t").unwrap().required, ["a".into()]);
}

#[test]
fn defaults_lose_the_keys_of_removed_fields() {
    let inner = || object("Inner", vec![text("b"), gated("x")]);
    let outer = object(
        "Outer",
        vec![
            field("one", option(inner())),
            field("many", list(inner())),
            field("named", map(inner())),
            gated("x"),
        ],
    );
    let whole = json!({
        "one": {"b": "1", "x": "2"},
        "many": [{"x": "3"}, {"b": "4", "x": "5"}],
        "named": {"x": {"b": "6", "x": "7"}},
        "x": "8",
    });
    let draft = gateway(vec![defaulted(field("outer", outer), whole.clone())]);
    let default = |crd: &Crd| node(crd, "spec.outer").unwrap().default.clone().map(|d| *d);
    let (crd, found) = stable(draft.clone());
    assert_eq!(found, Vec::<String>::new());
    let closed = json!({
        "one": {"b": "1"},
        "many": [{}, {"b": "4"}],
        "named": {"x": {"b": "6"}},
    });
    assert_eq!(default(&crd), Some(closed));
    let (crd, _) = in_channel(draft, &["A"]);
    assert_eq!(default(&crd), Some(whole));
}

#[test]
fn defaults_name_values_that_every_channel_has() {
    let expected = "gated-value: the default of `spec.c` of `Gateway` v1 has the value `Green`";
    let of = |value: Value| vec![defaulted(field("c", colours()), value)];
    case(of(json!("Green")), &[expected]);
    case(of(json!("Red")), &[]);
    let inside = |value: Value| {
        let ty = object("T", vec![field("c", colours())]);
        vec![defaulted(field("t", list(ty)), json!([{"c": value}]))]
    };
    case(
        inside(json!("Green")),
        &["gated-value: the default of `spec.t` of `Gateway` v1 has the value `Green`"],
    );
    case(inside(json!("Red")), &[]);
    let carrying = |name: &str| Variant {
        content: Content::Struct(Struct {
            fields: vec![text("a")],
            deny_unknown: false,
        }),
        ..variant(name)
    };
    let matched = |value: Value| {
        let variants = vec![carrying("path"), carrying("query").gated(gate("A"))];
        let ty = choice("Match", Tagging::External, variants);
        vec![defaulted(field("m", ty), value)]
    };
    case(
        matched(json!({"query": {"a": "x"}})),
        &["gated-value: the default of `spec.m` of `Gateway` v1 has the value `query`"],
    );
    case(matched(json!({"path": {"a": "x"}})), &[]);
}

#[test]
fn examples_are_closed_over_like_defaults() {
    let ty = || {
        object(
            "T",
            vec![text("a"), gated("x"), field("c", option(colours()))],
        )
    };
    let of = |example: Value| field("t", ty()).with(|facets| facets.example = Some(example));
    case(
        vec![of(json!({"c": "Green"}))],
        &["gated-value: the example of `spec.t` of `Gateway` v1 has the value `Green`"],
    );
    let (crd, found) = stable(gateway(vec![of(json!({"a": "1", "x": "2", "c": "Red"}))]));
    assert_eq!(found, Vec::<String>::new());
    let example = node(&crd, "spec.t").unwrap().notes.clone().unwrap().example;
    assert_eq!(example, Some(json!({"a": "1", "c": "Red"})));
}

#[test]
fn columns_and_selectable_fields_go_with_the_field() {
    let mut draft = gateway(vec![text("a"), gated("x"), field("c", option(colours()))]);
    let column = |path: &str| Column {
        name: path.into(),
        ty: "string".into(),
        json_path: path.into(),
        description: None,
        format: None,
        priority: None,
    };
    for path in [
        ".spec.a",
        ".spec.x",
        ".spec.nowhere",
        ".metadata.creationTimestamp",
    ] {
        draft.facets.always.columns.push(spanned(column(path)));
        draft.facets.always.selectable_fields.push(spanned(path));
    }
    let paths = |crd: &Crd| {
        let version = &crd.versions[0];
        let columns = version
            .columns
            .iter()
            .map(|column| column.json_path.to_string());
        let selectable = version.selectable_fields.iter().map(ToString::to_string);
        assert!(columns.clone().eq(selectable));
        columns.collect::<Vec<_>>()
    };
    let (crd, found) = stable(draft.clone());
    assert_eq!(found, Vec::<String>::new());
    assert_eq!(
        paths(&crd),
        [".spec.a", ".spec.nowhere", ".metadata.creationTimestamp"]
    );
    assert_eq!(paths(&in_channel(draft, &["A"]).0).len(), 4);
}

#[test]
fn scale_paths_are_in_every_channel() {
    let of = |spec: &str, status: &str| {
        let mut draft = gateway(vec![text("replicas"), gated("x")]);
        let status_type = object("Status", vec![text("replicas"), gated("x")]);
        let spec_type = draft.root.as_ref().unwrap();
        let Shape::Struct(body) = &spec_type.shape else {
            panic!()
        };
        let mut fields = body.fields.clone();
        fields.push(field("status", option(status_type)));
        draft.root = Some(root(fields));
        let scale = Scale {
            spec_replicas_path: spec.into(),
            status_replicas_path: status.into(),
            label_selector_path: Some(".status.nowhere".into()),
        };
        draft.facets.always.scale = Some(spanned(scale));
        draft
    };
    draft_case(of(".spec.replicas", ".status.replicas"), &[]);
    draft_case(
        of(".spec.x", ".status.x"),
        &[
            "gated-scale-path: the `spec_replicas_path` `.spec.x` of `Gateway` v1 runs through `spec.x`",
            "gated-scale-path: the `status_replicas_path` `.status.x` of `Gateway` v1 runs through `status.x`",
        ],
    );
}

#[test]
fn list_maps_are_keyed_by_what_every_channel_has() {
    let of = |key: &str| {
        let items = object(
            "T",
            vec![
                field("name", string()),
                field("x", string()).gated(gate("A")),
            ],
        );
        let keyed = |facets: &mut Facets| {
            facets.list_type = Some(ListType::Map);
            facets.list_map_keys = vec![key.into()];
        };
        vec![field("items", list(items)).with(keyed)]
    };
    case(of("name"), &[]);
    case(
        of("x"),
        &["gated-map-key: the list-map `spec.items` of `Gateway` v1 is keyed by `x`"],
    );
}

#[test]
fn rules_read_what_every_channel_has() {
    let of = |text_of_rule: &str| {
        let ty = object(
            "T",
            vec![text("a"), gated("x"), field("c", option(colours()))],
        );
        vec![field("t", list(ty.rule(text_of_rule)))]
    };
    case(of("has(self.a)"), &[]);
    case(of("self.a == 'x' && self.a != 'self.x'"), &[]);
    case(
        of("has(self.x)"),
        &["gated-read: the rule on `spec.t[]` of `Gateway` v1 reads `spec.t[].x`"],
    );
    case(
        of("self.c == 'Green'"),
        &["gated-value: the rule on `spec.t[]` of `Gateway` v1 compares `spec.t[].c` with `Green`"],
    );
    case(of("self.c == 'Red' || self.a == 'Green'"), &[]);
    case(of("self. ("), &[]);
    let message = Rule {
        message_expression: Some("self.x".into()),
        ..rule("true")
    };
    let with_message = |rule: Rule| {
        let ty = object("T", vec![text("a"), gated("x")]);
        vec![field("t", ty.with(|facets| facets.rules.push(rule)))]
    };
    case(
        with_message(message),
        &["gated-read: the `messageExpression` on `spec.t` of `Gateway` v1 reads `spec.t.x`"],
    );
    let pointing = |path: &str| Rule {
        field_path: Some(path.into()),
        ..rule("true")
    };
    case(with_message(pointing(".a")), &[]);
    case(
        with_message(pointing(".x")),
        &[
            "gated-field-path: the `fieldPath` of a rule on `spec.t` of `Gateway` v1 points at `spec.t.x`",
        ],
    );
}

#[test]
fn rules_under_the_same_gate_may_read() {
    let rules = |gate| {
        let facets = Facets {
            rules: vec![rule("has(self.x)")],
            ..Facets::default()
        };
        let ty = object("T", vec![text("a"), gated("x")]).when(gate, facets);
        vec![field("t", ty)]
    };
    case(rules(gate("A")), &[]);
    case(
        rules(not("A")),
        &["gated-read: the rule on `spec.t` of `Gateway` v1 reads `spec.t.x`"],
    );
}

#[test]
fn a_shared_type_is_told_about_once() {
    let ty = object("T", vec![gated("x")]).rule("has(self.x)");
    case(
        vec![field("one", option(ty.clone())), field("two", list(ty))],
        &["gated-read: the rule on `spec.one` of `Gateway` v1 reads `spec.one.x`"],
    );
}

#[test]
fn a_rule_of_the_root_reads_by_whole_paths() {
    let mut draft = gateway(vec![gated("x")]);
    draft.facets.always.rules.push(rule("!has(self.spec.x)"));
    draft_case(
        draft,
        &["gated-read: the rule on the root of `Gateway` v1 reads `spec.x`"],
    );
}

#[test]
fn alternatives_name_what_every_channel_has() {
    let of = |keyword: &str, value: Value| {
        let ty = object("T", vec![text("a"), gated("x")]);
        vec![field(
            "t",
            ty.with(|facets| facets.extend.push((keyword.into(), value))),
        )]
    };
    let named = "gated-read: an alternative of `spec.t` of `Gateway` v1 names the field `x`";
    case(of("anyOf", json!([{"required": ["a"]}])), &[]);
    case(
        of("anyOf", json!([{"required": ["a"]}, {"required": ["x"]}])),
        &[named],
    );
    case(of("not", json!({"allOf": [{"required": ["x"]}]})), &[named]);
}

#[test]
fn alternatives_are_followed_into_properties() {
    let draft = gateway(vec![text("a"), field("c", option(colours()))]);
    let channel = channel("stable", &[]);
    let closed = |name: &str| {
        let (_, found) = run(|run, sink| {
            let off = Selection::Features(&channel.features);
            let mut render = |selection| {
                let renderer = Renderer::new(Convention::Kubernetes, selection, run.cache);
                renderer.root(&draft, sink).unwrap()
            };
            let (full, mut projected) = (render(Selection::Everything), render(off));
            let value = Schema {
                enum_values: vec![name.into()],
                ..Schema::default()
            };
            let branch = Schema {
                properties: [("c".into(), Arc::new(value))].into(),
                ..Schema::default()
            };
            let spec = Arc::make_mut(&mut projected)
                .properties
                .get_mut("spec")
                .unwrap();
            Arc::make_mut(spec).junctors = Some(Box::new(Junctors {
                not: Some(Box::new(branch)),
                ..Junctors::default()
            }));
            let left = projected.clone();
            let view = View {
                full: &full,
                left: &left,
            };
            Closure::new(&draft, &channel, sink).close(
                &[view],
                &mut projected,
                &KindFacets::default(),
            );
        });
        found
    };
    assert_eq!(closed("Red"), Vec::<String>::new());
    assert_eq!(
        closed("Green"),
        [
            "gated-value: an alternative of `spec.c` of `Gateway` v1 has the value `Green`, which channel `stable` does not have"
        ]
    );
}

#[test]
fn an_enum_keeps_a_value() {
    let only = values("E", vec![variant("V").gated(gate("A"))]);
    let (_, found) = stable(gateway(vec![field("e", option(only.clone()))]));
    assert_eq!(
        found,
        ["empty-enum: this enum has no variants left in channel `stable`"]
    );
    case(vec![field("e", option(only)).gated(gate("A"))], &[]);
    case(vec![field("e", option(colours()))], &[]);
}

#[test]
fn published_text_names_what_the_channel_has() {
    let of = |doc: &str| {
        let inner = object(
            "T",
            vec![text("a"), gated("x"), field("c", option(colours()))],
        );
        vec![field("t", inner), text("other").doc(doc)]
    };
    let names = |name: &str| {
        format!("gated-name: the description of `spec.other` of `Gateway` v1 names `{name}`")
    };
    case(of("See `x`."), &[&names("x")]);
    case(
        of("See `spec.t.x` and `.t.x`."),
        &[&names("spec.t.x"), &names(".t.x")],
    );
    case(of("See x, `a`, `t.a` and `u.x`."), &[]);
    case(of("Not `Green`."), &[&names("Green")]);
    case(of("Not `Red`."), &[]);
    // A name that also exists elsewhere may refer to that.
    let mut fields = of("See `x`.");
    fields.push(text("x"));
    case(fields, &[]);
    let message = Rule {
        message: Some("`x` must be set".into()),
        ..rule("true")
    };
    let mut fields = of("");
    fields.push(text("other2").with(|facets| facets.rules.push(message)));
    case(
        fields,
        &["gated-name: the message of a rule on `spec.other2` of `Gateway` v1 names `x`"],
    );
    let inside = vec![
        text("x").gated(gate("A")),
        text("a").when(
            gate("A"),
            Facets {
                doc: Some("See `x`.".into()),
                ..Facets::default()
            },
        ),
    ];
    case(inside, &[]);
}

#[test]
fn findings_point_at_the_rule_and_label_the_gate() {
    let gate = gate("A");
    let rule = rule("has(self.x) && self.c == 'Green'");
    let colours = values(
        "C",
        vec![variant("Red"), variant("Green").gated(gate.clone())],
    );
    let ty = object(
        "T",
        vec![text("x").gated(gate.clone()), field("c", option(colours))],
    );
    let ty = ty.with(|facets| facets.rules.push(rule.clone()));
    let kind = kind(vec![gateway(vec![field("t", ty)])]);
    let mut sink = crd_channels_diagnostics::Sink::default();
    with_run(|run| drop(project_kind(&kind, &channel("stable", &[]), run, &mut sink)));
    let found = sink.into_diagnostics();
    assert_eq!(found.len(), 2);
    for finding in found {
        assert_eq!(finding.span, rule.origin.0);
        assert_eq!(finding.labels.len(), 1);
        assert_eq!(finding.labels[0].span, gate.span);
        assert_eq!(
            finding.labels[0].text,
            "it is only available with the feature `A`"
        );
        assert_eq!(
            finding.help.as_deref(),
            Some(
                "write `#[experimental(feature = \"A\", x_kube(validation = Rule::new(\"has(self.x) && self.c == 'Green'\")))]`; kube does not know gates: `crd()` returns the field, but not a gated rule"
            )
        );
    }
}
