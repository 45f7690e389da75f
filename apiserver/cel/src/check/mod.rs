//! Type-checks every part of an expression.

mod aggregates;
mod calls;
mod checked;
mod constants;
mod fields;
mod format;
mod literals;
mod names;
pub(crate) mod type_names;
mod unify;

pub(crate) use calls::signature;
pub use checked::Checked;

use crate::Text;
use crate::core::{Fold, Id, Kind, Tree};
use crate::diagnostic::{Code, Diagnostic};
use crate::expand::expand;
use crate::functions::Overload;
use crate::syntax::Expression;
use crate::syntax::ast::Literal;
use crate::types::{Declarations, NodeId, Type};
use unify::Variables;

/// The maximum number of nodes of a type, which is a tree. A larger one is deeply nested maps, which no server can handle.
const MAX_TYPE: usize = 2_000;

/// The names in a rule, and the servers that compile it.
#[derive(Clone, Copy, Debug)]
pub struct Environment<'d> {
    /// The declarations that contain `itself`.
    pub declarations: &'d Declarations,
    /// The node of `self` and `oldSelf`.
    pub itself: NodeId,
    /// Whether `oldSelf` is an optional.
    pub optional_old: bool,
    /// The Kubernetes minor of the servers.
    pub minor: u32,
}

/// The outcome of a check.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The expression compiles.
    Sound(Checked),
    /// It has types, but servers cannot build a program from it.
    Unrunnable(Checked, Diagnostic),
    /// It does not compile.
    Faulty(Vec<Diagnostic>),
}

/// Checks an expression as an API server compiles it.
#[must_use]
pub fn check(expression: &Expression, environment: Environment<'_>) -> Outcome {
    match typed(expression, environment) {
        Err(fault) => Outcome::Faulty(vec![fault]),
        Ok((_, faults)) if !faults.is_empty() => Outcome::Faulty(faults),
        Ok((checked, _)) => match constants::fault(&checked) {
            Some(fault) => Outcome::Unrunnable(checked, fault),
            None => Outcome::Sound(checked),
        },
    }
}

/// The types of all typed parts, and the errors of the others. Parts without a type have [`Type::Error`].
///
/// # Errors
/// If a macro is misused, so that there are no parts.
pub fn typed(
    expression: &Expression,
    environment: Environment<'_>,
) -> Result<(Checked, Vec<Diagnostic>), Diagnostic> {
    let tree = expand(expression)?;
    let mut checker = Checker::new(&tree, environment);
    checker.check(tree.root);
    let resolved = checker.types.iter();
    let types = resolved
        .map(|ty| checker.variables.resolved_or_dyn(ty))
        .collect();
    let is_later = |fault: &mut Diagnostic| fault.since > environment.minor;
    let (overloads, mut faults) = (checker.overloads, checker.faults);
    let mut checked = Checked {
        types,
        overloads,
        names: checker.names,
        later: faults.extract_if(.., is_later).collect(),
        tree,
    };
    if faults.is_empty() {
        faults = literals::faults(&checked);
        faults.extend(aggregates::faults(&checked));
        checked.later.extend(faults.extract_if(.., is_later));
    }
    Ok((checked, faults))
}

struct Checker<'t, 'd> {
    tree: &'t Tree,
    environment: Environment<'d>,
    /// The variables of macros in scope, the innermost last.
    locals: Vec<(Text, Type)>,
    variables: Variables,
    types: Vec<Type>,
    overloads: Vec<Vec<&'static Overload>>,
    names: Vec<bool>,
    faults: Vec<Diagnostic>,
}

impl<'t, 'd> Checker<'t, 'd> {
    fn new(tree: &'t Tree, environment: Environment<'d>) -> Self {
        Self {
            tree,
            environment,
            locals: Vec::new(),
            variables: Variables::default(),
            types: vec![Type::Error; tree.len()],
            overloads: vec![Vec::new(); tree.len()],
            names: vec![false; tree.len()],
            faults: Vec::new(),
        }
    }

    fn ty(&self, id: Id) -> Type {
        self.types.get(id.0).cloned().unwrap_or(Type::Error)
    }

    fn set(&mut self, id: Id, ty: Type) {
        let mut left = MAX_TYPE;
        let ty = if fits_in(&ty, &mut left) {
            ty
        } else {
            self.fault(Code::Mismatch, id, "the type of this value is too large")
        };
        if let Some(known) = self.types.get_mut(id.0) {
            *known = ty;
        }
    }

    fn fault(&mut self, code: Code, id: Id, message: impl Into<String>) -> Type {
        if let Some(node) = self.tree.node(id) {
            let fault = Diagnostic::new(code, node.range.clone(), node.at, message);
            self.faults.push(fault);
        }
        Type::Error
    }

    /// The same with candidate names.
    fn fault_among(&mut self, code: Code, id: Id, message: String, names: Vec<String>) -> Type {
        let ty = self.fault(code, id, message);
        if let Some(fault) = self.faults.last_mut() {
            fault.alternatives = names;
        }
        ty
    }

    fn check(&mut self, id: Id) {
        let tree = self.tree;
        let Some(node) = tree.node(id) else {
            return;
        };
        let ty = match &node.kind {
            Kind::Literal(literal) => of_literal(literal),
            Kind::Identifier(name) => self.identifier(id, name),
            Kind::Select {
                operand,
                field,
                is_test,
            } => self.select(id, *operand, field, *is_test),
            Kind::OptionalSelect { operand, field } => {
                let ty = self.field(id, *operand, field, true);
                self.variables.resolved(&ty)
            }
            Kind::Call {
                function,
                target,
                arguments,
            } => self.call(id, function, *target, arguments),
            Kind::List(elements) => self.list(elements),
            Kind::Map(entries) => self.map(entries),
            Kind::Message { name, fields } => self.message(id, name, fields),
            Kind::Fold(fold) => self.fold(fold),
        };
        self.set(id, ty);
    }

    #[inline(never)]
    fn fold(&mut self, fold: &Fold) -> Type {
        self.check(fold.range);
        self.check(fold.start);
        let range = self.variables.resolved(&self.ty(fold.range));
        let accumulated = self.ty(fold.start);
        let outer = self.locals.len();
        self.locals
            .push((fold.accumulator.clone(), accumulated.clone()));
        let (first, second) = self.elements(fold, &range);
        self.locals.push((fold.variable.clone(), first));
        if let Some(variable) = &fold.second {
            self.locals.push((variable.clone(), second));
        }
        self.check(fold.condition);
        self.demand(fold.condition, &Type::Bool);
        self.check(fold.step);
        self.demand(fold.step, &accumulated);
        self.locals.truncate(outer + 1);
        self.check(fold.result);
        self.locals.truncate(outer);
        self.variables.resolved(&self.ty(fold.result))
    }

    /// The types of a loop's variables.
    fn elements(&mut self, fold: &Fold, range: &Type) -> (Type, Type) {
        match range {
            Type::List(item) if fold.second.is_some() => (Type::Int, (**item).clone()),
            Type::List(item) => ((**item).clone(), Type::Error),
            Type::Map(entry) => (entry.0.clone(), entry.1.clone()),
            Type::Dyn | Type::Error | Type::Variable(_) => {
                self.variables.fits(&Type::Dyn, range);
                (Type::Dyn, Type::Dyn)
            }
            other => {
                let message = format!("a value of type `{other}` has no elements to iterate over");
                self.fault(Code::NoElements, fold.range, message);
                (Type::Error, Type::Error)
            }
        }
    }

    /// Requires that a value has a type.
    fn demand(&mut self, id: Id, wanted: &Type) {
        let found = self.ty(id);
        if !self.variables.fits(wanted, &found) {
            self.mismatch(id, wanted, &found);
        }
    }

    fn mismatch(&mut self, id: Id, wanted: &Type, found: &Type) -> Type {
        let (wanted, found) = (
            self.variables.resolved_or_dyn(wanted),
            self.variables.resolved_or_dyn(found),
        );
        let message = format!("this is of type `{found}` where `{wanted}` is expected");
        self.fault(Code::Mismatch, id, message)
    }

    fn list(&mut self, elements: &[(Id, bool)]) -> Type {
        let mut all = None;
        for (element, optional) in elements {
            self.check(*element);
            let ty = self.ty(*element);
            let ty = if *optional {
                self.inner(*element, ty)
            } else {
                ty
            };
            all = Some(self.joined(all, ty));
        }
        let item = all.unwrap_or_else(|| self.variables.fresh());
        Type::list(item)
    }

    fn map(&mut self, entries: &[(Id, Id, bool)]) -> Type {
        let (mut keys, mut values) = (None, None);
        for (key, value, optional) in entries {
            self.check(*key);
            let ty = self.ty(*key);
            keys = Some(self.joined(keys, ty));
            self.check(*value);
            let ty = self.ty(*value);
            let ty = if *optional {
                self.inner(*value, ty)
            } else {
                ty
            };
            values = Some(self.joined(values, ty));
        }
        let key = keys.unwrap_or_else(|| self.variables.fresh());
        let value = values.unwrap_or_else(|| self.variables.fresh());
        Type::map(key, value)
    }

    /// The type in the optional of an optional element.
    fn inner(&mut self, id: Id, ty: Type) -> Type {
        match &ty {
            Type::Optional(inner) => (**inner).clone(),
            Type::Dyn => ty,
            _ => {
                let wanted = Type::optional(ty.clone());
                self.mismatch(id, &wanted, &ty);
                ty
            }
        }
    }

    /// The common type of two elements. If it is any, [`aggregates`] reports that.
    fn joined(&mut self, before: Option<Type>, ty: Type) -> Type {
        match before {
            None => ty,
            Some(before) if self.variables.fits(&before, &ty) => unify::most_general(&before, &ty),
            Some(_) => Type::Dyn,
        }
    }
}

fn of_literal(literal: &Literal) -> Type {
    match literal {
        Literal::Null => Type::Null,
        Literal::Bool(_) => Type::Bool,
        Literal::Int(_) => Type::Int,
        Literal::Uint(_) => Type::Uint,
        Literal::Double(_) => Type::Double,
        Literal::String(_) => Type::String,
        Literal::Bytes(_) => Type::Bytes,
    }
}

/// Whether a type has at most `left` nodes.
fn fits_in(ty: &Type, left: &mut usize) -> bool {
    let Some(fewer) = left.checked_sub(1) else {
        return false;
    };
    *left = fewer;
    match ty {
        Type::List(inner)
        | Type::Optional(inner)
        | Type::Type(Some(inner))
        | Type::Nullable(inner) => fits_in(inner, left),
        Type::Map(entry) => fits_in(&entry.0, left) && fits_in(&entry.1, left),
        _ => true,
    }
}
