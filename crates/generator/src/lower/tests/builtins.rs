//! Types known by name: compiled with schemars, and read from the same text.

use super::drafts;
use crate::lower::Overrides;
use crd_channels_schema::draft::{IntKind, Literal, Scalar, Shape, Type};
use crd_channels_source::fixture;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

/// Returns what schemars writes for the type, before its transforms, as far as the shape determines it.
fn described(ty: &Type) -> Value {
    match &ty.shape {
        Shape::Any => json!(true),
        Shape::Unit => json!({ "type": "null" }),
        Shape::Scalar(scalar) => match scalar {
            Scalar::Bool => json!({ "type": "boolean" }),
            Scalar::Char => json!({ "type": "string", "minLength": 1, "maxLength": 1 }),
            Scalar::String => json!({ "type": "string" }),
            Scalar::Formatted(format) => json!({ "type": "string", "format": format }),
            Scalar::Patterned(pattern) => json!({ "type": "string", "pattern": pattern }),
            Scalar::Float => json!({ "type": "number", "format": "float" }),
            Scalar::Double => json!({ "type": "number", "format": "double" }),
            Scalar::Int(kind) => int(*kind),
        },
        Shape::Option(inner) => {
            let mut inner = described(inner);
            if let Some(ty) = inner.get("type").cloned() {
                inner["type"] = json!([ty, "null"]);
            }
            inner
        }
        Shape::List {
            items,
            unique,
            length,
        } => {
            let mut list = Map::new();
            list.insert("type".into(), json!("array"));
            if *length != Some(0) {
                list.insert("items".into(), described(items));
            }
            list.extend(unique.then(|| ("uniqueItems".into(), json!(true))));
            list.extend(
                length
                    .filter(|l| *l > 0)
                    .map(|length| ("minItems".into(), json!(length))),
            );
            list.extend(length.map(|length| ("maxItems".into(), json!(length))));
            list.into()
        }
        Shape::Map { value, .. } => {
            json!({ "type": "object", "additionalProperties": described(value) })
        }
        Shape::Tuple(fields) => {
            let items: Vec<_> = fields.iter().map(|field| described(&field.ty)).collect();
            json!({ "type": "array", "minItems": items.len(), "maxItems": items.len(), "prefixItems": items })
        }
        Shape::Literal(literal) => written(literal),
        other => panic!("no built-in type has this shape: {other:?}"),
    }
}

fn int(kind: IntKind) -> Value {
    let IntKind {
        bits,
        signed,
        non_zero,
    } = kind;
    let sign = if signed { "" } else { "u" };
    let width = if bits == 0 {
        String::new()
    } else {
        bits.to_string()
    };
    let mut node = json!({ "type": "integer", "format": format!("{sign}int{width}") });
    if !signed {
        node["minimum"] = json!(u8::from(non_zero));
    } else if non_zero {
        node["not"] = json!({ "const": 0 });
    }
    if matches!(bits, 8 | 16) {
        let greatest = (1_i64 << (bits - u8::from(signed))) - 1;
        node["maximum"] = json!(greatest);
        if signed {
            node["minimum"] = json!(-greatest - 1);
        }
    }
    node
}

fn written(literal: &Literal) -> Value {
    match literal {
        Literal::Value(value) => value.clone(),
        Literal::Array(items) => items.iter().map(written).collect(),
        Literal::Object(entries) => entries
            .iter()
            .map(|(key, value)| (key.to_string(), written(value)))
            .collect::<Map<_, _>>()
            .into(),
        Literal::Schema(ty, entries) => {
            let mut node = described(ty);
            for (key, edit) in entries {
                node[&**key] = edit.value().map(written).unwrap_or_default();
            }
            node
        }
    }
}

macro_rules! same {
    ($($ty:ty),* $(,)?) => {{
        let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
        let mut generator = settings.into_generator();
        let compiled = [$((stringify!($ty), serde_json::to_value(<$ty>::json_schema(&mut generator)).unwrap())),*];
        let fields: String = compiled.iter().zip(0..).map(|((ty, _), index)| format!("f{index}: {ty},\n")).collect();
        check(&compiled, &fields);
    }};
}

fn check(compiled: &[(&str, Value)], fields: &str) {
    let text = format!(
        "//- /lib.rs\n#[derive(kube::CustomResource, schemars::JsonSchema)]\n\
         #[kube(group = \"g\", version = \"v1\", kind = \"K\")]\npub struct S {{ {fields} }}\n\
         //- /kube/lib.rs crate:kube\n//- /schemars/lib.rs crate:schemars\n\
         //- /serde_json/lib.rs crate:serde_json\n//- /serde/lib.rs crate:serde"
    );
    let mut loaded = fixture::graph(&text);
    let drafts = drafts(&loaded.graph, &Overrides::default(), &mut loaded.findings);
    assert!(
        loaded.findings.diagnostics().is_empty(),
        "{:#?}",
        loaded.findings
    );
    let Shape::Struct(root) = &drafts[0].root.as_ref().unwrap().shape else {
        panic!("the root is a struct");
    };
    let Shape::Struct(spec) = &root.fields[0].ty.shape else {
        panic!("the spec is a struct");
    };
    assert_eq!(spec.fields.len(), compiled.len());
    for (field, (ty, compiled)) in spec.fields.iter().zip(compiled) {
        assert_eq!(described(&field.ty), *compiled, "{ty}");
    }
}

#[test]
#[allow(unused_qualifications, reason = "the names are read as text")]
fn std_types_are_what_schemars_makes_of_them() {
    same! {
        bool, char, f32, f64, i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize, String, &'static str,
        (), Box<str>, std::rc::Rc<u8>, std::sync::Arc<String>, std::borrow::Cow<'static, str>, std::cell::Cell<u8>,
        std::cell::RefCell<bool>, std::sync::Mutex<u8>, std::sync::RwLock<u8>, std::num::Wrapping<u8>,
        std::cmp::Reverse<u8>, std::marker::PhantomData<u8>, std::num::NonZeroU8, std::num::NonZeroI8,
        std::num::NonZeroU16, std::num::NonZeroI32, std::num::NonZeroU64, std::num::NonZeroUsize,
        std::num::NonZero<u16>, std::sync::atomic::AtomicBool, std::sync::atomic::AtomicU32, std::path::PathBuf,
        std::net::IpAddr, std::net::Ipv4Addr, std::net::Ipv6Addr, std::net::SocketAddr, std::net::SocketAddrV4,
        std::time::Duration, std::time::SystemTime, Option<u8>, Option<String>, Vec<u8>,
        std::collections::VecDeque<u8>, std::collections::LinkedList<u8>, std::collections::BinaryHeap<u8>,
        std::collections::HashSet<u8>, std::collections::BTreeSet<String>, std::collections::HashMap<String, u8>,
        std::collections::BTreeMap<String, Vec<bool>>, [u8; 3], [String; 0], &'static [u8], (u8, String), (u8,),
        serde_json::Value, serde_json::Number, serde_json::Map<String, serde_json::Value>,
    }
}
