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
    let (mut kube, crd_arguments) = crd.arguments(shapes.problems);
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
    let mut parts = Parts {
        name: names::of_kind(&kind),
        version,
        root,
        rest: root.clone(),
        overrides: Map::new(),
        kube,
        crd: crd_arguments,
        defaults: Vec::new(),
        path,
        shapes,
    };
    let rules = parts.rules();
    parts.describe();
    let mut properties = parts.of_object();
    let status = parts.status(&mut properties);
    parts
        .overrides
        .insert("properties".to_owned(), properties.into());
    let spec = parts.spec();
    let may_lack_spec = parts.require(&spec);
    parts.override_the_rest();
    let Parts {
        name,
        overrides,
        kube,
        crd,
        defaults,
        path,
        shapes,
        ..
    } = parts;
    let mut kind = Kind {
        group: text_at("/spec/group"),
        version: version_name.to_owned(),
        spec_name: match shapes.names.at(&spec.place) {
            Some(chosen) => chosen.to_owned(),
            None => format!("{name}Spec"),
        },
        place: spec.place,
        kind,
        spec: spec.shape,
        may_lack_spec,
        doc: spec.doc,
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
        crd,
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

/// The parts of a root's schema, taken out of it one after the other.
struct Parts<'a, 'b> {
    version: Version<'a>,
    /// The whole root, and what is left of it.
    root: &'a Node,
    rest: Node,
    /// The CRD and the version, as messages name them.
    path: String,
    /// The name that the types of the kind begin with.
    name: String,
    kube: Arguments,
    crd: Vec<Meta>,
    defaults: Vec<String>,
    /// What types cannot say about the root.
    overrides: Map<String, Value>,
    shapes: &'a mut Shapes<'b>,
}

/// What becomes the type that derives `CustomResource`.
struct Spec {
    place: String,
    shape: Shape,
    /// The description of `spec`.
    doc: Each<Option<String>>,
    /// What that type requires of an object.
    requires: Vec<String>,
    /// Whether it describes all of the root.
    is_root: bool,
}

impl Parts<'_, '_> {
    fn rules(&mut self) -> Arguments {
        const KEY: &str = "x-kubernetes-validations";
        let present = self.rest.present;
        let values = self.rest.keywords.remove(KEY).unwrap_or_default();
        let lists =
            [0, 1].map(|at| present[at].then(|| values[at].as_ref().map(list).unwrap_or_default()));
        let mut rules = Arguments::default();
        if rules.each(lists, |value| rule(value).map(Meta::from)) {
            return rules;
        }
        match merged::agreed(present, &values) {
            Some(list) => drop(self.overrides.insert(KEY.to_owned(), list.clone())),
            None => self.shapes.problems.differs(&self.path, KEY),
        }
        Arguments::default()
    }

    fn describe(&mut self) {
        let present = self.rest.present;
        let values = self.rest.keywords.remove("description").unwrap_or_default();
        match merged::agreed(present, &values) {
            Some(Value::String(text))
                if self.shapes.purpose.is_client() || docs::is_comment(text) =>
            {
                self.kube.add("doc", text);
            }
            Some(text) => {
                self.overrides
                    .insert("description".to_owned(), text.clone());
            }
            None if values == [None, None] => {}
            None => {
                let (common, only) = docs::split(&texts(&values, present));
                let mut parts = common.iter().chain(only.iter().map(|(_, lines)| lines));
                if !parts.all(|part| docs::is_comment(part)) {
                    self.shapes.problems.differs(&self.path, "description");
                }
                common.iter().for_each(|text| self.kube.add("doc", text));
                let only = only
                    .into_iter()
                    .map(|(is, lines)| (is, Meta::named("doc", &lines)));
                self.kube.conditional.extend(only);
            }
        }
    }

    /// Returns the schemas of `apiVersion`, `kind` and `metadata`.
    fn of_object(&mut self) -> Map<String, Value> {
        let mut properties = Map::new();
        for name in ["apiVersion", "kind", "metadata"] {
            self.rest.properties.remove(name);
            let each = self.version.map(|it| {
                let properties = it?.pointer("/schema/openAPIV3Schema/properties");
                Some(
                    properties
                        .and_then(|it| it.get(name))
                        .cloned()
                        .unwrap_or_default(),
                )
            });
            let schema = agreed(each, &self.path, name, self.shapes.problems);
            let schema = schema.filter(|schema| !schema.is_null());
            properties.extend(schema.map(|schema| (name.to_owned(), schema)));
        }
        properties
    }

    /// Returns which type describes the status.
    fn status(&mut self, properties: &mut Map<String, Value>) -> Option<usize> {
        let node = self.rest.properties.remove("status");
        let node = node.map(|property| property.node);
        self.status_subresource(node.as_ref());
        let mut node = match node {
            // The subresource needs a type, though the schema has no property for it.
            None if subresource(self.version).contains(&true) => {
                properties.insert("status".to_owned(), Value::Null);
                let object = json!({"type": "object"});
                let schemas = self.root.present.map(|is| is.then_some(&object));
                Node::new(schemas, &self.path, self.shapes.problems)
            }
            node => node?,
        };
        let path = format!("{} .status", self.path);
        let own = self.root.properties.get("status");
        if own.is_some_and(|own| own.node.is("nullable")) {
            let has_default = node.keywords.contains_key("default");
            self.shapes.nullable(false, has_default, &path);
        }
        self.default(&mut node, "status");
        let words = vec![format!("{}Status", self.name)];
        Some(self.shapes.named(&node, &Place { path, words }))
    }

    /// Says where the status is without its subresource, or in one channel alone.
    fn status_subresource(&mut self, node: Option<&Node>) {
        let subresource = subresource(self.version);
        let present = node.map_or([false, false], |node| node.present);
        match subresource {
            [false, false] if node.is_some() => self
                .crd
                .push(Meta::Plain("no_status_subresource".to_owned())),
            of if of == present || node.is_none() && of == self.root.present => {}
            _ => self.shapes.problems.add(
                &self.path,
                "the subresource `status` and the property of that name are not in the same channels",
            ),
        }
        if present != self.root.present && node.is_some() {
            if subresource != present {
                self.shapes.problems.differs(&self.path, "status");
            }
            self.kube
                .conditional
                .push((present[1], Meta::Plain("status".to_owned())));
        }
    }

    /// Makes a type of `spec`, or of all that is left if there is more than that.
    fn spec(&mut self) -> Spec {
        let keeps_unknown = self.rest.is("x-kubernetes-preserve-unknown-fields");
        let only_spec = (!keeps_unknown).then(|| only_spec(&mut self.rest));
        match only_spec.flatten() {
            Some(spec) => self.only_spec(spec),
            None => self.no_spec(keeps_unknown),
        }
    }

    fn only_spec(&mut self, mut spec: Node) -> Spec {
        let place = self.place(".spec");
        let has_default = self.default(&mut spec, "spec");
        let description = spec.keywords.remove("description").unwrap_or_default();
        Spec {
            doc: texts(&description, spec.present),
            shape: self.shapes.object(&spec, &place),
            place: place.path,
            requires: match has_default {
                true => Vec::new(),
                false => vec!["spec".to_owned()],
            },
            is_root: false,
        }
    }

    fn no_spec(&mut self, keeps_unknown: bool) -> Spec {
        self.kube.word("no_spec");
        let place = self.place(".");
        let flat = Node {
            keywords: merged::Keywords::new(),
            ..self.rest.clone()
        };
        let properties = flat.properties.iter();
        let required = properties.filter(|(_, it)| it.required.contains(&true));
        let requires = required.map(|(name, _)| name.clone()).collect();
        let mut shape = self.shapes.object(&flat, &place);
        let keeps_unknown = keeps_unknown || self.shapes.purpose.keeps_unknown();
        if let (Body::Struct(fields), true) = (&mut shape.body, keeps_unknown) {
            fields.retain(|field| field.property.is_some());
            let serde = ["flatten", "deserialize_with = \"crate::reading::unknown\""];
            fields.push(shapes::rest(fields, &serde, &["skip"]));
        }
        Spec {
            doc: [None, None],
            shape,
            place: place.path,
            requires,
            is_root: true,
        }
    }

    fn place(&self, below: &str) -> Place {
        Place {
            path: format!("{} {below}", self.path),
            words: vec![self.name.clone()],
        }
    }

    /// Overrides what the root requires if that is not what its type requires. Returns true if an absent `spec` is read as an
    /// empty one.
    fn require(&mut self, spec: &Spec) -> bool {
        let required = self.version.map(|it| {
            let names = it?.pointer("/schema/openAPIV3Schema/required");
            Some(sorted(names.map(list).unwrap_or_default()))
        });
        let required = agreed(required, &self.path, "`required`", self.shapes.problems);
        let required = required.unwrap_or_default();
        let expected = json!(spec.requires);
        let name = json!("spec");
        let lacks_spec =
            !spec.is_root && list(&expected).contains(&name) && !list(&required).contains(&name);
        let may_lack_spec = lacks_spec && spec.shape.accepts_nothing();
        if lacks_spec {
            let what = match may_lack_spec {
                true => "an absent `spec` becomes an empty one, as in Go",
                false => "an object without `spec` is not read",
            };
            let place = format!("{} .spec", self.path);
            self.shapes.losses.add(&place, what);
        }
        if required != sorted(list(&expected)) {
            self.overrides.insert("required".to_owned(), required);
        }
        may_lack_spec
    }

    /// Overrides with every keyword that nothing else has taken.
    fn override_the_rest(&mut self) {
        for (key, values) in &self.rest.keywords {
            match merged::agreed(self.root.present, values) {
                Some(value) if key == "type" && value == "object" => {}
                Some(value) => drop(self.overrides.insert(key.clone(), value.clone())),
                None => self.shapes.problems.differs(&self.path, key),
            }
        }
    }

    /// Takes the default of `spec` or `status`. Returns true if there is one.
    fn default(&mut self, node: &mut Node, name: &str) -> bool {
        let path = format!("{} .{name}", self.path);
        let value = self
            .shapes
            .take("default", &mut node.keywords, node.present, &path);
        let Some(value) = value else { return false };
        let json = literals::json(&value);
        self.defaults
            .push(format!("{name} = serde_json::json!({json})"));
        true
    }
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

fn sorted(names: &[Value]) -> Value {
    let mut names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
    names.sort_unstable();
    json!(names)
}
