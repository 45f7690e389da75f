//! The kind of a module: a spec with fields of the types that were drawn.

use super::draw::{AttributeSite, Drawing};
use super::items::Owner;
use super::types::Ty;
use std::fmt::Write;

impl Drawing<'_, '_> {
    /// The kind, with a field of each type with attributes.
    pub fn kind(&mut self, kind: &str) {
        let kube = self.chance(4);
        self.adapted = !kube && self.chance(8);
        let none = !kube && self.chance(12);
        let mut facts = vec!["struct", "named"];
        facts.extend(kube.then_some("kube"));
        facts.extend(none.then_some("none"));
        let owner = Owner {
            named: true,
            public: true,
            facts: facts.clone(),
            ..Owner::default()
        };
        let mut body = String::new();
        for name in self.remotes.clone() {
            let place = AttributeSite {
                name: "field",
                facts: ["named"].into(),
                ..AttributeSite::default()
            };
            let with = format!("serde(with = \"{name}\")");
            body.push_str(&self.attributes(&place, &[&with], "    "));
            writeln!(body, "    pub of_{}: Of{name},", name.to_lowercase()).unwrap();
        }
        for index in 0..self.module.helpers.len() {
            let helper = self.module.helpers[index].clone();
            if !helper.name.starts_with('T') {
                continue;
            }
            let arguments = vec![Ty::Scalar("String"); helper.params];
            let ty = Ty::Helper(index, arguments);
            let ty = match self.module.dice.roll(7) {
                0 | 1 => Ty::Option(Box::new(ty)),
                2 => Ty::List("Vec", Box::new(ty)),
                3 => Ty::Map("BTreeMap", Box::new(Ty::Scalar("String")), Box::new(ty)),
                _ => ty,
            };
            self.field(&owner, &format!("use_{index}"), &ty, &mut body);
        }
        let most = self.module.dice.pick(&[0, 1, 2]);
        body.push_str(&self.fields(&owner, most).0);
        let version = self.module.dice.pick(&["v1", "v1alpha1", "v2beta3"]);
        let lower = kind.to_lowercase();
        let place = AttributeSite {
            name: "kind",
            this: &lower,
            ..AttributeSite::default()
        };
        let group = format!(
            "kube(group = \"random.example.dev\", version = \"{version}\", kind = \"{kind}\")"
        );
        let of_kind = self.attributes(&place, &[&group], "");
        let schema = if kube { "KubeSchema" } else { "JsonSchema" };
        let derives = format!(
            "#[derive(CustomResource, Clone, Debug, Deserialize, Serialize, {schema})]\n{of_kind}"
        );
        let this = format!("{kind}Spec");
        let head = self.container(&this, &facts, &[], &derives);
        self.adapted = false;
        self.module
            .write(&format!("{head}pub struct {this} {{\n{body}}}"));
        self.module.write(&format!(
            "pub fn crd() -> Value {{\n    serde_json::to_value(<{kind} as kube::CustomResourceExt>::crd()).unwrap()\n}}"
        ));
    }
}
