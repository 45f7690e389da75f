//! Keywords of schemas as attributes.

use crate::features::Here;
use crate::literals::{json, number, text};
use crate::merged::{Each, Keywords};
use crate::meta::Meta;
use crate::ty::Ty;
use serde_json::Value;

/// The attributes of an item, by the macro that reads them: arguments as they are written.
#[derive(Clone, Debug, Default, Eq, Hash, PartialEq)]
pub(crate) struct Attributes {
    /// The description in each channel.
    pub(crate) doc: Each<Option<String>>,
    pub(crate) serde: Vec<Meta>,
    /// Arguments that are plain lists of names and literals.
    pub(crate) schemars: Vec<Meta>,
    /// `extend(..)`: keys and JSON.
    pub(crate) extend: Vec<(String, String)>,
    /// The functions of the package that change the schema.
    pub(crate) transform: Vec<&'static str>,
    pub(crate) crd: Vec<Meta>,
    /// Rules.
    pub(crate) rules: Vec<String>,
    /// What only one channel has.
    pub(crate) conditional: Vec<Conditional>,
}

/// Attributes in one of the channels.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub(crate) struct Conditional {
    pub(crate) experimental: bool,
    pub(crate) feature: Option<String>,
    /// `extend(..)`: keys and JSON.
    pub(crate) extend: Vec<(String, String)>,
    /// Rules.
    pub(crate) rules: Vec<String>,
}

/// Where attributes stand.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Position {
    Field,
    Struct,
    Newtype,
}

/// Keywords that a conditional attribute may set.
const CONDITIONAL: [&str; 18] = [
    "allOf",
    "anyOf",
    "enum",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "oneOf",
    "pattern",
];

impl Attributes {
    /// Writes the keywords of a node that its Rust type does not say. Returns those that differ between the channels in a way
    /// that no attribute can say.
    pub(crate) fn of_keywords(
        keywords: Keywords,
        present: Each<bool>,
        position: Position,
        ty: &Ty,
        features: &Here<'_>,
    ) -> (Self, Vec<String>) {
        let mut attributes = Self::default();
        let mut differing = Vec::new();
        for (key, [stable, experimental]) in keywords {
            let both = present == [true, true];
            if key == "description" {
                attributes.doc = texts(&[stable, experimental], present);
            } else if key == "x-kubernetes-validations" {
                attributes.rules([stable, experimental], present, position, features);
            } else if !both || stable == experimental {
                let value = if present[1] { experimental } else { stable };
                if let Some(value) = value {
                    attributes.set(&key, &value, position, ty);
                }
            } else if CONDITIONAL.contains(&&*key) {
                for (value, is_experimental) in [(stable, false), (experimental, true)] {
                    let Some(value) = value else { continue };
                    let feature = features.named_in(&value.to_string());
                    let conditional = attributes.conditional(is_experimental, feature);
                    conditional.extend.push((key.clone(), json(&value)));
                }
            } else {
                differing.push(key);
            }
        }
        (attributes, differing)
    }

    fn conditional(&mut self, experimental: bool, feature: Option<String>) -> &mut Conditional {
        let known = self
            .conditional
            .iter()
            .position(|known| known.experimental == experimental && known.feature == feature);
        let index = known.unwrap_or_else(|| {
            self.conditional.push(Conditional {
                experimental,
                feature,
                extend: Vec::new(),
                rules: Vec::new(),
            });
            self.conditional.len() - 1
        });
        &mut self.conditional[index]
    }

    /// Writes the rules, those of one channel under a gate.
    fn rules(
        &mut self,
        rules: Each<Option<Value>>,
        present: Each<bool>,
        position: Position,
        features: &Here<'_>,
    ) {
        let lists = rules.map(|rules| match rules {
            Some(Value::Array(rules)) => rules,
            _ => Vec::new(),
        });
        let [stable, experimental] = &lists;
        let one = match present {
            [true, true] if stable != experimental => None,
            [true, false] => Some(stable),
            _ => Some(experimental),
        };
        let rust: Option<Vec<(&Value, String)>> = stable
            .iter()
            .chain(experimental)
            .map(|value| Some((value, rule(value)?)))
            .collect();
        // A newtype has no attribute for rules.
        let rust = rust.filter(|_| position != Position::Newtype);
        let key = || "x-kubernetes-validations".to_owned();
        let list = |rules: &[Value]| json(&Value::Array(rules.to_vec()));
        match (rust, one) {
            (Some(_), Some(rules)) => self.rules = rules.iter().filter_map(rule).collect(),
            (None, Some(rules)) => self.extend.push((key(), list(rules))),
            (Some(_), None) => {
                let always = stable.iter().filter(|rule| experimental.contains(rule));
                self.rules = always.filter_map(rule).collect();
                for (own, other, is_experimental) in
                    [(stable, experimental, false), (experimental, stable, true)]
                {
                    for only in own.iter().filter(|rule| !other.contains(rule)) {
                        let feature = features.named_in(&only.to_string());
                        let conditional = self.conditional(is_experimental, feature);
                        conditional.rules.extend(rule(only));
                    }
                }
            }
            // What `extend` sets replaces the whole list.
            (None, None) => {
                for (own, is_experimental) in [(stable, false), (experimental, true)] {
                    if !own.is_empty() {
                        let feature = features.named_in(&list(own));
                        let conditional = self.conditional(is_experimental, feature);
                        conditional.extend.push((key(), list(own)));
                    }
                }
            }
        }
    }

    /// Writes one keyword, in the readable form if there is one for this place.
    fn set(&mut self, key: &str, value: &Value, position: Position, ty: &Ty) {
        let is_field = position == Position::Field;
        let plain = inner(ty);
        let length = match (key, plain) {
            ("minLength", Ty::String)
            | ("minItems", Ty::List(_))
            | ("minProperties", Ty::Map(_)) => Some("min"),
            ("maxLength", Ty::String)
            | ("maxItems", Ty::List(_))
            | ("maxProperties", Ty::Map(_)) => Some("max"),
            _ => None,
        };
        let range = match (key, plain) {
            ("minimum", Ty::I32 | Ty::I64) => Some("min"),
            ("maximum", Ty::I32 | Ty::I64) => Some("max"),
            _ => None,
        };
        let integer = value.as_i64().filter(|_| value.is_i64() || value.is_u64());
        match (key, value) {
            (_, Value::Number(_)) if is_field && length.is_some() && integer.is_some() => {
                self.validation("length", length.unwrap_or_default(), &value.to_string());
            }
            (_, Value::Number(bound)) if is_field && range.is_some() && integer.is_some() => {
                self.validation("range", range.unwrap_or_default(), &number(bound));
            }
            ("pattern", Value::String(pattern)) if is_field && *plain == Ty::String => {
                self.schemars.push(Meta::list(
                    "regex",
                    [format!("pattern = {}", text(pattern))],
                ));
            }
            ("title", Value::String(title)) if position != Position::Newtype => {
                self.crd.push(format!("title = {}", text(title)).into());
            }
            ("x-kubernetes-list-type", Value::String(of)) if position != Position::Struct => {
                self.crd.push(format!("list_type = {}", text(of)).into());
            }
            ("x-kubernetes-list-map-keys", Value::Array(keys)) if position != Position::Struct => {
                self.crd
                    .push(Meta::list("list_map_keys", keys.iter().map(json)));
            }
            ("x-kubernetes-map-type", Value::String(of)) if position == Position::Struct => {
                self.crd.push(format!("struct_type = {}", text(of)).into());
            }
            ("x-kubernetes-map-type", Value::String(of)) if matches!(plain, Ty::Map(_)) => {
                self.crd.push(format!("map_type = {}", text(of)).into());
            }
            _ => self.extend.push((key.to_owned(), json(value))),
        }
    }

    /// Adds a bound to `length(..)` or `range(..)`.
    fn validation(&mut self, name: &'static str, end: &str, bound: &str) {
        let bound = Meta::Plain(format!("{end} = {bound}"));
        let known = self.schemars.iter_mut().find_map(|known| match known {
            Meta::List(of, bounds) if *of == name => Some(bounds),
            _ => None,
        });
        match known {
            // Keywords come in the order of their names, the maximum first.
            Some(bounds) => bounds.insert(0, bound),
            None => self.schemars.push(Meta::List(name, vec![bound])),
        }
    }
}

fn inner(ty: &Ty) -> &Ty {
    match ty {
        Ty::Option(inner) => inner,
        other => other,
    }
}

/// The texts of a keyword. A node that only one channel has says the same in both, since nothing asks for the other.
pub(crate) fn texts(values: &Each<Option<Value>>, present: Each<bool>) -> Each<Option<String>> {
    let text = |at: usize| {
        values[at]
            .as_ref()
            .and_then(Value::as_str)
            .map(str::to_owned)
    };
    match present {
        [true, false] => [text(0), text(0)],
        [false, true] => [text(1), text(1)],
        _ => [text(0), text(1)],
    }
}

/// A rule as kube's `Rule`, if that can say it.
pub(crate) fn rule(value: &Value) -> Option<String> {
    let entries = value.as_object()?;
    let text_at = |key: &str| entries.get(key).map(|value| value.as_str().map(text));
    let mut out = format!("Rule::new({})", text_at("rule")??);
    for key in entries.keys() {
        let known = [
            "rule",
            "message",
            "messageExpression",
            "reason",
            "fieldPath",
            "optionalOldSelf",
        ];
        if !known.contains(&&**key) {
            return None;
        }
    }
    match (text_at("message"), text_at("messageExpression")) {
        (Some(message), None) => out.push_str(&format!(".message({})", message?)),
        (None, Some(expression)) => {
            out.push_str(&format!(
                ".message(Message::Expression({}.into()))",
                expression?
            ));
        }
        (None, None) => {}
        (Some(_), Some(_)) => return None,
    }
    if let Some(path) = text_at("fieldPath") {
        out.push_str(&format!(".field_path({})", path?));
    }
    if let Some(reason) = entries.get("reason") {
        let reason = reason.as_str()?;
        out.push_str(&format!(".reason(Reason::{reason})"));
    }
    if let Some(optional) = entries.get("optionalOldSelf") {
        out.push_str(&format!(".optional_old_self({})", optional.as_bool()?));
    }
    Some(out)
}
