//! Tests of the root, of gates, and of what renderers share.

use super::super::{Cache, Convention, Renderer, Selection};
use super::json::to_json;
use super::*;
use ::kube::CustomResourceExt;
use crd_channels_diagnostics::{Spanned, Text};
use crd_channels_schema::Scope;
use crd_channels_schema::draft::{Draft, KindFacets};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

fn spanned(name: &str) -> Spanned<Text> {
    Spanned {
        value: name.into(),
        span: span_at(0),
    }
}

/// A draft with only a root.
pub(super) fn draft(root: Arc<Type>) -> Draft {
    Draft {
        span: span_at(0),
        spec_name: "DemoSpec".into(),
        module: "demo".into(),
        root_name: "Demo".into(),
        group: "example.com".into(),
        version: "v1".into(),
        kind: "Demo".into(),
        plural: "demoes".into(),
        singular: "demo".into(),
        list_kind: None,
        spans: Default::default(),
        scope: Scope::Namespaced,
        served: true,
        storage: true,
        gate: None,
        annotations: Default::default(),
        labels: Default::default(),
        status: true,
        status_gate: None,
        conversion: None,
        facets: Conditional::default(),
        deprecated_in: None,
        removed_in: None,
        replaced_by: None,
        written_object: false,
        more_doc: None,
        root: Some(root),
    }
}

fn root_of(crd: &CustomResourceDefinition) -> Value {
    let schema = crd.spec.versions[0].schema.as_ref().unwrap();
    serde_json::to_value(schema.open_api_v3_schema.as_ref().unwrap()).unwrap()
}

#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug)]
struct DemoStatus {
    ready: bool,
}

#[test]
fn the_root_is_the_one_that_kube_derives() {
    #[derive(::kube::CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
    #[kube(group = "example.com", version = "v1", kind = "Demo", namespaced)]
    #[kube(status = "DemoStatus", validation = "self.spec.size > 0")]
    struct DemoSpec {
        size: i32,
    }
    let status = structure([field("ready", scalar(Scalar::Bool))]);
    let root = structure([
        field("spec", structure([field("size", int(32, true))])),
        field("status", option(status)),
    ]);
    let mut draft = draft(root);
    draft.facets.always.rules.push(crd_channels_schema::Rule {
        rule: "self.spec.size > 0".into(),
        ..Default::default()
    });
    let cache = Cache::default();
    let renderer = Renderer::new(Convention::Kube, Selection::Everything, &cache);
    let mut sink = Sink::default();
    let ours = to_json(&renderer.root(&draft, &mut sink).unwrap());
    assert_eq!(sink.diagnostics(), []);
    assert_eq!(ours, root_of(&Demo::crd()));

    draft.facets.always.doc = Some("Told".into());
    let ours = to_json(&renderer.root(&draft, &mut sink).unwrap());
    assert_eq!(ours["description"], "Told");

    draft.root = None;
    assert!(renderer.root(&draft, &mut sink).is_none());
}

/// A struct with a gated field, a gated variant and a gated length.
fn gated() -> Arc<Type> {
    structure([
        Field {
            gate: Some(gate("new", true)),
            ..field("added", option(string()))
        },
        Field {
            gate: Some(gate("new", false)),
            ..field("dropped", option(string()))
        },
        Field {
            facets: Conditional {
                always: Facets {
                    max_length: Some(2),
                    doc: Some("Always.".into()),
                    ..Facets::default()
                },
                when: vec![(
                    gate("new", true),
                    Facets {
                        max_length: Some(9),
                        doc: Some("Also.".into()),
                        ..Facets::default()
                    },
                )],
            },
            ..field("text", string())
        },
        field(
            "choice",
            choice(
                Tagging::External,
                [
                    unit("A"),
                    Variant {
                        gate: Some(gate("new", true)),
                        ..unit("B")
                    },
                ],
            ),
        ),
    ])
}

#[test]
fn a_selection_drops_what_its_gates_drop() {
    let expected = |new: bool, everything: bool| {
        let mut properties = json!({
            "text": {"type": "string", "maxLength": 2, "description": "Always."},
            "choice": {"type": "string", "enum": ["A"]},
        });
        if new {
            properties["text"] =
                json!({"type": "string", "maxLength": 9, "description": "Always.\nAlso."});
            properties["choice"]["enum"] = json!(["A", "B"]);
            properties["added"] = json!({"type": "string"});
        }
        if !new || everything {
            properties["dropped"] = json!({"type": "string"});
        }
        json!({"type": "object", "required": ["choice", "text"], "properties": properties})
    };
    let ty = gated();
    let (none, all) = (features(&[]), features(&["new", "other"]));
    // One cache for all: selections must not share finished schemas.
    let cache = Cache::default();
    let mut sink = Sink::default();
    for (selection, expected) in [
        (Selection::Everything, expected(true, true)),
        (Selection::Features(&none), expected(false, false)),
        (Selection::Features(&all), expected(true, false)),
        (Selection::Features(&none), expected(false, false)),
    ] {
        let renderer = Renderer::new(Convention::Kubernetes, selection, &cache);
        let schema = renderer.schema(&ty, &mut Context::new(&mut sink, None));
        assert_eq!(to_json(&schema), expected, "{selection:?}");
    }
    assert_eq!(sink.diagnostics(), []);
}

#[test]
fn kinds_facets_are_laid_over() {
    let conditional = Conditional {
        always: KindFacets {
            short_names: vec![spanned("a")],
            doc: Some("one".into()),
            ..KindFacets::default()
        },
        when: vec![(
            gate("new", true),
            KindFacets {
                short_names: vec![spanned("b")],
                doc: Some("two".into()),
                ..KindFacets::default()
            },
        )],
    };
    let none = features(&[]);
    let stable = Selection::Features(&none).resolve(&conditional);
    assert_eq!(*stable, conditional.always);
    let all = Selection::Everything.resolve(&conditional);
    let names: Vec<_> = all.short_names.iter().map(|name| &*name.value).collect();
    assert_eq!(names, ["a", "b"]);
    assert_eq!(all.doc.as_deref(), Some("two"));
}

#[test]
fn types_without_gates_are_shared_and_their_findings_come_every_time() {
    let broken = Arc::new(Type {
        gated: false,
        ..Type::clone(&structure([field("any", made("()", Shape::Unit))]))
    });
    let cache = Cache::default();
    let set = features(&["x"]);
    let schemas = [Selection::Everything, Selection::Features(&set)].map(|selection| {
        let renderer = Renderer::new(Convention::Kubernetes, selection, &cache);
        let mut sink = Sink::default();
        let schema = renderer.schema(&broken, &mut Context::new(&mut sink, None));
        assert_eq!(sink.diagnostics().len(), 1);
        schema
    });
    assert!(Arc::ptr_eq(&schemas[0], &schemas[1]));
}

#[test]
fn threads_share_a_cache() {
    let inner = gated();
    let ty = structure([field("a", list(inner.clone())), field("b", inner)]);
    let cache = Cache::default();
    let render = || {
        let renderer = Renderer::new(Convention::Kube, Selection::Everything, &cache);
        let mut sink = Sink::default();
        let schema = renderer.schema(&ty, &mut Context::new(&mut sink, None));
        assert_eq!(sink.diagnostics(), []);
        schema
    };
    let schemas = std::thread::scope(|scope| {
        [(); 4]
            .map(|()| scope.spawn(render))
            .map(|thread| thread.join().unwrap())
    });
    assert!(
        schemas
            .iter()
            .all(|schema| Arc::ptr_eq(schema, &schemas[0]))
    );
}

#[test]
fn an_enum_without_variants_is_reported() {
    let ty = choice(
        Tagging::External,
        [Variant {
            gate: Some(gate("new", true)),
            ..unit("A")
        }],
    );
    let none = features(&[]);
    for convention in [Convention::Kube, Convention::Kubernetes] {
        let (_, findings) = render_with(convention, Selection::Features(&none), &ty);
        let codes: Vec<_> = findings.iter().map(|finding| finding.code).collect();
        assert_eq!(codes, [crd_channels_diagnostics::Code::EmptyEnum]);
    }
}

#[test]
fn deep_types_are_reported_not_followed() {
    for wrap in [list, |ty| structure([field("f", ty)])] as [fn(Arc<Type>) -> Arc<Type>; 2] {
        let deep = (0..1000).fold(string(), |ty, _| wrap(ty));
        for convention in [Convention::Kube, Convention::Kubernetes] {
            let (_, findings) = render(convention, &deep);
            assert_eq!(
                findings[0].code,
                crd_channels_diagnostics::Code::NestingTooDeep
            );
        }
    }
}
