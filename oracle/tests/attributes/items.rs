//! Types with drawn attributes: structs of every style, enums of every tagging, generic ones, and those that stand for others.

use super::definitions::plain;
use super::draw::{AttributeSite, Drawing};
use super::types::{Content, Helper, Shape, Ty};
use super::words;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The items that have fields with attributes.
#[derive(Clone, Default)]
pub struct Owner {
    pub named: bool,
    pub public: bool,
    pub params: usize,
    /// The facts about the type.
    pub facts: Vec<&'static str>,
    /// Every field needs a `Default`.
    pub all_default: bool,
}

impl Drawing<'_, '_> {
    /// Adds a type that the kind uses.
    pub fn item(&mut self) {
        let name = format!("T{}", self.module.helpers.len() + self.remotes.len());
        let form = self.module.dice.weigh(&[
            (40, "struct with attributes"),
            (10, "newtype with attributes"),
            (3, "tuple struct with attributes"),
            (2, "unit struct with attributes"),
            (7, "generic struct with attributes"),
            (5, "remote struct with attributes"),
            (30, "enum with attributes"),
            (3, "enum of numbers with attributes"),
        ]);
        let helper = match form {
            "newtype with attributes" => self.unnamed(name, 1),
            "tuple struct with attributes" => {
                let count = 2 + self.module.dice.roll(2);
                self.unnamed(name, count)
            }
            "unit struct with attributes" => {
                let default = self.chance(2);
                let derives = self.derives("JsonSchema", default, "");
                let facts = ["struct", "unit", "default"];
                let head = self.container(&name, &facts[..2 + usize::from(default)], &[], &derives);
                self.module.write(&format!("{head}pub struct {name};"));
                let shape = Shape::Opaque;
                Helper {
                    default,
                    ..plain(name, shape)
                }
            }
            "generic struct with attributes" => self.structure(name, 1),
            "remote struct with attributes" => {
                self.remote(&name);
                return;
            }
            "enum with attributes" => self.choice(name),
            "enum of numbers with attributes" => {
                let derives = self.derives("JsonSchema_repr", false, "");
                let facts = ["enum", "repr"];
                let head = self.container(&name, &facts, &["repr(u16)"], &derives);
                let facts = ["unit"];
                let (a, b) = (
                    self.variant_attributes(&facts),
                    self.variant_attributes(&facts),
                );
                self.module.write(&format!(
                    "{head}pub enum {name} {{\n{a}    One = 1,\n{b}    Many = 1 << 4,\n}}"
                ));
                plain(name, Shape::Opaque)
            }
            _ => self.structure(name, 0),
        };
        self.module.helpers.push(helper);
    }

    /// The derives of a type, in one attribute or in two.
    fn derives(&mut self, schema: &str, default: bool, more: &str) -> String {
        let default = if default { ", Default" } else { "" };
        match self.module.dice.roll(8) {
            0 => format!(
                "#[derive({schema}, Clone{default}{more})]\n#[derive(Debug, Deserialize, Serialize)]\n"
            ),
            1 => format!(
                "#[derive(Clone, Debug, serde::Deserialize, ::serde::Serialize, {schema}{default}{more})]\n"
            ),
            _ => format!(
                "#[derive(Clone, Debug, Deserialize, Serialize, {schema}{default}{more})]\n"
            ),
        }
    }

    /// The attributes of a type.
    pub fn container(
        &mut self,
        this: &str,
        facts: &[&'static str],
        given: &[&str],
        derives: &str,
    ) -> String {
        let place = AttributeSite {
            name: "container",
            facts: facts.iter().copied().collect(),
            this,
            ..AttributeSite::default()
        };
        let attributes = self.attributes(&place, given, "");
        let mut head = String::new();
        if self.adapted {
            head.push_str(
                self.module
                    .dice
                    .pick(&["#[serde_as]\n", "#[serde_with::serde_as]\n"]),
            );
        }
        if facts.contains(&"none") {
            head.push_str("#[skip_serializing_none]\n");
        }
        head + derives + &attributes
    }

    fn structure(&mut self, name: String, params: usize) -> Helper {
        let kube = params == 0 && self.chance(4);
        let default = self.chance(2);
        let own_default = default && params == 0 && self.chance(4);
        let none = self.chance(8);
        self.adapted = !kube && self.chance(5);
        let mut facts = vec!["struct", "named"];
        facts.extend(kube.then_some("kube"));
        facts.extend(none.then_some("none"));
        facts.extend(default.then_some("default"));
        facts.extend((default && params == 0).then_some("self"));
        facts.extend((params > 0).then_some("generic"));
        let owner = Owner {
            named: true,
            public: true,
            params,
            facts: facts.clone(),
            all_default: default,
        };
        let most = self.module.dice.pick(&[1, 2, 2, 3, 4]);
        let (body, fields, whole) = self.fields(&owner, most);
        let own_default = own_default && whole;
        if fields.len() == 1 {
            facts.push("one");
        }
        let schema = if kube { "KubeSchema" } else { "JsonSchema" };
        let derives = self.derives(schema, default && !own_default, "");
        let head = self.container(&name, &facts, &[], &derives);
        let list = if params > 0 { "<A>" } else { "" };
        self.module
            .write(&format!("{head}pub struct {name}{list} {{\n{body}}}"));
        if own_default {
            let mut values = String::new();
            for (field, ty) in &fields {
                let value = ty.value(&self.module.helpers, self.module.dice);
                let value = value.unwrap_or_else(|| "Default::default()".to_owned());
                writeln!(values, "            {field}: {value},").unwrap();
            }
            self.module.write(&format!(
                "impl Default for {name} {{\n    fn default() -> Self {{\n        Self {{\n{values}        }}\n    }}\n}}"
            ));
        }
        self.adapted = false;
        Helper {
            default,
            params,
            flat: params == 0,
            ..plain(
                name,
                if whole {
                    Shape::Fields(fields)
                } else {
                    Shape::Opaque
                },
            )
        }
    }

    fn unnamed(&mut self, name: String, count: usize) -> Helper {
        let default = self.chance(2);
        self.adapted = self.chance(8);
        let mut facts = vec!["struct"];
        facts.extend((count == 1).then_some("newtype"));
        facts.extend((count == 1).then_some("one"));
        facts.extend(default.then_some("default"));
        let owner = Owner {
            public: true,
            facts: facts.clone(),
            all_default: default,
            ..Owner::default()
        };
        let (body, mut fields, whole) = self.fields(&owner, count);
        let derives = self.derives("JsonSchema", default, "");
        let head = self.container(&name, &facts, &[], &derives);
        self.module
            .write(&format!("{head}pub struct {name}(\n{body});"));
        self.adapted = false;
        let shape = match (whole && count == 1).then(|| fields.pop()).flatten() {
            Some((_, ty)) => Shape::Newtype(ty),
            None => Shape::Opaque,
        };
        Helper {
            default,
            ..plain(name, shape)
        }
    }

    /// A type that stands for one that knows nothing of serde.
    fn remote(&mut self, name: &str) {
        let owner = Owner {
            named: true,
            public: true,
            ..Owner::default()
        };
        let (body, fields, _) = self.fields(&owner, 2);
        let mut own = String::new();
        for (field, ty) in &fields {
            let written = ty.write(&self.module.helpers);
            writeln!(own, "    pub {field}: {written},").unwrap();
        }
        self.module.write(&format!(
            "#[derive(Clone, Debug)]\npub struct Of{name} {{\n{own}}}"
        ));
        let derives = self.derives("JsonSchema", false, "");
        let remote = format!("serde(remote = \"Of{name}\")");
        let head = self.container(name, &["struct", "named", "remote"], &[&remote], &derives);
        self.module
            .write(&format!("{head}pub struct {name} {{\n{body}}}"));
        self.remotes.push(name.to_owned());
    }

    fn choice(&mut self, name: String) -> Helper {
        let tagging = self.module.dice.weigh(&[
            (45, "externally tagged"),
            (15, "internally tagged"),
            (12, "adjacently tagged"),
            (18, "untagged"),
        ]);
        let (tag, most): (&[&str], usize) = match tagging {
            "internally tagged" => (&["serde(tag = \"theTag\")"], 2),
            "adjacently tagged" => (&["serde(tag = \"theTag\", content = \"theContent\")"], 2),
            "untagged" => (&["serde(untagged)"], 3),
            _ => (&[], 4),
        };
        let style = self.module.dice.weigh(&[
            (35, "names alone"),
            (55, "data alone"),
            (12, "names and data"),
        ]);
        let none = self.chance(12);
        let default = self.chance(3);
        let mut names: Vec<&str> = Vec::new();
        for _ in 0..=self.module.dice.roll(most) {
            let name = self.module.dice.pick(&words::VARIANTS);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let mut body = String::new();
        let mut variants: Vec<(String, Content)> = Vec::new();
        let mut whole = true;
        let last = names.len() - 1;
        let mut defaulted = false;
        for (index, variant) in names.into_iter().enumerate() {
            let unit = style == "names alone" || style != "data alone" && self.chance(2);
            let form = if unit {
                "unit"
            } else {
                self.module
                    .dice
                    .pick(&["newtype", "newtype", "fields", "fields", "fields", "tuple"])
            };
            let mut facts = vec![form];
            facts.extend((index == last).then_some("last"));
            facts.extend((form != "unit").then_some("data"));
            let attributes = self.variant_attributes(&facts);
            whole &= !attributes.contains("cfg(");
            body.push_str(&attributes);
            if unit && default && !defaulted {
                body.push_str("    #[default]\n");
                defaulted = true;
            }
            let mut owner = Owner::default();
            let content = match form {
                "unit" => {
                    writeln!(body, "    {variant},").unwrap();
                    Content::Unit
                }
                "newtype" | "tuple" => {
                    let count = if form == "tuple" { 2 } else { 1 };
                    let (text, mut fields, all) = self.fields(&owner, count);
                    whole &= all && form == "newtype";
                    writeln!(body, "    {variant}(\n{text}    ),").unwrap();
                    Content::Newtype(fields.remove(0).1)
                }
                _ => {
                    owner.named = true;
                    let (text, fields, all) = self.fields(&owner, 2);
                    whole &= all;
                    writeln!(body, "    {variant} {{\n{text}    }},").unwrap();
                    Content::Fields(fields)
                }
            };
            variants.push((variant.to_owned(), content));
        }
        let mut facts = vec!["enum"];
        facts.extend(defaulted.then_some("default"));
        facts.extend(none.then_some("none"));
        let derives = self.derives("JsonSchema", defaulted, "");
        let head = self.container(&name, &facts, tag, &derives);
        self.module
            .write(&format!("{head}pub enum {name} {{\n{body}}}"));
        Helper {
            default: defaulted,
            flat: true,
            ..plain(
                name,
                if whole {
                    Shape::Variants(variants)
                } else {
                    Shape::Opaque
                },
            )
        }
    }

    fn variant_attributes(&mut self, facts: &[&'static str]) -> String {
        let place = AttributeSite {
            name: "variant",
            facts: facts.iter().copied().collect(),
            ..AttributeSite::default()
        };
        self.attributes(&place, &[], "    ")
    }

    /// Fields with attributes, their names and types, and whether a value of all is written with them.
    pub fn fields(&mut self, owner: &Owner, count: usize) -> (String, Vec<(String, Ty)>, bool) {
        let mut text = String::new();
        let mut fields: Vec<(String, Ty)> = Vec::new();
        let mut whole = true;
        for index in 0..count {
            let mut name = self.module.dice.pick(&words::FIELDS).to_owned();
            if fields.iter().any(|(taken, _)| *taken == name) {
                name = format!(
                    "{}_{index}",
                    name.trim_start_matches("r#").trim_end_matches('_')
                );
            }
            let ty = match index {
                0 if owner.params > 0 => Ty::Param(0),
                _ => self.ty_for(owner),
            };
            whole &= self.field(owner, &name, &ty, &mut text);
            fields.push((name, ty));
        }
        (text, fields, whole)
    }

    fn ty_for(&mut self, owner: &Owner) -> Ty {
        for _ in 0..9 {
            let ty = self.module.ty(2, owner.params);
            if !owner.all_default || ty.has_default(&self.module.helpers) {
                return ty;
            }
        }
        Ty::Scalar("String")
    }

    /// One field; whether it is there under all conditions.
    pub fn field(&mut self, owner: &Owner, name: &str, ty: &Ty, text: &mut String) -> bool {
        let mut facts: BTreeSet<&'static str> = owner
            .facts
            .iter()
            .copied()
            .filter(|fact| ["kube", "none"].contains(fact))
            .collect();
        facts.extend(owner.named.then_some("named"));
        facts.extend(self.adapted.then_some("adapted"));
        facts.extend(self.facts_of(ty, owner.params));
        let place = AttributeSite {
            name: "field",
            facts,
            ty: Some(ty),
            this: "",
        };
        let attributes = self.attributes(&place, &[], "    ");
        text.push_str(&attributes);
        let written = ty.write(&self.module.helpers);
        let public = if owner.public { "pub " } else { "" };
        let name = if owner.named {
            format!("{name}: ")
        } else {
            String::new()
        };
        writeln!(text, "    {public}{name}{written},").unwrap();
        !attributes.contains("cfg(")
    }

    fn facts_of(&self, ty: &Ty, params: usize) -> Vec<&'static str> {
        let mut facts = Vec::new();
        let helpers = &self.module.helpers;
        facts.extend((params == 0 && ty.has_default(helpers)).then_some("default"));
        facts.extend((params == 0).then_some("value"));
        facts.extend(matches!(ty, Ty::Option(_)).then_some("option"));
        match ty.bare() {
            Ty::Scalar("String" | "PathBuf" | "char") => facts.push("text"),
            Ty::Scalar(name) if name.starts_with(['i', 'u', 'f']) => facts.push("number"),
            Ty::List(..) | Ty::Set(..) | Ty::Array(..) => facts.push("list"),
            Ty::Map(..) => facts.extend(["map", "object"]),
            Ty::Helper(index, _) if helpers[*index].flat => facts.push("object"),
            Ty::Foreign("LocalObjectReference" | "LabelSelector" | "Value") => facts.push("object"),
            _ => {}
        }
        facts
    }
}
