//! The JSON that serde would write for a value.

use super::Reader;
use super::concrete::{Concrete, Finding, Instance, Scope};
use super::construct::field;
use super::defaults::derives;
use super::known::int_bounds;
use super::value::{Const, not_constant};
use crate::Text;
use crate::diag::Span;
use crate::source::attrs::TagAttr;
use crate::source::tree::{Body, FieldDef, Style};
use crate::source::{Derive, Derived};
use serde_json::{Map, Number, Value};
use std::cmp::Ordering;
use std::sync::Arc;

/// The JSON of a value whose type says nothing more: everything but structs and enums.
pub(super) fn plain(value: &Const) -> Option<Value> {
    Some(match value {
        Const::Bool(value) => Value::Bool(*value),
        Const::Int(int) => Value::Number(integer(*int)?),
        Const::Float(float) => Number::from_f64(*float).map_or(Value::Null, Value::Number),
        Const::Text(text) => Value::String(text.to_string()),
        Const::Char(c) => Value::String(c.to_string()),
        Const::Option(None) => Value::Null,
        Const::Option(Some(inner)) => plain(inner)?,
        Const::Tuple(items) if items.is_empty() => Value::Null,
        Const::List(items) | Const::Tuple(items) => {
            Value::Array(items.iter().map(plain).collect::<Option<_>>()?)
        }
        Const::Map(entries) => {
            let mut map = Map::new();
            for (key, value) in entries {
                map.insert(super::known::shown(key)?, plain(value)?);
            }
            Value::Object(map)
        }
        Const::Json(value) => value.clone(),
        Const::Struct(..)
        | Const::Variant(..)
        | Const::Failed(..)
        | Const::Borrowed(..)
        | Const::Serializer
        | Const::Unknown(_) => {
            return None;
        }
    })
}

/// An integer as serde_json writes it; none beyond 64 bits.
pub(super) fn integer(int: i128) -> Option<Number> {
    match i64::try_from(int) {
        Ok(int) => Some(Number::from(int)),
        Err(_) => u64::try_from(int).ok().map(Number::from),
    }
}

/// Whether serde can write a type at all. schemars shows no default of a type that it cannot.
pub(super) fn serializes(reader: &Reader<'_>, ty: &Concrete) -> bool {
    match ty {
        Concrete::External(_, args) => args.iter().all(|arg| serializes(reader, arg)),
        Concrete::Array(item, _) => serializes(reader, item),
        Concrete::Tuple(items) => items.iter().all(|item| serializes(reader, item)),
        Concrete::Number(_) => true,
        Concrete::Def(instance) => {
            // What a macro may have made is looked for later, and refused where it is not found.
            !matches!(
                reader.graph.derive_of(&instance.ty, Derive::Serialize),
                Derived::No
            ) || matches!(
                reader.graph.derive_of(&instance.ty, Derive::SerializeRepr),
                Derived::Yes
            ) || !reader
                .graph
                .impls(&instance.ty, Some("Serialize"))
                .is_empty()
        }
    }
}

/// Why there is no JSON of a value.
enum NoJson {
    /// serde itself refuses to write it, for this reason.
    Refused(Text),
    /// What serde would write cannot be told.
    Untold(Finding),
}

impl From<Finding> for NoJson {
    fn from(finding: Finding) -> Self {
        Self::Untold(finding)
    }
}

fn untold(span: Span, why: impl Into<String>) -> NoJson {
    NoJson::Untold(not_constant(span, why))
}

impl Reader<'_> {
    /// The JSON that serde writes for a value of a type, or none where serde refuses to write the value.
    ///
    /// # Errors
    /// `not-constant` at `span` where the type's `Serialize` is not one that can be read.
    pub(super) fn json_if_written(
        &self,
        value: &Const,
        ty: &Concrete,
        span: Span,
    ) -> Result<Option<Value>, Finding> {
        match self.value_json(value, Some(ty), span) {
            Ok(json) => Ok(Some(json)),
            Err(NoJson::Refused(_)) => Ok(None),
            Err(NoJson::Untold(finding)) => Err(finding),
        }
    }

    /// The JSON that serde writes for a value, of whose type nothing may be known.
    ///
    /// # Errors
    /// `not-constant` at `span` where the type's `Serialize` is not one that can be read, and where serde refuses.
    pub(super) fn json_of(
        &self,
        value: &Const,
        ty: Option<&Concrete>,
        span: Span,
    ) -> Result<Value, Finding> {
        self.value_json(value, ty, span).map_err(|why| match why {
            NoJson::Refused(why) => not_constant(span, format!("serde cannot write this: {why}")),
            NoJson::Untold(finding) => finding,
        })
    }

    fn value_json(
        &self,
        value: &Const,
        ty: Option<&Concrete>,
        span: Span,
    ) -> Result<Value, NoJson> {
        let ty = ty.map(Concrete::peel);
        let item = ty.and_then(Concrete::item);
        match value {
            Const::Float(float) if ty.and_then(Concrete::external_name) == Some("f32") => {
                // serde_json widens what a `f32` has left of the number.
                #[expect(
                    clippy::cast_possible_truncation,
                    reason = "what `f32` does to the literal"
                )]
                let narrow = *float as f32;
                Ok(Number::from_f64(f64::from(narrow)).map_or(Value::Null, Value::Number))
            }
            Const::Unknown(finding) => Err(finding.clone().into()),
            // A shift drops the bits that its type has no room for; we do not, so what is too large went wrong before.
            Const::Int(int) if overflows(*int, ty) => {
                Err(untold(span, format!("`{int}` is beyond its type")))
            }
            Const::Option(Some(inner)) => self.value_json(inner, item, span),
            Const::List(items) => {
                let mut values = self.items(items, item, span)?;
                if matches!(
                    ty.and_then(Concrete::external_name),
                    Some("BTreeSet" | "HashSet")
                ) {
                    ordered(items, &mut values)
                        .ok_or_else(|| untold(span, "the order of this set cannot be told"))?;
                }
                Ok(Value::Array(values))
            }
            Const::Tuple(items) if !items.is_empty() => {
                let types = match ty {
                    Some(Concrete::Tuple(types)) => &types[..],
                    _ => &[],
                };
                let values = items
                    .iter()
                    .enumerate()
                    .map(|(index, item)| self.value_json(item, types.get(index), span));
                Ok(Value::Array(values.collect::<Result<_, _>>()?))
            }
            Const::Map(entries) => {
                let (keys, values) = match ty {
                    Some(Concrete::External(_, args)) => (args.first(), args.get(1)),
                    _ => (None, None),
                };
                let mut map = Map::new();
                for (key, value) in entries {
                    let key = match self.value_json(key, keys, span)? {
                        Value::String(key) => key,
                        other @ (Value::Number(_) | Value::Bool(_)) => other.to_string(),
                        _ => return Err(NoJson::Refused("a map's key is no string".into())),
                    };
                    map.insert(key, self.value_json(value, values, span)?);
                }
                Ok(Value::Object(map))
            }
            Const::Struct(instance, fields) => self.struct_json(instance, fields, span),
            Const::Variant(instance, index, fields) => {
                self.variant_json(instance, *index, fields, span)
            }
            other => {
                plain(other).ok_or_else(|| untold(span, format!("{} has no JSON", other.kind())))
            }
        }
    }

    fn items(
        &self,
        items: &[Const],
        ty: Option<&Concrete>,
        span: Span,
    ) -> Result<Vec<Value>, NoJson> {
        items
            .iter()
            .map(|item| self.value_json(item, ty, span))
            .collect()
    }

    fn struct_json(
        &self,
        instance: &Arc<Instance>,
        values: &[(Text, Const)],
        span: Span,
    ) -> Result<Value, NoJson> {
        let def = &instance.ty.def;
        let Body::Struct(style, fields) = &def.body else {
            return Err(untold(span, "this value is no struct"));
        };
        if !derives(self, instance, Derive::Serialize) {
            let whole = Const::Struct(Arc::clone(instance), values.to_vec());
            return self.written_json(instance, (&whole, values), span);
        }
        self.check_serialize(instance, span)?;
        let scope = Scope::of(instance);
        let serde = def.attrs.serde.writing();
        if serde.transparent {
            let only = fields
                .iter()
                .find(|field| field.attrs.serde.writing().transparent);
            let only = only.or_else(|| fields.first());
            return match only {
                Some(only) => self.field_json(only, values, &scope, span),
                None => Ok(Value::Null),
            };
        }
        match (style, &fields[..]) {
            (Style::Unit, _) => Ok(Value::Null),
            (Style::Named, fields) => {
                let mut map = Map::new();
                if let TagAttr::Internal(tag) = &serde.tag {
                    map.insert(tag.to_string(), Value::String(serde.name.to_string()));
                }
                self.fields_json(fields, values, &scope, span, &mut map)?;
                Ok(Value::Object(map))
            }
            (Style::Newtype, [only]) => self.field_json(only, values, &scope, span),
            (Style::Newtype | Style::Tuple, fields) => {
                let items = fields
                    .iter()
                    .filter(|field| !field.attrs.serde.writing().skip_serializing)
                    .map(|field| self.field_json(field, values, &scope, span));
                Ok(Value::Array(items.collect::<Result<_, _>>()?))
            }
        }
    }

    /// What of a type's attributes changes how it is written beyond what is read here.
    fn check_serialize(&self, instance: &Arc<Instance>, span: Span) -> Result<(), Finding> {
        let def = &instance.ty.def;
        match &def.attrs.serde.writing().into {
            Some(into) => Err(Box::new(
                not_constant(
                    span,
                    format!(
                        "how `{}` is written cannot be told, as it converts itself",
                        def.name
                    ),
                )
                .with_label(into.span, "it is written as this type"),
            )),
            None => Ok(()),
        }
    }

    fn fields_json(
        &self,
        fields: &[FieldDef],
        values: &[(Text, Const)],
        scope: &Scope,
        span: Span,
        map: &mut Map<String, Value>,
    ) -> Result<(), NoJson> {
        for def in fields {
            let serde = def.attrs.serde.writing();
            if serde.skip_serializing {
                continue;
            }
            if let (Some(path), Some(value)) =
                (&serde.skip_serializing_if, field(values, &def.name))
                && self.asks(path, scope, &value, &self.concrete(&def.ty, scope)?)?
            {
                continue;
            }
            let value = self.field_json(def, values, scope, span)?;
            match (serde.flatten, value) {
                (true, Value::Object(inner)) => map.extend(inner),
                (true, Value::Null) => {}
                (_, value) => {
                    let name = serde.serialize_name.as_ref().unwrap_or(&serde.name);
                    map.insert(name.to_string(), value);
                }
            }
        }
        Ok(())
    }

    fn field_json(
        &self,
        def: &FieldDef,
        values: &[(Text, Const)],
        scope: &Scope,
        span: Span,
    ) -> Result<Value, NoJson> {
        let value = field(values, &def.name).ok_or_else(|| {
            not_constant(
                span,
                format!("the field `{}` cannot be evaluated", def.name),
            )
        })?;
        let ty = self.concrete(&def.ty, scope)?;
        if let Some(path) = &def.attrs.serde.writing().serialize_with {
            let plain = || self.json_if_written(&value, &ty, span);
            let written = self.written_with(path, scope, &ty, plain)?;
            return written.ok_or_else(|| untold(path.span, "serde refuses to write this value"));
        }
        self.value_json(&value, Some(&ty), span)
    }

    fn variant_json(
        &self,
        instance: &Arc<Instance>,
        index: usize,
        values: &[(Text, Const)],
        span: Span,
    ) -> Result<Value, NoJson> {
        let def = &instance.ty.def;
        let variant = match &def.body {
            Body::Enum(variants) => variants.get(index),
            Body::Struct(..) => None,
        };
        let Some(variant) = variant else {
            return Err(untold(span, "this variant is not known"));
        };
        if derives(self, instance, Derive::SerializeRepr) {
            let int = self.discriminants(instance)?.get(index).copied();
            return int
                .and_then(integer)
                .map(Value::Number)
                .ok_or_else(|| untold(span, "this variant's number is not known"));
        }
        if !derives(self, instance, Derive::Serialize) {
            let whole = Const::Variant(Arc::clone(instance), index, values.to_vec());
            return self.written_json(instance, (&whole, values), span);
        }
        self.check_serialize(instance, span)?;
        let scope = Scope::of(instance);
        let attrs = &variant.attrs;
        if attrs.skip_serializing {
            let why = format!("the variant `{}` is never written", variant.name);
            return Err(NoJson::Refused(why.into()));
        }
        let written = attrs.serialize_name.as_ref().unwrap_or(&attrs.name);
        let name = || Value::String(written.to_string());
        let content = match (variant.style, &variant.fields[..]) {
            (Style::Unit, _) => None,
            (Style::Newtype, [only]) => Some(self.field_json(only, values, &scope, span)?),
            (Style::Named, fields) => {
                let mut map = Map::new();
                self.fields_json(fields, values, &scope, span, &mut map)?;
                Some(Value::Object(map))
            }
            (Style::Newtype | Style::Tuple, fields) => {
                let items = fields
                    .iter()
                    .map(|field| self.field_json(field, values, &scope, span));
                Some(Value::Array(items.collect::<Result<_, _>>()?))
            }
        };
        let mut map = Map::new();
        let tag = if attrs.untagged {
            &TagAttr::None
        } else {
            &def.attrs.serde.writing().tag
        };
        match tag {
            TagAttr::None => return Ok(content.unwrap_or(Value::Null)),
            TagAttr::External => match content {
                None => return Ok(name()),
                Some(content) => {
                    map.insert(written.to_string(), content);
                }
            },
            TagAttr::Internal(tag) => {
                map.insert(tag.to_string(), name());
                match content {
                    Some(Value::Object(fields)) => map.extend(fields),
                    None | Some(Value::Null) => {}
                    Some(_) => {
                        return Err(NoJson::Refused("what is tagged is no object".into()));
                    }
                }
            }
            TagAttr::Adjacent(tag, key) => {
                map.insert(tag.to_string(), name());
                if let Some(content) = content {
                    map.insert(key.to_string(), content);
                }
            }
        }
        Ok(Value::Object(map))
    }

    /// Types that write themselves by hand: those of k8s-openapi whose form is known, and what their bodies tell.
    fn written_json(
        &self,
        instance: &Arc<Instance>,
        (whole, values): (&Const, &[(Text, Const)]),
        span: Span,
    ) -> Result<Value, NoJson> {
        let def = &instance.ty.def;
        let path = self.graph.module_path(instance.ty.module);
        if path.starts_with("k8s_openapi::")
            && let ("Quantity" | "IntOrString" | "RawExtension" | "JSON", [(_, value)]) =
                (&*def.name, values)
        {
            return self.value_json(value, None, span);
        }
        if let Some(json) = self.json_by_fields(instance, values, span) {
            return Ok(json?);
        }
        if let Some(json) = self.json_by_body(whole, instance, span) {
            return Ok(json?);
        }
        let label = "it does not derive `Serialize`";
        let finding = not_constant(
            span,
            format!("how `{}` is written cannot be told", def.name),
        );
        Err(NoJson::Untold(Box::new(
            finding.with_label(def.span, label),
        )))
    }
}

fn overflows(int: i128, ty: Option<&Concrete>) -> bool {
    let bounds = ty.and_then(Concrete::external_name).and_then(int_bounds);
    bounds.is_some_and(|(least, greatest)| !(least..=greatest).contains(&int))
}

/// Puts the items of a set into its order, each once.
fn ordered(items: &[Const], values: &mut Vec<Value>) -> Option<()> {
    let mut pairs: Vec<(&Const, Value)> = items.iter().zip(values.drain(..)).collect();
    let comparable = pairs.windows(2).all(|pair| match pair {
        [(left, _), (right, _)] => left.compare(right).is_some(),
        _ => true,
    });
    comparable.then_some(())?;
    pairs.sort_by(|(left, _), (right, _)| left.compare(right).unwrap_or(Ordering::Equal));
    pairs.dedup_by(|(left, _), (right, _)| left.same(right) == Some(true));
    values.extend(pairs.into_iter().map(|(_, value)| value));
    Some(())
}
