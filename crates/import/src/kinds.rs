//! The CRD around the schemas: names, versions, columns and subresources as attributes of kube and of this tool.

use crate::attributes::{rule, text_of};
use crate::literals::text;
use crate::merged::{Each, Node};
use crate::meta::Meta;
use crate::names;
use crate::shapes::{Place, Shapes};
use crate::types::{Gate, Shape};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// A version of a kind.
#[derive(Clone, Debug)]
pub(crate) struct Kind {
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) kind: String,
    /// The name of the type that derives `CustomResource`.
    pub(crate) spec_name: String,
    pub(crate) spec: Shape,
    /// The description of `spec`.
    pub(crate) doc: Each<Option<String>>,
    pub(crate) gate: Option<Gate>,
    pub(crate) status: Option<usize>,
    /// Arguments of `#[kube(..)]` that are names and literals.
    pub(crate) kube: Vec<Meta>,
    /// Rules of the whole object.
    pub(crate) rules: Vec<Meta>,
    /// Rules that only one channel has.
    pub(crate) conditional_rules: Vec<(bool, Meta)>,
    /// Arguments of `#[crd(..)]`.
    pub(crate) crd: Vec<Meta>,
    /// `default(..)`, whose values are expressions.
    pub(crate) defaults: Vec<String>,
    /// Arguments of `kube(..)` that only one channel has: whether it is the experimental one, and the argument.
    pub(crate) conditional: Vec<(bool, Meta)>,
    /// What the root's schema has instead of what every object has.
    pub(crate) root: Value,
}

/// One CRD in both channels, of which at least one has it.
pub(crate) struct Crd<'a> {
    pub(crate) name: &'a str,
    pub(crate) documents: Each<Option<&'a Value>>,
}

/// What a bundle stamps on its CRDs itself, and what belongs to one object in one cluster.
const STAMPS: [&str; 3] = [
    "/bundle-version",
    "/channel",
    "kubectl.kubernetes.io/last-applied-configuration",
];

impl Crd<'_> {
    fn each<'b, T>(&'b self, of: impl Fn(&'b Value) -> T) -> Each<Option<T>> {
        self.documents.map(|document| document.map(&of))
    }

    /// The names of its versions, of both channels.
    pub(crate) fn versions(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for document in self.documents.iter().flatten() {
            for version in versions(document) {
                let name = version["name"].as_str().unwrap_or_default();
                if !names.iter().any(|known| known == name) {
                    names.push(name.to_owned());
                }
            }
        }
        names
    }

    /// A version in each channel that has it.
    pub(crate) fn version(&self, name: &str) -> Each<Option<&Value>> {
        self.documents.map(|document| {
            versions(document?)
                .iter()
                .find(|version| version["name"] == name)
        })
    }

    /// What the channels that have it agree on.
    fn agreed(&self, pointer: &str, shapes: &mut Shapes<'_>) -> Value {
        let each = self.each(|document| document.pointer(pointer).cloned().unwrap_or_default());
        match each {
            [Some(stable), Some(experimental)] if stable != experimental => {
                let message = format!(
                    "`{}` differs between the channels",
                    pointer[1..].replace('/', ".")
                );
                shapes.problems.add(self.name, &message);
                stable
            }
            [Some(value), _] | [None, Some(value)] => value,
            [None, None] => Value::Null,
        }
    }
}

fn versions(document: &Value) -> &[Value] {
    let versions = document.pointer("/spec/versions").and_then(Value::as_array);
    versions.map(Vec::as_slice).unwrap_or_default()
}

/// The schema of a version, in each channel that has it.
pub(crate) fn schema(
    version: Each<Option<&Value>>,
    path: &str,
    shapes: &mut crate::Problems,
) -> Node {
    let schemas = version.map(|version| version?.pointer("/schema/openAPIV3Schema"));
    Node::new(schemas, path, shapes)
}

/// Makes the types of one version.
pub(crate) fn kind(
    crd: &Crd<'_>,
    version_name: &str,
    root: &Node,
    shapes: &mut Shapes<'_>,
) -> Kind {
    let version = crd.version(version_name);
    let of_names = crd.agreed("/spec/names", shapes);
    let name_of = |key: &str| of_names[key].as_str().unwrap_or_default().to_owned();
    let (kind, plural, singular) = (name_of("kind"), name_of("plural"), name_of("singular"));
    let group = crd
        .agreed("/spec/group", shapes)
        .as_str()
        .unwrap_or_default()
        .to_owned();
    let path = format!("{} {version_name}", crd.name);
    let words = vec![names::of_type(&kind_word(&kind))];
    let mut kube = vec![
        Meta::from(format!("group = {}", text(&group))),
        Meta::from(format!("version = {}", text(version_name))),
        Meta::from(format!("kind = {}", text(&kind))),
        Meta::from(format!("plural = {}", text(&plural))),
    ];
    if !singular.is_empty() && singular != kind.to_ascii_lowercase() {
        kube.push(format!("singular = {}", text(&singular)).into());
    }
    if crd.agreed("/spec/scope", shapes) == "Namespaced" {
        kube.push("namespaced".to_owned().into());
    }
    let mut crd_args: Vec<Meta> = Vec::new();
    let mut defaults: Vec<String> = Vec::new();
    let list_kind = name_of("listKind");
    if !list_kind.is_empty() && list_kind != format!("{kind}List") {
        crd_args.push(format!("list_kind = {}", text(&list_kind)).into());
    }
    match crd.agreed("/spec/conversion/strategy", shapes).as_str() {
        Some("Webhook") => crd_args.push("conversion = \"webhook\"".to_owned().into()),
        // Several versions that differ need to say that nothing converts them.
        Some("None") | None if crd.versions().len() > 1 => {
            crd_args.push("conversion = \"none\"".to_owned().into())
        }
        _ => {}
    }
    for (key, argument) in [("annotations", "annotation"), ("labels", "label")] {
        let each = crd.each(|document| metadata(document, key));
        let all: Vec<&BTreeMap<String, String>> = each.iter().flatten().collect();
        if all.iter().any(|one| one != &all[0]) {
            shapes.problems.add(
                crd.name,
                &format!("`metadata.{key}` differs between the channels"),
            );
        }
        for (key, value) in all.first().into_iter().copied().flatten() {
            crd_args.push(Meta::list(argument, [text(key), text(value)]));
        }
    }
    let mut conditional = Vec::new();
    for (pointer, argument) in [("shortNames", "shortname"), ("categories", "category")] {
        let each = [0, 1].map(|at| crd.documents[at].map(|it| list(&it["spec"]["names"][pointer])));
        one_by_one(
            each,
            |name| Some(Meta::from(format!("{argument} = {}", text(name.as_str()?)))),
            &mut kube,
            &mut conditional,
        );
    }
    let flag = |key: &str, shapes: &mut Shapes<'_>| {
        let each: Vec<bool> = version.iter().flatten().map(|it| it[key] == true).collect();
        if each.contains(&true) && each.contains(&false) {
            shapes
                .problems
                .add(&path, &format!("`{key}` differs between the channels"));
        }
        each.contains(&true)
    };
    // Where the channels differ, a setting of the stable channel says what is served there.
    let served: Vec<bool> = version
        .iter()
        .flatten()
        .map(|it| it["served"] == true)
        .collect();
    if served.last() == Some(&false) {
        kube.push("served = false".to_owned().into());
    }
    if !flag("storage", shapes) {
        kube.push("storage = false".to_owned().into());
    }
    if flag("deprecated", shapes) {
        let warnings: Vec<&Value> = version
            .iter()
            .flatten()
            .map(|it| &it["deprecationWarning"])
            .collect();
        kube.push(match warnings.first().and_then(|it| it.as_str()) {
            Some(warning) => format!("deprecated = {}", text(warning)).into(),
            None => "deprecated".to_owned().into(),
        });
    }
    let columns = version.map(|it| it.map(|it| list(&it["additionalPrinterColumns"])));
    one_by_one(columns, column, &mut kube, &mut conditional);
    let selectable = version.map(|it| it.map(|it| list(&it["selectableFields"])));
    let selectable_field = |field: &Value| {
        Some(Meta::from(format!(
            "selectable = {}",
            text(field["jsonPath"].as_str()?)
        )))
    };
    one_by_one(selectable, selectable_field, &mut kube, &mut conditional);
    let scales = version.map(|it| {
        it.map(|it| {
            it["subresources"]
                .get("scale")
                .into_iter()
                .cloned()
                .collect()
        })
    });
    one_by_one(scales, scale, &mut kube, &mut conditional);
    let has_status: Vec<bool> = version
        .iter()
        .flatten()
        .map(|it| it["subresources"].get("status").is_some())
        .collect();
    let with_status = has_status.contains(&true);
    if with_status && has_status.contains(&false) {
        shapes.problems.add(
            &path,
            "only one of the channels has the subresource `status`",
        );
    }

    // The root: its text and rules, its spec and status, and what it has otherwise.
    let mut rest = root.clone();
    let rules = rest
        .keywords
        .remove("x-kubernetes-validations")
        .unwrap_or_default();
    let rule_lists =
        [0, 1].map(|at| root.present[at].then(|| list(rules[at].as_ref().unwrap_or(&Value::Null))));
    let mut root_rules = Vec::new();
    let mut conditional_rules = Vec::new();
    one_by_one(
        rule_lists,
        |value| rule(value).map(Meta::from),
        &mut root_rules,
        &mut conditional_rules,
    );
    let conditional_rules = conditional_rules.into_iter();
    let mut overrides = Map::new();
    let descriptions = rest.keywords.remove("description").unwrap_or_default();
    match agreed_text(&descriptions, root.present) {
        Some(doc) if is_plain(&doc) => kube.push(format!("doc = {}", text(&doc)).into()),
        Some(doc) => drop(overrides.insert("description".to_owned(), doc.into())),
        None if descriptions.iter().any(Option::is_some) => {
            let texts = descriptions.each_ref().map(|it| text_of(it.as_ref()));
            let (common, only) = crate::docs::split(&texts);
            if let Some(common) = common {
                kube.push(format!("doc = {}", text(&common)).into());
            }
            for (experimental, lines) in only {
                conditional.push((experimental, format!("doc = {}", text(&lines)).into()));
            }
        }
        None => {}
    }
    let mut properties = Map::new();
    for name in ["apiVersion", "kind", "metadata"] {
        let schema = rest.properties.remove(name);
        let each = [0, 1].map(|at| {
            let schema = version[at]?
                .pointer("/schema/openAPIV3Schema/properties")?
                .get(name)?;
            schema.is_object().then(|| schema.clone())
        });
        if let [Some(stable), Some(experimental)] = &each
            && stable != experimental
        {
            shapes
                .problems
                .add(&path, &format!("`{name}` differs between the channels"));
        }
        if let Some(schema) = each
            .into_iter()
            .flatten()
            .next()
            .filter(|_| schema.is_some())
        {
            properties.insert(name.to_owned(), schema);
        }
    }
    let status_node = rest.properties.remove("status");
    if status_node.is_some() && !with_status {
        crd_args.push("no_status_subresource".to_owned().into());
    }
    let spec_is_object = rest.properties.get("spec").is_some_and(|spec| {
        let node = &spec.node;
        node.present == root.present
            && node.same("type") == Some(&json!("object"))
            && node.values.is_none()
            && !node.keywords.contains_key("nullable")
            && node.same("additionalProperties").is_none()
    });
    let only_spec = rest.properties.len() == 1 && spec_is_object;
    let required: Vec<String> = [0, 1]
        .into_iter()
        .find(|at| root.present[*at])
        .and_then(|at| version[at])
        .and_then(|it| it.pointer("/schema/openAPIV3Schema/required"))
        .map(|names| {
            list(names)
                .iter()
                .filter_map(|it| it.as_str().map(str::to_owned))
                .collect()
        })
        .unwrap_or_default();
    let place = |word: &str| Place {
        path: format!("{path} {}", if word.is_empty() { "." } else { word }),
        words: match word {
            "" | ".spec" => words.clone(),
            word => vec![format!("{}{}", words[0], names::of_type(&word[1..]))],
        },
    };
    let (spec, doc, expected) = if only_spec {
        let mut spec = rest
            .properties
            .remove("spec")
            .map(|it| it.node)
            .unwrap_or_default();
        if let Some(default) = spec.keywords.remove("default") {
            match crate::merged::agreed(spec.present, &default) {
                Some(default) => defaults.push(format!(
                    "default(spec = serde_json::json!({}))",
                    crate::literals::json(default)
                )),
                None => shapes
                    .problems
                    .add(&path, "`default` of `spec` differs between the channels"),
            }
        }
        let texts = spec.keywords.remove("description").unwrap_or_default();
        let texts = texts.each_ref().map(|it| text_of(it.as_ref()));
        let has_default = !defaults.is_empty();
        let expected = if has_default {
            Vec::new()
        } else {
            vec!["spec".to_owned()]
        };
        (shapes.object(&spec, &place(".spec")), texts, expected)
    } else {
        kube.push("no_spec".to_owned().into());
        let mut flat = rest.clone();
        flat.keywords.clear();
        let expected = flat
            .properties
            .iter()
            .filter(|(_, it)| it.required.contains(&true))
            .map(|(name, _)| name.clone())
            .collect();
        let shape = shapes.object(&flat, &place(""));
        (shape, [None, None], expected)
    };
    let status = status_node.map(|status| {
        let mut node = status.node;
        if let Some(default) = node.keywords.remove("default") {
            match crate::merged::agreed(node.present, &default) {
                Some(default) => defaults.push(format!(
                    "default(status = serde_json::json!({}))",
                    crate::literals::json(default)
                )),
                None => shapes
                    .problems
                    .add(&path, "`default` of `status` differs between the channels"),
            }
        }
        shapes.named(&node, &place(".status"))
    });
    if with_status && status.is_none() {
        shapes.problems.add(
            &path,
            "it has the subresource `status`, and no property of that name",
        );
    }
    let sorted = |names: &[String]| {
        let mut names = names.to_vec();
        names.sort();
        names
    };
    if sorted(&required) != sorted(&expected) {
        overrides.insert("required".to_owned(), json!(required));
    }
    for (key, values) in &rest.keywords {
        match crate::merged::agreed(root.present, values) {
            Some(value) if key == "type" && value == "object" => {}
            Some(value) => drop(overrides.insert(key.clone(), value.clone())),
            None => shapes
                .problems
                .add(&path, &format!("`{key}` differs between the channels")),
        }
    }
    overrides.insert("properties".to_owned(), properties.into());
    let gate = match root.present {
        [true, true] => None,
        [_, experimental] => Some(Gate {
            experimental,
            feature: None,
        }),
    };
    Kind {
        spec_name: format!("{}Spec", words[0]),
        group,
        version: version_name.to_owned(),
        kind,
        spec,
        doc,
        gate,
        status,
        kube,
        rules: root_rules,
        conditional_rules: conditional_rules.collect(),
        crd: crd_args,
        defaults,
        conditional,
        root: overrides.into(),
    }
}

/// A kind as a word in the case of types.
fn kind_word(kind: &str) -> String {
    kind.to_owned()
}

fn list(value: &Value) -> Vec<Value> {
    value.as_array().cloned().unwrap_or_default()
}

/// The text that all channels have.
fn agreed_text(values: &Each<Option<Value>>, present: Each<bool>) -> Option<String> {
    text_of(crate::merged::agreed(present, values))
}

/// Whether a text is read back as it is from an attribute for documentation.
fn is_plain(text: &str) -> bool {
    crate::docs::is_comment(text)
}

/// Writes what all channels have, and apart what only one has.
fn one_by_one(
    each: Each<Option<Vec<Value>>>,
    write: impl Fn(&Value) -> Option<Meta>,
    always: &mut Vec<Meta>,
    conditional: &mut Vec<(bool, Meta)>,
) {
    let lists: Vec<(bool, &Vec<Value>)> = each
        .iter()
        .zip([false, true])
        .filter_map(|(it, is)| Some((is, it.as_ref()?)))
        .collect();
    let Some((_, last)) = lists.last() else {
        return;
    };
    let everywhere = |value: &Value| lists.iter().all(|(_, list)| list.contains(value));
    always.extend(
        last.iter()
            .filter(|value| everywhere(value))
            .filter_map(&write),
    );
    for (experimental, list) in &lists {
        let only = list
            .iter()
            .filter(|value| !everywhere(value))
            .filter_map(&write);
        conditional.extend(only.map(|argument| (*experimental, argument)));
    }
}

fn column(column: &Value) -> Option<Meta> {
    let mut out = Vec::new();
    let keys = [
        ("name", "name"),
        ("type", "type_"),
        ("jsonPath", "json_path"),
        ("description", "description"),
        ("format", "format"),
    ];
    for (key, argument) in keys {
        if let Some(value) = column[key].as_str().filter(|value| !value.is_empty()) {
            out.push(format!("{argument} = {}", text(value)));
        }
    }
    if let Some(priority) = column["priority"].as_i64().filter(|it| *it != 0) {
        out.push(format!("priority = {priority}"));
    }
    Some(Meta::list("printcolumn", out))
}

fn scale(scale: &Value) -> Option<Meta> {
    let mut out = Vec::new();
    let keys = [
        ("specReplicasPath", "spec_replicas_path"),
        ("statusReplicasPath", "status_replicas_path"),
        ("labelSelectorPath", "label_selector_path"),
    ];
    for (key, argument) in keys {
        if let Some(path) = scale[key].as_str().filter(|path| !path.is_empty()) {
            out.push(format!("{argument} = {}", text(path)));
        }
    }
    Some(Meta::list("scale", out))
}

fn metadata(document: &Value, key: &str) -> BTreeMap<String, String> {
    let entries = document["metadata"][key].as_object().into_iter().flatten();
    let texts = entries.filter_map(|(key, value)| Some((key.clone(), value.as_str()?.to_owned())));
    texts
        .filter(|(key, _)| !STAMPS.iter().any(|stamp| key.ends_with(stamp)))
        .collect()
}
