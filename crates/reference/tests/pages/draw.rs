//! Random histories of CRDs: what is in a release and a channel is drawn for each name by itself, so that it stays, comes, changes
//! its channel or goes.

use crate::CHANNELS;
use crate::dice::Dice;
use crate::hostile::texts;
use crate::oracle::{Crds, Raw};
use serde_json::{Map, Value, json};

/// Names of fields, of which some are odd.
const NAMES: [&str; 30] = [
    "name",
    "kind",
    "size",
    "mode",
    "ref",
    "Ref",
    "REF",
    "items",
    "a-b",
    "$ref",
    "x_y",
    "a.b",
    "a/b",
    "a b",
    "it's",
    "say \"a\"",
    "größe",
    "日本",
    "",
    " y",
    "a[]",
    "b{}",
    "[]",
    "{}",
    "c|d",
    "<b>",
    "{{ 7 }}",
    "#",
    "e\u{301}",
    "a\u{202e}b",
];

/// Values of enums of strings.
const WORDS: [&str; 10] = [
    "A", "a", "", "B c", "d|e", "<f>", "{{ g }}", "\"", "`x", "ü",
];

/// Groups, with kinds and plurals, of which releases have the first or the second.
const KINDS: [(&str, [&str; 2], [&str; 2]); 4] = [
    ("example.dev", ["Bed", "Bed"], ["beds", "beds"]),
    ("example.dev", ["Chair", "Chair"], ["chairs", "chairz"]),
    ("example.dev", ["Pad", "Mat"], ["BEDS", "BEDS"]),
    ("other.example", ["Bed", "Bed"], ["beds", "beds"]),
];

/// The names of versions.
const VERSIONS: [&str; 4] = ["v1", "v1beta1", "v2alpha1", "v3"];

/// A version in one channel of a release of a history.
#[derive(Clone, Copy)]
struct Draw {
    history: u64,
    release: usize,
    channel: &'static str,
    version: &'static str,
}

/// Draws a history.
pub fn history(number: u64) -> Raw {
    let mut dice = Dice::new(&format!("{number}"));
    let count = 1 + dice.roll(5);
    let odd = dice.chance(1, 6);
    let releases = (0..count).map(|release| {
        let crds = CHANNELS.map(|(_, channel)| {
            let history = number;
            let draw = Draw {
                history,
                release,
                channel,
                version: "",
            };
            (
                channel,
                KINDS.iter().filter_map(|kind| draw.crd(kind)).collect(),
            )
        });
        let name = match release {
            _ if release > 0 && release + 1 == count && odd => "unreleased".to_owned(),
            _ if odd => format!("v<{release}>{{{{ 7 * 7 }}}}|_"),
            _ => format!("v0.{release}.0"),
        };
        (name, Crds::from(crds))
    });
    Raw {
        releases: releases.collect(),
    }
}

impl Draw {
    /// Dice of a name, the same in all releases and channels.
    fn dice(&self, name: &str) -> Dice {
        Dice::new(&format!("{} {name}", self.history))
    }

    /// Whether this channel has what is called so.
    fn has(&self, name: &str) -> bool {
        let mut dice = self.dice(&format!("has {name}"));
        let mut state = dice.roll(12);
        for _ in 0..self.release {
            if dice.chance(1, 4) {
                state = dice.roll(12);
            }
        }
        match state {
            0 => false,
            1..=3 => self.channel == "experimental",
            4 => self.channel == "stable",
            _ => true,
        }
    }

    /// Whether this channel has something that not every place can have: in `part` of `whole` cases.
    fn may(&self, name: &str, part: usize, whole: usize) -> bool {
        self.dice(&format!("may {name}")).chance(part, whole) && self.has(name)
    }

    /// One of several values, which sometimes is another one in the stable channel or in each version.
    fn pick<T: Clone>(&self, name: &str, all: &[T]) -> T {
        let mut dice = self.dice(&format!("pick {name}"));
        if dice.chance(1, 6) {
            dice = self.dice(&format!("pick {name} of {}", self.version));
        }
        if dice.chance(1, 6) && self.channel == "stable" {
            dice.roll(2);
        }
        dice.pick(all).unwrap().clone()
    }

    fn crd(&self, (group, kinds, plurals): &(&str, [&str; 2], [&str; 2])) -> Option<Value> {
        let own = format!("{group}/{}", kinds[0]);
        let name = self
            .dice(&format!("name {own}"))
            .roll(self.release + 1)
            .min(1);
        let (kind, plural) = (kinds[name], plurals[name]);
        let versions = VERSIONS.iter();
        let versions = versions.filter(|version| self.has(&format!("{own} {version}")));
        let versions = versions.map(|version| Self { version, ..*self }.version(&own));
        let versions: Vec<Value> = versions.collect();
        if versions.is_empty() || !self.may(&own, 1, 2) {
            return None;
        }
        let scope = if self.dice(&own).chance(1, 2) {
            "Cluster"
        } else {
            "Namespaced"
        };
        Some(json!({
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": format!("{plural}.{group}")},
            "spec": {
                "group": group, "scope": scope, "versions": versions,
                "names": {"plural": plural, "kind": kind, "shortNames": ["x"], "categories": ["all"]},
            },
        }))
    }

    fn version(&self, kind: &str) -> Value {
        let name = self.version;
        let own = format!("{kind} {name}");
        let may = |what: &str, part, whole| self.may(&format!("{own} {what}"), part, whole);
        let mut version = json!({
            "name": name, "served": !may("unserved", 2, 5), "storage": name == "v1",
            "subresources": {}, "selectableFields": [], "additionalPrinterColumns": [],
        });
        if may("deprecated", 1, 3) {
            version["deprecated"] = json!(true);
            let warning = self.text(&own);
            if may("warning", 1, 2) && !warning.trim().is_empty() {
                version["deprecationWarning"] = json!(warning);
            }
        }
        if may("status", 1, 2) {
            version["subresources"]["status"] = json!({});
        }
        if may("scale", 1, 3) {
            let scale = json!({"specReplicasPath": ".spec.a", "statusReplicasPath": ".status.a"});
            version["subresources"]["scale"] = scale;
            if may("selector", 1, 2) {
                version["subresources"]["scale"]["labelSelectorPath"] = json!(".status.b");
            }
        }
        for path in [".spec.a", ".spec['b c']"] {
            if may(path, 1, 3) {
                let paths = version["selectableFields"].as_array_mut().unwrap();
                paths.push(json!({"jsonPath": path}));
            }
            if may(&format!("column {path}"), 1, 3) {
                let mut column =
                    json!({"name": format!("Column {path}"), "type": "string", "jsonPath": path});
                let pick =
                    |what: &str, all: &[Value]| self.pick(&format!("{own} {path} {what}"), all);
                self.put(&mut column, &own, "format", &[json!("date")]);
                self.put(&mut column, &own, "description", &[json!("`a` <b> | c")]);
                column["priority"] = pick("priority", &[json!(0), json!(1), Value::Null]);
                version["additionalPrinterColumns"]
                    .as_array_mut()
                    .unwrap()
                    .push(column);
            }
        }
        // Versions are alike.
        let own = format!("{kind}.");
        let mut schema = json!({"type": "object", "properties": {}});
        for (field, ty) in [
            ("apiVersion", "string"),
            ("kind", "string"),
            ("metadata", "object"),
        ] {
            if self.may(&format!("{own} {field}"), 2, 3) {
                schema["properties"][field] = json!({ "type": ty });
                let own = format!("{own} {field}");
                self.put(
                    &mut schema["properties"][field],
                    &own,
                    "title",
                    &[json!("A")],
                );
            }
        }
        for field in ["spec", "status"] {
            if self.has(&format!("{own} {field}")) {
                let below = self.below(&own, field);
                schema["properties"][field] = self.object(&below, 3);
                self.say(&mut schema["properties"][field], &below);
            }
        }
        self.say(&mut schema, &own);
        self.require(&mut schema, &own);
        version["schema"] = json!({"openAPIV3Schema": schema});
        version
    }

    /// The name of a place for dice: sometimes versions differ from here on.
    fn below(&self, above: &str, step: &str) -> String {
        let own = format!("{above}/{step}");
        match self.dice(&format!("differs {own}")).chance(1, 8) {
            true => format!("{own} of {}", self.version),
            false => own,
        }
    }

    fn text(&self, name: &str) -> String {
        let long = "What people sleep in, which is long enough that a later version that says the same has a link.";
        let mut all = vec![
            "What it is.".to_owned(),
            long.to_owned(),
            "Deprecated: use another.".to_owned(),
        ];
        all.push(format!("{long}\n\nDeprecated: it is *old*."));
        let odd = texts().into_iter().filter(|text| text.len() < 1000);
        match self.dice(&format!("text {name}")).chance(1, 3) {
            true => self.pick(name, &odd.collect::<Vec<_>>()),
            false => self.pick(name, &all),
        }
    }

    /// Adds a keyword to some schemas.
    fn put(&self, schema: &mut Value, own: &str, keyword: &str, all: &[Value]) {
        let name = format!("{own} {keyword}");
        if self.may(&name, 1, 5) {
            schema[keyword] = self.pick(&name, all);
        }
    }

    /// Adds what every schema can say.
    fn say(&self, schema: &mut Value, own: &str) {
        if self.may(&format!("{own} described"), 1, 2) {
            schema["description"] = json!(self.text(own));
        }
        self.put(
            schema,
            own,
            "title",
            &[json!("A title"), json!("`a` <b>"), json!("|")],
        );
        self.put(schema, own, "nullable", &[json!(true), json!(false)]);
        let values = [
            json!(""),
            json!("a `b` | c"),
            json!(0),
            json!(-1.5e-7),
            json!(18446744073709551615_u64),
            json!(false),
            json!([]),
            json!({}),
            json!({"{{ a }}": [null, "<b>", {"ü": 1}]}),
            json!("\u{202e}\n"),
        ];
        self.put(schema, own, "default", &values);
        self.put(schema, own, "example", &values);
        let docs = json!({"url": "https://a.example/_b_?c=d|e", "description": "More"});
        self.put(
            schema,
            own,
            "externalDocs",
            &[
                docs,
                json!({"url": "javascript:a"}),
                json!({"description": "a `b`"}),
            ],
        );
        let rules = [
            "self == oldSelf",
            " self.a > 1\n  && self.b['{{ c }}'] < 2 ",
            "true || `|`",
        ];
        let mut all = Vec::new();
        for number in 0..2 {
            let own = format!("{own} rule {number}");
            if !self.may(&own, 1, 5) {
                continue;
            }
            let mut rule = json!({"rule": self.pick(&own, &rules)});
            self.put(
                &mut rule,
                &own,
                "message",
                &[json!("it is\nfixed"), json!("<b> `c` | _d_ {{ e }}")],
            );
            self.put(
                &mut rule,
                &own,
                "messageExpression",
                &[json!("'a' + self.b")],
            );
            self.put(&mut rule, &own, "reason", &[json!("FieldValueInvalid")]);
            self.put(
                &mut rule,
                &own,
                "fieldPath",
                &[json!(".a"), json!(".b['c d']")],
            );
            self.put(
                &mut rule,
                &own,
                "optionalOldSelf",
                &[json!(true), json!(false)],
            );
            all.push(rule);
        }
        if !all.is_empty() {
            schema["x-kubernetes-validations"] = Value::Array(all);
        }
    }

    /// Requires some of an object's fields, and one that it does not have.
    fn require(&self, schema: &mut Value, own: &str) {
        let names = schema["properties"].as_object().unwrap().keys().cloned();
        let names = names.chain(["other".to_owned()]);
        let names: Vec<String> = names
            .filter(|name| self.may(&format!("{own} requires {name}"), 1, 4))
            .collect();
        if !names.is_empty() {
            schema["required"] = json!(names);
        }
        let odd =
            json!({"properties": {"a": {"minLength": 2, "enum": ["x", 1]}}, "required": ["a"]});
        let (a, b) = (
            json!({"required": ["a"]}),
            json!({"required": ["b c", "d"]}),
        );
        for junctor in ["allOf", "anyOf", "oneOf"] {
            self.put(
                schema,
                own,
                junctor,
                &[json!([a, b]), json!([a, odd]), json!([b])],
            );
        }
        self.put(schema, own, "not", &[a, b, odd, json!({})]);
    }

    fn object(&self, own: &str, depth: usize) -> Value {
        let mut dice = self.dice(&format!("object {own}"));
        let mut properties = Map::new();
        for _ in 0..dice.roll(5) {
            let name = *dice.pick(&NAMES).unwrap();
            let own = self.below(own, name);
            if self.has(&own) {
                properties.insert(name.to_owned(), self.schema(&own, depth - 1));
            }
        }
        let mut schema = json!({"type": "object", "properties": properties});
        self.require(&mut schema, own);
        self.put(
            &mut schema,
            own,
            "x-kubernetes-map-type",
            &[json!("atomic"), json!("granular")],
        );
        self.put(
            &mut schema,
            own,
            "x-kubernetes-preserve-unknown-fields",
            &[json!(true)],
        );
        self.put(
            &mut schema,
            own,
            "x-kubernetes-embedded-resource",
            &[json!(true)],
        );
        schema
    }

    fn schema(&self, own: &str, depth: usize) -> Value {
        let counts = [json!(0), json!(1), json!(2), json!(u64::MAX)];
        // Elements of which some channels say nothing.
        let inner = |keyword: &str, step: &str| {
            let own = self.below(own, step);
            let is_there = !self.may(&format!("{own} free"), 1, 3);
            let inner = is_there.then(|| (keyword.to_owned(), self.schema(&own, depth - 1)));
            Value::Object(inner.into_iter().collect())
        };
        let kinds = [
            "string",
            "string",
            "string",
            "string",
            "integer",
            "number",
            "boolean",
            "any",
            "int-or-string",
            "object",
            "object",
            "array",
            "array",
            "map",
        ];
        let kinds = if depth == 0 { &kinds[..9] } else { &kinds };
        let kind = self
            .dice(&format!("kind {own}"))
            .pick(kinds)
            .copied()
            .unwrap();
        let mut schema = match kind {
            "object" => self.object(own, depth),
            "array" => inner("items", "[]"),
            "map" => inner("additionalProperties", "{}"),
            "any" => json!({"x-kubernetes-preserve-unknown-fields": true}),
            "int-or-string" => {
                json!({"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}]})
            }
            ty => json!({ "type": ty }),
        };
        match kind {
            "array" => schema["type"] = json!("array"),
            "map" => schema["type"] = json!("object"),
            _ => {}
        }
        let mut put = |keyword: &str, all: &[Value]| self.put(&mut schema, own, keyword, all);
        match kind {
            "string" => {
                put("minLength", &counts);
                put("maxLength", &counts);
                put(
                    "pattern",
                    &[
                        json!("^[a-z|`]*$"),
                        json!("{{ a }}"),
                        json!("a\nb"),
                        json!(""),
                    ],
                );
                put("format", &[json!("date-time"), json!("x<y>")]);
            }
            "integer" | "number" => {
                let numbers = [
                    json!(-1),
                    json!(0),
                    json!(0.5),
                    json!(i64::MIN),
                    json!(i64::MAX),
                    json!(u64::MAX),
                    json!(1e30),
                    json!(-2.5e-7),
                ];
                put("minimum", &numbers);
                put("maximum", &numbers);
                put("multipleOf", &numbers);
                put("exclusiveMinimum", &[json!(true), json!(false)]);
                put("exclusiveMaximum", &[json!(true)]);
                put("format", &[json!("int32")]);
            }
            "array" => {
                put("minItems", &counts);
                put("maxItems", &counts);
                put("format", &[json!("list")]);
                put(
                    "x-kubernetes-list-type",
                    &[json!("atomic"), json!("set"), json!("map")],
                );
                if schema["x-kubernetes-list-type"] == "map" {
                    let keys = [json!(["name"]), json!(["name", "a b"])];
                    schema["x-kubernetes-list-map-keys"] = self.pick(&format!("{own} keys"), &keys);
                }
            }
            "map" => {
                put("minProperties", &counts);
                put("maxProperties", &counts);
                put(
                    "x-kubernetes-map-type",
                    &[json!("atomic"), json!("granular")],
                );
            }
            "any" => put("additionalProperties", &[json!(true), json!(false)]),
            _ => {}
        }
        let all: Vec<Value> = match kind {
            "string" => WORDS.iter().map(|word| json!(word)).collect(),
            "integer" | "number" => [json!(1), json!(-1), json!(2.5), json!(u64::MAX)].to_vec(),
            "any" | "int-or-string" => [
                json!(null),
                json!(1),
                json!("1"),
                json!([1, {}]),
                json!({"a b": null}),
            ]
            .to_vec(),
            _ => Vec::new(),
        };
        let all: Vec<Value> = all
            .into_iter()
            .filter(|value| self.may(&format!("{own}={value}"), 2, 3))
            .collect();
        if !all.is_empty() && self.may(&format!("{own} enum"), 3, 4) {
            schema["enum"] = Value::Array(all);
        }
        self.say(&mut schema, own);
        schema
    }
}
