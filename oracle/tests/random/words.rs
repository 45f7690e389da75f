//! Names, documentation and keywords that random types carry.

use super::dice::Dice;
use super::types::Ty;

pub const FIELDS: [&str; 20] = [
    "name",
    "max_size",
    "host",
    "r#type",
    "x_y_z",
    "is_on",
    "url_path",
    "id",
    "v4_only",
    "_private",
    "trailing_",
    "größe",
    "r#in",
    "http2_port",
    "replicas",
    "label",
    "a",
    "mode_2",
    "timeout_ms",
    "tls",
];

pub const VARIANTS: [&str; 14] = [
    "Alpha",
    "BetaGamma",
    "HTTPRoute",
    "V1Beta1",
    "Delta",
    "OneTwoThree",
    "X",
    "Größe",
    "IPv4",
    "Never",
    "IfNotPresent",
    "Always",
    "A1b2",
    "Other_",
];

pub const CASES: [&str; 8] = [
    "lowercase",
    "UPPERCASE",
    "PascalCase",
    "camelCase",
    "snake_case",
    "SCREAMING_SNAKE_CASE",
    "kebab-case",
    "SCREAMING-KEBAB-CASE",
];

/// Lines of documentation, at this indent.
pub fn doc(dice: &mut Dice, indent: &str) -> String {
    let lines: &[&str] = match dice.roll(40) {
        0 => &["/// # A title", "///", "/// And words."],
        1..=3 => &["/// Two lines", "/// of one sentence."],
        12..=15 => &[
            "/// A paragraph.",
            "///",
            "/// Another with `code`, \"quotes\" and a \\ in it.",
        ],
        16..=18 => &["/** A block. */"],
        4 => &["#[doc = \"By attribute.\"]"],
        5 => &["/// - a list", "///   - in a list"],
        6 => &["///"],
        7 => &["/// # Only a title"],
        8..=11 => &["///No space: on, off, 1.0", "///   three spaces   "],
        _ => &["/// Some words."],
    };
    dice.note("doc comment");
    lines
        .iter()
        .map(|line| format!("{indent}{line}\n"))
        .collect()
}

/// A validation for values of a type, as `schemars`, `validate` or `garde` write it.
pub fn validation(dice: &mut Dice, ty: &Ty, validate_only: bool) -> Option<String> {
    let attribute = match dice.roll(6) {
        0 => "validate",
        1 if !validate_only => "garde",
        _ => "schemars",
    };
    let required = attribute == "schemars" && matches!(ty, Ty::Option(_)) && dice.one_in(8);
    let key = if required {
        dice.note("required");
        "required".to_owned()
    } else {
        keyword(dice, ty.bare(), attribute)?
    };
    dice.note(attribute);
    Some(format!("#[{attribute}({key})]"))
}

fn keyword(dice: &mut Dice, ty: &Ty, attribute: &'static str) -> Option<String> {
    Some(match ty {
        Ty::Scalar("String") => string_keyword(dice, attribute),
        Ty::Scalar("f32" | "f64") => {
            dice.note("range");
            dice.pick(&["range(min = 0.5)", "range(min = 1, max = 2.5e3)"])
                .to_owned()
        }
        Ty::Scalar(name) if name.starts_with(['i', 'u']) => {
            dice.note("range");
            let ranges = [
                "range(min = 1)",
                "range(max = 100)",
                "range(min = 2, max = LIMIT)",
            ];
            dice.pick(&ranges).to_owned()
        }
        Ty::List(_, items) | Ty::Set(_, items)
            if items.is_string() && attribute != "validate" && dice.one_in(2) =>
        {
            dice.note("inner");
            format!("inner({})", string_keyword(dice, attribute))
        }
        Ty::List(..) | Ty::Set(..) => length(dice),
        // Words that do not fit are ignored.
        _ if dice.wants("keyword that does not fit", 10) => length(dice),
        _ => return None,
    })
}

fn length(dice: &mut Dice) -> String {
    dice.note("length");
    dice.pick(&[
        "length(max = 9)",
        "length(min = 1, max = 4)",
        "length(equal = 2)",
    ])
    .to_owned()
}

fn string_keyword(dice: &mut Dice, attribute: &'static str) -> String {
    let pattern = match attribute {
        "validate" => "regex(path = PATTERN)",
        _ => "pattern(\"^[a-z]+$\")",
    };
    let regex = match attribute {
        "schemars" => "regex(pattern = r\"^a\\.b\")",
        _ => "url",
    };
    let contains = "contains(pattern = \"a.b\")";
    match dice.roll(9) {
        0 => {
            dice.note("pattern");
            pattern.to_owned()
        }
        1 => {
            dice.note("regex");
            regex.to_owned()
        }
        2 if attribute != "garde" => {
            dice.note("contains");
            contains.to_owned()
        }
        3 => {
            dice.note("format");
            dice.pick(&["email", "url", "ip", "ipv4", "ipv6"])
                .to_owned()
        }
        _ => length(dice),
    }
}

/// A keyword that stands beside what the type says.
pub fn extension(dice: &mut Dice, ty: &Ty) -> String {
    let fitting: &[&str] = match ty.bare() {
        Ty::List(..) => &[
            "\"x-kubernetes-list-type\" = \"atomic\", \"maxItems\" = 7",
            "\"minItems\" = 1",
        ],
        Ty::Map(..) => &[
            "\"maxProperties\" = 3",
            "\"x-kubernetes-map-type\" = \"atomic\"",
        ],
        Ty::Scalar("String") => &[
            "\"format\" = \"date-time\"",
            "\"maxLength\" = 9, \"minLength\" = 1",
            "\"nullable\" = true",
        ],
        _ => &[
            "\"description\" = \"By extension.\"",
            "\"x-unknown\" = [1, { \"a\": null }]",
            "\"title\" = concat!(\"By \", \"extension\")",
        ],
    };
    format!("#[schemars(extend({}))]", dice.pick(fitting))
}

/// A rule or a merge strategy of `KubeSchema`.
pub fn x_kube(dice: &mut Dice, ty: &Ty) -> String {
    let merge = match ty {
        Ty::List(_, items) if matches!(**items, Ty::Scalar("String")) => Some("ListMerge::Set"),
        Ty::List(..) => Some("ListMerge::Atomic"),
        Ty::Map(..) => Some("MapMerge::Granular"),
        _ => None,
    };
    match merge {
        Some(merge) if dice.one_in(2) => {
            dice.note("x_kube(merge_strategy)");
            format!("#[x_kube(merge_strategy = {merge})]")
        }
        _ => {
            dice.note("x_kube(validation)");
            let rules = [
                "\"true\"",
                "(\"true\", \"never said\")",
                "Rule::new(\"self == oldSelf\").message(\"immutable\")",
                "Rule::new(\"true\").message(Message::Expression(\"'a' + 'b'\".into())).reason(Reason::FieldValueForbidden)",
            ];
            format!("#[x_kube(validation = {})]", dice.pick(&rules))
        }
    }
}

/// How a field's default is left out of what is written.
pub fn skip_if(ty: &Ty) -> Option<&'static str> {
    match ty {
        Ty::Option(_) => Some("Option::is_none"),
        Ty::List("Vec", _) => Some("Vec::is_empty"),
        Ty::Map("BTreeMap", ..) => Some("BTreeMap::is_empty"),
        Ty::Scalar("String") => Some("String::is_empty"),
        Ty::Scalar("i32") => Some("is_seven"),
        Ty::Scalar("bool") => Some("std::ops::Not::not"),
        _ => None,
    }
}
