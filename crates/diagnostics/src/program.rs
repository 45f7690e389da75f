//! What the user types before a command: `cargo xtask`, `cargo crd-channels` or `crd-channels`.
//!
//! Texts of all packages call a command `crd-channels COMMAND`; whatever shows them calls it as the user does, so that advice
//! can be followed as it is printed. The command line decides once.

use std::borrow::Cow;
use std::sync::OnceLock;

/// What texts call the program.
const NAME: &str = "crd-channels";

static TYPED: OnceLock<&'static str> = OnceLock::new();

/// Decides for the whole program.
pub fn set(typed: &'static str) {
    // Who decides twice is a test.
    let _ = TYPED.set(typed);
}

/// A text with its commands as the user types them.
#[must_use]
pub fn as_typed(text: &str) -> Cow<'_, str> {
    match TYPED.get() {
        Some(typed) => named(text, typed),
        None => Cow::Borrowed(text),
    }
}

fn named<'t>(text: &'t str, typed: &str) -> Cow<'t, str> {
    let command = format!("`{NAME} ");
    match typed != NAME && text.contains(&command) {
        true => Cow::Owned(text.replace(&command, &format!("`{typed} "))),
        false => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn only_commands_are_renamed() {
        let check = |text: &str, shown: &str| assert_eq!(named(text, "cargo xtask"), shown);
        check(
            "run `crd-channels prove`, or `crd-channels pin --update`",
            "run `cargo xtask prove`, or `cargo xtask pin --update`",
        );
        let others = "`crd-channels` and crd-channels pin in `Cargo.toml`";
        check(others, others);
    }
}
