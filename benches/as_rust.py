"""Writes a set as a Rust workspace: the types, the channels, and a program that prints what kube-derive makes of them."""

import shutil
import textwrap

from kinds import FEATURES

FOREIGN = {
    "Condition": "apimachinery::pkg::apis::meta::v1",
    "IntOrString": "apimachinery::pkg::util::intstr",
    "LabelSelector": "apimachinery::pkg::apis::meta::v1",
    "Quantity": "apimachinery::pkg::api::resource",
    "ResourceRequirements": "api::core::v1",
    "SecretKeySelector": "api::core::v1",
    "Time": "apimachinery::pkg::apis::meta::v1",
    "Toleration": "api::core::v1",
}

WORKSPACE = """\
[workspace]
resolver = "3"
members = ["derived", "types"]

[profile.dev]
debug = "line-tables-only"
"""

TYPES = """\
[package]
name = "types"
version = "0.1.0"
edition = "2024"

[dependencies]
crd-channels-derive = {{ path = "{repository}/crates/derive" }}
k8s-openapi = {{ version = "0.29.0", default-features = false, features = ["v1_36", "schemars"] }}
kube = {{ version = "5.0.0", default-features = false, features = ["derive"] }}
schemars = {{ version = "1.2.3", default-features = false, features = ["derive", "std"] }}
serde = {{ version = "1.0.229", features = ["derive"] }}
serde_json = "1.0"
"""

DERIVED = """\
[package]
name = "derived"
version = "0.1.0"
edition = "2024"

[dependencies]
kube = { version = "5.0.0", default-features = false, features = ["derive"] }
serde_yaml = "0.9.34"
types = { path = "../types" }
"""

BUNDLE = """\
conventions = "kubernetes"
packages = ["types"]
annotation-prefix = "bench.example.com"
kubernetes = "1.32"
"""


def write(kinds, folder, repository):
    files = {
        "Cargo.toml": WORKSPACE,
        "types/Cargo.toml": TYPES.format(repository=repository),
        "types/src/lib.rs": _library(kinds),
        "derived/Cargo.toml": DERIVED,
        "derived/src/main.rs": _program(kinds),
        "channels/bundle.toml": BUNDLE,
        "channels/stable.toml": 'features = "none"\nannotation = "stable"\n',
        "channels/experimental.toml": 'features = "all"\nannotation = "experimental"\n',
        "channels/features.toml": "\n".join(map(_feature, FEATURES)),
    }
    files |= {f"types/src/{_module(kind)}.rs": _kind(kind) for kind in kinds}
    for path, text in files.items():
        path = folder / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    # The versions that this repository builds with are on the machine already.
    shutil.copy(repository / "Cargo.lock", folder / "Cargo.lock")


def _module(kind):
    return "".join("_" + c.lower() if c.isupper() else c for c in kind.name).strip("_")


def _feature(name):
    return f'[{name}]\nsummary = "A feature of the benchmark."\nowner = "nobody"\nlink = "README.md"\nsince = "v0.1.0"\n'


def _library(kinds):
    lines = ["//! A benchmark set."]
    lines += [f"pub mod {_module(kind)};" for kind in kinds]
    return "\n".join(lines) + "\n"


def _program(kinds):
    lines = ["//! Prints every CRD as kube-derive makes it.", "use kube::CustomResourceExt;", "fn main() {"]
    for kind in kinds:
        path = f"types::{_module(kind)}::{kind.name}"
        lines.append(f'    println!("---\\n{{}}", serde_yaml::to_string(&{path}::crd()).expect("a CRD is YAML"));')
    return "\n".join(lines) + "\n}\n"


def _kind(kind):
    fields = [field for struct in kind.structs for field in struct.fields]
    foreign = {(f.type.of or f.type).name for f in fields if (f.type.of or f.type).form == "foreign"}
    out = [f"//! `{kind.name}`", "", "use crd_channels_derive::ApiType;"]
    out += sorted(f"use k8s_openapi::{FOREIGN[name]}::{name};" for name in foreign)
    out += ["use kube::{CustomResource, KubeSchema};", "use schemars::JsonSchema;", "use serde::{Deserialize, Serialize};"]
    out += ["use std::collections::BTreeMap;", ""] if any(f.type.form == "map" for f in fields) else [""]
    defaults = set()
    for struct in reversed(kind.structs):
        out += _struct(kind, struct, defaults) + [""]
    for enum in kind.enums:
        out += _enum(enum) + [""]
    for number in sorted(defaults):
        out += [f"const fn int_{number}() -> i32 {{", f"    {number}", "}", ""]
    return "\n".join(out)


def _doc(text, indent=""):
    return [f"{indent}/// {line}" for line in textwrap.wrap(text, 110)]


def _rule(rule):
    return f'x_kube(validation = Rule::new("{rule.expression}").message("{rule.message}"))'


def _gated(rule):
    return f'experimental(feature = "{rule.feature}", {_rule(rule)})' if rule.feature else _rule(rule)


def _struct(kind, struct, defaults):
    out = _doc(struct.doc)
    root = struct.name == f"{kind.name}Spec"
    derives = "CustomResource, " if root else ""
    out.append(f"#[derive(Clone, {derives}Debug, Deserialize, KubeSchema, PartialEq, Serialize, ApiType)]")
    if root:
        out += _root(kind)
    out.append('#[serde(rename_all = "camelCase")]')
    out += [f"#[{_gated(rule)}]" for rule in struct.rules]
    out.append(f"pub struct {struct.name} {{")
    for field in struct.fields:
        out += _field(field, defaults)
    return out + ["}"]


def _root(kind):
    column = 'printcolumn = r#"{"name":"%s","type":"%s","jsonPath":"%s"}"#'
    return [
        "#[kube(",
        f'    group = "{kind.group}",',
        '    version = "v1",',
        f'    kind = "{kind.name}",',
        "    namespaced,",
        '    category = "bench",',
        f'    status = "{kind.name}Status",',
        f'    doc = "{kind.name} is a kind of the benchmark.",',
        '    derive = "PartialEq",',
        "    " + column % ("Revision", "string", ".spec.revision") + ",",
        "    " + column % ("Accepted", "string", r'.status.conditions[?(@.type==\"Accepted\")].status') + ",",
        "    " + column % ("Age", "date", ".metadata.creationTimestamp"),
        ")]",
    ]


def _field(field, defaults):
    type, indent = field.type, "    "
    out = _doc(field.doc, indent)
    if field.feature:
        out.append(f'{indent}#[experimental(feature = "{field.feature}")]')
    rust = _type(type)
    if type.form in ("list", "map") and field.optional:
        collection = "Vec" if type.form == "list" else "BTreeMap"
        out.append(f'{indent}#[serde(default, skip_serializing_if = "{collection}::is_empty")]')
    elif type.form == "enum" and field.default:
        out.append(f"{indent}#[serde(default)]")
    elif type.form == "int" and field.default is not None:
        defaults.add(field.default)
        out.append(f'{indent}#[serde(default = "int_{field.default}")]')
    elif field.optional:
        out.append(f'{indent}#[serde(skip_serializing_if = "Option::is_none")]')
        rust = f"Option<{rust}>"
    if validation := _validation(type):
        out.append(f"{indent}#[schemars({validation})]")
    if type.merge:
        merge = {"atomic": "Atomic", "set": "Set"}.get(type.merge, f'Map(vec!["{type.merge}".into()])')
        out.append(f"{indent}#[x_kube(merge_strategy = ListMerge::{merge})]")
    if field.rule:
        out.append(f"{indent}#[{_rule(field.rule)}]")
    return out + [f"{indent}pub {field.name}: {rust},"]


def _type(type):
    match type.form:
        case "list":
            return f"Vec<{_type(type.of)}>"
        case "map":
            return "BTreeMap<String, String>"
        case "struct" | "enum" | "foreign":
            return type.name
        case form:
            return {"string": "String", "int": "i32", "bool": "bool"}[form]


def _validation(type):
    match type.form:
        case "string":
            pattern = f', regex(pattern = r"{type.pattern}")' if type.pattern else ""
            return f"length(min = {type.minimum}, max = {type.maximum}){pattern}"
        case "int":
            return f"range(min = {type.minimum}, max = {type.maximum})"
        case "list":
            inner = f", inner({_validation(type.of)})" if type.of.form == "string" else ""
            return f"length(max = {type.maximum}){inner}"
        case _:
            return ""


def _enum(enum):
    out = _doc(enum.doc)
    out.append("#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize, ApiType)]")
    out.append(f"pub enum {enum.name} {{")
    for index, (name, doc, feature) in enumerate(enum.variants):
        out += _doc(doc, "    ")
        if feature:
            out.append(f'    #[experimental(feature = "{feature}")]')
        if index == 0:
            out.append("    #[default]")
        out.append(f"    {name},")
    return out + ["}"]
