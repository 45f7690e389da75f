//! Calls: selection of the matching overloads.

use super::Checker;
use super::unify::with_variables;
use crate::core::Id;
use crate::diagnostic::Code;
use crate::functions::{Overload, Style, all, is_function, overloads};
use crate::operators::{AND, OR, operator_text};
use crate::types::Type;

/// The maximum number of overloads in a message.
const TOLD: usize = 4;

impl Checker<'_, '_> {
    pub(super) fn call(
        &mut self,
        id: Id,
        function: &str,
        target: Option<Id>,
        arguments: &[Id],
    ) -> Type {
        for argument in arguments {
            self.check(*argument);
        }
        let Some(target) = target else {
            let name = function.strip_prefix('.').unwrap_or(function);
            return self.resolve(id, name, None, arguments);
        };
        if let Some(space) = self.tree.qualified(target) {
            let name = format!("{space}.{function}");
            let name = name.strip_prefix('.').unwrap_or(&name);
            if !overloads(name, Style::Global).is_empty() {
                return self.resolve(id, name, None, arguments);
            }
        }
        self.check(target);
        self.resolve(id, function, Some(target), arguments)
    }

    fn resolve(&mut self, id: Id, name: &str, target: Option<Id>, arguments: &[Id]) -> Type {
        if !is_function(name) {
            let message = format!("unknown function `{name}`");
            let wanted = style(target);
            let known = all().filter(|overload| overload.style == wanted);
            let names = known.map(|overload| overload.name.to_owned()).collect();
            return self.fault_among(Code::Undeclared, id, message, names);
        }
        if name == AND || name == OR {
            return self.logic(id, name, arguments);
        }
        let given: Vec<Type> = target
            .iter()
            .chain(arguments)
            .map(|given| self.ty(*given))
            .collect();
        let mut result = None;
        let mut fitting = Vec::new();
        for overload in overloads(name, style(target)) {
            if let Some(gives) = self.fit(overload, &given) {
                fitting.push(*overload);
                result = Some(match result {
                    None => gives,
                    Some(Type::Dyn) => Type::Dyn,
                    Some(known) if gives.is_same(&known) => known,
                    Some(_) => Type::Dyn,
                });
            }
        }
        let Some(result) = result else {
            return self.no_overload(id, name, target.is_some(), &given);
        };
        let mut ends = fitting.iter().map(|overload| overload.until);
        if let Some(since) = ends.try_fold(0, |last, end| Some(last.max(end?))) {
            self.no_overload(id, name, target.is_some(), &given);
            if let Some(fault) = self.faults.last_mut() {
                fault.since = since;
            }
        }
        if let Some(known) = self.overloads.get_mut(id.0) {
            *known = fitting;
        }
        result
    }

    /// The result type of an overload, if it accepts the arguments.
    fn fit(&mut self, overload: &'static Overload, given: &[Type]) -> Option<Type> {
        if overload.takes.len() != given.len() {
            return None;
        }
        let first = self.variables.several(2);
        let takes = overload.takes.iter();
        let takes: Vec<Type> = takes.map(|ty| with_variables(ty, first)).collect();
        let fits = self.variables.all_fit(given, &takes);
        fits.then(|| {
            self.variables
                .resolved(&with_variables(&overload.gives, first))
        })
    }

    fn logic(&mut self, id: Id, name: &str, operands: &[Id]) -> Type {
        let mut sound = true;
        for operand in operands {
            let ty = self.ty(*operand);
            if !self.variables.fits(&ty, &Type::Bool) {
                self.mismatch(*operand, &Type::Bool, &ty);
                sound = false;
            }
        }
        if let Some(known) = self.overloads.get_mut(id.0) {
            *known = overloads(name, Style::Global).to_vec();
        }
        if sound { Type::Bool } else { Type::Error }
    }

    fn no_overload(&mut self, id: Id, name: &str, is_member: bool, given: &[Type]) -> Type {
        let given: Vec<Type> = given
            .iter()
            .map(|ty| self.variables.resolved_or_dyn(ty))
            .collect();
        let own = if is_member {
            Style::Member
        } else {
            Style::Global
        };
        let other = if is_member {
            Style::Global
        } else {
            Style::Member
        };
        let (mut known, mut style) = (overloads(name, own), own);
        if known.is_empty() {
            (known, style) = (overloads(name, other), other);
        }
        let mut nearest = known.to_vec();
        nearest.retain(|overload| overload.until.is_none());
        // Overloads with the same first operand are the most likely ones.
        nearest.sort_by_key(|overload| overload.takes.first() != given.first());
        let mut ways: Vec<String> = nearest
            .iter()
            .take(TOLD)
            .map(|overload| format!("`{}`", signature(name, &overload.takes, style)))
            .collect();
        if known.len() > TOLD {
            ways.push("..".to_owned());
        }
        let exist = if known.len() > 1 {
            "these do"
        } else {
            "this does"
        };
        let message = format!(
            "`{}` does not exist; {exist}: {}",
            signature(name, &given, own),
            ways.join(", ")
        );
        self.fault(Code::NoOverload, id, message)
    }
}

fn style(target: Option<Id>) -> Style {
    match target {
        Some(_) => Style::Member,
        None => Style::Global,
    }
}

/// A call with the types of its arguments.
pub(crate) fn signature(name: &str, types: &[Type], style: Style) -> String {
    let words: Vec<String> = types.iter().map(in_words).collect();
    let operator = operator_text(name);
    match (words.as_slice(), style) {
        ([target, arguments @ ..], Style::Member) => {
            format!("{target}.{operator}({})", arguments.join(", "))
        }
        ([condition, then, otherwise], _) if operator == "? :" => {
            format!("{condition} ? {then} : {otherwise}")
        }
        ([operand, index], _) if operator.starts_with('[') => {
            format!("{operand}{}{index}]", operator.trim_end_matches([' ', ']']))
        }
        ([left, right], _) if operator != name => format!("{left} {operator} {right}"),
        ([operand], _) if operator != name => format!("{operator}{operand}"),
        (all, _) => format!("{operator}({})", all.join(", ")),
    }
}

/// A type in a message; the variables of overloads are letters.
fn in_words(ty: &Type) -> String {
    match ty {
        Type::Variable(0) => "A".to_owned(),
        Type::Variable(_) => "B".to_owned(),
        Type::List(item) => format!("list({})", in_words(item)),
        Type::Optional(inner) => format!("optional({})", in_words(inner)),
        Type::Map(entry) => format!("map({}, {})", in_words(&entry.0), in_words(&entry.1)),
        other => other.to_string(),
    }
}
