//! How the user calls the program: `cargo xtask`, `cargo crd-channels`, `kubectl crd-channels` or `crd-channels`.
//!
//! All packages write commands as `crd-channels COMMAND`; the code that prints a text replaces that by the user's own form, so
//! that the printed command can be run as it is. The command line sets it once.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::Path;
use std::sync::OnceLock;

/// The version of the program. Packages that are internal to it have versions of their own, so cargo does not tell it them.
pub const VERSION: &str = "0.3.0";

/// The first argument if cargo ran the program as its subcommand (`src/bin/cargo-crd-channels.rs`).
const SUBCOMMAND: &str = "crd-channels";

/// The name by which kubectl finds a plugin `crd-channels`.
const PLUGIN: &str = "kubectl-crd_channels";

/// The name by which kubectl asks for the plugin's completions.
const PLUGIN_COMPLETION: &str = "kubectl_complete-crd_channels";

/// The words in front of a command, such as `cargo xtask`.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Program {
    /// The binary itself.
    #[default]
    Plain,
    /// The binary as cargo's subcommand.
    Subcommand,
    /// A repository's `xtask`, through cargo's alias of that name.
    Alias,
    /// The binary as a plugin of kubectl, by a file of the name that kubectl looks for.
    Plugin,
}

impl Program {
    /// Returns how the program was called, and the arguments as if it had been called by its own name.
    #[must_use]
    pub fn from_arguments(mut arguments: Vec<OsString>) -> (Self, Vec<OsString>) {
        let name = arguments.first().map(Path::new).and_then(Path::file_stem);
        if name == Some(OsStr::new("xtask")) {
            return (Self::Alias, arguments);
        }
        if name == Some(OsStr::new(PLUGIN)) {
            return (Self::Plugin, arguments);
        }
        if arguments.get(1).is_some_and(|first| first == SUBCOMMAND) {
            arguments.remove(1);
            return (Self::Subcommand, arguments);
        }
        (Self::Plain, arguments)
    }

    /// Whether kubectl runs the program to complete the words of its plugin.
    #[must_use]
    pub fn completes_for_kubectl(arguments: &[OsString]) -> bool {
        let name = arguments.first().map(Path::new).and_then(Path::file_stem);
        name == Some(OsStr::new(PLUGIN_COMPLETION))
    }

    /// The words in front of a command.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "crd-channels",
            Self::Subcommand => "cargo crd-channels",
            Self::Alias => "cargo xtask",
            Self::Plugin => "kubectl crd-channels",
        }
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

static CURRENT: OnceLock<Program> = OnceLock::new();

/// Sets the program for the whole process.
pub fn set(program: Program) {
    // Only tests set it twice.
    let _ = CURRENT.set(program);
}

/// The program that was set, else the plain binary.
#[must_use]
pub fn current() -> Program {
    CURRENT.get().copied().unwrap_or_default()
}

/// Rewrites the commands in a text as the user types them.
#[must_use]
pub fn as_typed(text: &str) -> Cow<'_, str> {
    with_program(text, current())
}

fn with_program(text: &str, program: Program) -> Cow<'_, str> {
    let command = format!("`{} ", Program::Plain);
    match program != Program::Plain && text.contains(&command) {
        true => Cow::Owned(text.replace(&command, &format!("`{program} "))),
        false => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::{Program, with_program};
    use std::ffi::OsString;

    #[test]
    fn commands_are_named_as_they_were_typed() {
        let check = |arguments: &[&str], name: &str, left: &[&str]| {
            let arguments = arguments.iter().map(OsString::from).collect();
            let (program, rest) = Program::from_arguments(arguments);
            assert_eq!(program.name(), name);
            assert_eq!(rest.get(1..).unwrap_or_default(), left);
        };
        let gen_crds = ["gen-crds"];
        check(&[], "crd-channels", &[]);
        check(&["bin/crd-channels", "gen-crds"], "crd-channels", &gen_crds);
        check(&["target/xtask", "gen-crds"], "cargo xtask", &gen_crds);
        let called = ["/bin/crd-channels", "crd-channels", "gen-crds"];
        check(&called, "cargo crd-channels", &gen_crds);
        let plugin = ["/bin/kubectl-crd_channels", "gen-crds"];
        check(&plugin, "kubectl crd-channels", &gen_crds);
        check(
            &["/bin/crd-channels", "crd-channels"],
            "cargo crd-channels",
            &[],
        );
    }

    #[test]
    fn only_commands_are_renamed() {
        let check = |text: &str, shown: &str| assert_eq!(with_program(text, Program::Alias), shown);
        check(
            "run `crd-channels prove`, or `crd-channels pin --update`",
            "run `cargo xtask prove`, or `cargo xtask pin --update`",
        );
        let others = "`crd-channels` and crd-channels pin in `Cargo.toml`";
        check(others, others);
    }
}
