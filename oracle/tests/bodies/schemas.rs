//! Random functions that make schemas, compiled and read: what is read is what schemars is given, or is refused.
//!
//! A function begins with a schema, and each statement after it does something to what it is given. `ORACLE_SCHEMAS` says
//! how many functions there are, `ORACLE_SEED` the first seed.

use super::dice::Dice;
use super::texts::{self, Outcome};
use std::fmt::Write;

/// How many in a hundred are to be read at least: about three in ten functions are in the language of schemas.
const READ: usize = 25;

#[test]
fn random_schemas() {
    let number = |name: &str, default: u64| {
        let said = std::env::var(name).ok();
        said.map_or(default, |said| said.parse().unwrap())
    };
    let (first, count) = (number("ORACLE_SEED", 1), number("ORACLE_SCHEMAS", 100));
    let text: String = (first..first + count).map(module).collect();
    let outcomes = texts::outcomes(&format!("schemas-from-{first}"), &[&text]);
    let (mut equal, mut refused, mut wrong) = (0, 0, Vec::new());
    for (name, outcome) in &outcomes {
        match outcome {
            Outcome::Equal => equal += 1,
            Outcome::Documented(rows) => {
                wrong.push(format!("{name}: differs as documented: {rows:?}"))
            }
            Outcome::Refused(why) => {
                refused += 1;
                println!("refused {name}: {why}");
            }
            Outcome::Panics(why) => println!("kube panics {name}: {why}"),
            Outcome::Wrong(facts) => wrong.push(format!("{name}: {}", facts.join("\n  "))),
        }
    }
    println!(
        "{equal} of {} schemas equal, {refused} refused, {} wrong",
        outcomes.len(),
        wrong.len()
    );
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(equal * 100 >= outcomes.len() * READ, "too few are read");
}

const ITEMS: &str = "\
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};
const LIMIT: u64 = 40;
const WORDS: [&str; 3] = [\"one\", \"two\", \"three\"];
const PATTERN: Option<&str> = Some(\"^[a-z]+$\");
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub struct Pair { pub left: String, pub right: Option<u8> }
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub enum Plain { One, Two, Three }
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub enum Documented {
    /// The first.
    One,
    /// The second.
    Two,
}
fn described(schema: &mut Schema, text: &str) -> usize {
    schema.insert(\"description\".to_owned(), text.into());
    text.len()
}
fn bounded(generator: &mut SchemaGenerator, most: u64) -> Schema {
    let mut schema = generator.subschema_for::<String>();
    schema.insert(\"maxLength\".into(), most.into());
    schema
}
macro_rules! keyword {
    ($schema:ident, $key:literal, $value:expr) => {
        $schema.insert($key.to_owned(), $value.into())
    };
}
";

/// A module with one kind, whose field has a random schema.
fn module(seed: u64) -> String {
    let mut dice = Dice::new(seed.wrapping_mul(977).wrapping_add(5));
    let mut body = format!("    let mut schema = {};\n", start(&mut dice));
    for _ in 0..dice.roll(5) {
        let statement = match seed % 2 {
            0 => plain_statement(&mut dice),
            _ => statement(&mut dice),
        };
        // A block has one constant of a name.
        if !(statement.starts_with("const") && body.contains("const")) {
            writeln!(body, "    {statement}").unwrap();
        }
    }
    let end = match dice.roll(4) {
        0 if seed.is_multiple_of(2) => "schema.into()",
        0 => "return schema;",
        1 => "let made = schema;\n    made",
        2 => "json_schema!({ \"type\": \"object\", \"properties\": { \"inner\": schema } })",
        _ => "schema",
    };
    let field = match dice.roll(3) {
        0 => "pub struct Spec { pub a: Own }\npub type Made = Own;",
        _ => "pub struct Spec { #[schemars(schema_with = \"made\")] pub a: Value }",
    };
    let own = "#[derive(Clone, Debug, Deserialize, Serialize)]\npub struct Own(Value);\nimpl JsonSchema for Own {\n    fn schema_name() -> std::borrow::Cow<'static, str> { \"Own\".into() }\n    fn json_schema(generator: &mut SchemaGenerator) -> Schema { made(generator) }\n}\n";
    format!(
        "//# s{seed}\n{ITEMS}{own}fn made(generator: &mut SchemaGenerator) -> Schema {{\n{body}    {end}\n}}\nKIND\n{field}\n"
    )
}

fn start(dice: &mut Dice) -> String {
    let number = dice.roll(20);
    match dice.roll(12) {
        0 => format!("json_schema!({{ \"type\": \"string\", \"maxLength\": {number} }})"),
        1 => "json_schema!({ \"type\": \"string\", \"enum\": WORDS, \"minLength\": LIMIT + 1 })".to_owned(),
        2 => format!(
            "json_schema!({{ \"type\": \"object\", \"properties\": {{ \"x\": {{ \"type\": \"integer\", \"minimum\": {number} }}, \"y\": generator.subschema_for::<Pair>() }}, \"required\": [\"x\", \"y\"] }})"
        ),
        3 => "generator.subschema_for::<String>()".to_owned(),
        4 => "generator.subschema_for::<Pair>()".to_owned(),
        5 => "Plain::json_schema(generator)".to_owned(),
        6 => "<Documented as JsonSchema>::json_schema(generator)".to_owned(),
        7 => "Schema::try_from(json!({ \"type\": \"boolean\" })).unwrap()".to_owned(),
        8 => format!("bounded(generator, {number})"),
        9 => format!(
            "{{ let mut schema = Schema::default(); schema.insert(\"type\".into(), \"string\".into()); keyword!(schema, \"minLength\", {number}); schema }}"
        ),
        10 => "generator.subschema_for::<Option<Vec<Pair>>>()".to_owned(),
        _ => "serde_json::from_value(json!({ \"type\": \"string\", \"pattern\": PATTERN })).unwrap_or(Schema::default())".to_owned(),
    }
}

/// A keyword with a value that it takes.
fn entry(dice: &mut Dice) -> (&'static str, String) {
    let number = dice.roll(9);
    match dice.roll(10) {
        0 => (
            "description",
            format!("json!(format!(\"Text {{}}\", {number} + 1))"),
        ),
        1 => (
            "maxLength",
            "json!(if LIMIT > 30 { LIMIT } else { 1 })".to_owned(),
        ),
        2 => ("minLength", format!("json!({number})")),
        3 => ("pattern", "json!(PATTERN.unwrap_or(\".*\"))".to_owned()),
        4 => ("enum", "json!([\"one\", WORDS[1]])".to_owned()),
        5 => ("format", "Value::String(\"date\".to_owned())".to_owned()),
        6 => (
            "x-kubernetes-preserve-unknown-fields",
            "Value::Bool(true)".to_owned(),
        ),
        7 => ("maxItems", "Value::from(LIMIT)".to_owned()),
        8 => ("nullable", "true.into()".to_owned()),
        _ => ("title", format!("WORDS[{}].into()", number % 3)),
    }
}

/// A statement of the language of schemas.
fn plain_statement(dice: &mut Dice) -> String {
    let (key, value) = entry(dice);
    let number = dice.roll(7) + 1;
    match dice.roll(8) {
        0 => format!("schema.insert(\"{key}\".to_owned(), {value});"),
        1 => format!("schema.remove(\"{key}\");"),
        2 => format!("schema.ensure_object().insert(\"{key}\".into(), {value});"),
        3 => format!(
            "const LIMIT: u64 = {number}; schema.insert(\"maxLength\".into(), (LIMIT + 1).into());"
        ),
        4 => format!("schema.ensure_object().remove(\"{key}\");"),
        5 => format!("let value = {value}; schema.insert(\"{key}\".into(), value);"),
        6 => format!(
            "schema.remove(\"{key}\"); schema.insert(\"minLength\".into(), json!({number}));"
        ),
        _ => format!(
            "let mut schema = {{ let mut inner = schema.clone(); inner.insert(\"{key}\".into(), {value}); inner }};"
        ),
    }
}

fn statement(dice: &mut Dice) -> String {
    let (key, value) = entry(dice);
    let (other, second) = entry(dice);
    let number = dice.roll(7) + 1;
    match dice.roll(26) {
        0 => format!("schema.insert(\"{key}\".to_owned(), {value});"),
        1 => format!("schema.remove(\"{key}\");"),
        2 => format!("schema.ensure_object().insert(\"{key}\".into(), {value});"),
        3 => format!(
            "for (key, value) in [(\"{key}\", {value}), (\"{other}\", {second})] {{ schema.insert(key.to_string(), value); }}"
        ),
        4 => format!("if let Some(value) = schema.get_mut(\"{key}\") {{ *value = {value}; }}"),
        5 => format!(
            "const LIMIT: u64 = {number}; schema.insert(\"maxLength\".into(), (LIMIT + 1).into());"
        ),
        6 => format!(
            "schema.ensure_object().entry(\"{key}\").or_insert_with(|| {value});"
        ),
        7 => "if let Some(words) = schema.get_mut(\"enum\").and_then(|words| words.as_array_mut()) { words.retain(|word| word != \"Two\"); words.push(\"four\".into()); }".to_owned(),
        8 => "if let Some(Value::Array(choices)) = schema.get_mut(\"oneOf\") { choices.retain(|choice| choice[\"const\"] == \"One\"); }".to_owned(),
        9 => format!(
            "let mut copy = schema.clone(); copy.insert(\"{key}\".into(), {value}); if LIMIT > {number} {{ schema = copy; }}"
        ),
        10 => format!(
            "match schema.get(\"type\").and_then(Value::as_str) {{ Some(\"string\") => {{ schema.insert(\"maxLength\".into(), {number}.into()); }} Some(_) => {{ schema.insert(\"title\".into(), \"Other\".into()); }} None => {{}} }}"
        ),
        11 => format!(
            "let mut value = schema.to_value(); value[\"{key}\"] = {value}; let mut schema = Schema::try_from(value).unwrap();"
        ),
        12 => "let length = described(&mut schema, \"Words.\"); schema.insert(\"maxLength\".into(), length.into());".to_owned(),
        13 => "let mut names: Vec<String> = WORDS.iter().map(|word| word.to_uppercase()).collect(); names.sort(); schema.insert(\"enum\".into(), names.into());".to_owned(),
        14 => "if let Some(required) = schema.get_mut(\"required\").and_then(Value::as_array_mut) { required.retain(|name| name.as_str() != Some(\"x\")); }".to_owned(),
        15 => format!(
            "let schema_of = |most: u64| json!({{ \"type\": \"string\", \"maxLength\": most }}); schema.insert(\"items\".into(), schema_of({number}));"
        ),
        16 => "let keys: Vec<String> = schema.as_object().map(|object| object.keys().cloned().collect()).unwrap_or_default(); if keys.len() == 1 { schema.insert(\"title\".into(), \"Short\".into()); }".to_owned(),
        17 => format!("keyword!(schema, \"minLength\", {number});"),
        18 => format!(
            "macro_rules! json {{ ($($any:tt)*) => {{ serde_json::Value::from({number}) }} }} schema.insert(\"minLength\".into(), json!(0));"
        ),
        19 => "if let Some(index) = schema.get_mut(\"oneOf\").and_then(|all| all.as_array_mut()).and_then(|all| all.iter().position(|one| one.get(\"const\") == Some(&json!(\"Two\")))) { schema.insert(\"minLength\".into(), index.into()); }".to_owned(),
        20 => format!("let Some(object) = schema.as_object_mut() else {{ unreachable!() }}; object.insert(\"{key}\".into(), {value});"),
        21 => "if let Some(Value::Object(properties)) = schema.get_mut(\"properties\") { properties.remove(\"x\"); properties.insert(\"z\".into(), json!({ \"type\": \"boolean\" })); }".to_owned(),
        22 => format!(
            "if let Some(object) = schema.as_object_mut() {{ object.insert(\"{key}\".into(), {value}); }}"
        ),
        23 => format!(
            "let object = schema.ensure_object(); object.remove(\"{key}\"); object.insert(\"minLength\".into(), json!({number}));"
        ),
        24 => format!("schema.insert(\"default\".into(), json!({{ \"left\": \"a{number}\" }}));"),
        _ => format!("let old = schema.insert(\"{key}\".into(), {value}); if old.is_none() {{ schema.insert(\"minLength\".into(), {number}.into()); }}"),
    }
}
