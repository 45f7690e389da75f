//! `[target.'cfg(..)'.dependencies]`: whether a dependency applies to the configured target.

use super::target::Target;
use cfg_expr::{Expression, Predicate};

/// Whether the condition between `[target.` and `.dependencies]` holds: a triple, or `cfg(..)`. Unknown predicates are off, as
/// they are for cargo.
pub(super) fn holds(written: &str, triple: &str) -> bool {
    if !written.trim_start().starts_with("cfg") {
        return written == triple;
    }
    let target = Target::find(triple);
    let expression = Expression::parse(written);
    expression.is_ok_and(|expression| {
        expression.eval(|predicate| match predicate {
            Predicate::Target(of) => target.is_some_and(|Target(info)| of.matches(info)),
            // cargo runs rustc without a profile to learn them, so this is always set.
            Predicate::DebugAssertions | Predicate::Flag("true") => true,
            _ => false,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::holds;

    #[test]
    fn targets_are_told_by_their_triple() {
        let linux = "x86_64-unknown-linux-gnu";
        for (written, expected) in [
            (linux, true),
            ("x86_64-pc-windows-msvc", false),
            ("cfg(unix)", true),
            ("cfg(windows)", false),
            ("cfg(not(windows))", true),
            ("cfg(all(unix, target_os = \"linux\"))", true),
            ("cfg(any(windows, target_os=\"macos\",))", false),
            ("cfg( any ( unix ) )", true),
            ("cfg(all())", true),
            ("cfg(any())", false),
            ("cfg(tokio_unstable)", false),
            ("cfg(debug_assertions)", true),
            ("cfg(true)", true),
            ("cfg(all(true, not(false)))", true),
            ("cfg(panic = \"unwind\")", true),
            ("cfg(target_has_atomic = \"64\")", true),
            ("cfg(not)", false),
            ("cfg(all(unix", false),
            ("cfg(", false),
        ] {
            assert_eq!(holds(written, linux), expected, "{written}");
        }
    }
}
