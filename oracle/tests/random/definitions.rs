//! Random structs and aliases, with what may stand on any type.

use super::fields::Owner;
use super::module::Module;
use super::types::{Helper, PARAMS, Shape};
use super::words;
use std::fmt::Write;

/// The derives of every type.
pub const DERIVES: &str = "Clone, Debug, Deserialize, Serialize";

const MAKER: &str = "\
macro_rules! made {
    ($(#[$meta:meta])* $name:ident { $($field:ident: $ty:ty),* }) => {
        #[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
        $(#[$meta])*
        pub struct $name {
            $(pub $field: $ty,)*
        }
    };
}";

impl Module<'_> {
    /// Adds a type that the ones after it may use.
    pub fn define(&mut self) {
        let name = format!("H{}", self.helpers.len());
        let unit_structs = usize::from(self.dice.one_in(3));
        let helper = match self.dice.weigh(&[
            (44, "struct"),
            (24, "enum of names"),
            (18, "enum with data"),
            (10, "untagged enum"),
            (8, "newtype"),
            (5, "generic struct"),
            (4, "alias"),
            (4, "hand-written schema"),
            (3, "from and into"),
            (3, "type made by a macro"),
            (3, "internally tagged enum"),
            (3, "adjacently tagged enum"),
            (3, "enum of numbers"),
            (1, "names beside data"),
            (unit_structs, "unit struct"),
        ]) {
            "struct" => self.structure(name),
            "enum of names" => self.names(name),
            "newtype" => self.newtype(name),
            "generic struct" => self.generic(name),
            "alias" => {
                let ty = self.ty(2, 0);
                let written = ty.write(&self.helpers);
                self.write(&format!("pub type {name} = {written};"));
                plain(name, Shape::Alias(ty))
            }
            "hand-written schema" => self.by_hand(name),
            "from and into" => self.converted(name),
            "type made by a macro" => self.made(name),
            "enum of numbers" => self.numbers(name),
            "unit struct" => {
                self.write(&format!(
                    "#[derive({DERIVES}, JsonSchema)]\npub struct {name};"
                ));
                plain(name, Shape::Opaque)
            }
            tagging => self.choice(name, tagging),
        };
        self.helpers.push(helper);
    }

    /// The attributes that any type may have.
    pub fn container(&mut self, text: &mut String, cases: bool) {
        if self.dice.one_in(2) {
            text.push_str(&words::doc(self.dice, ""));
        }
        if cases && self.dice.wants("rename_all", 2) {
            let case = self.dice.pick(&words::CASES);
            writeln!(text, "#[serde(rename_all = \"{case}\")]").unwrap();
        }
        if self.dice.wants("deny_unknown_fields", 12) {
            text.push_str("#[serde(deny_unknown_fields)]\n");
        }
        if self.dice.wants("words on a type", 12) {
            text.push_str(self.dice.pick(&[
                "#[schemars(title = \"Titled\")]\n",
                "#[schemars(description = \"Of the type.\")]\n",
                "#[schemars(rename = \"Other\")]\n",
                "#[schemars(inline)]\n",
                "#[schemars(extend(\"x-kubernetes-map-type\" = \"atomic\"))]\n",
                "#[schemars(example = 3)]\n",
            ]));
        }
    }

    fn structure(&mut self, name: String) -> Helper {
        let flat = self.dice.one_in(3);
        let kube_schema = self.dice.wants("KubeSchema", 5);
        let default = self.dice.wants("derive(Default)", 3);
        let written = default && self.dice.wants("written Default", 3);
        let container_default = default && !kube_schema && self.dice.wants("container default", 2);
        let mut text = String::new();
        self.container(&mut text, true);
        if container_default {
            text.push_str("#[serde(default)]\n");
        }
        if kube_schema && self.dice.wants("rule on a struct", 3) {
            text.push_str("#[x_kube(validation = (\"true\", \"of the struct\"))]\n");
        }
        let schema = if kube_schema {
            "KubeSchema"
        } else {
            "JsonSchema"
        };
        let derived = if default && !written { ", Default" } else { "" };
        let owner = Owner {
            visibility: "pub ",
            indent: "    ",
            kube_schema,
            all_default: default,
            flatten: true,
            suffix: flat.then_some(self.helpers.len()),
            ..Owner::default()
        };
        let (body, fields) = if self.dice.wants("empty struct", 25) {
            (String::new(), Vec::new())
        } else {
            self.fields(owner, 6)
        };
        self.write(&format!(
            "#[derive({DERIVES}, {schema}{derived})]\n{text}pub struct {name} {{\n{body}}}"
        ));
        if written {
            let mut values = String::new();
            for (field, ty) in &fields {
                let value = ty.value(&self.helpers, self.dice);
                let value = value.unwrap_or_else(|| "Default::default()".to_owned());
                writeln!(values, "            {field}: {value},").unwrap();
            }
            self.write(&format!(
                "impl Default for {name} {{\n    fn default() -> Self {{\n        Self {{\n{values}        }}\n    }}\n}}"
            ));
        }
        Helper {
            default,
            flat,
            ..plain(name, Shape::Fields(fields))
        }
    }

    fn generic(&mut self, name: String) -> Helper {
        let params = 1 + self.dice.roll(2);
        let mut text = String::new();
        self.container(&mut text, true);
        let owner = Owner {
            visibility: "pub ",
            indent: "    ",
            params,
            ..Owner::default()
        };
        let (body, fields) = self.fields(owner, 3);
        let list = PARAMS[..params].join(", ");
        self.write(&format!(
            "#[derive({DERIVES}, JsonSchema)]\n{text}pub struct {name}<{list}> {{\n{body}}}"
        ));
        Helper {
            params,
            ..plain(name, Shape::Fields(fields))
        }
    }

    fn newtype(&mut self, name: String) -> Helper {
        let mut text = String::new();
        self.container(&mut text, false);
        let transparent = self.dice.wants("transparent", 3);
        if transparent {
            text = text.replace("#[serde(deny_unknown_fields)]\n", "");
            text.push_str("#[serde(transparent)]\n");
        }
        let ty = self.ty(2, 0);
        let default = ty.has_default(&self.helpers) && self.dice.one_in(2);
        let derived = if default { ", Default" } else { "" };
        let attributes = self.attributes(Owner::default(), "", &ty);
        let attributes: String = attributes.iter().map(|one| format!("{one} ")).collect();
        let written = ty.write(&self.helpers);
        let named = transparent && self.dice.one_in(2);
        let (body, shape) = if named {
            let body = format!(" {{\n    {attributes}\n    pub only: {written},\n}}");
            (body, Shape::Fields(vec![("only".to_owned(), ty)]))
        } else {
            (format!("({attributes}pub {written});"), Shape::Newtype(ty))
        };
        self.write(&format!(
            "#[derive({DERIVES}, JsonSchema{derived})]\n{text}pub struct {name}{body}"
        ));
        Helper {
            default,
            ..plain(name, shape)
        }
    }

    fn by_hand(&mut self, name: String) -> Helper {
        let schema = match self.dice.roll(5) {
            0 => "json_schema!({ \"type\": \"string\", \"enum\": [\"a\", \"b\"] })",
            1 => {
                "serde_json::json!({ \"type\": \"integer\", \"format\": \"int32\" }).try_into().unwrap()"
            }
            2 => {
                "let mut schema = generator.subschema_for::<Vec<String>>();\n        schema.insert(\"maxItems\".into(), 3.into());\n        schema"
            }
            3 => {
                "json_schema!({ \"type\": \"object\", \"x-kubernetes-preserve-unknown-fields\": true })"
            }
            _ => {
                "let mut schema = String::json_schema(generator);\n        schema.insert(\"format\".to_owned(), serde_json::json!(\"date\"));\n        schema.remove(\"minLength\");\n        schema"
            }
        };
        self.write(&format!(
            "#[derive({DERIVES})]\npub struct {name}(String);\n\nimpl JsonSchema for {name} {{\n    fn schema_name() -> std::borrow::Cow<'static, str> {{\n        \"{name}\".into()\n    }}\n\n    fn json_schema(generator: &mut SchemaGenerator) -> Schema {{\n        {schema}\n    }}\n}}"
        ));
        plain(name, Shape::Opaque)
    }

    fn converted(&mut self, name: String) -> Helper {
        let wire = self.ty(1, 0).write(&self.helpers);
        let mut text = String::new();
        self.container(&mut text, false);
        let text = text.replace("#[serde(deny_unknown_fields)]\n", "");
        self.write(&format!(
            "#[derive({DERIVES}, JsonSchema)]\n{text}#[serde(from = \"{wire}\", into = \"{wire}\")]\npub struct {name} {{\n    pub inner: u8,\n}}\n\nimpl From<{wire}> for {name} {{\n    fn from(_: {wire}) -> Self {{\n        Self {{ inner: 0 }}\n    }}\n}}\n\nimpl From<{name}> for {wire} {{\n    fn from(_: {name}) -> Self {{\n        unimplemented!()\n    }}\n}}"
        ));
        plain(name, Shape::Opaque)
    }

    fn made(&mut self, name: String) -> Helper {
        let number = self.number();
        self.write(&MAKER.replace("made", &format!("made_{number}")));
        let owner = Owner {
            bare: true,
            ..Owner::default()
        };
        let (body, fields) = self.fields(owner, 4);
        let body = body.trim_end().trim_end_matches(',');
        let meta = if self.dice.one_in(2) {
            "#[serde(rename_all = \"camelCase\")] "
        } else {
            ""
        };
        self.write(&format!("made_{number}!({meta}{name} {{\n{body}\n}});"));
        plain(name, Shape::Fields(fields))
    }
}

/// A type without a `Default`, an order or parameters.
pub fn plain(name: String, shape: Shape) -> Helper {
    Helper {
        name,
        params: 0,
        default: false,
        ord: false,
        flat: false,
        shape,
    }
}
