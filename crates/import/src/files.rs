//! The files of the package: its modules, and what they share.

use crate::homes::Module;
use crate::literals;
use crate::source::{Roots, Written};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The texts of all modules by their paths below `src`.
pub(crate) fn files(
    modules: BTreeMap<Module, Written>,
    roots: &Roots<'_>,
) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut children: BTreeMap<Module, BTreeSet<String>> = BTreeMap::new();
    let mut helpers = BTreeSet::new();
    for (module, written) in modules {
        for length in 0..module.len() {
            let inside = children.entry(module[..length].to_vec()).or_default();
            inside.insert(module[length].clone());
        }
        helpers.extend(written.helpers);
        files.insert(format!("{}.rs", module.join("/")), written.text);
    }
    let top = children.entry(Module::new()).or_default();
    if !roots.is_empty() {
        top.insert("root".to_owned());
        files.insert("root.rs".to_owned(), root(roots));
    }
    if !helpers.is_empty() {
        top.insert("schemas".to_owned());
        files.insert("schemas.rs".to_owned(), schemas(&helpers));
    }
    let parts = READING.iter().filter(|(name, _)| {
        files
            .values()
            .any(|text| text.contains(&format!("crate::reading::{name}")))
    });
    let parts: Vec<&str> = parts.map(|(_, text)| *text).collect();
    if !parts.is_empty() {
        top.insert("reading".to_owned());
        files.insert(
            "reading.rs".to_owned(),
            format!("//! How some objects are read.\n\n{}", parts.join("\n")),
        );
    }
    for (module, names) in children {
        let mut text = String::new();
        if module.is_empty() {
            text.push_str("//! The types of the API.\n\n");
        }
        for name in names {
            let is_private = ["reading", "schemas"].contains(&&*name) && module.is_empty();
            let visible = if is_private { "" } else { "pub " };
            let _ = writeln!(text, "{visible}mod {name};");
        }
        let path = match &*module {
            [] => "lib.rs".to_owned(),
            module => format!("{}/mod.rs", module.join("/")),
        };
        files.insert(path, text);
    }
    files
}

/// The module with what roots have instead of what every object has.
fn root(roots: &Roots<'_>) -> String {
    let mut text =
        "//! The schemas of what every object has.\n\nuse serde_json::{Value, json};\n".to_owned();
    for (name, value) in roots.values() {
        let json = literals::json(value);
        let _ = write!(
            text,
            "\npub fn {name}() -> Value {{\n    json!({json})\n}}\n"
        );
    }
    text
}

/// The module with functions that change schemas.
fn schemas(helpers: &BTreeSet<&str>) -> String {
    let mut text = "//! What the schemas of some fields lack, compared with those of their types.\n\nuse schemars::Schema;\n".to_owned();
    for (name, body) in HELPERS.iter().filter(|(name, _)| helpers.contains(name)) {
        let _ = write!(
            text,
            "\npub(crate) fn {name}(schema: &mut Schema) {{\n{body}}}\n"
        );
    }
    text
}

/// Functions that change what the schema of a type says: their names and bodies.
const HELPERS: [(&str, &str); 4] = [
    (
        "any_object",
        "    schema.remove(\"additionalProperties\");\n    let keep = \"x-kubernetes-preserve-unknown-fields\";\n    schema.insert(keep.to_owned(), true.into());\n",
    ),
    ("no_any_of", "    schema.remove(\"anyOf\");\n"),
    ("no_description", "    schema.remove(\"description\");\n"),
    ("no_format", "    schema.remove(\"format\");\n"),
];

/// What reads objects as serde's attributes cannot: names and texts.
const READING: [(&str, &str); 2] = [
    (
        "absent_is_empty",
        "\
/// Reads an object without `spec` as one with an empty `spec`, as Go does: serde asks an absent field
/// for an `Option`.
macro_rules! absent_is_empty {
    ($spec:ident) => {
        impl<'de> serde::Deserialize<'de> for $spec {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Visitor;

                impl<'de> serde::de::Visitor<'de> for Visitor {
                    type Value = $spec;

                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str(\"an object\")
                    }

                    fn visit_none<E: serde::de::Error>(self) -> Result<$spec, E> {
                        let nothing = std::iter::empty::<(&str, &str)>();
                        $spec::deserialize(serde::de::value::MapDeserializer::new(nothing))
                    }

                    fn visit_some<D: serde::Deserializer<'de>>(
                        self,
                        deserializer: D,
                    ) -> Result<$spec, D::Error> {
                        $spec::deserialize(deserializer)
                    }
                }

                deserializer.deserialize_option(Visitor)
            }
        }

        impl serde::Serialize for $spec {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $spec::serialize(self, serializer)
            }
        }
    };
}
pub(crate) use absent_is_empty;
",
    ),
    (
        "unknown",
        "\
/// Reads the fields of an object that its type does not have.
pub(crate) fn unknown<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<std::collections::BTreeMap<String, serde_json::Value>, D::Error> {
    use serde::Deserialize as _;
    let mut fields = std::collections::BTreeMap::deserialize(deserializer)?;
    // The type of the object writes these itself.
    fields.remove(\"apiVersion\");
    fields.remove(\"kind\");
    Ok(fields)
}
",
    ),
];
