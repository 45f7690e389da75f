//! Attributes, parsed but not yet evaluated: values are still expressions, types still paths.

use super::code::{Expr, Path, Token, Ty};
use crd_channels_diagnostics::{Diagnostic, Span, Spanned, Text};
use crd_channels_markers::{Crd, Marks};
use crd_channels_schema::draft::{Conditional, Gate, KindFacets, Tagging, Tombstone};
use crd_channels_schema::marks::{Condition, Reason};

/// Attributes of a struct or enum.
#[derive(Clone, Debug, Default)]
pub struct ContainerAttrs {
    /// The gate on the type.
    pub gate: Option<Gate>,
    /// Documentation, validation, rules.
    pub facets: Conditional<FacetAttrs>,
    /// serde's attributes, with `#[schemars]` laid over `#[serde]` as schemars does.
    pub serde: ContainerSerde,
    /// `#[schemars(with)]`, `#[schemars(schema_with)]`
    pub with: Option<With>,
    /// `#[schemars(transform = ..)]`
    pub transforms: Vec<Expr>,
    /// `#[kube(..)]`, all of them merged.
    pub kube: Option<KubeAttrs>,
    /// `#[crd(..)]`, unless it is empty; the span is that of our first attribute.
    pub crd: Option<Box<Spanned<CrdAttrs>>>,
    /// `#[tombstone(..)]`
    pub tombstones: Vec<Tombstone>,
    /// `#[repr(..)]`'s type.
    pub repr: Option<Text>,
}

/// Attributes of a field.
#[derive(Clone, Debug, Default)]
pub struct FieldAttrs {
    /// The gate on the field.
    pub gate: Option<Gate>,
    /// Documentation, validation, rules.
    pub facets: Conditional<FacetAttrs>,
    /// `#[schemars(required)]`
    pub required: bool,
    /// `#[schemars(with)]`, `#[serde(with)]`, `#[schemars(schema_with)]`
    pub with: Option<With>,
    /// `#[schemars(transform = ..)]`
    pub transforms: Vec<Expr>,
    /// serde's attributes.
    pub serde: FieldSerde,
    /// `#[crd(..)]`, unless it is empty; the span is that of our first attribute.
    pub crd: Option<Box<Spanned<CrdAttrs>>>,
}

/// Attributes of a variant.
#[derive(Clone, Debug, Default)]
pub struct VariantAttrs {
    /// The gate on the variant.
    pub gate: Option<Gate>,
    /// Documentation and validation.
    pub facets: Conditional<FacetAttrs>,
    /// `#[schemars(with)]`, `#[schemars(schema_with)]`
    pub with: Option<With>,
    /// `#[schemars(transform = ..)]`
    pub transforms: Vec<Expr>,
    /// The name that it is deserialized from.
    pub name: Text,
    /// `#[serde(skip)]`, `#[serde(skip_deserializing)]`
    pub skip: bool,
    /// `#[serde(untagged)]`
    pub untagged: bool,
    /// How serde itself serializes it.
    pub writing: VariantWriting,
    /// `#[default]`
    pub default: bool,
}

/// How serde, which ignores schemars' attributes, serializes a variant.
#[derive(Clone, Debug, Default)]
pub struct VariantWriting {
    /// The name that it is serialized to.
    pub name: Text,
    /// `skip`, `skip_serializing`: serde returns an error.
    pub skip: bool,
    /// `untagged`
    pub untagged: bool,
    /// `serialize_with = ".."` (or the function of the module in `with`), which receives all fields
    pub serialize_with: Option<Expr>,
}

/// The source of a schema that replaces the type's own.
#[derive(Clone, Debug, PartialEq)]
pub enum With {
    /// Another type.
    Type(Ty),
    /// A function.
    Function(Path),
}

/// Facets before their values are evaluated. The facets of drafts document their meaning.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FacetAttrs {
    /// The doc lines, joined with line feeds, without one leading space each.
    pub doc: Option<Text>,
    /// Rust's `#[deprecated]`
    pub deprecated: bool,
    /// `title`
    pub title: Option<Expr>,
    /// `description`
    pub description: Option<Expr>,
    /// `example`, all of them
    pub examples: Vec<Expr>,
    /// `length(min)`, `length(equal)`
    pub min_length: Option<Expr>,
    /// `length(max)`, `length(equal)`
    pub max_length: Option<Expr>,
    /// `range(min)`
    pub minimum: Option<Expr>,
    /// `range(max)`
    pub maximum: Option<Expr>,
    /// `regex`, `pattern`: the expression. `contains`: the same with `true`; its value will be escaped.
    pub pattern: Option<(Expr, bool)>,
    /// `email`, `url` (`uri`), `ip`, `ipv4`, `ipv6`: the format's name in the schema.
    pub format: Option<Text>,
    /// `inner(..)`
    pub inner: Option<Box<FacetAttrs>>,
    /// `extend("key" = ..)`: the key, the tokens of the value (as `json!` takes them), the key's span.
    pub extend: Vec<(Text, Vec<Token>, Span)>,
    /// `x_kube(validation = ..)`, on a root type also `kube(validation = ..)`: a string, a pair, or a `Rule` expression.
    pub rules: Vec<Expr>,
    /// `x_kube(merge_strategy = ..)`
    pub merge: Option<Expr>,
}

/// serde's `default`.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum SerdeDefault {
    /// No default.
    #[default]
    None,
    /// `Default::default()`
    Default,
    /// A function.
    Function(Expr),
}

/// serde's attributes of a container.
#[derive(Clone, Debug, Default)]
pub struct ContainerSerde {
    /// The tagging of an enum.
    pub tag: Tagging,
    /// `default`
    pub default: SerdeDefault,
    /// `deny_unknown_fields`
    pub deny_unknown: bool,
    /// `transparent`
    pub transparent: bool,
    /// `from = ".."`, else `try_from = ".."`
    pub from: Option<Ty>,
    /// Whether the derives are for another type (`remote = ".."`), so that this one has none of the traits by them.
    pub remote: bool,
    /// `into = ".."`: defaults are serialized as that type.
    pub into: Option<Ty>,
    /// The name that a tagged struct is serialized with.
    pub name: Text,
    /// The name that schemars takes: that to read, or that of the other type.
    pub schema_name: Text,
    /// The attributes that serde itself reads, if schemars overrides any.
    pub own: Option<Box<ContainerSerde>>,
}

impl ContainerSerde {
    /// The attributes that determine serialization, for which serde ignores schemars'.
    #[must_use]
    pub fn writing(&self) -> &Self {
        self.own.as_deref().unwrap_or(self)
    }
}

/// serde's attributes of a field.
#[derive(Clone, Debug, Default)]
pub struct FieldSerde {
    /// The name that it is deserialized from.
    pub name: Text,
    /// The name that it is serialized to, if different.
    pub serialize_name: Option<Text>,
    /// `skip`, `skip_deserializing`
    pub skip_deserializing: bool,
    /// `skip`, `skip_serializing`
    pub skip_serializing: bool,
    /// `skip_serializing_if = ".."`
    pub skip_serializing_if: Option<Expr>,
    /// `default`
    pub default: SerdeDefault,
    /// `flatten`
    pub flatten: bool,
    /// `serialize_with = ".."` (or the function of the module in `with`)
    pub serialize_with: Option<Expr>,
    /// Whether this field's schema is that of its transparent container.
    pub transparent: bool,
    /// The attributes that serde itself reads, if schemars overrides any.
    pub own: Option<Box<FieldSerde>>,
}

impl FieldSerde {
    /// The attributes that determine serialization, for which serde ignores schemars'.
    #[must_use]
    pub fn writing(&self) -> &Self {
        self.own.as_deref().unwrap_or(self)
    }
}

/// `#[kube(..)]`, all attributes of one type merged.
#[derive(Clone, Debug)]
pub struct KubeAttrs {
    /// The first attribute.
    pub span: Span,
    /// `group`
    pub group: Option<Spanned<Text>>,
    /// `version`
    pub version: Option<Spanned<Text>>,
    /// `kind`
    pub kind: Option<Spanned<Text>>,
    /// `singular`
    pub singular: Option<Spanned<Text>>,
    /// `plural`
    pub plural: Option<Spanned<Text>>,
    /// `namespaced`
    pub namespaced: bool,
    /// `root`
    pub root: Option<Spanned<Text>>,
    /// `status`
    pub status: Option<Path>,
    /// The gate on the status.
    pub status_gate: Option<Gate>,
    /// `annotation("key", "value")`
    pub annotations: Vec<(Text, Text)>,
    /// `label("key", "value")`
    pub labels: Vec<(Text, Text)>,
    /// `storage`
    pub storage: bool,
    /// `served`
    pub served: bool,
    /// `schema`
    pub schema: SchemaMode,
    /// `no_spec`
    pub no_spec: bool,
    /// The lines of documentation that `attr` adds to the root type.
    pub more_doc: Option<Text>,
    /// The attributes that `attr` adds to the root type, each of a derive or a macro.
    pub root_macros: Vec<Path>,
    /// The settings that may differ by channel.
    pub facets: Conditional<KindFacets<Expr>>,
}

/// `#[kube(schema = "..")]`
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum SchemaMode {
    /// The root type derives `JsonSchema`.
    #[default]
    Derived,
    /// The root type implements it by hand.
    Manual,
    /// The CRD has no schema.
    Disabled,
}

/// `#[crd(..)]`, all attributes of one node merged, before its values are evaluated.
pub type CrdAttrs = Crd<Spanned<Text>, Expr, Path, Span>;

/// The keys of `#[crd(..)]` that describe a schema node.
pub type MarkAttrs = Marks<Spanned<Text>, Expr, Path, Span>;

/// The declarations of an enum that derives `Conditions` or `Reasons`.
#[derive(Clone, Debug)]
pub enum Declaration {
    /// Types of conditions, in source order.
    Conditions(Vec<Condition<Ty>>),
    /// Reasons, in source order.
    Reasons(Vec<Reason>),
    /// Errors in the declaration.
    Wrong(Vec<Diagnostic>),
}
