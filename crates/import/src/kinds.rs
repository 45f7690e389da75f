//! A version of a kind: its root as attributes of kube and of this tool, its spec and its status as types.

use crate::attributes::{rule, texts};
use crate::crd::{Arguments, Crd, Version, agreed, list};
use crate::docs;
use crate::literals;
use crate::merged::{self, Each, Node};
use crate::meta::Meta;
use crate::names;
use crate::shapes::{self, Shapes};
use crate::types::{Body, Gate, Place, Shape};
use serde_json::{Map, Value, json};

/// A version of a kind.
#[derive(Debug)]
pub(crate) struct Kind {
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) kind: String,
    /// The name of the type that derives `CustomResource`.
    pub(crate) spec_name: String,
    /// The place of that type.
    pub(crate) place: String,
    pub(crate) spec: Shape,
    /// Whether an absent `spec` is read as an empty one.
    pub(crate) may_lack_spec: bool,
    /// The description of `spec`.
    pub(crate) doc: Each<Option<String>>,
    pub(crate) gate: Option<Gate>,
    pub(crate) status: Option<usize>,
    /// Arguments of `#[kube(..)]`.
    pub(crate) kube: Arguments,
    /// Rules of the whole object.
    pub(crate) rules: Arguments,
    /// Arguments of `#[crd(..)]`.
    pub(crate) crd: Vec<Meta>,
    /// Arguments of `default(..)`, whose values are expressions.
    pub(crate) defaults: Vec<String>,
    /// What the root's schema has instead of what every object has.
    pub(crate) root: Value,
}

/// Makes the types of one version.
pub(crate) fn kind(
    crd: &Crd<'_>,
    version_name: &str,
    root: &Node,
    shapes: &mut Shapes<'_>,
) -> Kind {
    let version = crd.version(version_name);
    let path = format!("{} {version_name}", crd.name);
    let (mut kube, mut crd_arguments) = crd.arguments(shapes.problems);
    kube.always.insert(1, Meta::named("version", version_name));
    kube.version(version, &path, shapes.problems);
    let text_at = |pointer: &str| {
        let first = crd.documents.iter().flatten().next();
        first
            .and_then(|it| it.pointer(pointer)?.as_str())
            .unwrap_or_default()
            .to_owned()
    };
    let kind = text_at("/spec/names/kind");
    let name = names::of_kind(&kind);
    let mut rest = root.clone();
    let mut overrides = Map::new();
    let rules = rules(&mut rest, &mut overrides, &path, shapes);
    describe(&mut rest, &mut kube, &mut overrides, &path, shapes);
    let mut properties = of_object(&mut rest, version, &path, shapes);

    let mut defaults = Vec::new();
    let node = status(
        &mut rest,
        version,
        root,
        &mut kube,
        &mut crd_arguments,
        &path,
        shapes,
    );
    let status = match node {
        // The subresource needs a type, though the schema has no property for it.
        None if subresource(version).contains(&true) => {
            properties.insert("status".to_owned(), Value::Null);
            let object = json!({"type": "object"});
            let schemas = root.present.map(|is| is.then_some(&object));
            Some(Node::new(schemas, &path, shapes.problems))
        }
        node => node,
    };
    overrides.insert("properties".to_owned(), properties.into());
    let status = status.map(|mut node| {
        let own = root.properties.get("status");
        if own.is_some_and(|own| own.node.is("nullable")) {
            let has_default = node.keywords.contains_key("default");
            shapes.nullable(false, has_default, &format!("{path} .status"));
        }
        default(&mut node, "status", &mut defaults, &path, shapes);
        let place = Place {
            path: format!("{path} .status"),
            words: vec![format!("{name}Status")],
        };
        shapes.named(&node, &place)
    });
    let place = |below: &str| Place {
        path: format!("{path} {below}"),
        words: vec![name.clone()],
    };
    let keeps_unknown = rest.is("x-kubernetes-preserve-unknown-fields");
    let only_spec = (!keeps_unknown).then(|| only_spec(&mut rest)).flatten();
    let has_spec = only_spec.is_some();
    let mut of_spec = place(".");
    let (spec, doc, expected) = match only_spec {
        Some(mut spec) => {
            of_spec = place(".spec");
            default(&mut spec, "spec", &mut defaults, &path, shapes);
            let doc = texts(
                &spec.keywords.remove("description").unwrap_or_default(),
                spec.present,
            );
            let has_default = defaults.iter().any(|it| it.starts_with("spec "));
            let expected = if has_default {
                json!([])
            } else {
                json!(["spec"])
            };
            (shapes.object(&spec, &of_spec), doc, expected)
        }
        None => {
            kube.word("no_spec");
            let flat = Node {
                keywords: merged::Keywords::new(),
                ..rest.clone()
            };
            let required = flat
                .properties
                .iter()
                .filter(|(_, it)| it.required.contains(&true));
            let expected = required.map(|(name, _)| name.clone()).collect();
            let mut shape = shapes.object(&flat, &of_spec);
            let keeps_unknown = keeps_unknown || shapes.purpose.keeps_unknown();
            if let (Body::Struct(fields), true) = (&mut shape.body, keeps_unknown) {
                fields.retain(|field| field.property.is_some());
                let serde = ["flatten", "deserialize_with = \"crate::reading::unknown\""];
                fields.push(shapes::rest(fields, &serde, &["skip"]));
            }
            (shape, [None, None], expected)
        }
    };
    let required = version.map(|it| {
        let names = it?.pointer("/schema/openAPIV3Schema/required");
        Some(sorted(names.map(list).unwrap_or_default()))
    });
    let required = agreed(required, &path, "`required`", shapes.problems).unwrap_or_default();
    let is_required = |name: &str| list(&required).contains(&json!(name));
    let lacks_spec = list(&expected).contains(&json!("spec")) && has_spec && !is_required("spec");
    let may_lack_spec = lacks_spec && spec.accepts_nothing();
    if lacks_spec {
        let what = match may_lack_spec {
            true => "an absent `spec` becomes an empty one, as in Go",
            false => "an object without `spec` is not read",
        };
        shapes.losses.add(&format!("{path} .spec"), what);
    }
    if required != sorted(list(&expected)) {
        overrides.insert("required".to_owned(), required);
    }
    for (key, values) in &rest.keywords {
        match merged::agreed(root.present, values) {
            Some(value) if key == "type" && value == "object" => {}
            Some(value) => drop(overrides.insert(key.clone(), value.clone())),
            None => shapes.problems.differs(&path, key),
        }
    }
    let mut kind = Kind {
        group: text_at("/spec/group"),
        version: version_name.to_owned(),
        spec_name: match shapes.names.at(&of_spec.path) {
            Some(chosen) => chosen.to_owned(),
            None => format!("{name}Spec"),
        },
        place: of_spec.path,
        kind,
        spec,
        may_lack_spec,
        doc,
        gate: match root.present {
            [true, true] => None,
            [_, experimental] => Some(Gate {
                experimental,
                feature: shapes.features.at(&path).mapped(),
            }),
        },
        status,
        kube,
        rules,
        crd: crd_arguments,
        defaults,
        root: overrides.into(),
    };
    if shapes.purpose.is_client() {
        kind.reduce();
    }
    kind
}

impl Kind {
    /// Leaves what a client needs to find the objects.
    fn reduce(&mut self) {
        const NEEDED: [&str; 8] = [
            "doc",
            "group",
            "kind",
            "namespaced",
            "no_spec",
            "plural",
            "singular",
            "version",
        ];
        let word = |meta: &Meta| meta.on_one_line().split(' ').next().map(str::to_owned);
        self.kube
            .always
            .retain(|meta| word(meta).is_some_and(|word| NEEDED.contains(&&*word)));
        self.kube.always.push(Meta::named("schema", "disabled"));
        self.kube.conditional.clear();
        self.rules = Arguments::default();
        self.crd.clear();
        self.defaults.clear();
        self.gate = None;
    }
}

/// The rules of the root.
fn rules(
    rest: &mut Node,
    overrides: &mut Map<String, Value>,
    path: &str,
    shapes: &mut Shapes<'_>,
) -> Arguments {
    const KEY: &str = "x-kubernetes-validations";
    let values = rest.keywords.remove(KEY).unwrap_or_default();
    let lists = [0, 1]
        .map(|at| rest.present[at].then(|| values[at].as_ref().map(list).unwrap_or_default()));
    let mut rules = Arguments::default();
    if rules.each(lists, |value| rule(value).map(Meta::from)) {
        return rules;
    }
    match merged::agreed(rest.present, &values) {
        Some(list) => drop(overrides.insert(KEY.to_owned(), list.clone())),
        None => shapes.problems.differs(path, KEY),
    }
    Arguments::default()
}

/// The description of the root.
fn describe(
    rest: &mut Node,
    kube: &mut Arguments,
    overrides: &mut Map<String, Value>,
    path: &str,
    shapes: &mut Shapes<'_>,
) {
    let values = rest.keywords.remove("description").unwrap_or_default();
    match merged::agreed(rest.present, &values) {
        Some(Value::String(text)) if shapes.purpose.is_client() || docs::is_comment(text) => {
            kube.add("doc", text);
        }
        Some(text) => drop(overrides.insert("description".to_owned(), text.clone())),
        None if values == [None, None] => {}
        None => {
            let (common, only) = docs::split(&texts(&values, rest.present));
            let mut parts = common.iter().chain(only.iter().map(|(_, lines)| lines));
            if !parts.all(|part| docs::is_comment(part)) {
                shapes.problems.differs(path, "description");
            }
            common.iter().for_each(|text| kube.add("doc", text));
            let only = only
                .into_iter()
                .map(|(is, lines)| (is, Meta::named("doc", &lines)));
            kube.conditional.extend(only);
        }
    }
}

/// The schemas of `apiVersion`, `kind` and `metadata`.
fn of_object(
    rest: &mut Node,
    version: Version<'_>,
    path: &str,
    shapes: &mut Shapes<'_>,
) -> Map<String, Value> {
    let mut properties = Map::new();
    for name in ["apiVersion", "kind", "metadata"] {
        rest.properties.remove(name);
        let each = version.map(|it| {
            let properties = it?.pointer("/schema/openAPIV3Schema/properties");
            Some(
                properties
                    .and_then(|it| it.get(name))
                    .cloned()
                    .unwrap_or_default(),
            )
        });
        let schema = agreed(each, path, name, shapes.problems).filter(|schema| !schema.is_null());
        properties.extend(schema.map(|schema| (name.to_owned(), schema)));
    }
    properties
}

/// The schema of the status, with or without its subresource.
fn status(
    rest: &mut Node,
    version: Version<'_>,
    root: &Node,
    kube: &mut Arguments,
    crd: &mut Vec<Meta>,
    path: &str,
    shapes: &mut Shapes<'_>,
) -> Option<Node> {
    let subresource = subresource(version);
    let node = rest
        .properties
        .remove("status")
        .map(|property| property.node);
    let present = node.as_ref().map_or([false, false], |node| node.present);
    match subresource {
        [false, false] if node.is_some() => {
            crd.push(Meta::Plain("no_status_subresource".to_owned()))
        }
        of if of == present || node.is_none() && of == root.present => {}
        _ => shapes.problems.add(
            path,
            "the subresource `status` and the property of that name are not in the same channels",
        ),
    }
    if present != root.present && node.is_some() {
        if subresource != present {
            shapes.problems.differs(path, "status");
        }
        kube.conditional
            .push((present[1], Meta::Plain("status".to_owned())));
    }
    node
}

/// Which channels have `/status`.
fn subresource(version: Version<'_>) -> Each<bool> {
    version.map(|it| it.is_some_and(|it| !it["subresources"]["status"].is_null()))
}

/// Takes `spec`, if it is an object with fields and the only property left.
fn only_spec(rest: &mut Node) -> Option<Node> {
    let spec = &rest.properties.get("spec")?.node;
    let is_plain = spec.same("type").is_some_and(|ty| ty == "object")
        && spec.present == rest.present
        && spec.values.is_none()
        && !spec.keywords.contains_key("nullable")
        && !spec.keywords.contains_key("additionalProperties");
    (is_plain && rest.properties.len() == 1)
        .then(|| rest.properties.remove("spec"))?
        .map(|it| it.node)
}

/// Takes the default of `spec` or `status`.
fn default(
    node: &mut Node,
    name: &str,
    defaults: &mut Vec<String>,
    path: &str,
    shapes: &mut Shapes<'_>,
) {
    let path = format!("{path} .{name}");
    let value = shapes.take("default", &mut node.keywords, node.present, &path);
    if let Some(value) = value {
        let json = literals::json(&value);
        defaults.push(format!("{name} = serde_json::json!({json})"));
    }
}

fn sorted(names: &[Value]) -> Value {
    let mut names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
    names.sort_unstable();
    json!(names)
}
