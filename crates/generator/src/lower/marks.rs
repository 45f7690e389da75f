//! Validates `#[crd(..)]` on fields and types against what they are.

use super::types::Task;
use crate::types::Scope;
use crd_channels_diagnostics::{Code, Diagnostic, Span, Spanned, Text, nearest};
use crd_channels_schema::draft::{
    Content, Field, Literal, Shape, Struct, Tagging, Type, WellKnown,
};
use crd_channels_schema::marks::{Marks, Member, Union};
use crd_channels_schema::path::Segment;
use crd_channels_schema::{ListType, MapType, Merge, Notes};
use crd_channels_source::attrs::{ContainerAttrs, CrdAttrs, MarkAttrs};
use crd_channels_source::tree::FieldDef;
use std::sync::Arc;

/// The serialized form of a type, as far as it decides which marks are allowed.
enum Form<'t> {
    List(&'t Arc<Type>),
    Map(&'t Arc<Type>),
    /// With the struct, if it is one.
    Object(Option<&'t Struct>),
    /// A scalar or the like, described in words.
    Other(&'static str),
    /// A hand-written schema, or any value.
    Unknown,
}

impl Form<'_> {
    fn name(&self) -> &'static str {
        match self {
            Form::List(_) => "a list",
            Form::Map(_) => "a map",
            Form::Object(_) => "an object",
            Form::Other(name) => name,
            Form::Unknown => "a value of any type",
        }
    }
}

fn form(shape: &Shape) -> Form<'_> {
    match shape {
        Shape::Option(inner) => form_of(inner),
        Shape::Newtype(only) => form_of(&only.ty),
        Shape::List { items, .. } => Form::List(items),
        Shape::Map { value, .. } => Form::Map(value),
        Shape::Struct(body) => Form::Object(Some(body)),
        Shape::Enum(def) => {
            let is_unit = |content: &Content| matches!(content, Content::Unit);
            let plain = def.variants.iter().all(|variant| is_unit(&variant.content));
            match def.tagging {
                Tagging::Internal { .. } | Tagging::Adjacent { .. } => Form::Object(None),
                Tagging::External if plain => Form::Other("a string"),
                Tagging::External | Tagging::Untagged => Form::Unknown,
            }
        }
        Shape::IntegerEnum(_) => Form::Other("an integer"),
        Shape::Unit => Form::Other("`null`"),
        Shape::Scalar(_) => Form::Other("a scalar"),
        Shape::Tuple(_) => Form::Other("a tuple"),
        Shape::Any | Shape::Literal(_) => Form::Unknown,
    }
}

fn form_of(ty: &Type) -> Form<'_> {
    match ty.well_known {
        Some(WellKnown::IntOrString | WellKnown::Quantity) => Form::Other("a scalar"),
        _ => form(&ty.shape),
    }
}

/// Returns the marks in `#[crd(..)]` and the span of the first, if there are any.
fn described(crd: &Option<Box<Spanned<CrdAttrs>>>) -> Option<(&MarkAttrs, Span)> {
    let Spanned { value, span } = crd.as_deref()?;
    (value.marks != MarkAttrs::default()).then_some((&value.marks, *span))
}

impl Task<'_> {
    /// Validates the marks of a field.
    pub(super) fn field_marks(
        &mut self,
        def: &FieldDef,
        ty: &Arc<Type>,
        scope: &Scope,
    ) -> Option<Box<Marks>> {
        let (attrs, place) = described(&def.attrs.crd)?;
        if def.attrs.serde.flatten {
            self.wrong(
                place,
                "a flattened field has no node of its own, so it cannot have a description",
                "write it on the flattened type or on its fields",
            );
            return None;
        }
        let mut marks = self.marks(attrs, place, &form_of(ty), scope);
        marks.immutable = attrs
            .immutable
            .and_then(|span| self.member(&def.attrs.serde.name, span));
        let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").into();
        let deprecated = attrs.deprecated.as_ref();
        marks.deprecated = deprecated.map(|text| one_line(&text.value));
        if let Some(span) = attrs.embedded_resource {
            match form_of(ty) {
                Form::Object(_) | Form::Unknown => marks.embedded_resource = true,
                other => self.misfit("embedded_resource", &other, "objects", span),
            }
        }
        if let Some(path) = &attrs.conditions {
            match form_of(ty) {
                Form::List(items) => self.conditions(path, items, scope, &mut marks),
                other => self.misfit("conditions", &other, "lists", path.span),
            }
        }
        if let Some(span) = attrs.embedded_metadata {
            find_metadata(ty, &mut Vec::new(), &mut marks.metadata);
            if marks.metadata.is_empty() {
                self.wrong(
                    span,
                    format!("`{}` contains no object metadata", ty.name),
                    "`embedded_metadata` is for `ObjectMeta` and types that contain it, such as `PodTemplateSpec`",
                );
            }
        }
        Some(Box::new(marks))
    }

    /// Validates the marks of a type.
    pub(super) fn type_marks(
        &mut self,
        attrs: &ContainerAttrs,
        shape: &Shape,
        scope: &Scope,
    ) -> Option<Box<Marks>> {
        let (attrs, place) = described(&attrs.crd)?;
        let form = form(shape);
        let mut marks = self.marks(attrs, place, &form, scope);
        if let Form::Object(Some(body)) = form {
            let unions = attrs
                .unions
                .iter()
                .filter_map(|attr| self.union(attr, body));
            marks.unions = unions.collect();
        }
        Some(Box::new(marks))
    }

    /// Reports marks on the only field of a transparent type, which has no node of its own.
    pub(super) fn check_transparent(&mut self, def: &FieldDef) {
        if let Some((_, place)) = described(&def.attrs.crd) {
            self.wrong(
                place,
                "the field of a transparent type has no node of its own, so it cannot have a description",
                "write it on the type, or on the fields that use it",
            );
        }
    }

    fn marks(&mut self, attrs: &MarkAttrs, place: Span, form: &Form<'_>, scope: &Scope) -> Marks {
        let MarkAttrs {
            title,
            example,
            docs_url,
            docs_description,
            list_type: _,
            list_map_keys: _,
            map_type: _,
            struct_type: _,
            immutable: _,
            deprecated: _,
            embedded_resource: _,
            embedded_metadata: _,
            conditions: _,
            unions: _,
            levels,
            inner,
        } = attrs;
        let example = example.as_ref().and_then(|example| {
            let value = (self.reader).eval_json(example, scope, None, self.untyped);
            self.keep(value, "write the value as a literal, or as `json!(..)`")
        });
        let inner = inner.as_ref().and_then(|inner| match form {
            Form::List(element) | Form::Map(element) => {
                Some(Box::new(self.marks(inner, place, &form_of(element), scope)))
            }
            _ => {
                self.misfit("inner", form, "lists and maps", place);
                None
            }
        });
        let text = |text: &Option<Spanned<Text>>| text.as_ref().map(|text| text.value.clone());
        Marks {
            title: text(title),
            notes: Notes {
                example,
                docs_url: text(docs_url),
                docs_description: text(docs_description),
            },
            merge: self.merge_of(attrs, form),
            levels: levels.clone(),
            inner,
            ..Marks::default()
        }
    }

    fn merge_of(&mut self, attrs: &MarkAttrs, form: &Form<'_>) -> Merge {
        let mut merge = Merge::default();
        if let Some(Spanned { value, span }) = &attrs.list_type {
            let keys = attrs.list_map_keys.iter();
            let keys: Vec<Text> = keys.map(|key| key.value.clone()).collect();
            match form {
                Form::List(items) => {
                    self.check_keys(&keys, items, *span);
                    merge.list_map_keys = keys;
                }
                Form::Unknown => merge.list_map_keys = keys,
                other => self.misfit("list_type", other, "lists", *span),
            }
            merge.list_type = Some(match &**value {
                "set" => ListType::Set,
                "map" => ListType::Map,
                _ => ListType::Atomic,
            });
        }
        for (key, attr) in [
            ("map_type", &attrs.map_type),
            ("struct_type", &attrs.struct_type),
        ] {
            let Some(Spanned { value, span }) = attr else {
                continue;
            };
            match (key, form) {
                (_, Form::Unknown)
                | ("map_type", Form::Map(_))
                | ("struct_type", Form::Object(_)) => {}
                ("map_type", other) => self.misfit(key, other, "maps", *span),
                (_, other) => self.misfit(key, other, "objects", *span),
            }
            merge.map_type = Some(match &**value {
                "granular" => MapType::Granular,
                _ => MapType::Atomic,
            });
        }
        merge
    }

    pub(super) fn check_keys(&mut self, keys: &[Text], items: &Type, span: Span) {
        if keys.is_empty() {
            return;
        }
        match form_of(items) {
            Form::Object(Some(body)) if !body.fields.iter().any(|field| field.flatten) => {
                let name = format!("`{}`", items.name);
                for key in keys {
                    self.field_named(key, body, &name, span);
                }
            }
            Form::Object(_) | Form::Unknown => {}
            other => self.wrong(
                span,
                format!(
                    "the items of a `map` list must be objects, but `{}` is {}",
                    items.name,
                    other.name()
                ),
                "write `list_type = \"set\"` or `list_type = \"atomic\"`",
            ),
        }
    }

    /// Returns the field with that serialized name, or reports that there is none.
    fn field_named<'b>(
        &mut self,
        name: &str,
        body: &'b Struct,
        ty: &str,
        span: Span,
    ) -> Option<&'b Field> {
        let found = body.fields.iter().find(|field| &*field.name == name);
        if found.is_none() {
            let names = body.fields.iter().map(|field| &*field.name);
            let rust_name = body.fields.iter().find(|field| &*field.rust_name == name);
            let near = rust_name
                .map(|field| &*field.name)
                .or_else(|| nearest(name, names.clone()));
            let help = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("it has {}", names.collect::<Vec<_>>().join(", ")),
            };
            self.wrong(
                span,
                format!("{ty} has no field that is serialized as `{name}`"),
                help,
            );
        }
        found
    }

    fn union(&mut self, attr: &Union<Spanned<Text>>, body: &Struct) -> Option<Union> {
        let Union {
            count,
            members: fields,
            span,
        } = attr;
        let mut members = Vec::with_capacity(fields.len());
        for Spanned { value: name, span } in fields {
            let Some(field) = self.field_named(name, body, "the struct", *span) else {
                continue;
            };
            if !field.optional || field.default.is_some() {
                let why = if field.optional {
                    "has a default"
                } else {
                    "is required"
                };
                self.wrong(
                    *span,
                    format!("`{name}` {why}, so it is always set"),
                    "make its type an `Option`, without a default",
                );
                continue;
            }
            members.extend(self.member(name, *span));
        }
        (members.len() == fields.len()).then_some(Union {
            count: *count,
            members,
            span: *span,
        })
    }

    fn member(&mut self, name: &Text, span: Span) -> Option<Member> {
        let Some(escaped) = crd_channels_cel::escaped(name) else {
            self.wrong(
                span,
                format!("rules cannot read a field that is serialized as `{name}`"),
                "rename it: letters, digits, `_`, `-`, `.` and `/`, no digit first",
            );
            return None;
        };
        Some(Member {
            name: name.clone(),
            escaped: escaped.into(),
            span,
        })
    }

    fn misfit(&mut self, key: &str, form: &Form<'_>, fitting: &str, span: Span) {
        self.wrong(
            span,
            format!("`{key}` does not apply to {}", form.name()),
            format!("`{key}` is for {fitting}"),
        );
    }

    pub(super) fn wrong(
        &mut self,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.report(Diagnostic::new(Code::InvalidAttribute, span, message).with_help(help));
    }
}

/// Finds the paths from a type to all object metadata in it.
fn find_metadata(ty: &Type, way: &mut Vec<Segment<Text>>, found: &mut Vec<Vec<Segment<Text>>>) {
    if ty.well_known == Some(WellKnown::ObjectMeta) {
        found.push(way.clone());
        return;
    }
    let mut next = |segment: Segment<Text>, ty: &Type| {
        way.push(segment);
        find_metadata(ty, way, found);
        way.pop();
    };
    match &ty.shape {
        Shape::List { items, .. } => next(Segment::Items, items),
        Shape::Map { value, .. } => next(Segment::Values, value),
        Shape::Struct(body) => {
            for field in &body.fields {
                if field.flatten {
                    find_metadata(&field.ty, way, found);
                } else {
                    way.push(Segment::Property(field.name.clone()));
                    find_metadata(&field.ty, way, found);
                    way.pop();
                }
            }
        }
        Shape::Option(inner) => find_metadata(inner, way, found),
        Shape::Newtype(only) => find_metadata(&only.ty, way, found),
        Shape::Literal(literal) => find_in_literal(literal, way, found),
        Shape::Any
        | Shape::Unit
        | Shape::Scalar(_)
        | Shape::Tuple(_)
        | Shape::Enum(_)
        | Shape::IntegerEnum(_) => {}
    }
}

/// Does the same in a hand-written schema, such as those of k8s-openapi.
fn find_in_literal(
    literal: &Literal,
    way: &mut Vec<Segment<Text>>,
    found: &mut Vec<Vec<Segment<Text>>>,
) {
    let entries = match literal {
        Literal::Schema(ty, _) => return find_metadata(ty, way, found),
        Literal::Object(entries) => entries,
        Literal::Value(_) | Literal::Array(_) => return,
    };
    for (key, value) in entries {
        let mut next = |segment: Segment<Text>, literal: &Literal| {
            way.push(segment);
            find_in_literal(literal, way, found);
            way.pop();
        };
        match (&**key, value) {
            ("properties", Literal::Object(properties)) => {
                for (name, property) in properties {
                    next(Segment::Property(name.clone()), property);
                }
            }
            ("items", items) => next(Segment::Items, items),
            ("additionalProperties", values) => next(Segment::Values, values),
            ("allOf", Literal::Array(all)) => {
                all.iter().for_each(|one| find_in_literal(one, way, found));
            }
            _ => {}
        }
    }
}
