//! The constraints of one node on values, and whether any value satisfies them and one more constraint.

use super::inhabited::{Members, array, object};
use super::kinds::{Kinds, bounds_of_format, bounds_texts, enforced, kinds};
use super::languages::{exactly, some_text};
use super::numbers::{End, Numbers, whole, whole_part};
use super::size::Count;
use super::{key, keys, valid};
use crate::findings::verdict::Answer;
use crd_channels_cel::Text;
use crd_channels_schema::{Bounds, JsonType, Schema};
use serde_json::{Number, Value};
use std::collections::HashSet;

/// A keyword, or a pair of keywords, that bounds values.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Limit {
    Minimum,
    Maximum,
    MultipleOf,
    MinLength,
    MaxLength,
    MinItems,
    MaxItems,
    MinProperties,
    MaxProperties,
}

impl Limit {
    pub(crate) const ALL: [Self; 9] = [
        Self::Minimum,
        Self::Maximum,
        Self::MultipleOf,
        Self::MinLength,
        Self::MaxLength,
        Self::MinItems,
        Self::MaxItems,
        Self::MinProperties,
        Self::MaxProperties,
    ];

    /// The keyword.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Minimum => "minimum",
            Self::Maximum => "maximum",
            Self::MultipleOf => "multipleOf",
            Self::MinLength => "minLength",
            Self::MaxLength => "maxLength",
            Self::MinItems => "minItems",
            Self::MaxItems => "maxItems",
            Self::MinProperties => "minProperties",
            Self::MaxProperties => "maxProperties",
        }
    }

    /// This limit of the bounds, without the others.
    pub(crate) fn only(self, of: &Bounds) -> Bounds {
        let mut only = Bounds::default();
        match self {
            Self::Minimum => {
                only.minimum = of.minimum.clone();
                only.exclusive_minimum = of.exclusive_minimum;
            }
            Self::Maximum => {
                only.maximum = of.maximum.clone();
                only.exclusive_maximum = of.exclusive_maximum;
            }
            Self::MultipleOf => only.multiple_of = of.multiple_of.clone(),
            Self::MinLength => only.min_length = of.min_length,
            Self::MaxLength => only.max_length = of.max_length,
            Self::MinItems => only.min_items = of.min_items,
            Self::MaxItems => only.max_items = of.max_items,
            Self::MinProperties => only.min_properties = of.min_properties,
            Self::MaxProperties => only.max_properties = of.max_properties,
        }
        only
    }

    /// Its text: `8`, or `8 (exclusive)`.
    pub(crate) fn shown(self, bounds: &Bounds) -> Option<String> {
        let number = |number: &Option<Number>, excluded: bool| {
            let number = number.as_ref()?;
            let suffix = if excluded { " (exclusive)" } else { "" };
            Some(format!("{number}{suffix}"))
        };
        let count = |count: Option<u64>| Some(count?.to_string());
        match self {
            Self::Minimum => number(&bounds.minimum, bounds.exclusive_minimum),
            Self::Maximum => number(&bounds.maximum, bounds.exclusive_maximum),
            Self::MultipleOf => number(&bounds.multiple_of, false),
            Self::MinLength => count(bounds.min_length),
            Self::MaxLength => count(bounds.max_length),
            Self::MinItems => count(bounds.min_items),
            Self::MaxItems => count(bounds.max_items),
            Self::MinProperties => count(bounds.min_properties),
            Self::MaxProperties => count(bounds.max_properties),
        }
    }
}

/// The values that a node's own keywords allow, including those of its children if these decide whether there are any. Ignores
/// rules and junctors.
#[derive(Clone)]
pub(crate) struct Local<'a> {
    schema: &'a Schema,
    kinds: Kinds,
    numbers: Numbers,
    length: Count,
    items: Count,
    members: Count,
    must: Vec<Text>,
    must_not: Vec<Text>,
    none_of: &'a [Value],
}

impl<'a> Local<'a> {
    pub(crate) fn from_schema(schema: &'a Schema) -> Self {
        let none = Bounds::default();
        let bounds = schema.bounds.as_deref().unwrap_or(&none);
        let format = enforced(schema).and_then(bounds_of_format);
        let end = |at: &Option<Number>, excluded| {
            at.as_ref().map(|at| End {
                at: at.clone(),
                excluded,
            })
        };
        let both = || [Some(bounds), format.as_ref()].into_iter().flatten();
        let lower = both().filter_map(|of| end(&of.minimum, of.exclusive_minimum));
        let upper = both().filter_map(|of| end(&of.maximum, of.exclusive_maximum));
        let kinds = kinds(schema);
        Self {
            schema,
            kinds: if refuses_numbers(schema, bounds) {
                kinds.minus(Kinds::WHOLE).minus(Kinds::FRACTION)
            } else {
                kinds
            },
            numbers: Numbers {
                lower: lower.collect(),
                upper: upper.collect(),
                multiples: bounds.multiple_of.iter().cloned().collect(),
                no_multiple: None,
            },
            length: Count::new(bounds.min_length, bounds.max_length),
            items: Count::new(bounds.min_items, bounds.max_items),
            members: Count::new(bounds.min_properties, bounds.max_properties),
            must: bounds.pattern.iter().cloned().collect(),
            must_not: Vec::new(),
            none_of: &[],
        }
    }

    /// Restricts to values of these kinds.
    pub(crate) fn only(mut self, kinds: Kinds) -> Self {
        self.kinds = self.kinds.and(kinds);
        self
    }

    /// Restricts to values of other kinds.
    pub(crate) fn without(self, kinds: Kinds) -> Self {
        self.only(Kinds::ALL.minus(kinds))
    }

    /// Restricts to values that another schema's own keywords accept too, apart from its enum and its format.
    pub(crate) fn also(mut self, other: &Schema) -> Self {
        let other = Local::from_schema(other);
        self.kinds = self.kinds.and(other.kinds);
        self.numbers.lower.extend(other.numbers.lower);
        self.numbers.upper.extend(other.numbers.upper);
        self.numbers.multiples.extend(other.numbers.multiples);
        for (own, other) in [
            (&mut self.length, other.length),
            (&mut self.items, other.items),
            (&mut self.members, other.members),
        ] {
            own.at_least(other.min);
            if let Some(max) = other.max {
                own.at_most(max);
            }
        }
        self.must.extend(other.must);
        self
    }

    /// Restricts to values that an enum of these rejects.
    pub(crate) fn none_of(mut self, values: &'a [Value]) -> Self {
        self.none_of = values;
        self
    }

    /// Restricts to strings that a pattern does not match.
    pub(crate) fn not_matching(mut self, pattern: &Text) -> Self {
        self.must_not.push(pattern.clone());
        self.only(Kinds::STRING)
    }

    /// Restricts to values that a limit of other bounds rejects; `None` if there is no such limit.
    pub(crate) fn outside(mut self, limit: Limit, bounds: &Bounds) -> Option<Self> {
        let numbers = Kinds::WHOLE.or(Kinds::FRACTION);
        let below = |count: &mut Count, min: u64| match min.checked_sub(1) {
            Some(max) => count.at_most(max),
            None => {
                *count = Count {
                    min: 1,
                    max: Some(0),
                }
            }
        };
        let kinds = match limit {
            Limit::Minimum => {
                self.numbers.upper.push(End {
                    at: bounds.minimum.clone()?,
                    excluded: !bounds.exclusive_minimum,
                });
                numbers
            }
            Limit::Maximum => {
                self.numbers.lower.push(End {
                    at: bounds.maximum.clone()?,
                    excluded: !bounds.exclusive_maximum,
                });
                numbers
            }
            Limit::MultipleOf => {
                self.numbers.no_multiple = Some(bounds.multiple_of.clone()?);
                numbers
            }
            Limit::MinLength => {
                below(&mut self.length, bounds.min_length?);
                Kinds::STRING
            }
            Limit::MaxLength => {
                self.length.at_least(bounds.max_length?.saturating_add(1));
                Kinds::STRING
            }
            Limit::MinItems => {
                below(&mut self.items, bounds.min_items?);
                Kinds::ARRAY
            }
            Limit::MaxItems => {
                self.items.at_least(bounds.max_items?.saturating_add(1));
                Kinds::ARRAY
            }
            Limit::MinProperties => {
                below(&mut self.members, bounds.min_properties?);
                Kinds::OBJECT
            }
            Limit::MaxProperties => {
                self.members
                    .at_least(bounds.max_properties?.saturating_add(1));
                Kinds::OBJECT
            }
        };
        Some(self.only(kinds))
    }

    /// Whether any value is left.
    pub(crate) fn some(&self) -> Answer {
        if self.schema.enum_values.is_empty() {
            return Answer::any(
                Kinds::EACH
                    .into_iter()
                    .filter(|kind| self.kinds.meets(*kind))
                    .map(|kind| self.some_of(kind)),
            );
        }
        let refused = Refused {
            members: keys(self.none_of, key),
            wholes: self.refused_wholes(),
        };
        let alone = unlisted(self.schema);
        let listed = self.schema.enum_values.iter();
        Answer::any(listed.map(|member| {
            let forms = forms(member).into_iter().flatten();
            let accepted = forms.map(|value| match self.admits(&value, &refused) {
                Answer::No => Answer::No,
                admitted => admitted.and(valid(&listing(&alone, member), &value)),
            });
            Answer::any(accepted).or(self.beside(member, &refused))
        }))
    }

    /// Whether a fractional number is left that a server truncates to a whole member of the enum.
    fn beside(&self, member: &Value, refused: &Refused) -> Answer {
        match self.whole_member(member) {
            Some(part) if !refused.wholes.contains(&part) => {
                self.numbers.with_whole_part(part).has_fraction()
            }
            _ => Answer::No,
        }
    }

    /// The member of an enum, if a server truncates fractions before it compares with it.
    fn whole_member(&self, member: &Value) -> Option<i128> {
        let number = member.as_number().filter(|number| !number.is_f64())?;
        self.kinds
            .meets(Kinds::FRACTION)
            .then(|| whole(number))
            .flatten()
    }

    /// The whole members of the enum that rejects the remaining values.
    fn refused_wholes(&self) -> HashSet<i128> {
        let refused = self.none_of.iter();
        refused
            .filter_map(|value| self.whole_member(value))
            .collect()
    }

    /// Whether a value satisfies the additional constraints.
    fn admits(&self, value: &Value, refused: &Refused) -> Answer {
        let inside = match value {
            Value::Number(number) => self.numbers.has(number),
            Value::String(text) => self.length.has(text.chars().count() as u64),
            Value::Array(items) => self.items.has(items.len() as u64),
            Value::Object(members) => self.members.has(members.len() as u64),
            Value::Null | Value::Bool(_) => true,
        };
        let inside = inside && self.kinds.meets(Kinds::of_value(value)) && !refused.has(value);
        let matched = match value {
            Value::String(text) => {
                let must = self.must.iter();
                let must = must.map(|pattern| super::matches(pattern, text));
                let must_not = self.must_not.iter();
                let must_not = must_not.map(|pattern| super::matches(pattern, text).not());
                Answer::all(must.chain(must_not))
            }
            _ => Answer::Yes,
        };
        Answer::from(inside).and(matched)
    }

    fn some_of(&self, kind: Kinds) -> Answer {
        let refused = || {
            self.none_of
                .iter()
                .filter(move |value| Kinds::of_value(value) == kind)
        };
        match kind {
            Kinds::NULL => Answer::Yes,
            Kinds::BOOL => (refused().count() < 2).into(),
            Kinds::WHOLE => {
                let there = self.numbers.has_whole();
                let mut numbers = refused();
                match (there, numbers.next()) {
                    (Answer::Yes, Some(_)) => self.another_whole(),
                    (there, _) => there,
                }
            }
            Kinds::FRACTION => self.numbers.has_fraction_apart_from(&self.refused_wholes()),
            Kinds::STRING => self.some_string(),
            Kinds::ARRAY | Kinds::OBJECT => {
                let there = if kind == Kinds::ARRAY {
                    array(self.schema, self.items)
                } else {
                    object(self.schema, Members::counting(self.members))
                };
                match (there, refused().next()) {
                    (Answer::Yes, Some(_)) => Answer::Unknown,
                    (there, _) => there,
                }
            }
            _ => Answer::Unknown,
        }
    }

    /// Whether a whole number is left besides the rejected ones: it tests one more number than were rejected.
    fn another_whole(&self) -> Answer {
        let refused: HashSet<i128> = self
            .none_of
            .iter()
            .filter_map(|value| whole(value.as_number()?))
            .collect();
        match self.numbers.wholes(refused.len() + 1) {
            Some(numbers) => numbers
                .iter()
                .any(|number| !refused.contains(number))
                .into(),
            None => Answer::Unknown,
        }
    }

    fn some_string(&self) -> Answer {
        if self.length.is_empty() {
            return Answer::No;
        }
        let mut must_not = self.must_not.clone();
        let refused: Vec<&str> = self.none_of.iter().filter_map(Value::as_str).collect();
        if !refused.is_empty() {
            must_not.push(exactly(refused.into_iter()));
        }
        let narrowed = !self.must.is_empty() || !must_not.is_empty();
        let there = if narrowed {
            some_text(&self.must, &must_not, self.length)
        } else {
            Answer::Yes
        };
        // The texts that a format accepts are not analyzed.
        let formatted = enforced(self.schema).is_some_and(bounds_texts);
        if formatted && (narrowed || self.length != Count::ANY) {
            return there.and(Answer::Unknown);
        }
        there
    }
}

/// The values that an enum rejects, to look them up.
struct Refused {
    /// Their keys.
    members: HashSet<String>,
    /// Those to which servers truncate fractions.
    wholes: HashSet<i128>,
}

impl Refused {
    fn has(&self, value: &Value) -> bool {
        let whole = match value {
            Value::Number(number) if whole(number).is_none() => Some(whole_part(number)),
            _ => None,
        };
        whole.is_some_and(|part| self.wholes.contains(&part)) || self.members.contains(&key(value))
    }
}

/// A schema without its enum.
pub(crate) fn unlisted(schema: &Schema) -> Schema {
    Schema {
        enum_values: Vec::new(),
        ..schema.clone()
    }
}

/// A schema with an enum of one value: whether it accepts a member takes the same time however many there are.
pub(crate) fn listing(schema: &Schema, member: &Value) -> Schema {
    Schema {
        enum_values: vec![member.clone()],
        ..schema.clone()
    }
}

/// A member of an enum and, for a whole number, its other spelling, since servers distinguish `2` and `2.0`.
fn forms(member: &Value) -> [Option<Value>; 2] {
    let other = member.as_number().and_then(|number| {
        if number.is_f64() {
            Number::from_i128(whole(number)?)
        } else {
            Number::from_f64(number.as_f64()?)
        }
    });
    [Some(member.clone()), other.map(Value::Number)]
}

/// Whether a server rejects every number: no integer is within a bound that is not an integer of their format. Servers read
/// bounds as floats, which cannot represent the largest 64-bit integer.
pub(crate) fn refuses_numbers(schema: &Schema, bounds: &Bounds) -> bool {
    const TOO_LARGE: i128 = 1 << 63;
    let is_32 = enforced(schema) == Some("int32");
    let fits = |bound: &Number| match (bound.as_f64(), is_32) {
        (Some(float), _) if float.fract() != 0.0 => false,
        (Some(float), true) => i32::try_from(float as i128).is_ok(),
        (Some(float), false) => (-TOO_LARGE..TOO_LARGE).contains(&(float as i128)),
        (None, _) => false,
    };
    let all = [&bounds.minimum, &bounds.maximum, &bounds.multiple_of];
    schema.ty == Some(JsonType::Integer) && !all.into_iter().flatten().all(fits)
}
