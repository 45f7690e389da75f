//! The variants of an enum in two versions.

use super::Unconvertible;
use super::describe::{DescribedVariant, Description, Style, Tagging};
use super::fields::{Fields, Pairs};
use super::plan::{Plan, Way};
use serde_json::{Map, Value};
use std::marker::PhantomData;

/// What becomes of the variants of an enum.
#[doc(hidden)]
#[derive(Debug)]
pub struct Variants {
    spoke: Side,
    hub: Side,
    variants: Vec<VariantPlan>,
}

/// The enum in the JSON of one version.
#[derive(Debug)]
struct Side {
    tagging: Tagging,
    variants: &'static [DescribedVariant],
    untagged: fn(&Value) -> Option<usize>,
}

#[derive(Debug)]
struct VariantPlan {
    /// The variant in each version; `None` if this plan does not lead there.
    spoke: Lead,
    hub: Lead,
    content: Content,
}

/// A variant of one version.
#[derive(Clone, Copy, Debug)]
struct Lead {
    variant: &'static DescribedVariant,
    /// Whether the variant is converted by this plan.
    starts: bool,
}

#[derive(Debug)]
enum Content {
    /// Nothing, or nothing that the other version has.
    Nothing,
    Newtype(Plan),
    Fields(Fields),
}

/// Collects the variants of an enum by their names in Rust.
#[doc(hidden)]
#[derive(Debug)]
pub struct VariantPairs<S, H> {
    plan: Variants,
    types: PhantomData<fn(S, H)>,
}

impl<S: Description, H: Description> Default for VariantPairs<S, H> {
    fn default() -> Self {
        fn side<T: Description>() -> Side {
            Side {
                tagging: T::TAGGING,
                variants: T::variants(),
                untagged: T::untagged,
            }
        }
        Self {
            plan: Variants {
                spoke: side::<S>(),
                hub: side::<H>(),
                variants: Vec::new(),
            },
            types: PhantomData,
        }
    }
}

impl<S: Description, H: Description> VariantPairs<S, H> {
    /// A variant of both versions.
    #[must_use]
    pub fn variant(
        self,
        spoke: &str,
        hub: &str,
        pairs: impl FnOnce(Pairs<S, H>) -> Pairs<S, H>,
    ) -> Self {
        let style = self.plan.spoke.variant(spoke).map(|variant| variant.style);
        let content = match style {
            Some(Style::Newtype) => {
                Content::Newtype(pairs(Pairs::of(Some(spoke), Some(hub))).newtype())
            }
            Some(Style::Struct) => {
                Content::Fields(pairs(Pairs::of(Some(spoke), Some(hub))).fields())
            }
            Some(Style::Unit) | None => Content::Nothing,
        };
        self.pair(spoke, hub, [true, true], content)
    }

    /// A variant that only the hub has, and the variant without content that stands for it in the spoke.
    #[must_use]
    pub fn hub_only(self, hub: &str, shown: &str) -> Self {
        self.pair(shown, hub, [false, true], Content::Nothing)
    }

    /// A variant that only the spoke has, and the variant without content that stands for it in the hub.
    #[must_use]
    pub fn spoke_only(self, spoke: &str, shown: &str) -> Self {
        self.pair(spoke, shown, [true, false], Content::Nothing)
    }

    #[must_use]
    pub fn variants(self) -> Variants {
        self.plan
    }

    fn pair(mut self, spoke: &str, hub: &str, starts: [bool; 2], content: Content) -> Self {
        let both = self
            .plan
            .spoke
            .variant(spoke)
            .zip(self.plan.hub.variant(hub));
        if let Some((spoke, hub)) = both {
            let lead = |variant, starts| Lead { variant, starts };
            self.plan.variants.push(VariantPlan {
                spoke: lead(spoke, starts[0]),
                hub: lead(hub, starts[1]),
                content,
            });
        }
        self
    }
}

impl Side {
    fn variant(&self, rust: &str) -> Option<&'static DescribedVariant> {
        self.variants.iter().find(|variant| variant.rust == rust)
    }
}

/// A variant and its content in JSON.
struct Tagged {
    name: String,
    content: Option<Value>,
}

impl Variants {
    /// Converts a value; `None` if it is a part of a value whose variant is not known.
    pub(super) fn run(&self, value: Value, way: Way) -> Result<Option<Value>, Unconvertible> {
        // What is left of a value without its tag.
        let is_empty = value.as_object().is_some_and(Map::is_empty);
        let converted = self.known(value, way)?;
        Ok(converted.or_else(|| is_empty.then(|| Map::new().into())))
    }

    fn known(&self, value: Value, way: Way) -> Result<Option<Value>, Unconvertible> {
        let (from, _) = way.of(&self.spoke, &self.hub);
        match from.tagging {
            Tagging::External => match value {
                Value::String(name) => {
                    let tagged = Tagged {
                        name,
                        content: None,
                    };
                    self.one(tagged, way).map(Some)
                }
                Value::Object(members) => {
                    // A merge may have set several, and a part may have none.
                    let mut all = Value::Object(Map::new());
                    for (name, content) in members {
                        let content = Some(content);
                        merge(&mut all, self.one(Tagged { name, content }, way)?);
                    }
                    Ok(Some(all))
                }
                _ => Err(Unconvertible::new("neither a string nor an object")),
            },
            Tagging::Internal(tag) => {
                let Value::Object(mut object) = value else {
                    return Err(Unconvertible::new("not an object"));
                };
                match object.remove(tag) {
                    None => self.without_tag(object, way),
                    Some(Value::String(name)) => {
                        let content = Some(Value::Object(object));
                        self.one(Tagged { name, content }, way).map(Some)
                    }
                    Some(_) => Err(Unconvertible::new("not a string").at(tag)),
                }
            }
            Tagging::Adjacent(tag, content) => {
                let Value::Object(mut object) = value else {
                    return Err(Unconvertible::new("not an object"));
                };
                let content = object.remove(content);
                match object.remove(tag) {
                    Some(Value::String(name)) => self.one(Tagged { name, content }, way).map(Some),
                    // The content of an unknown variant means nothing.
                    None => Ok(None),
                    Some(_) => Err(Unconvertible::new("not a string").at(tag)),
                }
            }
            Tagging::Untagged => {
                let found = (from.untagged)(&value).and_then(|index| from.variants.get(index));
                let Some(found) = found else { return Ok(None) };
                let tagged = Tagged {
                    name: found.json.to_owned(),
                    content: Some(value),
                };
                self.one(tagged, way).map(Some)
            }
        }
    }

    fn one(&self, tagged: Tagged, way: Way) -> Result<Value, Unconvertible> {
        let plan = self.variants.iter().find(|plan| {
            let (from, _) = way.of(plan.spoke, plan.hub);
            from.starts && from.variant.json == tagged.name
        });
        let Some(plan) = plan else {
            return Err(self.unknown(&tagged.name, way));
        };
        let (_, to) = way.of(plan.spoke, plan.hub);
        let content = match (&plan.content, tagged.content) {
            (Content::Newtype(inner), Some(content)) => inner
                .run(content, way)
                .map_err(|error| error.at(tagged.name))?,
            (Content::Fields(fields), Some(Value::Object(object))) => {
                let fields = fields.run(object, way);
                Some(Value::Object(
                    fields.map_err(|error| error.at(tagged.name))?,
                ))
            }
            (Content::Fields(_), Some(Value::Null)) | (_, None) | (Content::Nothing, _) => None,
            (Content::Fields(_), Some(_)) => return Err(Unconvertible::new("not an object")),
        };
        Ok(self.tagged(to.variant, content, way))
    }

    /// Writes a variant as the other version does.
    fn tagged(&self, variant: &DescribedVariant, content: Option<Value>, way: Way) -> Value {
        let (_, to) = way.of(&self.spoke, &self.hub);
        let object = |name: &str, value: Value| {
            Value::Object([(name.to_owned(), value)].into_iter().collect())
        };
        let name = || Value::from(variant.json);
        match (to.tagging, content) {
            (Tagging::External, None) if variant.style == Style::Unit => name(),
            (Tagging::External, None) => object(variant.json, Value::Object(Map::new())),
            (Tagging::External, Some(content)) => object(variant.json, content),
            (Tagging::Internal(tag), content) => {
                let mut all = object(tag, name());
                merge(&mut all, content.unwrap_or_default());
                all
            }
            (Tagging::Adjacent(tag, place), content) => {
                let mut all = object(tag, name());
                merge(
                    &mut all,
                    content
                        .map(|content| object(place, content))
                        .unwrap_or_default(),
                );
                all
            }
            (Tagging::Untagged, None) if variant.style == Style::Unit => Value::Null,
            (Tagging::Untagged, content) => content.unwrap_or_else(|| Map::new().into()),
        }
    }

    /// Converts the fields of a part that lacks the tag, as far as all variants agree about them.
    fn without_tag(
        &self,
        object: Map<String, Value>,
        way: Way,
    ) -> Result<Option<Value>, Unconvertible> {
        let mut all = Map::new();
        for (name, value) in object {
            let mut results = Vec::new();
            for plan in &self.variants {
                let one: Map<String, Value> = [(name.clone(), value.clone())].into_iter().collect();
                let converted = match &plan.content {
                    Content::Fields(fields) => Value::Object(fields.run(one, way)?),
                    Content::Newtype(inner) => inner.run(one.into(), way)?.unwrap_or_default(),
                    Content::Nothing => continue,
                };
                if converted
                    .as_object()
                    .is_some_and(|fields| !fields.is_empty())
                {
                    results.push(converted);
                }
            }
            results.dedup();
            if let [Value::Object(_)] = &*results
                && let Some(Value::Object(fields)) = results.pop()
            {
                all.extend(fields);
            }
        }
        Ok((!all.is_empty()).then_some(Value::Object(all)))
    }

    fn unknown(&self, name: &str, way: Way) -> Unconvertible {
        let known = self.variants.iter().filter_map(|plan| {
            let (from, _) = way.of(plan.spoke, plan.hub);
            from.starts.then_some(from.variant.json)
        });
        let known: Vec<&str> = known.collect();
        Unconvertible::new(format!(
            "`{name}` is unknown to the webhook, which converts `{}`",
            known.join("`, `")
        ))
    }

    /// The names of the fields that a flattened value adds to its object; `None` for any names.
    pub(super) fn names(&self, way: Way) -> Option<Vec<&'static str>> {
        let (from, _) = way.of(&self.spoke, &self.hub);
        let mut names = Vec::new();
        match from.tagging {
            Tagging::External => {
                names.extend(from.variants.iter().map(|variant| variant.json));
                return Some(names);
            }
            Tagging::Adjacent(tag, content) => return Some(vec![tag, content]),
            Tagging::Internal(tag) => names.push(tag),
            Tagging::Untagged => {}
        }
        for plan in &self.variants {
            match &plan.content {
                Content::Fields(fields) => names.extend(fields.names(way)?),
                Content::Newtype(inner) => names.extend(inner.flattened(way)?),
                Content::Nothing => {}
            }
        }
        Some(names)
    }
}

#[cfg(feature = "round-trip")]
impl Variants {
    pub(super) fn outline(&self, outline: &mut super::plan::Outline) {
        for Side {
            tagging, variants, ..
        } in [&self.spoke, &self.hub]
        {
            outline.say(format_args!("{tagging:?} {variants:?}"));
        }
        for VariantPlan {
            spoke,
            hub,
            content,
        } in &self.variants
        {
            for Lead { variant, starts } in [spoke, hub] {
                outline.say(format_args!("{:?} {starts}", variant.json));
            }
            match content {
                Content::Nothing => outline.say("nothing"),
                Content::Newtype(inner) => outline.plan(inner),
                Content::Fields(fields) => {
                    outline.within("fields", |outline| fields.outline(outline))
                }
            }
        }
    }
}

/// Adds the fields of one object to another; other values replace it.
fn merge(all: &mut Value, one: Value) {
    match (all, one) {
        (_, Value::Null) => {}
        (Value::Object(all), Value::Object(one)) => all.extend(one),
        (all, one) => *all = one,
    }
}
