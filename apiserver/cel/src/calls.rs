//! Calls resolved with the tables of macros and functions, and the parts of an expression that are evaluated.

use crate::ast::{Binary, Expression, Kind, Name};
use crate::functions::{Overload, Style, is_in_namespace, overloads, run, run_member};
use crate::macros::{Macro, Row, macro_called};
use crate::syntax::qualified;
use crate::types::Type;
use crate::value::{Stop, Val};
use std::borrow::Cow;

/// A call, by kind.
#[derive(Clone, Debug)]
pub enum Call<'e> {
    /// `has(operand.field)`
    Has(Selection<'e>),
    /// A macro with variables.
    Macro(Comprehension<'e>),
    /// Everything else.
    Function(Function<'e>),
}

/// `operand.field` or `operand.?field`
#[derive(Clone, Copy, Debug)]
pub struct Selection<'e> {
    /// The whole selection.
    pub whole: &'e Expression,
    /// The object.
    pub operand: &'e Expression,
    /// The field, still escaped.
    pub field: &'e Name,
    /// Whether it is `.?`.
    pub optional: bool,
}

/// A macro that evaluates its bodies for the elements of its target.
#[derive(Clone, Debug)]
pub struct Comprehension<'e> {
    /// Its row in the table.
    pub row: &'static Row,
    /// The name of the macro.
    pub function: &'e Name,
    /// The target.
    pub target: &'e Expression,
    /// The names of its variables, one or two.
    pub variables: Vec<&'e Name>,
    /// The expressions that are evaluated with the variables.
    pub bodies: &'e [Expression],
}

/// A function and its arguments.
#[derive(Clone, Debug)]
pub struct Function<'e> {
    /// The name, with its namespace.
    pub name: Cow<'e, str>,
    /// The style of the call.
    pub style: Style,
    /// The arguments; the target of a member comes first.
    pub arguments: Vec<&'e Expression>,
}

impl Function<'_> {
    /// The overloads with that number of arguments.
    pub fn rows(&self) -> impl Iterator<Item = &'static Overload> {
        let count = self.arguments.len();
        let rows = overloads(&self.name, self.style).iter().copied();
        rows.filter(move |row| row.takes.len() == count)
    }

    /// Whether it is the function of that name.
    #[must_use]
    pub fn is(&self, name: &str) -> bool {
        &*self.name == name && self.rows().next().is_some()
    }

    /// Whether it is a test of one text with another, which is never an error.
    #[must_use]
    pub fn asks_texts(&self) -> bool {
        let asks = |row: &Overload| {
            row.style == Style::Member
                && row.gives == Type::Bool
                && row.takes.iter().all(|ty| *ty == Type::String)
        };
        let mut rows = self.rows().peekable();
        rows.peek().is_some() && rows.all(asks)
    }

    /// The result for argument values.
    ///
    /// # Errors
    /// If it is an error, or cannot be evaluated here.
    pub fn run(&self, given: &[Val]) -> Result<Val, Stop> {
        match self.style {
            Style::Global => run(&self.name, given),
            Style::Member => run_member(&self.name, given),
        }
    }
}

impl Expression {
    /// The call, if it is one.
    #[must_use]
    pub fn call(&self) -> Option<Call<'_>> {
        let Kind::Call {
            target,
            function,
            arguments,
        } = &self.kind
        else {
            return None;
        };
        let row = macro_called(&function.text, target.is_some(), arguments.len());
        let found = row.and_then(|row| match target.as_deref() {
            None => arguments.first().and_then(asked).map(Call::Has),
            Some(target) => comprehension(row, function, target, arguments).map(Call::Macro),
        });
        Some(
            found.unwrap_or_else(|| {
                Call::Function(function_of(target.as_deref(), function, arguments))
            }),
        )
    }

    /// The selection, if it is one.
    #[must_use]
    pub fn selection(&self) -> Option<Selection<'_>> {
        match &self.kind {
            Kind::Select {
                operand,
                field,
                optional,
            } => Some(Selection {
                whole: self,
                operand,
                field,
                optional: *optional,
            }),
            _ => None,
        }
    }

    /// The direct subexpressions, without the names of variables and namespaces.
    #[must_use]
    pub fn subexpressions(&self) -> Vec<&Self> {
        match self.call() {
            Some(Call::Macro(of)) => std::iter::once(of.target).chain(of.bodies).collect(),
            Some(Call::Function(function)) => function.arguments,
            Some(Call::Has(_)) | None => self.kind.children(),
        }
    }

    /// The expression and all its subexpressions, mostly in source order.
    pub fn parts(&self) -> impl Iterator<Item = &Self> {
        let mut open = vec![self];
        std::iter::from_fn(move || {
            let next = open.pop()?;
            open.extend(next.subexpressions().into_iter().rev());
            Some(next)
        })
    }

    /// Whether it reads a variable.
    #[must_use]
    pub fn names(&self, variable: &str) -> bool {
        self.parts().any(|part| part.is_named(variable))
    }

    /// Whether it is exactly that name.
    #[must_use]
    pub fn is_named(&self, variable: &str) -> bool {
        matches!(&self.kind, Kind::Identifier { name, .. } if &*name.text == variable)
    }

    /// The direct subexpressions that are always evaluated, so that an error in one is an error of the whole.
    #[must_use]
    pub fn strict(&self) -> Vec<&Self> {
        match &self.kind {
            Kind::Logic { .. } => Vec::new(),
            Kind::Conditional { condition, .. } => vec![condition],
            // The index is not evaluated if the operand is absent.
            Kind::Index { operand, .. } => vec![operand],
            // The left side of `in` is not evaluated if the list is empty.
            Kind::Binary {
                operator: Binary::In,
                right,
                ..
            } if matches!(&right.kind, Kind::List(items) if items.is_empty()) => Vec::new(),
            _ => match self.call() {
                Some(Call::Has(selection)) => vec![selection.operand],
                Some(Call::Macro(of)) => vec![of.target],
                Some(Call::Function(function)) if function.is_lazy() => {
                    function.arguments.into_iter().take(1).collect()
                }
                Some(Call::Function(_)) | None => self.subexpressions(),
            },
        }
    }
}

impl Function<'_> {
    /// Whether it is a function of optionals that evaluates its argument only if the optional is empty.
    fn is_lazy(&self) -> bool {
        let of_optional = |row: &Overload| matches!(row.takes.first(), Some(Type::Optional(_)));
        self.style == Style::Member && self.arguments.len() == 2 && self.rows().any(of_optional)
    }
}

/// The selection inside `has(..)`. If `has` is nested, the server treats the inner one as the selection that it expanded to.
fn asked(argument: &Expression) -> Option<Selection<'_>> {
    match argument.call() {
        Some(Call::Has(selection)) => Some(selection),
        _ => argument.selection().filter(|selection| !selection.optional),
    }
}

fn comprehension<'e>(
    row: &'static Row,
    function: &'e Name,
    target: &'e Expression,
    arguments: &'e [Expression],
) -> Option<Comprehension<'e>> {
    let (variables, bodies) = arguments.split_at_checked(row.variables)?;
    let plain = |variable: &'e Expression| match &variable.kind {
        Kind::Identifier {
            name,
            rooted: false,
        } => Some(name),
        _ => None,
    };
    let variables = variables.iter().map(plain).collect::<Option<_>>()?;
    Some(Comprehension {
        row,
        function,
        target,
        variables,
        bodies,
    })
}

fn function_of<'e>(
    target: Option<&'e Expression>,
    function: &'e Name,
    arguments: &'e [Expression],
) -> Function<'e> {
    let written = &*function.text;
    let Some(target) = target else {
        return Function {
            name: written.strip_prefix('.').unwrap_or(written).into(),
            style: Style::Global,
            arguments: arguments.iter().collect(),
        };
    };
    if let Some(name) = in_namespace(target, written) {
        return Function {
            name: name.into(),
            style: Style::Global,
            arguments: arguments.iter().collect(),
        };
    }
    Function {
        name: written.into(),
        style: Style::Member,
        arguments: std::iter::once(target).chain(arguments).collect(),
    }
}

/// The name of a function with a namespace, such as `sets.contains`; `None` if the target is a value.
fn in_namespace(target: &Expression, function: &str) -> Option<String> {
    if !is_in_namespace(function) {
        return None;
    }
    let name = format!("{}.{function}", qualified(target)?);
    let name = name.strip_prefix('.').unwrap_or(&name);
    (!overloads(name, Style::Global).is_empty()).then(|| name.to_owned())
}

impl Comprehension<'_> {
    /// Whether its value is a boolean: whether its body is true for all elements, for any, or for one.
    #[must_use]
    pub fn asks(&self) -> bool {
        matches!(
            self.row.expands_to,
            Macro::All | Macro::Exists | Macro::ExistsOne
        )
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::Call;
    use crate::parse;

    /// The kind of a call, and the texts of its parts.
    fn described(text: &str) -> String {
        let expression = parse(text).unwrap();
        let of = |part: &crate::Expression| text[part.range.clone()].to_owned();
        match expression.call().unwrap() {
            Call::Has(asked) => format!("has {} {}", of(asked.operand), asked.field.text),
            Call::Macro(it) => {
                let names: Vec<&str> = it.variables.iter().map(|name| &*name.text).collect();
                let bodies: Vec<String> = it.bodies.iter().map(of).collect();
                format!(
                    "{:?} {} {names:?} {bodies:?}",
                    it.row.expands_to,
                    of(it.target)
                )
            }
            Call::Function(function) => {
                let given: Vec<String> = function.arguments.iter().map(|it| of(it)).collect();
                format!("{:?} {} {given:?}", function.style, function.name)
            }
        }
    }

    #[test]
    fn calls_are_what_the_tables_say() {
        for (text, expected) in [
            ("has(self.a.b)", "has self.a b"),
            ("has(has(self.a))", "has self a"),
            ("has(self)", r#"Global has ["self"]"#),
            ("has(self.?a)", r#"Global has ["self.?a"]"#),
            ("a.all(x, x.b)", r#"All a ["x"] ["x.b"]"#),
            ("a.existsOne(x, y, y)", r#"ExistsOne a ["x", "y"] ["y"]"#),
            // None has only one variable, and a variable is never a selection.
            ("a.existsOne(x, x)", r#"Member existsOne ["a", "x", "x"]"#),
            ("a.all(x.y, x)", r#"Member all ["a", "x.y", "x"]"#),
            ("a.all(.x, x)", r#"Member all ["a", ".x", "x"]"#),
            ("sets.contains(a, b)", r#"Global sets.contains ["a", "b"]"#),
            (".sets.contains(a, b)", r#"Global sets.contains ["a", "b"]"#),
            ("text.contains(b)", r#"Member contains ["text", "b"]"#),
            ("size(a)", r#"Global size ["a"]"#),
            ("nobody(a)", r#"Global nobody ["a"]"#),
        ] {
            assert_eq!(described(text), expected, "{text}");
        }
    }

    #[test]
    fn the_variable_of_a_macro_is_no_read() {
        for (text, reads) in [
            ("self.a == oldSelf.a", true),
            ("self.all(x, x == oldSelf)", true),
            ("self.all(oldSelf, true)", false),
            ("self.all(oldSelf, oldSelf > 1)", true),
            ("self.oldSelf == 1", false),
        ] {
            assert_eq!(parse(text).unwrap().names("oldSelf"), reads, "{text}");
        }
    }

    #[test]
    fn what_is_always_evaluated_is_known() {
        for (text, expected) in [
            ("a == b", &["a", "b"][..]),
            ("a && b", &[]),
            ("a ? b : c", &["a"]),
            ("a[b]", &["a"]),
            ("a in []", &[]),
            ("a in [b]", &["a", "[b]"]),
            ("has(a.b.c)", &["a.b"]),
            ("a.all(x, b)", &["a"]),
            ("a.orValue(b)", &["a"]),
            ("a.startsWith(b)", &["a", "b"]),
            ("optional.of(a)", &["a"]),
            ("[a, {b: c}]", &["a", "{b: c}"]),
        ] {
            let expression = parse(text).unwrap();
            let found = expression.strict().into_iter();
            let found: Vec<&str> = found.map(|part| &text[part.range.clone()]).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
