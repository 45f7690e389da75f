//! Records of generic types hold for the arguments that they were taken for, and only where source does not tell. Draws kinds
//! whose fields are generic types with arguments, of which some have defaults or schemas that are holes. After edits that draw
//! other arguments, and make some holes readable, the CRDs of the old records are those that the compiler then confirms.
//!
//! `GENERICS` sets the number of programs, `GENERICS_SEED` the first seed.

use super::edits::{Dice, number};
use super::holes::{KIND, package};
use super::{Compiled, found};

/// Arguments that source tells everything about, and others. `Same` is two types; the schema of `Made` is a hole.
const READ: [&str; 3] = ["u8", "Read", "two::Same"];
const HOLES: [&str; 6] = [
    "Hole",
    "one::Same",
    "Late",
    "Made",
    "Role<Hole>",
    "Role<two::Same>",
];
const WRAPPED: [&str; 5] = [
    "$t",
    "Box<$t>",
    "Vec<$t>",
    "[$t; 2]",
    "BTreeMap<String, $t>",
];
const GENERIC: [&str; 5] = [
    "Role<$t>",
    "Whole<$t>",
    "Pair<$t, u8>",
    "Pair<Read, $t>",
    "By<$t>",
];

const TYPES: &str = r##"
use std::collections::BTreeMap;
macro_rules! text {
    ($name:ident, $default:expr) => {
        #[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
        pub struct $name { pub class: String }
        impl Default for $name {
            fn default() -> Self { $name { class: $default } }
        }
    };
}
text!(Read, "read".to_owned());
text!(Hole, "hole".replace("h", "H"));
text!(Late, "late".replace("l", "L"));
pub mod one {
    use super::*;
    text!(Same, "one".replace("o", "O"));
}
pub mod two {
    use super::*;
    text!(Same, "two".to_owned());
}
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Made(u8);
fn least(a: u8, b: u8) -> u8 { if a < b { a } else { b } }
impl JsonSchema for Made {
    fn schema_name() -> std::borrow::Cow<'static, str> { "Made".into() }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "integer", "maximum": least(7, 9) })
    }
}
pub trait Base: Clone + Default + std::fmt::Debug + serde::de::DeserializeOwned + JsonSchema + Serialize {}
impl<T: Clone + Default + std::fmt::Debug + serde::de::DeserializeOwned + JsonSchema + Serialize> Base for T {}
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
#[serde(bound = "")]
pub struct Role<T: Base + Serialize> {
    #[serde(default)]
    pub config: T,
    #[serde(default)]
    pub others: Vec<T>,
}
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(bound = "", default)]
pub struct Whole<T: Base + Serialize> {
    pub part: T,
    pub count: u8,
}
impl<T: Base + Serialize> Default for Whole<T> {
    fn default() -> Self { Whole { part: T::default(), count: 3 } }
}
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
#[serde(bound = "")]
pub struct Pair<A: Base + Serialize, B: Base + Serialize> {
    #[serde(default)]
    pub first: A,
    #[serde(default)]
    pub second: Role<B>,
    pub third: Option<B>,
}
pub trait Part {
    type Out: Base;
}
macro_rules! part {
    ($($of:ty => $out:ty;)*) => { $(impl Part for $of { type Out = $out; })* };
}
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
#[serde(bound = "")]
pub struct By<T: Part> {
    #[serde(default)]
    pub out: <T as Part>::Out,
}
"##;

/// What `By` has for each argument, wrapped or not. Source never tells it.
fn parts() -> String {
    let arguments: Vec<&str> = READ.into_iter().chain(HOLES).collect();
    let mut parts = String::from("part! {\n");
    for (index, argument) in arguments.iter().enumerate() {
        for (by, wrapped) in WRAPPED.iter().enumerate() {
            let out = HOLES[(index + by) % HOLES.len()];
            parts += &format!("    {} => {out};\n", wrapped.replace("$t", argument));
        }
    }
    parts + "}\n"
}

/// Draws the type of a field.
fn draw(dice: &mut Dice, [generic, wrapped, arguments]: [&[&str]; 3]) -> String {
    let mut one = |of: &[&str]| of[dice.below(of.len())].to_owned();
    let argument = one(arguments);
    let wrapped = one(wrapped).replace("$t", &argument);
    one(generic).replace("$t", &wrapped)
}

fn kinds(types: &[String]) -> String {
    let mut kinds = TYPES.to_owned() + &parts();
    for (index, types) in types.chunks(4).enumerate() {
        kinds += &format!(
            "$kind\n#[kube(group = \"a.example.com\", version = \"v1\", kind = \"K{index}\")]\npub struct K{index}Spec {{\n"
        );
        for (index, ty) in types.iter().enumerate() {
            kinds += &format!("    pub f{index}: {ty},\n");
        }
        kinds += "}\n";
    }
    kinds
}

/// The CRDs that a run writes.
fn crds(project: &Compiled, arguments: &[&str]) -> Vec<String> {
    let mut crds = Vec::new();
    let ran = project
        .run(&[&["gen-crds", "--format", "json"], arguments].concat())
        .with_code(0);
    let errors = ["record-failed", "not-constant"];
    assert!(
        !found(&ran)
            .iter()
            .any(|code| errors.contains(&code.as_str())),
        "{ran:?}"
    );
    for index in 0.. {
        let path = format!("generated/stable/a.example.com_k{index}s.yaml");
        if !project.workspace.path(&path).is_file() {
            return crds;
        }
        crds.push(project.workspace.read(&path));
    }
    crds
}

#[test]
fn a_record_is_for_its_arguments() {
    for seed in number("GENERICS_SEED", 1)..number("GENERICS_SEED", 1) + number("GENERICS", 2) {
        let mut dice = Dice(seed);
        let all = [&READ[..], &HOLES].concat();
        let mut known = READ.map(|of| format!("By<{of}>")).to_vec();
        known.extend(HOLES.map(|of| format!("By<{of}>")));
        known.extend(HOLES.map(|of| format!("By<Box<{of}>>")));
        known.extend((known.len()..36).map(|_| draw(&mut dice, [&GENERIC, &WRAPPED, &all])));
        let project = package(&kinds(&known));
        crds(&project, &["--record"]);
        project.prove(&[], 0);
        // Other fields use what is known, and types that need no record.
        let used: Vec<String> = (0..known.len())
            .map(|index| match dice.below(2) {
                _ if index < READ.len() => known[index].clone(),
                0 => known[dice.below(known.len())].clone(),
                _ => draw(&mut dice, [&["Role<$t>"], &["Box<$t>"], &READ]),
            })
            .collect();
        let text = project.workspace.read("src/lib.rs");
        let head = text.find("use std::collections").unwrap();
        let kinds = kinds(&used).replace("$kind", KIND);
        project
            .workspace
            .write("src/lib.rs", text[..head].to_owned() + &kinds);
        let before = crds(&project, &[]);
        let after = crds(&project, &["--record"]);
        project.prove(&[], 0);
        for (before, after) in before.iter().zip(&after) {
            assert_eq!(before, after, "seed {seed}");
        }
        assert_eq!((before.len(), after.len()), (9, 9));
    }
}
