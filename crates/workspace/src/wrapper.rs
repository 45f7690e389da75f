//! The program that cargo runs in place of rustc while kinds are compiled. It runs rustc with other texts for the targets that
//! have kinds. A library gets a separate program that shows its kinds; a binary is that program itself.

use crd_channels_files::{Disk, Read, keep, recall};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The variable that names the file with the wrapper's plan.
pub(super) const PLAN: &str = "CRD_CHANNELS_PROVE";

/// The library's crate name inside the program.
pub(super) const PROBED: &str = "crd_channels_probed";

/// The wrapper's input.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct Plan {
    /// The targets, by the canonical paths of their root files.
    pub(super) roots: BTreeMap<PathBuf, Root>,
    /// The text of a library's program.
    pub(super) program: PathBuf,
}

/// The replacement of a target.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct Root {
    /// The text to compile.
    pub(super) text: PathBuf,
    /// The program to link for a library.
    pub(super) program: Option<PathBuf>,
}

/// Runs rustc if cargo called this program in its place; returns the exit code. `None` if cargo did not.
#[must_use]
pub fn wrap(arguments: &[OsString]) -> Option<u8> {
    let plan = std::env::var_os(PLAN)?;
    let (rustc, arguments) = arguments.get(1..)?.split_first()?;
    if !Path::new(rustc).file_stem()?.to_str()?.contains("rustc") {
        return None;
    }
    let Some(plan) = recall::<Plan>(Path::new(&plan)) else {
        eprintln!("error: `{}` cannot be read", plan.display());
        return Some(2);
    };
    let given = RustcArguments::parse(arguments);
    let root = Disk.canonical(given.root).ok();
    let Some(root) = root.and_then(|root| plan.roots.get(&root)) else {
        return Some(run(rustc, arguments.to_vec()));
    };
    let ended = run(rustc, given.replaced(root));
    if let (0, Some(program)) = (ended, &root.program) {
        // The library's dependencies may still be compiling: the program is linked once cargo is done.
        keep(
            &link_file(program),
            &given.link(rustc, program, &plan.program),
        );
    }
    Some(ended)
}

/// How to link a library's program.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct Link {
    rustc: PathBuf,
    arguments: Vec<PathBuf>,
    library: PathBuf,
}

/// The file that records how to link a program.
fn link_file(program: &Path) -> PathBuf {
    program.with_extension("json")
}

/// Links a library's program unless it is newer than the library. `None` if the library was not compiled.
pub(super) fn link(program: &Path) -> Option<io::Result<bool>> {
    let Link {
        rustc,
        arguments,
        library,
    } = recall(&link_file(program))?;
    let made = |path: &Path| path.metadata().and_then(|about| about.modified());
    match (made(&library), made(program)) {
        (Ok(library), Ok(program)) if library < program => return Some(Ok(true)),
        _ => {}
    }
    let ended = Command::new(rustc).args(arguments).status();
    Some(ended.map(|ended| ended.success()))
}

fn run(rustc: &OsStr, arguments: Vec<OsString>) -> u8 {
    match Command::new(rustc).args(arguments).status() {
        // A process that a signal ended has no exit code.
        Ok(ended) => {
            let code = ended.code().and_then(|code| u8::try_from(code).ok());
            code.unwrap_or(1)
        }
        Err(error) => {
            eprintln!("error: `{}` cannot be started: {error}", rustc.display());
            2
        }
    }
}

/// The arguments of a rustc call.
struct RustcArguments<'a> {
    all: &'a [OsString],
    root: &'a Path,
    name: String,
    folder: PathBuf,
    suffix: String,
}

impl<'a> RustcArguments<'a> {
    fn parse(all: &'a [OsString]) -> Self {
        let after = |option: &str| {
            let mut pairs = all.windows(2);
            pairs.find_map(|pair| match pair {
                [first, second] if first == option => second.to_str(),
                _ => None,
            })
        };
        let mut codegen = all.iter().filter_map(|argument| {
            let text = argument.to_str()?;
            text.strip_prefix("-C")
                .unwrap_or(text)
                .strip_prefix("extra-filename=")
        });
        let mut texts = all.iter().map(Path::new);
        let root = texts.find(|path| path.extension() == Some(OsStr::new("rs")));
        Self {
            all,
            root: root.unwrap_or(Path::new("")),
            name: after("--crate-name").unwrap_or_default().to_owned(),
            folder: after("--out-dir").unwrap_or_default().into(),
            suffix: codegen.next().unwrap_or_default().to_owned(),
        }
    }

    /// The same call for another text.
    fn replaced(&self, root: &Root) -> Vec<OsString> {
        let is_root = |argument: &OsString| Path::new(argument) == self.root;
        let swap = |argument: &OsString| match is_root(argument) {
            true => root.text.clone().into(),
            false => argument.clone(),
        };
        let mut made: Vec<OsString> = self.all.iter().map(swap).collect();
        let has = |wanted: &[&str]| {
            let kinds = self
                .all
                .windows(2)
                .filter(|pair| pair.first().is_some_and(|first| first == "--crate-type"));
            let mut kinds = kinds.filter_map(|pair| pair.get(1)?.to_str());
            kinds.any(|kind| wanted.contains(&kind))
        };
        if root.program.is_some() && !has(&["lib", "rlib"]) {
            // A program can only be linked with an `rlib`.
            made.extend(["--crate-type", "rlib"].map(OsString::from));
        }
        let capped = self.all.iter().filter_map(|argument| argument.to_str());
        if !capped
            .into_iter()
            .any(|text| text.starts_with("--cap-lints"))
        {
            // The text that is added need not follow the project's lints.
            made.extend(["--cap-lints", "allow"].map(OsString::from));
        }
        made
    }

    /// The call that links a library's program, for the same target and with the same code generation.
    fn link(&self, rustc: &OsStr, program: &Path, text: &Path) -> Link {
        let library = self
            .folder
            .join(format!("lib{}{}.rlib", self.name, self.suffix));
        let mut named = OsString::from(format!("{PROBED}="));
        named.push(&library);
        let mut made: Vec<OsString> = vec![text.into()];
        let fixed = [
            "--crate-name",
            PROBED,
            "--crate-type",
            "bin",
            "--edition",
            "2018",
        ];
        made.extend(fixed.map(OsString::from));
        made.extend([
            "--cap-lints".into(),
            "allow".into(),
            "--extern".into(),
            named,
        ]);
        made.extend(["-o".into(), program.into()]);
        let mut rest = self.all.iter();
        while let Some(argument) = rest.next() {
            let Some(text) = argument.to_str() else {
                continue;
            };
            match text {
                "-L" | "--target" | "--sysroot" | "-Z" => {
                    made.push(argument.clone());
                    made.extend(rest.next().cloned());
                }
                "-C" | "--codegen" => {
                    let value = rest.next().and_then(|value| value.to_str());
                    if let Some(value) = value.filter(|value| is_for_programs(value)) {
                        made.extend(["-C".into(), value.into()]);
                    }
                }
                _ if text.strip_prefix("-C").is_some_and(is_for_programs) => {
                    made.push(argument.clone());
                }
                _ if text.starts_with("-L") || text.starts_with("-Z") => {
                    made.push(argument.clone())
                }
                _ if text.starts_with("--target=") || text.starts_with("--sysroot=") => {
                    made.push(argument.clone());
                }
                _ => {}
            }
        }
        Link {
            rustc: rustc.into(),
            arguments: made.into_iter().map(PathBuf::from).collect(),
            library,
        }
    }
}

/// Whether a code generation option applies to more than the one crate that it was passed for.
fn is_for_programs(option: &str) -> bool {
    let own = ["metadata=", "extra-filename=", "incremental=", "save-temps"];
    !own.iter().any(|name| option.starts_with(name))
}
