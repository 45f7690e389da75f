//! Random rules for the nodes of a schema.

use super::dice::Dice;
use serde_json::{Value, json};

/// The name of a field in expressions; `None` if it cannot be written.
fn escaped(name: &str) -> Option<&str> {
    match name {
        "status-code" => Some("status__dash__code"),
        "if" => Some("__if__"),
        "in" => Some("__in__"),
        "x__y" => Some("x__underscores__y"),
        "a.b/c" => Some("a__dot__b__slash__c"),
        "x y" => None,
        other => Some(other),
    }
}

/// Adds rules to a schema and all nodes below. Below lists whose items have no keys there is no `oldSelf`.
pub fn add(dice: &mut Dice, schema: &mut Value, correlatable: bool) {
    if dice.one_in(3) {
        let rules: Vec<Value> = (0..1 + dice.roll(2))
            .filter_map(|_| rule(dice, schema, correlatable))
            .collect();
        if !rules.is_empty() {
            schema["x-kubernetes-validations"] = rules.into();
        }
    }
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        for below in properties.values_mut() {
            add(dice, below, correlatable);
        }
    }
    if let Some(values) = schema.get_mut("additionalProperties") {
        add(dice, values, correlatable);
    }
    let keyed = schema["x-kubernetes-list-type"] == "map";
    if let Some(items) = schema.get_mut("items") {
        add(dice, items, correlatable && keyed);
    }
}

fn rule(dice: &mut Dice, schema: &Value, correlatable: bool) -> Option<Value> {
    if correlatable && dice.wants("optionalOldSelf", 10) && has_type(schema) {
        let texts = [
            "!oldSelf.hasValue() || oldSelf.value() == self",
            "oldSelf.optMap(o, o == self).orValue(true)",
        ];
        return Some(
            json!({ "rule": dice.pick(&texts), "optionalOldSelf": true, "message": "changed" }),
        );
    }
    let text = text(dice, schema, correlatable)?;
    let mut rule = json!({ "rule": text });
    if dice.one_in(2) {
        rule["message"] = dice.pick(&["it is wrong", " spaces "]).into();
    }
    if dice.one_in(3) {
        let reasons = [
            "FieldValueInvalid",
            "FieldValueRequired",
            "FieldValueForbidden",
            "FieldValueDuplicate",
        ];
        rule["reason"] = dice.pick(&reasons).into();
    }
    if dice.one_in(5) {
        rule["messageExpression"] = match schema["type"].as_str() {
            Some("integer") => "'not ' + string(self)".into(),
            _ => dice.pick(&["'a' + ' b '", "'\\n'", "['a'][1]"]).into(),
        };
    }
    if let Some(properties) = schema["properties"].as_object()
        && dice.one_in(3)
    {
        let names: Vec<&String> = properties.keys().collect();
        let name = names[dice.roll(names.len())];
        let is_plain = !name.contains(['.', ' ']);
        rule["fieldPath"] = match is_plain {
            true => format!(".{name}").into(),
            false => format!("['{name}']").into(),
        };
    }
    Some(rule)
}

fn has_type(schema: &Value) -> bool {
    if schema["x-kubernetes-int-or-string"] == true {
        return true;
    }
    match schema["type"].as_str() {
        Some("array") => has_type(&schema["items"]),
        Some("object") => schema.get("additionalProperties").is_none_or(has_type),
        Some(_) => true,
        None => false,
    }
}

fn text(dice: &mut Dice, schema: &Value, correlatable: bool) -> Option<String> {
    if !has_type(schema) {
        return None;
    }
    if correlatable && dice.one_in(5) {
        return Some("self == oldSelf".to_owned());
    }
    if schema["x-kubernetes-int-or-string"] == true {
        let texts = [
            "type(self) == int ? self > 1 : self != 'a'",
            "self == 1 || self == 'a'",
            "self > 1",
            "string(self).size() < 3",
            "self != 1",
            "self < 5",
            "self == '12' || self == 2.0",
        ];
        return Some(dice.pick(&texts).to_owned());
    }
    let texts: &[&str] = match schema["type"].as_str()? {
        "string" => match schema["format"].as_str() {
            Some("date" | "date-time") => &[
                "self > timestamp('2026-01-31T00:00:00Z')",
                "self.getMonth() == 0",
            ],
            Some("byte" | "duration") => &["self == self"],
            _ => &[
                "self != 'a'",
                "self.size() < 4",
                "self.startsWith('a')",
                "self.matches('^[a-z]+$')",
                "self == '' || self.contains('a')",
                "self in ['a', 'b', '12']",
                "int(self) > 3",
                "self.split(':').size() == 1",
                "self < 'b'",
                "isIP(self) || isCIDR(self)",
                "isQuantity(self)",
                "isURL(self) == self.startsWith('https://')",
                "self.lowerAscii() == self && self.trim() == self",
                "self.substring(1) != 'bc'",
                "self.indexOf('a') == 0",
                "bool(self)",
                "uint(self) > 3u",
                "double(self) < 3.0",
                "string(self) == self",
                "self.split('').map(c, c).size() > 2",
                "self.charAt(0) == 'a'",
                "self.replace('a', 'b') != 'b'",
            ],
        },
        "integer" => &[
            "self > 1",
            "self % 2 == 0",
            "self * 2 < 9",
            "12 / self > 1",
            "self + 9223372036854775800 > 0",
            "self in [1, 2, 3]",
            "double(self) / 2.0 < 3.0",
            "self == 1 ? true : self > 3",
            "-self < 0",
            "uint(self) > 1u",
            "self > 1.5",
            "string(self) != '3'",
            "uint(self) + 1u > 3u",
            "[self, 2].exists_one(x, x > 1)",
            "self / 2 * 2 == self",
            "dyn(self) == 2.0",
        ],
        "number" => &[
            "self > 1.0",
            "self != 2.5",
            "self * 2.0 < 9.0",
            "self < 3",
            "int(self) == 1",
            "uint(self) == 1u",
            "double(self) == self",
            "self / 2.0 > 0.5",
        ],
        "boolean" => &["self", "!self"],
        "array" => &[
            "self.size() > 1",
            "self.all(x, x == x)",
            "self.exists(x, x == self[0])",
            "self[1] == self[0]",
            "self == self",
            "self.exists_one(x, x == self[0])",
            "self.map(x, x).size() == size(self)",
            "self.filter(x, x != self[0]) == []",
            "self.all(i, x, i < 2 || x == self[0])",
            "size(self) == 0 || self[0] in self",
            "self.exists(i, x, i == 1 && x == self[1])",
            "self.existsOne(i, x, x == self[0])",
            "self.transformList(i, x, i).exists(i, i == 2)",
            "self.transformList(i, x, i > 0, x).size() == 1",
            "self.map(x, x == self[0], x).size() == 1",
            "self.transformMap(i, x, i * 2).all(k, v, v < 4)",
        ],
        _ if schema.get("additionalProperties").is_some() => &[
            "self.size() < 2",
            "self.all(k, k != 'a')",
            "'a' in self",
            "self.exists(k, self[k] == self[k])",
            "self.all(k, v, k != 'b' && v == v)",
            "self.exists(k, v, k == 'a' && v == self['a'])",
            "self.transformMap(k, v, k != 'a', k).size() == 1",
            "self.transformList(k, v, k).exists(k, k == 'b')",
            "self.map(k, k).size() == self.size()",
            "self.?a.optMap(v, v == self['a']).orValue(false)",
            "self[?'b'].hasValue()",
        ],
        _ => return object(dice, schema),
    };
    Some(dice.pick(texts).to_owned())
}

fn object(dice: &mut Dice, schema: &Value) -> Option<String> {
    if schema["x-kubernetes-embedded-resource"] == true && dice.one_in(2) {
        let texts = [
            "self.metadata.name == 'inner'",
            "self.kind == 'Pod'",
            "!has(self.metadata.generateName) && self.apiVersion == 'v1'",
        ];
        return Some(dice.pick(&texts).to_owned());
    }
    let typed: Vec<&str> = schema["properties"]
        .as_object()?
        .iter()
        .filter(|(_, property)| has_type(property))
        .filter_map(|(name, _)| escaped(name))
        .collect();
    if typed.is_empty() {
        return None;
    }
    let (one, other) = (typed[dice.roll(typed.len())], typed[dice.roll(typed.len())]);
    Some(match dice.roll(6) {
        0 => format!("has(self.{one})"),
        1 => format!("!has(self.{one}) || self.{one} == self.{one}"),
        2 => format!("has(self.{one}) != has(self.{other})"),
        3 => format!("self.?{one}.hasValue() || has(self.{other})"),
        4 => format!("self.{one} == self.{one}"),
        _ => format!("[has(self.{one}), has(self.{other})].all(x, x)"),
    })
}
