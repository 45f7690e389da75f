//! The kind of a module: its spec, its status and what `#[kube(..)]` says of it.

use super::dice::{Dice, Seen};
use super::fields::Owner;
use super::module::Module;
use super::types::Shape;
use super::words;
use std::fmt::Write;

/// The source of a kind named `K` and the seed.
pub fn module(seed: u64) -> (String, Seen) {
    module_from_dice(seed, Dice::new(seed))
}

/// The same, with dice of one's own.
pub fn module_from_dice(seed: u64, mut dice: Dice) -> (String, Seen) {
    let mut module = Module::new(&mut dice, "");
    for _ in 0..1 + module.dice.roll(6) {
        module.dice.note("(types besides kinds)");
        module.define();
    }
    module.kind(&format!("K{seed}"));
    let text = module.text;
    (text, dice.seen)
}

impl Module<'_> {
    /// Adds a kind, and a function that gives its CRD.
    pub fn kind(&mut self, kind: &str) {
        let kube_schema = self.dice.wants("KubeSchema on a kind", 4);
        let flat_root = self.dice.wants("no_spec", 20);
        let selectable = self.dice.wants("selectable", 8);
        let mut text = String::new();
        if self.dice.one_in(2) {
            text.push_str(&words::doc(self.dice, ""));
        }
        let version = self.dice.pick(&["v1", "v1alpha1", "v2beta3"]);
        writeln!(
            text,
            "#[kube(group = \"random.example.dev\", version = \"{version}\", kind = \"{kind}\")]"
        )
        .unwrap();
        for attribute in self.kube(kind, flat_root, selectable) {
            writeln!(text, "#[kube({attribute})]").unwrap();
        }
        if !selectable && self.dice.wants("rename_all", 2) {
            let case = self.dice.pick(&words::CASES);
            writeln!(text, "#[serde(rename_all = \"{case}\")]").unwrap();
        }
        if self.dice.wants("deny_unknown_fields", 20) {
            text.push_str("#[serde(deny_unknown_fields)]\n");
        }
        if kube_schema && self.dice.wants("rule on a struct", 3) {
            text.push_str("#[x_kube(validation = \"true\")]\n");
        }
        let owner = Owner {
            visibility: "pub ",
            indent: "    ",
            kube_schema,
            flatten: true,
            ..Owner::default()
        };
        let (mut body, _) = self.fields(owner, 8);
        if selectable {
            body.push_str("    pub chosen: String,\n");
        }
        let schema = if kube_schema {
            "KubeSchema"
        } else {
            "JsonSchema"
        };
        self.write(&format!(
            "#[derive(CustomResource, Clone, Debug, Deserialize, Serialize, {schema})]\n{text}pub struct {kind}Spec {{\n{body}}}"
        ));
        self.write(&format!(
            "pub fn crd() -> Value {{\n    serde_json::to_value(<{kind} as kube::CustomResourceExt>::crd()).unwrap()\n}}"
        ));
    }

    fn kube(&mut self, kind: &str, no_spec: bool, selectable: bool) -> Vec<String> {
        let mut found = Vec::new();
        let mut maybe = |module: &mut Self, what, one_in, text: &str| {
            if module.dice.wants(what, one_in) {
                found.push(text.to_owned());
            }
        };
        maybe(self, "namespaced", 2, "namespaced");
        let lower = kind.to_lowercase();
        maybe(
            self,
            "shortname",
            4,
            &format!("shortname = \"a{lower}\", shortname = \"b{lower}\""),
        );
        maybe(self, "category", 6, "category = \"all\"");
        maybe(
            self,
            "singular",
            10,
            &format!("singular = \"one{}\"", kind.to_lowercase()),
        );
        maybe(
            self,
            "plural",
            8,
            &format!("plural = \"many{}\"", kind.to_lowercase()),
        );
        maybe(self, "kube(doc)", 5, "doc = \"About the kind.\"");
        let warning = if no_spec {
            "deprecated"
        } else {
            "deprecated = \"Do not use it.\""
        };
        maybe(self, "kube(deprecated)", 12, warning);
        maybe(
            self,
            "annotation",
            10,
            "annotation(\"example.dev/a\", \"1\")",
        );
        maybe(self, "label", 10, "label(\"example.dev/b\", \"2\")");
        maybe(
            self,
            "kube(validation)",
            8,
            "validation = \"self.metadata.name != 'a'\"",
        );
        maybe(
            self,
            "kube(validation) as Rule",
            12,
            "validation = Rule::new(\"self.metadata.name != 'b'\").message(\"not b\").reason(Reason::FieldValueInvalid)",
        );
        maybe(
            self,
            "printcolumn as JSON",
            8,
            "printcolumn = r#\"{\"name\":\"Age\",\"type\":\"date\",\"jsonPath\":\".metadata.creationTimestamp\"}\"#",
        );
        maybe(
            self,
            "printcolumn",
            8,
            "printcolumn(name = \"Name\", type_ = \"string\", json_path = \".metadata.name\", priority = 1, description = \"The name.\")",
        );
        if no_spec {
            found.push("no_spec".to_owned());
        }
        if selectable {
            let path = if no_spec { ".chosen" } else { ".spec.chosen" };
            found.push(format!("selectable = \"{path}\""));
        }
        let objects: Vec<String> = self
            .helpers
            .iter()
            .filter(|helper| matches!(helper.shape, Shape::Fields(_)) && helper.params == 0)
            .map(|helper| helper.name.clone())
            .collect();
        if let Some(status) = objects.last()
            && self.dice.wants("status", 2)
        {
            found.push(format!("status = \"{status}\""));
            if self.dice.wants("scale", 4) {
                found.push("scale(spec_replicas_path = \".spec.replicas\", status_replicas_path = \".status.replicas\")".to_owned());
            }
        }
        found
    }
}
