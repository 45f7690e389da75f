//! The values of `#[crd(..)]`, as syn's types or as those of a reader.

use crate::error::Extent;
use crate::lints::LintLevel;
use syn::{Expr, LitStr, Path};

/// `#[crd(..)]`. The parameters are the types of its texts, expressions, paths and spans: syn's, or those that a reader
/// converts them to.
#[derive(Clone, Debug, PartialEq)]
pub struct Crd<T = LitStr, E = Expr, P = Path, S = Extent> {
    /// `conversion = "none" | "webhook"`
    pub conversion: Option<T>,
    /// `deprecated_in = ".."`
    pub deprecated_in: Option<T>,
    /// `removed_in = ".."`
    pub removed_in: Option<T>,
    /// `replaced_by = ".."`
    pub replaced_by: Option<T>,
    /// `list_kind = ".."`
    pub list_kind: Option<T>,
    /// `annotation("..", "..")`, in source order
    pub annotations: Vec<(T, T)>,
    /// `label("..", "..")`, in source order
    pub labels: Vec<(T, T)>,
    /// `default(spec = ..)`
    pub spec_default: Option<E>,
    /// `default(status = ..)`
    pub status_default: Option<E>,
    /// `no_status_subresource`
    pub no_status_subresource: bool,
    /// `root = ..`
    pub root: Option<E>,
    /// `nullable`
    pub nullable: bool,
    /// The keys that describe a schema node.
    pub marks: Marks<T, E, P, S>,
}

/// The keys of `#[crd(..)]` that describe a schema node.
#[derive(Clone, Debug, PartialEq)]
pub struct Marks<T = LitStr, E = Expr, P = Path, S = Extent> {
    /// `title = ".."`
    pub title: Option<T>,
    /// `example = ..`
    pub example: Option<E>,
    /// `external_docs(url = "..")`
    pub docs_url: Option<T>,
    /// `external_docs(description = "..")`
    pub docs_description: Option<T>,
    /// `list_type = "atomic" | "set" | "map"`
    pub list_type: Option<T>,
    /// `list_map_keys("..")`
    pub list_map_keys: Vec<T>,
    /// `map_type = "granular" | "atomic"`
    pub map_type: Option<T>,
    /// `struct_type = "granular" | "atomic"`
    pub struct_type: Option<T>,
    /// `immutable`
    pub immutable: Option<S>,
    /// `deprecated = ".."`
    pub deprecated: Option<T>,
    /// `embedded_resource`
    pub embedded_resource: Option<S>,
    /// `embedded_metadata`
    pub embedded_metadata: Option<S>,
    /// `conditions = ..`
    pub conditions: Option<P>,
    /// `exactly_one_of("..")`, `at_most_one_of("..")`, `at_least_one_of("..")`
    pub unions: Vec<Union<T, S>>,
    /// `allow(..)`, `warn(..)`, `deny(..)`
    pub levels: Vec<LintLevel<S>>,
    /// `inner(..)`
    pub inner: Option<Box<Marks<T, E, P, S>>>,
}

/// How many of several fields must be set.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Count {
    /// `exactly_one_of`
    ExactlyOne,
    /// `at_most_one_of`
    AtMostOne,
    /// `at_least_one_of`
    AtLeastOne,
}

/// Fields of which a number must be set.
#[derive(Clone, Debug, PartialEq)]
pub struct Union<M = LitStr, S = Extent> {
    /// How many must be set.
    pub count: Count,
    /// The fields, by their serialized names.
    pub members: Vec<M>,
    /// The key with the names in its parentheses.
    pub span: S,
}

/// Converts the tokens of attributes to values that outlive them.
pub trait Convert {
    /// The type of texts.
    type Text;
    /// The type of expressions.
    type Expr;
    /// The type of paths.
    type Path;
    /// The type of spans.
    type Span;

    /// Converts a text.
    fn text(&self, text: &LitStr) -> Self::Text;
    /// Converts an expression.
    fn expr(&self, expr: &Expr) -> Self::Expr;
    /// Converts a path.
    fn path(&self, path: &Path) -> Self::Path;
    /// Converts a span.
    fn span(&self, extent: Extent) -> Self::Span;
}

type CrdOf<C> =
    Crd<<C as Convert>::Text, <C as Convert>::Expr, <C as Convert>::Path, <C as Convert>::Span>;

type MarksOf<C> =
    Marks<<C as Convert>::Text, <C as Convert>::Expr, <C as Convert>::Path, <C as Convert>::Span>;

impl Crd {
    /// Converts all values to a reader's types.
    pub fn convert<C: Convert>(&self, to: &C) -> CrdOf<C> {
        let Crd {
            conversion,
            deprecated_in,
            removed_in,
            replaced_by,
            list_kind,
            annotations,
            labels,
            spec_default,
            status_default,
            no_status_subresource,
            root,
            nullable,
            marks,
        } = self;
        let text = |text: &Option<LitStr>| text.as_ref().map(|text| to.text(text));
        let expr = |expr: &Option<Expr>| expr.as_ref().map(|expr| to.expr(expr));
        let pairs = |pairs: &[(LitStr, LitStr)]| {
            let pairs = pairs.iter();
            let pairs = pairs.map(|(key, value)| (to.text(key), to.text(value)));
            pairs.collect()
        };
        Crd {
            conversion: text(conversion),
            deprecated_in: text(deprecated_in),
            removed_in: text(removed_in),
            replaced_by: text(replaced_by),
            list_kind: text(list_kind),
            annotations: pairs(annotations),
            labels: pairs(labels),
            spec_default: expr(spec_default),
            status_default: expr(status_default),
            no_status_subresource: *no_status_subresource,
            root: expr(root),
            nullable: *nullable,
            marks: marks.convert(to),
        }
    }
}

impl Marks {
    fn convert<C: Convert>(&self, to: &C) -> MarksOf<C> {
        let Marks {
            title,
            example,
            docs_url,
            docs_description,
            list_type,
            list_map_keys,
            map_type,
            struct_type,
            immutable,
            deprecated,
            embedded_resource,
            embedded_metadata,
            conditions,
            unions,
            levels,
            inner,
        } = self;
        let text = |text: &Option<LitStr>| text.as_ref().map(|text| to.text(text));
        let texts = |texts: &[LitStr]| texts.iter().map(|text| to.text(text)).collect();
        let span = |extent: Option<Extent>| extent.map(|extent| to.span(extent));
        Marks {
            title: text(title),
            example: example.as_ref().map(|example| to.expr(example)),
            docs_url: text(docs_url),
            docs_description: text(docs_description),
            list_type: text(list_type),
            list_map_keys: texts(list_map_keys),
            map_type: text(map_type),
            struct_type: text(struct_type),
            immutable: span(*immutable),
            deprecated: text(deprecated),
            embedded_resource: span(*embedded_resource),
            embedded_metadata: span(*embedded_metadata),
            conditions: conditions.as_ref().map(|path| to.path(path)),
            unions: unions
                .iter()
                .map(|union| Union {
                    count: union.count,
                    members: texts(&union.members),
                    span: to.span(union.span),
                })
                .collect(),
            levels: levels
                .iter()
                .map(|set| LintLevel {
                    code: set.code,
                    level: set.level,
                    span: to.span(set.span),
                })
                .collect(),
            inner: inner.as_ref().map(|inner| Box::new(inner.convert(to))),
        }
    }
}

impl<T, E, P, S> Default for Crd<T, E, P, S> {
    fn default() -> Self {
        Self {
            conversion: None,
            deprecated_in: None,
            removed_in: None,
            replaced_by: None,
            list_kind: None,
            annotations: Vec::new(),
            labels: Vec::new(),
            spec_default: None,
            status_default: None,
            no_status_subresource: false,
            root: None,
            nullable: false,
            marks: Marks::default(),
        }
    }
}

impl<T, E, P, S> Default for Marks<T, E, P, S> {
    fn default() -> Self {
        Self {
            title: None,
            example: None,
            docs_url: None,
            docs_description: None,
            list_type: None,
            list_map_keys: Vec::new(),
            map_type: None,
            struct_type: None,
            immutable: None,
            deprecated: None,
            embedded_resource: None,
            embedded_metadata: None,
            conditions: None,
            unions: Vec::new(),
            levels: Vec::new(),
            inner: None,
        }
    }
}
