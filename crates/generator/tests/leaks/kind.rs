//! A random kind with gates, and the attributes at its places.

use super::dice::Dice;
use super::forms;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The input of a test.
pub struct Case {
    /// The source.
    pub text: String,
    /// The forms in it that name gated words.
    pub forms: Vec<String>,
    /// Whether these are only prose.
    pub prose: bool,
    /// The part that all gated words contain.
    pub word: &'static str,
}

/// A kind being built.
pub struct Kind {
    /// The serialized name of the gated field of `Part`.
    pub field: String,
    /// The same in Rust.
    pub field_ident: String,
    /// The serialized name of the gated value of `Pick`.
    pub value: String,
    /// The same in Rust.
    pub value_ident: String,
    /// The tagging of `Body`.
    pub tagging: usize,
    /// Optional fields that are required here.
    pub needs: Vec<&'static str>,
    /// Attributes, by their field or type.
    pub at: BTreeMap<&'static str, Vec<String>>,
    /// More keys of `#[kube(..)]`.
    pub kube: Vec<String>,
    /// Other items.
    pub items: Vec<String>,
}

const GATES: [&str; 5] = [
    "#[experimental]",
    "#[experimental(feature = \"Trial\")]",
    "#[cfg_attr(all(), experimental)]",
    "#[cfg_attr(not(any()), experimental(feature = \"Trial\"))]",
    "#[experimental]",
];

/// With it everything in the status is gated.
const GATED_STATUS: &str = "#[experimental(kube(status))]";

/// Returns a kind with gates, and up to two texts that name what is gated.
pub fn random(dice: &mut Dice) -> Case {
    let (field_ident, field, renamed) = *dice.pick(&[
        ("zq_field", "zqField", ""),
        ("zqplain", "zqplain", ""),
        ("other", "zqNamed", "#[serde(rename = \"zqNamed\")] "),
        ("zq_aliased", "zqAliased", "#[serde(alias = \"zqOld\")] "),
        (
            "both",
            "zqBoth",
            "#[serde(rename(serialize = \"zqBoth\", deserialize = \"zqBoth\"))] ",
        ),
    ]);
    let (value_ident, value, renamed_value) = *dice.pick(&[
        ("ZqValue", "ZqValue", ""),
        ("Other", "zq-other", "#[serde(rename = \"zq-other\")] "),
        ("ZqAliased", "ZqAliased", "#[serde(alias = \"zqwas\")] "),
    ]);
    let mut kind = Kind {
        field: field.to_owned(),
        field_ident: field_ident.to_owned(),
        value: value.to_owned(),
        value_ident: value_ident.to_owned(),
        tagging: dice.roll(4),
        needs: Vec::new(),
        at: BTreeMap::new(),
        kube: Vec::new(),
        items: Vec::new(),
    };
    under_gates(dice, &mut kind);
    let mut forms = Vec::new();
    let prose = dice.one_in(16);
    if prose {
        forms.push(forms::prose(dice, &mut kind));
    } else {
        for _ in 0..*dice.pick(&[0, 1, 1, 1, 1, 1, 1, 1, 1, 2]) {
            forms.push(forms::name(dice, &mut kind));
        }
    }
    let mut text = kind.text(dice, renamed, renamed_value);
    let mut word = "zq";
    if dice.one_in(4) {
        word = "yq";
        text = text
            .replace("experimental", "not_experimental")
            .replace("zq", "yq")
            .replace("Zq", "Yq");
    }
    Case {
        prose,
        text,
        forms,
        word,
    }
}

/// Adds items that are gated as a whole.
fn under_gates(dice: &mut Dice, kind: &mut Kind) {
    let all: [(&'static str, &str); 11] = [
        ("Spec", GATED_STATUS),
        (
            "Spec",
            "#[experimental(kube(scale(spec_replicas_path = \".spec.part.F\", status_replicas_path = \".status.zqstatus\")))]",
        ),
        (
            "Spec",
            "#[experimental(kube(shortname = \"zqs\", category = \"zqc\"))]",
        ),
        (
            "Spec",
            "#[experimental(kube(printcolumn(name = \"Zq\", type_ = \"string\", json_path = \".spec.plain\")))]",
        ),
        (
            "Spec",
            "#[experimental(x_kube(validation = \"self.plain != 'zqrule'\"))]",
        ),
        ("Part", "#[experimental(doc = \"Zq is said.\")]"),
        ("part", "#[experimental(doc = \"Zq is said.\")]"),
        (
            "Part",
            "#[experimental(x_kube(validation = \"!has(self.F)\"))]",
        ),
        (
            "pick",
            "#[experimental(schemars(extend(\"enum\" = [\"Open\", \"V\"])))]",
        ),
        (
            "plain",
            "#[experimental(schemars(regex(pattern = \"^zq\")))]",
        ),
        ("Pick", "#[experimental(doc = \"Zq is said.\")]"),
    ];
    for _ in 0..dice.roll(3) {
        let (place, attribute) = dice.pick(&all);
        let attribute = kind.fill(attribute);
        let known = kind.at.entry(place).or_default();
        if !known.contains(&attribute) {
            known.push(attribute);
        }
    }
}

impl Kind {
    /// Fills in the names: `F` is the field, `V` and `W` are the value, `W` where CEL selects it.
    pub fn fill(&self, template: &str) -> String {
        let mut filled = String::new();
        let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        let mut before = None;
        let mut rest = template.chars().peekable();
        while let Some(c) = rest.next() {
            let alone = !is_word(before) && !is_word(rest.peek().copied());
            match c {
                'F' if alone => filled.push_str(&self.field),
                'V' if alone => filled.push_str(&self.value),
                // Escaped for a CEL selection.
                'W' if alone => filled.push_str(&self.value.replace('-', "__dash__")),
                c => filled.push(c),
            }
            before = Some(c);
        }
        filled
    }

    /// Adds an attribute.
    pub fn write(&mut self, place: &'static str, attribute: String) {
        self.at.entry(place).or_default().push(attribute);
    }

    fn text(&self, dice: &mut Dice, renamed: &str, renamed_value: &str) -> String {
        let gate = |dice: &mut Dice| *dice.pick(&GATES);
        let at = |place: &str| {
            let all = self.at.get(place).map_or(&[][..], |all| &all[..]);
            all.iter().fold(String::new(), |mut text, attribute| {
                let _ = writeln!(text, "    {attribute}");
                text
            })
        };
        let mut text = String::from(
            "use kube::{CustomResource, KubeSchema};\n\
             use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};\n\
             use serde::{Deserialize, Serialize};\nuse std::collections::BTreeMap;\n\n",
        );
        let mut kube = vec![
            "group = \"a.example.com\", version = \"v1\", kind = \"Thing\", namespaced, status = \"ThingStatus\""
                .to_owned(),
        ];
        kube.extend(self.kube.iter().cloned());
        let mut fields = String::new();
        for (name, ty) in [
            ("plain", "String"),
            ("count", "Option<i32>"),
            ("part", "Option<Part>"),
            ("parts", "Vec<Part>"),
            ("named", "BTreeMap<String, Part>"),
            ("pick", "Option<Pick>"),
            ("picks", "Vec<Pick>"),
            ("keyed", "BTreeMap<Pick, i32>"),
        ] {
            let _ = writeln!(fields, "{}    pub {name}: {ty},", at(name));
        }
        if dice.one_in(2) || self.needs.contains(&"body") {
            let _ = writeln!(fields, "{}    pub body: Option<Body>,", at("body"));
        }
        if self.needs.contains(&"any") {
            let loose = "    #[schemars(with = \"serde_json::Value\")]\n";
            for (name, ty, before) in [
                ("any", "serde_json::Value", ""),
                ("many", "BTreeMap<String, serde_json::Value>", ""),
                ("loose", "Part", loose),
            ] {
                let _ = writeln!(fields, "{}{before}    pub {name}: {ty},", at(name));
            }
        }
        if dice.one_in(3) || self.needs.contains(&"wrap") {
            let _ = writeln!(fields, "{}    pub wrap: Option<Wrap<Part>>,", at("wrap"));
        }
        if dice.one_in(3) || self.needs.contains(&"flat") {
            let _ = writeln!(fields, "    #[serde(flatten)]\n    pub flat: Flat,");
        }
        if dice.one_in(3) {
            let _ = writeln!(
                fields,
                "    /// Zq is only here.\n    {}\n    pub zq_own: Option<Secret>,",
                gate(dice)
            );
        }
        let _ = writeln!(
            text,
            "/// A thing.\n#[derive(Clone, CustomResource, Debug, Deserialize, KubeSchema, Serialize)]\n#[kube({})]\n{}\
             #[serde(rename_all = \"camelCase\")]\npub struct ThingSpec {{\n{fields}}}\n",
            kube.join(", "),
            at("Spec"),
        );
        let _ = writeln!(
            text,
            "#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]\npub struct ThingStatus {{\n    \
             pub replicas: Option<i32>,\n{}    {}\n    pub zqstatus: Option<i32>,\n}}\n",
            if at("Spec").contains(GATED_STATUS) {
                "    /// Zq is counted.\n    pub zqcounted: Option<ZqChoice>,\n"
            } else {
                ""
            },
            gate(dice)
        );
        let part = format!(
            "/// A part.\n#[derive(Clone, Debug, Default, Deserialize, KubeSchema, Serialize)]\n{}\
             #[serde(rename_all = \"camelCase\")]\npub struct Part {{\n    pub kept: Option<String>,\n    \
             /// Zq is said of it.\n    {}\n    {renamed}pub {}: Option<String>,\n    pub pick: Option<Pick>,\n}}\n",
            at("Part"),
            gate(dice),
            self.field_ident,
        );
        match dice.roll(4) {
            0 => {
                let _ = writeln!(
                    text,
                    "macro_rules! made {{ ($($t:tt)*) => {{ $($t)* }} }}\nmade! {{\n{part}}}\n"
                );
            }
            1 => {
                let own = format!("pub {}:", self.field_ident);
                let part = part.replace(&own, "pub $field:");
                let _ = writeln!(
                    text,
                    "macro_rules! made {{ ($field:ident) => {{\n{part}}} }}\nmade!({});\n",
                    self.field_ident
                );
            }
            _ => text.push_str(&part),
        }
        let _ = writeln!(
            text,
            "#[derive(Clone, Debug, Default, Deserialize, Eq, JsonSchema, Ord, PartialEq, PartialOrd, Serialize)]\n{}\
             pub enum Pick {{\n    #[default]\n    Open,\n{}    Shut,\n    {}\n    {renamed_value}{},\n}}\n",
            at("Pick"),
            if dice.one_in(4) {
                "    /// It is shut.\n"
            } else {
                ""
            },
            gate(dice),
            self.value_ident,
        );
        let gate_of_body = gate(dice);
        text.push_str(&body(self.tagging, dice, gate_of_body));
        let _ = writeln!(
            text,
            "#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]\npub struct Wrap<T> {{\n    \
             pub inner: Option<T>,\n    {}\n    pub zqwrapped: Option<T>,\n}}\n",
            gate(dice)
        );
        let _ = writeln!(
            text,
            "#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]\npub struct Flat {{\n    \
             pub wide: Option<String>,\n    {}\n    pub zqflat: Option<String>,\n}}\n",
            gate(dice)
        );
        text.push_str(
            "#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]\npub struct Inner { pub zqinner: Option<String> }\n\n\
             /// Zq in all it says.\n#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]\npub struct Secret {\n    \
             /// Zq.\n    pub zqdeep: Option<ZqChoice>,\n}\n\n/// Zq to choose.\n\
             #[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]\npub enum ZqChoice { ZqOne, ZqTwo }\n\n",
        );
        for item in &self.items {
            let _ = writeln!(text, "{item}");
        }
        text
    }
}

/// Returns an enum with a gated variant that has content, with one of the taggings.
fn body(tagging: usize, dice: &mut Dice, gate: &str) -> String {
    let tagging = [
        "",
        "#[serde(tag = \"type\")]\n",
        "#[serde(tag = \"type\", content = \"with\")]\n",
        "#[serde(untagged)]\n",
    ][tagging];
    let carried = *dice.pick(&["ZqBody { zqinner: Option<String> }", "ZqBody(Inner)"]);
    format!(
        "#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]\n{tagging}pub enum Body {{\n    \
         Plain {{ a: String }},\n    /// Zq carries.\n    {gate}\n    {carried},\n}}\n\n"
    )
}
