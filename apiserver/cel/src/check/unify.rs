//! Unification: whether a type is assignable to another, and what that implies for type variables.

use crate::types::Type;

/// The known types of the variables.
#[derive(Debug, Default)]
pub(super) struct Variables {
    known: Vec<Option<Type>>,
    /// The earlier types of the variables that changed in the current trial.
    log: Vec<(usize, Option<Type>)>,
}

impl Variables {
    /// A type variable without constraints.
    pub(super) fn fresh(&mut self) -> Type {
        self.known.push(None);
        Type::Variable(self.known.len() - 1)
    }

    /// Allocates several variables; returns the number of the first one.
    pub(super) fn several(&mut self, count: usize) -> usize {
        let first = self.known.len();
        self.known.resize(first + count, None);
        first
    }

    /// Whether each type is assignable to its counterpart. If not, the variables are unchanged.
    pub(super) fn all_fit(&mut self, given: &[Type], wanted: &[Type]) -> bool {
        self.log.clear();
        let fits = given.len() == wanted.len()
            && given
                .iter()
                .zip(wanted)
                .all(|(given, wanted)| self.assignable(given, wanted));
        if !fits {
            self.undo();
        }
        fits
    }

    pub(super) fn fits(&mut self, one: &Type, other: &Type) -> bool {
        self.log.clear();
        let fits = self.assignable(one, other);
        if !fits {
            self.undo();
        }
        fits
    }

    fn undo(&mut self) {
        while let Some((variable, before)) = self.log.pop() {
            if let Some(known) = self.known.get_mut(variable) {
                *known = before;
            }
        }
    }

    fn learn(&mut self, variable: usize, ty: Type) {
        if let Some(known) = self.known.get_mut(variable) {
            let before = known.replace(ty);
            self.log.push((variable, before));
        }
    }

    fn known(&self, variable: usize) -> Option<Type> {
        self.known.get(variable).cloned().flatten()
    }

    fn assignable(&mut self, one: &Type, other: &Type) -> bool {
        if let Type::Variable(variable) = other {
            match self.stands_for(*variable, one) {
                Unification::Yes => return true,
                Unification::NotForWhatIsKnown => return false,
                Unification::No => {}
            }
        }
        if let Type::Variable(variable) = one {
            return matches!(self.stands_for(*variable, other), Unification::Yes);
        }
        if one.is_open() || other.is_open() {
            return true;
        }
        match (one, other) {
            (Type::Null, other) | (other, Type::Null) => is_nullable(other),
            (Type::Nullable(one), other) | (other, Type::Nullable(one)) => {
                let one = one.clone();
                self.assignable(&one, other)
            }
            (Type::Type(_), Type::Type(_)) => true,
            (Type::List(one), Type::List(other)) | (Type::Optional(one), Type::Optional(other)) => {
                self.assignable(one, other)
            }
            (Type::Map(one), Type::Map(other)) => {
                self.assignable(&one.0, &other.0) && self.assignable(&one.1, &other.1)
            }
            (one, other) => one == other,
        }
    }

    /// Whether a variable can be bound to a type, or is bound to one that matches.
    fn stands_for(&mut self, variable: usize, ty: &Type) -> Unification {
        if *ty == Type::Variable(variable) {
            return Unification::Yes;
        }
        let Some(known) = self.known(variable) else {
            if self.is_free_of(variable, ty) {
                self.learn(variable, ty.clone());
                return Unification::Yes;
            }
            return Unification::No;
        };
        if ty.is_same(&known) {
            return Unification::Yes;
        }
        if !self.assignable(ty, &known) {
            return Unification::NotForWhatIsKnown;
        }
        let general = most_general(ty, &known);
        if self.is_free_of(variable, &general) {
            self.learn(variable, general);
        }
        Unification::Yes
    }

    /// Whether a variable does not occur in a type.
    fn is_free_of(&self, variable: usize, ty: &Type) -> bool {
        match ty {
            Type::Variable(other) if *other == variable => false,
            Type::Variable(other) => self
                .known(*other)
                .is_none_or(|known| self.is_free_of(variable, &known)),
            Type::List(inner) | Type::Optional(inner) | Type::Type(Some(inner)) => {
                self.is_free_of(variable, inner)
            }
            Type::Map(entry) => {
                self.is_free_of(variable, &entry.0) && self.is_free_of(variable, &entry.1)
            }
            _ => true,
        }
    }

    /// The type with its known variables replaced.
    pub(super) fn resolved(&self, ty: &Type) -> Type {
        self.replaced(ty, None).unwrap_or_else(|| ty.clone())
    }

    /// The same, with `dyn` for the unknown variables.
    pub(super) fn resolved_or_dyn(&self, ty: &Type) -> Type {
        let resolved = self.replaced(ty, Some(&Type::Dyn));
        resolved.unwrap_or_else(|| ty.clone())
    }

    /// The type with its variables replaced; unknown ones become `unknown`. `None` if nothing changes, so that types are shared
    /// instead of copied: a rule may have many nodes with large types.
    fn replaced(&self, ty: &Type, unknown: Option<&Type>) -> Option<Type> {
        let replaced = |ty: &Type| self.replaced(ty, unknown);
        match ty {
            Type::Variable(variable) => match self.known(*variable) {
                Some(known) => Some(replaced(&known).unwrap_or(known)),
                None => unknown.cloned(),
            },
            Type::List(item) => replaced(item).map(Type::list),
            Type::Optional(inner) => replaced(inner).map(Type::optional),
            Type::Map(entry) => match (replaced(&entry.0), replaced(&entry.1)) {
                (None, None) => None,
                (key, value) => Some(Type::map(
                    key.unwrap_or_else(|| entry.0.clone()),
                    value.unwrap_or_else(|| entry.1.clone()),
                )),
            },
            Type::Type(Some(inner)) => replaced(inner).map(Type::of_type),
            _ => None,
        }
    }
}

enum Unification {
    Yes,
    No,
    NotForWhatIsKnown,
}

/// Whether values of a type may be null.
fn is_nullable(ty: &Type) -> bool {
    matches!(
        ty,
        Type::Null
            | Type::Optional(_)
            | Type::Object(_)
            | Type::Library(_)
            | Type::Duration
            | Type::Timestamp
            | Type::Nullable(_)
    )
}

/// The more general of two types that match each other.
pub(super) fn most_general(one: &Type, other: &Type) -> Type {
    if says_less(one, other) {
        one.clone()
    } else {
        other.clone()
    }
}

fn says_less(one: &Type, other: &Type) -> bool {
    match (one, other) {
        (Type::Dyn | Type::Variable(_), _) => true,
        (_, Type::Dyn | Type::Variable(_)) => false,
        (Type::List(one), Type::List(other)) | (Type::Optional(one), Type::Optional(other)) => {
            says_less(one, other)
        }
        (Type::Map(one), Type::Map(other)) => {
            says_less(&one.0, &other.0) && says_less(&one.1, &other.1)
        }
        (Type::Type(_), Type::Type(_)) => true,
        (one, other) => one.is_same(other),
    }
}

/// An overload's type with fresh variables, starting with `first`.
pub(super) fn with_variables(ty: &Type, first: usize) -> Type {
    match ty {
        Type::Variable(variable) => Type::Variable(first + variable),
        Type::List(item) => Type::list(with_variables(item, first)),
        Type::Optional(inner) => Type::optional(with_variables(inner, first)),
        Type::Map(entry) => Type::map(
            with_variables(&entry.0, first),
            with_variables(&entry.1, first),
        ),
        Type::Type(Some(inner)) => Type::of_type(with_variables(inner, first)),
        other => other.clone(),
    }
}
