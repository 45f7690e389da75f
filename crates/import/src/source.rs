//! The text of the modules.

use crate::attributes::Attributes;
use crate::docs::{self, gate_name};
use crate::homes::{Homes, Module};
use crate::kinds::Kind;
use crate::known::KNOWN;
use crate::literals::text as text_literal;
use crate::merged::Each;
use crate::meta::{LINE, Meta, attribute, use_line};
use crate::names;
use crate::ty::Ty;
use crate::types::{Body, Definition, Definitions, Doc, Field, FieldDefault, Gate, Shape, Variant};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// What stands before a field or a variant.
const INDENT: &str = "    ";

/// One module while it is written.
#[derive(Default)]
struct Writer {
    /// Paths that the module uses.
    uses: BTreeSet<(String, String)>,
    items: String,
    /// Functions that return defaults: name and text.
    defaults: BTreeMap<String, String>,
    /// Functions of `crate::schemas` that the module uses.
    helpers: BTreeSet<&'static str>,
}

/// A module of the package.
pub(crate) struct Written {
    pub(crate) text: String,
    /// The functions of `crate::schemas` that it uses.
    pub(crate) helpers: BTreeSet<&'static str>,
}

/// The functions of `crate::root` with the values that they return, by the JSON of these.
pub(crate) type Roots<'a> = BTreeMap<String, (String, &'a Value)>;

/// What the text of every module depends on.
pub(crate) struct Package<'a> {
    pub(crate) kinds: &'a [Kind],
    pub(crate) definitions: &'a Definitions,
    pub(crate) homes: &'a Homes,
    pub(crate) roots: &'a Roots<'a>,
    /// Whether nothing generates CRDs of the types.
    pub(crate) is_client: bool,
}

impl Package<'_> {
    /// The modules with types.
    pub(crate) fn modules(&self) -> BTreeMap<Module, Written> {
        let mut modules: BTreeMap<Module, Writer> = BTreeMap::new();
        for (kind, module) in self.kinds.iter().zip(&self.homes.kinds) {
            let writer = modules.entry(module.clone()).or_default();
            self.kind(writer, kind, module);
        }
        // In the order in which a reader meets them.
        let mut order = Vec::new();
        for kind in self.kinds {
            order.extend(self.definitions.below(&crate::homes::roots(kind)));
        }
        let mut written = BTreeSet::new();
        for id in order.into_iter().filter(|id| written.insert(*id)) {
            let Some(module) = self.homes.definitions.get(&id) else {
                continue;
            };
            let writer = modules.entry(module.clone()).or_default();
            self.definition(writer, id, module);
        }
        modules
            .into_iter()
            .map(|(module, writer)| (module.clone(), writer.finish(&module)))
            .collect()
    }

    fn kind(&self, writer: &mut Writer, kind: &Kind, module: &Module) {
        let mut out = String::new();
        let is_ruled = !kind.rules.always.is_empty()
            || has_rules(&kind.spec)
            || !kind.rules.conditional.is_empty();
        let schema = if is_ruled { "KubeSchema" } else { "JsonSchema" };
        let is_default = self.is_client && self.definitions.is_default(&kind.spec);
        let mut derives = vec!["Clone", "CustomResource", "Debug"];
        if is_default {
            derives.push("Default");
        }
        derives.push("Deserialize");
        derives.extend((!self.is_client).then_some(schema));
        derives.extend(["PartialEq", "Serialize"]);
        derives.extend((!self.is_client).then_some("ApiType"));
        self.head(writer, &mut out, &kind.doc, &derives);
        // What may be there several times has an attribute of its own.
        let repeats = ["shortname", "category", "selectable"];
        let is_one = |meta: &&Meta| match meta {
            Meta::Plain(text) => !repeats.iter().any(|key| text.starts_with(key)),
            Meta::List(..) => false,
        };
        let (named, listed): (Vec<&Meta>, Vec<&Meta>) = kind.kube.always.iter().partition(is_one);
        let mut named: Vec<Meta> = named.into_iter().cloned().collect();
        if let Some(status) = kind.status {
            let status = self.named(writer, status, module);
            named.push(format!("status = {}", text_literal(&status)).into());
        }
        if is_default {
            named.push("derive = \"Default\"".to_owned().into());
        }
        named.push("derive = \"PartialEq\"".to_owned().into());
        attribute(&mut out, "", "kube", &named);
        for argument in listed {
            attribute(&mut out, "", "kube", std::slice::from_ref(argument));
        }
        for rule in &kind.rules.always {
            let _ = writeln!(out, "#[kube(validation = {})]", rule.on_one_line());
        }
        if !kind.crd.is_empty() {
            attribute(&mut out, "", "crd", &kind.crd);
        }
        if !kind.defaults.is_empty() {
            let _ = writeln!(out, "#[crd(default({}))]", kind.defaults.join(", "));
        }
        if let Some((function, _)) = self.roots.get(&kind.root.to_string()) {
            let _ = writeln!(out, "#[crd(root = crate::root::{function}())]");
        }
        if let Some(gate) = &kind.gate {
            let _ = writeln!(out, "{}", gate_text(gate));
        }
        for (experimental, argument) in &kind.kube.conditional {
            let kube = Meta::List("kube", vec![argument.clone()]);
            attribute(&mut out, "", gate_name(*experimental), &[kube]);
        }
        for (experimental, rule) in &kind.rules.conditional {
            let name = gate_name(*experimental);
            let _ = writeln!(out, "#[{name}(kube(validation = {}))]", rule.on_one_line());
        }
        if kind.may_lack_spec {
            out.push_str("#[serde(remote = \"Self\")]\n");
        }
        self.body(writer, &mut out, &kind.spec_name, &kind.spec, module);
        if kind.may_lack_spec {
            let _ = writeln!(
                out,
                "\ncrate::reading::absent_is_empty!({});",
                kind.spec_name
            );
        }
        writer.items.push_str(&out);
    }

    fn definition(&self, writer: &mut Writer, id: usize, module: &Module) {
        let Definition {
            shape,
            doc: documented,
            ..
        } = &self.definitions.all[id];
        let name = self.homes.names.get(&id).cloned().unwrap_or_default();
        let mut out = String::from("\n");
        let schema = match has_rules(shape) {
            true => "KubeSchema",
            false => "JsonSchema",
        };
        let free = [None, None];
        let texts = match documented {
            Doc::Fixed(texts) => texts,
            Doc::Free => &free,
        };
        let is_marked = shape.is_marked() || texts[0] != texts[1];
        let is_value = |variant: &Variant| variant.content.is_none();
        let is_of_values =
            matches!(&shape.body, Body::Enum(variants) if variants.iter().all(is_value));
        let is_default = match &shape.body {
            _ if self.is_client => self.definitions.is_default(shape),
            // A value without anything is only one where nothing is required.
            Body::Struct(fields) => fields.iter().all(|field| matches!(field.ty, Ty::Option(_))),
            _ => false,
        };
        let derives = [
            ("Clone", true),
            ("Copy", is_of_values),
            ("Debug", true),
            ("Default", is_default),
            ("Deserialize", true),
            ("Eq", is_of_values),
            (schema, !self.is_client),
            ("PartialEq", true),
            ("Serialize", true),
            ("ApiType", is_marked && !self.is_client),
        ];
        let derives = derives.iter().filter(|(_, is)| *is);
        let derives: Vec<&str> = derives.map(|(name, _)| *name).collect();
        self.head(writer, &mut out, texts, &derives);
        self.body(writer, &mut out, &name, shape, module);
        writer.items.push_str(&out);
    }

    /// The documentation and the derives of an item.
    fn head(
        &self,
        writer: &mut Writer,
        out: &mut String,
        texts: &Each<Option<String>>,
        derives: &[&str],
    ) {
        derives.iter().for_each(|name| writer.import(name));
        let mut below = String::new();
        self.doc(out, &mut below, "", texts);
        let _ = writeln!(out, "#[derive({})]", derives.join(", "));
        out.push_str(&below);
    }

    fn doc(
        &self,
        out: &mut String,
        below: &mut String,
        indent: &str,
        texts: &Each<Option<String>>,
    ) {
        match self.is_client {
            true => docs::plain(out, indent, texts),
            false => docs::write(out, below, indent, texts),
        }
    }

    /// The attributes and the item itself.
    fn body(
        &self,
        writer: &mut Writer,
        out: &mut String,
        name: &str,
        shape: &Shape,
        module: &Module,
    ) {
        if !self.is_client {
            attributes(writer, out, "", &shape.attributes);
        }
        match &shape.body {
            Body::Struct(fields) => {
                let camel = fields
                    .iter()
                    .filter_map(|field| Some((field, field.property.as_ref()?)));
                let is_camel = camel.clone().any(|(field, property)| {
                    plain(&field.rust) != property && names::camel_case(&field.rust) == *property
                });
                if is_camel {
                    out.push_str("#[serde(rename_all = \"camelCase\")]\n");
                }
                if fields.is_empty() {
                    let _ = writeln!(out, "pub struct {name} {{}}");
                    return;
                }
                let _ = writeln!(out, "pub struct {name} {{");
                for field in fields {
                    self.field(writer, out, field, is_camel, module);
                }
                out.push_str("}\n");
            }
            Body::Enum(variants) => {
                let _ = writeln!(out, "pub enum {name} {{");
                for variant in variants {
                    self.variant(writer, out, variant, module);
                }
                out.push_str("}\n");
            }
            Body::Newtype(ty) => {
                let ty = self.ty(writer, ty, module);
                let _ = writeln!(out, "pub struct {name}(pub {ty});");
            }
        }
    }

    /// The description and the gate of a field or a variant.
    fn above(&self, out: &mut String, texts: &Each<Option<String>>, gate: Option<&Gate>) {
        let mut conditional_docs = String::new();
        self.doc(out, &mut conditional_docs, INDENT, texts);
        out.push_str(&conditional_docs);
        if let Some(gate) = gate {
            let _ = writeln!(out, "{INDENT}{}", gate_text(gate));
        }
    }

    fn variant(&self, writer: &mut Writer, out: &mut String, variant: &Variant, module: &Module) {
        self.above(out, &variant.doc, variant.gate.as_ref());
        if variant.rust != variant.value {
            let rename = format!("rename = {}", text_literal(&variant.value));
            attribute(out, INDENT, "serde", &[rename.into()]);
        }
        let content = variant.content.as_ref();
        let content = content.map(|ty| format!("({})", self.ty(writer, ty, module)));
        let _ = writeln!(
            out,
            "{INDENT}{}{},",
            variant.rust,
            content.unwrap_or_default()
        );
    }

    fn field(
        &self,
        writer: &mut Writer,
        out: &mut String,
        field: &Field,
        is_camel: bool,
        module: &Module,
    ) {
        self.above(out, &field.attributes.doc, field.gate.as_ref());
        let mut serde: Vec<Meta> = Vec::new();
        if let Some(property) = &field.property {
            let written = if is_camel {
                names::camel_case(&field.rust)
            } else {
                plain(&field.rust).to_owned()
            };
            if written != *property {
                serde.push(format!("rename = {}", text_literal(property)).into());
            }
        }
        if let Some(default) = &field.default {
            let function = self.default(writer, default, &field.ty, module);
            serde.push(format!("default = {}", text_literal(&function)).into());
        }
        serde.extend(field.attributes.serde.iter().cloned());
        if !serde.is_empty() {
            attribute(out, INDENT, "serde", &serde);
        }
        if !self.is_client {
            attributes(writer, out, INDENT, &field.attributes);
        }
        let ty = self.ty(writer, &field.ty, module);
        let one = format!("{INDENT}pub {}: {ty},", field.rust);
        match one.len() > LINE {
            true => {
                let _ = writeln!(out, "{INDENT}pub {}:\n{INDENT}    {ty},", field.rust);
            }
            false => {
                let _ = writeln!(out, "{one}");
            }
        }
    }

    /// The name of the function that returns a default.
    fn default(
        &self,
        writer: &mut Writer,
        default: &FieldDefault,
        ty: &Ty,
        module: &Module,
    ) -> String {
        let (words, value) = match default {
            FieldDefault::Literal(literal) => {
                let words = literal
                    .trim_end_matches(".to_owned()")
                    .trim_start_matches("r#");
                let words = match words {
                    "String::new()" => "empty",
                    words => words,
                };
                let words = match words.strip_prefix('-') {
                    Some(positive) => format!("minus_{positive}"),
                    None => words.to_owned(),
                };
                (words, literal.clone())
            }
            FieldDefault::Variant(id, index) => {
                let name = self.named(writer, *id, module);
                let Body::Enum(variants) = &self.definitions.all[*id].shape.body else {
                    return String::new();
                };
                let variant = variants
                    .get(*index)
                    .map_or("", |variant| variant.rust.as_str());
                (format!("{name}_{variant}"), format!("{name}::{variant}"))
            }
        };
        let ty = self.ty(writer, ty, module);
        let text = format!("() -> {ty} {{\n    {value}\n}}\n");
        let short: String = words
            .chars()
            .filter(|c| c.is_ascii_alphanumeric() || "_-. /".contains(*c))
            .take(40)
            .collect();
        let base = format!(
            "default_{}",
            names::in_snake_case(&short).trim_start_matches("m_")
        );
        let mut name = base.clone();
        let mut number = 1;
        while writer
            .defaults
            .get(&name)
            .is_some_and(|known| *known != text)
        {
            number += 1;
            name = format!("{base}_{number}");
        }
        writer.defaults.insert(name.clone(), text);
        name
    }

    fn ty(&self, writer: &mut Writer, ty: &Ty, module: &Module) -> String {
        let name = match ty {
            Ty::Named(id) => return self.named(writer, *id, module),
            Ty::Used(path) => return writer.used(path),
            Ty::Option(inner) => return format!("Option<{}>", self.ty(writer, inner, module)),
            Ty::List(inner) => return format!("Vec<{}>", self.ty(writer, inner, module)),
            Ty::Map(inner) => {
                writer.import("BTreeMap");
                return format!("BTreeMap<String, {}>", self.ty(writer, inner, module));
            }
            Ty::Object => {
                writer.import("Map");
                writer.import("Value");
                return "Map<String, Value>".to_owned();
            }
            Ty::Known(index) => KNOWN[*index].name,
            Ty::Bool => "bool",
            Ty::I32 => "i32",
            Ty::I64 => "i64",
            Ty::F64 => "f64",
            Ty::String => "String",
            Ty::Value => "Value",
            Ty::IntOrString => "IntOrString",
            Ty::Quantity => "Quantity",
        };
        writer.import(name);
        name.to_owned()
    }

    fn named(&self, writer: &mut Writer, id: usize, module: &Module) -> String {
        let name = self.homes.names.get(&id).cloned().unwrap_or_default();
        if let Some(home) = self
            .homes
            .definitions
            .get(&id)
            .filter(|home| *home != module)
        {
            writer
                .uses
                .insert((format!("crate::{}", home.join("::")), name.clone()));
        }
        name
    }
}

impl Writer {
    /// Uses a type that is there already; by its path, if the module has another of that name.
    fn used(&mut self, path: &str) -> String {
        let Some((module, name)) = path.rsplit_once("::") else {
            return path.to_owned();
        };
        let is_other = |(known, of): &(String, String)| of == name && known != module;
        if self.uses.iter().any(is_other) {
            return path.to_owned();
        }
        self.uses.insert((module.to_owned(), name.to_owned()));
        name.to_owned()
    }

    /// Uses a name of another crate.
    fn import(&mut self, name: &str) {
        let path = match name {
            "ApiType" => "crd_channels_derive",
            "CustomResource" | "KubeSchema" => "kube",
            "JsonSchema" => "schemars",
            "Deserialize" | "Serialize" => "serde",
            "Map" | "Value" => "serde_json",
            "BTreeMap" => "std::collections",
            "IntOrString" => "k8s_openapi::apimachinery::pkg::util::intstr",
            "Quantity" => "k8s_openapi::apimachinery::pkg::api::resource",
            "schemas" => "crate",
            _ => match KNOWN.iter().find(|known| known.name == name) {
                Some(known) => known.module,
                None => return,
            },
        };
        self.uses.insert((path.to_owned(), name.to_owned()));
    }

    fn finish(self, module: &Module) -> Written {
        let mut out = match module.last().map(String::as_str) {
            Some("shared") => "//! Types of several kinds.\n\n".to_owned(),
            _ => String::new(),
        };
        let mut by_path: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (path, name) in &self.uses {
            by_path.entry(path).or_default().push(name);
        }
        let mut lines: Vec<String> = by_path
            .iter()
            .map(|(path, names)| use_line(path, names))
            .collect();
        lines.sort();
        lines.iter().for_each(|line| out.push_str(line));
        out.push('\n');
        out.push_str(self.items.trim_start_matches('\n'));
        for (name, text) in &self.defaults {
            let _ = write!(out, "\nfn {name}{text}");
        }
        Written {
            text: out,
            helpers: self.helpers,
        }
    }
}

impl Shape {
    /// Whether it has attributes of this tool.
    fn is_marked(&self) -> bool {
        let marked = |attributes: &Attributes| {
            !attributes.crd.is_empty()
                || !attributes.conditional.is_empty()
                || attributes.doc[0] != attributes.doc[1]
        };
        marked(&self.attributes)
            || match &self.body {
                Body::Struct(fields) => fields
                    .iter()
                    .any(|field| field.gate.is_some() || marked(&field.attributes)),
                Body::Enum(variants) => variants.iter().any(|variant| variant.gate.is_some()),
                Body::Newtype(_) => false,
            }
    }
}

fn has_rules(shape: &Shape) -> bool {
    let of = |attributes: &Attributes| {
        !attributes.rules.is_empty() || attributes.conditional.iter().any(|it| !it.rules.is_empty())
    };
    let of_fields = match &shape.body {
        Body::Struct(fields) => fields.iter().any(|field| of(&field.attributes)),
        _ => false,
    };
    of(&shape.attributes) || of_fields
}

fn plain(rust: &str) -> &str {
    rust.strip_prefix("r#").unwrap_or(rust)
}

fn gate_text(gate: &Gate) -> String {
    let name = gate_name(gate.experimental);
    match &gate.feature {
        Some(feature) => format!("#[{name}(feature = {})]", text_literal(feature)),
        None => format!("#[{name}]"),
    }
}

/// The attributes but those of serde and the documentation.
fn attributes(writer: &mut Writer, out: &mut String, indent: &str, attributes: &Attributes) {
    if !attributes.schemars.is_empty() {
        attribute(out, indent, "schemars", &attributes.schemars);
    }
    for (key, value) in &attributes.extend {
        let _ = writeln!(out, "{indent}#[schemars(extend({key:?} = {value}))]");
    }
    for function in &attributes.transform {
        writer.import("schemas");
        writer.helpers.insert(function);
        let _ = writeln!(out, "{indent}#[schemars(transform = schemas::{function})]");
    }
    if !attributes.crd.is_empty() {
        attribute(out, indent, "crd", &attributes.crd);
    }
    for rule in &attributes.rules {
        let _ = writeln!(out, "{indent}#[x_kube(validation = {rule})]");
    }
    for conditional in &attributes.conditional {
        let name = gate_name(conditional.experimental);
        let mut arguments = Vec::new();
        if let Some(feature) = &conditional.feature {
            arguments.push(format!("feature = {}", text_literal(feature)));
        }
        let extend = conditional.extend.iter();
        arguments.extend(extend.map(|(key, value)| format!("schemars(extend({key:?} = {value}))")));
        let rules = conditional.rules.iter();
        arguments.extend(rules.map(|rule| format!("x_kube(validation = {rule})")));
        let _ = writeln!(out, "{indent}#[{name}({})]", arguments.join(", "));
    }
}
