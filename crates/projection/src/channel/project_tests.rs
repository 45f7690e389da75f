//! Tests of whole projections.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

use super::builders::*;
use super::config::{Channel, Config, Serving};
use super::leaks::leaks;
use super::{Kind, Run, check, project, project_kind};
use crate::render::Convention;
use crd_channels_schema::draft::{
    Content, Deprecation, Draft, Facets, Field, KindFacets, Struct, Tagging, Variant,
};
use crd_channels_schema::{Column, Crd, Scale};
use serde_json::json;

fn in_channel(kind: &Kind, channel: &Channel) -> Option<Crd> {
    let (crd, found) = run(|run, sink| project_kind(kind, channel, run, sink));
    assert_eq!(found, Vec::<String>::new());
    crd
}

fn versions(crd: &Crd) -> Vec<(&str, bool)> {
    crd.versions
        .iter()
        .map(|version| (&*version.name, version.served))
        .collect()
}

#[test]
fn versions_and_kinds_come_and_go() {
    let with = |version: &str, change: fn(&mut Draft)| {
        let mut draft = draft("example.com", version, "Gateway");
        change(&mut draft);
        draft
    };
    let all = kind(vec![
        with("v1", |_| {}),
        with("v2", |draft| draft.gate = Some(gate("A"))),
        with("v1beta1", |draft| draft.served = false),
        with("v1alpha1", |_| {}),
    ]);
    let mut stable = channel("stable", &[]);
    let crd = in_channel(&all, &stable).unwrap();
    assert_eq!(
        versions(&crd),
        [("v1", true), ("v1beta1", false), ("v1alpha1", true)]
    );
    stable.alpha = Serving::Omitted;
    stable.beta = Serving::Served;
    let crd = in_channel(&all, &stable).unwrap();
    assert_eq!(versions(&crd), [("v1", true), ("v1beta1", true)]);
    stable.alpha = Serving::Unserved;
    let crd = in_channel(&all, &stable).unwrap();
    assert_eq!(versions(&crd)[2], ("v1alpha1", false));
    let crd = in_channel(&all, &channel("x", &["A"])).unwrap();
    assert_eq!(versions(&crd)[0], ("v2", true));
    let gone = kind(vec![with("v2", |draft| draft.gate = Some(gate("A")))]);
    assert!(in_channel(&gone, &stable).is_none());
    assert!(in_channel(&gone, &channel("x", &["A"])).is_some());
}

#[test]
fn what_a_kind_says_may_differ_by_channel() {
    let column = |name: &str| Column {
        name: name.into(),
        ty: "string".into(),
        json_path: ".metadata.name".into(),
        description: None,
        format: None,
        priority: None,
    };
    let deprecated = |text: &str| {
        Some(Deprecation {
            warning: Some(text.into()),
            span: somewhere(),
        })
    };
    let facets = |name: &str| KindFacets {
        short_names: vec![spanned(name)],
        categories: vec![spanned(name)],
        columns: vec![spanned(column(name))],
        selectable_fields: vec![spanned(name)],
        deprecated: deprecated(name),
        ..KindFacets::default()
    };
    let mut draft = draft("example.com", "v1", "Gateway");
    draft.facets.always = facets("one");
    draft.facets.when = vec![(gate("A"), facets("two")), (not("A"), facets("three"))];
    let kind = kind(vec![draft]);
    for (features, second) in [(&["A"][..], "two"), (&[], "three")] {
        let crd = in_channel(&kind, &channel("x", features)).unwrap();
        let both = ["one", second];
        let texts = |all: &[crd_channels_diagnostics::Text]| {
            all.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        let version = &crd.versions[0];
        assert_eq!(texts(&crd.names.short_names), both);
        assert_eq!(texts(&crd.names.categories), both);
        assert_eq!(texts(&version.selectable_fields), both);
        let columns: Vec<_> = version.columns.iter().map(|column| &*column.name).collect();
        assert_eq!(columns, both);
        assert!(version.deprecated);
        assert_eq!(version.deprecation_warning.as_deref(), Some(second));
    }
}

#[test]
fn every_crd_says_where_it_comes_from() {
    let mut draft = draft("example.com", "v1", "Gateway");
    draft.annotations.insert("own".into(), "kept".into());
    let mut channel = channel("stable", &[]);
    channel.annotation.value = "standard".into();
    let crd = in_channel(&kind(vec![draft]), &channel).unwrap();
    let annotations: Vec<_> = crd.annotations.iter().map(|(k, v)| (&**k, &**v)).collect();
    assert_eq!(
        annotations,
        [
            ("example.com/bundle-version", "v0.1.0"),
            ("example.com/channel", "standard"),
            ("own", "kept"),
        ]
    );
}

#[test]
fn channels_share_what_is_not_gated() {
    let plain = object("Plain", vec![text("a")]);
    let plain = std::sync::Arc::new(crd_channels_schema::draft::Type {
        gated: false,
        ..crd_channels_schema::draft::Type::clone(&plain)
    });
    let kind = kind(vec![gateway(vec![
        field("many", list(plain)),
        text("x").gated(gate("A")),
    ])]);
    with_run(|run| {
        let items = |name: &str, features: &[&str]| {
            let mut sink = crd_channels_diagnostics::Sink::default();
            let crd = project_kind(&kind, &channel(name, features), run, &mut sink).unwrap();
            let root = crd.versions[0].schema.clone().unwrap();
            root.properties["spec"].properties["many"]
                .items
                .clone()
                .unwrap()
        };
        let (stable, experimental) = (items("stable", &[]), items("experimental", &["A"]));
        assert!(std::sync::Arc::ptr_eq(&stable, &experimental));
    });
}

/// A kind with a gate on every item that can have one.
fn everything(convention: Convention) -> Kind {
    let secret = |facets: &mut Facets| facets.doc = Some("Of the secret kind.".into());
    let more = Facets {
        doc: Some("More of it is secret.".into()),
        rules: vec![rule("self.size() < 7")],
        ..Facets::default()
    };
    let carrying = |name: &str, inner: &str| Variant {
        content: Content::Struct(Struct {
            fields: vec![text(inner)],
            deny_unknown: false,
        }),
        ..variant(name)
    };
    let hidden = || gate("A");
    let external = choice(
        "External",
        Tagging::External,
        vec![
            carrying("open", "name"),
            carrying("hiddenWay", "hiddenInner").gated(hidden()),
        ],
    );
    let tagged = choice(
        "Tagged",
        Tagging::Internal { tag: "type".into() },
        vec![
            carrying("Open", "name"),
            carrying("HiddenTag", "hiddenBeside").gated(hidden()),
        ],
    );
    let colours = values(
        "Colour",
        vec![
            variant("Red"),
            variant("HiddenGreen").gated(hidden()).with(secret),
        ],
    );
    let inner = object(
        "Inner",
        vec![
            text("name"),
            text("hiddenField")
                .gated(hidden())
                .with(secret)
                .rule("self != 'hidden'"),
        ],
    );
    let flat = Field {
        flatten: true,
        ..field("flat", option(object("Flat", vec![text("hiddenFlat")]))).gated(hidden())
    };
    let default = json!([{"name": "a", "hiddenField": "b"}]);
    let mut fields = vec![
        text("name").when(hidden(), more),
        field("external", option(external)),
        field("colour", option(colours)),
        defaulted(field("list", list(inner.clone())), default),
        field("map", map(inner)),
        flat,
    ];
    // kube cannot express tags.
    if convention == Convention::Kubernetes {
        fields.push(field("tagged", option(tagged)));
    }
    let status = object("Status", vec![text("hiddenCount")]);
    let mut draft = Draft {
        status: true,
        status_gate: Some(hidden()),
        root: Some(root(vec![
            field("spec", object("GatewaySpec", fields)),
            field("status", option(status)).gated(hidden()),
        ])),
        ..gateway(Vec::new())
    };
    let column = Column {
        name: "Hidden".into(),
        ty: "string".into(),
        json_path: ".spec.hiddenFlat".into(),
        description: None,
        format: None,
        priority: None,
    };
    draft.facets.always.columns.push(spanned(column.clone()));
    let facets = KindFacets {
        short_names: vec![spanned("hid")],
        rules: vec![rule("has(self.spec.hiddenFlat)")],
        selectable_fields: vec![spanned(".spec.hiddenFlat")],
        scale: Some(spanned(Scale {
            spec_replicas_path: ".spec.hiddenFlat".into(),
            status_replicas_path: ".status.hiddenCount".into(),
            label_selector_path: None,
        })),
        ..KindFacets::default()
    };
    draft.facets.when.push((hidden(), facets));
    let mut newer = Draft {
        version: "v2alpha1".into(),
        gate: Some(hidden()),
        storage: false,
        ..draft.clone()
    };
    newer.span = somewhere();
    kind(vec![draft, newer])
}

#[test]
fn nothing_leaks_and_a_leak_would_show() {
    for convention in [Convention::Kubernetes, Convention::Kube] {
        nothing_leaks(convention);
    }
}

fn nothing_leaks(convention: Convention) {
    let mut config = Config::default();
    config.bundle.convention = convention;
    let in_channel = |kind: &Kind, channel: &Channel| {
        let project = |run: Run<'_>| findings(|sink| project_kind(kind, channel, run, sink));
        let (crd, found) = with_config(&config, project);
        assert_eq!(found, Vec::<String>::new());
        crd
    };
    let kind = everything(convention);
    let stable = channel("stable", &[]);
    let experimental = channel("experimental", &["A"]);
    let crd = in_channel(&kind, &stable).unwrap();
    assert_eq!(leaks(&kind, &crd, &stable.features), Vec::<String>::new());
    assert!(!format!("{crd:?}").to_lowercase().contains("hidden"));
    let whole = in_channel(&kind, &experimental).unwrap();
    assert_eq!(
        leaks(&kind, &whole, &experimental.features),
        Vec::<String>::new()
    );
    let leaking = leaks(&kind, &whole, &stable.features);
    for part in [
        "Version(\"v2alpha1\")",
        "Field(\"v1.spec.list[].hiddenField\")",
        "Field(\"v1.spec.map{}.hiddenField\")",
        "Field(\"v1.spec.hiddenFlat\")",
        "Field(\"v1.spec.external.hiddenWay\")",
        "Field(\"v1.spec.tagged.hiddenBeside\")",
        "Value(\"v1.spec.colour\", \"HiddenGreen\")",
        "Value(\"v1.spec.tagged.type\", \"HiddenTag\")",
        "Rule(\"v1\", \"has(self.spec.hiddenFlat)\")",
        "Rule(\"v1.spec.name\", \"self.size() < 7\")",
        "Doc(\"v1.spec.name\", \"More of it is secret.\")",
        "Doc(\"v1.spec.list[].hiddenField\", \"Of the secret kind.\")",
        "Selectable(\"v1\", \".spec.hiddenFlat\")",
        "Field(\"v1.status\")",
        "Field(\"v1.status.hiddenCount\")",
        "Status(\"v1\")",
        "Scale(\"v1\", \".spec.hiddenFlat\")",
        "Name(\"hid\")",
        "the name `hiddenField`",
    ] {
        if part.contains("tagged") && convention == Convention::Kube {
            continue;
        }
        assert!(
            leaking.iter().any(|leak| leak == part),
            "{part} is not in {leaking:#?}"
        );
    }
}

#[test]
fn a_channel_is_projected_in_the_order_of_its_kinds() {
    let kinds: Vec<_> = ["Class", "Gateway", "Policy", "Route"]
        .map(|name| kind(vec![draft("example.com", "v1", name)]))
        .into();
    let (crds, found) = run(|run, sink| project(&kinds, &channel("stable", &[]), run, sink));
    let names: Vec<_> = crds.iter().map(|crd| &*crd.names.kind).collect();
    assert_eq!(names, ["Class", "Gateway", "Policy", "Route"]);
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn the_checks_run_together() {
    let mut draft = gateway(vec![text("a").gated(gate("B")).rule("self.")]);
    draft.storage = false;
    let config = Config {
        channels: vec![channel("stable", &[])],
        ..Config::default()
    };
    let ((), found) = findings(|sink| check(&[kind(vec![draft])], &config, sink));
    let codes: Vec<_> = found.iter().map(|f| f.split(':').next().unwrap()).collect();
    assert_eq!(
        codes,
        ["no-storage-version", "cel-syntax", "unknown-feature"]
    );
}
