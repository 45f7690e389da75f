//! Forms that can name a gated field or value, each used where it is allowed.

use super::dice::Dice;
use super::kind::Kind;
use super::paths::{COLUMNS, FIELD_PATHS, SELECTABLE};
use super::rules::{ON_KEYS, ON_LIST, ON_MAP, ON_OBJECT, ON_VALUE, ON_VALUES};

/// `schemars(extend(..))`, by the place it is for.
const EXTENSIONS: &[(&str, &str)] = &[
    ("Part", "\"required\" = [\"F\"]"),
    ("part", "\"required\" = [\"kept\", \"F\"]"),
    (
        "Part",
        "\"properties\" = {\"kept\": {\"type\": \"string\"}, \"F\": {\"type\": \"string\"}}",
    ),
    ("part", "\"properties\" = {\"F\": {\"type\": \"string\"}}"),
    (
        "part",
        "\"properties\" = {\"pick\": {\"type\": \"string\", \"enum\": [\"V\"]}}",
    ),
    ("part", "\"oneOf\" = [{\"required\": [\"F\"]}]"),
    (
        "Part",
        "\"anyOf\" = [{\"required\": [\"F\"]}, {\"required\": [\"kept\"]}]",
    ),
    ("part", "\"allOf\" = [{\"required\": [\"F\"]}]"),
    (
        "part",
        "\"allOf\" = [{\"anyOf\": [{\"required\": [\"F\"]}]}]",
    ),
    ("part", "\"not\" = {\"required\": [\"F\"]}"),
    ("Part", "\"not\" = {\"anyOf\": [{\"required\": [\"F\"]}]}"),
    ("part", "\"default\" = {\"F\": \"a\"}"),
    ("part", "\"default\" = {\"pick\": \"V\"}"),
    ("part", "\"example\" = {\"F\": \"a\"}"),
    ("Part", "\"example\" = {\"pick\": \"V\"}"),
    ("part", "\"examples\" = [{\"F\": \"a\"}]"),
    (
        "part",
        "\"patternProperties\" = {\"F\": {\"type\": \"string\"}}",
    ),
    ("part", "\"dependencies\" = {\"F\": [\"kept\"]}"),
    ("part", "\"dependentRequired\" = {\"F\": [\"kept\"]}"),
    (
        "part",
        "\"x-kubernetes-validations\" = [{\"rule\": \"has(self.F)\"}]",
    ),
    (
        "part",
        "\"x-kubernetes-validations\" = [{\"rule\": \"true\", \"fieldPath\": \".F\"}]",
    ),
    (
        "part",
        "\"x-kubernetes-validations\" = [{\"rule\": \"true\", \"messageExpression\": \"self.F\"}]",
    ),
    (
        "parts",
        "\"x-kubernetes-list-type\" = \"map\", \"x-kubernetes-list-map-keys\" = [\"F\"]",
    ),
    (
        "parts",
        "\"items\" = {\"type\": \"object\", \"properties\": {\"F\": {\"type\": \"string\"}}}",
    ),
    (
        "parts",
        "\"items\" = {\"type\": \"object\", \"required\": [\"F\"]}",
    ),
    ("parts", "\"default\" = [{\"F\": \"a\"}]"),
    ("parts", "\"not\" = {\"items\": {\"required\": [\"F\"]}}"),
    (
        "parts",
        "\"allOf\" = [{\"items\": {\"required\": [\"F\"]}}]",
    ),
    (
        "named",
        "\"additionalProperties\" = {\"type\": \"object\", \"properties\": {\"F\": {\"type\": \"string\"}}}",
    ),
    ("named", "\"default\" = {\"k\": {\"F\": \"a\"}}"),
    ("pick", "\"enum\" = [\"Open\", \"V\"]"),
    ("Pick", "\"enum\" = [\"Open\", \"V\"]"),
    ("pick", "\"const\" = \"V\""),
    ("pick", "\"default\" = \"V\""),
    ("pick", "\"example\" = \"V\""),
    ("Pick", "\"examples\" = [\"V\"]"),
    ("pick", "\"pattern\" = \"^(Open|V)$\""),
    ("pick", "\"not\" = {\"enum\": [\"V\"]}"),
    ("pick", "\"not\" = {\"const\": \"V\"}"),
    ("pick", "\"oneOf\" = [{\"enum\": [\"V\"]}]"),
    (
        "pick",
        "\"anyOf\" = [{\"enum\": [\"V\"]}, {\"enum\": [\"Open\"]}]",
    ),
    ("pick", "\"anyOf\" = [{\"pattern\": \"^V$\"}]"),
    (
        "picks",
        "\"items\" = {\"type\": \"string\", \"enum\": [\"V\"]}",
    ),
    ("picks", "\"items\" = {\"enum\": [\"V\"]}"),
    ("picks", "\"default\" = [\"V\"]"),
    ("keyed", "\"default\" = {\"V\": 1}"),
    ("keyed", "\"example\" = {\"V\": 1}"),
    ("keyed", "\"required\" = [\"V\"]"),
    ("keyed", "\"not\" = {\"required\": [\"V\"]}"),
    ("keyed", "\"properties\" = {\"V\": {\"type\": \"integer\"}}"),
    ("keyed", "\"propertyNames\" = {\"enum\": [\"V\"]}"),
    ("part", "\"x-zq\" = \"V\""),
];

/// Other attributes, by the place they are for.
const ATTRIBUTES: &[(&str, &str)] = &[
    ("parts", "#[crd(list_type = \"map\", list_map_keys(\"F\"))]"),
    (
        "parts",
        "#[x_kube(merge_strategy = ListMerge::Map(vec![\"F\".to_string()]))]",
    ),
    (
        "parts",
        "#[crd(inner(example = serde_json::json!({\"F\": \"a\"})))]",
    ),
    (
        "part",
        "#[crd(example = serde_json::json!({\"F\": \"a\"}))]",
    ),
    (
        "part",
        "#[crd(example = serde_json::json!({\"pick\": \"V\"}))]",
    ),
    ("pick", "#[crd(example = \"V\")]"),
    ("Part", "#[crd(at_most_one_of(\"kept\", \"F\"))]"),
    ("Part", "#[crd(exactly_one_of(\"kept\", \"F\"))]"),
    (
        "Spec",
        "#[crd(default(spec = serde_json::json!({\"plain\": \"\", \"part\": {\"F\": \"a\"}})))]",
    ),
    (
        "Spec",
        "#[crd(default(spec = serde_json::json!({\"plain\": \"\", \"pick\": \"V\"})))]",
    ),
    (
        "Spec",
        "#[crd(default(status = serde_json::json!({\"zqstatus\": 1})))]",
    ),
    ("pick", "#[schemars(regex(pattern = \"^(Open|V)$\"))]"),
    ("pick", "#[schemars(example = \"V\")]"),
    (
        "Part",
        "#[tombstone(name = \"F\", removed = \"v0.1.0\", reason = \"gone\")]",
    ),
];

/// Prose, by the place it is for.
const PROSE: &[(&str, &str)] = &[
    ("part", "#[x_kube(validation = \"true // without self.F\")]"),
    ("part", "#[crd(title = \"With `F`\")]"),
    (
        "part",
        "#[crd(external_docs(url = \"https://example.com\", description = \"`F`\"))]",
    ),
    ("part", "#[doc = \"Leave out `F` here.\"]"),
    ("Part", "#[doc = \"Not `part.F`.\"]"),
    ("pick", "#[doc = \"Not `V`.\"]"),
    ("Pick", "#[schemars(description = \"Never `V`.\")]"),
    ("part", "#[schemars(title = \"With `F`\")]"),
    ("part", "#[schemars(extend(\"title\" = \"With `F`\"))]"),
    (
        "part",
        "#[schemars(extend(\"description\" = \"With `F`\"))]",
    ),
    (
        "part",
        "#[schemars(extend(\"externalDocs\" = {\"description\": \"`F`\", \"url\": \"https://example.com\"}))]",
    ),
    (
        "part",
        "#[x_kube(validation = Rule::new(\"true\").message(\"no `F`\"))]",
    ),
    (
        "part",
        "#[x_kube(validation = Rule::new(\"true\").message(Message::Expression(\"'no `F`'\".into())))]",
    ),
    ("part", "#[x_kube(validation = \"self.kept != 'not `F`'\")]"),
];

/// Prose of the kind itself.
const KIND_PROSE: &[(&str, &str)] = &[
    ("title", "doc = \"# With `F`\\n\\nText.\""),
    (
        "column name",
        "printcolumn(name = \"`F`\", type_ = \"string\", json_path = \".spec.plain\")",
    ),
    (
        "column description",
        "printcolumn(name = \"A\", type_ = \"string\", json_path = \".spec.plain\", description = \"`F`\")",
    ),
    ("deprecation", "deprecated = \"without `F`\""),
    ("doc", "doc = \"without `part.F`\""),
];

/// Defaults: an attribute, and the item that it needs.
const DEFAULTS: &[(&str, &str, &str)] = &[
    (
        "part",
        "#[serde(default = \"given\")]",
        "fn given() -> Option<Part> { Some(Part { @F: Some(\"a\".to_owned()), ..Part::default() }) }",
    ),
    (
        "part",
        "#[serde(default = \"given\")]",
        "fn given() -> Option<Part> { Some(Part { pick: Some(Pick::@V), ..Part::default() }) }",
    ),
    (
        "parts",
        "#[serde(default = \"given\")]",
        "fn given() -> Vec<Part> { vec![Part { kept: None, @F: Some(String::from(\"a\")), pick: None }] }",
    ),
    (
        "named",
        "#[serde(default = \"given\")]",
        "fn given() -> BTreeMap<String, Part> { BTreeMap::from([(\"k\".to_owned(), Part { kept: None, @F: Some(\"a\".into()), pick: Some(Pick::@V) })]) }",
    ),
    (
        "pick",
        "#[serde(default = \"given\")]",
        "fn given() -> Option<Pick> { Some(Pick::@V) }",
    ),
    (
        "picks",
        "#[serde(default = \"given\")]",
        "fn given() -> Vec<Pick> { vec![Pick::Open, Pick::@V] }",
    ),
    (
        "keyed",
        "#[serde(default = \"given\")]",
        "fn given() -> BTreeMap<Pick, i32> { BTreeMap::from([(Pick::@V, 1)]) }",
    ),
    ("pick", "#[schemars(example = Pick::@V)]", ""),
    (
        "part",
        "#[schemars(example = given())]",
        "fn given() -> Part { Part { @F: Some(\"a\".to_owned()), ..Part::default() } }",
    ),
    ("picks", "#[schemars(example = &[\"V\"])]", ""),
];

/// Values of gated types where the schema knows no fields: an attribute, and the item that it needs.
const UNTYPED: &[(&str, &str, &str)] = &[
    (
        "any",
        "#[serde(default = \"given\")]",
        "fn given() -> serde_json::Value { serde_json::json!({\"part\": Part { @F: Some(\"a\".to_owned()), ..Part::default() }}) }",
    ),
    (
        "any",
        "#[serde(default = \"given\")]",
        "fn given() -> serde_json::Value { let pick = serde_json::json!(Pick::@V); serde_json::json!([pick]) }",
    ),
    (
        "any",
        "#[schemars(extend(\"default\" = Part::default()))]",
        "",
    ),
    (
        "any",
        "#[schemars(extend(\"default\" = {\"part\": given()}))]",
        "fn given() -> Vec<Part> { vec![Part::default()] }",
    ),
    ("any", "#[schemars(example = Pick::@V)]", ""),
    (
        "any",
        "#[crd(example = given())]",
        "fn given() -> Part { Part::default() }",
    ),
    (
        "any",
        "#[schemars(transform = given)]",
        "fn given(schema: &mut Schema) { schema.insert(\"default\".to_owned(), serde_json::json!({\"part\": Part::default()})); }",
    ),
    (
        "any",
        "#[schemars(schema_with = \"given\")]",
        "fn given(_: &mut SchemaGenerator) -> Schema { json_schema!({\"x-kubernetes-preserve-unknown-fields\": true, \"default\": Part::default()}) }",
    ),
    (
        "many",
        "#[serde(default = \"given\")]",
        "fn given() -> BTreeMap<String, serde_json::Value> { BTreeMap::from([(\"k\".to_owned(), serde_json::json!(Some(Part::default())))]) }",
    ),
    (
        "loose",
        "#[serde(default = \"given\")]",
        "fn given() -> Part { Part { @F: Some(\"a\".to_owned()), ..Part::default() } }",
    ),
    (
        "loose",
        "#[serde(default = \"given\")]",
        "fn given() -> Part { Part { pick: Some(Pick::@V), ..Part::default() } }",
    ),
    (
        "Spec",
        "#[crd(default(spec = serde_json::json!({\"plain\": \"\", \"any\": Part::default()})))]",
        "",
    ),
];

/// Schemas by hand: an attribute, and the item that it needs.
const SCHEMAS: &[(&str, &str, &str)] = &[
    (
        "pick",
        "#[schemars(transform = given)]",
        "fn given(schema: &mut Schema) { schema.insert(\"enum\".to_owned(), serde_json::json!([\"Open\", \"V\"])); }",
    ),
    (
        "part",
        "#[schemars(transform = given)]",
        "fn given(schema: &mut Schema) { schema.insert(\"required\".to_owned(), serde_json::json!([\"F\"])); }",
    ),
    (
        "part",
        "#[schemars(transform = given)]",
        "fn given(schema: &mut Schema) { schema.insert(\"not\".to_owned(), serde_json::json!({\"required\": [\"F\"]})); }",
    ),
    (
        "pick",
        "#[schemars(schema_with = \"given\")]",
        "fn given(generator: &mut SchemaGenerator) -> Schema { let mut schema = generator.subschema_for::<Pick>(); schema.insert(\"enum\".to_owned(), serde_json::json!([\"Open\", \"V\"])); schema }",
    ),
    (
        "part",
        "#[schemars(schema_with = \"given\")]",
        "fn given(generator: &mut SchemaGenerator) -> Schema { let mut schema = Part::json_schema(generator); schema.insert(\"required\".to_owned(), serde_json::json!([\"F\"])); schema }",
    ),
    (
        "pick",
        "#[schemars(schema_with = \"given\")]",
        "fn given(_: &mut SchemaGenerator) -> Schema { json_schema!({\"type\": \"string\", \"enum\": [\"Open\", \"V\"]}) }",
    ),
    (
        "part",
        "#[schemars(schema_with = \"given\")]",
        "fn given(_: &mut SchemaGenerator) -> Schema { json_schema!({\"type\": \"object\", \"properties\": {\"F\": {\"type\": \"string\"}}}) }",
    ),
];

/// Adds one text that names something gated, and returns its description.
pub fn name(dice: &mut Dice, kind: &mut Kind) -> String {
    match dice.roll(16) {
        0..=5 => rule(dice, kind),
        6..=7 => column(dice, kind),
        8 => path(dice, kind),
        9 if dice.one_in(2) => {
            let (place, attribute) = *dice.pick(ATTRIBUTES);
            kind.write(place, kind.fill(attribute));
            format!("{attribute} on {place}")
        }
        9..=11 => {
            let (place, extension) = *dice.pick(EXTENSIONS);
            let filled = kind.fill(extension);
            kind.write(place, format!("#[schemars(extend({filled}))]"));
            format!("extend of {place}: {extension}")
        }
        12..=13 => with_item(dice, kind, DEFAULTS),
        14 => {
            kind.needs.push("any");
            with_item(dice, kind, UNTYPED)
        }
        _ => with_item(dice, kind, SCHEMAS),
    }
}

/// Does the same with prose.
pub fn prose(dice: &mut Dice, kind: &mut Kind) -> String {
    if dice.one_in(4) {
        let (what, written) = *dice.pick(KIND_PROSE);
        kind.kube.push(kind.fill(written));
        return format!("prose of kube: {what}");
    }
    let (place, prose) = *dice.pick(PROSE);
    kind.write(place, kind.fill(prose));
    format!("prose on {place}: {prose}")
}

fn rule(dice: &mut Dice, kind: &mut Kind) -> String {
    let (place, templates) = *dice.pick(&[
        ("Part", ON_OBJECT),
        ("part", ON_OBJECT),
        ("parts", ON_LIST),
        ("named", ON_MAP),
        ("pick", ON_VALUE),
        ("picks", ON_VALUES),
        ("keyed", ON_KEYS),
        ("wrap", ON_OBJECT),
        ("body", ON_OBJECT),
        ("Spec", ON_OBJECT),
    ]);
    let mut place: &'static str = place;
    let (template, mut text) = match place {
        "wrap" | "body" | "Spec" => {
            let (template, text) = elsewhere(dice, kind, place);
            (template, text)
        }
        _ => {
            let template = *dice.pick(templates);
            (template, kind.fill(template))
        }
    };
    // The same from a parent, where no name replaces `self`.
    let movable = !matches!(place, "Spec" | "Part")
        && !template.contains("oldSelf")
        && !template.contains("(self, ");
    if movable && dice.one_in(3) {
        text = text.replace("self", &format!("self.{place}"));
        place = "Spec";
    }
    let (form, attribute) = match dice.roll(6) {
        0 => (
            "with a message",
            format!(
                "#[x_kube(validation = Rule::new({text:?}).message(\"no\").reason(Reason::FieldValueInvalid))]"
            ),
        ),
        1 => (
            "by extend",
            format!("#[schemars(extend(\"x-kubernetes-validations\" = [{{\"rule\": {text:?}}}]))]"),
        ),
        2 => (
            "as message",
            format!(
                "#[x_kube(validation = Rule::new(\"true\").message(Message::Expression({text:?}.into())))]"
            ),
        ),
        3 if place == "Spec" && !template.contains("oldSelf") => {
            let text = text.replace("self", "self.spec");
            kind.kube.push(format!("validation = {text:?}"));
            return format!("rule of kube: {template}");
        }
        _ => ("plain", format!("#[x_kube(validation = {text:?})]")),
    };
    kind.write(place, attribute);
    format!("rule on {place}, {form}: {template}")
}

/// Adds a rule on the content of a variant, on a generic type or on a struct with a flattened field.
fn elsewhere(dice: &mut Dice, kind: &mut Kind, place: &'static str) -> (&'static str, String) {
    kind.needs
        .push(if place == "Spec" { "flat" } else { place });
    // With a tag the variant is a value; without one it is a field, or its fields are.
    let tagged = place == "body" && matches!(kind.tagging, 1 | 2);
    let (name, templates) = match place {
        "wrap" => ("zqwrapped", ON_OBJECT),
        "Spec" => ("zqflat", ON_OBJECT),
        _ if tagged => ("ZqBody", ON_VALUE),
        _ if kind.tagging == 0 => ("ZqBody", ON_OBJECT),
        _ => ("zqinner", ON_OBJECT),
    };
    let fitting: Vec<_> = templates
        .iter()
        .filter(|template| !template.contains("kept"))
        .collect();
    let template = **dice.pick(&fitting);
    let held = (kind.field.clone(), kind.value.clone());
    (kind.field, kind.value) = (name.to_owned(), name.to_owned());
    let mut text = kind.fill(template);
    (kind.field, kind.value) = held;
    if tagged {
        text = text
            .replace("self", "self.type")
            .replace("oldSelf", "oldSelf.type");
    }
    (template, text)
}

fn column(dice: &mut Dice, kind: &mut Kind) -> String {
    let mut template = *dice.pick(COLUMNS);
    // An earlier text already determines the tagging.
    if template.contains("ZqBody") && kind.needs.contains(&"body") {
        template = COLUMNS[0];
    }
    for place in ["flat", "wrap", "body"] {
        if template.contains(place) || template.contains("Body") || template.contains("inner") {
            kind.needs.push(place);
        }
    }
    // With a tag the variant is its value, without one it is a field.
    if template.contains("ZqBody") {
        kind.tagging = if template.contains("type") { 1 } else { 0 };
    }
    let path = kind.fill(template);
    let column = format!("printcolumn(name = \"A\", type_ = \"string\", json_path = {path:?})");
    if dice.one_in(6) {
        let older = format!(
            "printcolumn = {:?}",
            format!("{{\"name\": \"A\", \"type\": \"string\", \"jsonPath\": {path:?}}}")
        );
        kind.kube.push(older);
    } else {
        kind.kube.push(column);
    }
    format!("column {template}")
}

fn path(dice: &mut Dice, kind: &mut Kind) -> String {
    match dice.roll(4) {
        0 => {
            let template = *dice.pick(SELECTABLE);
            let path = kind.fill(template);
            kind.kube.push(format!("selectable = {path:?}"));
            format!("selectable {template}")
        }
        1 => {
            let key = *dice.pick(&["spec_replicas_path", "label_selector_path"]);
            let mut paths = vec![
                ("spec_replicas_path", ".spec.count".to_owned()),
                ("status_replicas_path", ".status.replicas".to_owned()),
                ("label_selector_path", ".status.labels".to_owned()),
            ];
            for (name, path) in &mut paths {
                if *name == key {
                    *path = kind.fill(".spec.part.F");
                }
            }
            scale(kind, &paths);
            format!("scale {key}")
        }
        2 => {
            let paths = [
                ("spec_replicas_path", ".spec.count".to_owned()),
                ("status_replicas_path", ".status.zqstatus".to_owned()),
            ];
            scale(kind, &paths);
            "scale status_replicas_path".to_owned()
        }
        _ => {
            let template = *dice.pick(FIELD_PATHS);
            let path = kind.fill(template);
            kind.write(
                "Spec",
                format!("#[x_kube(validation = Rule::new(\"true\").field_path({path:?}))]"),
            );
            format!("field path {template}")
        }
    }
}

fn scale(kind: &mut Kind, paths: &[(&str, String)]) {
    let paths: Vec<_> = paths
        .iter()
        .map(|(key, path)| format!("{key} = {path:?}"))
        .collect();
    kind.kube.push(format!("scale({})", paths.join(", ")));
}

fn with_item(
    dice: &mut Dice,
    kind: &mut Kind,
    all: &[(&'static str, &'static str, &'static str)],
) -> String {
    let (place, attribute, item) = *dice.pick(all);
    let named = |text: &str| {
        let text = text
            .replace("@F", &kind.field_ident)
            .replace("@V", &kind.value_ident);
        kind.fill(&text)
    };
    // Each use needs its own function.
    let given = format!("given{}", kind.items.len());
    let own = |text: &str| named(text).replace("given", &given);
    let (written, item_text) = (own(attribute), own(item));
    kind.write(place, written);
    kind.items.push(item_text);
    format!("{attribute} on {place}: {item}")
}
