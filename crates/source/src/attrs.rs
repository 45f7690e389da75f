//! What attributes say, read but not yet evaluated: values are still expressions, types still paths.

use super::tree::{Expr, Path, Token, Ty};
use crd_channels_diagnostics::{Diagnostic, Span, Text};
pub use crd_channels_markers::{Count, Level, Polarity, Status};

/// `#[experimental]` or `#[not_experimental]`.
#[derive(Clone, Debug, PartialEq)]
pub struct GateAttr {
    /// The feature; `unnamed` where none is named.
    pub feature: Text,
    /// `true` for `#[experimental]`.
    pub on: bool,
    /// The attribute, `#` to `]`.
    pub span: Span,
}

/// Attributes that always hold, and those inside conditional attributes, in source order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gated<T> {
    /// Holds in every channel.
    pub always: T,
    /// Holds where the gate does.
    pub when: Vec<(GateAttr, T)>,
}

/// A `#[tombstone(..)]`.
#[derive(Clone, Debug, PartialEq)]
pub struct TombstoneAttr {
    /// `name`
    pub name: Text,
    /// `removed`
    pub removed: Text,
    /// `reason`
    pub reason: Text,
    /// The attribute.
    pub span: Span,
}

/// Attributes of a struct or enum.
#[derive(Clone, Debug, Default)]
pub struct ContainerAttrs {
    /// The gate on the type.
    pub gate: Option<GateAttr>,
    /// Documentation, validation, rules.
    pub facets: Gated<FacetAttrs>,
    /// serde's view, `#[schemars]` laid over `#[serde]` as schemars does.
    pub serde: ContainerSerde,
    /// `#[schemars(with)]`, `#[schemars(schema_with)]`
    pub with: Option<With>,
    /// `#[schemars(transform = ..)]`
    pub transforms: Vec<Expr>,
    /// `#[kube(..)]`, all of them merged.
    pub kube: Option<KubeAttrs>,
    /// `#[crd(..)]` about the kind
    pub crd: CrdAttrs,
    /// `#[crd(..)]` about the schema
    pub marks: MarkAttrs,
    /// `#[tombstone(..)]`
    pub tombstones: Vec<TombstoneAttr>,
    /// `#[repr(..)]`'s type.
    pub repr: Option<Text>,
}

/// Attributes of a field.
#[derive(Clone, Debug, Default)]
pub struct FieldAttrs {
    /// The gate on the field.
    pub gate: Option<GateAttr>,
    /// Documentation, validation, rules.
    pub facets: Gated<FacetAttrs>,
    /// `#[schemars(required)]`
    pub required: bool,
    /// `#[schemars(with)]`, `#[serde(with)]`, `#[schemars(schema_with)]`
    pub with: Option<With>,
    /// `#[schemars(transform = ..)]`
    pub transforms: Vec<Expr>,
    /// serde's view.
    pub serde: FieldSerde,
    /// `#[crd(nullable)]`
    pub nullable: bool,
    /// `#[crd(..)]` about the schema
    pub marks: MarkAttrs,
}

/// Attributes of a variant.
#[derive(Clone, Debug, Default)]
pub struct VariantAttrs {
    /// The gate on the variant.
    pub gate: Option<GateAttr>,
    /// Documentation and validation.
    pub facets: Gated<FacetAttrs>,
    /// `#[schemars(with)]`, `#[schemars(schema_with)]`
    pub with: Option<With>,
    /// `#[schemars(transform = ..)]`
    pub transforms: Vec<Expr>,
    /// The name it is deserialized from.
    pub name: Text,
    /// `#[serde(skip)]`, `#[serde(skip_deserializing)]`
    pub skip: bool,
    /// `#[serde(untagged)]`
    pub untagged: bool,
    /// How serde itself writes it.
    pub writing: VariantWriting,
    /// `#[default]`
    pub default: bool,
}

/// How serde, which knows nothing of schemars, writes a variant.
#[derive(Clone, Debug, Default)]
pub struct VariantWriting {
    /// The name it is serialized to.
    pub name: Text,
    /// `skip`, `skip_serializing`: serde refuses to write it.
    pub skip: bool,
    /// `untagged`
    pub untagged: bool,
    /// `serialize_with = ".."` (or `with`, then the module's function), which is given all fields
    pub serialize_with: Option<Expr>,
}

/// Where a schema is taken from instead of the type's own.
#[derive(Clone, Debug, PartialEq)]
pub enum With {
    /// Another type.
    Type(Ty),
    /// A function.
    Function(Path),
}

/// What facets are, before their values are evaluated. The facets of drafts say what each means.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FacetAttrs {
    /// The doc lines, joined with line feeds, one leading space stripped from each.
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
    /// `regex`, `pattern`: the expression. `contains`: the same with `true`, the value is escaped.
    pub pattern: Option<(Expr, bool)>,
    /// `email`, `url` (`uri`), `ip`, `ipv4`, `ipv6`: the format's name in the schema.
    pub format: Option<Text>,
    /// `inner(..)`
    pub inner: Option<Box<FacetAttrs>>,
    /// `extend("key" = ..)`: the key, the tokens of the value (as `json!` takes them), the key's place.
    pub extend: Vec<(Text, Vec<Token>, Span)>,
    /// `x_kube(validation = ..)`, on a root type also `kube(validation = ..)`: a string, a pair, or a `Rule` expression.
    pub rules: Vec<Expr>,
    /// `x_kube(merge_strategy = ..)`
    pub merge: Option<Expr>,
}

/// serde's `default`.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum SerdeDefault {
    /// None.
    #[default]
    None,
    /// `Default::default()`
    Default,
    /// A function.
    Function(Expr),
}

/// How an enum is tagged.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub enum TagAttr {
    /// The default.
    #[default]
    External,
    /// `tag = ".."`
    Internal(Text),
    /// `tag = "..", content = ".."`
    Adjacent(Text, Text),
    /// `untagged`
    None,
}

/// serde's view of a container.
#[derive(Clone, Debug, Default)]
pub struct ContainerSerde {
    /// The tagging of an enum.
    pub tag: TagAttr,
    /// `default`
    pub default: SerdeDefault,
    /// `deny_unknown_fields`
    pub deny_unknown: bool,
    /// `transparent`
    pub transparent: bool,
    /// `from = ".."`, else `try_from = ".."`
    pub from: Option<Ty>,
    /// `into = ".."`: defaults are written as that type.
    pub into: Option<Ty>,
    /// The name that a tagged struct writes.
    pub name: Text,
    /// What serde itself sees, where schemars lays something over it.
    pub own: Option<Box<ContainerSerde>>,
}

impl ContainerSerde {
    /// What decides how a value is written: serde knows nothing of schemars.
    #[must_use]
    pub fn writing(&self) -> &Self {
        self.own.as_deref().unwrap_or(self)
    }
}

/// serde's view of a field.
#[derive(Clone, Debug, Default)]
pub struct FieldSerde {
    /// The name it is deserialized from.
    pub name: Text,
    /// The name it is serialized to, where that is another one.
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
    /// `serialize_with = ".."` (or `with`, then the module's function)
    pub serialize_with: Option<Expr>,
    /// Whether a transparent container's schema is this field's.
    pub transparent: bool,
    /// What serde itself sees, where schemars lays something over it.
    pub own: Option<Box<FieldSerde>>,
}

impl FieldSerde {
    /// What decides how a value is written: serde knows nothing of schemars.
    #[must_use]
    pub fn writing(&self) -> &Self {
        self.own.as_deref().unwrap_or(self)
    }
}

/// A text with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// The value's place.
    pub span: Span,
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
    /// `scale`
    pub scale: Option<Spanned<ScaleAttr>>,
    /// `annotation("key", "value")`
    pub annotations: Vec<(Text, Text)>,
    /// `label("key", "value")`
    pub labels: Vec<(Text, Text)>,
    /// `storage`, with its place where it is written
    pub storage: bool,
    /// `served`
    pub served: bool,
    /// `schema`
    pub schema: SchemaMode,
    /// `no_spec`
    pub no_spec: bool,
    /// The lines of documentation that `attr` puts on the root type.
    pub more_doc: Option<Text>,
    /// What may differ by channel.
    pub facets: Gated<KubeFacets>,
}

/// The keys of `#[kube(..)]` that may stand inside a conditional attribute.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KubeFacets {
    /// `shortname`
    pub short_names: Vec<Text>,
    /// `category`
    pub categories: Vec<Text>,
    /// `printcolumn`
    pub columns: Vec<Spanned<ColumnAttr>>,
    /// `selectable`
    pub selectable: Vec<Spanned<Text>>,
    /// `deprecated`, with its text if it has one
    pub deprecated: Option<Spanned<Option<Text>>>,
    /// `validation`
    pub rules: Vec<Expr>,
    /// `doc`
    pub doc: Option<Text>,
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

/// `#[kube(scale(..))]`
#[derive(Clone, Debug, PartialEq)]
pub struct ScaleAttr {
    /// `spec_replicas_path`
    pub spec_replicas_path: Text,
    /// `status_replicas_path`
    pub status_replicas_path: Text,
    /// `label_selector_path`
    pub label_selector_path: Option<Text>,
}

/// `#[kube(printcolumn(..))]`
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnAttr {
    /// `name`
    pub name: Text,
    /// `type_`
    pub ty: Text,
    /// `json_path`
    pub json_path: Text,
    /// `description`
    pub description: Option<Text>,
    /// `format`
    pub format: Option<Text>,
    /// `priority`
    pub priority: Option<i32>,
}

/// `#[crd(..)]` on a root type.
#[derive(Clone, Debug, Default)]
pub struct CrdAttrs {
    /// `conversion = "none" | "webhook"`
    pub conversion: Option<Spanned<Text>>,
    /// `deprecated_in = ".."`
    pub deprecated_in: Option<Spanned<Text>>,
    /// `removed_in = ".."`
    pub removed_in: Option<Spanned<Text>>,
    /// `replaced_by = ".."`
    pub replaced_by: Option<Spanned<Text>>,
    /// `list_kind = ".."`
    pub list_kind: Option<Text>,
    /// `annotation("..", "..")`
    pub annotations: Vec<(Text, Text)>,
    /// `label("..", "..")`
    pub labels: Vec<(Text, Text)>,
    /// `default(spec = ..)`
    pub spec_default: Option<Expr>,
    /// `default(status = ..)`
    pub status_default: Option<Expr>,
}

/// The keys of `#[crd(..)]` that describe a schema node, before their values are evaluated.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MarkAttrs {
    /// `title = ".."`
    pub title: Option<Text>,
    /// `example = ..`
    pub example: Option<Expr>,
    /// `external_docs(url = "..")`
    pub docs_url: Option<Text>,
    /// `external_docs(description = "..")`
    pub docs_description: Option<Text>,
    /// `list_type = "atomic" | "set" | "map"`
    pub list_type: Option<Spanned<Text>>,
    /// `list_map_keys("..")`
    pub list_map_keys: Vec<Text>,
    /// `map_type = "granular" | "atomic"`
    pub map_type: Option<Spanned<Text>>,
    /// `struct_type = "granular" | "atomic"`
    pub struct_type: Option<Spanned<Text>>,
    /// `immutable`
    pub immutable: Option<Span>,
    /// `embedded_resource`
    pub embedded_resource: Option<Span>,
    /// `embedded_metadata`
    pub embedded_metadata: Option<Span>,
    /// `conditions = ..`
    pub conditions: Option<Path>,
    /// `exactly_one_of(..)` and the like
    pub unions: Vec<UnionAttr>,
    /// `allow(..)`, `warn(..)`, `deny(..)`
    pub levels: Vec<LintAttr>,
    /// `inner(..)`
    pub inner: Option<Box<MarkAttrs>>,
    /// The first attribute of ours on the node, where it says anything of this.
    pub place: Option<Span>,
}

impl MarkAttrs {
    /// Whether nothing of it is about the schema itself.
    #[must_use]
    pub fn leaves_schema(&self) -> bool {
        let rest = Self {
            levels: Vec::new(),
            place: None,
            ..self.clone()
        };
        rest == Self::default()
    }
}

/// What an enum declares with `#[derive(Conditions)]` or `#[derive(Reasons)]`.
#[derive(Clone, Debug)]
pub enum Declaration {
    /// Types of conditions, in source order.
    Conditions(Vec<ConditionAttr>),
    /// Reasons, in source order.
    Reasons(Vec<ReasonAttr>),
    /// Something that is wrong.
    Wrong(Vec<Diagnostic>),
}

/// One type of condition.
#[derive(Clone, Debug)]
pub struct ConditionAttr {
    /// The type on the wire.
    pub name: Text,
    /// The variant.
    pub span: Span,
    /// Which status a healthy object has.
    pub polarity: Polarity,
    /// `optional`
    pub optional: bool,
    /// The type of its reasons.
    pub reasons: Ty,
    /// The type on the wire that replaces it, and the bundle that will remove it.
    pub replaced: Option<(Text, Spanned<Text>)>,
    /// The doc comment.
    pub docs: Text,
    /// The gate on it.
    pub gate: Option<GateAttr>,
}

/// One reason.
#[derive(Clone, Debug)]
pub struct ReasonAttr {
    /// The word on the wire; none where it is made of a code.
    pub name: Option<Text>,
    /// The status that it stands for.
    pub status: Status,
    /// The doc comment.
    pub docs: Text,
    /// The gate on it.
    pub gate: Option<GateAttr>,
}

/// A lint whose level is set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LintAttr {
    /// The lint's code.
    pub code: &'static str,
    /// What its findings do.
    pub level: Level,
    /// Where it is named.
    pub span: Span,
}

/// Fields of which some have to be set.
#[derive(Clone, Debug, PartialEq)]
pub struct UnionAttr {
    /// How many.
    pub count: Count,
    /// Their serialized names, each with its place.
    pub fields: Vec<Spanned<Text>>,
    /// The key with its names.
    pub span: Span,
}
