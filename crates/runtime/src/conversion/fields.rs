//! The fields of a struct or a variant in two versions.

use super::describe::{DescribedField, Description};
use super::plan::{Hook, Plan, Way};
use super::{Convert, Unconvertible};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::marker::PhantomData;

/// What becomes of the fields of a struct or a variant.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct Fields(Vec<FieldPlan>);

#[derive(Debug)]
struct FieldPlan {
    spoke: Vec<Side>,
    hub: Vec<Side>,
    how: How,
}

#[derive(Debug)]
enum How {
    /// One field becomes one field.
    Plan(Plan),
    /// One field becomes one field, by functions that see its absence as `null`.
    With(Hook),
    /// Some fields become others. The functions take and return lists of their values.
    Together(Hook),
    /// Only one version has the field. It takes this value in an object that must have it.
    Default(Option<Value>),
}

/// A field in the JSON of one version.
#[derive(Clone, Copy, Debug)]
struct Side {
    json: &'static str,
    flatten: bool,
    is_required: bool,
    absent: fn() -> Option<Value>,
}

/// The accessor of a field, which tells the compiler the field's type.
type Access<T, F> = fn(&T) -> Option<&F>;

/// Collects the fields of a struct or a variant by their names in Rust.
#[doc(hidden)]
#[derive(Debug)]
pub struct Pairs<S, H> {
    spoke: &'static [DescribedField],
    hub: &'static [DescribedField],
    fields: Vec<FieldPlan>,
    types: PhantomData<fn(S, H)>,
}

impl<S, H> Pairs<S, H> {
    /// The fields of the types of a kind, which serde does not rename.
    #[must_use]
    pub fn of_root() -> Self {
        Self {
            spoke: &[],
            hub: &[],
            fields: Vec::new(),
            types: PhantomData,
        }
    }

    /// A field of both.
    #[must_use]
    pub fn field_of_root<A: Convert<B>, B>(
        mut self,
        name: &'static str,
        _: Access<S, A>,
        _: Access<H, B>,
    ) -> Self {
        let side = Side {
            json: name,
            flatten: false,
            is_required: false,
            absent: || None,
        };
        self.fields.push(FieldPlan {
            spoke: vec![side],
            hub: vec![side],
            how: How::Plan(A::plan()),
        });
        self
    }

    #[must_use]
    pub fn fields(self) -> Fields {
        Fields(self.fields)
    }
}

impl<S: Description, H: Description> Pairs<S, H> {
    /// The fields of a struct, or of a variant in each version.
    #[must_use]
    pub fn of(spoke: Option<&str>, hub: Option<&str>) -> Self {
        Self {
            spoke: S::fields(spoke),
            hub: H::fields(hub),
            fields: Vec::new(),
            types: PhantomData,
        }
    }

    /// A field whose type converts to that of the hub's field.
    #[must_use]
    pub fn field<A: Convert<B>, B>(
        self,
        spoke: &str,
        hub: &str,
        _: Access<S, A>,
        _: Access<H, B>,
    ) -> Self {
        self.pair(spoke, hub, How::Plan(A::plan()))
    }

    /// A field that has the same type in both versions.
    #[must_use]
    pub fn same<A>(self, spoke: &str, hub: &str, _: Access<S, A>, _: Access<H, A>) -> Self {
        self.pair(spoke, hub, How::Plan(Plan::same()))
    }

    /// A field that two functions convert.
    #[must_use]
    pub fn with<A, B>(
        self,
        spoke: &str,
        hub: &str,
        _: Access<S, A>,
        _: Access<H, B>,
        to_hub: fn(A) -> Result<B, Unconvertible>,
        from_hub: fn(B) -> Result<A, Unconvertible>,
    ) -> Self
    where
        A: DeserializeOwned + Serialize + 'static,
        B: DeserializeOwned + Serialize + 'static,
    {
        self.pair(spoke, hub, How::With(Hook::new(to_hub, from_hub)))
    }

    /// Fields that two functions convert together. They take and return tuples.
    #[must_use]
    pub fn together<A, B>(
        mut self,
        spoke: &[&str],
        hub: &[&str],
        to_hub: impl Fn(A) -> Result<B, Unconvertible> + Send + Sync + 'static,
        from_hub: impl Fn(B) -> Result<A, Unconvertible> + Send + Sync + 'static,
        _: fn(S) -> A,
        _: fn(H) -> B,
    ) -> Self
    where
        A: DeserializeOwned + Serialize,
        B: DeserializeOwned + Serialize,
    {
        self.fields.push(FieldPlan {
            spoke: spoke
                .iter()
                .filter_map(|name| side(self.spoke, name))
                .collect(),
            hub: hub.iter().filter_map(|name| side(self.hub, name)).collect(),
            how: How::Together(Hook::new(to_hub, from_hub)),
        });
        self
    }

    /// A field that only the hub has.
    #[must_use]
    pub fn hub_only<B: Default + Serialize>(mut self, hub: &str, _: Access<H, B>) -> Self {
        self.fields.push(FieldPlan {
            spoke: Vec::new(),
            hub: side(self.hub, hub).into_iter().collect(),
            how: How::Default(serde_json::to_value(B::default()).ok()),
        });
        self
    }

    /// A field that only the spoke has.
    #[must_use]
    pub fn spoke_only<A: Default + Serialize>(mut self, spoke: &str, _: Access<S, A>) -> Self {
        self.fields.push(FieldPlan {
            spoke: side(self.spoke, spoke).into_iter().collect(),
            hub: Vec::new(),
            how: How::Default(serde_json::to_value(A::default()).ok()),
        });
        self
    }

    /// The plan of the only field, which has no name.
    #[must_use]
    pub fn newtype(self) -> Plan {
        let mut fields = self.fields.into_iter();
        match fields.next().map(|field| field.how) {
            Some(How::Plan(plan)) => plan,
            Some(How::With(hook)) => Plan::of_hook(hook),
            _ => Plan::same(),
        }
    }

    fn pair(mut self, spoke: &str, hub: &str, how: How) -> Self {
        self.fields.push(FieldPlan {
            spoke: side(self.spoke, spoke).into_iter().collect(),
            hub: side(self.hub, hub).into_iter().collect(),
            how,
        });
        self
    }
}

/// The field with that name in Rust; `None` if serde skips it.
fn side(fields: &'static [DescribedField], rust: &str) -> Option<Side> {
    let field = fields.iter().find(|field| field.rust == rust)?;
    Some(Side {
        json: field.json,
        flatten: field.flatten,
        is_required: (field.is_required)(),
        absent: field.absent,
    })
}

impl FieldPlan {
    fn sides(&self, way: Way) -> (&[Side], &[Side]) {
        way.of(&*self.spoke, &*self.hub)
    }
}

impl Fields {
    /// Converts the fields of an object. Fields that the version does not have are left out.
    pub(super) fn run(
        &self,
        mut object: Map<String, Value>,
        way: Way,
    ) -> Result<Map<String, Value>, Unconvertible> {
        let before = way.carries.then(|| object.clone());
        let is_whole = self.0.iter().all(|field| {
            let (from, _) = field.sides(way);
            from.iter()
                .all(|side| side.flatten || !side.is_required || object.contains_key(side.json))
        });
        let mut converted = Map::new();
        // What is flattened comes last, since it may take all that is left.
        let (flattened, named): (Vec<_>, Vec<_>) = self
            .0
            .iter()
            .partition(|field| field.sides(way).0.iter().any(|side| side.flatten));
        for field in named {
            field.run(&mut object, &mut converted, is_whole, way)?;
        }
        let (known, rest): (Vec<_>, Vec<_>) = flattened
            .into_iter()
            .partition(|field| field.flattened(way).is_some());
        for field in known.into_iter().chain(rest) {
            field.run(&mut object, &mut converted, is_whole, way)?;
        }
        if let (Some(mut carried), Some(own)) = (before, self.names(way.back())) {
            for name in self.names(way).into_iter().flatten() {
                carried.entry(name).or_insert(Value::Null);
            }
            carried.retain(|name, _| !own.contains(&&**name));
            carried.append(&mut converted);
            converted = carried;
        }
        Ok(converted)
    }

    /// The names of all fields, `None` if they may have any name.
    pub(super) fn names(&self, way: Way) -> Option<Vec<&'static str>> {
        let mut names = Vec::new();
        for field in &self.0 {
            for side in field.sides(way).0 {
                match side.flatten {
                    true => names.extend(field.flattened(way)?),
                    false => names.push(side.json),
                }
            }
        }
        Some(names)
    }
}

#[cfg(feature = "round-trip")]
impl Fields {
    pub(super) fn outline(&self, outline: &mut super::plan::Outline) {
        for FieldPlan { spoke, hub, how } in &self.0 {
            for (name, sides) in [("spoke", spoke), ("hub", hub)] {
                for Side {
                    json,
                    flatten,
                    is_required,
                    absent,
                } in sides
                {
                    let absent = absent();
                    outline.say(format_args!(
                        "{name} {json:?} {flatten} {is_required} {absent:?}"
                    ));
                }
            }
            match how {
                How::Plan(plan) => outline.plan(plan),
                How::With(_) => outline.say("functions"),
                How::Together(_) => outline.say("functions together"),
                How::Default(default) => outline.say(format_args!("default {default:?}")),
            }
        }
    }
}

impl FieldPlan {
    fn flattened(&self, way: Way) -> Option<Vec<&'static str>> {
        match &self.how {
            How::Plan(plan) => plan.flattened(way),
            How::With(_) | How::Together(_) | How::Default(_) => None,
        }
    }

    fn run(
        &self,
        object: &mut Map<String, Value>,
        converted: &mut Map<String, Value>,
        is_whole: bool,
        way: Way,
    ) -> Result<(), Unconvertible> {
        let (from, to) = self.sides(way);
        match &self.how {
            How::Default(default) => {
                // It is no field with any name.
                for side in from {
                    object.remove(side.json);
                }
                if is_whole {
                    let required = to.iter().filter(|side| side.is_required);
                    converted.extend(
                        required.filter_map(|side| Some((side.json.to_owned(), default.clone()?))),
                    );
                }
                Ok(())
            }
            How::Plan(plan) => {
                // A field that serde skips in one version.
                let (Some(from), Some(to)) = (from.first(), to.first()) else {
                    return Ok(());
                };
                let value = match from.flatten {
                    true => self.take_flattened(object, is_whole, way),
                    false => object.remove(from.json).or_else(|| {
                        let absent = is_whole && to.is_required;
                        absent.then(|| (from.absent)()).flatten()
                    }),
                };
                let Some(value) = value else { return Ok(()) };
                let value = plan.run(value, way).map_err(|error| from.locate(error))?;
                to.put(value, converted);
                Ok(())
            }
            How::With(hook) | How::Together(hook) => {
                let mut is_there = false;
                let mut values = Vec::with_capacity(from.len());
                for side in from {
                    let value = object.remove(side.json);
                    is_there |= value.is_some();
                    match value.or_else(|| (side.absent)()) {
                        Some(value) => values.push(value),
                        None if side.is_required => return Ok(()),
                        None => values.push(Value::Null),
                    }
                }
                let is_asked = is_whole && to.iter().any(|side| side.is_required);
                if !is_there && !is_asked {
                    return Ok(());
                }
                let is_one = matches!(self.how, How::With(_));
                let value = match is_one {
                    true => values.pop().unwrap_or_default(),
                    false => Value::Array(values),
                };
                let result = hook.run(value, way).map_err(|error| match from {
                    [one] => one.locate(error),
                    _ => error,
                })?;
                let results = match result {
                    Some(result) if is_one => vec![result],
                    Some(Value::Array(results)) => results,
                    _ => Vec::new(),
                };
                for (side, value) in to.iter().zip(results) {
                    // What serde reads as absent is left out, as the types do.
                    let is_absent = value.is_null() && !side.is_required;
                    side.put((!is_absent).then_some(value), converted);
                }
                Ok(())
            }
        }
    }

    /// The fields of a flattened value; `None` if none of them is there, in a part.
    fn take_flattened(
        &self,
        object: &mut Map<String, Value>,
        is_whole: bool,
        way: Way,
    ) -> Option<Value> {
        let taken: Map<String, Value> = match self.flattened(way) {
            None => std::mem::take(object),
            Some(names) => {
                let there = names
                    .into_iter()
                    .filter_map(|name| object.remove_entry(name));
                there.collect()
            }
        };
        (is_whole || !taken.is_empty()).then_some(Value::Object(taken))
    }
}

impl Side {
    fn put(self, value: Option<Value>, into: &mut Map<String, Value>) {
        match value {
            Some(Value::Object(fields)) if self.flatten => into.extend(fields),
            Some(value) if !self.flatten => drop(into.insert(self.json.to_owned(), value)),
            _ => {}
        }
    }

    fn locate(self, error: Unconvertible) -> Unconvertible {
        match self.flatten {
            true => error,
            false => error.at(self.json),
        }
    }
}
