//! Arguments of attributes, laid out as rustfmt does.

use crate::literals;

/// The widest arguments on one line, as rustfmt lays out attributes.
const ARGUMENTS: usize = 70;
/// The widest line.
pub(crate) const LINE: usize = 100;

/// An argument of an attribute that consists of names and literals.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub(crate) enum Meta {
    /// `namespaced`, `max = 5`, `"a"`
    Plain(String),
    /// `length(min = 1, max = 5)`
    List(&'static str, Vec<Meta>),
}

impl Meta {
    /// A list of plain arguments.
    pub(crate) fn list(name: &'static str, arguments: impl IntoIterator<Item = String>) -> Self {
        Meta::List(name, arguments.into_iter().map(Meta::Plain).collect())
    }

    /// `key = "value"`
    pub(crate) fn named(key: &str, value: &str) -> Self {
        Meta::Plain(format!("{key} = {}", literals::text(value)))
    }

    /// The argument as it is written where there is room.
    pub(crate) fn on_one_line(&self) -> String {
        match self {
            Meta::Plain(text) => text.clone(),
            Meta::List(name, arguments) => format!("{name}({})", joined(arguments)),
        }
    }

    /// Lays it out at an indentation, where something else begins and ends its line.
    fn lines(&self, indent: &str, around: usize) -> String {
        let Meta::List(name, arguments) = self else {
            return self.on_one_line();
        };
        let one = joined(arguments);
        let width = indent.len() + name.len() + one.chars().count() + 2 + around;
        if is_narrow(arguments) && width <= LINE {
            return format!("{name}({one})");
        }
        format!(
            "{name}({})",
            inside(arguments, indent, around + name.len() + 2)
        )
    }
}

impl From<String> for Meta {
    fn from(text: String) -> Self {
        Meta::Plain(text)
    }
}

/// Whether a line may hold these arguments: a single one is as long as it is.
fn is_narrow(arguments: &[Meta]) -> bool {
    let inside = arguments.iter().all(|argument| match argument {
        Meta::Plain(_) => true,
        Meta::List(_, inside) => is_narrow(inside),
    });
    inside && (arguments.len() == 1 || joined(arguments).chars().count() <= ARGUMENTS)
}

fn joined(arguments: &[Meta]) -> String {
    let arguments: Vec<String> = arguments.iter().map(Meta::on_one_line).collect();
    arguments.join(", ")
}

/// What stands between parentheses that do not fit one line.
fn inside(arguments: &[Meta], indent: &str, around: usize) -> String {
    match arguments {
        [only @ Meta::List(..)] => only.lines(indent, around),
        arguments => {
            let deeper = format!("{indent}    ");
            let lines = arguments.iter().map(|it| it.lines(&deeper, 1));
            let lines: Vec<String> = lines.collect();
            format!(
                "\n{deeper}{}\n{indent}",
                lines.join(&format!(",\n{deeper}"))
            )
        }
    }
}

/// An attribute on lines of its own.
pub(crate) fn attribute(out: &mut String, indent: &str, name: &str, arguments: &[Meta]) {
    let one = joined(arguments);
    let fits = is_narrow(arguments) && indent.len() + name.len() + one.chars().count() + 5 <= LINE;
    let content = match fits {
        true => one,
        false => inside(arguments, indent, name.len() + 5),
    };
    out.push_str(&format!("{indent}#[{name}({content})]\n"));
}

/// A `use` of several names of one path.
pub(crate) fn use_line(path: &str, names: &[&str]) -> String {
    let [_, _, ..] = names else {
        return format!("use {path}::{};\n", names.concat());
    };
    let one = format!("use {path}::{{{}}};\n", names.join(", "));
    // rustfmt leaves the last two columns free, and the line ends with a newline here.
    if one.chars().count() < LINE {
        return one;
    }
    let mut lines = vec![String::from("   ")];
    for name in names {
        let last = lines.last().map_or(0, String::len);
        if last + name.len() + 2 >= LINE {
            lines.push(String::from("   "));
        }
        if let Some(line) = lines.last_mut() {
            line.push_str(&format!(" {name},"));
        }
    }
    format!("use {path}::{{\n{}\n}};\n", lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::use_line;

    #[test]
    fn a_use_has_as_many_columns_as_rustfmt_gives_it() {
        let lines = |length: usize| {
            use_line("crate::a", &["A", &"B".repeat(length)])
                .lines()
                .count()
        };
        // 98 columns, and one more.
        assert_eq!((lines(78), lines(79)), (1, 3));
    }
}
