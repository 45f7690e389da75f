//! One module with one random kind and the types that it is made of.

use super::dice::Dice;
use super::types::{Helper, Ty};
use std::fmt::Write;

const HEAD: &str = "\
#![allow(dead_code, deprecated, non_camel_case_types, unused)]

use k8s_openapi::api::core::v1::*;
use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::*;
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use kube::{CustomResource, KubeSchema};
use schemars::{JsonSchema, JsonSchema_repr, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::*;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU16;
use std::path::PathBuf;
use std::time::Duration;

const LIMIT: u8 = 100;
const PATTERN: &str = \"^x\";
const TEXT: &str = concat!(\"Joined \", 1, \" text\");

fn is_seven(value: &i32) -> bool {
    *value == 7
}
";

pub struct Module<'d> {
    pub dice: &'d mut Dice,
    pub helpers: Vec<Helper>,
    /// The items, as text.
    pub text: String,
    /// How many names were made up.
    numbers: usize,
}

impl<'d> Module<'d> {
    /// A module without items of its own. What its types need is there, and `more`.
    pub fn new(dice: &'d mut Dice, more: &str) -> Self {
        Self {
            dice,
            helpers: Vec::new(),
            text: format!("{HEAD}{more}"),
            numbers: 0,
        }
    }

    /// Adds items.
    pub fn write(&mut self, items: &str) {
        self.text.push('\n');
        self.text.push_str(items);
        if !items.ends_with('\n') {
            self.text.push('\n');
        }
    }

    /// A number that no other name has.
    pub fn number(&mut self) -> usize {
        self.numbers += 1;
        self.numbers
    }

    /// A function that returns a value.
    pub fn function(&mut self, ty: &Ty, value: &str) -> String {
        let name = format!("value_{}", self.number());
        let returned = ty.write(&self.helpers);
        let body = match self.dice.roll(3) {
            0 => format!("let made: {returned} = {value};\n    made"),
            1 => format!("{{\n        {value}\n    }}"),
            _ => value.to_owned(),
        };
        self.write(&format!("fn {name}() -> {returned} {{\n    {body}\n}}"));
        name
    }

    /// A function that returns a schema.
    pub fn schema_function(&mut self, ty: &Ty) -> String {
        let name = format!("schema_{}", self.number());
        let ty = ty.write(&self.helpers);
        let body = match self.dice.roll(4) {
            0 => "json_schema!({ \"type\": \"string\", \"minLength\": 1, \"description\": \"From a function.\" })".to_owned(),
            1 => "generator.subschema_for::<Option<String>>()".to_owned(),
            2 => format!("let mut schema = <{ty}>::json_schema(generator);\n    schema.insert(\"title\".to_owned(), \"Inserted\".into());\n    schema"),
            _ => format!("json_schema!({{ \"type\": \"object\", \"properties\": {{ \"inner\": generator.subschema_for::<{ty}>() }} }})"),
        };
        let mut function = String::new();
        write!(
            function,
            "fn {name}(generator: &mut SchemaGenerator) -> Schema {{\n    {body}\n}}"
        )
        .unwrap();
        self.write(&function);
        name
    }
}
