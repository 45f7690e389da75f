//! The defaults of fields in schemas.

use super::Reader;
use crate::types::{Concrete, Finding, Scope};
use crate::values::{Value as Const, not_constant};
use crd_channels_diagnostics::Span;
use crd_channels_source::attrs::{FieldSerde, SerdeDefault};
use crd_channels_source::tree::{Expr, ExprKind, FieldDef, TyKind};
use serde_json::Value;
use std::sync::Arc;

/// The default that a container provides for all its fields.
pub(super) enum ContainerDefault {
    /// None.
    None,
    /// A value whose fields are the defaults.
    Value(Const),
    /// One that could not be evaluated, which was reported.
    Unknown,
}

impl Reader<'_> {
    /// Evaluates a container's `#[serde(default)]`.
    pub(super) fn container_default(
        &self,
        default: &SerdeDefault,
        scope: &Scope,
        this: &Concrete,
        span: Span,
    ) -> Result<ContainerDefault, Finding> {
        match default {
            SerdeDefault::None => Ok(ContainerDefault::None),
            SerdeDefault::Default => self
                .own_default(this, false, scope, span)
                .map(ContainerDefault::Value),
            SerdeDefault::Function(function) => self
                .result_of(function, scope, Some(this))
                .map(ContainerDefault::Value),
        }
    }

    /// Returns the default in the schema of a field: `None` if the field has none, is never serialized, would be skipped, or if
    /// the bounds of the type's parameters do not make it `Serialize`.
    ///
    /// # Errors
    ///
    /// `not-constant` if the default, or whether it is shown or skipped, cannot be evaluated; `unresolved-path`.
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
        self.concrete(&def.ty, scope)?;
        let ty = self.typed(&def.ty, scope)?;
        let written_by = serde.writing().serialize_with.is_some();
        let alone = !written_by && of_schemars_alone(serde);
        if !written_by && !alone {
            // The result of a function has the field's type only if serde calls it too.
            let of_field = !matches!(serde.default, SerdeDefault::Function(_))
                || self.derives_deserialize(scope);
            match self.proves_serialize(&def.ty, scope) {
                Some(true) => {}
                Some(false) if of_field => return Ok(None),
                _ => return Err(unknown_serialize(def.ty.span)),
            }
        }
        let value = match (&serde.default, container) {
            (SerdeDefault::Default, _) => {
                let parameter = matches!(
                    &def.ty.kind,
                    TyKind::Path(path) if path.name().is_some_and(|name| &**name != "Self" && scope.local(name).is_some())
                );
                self.own_default(&ty, parameter, scope, def.ty.span)?
            }
            (SerdeDefault::Function(function), _) if alone => {
                let value = self.result_of(function, scope, None)?;
                self.check_shown(&value, (function, &ty), def, scope)?;
                value
            }
            (SerdeDefault::Function(function), _) => self.result_of(function, scope, Some(&ty))?,
            (SerdeDefault::None, ContainerDefault::Value(Const::Adt(adt))) => {
                match adt.field(&def.name) {
                    Some(value) => value.clone(),
                    None => {
                        let why = format!("the default of `{}` cannot be evaluated", def.name);
                        return Err(not_constant(def.span, why));
                    }
                }
            }
            (SerdeDefault::None, ContainerDefault::Value(Const::Override(Value::Object(map)))) => {
                return Ok(map.get(&*serde.name).cloned());
            }
            (SerdeDefault::None, ContainerDefault::Value(_)) => {
                return Err(not_constant(
                    def.span,
                    "the container's default is not a struct",
                ));
            }
            (SerdeDefault::None, ContainerDefault::None | ContainerDefault::Unknown) => {
                return Ok(None);
            }
        };
        if let Const::Unknown(finding) = value {
            return Err(finding);
        }
        if let Some(function) = &serde.skip_serializing_if
            && self.asks(function, scope, &value)?
        {
            return Ok(None);
        }
        self.json_if_written(&value, def, def.span)
    }

    /// Checks that schemars shows the result of a function that only schemars calls: it may have any type, and is shown if that is
    /// `Serialize`.
    fn check_shown(
        &self,
        value: &Const,
        (function, ty): (&Expr, &Concrete),
        def: &FieldDef,
        scope: &Scope,
    ) -> Result<(), Finding> {
        let of_field = || self.result_of(function, scope, Some(ty)).is_ok();
        let hidden = || self.proves_serialize(&def.ty, scope) != Some(true);
        let shown = match value {
            Const::Bool(_)
            | Const::Char(_)
            | Const::Int(_)
            | Const::Float(_)
            | Const::Text(_)
            | Const::Json(_)
            | Const::Override(_)
            | Const::Unknown(_) => true,
            // Inside a generic type, the parameter and its argument may differ.
            Const::Adt(adt) if !(hidden() && of_field()) => {
                self.is_serialize(&Concrete::Def(Arc::clone(&adt.of)))
            }
            _ if !hidden() && of_field() => self.is_serialize(ty),
            _ => {
                return Err(not_constant(
                    function.span,
                    "this default depends on its type, which differs from the field's",
                ));
            }
        };
        match shown {
            true => Ok(()),
            false => Err(unknown_serialize(function.span)),
        }
    }
}

fn unknown_serialize(span: Span) -> Finding {
    let why = "schemars shows this default only if its type is `Serialize`, which is not known";
    not_constant(span, why)
}

/// Returns true if a field's default is a function that serde does not know, so that its result need not have the field's type.
fn of_schemars_alone(serde: &FieldSerde) -> bool {
    let names = |default: &SerdeDefault| match default {
        SerdeDefault::Function(function) => match &function.kind {
            ExprKind::Path(path) => {
                let segments = path.segments.iter();
                Some(
                    segments
                        .map(|segment| segment.name.clone())
                        .collect::<Vec<_>>(),
                )
            }
            _ => None,
        },
        SerdeDefault::None | SerdeDefault::Default => None,
    };
    match (&serde.default, &serde.own) {
        (SerdeDefault::Function(_), Some(own)) => names(&serde.default) != names(&own.default),
        _ => false,
    }
}
