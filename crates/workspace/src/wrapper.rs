//! What cargo calls in the place of rustc while kinds are compiled: rustc, with other texts for the targets that have kinds. A
//! library gets a program beside it that shows them; a binary is that program itself.

use crd_channels_files::{keep, recall};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Names the file that tells the wrapper what to compile.
pub(super) const PLAN: &str = "CRD_CHANNELS_PROVE";

/// What the library is called inside the program.
pub(super) const PROBED: &str = "crd_channels_probed";

/// What the wrapper has to know.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct Plan {
    /// The targets, by the true names of their roots.
    pub(super) roots: BTreeMap<PathBuf, Root>,
    /// The text of the program beside a library.
    pub(super) program: PathBuf,
}

/// What becomes of a target.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct Root {
    /// The text that is compiled.
    pub(super) text: PathBuf,
    /// For a library, the program that is made beside it.
    pub(super) program: Option<PathBuf>,
}

/// Runs rustc where cargo called this program in its place; gives the code to end with. None where it did not.
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
    let given = RustcArguments::of(arguments);
    let root = given.root.canonicalize().ok();
    let Some(root) = root.and_then(|root| plan.roots.get(&root)) else {
        return Some(run(rustc, arguments.to_vec()));
    };
    let ended = run(rustc, given.replaced(root));
    if let (0, Some(program)) = (ended, &root.program) {
        // What the library depends on may still be on its way: the program is linked once cargo is done.
        keep(
            &link_file(program),
            &given.link(rustc, program, &plan.program),
        );
    }
    Some(ended)
}

/// How the program beside a library is made.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct Link {
    rustc: PathBuf,
    arguments: Vec<PathBuf>,
    library: PathBuf,
}

/// Where it stands how a program is made.
fn link_file(program: &Path) -> PathBuf {
    program.with_extension("json")
}

/// Makes the program beside a library, where it is not newer than that. None where the library was not compiled.
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
        // A signal has no code.
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

/// The arguments of a call of rustc.
struct RustcArguments<'a> {
    all: &'a [OsString],
    root: &'a Path,
    name: String,
    folder: PathBuf,
    suffix: String,
}

impl<'a> RustcArguments<'a> {
    fn of(all: &'a [OsString]) -> Self {
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

    /// The same call of another text.
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
            // A program can be linked with nothing else.
            made.extend(["--crate-type", "rlib"].map(OsString::from));
        }
        let capped = self.all.iter().filter_map(|argument| argument.to_str());
        if !capped
            .into_iter()
            .any(|text| text.starts_with("--cap-lints"))
        {
            // What is added to the text is nobody's style.
            made.extend(["--cap-lints", "allow"].map(OsString::from));
        }
        made
    }

    /// The call that makes the program beside a library, for the same target and with the same code generation.
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

/// Whether a code generation option is not about the one crate that it was given for.
fn is_for_programs(option: &str) -> bool {
    let own = ["metadata=", "extra-filename=", "incremental=", "save-temps"];
    !own.iter().any(|name| option.starts_with(name))
}
