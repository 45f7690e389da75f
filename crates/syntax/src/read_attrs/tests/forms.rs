//! The supported forms of `#[kube(..)]`.

use super::super::tables::KUBE;
use super::right;
use crate::attrs::{KubeAttrs, SchemaMode};
use crd_channels_diagnostics::{Spanned, Text};
use crd_channels_markers::Form;

fn kube(inside: &str) -> KubeAttrs {
    right(&format!(
        "#[derive(CustomResource)] #[kube({inside})] struct A {{}}"
    ))
    .attrs
    .kube
    .unwrap()
}

/// A key without an effect is listed here, so that no key is accepted and then forgotten.
#[test]
fn every_key_has_an_effect_or_is_listed() {
    const WITHOUT: [&str; 4] = ["apiextensions", "cel", "crates", "derive"];
    let shown = |inside: &str| {
        let mut kube = kube(inside);
        kube.span.end = kube.span.start;
        format!("{kube:?}")
    };
    for key in KUBE.keys {
        let written = match key.name {
            "attr" => "attr = \"doc = \\\"a\\\"\"".to_owned(),
            "schema" => "schema = \"disabled\"".to_owned(),
            "storage" | "served" => format!("{} = false", key.name),
            "printcolumn" => {
                "printcolumn(name = \"a\", type_ = \"string\", json_path = \".a\")".to_owned()
            }
            "scale" => {
                "scale(spec_replicas_path = \".spec.a\", status_replicas_path = \".status.a\")"
                    .to_owned()
            }
            "crates" => "crates(kube_core = \"a\")".to_owned(),
            name => match key.form {
                Form::Flag | Form::Word | Form::WordOrText => name.to_owned(),
                Form::Pair => format!("{name}(\"a\", \"b\")"),
                Form::Path => format!("{name} = \"a::B\""),
                Form::Expr => format!("{name} = a()"),
                _ => format!("{name} = \"a\""),
            },
        };
        let has_effect = shown(&written) != shown("");
        assert_eq!(has_effect, !WITHOUT.contains(&key.name), "{written}");
    }
}

#[test]
fn flags_are_words_booleans_and_texts() {
    for (inside, namespaced, storage, served) in [
        ("", false, true, true),
        ("namespaced", true, true, true),
        ("namespaced = true, storage = false", true, false, true),
        (
            "namespaced = \"false\", storage = \"false\", served = \"true\"",
            false,
            false,
            true,
        ),
        ("storage, served = false", false, true, false),
    ] {
        let kube = kube(inside);
        assert_eq!(
            (kube.namespaced, kube.storage, kube.served),
            (namespaced, storage, served),
            "{inside}"
        );
    }
}

#[test]
fn paths_are_bare_or_quoted() {
    for inside in ["status = a::B", "status = \"a::B\""] {
        let status = kube(inside).status.unwrap();
        let names: Vec<&str> = status
            .segments
            .iter()
            .map(|segment| &*segment.name)
            .collect();
        assert_eq!(names, ["a", "B"], "{inside}");
    }
}

#[test]
fn columns_and_scale_are_lists_or_json() {
    for inside in [
        r#"printcolumn(name = "A", type_ = "integer", json_path = ".a", priority = 1, description = "d")"#,
        r#"printcolumn(name = "A", type_ = "integer", json_path = ".a", priority = "1", description = "d")"#,
        r##"printcolumn = r#"{"name":"A","type":"integer","jsonPath":".a","priority":1,"description":"d","format":null}"#"##,
    ] {
        let found = &kube(inside).facets.always.columns[0].value;
        assert_eq!(
            (&*found.name, &*found.ty, &*found.json_path, found.priority),
            ("A", "integer", ".a", Some(1)),
            "{inside}"
        );
        assert_eq!(found.description.as_deref(), Some("d"));
        assert_eq!(found.format, None);
    }
    // Before kube 4.2 the strings were joined to one list, so one of them could have several columns.
    let several = r##"printcolumn = r#"{"name":"A","type":"date","jsonPath":".a"},
        {"name":"B","type":"string","jsonPath":".b"}"#"##;
    let columns = kube(several).facets.always.columns;
    let names: Vec<&str> = columns.iter().map(|column| &*column.value.name).collect();
    assert_eq!(names, ["A", "B"]);
    for inside in [
        r#"scale(spec_replicas_path = ".a", status_replicas_path = ".b", label_selector_path = ".c")"#,
        r##"scale = r#"{"specReplicasPath":".a","statusReplicasPath":".b","labelSelectorPath":".c"}"#"##,
    ] {
        let found = kube(inside).facets.always.scale.unwrap().value;
        assert_eq!(&*found.spec_replicas_path, ".a");
        assert_eq!(&*found.status_replicas_path, ".b");
        assert_eq!(found.label_selector_path.as_deref(), Some(".c"));
    }
}

#[test]
fn several_attributes_are_one() {
    let def = right(
        r#"
        #[derive(CustomResource)]
        #[kube(group = "g.dev", version = "v1", kind = "K")]
        #[kube(shortname = "a", shortname = "b", category = "c", selectable = ".d")]
        #[kube(annotation("e", "f"), label("g", "h"), validation = "true", schema = "disabled", no_spec)]
        #[kube(deprecated = "old", doc = "text", root = "R", cel, derive = "Default", attr = "must_use", crates(kube = "k"))]
        #[experimental(kube(shortname = "x"), doc = "more")]
        #[not_experimental(feature = "Y", kube(deprecated))]
        #[crd(conversion = "webhook", removed_in = "v1.0.0")]
        #[crd(replaced_by = "v2")]
        struct A {}"#,
    );
    let kube = def.attrs.kube.unwrap();
    assert_eq!(&*kube.group.unwrap().value, "g.dev");
    assert_eq!(&*kube.root.unwrap().value, "R");
    assert_eq!(kube.schema, SchemaMode::Disabled);
    assert!(kube.no_spec);
    assert_eq!(kube.annotations, [("e".into(), "f".into())]);
    assert_eq!(kube.labels, [("g".into(), "h".into())]);
    let facets = kube.facets.always;
    let names = |names: &[Spanned<Text>]| {
        names
            .iter()
            .map(|name| name.value.to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&facets.short_names), ["a", "b"]);
    assert_eq!(names(&facets.categories), ["c"]);
    assert_eq!(&*facets.selectable_fields[0].value, ".d");
    assert_eq!(facets.rules.len(), 1);
    assert_eq!(facets.doc.as_deref(), Some("text"));
    assert_eq!(facets.deprecated.unwrap().warning.as_deref(), Some("old"));
    let when = kube.facets.when;
    assert_eq!(when.len(), 2);
    assert_eq!(names(&when[0].1.short_names), ["x"]);
    assert_eq!((&*when[1].0.feature, when[1].0.on), ("Y", false));
    assert_eq!(when[1].1.deprecated.as_ref().unwrap().warning, None);
    assert_eq!(def.attrs.facets.when.len(), 1);
    let crd = def.attrs.crd.unwrap().value;
    assert_eq!(&*crd.conversion.unwrap().value, "webhook");
    assert_eq!(&*crd.removed_in.unwrap().value, "v1.0.0");
    assert_eq!(&*crd.replaced_by.unwrap().value, "v2");
}
