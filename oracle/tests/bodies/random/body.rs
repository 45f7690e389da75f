//! One random function, and the kind whose field has its value as the default.

use super::expand::Names;
use super::grammar::Grammar;
use super::program::{Env, HEAD, Program, Var};
use super::types::{Own, Ty};
use crate::dice::Dice;
use std::collections::BTreeSet;
use std::fmt::Write;

/// A function, and what it is made of.
pub struct Body {
    /// The module, with `pub fn computed()` in it.
    pub text: String,
    ty: String,
    /// The path to the function, as serde's attribute has it.
    path: String,
    /// Whether `skip` says that the value is not written.
    skips: bool,
    /// Whether it is the container that has the default.
    container: bool,
    /// Whether each line is an item or an element, or the head or the end of a module or function.
    pub is_of_items: bool,
    /// The places of the rows that were used.
    pub used: BTreeSet<String>,
}

/// A function by its seed.
pub fn body(grammar: &Grammar, seed: u64) -> Body {
    let mut program = Program {
        dice: Dice::new(seed),
        grammar,
        rows: Vec::new(),
        own: Own::new(),
        numbers: 0,
        used: BTreeSet::new(),
    };
    let mut text = HEAD.to_owned();
    let ideas = program.dice.pick(&[0, 1, 1, 1, 2]);
    for _ in 0..ideas {
        let idea = &grammar.ideas[program.dice.roll(grammar.ideas.len())];
        program.idea(idea, &mut text);
    }
    let ty = program.returned();
    let block = program.block(&ty);
    let (path, function) = function(&mut program, &ty, &block);
    text.push_str(&function);
    let skip = match program.dice.one_in(if grammar.closed { 3 } else { 8 }) {
        true if grammar.closed => closed_skip(&mut program, &ty),
        true => Some(skip(&mut program, &ty)),
        false => None,
    };
    let skips = skip.is_some();
    text.push_str(&skip.unwrap_or_default());
    let skipped = if skips {
        "if skip(&value) { return Ok(None); }\n    "
    } else {
        ""
    };
    write!(
        text,
        "
pub fn computed() -> Result<Option<::serde_json::Value>, ::serde_json::Error> {{
    let value: {ty} = {path}();
    {skipped}::serde_json::to_value(value).map(Some)
}}
"
    )
    .unwrap();
    Body {
        text,
        ty: ty.to_string(),
        path,
        skips,
        container: program.dice.one_in(10),
        is_of_items: false,
        used: program.used,
    }
}

/// The function in one of the places where a default can stand: its path and its text.
fn function(program: &mut Program<'_>, ty: &Ty, block: &str) -> (String, String) {
    // Traits and type arguments are not in the language of values.
    let place = program.dice.roll(24);
    let place = if program.grammar.closed && place > 1 {
        4
    } else {
        place
    };
    let block = match program.grammar.closed && program.dice.one_in(6) {
        true => &format!("{{\n    return {block};\n}}"),
        false => block,
    };
    let (path, text) = match place {
        0 => (
            "inner::value",
            format!("mod inner {{\nuse super::*;\npub fn value() -> {ty} {block}}}"),
        ),
        1 => (
            "Maker::made",
            format!("pub struct Maker;\nimpl Maker {{\npub fn made() -> {ty} {block}}}"),
        ),
        2 => (
            "<Maker as Makes>::made",
            format!(
                "pub struct Maker;\nimpl Maker {{ pub fn made() -> u8 {{ 1 }} }}\npub trait Makes {{ fn made() -> {ty}; }}\nimpl Makes for Maker {{\nfn made() -> {ty} {block}}}"
            ),
        ),
        3 => (
            "made::<u8>",
            format!("pub fn made<Unused>() -> {ty} {block}"),
        ),
        _ => ("value", format!("pub fn value() -> {ty} {block}")),
    };
    (path.to_owned(), format!("\n{text}"))
}

/// The function of `skip_serializing_if`.
fn skip(program: &mut Program<'_>, ty: &Ty) -> String {
    let mut env = Env::default();
    env.push(Var {
        name: "field".to_owned(),
        ty: Ty {
            name: "&".to_owned(),
            args: vec![ty.clone()],
        },
        mutable: false,
    });
    let mut names = Names::default();
    let asked = "«bool»";
    let value = if program.dice.one_in(3) {
        program.expand(&format!("(*field == «{ty}»)"), &mut names, &env, 1)
    } else {
        program.expand(asked, &mut names, &env, 2)
    };
    format!("\nfn skip(field: &{ty}) -> bool {{\n    {value}\n}}\n")
}

/// The same in the language of values; `None` for types of which it has no tests.
fn closed_skip(program: &mut Program<'_>, ty: &Ty) -> Option<String> {
    let tests: &[&str] = match ty.name.as_str() {
        "bool" => &[
            "*field",
            "!field",
            "!*field",
            "field == &true",
            "*field != false",
        ],
        "String" => &[
            "field.is_empty()",
            "field == \"a\"",
            "*field != \"b\"",
            "!field.is_empty()",
        ],
        "Vec" | "BTreeMap" => &["field.is_empty()", "!field.is_empty()"],
        "Option" => &["field.is_none()", "!field.is_some()"],
        name if name.starts_with(['i', 'u']) => &[
            "*field == 3",
            "field == &8",
            "!(*field != 5)",
            "field != &1",
        ],
        _ => return None,
    };
    let test = program.dice.pick(tests);
    let test = match program.dice.one_in(4) {
        true => format!("return {test};"),
        false => test.to_owned(),
    };
    Some(format!(
        "\nfn skip(field: &{ty}) -> bool {{\n    {test}\n}}\n"
    ))
}

impl Body {
    /// A function at a path below these items.
    pub fn at(path: String, ty: &str, items: &str) -> Self {
        let text = format!(
            "{HEAD}{items}
pub fn computed() -> Result<Option<::serde_json::Value>, ::serde_json::Error> {{
    ::serde_json::to_value({path}()).map(Some)
}}
"
        );
        Self {
            text,
            ty: ty.to_owned(),
            path,
            skips: false,
            container: false,
            is_of_items: false,
            used: BTreeSet::new(),
        }
    }

    /// Removes the items at some lines; false if there is none that could be missing.
    pub fn repair(&mut self, lines: BTreeSet<usize>) -> bool {
        let can_be_missing = |line: &str| {
            line.ends_with([';', '}', ',']) && line.len() > 1 && !line.contains("value()")
        };
        let before = self.text.len();
        if self.is_of_items {
            let all = self.text.lines().enumerate();
            let kept = all.filter(|(at, line)| !lines.contains(&(at + 1)) || !can_be_missing(line));
            let kept: Vec<&str> = kept.map(|(_, line)| line).collect();
            self.text = kept.join("\n");
        }
        self.text.len() + 1 < before
    }

    /// The module as it is read: with a kind whose spec has the function's value as a default. Types of fields are read
    /// by serde as well, which would only take time to compile.
    pub fn with_kind(&self, name: &str) -> String {
        let Self { ty, path, .. } = self;
        let kind = name.to_uppercase();
        let read = self.text.replace("Serialize)]", "Serialize, Deserialize)]");
        let skip = if self.skips {
            ", skip_serializing_if = \"skip\""
        } else {
            ""
        };
        let (container, field, default) = if self.container {
            let field = if self.skips {
                "    #[serde(skip_serializing_if = \"skip\")]\n"
            } else {
                ""
            };
            (
                "#[serde(default)]\n",
                field.to_owned(),
                format!(
                    "impl Default for {kind}Spec {{\n    fn default() -> Self {{\n        Self {{ value: {path}() }}\n    }}\n}}\n"
                ),
            )
        } else {
            (
                "",
                format!("    #[serde(default = \"{path}\"{skip})]\n"),
                String::new(),
            )
        };
        format!(
            "{read}
#[derive(kube::CustomResource, Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
#[kube(group = \"bodies.example.dev\", version = \"v1\", kind = \"{kind}\")]
{container}pub struct {kind}Spec {{
{field}    #[schemars(with = \"serde_json::Value\")]
    pub value: {ty},
}}
{default}"
        )
    }

    /// Without the head that all have.
    pub fn shown(&self) -> String {
        let skip = if self.skips {
            "(skipped if `skip`)\n"
        } else {
            ""
        };
        let (_, own) = self.text.split_once("Duration;\n").unwrap();
        let (own, _) = own.rsplit_once("\npub fn computed()").unwrap();
        format!("{skip}{}", own.trim())
    }
}
