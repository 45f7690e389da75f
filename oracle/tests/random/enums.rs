//! Random enums: names, numbers, and variants with data under every tagging.

use super::definitions::{DERIVES, plain};
use super::fields::Owner;
use super::module::Module;
use super::types::{Content, Helper, Shape, Ty};
use super::words;
use std::fmt::Write;

impl Module<'_> {
    pub fn names(&mut self, name: String) -> Helper {
        let default = self.dice.one_in(3);
        let ord = self.dice.one_in(3);
        let mut text = String::new();
        self.container(&mut text, true);
        let text = text.replace(
            "#[schemars(extend(\"x-kubernetes-map-type\" = \"atomic\"))]\n",
            "",
        );
        let documented = self.dice.roll(3);
        let mut body = String::new();
        let mut variants: Vec<(String, Content)> = Vec::new();
        for variant in self.variant_names(6) {
            let mut attributes = Vec::new();
            if documented == 1 || documented == 2 && self.dice.one_in(2) {
                body.push_str(&words::doc(self.dice, "    "));
            }
            self.on_variant(&mut attributes, variants.len() > 1);
            if default && variants.is_empty() {
                attributes.push("#[default]".to_owned());
                attributes.retain(|attribute| !attribute.contains("skip"));
            }
            for attribute in attributes {
                writeln!(body, "    {attribute}").unwrap();
            }
            writeln!(body, "    {variant},").unwrap();
            variants.push((variant.to_owned(), Content::Unit));
        }
        let default_derived = if default { ", Default" } else { "" };
        let ord_derived = if ord {
            ", Eq, Hash, Ord, PartialEq, PartialOrd"
        } else {
            ""
        };
        self.write(&format!(
            "#[derive({DERIVES}, JsonSchema{default_derived}{ord_derived})]\n{text}pub enum {name} {{\n{body}}}"
        ));
        Helper {
            default,
            ord,
            ..plain(name, Shape::Variants(variants))
        }
    }

    pub fn numbers(&mut self, name: String) -> Helper {
        let mut text = String::new();
        if self.dice.one_in(2) {
            text.push_str(&words::doc(self.dice, ""));
        }
        let repr = self.dice.pick(&["u8", "i32", "u32"]);
        self.write(&format!(
            "#[derive({DERIVES}, JsonSchema_repr)]\n{text}#[repr({repr})]\npub enum {name} {{\n    Zero,\n    Four = 4,\n    Five,\n    Big = 1 << 5,\n}}"
        ));
        plain(name, Shape::Opaque)
    }

    fn variant_names(&mut self, most: usize) -> Vec<&'static str> {
        let mut names: Vec<&'static str> = Vec::new();
        for _ in 0..=self.dice.roll(most) {
            let name = self.dice.pick(&words::VARIANTS);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    fn on_variant(&mut self, attributes: &mut Vec<String>, may_skip: bool) {
        let number = self.number();
        if self.dice.wants("renamed variant", 10) {
            attributes.push(match self.dice.weigh(&[
                (1, "name by schemars"),
                (1, "two names"),
                (1, "name by serde"),
            ]) {
                "name by schemars" => format!("#[schemars(rename = \"s-{number}\")]"),
                "two names" => format!(
                    "#[serde(rename(deserialize = \"de-{number}\"), alias = \"other-{number}\")]"
                ),
                _ => format!("#[serde(rename = \"{number}th\")]"),
            });
        }
        if may_skip && self.dice.wants("skipped variant", 25) {
            attributes.push(
                self.dice
                    .pick(&[
                        "#[serde(skip)]",
                        "#[serde(skip_deserializing)]",
                        "#[serde(skip_serializing)]",
                    ])
                    .to_owned(),
            );
        }
        if self.dice.wants("words on a variant", 25) {
            attributes.push(
                self.dice
                    .pick(&[
                        "#[schemars(description = \"Of the variant.\")]",
                        "#[schemars(title = \"T\")]",
                        "#[deprecated]",
                    ])
                    .to_owned(),
            );
        }
    }

    pub fn choice(&mut self, name: String, tagging: &'static str) -> Helper {
        let untagged = tagging == "untagged enum";
        let tagged = tagging.contains("tagged") && !untagged;
        let flat = !tagged && self.dice.one_in(3);
        let suffix = flat.then_some(self.helpers.len());
        let mut text = String::new();
        self.container(&mut text, true);
        match tagging {
            "untagged enum" => text.push_str("#[serde(untagged)]\n"),
            "internally tagged enum" => text.push_str("#[serde(tag = \"theTag\")]\n"),
            "adjacently tagged enum" => {
                text.push_str("#[serde(tag = \"theTag\", content = \"theContent\")]\n")
            }
            _ => {}
        }
        if self.dice.wants("rename_all_fields", 6) {
            let case = self.dice.pick(&words::CASES);
            writeln!(text, "#[serde(rename_all_fields = \"{case}\")]").unwrap();
        }
        // With more than one variant kube panics on tags.
        let most = if tagged && !self.dice.one_in(4) { 1 } else { 4 };
        let mut names = self.variant_names(most);
        if tagged && most == 1 {
            names.truncate(1);
        }
        let shared = self.dice.one_in(4).then(|| self.ty(1, 0));
        let documented = self.dice.one_in(2);
        let mut body = String::new();
        let mut variants: Vec<(String, Content)> = Vec::new();
        for (index, variant) in names.into_iter().enumerate() {
            let variant = suffix.map_or(variant.to_owned(), |suffix| {
                format!("{}{suffix}", variant.trim_end_matches('_'))
            });
            if documented && self.dice.one_in(2) {
                body.push_str(&words::doc(self.dice, "    "));
            }
            let mut attributes = Vec::new();
            self.on_variant(&mut attributes, index > 1);
            if self.dice.wants("rename_all on a variant", 12) {
                let case = self.dice.pick(&words::CASES);
                attributes.push(format!("#[serde(rename_all = \"{case}\")]"));
            }
            for attribute in attributes {
                writeln!(body, "    {attribute}").unwrap();
            }
            let unit = tagging == "names beside data" && index == 0
                || self.dice.one_in(if tagged { 6 } else { 60 });
            let content = if unit {
                writeln!(body, "    {variant},").unwrap();
                Content::Unit
            } else if self.dice.one_in(2) && (!untagged || self.has_objects()) {
                let ty = if untagged || tagging == "internally tagged enum" {
                    self.object()
                } else {
                    self.ty(2, 0)
                };
                let attributes = self.attributes(Owner::default(), "", &ty);
                let attributes: String = attributes.iter().map(|one| format!("{one} ")).collect();
                writeln!(
                    body,
                    "    {variant}({attributes}{}),",
                    ty.write(&self.helpers)
                )
                .unwrap();
                Content::Newtype(ty)
            } else {
                let number = self.helpers.len() * 10 + index;
                let owner = Owner {
                    indent: "        ",
                    suffix: (untagged || flat).then_some(number),
                    flatten: self.dice.one_in(4),
                    ..Owner::default()
                };
                let (mut fields_text, mut fields) = self.fields(owner, 3);
                if let Some(ty) = shared.clone().filter(|_| untagged) {
                    let written = ty.write(&self.helpers);
                    writeln!(fields_text, "        shared: {written},").unwrap();
                    fields.push(("shared".to_owned(), ty));
                }
                writeln!(body, "    {variant} {{\n{fields_text}    }},").unwrap();
                Content::Fields(fields)
            };
            variants.push((variant, content));
        }
        self.write(&format!(
            "#[derive({DERIVES}, JsonSchema)]\n{text}pub enum {name} {{\n{body}}}"
        ));
        Helper {
            flat,
            ..plain(name, Shape::Variants(variants))
        }
    }

    fn has_objects(&self) -> bool {
        self.helpers.iter().any(is_object)
    }

    /// A struct of the module, or what stands for one.
    fn object(&mut self) -> Ty {
        if self.dice.wants("scalar in an untagged enum", 12) {
            return Ty::Scalar("String");
        }
        let objects: Vec<usize> = (0..self.helpers.len())
            .filter(|index| is_object(&self.helpers[*index]))
            .collect();
        match objects.get(self.dice.roll(objects.len().max(1))) {
            Some(index) => Ty::Helper(*index, Vec::new()),
            None => Ty::Foreign("LocalObjectReference"),
        }
    }
}

fn is_object(helper: &Helper) -> bool {
    matches!(helper.shape, Shape::Fields(_)) && helper.params == 0
}
