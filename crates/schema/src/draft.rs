//! Drafts: kinds as the source declares them, with every gate still in them. Drafts are never written; `channel::project` turns
//! them into a [`Crd`](super::Crd).

pub use super::kind_facets::{Deprecation, KindFacets, NameSpans};
use super::marks::{Conditions, Marks};
pub use super::marks::{Gate, Tombstone};
use super::{ListType, MapType, Rule, Scope};
use crd_channels_diagnostics::{Span, Spanned, Text, Written};
use serde_json::{Number, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The doc comment that kube-derive generates for a kind without one.
#[must_use]
pub fn generated_doc(spec: &str) -> Text {
    format!("Auto-generated derived type for {spec} via `CustomResource`").into()
}

/// A value for every channel, and further values under gates.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conditional<T> {
    /// The value in every channel.
    pub always: T,
    /// The values laid over it, in source order, if their gates hold.
    pub when: Vec<(Gate, T)>,
}

impl<T> Conditional<T> {
    /// Returns the value of every channel and those under gates.
    pub fn all(&self) -> impl Iterator<Item = &T> {
        let gated = self.when.iter().map(|(_, value)| value);
        std::iter::once(&self.always).chain(gated)
    }
}

/// One version of one kind: one Rust root type.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The span of the type that derives `CustomResource`.
    pub span: Span,
    /// The Rust name of that type: `GatewaySpec`.
    pub spec_name: Text,
    /// The path of its module: `my_api::v1`.
    pub module: Text,
    /// The title of the root's schema: the Rust name of the type that kube-derive generates (`Gateway`), or the one in that
    /// type's hand-written schema.
    pub root_name: Text,
    /// API group.
    pub group: Text,
    /// API version.
    pub version: Text,
    /// Kind.
    pub kind: Text,
    /// Plural name.
    pub plural: Text,
    /// Singular name.
    pub singular: Text,
    /// List kind, if it is not the server's default.
    pub list_kind: Option<Text>,
    /// The spans of these names.
    pub spans: NameSpans,
    /// Scope.
    pub scope: Scope,
    /// Whether the version is served.
    pub served: bool,
    /// Whether it is the storage version.
    pub storage: bool,
    /// The gate on the whole version.
    pub gate: Option<Gate>,
    /// The CRD's own annotations.
    pub annotations: BTreeMap<Text, Text>,
    /// The CRD's own labels.
    pub labels: BTreeMap<Text, Text>,
    /// Whether it has a status, with its subresource.
    pub status: bool,
    /// The gate on the status, which the root's field has too.
    pub status_gate: Option<Gate>,
    /// The conversion strategy that the type declares.
    pub conversion: Option<Spanned<ConversionStrategy>>,
    /// The settings that may differ by channel.
    pub facets: Conditional<KindFacets>,
    /// The bundle that deprecates the version.
    pub deprecated_in: Option<Spanned<Text>>,
    /// The bundle that removes the deprecated version.
    pub removed_in: Option<Spanned<Text>>,
    /// The version, or the kind, that replaces a deprecated version.
    pub replaced_by: Option<Text>,
    /// Whether the root's schema has its own `apiVersion`, `kind` and `metadata`, or none.
    pub written_object: bool,
    /// Lines of documentation appended to the root's own.
    pub more_doc: Option<Text>,
    /// The root's schema: a struct of `spec` and `status`, or the one that `#[kube(schema = "manual")]` refers to; `None` if
    /// disabled.
    pub root: Option<Arc<Type>>,
}

impl Draft {
    /// The CRD's name: `plural.group`.
    #[must_use]
    pub fn crd_name(&self) -> String {
        format!("{}.{}", self.plural, self.group)
    }
}

/// The value of `#[crd(conversion = "..")]`. The webhook's client configuration comes from the bundle's configuration.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ConversionStrategy {
    /// Only `apiVersion` changes.
    None,
    /// A webhook converts objects.
    Webhook,
}

/// A Rust type with all its arguments, as serde and schemars treat it.
#[derive(Clone, Debug, PartialEq)]
pub struct Type {
    /// The name in messages: `Listener`, `Vec<Listener>`, `k8s_openapi::..::ObjectMeta`.
    pub name: Text,
    /// The span of its definition; `None` for built-in types.
    pub span: Option<Span>,
    /// The gate on the type itself.
    pub gate: Option<Gate>,
    /// The shape of its values.
    pub shape: Shape,
    /// The type of Kubernetes that it is, if the `kubernetes` convention knows more of it than its Rust source has.
    pub well_known: Option<WellKnown>,
    /// The facets that its own attributes set.
    pub facets: Conditional<Facets>,
    /// Reserved names in it.
    pub tombstones: Vec<Tombstone>,
    /// Whether it contains a gate. If not, all channels share one schema.
    pub gated: bool,
    /// The approximate number of schema nodes when written out.
    pub nodes: u64,
}

impl Type {
    /// Creates a type without attributes. The caller sets [`Type::gated`] and [`Type::nodes`].
    #[must_use]
    pub fn new(name: impl Into<Text>, span: Option<Span>, shape: Shape) -> Self {
        Self {
            name: name.into(),
            span,
            gate: None,
            shape,
            well_known: None,
            facets: Conditional::default(),
            tombstones: Vec::new(),
            gated: false,
            nodes: 0,
        }
    }
}

/// Kubernetes types whose CRD schema is defined by Kubernetes rather than by k8s-openapi.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum WellKnown {
    /// `meta/v1.Condition`
    Condition,
    /// `util/intstr.IntOrString`
    IntOrString,
    /// `api/resource.Quantity`
    Quantity,
    /// `meta/v1.ObjectMeta`
    ObjectMeta,
    /// `pkg/runtime.RawExtension`
    RawExtension,
    /// A type with lists for which Kubernetes defines how they are merged.
    Lists(&'static [KnownList]),
}

/// A list for which Kubernetes defines how it is merged.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct KnownList {
    /// The property.
    pub field: &'static str,
    /// Its list type.
    pub list_type: ListType,
    /// The keys that identify the items of a list map.
    pub keys: &'static [&'static str],
}

/// The shape of a type's values.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// `serde_json::Value`: anything.
    Any,
    /// `()`, unit structs: `null`.
    Unit,
    /// A built-in scalar.
    Scalar(Scalar),
    /// `Option<T>`
    Option(Arc<Type>),
    /// `Vec<T>`, sets, slices, arrays.
    List {
        /// The items' type.
        items: Arc<Type>,
        /// Whether it is a set, without duplicate items.
        unique: bool,
        /// The length of an array.
        length: Option<u64>,
    },
    /// `BTreeMap<K, V>`, `HashMap<K, V>`
    Map {
        /// The keys' type.
        key: Arc<Type>,
        /// The values' type.
        value: Arc<Type>,
    },
    /// A struct with named fields.
    Struct(Struct),
    /// A newtype struct, or `#[serde(transparent)]`: the schema is the field's.
    Newtype(Box<Field>),
    /// A tuple or tuple struct.
    Tuple(Vec<Field>),
    /// An enum.
    Enum(Enum),
    /// An enum whose values are integers (`JsonSchema_repr`).
    IntegerEnum(Vec<IntegerVariant>),
    /// A hand-written schema.
    Literal(Literal),
}

/// A built-in scalar type, named as in Rust.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Scalar {
    /// `bool`
    Bool,
    /// `char`
    Char,
    /// `String`, `str`, `Path` and other types that are plain strings
    String,
    /// A string with a format from schemars: `ip`, `date-time`, `uri`, `uuid` and so on
    Formatted(&'static str),
    /// A string with a pattern from schemars
    Patterned(&'static str),
    /// `i8` to `i128`, `u8` to `u128`, `isize`, `usize` and the non-zero integers
    Int(IntKind),
    /// `f32`
    Float,
    /// `f64`
    Double,
}

/// A built-in integer type.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct IntKind {
    /// Bits; 0 for `isize` and `usize`.
    pub bits: u8,
    /// Whether it is signed.
    pub signed: bool,
    /// Whether zero is excluded.
    pub non_zero: bool,
}

/// A struct with named fields, also the body of a struct variant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Struct {
    /// The fields that are deserialized, in source order.
    pub fields: Vec<Field>,
    /// `#[serde(deny_unknown_fields)]`
    pub deny_unknown: bool,
}

/// A field.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The serialized name.
    pub name: Text,
    /// The Rust name, or the index in a tuple.
    pub rust_name: Text,
    /// The field's identifier, or its type in a tuple.
    pub span: Span,
    /// The gate on it.
    pub gate: Option<Gate>,
    /// Its type (with `schemars(with)` already applied).
    pub ty: Arc<Type>,
    /// The declared type, if the schema of another type replaces it and the declared one has gates. It is never published; it
    /// determines what the other schema must not name.
    pub declared: Option<Arc<Type>>,
    /// The facets that its attributes set.
    pub facets: Conditional<Facets>,
    /// `#[serde(flatten)]`
    pub flatten: bool,
    /// `#[schemars(required)]`: an `Option` is read as its inner type.
    pub force_required: bool,
    /// Whether it may be left out: it has a default, or is an `Option` that is not `force_required`.
    pub optional: bool,
    /// The default, evaluated and serialized as serde would; `None` if the schema does not show it.
    pub default: Option<Value>,
    /// `#[crd(nullable)]`
    pub nullable: bool,
}

impl Field {
    /// Creates a field without attributes, which may be left out if its type is an `Option`.
    #[must_use]
    pub fn new(name: impl Into<Text>, ty: Arc<Type>, span: Span) -> Self {
        let name = name.into();
        Self {
            rust_name: name.clone(),
            name,
            span,
            gate: None,
            optional: matches!(ty.shape, Shape::Option(_)),
            ty,
            declared: None,
            facets: Conditional::default(),
            flatten: false,
            force_required: false,
            default: None,
            nullable: false,
        }
    }
}

/// An enum.
#[derive(Clone, Debug, PartialEq)]
pub struct Enum {
    /// How variants are represented on the wire.
    pub tagging: Tagging,
    /// The variants that are deserialized, in source order.
    pub variants: Vec<Variant>,
    /// The others, which schemars (since 0.9) looks at before it leaves them out.
    pub skipped: Vec<SkippedVariant>,
    /// `#[serde(deny_unknown_fields)]`
    pub deny_unknown: bool,
}

/// A variant that is never deserialized.
#[derive(Clone, Debug, PartialEq)]
pub struct SkippedVariant {
    /// The gate on it.
    pub gate: Option<Gate>,
    /// Whether it is a name alone, without content, documentation and attributes.
    pub is_plain: bool,
    /// `#[serde(untagged)]` on the variant.
    pub untagged: bool,
}

/// How variants are represented on the wire.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub enum Tagging {
    /// `{"Variant": ..}`; a unit variant is `"Variant"`.
    #[default]
    External,
    /// `{"tag": "Variant", ..}`
    Internal {
        /// The tag's key.
        tag: Text,
    },
    /// `{"tag": "Variant", "content": ..}`
    Adjacent {
        /// The tag's key.
        tag: Text,
        /// The content's key.
        content: Text,
    },
    /// Variants are tried in order.
    Untagged,
}

/// A variant of an enum.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// The serialized name.
    pub name: Text,
    /// The identifier.
    pub span: Span,
    /// The gate on it.
    pub gate: Option<Gate>,
    /// The facets that its attributes set.
    pub facets: Conditional<Facets>,
    /// `#[serde(untagged)]` on the variant.
    pub untagged: bool,
    /// Its content.
    pub content: Content,
}

/// The content of a variant.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// Nothing.
    Unit,
    /// One value.
    Newtype(Box<Field>),
    /// Several values.
    Tuple(Vec<Field>),
    /// Named fields.
    Struct(Struct),
    /// `schemars(with = "..")` on the variant: this type's schema.
    With(Arc<Type>),
}

/// A variant of an enum that is serialized as an integer.
#[derive(Clone, Debug, PartialEq)]
pub struct IntegerVariant {
    /// Its value.
    pub value: i128,
    /// The identifier.
    pub span: Span,
    /// The gate on it.
    pub gate: Option<Gate>,
}

/// A hand-written schema: JSON with types at some of its nodes.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal<T = Arc<Type>> {
    /// A JSON value without types below it.
    Value(Value),
    /// An array.
    Array(Vec<Literal<T>>),
    /// An object, in source order.
    Object(Vec<(Text, Literal<T>)>),
    /// The schema of a type, and the edits of its keys, in order.
    Schema(T, Vec<(Text, Edit<T>)>),
}

/// An edit of one key of a schema.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit<T = Arc<Type>> {
    /// Sets the key, replacing its value if it has one.
    Set(Literal<T>),
    /// Removes the key.
    Remove,
}

impl<T> Literal<T> {
    /// Converts the types in it; `None` if `of` returns `None` for one of them.
    pub fn with_types<U>(&self, of: &mut impl FnMut(&T) -> Option<U>) -> Option<Literal<U>> {
        Some(match self {
            Literal::Value(value) => Literal::Value(value.clone()),
            Literal::Array(items) => {
                let items = items.iter().map(|item| item.with_types(of));
                Literal::Array(items.collect::<Option<_>>()?)
            }
            Literal::Object(entries) => {
                let entries = entries.iter();
                let entries =
                    entries.map(|(key, value)| Some((key.clone(), value.with_types(of)?)));
                Literal::Object(entries.collect::<Option<_>>()?)
            }
            Literal::Schema(ty, edits) => {
                let ty = of(ty)?;
                let edits = edits.iter();
                let edits = edits.map(|(key, edit)| Some((key.clone(), edit.with_types(of)?)));
                Literal::Schema(ty, edits.collect::<Option<_>>()?)
            }
        })
    }
}

impl<T> Edit<T> {
    /// Converts the types in it; `None` if `of` returns `None` for one of them.
    pub fn with_types<U>(&self, of: &mut impl FnMut(&T) -> Option<U>) -> Option<Edit<U>> {
        Some(match self {
            Edit::Set(value) => Edit::Set(value.with_types(of)?),
            Edit::Remove => Edit::Remove,
        })
    }
}

impl<T> Edit<T> {
    /// The value that it sets.
    #[must_use]
    pub fn value(&self) -> Option<&Literal<T>> {
        match self {
            Edit::Set(value) => Some(value),
            Edit::Remove => None,
        }
    }
}

/// The keywords that attributes set on a schema node. If they are laid over others ([`Facets::overlay`]), a keyword replaces
/// the existing one; rules and extensions are added.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facets {
    /// The doc comment, lines joined, as schemars reads it; a leading `#` line is the title. An overlay appends it as further
    /// lines.
    pub doc: Option<Text>,
    /// Rust's `#[deprecated]`. A CRD has no keyword for it, but schemars writes deprecated variants separately from the plain
    /// ones.
    pub deprecated: bool,
    /// `schemars(title = ..)`
    pub title: Option<Text>,
    /// `schemars(description = ..)`
    pub description: Option<Text>,
    /// `schemars(example = ..)`: only the first is kept in a CRD.
    pub example: Option<Value>,
    /// `length(min)`: characters or items, depending on the type.
    pub min_length: Option<u64>,
    /// `length(max)`
    pub max_length: Option<u64>,
    /// `range(min)`
    pub minimum: Option<Number>,
    /// `range(max)`
    pub maximum: Option<Number>,
    /// `regex`, `pattern`, `contains`
    pub pattern: Option<Text>,
    /// `email`, `url`, `ip`, `ipv4`, `ipv6`
    pub format: Option<Text>,
    /// `inner(..)`: the facets of the items.
    pub inner: Option<Box<Facets>>,
    /// `schemars(extend(..))`, applied last, before transforms.
    pub extend: Vec<(Text, Value)>,
    /// The spans of rule expressions in `extend`.
    pub extended_rules: Vec<(Text, Written)>,
    /// The edits that `schemars(transform = ..)` makes to the finished node, in order.
    pub edits: Vec<(Text, Edit)>,
    /// CEL rules.
    pub rules: Vec<Rule>,
    /// `x_kube(merge_strategy = ListMerge::..)`
    pub list_type: Option<ListType>,
    /// The keys of `ListMerge::Map`.
    pub list_map_keys: Vec<Text>,
    /// `x_kube(merge_strategy = MapMerge::..)`
    pub map_type: Option<MapType>,
    /// `#[crd(..)]`; never under a gate.
    pub marks: Option<Box<Marks>>,
}

impl Facets {
    /// The conditions that `#[crd(..)]` names.
    #[must_use]
    pub fn conditions(&self) -> Option<&Conditions> {
        self.marks.as_ref()?.conditions.as_ref()
    }

    /// Overlays `over`.
    pub fn overlay(&mut self, over: &Facets) {
        let Facets {
            doc,
            deprecated,
            title,
            description,
            example,
            min_length,
            max_length,
            minimum,
            maximum,
            pattern,
            format,
            inner,
            extend,
            extended_rules,
            edits,
            rules,
            list_type,
            list_map_keys,
            map_type,
            marks,
        } = over;
        fn replace<T: Clone>(below: &mut Option<T>, above: &Option<T>) {
            if above.is_some() {
                below.clone_from(above);
            }
        }
        if let Some(more) = doc {
            self.doc = Some(match &self.doc {
                Some(doc) => format!("{doc}\n{more}").into(),
                None => more.clone(),
            });
        }
        self.deprecated |= deprecated;
        replace(&mut self.title, title);
        replace(&mut self.description, description);
        replace(&mut self.example, example);
        replace(&mut self.min_length, min_length);
        replace(&mut self.max_length, max_length);
        replace(&mut self.minimum, minimum);
        replace(&mut self.maximum, maximum);
        replace(&mut self.pattern, pattern);
        replace(&mut self.format, format);
        if let Some(above) = inner {
            self.inner.get_or_insert_default().overlay(above);
        }
        for (key, value) in extend {
            match self.extend.iter_mut().find(|(known, _)| known == key) {
                Some((_, below)) => below.clone_from(value),
                None => self.extend.push((key.clone(), value.clone())),
            }
        }
        let rules_in_json = extended_rules.iter().cloned();
        self.extended_rules.extend(rules_in_json);
        self.edits.extend(edits.iter().cloned());
        self.rules.extend(rules.iter().cloned());
        replace(&mut self.list_type, list_type);
        if !list_map_keys.is_empty() {
            self.list_map_keys.clone_from(list_map_keys);
        }
        replace(&mut self.map_type, map_type);
        replace(&mut self.marks, marks);
    }
}
