//! Values on and next to every boundary that schemas mention, the smallest first. A value that one schema accepts and
//! another refuses is among these, if it is found at all.

use super::kinds::{Kinds, enforced, kinds};
use super::languages::example;
use super::numbers::whole;
use super::size::Count;
use super::valid::fits;
use crd_channels_cel::Text;
use crd_channels_check::schema as served;
use crd_channels_schema::path::Segment;
use crd_channels_schema::{Additional, Bounds, Schema};
use serde_json::{Map, Number, Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The number of values for one node.
const MOST: usize = 400;
/// The number of values for a child that is told apart.
const MOST_BELOW: usize = 8;
/// The number of optional fields that are tried one by one.
const MOST_FIELDS: usize = 12;
/// The number of listed texts that another one is looked for beside.
const MOST_LISTED: usize = 64;
/// Longer lists and objects are not made, nor longer texts that a pattern describes.
const LONGEST: u64 = 300;
/// Longer texts are not made.
const LONGEST_TEXT: u64 = 1 << 16;
/// Below this depth values are as small as possible.
const DEEPEST: usize = 6;

/// Texts of formats, and usual ones.
const TEXTS: [&str; 10] = [
    "a",
    "",
    "A",
    "1",
    "a.b",
    "2024-01-01",
    "2024-01-01T00:00:00Z",
    "10.0.0.1",
    "YWJj",
    "1s",
];

/// Values that `schema` may accept. `others` mention boundaries.
pub(super) fn candidates<'s>(schema: &'s Schema, others: &[&'s Schema]) -> Vec<Value> {
    let mut mentioned = Vec::new();
    for other in others.iter().copied().chain([schema]) {
        add_branches(other, &mut mentioned);
    }
    Shape {
        schema,
        mentioned,
        depth: 0,
    }
    .values()
}

/// A schema and all branches inside its junctors.
fn add_branches<'s>(schema: &'s Schema, all: &mut Vec<&'s Schema>) {
    all.push(schema);
    for branch in schema.branches() {
        add_branches(branch, all);
    }
}

/// A node, with the schemas that mention boundaries of its values.
struct Shape<'s> {
    schema: &'s Schema,
    mentioned: Vec<&'s Schema>,
    depth: usize,
}

impl<'s> Shape<'s> {
    fn values(&self) -> Vec<Value> {
        let kinds = kinds(self.schema);
        let mut all = Vec::new();
        let mut listed: Vec<&Value> = Vec::new();
        for value in self.mentioned.iter().flat_map(|it| &it.enum_values) {
            if listed.len() < MOST && !listed.contains(&value) {
                listed.push(value);
            }
        }
        all.extend(listed.into_iter().cloned());
        if kinds.meets(Kinds::BOOL) {
            all.extend([json!(false), json!(true)]);
        }
        if kinds.meets(Kinds::WHOLE) {
            self.add_numbers(kinds.meets(Kinds::FRACTION), &mut all);
        }
        if kinds.meets(Kinds::STRING) {
            self.add_texts(&mut all);
        }
        if kinds.meets(Kinds::ARRAY) {
            self.add_lists(&mut all);
        }
        if kinds.meets(Kinds::OBJECT) {
            self.add_objects(&mut all);
        }
        if kinds.meets(Kinds::NULL) {
            all.push(Value::Null);
        }
        all.truncate(MOST);
        all
    }

    fn bounds(&self) -> impl Iterator<Item = &'s Bounds> {
        self.mentioned.iter().filter_map(|it| it.bounds.as_deref())
    }

    /// Lengths on and next to every boundary.
    fn lengths(&self, longest: u64, of: fn(&Bounds) -> [Option<u64>; 2]) -> Vec<u64> {
        let ends = self.bounds().flat_map(of).flatten();
        let near = ends.flat_map(|end| [end.saturating_sub(1), end, end.saturating_add(1)]);
        let mut lengths: Vec<u64> = near.chain([0, 1, 2]).filter(|it| *it <= longest).collect();
        lengths.sort_unstable();
        lengths.dedup();
        lengths
    }

    fn add_numbers(&self, fractions: bool, all: &mut Vec<Value>) {
        let ends = |bounds: &'s Bounds| [&bounds.minimum, &bounds.maximum, &bounds.multiple_of];
        let listed = self.mentioned.iter().flat_map(|it| &it.enum_values);
        let listed = listed.filter_map(Value::as_number);
        let ends = self.bounds().flat_map(ends).flatten().chain(listed);
        let ends: Vec<&Number> = ends.take(MOST).collect();
        let formats = self.mentioned.iter().filter_map(|it| enforced(it));
        let mut wholes = vec![0, 1, -1, 2, 3];
        if formats.clone().any(|format| format == "int32") {
            wholes.push(i128::from(i32::MAX) + 1);
        }
        for end in &ends {
            let at = match whole(end) {
                Some(at) => at,
                None => end.as_f64().unwrap_or(0.0).floor() as i128,
            };
            wholes.extend([at, at + 1, at - 1, at * 2, at * 3]);
        }
        wholes.push(1 << 40);
        all.extend(
            wholes
                .into_iter()
                .filter_map(Number::from_i128)
                .map(Value::Number),
        );
        if fractions {
            let ends = ends.iter().filter_map(|end| end.as_f64());
            let near = ends.flat_map(|end| [end, end + 0.5, end - 0.5, end * 1.5, end + 0.25]);
            let floats = near.chain([0.5, 1.0, 1.5, -0.5, 1e300]);
            all.extend(floats.filter_map(Number::from_f64).map(Value::Number));
        }
    }

    fn add_texts(&self, all: &mut Vec<Value>) {
        all.extend(TEXTS.map(Value::from));
        let mut patterns: Vec<&Text> = self.bounds().filter_map(|it| it.pattern.as_ref()).collect();
        patterns.dedup();
        patterns.truncate(6);
        let own = self.schema.bounds.as_deref();
        let must: Vec<Text> = own
            .and_then(|own| own.pattern.clone())
            .into_iter()
            .collect();
        let lengths = self.lengths(LONGEST_TEXT, |bounds| {
            [bounds.min_length, bounds.max_length]
        });
        let own_length = own.map_or(Count::ANY, |own| Count::new(own.min_length, own.max_length));
        let mut add = |must: &[Text], must_not: &[Text], length| {
            if let Ok(Some(text)) = example(must, must_not, length) {
                all.push(json!(&*text));
            }
        };
        if !must.is_empty() {
            add(&must, &[], own_length);
            for length in lengths.iter().filter(|it| **it <= LONGEST).take(8) {
                let (min, max) = (*length, Some(*length));
                add(&must, &[], Count { min, max });
            }
        }
        for pattern in patterns {
            let with = [&must[..], std::slice::from_ref(pattern)].concat();
            add(&with, &[], own_length);
            add(&must, std::slice::from_ref(pattern), own_length);
        }
        if !must.is_empty()
            && let Some(listed) = self.listed_texts()
        {
            add(&must, &[listed], own_length);
        }
        let fill = |length: &u64| json!("a".repeat(usize::try_from(*length).unwrap_or(0)));
        all.extend(lengths.iter().map(fill));
    }

    /// The pattern of the texts that enums list.
    fn listed_texts(&self) -> Option<Text> {
        let listed = self.mentioned.iter().flat_map(|it| &it.enum_values);
        let listed = listed.filter_map(Value::as_str).take(MOST_LISTED);
        let listed: Vec<String> = listed.map(regex_syntax::escape).collect();
        (!listed.is_empty()).then(|| format!("^(?:{})$", listed.join("|")).into())
    }

    /// What is known of a child.
    fn child(&self, segment: Segment<&str>) -> Option<Shape<'s>> {
        let of = |schema: &'s Schema| -> Option<&'s Schema> {
            match segment {
                Segment::Property(name) => schema.member(name).map(|child| &**child),
                Segment::Items => schema.items.as_deref(),
                Segment::Values => schema.values().map(|child| &**child),
            }
        };
        let mut mentioned = Vec::new();
        for child in self.mentioned.iter().filter_map(|schema| of(schema)) {
            add_branches(child, &mut mentioned);
        }
        // A field that is kept as it is may have any value that a schema mentions.
        let first = mentioned.first().copied();
        Some(Shape {
            schema: of(self.schema).or(first)?,
            mentioned,
            depth: self.depth + 1,
        })
    }

    /// Values of a child that are valid there, the smallest first.
    fn valid_below(&self, segment: Segment<&str>) -> Vec<Value> {
        let Some(shape) = self.child(segment) else {
            return vec![json!("a"), json!(1), json!({"a": 1})];
        };
        let as_served = served(shape.schema);
        let mut values = shape.values();
        values.retain(|value| !value.is_null() && fits(&as_served, value));
        if shape.schema.nullable {
            values.push(Value::Null);
        }
        values.truncate(if self.depth < 2 {
            MOST_BELOW * 3
        } else {
            MOST_BELOW
        });
        values
    }

    fn add_lists(&self, all: &mut Vec<Value>) {
        all.push(json!([]));
        if self.depth > DEEPEST {
            return;
        }
        let items = self.valid_below(Segment::Items);
        if items.is_empty() {
            return;
        }
        let lengths = self.lengths(LONGEST, |bounds| [bounds.min_items, bounds.max_items]);
        for length in lengths.into_iter().filter(|length| *length > 0) {
            let length = usize::try_from(length).unwrap_or(0);
            all.push((0..length).map(|place| self.item(&items, place)).collect());
        }
        for item in &items {
            all.push(json!([item]));
            all.push(json!([item, item]));
        }
        let pairs = items.windows(2).map(|pair| Value::Array(pair.to_vec()));
        all.extend(pairs);
    }

    /// An item that no other place has, if there are so many.
    fn item(&self, items: &[Value], place: usize) -> Value {
        let Some(item) = items.get(place % items.len().max(1)) else {
            return Value::Null;
        };
        let round = place / items.len().max(1);
        match item {
            Value::Object(fields) if place > 0 => {
                let mut fields = fields.clone();
                for key in self.schema.merge.iter().flat_map(|it| &it.list_map_keys) {
                    if fields.get(&**key).is_some_and(Value::is_string) {
                        fields.insert(key.to_string(), json!(format!("a{place}")));
                    }
                }
                Value::Object(fields)
            }
            Value::String(_) if round > 0 => json!(format!("a{place}")),
            Value::Number(_) if round > 0 => json!(place),
            item => item.clone(),
        }
    }

    fn add_objects(&self, all: &mut Vec<Value>) {
        all.push(json!({}));
        if self.depth > DEEPEST && self.schema.required.is_empty() {
            return;
        }
        if self.depth > 3 * DEEPEST {
            return;
        }
        let sets = self.sets();
        let mut fields = Fields {
            shape: self,
            known: BTreeMap::new(),
        };
        let mut first: Vec<Map<String, Value>> = Vec::new();
        for names in &sets {
            if let Some(object) = fields.object(names)
                && !first.contains(&object)
            {
                first.push(object);
            }
        }
        all.extend(first.iter().cloned().map(Value::Object));
        if self.depth > DEEPEST {
            return;
        }
        // Each field with each of its values.
        for object in first.iter().take(MOST_FIELDS) {
            for name in object.keys().take(MOST_FIELDS) {
                for value in fields.values(name).to_vec() {
                    let mut object = object.clone();
                    object.insert(name.clone(), value);
                    all.push(Value::Object(object));
                }
            }
            if all.len() > MOST {
                break;
            }
        }
        if is_open(self.schema) {
            let counts = self.lengths(LONGEST, |bounds| {
                [bounds.min_properties, bounds.max_properties]
            });
            let values = self.valid_below(Segment::Values);
            for count in counts {
                let entry = |place| (format!("k{place}"), self.item(&values, place as usize));
                let object = (0..count).map(entry).collect();
                all.push(Value::Object(object));
            }
            for value in values {
                all.push(json!({"k0": value}));
            }
        }
    }

    /// Sets of fields: what is required, what branches require besides, and one or two others.
    fn sets(&self) -> Vec<Vec<&'s Text>> {
        let required: Vec<&Text> = self.schema.required.iter().collect();
        let with = |more: &[&'s Text]| {
            let mut names = [&required[..], more].concat();
            names.sort_unstable();
            names.dedup();
            names
        };
        let mut sets = vec![with(&[])];
        if self.depth > DEEPEST {
            return sets;
        }
        let mut named: Vec<&Text> = Vec::new();
        let mut wanted: Vec<Vec<&Text>> = Vec::new();
        for schema in self.mentioned.iter().take(64) {
            let names: Vec<&Text> = schema.required.iter().collect();
            let mentioned = schema
                .properties
                .keys()
                .filter(|_| !std::ptr::eq(*schema, self.schema));
            named.extend(names.iter().copied().chain(mentioned));
            if !names.is_empty() && !wanted.contains(&names) {
                wanted.push(names);
            }
        }
        let others = self.schema.properties.keys();
        let mut seen = std::collections::HashSet::new();
        let named: Vec<&Text> = named
            .into_iter()
            .chain(others)
            .filter(|it| seen.insert(*it))
            .collect();
        let single = || named.iter().copied().take(MOST_FIELDS);
        sets.extend(wanted.iter().map(|names| with(names)));
        sets.extend(single().map(|name| with(&[name])));
        for (place, one) in wanted.iter().enumerate().take(8) {
            let others = wanted.iter().skip(place + 1).take(8);
            sets.extend(others.map(|other| with(&[&one[..], other].concat())));
            sets.extend(single().map(|name| with(&[&one[..], &[name]].concat())));
        }
        for (place, one) in single().enumerate() {
            sets.extend(single().skip(place + 1).map(|other| with(&[one, other])));
        }
        for take in 3..=named.len().min(MOST_FIELDS) {
            let some: Vec<&Text> = named.iter().copied().take(take).collect();
            sets.push(with(&some));
        }
        sets.dedup();
        sets.truncate(MOST / 2);
        sets
    }
}

/// Whether a node keeps fields that it does not declare.
fn is_open(schema: &Schema) -> bool {
    schema.preserve_unknown_fields
        || matches!(
            schema.additional_properties,
            Some(Additional::Schema(_) | Additional::Allowed(true))
        )
}

/// The values of fields, found when they are needed.
struct Fields<'f, 's> {
    shape: &'f Shape<'s>,
    known: BTreeMap<String, Arc<[Value]>>,
}

impl Fields<'_, '_> {
    fn values(&mut self, name: &str) -> Arc<[Value]> {
        if let Some(known) = self.known.get(name) {
            return Arc::clone(known);
        }
        let found: Arc<[Value]> = self.shape.valid_below(Segment::Property(name)).into();
        self.known.insert(name.to_owned(), Arc::clone(&found));
        found
    }

    /// An object with these fields; `None` if one of them has no value.
    fn object(&mut self, names: &[&Text]) -> Option<Map<String, Value>> {
        let mut object = Map::new();
        for name in names {
            object.insert(name.to_string(), self.values(name).first()?.clone());
        }
        Some(object)
    }
}
