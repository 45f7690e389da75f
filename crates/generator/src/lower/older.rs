//! Attributes that older versions of schemars ignore or overwrite.

use super::defaults::ContainerDefault;
use super::types::Task;
use crate::types::Scope;
use crd_channels_diagnostics::{Code, Diagnostic};
use crd_channels_schema::draft::{Conditional, Facets};
use crd_channels_source::attrs::{FacetAttrs, SerdeDefault};
use crd_channels_source::tree::{FieldDef, TypeDef};
use semver::Version;

impl Task<'_> {
    /// Returns true for a transparent type, whose own attributes schemars before 1 ignores as well.
    pub(super) fn ignores_attributes(&self, def: &TypeDef) -> bool {
        self.is_on_old_schemars() && def.attrs.serde.transparent && def.attrs.with.is_none()
    }

    /// Returns the only field of a transparent struct without the attributes that schemars before 1 ignores there; `None` if
    /// it ignores none. Reports those that are not documentation.
    pub(super) fn without_ignored(&mut self, def: &FieldDef) -> Option<FieldDef> {
        if !self.is_on_old_schemars() || def.attrs.facets == Conditional::default() {
            return None;
        }
        let mut bare = def.clone();
        bare.attrs.facets = Conditional::default();
        let docs = FacetAttrs {
            doc: def.attrs.facets.always.doc.clone(),
            ..FacetAttrs::default()
        };
        if def.attrs.facets.always != docs {
            let finding = Diagnostic::new(
                Code::IgnoredAttribute,
                def.span,
                "schemars before 1 ignores the attributes of the field of a transparent type",
            );
            self.report(finding.with_help("write them on the fields that use the type"));
        }
        Some(bare)
    }

    /// Refuses `extend` and `transform` beside an attribute or a default that sets the same keyword: until 1.2.1, schemars
    /// applies them first.
    pub(super) fn refuse_overwritten(
        &mut self,
        def: &FieldDef,
        scope: &Scope,
        (facets, container): (&Facets, &ContainerDefault),
    ) {
        let first = Version::new(0, 9, 0)..Version::new(1, 2, 1);
        if !self.schemars.as_ref().is_some_and(|of| first.contains(of)) {
            return;
        }
        let attrs = &def.attrs.facets.always;
        let sets = |key: &str| match key {
            "minLength" | "minItems" => attrs.min_length.is_some(),
            "maxLength" | "maxItems" => attrs.max_length.is_some(),
            "minimum" => attrs.minimum.is_some(),
            "maximum" => attrs.maximum.is_some(),
            "pattern" => attrs.pattern.is_some(),
            "format" => attrs.format.is_some(),
            "items" => attrs.inner.is_some(),
            _ => false,
        };
        let has_default = !matches!(def.attrs.serde.default, SerdeDefault::None)
            || !matches!(container, ContainerDefault::None);
        let overwritten = attrs.extend.iter().filter(|(key, ..)| {
            let stated = facets.extend.iter().find(|(of, _)| of == key);
            let own_default = || match self.reader.field_default(def, scope, container) {
                Ok(shown) => {
                    shown.is_some_and(|own| stated.is_none_or(|(_, stated)| *stated != own))
                }
                Err(_) => true,
            };
            let is_default = &**key == "default" && has_default && !def.attrs.serde.flatten;
            sets(key) || (is_default && own_default())
        });
        let overwritten: Vec<_> = overwritten.map(|(key, _, span)| (key, *span)).collect();
        for (key, span) in overwritten {
            let finding = Diagnostic::new(
                Code::InvalidAttribute,
                span,
                format!("schemars before 1.2.1 overwrites the `{key}` of this `extend`"),
            );
            self.report(finding.with_help(format!(
                "depend on schemars 1.2.1 or later, or set `{key}` only once"
            )));
        }
        let keys = [
            "minLength",
            "maxLength",
            "minimum",
            "maximum",
            "pattern",
            "format",
            "items",
        ];
        let is_validated = keys.into_iter().any(sets);
        if is_validated && !def.attrs.transforms.is_empty() {
            let finding = Diagnostic::new(
                Code::InvalidAttribute,
                def.span,
                "schemars before 1.2.1 applies this field's `transform` before its other attributes",
            );
            self.report(finding.with_help(
                "depend on schemars 1.2.1 or later, or set the keywords in the `transform`",
            ));
        }
    }
}
