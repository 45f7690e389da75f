//! How the JSON of one version's type becomes that of another's.

use super::Unconvertible;
use super::fields::Fields;
use super::variants::Variants;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::fmt;
use std::sync::Arc;

/// The direction of a conversion.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Way {
    is_to_hub: bool,
    /// Whether objects carry along the fields of one version that the other does not have, under their names: those with their
    /// values that the program does not know, and all that it knows.
    pub(super) carries: bool,
}

impl Way {
    pub(super) const TO_HUB: Self = Self {
        is_to_hub: true,
        carries: false,
    };
    pub(super) const FROM_HUB: Self = Self {
        is_to_hub: false,
        carries: false,
    };

    pub(super) fn back(self) -> Self {
        Self {
            is_to_hub: !self.is_to_hub,
            ..self
        }
    }

    pub(super) fn carrying(self) -> Self {
        Self {
            carries: true,
            ..self
        }
    }

    /// The two things of a pair, those of the spoke first, in the order from and to.
    pub(super) fn of<T>(self, spoke: T, hub: T) -> (T, T) {
        match self.is_to_hub {
            true => (spoke, hub),
            false => (hub, spoke),
        }
    }
}

/// How the JSON of a spoke's type becomes that of the hub's type, and back. See [`Convert`](super::Convert).
#[derive(Clone, Debug)]
pub struct Plan(pub(super) Step);

#[derive(Clone, Debug)]
pub(super) enum Step {
    /// Both versions have the same JSON.
    Same,
    /// Each element of a list.
    List(Box<Plan>),
    /// Each value of a map.
    Map(Box<Plan>),
    /// A type, which may contain itself.
    Type(fn() -> &'static TypePlan),
    Hook(Hook),
}

/// The plan of a struct or an enum. `#[derive(Convert)]` makes it.
#[doc(hidden)]
#[derive(Debug)]
pub enum TypePlan {
    Fields(Fields),
    Variants(Variants),
    /// A struct with one field that has no name, and the JSON of that field.
    Newtype(Plan),
}

/// Two functions over JSON.
#[derive(Clone)]
pub(super) struct Hook {
    to_hub: Arc<HookFn>,
    from_hub: Arc<HookFn>,
}

type HookFn = dyn Fn(Value) -> Result<Option<Value>, Unconvertible> + Send + Sync;

impl fmt::Debug for Hook {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Hook")
    }
}

impl Plan {
    /// Both versions have the same JSON, whatever it is.
    #[must_use]
    pub fn same() -> Self {
        Self(Step::Same)
    }

    /// The value is a list, and this is the plan of its elements.
    #[must_use]
    pub fn list_of(elements: Self) -> Self {
        Self(Step::List(Box::new(elements)))
    }

    /// The value is a map, and this is the plan of its values.
    #[must_use]
    pub fn map_of(values: Self) -> Self {
        Self(Step::Map(Box::new(values)))
    }

    /// The value is converted by a function for each direction.
    ///
    /// API servers convert parts of objects. A value that lacks required fields of its type, and a `null` that is no value of its
    /// type, is left out, and the functions are not called.
    pub fn functions<A, B>(
        to_hub: impl Fn(A) -> Result<B, Unconvertible> + Send + Sync + 'static,
        from_hub: impl Fn(B) -> Result<A, Unconvertible> + Send + Sync + 'static,
    ) -> Self
    where
        A: DeserializeOwned + Serialize,
        B: DeserializeOwned + Serialize,
    {
        Self::of_hook(Hook::new(to_hub, from_hub))
    }

    pub(super) fn of_hook(hook: Hook) -> Self {
        Self(Step::Hook(hook))
    }

    #[doc(hidden)]
    #[must_use]
    pub fn of_type(plan: fn() -> &'static TypePlan) -> Self {
        Self(Step::Type(plan))
    }

    /// Converts a value; `None` if it is a part of a value that cannot be converted by itself.
    pub(super) fn run(&self, value: Value, way: Way) -> Result<Option<Value>, Unconvertible> {
        if value.is_null() {
            return match &self.0 {
                Step::Hook(hook) => hook.run(value, way),
                _ => Ok(Some(value)),
            };
        }
        match &self.0 {
            Step::Same => Ok(Some(value)),
            Step::Hook(hook) => hook.run(value, way),
            Step::List(elements) => {
                let Value::Array(items) = value else {
                    return Err(Unconvertible::new("not a list"));
                };
                let items = items.into_iter().enumerate().filter_map(|(index, item)| {
                    let item = elements.run(item, way).transpose()?;
                    Some(item.map_err(|error| error.at(format!("[{index}]"))))
                });
                Ok(Some(Value::Array(items.collect::<Result<_, _>>()?)))
            }
            Step::Map(values) => {
                let Value::Object(entries) = value else {
                    return Err(Unconvertible::new("not an object"));
                };
                let entries = entries.into_iter().filter_map(|(key, value)| {
                    match values.run(value, way).transpose()? {
                        Ok(value) => Some(Ok((key, value))),
                        Err(error) => Some(Err(error.at(key))),
                    }
                });
                Ok(Some(Value::Object(entries.collect::<Result<_, _>>()?)))
            }
            Step::Type(plan) => match plan() {
                TypePlan::Newtype(inner) => inner.run(value, way),
                TypePlan::Fields(fields) => {
                    let Value::Object(object) = value else {
                        return Err(Unconvertible::new("not an object"));
                    };
                    fields.run(object, way).map(|object| Some(object.into()))
                }
                TypePlan::Variants(variants) => variants.run(value, way),
            },
        }
    }

    /// The names of the fields that a value adds to the object into which it is flattened; `None` for any names.
    pub(super) fn flattened(&self, way: Way) -> Option<Vec<&'static str>> {
        match &self.0 {
            Step::Type(plan) => match plan() {
                TypePlan::Newtype(inner) => inner.flattened(way),
                TypePlan::Fields(fields) => fields.names(way),
                TypePlan::Variants(variants) => variants.names(way),
            },
            _ => None,
        }
    }
}

/// Writes what plans do as a text that is the same in every build.
#[cfg(feature = "round-trip")]
#[derive(Default)]
pub(super) struct Outline {
    pub(super) text: String,
    /// The types that are described: one that contains itself is described once.
    known: Vec<*const TypePlan>,
}

#[cfg(feature = "round-trip")]
impl Outline {
    pub(super) fn say(&mut self, what: impl fmt::Display) {
        use fmt::Write as _;
        let _ = writeln!(self.text, "{what}");
    }

    pub(super) fn plan(&mut self, plan: &Plan) {
        match &plan.0 {
            Step::Same => self.say("same"),
            Step::Hook(_) => self.say("functions"),
            Step::List(elements) => self.within("list", |outline| outline.plan(elements)),
            Step::Map(values) => self.within("map", |outline| outline.plan(values)),
            Step::Type(plan) => {
                let plan = plan();
                let is_it = |known: &*const TypePlan| std::ptr::eq(*known, plan);
                if let Some(known) = self.known.iter().position(is_it) {
                    return self.say(format_args!("type {known}"));
                }
                self.known.push(plan);
                self.within("type", |outline| match plan {
                    TypePlan::Newtype(inner) => outline.plan(inner),
                    TypePlan::Fields(fields) => fields.outline(outline),
                    TypePlan::Variants(variants) => variants.outline(outline),
                });
            }
        }
    }

    pub(super) fn within(&mut self, name: &str, inner: impl FnOnce(&mut Self)) {
        self.say(format_args!("{name} {{"));
        inner(self);
        self.say("}");
    }
}

impl Hook {
    pub(super) fn new<A, B>(
        to_hub: impl Fn(A) -> Result<B, Unconvertible> + Send + Sync + 'static,
        from_hub: impl Fn(B) -> Result<A, Unconvertible> + Send + Sync + 'static,
    ) -> Self
    where
        A: DeserializeOwned + Serialize,
        B: DeserializeOwned + Serialize,
    {
        Self {
            to_hub: Arc::new(move |value| typed(value, &to_hub)),
            from_hub: Arc::new(move |value| typed(value, &from_hub)),
        }
    }

    pub(super) fn run(&self, value: Value, way: Way) -> Result<Option<Value>, Unconvertible> {
        let (convert, _) = way.of(&self.to_hub, &self.from_hub);
        convert(value)
    }
}

/// Reads a value, converts it, and writes the result; `None` if the value lacks a required field.
fn typed<A: DeserializeOwned, B: Serialize>(
    value: Value,
    convert: impl Fn(A) -> Result<B, Unconvertible>,
) -> Result<Option<Value>, Unconvertible> {
    // Servers write `null` for what one manager leaves of a list or an object.
    let is_null = value.is_null();
    let read = match serde_json::from_value(value) {
        Ok(read) => read,
        Err(error) => {
            let reason = error.to_string();
            // serde has no other way to tell a part of a value from a wrong value.
            return match is_null || reason.starts_with("missing field `") {
                true => Ok(None),
                false => Err(Unconvertible::new(reason)),
            };
        }
    };
    let written = serde_json::to_value(convert(read)?);
    written
        .map(Some)
        .map_err(|error| Unconvertible::new(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::{Plan, Way};
    use serde_json::{Value, json};

    #[test]
    fn functions_see_a_null_that_is_a_value_and_no_other() {
        let plan = Plan::functions(
            |number: Option<i32>| Ok(number.unwrap_or(-1)),
            |number: i32| Ok(Some(number)),
        );
        assert_eq!(plan.run(Value::Null, Way::TO_HUB), Ok(Some(json!(-1))));
        assert_eq!(plan.run(Value::Null, Way::FROM_HUB), Ok(None));
    }
}
