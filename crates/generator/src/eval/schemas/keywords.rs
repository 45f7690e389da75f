//! Methods of schemars' generator and `Schema`, of a type's schema, and of lists in it.

use super::pending::{Change, Pending, TypeSchema, UNSEEN, unseen};
use super::settings::{generator_with, settings_of};
use crate::eval::machine::{Machine, Run, Want, stop};
use crate::eval::std::Call;
use crate::eval::values::kinds::SeqKind;
use crate::eval::values::path_segments::first_segment;
use crate::eval::values::ty::Concrete;
use crate::eval::values::value::{MutPlace, PlaceElem, Value, Via};
use crd_channels_diagnostics::{Span, Text};
use crd_channels_schema::draft::ItemFilter;
use serde_json::json;

impl Machine<'_> {
    /// Calls a method of a value that depends on the schema of a type.
    pub(in crate::eval) fn pending_method(
        &mut self,
        call: &Call<'_>,
        pending: &Pending,
        args: Vec<Value>,
    ) -> Run {
        match pending {
            Pending::Generator => self.generator_method(call, &args),
            Pending::Schema(schema) => self.type_schema_method(call, schema, &args),
            Pending::Keyword(changes, ty) => self.keyword_method(call, (changes, ty), &args),
            Pending::Item(key) => self.item_method(call, key.as_ref(), &args),
            Pending::Items(list, indexed) => self.items_method(call, (list, *indexed), &args),
            Pending::Perhaps(inner) => self.perhaps_method(call, inner, &args),
            Pending::Index(..) | Pending::Test(_) => stop(call.span, UNSEEN),
        }
    }

    fn generator_method(&mut self, call: &Call<'_>, args: &[Value]) -> Run {
        match (call.name, call.types, args) {
            ("subschema_for", [ty], []) => self.type_schema(ty, call.span),
            _ => call.unsupported(&Pending::Generator.value()),
        }
    }

    /// Returns the schema of a type: `T::json_schema(generator)`, `generator.subschema_for::<T>()`.
    pub(in crate::eval) fn type_schema(&self, ty: &Concrete, span: Span) -> Run {
        if ty.is_open() {
            return stop(span, "the type of this schema is not known");
        }
        let json = Value::Json(Box::new(Pending::schema(ty.clone(), span).value()));
        Ok(Value::Schema(Box::new(json)))
    }

    /// Calls a method of `Schema`.
    pub(in crate::eval) fn schema_method(
        &mut self,
        call: &Call<'_>,
        schema: &Value,
        args: Vec<Value>,
    ) -> Run {
        let Value::Schema(inner) = schema else {
            return call.unsupported(schema);
        };
        let content = match &**inner {
            Value::Json(content) => &**content,
            _ => return self.old_schema_method(call, schema, &args),
        };
        let content_place = call.place.part(PlaceElem::Content);
        let map = content_place.part(PlaceElem::Content);
        match (call.name, content) {
            ("as_bool", Value::Bool(_)) => Ok(Value::some(content.clone())),
            ("as_bool", Value::Map(_)) => Ok(Value::Option(None)),
            ("to_value", _) => Ok(Value::clone(inner)),
            ("as_value", _) => Ok(Value::reference(Value::clone(inner))),
            ("into_object", Value::Pending(_)) => Ok(content.clone()),
            ("as_object", Value::Map(_)) => Ok(Value::some(Value::reference(content.clone()))),
            ("as_object" | "as_object_mut" | "get" | "get_mut" | "remove", Value::Bool(_)) => {
                Ok(Value::Option(None))
            }
            ("as_object_mut" | "ensure_object" | "insert", _) if call.via == Via::Shared => {
                stop(call.span, "the value that this changes is not known")
            }
            ("as_object_mut", Value::Map(_)) => Ok(Value::some(Value::MutPlace(map))),
            ("as_object_mut", Value::Pending(_)) => {
                Ok(Pending::Perhaps(Box::new(Value::MutPlace(map))).value())
            }
            ("ensure_object" | "insert", _) => {
                if let Value::Bool(accepts) = content {
                    let object = if *accepts {
                        json!({})
                    } else {
                        json!({ "not": {} })
                    };
                    self.write(&content_place, Value::json(&object), call.span)?;
                }
                match call.name {
                    "insert" => {
                        let name = Text::from(call.name);
                        self.std_method((&map, call.via), &name, &[], args, call.want, call.span)
                    }
                    _ => Ok(Value::MutPlace(map)),
                }
            }
            ("get" | "get_mut" | "remove", _) => {
                let name = Text::from(call.name);
                self.std_method((&map, call.via), &name, &[], args, call.want, call.span)
            }
            _ => call.unsupported(schema),
        }
    }

    /// Calls a method of a type's schema as a map of keywords.
    fn type_schema_method(&mut self, call: &Call<'_>, schema: &TypeSchema, args: &[Value]) -> Run {
        let span = call.span;
        let key = match args.first().map(|key| self.load(key)) {
            Some(key) => key.text().cloned(),
            None => None,
        };
        let old = |name: &Text| match schema.keyword(name) {
            Some(Value::Option(None)) => Value::Option(None),
            Some(value) if !matches!(value, Value::Pending(_)) => Value::some(value.clone()),
            _ => Pending::Perhaps(Box::new(Value::Unknown(unseen(span)))).value(),
        };
        match (call.name, key, args) {
            ("insert", Some(name), [_, value]) => {
                let Some(value) = self.json_from(&self.load(value)) else {
                    return stop(span, "this does not become JSON");
                };
                self.set_keyword(call, &name, value)?;
                Ok(old(&name))
            }
            ("remove", Some(name), [_]) => {
                self.set_keyword(call, &name, Value::Option(None))?;
                Ok(old(&name))
            }
            ("get", Some(name), [_]) => Ok(match schema.keyword(&name) {
                Some(Value::Option(None)) => Value::Option(None),
                Some(value @ Value::Json(_)) => Value::some(Value::reference(value.clone())),
                Some(value) => Pending::Perhaps(Box::new(Value::reference(value.clone()))).value(),
                None => {
                    let untouched = Pending::Keyword(Vec::new(), None).value();
                    Pending::Perhaps(Box::new(Value::reference(untouched))).value()
                }
            }),
            ("get_mut", Some(name), [_]) if call.via != Via::Shared => {
                self.touch(call.place, &name, None);
                let place = Value::MutPlace(call.place.part(PlaceElem::Field(name.clone())));
                Ok(match schema.keyword(&name) {
                    Some(Value::Option(None)) => Value::Option(None),
                    Some(Value::Json(_)) => Value::some(place),
                    _ => Pending::Perhaps(Box::new(place)).value(),
                })
            }
            _ => self.old_object_method(call, args),
        }
    }

    fn set_keyword(&mut self, call: &Call<'_>, name: &Text, value: Value) -> Run<()> {
        let target = match call.via {
            Via::Shared => None,
            _ => self.at_mut(call.place),
        };
        match target {
            Some(Value::Pending(pending)) => match &mut **pending {
                Pending::Schema(schema) => {
                    schema.set(name, value);
                    Ok(())
                }
                _ => stop(call.span, UNSEEN),
            },
            _ => stop(call.span, "the value that this changes is not known"),
        }
    }

    /// Creates a place for a keyword of a type's schema, without changing the keyword.
    pub(super) fn touch(&mut self, schema: &MutPlace, name: &Text, ty: Option<Concrete>) {
        if let Some(Value::Pending(pending)) = self.at_free(schema)
            && let Pending::Schema(schema) = &mut **pending
        {
            schema.touch(name, ty);
        }
    }

    /// Calls a method of a list in a type's schema, or of its JSON value.
    fn keyword_method(
        &mut self,
        call: &Call<'_>,
        (changes, ty): (&[Change], &Option<Concrete>),
        args: &[Value],
    ) -> Run {
        let span = call.span;
        match (call.name, args) {
            ("as_array_mut", []) if call.via != Via::Shared => {
                Ok(Pending::Perhaps(Box::new(Value::MutPlace(call.place.clone()))).value())
            }
            ("as_array", []) => {
                let list = Pending::Keyword(changes.to_vec(), ty.clone()).value();
                Ok(Pending::Perhaps(Box::new(Value::reference(list))).value())
            }
            ("iter", []) => Ok(Pending::Items(call.place.clone(), false).value()),
            ("push", [item]) => {
                let Some(item) = self.json_from(&self.load(item)) else {
                    return stop(span, "this does not become JSON");
                };
                self.change_list(call, Change::Push(item))?;
                Ok(Value::unit())
            }
            ("retain", [test]) => {
                let item = Value::reference(Pending::Item(None).value());
                let answer = self.apply(test, vec![item], Want::any(), span)?;
                match self.load(&answer) {
                    Value::Bool(true) => {}
                    Value::Pending(pending) => match *pending {
                        Pending::Test(filter) => {
                            let is = !filter.is;
                            self.change_list(call, Change::Drop(ItemFilter { is, ..filter }))?;
                        }
                        _ => return stop(span, UNSEEN),
                    },
                    _ => return stop(span, UNSEEN),
                }
                Ok(Value::unit())
            }
            ("remove", [at]) => {
                let filter = match self.load(at) {
                    Value::Pending(pending) => match *pending {
                        Pending::Index(list, filter, before)
                            if self.resolved(&list) == self.resolved(call.place)
                                && before == changes.len() =>
                        {
                            filter
                        }
                        _ => return stop(span, UNSEEN),
                    },
                    // In schemars 0.8, `required` is a set of texts.
                    at => match (at.text(), ty) {
                        (Some(text), Some(_)) => ItemFilter {
                            key: None,
                            value: text.to_string().into(),
                            is: true,
                            first: true,
                        },
                        _ => return stop(span, UNSEEN),
                    },
                };
                self.change_list(call, Change::Drop(filter))?;
                Ok(Pending::Item(None).value())
            }
            _ => stop(span, UNSEEN),
        }
    }

    /// Changes a list in a type's schema, if it exists.
    fn change_list(&mut self, call: &Call<'_>, change: Change) -> Run<()> {
        let refused = || stop(call.span, "this depends on the generated CRD");
        let Some(place) = self.resolved(call.place) else {
            return stop(call.span, "the value that this changes is not known");
        };
        if place.frozen || call.via == Via::Shared {
            return stop(call.span, "the value that this changes is not known");
        }
        for unsure in &self.unsure {
            if place.slot >= unsure.slots {
                continue;
            }
            let harmless = match &unsure.of {
                Value::MutPlace(known) => self.resolved(known).is_some_and(|known| {
                    known.slot == place.slot && place.elements.starts_with(&known.elements)
                }),
                Value::Pending(pending) => match (&**pending, &change) {
                    (Pending::Index(list, found, _), Change::Drop(filter)) => {
                        filter == found && self.resolved(list).as_ref() == Some(&place)
                    }
                    _ => false,
                },
                _ => false,
            };
            if !harmless {
                return refused();
            }
        }
        match self.at_free(&place) {
            Some(Value::Pending(pending)) => match &mut **pending {
                Pending::Keyword(changes, _) => {
                    changes.push(change);
                    Ok(())
                }
                _ => refused(),
            },
            _ => refused(),
        }
    }
}

impl Machine<'_> {
    /// Returns true if a value is schemars' generator, or a reference to it.
    pub(in crate::eval) fn is_generator(&self, value: &Value) -> bool {
        match self.load(value) {
            Value::Pending(pending) => matches!(*pending, Pending::Generator),
            _ => false,
        }
    }

    /// Calls a function that returns generators, or schemas of types known by name; returns `None` for any other function.
    pub(in crate::eval) fn schema_known(
        &mut self,
        own: &str,
        own_type: &Concrete,
        (owner, name): (&str, &str),
        args: &[Value],
        span: Span,
    ) -> Run<Option<Value>> {
        if name == "json_schema"
            && let [generator] = args
            && self.is_generator(generator)
        {
            return self.type_schema(own_type, span).map(Some);
        }
        if first_segment(own) != "schemars" {
            return Ok(None);
        }
        Ok(match (owner, name, args) {
            ("SchemaSettings", name, []) => settings_of(own, name, span),
            ("SchemaGenerator", "new" | "from", [settings]) => {
                let settings = self.load(settings);
                Some(generator_with(&settings, span)?)
            }
            ("Schema", "Object" | "Bool", [value]) => {
                let value = self.load(value);
                self.schema_from(value)
            }
            ("SingleOrVec", "Single" | "Vec", [value]) => {
                let value = self.load(value);
                self.one_or_more(value, &Concrete::Infer, span)?
            }
            _ => None,
        })
    }

    /// `x[key]` of a value that depends on the schema of a type.
    pub(in crate::eval) fn pending_indexed(
        &self,
        pending: &Pending,
        at: &Value,
        span: Span,
    ) -> Run {
        match pending {
            Pending::Item(key) => self.item_indexed(key.as_ref(), at, span),
            _ => stop(span, UNSEEN),
        }
    }

    /// Returns the JSON that serde writes for a value containing a type's schema.
    pub(in crate::eval) fn pending_json(&mut self, value: &Value, span: Span) -> Run {
        let content = match self.load(value) {
            Value::Schema(inner) => return self.as_json(&inner, span),
            Value::Option(Some(inner)) | Value::Wrapped(_, inner) => {
                return self.as_json(&inner, span);
            }
            whole @ Value::Seq(_) => {
                self.check_order(&whole, span)?;
                let Value::Seq(seq) = whole else {
                    return stop(span, UNSEEN);
                };
                let mut items = Vec::with_capacity(seq.items.len());
                for item in seq.items.iter() {
                    items.push(self.as_json(item, span)?);
                }
                Value::seq(SeqKind::Vec, items)
            }
            Value::Map(map) => {
                let mut entries = Vec::with_capacity(map.entries.len());
                for (key, value) in map.entries.iter() {
                    let key = self.load(key);
                    let Some(key) = key.text() else {
                        return stop(span, "this key is not a string");
                    };
                    entries.push((Value::String(key.clone()), self.as_json(value, span)?));
                }
                Value::json_map(entries)
            }
            pending @ Value::Pending(_) => pending,
            _ => return stop(span, UNSEEN),
        };
        Ok(Value::Json(Box::new(content)))
    }
}

/// `!test`; `None` for other values.
pub(in crate::eval) fn negated(pending: &Pending) -> Option<Value> {
    match pending {
        Pending::Test(filter) => {
            let is = !filter.is;
            let filter = ItemFilter {
                is,
                ..filter.clone()
            };
            Some(Pending::Test(filter).value())
        }
        _ => None,
    }
}

/// Returns true if a value contains the schema of a type.
pub(in crate::eval) fn is_pending(value: &Value) -> bool {
    match value {
        Value::Pending(_) => true,
        Value::Ref(inner) => is_pending(inner),
        Value::Schema(inner)
        | Value::Json(inner)
        | Value::Wrapped(_, inner)
        | Value::Option(Some(inner)) => is_pending(inner),
        Value::Seq(seq) => seq.items.iter().any(is_pending),
        Value::Map(map) => map.entries.iter().any(|(_, value)| is_pending(value)),
        _ => false,
    }
}
