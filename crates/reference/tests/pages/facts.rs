//! Pages have every fact that schemas have, and of each channel no other.

use crate::html::{Element, around, elements};
use crate::{CHANNELS, api, api_of};
use crd_channels_compat::{Channel, Set};
use crd_channels_reference::{Api, Look, facts, id, markdown, nodes, site, type_name};
use crd_channels_schema::Schema;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

/// What a page says about a place.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
struct Said {
    /// Its type; `None` where that of the list says it.
    ty: Option<String>,
    required: bool,
    /// The letters and digits of its description.
    docs: String,
    facts: BTreeSet<String>,
    values: BTreeSet<String>,
}

/// A text without the spaces and marks that its form adds.
fn bare(text: &str) -> String {
    text.replace('`', "")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

/// The letters and digits of a text.
fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// A description without its marks.
fn plain(description: &str) -> String {
    let events = Parser::new(description).filter_map(|event| match event {
        Event::Text(text) | Event::Code(text) | Event::Html(text) | Event::InlineHtml(text) => {
            Some(text.into_string())
        }
        _ => None,
    });
    events.collect()
}

/// The schemas of each version of a kind, by channel.
fn versions<'s>(set: &'s Set, crd: &str) -> BTreeMap<String, Vec<(Channel, &'s Schema)>> {
    let mut all: BTreeMap<String, Vec<(Channel, &Schema)>> = BTreeMap::new();
    for (channel, crds) in &set.channels {
        for version in crds.get(crd).iter().flat_map(|it| &it.written.versions) {
            let schema = version.schema.as_deref().unwrap();
            all.entry(version.name.to_string())
                .or_default()
                .push((*channel, schema));
        }
    }
    all
}

/// What the schemas of a channel say, by the id of the place.
fn expected(set: &Set, crd: &str, channel: Channel) -> BTreeMap<String, Said> {
    let mut all = BTreeMap::new();
    for (version, schemas) in versions(set, crd) {
        for node in nodes(&schemas) {
            let there = node.channels.iter().find(|it| it.channel == channel);
            let Some(there) = there.filter(|_| !node.is_of_every_object()) else {
                continue;
            };
            let mut said = Said {
                ty: (!node.path.is_empty()).then(|| type_name(there.schema)),
                docs: letters(&plain(
                    there.schema.description.as_deref().unwrap_or_default(),
                )),
                ..Said::default()
            };
            for fact in facts(there.schema, there.is_required && !node.path.is_empty()) {
                let code = fact.code.unwrap_or_default();
                match fact.name {
                    "enum" => said.values.insert(bare(&code)),
                    "required" if code.is_empty() => {
                        said.required = true;
                        true
                    }
                    _ if code.is_empty() => said.facts.insert(bare(&fact.words)),
                    _ => said.facts.insert(bare(&format!("{}: {code}", fact.words))),
                };
            }
            all.insert(id(&version, &node.path), said);
        }
    }
    all
}

/// What a page says where the switch is at a channel.
fn found(page: &str, channel: &str) -> BTreeMap<String, Said> {
    let all = elements(page);
    let is_shown = |number: usize| {
        around(&all, number).all(|it| {
            all[it]
                .attribute("data-only")
                .is_none_or(|only| only == channel)
        })
    };
    // Sections begin with a heading that has the id of the version.
    let place = |number: usize| {
        around(&all, number).find_map(|it| match &all[it] {
            element if element.name == "li" => element.attribute("id"),
            element if element.name == "section" => element.attribute("aria-labelledby"),
            _ => None,
        })
    };
    let mut places: BTreeMap<String, Said> = BTreeMap::new();
    let mut same = Vec::new();
    for (number, element) in all
        .iter()
        .enumerate()
        .filter(|(number, _)| is_shown(*number))
    {
        let Some(id) = place(number) else {
            continue;
        };
        if element.name == "ul"
            && let Some(id) = element.attribute("id")
        {
            places.entry(id.to_owned()).or_default();
        }
        let said = places.entry(id.to_owned()).or_default();
        let parent = element.parent.map(|it| &all[it]);
        let is_in = |name, class| parent.is_some_and(|parent| parent.is(name, class));
        let plain = || {
            let only = all
                .iter()
                .enumerate()
                .find(|(inner, it)| it.is("span", "in") && all[*inner].parent == Some(number));
            let only = only.map_or("", |(_, only)| &only.text);
            bare(element.text.strip_suffix(only).unwrap_or(&element.text))
        };
        if element.name == "i" && parent.is_some_and(|it| it.name == "summary") {
            assert_eq!(said.ty, None, "{id}");
            said.ty = Some(plain());
        }
        said.required |= element.is("span", "required");
        if element.is("div", "doc") {
            assert_eq!(said.docs, "", "{id}");
            let text = &element.text;
            let text = text.strip_prefix(&format!("In {channel}:")).unwrap_or(text);
            said.docs = letters(text);
        }
        if is_in("ul", "facts") && element.name == "li" {
            said.facts.insert(plain());
        }
        if element.name == "code"
            && parent
                .and_then(|it| it.parent)
                .is_some_and(|it| all[it].is("ul", "values"))
        {
            said.values.insert(bare(&element.text));
        }
        if is_in("p", "path")
            && element.name == "a"
            && parent.unwrap().text.starts_with("The same as in ")
            && element.text != "link"
        {
            same.push((id.to_owned(), element.attribute("href").unwrap().to_owned()));
        }
    }
    for (id, href) in same {
        let target = percent_decoded(href.strip_prefix('#').unwrap());
        let other = places[&target].clone();
        let said = places.get_mut(&id).unwrap();
        assert!(
            said.docs.is_empty() && said.facts.is_empty() && said.values.is_empty(),
            "{id}"
        );
        *said = Said {
            ty: said.ty.clone(),
            required: said.required,
            ..other
        };
    }
    places
}

pub fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, more)) = rest.split_first() {
        (bytes, rest) = match first {
            b'%' => {
                let digits = std::str::from_utf8(&more[..2]).unwrap();
                bytes.push(u8::from_str_radix(digits, 16).unwrap());
                (bytes, &more[2..])
            }
            first => {
                bytes.push(*first);
                (bytes, more)
            }
        };
    }
    String::from_utf8(bytes).unwrap()
}

fn compare(api: &Api) -> usize {
    let set = &api.releases.last().unwrap().set;
    let files = site(api, &Look::default()).unwrap();
    let mut places = 0;
    for (channel, name) in CHANNELS {
        for crd in set
            .channels
            .get(&channel)
            .into_iter()
            .flat_map(|crds| crds.keys())
        {
            let page = &files[&format!("{crd}.html")];
            let found = found(page, name);
            let mut expected = expected(set, crd, channel);
            places += expected.len();
            for (id, said) in &mut expected {
                let there = found
                    .get(id)
                    .unwrap_or_else(|| panic!("{crd} has no {id} in {name}"));
                if there.ty.is_none() && id.ends_with(['[', ']', '{', '}']) {
                    said.ty = None;
                }
                assert_eq!(there, said, "{crd} {id} in {name}");
            }
            let more: Vec<&String> = found
                .keys()
                // Those of the page itself are of no field.
                .filter(|id| !expected.contains_key(*id) && !id.starts_with('_'))
                .collect();
            assert!(more.is_empty(), "{crd} in {name}: {more:?}");
        }
    }
    places
}

/// A CRD with everything that schemas can say.
const FULL: &str = r#"{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "beds.example.dev"},
"spec": {"group": "example.dev", "names": {"plural": "beds", "kind": "Bed"}, "scope": "Cluster", "versions": [{
"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {"type": "object", "description": "A bed.", "required": ["spec"], "properties": {
"spec": {"type": "object", "x-kubernetes-map-type": "atomic", "minProperties": 1, "maxProperties": 9, "properties": {
  "width": {"type": "integer", "format": "int32", "minimum": 90, "maximum": 200, "exclusiveMaximum": true, "multipleOf": 5, "default": 90, "nullable": true},
  "name": {"type": "string", "minLength": 1, "maxLength": 63, "pattern": "^[a-z|`]+$", "title": "The name", "example": "a"},
  "kind": {"type": "string", "enum": ["Single", "Double", ""]},
  "size": {"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}]},
  "layers": {"type": "array", "minItems": 1, "maxItems": 3, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"], "items": {
    "type": "object", "description": "A layer.", "required": ["name"], "properties": {"name": {"type": "string"}}}},
  "rows": {"type": "array", "items": {"type": "array", "items": {"type": "object", "properties": {"a b": {"type": "boolean"}}}}},
  "labels": {"type": "object", "additionalProperties": {"type": "string", "maxLength": 3}},
  "template": {"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true}},
  "x-kubernetes-validations": [
    {"rule": "self.width > 1", "message": "has to be `wide`", "reason": "FieldValueInvalid", "fieldPath": ".width"},
    {"rule": "self == oldSelf"},
    {"rule": "self.name != ''\n  && self.kind != ''", "messageExpression": "self.name"}],
  "oneOf": [{"required": ["width"]}, {"required": ["size"]}], "not": {"required": ["rows"]}}}}}}]}}"#;

/// A text that pages do not repeat.
const LONG: &str = "What people sleep in, which has to be long enough that a later version that says the same has a link in its place.";

#[test]
fn sites_have_every_fact_of_each_channel_and_no_other() {
    assert!(compare(&api()) > 250);
    assert!(compare(&api_of(FULL)) > 15);
    // Versions of which the later ones say the same in part: what differs has to be there.
    let mut crd: serde_json::Value = serde_json::from_str(FULL).unwrap();
    for (number, (place, value)) in [
        ("/description", json!("A bed of another form.")),
        ("/properties/spec/description", json!(LONG)),
        (
            "/properties/spec/description",
            json!(LONG.replace("sleep", "lie")),
        ),
        ("/properties/spec/properties/name/pattern", json!(LONG)),
        (
            "/properties/spec/properties/name/pattern",
            json!(LONG.replace("sleep", "lie")),
        ),
        ("/properties/spec/properties/kind/description", json!(LONG)),
        ("/properties/spec/properties/kind/enum", json!(["Single"])),
    ]
    .into_iter()
    .enumerate()
    {
        let versions = crd["spec"]["versions"].as_array_mut().unwrap();
        let mut version = versions.last().unwrap().clone();
        version["name"] = json!(format!("v{}", number + 2));
        version["storage"] = json!(false);
        let schema = &mut version["schema"]["openAPIV3Schema"];
        let (above, name) = place.rsplit_once('/').unwrap();
        schema.pointer_mut(above).unwrap()[name] = value;
        versions.push(version);
    }
    assert!(compare(&api_of(&crd.to_string())) > 120);
}

/// A page's list elements by the anchors before them, and the text directly below a heading.
fn sections(page: &str) -> BTreeMap<String, (String, BTreeSet<String>)> {
    let mut all: BTreeMap<String, (String, BTreeSet<String>)> = BTreeMap::new();
    let mut ids: Vec<String> = Vec::new();
    let (mut text, mut heading) = (String::new(), String::new());
    let mut code: Option<String> = None;
    for event in Parser::new_ext(page, Options::ENABLE_TABLES) {
        match event {
            Event::InlineHtml(html) | Event::Html(html) => {
                let html = html.trim();
                if let Some(id) = html
                    .strip_prefix("<a id=\"")
                    .and_then(|it| it.split('"').next())
                {
                    ids = vec![id.to_owned()];
                    all.entry(id.to_owned()).or_default();
                }
            }
            Event::Start(Tag::Item | Tag::Paragraph | Tag::Heading { .. }) => text.clear(),
            Event::Start(Tag::CodeBlock(_)) => code = Some(String::new()),
            Event::Text(more) if code.is_some() => code.as_mut().unwrap().push_str(&more),
            Event::Text(more) | Event::Code(more) => text.push_str(&more),
            Event::SoftBreak | Event::HardBreak => text.push(' '),
            Event::End(TagEnd::Heading(_)) => heading = std::mem::take(&mut text),
            Event::End(TagEnd::Paragraph | TagEnd::Item) if !text.is_empty() => {
                for id in &ids {
                    let (line, facts) = all.get_mut(id).unwrap();
                    match line.is_empty() && !heading.is_empty() {
                        true => line.clone_from(&text),
                        false => _ = facts.insert(bare(&text)),
                    }
                }
            }
            Event::End(TagEnd::CodeBlock) => {
                let block = code.take().unwrap();
                for id in &ids {
                    all.get_mut(id)
                        .unwrap()
                        .1
                        .insert(bare(&format!("{text} {block}")));
                }
            }
            _ => {}
        }
    }
    all
}

#[test]
fn markdown_has_every_fact_of_each_channel() {
    let mut places = 0;
    for api in [api(), api_of(FULL)] {
        let set = &api.releases.last().unwrap().set;
        let files = markdown(&api, &Look::default());
        for (channel, name) in CHANNELS {
            let other = CHANNELS.iter().find(|(it, _)| *it != channel).unwrap().1;
            for crd in set
                .channels
                .get(&channel)
                .into_iter()
                .flat_map(|crds| crds.keys())
            {
                let page = sections(&files[&format!("{crd}.md")]);
                for (id, said) in expected(set, crd, channel) {
                    let (line, facts) =
                        page.get(&id).unwrap_or_else(|| panic!("{crd} has no {id}"));
                    let has = |text: &str| {
                        [
                            text.to_owned(),
                            format!("{text} ({name} only)"),
                            format!("{text} ({name} only):"),
                        ]
                        .iter()
                        .any(|text| facts.contains(text))
                            || facts.iter().any(|it| it.starts_with(&format!("{text};")))
                    };
                    for fact in &said.facts {
                        let fact = fact.replace(": : ", ": ");
                        assert!(has(&fact), "{crd} {id}: {fact}\n{facts:#?}");
                        assert!(
                            !facts.contains(&format!("{fact} ({other} only)")),
                            "{crd} {id}: {fact}"
                        );
                    }
                    for value in &said.values {
                        let starts = |it: &String| it.starts_with(&format!("value {value}"));
                        assert!(facts.iter().any(starts), "{crd} {id}: {value}\n{facts:#?}");
                    }
                    if let Some(ty) = said.ty.filter(|_| !line.is_empty()) {
                        assert!(line.contains(&ty), "{crd} {id}: {line}");
                        assert_eq!(
                            line.contains("required"),
                            said.required,
                            "{crd} {id}: {line}"
                        );
                    }
                    places += 1;
                }
            }
        }
    }
    assert!(places > 265);
}

/// The elements of a page that have an attribute.
pub fn with<'e>(
    all: &'e [Element],
    attribute: &'e str,
) -> impl Iterator<Item = (&'e Element, &'e str)> {
    all.iter()
        .filter_map(move |it| Some((it, it.attribute(attribute)?)))
}
