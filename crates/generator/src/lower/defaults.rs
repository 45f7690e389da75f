//! What `Default::default()` gives for a type, and the defaults of fields that a schema shows.

use super::Reader;
use super::concrete::{Concrete, Finding, Instance, Scope};
use super::construct::{field, later};
use super::known;
use super::serialize::serializes;
use super::value::{Const, not_constant};
use crate::diag::Span;
use crate::source::attrs::SerdeDefault;
use crate::source::tree::{Body, FieldDef, Ty, TyKind};
use crate::source::{Derive, Derived};
use serde_json::Value;
use std::sync::Arc;

/// How deep defaults of fields may nest.
const MAX_DEPTH: usize = 64;
/// How long an array may be whose default is written out.
const MAX_ITEMS: u64 = 65_536;

/// The default that a container gives to all of its fields.
pub(super) enum ContainerDefault {
    /// None.
    None,
    /// A value, whose fields are the defaults.
    Value(Const),
    /// One that cannot be evaluated, and was reported.
    Unknown,
}

impl Reader<'_> {
    /// `T::default()`
    ///
    /// # Errors
    /// `not-constant` where the type's `Default` is not one that can be read.
    pub(super) fn default_of(&self, ty: &Concrete, span: Span) -> Result<Const, Finding> {
        self.default_at(ty, span, 0)
    }

    fn default_at(&self, ty: &Concrete, span: Span, depth: usize) -> Result<Const, Finding> {
        let unknown = || not_constant(span, format!("the default of `{ty}` cannot be evaluated"));
        if depth > MAX_DEPTH {
            return Err(unknown());
        }
        match ty.peel() {
            Concrete::Tuple(items) => {
                let items = items
                    .iter()
                    .map(|item| self.default_at(item, span, depth + 1));
                Ok(Const::Tuple(items.collect::<Result<_, _>>()?))
            }
            Concrete::Array(item, length) if *length <= MAX_ITEMS => {
                let item = self.default_at(item, span, depth + 1)?;
                let length = usize::try_from(*length).unwrap_or_default();
                Ok(Const::List(vec![item; length]))
            }
            Concrete::Array(..) | Concrete::Number(_) => Err(unknown()),
            Concrete::External(..) => known::default(ty).ok_or_else(unknown),
            Concrete::Def(instance) => {
                if let Some(value) = self.stated_member(instance, "default") {
                    return Ok(value);
                }
                if derives(self, instance, Derive::Default) {
                    return self.derived_default(instance, span, depth);
                }
                if let Some((function, scope)) = self.trait_function(instance, "Default", "default")
                {
                    let scope = scope.within(&function.name);
                    return self.eval(&function.body, &scope, Some(ty.peel()));
                }
                let definition = format!("`{}` is defined here", instance.ty.def.name);
                Err(Box::new(
                    unknown().with_label(instance.ty.def.span, definition),
                ))
            }
        }
    }

    fn derived_default(
        &self,
        instance: &Arc<Instance>,
        span: Span,
        depth: usize,
    ) -> Result<Const, Finding> {
        let scope = Scope::of(instance);
        match &instance.ty.def.body {
            Body::Struct(_, fields) => {
                let mut values = Vec::with_capacity(fields.len());
                for field in fields {
                    let ty = self.concrete(&field.ty, &scope)?;
                    let value = later(self.default_at(&ty, span, depth + 1))?;
                    values.push((field.name.clone(), value));
                }
                Ok(Const::Struct(Arc::clone(instance), values))
            }
            Body::Enum(variants) => {
                let marked = variants.iter().position(|variant| variant.attrs.default);
                let marked = marked.ok_or_else(|| {
                    let name = &instance.ty.def.name;
                    not_constant(
                        span,
                        format!("no variant of `{name}` is marked `#[default]`"),
                    )
                })?;
                Ok(Const::Variant(Arc::clone(instance), marked, Vec::new()))
            }
        }
    }

    /// The value that a container's `#[serde(default)]` stands for.
    pub(super) fn container_default(
        &self,
        default: &SerdeDefault,
        scope: &Scope,
        this: &Concrete,
        span: Span,
    ) -> Result<ContainerDefault, Finding> {
        match default {
            SerdeDefault::None => Ok(ContainerDefault::None),
            SerdeDefault::Default => self.default_of(this, span).map(ContainerDefault::Value),
            SerdeDefault::Path(path) => self
                .result_of(path, scope, this)
                .map(ContainerDefault::Value),
        }
    }

    /// The default that the schema of a field shows: none where the field has none, where it is never written, where it
    /// would be skipped, or where serde cannot write it.
    ///
    /// # Errors
    /// `not-constant` where the default or whether it is skipped cannot be evaluated, `unresolved-path`.
    pub(super) fn field_default(
        &self,
        def: &FieldDef,
        scope: &Scope,
        container: &ContainerDefault,
    ) -> Result<Option<Value>, Finding> {
        let serde = &def.attrs.serde;
        let none = matches!(serde.default, SerdeDefault::None);
        if serde.skip_serializing || (none && matches!(container, ContainerDefault::None)) {
            return Ok(None);
        }
        let ty = self.concrete(&def.ty, scope)?;
        // A function's result has a type of its own.
        let of_field = !matches!(serde.default, SerdeDefault::Path(_));
        if !serializes(self, &ty) || (of_field && hides_serialize(&def.ty, scope)) {
            return Ok(None);
        }
        let value = match (&serde.default, container) {
            (SerdeDefault::Default, _) => self.default_of(&ty, def.ty.span)?,
            (SerdeDefault::Path(path), _) => self.result_of(path, scope, &ty)?,
            (SerdeDefault::None, ContainerDefault::Value(Const::Struct(_, fields))) => {
                match field(fields, &def.name) {
                    Some(value) => value,
                    None => {
                        let why = format!("the default of `{}` cannot be evaluated", def.name);
                        return Err(not_constant(def.span, why));
                    }
                }
            }
            (SerdeDefault::None, ContainerDefault::Value(Const::Json(Value::Object(map)))) => {
                return Ok(map.get(&*serde.name).cloned());
            }
            (SerdeDefault::None, ContainerDefault::Value(_)) => {
                return Err(not_constant(
                    def.span,
                    "the container's default is no struct",
                ));
            }
            (SerdeDefault::None, ContainerDefault::None | ContainerDefault::Unknown) => {
                return Ok(None);
            }
        };
        if let Const::Unknown(finding) = value {
            return Err(finding);
        }
        if let Some(path) = &serde.skip_serializing_if
            && self.asks(path, scope, &value, &ty)?
        {
            return Ok(None);
        }
        if let Some(path) = &serde.serialize_with {
            let plain = || self.json_if_written(&value, &ty, def.span);
            return self.written_with(path, scope, &ty, plain);
        }
        self.json_if_written(&value, &ty, def.span)
    }
}

/// Whether a field's type names a parameter of which its definition does not say that it is `Serialize`: schemars, which
/// asks inside the definition, then shows no default.
fn hides_serialize(ty: &Ty, scope: &Scope) -> bool {
    match &ty.kind {
        TyKind::Path(path) => path.segments.iter().any(|segment| {
            let is_param = path.segments.len() == 1
                && scope
                    .params
                    .iter()
                    .any(|(name, ty)| *name == segment.name && !matches!(ty, Concrete::Number(_)));
            let bound = match &scope.this {
                Some(Concrete::Def(instance)) => instance.ty.def.serialized.contains(&segment.name),
                _ => false,
            };
            (is_param && !bound) || segment.args.iter().any(|arg| hides_serialize(arg, scope))
        }),
        TyKind::Reference(inner) | TyKind::Slice(inner) | TyKind::Array(inner, _) => {
            hides_serialize(inner, scope)
        }
        TyKind::Tuple(items) => items.iter().any(|item| hides_serialize(item, scope)),
        TyKind::Qualified(own, _, _) => hides_serialize(own, scope),
        TyKind::Const(_) | TyKind::Macro(..) | TyKind::Other(_) => false,
    }
}

/// Whether a type has a derive, by where its path leads.
pub(super) fn derives(reader: &Reader<'_>, instance: &Instance, wanted: Derive) -> bool {
    matches!(reader.graph.derive_of(&instance.ty, wanted), Derived::Yes)
}
