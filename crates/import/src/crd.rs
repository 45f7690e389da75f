//! A CRD in both channels: its document without the schemas.

use crate::Problems;
use crate::literals::text;
use crate::merged::{Each, Node};
use crate::meta::Meta;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// One CRD in both channels, of which at least one has it.
pub(crate) struct Crd<'a> {
    pub(crate) name: &'a str,
    pub(crate) documents: Each<Option<&'a Value>>,
}

/// A version in each channel that has it.
pub(crate) type Version<'a> = Each<Option<&'a Value>>;

/// Arguments of attributes, and those that only one channel has (`true`: the experimental one).
#[derive(Debug, Default)]
pub(crate) struct Arguments {
    pub(crate) always: Vec<Meta>,
    pub(crate) conditional: Vec<(bool, Meta)>,
}

/// What a bundle stamps on its CRDs itself, and what belongs to one object in one cluster.
const STAMPS: [&str; 3] = [
    "/bundle-version",
    "/channel",
    "kubectl.kubernetes.io/last-applied-configuration",
];

impl<'a> Crd<'a> {
    /// The names of its versions, of both channels.
    pub(crate) fn versions(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for version in self
            .documents
            .iter()
            .flatten()
            .flat_map(|it| list(&it["spec"]["versions"]))
        {
            let name = version["name"].as_str().unwrap_or_default();
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
        names
    }

    /// A version in each channel that has it.
    pub(crate) fn version(&self, name: &str) -> Version<'a> {
        self.documents.map(|document| {
            list(&document?["spec"]["versions"])
                .iter()
                .find(|version| version["name"] == name)
        })
    }

    /// What the channels that have the CRD agree on.
    pub(crate) fn agreed(&self, pointer: &str, problems: &mut Problems) -> Value {
        let each = self
            .documents
            .map(|it| it.map(|it| it.pointer(pointer).cloned().unwrap_or_default()));
        let what = pointer.trim_start_matches('/').replace('/', ".");
        agreed(each, self.name, &what, problems).unwrap_or_default()
    }

    /// The names, scope, conversion and metadata as arguments of `kube(..)` and `crd(..)`.
    pub(crate) fn arguments(&self, problems: &mut Problems) -> (Arguments, Vec<Meta>) {
        let mut text_at = |pointer: &str| {
            self.agreed(pointer, problems)
                .as_str()
                .unwrap_or_default()
                .to_owned()
        };
        let kind = text_at("/spec/names/kind");
        let mut kube = Arguments::default();
        kube.add("group", &text_at("/spec/group"));
        kube.add("kind", &kind);
        kube.add("plural", &text_at("/spec/names/plural"));
        let singular = text_at("/spec/names/singular");
        if !singular.is_empty() && singular != kind.to_ascii_lowercase() {
            kube.add("singular", &singular);
        }
        if text_at("/spec/scope") == "Namespaced" {
            kube.word("namespaced");
        }
        let mut crd = Vec::new();
        let list_kind = text_at("/spec/names/listKind");
        if !list_kind.is_empty() && list_kind != format!("{kind}List") {
            crd.push(Meta::named("list_kind", &list_kind));
        }
        match &*text_at("/spec/conversion/strategy") {
            "Webhook" => crd.push(Meta::named("conversion", "webhook")),
            // Several versions that differ have to say that nothing converts them.
            _ if self.versions().len() > 1 => crd.push(Meta::named("conversion", "none")),
            _ => {}
        }
        for (key, argument) in [("annotations", "annotation"), ("labels", "label")] {
            let each = self
                .documents
                .map(|it| it.map(|it| json!(own_metadata(it, key))));
            let what = format!("metadata.{key}");
            let agreed = agreed(each, self.name, &what, problems).unwrap_or_default();
            for (key, value) in agreed.as_object().into_iter().flatten() {
                let value = value.as_str().unwrap_or_default();
                crd.push(Meta::list(argument, [text(key), text(value)]));
            }
        }
        for (key, argument) in [("shortNames", "shortname"), ("categories", "category")] {
            let each = self
                .documents
                .map(|it| it.map(|it| list(&it["spec"]["names"][key])));
            kube.each(each, |name| Some(Meta::named(argument, name.as_str()?)));
        }
        (kube, crd)
    }
}

impl Arguments {
    /// Adds `key = "value"`.
    pub(crate) fn add(&mut self, key: &str, value: &str) {
        self.always.push(Meta::named(key, value));
    }

    /// Adds a word.
    pub(crate) fn word(&mut self, word: &str) {
        self.always.push(Meta::Plain(word.to_owned()));
    }

    /// Adds what all channels have, and apart what only one has. Returns false if an entry cannot be written.
    pub(crate) fn each(
        &mut self,
        each: Each<Option<&[Value]>>,
        write: impl Fn(&Value) -> Option<Meta>,
    ) -> bool {
        let lists = each.iter().zip([false, true]);
        let lists: Vec<(&[Value], bool)> = lists
            .filter_map(|(list, is)| Some(((*list)?, is)))
            .collect();
        let everywhere = |value: &Value| lists.iter().all(|(list, _)| list.contains(value));
        for (index, (list, experimental)) in lists.iter().enumerate() {
            for value in *list {
                let Some(written) = write(value) else {
                    return false;
                };
                if !everywhere(value) {
                    self.conditional.push((*experimental, written));
                } else if index == lists.len() - 1 {
                    self.always.push(written);
                }
            }
        }
        true
    }

    /// The settings of a version: served, stored, deprecated, its columns and its scale.
    pub(crate) fn version(&mut self, version: Version<'_>, path: &str, problems: &mut Problems) {
        let served = version
            .iter()
            .flatten()
            .last()
            .is_some_and(|it| it["served"] == true);
        // Where the channels differ, a setting of the stable channel says what is served there.
        if !served {
            self.word("served = false");
        }
        let mut flag = |key: &str| {
            let each = version.map(|it| it.map(|it| json!(it[key] == true)));
            agreed(each, path, key, problems) == Some(Value::Bool(true))
        };
        if !flag("storage") {
            self.word("storage = false");
        }
        if flag("deprecated") {
            let warnings = version.map(|it| it.map(|it| it["deprecationWarning"].clone()));
            match agreed(warnings, path, "deprecationWarning", problems) {
                Some(Value::String(warning)) => self.add("deprecated", &warning),
                _ => self.word("deprecated"),
            }
        }
        let lists = |key: &str| version.map(|it| it.map(|it| list(&it[key])));
        let columns = self.each(lists("additionalPrinterColumns"), column);
        let selectable = self.each(lists("selectableFields"), |field| {
            Some(Meta::named("selectable", field["jsonPath"].as_str()?))
        });
        let scales = version.map(|it| {
            let scale = it?["subresources"]
                .get("scale")
                .filter(|scale| !scale.is_null());
            Some(scale.map(std::slice::from_ref).unwrap_or_default())
        });
        if !(columns && selectable && self.each(scales, scale)) {
            problems.add(
                path,
                "a column, a selectable field or `scale` has a key that is not known",
            );
        }
    }
}

/// The value that the channels agree on, of those that have one.
pub(crate) fn agreed(
    each: Each<Option<Value>>,
    place: &str,
    what: &str,
    problems: &mut Problems,
) -> Option<Value> {
    match each {
        [Some(stable), Some(experimental)] if stable != experimental => {
            problems.differs(place, what);
            Some(experimental)
        }
        [Some(value), _] | [None, Some(value)] => Some(value),
        [None, None] => None,
    }
}

/// The schema of a version.
pub(crate) fn schema(version: Version<'_>, path: &str, problems: &mut Problems) -> Node {
    let schemas = version.map(|version| version?.pointer("/schema/openAPIV3Schema"));
    Node::new(schemas, path, problems)
}

/// The entries of a list; none of anything else.
pub(crate) fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn own_metadata(document: &Value, key: &str) -> BTreeMap<String, Value> {
    let entries = document["metadata"][key].as_object().into_iter().flatten();
    let is_own = |key: &str| !STAMPS.iter().any(|stamp| key.ends_with(stamp));
    let own = entries.filter(|(key, _)| is_own(key));
    own.map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

fn column(column: &Value) -> Option<Meta> {
    let keys = [
        ("name", "name"),
        ("type", "type_"),
        ("jsonPath", "json_path"),
        ("description", "description"),
        ("format", "format"),
    ];
    let mut out = texts(column, &keys)?;
    let priority = column
        .get("priority")
        .filter(|it| !it.is_null() && **it != 0);
    if let Some(priority) = priority {
        out.push(format!("priority = {}", priority.as_i64()?));
    }
    only_known(
        column,
        &[
            "name",
            "type",
            "jsonPath",
            "description",
            "format",
            "priority",
        ],
    )?;
    Some(Meta::list("printcolumn", out))
}

fn scale(scale: &Value) -> Option<Meta> {
    let keys = [
        ("specReplicasPath", "spec_replicas_path"),
        ("statusReplicasPath", "status_replicas_path"),
        ("labelSelectorPath", "label_selector_path"),
    ];
    only_known(scale, &keys.map(|(key, _)| key))?;
    Some(Meta::list("scale", texts(scale, &keys)?))
}

/// The texts at these keys, as arguments.
fn texts(value: &Value, keys: &[(&str, &str)]) -> Option<Vec<String>> {
    let mut out = Vec::new();
    for (key, argument) in keys {
        match &value[*key] {
            Value::Null => {}
            Value::String(empty) if empty.is_empty() => {}
            Value::String(value) => out.push(format!("{argument} = {}", text(value))),
            _ => return None,
        }
    }
    Some(out)
}

fn only_known(value: &Value, known: &[&str]) -> Option<()> {
    let mut keys = value.as_object()?.keys();
    keys.all(|key| known.contains(&key.as_str())).then_some(())
}

/// The stages of versions that the configuration of a channel names.
pub(crate) const STAGES: [&str; 2] = ["alpha", "beta"];

/// Versions in the order in which Kubernetes prefers them: by the place of their stage in [`STAGES`], or its end for those that
/// are stable, and their numbers.
pub(crate) fn priority(version: &str) -> (usize, u32, u32) {
    let number = |text: &str| text.parse::<u32>().unwrap_or_default();
    let rest = version.strip_prefix('v').unwrap_or(version);
    for (stage, word) in STAGES.iter().enumerate() {
        if let Some((major, minor)) = rest.split_once(word) {
            return (stage, number(major), number(minor));
        }
    }
    (STAGES.len(), number(rest), 0)
}
