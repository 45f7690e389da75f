//! Lowers types to drafts: each once, however often it is used. Tells cycles from nesting.

use super::Reader;
use super::hole::{Hole, Holes};
use super::schema_ids::SchemaIds;
use crate::types::{Concrete, Finding, Instance, Scope, unsupported};
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Span, Text};
use crd_channels_projection::channel::walk;
use crd_channels_schema::draft::{Literal, Shape, Type};
use crd_channels_source::TypeRef;
use crd_channels_source::tree::Ty;
use semver::Version;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The maximum depth of nested types. A type that contains itself with ever larger arguments never repeats.
const MAX_DEPTH: usize = 192;

/// Types that tasks have lowered without findings, by the version of schemars and [`Concrete::key`]. Types with findings are not
/// shared: the findings of a kind would depend on which task came first.
#[derive(Default)]
pub(super) struct Memo {
    types: Mutex<HashMap<Option<Version>, TypesByKey>>,
    ids: SchemaIds,
}

type TypesByKey = HashMap<String, Arc<Type>>;

impl Memo {
    fn lowered(&self, schemars: &Option<Version>, key: &str) -> Option<Arc<Type>> {
        let types = self.types.lock().unwrap_or_else(PoisonError::into_inner);
        types.get(schemars)?.get(key).cloned()
    }

    /// Returns the first type that was offered, so that equal types are one.
    fn offer(&self, schemars: &Option<Version>, key: &str, ty: &Arc<Type>) -> Arc<Type> {
        let mut types = self.types.lock().unwrap_or_else(PoisonError::into_inner);
        let types = types.entry(schemars.clone()).or_default();
        Arc::clone(
            types
                .entry(key.to_owned())
                .or_insert_with(|| Arc::clone(ty)),
        )
    }
}

/// A type that is being lowered.
struct Open {
    /// The key of [`Concrete::identity`].
    key: String,
    name: Text,
    /// The use that leads to it.
    at: Span,
    /// Whether it is defined in source. Only such types of a cycle are named.
    defined: bool,
}

/// The lowering of one kind.
pub(super) struct Task<'g> {
    pub(super) reader: Reader<'g>,
    /// The version of schemars that the kind is compiled with.
    pub(super) schemars: Option<Version>,
    memo: &'g Memo,
    /// The types that this task has lowered; `None` for a type that cannot be lowered, which was reported.
    pub(super) own: HashMap<String, Option<Arc<Type>>>,
    open: Vec<Open>,
    /// Whether an infinite type was reported.
    pub(super) endless: bool,
    /// Whether a type that is too large was reported, so that nothing that would write it out is evaluated.
    pub(super) too_large: bool,
    /// Whether the schema of the field that is lowered does not know the parts of its values.
    pub(super) untyped: bool,
    pub(super) sink: Sink,
    pub(super) holes: Holes,
}

impl<'g> Task<'g> {
    pub(super) fn new(reader: Reader<'g>, memo: &'g Memo, kind: &TypeRef) -> Self {
        Self {
            reader,
            schemars: reader.graph.version_of(kind.module, &["schemars"]),
            memo,
            own: HashMap::new(),
            open: Vec::new(),
            endless: false,
            too_large: false,
            untyped: false,
            sink: Sink::default(),
            holes: Holes::default(),
        }
    }

    /// Makes the task mark what the source does not determine, and continue.
    pub(super) fn marking(mut self) -> Self {
        self.holes.marking = true;
        self
    }

    /// Returns all findings and all holes.
    pub(super) fn into_findings(self) -> (Sink, Vec<Hole>) {
        (self.sink, self.holes.found)
    }

    /// The ids that all tasks have found.
    pub(super) fn schema_ids(&self) -> &'g SchemaIds {
        &self.memo.ids
    }

    /// Returns the number of findings.
    pub(super) fn finding_count(&self) -> usize {
        self.sink.diagnostics().len()
    }

    /// Takes the findings after the first `count`.
    pub(super) fn take_found(&mut self, count: usize) -> Vec<Diagnostic> {
        self.sink.take_after(count)
    }

    /// Reports a finding.
    pub(super) fn report(&mut self, finding: Diagnostic) {
        self.sink.push(finding);
    }

    /// Returns the value, or reports the finding, with `help` if it has none of its own.
    pub(super) fn keep<T>(&mut self, result: Result<T, Finding>, help: &str) -> Option<T> {
        result
            .map_err(|mut finding| {
                if finding.help.is_none() && finding.code == Code::NotConstant {
                    finding.help = Some(help.to_owned());
                }
                self.report(*finding);
            })
            .ok()
    }

    /// Returns true if the kind is compiled with a schemars before 1.
    pub(super) fn is_on_old_schemars(&self) -> bool {
        self.schemars.as_ref().is_some_and(|found| found.major < 1)
    }

    /// Lowers a type expression. Returns `None` if that fails, which was reported.
    pub(super) fn ty(&mut self, ty: &Ty, scope: &Scope) -> Option<Arc<Type>> {
        let concrete = self.reader.concrete(ty, scope);
        let concrete = self.keep(concrete, "write the length as a literal")?;
        self.lower(&concrete, ty.span)
    }

    /// Lowers a type that is used at `at`.
    pub(super) fn lower(&mut self, ty: &Concrete, at: Span) -> Option<Arc<Type>> {
        let ty = ty.peel();
        let key = ty.key();
        if let Some(known) = self.own.get(&key) {
            return known.clone();
        }
        if let Some(known) = self.memo.lowered(&self.schemars, &key) {
            return Some(known);
        }
        let identity = ty.identity().key();
        if let Some(first) = self.open.iter().position(|open| open.key == identity) {
            self.report_cycle(first, at);
            return None;
        }
        if self.open.len() >= MAX_DEPTH {
            if std::mem::replace(&mut self.endless, true) {
                return None;
            }
            let finding = Diagnostic::new(
                Code::RecursiveType,
                at,
                format!(
                    "`{}` nests types infinitely, or too deeply",
                    self.outermost(ty)
                ),
            );
            self.report(finding.with_help(WAY_OUT));
            return None;
        }
        let before = self.sink.diagnostics().len();
        self.open.push(Open {
            key: identity,
            name: ty.to_string().into(),
            at,
            defined: matches!(ty, Concrete::Def(_)),
        });
        let built = self.build(ty, at).and_then(|ty| self.sized(ty, at));
        let lowered = built.map(|mut ty| {
            ty.gated = is_gated(&ty);
            Arc::new(ty)
        });
        self.open.pop();
        let quiet = self.sink.diagnostics().len() == before;
        match lowered {
            Some(ty) if quiet => Some(self.memo.offer(&self.schemars, &key, &ty)),
            // Each use is a separate hole, with the reason.
            None if self.holes.marking => None,
            lowered => {
                self.own.insert(key, lowered.clone());
                lowered
            }
        }
    }

    fn outermost(&self, ty: &Concrete) -> Text {
        let first = self.open.first();
        first.map_or_else(|| ty.to_string().into(), |open| open.name.clone())
    }

    fn build(&mut self, ty: &Concrete, at: Span) -> Option<Type> {
        if let Some(schema) = self.reader.schema_override(ty) {
            let mut overriding = plain_type(ty, Shape::Literal(Literal::Value(schema.clone())));
            overriding.gate = own_gate(ty);
            return Some(overriding);
        }
        let before = self.finding_count();
        let built = self.build_read(ty, at);
        self.or_filled_type(before, built, ty, at)
    }

    fn build_read(&mut self, ty: &Concrete, at: Span) -> Option<Type> {
        match ty {
            Concrete::External(path, args) => self.builtin(path, args, ty, at),
            Concrete::Def(instance) => self.definition(instance, at),
            Concrete::Array(item, length) => {
                let items = self.lower(item, at)?;
                Some(plain_type(
                    ty,
                    Shape::List {
                        items,
                        unique: false,
                        length: Some(*length),
                    },
                ))
            }
            Concrete::Tuple(items) if items.is_empty() => Some(plain_type(ty, Shape::Unit)),
            Concrete::Tuple(items) => self.tuple(ty, items, at),
            // Resolved types have none of these.
            Concrete::Ref(..) | Concrete::Slice(_) | Concrete::Param(_) | Concrete::Infer => {
                self.refuse(at, &format!("the type `{ty}`"), "name the type itself");
                None
            }
        }
    }

    /// Reports a cycle once, whichever of its types is reached first.
    fn report_cycle(&mut self, first: usize, at: Span) {
        let cycle = self.open.get(first..).unwrap_or_default();
        // The use that leads to each member; for the first one, the use that closes the cycle.
        let mut steps: Vec<(Span, &Text)> = cycle
            .iter()
            .filter(|open| open.defined)
            .enumerate()
            .map(|(index, open)| (if index == 0 { at } else { open.at }, &open.name))
            .collect();
        if let Some(least) = (0..steps.len()).min_by_key(|index| steps.get(*index)) {
            steps.rotate_left(least);
        }
        let Some((_, name)) = steps.first().copied() else {
            return;
        };
        let mut chain: Vec<&str> = steps.iter().map(|(_, name)| &***name).collect();
        chain.push(name);
        let place = steps.first().map(|(span, _)| *span);
        let mut finding = Diagnostic::new(
            Code::RecursiveType,
            place,
            format!("`{name}` contains itself: `{}`", chain.join("` -> `")),
        )
        .with_help(WAY_OUT);
        for (span, name) in steps.iter().skip(1) {
            finding = finding.with_label(*span, format!("`{name}` is used here"));
        }
        self.report(finding);
    }
}

const WAY_OUT: &str = "break the cycle at one field: `#[schemars(with = \"serde_json::Value\", \
                       extend(\"x-kubernetes-preserve-unknown-fields\" = true))]`";

/// A type without attributes.
pub(super) fn plain_type(ty: &Concrete, shape: Shape) -> Type {
    let span = match ty {
        Concrete::Def(instance) => Some(instance.ty.def.span),
        _ => None,
    };
    Type::new(ty.identity().to_string(), span, shape)
}

/// Returns `missing-schema` for a use; `off` is the library's feature that provides a schema, `old_kube` the version of a
/// kube-derive that writes kinds without one.
pub(super) fn missing_schema(
    instance: &Arc<Instance>,
    off: Option<(&str, &str)>,
    old_kube: Option<Version>,
    at: Span,
) -> Diagnostic {
    let def = &instance.ty.def;
    let message = format!("`{}` has no schema that can be read", def.name);
    let (label, help) = match (off, old_kube.filter(|_| def.attrs.kube.is_some())) {
        (None, Some(version)) => (
            format!("kube {version} writes this kind without a schema"),
            format!(
                "update kube, and add `JsonSchema` to the derives of `{}`: servers take no CRD without a schema since Kubernetes 1.22",
                def.name
            ),
        ),
        (Some((library, feature)), _) => (
            format!("the feature `{feature}` of `{library}` is off"),
            format!(
                "run `cargo add {library} --features {feature}` in the package that uses it, or name the program that turns it on in `cargo-packages`"
            ),
        ),
        (None, None) => (
            "it neither derives `JsonSchema` nor implements it in source".to_owned(),
            format!(
                "add `JsonSchema` to the derives of `{}`, or use `#[schemars(with = \"..\")]` here",
                def.name
            ),
        ),
    };
    Diagnostic::new(Code::MissingSchema, at, message)
        .with_label(def.span, label)
        .with_help(help)
}

/// Reports `unsupported-type`.
impl Task<'_> {
    pub(super) fn refuse(&mut self, at: Span, what: &str, help: &str) {
        self.report(*unsupported(at, what, help));
    }
}

/// Returns true if a schema does not describe all values of a type.
pub(super) fn is_untyped(ty: &Type) -> bool {
    match &ty.shape {
        Shape::Any | Shape::Literal(_) => true,
        Shape::Option(inner) => is_untyped(inner),
        Shape::List { items, .. } => is_untyped(items),
        Shape::Map { value, .. } => is_untyped(value),
        Shape::Newtype(field) => is_untyped(&field.ty),
        _ => false,
    }
}

/// Returns true if a type contains a gate.
pub(super) fn is_gated(ty: &Type) -> bool {
    !walk::gates_of(ty).is_empty() || walk::used(ty).iter().any(|ty| ty.gated)
}

/// Returns the gate on a type itself.
pub(super) fn own_gate(ty: &Concrete) -> Option<crd_channels_schema::draft::Gate> {
    match ty {
        Concrete::Def(instance) => instance.ty.def.attrs.gate.clone(),
        _ => None,
    }
}
