//! Random types inside each other whose names in schemas are those of others, compiled and read: schemars writes a reference for
//! a type of which it is within another one of the same id, so what is read is what it writes, or is refused.
//!
//! `ORACLE_IDENTITIES` says how many kinds there are, `ORACLE_SEED` the first seed.

use super::dice::Dice;
use super::texts::{self, Outcome};
use std::fmt::Write;

/// How many in a hundred are to be read at least.
const READ: usize = 20;

/// How many types a kind has.
const TYPES: u64 = 4;

#[test]
fn random_identities() {
    let number = |name: &str, default: u64| {
        let said = std::env::var(name).ok();
        said.map_or(default, |said| said.parse().unwrap())
    };
    let (first, count) = (number("ORACLE_SEED", 1), number("ORACLE_IDENTITIES", 100));
    let text: String = (first..first + count).map(module).collect();
    let outcomes = texts::outcomes(&format!("identities-from-{first}"), &[&text]);
    let (mut equal, mut refused, mut panics, mut wrong) = (0, 0, 0, Vec::new());
    for (name, outcome) in &outcomes {
        match outcome {
            Outcome::Equal => equal += 1,
            Outcome::Documented(rows) => {
                wrong.push(format!("{name}: differs as documented: {rows:?}"));
            }
            Outcome::Refused(why) => {
                refused += 1;
                println!("refused {name}: {why}");
            }
            Outcome::Panics(why) => {
                panics += 1;
                println!("kube panics {name}: {why}");
            }
            Outcome::Wrong(facts) => wrong.push(format!("{name}: {}", facts.join("\n  "))),
        }
    }
    println!(
        "{equal} of {} identities equal, {refused} refused, kube panics at {panics}, {} wrong",
        outcomes.len(),
        wrong.len()
    );
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(equal * 100 >= outcomes.len() * READ, "too few are read");
}

/// A module with one kind, whose first type contains the others.
fn module(seed: u64) -> String {
    let mut dice = Dice::new(seed.wrapping_mul(1291).wrapping_add(7));
    let names: Vec<&str> = (0..TYPES).map(|_| dice.pick(&["A", "B"])).collect();
    let mut text = format!(
        "//# i{seed}\nuse kube::KubeSchema;\nuse schemars::{{Schema, SchemaGenerator, json_schema}};\nuse std::borrow::Cow;\nconst NAME: &str = \"A\";\n{}",
        wrapper(&mut dice)
    );
    for (index, name) in names.iter().enumerate() {
        let inner = names.iter().enumerate().skip(index + 1);
        let mut fields: Vec<(String, String)> = vec![("x".to_owned(), "u8".to_owned())];
        for (at, inner) in inner {
            // The next one, so that all are used.
            if at == index + 1 || dice.one_in(3) {
                let ty = format!("super::m{at}::{inner}");
                let ty = match dice.roll(4) {
                    0 => format!("super::W<{ty}>"),
                    1 => format!("Vec<{ty}>"),
                    _ => ty,
                };
                fields.push((format!("f{at}"), ty));
            }
        }
        writeln!(
            text,
            "pub mod m{index} {{\n    use super::*;\n{}}}",
            definition(name, &fields, &mut dice)
        )
        .unwrap();
    }
    writeln!(text, "KIND\npub struct Spec {{ pub a: m0::{} }}", names[0]).unwrap();
    text
}

/// A generic type, which tells its instances apart or not.
fn wrapper(dice: &mut Dice) -> String {
    let name = match dice.roll(5) {
        0 => return "#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]\npub struct W<T> { pub v: T }\n".to_owned(),
        1 => "\"W\".into()",
        2 => "T::schema_name()",
        3 => "format!(\"{}s\", T::schema_name()).into()",
        _ => "concat!(\"A\", \"\").into()",
    };
    format!(
        "#[derive(Clone, Debug, Deserialize, Serialize)]\npub struct W<T> {{ pub v: T }}\nimpl<T: JsonSchema> JsonSchema for W<T> {{\n    fn schema_name() -> Cow<'static, str> {{ {name} }}\n    fn json_schema(g: &mut SchemaGenerator) -> Schema {{ json_schema!({{ \"type\": \"object\", \"properties\": {{ \"v\": g.subschema_for::<T>() }}, \"required\": [\"v\"] }}) }}\n}}\n"
    )
}

/// A struct with a schema that is derived, kube's, or written by hand.
fn definition(name: &str, fields: &[(String, String)], dice: &mut Dice) -> String {
    let members: String = fields
        .iter()
        .map(|(field, ty)| format!("pub {field}: {ty}, "))
        .collect();
    let derives = "Clone, Debug, Deserialize, Serialize";
    match dice.roll(4) {
        0 => {
            return format!(
                "    #[derive({derives}, KubeSchema)]\n    pub struct {name} {{ {members}}}\n"
            );
        }
        1 => {
            return format!(
                "    #[derive({derives}, JsonSchema)]\n    #[schemars(rename = \"{}\")]\n    pub struct {name} {{ {members}}}\n",
                dice.pick(&["A", "B", "m1::A", "W<..>"])
            );
        }
        2 => {
            return format!(
                "    #[derive({derives}, JsonSchema)]\n    pub struct {name} {{ {members}}}\n"
            );
        }
        _ => {}
    }
    let properties: String = fields
        .iter()
        .map(|(field, ty)| format!("\"{field}\": g.subschema_for::<{ty}>(), "))
        .collect();
    let mut functions = format!(
        "        fn schema_name() -> Cow<'static, str> {{ {} }}\n",
        written(dice)
    );
    if dice.one_in(2) {
        writeln!(
            functions,
            "        fn schema_id() -> Cow<'static, str> {{ {} }}",
            written(dice)
        )
        .unwrap();
    }
    if dice.one_in(3) {
        functions.push_str("        fn inline_schema() -> bool { true }\n");
    }
    format!(
        "    #[derive({derives})]\n    pub struct {name} {{ {members}}}\n    impl JsonSchema for {name} {{\n{functions}        fn json_schema(g: &mut SchemaGenerator) -> Schema {{ json_schema!({{ \"type\": \"object\", \"properties\": {{ {properties}}} }}) }}\n    }}\n"
    )
}

/// A name as people write it.
fn written(dice: &mut Dice) -> &'static str {
    dice.pick(&[
        "\"A\".into()",
        "\"B\".into()",
        "Cow::Borrowed(\"A\")",
        "Cow::from(\"B\")",
        "stringify!(A).into()",
        "NAME.into()",
        "concat!(module_path!(), \"::A\").into()",
        "concat!(module_path!(), \"::B\").into()",
        "\"a\".to_uppercase().into()",
        "format!(\"{}\", NAME).into()",
        "String::from(\"B\").into()",
        "{ Cow::Owned(NAME.to_owned()) }",
    ])
}
