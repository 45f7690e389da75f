//! What the user typed to get here, so that help names commands that work.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::Path;

/// The name by which cargo finds the tool, and the first argument that it then passes.
const SUBCOMMAND: &str = "crd-channels";

/// The words before a command: `cargo xtask`, `cargo crd-channels` or `crd-channels`.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Program {
    /// The binary itself.
    #[default]
    Plain,
    /// The binary as cargo's subcommand.
    Subcommand,
    /// `cargo run` in the tool's own workspace, which has an alias for it.
    Alias,
}

impl Program {
    /// Tells the arguments apart: who was called, and the arguments as if it had been called by its own name.
    ///
    /// `package` is the one that `cargo run` runs (`CARGO_PKG_NAME`), if it does.
    #[must_use]
    pub fn of(mut arguments: Vec<OsString>, package: Option<&OsStr>) -> (Self, Vec<OsString>) {
        let name = arguments.first().map(Path::new).and_then(Path::file_stem);
        if name == Some(OsStr::new("cargo-crd-channels")) {
            if arguments.get(1).is_some_and(|first| first == SUBCOMMAND) {
                arguments.remove(1);
            }
            return (Self::Subcommand, arguments);
        }
        let alias = package == Some(OsStr::new(env!("CARGO_PKG_NAME")));
        (if alias { Self::Alias } else { Self::Plain }, arguments)
    }

    /// The words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "crd-channels",
            Self::Subcommand => "cargo crd-channels",
            Self::Alias => "cargo xtask",
        }
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::Program;
    use std::ffi::{OsStr, OsString};

    #[test]
    fn commands_are_named_as_they_were_typed() {
        let check = |arguments: &[&str], package: Option<&str>, name: &str, left: &[&str]| {
            let arguments = arguments.iter().map(OsString::from).collect();
            let (program, rest) = Program::of(arguments, package.map(OsStr::new));
            assert_eq!(program.name(), name);
            assert_eq!(rest.get(1..).unwrap_or_default(), left);
        };
        let gen_crds = ["gen-crds"];
        check(&[], None, "crd-channels", &[]);
        check(
            &["bin/crd-channels", "gen-crds"],
            None,
            "crd-channels",
            &gen_crds,
        );
        check(
            &["crd-channels", "gen-crds"],
            Some("theirs"),
            "crd-channels",
            &gen_crds,
        );
        check(
            &["crd-channels", "gen-crds"],
            Some("crd-channels"),
            "cargo xtask",
            &gen_crds,
        );
        let subcommand = "/bin/cargo-crd-channels";
        check(
            &[subcommand, "crd-channels", "gen-crds"],
            None,
            "cargo crd-channels",
            &gen_crds,
        );
        check(
            &[subcommand, "gen-crds"],
            None,
            "cargo crd-channels",
            &gen_crds,
        );
        check(
            &[subcommand],
            Some("crd-channels"),
            "cargo crd-channels",
            &[],
        );
    }
}
